// SPDX-License-Identifier: Apache-2.0
// One ring at a time, modulo a prime below 2^30, in words of 32 bits by Montgomery's products: they need no quotients, so that the twiddles of
// a limb are two tables of about sqrt N words, made anew for each limb.
#include "lean/lean.h"

#define INLINE static inline __attribute__((always_inline))

rs_lean_mod_t rs_lean_mod(uint32_t q) {
    uint32_t inverse = q; // 3 bits are right, and twice as many after each step
    for (unsigned i = 0; i < 4; i++) inverse *= 2 - q * inverse;
    const uint32_t one = (uint32_t)(((uint64_t)1 << 32) % q);
    const uint32_t offset = (RS_LEAN_LIFT_MAX + q - 1) / q * q;
    return (rs_lean_mod_t){q, inverse, 0 - inverse, one, (uint32_t)((uint64_t)one * one % q), offset};
}

// Both in Montgomery's form; the exponent is public.
static uint32_t power(uint32_t base, uint32_t exponent, const rs_lean_mod_t *m) {
    uint32_t result = m->one;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = rs_lean_mul_full(result, base, m);
        base = rs_lean_mul_full(base, base, m);
    }
    return result;
}

static uint32_t to_montgomery(uint32_t a, const rs_lean_mod_t *m) { return rs_lean_mul_full(a, m->square, m); }

// Find one, walk through all N of them.
uint32_t rs_lean_root(uint32_t q, uint32_t log_n) {
    const rs_lean_mod_t m = rs_lean_mod(q);
    const uint32_t n = (uint32_t)1 << log_n;
    uint32_t root = 0;
    for (uint32_t base = 2;; base++) {
        root = power(to_montgomery(base, &m), (q - 1) >> (log_n + 1), &m);
        if (power(root, n, &m) == q - m.one) break;
    }
    const uint32_t square = rs_lean_mul_full(root, root, &m);
    uint32_t plain = rs_lean_mul_full(root, 1, &m);
    uint32_t smallest = plain;
    for (uint32_t i = 1; i < n; i++) {
        plain = rs_lean_mul_full(plain, square, &m);
        smallest = plain < smallest ? plain : smallest;
    }
    return smallest;
}

uint32_t rs_lean_inverse(uint32_t a, const rs_lean_mod_t *m) {
    return rs_lean_mul_full(power(to_montgomery(a, m), m->q - 2, m), 1, m);
}

// ---- twiddles: index i = high 2^h + low, h = ceil(log_n / 2), and brv(i) is the sum of the two parts' -------------------------------------
INLINE uint32_t low_bits(const rs_lean_t *lean) { return (lean->log_n + 1) / 2; }

rs_lean_mod_t rs_lean_load(rs_lean_t *lean, uint32_t q, uint32_t root) {
    const rs_lean_mod_t m = rs_lean_mod(q);
    const uint32_t h = low_bits(lean);
    const uint32_t psi = to_montgomery(root, &m);
    // entry brv(k) of `high` is psi^k, and of `low` psi^(k 2^(log_n - h))
    const uint32_t step = power(psi, (uint32_t)1 << (lean->log_n - h), &m);
    uint32_t up = m.one, down = m.one;
    for (uint32_t k = 0; k < (uint32_t)1 << h; k++) {
        lean->low[rs_bit_reverse(k, h)] = down;
        down = rs_lean_mul_full(down, step, &m);
        if (k >> (lean->log_n - h)) continue;
        lean->high[rs_bit_reverse(k, lean->log_n - h)] = up;
        up = rs_lean_mul_full(up, psi, &m);
    }
    return m;
}

INLINE uint32_t twiddle(const rs_lean_t *lean, uint32_t i, const rs_lean_mod_t *m) {
    const uint32_t h = low_bits(lean);
    const uint32_t low = lean->low[i & (((uint32_t)1 << h) - 1)];
    return i >> h ? rs_lean_mul_full(lean->high[i >> h], low, m) : low;
}

