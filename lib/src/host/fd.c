// SPDX-License-Identifier: Apache-2.0
// Byte streams on file descriptors, buffered: those of POSIX, or those of the C run time on Windows.
#define _POSIX_C_SOURCE 200809L
#include <ringside/host.h>

#include <errno.h>
#include <string.h>

#include "host/descriptors.h"

enum { TRANSFER_BYTES_MAX = 1 << 30 }; // bytes of one system call

static rs_status_t io_error(rs_fd_stream_t *stream) {
    stream->last_errno = errno;
    return is_disk_full(errno) ? RS_ERR_DISK_FULL : RS_ERR_IO;
}

static rs_status_t read_some(rs_fd_stream_t *stream, uint8_t *out, size_t bytes, size_t *got) {
    if (bytes > TRANSFER_BYTES_MAX) bytes = TRANSFER_BYTES_MAX;
    for (;;) {
        const int64_t count = read_bytes(stream->fd, out, bytes);
        if (count >= 0) {
            *got = (size_t)count;
            return RS_OK;
        }
        if (errno != EINTR) return io_error(stream);
    }
}

static rs_status_t fd_read(void *state, uint8_t *out, size_t bytes, size_t *got) {
    rs_fd_stream_t *stream = state;
    *got = 0;
    while (*got < bytes) {
        const size_t left = bytes - *got;
        size_t part = stream->fill - stream->position;
        if (part > 0) {
            if (part > left) part = left;
            memcpy(out + *got, stream->buffer + stream->position, part);
            stream->position += part;
            *got += part;
            continue;
        }
        if (left >= sizeof stream->buffer) { // straight into the caller's array
            const rs_status_t status = read_some(stream, out + *got, left, &part);
            if (status != RS_OK) return status;
            if (part == 0) return RS_OK;
            *got += part;
            continue;
        }
        stream->position = 0;
        stream->fill = 0;
        const rs_status_t status = read_some(stream, stream->buffer, sizeof stream->buffer, &part);
        if (status != RS_OK) return status;
        if (part == 0) {
            rs_zeroize(stream->buffer, sizeof stream->buffer);
            return RS_OK;
        }
        stream->fill = part;
    }
    return RS_OK;
}

void rs_source_from_fd(rs_source_t *source, rs_fd_stream_t *state, int fd) {
    if (!source || !state) return;
    memset(state, 0, sizeof *state);
    state->fd = fd;
    as_bytes(fd);
    source->read = fd_read;
    source->state = state;
}

static rs_status_t write_all(rs_fd_stream_t *stream, const uint8_t *data, size_t bytes) {
    while (bytes > 0) {
        const int64_t count = write_bytes(stream->fd, data, bytes < TRANSFER_BYTES_MAX ? bytes : TRANSFER_BYTES_MAX);
        if (count < 0) {
            if (errno == EINTR) continue;
            return io_error(stream);
        }
        data += count;
        bytes -= (size_t)count;
    }
    return RS_OK;
}

rs_status_t rs_fd_sink_flush(rs_fd_stream_t *state) {
    if (!state) return RS_ERR_NULL;
    const size_t bytes = state->fill;
    if (bytes == 0) return RS_OK;
    state->fill = 0; // what could not be written is dropped: the object is lost anyway
    const rs_status_t status = write_all(state, state->buffer, bytes);
    rs_zeroize(state->buffer, bytes);
    return status;
}

static rs_status_t fd_write(void *state, const uint8_t *data, size_t bytes) {
    rs_fd_stream_t *stream = state;
    if (bytes > sizeof stream->buffer - stream->fill) {
        const rs_status_t status = rs_fd_sink_flush(stream);
        if (status != RS_OK) return status;
        if (bytes >= sizeof stream->buffer) return write_all(stream, data, bytes);
    }
    memcpy(stream->buffer + stream->fill, data, bytes);
    stream->fill += bytes;
    return RS_OK;
}

static rs_status_t fd_patch(void *state, uint64_t offset, const uint8_t *data, size_t bytes) {
    rs_fd_stream_t *stream = state;
    const rs_status_t status = rs_fd_sink_flush(stream);
    if (status != RS_OK) return status;
    int64_t at = (int64_t)(stream->base + offset);
    while (bytes > 0) {
        const int64_t count = write_bytes_at(stream->fd, data, bytes, at);
        if (count < 0) {
            if (errno == EINTR) continue;
            return io_error(stream);
        }
        data += count;
        at += count;
        bytes -= (size_t)count;
    }
    return RS_OK;
}

rs_status_t rs_sink_to_fd(rs_sink_t *sink, rs_fd_stream_t *state, int fd) {
    if (!sink || !state) return RS_ERR_NULL;
    memset(state, 0, sizeof *state);
    state->fd = fd;
    as_bytes(fd);
    sink->write = fd_write;
    sink->patch = NULL;
    sink->state = state;
    int64_t position;
    switch (place_of(fd, &position)) {
    case ANYWHERE:
        state->base = (uint64_t)position;
        sink->patch = fd_patch;
        return RS_OK;
    case AT_THE_END: return RS_OK;
    default: return io_error(state);
    }
}
