// SPDX-License-Identifier: Apache-2.0
// What the parts of the wire format share (wire_format.c, wire_write.c, wire_read.c, wire_convert.c). Layout: docs/wire-format.md.
#ifndef RINGSIDE_WIRE_INTERNAL_H
#define RINGSIDE_WIRE_INTERNAL_H

#include <ringside/wire.h>

#include "base/bytes.h"
#include "base/checks.h"

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
    RS_WIRE_PEEK_BYTES = 192,

    // Versions, major << 8 | minor
    RS_WIRE_3_MIN = 0x304, // 3.4 and 3.5: full objects only, their seeds mean something else
    RS_WIRE_3_SEEDED = 0x306,
    RS_WIRE_3_MAX = 0x307,
    RS_WIRE_4 = 0x400,
    RS_WIRE_4_MAX = 0x406, // layout unchanged since 4.0; later formats are not known
    RS_WIRE_4_WRITE_MAX = 0x404,

    // Limits of files that are read without a context.
    RS_WIRE_LOG_N_MAX = 17,
    RS_WIRE_LIMBS_MAX = 64,
    RS_WIRE_RELIN_ENTRIES_MAX = RS_POLYS_MAX - 2, // keys for s^2 … s^(RS_POLYS_MAX - 1)
};

// ---- format (wire_format.c) ---------------------------------------------------------------------------------------------
typedef struct rs_wire_header {
    uint32_t version;
    uint32_t compression;
    uint64_t bytes; // bytes of the object, this header included
} rs_wire_header_t;

void rs_wire_header_encode(uint8_t *out, const rs_wire_header_t *header);
// Magic, size of the header, reserved bytes: RS_ERR_MAGIC; version: RS_ERR_VERSION; compression: RS_ERR_COMPRESSION.
rs_status_t rs_wire_header_decode(const uint8_t *in, rs_wire_header_t *header);
// The same for an object inside another of that version, which is never compressed.
rs_status_t rs_wire_nested_decode(const uint8_t *in, uint32_t version, rs_wire_header_t *header);

// Members of a plaintext or a secret key (one polynomial), or of a ciphertext or a public key (more), before its words.
typedef struct rs_wire_members {
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint32_t ntt;
    uint32_t seeded;
    uint64_t poly_count;
    uint64_t n; // the file of a plaintext has neither n
    uint64_t limb_count; // nor limb_count: 0
    double scale;
    uint64_t correction; // 1 where the file has none, and in CKKS
    uint64_t words;
} rs_wire_members_t;

static inline int rs_wire_is_plain(uint32_t kind) { return kind == RS_WIRE_PLAINTEXT || kind == RS_WIRE_SECRET_KEY; }

// Key-switching keys, which consist of entries.
static inline int rs_wire_has_entries(uint32_t kind) { return kind == RS_WIRE_RELIN_KEYS || kind == RS_WIRE_GALOIS_KEYS; }

static inline uint32_t rs_wire_version(const rs_wire_format_t *format) {
    return format->version ? format->version : RS_WIRE_3_SEEDED;
}

// Bytes of the members before the DynArray of words, and of the whole object.
uint32_t rs_wire_prefix_bytes(uint32_t version, uint64_t poly_count);
uint64_t rs_wire_object_bytes(uint32_t version, const rs_wire_members_t *members);
uint64_t rs_wire_params_bytes(uint64_t limb_count);

// What a context demands of an object of a kind: keys are at key level, of two polynomials at most and with scale 1; data are at a data level,
// and of BFV and BGV have scale 1. Form and correction factor are those of the scheme.
rs_status_t rs_wire_level_check(const rs_context_t *context, uint32_t kind, const rs_wire_members_t *members);
// Finite, normal, positive and below 2^total_bits.
int rs_wire_scale_ok(double scale, uint32_t total_bits);
// Non-zero if a word is not below q. Takes the same time for all words: they may be secret.
uint64_t rs_wire_residue_excess(const uint64_t *words, size_t count, uint64_t q);

// Seeded key-switching keys of all moduli: each byte of the file has a known place.
typedef struct rs_wire_keys {
    rs_wire_members_t members; // each row's
    uint64_t entries;
    uint64_t row_bytes;
    uint64_t total_bytes;
} rs_wire_keys_t;

// galois: keys of `count` elements, which are odd, below 2N and ascending (RS_ERR_GALOIS); else the relinearisation key.
RS_MUST_CHECK rs_status_t rs_wire_describe_keys(const rs_params_t *params, uint32_t version, int galois, const uint32_t *elements,
                                                uint32_t count, rs_wire_keys_t *keys);

// A sink for a whole file: what is in the range goes on.
typedef struct rs_wire_range {
    const rs_sink_t *sink;
    uint64_t at, first, end; // bytes of the file so far; of the range
} rs_wire_range_t;

rs_status_t rs_wire_range_write(void *state, const uint8_t *data, size_t bytes);

