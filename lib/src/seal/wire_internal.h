// SPDX-License-Identifier: Apache-2.0
// What the parts of the wire format share (wire_format.c, wire_write.c, wire_read.c, wire_convert.c). Layout: docs/wire-format.md.
#ifndef RINGSIDE_WIRE_INTERNAL_H
#define RINGSIDE_WIRE_INTERNAL_H

#include <ringside/wire.h>

#include "base/bytes.h"

enum {
    RS_WIRE_HEADER_BYTES = 16,
    RS_WIRE_MAGIC = 0xA15E,
    RS_WIRE_MODULUS_BYTES = RS_WIRE_HEADER_BYTES + 8,   // Modulus object
    RS_WIRE_ARRAY_BYTES = RS_WIRE_HEADER_BYTES + 8,     // DynArray object before its words
    RS_WIRE_PARAMS_PREFIX_BYTES = 1 + 8 + 8,            // members before the first Modulus
    RS_WIRE_PLAINTEXT_PREFIX_BYTES = 32 + 8 + 8,        // members before the DynArray
    RS_WIRE_CIPHERTEXT_PREFIX_BYTES = 32 + 1 + 3 * 8 + 8, // the same, 3.x; 4.x: 8 more for the correction factor
    RS_WIRE_SEED_BYTES = RS_WIRE_HEADER_BYTES + 1 + RS_SEED_BYTES, // UniformRandomGeneratorInfo object
    RS_WIRE_KSWITCH_PREFIX_BYTES = 32 + 8,

    RS_WIRE_MINOR_3_MIN = 4, // 3.4 and 3.5: full objects only, their seeds mean something else
    RS_WIRE_MINOR_3_MAX = 7,
    RS_WIRE_MINOR_3_SEEDED = 6,
    RS_WIRE_MINOR_4_MAX = 6, // layout unchanged since 4.0; later formats are not known
    RS_WIRE_MINOR_4_WRITE_MAX = 4,

    // Limits of files that are read without a context.
    RS_WIRE_LOG_N_MAX = 17,
    RS_WIRE_LIMBS_MAX = 64,
    RS_WIRE_RELIN_ENTRIES_MAX = RS_POLYS_MAX - 2, // keys for s^2 … s^(RS_POLYS_MAX - 1)
};

// ---- format (wire_format.c) ---------------------------------------------------------------------------------------------
typedef struct rs_wire_header {
    uint8_t major;
    uint8_t minor;
    uint8_t compression;
    uint64_t bytes; // bytes of the object, this header included
} rs_wire_header_t;

void rs_wire_header_encode(uint8_t *out, const rs_wire_header_t *header);
// Magic, size of the header, reserved bytes: RS_ERR_MAGIC; version: RS_ERR_VERSION; compression: RS_ERR_COMPRESSION.
rs_status_t rs_wire_header_decode(const uint8_t *in, rs_wire_header_t *header);
// The same for an object inside another of version major.minor, which is never compressed.
rs_status_t rs_wire_nested_decode(const uint8_t *in, uint8_t major, uint8_t minor, rs_wire_header_t *header);

// Members of a ciphertext before its words.
typedef struct rs_wire_ciphertext {
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint8_t ntt;
    uint64_t poly_count;
    uint64_t n;
    uint64_t limb_count;
    double scale;
    uint64_t correction; // 1 where the file has none
    uint64_t words;
    uint32_t seeded;
} rs_wire_ciphertext_t;

// Bytes of the whole object for a version.
uint64_t rs_wire_ciphertext_object_bytes(uint8_t major, uint64_t words, uint32_t seeded);

// Finite, normal, positive and below 2^total_bits.
int rs_wire_scale_ok(double scale, uint32_t total_bits);
// Non-zero if a word is not below q. Takes the same time for all words: they may be secret.
uint64_t rs_wire_residue_excess(const uint64_t *words, size_t count, uint64_t q);

static inline double rs_wire_load_f64(const uint8_t *in) {
    const uint64_t bits = rs_load64(in);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void rs_wire_store_f64(uint8_t *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    rs_store64(out, bits);
}

// ---- writing (wire_write.c) ---------------------------------------------------------------------------------------------
// Writes the outer header and starts the codec. member_bytes: uncompressed, or UINT64_MAX if not known yet (needs a patching sink).
rs_status_t rs_wire_begin(rs_wire_writer_t *writer, const rs_sink_t *sink, const rs_wire_options_t *options,
                          const rs_context_t *context, uint64_t member_bytes);
rs_status_t rs_wire_emit(rs_wire_writer_t *writer, const uint8_t *data, size_t bytes);
rs_status_t rs_wire_emit_nested(rs_wire_writer_t *writer, uint64_t object_bytes);
rs_status_t rs_wire_emit_u64(rs_wire_writer_t *writer, uint64_t value);
rs_status_t rs_wire_emit_array(rs_wire_writer_t *writer, uint64_t words); // header and count of a DynArray
rs_status_t rs_wire_emit_ciphertext(rs_wire_writer_t *writer, const rs_wire_ciphertext_t *members); // up to the words
rs_status_t rs_wire_emit_seed(rs_wire_writer_t *writer, uint8_t type, const uint8_t *seed);
// A writer and a reader keep their first error, and every later call returns it: between calls on one of them a status can be dropped
// (rs_ignore) as long as the last one is looked at.
rs_status_t rs_wire_writer_fail(rs_wire_writer_t *writer, rs_status_t status);
// Ends the codec, patches the size in; always releases. Returns the writer's first error.
rs_status_t rs_wire_finish(rs_wire_writer_t *writer);

// ---- reading (wire_read.c) ----------------------------------------------------------------------------------------------
rs_status_t rs_wire_reader_fail(rs_wire_reader_t *reader, rs_status_t status);
// Marks a freshly opened object as being read. RS_ERR_SEQUENCE if it already is; RS_ERR_KIND if it is recognisably another kind.
rs_status_t rs_wire_reader_start(rs_wire_reader_t *reader, rs_wire_kind_t kind);
void rs_wire_reader_done(rs_wire_reader_t *reader);
// Exactly `bytes` member bytes. RS_ERR_LENGTH beyond the end that the header promised, RS_ERR_TRUNCATED beyond the end of the data.
rs_status_t rs_wire_take(rs_wire_reader_t *reader, uint8_t *out, size_t bytes);
rs_status_t rs_wire_take_u64(rs_wire_reader_t *reader, uint64_t *value);
rs_status_t rs_wire_take_nested(rs_wire_reader_t *reader, rs_wire_header_t *header);
rs_status_t rs_wire_take_array(rs_wire_reader_t *reader,
                               uint64_t *words); // header and count of a DynArray, checked against each other
// Members of a ciphertext up to its words, structure checked. object: the header of the ciphertext itself; exact: its size must be
// right (else it is that of compressed data).
rs_status_t rs_wire_take_ciphertext(rs_wire_reader_t *reader, const rs_wire_header_t *object, int exact,
                                    rs_wire_ciphertext_t *members);
rs_status_t rs_wire_take_seed(rs_wire_reader_t *reader, uint8_t *type, uint8_t *seed);
// Members of a plaintext up to its words, structure checked.
rs_status_t rs_wire_take_plaintext(rs_wire_reader_t *reader, uint8_t *parms_id, uint64_t *words, double *scale);
// The outer header as rs_wire_take_ciphertext wants it.
rs_wire_header_t rs_wire_reader_header(const rs_wire_reader_t *reader);

#endif
