// SPDX-License-Identifier: Apache-2.0
// zstd frames of residues (src/host/zstd_words.h): libzstd is the oracle of what a frame says.
#include "requests.h"
#include "rs_test.h"
#include "zstd_frames.h"

enum { FRAME_HEADER_BYTES = 6, RAW_WORDS_BEFORE_FAR = 2048 };

// Both decoders give these bytes.
static void check_frame(const frame_t *frame, const uint8_t *data, size_t bytes) {
    uint8_t *out = allocate(bytes);
    const size_t theirs = ZSTD_decompress(out, bytes, frame->data, frame->bytes);
    if (!CHECK(!ZSTD_isError(theirs))) printf("%s\n", ZSTD_getErrorName(theirs));
    CHECK_EQ_U64(theirs, bytes);
    CHECK_EQ_MEM(out, data, bytes);
    static const size_t pieces[] = {1 << 20, 65536, 8191, 24};
    for (unsigned i = 0; i < 4; i++) {
        size_t got = 0;
        memset(out, 0xa5, bytes);
        CHECK_OK(decode_frame(frame, frame->bytes, pieces[i], out, bytes, &got));
        CHECK_EQ_U64(got, bytes);
        CHECK_EQ_MEM(out, data, bytes);
    }
    free(out);
}

static void round_trip(const uint8_t *data, size_t bytes) {
    static const size_t pieces[] = {1 << 20, 4099, 8};
    frame_t first = encode_frame(data, bytes, bytes + 1);
    CHECK(first.bytes <= frame_bound(bytes));
    check_frame(&first, data, bytes);
    for (unsigned i = 0; i < 3; i++) {
        frame_t again = encode_frame(data, bytes, pieces[i]);
        CHECK_EQ_U64(again.bytes, first.bytes);
        if (again.bytes == first.bytes) CHECK_EQ_MEM(again.data, first.data, first.bytes);
        free(again.data);
    }
    free(first.data);
}

RS_TEST(words_of_every_width) {
    for (unsigned bits = 0; bits <= 64; bits++) {
        for (size_t prefix = 0; prefix < 11; prefix += 5) {
            const size_t bytes = 70000 + 13 * bits;
            uint8_t *data = make_words(bytes, prefix, bits);
            round_trip(data, bytes);
            free(data);
        }
    }
}

RS_TEST(sizes_around_the_borders) {
    static const unsigned bits[] = {0, 20, 30, 48, 60};
    static const size_t centres[] = {0, 16, 256, 264, 272, 288, 512, 16384, 16384 + 256, 32768, 49152 + 272};
    for (unsigned i = 0; i < 5; i++) {
        for (unsigned j = 0; j < sizeof centres / sizeof *centres; j++) {
            for (size_t bytes = centres[j] > 9 ? centres[j] - 9 : 0; bytes < centres[j] + 10; bytes++) {
                uint8_t *data = make_words(bytes, 3 * (bytes % 2), bits[i]);
                round_trip(data, bytes);
                free(data);
            }
        }
    }
}

// Limbs of several widths behind one another, random lengths of bytes between some of them.
RS_TEST(mixtures) {
    static const unsigned bits[] = {60, 48, 48, 30, 20, 0, 48, 8, 38, 64, 27, 1, 56, 48};
    for (unsigned round = 0; round < 60; round++) {
        uint8_t *data = allocate(1 << 19);
        size_t bytes = 0;
        const unsigned limbs = 2 + (unsigned)(random64() >> 40) % 12;
        for (unsigned i = 0; i < limbs; i++) {
            const size_t prefix = random64() >> 63 ? (random64() >> 40) % 100 : 0, words = (random64() >> 40) % 4200;
            uint8_t *limb = make_words(prefix + 8 * words, prefix, bits[(random64() >> 40) % 14]);
            memcpy(data + bytes, limb, prefix + 8 * words);
            bytes += prefix + 8 * words;
            free(limb);
        }
        round_trip(data, bytes);
        free(data);
    }
}

