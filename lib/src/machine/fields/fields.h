// SPDX-License-Identifier: Apache-2.0
// What schemes on a core with fields share (docs/core.md, Fields): words of the instructions of SPONGE and PACK, programs that stay in the order in
// which they were written, and calls whose fault VALUE is an answer.
#ifndef RINGSIDE_MACHINE_FIELDS_H
#define RINGSIDE_MACHINE_FIELDS_H

#include "machine/builder.h"
#include "machine/machine.h"

// Word 0 of the keys of their programs; CKKS has the number of its params.
enum { RS_PROGRAMS_MLKEM = 0x101, RS_PROGRAMS_MLDSA = 0x102 };

enum { RS_DIGEST_BYTES = 32 };

// Place of a field's width in RS_FIELD_WIDTHS.
static inline uint32_t rs_width_index(uint32_t bits) {
    uint32_t index = 0;
    while (RS_FIELD_WIDTHS[index] != bits) index++;
    return index;
}

// Coefficients, NTT form, or NTT form of two halves: of even and of odd elements.
typedef enum rs_polys_form { RS_POLYS_COEFFICIENTS, RS_POLYS_NTT, RS_POLYS_HALVES } rs_polys_form_t;

// Polynomials one behind the other in a group.
typedef struct rs_polys {
    uint32_t group;
    uint32_t log_size;
    uint32_t first;
    uint32_t count;
    rs_polys_form_t form;
} rs_polys_t;

// Lines behind a pointer; bytes is a multiple of a line, or of half a line for the message of HASH.
static inline uint64_t rs_near(rs_pointer_t pointer, size_t bytes) {
    return RS_FIELD(POINTER, pointer) | RS_FIELD(NEAR, bytes / RS_ISA_LINE_BYTES);
}

// Digests from dst on = `halves` halves of the hash of `bytes` bytes of memory.
static inline uint64_t rs_word_hash(uint32_t dst, rs_hash_kind_t kind, uint32_t halves, rs_pointer_t pointer, size_t at,
                                    size_t bytes) {
    const uint64_t skip = at % RS_ISA_LINE_BYTES / RS_DIGEST_BYTES;
    return OP(HASH) | DST(dst) | RS_FIELD(HASH, kind) | RS_FIELD(HALVES, halves - 1) | rs_near(pointer, at) | RS_FIELD(SKIP, skip) |
           RS_FIELD(BYTES, bytes);
}

// The same of memory, then digest a.
static inline uint64_t rs_appended(uint32_t a) { return A(a) | FLAG(APPEND); }

// Words of a sealed core: the digest in front of what is in memory; the roots of a slot; dst stays if two hashes are
// equal, else it is `refused`.
static inline uint64_t rs_word_hash_behind(uint32_t dst, rs_hash_kind_t kind, uint32_t halves, uint32_t front, rs_pointer_t pointer,
                                           size_t at, size_t bytes) {
    return rs_word_hash(dst, (rs_hash_kind_t)(RS_HASH_PREFIX + kind), halves, pointer, at, bytes) | A(front);
}

static inline uint64_t rs_word_key(uint32_t dst, uint32_t slot) {
    return OP(HASH) | DST(dst) | A(slot) | RS_FIELD(HASH, RS_HASH_KEY);
}

static inline uint64_t rs_word_choice(uint32_t dst, uint32_t given, uint32_t made, uint32_t refused) {
    return OP(HASH) | DST(dst) | A(given) | RS_FIELD(POINTER, made) | RS_FIELD(HALVES, refused) | RS_FIELD(HASH, RS_HASH_CHOICE);
}

// Fields of DRAW, LOADF, STOREF, NORM that say which polynomials of which context; NORM takes coefficients alone.
static inline uint64_t rs_words_of(rs_polys_t polys, uint64_t ctx) {
    return RS_FIELD(LOG_SIZE, polys.log_size) | RS_FIELD(SLICE_DST, polys.first) | RS_FIELD(FORM, polys.form) | ctx;
}

static inline uint64_t rs_word_draw(rs_polys_t dst, uint64_t ctx, rs_draw_t kind, uint32_t seed, uint32_t number_bytes,
                                    uint32_t number) {
    return OP(DRAW) | DST(dst.group) | rs_words_of(dst, ctx) | RS_FIELD(DRAWS, dst.count - 1) | RS_FIELD(DRAW, kind) |
           RS_FIELD(SEED_DIGEST, seed) | RS_FIELD(NUMBER_BYTES, number_bytes) | RS_FIELD(NUMBER, number);
}

