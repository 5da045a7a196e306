// SPDX-License-Identifier: Apache-2.0
// Residues as doubles, two in a vector of WebAssembly's relaxed SIMD. Exact for every input, if the engine fuses (rs_wasm_fused).
//
// A product xw mod q: h = xw rounded, l = xw - h, which a fused product gives exactly; c is the integer nearest to h/q; h - cq and l are
// integers below 2^53, so r = (h - cq) + l is exact and = xw mod q. The roundings of h and of 1/q move h/q by |xw/q| 2^-52 at most.
// Twiddles and constant factors are centred, |w| <= q/2, so |xw/q| <= |x|/2, and in units of q: |r| <= 1/2 + |x| 2^-53.
// Adding MAGIC makes an integer of |xw/q| < 2^51: |x| has to stay below 2^52, which is 16q for q < 2^48 and 4q for q < 2^50 ("wide").
//
// All numbers are integers, but for 1/q and what becomes an integer with MAGIC: no subnormals, whatever the operands.
#include "wasm/wasm.h"

#ifdef RS_WASM_SIMD
#include <wasm_simd128.h>

#ifdef __FAST_MATH__
#error "exact arithmetic in doubles: build without -ffast-math"
#endif

#define INLINE static inline __attribute__((always_inline))

enum { LOG_PART = 12 }; // words of a part, 32 KiB: a transform goes through all of memory once or twice, then part by part

typedef v128_t pair_t;
typedef double __attribute__((vector_size(16))) doubles_t; // what the compiler's own functions take: old headers lack these two
#define wasm_f64x2_relaxed_madd(a, b, c) \
    ((pair_t)__builtin_wasm_relaxed_madd_f64x2((doubles_t)(a), (doubles_t)(b), (doubles_t)(c)))
#define wasm_f64x2_relaxed_nmadd(a, b, c) \
    ((pair_t)__builtin_wasm_relaxed_nmadd_f64x2((doubles_t)(a), (doubles_t)(b), (doubles_t)(c)))
static const double MAGIC = 6755399441055744.0; // 1.5 2^52
static const double TWO52 = 4503599627370496.0;

typedef struct constants {
    pair_t q;
    pair_t inverse; // 1/q rounded
    pair_t half; // (q - 1) / 2
    pair_t magic;
    pair_t two52;
    int wide; // q may exceed 2^48; known where this is compiled
} constants_t;

INLINE pair_t both(double x) {
    return wasm_f64x2_splat(x);
}

INLINE constants_t constants(const rs_limb_t *limb, int wide) {
    const uint64_t q = limb->modulus.q;
    return (constants_t){both((double)q), both(1 / (double)q), both((double)(q / 2)), both(MAGIC), both(TWO52), wide};
}

INLINE size_t length(const rs_limb_t *limb) {
    return (size_t)1 << limb->log_n;
}

INLINE pair_t add(pair_t x, pair_t y) {
    return wasm_f64x2_add(x, y);
}

INLINE pair_t sub(pair_t x, pair_t y) {
    return wasm_f64x2_sub(x, y);
}

// The integers nearest to x/q, |x/q| < 2^51.
INLINE pair_t quotients(pair_t x, const constants_t *k) {
    return sub(wasm_f64x2_relaxed_madd(x, k->inverse, k->magic), k->magic);
}

// x mod q, at most 1/2 + |x/q| 2^-53 in units of q, for integers x below 2^53 or with fewer significant bits than 54.
INLINE pair_t centred(pair_t x, const constants_t *k) {
    return wasm_f64x2_relaxed_nmadd(quotients(x, k), k->q, x);
}

INLINE pair_t times(pair_t x, pair_t w, const constants_t *k) {
    const pair_t h = wasm_f64x2_mul(x, w);
    const pair_t minus_l = wasm_f64x2_relaxed_nmadd(x, w, h);
    return sub(wasm_f64x2_relaxed_nmadd(quotients(h, k), k->q, h), minus_l);
}

// ---- memory ------------------------------------------------------------------------------------------------------------
// A polynomial on its way is doubles in the place of its words.
INLINE pair_t load(const uint64_t *p) {
    return wasm_v128_load(p);
}

INLINE void store(uint64_t *p, pair_t x) {
    wasm_v128_store(p, x);
}

// Words below 2^52 are the mantissa of 2^52 + word.
INLINE pair_t as_doubles(pair_t words, const constants_t *k) {
    return sub(wasm_v128_or(words, k->two52), k->two52);
}

