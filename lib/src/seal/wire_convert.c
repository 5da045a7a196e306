// SPDX-License-Identifier: Apache-2.0
// Copying an object of any kind under another version or compression: structure checked, words passed through unread.
#include "seal/wire_internal.h"

typedef struct copy {
    rs_wire_in_t *in;
    rs_wire_out_t *out;
    const rs_sink_t *sink;
    const rs_wire_format_t *format;
    rs_memory_t buffer;
} copy_t;

static rs_status_t copy_bytes(copy_t *copy, uint64_t bytes) {
    while (bytes > 0) {
        const size_t part = bytes < copy->buffer.n ? (size_t)bytes : copy->buffer.n;
        if (rs_wire_take(copy->in, copy->buffer.p, part) != RS_OK) return copy->in->failed;
        if (rs_wire_emit(copy->out, copy->buffer.p, part) != RS_OK) return copy->out->failed;
        bytes -= part;
    }
    return RS_OK;
}

static rs_status_t start(copy_t *copy, uint64_t object_bytes) {
    const uint64_t member_bytes = object_bytes == UINT64_MAX ? UINT64_MAX : object_bytes - RS_WIRE_HEADER_BYTES;
    return rs_wire_begin(copy->out, copy->sink, copy->format, member_bytes);
}

static rs_status_t convert_params(copy_t *copy) {
    rs_wire_in_t *in = copy->in;
    rs_wire_out_t *out = copy->out;
    uint8_t scheme = 0;
    uint64_t n = 0, count = 0;
    rs_ignore(rs_wire_take(in, &scheme, 1));
    rs_ignore(rs_wire_take_u64(in, &n));
    if (rs_wire_take_u64(in, &count) != RS_OK) return in->failed;
    if (scheme < RS_SCHEME_BFV || scheme > RS_SCHEME_BGV) return RS_ERR_SCHEME;
    if (n < 2 || n > (uint64_t)1 << RS_WIRE_LOG_N_MAX || (n & (n - 1)) != 0) return RS_ERR_LENGTH;
    if (count == 0 || count > RS_WIRE_LIMBS_MAX) return RS_ERR_LENGTH;
    const uint64_t bytes = rs_wire_params_bytes(count);
    if (in->members_left != UINT64_MAX && in->info.total_bytes != bytes) return RS_ERR_LENGTH;

    if (start(copy, bytes) != RS_OK) return out->failed;
    rs_ignore(rs_wire_emit(out, &scheme, 1));
    rs_ignore(rs_wire_emit_u64(out, n));
    rs_ignore(rs_wire_emit_u64(out, count));
    for (uint64_t i = 0; i <= count; i++) {
        uint64_t value = 0;
        if (rs_wire_take_modulus(in, &value) != RS_OK) return in->failed;
        rs_ignore(rs_wire_emit_nested(out, RS_WIRE_MODULUS_BYTES));
        if (rs_wire_emit_u64(out, value) != RS_OK) return out->failed;
    }
    return RS_OK;
}

// A plaintext, a ciphertext, or a component of keys, which has a header of its own inside the file's.
static rs_status_t convert_object(copy_t *copy) {
    rs_wire_in_t *in = copy->in;
    rs_wire_members_t members;
    const uint32_t version = rs_wire_version(copy->format);
    if (rs_wire_take_members(in, in->kind, &members) != RS_OK) return in->failed;
    if (members.correction != 1 && version < RS_WIRE_4) return RS_ERR_VERSION;
    const uint64_t bytes = rs_wire_object_bytes(version, &members);
    RS_TRY(rs_wire_has_entries(in->kind) ? rs_wire_emit_nested(copy->out, bytes) : start(copy, bytes));
    RS_TRY(rs_wire_emit_members(copy->out, &members));
    RS_TRY(copy_bytes(copy, 8 * members.words));
    if (!members.seeded) return RS_OK;
    uint8_t type = 0, seed[RS_SEED_BYTES];
    if (rs_wire_take_seed(in, &type, seed) != RS_OK) return in->failed;
    return rs_wire_emit_seed(copy->out, type, seed);
}

static rs_status_t convert_keys(copy_t *copy) {
    rs_wire_in_t *in = copy->in;
    rs_wire_out_t *out = copy->out;
    uint64_t entries = 0;
    if (rs_wire_take_keys(in, &entries) != RS_OK) return in->failed;
    const uint32_t version = rs_wire_version(copy->format);
    const int same_size = in->members_left != UINT64_MAX && in->info.version >> 8 == version >> 8;
    if (start(copy, same_size ? in->info.total_bytes : UINT64_MAX) != RS_OK) return out->failed;
    rs_ignore(rs_wire_emit(out, in->info.parms_id, RS_PARMS_ID_BYTES));
    if (rs_wire_emit_u64(out, entries) != RS_OK) return out->failed;
    for (uint64_t i = 0; i < entries; i++) {
        uint64_t components = 0;
        if (rs_wire_take_entry(in, &components) != RS_OK) return in->failed;
        if (rs_wire_emit_u64(out, components) != RS_OK) return out->failed;
        for (uint64_t j = 0; j < components; j++) RS_TRY(convert_object(copy));
    }
    // What the header promised beyond the last entry must not go unnoticed: the new size would hide it.
    return in->members_left == UINT64_MAX || in->members_left == 0 ? RS_OK : RS_ERR_LENGTH;
}

static rs_status_t convert_any(copy_t *copy) {
    switch (copy->in->kind) {
    case RS_WIRE_PARAMS: return convert_params(copy);
    case RS_WIRE_PLAINTEXT:
    case RS_WIRE_CIPHERTEXT: return convert_object(copy);
    case RS_WIRE_RELIN_KEYS:
    case RS_WIRE_GALOIS_KEYS: return convert_keys(copy);
    default: return RS_ERR_KIND;
    }
}

rs_status_t rs_wire_convert(rs_wire_reader_t *handle, const rs_sink_t *sink, const rs_wire_format_t *format, rs_memory_t buffer) {
    if (!handle || !sink || !format) return RS_ERR_NULL;
    RS_TRY(rs_check_memory(buffer, 4096));
    rs_wire_in_t *reader = (rs_wire_in_t *)(void *)handle;
    if (rs_wire_reader_start(reader, reader->info.kind) != RS_OK) return reader->failed;
    rs_wire_out_t writer;
    memset(&writer, 0, sizeof writer);
    copy_t copy = {reader, &writer, sink, format, buffer};
    rs_ignore(rs_wire_writer_fail(&writer, convert_any(&copy)));
    const rs_status_t status = rs_wire_finish(&writer);
    rs_zeroize(buffer.p, buffer.n); // a secret key may have passed through
    if (status != RS_OK) return rs_wire_reader_fail(reader, status);
    rs_wire_reader_done(reader);
    return RS_OK;
}
