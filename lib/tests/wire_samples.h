// SPDX-License-Identifier: Apache-2.0
// Small SEAL files of every kind, made in code, and a reader for each: shared by test_wire.c and the fuzz targets (lib/fuzz).
// All arrays are allocated to their exact size, so that the address sanitizer sees any byte too many.
#ifndef RS_WIRE_SAMPLES_H
#define RS_WIRE_SAMPLES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "requests.h"

#ifndef RS_SAMPLE_LIMBS
#define RS_SAMPLE_LIMBS 3 // special prime included; 2 gives the smallest files, for fuzzing
#endif

#ifndef RS_SAMPLE_SCHEME
#define RS_SAMPLE_SCHEME RS_SCHEME_CKKS
#endif

enum { SAMPLE_EXACT = RS_SAMPLE_SCHEME != RS_SCHEME_CKKS, SAMPLE_T = SAMPLE_EXACT ? 12289 : 0 };
enum { SAMPLE_N = 1024, SAMPLE_LIMBS = RS_SAMPLE_LIMBS, SAMPLE_DATA_LIMBS = SAMPLE_LIMBS - 1, SAMPLE_CAPACITY = 1 << 18 };

typedef enum sample {
    SAMPLE_PARAMS,
    SAMPLE_PLAINTEXT,
    SAMPLE_SECRET_KEY,
    SAMPLE_CIPHERTEXT,
    SAMPLE_CIPHERTEXT_3, // three polynomials, lowest level
    SAMPLE_CIPHERTEXT_SEEDED,
    SAMPLE_PUBLIC_KEY,
    SAMPLE_PUBLIC_KEY_SEEDED,
    SAMPLE_RELIN,
    SAMPLE_RELIN_SEEDED,
    SAMPLE_GALOIS_SEEDED, // one element
    SAMPLE_COUNT,
} sample_t;

static const struct {
    rs_wire_kind_t kind;
    uint32_t polys, limbs, seeded;
    uint64_t seed; // makes the words
} SAMPLES[SAMPLE_COUNT] = {
    [SAMPLE_PARAMS] = {RS_WIRE_PARAMS, 0, 0, 0, 0},
    [SAMPLE_PLAINTEXT] = {RS_WIRE_PLAINTEXT, 1, SAMPLE_DATA_LIMBS, 0, 3},
    [SAMPLE_SECRET_KEY] = {RS_WIRE_SECRET_KEY, 1, SAMPLE_LIMBS, 0, 5},
    [SAMPLE_CIPHERTEXT] = {RS_WIRE_CIPHERTEXT, 2, SAMPLE_DATA_LIMBS, 0, 9},
    [SAMPLE_CIPHERTEXT_3] = {RS_WIRE_CIPHERTEXT, 3, 1, 0, 10},
    [SAMPLE_CIPHERTEXT_SEEDED] = {RS_WIRE_CIPHERTEXT, 2, SAMPLE_DATA_LIMBS, 1, 9},
    [SAMPLE_PUBLIC_KEY] = {RS_WIRE_PUBLIC_KEY, 2, SAMPLE_LIMBS, 0, 9},
    [SAMPLE_PUBLIC_KEY_SEEDED] = {RS_WIRE_PUBLIC_KEY, 2, SAMPLE_LIMBS, 1, 9},
    [SAMPLE_RELIN] = {RS_WIRE_RELIN_KEYS, 2, SAMPLE_LIMBS, 0, 100},
    [SAMPLE_RELIN_SEEDED] = {RS_WIRE_RELIN_KEYS, 2, SAMPLE_LIMBS, 1, 100},
    [SAMPLE_GALOIS_SEEDED] = {RS_WIRE_GALOIS_KEYS, 2, SAMPLE_LIMBS, 1, 100},
};

static inline rs_wire_kind_t sample_kind(sample_t sample) { return SAMPLES[sample].kind; }

static inline rs_params_t sample_params(void) {
    static const uint32_t bits[3] = {27, 25, 26};
    rs_params_t params;
    if (params_of_scheme(&params, RS_SAMPLE_SCHEME, SAMPLE_N, bits, SAMPLE_LIMBS, SAMPLE_T) != RS_OK) abort();
    return params;
}

