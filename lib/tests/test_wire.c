// SPDX-License-Identifier: Apache-2.0
// Wire format: layout byte by byte, round trips, and a hostile corpus made in code.
// Oracle of the layout: the byte builder below, written from docs/wire-format.md, and one file that SEAL 4.3 wrote.
#define _GNU_SOURCE
#include "rs_test.h"
#include "wire_samples.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

static const rs_compression_t compressions[] = {RS_COMPRESSION_NONE, RS_COMPRESSION_ZLIB, RS_COMPRESSION_ZSTD};
static const uint8_t versions[][2] = {{3, 6}, {3, 7}, {4, 0}, {4, 1}, {4, 2}, {4, 3}, {4, 4}};
enum { COMPRESSION_COUNT = 3, VERSION_COUNT = 7 };
static const rs_wire_format_t PLAIN = {.version = 0x306};

#define EACH(c, sample)                         \
    for (int c = 0; c < COMPRESSION_COUNT; c++) \
        for (sample_t sample = 0; sample < SAMPLE_COUNT; sample++)

static void *allocate(size_t bytes) { return rs_test_own(malloc(bytes)); }

// ---- files in memory -----------------------------------------------------------------------------------------------------
typedef struct file {
    uint8_t *data;
    size_t bytes;
} file_t;

// A sink that writes to memory, with its state.
typedef struct into {
    rs_sink_t sink;
    rs_memory_sink_t memory;
} into_t;

static const rs_sink_t *write_to(into_t *into, uint8_t *data, size_t room) {
    rs_sink_to_memory(&into->sink, &into->memory, data, room);
    return &into->sink;
}

// A source that reads from memory, with its state and a reader that is open.
typedef struct from {
    rs_source_t source;
    rs_memory_source_t memory;
    rs_wire_reader_t reader;
} from_t;

static rs_wire_reader_t *read_from(from_t *from, const uint8_t *data, size_t bytes) {
    rs_source_from_memory(&from->source, &from->memory, data, bytes);
    CHECK_OK(rs_wire_open(&from->reader, &from->source, rs_host_codec()));
    return &from->reader;
}

static rs_status_t begin_as(rs_wire_reader_t *reader, const rs_context_t *context, uint32_t kind, rs_ciphertext_t *to) {
    return rs_wire_read_begin(reader, context, RS_REQUEST(rs_wire_target_t, .kind = kind, .ciphertext = to));
}

static rs_status_t words_as(rs_wire_reader_t *reader, uint32_t kind, rs_ciphertext_t *to) {
    return rs_wire_read_words(reader, RS_REQUEST(rs_wire_target_t, .kind = kind, .ciphertext = to));
}

// With room for a byte more.
static file_t make(sample_t sample, const rs_wire_format_t *format) {
    static uint8_t data[SAMPLE_CAPACITY];
    into_t into;
    CHECK_OK(sample_write(sample, write_to(&into, data, sizeof data), format));
    return (file_t){memcpy(allocate(into.memory.bytes + 1), data, into.memory.bytes), into.memory.bytes};
}

static int same(const uint8_t *data, size_t bytes, const file_t *want) {
    return bytes == want->bytes && memcmp(data, want->data, bytes) == 0;
}

static file_t make_as(sample_t sample, uint8_t major, uint8_t minor, rs_compression_t compression) {
    const rs_wire_format_t format = sample_format(major, minor, compression);
    return make(sample, &format);
}

// In an array of exactly its size, so that reading beyond it is caught.
static rs_status_t read_exact(rs_wire_kind_t kind, const uint8_t *data, size_t bytes, const rs_sink_t *sink,
                              const rs_wire_format_t *format) {
    uint8_t *exact = malloc(bytes ? bytes : 1);
    if (!exact) abort();
    memcpy(exact, data, bytes);
    const rs_status_t status = read_file_as(kind, exact, bytes, rs_host_codec(), sink, format);
    free(exact);
    return status;
}

static rs_status_t read_file(rs_wire_kind_t kind, const file_t *file) {
    return read_exact(kind, file->data, file->bytes, NULL, NULL);
}

static rs_status_t convert(const uint8_t *data, size_t bytes, const rs_codec_t *codec, const rs_sink_t *sink,
                           const rs_wire_format_t *format) {
    _Alignas(8) static uint8_t buffer[4096];
    rs_source_t source;
    rs_memory_source_t memory;
    rs_wire_reader_t reader;
    rs_source_from_memory(&source, &memory, data, bytes);
    rs_status_t status = rs_wire_open(&reader, &source, codec);
    if (status == RS_OK) status = rs_wire_convert(&reader, sink, format, (rs_memory_t){buffer, sizeof buffer});
    const rs_status_t closed = rs_wire_close(&reader, 1);
    return status == RS_OK ? closed : status;
}

static rs_status_t write_params(const rs_sink_t *sink, const rs_wire_format_t *format, const rs_params_t *params) {
    return rs_wire_write(
        RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_PARAMS, .sink = sink, .format = *format, .params = params));
}

static rs_status_t write_plaintext(const rs_sink_t *sink, const rs_wire_format_t *format, const rs_plaintext_t *plaintext,
                                   rs_memory_t workspace) {
    rs_wire_write_request_t request = sample_request(RS_WIRE_PLAINTEXT, sink, format);
    request.plaintext = plaintext;
    request.workspace = workspace;
    return rs_wire_write(&request);
}

static rs_status_t write_ciphertext(const rs_sink_t *sink, const rs_wire_format_t *format, rs_wire_kind_t kind,
                                    const rs_ciphertext_t *ciphertext) {
    rs_wire_write_request_t request = sample_request(kind, sink, format);
    request.ciphertext = ciphertext;
    return rs_wire_write(&request);
}

// ---- an independent byte builder -----------------------------------------------------------------------------------------
typedef struct bytes {
    uint8_t data[SAMPLE_CAPACITY];
    size_t count;
} bytes_t;

static void put_le(bytes_t *out, uint64_t value, int width) {
    for (int i = 0; i < width; i++) out->data[out->count++] = (uint8_t)(value >> 8 * i);
}

static void put_raw(bytes_t *out, const uint8_t *data, size_t count) {
    for (size_t i = 0; i < count; i++) out->data[out->count++] = data[i];
}

static void put_double(bytes_t *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    put_le(out, bits, 8);
}

static void put_header(bytes_t *out, int major, int minor, uint64_t size) {
    put_le(out, 0xA15E, 2);
    put_le(out, 0x10, 1);
    put_le(out, (uint64_t)major, 1);
    put_le(out, (uint64_t)minor, 1);
    put_le(out, 0, 1);
    put_le(out, 0, 2);
    put_le(out, size, 8);
}

static void put_array(bytes_t *out, int major, int minor, const uint64_t *words, uint64_t count) {
    put_header(out, major, minor, 24 + 8 * count);
    put_le(out, count, 8);
    for (uint64_t i = 0; i < count; i++) put_le(out, words[i], 8);
}

static void put_ciphertext(bytes_t *out, int major, int minor, const rs_ciphertext_t *x) {
    const uint64_t words = (uint64_t)(x->seeded ? 1 : x->poly_count) * x->limb_count * SAMPLE_N;
    put_header(out, major, minor, 16 + 65 + (major == 4 ? 8u : 0u) + 24 + 8 * words + (x->seeded ? 81u : 0u));
    put_raw(out, x->parms_id, 32);
    put_le(out, 1, 1);
    put_le(out, x->poly_count, 8);
    put_le(out, SAMPLE_N, 8);
    put_le(out, x->limb_count, 8);
    put_double(out, x->scale);
    if (major == 4) put_le(out, 1, 8);
    put_array(out, major, minor, x->data, words);
    if (!x->seeded) return;
    put_header(out, major, minor, 81);
    put_le(out, (uint64_t)x->seed_type, 1);
    put_raw(out, x->seed.bytes, 64);
}

static void check_built(sample_t sample, int major, int minor, const bytes_t *want) {
    file_t file = make_as(sample, (uint8_t)major, (uint8_t)minor, RS_COMPRESSION_NONE);
    CHECK_EQ_U64(file.bytes, want->count);
    if (file.bytes == want->count) CHECK_EQ_MEM(file.data, want->data, want->count);
}

RS_TEST(layout_params) {
    static bytes_t want;
    const rs_params_t params = sample_params();
    for (int major = 3; major <= 4; major++) {
        want.count = 0;
        put_header(&want, major, 6 - 6 * (major - 3), 16 + 17 + 24 * 4);
        const int minor = major == 3 ? 6 : 0;
        put_le(&want, 2, 1);
        put_le(&want, SAMPLE_N, 8);
        put_le(&want, 3, 8);
        for (int i = 0; i < 4; i++) {
            put_header(&want, major, minor, 24);
            put_le(&want, i < 3 ? params.moduli[i] : 0, 8);
        }
        check_built(SAMPLE_PARAMS, major, minor, &want);
        CHECK_EQ_U64(rs_wire_bytes(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_PARAMS, .params = &params)), want.count);
    }
}

RS_TEST(layout_plaintext_and_secret_key) {
    static bytes_t want;
    for (int key = 0; key < 2; key++) {
        const uint32_t limbs = key ? SAMPLE_LIMBS : SAMPLE_DATA_LIMBS;
        uint64_t *words = sample_words(1, limbs, key ? 5 : 3);
        want.count = 0;
        put_header(&want, 4, 1, 16 + 48 + 24 + 8 * limbs * SAMPLE_N);
        put_raw(&want, rs_context_parms_id(sample_context(), limbs), 32);
        put_le(&want, limbs * SAMPLE_N, 8);
        put_double(&want, key ? 1.0 : 1048576.0);
        put_array(&want, 4, 1, words, limbs * SAMPLE_N);
        check_built(key ? SAMPLE_SECRET_KEY : SAMPLE_PLAINTEXT, 4, 1, &want);
        const rs_plaintext_t plaintext = {.limb_count = limbs};
        const rs_secret_key_t secret = {.ntt = NULL};
        rs_wire_write_request_t request = {.size = sizeof request, .kind = key ? RS_WIRE_SECRET_KEY : RS_WIRE_PLAINTEXT};
        const rs_params_t params = sample_params(); // in place of a context
        request.params = &params;
        CHECK_EQ_U64(rs_wire_bytes(&request), 0);
        request.plaintext = &plaintext;
        request.secret_key = &secret;
        CHECK_EQ_U64(rs_wire_bytes(&request), want.count);
        free(words);
    }
}

RS_TEST(layout_ciphertext) {
    static bytes_t want;
    for (int major = 3; major <= 4; major++) {
        const int minor = major == 3 ? 7 : 4;
        for (uint32_t seeded = 0; seeded < 2; seeded++) {
            rs_ciphertext_t x = sample_ciphertext(2, 2, seeded, 1048576.0, 9);
            want.count = 0;
            put_ciphertext(&want, major, minor, &x);
            check_built(seeded ? SAMPLE_CIPHERTEXT_SEEDED : SAMPLE_CIPHERTEXT, major, minor, &want);
            const rs_wire_format_t format = sample_format((uint32_t)major, (uint32_t)minor, RS_COMPRESSION_NONE);
            rs_wire_write_request_t request = sample_request(RS_WIRE_CIPHERTEXT, NULL, &format);
            request.ciphertext = &x;
            CHECK_EQ_U64(rs_wire_bytes(&request), want.count);
            free(x.data);
        }
    }
}

RS_TEST(layout_kswitch) {
    static bytes_t want;
    for (int major = 3; major <= 4; major++) {
        const int minor = major == 3 ? 6 : 1;
        for (int galois = 0; galois < 2; galois++) {
            const uint64_t entries = galois ? SAMPLE_N : 1, full = galois ? 1 : 0;
            const uint64_t object = 16 + 65 + (major == 4 ? 8u : 0u) + 24 + 8 * SAMPLE_LIMBS * SAMPLE_N + 81;
            want.count = 0;
            put_header(&want, major, minor, 16 + 32 + 8 + 8 * entries + SAMPLE_DATA_LIMBS * object);
            put_raw(&want, rs_context_parms_id(sample_context(), SAMPLE_LIMBS), 32);
            put_le(&want, entries, 8);
            for (uint64_t i = 0; i < entries; i++) {
                put_le(&want, i == full ? SAMPLE_DATA_LIMBS : 0, 8);
                for (uint64_t j = 0; i == full && j < SAMPLE_DATA_LIMBS; j++) {
                    rs_ciphertext_t x = sample_ciphertext(2, SAMPLE_LIMBS, 1, 1.0, 100 + j);
                    put_ciphertext(&want, major, minor, &x);
                    free(x.data);
                }
            }
            check_built(galois ? SAMPLE_GALOIS_SEEDED : SAMPLE_RELIN_SEEDED, major, minor, &want);
            const rs_wire_format_t format = sample_format((uint32_t)major, (uint32_t)minor, RS_COMPRESSION_NONE);
            const rs_wire_write_request_t request = sample_keys_request(NULL, &format, entries, SAMPLE_DATA_LIMBS, 1);
            CHECK_EQ_U64(rs_wire_bytes(&request), want.count);
        }
    }
}

