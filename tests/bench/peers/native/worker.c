// SPDX-License-Identifier: Apache-2.0
// ML-KEM and ML-DSA of Ringside's back ends and of AWS-LC and liboqs, in turns, with the same seeds, keys and messages, all deterministic: all do the
// same work, rounds of signatures included, and give the same bytes, which is checked. `worker ROUNDS` prints a line of JSON for each operation:
// {"set": …, "op": …, "times": {side: [ns of processor time per call]}}.
#include <ringside/ringside.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 24, MESSAGE_BYTES = 100, WORKSPACE_BYTES = 1 << 18 };

// ---- what the peers' archives have: ML-KEM returns 0 for good, and so does ML-DSA of liboqs; AWS-LC's returns 1 -------------------
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define AWS(name) JOIN(AWS_LC, name)
#define OQS_KEM(set, name) PQCP_MLKEM_NATIVE_MLKEM##set##_X86_64_##name
#define OQS_DSA(set, name) pqcrystals_ml_dsa_##set##_avx2_##name
typedef const uint8_t in_t;
#define KEM_OF(set)                                                                                              \
    int AWS(ml_kem_##set##_keypair_deterministic)(uint8_t *, size_t *, uint8_t *, size_t *, in_t *);             \
    int AWS(ml_kem_##set##_encapsulate_deterministic)(uint8_t *, size_t *, uint8_t *, size_t *, in_t *, in_t *); \
    int AWS(ml_kem_##set##_decapsulate)(uint8_t *, size_t *, in_t *, in_t *);                                    \
    int OQS_KEM(set, keypair_derand)(uint8_t *, uint8_t *, in_t *);                                              \
    int OQS_KEM(set, enc_derand)(uint8_t *, uint8_t *, in_t *, in_t *);                                          \
    int OQS_KEM(set, dec)(uint8_t *, in_t *, in_t *);
#define DSA_OF(set)                                                                                             \
    int AWS(ml_dsa_##set##_keypair_internal)(uint8_t *, uint8_t *, in_t *);                                     \
    int AWS(ml_dsa_##set##_sign_internal)(in_t *, uint8_t *, size_t *, in_t *, size_t, in_t *, size_t, in_t *); \
    int AWS(ml_dsa_##set##_verify)(in_t *, in_t *, size_t, in_t *, size_t, in_t *, size_t);                     \
    int OQS_DSA(set, keypair)(uint8_t *, uint8_t *);                                                            \
    int OQS_DSA(set, signature_internal)(uint8_t *, size_t *, in_t *, size_t, in_t *, size_t, in_t *, in_t *);  \
    int OQS_DSA(set, verify)(in_t *, size_t, in_t *, size_t, in_t *, size_t, in_t *);
KEM_OF(512)
KEM_OF(768)
KEM_OF(1024)
DSA_OF(44)
DSA_OF(65)
DSA_OF(87)
void OQS_init(void);
void OQS_randombytes_custom_algorithm(void (*fill)(uint8_t *out, size_t bytes));

static uint8_t seed[64], random_bytes[32], message[MESSAGE_BYTES];
static _Alignas(64) uint8_t workspace_bytes[WORKSPACE_BYTES];
static const rs_memory_t WORKSPACE = {workspace_bytes, WORKSPACE_BYTES};

// What a side makes: keys, then a ciphertext with its secret or the signatures of all messages of a batch.
typedef struct made {
    uint8_t public_key[RS_MLDSA_PK_BYTES_MAX], secret_key[RS_MLDSA_SK_BYTES_MAX];
    uint8_t out[BATCH][RS_MLDSA_SIGNATURE_BYTES_MAX], shared[RS_MLKEM_SHARED_BYTES];
} made_t;

typedef int (*call_t)(made_t *made, unsigned i); // 1 if it went well

static uint32_t set_of_both;

static int our_kem_keygen(made_t *m, unsigned i) {
    (void)i;
    const rs_mlkem_sizes_t *s = rs_mlkem_sizes(set_of_both);
    return rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = set_of_both, .ek = {m->public_key, s->ek},
                                      .dk = {m->secret_key, s->dk}, .seed = {seed, sizeof seed}, .workspace = WORKSPACE)) == RS_OK;
}

static int our_encaps(made_t *m, unsigned i) {
    const rs_mlkem_sizes_t *s = rs_mlkem_sizes(set_of_both);
    return rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = set_of_both, .ek = {m->public_key, s->ek},
                                      .ct = {m->out[i], s->ct}, .shared = {m->shared, sizeof m->shared},
                                      .m = {random_bytes, sizeof random_bytes}, .workspace = WORKSPACE)) == RS_OK;
}

static int our_decaps(made_t *m, unsigned i) {
    const rs_mlkem_sizes_t *s = rs_mlkem_sizes(set_of_both);
    return rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = set_of_both, .dk = {m->secret_key, s->dk},
                                      .ct = {m->out[i], s->ct}, .shared = {m->shared, sizeof m->shared}, .workspace = WORKSPACE)) ==
           RS_OK;
}

