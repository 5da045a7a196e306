// SPDX-License-Identifier: Apache-2.0
// zlib (RFC 1950) and zstd (RFC 8878) as codecs of the wire format. Residues have a zstd writer and reader of their own (zstd_words.h).
//
// Reading never allocates more than the decoder's own state (zlib 48 KiB; zstd at most a window of 2^23 bytes and its buffers) and
// never decodes more than it is asked for, so that a decompression bomb ends where the object should.
// A secret key may pass through: all memory of the compressors is wiped before it is freed.
#define ZSTD_STATIC_LINKING_ONLY // ZSTD_create*_advanced: not promised for ever, and exported by every libzstd since 0.7
#include <ringside/host.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "host/zstd_words.h"

enum {
    CHUNK_BYTES = 16384,
    WINDOW_LOG_MAX = 23,
    ZLIB_LEVEL_MAX = 9,
    ZSTD_LEVEL_WINDOW_23 = 17, // levels above use larger windows by themselves
};

typedef struct codec_state {
    rs_compression_t compression;
    rs_status_t failed; // first error; every later call returns it
    int zlib_ready;
    z_stream zlib;
    ZSTD_CCtx *compressor;
    ZSTD_DCtx *decompressor;
    rs_zstd_writer_t *words_out; // the writer of a frame of residues
    rs_zstd_reader_t *words_in;
    rs_sink_t sink;
    rs_source_t source;
    uint64_t bytes; // compressed: written so far, or still to be read from the source
    int ended; // the compressed stream says that it is complete
    size_t fill;
    size_t position;
    uint8_t chunk[CHUNK_BYTES]; // compressed bytes
} codec_state_t;

static rs_status_t fail(codec_state_t *codec, rs_status_t status) {
    if (status != RS_OK && codec->failed == RS_OK) codec->failed = status;
    return codec->failed;
}

// ---- memory of zlib and zstd ---------------------------------------------------------------------------------------------
enum { SIZE_BYTES = 64 }; // in front of each piece stands its size; more than that keeps the alignment

static void *allocate_sized(void *unused, size_t bytes) {
    (void)unused;
    uint8_t *memory = bytes > SIZE_MAX - SIZE_BYTES ? NULL : malloc(SIZE_BYTES + bytes);
    if (!memory) return NULL;
    memcpy(memory, &bytes, sizeof bytes);
    return memory + SIZE_BYTES;
}

static void *allocate_items(void *unused, uInt items, uInt size) { return allocate_sized(unused, (size_t)items * size); }

static void free_wiped(void *unused, void *memory) {
    (void)unused;
    if (!memory) return;
    uint8_t *const start = (uint8_t *)memory - SIZE_BYTES;
    size_t bytes;
    memcpy(&bytes, start, sizeof bytes);
    rs_zeroize(memory, bytes);
    free(start);
}

static const ZSTD_customMem WIPED = {allocate_sized, free_wiped, NULL};

// ---- writing -----------------------------------------------------------------------------------------------------------
static rs_status_t put_chunk(codec_state_t *codec, size_t bytes) {
    codec->bytes += bytes;
    return bytes == 0 ? codec->failed : fail(codec, codec->sink.write(codec->sink.state, codec->chunk, bytes));
}

static rs_status_t deflate_bytes(codec_state_t *codec, const uint8_t *data, size_t bytes, int finish) {
    while (codec->failed == RS_OK) {
        const uInt part = bytes < CHUNK_BYTES ? (uInt)bytes : CHUNK_BYTES;
        const int last = finish && part == bytes;
        codec->zlib.next_in = (Bytef *)(uintptr_t)data; // zlib does not write there
        codec->zlib.avail_in = part;
        do {
            codec->zlib.next_out = codec->chunk;
            codec->zlib.avail_out = CHUNK_BYTES;
            const int result = deflate(&codec->zlib, last ? Z_FINISH : Z_NO_FLUSH);
            if (result == Z_STREAM_ERROR) return fail(codec, RS_ERR_CODEC);
            if (put_chunk(codec, CHUNK_BYTES - codec->zlib.avail_out) != RS_OK) return codec->failed;
        } while (codec->zlib.avail_out == 0);
        data += part;
        bytes -= part;
        if (bytes == 0) break;
    }
    return codec->failed;
}

