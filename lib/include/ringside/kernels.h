// SPDX-License-Identifier: Apache-2.0
// The steps of encode, encrypt and decrypt, one limb at a time. ckks.h is built from them, and hardware is compared with each of them.
//
// They check no arguments; plan.h has the steps on polynomials. `limb` is an index of the context's moduli, residues are in [0, q), pointers
// are to N words (int8_t, double).
#ifndef RINGSIDE_KERNELS_H
#define RINGSIDE_KERNELS_H

#include "keys.h"

#ifdef __cplusplus
extern "C" {
#endif

// Encoded message (integer-valued doubles) plus optional small error -> residues: out = m + e mod q. error may be NULL.
RS_API void rs_lift_message(const rs_context_t *context, uint32_t limb, uint64_t *out, const double *message, const int8_t *error);

// Words of fixed point (fixed.h) -> residues: out = round(word 2^shift) mod q, halves away from zero; out may be the words.
RS_API void rs_lift_fixed(const rs_context_t *context, uint32_t limb, uint64_t *out, const int64_t *words, int32_t shift);

// Transform of encode and decode: N/2-point complex FFT, in place, re[] and im[] of N/2 doubles each. The operation order is fixed
// (docs/encoding.md): it is SEAL's N-point transform restricted to the half that conjugate symmetry leaves free, so that results
// are identical bit for bit on every platform, and to SEAL's.
// inverse: slots (in SEAL's bit-reversed slot order) -> coefficients, times `fix`: re -> coefficients 0..N/2-1, im -> N/2..N-1.
// Parts below 2^-80 / S or 2^-1022 in magnitude count as zeros, S being N fix rounded down to a power of two.
RS_API void rs_fft_inverse(const rs_context_t *context, double *re, double *im, double fix);
// forward: coefficients -> slots in the same order.
RS_API void rs_fft_forward(const rs_context_t *context, double *re, double *im);
// Where slot i sits in re/im (bit-reversed order), and whether its conjugate is stored there (1) or itself (0).
RS_API uint32_t rs_slot_position(const rs_context_t *context, uint32_t slot, uint32_t *conjugated);

// Public-key encryption with a dropped prime P = moduli[drop] (SEAL: divide_and_round_q_last), step 1 of 2, per polynomial j:
//   d = centred((INTT_P(pk_jP o NTT_P(u)) + e_j + floor(P/2)) mod P) in [-floor(P/2), floor(P/2)],
// the remainder that rounding by P subtracts. scratch: N words, INTT_P(pk_jP o NTT_P(u)) afterwards.
RS_API void rs_pk_remainder(const rs_context_t *context, uint32_t drop, int64_t *d, const uint64_t *pk_ntt, const int8_t *u,
                            const int8_t *error, uint64_t *scratch);
// Step 2, per limb i and polynomial j:  c = (P^-1 pk_ji) o NTT_i(u) + NTT_i(P^-1 (e_j - d) + m).
// u_ntt is NTT_i(P^-1 u) (rs_plan_lift with rs_drop_inverse, then NTT); message may be NULL.
RS_API void rs_pk_limb(const rs_context_t *context, uint32_t drop, uint32_t limb, uint64_t *c, const uint64_t *pk_ntt,
                       const uint64_t *u_ntt, const int8_t *error, const int64_t *d, const double *message);
// Without a special prime:  c = pk_ji o NTT_i(u) + NTT_i(e_j + m);  u_ntt = NTT_i(u).
RS_API void rs_pk_direct_limb(const rs_context_t *context, uint32_t limb, uint64_t *c, const uint64_t *pk_ntt,
                              const uint64_t *u_ntt, const int8_t *error, const double *message);
// moduli[drop]^-1 mod moduli[limb], limb < drop.
RS_API uint64_t rs_drop_inverse(const rs_context_t *context, uint32_t drop, uint32_t limb);

// Decryption:  out = c_0 + c_1 s + c_2 s^2 …  (Horner), NTT domain; c is poly_count pointers.
RS_API void rs_decrypt_limb(const rs_context_t *context, uint32_t limb, uint64_t *out, const uint64_t *const *c,
                            uint32_t poly_count, const uint64_t *s_ntt);

#ifdef __cplusplus
}
#endif

#endif
