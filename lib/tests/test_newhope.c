// SPDX-License-Identifier: Apache-2.0
// NewHope-1024: what is refused, agreement, reconciliation up to its bound, the distribution of noise. The paper itself: tests/oracle.
#include <ringside/golden.h>

#include "back_ends.h"
#include "base/bytes.h"
#include "fixture.h"
#include "papers/newhope/newhope.h"

enum { N = RS_NEWHOPE_N, Q = RS_NEWHOPE_Q, GROUPS = N / 4 };

static uint64_t random_state = 1;

typedef struct exchange {
    const rs_newhope_t *scheme;
    void *workspace;
    size_t workspace_bytes;
    rs_rng_t rng;
    rs_rng_deterministic_t rng_state;
    uint8_t server[RS_NEWHOPE_SERVER_BYTES];
    uint8_t secret[RS_NEWHOPE_SECRET_BYTES];
    uint8_t client[RS_NEWHOPE_CLIENT_BYTES];
    uint8_t shared[2][RS_NEWHOPE_SHARED_BYTES];
} exchange_t;

static rs_memory_t workspace_of(const exchange_t *x) { return (rs_memory_t){x->workspace, x->workspace_bytes}; }

static exchange_t *open_exchange(rs_newhope_parse_t parse) {
    const rs_seed_t seed = {{9}};
    const size_t bytes = rs_newhope_sizes()->memory;
    exchange_t *x = rs_test_own(calloc(1, sizeof *x));
    CHECK_OK(rs_newhope_init(&x->scheme, (rs_memory_t){words(bytes / 8 + 1), bytes}, parse, RS_NEWHOPE_STREAM_CHACHA20,
                             "research-only"));
    x->workspace_bytes = rs_newhope_sizes()->workspace;
    x->workspace = words(x->workspace_bytes / 8);
    CHECK_OK(rs_rng_deterministic(&x->rng, &x->rng_state, &seed, "insecure-deterministic"));
    return x;
}

// A message of these seeds, or by rng.
static rs_status_t server(exchange_t *x, const uint8_t *seed, const uint8_t *noise_seed, rs_rng_t *rng) {
    const size_t bytes = rng ? 0 : RS_NEWHOPE_SEED_BYTES;
    return rs_newhope_server(RS_REQUEST(rs_newhope_server_request_t, .scheme = x->scheme, .message = {x->server, sizeof x->server},
                                        .secret = {x->secret, sizeof x->secret}, .seed = {seed, bytes},
                                        .noise_seed = {noise_seed, bytes}, .rng = rng, .workspace = workspace_of(x)));
}

static rs_status_t client(exchange_t *x, const uint8_t *noise_seed, rs_rng_t *rng) {
    return rs_newhope_client(
        RS_REQUEST(rs_newhope_client_request_t, .scheme = x->scheme, .server_message = {x->server, sizeof x->server},
                   .message = {x->client, sizeof x->client}, .shared = {x->shared[0], sizeof x->shared[0]},
                   .noise_seed = {noise_seed, rng ? 0 : RS_NEWHOPE_SEED_BYTES}, .rng = rng, .workspace = workspace_of(x)));
}

static rs_status_t shared(exchange_t *x) {
    return rs_newhope_shared(x->scheme, (rs_bytes_t){x->shared[1], sizeof x->shared[1]}, (rs_view_t){x->client, sizeof x->client},
                             (rs_view_t){x->secret, sizeof x->secret}, workspace_of(x));
}

static void run_exchange(exchange_t *x) {
    CHECK_OK(server(x, NULL, NULL, &x->rng));
    CHECK(is_zero(x->workspace, x->workspace_bytes));
    CHECK_OK(client(x, NULL, &x->rng));
    CHECK(is_zero(x->workspace, x->workspace_bytes));
    CHECK_OK(shared(x));
    CHECK(is_zero(x->workspace, x->workspace_bytes));
}

// Word i of a packed polynomial.
static void put_word(uint8_t *packed, size_t i, uint32_t word) {
    for (unsigned bit = 0; bit < 14; bit++) {
        const size_t at = 14 * i + bit;
        packed[at / 8] = (uint8_t)((packed[at / 8] & ~(1u << at % 8)) | (word >> bit & 1) << at % 8);
    }
}

