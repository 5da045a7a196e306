// SPDX-License-Identifier: Apache-2.0
// BFV or BGV, as RS_SAMPLE_SCHEME says: every kind of object read and written again; of a ciphertext values and noise budget, of a plaintext
// values. What was read never fails there.
#include <ringside/exact.h>

#include "fuzz_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decrypt(const rs_ciphertext_t *ciphertext) {
    static uint64_t *key_words;
    const rs_context_t *context = sample_context();
    if (!key_words) key_words = sample_words(1, SAMPLE_LIMBS, 5); // made once, never freed; residues will do
    rs_secret_key_t key = {.ntt = key_words};
    memcpy(key.parms_id, rs_context_parms_id(context, SAMPLE_LIMBS), RS_PARMS_ID_BYTES);
    int64_t values[SAMPLE_N];
    uint32_t bits = 0;
    rs_decrypt_item_t item = {.ciphertext = ciphertext, .values = values, .count = SAMPLE_N};
    rs_decrypt_request_t request = {.size = sizeof request, .context = context, .secret_key = &key, .items = &item, .count = 1};
    const size_t bytes = rs_decrypt_workspace(&request), more = rs_noise_budget_workspace(context, ciphertext->limb_count);
    request.workspace.n = bytes > more ? bytes : more;
    request.workspace.p = malloc(request.workspace.n);
    if (!request.workspace.p || rs_decrypt(&request) != RS_OK) abort();
    for (size_t i = 0; i < SAMPLE_N; i++) {
        if (values[i] < -(SAMPLE_T / 2) || values[i] > SAMPLE_T / 2) abort();
    }
    if (rs_noise_budget(context, &key, ciphertext, "owner", &bits, request.workspace) != RS_OK || bits > 60 * SAMPLE_LIMBS) abort();
    free(request.workspace.p);
}

static void decode(rs_plaintext_t *plaintext) {
    int64_t values[SAMPLE_N];
    if (rs_decode(RS_REQUEST(rs_decode_request_t, .context = sample_context(), .plaintext = plaintext, .values = values,
                             .count = SAMPLE_N)) != RS_OK) {
        abort();
    }
}

static void compute(const uint8_t *data, size_t size, rs_wire_kind_t kind) {
    fuzz_file_t file = fuzz_file(data[0], data + 1, size - 1);
    rs_source_t source;
    rs_memory_source_t memory;
    rs_wire_reader_t reader;
    reread_t read = {.words = NULL};
    rs_source_from_memory(&source, &memory, file.data, file.bytes);
    rs_status_t status = rs_wire_open(&reader, &source, rs_host_codec());
    if (status == RS_OK) status = reread_words(&reader, sample_context(), kind, SIZE_MAX, &read);
    if (status == RS_OK && kind == RS_WIRE_CIPHERTEXT) decrypt(&read.ciphertext);
    if (status == RS_OK && kind == RS_WIRE_PLAINTEXT) decode(&read.plaintext);
    rs_ignore(rs_wire_close(&reader, 0));
    free(read.words);
    free(file.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const rs_wire_kind_t kinds[] = {RS_WIRE_PARAMS, RS_WIRE_PLAINTEXT, RS_WIRE_SECRET_KEY, RS_WIRE_CIPHERTEXT,
                                           RS_WIRE_PUBLIC_KEY};
    if (size < 1) return 0;
    fuzz_read(fuzz_keys(data[0]), data, size);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) fuzz_read(kinds[i], data, size);
    compute(data, size, RS_WIRE_CIPHERTEXT);
    compute(data, size, RS_WIRE_PLAINTEXT);
    return 0;
}
