// SPDX-License-Identifier: Apache-2.0
// Polynomials and hints as bytes (FIPS 204, sections 7.1 and 7.2). Coefficients may be secret.
#ifndef RINGSIDE_MLDSA_PACKING_H
#define RINGSIDE_MLDSA_PACKING_H

#include "mldsa/params.h"
#include "mldsa/ring.h"

// Algorithms 16 and 18: 32 `bits` bytes of coefficients 0 to 2^bits - 1; bits is 4, 6 (w1) or 10 (t1).
void rs_mldsa_pack(uint8_t *out, const rs_mldsa_poly_t *a, unsigned bits);
void rs_mldsa_unpack(rs_mldsa_poly_t *out, const uint8_t *in, unsigned bits);

// Algorithms 17 and 19: of top - coefficient, from 0 to 2^bits - 1; bits is 3, 4 (s1, s2), 13 (t0), 18 or 20 (z).
void rs_mldsa_pack_below(uint8_t *out, const rs_mldsa_poly_t *a, int32_t top, unsigned bits);
void rs_mldsa_unpack_below(rs_mldsa_poly_t *out, const uint8_t *in, int32_t top, unsigned bits);

// Algorithm 20: omega + k bytes of k polynomials of hints 0 and 1, at most omega of them 1. They are public.
void rs_mldsa_pack_hints(uint8_t *out, const rs_mldsa_poly_t *hints, const rs_mldsa_params_t *p);
// Algorithm 21: whether these are bytes that algorithm 20 writes.
int rs_mldsa_hints_are_canonical(const uint8_t *in, const rs_mldsa_params_t *p);
// The hints of one row of such bytes.
void rs_mldsa_unpack_hints(uint8_t hints[RS_MLDSA_N], const uint8_t *in, unsigned row, const rs_mldsa_params_t *p);

#endif
