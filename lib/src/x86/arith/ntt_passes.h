// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT on vectors: the order of the passes, for lanes of any kind. It is no ordinary header: each kernel includes it once,
// after it has defined
//   TARGET, INLINE          attributes of functions: the instructions, and always inline
//   LOG_LANES               a vector holds 2^LOG_LANES coefficients
//   word_t, vec_t           a coefficient between passes, a vector of them
//   load, store             vectors of words;  load_wide, store_wide: of 64-bit words
//   load_up, load_down      p[l >> log_run], p[-(l >> log_run)] in lane l
//   exchange, even_odd, even_odd_undo      on pairs of vectors: see ntt_lanes512.h
//   splat, add, sub         one word in all lanes; on vectors
//   csub                    x in [0, 2 bound) -> [0, bound)
//   SPARE_BITS              2^SPARE_BITS q fits a word, as mul_lazy and csub take them
//   constants_t             what a butterfly needs of the modulus, made by constants(): q[i] is q 2^i, i < SPARE_BITS
//   factor_t                what it needs of a twiddle w and floor(w 2^QUOTIENT_BITS / q), made by factor_all() of one for all lanes,
//                           by factor_of() of vectors
//   mul_lazy                any residue y -> wy mod q, below q 2^LOG_PRODUCT
// CENTRED (below):
//   mul_centred             the same product less half of its bound, or any in (-bound, bound): then LOG_STEP is one more than LOG_PRODUCT
//   lowered                 of any residues of 2^SPARE_BITS q, such as lie in an interval of LOWERED q around half of that
// ROOMY (CENTRED): 1 where the room, 256 q, is so wide that no residue is lowered forward, and one of a radix inverse.
//   settle                  what csub takes, of what mul_lazy and sums of its results leave in a word: mul_lazy itself may not care
// and, where the first and the last pass do more than that (ntt_x86.h, rs_lifted_t), LIFTED and
//   lift_t, lift_of         what these need of a limb
//   taken_bound             how many q the words of a kind of lift may span
//   take                    these words; CENTRED: around 2^LOG_HALF q
//   with_product            unreduced words + a b, or - a b, reduced
//   finished                unreduced words, reduced
// and MULTIPLIED, where the inverse transform's first pass makes products
//   multiplied              a b as this pass takes it, of reduced words
//
// A pass over memory does two or three stages (radix 4, 8) on vectors that are far apart. The last pass (in the inverse transform, the
// first) does four stages on the sixteen vectors of a tile and, in registers, the stages inside vectors. A block fits the first-level
// cache. Stages that reach further than a block come before all others; then the blocks are finished one after the other.
//
// Twiddles are numbered like the nodes of a binary tree: the first stage has node 1, and the halves of a node have 2 node and
// 2 node + 1. The inverse takes the mirrored ones (ntt.c): there the halves of `mirror` have 2 mirror + 1 and 2 mirror.
//
// Kernels of 32 bits work on words of 32 bits also when the polynomial's words are wider ("wide"): the first pass narrows, the
// last one widens. It happens in place, region by region (one per output of the first radix): narrow words live in the upper
// half of their region. So code that writes wide words, after it has read the same number of narrow ones, goes upwards, and
// code that reads wide words goes downwards.

// The bounds of all loops are constants, so that compilers keep arrays of vectors in registers.
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

enum {
    LANES = 1 << LOG_LANES,
    LOG_TILE = 4 + LOG_LANES,
    TILE = 1 << LOG_TILE,
    LOG_BLOCK = 12,
};

// Residues are below 2^SPARE_BITS q between forward stages, below half of that between inverse ones (Harvey 2014, with more room).
// A forward stage adds a product's bound to theirs. All bounds are counted in q, at compile time inside a pass: residues are lowered to
// LOWERED in the last stage before which that has to be. CENTRED: a bound is the width of an interval around half of the room, and
// products lie around zero, so that sums and differences need nothing that keeps them from becoming negative.
enum {
    LOG_HALF = SPARE_BITS - 1,
    ROOM = 1 << SPARE_BITS,
    STEP = 1 << LOG_STEP,
};

#ifndef ROOMY
#define ROOMY 0
#endif
#ifndef CENTRED
enum { LOWERED = ROOM / 2 };

INLINE vec_t lowered(vec_t x, const constants_t *k) { return csub(settle(x), k->q[LOG_HALF]); }
#endif

static inline int too_wide(unsigned bound) { return !ROOMY && bound + STEP > ROOM; }

static inline unsigned bound_after(unsigned bound, unsigned stages) {
    for (unsigned i = 0; i < stages; i++) bound = (too_wide(bound) ? LOWERED : bound) + STEP;
    return bound;
}

