// SPDX-License-Identifier: Apache-2.0
// Whether this machine has the instructions of a back end, by what the operating system says.
#include "arm/arm.h"

#ifdef RS_ARM
#ifdef __linux__
#include <sys/auxv.h>

int rs_sha3_available(void) {
    enum { HAS_SHA3 = 1 << 17 }; // HWCAP_SHA3 of Linux's asm/hwcap.h
    return (getauxval(AT_HWCAP) & HAS_SHA3) != 0;
}
#else
int rs_sha3_available(void) {
#ifdef __ARM_FEATURE_SHA3
    return 1; // the compiler was told that every machine of this kind has it
#else
    return 0;
#endif
}
#endif
#endif
