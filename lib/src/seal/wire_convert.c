// SPDX-License-Identifier: Apache-2.0
// Copying an object of any kind under another version or compression: structure checked, words passed through unread.
#include "seal/wire_internal.h"

typedef struct copy {
    rs_wire_reader_t *in;
    rs_wire_writer_t *out;
    uint8_t *buffer;
    size_t buffer_bytes;
} copy_t;

static rs_status_t copy_bytes(copy_t *copy, uint64_t bytes) {
    while (bytes > 0) {
        const size_t part = bytes < copy->buffer_bytes ? (size_t)bytes : copy->buffer_bytes;
        if (rs_wire_take(copy->in, copy->buffer, part) != RS_OK) return copy->in->failed;
        if (rs_wire_emit(copy->out, copy->buffer, part) != RS_OK) return copy->out->failed;
        bytes -= part;
    }
    return RS_OK;
}

static rs_status_t start(copy_t *copy, const rs_sink_t *sink, const rs_wire_options_t *options, uint64_t object_bytes) {
    const uint64_t member_bytes = object_bytes == UINT64_MAX ? UINT64_MAX : object_bytes - RS_WIRE_HEADER_BYTES;
    return rs_wire_begin(copy->out, sink, options, NULL, member_bytes);
}

static rs_status_t convert_params(copy_t *copy, const rs_sink_t *sink, const rs_wire_options_t *options) {
    rs_wire_reader_t *in = copy->in;
    rs_wire_writer_t *out = copy->out;
    uint8_t scheme = 0;
    uint64_t n = 0, count = 0;
    rs_ignore(rs_wire_take(in, &scheme, 1));
    rs_ignore(rs_wire_take_u64(in, &n));
    if (rs_wire_take_u64(in, &count) != RS_OK) return in->failed;
    if (scheme < RS_SCHEME_BFV || scheme > RS_SCHEME_BGV || (scheme == RS_SCHEME_BGV && options->version_major < 4))
        return RS_ERR_SCHEME; // BGV came with 4.0
    if (n < 2 || n > (uint64_t)1 << RS_WIRE_LOG_N_MAX || (n & (n - 1)) != 0) return RS_ERR_LENGTH;
    if (count == 0 || count > RS_WIRE_LIMBS_MAX) return RS_ERR_LENGTH;
    const uint64_t bytes = RS_WIRE_HEADER_BYTES + RS_WIRE_PARAMS_PREFIX_BYTES + (count + 1) * RS_WIRE_MODULUS_BYTES;
    if (in->members_left != UINT64_MAX && in->info.total_bytes != bytes) return RS_ERR_LENGTH;

    if (start(copy, sink, options, bytes) != RS_OK) return out->failed;
    rs_ignore(rs_wire_emit(out, &scheme, 1));
    rs_ignore(rs_wire_emit_u64(out, n));
    rs_ignore(rs_wire_emit_u64(out, count));
    for (uint64_t i = 0; i <= count; i++) {
        rs_wire_header_t header;
        uint64_t value = 0;
        if (rs_wire_take_nested(in, &header) != RS_OK) return in->failed;
        if (header.bytes != RS_WIRE_MODULUS_BYTES) return RS_ERR_LENGTH;
        if (rs_wire_take_u64(in, &value) != RS_OK) return in->failed;
        rs_ignore(rs_wire_emit_nested(out, RS_WIRE_MODULUS_BYTES));
        if (rs_wire_emit_u64(out, value) != RS_OK) return out->failed;
    }
    return RS_OK;
}

static rs_status_t convert_plaintext(copy_t *copy, const rs_sink_t *sink, const rs_wire_options_t *options) {
    uint8_t bytes[RS_WIRE_PLAINTEXT_PREFIX_BYTES];
    uint64_t words = 0;
    double scale = 0;
    if (rs_wire_take_plaintext(copy->in, bytes, &words, &scale) != RS_OK) return copy->in->failed;
    rs_store64(bytes + 32, words);
    rs_wire_store_f64(bytes + 40, scale);
    if (start(copy, sink, options, rs_wire_plaintext_bytes(words)) != RS_OK) return copy->out->failed;
    rs_ignore(rs_wire_emit(copy->out, bytes, sizeof bytes));
    if (rs_wire_emit_array(copy->out, words) != RS_OK) return copy->out->failed;
    return copy_bytes(copy, 8 * words);
}

// Members of a ciphertext after its header; `members` were taken already.
static rs_status_t copy_ciphertext(copy_t *copy, const rs_wire_ciphertext_t *members) {
    if (rs_wire_emit_ciphertext(copy->out, members) != RS_OK) return copy->out->failed;
    const rs_status_t status = copy_bytes(copy, 8 * members->words);
    if (status != RS_OK || !members->seeded) return status;
    uint8_t type = 0, seed[RS_SEED_BYTES];
    if (rs_wire_take_seed(copy->in, &type, seed) != RS_OK) return copy->in->failed;
    return rs_wire_emit_seed(copy->out, type, seed);
}

static rs_status_t correction_check(const rs_wire_ciphertext_t *members, const rs_wire_options_t *options) {
    return members->correction == 1 || options->version_major >= 4 ? RS_OK : RS_ERR_VERSION;
}

