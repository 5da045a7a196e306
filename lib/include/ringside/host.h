// SPDX-License-Identifier: Apache-2.0
// What needs an operating system: random seeds, file descriptors, zlib and zstd. Not part of the freestanding core.
#ifndef RINGSIDE_HOST_H
#define RINGSIDE_HOST_H

#include "wire.h"

#ifdef __cplusplus
extern "C" {
#endif

// Seeds from the kernel: getrandom, getentropy on macOS, BCryptGenRandom on Windows.
RS_API void rs_rng_os(rs_rng_t *rng);

// Streams on an open file descriptor, buffered; on Windows one of the C run time, which becomes one of bytes. The caller opens and closes fd; call rs_fd_sink_flush before closing: it reports
// the remaining write errors. On pipes, sockets and O_APPEND descriptors the sink cannot patch. A source reads ahead:
// objects that follow each other on one descriptor share one source. RS_ERR_DISK_FULL for ENOSPC and EDQUOT, RS_ERR_IO otherwise.
// The buffer is wiped when it has been flushed or read to its end.
typedef struct rs_fd_stream {
    int fd;
    int last_errno;
    uint64_t base;      // file offset of the object's first byte
    size_t fill;
    size_t position;
    uint8_t buffer[65536];
} rs_fd_stream_t;

RS_API void rs_source_from_fd(rs_source_t *source, rs_fd_stream_t *state, int fd);
RS_API RS_MUST_CHECK rs_status_t rs_sink_to_fd(rs_sink_t *sink, rs_fd_stream_t *state, int fd);
RS_API RS_MUST_CHECK rs_status_t rs_fd_sink_flush(rs_fd_stream_t *state);

// zlib (RFC 1950, levels 1 to 9) and zstd (RFC 8878, levels 1 to 22). Memory is bounded: zstd windows above 2^23 bytes are refused,
// as SEAL 4.4 does, and never written. At zstd's default level public residues are written without searching for matches, many times
// faster. All memory of both is wiped before it is freed: a secret key may have passed through. NULL if the library was built without them.
RS_API const rs_codec_t *rs_host_codec(void);

#ifdef __cplusplus
}
#endif

#endif
