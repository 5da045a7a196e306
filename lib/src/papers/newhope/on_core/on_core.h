// SPDX-License-Identifier: Apache-2.0
// NewHope on a core: what its programs and its driver share.
#ifndef RINGSIDE_NEWHOPE_ON_CORE_H
#define RINGSIDE_NEWHOPE_ON_CORE_H

#include "machine/fields/fields.h"
#include "papers/newhope/newhope.h"

// Word 0 of the keys of its programs, beside those of fields.h. The root of the core's transforms is the inverse of psi (program.c).
enum { RS_PROGRAMS_NEWHOPE = 0x103, RS_NEWHOPE_CORE_PSI = 8778, RS_NEWHOPE_GROUPS_MIN = 6 };

typedef enum rs_newhope_op { RS_NEWHOPE_SERVER, RS_NEWHOPE_CLIENT, RS_NEWHOPE_FINISH } rs_newhope_op_t;

// Tables of N constants, times R, behind the context. N^-1 is INTT's.
typedef enum rs_newhope_table {
    RS_NEWHOPE_TWIST, // psi^k at position k: before INTT in the place of NTT
    RS_NEWHOPE_UNTWIST, // N psi^-i, natural order: after it
    RS_NEWHOPE_TWIST_BACK, // N^-1 R psi^i, natural order: before NTT in the place of INTT
    RS_NEWHOPE_UNTWIST_BACK, // psi^-k at position k: after it
    RS_NEWHOPE_TABLES
} rs_newhope_table_t;

// Memory behind RS_POINTER_CONTEXTS: the context, the tables, and zeros.
static inline size_t rs_newhope_table_at(const rs_design_t *design, rs_newhope_table_t table) {
    return rs_design_context_bytes(design, RS_NEWHOPE_LOG_N) + (size_t)table * rs_design_poly_bytes(design, RS_NEWHOPE_LOG_N);
}

static inline size_t rs_newhope_zeros_at(const rs_design_t *design) { return rs_newhope_table_at(design, RS_NEWHOPE_TABLES); }

static inline size_t rs_newhope_constants_bytes(const rs_design_t *design) {
    return rs_newhope_zeros_at(design) + RS_MACHINE_LINE_BYTES;
}

// Memory behind RS_POINTER_INPUT.
enum {
    RS_NEWHOPE_AT_SEEDS = 0, // seeds of noise, then of a
    RS_NEWHOPE_AT_COINS = 64, // the seed of noise and the number of the coins; then the coins
    RS_NEWHOPE_AT_THEIRS = 128, // the polynomial of the other side's message
    RS_NEWHOPE_AT_SECRET = RS_NEWHOPE_AT_THEIRS + RS_NEWHOPE_POLY_BYTES,
    RS_NEWHOPE_AT_MADE = RS_NEWHOPE_AT_SECRET + RS_NEWHOPE_POLY_BYTES, // that of our message
    RS_NEWHOPE_AT_V = RS_NEWHOPE_AT_MADE + RS_NEWHOPE_POLY_BYTES, // what is reconciled, coefficient i at place brv(i)
    RS_NEWHOPE_V_BYTES = 4 * RS_NEWHOPE_N,
    RS_NEWHOPE_ROOM = RS_NEWHOPE_AT_V + RS_NEWHOPE_V_BYTES
};

// word 1 of the key is the rule of Parse, word 2 the operation.
RS_MUST_CHECK rs_status_t rs_newhope_program(const rs_design_t *design, const rs_program_key_t *key, uint64_t *words,
                                             size_t capacity, size_t *length);

#endif
