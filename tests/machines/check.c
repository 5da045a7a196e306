// SPDX-License-Identifier: Apache-2.0
// What of the library depends on the operating system, by its public functions: self-test on each back end, random seeds, threads, and files by
// descriptors. Prints a line for each. Argument: a file that it may write.
#include <fcntl.h>
#include <ringside/ringside.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <io.h>
#define open _open
#define close _close
#define OPEN_WRITE (_O_RDWR | _O_CREAT | _O_TRUNC)
#define OPEN_READ _O_RDONLY
#else
#include <unistd.h>
#define OPEN_WRITE (O_RDWR | O_CREAT | O_TRUNC)
#define OPEN_READ O_RDONLY
#endif

static int say(const char *what, rs_status_t status) {
    printf("%s: %s\n", what, rs_status_name(status));
    return status != RS_OK;
}

static rs_status_t selftest(void) {
    void *memory = malloc(rs_selftest_size());
    if (!memory) return RS_ERR_NO_MEMORY;
    const rs_status_t status = rs_selftest(memory, rs_selftest_size());
    free(memory);
    return status;
}

static int back_ends(void) {
    static const char *const NAMES[] = {"portable", "fma", "avx2", "avx512", "avx512ifma"};
    int failed = 0;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (rs_backend_select(NAMES[i]) != RS_OK) continue;
        failed |= say(NAMES[i], selftest());
    }
    return failed | say("chosen", rs_backend_select(NULL));
}

// Two draws of 1000 bytes: not the same, and not nothing.
static rs_status_t randomness(void) {
    rs_rng_t rng;
    uint8_t draws[2][1000] = {{0}};
    rs_rng_os(&rng);
    for (int i = 0; i < 2; i++) {
        const rs_status_t status = rng.fill(rng.state, draws[i], sizeof draws[i]);
        if (status != RS_OK) return status;
        size_t zeros = 0;
        for (size_t k = 0; k < sizeof draws[i]; k++) zeros += !draws[i][k];
        if (zeros > 100) return RS_ERR_RNG;
    }
    return memcmp(draws[0], draws[1], sizeof draws[0]) ? RS_OK : RS_ERR_RNG;
}

enum { TASKS = 1000 };
static void mark(void *argument, size_t index) { ((uint8_t *)argument)[index]++; }

static rs_status_t threads(void) {
    rs_pool_t pool;
    uint8_t marks[TASKS] = {0};
    if (!rs_pool_threads()) return RS_ERR_THREADS;
    rs_status_t status = rs_pool_create(&pool, 4);
    if (status != RS_OK) return status;
    for (int i = 0; i < 3; i++) pool.run(pool.state, mark, marks, TASKS);
    rs_pool_destroy(&pool);
    for (size_t i = 0; i < TASKS; i++) {
        if (marks[i] != 3) return RS_ERR_THREADS;
    }
    return status;
}

// Bytes that text files would change are in it (line ends, Ctrl-Z); one part is written over by `patch`.
enum { FILE_BYTES = 200000, PATCHED = 70001 };
static uint8_t content(size_t i) {
    static const uint8_t HARD[] = {'\n', '\r', 0x1a, 0};
    return i % 7 ? (uint8_t)(i * 31 >> 3) : HARD[i / 7 % 4];
}

static rs_status_t write_file(int fd) {
    static rs_fd_stream_t stream;
    rs_sink_t sink;
    rs_status_t status = rs_sink_to_fd(&sink, &stream, fd);
    if (status == RS_OK && !sink.patch) status = RS_ERR_IO;
    for (size_t i = 0; status == RS_OK && i < FILE_BYTES; i++) {
        const uint8_t byte = i == PATCHED ? 'x' : content(i);
        status = sink.write(sink.state, &byte, 1);
    }
    const uint8_t right = content(PATCHED);
    if (status == RS_OK) status = sink.patch(sink.state, PATCHED, &right, 1);
    return status == RS_OK ? rs_fd_sink_flush(&stream) : status;
}

static rs_status_t read_file(int fd) {
    static rs_fd_stream_t stream;
    static uint8_t bytes[FILE_BYTES + 1];
    rs_source_t source;
    size_t got;
    rs_source_from_fd(&source, &stream, fd);
    const rs_status_t status = source.read(source.state, bytes, sizeof bytes, &got);
    if (status != RS_OK) return status;
    if (got != FILE_BYTES) return RS_ERR_LENGTH;
    for (size_t i = 0; i < FILE_BYTES; i++) {
        if (bytes[i] != content(i)) return RS_ERR_IO;
    }
    return RS_OK;
}

static rs_status_t files(const char *path) {
    const int to = open(path, OPEN_WRITE, 0600);
    if (to < 0) return RS_ERR_IO;
    rs_status_t status = write_file(to);
    if (close(to) || status != RS_OK) return status == RS_OK ? RS_ERR_IO : status;
    const int from = open(path, OPEN_READ);
    if (from < 0) return RS_ERR_IO;
    status = read_file(from);
    close(from);
    rs_fd_stream_t gone;
    rs_sink_t sink;
    return status == RS_OK && rs_sink_to_fd(&sink, &gone, from) == RS_OK ? RS_ERR_IO : status; // a closed descriptor is refused
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int failed = back_ends();
    failed |= say("randomness", randomness());
    failed |= say("threads", threads());
    failed |= say("files", files(argv[1]));
    return failed;
}