enum {
    JOBS_MAX = 3, // polynomials in one sweep
    // The first pass has more streams than processors follow of their own accord, and a product's factor is as far as memory.
    WORDS_AHEAD = 64,
    TILES_AHEAD = 4,
};

typedef struct job {
    const word_t *twiddles;
    const word_t *quotients;
    constants_t constants;
    unsigned bound; // after the first pass
#ifdef LIFTED
    int finish; // a finish_t
    const rs_lifted_t *lifted;
    const lift_t *lift;
    const word_t *begin; // the beginning of the result
#endif
} job_t;

// How many of the remaining stages outside tiles the next pass does: as many passes of radix 8 as possible, but none of radix 2.
static inline unsigned log_radix_of(unsigned stages) { return stages == 2 || stages == 4 ? 2 : 3; }

// With 32 registers, sixteen vectors are one pass instead of two. Not the first one, nor one outside blocks.
static inline unsigned forward_log_radix(unsigned stages) {
#ifdef SIXTEEN
    if (stages == 4) return 4;
#endif
    return log_radix_of(stages);
}

INLINE vec_t load_from(const void *p, size_t i, int wide) {
    return wide ? load_wide((const uint64_t *)p + i) : load((const word_t *)p + i);
}

INLINE void store_to(void *p, size_t i, vec_t x, int wide) {
    if (wide) {
        store_wide((uint64_t *)p + i, x);
    } else {
        store((word_t *)p + i, x);
    }
}

// Twiddle i in all lanes; twiddle i + (l >> log_run), i - (l >> log_run) in lane l.
INLINE factor_t factor_at(const job_t *job, size_t i) { return factor_all(job->twiddles[i], job->quotients[i]); }

INLINE factor_t factor_up(const job_t *job, size_t i, unsigned log_run) {
    return factor_of(load_up(job->twiddles + i, log_run), load_up(job->quotients + i, log_run));
}

INLINE factor_t factor_down(const job_t *job, size_t i, unsigned log_run) {
    return factor_of(load_down(job->twiddles + i, log_run), load_down(job->quotients + i, log_run));
}

INLINE factor_t factor_scale(const rs_factor_t *f) { return factor_all(f->value, f->quotient >> (64 - QUOTIENT_BITS)); }

// x below q 2^log_bound -> [0, q)
INLINE vec_t reduce(vec_t x, unsigned log_bound, const constants_t *k) {
    x = settle(x);
    UNROLL
    for (unsigned i = log_bound; i-- > 0;) x = csub(x, k->q[i]);
    return x;
}

// Words that a pass works on together: stream i begins at i * stride.
typedef struct streams {
    void *base;
    size_t stride;
    int wide;
} streams_t;

INLINE void load_four(vec_t *v, streams_t s, size_t at, size_t first) {
    v[0] = load_from(s.base, first * s.stride + at, s.wide);
    v[1] = load_from(s.base, (first + 1) * s.stride + at, s.wide);
    v[2] = load_from(s.base, (first + 2) * s.stride + at, s.wide);
    v[3] = load_from(s.base, (first + 3) * s.stride + at, s.wide);
}

INLINE void store_four(streams_t s, size_t at, size_t first, const vec_t *v) {
    store_to(s.base, first * s.stride + at, v[0], s.wide);
    store_to(s.base, (first + 1) * s.stride + at, v[1], s.wide);
    store_to(s.base, (first + 2) * s.stride + at, v[2], s.wide);
    store_to(s.base, (first + 3) * s.stride + at, v[3], s.wide);
}

// ---- forward -----------------------------------------------------------------------------------------------------------
typedef struct factors4 {
    factor_t coarse, fine[2];
} factors4_t;

typedef struct factors8 {
    factor_t coarse;
    factors4_t halves[2];
} factors8_t;

typedef struct factors16 {
    factor_t coarse;
    factors8_t halves[2];
} factors16_t;

// (x, y) -> (x + wy, x - wy), of residues within a bound
INLINE void forward_butterfly(vec_t *x, vec_t *y, const factor_t *f, const constants_t *k, unsigned bound) {
    const vec_t a = too_wide(bound) ? lowered(*x, k) : *x;
#ifdef CENTRED
    const vec_t b = mul_centred(*y, f, k);
    *x = add(a, b);
    *y = sub(a, b);
#else
    const vec_t b = mul_lazy(*y, f, k);
    *x = add(a, b);
    *y = sub(add(a, k->q[LOG_PRODUCT]), b);
#endif
}

INLINE factors4_t forward_factors4(const job_t *job, size_t node) {
    return (factors4_t){factor_at(job, node), {factor_at(job, 2 * node), factor_at(job, 2 * node + 1)}};
}

INLINE factors8_t forward_factors8(const job_t *job, size_t node) {
    return (factors8_t){factor_at(job, node), {forward_factors4(job, 2 * node), forward_factors4(job, 2 * node + 1)}};
}

