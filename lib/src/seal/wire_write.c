// SPDX-License-Identifier: Apache-2.0
// Writing SEAL's files. Every object is opened, given its words and closed, whole or in pieces. Everything goes through rs_wire_emit, to the
// codec or straight to the sink; the first error sticks.
#include "base/declassify.h"
#include "base/registers.h"
#include "client/scheme.h"
#include "seal/wire_internal.h"

enum { STAGE_CLOSED = 0, STAGE_WHOLE, STAGE_WORDS, STAGE_ENTRY, STAGE_COMPONENT };

static rs_wire_out_t *inside(rs_wire_writer_t *writer) { return (rs_wire_out_t *)(void *)writer; }

rs_status_t rs_wire_writer_fail(rs_wire_out_t *writer, rs_status_t status) {
    if (status != RS_OK && writer->failed == RS_OK) writer->failed = status;
    return writer->failed;
}

// ---- outer object --------------------------------------------------------------------------------------------------------
static rs_status_t format_check(const rs_sink_t *sink, const rs_wire_format_t *format) {
    const uint32_t version = rs_wire_version(format);
    if (format->reserved) return RS_ERR_STRUCT;
    if (version < RS_WIRE_3_SEEDED || version > RS_WIRE_4_WRITE_MAX) return RS_ERR_VERSION;
    if (version > RS_WIRE_3_MAX && version < RS_WIRE_4) return RS_ERR_VERSION;
    if (format->compression == RS_COMPRESSION_NONE) return RS_OK;
    if (format->compression > RS_COMPRESSION_ZSTD || !format->codec || !sink->patch) return RS_ERR_COMPRESSION;
    return RS_CHECK_REQUEST(format->codec);
}

// Whether the codec's writer of words suits residues of these moduli. Between 49 and 56 bits only one byte of a word is 0, and a general
// encoder compresses better.
static int words_suit(const rs_wire_format_t *format, const rs_params_t *params) {
    if (format->level != 0 || !format->codec->write_begin_words) return 0;
    for (uint32_t i = 0; i < params->limb_count; i++) {
        if (params->moduli[i] >> 48 != 0 && params->moduli[i] >> 56 == 0) return 0;
    }
    return 1;
}

// context: of the public residues of which the object is made; else NULL.
static rs_status_t begin(rs_wire_out_t *writer, const rs_sink_t *sink, const rs_wire_format_t *format, uint64_t member_bytes,
                         const rs_context_t *context) {
    memset(writer, 0, sizeof *writer);
    if (!sink || !sink->write) return rs_wire_writer_fail(writer, RS_ERR_NULL);
    if (rs_wire_writer_fail(writer, format_check(sink, format)) != RS_OK) return writer->failed;
    const rs_compression_t compression = (rs_compression_t)format->compression;
    const int compressed = compression != RS_COMPRESSION_NONE;
    if (!compressed && member_bytes == UINT64_MAX && !sink->patch) return rs_wire_writer_fail(writer, RS_ERR_COMPRESSION);
    writer->sink = *sink;
    writer->format = *format;
    writer->format.version = rs_wire_version(format);
    writer->expected = member_bytes;
    writer->stage = STAGE_WHOLE;

    // A size of 0 until the true one is known: a file whose writer was interrupted is refused by every reader.
    const rs_wire_header_t header = {
        .version = writer->format.version,
        .compression = format->compression,
        .bytes = compressed || member_bytes == UINT64_MAX ? 0 : RS_WIRE_HEADER_BYTES + member_bytes,
    };
    uint8_t bytes[RS_WIRE_HEADER_BYTES];
    rs_wire_header_encode(bytes, &header);
    rs_status_t status = writer->sink.write(writer->sink.state, bytes, sizeof bytes);
    if (status == RS_OK && compressed) {
        if (context && words_suit(format, rs_context_params(context))) {
            status = format->codec->write_begin_words(&writer->codec_state, compression, &writer->sink);
        } else {
            status = format->codec->write_begin(&writer->codec_state, compression, format->level, &writer->sink);
        }
        if (status != RS_OK) writer->codec_state = NULL;
    }
    return rs_wire_writer_fail(writer, status);
}

