// SPDX-License-Identifier: Apache-2.0
// ML-DSA: arithmetic against its definitions, known answers on every back end, and what must be refused. Other implementations:
// tests/oracle/test_mldsa.py.
#include <ringside/ringside.h>

#include "back_ends.h"
#include "mldsa/expand.h"
#include "mldsa/packing.h"
#include "mldsa/rounding.h"
#include "rs_test.h"
#include "x86/x86.h"

enum { SETS = 3, N = RS_MLDSA_N, Q = RS_MLDSA_Q };

static const rs_mldsa_set_t SET[SETS] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};
static const uint8_t MESSAGE[] = "Ringside", CONTEXT[] = "test";
enum { MESSAGE_BYTES = sizeof MESSAGE - 1, CONTEXT_BYTES = sizeof CONTEXT - 1 };
static const rs_mldsa_message_t TEXT = {.bytes = {MESSAGE, MESSAGE_BYTES}, .context = {CONTEXT, CONTEXT_BYTES}};

static uint64_t random64(void) {
    static uint64_t state = 11;
    return rs_test_random(&state);
}

// ---- arithmetic ----------------------------------------------------------------------------------------------------------
static int32_t modulo(int64_t x) {
    const int64_t r = x % Q;
    return (int32_t)(r < 0 ? r + Q : r);
}

static rs_mldsa_poly_t random_poly(void) {
    rs_mldsa_poly_t a;
    for (unsigned i = 0; i < N; i++) a.c[i] = (int32_t)(random64() % (2 * Q - 1)) - (Q - 1);
    return a;
}

// Words near the bounds of what the transforms take.
static rs_mldsa_poly_t extreme_poly(unsigned pattern) {
    rs_mldsa_poly_t a;
    for (unsigned i = 0; i < N; i++) a.c[i] = (random64() % 4 < pattern ? 1 : -1) * (Q - 1);
    return a;
}

static void check_product(rs_mldsa_poly_t a, rs_mldsa_poly_t b) {
    static int64_t c[N];
    rs_mldsa_sum_t sum;
    rs_mldsa_poly_t ab;
    memset(c, 0, sizeof c);
    for (unsigned i = 0; i < N; i++) {
        for (unsigned j = 0; j < N; j++) {
            const unsigned k = (i + j) % N;
            c[k] = modulo(c[k] + (i + j < N ? 1 : -1) * ((int64_t)a.c[i] * b.c[j] % Q));
        }
    }
    rs_mldsa_forward(&a);
    rs_mldsa_forward(&b);
    for (unsigned i = 0; i < N; i++) CHECK(labs(a.c[i]) < 9L * Q && labs(b.c[i]) < 9L * Q);
    rs_mldsa_dot(&sum, &a, &b, 1, 0);
    rs_mldsa_dot(&sum, &a, &b, 1, 1);
    rs_mldsa_multiply_sub(&sum, &a, &b);
    rs_mldsa_reduce_sum(&ab, &sum);
    rs_mldsa_inverse(&ab, RS_MLDSA_SCALE_R);
    for (unsigned i = 0; i < N; i++) {
        CHECK(labs(ab.c[i]) < Q);
        CHECK_EQ_I64(rs_mldsa_canonical(ab.c[i]), c[i]);
        CHECK_EQ_I64(modulo(rs_mldsa_centred(ab.c[i])), c[i]);
        CHECK(labs(rs_mldsa_centred(ab.c[i])) <= (Q - 1) / 2);
    }
}

RS_TEST(products_of_transforms) {
    for (unsigned k = 0; k < 4; k++) check_product(random_poly(), random_poly());
    for (unsigned k = 0; k <= 4; k++) check_product(extreme_poly(k), extreme_poly(4 - k));
}

// Word m of a transform is the value at 1753^brv(2m + 1 …): the order of algorithm 41, by the roots themselves.
RS_TEST(transform_is_the_standards) {
    const rs_mldsa_poly_t a = random_poly();
    rs_mldsa_poly_t transformed = a;
    rs_mldsa_forward(&transformed);
    for (unsigned m = 0; m < N; m++) {
        unsigned exponent = 0;
        for (unsigned bit = 0; bit < 8; bit++) exponent |= (m >> bit & 1) << (7 - bit);
        int64_t root = 1, value = 0;
        for (unsigned i = 0; i < 2 * exponent + 1; i++) root = root * 1753 % Q;
        for (unsigned i = N; i-- > 0;) value = (value * root + a.c[i]) % Q;
        CHECK_EQ_I64(modulo(transformed.c[m]), modulo(value));
    }
}

RS_TEST(inverse_of_extreme_words) {
    for (unsigned k = 0; k <= 4; k++) {
        const rs_mldsa_poly_t a = extreme_poly(k);
        rs_mldsa_poly_t b = a;
        rs_mldsa_inverse(&b, RS_MLDSA_SCALE);
        for (unsigned i = 0; i < N; i++) REQUIRE(labs(b.c[i]) < Q);
        rs_mldsa_forward(&b);
        for (unsigned i = 0; i < N; i++) CHECK_EQ_I64(modulo(b.c[i]), modulo(a.c[i]));
    }
}

RS_TEST(bounds_are_not_reached) {
    rs_mldsa_poly_t a = {{0}};
    for (unsigned i = 0; i < N; i += N - 1) {
        for (int32_t sign = -1; sign < 2; sign += 2) {
            a.c[i] = sign * 77;
            CHECK_EQ_I64(rs_mldsa_exceeds(&a, 78), 0);
            CHECK_EQ_I64(rs_mldsa_exceeds(&a, 77), -1);
            CHECK_EQ_I64(rs_mldsa_exceeds(&a, 1), -1);
            a.c[i] = 0;
        }
    }
    CHECK_EQ_I64(rs_mldsa_exceeds(&a, 1), 0);
}

RS_TEST(reductions) {
    static const int64_t FAR = ((int64_t)Q << 31) - 1;
    for (unsigned k = 0; k < 100000; k++) {
        const int64_t x = k < 2 ? (k ? FAR : -FAR) : (int64_t)random64() % (FAR + 1);
        const int32_t r = rs_mldsa_reduce_product(x);
        REQUIRE(r > -Q && r < Q);
        REQUIRE(modulo((int64_t)r * RS_MLDSA_R) == modulo(x));
        const int32_t y = k < 2 ? (k ? INT32_MAX - (1 << 22) : INT32_MIN) : (int32_t)((int64_t)random64() >> 33);
        REQUIRE(labs(rs_mldsa_reduce(y)) < 6300000);
        REQUIRE(modulo(rs_mldsa_reduce(y)) == modulo(y));
    }
}

