// SPDX-License-Identifier: Apache-2.0
// arith/integers.c on vectors of 64-bit words. It is no ordinary header: each back end includes it once, after it has defined
//   TARGET, INLINE       attributes of functions: the instructions, and always inline
//   LANES, words_t       a vector of unsigned words, with operators
//   load, store, splat, widen    widen: of signed bytes
//   csub                 x in [0, 2 bound) -> [0, bound)
//   SIGNED_BITS          numbers with sign are below 2^SIGNED_BITS in magnitude
// and it defines what is declared below, after it.
#include "arith/integers.h"

typedef struct scale {
    words_t value;
    words_t quotient; // Shoup's
} scale_t;

INLINE scale_t scale(rs_factor_t factor);
// x factor modulo q in [0, 2q), x below 2^(SIGNED_BITS + 2)
INLINE words_t product(words_t x, scale_t factor, words_t q);
// turns + x high + x low / 2^64
INLINE words_t turned(words_t turns, words_t x, words_t high, words_t low);
// As rs_fraction, of y shifted to the left so that q has SIGNED_BITS, or 60 if that is less
INLINE words_t fraction(words_t y, uint64_t reciprocal);

// The smallest multiple of q that is no less than 2^SIGNED_BITS.
static uint64_t offset_of(const rs_modulus_t *m) {
    if (SIGNED_BITS == 62) return m->lift_offset;
    const uint64_t x = ((uint64_t)1 << SIGNED_BITS) - 1 + m->q;
    return x - rs_reduce(x, m);
}

TARGET static void lift(const rs_limb_t *limb, uint64_t *out, const rs_integer_lift_t *l) {
    const words_t q = splat(limb->modulus.q), offset = splat(offset_of(&limb->modulus));
    const scale_t mu = scale(l->mu), factor = scale(l->factor);
    for (size_t i = 0; i < (size_t)1 << limb->log_n; i += LANES) {
        words_t x = splat(0);
        if (l->w) x = product(load((const uint64_t *)l->w + i) + offset, mu, q);
        if (l->error) {
            words_t y = widen(l->error + i) + offset;
            if (l->d) y -= load((const uint64_t *)l->d + i);
            x += product(y, factor, q);
        }
        if (l->plus) x += l->subtract ? q - load(l->plus + i) : load(l->plus + i); // <= 5 q
        store(out + i, csub(csub(csub(x, 4 * q), 2 * q), q));
    }
}

TARGET static void digits(const rs_digit_t *digit, size_t n, const uint64_t *x, const uint64_t *plus, uint64_t *fractions,
                          uint64_t *sums) {
    const words_t q = splat(digit->q.q), target = splat(digit->target.q);
    const scale_t factor = scale(digit->factor), inverse = scale(digit->inverse);
    const words_t kept = splat(digit->first - 1);
    const uint32_t shift = (SIGNED_BITS < 60 ? SIGNED_BITS : 60) - digit->q.bits;
    for (size_t i = 0; i < n; i += LANES) {
        words_t y = load(x + i);
        if (plus) y += load(plus + i);
        y = csub(product(y, factor, q), q);
        store(fractions + i, (load(fractions + i) & kept) + fraction(y << shift, digit->reciprocal));
        store(sums + i, csub(csub((load(sums + i) & kept) + product(y, inverse, target), 2 * target), target));
    }
}

TARGET static uint64_t collect(const rs_modulus_t *m, size_t n, const uint64_t *fractions, uint64_t *sums, rs_factor_t lambda,
                               uint64_t margin) {
    const words_t q = splat(m->q), half = splat(RS_FRACTION_HALF), least = splat(margin);
    const scale_t factor = scale(lambda);
    words_t near = splat(0);
    for (size_t i = 0; i < n; i += LANES) {
        const words_t x = load(fractions + i) + half;
        const words_t rest = x & (2 * half - 1);
        near |= (rest - least) | (2 * half - least - rest);
        store(sums + i, csub(product((x >> RS_FRACTION_BITS) + q - load(sums + i), factor, q), q));
    }
    uint64_t any = 0;
    for (unsigned k = 0; k < LANES; k++) any |= near[k];
    return any;
}

TARGET static void turn(size_t n, uint32_t bits, uint64_t *turns, const uint64_t *x, uint64_t high, uint64_t low) {
    const words_t upper = splat(high), lower = splat(low);
    (void)bits;
    for (size_t i = 0; i < n; i += LANES) store(turns + i, turned(load(turns + i), load(x + i), upper, lower));
}

TARGET static void spread(const rs_modulus_t *t, size_t n, uint64_t *w, rs_factor_t q) {
    const words_t modulus = splat(t->q), half = splat((t->q + 1) / 2);
    const scale_t factor = scale(q);
    for (size_t i = 0; i < n; i += LANES) {
        const words_t x = csub(product(load(w + i), factor, modulus), modulus);
        store(w + i, half - csub(x + half, modulus));
    }
}
