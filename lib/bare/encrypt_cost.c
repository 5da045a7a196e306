// SPDX-License-Identifier: Apache-2.0
// Instructions of a public-key encryption and of its parts; scripts/bare_tables.py makes a table of them.
#include <ringside/client.h>
#include <ringside/golden.h>

#include "board.h"

enum { N = 1 << 12, LIMBS = 4 };

static uint64_t memory[1 << 16], public_key[2 * LIMBS * N], ciphertext_words[2 * (LIMBS - 1) * N], secret_words[LIMBS * N];
static uint64_t workspace[1 << 16];
static double coefficients[N];
static double values[N / 2];

static rs_status_t no_random(void *state, uint8_t *out, size_t bytes) {
    uint8_t *next = state;
    for (size_t i = 0; i < bytes; i++) out[i] = ++*next;
    return RS_OK;
}

void board_main(void) {
    rs_params_t params;
    const rs_context_t *context;
    uint8_t counter = 0;
    rs_rng_t rng = {no_random, &counter};
    check(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = "lee-12", .security = RS_SECURITY_UNCHECKED)));
    check(rs_context_init(&context, RS_REQUEST(rs_context_request_t, .params = &params, .security = RS_SECURITY_UNCHECKED,
                                               .memory = {memory, sizeof memory})));
    rs_secret_key_t secret = {.ntt = secret_words};
    rs_ciphertext_t key = {.data = public_key};
    rs_plaintext_t message = {.message = coefficients};
    rs_ciphertext_t ciphertext = {.data = ciphertext_words};
    rs_encrypt_item_t item = {.plaintext = &message, .ciphertext = &ciphertext};
    check(rs_keygen_secret(context, &secret, &rng));
    check(rs_keygen(RS_REQUEST(rs_keygen_request_t, .seed_type = RS_SEED_SHAKE256, .context = context, .secret_key = &secret,
                               .key = &key, .rng = &rng, .workspace = {workspace, sizeof workspace})));
    begin();
    check(rs_encode(RS_REQUEST(rs_encode_request_t, .context = context, .values = values, .count = N / 2, .scale = 1048576.0,
                               .plaintext = &message)));
    end("encode");
    begin();
    check(rs_encrypt(RS_REQUEST(rs_encrypt_request_t, .kind = RS_ENCRYPT_PK, .context = context, .public_key = &key, .items = &item,
                                .count = 1, .rng = &rng, .workspace = {workspace, sizeof workspace})));
    end("encrypt-pk");
    board_finish(0);
}