// Made once, never freed.
static inline const rs_context_t *sample_context(void) {
    static const rs_context_t *context;
    static void *memory;
    if (!context) {
        const rs_params_t params = sample_params();
        memory = malloc(rs_context_size(&params));
        if (!memory || context_in(&context, memory, rs_context_size(&params), &params) != RS_OK) abort();
    }
    return context;
}

static inline rs_wire_format_t sample_format(uint32_t major, uint32_t minor, rs_compression_t compression) {
    return (rs_wire_format_t){.version = major << 8 | minor, .compression = compression, .codec = rs_host_codec()};
}

// `polys` polynomials of residues that look random; fewer bits than the modulus has, so that compression has something to do.
static inline uint64_t *sample_words(uint32_t polys, uint32_t limb_count, uint64_t seed) {
    const rs_params_t params = sample_params();
    uint64_t *words = malloc((size_t)8 * polys * limb_count * SAMPLE_N), state = seed * 2 + 1;
    if (!words) abort();
    for (size_t i = 0; i < (size_t)polys * limb_count * SAMPLE_N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        words[i] = (state >> 33) % params.moduli[i / SAMPLE_N % limb_count];
    }
    return words;
}

static inline rs_ciphertext_t sample_ciphertext(uint32_t polys, uint32_t limb_count, uint32_t seeded, double scale, uint64_t seed) {
    rs_ciphertext_t ciphertext;
    memset(&ciphertext, 0, sizeof ciphertext);
    memcpy(ciphertext.parms_id, rs_context_parms_id(sample_context(), limb_count), RS_PARMS_ID_BYTES);
    ciphertext.poly_count = polys;
    ciphertext.limb_count = limb_count;
    ciphertext.seeded = seeded;
    ciphertext.seed_type = seed % 2 ? RS_SEED_SHAKE256 : RS_SEED_BLAKE2XB;
    for (uint32_t i = 0; i < RS_SEED_BYTES; i++) ciphertext.seed.bytes[i] = (uint8_t)(seed + 3 * i);
    ciphertext.scale = scale;
    ciphertext.correction_factor = SAMPLE_EXACT;
    if (RS_SAMPLE_SCHEME == RS_SCHEME_BFV && limb_count < SAMPLE_LIMBS) ciphertext.form = RS_FORM_COEF;
    ciphertext.data = sample_words(seeded ? 1 : polys, limb_count, seed);
    return ciphertext;
}

// A request to write this kind of object of the sample context.
static inline rs_wire_write_request_t sample_request(rs_wire_kind_t kind, const rs_sink_t *sink, const rs_wire_format_t *format) {
    return (rs_wire_write_request_t){
        .size = sizeof(rs_wire_write_request_t), .kind = kind, .context = sample_context(), .sink = sink, .format = *format};
}

static inline rs_wire_write_request_t sample_keys_request(const rs_sink_t *sink, const rs_wire_format_t *format, uint64_t entries,
                                                          uint64_t components, uint32_t seeded) {
    rs_wire_write_request_t request = sample_request(entries == SAMPLE_N ? RS_WIRE_GALOIS_KEYS : RS_WIRE_RELIN_KEYS, sink, format);
    request.entries = entries;
    request.components = components;
    request.seeded = seeded;
    return request;
}

// One key (all components) in entry 0, or in entry 1 of Galois keys.
static inline rs_status_t sample_write_keys(sample_t sample, const rs_sink_t *sink, const rs_wire_format_t *format) {
    const uint64_t entries = sample == SAMPLE_GALOIS_SEEDED ? SAMPLE_N : 1, full = entries != 1;
    const rs_wire_write_request_t request = sample_keys_request(sink, format, entries, SAMPLE_DATA_LIMBS, SAMPLES[sample].seeded);
    rs_wire_writer_t writer;
    rs_ignore(rs_wire_writer_open(&writer, &request));
    for (uint64_t i = 0; i < entries; i++) {
        rs_ignore(rs_wire_writer_entry(&writer, i == full ? SAMPLE_DATA_LIMBS : 0));
        for (uint32_t j = 0; i == full && j < SAMPLE_DATA_LIMBS; j++) {
            rs_ciphertext_t component = sample_ciphertext(2, SAMPLE_LIMBS, request.seeded, 1.0, SAMPLES[sample].seed + j);
            rs_ignore(rs_wire_writer_component(&writer, &component));
            free(component.data);
        }
    }
    return rs_wire_writer_close(&writer, NULL);
}

