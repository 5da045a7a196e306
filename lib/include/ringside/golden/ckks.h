// SPDX-License-Identifier: Apache-2.0
// Golden: the steps of encode, encrypt and decrypt, one limb at a time; client.h is built from them.
//
// They check no arguments; plan.h has the steps on polynomials. `limb` is an index of the context's moduli, residues are in [0, q), pointers
// are to N words (int8_t, double).
#ifndef RINGSIDE_GOLDEN_CKKS_H
#define RINGSIDE_GOLDEN_CKKS_H

#include "../client.h"
#include "fixed.h"

#ifdef __cplusplus
extern "C" {
#endif

// Encoded message (integer-valued doubles) plus optional small error -> residues: out = m + e mod q. error may be NULL.
RS_GOLDEN void rs_lift_message(const rs_context_t *context, uint32_t limb, uint64_t *out, const double *message,
                               const int8_t *error);

// Words of fixed point (golden/fixed.h) -> residues: out = round(word 2^shift) mod q, halves away from zero; out may be the words.
RS_GOLDEN void rs_lift_fixed(const rs_context_t *context, uint32_t limb, uint64_t *out, const int64_t *words, int32_t shift);

// How a word that rs_fixed_inverse gives becomes a coefficient when rs_encode does it in fixed point. rs_fixed_times of it, unless factor is 0, times 2^shift,
// rounded half away from zero (rs_lift_fixed): factor 2^(shift - W), or 2^shift, is scale 2^(bound - (W - 1)), whose mantissa is rounded to W
// bits. There is no factor if that is a power of two. RS_ERR_WORD_BITS, RS_ERR_LAYOUT (bound), RS_ERR_SCALE: not positive, or not a
// normal number.
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_encode_fixed_scale(uint32_t word_bits, double scale, int32_t bound, rs_fixed_scale_t *how);
// How rs_decode in fixed point makes words of W bits of a plaintext, whose scale and limb_count are used. *limbs: how many of its one or two limbs
// are read. One: the centred residue d_0. Two: r_0 from 0 to q_0 - 1, and the centred d_1 = (r_1 - r_0) / q_0 modulo q_1. Each is a word by scales[0]
// or scales[1], digit radix 2^(W - 2 - bound) / scale, radix 1 or q_0, and the two are added. A shift alone does it for the first one if the
// scale is a power of two. Of two limbs one is read where scale 2^bound is at most q_0 and no word holds q_0: coefficients up to half of that, as bound
// is one more than slots need, are in the first limb.
// RS_ERR_WORD_BITS, RS_ERR_LAYOUT (bound), RS_ERR_LEVEL: no limb, or more than two; RS_ERR_SCALE.
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_decode_fixed_scales(const rs_context_t *context, uint32_t word_bits,
                                                           const rs_plaintext_t *plaintext, int32_t bound,
                                                           rs_fixed_scale_t scales[2], uint32_t *limbs);

// Transform of encode and decode: N/2-point complex FFT, in place, re[] and im[] of N/2 doubles each. The operation order is fixed
// (docs/encoding.md): it is SEAL's N-point transform restricted to the half that conjugate symmetry leaves free, so that results
// are identical bit for bit on every platform, and to SEAL's.
// inverse: slots (in SEAL's bit-reversed slot order) -> coefficients, times `fix`: re -> coefficients 0..N/2-1, im -> N/2..N-1.
// Parts below 2^-80 / S or 2^-1022 in magnitude count as zeros, S being N fix rounded down to a power of two.
RS_GOLDEN void rs_fft_inverse(const rs_context_t *context, double *re, double *im, double fix);
// forward: coefficients -> slots in the same order.
RS_GOLDEN void rs_fft_forward(const rs_context_t *context, double *re, double *im);
// Where slot i sits in re/im (bit-reversed order), and whether its conjugate is stored there (1) or itself (0).
RS_GOLDEN uint32_t rs_slot_position(const rs_context_t *context, uint32_t slot, uint32_t *conjugated);

// Public-key encryption with a dropped prime P = moduli[drop] (SEAL: divide_and_round_q_last), step 1 of 2, per polynomial j:
//   d = centred((INTT_P(pk_jP o NTT_P(u)) + e_j + floor(P/2)) mod P) in [-floor(P/2), floor(P/2)],
// the remainder that rounding by P subtracts. scratch: N words, INTT_P(pk_jP o NTT_P(u)) afterwards.
RS_GOLDEN void rs_pk_remainder(const rs_context_t *context, uint32_t drop, int64_t *d, const uint64_t *pk_ntt, const int8_t *u,
                               const int8_t *error, uint64_t *scratch);
// Step 2, per limb i and polynomial j:  c = (P^-1 pk_ji) o NTT_i(u) + NTT_i(P^-1 (e_j - d) + m).
// u_ntt is NTT_i(P^-1 u) (rs_plan_lift with rs_drop_inverse, then NTT); message may be NULL.
RS_GOLDEN void rs_pk_limb(const rs_context_t *context, uint32_t drop, uint32_t limb, uint64_t *c, const uint64_t *pk_ntt,
                          const uint64_t *u_ntt, const int8_t *error, const int64_t *d, const double *message);
// Without a special prime:  c = pk_ji o NTT_i(u) + NTT_i(e_j + m);  u_ntt = NTT_i(u).
RS_GOLDEN void rs_pk_direct_limb(const rs_context_t *context, uint32_t limb, uint64_t *c, const uint64_t *pk_ntt,
                                 const uint64_t *u_ntt, const int8_t *error, const double *message);
// moduli[drop]^-1 mod moduli[limb], limb < drop.
RS_GOLDEN uint64_t rs_drop_inverse(const rs_context_t *context, uint32_t drop, uint32_t limb);

#ifdef __cplusplus
}
#endif

#endif