static rs_status_t convert_ciphertext(copy_t *copy, const rs_sink_t *sink, const rs_wire_options_t *options) {
    const rs_wire_header_t object = rs_wire_reader_header(copy->in);
    rs_wire_ciphertext_t members;
    if (rs_wire_take_ciphertext(copy->in, &object, object.compression == RS_COMPRESSION_NONE, &members) != RS_OK) {
        return copy->in->failed;
    }
    rs_status_t status = correction_check(&members, options);
    if (status != RS_OK) return status;
    status = start(copy, sink, options, rs_wire_ciphertext_bytes(options, members.words, members.seeded));
    return status == RS_OK ? copy_ciphertext(copy, &members) : status;
}

static rs_status_t convert_kswitch(copy_t *copy, const rs_sink_t *sink, const rs_wire_options_t *options) {
    rs_wire_reader_t *in = copy->in;
    rs_wire_writer_t *out = copy->out;
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint64_t entries = 0;
    rs_ignore(rs_wire_take(in, parms_id, sizeof parms_id));
    if (rs_wire_take_u64(in, &entries) != RS_OK) return in->failed;
    if (entries == 0 || entries > (uint64_t)1 << RS_WIRE_LOG_N_MAX) return RS_ERR_LENGTH;
    const int same_size = in->members_left != UINT64_MAX && in->info.version_major == options->version_major;
    if (in->members_left != UINT64_MAX && in->members_left < 8 * entries) return RS_ERR_LENGTH;
    if (start(copy, sink, options, same_size ? in->info.total_bytes : UINT64_MAX) != RS_OK) return out->failed;
    rs_ignore(rs_wire_emit(out, parms_id, sizeof parms_id));
    if (rs_wire_emit_u64(out, entries) != RS_OK) return out->failed;
    for (uint64_t i = 0; i < entries; i++) {
        uint64_t components = 0;
        if (rs_wire_take_u64(in, &components) != RS_OK) return in->failed;
        if (components > RS_WIRE_LIMBS_MAX) return RS_ERR_LENGTH;
        if (rs_wire_emit_u64(out, components) != RS_OK) return out->failed;
        for (uint64_t j = 0; j < components; j++) {
            rs_wire_header_t object;
            rs_wire_ciphertext_t members;
            if (rs_wire_take_nested(in, &object) != RS_OK) return in->failed;
            if (in->members_left != UINT64_MAX && object.bytes > in->members_left + RS_WIRE_HEADER_BYTES) return RS_ERR_LENGTH;
            if (rs_wire_take_ciphertext(in, &object, 1, &members) != RS_OK) return in->failed;
            if (memcmp(members.parms_id, parms_id, sizeof parms_id) != 0) return RS_ERR_MISMATCH;
            if (members.poly_count != 2) return RS_ERR_POLY_COUNT;
            rs_status_t status = correction_check(&members, options);
            if (status != RS_OK) return status;
            rs_ignore(rs_wire_emit_nested(out, rs_wire_ciphertext_bytes(options, members.words, members.seeded)));
            status = copy_ciphertext(copy, &members);
            if (status != RS_OK) return status;
        }
    }
    // What the header promised beyond the last entry must not go unnoticed: the new size would hide it.
    return in->members_left == UINT64_MAX || in->members_left == 0 ? RS_OK : RS_ERR_LENGTH;
}

rs_status_t rs_wire_convert(rs_wire_reader_t *reader, const rs_sink_t *sink, const rs_wire_options_t *options, uint8_t *buffer,
                            size_t buffer_bytes) {
    if (!reader || !sink || !options || !buffer) return RS_ERR_NULL;
    if (buffer_bytes < 4096) return RS_ERR_MEMORY;
    if (reader->failed != RS_OK) return reader->failed;
    rs_wire_writer_t writer;
    memset(&writer, 0, sizeof writer);
    copy_t copy = {.in = reader, .out = &writer, .buffer = buffer, .buffer_bytes = buffer_bytes};
    const rs_wire_kind_t kind = reader->info.kind == RS_WIRE_GALOIS_KEYS ? RS_WIRE_RELIN_KEYS : reader->info.kind;
    if (rs_wire_reader_start(reader, kind) != RS_OK) return reader->failed;
    rs_status_t status = RS_ERR_KIND;
    if (kind == RS_WIRE_PARAMS) status = convert_params(&copy, sink, options);
    if (kind == RS_WIRE_PLAINTEXT) status = convert_plaintext(&copy, sink, options);
    if (kind == RS_WIRE_CIPHERTEXT) status = convert_ciphertext(&copy, sink, options);
    if (kind == RS_WIRE_RELIN_KEYS) status = convert_kswitch(&copy, sink, options);
    rs_ignore(rs_wire_writer_fail(&writer, status));
    status = rs_wire_finish(&writer);
    rs_zeroize(buffer, buffer_bytes); // a secret key may have passed through
    if (status != RS_OK) return rs_wire_reader_fail(reader, status);
    rs_wire_reader_done(reader);
    return RS_OK;
}
