// SPDX-License-Identifier: Apache-2.0
// The reader of zstd_words.h. The input may be hostile: everything that it accepts decodes to the same bytes in every zstd decoder.
#include "host/zstd_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

enum {
    REACH_BYTES = 2 << RS_ZSTD_FAR_CODE, // the farthest match begins so far back
    BUFFER_BYTES = REACH_BYTES + 3 * RS_ZSTD_BLOCK_BYTES,
    SPARE_BYTES = 8, // words are read and written whole
};

struct rs_zstd_reader {
    rs_source_t source;
    uint64_t position; // bytes decoded so far
    size_t from, to; // decoded and not yet taken: buffer[from .. to - 1]
    int last_is_8; // the last offset
    int ended; // there is no block after this one
    uint8_t block[RS_ZSTD_BLOCK_BYTES + SPARE_BYTES];
    uint8_t buffer[BUFFER_BYTES + SPARE_BYTES];
};

static rs_status_t take(rs_zstd_reader_t *reader, uint8_t *out, size_t bytes) {
    size_t got = 0;
    const rs_status_t status = bytes ? reader->source.read(reader->source.state, out, bytes, &got) : RS_OK;
    if (status != RS_OK) return status;
    return got == bytes ? RS_OK : RS_ERR_CODEC;
}

// Words that end in the bytes of the word before them.
static void decode_near(uint8_t *out, const uint8_t *literals, size_t count, unsigned width) {
    const uint64_t low = ((uint64_t)1 << 8 * width) - 1, top = rs_load64(out - 8) & ~low;
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++) rs_store64(out + 8 * i, (rs_load64(literals + i * width) & low) | top);
}

// A word that ends in three bytes from far back. Writes one byte too many; what follows overwrites it.
static void decode_far_word(uint8_t *word, const uint8_t *literals, uint32_t extra) {
    uint8_t *const match = word + RS_ZSTD_FAR_LITERALS;
    rs_store64(word, rs_load64(literals));
    rs_store32(match, rs_load32(match - ((1u << RS_ZSTD_FAR_CODE) - 3 + extra)));
}

// bits: the offsets' extra bits, the last word's first.
static void decode_far(uint8_t *out, const uint8_t *literals, size_t count, const uint8_t *bits) {
    enum { BITS = RS_ZSTD_FAR_CODE, MASK = (1 << BITS) - 1, WIDTH = RS_ZSTD_FAR_LITERALS };
    for (; count % 4 != 0; count--, out += 8, literals += WIDTH) {
        const size_t at = BITS * (count - 1);
        decode_far_word(out, literals, rs_load32(bits + at / 8) >> at % 8 & MASK);
    }
    for (; count > 0; count -= 4, out += 32, literals += 4 * WIDTH) {
        const uint64_t four = rs_load64(bits + BITS / 2 * (count - 4) / 4);
        decode_far_word(out, literals, four >> 3 * BITS & MASK);
        decode_far_word(out + 8, literals + WIDTH, four >> 2 * BITS & MASK);
        decode_far_word(out + 16, literals + 2 * WIDTH, four >> BITS & MASK);
        decode_far_word(out + 24, literals + 3 * WIDTH, four & MASK);
    }
}

// Does a match begin before the frame, `position` bytes before the first of the words?
static int far_outside(size_t count, const uint8_t *bits, uint64_t position) {
    int outside = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t at = RS_ZSTD_FAR_CODE * (count - 1 - i);
        const uint32_t extra = rs_load32(bits + at / 8) >> at % 8 & ((1u << RS_ZSTD_FAR_CODE) - 1);
        outside |= position + 8 * i + RS_ZSTD_FAR_LITERALS + 3 < (1u << RS_ZSTD_FAR_CODE) + extra;
    }
    return outside;
}

