// SPDX-License-Identifier: Apache-2.0
// A client of the library without zlib and zstd: parameters are written plain, and compressed ones refused by a status.
#include <ringside/ringside.h>
#include <stdio.h>

static rs_status_t written(rs_compression_t compression) {
    static uint8_t file[4096];
    rs_params_t params;
    const rs_status_t named = rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = "lee-12"));
    if (named != RS_OK) return named;
    rs_memory_sink_t memory;
    rs_sink_t sink;
    rs_sink_to_memory(&sink, &memory, file, sizeof file);
    const rs_wire_format_t format = {.compression = compression, .codec = rs_host_codec()};
    return rs_wire_write(
        RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_PARAMS, .sink = &sink, .format = format, .params = &params));
}

int main(void) {
    printf("plain: %s; zlib: %s; zstd: %s; %s\n", rs_status_name(written(RS_COMPRESSION_NONE)),
           rs_status_name(written(RS_COMPRESSION_ZLIB)), rs_status_name(written(RS_COMPRESSION_ZSTD)),
           rs_host_codec() ? "a codec" : "no codec");
    return 0;
}
