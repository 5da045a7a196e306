// SPDX-License-Identifier: Apache-2.0
// BLISS-BI: what is refused, the Gaussian, the probability of rejection, independence of the key. The papers themselves: tests/oracle.
#include <ringside/golden.h>

#include "back_ends.h"
#include "base/bytes.h"
#include "fixture.h"
#include "papers/bliss/bliss.h"

enum { N = RS_BLISS_N, Q = RS_BLISS_Q };

static uint64_t random_state = 1;

typedef struct signer {
    const rs_bliss_t *scheme;
    void *workspace;
    size_t workspace_bytes;
    rs_rng_t rng;
    rs_rng_deterministic_t rng_state;
    uint8_t public_key[RS_BLISS_PUBLIC_BYTES];
    uint8_t secret_key[RS_BLISS_SECRET_BYTES];
    uint8_t signature[RS_BLISS_SIGNATURE_BYTES];
} signer_t;

static rs_memory_t workspace_of(const signer_t *x) { return (rs_memory_t){x->workspace, x->workspace_bytes}; }

// A pair of a seed, or by rng.
static rs_status_t keygen(signer_t *x, const rs_seed_t *seed) {
    return rs_bliss_keygen(RS_REQUEST(
        rs_bliss_keygen_request_t, .scheme = x->scheme, .public_key = {x->public_key, sizeof x->public_key},
        .secret_key = {x->secret_key, sizeof x->secret_key}, .seed = {seed ? seed->bytes : NULL, seed ? sizeof *seed : 0},
        .rng = seed ? NULL : &x->rng, .workspace = workspace_of(x)));
}

static signer_t *open_signer(void) {
    const rs_seed_t seed = {{9}};
    const size_t bytes = rs_bliss_sizes()->memory;
    signer_t *x = rs_test_own(calloc(1, sizeof *x));
    CHECK_OK(rs_bliss_init(&x->scheme, (rs_memory_t){words(bytes / 8 + 1), bytes}, "research-only"));
    x->workspace_bytes = rs_bliss_sizes()->workspace;
    x->workspace = words(x->workspace_bytes / 8 + 1);
    CHECK_OK(rs_rng_deterministic(&x->rng, &x->rng_state, &seed, "insecure-deterministic"));
    CHECK_OK(keygen(x, NULL));
    CHECK(is_zero(x->workspace, x->workspace_bytes));
    return x;
}

static rs_status_t sign_of(signer_t *x, const void *message, size_t bytes, const rs_seed_t *seed) {
    return rs_bliss_sign(RS_REQUEST(
        rs_bliss_sign_request_t, .scheme = x->scheme, .secret_key = {x->secret_key, sizeof x->secret_key},
        .message = {message, bytes}, .signature = {x->signature, sizeof x->signature},
        .seed = {seed ? seed->bytes : NULL, seed ? sizeof *seed : 0}, .rng = seed ? NULL : &x->rng, .workspace = workspace_of(x)));
}

static rs_status_t sign(signer_t *x, const void *message, size_t bytes) { return sign_of(x, message, bytes, NULL); }

static rs_status_t verify(signer_t *x, const void *message, size_t bytes) {
    return rs_bliss_verify(x->scheme, (rs_view_t){x->signature, sizeof x->signature}, (rs_view_t){message, bytes},
                           (rs_view_t){x->public_key, sizeof x->public_key}, workspace_of(x));
}

RS_TEST(empty_message) {
    signer_t *x = open_signer();
    const uint8_t text[] = {1};
    CHECK_OK(sign(x, NULL, 0));
    CHECK_OK(verify(x, NULL, 0));
    CHECK_STATUS(verify(x, text, 1), RS_ERR_SIGNATURE);
}

