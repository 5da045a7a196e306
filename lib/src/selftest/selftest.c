// SPDX-License-Identifier: Apache-2.0
// Self-test: every primitive on fixed input, results hashed with BLAKE2b-256 and compared with known answers.
//
// The answers were made by this code on x86-64 after it had passed the oracle and interoperability tests. Every other platform must give
// the same. SHAKE256 and BLAKE2b are also compared with their standards' vectors, which do not depend on us.
// To renew the answers after a deliberate change: build/release/lib/tests/print_selftest.
#include "selftest/selftest.h"

#include <ringside/client.h>
#include <ringside/golden/hash.h>
#include <ringside/golden/sample.h>

#include "base/bytes.h"
#include "ckks/checks.h"

enum { LOG_N = 10, N = 1 << LOG_N, LIMBS = 3, DATA_LIMBS = 2, SLOTS = N / 2 };

const char *const RS_SELFTEST_NAMES[RS_SELFTEST_ANSWERS] = {
    "ntt",        "blake2xb expansion", "cbd",    "ternary",     "encode", "keys", "encrypt-sk",
    "encrypt-pk", "encrypt-pk-direct",  "decode", "fixed point", "bfv",    "bgv",
};

static const uint8_t KNOWN[RS_SELFTEST_ANSWERS][RS_SELFTEST_ANSWER_BYTES] = {
#include "selftest/selftest_answers.inc"
};

typedef struct state {
    const rs_context_t *context;
    rs_rng_t rng;
    rs_rng_deterministic_t rng_state;
    rs_memory_t context_memory;
    uint64_t *secret; // LIMBS * N
    uint64_t *public_key; // 2 * LIMBS * N
    uint64_t *ciphertext; // 2 * DATA_LIMBS * N
    uint64_t *decrypted; // DATA_LIMBS * N
    double *message; // N
    double *values; // 2 * SLOTS
    double *decoded; // 2 * SLOTS
    uint64_t *workspace; // WORKSPACE_WORDS
} state_t;

enum {
    WORKSPACE_WORDS = 5 * N,
    WORKSPACE_BYTES = 8 * WORKSPACE_WORDS,
    BUFFER_WORDS = (3 * LIMBS + 3 * DATA_LIMBS + 3) * N + WORKSPACE_WORDS
};

static rs_status_t parameters(rs_params_t *params, uint32_t scheme) {
    static const uint32_t BITS[LIMBS] = {50, 30, 36};
    return rs_params_init(params,
                          RS_REQUEST(rs_params_request_t, .n = N, .bits = BITS, .limb_count = LIMBS, .scheme = scheme,
                                     .plain_modulus = scheme == RS_SCHEME_CKKS ? 0 : 65537, .security = RS_SECURITY_UNCHECKED));
}

// The size of the largest context: one place serves them all in turn.
static size_t context_bytes(void) {
    static const uint32_t SCHEMES[] = {RS_SCHEME_CKKS, RS_SCHEME_BFV};
    size_t most = 0;
    for (unsigned i = 0; i < 2; i++) {
        rs_params_t params;
        if (parameters(&params, SCHEMES[i]) != RS_OK) return 0;
        const size_t bytes = rs_context_size(&params);
        if (bytes > most) most = bytes;
    }
    return most;
}

size_t rs_selftest_size(void) { return context_bytes() + BUFFER_WORDS * sizeof(uint64_t); }

static void hash_words(uint8_t *answer, const uint64_t *words, size_t count) {
    uint8_t chunk[64 + 32]; // chained: answer = H(words of the chunk || answer)
    memset(answer, 0, RS_SELFTEST_ANSWER_BYTES);
    for (size_t i = 0; i < count; i += 8) {
        for (size_t k = 0; k < 8; k++) rs_store64(chunk + 8 * k, i + k < count ? words[i + k] : 0);
        memcpy(chunk + 64, answer, 32);
        rs_blake2b(answer, RS_SELFTEST_ANSWER_BYTES, chunk, sizeof chunk, NULL, 0);
    }
}

static void hash_doubles(uint8_t *answer, const double *x, size_t count, uint64_t *scratch) {
    memcpy(scratch, x, count * sizeof *x);
    hash_words(answer, scratch, count);
}

