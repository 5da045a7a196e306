// SPDX-License-Identifier: Apache-2.0
// Operations: round trips of every kind at every level, and what must be refused. The mathematics is checked in tests/oracle.
#include <math.h>

#include "fixture.h"

static const uint32_t BITS[] = {50, 40, 40, 50};
enum { N = 1024, LIMBS = 4, DATA = 3, SLOTS = N / 2 };

typedef struct buffers {
    double coef[N];
    double values[2 * SLOTS];
    double decoded[2 * SLOTS];
    uint64_t ciphertext[3 * LIMBS * N];
    uint64_t plaintext[LIMBS * N];
} buffers_t;

static void fill(buffers_t *b) {
    for (int i = 0; i < 2 * SLOTS; i++) b->values[i] = (i * 71 % 199 - 99) / 100.0;
}

static double worst(const buffers_t *b, size_t count) {
    double w = 0;
    for (size_t i = 0; i < count; i++) w = fmax(w, fabs(b->decoded[i] - b->values[i]));
    return w;
}

RS_TEST(round_trips_at_every_level) {
    fixture_t f;
    fixture_init(&f, N, BITS, LIMBS);
    buffers_t *b = rs_test_own(calloc(1, sizeof *b));
    fill(b);
    for (uint32_t limbs = 1; limbs <= DATA; limbs++) {
        for (int kind = 0; kind < 3; kind++) {
            for (int form = 0; form < 2; form++) { // coefficient form is fused, NTT form is added
                rs_plaintext_t message = {.message = b->coef}, out = {.ntt = b->plaintext};
                rs_ciphertext_t ct = {.data = b->ciphertext, .seed_type = RS_SEED_BLAKE2XB, .seeded = (uint32_t)(form ^ 1)};
                uint64_t *ntt = words((size_t)limbs * N);
                REQUIRE_OK(encode_values(f.context, &message, b->values, SLOTS, 1, 0x1p35, limbs));
                if (form) {
                    for (uint32_t l = 0; l < limbs; l++) REQUIRE_OK(rs_plaintext_limb(f.context, &message, l, ntt + l * N));
                    message.form = RS_FORM_NTT;
                    message.ntt = ntt;
                }
                REQUIRE_OK(fixture_encrypt(&f, (rs_encryption_t)kind, &message, &ct));
                CHECK_EQ_U64(ct.seeded, kind == RS_ENCRYPT_SK ? form ^ 1 : 0);
                CHECK_EQ_U64(ct.limb_count, limbs);
                for (uint32_t take = 1; take <= limbs; take++) { // any number of limbs holds this message
                    REQUIRE_OK(fixture_decrypt(&f, &ct, take, &out));
                    REQUIRE_OK(decode_values(f.context, &out, b->decoded, SLOTS, 1, f.workspace, f.workspace_bytes));
                    CHECK(worst(b, 2 * SLOTS) < 0x1p-18);
                }
                if (ct.seeded) { // expanding changes nothing
                    REQUIRE_OK(rs_expand(f.context, &ct));
                    CHECK_EQ_U64(ct.seeded, 0);
                    REQUIRE_OK(fixture_decrypt(&f, &ct, limbs, &out));
                    REQUIRE_OK(decode_values(f.context, &out, b->decoded, SLOTS, 1, f.workspace, f.workspace_bytes));
                    CHECK(worst(b, 2 * SLOTS) < 0x1p-18);
                }
            }
        }
    }
}

