// SPDX-License-Identifier: Apache-2.0
// Publishing decryptions: rounding, discrete Gaussians, and decoding with both.
#include <math.h>

#include "arith/wide.h"
#include "base/bytes.h"
#include "fixture.h"
#include "sampling/gaussian.h"

// Under a sanitizer drawing is slow, and what it looks for shows in few samples.
#ifdef __SANITIZE_ADDRESS__
enum { MANY = 1 << 14 };
#else
enum { MANY = 1 << 16 };
#endif
enum { N = 1024, SLOTS = N / 2 };

// What rounding is, by the mathematics library: exact where x 2^bits is.
static double rounded(double x, int bits) {
    const double result = ldexp(round(ldexp(x, bits)), -bits);
    return result == 0 ? 0 : result;
}

RS_TEST(published_values_are_rounded) {
    static const int BITS_AFTER[] = {-200, -60, -3, 0, 1, 12, 30, 52, 53, 100, 200};
    uint64_t state = 5;
    for (unsigned b = 0; b < sizeof BITS_AFTER / sizeof *BITS_AFTER; b++) {
        const int bits = BITS_AFTER[b];
        for (unsigned i = 0; i < 20000; i++) {
            double x = ldexp((double)(int64_t)rs_test_random(&state), -63); // around every place where the last bit may be
            x = ldexp(x, -bits + (int)(rs_test_random(&state) % 120) - 60);
            if (i % 4 == 0) x = ldexp((double)(int64_t)(rs_test_random(&state) % 4097) - 2048.0, -bits - 1); // ties
            double got = x;
            CHECK_OK(rs_publish_round(&got, 1, bits));
            const double want = rounded(x, bits);
            if (!CHECK(got == want && signbit(got) == signbit(want))) printf("%a to %d bits: %a, want %a\n", x, bits, got, want);
            for (int step = -1; step <= 1; step += 2) { // and the neighbours of ties
                double near = nextafter(x, step * INFINITY);
                const double truth = rounded(near, bits);
                CHECK_OK(rs_publish_round(&near, 1, bits));
                CHECK(near == truth);
            }
        }
    }
    double extreme[] = {INFINITY, -INFINITY, 1.7976931348623157e308, -1.7976931348623157e308, 0x1p-1074, -0x1p-1074,
                        -0.0,     -0x1p-1022};
    CHECK_OK(rs_publish_round(extreme, 8, RS_PUBLISH_BITS_MIN));
    CHECK(extreme[0] == INFINITY && extreme[1] == -INFINITY);
    CHECK(extreme[2] == 1.7976931348623157e308 && extreme[3] == -1.7976931348623157e308);
    for (unsigned i = 4; i < 8; i++) CHECK(extreme[i] == 0 && !signbit(extreme[i])); // the sign of what is gone is gone too
    CHECK_STATUS(rs_publish_round(extreme, 8, RS_PUBLISH_BITS_MIN - 1), RS_ERR_PUBLISH);
    CHECK_STATUS(rs_publish_round(extreme, 8, RS_PUBLISH_BITS_MAX + 1), RS_ERR_PUBLISH);
    CHECK_STATUS(rs_publish_round(NULL, 1, 0), RS_ERR_NULL);
    CHECK_OK(rs_publish_round(NULL, 0, 0));
}