static rs_status_t zstd_bytes(codec_state_t *codec, const uint8_t *data, size_t bytes, int finish) {
    ZSTD_inBuffer in = {data, bytes, 0};
    while (codec->failed == RS_OK) {
        ZSTD_outBuffer out = {codec->chunk, CHUNK_BYTES, 0};
        const size_t left = ZSTD_compressStream2(codec->compressor, &out, &in, finish ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) return fail(codec, RS_ERR_CODEC);
        if (put_chunk(codec, out.pos) != RS_OK) return codec->failed;
        if (finish ? left == 0 : in.pos == in.size) break;
    }
    return codec->failed;
}

static rs_status_t write_bytes(codec_state_t *codec, const uint8_t *data, size_t bytes, int finish) {
    if (codec->compression == RS_COMPRESSION_ZLIB) return deflate_bytes(codec, data, bytes, finish);
    return zstd_bytes(codec, data, bytes, finish);
}

static void release(codec_state_t *codec, int writing) {
    if (codec->zlib_ready) {
        if (writing) {
            deflateEnd(&codec->zlib);
        } else {
            inflateEnd(&codec->zlib);
        }
    }
    ZSTD_freeCCtx(codec->compressor);
    ZSTD_freeDCtx(codec->decompressor);
    rs_zstd_writer_free(codec->words_out);
    rs_zstd_reader_free(codec->words_in);
    rs_zeroize(codec, sizeof *codec);
    free(codec);
}

static rs_status_t start_writing(codec_state_t *codec, int level) {
    if (codec->compression == RS_COMPRESSION_ZLIB) {
        if (level < 0 || level > ZLIB_LEVEL_MAX) return RS_ERR_COMPRESSION;
        const int result = deflateInit(&codec->zlib, level == 0 ? Z_DEFAULT_COMPRESSION : level);
        if (result != Z_OK) return result == Z_MEM_ERROR ? RS_ERR_NO_MEMORY : RS_ERR_CODEC;
        codec->zlib_ready = 1;
        return RS_OK;
    }
    if (level < 0 || level > ZSTD_maxCLevel()) return RS_ERR_COMPRESSION;
    codec->compressor = ZSTD_createCCtx_advanced(WIPED);
    if (!codec->compressor) return RS_ERR_NO_MEMORY;
    if (ZSTD_isError(ZSTD_CCtx_setParameter(codec->compressor, ZSTD_c_compressionLevel, level)) ||
        (level > ZSTD_LEVEL_WINDOW_23 &&
         ZSTD_isError(ZSTD_CCtx_setParameter(codec->compressor, ZSTD_c_windowLog, WINDOW_LOG_MAX)))) {
        return RS_ERR_CODEC;
    }
    return RS_OK;
}

static codec_state_t *allocate(rs_compression_t compression) {
    codec_state_t *codec = calloc(1, sizeof *codec);
    if (!codec) return NULL;
    codec->compression = compression;
    codec->zlib.zalloc = allocate_items;
    codec->zlib.zfree = free_wiped;
    return codec;
}

static rs_status_t codec_write_begin(void **state, rs_compression_t compression, int level, const rs_sink_t *inner) {
    *state = NULL;
    if (compression != RS_COMPRESSION_ZLIB && compression != RS_COMPRESSION_ZSTD) return RS_ERR_COMPRESSION;
    codec_state_t *codec = allocate(compression);
    if (!codec) return RS_ERR_NO_MEMORY;
    codec->sink = *inner;
    const rs_status_t status = start_writing(codec, level);
    if (status != RS_OK) {
        release(codec, 1);
        return status;
    }
    *state = codec;
    return RS_OK;
}

static rs_status_t codec_write_begin_words(void **state, rs_compression_t compression, const rs_sink_t *inner) {
    if (compression != RS_COMPRESSION_ZSTD) return codec_write_begin(state, compression, 0, inner);
    *state = NULL;
    codec_state_t *codec = allocate(compression);
    if (!codec) return RS_ERR_NO_MEMORY;
    codec->words_out = rs_zstd_writer_new(inner);
    if (!codec->words_out) {
        release(codec, 1);
        return RS_ERR_NO_MEMORY;
    }
    *state = codec;
    return RS_OK;
}

static rs_status_t codec_write(void *state, const uint8_t *data, size_t bytes) {
    codec_state_t *codec = state;
    if (codec->failed != RS_OK || bytes == 0) return codec->failed;
    if (codec->words_out) return fail(codec, rs_zstd_writer_write(codec->words_out, data, bytes));
    return write_bytes(codec, data, bytes, 0);
}

