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

size_t rs_limb_table_bytes(uint32_t log_n) {
    return RS_LIMB_TABLE_BYTES(log_n);
}

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

// The twiddles and their quotients, N powers of psi in bit-reversed order, in the format of the ring.
static void init_twiddles(rs_limb_t *l, void *table) {
    const uint32_t n = (uint32_t)1 << l->log_n;
    const rs_modulus_t *m = &l->modulus;
    const unsigned shift = 64 - l->ring->quotient_bits;
    uint64_t *words = table;
    uint32_t *halves = table;
    uint64_t power = 1;
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t quotient = rs_factor_quick(power, m).quotient >> shift;
        if (l->ring->quotient_bits == 32) {
            halves[at] = (uint32_t)power;
            halves[n + at] = (uint32_t)quotient;
        } else {
            words[at] = power;
            words[n + at] = quotient;
        }
        power = rs_mul_mod(power, l->root, m);
        at = (uint32_t)rs_next_reversed(at, i, n);
    }
    l->twiddles = table;
    l->quotients = l->ring->quotient_bits == 32 ? (void *)(halves + n) : (void *)(words + n);
#if defined(RS_BACKENDS) || defined(__wasm__)
    if (l->ring->prepare) l->ring->prepare(l, words + n);
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