// Section 7.4 by its words, for all residues.
RS_TEST(rounding_of_all_residues) {
    for (int32_t r = 0; r < Q; r++) {
        int32_t low;
        const int32_t high = rs_mldsa_power2round(&low, r);
        REQUIRE(high * 8192 + low == r && low > -4096 && low <= 4096);
        for (unsigned k = 0; k < 2; k++) {
            const rs_mldsa_params_t *p = rs_mldsa_params(SET[k]);
            const int32_t width = 2 * p->gamma2;
            int32_t want_low = r % width;
            if (want_low > p->gamma2) want_low -= width;
            int32_t want_high = 0;
            if (r - want_low == Q - 1) {
                want_low--;
            } else {
                want_high = (r - want_low) / width;
            }
            REQUIRE(rs_mldsa_decompose(&low, r, p) == want_high);
            REQUIRE(low == want_low);
        }
    }
}

// Algorithms 39 and 40 by their words: a hint for z says whether the high part changes, and then it gives the high part of r + z.
RS_TEST(hints_give_the_high_part_back) {
    for (unsigned k = 0; k < 300000; k++) {
        const rs_mldsa_params_t *p = rs_mldsa_params(SET[k % 2]);
        const int32_t near = (int32_t)(random64() % 7) - 3;
        int32_t r =
            k % 3 ? (int32_t)(random64() % Q) : modulo((int64_t)(random64() % p->buckets) * 2 * p->gamma2 + p->gamma2 + near);
        int32_t low, moved_low;
        const int32_t high = rs_mldsa_decompose(&low, r, p);
        if (labs(low) >= p->gamma2) continue; // refused before
        int32_t z = (int32_t)(random64() % (2 * (unsigned)p->gamma2 - 1)) - (p->gamma2 - 1);
        if (k % 5 == 0) z = (k % 2 ? p->gamma2 : -p->gamma2) - low + near;
        if (labs(z) >= p->gamma2) continue;
        const int32_t moved = rs_mldsa_decompose(&moved_low, modulo((int64_t)r + z), p);
        const int32_t hint = rs_mldsa_make_hint(low + z, high == 0, p->gamma2);
        REQUIRE(hint == (moved != high));
        REQUIRE(rs_mldsa_use_hint(hint, modulo((int64_t)r + z), p) == high);
    }
}

// Numbers as they are packed.
static const struct {
    int32_t top; // 0: values as they are
    unsigned bits;
} FORM[] = {{0, 4}, {0, 6}, {0, 10}, {2, 3}, {4, 4}, {4096, 13}, {1 << 17, 18}, {1 << 19, 20}};
enum { FORMS = sizeof FORM / sizeof FORM[0] };

RS_TEST(packing_there_and_back) {
    for (unsigned k = 0; k < FORMS; k++) {
        const unsigned bits = FORM[k].bits;
        uint8_t bytes[RS_MLDSA_Z_BYTES_MAX];
        rs_mldsa_poly_t a, b;
        for (unsigned i = 0; i < N; i++) {
            const int32_t value = i < 2 ? (i ? (1 << bits) - 1 : 0) : (int32_t)(random64() >> (64 - bits));
            a.c[i] = FORM[k].top ? FORM[k].top - value : value;
        }
        if (FORM[k].top) {
            rs_mldsa_pack_below(bytes, &a, FORM[k].top, bits);
            rs_mldsa_unpack_below(&b, bytes, FORM[k].top, bits);
        } else {
            rs_mldsa_pack(bytes, &a, bits);
            b = a;
            if (bits == 10) rs_mldsa_unpack(&b, bytes, bits);
        }
        CHECK_EQ_MEM(&b, &a, sizeof a);
        for (unsigned i = 0; i < N * bits; i++) { // bit by bit, as algorithm 16 says it
            const int32_t value = FORM[k].top ? FORM[k].top - a.c[i / bits] : a.c[i / bits];
            REQUIRE((bytes[i / 8] >> i % 8 & 1) == (value >> i % bits & 1));
        }
    }
}

// ---- variants ------------------------------------------------------------------------------------------------------------
#ifdef RS_X86
typedef struct kernels {
    const char *back_end;
    void (*forward)(rs_mldsa_poly_t *);
    void (*inverse)(rs_mldsa_poly_t *, int32_t);
    void (*dot)(rs_mldsa_sum_t *, const rs_mldsa_poly_t *, const rs_mldsa_poly_t *, unsigned, int);
    void (*multiply_sub)(rs_mldsa_sum_t *, const rs_mldsa_poly_t *, const rs_mldsa_poly_t *);
    void (*reduce_sum)(rs_mldsa_poly_t *, const rs_mldsa_sum_t *);
    void (*product)(rs_mldsa_poly_t *, const rs_mldsa_poly_t *, const rs_mldsa_poly_t *);
    int32_t (*exceeds)(const rs_mldsa_poly_t *, int32_t);
    void (*pack)(uint8_t *, const rs_mldsa_poly_t *, unsigned);
    void (*unpack)(rs_mldsa_poly_t *, const uint8_t *, unsigned);
    void (*pack_below)(uint8_t *, const rs_mldsa_poly_t *, int32_t, unsigned);
    void (*unpack_below)(rs_mldsa_poly_t *, const uint8_t *, int32_t, unsigned);
    void (*expand_a)(rs_mldsa_poly_t *, rs_mldsa_space_t *, const rs_mldsa_params_t *, const uint8_t *);
    void (*expand_s)(uint8_t *, rs_mldsa_space_t *, const rs_mldsa_params_t *, const uint8_t *);
} kernels_t;

#define KERNELS(isa)                                                      \
    extern __typeof__(rs_mldsa_forward) rs_mldsa_forward_##isa;           \
    extern __typeof__(rs_mldsa_inverse) rs_mldsa_inverse_##isa;           \
    extern __typeof__(rs_mldsa_dot) rs_mldsa_dot_##isa;                   \
    extern __typeof__(rs_mldsa_multiply_sub) rs_mldsa_multiply_sub_##isa; \
    extern __typeof__(rs_mldsa_reduce_sum) rs_mldsa_reduce_sum_##isa;     \
    extern __typeof__(rs_mldsa_product) rs_mldsa_product_##isa;           \
    extern __typeof__(rs_mldsa_exceeds) rs_mldsa_exceeds_##isa;           \
    extern __typeof__(rs_mldsa_pack) rs_mldsa_pack_##isa;                 \
    extern __typeof__(rs_mldsa_unpack) rs_mldsa_unpack_##isa;             \
    extern __typeof__(rs_mldsa_pack_below) rs_mldsa_pack_below_##isa;     \
    extern __typeof__(rs_mldsa_unpack_below) rs_mldsa_unpack_below_##isa; \
    extern __typeof__(rs_mldsa_expand_a) rs_mldsa_expand_a_##isa;         \
    extern __typeof__(rs_mldsa_expand_s) rs_mldsa_expand_s_##isa;         \
    static const kernels_t KERNELS_##isa = {#isa,                         \
                                            rs_mldsa_forward_##isa,       \
                                            rs_mldsa_inverse_##isa,       \
                                            rs_mldsa_dot_##isa,           \
                                            rs_mldsa_multiply_sub_##isa,  \
                                            rs_mldsa_reduce_sum_##isa,    \
                                            rs_mldsa_product_##isa,       \
                                            rs_mldsa_exceeds_##isa,       \
                                            rs_mldsa_pack_##isa,          \
                                            rs_mldsa_unpack_##isa,        \
                                            rs_mldsa_pack_below_##isa,    \
                                            rs_mldsa_unpack_below_##isa,  \
                                            rs_mldsa_expand_a_##isa,      \
                                            rs_mldsa_expand_s_##isa};