INLINE factors16_t forward_factors16(const job_t *job, size_t node) {
    return (factors16_t){factor_at(job, node), {forward_factors8(job, 2 * node), forward_factors8(job, 2 * node + 1)}};
}

INLINE void forward4(vec_t *v, const factors4_t *f, const constants_t *k, unsigned bound) {
    forward_butterfly(&v[0], &v[2], &f->coarse, k, bound);
    forward_butterfly(&v[1], &v[3], &f->coarse, k, bound);
    forward_butterfly(&v[0], &v[1], &f->fine[0], k, bound_after(bound, 1));
    forward_butterfly(&v[2], &v[3], &f->fine[1], k, bound_after(bound, 1));
}

INLINE void forward8(vec_t *v, const factors8_t *f, const constants_t *k, unsigned bound) {
    forward_butterfly(&v[0], &v[4], &f->coarse, k, bound);
    forward_butterfly(&v[1], &v[5], &f->coarse, k, bound);
    forward_butterfly(&v[2], &v[6], &f->coarse, k, bound);
    forward_butterfly(&v[3], &v[7], &f->coarse, k, bound);
    forward4(v, &f->halves[0], k, bound_after(bound, 1));
    forward4(v + 4, &f->halves[1], k, bound_after(bound, 1));
}

INLINE void forward16(vec_t *v, const factors16_t *f, const constants_t *k, unsigned bound) {
    UNROLL
    for (unsigned i = 0; i < 8; i++) forward_butterfly(&v[i], &v[i + 8], &f->coarse, k, bound);
    forward8(v, &f->halves[0], k, bound_after(bound, 1));
    forward8(v + 8, &f->halves[1], k, bound_after(bound, 1));
}

// Four, eight or sixteen streams of `count` words, `stride` apart.
INLINE void forward_streams(const job_t *job, streams_t from, streams_t to, size_t count, size_t node, unsigned log_radix,
                            unsigned bound) {
    const constants_t k = job->constants;
    if (log_radix == 4) {
        const factors16_t f = forward_factors16(job, node);
        for (size_t j = count; j > 0;) {
            j -= LANES;
            vec_t v[16];
            UNROLL
            for (unsigned i = 0; i < 16; i += 4) load_four(v + i, from, j, i);
            forward16(v, &f, &k, bound);
            UNROLL
            for (unsigned i = 0; i < 16; i += 4) store_four(to, j, i, v + i);
        }
    } else if (log_radix == 3) {
        const factors8_t f = forward_factors8(job, node);
        for (size_t j = count; j > 0;) {
            j -= LANES;
            vec_t v[8];
            load_four(v, from, j, 0);
            load_four(v + 4, from, j, 4);
            forward8(v, &f, &k, bound);
            store_four(to, j, 0, v);
            store_four(to, j, 4, v + 4);
        }
    } else {
        const factors4_t f = forward_factors4(job, node);
        for (size_t j = count; j > 0;) {
            j -= LANES;
            vec_t v[4];
            load_four(v, from, j, 0);
            forward4(v, &f, &k, bound);
            store_four(to, j, 0, v);
        }
    }
}

// No residue is lowered in a pass; the bound after it, where others are taken for the widest.
static inline int is_lazy(unsigned bound, unsigned log_radix) { return bound + log_radix * STEP <= ROOM; }

static inline unsigned bound_passed(unsigned bound, unsigned log_radix) {
    return bound_after(is_lazy(bound, log_radix) ? bound : ROOM, log_radix);
}

// One pass over all `count` pieces of x. The pieces are neighbours, and so are their nodes.
TARGET static void forward_pass(const job_t *job, word_t *x, unsigned log_length, size_t count, size_t node, unsigned log_radix,
                                unsigned bound) {
    const size_t stride = (size_t)1 << (log_length - log_radix);
    const int lazy = is_lazy(bound, log_radix);
    for (size_t i = 0; i < count; i++) {
        const streams_t piece = {x + (i << log_length), stride, 0};
        if (lazy) {
            forward_streams(job, piece, piece, stride, node + i, log_radix, 0);
        } else {
            forward_streams(job, piece, piece, stride, node + i, log_radix, ROOM);
        }
    }
}

// In the middle of a tile's work, where no loads wait for it.
INLINE void prefetch_tile(const word_t *p) {
    UNROLL
    for (unsigned i = 0; i < 16; i++) __builtin_prefetch(p + i * LANES);
}

// A tile's first four stages: one of 2^s blocks. (Stage by stage, so that eight butterflies at a time are independent.)
INLINE void forward_across(const job_t *job, vec_t *v, size_t node, unsigned s, const constants_t *k) {
    UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const unsigned half = 8 >> s;
        const unsigned block = i / half;
        const factor_t f = factor_at(job, (node << s) + block);
        vec_t *x = &v[i + block * half];
        forward_butterfly(x, x + half, &f, k, bound_after(ROOM, s));
    }
}

