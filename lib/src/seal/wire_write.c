// SPDX-License-Identifier: Apache-2.0
// Writing SEAL's files. Everything goes through rs_wire_emit, to the codec or straight to the sink; the first error sticks.
#include "base/registers.h"
#include "seal/wire_internal.h"

enum { STAGE_CLOSED = 0, STAGE_CIPHERTEXT, STAGE_KSWITCH_ENTRY, STAGE_KSWITCH_COMPONENT, STAGE_WHOLE };

rs_status_t rs_wire_writer_fail(rs_wire_writer_t *writer, rs_status_t status) {
    if (status != RS_OK && writer->failed == RS_OK) writer->failed = status;
    return writer->failed;
}

// ---- outer object --------------------------------------------------------------------------------------------------------
static rs_status_t options_check(const rs_sink_t *sink, const rs_wire_options_t *options) {
    const uint8_t major = options->version_major, minor = options->version_minor;
    const int writable = major == 3 ? minor >= RS_WIRE_MINOR_3_SEEDED && minor <= RS_WIRE_MINOR_3_MAX
                                    : major == 4 && minor <= RS_WIRE_MINOR_4_WRITE_MAX;
    if (!writable) return RS_ERR_VERSION;
    if (options->compression == RS_COMPRESSION_NONE) return RS_OK;
    if (options->compression != RS_COMPRESSION_ZLIB && options->compression != RS_COMPRESSION_ZSTD) return RS_ERR_COMPRESSION;
    return options->codec && sink->patch ? RS_OK : RS_ERR_COMPRESSION;
}

// Whether the codec's writer of words suits residues of these moduli. Between 49 and 56 bits only one byte of a word is 0, and a general
// encoder compresses better.
static int words_suit(const rs_wire_options_t *options, const rs_context_t *context) {
    const rs_params_t *params = rs_context_params(context);
    if (options->level != 0 || !options->codec || !options->codec->write_begin_words) return 0;
    for (uint32_t i = 0; i < params->limb_count; i++) {
        if (params->moduli[i] >> 48 != 0 && params->moduli[i] >> 56 == 0) return 0;
    }
    return 1;
}

// words: the object is made of public residues of the context.
static rs_status_t begin(rs_wire_writer_t *writer, const rs_sink_t *sink, const rs_wire_options_t *options,
                         const rs_context_t *context, uint64_t member_bytes, int words) {
    if (!writer) return RS_ERR_NULL;
    memset(writer, 0, sizeof *writer);
    if (!sink || !sink->write || !options) return rs_wire_writer_fail(writer, RS_ERR_NULL);
    rs_status_t status = options_check(sink, options);
    if (status != RS_OK) return rs_wire_writer_fail(writer, status);
    const int compressed = options->compression != RS_COMPRESSION_NONE;
    if (!compressed && member_bytes == UINT64_MAX && !sink->patch) return rs_wire_writer_fail(writer, RS_ERR_COMPRESSION);
    writer->sink = *sink;
    writer->options = *options;
    writer->context = context;
    writer->expected = member_bytes;
    writer->stage = STAGE_WHOLE;

    // A size of 0 until the true one is known: a file whose writer was interrupted is refused by every reader.
    const rs_wire_header_t header = {
        .major = options->version_major,
        .minor = options->version_minor,
        .compression = (uint8_t)options->compression,
        .bytes = compressed || member_bytes == UINT64_MAX ? 0 : RS_WIRE_HEADER_BYTES + member_bytes,
    };
    uint8_t bytes[RS_WIRE_HEADER_BYTES];
    rs_wire_header_encode(bytes, &header);
    status = writer->sink.write(writer->sink.state, bytes, sizeof bytes);
    if (status == RS_OK && compressed) {
        if (words && words_suit(options, context)) {
            status = options->codec->write_begin_words(&writer->codec_state, options->compression, &writer->sink);
        } else {
            status = options->codec->write_begin(&writer->codec_state, options->compression, options->level, &writer->sink);
        }
        if (status != RS_OK) writer->codec_state = NULL;
    }
    return rs_wire_writer_fail(writer, status);
}

rs_status_t rs_wire_begin(rs_wire_writer_t *writer, const rs_sink_t *sink, const rs_wire_options_t *options,
                          const rs_context_t *context, uint64_t member_bytes) {
    return begin(writer, sink, options, context, member_bytes, 0);
}

