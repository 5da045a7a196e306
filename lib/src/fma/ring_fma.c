// SPDX-License-Identifier: Apache-2.0
// Residues as doubles, for cores whose integer multiplication is slow and whose fused multiply-adds are not. Exact, and for every input.
//
// Rocket is such a core: mul and mulhu take ten cycles, one at a time, and mul ends early for small operands, so that its time depends on
// secrets. An FMA takes four cycles for any operands, and one starts in each cycle. Only subnormal operands could change that elsewhere,
// and there are none: all numbers here are integers, but for 1/q and what becomes integers with MAGIC.
//
// A product xw mod q: h = xw rounded, l = xw - h, which an FMA gives exactly; c is the integer nearest to h/q; h - cq and l are integers
// below 2^53, so that r = (h - cq) + l is exact and = xw mod q. Two roundings, of h and of 1/q, move h/q by |xw/q| 2^-52 at most, so
// |r| <= (1/2 + |xw/q| 2^-52) q. Adding MAGIC makes integers of numbers below 2^51 in magnitude; c is below that, as shown where it matters.
//
// Residues between passes are signed doubles in the place of the words. A transform begins with the widest stages, whose passes go through
// all of the memory, and does everything else part by part, each in the first-level cache. The rows of a wide stage are a power of two
// apart and get into each other's way in such a cache. So they are read line by line into a tile, and from there written line by line.
#include "fma/ring_fma.h"

#include <ringside/base.h>

#ifdef RS_RING_FMA
#ifdef __FAST_MATH__
#error "exact arithmetic in doubles: build without -ffast-math"
#endif

#define TARGET RS_FMA_TARGET
#define INLINE TARGET static inline __attribute__((always_inline))

enum {
    LOG_PART = 10, // words of a part: 8 KiB
    LINE = 8, // words of a cache line
};

static const double MAGIC = 6755399441055744.0; // 1.5 2^52

typedef struct constants {
    double q;
    double inverse; // 1/q rounded
    double half; // (q - 1) / 2
    uint64_t word; // q
    int narrow; // q < 2^31; known where this is compiled
} constants_t;

INLINE constants_t constants(const rs_limb_t *limb, int narrow) {
    const uint64_t q = limb->modulus.q;
    return (constants_t){(double)q, 1 / (double)q, (double)(q / 2), q, narrow};
}

// ---- two numbers at once -----------------------------------------------------------------------------------------------
// Chains of dependent operations, two by two: a core that takes instructions in order would wait for each of a single one.
typedef struct pair {
    double a;
    double b;
} pair_t;

INLINE pair_t both(double x) { return (pair_t){x, x}; }

INLINE pair_t add(pair_t x, pair_t y) { return (pair_t){x.a + y.a, x.b + y.b}; }

INLINE pair_t sub(pair_t x, pair_t y) { return (pair_t){x.a - y.a, x.b - y.b}; }

INLINE pair_t mul(pair_t x, pair_t y) { return (pair_t){x.a * y.a, x.b * y.b}; }

// xy + z,  xy - z,  z - xy
INLINE pair_t fma_add(pair_t x, pair_t y, pair_t z) { return (pair_t){__builtin_fma(x.a, y.a, z.a), __builtin_fma(x.b, y.b, z.b)}; }

INLINE pair_t fma_sub(pair_t x, pair_t y, pair_t z) {
    return (pair_t){__builtin_fma(x.a, y.a, -z.a), __builtin_fma(x.b, y.b, -z.b)};
}

INLINE pair_t fma_from(pair_t x, pair_t y, pair_t z) {
    return (pair_t){__builtin_fma(-x.a, y.a, z.a), __builtin_fma(-x.b, y.b, z.b)};
}

// The integers nearest to x/q, |x/q| < 2^51 - 1.
INLINE pair_t quotients(pair_t x, const constants_t *k) { return sub(fma_add(x, both(k->inverse), both(MAGIC)), both(MAGIC)); }

// x = mod q, |result| <= (1/2 + |x/q| 2^-53) q, for integers x below 2^53 or with fewer significant bits than 54.
INLINE pair_t centred(pair_t x, const constants_t *k) { return fma_from(quotients(x, k), both(k->q), x); }