// Its other stages, inside pairs of neighbouring vectors, t = LANES/2 ... 1. Before each, an exchange makes the coefficients
// with bit t clear one vector, those with bit t set the other, both in order.
INLINE void forward_lanes(const job_t *job, vec_t *v, size_t node, unsigned log_t, const constants_t *k) {
    UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const factor_t f = factor_up(job, (8 * node + i) << (LOG_LANES - log_t), log_t);
        exchange(v + 2 * i, log_t);
        forward_butterfly(&v[2 * i], &v[2 * i + 1], &f, k, bound_after(ROOM, 3 + LOG_LANES - log_t));
    }
}

// What leaves the transform: how words are finished.
typedef enum finish {
    FINISH_REDUCED,
    FINISH_PLUS, // with the lift's product
    FINISH_MINUS, // less the product
    FINISH_LAZY, // not at all
} finish_t;

INLINE void forward_tiles(const job_t *job, const word_t *x, void *out, size_t count, size_t node, finish_t finish, int wide) {
    const constants_t k = job->constants;
#ifdef LIFTED
    const lift_t lift = *job->lift; // a copy that no store of words can change, in the compiler's eyes
    const size_t begin = (size_t)((const word_t *)out - job->begin);
    const word_t *a = job->lifted->a + begin;
    const word_t *b = job->lifted->b + begin;
#endif
    for (size_t tile = 0; tile < count; tile++) {
        vec_t v[16];
        UNROLL
        for (unsigned i = 0; i < 16; i++) v[i] = load(x + tile * TILE + i * LANES);
        forward_across(job, v, node + tile, 0, &k);
        forward_across(job, v, node + tile, 1, &k);
        forward_across(job, v, node + tile, 2, &k);
        forward_across(job, v, node + tile, 3, &k);
#ifdef LIFTED
        if (finish == FINISH_PLUS) prefetch_tile(a + (tile + TILES_AHEAD) * TILE);
        if (finish == FINISH_MINUS) prefetch_tile(b + (tile + TILES_AHEAD) * TILE);
#endif
        if (LOG_LANES > 3) forward_lanes(job, v, node + tile, 3, &k);
        if (LOG_LANES > 2) forward_lanes(job, v, node + tile, 2, &k);
        forward_lanes(job, v, node + tile, 1, &k);
        forward_lanes(job, v, node + tile, 0, &k);
        UNROLL
        for (unsigned i = 0; i < 16; i += 2) {
#ifdef LIFTED
            const size_t at = tile * TILE + i * LANES;
            even_odd_undo(v + i);
            if (finish == FINISH_PLUS || finish == FINISH_MINUS) {
                v[i] = with_product(v[i], load(a + at), load(b + at), finish == FINISH_MINUS, &lift, &k);
                v[i + 1] = with_product(v[i + 1], load(a + at + LANES), load(b + at + LANES), finish == FINISH_MINUS, &lift, &k);
            } else if (finish == FINISH_REDUCED) {
                v[i] = finished(v[i], &lift, &k);
                v[i + 1] = finished(v[i + 1], &lift, &k);
            }
#else
            (void)finish;
            v[i] = reduce(v[i], SPARE_BITS, &k);
            v[i + 1] = reduce(v[i + 1], SPARE_BITS, &k);
            even_odd_undo(v + i);
#endif
            store_to(out, tile * TILE + i * LANES, v[i], wide);
            store_to(out, tile * TILE + (i + 1) * LANES, v[i + 1], wide);
        }
    }
}

// The tiles of a block, each kind a loop of its own.
INLINE void forward_finish(const job_t *job, const word_t *x, void *out, size_t count, size_t node, int wide) {
#ifdef LIFTED
    if (job->finish == FINISH_PLUS) {
        forward_tiles(job, x, out, count, node, FINISH_PLUS, wide);
        return;
    }
    if (job->finish == FINISH_MINUS) {
        forward_tiles(job, x, out, count, node, FINISH_MINUS, wide);
        return;
    }
    if (job->finish == FINISH_LAZY) {
        forward_tiles(job, x, out, count, node, FINISH_LAZY, wide);
        return;
    }
#endif
    forward_tiles(job, x, out, count, node, FINISH_REDUCED, wide);
}

// All remaining stages of a block that fits the first-level cache.
INLINE void forward_block(const job_t *job, word_t *x, void *out, unsigned log_length, size_t node, unsigned bound, int wide) {
    size_t pieces = 1;
    while (log_length > LOG_TILE) {
        const unsigned log_radix = forward_log_radix(log_length - LOG_TILE);
        forward_pass(job, x, log_length, pieces, node, log_radix, bound);
        bound = bound_passed(bound, log_radix);
        log_length -= log_radix;
        pieces <<= log_radix;
        node <<= log_radix;
    }
    forward_finish(job, x, out, pieces, node, wide);
}