RS_TEST(words_of_q_and_more_are_refused_everywhere) {
    exchange_t *x = open_exchange(RS_NEWHOPE_PARSE_USENIX);
    uint8_t kept[RS_NEWHOPE_POLY_BYTES];
    run_exchange(x);
    for (unsigned what = 0; what < 3; what++) {
        uint8_t *packed = what == 0 ? x->server : what == 1 ? x->client : x->secret;
        memcpy(kept, packed, sizeof kept);
        for (size_t i = 0; i < N; i += i < 8 || i > 1012 ? 1 : 13) {
            for (unsigned k = 0; k < 3; k++) {
                const uint32_t word = k == 0 ? Q - 1 : k == 1 ? Q : 0x3fff;
                const rs_status_t want = k == 0 ? RS_OK : RS_ERR_RESIDUE;
                put_word(packed, i, word);
                if (what == 0) {
                    CHECK_STATUS(client(x, NULL, &x->rng), want);
                } else {
                    CHECK_STATUS(shared(x), want);
                }
            }
            memcpy(packed, kept, sizeof kept);
        }
    }
}

// ---- agreement -----------------------------------------------------------------------------------------------------------
RS_TEST(both_sides_agree_on_every_back_end) {
    enum { EXCHANGES = 60 };
    static exchange_t first;
    EACH (k) {
        for (rs_newhope_parse_t parse = RS_NEWHOPE_PARSE_USENIX; parse <= RS_NEWHOPE_PARSE_5Q; parse++) {
            exchange_t *x = open_exchange(parse);
            for (unsigned i = 0; i < EXCHANGES; i++) {
                uint8_t before[RS_NEWHOPE_SHARED_BYTES];
                memcpy(before, x->shared[0], sizeof before);
                run_exchange(x);
                CHECK_EQ_MEM(x->shared[0], x->shared[1], sizeof before);
                CHECK(memcmp(x->shared[0], before, sizeof before) != 0);
            }
            if (parse == RS_NEWHOPE_PARSE_USENIX && !first.scheme) first = *x;
            if (parse == RS_NEWHOPE_PARSE_USENIX) {
                CHECK_EQ_MEM(x->server, first.server, sizeof x->server);
                CHECK_EQ_MEM(x->secret, first.secret, sizeof x->secret);
                CHECK_EQ_MEM(x->client, first.client, sizeof x->client);
                CHECK_EQ_MEM(x->shared, first.shared, sizeof x->shared);
            }
        }
    }
}

// SHA3-256 of what the paper in Python (tests/oracle/newhope.py) makes of seeds of all bytes 1, 2 and 3, so that other machines have it too.
RS_TEST(known_answers) {
    static const uint8_t WANT[2][32] = {
        {0x42, 0x19, 0xec, 0x96, 0x8c, 0x5e, 0x5a, 0x0c, 0x5c, 0xa7, 0x16, 0x86, 0xe4, 0x28, 0xff, 0x51,
         0x98, 0xc8, 0x37, 0x71, 0x33, 0x59, 0xb9, 0xca, 0x10, 0x4d, 0xac, 0x6a, 0xcf, 0x99, 0xb3, 0x03},
        {0x20, 0x74, 0x75, 0x47, 0xe0, 0xb2, 0x7c, 0x34, 0x8f, 0x16, 0xf9, 0x79, 0x9c, 0xe3, 0xa2, 0x90,
         0xf5, 0xfc, 0xad, 0xd6, 0xf4, 0x7c, 0x80, 0x6a, 0xe3, 0x99, 0x3c, 0x13, 0xa1, 0x97, 0xc3, 0x92},
    };
    for (unsigned variant = 0; variant < 2; variant++) {
        exchange_t *x = open_exchange((rs_newhope_parse_t)(variant + 1));
        uint8_t seeds[3][RS_NEWHOPE_SEED_BYTES], digest[32];
        for (unsigned k = 0; k < 3; k++) memset(seeds[k], (int)k + 1, sizeof seeds[k]);
        CHECK_OK(server(x, seeds[0], seeds[1], NULL));
        CHECK_OK(client(x, seeds[2], NULL));
        rs_sponge_t sponge;
        rs_sponge_init(&sponge, RS_SPONGE_SHA3_256);
        rs_sponge_absorb(&sponge, x->server, sizeof x->server);
        rs_sponge_absorb(&sponge, x->secret, sizeof x->secret);
        rs_sponge_absorb(&sponge, x->client, sizeof x->client);
        rs_sponge_absorb(&sponge, x->shared[0], sizeof x->shared[0]);
        rs_sponge_squeeze(&sponge, digest, sizeof digest);
        CHECK_EQ_MEM(digest, WANT[variant], sizeof digest);
    }
}

// ---- reconciliation ------------------------------------------------------------------------------------------------------
// Errors of norm `norm` in each group of v, in a random direction.
static void add_errors(uint64_t *out, const uint64_t *v, uint32_t norm) {
    for (unsigned i = 0; i < GROUPS; i++) {
        uint32_t left = norm;
        const unsigned first = (unsigned)(rs_test_random(&random_state) % 4);
        for (unsigned k = 0; k < 4; k++) {
            const size_t at = GROUPS * ((first + k) % 4) + i;
            const uint32_t part = k == 3 ? left : (uint32_t)(rs_test_random(&random_state) % (left + 1));
            left -= part;
            out[at] = (v[at] + (rs_test_random(&random_state) & 1 ? part : Q - part % Q)) % Q;
        }
    }
}