// CoeffModulus::Create(1024, {27, 25, 26}), saved by SEAL 4.3 with its default compression (zstd).
RS_TEST(file_written_by_seal) {
    static const uint8_t file[] = {
        0x5e, 0xa1, 0x10, 0x04, 0x03, 0x02, 0x00, 0x00, 0x4a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x28, 0xb5, 0x2f,
        0xfd, 0x20, 0x71, 0x8d, 0x01, 0x00, 0xe8, 0x02, 0x00, 0x04, 0x00, 0x03, 0x00, 0x5e, 0xa1, 0x10, 0x04, 0x18, 0x00,
        0x00, 0x01, 0xf8, 0xff, 0x07, 0xf0, 0xff, 0x01, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x00,
        0x80, 0x16, 0xa0, 0x9e, 0x9d, 0x03, 0x58, 0x58, 0xc5, 0x94, 0xfb, 0x12, 0x08, 0x18, 0x7c, 0x01, 0x22,
    };
    from_t from;
    rs_wire_reader_t *reader = read_from(&from, file, sizeof file);
    rs_params_t params;
    rs_wire_info_t info;
    REQUIRE_OK(rs_wire_info(reader, NULL, &info));
    CHECK_EQ_U64(info.kind, RS_WIRE_PARAMS);
    CHECK_EQ_U64(info.version, 0x403);
    CHECK_EQ_U64(info.scheme, 2);
    CHECK_EQ_U64(info.n, 1024);
    CHECK_EQ_U64(info.limb_count, 3);
    CHECK_OK(rs_wire_read_params(reader, &params, RS_SECURITY_UNCHECKED));
    CHECK_OK(rs_wire_close(reader, 1));
    CHECK_EQ_U64(params.log_n, 10);
    CHECK_EQ_U64(params.limb_count, 3);
    CHECK_EQ_U64(params.moduli[0], 134215681);
    CHECK_EQ_U64(params.moduli[1], 33550337);
    CHECK_EQ_U64(params.moduli[2], 67104769);
}

// ---- round trips ---------------------------------------------------------------------------------------------------------
RS_TEST(round_trips) {
    file_t again = {allocate(SAMPLE_CAPACITY), 0};
    for (int v = 0; v < VERSION_COUNT; v++) {
        for (int c = 0; c < COMPRESSION_COUNT; c++) {
            const rs_wire_format_t format = sample_format(versions[v][0], versions[v][1], compressions[c]);
            for (sample_t sample = 0; sample < SAMPLE_COUNT; sample++) {
                file_t file = make(sample, &format);
                into_t into;
                const rs_sink_t *sink = write_to(&into, again.data, SAMPLE_CAPACITY);
                CHECK_OK(read_exact(sample_kind(sample), file.data, file.bytes, sink, &format));
                // The same bytes, compressed ones too (the encoders are deterministic and see the same pieces): nothing was lost.
                CHECK(same(again.data, into.memory.bytes, &file));
            }
        }
    }
}

RS_TEST(levels_of_compression) {
    static const int levels[][2] = {{1, 1}, {1, 9}, {2, 1}, {2, 19}, {2, 22}};
    for (int i = 0; i < 5; i++) {
        rs_wire_format_t format = sample_format(3, 6, (rs_compression_t)levels[i][0]);
        format.level = levels[i][1];
        file_t file = make(SAMPLE_CIPHERTEXT, &format);
        CHECK_OK(read_file(RS_WIRE_CIPHERTEXT, &file));
        CHECK(file.bytes < 8 * 4096);
    }
    uint8_t buffer[64];
    into_t into;
    const rs_params_t params = sample_params();
    for (int c = 1; c <= 2; c++) {
        for (int level = -1; level < 100; level += 101 - 1) {
            rs_wire_format_t format = sample_format(3, 6, (rs_compression_t)c);
            format.level = level;
            const rs_sink_t *sink = write_to(&into, buffer, sizeof buffer);
            CHECK_STATUS(write_params(sink, &format, &params), RS_ERR_COMPRESSION);
        }
    }
}

RS_TEST(plaintext_in_coefficient_form) {
    const rs_context_t *context = sample_context();
    double coef[SAMPLE_N];
    uint64_t workspace[SAMPLE_N], want[SAMPLE_N];
    rs_plaintext_t plaintext;
    memset(&plaintext, 0, sizeof plaintext);
    memcpy(plaintext.parms_id, rs_context_parms_id(context, 2), 32);
    plaintext.form = RS_FORM_COEF;
    plaintext.limb_count = 2;
    plaintext.scale = 1024.0;
    plaintext.message = coef;
    for (int i = 0; i < SAMPLE_N; i++) coef[i] = i * 7 % 1000 - 500;
    file_t file = {allocate(SAMPLE_CAPACITY), 0};
    into_t into;
    const rs_sink_t *sink = write_to(&into, file.data, SAMPLE_CAPACITY);
    CHECK_STATUS(write_plaintext(sink, &PLAIN, &plaintext, (rs_memory_t){NULL, 0}), RS_ERR_NULL);
    CHECK_STATUS(write_plaintext(sink, &PLAIN, &plaintext, (rs_memory_t){workspace, sizeof workspace - 1}), RS_ERR_TOO_SMALL);
    CHECK_OK(write_plaintext(sink, &PLAIN, &plaintext, (rs_memory_t){workspace, sizeof workspace}));
    file.bytes = into.memory.bytes;
    CHECK_OK(read_file(RS_WIRE_PLAINTEXT, &file));
    CHECK_OK(rs_plaintext_limb(context, &plaintext, 1, want));
    CHECK_EQ_MEM(file.data + 16 + 48 + 24 + 8 * SAMPLE_N, want, sizeof want);
    CHECK(all_zero(workspace, SAMPLE_N));
}

RS_TEST(info_of_every_kind) {
    static const rs_wire_kind_t bare[SAMPLE_COUNT] = {
        RS_WIRE_PARAMS,     RS_WIRE_PLAINTEXT,  RS_WIRE_PLAINTEXT,  RS_WIRE_CIPHERTEXT, RS_WIRE_CIPHERTEXT,  RS_WIRE_CIPHERTEXT,
        RS_WIRE_CIPHERTEXT, RS_WIRE_CIPHERTEXT, RS_WIRE_RELIN_KEYS, RS_WIRE_RELIN_KEYS, RS_WIRE_GALOIS_KEYS,
    };
    static const uint32_t polys[SAMPLE_COUNT] = {0, 0, 0, 2, 3, 2, 2, 2, 2, 2, 2},
                          limbs[SAMPLE_COUNT] = {3, 2, 3, 2, 1, 2, 3, 3, 3, 3, 3};
    for (int v = 0; v < VERSION_COUNT; v++) {
        EACH (c, sample) {
            file_t file = make_as(sample, versions[v][0], versions[v][1], compressions[c]);
            from_t from;
            rs_wire_reader_t *reader = read_from(&from, file.data, file.bytes);
            rs_wire_info_t info, told;
            CHECK_OK(rs_wire_info(reader, NULL, &info));
            CHECK_OK(rs_wire_info(reader, sample_context(), &told));
            CHECK_OK(rs_wire_close(reader, 0));
            const int seeded = SAMPLES[sample].seeded;
            CHECK_EQ_U64(info.kind, bare[sample]);
            CHECK_EQ_U64(told.kind, sample_kind(sample));
            CHECK_EQ_U64(info.version, versions[v][0] << 8 | versions[v][1]);
            CHECK_EQ_U64(info.compression, compressions[c]);
            CHECK_EQ_U64(info.total_bytes, file.bytes);
            CHECK_EQ_U64(info.seeded, seeded);
            CHECK_EQ_U64(info.poly_count, polys[sample]);
            CHECK_EQ_U64(told.limb_count, limbs[sample]);
            CHECK_EQ_U64(told.n, SAMPLE_N);
            if (sample != SAMPLE_PARAMS) {
                CHECK_EQ_U64(info.words, (seeded || !polys[sample] ? 1 : polys[sample]) * limbs[sample] * SAMPLE_N);
                CHECK_EQ_MEM(info.parms_id, rs_context_parms_id(sample_context(), limbs[sample]), 32);
                CHECK_EQ_U64(info.ntt, 1);
            }
        }
    }
}

RS_TEST(every_kind_refused_as_every_other) {
    // Pairs that share a layout are told apart by level.
    EACH (c, sample) {
        file_t file = make_as(sample, 3, 6, compressions[c]);
        for (rs_wire_kind_t kind = RS_WIRE_PARAMS; kind <= RS_WIRE_GALOIS_KEYS; kind++) {
            const rs_wire_kind_t own = sample_kind(sample);
            rs_status_t want = RS_ERR_KIND;
            if (kind == own) {
                want = RS_OK;
            } else if ((kind == RS_WIRE_SECRET_KEY && own == RS_WIRE_PLAINTEXT) ||
                       (kind == RS_WIRE_PLAINTEXT && own == RS_WIRE_SECRET_KEY) ||
                       (kind == RS_WIRE_PUBLIC_KEY && own == RS_WIRE_CIPHERTEXT) ||
                       (kind == RS_WIRE_CIPHERTEXT && own == RS_WIRE_PUBLIC_KEY)) {
                want = RS_ERR_LEVEL;
            }
            CHECK_STATUS(read_file(kind, &file), want);
        }
    }
}

// ---- damage --------------------------------------------------------------------------------------------------------------
// Every cut in and around the metadata; a stride through the words.
static size_t next_cut(const file_t *file, size_t cut) {
    if (cut < 400 || cut + 200 >= file->bytes) return cut + 1;
    return cut + 611 < file->bytes - 200 ? cut + 611 : file->bytes - 200;
}

RS_TEST(truncated_everywhere) {
    EACH (c, sample) {
        file_t file = make_as(sample, sample % 2 ? 3 : 4, sample % 2 ? 6 : 1, compressions[c]);
        for (size_t cut = 0; cut < file.bytes; cut = next_cut(&file, cut)) {
            const rs_status_t status = read_exact(sample_kind(sample), file.data, cut, NULL, NULL);
            if (!CHECK_STATUS(status, RS_ERR_TRUNCATED)) printf("  sample %d cut at %zu\n", sample, cut);
        }
    }
}

RS_TEST(trailing_bytes) {
    EACH (c, sample) {
        file_t file = make_as(sample, 3, 6, compressions[c]);
        file.data[file.bytes++] = 0;
        CHECK_STATUS(read_file(sample_kind(sample), &file), RS_ERR_TRAILING);
        // The same with a header that claims the byte.
        const uint64_t claimed = file.bytes;
        memcpy(file.data + 8, &claimed, 8);
        CHECK_STATUS(read_file(sample_kind(sample), &file), c == 0 ? RS_ERR_LENGTH : RS_ERR_TRAILING);
        const uint64_t less = file.bytes - 2;
        memcpy(file.data + 8, &less, 8);
        file.bytes -= 1;
        const rs_status_t status = read_file(sample_kind(sample), &file);
        CHECK(status == (c == 0 ? RS_ERR_LENGTH : RS_ERR_CODEC));
    }
}

// Reading a damaged file must fail, or give an object that is written as exactly the bytes that were read.
static void damage(sample_t sample, rs_wire_kind_t kind, const file_t *file, size_t position, uint8_t flip, file_t *again,
                   const rs_wire_format_t *format) {
    file->data[position] ^= flip;
    into_t into;
    const rs_status_t status = read_exact(kind, file->data, file->bytes, write_to(&into, again->data, SAMPLE_CAPACITY), format);
    const size_t bytes = into.memory.bytes;
    if (status == RS_OK && format->compression == RS_COMPRESSION_NONE) {
        const int version_byte = position == 4 || again->data[4] != file->data[4];
        if (!version_byte && !same(again->data, bytes, file)) {
            // A nested version number that is not newer than the outer one is read and not kept.
            size_t differences = 0;
            for (size_t i = 0; i < file->bytes && i < bytes; i++) differences += again->data[i] != file->data[i];
            CHECK(bytes == file->bytes);
            if (!CHECK(differences <= 1 && again->data[position - 4] == 0x5e && format->version >> 8 == 4)) {
                printf("  sample %d byte %zu ^ %02x\n", sample, position, flip);
            }
        }
    }
    file->data[position] ^= flip;
}