// All remaining stages of a node's words; the result goes to `out`. Of several polynomials at a time, block by block, so that they share the
// twiddles, and that one's words are still near when another is multiplied by them.
INLINE void forward_node(const job_t *const *jobs, unsigned count, word_t *const *x, void *const *out, unsigned log_length,
                         size_t node, int wide) {
    unsigned bounds[JOBS_MAX];
    for (unsigned j = 0; j < count; j++) bounds[j] = jobs[j]->bound;
    size_t blocks = 1;
    while (log_length > LOG_BLOCK) {
        const unsigned log_radix = log_radix_of(log_length - LOG_TILE);
        for (unsigned j = 0; j < count; j++) {
            forward_pass(jobs[j], x[j], log_length, blocks, node, log_radix, bounds[j]);
            bounds[j] = bound_passed(bounds[j], log_radix);
        }
        log_length -= log_radix;
        blocks <<= log_radix;
        node <<= log_radix;
    }
    for (size_t i = 0; i < blocks; i++) {
        const size_t at = i << log_length;
        for (unsigned j = 0; j < count; j++) {
            void *block_out = wide ? (void *)((uint64_t *)out[j] + at) : (void *)((word_t *)out[j] + at);
            forward_block(jobs[j], x[j] + at, block_out, log_length, node + i, bounds[j], wide);
        }
    }
}

INLINE job_t job_of(const rs_limb_t *limb) {
    return (job_t){.twiddles = limb->twiddles, .quotients = limb->quotients, .constants = constants(limb->modulus.q)};
}

#ifdef LIFTED
INLINE void take_four(vec_t *v, const rs_lifted_t *lifted, const lift_t *lift, const word_t *poly, rs_lift_kind_t kind,
                      size_t region, size_t at, size_t first) {
    UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const size_t ahead = (first + i) * region + at + WORDS_AHEAD;
        if (kind == RS_LIFT_ROUNDED || kind == RS_LIFT_BOTH) __builtin_prefetch(lifted->d + ahead);
        if (kind == RS_LIFT_BOTH) __builtin_prefetch(lifted->message + ahead);
        __builtin_prefetch(poly + ahead, 1);
    }
    v[0] = take(lifted, kind, poly, first * region + at, lift);
    v[1] = take(lifted, kind, poly, (first + 1) * region + at, lift);
    v[2] = take(lifted, kind, poly, (first + 2) * region + at, lift);
    v[3] = take(lifted, kind, poly, (first + 3) * region + at, lift);
}

// forward_streams on all of the polynomial, from what the kind says.
INLINE void forward_lifts(const job_t *job, rs_lift_kind_t kind, word_t *x, size_t region, unsigned log_radix) {
    const constants_t k = job->constants;
    const streams_t to = {x, region, 0};
    const unsigned bound = taken_bound(kind);
    const rs_lifted_t lifted = *job->lifted; // copies as in forward_tiles
    const lift_t lift = *job->lift;
    const word_t *poly = job->begin;
    if (log_radix == 3) {
        const factors8_t f = forward_factors8(job, 1);
        for (size_t j = 0; j < region; j += LANES) {
            vec_t v[8];
            take_four(v, &lifted, &lift, poly, kind, region, j, 0);
            take_four(v + 4, &lifted, &lift, poly, kind, region, j, 4);
            forward8(v, &f, &k, bound);
            store_four(to, j, 0, v);
            store_four(to, j, 4, v + 4);
        }
    } else {
        const factors4_t f = forward_factors4(job, 1);
        for (size_t j = 0; j < region; j += LANES) {
            vec_t v[4];
            take_four(v, &lifted, &lift, poly, kind, region, j, 0);
            forward4(v, &f, &k, bound);
            store_four(to, j, 0, v);
        }
    }
}

// The first pass, each kind a loop of its own.
INLINE void forward_first(job_t *job, word_t *x, size_t region, unsigned log_radix) {
    const rs_lift_kind_t kind = job->lifted->kind;
    job->begin = x;
    job->bound = bound_after(taken_bound(kind), log_radix);
    switch (kind) {
    case RS_LIFT_POLY: forward_lifts(job, RS_LIFT_POLY, x, region, log_radix); break;
    case RS_LIFT_SMALL: forward_lifts(job, RS_LIFT_SMALL, x, region, log_radix); break;
    case RS_LIFT_TERNARY: forward_lifts(job, RS_LIFT_TERNARY, x, region, log_radix); break;
    case RS_LIFT_SCALED: forward_lifts(job, RS_LIFT_SCALED, x, region, log_radix); break;
    case RS_LIFT_MESSAGE: forward_lifts(job, RS_LIFT_MESSAGE, x, region, log_radix); break;
    case RS_LIFT_ROUNDED: forward_lifts(job, RS_LIFT_ROUNDED, x, region, log_radix); break;
    case RS_LIFT_BOTH: forward_lifts(job, RS_LIFT_BOTH, x, region, log_radix); break;
    }
}

