// SPDX-License-Identifier: Apache-2.0
// A small design with the streaming unit, for tests of batches.
#ifndef RINGSIDE_STREAM_DESIGN_H
#define RINGSIDE_STREAM_DESIGN_H

#include <ringside/program.h>

static const rs_design_t DESIGN = {
    .lanes = 4,
    .word_bits = 32,
    .reduction = RS_REDUCTION_WLM,
    .log_n_min = 10,
    .log_n_max = 12,
    .groups = 5,
    .contexts = 1,
    .slots = 6,
    .bus_bits = 512,
    .features = RS_FEATURE_SAMPLER | RS_FEATURE_EXPAND | RS_FEATURE_REDUCE | RS_FEATURE_PIPE | 2 << RS_FEATURE_STREAM_LANES_SHIFT,
    .program_depth = 512,
    .keccak_cores = 2,
};

#endif
