// SPDX-License-Identifier: Apache-2.0
// Derivation of the tables, and plain AES (FIPS 197).
#include "aes/tables.h"

#include <ringside_ltv/ringside_ltv.h>
#include <string.h>

enum { AES_POLYNOMIAL = 0x1b, AES_CONSTANT = 0x63 };

typedef unsigned (*bilinear_t)(const ltv_aes_t *aes, unsigned x, unsigned y);

// ---- the tower --------------------------------------------------------------------------------------------------------------
static unsigned times4(unsigned a, unsigned b) { // GF(4): w^2 = w + 1
    const unsigned a1 = a >> 1, a0 = a & 1, b1 = b >> 1, b0 = b & 1, high = a1 & b1;
    return ((a1 & b0) ^ (a0 & b1) ^ high) << 1 | ((a0 & b0) ^ high);
}

static unsigned times16(const ltv_aes_t *aes, unsigned a, unsigned b) {
    const unsigned a1 = a >> 2, a0 = a & 3, b1 = b >> 2, b0 = b & 3, high = times4(a1, b1);
    return (times4(a1, b0) ^ times4(a0, b1) ^ high) << 2 | (times4(a0, b0) ^ times4(high, aes->mu));
}

static unsigned times256(const ltv_aes_t *aes, unsigned a, unsigned b) {
    const unsigned a1 = a >> 4, a0 = a & 15, b1 = b >> 4, b0 = b & 15, high = times16(aes, a1, b1);
    return (times16(aes, a1, b0) ^ times16(aes, a0, b1) ^ high) << 4 | (times16(aes, a0, b0) ^ times16(aes, high, aes->nu));
}

static unsigned square16(const ltv_aes_t *aes, unsigned a) { return times16(aes, a, a); }

static unsigned affine(unsigned x) { // the affine part of the S-box, without its constant; AES basis
    unsigned sum = 0;
    for (unsigned k = 0; k < 5; k++) sum ^= (x << k | x >> (8 - k)) & 255;
    return sum;
}

static unsigned output_of(const ltv_aes_t *aes, unsigned inverse) { return aes->to[affine(aes->from[inverse])]; }

// ---- the forms --------------------------------------------------------------------------------------------------------------
static unsigned norm16_product(const ltv_aes_t *aes, unsigned a, unsigned b) { return times16(aes, a, b); }

static unsigned norm16_squares(const ltv_aes_t *aes, unsigned x) {
    return times16(aes, square16(aes, x >> 4), aes->nu) ^ square16(aes, x & 15);
}

static unsigned norm4_product(const ltv_aes_t *aes, unsigned c, unsigned e) {
    (void)aes;
    return times4(c, e);
}

static unsigned norm4_squares(const ltv_aes_t *aes, unsigned d) {
    return times4(times4(d >> 2, d >> 2), aes->mu) ^ times4(d & 3, d & 3);
}

static unsigned inverse16(const ltv_aes_t *aes, unsigned d, unsigned norm) { // (c, c + e) / norm; in GF(4) 1 / x = x^2
    (void)aes;
    const unsigned c = d >> 2, e = d & 3, inverse = times4(norm, norm);
    return times4(c, inverse) << 2 | times4(c ^ e, inverse);
}

static unsigned output4(const ltv_aes_t *aes, unsigned x, unsigned inverse) {
    const unsigned a = x >> 4, b = x & 15;
    return output_of(aes, times16(aes, a, inverse) << 4 | times16(aes, a ^ b, inverse));
}

static unsigned numerator(const ltv_aes_t *aes, unsigned x, unsigned d) {
    const unsigned a = x >> 4, b = x & 15, square = square16(aes, d);
    return times16(aes, a, square) << 4 | times16(aes, a ^ b, square);
}

static unsigned twelfth(const ltv_aes_t *aes, unsigned d, unsigned e) { // D^12 = D^4 D^8 for e = d
    return times16(aes, square16(aes, square16(aes, d)), square16(aes, square16(aes, square16(aes, e))));
}

static unsigned output3(const ltv_aes_t *aes, unsigned x, unsigned power) {
    return output_of(aes, times16(aes, x >> 4, power) << 4 | times16(aes, x & 15, power));
}