static inline finish_t finish_of(const rs_lifted_t *lifted, int lazy) {
    if (lifted->a) return lifted->subtract ? FINISH_MINUS : FINISH_PLUS;
    return lazy ? FINISH_LAZY : FINISH_REDUCED;
}

// `count` polynomials of a limb: out[j] becomes the transform of lifted[j]. One of them may be a factor of the products of those after it;
// then `lazy` says how many of the first ones need not be reduced.
INLINE void forward_lifted(const rs_limb_t *limb, unsigned count, word_t *const *out, const rs_lifted_t *lifted, unsigned lazy) {
    lift_t lifts[JOBS_MAX];
    job_t jobs[JOBS_MAX];
    const job_t *each[JOBS_MAX];
    const unsigned log_radix = log_radix_of(limb->log_n - LOG_TILE);
    const unsigned log_region = limb->log_n - log_radix;
    const size_t region = (size_t)1 << log_region;
    for (unsigned j = 0; j < count; j++) {
        lifts[j] = lift_of(limb, &lifted[j]);
        jobs[j] = job_of(limb);
        jobs[j].lifted = &lifted[j];
        jobs[j].lift = &lifts[j];
        jobs[j].finish = finish_of(&lifted[j], j < lazy);
        each[j] = &jobs[j];
        forward_first(&jobs[j], out[j], region, log_radix);
    }
    for (size_t i = 0; i < (size_t)1 << log_radix; i++) {
        word_t *x[JOBS_MAX] = {0};
        void *to[JOBS_MAX] = {0};
        for (unsigned j = 0; j < count; j++) to[j] = x[j] = out[j] + i * region;
        forward_node(each, count, x, to, log_region, ((size_t)1 << log_radix) + i, 0);
    }
}

// A kernel's forward transforms, with lifts and without. lazy: forward_lifted's, which may depend on count.
#define FORWARD(name, lazy)                                                                                             \
    TARGET void name##_lifted(const rs_limb_t *limb, unsigned count, uint64_t *const *out, const rs_lifted_t *lifted) { \
        forward_lifted(limb, count, out, lifted, lazy);                                                                 \
    }                                                                                                                   \
    void name##_forward(const rs_limb_t *limb, uint64_t *poly) {                                                        \
        const rs_lifted_t lifted = {.kind = RS_LIFT_POLY, .factor = 1};                                                 \
        name##_lifted(limb, 1, &poly, &lifted);                                                                         \
    }
#else

INLINE void forward_all(const rs_limb_t *limb, void *poly, int wide) {
    job_t job = job_of(limb);
    const job_t *const jobs[1] = {&job};
    const unsigned log_radix = log_radix_of(limb->log_n - LOG_TILE);
    const unsigned log_region = limb->log_n - log_radix;
    const size_t region = (size_t)1 << log_region;
    const size_t stride = wide ? 2 * region : region;
    word_t *x = (word_t *)poly + (wide ? region : 0);
    job.bound = bound_after(1, log_radix);
    forward_streams(&job, (streams_t){poly, region, wide}, (streams_t){x, stride, 0}, region, 1, log_radix, 1);
    for (size_t i = 0; i < (size_t)1 << log_radix; i++) {
        word_t *const node[1] = {x + i * stride};
        void *const to[1] = {(word_t *)poly + i * stride};
        forward_node(jobs, 1, node, to, log_region, ((size_t)1 << log_radix) + i, wide);
    }
}

#endif

// ---- inverse -----------------------------------------------------------------------------------------------------------
INLINE factors4_t inverse_factors4(const job_t *job, size_t mirror) {
    return (factors4_t){factor_at(job, mirror), {factor_at(job, 2 * mirror + 1), factor_at(job, 2 * mirror)}};
}

INLINE factors8_t inverse_factors8(const job_t *job, size_t mirror) {
    return (factors8_t){factor_at(job, mirror), {inverse_factors4(job, 2 * mirror + 1), inverse_factors4(job, 2 * mirror)}};
}

// (x, y) -> (x + y, w (y - x)), all below half of the forward bound, so that sums and differences are below that bound.
INLINE void inverse_butterfly(vec_t *x, vec_t *y, const factor_t *f, const constants_t *k) {
    const vec_t difference = add(sub(*y, *x), k->q[LOG_HALF]);
    *x = ROOMY ? add(*x, *y) : csub(settle(add(*x, *y)), k->q[LOG_HALF]);
    *y = mul_lazy(difference, f, k);
}

