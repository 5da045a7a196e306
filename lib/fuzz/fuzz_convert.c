// SPDX-License-Identifier: Apache-2.0
// Conversion to another version and compression. What came through is sound: it converts again, and back to the bytes it came from.
#include "fuzz_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OUTPUT_BYTES = 1 << 20 }; // bounds what a bomb may unpack

static rs_status_t convert(const uint8_t *data, size_t bytes, const rs_wire_format_t *format, uint8_t *out, size_t *out_bytes) {
    _Alignas(8) static uint8_t buffer[4096];
    rs_source_t source;
    rs_memory_source_t input;
    rs_sink_t sink;
    rs_memory_sink_t output;
    rs_wire_reader_t reader;
    rs_source_from_memory(&source, &input, data, bytes);
    rs_sink_to_memory(&sink, &output, out, OUTPUT_BYTES);
    rs_status_t status = rs_wire_open(&reader, &source, rs_host_codec());
    if (status == RS_OK) status = rs_wire_convert(&reader, &sink, format, (rs_memory_t){buffer, sizeof buffer});
    const rs_status_t closed = rs_wire_close(&reader, 1);
    if (status != RS_OK && closed != status) abort();
    *out_bytes = output.bytes;
    return status == RS_OK ? closed : status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    static const uint8_t versions[4][2] = {{3, 6}, {3, 7}, {4, 0}, {4, 4}};
    const uint8_t control = data[0];
    const uint8_t *version = versions[control >> 2 & 3];
    fuzz_file_t file = fuzz_file(control, data + 1, size - 1);
    uint8_t *once = malloc(OUTPUT_BYTES), *twice = malloc(OUTPUT_BYTES);
    if (!once || !twice) abort();
    size_t once_bytes = 0, twice_bytes = 0;
    rs_wire_format_t format = sample_format(version[0], version[1], control & 16 ? RS_COMPRESSION_ZSTD : RS_COMPRESSION_NONE);
    format.level = 1;
    if (convert(file.data, file.bytes, &format, once, &once_bytes) == RS_OK) {
        const uint8_t major = file.data[3], minor = file.data[4];
        const rs_wire_format_t back = fuzz_writable(major, minor) ? sample_format(major, minor, RS_COMPRESSION_NONE)
                                                                  : sample_format(4, 4, RS_COMPRESSION_NONE);
        const rs_status_t status = convert(once, once_bytes, &back, twice, &twice_bytes);
        if (status != RS_OK && status != RS_ERR_TOO_SMALL) abort();
        if (status == RS_OK && fuzz_writable(major, minor) && file.data[5] == (control & 3)) {
            fuzz_demand_equal(twice, twice_bytes, data + 1, size - 1);
        }
    }
    free(once);
    free(twice);
    free(file.data);
    return 0;
}
