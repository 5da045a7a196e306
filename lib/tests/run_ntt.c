// SPDX-License-Identifier: Apache-2.0
// Transforms by one kernel, again and again, for profilers and for counts of instructions. Not a test.
//     run_ntt KERNEL forward|inverse LOG_N TIMES
#include "ntt_kernels.h"

#include <string.h>

static int usage(void) {
    printf("run_ntt KERNEL forward|inverse LOG_N TIMES, kernels:");
    for (unsigned i = 0; i < KERNEL_COUNT; i++) printf(" %s", KERNELS[i].name);
    printf("\n");
    return 2;
}

int main(int count, char **words) {
    static _Alignas(64) uint64_t table[2 << LOG_N_MAX], poly[1 << LOG_N_MAX];
    if (count != 5) return usage();
    const kernel_t *kernel = KERNELS;
    while (kernel < KERNELS + KERNEL_COUNT && strcmp(kernel->name, words[1]) != 0) kernel++;
    const uint32_t log_n = (uint32_t)atoi(words[3]);
    if (kernel == KERNELS + KERNEL_COUNT || !kernel->runs() || log_n < LOG_N_MIN || log_n > LOG_N_MAX) return usage();
    const uint64_t q = prime_from((uint64_t)1 << (kernel->modulus_bits < 48 ? kernel->modulus_bits : 48), -1, log_n);
    rs_limb_t limb;
    limb_init(&limb, q, log_n, kernel, table);
    for (size_t i = 0; i < (size_t)1 << log_n; i++) poly[i] = i % 1000;
    for (int times = atoi(words[4]); times > 0; times--) {
        if (words[2][0] == 'f') {
            kernel_forward(kernel, &limb, poly);
        } else {
            kernel_inverse(kernel, &limb, poly);
        }
    }
    return 0;
}
