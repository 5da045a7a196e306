// SPDX-License-Identifier: Apache-2.0
// The smallest client: a sensor with a secret key encrypts one message, with its second half as a seed, and sends it as a SEAL file.
// Prints what that takes of memory; scripts/bare_tables.py makes a table of it and of the program's length.
#include <ringside/wire.h>

#include "board.h"

enum { VALUES = 8 };
static const char SET[] = "seal-embedded-4096"; // N = 4096, three primes of 30 bits
static uint64_t memory[(1 << 20) / sizeof(uint64_t)];
static size_t used;

static void *take(const char *what, size_t bytes) {
    uint8_t *at = (uint8_t *)memory + used;
    used += (bytes + 7) & ~(size_t)7;
    if (used > sizeof memory) {
        board_print("out of memory\n");
        board_finish(EXIT_TRACE);
    }
    board_print_number(what, bytes);
    return at;
}

// Stands in for a true random number generator: this machine has none.
static rs_status_t no_random(void *state, uint8_t *out, size_t bytes) {
    uint8_t *next = state;
    for (size_t i = 0; i < bytes; i++) out[i] = ++*next;
    return RS_OK;
}

// Stands in for a radio: a file is sent piece by piece and is never in memory as a whole.
static rs_status_t send(void *state, const uint8_t *data, size_t bytes) {
    (void)data;
    *(size_t *)state += bytes;
    return RS_OK;
}

void board_main(void) {
    static const double MEASURED[VALUES] = {1, -2, 3.5, 0, 0.25, 100, -7, 8};
    rs_params_t params;
    const rs_context_t *context;
    uint8_t counter = 0;
    rs_rng_t rng = {no_random, &counter};
    size_t sent = 0;
    const rs_sink_t radio = {send, NULL, &sent};

    check(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = SET, .security = RS_SECURITY_UNCHECKED)));
    const size_t context_bytes = rs_context_size(&params);
    check(rs_context_init(&context, RS_REQUEST(rs_context_request_t, .params = &params, .security = RS_SECURITY_UNCHECKED,
                                               .memory = {take("context", context_bytes), context_bytes})));
    const size_t poly = rs_context_n(context) * sizeof(uint64_t);
    const uint32_t limbs = rs_params_data_limbs(&params);
    rs_secret_key_t secret = {.ntt = take("key", params.limb_count * poly)};
    rs_plaintext_t message = {.message = take("plaintext", poly)};
    rs_ciphertext_t ciphertext = {.data = take("ciphertext", limbs * poly)};
    rs_encrypt_item_t item = {.plaintext = &message, .ciphertext = &ciphertext};
    rs_encrypt_request_t request = {
        .size = sizeof request, .seeded = 1, .context = context, .secret_key = &secret, .items = &item, .count = 1, .rng = &rng};
    request.workspace.n = rs_encrypt_workspace(&request);
    request.workspace.p = take("workspace", request.workspace.n);

    check(rs_keygen_secret(context, &secret, &rng));
    check(rs_encode(RS_REQUEST(rs_encode_request_t, .context = context, .values = MEASURED, .count = VALUES, .scale = 33554432.0,
                               .plaintext = &message)));
    check(rs_encrypt(&request));
    check(rs_wire_write(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_CIPHERTEXT, .context = context, .sink = &radio,
                                   .ciphertext = &ciphertext)));
    board_print_number("stack", board_stack_used());
    board_print_number("sent", sent);
    board_finish(0);
}
