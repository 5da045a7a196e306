// SPDX-License-Identifier: Apache-2.0
// Rows of keys over rings of the caller's: the bits of rs_keygen where that makes them, the equation of the row elsewhere, refusals.
#include "back_ends.h"
#include "fixture.h"

enum { N = 1024, LOG_N = 10, LIMBS = 4, WIDE = 2 };

static const uint32_t BITS[LIMBS] = {50, 30, 45, 60};
// Lattigo's special primes: near 2^61, and the first above 2^60
static const uint64_t PRIMES[WIDE] = {2305843009213554689, 1152921504607338497};

typedef struct rows {
    const rs_plan_t *rings[LIMBS + WIDE];
    uint64_t *to, *from, *a, *b;
    uint64_t factors[LIMBS + WIDE];
    rs_seed_t seed;
} rows_t;

// The rings of a context, then those of PRIMES, and the context's key in all of them.
static void rows_init(rows_t *r, const fixture_t *f) {
    const size_t count = LIMBS + WIDE;
    r->to = words(count * N);
    r->from = words(count * N);
    r->a = words(count * N);
    r->b = words(count * N);
    memcpy(r->to, f->secret.ntt, LIMBS * (size_t)N * 8);
    uint64_t *coefficients = words(N);
    int8_t *small = (int8_t *)words(N / 8);
    memcpy(coefficients, r->to, (size_t)N * 8);
    rs_plan_inverse(rs_context_plan(f->context, 0), coefficients);
    for (size_t i = 0; i < N; i++) small[i] = coefficients[i] > 1 ? -1 : (int8_t)coefficients[i];
    for (uint32_t i = 0; i < LIMBS; i++) r->rings[i] = rs_context_plan(f->context, i);
    for (uint32_t i = 0; i < WIDE; i++) {
        const size_t bytes = rs_plan_size(LOG_N);
        uint64_t *to = r->to + (LIMBS + i) * (size_t)N;
        CHECK_OK(rs_plan_init(&r->rings[LIMBS + i], (rs_memory_t){words(bytes / 8 + 1), bytes}, LOG_N, PRIMES[i], 0));
        rs_plan_lift(r->rings[LIMBS + i], to, small, 1);
        rs_plan_forward(r->rings[LIMBS + i], to);
    }
}

static rs_keygen_row_request_t request_of(rows_t *r, fixture_t *f, uint32_t ring_count) {
    return (rs_keygen_row_request_t){.size = sizeof(rs_keygen_row_request_t),
                                     .ring_count = ring_count,
                                     .rings = r->rings,
                                     .to = r->to,
                                     .from = r->from,
                                     .factors = r->factors,
                                     .b = r->b,
                                     .a = r->a,
                                     .seed = &r->seed,
                                     .rng = &f->rng,
                                     .workspace = fixture_room(f)};
}

RS_TEST(rows_of_a_context_are_those_of_keygen) {
    EACH (k) {
        fixture_t f;
        rows_t r;
        fixture_init(&f, N, BITS, LIMBS);
        rows_init(&r, &f);
        rs_ciphertext_t key = {.data = words(2 * LIMBS * (size_t)N)};
        for (uint32_t which = 0; which < 12; which++) { // kinds, elements, indices, seeded or not
            const uint32_t seeded = which & 1, kind = which / 2 % 3, index = which / 6;
            rs_keygen_row_request_t row = request_of(&r, &f, LIMBS);
            const size_t at = index * (size_t)N, n = LIMBS * (size_t)N;
            key.seeded = seeded;
            key.seed_type = which % 4 < 2 ? RS_SEED_SHAKE256 : RS_SEED_BLAKE2XB;
            row.seed_type = key.seed_type;
            if (seeded) row.a = NULL;
            fixture_seed(&f, 9);
            CHECK_OK(keygen_of(kind ? RS_KEY_SWITCH : RS_KEY_PUBLIC, f.context, &f.secret, kind == 2 ? 5 : 0, kind ? index : 0,
                               &key, &f.rng, fixture_room(&f)));
            fixture_seed(&f, 9);
            row.first = index;
            row.count = kind ? 1 : 0;
            r.factors[0] = f.params.moduli[LIMBS - 1] % f.params.moduli[index];
            if (kind == 1) rs_plan_mul(r.rings[index], r.from, r.to + at, r.to + at);
            if (kind == 2) rs_plan_galois(r.rings[index], r.from, r.to + at, 5);
            CHECK_OK(rs_keygen_row(&row));
            CHECK_EQ_MEM(r.b, key.data, 8 * n);
            if (!seeded) CHECK_EQ_MEM(r.a, key.data + n, 8 * n);
            CHECK_EQ_MEM(&r.seed, &key.seed, sizeof r.seed);
            CHECK(is_zero(f.workspace, 9 * N));
        }
    }
}

