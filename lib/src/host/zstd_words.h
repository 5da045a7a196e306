// SPDX-License-Identifier: Apache-2.0
// zstd frames (RFC 8878) of 64-bit residues, written and read without searching for matches.
//
// Residues are little-endian words whose top bytes are 0. Their columns of zero bytes are found by OR, and a word becomes one
// sequence: L literals, then a match of 8 - L bytes. All sequences of a block have the same lengths and the same offset code, so the
// three codes are in RLE mode and only the offset's extra bits are left:
//   3 zero bytes or more (moduli to 40 bits)  L = the other bytes, offset 8 as repeated offset: no bits at all
//   2 zero bytes (to 48 bits)                 L = 5, the match is "top byte, 0, 0" of a word 2048 to 4095 words back: 14 bits
//   otherwise                                 a raw block
// Any zstd decoder reads such a frame. It begins with an empty raw block that other encoders do not write: by this mark the reader
// knows that it can decode the frame alone. A frame with the mark and a block of another kind is refused.
// For public data only: offsets come from a table that is indexed by bytes of the words.
#ifndef RINGSIDE_ZSTD_WORDS_H
#define RINGSIDE_ZSTD_WORDS_H

#include <ringside/wire.h>

enum {
    RS_ZSTD_MARK_BYTES = 9, // magic number, no optional fields, window of 2^17 bytes, empty raw block
    RS_ZSTD_BLOCK_BYTES = 16384, // most that a block of ours holds, decoded
    RS_ZSTD_BLOCK_HEADER_BYTES = 3,
    RS_ZSTD_RAW = 0,
    RS_ZSTD_RLE = 1,
    RS_ZSTD_COMPRESSED = 2,
    RS_ZSTD_MODES_RLE = 0x54, // modes of literal lengths, offsets, match lengths
    RS_ZSTD_MATCH_BYTES_MIN = 3, // match length code 0
    RS_ZSTD_REPEAT_CODE = 0, // offset value 1: the last offset again
    RS_ZSTD_EIGHT_CODE = 3, // offset value 8 + 3 = 2^3 + 3,
    RS_ZSTD_EIGHT_BITS = 0x0b, // its 3 extra bits behind the bit that ends the stream
    RS_ZSTD_FAR_CODE = 14, // offset + 3 is 2^14 + 14 extra bits
    RS_ZSTD_FAR_LITERALS = 5,
};

extern const uint8_t RS_ZSTD_MARK[RS_ZSTD_MARK_BYTES];

typedef struct rs_zstd_writer rs_zstd_writer_t;
rs_zstd_writer_t *rs_zstd_writer_new(const rs_sink_t *sink); // NULL: no memory
// The bytes of the frame do not depend on how the data are cut into pieces.
rs_status_t rs_zstd_writer_write(rs_zstd_writer_t *writer, const uint8_t *data, size_t bytes);
rs_status_t rs_zstd_writer_end(rs_zstd_writer_t *writer, uint64_t *frame_bytes);
void rs_zstd_writer_free(rs_zstd_writer_t *writer);

typedef struct rs_zstd_reader rs_zstd_reader_t;
// source: what follows the mark. It gives what it is asked for or an error.
rs_zstd_reader_t *rs_zstd_reader_new(const rs_source_t *source);
// *got < bytes only at the end of the frame, *ended tells. RS_ERR_CODEC for a block that the writer does not write.
rs_status_t rs_zstd_reader_read(rs_zstd_reader_t *reader, uint8_t *out, size_t bytes, size_t *got, int *ended);
void rs_zstd_reader_free(rs_zstd_reader_t *reader);

#endif
