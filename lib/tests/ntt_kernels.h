// SPDX-License-Identifier: Apache-2.0
// The transforms of this machine, and limbs made by hand for them.
#ifndef NTT_KERNELS_H
#define NTT_KERNELS_H

#include <stdio.h>
#include <stdlib.h>

#include "arith/ring32.h"
#include "arm/arm.h"
#include "fma/ring_fma.h"
#include "reference128.h"
#include "x86/arith/ntt_x86.h"

enum { LOG_N_MIN = 9, LOG_N_MAX = 17 };

typedef struct kernel {
    const char *name;
    uint32_t modulus_bits;
    uint32_t quotient_bits;
    uint32_t word_bits; // bits of a word of the polynomial
    void (*forward)(const rs_limb_t *limb, uint64_t *poly);
    void (*inverse)(const rs_limb_t *limb, uint64_t *poly);
    void (*forward32)(const rs_limb_t *limb, uint32_t *poly);
    void (*inverse32)(const rs_limb_t *limb, uint32_t *poly);
    int (*runs)(void);
    const rs_ring_t *ring; // the table that has the transforms, where they have no names of their own
} kernel_t;

static int always(void) { return 1; }

#ifdef __x86_64__
static int has_fma(void) { return __builtin_cpu_supports("fma"); }

static int has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw");
}

static int has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

static int has_ifma(void) { return has_avx512() && __builtin_cpu_supports("avx512ifma"); }
#endif

#define OF_RING(name, bits, quotient_bits, runs, ring) {name, bits, quotient_bits, 64, NULL, NULL, NULL, NULL, runs, &ring}
#define OF_WORDS(name, bits, quotient_bits, forward, inverse, runs) \
    {name, bits, quotient_bits, 64, forward, inverse, NULL, NULL, runs, NULL}
static const kernel_t KERNELS[] = {
    OF_WORDS("portable", 60, 64, rs_ntt_portable_forward, rs_ntt_portable_inverse, always),
    OF_RING("ring32", RS_RING32_BITS, 32, always, RS_RING_32),
#ifdef __x86_64__
    OF_RING("fma31", RS_FMA_BITS_NARROW, 32, has_fma, RS_RING_FMA_31),
    OF_RING("fma47", RS_FMA_BITS, 64, has_fma, RS_RING_FMA_47),
    OF_RING("real48", 48, 64, has_fma, RS_RING_REAL_48),
    OF_RING("real50", 50, 64, has_fma, RS_RING_REAL_50),
    OF_RING("avx2_48", 48, 64, has_avx2, RS_RING_AVX2_48),
    OF_RING("avx2_50", 50, 64, has_avx2, RS_RING_AVX2_50),
    OF_WORDS("avx512", 60, 64, rs_ntt_avx512_forward, rs_ntt_avx512_inverse, has_avx512),
    OF_WORDS("ifma", 50, 52, rs_ntt_ifma_forward, rs_ntt_ifma_inverse, has_ifma),
    OF_WORDS("ifma60", 60, 64, rs_ntt_ifma60_forward, rs_ntt_ifma60_inverse, has_ifma),
    OF_WORDS("ifma55", 55, 64, rs_ntt_ifma55_forward, rs_ntt_ifma55_inverse, has_ifma),
    OF_WORDS("ifma48", 48, 52, rs_ntt_ifma48_forward, rs_ntt_ifma_inverse, has_ifma),
    OF_WORDS("ifma49", 49, 52, rs_ntt_ifma49_forward, rs_ntt_ifma_inverse, has_ifma),
    OF_WORDS("avx512_32", 30, 32, rs_ntt_avx512_32_forward, rs_ntt_avx512_32_inverse, has_avx512),
    OF_WORDS("avx2", 60, 64, rs_ntt_avx2_forward, rs_ntt_avx2_inverse, has_avx2),
    OF_WORDS("avx2_32", 30, 32, rs_ntt_avx2_32_forward, rs_ntt_avx2_32_inverse, has_avx2),
    {"32_avx2", 30, 32, 32, NULL, NULL, rs_ntt32_avx2_forward, rs_ntt32_avx2_inverse, has_avx2, NULL},
    {"32_avx512", 30, 32, 32, NULL, NULL, rs_ntt32_avx512_forward, rs_ntt32_avx512_inverse, has_avx512, NULL},
#endif
#ifdef RS_ARM
    OF_RING("neon48", 48, 64, always, RS_RING_NEON_48),
    OF_RING("neon50", 50, 64, always, RS_RING_NEON_50),
#endif
};
enum { KERNEL_COUNT = sizeof KERNELS / sizeof KERNELS[0] };

static void kernel_forward(const kernel_t *kernel, const rs_limb_t *limb, void *poly) {
    if (kernel->ring) {
        kernel->ring->forward(limb, poly);
    } else if (kernel->word_bits == 64) {
        kernel->forward(limb, poly);
    } else {
        kernel->forward32(limb, poly);
    }
}

static void kernel_inverse(const kernel_t *kernel, const rs_limb_t *limb, void *poly) {
    if (kernel->ring) {
        kernel->ring->inverse(limb, poly);
    } else if (kernel->word_bits == 64) {
        kernel->inverse(limb, poly);
    } else {
        kernel->inverse32(limb, poly);
    }
}

// The first prime q = 1 mod 2N below (step -1) or above (step 1) `bound`, a multiple of 2N.
static uint64_t prime_from(uint64_t bound, int64_t step, uint32_t log_n) {
    uint64_t q = bound + 1;
    do q += (uint64_t)step << (log_n + 1);
    while (!rs_is_prime(q));
    return q;
}

static size_t reversed_bits(size_t i, uint32_t bits) {
    size_t result = 0;
    for (uint32_t k = 0; k < bits; k++) result |= (i >> k & 1) << (bits - 1 - k);
    return result;
}

// As arith/plan.c does it, for any kernel; any primitive root will do. Memory for 2N words.
static void limb_init(rs_limb_t *limb, uint64_t q, uint32_t log_n, const kernel_t *kernel, uint64_t *table) {
    const uint32_t quotient_bits = kernel->quotient_bits;
    const size_t n = (size_t)1 << log_n;
    uint32_t *halves = (uint32_t *)(void *)table;
    rs_modulus_t *m = &limb->modulus;
    rs_modulus_init(m, q);
    limb->ring = NULL;
    limb->log_n = log_n;
    for (uint64_t base = 2;; base++) {
        limb->root = rs_pow_mod(base, (q - 1) / (2 * n), m);
        if (rs_pow_mod(limb->root, n, m) == q - 1) break;
    }
    uint64_t power = 1;
    for (size_t i = 0; i < n; i++) {
        const size_t at = reversed_bits(i, log_n);
        const uint64_t quotient = (uint64_t)(((test_u128)power << quotient_bits) / q);
        if (quotient_bits == 32) {
            halves[at] = (uint32_t)power;
            halves[n + at] = (uint32_t)quotient;
        } else {
            table[at] = power;
            table[n + at] = quotient;
        }
        power = rs_mul_mod(power, limb->root, m);
    }
    limb->twiddles = table;
    limb->quotients = quotient_bits == 32 ? (void *)(halves + n) : (void *)(table + n);
    if (kernel->ring && kernel->ring->prepare) kernel->ring->prepare(limb, table + n);
    const uint64_t n_inverse = rs_inverse_mod(n, m);
    limb->n_inverse = rs_factor(n_inverse, q);
    limb->last_inverse = rs_factor(rs_mul_mod(n_inverse, rs_pow_mod(limb->root, n / 2, m), m), q);
}

#endif