// The sum of all words of a radix. ROOMY: of words below 32q it is below 256q, and is lowered; sums with a product on the way stay below 32q.
INLINE vec_t whole_sum(vec_t x, const constants_t *k) { return ROOMY ? lowered(x, k) : x; }

// (x, y) -> (s (x + y), d (y - x)) < q
INLINE void last_butterfly(vec_t *x, vec_t *y, const factor_t *s, const factor_t *d, const constants_t *k) {
    const vec_t difference = add(sub(*y, *x), k->q[LOG_HALF]);
    *x = reduce(mul_lazy(add(*x, *y), s, k), LOG_PRODUCT, k);
    *y = reduce(mul_lazy(difference, d, k), LOG_PRODUCT, k);
}

// The transform's last stage, if `scale` is there: factors of the sums and of the differences.
INLINE void inverse_coarse(vec_t *x, vec_t *y, const factor_t *f, const factor_t *scale, const constants_t *k) {
    if (scale) {
        last_butterfly(x, y, &scale[0], &scale[1], k);
    } else {
        inverse_butterfly(x, y, f, k);
    }
}

INLINE void inverse4(vec_t *v, const factors4_t *f, const factor_t *scale, const constants_t *k) {
    inverse_butterfly(&v[0], &v[1], &f->fine[0], k);
    inverse_butterfly(&v[2], &v[3], &f->fine[1], k);
    inverse_coarse(&v[0], &v[2], &f->coarse, scale, k);
    inverse_coarse(&v[1], &v[3], &f->coarse, scale, k);
}

INLINE void inverse8(vec_t *v, const factors8_t *f, const factor_t *scale, const constants_t *k) {
    inverse4(v, &f->halves[0], NULL, k);
    inverse4(v + 4, &f->halves[1], NULL, k);
    inverse_coarse(&v[0], &v[4], &f->coarse, scale, k);
    inverse_coarse(&v[1], &v[5], &f->coarse, scale, k);
    inverse_coarse(&v[2], &v[6], &f->coarse, scale, k);
    inverse_coarse(&v[3], &v[7], &f->coarse, scale, k);
}

INLINE void inverse_streams(const job_t *job, streams_t from, streams_t to, size_t count, size_t mirror, unsigned log_radix,
                            const factor_t *scale) {
    const constants_t k = job->constants;
    if (log_radix == 3) {
        const factors8_t f = inverse_factors8(job, mirror);
        for (size_t j = 0; j < count; j += LANES) {
            vec_t v[8];
            load_four(v, from, j, 0);
            load_four(v + 4, from, j, 4);
            inverse8(v, &f, scale, &k);
            if (!scale) v[0] = whole_sum(v[0], &k);
            store_four(to, j, 0, v);
            store_four(to, j, 4, v + 4);
        }
    } else {
        const factors4_t f = inverse_factors4(job, mirror);
        for (size_t j = 0; j < count; j += LANES) {
            vec_t v[4];
            load_four(v, from, j, 0);
            inverse4(v, &f, scale, &k);
            if (!scale) v[0] = whole_sum(v[0], &k);
            store_four(to, j, 0, v);
        }
    }
}

TARGET static void inverse_pass(const job_t *job, word_t *x, unsigned log_length, size_t count, size_t mirror, unsigned log_radix) {
    const size_t stride = (size_t)1 << (log_length - log_radix);
    for (size_t i = 0; i < count; i++) {
        const streams_t piece = {x + (i << log_length), stride, 0};
        inverse_streams(job, piece, piece, stride, mirror - i, log_radix, NULL);
    }
}

INLINE void inverse_lanes(const job_t *job, vec_t *v, size_t mirror, unsigned log_t, const constants_t *k) {
    UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const size_t last = ((8 * mirror + 8 - i) << (LOG_LANES - log_t)) - 1;
        const factor_t f = factor_down(job, last, log_t);
        inverse_butterfly(&v[2 * i], &v[2 * i + 1], &f, k);
        exchange(v + 2 * i, log_t);
    }
}

INLINE void inverse_across(const job_t *job, vec_t *v, size_t mirror, unsigned s, const constants_t *k) {
    UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const unsigned half = 8 >> s;
        const unsigned block = i / half;
        const factor_t f = factor_at(job, ((mirror + 1) << s) - 1 - block);
        vec_t *x = &v[i + block * half];
        inverse_butterfly(x, x + half, &f, k);
    }
}

