// SPDX-License-Identifier: Apache-2.0
// What a core is built with (rs_design_t), and what follows from it.
#ifndef RINGSIDE_DESIGN_H
#define RINGSIDE_DESIGN_H

#include <ringside/fixed.h>
#include <ringside/program.h>

#include "base/checks.h"

// Word-level Montgomery takes 11 bits per step (rs_pkg::WlmWordBits).
enum { RS_WLM_WORD_BITS = 11, RS_CONTEXT_HEADER_BYTES = 64 };

// Twiddles on the fly: 32 seeds and 16 steps in rows of one word per lane, then three rows (hw/ntt/README.md).
enum { RS_TWIDDLE_SEEDS = 32, RS_TWIDDLE_SCALARS = 48 };

// Whether a design can compute modulo q: RS_ERR_DESIGN_DEGREE, RS_ERR_DESIGN_MODULUS, RS_ERR_DESIGN_MODULUS.
RS_MUST_CHECK rs_status_t rs_design_fits_ring(const rs_design_t *design, uint32_t log_n, uint64_t q);
// RS_ERR_DEVICE_DESIGN if no core can be built like this.
RS_MUST_CHECK rs_status_t rs_design_check(const rs_design_t *design);

static inline int rs_design_encodes(const rs_design_t *design) { return (design->features & RS_FEATURE_ENCODE) != 0; }

// Whether it has LIFTON.
static inline int rs_design_lifts_onto(const rs_design_t *design) { return design->slots && design->groups > 2; }

// Words per cycle of each of the unit PIPE's polynomials; 0: it is not built.
static inline uint32_t rs_design_stream_lanes(const rs_design_t *design) {
    return design->features >> RS_FEATURE_STREAM_LANES_SHIFT & 0x7f;
}

// Slices that an operand has at most; 1: a group is one polynomial.
static inline uint32_t rs_design_slices(const rs_design_t *design) {
    return 1u << (design->features >> RS_FEATURE_LOG_SLICES_SHIFT & 7);
}

// Whether it streams encryptions (docs/core.md, Streaming).
static inline int rs_design_streams(const rs_design_t *design) { return (design->features & RS_FEATURE_PIPE) != 0; }

// The tables of streaming transforms in words of 8 bytes, whatever the design's are.
size_t rs_design_stream_tables_bytes(const rs_design_t *design, uint32_t log_n);

static inline size_t rs_design_residue_bytes(const rs_design_t *design) { return design->word_bits > 32 ? 8 : 4; }

// log2 of the words of the first table of streaming transforms (hw/stream/README.md).
static inline uint32_t rs_design_stream_low(const rs_design_t *design) { return design->log_n_max / 2; }

// Twiddles of a part of an INTT (rs_part_t), and how far behind the others of their context they begin; stored ones. N is 256 at least, so these are
// whole lines.
static inline size_t rs_design_part_bytes(const rs_design_t *design, uint32_t log_n, uint32_t part) {
    return rs_design_residue_bytes(design) << (part == 0 ? log_n : part == 1 ? log_n - 1 : log_n - 2);
}

static inline size_t rs_design_part_offset(const rs_design_t *design, uint32_t log_n, uint32_t part) {
    return part ? (3 - part) * (rs_design_residue_bytes(design) << (log_n - 2)) : 0;
}

static inline size_t rs_design_seed_rows(const rs_design_t *design) {
    return (RS_TWIDDLE_SCALARS + design->lanes - 1) / design->lanes;
}

#endif
