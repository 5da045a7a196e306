// SPDX-License-Identifier: Apache-2.0
// BLISS-BI: what is refused, the Gaussian, the probability of rejection, independence of the key. The papers themselves: tests/oracle.
#include <ringside/ringside.h>

#include "bliss/bliss.h"
#include "fixture.h"

enum { N = RS_BLISS_N, Q = RS_BLISS_Q, BACK_ENDS = 7 };

static const char *const BACK_END[BACK_ENDS] = {"portable", "fma", "neon", "neonsha3", "avx2", "avx512", "avx512ifma"};
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

static signer_t *open_signer(rs_bliss_search_t search) {
    const rs_seed_t seed = {{9}};
    const size_t bytes = rs_bliss_size();
    signer_t *x = rs_test_own(calloc(1, sizeof *x));
    CHECK_OK(rs_bliss_init(&x->scheme, words(bytes / 8 + 1), bytes, search, "research-only"));
    x->workspace_bytes = rs_bliss_workspace();
    x->workspace = words(x->workspace_bytes / 8 + 1);
    CHECK_OK(rs_rng_deterministic(&x->rng, &x->rng_state, &seed, "insecure-deterministic"));
    CHECK_OK(rs_bliss_keypair(x->scheme, x->public_key, x->secret_key, &x->rng, x->workspace, x->workspace_bytes));
    CHECK(is_zero(x->workspace, x->workspace_bytes));
    return x;
}

static rs_status_t sign(signer_t *x, const void *message, size_t bytes) {
    return rs_bliss_sign(x->scheme, x->signature, message, bytes, x->secret_key, &x->rng, x->workspace, x->workspace_bytes);
}

static rs_status_t verify(signer_t *x, const void *message, size_t bytes) {
    return rs_bliss_verify(x->scheme, x->signature, sizeof x->signature, message, bytes, x->public_key, sizeof x->public_key,
                           x->workspace, x->workspace_bytes);
}

RS_TEST(init_refuses) {
    const rs_bliss_t *scheme = NULL;
    const size_t bytes = rs_bliss_size();
    uint8_t *memory = (uint8_t *)words(bytes / 8 + 2);
    static const char *const NO_CONSENT[] = {NULL, "", "research", "research-only ", "insecure-deterministic"};
    for (unsigned k = 0; k < sizeof NO_CONSENT / sizeof *NO_CONSENT; k++) {
        CHECK_STATUS(rs_bliss_init(&scheme, memory, bytes, RS_BLISS_SEARCH_SCAN, NO_CONSENT[k]), RS_ERR_RESEARCH);
    }
    CHECK_STATUS(rs_bliss_init(NULL, memory, bytes, RS_BLISS_SEARCH_SCAN, "research-only"), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_init(&scheme, NULL, bytes, RS_BLISS_SEARCH_SCAN, "research-only"), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_init(&scheme, memory, bytes - 1, RS_BLISS_SEARCH_SCAN, "research-only"), RS_ERR_MEMORY);
    CHECK_STATUS(rs_bliss_init(&scheme, memory + 4, bytes, RS_BLISS_SEARCH_SCAN, "research-only"), RS_ERR_ALIGNMENT);
    CHECK_STATUS(rs_bliss_init(&scheme, memory, bytes, (rs_bliss_search_t)0, "research-only"), RS_ERR_VARIANT);
    CHECK_STATUS(rs_bliss_init(&scheme, memory, bytes, (rs_bliss_search_t)3, "research-only"), RS_ERR_VARIANT);
    CHECK(scheme == NULL);
    CHECK_OK(rs_bliss_init(&scheme, memory + 8, bytes, RS_BLISS_SEARCH_STEPS, "research-only"));
    CHECK_EQ_U64(rs_plan_root(scheme->plan), 49);
}

static rs_status_t failing_fill(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    memset(out, 1, bytes);
    return RS_ERR_IO;
}