RS_TEST(both_plaintext_forms_give_the_same_ciphertext) {
    fixture_t f;
    fixture_init(&f, N, BITS, LIMBS);
    buffers_t *b = rs_test_own(calloc(1, sizeof *b));
    fill(b);
    rs_plaintext_t message = {.message = b->coef};
    REQUIRE_OK(encode_values(f.context, &message, b->values, SLOTS, 1, 0x1p35, DATA));
    for (int kind = 0; kind < 3; kind++) {
        uint64_t *other = words(2 * DATA * N);
        rs_ciphertext_t a = {.data = b->ciphertext, .seed_type = RS_SEED_SHAKE256};
        rs_ciphertext_t c = {.data = other, .seed_type = RS_SEED_SHAKE256};
        rs_plaintext_t ntt = message;
        ntt.form = RS_FORM_NTT;
        ntt.ntt = b->plaintext;
        for (uint32_t l = 0; l < DATA; l++) CHECK_OK(rs_plaintext_limb(f.context, &message, l, ntt.ntt + l * N));
        const rs_plaintext_t *forms[] = {&message, &ntt};
        rs_ciphertext_t *outs[] = {&a, &c};
        for (int k = 0; k < 2; k++) {
            fixture_seed(&f, 9);
            REQUIRE_OK(fixture_encrypt(&f, (rs_encryption_t)kind, forms[k], outs[k]));
        }
        CHECK_EQ_MEM(a.data, c.data, 2 * DATA * N * sizeof(uint64_t));
    }
}

RS_TEST(encode_refuses) {
    fixture_t f;
    fixture_init(&f, N, BITS, LIMBS);
    double coef[N], values[SLOTS + 1] = {0};
    rs_plaintext_t p = {.message = coef};
    CHECK_STATUS(encode_values(f.context, &p, values, SLOTS + 1, 0, 0x1p30, 1), RS_ERR_VALUE_COUNT);
    CHECK_OK(encode_values(f.context, &p, values, 1, 0, 0x1p30, 0)); // all data limbs
    CHECK_EQ_U64(p.limb_count, DATA);
    CHECK_STATUS(encode_values(f.context, &p, values, 1, 0, 0x1p30, DATA + 1), RS_ERR_LEVEL);
    CHECK_STATUS(encode_values(f.context, &p, NULL, 1, 0, 0x1p30, 1), RS_ERR_NULL);
    CHECK_STATUS(encode_values(f.context, &(rs_plaintext_t){0}, values, 1, 0, 0x1p30, 1), RS_ERR_NULL);
    const double scales[] = {0, -1, 0x1p-1060, NAN, INFINITY, -INFINITY, 0x1p49, 0x1p50, 0x1p1000};
    for (unsigned i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        CHECK_STATUS(encode_values(f.context, &p, values, 1, 0, scales[i], 1), RS_ERR_SCALE);
    }
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (unsigned i = 0; i < 3; i++) {
        values[7] = bad[i];
        CHECK_STATUS(encode_values(f.context, &p, values, 8, 0, 0x1p30, 1), RS_ERR_NOT_FINITE);
        CHECK_STATUS(encode_values(f.context, &p, values, 4, 1, 0x1p30, 1), RS_ERR_NOT_FINITE); // as an imaginary part
        CHECK_OK(encode_values(f.context, &p, values, 7, 0, 0x1p30, 1));                        // not looked at
    }
    for (unsigned i = 0; i < SLOTS; i++) values[i] = 0x1p18; // the constant 2^18: coefficient 0 is 2^48
    CHECK_OK(encode_values(f.context, &p, values, SLOTS, 0, 0x1p30, 1));
    CHECK_EQ_U64((uint64_t)coef[0], UINT64_C(1) << 48);
    values[0] = 0x1p19;
    CHECK_STATUS(encode_values(f.context, &p, values, SLOTS, 0, 0x1p30, 1), RS_ERR_OVERFLOW);
    CHECK_OK(encode_values(f.context, &p, values, SLOTS, 0, 0x1p30, 2)); // fits two limbs
    for (unsigned i = 0; i < SLOTS; i++) values[i] = 1.7e308;        // overflows inside the transform
    CHECK_STATUS(encode_values(f.context, &p, values, SLOTS, 0, 0x1p30, DATA), RS_ERR_OVERFLOW);
    CHECK_OK(encode_values(f.context, &p, NULL, 0, 0, 0x1p30, 1)); // no values: zero
    for (unsigned i = 0; i < N; i++) CHECK(coef[i] == 0);
}