static int our_dsa_keygen(made_t *m, unsigned i) {
    (void)i;
    const rs_mldsa_sizes_t *s = rs_mldsa_sizes(set_of_both);
    return rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = set_of_both, .pk = {m->public_key, s->pk},
                                      .sk = {m->secret_key, s->sk}, .seed = {seed, RS_MLDSA_SEED_BYTES}, .workspace = WORKSPACE)) ==
           RS_OK;
}

static int our_sign(made_t *m, unsigned i) {
    const rs_mldsa_sizes_t *s = rs_mldsa_sizes(set_of_both);
    message[0] = (uint8_t)i;
    return rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = set_of_both, .mode = RS_MLDSA_GIVEN,
                                    .sk = {m->secret_key, s->sk}, .message = {.bytes = {message, MESSAGE_BYTES}},
                                    .signature = {m->out[i], s->signature}, .rnd = {random_bytes, sizeof random_bytes},
                                    .workspace = WORKSPACE)) == RS_OK;
}

static int our_verify(made_t *m, unsigned i) {
    const rs_mldsa_sizes_t *s = rs_mldsa_sizes(set_of_both);
    message[0] = (uint8_t)i;
    return rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = set_of_both, .pk = {m->public_key, s->pk},
                                      .message = {.bytes = {message, MESSAGE_BYTES}}, .signature = {m->out[i], s->signature},
                                      .workspace = WORKSPACE)) == RS_OK;
}

static void fill_seed(uint8_t *out, size_t bytes) { memcpy(out, seed, bytes); }

static const uint8_t PURE[2] = {0}; // no context

#define MESSAGE(i) (message[0] = (uint8_t)(i), message), MESSAGE_BYTES
#define LENGTHS size_t a = sizeof m->public_key, b = sizeof m->secret_key
#define CALL(name, ...)                      \
    static int name(made_t *m, unsigned i) { \
        LENGTHS;                             \
        (void)i, (void)a, (void)b;           \
        return (__VA_ARGS__);                \
    }