RS_TEST(arguments_are_checked) {
    signer_t *x = open_signer(RS_BLISS_SEARCH_SCAN);
    const size_t bytes = x->workspace_bytes, size = sizeof x->signature, key = sizeof x->public_key;
    uint8_t *workspace = x->workspace, untouched[RS_BLISS_SIGNATURE_BYTES];
    const uint8_t text[] = {1, 2, 3};
    rs_rng_t failing = {failing_fill, NULL};
    CHECK_OK(sign(x, text, sizeof text));
    memcpy(untouched, x->signature, sizeof untouched);
    CHECK_STATUS(rs_bliss_keypair(NULL, x->public_key, x->secret_key, &x->rng, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_keypair(x->scheme, NULL, x->secret_key, &x->rng, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_keypair(x->scheme, x->public_key, NULL, &x->rng, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_keypair(x->scheme, x->public_key, x->secret_key, NULL, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_keypair(x->scheme, x->public_key, x->secret_key, &failing, workspace, bytes), RS_ERR_RNG);
    CHECK_STATUS(rs_bliss_keypair(x->scheme, x->public_key, x->secret_key, &x->rng, workspace, bytes - 1), RS_ERR_MEMORY);
    CHECK_STATUS(rs_bliss_keypair_derand(x->scheme, x->public_key, x->secret_key, NULL, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_sign(NULL, x->signature, text, 3, x->secret_key, &x->rng, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_sign(x->scheme, NULL, text, 3, x->secret_key, &x->rng, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_sign(x->scheme, x->signature, NULL, 3, x->secret_key, &x->rng, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_sign(x->scheme, x->signature, text, 3, NULL, &x->rng, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_sign(x->scheme, x->signature, text, 3, x->secret_key, NULL, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_sign(x->scheme, x->signature, text, 3, x->secret_key, &failing, workspace, bytes), RS_ERR_RNG);
    CHECK(is_zero(workspace, bytes));
    CHECK_STATUS(rs_bliss_sign(x->scheme, x->signature, text, 3, x->secret_key, &x->rng, workspace, bytes - 1), RS_ERR_MEMORY);
    CHECK_STATUS(rs_bliss_sign(x->scheme, x->signature, text, 3, x->secret_key, &x->rng, workspace + 4, bytes), RS_ERR_ALIGNMENT);
    CHECK_STATUS(rs_bliss_sign_derand(x->scheme, x->signature, text, 3, x->secret_key, NULL, workspace, bytes), RS_ERR_NULL);
    CHECK_EQ_MEM(x->signature, untouched, size);
    CHECK_STATUS(rs_bliss_verify(NULL, x->signature, size, text, 3, x->public_key, key, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_verify(x->scheme, NULL, size, text, 3, x->public_key, key, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_verify(x->scheme, x->signature, size, NULL, 3, x->public_key, key, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_verify(x->scheme, x->signature, size, text, 3, NULL, key, workspace, bytes), RS_ERR_NULL);
    CHECK_STATUS(rs_bliss_verify(x->scheme, x->signature, size - 1, text, 3, x->public_key, key, workspace, bytes), RS_ERR_LENGTH);
    CHECK_STATUS(rs_bliss_verify(x->scheme, x->signature, size + 1, text, 3, x->public_key, key, workspace, bytes), RS_ERR_LENGTH);
    CHECK_STATUS(rs_bliss_verify(x->scheme, x->signature, size, text, 3, x->public_key, key - 1, workspace, bytes), RS_ERR_LENGTH);
    CHECK_STATUS(rs_bliss_verify(x->scheme, x->signature, size, text, 3, x->public_key, key, workspace, bytes - 1), RS_ERR_MEMORY);
    CHECK_OK(verify(x, text, 3));
    CHECK_OK(sign(x, NULL, 0));
    CHECK_OK(verify(x, NULL, 0));
    CHECK_STATUS(verify(x, text, 1), RS_ERR_SIGNATURE);
}

RS_TEST(damaged_keys_are_refused) {
    signer_t *x = open_signer(RS_BLISS_SEARCH_SCAN);
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
    signer_t *x = open_signer(RS_BLISS_SEARCH_SCAN);
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

RS_TEST(all_back_ends_and_searches_sign_alike) {
    static uint8_t first[8][RS_BLISS_SIGNATURE_BYTES];
    for (unsigned k = 0; k < BACK_ENDS; k++) {
        if (rs_backend_select(BACK_END[k]) != RS_OK) {
            printf("(this machine has no %s) ", BACK_END[k]);
            continue;
        }
        for (rs_bliss_search_t search = RS_BLISS_SEARCH_SCAN; search <= RS_BLISS_SEARCH_STEPS; search++) {
            signer_t *x = open_signer(search);
            for (uint8_t i = 0; i < 8; i++) {
                CHECK_OK(sign(x, &i, 1));
                CHECK(is_zero(x->workspace, x->workspace_bytes));
                CHECK_OK(verify(x, &i, 1));
                if (k == 0 && search == RS_BLISS_SEARCH_SCAN) memcpy(first[i], x->signature, sizeof first[i]);
                CHECK_EQ_MEM(x->signature, first[i], sizeof first[i]);
            }
        }
    }
    CHECK_OK(rs_backend_select(NULL));
}

// SHA3-256 of what the reference in Python (tests/oracle/bliss.py) makes of seeds of all bytes 1 and 2 and the message "abc".
RS_TEST(known_answer) {
    static const uint8_t WANT[32] = {0xc4, 0xc4, 0xa1, 0xc2, 0x3a, 0xb2, 0x0f, 0x04, 0x16, 0xe2, 0x5f,
                                     0xa9, 0x2c, 0x4e, 0x15, 0x55, 0xca, 0xb1, 0x3d, 0x53, 0x11, 0xd4,
                                     0x83, 0x1a, 0x32, 0x48, 0xaa, 0x45, 0x66, 0xb5, 0xbf, 0x8c};
    signer_t *x = open_signer(RS_BLISS_SEARCH_SCAN);
    rs_seed_t seeds[2];
    uint8_t digest[32];
    for (unsigned k = 0; k < 2; k++) memset(seeds[k].bytes, (int)k + 1, RS_SEED_BYTES);
    CHECK_OK(rs_bliss_keypair_derand(x->scheme, x->public_key, x->secret_key, &seeds[0], x->workspace, x->workspace_bytes));
    CHECK_OK(rs_bliss_sign_derand(x->scheme, x->signature, (const uint8_t *)"abc", 3, x->secret_key, &seeds[1], x->workspace,
                                  x->workspace_bytes));
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, RS_SPONGE_SHA3_256);
    rs_sponge_absorb(&sponge, x->public_key, sizeof x->public_key);
    rs_sponge_absorb(&sponge, x->secret_key, sizeof x->secret_key);
    rs_sponge_absorb(&sponge, x->signature, sizeof x->signature);
    rs_sponge_squeeze(&sponge, digest, sizeof digest);
    CHECK_EQ_MEM(digest, WANT, sizeof digest);
}

// ---- the Gaussian ----------------------------------------------------------------------------------------------------------
static void store(uint8_t *bytes, unsigned half, uint64_t sign, uint64_t high, uint64_t low) {
    for (unsigned i = 0; i < 8; i++) {
        bytes[16 * half + i] = (uint8_t)((sign << 63 | high) >> 8 * i);
        bytes[16 * half + 8 + i] = (uint8_t)(low << 1 >> 8 * i);
    }
}

// At both ends, and at every row of the table from both sides: a sample is the number of rows that are not above.
RS_TEST(both_searches_count_rows) {
    static const struct {
        uint64_t high;
        uint64_t low;
    } TABLE[] = {
#include "bliss/gaussian_table.inc"
    };
    enum { ROWS = sizeof TABLE / sizeof *TABLE };
    const uint64_t largest = UINT64_MAX >> 1;
    CHECK_EQ_U64(ROWS, 255);
    for (unsigned i = 0; i < ROWS; i++) {
        if (i && TABLE[i].high == TABLE[i - 1].high && TABLE[i].low == TABLE[i - 1].low) continue; // the last ones, which are alike
        for (unsigned below = 0; below < 2; below++) {
            for (unsigned search = 1; search <= 2; search++) {
                uint8_t bytes[RS_BLISS_SAMPLE_BYTES];
                int16_t value;
                const uint64_t low = (TABLE[i].low - below) & largest;
                const uint64_t high = TABLE[i].high - (below && !TABLE[i].low);
                unsigned count = 0;
                for (unsigned k = 0; k < ROWS; k++) count += TABLE[k].high < high || (TABLE[k].high == high && TABLE[k].low <= low);
                CHECK(count >= i && count <= (below ? i : ROWS));
                store(bytes, 0, below, high, low);
                store(bytes, 1, !below, 0, 0);
                rs_bliss_gaussian(&value, bytes, 1, (rs_bliss_search_t)search);
                CHECK_EQ_I64(value, below ? -(int)count : (int)count);
                store(bytes, 0, 0, 0, 0);
                store(bytes, 1, below, high, low);
                rs_bliss_gaussian(&value, bytes, 1, (rs_bliss_search_t)search);
                CHECK_EQ_I64(value, 11 * (below ? -(int)count : (int)count));
            }
        }
    }
}

// Chi-square of 2^20 samples against the discrete Gaussian, in classes of 20 from -860 to 859 (four deviations) and two tails: 88 classes,
// 87 degrees of freedom, above 170 with a probability of 3e-7, below 35 with 1e-8.
RS_TEST(samples_are_gaussian) {
    enum { COUNT = 1 << 20, CHUNK = 64, REACH = 860, WIDTH = 20, CLASSES = 2 * REACH / WIDTH + 2 };
    double observed[CLASSES] = {0}, expected[CLASSES] = {0}, total = 0, chi_square = 0, sum = 0, squares = 0;
    for (int x = -3072; x <= 3072; x++) {
        const double weight = exp(-x * x / (2.0 * 215 * 215));
        expected[x < -REACH ? 0 : x >= REACH ? CLASSES - 1 : 1 + (x + REACH) / WIDTH] += weight;
        total += weight;
    }
    for (unsigned k = 0; k < COUNT / CHUNK; k++) {
        uint64_t bytes[CHUNK * RS_BLISS_SAMPLE_BYTES / 8];
        int16_t values[CHUNK], others[CHUNK];
        for (unsigned i = 0; i < sizeof bytes / 8; i++) bytes[i] = rs_test_random(&random_state);
        rs_bliss_gaussian(values, (const uint8_t *)bytes, CHUNK, RS_BLISS_SEARCH_STEPS);
        if (k % 64 == 0) {
            rs_bliss_gaussian(others, (const uint8_t *)bytes, CHUNK, RS_BLISS_SEARCH_SCAN);
            CHECK_EQ_MEM(values, others, sizeof values);
        }
        for (unsigned i = 0; i < CHUNK; i++) {
            const int x = values[i];
            observed[x < -REACH ? 0 : x >= REACH ? CLASSES - 1 : 1 + (x + REACH) / WIDTH]++;
            sum += x;
            squares += (double)x * x;
        }
    }
    for (unsigned k = 0; k < CLASSES; k++) {
        const double want = expected[k] / total * COUNT;
        chi_square += (observed[k] - want) * (observed[k] - want) / want;
    }
    CHECK(chi_square < 170);
    CHECK(chi_square > 35);
    CHECK_NEAR(sum / COUNT, 0, 6 * 215 / sqrt(COUNT));
    CHECK_NEAR(squares / COUNT / (215 * 215), 1, 6 * sqrt(2.0 / COUNT));
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
    enum { COUNT = 1000, Y = 2 * N * RS_BLISS_SAMPLE_BYTES, STRIDE = (Y + 8 + 135) / 136 * 136 };
    static uint8_t bytes[Y];
    static int16_t y[2 * N];
    static int8_t f[N], g[N];
    static int v[2 * N];
    signer_t *x = open_signer(RS_BLISS_SEARCH_STEPS);
    double mean = 0, square = 0;
    unsigned attempts = 0, largest = 0;
    CHECK_OK(rs_bliss_unpack_ternary(f, x->secret_key));
    CHECK_OK(rs_bliss_unpack_ternary(g, x->secret_key + N / 4));
    for (unsigned k = 0; k < COUNT; k++) {
        const rs_seed_t seed = {{(uint8_t)k, (uint8_t)(k >> 8), 77}};
        rs_bliss_signature_t s;
        int sign = 0;
        CHECK_OK(rs_bliss_sign_derand(x->scheme, x->signature, (const uint8_t *)&k, sizeof k, x->secret_key, &seed, x->workspace,
                                      x->workspace_bytes));
        CHECK_OK(rs_bliss_unpack_signature(&s, x->signature));
        CHECK_OK(verify(x, &k, sizeof k));
        greedy(v, f, g, s.places);
        for (unsigned attempt = 0; !sign; attempt++) {
            REQUIRE(attempt < 60);
            attempts++;
            rs_private_stream(bytes, Y, &seed, RS_DOMAIN_BLISS_SIGN, (uint64_t)attempt * STRIDE);
            rs_bliss_gaussian(y, bytes, 2 * N, RS_BLISS_SEARCH_STEPS);
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
