// SPDX-License-Identifier: Apache-2.0
// The ring Z_p[X]/Phi_m: its shape, and the tables of its primes.
#ifndef RINGSIDE_LTV_RING_H
#define RINGSIDE_LTV_RING_H

#include "kernels/kernels.h"

enum { LTV_STEPS_MAX = 16 }; // steps of the tower of norms: log2 n

// 1 if m is one of the rings that are built: 255, 4369, 21845, 65535.
int ltv_ring_init(ltv_ring_t *ring, uint32_t m);

// The largest primes below 2^bits that are 1 mod max(2 points, 4096), in descending order. 0 if there are too few.
int ltv_primes(const ltv_ring_t *ring, uint32_t bits, uint32_t *primes, uint32_t count);

// Tables for lanes of a back end; memory is ltv_mod_words() words. The prime is 1 mod points.
size_t ltv_mod_words(const ltv_ring_t *ring, uint32_t log_lanes);
void ltv_mod_init(ltv_mod_t *mod, const ltv_ring_t *ring, uint32_t p, uint32_t log_lanes, uint32_t *memory);

uint32_t ltv_power(uint32_t base, uint64_t exponent, uint32_t p);
uint32_t ltv_inverse_of(uint32_t a, uint32_t p);
ltv_scalar_t ltv_scalar(uint32_t value, uint32_t p);

// X -> X^steps[i], one after the other, generate the Galois group, which has 2^count elements: the product of a(X) a(X^s) over the
// subfields' tower is the norm, a number. Returns count.
uint32_t ltv_norm_steps(const ltv_ring_t *ring, uint32_t *steps);

#endif
