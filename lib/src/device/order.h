// SPDX-License-Identifier: Apache-2.0
// The order of a program's instructions.
#ifndef RINGSIDE_PROGRAM_ORDER_H
#define RINGSIDE_PROGRAM_ORDER_H

#include <ringside/program.h>

// Reorders instructions (END excluded) without changing what they compute, so that units work side by side.
void rs_program_order(const rs_design_t *design, uint32_t log_n, uint64_t *words, size_t length);

#endif
