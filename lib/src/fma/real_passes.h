// SPDX-License-Identifier: Apache-2.0
// A ring of residues as doubles, on four numbers at a time: transforms, products and lifts. It is no ordinary header: each back end includes it
// once, in a file of its own, after it has defined (x86/reals/reals_avx2.c is an example)
//   TARGET, INLINE          attributes of functions: the instructions, and always inline
//   NAME(name)              the names of the tables: NAME(RS_RING) and so on
//   vec_t                   four doubles, in one register or in several
//   load, store             of doubles;  splat  one number four times
//   add, sub, mul           x + y, x - y, xy, rounded to nearest
//   fma_from                z - xy with a single rounding
//   nearest_quotient        the integer nearest to x * inverse, where |x * inverse| < 2^51 - 1; inverse is a rounded 1/q. Rounding x * inverse
//                           before or with the integer is the same to the bounds below
//   from_words              words below 2^52
//   from_small              numbers of 8 bits with sign
//   from_low, from_high     of words with sign: the lower 32 bits without sign; the rest, a multiple of 2^32
//   store_residues          integers -q < x < q as words x mod q, given q
//   store_signed            integers |x| < 2^51 as words with sign
//   transpose               a matrix of four by four
//   reverse                 the four numbers in the opposite order
//   rounding_t, mode_nearest, mode_restore     make the processor round to nearest, and undo it
//
// A product xw mod q: h = xw rounded; l = h - xw, which an FMA gives exactly; c is the integer nearest to h/q; h - cq and l are integers
// below 2^53, so that r = (h - cq) - l is exact and = xw mod q. Three roundings, of h, 1/q and h * inverse, move h/q by |xw/q| 3 2^-53, so
// |r| <= (1/2 + |xw/q| 3 2^-53) q.
// All numbers are integers but for 1/q and its products, which are no subnormals: so nothing depends on whether the processor flushes those.
// The rounding mode of the caller does not count either: every kernel sets its own (mode_nearest).
//
// Bounds are in units of q. Twiddles are centred, |w| <= q/2: a butterfly makes B' = B + r of a bound B, r = 1/2 + B q 3 2^-54.
//   narrow, q < 2^48: inputs are below 1.5, and B' <= B + 1/2 + 3 B/64 gives B < 15.9 after 17 stages: nothing is reduced on the way.
//   wide, q < 2^50: inputs are centred, and so is the one number of a radix-4 group that takes part in no product. With r = 1/2 + 3 B/16 that
//     gives B < 2.8 after a pass, and factors of products below 3.9.
// So quotients |xw/q| <= B q/2 are below 2^51 - 1. The inverse adds before it multiplies, so sums of four are centred; narrow, sums of two
// products are below 1.3; wide, all sums but the differences of two products are centred, and B < 0.9.
//
// Each twiddle stands where it is used, in the N words of the limb's quotients (prepare): w(i) = psi^brv(i) for i < N/4; then 12 for each tile t
// of 16 coefficients, for the last two stages: four of N/4 + 4t on; the four of even and the four of odd numbers of N/2 + 8t on. The inverse
// takes the mirrored ones (ntt.c): those of tile N/16 - 1 - t, the other way round.
//
// A pass over memory does two stages on vectors of four rows. Four stages in registers would save a pass, but their chain of dependent
// operations is longer than processors look ahead.
#include <ringside/base.h>

#include "fma/real_ring.h"

#ifdef __FAST_MATH__
#error "exact arithmetic in doubles: build without -ffast-math"
#endif

// The bounds of these loops are constants, so that compilers keep arrays of vectors in registers.
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

enum {
    LANES = 4,
    LOG_TILE = 4, // the last two stages are done on 16 coefficients at once
    TILE_TWIDDLES = 12,
    LOG_PART = 11, // words of what is transformed to its end at once: 16 KiB
};

typedef struct constants {
    vec_t q;
    vec_t inverse; // 1/q rounded
    int wide; // q may be above 2^48: known where this is compiled
} constants_t;

INLINE constants_t constants(const rs_limb_t *limb, int wide) {
    const double q = (double)(int64_t)limb->modulus.q;
    return (constants_t){splat(q), splat(1 / q), wide};
}

INLINE size_t length(const rs_limb_t *limb) { return (size_t)1 << limb->log_n; }

