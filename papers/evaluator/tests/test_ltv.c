// SPDX-License-Identifier: Apache-2.0
// The evaluator's parts: rings against schoolbook arithmetic, back ends against the portable one, slots, S-boxes, ciphertexts at every level, AES on
// ciphertexts, and what is refused.
#include "aes/tables.h"
#define RS_TEST_NO_STATUS_NAMES
#include "rs_test.h"
#include "scheme/scheme.h"

static const uint32_t RINGS[] = {255, 4369, 21845, 65535};
enum { RING_COUNT = sizeof RINGS / sizeof RINGS[0] };
static const char *const BACKENDS[] = {"portable", "avx2", "avx512"};

// Nothing goes on after one that fails.
#define OK(call)                                  \
    do {                                          \
        if (!CHECK((call) == RS_LTV_OK)) exit(1); \
    } while (0)

static uint32_t random_word(void) {
    static uint64_t state = 1;
    return (uint32_t)(rs_test_random(&state) >> 32);
}

static void *memory(size_t bytes) { return rs_test_own(ltv_allocate(bytes)); }

static void fill(uint32_t *x, size_t n, uint32_t p, int pattern) {
    for (size_t i = 0; i < n; i++) x[i] = pattern == 0 ? random_word() % p : pattern == 1 ? p - 1 : i == n - 1;
}

// Coefficients of Phi_m, by long products and divisions of 1 - X^d; |.| <= 4 here.
static void cyclotomic(const ltv_ring_t *ring, int32_t *phi) {
    memset(phi, 0, (ring->n + 1) * sizeof *phi);
    phi[0] = 1;
    for (uint32_t k = 0; k < ring->factor_count; k++) {
        const uint32_t d = ring->factors[k].degree;
        for (uint32_t i = 0; i <= ring->n && ring->factors[k].inverse; i++) phi[i] += i >= d ? phi[i - d] : 0;
        for (uint32_t i = ring->n + 1; i-- > 0 && !ring->factors[k].inverse;) phi[i] -= i >= d ? phi[i - d] : 0;
    }
}

// A product modulo p and Phi_m at the coefficients that the remainder needs, for small rings in full.
static void schoolbook(const ltv_ring_t *ring, uint32_t p, const uint32_t *a, const uint32_t *b, uint32_t *out) {
    const size_t n = ring->n;
    uint64_t *product = rs_test_own(calloc(2 * n, sizeof *product));
    int32_t *phi = memory((n + 1) * sizeof *phi);
    for (size_t i = 0; i < n; i++) {
        if (!a[i]) continue;
        for (size_t j = 0; j < n; j++) product[i + j] = (product[i + j] + (uint64_t)a[i] * b[j]) % p;
    }
    cyclotomic(ring, phi);
    CHECK(phi[n] == 1);
    for (size_t k = 2 * n - 2; k >= n; k--) {
        if (!product[k]) continue;
        for (size_t j = 0; j < n; j++) {
            const uint64_t factor = phi[j] < 0 ? p - (uint32_t)-phi[j] : (uint32_t)phi[j];
            if (phi[j]) product[k - n + j] = (product[k - n + j] + (p - product[k]) * factor) % p;
        }
    }
    for (size_t i = 0; i < n; i++) out[i] = (uint32_t)product[i];
}

static void multiply(const ltv_kernels_t *kernels, const ltv_ring_t *ring, const ltv_mod_t *mod, const uint32_t *a,
                     const uint32_t *b, uint32_t *out) {
    const size_t points = ring->points;
    uint32_t *x = memory((2 * points + 2 * ring->n + 2 * LTV_PAD) * sizeof *x), *y = x + points;
    kernels->forward(mod, a, x, NULL);
    kernels->forward(mod, b, y, NULL);
    kernels->scale(mod, y, y, points, mod->scale);
    kernels->multiply(mod, x, y, points);
    kernels->inverse(mod, x);
    kernels->reduce(ring, mod, x, y);
    memcpy(out, x, ring->n * sizeof *out);
}