RS_TEST(every_metadata_byte_damaged) {
    static const uint8_t flips[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff};
    file_t again = {allocate(SAMPLE_CAPACITY), 0};
    for (int v = 0; v < 2; v++) {
        for (sample_t sample = 0; sample < SAMPLE_COUNT; sample++) {
            const rs_wire_format_t format = sample_format(v ? 4 : 3, v ? 1 : 6, RS_COMPRESSION_NONE);
            file_t file = make(sample, &format);
            for (size_t i = 0; i < file.bytes; i += i < 260 || i + 100 > file.bytes ? 1 : (file.bytes > 60000 ? 1499 : 307)) {
                for (size_t f = 0; f < sizeof flips; f++) {
                    damage(sample, sample_kind(sample), &file, i, flips[f], &again, &format);
                    if (f % 4 == 0 && i < 100) {
                        for (rs_wire_kind_t kind = RS_WIRE_PARAMS; kind <= RS_WIRE_GALOIS_KEYS; kind++) {
                            damage(sample, kind, &file, i, flips[f], &again, &format);
                        }
                    }
                }
            }
        }
    }
}

RS_TEST(compressed_bytes_damaged) {
    file_t again = {allocate(SAMPLE_CAPACITY), 0};
    for (int c = 1; c < COMPRESSION_COUNT; c++) {
        static const sample_t samples[] = {SAMPLE_PARAMS, SAMPLE_CIPHERTEXT_SEEDED, SAMPLE_RELIN_SEEDED};
        for (int s = 0; s < 3; s++) {
            const rs_wire_format_t format = sample_format(3, 6, compressions[c]);
            file_t file = make(samples[s], &format);
            for (size_t i = 0; i < file.bytes; i += i < 100 || i + 50 > file.bytes ? 1 : 131) {
                damage(samples[s], sample_kind(samples[s]), &file, i, 0x10, &again, &format);
                damage(samples[s], sample_kind(samples[s]), &file, i, 0xff, &again, &format);
                if (c == 1 && i >= 16) { // zlib's checksum lets no change through; a few bits of the stream mean nothing
                    into_t into;
                    const rs_sink_t *sink = write_to(&into, again.data, SAMPLE_CAPACITY);
                    file.data[i] ^= 0x04;
                    const rs_status_t status = read_exact(sample_kind(samples[s]), file.data, file.bytes, sink, &format);
                    file.data[i] ^= 0x04;
                    CHECK(status != RS_OK || same(again.data, into.memory.bytes, &file));
                }
            }
        }
    }
}

// ---- fields --------------------------------------------------------------------------------------------------------------
// Numbers in a text: sums of 12, 0x12, 2^12, and q1 for a modulus.
static uint64_t number_at(const char **at) {
    const rs_params_t params = sample_params();
    char *end;
    uint64_t sum = 0;
    *at += strspn(*at, " ");
    for (int negative = 0;; negative = *(*at)++ == '-') {
        uint64_t number = strtoull(*at + (**at == 'q'), &end, 0);
        if (**at == 'q') number = params.moduli[number];
        if (*end == '^') number = (uint64_t)1 << strtoull(end + 1, &end, 10);
        sum += negative ? 0 - number : number;
        *at = end;
        if (*end != '+' && *end != '-') return sum;
    }
}

typedef struct lie {
    sample_t sample;
    uint8_t major, minor;
    size_t offset; // in the file, header included
    int width;
    const char *values; // each with what comes of it
} lie_t;