KERNELS(avx2)
KERNELS(avx512)

static void check_transforms(const kernels_t *k, const rs_mldsa_poly_t *a) {
    static const int32_t FACTOR[] = {RS_MLDSA_SCALE, RS_MLDSA_SCALE_R};
    rs_mldsa_poly_t want = *a, got = *a;
    rs_mldsa_forward(&want);
    k->forward(&got);
    CHECK_EQ_MEM(&got, &want, sizeof want);
    for (unsigned i = 0; i < 2; i++) {
        want = got = *a;
        rs_mldsa_inverse(&want, FACTOR[i]);
        k->inverse(&got, FACTOR[i]);
        for (unsigned n = 0; n < N; n++) {
            CHECK(labs(got.c[n]) < 3L * Q / 4 && labs(want.c[n]) < 3L * Q / 4);
            CHECK_EQ_I64(modulo(got.c[n]), modulo(want.c[n]));
        }
    }
    for (unsigned n = 0; n < 2; n++) {
        const int32_t bound = 1 + labs(a->c[random64() % N]);
        CHECK_EQ_I64(k->exceeds(a, bound), rs_mldsa_exceeds(a, bound));
    }
}

// Eight products, the last one subtracted: all of words below 9 q but for the first seven's a, which is below q.
static void check_products(const kernels_t *k, const rs_mldsa_poly_t *a) {
    rs_mldsa_poly_t x[8], y[8], got, want;
    rs_mldsa_sum_t sum;
    for (unsigned j = 0; j < 8; j++) {
        x[j] = j % 3 ? random_poly() : *a;
        y[j] = j % 2 ? random_poly() : *a;
        for (unsigned n = 0; n < N; n++) y[j].c[n] *= 9;
        for (unsigned n = 0; n < N && j == 7; n++) x[j].c[n] *= -9;
    }
    rs_mldsa_dot(&sum, x, y, 7, 0);
    rs_mldsa_multiply_sub(&sum, &x[7], &y[7]);
    rs_mldsa_reduce_sum(&want, &sum);
    const unsigned first = (unsigned)(random64() % 6) + 1;
    k->dot(&sum, x, y, first, 0);
    k->dot(&sum, x + first, y + first, 7 - first, 1);
    k->multiply_sub(&sum, &x[7], &y[7]);
    k->reduce_sum(&got, &sum);
    CHECK_EQ_MEM(&got, &want, sizeof want);
    rs_mldsa_product(&want, &x[7], &y[7]);
    k->product(&got, &x[7], &y[7]);
    CHECK_EQ_MEM(&got, &want, sizeof want);
}

// Into memory of just as many bytes, and out of it.
static void check_packing(const kernels_t *k, int32_t top, unsigned bits) {
    const size_t length = 32u * bits;
    uint8_t *bytes = rs_test_own(malloc(length)), want[RS_MLDSA_Z_BYTES_MAX];
    rs_mldsa_poly_t a, got;
    for (unsigned i = 0; i < N; i++) {
        const int32_t value = i % 7 ? (int32_t)(random64() >> (64 - bits)) : (int32_t)(random64() & 1) * ((1 << bits) - 1);
        a.c[i] = top ? top - value : value;
    }
    (top ? rs_mldsa_pack_below(want, &a, top, bits) : rs_mldsa_pack(want, &a, bits));
    (top ? k->pack_below(bytes, &a, top, bits) : k->pack(bytes, &a, bits));
    CHECK_EQ_MEM(bytes, want, length);
    if (!top && bits != 10) return;
    (top ? k->unpack_below(&got, bytes, top, bits) : k->unpack(&got, bytes, bits));
    CHECK_EQ_MEM(&got, &a, sizeof a);
}

static void check_expansion(const kernels_t *k, const rs_mldsa_params_t *p) {
    rs_mldsa_space_t *space = rs_mldsa_space(rs_test_own(malloc(p->sizes.workspace)));
    static rs_mldsa_poly_t want[RS_MLDSA_K_MAX * RS_MLDSA_L_MAX], got[RS_MLDSA_K_MAX * RS_MLDSA_L_MAX];
    uint8_t seed[64], packed[2][15 * 128];
    for (unsigned i = 0; i < sizeof seed; i++) seed[i] = (uint8_t)random64();
    rs_mldsa_expand_a(want, space, p, seed);
    k->expand_a(got, space, p, seed);
    CHECK_EQ_MEM(got, want, p->k * p->l * sizeof *want);
    rs_mldsa_expand_s(packed[0], space, p, seed);
    k->expand_s(packed[1], space, p, seed);
    CHECK_EQ_MEM(packed[1], packed[0], (p->k + p->l) * rs_mldsa_eta_bytes(p));
}

RS_TEST(variants_compute_what_plain_c_computes) {
    static const kernels_t *const KERNELS[] = {&KERNELS_avx2, &KERNELS_avx512};
    for (unsigned i = 0; i < sizeof KERNELS / sizeof KERNELS[0]; i++) {
        const kernels_t *k = KERNELS[i];
        if (rs_backend_select(k->back_end) != RS_OK) continue;
        for (unsigned j = 0; j < 200; j++) {
            const rs_mldsa_poly_t a = j < 5 ? extreme_poly(j) : random_poly();
            check_transforms(k, &a);
            check_products(k, &a);
        }
        for (unsigned j = 0; j < 20 * FORMS; j++) check_packing(k, FORM[j % FORMS].top, FORM[j % FORMS].bits);
        for (unsigned j = 0; j < 10 * SETS; j++) check_expansion(k, rs_mldsa_params(SET[j % SETS]));
    }
    CHECK_OK(rs_backend_select(NULL));
}
#endif

// ---- signatures ----------------------------------------------------------------------------------------------------------
typedef struct bench {
    rs_mldsa_set_t set;
    size_t pk_bytes, sk_bytes, signature_bytes, workspace_bytes;
    uint8_t pk[RS_MLDSA_PK_BYTES_MAX], sk[RS_MLDSA_SK_BYTES_MAX], signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
    uint8_t xi[RS_MLDSA_SEED_BYTES], rnd[RS_MLDSA_RANDOM_BYTES];
    void *workspace;
} bench_t;

static rs_memory_t memory_of(const bench_t *b) { return (rs_memory_t){b->workspace, b->workspace_bytes}; }

static rs_view_t public_key_of(const bench_t *b) { return (rs_view_t){b->pk, b->pk_bytes}; }

