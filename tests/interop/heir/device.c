// SPDX-License-Identifier: Apache-2.0
// A device that takes part in the program `dot` by its stub: secret.key of the directory encrypts two vectors, and opens answer.seal.
#include "client.h"
#include <ringside/ringside.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

enum { SLOTS = DOT_N / 2, FILE_BYTES = 1 << 21 };
static const double A[8] = {0.5, -1, 0.25, 1, 0, 0.75, -0.5, 1}, B[8] = {1, 0.5, -1, 0.25, 1, 1, 0.5, -0.75};
static const uint64_t MODULI[] = DOT_MODULI;

static rs_status_t fill(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    for (size_t done = 0; done < bytes;) {
        const ssize_t more = getrandom(out + done, bytes - done, 0);
        if (more < 0) return RS_ERR_RNG;
        done += (size_t)more;
    }
    return RS_OK;
}

static void check(rs_status_t status) {
    if (status != RS_OK) exit((int)status);
}

// An object of a file of SEAL; its words lie at the pointer that the target's descriptor has.
static void load(const char *name, const rs_context_t *context, const rs_wire_target_t *target, uint64_t **words) {
    static uint8_t bytes[FILE_BYTES];
    FILE *file = fopen(name, "rb");
    if (!file) exit(1);
    rs_source_t source;
    rs_memory_source_t state;
    rs_source_from_memory(&source, &state, bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
    rs_wire_reader_t reader;
    check(rs_wire_open(&reader, &source, NULL));
    check(rs_wire_read_begin(&reader, context, target));
    *words = malloc(FILE_BYTES);
    check(rs_wire_read_words(&reader, target));
    check(rs_wire_close(&reader, 1));
}

static void store(const char *name, const rs_context_t *context, const rs_ciphertext_t *ciphertext) {
    static uint8_t bytes[FILE_BYTES];
    rs_sink_t sink;
    rs_memory_sink_t state;
    rs_sink_to_memory(&sink, &state, bytes, sizeof bytes);
    check(rs_wire_write(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_CIPHERTEXT, .context = context, .sink = &sink,
                                   .ciphertext = ciphertext)));
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, state.bytes, file) != state.bytes || fclose(file)) exit(1);
}

static void encrypt(const char *name, const rs_context_t *context, const rs_secret_key_t *key, const double *slots) {
    static rs_rng_t rng = {.fill = fill};
    rs_ciphertext_t ciphertext = {.data = malloc(FILE_BYTES)};
    rs_encrypt_item_t item = {.values = slots,
                              .count = SLOTS,
                              .scale = (double)(UINT64_C(1) << DOT_ARG0_LOG_SCALE),
                              .ciphertext = &ciphertext,
                              .limb_count = DOT_ARG0_LEVEL + 1};
    rs_encrypt_request_t request = {.size = sizeof request,
                                    .kind = RS_ENCRYPT_SK,
                                    .seeded = 1,
                                    .context = context,
                                    .secret_key = key,
                                    .items = &item,
                                    .count = 1,
                                    .rng = &rng};
    request.workspace.n = rs_encrypt_workspace(&request);
    request.workspace.p = malloc(request.workspace.n);
    check(rs_encrypt(&request));
    store(name, context, &ciphertext);
}

static void open_answer(const rs_context_t *context, const rs_secret_key_t *key, double *slots) {
    rs_ciphertext_t ciphertext = {0};
    load("answer.seal", context, &(rs_wire_target_t){sizeof(rs_wire_target_t), RS_WIRE_CIPHERTEXT, .ciphertext = &ciphertext},
         &ciphertext.data);
    rs_decrypt_item_t item = {.ciphertext = &ciphertext, .values = slots, .count = SLOTS};
    rs_decrypt_request_t request = {.size = sizeof request, .context = context, .secret_key = key, .items = &item, .count = 1};
    request.workspace.n = rs_decrypt_workspace(&request);
    request.workspace.p = malloc(request.workspace.n);
    check(rs_decrypt(&request));
}

int main(int argc, char **argv) {
    static double slots[SLOTS];
    static rs_params_t params;
    rs_params_request_t wanted = {.size = sizeof wanted, .n = DOT_N, .moduli = MODULI, .limb_count = DOT_MODULUS_COUNT};
    check(rs_params_init(&params, &wanted));
    const rs_context_t *context;
    const rs_memory_t memory = {malloc(rs_context_size(&params)), rs_context_size(&params)};
    check(rs_context_init(&context, RS_REQUEST(rs_context_request_t, .params = &params, .memory = memory)));
    rs_secret_key_t key = {0};
    load("secret.key", context, &(rs_wire_target_t){sizeof(rs_wire_target_t), RS_WIRE_SECRET_KEY, .secret_key = &key}, &key.ntt);
    if (argc > 1) {
        double result;
        open_answer(context, &key, slots);
        dot_unpack(dot_result0, DOT_RUNS(dot_result0), 0, slots, &result);
        printf("%.9f\n", result);
        return 0;
    }
    dot_pack(dot_arg0, DOT_RUNS(dot_arg0), 0, A, slots);
    encrypt("arg0.seal", context, &key, slots);
    dot_pack(dot_arg1, DOT_RUNS(dot_arg1), 0, B, slots);
    encrypt("arg1.seal", context, &key, slots);
    (void)argv;
    return 0;
}
