// SPDX-License-Identifier: Apache-2.0
// The passes, written once for vectors of LANES words. A back end defines before it includes this file:
//   INLINE, TARGET       attributes of helpers and of the table's functions
//   LOG_LANES, vec_t     a vector of 2^LOG_LANES words; sum_t: as many sums of 64 bits
//   up_t, carry_t, window_t  where the lanes of v_up, v_carry and v_window come from
//   v_*, s_*             the operations below
// Butterflies are Cooley-Tukey forwards and Gentleman-Sande backwards, twiddle factors in bit-reversed order; products with constants are
// Shoup's (quotients of 32 bits), sums of products are reduced by Montgomery with 2^32. Bounds: p < 2^31.
#include "kernels/kernels.h"

#include <string.h>

enum { LANES = 1 << LOG_LANES, BLOCK = LANES * LANES };

// x w mod p for any word x: x w - floor(x quotient / 2^32) p is in [0, 2p). odd: the quotients of odd lanes, where v_mulhi wants them.
INLINE vec_t shoup(vec_t x, vec_t w, vec_t quotient, vec_t odd, vec_t p) {
    const vec_t t = v_sub(v_mullo(x, w), v_mullo(v_mulhi(x, quotient, odd), p));
    return v_min(t, v_sub(t, p));
}

// w and its quotient are the same in all lanes
INLINE vec_t times(vec_t x, vec_t w, vec_t quotient, vec_t p) { return shoup(x, w, quotient, quotient, p); }

INLINE vec_t lane_times(vec_t x, const uint32_t *w, const uint32_t *quotients, vec_t p) {
    const vec_t quotient = v_load(quotients);
    return shoup(x, v_load(w), quotient, v_odd(quotient), p);
}

INLINE vec_t add_mod(vec_t a, vec_t b, vec_t p) {
    const vec_t s = v_add(a, b);
    return v_min(s, v_sub(s, p));
}

INLINE vec_t sub_mod(vec_t a, vec_t b, vec_t p) {
    const vec_t d = v_sub(a, b);
    return v_min(d, v_add(d, p));
}

// a - b modulo p in (0, 2p): below 2^32, so `times` takes it.
INLINE vec_t difference(vec_t a, vec_t b, vec_t p) { return v_add(v_sub(a, b), p); }

typedef struct twiddle {
    vec_t w, q;
} twiddle_t;

INLINE twiddle_t twiddle(const uint32_t *w, const uint32_t *q, size_t i) { return (twiddle_t){v_set(w[i]), v_set(q[i])}; }

// ---- two levels at once, s and s + 1, on blocks [from, to) of level s; each block has at least 4 LANES words ------------------
INLINE void forward_pass(const ltv_mod_t *mod, uint32_t *x, unsigned s, size_t from, size_t to) {
    const uint32_t *w = mod->roots[0], *q = mod->quotients[0];
    const vec_t p = v_set(mod->p);
    const size_t step = mod->points >> (s + 2);
    for (size_t i = from; i < to; i++) {
        const size_t k = ((size_t)1 << s) + i;
        const twiddle_t w1 = twiddle(w, q, k), w2 = twiddle(w, q, 2 * k), w3 = twiddle(w, q, 2 * k + 1);
        uint32_t *a = x + 4 * step * i;
        for (size_t j = 0; j < step; j += LANES) {
            const vec_t a0 = v_load(a + j), a1 = v_load(a + j + step);
            const vec_t a2 = times(v_load(a + j + 2 * step), w1.w, w1.q, p), a3 = times(v_load(a + j + 3 * step), w1.w, w1.q, p);
            const vec_t b0 = add_mod(a0, a2, p), b2 = sub_mod(a0, a2, p);
            const vec_t b1 = times(v_add(a1, a3), w2.w, w2.q, p), b3 = times(difference(a1, a3, p), w3.w, w3.q, p);
            v_store(a + j, add_mod(b0, b1, p));
            v_store(a + j + step, sub_mod(b0, b1, p));
            v_store(a + j + 2 * step, add_mod(b2, b3, p));
            v_store(a + j + 3 * step, sub_mod(b2, b3, p));
        }
    }
}

