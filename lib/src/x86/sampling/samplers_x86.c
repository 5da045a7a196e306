// SPDX-License-Identifier: Apache-2.0
// The sampler tables.
#include "x86/sampling/samplers_x86.h"

#ifdef RS_X86
const rs_samplers_t RS_SAMPLERS_AVX2 = {
    .hash = &RS_HASH_AVX2,
    .cbd21 = rs_cbd21_avx2,
    .ternary = rs_ternary_avx2,
    .uniform = rs_uniform, // AVX2 has no product of 64-bit words
};

const rs_samplers_t RS_SAMPLERS_AVX512 = {
    .hash = &RS_HASH_AVX512,
    .cbd21 = rs_cbd21_avx512,
    .ternary = rs_ternary_avx2,
    .uniform = rs_uniform_avx512,
};
#endif
