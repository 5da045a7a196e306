// SPDX-License-Identifier: Apache-2.0
// Recognising an object, with and without a context, and reading ciphertexts and keys by structure only.
#include "fuzz_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WORDS_MAX = 1 << 17 };

static rs_status_t structure_of_object(rs_wire_reader_t *reader, rs_wire_kind_t kind) {
    reread_t read;
    const rs_status_t status = reread_words(reader, NULL, kind, WORDS_MAX, &read);
    free(read.words);
    return status;
}

static rs_status_t structure_of_kswitch(rs_wire_reader_t *reader, rs_wire_kind_t kind) {
    uint64_t entries = 0;
    rs_status_t status = rs_wire_read_entries(reader, NULL, kind, &entries);
    for (uint64_t i = 0; i < entries && status == RS_OK; i++) {
        uint64_t components = 0;
        status = rs_wire_read_entry(reader, &components);
        for (uint64_t j = 0; j < components && status == RS_OK; j++) status = structure_of_object(reader, kind);
    }
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    fuzz_file_t file = fuzz_file(data[0], data + 1, size - 1);
    for (int pass = 0; pass < 3; pass++) {
        rs_source_t source;
        rs_memory_source_t memory;
        rs_wire_reader_t reader;
        rs_wire_info_t info, told;
        rs_source_from_memory(&source, &memory, file.data, file.bytes);
        rs_status_t status = rs_wire_open(&reader, &source, rs_host_codec());
        if (rs_wire_info(&reader, NULL, &info) != RS_OK || rs_wire_info(&reader, sample_context(), &told) != RS_OK) abort();
        if (info.kind > RS_WIRE_GALOIS_KEYS || told.kind > RS_WIRE_GALOIS_KEYS) abort();
        if (status == RS_OK && pass == 1) status = structure_of_object(&reader, RS_WIRE_CIPHERTEXT);
        if (status == RS_OK && pass == 2) status = structure_of_kswitch(&reader, fuzz_keys(data[0]));
        const rs_status_t closed = rs_wire_close(&reader, pass ? 2 : 0);
        if (pass == 0 && closed != RS_OK) abort();
        if (pass != 0 && status != RS_OK && status != RS_ERR_TOO_SMALL && closed == RS_OK) abort(); // errors are not forgotten
    }
    free(file.data);
    return 0;
}
