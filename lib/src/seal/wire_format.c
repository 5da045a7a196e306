// SPDX-License-Identifier: Apache-2.0
// Wire format: headers, sizes and the checks that writing and reading share.
#include "params/plain.h"
#include "seal/wire_internal.h"

void rs_wire_header_encode(uint8_t *out, const rs_wire_header_t *header) {
    out[0] = RS_WIRE_MAGIC & 0xff;
    out[1] = RS_WIRE_MAGIC >> 8;
    out[2] = RS_WIRE_HEADER_BYTES;
    out[3] = (uint8_t)(header->version >> 8);
    out[4] = (uint8_t)header->version;
    out[5] = (uint8_t)header->compression;
    out[6] = 0;
    out[7] = 0;
    rs_store64(out + 8, header->bytes);
}

static int version_readable(uint32_t version) {
    if (version < RS_WIRE_4) return version >= RS_WIRE_3_MIN && version <= RS_WIRE_3_MAX;
    return version <= RS_WIRE_4_MAX;
}

rs_status_t rs_wire_header_decode(const uint8_t *in, rs_wire_header_t *header) {
    if (in[0] != (RS_WIRE_MAGIC & 0xff) || in[1] != RS_WIRE_MAGIC >> 8) return RS_ERR_MAGIC;
    if (in[2] == 0) return RS_ERR_VERSION; // header of SEAL 3.4: magic, 0, compression, u32 size, 8 reserved bytes
    if (in[2] != RS_WIRE_HEADER_BYTES || in[6] != 0 || in[7] != 0) return RS_ERR_MAGIC;
    const uint32_t version = (uint32_t)in[3] << 8 | in[4];
    if (!version_readable(version)) return RS_ERR_VERSION;
    if (in[5] > RS_COMPRESSION_ZSTD) return RS_ERR_COMPRESSION;
    header->version = version;
    header->compression = in[5];
    header->bytes = rs_load64(in + 8);
    return RS_OK;
}

rs_status_t rs_wire_nested_decode(const uint8_t *in, uint32_t version, rs_wire_header_t *header) {
    RS_TRY(rs_wire_header_decode(in, header));
    if (header->compression != RS_COMPRESSION_NONE) return RS_ERR_COMPRESSION;
    // SEAL 3.x and 4.0 to 4.4 write one version throughout; later ones may mark the outer object with a newer 4.x than the inner ones.
    const int older = version >= RS_WIRE_4 && header->version >= RS_WIRE_4 && header->version < version;
    return older || header->version == version ? RS_OK : RS_ERR_VERSION;
}

uint32_t rs_wire_prefix_bytes(uint32_t version, uint64_t poly_count) {
    if (poly_count == 1) return RS_WIRE_PLAINTEXT_PREFIX_BYTES;
    return RS_WIRE_CIPHERTEXT_PREFIX_BYTES + (version >= RS_WIRE_4 ? 8u : 0u);
}

uint64_t rs_wire_object_bytes(uint32_t version, const rs_wire_members_t *members) {
    return RS_WIRE_HEADER_BYTES + rs_wire_prefix_bytes(version, members->poly_count) + RS_WIRE_ARRAY_BYTES + 8 * members->words +
           (members->seeded ? (uint64_t)RS_WIRE_SEED_BYTES : 0u);
}

uint64_t rs_wire_params_bytes(uint64_t limb_count) {
    return RS_WIRE_HEADER_BYTES + RS_WIRE_PARAMS_PREFIX_BYTES + (limb_count + 1) * RS_WIRE_MODULUS_BYTES;
}

rs_status_t rs_wire_level_check(const rs_context_t *context, uint32_t kind, const rs_wire_members_t *members) {
    const rs_params_t *params = rs_context_params(context);
    const uint32_t limb_count = (uint32_t)members->limb_count;
    if (members->correction != 1 && params->scheme != RS_SCHEME_BGV) return RS_ERR_CORRECTION;
    if (members->correction == 0 || (members->correction != 1 && members->correction >= params->plain_modulus))
        return RS_ERR_CORRECTION;
    if (kind == RS_WIRE_CIPHERTEXT && rs_wire_is_exact(context)) {
        if (limb_count < rs_plain_limbs_min(params) || limb_count > rs_params_data_limbs(params)) return RS_ERR_LEVEL;
        return members->scale == 1.0 ? RS_OK : RS_ERR_SCALE;
    }
    if (members->ntt != 1) return RS_ERR_NOT_NTT;
    if (kind == RS_WIRE_PLAINTEXT || kind == RS_WIRE_CIPHERTEXT) {
        if (limb_count > rs_params_data_limbs(params)) return RS_ERR_LEVEL;
        return rs_wire_scale_ok(members->scale, rs_params_total_bits(params, limb_count)) ? RS_OK : RS_ERR_SCALE;
    }
    if (limb_count != params->limb_count) return RS_ERR_LEVEL;
    if (members->correction != 1) return RS_ERR_CORRECTION;
    if (members->poly_count > 2) return RS_ERR_POLY_COUNT;
    return members->scale == 1.0 ? RS_OK : RS_ERR_SCALE;
}

