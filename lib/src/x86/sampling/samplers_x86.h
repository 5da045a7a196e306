// SPDX-License-Identifier: Apache-2.0
// Entries of the sampler tables.
#ifndef RINGSIDE_X86_SAMPLERS_H
#define RINGSIDE_X86_SAMPLERS_H

#include "x86/x86.h"

void rs_cbd21_avx2(int8_t *out, const uint8_t *bytes, size_t count);
void rs_cbd21_avx512(int8_t *out, const uint8_t *bytes, size_t count);
void rs_ternary_avx2(int8_t *out, const uint8_t *bytes);
size_t rs_uniform_avx512(uint64_t *words, size_t count, uint64_t limit, const rs_modulus_t *m);

#endif
