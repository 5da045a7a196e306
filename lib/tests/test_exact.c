// SPDX-License-Identifier: Apache-2.0
// BFV and BGV: every way from values to a ciphertext and back, its noise, and what is refused. Python tests compare words with SEAL's
// (tests/oracle, tests/interop).
#include "back_ends.h"
#include "fixture.h"

enum { N = 512, VALUES = 4 * N };

typedef struct exact {
    fixture_t f;
    rs_ciphertext_t ciphertext;
    uint64_t *values; // a message
    uint64_t *got;
} exact_t;

static int exact_init(exact_t *x, uint32_t scheme, uint32_t n, const uint32_t *bits, uint32_t limbs, uint64_t t) {
    rs_params_t params;
    memset(x, 0, sizeof *x);
    if (!CHECK_OK(params_of_scheme(&params, scheme, n, bits, limbs, t))) return 0;
    fixture_of(&x->f, &params);
    CHECK_OK(rs_key_check(x->f.context, &x->f.secret, &x->f.public_key, fixture_room(&x->f)));
    x->ciphertext.data = words(3 * (size_t)limbs * n);
    x->values = words(n);
    x->got = words(n);
    return 1;
}

typedef struct way {
    uint32_t kind, seeded, ntt, unsigned_values, packing, limbs;
} way_t;

static rs_layout_t layout_of(way_t way) { return (rs_layout_t){.format = way.unsigned_values, .packing = way.packing}; }

static rs_status_t encrypt(exact_t *x, way_t way, uint32_t count) {
    const rs_layout_t layout = layout_of(way);
    const rs_encrypt_item_t item = {
        .values = x->values, .layout = &layout, .count = count, .limb_count = way.limbs, .ciphertext = &x->ciphertext};
    return FIXTURE_ENCRYPT(&x->f, item, .kind = way.kind, .seeded = way.seeded, .ntt = way.ntt);
}

static rs_status_t decrypt(exact_t *x, way_t way, uint32_t count, uint32_t margin) {
    const rs_layout_t layout = layout_of(way);
    const rs_decrypt_item_t item = {
        .ciphertext = &x->ciphertext, .values = x->got, .layout = &layout, .count = count, .limb_count = way.limbs};
    return FIXTURE_DECRYPT(&x->f, item, .margin_bits = margin);
}

static rs_status_t budget(exact_t *x, uint32_t *bits) {
    return rs_noise_budget(x->f.context, &x->f.secret, &x->ciphertext, "owner", bits, fixture_room(&x->f));
}

// Values of which some are the least, the largest, and next to the middle.
static void fill(exact_t *x, way_t way, uint32_t count) {
    const uint64_t t = x->f.params.plain_modulus, half = t / 2;
    uint64_t state = 99;
    for (uint32_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t v = i == 0 ? 0 : i == 1 ? t - 1 : i == 2 ? half : i == 3 ? (half + 1) % t : (state >> 3) % t;
        if (!way.unsigned_values && v >= (t + 1) / 2) v -= t;
        x->values[i] = v;
    }
}

static void round_trip(exact_t *x, way_t way, uint32_t count) {
    fill(x, way, count);
    memset(x->got, 0x55, x->f.context ? (size_t)8 << x->f.params.log_n : 0);
    if (!CHECK_OK(encrypt(x, way, count))) return;
    CHECK_EQ_U64(x->ciphertext.form, x->f.params.scheme == RS_SCHEME_BFV && !way.ntt);
    CHECK_OK(decrypt(x, way, (uint32_t)1 << x->f.params.log_n, 2));
    CHECK(memcmp(x->got, x->values, count * sizeof *x->got) == 0);
    CHECK(is_zero(x->got + count, (((size_t)1 << x->f.params.log_n) - count) * 8));
    uint32_t bits = 0;
    CHECK_OK(budget(x, &bits));
    CHECK(bits >= 1);
    CHECK(is_zero(x->f.workspace, x->f.workspace_bytes));
}