// FIPS 202 example: SHAKE256 of the empty message. RFC 7693 appendix A: BLAKE2b-512 of "abc".
static rs_status_t standards(void) {
    static const uint8_t SHAKE[16] = {0x46, 0xb9, 0xdd, 0x2b, 0x0b, 0xa8, 0x8d, 0x13,
                                      0x23, 0x3b, 0x3f, 0xeb, 0x74, 0x3e, 0xeb, 0x24};
    static const uint8_t BLAKE[16] = {0xba, 0x80, 0xa5, 0x3f, 0x98, 0x1c, 0x4d, 0x0d,
                                      0x6a, 0x27, 0x97, 0xb6, 0x9f, 0x12, 0xf6, 0xe9};
    uint8_t out[64];
    rs_shake256(out, 16, NULL, 0);
    if (memcmp(out, SHAKE, sizeof SHAKE) != 0) return RS_ERR_SELFTEST;
    rs_blake2b(out, 64, (const uint8_t *)"abc", 3, NULL, 0);
    return memcmp(out, BLAKE, sizeof BLAKE) == 0 ? RS_OK : RS_ERR_SELFTEST;
}

static rs_status_t transforms(state_t *s, uint8_t *answer) {
    for (uint32_t limb = 0; limb < LIMBS; limb++) {
        uint64_t *poly = s->workspace + (size_t)limb * N;
        const uint64_t q = rs_context_params(s->context)->moduli[limb];
        for (uint32_t i = 0; i < N; i++) poly[i] = (q - 1) / (i + 1);
        rs_plan_forward(rs_context_plan(s->context, limb), poly);
    }
    hash_words(answer, s->workspace, LIMBS * N);
    for (uint32_t limb = 0; limb < LIMBS; limb++) {
        uint64_t *poly = s->workspace + (size_t)limb * N;
        const uint64_t q = rs_context_params(s->context)->moduli[limb];
        rs_plan_inverse(rs_context_plan(s->context, limb), poly);
        for (uint32_t i = 0; i < N; i++) {
            if (poly[i] != (q - 1) / (i + 1)) return RS_ERR_SELFTEST;
        }
    }
    return RS_OK;
}

static rs_status_t samplers(state_t *s, uint8_t (*answers)[RS_SELFTEST_ANSWER_BYTES]) {
    rs_seed_t seed;
    rs_uniform_t uniform;
    int8_t *small = (int8_t *)s->workspace;
    for (unsigned i = 0; i < RS_SEED_BYTES; i++) seed.bytes[i] = (uint8_t)(3 * i + 1);
    RS_TRY(rs_uniform_init(&uniform, RS_SEED_BLAKE2XB, &seed, LOG_N, LIMBS));
    for (uint32_t limb = 0; limb < LIMBS; limb++) {
        RS_TRY(rs_uniform_next(&uniform, rs_context_params(s->context)->moduli[limb], s->workspace + (size_t)limb * N));
    }
    hash_words(answers[0], s->workspace, LIMBS * N);
    rs_sample_cbd21(small, N, &seed, RS_DOMAIN_E0);
    rs_blake2b(answers[1], RS_SELFTEST_ANSWER_BYTES, (const uint8_t *)small, N, NULL, 0);
    rs_sample_ternary(small, N, &seed, RS_DOMAIN_U);
    rs_blake2b(answers[2], RS_SELFTEST_ANSWER_BYTES, (const uint8_t *)small, N, NULL, 0);
    return RS_OK;
}

static const rs_layout_t COMPLEX = {.is_complex = 1};

// Decrypts s->ciphertext and compares with the values: fresh noise at scale 2^30 leaves an error far below 2^-8.
static rs_status_t check_decryption(state_t *s, const rs_secret_key_t *key, const rs_ciphertext_t *ciphertext) {
    rs_decrypt_item_t item = {.ciphertext = ciphertext, .values = s->decoded, .count = SLOTS, .layout = &COMPLEX};
    RS_TRY(rs_decrypt(RS_REQUEST(rs_decrypt_request_t, .context = s->context, .secret_key = key, .items = &item, .count = 1,
                                 .workspace = {s->workspace, WORKSPACE_BYTES})));
    for (unsigned i = 0; i < 2 * SLOTS; i++) {
        const double difference = s->decoded[i] - s->values[i];
        if (!(difference < 1.0 / 256 && difference > -1.0 / 256)) return RS_ERR_SELFTEST;
    }
    return RS_OK;
}

