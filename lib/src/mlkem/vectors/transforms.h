// SPDX-License-Identifier: Apache-2.0
// ML-KEM's transforms and products on vectors of 16-bit words, for every width of them (words_*.h). Words may be secret: there is no branch
// and no index. R is 2^16 here, not zq.h's.
//
// A pass of a transform does all layers whose butterflies lie in REGISTERS vectors; a layer runs over all of them, so that no product waits for
// another one of its layer. Within vectors, pairs of these exchange runs of words until each butterfly lies between the two.

enum { REGISTERS = 8, HALF = REGISTERS / 2, PASS = REGISTERS * LANES, BLOCKS = RS_MLKEM_N / PASS };

// A word grows by less than 3 q / 4.
INLINE void butterfly(words_t *v, unsigned span, words_t factor, words_t quotient) {
    const words_t product = multiplied(v[span], factor, quotient);
    v[span] = minus(v[0], product);
    v[0] = plus(v[0], product);
}

// A sum is at most twice as large, a product below 3 q / 4.
INLINE void inverse_butterfly(words_t *v, unsigned span, words_t factor, words_t quotient) {
    const words_t difference = minus(v[span], v[0]);
    v[0] = plus(v[0], v[span]);
    v[span] = multiplied(difference, factor, quotient);
}

// A layer between vectors `span` apart, in the given one of the pass's blocks.
INLINE void layer(words_t *v, unsigned span, unsigned blocks, unsigned block, int inverse) {
    const unsigned groups = HALF / span, all = groups * blocks;
#pragma GCC unroll 4
    for (unsigned i = 0; i < HALF; i++) {
        const unsigned group = groups * block + i / span, zeta = inverse ? 2 * all - 1 - group : all + group;
        words_t *pair = v + i / span * 2 * span + i % span;
        (inverse ? inverse_butterfly : butterfly)(pair, span, splat(FORWARD[0].first[zeta]), splat(FORWARD[1].first[zeta]));
    }
}

// A layer between words t apart: 16, 8, 4 or 2.
INLINE void layer_in_lanes(words_t *v, unsigned t, unsigned block, int inverse) {
    const unsigned row = t == 16 ? 0 : t == 8 ? 1 : t == 4 ? 2 : 3;
#pragma GCC unroll 4
    for (unsigned i = 0; i < HALF; i++) {
        const factors_t *f = inverse ? INVERSE : FORWARD;
        const unsigned at = (block * HALF + i) * LANES;
        const words_t factor = load_words(f[0].lanes[row] + at), quotient = load_words(f[1].lanes[row] + at);
        if (inverse) {
            inverse_butterfly(v + 2 * i, 1, factor, quotient);
            if (t == 8) v[2 * i] = reduced(v[2 * i]);
            exchange(v + 2 * i, t);
        } else {
            exchange(v + 2 * i, t);
            butterfly(v + 2 * i, 1, factor, quotient);
        }
    }
}

INLINE void load_all(words_t *v, const int16_t *f, unsigned step) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < REGISTERS; i++) v[i] = load_words(f + i * step);
}

INLINE void store_all(int16_t *f, const words_t *v, unsigned step) {
#pragma GCC unroll 8
    for (unsigned i = 0; i < REGISTERS; i++) store_words(f + i * step, v[i]);
}

// From q, seven layers grow to 25/4 q < 2^15; then words are reduced.
void rs_mlkem_ntt(int16_t *f) {
    words_t v[REGISTERS];
    for (unsigned column = 0; column < BLOCKS; column++) {
        load_all(v, f + column * LANES, BLOCKS * LANES);
#pragma GCC unroll 3
        for (unsigned span = HALF; span; span /= 2) layer(v, span, 1, 0, 0);
        if (BLOCKS > 1) store_all(f + column * LANES, v, BLOCKS * LANES);
    }
    for (unsigned block = 0; block < BLOCKS; block++) {
        if (BLOCKS > 1) load_all(v, f + block * PASS, LANES);
#pragma GCC unroll 3
        for (unsigned span = BLOCKS / 2; span; span /= 2) layer(v, span, BLOCKS, block, 0);
#pragma GCC unroll 4
        for (unsigned t = LANES / 2; t > 1; t /= 2) layer_in_lanes(v, t, block, 0);
#pragma GCC unroll 4
        for (unsigned i = 0; i < REGISTERS; i += 2) interleave(v + i);
#pragma GCC unroll 8
        for (unsigned i = 0; i < REGISTERS; i++) v[i] = reduced(v[i]);
        store_all(f + block * PASS, v, LANES);
    }
}