// 48-bit words whose top bytes come back seldom, often, or only just out of reach.
RS_TEST(rare_top_bytes) {
    static const unsigned periods[] = {1, 2, 31, 32, 33, 255, 2047, 2048, 2049, 4095, 4096, 4097, 70000};
    enum { WORDS = 30000 };
    uint8_t *data = make_words(8 * WORDS, 0, 48);
    for (unsigned i = 0; i < sizeof periods / sizeof *periods; i++) {
        for (unsigned j = 0; j < WORDS; j++) data[8 * j + 5] = (uint8_t)(j % periods[i] ? 1 + j % 2 : 3 + j / periods[i] % 253);
        round_trip(data, 8 * WORDS);
        for (unsigned j = 0; j < WORDS; j++) data[8 * j + 5] = (uint8_t)(j / periods[i]);
        round_trip(data, 8 * WORDS);
    }
    free(data);
}

RS_TEST(sizes_reached) {
    static const struct {
        unsigned bits, percent; // bits of a residue, and percent of the plain bytes
    } cases[] = {{0, 1}, {20, 38}, {30, 51}, {40, 63}, {48, 86}, {60, 101}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum { BYTES = 1 << 19 };
        uint8_t *data = make_words(89 + BYTES, 89, cases[i].bits);
        frame_t frame = encode_frame(data, 89 + BYTES, BYTES);
        CHECK(100 * frame.bytes <= (size_t)cases[i].percent * BYTES + 100 * 512);
        free(frame.data);
        free(data);
    }
}

// ---- damage --------------------------------------------------------------------------------------------------------------
// Two shapes of words, raw blocks, zeros; large enough for words found far back.
static uint8_t *sample(size_t *bytes) {
    enum { NEAR = 89 + 8 * 300, FAR = 8 * 2900, ZEROS = 400 };
    *bytes = NEAR + FAR + ZEROS + 81;
    uint8_t *near = make_words(NEAR, 89, 30), *far = make_words(FAR, 0, 48), *data = make_words(*bytes, *bytes, 0);
    memcpy(data, near, NEAR);
    memcpy(data + NEAR, far, FAR);
    memset(data + NEAR + FAR, 0, ZEROS);
    free(near);
    free(far);
    return data;
}

// What our reader accepts, libzstd accepts, too, with the same bytes. Returns whether it was accepted.
static int agree(const frame_t *frame) {
    enum { ROOM = 1 << 17 };
    static uint8_t ours[ROOM], theirs[ROOM];
    size_t got = 0;
    const rs_status_t status = decode_frame(frame, frame->bytes, 5000, ours, ROOM, &got);
    if (status != RS_OK) {
        CHECK(status == RS_ERR_CODEC || status == RS_ERR_TRAILING);
        return 0;
    }
    const size_t count = libzstd_decode(frame, theirs, ROOM);
    CHECK_EQ_U64(count, got);
    if (count == got) CHECK_EQ_MEM(ours, theirs, got);
    return 1;
}

