// SPDX-License-Identifier: Apache-2.0
// The table that a back end fills: passes over residues modulo one prime below 2^31. All residues that leave a pass are reduced, so every
// back end gives the same words. Only the order of words in transformed form is a back end's own: nothing in that form leaves a process.
//
// Operands may be secret; nothing here is hardened beyond the absence of branches on residues.
#ifndef RINGSIDE_LTV_KERNELS_H
#define RINGSIDE_LTV_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum {
    LTV_FACTORS_MAX = 16, // factors of Phi_m as a product of (1 - X^d)^(+-1): m has at most four primes
    LTV_PAD = 16, // lengths that passes see are multiples of it
    LTV_PRIMES_MAX = 56, // data and special primes
    LTV_SPECIAL_MAX = 8, // in one group of the hybrid key switching
    LTV_WINDOW_BITS = 16,
    LTV_LEFT_MAX = 8, // sizes of a bilinear form: left operands, right ones, and results
    LTV_RIGHT_MAX = 4,
    LTV_FORMS_MAX = 8,
    LTV_POINTS_LOG_MIN = 8,
    LTV_ALIGNMENT = 64,
};

// Phi_m = product of (1 - X^degree)^(inverse ? -1 : 1), m odd and square-free.
typedef struct ltv_factor {
    uint32_t degree;
    uint32_t inverse;
} ltv_factor_t;

typedef struct ltv_ring {
    uint32_t m;
    uint32_t n; // degree of Phi_m
    uint32_t points; // points of the cyclic transform, 2n
    uint32_t log_points;
    uint32_t order; // the order of 2 modulo m: the field of a slot is GF(2^order)
    uint32_t slots; // n / order
    uint32_t factor_count;
    ltv_factor_t factors[LTV_FACTORS_MAX];
} ltv_ring_t;

// A constant factor with Shoup's quotient floor(value 2^32 / p).
typedef struct ltv_scalar {
    uint32_t value;
    uint32_t quotient;
} ltv_scalar_t;

typedef struct ltv_mod {
    uint32_t p;
    uint32_t inverse32; // p^-1 mod 2^32
    uint32_t log_points;
    uint32_t points;
    ltv_scalar_t r32; // 2^32 mod p
    ltv_scalar_t scale; // 2^32 / points mod p: what an inverse transform leaves out, and one Montgomery reduction
    ltv_scalar_t unscale; // 1 / points mod p
    // Twiddle factors and quotients, points words each: level s has those of its 2^s blocks from index 2^s on. The last levels, whose
    // butterflies lie within one vector, have theirs again in the order of the back end's lanes.
    uint32_t *roots[2], *quotients[2]; // forward, inverse
    uint32_t *lane_roots[2], *lane_quotients[2];
} ltv_mod_t;

// acc += or = x key while the words of x are in the first cache
typedef struct ltv_mac {
    const uint32_t *key; // transformed
    uint64_t *sums; // points words, in the back end's order
    int first; // = instead of +=
    int fold; // subtract 2^32 p from sums that are not below: at least after every second product
} ltv_mac_t;

// Bilinear forms: form k is the sum over i of left[i] (sum of right[j], bit j of mask[k][i]).
typedef struct ltv_forms {
    uint32_t left, right, count;
    uint8_t mask[LTV_FORMS_MAX][LTV_LEFT_MAX];
} ltv_forms_t;

// Reconstruction of integers from residues, in digits of 16 bits.
typedef struct ltv_crt {
    uint32_t primes, digits;
    ltv_scalar_t inverse[LTV_PRIMES_MAX]; // (Q / p)^-1 mod p
    uint64_t reciprocal[LTV_PRIMES_MAX]; // floor(2^58 / p)
    const uint32_t *cofactors; // digit t of Q / p_i at [t primes + i]
    const uint32_t *modulus; // digit t of Q
} ltv_crt_t;

typedef struct ltv_kernels {
    const char *name;
    uint32_t log_lanes;
    int (*available)(void); // NULL: everywhere
    // Transform of n = points / 2 coefficients, padded with zeros. mac may be NULL.
    void (*forward)(const ltv_mod_t *mod, const uint32_t *in, uint32_t *x, const ltv_mac_t *mac);
    void (*forward_digits)(const ltv_mod_t *mod, const uint16_t *in, uint32_t *x, const ltv_mac_t *mac);
    // Without the division by points.
    void (*inverse)(const ltv_mod_t *mod, uint32_t *x);
    // x = x scalar
    void (*scale)(const ltv_mod_t *mod, uint32_t *x, const uint32_t *in, size_t n, ltv_scalar_t scalar);
    // x = x y 2^-32
    void (*multiply)(const ltv_mod_t *mod, uint32_t *x, const uint32_t *y, size_t n);
    // x = sums 2^-32
    void (*settle)(const ltv_mod_t *mod, uint32_t *x, const uint64_t *sums, size_t n);
    void (*add)(const ltv_mod_t *mod, uint32_t *x, const uint32_t *y, size_t n);
    // out[k] = form k 2^-32
    void (*bilinear)(const ltv_mod_t *mod, const ltv_forms_t *forms, const uint32_t *const *left, const uint32_t *const *right,
                     uint32_t *const *out, size_t n);
    // The remainder modulo Phi_m of a polynomial of 2n - 1 coefficients, to x[0..n). scratch: 2 n + 2 LTV_PAD words
    void (*reduce)(const ltv_ring_t *ring, const ltv_mod_t *mod, uint32_t *x, uint32_t *scratch);
    // The even integer in (-p, p) that is = x mod p, as a two's complement word.
    void (*even)(uint32_t p, int32_t *out, const uint32_t *x, size_t n);
    // x = (x - delta) scalar, |delta| < p
    void (*divide)(const ltv_mod_t *mod, uint32_t *x, const int32_t *delta, size_t n, ltv_scalar_t scalar);
    // out = sum of weights[k] y[k] 2^-32, count <= LTV_SPECIAL_MAX; y[k] are below 2^31
    void (*combine)(const ltv_mod_t *mod, uint32_t *out, const uint32_t *const *y, const uint32_t *weights, uint32_t count,
                    size_t n);
    // Digit t of coefficient j to out[t n + j]; rows[i] are the residues modulo prime i.
    void (*digits)(const ltv_crt_t *crt, const ltv_mod_t *const *mods, const uint32_t *const *rows, uint16_t *out, size_t n);
} ltv_kernels_t;

extern const ltv_kernels_t LTV_KERNELS_PORTABLE;
#if defined(__x86_64__)
extern const ltv_kernels_t LTV_KERNELS_AVX2;
extern const ltv_kernels_t LTV_KERNELS_AVX512;
#endif
// The back end of that name, or with NULL the best one of this machine; NULL if there is none.
const ltv_kernels_t *ltv_kernels_find(const char *name);

#endif