// By rng if there is one.
static rs_status_t keygen(bench_t *b, rs_rng_t *rng) {
    return rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = b->set, .pk = {b->pk, b->pk_bytes},
                                      .sk = {b->sk, b->sk_bytes}, .seed = {rng ? NULL : b->xi, rng ? 0 : sizeof b->xi}, .rng = rng,
                                      .workspace = memory_of(b)));
}

static void open_bench(bench_t *b, rs_mldsa_set_t set) {
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    *b = (bench_t){.set = set,
                   .pk_bytes = sizes->pk,
                   .sk_bytes = sizes->sk,
                   .signature_bytes = sizes->signature,
                   .workspace_bytes = sizes->workspace};
    b->workspace = rs_test_own(calloc(1, sizes->fast_workspace));
    for (unsigned i = 0; i < RS_MLDSA_SEED_BYTES; i++) {
        b->xi[i] = (uint8_t)i;
        b->rnd[i] = (uint8_t)(100 + i);
    }
    CHECK_OK(keygen(b, NULL));
}

// With rnd, or by rng, or deterministic.
static rs_status_t sign_text(bench_t *b, rs_mldsa_message_t text, const uint8_t *rnd, rs_rng_t *rng) {
    return rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = b->set,
                                    .mode = rnd   ? RS_MLDSA_GIVEN
                                            : rng ? RS_MLDSA_HEDGED
                                                  : RS_MLDSA_DETERMINISTIC,
                                    .sk = {b->sk, b->sk_bytes}, .message = text, .signature = {b->signature, b->signature_bytes},
                                    .rnd = {rnd, rnd ? RS_MLDSA_RANDOM_BYTES : 0}, .rng = rng, .workspace = memory_of(b)));
}

static rs_status_t sign_deterministic(bench_t *b) { return sign_text(b, TEXT, NULL, NULL); }

static rs_status_t verify_text(bench_t *b, rs_mldsa_message_t text) {
    return rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = b->set, .pk = public_key_of(b), .message = text,
                                      .signature = {b->signature, b->signature_bytes}, .workspace = memory_of(b)));
}

static rs_status_t verify(bench_t *b) { return verify_text(b, TEXT); }

static rs_status_t check_secret_key(const bench_t *b) {
    return rs_mldsa_public_key(b->set, (rs_bytes_t){NULL, 0}, (rs_view_t){b->sk, b->sk_bytes}, memory_of(b));
}

static rs_status_t public_key(const bench_t *b, uint8_t *pk) {
    return rs_mldsa_public_key(b->set, (rs_bytes_t){pk, b->pk_bytes}, (rs_view_t){b->sk, b->sk_bytes}, memory_of(b));
}

static int is_wiped(const bench_t *b) {
    const uint8_t *bytes = b->workspace;
    for (size_t i = 0; i < b->workspace_bytes; i++) {
        if (bytes[i]) return 0;
    }
    return 1;
}

RS_TEST(sizes) {
    static const size_t PK[SETS] = {RS_MLDSA_44_PK_BYTES, RS_MLDSA_65_PK_BYTES, RS_MLDSA_87_PK_BYTES};
    static const size_t SK[SETS] = {RS_MLDSA_44_SK_BYTES, RS_MLDSA_65_SK_BYTES, RS_MLDSA_87_SK_BYTES};
    static const size_t SIGNATURE[SETS] = {RS_MLDSA_44_SIGNATURE_BYTES, RS_MLDSA_65_SIGNATURE_BYTES, RS_MLDSA_87_SIGNATURE_BYTES};
    for (unsigned k = 0; k < SETS; k++) {
        const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(SET[k]);
        const rs_mldsa_params_t *p = rs_mldsa_params(SET[k]);
        CHECK_EQ_U64(sizes->pk, PK[k]);
        CHECK_EQ_U64(sizes->sk, SK[k]);
        CHECK_EQ_U64(sizes->signature, SIGNATURE[k]);
        CHECK_EQ_U64(sizes->pk, RS_MLDSA_RHO_BYTES + (size_t)p->k * RS_MLDSA_T1_BYTES);
        CHECK_EQ_U64(sizes->sk, RS_MLDSA_SK_S1 + (p->l + p->k) * rs_mldsa_eta_bytes(p) + (size_t)p->k * RS_MLDSA_T0_BYTES);
        CHECK_EQ_U64(sizes->signature, p->challenge_bytes + p->l * rs_mldsa_z_bytes(p) + p->omega + p->k);
        CHECK(sizes->small_verify_workspace < sizes->small_workspace && sizes->small_workspace < sizes->verify_workspace);
        CHECK(sizes->verify_workspace < sizes->workspace && sizes->workspace < sizes->fast_workspace);
        CHECK(sizes->workspace <= RS_MLDSA_WORKSPACE_MAX && sizes->verify_workspace <= RS_MLDSA_VERIFY_WORKSPACE_MAX);
    }
    CHECK_EQ_U64(RS_MLDSA_PK_BYTES_MAX, PK[2]);
    CHECK_EQ_U64(RS_MLDSA_SK_BYTES_MAX, SK[2]);
    CHECK_EQ_U64(RS_MLDSA_SIGNATURE_BYTES_MAX, SIGNATURE[2]);
    CHECK(!rs_mldsa_sizes(0) && !rs_mldsa_sizes(1) && !rs_mldsa_sizes(86));
    CHECK_EQ_U64(rs_mldsa_digest_bytes(RS_MLDSA_SHA2_512_224), 28);
    CHECK_EQ_U64(rs_mldsa_digest_bytes(RS_MLDSA_SHAKE256), 64);
    CHECK_EQ_U64(rs_mldsa_digest_bytes(0) + rs_mldsa_digest_bytes(13), 0);
}

// SHAKE256 of pk, sk, and three signatures: deterministic, with rnd, and pre-hashed by SHA3-512 with rnd. By dilithium-py 1.5.1.
static const uint8_t ANSWER[SETS][32] = {
    {0xfd, 0x00, 0x2f, 0xae, 0x82, 0xa9, 0xca, 0x5a, 0xfc, 0xc2, 0xbe, 0x14, 0xee, 0x44, 0xf3, 0x86,
     0xd7, 0xc4, 0xb5, 0x1d, 0x52, 0xa8, 0xe8, 0x6e, 0xcd, 0x21, 0x15, 0xa1, 0xae, 0x43, 0xd6, 0x0d},
    {0xf2, 0x0e, 0x5b, 0x10, 0x2b, 0xb5, 0x36, 0x82, 0x8b, 0xab, 0x75, 0x4c, 0x02, 0xec, 0x02, 0x23,
     0xbf, 0x44, 0x07, 0xcd, 0xba, 0xb5, 0x0f, 0x7c, 0x6a, 0x5d, 0x70, 0x07, 0x43, 0x1e, 0xa7, 0x39},
    {0x33, 0x89, 0x01, 0xa6, 0xe3, 0x92, 0x6e, 0xd7, 0xa5, 0xb2, 0xf4, 0xd4, 0x91, 0xb7, 0x86, 0x2b,
     0xf4, 0x02, 0xcd, 0x7f, 0xe8, 0x76, 0xcb, 0x19, 0x25, 0x28, 0x39, 0xbf, 0x5d, 0x74, 0xae, 0xe2},
};