RS_TEST(public_decoding_rounds_and_floods) {
    static const uint32_t WIDE[] = {60, 60, 60};
    static double exact[SLOTS], published[SLOTS];
    fixture_t f;
    fixture_init(&f, N, WIDE, 3);
    const size_t words_of_plaintext = (size_t)2 * N;
    rs_plaintext_t message = {.message = rs_test_own(malloc(N * sizeof(double)))}, opened = {.ntt = words(words_of_plaintext)};
    rs_plaintext_t again = {.ntt = words(words_of_plaintext)};
    const size_t size = 2 * decrypt_bytes(f.context);
    uint64_t *w = words(size / 8);
    for (unsigned i = 0; i < SLOTS; i++) exact[i] = sin(i);
    REQUIRE_OK(encode_values(f.context, &message, exact, SLOTS, 0, 0x1p60, 2));
    rs_ciphertext_t sealed = {.data = words(words_of_plaintext), .seeded = 1, .seed_type = RS_SEED_SHAKE256};
    REQUIRE_OK(fixture_encrypt(&f, RS_ENCRYPT_SK, &message, &sealed));
    REQUIRE_OK(fixture_decrypt(&f, &sealed, 2, &opened));
    uint64_t *const memory = again.ntt;
    again = opened;
    again.ntt = memory;
    for (uint32_t flood_bits = 0; flood_bits <= 40; flood_bits += 40) {
        const rs_publish_t publish = {.bits = flood_bits ? 50 : 12, .flood_bits = flood_bits ? flood_bits : RS_FLOOD_NONE};
        memcpy(again.ntt, opened.ntt, words_of_plaintext * 8);
        REQUIRE_OK(decode_values(f.context, &again, exact, SLOTS, 0, w, size));
        memcpy(again.ntt, opened.ntt, words_of_plaintext * 8);
        memset(w, 0x55, size);
        REQUIRE_OK(decode_public(f.context, &again, published, SLOTS, 0, &publish, flood_bits ? &f.rng : NULL, w, size));
        double square = 0;
        for (unsigned i = 0; i < SLOTS; i++) {
            CHECK(published[i] == rounded(published[i], publish.bits));
            if (!flood_bits) CHECK(published[i] == rounded(exact[i], publish.bits));
            square += (published[i] - exact[i]) * (published[i] - exact[i]);
        }
        const double predicted = rs_precision_published(f.context, &publish, 0x1p60);
        CHECK_NEAR(-0.5 * log2(square / SLOTS), predicted, 0.3); // 512 or 1024 slots: five standard deviations are 0.23
        for (size_t i = 0; flood_bits && i < size / 8; i++) CHECK_EQ_U64(w[i], 0); // the noise is wiped
    }
    const rs_publish_t bad[] = {{257, RS_FLOOD_NONE}, {-257, RS_FLOOD_NONE}, {12, 0}, {0, 3}, {0, 58}, {0, 120}};
    for (unsigned i = 0; i < 6; i++) {
        CHECK_STATUS(decode_public(f.context, &again, published, SLOTS, 0, &bad[i], &f.rng, w, size), RS_ERR_PUBLISH);
    }
    const rs_publish_t wide = {10, 57}; // more than one limb of 60 bits holds
    REQUIRE_OK(fixture_decrypt(&f, &sealed, 1, &opened));
    CHECK_STATUS(decode_public(f.context, &opened, published, SLOTS, 0, &wide, &f.rng, w, size), RS_ERR_OVERFLOW);
    CHECK_STATUS(decode_public(f.context, &opened, published, SLOTS, 0, &wide, NULL, w, size), RS_ERR_NULL);
    CHECK_STATUS(decode_public(f.context, &opened, published, SLOTS, 0, &wide, &f.rng, w, size - 1), RS_ERR_TOO_SMALL);
}

// ---- Gaussians ---------------------------------------------------------------------------------
static int64_t *draw(uint32_t bits, const rs_seed_t *seed) {
    int64_t *x = (int64_t *)words(MANY);
    rs_draw_gaussian(&RS_HASH_PORTABLE, x, MANY, seed, RS_DOMAIN_FLOOD, bits);
    return x;
}

// Mean, variance and fourth moment, each within six of its own standard deviations.
RS_TEST(gaussians_of_every_width) {
    for (uint32_t bits = RS_FLOOD_BITS_MIN; bits <= RS_FLOOD_BITS_MAX; bits += bits < 12 ? 1 : 15) {
        const int64_t *x = draw(bits, &(rs_seed_t){{(uint8_t)bits}});
        double mean = 0, square = 0, fourth = 0;
        for (size_t i = 0; i < MANY; i++) {
            const double z = ldexp((double)x[i], -(int)bits);
            CHECK(fabs(z) < 8); // none of 2^16 values is expected beyond 4.9
            mean += z / MANY;
            square += z * z / MANY;
            fourth += z * z * z * z / MANY;
        }
        CHECK_NEAR(mean, 0, 6 * sqrt(1.0 / MANY));
        CHECK_NEAR(square, 1, 6 * sqrt(2.0 / MANY));
        CHECK_NEAR(fourth, 3, 6 * sqrt(96.0 / MANY));
        CHECK(rs_flood_deviation(bits) == ldexp(1, (int)bits));
    }
    CHECK_EQ_U64((uint64_t)rs_flood_deviation(RS_FLOOD_BITS_MIN - 1), 0);
    CHECK_EQ_U64((uint64_t)rs_flood_deviation(RS_FLOOD_BITS_MAX + 1), 0);
}

// Each integer as often as the discrete Gaussian says.
RS_TEST(gaussians_are_the_discrete_ones) {
    for (uint32_t bits = 3; bits <= 6; bits++) {
        enum { RANGE = 512 };
        static double count[2 * RANGE + 1];
        const int64_t *x = draw(bits, &(rs_seed_t){{77}});
        const double variance = ldexp(1, 2 * (int)bits);
        double total = 0, chi_square = 0, cells = 0;
        memset(count, 0, sizeof count);
        for (size_t i = 0; i < MANY; i++) {
            REQUIRE(x[i] >= -RANGE && x[i] <= RANGE);
            count[x[i] + RANGE]++;
        }
        for (int v = -8 * RANGE; v <= 8 * RANGE; v++) total += exp(-v * v / (2 * variance));
        for (int v = -RANGE; v <= RANGE; v++) {
            const double expected = MANY * exp(-v * v / (2 * variance)) / total;
            if (expected < 20) continue;
            chi_square += (count[v + RANGE] - expected) * (count[v + RANGE] - expected) / expected;
            cells++;
        }
        CHECK(cells > 40);
        CHECK_NEAR(chi_square, cells, 6 * sqrt(2 * cells));
    }
}

