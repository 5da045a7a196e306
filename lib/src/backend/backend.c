// SPDX-License-Identifier: Apache-2.0
// The list of back ends, and which of them this machine can run.
#include "backend/backend.h"

#include "base/bytes.h"
#include "x86/x86.h"

const rs_backend_t RS_BACKEND_PORTABLE = RS_PORTABLE;

#ifdef RS_BACKENDS
#ifdef RS_X86
enum { ALL_BITS = RS_RING_BITS_MAX, NARROW_BITS = 17 };

static const rs_backend_t AVX2 = {
    "avx2", &RS_SAMPLERS_AVX2, &RS_ENCODING_AVX2, {{30, &RS_RING_AVX2_30}, {ALL_BITS, &RS_RING_AVX2_60}}};
static const rs_backend_t AVX512 = {
    "avx512",
    &RS_SAMPLERS_AVX512,
    &RS_ENCODING_AVX512,
    {{NARROW_BITS, &RS_RING_PORTABLE}, {30, &RS_RING_AVX512_30}, {50, &RS_RING_AVX512_50}, {ALL_BITS, &RS_RING_AVX512_60}},
};
static const rs_backend_t AVX512_IFMA = {
    "avx512ifma",
    &RS_SAMPLERS_AVX512,
    &RS_ENCODING_AVX512,
    {{NARROW_BITS, &RS_RING_PORTABLE},
     {30, &RS_RING_AVX512_30},
     {48, &RS_RING_AVX512_IFMA48},
     {50, &RS_RING_AVX512_IFMA50},
     {ALL_BITS, &RS_RING_AVX512_60}},
};

// Plain C but for the FMAs: what small cores use (arith/ring_fma.c).
static const rs_backend_t FMA = RS_WITH_RINGS("fma", RS_FMA_RINGS);

typedef struct candidate {
    const rs_backend_t *backend;
    int runs; // this machine has its instructions
} candidate_t;

// The candidates are in order, the best first.
const rs_backend_t *rs_backend_find(const char *name) {
    // The compiler's run time asks CPUID, and XGETBV whether the operating system saves the wide registers.
    __builtin_cpu_init();
    const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const int avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    const candidate_t candidates[] = {
        {&AVX512_IFMA, avx512 && __builtin_cpu_supports("avx512ifma")},
        {&AVX512, avx512},
        {&AVX2, avx2},
        {&RS_BACKEND_PORTABLE, 1},
        {&FMA, __builtin_cpu_supports("fma")}, // for tests and comparisons: never the best here
    };
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        if (candidates[i].runs && (!name || rs_same_text(name, candidates[i].backend->name))) return candidates[i].backend;
    }
    return NULL;
}
#else
const rs_backend_t *rs_backend_find(const char *name) {
    return !name || rs_same_text(name, RS_BACKEND_PORTABLE.name) ? &RS_BACKEND_PORTABLE : NULL;
}
#endif

#endif