RS_TEST(every_way_there_and_back) {
    static const uint32_t BITS[] = {40, 36, 36, 60, 41};
    static const uint64_t PLAIN[] = {65537, 2, 3, 1024, 1000003, ((uint64_t)1 << 50) - 27};
    for (uint32_t scheme = RS_SCHEME_BFV; scheme <= RS_SCHEME_BGV; scheme += 2) {
        for (unsigned p = 0; p < sizeof PLAIN / sizeof *PLAIN; p++) {
            for (uint32_t limbs = 1; limbs <= 5; limbs += 2) {
                exact_t x;
                const int slots = PLAIN[p] == 65537;
                if (limbs == 1 && PLAIN[p] >> 30) continue; // no room for noise
                if (!exact_init(&x, scheme, N, BITS, limbs, PLAIN[p])) continue;
                for (unsigned k = 0; k < 64; k++) {
                    const way_t way = {.kind = k % 3,
                                       .seeded = k % 3 ? 0 : k >> 2 & 1,
                                       .ntt = scheme == RS_SCHEME_BFV ? k >> 3 & 1 : 0,
                                       .unsigned_values = k >> 4 & 1,
                                       .packing = slots ? k >> 5 : 1};
                    round_trip(&x, way, k & 4 ? N : 5);
                }
            }
        }
    }
}

RS_TEST(large_plain_moduli_and_lower_levels) {
    static const uint32_t BITS[] = {60, 60, 60, 60};
    const uint64_t largest = ((uint64_t)1 << 60) - 93; // prime, and no modulus
    for (uint32_t scheme = RS_SCHEME_BFV; scheme <= RS_SCHEME_BGV; scheme += 2) {
        exact_t x;
        if (!exact_init(&x, scheme, 2 * N, BITS, 4, largest)) continue;
        for (uint32_t limbs = 2; limbs <= 3; limbs++) {
            for (uint32_t kind = 0; kind < 3; kind++) round_trip(&x, (way_t){.kind = kind, .packing = 1, .limbs = limbs}, 2 * N);
        }
        CHECK_STATUS(encrypt(&x, (way_t){.packing = 1, .limbs = 1}, 1), largest < x.f.params.moduli[0] ? RS_OK : RS_ERR_LEVEL);
        CHECK_STATUS(encrypt(&x, (way_t){.packing = 1, .limbs = 4}, 1), RS_ERR_LEVEL);
    }
}

// Slot i of the first row is the value at psi^(3^i), of the second at psi^(-3^i).
RS_TEST(slots_are_values_at_roots) {
    static const uint32_t BITS[] = {40, 40};
    exact_t x;
    REQUIRE(exact_init(&x, RS_SCHEME_BFV, N, BITS, 2, 65537));
    rs_plaintext_t plaintext = {.message = words(N)};
    fill(&x, (way_t){0}, N);
    CHECK_OK(rs_encode(
        RS_REQUEST(rs_encode_request_t, .context = x.f.context, .values = x.values, .count = N, .plaintext = &plaintext)));
    uint64_t psi = 2; // the smallest of order 2N: psi^N = -1
    for (;; psi++) {
        uint64_t power = psi;
        for (unsigned k = 1; k < N; k *= 2) power = power * power % 65537;
        if (power == 65536) break;
    }
    uint64_t exponent = 1;
    for (unsigned i = 0; i < N / 2; i++, exponent = exponent * 3 % (2 * N)) {
        for (unsigned row = 0; row < 2; row++) {
            uint64_t root = 1, sum = 0;
            for (uint64_t e = row ? 2 * N - exponent : exponent; e; e--) root = root * psi % 65537;
            for (unsigned k = N; k-- > 0;) sum = (sum * root + ((uint64_t *)plaintext.message)[k]) % 65537;
            CHECK_EQ_U64(sum, (x.values[row * (N / 2) + i] + 65537) % 65537);
        }
    }
    CHECK_OK(
        rs_decode(RS_REQUEST(rs_decode_request_t, .context = x.f.context, .plaintext = &plaintext, .values = x.got, .count = N)));
    CHECK(memcmp(x.got, x.values, N * sizeof *x.got) == 0);
}

