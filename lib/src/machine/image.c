// SPDX-License-Identifier: Apache-2.0
// Memory formats of the accelerator core (docs/core.md).
#include "machine/image.h"

#include "base/bytes.h"
#include "encoding/fixed.h"
#include "machine/design.h"

enum { FACTOR = 6, CONSTANT = 7 }; // places in a header: the constant is of SCALE, MSUBC, SCALEW, the factor of LIFT, MACW

// ---- residues ----------------------------------------------------------------------------------------------------------
static void store_word(const rs_design_t *design, uint8_t *image, size_t index, uint64_t word) {
    if (design->word_bits > 32) {
        rs_store64(image + 8 * index, word);
    } else {
        rs_store32(image + 4 * index, (uint32_t)word);
    }
}

// What constant factors are multiplied by: R for word-level Montgomery, R = 2^(11 ceil(W / 11)).
static rs_factor_t radix(const rs_design_t *design, const rs_modulus_t *m) {
    const uint32_t steps = (design->word_bits + RS_WLM_WORD_BITS - 1) / RS_WLM_WORD_BITS;
    return rs_factor(rs_pow_mod(2, RS_WLM_WORD_BITS * steps, m), m->q);
}

uint64_t rs_image_radix(const rs_design_t *design, const rs_modulus_t *m) { return radix(design, m).value; }

// Words of 8 bytes are the array itself; little-endian machines copy it at once.
void rs_image_put(uint8_t *image, const uint64_t *words, size_t count, int wide) {
    if (!wide) {
        for (size_t k = 0; k < count; k++) rs_store32(image + 4 * k, (uint32_t)words[k]);
    } else if (RS_LITTLE_ENDIAN) {
        memcpy(image, words, 8 * count);
    } else {
        for (size_t k = 0; k < count; k++) rs_store64(image + 8 * k, words[k]);
    }
}

void rs_image_get(uint64_t *words, const uint8_t *image, size_t count, int wide) {
    if (!wide) {
        for (size_t k = 0; k < count; k++) words[k] = rs_load32(image + 4 * k);
    } else if (RS_LITTLE_ENDIAN) {
        memcpy(words, image, 8 * count);
    } else {
        for (size_t k = 0; k < count; k++) words[k] = rs_load64(image + 8 * k);
    }
}

void rs_image_write_times(const rs_design_t *design, const rs_limb_t *l, uint8_t *image, const uint64_t *poly, uint64_t factor,
                          int times_radix) {
    const size_t n = (size_t)1 << l->log_n;
    const rs_modulus_t *m = &l->modulus;
    if (!times_radix && factor == 1) {
        rs_image_put(image, poly, n, design->word_bits > 32);
        return;
    }
    const rs_factor_t r = times_radix ? rs_factor(rs_mul_factor(factor, radix(design, m), m->q), m->q) : rs_factor(factor, m->q);
    for (size_t k = 0; k < n; k++) store_word(design, image, k, rs_mul_factor(poly[k], r, m->q));
}

void rs_image_write(const rs_design_t *design, const rs_limb_t *l, uint8_t *image, const uint64_t *poly, int times_radix) {
    rs_image_write_times(design, l, image, poly, 1, times_radix);
}

void rs_image_read(const rs_design_t *design, const rs_limb_t *l, uint64_t *poly, const uint8_t *image) {
    rs_image_get(poly, image, (size_t)1 << l->log_n, design->word_bits > 32);
}

void rs_image_galois(const rs_design_t *design, uint32_t log_n, uint8_t *image, const uint8_t *from, uint32_t element) {
    for (uint32_t j = 0; j >> log_n == 0; j++) {
        const size_t k = rs_galois_word(j, element, log_n);
        store_word(design, image, j, design->word_bits > 32 ? rs_load64(from + 8 * k) : rs_load32(from + 4 * k));
    }
}

// ---- contexts ----------------------------------------------------------------------------------------------------------
void rs_image_header(const rs_design_t *design, const rs_limb_t *l, uint64_t constant, uint64_t factor, uint8_t *image) {
    const rs_modulus_t *m = &l->modulus;
    uint64_t words[RS_CONTEXT_HEADER_BYTES / 8] = {m->q};
    words[4] = m->ratio64;
    words[5] = UINT64_MAX - UINT64_MAX % m->q - 1;
    words[CONSTANT] = rs_mul_factor(constant, radix(design, m), m->q);
    words[FACTOR] = rs_mul_factor(factor, radix(design, m), m->q);
    for (unsigned i = 0; i < RS_CONTEXT_HEADER_BYTES / 8; i++) rs_store64(image + 8 * i, words[i]);
}

typedef struct twiddles {
    const rs_design_t *design;
    const rs_limb_t *limb;
    size_t n;
    rs_factor_t radix;
    uint8_t *image;
    size_t count;
} twiddles_t;

// The next word of the image: psi^exponent, any sign, times the radix.
static void put_power(twiddles_t *t, int64_t exponent) {
    const uint64_t q = t->limb->modulus.q;
    const uint64_t e = (uint64_t)exponent & (2 * t->n - 1);
    const uint64_t power = rs_twiddle(t->limb, rs_bit_reverse((uint32_t)(e & (t->n - 1)), t->limb->log_n));
    store_word(t->design, t->image, t->count++, rs_mul_factor(e < t->n ? power : q - power, t->radix, q));
}

