// SPDX-License-Identifier: Apache-2.0
// The back ends there are, and whether this machine can run them.
#include "backend.h"

#include <ringside/xof.h>

#include "bytes.h"

const rs_backend_t RS_BACKEND_PORTABLE = {"portable", 1, rs_keccak_f1600, {&RS_RING_PORTABLE}};

#ifdef RS_BACKENDS
#ifdef RS_X86
static const rs_backend_t AVX2 = {"avx2", 4, rs_keccak_avx2, {&RS_RING_PORTABLE}};
static const rs_backend_t AVX512 = {"avx512", 8, rs_keccak_avx512, {&RS_RING_PORTABLE}};
#endif

const rs_backend_t *rs_backend_find(const char *name) {
#ifdef RS_X86
    // The compiler's run time asks CPUID, and XGETBV whether the operating system saves the wide registers.
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && (!name || rs_same_text(name, AVX512.name))) return &AVX512;
    if (__builtin_cpu_supports("avx2") && (!name || rs_same_text(name, AVX2.name))) return &AVX2;
#endif
    return !name || rs_same_text(name, RS_BACKEND_PORTABLE.name) ? &RS_BACKEND_PORTABLE : NULL;
}
#endif