static inline rs_status_t sample_write(sample_t sample, const rs_sink_t *sink, const rs_wire_format_t *format) {
    const uint32_t polys = SAMPLES[sample].polys, limbs = SAMPLES[sample].limbs;
    rs_wire_write_request_t request = sample_request(sample_kind(sample), sink, format);
    if (sample == SAMPLE_PARAMS) return rs_wire_write(&request);
    if (sample >= SAMPLE_RELIN) return sample_write_keys(sample, sink, format);
    const double scale = limbs == SAMPLE_LIMBS || SAMPLE_EXACT ? 1.0 : 1048576.0;
    rs_ciphertext_t ciphertext = sample_ciphertext(polys, limbs, SAMPLES[sample].seeded, scale, SAMPLES[sample].seed);
    rs_plaintext_t plaintext = {.form = RS_FORM_NTT, .limb_count = limbs, .scale = scale, .ntt = ciphertext.data};
    rs_secret_key_t key = {.ntt = ciphertext.data};
    if (SAMPLE_EXACT && sample == SAMPLE_PLAINTEXT) {
        plaintext.form = RS_FORM_WORDS;
        plaintext.message = ciphertext.data;
        for (size_t i = 0; i < SAMPLE_N; i++) ciphertext.data[i] %= SAMPLE_T + !SAMPLE_T;
    }
    memcpy(plaintext.parms_id, ciphertext.parms_id, RS_PARMS_ID_BYTES);
    memcpy(key.parms_id, ciphertext.parms_id, RS_PARMS_ID_BYTES);
    request.plaintext = &plaintext;
    request.ciphertext = &ciphertext;
    request.secret_key = &key;
    const rs_status_t status = sample == SAMPLE_SECRET_KEY ? rs_wire_write_secret_key(&request) : rs_wire_write(&request);
    free(ciphertext.data);
    return status;
}

// ---- reading, and writing again what was read -----------------------------------------------------------------------------
static inline int all_zero(const uint64_t *words, size_t count) {
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++) any |= words[i];
    return any == 0;
}

// Where `words` failed, nothing may be left of them.
static inline void demand_wiped(rs_status_t status, const uint64_t *words, size_t count) {
    if (status != RS_OK && !all_zero(words, count)) abort();
}

static inline uint64_t *exact_array(size_t words) {
    uint64_t *array = malloc(8 * words);
    if (!array) abort();
    memset(array, 0xa5, 8 * words);
    return array;
}

// What is read of any kind that has words: descriptors of each, and one array.
typedef struct reread {
    rs_wire_target_t target;
    rs_plaintext_t plaintext;
    rs_ciphertext_t ciphertext;
    rs_secret_key_t key;
    uint64_t *words;
} reread_t;

// Without a context the number of words is the reader's. `limit`: more words are declined, as a caller would: RS_ERR_TOO_SMALL.
static inline rs_status_t reread_words(rs_wire_reader_t *reader, const rs_context_t *context, rs_wire_kind_t kind, size_t limit,
                                       reread_t *to) {
    rs_wire_info_t info;
    memset(to, 0, sizeof *to);
    to->target = (rs_wire_target_t){sizeof to->target, kind, &to->plaintext, &to->ciphertext, &to->key};
    rs_status_t status = rs_wire_read_begin(reader, context, &to->target);
    if (status != RS_OK) return status;
    size_t words = SAMPLE_LIMBS * SAMPLE_N; // a secret key's
    if (kind == RS_WIRE_PLAINTEXT) words = (size_t)to->plaintext.limb_count * SAMPLE_N;
    const rs_ciphertext_t *told = &to->ciphertext;
    if (told->poly_count) words = rs_ciphertext_words(sample_context(), told->poly_count, told->limb_count, told->seeded);
    if (rs_wire_info(reader, context, &info) != RS_OK) abort();
    if (SAMPLE_EXACT && kind == RS_WIRE_PLAINTEXT) { // up to N, which are made N
        if (info.words > SAMPLE_N) abort();
        info.words = words = SAMPLE_N;
    }
    if (info.words == 0 || (context && info.words != words)) abort();
    if (info.words > limit) return RS_ERR_TOO_SMALL;
    to->words = to->plaintext.ntt = to->ciphertext.data = to->key.ntt = exact_array((size_t)info.words);
    to->plaintext.message = to->words;
    status = rs_wire_read_words(reader, &to->target);
    demand_wiped(status, to->words, (size_t)info.words);
    return status;
}