// b + a to - factor from is the same small error in every ring, also above 2^60.
RS_TEST(rows_with_primes_of_61_bits) {
    EACH (k) {
        fixture_t f;
        rows_t r;
        fixture_init(&f, N, BITS, LIMBS);
        rows_init(&r, &f);
        rs_keygen_row_request_t row = request_of(&r, &f, LIMBS + WIDE);
        uint64_t *first = words(N), *other = words(N);
        row.first = 2;
        row.count = LIMBS + WIDE - 2;
        row.error_factor = 3;
        for (uint32_t i = 0; i < row.count; i++) {
            const uint64_t q = rs_plan_modulus(r.rings[row.first + i]);
            r.factors[i] = q - 1 - i;
            for (size_t j = 0; j < N; j++) r.from[i * (size_t)N + j] = (j * 0x9e3779b97f4a7c15u) % q;
        }
        CHECK_OK(rs_keygen_row(&row));
        for (uint32_t i = 0; i < row.ring_count; i++) {
            const rs_plan_t *ring = r.rings[i];
            const uint64_t q = rs_plan_modulus(ring);
            uint64_t *x = i ? other : first, *factor = words(N);
            const size_t at = i * (size_t)N;
            rs_plan_mul_add(ring, x, r.a + at, r.to + at, r.b + at);
            if (i >= row.first) {
                for (size_t j = 0; j < N; j++) factor[j] = r.factors[i - row.first];
                rs_plan_mul_sub(ring, x, factor, r.from + (i - row.first) * (size_t)N, x);
            }
            rs_plan_inverse(ring, x);
            for (size_t j = 0; j < N; j++) x[j] = (x[j] + 3 * 21) % q; // multiples of 3 from 0 to 126
            for (size_t j = 0; j < N; j++) CHECK(x[j] <= 126 && x[j] % 3 == 0 && x[j] == first[j]);
        }
    }
}

RS_TEST(rows_that_are_refused) {
    fixture_t f;
    rows_t r;
    fixture_init(&f, N, BITS, LIMBS);
    rows_init(&r, &f);
    const rs_keygen_row_request_t good = request_of(&r, &f, LIMBS);
    const rs_plan_t *other = NULL, *rings[LIMBS];
    const size_t bytes = rs_plan_size(LOG_N + 1);
    REQUIRE_OK(rs_plan_init(&other, (rs_memory_t){words(bytes / 8 + 1), bytes}, LOG_N + 1, 12289, 0));
    rs_keygen_row_request_t row;
#define REFUSED(status, member, value) \
    row = good;                        \
    row.member = value;                \
    CHECK_STATUS(rs_keygen_row(&row), status)
    memset(r.b, 0xa5, 8);
    REFUSED(RS_ERR_LIMB_COUNT, ring_count, 0);
    REFUSED(RS_ERR_LIMB_COUNT, ring_count, RS_LIMBS_MAX + 1);
    REFUSED(RS_ERR_LEVEL, count, LIMBS + 1);
    REFUSED(RS_ERR_LEVEL, count, UINT32_MAX);
    REFUSED(RS_ERR_LEVEL, first, LIMBS + 1);
    REFUSED(RS_ERR_LEVEL, first, UINT32_MAX);
    REFUSED(RS_ERR_SEED_TYPE, seed_type, 3);
    REFUSED(RS_ERR_STRUCT, reserved, 1);
    REFUSED(RS_ERR_STRUCT, size, 8);
    REFUSED(RS_ERR_NULL, rings, NULL);
    REFUSED(RS_ERR_NULL, to, NULL);
    REFUSED(RS_ERR_NULL, b, NULL);
    REFUSED(RS_ERR_NULL, rng, NULL);
    REFUSED(RS_ERR_TOO_SMALL, workspace.n, 9 * N - 1);
    row = good;
    row.a = NULL;
    row.seed = NULL;
    CHECK_STATUS(rs_keygen_row(&row), RS_ERR_NULL);
    row = good;
    row.count = 1;
    row.from = NULL;
    CHECK_STATUS(rs_keygen_row(&row), RS_ERR_NULL);
    row = good;
    row.first = LIMBS - 1;
    row.count = 1;
    r.factors[0] = f.params.moduli[LIMBS - 1];
    CHECK_STATUS(rs_keygen_row(&row), RS_ERR_RESIDUE);
    memcpy(rings, r.rings, sizeof rings);
    row = good;
    row.rings = rings;
    rings[2] = other;
    CHECK_STATUS(rs_keygen_row(&row), RS_ERR_DEGREE);
    rings[2] = NULL;
    CHECK_STATUS(rs_keygen_row(&row), RS_ERR_NULL);
    CHECK_STATUS(rs_keygen_row(NULL), RS_ERR_NULL);
    CHECK_EQ_U64(r.b[0], UINT64_C(0xa5a5a5a5a5a5a5a5));
    CHECK_OK(rs_keygen_row(&good));
}
