// SPDX-License-Identifier: Apache-2.0
// Decryption and decoding of what a file holds: a ciphertext that was read is decrypted at its own level and at level 1, a plaintext
// that was read is decoded. What was read never fails for its structure; its scale alone may not suit, or a slot exceed a double.
#include "fuzz_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SLOTS = SAMPLE_N / 2 };

static void *workspace_of(size_t bytes) {
    void *workspace = malloc(bytes);
    if (!workspace) abort();
    return workspace;
}

static void decode(rs_plaintext_t *plaintext) {
    const rs_context_t *context = sample_context();
    const size_t bytes = decrypt_bytes(context);
    void *workspace = workspace_of(bytes);
    double *values = malloc(2 * SLOTS * sizeof *values);
    if (!values) abort();
    const rs_status_t status = decode_values(context, plaintext, values, SLOTS, 1, workspace, bytes);
    if (status != RS_OK && status != RS_ERR_VALUE_RANGE && status != RS_ERR_SCALE) abort();
    for (size_t i = 0; status == RS_OK && i < 2 * SLOTS; i++) {
        if (values[i] - values[i] != 0) abort(); // neither infinite nor NaN
    }
    free(values);
    free(workspace);
}

static void decrypt(const rs_ciphertext_t *ciphertext, uint32_t limb_count) {
    const rs_context_t *context = sample_context();
    static uint64_t *key_words;
    if (!key_words) key_words = sample_words(1, SAMPLE_LIMBS, 5); // made once, never freed; residues will do
    rs_secret_key_t key = {.ntt = key_words};
    memcpy(key.parms_id, rs_context_parms_id(context, SAMPLE_LIMBS), RS_PARMS_ID_BYTES);
    rs_plaintext_t plaintext;
    memset(&plaintext, 0, sizeof plaintext);
    plaintext.ntt = exact_array((size_t)limb_count * SAMPLE_N);
    const size_t bytes = decrypt_bytes(context);
    void *workspace = workspace_of(bytes);
    if (decrypt_limbs(context, &key, ciphertext, limb_count, &plaintext, workspace, bytes) != RS_OK) abort();
    decode(&plaintext);
    free(workspace);
    free(plaintext.ntt);
}

static rs_status_t read_as(rs_wire_reader_t *reader, rs_wire_kind_t kind) {
    reread_t read;
    const rs_status_t status = reread_words(reader, sample_context(), kind, SIZE_MAX, &read);
    if (status == RS_OK && kind == RS_WIRE_PLAINTEXT) decode(&read.plaintext);
    if (status == RS_OK && kind == RS_WIRE_CIPHERTEXT) {
        decrypt(&read.ciphertext, read.ciphertext.limb_count);
        decrypt(&read.ciphertext, 1);
    }
    free(read.words);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    fuzz_file_t file = fuzz_file(data[0], data + 1, size - 1);
    for (int pass = 0; pass < 2; pass++) {
        rs_source_t source;
        rs_memory_source_t memory;
        rs_wire_reader_t reader;
        rs_source_from_memory(&source, &memory, file.data, file.bytes);
        rs_status_t status = rs_wire_open(&reader, &source, rs_host_codec());
        if (status == RS_OK) status = read_as(&reader, pass ? RS_WIRE_PLAINTEXT : RS_WIRE_CIPHERTEXT);
        const rs_status_t closed = rs_wire_close(&reader, 1);
        if (status != RS_OK && closed == RS_OK) abort(); // errors are not forgotten
    }
    free(file.data);
    return 0;
}
