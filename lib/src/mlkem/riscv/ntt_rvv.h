// SPDX-License-Identifier: Apache-2.0
// The functions of mlkem/ntt.c in vectors of any length (RVV 1.0); that file includes it behind its tables. Arithmetic is that of zq.h in words of
// 32 bits, a layer is a pass: along its blocks, or across them where these are short.
#include <riscv_vector.h>

typedef vint32m4_t words_t;

INLINE words_t plantard(vuint32m4_t x, size_t vl) {
    enum { ALPHA = 3 };
    const words_t y = __riscv_vsra_vx_i32m4(__riscv_vreinterpret_v_u32m4_i32m4(x), 16, vl);
    return __riscv_vsra_vx_i32m4(__riscv_vmul_vx_i32m4(__riscv_vadd_vx_i32m4(y, 1 << ALPHA, vl), RS_MLKEM_Q, vl), 16, vl);
}

// rs_mlkem_mul, by factors of lanes and by one; with RS_MLKEM_Q_INVERSE for a factor it is rs_mlkem_reduce.
INLINE words_t mul(words_t a, vuint32m4_t factors, size_t vl) {
    return plantard(__riscv_vmul_vv_u32m4(__riscv_vreinterpret_v_i32m4_u32m4(a), factors, vl), vl);
}

INLINE words_t mul_one(words_t a, uint32_t factor, size_t vl) {
    return plantard(__riscv_vmul_vx_u32m4(__riscv_vreinterpret_v_i32m4_u32m4(a), factor, vl), vl);
}

// Words that are `step` apart.
INLINE vint16m2_t load(const int16_t *p, size_t step, size_t vl) {
    return __riscv_vlse16_v_i16m2(p, (ptrdiff_t)(step * sizeof *p), vl);
}

INLINE void store(int16_t *p, size_t step, words_t x, size_t vl) {
    __riscv_vsse16_v_i16m2(p, (ptrdiff_t)(step * sizeof *p), __riscv_vnsra_wx_i16m2(x, 0, vl), vl);
}

enum { LOG_SHORT = 4 };

// The layer of blocks of 2^(log_half + 1) words: Cooley and Tukey's butterflies, or Gentleman and Sande's, whose sums get the factor `scale`, unless it is 0.
INLINE void layer(int16_t *f, const uint32_t *zetas, unsigned log_half, int inverse, uint32_t scale) {
    const size_t half = (size_t)1 << log_half;
    const size_t blocks = (size_t)RS_MLKEM_N / 2 >> log_half;
    const int across = log_half < LOG_SHORT;
    const size_t vl = __riscv_vsetvl_e32m4(across ? blocks : half);
    const size_t step = across ? 2 * half : 1;
    const ptrdiff_t next = (ptrdiff_t)sizeof *zetas * (across ? 1 : 0); // bytes from a lane's zeta to the next one's
    for (size_t i = 0; i < blocks; i += across ? vl : 1) {
        const vuint32m4_t zeta =
            __riscv_vlse32_v_u32m4(zetas + (inverse ? 2 * blocks - 1 - i : blocks + i), inverse ? -next : next, vl);
        for (size_t j = 0; j < half; j += across ? 1 : vl) {
            int16_t *p = f + 2 * half * i + j;
            const words_t a = __riscv_vsext_vf2_i32m4(load(p, step, vl), vl);
            const words_t b = __riscv_vsext_vf2_i32m4(load(p + half, step, vl), vl);
            if (inverse) {
                const words_t sum = __riscv_vadd_vv_i32m4(a, b, vl);
                store(p, step, scale ? mul_one(sum, scale, vl) : sum, vl);
                store(p + half, step, mul(__riscv_vsub_vv_i32m4(b, a, vl), zeta, vl), vl);
            } else {
                const words_t t = mul(b, zeta, vl);
                store(p, step, __riscv_vadd_vv_i32m4(a, t, vl), vl);
                store(p + half, step, __riscv_vsub_vv_i32m4(a, t, vl), vl);
            }
        }
    }
}

void rs_mlkem_ntt(int16_t *f) {
    for (unsigned log = 7; log >= LOG_SHORT; log--) layer(f, ZETAS, log, 0, 0);
    for (unsigned log = LOG_SHORT - 1; log; log--) layer(f, ZETAS, log, 0, 0);
}

// Sums grow to 16 RS_MLKEM_HALF = 26640 in the first four layers and are reduced in the fifth.
void rs_mlkem_inverse(int16_t *f) {
    static const uint32_t LAST[2] = {0, SCALE_ZETA};
    for (unsigned log = 1; log < LOG_SHORT; log++) layer(f, ZETAS, log, 1, 0);
    layer(f, ZETAS, 4, 1, 0);
    layer(f, ZETAS, 5, 1, RS_MLKEM_FACTOR(1));
    layer(f, ZETAS, 6, 1, 0);
    layer(f, LAST, 7, 1, SCALE);
}

// The bounds are those of dot_pair.
void rs_mlkem_dot(int16_t *out, const int16_t *a, const int16_t *b, uint32_t k) {
    const size_t vl = __riscv_vsetvl_e32m4(RS_MLKEM_N / 4);
    for (size_t i = 0; i < RS_MLKEM_N; i += 4 * vl) {
        const vuint32m4_t gamma = __riscv_vle32_v_u32m4(GAMMA + i / 4, vl);
        for (size_t at = i; at < i + 4; at += 2) {
            words_t low = __riscv_vmv_v_x_i32m4(0, vl), mixed = low, high = low;
            for (size_t j = at; j < at + RS_MLKEM_N * k; j += RS_MLKEM_N) {
                const vint16m2_t a0 = load(a + j, 4, vl), a1 = load(a + j + 1, 4, vl);
                const vint16m2_t b0 = load(b + j, 4, vl), b1 = load(b + j + 1, 4, vl);
                low = __riscv_vwmacc_vv_i32m4(low, a0, b0, vl);
                high = __riscv_vwmacc_vv_i32m4(high, a1, b1, vl);
                mixed = __riscv_vwmacc_vv_i32m4(__riscv_vwmacc_vv_i32m4(mixed, a0, b1, vl), a1, b0, vl);
            }
            const words_t t = mul(mul_one(high, RS_MLKEM_Q_INVERSE, vl), gamma, vl);
            low = at == i ? __riscv_vadd_vv_i32m4(low, t, vl) : __riscv_vsub_vv_i32m4(low, t, vl);
            store(out + at, 4, mul_one(low, RS_MLKEM_Q_INVERSE, vl), vl);
            store(out + at + 1, 4, mul_one(mixed, RS_MLKEM_Q_INVERSE, vl), vl);
        }
    }
}