// ---- forward: (x, y) -> (x + w y, x - w y), words below 4q before and after -----------------------------------------------------------------
INLINE void forward2(uint32_t *p, uint32_t half, uint32_t w, const rs_lean_mod_t *m) {
    const uint32_t q2 = 2 * m->q;
    for (uint32_t j = 0; j < half; j++) {
        const uint32_t a = rs_lean_csub(p[j], q2), b = rs_lean_mul(p[j + half], w, m);
        p[j] = a + b;
        p[j + half] = a - b + q2;
    }
}

// Two stages.
INLINE void forward4(uint32_t *p, uint32_t quarter, uint32_t w1, uint32_t w2, uint32_t w3, const rs_lean_mod_t *m) {
    const uint32_t q2 = 2 * m->q;
    for (uint32_t *end = p + quarter; p < end; p++) {
        const uint32_t a = rs_lean_csub(p[0], q2), b = rs_lean_csub(p[quarter], q2);
        const uint32_t c = rs_lean_mul(p[2 * quarter], w1, m), d = rs_lean_mul(p[3 * quarter], w1, m);
        const uint32_t s = rs_lean_csub(a + c, q2), t = rs_lean_csub(a - c + q2, q2);
        const uint32_t u = rs_lean_mul(b + d, w2, m), v = rs_lean_mul(b - d + q2, w3, m);
        p[0] = s + u;
        p[quarter] = s - u + q2;
        p[2 * quarter] = t + v;
        p[3 * quarter] = t - v + q2;
    }
}

// Node B + block of the stages' tree is at X^(N/B) = w: an even block is the first half of what its parent's twiddle splits.
uint32_t rs_lean_block_root(const rs_lean_t *lean, uint32_t block, const rs_lean_mod_t *m) {
    const uint32_t w = twiddle(lean, (rs_lean_blocks(lean) + block) / 2, m);
    return block & 1 ? m->q - w : w;
}

void rs_lean_forward(const rs_lean_t *lean, uint32_t *x, uint32_t block, const rs_lean_mod_t *modulus) {
    const rs_lean_mod_t m = *modulus;
    const uint32_t n = (uint32_t)1 << lean->log_block, odd = lean->log_block & 1;
    uint32_t first = rs_lean_blocks(lean) + block, nodes = 1; // a stage's
    if (odd) {
        forward2(x, n / 2, twiddle(lean, first, &m), &m);
        first *= 2;
        nodes = 2;
    }
    for (uint32_t quarter = n >> (odd + 2); quarter; quarter /= 4, first *= 4, nodes *= 4) {
        for (uint32_t i = first; i < first + nodes; i++) {
            const uint32_t w1 = twiddle(lean, i, &m), w2 = twiddle(lean, 2 * i, &m), w3 = twiddle(lean, 2 * i + 1, &m);
            uint32_t *p = x + 4 * quarter * (i - first);
            if (quarter > 1) {
                forward4(p, quarter, w1, w2, w3, &m);
            } else {
                forward4(p, 1, w1, w2, w3, &m);
            }
        }
    }
}

// ---- backward: (x, y) -> (x + y, (y - x) w'), w' the forward twiddle at the mirrored place (arith/ntt.c), words below 2q -------------------
void rs_lean_backward(const rs_lean_t *lean, uint32_t *x, uint32_t factor, const rs_lean_mod_t *modulus) {
    const rs_lean_mod_t m = *modulus;
    const uint32_t n = rs_lean_n(lean), q2 = 2 * m.q;
    for (uint32_t blocks = n / 2, half = 1; blocks; blocks /= 2, half *= 2) {
        for (uint32_t i = 0; i < blocks; i++) {
            const uint32_t w = twiddle(lean, 2 * blocks - 1 - i, &m);
            uint32_t *p = x + 2 * half * i;
            for (uint32_t j = 0; j < half; j++) {
                const uint32_t a = p[j], b = p[j + half];
                p[j] = rs_lean_csub(a + b, q2);
                p[j + half] = rs_lean_mul(b - a + q2, w, &m);
            }
        }
    }
    const uint32_t n_inverse = m.q - ((m.q - 1) >> lean->log_n); // N times it is 1 + (N - 1) q
    const uint32_t scale = rs_lean_mul_full(to_montgomery(n_inverse, &m), factor, &m);
    for (uint32_t i = 0; i < n; i++) x[i] = rs_lean_mul_full(x[i], scale, &m);
}