rs_status_t rs_wire_finish(rs_wire_writer_t *writer) {
    uint64_t stored = writer->member_bytes;
    int patch = writer->expected == UINT64_MAX;
    if (writer->codec_state) {
        const rs_status_t status = writer->options.codec->write_end(writer->codec_state, &stored);
        writer->codec_state = NULL;
        rs_ignore(rs_wire_writer_fail(writer, status));
        patch = 1;
    }
    if (writer->failed == RS_OK && writer->expected != UINT64_MAX && writer->member_bytes != writer->expected) {
        rs_ignore(rs_wire_writer_fail(writer, RS_ERR_SEQUENCE));
    }
    if (writer->failed == RS_OK && patch) {
        uint8_t bytes[8];
        rs_store64(bytes, RS_WIRE_HEADER_BYTES + stored);
        rs_ignore(rs_wire_writer_fail(writer, writer->sink.patch(writer->sink.state, 8, bytes, sizeof bytes)));
    }
    writer->stage = STAGE_CLOSED;
    return writer->failed;
}

rs_status_t rs_wire_emit(rs_wire_writer_t *writer, const uint8_t *data, size_t bytes) {
    if (writer->failed != RS_OK || bytes == 0) return writer->failed;
    writer->member_bytes += bytes;
    if (writer->codec_state) return rs_wire_writer_fail(writer, writer->options.codec->write(writer->codec_state, data, bytes));
    return rs_wire_writer_fail(writer, writer->sink.write(writer->sink.state, data, bytes));
}

rs_status_t rs_wire_emit_u64(rs_wire_writer_t *writer, uint64_t value) {
    uint8_t bytes[8];
    rs_store64(bytes, value);
    return rs_wire_emit(writer, bytes, sizeof bytes);
}

rs_status_t rs_wire_emit_nested(rs_wire_writer_t *writer, uint64_t object_bytes) {
    const rs_wire_header_t header = {
        .major = writer->options.version_major,
        .minor = writer->options.version_minor,
        .compression = RS_COMPRESSION_NONE,
        .bytes = object_bytes,
    };
    uint8_t bytes[RS_WIRE_HEADER_BYTES];
    rs_wire_header_encode(bytes, &header);
    return rs_wire_emit(writer, bytes, sizeof bytes);
}

rs_status_t rs_wire_emit_array(rs_wire_writer_t *writer, uint64_t words) {
    rs_ignore(rs_wire_emit_nested(writer, RS_WIRE_ARRAY_BYTES + 8 * words));
    return rs_wire_emit_u64(writer, words);
}

static rs_status_t emit_words(rs_wire_writer_t *writer, const uint64_t *words, size_t count) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return rs_wire_emit(writer, (const uint8_t *)words, 8 * count);
#else
    uint8_t bytes[512];
    while (count > 0 && writer->failed == RS_OK) {
        const size_t part = count < sizeof bytes / 8 ? count : sizeof bytes / 8;
        for (size_t i = 0; i < part; i++) rs_store64(bytes + 8 * i, words[i]);
        rs_wire_emit(writer, bytes, 8 * part);
        words += part;
        count -= part;
    }
    rs_zeroize(bytes, sizeof bytes);
    return writer->failed;
#endif
}

// `count` residues of one limb.
static rs_status_t emit_residues(rs_wire_writer_t *writer, const uint64_t *words, size_t count, uint64_t q) {
    uint64_t excess = rs_wire_residue_excess(words, count, q);
    RS_DECLASSIFY(&excess, sizeof excess); // one bit: whether the caller broke the contract
    if (excess) return rs_wire_writer_fail(writer, RS_ERR_RESIDUE);
    return emit_words(writer, words, count);
}

// ---- parameters ----------------------------------------------------------------------------------------------------------
rs_status_t rs_wire_write_params(const rs_sink_t *sink, const rs_wire_options_t *options, const rs_params_t *params) {
    if (!params) return RS_ERR_NULL;
    const rs_status_t status = rs_params_check(params, RS_SECURITY_UNCHECKED);
    if (status != RS_OK) return status;
    rs_wire_writer_t writer;
    rs_ignore(rs_wire_begin(&writer, sink, options, NULL, rs_wire_params_bytes(params) - RS_WIRE_HEADER_BYTES));
    const uint8_t scheme = (uint8_t)params->scheme;
    rs_ignore(rs_wire_emit(&writer, &scheme, 1));
    rs_ignore(rs_wire_emit_u64(&writer, (uint64_t)1 << params->log_n));
    rs_ignore(rs_wire_emit_u64(&writer, params->limb_count));
    for (uint32_t i = 0; i <= params->limb_count; i++) {
        rs_ignore(rs_wire_emit_nested(&writer, RS_WIRE_MODULUS_BYTES));
        rs_ignore(rs_wire_emit_u64(&writer, i < params->limb_count ? params->moduli[i] : 0)); // last: plain_modulus, 0 in CKKS
    }
    return rs_wire_finish(&writer);
}