INLINE pair_t load_words(const uint64_t *p, const constants_t *k) {
    return as_doubles(load(p), k);
}

// Integers |x| < 2^51 q -> reduced words. A remainder is at most half of q, but for its quotient's rounding, and an integer: q more makes
// negative ones reduced.
INLINE void store_words(uint64_t *p, pair_t x, const constants_t *k) {
    const pair_t r = centred(x, k);
    const pair_t reduced = add(r, wasm_v128_and(k->q, wasm_f64x2_lt(r, both(0))));
    store(p, wasm_v128_xor(add(reduced, k->two52), k->two52));
}

INLINE pair_t load_small(const int8_t *p) {
    return wasm_f64x2_make(p[0], p[1]);
}

// Two words of residues, centred.
INLINE pair_t centred_words(pair_t words, const constants_t *k) {
    const pair_t w = as_doubles(words, k);
    return sub(w, wasm_v128_and(k->q, wasm_f64x2_gt(w, k->half)));
}

INLINE pair_t factor(uint64_t word, const constants_t *k) {
    return centred_words(wasm_u64x2_splat(word), k);
}

INLINE pair_t twiddle(const rs_limb_t *limb, size_t i, const constants_t *k) {
    return factor(((const uint64_t *)limb->twiddles)[i], k);
}

// Four pairs: what two stages work on.
typedef struct quad {
    pair_t a;
    pair_t b;
    pair_t c;
    pair_t d;
} quad_t;

INLINE quad_t load_quad(const uint64_t *p, size_t gap) {
    return (quad_t){load(p), load(p + gap), load(p + 2 * gap), load(p + 3 * gap)};
}

INLINE void store_quad(uint64_t *p, size_t gap, quad_t v) {
    store(p, v.a);
    store(p + gap, v.b);
    store(p + 2 * gap, v.c);
    store(p + 3 * gap, v.d);
}

// Eight words in order <-> the same place of two blocks of four in each pair.
INLINE quad_t by_place(quad_t v) {
    return (quad_t){wasm_i64x2_shuffle(v.a, v.c, 0, 2), wasm_i64x2_shuffle(v.a, v.c, 1, 3), wasm_i64x2_shuffle(v.b, v.d, 0, 2),
                    wasm_i64x2_shuffle(v.b, v.d, 1, 3)};
}

INLINE quad_t by_block(quad_t v) {
    return (quad_t){wasm_i64x2_shuffle(v.a, v.b, 0, 2), wasm_i64x2_shuffle(v.c, v.d, 0, 2), wasm_i64x2_shuffle(v.a, v.b, 1, 3),
                    wasm_i64x2_shuffle(v.c, v.d, 1, 3)};
}

// ---- forward -----------------------------------------------------------------------------------------------------------
// A stage maps (x, y) to (x + wy, x - wy). Not wide: from |x| <= q on, a stage adds (1/2 + |x|/32) q, so that after 17 it is below 13q.
// Small numbers and messages begin at q/2 + 21 < q. Wide: all four are centred before two stages, which leave 1.7q.
INLINE quad_t forward4(quad_t v, pair_t w1, pair_t w2, pair_t w3, const constants_t *k) {
    if (k->wide) v = (quad_t){centred(v.a, k), centred(v.b, k), centred(v.c, k), centred(v.d, k)};
    const pair_t c = times(v.c, w1, k);
    const pair_t d = times(v.d, w1, k);
    const pair_t s = add(v.a, c);
    const pair_t t = sub(v.a, c);
    const pair_t u = times(add(v.b, d), w2, k);
    const pair_t z = times(sub(v.b, d), w3, k);
    return (quad_t){add(s, u), sub(s, u), add(t, z), sub(t, z)};
}

// What a transform begins with: words, or small numbers, or a message and small numbers.
typedef struct source {
    const uint64_t *words;
    const int8_t *small;
    const double *message; // |message| < 2^61, q > 2^10
} source_t;

INLINE pair_t take(source_t from, size_t i, const constants_t *k) {
    if (from.words) return load_words(from.words + i, k);
    const pair_t small = load_small(from.small + i);
    return from.message ? add(centred(wasm_v128_load(from.message + i), k), small) : small;
}

