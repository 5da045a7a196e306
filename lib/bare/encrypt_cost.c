// SPDX-License-Identifier: Apache-2.0
// Instructions of an encryption with a public key (lee-12); scripts/bare_tables.py makes a table of them.
#include <ringside/client.h>

#include "board.h"

enum { N = 1 << 12, LIMBS = 4 };

static uint64_t memory[16 * N], workspace[16 * N], secret_words[LIMBS * N], key_words[2 * LIMBS * N], words[2 * LIMBS * N];
static double coefficients[N], values[N / 2];

// Stands in for a true random number generator: this machine has none.
static rs_status_t no_random(void *state, uint8_t *out, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) out[i] = ++*(uint8_t *)state;
    return RS_OK;
}

void board_main(void) {
    const rs_context_t *context;
    uint8_t counter = 0;
    rs_rng_t rng = {no_random, &counter};
    rs_params_t params;
    rs_secret_key_t secret = {.ntt = secret_words};
    rs_ciphertext_t key = {.data = key_words}, ciphertext = {.data = words};
    rs_plaintext_t message = {.message = coefficients};
    rs_encrypt_item_t item = {.plaintext = &message, .ciphertext = &ciphertext};
    check(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = "lee-12", .security = RS_SECURITY_UNCHECKED)));
    check(rs_context_init(&context, RS_REQUEST(rs_context_request_t, .params = &params, .security = RS_SECURITY_UNCHECKED,
                                               .memory = {memory, sizeof memory})));
    check(rs_keygen_secret(context, &secret, &rng));
    check(rs_keygen(RS_REQUEST(rs_keygen_request_t, .context = context, .secret_key = &secret, .key = &key, .rng = &rng,
                               .workspace = {workspace, sizeof workspace})));
    check(rs_encode(RS_REQUEST(rs_encode_request_t, .context = context, .values = values, .count = N / 2, .scale = 0x1p20,
                               .plaintext = &message)));
    begin();
    check(rs_encrypt(RS_REQUEST(rs_encrypt_request_t, .kind = RS_ENCRYPT_PK, .context = context, .public_key = &key, .items = &item,
                                .count = 1, .rng = &rng, .workspace = {workspace, sizeof workspace})));
    end("encrypt-pk");
    board_finish(0);
}