static inline rs_status_t reread_object(rs_wire_reader_t *reader, rs_wire_kind_t kind, const rs_sink_t *sink,
                                        const rs_wire_format_t *format) {
    reread_t read;
    rs_status_t status = reread_words(reader, sample_context(), kind, SIZE_MAX, &read);
    if (status == RS_OK && sink) {
        rs_wire_write_request_t request = sample_request(kind, sink, format);
        request.plaintext = &read.plaintext;
        request.ciphertext = &read.ciphertext;
        request.secret_key = &read.key;
        status = kind == RS_WIRE_SECRET_KEY ? rs_wire_write_secret_key(&request) : rs_wire_write(&request);
    }
    free(read.words);
    return status;
}

// `components` of the whole object and `seeded`, for writing, come from a first pass without sink.
static inline rs_status_t reread_kswitch(rs_wire_reader_t *reader, rs_wire_kind_t kind, const rs_sink_t *sink,
                                         const rs_wire_format_t *format, uint64_t *total, uint32_t *seeded) {
    const rs_context_t *context = sample_context();
    uint64_t entries = 0, counted = 0;
    rs_wire_writer_t writer;
    rs_status_t status = rs_wire_read_entries(reader, context, kind, &entries);
    if (status != RS_OK) return status;
    if (sink) {
        const rs_wire_write_request_t request = sample_keys_request(sink, format, entries, *total, *seeded);
        rs_ignore(rs_wire_writer_open(&writer, &request));
    }
    for (uint64_t i = 0; i < entries && status == RS_OK; i++) {
        uint64_t components = 0;
        status = rs_wire_read_entry(reader, &components);
        if (status == RS_OK && sink) rs_ignore(rs_wire_writer_entry(&writer, components));
        for (uint64_t j = 0; j < components && status == RS_OK; j++) {
            reread_t read;
            status = reread_words(reader, context, kind, SIZE_MAX, &read);
            if (status == RS_OK && sink) status = rs_wire_writer_component(&writer, &read.ciphertext);
            free(read.words);
            counted++;
            *seeded = read.ciphertext.seeded;
        }
    }
    *total = counted;
    if (!sink) return status;
    const rs_status_t written = rs_wire_writer_close(&writer, NULL);
    return status == RS_OK ? written : status;
}

static inline rs_status_t reread(rs_wire_reader_t *reader, rs_wire_kind_t kind, const rs_sink_t *sink,
                                 const rs_wire_format_t *format, uint64_t *total, uint32_t *seeded) {
    if (kind == RS_WIRE_RELIN_KEYS || kind == RS_WIRE_GALOIS_KEYS) {
        return reread_kswitch(reader, kind, sink, format, total, seeded);
    }
    if (kind != RS_WIRE_PARAMS) return reread_object(reader, kind, sink, format);
    rs_params_t params;
    const rs_status_t status = rs_wire_read_params(reader, &params, RS_SECURITY_UNCHECKED);
    if (status != RS_OK || !sink) return status;
    rs_wire_write_request_t request = sample_request(kind, sink, format);
    request.context = NULL;
    request.params = &params;
    return rs_wire_write(&request);
}

// Reads a whole file as `kind`; with a sink, writes the object again. The status of the first thing that went wrong.
static inline rs_status_t read_file_as(rs_wire_kind_t kind, const uint8_t *data, size_t bytes, const rs_codec_t *codec,
                                       const rs_sink_t *sink, const rs_wire_format_t *format) {
    uint64_t total = 0;
    uint32_t seeded = 0;
    rs_status_t status = RS_OK;
    const int kswitch = kind == RS_WIRE_RELIN_KEYS || kind == RS_WIRE_GALOIS_KEYS;
    for (int pass = kswitch && sink ? 0 : 1; pass < 2; pass++) {
        rs_source_t source;
        rs_memory_source_t memory;
        rs_wire_reader_t reader;
        rs_source_from_memory(&source, &memory, data, bytes);
        status = rs_wire_open(&reader, &source, codec);
        if (status == RS_OK) status = reread(&reader, kind, pass == 1 ? sink : NULL, format, &total, &seeded);
        const rs_status_t closed = rs_wire_close(&reader, 1);
        if (status == RS_OK) status = closed;
        if (status != RS_OK) break;
    }
    return status;
}

#endif