// A residue as the double of least magnitude. Public: constants and twiddles.
static inline double centred_word(uint64_t x, uint64_t q) {
    return (double)((int64_t)x - (int64_t)(q & (0 - (uint64_t)(x > q / 2))));
}

// ---- arithmetic --------------------------------------------------------------------------------------------------------
// x mod q, |result| <= (1/2 + |x/q| 2^-52) q, |x/q| < 2^51 - 1, for integers x below 2^53 or with no more significant bits than that.
INLINE vec_t centred(vec_t x, const constants_t *k) { return fma_from(nearest_quotient(x, k->inverse), k->q, x); }

INLINE vec_t times(vec_t x, vec_t w, const constants_t *k) {
    const vec_t h = mul(x, w);
    const vec_t l = fma_from(x, w, h);
    return sub(fma_from(nearest_quotient(h, k->inverse), k->q, h), l);
}

INLINE void store_words(uint64_t *out, vec_t x, const constants_t *k) { store_residues(out, centred(x, k), k->q); }

// ---- what a transform begins with --------------------------------------------------------------------------------------
// POLY: the words of out. SMALL: small numbers. SCALED: factor times small. MESSAGE: message + small. ROUNDED, BOTH: factor (small - d), and
// message too.
typedef enum kind { POLY, SMALL, SCALED, MESSAGE, ROUNDED, BOTH } kind_t;
typedef struct source {
    kind_t kind;
    const uint64_t *poly;
    const int8_t *small;
    const double *message;
    const int64_t *d;
    double factor; // centred
} source_t;

// small - d mod q, |d| < 2^59: what is left of the upper part and the lower 32 bits are below q/2 + 2^33. Products with it are below
// (1/2 + 2^-2) q, if q is close to 2^50, and else below (1/2 + 2^-4) q.
INLINE vec_t difference(const int8_t *small, const int64_t *d, const constants_t *k) {
    return sub(sub(from_small(small), from_low(d)), centred(from_high(d), k));
}

// |message| < 2^61 and q > 2N >= 2^10: its quotient is below 2^51.
INLINE vec_t take(const source_t *from, kind_t kind, size_t i, const constants_t *k) {
    vec_t x;
    switch (kind) {
    case POLY: x = from_words(from->poly + i); break;
    case SMALL: return from_small(from->small + i);
    case SCALED: return times(from_small(from->small + i), splat(from->factor), k);
    case MESSAGE: return add(centred(load(from->message + i), k), from_small(from->small + i));
    case ROUNDED: return times(difference(from->small + i, from->d + i, k), splat(from->factor), k);
    default:
        x = times(difference(from->small + i, from->d + i, k), splat(from->factor), k);
        x = add(x, centred(load(from->message + i), k));
    }
    return k->wide ? centred(x, k) : x;
}

// ---- twiddles ----------------------------------------------------------------------------------------------------------
INLINE const double *tile_twiddles(const rs_limb_t *limb, size_t tile) {
    return (const double *)limb->quotients + length(limb) / 4 + TILE_TWIDDLES * tile;
}

TARGET static void prepare(rs_limb_t *limb, void *table) {
    const uint64_t q = limb->modulus.q;
    const uint64_t *w = limb->twiddles;
    const size_t n = length(limb);
    double *out = table;
    for (size_t i = 0; i < n / 4; i++) *out++ = centred_word(w[i], q);
    for (size_t t = 0; t < n / 16; t++) {
        for (size_t i = 0; i < 4; i++) *out++ = centred_word(w[n / 4 + 4 * t + i], q);
        for (size_t i = 0; i < 4; i++) *out++ = centred_word(w[n / 2 + 8 * t + 2 * i], q);
        for (size_t i = 0; i < 4; i++) *out++ = centred_word(w[n / 2 + 8 * t + 2 * i + 1], q);
    }
    limb->quotients = table;
}

// ---- forward -----------------------------------------------------------------------------------------------------------
INLINE void forward_butterfly(vec_t *x, vec_t *y, vec_t w, const constants_t *k) {
    const vec_t t = times(*y, w, k);
    *y = sub(*x, t);
    *x = add(*x, t);
}

INLINE void forward4(vec_t *v, vec_t w1, vec_t w2, vec_t w3, const constants_t *k) {
    forward_butterfly(&v[0], &v[2], w1, k);
    forward_butterfly(&v[1], &v[3], w1, k);
    forward_butterfly(&v[0], &v[1], w2, k);
    forward_butterfly(&v[2], &v[3], w3, k);
}