// c1 = 0 and c0 = the phase: what is nearest to a half, and by how much.
static void set_phase(exact_t *x, const uint64_t *residues) {
    const uint32_t limbs = x->ciphertext.limb_count;
    memset(x->ciphertext.data, 0, 2 * (size_t)limbs * N * 8);
    for (uint32_t i = 0; i < limbs; i++)
        for (size_t k = 0; k < N; k++) x->ciphertext.data[i * N + k] = residues[i];
}

RS_TEST(rounding_near_a_half) {
    static const uint32_t BITS[] = {40, 41};
    exact_t x;
    REQUIRE(exact_init(&x, RS_SCHEME_BFV, N, BITS, 2, 65537));
    const uint64_t q = x.f.params.moduli[0], t = 65537;
    const way_t way = {.packing = 1, .unsigned_values = 1};
    CHECK_OK(encrypt(&x, way, 1));
    for (uint64_t m = 0; m < t; m += 9999) {
        const uint64_t least = (q * (2 * m + 1)) / (2 * t) + 1; // the first phase that rounds to m + 1; t q < 2^57
        for (unsigned k = 0; k < 24; k++) {
            const uint64_t distance = ((uint64_t)1 << k) - 1;
            if (distance > q / t / 3) break;
            for (unsigned up = 0; up < 2; up++) {
                const uint64_t phase = up ? least + distance : least - 1 - distance;
                set_phase(&x, &phase);
                CHECK_OK(decrypt(&x, way, 1, 0));
                CHECK_EQ_U64(x.got[0], (m + up) % t);
                const double far = (double)(distance + 1) * (double)t / (double)q; // distance from the half, or up to t / q less
                for (uint32_t margin = 2; margin < 30; margin++) {
                    if (far < 0.98 / (double)(1u << margin)) CHECK_STATUS(decrypt(&x, way, 1, margin), RS_ERR_NOISE);
                    if (far - (double)t / (double)q > 1.02 / (double)(1u << margin)) CHECK_OK(decrypt(&x, way, 1, margin));
                }
            }
        }
    }
}

// ---- switched decryption -----------------------------------------------------------------------------------------------
static uint64_t next_word(void) {
    static uint64_t state = 5;
    return rs_test_random(&state);
}

// Both polynomials times one of small coefficients: what is left of a message is its noise's business.
static void multiply(exact_t *x, unsigned magnitude) {
    const size_t n = (size_t)1 << x->f.params.log_n;
    int8_t *small = (int8_t *)words(n / 8 + 1);
    uint64_t *factor = words(n);
    for (size_t k = 0; k < n; k++) small[k] = (int8_t)((int)(next_word() % (2 * magnitude + 1)) - (int)magnitude);
    for (uint32_t i = 0; i < x->ciphertext.limb_count; i++) {
        const rs_plan_t *plan = rs_context_plan(x->f.context, i);
        rs_plan_lift(plan, factor, small, 1);
        rs_plan_forward(plan, factor);
        for (uint32_t j = 0; j < 2; j++) {
            uint64_t *c = x->ciphertext.data + ((size_t)j * x->ciphertext.limb_count + i) * n;
            rs_plan_forward(plan, c);
            rs_plan_mul(plan, c, c, factor);
            rs_plan_inverse(plan, c);
        }
    }
}