// Steps shifts the workspace, so that what needs more alignment than 8 bytes is aligned inside.
static void check_answer(unsigned k, size_t workspace_bytes, size_t shift) {
    bench_t b;
    uint8_t digest[64], answer[32];
    rs_sponge_t all;
    open_bench(&b, SET[k]);
    b.workspace_bytes = workspace_bytes;
    b.workspace = (uint8_t *)rs_test_own(aligned_alloc(64, (b.workspace_bytes + shift + 63) / 64 * 64)) + shift;
    rs_sponge_init(&all, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&all, b.pk, b.pk_bytes);
    rs_sponge_absorb(&all, b.sk, b.sk_bytes);
    CHECK_OK(sign_deterministic(&b));
    CHECK_OK(verify(&b));
    rs_sponge_absorb(&all, b.signature, b.signature_bytes);
    CHECK_OK(sign_text(&b, TEXT, b.rnd, NULL));
    CHECK(is_wiped(&b));
    CHECK_OK(verify(&b));
    CHECK(is_wiped(&b));
    rs_sponge_absorb(&all, b.signature, b.signature_bytes);
    rs_sponge_hash(RS_SPONGE_SHA3_512, digest, sizeof digest, MESSAGE, MESSAGE_BYTES);
    const rs_mldsa_message_t hashed = {RS_MLDSA_DIGEST, RS_MLDSA_SHA3_512, {digest, sizeof digest}, TEXT.context};
    CHECK_OK(sign_text(&b, hashed, b.rnd, NULL));
    CHECK_OK(verify_text(&b, hashed));
    CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE); // it is no pure one
    rs_sponge_absorb(&all, b.signature, b.signature_bytes);
    rs_sponge_squeeze(&all, answer, sizeof answer);
    CHECK_EQ_MEM(answer, ANSWER[k], sizeof answer);
}

RS_TEST(known_answers_on_every_back_end) {
    EACH (i) {
        for (unsigned k = 0; k < SETS; k++) {
            const rs_mldsa_sizes_t *s = rs_mldsa_sizes(SET[k]);
            check_answer(k, i % 2 ? s->fast_workspace : s->workspace, i % 2 ? 8 : 0);
            check_answer(k, s->small_workspace, 0);
        }
    }
    check_answer(1, rs_mldsa_sizes(SET[1])->fast_workspace, 56);
}

// Signatures with a round that only one comparison decides, at its very bound: of z, of the low part, of the number of hints, and of a hint.
// Each message was found with that comparison one off, in either direction. SHAKE256 of the signatures, by dilithium-py 1.5.1.
enum { RARE_MAX = 8, RARE_BYTES = 16 };
static const uint16_t RARE[SETS][RARE_MAX] = {
    {3, 5, 8, 20, 90, 198, 596}, {42, 135, 260, 411, 473, 832, 1568}, {93, 178, 383, 697, 840, 847, 1366, 2710}};
static const uint8_t RARE_ANSWER[SETS][RARE_BYTES] = {
    {0x10, 0x2a, 0x81, 0xa3, 0xc0, 0x99, 0xe4, 0x00, 0x3c, 0xc7, 0x5c, 0xd8, 0x17, 0xac, 0xe9, 0x98},
    {0x70, 0x3f, 0xff, 0x10, 0x38, 0x39, 0xe3, 0x2b, 0x87, 0xb3, 0xd1, 0x60, 0xd4, 0xe4, 0xf5, 0x70},
    {0x4b, 0x23, 0xeb, 0x5b, 0x2c, 0x96, 0x29, 0x47, 0x21, 0x70, 0xdc, 0x37, 0xa5, 0x9e, 0x4c, 0x16}};

static void absorb_signature(rs_sponge_t *sponge, bench_t *b, uint16_t number) {
    const uint8_t message[2] = {(uint8_t)number, (uint8_t)(number >> 8)};
    CHECK_OK(sign_text(b, (rs_mldsa_message_t){.bytes = {message, sizeof message}}, NULL, NULL));
    rs_sponge_absorb(sponge, b->signature, b->signature_bytes);
}

RS_TEST(rounds_at_the_bounds) {
    for (unsigned k = 0; k < SETS; k++) {
        bench_t b;
        rs_sponge_t sponge;
        uint8_t answer[RARE_BYTES];
        open_bench(&b, SET[k]);
        rs_sponge_init(&sponge, RS_SPONGE_SHAKE256);
        for (unsigned i = 0; i < RARE_MAX && RARE[k][i]; i++) absorb_signature(&sponge, &b, RARE[k][i]);
        rs_sponge_squeeze(&sponge, answer, sizeof answer);
        CHECK_EQ_MEM(answer, RARE_ANSWER[k], sizeof answer);
    }
}

// c t0 is never too long with a t0 of key generation. With this one it is in a round of this message, and nothing else refuses that round.
RS_TEST(round_with_a_long_ct0) {
    static const uint8_t ANSWER_OF_LONG[RARE_BYTES] = {0xa8, 0x89, 0x82, 0x2b, 0xed, 0xe3, 0xb4, 0xa4,
                                                       0xdf, 0xf0, 0xe3, 0xe1, 0x0a, 0xe6, 0x4e, 0xfd};
    bench_t b;
    rs_sponge_t sponge;
    rs_mldsa_poly_t t0 = {{0}};
    uint8_t answer[RARE_BYTES];
    open_bench(&b, RS_MLDSA_44);
    for (unsigned row = 0; row < 4; row++) {
        for (unsigned i = 0; i < N; i++) t0.c[i] = row ? 0 : i % 3 ? -4095 : 4096;
        rs_mldsa_pack_below(b.sk + b.sk_bytes - (4 - row) * (size_t)RS_MLDSA_T0_BYTES, &t0, 4096, RS_MLDSA_DROPPED_BITS);
    }
    rs_sponge_init(&sponge, RS_SPONGE_SHAKE256);
    absorb_signature(&sponge, &b, 2148);
    rs_sponge_squeeze(&sponge, answer, sizeof answer);
    CHECK_EQ_MEM(answer, ANSWER_OF_LONG, sizeof answer);
}

