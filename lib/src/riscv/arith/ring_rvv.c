// SPDX-License-Identifier: Apache-2.0
// The ring for every modulus in vectors of 64-bit words, of any length: transforms of two stages a pass, products, lifts. Its products are
// Shoup's, which take one instruction less than those in doubles (fma/real_passes.h).
#include "riscv/riscv.h"

#ifdef __riscv_v
#include <riscv_vector.h>

#define INLINE static inline __attribute__((always_inline))
typedef vuint64m2_t vec_t; // two registers: a pass has six twiddles and four words

INLINE size_t length(const rs_limb_t *limb) { return (size_t)1 << limb->log_n; }

INLINE vec_t add(vec_t x, vec_t y, size_t vl) { return __riscv_vadd_vv_u64m2(x, y, vl); }

INLINE vec_t add_word(vec_t x, uint64_t y, size_t vl) { return __riscv_vadd_vx_u64m2(x, y, vl); }

INLINE vec_t sub(vec_t x, vec_t y, size_t vl) { return __riscv_vsub_vv_u64m2(x, y, vl); }

// rs_csub, of x below bound + 2^63.
INLINE vec_t csub(vec_t x, uint64_t bound, size_t vl) { return __riscv_vminu_vv_u64m2(x, __riscv_vsub_vx_u64m2(x, bound, vl), vl); }

// x - y q
INLINE vec_t less_times(vec_t x, vec_t y, uint64_t q, size_t vl) { return __riscv_vnmsac_vx_u64m2(x, q, y, vl); }

// rs_mul_lazy, with the twiddles w and their quotients f: below 2q.
INLINE vec_t times(vec_t x, vec_t w, vec_t f, uint64_t q, size_t vl) {
    return less_times(__riscv_vmul_vv_u64m2(x, w, vl), __riscv_vmulhu_vv_u64m2(x, f, vl), q, vl);
}

INLINE vec_t times_factor(vec_t x, rs_factor_t f, uint64_t q, size_t vl) {
    return less_times(__riscv_vmul_vx_u64m2(x, f.value, vl), __riscv_vmulhu_vx_u64m2(x, f.quotient, vl), q, vl);
}

// rs_reduce
INLINE vec_t reduce(vec_t x, const rs_modulus_t *m, size_t vl) {
    return csub(less_times(x, __riscv_vmulhu_vx_u64m2(x, m->ratio64, vl), m->q, vl), m->q, vl);
}

// Words that are `step` apart; 0: one word, repeated.
INLINE vec_t load(const uint64_t *p, ptrdiff_t step, size_t vl) {
    return step == 1 ? __riscv_vle64_v_u64m2(p, vl) : __riscv_vlse64_v_u64m2(p, step * (ptrdiff_t)sizeof *p, vl);
}

INLINE void store(uint64_t *p, ptrdiff_t step, vec_t x, size_t vl) {
    if (step == 1) {
        __riscv_vse64_v_u64m2(p, x, vl);
    } else {
        __riscv_vsse64_v_u64m2(p, step * (ptrdiff_t)sizeof *p, x, vl);
    }
}

// ---- transforms --------------------------------------------------------------------------------------------------------
// A pass is of 2^log_blocks blocks of four rows of `gap` words. Vectors lie along the rows, or, if these are short, across the blocks: then each lane
// has twiddles of its own.
#define TWIDDLES(number, i, step)                                                   \
    const vec_t w##number = load((const uint64_t *)limb->twiddles + (i), step, vl); \
    const vec_t f##number = load((const uint64_t *)limb->quotients + (i), step, vl)

// (x, y) -> (x + wy, x - wy), residues below 12q before and after, and 12q + 2q between, where 14q < 2^64; `last`: reduced.
INLINE void forward_pass(const rs_limb_t *limb, uint64_t *x, unsigned log_blocks, int across, int last) {
    const uint64_t q = limb->modulus.q;
    const size_t blocks = (size_t)1 << log_blocks;
    const size_t gap = length(limb) >> (log_blocks + 2);
    const size_t vl = __riscv_vsetvl_e64m2(across ? blocks : gap);
    const ptrdiff_t step = across ? 4 * (ptrdiff_t)gap : 1;
    for (size_t i = 0; i < blocks; i += across ? vl : 1) {
        TWIDDLES(1, blocks + i, across ? 1 : 0);
        TWIDDLES(2, 2 * (blocks + i), across ? 2 : 0);
        TWIDDLES(3, 2 * (blocks + i) + 1, across ? 2 : 0);
        for (size_t j = 0; j < gap; j += across ? 1 : vl) {
            uint64_t *p = x + 4 * gap * i + j;
            const vec_t a = csub(load(p, step, vl), 8 * q, vl);
            const vec_t b = load(p + gap, step, vl);
            const vec_t c = times(load(p + 2 * gap, step, vl), w1, f1, q, vl);
            const vec_t d = times(load(p + 3 * gap, step, vl), w1, f1, q, vl);
            const vec_t s = add(a, c, vl); // < 10q, and so is t
            const vec_t t = sub(add_word(a, 2 * q, vl), c, vl);
            const vec_t u = times(add(b, d, vl), w2, f2, q, vl);
            const vec_t v = times(sub(add_word(b, 2 * q, vl), d, vl), w3, f3, q, vl);
#define PUT(row, y) store(p + (row) * gap, step, last ? reduce(y, &limb->modulus, vl) : (y), vl)
            PUT(0, add(s, u, vl));
            PUT(1, sub(add_word(s, 2 * q, vl), u, vl));
            PUT(2, add(t, v, vl));
            PUT(3, sub(add_word(t, 2 * q, vl), v, vl));
        }
    }
}

