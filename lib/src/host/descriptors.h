// SPDX-License-Identifier: Apache-2.0
// File descriptors for fd.c: bytes read and written, or -1 and errno. A caller repeats what EINTR interrupted.
#ifndef RINGSIDE_DESCRIPTORS_H
#define RINGSIDE_DESCRIPTORS_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

// Where an object can be written: at any place, or only behind what is there (pipes, sockets, files opened to append to).
typedef enum place { NOWHERE, AT_THE_END, ANYWHERE } place_t;

static inline int is_disk_full(int error) {
#ifdef EDQUOT
    if (error == EDQUOT) return 1;
#endif
    return error == ENOSPC;
}

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <stdio.h>

static inline int64_t read_bytes(int fd, void *out, size_t bytes) { return _read(fd, out, (unsigned)bytes); }

static inline int64_t write_bytes(int fd, const void *data, size_t bytes) { return _write(fd, data, (unsigned)bytes); }

// The place of the descriptor is the same afterwards. Where all is written at the end, this fails: bytes are there that were not wanted, but
// the object is known to be lost.
static inline int64_t write_bytes_at(int fd, const void *data, size_t bytes, int64_t at) {
    const int64_t before = _telli64(fd);
    if (before < 0 || _lseeki64(fd, at, SEEK_SET) < 0) return -1;
    const int64_t count = _write(fd, data, (unsigned)bytes);
    const int64_t after = _telli64(fd);
    if (_lseeki64(fd, before, SEEK_SET) < 0) return -1;
    if (count >= 0 && after != at + count) {
        errno = EBADF;
        return -1;
    }
    return count;
}

static inline place_t place_of(int fd, int64_t *position) {
    *position = _lseeki64(fd, 0, SEEK_CUR);
    if (*position >= 0) return ANYWHERE;
    return errno == EBADF ? NOWHERE : AT_THE_END;
}

// No line ends are put in or taken out.
static inline void as_bytes(int fd) { _setmode(fd, _O_BINARY); }
#else
#include <fcntl.h>
#include <unistd.h>

static inline int64_t read_bytes(int fd, void *out, size_t bytes) { return read(fd, out, bytes); }

static inline int64_t write_bytes(int fd, const void *data, size_t bytes) { return write(fd, data, bytes); }

static inline int64_t write_bytes_at(int fd, const void *data, size_t bytes, int64_t at) {
    return pwrite(fd, data, bytes, (off_t)at);
}

static inline place_t place_of(int fd, int64_t *position) {
    const int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return NOWHERE;
    *position = lseek(fd, 0, SEEK_CUR);
    if (*position < 0) return errno == ESPIPE ? AT_THE_END : NOWHERE;
    return flags & O_APPEND ? AT_THE_END : ANYWHERE; // pwrite would append there, whatever the offset
}

static inline void as_bytes(int fd) { (void)fd; }
#endif

#endif
