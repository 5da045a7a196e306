// SPDX-License-Identifier: Apache-2.0
// Slots: modulo 2, Phi_m is a product of `slots` polynomials of degree `order`; a bit per slot is a polynomial that is 0 or 1 modulo each.
#ifndef RINGSIDE_LTV_SLOTS_H
#define RINGSIDE_LTV_SLOTS_H

#include "kernels/kernels.h"

typedef struct ltv_slots {
    const ltv_ring_t *ring;
    uint32_t words; // words of 64 bits, for the bits of all slots
    uint16_t *row_of; // row of X^i, i < m: powers in one orbit of i -> 2 i share one
    uint64_t *rows; // bit j of a row: trace of zeta^(-r_j i)
    uint32_t row_count;
    uint64_t *dual; // [slots][n / 64]: bit i of slot j: trace of beta zeta^(r_j i)
} ltv_slots_t;

// 0: no memory
int ltv_slots_init(ltv_slots_t *slots, const ltv_ring_t *ring);
void ltv_slots_free(ltv_slots_t *slots);
// 0: no memory. Bits and coefficients are bytes 0 or 1.
int ltv_slots_encode(const ltv_slots_t *slots, const uint8_t *bits, uint8_t *coefficients);
int ltv_slots_decode(const ltv_slots_t *slots, const uint8_t *coefficients, uint8_t *bits);

#endif
