// SPDX-License-Identifier: Apache-2.0
// The order of a program's instructions.
#ifndef RINGSIDE_PROGRAM_ORDER_H
#define RINGSIDE_PROGRAM_ORDER_H

#include <ringside/program.h>

// Until they are in order, instructions say which frame they belong to: its lowest bits, where words have zeros.
enum { RS_ORDER_FRAME_SHIFT = 6, RS_ORDER_FRAME_MASK = 3 };

// Likewise, of a SAMPLE: it keeps its place behind what passes by SCRATCH. An EXPAND that shares a Keccak core with it is needed first.
// Of an EXPAND: a SAMPLE with which it shares Keccak cores runs beside it.
#define RS_ORDER_LATE RS_FIELD(B, 1)

static inline uint64_t rs_order_frame(uint32_t frame) { return (uint64_t)(frame & RS_ORDER_FRAME_MASK) << RS_ORDER_FRAME_SHIFT; }

// Reorders instructions (END excluded) without changing what they compute, so that units work side by side.
void rs_program_order(const rs_design_t *design, uint32_t log_n, uint64_t *words, size_t length);

#endif