static void test_ring(uint32_t m) {
    ltv_ring_t ring;
    CHECK(ltv_ring_init(&ring, m));
    CHECK(!ltv_ring_init(&(ltv_ring_t){0}, m + 2));
    uint32_t primes[3];
    CHECK(ltv_primes(&ring, 31, primes, 3));
    const size_t n = ring.n;
    uint32_t *a = memory(4 * n * sizeof *a), *b = a + n, *expected = b + n, *got = expected + n;
    for (int pattern = 0; pattern < (n > 4096 ? 1 : 3); pattern++) { // the division takes n^2 steps
        fill(a, n, primes[pattern], pattern);
        fill(b, n, primes[pattern], pattern);
        if (n > 4096) { // few terms: schoolbook takes n for each
            for (size_t i = 0; i < n; i++) a[i] = i % (n / 16) == 3 || i == n - 1 ? a[i] : 0;
        }
        schoolbook(&ring, primes[pattern], a, b, expected);
        for (size_t k = 0; k < sizeof BACKENDS / sizeof BACKENDS[0]; k++) {
            const ltv_kernels_t *kernels = ltv_kernels_find(BACKENDS[k]);
            if (!kernels) continue;
            ltv_mod_t mod;
            uint32_t *tables = memory(ltv_mod_words(&ring, kernels->log_lanes) * sizeof *tables);
            ltv_mod_init(&mod, &ring, primes[pattern], kernels->log_lanes, tables);
            multiply(kernels, &ring, &mod, a, b, got);
            CHECK(memcmp(got, expected, n * sizeof *got) == 0);
        }
    }
}

static rs_ltv_t *open_small(uint32_t depth, uint32_t hybrid, const char *backend, uint32_t threads) {
    const rs_ltv_params_t params = rs_ltv_default(255, depth, hybrid);
    rs_ltv_t *ltv;
    OK(rs_ltv_open(&ltv, &params, backend, threads));
    return ltv;
}

static void make_keys(rs_ltv_t *ltv, int8_t *f) {
    static const uint8_t SEED[32] = {4, 2};
    rs_ltv_info_t info;
    rs_ltv_info(ltv, &info);
    uint32_t *rows = memory((size_t)info.key_rows * info.n * sizeof *rows);
    OK(rs_ltv_secret(ltv, SEED, f));
    OK(rs_ltv_public(ltv, SEED, rows));
    for (uint32_t d = 0; d < info.digits; d++) OK(rs_ltv_evaluation(ltv, SEED, d, rows));
}

// h f = 2 g with g ternary: the inverse is right modulo every prime
RS_TEST(keys) {
    static const uint8_t SEED[32] = {4, 2};
    for (unsigned r = 0; r < RING_COUNT; r++) {
        const rs_ltv_params_t params = {RINGS[r], 2, 1, 31, 3, 1};
        rs_ltv_t *ltv;
        OK(rs_ltv_open(&ltv, &params, NULL, 1));
        const size_t n = ltv->info.n;
        int8_t *f = memory(n), *g = memory(n);
        uint32_t *h = memory((3 * n + ltv_product_words(ltv)) * sizeof *h), *wanted = memory(n * sizeof *wanted);
        OK(rs_ltv_secret(ltv, SEED, f));
        OK(rs_ltv_public(ltv, SEED, h));
        ltv_ternary(ltv, SEED, LTV_FOR_PUBLIC, 0, g);
        int count[3] = {0, 0, 0};
        for (size_t j = 0; j < n; j++) count[g[j] + 1]++;
        for (int k = 0; k < 3; k++) CHECK(abs(count[k] - (int)n / 3) < 5 * sqrt((double)n)); // ternary, about a third each
        for (uint32_t i = 0; i < 3; i++) {
            ltv_by_key(ltv, i, h + i * n, ltv->secret + (size_t)i * ltv->ring.points, h + i * n, h + 3 * n);
            memset(wanted, 0, n * sizeof *wanted);
            ltv_add_small(ltv, i, wanted, g, 2);
            CHECK(memcmp(h + i * n, wanted, n * sizeof *wanted) == 0);
        }
        rs_ltv_close(ltv);
    }
}

RS_TEST(slots) {
    for (unsigned r = 0; r < RING_COUNT; r++) {
        ltv_ring_t ring;
        ltv_slots_t slots;
        CHECK(ltv_ring_init(&ring, RINGS[r]) && ltv_slots_init(&slots, &ring));
        CHECK(ring.slots * ring.order == ring.n);
        uint8_t *bits = memory(ring.slots), *back = memory(ring.slots), *coefficients = memory(ring.n);
        for (uint32_t j = 0; j < ring.slots; j++) bits[j] = random_word() >> 31;
        CHECK(ltv_slots_encode(&slots, bits, coefficients) && ltv_slots_decode(&slots, coefficients, back));
        CHECK(memcmp(bits, back, ring.slots) == 0);
        memset(bits, 1, ring.slots); // all ones is the polynomial 1
        CHECK(ltv_slots_encode(&slots, bits, coefficients) && coefficients[0] == 1);
        for (uint32_t i = 1; i < ring.n; i++) CHECK(!coefficients[i]);
        ltv_slots_free(&slots);
    }
}