#define THEIR_KEM(set)                                                                                              \
    CALL(aws_keygen_##set, !AWS(ml_kem_##set##_keypair_deterministic)(m->public_key, &a, m->secret_key, &b, seed))  \
    CALL(aws_encaps_##set,                                                                                          \
         !AWS(ml_kem_##set##_encapsulate_deterministic)(m->out[i], &a, m->shared, &b, m->public_key, random_bytes)) \
    CALL(aws_decaps_##set, !AWS(ml_kem_##set##_decapsulate)(m->shared, &b, m->out[i], m->secret_key))               \
    CALL(oqs_keygen_##set, !OQS_KEM(set, keypair_derand)(m->public_key, m->secret_key, seed))                       \
    CALL(oqs_encaps_##set, !OQS_KEM(set, enc_derand)(m->out[i], m->shared, m->public_key, random_bytes))            \
    CALL(oqs_decaps_##set, !OQS_KEM(set, dec)(m->shared, m->out[i], m->secret_key))
#define THEIR_DSA(set)                                                                                                       \
    CALL(aws_keygen_##set, AWS(ml_dsa_##set##_keypair_internal)(m->public_key, m->secret_key, seed))                         \
    CALL(aws_sign_##set, AWS(ml_dsa_##set##_sign_internal)(m->secret_key, m->out[i], &a, MESSAGE(i), PURE, 2, random_bytes)) \
    CALL(aws_verify_##set,                                                                                                   \
         AWS(ml_dsa_##set##_verify)(m->public_key, m->out[i], RS_MLDSA_##set##_SIGNATURE_BYTES, MESSAGE(i), NULL, 0))        \
    CALL(oqs_keygen_##set, !OQS_DSA(set, keypair)(m->public_key, m->secret_key))                                             \
    CALL(oqs_sign_##set, !OQS_DSA(set, signature_internal)(m->out[i], &a, MESSAGE(i), PURE, 2, random_bytes, m->secret_key)) \
    CALL(oqs_verify_##set, !OQS_DSA(set, verify)(m->out[i], RS_MLDSA_##set##_SIGNATURE_BYTES, MESSAGE(i), NULL, 0, m->public_key))
THEIR_KEM(512)
THEIR_KEM(768)
THEIR_KEM(1024)
THEIR_DSA(44)
THEIR_DSA(65)
THEIR_DSA(87)

static const char *const SIDES[] = {"ringside-c", "ringside-c-avx2", "aws-lc", "liboqs"};
enum { SIDES_COUNT = sizeof SIDES / sizeof *SIDES };

static const struct row {
    const char *set, *op;
    uint32_t number;
    call_t sides[SIDES_COUNT];
} ROWS[] = {
#define ROW(family, n, op, ours)                                          \
    {                                                                     \
        family #n, #op, n, { ours, ours, aws_##op##_##n, oqs_##op##_##n } \
    }
#define KEM_ROWS(n) \
    ROW("ML-KEM-", n, keygen, our_kem_keygen), ROW("ML-KEM-", n, encaps, our_encaps), ROW("ML-KEM-", n, decaps, our_decaps)
#define DSA_ROWS(n) \
    ROW("ML-DSA-", n, keygen, our_dsa_keygen), ROW("ML-DSA-", n, sign, our_sign), ROW("ML-DSA-", n, verify, our_verify)
    KEM_ROWS(512), KEM_ROWS(768), KEM_ROWS(1024), DSA_ROWS(44), DSA_ROWS(65), DSA_ROWS(87),
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Times of all sides in turns, after one round to warm up; 0 if somebody makes other bytes.
static int measure(const struct row *row, int rounds, double *samples) {
    static made_t made[SIDES_COUNT];
    set_of_both = row->number;
    for (int round = -1; round < rounds; round++) {
        for (int side = 0; side < SIDES_COUNT; side++) {
            int good = rs_backend_select(side == 1 ? "avx2" : NULL) == RS_OK;
            const double begin = now();
            for (unsigned i = 0; i < BATCH; i++) good &= row->sides[side](&made[side], i);
            if (round >= 0) samples[side * rounds + round] = (now() - begin) / BATCH;
            if (!good || memcmp(&made[side], &made[0], sizeof made[0]) != 0) {
                fprintf(stderr, "%s of %s by %s: an error or other bytes\n", row->op, row->set, SIDES[side]);
                return 0;
            }
        }
    }
    return 1;
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    double *samples = calloc((size_t)rounds * SIDES_COUNT, sizeof *samples);
    if (rounds < 1 || !samples) return 1;
    for (size_t i = 0; i < sizeof seed; i++) seed[i] = (uint8_t)i;
    OQS_init();
    OQS_randombytes_custom_algorithm(fill_seed);
    for (const struct row *row = ROWS; row < ROWS + sizeof ROWS / sizeof *ROWS; row++) {
        if (!measure(row, rounds, samples)) return 1;
        printf("{\"set\": \"%s\", \"op\": \"%s\", \"times\": {", row->set, row->op);
        for (int side = 0; side < SIDES_COUNT; side++) {
            printf("%s\"%s\": [", side ? ", " : "", SIDES[side]);
            for (int round = 0; round < rounds; round++) printf("%s%.1f", round ? ", " : "", samples[side * rounds + round]);
            printf("]");
        }
        printf("}}\n");
    }
    free(samples);
    return 0;
}
