// SPDX-License-Identifier: Apache-2.0
#include <ringside/base.h>
#include <string.h>

#include "base/registers.h"

#if defined __x86_64__ && defined RS_BACKENDS
void rs_wipe_registers(void) {
    __asm__ volatile(".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n\tpxor %%xmm\\i, %%xmm\\i\n\t.endr"
                     :
                     :
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                       "xmm13", "xmm14", "xmm15");
    if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroall");
    if (__builtin_cpu_supports("avx512f")) {
        __asm__ volatile(".irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n\t"
                         "vpxorq %zmm\\i, %zmm\\i, %zmm\\i\n\t.endr");
    }
}
#else
void rs_wipe_registers(void) {}
#endif

void rs_zeroize(void *memory, size_t bytes) {
    if (!memory || !bytes) return;
    memset(memory, 0, bytes);
    __asm__ volatile("" : : "r"(memory) : "memory"); // the stores are observable from here
    rs_wipe_registers();
}
