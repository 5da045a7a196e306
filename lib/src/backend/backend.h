// SPDX-License-Identifier: Apache-2.0
// What a back end is, and which one is in use. Builds that define RS_BACKENDS have all back ends of their machine and keep the choice
// (choice.c). The freestanding core has no state: there the portable back end computes everything.
#ifndef RINGSIDE_BACKEND_INTERNAL_H
#define RINGSIDE_BACKEND_INTERNAL_H

#include <ringside/base.h>

#include "arith/integers.h"
#include "arith/ring.h"
#include "arith/ring32.h"
#include "encoding/encoding.h"
#include "encoding/lifts.h"
#include "fma/ring_fma.h"
#include "riscv/riscv.h"
#include "sampling/samplers.h"
#include "wasm/wasm.h"

enum { RS_RINGS_MAX = 7 };

// Vectors for which a scheme may be compiled as a whole.
typedef enum rs_vectors { RS_VECTORS_NONE, RS_VECTORS_AVX2, RS_VECTORS_AVX512 } rs_vectors_t;

// A ring with its lifts, and the bits of the widest moduli that they are used for.
typedef struct rs_ring_choice {
    uint32_t bits;
    const rs_ring_t *ring;
    const rs_lifts_t *lifts;
} rs_ring_choice_t;

typedef struct rs_backend {
    const char *name;
    const rs_samplers_t *samplers;
    const rs_encoding_t *encoding;
    const rs_integers_t *integers;
    rs_ring_choice_t rings[RS_RINGS_MAX]; // the narrowest first; the last one takes every modulus
    rs_vectors_t vectors;
} rs_backend_t;

// Kernels on vectors need polynomials of at least this size.
enum { RS_VECTOR_LOG_N_MIN = 9 };

// Every modulus, and every size.
#ifdef RS_WASM
#define RS_ANY_RING {RS_RING_BITS_MAX, &RS_RING_WASM_60, &RS_LIFTS_WASM_60}
#else
#define RS_ANY_RING {RS_RING_BITS_MAX, &RS_RING_PORTABLE, &RS_LIFTS_PORTABLE}
#endif

static inline const rs_integers_t *rs_backend_integers(const rs_backend_t *backend, uint32_t log_n) {
    return log_n < RS_VECTOR_LOG_N_MIN ? &RS_INTEGERS_PORTABLE : backend->integers;
}

// What is used for a modulus below 2^60.
static inline rs_ring_choice_t rs_backend_choice(const rs_backend_t *backend, uint32_t log_n, uint64_t q) {
    static const rs_ring_choice_t SMALL = RS_ANY_RING;
    const rs_ring_choice_t *choice = backend->rings;
    if (log_n < RS_VECTOR_LOG_N_MIN) return SMALL;
    while (q >> choice->bits) choice++;
    return *choice;
}

// Portable samplers and encoding with these rings.
#define RS_WITH_RINGS(name, ...) \
    {name, &RS_SAMPLERS_PORTABLE, &RS_ENCODING_PORTABLE, &RS_INTEGERS_PORTABLE, {__VA_ARGS__}, RS_VECTORS_NONE}
#ifdef RS_RING_FMA
#define RS_FMA_RINGS \
    {RS_FMA_BITS_NARROW, &RS_RING_FMA_31, &RS_LIFTS_FMA_31}, {RS_FMA_BITS, &RS_RING_FMA_47, &RS_LIFTS_FMA_47}, RS_ANY_RING
#endif
// Where every machine of a kind has fast FMAs of doubles, the portable back end uses them, and WebAssembly its relaxed SIMD;
// on machines of 32 bits, words of 32 bits.
#ifdef __riscv_v
#define RS_RVV_RINGS                                      \
    {                                                     \
        {                                                 \
            RS_RING_BITS_MAX, &RS_RING_RVV, &RS_LIFTS_RVV \
        }                                                 \
    }
#define RS_PORTABLE {"rvv", &RS_SAMPLERS_RVV, &RS_ENCODING_PORTABLE, &RS_INTEGERS_PORTABLE, RS_RVV_RINGS, RS_VECTORS_NONE}
#elif defined(RS_RING_FMA) && !defined(__x86_64__)
#define RS_PORTABLE RS_WITH_RINGS("portable", RS_FMA_RINGS)
#elif defined(RS_WASM_SIMD)
#define RS_PORTABLE \
    {"wasm", &RS_SAMPLERS_WASM, &RS_ENCODING_PORTABLE, &RS_INTEGERS_PORTABLE, {RS_WASM_REAL_RINGS, RS_ANY_RING}, RS_VECTORS_NONE}
#elif UINTPTR_MAX == UINT32_MAX || defined(RS_NO_INT128)
#define RS_PORTABLE RS_WITH_RINGS("portable", {RS_RING32_BITS, &RS_RING_32, &RS_LIFTS_PORTABLE}, RS_ANY_RING)
#else
#define RS_PORTABLE RS_WITH_RINGS("portable", RS_ANY_RING)
#endif
extern const rs_backend_t RS_BACKEND_PORTABLE;

#ifdef RS_BACKENDS
// The back end of that name, or with NULL the best one; NULL if it is unknown or this machine cannot run it.
const rs_backend_t *rs_backend_find(const char *name);
const rs_backend_t *rs_backend_current(void);
// RS_ERR_BACKEND if RINGSIDE_BACKEND names one that is unknown or cannot run here.
rs_status_t rs_backend_status(void);
#else
static inline const rs_backend_t *rs_backend_current(void) { return &RS_BACKEND_PORTABLE; }
static inline rs_status_t rs_backend_status(void) { return RS_OK; }
#endif

#endif
