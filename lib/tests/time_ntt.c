// SPDX-License-Identifier: Apache-2.0
// Microseconds of one transform, warm, on one thread: every kernel that this machine can run, best of many runs. Not a test.
#include "time_common.h"

#include "ntt_kernels.h"

enum { MICROSECONDS = 50000, RUNS_MIN = 200 };

static double microseconds(const kernel_t *kernel, const rs_limb_t *limb, void *poly,
                           void (*transform)(const kernel_t *, const rs_limb_t *, void *)) {
    const double end = now() + MICROSECONDS;
    double best = 1e30;
    for (unsigned run = 0; run < RUNS_MIN || now() < end; run++) {
        const double from = now();
        transform(kernel, limb, poly);
        keep_best(&best, now() - from);
    }
    return best;
}

int main(void) {
    static _Alignas(64) uint64_t table[2 << LOG_N_MAX], poly[1 << LOG_N_MAX];
    printf("kernel     bits  log2 N   forward   inverse  us\n");
    for (unsigned k = 0; k < KERNEL_COUNT; k++) {
        const kernel_t *kernel = &KERNELS[k];
        if (!kernel->runs()) continue;
        for (uint32_t log_n = LOG_N_MIN; log_n <= LOG_N_MAX; log_n++) {
            const uint64_t q = prime_from((uint64_t)1 << kernel->modulus_bits, -1, log_n);
            rs_limb_t limb;
            limb_init(&limb, q, log_n, kernel, table);
            for (size_t i = 0; i < (size_t)1 << log_n; i++) {
                const uint64_t word = i * 0x9e3779b97f4a7c15 % q;
                if (kernel->word_bits == 64) {
                    poly[i] = word;
                } else {
                    ((uint32_t *)(void *)poly)[i] = (uint32_t)word;
                }
            }
            const double forward = microseconds(kernel, &limb, poly, kernel_forward);
            const double inverse = microseconds(kernel, &limb, poly, kernel_inverse);
            printf("%-10s %4u %7u %9.2f %9.2f\n", kernel->name, kernel->modulus_bits, log_n, forward, inverse);
        }
    }
    return 0;
}
