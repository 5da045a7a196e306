// SPDX-License-Identifier: Apache-2.0
// The transforms: the portable one against its definition, all others against the portable one, bit for bit.
#include "arith/ntt.h"

#include "ntt_kernels.h"
#include "rs_test.h"

#ifdef __SANITIZE_ADDRESS__
enum { LOG_N_TESTED = 15 };
#else
enum { LOG_N_TESTED = LOG_N_MAX };
#endif

static const uint64_t GUARD = 0xeeeeeeeeeeeeeeee;

static uint64_t random_word(void) {
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state ^ state >> 29) * UINT64_C(0x9e3779b97f4a7c15) ^ state >> 32;
}

// Polynomials at the edges, and ordinary ones.
enum { PATTERNS = 9 };

static void fill(uint64_t *poly, size_t n, uint64_t q, unsigned pattern) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t random = random_word(), most = q - 1;
        const uint64_t words[PATTERNS - 2] = {
            0, most, i == 0, i == n - 1 ? most : 0, i % 2 ? most : 0, random & 1 ? most : 0, most - (random & 3)};
        poly[i] = pattern < PATTERNS - 2 ? words[pattern] : random % q;
    }
}

// The polynomial in the kernel's words, and back; a guard follows them.
static void narrow(uint32_t *out, const uint64_t *poly, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = (uint32_t)poly[i];
}

static void widen(uint64_t *out, const uint32_t *poly, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = poly[i];
}

static void run(const kernel_t *kernel, const rs_limb_t *limb, uint64_t *poly, uint32_t *halves,
                void (*transform)(const kernel_t *, const rs_limb_t *, void *)) {
    const size_t n = (size_t)1 << limb->log_n;
    poly[n] = GUARD;
    if (kernel->word_bits == 64) {
        transform(kernel, limb, poly);
    } else {
        narrow(halves, poly, n);
        halves[n] = (uint32_t)GUARD;
        transform(kernel, limb, halves);
        CHECK_EQ_U64(halves[n], (uint32_t)GUARD);
        widen(poly, halves, n);
    }
    CHECK_EQ_U64(poly[n], GUARD);
}

// Values at psi^(2 brv(i) + 1) by Horner's rule, some of them.
RS_TEST(portable_is_the_definition) {
    enum { LOG_N = 10, N = 1 << LOG_N };
    static uint64_t table[2 * N], poly[N], values[N];
    const uint64_t primes[] = {prime_from((uint64_t)1 << 60, -1, LOG_N), prime_from((uint64_t)1 << 20, 1, LOG_N)};
    for (unsigned k = 0; k < 2; k++) {
        rs_limb_t limb;
        limb_init(&limb, primes[k], LOG_N, &KERNELS[0], table);
        fill(poly, N, primes[k], PATTERNS - 1);
        memcpy(values, poly, sizeof poly);
        rs_ntt_portable_forward(&limb, values);
        for (size_t i = 0; i < N; i += 7) {
            const uint64_t point = rs_pow_mod(limb.root, 2 * reversed_bits(i, LOG_N) + 1, &limb.modulus);
            uint64_t value = 0;
            for (size_t j = N; j-- > 0;) value = rs_add_mod(rs_mul_mod(value, point, &limb.modulus), poly[j], primes[k]);
            CHECK_EQ_U64(values[i], value);
        }
        rs_ntt_portable_inverse(&limb, values);
        CHECK_EQ_MEM(values, poly, sizeof poly);
    }
}

static void compare(const kernel_t *kernel, uint32_t log_n, uint64_t q) {
    const size_t n = (size_t)1 << log_n;
    static _Alignas(64) uint64_t table[2 << LOG_N_MAX], portable_table[2 << LOG_N_MAX];
    static _Alignas(64) uint64_t poly[1 << LOG_N_MAX], want[1 << LOG_N_MAX], got[(1 << LOG_N_MAX) + 8];
    static _Alignas(64) uint32_t halves[(1 << LOG_N_MAX) + 16];
    rs_limb_t limb, portable;
    limb_init(&limb, q, log_n, kernel, table);
    limb_init(&portable, q, log_n, &KERNELS[0], portable_table);
    for (unsigned pattern = 0; pattern < PATTERNS && !rs_test_failures; pattern++) {
        fill(poly, n, q, pattern);
        memcpy(want, poly, n * sizeof *poly);
        memcpy(got, poly, n * sizeof *poly);
        rs_ntt_portable_forward(&portable, want);
        run(kernel, &limb, got, halves, kernel_forward);
        CHECK_EQ_MEM(got, want, n * sizeof *poly);
        run(kernel, &limb, got, halves, kernel_inverse);
        CHECK_EQ_MEM(got, poly, n * sizeof *poly);
        // what no forward transform of a pattern gives
        memcpy(want, poly, n * sizeof *poly);
        memcpy(got, poly, n * sizeof *poly);
        rs_ntt_portable_inverse(&portable, want);
        run(kernel, &limb, got, halves, kernel_inverse);
        CHECK_EQ_MEM(got, want, n * sizeof *poly);
    }
    if (rs_test_failures) printf("%s, N = 2^%u, q = %" PRIu64 "\n", kernel->name, log_n, q);
}

// Primes of a class: the largest, one in the middle of it, the smallest there is for this N.
RS_TEST(kernels_agree_with_the_portable_one) {
    for (unsigned k = 1; k < KERNEL_COUNT; k++) {
        const kernel_t *kernel = &KERNELS[k];
        if (!kernel->runs()) {
            printf("(this machine cannot run %s) ", kernel->name);
            continue;
        }
        for (uint32_t log_n = LOG_N_MIN; log_n <= LOG_N_TESTED; log_n++) {
            compare(kernel, log_n, prime_from((uint64_t)1 << kernel->modulus_bits, -1, log_n));
            compare(kernel, log_n, prime_from((uint64_t)1 << (kernel->modulus_bits - 3), -1, log_n));
            compare(kernel, log_n, prime_from(0, 1, log_n));
        }
    }
}
