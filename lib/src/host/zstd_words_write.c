// SPDX-License-Identifier: Apache-2.0
// The writer of zstd_words.h. Data are gathered to blocks, which are cut where the columns of zero bytes change.
#include "host/zstd_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

const uint8_t RS_ZSTD_MARK[RS_ZSTD_MARK_BYTES] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38, 0x00, 0x00, 0x00};

enum {
    SEGMENT_BYTES = 256, // examined together: enough that no column is zero by chance
    RUN_WORDS_MIN = 32,  // fewer words would not make up for the headers of a block
    BATCH_WORDS = 128,
    FAR_BYTES = 1 << RS_ZSTD_FAR_CODE, // a match is at least so far back, and nearer than twice that
    KEPT_BYTES = FAR_BYTES + 8 * (BATCH_WORDS + 1),
    MEMORY_BYTES = KEPT_BYTES + 3 * RS_ZSTD_BLOCK_BYTES, // what is kept is not moved for every block
    FAR_COUNT = RS_ZSTD_BLOCK_BYTES / 8,
    BLOCK_SPARE_BYTES = 32,
    ORIGIN = FAR_BYTES, // position of the first byte: an empty entry of the table, 0, is too far back
};

// Which bytes of a word may be other than 0, as bits; the longest run of zero bytes in this cycle, and the byte after it.
typedef struct shape {
    uint8_t columns;
    unsigned zeros;
    unsigned start;
} shape_t;

struct rs_zstd_writer {
    rs_sink_t sink;
    rs_status_t failed;
    uint64_t written;
    uint64_t position; // position of data[0], plus ORIGIN
    size_t fill;
    size_t raw; // data from here on are not written yet
    int last_is_8; // the decoder's last offset
    shape_t shape;
    uint64_t far_end;     // where the last run of words with two zero bytes ended,
    uint64_t far_next;    // and its next word to be noted
    uint64_t seen[256];   // position of the last word noted with this top byte, + 2^14 - 3
    uint16_t far[FAR_COUNT]; // extra bits of the offsets of a run's words, backwards
    uint8_t block[RS_ZSTD_BLOCK_BYTES + BLOCK_SPARE_BYTES];
    uint8_t *data; // into memory: what is to be written, KEPT_BYTES of what went before in front of it
    uint8_t memory[MEMORY_BYTES];
};

// ---- blocks --------------------------------------------------------------------------------------------------------------
static void put(rs_zstd_writer_t *writer, const uint8_t *data, size_t bytes) {
    if (writer->failed != RS_OK || bytes == 0) return;
    writer->failed = writer->sink.write(writer->sink.state, data, bytes);
    writer->written += bytes;
}

static void block_header(uint8_t *out, size_t bytes, unsigned type, unsigned last) {
    const uint32_t header = (uint32_t)bytes << 3 | type << 1 | last;
    for (unsigned i = 0; i < RS_ZSTD_BLOCK_HEADER_BYTES; i++) out[i] = (uint8_t)(header >> 8 * i);
}

// Writes what is left before data[end] uncompressed.
static void put_raw(rs_zstd_writer_t *writer, size_t end) {
    if (end > writer->raw) {
        uint8_t header[RS_ZSTD_BLOCK_HEADER_BYTES];
        block_header(header, end - writer->raw, RS_ZSTD_RAW, 0);
        put(writer, header, sizeof header);
        put(writer, writer->data + writer->raw, end - writer->raw);
    }
    writer->raw = end;
}

static void put_zeros(rs_zstd_writer_t *writer, size_t end) {
    uint8_t block[RS_ZSTD_BLOCK_HEADER_BYTES + 1] = {0};
    block_header(block, end - writer->raw, RS_ZSTD_RLE, 0);
    put(writer, block, sizeof block);
    writer->raw = end;
}

// The extra bits of the offsets, 14 each, the last word's first, as they stand. Returns the end of the stream.
static uint8_t *put_far(uint8_t *out, const uint16_t *far, size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4, out += 7) {
        uint64_t four;
        memcpy(&four, far + i, sizeof four);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        four = four << 48 | (four & 0xffff0000) << 16 | (four >> 16 & 0xffff0000) | four >> 48;
#endif
        const uint64_t two = (four & 0x0000ffff0000ffff) | (four & 0xffff0000ffff0000) >> 2;
        rs_store64(out, (two & 0xffffffff) | two >> 32 << 28);
    }
    uint64_t rest = 0;
    unsigned bits = 0;
    for (; i < count; i++, bits += RS_ZSTD_FAR_CODE) rest |= (uint64_t)far[i] << bits;
    rs_store64(out, rest | (uint64_t)1 << bits);
    return out + bits / 8 + 1;
}