INLINE void inverse_pass(const ltv_mod_t *mod, uint32_t *x, unsigned s, size_t from, size_t to) {
    const uint32_t *w = mod->roots[1], *q = mod->quotients[1];
    const vec_t p = v_set(mod->p);
    const size_t step = mod->points >> (s + 2);
    for (size_t i = from; i < to; i++) {
        const size_t k = ((size_t)1 << s) + i;
        const twiddle_t w1 = twiddle(w, q, k), w2 = twiddle(w, q, 2 * k), w3 = twiddle(w, q, 2 * k + 1);
        uint32_t *a = x + 4 * step * i;
        for (size_t j = 0; j < step; j += LANES) {
            const vec_t a0 = v_load(a + j), a1 = v_load(a + j + step), a2 = v_load(a + j + 2 * step), a3 = v_load(a + j + 3 * step);
            const vec_t b0 = add_mod(a0, a1, p), b1 = times(difference(a0, a1, p), w2.w, w2.q, p);
            const vec_t b2 = add_mod(a2, a3, p), b3 = times(difference(a2, a3, p), w3.w, w3.q, p);
            v_store(a + j, add_mod(b0, b2, p));
            v_store(a + j + 2 * step, times(difference(b0, b2, p), w1.w, w1.q, p));
            v_store(a + j + step, add_mod(b1, b3, p));
            v_store(a + j + 3 * step, times(difference(b1, b3, p), w1.w, w1.q, p));
        }
    }
}

// ---- the last LOG_LANES levels on one block of LANES x LANES words: after a transposition each butterfly has its operands in two
// registers, and lane r is group r. The words stay transposed: the inverse begins with them so.
#if LOG_LANES > 0
INLINE void lane_levels(const ltv_mod_t *mod, uint32_t *x, size_t block) {
    const vec_t p = v_set(mod->p);
    const uint32_t *w = mod->lane_roots[0] + block * (LANES - 1) * LANES, *q = mod->lane_quotients[0] + block * (LANES - 1) * LANES;
    vec_t r[LANES];
    uint32_t *y = x + block * BLOCK;
    for (int i = 0; i < LANES; i++) r[i] = v_load(y + i * LANES);
    v_transpose(r);
    UNROLL
    for (int s = 0; s < LOG_LANES; s++) {
        const int half = LANES >> (s + 1);
        UNROLL
        for (int i = 0; i < LANES / 2; i++) {
            const int group = i / half, a = group * 2 * half + i % half, k = (1 << s) - 1 + group;
            const vec_t t = lane_times(r[a + half], w + k * LANES, q + k * LANES, p), u = r[a];
            r[a] = add_mod(u, t, p);
            r[a + half] = sub_mod(u, t, p);
        }
    }
    for (int i = 0; i < LANES; i++) v_store(y + i * LANES, r[i]);
}

INLINE void inverse_lane_levels(const ltv_mod_t *mod, uint32_t *x, size_t block) {
    const vec_t p = v_set(mod->p);
    const uint32_t *w = mod->lane_roots[1] + block * (LANES - 1) * LANES, *q = mod->lane_quotients[1] + block * (LANES - 1) * LANES;
    vec_t r[LANES];
    uint32_t *y = x + block * BLOCK;
    for (int i = 0; i < LANES; i++) r[i] = v_load(y + i * LANES);
    UNROLL
    for (int s = LOG_LANES - 1; s >= 0; s--) {
        const int half = LANES >> (s + 1);
        UNROLL
        for (int i = 0; i < LANES / 2; i++) {
            const int group = i / half, a = group * 2 * half + i % half, k = (1 << s) - 1 + group;
            const vec_t u = r[a], t = r[a + half];
            r[a] = add_mod(u, t, p);
            r[a + half] = lane_times(difference(u, t, p), w + k * LANES, q + k * LANES, p);
        }
    }
    v_transpose(r);
    for (int i = 0; i < LANES; i++) v_store(y + i * LANES, r[i]);
}
#else
INLINE void lane_levels(const ltv_mod_t *mod, uint32_t *x, size_t block) {
    (void)mod;
    (void)x;
    (void)block;
}
INLINE void inverse_lane_levels(const ltv_mod_t *mod, uint32_t *x, size_t block) {
    (void)mod;
    (void)x;
    (void)block;
}
#endif