int rs_wire_scale_ok(double scale, uint32_t total_bits) {
    uint64_t bits;
    memcpy(&bits, &scale, sizeof bits);
    if (bits >> 63) return 0;
    const uint32_t exponent = (uint32_t)(bits >> 52);
    if (exponent == 0 || exponent == 0x7ff) return 0; // zero and subnormal; infinite and NaN
    return exponent < 1023 + total_bits;              // scale in [2^e, 2^(e+1)) with e < total_bits
}

uint64_t rs_wire_residue_excess(const uint64_t *words, size_t count, uint64_t q) {
    uint64_t excess = 0;
    // q < 2^63: the top bit is set where q - 1 - w wraps or w is far too large. Vector units without comparisons can do this.
    for (size_t i = 0; i < count; i++) excess |= (q - 1 - words[i]) | words[i];
    return excess >> 63;
}

// ---- memory streams ------------------------------------------------------------------------------------------------------
static rs_status_t memory_read(void *state, uint8_t *out, size_t bytes, size_t *got) {
    rs_memory_source_t *memory = state;
    const size_t left = memory->bytes - memory->position;
    *got = bytes < left ? bytes : left;
    if (*got) memcpy(out, memory->data + memory->position, *got);
    memory->position += *got;
    return RS_OK;
}

static rs_status_t memory_write(void *state, const uint8_t *data, size_t bytes) {
    rs_memory_sink_t *memory = state;
    if (bytes > memory->capacity - memory->bytes) return RS_ERR_TOO_SMALL;
    if (bytes) memcpy(memory->data + memory->bytes, data, bytes);
    memory->bytes += bytes;
    return RS_OK;
}

static rs_status_t memory_patch(void *state, uint64_t offset, const uint8_t *data, size_t bytes) {
    rs_memory_sink_t *memory = state;
    if (offset > memory->bytes || bytes > memory->bytes - offset) return RS_ERR_IO;
    memcpy(memory->data + offset, data, bytes);
    return RS_OK;
}

void rs_source_from_memory(rs_source_t *source, rs_memory_source_t *state, const uint8_t *data, size_t bytes) {
    if (!source || !state) return;
    state->data = data;
    state->bytes = data ? bytes : 0;
    state->position = 0;
    source->read = memory_read;
    source->state = state;
}

void rs_sink_to_memory(rs_sink_t *sink, rs_memory_sink_t *state, uint8_t *data, size_t capacity) {
    if (!sink || !state) return;
    state->data = data;
    state->capacity = data ? capacity : 0;
    state->bytes = 0;
    sink->write = memory_write;
    sink->patch = memory_patch;
    sink->state = state;
}

// ---- key-switching keys --------------------------------------------------------------------------------------------------
rs_status_t rs_wire_describe_keys(const rs_params_t *params, uint32_t version, int galois, const uint32_t *elements, uint32_t count,
                                  rs_wire_keys_t *keys) {
    const uint32_t limbs = params->limb_count, n = (uint32_t)1 << params->log_n;
    for (uint32_t i = 0; galois && i < count; i++)
        if (!(elements[i] & 1) || elements[i] >= 2 * n || (i && elements[i] <= elements[i - 1])) return RS_ERR_GALOIS;
    const uint64_t words = (uint64_t)limbs << params->log_n;
    *keys = (rs_wire_keys_t){
        .members =
            {.ntt = 1, .seeded = 1, .poly_count = 2, .n = n, .limb_count = limbs, .scale = 1, .correction = 1, .words = words},
        .entries = galois ? n : 1,
    };
    RS_TRY(rs_params_id(params, limbs, keys->members.parms_id));
    keys->row_bytes = rs_wire_object_bytes(version, &keys->members);
    keys->total_bytes = RS_WIRE_HEADER_BYTES + RS_WIRE_KSWITCH_PREFIX_BYTES + 8 * keys->entries +
                        (galois ? (uint64_t)count : 1) * (limbs - 1) * keys->row_bytes;
    return RS_OK;
}

rs_status_t rs_wire_range_write(void *state, const uint8_t *data, size_t bytes) {
    rs_wire_range_t *range = state;
    const uint64_t at = range->at, end = at + bytes;
    const uint64_t from = at < range->first ? range->first : at, to = end < range->end ? end : range->end;
    range->at = end;
    return from < to ? range->sink->write(range->sink->state, data + (from - at), (size_t)(to - from)) : RS_OK;
}
