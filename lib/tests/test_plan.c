// SPDX-License-Identifier: Apache-2.0
// Plans against the mathematics of Z_q[X]/(X^N + 1) in the compiler's integers: every size, small and large moduli, every back end.
#include <ringside/ringside.h>

#include "arith/modarith.h"
#include "back_ends.h"
#include "reference128.h"
#include "requests.h"
#include "rs_test.h"

enum { LOG_N_SCHOOL = 10, N_SCHOOL = 1 << LOG_N_SCHOOL, MODULI = 7 };

static uint64_t random64(void) {
    static uint64_t state = 3;
    return rs_test_random(&state);
}

static uint64_t times(uint64_t a, uint64_t b, uint64_t q) { return (uint64_t)((test_u128)a * b % q); }

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t q) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = times(base, base, q)) {
        if (exponent & 1) result = times(result, base, q);
    }
    return result;
}

static uint64_t reversed(uint64_t x, uint32_t bits) {
    uint64_t result = 0;
    for (uint32_t k = 0; k < bits; k++) result |= (x >> k & 1) << (bits - 1 - k);
    return result;
}

// The smallest prime = 1 mod 2N from 2^bits on, below 2^60; bits 0: from 2N + 1 on.
static uint64_t prime_from(uint32_t bits, uint32_t log_n) {
    const uint64_t step = (uint64_t)2 << log_n;
    uint64_t q = bits > log_n + 1 ? ((uint64_t)1 << bits) + 1 : step + 1;
    while (!rs_is_prime(q)) q += step;
    return q;
}

// The largest prime = 1 mod 2N below a multiple of 2N.
static uint64_t last_prime(uint64_t end, uint32_t log_n) {
    const uint64_t step = (uint64_t)2 << log_n;
    uint64_t q = end + 1;
    do q -= step;
    while (!rs_is_prime(q));
    return q;
}

static uint64_t modulus(unsigned index, uint32_t log_n) {
    static const uint32_t BITS[MODULI - 2] = {0, 16, 29, 47, 49};
    const uint64_t end = ((uint64_t)1 << RS_PLAN_BITS_MAX) + ((uint64_t)1 << RS_PLAN_MARGIN_BITS);
    return index < MODULI - 2 ? prime_from(BITS[index], log_n)
                              : last_prime(index == MODULI - 1 ? end : (uint64_t)1 << RS_MODULUS_BITS_MAX, log_n);
}

static const rs_plan_t *plan_of(void *memory, uint32_t log_n, uint64_t q) {
    const rs_plan_t *plan = NULL;
    if (!CHECK_OK(rs_plan_init(&plan, (rs_memory_t){memory, rs_plan_size(log_n)}, log_n, q, 0))) abort();
    return plan;
}

static void *allocate(size_t bytes) { return rs_test_own(malloc(bytes)); }

// Random, all largest, one coefficient, alternating extremes.
static void fill(uint64_t *poly, size_t n, uint64_t q, unsigned kind) {
    for (size_t i = 0; i < n; i++) poly[i] = kind == 0 ? random64() % q : kind == 1 || (kind == 3 && i % 2) ? q - 1 : 0;
    if (kind == 2) poly[n - 1] = q - 1;
}

static void multiply(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t n, uint64_t q) {
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        if (!a[i]) continue;
        for (size_t j = 0; j < n; j++) {
            const uint64_t product = times(a[i], b[j], q);
            const size_t k = (i + j) % n;
            out[k] = (i + j < n ? out[k] + product : out[k] + q - product) % q; // X^N = -1
        }
    }
}