// A margin of 48 bits makes decryption go the long way.
RS_TEST(switched_answers_of_a_server) {
    static const uint32_t BITS[][6] = {{40, 36, 36, 41}, {30, 30, 30, 30, 30, 30}, {55, 56, 56, 57}, {60, 60, 60, 60}};
    static const uint64_t PLAIN[] = {65537, 2, 262139, ((uint64_t)1 << 40) - 87};
    unsigned compared = 0;
    EACH (back_end) {
        for (unsigned k = 0; k < 16; k++) {
            exact_t x;
            const way_t way = {.packing = 1, .kind = k & 4 ? RS_ENCRYPT_SK : RS_ENCRYPT_PK};
            uint64_t *want = words(N);
            if (!exact_init(&x, RS_SCHEME_BFV, N, BITS[k / 4], BITS[k / 4][4] ? 6 : 4, PLAIN[k % 4])) continue;
            fill(&x, way, N);
            if (!CHECK_OK(encrypt(&x, way, N))) continue;
            for (uint32_t bits = 1; bits; multiply(&x, 3)) {
                CHECK_OK(budget(&x, &bits));
                if (!bits) break;
                CHECK_OK(decrypt(&x, way, N, 48));
                memcpy(want, x.got, N * sizeof *want);
                CHECK_OK(decrypt(&x, way, N, 0));
                CHECK_EQ_MEM(x.got, want, N * sizeof *want);
                CHECK(is_zero(x.f.workspace, x.f.workspace_bytes));
                compared++;
            }
        }
    }
    CHECK(compared > 200);
}

// c0 = phase - c1 s with any c1: next to a half the rounding of the switch decides, from (1 + N) / 2 of its units on it does not.
RS_TEST(switched_near_a_half) {
    static const uint32_t BITS[] = {40, 36, 41};
    const uint64_t t = 65537, m = 12345;
    const way_t way = {.packing = 1, .unsigned_values = 1};
    exact_t x;
    REQUIRE(exact_init(&x, RS_SCHEME_BFV, N, BITS, 3, t));
    CHECK_OK(encrypt(&x, way, 1));
    const uint64_t q = x.f.params.moduli[0], other = x.f.params.moduli[1];
    const uint64_t least = (q * (2 * m + 1)) / (2 * t) + 1; // times `other`: the first phase that rounds to m + 1
    uint64_t *product = words(N);
    for (unsigned k = 0; k < 20; k++) {
        const uint64_t distance = k < 2 ? 0 : (N + 1) / 2 + 1 + ((uint64_t)1 << (k - 2)) - 1;
        const uint64_t phase = k % 2 ? least + distance : least - 1 - distance;
        for (uint32_t i = 0; i < 2; i++) {
            const rs_plan_t *plan = rs_context_plan(x.f.context, i);
            const uint64_t modulus = x.f.params.moduli[i];
            uint64_t *c0 = x.ciphertext.data + i * N, *c1 = c0 + 2 * N;
            for (size_t n = 0; n < N; n++) c0[n] = phase % modulus, product[n] = other % modulus;
            rs_plan_mul(plan, c0, c0, product);
            for (size_t n = 0; n < N; n++) product[n] = c1[n] = next_word() % modulus;
            rs_plan_forward(plan, product);
            rs_plan_mul(plan, product, product, x.f.secret.ntt + i * N);
            rs_plan_inverse(plan, product);
            rs_plan_sub(plan, c0, c0, product);
        }
        CHECK_OK(decrypt(&x, way, N, 30));
        for (size_t n = 0; n < N; n++) CHECK_EQ_U64(x.got[n], m + k % 2);
        CHECK_OK(decrypt(&x, way, N, 0));
        unsigned differs = 0;
        for (size_t n = 0; n < N; n++) differs += x.got[n] != m + k % 2;
        CHECK(k < 2 ? differs > 50 : differs == 0);
    }
}

// ---- back ends -------------------------------------------------------------------------------------------------------------
static uint64_t digest_words(const uint64_t *p, size_t count) {
    uint64_t digest = 1;
    for (size_t i = 0; i < count; i++) digest = (digest ^ p[i]) * UINT64_C(0x100000001b3);
    return digest;
}