RS_TEST(mixed_objects_are_refused) {
    fixture_t f, other;
    const uint32_t other_bits[] = {50, 41, 40, 50};
    fixture_init(&f, N, BITS, LIMBS);
    fixture_init(&other, N, other_bits, LIMBS);
    buffers_t *b = rs_test_own(calloc(1, sizeof *b));
    void *w = f.workspace;
    const size_t wb = f.workspace_bytes;
    rs_plaintext_t p = {.message = b->coef}, out = {.ntt = b->plaintext};
    rs_ciphertext_t ct = {.data = b->ciphertext, .seed_type = RS_SEED_SHAKE256};
    REQUIRE_OK(encode_values(f.context, &p, b->values, 4, 0, 0x1p30, 2));
    CHECK_STATUS(encrypt_secret(f.context, &other.secret, &p, &ct, &f.rng, w, wb), RS_ERR_MISMATCH);
    CHECK_STATUS(encrypt_public(f.context, &other.public_key, &p, RS_ENCRYPT_PK, &ct, &f.rng, w, wb), RS_ERR_MISMATCH);
    CHECK_STATUS(encrypt_secret(other.context, &other.secret, &p, &ct, &f.rng, w, wb), RS_ERR_MISMATCH);
    rs_plaintext_t wrong_level = p;
    wrong_level.limb_count = 3;
    CHECK_STATUS(encrypt_secret(f.context, &f.secret, &wrong_level, &ct, &f.rng, w, wb), RS_ERR_MISMATCH);
    wrong_level.limb_count = 0;
    CHECK_STATUS(encrypt_secret(f.context, &f.secret, &wrong_level, &ct, &f.rng, w, wb), RS_ERR_LEVEL);
    wrong_level.limb_count = UINT32_MAX;
    CHECK_STATUS(encrypt_secret(f.context, &f.secret, &wrong_level, &ct, &f.rng, w, wb), RS_ERR_LEVEL);

    REQUIRE_OK(encrypt_secret(f.context, &f.secret, &p, &ct, &f.rng, w, wb));
    CHECK_STATUS(decrypt_limbs(f.context, &other.secret, &ct, 1, &out, w, wb), RS_ERR_MISMATCH);
    CHECK_STATUS(decrypt_limbs(other.context, &other.secret, &ct, 1, &out, w, wb), RS_ERR_MISMATCH);
    CHECK_OK(decrypt_limbs(f.context, &f.secret, &ct, 0, &out, w, wb)); // all
    CHECK_EQ_U64(out.limb_count, 2);
    CHECK_STATUS(decrypt_limbs(f.context, &f.secret, &ct, 3, &out, w, wb), RS_ERR_LEVEL);
    ct.poly_count = 1;
    CHECK_STATUS(decrypt_limbs(f.context, &f.secret, &ct, 1, &out, w, wb), RS_ERR_POLY_COUNT);
    ct.poly_count = RS_POLYS_MAX + 1;
    CHECK_STATUS(decrypt_limbs(f.context, &f.secret, &ct, 1, &out, w, wb), RS_ERR_POLY_COUNT);
    ct.poly_count = 2;
    REQUIRE_OK(decrypt_limbs(f.context, &f.secret, &ct, 2, &out, w, wb));
    CHECK_STATUS(decode_values(other.context, &out, b->decoded, 4, 0, w, wb), RS_ERR_MISMATCH);
    CHECK_STATUS(decode_values(f.context, &p, b->decoded, 4, 0, w, wb), RS_ERR_FORM);
    CHECK_STATUS(decode_values(f.context, &out, b->decoded, SLOTS + 1, 0, w, wb), RS_ERR_VALUE_COUNT);
    out.scale = NAN;
    CHECK_STATUS(decode_values(f.context, &out, b->decoded, 4, 0, w, wb), RS_ERR_SCALE);

    rs_ciphertext_t seeded_key = f.public_key;
    seeded_key.seeded = 1;
    CHECK_STATUS(encrypt_public(f.context, &seeded_key, &p, RS_ENCRYPT_PK, &ct, &f.rng, w, wb), RS_ERR_SEEDED);
    CHECK_STATUS(encrypt_public(f.context, &f.public_key, &p, RS_ENCRYPT_SK, &ct, &f.rng, w, wb), RS_ERR_OPTION);
    ct.seed_type = (rs_seed_type_t)7;
    CHECK_STATUS(encrypt_secret(f.context, &f.secret, &p, &ct, &f.rng, w, wb), RS_ERR_SEED_TYPE);
}

