// SPDX-License-Identifier: Apache-2.0
// Parts of BLISS-BI. Polynomials have RS_BLISS_N coefficients; operands may be secret unless said otherwise.
#ifndef RINGSIDE_BLISS_INTERNAL_H
#define RINGSIDE_BLISS_INTERNAL_H

#include <ringside/golden/sample.h>
#include <ringside/plan.h>
#include <ringside/research.h>

enum {
    RS_BLISS_LOG_N = 9,
    RS_BLISS_DEVIATION = 215,
    RS_BLISS_WEIGHT = 154, // entries +-1 of f and of g: 0.3 N, rounded up
    RS_BLISS_KAPPA = 23,
    RS_BLISS_DROPPED_BITS = 10, // d
    RS_BLISS_P = 24, // floor(2q / 2^d)
    RS_BLISS_NORM_MAX = 12872, // B2
    RS_BLISS_Z_MAX = 2100, // B of the infinity norm
    RS_BLISS_Z2_MAX = RS_BLISS_Z_MAX >> RS_BLISS_DROPPED_BITS, // the bound of z2'
    // kappa |S|^2 with |S|^2 <= 5 * 154 + 5 (g0 = 1: 2g + 1 has a 3): no greedy product has a larger norm
    RS_BLISS_PRODUCT_NORM_MAX = RS_BLISS_KAPPA * (5 * RS_BLISS_WEIGHT + 5)
};

// All public.
typedef struct rs_bliss_signature {
    int16_t z1[RS_BLISS_N];
    int16_t z2[RS_BLISS_N]; // z2'
    uint16_t places[RS_BLISS_KAPPA];
} rs_bliss_signature_t;

struct rs_bliss {
    const rs_plan_t *plan;
};

// ---- scheme.c ----------------------------------------------------------------------------------------------------------
RS_MUST_CHECK rs_status_t rs_bliss_check_memory(const rs_bliss_t *scheme, rs_memory_t workspace);
// Residues of numbers above -q.
void rs_bliss_lift(uint64_t *residues, const int16_t *small);
// zeta (2a) x mod 2q, x from small, by its transform: an even number that is -a x mod q, from 0 to 2q.
void rs_bliss_commit(const rs_bliss_t *scheme, uint64_t *out, const uint64_t *a_ntt, const int16_t *small);
// round(x) for x from 0 to 2q: 0 to 24; the same mod p.
static inline uint32_t rs_bliss_round(uint32_t x) { return (x + (1 << (RS_BLISS_DROPPED_BITS - 1))) >> RS_BLISS_DROPPED_BITS; }
static inline uint32_t rs_bliss_high(uint32_t x) {
    const uint32_t y = rs_bliss_round(x) - RS_BLISS_P;
    return y + (RS_BLISS_P & (0 - (y >> 31)));
}
// x below 4q -> x mod 2q; x below 6q -> below 4q.
static inline uint32_t rs_bliss_mod_2q(uint32_t x) {
    const uint32_t y = x - 2 * RS_BLISS_Q;
    return y + (2 * RS_BLISS_Q & (0 - (y >> 31)));
}
// Whether the norms of a signature, which is public, are in their bounds; the second one alone, of what rs_bliss_unpack_signature has let pass.
int rs_bliss_has_short_norm(const rs_bliss_signature_t *signature);
int rs_bliss_is_short(const rs_bliss_signature_t *signature);

// ---- code.c ------------------------------------------------------------------------------------------------------------
// A transform in the order of the plan to words of 14 bits in the order of exponents, and back. RS_ERR_RESIDUE, public.
void rs_bliss_pack_public(uint8_t *out, const uint64_t *ntt);
RS_MUST_CHECK rs_status_t rs_bliss_unpack_public(uint64_t *ntt, const uint8_t *in);
// f and g as digits. RS_ERR_SECRET_KEY, public: a digit 3, or another weight.
void rs_bliss_pack_ternary(uint8_t *out, const int8_t *ternary);
RS_MUST_CHECK rs_status_t rs_bliss_unpack_ternary(int8_t *ternary, const uint8_t *in);

void rs_bliss_pack_signature(uint8_t *out, const rs_bliss_signature_t *signature);
// RS_ERR_SIGNATURE: a coefficient is out of its range, or the last bit is set.
RS_MUST_CHECK rs_status_t rs_bliss_unpack_signature(rs_bliss_signature_t *signature, const uint8_t *in);

// Numbers below 32, 5 bits each.
void rs_bliss_pack_high(uint8_t *out, const uint8_t *high);

// ---- hash.c ------------------------------------------------------------------------------------------------------------
enum {
    // the bytes of a polynomial with 256 coefficients of 20 bits, which a core with the unit SPONGE draws (docs/core.md, Fields)
    RS_BLISS_DRAW_BYTES = 640,
    RS_BLISS_DRAW_SEED_BYTES = 64,
    RS_BLISS_DRAWS_MAX = 8, // at once
    RS_BLISS_HIGH_BYTES = RS_BLISS_N * 5 / 8,
    RS_BLISS_DIGEST_BYTES = 64,
    RS_BLISS_TEXT_BYTES = RS_BLISS_HIGH_BYTES + RS_BLISS_DIGEST_BYTES,
    RS_BLISS_HASH_BYTES = 128
};
// out[k], k < count: the first RS_BLISS_DRAW_BYTES bytes of SHAKE256(seed || LE16(first + k)). out is aligned to 8 bytes.
void rs_bliss_draw(uint8_t *out, const uint8_t *seed, unsigned first, unsigned count);
// RS_BLISS_HASH_BYTES bytes of SHAKE256(text), from byte part * RS_BLISS_HASH_BYTES on. text has RS_BLISS_TEXT_BYTES.
void rs_bliss_hash(uint8_t *out, const uint8_t *text, size_t part);

// ---- gaussian.c --------------------------------------------------------------------------------------------------------
enum { RS_BLISS_PAIR_BYTES = 40, RS_BLISS_DRAW_CANDIDATES = 2 * RS_BLISS_DRAW_BYTES / RS_BLISS_PAIR_BYTES };
// Values of the discrete Gaussian with deviation 215, at most `room`, of RS_BLISS_DRAW_BYTES uniform bytes, aligned to 8; returns how many: that
// is public. A pair of candidates is five words, least byte first: number of the base, 64 bits, of which the lowest is not used; y, 7 bits, sign, 1 bit,
// coin, 56 bits; the same of the second one; 32 more bits of the first one's number, and of the second one's.
size_t rs_bliss_gaussian(int16_t *out, size_t room, const uint8_t *bytes);

// ---- reject.c ----------------------------------------------------------------------------------------------------------
enum { RS_BLISS_UNIFORM_BITS = 62 };
// 1 with probability exp(-(RS_BLISS_PRODUCT_NORM_MAX - norm) / 2 sigma^2) / cosh(inner / sigma^2), by a uniform number of 62 bits.
// 0 <= norm <= RS_BLISS_PRODUCT_NORM_MAX.
uint32_t rs_bliss_accepts(uint64_t uniform, int32_t norm, int32_t inner);

// ---- challenge.c -------------------------------------------------------------------------------------------------------
// H for a message of that digest. high: numbers below p. Everything here is public in the end (sign says why).
void rs_bliss_challenge(uint16_t *places, const uint8_t *high, const uint8_t *digest);

#endif