// ---- making ------------------------------------------------------------------------------------
RS_TEST(what_is_refused) {
    const uint64_t end = ((uint64_t)1 << RS_PLAN_BITS_MAX) + ((uint64_t)1 << RS_PLAN_MARGIN_BITS);
    const rs_plan_t *plan = NULL;
    const size_t bytes = rs_plan_size(10);
    uint8_t *memory = allocate(bytes + 8);
    CHECK_EQ_U64(rs_plan_size(1), 0);
    CHECK_EQ_U64(rs_plan_size(18), 0);
    CHECK_EQ_U64(rs_plan_size(UINT32_MAX), 0);
    CHECK(rs_plan_size(2) > 0);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 1, 12289, 0), RS_ERR_DEGREE);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 18, 12289, 0), RS_ERR_DEGREE);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, UINT32_MAX, 12289, 0), RS_ERR_DEGREE);
    CHECK_STATUS(rs_plan_init(NULL, (rs_memory_t){memory, bytes}, 10, 12289, 0), RS_ERR_NULL);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){NULL, bytes}, 10, 12289, 0), RS_ERR_NULL);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes - 1}, 10, 12289, 0), RS_ERR_TOO_SMALL);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory + 4, bytes}, 10, 12289, 0), RS_ERR_ALIGNMENT);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 10, 0, 0), RS_ERR_MODULUS_RANGE);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 10, 1, 0), RS_ERR_MODULUS_RANGE);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 10, 2048, 0), RS_ERR_MODULUS_RANGE);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 10, end + 1, 0), RS_ERR_MODULUS_RANGE);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 10, UINT64_MAX, 0), RS_ERR_MODULUS_RANGE);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 10, 12287, 0), RS_ERR_MODULUS_NTT);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 10, 7681, 0), RS_ERR_MODULUS_NTT); // a prime for N = 256 only
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 10, 4097, 0), RS_ERR_MODULUS_PRIME); // 17 * 241
    CHECK(plan == NULL);
    CHECK_OK(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 10, 12289, 0));
    CHECK_OK(rs_plan_init(&plan, (rs_memory_t){memory + 8, bytes}, 10, 12289, 0)); // off cache lines
    CHECK_EQ_U64(rs_plan_n(plan), 1024);
    CHECK_EQ_U64(rs_plan_modulus(plan), 12289);
}

RS_TEST(roots_are_the_smallest) {
    for (uint32_t log_n = RS_PLAN_LOG_N_MIN; log_n <= 12; log_n++) {
        const uint64_t q = prime_from(0, log_n);
        const uint64_t n = (uint64_t)1 << log_n;
        void *memory = allocate(rs_plan_size(log_n));
        uint64_t root = 2;
        while (power(root, n, q) != q - 1) root++;
        CHECK_EQ_U64(rs_plan_root(plan_of(memory, log_n, q)), root);
    }
}

// ---- computing ---------------------------------------------------------------------------------
// The transform by its definition, and back.
static void check_transform(const rs_plan_t *plan, uint32_t log_n) {
    static uint64_t poly[N_SCHOOL], values[N_SCHOOL];
    const size_t n = rs_plan_n(plan);
    const uint64_t q = rs_plan_modulus(plan);
    for (unsigned kind = 0; kind < 4; kind++) {
        fill(poly, n, q, kind);
        memcpy(values, poly, n * sizeof *poly);
        rs_plan_forward(plan, values);
        for (size_t j = 0; j < n; j += n > 64 ? n / 16 + 1 : 1) {
            const uint64_t x = power(rs_plan_root(plan), 2 * reversed(j, log_n) + 1, q);
            uint64_t want = 0;
            for (size_t i = n; i-- > 0;) want = (times(want, x, q) + poly[i]) % q;
            if (!CHECK_EQ_U64(values[j], want)) printf("N = %zu, q = %" PRIu64 ", kind %u\n", n, q, kind);
        }
        rs_plan_inverse(plan, values);
        CHECK_EQ_MEM(values, poly, n * sizeof *poly);
    }
}

static void check_product(const rs_plan_t *plan) {
    static uint64_t a[N_SCHOOL], b[N_SCHOOL], want[N_SCHOOL];
    const size_t n = rs_plan_n(plan);
    const uint64_t q = rs_plan_modulus(plan);
    for (unsigned kind = 0; kind < 4; kind++) {
        fill(a, n, q, kind);
        fill(b, n, q, kind == 3 ? 1 : 0);
        multiply(want, a, b, n, q);
        rs_plan_forward(plan, a);
        rs_plan_forward(plan, b);
        rs_plan_mul(plan, a, a, b);
        rs_plan_inverse(plan, a);
        if (!CHECK_EQ_MEM(a, want, n * sizeof *a)) printf("N = %zu, q = %" PRIu64 ", kind %u\n", n, q, kind);
    }
}