static inline uint64_t rs_word_loadf(rs_polys_t dst, uint64_t ctx, rs_grow_t kind, uint32_t bits, rs_pointer_t pointer, size_t at) {
    return OP(LOADF) | DST(dst.group) | rs_words_of(dst, ctx) | RS_FIELD(POLYS, dst.count - 1) | RS_FIELD(GROW, kind) |
           RS_FIELD(FIELD_WIDTH, rs_width_index(bits)) | rs_near(pointer, at);
}

static inline uint64_t rs_word_storef(rs_polys_t a, uint64_t ctx, rs_shrink_t kind, uint32_t bits, rs_pointer_t pointer,
                                      size_t at) {
    return OP(STOREF) | A(a.group) | rs_words_of(a, ctx) | RS_FIELD(POLYS, a.count - 1) | RS_FIELD(SHRINK, kind) |
           RS_FIELD(FIELD_WIDTH_OUT, rs_width_index(bits)) | rs_near(pointer, at);
}

// Whether coefficients are below a bound: the fault VALUE says no.
static inline uint64_t rs_word_norm(rs_polys_t a, uint64_t ctx, rs_norm_t kind, uint32_t power, uint32_t margin) {
    return OP(NORM) | A(a.group) | rs_words_of(a, ctx) | RS_FIELD(POLYS, a.count - 1) | RS_FIELD(NORM, kind) |
           RS_FIELD(POWER, power) | RS_FIELD(MARGIN, margin);
}

// ---- of a sealed core (docs/core.md, Sealed fields) --------------------------------------------------------------------------
enum { RS_VAULT_PART_BYTES = RS_VAULT_LINES * RS_ISA_LINE_BYTES, RS_ROOT_BYTES = 64 };
#define RS_FIELDS_VAULT ((rs_pointer_t)RS_VAULT_POINTER)

static inline int rs_fields_is_sealed(const rs_design_t *design) {
    return design->features & RS_FEATURE_FIELDS && design->features & RS_FEATURE_SEALED;
}

// Instructions that put what is bound to a key, RS_VAULT_PART_BYTES of memory, into the vault: 60 lines of it, then zeros. Group and digests are used.
void rs_fields_seal(rs_builder_t *b, uint64_t ctx, uint32_t group, rs_pointer_t pointer, size_t at, uint32_t digest);
// Ends a program that is bound to a key: all of its lines are. RS_ERR_PROGRAM_LENGTH.
RS_MUST_CHECK rs_status_t rs_fields_fill(rs_builder_t *b, const rs_design_t *design, size_t *length);
// The SHA3-256 of what may use a key: that part of the vault, and a program. Of a mask's round anything is bound.
void rs_fields_bound_hash(uint8_t out[RS_DIGEST_BYTES], const uint8_t *image, const uint64_t *program, size_t words);
// The lanes of the slot in their order, in the place of a program: from then on the core has the roots alone.
RS_MUST_CHECK rs_status_t rs_fields_put_key(rs_device_t *d, const uint8_t roots[RS_ROOT_BYTES],
                                            const uint8_t hash[RS_DIGEST_BYTES]);

// Ends a program whose instructions stay where they are: digests and memory order them, which rs_program_order does not know.
// RS_ERR_PROGRAM_LENGTH.
RS_MUST_CHECK rs_status_t rs_fields_finish(rs_builder_t *b, size_t *length);

// Whether a design has fields, and groups of 2^log_n words, `slices` slices at a time and so many groups: RS_ERR_DESIGN, RS_ERR_DESIGN_DEGREE.
RS_MUST_CHECK rs_status_t rs_fields_fit(const rs_design_t *design, uint32_t log_n, uint32_t slices, uint32_t groups);

// The context of a ring of 2^log_size coefficients whose constant is R, at `offset` in memory; psi is a root of it. R: what products are divided by.
RS_MUST_CHECK rs_status_t rs_fields_put_context(rs_device_t *d, size_t offset, uint32_t log_size, uint64_t q, uint64_t psi);

// Another word in the place of an instruction of the program that is in the core, not of the first one.
RS_MUST_CHECK rs_status_t rs_fields_patch(rs_device_t *d, uint32_t index, uint64_t word);
// Other words in the core from instruction `index` on, above 0: the program that is kept is as before, and has to be put there again.
RS_MUST_CHECK rs_status_t rs_fields_overlay(rs_device_t *d, uint32_t index, const uint64_t *words, uint32_t count);
// The first instruction of the program in the core that has this operation; below its length.
uint32_t rs_fields_find(const rs_device_t *d, uint32_t op);

// Runs d->call to its end. RS_ERR_VALUE_RANGE: the fault VALUE, an answer about data. Nothing is wiped for it, and the program stays.
RS_MUST_CHECK rs_status_t rs_fields_ask(rs_device_t *d);
// Its second half, of a call that has begun.
RS_MUST_CHECK rs_status_t rs_fields_wait(rs_device_t *d);

#endif