// Hedged signatures differ, and verify; keys of a generator too.
RS_TEST(hedged) {
    rs_rng_t rng;
    rs_rng_deterministic_t state;
    const rs_seed_t seed = {{9}};
    CHECK_OK(rs_rng_deterministic(&rng, &state, &seed, "insecure-deterministic"));
    for (unsigned k = 0; k < SETS; k++) {
        bench_t b;
        uint8_t first[RS_MLDSA_SIGNATURE_BYTES_MAX], old[RS_MLDSA_PK_BYTES_MAX], digest[28] = {1};
        open_bench(&b, SET[k]);
        memcpy(old, b.pk, b.pk_bytes);
        CHECK_OK(keygen(&b, &rng));
        CHECK(is_wiped(&b));
        CHECK(memcmp(old, b.pk, b.pk_bytes));
        for (unsigned i = 0; i < 2; i++) {
            memcpy(first, b.signature, b.signature_bytes);
            CHECK_OK(sign_text(&b, TEXT, NULL, &rng));
            CHECK_OK(verify(&b));
        }
        CHECK(memcmp(first, b.signature, b.signature_bytes));
        rs_mldsa_message_t hashed = {RS_MLDSA_DIGEST, RS_MLDSA_SHA2_224, {digest, sizeof digest}, {NULL, 0}};
        CHECK_OK(sign_text(&b, hashed, NULL, &rng));
        CHECK_OK(verify_text(&b, hashed));
        hashed.hash = RS_MLDSA_SHA3_224; // another function with the same size of digest
        CHECK_STATUS(verify_text(&b, hashed), RS_ERR_SIGNATURE);
        CHECK_OK(sign_text(&b, (rs_mldsa_message_t){.context = {b.pk, 255}}, NULL, &rng)); // an empty message, the longest context
        CHECK_OK(verify_text(&b, (rs_mldsa_message_t){.context = {b.pk, 255}}));
    }
}

// The pure variant through M' and through mu, the message in pieces.
RS_TEST(parts_make_the_whole) {
    bench_t b;
    uint8_t prepared[2 + CONTEXT_BYTES + MESSAGE_BYTES] = {0, CONTEXT_BYTES}, mu[RS_MLDSA_MU_BYTES], again[RS_MLDSA_MU_BYTES];
    uint8_t want[RS_MLDSA_SIGNATURE_BYTES_MAX];
    rs_sponge_t sponge;
    static const uint8_t ZERO[RS_MLDSA_RANDOM_BYTES];
    const rs_mldsa_message_t internal = {.form = RS_MLDSA_INTERNAL, .bytes = {prepared, sizeof prepared}};
    const rs_mldsa_message_t representative = {.form = RS_MLDSA_MU, .bytes = {mu, sizeof mu}};
    open_bench(&b, RS_MLDSA_65);
    memcpy(prepared + 2, CONTEXT, CONTEXT_BYTES);
    memcpy(prepared + 2 + CONTEXT_BYTES, MESSAGE, MESSAGE_BYTES);
    CHECK_OK(sign_deterministic(&b));
    memcpy(want, b.signature, b.signature_bytes);
    CHECK_OK(sign_text(&b, internal, ZERO, NULL));
    CHECK_EQ_MEM(b.signature, want, b.signature_bytes);
    CHECK_OK(verify_text(&b, internal));
    CHECK_OK(rs_mldsa_mu(b.set, (rs_bytes_t){mu, sizeof mu}, public_key_of(&b), &TEXT));
    CHECK_OK(rs_mldsa_mu(b.set, (rs_bytes_t){again, sizeof again}, public_key_of(&b), &internal));
    CHECK_EQ_MEM(again, mu, sizeof mu);
    CHECK_OK(rs_mldsa_mu_start(b.set, &sponge, public_key_of(&b), TEXT.context));
    for (unsigned i = 0; i < MESSAGE_BYTES; i++) rs_sponge_absorb(&sponge, MESSAGE + i, 1);
    rs_sponge_squeeze(&sponge, again, sizeof again);
    CHECK_EQ_MEM(again, mu, sizeof mu);
    memset(b.signature, 0, b.signature_bytes);
    CHECK_OK(sign_text(&b, representative, ZERO, NULL));
    CHECK_EQ_MEM(b.signature, want, b.signature_bytes);
    CHECK_OK(verify_text(&b, representative));
    mu[0] ^= 1;
    CHECK_STATUS(verify_text(&b, representative), RS_ERR_SIGNATURE);
}

// ---- bounds, exactly ---------------------------------------------------------------------------------------------------------
// Under a public key with t1 = 0 anybody can sign: w' is A z, whatever c is. So z and hints can be at their bounds, and just beyond.
static void expand_element(rs_mldsa_poly_t *a, const uint8_t *rho, unsigned row, unsigned column) {
    const uint8_t numbers[2] = {(uint8_t)column, (uint8_t)row};
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, RS_SPONGE_SHAKE128);
    rs_sponge_absorb(&sponge, rho, 32);
    rs_sponge_absorb(&sponge, numbers, 2);
    for (unsigned i = 0; i < N;) {
        uint8_t b[3];
        rs_sponge_squeeze(&sponge, b, 3);
        a->c[i] = b[0] | b[1] << 8 | (b[2] & 127) << 16;
        i += a->c[i] < Q;
    }
}

// Section 7.4's UseHint.
static int32_t by_hint(int hint, int32_t r, const rs_mldsa_params_t *p) {
    const int32_t width = 2 * p->gamma2, count = (Q - 1) / width;
    int32_t low = r % width;
    if (low > p->gamma2) low -= width;
    const int32_t high = r - low == Q - 1 ? 0 : (r - low) / width;
    if (r - low == Q - 1) low--;
    return hint ? (high + (low > 0 ? 1 : count - 1)) % count : high;
}

typedef struct weak {
    bench_t b;
    rs_mldsa_poly_t z[RS_MLDSA_L_MAX], hints[RS_MLDSA_K_MAX];
} weak_t;

static rs_status_t sign_weakly(weak_t *f) {
    bench_t *b = &f->b;
    const rs_mldsa_params_t *p = rs_mldsa_params(b->set);
    static rs_mldsa_poly_t z[RS_MLDSA_L_MAX], a, t;
    static rs_mldsa_sum_t sum;
    uint8_t mu[RS_MLDSA_MU_BYTES], w1[RS_MLDSA_W1_BYTES_MAX];
    rs_sponge_t sponge;
    memset(b->pk + 32, 0, b->pk_bytes - 32);
    CHECK_OK(rs_mldsa_mu(b->set, (rs_bytes_t){mu, sizeof mu}, public_key_of(b), &TEXT));
    rs_sponge_init(&sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&sponge, mu, sizeof mu);
    for (unsigned j = 0; j < p->l; j++) {
        z[j] = f->z[j];
        rs_mldsa_forward(&z[j]);
        rs_mldsa_pack_below(b->signature + p->challenge_bytes + j * rs_mldsa_z_bytes(p), &f->z[j], 1 << (p->z_bits - 1), p->z_bits);
    }
    for (unsigned i = 0; i < p->k; i++) {
        for (unsigned j = 0; j < p->l; j++) {
            expand_element(&a, b->pk, i, j);
            rs_mldsa_dot(&sum, &a, &z[j], 1, j > 0);
        }
        rs_mldsa_reduce_sum(&t, &sum);
        rs_mldsa_inverse(&t, RS_MLDSA_SCALE_R);
        for (unsigned n = 0; n < N; n++) t.c[n] = by_hint(f->hints[i].c[n], modulo(t.c[n]), p);
        rs_mldsa_pack(w1, &t, p->w1_bits);
        rs_sponge_absorb(&sponge, w1, rs_mldsa_w1_bytes(p));
    }
    rs_sponge_squeeze(&sponge, b->signature, p->challenge_bytes);
    rs_mldsa_pack_hints(b->signature + b->signature_bytes - p->omega - p->k, f->hints, p);
    return verify(b);
}

