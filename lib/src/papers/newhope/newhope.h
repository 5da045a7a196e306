// SPDX-License-Identifier: Apache-2.0
// Polynomials and reconciliation of NewHope-1024. Arrays of words are RS_NEWHOPE_N long; operands may be secret unless said otherwise.
#ifndef RINGSIDE_NEWHOPE_INTERNAL_H
#define RINGSIDE_NEWHOPE_INTERNAL_H

#include <ringside/plan.h>
#include <ringside/research.h>

enum { RS_NEWHOPE_LOG_N = 10, RS_NEWHOPE_COIN_BYTES = 32 };

// Nonces of one exchange's noise, and of the coins of HelpRec. The reference implementation has a noise's number in the first byte of its
// 64-bit nonce, the number of the coins in the last one.
typedef enum rs_newhope_noise {
    RS_NEWHOPE_NOISE_SECRET = 0,
    RS_NEWHOPE_NOISE_ERROR = 1,
    RS_NEWHOPE_NOISE_SECOND_ERROR = 2,
    RS_NEWHOPE_COINS = 3
} rs_newhope_noise_t;

// ---- poly.c. Transforms are in the order of the plan, bit-reversed; their bytes are in the order of exponents ----------------------------
// a of a public seed, as the transform that it is meant to be.
void rs_newhope_parse(uint64_t *a, const uint8_t *seed, rs_newhope_parse_t parse);
// psi_16. Value k of the stream is coefficient brv(k), as the reference's transform takes it.
void rs_newhope_noise(uint64_t *coef, const uint8_t *noise_seed, rs_newhope_noise_t number);
void rs_newhope_noise_shake(uint64_t *coef, const uint8_t *noise_seed, rs_newhope_noise_t number);
// The coins of HelpRec, one bit for each of the key's.
void rs_newhope_coins(uint8_t *coins, const uint8_t *noise_seed);
void rs_newhope_coins_shake(uint8_t *coins, const uint8_t *noise_seed);
void rs_newhope_pack(uint8_t *out, const uint64_t *ntt);
// RS_ERR_RESIDUE unless all words are below q, which is public.
RS_MUST_CHECK rs_status_t rs_newhope_unpack(uint64_t *ntt, const uint8_t *in);
// The check alone, of bytes from a multiple of 8 on.
RS_MUST_CHECK rs_status_t rs_newhope_check_packed(const uint8_t *in);

// ---- reconcile.c. Coefficients in natural order ----------------------------------------------------------------------------------------
// HelpRec: the hints of v, of 2 bits each.
void rs_newhope_hints(uint8_t *hints, const uint64_t *v, const uint8_t *coins);
// Rec: 256 bits.
void rs_newhope_reconcile(uint8_t *key, const uint64_t *v, const uint8_t *hints);
// Both of little-endian words of 32 bits from a multiple of 8 on, coefficient i at place brv(i), as a core leaves them: those that share a bit are
// side by side.
void rs_newhope_hints_core(uint8_t *hints, const uint8_t *v, const uint8_t *coins);
void rs_newhope_reconcile_core(uint8_t *key, const uint8_t *v, const uint8_t *hints);

// 8 bits, the other way round.
static inline size_t rs_newhope_reversed8(size_t b) {
    return (size_t)(((b * UINT64_C(0x80200802) & UINT64_C(0x0884422110)) * UINT64_C(0x0101010101)) >> 32 & 0xff);
}

// brv(4 k + j) is brv(4 k) + this: four words after each other lie in the quarters of the array.
static inline size_t rs_newhope_quarter(size_t j) { return (j & 1) << 9 | (j & 2) << 7; }

// What the scheme was made with.
rs_newhope_parse_t rs_newhope_parse_of(const rs_newhope_t *scheme);
rs_newhope_stream_t rs_newhope_stream_of(const rs_newhope_t *scheme);
// The end of both sides: the hash of the reconciled bits.
void rs_newhope_share(uint8_t *shared, uint8_t *bits);

#endif
