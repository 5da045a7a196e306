// SPDX-License-Identifier: Apache-2.0
// The back ends there are, and whether this machine can run them.
#include "backend.h"

#include <ringside/params.h>
#include <ringside/xof.h>

#include "bytes.h"

enum { ALL_BITS = RS_MODULUS_BITS_MAX, NARROW_BITS = 17 };

const rs_backend_t RS_BACKEND_PORTABLE = {"portable", 1, rs_keccak_f1600, {{ALL_BITS, &RS_RING_PORTABLE}}};

#ifdef RS_BACKENDS
#ifdef RS_X86
static const rs_backend_t AVX2 = {"avx2", 4, rs_keccak_avx2, {{ALL_BITS, &RS_RING_PORTABLE}}};
static const rs_backend_t AVX512 = {
    "avx512",
    8,
    rs_keccak_avx512,
    {{NARROW_BITS, &RS_RING_PORTABLE}, {31, &RS_RING_AVX512_31}, {50, &RS_RING_AVX512_50}, {ALL_BITS, &RS_RING_AVX512_60}},
};
static const rs_backend_t AVX512_IFMA = {
    "avx512ifma",
    8,
    rs_keccak_avx512,
    {{NARROW_BITS, &RS_RING_PORTABLE}, {31, &RS_RING_AVX512_31}, {50, &RS_RING_AVX512_IFMA}, {ALL_BITS, &RS_RING_AVX512_60}},
};

// What this machine can run, the best first.
static unsigned available(const rs_backend_t **list) {
    unsigned count = 0;
    // The compiler's run time asks CPUID, and XGETBV whether the operating system saves the wide registers.
    __builtin_cpu_init();
    const int avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (avx512 && __builtin_cpu_supports("avx512ifma")) list[count++] = &AVX512_IFMA;
    if (avx512) list[count++] = &AVX512;
    if (__builtin_cpu_supports("avx2")) list[count++] = &AVX2;
    return count;
}
#else
static unsigned available(const rs_backend_t **list) {
    (void)list;
    return 0;
}
#endif

const rs_backend_t *rs_backend_find(const char *name) {
    const rs_backend_t *list[4];
    unsigned count = available(list);
    list[count++] = &RS_BACKEND_PORTABLE;
    for (unsigned i = 0; i < count; i++) {
        if (!name || rs_same_text(name, list[i]->name)) return list[i];
    }
    return NULL;
}
#endif