// ---- plaintext and secret key --------------------------------------------------------------------------------------------
// Limbs of the level that the parms_id names; 0 if it is not limb_count or not of this context.
static rs_status_t level_check(const rs_context_t *context, const uint8_t *parms_id, uint32_t limb_count) {
    const uint32_t found = rs_context_find_id(context, parms_id);
    return found != 0 && found == limb_count ? RS_OK : RS_ERR_MISMATCH;
}

static uint32_t level_bits(const rs_context_t *context, uint32_t limb_count) {
    return rs_params_total_bits(rs_context_params(context), limb_count);
}

static uint64_t level_words(const rs_context_t *context, uint32_t limb_count) {
    return (uint64_t)limb_count * rs_context_n(context);
}

static rs_status_t emit_plaintext_prefix(rs_wire_writer_t *writer, const uint8_t *parms_id, uint64_t words, double scale) {
    uint8_t bytes[8];
    rs_ignore(rs_wire_emit(writer, parms_id, RS_PARMS_ID_BYTES));
    rs_ignore(rs_wire_emit_u64(writer, words));
    rs_wire_store_f64(bytes, scale);
    rs_ignore(rs_wire_emit(writer, bytes, sizeof bytes));
    return rs_wire_emit_array(writer, words);
}

rs_status_t rs_wire_write_plaintext(const rs_sink_t *sink, const rs_wire_options_t *options, const rs_context_t *context,
                                    const rs_plaintext_t *plaintext, uint64_t *workspace) {
    if (!context || !plaintext) return RS_ERR_NULL;
    if (plaintext->form == RS_FORM_NTT) {
        if (!plaintext->ntt) return RS_ERR_NULL;
    } else if (plaintext->form == RS_FORM_COEF) {
        if (!plaintext->message || !workspace) return RS_ERR_NULL;
    } else {
        return RS_ERR_FORM;
    }
    const rs_status_t status = level_check(context, plaintext->parms_id, plaintext->limb_count);
    if (status != RS_OK) return status;
    const rs_params_t *params = rs_context_params(context);
    if (plaintext->limb_count > rs_params_data_limbs(params)) return RS_ERR_LEVEL;
    if (!rs_wire_scale_ok(plaintext->scale, level_bits(context, plaintext->limb_count))) return RS_ERR_SCALE;

    const size_t n = rs_context_n(context);
    const uint64_t words = level_words(context, plaintext->limb_count);
    rs_wire_writer_t writer;
    rs_ignore(rs_wire_begin(&writer, sink, options, context, rs_wire_plaintext_bytes(words) - RS_WIRE_HEADER_BYTES));
    rs_ignore(emit_plaintext_prefix(&writer, plaintext->parms_id, words, plaintext->scale));
    for (uint32_t limb = 0; limb < plaintext->limb_count && writer.failed == RS_OK; limb++) {
        const uint64_t *residues = workspace;
        if (plaintext->form == RS_FORM_NTT) {
            residues = plaintext->ntt + limb * n;
        } else if (rs_wire_writer_fail(&writer, rs_plaintext_limb(context, plaintext, limb, workspace)) != RS_OK) {
            break;
        }
        rs_ignore(emit_residues(&writer, residues, n, params->moduli[limb]));
    }
    if (plaintext->form == RS_FORM_COEF) rs_zeroize(workspace, 8 * n);
    return rs_wire_finish(&writer);
}