// xw mod q, see above; |xw/q| < 2^51 - 1.
INLINE pair_t times(pair_t x, pair_t w, const constants_t *k) {
    const pair_t h = mul(x, w);
    const pair_t l = fma_sub(x, w, h);
    return add(fma_from(quotients(h, k), both(k->q), h), l);
}

// The reduced words of integers |x| < 2^9 q. Narrow: (x - half)/q is 1/(2q) or more away from where the nearest integer changes, and its
// rounded value is 2^-44 < 1/(2q) off at most; so c is the floor of x/q, and x - cq is reduced.
INLINE void store_words(uint64_t *a, uint64_t *b, pair_t x, const constants_t *k) {
    if (k->narrow) {
        const pair_t r = fma_from(quotients(sub(x, both(k->half)), k), both(k->q), x);
        *a = (uint64_t)(int64_t)r.a;
        *b = (uint64_t)(int64_t)r.b;
        return;
    }
    const pair_t r = centred(x, k);
    const int64_t ra = (int64_t)r.a;
    const int64_t rb = (int64_t)r.b;
    *a = (uint64_t)ra + (k->word & (0 - ((uint64_t)ra >> 63)));
    *b = (uint64_t)rb + (k->word & (0 - ((uint64_t)rb >> 63)));
}

// ---- memory ------------------------------------------------------------------------------------------------------------
// A polynomial on its way: reduced words at the ends of a transform, doubles in between.
typedef enum format { DOUBLES, WORDS } format_t;
typedef double __attribute__((may_alias)) real_t;

INLINE pair_t load(const uint64_t *a, const uint64_t *b, format_t format) {
    if (format == WORDS) return (pair_t){(double)(int64_t)*a, (double)(int64_t)*b};
    return (pair_t){*(const real_t *)(const void *)a, *(const real_t *)(const void *)b};
}

INLINE void store(uint64_t *a, uint64_t *b, pair_t x, format_t format, const constants_t *k) {
    if (format == WORDS) {
        store_words(a, b, x, k);
        return;
    }
    *(real_t *)(void *)a = x.a;
    *(real_t *)(void *)b = x.b;
}

INLINE double twiddle(const rs_limb_t *limb, size_t i, const constants_t *k) {
    if (k->narrow) return (double)((const int32_t *)limb->twiddles)[i];
    return (double)((const int64_t *)limb->twiddles)[i];
}

INLINE pair_t twiddles(const rs_limb_t *limb, size_t i, size_t step, const constants_t *k) {
    if (!step) return both(twiddle(limb, i, k));
    return (pair_t){twiddle(limb, i, k), twiddle(limb, i + step, k)};
}

// Four pairs, which lie in four rows.
typedef struct quad {
    pair_t x[4];
} quad_t;

typedef struct rows {
    uint64_t *p[4];
} rows_t;

INLINE rows_t rows(uint64_t *p, size_t gap) { return (rows_t){{p, p + gap, p + 2 * gap, p + 3 * gap}}; }

INLINE void next_pairs(rows_t *r) {
    r->p[0] += 2;
    r->p[1] += 2;
    r->p[2] += 2;
    r->p[3] += 2;
}

INLINE void copy_line(uint64_t *to, const uint64_t *from) {
    double x[LINE];
#pragma GCC unroll 8
    for (unsigned i = 0; i < LINE; i++) x[i] = ((const real_t *)(const void *)from)[i];
#pragma GCC unroll 8
    for (unsigned i = 0; i < LINE; i++) ((real_t *)(void *)to)[i] = x[i];
}

// The words of a pair are `step` words apart.
INLINE quad_t load_quad(rows_t r, size_t step, format_t format) {
    return (quad_t){{load(r.p[0], r.p[0] + step, format), load(r.p[1], r.p[1] + step, format), load(r.p[2], r.p[2] + step, format),
                     load(r.p[3], r.p[3] + step, format)}};
}

INLINE void store_quad(rows_t r, size_t step, quad_t v, format_t format, const constants_t *k) {
    store(r.p[0], r.p[0] + step, v.x[0], format, k);
    store(r.p[1], r.p[1] + step, v.x[1], format, k);
    store(r.p[2], r.p[2] + step, v.x[2], format, k);
    store(r.p[3], r.p[3] + step, v.x[3], format, k);
}