// The first stage, or the first two, so that the others come in pairs.
INLINE void forward_first(const rs_limb_t *limb, uint64_t *poly, source_t from, const constants_t *k) {
    const pair_t w1 = twiddle(limb, 1, k);
    if (limb->log_n & 1) {
        const size_t half = length(limb) / 2;
        for (size_t i = 0; i < half; i += 2) {
            const pair_t x = take(from, i, k);
            const pair_t y = times(take(from, i + half, k), w1, k);
            store(poly + i, add(x, y));
            store(poly + i + half, sub(x, y));
        }
        return;
    }
    const size_t gap = length(limb) / 4;
    const pair_t w2 = twiddle(limb, 2, k);
    const pair_t w3 = twiddle(limb, 3, k);
    for (size_t i = 0; i < gap; i += 2) {
        const quad_t v = {take(from, i, k), take(from, i + gap, k), take(from, i + 2 * gap, k), take(from, i + 3 * gap, k)};
        store_quad(poly + i, gap, forward4(v, w1, w2, w3, k));
    }
}

// Two stages of `count` blocks of 4 gap words, gap even; the first block has twiddle `node` of the first stage.
INLINE void forward_pass(const rs_limb_t *limb, uint64_t *x, size_t node, size_t count, size_t gap, const constants_t *k) {
    for (size_t i = node; i < node + count; i++, x += 4 * gap) {
        const pair_t w1 = twiddle(limb, i, k);
        const pair_t w2 = twiddle(limb, 2 * i, k);
        const pair_t w3 = twiddle(limb, 2 * i + 1, k);
        for (size_t j = 0; j < gap; j += 2) store_quad(x + j, gap, forward4(load_quad(x + j, gap), w1, w2, w3, k));
    }
}

// The product of words that a result gets, or not.
typedef enum sign { NOTHING, ADD, SUBTRACT } sign_t;
typedef struct addend {
    sign_t sign;
    const uint64_t *a;
    const uint64_t *b;
} addend_t;

// |ab/q| < q <= 2^50: at most 3q/4.
INLINE pair_t product(const uint64_t *a, const uint64_t *b, const constants_t *k) {
    return times(load_words(a, k), load_words(b, k), k);
}

INLINE void store_sum(uint64_t *p, pair_t x, addend_t y, size_t i, const constants_t *k) {
    if (y.sign == ADD) x = add(x, product(y.a + i, y.b + i, k));
    if (y.sign == SUBTRACT) x = sub(x, product(y.a + i, y.b + i, k));
    store_words(p, x, k);
}

// The last two stages of `words` words from `from` on: blocks of four, two at once.
INLINE void forward_last(const rs_limb_t *limb, uint64_t *poly, size_t from, size_t words, addend_t y, const constants_t *k) {
    const uint64_t *table = limb->twiddles;
    for (size_t at = from; at < from + words; at += 8) {
        const size_t i = (length(limb) + at) / 4;
        const pair_t even = load(table + 2 * i);
        const pair_t odd = load(table + 2 * i + 2);
        const pair_t w1 = centred_words(load(table + i), k);
        const pair_t w2 = centred_words(wasm_i64x2_shuffle(even, odd, 0, 2), k);
        const pair_t w3 = centred_words(wasm_i64x2_shuffle(even, odd, 1, 3), k);
        const quad_t v = by_block(forward4(by_place(load_quad(poly + at, 2)), w1, w2, w3, k));
        store_sum(poly + at, v.a, y, at, k);
        store_sum(poly + at + 2, v.b, y, at + 2, k);
        store_sum(poly + at + 4, v.c, y, at + 4, k);
        store_sum(poly + at + 6, v.d, y, at + 6, k);
    }
}

