// SPDX-License-Identifier: Apache-2.0
// Whether this machine has the instructions of a back end. The compiler's run time asks CPUID, and XGETBV whether the operating system saves
// the wide registers.
#include "x86/x86.h"

#ifdef RS_X86
int rs_avx2_available(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

int rs_avx512_available(void) {
    return rs_avx2_available() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi");
}

int rs_avx512ifma_available(void) { return rs_avx512_available() && __builtin_cpu_supports("avx512ifma"); }
#endif