INLINE void mac_piece(const ltv_mod_t *mod, const uint32_t *x, const ltv_mac_t *mac, size_t from, size_t to) {
    const wide_t limit = s_set((uint64_t)mod->p << 32);
    for (size_t j = from; j < to; j += LANES) {
        sum_t sum = s_mul(v_load(x + j), v_load(mac->key + j));
        if (!mac->first) sum = s_add(sum, s_load(mac->sums + j));
        if (mac->fold) sum = s_fold(sum, limit);
        s_store(mac->sums + j, sum);
    }
}

// From here on: levels [from, log_points) in pieces that fit the first cache.
enum { LOG_PIECE_MAX = 13 };

INLINE void forward_rest(const ltv_mod_t *mod, uint32_t *x, unsigned from, const ltv_mac_t *mac) {
    const unsigned end = mod->log_points - LOG_LANES;
    unsigned pieces_log = 0;
    if (mod->log_points > LOG_PIECE_MAX) {
        forward_pass(mod, x, from, 0, (size_t)1 << from);
        from += 2;
        pieces_log = from;
    }
    const size_t words = mod->points >> pieces_log, blocks = words / BLOCK;
    for (size_t piece = 0; piece < (size_t)1 << pieces_log; piece++) {
        for (unsigned s = from; s < end; s += 2) {
            const size_t count = ((size_t)1 << s) >> pieces_log;
            forward_pass(mod, x, s, piece * count, (piece + 1) * count);
        }
        for (size_t block = piece * blocks; LOG_LANES && block < (piece + 1) * blocks; block++) lane_levels(mod, x, block);
        if (mac) mac_piece(mod, x, mac, piece * words, (piece + 1) * words);
    }
}

// The upper half of the coefficients is zero: the first level copies, and the second one needs a product for half of the words.
#define FORWARD(name, word_t, load)                                                                      \
    TARGET static void name(const ltv_mod_t *mod, const word_t *in, uint32_t *x, const ltv_mac_t *mac) { \
        const size_t half = mod->points / 2, quarter = half / 2;                                         \
        if ((mod->log_points - LOG_LANES) % 2) {                                                         \
            for (size_t j = 0; j < half; j += LANES) {                                                   \
                const vec_t a = load(in + j);                                                            \
                v_store(x + j, a);                                                                       \
                v_store(x + j + half, a);                                                                \
            }                                                                                            \
            forward_rest(mod, x, 1, mac);                                                                \
            return;                                                                                      \
        }                                                                                                \
        const twiddle_t w = twiddle(mod->roots[0], mod->quotients[0], 3);                                \
        const vec_t p = v_set(mod->p);                                                                   \
        for (size_t j = 0; j < quarter; j += LANES) {                                                    \
            const vec_t a = load(in + j), b = load(in + j + quarter), c = times(b, w.w, w.q, p);         \
            v_store(x + j, add_mod(a, b, p));                                                            \
            v_store(x + j + quarter, sub_mod(a, b, p));                                                  \
            v_store(x + j + half, add_mod(a, c, p));                                                     \
            v_store(x + j + half + quarter, sub_mod(a, c, p));                                           \
        }                                                                                                \
        forward_rest(mod, x, 2, mac);                                                                    \
    }
FORWARD(forward, uint32_t, v_load)
FORWARD(forward_digits, uint16_t, v_load16)

TARGET static void inverse(const ltv_mod_t *mod, uint32_t *x) {
    const unsigned end = mod->log_points - LOG_LANES;
    const unsigned single = end % 2; // level 0 alone
    const unsigned pieces_log = mod->log_points > LOG_PIECE_MAX ? 2 + single : 0;
    const size_t blocks = mod->points / BLOCK >> pieces_log;
    const unsigned low = pieces_log ? pieces_log : single;
    for (size_t piece = 0; piece < (size_t)1 << pieces_log; piece++) {
        for (size_t block = piece * blocks; LOG_LANES && block < (piece + 1) * blocks; block++) inverse_lane_levels(mod, x, block);
        for (unsigned s = end; s > low; s -= 2) {
            const size_t count = ((size_t)1 << (s - 2)) >> pieces_log;
            inverse_pass(mod, x, s - 2, piece * count, (piece + 1) * count);
        }
    }
    for (unsigned s = low; s > single; s -= 2) inverse_pass(mod, x, s - 2, 0, (size_t)1 << (s - 2));
    if (!single) return;
    const vec_t p = v_set(mod->p);
    const size_t half = mod->points / 2;
    for (size_t j = 0; j < half; j += LANES) {
        const vec_t a = v_load(x + j), b = v_load(x + j + half);
        v_store(x + j, add_mod(a, b, p));
        v_store(x + j + half, sub_mod(a, b, p));
    }
}

