// SPDX-License-Identifier: Apache-2.0
// AES-128 on ciphertexts from keys to decryption, every slot compared with plain AES after the last of its rounds.
//   run_aes [m=255] [depth=3] [hybrid=1] [rounds=10] [threads=1] [backend=avx2] [noise=0] [bits=31] [power=1] [special=8]
// Even slots are FIPS-197 C.1, slot 1 is FIPS-197 B, the others have blocks and keys of their own. Exit code 0: all right; 1: wrong bits or
// damaged decryptions, which is what too small primes (bits=27) or the paper's keys (power=2) give at full size; 2: an error; 77: no such back end here.
#include <ringside_ltv/ringside_ltv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 16, KEYS = 176 };

static const uint8_t KEY_B[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
static const uint8_t PLAIN_B[16] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};
static const uint8_t CIPHER_B[16] = {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb,
                                     0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32};
static const uint8_t CIPHER_C1[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                      0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};

static double seconds(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void expect(rs_ltv_status_t status, const char *what) {
    if (status == RS_LTV_OK) return;
    fprintf(stderr, "run_aes: %s: %s\n", what, rs_ltv_message(status));
    exit(status == RS_LTV_ERR_SLOTS ? 1 : status == RS_LTV_ERR_BACKEND ? 77 : 2);
}

static void *memory(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p) expect(RS_LTV_ERR_MEMORY, "start");
    return p;
}

typedef struct options {
    rs_ltv_params_t params;
    uint32_t rounds, threads, noise;
    const char *backend;
} options_t;

static uint32_t number(const char *text, const char *name) {
    const size_t length = strlen(name);
    if (strncmp(text, name, length) || text[length] != '=') return UINT32_MAX;
    return (uint32_t)strtoul(text + length + 1, NULL, 10);
}

static options_t parse(int count, char **arguments) {
    uint32_t m = 255, depth = 3, hybrid = 1, bits = 31, power = 1, special = UINT32_MAX;
    options_t o = {.rounds = 10, .threads = 1};
    struct {
        const char *name;
        uint32_t *value;
    } known[] = {{"m", &m},          {"depth", &depth},     {"hybrid", &hybrid},   {"bits", &bits},
                 {"power", &power},  {"special", &special}, {"rounds", &o.rounds}, {"threads", &o.threads},
                 {"noise", &o.noise}};
    for (int i = 1; i < count; i++) {
        int found = strncmp(arguments[i], "backend=", 8) == 0;
        if (found) o.backend = arguments[i] + 8;
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            const uint32_t value = number(arguments[i], known[k].name);
            if (value != UINT32_MAX) *known[k].value = value, found = 1;
        }
        if (!found) fprintf(stderr, "run_aes: unknown argument %s\n", arguments[i]), exit(2);
    }
    o.params = rs_ltv_default(m, depth, hybrid);
    o.params.prime_bits = bits;
    o.params.key_power = power;
    if (special != UINT32_MAX) o.params.special = special;
    return o;
}

// blocks and round keys of all slots
static void fill_slots(uint32_t slots, uint8_t *blocks, uint8_t *keys) {
    uint32_t x = 1;
    for (uint32_t j = 0; j < slots; j++) {
        uint8_t key[16];
        for (uint32_t i = 0; i < BLOCK; i++) {
            x = x * 1664525 + 1013904223;
            key[i] = (uint8_t)(j % 2 == 0 ? i : j == 1 ? KEY_B[i] : x >> 24);
            x = x * 1664525 + 1013904223;
            blocks[j * BLOCK + i] = (uint8_t)(j % 2 == 0 ? 0x11 * i : j == 1 ? PLAIN_B[i] : x >> 24);
        }
        rs_ltv_aes_expand(key, keys + (size_t)j * KEYS);
    }
}

static void encrypt_keys(rs_ltv_t *ltv, uint32_t slots, const uint8_t *keys, uint32_t round, uint32_t n, uint32_t *set) {
    static const uint8_t SEED[32] = {7};
    uint8_t *blocks = memory((size_t)slots * BLOCK), *messages = memory((size_t)RS_LTV_STATE * n);
    for (uint32_t j = 0; j < slots; j++) memcpy(blocks + j * BLOCK, keys + (size_t)j * KEYS + round * BLOCK, BLOCK);
    expect(rs_ltv_aes_messages(ltv, blocks, round > 0, messages), "messages");
    expect(rs_ltv_encrypt(ltv, SEED, round * RS_LTV_STATE, messages, rs_ltv_aes_level(ltv, round), RS_LTV_STATE, set),
           "encryption");
    free(blocks);
    free(messages);
}

static void make_keys(rs_ltv_t *ltv, const rs_ltv_info_t *info) {
    static const uint8_t SEED[32] = {1, 2, 3};
    uint32_t *rows = memory((size_t)info->key_rows * info->n * sizeof *rows);
    int8_t *f = memory(info->n);
    double start = seconds();
    expect(rs_ltv_secret(ltv, SEED, f), "secret key");
    expect(rs_ltv_public(ltv, SEED, rows), "public key");
    const double pair = seconds() - start;
    start = seconds();
    for (uint32_t d = 0; d < info->digits; d++) expect(rs_ltv_evaluation(ltv, SEED, d, rows), "evaluation key");
    printf("keys %.2f s, %u digits of evaluation keys %.2f s\n", pair, info->digits, seconds() - start);
    free(rows);
    free(f);
}

