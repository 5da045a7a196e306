// SPDX-License-Identifier: Apache-2.0
// Recognising an object, with and without a context, and reading ciphertexts and keys by structure only.
#include "fuzz_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static rs_status_t structure_of_ciphertext(rs_wire_reader_t *reader) {
    rs_ciphertext_t ciphertext;
    rs_wire_info_t info;
    memset(&ciphertext, 0, sizeof ciphertext);
    rs_status_t status = rs_wire_read_ciphertext_begin(reader, NULL, 0, &ciphertext);
    if (status != RS_OK) return status;
    if (rs_wire_info(reader, NULL, &info) != RS_OK || info.words == 0 || info.words > (uint64_t)1 << 27) abort();
    if (info.words > 1 << 17) return RS_ERR_MEMORY; // a caller would decline too
    ciphertext.data = exact_array((size_t)info.words);
    status = rs_wire_read_ciphertext_words(reader, NULL, &ciphertext);
    demand_wiped(status, ciphertext.data, (size_t)info.words);
    free(ciphertext.data);
    return status;
}

static rs_status_t structure_of_kswitch(rs_wire_reader_t *reader) {
    uint64_t entries = 0;
    rs_status_t status = rs_wire_read_kswitch_begin(reader, NULL, &entries);
    for (uint64_t i = 0; i < entries && status == RS_OK; i++) {
        uint64_t components = 0;
        status = rs_wire_read_kswitch_entry(reader, &components);
        for (uint64_t j = 0; j < components && status == RS_OK; j++) {
            rs_ciphertext_t component;
            memset(&component, 0, sizeof component);
            status = rs_wire_read_kswitch_component_begin(reader, NULL, &component);
            if (status != RS_OK) break;
            const size_t words = (size_t)reader->words;
            if (words > 1 << 17) return RS_ERR_MEMORY;
            component.data = exact_array(words);
            status = rs_wire_read_kswitch_component_words(reader, NULL, &component);
            demand_wiped(status, component.data, words);
            free(component.data);
        }
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
        if (info.kind < RS_WIRE_UNKNOWN || told.kind > RS_WIRE_GALOIS_KEYS) abort();
        if (status == RS_OK && pass == 1) status = structure_of_ciphertext(&reader);
        if (status == RS_OK && pass == 2) status = structure_of_kswitch(&reader);
        const rs_status_t closed = rs_wire_close(&reader, pass ? 2 : 0);
        if (pass == 0 && closed != RS_OK) abort();
        if (pass != 0 && status != RS_OK && status != RS_ERR_MEMORY && closed == RS_OK) abort(); // errors are not forgotten
    }
    free(file.data);
    return 0;
}