static ltv_forms_t forms(const ltv_aes_t *aes, bilinear_t product, unsigned left, unsigned right, unsigned count) {
    ltv_forms_t f = {left, right, count, {{0}}};
    for (unsigned i = 0; i < left; i++) {
        for (unsigned j = 0; j < right; j++) {
            const unsigned value = product(aes, 1u << i, 1u << j);
            for (unsigned k = 0; k < count; k++) f.mask[k][i] |= (uint8_t)((value >> k & 1) << j);
        }
    }
    return f;
}

static void linear(const ltv_aes_t *aes, unsigned (*map)(const ltv_aes_t *, unsigned), unsigned from, unsigned count,
                   uint8_t *rows) {
    memset(rows, 0, count);
    for (unsigned i = 0; i < from; i++) {
        for (unsigned k = 0; k < count; k++) rows[k] |= (uint8_t)((map(aes, 1u << i) >> k & 1) << i);
    }
}

static unsigned doubled(const ltv_aes_t *aes, unsigned x) { return times256(aes, x, aes->root); }

uint32_t ltv_aes_xors(const ltv_aes_t *aes) {
    uint32_t sum = 0;
    for (unsigned k = 0; k < 8; k++) {
        // 2 s0 + 3 s1 + s2 + s3 + key: terms without the key are the XORs
        sum += (uint32_t)(__builtin_popcount(aes->doubling[k]) + __builtin_popcount(aes->doubling[k] ^ 1u << k) + 2);
    }
    return sum;
}

// Whether root is a root of the AES polynomial, X^8 + X^4 + X^3 + X + 1, in this tower.
static int is_root(const ltv_aes_t *aes, unsigned root) {
    unsigned power = 1, sum = 0;
    for (unsigned k = 0; k <= 8; k++, power = times256(aes, power, root)) {
        if ((0x100 | AES_POLYNOMIAL) >> k & 1) sum ^= power;
    }
    return sum == 0;
}

static void basis(ltv_aes_t *aes) {
    unsigned powers[8] = {1};
    for (unsigned i = 1; i < 8; i++) powers[i] = times256(aes, powers[i - 1], aes->root);
    for (unsigned x = 0; x < 256; x++) {
        unsigned y = 0;
        for (unsigned i = 0; i < 8; i++) y ^= x >> i & 1 ? powers[i] : 0;
        aes->to[x] = (uint8_t)y;
        aes->from[y] = (uint8_t)x;
    }
}

// y^2 + y + c has no root: a quadratic extension
static int is_irreducible(const ltv_aes_t *aes, unsigned c, unsigned size) {
    for (unsigned y = 0; y < size; y++) {
        if (((size == 4 ? times4(y, y) : times16(aes, y, y)) ^ y ^ c) == 0) return 0;
    }
    return 1;
}

// Chooses among all towers and roots the one with the fewest XORs in MixColumns: squares and basis changes cost
// nothing, as they are folded into the forms.
static void choose(ltv_aes_t *aes) {
    ltv_aes_t one, best;
    uint32_t least = UINT32_MAX;
    memset(&one, 0, sizeof one);
    memset(&best, 0, sizeof best);
    for (unsigned mu = 1; mu < 4; mu++) {
        if (!is_irreducible(&one, mu, 4)) continue;
        one.mu = (uint8_t)mu;
        for (unsigned nu = 1; nu < 16; nu++) {
            if (!is_irreducible(&one, nu, 16)) continue;
            one.nu = (uint8_t)nu;
            for (unsigned root = 2; root < 256; root++) {
                if (!is_root(&one, root)) continue;
                one.root = (uint8_t)root;
                linear(&one, doubled, 8, 8, one.doubling);
                if (ltv_aes_xors(&one) < least) {
                    least = ltv_aes_xors(&one);
                    best = one;
                }
            }
        }
    }
    *aes = best;
}

void ltv_aes_init(ltv_aes_t *aes) {
    choose(aes);
    basis(aes);
    aes->constant = aes->to[AES_CONSTANT];
    aes->norm16 = forms(aes, norm16_product, 4, 4, 4);
    aes->norm4 = forms(aes, norm4_product, 2, 2, 2);
    aes->inverse16 = forms(aes, inverse16, 4, 2, 4);
    aes->output = forms(aes, output4, 8, 4, 8);
    aes->numerator = forms(aes, numerator, 8, 4, 8);
    aes->twelfth = forms(aes, twelfth, 4, 4, 4);
    aes->output3 = forms(aes, output3, 8, 4, 8);
    linear(aes, norm16_squares, 8, 4, aes->norm16_linear);
    linear(aes, norm4_squares, 4, 2, aes->norm4_linear);
}