static rs_status_t codec_write_end(void *state, uint64_t *compressed_bytes) {
    codec_state_t *codec = state;
    static const uint8_t nothing[1];
    if (codec->words_out) {
        if (codec->failed == RS_OK) rs_ignore(fail(codec, rs_zstd_writer_end(codec->words_out, &codec->bytes)));
    } else if (codec->failed == RS_OK) {
        rs_ignore(write_bytes(codec, nothing, 0, 1));
    }
    const rs_status_t status = codec->failed;
    *compressed_bytes = codec->bytes;
    release(codec, 1);
    return status;
}

// ---- reading -----------------------------------------------------------------------------------------------------------
static rs_status_t codec_read_begin(void **state, rs_compression_t compression, const rs_source_t *inner,
                                    uint64_t compressed_bytes) {
    *state = NULL;
    if (compression != RS_COMPRESSION_ZLIB && compression != RS_COMPRESSION_ZSTD) return RS_ERR_COMPRESSION;
    codec_state_t *codec = allocate(compression);
    if (!codec) return RS_ERR_NO_MEMORY;
    codec->source = *inner;
    codec->bytes = compressed_bytes;
    if (compression == RS_COMPRESSION_ZLIB) {
        const int result = inflateInit(&codec->zlib);
        if (result != Z_OK) {
            release(codec, 0);
            return result == Z_MEM_ERROR ? RS_ERR_NO_MEMORY : RS_ERR_CODEC;
        }
        codec->zlib_ready = 1;
    }
    *state = codec;
    return RS_OK;
}

// More compressed bytes into an empty chunk; none left in the object is not an error yet.
static rs_status_t refill(codec_state_t *codec) {
    const size_t want = codec->bytes < CHUNK_BYTES ? (size_t)codec->bytes : CHUNK_BYTES;
    size_t got = 0;
    if (want == 0) return RS_OK;
    codec->position = 0;
    codec->fill = 0;
    const rs_status_t status = codec->source.read(codec->source.state, codec->chunk, want, &got);
    if (status != RS_OK) return fail(codec, status);
    if (got > want) return fail(codec, RS_ERR_IO);
    if (got == 0) return fail(codec, RS_ERR_TRUNCATED);
    codec->fill = got;
    codec->bytes -= got;
    return RS_OK;
}

// Exactly these compressed bytes: what the words' reader asks for.
static rs_status_t input(void *state, uint8_t *out, size_t bytes, size_t *got) {
    codec_state_t *codec = state;
    *got = codec->fill - codec->position;
    if (*got > bytes) *got = bytes;
    memcpy(out, codec->chunk + codec->position, *got);
    codec->position += *got;
    while (*got < bytes) {
        const size_t left = bytes - *got, want = codec->bytes < left ? (size_t)codec->bytes : left;
        size_t part = 0;
        if (want == 0) return RS_ERR_CODEC; // the frame is longer than the object
        const rs_status_t status = codec->source.read(codec->source.state, out + *got, want, &part);
        if (status != RS_OK) return status;
        if (part > want) return RS_ERR_IO;
        if (part == 0) return RS_ERR_TRUNCATED;
        codec->bytes -= part;
        *got += part;
    }
    return RS_OK;
}

