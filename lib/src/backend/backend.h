// SPDX-License-Identifier: Apache-2.0
// What a back end is, and which one is in use. RS_BACKENDS is defined where the host part (src/host/backend_choice.c) keeps the choice:
// the freestanding core has no state, so there everything is portable.
#ifndef RINGSIDE_BACKEND_INTERNAL_H
#define RINGSIDE_BACKEND_INTERNAL_H

#include <ringside/params.h>
#include <ringside/status.h>

#include "arith/ring.h"
#include "encoding/encoding.h"
#include "sampling/samplers.h"

enum { RS_RINGS_MAX = 5 };

// A ring and the widest moduli it is used for.
typedef struct rs_ring_choice {
    uint32_t bits;
    const rs_ring_t *ring;
} rs_ring_choice_t;

typedef struct rs_backend {
    const char *name;
    const rs_samplers_t *samplers;
    const rs_encoding_t *encoding;
    rs_ring_choice_t rings[RS_RINGS_MAX]; // the narrowest first, the last one for all moduli there may be
} rs_backend_t;

// The ring for moduli of that many bits.
static inline const rs_ring_t *rs_backend_ring(const rs_backend_t *backend, uint32_t bits) {
    const rs_ring_choice_t *choice = backend->rings;
    while (choice->bits < bits) choice++;
    return choice->ring;
}

#define RS_PORTABLE                                                 \
    {                                                               \
        "portable", &RS_SAMPLERS_PORTABLE, &RS_ENCODING_PORTABLE, { \
            {                                                       \
                RS_MODULUS_BITS_MAX, &RS_RING_PORTABLE              \
            }                                                       \
        }                                                           \
    }
extern const rs_backend_t RS_BACKEND_PORTABLE;
extern const rs_samplers_t RS_SAMPLERS_PORTABLE;

#ifdef RS_BACKENDS
enum { RS_WAYS_MAX = 8, RS_STATES_ALIGNMENT = 64 };
// The back end of that name, or with NULL the best one; NULL if it is unknown or this machine cannot run it.
const rs_backend_t *rs_backend_find(const char *name);
const rs_backend_t *rs_backend_current(void);
// RS_ERR_BACKEND if the environment asked for one that there is not.
rs_status_t rs_backend_status(void);
#else
enum { RS_WAYS_MAX = 1, RS_STATES_ALIGNMENT = 8 };
static inline const rs_backend_t *rs_backend_current(void) {
    return &RS_BACKEND_PORTABLE;
}
static inline rs_status_t rs_backend_status(void) {
    return RS_OK;
}
#endif

#if defined(RS_BACKENDS) && defined(__x86_64__)
#define RS_X86 1
// AVX512: F, DQ, VL and BW, and the instructions of AVX2. Rings are for moduli up to the bits of the name, those
// of AVX-512 from 18 bits on.
extern const rs_ring_t RS_RING_AVX2_30;
extern const rs_ring_t RS_RING_AVX2_60;
extern const rs_ring_t RS_RING_AVX512_30;
extern const rs_ring_t RS_RING_AVX512_50;
extern const rs_ring_t RS_RING_AVX512_60;
extern const rs_ring_t RS_RING_AVX512_IFMA48;
extern const rs_ring_t RS_RING_AVX512_IFMA50;
extern const rs_encoding_t RS_ENCODING_AVX2; // and FMA
extern const rs_encoding_t RS_ENCODING_AVX512;
#endif

#endif
