// SPDX-License-Identifier: Apache-2.0
// AES-128 on bits: tables of its S-box as bilinear and linear forms in a tower field, derived when an instance needs them, and plain AES.
//
// GF(256) is GF(16)[y]/(y^2 + y + nu) over GF(4)[z]/(z^2 + z + mu): an element is (a, b) = a y + b with norm D = nu a^2 + a b + b^2, and its
// inverse is (a, a + b) / D. The state stays in the tower's basis for the whole cipher; the affine map is part of the last product.
//   depth 4 (the paper's): a b; in GF(4) the norm of D; 1/D; (a, a + b) (1/D)
//   depth 3: a b; (a, a + b) D^2 and D^12 = D^4 D^8; their product, as 1/D = D^14
#ifndef RINGSIDE_LTV_TABLES_H
#define RINGSIDE_LTV_TABLES_H

#include "kernels/kernels.h"

typedef struct ltv_aes {
    uint8_t mu, nu, root; // root: image of the AES field's X
    uint8_t to[256], from[256]; // between the AES field and the tower
    uint8_t constant; // image of 0x63
    uint8_t doubling[8]; // row k of multiplication by X
    ltv_forms_t norm16, norm4, inverse16, output, numerator, twelfth, output3; // products: see tables.c
    uint8_t norm16_linear[4]; // linear forms of a, b: bits of 8
    uint8_t norm4_linear[2]; // linear forms of D
} ltv_aes_t;

void ltv_aes_init(ltv_aes_t *aes);
// The S-box computed by these forms on plain bits, in the AES field's basis.
uint8_t ltv_aes_sbox(const ltv_aes_t *aes, uint32_t depth, uint8_t x);
// XORs of one column's MixColumns and round key in this basis, for eight bits.
uint32_t ltv_aes_xors(const ltv_aes_t *aes);

#endif