static rs_status_t ckks(state_t *s, uint8_t (*answers)[RS_SELFTEST_ANSWER_BYTES]) {
    rs_plaintext_t message = {.message = s->message};
    rs_secret_key_t secret = {.ntt = s->secret};
    rs_ciphertext_t public_key = {.data = s->public_key};
    rs_ciphertext_t ciphertext = {.data = s->ciphertext};
    for (int i = 0; i < 2 * SLOTS; i++) s->values[i] = (double)(i * 37 % 1000 - 500) / 500;
    RS_TRY(rs_encode(RS_REQUEST(rs_encode_request_t, .context = s->context, .values = s->values, .count = SLOTS, .layout = &COMPLEX,
                                .scale = 1073741824.0, .limb_count = DATA_LIMBS, .plaintext = &message)));
    hash_doubles(answers[0], s->message, N, s->workspace);

    RS_TRY(rs_keygen_secret(s->context, &secret, &s->rng));
    RS_TRY(rs_keygen(RS_REQUEST(rs_keygen_request_t, .context = s->context, .secret_key = &secret, .key = &public_key,
                                .rng = &s->rng, .workspace = {s->workspace, WORKSPACE_BYTES})));
    hash_words(answers[1], s->secret, 3 * LIMBS * N); // the public key lies behind it

    for (uint32_t kind = RS_ENCRYPT_SK; kind <= RS_ENCRYPT_PK_DIRECT; kind++) {
        rs_encrypt_item_t item = {.plaintext = &message, .ciphertext = &ciphertext};
        RS_TRY(rs_encrypt(RS_REQUEST(rs_encrypt_request_t, .kind = kind, .context = s->context, .secret_key = kind ? NULL : &secret,
                                     .public_key = kind ? &public_key : NULL, .items = &item, .count = 1, .rng = &s->rng,
                                     .workspace = {s->workspace, WORKSPACE_BYTES})));
        hash_words(answers[2 + kind], s->ciphertext, 2 * DATA_LIMBS * N);
        RS_TRY(check_decryption(s, &secret, &ciphertext));
    }
    hash_doubles(answers[5], s->decoded, 2 * SLOTS, s->workspace);
    return RS_OK;
}

// There and back in words of both narrow and wide arithmetic; one answer for all.
static rs_status_t fixed_point(state_t *s, uint8_t *answer) {
    static const uint32_t WIDTHS[3] = {32, 54, 64};
    const rs_layout_t layout = {.is_complex = 1, .bound = 1};
    rs_plaintext_t plaintext = {.ntt = s->decrypted};
    const rs_fixed_t *fixed;
    for (unsigned k = 0; k < 3; k++) {
        uint64_t *results = s->ciphertext + k * N;
        RS_TRY(rs_fixed_init(&fixed, s->workspace, WORKSPACE_BYTES, LOG_N, WIDTHS[k]));
        RS_TRY(rs_encode(RS_REQUEST(rs_encode_request_t, .context = s->context, .fixed = fixed, .values = s->values, .count = SLOTS,
                                    .layout = &layout, .scale = 0x1p30, .limb_count = DATA_LIMBS, .plaintext = &plaintext)));
        memcpy(results, s->decrypted, N * sizeof *results);
        RS_TRY(rs_decode(RS_REQUEST(rs_decode_request_t, .context = s->context, .fixed = fixed, .plaintext = &plaintext,
                                    .values = s->decoded, .count = SLOTS, .layout = &layout)));
        for (unsigned i = 0; i < 2 * SLOTS; i++) {
            uint64_t bits;
            memcpy(&bits, &s->decoded[i], sizeof bits);
            results[i] ^= bits;
        }
    }
    hash_words(answer, s->ciphertext, 3 * N);
    return RS_OK;
}

static rs_status_t start(state_t *s, uint32_t scheme) {
    const rs_seed_t seed = {{0}};
    rs_params_t params;
    RS_TRY(parameters(&params, scheme));
    RS_TRY(rs_context_init(&s->context, RS_REQUEST(rs_context_request_t, .params = &params, .security = RS_SECURITY_UNCHECKED,
                                                   .memory = s->context_memory)));
    return rs_rng_deterministic(&s->rng, &s->rng_state, &seed, "insecure-deterministic");
}

