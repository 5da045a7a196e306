// SPDX-License-Identifier: Apache-2.0
// Transforms and products of ring.h on vectors, for every width of them (words_*.h). A pass does all layers whose butterflies lie
// in REGISTERS vectors; a layer runs over all of them, so that no product waits for another one of its layer.

enum { HALF = REGISTERS / 2, PASS = REGISTERS * LANES, BLOCKS = RS_MLDSA_N / PASS };

// A word grows by less than 3 q / 4.
INLINE void butterfly(words_t *x, words_t *y, const words_t *f) {
    const words_t product = multiplied_lanes(*y, f);
    *y = sub32(*x, product);
    *x = add32(*x, product);
}

// A word doubles.
INLINE void inverse_butterfly(words_t *x, words_t *y, const words_t *f) {
    const words_t difference = sub32(*y, *x);
    *x = add32(*x, *y);
    *y = multiplied_lanes(difference, f);
}

// A layer between vectors that are `span` apart, in the given one of the pass's blocks. Algorithm 42 takes a layer's zetas from the last to the first.
INLINE void layer(words_t *v, unsigned span, unsigned blocks, unsigned block, int inverse) {
    const unsigned groups = HALF / span, all = groups * blocks;
#pragma GCC unroll 8
    for (unsigned i = 0; i < HALF; i++) {
        const unsigned group = groups * block + i / span, x = i / span * 2 * span + i % span;
        words_t f[2];
        splat_factor(f, &ZETAS[inverse ? 2 * all - 1 - group : all + group]);
        if (inverse) {
            inverse_butterfly(&v[x], &v[x + span], f);
        } else {
            butterfly(&v[x], &v[x + span], f);
        }
    }
}

// A layer between words that are t apart: before it (after an inverse one) each pair of vectors is exchanged, so that its butterflies lie between the two.
INLINE void layer_in_lanes(words_t *v, unsigned t, unsigned block, int inverse) {
    const unsigned all = RS_MLDSA_N / (2 * t), groups = LANES / t;
#pragma GCC unroll 8
    for (unsigned i = 0; i < HALF; i++) {
        const unsigned group = (block * HALF + i) * groups;
        words_t f[2];
        factors_of_lanes(f, &ZETAS[inverse ? 2 * all - group - groups : all + group], t, inverse);
        if (inverse) {
            inverse_butterfly(&v[2 * i], &v[2 * i + 1], f);
            exchange(&v[2 * i], t);
        } else {
            exchange(&v[2 * i], t);
            butterfly(&v[2 * i], &v[2 * i + 1], f);
        }
    }
}

INLINE void load_all(words_t *v, const int32_t *a, unsigned step) {
#pragma GCC unroll 16
    for (unsigned i = 0; i < REGISTERS; i++) v[i] = load_words(a + i * step);
}

INLINE void store_all(int32_t *a, const words_t *v, unsigned step) {
#pragma GCC unroll 16
    for (unsigned i = 0; i < REGISTERS; i++) store_words(a + i * step, v[i]);
}

void rs_mldsa_forward(rs_mldsa_poly_t *a) {
    words_t v[REGISTERS];
    for (unsigned column = 0; column < BLOCKS; column++) {
        load_all(v, a->c + column * LANES, BLOCKS * LANES);
#pragma GCC unroll 4
        for (unsigned span = HALF; span; span /= 2) layer(v, span, 1, 0, 0);
        if (BLOCKS > 1) store_all(a->c + column * LANES, v, BLOCKS * LANES);
    }
    for (unsigned block = 0; block < BLOCKS; block++) {
        if (BLOCKS > 1) load_all(v, a->c + block * PASS, LANES);
#pragma GCC unroll 4
        for (unsigned span = BLOCKS / 2; span; span /= 2) layer(v, span, BLOCKS, block, 0);
#pragma GCC unroll 4
        for (unsigned t = LANES / 2; t; t /= 2) layer_in_lanes(v, t, block, 0);
#pragma GCC unroll 8
        for (unsigned i = 0; i < REGISTERS; i += 2) interleave(&v[i]);
        store_all(a->c + block * PASS, v, LANES);
    }
}