static void check_pointwise(const rs_plan_t *plan) {
    static uint64_t in[3][N_SCHOOL], out[5][N_SCHOOL];
    const size_t n = rs_plan_n(plan);
    const uint64_t q = rs_plan_modulus(plan);
    for (unsigned kinds = 0; kinds < 64; kinds++) {
        for (unsigned k = 0; k < 3; k++) fill(in[k], n, q, kinds >> 2 * k & 3);
        rs_plan_mul(plan, out[0], in[0], in[1]);
        rs_plan_mul_add(plan, out[1], in[0], in[1], in[2]);
        rs_plan_mul_sub(plan, out[2], in[0], in[1], in[2]);
        rs_plan_add(plan, out[3], in[0], in[1]);
        rs_plan_sub(plan, out[4], in[0], in[1]);
        for (size_t i = 0; i < n; i++) {
            const uint64_t product = times(in[0][i], in[1][i], q);
            CHECK_EQ_U64(out[0][i], product);
            CHECK_EQ_U64(out[1][i], (product + in[2][i]) % q);
            CHECK_EQ_U64(out[2][i], (in[2][i] + q - product) % q);
            CHECK_EQ_U64(out[3][i], (in[0][i] + in[1][i]) % q);
            CHECK_EQ_U64(out[4][i], (in[0][i] + q - in[1][i]) % q);
        }
    }
}

RS_TEST(every_size_and_modulus_on_every_back_end) {
    void *memory = allocate(rs_plan_size(LOG_N_SCHOOL));
    EACH (k) {
        for (uint32_t log_n = RS_PLAN_LOG_N_MIN; log_n <= LOG_N_SCHOOL; log_n++) {
            for (unsigned m = 0; m < MODULI; m++) {
                const rs_plan_t *plan = plan_of(memory, log_n, modulus(m, log_n));
                check_transform(plan, log_n);
                if (log_n <= 6 || (log_n >= 9 && (m == 0 || m >= MODULI - 2))) check_product(plan);
                if (log_n <= 4 || log_n == 9) check_pointwise(plan);
            }
        }
    }
}

// The rings of NewHope, of BLISS and Falcon, and of Kyber's first version, by name.
RS_TEST(rings_of_other_schemes) {
    static const struct {
        uint32_t log_n;
        uint64_t q;
    } RINGS[] = {{10, 12289}, {9, 12289}, {8, 7681}};
    for (unsigned r = 0; r < sizeof RINGS / sizeof *RINGS; r++) {
        void *memory = allocate(rs_plan_size(RINGS[r].log_n));
        const rs_plan_t *plan = plan_of(memory, RINGS[r].log_n, RINGS[r].q);
        check_transform(plan, RINGS[r].log_n);
        check_product(plan);
        check_pointwise(plan);
    }
}

// Beyond schoolbook sizes: X^i X^j = +-X^(i+j), and all ones squared, whose coefficient k is 2(k + 1) - N.
RS_TEST(large_sizes) {
    for (uint32_t log_n = LOG_N_SCHOOL + 1; log_n <= RS_PLAN_LOG_N_MAX; log_n++) {
        const size_t n = (size_t)1 << log_n;
        void *memory = allocate(rs_plan_size(log_n));
        uint64_t *a = allocate(2 * n * sizeof *a), *b = a + n;
        for (unsigned m = 0; m < MODULI; m++) {
            const uint64_t q = modulus(m, log_n);
            const rs_plan_t *plan = plan_of(memory, log_n, q);
            const size_t i = random64() % n, j = random64() % n;
            memset(a, 0, 2 * n * sizeof *a);
            a[i] = b[j] = 1;
            rs_plan_forward(plan, a);
            rs_plan_forward(plan, b);
            rs_plan_mul(plan, a, a, b);
            rs_plan_inverse(plan, a);
            for (size_t k = 0; k < n; k++) CHECK_EQ_U64(a[k], k != (i + j) % n ? 0 : i + j < n ? 1 : q - 1);
            for (size_t k = 0; k < n; k++) a[k] = 1;
            rs_plan_forward(plan, a);
            rs_plan_mul(plan, a, a, a);
            rs_plan_inverse(plan, a);
            for (size_t k = 0; k < n; k++) CHECK_EQ_U64(a[k], (2 * (k + 1) + q - n) % q);
        }
    }
}