static unsigned different_bits(const uint8_t *a, const uint8_t *b) {
    unsigned count = 0;
    for (unsigned i = 0; i < RS_NEWHOPE_SHARED_BYTES; i++) count += (unsigned)__builtin_popcount(a[i] ^ b[i]);
    return count;
}

// The paper, appendix C: keys are equal if the errors of each group have a norm below (1 - 1/4) q - 2. Above it they need not be.
RS_TEST(reconciliation_bears_errors_up_to_its_bound) {
    enum { BOUND = 9214, ROUNDS = 400 }; // 3q/4 - 2 = 9214.75
    static uint64_t v[N], other[N];
    unsigned beyond = 0, ones = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t coins[RS_NEWHOPE_COIN_BYTES], hints[RS_NEWHOPE_HINT_BYTES], keys[3][RS_NEWHOPE_SHARED_BYTES];
        for (unsigned i = 0; i < N; i++) v[i] = rs_test_random(&random_state) % Q;
        for (unsigned i = 0; i < sizeof coins; i++) coins[i] = (uint8_t)rs_test_random(&random_state);
        rs_newhope_hints(hints, v, coins);
        rs_newhope_reconcile(keys[0], v, hints);
        add_errors(other, v, round % 2 ? BOUND : BOUND / 2);
        rs_newhope_reconcile(keys[1], other, hints);
        CHECK_EQ_U64(different_bits(keys[0], keys[1]), 0);
        add_errors(other, v, Q + Q / 4);
        rs_newhope_reconcile(keys[2], other, hints);
        beyond += different_bits(keys[0], keys[2]);
        for (unsigned i = 0; i < sizeof keys[0]; i++) ones += (unsigned)__builtin_popcount(keys[0][i]);
    }
    CHECK(beyond > 1000);
    CHECK_NEAR(ones, 128.0 * ROUNDS, 6 * 0.5 * sqrt(256.0 * ROUNDS)); // the coins take the bias of an odd q away
}

// The coin adds half a unit to each number, so that it decides whether 8v + 4 coin reaches q or 3q, for two values of v.
RS_TEST(coins_decide_ties) {
    static const struct {
        uint32_t v;
        uint8_t hints[2]; // hints of the first coefficient in a group of zeros, for both coins
    } TIES[] = {{1536, {0, 1}}, {1535, {0, 0}}, {1537, {1, 1}},  {4608, {1, 2}},
                {7680, {2, 2}}, {7681, {3, 3}}, {10752, {3, 3}}, {10753, {0, 0}}};
    static uint64_t v[N];
    for (unsigned k = 0; k < sizeof TIES / sizeof *TIES; k++) {
        for (unsigned i = 0; i < GROUPS; i += 51) {
            for (unsigned coin = 0; coin < 2; coin++) {
                uint8_t coins[RS_NEWHOPE_COIN_BYTES] = {0}, hints[RS_NEWHOPE_HINT_BYTES], want[RS_NEWHOPE_HINT_BYTES] = {0};
                memset(v, 0, sizeof v);
                v[i] = TIES[k].v;
                coins[i / 8] = (uint8_t)(coin << i % 8);
                want[i / 4] = (uint8_t)(TIES[k].hints[coin] << 2 * (i % 4));
                rs_newhope_hints(hints, v, coins);
                CHECK_EQ_MEM(hints, want, sizeof want);
            }
        }
    }
}

// With hints of zeros the norm is 8/q times the sum of coefficients below q/2: at q the point is no longer within it.
RS_TEST(a_norm_of_one_is_outside) {
    static uint64_t v[N];
    for (unsigned more = 0; more < 3; more++) {
        for (unsigned i = 0; i < GROUPS; i += 17) {
            const uint8_t hints[RS_NEWHOPE_HINT_BYTES] = {0};
            uint8_t key[RS_NEWHOPE_SHARED_BYTES], want[RS_NEWHOPE_SHARED_BYTES];
            memset(v, 0, sizeof v);
            memset(want, 0xff, sizeof want); // zeros are within it
            for (unsigned j = 0; j < 4; j++) v[GROUPS * j + i] = Q / 4;
            v[GROUPS * (i % 4) + i] += more; // the sum is q - 1, q, q + 1
            if (more) want[i / 8] ^= (uint8_t)(1 << i % 8);
            rs_newhope_reconcile(key, v, hints);
            CHECK_EQ_MEM(key, want, sizeof want);
        }
    }
}