rs_status_t rs_wire_begin(rs_wire_out_t *writer, const rs_sink_t *sink, const rs_wire_format_t *format, uint64_t member_bytes) {
    return begin(writer, sink, format, member_bytes, NULL);
}

rs_status_t rs_wire_finish(rs_wire_out_t *writer) {
    uint64_t stored = writer->member_bytes;
    int patch = writer->expected == UINT64_MAX;
    if (writer->codec_state) {
        const rs_status_t status = writer->format.codec->write_end(writer->codec_state, &stored);
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

rs_status_t rs_wire_emit(rs_wire_out_t *writer, const uint8_t *data, size_t bytes) {
    if (writer->failed != RS_OK || bytes == 0) return writer->failed;
    writer->member_bytes += bytes;
    if (writer->codec_state) return rs_wire_writer_fail(writer, writer->format.codec->write(writer->codec_state, data, bytes));
    return rs_wire_writer_fail(writer, writer->sink.write(writer->sink.state, data, bytes));
}

rs_status_t rs_wire_emit_u64(rs_wire_out_t *writer, uint64_t value) {
    uint8_t bytes[8];
    rs_store64(bytes, value);
    return rs_wire_emit(writer, bytes, sizeof bytes);
}

rs_status_t rs_wire_emit_nested(rs_wire_out_t *writer, uint64_t object_bytes) {
    const rs_wire_header_t header = {
        .version = writer->format.version,
        .compression = RS_COMPRESSION_NONE,
        .bytes = object_bytes,
    };
    uint8_t bytes[RS_WIRE_HEADER_BYTES];
    rs_wire_header_encode(bytes, &header);
    return rs_wire_emit(writer, bytes, sizeof bytes);
}

rs_status_t rs_wire_emit_members(rs_wire_out_t *writer, const rs_wire_members_t *members) {
    uint8_t bytes[RS_WIRE_CIPHERTEXT_PREFIX_BYTES + 8];
    memcpy(bytes, members->parms_id, RS_PARMS_ID_BYTES);
    if (members->poly_count == 1) {
        rs_store64(bytes + 32, members->words);
        rs_wire_store_f64(bytes + 40, members->scale);
    } else {
        bytes[32] = (uint8_t)members->ntt;
        rs_store64(bytes + 33, members->poly_count);
        rs_store64(bytes + 41, members->n);
        rs_store64(bytes + 49, members->limb_count);
        rs_wire_store_f64(bytes + 57, members->scale);
        rs_store64(bytes + 65, members->correction);
    }
    rs_ignore(rs_wire_emit(writer, bytes, rs_wire_prefix_bytes(writer->format.version, members->poly_count)));
    rs_ignore(rs_wire_emit_nested(writer, RS_WIRE_ARRAY_BYTES + 8 * members->words)); // a DynArray: header, count, words
    return rs_wire_emit_u64(writer, members->words);
}

rs_status_t rs_wire_emit_seed(rs_wire_out_t *writer, uint8_t type, const uint8_t *seed) {
    rs_ignore(rs_wire_emit_nested(writer, RS_WIRE_SEED_BYTES));
    rs_ignore(rs_wire_emit(writer, &type, 1));
    return rs_wire_emit(writer, seed, RS_SEED_BYTES);
}

rs_status_t rs_wire_emit_words(rs_wire_out_t *writer, const uint64_t *words, size_t count) {
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
static rs_status_t emit_residues(rs_wire_out_t *writer, const uint64_t *words, size_t count, uint64_t q) {
    uint64_t excess = rs_wire_residue_excess(words, count, q);
    RS_DECLASSIFY(&excess, sizeof excess); // one bit: whether the caller broke the contract
    if (excess) return rs_wire_writer_fail(writer, RS_ERR_RESIDUE);
    return rs_wire_emit_words(writer, words, count);
}

// The next words of the open object or component: limb after limb, each below its modulus.
static rs_status_t put_words(rs_wire_out_t *writer, const uint64_t *words, size_t count) {
    if (count > writer->words) return rs_wire_writer_fail(writer, RS_ERR_SEQUENCE);
    const rs_params_t *params = rs_context_params(writer->context);
    const uint32_t n = rs_context_n(writer->context);
    writer->words -= count;
    while (count > 0 && writer->failed == RS_OK) {
        const uint32_t room = n - writer->position;
        const uint32_t part = count < room ? (uint32_t)count : room;
        rs_ignore(emit_residues(writer, words, part, writer->plain_modulus ? writer->plain_modulus : params->moduli[writer->limb]));
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

// ---- what a request writes -----------------------------------------------------------------------------------------------
static const rs_params_t *params_of(const rs_wire_write_request_t *request) {
    return request->context ? rs_context_params(request->context) : request->params;
}

// The members of the object or, of key-switching keys, of each component, as the request has them.
static rs_status_t describe(const rs_wire_write_request_t *request, rs_wire_members_t *members) {
    const rs_params_t *params = params_of(request);
    const uint8_t *parms_id;
    if (!params) return RS_ERR_NULL;
    *members = (rs_wire_members_t){.ntt = 1,
                                   .poly_count = rs_wire_is_plain(request->kind) ? 1 : 2,
                                   .n = (uint64_t)1 << params->log_n,
                                   .limb_count = params->limb_count,
                                   .scale = 1.0,
                                   .correction = 1};
    if (request->kind == RS_WIRE_PLAINTEXT) {
        if (!request->plaintext) return RS_ERR_NULL;
        members->limb_count = request->plaintext->limb_count;
        members->scale = request->plaintext->scale;
        parms_id = request->plaintext->parms_id;
        if (params->scheme != RS_SCHEME_CKKS) { // coefficients modulo t, of no level
            static const uint8_t NO_LEVEL[RS_PARMS_ID_BYTES];
            if (request->plaintext->form != RS_FORM_WORDS) return RS_ERR_FORM;
            members->limb_count = 1;
            parms_id = NO_LEVEL;
        }
    } else if (request->kind == RS_WIRE_SECRET_KEY) {
        if (!request->secret_key) return RS_ERR_NULL;
        parms_id = request->secret_key->parms_id;
    } else if (request->kind == RS_WIRE_CIPHERTEXT || request->kind == RS_WIRE_PUBLIC_KEY) {
        if (!request->ciphertext) return RS_ERR_NULL;
        members->poly_count = request->ciphertext->poly_count;
        members->limb_count = request->ciphertext->limb_count;
        members->seeded = request->ciphertext->seeded ? 1 : 0;
        members->scale = request->ciphertext->scale;
        members->ntt = request->ciphertext->form == RS_FORM_NTT;
        if (params->scheme != RS_SCHEME_CKKS) members->correction = request->ciphertext->correction_factor;
        if (members->correction != 1 && rs_wire_version(&request->format) < RS_WIRE_4) return RS_ERR_VERSION;
        parms_id = request->ciphertext->parms_id;
        if (members->poly_count < 2 || members->poly_count > RS_POLYS_MAX) return RS_ERR_POLY_COUNT;
        if (members->seeded && members->poly_count != 2) return RS_ERR_POLY_COUNT;
    } else if (rs_wire_has_entries(request->kind)) {
        members->seeded = request->seeded ? 1 : 0;
        parms_id = request->context ? rs_context_parms_id(request->context, params->limb_count) : members->parms_id;
    } else {
        return RS_ERR_KIND;
    }
    memmove(members->parms_id, parms_id, RS_PARMS_ID_BYTES);
    members->words = (members->seeded ? 1 : members->poly_count) * members->limb_count * members->n;
    return RS_OK;
}

// The same, checked against the context.
static rs_status_t describe_checked(const rs_wire_write_request_t *request, rs_wire_members_t *members) {
    if (!request->context) return RS_ERR_NULL;
    RS_TRY(describe(request, members));
    if (request->kind == RS_WIRE_PLAINTEXT && rs_wire_is_exact(request->context)) {
        return rs_context_find_id(request->context, request->plaintext->parms_id) ? RS_OK : RS_ERR_MISMATCH;
    }
    const uint32_t found = rs_context_find_id(request->context, members->parms_id);
    if (found == 0 || found != members->limb_count) return RS_ERR_MISMATCH;
    return rs_wire_level_check(request->context, request->kind, members);
}

static rs_status_t entries_check(const rs_wire_write_request_t *request) {
    const rs_params_t *params = rs_context_params(request->context);
    if (params->limb_count < 2) return RS_ERR_NO_SPECIAL;
    const uint64_t entries = request->entries, per_entry = rs_params_data_limbs(params);
    const int fits = request->kind == RS_WIRE_GALOIS_KEYS ? entries == rs_context_n(request->context)
                                                          : entries != 0 && entries <= RS_WIRE_RELIN_ENTRIES_MAX;
    return fits && request->components <= entries * per_entry && request->components % per_entry == 0 ? RS_OK : RS_ERR_LENGTH;
}

static rs_status_t seed_check(const rs_ciphertext_t *ciphertext) {
    const int known = ciphertext->seed_type == RS_SEED_BLAKE2XB || ciphertext->seed_type == RS_SEED_SHAKE256;
    return known ? RS_OK : RS_ERR_SEED_TYPE;
}

uint64_t rs_wire_bytes(const rs_wire_write_request_t *request) {
    rs_wire_members_t members;
    if (RS_CHECK_REQUEST(request) != RS_OK) return 0;
    if (request->kind == RS_WIRE_PARAMS) return params_of(request) ? rs_wire_params_bytes(params_of(request)->limb_count) : 0;
    if (describe(request, &members) != RS_OK) return 0;
    const uint64_t bytes = rs_wire_object_bytes(rs_wire_version(&request->format), &members);
    if (!rs_wire_has_entries(request->kind)) return bytes;
    return RS_WIRE_HEADER_BYTES + RS_WIRE_KSWITCH_PREFIX_BYTES + 8 * request->entries + request->components * bytes;
}

// ---- open, words, close --------------------------------------------------------------------------------------------------
static void expect_words(rs_wire_out_t *writer, const rs_wire_members_t *members) {
    writer->words = members->words;
    writer->limb_count = (uint32_t)members->limb_count;
    writer->limb = 0;
    writer->position = 0;
}

static rs_status_t open_object(rs_wire_out_t *writer, const rs_wire_write_request_t *request) {
    rs_wire_members_t members;
    memset(writer, 0, sizeof *writer);
    rs_status_t status = RS_CHECK_REQUEST(request);
    if (status == RS_OK) status = describe_checked(request, &members);
    if (status == RS_OK && rs_wire_has_entries(request->kind)) status = entries_check(request);
    if (status != RS_OK) return rs_wire_writer_fail(writer, status);
    const rs_context_t *of_public_words = rs_wire_is_plain(request->kind) ? NULL : request->context;
    const uint64_t member_bytes = rs_wire_bytes(request) - RS_WIRE_HEADER_BYTES;
    if (begin(writer, request->sink, &request->format, member_bytes, of_public_words) != RS_OK) return writer->failed;
    writer->context = request->context;
    writer->seeded = members.seeded;
    if (request->kind == RS_WIRE_PLAINTEXT) writer->plain_modulus = rs_context_params(request->context)->plain_modulus;
    if (!rs_wire_has_entries(request->kind)) {
        writer->stage = STAGE_WORDS;
        expect_words(writer, &members);
        return rs_wire_emit_members(writer, &members);
    }
    writer->stage = STAGE_ENTRY;
    writer->entries = request->entries;
    writer->components = request->components;
    rs_ignore(rs_wire_emit(writer, members.parms_id, RS_PARMS_ID_BYTES));
    return rs_wire_emit_u64(writer, request->entries);
}

// ciphertext: whose seed follows the words, if there is one.
static rs_status_t close_object(rs_wire_out_t *writer, const rs_ciphertext_t *ciphertext) {
    const int at_end = writer->stage == STAGE_WORDS   ? writer->words == 0
                       : writer->stage == STAGE_ENTRY ? writer->entries == 0 && writer->components == 0
                                                      : 0;
    if (!at_end) rs_ignore(rs_wire_writer_fail(writer, RS_ERR_SEQUENCE));
    if (writer->stage == STAGE_WORDS && writer->seeded) {
        rs_ignore(rs_wire_writer_fail(writer, ciphertext ? seed_check(ciphertext) : RS_ERR_NULL));
        if (writer->failed == RS_OK) rs_ignore(rs_wire_emit_seed(writer, (uint8_t)ciphertext->seed_type, ciphertext->seed.bytes));
    }
    return rs_wire_finish(writer);
}

rs_status_t rs_wire_writer_open(rs_wire_writer_t *writer, const rs_wire_write_request_t *request) {
    if (!writer) return RS_ERR_NULL;
    if (!request || request->kind != RS_WIRE_SECRET_KEY) return open_object(inside(writer), request);
    memset(writer, 0, sizeof *writer);
    return rs_wire_writer_fail(inside(writer), RS_ERR_KIND);
}

rs_status_t rs_wire_writer_words(rs_wire_writer_t *handle, const uint64_t *words, size_t count) {
    if (!handle || (!words && count)) return RS_ERR_NULL;
    rs_wire_out_t *writer = inside(handle);
    if (writer->failed != RS_OK) return writer->failed;
    if (writer->stage != STAGE_WORDS) return rs_wire_writer_fail(writer, RS_ERR_SEQUENCE);
    return put_words(writer, words, count);
}

rs_status_t rs_wire_writer_entry(rs_wire_writer_t *handle, uint64_t components) {
    if (!handle) return RS_ERR_NULL;
    rs_wire_out_t *writer = inside(handle);
    if (writer->failed != RS_OK) return writer->failed;
    if (writer->stage != STAGE_ENTRY || writer->entries == 0) return rs_wire_writer_fail(writer, RS_ERR_SEQUENCE);
    if (components != 0 && components != rs_params_data_limbs(rs_context_params(writer->context))) {
        return rs_wire_writer_fail(writer, RS_ERR_LENGTH);
    }
    if (components > writer->components) return rs_wire_writer_fail(writer, RS_ERR_SEQUENCE);
    writer->entries--;
    writer->components -= components;
    writer->entry_components = components;
    if (components != 0) writer->stage = STAGE_COMPONENT;
    return rs_wire_emit_u64(writer, components);
}

rs_status_t rs_wire_writer_component(rs_wire_writer_t *handle, const rs_ciphertext_t *component) {
    if (!handle || !component || !component->data) return RS_ERR_NULL;
    rs_wire_out_t *writer = inside(handle);
    if (writer->failed != RS_OK) return writer->failed;
    if (writer->stage != STAGE_COMPONENT) return rs_wire_writer_fail(writer, RS_ERR_SEQUENCE);
    if ((component->seeded ? 1u : 0u) != writer->seeded) return rs_wire_writer_fail(writer, RS_ERR_SEEDED);
    const rs_wire_write_request_t as_key = {.kind = RS_WIRE_PUBLIC_KEY, .context = writer->context, .ciphertext = component};
    rs_wire_members_t members;
    rs_status_t status = writer->seeded ? seed_check(component) : RS_OK;
    if (status == RS_OK) status = describe_checked(&as_key, &members);
    if (status != RS_OK) return rs_wire_writer_fail(writer, status);

    expect_words(writer, &members);
    rs_ignore(rs_wire_emit_nested(writer, rs_wire_object_bytes(writer->format.version, &members)));
    rs_ignore(rs_wire_emit_members(writer, &members));
    rs_ignore(put_words(writer, component->data, (size_t)members.words));
    if (writer->seeded) rs_ignore(rs_wire_emit_seed(writer, (uint8_t)component->seed_type, component->seed.bytes));
    if (--writer->entry_components == 0) writer->stage = STAGE_ENTRY;
    return writer->failed;
}

rs_status_t rs_wire_writer_close(rs_wire_writer_t *writer, const rs_ciphertext_t *ciphertext) {
    return writer ? close_object(inside(writer), ciphertext) : RS_ERR_NULL;
}

// ---- whole objects -------------------------------------------------------------------------------------------------------
static rs_status_t write_object(const rs_wire_write_request_t *request, const uint64_t *words) {
    if (!words) return RS_ERR_NULL;
    rs_wire_out_t writer;
    if (open_object(&writer, request) == RS_OK) rs_ignore(put_words(&writer, words, (size_t)writer.words));
    return close_object(&writer, request->ciphertext);
}

// A plaintext of coefficients, limb by limb in the workspace.
static rs_status_t write_limbs(const rs_wire_write_request_t *request) {
    if (!request->context || !request->plaintext->message) return RS_ERR_NULL;
    const size_t n = rs_context_n(request->context);
    uint64_t *words = request->workspace.p;
    RS_TRY(rs_check_memory(request->workspace, 8 * n));
    rs_wire_out_t writer;
    rs_ignore(open_object(&writer, request));
    for (uint32_t limb = 0; writer.failed == RS_OK && limb < request->plaintext->limb_count; limb++) {
        rs_ignore(rs_wire_writer_fail(&writer, request->context->calls->limb(request->context, request->plaintext, limb, words)));
        if (writer.failed == RS_OK) rs_ignore(put_words(&writer, words, n));
    }
    rs_zeroize(words, 8 * n);
    return close_object(&writer, NULL);
}

static rs_status_t write_params(const rs_wire_write_request_t *request) {
    const rs_params_t *params = params_of(request);
    if (!params) return RS_ERR_NULL;
    RS_TRY(rs_params_check(params, RS_SECURITY_UNCHECKED));
    rs_wire_out_t writer;
    rs_ignore(
        rs_wire_begin(&writer, request->sink, &request->format, rs_wire_params_bytes(params->limb_count) - RS_WIRE_HEADER_BYTES));
    const uint8_t scheme = (uint8_t)params->scheme;
    rs_ignore(rs_wire_emit(&writer, &scheme, 1));
    rs_ignore(rs_wire_emit_u64(&writer, (uint64_t)1 << params->log_n));
    rs_ignore(rs_wire_emit_u64(&writer, params->limb_count));
    for (uint32_t i = 0; i <= params->limb_count; i++) {
        rs_ignore(rs_wire_emit_nested(&writer, RS_WIRE_MODULUS_BYTES));
        rs_ignore(rs_wire_emit_u64(&writer, i < params->limb_count ? params->moduli[i] : params->plain_modulus));
    }
    return rs_wire_finish(&writer);
}

rs_status_t rs_wire_write(const rs_wire_write_request_t *request) {
    RS_TRY(RS_CHECK_REQUEST(request));
    const rs_plaintext_t *plaintext = request->plaintext;
    const rs_ciphertext_t *ciphertext = request->ciphertext;
    switch (request->kind) {
    case RS_WIRE_PARAMS: return write_params(request);
    case RS_WIRE_PLAINTEXT:
        if (!plaintext) return RS_ERR_NULL;
        if (plaintext->form == RS_FORM_COEF) return write_limbs(request);
        if (plaintext->form == RS_FORM_WORDS && rs_wire_is_exact(request->context))
            return write_object(request, plaintext->message);
        return plaintext->form == RS_FORM_NTT ? write_object(request, plaintext->ntt) : RS_ERR_FORM;
    case RS_WIRE_CIPHERTEXT:
    case RS_WIRE_PUBLIC_KEY:
        if (!ciphertext) return RS_ERR_NULL;
        if (ciphertext->seeded) RS_TRY(seed_check(ciphertext));
        return write_object(request, ciphertext->data);
    default: return RS_ERR_KIND;
    }
}

rs_status_t rs_wire_write_secret_key(const rs_wire_write_request_t *request) {
    RS_TRY(RS_CHECK_REQUEST(request));
    if (request->kind != RS_WIRE_SECRET_KEY) return RS_ERR_KIND;
    const rs_status_t status = request->secret_key ? write_object(request, request->secret_key->ntt) : RS_ERR_NULL;
    rs_wipe_registers();
    return status;
}