RS_TEST(lying_fields) {
    const size_t words_3 = 16 + 65 + 24, words_4 = 16 + 73 + 24, seed_3 = words_3 + 8 * 2 * SAMPLE_N, words_p = 16 + 48 + 24;
    const size_t relin = 16 + 32 + 8 + 8;
    const lie_t lies[] = {
        // outer header
        {SAMPLE_CIPHERTEXT, 3, 6, 0, 1, "0x5f MAGIC"},
        {SAMPLE_CIPHERTEXT, 3, 6, 1, 1, "0xa0 MAGIC"},
        {SAMPLE_CIPHERTEXT, 3, 6, 2, 1, "0x20 MAGIC, 0x00 VERSION"}, // header of 3.4
        {SAMPLE_CIPHERTEXT, 3, 6, 3, 1, "2 VERSION, 5 VERSION"},
        {SAMPLE_CIPHERTEXT, 3, 6, 4, 1, "3 VERSION, 8 VERSION"},
        {SAMPLE_CIPHERTEXT, 4, 0, 4, 1, "7 VERSION, 1 OK"}, // outer header newer than the inner ones: SEAL after 4.4
        {SAMPLE_CIPHERTEXT, 4, 1, 4, 1, "0 VERSION"},
        {SAMPLE_CIPHERTEXT, 3, 7, 4, 1, "6 VERSION"},
        {SAMPLE_CIPHERTEXT, 3, 6, 5, 1, "3 COMPRESSION"}, // bit packing of later SEALs
        {SAMPLE_CIPHERTEXT, 3, 6, 5, 1, "0xff COMPRESSION"},
        {SAMPLE_CIPHERTEXT, 3, 6, 6, 1, "1 MAGIC"},
        {SAMPLE_CIPHERTEXT, 3, 6, 8, 8, "0 LENGTH, 15 LENGTH, 16 LENGTH, 17 LENGTH, 0-1 LENGTH, 2^60 LENGTH"},
        {SAMPLE_PARAMS, 3, 6, 8, 8, "2^60 TRUNCATED"},
        {SAMPLE_PLAINTEXT, 3, 6, 8, 8, "2^60 LENGTH"},
        {SAMPLE_RELIN, 3, 6, 8, 8, "2^60 LENGTH"},
        // ciphertext
        {SAMPLE_CIPHERTEXT, 3, 6, 16, 1, "0x77 MISMATCH"},
        {SAMPLE_CIPHERTEXT, 3, 6, 48, 1, "0 NOT_NTT, 2 NOT_NTT"},
        {SAMPLE_CIPHERTEXT, 3, 6, 49, 8, "0 POLY_COUNT, 1 POLY_COUNT, 3 LENGTH, 17 POLY_COUNT, 2^60 POLY_COUNT"},
        {SAMPLE_CIPHERTEXT_SEEDED, 3, 6, 49, 8, "4 LENGTH"},
        {SAMPLE_CIPHERTEXT, 3, 6, 57, 8, "0 LENGTH, 1023 LENGTH, 2048 LENGTH, 2^60 LENGTH"},
        {SAMPLE_CIPHERTEXT, 3, 6, 65, 8, "0 LENGTH, 1 LENGTH, 2^60 LENGTH, 2^54+2 LENGTH"}, // n * limbs wraps to the right product
        // infinity, NaN, -1, a subnormal, 1.5; q has 52 bits
        {SAMPLE_CIPHERTEXT, 3, 6, 73, 8, "0 SCALE, 0x7ff0000000000000 SCALE, 0x7ff8000000000001 SCALE, 0xbff0000000000000 SCALE"},
        {SAMPLE_CIPHERTEXT, 3, 6, 73, 8, "1 SCALE, 0x3ff8000000000000 OK, 0x4330000000000000 SCALE, 0x4330000000000000-1 OK"},
        {SAMPLE_CIPHERTEXT, 4, 1, 81, 8, "0 CORRECTION, 2 CORRECTION"},
        {SAMPLE_CIPHERTEXT, 3, 6, 81, 1, "0 MAGIC"},
        {SAMPLE_CIPHERTEXT, 4, 1, 89, 1, "0 MAGIC"},
        {SAMPLE_CIPHERTEXT, 3, 6, 83, 1, "0 VERSION"},
        {SAMPLE_CIPHERTEXT, 3, 6, 84, 1, "4 VERSION"},
        {SAMPLE_CIPHERTEXT, 3, 6, 85, 1, "7 VERSION"},
        {SAMPLE_CIPHERTEXT, 4, 1, 93, 1, "2 VERSION, 0 OK"},
        {SAMPLE_CIPHERTEXT, 3, 6, 86, 1, "1 COMPRESSION, 2 COMPRESSION"},
        {SAMPLE_CIPHERTEXT, 3, 6, 89, 8, "0 LENGTH, 25 LENGTH, 2^60 LENGTH"},
        {SAMPLE_CIPHERTEXT, 3, 6, 97, 8, "0 LENGTH, 2048 LENGTH, 2^61+4096 LENGTH"}, // 8 n wraps to the right size
        {SAMPLE_CIPHERTEXT, 3, 6, words_3, 8, "q0-1 OK, q0 RESIDUE, 0-1 RESIDUE"},
        {SAMPLE_CIPHERTEXT, 3, 6, words_3 + 8 * SAMPLE_N, 8, "q1 RESIDUE, q1-1 OK"},
        {SAMPLE_CIPHERTEXT, 4, 1, words_4 + 8 * 4095, 8, "q1 RESIDUE"},
        {SAMPLE_CIPHERTEXT, 4, 1, words_4 + 8 * 2048, 8, "q0 RESIDUE"},
        {SAMPLE_CIPHERTEXT_3, 3, 6, words_3 + 8 * 3071, 8, "q0 RESIDUE"},
        // seed
        {SAMPLE_CIPHERTEXT_SEEDED, 3, 6, seed_3, 1, "0 MAGIC"},
        {SAMPLE_CIPHERTEXT_SEEDED, 3, 6, seed_3 + 8, 8, "80 LENGTH"},
        {SAMPLE_CIPHERTEXT_SEEDED, 3, 6, seed_3 + 16, 1, "0 SEED_TYPE, 1 OK, 3 SEED_TYPE"},
        {SAMPLE_CIPHERTEXT_SEEDED, 3, 6, words_3, 8, "q0 RESIDUE"},
        // keys
        {SAMPLE_PUBLIC_KEY, 3, 6, 73, 8, "0x3ff8000000000000 SCALE"},
        {SAMPLE_PUBLIC_KEY, 3, 6, words_3 + 8 * 2048, 8, "q2 RESIDUE"},
        {SAMPLE_SECRET_KEY, 3, 6, 56, 8, "0x3ff8000000000000 SCALE"},
        {SAMPLE_SECRET_KEY, 3, 6, words_p + 8 * 3071, 8, "q2 RESIDUE"},
        // plaintext
        {SAMPLE_PLAINTEXT, 3, 6, 17, 1, "0x77 MISMATCH"},
        {SAMPLE_PLAINTEXT, 3, 6, 48, 8, "2049 LENGTH, 2^60 LENGTH"},
        {SAMPLE_PLAINTEXT, 3, 6, 56, 8, "0 SCALE, 0x7ff0000000000000 SCALE"},
        {SAMPLE_PLAINTEXT, 3, 6, 64, 1, "0 MAGIC"},
        {SAMPLE_PLAINTEXT, 3, 6, 72, 8, "2^60 LENGTH"},
        {SAMPLE_PLAINTEXT, 3, 6, 80, 8, "2047 LENGTH"},
        {SAMPLE_PLAINTEXT, 3, 6, words_p + 8 * SAMPLE_N, 8, "q1 RESIDUE"},
        // parameters
        {SAMPLE_PARAMS, 3, 6, 16, 1, "0 SCHEME, 1 PLAIN_MODULUS, 4 SCHEME"},
        {SAMPLE_PARAMS, 4, 1, 16, 1, "3 PLAIN_MODULUS"},
        {SAMPLE_PARAMS, 3, 6, 17, 8, "0 DEGREE, 256 DEGREE, 1025 DEGREE, 2^18 DEGREE, 2^60 DEGREE"},
        {SAMPLE_PARAMS, 3, 6, 25, 8, "0 LIMB_COUNT, 2 LENGTH, 4 LENGTH, 65 LIMB_COUNT, 2^60 LIMB_COUNT"},
        {SAMPLE_PARAMS, 3, 6, 33, 1, "0 MAGIC"},
        {SAMPLE_PARAMS, 3, 6, 41, 8, "25 LENGTH"},
        {SAMPLE_PARAMS, 3, 6, 49, 8, "q1 MODULUS_TWICE, 0 MODULUS_RANGE, 0-1 MODULUS_RANGE"},
        {SAMPLE_PARAMS, 3, 6, 121, 8, "65537 SCHEME"}, // plain modulus
        // key-switching keys
        {SAMPLE_RELIN, 3, 6, 16, 1, "0x77 MISMATCH"},
        {SAMPLE_RELIN, 3, 6, 48, 8, "0 LENGTH, 2 LENGTH, 15 LENGTH, 2^60 LENGTH"},
        {SAMPLE_RELIN, 3, 6, 56, 8, "1 LENGTH, 3 LENGTH, 2^60 LENGTH"},
        {SAMPLE_RELIN, 3, 6, relin, 1, "0 MAGIC"},
        {SAMPLE_RELIN, 3, 6, relin + 5, 1, "2 COMPRESSION"},
        {SAMPLE_RELIN, 3, 6, relin + 8, 8, "0 LENGTH, 2^60 LENGTH, 49249 LENGTH"},
        {SAMPLE_RELIN, 3, 6, relin + 16, 1, "0x77 MISMATCH"},
        {SAMPLE_RELIN, 3, 6, relin + 49, 8, "3 LENGTH"},
        {SAMPLE_RELIN, 3, 6, relin + 73, 8, "0x3ff8000000000000 SCALE"},
        {SAMPLE_RELIN, 3, 6, relin + words_3 + 8 * 2048, 8, "q2 RESIDUE"},
        {SAMPLE_GALOIS_SEEDED, 3, 6, 48, 8, "512 LENGTH, 2048 LENGTH"},
        {SAMPLE_GALOIS_SEEDED, 3, 6, 56, 8, "2 MAGIC"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        const lie_t *lie = &lies[i];
        for (const char *at = lie->values; *at; at += strcspn(at, ",") + (strchr(at, ',') != NULL)) {
            const char *const from = at;
            char want[48] = "RS_ERR_";
            file_t file = make_as(lie->sample, lie->major, lie->minor, RS_COMPRESSION_NONE);
            const uint64_t value = number_at(&at);
            REQUIRE(sscanf(at, " %31[A-Z_]", want + 7) == 1);
            for (int b = 0; b < lie->width; b++) file.data[lie->offset + (size_t)b] = (uint8_t)(value >> 8 * b);
            const char *got = rs_status_name(read_file(sample_kind(lie->sample), &file));
            if (!CHECK(strcmp(got, strcmp(want, "RS_ERR_OK") ? want : "RS_OK") == 0)) printf("  lie %zu, %s: %s\n", i, from, got);
        }
    }
}

// A context of other primes than the samples'.
static const rs_context_t *other_context(uint32_t limbs) {
    static const uint32_t bits[2] = {28, 28};
    const rs_context_t *context;
    rs_params_t params;
    CHECK_OK(params_of_bits(&params, SAMPLE_N, bits, limbs));
    CHECK_OK(context_in(&context, allocate(rs_context_size(&params)), rs_context_size(&params), &params));
    return context;
}

RS_TEST(foreign_context) {
    const rs_context_t *context = other_context(2);
    file_t file = make_as(SAMPLE_CIPHERTEXT, 3, 6, RS_COMPRESSION_NONE);
    from_t from;
    rs_ciphertext_t ciphertext;
    rs_wire_reader_t *reader = read_from(&from, file.data, file.bytes);
    CHECK_STATUS(begin_as(reader, context, RS_WIRE_CIPHERTEXT, &ciphertext), RS_ERR_MISMATCH);
    CHECK_STATUS(rs_wire_close(reader, 1), RS_ERR_MISMATCH);
}

// ---- files that agree with themselves, but not with the context or the rules ------------------------------------------------
typedef struct shape {
    uint32_t level; // limbs of the parms_id's level; 0: all zero bytes
    uint8_t ntt;
    uint64_t polys, n, limbs;
    double scale;
    int seeded;
} shape_t;

static void put_parms_id(bytes_t *out, uint32_t level) {
    static const uint8_t zero[32];
    put_raw(out, level ? rs_context_parms_id(sample_context(), level) : zero, 32);
}

static void put_zeros(bytes_t *out, uint64_t words) {
    put_header(out, 3, 6, 24 + 8 * words);
    put_le(out, words, 8);
    for (uint64_t i = 0; i < words; i++) put_le(out, 0, 8);
}

static uint64_t shape_words(const shape_t *shape) { return (shape->seeded ? 1 : shape->polys) * shape->n * shape->limbs; }

static uint64_t shape_bytes(const shape_t *shape) { return 16 + 65 + 24 + 8 * shape_words(shape) + (shape->seeded ? 81u : 0u); }

static void put_shape(bytes_t *out, const shape_t *shape) {
    put_header(out, 3, 6, shape_bytes(shape));
    put_parms_id(out, shape->level);
    put_le(out, shape->ntt, 1);
    put_le(out, shape->polys, 8);
    put_le(out, shape->n, 8);
    put_le(out, shape->limbs, 8);
    put_double(out, shape->scale);
    put_zeros(out, shape_words(shape));
    if (!shape->seeded) return;
    put_header(out, 3, 6, 81);
    put_le(out, 1, 1);
    for (int i = 0; i < 64; i++) put_le(out, 0, 1);
}

static rs_status_t read_bytes(rs_wire_kind_t kind, const bytes_t *bytes) {
    return read_exact(kind, bytes->data, bytes->count, NULL, NULL);
}

static rs_status_t convert_bytes(const bytes_t *bytes) {
    static uint8_t got[SAMPLE_CAPACITY];
    const rs_wire_format_t format = sample_format(4, 0, RS_COMPRESSION_NONE);
    into_t into;
    return convert(bytes->data, bytes->count, NULL, write_to(&into, got, sizeof got), &format);
}

RS_TEST(consistent_ciphertexts_of_another_shape) {
    static const struct {
        shape_t shape;
        rs_wire_kind_t kind;
        rs_status_t read, converted;
    } cases[] = {
        {{2, 1, 2, 1024, 2, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_OK, RS_OK},
        {{2, 1, 16, 1024, 1, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_OK},
        {{1, 1, 16, 1024, 1, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_OK, RS_OK},
        {{1, 1, 17, 1024, 1, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_POLY_COUNT, RS_ERR_POLY_COUNT},
        {{2, 1, 2, 2048, 2, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_OK}, // words for twice the array
        {{2, 1, 2, 512, 2, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_OK},
        {{2, 1, 2, 1024, 3, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_OK},
        {{2, 1, 2, 1024, 1, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_OK},
        {{2, 1, 2, 2, 2, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_OK},
        {{2, 1, 2, 1, 2, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_ERR_LENGTH},
        {{2, 1, 2, 3, 2, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_ERR_LENGTH},
        {{2, 1, 2, 2, 64, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_OK},
        {{2, 1, 2, 2, 65, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_ERR_LENGTH},
        {{2, 1, 2, 0, 2, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_ERR_LENGTH},
        {{2, 1, 0, 1024, 2, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_POLY_COUNT, RS_ERR_POLY_COUNT},
        {{2, 2, 2, 1024, 2, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_NOT_NTT, RS_ERR_NOT_NTT},
        {{0, 1, 2, 1024, 2, 1024.0, 0}, RS_WIRE_CIPHERTEXT, RS_ERR_MISMATCH, RS_OK},
        {{2, 1, 2, 2048, 1, 1024.0, 1}, RS_WIRE_CIPHERTEXT, RS_ERR_LENGTH, RS_OK},
        {{3, 1, 2, 1024, 3, 1.0, 0}, RS_WIRE_PUBLIC_KEY, RS_OK, RS_OK},
        {{3, 1, 3, 1024, 3, 1.0, 0}, RS_WIRE_PUBLIC_KEY, RS_ERR_POLY_COUNT, RS_OK},
        {{3, 1, 2, 2048, 3, 1.0, 0}, RS_WIRE_PUBLIC_KEY, RS_ERR_LENGTH, RS_OK},
        {{3, 0, 2, 1024, 3, 1.0, 0}, RS_WIRE_PUBLIC_KEY, RS_ERR_NOT_NTT, RS_OK},
    };
    static bytes_t file;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        file.count = 0;
        put_shape(&file, &cases[i].shape);
        if (!CHECK_STATUS(read_bytes(cases[i].kind, &file), cases[i].read)) printf("  read %zu\n", i);
        if (!CHECK_STATUS(convert_bytes(&file), cases[i].converted)) printf("  convert %zu\n", i);
    }
}

RS_TEST(consistent_plaintexts_of_another_shape) {
    static const struct {
        uint32_t level;
        uint64_t words;
        double scale;
        rs_wire_kind_t kind;
        rs_status_t status;
    } cases[] = {
        {2, 2048, 8.0, RS_WIRE_PLAINTEXT, RS_OK},          {2, 1024, 8.0, RS_WIRE_PLAINTEXT, RS_ERR_LENGTH},
        {2, 4096, 8.0, RS_WIRE_PLAINTEXT, RS_ERR_LENGTH},  {2, 0, 8.0, RS_WIRE_PLAINTEXT, RS_ERR_LENGTH},
        {0, 1024, 8.0, RS_WIRE_PLAINTEXT, RS_ERR_NOT_NTT}, {0, 1024, 8.0, RS_WIRE_SECRET_KEY, RS_ERR_NOT_NTT},
        {3, 3072, 1.0, RS_WIRE_SECRET_KEY, RS_OK},         {3, 2048, 1.0, RS_WIRE_SECRET_KEY, RS_ERR_LENGTH},
        {3, 6144, 1.0, RS_WIRE_SECRET_KEY, RS_ERR_LENGTH}, {2, 2048, 1.0, RS_WIRE_SECRET_KEY, RS_ERR_LEVEL},
    };
    static bytes_t file;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        file.count = 0;
        put_header(&file, 3, 6, 16 + 48 + 24 + 8 * cases[i].words);
        put_parms_id(&file, cases[i].level);
        put_le(&file, cases[i].words, 8);
        put_double(&file, cases[i].scale);
        put_zeros(&file, cases[i].words);
        if (!CHECK_STATUS(read_bytes(cases[i].kind, &file), cases[i].status)) printf("  case %zu\n", i);
        CHECK_OK(convert_bytes(&file));
    }
}

// A file of key-switching keys: `filled` entries first, then empty ones.
static void put_keys(bytes_t *out, uint32_t level, uint64_t entries, uint64_t filled, uint64_t components, const shape_t *shape) {
    put_header(out, 3, 6, 16 + 40 + 8 * entries + filled * components * shape_bytes(shape));
    put_parms_id(out, level);
    put_le(out, entries, 8);
    for (uint64_t i = 0; i < entries; i++) {
        put_le(out, i < filled ? components : 0, 8);
        for (uint64_t j = 0; i < filled && j < components; j++) put_shape(out, shape);
    }
}

RS_TEST(consistent_keys_of_another_shape) {
    static const shape_t good = {3, 1, 2, 1024, 3, 1.0, 1}, data_level = {2, 1, 2, 1024, 2, 1.0, 1},
                         three = {3, 1, 3, 256, 1, 1.0, 0}, three_polys = {3, 1, 3, 1024, 3, 1.0, 0},
                         other_n = {3, 1, 2, 2048, 3, 1.0, 1}, tiny = {3, 1, 2, 2, 1, 1.0, 1};
    const struct {
        uint32_t level;
        uint64_t entries, filled, components;
        const shape_t *shape;
        rs_status_t read, converted;
    } cases[] = {
        {3, 1, 1, 2, &good, RS_OK, RS_OK},
        {3, 3, 2, 2, &good, RS_OK, RS_OK},
        {3, 14, 1, 2, &good, RS_OK, RS_OK},
        {3, 15, 1, 2, &good, RS_ERR_LENGTH, RS_OK},
        {3, 1024, 1, 2, &good, RS_OK, RS_OK},
        {3, 512, 1, 2, &good, RS_ERR_LENGTH, RS_OK},
        {3, 2048, 1, 2, &good, RS_ERR_LENGTH, RS_OK},
        {3, 1, 1, 1, &good, RS_ERR_LENGTH, RS_OK},
        {3, 1, 1, 3, &good, RS_ERR_LENGTH, RS_OK},
        {2, 1, 1, 2, &data_level, RS_ERR_LEVEL, RS_OK},
        {3, 1, 1, 2, &data_level, RS_ERR_MISMATCH, RS_ERR_MISMATCH},
        {2, 1, 1, 2, &good, RS_ERR_LEVEL, RS_ERR_MISMATCH},
        {3, 1, 1, 2, &other_n, RS_ERR_LENGTH, RS_OK},
        {3, 1, 1, 2, &three, RS_ERR_POLY_COUNT, RS_ERR_POLY_COUNT},
        {3, 1, 1, 2, &three_polys, RS_ERR_POLY_COUNT, RS_ERR_POLY_COUNT},
        {3, 1, 1, 64, &tiny, RS_ERR_LENGTH, RS_OK},
        {3, 1, 1, 65, &tiny, RS_ERR_KIND, RS_ERR_KIND}, // not recognised, see below
        {3, 2, 0, 0, &tiny, RS_OK, RS_OK},
    };
    static bytes_t file;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        file.count = 0;
        put_keys(&file, cases[i].level, cases[i].entries, cases[i].filled, cases[i].components, cases[i].shape);
        const rs_status_t status = read_bytes(cases[i].entries == SAMPLE_N ? RS_WIRE_GALOIS_KEYS : RS_WIRE_RELIN_KEYS, &file);
        const rs_status_t want = cases[i].read == RS_ERR_KIND ? RS_ERR_LENGTH : cases[i].read; // reading tells more than KIND
        if (!CHECK_STATUS(status, want)) printf("  read %zu\n", i);
        if (!CHECK_STATUS(convert_bytes(&file), cases[i].converted)) printf("  convert %zu\n", i);
    }
    // Damage beyond the peek: the second entry of a file whose first is sound.
    const uint64_t second = 16 + 40 + 8 + 2 * shape_bytes(&good);
    static const struct {
        uint64_t offset, value;
        int width;
        rs_status_t read, converted;
    } lies[] = {
        {0, 1, 8, RS_ERR_LENGTH, RS_ERR_LENGTH}, // one component, where two follow
        {0, 65, 8, RS_ERR_LENGTH, RS_ERR_LENGTH},
        {0, (uint64_t)1 << 60, 8, RS_ERR_LENGTH, RS_ERR_LENGTH},
        {8, 0, 1, RS_ERR_MAGIC, RS_ERR_MAGIC},
        {8 + 8, (uint64_t)1 << 60, 8, RS_ERR_LENGTH, RS_ERR_LENGTH},
        {8 + 16, 0x77, 1, RS_ERR_MISMATCH, RS_ERR_MISMATCH},
        {8 + 49, 17, 8, RS_ERR_POLY_COUNT, RS_ERR_POLY_COUNT},
    };
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        file.count = 0;
        put_keys(&file, 3, 2, 2, 2, &good);
        for (int b = 0; b < lies[i].width; b++)
            file.data[second + lies[i].offset + (uint64_t)b] = (uint8_t)(lies[i].value >> 8 * b);
        if (!CHECK_STATUS(read_bytes(RS_WIRE_RELIN_KEYS, &file), lies[i].read)) printf("  lie %zu\n", i);
        if (!CHECK_STATUS(convert_bytes(&file), lies[i].converted)) printf("  convert lie %zu\n", i);
    }
    // More entries than the object has bytes: refused before any is read.
    file.count = 0;
    put_keys(&file, 3, 1024, 0, 0, &good);
    const uint64_t fewer = file.count - 8;
    memcpy(file.data + 8, &fewer, 8);
    file.count = (size_t)fewer;
    from_t from;
    uint64_t entries = 0;
    rs_wire_reader_t *reader = read_from(&from, file.data, file.count);
    CHECK_STATUS(rs_wire_read_entries(reader, sample_context(), RS_WIRE_GALOIS_KEYS, &entries), RS_ERR_LENGTH);
    CHECK_EQ_U64(entries, 0);
    CHECK_OK(rs_wire_close(reader, 0));
    CHECK_STATUS(convert_bytes(&file), RS_ERR_LENGTH);
    // Context at the beginning, but not for the component.
    file.count = 0;
    put_keys(&file, 3, 1, 1, 2, &good);
    uint64_t components = 0;
    rs_ciphertext_t component;
    read_from(&from, file.data, file.count);
    CHECK_OK(rs_wire_read_entries(reader, sample_context(), RS_WIRE_RELIN_KEYS, &entries));
    CHECK_OK(rs_wire_read_entry(reader, &components));
    CHECK_STATUS(begin_as(reader, NULL, RS_WIRE_RELIN_KEYS, &component), RS_ERR_MISMATCH);
    CHECK_OK(rs_wire_close(reader, 0));
}

RS_TEST(consistent_parameters_of_another_shape) {
    static const struct {
        uint64_t n, count;
        rs_status_t read, converted;
    } cases[] = {
        {1024, 3, RS_OK, RS_OK},
        {2, 3, RS_ERR_DEGREE, RS_OK},
        {1, 3, RS_ERR_DEGREE, RS_ERR_LENGTH},
        {1000, 3, RS_ERR_DEGREE, RS_ERR_LENGTH},
        {(uint64_t)1 << 18, 3, RS_ERR_DEGREE, RS_ERR_LENGTH},
        {1024, 64, RS_ERR_MODULUS_RANGE, RS_OK},
        {1024, 65, RS_ERR_LIMB_COUNT, RS_ERR_LENGTH},
        {1024, 0, RS_ERR_LIMB_COUNT, RS_ERR_LENGTH},
    };
    const rs_params_t params = sample_params();
    static bytes_t file;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int lie = 0; lie < 3; lie++) {
            file.count = 0;
            put_header(&file, 3, 6, 16 + 17 + 24 * (cases[i].count + 1) + (lie == 1 ? 8u : 0u));
            put_le(&file, 2, 1);
            put_le(&file, cases[i].n, 8);
            put_le(&file, cases[i].count, 8);
            for (uint64_t j = 0; j <= cases[i].count; j++) {
                put_header(&file, 3, 6, lie == 2 && j == 2 ? 25 : 24);
                put_le(&file, j < cases[i].count && j < 3 ? params.moduli[j] : 0, 8);
            }
            if (lie == 1) put_le(&file, 0, 8); // 8 more than the members, and the header says so
            const rs_status_t read = read_bytes(RS_WIRE_PARAMS, &file), converted = convert_bytes(&file);
            if (lie == 0) {
                if (!CHECK_STATUS(read, cases[i].read)) printf("  case %zu\n", i);
                if (!CHECK_STATUS(converted, cases[i].converted)) printf("  convert %zu\n", i);
            } else if (cases[i].read == RS_OK) {
                CHECK_STATUS(read, RS_ERR_LENGTH);
                CHECK_STATUS(converted, RS_ERR_LENGTH);
            }
        }
    }
}

// With one prime there is no special prime: keys and messages share their level, and there are no switching keys.
RS_TEST(single_prime) {
    const rs_context_t *context = other_context(1);
    static uint8_t data[SAMPLE_CAPACITY];
    static const shape_t shape = {3, 1, 2, 1024, 3, 1.0, 1};
    static bytes_t file;
    into_t into;
    from_t from;
    rs_wire_writer_t writer;
    uint64_t entries = 0;
    rs_wire_write_request_t request = sample_keys_request(write_to(&into, data, sizeof data), &PLAIN, 1, 1, 1);
    request.context = context;
    CHECK_STATUS(rs_wire_writer_open(&writer, &request), RS_ERR_NO_SPECIAL);
    CHECK_STATUS(rs_wire_writer_close(&writer, NULL), RS_ERR_NO_SPECIAL);
    file.count = 0;
    put_keys(&file, 3, 1, 1, 2, &shape);
    rs_wire_reader_t *reader = read_from(&from, file.data, file.count);
    CHECK_STATUS(rs_wire_read_entries(reader, context, RS_WIRE_RELIN_KEYS, &entries), RS_ERR_NO_SPECIAL);
    CHECK_OK(rs_wire_close(reader, 0));

    rs_ciphertext_t x = sample_ciphertext(2, 1, 0, 1.0, 1), y;
    memcpy(x.parms_id, rs_context_parms_id(context, 1), 32);
    for (int key = 0; key < 2; key++) {
        request.kind = key ? RS_WIRE_PUBLIC_KEY : RS_WIRE_CIPHERTEXT;
        request.sink = write_to(&into, data, sizeof data);
        request.ciphertext = &x;
        CHECK_OK(rs_wire_write(&request));
        read_from(&from, data, into.memory.bytes);
        CHECK_OK(begin_as(reader, context, key ? RS_WIRE_PUBLIC_KEY : RS_WIRE_CIPHERTEXT, &y));
        CHECK_OK(rs_wire_close(reader, 0));
    }
    free(x.data);
}

// ---- without a context ---------------------------------------------------------------------------------------------------
static void reversion(file_t *file, uint8_t minor) {
    for (size_t i = 0; i + 16 <= file->bytes; i++) {
        if (file->data[i] == 0x5e && file->data[i + 1] == 0xa1 && file->data[i + 2] == 0x10 && file->data[i + 3] == 3) {
            file->data[i + 4] = minor;
        }
    }
}

RS_TEST(old_versions) {
    for (uint8_t minor = 4; minor <= 5; minor++) {
        for (sample_t sample = 0; sample < SAMPLE_COUNT; sample++) {
            file_t file = make_as(sample, 3, 6, RS_COMPRESSION_NONE);
            reversion(&file, minor);
            CHECK_STATUS(read_file(sample_kind(sample), &file), SAMPLES[sample].seeded ? RS_ERR_VERSION : RS_OK);
        }
    }
}

RS_TEST(read_without_context) {
    file_t file = make_as(SAMPLE_CIPHERTEXT_SEEDED, 4, 0, RS_COMPRESSION_ZSTD);
    from_t from;
    rs_ciphertext_t ciphertext;
    rs_wire_info_t info;
    memset(&ciphertext, 0, sizeof ciphertext);
    rs_wire_reader_t *reader = read_from(&from, file.data, file.bytes);
    CHECK_OK(begin_as(reader, NULL, RS_WIRE_CIPHERTEXT, &ciphertext));
    REQUIRE_OK(rs_wire_info(reader, NULL, &info));
    CHECK_EQ_U64(info.words, 2 * SAMPLE_N);
    ciphertext.data = exact_array(info.words);
    CHECK_OK(words_as(reader, RS_WIRE_CIPHERTEXT, &ciphertext));
    CHECK_OK(rs_wire_close(reader, 1));
    uint64_t *want = sample_words(1, 2, 9);
    CHECK_EQ_MEM(ciphertext.data, want, 8 * 2 * SAMPLE_N);
    CHECK_EQ_U64(ciphertext.seed_type, RS_SEED_SHAKE256);
    CHECK_EQ_U64(ciphertext.seed.bytes[1], 9 + 3);
    free(want);
    free(ciphertext.data);
}

RS_TEST(descriptor_changed_between_begin_and_words) {
    file_t file = make_as(SAMPLE_CIPHERTEXT, 3, 6, RS_COMPRESSION_NONE);
    for (int change = 0; change < 4; change++) {
        from_t from;
        rs_ciphertext_t ciphertext;
        uint64_t few[4];
        memset(&ciphertext, 0, sizeof ciphertext);
        rs_wire_reader_t *reader = read_from(&from, file.data, file.bytes);
        CHECK_OK(begin_as(reader, sample_context(), RS_WIRE_CIPHERTEXT, &ciphertext));
        ciphertext.data = few; // too small: must not be touched
        if (change == 0) ciphertext.poly_count = 3;
        if (change == 1) ciphertext.limb_count = 1;
        if (change == 2) ciphertext.seeded = 1;
        if (change == 3) ciphertext.parms_id[0] ^= 1;
        CHECK_STATUS(words_as(reader, RS_WIRE_CIPHERTEXT, &ciphertext), RS_ERR_MISMATCH);
        CHECK_STATUS(rs_wire_close(reader, 1), RS_ERR_MISMATCH);
    }
}

// ---- compression as a weapon ---------------------------------------------------------------------------------------------
static file_t wrap(rs_compression_t compression, const uint8_t *stream, size_t bytes) {
    file_t file = {allocate(bytes + 16), bytes + 16};
    static bytes_t header;
    header.count = 0;
    put_header(&header, 3, 6, bytes + 16);
    memcpy(file.data, header.data, 16);
    file.data[5] = (uint8_t)compression;
    memcpy(file.data + 16, stream, bytes);
    return file;
}

// The members of a sample, followed by `zeros` zero bytes, compressed.
static file_t bomb(rs_compression_t compression, sample_t sample, size_t zeros, int window_log) {
    file_t plain = make_as(sample, 3, 6, RS_COMPRESSION_NONE);
    const size_t members = plain.bytes - 16;
    uint8_t *all = allocate(members + zeros);
    memset(all, 0, members + zeros);
    memcpy(all, plain.data + 16, members);
    file_t file;
    if (compression == RS_COMPRESSION_ZLIB) {
        uLongf bytes = compressBound((uLong)(members + zeros));
        uint8_t *stream = allocate(bytes);
        compress(stream, &bytes, all, (uLong)(members + zeros));
        file = wrap(compression, stream, bytes);
    } else {
        const size_t room = ZSTD_compressBound(members + zeros);
        uint8_t *stream = allocate(room);
        ZSTD_CCtx *compressor = ZSTD_createCCtx();
        ZSTD_CCtx_setParameter(compressor, ZSTD_c_contentSizeFlag, 0);
        if (window_log) ZSTD_CCtx_setParameter(compressor, ZSTD_c_windowLog, window_log);
        ZSTD_outBuffer out = {stream, room, 0};
        ZSTD_inBuffer in = {all, members + zeros, 0};
        while (in.pos < in.size) ZSTD_compressStream2(compressor, &out, &in, ZSTD_e_continue);
        while (ZSTD_compressStream2(compressor, &out, &in, ZSTD_e_end) != 0) continue;
        file = wrap(compression, stream, out.pos);
        ZSTD_freeCCtx(compressor);
    }
    return file;
}

static void check_bomb(rs_compression_t compression, sample_t sample, size_t zeros, int window_log, rs_status_t want) {
    file_t file = bomb(compression, sample, zeros, window_log);
    CHECK(file.bytes < 200000);
    CHECK_STATUS(read_file(sample_kind(sample), &file), want);
}

RS_TEST(decompression_bombs) {
    static const sample_t samples[] = {SAMPLE_PARAMS, SAMPLE_CIPHERTEXT, SAMPLE_SECRET_KEY, SAMPLE_RELIN_SEEDED};
    for (int c = 1; c <= 2; c++) {
        for (int s = 0; s < 4; s++) {
            check_bomb((rs_compression_t)c, samples[s], 0, 0, RS_OK);
            check_bomb((rs_compression_t)c, samples[s], 1, 0, RS_ERR_TRAILING);
            check_bomb((rs_compression_t)c, samples[s], (size_t)64 << 20, 0, RS_ERR_TRAILING);
        }
    }
}

RS_TEST(zstd_windows) {
    check_bomb(RS_COMPRESSION_ZSTD, SAMPLE_CIPHERTEXT, 0, 23, RS_OK);
    for (int log = 24; log <= 27; log++) check_bomb(RS_COMPRESSION_ZSTD, SAMPLE_CIPHERTEXT, 0, log, RS_ERR_CODEC);
}

RS_TEST(wrong_codec) {
    for (int c = 1; c <= 2; c++) {
        file_t file = make_as(SAMPLE_CIPHERTEXT, 3, 6, (rs_compression_t)c);
        file.data[5] = (uint8_t)(3 - c);
        CHECK_STATUS(read_file(RS_WIRE_CIPHERTEXT, &file), RS_ERR_CODEC);
        file.data[5] = 0; // taken for uncompressed
        const rs_status_t status = read_file(RS_WIRE_CIPHERTEXT, &file);
        CHECK(status != RS_OK);
        file.data[5] = (uint8_t)c;
        CHECK_STATUS(read_file_as(RS_WIRE_CIPHERTEXT, file.data, file.bytes, NULL, NULL, NULL), RS_ERR_COMPRESSION);
        // Compressed twice, empty stream, plain members under a compressed header.
        file_t plain = make_as(SAMPLE_CIPHERTEXT, 3, 6, RS_COMPRESSION_NONE);
        plain.data[5] = (uint8_t)c;
        CHECK_STATUS(read_file(RS_WIRE_CIPHERTEXT, &plain), RS_ERR_CODEC);
    }
    static const uint8_t zlib_empty[] = {0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01};
    static const uint8_t zstd_empty[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00};
    static const uint8_t zstd_skippable[] = {0x50, 0x2a, 0x4d, 0x18, 0x04, 0x00, 0x00, 0x00, 1, 2, 3, 4};
    file_t file = wrap(RS_COMPRESSION_ZLIB, zlib_empty, sizeof zlib_empty);
    CHECK_STATUS(read_file(RS_WIRE_CIPHERTEXT, &file), RS_ERR_TRUNCATED);
    file = wrap(RS_COMPRESSION_ZSTD, zstd_empty, sizeof zstd_empty);
    CHECK_STATUS(read_file(RS_WIRE_CIPHERTEXT, &file), RS_ERR_TRUNCATED);
    file = wrap(RS_COMPRESSION_ZSTD, zstd_skippable, sizeof zstd_skippable);
    CHECK(read_file(RS_WIRE_CIPHERTEXT, &file) != RS_OK);
}

// ---- sinks and sources ---------------------------------------------------------------------------------------------------
typedef struct small_disk {
    size_t room;
    size_t calls_after_full;
    rs_status_t patch;
} small_disk_t;

static rs_status_t small_write(void *state, const uint8_t *data, size_t bytes) {
    small_disk_t *disk = state;
    (void)data;
    if (disk->room == SIZE_MAX) {
        disk->calls_after_full++;
        return RS_ERR_DISK_FULL;
    }
    if (bytes > disk->room) {
        disk->room = SIZE_MAX;
        return RS_ERR_DISK_FULL;
    }
    disk->room -= bytes;
    return RS_OK;
}

static rs_status_t small_patch(void *state, uint64_t offset, const uint8_t *data, size_t bytes) {
    small_disk_t *disk = state;
    (void)data;
    return offset == 8 && bytes == 8 ? disk->patch : RS_ERR_IO;
}

RS_TEST(sink_errors) {
    EACH (c, sample) {
        const rs_wire_format_t format = sample_format(3, 6, compressions[c]);
        file_t file = make(sample, &format);
        for (size_t room = 0; room < file.bytes; room += room < 20 && c == 0 ? 1 : file.bytes / 37 + 1) {
            small_disk_t disk = {.room = room};
            const rs_sink_t sink = {small_write, small_patch, &disk};
            const rs_status_t status = sample_write(sample, &sink, &format);
            if (!CHECK_STATUS(status, RS_ERR_DISK_FULL)) printf("  sample %d room %zu\n", sample, room);
            CHECK_EQ_U64(disk.calls_after_full, 0);
        }
        small_disk_t disk = {.room = file.bytes, .patch = RS_ERR_IO};
        const rs_sink_t sink = {small_write, small_patch, &disk};
        CHECK_STATUS(sample_write(sample, &sink, &format), c == 0 ? RS_OK : RS_ERR_IO);
        // A sink that cannot patch takes everything that is not compressed, key-switching keys too.
        disk.room = file.bytes;
        const rs_sink_t pipe_like = {small_write, NULL, &disk};
        CHECK_STATUS(sample_write(sample, &pipe_like, &format), c == 0 ? RS_OK : RS_ERR_COMPRESSION);
    }
    uint8_t small[100];
    into_t into;
    const rs_wire_format_t format = sample_format(3, 6, RS_COMPRESSION_NONE);
    CHECK_STATUS(sample_write(SAMPLE_CIPHERTEXT, write_to(&into, small, sizeof small), &format), RS_ERR_TOO_SMALL);
}

static rs_status_t reread_once(const rs_source_t *source, rs_wire_kind_t kind, int close) {
    rs_wire_reader_t reader;
    uint64_t total = 0;
    uint32_t seeded = 0;
    rs_status_t status = rs_wire_open(&reader, source, rs_host_codec());
    if (status == RS_OK) status = reread(&reader, kind, NULL, NULL, &total, &seeded);
    const rs_status_t closed = rs_wire_close(&reader, close);
    return status == RS_OK ? closed : status;
}

typedef struct trickle {
    const uint8_t *data;
    size_t bytes, position, fail_at;
} trickle_t;

static rs_status_t trickle_read(void *state, uint8_t *out, size_t bytes, size_t *got) {
    trickle_t *trickle = state;
    *got = 0;
    if (trickle->position >= trickle->fail_at) return RS_ERR_IO;
    if (bytes == 0 || trickle->position == trickle->bytes) return RS_OK;
    *out = trickle->data[trickle->position++];
    *got = 1;
    return RS_OK;
}

RS_TEST(sources_that_trickle_and_fail) {
    for (int c = 0; c < COMPRESSION_COUNT; c++) {
        file_t file = make_as(SAMPLE_CIPHERTEXT_SEEDED, 4, 1, compressions[c]);
        const size_t step = file.bytes / 50;
        for (size_t fail_at = 0; fail_at <= file.bytes + step; fail_at += step) {
            trickle_t trickle = {file.data, file.bytes, 0, fail_at > file.bytes ? SIZE_MAX : fail_at};
            const rs_source_t source = {trickle_read, &trickle};
            CHECK_STATUS(reread_once(&source, RS_WIRE_CIPHERTEXT, 1), fail_at > file.bytes ? RS_OK : RS_ERR_IO);
        }
    }
}

RS_TEST(files_and_pipes) {
    static rs_fd_stream_t in, out;
    rs_sink_t sink;
    rs_source_t source;
    for (int c = 0; c < COMPRESSION_COUNT; c++) {
        const rs_wire_format_t format = sample_format(3, 6, compressions[c]);
        // Two objects, one after the other, not at the start of the file.
        FILE *temporary = tmpfile();
        REQUIRE(temporary);
        const int fd = fileno(temporary);
        CHECK(write(fd, "head", 4) == 4);
        for (int i = 0; i < 2; i++) {
            CHECK_OK(rs_sink_to_fd(&sink, &out, fd));
            CHECK_OK(sample_write(i ? SAMPLE_RELIN : SAMPLE_PUBLIC_KEY, &sink, &format));
            CHECK_OK(rs_fd_sink_flush(&out));
        }
        CHECK(lseek(fd, 4, SEEK_SET) == 4);
        rs_source_from_fd(&source, &in, fd);
        for (int i = 0; i < 2; i++) CHECK_OK(reread_once(&source, i ? RS_WIRE_RELIN_KEYS : RS_WIRE_PUBLIC_KEY, i ? 1 : 2));
        fclose(temporary);

        int ends[2];
        REQUIRE(pipe(ends) == 0);
        fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
        CHECK_OK(rs_sink_to_fd(&sink, &out, ends[1]));
        CHECK(sink.patch == NULL);
        CHECK_STATUS(sample_write(SAMPLE_CIPHERTEXT_SEEDED, &sink, &format), c == 0 ? RS_OK : RS_ERR_COMPRESSION);
        CHECK_OK(rs_fd_sink_flush(&out));
        close(ends[1]);
        if (c == 0) {
            rs_source_from_fd(&source, &in, ends[0]);
            CHECK_OK(reread_once(&source, RS_WIRE_CIPHERTEXT, 1));
        }
        close(ends[0]);

        const int full = open("/dev/full", O_WRONLY);
        if (full >= 0) {
            CHECK_OK(rs_sink_to_fd(&sink, &out, full));
            rs_status_t status = sample_write(SAMPLE_RELIN, &sink, &format);
            if (status == RS_OK) status = rs_fd_sink_flush(&out);
            CHECK_STATUS(status, RS_ERR_DISK_FULL);
            close(full);
        }
    }
    FILE *temporary = tmpfile();
    REQUIRE(temporary);
    const int fd = fileno(temporary);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_APPEND);
    CHECK_OK(rs_sink_to_fd(&sink, &out, fd));
    CHECK(sink.patch == NULL);
    fclose(temporary);
    CHECK_STATUS(rs_sink_to_fd(&sink, &out, -1), RS_ERR_IO);
    rs_wire_reader_t reader;
    rs_source_from_fd(&source, &in, -1);
    CHECK_STATUS(rs_wire_open(&reader, &source, NULL), RS_ERR_IO);
    CHECK_OK(rs_wire_close(&reader, 0));
}

RS_TEST(seeds_from_the_system) {
    rs_rng_t rng;
    rs_seed_t a, b;
    uint8_t large[1000];
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    rs_rng_os(&rng);
    CHECK_OK(rng.fill(rng.state, a.bytes, sizeof a.bytes));
    CHECK_OK(rng.fill(rng.state, b.bytes, sizeof b.bytes));
    CHECK(memcmp(&a, &b, sizeof a) != 0);
    CHECK_OK(rng.fill(rng.state, large, sizeof large));
}

// ---- writing what must not be written ------------------------------------------------------------------------------------
RS_TEST(bad_objects_are_not_written) {
    const rs_context_t *context = sample_context();
    const rs_params_t params = sample_params();
    file_t file = {allocate(SAMPLE_CAPACITY), 0};
    into_t into;
    const rs_sink_t *sink = write_to(&into, file.data, SAMPLE_CAPACITY);
#define WRITE_WITH(change, want)                                                    \
    do {                                                                            \
        rs_ciphertext_t x = sample_ciphertext(2, 2, 0, 1048576.0, 1);               \
        change;                                                                     \
        write_to(&into, file.data, SAMPLE_CAPACITY);                                \
        CHECK_STATUS(write_ciphertext(sink, &PLAIN, RS_WIRE_CIPHERTEXT, &x), want); \
        free(x.data);                                                               \
    } while (0)
    WRITE_WITH(x.scale = 1.5, RS_OK);
    WRITE_WITH(x.parms_id[3] ^= 1, RS_ERR_MISMATCH);
    WRITE_WITH(x.limb_count = 1, RS_ERR_MISMATCH);
    WRITE_WITH(x.poly_count = 1, RS_ERR_POLY_COUNT);
    WRITE_WITH(x.poly_count = 17, RS_ERR_POLY_COUNT);
    WRITE_WITH(x.scale = 0, RS_ERR_SCALE);
    WRITE_WITH(x.scale = -1, RS_ERR_SCALE);
    WRITE_WITH(x.scale = 4503599627370496.0, RS_ERR_SCALE);
    WRITE_WITH((x.seeded = 1, x.seed_type = (rs_seed_type_t)3), RS_ERR_SEED_TYPE);
    WRITE_WITH((x.seeded = 1, x.poly_count = 3), RS_ERR_POLY_COUNT);
    WRITE_WITH(x.data[0] = params.moduli[0], RS_ERR_RESIDUE);
    // Above the data levels there are only keys, and keys are nowhere else.
    rs_ciphertext_t key = sample_ciphertext(2, 3, 0, 1.0, 1);
    CHECK_STATUS(write_ciphertext(sink, &PLAIN, RS_WIRE_CIPHERTEXT, &key), RS_ERR_LEVEL);
    CHECK_STATUS(write_ciphertext(sink, &PLAIN, RS_WIRE_RELIN_KEYS, &key), RS_ERR_KIND);
    CHECK_STATUS(write_ciphertext(sink, &PLAIN, RS_WIRE_UNKNOWN, &key), RS_ERR_KIND);
    CHECK_OK(write_ciphertext(sink, &PLAIN, RS_WIRE_PUBLIC_KEY, &key));
    key.scale = 2.0;
    CHECK_STATUS(write_ciphertext(sink, &PLAIN, RS_WIRE_PUBLIC_KEY, &key), RS_ERR_SCALE);
    key.scale = 1.0;
    key.poly_count = 3;
    CHECK_STATUS(write_ciphertext(sink, &PLAIN, RS_WIRE_PUBLIC_KEY, &key), RS_ERR_POLY_COUNT);
    rs_plaintext_t plaintext;
    memset(&plaintext, 0, sizeof plaintext);
    plaintext.form = RS_FORM_NTT;
    plaintext.ntt = key.data;
    plaintext.scale = 2.0;
    plaintext.limb_count = 3;
    memcpy(plaintext.parms_id, key.parms_id, 32);
    CHECK_STATUS(write_plaintext(sink, &PLAIN, &plaintext, (rs_memory_t){NULL, 0}), RS_ERR_LEVEL);
    plaintext.limb_count = 2;
    CHECK_STATUS(write_plaintext(sink, &PLAIN, &plaintext, (rs_memory_t){NULL, 0}), RS_ERR_MISMATCH);
    memcpy(plaintext.parms_id, rs_context_parms_id(context, 2), 32);
    CHECK_OK(write_plaintext(sink, &PLAIN, &plaintext, (rs_memory_t){NULL, 0}));
    plaintext.scale = 4503599627370496.0;
    CHECK_STATUS(write_plaintext(sink, &PLAIN, &plaintext, (rs_memory_t){NULL, 0}), RS_ERR_SCALE);
    plaintext.form = (rs_form_t)2;
    CHECK_STATUS(write_plaintext(sink, &PLAIN, &plaintext, (rs_memory_t){NULL, 0}), RS_ERR_FORM);
    free(key.data);
    WRITE_WITH(x.data[4095] = params.moduli[1], RS_ERR_RESIDUE);
    rs_ciphertext_t none = sample_ciphertext(2, 2, 0, 1048576.0, 1);
    free(none.data);
    none.data = NULL;
    CHECK_STATUS(write_ciphertext(sink, &PLAIN, RS_WIRE_CIPHERTEXT, &none), RS_ERR_NULL);

    static const uint8_t bad_versions[][2] = {{3, 4}, {3, 5}, {3, 8}, {4, 5}, {2, 0}, {5, 0}};
    for (int i = 0; i < 6; i++) {
        const rs_wire_format_t bad = sample_format(bad_versions[i][0], bad_versions[i][1], RS_COMPRESSION_NONE);
        CHECK_STATUS(write_params(sink, &bad, &params), RS_ERR_VERSION);
    }
    rs_wire_format_t bad = sample_format(3, 6, (rs_compression_t)3);
    CHECK_STATUS(write_params(sink, &bad, &params), RS_ERR_COMPRESSION);
    bad = sample_format(3, 6, RS_COMPRESSION_ZSTD);
    bad.codec = NULL;
    CHECK_STATUS(write_params(sink, &bad, &params), RS_ERR_COMPRESSION);
    const rs_codec_t shorter = {.size = sizeof shorter - 1};
    bad.codec = &shorter;
    CHECK_STATUS(write_params(sink, &bad, &params), RS_ERR_STRUCT);
    CHECK_STATUS(write_params(sink, &(rs_wire_format_t){.reserved = 1}, &params), RS_ERR_STRUCT);
    // Zero is 3.6, plain.
    CHECK_OK(write_params(write_to(&into, file.data, SAMPLE_CAPACITY), &(rs_wire_format_t){0}, &params));
    file.bytes = into.memory.bytes;
    file_t want = make_as(SAMPLE_PARAMS, 3, 6, RS_COMPRESSION_NONE);
    CHECK(same(want.data, want.bytes, &file));
    // A secret key leaves by its own function alone.
    rs_secret_key_t secret = {.ntt = sample_words(1, SAMPLE_LIMBS, 5)};
    memcpy(secret.parms_id, rs_context_parms_id(context, SAMPLE_LIMBS), 32);
    rs_wire_write_request_t request = sample_request(RS_WIRE_SECRET_KEY, sink, &PLAIN);
    request.secret_key = &secret;
    rs_wire_writer_t writer;
    CHECK_STATUS(rs_wire_write(&request), RS_ERR_KIND);
    CHECK_STATUS(rs_wire_writer_open(&writer, &request), RS_ERR_KIND);
    CHECK_STATUS(rs_wire_writer_close(&writer, NULL), RS_ERR_KIND);
    CHECK_OK(rs_wire_write_secret_key(&request));
    request.size = sizeof request - 8;
    CHECK_STATUS(rs_wire_write_secret_key(&request), RS_ERR_STRUCT);
    free(secret.ntt);
}

// Calls as a text: `name a b c: STATUS`, separated by semicolons. Arguments that are left out are 0, and without a status it is RS_OK.
typedef rs_status_t call_t(void *state, const char *name, const unsigned long long *arguments);

static void run_calls(const char *text, call_t *call, void *state) {
    for (const char *at = text; at; at = strchr(at + 1, ';')) {
        char name[32] = "", status[32], want[48] = "RS_OK";
        unsigned long long arguments[3] = {0};
        const char *end = at + 1 + strcspn(at + 1, ";:");
        CHECK(sscanf(at + (*at == ';'), " %31[a-z_] %llu %llu %llu", name, &arguments[0], &arguments[1], &arguments[2]) >= 1);
        if (*end == ':' && sscanf(end, ": %31[A-Z_]", status) == 1) snprintf(want, sizeof want, "RS_ERR_%s", status);
        const char *got = rs_status_name(call(state, name, arguments));
        if (!CHECK(strcmp(got, want) == 0)) printf("  %s, not %s, at %s\n", got, want, at);
    }
}

typedef struct writing {
    file_t file;
    into_t into;
    rs_wire_format_t format;
    rs_wire_writer_t writer;
    rs_ciphertext_t x, key;
    const rs_ciphertext_t *open;
} writing_t;

// open: of the key? words: how many. parts: all words, in odd portions. close: 0 with x, 1 with the key, 2 with nothing. seed: its type, of the
// key. keys: entries, components, seeded. entry: components. component: x, which is no key?
static rs_status_t write_call(void *state, const char *name, const unsigned long long *a) {
    writing_t *w = state;
    if (!strcmp(name, "open") || !strcmp(name, "keys")) write_to(&w->into, w->file.data, SAMPLE_CAPACITY);
    if (!strcmp(name, "open")) {
        w->open = a[0] ? &w->key : &w->x;
        rs_wire_write_request_t request = sample_request(a[0] ? RS_WIRE_PUBLIC_KEY : RS_WIRE_CIPHERTEXT, &w->into.sink, &w->format);
        request.ciphertext = w->open;
        return rs_wire_writer_open(&w->writer, &request);
    }
    if (!strcmp(name, "words")) return rs_wire_writer_words(&w->writer, w->open->data, a[0]);
    if (!strcmp(name, "parts")) {
        for (size_t i = 0, part; i < 4096; i += part) {
            part = i * 3 % 1500 + 1 < 4096 - i ? i * 3 % 1500 + 1 : 4096 - i;
            const rs_status_t status = rs_wire_writer_words(&w->writer, w->open->data + i, part);
            if (status != RS_OK) return status;
        }
        return RS_OK;
    }
    if (!strcmp(name, "close")) return rs_wire_writer_close(&w->writer, a[0] == 2 ? NULL : a[0] ? &w->key : &w->x);
    if (!strcmp(name, "read")) {
        w->file.bytes = w->into.memory.bytes;
        return read_file(w->open == &w->key ? RS_WIRE_PUBLIC_KEY : RS_WIRE_CIPHERTEXT, &w->file);
    }
    if (!strcmp(name, "keys")) {
        const rs_wire_write_request_t request = sample_keys_request(&w->into.sink, &w->format, a[0], a[1], a[2] != 0);
        return rs_wire_writer_open(&w->writer, &request);
    }
    if (!strcmp(name, "entry")) return rs_wire_writer_entry(&w->writer, a[0]);
    if (!strcmp(name, "component")) return rs_wire_writer_component(&w->writer, a[0] ? &w->x : &w->key);
    CHECK(!strcmp(name, "seed"));
    w->key.seed_type = (rs_seed_type_t)a[0];
    return RS_OK;
}

RS_TEST(writing_out_of_order) {
    static const char *const texts[] = {
        // Ciphertext: too few, too many words; in odd portions; after close.
        "open; words 4095; close: SEQUENCE",
        "open; words 4097: SEQUENCE; words 1: SEQUENCE; close: SEQUENCE",
        "open; parts; close; read; words 1: SEQUENCE; close: SEQUENCE",
        // Keys: entry instead of component and the other way round; wrong counts; the wrong sort of component.
        "keys 1 2 1; component: SEQUENCE; close 2: SEQUENCE",
        "keys 1 2 1; entry 2; entry 2: SEQUENCE; close 2: SEQUENCE",
        "keys 2 2 1; entry 2; component; component; component: SEQUENCE; close 2: SEQUENCE",
        "keys 1 2 1; entry 0; close 2: SEQUENCE", // promised components are missing
        "keys 1 2 0; entry 2; component: SEEDED; close 2: SEEDED",
        "keys 1 2 0; entry 2; component 1: LEVEL; close 2: LEVEL",
        "keys 15 2 0: LENGTH; close 2: LENGTH; keys 1 3 0: LENGTH; close 2: LENGTH; keys 1 4 0: LENGTH; close 2: LENGTH",
        "keys 2 2 1; entry 1: LENGTH; close 2: LENGTH",
        "keys 2 2 1; entry 2; component; component; entry 2: SEQUENCE; close 2: SEQUENCE", // more than was promised
        "keys 1 0 1; entry 0; entry 0: SEQUENCE; close 2: SEQUENCE",
        "keys 1 2 1; words 1: SEQUENCE; close: SEQUENCE", // words of the other kind of object
        "seed 0; keys 1 2 1; entry 2; component: SEED_TYPE; close 2: SEED_TYPE",
        // A seed is needed when the object is closed, not before.
        "open 1; words 3072; close 2: NULL; open 1; words 3072; close 1: SEED_TYPE; open 1; words 3072; seed 2; close 1; read",
    };
    writing_t w = {.file = {allocate(SAMPLE_CAPACITY), 0}, .format = sample_format(3, 6, RS_COMPRESSION_ZSTD)};
    w.x = sample_ciphertext(2, 2, 0, 1048576.0, 1);
    w.key = sample_ciphertext(2, 3, 1, 1.0, 1);
    w.open = &w.x;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) run_calls(texts[i], write_call, &w);
    free(w.x.data);
    free(w.key.data);
}

typedef struct reading {
    rs_wire_reader_t *reader;
    rs_ciphertext_t x;
    rs_plaintext_t message;
    rs_secret_key_t secret;
} reading_t;

static rs_status_t read_call(void *state, const char *name, const unsigned long long *a) {
    reading_t *r = state;
    const rs_context_t *context = sample_context();
    uint64_t count;
    r->message.ntt = r->secret.ntt = r->x.data;
    rs_wire_target_t target = {sizeof target, (uint32_t)a[0], &r->message, &r->x, &r->secret};
    if (!strcmp(name, "begin")) {
        target.ciphertext = &(rs_ciphertext_t){0};
        return rs_wire_read_begin(r->reader, context, &target);
    }
    if (!strcmp(name, "words")) return rs_wire_read_words(r->reader, &target);
    if (!strcmp(name, "keys")) return rs_wire_read_entries(r->reader, context, RS_WIRE_RELIN_KEYS, &count);
    if (!strcmp(name, "entry")) return rs_wire_read_entry(r->reader, &count);
    if (!strcmp(name, "close")) return rs_wire_close(r->reader, (int)a[0]);
    CHECK(!strcmp(name, "change"));
    r->message.limb_count = 1;
    r->secret.parms_id[0] ^= 1;
    return RS_OK;
}

RS_TEST(reading_out_of_order) {
    static const struct {
        sample_t sample;
        const char *text;
    } orders[] = {
        // Numbers of begin and words: 2 plaintext, 3 secret key, 4 ciphertext, 6 relinearisation keys.
        // Words first, begin twice, close early, entry out of turn.
        {SAMPLE_CIPHERTEXT, "words 4: SEQUENCE; close 1: SEQUENCE; begin 4: SEQUENCE"},
        {SAMPLE_CIPHERTEXT, "begin 4; begin 4: SEQUENCE; close 1: SEQUENCE; begin 4: SEQUENCE"},
        {SAMPLE_CIPHERTEXT, "begin 4; close 1: SEQUENCE; begin 4: SEQUENCE"},
        {SAMPLE_CIPHERTEXT, "entry: SEQUENCE; close 1: SEQUENCE; begin 4: SEQUENCE"},
        {SAMPLE_RELIN_SEEDED, "begin 6: SEQUENCE; close 1: SEQUENCE; begin 4: SEQUENCE"},
        {SAMPLE_RELIN_SEEDED, "keys; begin 6: SEQUENCE; close 1: SEQUENCE; begin 4: SEQUENCE"},
        {SAMPLE_RELIN_SEEDED, "keys; entry; entry: SEQUENCE; close 1: SEQUENCE; begin 4: SEQUENCE"},
        {SAMPLE_RELIN_SEEDED, "keys; entry; words 6: SEQUENCE; close 1: SEQUENCE; begin 4: SEQUENCE"},
        {SAMPLE_RELIN_SEEDED, "keys; entry; begin 7: SEQUENCE; close 1: SEQUENCE"},
        // Words of another kind than was begun, or of another object; kinds without words.
        {SAMPLE_PLAINTEXT, "begin 2; words 3: SEQUENCE; close"},
        {SAMPLE_SECRET_KEY, "begin 3; words 2: SEQUENCE; close"},
        {SAMPLE_PLAINTEXT, "begin 2; change; words 2: MISMATCH; close"},
        {SAMPLE_SECRET_KEY, "begin 3; change; words 3: MISMATCH; close"},
        {SAMPLE_PARAMS, "begin 1: KIND; begin 8: KIND; begin 0: KIND; words 1: KIND; close"},
        // A file of Galois keys is none of relinearisation keys.
        {SAMPLE_GALOIS_SEEDED, "keys: KIND; close 1: KIND"},
    };
    reading_t reading = {.x = sample_ciphertext(2, 2, 0, 1048576.0, 1)};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        file_t file = make_as(orders[i].sample, 3, 6, RS_COMPRESSION_NONE);
        from_t from;
        reading.reader = read_from(&from, file.data, file.bytes);
        run_calls(orders[i].text, read_call, &reading);
    }
    free(reading.x.data);
}

RS_TEST(null_arguments) {
    rs_wire_reader_t reader;
    rs_wire_info_t info;
    rs_source_t source = {NULL, NULL};
    CHECK_STATUS(rs_wire_open(NULL, &source, NULL), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_open(&reader, NULL, NULL), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_close(&reader, 1), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_open(&reader, &source, NULL), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_read_params(&reader, NULL, RS_SECURITY_UNCHECKED), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_info(&reader, NULL, NULL), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_info(NULL, NULL, &info), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_close(NULL, 1), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_write(NULL), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_write_secret_key(NULL), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_write(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_PARAMS)), RS_ERR_NULL);
    CHECK_STATUS(rs_wire_write(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_CIPHERTEXT)), RS_ERR_NULL);
    CHECK_EQ_U64(rs_wire_bytes(NULL), 0);
    rs_source_t from;
    rs_memory_source_t memory;
    rs_source_from_memory(&from, &memory, NULL, 5);
    CHECK_STATUS(rs_wire_open(&reader, &from, NULL), RS_ERR_TRUNCATED);
    rs_source_from_memory(&from, &memory, (const uint8_t *)"hi", 2);
    CHECK_STATUS(rs_wire_open(&reader, &from, NULL), RS_ERR_MAGIC);
}

// ---- conversion ----------------------------------------------------------------------------------------------------------
RS_TEST(convert_every_kind) {
    file_t got = {allocate(SAMPLE_CAPACITY), 0};
    for (sample_t sample = 0; sample < SAMPLE_COUNT; sample++) {
        for (int from = 0; from < VERSION_COUNT; from += 2) {
            for (int to = 0; to < VERSION_COUNT; to += 3) {
                for (int c = 0; c < COMPRESSION_COUNT; c++) {
                    for (int d = 0; d < COMPRESSION_COUNT; d++) {
                        if (from + to + c + d > 6 && (sample == SAMPLE_RELIN || sample == SAMPLE_PUBLIC_KEY)) continue;
                        const rs_wire_format_t format = sample_format(versions[to][0], versions[to][1], compressions[d]);
                        file_t file = make_as(sample, versions[from][0], versions[from][1], compressions[c]);
                        into_t into;
                        const rs_sink_t *sink = write_to(&into, got.data, SAMPLE_CAPACITY);
                        CHECK_OK(convert(file.data, file.bytes, rs_host_codec(), sink, &format));
                        got.bytes = into.memory.bytes;
                        if (d == 0) { // what writing it so in the first place gives
                            file_t want = make(sample, &format);
                            CHECK(same(got.data, got.bytes, &want));
                        } else {
                            CHECK_OK(read_file(sample_kind(sample), &got));
                        }
                    }
                }
            }
        }
    }
}

RS_TEST(convert_refuses) {
    file_t got = {allocate(SAMPLE_CAPACITY), 0};
    into_t into;
    _Alignas(8) uint8_t buffer[4096];
    const rs_wire_format_t to_3 = sample_format(3, 6, RS_COMPRESSION_NONE), to_4 = sample_format(4, 0, RS_COMPRESSION_NONE);
#define CONVERT_TO(room, file, format) convert((file).data, (file).bytes, rs_host_codec(), write_to(&into, got.data, room), format)
#define CONVERT(file, format, want) CHECK_STATUS(CONVERT_TO(SAMPLE_CAPACITY, file, format), want)
    file_t file = make_as(SAMPLE_CIPHERTEXT, 4, 1, RS_COMPRESSION_NONE);
    file.data[81] = 3; // BGV's correction factor
    CONVERT(file, &to_3, RS_ERR_VERSION);
    CONVERT(file, &to_4, RS_OK);
    CHECK_EQ_U64(got.data[81], 3);
    file.data[81] = 1;
    file.data[48] = 0; // BFV: coefficients
    CONVERT(file, &to_3, RS_OK);
    CHECK_EQ_U64(got.data[48], 0);
    memset(file.data + 16 + 73 + 24, 0xff, 64); // residues are not looked at
    CONVERT(file, &to_3, RS_OK);
    file = make_as(SAMPLE_CIPHERTEXT_SEEDED, 3, 6, RS_COMPRESSION_NONE);
    reversion(&file, 5);
    CONVERT(file, &to_3, RS_ERR_VERSION);
    file = make_as(SAMPLE_PARAMS, 4, 0, RS_COMPRESSION_NONE);
    file.data[16] = 3;
    CONVERT(file, &to_4, RS_OK);
    CONVERT(file, &to_3, RS_OK);
    file.data[16] = 4;
    CONVERT(file, &to_4, RS_ERR_SCHEME);
    // A Modulus object on its own: a sound header, but no kind that is known here.
    static bytes_t modulus;
    modulus.count = 0;
    put_header(&modulus, 3, 6, 24);
    put_le(&modulus, 12289, 8);
    const file_t lone = {modulus.data, modulus.count};
    CONVERT(lone, &to_3, RS_ERR_KIND);
    // Key-switching keys of unknown new size.
    for (int c = 0; c < 2; c++) {
        file = make_as(SAMPLE_RELIN_SEEDED, 3, 6, compressions[c]);
        for (int to = 0; to < 2; to++) {
            write_to(&into, got.data, SAMPLE_CAPACITY);
            into.sink.patch = NULL;
            const rs_status_t status = convert(file.data, file.bytes, rs_host_codec(), &into.sink, to ? &to_4 : &to_3);
            CHECK_STATUS(status, c == 0 && to == 0 ? RS_OK : RS_ERR_COMPRESSION);
        }
    }
    // Damage and truncation, at every metadata byte.
    for (sample_t sample = 0; sample < SAMPLE_COUNT; sample++) {
        file = make_as(sample, 4, 1, RS_COMPRESSION_NONE);
        for (size_t cut = 0; cut < file.bytes; cut = next_cut(&file, cut))
            CONVERT(((file_t){file.data, cut}), &to_3, RS_ERR_TRUNCATED);
        for (size_t i = 0; i < 300 && i < file.bytes; i++) {
            file.data[i] ^= 0x21;
            rs_ignore(CONVERT_TO(SAMPLE_CAPACITY, file, &to_3));
            file.data[i] ^= 0x21;
        }
        file.data[file.bytes++] = 1;
        CONVERT(file, &to_3, RS_ERR_TRAILING);
    }
    // Too small a buffer; output too small.
    file = make_as(SAMPLE_RELIN, 3, 6, RS_COMPRESSION_ZSTD);
    for (size_t room = 0; room < 20000; room += 1999) CHECK_STATUS(CONVERT_TO(room, file, &to_4), RS_ERR_TOO_SMALL);
    from_t from;
    rs_wire_reader_t *reader = read_from(&from, file.data, file.bytes);
    const rs_sink_t *sink = write_to(&into, got.data, SAMPLE_CAPACITY);
    CHECK_STATUS(rs_wire_convert(reader, sink, &to_3, (rs_memory_t){buffer, 4095}), RS_ERR_TOO_SMALL);
    CHECK_EQ_U64(into.memory.bytes, 0);
    CHECK_OK(rs_wire_close(reader, 0));
}