enum { LOG_SHORT = 2 }; // short rows are of four words, where there are at least 16 blocks

static void forward(const rs_limb_t *limb, uint64_t *poly) {
    const uint64_t q = limb->modulus.q;
    const size_t half = length(limb) / 2;
    unsigned left = limb->log_n; // stages
    if (limb->log_n & 1) { // one stage alone: below 3q
        const rs_factor_t w = {((const uint64_t *)limb->twiddles)[1], ((const uint64_t *)limb->quotients)[1]};
        const size_t vl = __riscv_vsetvl_e64m2(half);
        for (uint64_t *p = poly; p < poly + half; p += vl) {
            const vec_t x = load(p, 1, vl);
            const vec_t t = times_factor(load(p + half, 1, vl), w, q, vl);
            store(p, 1, add(x, t, vl), vl);
            store(p + half, 1, sub(add_word(x, 2 * q, vl), t, vl), vl);
        }
        left--;
    }
    for (; left - 2 > LOG_SHORT; left -= 2) forward_pass(limb, poly, limb->log_n - left, 0, 0);
    for (; left > 2; left -= 2) forward_pass(limb, poly, limb->log_n - left, 1, 0);
    forward_pass(limb, poly, limb->log_n - 2, 1, 1);
}

// (x, y) -> (x + y, (y - x) w'), w' the mirrored twiddle of the forward transform (arith/ntt.c), residues below 4q before and after, sums below
// 16q. last: of one block, reduced and scaled by 1/N.
INLINE void inverse_pass(const rs_limb_t *limb, uint64_t *x, unsigned log_blocks, int across, int last) {
    const uint64_t q = limb->modulus.q;
    const size_t blocks = (size_t)1 << log_blocks;
    const size_t gap = length(limb) >> (log_blocks + 2);
    const size_t vl = __riscv_vsetvl_e64m2(across ? blocks : gap);
    const ptrdiff_t step = across ? 4 * (ptrdiff_t)gap : 1;
    for (size_t i = 0; i < blocks; i += across ? vl : 1) {
        TWIDDLES(1, 2 * blocks - 1 - i, across ? -1 : 0);
        TWIDDLES(2, 4 * blocks - 1 - 2 * i, across ? -2 : 0);
        TWIDDLES(3, 4 * blocks - 2 - 2 * i, across ? -2 : 0);
        for (size_t j = 0; j < gap; j += across ? 1 : vl) {
            uint64_t *p = x + 4 * gap * i + j;
            const vec_t a = load(p, step, vl);
            const vec_t b = load(p + gap, step, vl);
            const vec_t c = load(p + 2 * gap, step, vl);
            const vec_t d = load(p + 3 * gap, step, vl);
            const vec_t s = add(a, b, vl); // < 8q, and so is u
            const vec_t u = add(c, d, vl);
            const vec_t t = times(sub(add_word(b, 4 * q, vl), a, vl), w2, f2, q, vl);
            const vec_t v = times(sub(add_word(d, 4 * q, vl), c, vl), w3, f3, q, vl);
            const vec_t even = add(s, u, vl);
            const vec_t odd = add(t, v, vl);
            const vec_t y2 = sub(add_word(u, 8 * q, vl), s, vl);
            const vec_t y3 = sub(add_word(v, 2 * q, vl), t, vl);
            if (last) {
                store(p, step, csub(times_factor(even, limb->n_inverse, q, vl), q, vl), vl);
                store(p + gap, step, csub(times_factor(odd, limb->n_inverse, q, vl), q, vl), vl);
                store(p + 2 * gap, step, csub(times_factor(y2, limb->last_inverse, q, vl), q, vl), vl);
                store(p + 3 * gap, step, csub(times_factor(y3, limb->last_inverse, q, vl), q, vl), vl);
            } else {
                store(p, step, csub(csub(even, 8 * q, vl), 4 * q, vl), vl);
                store(p + gap, step, odd, vl);
                store(p + 2 * gap, step, times(y2, w1, f1, q, vl), vl);
                store(p + 3 * gap, step, times(y3, w1, f1, q, vl), vl);
            }
        }
    }
}

