// SPDX-License-Identifier: Apache-2.0
// The list of back ends, and which of them this machine can run.
#include "backend/backend.h"

#include "arm/arm.h"
#include "base/bytes.h"
#include "x86/x86.h"

const rs_backend_t RS_BACKEND_PORTABLE = RS_PORTABLE;

#ifdef RS_BACKENDS
#ifdef RS_X86
enum { ALL_BITS = RS_RING_BITS_MAX, NARROW_BITS = 17 };

static const rs_backend_t AVX2 = {
    "avx2",
    &RS_SAMPLERS_AVX2,
    &RS_ENCODING_AVX2,
    &RS_INTEGERS_AVX2,
    {{30, &RS_RING_AVX2_30, &RS_LIFTS_AVX2_30},
     {48, &RS_RING_AVX2_48, &RS_LIFTS_AVX2_48},
     {50, &RS_RING_AVX2_50, &RS_LIFTS_AVX2_50},
     {ALL_BITS, &RS_RING_AVX2_60, &RS_LIFTS_AVX2_60}},
    RS_VECTORS_AVX2,
};
static const rs_backend_t AVX512 = {
    "avx512",
    &RS_SAMPLERS_AVX512,
    &RS_ENCODING_AVX512,
    &RS_INTEGERS_AVX512,
    {{NARROW_BITS, &RS_RING_AVX512_30, &RS_LIFTS_PORTABLE},
     {30, &RS_RING_AVX512_30, &RS_LIFTS_AVX512_30},
     {50, &RS_RING_AVX512_50, &RS_LIFTS_AVX512_50},
     {ALL_BITS, &RS_RING_AVX512_60, &RS_LIFTS_AVX512_60}},
    RS_VECTORS_AVX512,
};
static const rs_backend_t AVX512_IFMA = {
    "avx512ifma",
    &RS_SAMPLERS_AVX512,
    &RS_ENCODING_AVX512,
    &RS_INTEGERS_AVX512_IFMA,
    {{NARROW_BITS, &RS_RING_AVX512_30, &RS_LIFTS_PORTABLE},
     {30, &RS_RING_AVX512_30, &RS_LIFTS_AVX512_30},
     {48, &RS_RING_AVX512_IFMA48, &RS_LIFTS_AVX512_IFMA48},
     {49, &RS_RING_AVX512_IFMA49, &RS_LIFTS_AVX512_IFMA49},
     {50, &RS_RING_AVX512_IFMA50, &RS_LIFTS_AVX512_IFMA50},
     {55, &RS_RING_AVX512_IFMA55, &RS_LIFTS_AVX512_IFMA55},
     {ALL_BITS, &RS_RING_AVX512_IFMA60, &RS_LIFTS_AVX512_IFMA60}},
    RS_VECTORS_AVX512,
};

// Plain C but for the FMAs: what small cores use (fma/ring_fma.c), and beyond its moduli what machines with vectors use, in scalars.
static const rs_backend_t FMA =
    RS_WITH_RINGS("fma", {RS_FMA_BITS_NARROW, &RS_RING_FMA_31, &RS_LIFTS_FMA_31}, {RS_FMA_BITS, &RS_RING_FMA_47, &RS_LIFTS_FMA_47},
                  {48, &RS_RING_REAL_48, &RS_LIFTS_REAL_48}, {50, &RS_RING_REAL_50, &RS_LIFTS_REAL_50}, RS_ANY_RING);

#endif

#ifdef RS_ARM
#define NEON_RINGS {48, &RS_RING_NEON_48, &RS_LIFTS_NEON_48}, {50, &RS_RING_NEON_50, &RS_LIFTS_NEON_50}, RS_ANY_RING
static const rs_backend_t NEON = RS_WITH_RINGS("neon", NEON_RINGS);
static const rs_backend_t NEON_SHA3 = {"neonsha3",   &RS_SAMPLERS_SHA3, &RS_ENCODING_PORTABLE, &RS_INTEGERS_PORTABLE,
                                       {NEON_RINGS}, RS_VECTORS_NONE};
#endif

// All back ends of this machine, the best first. What a machine can run its own folder says.
static const struct candidate {
    const rs_backend_t *backend;
    int (*available)(void);
} CANDIDATES[] = {
#ifdef RS_X86
    {&AVX512_IFMA, rs_avx512ifma_available},
    {&AVX512, rs_avx512_available},
    {&AVX2, rs_avx2_available},
#endif
#ifdef RS_ARM
    {&NEON_SHA3, rs_sha3_available},
    {&NEON, NULL}, // every machine has it
#endif
    {&RS_BACKEND_PORTABLE, NULL},
#ifdef RS_X86
    {&FMA, rs_fma_available}, // for tests and comparisons: never the best here
#endif
};

const rs_backend_t *rs_backend_find(const char *name) {
    for (size_t i = 0; i < sizeof CANDIDATES / sizeof CANDIDATES[0]; i++) {
        const struct candidate *c = &CANDIDATES[i];
        if ((!c->available || c->available()) && (!name || rs_same_text(name, c->backend->name))) return c->backend;
    }
    return NULL;
}
#endif