// The same between passes: wide, with what the bounds need.
INLINE void forward4_bounded(vec_t *v, vec_t w1, vec_t w2, vec_t w3, const constants_t *k) {
    if (k->wide) v[0] = centred(v[0], k);
    forward4(v, w1, w2, w3, k);
}

INLINE void forward8(vec_t *v, const double *w, const constants_t *k) {
    UNROLL
    for (unsigned i = 0; i < 4; i++) forward_butterfly(&v[i], &v[i + 4], splat(w[1]), k);
    forward4(v, splat(w[2]), splat(w[4]), splat(w[5]), k);
    forward4(v + 4, splat(w[3]), splat(w[6]), splat(w[7]), k);
}

// The first two stages, or three of an odd number.
INLINE void forward_first(const rs_limb_t *limb, double *x, const source_t *from, kind_t kind, const constants_t *k) {
    const double *w = limb->quotients;
    if (limb->log_n & 1) {
        const size_t gap = length(limb) / 8;
        for (size_t j = 0; j < gap; j += LANES) {
            vec_t v[8];
            UNROLL
            for (unsigned i = 0; i < 8; i++) v[i] = take(from, kind, j + i * gap, k);
            forward8(v, w, k);
            UNROLL
            for (unsigned i = 0; i < 8; i++) store(x + j + i * gap, v[i]);
        }
        return;
    }
    const size_t gap = length(limb) / 4;
    const vec_t w1 = splat(w[1]);
    const vec_t w2 = splat(w[2]);
    const vec_t w3 = splat(w[3]);
    for (size_t j = 0; j < gap; j += LANES) {
        vec_t v[4];
        UNROLL
        for (unsigned i = 0; i < 4; i++) v[i] = take(from, kind, j + i * gap, k);
        forward4(v, w1, w2, w3, k);
        UNROLL
        for (unsigned i = 0; i < 4; i++) store(x + j + i * gap, v[i]);
    }
}

// Two stages of `count` blocks of 4 gap words, the first of them with twiddle number `node`.
INLINE void forward_pass(const rs_limb_t *limb, double *x, size_t count, size_t gap, size_t node, const constants_t *constant) {
    const constants_t k = *constant;
    const double *w = limb->quotients;
    for (size_t i = 0; i < count; i++, x += 4 * gap, node++) {
        const vec_t w1 = splat(w[node]);
        const vec_t w2 = splat(w[2 * node]);
        const vec_t w3 = splat(w[2 * node + 1]);
        for (size_t j = 0; j < gap; j += LANES) {
            vec_t v[4] = {load(x + j), load(x + j + gap), load(x + j + 2 * gap), load(x + j + 3 * gap)};
            forward4_bounded(v, w1, w2, w3, &k);
            store(x + j, v[0]);
            store(x + j + gap, v[1]);
            store(x + j + 2 * gap, v[2]);
            store(x + j + 3 * gap, v[3]);
        }
    }
}

// The product of words that a result gets, or not.
typedef enum sign { NOTHING, ADD, SUBTRACT } sign_t;
typedef struct addend {
    sign_t sign;
    const uint64_t *a;
    const uint64_t *b;
} addend_t;

INLINE vec_t with_product(vec_t x, sign_t sign, const addend_t *y, size_t i, const constants_t *k) {
    if (sign == NOTHING) return x;
    const vec_t r = times(from_words(y->a + i), from_words(y->b + i), k);
    return sign == ADD ? add(x, r) : sub(x, r);
}