static int64_t reversed2(unsigned x) { return (x & 1) << 1 | x >> 1; }

// The table in the order of its banks: entry t N/4 + brv(bank) 2^a + column is psi^(4 P brv(column) + 4 bank + brv_2(t)).
static void put_table(twiddles_t *t) {
    const size_t lanes = t->design->lanes;
    const size_t columns = t->n / 4 / lanes;
    for (unsigned quarter = 0; quarter < 4; quarter++) {
        size_t reversed = 0;
        for (size_t column = 0; column < columns; column++) {
            for (size_t bank = 0; bank < lanes; bank++) {
                put_power(t, (int64_t)(4 * (lanes * reversed + bank)) + reversed2(quarter));
            }
            reversed = rs_next_reversed(reversed, column, columns);
        }
    }
}

static void put_seeds(twiddles_t *t) {
    const int64_t lanes = t->design->lanes;
    for (int64_t sign = 1; sign >= -1; sign -= 2) {
        const int64_t offset = sign < 0 ? (int64_t)t->n : 0;
        for (int64_t m = 0; m < RS_TWIDDLE_SEEDS; m++) put_power(t, offset + sign * (4 * lanes * (m / 2) + 2 * (m % 2)));
        for (unsigned m = RS_TWIDDLE_SEEDS; m < RS_TWIDDLE_SCALARS; m++)
            put_power(t, sign * (int64_t)(t->n >> (m - RS_TWIDDLE_SEEDS)));
        for (size_t m = RS_TWIDDLE_SCALARS; m < rs_design_seed_rows(t->design) * t->design->lanes; m++)
            store_word(t->design, t->image, t->count++, 0);
        for (unsigned row = 0; row < 3; row++) {
            for (int64_t bank = 0; bank < lanes; bank++) put_power(t, sign * (4 * bank + reversed2(row)));
        }
    }
}

void rs_image_context(const rs_design_t *design, const rs_limb_t *l, uint64_t constant, uint64_t factor, uint8_t *image) {
    twiddles_t t = {design, l, (size_t)1 << l->log_n, radix(design, &l->modulus), image + RS_CONTEXT_HEADER_BYTES, 0};
    memset(image, 0, rs_design_context_bytes(design, l->log_n));
    rs_image_header(design, l, constant, factor, image);
    if (design->features & RS_FEATURE_ON_THE_FLY) {
        put_seeds(&t);
    } else {
        put_table(&t);
    }
}

// w[j] = psi^brv(j) is low[j mod 2^h] high[j >> h]: the bits of j stand for factors that do not depend on each other.
void rs_image_stream(const rs_design_t *design, const rs_limb_t *l, uint8_t *image, int wide) {
    const rs_factor_t r = radix(design, &l->modulus);
    const size_t low = (size_t)1 << rs_design_stream_low(design);
    for (size_t k = 0; k < low; k++, image += wide ? 8 : 4) {
        const uint64_t word = rs_mul_factor(rs_twiddle(l, k), r, l->modulus.q);
        rs_image_put(image, &word, 1, wide);
    }
    for (size_t j = 0; j < (size_t)1 << l->log_n; j += low, image += wide ? 8 : 4) {
        const uint64_t word = rs_mul_factor(rs_twiddle(l, j), r, l->modulus.q);
        rs_image_put(image, &word, 1, wide);
    }
}

void rs_image_roots_factors(uint64_t factor, uint64_t added, uint8_t *image) {
    rs_store64(image + 8 * CONSTANT, factor);
    rs_store64(image + 8 * FACTOR, added);
}

// q = 1 says that these are roots: of products modulo 1 the lanes keep the high half. The words are in the order of the banks
// (docs/ntt_schedule.md, Roots): bank b has re or im, its top bit, of the pairs with brv(b) below their two top bits.
void rs_image_roots(const rs_design_t *design, const rs_fixed_t *fixed, uint8_t *image) {
    const uint64_t *roots = rs_fixed_roots(fixed);
    const size_t banks = design->lanes, pairs = banks > 1 ? banks / 2 : 1; // counts of lanes
    const size_t columns = (size_t)1 << (fixed->log_n - 4); // columns for each of the four values of the top bits
    memset(image, 0, rs_design_roots_bytes(design, fixed->log_n));
    rs_store64(image, 1);
    size_t count = 0;
    for (size_t top = 0; top < 4; top++) {
        for (size_t y = 0; y < columns / pairs; y++) {
            for (unsigned component = 0; component < 2; component++) {
                size_t reversed = 0;
                for (size_t pair = 0; pair < pairs; pair++) {
                    const size_t t = top * columns + reversed * (columns / pairs) + y;
                    store_word(design, image + RS_CONTEXT_HEADER_BYTES, count++, roots[2 * t + component]);
                    reversed = rs_next_reversed(reversed, pair, pairs);
                }
            }
        }
    }
}