// ---- forward -----------------------------------------------------------------------------------------------------------
// A stage maps (x, y) to (x + wy, x - wy). From |x| <= q on, the bound grows by (1/2 + |x/q| q 2^-52) q: after 17 stages it is below
// 9.6q with q < 2^31, below 13q with q < 2^47, and |xw/q| below 2^50.8. So nothing is reduced on the way. Small numbers that are not
// reduced in the first stage add less than 2^8 q to these bounds.
// small: y fits in nine bits and q in 31, so that wy is exact and small enough as it is.
INLINE quad_t forward4(quad_t v, pair_t w1, pair_t w2, pair_t w3, int small, const constants_t *k) {
    const pair_t c = small ? mul(v.x[2], w1) : times(v.x[2], w1, k);
    const pair_t d = small ? mul(v.x[3], w1) : times(v.x[3], w1, k);
    const pair_t s = add(v.x[0], c);
    const pair_t t = sub(v.x[0], c);
    const pair_t u = times(add(v.x[1], d), w2, k);
    const pair_t z = times(sub(v.x[1], d), w3, k);
    return (quad_t){{add(s, u), sub(s, u), add(t, z), sub(t, z)}};
}

// What a pass begins with: words, or small numbers, or a message and small numbers, or what another pass left.
typedef enum kind { POLY, SMALL, MESSAGE, BETWEEN } kind_t;
typedef struct source {
    kind_t kind;
    const uint64_t *poly;
    const int8_t *small;
    const double *message;
} source_t;

// |message| < 2^61 and q > 2N >= 2^10: its quotient is below 2^51.
INLINE pair_t reduced_message(const double *message, const constants_t *k) { return centred((pair_t){message[0], message[1]}, k); }

INLINE pair_t take(source_t from, size_t i, const constants_t *k) {
    if (from.kind == POLY) return load(from.poly + i, from.poly + i + 1, WORDS);
    if (from.kind == BETWEEN) return load(from.poly + i, from.poly + i + 1, DOUBLES);
    const pair_t small = {from.small[i], from.small[i + 1]};
    return from.kind == SMALL ? small : add(reduced_message(from.message + i, k), small);
}

// Two stages of the block with twiddle number i, four rows that are further apart than a part is long.
INLINE void forward_wide(const rs_limb_t *limb, uint64_t *x, size_t i, size_t gap, source_t from, int small, const constants_t *k) {
    const pair_t w1 = twiddles(limb, i, 0, k);
    const pair_t w2 = twiddles(limb, 2 * i, 0, k);
    const pair_t w3 = twiddles(limb, 2 * i + 1, 0, k);
    uint64_t tile[4 * LINE];
    for (size_t at = 0; at < gap; at += LINE) {
        for (size_t row = 0; row < 4; row++) {
#pragma GCC unroll 4
            for (size_t j = 0; j < LINE; j += 2) {
                uint64_t *p = tile + row * LINE + j;
                store(p, p + 1, take(from, row * gap + at + j, k), DOUBLES, k);
            }
        }
        rows_t r = rows(tile, LINE);
        for (; r.p[0] < tile + LINE; next_pairs(&r)) {
            store_quad(r, 1, forward4(load_quad(r, 1, DOUBLES), w1, w2, w3, small, k), DOUBLES, k);
        }
        for (size_t row = 0; row < 4; row++) copy_line(x + row * gap + at, tile + row * LINE);
    }
    rs_zeroize(tile, sizeof tile);
}

// The first stage, or the first two, so that the others come in pairs.
INLINE void forward_first(const rs_limb_t *limb, uint64_t *poly, source_t from, const constants_t *k) {
    const int small = from.kind == SMALL && k->narrow;
    const size_t n = (size_t)1 << limb->log_n;
    const pair_t w1 = twiddles(limb, 1, 0, k);
    if (limb->log_n & 1) {
        for (size_t i = 0; i < n / 2; i += 2) {
            const pair_t x = take(from, i, k);
            const pair_t y = take(from, i + n / 2, k);
            const pair_t z = small ? mul(y, w1) : times(y, w1, k);
            store(poly + i, poly + i + 1, add(x, z), DOUBLES, k);
            store(poly + i + n / 2, poly + i + n / 2 + 1, sub(x, z), DOUBLES, k);
        }
        return;
    }
    forward_wide(limb, poly, 1, n / 4, from, small, k);
}