TARGET static void scale(const ltv_mod_t *mod, uint32_t *x, const uint32_t *in, size_t n, ltv_scalar_t scalar) {
    const vec_t p = v_set(mod->p), w = v_set(scalar.value), q = v_set(scalar.quotient);
    for (size_t j = 0; j < n; j += LANES) v_store(x + j, times(v_load(in + j), w, q, p));
}

TARGET static void multiply(const ltv_mod_t *mod, uint32_t *x, const uint32_t *y, size_t n) {
    const vec_t p = v_set(mod->p), inverse32 = v_set(mod->inverse32);
    for (size_t j = 0; j < n; j += LANES) v_store(x + j, s_redc(s_mul(v_load(x + j), v_load(y + j)), inverse32, p));
}

TARGET static void settle(const ltv_mod_t *mod, uint32_t *x, const uint64_t *sums, size_t n) {
    const vec_t p = v_set(mod->p), inverse32 = v_set(mod->inverse32);
    for (size_t j = 0; j < n; j += LANES) v_store(x + j, s_redc(s_load(sums + j), inverse32, p));
}

TARGET static void add(const ltv_mod_t *mod, uint32_t *x, const uint32_t *y, size_t n) {
    const vec_t p = v_set(mod->p);
    for (size_t j = 0; j < n; j += LANES) v_store(x + j, add_mod(v_load(x + j), v_load(y + j), p));
}

TARGET static void bilinear(const ltv_mod_t *mod, const ltv_forms_t *forms, const uint32_t *const *left,
                            const uint32_t *const *right, uint32_t *const *out, size_t n) {
    const vec_t p = v_set(mod->p), inverse32 = v_set(mod->inverse32);
    const wide_t limit = s_set((uint64_t)mod->p << 32);
    for (size_t j = 0; j < n; j += LANES) {
        vec_t sums[1 << LTV_RIGHT_MAX]; // sums of each subset of the right operands
        sums[0] = v_set(0);
        for (unsigned set = 1; set < 1u << forms->right; set++) {
            const unsigned rest = set & (set - 1);
            const vec_t one = rest ? sums[set ^ rest] : v_load(right[__builtin_ctz(set)] + j);
            sums[set] = rest ? add_mod(sums[rest], one, p) : one;
        }
        for (unsigned k = 0; k < forms->count; k++) {
            sum_t sum = s_zero();
            unsigned products = 0;
            for (unsigned i = 0; i < forms->left; i++) {
                if (!forms->mask[k][i]) continue;
                sum = s_add(sum, s_mul(v_load(left[i] + j), sums[forms->mask[k][i]]));
                if (products++ % 2) sum = s_fold(sum, limit);
            }
            v_store(out[k] + j, s_redc(sum, inverse32, p));
        }
    }
}

// ---- power series ------------------------------------------------------------------------
INLINE uint32_t word_add(uint32_t a, uint32_t b, uint32_t p) {
    const uint32_t s = a + b;
    return s < p ? s : s - p;
}

// x[-late], x[1 - late], ..: those before x are zero
INLINE vec_t v_late(const uint32_t *x, size_t late) {
    uint32_t words[LANES] = {0};
    for (size_t k = late; k < LANES; k++) words[k] = x[k - late];
    return v_load(words);
}

// x (1 - X^up), words i to i + LANES - 1
INLINE vec_t series_up(const uint32_t *x, size_t i, size_t up, vec_t p) {
    const vec_t word = v_load(x + i);
    if (i >= up) return sub_mod(word, v_load(x + i - up), p);
    return i + LANES > up ? sub_mod(word, v_late(x, up - i), p) : word;
}

#if LOG_LANES > 0
// Down by less than a vector: sums within it by doubling distances, `doublings` of them, and what the vector before it carries.
INLINE void series_near(uint32_t *y, const uint32_t *x, size_t n, size_t up, size_t down, vec_t p, const int doublings) {
    const carry_t carried = v_carry_of(down);
    up_t ups[LOG_LANES];
    for (int k = 0; k < doublings; k++) ups[k] = v_up_of(down << k);
    vec_t last = v_set(0);
    for (size_t i = 0; i < n; i += LANES) {
        vec_t word = series_up(x, i, up, p);
        UNROLL
        for (int k = 0; k < doublings; k++) word = add_mod(word, v_up(word, ups[k]), p);
        last = add_mod(word, v_carry(last, carried), p);
        v_store(y + i, last);
    }
}
#endif