RS_TEST(bounds_of_z_are_exact) {
    for (unsigned k = 0; k < SETS; k++) {
        static weak_t f;
        const rs_mldsa_params_t *p = rs_mldsa_params(SET[k]);
        memset(&f, 0, sizeof f);
        open_bench(&f.b, SET[k]);
        const int32_t bound = (1 << (p->z_bits - 1)) - p->beta; // line 13 of algorithm 8: below it
        for (int side = 0; side < 2; side++) {
            int32_t *place = side ? &f.z[0].c[0] : &f.z[p->l - 1].c[N - 1];
            for (int sign = -1; sign < 2; sign += 2) {
                *place = sign * (bound - 1);
                CHECK_OK(sign_weakly(&f));
                *place = sign * bound;
                CHECK_STATUS(sign_weakly(&f), RS_ERR_SIGNATURE);
            }
            *place = side;
        }
    }
}

// A secret key whose parts belong together, but for an entry of s1 beyond eta.
RS_TEST(entries_beyond_eta_are_refused_for_that_alone) {
    for (unsigned k = 0; k < SETS; k++) {
        bench_t b;
        static rs_mldsa_poly_t s1[RS_MLDSA_L_MAX], a, t, s2;
        static rs_mldsa_sum_t sum;
        const rs_mldsa_params_t *p = rs_mldsa_params(SET[k]);
        const size_t eta_bytes = rs_mldsa_eta_bytes(p);
        open_bench(&b, SET[k]);
        for (int beyond = 0; beyond < 2; beyond++) {
            for (unsigned j = 0; j < p->l; j++) {
                rs_mldsa_unpack_below(&s1[j], b.sk + RS_MLDSA_SK_S1 + j * eta_bytes, p->eta, p->eta_bits);
                if (j == 1) s1[j].c[200] = -p->eta - beyond;
                rs_mldsa_pack_below(b.sk + RS_MLDSA_SK_S1 + j * eta_bytes, &s1[j], p->eta, p->eta_bits);
                rs_mldsa_forward(&s1[j]);
            }
            for (unsigned i = 0; i < p->k; i++) {
                for (unsigned j = 0; j < p->l; j++) {
                    expand_element(&a, b.pk, i, j);
                    rs_mldsa_dot(&sum, &a, &s1[j], 1, j > 0);
                }
                rs_mldsa_reduce_sum(&t, &sum);
                rs_mldsa_inverse(&t, RS_MLDSA_SCALE_R);
                rs_mldsa_unpack_below(&s2, b.sk + RS_MLDSA_SK_S1 + (p->l + i) * eta_bytes, p->eta, p->eta_bits);
                for (unsigned n = 0; n < N; n++) t.c[n] = rs_mldsa_power2round(&s2.c[n], modulo(t.c[n] + s2.c[n]));
                rs_mldsa_pack(b.pk + 32 + i * (size_t)RS_MLDSA_T1_BYTES, &t, 10);
                rs_mldsa_pack_below(b.sk + b.sk_bytes - (p->k - i) * (size_t)RS_MLDSA_T0_BYTES, &s2, 4096, RS_MLDSA_DROPPED_BITS);
            }
            rs_shake256(b.sk + RS_MLDSA_SK_TR, RS_MLDSA_TR_BYTES, b.pk, b.pk_bytes);
            CHECK_STATUS(check_secret_key(&b), beyond ? RS_ERR_SECRET_KEY : RS_OK);
        }
    }
}

// Algorithm 34, with numbers of more than a byte, which signatures hardly ever come to.
RS_TEST(masks_of_late_rounds) {
    static rs_mldsa_poly_t y[RS_MLDSA_L_MAX], want;
    uint8_t text[64 + 2] = {1, 2, 3}, stream[RS_MLDSA_Z_BYTES_MAX];
    for (unsigned k = 0; k < SETS; k++) {
        const rs_mldsa_params_t *p = rs_mldsa_params(SET[k]);
        rs_mldsa_space_t *space = rs_test_own(aligned_alloc(64, (sizeof *space + 63) / 64 * 64));
        rs_mldsa_expand_mask(y, space, p, text, 813u * p->l);
        for (unsigned j = 0; j < p->l; j++) {
            const unsigned number = 813u * p->l + j;
            text[64] = (uint8_t)number;
            text[65] = (uint8_t)(number / 256);
            rs_shake256(stream, rs_mldsa_z_bytes(p), text, sizeof text);
            rs_mldsa_unpack_below(&want, stream, 1 << (p->z_bits - 1), p->z_bits);
            CHECK_EQ_MEM(&y[j], &want, sizeof want);
        }
    }
}

// With z = 0 all low parts are 0, too.
RS_TEST(as_many_hints_as_there_may_be) {
    for (unsigned k = 0; k < SETS; k++) {
        static weak_t f;
        const rs_mldsa_params_t *p = rs_mldsa_params(SET[k]);
        memset(&f, 0, sizeof f);
        open_bench(&f.b, SET[k]);
        CHECK_OK(sign_weakly(&f));
        for (unsigned i = 0; i < p->omega; i++) f.hints[i % 2 ? 0 : p->k - 1].c[i % 2 ? N - 1 - i : 2 * i] = 1;
        CHECK_OK(sign_weakly(&f));
        for (unsigned n = 0; n < N; n++) f.z[n % p->l].c[n] = (int32_t)(random64() % 1000);
        CHECK_OK(sign_weakly(&f));
    }
}

// ---- what is refused -------------------------------------------------------------------------------------------------------
RS_TEST(damaged_signatures_and_keys) {
    for (unsigned k = 0; k < SETS; k++) {
        bench_t b;
        open_bench(&b, SET[k]);
        CHECK_OK(sign_deterministic(&b));
        for (size_t i = 0; i < b.signature_bytes; i += i < 80 || i + 90 > b.signature_bytes ? 1 : 97) {
            b.signature[i] ^= 1 << i % 8;
            CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
            b.signature[i] ^= 1 << i % 8;
        }
        for (size_t i = 0; i < b.pk_bytes; i += 61) {
            b.pk[i] ^= 1 << i % 8;
            CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
            b.pk[i] ^= 1 << i % 8;
        }
        CHECK_OK(verify(&b));
        CHECK(is_wiped(&b));
        CHECK_STATUS(verify_text(&b, (rs_mldsa_message_t){.bytes = {MESSAGE, MESSAGE_BYTES - 1}, .context = TEXT.context}),
                     RS_ERR_SIGNATURE);
        // the last byte of the context is the first one of the message
        uint8_t joined[MESSAGE_BYTES + 1] = {CONTEXT[CONTEXT_BYTES - 1]};
        memcpy(joined + 1, MESSAGE, MESSAGE_BYTES);
        const rs_mldsa_message_t shifted = {.bytes = {joined, sizeof joined}, .context = {CONTEXT, CONTEXT_BYTES - 1}};
        CHECK_STATUS(verify_text(&b, shifted), RS_ERR_SIGNATURE);
    }
}