// ---- on plain bits ------------------------------------------------------------------------------------------------------------
static unsigned apply(const ltv_forms_t *f, unsigned left, unsigned right) {
    unsigned out = 0;
    for (unsigned k = 0; k < f->count; k++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < f->left; i++) sum ^= (left >> i & 1) & (unsigned)__builtin_parity(f->mask[k][i] & right);
        out |= sum << k;
    }
    return out;
}

static unsigned apply_linear(const uint8_t *rows, unsigned count, unsigned x) {
    unsigned out = 0;
    for (unsigned k = 0; k < count; k++) out |= (unsigned)__builtin_parity(rows[k] & x) << k;
    return out;
}

uint8_t ltv_aes_sbox(const ltv_aes_t *aes, uint32_t depth, uint8_t x) {
    const unsigned s = aes->to[x], d = apply(&aes->norm16, s >> 4, s & 15) ^ apply_linear(aes->norm16_linear, 4, s);
    unsigned out;
    if (depth == 3) {
        out = apply(&aes->output3, apply(&aes->numerator, s, d), apply(&aes->twelfth, d, d));
    } else {
        const unsigned norm = apply(&aes->norm4, d >> 2, d & 3) ^ apply_linear(aes->norm4_linear, 2, d);
        out = apply(&aes->output, s, apply(&aes->inverse16, d, norm));
    }
    return aes->from[out ^ aes->constant];
}

static uint8_t times_x(uint8_t a) { return (uint8_t)(a << 1 ^ (a >> 7) * AES_POLYNOMIAL); }

// By powers of the generator X + 1: the inverse of g^i is g^(255 - i).
static void plain_sbox(uint8_t sbox[256]) {
    uint8_t powers[256] = {1};
    for (unsigned i = 1; i < 256; i++) powers[i] = powers[i - 1] ^ times_x(powers[i - 1]);
    sbox[0] = AES_CONSTANT;
    for (unsigned i = 0; i < 255; i++) sbox[powers[i]] = (uint8_t)(affine(powers[255 - i]) ^ AES_CONSTANT);
}

void rs_ltv_aes_expand(const uint8_t key[16], uint8_t round_keys[176]) {
    uint8_t sbox[256], constant = 1;
    plain_sbox(sbox);
    memcpy(round_keys, key, 16);
    for (unsigned i = 16; i < 176; i += 4) {
        uint8_t word[4];
        memcpy(word, round_keys + i - 4, 4);
        if (i % 16 == 0) {
            const uint8_t first = word[0];
            for (unsigned k = 0; k < 3; k++) word[k] = sbox[word[k + 1]];
            word[3] = sbox[first];
            word[0] ^= constant;
            constant = times_x(constant);
        }
        for (unsigned k = 0; k < 4; k++) round_keys[i + k] = round_keys[i + k - 16] ^ word[k];
    }
}

void rs_ltv_aes_encrypt_plain(const uint8_t round_keys[176], uint32_t rounds, uint8_t block[16]) {
    uint8_t sbox[256], s[16];
    plain_sbox(sbox);
    for (unsigned i = 0; i < 16; i++) block[i] ^= round_keys[i];
    for (unsigned round = 1; round <= rounds && round <= RS_LTV_ROUNDS; round++) {
        for (unsigned i = 0; i < 16; i++) s[i] = sbox[block[(i + 4 * (i % 4)) % 16]]; // byte i: row i mod 4, column i / 4
        for (unsigned i = 0; i < 16; i++) {
            const unsigned column = i & ~3u, row = i % 4;
            const uint8_t a = s[i], b = s[column + (row + 1) % 4], c = s[column + (row + 2) % 4], d = s[column + (row + 3) % 4];
            const uint8_t mixed = round == RS_LTV_ROUNDS ? a : (uint8_t)(times_x(a) ^ times_x(b) ^ b ^ c ^ d);
            block[i] = mixed ^ round_keys[16 * round + i];
        }
    }
}
