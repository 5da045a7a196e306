// SPDX-License-Identifier: Apache-2.0
// Numbers of windows and of transforms, which follow from the parameters alone.
#include "scheme/scheme.h"

uint32_t ltv_window_count(const rs_ltv_params_t *params, uint32_t level) {
    return (params->prime_bits * level + LTV_WINDOW_BITS - 1) / LTV_WINDOW_BITS;
}

uint64_t ltv_relinearisation_cost(const rs_ltv_params_t *params, uint32_t level) {
    if (!params->special) return (uint64_t)level * (ltv_window_count(params, level) + 2);
    return (uint64_t)(level + params->special) * ((level + params->special - 1) / params->special + 2);
}