// The functions for arrays of cores do the same with any words.
RS_TEST(arrays_of_cores_are_reconciled_alike) {
    static uint64_t v[N], turned[N / 2];
    for (unsigned k = 0; k < 20; k++) {
        uint8_t coins[RS_NEWHOPE_COIN_BYTES], hints[2][RS_NEWHOPE_HINT_BYTES], key[2][RS_NEWHOPE_SHARED_BYTES];
        for (unsigned i = 0; i < sizeof coins; i++) coins[i] = (uint8_t)rs_test_random(&random_state);
        for (uint32_t i = 0; i < N; i++) {
            uint32_t reversed = 0;
            for (unsigned bit = 0; bit < 10; bit++) reversed |= (i >> bit & 1) << (9 - bit);
            v[i] = k ? rs_test_random(&random_state) % Q : Q - 1;
            rs_store32((uint8_t *)turned + 4 * (size_t)reversed, (uint32_t)v[i]);
        }
        rs_newhope_hints(hints[0], v, coins);
        rs_newhope_hints_core(hints[1], (const uint8_t *)turned, coins);
        CHECK_EQ_MEM(hints[1], hints[0], sizeof hints[0]);
        if (k & 1) hints[0][k] ^= 5;
        rs_newhope_reconcile(key[0], v, hints[0]);
        rs_newhope_reconcile_core(key[1], (const uint8_t *)turned, hints[0]);
        CHECK_EQ_MEM(key[1], key[0], sizeof key[0]);
    }
}

// ---- noise ---------------------------------------------------------------------------------------------------------------
// psi_16: weights of the stream's bytes, which have the binomial distribution of 32 coins less 16. Chi-square with the tails beyond 9 together: 20 classes, 19 degrees of freedom,
// above 60 with a probability of 4e-6.
RS_TEST(noise_is_binomial) {
    enum { POLYS = 256, TAIL = 10, CLASSES = 2 * TAIL + 1 };
    static uint64_t poly[N];
    static uint8_t stream[4 * N];
    uint8_t nonce[RS_CHACHA20_NONCE_BYTES] = {0};
    unsigned largest = 0;
    double want[33], observed[CLASSES] = {0}, expected[CLASSES] = {0}, choose = 1, chi_square = 0;
    for (int k = 0; k <= 32; k++) {
        want[k] = choose / 0x1p32;
        choose = choose * (32 - k) / (k + 1);
    }
    for (unsigned k = 0; k < POLYS; k++) {
        uint8_t seed[RS_NEWHOPE_SEED_BYTES] = {(uint8_t)k};
        rs_newhope_noise(poly, seed, (rs_newhope_noise_t)(k % 3));
        nonce[4] = (uint8_t)(k % 3);
        rs_chacha20_stream(stream, sizeof stream, seed, nonce, 0);
        for (unsigned i = 0; i < N; i++) {
            const int value = poly[i] > Q / 2 ? (int)poly[i] - Q : (int)poly[i];
            const uint8_t *four = stream + 4 * (rs_bit_reverse(i, 10));
            const int plus = __builtin_popcount(four[0]) + __builtin_popcount(four[1]);
            const int minus = __builtin_popcount(four[2]) + __builtin_popcount(four[3]);
            largest += plus == 16 || minus == 16;
            CHECK_EQ_I64(value, plus - minus);
            REQUIRE(poly[i] < Q && value >= -16 && value <= 16);
            observed[(value < -TAIL ? -TAIL : value > TAIL ? TAIL : value) + TAIL]++;
        }
    }
    for (int value = -16; value <= 16; value++) {
        expected[(value < -TAIL ? -TAIL : value > TAIL ? TAIL : value) + TAIL] += (double)POLYS * N * want[value + 16];
    }
    for (unsigned k = 0; k < CLASSES; k++) chi_square += (observed[k] - expected[k]) * (observed[k] - expected[k]) / expected[k];
    CHECK(largest > 0); // all 16 bits of a sum set
    CHECK(chi_square < 60);
    CHECK(chi_square > 3);
}

RS_TEST(polynomials_of_one_seed_differ) {
    static uint64_t poly[3][N];
    const uint8_t seed[RS_NEWHOPE_SEED_BYTES] = {1};
    uint8_t coins[RS_NEWHOPE_COIN_BYTES];
    for (unsigned k = 0; k < 3; k++) rs_newhope_noise(poly[k], seed, (rs_newhope_noise_t)k);
    rs_newhope_coins(coins, seed);
    for (unsigned k = 0; k < 3; k++) {
        unsigned same = 0;
        for (unsigned i = 0; i < N; i++) same += poly[k][i] == poly[(k + 1) % 3][i];
        CHECK(same < 200); // 102 in the mean, deviation 10
    }
    CHECK(!is_zero(coins, sizeof coins));
}