RS_TEST(workspaces_and_seeds_are_checked) {
    fixture_t f;
    fixture_init(&f, N, BITS, LIMBS);
    buffers_t *b = rs_test_own(calloc(1, sizeof *b));
    rs_plaintext_t p = {.message = b->coef}, out = {.ntt = b->plaintext};
    rs_ciphertext_t ct = {.data = b->ciphertext, .seed_type = RS_SEED_SHAKE256};
    uint8_t *w = f.workspace;
    rs_rng_t broken = {rs_test_no_rng, NULL};
    REQUIRE_OK(encode_values(f.context, &p, b->values, 4, 0, 0x1p30, 2));
    const size_t sk = encrypt_bytes(f.context, RS_ENCRYPT_SK);
    CHECK_STATUS(encrypt_secret(f.context, &f.secret, &p, &ct, &f.rng, w, sk - 1), RS_ERR_TOO_SMALL);
    CHECK_STATUS(encrypt_secret(f.context, &f.secret, &p, &ct, &f.rng, NULL, sk), RS_ERR_NULL);
    CHECK_STATUS(encrypt_secret(f.context, &f.secret, &p, &ct, &f.rng, w + 1, sk), RS_ERR_ALIGNMENT);
    CHECK_STATUS(encrypt_secret(f.context, &f.secret, &p, &ct, &broken, w, sk), RS_ERR_RNG);
    CHECK_STATUS(encrypt_public(f.context, &f.public_key, &p, RS_ENCRYPT_PK, &ct, &broken, w, f.workspace_bytes), RS_ERR_RNG);
    CHECK_STATUS(encrypt_public(f.context, &f.public_key, &p, RS_ENCRYPT_PK, &ct, &f.rng, w, sk), RS_ERR_TOO_SMALL);
    CHECK_STATUS(rs_keygen_secret(f.context, &(rs_secret_key_t){.ntt = b->plaintext}, &broken), RS_ERR_RNG);
    // The exact sizes suffice, and are left wiped.
    memset(w, 0x55, f.workspace_bytes);
    CHECK_OK(encrypt_secret(f.context, &f.secret, &p, &ct, &f.rng, w, sk));
    for (size_t i = 0; i < sk; i++) CHECK(w[i] == 0);
    CHECK(w[sk] == 0x55);
    const size_t direct = encrypt_bytes(f.context, RS_ENCRYPT_PK_DIRECT);
    memset(w, 0x55, f.workspace_bytes);
    CHECK_OK(encrypt_public(f.context, &f.public_key, &p, RS_ENCRYPT_PK_DIRECT, &ct, &f.rng, w, direct));
    for (size_t i = 0; i < direct; i++) CHECK(w[i] == 0);
    CHECK(w[direct] == 0x55);
    CHECK_STATUS(decrypt_limbs(f.context, &f.secret, &ct, 1, &out, w, decrypt_bytes(f.context) - 1), RS_ERR_TOO_SMALL);
    CHECK_OK(decrypt_limbs(f.context, &f.secret, &ct, 1, &out, w, decrypt_bytes(f.context)));
    CHECK_STATUS(decode_values(f.context, &out, b->decoded, 4, 0, w, decrypt_bytes(f.context) - 1), RS_ERR_TOO_SMALL);
}

