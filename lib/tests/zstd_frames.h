// SPDX-License-Identifier: Apache-2.0
// zstd frames of residues made and read in memory, by the library's codec and by libzstd: shared by test_codec.c and fuzz_zstd_words.c.
#ifndef RS_ZSTD_FRAMES_H
#define RS_ZSTD_FRAMES_H

#include <ringside/ringside.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "host/zstd_words.h"

static uint64_t random_state = 1;

static inline uint64_t random64(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1d;
}

static inline uint8_t *allocate(size_t bytes) {
    uint8_t *memory = malloc(bytes ? bytes : 1);
    if (!memory) abort();
    return memory;
}

// `prefix` random bytes, then words below 2^bits.
static inline uint8_t *make_words(size_t bytes, size_t prefix, unsigned bits) {
    uint8_t *data = allocate(bytes + 8);
    for (size_t i = 0; i < bytes; i++) {
        if (i >= prefix && (i - prefix) % 8 == 0) {
            const uint64_t word = bits ? random64() >> (64 - bits) : 0;
            for (unsigned j = 0; j < 8; j++) data[i + j] = (uint8_t)(word >> 8 * j);
            i += 7;
        } else {
            data[i] = (uint8_t)(random64() >> 40);
        }
    }
    return data;
}

typedef struct frame {
    uint8_t *data;
    size_t bytes;
} frame_t;

// Most bytes that a frame of so many may have.
static inline size_t frame_bound(size_t bytes) {
    return bytes + RS_ZSTD_MARK_BYTES + RS_ZSTD_BLOCK_HEADER_BYTES * (bytes / (RS_ZSTD_BLOCK_BYTES - 8) + 2);
}

// In pieces of that many bytes. The array has room for no more than the bound.
static inline frame_t encode_frame(const uint8_t *data, size_t bytes, size_t piece) {
    frame_t frame = {allocate(frame_bound(bytes)), 0};
    rs_sink_t sink;
    rs_memory_sink_t memory;
    void *codec = NULL;
    uint64_t count = 0;
    rs_sink_to_memory(&sink, &memory, frame.data, frame_bound(bytes));
    if (rs_host_codec()->write_begin_words(&codec, RS_COMPRESSION_ZSTD, &sink) != RS_OK) abort();
    for (size_t i = 0; i < bytes; i += piece) {
        if (rs_host_codec()->write(codec, data + i, bytes - i < piece ? bytes - i : piece) != RS_OK) abort();
    }
    if (rs_host_codec()->write_end(codec, &count) != RS_OK || count != memory.bytes) abort();
    frame.bytes = memory.bytes;
    return frame;
}

// In an array of exactly its size. Reads `piece` bytes at a time, at most `room` in all.
static inline rs_status_t decode_frame(const frame_t *frame, uint64_t promised, size_t piece, uint8_t *out, size_t room,
                                       size_t *got) {
    frame_t exact = {allocate(frame->bytes), frame->bytes};
    memcpy(exact.data, frame->data, frame->bytes);
    rs_source_t source;
    rs_memory_source_t memory;
    void *codec = NULL;
    rs_source_from_memory(&source, &memory, exact.data, exact.bytes);
    rs_status_t status = rs_host_codec()->read_begin(&codec, RS_COMPRESSION_ZSTD, &source, promised);
    if (status != RS_OK) abort();
    size_t part = 1;
    for (*got = 0; status == RS_OK && part != 0 && *got < room; *got += part) {
        status = rs_host_codec()->read(codec, out + *got, room - *got < piece ? room - *got : piece, &part);
    }
    const rs_status_t ended = rs_host_codec()->read_end(codec, status == RS_OK);
    free(exact.data);
    return status == RS_OK ? ended : status;
}

// By the streaming decoder: the other one is stricter with empty blocks. The bytes of one whole frame, or SIZE_MAX.
static inline size_t libzstd_decode(const frame_t *frame, uint8_t *out, size_t room) {
    ZSTD_DCtx *decompressor = ZSTD_createDCtx();
    if (!decompressor) abort();
    ZSTD_inBuffer in = {frame->data, frame->bytes, 0};
    ZSTD_outBuffer to = {out, room, 0};
    size_t left = 1, in_before = SIZE_MAX, to_before = SIZE_MAX;
    while (left != 0 && !ZSTD_isError(left) && (in.pos != in_before || to.pos != to_before)) {
        in_before = in.pos;
        to_before = to.pos;
        left = ZSTD_decompressStream(decompressor, &to, &in);
    }
    ZSTD_freeDCtx(decompressor);
    return left == 0 ? to.pos : SIZE_MAX;
}

#endif