// Two tiles at a time, so that eight butterflies are independent.
INLINE void forward_tiles(const rs_limb_t *limb, uint64_t *out, size_t first, size_t count, sign_t sign, const addend_t *y,
                          const constants_t *constant) {
    const constants_t k = *constant;
    const double *w = tile_twiddles(limb, first);
    for (size_t at = first << LOG_TILE; at < (first + count) << LOG_TILE; at += 32, w += 2 * TILE_TWIDDLES) {
        const double *x = (const double *)(const void *)(out + at);
        vec_t v[8] = {load(x), load(x + 4), load(x + 8), load(x + 12), load(x + 16), load(x + 20), load(x + 24), load(x + 28)};
        transpose(v);
        transpose(v + 4);
        if (k.wide) {
            v[0] = centred(v[0], &k);
            v[4] = centred(v[4], &k);
        }
        UNROLL
        for (unsigned i = 0; i < 8; i += 4) {
            const vec_t w1 = load(w + 3 * i);
            forward_butterfly(&v[i], &v[i + 2], w1, &k);
            forward_butterfly(&v[i + 1], &v[i + 3], w1, &k);
        }
        UNROLL
        for (unsigned i = 0; i < 8; i += 4) {
            forward_butterfly(&v[i], &v[i + 1], load(w + 3 * i + 4), &k);
            forward_butterfly(&v[i + 2], &v[i + 3], load(w + 3 * i + 8), &k);
        }
        transpose(v);
        transpose(v + 4);
        UNROLL
        for (unsigned i = 0; i < 8; i++) store_words(out + at + 4 * i, with_product(v[i], sign, y, at + 4 * i, &k), &k);
    }
}

INLINE void forward(const rs_limb_t *limb, uint64_t *out, const source_t *from, const addend_t *y, int wide) {
    const constants_t k = constants(limb, wide);
    const unsigned log_n = limb->log_n;
    double *x = (double *)(void *)out;
    switch (from->kind) { // each a loop of its own
    case POLY: forward_first(limb, x, from, POLY, &k); break;
    case SMALL: forward_first(limb, x, from, SMALL, &k); break;
    case SCALED: forward_first(limb, x, from, SCALED, &k); break;
    case MESSAGE: forward_first(limb, x, from, MESSAGE, &k); break;
    case ROUNDED: forward_first(limb, x, from, ROUNDED, &k); break;
    case BOTH: forward_first(limb, x, from, BOTH, &k); break;
    }
    unsigned log_blocks = log_n & 1 ? 3 : 2;
    for (; log_n - log_blocks > LOG_PART; log_blocks += 2) {
        forward_pass(limb, x, (size_t)1 << log_blocks, (size_t)1 << (log_n - log_blocks - 2), (size_t)1 << log_blocks, &k);
    }
    const unsigned log_part = log_n - log_blocks;
    for (size_t part = 0; part < (size_t)1 << log_blocks; part++) {
        unsigned log_count = 0;
        for (; log_part - log_count > 2; log_count += 2) {
            forward_pass(limb, x + (part << log_part), (size_t)1 << log_count, (size_t)1 << (log_part - log_count - 2),
                         ((size_t)1 << (log_blocks + log_count)) + (part << log_count), &k);
        }
        const size_t first = part << (log_part - LOG_TILE);
        const size_t count = (size_t)1 << (log_part - LOG_TILE);
        if (y->sign == NOTHING) {
            forward_tiles(limb, out, first, count, NOTHING, y, &k);
        } else if (y->sign == ADD) {
            forward_tiles(limb, out, first, count, ADD, y, &k);
        } else {
            forward_tiles(limb, out, first, count, SUBTRACT, y, &k);
        }
    }
}

// ---- inverse -----------------------------------------------------------------------------------------------------------
// (x, y) -> (x + y, w (y - x)), two stages. last: the sums get the factor `scale`.
INLINE void inverse4(vec_t *v, vec_t w2, vec_t w3, vec_t w1, const vec_t *scale, const constants_t *k) {
    const vec_t s = add(v[0], v[1]);
    const vec_t u = add(v[2], v[3]);
    const vec_t t = times(sub(v[1], v[0]), w2, k);
    const vec_t z = times(sub(v[3], v[2]), w3, k);
    const vec_t even = centred(add(s, u), k);
    const vec_t odd = k->wide ? centred(add(t, z), k) : add(t, z);
    const vec_t difference_even = k->wide ? centred(sub(u, s), k) : sub(u, s);
    v[0] = scale ? times(even, *scale, k) : even;
    v[1] = scale ? times(odd, *scale, k) : odd;
    v[2] = times(difference_even, w1, k);
    v[3] = times(sub(z, t), w1, k);
}