// Down by less than two vectors: the last two are at hand, where a load would wait for the stores before it.
INLINE void series_next(uint32_t *y, const uint32_t *x, size_t n, size_t up, size_t down, vec_t p) {
    const window_t window = v_window_of(2 * LANES - down);
    vec_t older = v_set(0), newer = v_set(0);
    for (size_t i = 0; i < n; i += LANES) {
        const vec_t word = add_mod(series_up(x, i, up, p), v_window(older, newer, window), p);
        older = newer;
        newer = word;
        v_store(y + i, word);
    }
}

INLINE void series_far(uint32_t *y, const uint32_t *x, size_t n, size_t up, size_t down, vec_t p) {
    for (size_t i = 0; i < n; i += LANES) {
        vec_t word = series_up(x, i, up, p);
        if (i >= down)
            word = add_mod(word, v_load(y + i - down), p);
        else if (i + LANES > down)
            word = add_mod(word, v_late(y, down - i), p);
        v_store(y + i, word);
    }
}

// y = x (1 - X^up) / (1 - X^down), truncated to n words: y[i] = x[i] - x[i - up] + y[i - down]. n is a multiple of LANES. up or down may
// be n or more: no such factor.
INLINE void series_ratio(uint32_t *y, const uint32_t *x, size_t n, size_t up, size_t down, uint32_t prime) {
    const vec_t p = v_set(prime);
    if (down >= 2 * LANES) {
        series_far(y, x, n, up, down, p);
    } else if (down >= LANES) {
        series_next(y, x, n, up, down, p);
    }
#if LOG_LANES > 0
    else if (2 * down >= LANES) {
        series_near(y, x, n, up, down, p, 1);
    } else if (4 * down >= LANES) {
        series_near(y, x, n, up, down, p, 2);
    } else {
        series_near(y, x, n, up, down, p, LOG_LANES);
    }
#endif
}

// (1 - X^d) of all factors with inverse == up, over those of all others, of words in a; b is scratch. Returns where they are.
INLINE uint32_t *series(const ltv_ring_t *ring, uint32_t *a, uint32_t *b, size_t n, uint32_t up, uint32_t p) {
    for (uint32_t i = 0, j = 0; i < ring->factor_count || j < ring->factor_count; i++, j++) {
        while (i < ring->factor_count && (ring->factors[i].inverse != up || ring->factors[i].degree >= n)) i++;
        while (j < ring->factor_count && (ring->factors[j].inverse == up || ring->factors[j].degree >= n)) j++;
        const size_t over = i < ring->factor_count ? ring->factors[i].degree : n;
        const size_t under = j < ring->factor_count ? ring->factors[j].degree : n;
        if (over == n && under == n) break;
        series_ratio(b, a, n, over, under, p);
        uint32_t *done = b;
        b = a;
        a = done;
    }
    return a;
}

// x = quotient Phi + remainder. The quotient is the power series of x / Phi in 1/X, so of the reversed polynomials; Phi is a product of
// (1 - X^d)^(+-1), and m is odd and not 1, so that Phi reversed is Phi.
TARGET static void reduce(const ltv_ring_t *ring, const ltv_mod_t *mod, uint32_t *x, uint32_t *scratch) {
    const size_t n = ring->n;
    const uint32_t p = mod->p;
    size_t top = 2 * n - 1;
    if (top > ring->m) { // X^m = 1
        for (size_t i = ring->m; i < top; i++) x[i - ring->m] = word_add(x[i - ring->m], x[i], p);
        top = ring->m;
    }
    const size_t count = top - n, padded = (count + LTV_PAD - 1) / LTV_PAD * LTV_PAD;
    uint32_t *a = scratch, *b = scratch + n + LTV_PAD;
    for (size_t i = 0; i < count; i++) a[i] = x[top - 1 - i];
    memset(a + count, 0, (padded - count) * sizeof *a);
    const uint32_t *quotient = series(ring, a, b, padded, 1, p);
    uint32_t *product = quotient == a ? b : a;
    for (size_t i = 0; i < count; i++) product[count - 1 - i] = quotient[i];
    memset(product + count, 0, (n - count) * sizeof *product);
    product = series(ring, product, product == a ? b : a, n, 0, p);
    const vec_t vp = v_set(p);
    for (size_t i = 0; i < n; i += LANES) v_store(x + i, sub_mod(v_load(x + i), v_load(product + i), vp));
}