// Two stages with `blocks` and 2 blocks blocks, of which `count` from `first` on are here, 4 gap words each, gap even.
INLINE void forward_pass(const rs_limb_t *limb, uint64_t *x, size_t blocks, size_t first, size_t count, size_t gap,
                         const constants_t *k) {
    for (size_t i = first; i < first + count; i++, x += 4 * gap) {
        const pair_t w1 = twiddles(limb, blocks + i, 0, k);
        const pair_t w2 = twiddles(limb, 2 * (blocks + i), 0, k);
        const pair_t w3 = twiddles(limb, 2 * (blocks + i) + 1, 0, k);
        rows_t r = rows(x, gap);
        for (const uint64_t *end = x + gap; r.p[0] < end; next_pairs(&r)) {
            store_quad(r, 1, forward4(load_quad(r, 1, DOUBLES), w1, w2, w3, 0, k), DOUBLES, k);
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

INLINE pair_t with_product(pair_t x, addend_t y, size_t i, size_t step, const constants_t *k) {
    if (y.sign == NOTHING) return x;
    const pair_t r = times(load(y.a + i, y.a + i + step, WORDS), load(y.b + i, y.b + i + step, WORDS), k);
    return y.sign == ADD ? add(x, r) : sub(x, r);
}

// The last two stages: blocks of four words from word `from` on, two blocks at once.
INLINE void forward_last(const rs_limb_t *limb, uint64_t *poly, size_t from, size_t words, addend_t y, const constants_t *k) {
    const size_t blocks = (size_t)1 << (limb->log_n - 2);
    for (size_t at = from; at < from + words; at += 8) {
        const size_t i = blocks + at / 4;
        const pair_t w1 = twiddles(limb, i, 1, k);
        const pair_t w2 = twiddles(limb, 2 * i, 2, k);
        const pair_t w3 = twiddles(limb, 2 * i + 1, 2, k);
        const quad_t v = forward4(load_quad(rows(poly + at, 1), 4, DOUBLES), w1, w2, w3, 0, k);
        const quad_t sum = {{with_product(v.x[0], y, at, 4, k), with_product(v.x[1], y, at + 1, 4, k),
                             with_product(v.x[2], y, at + 2, 4, k), with_product(v.x[3], y, at + 3, 4, k)}};
        store_quad(rows(poly + at, 1), 4, sum, WORDS, k);
    }
}

INLINE void forward(const rs_limb_t *limb, uint64_t *poly, source_t from, addend_t y, int narrow) {
    const constants_t constant = constants(limb, narrow);
    const constants_t *k = &constant;
    const unsigned log_n = limb->log_n;
    unsigned log_blocks = log_n & 1 ? 1 : 2;
    switch (from.kind) { // each a loop of its own
    case BETWEEN:
    case POLY: forward_first(limb, poly, (source_t){POLY, poly, NULL, NULL}, k); break;
    case SMALL: forward_first(limb, poly, (source_t){SMALL, NULL, from.small, NULL}, k); break;
    case MESSAGE: forward_first(limb, poly, (source_t){MESSAGE, NULL, from.small, from.message}, k); break;
    }
    for (; log_n - log_blocks > LOG_PART; log_blocks += 2) {
        const size_t blocks = (size_t)1 << log_blocks;
        const size_t gap = (size_t)1 << (log_n - log_blocks - 2);
        for (size_t i = 0; i < blocks; i++) {
            uint64_t *x = poly + 4 * gap * i;
            forward_wide(limb, x, blocks + i, gap, (source_t){BETWEEN, x, NULL, NULL}, 0, k);
        }
    }
    const unsigned log_part = log_n - log_blocks; // even
    const size_t words = (size_t)1 << log_part;
    for (size_t part = 0; part < (size_t)1 << log_blocks; part++) {
        for (unsigned log_count = 0; log_count + 2 < log_part; log_count += 2) {
            forward_pass(limb, poly + part * words, (size_t)1 << (log_blocks + log_count), part << log_count,
                         (size_t)1 << log_count, words >> (log_count + 2), k);
        }
        switch (y.sign) {
        case NOTHING: forward_last(limb, poly, part * words, words, (addend_t){NOTHING, NULL, NULL}, k); break;
        case ADD: forward_last(limb, poly, part * words, words, (addend_t){ADD, y.a, y.b}, k); break;
        case SUBTRACT: forward_last(limb, poly, part * words, words, (addend_t){SUBTRACT, y.a, y.b}, k); break;
        }
    }
}

// ---- inverse -----------------------------------------------------------------------------------------------------------
// A stage maps (x, y) to (x + y, (y - x) w'), w' the mirrored forward twiddle (ntt.c). Sums double. Narrow: after 17 stages they are below
// 2^17 q < 2^48, and so is |xw/q|. Wide: the sum of four is centred, all others are below q (1 + 2^-2) anyway, products of 4q below 2^50.
INLINE quad_t inverse4(quad_t v, pair_t w2, pair_t w3, pair_t w1, const constants_t *k) {
    const pair_t s = add(v.x[0], v.x[1]);
    const pair_t u = add(v.x[2], v.x[3]);
    const pair_t t = times(sub(v.x[1], v.x[0]), w2, k);
    const pair_t z = times(sub(v.x[3], v.x[2]), w3, k);
    const pair_t sum = add(s, u);
    return (quad_t){{k->narrow ? sum : centred(sum, k), add(t, z), times(sub(u, s), w1, k), times(sub(z, t), w1, k)}};
}

// forward_wide's counterpart. last: the last two stages, whose results are scaled and words.
INLINE void inverse_wide(const rs_limb_t *limb, uint64_t *x, size_t blocks, size_t i, size_t gap, int last, const constants_t *k) {
    const pair_t w2 = twiddles(limb, 4 * blocks - 1 - 2 * i, 0, k);
    const pair_t w3 = twiddles(limb, 4 * blocks - 2 - 2 * i, 0, k);
    const pair_t w1 = last ? both((double)(int64_t)limb->last_inverse.value) : twiddles(limb, 2 * blocks - 1 - i, 0, k);
    const pair_t scale = both((double)(int64_t)limb->n_inverse.value);
    uint64_t tile[4 * LINE];
    for (size_t at = 0; at < gap; at += LINE) {
        for (size_t row = 0; row < 4; row++) copy_line(tile + row * LINE, x + row * gap + at);
        rows_t r = rows(tile, LINE);
        for (; r.p[0] < tile + LINE; next_pairs(&r)) {
            quad_t v = inverse4(load_quad(r, 1, DOUBLES), w2, w3, w1, k);
            if (last) {
                v.x[0] = times(v.x[0], scale, k);
                v.x[1] = times(v.x[1], scale, k);
            }
            store_quad(r, 1, v, last ? WORDS : DOUBLES, k);
        }
        for (size_t row = 0; row < 4; row++) copy_line(x + row * gap + at, tile + row * LINE);
    }
    rs_zeroize(tile, sizeof tile);
}

INLINE void inverse_pass(const rs_limb_t *limb, uint64_t *x, size_t blocks, size_t first, size_t count, size_t gap,
                         const constants_t *k) {
    for (size_t i = first; i < first + count; i++, x += 4 * gap) {
        const pair_t w2 = twiddles(limb, 4 * blocks - 1 - 2 * i, 0, k);
        const pair_t w3 = twiddles(limb, 4 * blocks - 2 - 2 * i, 0, k);
        const pair_t w1 = twiddles(limb, 2 * blocks - 1 - i, 0, k);
        rows_t r = rows(x, gap);
        for (const uint64_t *end = x + gap; r.p[0] < end; next_pairs(&r)) {
            store_quad(r, 1, inverse4(load_quad(r, 1, DOUBLES), w2, w3, w1, k), DOUBLES, k);
        }
    }
}

INLINE void inverse_first(const rs_limb_t *limb, uint64_t *x, size_t blocks, size_t first, size_t count, const constants_t *k) {
    for (size_t i = first; i < first + count; i += 2, x += 8) {
        const pair_t w2 = twiddles(limb, 4 * blocks - 1 - 2 * i, (size_t)0 - 2, k);
        const pair_t w3 = twiddles(limb, 4 * blocks - 2 - 2 * i, (size_t)0 - 2, k);
        const pair_t w1 = twiddles(limb, 2 * blocks - 1 - i, (size_t)0 - 1, k);
        store_quad(rows(x, 1), 4, inverse4(load_quad(rows(x, 1), 4, WORDS), w2, w3, w1, k), DOUBLES, k);
    }
}

INLINE void inverse(const rs_limb_t *limb, uint64_t *poly, int narrow) {
    const constants_t constant = constants(limb, narrow);
    const constants_t *k = &constant;
    const unsigned log_n = limb->log_n;
    const size_t n = (size_t)1 << log_n;
    unsigned log_blocks = log_n & 1 ? 1 : 2;
    while (log_n - log_blocks > LOG_PART) log_blocks += 2;
    const unsigned log_part = log_n - log_blocks;
    for (size_t part = 0; part < (size_t)1 << log_blocks; part++) {
        uint64_t *x = poly + (part << log_part);
        unsigned log_count = log_part - 2;
        inverse_first(limb, x, n / 4, part << log_count, (size_t)1 << log_count, k);
        while (log_count) {
            log_count -= 2;
            const size_t gap = ((size_t)1 << log_part >> log_count) / 4;
            inverse_pass(limb, x, (size_t)1 << (log_blocks + log_count), part << log_count, (size_t)1 << log_count, gap, k);
        }
    }
    while (log_blocks > 2) { // 1 is left, or 2: the last two stages
        log_blocks -= 2;
        const size_t blocks = (size_t)1 << log_blocks;
        const size_t gap = n >> (log_blocks + 2);
        for (size_t i = 0; i < blocks; i++) inverse_wide(limb, poly + 4 * gap * i, blocks, i, gap, 0, k);
    }
    if (!(log_n & 1)) {
        inverse_wide(limb, poly, 1, 0, n / 4, 1, k);
        return;
    }
    const pair_t scale = both((double)(int64_t)limb->n_inverse.value);
    const pair_t last = both((double)(int64_t)limb->last_inverse.value);
    for (uint64_t *p = poly, *r = poly + n / 2; p < poly + n / 2; p += 2, r += 2) {
        const pair_t x = load(p, p + 1, DOUBLES);
        const pair_t y = load(r, r + 1, DOUBLES);
        store(p, p + 1, times(add(x, y), scale, k), WORDS, k);
        store(r, r + 1, times(sub(y, x), last, k), WORDS, k);
    }
}

// ---- pointwise ---------------------------------------------------------------------------------------------------------
INLINE size_t length(const rs_limb_t *limb) { return (size_t)1 << limb->log_n; }

// out = a b, or c + a b, or c - a b. out may be an input, so four words are read before they are written.
INLINE void products(const rs_limb_t *limb, uint64_t *out, const uint64_t *c, addend_t y, int narrow) {
    const constants_t constant = constants(limb, narrow);
    const constants_t *k = &constant;
    for (size_t i = 0; i < length(limb); i += 4) {
        const pair_t u = y.sign == NOTHING ? both(0) : load(c + i, c + i + 1, WORDS);
        const pair_t v = y.sign == NOTHING ? both(0) : load(c + i + 2, c + i + 3, WORDS);
        const addend_t product = {y.sign == NOTHING ? ADD : y.sign, y.a, y.b};
        const pair_t x = with_product(u, product, i, 1, k);
        const pair_t z = with_product(v, product, i + 2, 1, k);
        store_words(out + i, out + i + 1, x, k);
        store_words(out + i + 2, out + i + 3, z, k);
    }
}

INLINE void lift_small(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor, int narrow) {
    if (factor == 1) {
        rs_portable_lift_small(limb, out, small, 1);
        return;
    }
    const constants_t constant = constants(limb, narrow);
    const constants_t *k = &constant;
    const pair_t f = both((double)(int64_t)factor);
    for (size_t i = 0; i < length(limb); i += 2) {
        const pair_t x = {small[i], small[i + 1]};
        store_words(out + i, out + i + 1, narrow ? mul(x, f) : times(x, f, k), k); // |small| < 2^8
    }
}

INLINE void lift_message(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, int narrow) {
    const constants_t constant = constants(limb, narrow);
    const constants_t *k = &constant;
    for (size_t i = 0; i < length(limb); i += 2) {
        const pair_t x = reduced_message(message + i, k);
        store_words(out + i, out + i + 1, error ? add(x, (pair_t){error[i], error[i + 1]}) : x, k);
    }
}

// error - d as double and what that is short of; then modulo q.
INLINE pair_t reduced_difference(const int8_t *error, const int64_t *d, const constants_t *k) {
    const int64_t x = error[0] - d[0];
    const int64_t y = error[1] - d[1];
    const pair_t high = {(double)x, (double)y};
    const pair_t low = {(double)(x - (int64_t)high.a), (double)(y - (int64_t)high.b)};
    return add(centred(high, k), low);
}

INLINE void lift_rounded(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                         uint64_t inverse_factor, int narrow) {
    const constants_t constant = constants(limb, narrow);
    const constants_t *k = &constant;
    const pair_t f = both((double)(int64_t)inverse_factor);
    for (size_t i = 0; i < length(limb); i += 2) {
        const pair_t x = times(reduced_difference(error + i, d + i, k), f, k);
        store_words(out + i, out + i + 1, message ? add(x, reduced_message(message + i, k)) : x, k);
    }
}

// ---- the rings ---------------------------------------------------------------------------------------------------------
#define RING(bits, narrow)                                                                                                     \
    TARGET static void fused_##bits(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *small,          \
                                    const uint64_t *a, const uint64_t *b, int subtract) {                                      \
        const source_t from = {!small ? POLY : message ? MESSAGE : SMALL, out, small, message};                                \
        const addend_t y = {!a ? NOTHING : subtract ? SUBTRACT : ADD, a, b};                                                   \
        forward(limb, out, from, y, narrow);                                                                                   \
    }                                                                                                                          \
    TARGET static void fused_small_##bits(const rs_limb_t *limb, uint64_t *out, const int8_t *small, const uint64_t *a,        \
                                          const uint64_t *b, int subtract) {                                                   \
        fused_##bits(limb, out, NULL, small, a, b, subtract); /* and so shares its code */                                     \
    }                                                                                                                          \
    TARGET static void forward_##bits(const rs_limb_t *limb, uint64_t *poly) {                                                 \
        fused_##bits(limb, poly, NULL, NULL, NULL, NULL, 0);                                                                   \
    }                                                                                                                          \
    TARGET static void inverse_##bits(const rs_limb_t *limb, uint64_t *poly) { inverse(limb, poly, narrow); }                  \
    TARGET static void mul_##bits(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b) {                \
        products(limb, out, NULL, (addend_t){NOTHING, a, b}, narrow);                                                          \
    }                                                                                                                          \
    TARGET static void mul_add_##bits(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b,              \
                                      const uint64_t *c) {                                                                     \
        products(limb, out, c, (addend_t){ADD, a, b}, narrow);                                                                 \
    }                                                                                                                          \
    TARGET static void mul_sub_##bits(const rs_limb_t *limb, uint64_t *out, const uint64_t *a, const uint64_t *b,              \
                                      const uint64_t *c) {                                                                     \
        products(limb, out, c, (addend_t){SUBTRACT, a, b}, narrow);                                                            \
    }                                                                                                                          \
    TARGET static void lift_small_##bits(const rs_limb_t *limb, uint64_t *out, const int8_t *small, uint64_t factor) {         \
        lift_small(limb, out, small, factor, narrow);                                                                          \
    }                                                                                                                          \
    TARGET static void lift_message_##bits(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error) { \
        lift_message(limb, out, message, error, narrow);                                                                       \
    }                                                                                                                          \
    TARGET static void lift_rounded_##bits(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error,   \
                                           const int64_t *d, uint64_t inverse_factor) {                                        \
        lift_rounded(limb, out, message, error, d, inverse_factor, narrow);                                                    \
    }                                                                                                                          \
    const rs_ring_t RS_RING_FMA_##bits = {                                                                                     \
        .quotient_bits = (narrow) ? 32 : 64,                                                                                   \
        .forward = forward_##bits,                                                                                             \
        .fused = fused_small_##bits,                                                                                           \
        .inverse = inverse_##bits,                                                                                             \
        .mul = mul_##bits,                                                                                                     \
        .mul_add = mul_add_##bits,                                                                                             \
        .mul_sub = mul_sub_##bits,                                                                                             \
        .lift_small = lift_small_##bits,                                                                                       \
    };                                                                                                                         \
    const rs_lifts_t RS_LIFTS_FMA_##bits = {                                                                                   \
        .fused = fused_##bits,                                                                                                 \
        .lift_message = lift_message_##bits,                                                                                   \
        .lift_rounded = lift_rounded_##bits,                                                                                   \
        .centre = rs_portable_centre,                                                                                          \
    };

RING(31, 1)
RING(47, 0)

#ifdef __x86_64__
int rs_fma_available(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("fma") != 0;
}
#endif
#endif