RS_TEST(sbox) {
    ltv_aes_t aes;
    ltv_aes_init(&aes);
    CHECK(ltv_aes_sbox(&aes, 3, 0) == 0x63 && ltv_aes_sbox(&aes, 4, 0x53) == 0xed); // FIPS-197, section 5.1.1
    uint8_t seen[256] = {0};
    for (unsigned x = 0; x < 256; x++) {
        const uint8_t y = ltv_aes_sbox(&aes, 3, (uint8_t)x);
        CHECK(y == ltv_aes_sbox(&aes, 4, (uint8_t)x));
        seen[y]++;
    }
    for (unsigned x = 0; x < 256; x++) CHECK(seen[x] == 1);
    CHECK(ltv_aes_xors(&aes) == 62); // the least of all towers and roots: found independently by the study of this circuit
}

// Products decrypt to the AND of the bits, by windows and hybrid, before and after relinearisation and switching, at every level.
static void test_levels(uint32_t hybrid, const char *backend, uint32_t threads) {
    if (!ltv_kernels_find(backend)) return;
    static const uint8_t SEED[32] = {8};
    rs_ltv_t *ltv = open_small(3, hybrid, backend, threads);
    const size_t n = ltv->info.n, slots = ltv->info.slots;
    int8_t f[128];
    make_keys(ltv, f);
    uint8_t bits[2][16], got[16], messages[2 * 128], coefficients[128];
    uint32_t *set = memory((size_t)31 * 3 * n * sizeof *set), *b = set + 31 * n, *product = b + 31 * n;
    double noise[2];
    for (uint32_t level = 2; level <= 31; level += level < 4 || level > 28 ? 1 : 5) {
        for (size_t j = 0; j < 2 * slots; j++) bits[j / slots][j % slots] = random_word() >> 31;
        for (int k = 0; k < 2; k++) OK(rs_ltv_encode(ltv, bits[k], messages + k * n));
        OK(rs_ltv_encrypt(ltv, SEED, 2 * level, messages, level, 1, set));
        OK(rs_ltv_encrypt(ltv, SEED, 2 * level + 1, messages + n, level, 1, b));
        OK(rs_ltv_multiply(ltv, set, b, level, 1, product));
        OK(rs_ltv_decrypt(ltv, product, level, 1, 0, 2, coefficients, noise));
        OK(rs_ltv_decode(ltv, coefficients, got));
        for (size_t j = 0; j < slots; j++) CHECK(got[j] == (bits[0][j] & bits[1][j]));
        OK(rs_ltv_relinearise(ltv, product, level, 1));
        for (int step = 0; step < 2; step++) {
            OK(rs_ltv_decrypt(ltv, product, level - (uint32_t)step, 1, 0, 1, coefficients, noise));
            OK(rs_ltv_decode(ltv, coefficients, got));
            for (size_t j = 0; j < slots; j++) CHECK(got[j] == (bits[0][j] & bits[1][j]));
            if (step == 0) OK(rs_ltv_switch(ltv, product, level, 1));
        }
        CHECK(noise[1] < 12); // at the floor after the switch
        OK(rs_ltv_add(ltv, set, b, level, 1));
        OK(rs_ltv_decrypt(ltv, set, level, 1, 0, 1, coefficients, noise));
        OK(rs_ltv_decode(ltv, coefficients, got));
        for (size_t j = 0; j < slots; j++) CHECK(got[j] == (bits[0][j] ^ bits[1][j]));
    }
    rs_ltv_close(ltv);
}