// A digest of all that a back end computes for keys, ciphertexts, values and budgets.
static uint64_t digest_of(uint32_t scheme, uint32_t modulus_bits, uint64_t t) {
    const uint32_t bits[] = {modulus_bits, modulus_bits, modulus_bits, modulus_bits};
    uint64_t digest = 1;
    exact_t x;
    if (!exact_init(&x, scheme, N, bits, 4, t)) return 0;
    for (unsigned k = 0; k < 12; k++) {
        const way_t way = {.kind = k % 3, .packing = t != 65537 || k & 1, .ntt = scheme == RS_SCHEME_BFV && k >= 6};
        uint32_t left = 0;
        fill(&x, way, N);
        if (!CHECK_OK(encrypt(&x, way, N))) continue;
        digest = digest * 31 + digest_words(x.ciphertext.data, 6 * N);
        for (unsigned margin = 0; margin < 2; margin++) {
            CHECK_OK(decrypt(&x, way, N, 48 * margin));
            CHECK_EQ_MEM(x.got, x.values, N * sizeof *x.got);
            digest = digest * 31 + digest_words(x.got, N);
        }
        CHECK_OK(budget(&x, &left));
        digest = digest * 31 + left;
    }
    return digest;
}

RS_TEST(back_ends_compute_the_same) {
    static const uint32_t BITS[] = {30, 43, 48, 56, 60};
    static const uint64_t PLAIN[] = {65537, 1032193, ((uint64_t)1 << 40) - 87, ((uint64_t)1 << 58) - 27};
    uint64_t want[40];
    CHECK_OK(rs_backend_select("portable"));
    for (unsigned round = 0; round < 40; round++) {
        want[round] = digest_of(round < 20 ? RS_SCHEME_BFV : RS_SCHEME_BGV, BITS[round % 5], PLAIN[round / 5 % 4]);
        CHECK(want[round]);
    }
    EACH (k) {
        for (unsigned round = 0; round < 40; round++) {
            const uint32_t scheme = round < 20 ? RS_SCHEME_BFV : RS_SCHEME_BGV;
            CHECK_EQ_U64(digest_of(scheme, BITS[round % 5], PLAIN[round / 5 % 4]), want[round]);
        }
    }
}

RS_TEST(noise_budgets) {
    static const uint32_t BITS[] = {40, 41};
    for (uint32_t scheme = RS_SCHEME_BFV; scheme <= RS_SCHEME_BGV; scheme += 2) {
        exact_t x;
        if (!exact_init(&x, scheme, N, BITS, 2, 1000)) continue;
        CHECK_OK(encrypt(&x, (way_t){.packing = 1, .ntt = 0}, 1));
        const uint64_t q = x.f.params.moduli[0];
        uint32_t bits = 0, q_bits = 40;
        for (unsigned k = 0; k < 39; k++) {
            // phases of BGV are in NTT form: a constant is the same in both. BFV's noise is t times as large
            const uint64_t noise = (uint64_t)1 << k;
            for (unsigned sign = 0; sign < 2; sign++) {
                const uint64_t phase = sign ? q - noise : noise;
                memset(x.ciphertext.data, 0, 2 * N * 8);
                for (unsigned i = 0; i < (scheme == RS_SCHEME_BGV ? N : 1); i++) x.ciphertext.data[i] = phase;
                CHECK_OK(budget(&x, &bits));
                const uint64_t y = scheme == RS_SCHEME_BFV ? (uint64_t)((double)noise < 0x1p29 ? noise * 1000 % q : 0) : noise;
                if (!y) continue;
                const uint64_t magnitude = y > q / 2 ? q - y : y;
                const uint32_t used = 64 - (uint32_t)__builtin_clzll(magnitude) + 1;
                CHECK_EQ_U64(bits, used < q_bits ? q_bits - used : 0);
            }
        }
    }
}