// Integers in slots, encrypted in every way and decrypted; one answer for all.
static rs_status_t exact(state_t *s, uint32_t scheme, uint8_t *answer) {
    uint8_t parts[RS_ENCRYPT_PK_DIRECT + 1][RS_SELFTEST_ANSWER_BYTES];
    rs_secret_key_t secret = {.ntt = s->secret};
    rs_ciphertext_t public_key = {.data = s->public_key}, ciphertext = {.data = s->ciphertext};
    const rs_memory_t workspace = {s->workspace, WORKSPACE_BYTES};
    int64_t *values = (void *)s->values;
    for (int i = 0; i < N; i++) values[i] = i * 37 % 1024 - 512;
    RS_TRY(start(s, scheme));
    RS_TRY(rs_keygen_secret(s->context, &secret, &s->rng));
    RS_TRY(rs_keygen(RS_REQUEST(rs_keygen_request_t, .context = s->context, .secret_key = &secret, .key = &public_key,
                                .rng = &s->rng, .workspace = workspace)));
    for (uint32_t kind = RS_ENCRYPT_SK; kind <= RS_ENCRYPT_PK_DIRECT; kind++) {
        rs_encrypt_item_t in = {.values = values, .count = N, .ciphertext = &ciphertext};
        rs_decrypt_item_t out = {.ciphertext = &ciphertext, .values = s->decoded, .count = N};
        RS_TRY(rs_encrypt(RS_REQUEST(rs_encrypt_request_t, .kind = kind, .context = s->context, .secret_key = kind ? NULL : &secret,
                                     .public_key = kind ? &public_key : NULL, .items = &in, .count = 1, .rng = &s->rng,
                                     .workspace = workspace)));
        hash_words(parts[kind], s->ciphertext, 2 * DATA_LIMBS * N);
        RS_TRY(rs_decrypt(RS_REQUEST(rs_decrypt_request_t, .context = s->context, .secret_key = &secret, .items = &out, .count = 1,
                                     .workspace = workspace)));
        if (memcmp(s->decoded, values, N * sizeof *values) != 0) return RS_ERR_SELFTEST;
    }
    rs_blake2b(answer, RS_SELFTEST_ANSWER_BYTES, parts[0], sizeof parts, NULL, 0);
    return RS_OK;
}

rs_status_t rs_selftest_run(void *memory, size_t memory_bytes, uint8_t answers[RS_SELFTEST_ANSWERS][RS_SELFTEST_ANSWER_BYTES]) {
    state_t s = {0};
    if (!memory) return RS_ERR_NULL;
    if (memory_bytes < rs_selftest_size()) return RS_ERR_TOO_SMALL;
    if ((uintptr_t)memory & 7) return RS_ERR_ALIGNMENT;
    RS_TRY(standards());
    s.context_memory = (rs_memory_t){memory, context_bytes()};
    RS_TRY(start(&s, RS_SCHEME_CKKS));
    s.secret = (uint64_t *)(void *)((uint8_t *)memory + s.context_memory.n);
    s.public_key = s.secret + LIMBS * N;
    s.ciphertext = s.public_key + 2 * LIMBS * N;
    s.decrypted = s.ciphertext + 2 * DATA_LIMBS * N;
    s.message = (double *)(void *)(s.decrypted + DATA_LIMBS * N);
    s.values = s.message + N;
    s.decoded = s.values + 2 * SLOTS;
    s.workspace = (uint64_t *)(void *)(s.decoded + 2 * SLOTS);
    RS_TRY(transforms(&s, answers[0]));
    RS_TRY(samplers(&s, answers + 1));
    RS_TRY(ckks(&s, answers + 4));
    RS_TRY(fixed_point(&s, answers[10]));
    RS_TRY(exact(&s, RS_SCHEME_BFV, answers[11]));
    RS_TRY(exact(&s, RS_SCHEME_BGV, answers[12]));
    rs_zeroize(memory, rs_selftest_size());
    return RS_OK;
}

rs_status_t rs_selftest(void *memory, size_t memory_bytes) {
    uint8_t answers[RS_SELFTEST_ANSWERS][RS_SELFTEST_ANSWER_BYTES];
    RS_TRY(rs_selftest_run(memory, memory_bytes, answers));
    return memcmp(answers, KNOWN, sizeof answers) == 0 ? RS_OK : RS_ERR_SELFTEST;
}