// One block of sequences, `bytes` of them in reader->block, to the end of the buffer.
static rs_status_t decode_words(rs_zstd_reader_t *reader, size_t bytes) {
    const uint8_t *in = reader->block, *const end = in + bytes;
    if (bytes < 3) return RS_ERR_CODEC;
    const uint32_t head = rs_load32(in);
    const unsigned format = head >> 2 & 3;
    if (head & 3) return RS_ERR_CODEC; // literals that are not raw
    if (format != 1 && format != 3) return RS_ERR_CODEC;
    const size_t literal_bytes = format == 1 ? (head & 0xffff) >> 4 : (head & 0xffffff) >> 4;
    in += format == 1 ? 2 : 3;
    if (literal_bytes > (size_t)(end - in)) return RS_ERR_CODEC;
    const uint8_t *const literals = in;
    in += literal_bytes;

    if (end - in < 6) return RS_ERR_CODEC; // the least that follows: a count of one byte, modes, three codes, a byte of bits
    size_t count = *in++;
    if (count >= 128) count = ((count - 128) << 8) + *in++;
    if (end - in < 5) return RS_ERR_CODEC;
    const unsigned modes = in[0], width = in[1], code = in[2], match = in[3] + (unsigned)RS_ZSTD_MATCH_BYTES_MIN;
    in += 4;
    if (modes != RS_ZSTD_MODES_RLE || width < 1 || width + match != 8) return RS_ERR_CODEC;
    if (count == 0 || count > RS_ZSTD_BLOCK_BYTES / 8 || literal_bytes < count * width) return RS_ERR_CODEC;
    const size_t tail = literal_bytes - count * width;
    if (8 * count + tail > RS_ZSTD_BLOCK_BYTES) return RS_ERR_CODEC;

    uint8_t *const out = reader->buffer + reader->to;
    const size_t bits = code == RS_ZSTD_FAR_CODE ? RS_ZSTD_FAR_CODE * count : code == RS_ZSTD_EIGHT_CODE ? 3 : 0;
    // Behind the extra bits comes a 1, then zeros to the end of the byte.
    if ((size_t)(end - in) != bits / 8 + 1 || end[-1] >> bits % 8 != 1) return RS_ERR_CODEC;
    if (code == RS_ZSTD_FAR_CODE && width == RS_ZSTD_FAR_LITERALS) {
        if (reader->position < REACH_BYTES && far_outside(count, in, reader->position)) return RS_ERR_CODEC;
        decode_far(out, literals, count, in);
        reader->last_is_8 = 0;
    } else if (code == RS_ZSTD_EIGHT_CODE && count == 1 && *in == RS_ZSTD_EIGHT_BITS && reader->position + width >= 8) {
        decode_near(out, literals, count, width);
        reader->last_is_8 = 1;
    } else if (code == RS_ZSTD_REPEAT_CODE && reader->last_is_8) {
        decode_near(out, literals, count, width);
    } else {
        return RS_ERR_CODEC;
    }
    memcpy(out + 8 * count, literals + count * width, tail);
    reader->to += 8 * count + tail;
    reader->position += 8 * count + tail;
    return RS_OK;
}

static rs_status_t decode_block(rs_zstd_reader_t *reader) {
    if (BUFFER_BYTES - reader->to < RS_ZSTD_BLOCK_BYTES) {
        memmove(reader->buffer, reader->buffer + reader->to - REACH_BYTES, REACH_BYTES);
        reader->to = REACH_BYTES;
    }
    reader->from = reader->to;
    uint8_t header[RS_ZSTD_BLOCK_HEADER_BYTES];
    rs_status_t status = take(reader, header, sizeof header);
    if (status != RS_OK) return status;
    const unsigned type = header[0] >> 1 & 3;
    const size_t bytes = ((size_t)header[2] << 16 | (size_t)header[1] << 8 | header[0]) >> 3;
    if (bytes > RS_ZSTD_BLOCK_BYTES) return RS_ERR_CODEC;
    reader->ended = header[0] & 1;
    if (type == RS_ZSTD_COMPRESSED) {
        status = take(reader, reader->block, bytes);
        return status == RS_OK ? decode_words(reader, bytes) : status;
    }
    if (type == RS_ZSTD_RAW) {
        status = take(reader, reader->buffer + reader->to, bytes);
    } else if (type == RS_ZSTD_RLE) {
        status = take(reader, reader->block, 1);
        if (status == RS_OK) memset(reader->buffer + reader->to, reader->block[0], bytes);
    } else {
        return RS_ERR_CODEC; // reserved
    }
    if (status != RS_OK) return status;
    reader->to += bytes;
    reader->position += bytes;
    return RS_OK;
}

rs_zstd_reader_t *rs_zstd_reader_new(const rs_source_t *source) {
    rs_zstd_reader_t *reader = malloc(sizeof *reader);
    if (!reader) return NULL;
    memset(reader, 0, offsetof(rs_zstd_reader_t, block));
    reader->source = *source;
    reader->from = reader->to = REACH_BYTES;
    return reader;
}

rs_status_t rs_zstd_reader_read(rs_zstd_reader_t *reader, uint8_t *out, size_t bytes, size_t *got, int *ended) {
    *got = 0;
    for (;;) {
        const size_t left = bytes - *got, ready = reader->to - reader->from, part = ready < left ? ready : left;
        memcpy(out + *got, reader->buffer + reader->from, part);
        reader->from += part;
        *got += part;
        *ended = reader->ended && reader->from == reader->to;
        if (*got == bytes || *ended) return RS_OK;
        const rs_status_t status = decode_block(reader);
        if (status != RS_OK) return status;
    }
}

void rs_zstd_reader_free(rs_zstd_reader_t *reader) {
    if (reader) rs_zeroize(reader, sizeof *reader);
    free(reader);
}