// The candidates of the stream by doubles, which decide like 126 bits unless a number is nearer to its limit than any is here.
RS_TEST(gaussians_are_the_candidates_of_the_stream) {
    static const uint32_t WIDTHS[] = {4, 31, 57};
    for (unsigned w = 0; w < 3; w++) {
        const rs_seed_t seed = {{99}};
        const int bits = (int)WIDTHS[w];
        const int64_t *x = draw(WIDTHS[w], &seed);
        uint8_t bytes[RS_GAUSSIAN_BYTES];
        double total = 0;
        for (int i = 0; i < 40; i++) total += exp(-i * i / 8.0);
        size_t done = 0;
        for (uint64_t k = 0; done < MANY; k++) {
            rs_private_stream(bytes, sizeof bytes, &seed, RS_DOMAIN_FLOOD, k * sizeof bytes);
            double left = ldexp((double)(rs_load64(bytes) & INT64_MAX), -63) * total;
            int64_t base = 0;
            while (left >= exp(-(double)(base * base) / 8)) left -= exp(-(double)(base * base) / 8), base++;
            const int64_t fine = (int64_t)(rs_load64(bytes + 16) >> (65 - bits));
            const double v = ldexp((double)fine, 1 - bits);
            if (ldexp((double)rs_load64(bytes + 32), -64) >= exp(-v * (v + 2 * (double)base) / 8)) continue;
            const int64_t value = base * ((int64_t)1 << (bits - 1)) + fine;
            const int negative = bytes[7] >> 7;
            if (negative && !value) continue;
            REQUIRE(x[done] == (negative ? -value : value));
            done++;
        }
    }
}

// Whether it is kept with these 126 bits for x, v and coin.
static uint64_t decided(int64_t *value, const uint64_t *base, uint64_t v, rs_wide_t coin) {
    _Alignas(8) uint8_t bytes[RS_GAUSSIAN_BYTES];
    const uint64_t stream[] = {base[0], base[1] << 1, v, rs_wide_low(coin), rs_wide_high(coin) << 32};
    for (unsigned i = 0; i < 5; i++) rs_store64(bytes + 8 * i, stream[i]);
    return rs_gaussian_candidate(value, bytes, RS_FLOOD_BITS_MAX);
}

// Where x and the decision change, by all their bits. Rows: x, v in units of 2^-64, and 2^96 exp(-v (v + 2 x) / 8), by 80 decimal digits.
RS_TEST(candidates_are_decided_by_all_bits) {
    static const uint64_t BASE[][2] = {
#include "sampling/gaussian_base.inc"
    };
    static const uint64_t ROWS[][4] = {
        {0, 0x0004000000000000, 0xfffffffe, 0x00000001fffffffe},  {0, 0x8000000000000000, 0xf81fab54, 0x45aebc8a58055fcb},
        {0, 0xffffffffffffff00, 0xe1eb5127, 0x6c110c74b985707a},  {1, 0x4000000000000000, 0xee9e44d9, 0x344a6fea76cde581},
        {4, 0xb504f333f9de6400, 0x7693f568, 0xee0899da6bcba7e0},  {11, 0x8000000000000100, 0x3ebc4999, 0x998333d223bebe85},
        {26, 0xffffffffffffff00, 0x0056f3ae, 0x8f6b7a01e58e472f},
    };
    int64_t value;
    CHECK(decided(&value, BASE[0], 0, rs_wide(UINT32_MAX, UINT64_MAX))); // v = 0 is never refused
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const uint64_t x = ROWS[i][0], v = ROWS[i][1], margin = (ROWS[i][2] >> (81 - 64)) + 8;
        const uint64_t base[2] = {x ? BASE[x - 1][0] : 0, x ? BASE[x - 1][1] : 0};
        const rs_wide_t exact = rs_wide(ROWS[i][2], ROWS[i][3]);
        CHECK(decided(&value, base, v, rs_wide_add(exact, rs_wide(UINT64_MAX, 0 - margin))));
        CHECK(value == (int64_t)((x << 56) + (v >> 8)));
        CHECK(!decided(&value, base, v, rs_wide_add(exact, rs_wide(0, margin))));
        if (!x) continue;
        const uint64_t before[2] = {base[0] - !base[1], (base[1] - 1) & INT64_MAX};
        CHECK(decided(&value, before, v, rs_wide(0, 0)) && value == (int64_t)(((x - 1) << 56) + (v >> 8)));
    }
}