INLINE void inverse_tiles(const rs_limb_t *limb, uint64_t *poly, size_t first, size_t count, const constants_t *constant) {
    const constants_t k = *constant;
    const size_t tiles = length(limb) >> LOG_TILE;
    const double *w = tile_twiddles(limb, tiles - 1 - first);
    for (uint64_t *p = poly + (first << LOG_TILE), *end = p + (count << LOG_TILE); p < end; p += 16, w -= TILE_TWIDDLES) {
        vec_t v[4] = {from_words(p), from_words(p + 4), from_words(p + 8), from_words(p + 12)};
        double *x = (double *)(void *)p;
        transpose(v);
        inverse4(v, reverse(load(w + 8)), reverse(load(w + 4)), reverse(load(w)), NULL, &k);
        transpose(v);
        UNROLL
        for (unsigned i = 0; i < 4; i++) store(x + 4 * i, v[i]);
    }
}

// forward_pass the other way; `mirror` is the number of the first block's twiddle, which falls from block to block.
INLINE void inverse_pass(const rs_limb_t *limb, double *x, size_t count, size_t gap, size_t mirror, const constants_t *constant) {
    const constants_t k = *constant;
    const double *w = limb->quotients;
    for (size_t i = 0; i < count; i++, x += 4 * gap, mirror--) {
        const vec_t w1 = splat(w[mirror]);
        const vec_t w2 = splat(w[2 * mirror + 1]);
        const vec_t w3 = splat(w[2 * mirror]);
        for (size_t j = 0; j < gap; j += LANES) {
            vec_t v[4] = {load(x + j), load(x + j + gap), load(x + j + 2 * gap), load(x + j + 3 * gap)};
            inverse4(v, w2, w3, w1, NULL, &k);
            store(x + j, v[0]);
            store(x + j + gap, v[1]);
            store(x + j + 2 * gap, v[2]);
            store(x + j + 3 * gap, v[3]);
        }
    }
}

// The last two stages, or three of an odd number: words again, scaled by 1/N.
INLINE void inverse_last(const rs_limb_t *limb, uint64_t *poly, const constants_t *constant) {
    const constants_t k = *constant;
    const uint64_t q = limb->modulus.q;
    const double *w = limb->quotients;
    const double *x = (const double *)(const void *)poly;
    const vec_t scale = splat(centred_word(limb->n_inverse.value, q));
    const vec_t last = splat(centred_word(limb->last_inverse.value, q));
    if (limb->log_n & 1) {
        const size_t gap = length(limb) / 8;
        for (size_t j = 0; j < gap; j += LANES) {
            vec_t v[8];
            UNROLL
            for (unsigned i = 0; i < 8; i++) v[i] = load(x + j + i * gap);
            inverse4(v, splat(w[7]), splat(w[6]), splat(w[3]), NULL, &k);
            inverse4(v + 4, splat(w[5]), splat(w[4]), splat(w[2]), NULL, &k);
            UNROLL
            for (unsigned i = 0; i < 4; i++) {
                store_words(poly + j + i * gap, times(add(v[i], v[i + 4]), scale, &k), &k);
                store_words(poly + j + (i + 4) * gap, times(sub(v[i + 4], v[i]), last, &k), &k);
            }
        }
        return;
    }
    const size_t gap = length(limb) / 4;
    for (size_t j = 0; j < gap; j += LANES) {
        vec_t v[4] = {load(x + j), load(x + j + gap), load(x + j + 2 * gap), load(x + j + 3 * gap)};
        inverse4(v, splat(w[3]), splat(w[2]), last, &scale, &k);
        UNROLL
        for (unsigned i = 0; i < 4; i++) store_words(poly + j + i * gap, v[i], &k);
    }
}

INLINE void inverse(const rs_limb_t *limb, uint64_t *poly, int wide) {
    const constants_t k = constants(limb, wide);
    const unsigned log_n = limb->log_n;
    const unsigned log_first = log_n & 1 ? 3 : 2;
    double *x = (double *)(void *)poly;
    unsigned log_blocks = log_first;
    while (log_n - log_blocks > LOG_PART) log_blocks += 2;
    const unsigned log_part = log_n - log_blocks;
    for (size_t part = 0; part < (size_t)1 << log_blocks; part++) {
        unsigned log_count = log_part - 2;
        inverse_tiles(limb, poly, part << (log_part - LOG_TILE), (size_t)1 << (log_part - LOG_TILE), &k);
        while (log_count > 0) {
            log_count -= 2;
            inverse_pass(limb, x + (part << log_part), (size_t)1 << log_count, (size_t)1 << (log_part - log_count - 2),
                         ((size_t)2 << (log_blocks + log_count)) - 1 - (part << log_count), &k);
        }
    }
    while (log_blocks > log_first) {
        log_blocks -= 2;
        inverse_pass(limb, x, (size_t)1 << log_blocks, (size_t)1 << (log_n - log_blocks - 2), ((size_t)2 << log_blocks) - 1, &k);
    }
    inverse_last(limb, poly, &k);
}

