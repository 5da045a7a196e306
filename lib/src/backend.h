// SPDX-License-Identifier: Apache-2.0
// What a back end is, and which one is in use. RS_BACKENDS is defined where the host part (src/host/backend_choice.c) keeps the choice:
// the freestanding core has no state, so there everything is portable.
#ifndef RINGSIDE_BACKEND_INTERNAL_H
#define RINGSIDE_BACKEND_INTERNAL_H

#include <ringside/status.h>

#include "encoding.h"
#include "ring.h"

enum { RS_RINGS_MAX = 4 };

// A ring and the widest moduli it is used for.
typedef struct rs_ring_choice {
    uint32_t bits;
    const rs_ring_t *ring;
} rs_ring_choice_t;

typedef struct rs_backend {
    const char *name;
    unsigned ways; // Keccak states permuted at once, 1 to RS_WAYS_MAX
    void (*keccak)(uint64_t *states); // lane i of state w at states[i * ways + w]; aligned to RS_STATES_ALIGNMENT
    rs_ring_choice_t rings[RS_RINGS_MAX]; // the narrowest first, the last one for all moduli there may be
    const rs_encoding_t *encoding;
} rs_backend_t;

// The ring for moduli of that many bits.
static inline const rs_ring_t *rs_backend_ring(const rs_backend_t *backend, uint32_t bits) {
    const rs_ring_choice_t *choice = backend->rings;
    while (choice->bits < bits) choice++;
    return choice->ring;
}

extern const rs_backend_t RS_BACKEND_PORTABLE;

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
// For machines with AVX2; with AVX-512 F, DQ, VL, BW; and with IFMA, too. Rings for moduli from 18 bits on, up to those of the name.
void rs_keccak_avx2(uint64_t *states);
void rs_keccak_avx512(uint64_t *states);
extern const rs_ring_t RS_RING_AVX512_31;
extern const rs_ring_t RS_RING_AVX512_50;
extern const rs_ring_t RS_RING_AVX512_60;
extern const rs_ring_t RS_RING_AVX512_IFMA; // 50 bits
// For machines with AVX2 and FMA, with AVX-512 F, DQ, VL and BW.
void rs_fft_avx2_inverse(const rs_context_t *context, double *re, double *im, double fix);
void rs_fft_avx2_forward(const rs_context_t *context, double *re, double *im);
void rs_fft_avx512_inverse(const rs_context_t *context, double *re, double *im, double fix);
void rs_fft_avx512_forward(const rs_context_t *context, double *re, double *im);
extern const rs_encoding_t RS_ENCODING_AVX2;
extern const rs_encoding_t RS_ENCODING_AVX512;
#endif

#endif