// A server's answer of three polynomials (1, s, s^2), which nobody has relinearised, and BGV's correction factor.
RS_TEST(three_polynomials_and_factors) {
    static const uint32_t BITS[] = {40, 40, 41};
    for (uint32_t scheme = RS_SCHEME_BFV; scheme <= RS_SCHEME_BGV; scheme += 2) {
        for (uint32_t ntt = scheme == RS_SCHEME_BGV; ntt < 2; ntt++) {
            exact_t x;
            if (!exact_init(&x, scheme, N, BITS, 3, 65537)) continue;
            const way_t way = {.ntt = scheme == RS_SCHEME_BFV && ntt};
            fill(&x, way, N);
            CHECK_OK(encrypt(&x, way, N));
            // (c0, c1) = (c0 + a s, c1 + a' …): c1 + c2 s with c2 = 1 and c1 - s in place of c1
            for (uint32_t i = 0; i < 2; i++) {
                uint64_t *c1 = x.ciphertext.data + (2 + i) * N, *c2 = x.ciphertext.data + (4 + i) * N;
                const rs_plan_t *plan = rs_context_plan(x.f.context, i);
                if (!ntt) rs_plan_forward(plan, c1);
                rs_plan_sub(plan, c1, c1, x.f.secret.ntt + i * N);
                for (size_t k = 0; k < N; k++) c2[k] = 1;
                if (!ntt) rs_plan_inverse(plan, c1), rs_plan_inverse(plan, c2);
            }
            x.ciphertext.poly_count = 3;
            CHECK_OK(decrypt(&x, way, N, 0));
            CHECK(memcmp(x.got, x.values, N * 8) == 0);
            x.ciphertext.correction_factor = 12345;
            if (scheme == RS_SCHEME_BFV) {
                CHECK_STATUS(decrypt(&x, way, N, 0), RS_ERR_CORRECTION);
                continue;
            }
            CHECK_OK(decrypt(&x, way, N, 0));
            for (size_t i = 0; i < N; i++) CHECK_EQ_U64((x.got[i] + 65537) % 65537 * 12345 % 65537, (x.values[i] + 65537) % 65537);
            x.ciphertext.correction_factor = 65537;
            CHECK_STATUS(decrypt(&x, way, N, 0), RS_ERR_CORRECTION);
            x.ciphertext.correction_factor = 0;
            CHECK_STATUS(decrypt(&x, way, N, 0), RS_ERR_CORRECTION);
        }
    }
}

// A phase that is known to be small is there in the first limbs, too.
RS_TEST(bgv_from_fewer_limbs) {
    static const uint32_t BITS[] = {40, 36, 36, 41};
    exact_t x;
    REQUIRE(exact_init(&x, RS_SCHEME_BGV, N, BITS, 4, 65537));
    for (uint32_t kind = 0; kind < 3; kind++) {
        fill(&x, (way_t){0}, N);
        CHECK_OK(encrypt(&x, (way_t){.kind = kind}, N));
        for (uint32_t limbs = 1; limbs <= 3; limbs++) {
            memset(x.got, 0x55, N * 8);
            CHECK_OK(decrypt(&x, (way_t){.limbs = limbs}, N, 2));
            CHECK_EQ_MEM(x.got, x.values, N * 8);
        }
        CHECK_STATUS(decrypt(&x, (way_t){.limbs = 4}, N, 0), RS_ERR_LEVEL);
    }
    REQUIRE(exact_init(&x, RS_SCHEME_BFV, N, BITS, 4, 65537));
    CHECK_OK(encrypt(&x, (way_t){0}, N));
    CHECK_STATUS(decrypt(&x, (way_t){.limbs = 2}, N, 0), RS_ERR_LEVEL);
    CHECK_OK(decrypt(&x, (way_t){.limbs = 3}, N, 0));
}