INLINE void reduce_sums(words_t *v, unsigned span) {
#pragma GCC unroll 4
    for (unsigned i = 0; i < HALF; i++) v[i / span * 2 * span + i % span] = reduced(v[i / span * 2 * span + i % span]);
}

// From 0.85 q (rs_mlkem_dot) sums grow to 6.8 q in three layers; reduced, they and products are below 3 q / 4, and 6 q after three more. They are
// reduced once more, so that those of the last layer are below 1.5 q, and so is what the last products give: below 0.54 q.
void rs_mlkem_inverse(int16_t *f) {
    enum {
        SCALE = (1 << 25) % RS_MLKEM_Q,
        LAST = SCALE * 1729 % RS_MLKEM_Q
    }; // R / 128 times R, before that is taken off as in each product
    const words_t scale = splat(RS_MLKEM_CENTRED(SCALE)), scale_quotient = splat(RS_MLKEM_CENTRED(SCALE) * RS_MLKEM_WORD_INVERSE);
    const words_t last = splat(RS_MLKEM_CENTRED(LAST)), last_quotient = splat(RS_MLKEM_CENTRED(LAST) * RS_MLKEM_WORD_INVERSE);
    words_t v[REGISTERS];
    for (unsigned block = 0; block < BLOCKS; block++) {
        load_all(v, f + block * PASS, LANES);
#pragma GCC unroll 4
        for (unsigned i = 0; i < REGISTERS; i += 2) separate(v + i);
#pragma GCC unroll 4
        for (unsigned t = 2; t < LANES; t *= 2) layer_in_lanes(v, t, block, 1);
#pragma GCC unroll 3
        for (unsigned span = 1; span < BLOCKS; span *= 2) {
            layer(v, span, BLOCKS, block, 1);
            if (span * LANES == 8) reduce_sums(v, span);
        }
        if (BLOCKS > 1) store_all(f + block * PASS, v, LANES);
    }
    for (unsigned column = 0; column < BLOCKS; column++) {
        if (BLOCKS > 1) load_all(v, f + column * LANES, BLOCKS * LANES);
        layer(v, 1, 1, 0, 1);
        layer(v, 2, 1, 0, 1);
        reduce_sums(v, 2);
#pragma GCC unroll 4
        for (unsigned i = 0; i < HALF; i++) {
            inverse_butterfly(v + i, HALF, last, last_quotient);
            v[i] = multiplied(v[i], scale, scale_quotient);
        }
        store_all(f + column * LANES, v, BLOCKS * LANES);
    }
}

// Sums of 2 k products are at most 8 * 4095 * 0.66 q < 2^31, their high halves 0.34 q, and the result 0.84 q.
INLINE void dot(int16_t *out, const int16_t *a, const int16_t *b, uint32_t k) {
    for (unsigned i = 0; i < RS_MLKEM_N; i += LANES) {
        const words_t factor = load_words(SQUARES[0][0] + i), quotient = load_words(SQUARES[1][0] + i);
        words_t low = splat(0), mixed = splat(0);
#pragma GCC unroll 4
        for (uint32_t j = 0; j < k; j++) {
            const words_t x = load_words(a + RS_MLKEM_N * j + i), y = load_words(b + RS_MLKEM_N * j + i);
            low = plus_pairs(low, x, multiplied(y, factor, quotient));
            mixed = plus_pairs(mixed, x, swap_pairs(y));
        }
        store_words(out + i, reduced_sums(low, mixed));
    }
}

void rs_mlkem_dot(int16_t *out, const int16_t *a, const int16_t *b, uint32_t k) {
    k == 2 ? dot(out, a, b, 2) : k == 3 ? dot(out, a, b, 3) : dot(out, a, b, 4);
}

void rs_mlkem_add_scaled(int16_t *a, const int16_t *e) {
    const words_t factor = splat(CENTRED_FACTOR(RS_MLKEM_WORD)), quotient = splat(QUOTIENT(RS_MLKEM_WORD));
    for (unsigned i = 0; i < RS_MLKEM_N; i += LANES) {
        store_words(a + i, plus(multiplied(load_words(a + i), factor, quotient), load_words(e + i)));
    }
}