rs_status_t rs_wire_write_secret_key(const rs_sink_t *sink, const rs_wire_options_t *options, const rs_context_t *context,
                                     const rs_secret_key_t *key) {
    if (!context || !key || !key->ntt) return RS_ERR_NULL;
    const rs_params_t *params = rs_context_params(context);
    const rs_status_t status = level_check(context, key->parms_id, params->limb_count);
    if (status != RS_OK) return status;
    const size_t n = rs_context_n(context);
    const uint64_t words = level_words(context, params->limb_count);
    rs_wire_writer_t writer;
    rs_ignore(rs_wire_begin(&writer, sink, options, context, rs_wire_plaintext_bytes(words) - RS_WIRE_HEADER_BYTES));
    rs_ignore(emit_plaintext_prefix(&writer, key->parms_id, words, 1.0));
    for (uint32_t limb = 0; limb < params->limb_count && writer.failed == RS_OK; limb++) {
        rs_ignore(emit_residues(&writer, key->ntt + limb * n, n, params->moduli[limb]));
    }
    rs_wipe_registers();
    return rs_wire_finish(&writer);
}

// ---- ciphertext ----------------------------------------------------------------------------------------------------------
rs_status_t rs_wire_emit_ciphertext(rs_wire_writer_t *writer, const rs_wire_ciphertext_t *members) {
    uint8_t bytes[RS_WIRE_CIPHERTEXT_PREFIX_BYTES + 8];
    memcpy(bytes, members->parms_id, RS_PARMS_ID_BYTES);
    bytes[32] = members->ntt;
    rs_store64(bytes + 33, members->poly_count);
    rs_store64(bytes + 41, members->n);
    rs_store64(bytes + 49, members->limb_count);
    rs_wire_store_f64(bytes + 57, members->scale);
    rs_store64(bytes + 65, members->correction);
    rs_ignore(rs_wire_emit(writer, bytes, writer->options.version_major >= 4 ? sizeof bytes : sizeof bytes - 8));
    return rs_wire_emit_array(writer, members->words);
}

rs_status_t rs_wire_emit_seed(rs_wire_writer_t *writer, uint8_t type, const uint8_t *seed) {
    rs_ignore(rs_wire_emit_nested(writer, RS_WIRE_SEED_BYTES));
    rs_ignore(rs_wire_emit(writer, &type, 1));
    return rs_wire_emit(writer, seed, RS_SEED_BYTES);
}

// Checks a descriptor and gives the members that are written for it.
static rs_status_t ciphertext_members(const rs_context_t *context, const rs_ciphertext_t *ciphertext,
                                      rs_wire_ciphertext_t *members) {
    const rs_status_t status = level_check(context, ciphertext->parms_id, ciphertext->limb_count);
    if (status != RS_OK) return status;
    const uint32_t polys = ciphertext->poly_count;
    if (polys < 2 || polys > RS_POLYS_MAX) return RS_ERR_POLY_COUNT;
    if (ciphertext->seeded && polys != 2) return RS_ERR_POLY_COUNT;
    // Above the data levels there are only keys.
    if (ciphertext->limb_count > rs_params_data_limbs(rs_context_params(context))) {
        if (polys != 2) return RS_ERR_POLY_COUNT;
        if (ciphertext->scale != 1.0) return RS_ERR_SCALE;
    } else if (!rs_wire_scale_ok(ciphertext->scale, level_bits(context, ciphertext->limb_count))) {
        return RS_ERR_SCALE;
    }
    memcpy(members->parms_id, ciphertext->parms_id, RS_PARMS_ID_BYTES);
    members->ntt = 1;
    members->poly_count = polys;
    members->n = rs_context_n(context);
    members->limb_count = ciphertext->limb_count;
    members->scale = ciphertext->scale;
    members->correction = 1;
    members->seeded = ciphertext->seeded ? 1 : 0;
    members->words = (members->seeded ? 1 : polys) * level_words(context, ciphertext->limb_count);
    return RS_OK;
}

static void expect_words(rs_wire_writer_t *writer, const rs_wire_ciphertext_t *members) {
    writer->words = members->words;
    writer->limb_count = (uint32_t)members->limb_count;
    writer->seeded = members->seeded;
    writer->limb = 0;
    writer->position = 0;
}

static rs_status_t seed_check(const rs_ciphertext_t *ciphertext) {
    const int known = ciphertext->seed_type == RS_SEED_BLAKE2XB || ciphertext->seed_type == RS_SEED_SHAKE256;
    return known ? RS_OK : RS_ERR_SEED_TYPE;
}