INLINE void forward(const rs_limb_t *limb, uint64_t *poly, source_t from, addend_t y, int wide) {
    const constants_t constant = constants(limb, wide);
    const constants_t *k = &constant;
    if (from.message) {
        forward_first(limb, poly, (source_t){NULL, from.small, from.message}, k);
    } else if (from.small) {
        forward_first(limb, poly, (source_t){NULL, from.small, NULL}, k);
    } else {
        forward_first(limb, poly, (source_t){poly, NULL, NULL}, k);
    }
    unsigned log_blocks = limb->log_n & 1 ? 1 : 2;
    for (; limb->log_n - log_blocks > LOG_PART; log_blocks += 2) {
        const size_t blocks = (size_t)1 << log_blocks;
        forward_pass(limb, poly, blocks, blocks, length(limb) / blocks / 4, k);
    }
    const size_t parts = (size_t)1 << log_blocks;
    const size_t words = length(limb) / parts;
    for (size_t part = 0; part < parts; part++) {
        size_t node = parts + part;
        size_t count = 1;
        for (size_t gap = words / 4; gap > 1; gap /= 4, node *= 4, count *= 4) {
            forward_pass(limb, poly + part * words, node, count, gap, k);
        }
        if (y.sign == ADD) {
            forward_last(limb, poly, part * words, words, (addend_t){ADD, y.a, y.b}, k);
        } else if (y.sign == SUBTRACT) {
            forward_last(limb, poly, part * words, words, (addend_t){SUBTRACT, y.a, y.b}, k);
        } else {
            forward_last(limb, poly, part * words, words, (addend_t){NOTHING, NULL, NULL}, k);
        }
    }
}

// ---- inverse -----------------------------------------------------------------------------------------------------------
// A stage maps (x, y) to (x + y, (y - x) w'), w' the mirrored forward twiddle (arith/ntt.c). Between passes |x| <= 3q/2 (not wide), of
// which sums of four and their differences stay below 6q; wide: sums of two are centred, so that |x| <= q, and 2q is multiplied at most.
INLINE quad_t inverse4(quad_t v, pair_t w2, pair_t w3, pair_t w1, const constants_t *k) {
    pair_t s = add(v.a, v.b);
    pair_t u = add(v.c, v.d);
    if (k->wide) {
        s = centred(s, k);
        u = centred(u, k);
    }
    const pair_t t = times(sub(v.b, v.a), w2, k);
    const pair_t z = times(sub(v.d, v.c), w3, k);
    const pair_t sum = add(s, u);
    const pair_t next = add(t, z);
    return (quad_t){k->wide ? sum : centred(sum, k), k->wide ? centred(next, k) : next, times(sub(u, s), w1, k),
                    times(sub(z, t), w1, k)};
}

// forward_pass's counterpart for the blocks from `first` on of `blocks`.
INLINE void inverse_pass(const rs_limb_t *limb, uint64_t *x, size_t blocks, size_t first, size_t count, size_t gap,
                         const constants_t *k) {
    for (size_t i = first; i < first + count; i++, x += 4 * gap) {
        const pair_t w2 = twiddle(limb, 4 * blocks - 1 - 2 * i, k);
        const pair_t w3 = twiddle(limb, 4 * blocks - 2 - 2 * i, k);
        const pair_t w1 = twiddle(limb, 2 * blocks - 1 - i, k);
        for (size_t j = 0; j < gap; j += 2) store_quad(x + j, gap, inverse4(load_quad(x + j, gap), w2, w3, w1, k));
    }
}

// Words in, doubles out: blocks of four, two at once. Their twiddles run backwards.
INLINE void inverse_first(const rs_limb_t *limb, uint64_t *poly, size_t from, size_t words, const constants_t *k) {
    const uint64_t *table = limb->twiddles;
    for (size_t at = from; at < from + words; at += 8) {
        const size_t i = at / 4;
        const pair_t fine = load(table + length(limb) - 2 - 2 * i); // twiddles 4 blocks - 2 - 2i and the one after it; blocks = N/4
        const pair_t next = load(table + length(limb) - 4 - 2 * i);
        const pair_t coarse = load(table + length(limb) / 2 - 2 - i);
        const pair_t w2 = centred_words(wasm_i64x2_shuffle(fine, next, 1, 3), k);
        const pair_t w3 = centred_words(wasm_i64x2_shuffle(fine, next, 0, 2), k);
        const pair_t w1 = centred_words(wasm_i64x2_shuffle(coarse, coarse, 1, 0), k);
        const quad_t words_in = load_quad(poly + at, 2);
        const quad_t v = {as_doubles(words_in.a, k), as_doubles(words_in.b, k), as_doubles(words_in.c, k), as_doubles(words_in.d, k)};
        store_quad(poly + at, 2, by_block(inverse4(by_place(v), w2, w3, w1, k)));
    }
}