INLINE void inverse_tiles(const job_t *job, const void *in, word_t *x, size_t count, size_t mirror, int wide) {
    const constants_t k = job->constants;
#ifdef MULTIPLIED
    const lift_t lift = *job->lift;
#endif
    for (size_t step = 0; step < count; step++) {
        const size_t tile = wide ? count - 1 - step : step;
        vec_t v[16];
        UNROLL
        for (unsigned i = 0; i < 16; i++) v[i] = load_from(in, tile * TILE + i * LANES, wide);
#ifdef MULTIPLIED
        if (job->lifted) {
            const word_t *b = job->lifted->b + (x - job->begin) + tile * TILE;
            UNROLL
            for (unsigned i = 0; i < 16; i++) v[i] = multiplied(v[i], load(b + i * LANES), &lift, &k);
        }
#endif
        UNROLL
        for (unsigned i = 0; i < 16; i += 2) even_odd(v + i);
        inverse_lanes(job, v, mirror - tile, 0, &k);
        inverse_lanes(job, v, mirror - tile, 1, &k);
        if (LOG_LANES > 2) inverse_lanes(job, v, mirror - tile, 2, &k);
        if (LOG_LANES > 3) inverse_lanes(job, v, mirror - tile, 3, &k);
#ifdef MULTIPLIED
        if (job->lifted) prefetch_tile(job->lifted->b + (x - job->begin) + (tile + TILES_AHEAD) * TILE);
#endif
        inverse_across(job, v, mirror - tile, 3, &k);
        inverse_across(job, v, mirror - tile, 2, &k);
        inverse_across(job, v, mirror - tile, 1, &k);
        inverse_across(job, v, mirror - tile, 0, &k);
        v[0] = whole_sum(v[0], &k);
        UNROLL
        for (unsigned i = 0; i < 16; i++) store(x + tile * TILE + i * LANES, v[i]);
    }
}

// The blocks are forward_node's.
INLINE void inverse_node(const job_t *job, const void *in, word_t *x, unsigned log_length, size_t mirror, int wide) {
    unsigned log_block = log_length;
    while (log_block > LOG_BLOCK) log_block -= log_radix_of(log_block - LOG_TILE);
    const unsigned log_blocks = log_length - log_block;
    for (size_t block = 0; block < (size_t)1 << log_blocks; block++) {
        const size_t i = wide ? ((size_t)1 << log_blocks) - 1 - block : block;
        const size_t at = i << log_block;
        const size_t first = ((mirror + 1) << log_blocks) - 1 - i;
        const void *block_in = wide ? (const void *)((const uint64_t *)in + at) : (const void *)((const word_t *)in + at);
        unsigned log_pieces = log_block - LOG_TILE;
        inverse_tiles(job, block_in, x + at, (size_t)1 << log_pieces, ((first + 1) << log_pieces) - 1, wide);
        while (log_pieces > 0) {
            const unsigned log_radix = log_radix_of(log_pieces);
            log_pieces -= log_radix;
            inverse_pass(job, x + at, log_block - log_pieces, (size_t)1 << log_pieces, ((first + 1) << log_pieces) - 1, log_radix);
        }
    }
    for (unsigned log_pieces = log_blocks; log_pieces > 0;) {
        const unsigned log_radix = log_radix_of(log_pieces);
        log_pieces -= log_radix;
        inverse_pass(job, x, log_length - log_pieces, (size_t)1 << log_pieces, ((mirror + 1) << log_pieces) - 1, log_radix);
    }
}

INLINE void inverse_of(const rs_limb_t *limb, job_t job, const void *in, void *poly, int wide) {
    const factor_t scale[2] = {factor_scale(&limb->n_inverse), factor_scale(&limb->last_inverse)};
    const unsigned log_radix = log_radix_of(limb->log_n - LOG_TILE);
    const unsigned log_region = limb->log_n - log_radix;
    const size_t region = (size_t)1 << log_region;
    const size_t stride = wide ? 2 * region : region;
    word_t *x = (word_t *)poly + (wide ? region : 0);
    for (size_t i = 0; i < (size_t)1 << log_radix; i++) {
        inverse_node(&job, (const word_t *)in + i * stride, x + i * stride, log_region, ((size_t)2 << log_radix) - 1 - i, wide);
    }
    inverse_streams(&job, (streams_t){x, stride, 0}, (streams_t){poly, region, wide}, region, 1, log_radix, scale);
}

INLINE void inverse_all(const rs_limb_t *limb, void *poly, int wide) { inverse_of(limb, job_of(limb), poly, poly, wide); }

#ifdef MULTIPLIED
// The same of a, or with b, of a b.
INLINE void inverse_product(const rs_limb_t *limb, word_t *out, const word_t *a, const word_t *b) {
    const rs_lifted_t lifted = {.b = b};
    const lift_t lift = lift_of(limb, &lifted);
    job_t job = job_of(limb);
    job.lifted = b ? &lifted : NULL;
    job.lift = &lift;
    job.begin = out;
    inverse_of(limb, job, a, out, 0);
}
#endif