// The formula of rng.h, put together here from the hash alone; every input counts, and none runs over into the next.
RS_TEST(derived_seeds) {
    static const uint8_t BOUND[] = "parameters, key, message";
    rs_seed_t seed, out, other;
    uint8_t message[200] = {0};
    for (unsigned i = 0; i < RS_SEED_BYTES; i++) message[i] = seed.bytes[i] = (uint8_t)(3 * i + 1);
    message[64] = 0x34;
    message[65] = 0x12;
    rs_shake256(message + 72, 64, (const uint8_t *)"public key", 10);
    rs_shake256(message + 136, 64, BOUND, sizeof BOUND);
    rs_shake256(other.bytes, 64, message, sizeof message);
    CHECK_OK(rs_seed_derive(&out, &seed, "public key", 0x1234, BOUND, sizeof BOUND));
    CHECK(memcmp(&out, &other, sizeof out) == 0);
    CHECK_OK(rs_seed_derive(&other, &seed, "public ke", 0x1234, BOUND, sizeof BOUND));
    CHECK(memcmp(&out, &other, sizeof out) != 0);
    CHECK_OK(rs_seed_derive(&other, &seed, "public key", 0x1235, BOUND, sizeof BOUND));
    CHECK(memcmp(&out, &other, sizeof out) != 0);
    CHECK_OK(rs_seed_derive(&other, &seed, "public key", 0x1234, BOUND, sizeof BOUND - 1));
    CHECK(memcmp(&out, &other, sizeof out) != 0);
    seed.bytes[63] ^= 1;
    CHECK_OK(rs_seed_derive(&other, &seed, "public key", 0x1234, BOUND, sizeof BOUND));
    CHECK(memcmp(&out, &other, sizeof out) != 0);
    CHECK_OK(rs_seed_derive(&out, &out, "", 0, NULL, 0));
    CHECK_STATUS(rs_seed_derive(&out, &seed, NULL, 0, NULL, 0), RS_ERR_NULL);
    CHECK_STATUS(rs_seed_derive(&out, NULL, "", 0, NULL, 0), RS_ERR_NULL);
    CHECK_STATUS(rs_seed_derive(NULL, &seed, "", 0, NULL, 0), RS_ERR_NULL);
    CHECK_STATUS(rs_seed_derive(&out, &seed, "", 0, NULL, 1), RS_ERR_NULL);
}

// Every byte of a row is bound.
RS_TEST(seeds_of_rows) {
    rs_switch_row_t row = {1, 0x12345, 3, 4, 5, RS_SEED_SHAKE256, {6, 7}};
    static const uint8_t NUMBERS[] = {1, 0, 0, 0, 0x45, 0x23, 1, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 6, 7};
    uint8_t bound[24 + RS_SWITCH_BOUND_BYTES] = {0};
    rs_seed_t master = {{9}}, out, other;
    memcpy(bound, NUMBERS, sizeof NUMBERS);
    CHECK_OK(rs_seed_derive(&other, &master, "switching key", 77, bound, sizeof bound));
    CHECK_OK(rs_switch_seed(&out, &master, 77, &row));
    CHECK_EQ_MEM(out.bytes, other.bytes, sizeof out);
    for (unsigned i = 0; i < sizeof row; i++) {
        ((uint8_t *)&row)[i] ^= 1;
        CHECK_OK(rs_switch_seed(&other, &master, 77, &row));
        CHECK(memcmp(&out, &other, sizeof out) != 0);
        ((uint8_t *)&row)[i] ^= 1;
    }
    CHECK_OK(rs_switch_seed(&other, &master, 78, &row));
    CHECK(memcmp(&out, &other, sizeof out) != 0);
    CHECK_STATUS(rs_switch_seed(&out, &master, 0, NULL), RS_ERR_NULL);
    CHECK_STATUS(rs_switch_seed(&out, NULL, 0, &row), RS_ERR_NULL);
}