// The last stage, or the last two; N^-1 is in its factors, and words come out.
INLINE void inverse_last(const rs_limb_t *limb, uint64_t *poly, const constants_t *k) {
    const pair_t scale = factor(limb->n_inverse.value, k);
    const pair_t last = factor(limb->last_inverse.value, k);
    if (limb->log_n & 1) {
        const size_t half = length(limb) / 2;
        for (size_t i = 0; i < half; i += 2) {
            const pair_t x = load(poly + i);
            const pair_t y = load(poly + i + half);
            store_words(poly + i, times(add(x, y), scale, k), k);
            store_words(poly + i + half, times(sub(y, x), last, k), k);
        }
        return;
    }
    const size_t gap = length(limb) / 4;
    const pair_t w2 = twiddle(limb, 3, k);
    const pair_t w3 = twiddle(limb, 2, k);
    for (size_t i = 0; i < gap; i += 2) {
        const quad_t v = inverse4(load_quad(poly + i, gap), w2, w3, last, k);
        store_words(poly + i, times(v.a, scale, k), k);
        store_words(poly + i + gap, times(v.b, scale, k), k);
        store_words(poly + i + 2 * gap, v.c, k);
        store_words(poly + i + 3 * gap, v.d, k);
    }
}

INLINE void inverse(const rs_limb_t *limb, uint64_t *poly, int wide) {
    const constants_t constant = constants(limb, wide);
    const constants_t *k = &constant;
    unsigned log_parts = limb->log_n & 1 ? 1 : 2;
    while (limb->log_n - log_parts > LOG_PART) log_parts += 2;
    const size_t parts = (size_t)1 << log_parts;
    const size_t words = length(limb) / parts;
    for (size_t part = 0; part < parts; part++) {
        inverse_first(limb, poly, part * words, words, k);
        size_t count = words / 16;
        for (size_t gap = 4; gap < words; gap *= 4, count /= 4) {
            inverse_pass(limb, poly + part * words, parts * count, part * count, count, gap, k);
        }
    }
    for (; log_parts > 2; log_parts -= 2) {
        const size_t blocks = (size_t)1 << (log_parts - 2);
        inverse_pass(limb, poly, blocks, 0, blocks, length(limb) / blocks / 4, k);
    }
    inverse_last(limb, poly, k);
}

// ---- pointwise ---------------------------------------------------------------------------------------------------------
INLINE void multiply(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c, sign_t sign,
                     int wide) {
    const constants_t k = constants(limb, wide);
    for (size_t i = 0; i < length(limb); i += 2) {
        const pair_t p = product(a + i, b + i, &k);
        pair_t x = p;
        if (sign == ADD) x = add(load_words(c + i, &k), p);
        if (sign == SUBTRACT) x = sub(load_words(c + i, &k), p);
        store_words(out + i, x, &k);
    }
}

INLINE void lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t by, int wide) {
    const constants_t k = constants(limb, wide);
    const pair_t f = factor(by, &k);
    for (size_t i = 0; i < length(limb); i += 2) store_words(out + i, times(load_small(small + i), f, &k), &k);
}

INLINE void lift_message(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, int wide) {
    const constants_t k = constants(limb, wide);
    for (size_t i = 0; i < length(limb); i += 2) {
        const pair_t m = centred(wasm_v128_load(message + i), &k);
        store_words(out + i, error ? add(m, load_small(error + i)) : m, &k);
    }
}

// inverse (e - d), d = 2^32 high + low with 0 <= low < 2^32 and |high| < 2^27: two products, of numbers below 2^33.
INLINE void lift_rounded(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                         uint64_t by, int wide) {
    const constants_t k = constants(limb, wide);
    const pair_t f = factor(by, &k);
    const pair_t f32 = factor(rs_mul_mod(by, rs_reduce((uint64_t)1 << 32, &limb->modulus), &limb->modulus), &k);
    const pair_t mask = wasm_u64x2_splat(UINT32_MAX);
    const pair_t magic_bits = k.magic; // as an integer, 1.5 2^52 plus a small integer is the double of the sum
    for (size_t i = 0; i < length(limb); i += 2) {
        const pair_t word = wasm_v128_load(d + i);
        const pair_t low = as_doubles(wasm_v128_and(word, mask), &k);
        const pair_t high = sub(wasm_i64x2_add(wasm_i64x2_shr(word, 32), magic_bits), k.magic);
        pair_t x = sub(times(sub(load_small(error + i), low), f, &k), times(high, f32, &k));
        if (message) x = add(x, centred(wasm_v128_load(message + i), &k));
        store_words(out + i, x, &k);
    }
}