// `count` words from data[raw] on as one block of sequences, `tail` bytes after them as its last literals.
static void put_words(rs_zstd_writer_t *writer, size_t count, unsigned literals, unsigned code, const uint16_t *far, size_t tail) {
    uint8_t *const body = writer->block + RS_ZSTD_BLOCK_HEADER_BYTES, *out = body;
    const uint8_t *data = writer->data + writer->raw;
    const uint32_t literal_bytes = (uint32_t)(literals * count + tail);
    // raw literals, their number in 12 or 20 bits
    const unsigned wide = literal_bytes >= 1 << 12;
    rs_store32(out, literal_bytes << 4 | (wide ? 3u : 1u) << 2);
    out += wide ? 3 : 2;
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++, data += 8, out += literals) rs_store64(out, rs_load64(data)); // the rest is written over
    memcpy(out, data, tail);
    out += tail;
    if (count < 128) {
        *out++ = (uint8_t)count;
    } else {
        *out++ = (uint8_t)(128 + (count >> 8));
        *out++ = (uint8_t)count;
    }
    *out++ = RS_ZSTD_MODES_RLE;
    *out++ = (uint8_t)literals;
    *out++ = (uint8_t)code;
    *out++ = (uint8_t)(8 - literals - RS_ZSTD_MATCH_BYTES_MIN);
    if (code == RS_ZSTD_FAR_CODE) {
        out = put_far(out, far, count);
    } else {
        *out++ = code == RS_ZSTD_EIGHT_CODE ? RS_ZSTD_EIGHT_BITS : 1;
    }
    block_header(writer->block, (size_t)(out - body), RS_ZSTD_COMPRESSED, 0);
    put(writer, writer->block, (size_t)(out - writer->block));
    writer->last_is_8 = code != RS_ZSTD_FAR_CODE;
    writer->raw += 8 * count + tail;
}

// ---- shapes --------------------------------------------------------------------------------------------------------------
static uint8_t columns_of(const uint8_t *data, size_t bytes) {
    uint64_t any = 0;
    for (size_t i = 0; i < bytes; i += 8) any |= rs_load64(data + i);
    uint8_t columns = 0;
    for (unsigned i = 0; i < 8; i++) columns |= (uint8_t)((any >> 8 * i & 0xff ? 1u : 0u) << i);
    return columns;
}

static shape_t shape_of(uint8_t columns) {
    shape_t shape = {columns, 0, 0};
    for (unsigned start = 0; start < 8; start++) {
        unsigned zeros = 0;
        while (zeros < 8 && !(columns >> ((start - 1 - zeros) & 7) & 1)) zeros++;
        if (zeros > shape.zeros) {
            shape.zeros = zeros;
            shape.start = start;
        }
    }
    return shape;
}

// Segments from data[at] on that have the same shape; notes it.
static size_t run_end(rs_zstd_writer_t *writer, size_t at) {
    const size_t whole = at + ((writer->fill - at) & ~(size_t)7);
    size_t end = at;
    uint8_t run = 0;
    while (end < whole) {
        const size_t bytes = whole - end < SEGMENT_BYTES ? whole - end : SEGMENT_BYTES;
        const uint8_t columns = columns_of(writer->data + end, bytes);
        if (end == at) {
            run = columns;
        } else if (bytes == SEGMENT_BYTES ? columns != run : (columns & ~run) != 0) { // a short one may have more zeros
            break;
        }
        end += bytes;
    }
    if (writer->shape.columns != run) writer->shape = shape_of(run);
    return end;
}

// Words whose top bytes, from `literals` on, are 0.
static void put_near(rs_zstd_writer_t *writer, size_t first, size_t end, unsigned literals) {
    size_t count = (end - first) / 8;
    // The first match is with the word before: it must exist, and end in as many zeros.
    const uint64_t before = rs_load64(writer->data + first - 8);
    if (writer->position + first < ORIGIN + 8 || before >> 8 * literals != 0) {
        first += 8;
        count--;
    }
    put_raw(writer, first);
    if (!writer->last_is_8) {
        put_words(writer, 1, literals, RS_ZSTD_EIGHT_CODE, NULL, 0);
        count--;
    }
    put_words(writer, count, literals, RS_ZSTD_REPEAT_CODE, NULL, 0);
}

// Words `from` to `end` of a run, all of them found; `tail` more bytes after them.
static void put_found(rs_zstd_writer_t *writer, size_t first, size_t from, size_t end, size_t tail) {
    if (end - from < RUN_WORDS_MIN) return; // stays raw
    put_raw(writer, first + 8 * from);
    put_words(writer, end - from, RS_ZSTD_FAR_LITERALS, RS_ZSTD_FAR_CODE, writer->far + FAR_COUNT - end, tail);
}