// The next words of the open ciphertext or component: limb after limb, each below its modulus.
static rs_status_t put_words(rs_wire_writer_t *writer, const uint64_t *words, size_t count) {
    if (count > writer->words) return rs_wire_writer_fail(writer, RS_ERR_SEQUENCE);
    const rs_params_t *params = rs_context_params(writer->context);
    const uint32_t n = rs_context_n(writer->context);
    writer->words -= count;
    while (count > 0 && writer->failed == RS_OK) {
        const uint32_t room = n - writer->position;
        const uint32_t part = count < room ? (uint32_t)count : room;
        rs_ignore(emit_residues(writer, words, part, params->moduli[writer->limb]));
        words += part;
        count -= part;
        writer->position += part;
        if (writer->position == n) {
            writer->position = 0;
            writer->limb = writer->limb + 1 == writer->limb_count ? 0 : writer->limb + 1;
        }
    }
    return writer->failed;
}

rs_status_t rs_wire_ciphertext_open(rs_wire_writer_t *writer, const rs_sink_t *sink, const rs_wire_options_t *options,
                                    const rs_context_t *context, const rs_ciphertext_t *ciphertext) {
    if (!writer) return RS_ERR_NULL;
    memset(writer, 0, sizeof *writer);
    if (!options || !context || !ciphertext) return rs_wire_writer_fail(writer, RS_ERR_NULL);
    rs_wire_ciphertext_t members;
    const rs_status_t status = ciphertext_members(context, ciphertext, &members);
    if (status != RS_OK) return rs_wire_writer_fail(writer, status);
    const uint64_t bytes = rs_wire_ciphertext_object_bytes(options->version_major, members.words, members.seeded);
    if (begin(writer, sink, options, context, bytes - RS_WIRE_HEADER_BYTES, 1) != RS_OK) return writer->failed;
    writer->stage = STAGE_CIPHERTEXT;
    expect_words(writer, &members);
    return rs_wire_emit_ciphertext(writer, &members);
}

rs_status_t rs_wire_ciphertext_words(rs_wire_writer_t *writer, const uint64_t *words, size_t count) {
    if (!writer || (!words && count)) return RS_ERR_NULL;
    if (writer->failed != RS_OK) return writer->failed;
    if (writer->stage != STAGE_CIPHERTEXT) return rs_wire_writer_fail(writer, RS_ERR_SEQUENCE);
    return put_words(writer, words, count);
}

rs_status_t rs_wire_ciphertext_close(rs_wire_writer_t *writer, const rs_ciphertext_t *ciphertext) {
    if (!writer) return RS_ERR_NULL;
    if (writer->failed == RS_OK) {
        if (writer->stage != STAGE_CIPHERTEXT || writer->words != 0) {
            rs_ignore(rs_wire_writer_fail(writer, RS_ERR_SEQUENCE));
        } else if (writer->seeded) {
            if (!ciphertext) {
                rs_ignore(rs_wire_writer_fail(writer, RS_ERR_NULL));
            } else if (rs_wire_writer_fail(writer, seed_check(ciphertext)) == RS_OK) {
                rs_ignore(rs_wire_emit_seed(writer, (uint8_t)ciphertext->seed_type, ciphertext->seed.bytes));
            }
        }
    }
    return rs_wire_finish(writer);
}

rs_status_t rs_wire_write_ciphertext(const rs_sink_t *sink, const rs_wire_options_t *options, const rs_context_t *context,
                                     const rs_ciphertext_t *ciphertext) {
    if (!ciphertext || !ciphertext->data) return RS_ERR_NULL;
    if (ciphertext->seeded && seed_check(ciphertext) != RS_OK) return RS_ERR_SEED_TYPE;
    rs_wire_writer_t writer;
    if (rs_wire_ciphertext_open(&writer, sink, options, context, ciphertext) == RS_OK) {
        rs_ignore(rs_wire_ciphertext_words(&writer, ciphertext->data, (size_t)writer.words));
    }
    return rs_wire_ciphertext_close(&writer, ciphertext);
}