// ---- pointwise ---------------------------------------------------------------------------------------------------------
// out = a b, or c + a b, or c - a b. out may be an input, so words are read before they are written.
INLINE void products(const rs_limb_t *limb, uint64_t *out, const uint64_t *c, sign_t sign, const addend_t *y) {
    const constants_t k = constants(limb, 1);
    for (size_t i = 0; i < length(limb); i += LANES) {
        const vec_t x = times(from_words(y->a + i), from_words(y->b + i), &k);
        store_words(out + i, sign == NOTHING ? x : sign == ADD ? add(from_words(c + i), x) : sub(from_words(c + i), x), &k);
    }
}

TARGET static __attribute__((noinline)) void mul_all(const rs_limb_t *limb, uint64_t *out, const uint64_t *c, addend_t y) {
    if (y.sign == NOTHING) {
        products(limb, out, c, NOTHING, &y);
    } else if (y.sign == ADD) {
        products(limb, out, c, ADD, &y);
    } else {
        products(limb, out, c, SUBTRACT, &y);
    }
}

INLINE void lift(const rs_limb_t *limb, uint64_t *out, const source_t *from, kind_t kind) {
    const constants_t k = constants(limb, 0);
    for (size_t i = 0; i < length(limb); i += LANES) {
        const vec_t x = take(from, kind, i, &k);
        if (kind == SMALL) { // |small| < 2^8 < q
            store_residues(out + i, x, k.q);
        } else {
            store_words(out + i, x, &k);
        }
    }
}

TARGET static __attribute__((noinline)) void lift_all(const rs_limb_t *limb, uint64_t *out, source_t from) {
    switch (from.kind) {
    case SMALL: lift(limb, out, &from, SMALL); break;
    case SCALED: lift(limb, out, &from, SCALED); break;
    case MESSAGE: lift(limb, out, &from, MESSAGE); break;
    case ROUNDED: lift(limb, out, &from, ROUNDED); break;
    default: lift(limb, out, &from, BOTH);
    }
}

TARGET static __attribute__((noinline)) void lift_alone(const rs_limb_t *limb, uint64_t *out, const double *message) {
    const constants_t k = constants(limb, 0);
    for (size_t i = 0; i < length(limb); i += LANES) store_words(out + i, centred(load(message + i), &k), &k);
}

// |poly + error| < q + 2^8. Where the nearest integer to x/q changes, x is 1/2 away or more: that is 2^-51 q, and roundings move x/q by less
// than 2^-52 there.
TARGET static __attribute__((noinline)) void centre_all(const rs_limb_t *limb, int64_t *d, const uint64_t *poly,
                                                        const int8_t *error) {
    const constants_t k = constants(limb, 0);
    for (size_t i = 0; i < length(limb); i += LANES) {
        store_signed(d + i, centred(add(from_words(poly + i), from_small(error + i)), &k));
    }
}

// ---- the tables --------------------------------------------------------------------------------------------------------
// Kernels are calls, so that no compiler moves arithmetic across the change of the rounding mode.
#ifndef GUARDED
#define GUARDED(call)                           \
    do {                                        \
        const rounding_t mode = mode_nearest(); \
        call;                                   \
        mode_restore(mode);                     \
    } while (0)
#endif

static source_t small_source(const rs_limb_t *limb, const int8_t *small, uint64_t factor) {
    if (factor == 1) return (source_t){.kind = SMALL, .small = small};
    return (source_t){.kind = SCALED, .small = small, .factor = centred_word(factor, limb->modulus.q)};
}

static source_t rounded_source(const rs_limb_t *limb, const double *message, const int8_t *error, const int64_t *d,
                               uint64_t inverse) {
    const double factor = centred_word(inverse, limb->modulus.q);
    return (source_t){.kind = message ? BOTH : ROUNDED, .small = error, .message = message, .d = d, .factor = factor};
}

static addend_t addend(const uint64_t *a, const uint64_t *b, int subtract) {
    return (addend_t){!a ? NOTHING : subtract ? SUBTRACT : ADD, a, b};
}

