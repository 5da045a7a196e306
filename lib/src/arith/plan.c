// SPDX-License-Identifier: Apache-2.0
// Making a limb: the root of unity, twiddles and their quotients, the constants of the inverse transform.
#include "arith/plan.h"

#include "base/bytes.h"
#include "base/checks.h"

rs_status_t rs_limb_check_any(uint32_t log_n, uint64_t q, uint64_t end) {
    const uint64_t two_n = (uint64_t)2 << log_n;
    if (q <= two_n || q >= end) return RS_ERR_MODULUS_RANGE;
    return q % two_n == 1 ? RS_OK : RS_ERR_MODULUS_NTT;
}

rs_status_t rs_limb_check(uint32_t log_n, uint64_t q, uint64_t end) {
    RS_TRY(rs_limb_check_any(log_n, q, end));
    return rs_is_prime(q) ? RS_OK : RS_ERR_MODULUS_PRIME;
}

size_t rs_limb_table_bytes(uint32_t log_n) { return RS_LIMB_TABLE_BYTES(log_n); }

// Smallest primitive 2N-th root of unity: find one, walk through all N of them.
static uint64_t smallest_root(const rs_modulus_t *m, uint32_t log_n) {
    const uint64_t two_n = (uint64_t)2 << log_n;
    const uint64_t cofactor = (m->q - 1) / two_n;
    uint64_t root = 0;
    for (uint64_t base = 2;; base++) {
        root = rs_pow_mod(base, cofactor, m);
        if (rs_pow_mod(root, two_n / 2, m) == m->q - 1) break;
    }
    const uint64_t square = rs_mul_mod(root, root, m);
    uint64_t smallest = root;
    for (uint64_t i = 1; i < two_n / 2; i++) {
        root = rs_mul_mod(root, square, m);
        if (root < smallest) smallest = root;
    }
    return smallest;
}

// Products by a constant, of CHUNK words at once by the ring's kernel.
#ifdef RS_BACKENDS
enum { LOG_CHUNK = 9, CHUNK = 1 << LOG_CHUNK };
#else
enum { LOG_CHUNK = 4, CHUNK = 1 << LOG_CHUNK };
#endif
typedef struct constant {
    rs_limb_t piece; // a ring of CHUNK words
    rs_factor_t factor;
    uint64_t all[CHUNK];
} constant_t;

static void constant_init(constant_t *c, const rs_limb_t *l, uint64_t factor) {
    c->piece = *l;
    c->piece.log_n = LOG_CHUNK;
    c->factor = rs_factor_quick(factor, &l->modulus);
    for (size_t i = 0; i < CHUNK; i++) c->all[i] = factor;
}

static void scale(const constant_t *c, uint64_t *out, const uint64_t *in, size_t count) {
#ifdef RS_BACKENDS
    if (count == CHUNK) {
        c->piece.ring->mul(&c->piece, out, in, c->all);
        return;
    }
#endif
    for (size_t i = 0; i < count; i++) out[i] = rs_mul_factor(in[i], c->factor, c->piece.modulus.q);
}

// The same from word `from` of a table in the format of the ring to word `to`. A table of narrow words goes by `words`, where the
// products are afterwards; else they are in their place, which is returned.
static uint64_t *scale_table(const constant_t *c, void *table, size_t to, size_t from, size_t count, uint64_t *words) {
    uint64_t *wide = table;
    if (c->piece.ring->quotient_bits != 32) {
        scale(c, wide + to, wide + from, count);
        return wide + to;
    }
    for (size_t i = 0; i < count; i++) words[i] = ((const uint32_t *)table)[from + i];
    scale(c, words, words, count);
    for (size_t i = 0; i < count; i++) ((uint32_t *)table)[to + i] = (uint32_t)words[i];
    return words;
}