// ---- key-switching keys --------------------------------------------------------------------------------------------------
rs_status_t rs_wire_kswitch_open(rs_wire_writer_t *writer, const rs_sink_t *sink, const rs_wire_options_t *options,
                                 const rs_context_t *context, uint64_t entries, uint64_t components, uint32_t seeded) {
    if (!writer) return RS_ERR_NULL;
    memset(writer, 0, sizeof *writer);
    if (!options || !context) return rs_wire_writer_fail(writer, RS_ERR_NULL);
    const rs_params_t *params = rs_context_params(context);
    if (params->limb_count < 2) return rs_wire_writer_fail(writer, RS_ERR_NO_SPECIAL);
    const uint32_t n = rs_context_n(context);
    if (entries == 0 || (entries > RS_WIRE_RELIN_ENTRIES_MAX && entries != n)) return rs_wire_writer_fail(writer, RS_ERR_LENGTH);
    const uint32_t per_entry = rs_params_data_limbs(params);
    if (components > entries * per_entry || components % per_entry != 0) return rs_wire_writer_fail(writer, RS_ERR_LENGTH);

    const uint64_t words = (seeded ? 1 : 2) * level_words(context, params->limb_count);
    const uint64_t bytes = rs_wire_kswitch_bytes(options, entries, components, words, seeded);
    if (begin(writer, sink, options, context, bytes - RS_WIRE_HEADER_BYTES, 1) != RS_OK) return writer->failed;
    writer->stage = STAGE_KSWITCH_ENTRY;
    writer->entries = entries;
    writer->components = components;
    writer->seeded = seeded ? 1 : 0;
    rs_ignore(rs_wire_emit(writer, rs_context_parms_id(context, params->limb_count), RS_PARMS_ID_BYTES));
    return rs_wire_emit_u64(writer, entries);
}

rs_status_t rs_wire_kswitch_entry(rs_wire_writer_t *writer, uint64_t components) {
    if (!writer) return RS_ERR_NULL;
    if (writer->failed != RS_OK) return writer->failed;
    if (writer->stage != STAGE_KSWITCH_ENTRY || writer->entries == 0) return rs_wire_writer_fail(writer, RS_ERR_SEQUENCE);
    if (components != 0 && components != rs_params_data_limbs(rs_context_params(writer->context))) {
        return rs_wire_writer_fail(writer, RS_ERR_LENGTH);
    }
    if (components > writer->components) return rs_wire_writer_fail(writer, RS_ERR_SEQUENCE);
    writer->entries--;
    writer->components -= components;
    writer->entry_components = components;
    if (components != 0) writer->stage = STAGE_KSWITCH_COMPONENT;
    return rs_wire_emit_u64(writer, components);
}

rs_status_t rs_wire_kswitch_component(rs_wire_writer_t *writer, const rs_context_t *context, const rs_ciphertext_t *component) {
    if (!writer || !context || !component || !component->data) return RS_ERR_NULL;
    if (writer->failed != RS_OK) return writer->failed;
    if (writer->stage != STAGE_KSWITCH_COMPONENT) return rs_wire_writer_fail(writer, RS_ERR_SEQUENCE);
    if (context != writer->context) return rs_wire_writer_fail(writer, RS_ERR_MISMATCH);
    if ((component->seeded ? 1u : 0u) != writer->seeded) return rs_wire_writer_fail(writer, RS_ERR_SEEDED);
    if (component->limb_count != rs_context_params(context)->limb_count) return rs_wire_writer_fail(writer, RS_ERR_LEVEL);
    if (component->seeded && seed_check(component) != RS_OK) return rs_wire_writer_fail(writer, RS_ERR_SEED_TYPE);
    rs_wire_ciphertext_t members;
    const rs_status_t status = ciphertext_members(context, component, &members);
    if (status != RS_OK) return rs_wire_writer_fail(writer, status);

    expect_words(writer, &members);
    rs_ignore(
        rs_wire_emit_nested(writer, rs_wire_ciphertext_object_bytes(writer->options.version_major, members.words, members.seeded)));
    rs_ignore(rs_wire_emit_ciphertext(writer, &members));
    rs_ignore(put_words(writer, component->data, (size_t)members.words));
    if (members.seeded) rs_ignore(rs_wire_emit_seed(writer, (uint8_t)component->seed_type, component->seed.bytes));
    if (--writer->entry_components == 0) writer->stage = STAGE_KSWITCH_ENTRY;
    return writer->failed;
}

rs_status_t rs_wire_kswitch_close(rs_wire_writer_t *writer) {
    if (!writer) return RS_ERR_NULL;
    if (writer->failed == RS_OK && (writer->stage != STAGE_KSWITCH_ENTRY || writer->entries != 0 || writer->components != 0)) {
        rs_ignore(rs_wire_writer_fail(writer, RS_ERR_SEQUENCE));
    }
    return rs_wire_finish(writer);
}
