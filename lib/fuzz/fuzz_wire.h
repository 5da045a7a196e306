// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets of the wire format share. Context: N = 1024, two limbs, fixed.
//
// Input: one control byte, then a SEAL file. Bits 0-1 of the control byte: 0 the file as it is (a compressed one too, if its header
// says so), 1 or 2 the members are compressed here with zlib or zstd, so that mutations of members get past the codec and its
// checksums. Bits 2-4: format to write (fuzz_convert).
// Bit 5: Galois keys rather than relinearisation keys (fuzz_kswitch, fuzz_info).
// Properties, besides what the sanitizers and libFuzzer's memory and time limits see: a word array is wiped when reading fails
// (wire_samples.h), and what was read successfully is written again as the same bytes.
#ifndef RS_FUZZ_WIRE_H
#define RS_FUZZ_WIRE_H

#define RS_SAMPLE_LIMBS 2
#include "wire_samples.h"

#include <stdio.h>

enum { FUZZ_HEADER_BYTES = 16 };

typedef struct fuzz_file {
    uint8_t *data; // an allocation of exactly this size
    size_t bytes;
} fuzz_file_t;

static inline void fuzz_store_size(uint8_t *header, uint64_t bytes) {
    for (int i = 0; i < 8; i++) header[8 + i] = (uint8_t)(bytes >> 8 * i);
}

// The file that the input stands for. The outer size is set right when the members are compressed here.
static inline fuzz_file_t fuzz_file(uint8_t control, const uint8_t *data, size_t bytes) {
    fuzz_file_t file = {malloc(bytes + 1), bytes};
    if (!file.data) abort();
    if (bytes) memcpy(file.data, data, bytes);
    const rs_compression_t compression = (rs_compression_t)(control & 3);
    if ((compression == RS_COMPRESSION_ZLIB || compression == RS_COMPRESSION_ZSTD) && bytes >= FUZZ_HEADER_BYTES) {
        const size_t room = bytes + bytes / 8 + 1024;
        uint8_t *packed = malloc(room);
        if (!packed) abort();
        rs_sink_t sink;
        rs_memory_sink_t memory;
        void *state = NULL;
        uint64_t count = 0;
        rs_sink_to_memory(&sink, &memory, packed + FUZZ_HEADER_BYTES, room - FUZZ_HEADER_BYTES);
        const rs_codec_t *codec = rs_host_codec();
        if (codec->write_begin(&state, compression, 1, &sink) != RS_OK) abort();
        if (codec->write(state, data + FUZZ_HEADER_BYTES, bytes - FUZZ_HEADER_BYTES) != RS_OK) abort();
        if (codec->write_end(state, &count) != RS_OK || count != memory.bytes) abort();
        memcpy(packed, data, FUZZ_HEADER_BYTES);
        packed[5] = (uint8_t)compression;
        fuzz_store_size(packed, FUZZ_HEADER_BYTES + count);
        free(file.data);
        file.bytes = FUZZ_HEADER_BYTES + (size_t)count;
        file.data = malloc(file.bytes);
        if (!file.data) abort();
        memcpy(file.data, packed, file.bytes);
        free(packed);
    }
    return file;
}

// Both uncompressed files of one version. A nested 4.x header may carry a lower minor version, which is not kept.
static inline void fuzz_demand_equal(const uint8_t *got, size_t got_bytes, const uint8_t *want, size_t want_bytes) {
    if (got_bytes != want_bytes) abort();
    for (size_t i = FUZZ_HEADER_BYTES; i < got_bytes; i++) {
        if (got[i] == want[i]) continue;
        const uint8_t start[4] = {0x5e, 0xa1, 0x10, 4};
        if (memcmp(got + i - 4, start, 4) != 0 || want[i] > got[i]) abort();
    }
}

// Can this version be written, so that what was read can be compared?
static inline int fuzz_writable(uint8_t major, uint8_t minor) { return (major == 3 && minor >= 6) || (major == 4 && minor <= 4); }

static inline rs_wire_kind_t fuzz_keys(uint8_t control) { return control & 32 ? RS_WIRE_GALOIS_KEYS : RS_WIRE_RELIN_KEYS; }

// Reads the input as an object of this kind.
static inline int fuzz_read(rs_wire_kind_t kind, const uint8_t *input, size_t input_bytes) {
    const uint8_t control = input[0];
    const uint8_t *data = input + 1;
    const size_t bytes = input_bytes - 1;
    fuzz_file_t file = fuzz_file(control, data, bytes);
    const int comparable = file.bytes >= FUZZ_HEADER_BYTES && fuzz_writable(file.data[3], file.data[4]);
    const uint8_t major = comparable ? file.data[3] : 3, minor = comparable ? file.data[4] : 6;
    const rs_wire_format_t format = sample_format(major, minor, RS_COMPRESSION_NONE);
    uint8_t *again = malloc(SAMPLE_CAPACITY);
    if (!again) abort();
    rs_sink_t sink;
    rs_memory_sink_t memory;
    rs_sink_to_memory(&sink, &memory, again, SAMPLE_CAPACITY);
    const rs_status_t status = read_file_as(kind, file.data, file.bytes, rs_host_codec(), NULL, NULL);
    if (status == RS_OK) {
        // Larger objects than the sink are possible: 16 polynomials, many relinearisation keys.
        const rs_status_t written = read_file_as(kind, file.data, file.bytes, rs_host_codec(), &sink, &format);
        if (written != RS_OK && written != RS_ERR_TOO_SMALL) {
            // Key-switching keys may mix seeded and full components; this library writes them all alike.
            if (!(written == RS_ERR_SEEDED && (kind == RS_WIRE_RELIN_KEYS || kind == RS_WIRE_GALOIS_KEYS))) abort();
        }
        // What is compared is the input: the members as they were before compression. A file that came compressed is not at hand.
        if (written == RS_OK && comparable && file.data[5] == (control & 3)) fuzz_demand_equal(again, memory.bytes, data, bytes);
    }
    free(again);
    free(file.data);
    return 0;
}

#endif