RS_TEST(bit_flips) {
    size_t bytes = 0;
    uint8_t *data = sample(&bytes);
    frame_t frame = encode_frame(data, bytes, bytes);
    unsigned accepted = 0, refused = 0;
    for (unsigned i = 0; i < 12000; i++) {
        // every bit of the first bytes, with the small blocks' headers, then any
        const size_t bit = i < 8 * 160 ? i : (size_t)(random64() >> 8) % (8 * frame.bytes);
        frame.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (agree(&frame)) {
            accepted++;
        } else {
            refused++;
        }
        frame.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    CHECK(accepted > 1000); // literals
    CHECK(refused > 100);   // headers
    free(frame.data);
    free(data);
}

RS_TEST(truncation) {
    size_t bytes = 0, got = 0;
    uint8_t *data = sample(&bytes), *out = allocate(bytes + 1);
    frame_t frame = encode_frame(data, bytes, bytes);
    for (size_t cut = 0; cut < frame.bytes; cut += cut < 300 || cut + 100 > frame.bytes ? 1 : 37) {
        const frame_t part = {frame.data, cut};
        // the object promised more than the source has; the object ends too early
        CHECK_STATUS(decode_frame(&part, frame.bytes, 5000, out, bytes + 1, &got), RS_ERR_TRUNCATED);
        if (got) CHECK_EQ_MEM(out, data, got);
        if (cut) CHECK_STATUS(decode_frame(&part, cut, 5000, out, bytes + 1, &got), RS_ERR_CODEC);
    }
    // bytes behind the frame, and bytes that nobody asked for
    frame_t longer = {allocate(frame.bytes + 1), frame.bytes + 1};
    memcpy(longer.data, frame.data, frame.bytes);
    longer.data[frame.bytes] = 0;
    CHECK_STATUS(decode_frame(&longer, longer.bytes, 5000, out, bytes + 1, &got), RS_ERR_TRAILING);
    CHECK_STATUS(decode_frame(&frame, frame.bytes, 5000, out, bytes - 1, &got), RS_ERR_TRAILING);
    free(longer.data);
    free(frame.data);
    free(data);
    free(out);
}

// Without its first block, of raw words, a frame's matches begin before the frame.
RS_TEST(matches_before_the_frame) {
    enum { WORDS = 2 * RAW_WORDS_BEFORE_FAR };
    uint8_t *data = make_words(8 * WORDS, 0, 48);
    frame_t frame = encode_frame(data, 8 * WORDS, 8 * WORDS);
    const uint8_t *block = frame.data + RS_ZSTD_MARK_BYTES;
    const size_t bytes = ((size_t)block[2] << 16 | (size_t)block[1] << 8 | block[0]) >> 3;
    REQUIRE((block[0] >> 1 & 3) == RS_ZSTD_RAW && bytes == 8 * RAW_WORDS_BEFORE_FAR);
    const size_t cut = RS_ZSTD_BLOCK_HEADER_BYTES + bytes;
    // some words before the frame, not all
    for (size_t kept = 0; kept < bytes; kept += 1024) {
        frame_t less = {allocate(frame.bytes), 0};
        memcpy(less.data, frame.data, RS_ZSTD_MARK_BYTES);
        uint8_t *out = less.data + RS_ZSTD_MARK_BYTES;
        for (unsigned i = 0; i < RS_ZSTD_BLOCK_HEADER_BYTES; i++) *out++ = (uint8_t)(kept << 3 >> 8 * i);
        memcpy(out, block + RS_ZSTD_BLOCK_HEADER_BYTES + bytes - kept, kept);
        out += kept;
        memcpy(out, block + cut, frame.bytes - RS_ZSTD_MARK_BYTES - cut);
        less.bytes = frame.bytes - (bytes - kept);
        const int ours = agree(&less);
        static uint8_t theirs[1 << 17];
        const int accepted = libzstd_decode(&less, theirs, sizeof theirs) != SIZE_MAX;
        CHECK_EQ_U64(ours, accepted);
        if (kept == 0) CHECK(!ours);
        free(less.data);
    }
    free(frame.data);
    free(data);
}

static size_t put_block(uint8_t *out, unsigned type, const uint8_t *body, size_t bytes) {
    for (unsigned i = 0; i < RS_ZSTD_BLOCK_HEADER_BYTES; i++) out[i] = (uint8_t)((bytes << 3 | type << 1) >> 8 * i);
    memcpy(out + RS_ZSTD_BLOCK_HEADER_BYTES, body, bytes);
    return RS_ZSTD_BLOCK_HEADER_BYTES + bytes;
}

// A block of one word, with two literals behind it: each field is changed to what the writer never writes.
RS_TEST(fields_of_a_block) {
    enum { BEFORE = RS_ZSTD_BLOCK_BYTES, FAR = 0, EIGHT, REPEAT, KINDS };
    static const struct {
        size_t bytes;
        uint8_t body[16];
    } blocks[KINDS] = {
        {15, {7 << 4 | 4, 0, 1, 2, 3, 4, 5, 6, 7, 1, 0x54, 5, 14, 0, 3}}, // and a last byte of bits
        {13, {6 << 4 | 4, 0, 1, 2, 3, 4, 5, 6, 1, 0x54, 4, 3, 1}},
        {13, {6 << 4 | 4, 0, 1, 2, 3, 4, 5, 6, 1, 0x54, 4, 0, 1}},
    };
    static const uint8_t last_byte[KINDS] = {0x40, 0x0b, 1};
    static const struct {
        unsigned kind, at; // byte of the block's body
        uint8_t value;
    } changes[] = {
        {FAR, 0, 7 << 4 | 5},      // literals all alike
        {FAR, 0, 7 << 4},          // their number in five bits
        {FAR, 0, 4 << 4 | 4},      // fewer than the word needs
        {FAR, 0, 15 << 4 | 4},     // more than there are
        {FAR, 9, 0},               // no sequence
        {FAR, 9, 2},               // two
        {FAR, 9, 129},             // a count of two bytes
        {FAR, 9, 255},             // a count of three
        {FAR, 10, 0x55},           // a reserved mode
        {FAR, 10, 0x50},           // predefined match lengths
        {FAR, 11, 4},              // literals
        {FAR, 12, 13},             // offset
        {FAR, 13, 1},              // match
        {FAR, 15, 0x81},           // one bit too many
        {FAR, 15, 0x21},           // too few
        {FAR, 15, 0x00},           // no end
        {EIGHT, 8, 2},             // sequences
        {EIGHT, 13, 0x0a},         // offset 7
        {EIGHT, 13, 0x1b},         // one bit too many
        {EIGHT, 10, 5},            // a word of 9 bytes
        {REPEAT, 13, 0},           // no end
        {REPEAT, 13, 3},           // one bit too many
    };
    uint8_t *before = make_words(BEFORE, 0, 48);
    frame_t frame = {allocate(BEFORE + 200), 0};
    uint8_t body[17];
    static const unsigned orders[][3] = {{FAR, EIGHT, REPEAT},     {EIGHT, REPEAT, FAR}, {EIGHT, REPEAT, REPEAT},
                                         {REPEAT, REPEAT, REPEAT}, {EIGHT, FAR, REPEAT}, {FAR, FAR, REPEAT}};
    for (unsigned i = 0; i < 6; i++) {
        for (unsigned c = 0; c <= sizeof changes / sizeof *changes; c++) {
            const int changed = c < sizeof changes / sizeof *changes;
            memcpy(frame.data, RS_ZSTD_MARK, RS_ZSTD_MARK_BYTES);
            frame.bytes = RS_ZSTD_MARK_BYTES;
            frame.bytes += put_block(frame.data + frame.bytes, RS_ZSTD_RAW, before, BEFORE);
            unsigned touched = 0;
            for (unsigned j = 0; j < 3; j++) {
                const unsigned kind = orders[i][j];
                memcpy(body, blocks[kind].body, blocks[kind].bytes);
                body[blocks[kind].bytes] = last_byte[kind];
                if (changed && changes[c].kind == kind) {
                    body[changes[c].at] = changes[c].value;
                    touched++;
                }
                frame.bytes += put_block(frame.data + frame.bytes, RS_ZSTD_COMPRESSED, body, blocks[kind].bytes + 1);
            }
            const uint8_t end[RS_ZSTD_BLOCK_HEADER_BYTES] = {1, 0, 0};
            memcpy(frame.data + frame.bytes, end, sizeof end);
            frame.bytes += sizeof end;
            // an offset is repeated only where it is 8
            CHECK_EQ_U64(agree(&frame), i < 3 && touched == 0);
        }
    }
    free(frame.data);
    free(before);
}

// Blocks of libzstd behind our mark are refused; the same frame without the mark is not ours.
RS_TEST(blocks_of_others) {
    enum { BYTES = 4000, ROOM = 8000 };
    uint8_t *data = make_words(BYTES, 0, 20), *out = allocate(ROOM);
    frame_t frame = {allocate(ROOM), 0}, marked = {allocate(ROOM), 0};
    ZSTD_CCtx *compressor = ZSTD_createCCtx();
    if (!compressor) abort();
    ZSTD_CCtx_setParameter(compressor, ZSTD_c_contentSizeFlag, 0);
    frame.bytes = ZSTD_compress2(compressor, frame.data, ROOM, data, BYTES);
    ZSTD_freeCCtx(compressor);
    size_t got = 0;
    REQUIRE(!ZSTD_isError(frame.bytes) && frame.data[4] == 0); // magic number, no optional fields, window
    CHECK_OK(decode_frame(&frame, frame.bytes, 100, out, BYTES, &got));
    CHECK_EQ_MEM(out, data, BYTES);
    memcpy(marked.data, RS_ZSTD_MARK, RS_ZSTD_MARK_BYTES);
    memcpy(marked.data + RS_ZSTD_MARK_BYTES, frame.data + FRAME_HEADER_BYTES, frame.bytes - FRAME_HEADER_BYTES);
    marked.bytes = frame.bytes - FRAME_HEADER_BYTES + RS_ZSTD_MARK_BYTES;
    CHECK_EQ_U64(ZSTD_decompress(out, ROOM, marked.data, marked.bytes), BYTES);
    CHECK_STATUS(decode_frame(&marked, marked.bytes, 100, out, BYTES, &got), RS_ERR_CODEC);
    free(frame.data);
    free(marked.data);
    free(data);
    free(out);
}

// ---- which objects -------------------------------------------------------------------------------------------------------
// A seeded ciphertext (or the secret key) of zeros for that chain; whether its frame is ours.
static int is_marked(const uint32_t *bits, uint32_t limbs, int secret, rs_compression_t compression, int level) {
    enum { N = 1024, CAPACITY = 1 << 16 };
    static uint8_t file[CAPACITY];
    static uint64_t words[3 * N];
    rs_params_t params;
    const rs_context_t *context;
    CHECK_OK(params_of_bits(&params, N, bits, limbs));
    void *memory = allocate(rs_context_size(&params));
    CHECK_OK(context_in(&context, memory, rs_context_size(&params), &params));
    rs_sink_t sink;
    rs_memory_sink_t state_of_sink;
    rs_wire_write_request_t request = {.size = sizeof request, .context = context, .sink = &sink};
    request.format = (rs_wire_format_t){.compression = compression, .level = level, .codec = rs_host_codec()};
    rs_sink_to_memory(&sink, &state_of_sink, file, CAPACITY);
    if (secret) {
        rs_secret_key_t key = {.ntt = words};
        memcpy(key.parms_id, rs_context_parms_id(context, limbs), RS_PARMS_ID_BYTES);
        request.kind = RS_WIRE_SECRET_KEY;
        request.secret_key = &key;
        CHECK_OK(rs_wire_write_secret_key(&request));
    } else {
        rs_ciphertext_t ciphertext = {.poly_count = 2, .limb_count = limbs, .seeded = 1, .scale = 1, .data = words};
        ciphertext.seed_type = RS_SEED_SHAKE256;
        memcpy(ciphertext.parms_id, rs_context_parms_id(context, limbs), RS_PARMS_ID_BYTES);
        request.kind = RS_WIRE_PUBLIC_KEY;
        request.ciphertext = &ciphertext;
        CHECK_OK(rs_wire_write(&request));
    }
    free(memory);
    return memcmp(file + 16, RS_ZSTD_MARK, RS_ZSTD_MARK_BYTES) == 0;
}

RS_TEST(objects_that_are_written_so) {
    static const uint32_t suits[] = {60, 48, 20}, not_quite[] = {60, 50, 20};
    CHECK(is_marked(suits, 3, 0, RS_COMPRESSION_ZSTD, 0));
    CHECK(!is_marked(suits, 3, 0, RS_COMPRESSION_ZSTD, 3)); // asked for
    CHECK(!is_marked(suits, 3, 0, RS_COMPRESSION_ZLIB, 0));
    CHECK(!is_marked(suits, 3, 1, RS_COMPRESSION_ZSTD, 0)); // secret
    CHECK(!is_marked(not_quite, 3, 0, RS_COMPRESSION_ZSTD, 0));
}