static inline int rs_wire_is_exact(const rs_context_t *context) {
    return context && rs_context_params(context)->scheme != RS_SCHEME_CKKS;
}

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
// What is inside of a rs_wire_writer_t.
typedef struct rs_wire_out {
    rs_sink_t sink;
    rs_wire_format_t format;
    const rs_context_t *context;
    void *codec_state;
    uint64_t member_bytes; // written so far, uncompressed
    uint64_t expected; // member bytes that the header promised; UINT64_MAX: patched in at the end
    uint64_t words; // still to come: words of the open object or component,
    uint64_t entries; // entries,
    uint64_t entry_components; // components of the open entry,
    uint64_t components; // components of the whole object
    uint32_t position; // index of the next word in its limb
    uint32_t limb;
    uint32_t limb_count;
    uint32_t seeded;
    uint32_t stage;
    uint64_t plain_modulus; // BFV, BGV: bound of a plaintext that is written; else 0
    rs_status_t failed; // first error; every later call returns it
} rs_wire_out_t;

// Writes the outer header and starts the codec. member_bytes: uncompressed, or UINT64_MAX if not known yet (needs a patching sink).
rs_status_t rs_wire_begin(rs_wire_out_t *writer, const rs_sink_t *sink, const rs_wire_format_t *format, uint64_t member_bytes);
rs_status_t rs_wire_emit(rs_wire_out_t *writer, const uint8_t *data, size_t bytes);
rs_status_t rs_wire_emit_nested(rs_wire_out_t *writer, uint64_t object_bytes);
rs_status_t rs_wire_emit_u64(rs_wire_out_t *writer, uint64_t value);
rs_status_t rs_wire_emit_words(rs_wire_out_t *writer, const uint64_t *words, size_t count); // below their moduli
rs_status_t rs_wire_emit_members(rs_wire_out_t *writer, const rs_wire_members_t *members); // up to the words
rs_status_t rs_wire_emit_seed(rs_wire_out_t *writer, uint8_t type, const uint8_t *seed);
// A writer and a reader keep their first error, and every later call returns it: between calls on one of them a status can be dropped
// (rs_ignore) as long as the last one is looked at.
rs_status_t rs_wire_writer_fail(rs_wire_out_t *writer, rs_status_t status);
// Ends the codec, patches the size in; always releases. Returns the writer's first error.
rs_status_t rs_wire_finish(rs_wire_out_t *writer);

// ---- reading (wire_read.c) ----------------------------------------------------------------------------------------------
// What is inside of a rs_wire_reader_t.
typedef struct rs_wire_in {
    rs_source_t source;
    const rs_codec_t *codec;
    void *codec_state;
    const rs_context_t *context; // the one under which the object is read; may be NULL
    uint64_t members_left; // uncompressed member bytes still to come; UINT64_MAX if only the codec knows
    uint64_t entries; // still to come: entries,
    uint64_t components; // components of the open entry
    rs_wire_members_t members; // what begins the object or component whose words are next, as checked
    uint32_t kind; // what is being read
    uint32_t stage;
    uint32_t peek_bytes; // first member bytes, kept for rs_wire_info
    uint32_t peek_position;
    uint8_t peek[RS_WIRE_PEEK_BYTES];
    rs_wire_info_t info;
    rs_status_t failed; // first error; every later call returns it
} rs_wire_in_t;

rs_status_t rs_wire_in_open(rs_wire_in_t *reader, const rs_source_t *source, const rs_codec_t *codec);
rs_status_t rs_wire_in_close(rs_wire_in_t *reader, int check);
rs_status_t rs_wire_reader_fail(rs_wire_in_t *reader, rs_status_t status);
// Marks a freshly opened object as being read. RS_ERR_SEQUENCE if it already is; RS_ERR_KIND if it is recognisably another kind.
rs_status_t rs_wire_reader_start(rs_wire_in_t *reader, uint32_t kind);
void rs_wire_reader_done(rs_wire_in_t *reader);
// Exactly `bytes` member bytes. RS_ERR_LENGTH beyond the end that the header promised, RS_ERR_TRUNCATED beyond the end of the data.
rs_status_t rs_wire_take(rs_wire_in_t *reader, uint8_t *out, size_t bytes);
rs_status_t rs_wire_take_u64(rs_wire_in_t *reader, uint64_t *value);
// A Modulus object.
rs_status_t rs_wire_take_modulus(rs_wire_in_t *reader, uint64_t *value);
// Members up to the words of a plaintext, of a ciphertext or, with its own header, of a component of key-switching keys; structure checked.
rs_status_t rs_wire_take_members(rs_wire_in_t *reader, uint32_t kind, rs_wire_members_t *members);
rs_status_t rs_wire_take_seed(rs_wire_in_t *reader, uint8_t *type, uint8_t *seed);
// Members of key-switching keys up to the first entry; then the components of an entry.
rs_status_t rs_wire_take_keys(rs_wire_in_t *reader, uint64_t *entries);
rs_status_t rs_wire_take_entry(rs_wire_in_t *reader, uint64_t *components);

_Static_assert(sizeof(rs_wire_out_t) <= sizeof(rs_wire_writer_t), "a writer fits its private words");
_Static_assert(sizeof(rs_wire_in_t) <= sizeof(rs_wire_reader_t), "a reader fits its private words");

#endif