// Algorithm 21: every way in which the same hints could be written otherwise, and some that are no hints.
RS_TEST(hints_that_are_not_canonical) {
    for (unsigned k = 0; k < SETS; k++) {
        bench_t b;
        const rs_mldsa_params_t *p = rs_mldsa_params(SET[k]);
        open_bench(&b, SET[k]);
        // a signature whose first row has two hints at least, and that has room for another
        unsigned tries = 0;
        uint8_t *hints = b.signature + b.signature_bytes - p->omega - p->k;
        do {
            b.rnd[0]++;
            CHECK_OK(sign_text(&b, TEXT, b.rnd, NULL));
        } while ((hints[p->omega] < 2 || hints[p->omega + p->k - 1] == p->omega) && ++tries < 100);
        REQUIRE(tries < 100);
        CHECK(rs_mldsa_hints_are_canonical(hints, p));
        const uint8_t saved[2] = {hints[0], hints[1]};
        hints[0] = saved[1], hints[1] = saved[0]; // in another order
        CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
        CHECK(!rs_mldsa_hints_are_canonical(hints, p));
        hints[0] = hints[1] = saved[1]; // twice the same
        CHECK(!rs_mldsa_hints_are_canonical(hints, p));
        hints[0] = saved[0], hints[1] = saved[1];
        hints[p->omega - 1] = 1; // behind the last one
        CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
        CHECK(!rs_mldsa_hints_are_canonical(hints, p));
        hints[p->omega - 1] = 0;
        const uint8_t last = hints[p->omega + p->k - 1];
        for (unsigned count = p->omega + 1u; count < 256; count++) { // more than there may be
            hints[p->omega + p->k - 1] = (uint8_t)count;
            REQUIRE(!rs_mldsa_hints_are_canonical(hints, p));
        }
        hints[p->omega + p->k - 1] = last;
        const uint8_t second = hints[p->omega + 1];
        hints[p->omega + 1] = (uint8_t)(hints[p->omega] - 1); // fewer than before
        CHECK(!rs_mldsa_hints_are_canonical(hints, p));
        CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
        hints[p->omega + 1] = second;
        CHECK_OK(verify(&b));
    }
}

// What one comparison alone refuses: a row that ends before it begins, and more hints than omega, whose places would be read from the counts.
RS_TEST(counts_of_hints_that_are_refused) {
    for (unsigned k = 0; k < SETS; k++) {
        const rs_mldsa_params_t *p = rs_mldsa_params(SET[k]);
        uint8_t hints[80 + RS_MLDSA_K_MAX + 256] = {1, 2};
        memset(hints + p->omega, 2, p->k);
        CHECK(rs_mldsa_hints_are_canonical(hints, p));
        hints[p->omega + 1] = 1;
        CHECK(!rs_mldsa_hints_are_canonical(hints, p));
        for (unsigned i = 0; i < p->omega; i++) hints[i] = (uint8_t)i;
        memset(hints + p->omega, p->omega, p->k);
        CHECK(rs_mldsa_hints_are_canonical(hints, p));
        memset(hints + p->omega, p->omega + 1, p->k);
        CHECK(!rs_mldsa_hints_are_canonical(hints, p));
    }
}

RS_TEST(secret_keys_that_are_none) {
    for (unsigned k = 0; k < SETS; k++) {
        bench_t b;
        uint8_t pk[RS_MLDSA_PK_BYTES_MAX], zeros[RS_MLDSA_SIGNATURE_BYTES_MAX] = {0};
        const rs_mldsa_params_t *p = rs_mldsa_params(SET[k]);
        open_bench(&b, SET[k]);
        CHECK_OK(public_key(&b, pk));
        CHECK_EQ_MEM(pk, b.pk, b.pk_bytes);
        CHECK_OK(check_secret_key(&b));
        // all but K, which nothing tells
        for (size_t i = 0; i < b.sk_bytes; i += i < 128 ? 31 : 89) {
            if (i >= RS_MLDSA_SK_K && i < RS_MLDSA_SK_TR) continue;
            b.sk[i] ^= 1 << i % 8;
            CHECK_STATUS(check_secret_key(&b), RS_ERR_SECRET_KEY);
            CHECK(is_wiped(&b));
            b.sk[i] ^= 1 << i % 8;
        }
        // an entry of s1 or s2 outside of -eta to eta, in the last of its coefficients
        for (unsigned i = 0; i < 2; i++) {
            uint8_t *last = b.sk + RS_MLDSA_SK_S1 + (i ? p->l + p->k : p->l) * rs_mldsa_eta_bytes(p) - 1;
            const uint8_t saved = *last;
            *last |= p->eta == 2 ? 0xe0 : 0xf0;
            memset(b.signature, 1, b.signature_bytes);
            CHECK_STATUS(sign_deterministic(&b), RS_ERR_SECRET_KEY);
            CHECK_EQ_MEM(b.signature, zeros, b.signature_bytes);
            CHECK(is_wiped(&b));
            memset(pk, 1, b.pk_bytes);
            CHECK_STATUS(public_key(&b, pk), RS_ERR_SECRET_KEY);
            CHECK_EQ_MEM(pk, zeros, b.pk_bytes);
            *last = saved;
        }
    }
}

// With t0 as far from 0 as its encoding goes, c t0 needs more hints than there may be in nearly every round: in all of them, for this rnd.
RS_TEST(rounds_end) {
    bench_t b;
    const uint8_t zeros[RS_MLDSA_SIGNATURE_BYTES_MAX] = {0};
    const rs_mldsa_params_t *p = rs_mldsa_params(RS_MLDSA_44);
    rs_mldsa_poly_t far;
    open_bench(&b, RS_MLDSA_44);
    b.workspace_bytes = rs_mldsa_sizes(b.set)->fast_workspace;
    uint64_t state = 1;
    for (unsigned row = 0; row < p->k; row++) {
        for (unsigned i = 0; i < N; i++) far.c[i] = rs_test_random(&state) >> 63 ? 4096 : -4095;
        rs_mldsa_pack_below(b.sk + b.sk_bytes - (row + 1) * (size_t)RS_MLDSA_T0_BYTES, &far, 4096, RS_MLDSA_DROPPED_BITS);
    }
    memset(b.signature, 1, b.signature_bytes);
    CHECK_STATUS(sign_deterministic(&b), RS_ERR_ROUNDS);
    CHECK_EQ_MEM(b.signature, zeros, b.signature_bytes);
    CHECK(is_wiped(&b));
}
