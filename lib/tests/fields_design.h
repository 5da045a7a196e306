// SPDX-License-Identifier: Apache-2.0
// A core with fields, as designs/pqc-4.toml has it.
#ifndef RS_FIELDS_DESIGN_H
#define RS_FIELDS_DESIGN_H

#include <ringside/program.h>

static const rs_design_t FIELDS_DESIGN = {.lanes = 4,
                                          .word_bits = 24,
                                          .log_n_min = 10,
                                          .log_n_max = 11,
                                          .groups = 11,
                                          .contexts = 2,
                                          .bus_bits = 128,
                                          .features = RS_FEATURE_FIELDS | 4 << RS_FEATURE_LOG_SLICES_SHIFT,
                                          .program_depth = 256,
                                          .keccak_cores = 1};

// As designs/pqc-4s.toml has it.
static inline rs_design_t sealed_design(void) {
    rs_design_t design = FIELDS_DESIGN;
    design.features |= RS_FEATURE_SEALED;
    return design;
}

#endif
