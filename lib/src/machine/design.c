// SPDX-License-Identifier: Apache-2.0
// Which cores can be built, which parameters they can compute with, and the sizes of what they read.
#include "machine/design.h"

static int is_power_of_two(uint32_t x) { return x && !(x & (x - 1)); }

rs_status_t rs_design_check(const rs_design_t *d) {
    const int fits = is_power_of_two(d->lanes) && d->lanes <= 256 && d->word_bits >= 16 && d->word_bits <= 64 &&
                     d->log_n_min >= 4 && d->log_n_min <= d->log_n_max && d->log_n_max <= RS_PLAN_LOG_N_MAX && d->groups >= 2 &&
                     d->groups <= 16 && d->contexts >= 1 && d->contexts <= 4 && d->slots <= 6 && is_power_of_two(d->bus_bits) &&
                     d->bus_bits >= 64 && d->bus_bits <= 512 && d->program_depth >= 1 && d->program_depth <= 1 << 16;
    // fixed point: words that rs_fixed_init takes, the LIFT unit, which comes with the slots, and memory for roots
    const int encodes = d->word_bits >= RS_FIXED_BITS_MIN && d->slots && !(d->features & RS_FEATURE_ON_THE_FLY);
    // twiddles on the fly would begin anew in each slice
    const int slices = rs_design_slices(d) == 1 || (rs_design_slices(d) <= 64 && !(d->features & RS_FEATURE_ON_THE_FLY));
    return fits && slices && (!rs_design_encodes(d) || encodes) ? RS_OK : RS_ERR_DEVICE_DESIGN;
}

rs_status_t rs_design_fits_ring(const rs_design_t *design, uint32_t log_n, uint64_t q) {
    if (log_n < design->log_n_min || log_n > design->log_n_max) return RS_ERR_DESIGN_DEGREE;
    if (design->word_bits < 64 && q >> design->word_bits) return RS_ERR_DESIGN_MODULUS;
    return q % (1 << RS_WLM_WORD_BITS) != 1 ? RS_ERR_DESIGN_MODULUS : RS_OK;
}

static size_t whole_lines(size_t bytes) { return (bytes + 63) / 64 * 64; }

static size_t twiddle_words(const rs_design_t *design, uint32_t log_n) {
    if (design->features & RS_FEATURE_ON_THE_FLY) return 2 * design->lanes * (rs_design_seed_rows(design) + 3);
    return (size_t)1 << log_n;
}

size_t rs_design_poly_bytes(const rs_design_t *design, uint32_t log_n) { return rs_design_residue_bytes(design) << log_n; }

size_t rs_design_context_bytes(const rs_design_t *design, uint32_t log_n) {
    return RS_CONTEXT_HEADER_BYTES + whole_lines(twiddle_words(design, log_n) * rs_design_residue_bytes(design));
}

size_t rs_design_stream_bytes(const rs_design_t *design, uint32_t log_n) {
    const uint32_t low = rs_design_stream_low(design);
    return whole_lines((((size_t)1 << low) + ((size_t)1 << (log_n - low))) * rs_design_residue_bytes(design));
}

size_t rs_design_stream_tables_bytes(const rs_design_t *design, uint32_t log_n) {
    const uint32_t low = rs_design_stream_low(design);
    return whole_lines((((size_t)1 << low) + ((size_t)1 << (log_n - low))) * 8);
}

size_t rs_design_stream_key_bytes(const rs_design_t *design, uint32_t log_n) {
    return RS_CONTEXT_HEADER_BYTES + rs_design_stream_tables_bytes(design, log_n) + ((size_t)16 << log_n);
}

size_t rs_design_roots_bytes(const rs_design_t *design, uint32_t log_n) {
    return RS_CONTEXT_HEADER_BYTES + whole_lines(rs_design_residue_bytes(design) << (log_n - 1));
}