RS_TEST(parameters) {
    static const uint32_t BITS[] = {40, 41};
    rs_params_t p;
    CHECK_STATUS(params_of_scheme(&p, RS_SCHEME_BFV, N, BITS, 2, 0), RS_ERR_PLAIN_MODULUS);
    CHECK_STATUS(params_of_scheme(&p, RS_SCHEME_BFV, N, BITS, 2, 1), RS_ERR_PLAIN_MODULUS);
    CHECK_STATUS(params_of_scheme(&p, RS_SCHEME_BFV, N, BITS, 2, (uint64_t)1 << 60), RS_ERR_PLAIN_MODULUS);
    CHECK_STATUS(params_of_scheme(&p, RS_SCHEME_BGV, N, BITS, 2, (uint64_t)1 << 40), RS_ERR_PLAIN_MODULUS); // not below q
    CHECK_OK(params_of_scheme(&p, RS_SCHEME_BGV, N, BITS, 2, 2));
    const uint64_t prime = p.moduli[1];
    CHECK_STATUS(params_of_scheme(&p, RS_SCHEME_BGV, N, BITS, 2, 2 * prime), RS_ERR_PLAIN_MODULUS);
    CHECK_STATUS(params_of_scheme(&p, RS_SCHEME_CKKS, N, BITS, 2, 65537), RS_ERR_OPTION);
    CHECK_STATUS(params_of_scheme(&p, 4, N, BITS, 2, 65537), RS_ERR_SCHEME);
    CHECK_STATUS(rs_params_init(&p, RS_REQUEST(rs_params_request_t, .name = "lee-12", .scheme = RS_SCHEME_BFV)), RS_ERR_SCHEME);
    CHECK_STATUS(rs_params_init(&p, RS_REQUEST(rs_params_request_t, .name = "bfv-12", .plain_bits = 20, .plain_modulus = 3)),
                 RS_ERR_OPTION);
    CHECK_OK(rs_params_init(&p, RS_REQUEST(rs_params_request_t, .name = "bgv-13", .plain_bits = 20)));
    CHECK_EQ_U64(p.plain_modulus, 1032193); // SEAL's PlainModulus::Batching(8192, 20)
    CHECK_STATUS(rs_params_init(&p, RS_REQUEST(rs_params_request_t, .name = "bgv-13", .plain_bits = 14)), RS_ERR_PLAIN_MODULUS);
    CHECK_STATUS(rs_params_init(&p, RS_REQUEST(rs_params_request_t, .name = "bgv-13", .plain_bits = 15)), RS_ERR_PRIMES);
    CHECK_OK(rs_params_init(&p, RS_REQUEST(rs_params_request_t, .name = "bfv-14")));
    CHECK_EQ_U64(p.plain_modulus, 65537);
}

