// SPDX-License-Identifier: Apache-2.0
// Microseconds of the client's operations on the back end in use (RINGSIDE_BACKEND), minimum of many runs. Not a test.
//     time_client [set ...]
#include "time_common.h"

static struct client {
    rs_params_t params;
    const rs_context_t *context;
    size_t n;
    uint32_t limbs; // limbs of data
    double scale;
    double *values;
    double *decoded;
    rs_secret_key_t secret;
    rs_ciphertext_t public_key;
    rs_plaintext_t encoded;
    rs_plaintext_t decrypted;
    rs_ciphertext_t full;
    rs_ciphertext_t last; // one limb
    rs_ciphertext_t seeded;
    rs_rng_t rng;
    void *memory;
    void *workspace;
    size_t workspace_bytes;
    uint64_t *key_words;
} client;

static void make_context(struct client *c) {
    require(context_in(&c->context, c->memory, rs_context_size(&c->params), &c->params));
}
static void make_keys(struct client *c) {
    require(rs_keygen_secret(c->context, &c->secret, &c->rng));
    require(keygen_public(c->context, &c->secret, &c->public_key, &c->rng, c->workspace, c->workspace_bytes));
}
static void check_pair(struct client *c) {
    require(rs_key_check(c->context, &c->secret, &c->public_key, (rs_memory_t){c->workspace, c->workspace_bytes}));
}
static void encode(struct client *c) {
    require(encode_values(c->context, &c->encoded, c->values, c->n / 2, 0, c->scale, c->limbs));
}
static void encrypt_encoded(struct client *c) {
    require(encrypt_public(c->context, &c->public_key, &c->encoded, RS_ENCRYPT_PK, &c->full, &c->rng, c->workspace,
                           c->workspace_bytes));
}
static void encode_encrypt_public(struct client *c) {
    encode(c);
    encrypt_encoded(c);
}
static void encode_encrypt_secret(struct client *c) {
    encode(c);
    require(encrypt_secret(c->context, &c->secret, &c->encoded, &c->seeded, &c->rng, c->workspace, c->workspace_bytes));
}
static void decrypt_decode(struct client *c, const rs_ciphertext_t *ciphertext, uint32_t limbs) {
    require(decrypt_limbs(c->context, &c->secret, ciphertext, limbs, &c->decrypted, c->workspace, c->workspace_bytes));
    require(decode_values(c->context, &c->decrypted, c->decoded, c->n / 2, 0, c->workspace, c->workspace_bytes));
}
static void decrypt_full(struct client *c) {
    decrypt_decode(c, &c->full, c->limbs);
}
static void decrypt_fewest(struct client *c) {
    decrypt_decode(c, &c->full, rs_limbs_needed(c->context, c->limbs, c->scale, 1.0, 20));
}
static void decrypt_last(struct client *c) {
    decrypt_decode(c, &c->last, 1);
}
static void transform(struct client *c) {
    rs_plan_forward(rs_context_plan(c->context, c->limbs > 1), c->full.data);
}
static void transform_back(struct client *c) {
    rs_plan_inverse(rs_context_plan(c->context, c->limbs > 1), c->full.data);
}
static void transform_first(struct client *c) {
    rs_plan_forward(rs_context_plan(c->context, 0), c->full.data);
}

static void measure(const char *set) {
    static const struct {
        const char *name;
        void (*run)(struct client *);
    } OPERATIONS[] = {
        {"keygen", make_keys},       {"key pair", check_pair},          {"encode", encode},
        {"enc pk", encrypt_encoded}, {"e+e pk", encode_encrypt_public}, {"e+e sk", encode_encrypt_secret},
        {"full", decrypt_full},      {"fewest", decrypt_fewest},        {"1 limb", decrypt_last},
        {"ntt 1", transform},        {"intt 1", transform_back},        {"ntt 0", transform_first},
        {"context", make_context},
    };
    struct client *c = &client;
    memset(c, 0, sizeof *c);
    require(rs_params_init(&c->params, RS_REQUEST(rs_params_request_t, .name = set, .security = RS_SECURITY_UNCHECKED)));
    const rs_params_t params = c->params;
    c->memory = allocate(rs_context_size(&params));
    make_context(c);
    c->n = rs_context_n(c->context);
    c->limbs = params.limb_count > 1 ? params.limb_count - 1 : 1;
    c->scale = params.log_n < 14 ? 1 << 20 : (double)((uint64_t)1 << 40);
    const size_t poly = c->n * sizeof(uint64_t);
    c->values = allocate(poly);
    c->decoded = allocate(poly);
    for (size_t i = 0; i < c->n / 2; i++) c->values[i] = (double)rand() / RAND_MAX * 2 - 1;
    c->workspace_bytes = 8 * poly;
    c->workspace = allocate(c->workspace_bytes);
    c->secret.ntt = allocate(params.limb_count * poly);
    c->public_key.data = allocate(2 * params.limb_count * poly);
    c->encoded.message = allocate(poly);
    c->decrypted.ntt = allocate(params.limb_count * poly);
    c->full.data = allocate(2 * params.limb_count * poly);
    c->seeded.data = allocate(params.limb_count * poly);
    c->last.data = allocate(2 * poly);
    c->seeded.seeded = 1;
    c->public_key.seed_type = c->full.seed_type = c->seeded.seed_type = c->last.seed_type = RS_SEED_SHAKE256;
    rs_rng_os(&c->rng);
    make_keys(c);
    require(encode_values(c->context, &c->encoded, c->values, c->n / 2, 0, 1 << 20, 1));
    require(encrypt_secret(c->context, &c->secret, &c->encoded, &c->last, &c->rng, c->workspace, c->workspace_bytes));
    printf("%-20s", set);
    for (unsigned k = 0; k < sizeof OPERATIONS / sizeof *OPERATIONS; k++) {
        double best = 1e30;
        encode_encrypt_public(c);
        const double begin = now();
        for (unsigned run = 0; run < 5 || (run < 2000 && now() - begin < 60e3); run++) {
            const double from = now();
            OPERATIONS[k].run(c);
            keep_best(&best, now() - from);
        }
        printf(" %s %.1f", OPERATIONS[k].name, best);
    }
    printf("\n");
}

int main(int count, char **names) {
    static const char *const SETS[] = {"lee-12", "lee-13", "lee-14", "lee-15", "lee-16"};
    printf("%s, us\n", rs_backend_name());
    for (int i = 1; i < count; i++) measure(names[i]);
    for (unsigned i = 0; count < 2 && i < sizeof SETS / sizeof *SETS; i++) measure(SETS[i]);
    return 0;
}