static void show(const rs_ltv_round_t *r) {
    for (uint32_t k = 0; k < r->step_count; k++) {
        const rs_ltv_step_t *s = &r->steps[k];
        printf("    %-34s l=%2u  noise %.1f (max %.1f), by formula %.1f, bound %.1f\n", s->name, s->level, s->rms, s->max,
               s->predicted, s->bound);
    }
}

// Noise beyond half of its bound, or far from the formula, is a defect: the decryption would still be right for a while.
static void judge(const rs_ltv_round_t *r) {
    for (uint32_t k = 0; k < r->step_count; k++) {
        const rs_ltv_step_t *s = &r->steps[k];
        const double off = s->rms - s->predicted;
        if (s->max < s->bound && off < 8 && off > -2.5) continue;
        printf("%s: noise %.1f is far from %.1f\n", s->name, s->rms, s->predicted);
        exit(1);
    }
}

static uint32_t compare(uint32_t slots, uint32_t rounds, const uint8_t *blocks, const uint8_t *keys, const uint8_t *got) {
    uint32_t right = 0;
    for (uint32_t j = 0; j < slots; j++) {
        uint8_t block[BLOCK];
        memcpy(block, blocks + j * BLOCK, BLOCK);
        rs_ltv_aes_encrypt_plain(keys + (size_t)j * KEYS, rounds, block);
        const uint8_t *vector = j % 2 == 0 ? CIPHER_C1 : CIPHER_B;
        if (rounds == 10 && (j < 2 || j % 2 == 0) && memcmp(block, vector, BLOCK))
            fprintf(stderr, "run_aes: plain AES is wrong\n"), exit(2);
        right += memcmp(block, got + j * BLOCK, BLOCK) == 0;
    }
    return right;
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    const options_t o = parse(count, arguments);
    rs_ltv_t *ltv;
    rs_ltv_info_t info;
    expect(rs_ltv_open(&ltv, &o.params, o.backend, o.threads), "parameters");
    rs_ltv_info(ltv, &info);
    printf("m %u, n %u, %u slots, %u + %u primes of %u bits, depth %u, %s, %s, %u threads, at most %.0f MB\n", o.params.m, info.n,
           info.slots, o.params.primes, o.params.special, o.params.prime_bits, o.params.sbox_depth,
           o.params.special ? "hybrid" : "windows", rs_ltv_backend(ltv), info.threads, (double)info.memory_bytes * 1e-6);
    make_keys(ltv, &info);
    uint8_t *blocks = memory((size_t)info.slots * BLOCK), *keys = memory((size_t)info.slots * KEYS);
    fill_slots(info.slots, blocks, keys);
    const size_t words = (size_t)RS_LTV_STATE * info.n;
    uint32_t *state = memory(words * o.params.primes * sizeof *state);
    encrypt_keys(ltv, info.slots, keys, 0, info.n, state);
    expect(rs_ltv_aes_add_blocks(ltv, blocks, o.params.primes, state), "blocks");
    double total = 0, processor = 0;
    for (uint32_t round = 1; round <= o.rounds; round++) {
        uint32_t *key = memory(words * rs_ltv_aes_level(ltv, round) * sizeof *key);
        encrypt_keys(ltv, info.slots, keys, round, info.n, key);
        rs_ltv_round_t record;
        const double start = seconds(), before = (double)clock() / CLOCKS_PER_SEC;
        expect(rs_ltv_aes_round(ltv, round, state, key, o.noise, &record), "round");
        const double took = seconds() - start;
        const double used = (double)clock() / CLOCKS_PER_SEC - before;
        total += took;
        processor += used;
        printf("round %2u: %.3f s, processor %.3f s (products %.3f, relinearisation %.3f, switching %.3f, linear %.3f), level %u\n",
               round, took, used, record.products, record.relinearisation, record.switching, record.linear,
               rs_ltv_aes_level(ltv, round));
        show(&record);
        if (o.noise) judge(&record);
        free(state);
        state = key;
    }
    uint64_t cost, expected = 0;
    for (uint32_t round = 1; round <= o.rounds; round++) expected += rs_ltv_aes_cost(ltv, round);
    const uint64_t done = rs_ltv_progress(ltv, &cost);
    if (done != info.relinearisations / 10 * o.rounds || cost != expected) fprintf(stderr, "run_aes: miscounted\n"), exit(2);
    uint8_t *got = memory((size_t)info.slots * BLOCK);
    double noise[2];
    expect(rs_ltv_aes_decrypt(ltv, state, rs_ltv_aes_level(ltv, o.rounds), got, noise), "decryption");
    const uint32_t right = compare(info.slots, o.rounds, blocks, keys, got);
    printf("%u of %u blocks right, noise %.1f (max %.1f), %llu relinearisations, %.2f s, processor %.2f s, %.2f ms per block\n",
           right, info.slots, noise[0], noise[1], (unsigned long long)done, total, processor, processor / info.slots * 1e3);
    rs_ltv_close(ltv);
    free(blocks);
    free(keys);
    free(state);
    free(got);
    return right == info.slots ? 0 : 1;
}