// The decoder that the first bytes of a zstd frame ask for.
static rs_status_t start_zstd(codec_state_t *codec) {
    const rs_source_t source = {input, codec};
    while (codec->fill < RS_ZSTD_MARK_BYTES && codec->bytes > 0) {
        const size_t want = RS_ZSTD_MARK_BYTES - codec->fill;
        size_t got = 0;
        const rs_status_t status = codec->source.read(codec->source.state, codec->chunk + codec->fill,
                                                      codec->bytes < want ? (size_t)codec->bytes : want, &got);
        if (status != RS_OK) return fail(codec, status);
        if (got > want) return fail(codec, RS_ERR_IO);
        if (got == 0) break; // truncated, as will be found
        codec->fill += got;
        codec->bytes -= got;
    }
    if (codec->fill == RS_ZSTD_MARK_BYTES && memcmp(codec->chunk, RS_ZSTD_MARK, RS_ZSTD_MARK_BYTES) == 0) {
        codec->position = codec->fill;
        codec->words_in = rs_zstd_reader_new(&source);
        return codec->words_in ? RS_OK : fail(codec, RS_ERR_NO_MEMORY);
    }
    codec->decompressor = ZSTD_createDCtx_advanced(WIPED);
    if (!codec->decompressor) return fail(codec, RS_ERR_NO_MEMORY);
    const size_t result = ZSTD_DCtx_setParameter(codec->decompressor, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    return ZSTD_isError(result) ? fail(codec, RS_ERR_CODEC) : RS_OK;
}

// One step of decoding. *made and the consumed input may both be 0 only if more input is needed.
static rs_status_t decode(codec_state_t *codec, uint8_t *out, size_t bytes, size_t *made) {
    const size_t available = codec->fill - codec->position;
    if (codec->compression == RS_COMPRESSION_ZLIB) {
        const uInt part = bytes < CHUNK_BYTES ? (uInt)bytes : CHUNK_BYTES;
        codec->zlib.next_in = codec->chunk + codec->position;
        codec->zlib.avail_in = (uInt)available;
        codec->zlib.next_out = out;
        codec->zlib.avail_out = part;
        const int result = inflate(&codec->zlib, Z_NO_FLUSH);
        codec->position += available - codec->zlib.avail_in;
        *made = part - codec->zlib.avail_out;
        if (result == Z_STREAM_END) {
            codec->ended = 1;
        } else if (result == Z_MEM_ERROR) {
            return fail(codec, RS_ERR_NO_MEMORY);
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            return fail(codec, RS_ERR_CODEC);
        }
        return RS_OK;
    }
    ZSTD_inBuffer in = {codec->chunk + codec->position, available, 0};
    ZSTD_outBuffer to = {out, bytes, 0};
    const size_t result = ZSTD_decompressStream(codec->decompressor, &to, &in);
    codec->position += in.pos;
    *made = to.pos;
    if (ZSTD_isError(result)) {
        return fail(codec, ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ? RS_ERR_NO_MEMORY : RS_ERR_CODEC);
    }
    if (result == 0) codec->ended = 1;
    return RS_OK;
}

static rs_status_t codec_read(void *state, uint8_t *out, size_t bytes, size_t *got) {
    codec_state_t *codec = state;
    *got = 0;
    if (codec->failed != RS_OK) return codec->failed;
    if (codec->compression == RS_COMPRESSION_ZSTD && !codec->decompressor && !codec->words_in && start_zstd(codec) != RS_OK) {
        return codec->failed;
    }
    if (codec->words_in) return fail(codec, rs_zstd_reader_read(codec->words_in, out, bytes, got, &codec->ended));
    while (*got < bytes && !codec->ended && codec->failed == RS_OK) {
        if (codec->position == codec->fill && refill(codec) != RS_OK) break;
        const size_t before = codec->position;
        size_t made = 0;
        if (decode(codec, out + *got, bytes - *got, &made) != RS_OK) break;
        *got += made;
        // The compressed bytes at hand gave nothing and there are no more: the stream stops in the middle.
        const int stuck = made == 0 && codec->position == before && !codec->ended;
        if (stuck && (codec->position < codec->fill || codec->bytes == 0)) rs_ignore(fail(codec, RS_ERR_CODEC));
    }
    return codec->failed;
}

static rs_status_t codec_read_end(void *state, int check) {
    codec_state_t *codec = state;
    if (check && codec->failed == RS_OK) {
        uint8_t next;
        size_t got = 0;
        rs_ignore(codec_read(codec, &next, 1, &got)); // also verifies the checksum, which comes after the last byte
        if (got != 0) {
            rs_ignore(fail(codec, RS_ERR_TRAILING));
        } else if (codec->failed == RS_OK && (codec->bytes != 0 || codec->position != codec->fill)) {
            rs_ignore(fail(codec, RS_ERR_TRAILING));
        }
    }
    const rs_status_t status = check ? codec->failed : RS_OK;
    release(codec, 0);
    return status;
}

const rs_codec_t *rs_host_codec(void) {
    static const rs_codec_t codec = {
        .size = sizeof codec,
        .write_begin = codec_write_begin,
        .write_begin_words = codec_write_begin_words,
        .write = codec_write,
        .write_end = codec_write_end,
        .read_begin = codec_read_begin,
        .read = codec_read,
        .read_end = codec_read_end,
    };
    return &codec;
}
