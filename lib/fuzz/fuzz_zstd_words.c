// SPDX-License-Identifier: Apache-2.0
// zstd frames of residues: what our reader accepts must be what libzstd makes of it.
//
// Input: one control byte, bits 0-1: 0 or 1 a frame without its mark, or a SEAL file with such a frame; 2 any data, which must come
// back; 3 a recipe: four limbs (bits, 2 bytes of length, length of bytes before it), then damage (3 bytes of position, 1 byte that
// flips bits) of the frame that they make.
#include "zstd_frames.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 1 << 20, FILE_HEADER_BYTES = 16, LIMBS = 4, LIMB_WORDS_MAX = 4096 };

static uint8_t ours[ROOM], theirs[ROOM];

// At most ROOM bytes: a longer one is left alone.
static void compare(const frame_t *frame) {
    size_t got = 0;
    if (decode_frame(frame, frame->bytes, 5000, ours, ROOM, &got) != RS_OK) return;
    if (libzstd_decode(frame, theirs, ROOM) != got || memcmp(ours, theirs, got) != 0) abort();
}

static void there_and_back(const uint8_t *data, size_t bytes, size_t piece) {
    size_t got = 0;
    frame_t frame = encode_frame(data, bytes, piece);
    if (decode_frame(&frame, frame.bytes, piece, ours, bytes, &got) != RS_OK || got != bytes || memcmp(ours, data, bytes) != 0)
        abort();
    if (libzstd_decode(&frame, theirs, bytes) != bytes || memcmp(theirs, data, bytes) != 0) abort();
    free(frame.data);
}

static void recipe(const uint8_t *data, size_t size) {
    static uint8_t plain[LIMBS * (8 * LIMB_WORDS_MAX + 16)];
    size_t bytes = 0;
    if (size < 4 * LIMBS) return;
    for (unsigned i = 0; i < LIMBS; i++, data += 4, size -= 4) {
        const size_t words = (data[1] | (size_t)data[2] << 8) % (LIMB_WORDS_MAX + 1), prefix = data[3] % 16;
        uint8_t *limb = make_words(prefix + 8 * words, prefix, data[0] % 65);
        memcpy(plain + bytes, limb, prefix + 8 * words);
        bytes += prefix + 8 * words;
        free(limb);
    }
    there_and_back(plain, bytes, 4096);
    frame_t frame = encode_frame(plain, bytes, 8192);
    for (; size >= 4; data += 4, size -= 4) {
        frame.data[(data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16) % frame.bytes] ^= data[3];
    }
    compare(&frame);
    free(frame.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 || size > ROOM / 2) return 0;
    const unsigned mode = data[0] & 3;
    data++;
    size--;
    random_state = 1; // an input means the same every time
    if (mode == 3) {
        recipe(data, size);
    } else if (mode == 2) {
        there_and_back(data, size, 1 + size / 3);
    } else {
        if (size > FILE_HEADER_BYTES + RS_ZSTD_MARK_BYTES &&
            memcmp(data + FILE_HEADER_BYTES, RS_ZSTD_MARK, RS_ZSTD_MARK_BYTES) == 0) {
            data += FILE_HEADER_BYTES + RS_ZSTD_MARK_BYTES;
            size -= FILE_HEADER_BYTES + RS_ZSTD_MARK_BYTES;
        }
        frame_t frame = {allocate(RS_ZSTD_MARK_BYTES + size), RS_ZSTD_MARK_BYTES + size};
        memcpy(frame.data, RS_ZSTD_MARK, RS_ZSTD_MARK_BYTES);
        memcpy(frame.data + RS_ZSTD_MARK_BYTES, data, size);
        compare(&frame);
        free(frame.data);
    }
    return 0;
}
