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

static inline rs_params_t sample_params(void) {
    static const uint32_t bits[3] = {27, 25, 26};
    rs_params_t params;
    if (params_of_bits(&params, SAMPLE_N, bits, SAMPLE_LIMBS) != RS_OK) abort();
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

static inline rs_wire_options_t sample_options(uint8_t major, uint8_t minor, rs_compression_t compression) {
    const rs_wire_options_t options = {
        .version_major = major, .version_minor = minor, .compression = compression, .codec = rs_host_codec()};
    return options;
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
    ciphertext.data = sample_words(seeded ? 1 : polys, limb_count, seed);
    return ciphertext;
}

static inline rs_status_t sample_write_ciphertext(const rs_sink_t *sink, const rs_wire_options_t *options, uint32_t polys,
                                                  uint32_t limb_count, uint32_t seeded, double scale) {
    rs_ciphertext_t ciphertext = sample_ciphertext(polys, limb_count, seeded, scale, 7 + polys);
    const rs_status_t status = rs_wire_write_ciphertext(sink, options, sample_context(), &ciphertext);
    free(ciphertext.data);
    return status;
}

// One key (all components) in entry `full` of `entries`.
static inline rs_status_t sample_write_kswitch(const rs_sink_t *sink, const rs_wire_options_t *options, uint64_t entries,
                                               uint64_t full, uint32_t seeded) {
    rs_wire_writer_t writer;
    rs_ignore(rs_wire_kswitch_open(&writer, sink, options, sample_context(), entries, SAMPLE_DATA_LIMBS, seeded));
    for (uint64_t i = 0; i < entries; i++) {
        rs_ignore(rs_wire_kswitch_entry(&writer, i == full ? SAMPLE_DATA_LIMBS : 0));
        for (uint32_t j = 0; i == full && j < SAMPLE_DATA_LIMBS; j++) {
            rs_ciphertext_t component = sample_ciphertext(2, SAMPLE_LIMBS, seeded, 1.0, 100 + j);
            rs_ignore(rs_wire_kswitch_component(&writer, sample_context(), &component));
            free(component.data);
        }
    }
    return rs_wire_kswitch_close(&writer);
}

static inline rs_status_t sample_write(sample_t sample, const rs_sink_t *sink, const rs_wire_options_t *options) {
    const rs_context_t *context = sample_context();
    switch (sample) {
    case SAMPLE_PARAMS: {
        const rs_params_t params = sample_params();
        return rs_wire_write_params(sink, options, &params);
    }
    case SAMPLE_PLAINTEXT: {
        rs_plaintext_t plaintext;
        memset(&plaintext, 0, sizeof plaintext);
        memcpy(plaintext.parms_id, rs_context_parms_id(context, SAMPLE_DATA_LIMBS), RS_PARMS_ID_BYTES);
        plaintext.form = RS_FORM_NTT;
        plaintext.limb_count = SAMPLE_DATA_LIMBS;
        plaintext.scale = 1048576.0;
        plaintext.ntt = sample_words(1, SAMPLE_DATA_LIMBS, 3);
        const rs_status_t status = rs_wire_write_plaintext(sink, options, context, &plaintext, NULL);
        free(plaintext.ntt);
        return status;
    }
    case SAMPLE_SECRET_KEY: {
        rs_secret_key_t key;
        memcpy(key.parms_id, rs_context_parms_id(context, SAMPLE_LIMBS), RS_PARMS_ID_BYTES);
        key.ntt = sample_words(1, SAMPLE_LIMBS, 5);
        const rs_status_t status = rs_wire_write_secret_key(sink, options, context, &key);
        free(key.ntt);
        return status;
    }
    case SAMPLE_CIPHERTEXT:
        return sample_write_ciphertext(sink, options, 2, SAMPLE_DATA_LIMBS, 0, 1048576.0);
    case SAMPLE_CIPHERTEXT_3:
        return sample_write_ciphertext(sink, options, 3, 1, 0, 1048576.0);
    case SAMPLE_CIPHERTEXT_SEEDED:
        return sample_write_ciphertext(sink, options, 2, SAMPLE_DATA_LIMBS, 1, 1048576.0);
    case SAMPLE_PUBLIC_KEY:
        return sample_write_ciphertext(sink, options, 2, SAMPLE_LIMBS, 0, 1.0);
    case SAMPLE_PUBLIC_KEY_SEEDED:
        return sample_write_ciphertext(sink, options, 2, SAMPLE_LIMBS, 1, 1.0);
    case SAMPLE_RELIN:
        return sample_write_kswitch(sink, options, 1, 0, 0);
    case SAMPLE_RELIN_SEEDED:
        return sample_write_kswitch(sink, options, 1, 0, 1);
    case SAMPLE_GALOIS_SEEDED:
        return sample_write_kswitch(sink, options, SAMPLE_N, 1, 1);
    default:
        return RS_ERR_KIND;
    }
}

static inline rs_wire_kind_t sample_kind(sample_t sample) {
    static const rs_wire_kind_t kinds[SAMPLE_COUNT] = {
        RS_WIRE_PARAMS,     RS_WIRE_PLAINTEXT,  RS_WIRE_SECRET_KEY, RS_WIRE_CIPHERTEXT, RS_WIRE_CIPHERTEXT,  RS_WIRE_CIPHERTEXT,
        RS_WIRE_PUBLIC_KEY, RS_WIRE_PUBLIC_KEY, RS_WIRE_RELIN_KEYS, RS_WIRE_RELIN_KEYS, RS_WIRE_GALOIS_KEYS,
    };
    return kinds[sample];
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

static inline rs_status_t reread_ciphertext(rs_wire_reader_t *reader, int public_key, const rs_sink_t *sink,
                                            const rs_wire_options_t *options) {
    const rs_context_t *context = sample_context();
    rs_ciphertext_t ciphertext;
    memset(&ciphertext, 0, sizeof ciphertext);
    rs_status_t status = rs_wire_read_ciphertext_begin(reader, context, public_key, &ciphertext);
    if (status != RS_OK) return status;
    const size_t words = rs_ciphertext_words(context, ciphertext.poly_count, ciphertext.limb_count, ciphertext.seeded);
    ciphertext.data = exact_array(words);
    status = rs_wire_read_ciphertext_words(reader, context, &ciphertext);
    demand_wiped(status, ciphertext.data, words);
    if (status == RS_OK && sink) status = rs_wire_write_ciphertext(sink, options, context, &ciphertext);
    free(ciphertext.data);
    return status;
}

// `components` of the whole object and `seeded`, for writing, come from a first pass without sink.
static inline rs_status_t reread_kswitch(rs_wire_reader_t *reader, const rs_sink_t *sink, const rs_wire_options_t *options,
                                         uint64_t *total, uint32_t *seeded) {
    const rs_context_t *context = sample_context();
    uint64_t entries = 0, counted = 0;
    rs_wire_writer_t writer;
    rs_status_t status = rs_wire_read_kswitch_begin(reader, context, &entries);
    if (status != RS_OK) return status;
    if (sink) rs_ignore(rs_wire_kswitch_open(&writer, sink, options, context, entries, *total, *seeded));
    for (uint64_t i = 0; i < entries && status == RS_OK; i++) {
        uint64_t components = 0;
        status = rs_wire_read_kswitch_entry(reader, &components);
        if (status == RS_OK && sink) rs_ignore(rs_wire_kswitch_entry(&writer, components));
        for (uint64_t j = 0; j < components && status == RS_OK; j++) {
            rs_ciphertext_t component;
            memset(&component, 0, sizeof component);
            status = rs_wire_read_kswitch_component_begin(reader, context, &component);
            if (status != RS_OK) break;
            const size_t words = rs_ciphertext_words(context, component.poly_count, component.limb_count, component.seeded);
            component.data = exact_array(words);
            status = rs_wire_read_kswitch_component_words(reader, context, &component);
            demand_wiped(status, component.data, words);
            if (status == RS_OK && sink) status = rs_wire_kswitch_component(&writer, context, &component);
            free(component.data);
            counted++;
            *seeded = component.seeded;
        }
    }
    *total = counted;
    if (!sink) return status;
    const rs_status_t written = rs_wire_kswitch_close(&writer);
    return status == RS_OK ? written : status;
}

static inline rs_status_t reread(rs_wire_reader_t *reader, rs_wire_kind_t kind, const rs_sink_t *sink,
                                 const rs_wire_options_t *options, uint64_t *total, uint32_t *seeded) {
    const rs_context_t *context = sample_context();
    rs_status_t status = RS_ERR_KIND;
    switch (kind) {
    case RS_WIRE_PARAMS: {
        rs_params_t params;
        status = rs_wire_read_params(reader, &params, RS_SECURITY_UNCHECKED);
        return status == RS_OK && sink ? rs_wire_write_params(sink, options, &params) : status;
    }
    case RS_WIRE_PLAINTEXT: {
        rs_plaintext_t plaintext;
        memset(&plaintext, 0, sizeof plaintext);
        status = rs_wire_read_plaintext_begin(reader, context, &plaintext);
        if (status != RS_OK) return status;
        const size_t words = (size_t)plaintext.limb_count * SAMPLE_N;
        plaintext.ntt = exact_array(words);
        status = rs_wire_read_plaintext_words(reader, context, &plaintext);
        demand_wiped(status, plaintext.ntt, words);
        if (status == RS_OK && sink) status = rs_wire_write_plaintext(sink, options, context, &plaintext, NULL);
        free(plaintext.ntt);
        return status;
    }
    case RS_WIRE_SECRET_KEY: {
        rs_secret_key_t key;
        memset(&key, 0, sizeof key);
        status = rs_wire_read_secret_key_begin(reader, context, &key);
        if (status != RS_OK) return status;
        key.ntt = exact_array(SAMPLE_LIMBS * SAMPLE_N);
        status = rs_wire_read_secret_key_words(reader, context, &key);
        demand_wiped(status, key.ntt, SAMPLE_LIMBS * SAMPLE_N);
        if (status == RS_OK && sink) status = rs_wire_write_secret_key(sink, options, context, &key);
        free(key.ntt);
        return status;
    }
    case RS_WIRE_CIPHERTEXT:
        return reread_ciphertext(reader, 0, sink, options);
    case RS_WIRE_PUBLIC_KEY:
        return reread_ciphertext(reader, 1, sink, options);
    case RS_WIRE_RELIN_KEYS:
    case RS_WIRE_GALOIS_KEYS:
        return reread_kswitch(reader, sink, options, total, seeded);
    default:
        return RS_ERR_KIND;
    }
}

// Reads a whole file as `kind`; with a sink, writes the object again. The status of the first thing that went wrong.
static inline rs_status_t read_file_as(rs_wire_kind_t kind, const uint8_t *data, size_t bytes, const rs_codec_t *codec,
                                       const rs_sink_t *sink, const rs_wire_options_t *options) {
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
        if (status == RS_OK) status = reread(&reader, kind, pass == 1 ? sink : NULL, options, &total, &seeded);
        const rs_status_t closed = rs_wire_close(&reader, 1);
        if (status == RS_OK) status = closed;
        if (status != RS_OK) break;
    }
    return status;
}

#endif