static void inverse(const rs_limb_t *limb, uint64_t *poly) {
    const uint64_t q = limb->modulus.q;
    const size_t half = length(limb) / 2;
    unsigned left = limb->log_n - 2;
    for (; limb->log_n - 2 - left <= LOG_SHORT; left -= 2) inverse_pass(limb, poly, left, 1, 0);
    for (; left > 1; left -= 2) inverse_pass(limb, poly, left, 0, 0);
    inverse_pass(limb, poly, left, 0, !left);
    if (!left) return;
    const size_t vl = __riscv_vsetvl_e64m2(half);
    for (uint64_t *p = poly; p < poly + half; p += vl) {
        const vec_t x = load(p, 1, vl);
        const vec_t y = load(p + half, 1, vl);
        store(p, 1, csub(times_factor(add(x, y, vl), limb->n_inverse, q, vl), q, vl), vl);
        store(p + half, 1, csub(times_factor(sub(add_word(y, 4 * q, vl), x, vl), limb->last_inverse, q, vl), q, vl), vl);
    }
}

// ---- pointwise: N is a multiple of every vl ----------------------------------------------------------------------------------
#define EACH_VECTOR(i) for (size_t vl = __riscv_vsetvl_e64m2(length(limb)), i = 0; i < length(limb); i += vl)

// rs_mul_mod
INLINE vec_t product(const uint64_t *a, const uint64_t *b, const rs_modulus_t *m, size_t vl) {
    const vec_t x = load(a, 1, vl);
    const vec_t y = load(b, 1, vl);
    const vec_t low = __riscv_vmul_vv_u64m2(x, y, vl);
    const vec_t high = __riscv_vmulhu_vv_u64m2(x, y, vl);
    const vec_t t =
        __riscv_vor_vv_u64m2(__riscv_vsll_vx_u64m2(high, 64 - m->shift, vl), __riscv_vsrl_vx_u64m2(low, m->shift, vl), vl);
    return csub(less_times(low, __riscv_vmulhu_vx_u64m2(t, m->ratio, vl), m->q, vl), m->q, vl);
}

static void mul(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    const rs_modulus_t m = limb->modulus;
    EACH_VECTOR(i) store(out + i, 1, product(a + i, b + i, &m, vl), vl);
}

static void mul_add(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    const rs_modulus_t m = limb->modulus;
    EACH_VECTOR(i) store(out + i, 1, csub(add(product(a + i, b + i, &m, vl), load(c + i, 1, vl), vl), m.q, vl), vl);
}

static void mul_sub(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    const rs_modulus_t m = limb->modulus;
    EACH_VECTOR(i) {
        const vec_t x = add_word(load(c + i, 1, vl), m.q, vl);
        store(out + i, 1, csub(sub(x, product(a + i, b + i, &m, vl), vl), m.q, vl), vl);
    }
}

// ---- lifts: as in encoding/lifts.c -----------------------------------------------------------------------------------------
INLINE vec_t small_words(const int8_t *p, size_t vl) {
    return __riscv_vreinterpret_v_i64m2_u64m2(__riscv_vsext_vf8_i64m2(__riscv_vle8_v_i8mf4(p, vl), vl));
}

// rs_reduce_signed
INLINE vec_t residue(vec_t x, const rs_modulus_t *m, size_t vl) { return reduce(add_word(x, m->lift_offset, vl), m, vl); }

// Integers: the rounding mode does not matter.
INLINE vec_t message_words(const double *p, size_t vl) {
    return __riscv_vreinterpret_v_i64m2_u64m2(__riscv_vfcvt_x_f_v_i64m2(__riscv_vle64_v_f64m2(p, vl), vl));
}

static void lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {
    const uint64_t q = limb->modulus.q;
    const rs_factor_t f = rs_factor(factor, q);
    EACH_VECTOR(i) {
        const vec_t words = small_words(small + i, vl);
        const vec_t x = __riscv_vminu_vv_u64m2(words, add_word(words, q, vl), vl); // those below 0 are above 2^63
        store(out + i, 1, factor == 1 ? x : csub(times_factor(x, f, q, vl), q, vl), vl);
    }
}

static void lift_rounded(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                         uint64_t inverse_factor) {
    const rs_modulus_t m = limb->modulus;
    const rs_factor_t f = rs_factor(inverse_factor, m.q);
    EACH_VECTOR(i) {
        const vec_t x = sub(small_words(error + i, vl), load((const uint64_t *)d + i, 1, vl), vl);
        const vec_t y = csub(times_factor(residue(x, &m, vl), f, m.q, vl), m.q, vl);
        store(out + i, 1, message ? csub(add(y, residue(message_words(message + i, vl), &m, vl), vl), m.q, vl) : y, vl);
    }
}

static void centre(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error) {
    const uint64_t q = limb->modulus.q;
    EACH_VECTOR(i) {
        const vec_t x = add_word(add(load(poly + i, 1, vl), small_words(error + i, vl), vl), q / 2, vl);
        store((uint64_t *)d + i, 1, add_word(csub(x, q, vl), 0 - q / 2, vl), vl);
    }
}

const rs_ring_t RS_RING_RVV = {
    .quotient_bits = 64,
    .forward = forward,
    .inverse = inverse,
    .mul = mul,
    .mul_add = mul_add,
    .mul_sub = mul_sub,
    .lift_small = lift_small,
};
const rs_lifts_t RS_LIFTS_RVV = {
    .lift_message = rs_portable_lift_message,
    .lift_rounded = lift_rounded,
    .centre = centre,
};
#endif