// The twiddles and their quotients, N powers of psi in bit-reversed order, in the format of the ring: entry m + i is entry i times
// psi^(N / 2m), i < m. A quotient floor(w 2^64 / q) is (w 2^64 - r) / q with r = w 2^64 mod q, an exact division, which is a product modulo 2^64.
static void init_twiddles(rs_limb_t *l, void *table) {
    const size_t n = (size_t)1 << l->log_n;
    const rs_modulus_t *m = &l->modulus;
    const unsigned shift = 64 - l->ring->quotient_bits;
    const int narrow = l->ring->quotient_bits == 32;
    uint64_t words[CHUNK];
    constant_t c;
    if (narrow) {
        *(uint32_t *)table = 1;
    } else {
        *(uint64_t *)table = 1;
    }
    for (size_t half = 1, exponent = n / 2; half < n; half *= 2, exponent /= 2) {
        constant_init(&c, l, rs_pow_mod(l->root, exponent, m));
        const size_t count = half < CHUNK ? half : CHUNK;
        for (size_t at = 0; at < half; at += count) scale_table(&c, table, half + at, at, count, words);
    }
    const uint64_t radix = 0 - m->ratio64 * m->q; // 2^64 mod q
    uint64_t inverse = m->q; // modulo 2^64, by Newton's iteration: 3 bits, then twice as many each time
    for (unsigned k = 0; k < 5; k++) inverse *= 2 - m->q * inverse;
    constant_init(&c, l, radix);
    const size_t count = n < CHUNK ? n : CHUNK;
    for (size_t at = 0; at < n; at += count) {
        const uint64_t *r = scale_table(&c, table, n + at, at, count, words);
        if (narrow) {
            for (size_t i = 0; i < count; i++) ((uint32_t *)table)[n + at + i] = (uint32_t)((0 - r[i]) * inverse >> shift);
        } else {
            for (size_t i = 0; i < count; i++) ((uint64_t *)table)[n + at + i] = (0 - r[i]) * inverse >> shift;
        }
    }
    l->twiddles = table;
    l->quotients = l->ring->quotient_bits == 32 ? (void *)((uint32_t *)table + n) : (void *)((uint64_t *)table + n);
#if defined(RS_BACKENDS) || defined(__wasm__)
    if (l->ring->prepare) l->ring->prepare(l, (uint64_t *)table + n);
#endif
}

static void init_tables(rs_limb_t *limb, const rs_ring_t *ring, uint32_t log_n, uint64_t root, void *table) {
    const rs_modulus_t *m = &limb->modulus;
    const uint64_t q = m->q;
    limb->ring = ring;
    limb->log_n = log_n;
    limb->root = root;
    init_twiddles(limb, table);
    const uint64_t n_inverse = q - ((q - 1) >> log_n); // N times it is 1 + (N - 1) q, as q = 1 mod N; q need not be prime
    limb->n_inverse = rs_factor(n_inverse, q);
    // The last inverse stage multiplies (y - x) by the forward twiddle psi^(N/2) (see ntt.c).
    limb->last_inverse = rs_factor(rs_mul_mod(n_inverse, rs_twiddle(limb, 1), m), q);
}

void rs_limb_init(rs_limb_t *limb, const rs_ring_t *ring, uint32_t log_n, uint64_t q, void *table) {
    rs_modulus_init(&limb->modulus, q);
    init_tables(limb, ring, log_n, smallest_root(&limb->modulus, log_n), table);
}

rs_status_t rs_limb_init_root(rs_limb_t *limb, const rs_ring_t *ring, uint32_t log_n, uint64_t q, uint64_t root, void *table) {
    rs_modulus_init(&limb->modulus, q);
    // where psi^N is -1 modulo every prime, sums over the powers of psi^(2k) vanish but for k = 0, as they do in a field
    if (root >= q || rs_pow_mod(root, (uint64_t)1 << log_n, &limb->modulus) != q - 1) return RS_ERR_MODULUS_NTT;
    init_tables(limb, ring, log_n, root, table);
    return RS_OK;
}