RS_TEST(deterministic_seeds_need_consent_in_release_builds) {
    rs_rng_t rng;
    rs_rng_deterministic_t state;
    const rs_seed_t seed = {{3}};
    CHECK_OK(rs_rng_deterministic(&rng, &state, &seed, "insecure-deterministic"));
#ifdef NDEBUG
    CHECK_STATUS(rs_rng_deterministic(&rng, &state, &seed, NULL), RS_ERR_CONSENT);
    CHECK_STATUS(rs_rng_deterministic(&rng, &state, &seed, ""), RS_ERR_CONSENT);
    CHECK_STATUS(rs_rng_deterministic(&rng, &state, &seed, "insecure-deterministi"), RS_ERR_CONSENT);
    CHECK_STATUS(rs_rng_deterministic(&rng, &state, &seed, "insecure-deterministic "), RS_ERR_CONSENT);
#else
    CHECK_OK(rs_rng_deterministic(&rng, &state, &seed, NULL));
#endif
    CHECK_STATUS(rs_rng_deterministic(&rng, &state, NULL, "insecure-deterministic"), RS_ERR_NULL);
}

RS_TEST(os_seeds_differ) {
    rs_rng_t rng;
    uint8_t a[64], b[64];
    rs_rng_os(&rng);
    CHECK_OK(rng.fill(rng.state, a, sizeof a));
    CHECK_OK(rng.fill(rng.state, b, sizeof b));
    CHECK(memcmp(a, b, sizeof a) != 0);
}

RS_TEST(key_pair_check_finds_faults) {
    fixture_t f;
    const uint32_t bits[] = {50, 30, 50};
    fixture_init(&f, N, bits, 3);
    uint64_t *w = words(2 * N);
    for (unsigned seeded = 0; seeded < 2; seeded++) {
        f.public_key.seeded = seeded;
        REQUIRE_OK(keygen_public(f.context, &f.secret, &f.public_key, &f.rng, f.workspace, f.workspace_bytes));
        CHECK_OK(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8}));
        for (size_t i = 0; i < 2 * N; i++) CHECK(w[i] == 0); // errors are secret
        CHECK_STATUS(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8 - 1}), RS_ERR_TOO_SMALL);
        // one bit flipped, of b, a or s, of any limb
        for (size_t at = 0; at < 3 * N; at += N / 2 - 1) {
            const uint64_t bit = (uint64_t)1 << at % 29;
            f.public_key.data[at] ^= bit;
            CHECK_STATUS(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8}), RS_ERR_KEY_PAIR);
            f.public_key.data[at] ^= bit;
            f.secret.ntt[at] ^= bit;
            CHECK_STATUS(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8}), RS_ERR_KEY_PAIR);
            f.secret.ntt[at] ^= bit;
            if (seeded) continue;
            f.public_key.data[3 * N + at] ^= bit;
            CHECK_STATUS(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8}), RS_ERR_KEY_PAIR);
            f.public_key.data[3 * N + at] ^= bit;
        }
        f.public_key.seed.bytes[5] ^= 1;
        CHECK_STATUS(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8}),
                     seeded ? RS_ERR_KEY_PAIR : RS_OK);
        f.public_key.seed.bytes[5] ^= 1;
        CHECK_OK(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8}));
    }
    // the largest error passes, a larger one does not, and none at all neither
    f.public_key.seeded = 0;
    for (int kind = 0; kind < 3; kind++) {
        int8_t *error = rs_test_own(calloc(N, 1));
        if (kind < 2) error[7] = (int8_t)(-21 - kind);
        for (uint32_t limb = 0; limb < 3; limb++) {
            uint64_t *b = f.public_key.data + limb * N;
            rs_plan_lift(rs_context_plan(f.context, limb), b, error, 1);
            rs_plan_forward(rs_context_plan(f.context, limb), b);
            rs_plan_mul_sub(rs_context_plan(f.context, limb), b, b + 3 * N, f.secret.ntt + limb * N, b);
        }
        CHECK_STATUS(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8}),
                     kind ? RS_ERR_KEY_PAIR : RS_OK);
    }
    // another pair's key; a key at another level; a key-switching key
    REQUIRE_OK(keygen_public(f.context, &f.secret, &f.public_key, &f.rng, f.workspace, f.workspace_bytes));
    REQUIRE_OK(rs_keygen_secret(f.context, &f.secret, &f.rng));
    CHECK_STATUS(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8}), RS_ERR_KEY_PAIR);
    REQUIRE_OK(keygen_switch(f.context, &f.secret, 0, 1, &f.public_key, &f.rng, f.workspace, f.workspace_bytes));
    CHECK_STATUS(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8}), RS_ERR_KEY_PAIR);
    f.public_key.poly_count = 3;
    CHECK_STATUS(rs_key_check(f.context, &f.secret, &f.public_key, (rs_memory_t){w, 2 * N * 8}), RS_ERR_POLY_COUNT);
}