// Keys, ciphertexts, products, relinearisation and switching have the same words on every back end and for any number of threads.
static void test_equal(uint32_t hybrid) {
    static const uint8_t SEED[32] = {5};
    enum { LEVEL = 11, COUNT = 6 };
    uint32_t *first = NULL;
    for (size_t k = 0; k < 4; k++) {
        const char *backend = BACKENDS[k % 3];
        if (!ltv_kernels_find(backend)) continue;
        rs_ltv_t *ltv = open_small(4, hybrid, backend, k == 3 ? 3 : 1);
        const size_t n = ltv->info.n, words = (size_t)COUNT * LEVEL * n;
        int8_t f[128];
        make_keys(ltv, f);
        uint8_t messages[COUNT * 128];
        for (size_t j = 0; j < sizeof messages; j++) messages[j] = j % 3 == 0;
        uint32_t *set = memory(words * sizeof *set), *product = memory(words * sizeof *product);
        OK(rs_ltv_encrypt(ltv, SEED, 0, messages, LEVEL, COUNT, set));
        OK(rs_ltv_multiply(ltv, set, set, LEVEL, COUNT, product));
        OK(rs_ltv_relinearise(ltv, product, LEVEL, COUNT));
        OK(rs_ltv_switch(ltv, product, LEVEL, COUNT));
        if (!first) first = product;
        CHECK(memcmp(first, product, words / LEVEL * (LEVEL - 1) * sizeof *product) == 0);
        rs_ltv_close(ltv);
    }
}

enum { SLOTS = 16, BLOCK = 16, KEYS = 176 };

// The ciphertexts of a round key.
static uint32_t *round_key(rs_ltv_t *ltv, const uint8_t keys[SLOTS][KEYS], uint32_t round) {
    static const uint8_t SEED[32] = {7};
    const uint32_t level = rs_ltv_aes_level(ltv, round);
    const size_t n = ltv->info.n;
    uint8_t blocks[SLOTS * BLOCK], *messages = memory(RS_LTV_STATE * n);
    uint32_t *set = memory(RS_LTV_STATE * n * level * sizeof *set);
    for (size_t j = 0; j < SLOTS; j++) memcpy(blocks + j * BLOCK, keys[j] + round * BLOCK, BLOCK);
    OK(rs_ltv_aes_messages(ltv, blocks, round > 0, messages));
    OK(rs_ltv_encrypt(ltv, SEED, (uint64_t)round * RS_LTV_STATE, messages, level, RS_LTV_STATE, set));
    return set;
}