static void table_mul(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    GUARDED(mul_all(limb, out, NULL, (addend_t){NOTHING, a, b}));
}

static void table_mul_add(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    GUARDED(mul_all(limb, out, c, (addend_t){ADD, a, b}));
}

static void table_mul_sub(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    GUARDED(mul_all(limb, out, c, (addend_t){SUBTRACT, a, b}));
}

static void table_lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {
    GUARDED(lift_all(limb, out, small_source(limb, small, factor)));
}

static void table_lift_message(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error) {
    if (error) {
        GUARDED(lift_all(limb, out, (source_t){.kind = MESSAGE, .small = error, .message = message}));
    } else {
        GUARDED(lift_alone(limb, out, message));
    }
}

static void table_lift_rounded(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                               uint64_t inverse) {
    GUARDED(lift_all(limb, out, rounded_source(limb, message, error, d, inverse)));
}

static void table_centre(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error) {
    GUARDED(centre_all(limb, d, poly, error));
}

#define POINTWISE .mul = table_mul, .mul_add = table_mul_add, .mul_sub = table_mul_sub, .lift_small = table_lift_small
#define LIFTS .lift_message = table_lift_message, .lift_rounded = table_lift_rounded, .centre = table_centre

#define RING(bits, is_wide)                                                                                                        \
    TARGET static __attribute__((noinline)) void forward_##bits(const rs_limb_t *limb, uint64_t *out, source_t from, addend_t y) { \
        forward(limb, out, &from, &y, is_wide);                                                                                    \
    }                                                                                                                              \
    TARGET static __attribute__((noinline)) void inverse_##bits(const rs_limb_t *limb, uint64_t *poly) {                           \
        inverse(limb, poly, is_wide);                                                                                              \
    }                                                                                                                              \
    static void table_forward_##bits(const rs_limb_t *limb, uint64_t *poly) {                                                      \
        GUARDED(forward_##bits(limb, poly, (source_t){.kind = POLY, .poly = poly}, (addend_t){NOTHING, NULL, NULL}));              \
    }                                                                                                                              \
    static void table_inverse_##bits(const rs_limb_t *limb, uint64_t *poly) { GUARDED(inverse_##bits(limb, poly)); }               \
    static void table_fused_##bits(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *small,               \
                                   const uint64_t *a, const uint64_t *b, int subtract) {                                           \
        const source_t from = {.kind = !small    ? POLY                                                                            \
                                       : message ? MESSAGE                                                                         \
                                                 : SMALL,                                                                          \
                               .poly = out,                                                                                        \
                               .small = small,                                                                                     \
                               .message = message};                                                                                \
        GUARDED(forward_##bits(limb, out, from, addend(a, b, subtract)));                                                          \
    }                                                                                                                              \
    static void table_fused_small_##bits(const rs_limb_t *limb, uint64_t *out, const int8_t *small, const uint64_t *a,             \
                                         const uint64_t *b, int subtract) {                                                        \
        table_fused_##bits(limb, out, NULL, small, a, b, subtract);                                                                \
    }                                                                                                                              \
    static void table_scaled_##bits(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {                  \
        GUARDED(forward_##bits(limb, out, small_source(limb, small, factor), (addend_t){NOTHING, NULL, NULL}));                    \
    }                                                                                                                              \
    static void table_rounded_##bits(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error,             \
                                     const int64_t *d, uint64_t inverse, const uint64_t *a, const uint64_t *b) {                   \
        GUARDED(forward_##bits(limb, out, rounded_source(limb, message, error, d, inverse), addend(a, b, 0)));                     \
    }                                                                                                                              \
    const rs_ring_t NAME(RS_RING, bits) = {                                                                                        \
        .quotient_bits = 64,                                                                                                       \
        .forward = table_forward_##bits,                                                                                           \
        .inverse = table_inverse_##bits,                                                                                           \
        .fused = table_fused_small_##bits,                                                                                         \
        .prepare = prepare,                                                                                                        \
        .scaled = table_scaled_##bits,                                                                                             \
        POINTWISE,                                                                                                                 \
    };                                                                                                                             \
    const rs_lifts_t NAME(RS_LIFTS, bits) = {.fused = table_fused_##bits, .fused_rounded = table_rounded_##bits, LIFTS};