RS_TEST(secret_key_check_finds_foreign_keys) {
    fixture_t f;
    fixture_init(&f, N, BITS, LIMBS);
    void *w = words(2 * N);
    CHECK_OK(rs_key_check(f.context, &f.secret, NULL, (rs_memory_t){w, 2 * N * 8}));
    CHECK_STATUS(rs_key_check(f.context, &f.secret, NULL, (rs_memory_t){w, 2 * N * 8 - 1}), RS_ERR_TOO_SMALL);
    f.secret.ntt[5] ^= 1; // no longer ternary on the first limb
    CHECK_STATUS(rs_key_check(f.context, &f.secret, NULL, (rs_memory_t){w, 2 * N * 8}), RS_ERR_SECRET_KEY);
    f.secret.ntt[5] ^= 1;
    for (unsigned i = 0; i < N; i++) { // ternary, but another polynomial on the last limb: -s
        uint64_t *x = &f.secret.ntt[(LIMBS - 1) * N + i];
        *x = *x ? f.params.moduli[LIMBS - 1] - *x : 0;
    }
    CHECK_STATUS(rs_key_check(f.context, &f.secret, NULL, (rs_memory_t){w, 2 * N * 8}), RS_ERR_SECRET_KEY);
    memset(f.secret.ntt, 0, (size_t)LIMBS * N * sizeof *f.secret.ntt); // s = 0 encrypts nothing
    CHECK_STATUS(rs_key_check(f.context, &f.secret, NULL, (rs_memory_t){w, 2 * N * 8}), RS_ERR_SECRET_KEY);
    for (uint32_t limb = 0; limb < LIMBS; limb++) { // s = -1: a constant, ternary and not zero
        for (uint32_t i = 0; i < N; i++) f.secret.ntt[limb * N + i] = f.params.moduli[limb] - 1;
    }
    CHECK_OK(rs_key_check(f.context, &f.secret, NULL, (rs_memory_t){w, 2 * N * 8}));
}