// poly + error is in (-22, q + 21): q less where it is above half.
INLINE void centre(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error, int wide) {
    const constants_t k = constants(limb, wide);
    for (size_t i = 0; i < length(limb); i += 2) {
        const pair_t x = add(load_words(poly + i, &k), load_small(error + i));
        const pair_t r = sub(x, wasm_v128_and(k.q, wasm_f64x2_gt(x, k.half)));
        wasm_v128_store(d + i, wasm_i64x2_sub(add(r, k.magic), k.magic));
    }
}

// ---- the tables --------------------------------------------------------------------------------------------------------
#define RING(bits, wide)                                                                                                       \
    static void forward_##bits(const rs_limb_t *limb, uint64_t *poly) {                                                        \
        forward(limb, poly, (source_t){poly, NULL, NULL}, (addend_t){NOTHING, NULL, NULL}, wide);                              \
    }                                                                                                                          \
    static void fused_message_##bits(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *small,         \
                                     const uint64_t *a, const uint64_t *b, int subtract) {                                     \
        const addend_t y = {a ? subtract ? SUBTRACT : ADD : NOTHING, a, b};                                                    \
        forward(limb, out, (source_t){small ? NULL : out, small, message}, y, wide);                                           \
    }                                                                                                                          \
    static void fused_##bits(const rs_limb_t *limb, uint64_t *out, const int8_t *small, const uint64_t *a, const uint64_t *b,  \
                             int subtract) {                                                                                   \
        fused_message_##bits(limb, out, NULL, small, a, b, subtract);                                                          \
    }                                                                                                                          \
    static void inverse_##bits(const rs_limb_t *limb, uint64_t *poly) {                                                        \
        inverse(limb, poly, wide);                                                                                             \
    }                                                                                                                          \
    static void mul_##bits(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {                       \
        multiply(limb, out, a, b, NULL, NOTHING, wide);                                                                        \
    }                                                                                                                          \
    static void mul_add_##bits(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) { \
        multiply(limb, out, a, b, c, ADD, wide);                                                                               \
    }                                                                                                                          \
    static void mul_sub_##bits(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) { \
        multiply(limb, out, a, b, c, SUBTRACT, wide);                                                                          \
    }                                                                                                                          \
    static void lift_small_##bits(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t by) {                    \
        lift_small(limb, out, small, by, wide);                                                                                \
    }                                                                                                                          \
    static void lift_message_##bits(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error) {        \
        lift_message(limb, out, message, error, wide);                                                                         \
    }                                                                                                                          \
    static void lift_rounded_##bits(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error,          \
                                    const int64_t *d, uint64_t by) {                                                           \
        lift_rounded(limb, out, message, error, d, by, wide);                                                                  \
    }                                                                                                                          \
    static void centre_##bits(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error) {                  \
        centre(limb, d, poly, error, wide);                                                                                    \
    }                                                                                                                          \
    const rs_ring_t RS_RING_WASM_##bits = {                                                                                    \
        .quotient_bits = 64,                                                                                                   \
        .forward = forward_##bits,                                                                                             \
        .fused = fused_##bits,                                                                                                 \
        .inverse = inverse_##bits,                                                                                             \
        .mul = mul_##bits,                                                                                                     \
        .mul_add = mul_add_##bits,                                                                                             \
        .mul_sub = mul_sub_##bits,                                                                                             \
        .lift_small = lift_small_##bits,                                                                                       \
    };                                                                                                                         \
    const rs_lifts_t RS_LIFTS_WASM_##bits = {                                                                                  \
        .fused = fused_message_##bits,                                                                                         \
        .lift_message = lift_message_##bits,                                                                                   \
        .lift_rounded = lift_rounded_##bits,                                                                                   \
        .centre = centre_##bits,                                                                                               \
    };

RING(48, 0)
RING(50, 1)

// (1 + 2^-30)(1 - 2^-30) - 1 = -2^-60 in one rounding, and 0 in two. The operands come from memory that the compiler cannot see through.
int rs_wasm_fused(void) {
    volatile double above = 1 + 0x1p-30;
    volatile double below = 1 - 0x1p-30;
    const pair_t sum = wasm_f64x2_relaxed_madd(both(above), both(below), both(-1));
    const pair_t difference = wasm_f64x2_relaxed_nmadd(both(above), both(below), both(1));
    return wasm_f64x2_extract_lane(sum, 0) == -0x1p-60 && wasm_f64x2_extract_lane(difference, 0) == 0x1p-60;
}
#endif