RS_TEST(damaged_keys_are_refused) {
    signer_t *x = open_signer();
    for (unsigned at = 0; at < 256; at += 5) { // f and g: a changed digit changes the weight, or is 3
        for (unsigned shift = 0; shift < 8; shift += 2) {
            for (unsigned flip = 1; flip < 4; flip++) {
                const unsigned digit = x->secret_key[at] >> shift & 3;
                if ((digit ^ flip) != 3 && (digit ^ flip) && digit) continue; // 1 and -1 have the same weight
                x->secret_key[at] ^= (uint8_t)(flip << shift);
                CHECK_STATUS(sign(x, NULL, 0), RS_ERR_SECRET_KEY);
                x->secret_key[at] ^= (uint8_t)(flip << shift);
            }
        }
    }
    x->secret_key[256] = x->public_key[0] = 0xff;
    x->secret_key[257] |= 0x3f;
    x->public_key[1] |= 0x3f; // the first word is 2^14 - 1
    CHECK_STATUS(sign(x, NULL, 0), RS_ERR_RESIDUE);
    CHECK(is_zero(x->workspace, x->workspace_bytes));
    CHECK_STATUS(verify(x, NULL, 0), RS_ERR_RESIDUE);
}

RS_TEST(every_changed_bit_is_noticed) {
    signer_t *x = open_signer();
    const uint8_t text[] = "message";
    CHECK_OK(sign(x, text, sizeof text));
    for (unsigned bit = 0; bit < 8 * RS_BLISS_SIGNATURE_BYTES; bit++) {
        x->signature[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK_STATUS(verify(x, text, sizeof text), RS_ERR_SIGNATURE);
        x->signature[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (unsigned bit = 0; bit < 8 * RS_BLISS_PUBLIC_BYTES; bit += 11) {
        x->public_key[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const rs_status_t status = verify(x, text, sizeof text);
        CHECK(status == RS_ERR_SIGNATURE || status == RS_ERR_RESIDUE);
        x->public_key[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    CHECK_OK(verify(x, text, sizeof text));
}

RS_TEST(long_signatures_are_refused) {
    static rs_bliss_signature_t s;
    uint8_t packed[RS_BLISS_SIGNATURE_BYTES];
    for (unsigned i = 0; i < N; i++) s.z1[i] = i % 2 ? RS_BLISS_Z_MAX : -RS_BLISS_Z_MAX;
    CHECK(!rs_bliss_is_short(&s));
    for (unsigned i = 0; i < N; i++) s.z2[i] = i % 2 ? RS_BLISS_Z2_MAX : -RS_BLISS_Z2_MAX;
    CHECK(!rs_bliss_is_short(&s)); // its norm is above 2^32
    rs_bliss_pack_signature(packed, &s);
    CHECK_OK(rs_bliss_unpack_signature(&s, packed));
    for (unsigned i = 0; i < N; i++) CHECK(s.z1[i] == (i % 2 ? 2100 : -2100) && s.z2[i] == (i % 2 ? 2 : -2));
    memset(&s, 0, sizeof s);
    s.z1[5] = 2100;
    CHECK(rs_bliss_is_short(&s));
    s.z1[5] = -2101;
    CHECK(!rs_bliss_is_short(&s));
    s.z1[5] = 0;
    s.z2[511] = 2;
    CHECK(rs_bliss_is_short(&s));
    s.z2[511] = -3;
    CHECK(!rs_bliss_is_short(&s));
    s.z2[511] = 0;
    // |z| is 12872 exactly, and then by one more: 36 * 2100^2 + 2 * 1864^2 + 34^2 ... is found by taking what is left
    uint32_t left = 12872u * 12872u;
    for (unsigned i = 0; left; i++) {
        uint32_t z = 2100;
        while (z * z > left) z--;
        s.z1[i] = (int16_t)z;
        left -= z * z;
    }
    CHECK(rs_bliss_is_short(&s));
    CHECK(s.z1[N - 1] == 0);
    s.z1[N - 1] = 1;
    CHECK(!rs_bliss_is_short(&s));
}

RS_TEST(all_back_ends_sign_alike) {
    static uint8_t first[8][RS_BLISS_SIGNATURE_BYTES];
    EACH (k) {
        signer_t *x = open_signer();
        for (uint8_t i = 0; i < 8; i++) {
            CHECK_OK(sign(x, &i, 1));
            CHECK(is_zero(x->workspace, x->workspace_bytes));
            CHECK_OK(verify(x, &i, 1));
            if (is_zero(first[i], sizeof first[i])) memcpy(first[i], x->signature, sizeof first[i]);
            CHECK_EQ_MEM(x->signature, first[i], sizeof first[i]);
        }
    }
}

// SHA3-256 of what the reference in Python (tests/oracle/bliss.py) makes of seeds of all bytes 1 and 2 and the message "abc".
RS_TEST(known_answer) {
    static const uint8_t WANT[32] = {0x0b, 0xc3, 0x9a, 0x8b, 0xd0, 0xb3, 0x84, 0xb3, 0x8e, 0x4c, 0xb4,
                                     0x69, 0xee, 0xe7, 0xf9, 0x7e, 0xe4, 0xb3, 0x78, 0xfc, 0x05, 0x8e,
                                     0x70, 0x1a, 0x3b, 0x11, 0x7d, 0x72, 0x82, 0x79, 0x45, 0xff};
    signer_t *x = open_signer();
    rs_seed_t seeds[2];
    uint8_t digest[32];
    for (unsigned k = 0; k < 2; k++) memset(seeds[k].bytes, (int)k + 1, RS_SEED_BYTES);
    CHECK_EQ_U64(rs_plan_root(x->scheme->plan), 49);
    CHECK_OK(keygen(x, &seeds[0]));
    CHECK_OK(sign_of(x, "abc", 3, &seeds[1]));
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, RS_SPONGE_SHA3_256);
    rs_sponge_absorb(&sponge, x->public_key, sizeof x->public_key);
    rs_sponge_absorb(&sponge, x->secret_key, sizeof x->secret_key);
    rs_sponge_absorb(&sponge, x->signature, sizeof x->signature);
    rs_sponge_squeeze(&sponge, digest, sizeof digest);
    CHECK_EQ_MEM(digest, WANT, sizeof digest);
}

// ---- streams ---------------------------------------------------------------------------------------------------------------
// Each number of draws at once, at the ends of the numbers' bytes, is SHAKE256 of seed and number.
RS_TEST(draws_are_those_of_their_numbers) {
    static const unsigned FIRST[] = {0, 255, 16255};
    static _Alignas(8) uint8_t out[RS_BLISS_DRAWS_MAX * RS_BLISS_DRAW_BYTES + 8];
    uint8_t text[RS_BLISS_DRAW_SEED_BYTES + 2], want[RS_BLISS_DRAW_BYTES];
    for (unsigned i = 0; i < RS_BLISS_DRAW_SEED_BYTES; i++) text[i] = (uint8_t)(3 * i + 1);
    for (unsigned k = 0; k < 3 * RS_BLISS_DRAWS_MAX; k++) {
        const unsigned first = FIRST[k / RS_BLISS_DRAWS_MAX], count = k % RS_BLISS_DRAWS_MAX + 1;
        memset(out, 0x5a, sizeof out);
        rs_bliss_draw(out, text, first, count);
        for (unsigned i = 0; i < count; i++) {
            text[RS_BLISS_DRAW_SEED_BYTES] = (uint8_t)(first + i);
            text[RS_BLISS_DRAW_SEED_BYTES + 1] = (uint8_t)((first + i) >> 8);
            rs_shake256(want, sizeof want, text, sizeof text);
            CHECK_EQ_MEM(out + i * RS_BLISS_DRAW_BYTES, want, sizeof want);
        }
        for (unsigned i = 0; i < 8; i++) CHECK_EQ_U64(out[count * RS_BLISS_DRAW_BYTES + i], 0x5a);
    }
}

RS_TEST(parts_of_the_hash_follow_each_other) {
    uint8_t text[RS_BLISS_TEXT_BYTES], want[3 * RS_BLISS_HASH_BYTES], part[RS_BLISS_HASH_BYTES];
    for (unsigned i = 0; i < sizeof text; i++) text[i] = (uint8_t)(5 * i + 2);
    rs_shake256(want, sizeof want, text, sizeof text);
    for (unsigned k = 0; k < 3; k++) {
        rs_bliss_hash(part, text, k);
        CHECK_EQ_MEM(part, want + k * RS_BLISS_HASH_BYTES, sizeof part);
    }
}

// ---- the Gaussian ----------------------------------------------------------------------------------------------------------
enum { ROWS = 17, COARSE_ROWS = 12, CANDIDATES = RS_BLISS_DRAW_CANDIDATES };

static const uint64_t TAIL[ROWS] = {
#include "papers/bliss/gaussian_table.inc"
};

// The value of one candidate in place k of a draw, all others being refused: 0 with a sign. RS_BLISS_Z_MAX * 2: it is refused, too.
static int only_candidate(unsigned k, uint64_t number, uint64_t more, unsigned y, unsigned sign, uint64_t coin) {
    uint64_t words[RS_BLISS_DRAW_BYTES / 8];
    int16_t out[CANDIDATES];
    for (unsigned i = 0; i < CANDIDATES; i++) {
        uint64_t *pair = words + i / 2 * 5;
        pair[i % 2 * 2] = UINT64_MAX;
        pair[i % 2 * 2 + 1] = 1 << 7;
        pair[4] = 0;
    }
    words[k / 2 * 5 + k % 2 * 2] = number << 1;
    words[k / 2 * 5 + k % 2 * 2 + 1] = y | sign << 7 | coin << 8;
    words[k / 2 * 5 + 4] = more << k % 2 * 32;
    for (unsigned i = 0; i < RS_BLISS_DRAW_BYTES / 8; i++) words[i] = rs_little_endian(words[i]);
    const size_t count = rs_bliss_gaussian(out, CANDIDATES, (const uint8_t *)words);
    CHECK(count <= 1);
    return count ? out[0] : 2 * RS_BLISS_Z_MAX;
}

// At both ends, and at every row of the table from both sides: x is the number of rows that are above. y and sign come as they are.
RS_TEST(samples_count_rows) {
    const uint64_t largest = UINT64_MAX >> 1;
    CHECK_EQ_I64(only_candidate(0, largest, 0, 0, 0, 0), 0);
    CHECK_EQ_I64(only_candidate(31, 0, 0, 127, 1, 0), -(17 * 128 + 127));
    CHECK_EQ_I64(only_candidate(0, largest, 0, 0, 1, 0), 2 * RS_BLISS_Z_MAX); // 0 has one sign
    CHECK_EQ_I64(only_candidate(0, largest, 0, 1, 1, 0), -1);
    for (unsigned i = 0; i < ROWS; i++) {
        if (i) CHECK(TAIL[i] < TAIL[i - 1] || i == COARSE_ROWS);
        for (unsigned below = 0; below < 2; below++) {
            const unsigned k = (2 * i + below) % CANDIDATES, y = 5 * i;
            const uint64_t value = TAIL[i] - below;
            const int x = (int)i + (int)below;
            // rows from COARSE_ROWS on: 23 bits of the number, and 32 more
            const int z = i < COARSE_ROWS ? only_candidate(k, value, UINT32_MAX, y, 1, 0)
                                          : only_candidate(k, value >> 32, value & UINT32_MAX, y, 1, 0);
            CHECK_EQ_I64(z, x || y ? -(128 * x + (int)y) : 2 * RS_BLISS_Z_MAX);
        }
    }
    // the fine rows do not count where the number is as large as 2^23
    CHECK_EQ_I64(only_candidate(3, (uint64_t)1 << 23, 0, 0, 0, 0), 128 * 12);
}

// The largest coin that keeps a candidate says its probability.
RS_TEST(candidates_are_kept_with_their_probability) {
    for (unsigned x = 0; x <= ROWS; x++) {
        const uint64_t row = x ? TAIL[x - 1] - 1 : UINT64_MAX >> 1;
        for (unsigned y = 0; y < 128; y += x ? 9 : 1) {
            uint64_t kept = 0;
            for (uint64_t bit = (uint64_t)1 << 55; bit; bit /= 2) {
                const uint64_t number = x > COARSE_ROWS ? row >> 32 : row, more = x > COARSE_ROWS ? row & UINT32_MAX : UINT32_MAX;
                const int z = only_candidate(y % CANDIDATES, number, more, y, 0, kept + bit - 1);
                if (z != 2 * RS_BLISS_Z_MAX) {
                    CHECK_EQ_I64(z, 128 * x + y);
                    kept += bit;
                }
            }
            const double n = y * (y + 256.0 * x), want = exp(-n / (2.0 * 215 * 215));
            CHECK_NEAR((double)kept / 0x1p56, want, want * 3e-15 + 0x1p-55);
        }
    }
}

RS_TEST(no_more_samples_than_there_is_room) {
    static _Alignas(8) uint8_t bytes[RS_BLISS_DRAW_BYTES];
    int16_t out[CANDIDATES + 1], all[CANDIDATES];
    rs_shake256(bytes, sizeof bytes, NULL, 0);
    const size_t count = rs_bliss_gaussian(all, CANDIDATES, bytes);
    CHECK(count > 15 && count < 32);
    for (size_t room = 0; room <= count; room++) {
        for (size_t i = 0; i <= CANDIDATES; i++) out[i] = 4242;
        CHECK_EQ_U64(rs_bliss_gaussian(out, room, bytes), room);
        CHECK_EQ_MEM(out, all, room * sizeof *out);
        CHECK_EQ_I64(out[room], 4242);
    }
}

// Chi-square of 2^20 samples against the discrete Gaussian, in classes of 20 from -860 to 859 (four deviations) and two tails: 88 classes,
// 87 degrees of freedom, above 170 with a probability of 3e-7, below 35 with 1e-8. And how many are kept.
RS_TEST(samples_are_gaussian) {
    enum { COUNT = 1 << 20, REACH = 860, WIDTH = 20, CLASSES = 2 * REACH / WIDTH + 2 };
    double observed[CLASSES] = {0}, expected[CLASSES] = {0}, total = 0, chi_square = 0, sum = 0, squares = 0, lag = 0;
    size_t count = 0, candidates = 0;
    int before = 0;
    for (int x = -3072; x <= 3072; x++) {
        const double weight = exp(-x * x / (2.0 * 215 * 215));
        expected[x < -REACH ? 0 : x >= REACH ? CLASSES - 1 : 1 + (x + REACH) / WIDTH] += weight;
        total += weight;
    }
    while (count < COUNT) {
        uint64_t words[RS_BLISS_DRAW_BYTES / 8];
        int16_t values[CANDIDATES];
        for (unsigned i = 0; i < sizeof words / 8; i++) words[i] = rs_test_random(&random_state);
        const size_t kept =
            rs_bliss_gaussian(values, COUNT - count < CANDIDATES ? COUNT - count : CANDIDATES, (const uint8_t *)words);
        candidates += CANDIDATES;
        for (size_t i = 0; i < kept; i++) {
            const int x = values[i];
            observed[x < -REACH ? 0 : x >= REACH ? CLASSES - 1 : 1 + (x + REACH) / WIDTH]++;
            sum += x;
            squares += (double)x * x;
            lag += (double)x * before;
            before = x;
        }
        count += kept;
    }
    for (unsigned k = 0; k < CLASSES; k++) {
        const double want = expected[k] / total * COUNT;
        chi_square += (observed[k] - want) * (observed[k] - want) / want;
    }
    CHECK(chi_square < 170);
    CHECK(chi_square > 35);
    CHECK_NEAR(sum / COUNT, 0, 6 * 215 / sqrt(COUNT));
    CHECK_NEAR(squares / COUNT / (215 * 215), 1, 6 * sqrt(2.0 / COUNT));
    CHECK_NEAR(lag / COUNT / (215 * 215), 0, 6 / sqrt(COUNT));
    CHECK_NEAR((double)COUNT / (double)candidates, 0.80807, 6 * sqrt(0.808 * 0.192 / COUNT));
}

// ---- rejection -------------------------------------------------------------------------------------------------------------
// The smallest uniform number that is refused, by bisection, is the probability.
static double probability(int32_t norm, int32_t inner) {
    uint64_t accepted = 0, bit = (uint64_t)1 << (RS_BLISS_UNIFORM_BITS - 1);
    for (; bit; bit /= 2) {
        if (rs_bliss_accepts(accepted + bit - 1, norm, inner)) accepted += bit;
    }
    return (double)accepted / 0x1p62;
}

RS_TEST(rejection_has_the_papers_probability) {
    const double two_variances = 2.0 * 215 * 215;
    for (unsigned k = 0; k < 3000; k++) {
        const int32_t norm = k < 2 ? (k ? 0 : 17825) : (int32_t)(rs_test_random(&random_state) % 17826);
        const unsigned bits = k % 22;
        int32_t inner = (int32_t)(rs_test_random(&random_state) % ((uint64_t)2 << bits)) - (1 << bits);
        if (k == 0) inner = 0;
        const double want = exp(-(17825 - norm) / two_variances) / cosh(2 * inner / two_variances);
        CHECK_NEAR(probability(norm, inner), want, want * 1e-13 + 1e-16);
        CHECK_EQ_U64(rs_bliss_accepts((uint64_t)1 << 61, norm, inner), want > 0.5);
    }
    CHECK_EQ_U64(rs_bliss_accepts(((uint64_t)1 << 62) - 1, 17825, 0), 1); // a probability of 1
    CHECK(probability(17825, INT32_MAX) < 1e-15);
    CHECK(probability(17825, -INT32_MAX) < 1e-15);
}

// The greedy product of ePrint 2014/874, place by place from the definition.
static void greedy(int *v, const int8_t *f, const int8_t *g, const uint16_t *places) {
    memset(v, 0, 2 * N * sizeof *v);
    for (unsigned k = 0; k < RS_BLISS_KAPPA; k++) {
        int rotated[2 * N], inner = 0;
        for (unsigned i = 0; i < N; i++) {
            const unsigned at = (i + places[k]) % N;
            const int sign = i + places[k] < N ? 1 : -1;
            rotated[at] = sign * f[i];
            rotated[N + at] = sign * (2 * g[i] + (i == 0));
        }
        for (unsigned i = 0; i < 2 * N; i++) inner += v[i] * rotated[i];
        for (unsigned i = 0; i < 2 * N; i++) v[i] -= inner >= 0 ? rotated[i] : -rotated[i];
    }
}

// z, both halves of it, is independent of the key: its inner product with the product v has no mean and a Gaussian's variance, which without
// the cosh would be larger by |v|^2 / sigma^2, about 0.3. y and the rejected attempts come from the seed, as signing draws them. One
// attempt in 1.21 is kept. Limits are of 4.5 deviations; seeds are fixed.
RS_TEST(signatures_tell_nothing_about_the_product) {
    enum { COUNT = 1000, DRAWS = 127 };
    static _Alignas(8) uint8_t bytes[RS_BLISS_DRAW_BYTES], draw_seed[RS_BLISS_DRAW_SEED_BYTES];
    static int16_t y[2 * N];
    static int8_t f[N], g[N];
    static int v[2 * N];
    signer_t *x = open_signer();
    double mean = 0, square = 0;
    unsigned attempts = 0, largest = 0;
    CHECK_OK(rs_bliss_unpack_ternary(f, x->secret_key));
    CHECK_OK(rs_bliss_unpack_ternary(g, x->secret_key + N / 4));
    for (unsigned k = 0; k < COUNT; k++) {
        const rs_seed_t seed = {{(uint8_t)k, (uint8_t)(k >> 8), 77}};
        rs_bliss_signature_t s;
        int sign = 0;
        CHECK_OK(sign_of(x, &k, sizeof k, &seed));
        CHECK_OK(rs_bliss_unpack_signature(&s, x->signature));
        CHECK_OK(verify(x, &k, sizeof k));
        greedy(v, f, g, s.places);
        for (unsigned attempt = 0; !sign; attempt++) {
            REQUIRE(attempt < 60);
            attempts++;
            rs_private_stream(draw_seed, sizeof draw_seed, &seed, RS_DOMAIN_BLISS_SIGN, 0);
            for (unsigned have = 0, draw = 0; have < 2 * N; draw++) {
                rs_bliss_draw(bytes, draw_seed, attempt * DRAWS + draw, 1);
                have += (unsigned)rs_bliss_gaussian(y + have, 2 * N - have, bytes);
            }
            for (int e = -1; e <= 1; e += 2) {
                unsigned same = 0;
                while (same < N && s.z1[same] == y[same] + e * v[same]) same++;
                if (same == N) sign = e;
            }
        }
        double inner = 0, norm = 0;
        for (unsigned i = 0; i < 2 * N; i++) {
            inner += (double)(y[i] + sign * v[i]) * v[i];
            norm += (double)v[i] * v[i];
        }
        if (norm > largest) largest = (unsigned)norm;
        inner /= 215 * sqrt(norm);
        mean += inner / COUNT;
        square += inner * inner / COUNT;
    }
    CHECK_NEAR(mean, 0, 4.5 / sqrt(COUNT));
    CHECK_NEAR(square, 1, 4.5 * sqrt(2.0 / COUNT));
    CHECK(largest > 10000 && largest <= RS_BLISS_PRODUCT_NORM_MAX);
    CHECK_NEAR((double)COUNT / attempts, exp(-17825 / (2.0 * 215 * 215)), 4.5 * sqrt(0.82 * 0.18 / COUNT));
}