// ---- division by a prime, and the other direction -------------------------------------------------------------------------------
TARGET static void even(uint32_t p, int32_t *out, const uint32_t *x, size_t n) {
    const vec_t vp = v_set(p), one = v_set(1), zero = v_set(0);
    for (size_t j = 0; j < n; j += LANES) {
        const vec_t a = v_load(x + j);
        v_store((uint32_t *)(out + j), v_sub(a, v_and(vp, v_sub(zero, v_and(a, one)))));
    }
}

TARGET static void divide(const ltv_mod_t *mod, uint32_t *x, const int32_t *delta, size_t n, ltv_scalar_t scalar) {
    const vec_t p = v_set(mod->p), w = v_set(scalar.value), q = v_set(scalar.quotient);
    for (size_t j = 0; j < n; j += LANES) {
        const vec_t d = v_load((const uint32_t *)(delta + j));
        const vec_t positive = v_min(d, v_add(d, p)); // a negative delta is a large word
        v_store(x + j, times(sub_mod(v_load(x + j), positive, p), w, q, p));
    }
}

TARGET static void combine(const ltv_mod_t *mod, uint32_t *out, const uint32_t *const *y, const uint32_t *weights, uint32_t count,
                           size_t n) {
    const vec_t p = v_set(mod->p), inverse32 = v_set(mod->inverse32);
    const wide_t limit = s_set((uint64_t)mod->p << 32);
    for (size_t j = 0; j < n; j += LANES) {
        sum_t sum = s_mul_all(v_load(y[0] + j), v_set(weights[0]));
        for (uint32_t k = 1; k < count; k++) {
            sum = s_add(sum, s_mul_all(v_load(y[k] + j), v_set(weights[k])));
            if (k % 2) sum = s_fold(sum, limit);
        }
        v_store(out + j, s_redc(s_fold(sum, limit), inverse32, p));
    }
}

// x = sum of y_i Q / p_i - f Q with y_i = x_i (Q / p_i)^-1 mod p_i and f = floor(sum of y_i / p_i). The fixed point of 58 bits makes f too
// small by one in about 3 of 10^7 words; x is below Q (1 + 2^-21) then, which fits the digits. Sums of a digit: |.| < 2^40.
TARGET static void digits(const ltv_crt_t *crt, const ltv_mod_t *const *mods, const uint32_t *const *rows, uint16_t *out,
                          size_t n) {
    enum { BIAS_LOG = 40 };
    const wide_t bias = s_set((uint64_t)1 << BIAS_LOG), back = s_set((uint64_t)1 << (BIAS_LOG - LTV_WINDOW_BITS));
    for (size_t j = 0; j < n; j += LANES) {
        vec_t y[LTV_PRIMES_MAX];
        sum_t fraction = s_zero();
        for (uint32_t i = 0; i < crt->primes; i++) {
            y[i] = times(v_load(rows[i] + j), v_set(crt->inverse[i].value), v_set(crt->inverse[i].quotient), v_set(mods[i]->p));
            fraction = s_add(fraction, s_mul_all(y[i], v_set((uint32_t)crt->reciprocal[i])));
        }
        const vec_t multiple = s_low(s_shift(fraction, 58));
        sum_t carry = s_zero();
        for (uint32_t t = 0; t < crt->digits; t++) {
            const uint32_t *cofactors = crt->cofactors + (size_t)t * crt->primes;
            sum_t sum = s_sub(s_add_all(carry, bias), s_mul_all(multiple, v_set(crt->modulus[t])));
            for (uint32_t i = 0; i < crt->primes; i++) sum = s_add(sum, s_mul_all(y[i], v_set(cofactors[i])));
            v_store16(out + (size_t)t * n + j, s_low(sum));
            carry = s_sub_all(s_shift(sum, LTV_WINDOW_BITS), back);
        }
    }
}

#define TABLE(name, is_available)                                                          \
    {name,   LOG_LANES, is_available, forward, forward_digits, inverse, scale,   multiply, \
     settle, add,       bilinear,     reduce,  even,           divide,  combine, digits}