// A limb of a context is such a plan.
RS_TEST(contexts_compute_the_same) {
    static uint64_t a[N_SCHOOL], b[N_SCHOOL];
    const uint32_t bits[] = {60, 30, 17, 50};
    rs_params_t params;
    const rs_context_t *context = NULL;
    CHECK_OK(params_of_bits(&params, N_SCHOOL, bits, 4));
    void *memory = allocate(rs_context_size(&params)), *plan_memory = allocate(rs_plan_size(LOG_N_SCHOOL));
    REQUIRE(context_in(&context, memory, rs_context_size(&params), &params) == RS_OK);
    for (uint32_t limb = 0; limb < 4; limb++) {
        const rs_plan_t *plan = plan_of(plan_memory, LOG_N_SCHOOL, params.moduli[limb]);
        CHECK_EQ_U64(rs_plan_root(plan), rs_plan_root(rs_context_plan(context, limb)));
        fill(a, N_SCHOOL, params.moduli[limb], 0);
        memcpy(b, a, sizeof a);
        rs_plan_forward(plan, a);
        rs_plan_forward(rs_context_plan(context, limb), b);
        CHECK_EQ_MEM(a, b, sizeof a);
    }
}

// ---- a root of the caller's ----------------------------------------------------------------------
// ML-KEM's modulus, of which no root has an order above 256, times a second prime: the product is 1 mod 2^11.
RS_TEST(a_modulus_that_is_no_prime) {
    enum { LOG_N = 7, KEM = 3329, OTHER = 769 };
    const uint64_t q = (uint64_t)KEM * OTHER, psi = 186441;
    const rs_plan_t *plan = NULL;
    void *memory = allocate(rs_plan_size(LOG_N));
    CHECK_EQ_U64(q % 2048, 1);
    CHECK_EQ_U64(psi % KEM, 17); // FIPS 203, section 4.3
    CHECK_OK(rs_plan_init(&plan, (rs_memory_t){memory, rs_plan_size(LOG_N)}, LOG_N, q, psi));
    CHECK_EQ_U64(rs_plan_root(plan), psi);
    check_transform(plan, LOG_N);
}

// With the smallest root it is the plan without one; another root gives the transform by that root.
RS_TEST(any_root) {
    enum { LOG_N = 9 };
    void *memory = allocate(rs_plan_size(LOG_N));
    const rs_plan_t *plan = plan_of(memory, LOG_N, 12289);
    const uint64_t smallest = rs_plan_root(plan);
    CHECK_OK(rs_plan_init(&plan, (rs_memory_t){memory, rs_plan_size(LOG_N)}, LOG_N, 12289, power(smallest, 5, 12289)));
    check_transform(plan, LOG_N);
    CHECK_EQ_U64(rs_plan_root(plan), power(smallest, 5, 12289));
}

RS_TEST(roots_that_are_none) {
    const rs_plan_t *plan = NULL;
    const size_t bytes = rs_plan_size(7);
    void *memory = allocate(bytes);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 7, 2560001, 186442), RS_ERR_MODULUS_NTT);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 7, 2560001, 1), RS_ERR_MODULUS_NTT);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 7, 2560001, 2560001 + 186441), RS_ERR_MODULUS_NTT);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 7, 3329, 17), RS_OK); // a prime, as FIPS 203 has it
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 8, 3329, 17), RS_ERR_MODULUS_NTT);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes - 1}, 7, 3329, 17), RS_ERR_TOO_SMALL);
    CHECK_STATUS(rs_plan_init(NULL, (rs_memory_t){memory, bytes}, 7, 3329, 17), RS_ERR_NULL);
    CHECK_STATUS(rs_plan_init(&plan, (rs_memory_t){memory, bytes}, 1, 3329, 17), RS_ERR_DEGREE);
}
