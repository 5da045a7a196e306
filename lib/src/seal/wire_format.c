// SPDX-License-Identifier: Apache-2.0
// Wire format: headers, sizes and the checks that writing and reading share.
#include "seal/wire_internal.h"

void rs_wire_header_encode(uint8_t *out, const rs_wire_header_t *header) {
    out[0] = RS_WIRE_MAGIC & 0xff;
    out[1] = RS_WIRE_MAGIC >> 8;
    out[2] = RS_WIRE_HEADER_BYTES;
    out[3] = header->major;
    out[4] = header->minor;
    out[5] = header->compression;
    out[6] = 0;
    out[7] = 0;
    rs_store64(out + 8, header->bytes);
}

static int version_readable(uint8_t major, uint8_t minor) {
    if (major == 3) return minor >= RS_WIRE_MINOR_3_MIN && minor <= RS_WIRE_MINOR_3_MAX;
    return major == 4 && minor <= RS_WIRE_MINOR_4_MAX;
}

rs_status_t rs_wire_header_decode(const uint8_t *in, rs_wire_header_t *header) {
    if (in[0] != (RS_WIRE_MAGIC & 0xff) || in[1] != RS_WIRE_MAGIC >> 8) return RS_ERR_MAGIC;
    if (in[2] == 0) return RS_ERR_VERSION; // header of SEAL 3.4: magic, 0, compression, u32 size, 8 reserved bytes
    if (in[2] != RS_WIRE_HEADER_BYTES || in[6] != 0 || in[7] != 0) return RS_ERR_MAGIC;
    if (!version_readable(in[3], in[4])) return RS_ERR_VERSION;
    if (in[5] > RS_COMPRESSION_ZSTD) return RS_ERR_COMPRESSION;
    header->major = in[3];
    header->minor = in[4];
    header->compression = in[5];
    header->bytes = rs_load64(in + 8);
    return RS_OK;
}

rs_status_t rs_wire_nested_decode(const uint8_t *in, uint8_t major, uint8_t minor, rs_wire_header_t *header) {
    const rs_status_t status = rs_wire_header_decode(in, header);
    if (status != RS_OK) return status;
    if (header->compression != RS_COMPRESSION_NONE) return RS_ERR_COMPRESSION;
    // SEAL 3.x and 4.0 to 4.4 write one version throughout; later ones may mark the outer object with a newer 4.x than the inner ones.
    if (header->major != major || header->minor > minor || (major == 3 && header->minor != minor)) return RS_ERR_VERSION;
    return RS_OK;
}

uint64_t rs_wire_ciphertext_object_bytes(uint8_t major, uint64_t words, uint32_t seeded) {
    return RS_WIRE_HEADER_BYTES + RS_WIRE_CIPHERTEXT_PREFIX_BYTES + (major >= 4 ? 8u : 0u) + RS_WIRE_ARRAY_BYTES + 8 * words +
           (seeded ? (uint64_t)RS_WIRE_SEED_BYTES : 0u);
}

uint64_t rs_wire_params_bytes(const rs_params_t *params) {
    if (!params) return 0;
    return RS_WIRE_HEADER_BYTES + RS_WIRE_PARAMS_PREFIX_BYTES + ((uint64_t)params->limb_count + 1) * RS_WIRE_MODULUS_BYTES;
}

uint64_t rs_wire_plaintext_bytes(uint64_t words) {
    return RS_WIRE_HEADER_BYTES + RS_WIRE_PLAINTEXT_PREFIX_BYTES + RS_WIRE_ARRAY_BYTES + 8 * words;
}

uint64_t rs_wire_ciphertext_bytes(const rs_wire_options_t *options, uint64_t words, uint32_t seeded) {
    if (!options) return 0;
    return rs_wire_ciphertext_object_bytes(options->version_major, words, seeded);
}

uint64_t rs_wire_kswitch_bytes(const rs_wire_options_t *options, uint64_t entries, uint64_t components, uint64_t words,
                               uint32_t seeded) {
    if (!options) return 0;
    return RS_WIRE_HEADER_BYTES + RS_WIRE_KSWITCH_PREFIX_BYTES + 8 * entries +
           components * rs_wire_ciphertext_object_bytes(options->version_major, words, seeded);
}

void rs_wire_options_default(rs_wire_options_t *options) {
    if (!options) return;
    memset(options, 0, sizeof *options);
    options->version_major = 3;
    options->version_minor = 6;
    options->compression = RS_COMPRESSION_NONE;
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
    if (bytes > memory->capacity - memory->bytes) return RS_ERR_MEMORY;
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
