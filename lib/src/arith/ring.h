// SPDX-License-Identifier: Apache-2.0
// One limb (the residues modulo one prime) and the arithmetic on it. A ring is a set of kernels for a range of moduli; each back end has
// several. All rings compute the same bits: where a kernel begins and ends, words in memory have 64 bits and are reduced.
#ifndef RINGSIDE_RING_H
#define RINGSIDE_RING_H

#include <stddef.h>

#include "arith/modarith.h"

enum { RS_RING_BITS_MAX = 60 }; // bits of moduli of contexts

typedef struct rs_ring rs_ring_t;

typedef struct rs_limb {
    rs_modulus_t modulus;
    const rs_ring_t *ring;
    uint32_t log_n;
    uint64_t root; // psi
    // psi^brv(i) and floor(psi^brv(i) 2^quotient_bits / q), i < N, in arrays of words as wide as the ring's lanes
    const void *twiddles;
    const void *quotients;
    // N^-1, and N^-1 times the twiddle of the inverse transform's last stage
    rs_factor_t n_inverse;
    rs_factor_t last_inverse;
} rs_limb_t;

// Arrays are N words each; out may be any of the inputs of the same type. Operands may be secret.
struct rs_ring {
    uint32_t quotient_bits; // bits of the twiddles' quotients: 64, 52 (IFMA) or 32; 32: the twiddles are 32-bit words
    // negacyclic transforms of plan.h
    void (*forward)(const rs_limb_t *limb, uint64_t *poly);
    void (*inverse)(const rs_limb_t *limb, uint64_t *poly);
    // out = forward transform of small, + a b or, if subtract, - a b. Without small the polynomial in out is transformed; without a there is no
    // product. NULL in rings that gain nothing by it
    void (*fused)(const rs_limb_t *limb, uint64_t *out, const int8_t *small, const uint64_t *a, const uint64_t *b, int subtract);
    // out = a b,  a b + c,  c - a b
    void (*mul)(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b);
    void (*mul_add)(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c);
    void (*mul_sub)(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c);
    // out = factor small, factor reduced
    void (*lift_small)(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor);
#if defined(RS_BACKENDS) || defined(__wasm__)
    // NULL, or: makes quotients of a kind of its own, N words at `table`, once the twiddles are there
    void (*prepare)(rs_limb_t *limb, void *table);
    // NULL, or: out = forward transform of factor small, factor reduced
    void (*scaled)(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor);
    // NULL, or: out = inverse transform of a b
    void (*inverse_product)(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b);
#endif
};

extern const rs_ring_t RS_RING_PORTABLE;
extern const rs_ring_t RS_RING_WIDE; // q < 2^61 + 2^57: special primes of other libraries' keys

// ring.c: pointwise kernels for rings that have only transforms of their own.
void rs_portable_mul(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b);
void rs_portable_mul_add(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c);
void rs_portable_mul_sub(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c);
void rs_portable_lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor);
#define RS_PORTABLE_POINTWISE \
    .mul = rs_portable_mul, .mul_add = rs_portable_mul_add, .mul_sub = rs_portable_mul_sub, .lift_small = rs_portable_lift_small

// psi^brv(i), for every ring.
static inline uint64_t rs_twiddle(const rs_limb_t *limb, size_t i) {
    return limb->ring->quotient_bits == 32 ? ((const uint32_t *)limb->twiddles)[i] : ((const uint64_t *)limb->twiddles)[i];
}

// The forward transform of small, or of out without it; + a b or, if subtract, - a b, unless a is NULL.
void rs_ring_forward(const rs_limb_t *limb, uint64_t *out, const int8_t *small, const uint64_t *a, const uint64_t *b, int subtract);
// The inverse transform of a b.
void rs_ring_inverse(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b);
// The forward transform of factor small, factor reduced.
void rs_ring_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor);

#endif
