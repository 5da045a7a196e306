// SPDX-License-Identifier: Apache-2.0
// Transforms and products modulo q = 8380417 (FIPS 204, section 7.5).
#include "mldsa/ring.h"

#include "base/bytes.h"
#include "base/neon.h"

typedef struct zeta {
    int32_t factor; // zeta R modulo q
    int32_t quotient; // factor / q modulo R
} zeta_t;

static const zeta_t ZETAS[RS_MLDSA_N] = {
#include "mldsa/zetas.inc"
};

#if defined(RS_NEON) && !defined(INSTRUCTIONS)
#define WORDS "mldsa/vectors/words_neon.h"
#endif
#ifdef WORDS
#define INLINE static inline __attribute__((always_inline))
#include WORDS
#include "mldsa/vectors/transforms.h"
#else
// a zeta below q, for any a: rs_mldsa_reduce_product with a factor whose quotient is known.
static inline int32_t multiplied(int32_t a, zeta_t zeta) {
    const int32_t t = (int32_t)((uint32_t)a * (uint32_t)zeta.quotient);
    return (int32_t)(((int64_t)a * zeta.factor - (int64_t)t * RS_MLDSA_Q) >> 32);
}

// Two layers: of `blocks` blocks of four quarters, and of twice as many blocks. A word grows by less than q in each.
static inline void forward_layers(int32_t *a, unsigned blocks, unsigned quarter) {
    for (unsigned block = 0; block < blocks; block++) {
        const zeta_t outer = ZETAS[blocks + block];
        const zeta_t left = ZETAS[2 * (blocks + block)];
        const zeta_t right = ZETAS[2 * (blocks + block) + 1];
        int32_t *x = a + 4 * (size_t)quarter * block;
        for (unsigned j = 0; j < quarter; j++, x++) {
            const int32_t m2 = multiplied(x[2 * quarter], outer);
            const int32_t m3 = multiplied(x[3 * quarter], outer);
            const int32_t x0 = x[0] + m2;
            const int32_t x1 = x[quarter] + m3;
            const int32_t x2 = x[0] - m2;
            const int32_t x3 = x[quarter] - m3;
            const int32_t m1 = multiplied(x1, left);
            const int32_t m4 = multiplied(x3, right);
            x[0] = x0 + m1;
            x[quarter] = x0 - m1;
            x[2 * quarter] = x2 + m4;
            x[3 * quarter] = x2 - m4;
        }
    }
}

void rs_mldsa_forward(rs_mldsa_poly_t *a) {
    for (unsigned blocks = 1, quarter = RS_MLDSA_N / 4; quarter; blocks *= 4, quarter /= 4) forward_layers(a->c, blocks, quarter);
}

// Two layers of the inverse: of twice `blocks` blocks, and of `blocks`. The sums double in each: after all eight they are below 256 q, and that
// is below 2^31. Algorithm 42 takes the zetas of a layer from the last to the first.
static inline void inverse_layers(int32_t *a, unsigned blocks, unsigned quarter) {
    for (unsigned block = 0; block < blocks; block++) {
        const zeta_t outer = ZETAS[2 * blocks - 1 - block];
        const zeta_t left = ZETAS[4 * blocks - 1 - 2 * block];
        const zeta_t right = ZETAS[4 * blocks - 2 - 2 * block];
        int32_t *x = a + 4 * (size_t)quarter * block;
        for (unsigned j = 0; j < quarter; j++, x++) {
            const int32_t x0 = x[0] + x[quarter];
            const int32_t x1 = multiplied(x[quarter] - x[0], left);
            const int32_t x2 = x[2 * quarter] + x[3 * quarter];
            const int32_t x3 = multiplied(x[3 * quarter] - x[2 * quarter], right);
            x[0] = x0 + x2;
            x[quarter] = x1 + x3;
            x[2 * quarter] = multiplied(x2 - x0, outer);
            x[3 * quarter] = multiplied(x3 - x1, outer);
        }
    }
}

void rs_mldsa_inverse(rs_mldsa_poly_t *a, int32_t factor) {
    for (unsigned blocks = RS_MLDSA_N / 4, quarter = 1; blocks; blocks /= 4, quarter *= 4) inverse_layers(a->c, blocks, quarter);
    for (unsigned i = 0; i < RS_MLDSA_N; i++) a->c[i] = rs_mldsa_reduce_product((int64_t)a->c[i] * factor);
}

void rs_mldsa_dot(rs_mldsa_sum_t *sum, const rs_mldsa_poly_t *a, const rs_mldsa_poly_t *b, unsigned count, int more) {
    unsigned j = 0;
    if (!more) {
        for (unsigned i = 0; i < RS_MLDSA_N; i++) sum->c[i] = (int64_t)a->c[i] * b->c[i];
        j = 1;
    }
    for (; j < count; j++) {
        for (unsigned i = 0; i < RS_MLDSA_N; i++) sum->c[i] += (int64_t)a[j].c[i] * b[j].c[i];
    }
}

void rs_mldsa_multiply_sub(rs_mldsa_sum_t *sum, const rs_mldsa_poly_t *a, const rs_mldsa_poly_t *b) {
    for (unsigned i = 0; i < RS_MLDSA_N; i++) sum->c[i] -= (int64_t)a->c[i] * b->c[i];
}

void rs_mldsa_reduce_sum(rs_mldsa_poly_t *out, const rs_mldsa_sum_t *sum) {
    for (unsigned i = 0; i < RS_MLDSA_N; i++) out->c[i] = rs_mldsa_reduce_product(sum->c[i]);
}

void rs_mldsa_product(rs_mldsa_poly_t *out, const rs_mldsa_poly_t *a, const rs_mldsa_poly_t *b) {
    for (unsigned i = 0; i < RS_MLDSA_N; i++) out->c[i] = rs_mldsa_reduce_product((int64_t)a->c[i] * b->c[i]);
}
#endif

int32_t rs_mldsa_exceeds(const rs_mldsa_poly_t *a, int32_t bound) {
    int32_t found = 0;
    for (unsigned i = 0; i < RS_MLDSA_N; i++) {
        const int32_t sign = rs_mldsa_sign_mask(a->c[i]);
        found |= bound - 1 - ((a->c[i] ^ sign) - sign);
    }
    return rs_mldsa_sign_mask(found);
}