// The factor is multiplied in the last layer. Before it words are below 128 q; their sums are below 256 q, and that is below 2^31.
void rs_mldsa_inverse(rs_mldsa_poly_t *a, int32_t factor) {
    words_t v[REGISTERS], scale[2], last[2];
    const int32_t product = rs_mldsa_centred(rs_mldsa_reduce_product((int64_t)factor * ZETAS[1].factor));
    const zeta_t scales[2] = {{factor, (int32_t)((uint32_t)factor * RS_MLDSA_Q_INVERSE)},
                              {product, (int32_t)((uint32_t)product * RS_MLDSA_Q_INVERSE)}};
    splat_factor(scale, &scales[0]);
    splat_factor(last, &scales[1]);
    for (unsigned block = 0; block < BLOCKS; block++) {
        load_all(v, a->c + block * PASS, LANES);
#pragma GCC unroll 8
        for (unsigned i = 0; i < REGISTERS; i += 2) separate(&v[i]);
#pragma GCC unroll 4
        for (unsigned t = 1; t < LANES; t *= 2) layer_in_lanes(v, t, block, 1);
#pragma GCC unroll 4
        for (unsigned span = 1; span < BLOCKS; span *= 2) layer(v, span, BLOCKS, block, 1);
        if (BLOCKS > 1) store_all(a->c + block * PASS, v, LANES);
    }
    for (unsigned column = 0; column < BLOCKS; column++) {
        if (BLOCKS > 1) load_all(v, a->c + column * LANES, BLOCKS * LANES);
#pragma GCC unroll 4
        for (unsigned span = 1; span < HALF; span *= 2) layer(v, span, 1, 0, 1);
#pragma GCC unroll 8
        for (unsigned i = 0; i < HALF; i++) {
            inverse_butterfly(&v[i], &v[i + HALF], last);
            v[i] = multiplied_lanes(v[i], scale);
        }
        store_all(a->c + column * LANES, v, BLOCKS * LANES);
    }
}

// ---- products ------------------------------------------------------------------------------------------------------------
// Sums keep the words of a vector in halves, in the order of words_*.h.
INLINE void load_sums(words_t *s, const int64_t *from) {
    s[0] = load_words(from);
    s[1] = load_words(from + LANES / 2);
}

void rs_mldsa_dot(rs_mldsa_sum_t *sum, const rs_mldsa_poly_t *a, const rs_mldsa_poly_t *b, unsigned count, int more) {
    for (unsigned i = 0; i < RS_MLDSA_N; i += LANES) {
        words_t s[2] = {splat32(0), splat32(0)};
        if (more) load_sums(s, sum->c + i);
        for (unsigned j = 0; j < count; j++) {
            const words_t x = load_words(a[j].c + i), y = load_words(b[j].c + i);
            plus_products(s, x, y);
        }
        store_words(sum->c + i, s[0]);
        store_words(sum->c + i + LANES / 2, s[1]);
    }
}

void rs_mldsa_multiply_sub(rs_mldsa_sum_t *sum, const rs_mldsa_poly_t *a, const rs_mldsa_poly_t *b) {
    for (unsigned i = 0; i < RS_MLDSA_N; i += LANES) {
        const words_t x = load_words(a->c + i), y = load_words(b->c + i);
        words_t s[2];
        load_sums(s, sum->c + i);
        minus_products(s, x, y);
        store_words(sum->c + i, s[0]);
        store_words(sum->c + i + LANES / 2, s[1]);
    }
}

void rs_mldsa_reduce_sum(rs_mldsa_poly_t *out, const rs_mldsa_sum_t *sum) {
    for (unsigned i = 0; i < RS_MLDSA_N; i += LANES) {
        words_t s[2];
        load_sums(s, sum->c + i);
        store_words(out->c + i, reduced_sums(s));
    }
}

void rs_mldsa_product(rs_mldsa_poly_t *out, const rs_mldsa_poly_t *a, const rs_mldsa_poly_t *b) {
    for (unsigned i = 0; i < RS_MLDSA_N; i += LANES) {
        const words_t x = load_words(a->c + i), y = load_words(b->c + i);
        words_t s[2] = {splat32(0), splat32(0)};
        plus_products(s, x, y);
        store_words(out->c + i, reduced_sums(s));
    }
}