RS_TEST(galois_elements) {
    fixture_t f;
    fixture_init(&f, N, BITS, LIMBS);
    uint32_t element = 0, all[64];
    REQUIRE_OK(rs_galois_element(f.context, 0, &element));
    CHECK_EQ_U64(element, 2 * N - 1);
    REQUIRE_OK(rs_galois_element(f.context, 1, &element));
    CHECK_EQ_U64(element, 3);
    REQUIRE_OK(rs_galois_element(f.context, -1, &element));
    CHECK_EQ_U64(element * 3 % (2 * N), 1);
    CHECK_OK(rs_galois_element(f.context, SLOTS - 1, &element));
    const int32_t bad[] = {SLOTS, -SLOTS, INT32_MAX, INT32_MIN};
    for (unsigned i = 0; i < 4; i++) CHECK_STATUS(rs_galois_element(f.context, bad[i], &element), RS_ERR_GALOIS);
    const uint32_t count = rs_galois_powers_of_two(f.context, all, 64);
    CHECK_EQ_U64(count, 18); // conjugation, +-1 … +-128, 256
    CHECK_EQ_U64(rs_galois_powers_of_two(f.context, NULL, 0), count);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) CHECK(all[i] != all[k]);
    }
    rs_ciphertext_t key = {.data = words(2 * LIMBS * N), .seed_type = RS_SEED_SHAKE256};
    const uint32_t bad_elements[] = {2, 2 * N, 2 * N + 1, UINT32_MAX};
    for (unsigned i = 0; i < 4; i++) {
        CHECK_STATUS(keygen_switch(f.context, &f.secret, bad_elements[i], 0, &key, &f.rng, f.workspace, f.workspace_bytes),
                     RS_ERR_GALOIS);
    }
    CHECK_STATUS(keygen_switch(f.context, &f.secret, 0, DATA, &key, &f.rng, f.workspace, f.workspace_bytes), RS_ERR_LEVEL);
    CHECK_OK(keygen_switch(f.context, &f.secret, 0, DATA - 1, &key, &f.rng, f.workspace, f.workspace_bytes));
}

RS_TEST(single_limb_sets) {
    fixture_t f;
    const uint32_t bits[] = {45};
    fixture_init(&f, N, bits, 1);
    buffers_t *b = rs_test_own(calloc(1, sizeof *b));
    fill(b);
    rs_plaintext_t p = {.message = b->coef}, out = {.ntt = b->plaintext};
    rs_ciphertext_t ct = {.data = b->ciphertext, .seed_type = RS_SEED_SHAKE256};
    REQUIRE_OK(encode_values(f.context, &p, b->values, SLOTS, 1, 0x1p30, 1));
    REQUIRE_OK(fixture_encrypt(&f, RS_ENCRYPT_PK, &p, &ct));
    REQUIRE_OK(fixture_decrypt(&f, &ct, 1, &out));
    REQUIRE_OK(decode_values(f.context, &out, b->decoded, SLOTS, 1, f.workspace, f.workspace_bytes));
    CHECK(worst(b, 2 * SLOTS) < 0x1p-10);
    CHECK_STATUS(keygen_switch(f.context, &f.secret, 0, 0, &ct, &f.rng, f.workspace, f.workspace_bytes), RS_ERR_NO_SPECIAL);
}

RS_TEST(the_largest_ring) {
    fixture_t f;
    const uint32_t bits[] = {60, 60}, n = 131072;
    fixture_init(&f, n, bits, 2);
    double *coef = doubles(n), *values = doubles(n), *decoded = doubles(n);
    uint64_t *data = words(2 * (size_t)n), *plain = words(n);
    for (uint32_t i = 0; i < n; i++) values[i] = (i * 37 % 1001) / 1001.0;
    rs_plaintext_t p = {.message = coef}, out = {.ntt = plain};
    rs_ciphertext_t ct = {.data = data, .seed_type = RS_SEED_SHAKE256};
    REQUIRE_OK(encode_values(f.context, &p, values, n / 2, 1, 0x1p40, 1));
    REQUIRE_OK(fixture_encrypt(&f, RS_ENCRYPT_PK, &p, &ct));
    REQUIRE_OK(fixture_decrypt(&f, &ct, 1, &out));
    REQUIRE_OK(decode_values(f.context, &out, decoded, n / 2, 1, f.workspace, f.workspace_bytes));
    for (uint32_t i = 0; i < n; i++) CHECK_NEAR(decoded[i], values[i], 0x1p-20);
}
