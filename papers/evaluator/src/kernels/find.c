// SPDX-License-Identifier: Apache-2.0
// Which back end is used: the best one of the machine, or the one that is named.
#include <string.h>

#include "kernels/kernels.h"

static const ltv_kernels_t *const CANDIDATES[] = {
#if defined(__x86_64__)
    &LTV_KERNELS_AVX512,
    &LTV_KERNELS_AVX2,
#endif
    &LTV_KERNELS_PORTABLE,
};

const ltv_kernels_t *ltv_kernels_find(const char *name) {
    for (size_t i = 0; i < sizeof CANDIDATES / sizeof CANDIDATES[0]; i++) {
        const ltv_kernels_t *one = CANDIDATES[i];
        if ((!one->available || one->available()) && (!name || !*name || strcmp(name, one->name) == 0)) return one;
    }
    return NULL;
}