RS_TEST(refused) {
    static const uint32_t BITS[] = {40, 41};
    exact_t x;
    REQUIRE(exact_init(&x, RS_SCHEME_BFV, N, BITS, 2, 1024));
    uint32_t bits = 0;
    const way_t way = {.packing = 1};
    CHECK_STATUS(encrypt(&x, (way_t){0}, 1), RS_ERR_BATCHING);
    CHECK_STATUS(encrypt(&x, way, N + 1), RS_ERR_VALUE_COUNT);
    CHECK_STATUS(encrypt(&x, (way_t){.packing = 2}, 1), RS_ERR_OPTION);
    CHECK_STATUS(encrypt(&x, (way_t){.packing = 1, .unsigned_values = 2}, 1), RS_ERR_LAYOUT);
    CHECK_STATUS(encrypt(&x, (way_t){.packing = 1, .ntt = 2}, 1), RS_ERR_OPTION);
    static const int64_t BEYOND[] = {512, -513, INT64_MAX, INT64_MIN, 1024}, WITHIN[] = {511, -512, 0};
    for (unsigned i = 0; i < 5; i++) {
        x.values[3] = (uint64_t)BEYOND[i];
        CHECK_STATUS(encrypt(&x, way, 4), RS_ERR_VALUE_RANGE);
        CHECK(is_zero(x.f.workspace, x.f.workspace_bytes));
    }
    for (unsigned i = 0; i < 3; i++) {
        x.values[3] = (uint64_t)WITHIN[i];
        CHECK_OK(encrypt(&x, way, 4));
    }
    for (unsigned i = 0; i < 5; i++) {
        x.values[3] = (uint64_t)BEYOND[i];
        CHECK_STATUS(encrypt(&x, (way_t){.packing = 1, .unsigned_values = 1}, 4), BEYOND[i] == 512 ? RS_OK : RS_ERR_VALUE_RANGE);
    }
    x.values[3] = 0;
    rs_plaintext_t plaintext = {.message = words(N), .ntt = words(N)};
    rs_encode_request_t encode = {.size = sizeof encode,
                                  .count = 4,
                                  .context = x.f.context,
                                  .values = x.values,
                                  .layout = &(rs_layout_t){.packing = 1},
                                  .plaintext = &plaintext};
    CHECK_OK(rs_encode(&encode));
    rs_encode_request_t other = encode;
    other.scale = 1.0;
    CHECK_STATUS(rs_encode(&other), RS_ERR_SCHEME);
    rs_encrypt_item_t item = {.plaintext = &plaintext, .ciphertext = &x.ciphertext};
    rs_encrypt_request_t request = {.size = sizeof request,
                                    .kind = RS_ENCRYPT_PK,
                                    .context = x.f.context,
                                    .public_key = &x.f.public_key,
                                    .items = &item,
                                    .count = 1,
                                    .rng = &x.f.rng,
                                    .workspace = fixture_room(&x.f)};
    CHECK_OK(rs_encrypt(&request));
    ((uint64_t *)plaintext.message)[5] = 1024;
    CHECK_STATUS(rs_encrypt(&request), RS_ERR_RESIDUE);
    plaintext.form = RS_FORM_NTT;
    CHECK_STATUS(rs_encrypt(&request), RS_ERR_FORM);
    CHECK_STATUS(rs_plaintext_limb(x.f.context, &plaintext, 0, x.got), RS_ERR_FORM);
    CHECK_STATUS(rs_noise_budget(x.f.context, &x.f.secret, &x.ciphertext, NULL, &bits, fixture_room(&x.f)), RS_ERR_CONSENT);
    CHECK_STATUS(rs_noise_budget(x.f.context, &x.f.secret, &x.ciphertext, "server", &bits, fixture_room(&x.f)), RS_ERR_CONSENT);
    CHECK_OK(encrypt(&x, way, 4));
    CHECK_STATUS(decrypt(&x, way, 4, 1), RS_ERR_OPTION);
    CHECK_STATUS(decrypt(&x, way, 4, 49), RS_ERR_OPTION);
    CHECK_STATUS(decrypt(&x, (way_t){0}, 4, 0), RS_ERR_BATCHING);
    x.f.public_key.form = 1;
    CHECK_STATUS(rs_encrypt(&request), RS_ERR_NOT_NTT);
    CHECK_STATUS(rs_key_check(x.f.context, &x.f.secret, &x.f.public_key, fixture_room(&x.f)), RS_ERR_NOT_NTT);
}

// A key of one scheme or one t is not that of another: its parms_id says so.
RS_TEST(other_contexts) {
    static const uint32_t BITS[] = {40, 41};
    exact_t x, y;
    REQUIRE(exact_init(&x, RS_SCHEME_BFV, N, BITS, 2, 65537) && exact_init(&y, RS_SCHEME_BGV, N, BITS, 2, 65537));
    CHECK_STATUS(rs_key_check(y.f.context, &x.f.secret, NULL, fixture_room(&x.f)), RS_ERR_MISMATCH);
    const rs_secret_key_t own = x.f.secret;
    x.f.secret = y.f.secret;
    CHECK_STATUS(encrypt(&x, (way_t){0}, 1), RS_ERR_MISMATCH);
    x.f.secret = own;
    // BGV's key pair has t times an error, which BFV's check must not take for one
    rs_ciphertext_t foreign = y.f.public_key;
    memcpy(foreign.parms_id, x.f.public_key.parms_id, sizeof foreign.parms_id);
    rs_secret_key_t of_other = y.f.secret;
    memcpy(of_other.parms_id, x.f.secret.parms_id, sizeof of_other.parms_id);
    CHECK_STATUS(rs_key_check(x.f.context, &of_other, &foreign, fixture_room(&x.f)), RS_ERR_KEY_PAIR);
}