// Words with two zero bytes at the top. Blocks of them end after a word whose top byte was not seen in reach: it is literal.
static void put_far_run(rs_zstd_writer_t *writer, size_t first, size_t end) {
    const size_t count = (end - first) / 8;
    const uint8_t *const tops = writer->data + first + RS_ZSTD_FAR_LITERALS;
    const uint64_t position = writer->position + first;
    uint64_t *const seen = writer->seen;
    size_t from = 0; // first word that is in no block yet
    uint64_t next = writer->far_end == position ? writer->far_next : position;
    for (size_t i = 0; i < count; i += BATCH_WORDS) {
        const size_t batch_end = i + BATCH_WORDS < count ? i + BATCH_WORDS : count;
        const uint8_t *note = tops + (ptrdiff_t)(next - position);
#pragma GCC unroll 4
        for (; next + FAR_BYTES <= position + 8 * i; next += 8, note += 8) seen[*note] = next + FAR_BYTES - 3;
        uint64_t all = 0; // all extra bits; a word that is not found has more than 14
        uint16_t *far = writer->far + FAR_COUNT - 1 - i;
#pragma GCC unroll 4
        for (size_t j = i; j < batch_end; j++) {
            const uint64_t extra = position + 8 * j - seen[tops[8 * j]];
            *far-- = (uint16_t)extra;
            all |= extra;
        }
        if (all < FAR_BYTES) continue;
        for (size_t j = i; j < batch_end; j++) {
            if (position + 8 * j - seen[tops[8 * j]] < FAR_BYTES) continue;
            put_found(writer, first, from, j, 8);
            from = j + 1;
        }
    }
    put_found(writer, first, from, count, 0);
    writer->far_next = next;
    writer->far_end = position + 8 * count;
}

// Writes the data at hand, all but an incomplete word at the end.
static void encode(rs_zstd_writer_t *writer) {
    size_t at = 0;
    writer->raw = 0;
    while (writer->fill - at >= 8) {
        size_t end = run_end(writer, at);
        const unsigned zeros = writer->shape.zeros;
        const size_t first = at + writer->shape.start;
        if (zeros == 8) {
            put_raw(writer, at);
            put_zeros(writer, end);
        } else if (zeros >= 2 && end - at >= 8 * (RUN_WORDS_MIN + 2)) {
            end = first + ((end - first) & ~(size_t)7);
            if (zeros >= 3) {
                put_near(writer, first, end, 8 - zeros);
            } else {
                put_far_run(writer, first, end);
            }
        }
        at = end;
    }
    put_raw(writer, at);
    writer->position += at;
    writer->fill -= at;
    writer->data += at;
    if (writer->data + RS_ZSTD_BLOCK_BYTES > writer->memory + MEMORY_BYTES) {
        memmove(writer->memory, writer->data - KEPT_BYTES, KEPT_BYTES + writer->fill);
        writer->data = writer->memory + KEPT_BYTES;
    }
}

// ---- the frame -----------------------------------------------------------------------------------------------------------
rs_zstd_writer_t *rs_zstd_writer_new(const rs_sink_t *sink) {
    rs_zstd_writer_t *writer = malloc(sizeof *writer);
    if (!writer) return NULL;
    memset(writer, 0, offsetof(rs_zstd_writer_t, far)); // data are written before they are read
    memset(writer->memory, 0, KEPT_BYTES);
    writer->data = writer->memory + KEPT_BYTES;
    writer->sink = *sink;
    writer->position = ORIGIN;
    writer->shape = shape_of(0);
    put(writer, RS_ZSTD_MARK, RS_ZSTD_MARK_BYTES);
    return writer;
}

rs_status_t rs_zstd_writer_write(rs_zstd_writer_t *writer, const uint8_t *data, size_t bytes) {
    while (bytes > 0 && writer->failed == RS_OK) {
        const size_t room = RS_ZSTD_BLOCK_BYTES - writer->fill, part = bytes < room ? bytes : room;
        memcpy(writer->data + writer->fill, data, part);
        writer->fill += part;
        data += part;
        bytes -= part;
        if (writer->fill == RS_ZSTD_BLOCK_BYTES) encode(writer);
    }
    return writer->failed;
}

rs_status_t rs_zstd_writer_end(rs_zstd_writer_t *writer, uint64_t *frame_bytes) {
    uint8_t last[RS_ZSTD_BLOCK_HEADER_BYTES + 8];
    encode(writer);
    block_header(last, writer->fill, RS_ZSTD_RAW, 1);
    memcpy(last + RS_ZSTD_BLOCK_HEADER_BYTES, writer->data, writer->fill);
    put(writer, last, RS_ZSTD_BLOCK_HEADER_BYTES + writer->fill);
    *frame_bytes = writer->written;
    return writer->failed;
}

void rs_zstd_writer_free(rs_zstd_writer_t *writer) {
    if (writer) rs_zeroize(writer, sizeof *writer);
    free(writer);
}