// AES on ciphertexts, every slot compared with plain AES. Even slots are FIPS-197 C.1, slot 1 is FIPS-197 B, the others have blocks and keys of
// their own. Noise beyond its bound, or far from the formula, is a defect: the decryption would still be right for a while.
static void test_aes(uint32_t depth, uint32_t hybrid, const char *backend, uint32_t threads, uint32_t rounds) {
    static const uint8_t KEY_B[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                      0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    static const uint8_t PLAIN_B[16] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
                                        0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};
    static const uint8_t CIPHERS[2][16] = {
        {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
        {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32}};
    if (backend && !ltv_kernels_find(backend)) return;
    rs_ltv_t *ltv = open_small(depth, hybrid, backend, threads);
    int8_t f[128];
    make_keys(ltv, f);
    uint8_t blocks[SLOTS][BLOCK], got[SLOTS][BLOCK], keys[SLOTS][KEYS];
    for (unsigned j = 0; j < SLOTS; j++) {
        uint8_t key[BLOCK];
        for (unsigned i = 0; i < BLOCK; i++) {
            key[i] = (uint8_t)(j % 2 == 0 ? i : j == 1 ? KEY_B[i] : random_word());
            blocks[j][i] = (uint8_t)(j % 2 == 0 ? 0x11 * i : j == 1 ? PLAIN_B[i] : random_word());
        }
        rs_ltv_aes_expand(key, keys[j]);
    }
    uint32_t *state = round_key(ltv, keys, 0);
    OK(rs_ltv_aes_add_blocks(ltv, blocks[0], rs_ltv_aes_level(ltv, 0), state));
    uint64_t cost, expected = 0;
    for (uint32_t round = 1; round <= rounds; round++) {
        uint32_t *next = round_key(ltv, keys, round);
        rs_ltv_round_t record;
        OK(rs_ltv_aes_round(ltv, round, state, next, 1, &record));
        CHECK(record.step_count > 0);
        for (const rs_ltv_step_t *s = record.steps; s < record.steps + record.step_count; s++)
            CHECK(s->max < s->bound && s->rms - s->predicted < 8 && s->rms - s->predicted > -2.5);
        state = next;
        expected += rs_ltv_aes_cost(ltv, round);
    }
    CHECK(rs_ltv_progress(ltv, &cost) == ltv->info.relinearisations / 10 * rounds && cost == expected);
    double noise[2];
    OK(rs_ltv_aes_decrypt(ltv, state, rs_ltv_aes_level(ltv, rounds), got[0], noise));
    for (unsigned j = 0; j < SLOTS; j++) {
        rs_ltv_aes_encrypt_plain(keys[j], rounds, blocks[j]);
        if (rounds == 10 && (j < 2 || j % 2 == 0)) CHECK(memcmp(blocks[j], CIPHERS[j % 2], BLOCK) == 0);
        CHECK(memcmp(blocks[j], got[j], BLOCK) == 0);
    }
    rs_ltv_close(ltv);
}

RS_TEST(aes) {
#ifdef __SANITIZE_ADDRESS__ // slows the vectors down
    const uint32_t rounds = 1;
#else
    const uint32_t rounds = 10;
#endif
    test_aes(3, 1, NULL, 1, rounds);
    test_aes(4, 0, NULL, 1, rounds);
    test_aes(4, 1, "avx2", 2, 2);
    test_aes(3, 1, "portable", 1, 2);
}

RS_TEST(refusals) {
    rs_ltv_t *ltv;
    rs_ltv_params_t params = rs_ltv_default(257, 3, 1);
    CHECK(rs_ltv_open(&ltv, &params, NULL, 1) == RS_LTV_ERR_RING && !ltv);
    params = rs_ltv_default(255, 5, 1);
    CHECK(rs_ltv_open(&ltv, &params, NULL, 1) == RS_LTV_ERR_DEPTH);
    params = rs_ltv_default(255, 3, 1);
    params.special = 9;
    CHECK(rs_ltv_open(&ltv, &params, NULL, 1) == RS_LTV_ERR_PRIMES);
    params.special = 8;
    params.primes = 49;
    CHECK(rs_ltv_open(&ltv, &params, NULL, 1) == RS_LTV_ERR_PRIMES);
    params.primes = UINT32_MAX - 3; // with the special ones 4
    CHECK(rs_ltv_open(&ltv, &params, NULL, 1) == RS_LTV_ERR_PRIMES);
    params.primes = 31;
    params.prime_bits = 26;
    CHECK(rs_ltv_open(&ltv, &params, NULL, 1) == RS_LTV_ERR_PRIMES);
    params.prime_bits = 31;
    CHECK(rs_ltv_open(&ltv, &params, "mmx", 1) == RS_LTV_ERR_BACKEND);
    ltv = open_small(3, 1, NULL, 1);
    const size_t n = ltv->info.n;
    uint32_t *set = memory((size_t)31 * n * sizeof *set);
    memset(set, 0, (size_t)31 * n * sizeof *set);
    uint8_t coefficients[128];
    CHECK(rs_ltv_relinearise(ltv, set, 31, 1) == RS_LTV_ERR_KEY);
    CHECK(rs_ltv_decrypt(ltv, set, 31, 1, 0, 1, coefficients, NULL) == RS_LTV_ERR_KEY);
    int8_t f[128];
    make_keys(ltv, f);
    OK(rs_ltv_check(ltv, set, 31, 1));
    set[30 * n + 5] = rs_ltv_prime(ltv, 30);
    CHECK(rs_ltv_check(ltv, set, 31, 1) == RS_LTV_ERR_RESIDUE);
    CHECK(rs_ltv_load_evaluation(ltv, 99, set) == RS_LTV_ERR_LEVEL);
    f[3] = 1;
    CHECK(rs_ltv_load_secret(ltv, f) == RS_LTV_ERR_SECRET);
    CHECK(rs_ltv_switch(ltv, set, 1, 1) == RS_LTV_ERR_LEVEL);
    memset(coefficients, 0, sizeof coefficients);
    coefficients[1] = 1; // X is no vector of bits
    uint8_t bits[16];
    CHECK(rs_ltv_decode(ltv, coefficients, bits) == RS_LTV_ERR_SLOTS);
    rs_ltv_stop(ltv);
    CHECK(rs_ltv_relinearise(ltv, set, 30, 1) == RS_LTV_ERR_STOPPED);
    rs_ltv_close(ltv);
    rs_ltv_close(NULL);
}

RS_TEST(rings) {
    for (unsigned r = 0; r < RING_COUNT; r++) test_ring(RINGS[r]);
}

RS_TEST(levels_and_back_ends) {
    for (uint32_t hybrid = 0; hybrid < 2; hybrid++) {
        for (size_t k = 0; k < sizeof BACKENDS / sizeof BACKENDS[0]; k++) test_levels(hybrid, BACKENDS[k], (uint32_t)k + 1);
        test_equal(hybrid);
    }
}
