// SPDX-License-Identifier: Apache-2.0
// Rings and primes. Everything here is public.
#include "ring/ring.h"

#include <string.h>

#include "arith/modarith.h"

enum { RINGS = 4, M_PRIMES_MAX = 4 };
static const uint32_t M_PRIMES[M_PRIMES_MAX] = {3, 5, 17, 257};
static const uint32_t M_BUILT[RINGS] = {255, 4369, 21845, 65535};

int ltv_ring_init(ltv_ring_t *ring, uint32_t m) {
    int known = 0;
    for (unsigned i = 0; i < RINGS; i++) known |= M_BUILT[i] == m;
    if (!known) return 0;
    memset(ring, 0, sizeof *ring);
    ring->m = m;
    ring->n = 1;
    uint32_t primes[M_PRIMES_MAX], count = 0;
    for (unsigned i = 0; i < M_PRIMES_MAX; i++) {
        if (m % M_PRIMES[i]) continue;
        primes[count++] = M_PRIMES[i];
        ring->n *= M_PRIMES[i] - 1;
    }
    ring->points = 2 * ring->n; // a power of two: so is each prime of m, less one
    while (1u << ring->log_points < ring->points) ring->log_points++;
    // Phi_m = product over subsets of the primes of (1 - X^(m / product))^(sign), with + for even subsets (Moebius)
    for (uint32_t set = 0; set < 1u << count; set++) {
        ltv_factor_t f = {m, 0};
        for (uint32_t i = 0; i < count; i++) {
            if (!(set >> i & 1)) continue;
            f.degree /= primes[i];
            f.inverse ^= 1;
        }
        ring->factors[ring->factor_count++] = f;
    }
    for (uint32_t x = 2 % m; x != 1; x = 2 * x % m) ring->order++;
    ring->order++;
    ring->slots = ring->n / ring->order;
    return 1;
}

int ltv_primes(const ltv_ring_t *ring, uint32_t bits, uint32_t *primes, uint32_t count) {
    const uint32_t step = 2 * ring->points < 4096 ? 4096 : 2 * ring->points;
    uint32_t found = 0;
    for (uint32_t p = (1u << bits) - step + 1; found < count; p -= step) {
        if (p >> (bits - 1) == 0) return 0;
        if (rs_is_prime(p)) primes[found++] = p;
    }
    return 1;
}

uint32_t ltv_power(uint32_t base, uint64_t exponent, uint32_t p) {
    rs_modulus_t m;
    rs_modulus_init(&m, p);
    return (uint32_t)rs_pow_mod(base, exponent, &m);
}

uint32_t ltv_inverse_of(uint32_t a, uint32_t p) {
    rs_modulus_t m;
    rs_modulus_init(&m, p);
    return (uint32_t)rs_inverse_mod(a, &m);
}

ltv_scalar_t ltv_scalar(uint32_t value, uint32_t p) { return (ltv_scalar_t){value, (uint32_t)(((uint64_t)value << 32) / p)}; }

static size_t lane_words(const ltv_ring_t *ring, uint32_t log_lanes) {
    const size_t lanes = (size_t)1 << log_lanes;
    return ring->points / (lanes * lanes) * (lanes - 1) * lanes;
}

size_t ltv_mod_words(const ltv_ring_t *ring, uint32_t log_lanes) { return 4 * (ring->points + lane_words(ring, log_lanes)); }

static uint32_t reversed(uint32_t x, uint32_t bits) {
    uint32_t y = 0;
    for (uint32_t k = 0; k < bits; k++) y |= (x >> k & 1) << (bits - 1 - k);
    return y;
}

// roots[2^s + i] = root^(points / 2^(s+1) bitreverse(i, s)): block i of level s
static void fill_roots(const ltv_mod_t *mod, uint32_t root, uint32_t *roots, uint32_t *quotients) {
    const uint32_t half = mod->points / 2, last = mod->log_points - 1;
    uint64_t power = 1;
    roots[0] = quotients[0] = 0;
    for (uint32_t e = 0; e < half; e++) {
        roots[half + reversed(e, last)] = (uint32_t)power; // the last level has them all
        power = power * root % mod->p;
    }
    // level s's are the first 2^s of the next level's
    for (uint32_t level = half; level > 1; level /= 2) memcpy(roots + level / 2, roots + level, level / 2 * sizeof *roots);
    for (uint32_t i = 1; i < mod->points; i++) quotients[i] = ltv_scalar(roots[i], mod->p).quotient;
}

static void fill_lanes(const ltv_mod_t *mod, uint32_t log_lanes, unsigned direction) {
    const uint32_t lanes = 1u << log_lanes, first = mod->log_points - log_lanes;
    const uint32_t *roots = mod->roots[direction], *quotients = mod->quotients[direction];
    size_t at = 0;
    for (uint32_t block = 0; block < mod->points / (lanes * lanes); block++) {
        for (uint32_t s = 0; s < log_lanes; s++) {
            for (uint32_t group = 0; group < 1u << s; group++) {
                for (uint32_t lane = 0; lane < lanes; lane++) {
                    const size_t k = ((size_t)1 << (first + s)) + (((size_t)block * lanes + lane) << s) + group;
                    mod->lane_roots[direction][at] = roots[k];
                    mod->lane_quotients[direction][at++] = quotients[k];
                }
            }
        }
    }
}

void ltv_mod_init(ltv_mod_t *mod, const ltv_ring_t *ring, uint32_t p, uint32_t log_lanes, uint32_t *memory) {
    memset(mod, 0, sizeof *mod);
    mod->p = p;
    mod->inverse32 = 1;
    for (unsigned i = 0; i < 5; i++) mod->inverse32 *= 2 - p * mod->inverse32; // Newton: bits double
    mod->points = ring->points;
    mod->log_points = ring->log_points;
    const uint32_t r32 = (uint32_t)((UINT64_C(1) << 32) % p), unscale = ltv_inverse_of(mod->points, p);
    mod->r32 = ltv_scalar(r32, p);
    mod->unscale = ltv_scalar(unscale, p);
    mod->scale = ltv_scalar((uint32_t)((uint64_t)r32 * unscale % p), p);
    uint32_t root = 0;
    for (uint32_t g = 2;; g++) { // finds a root of order points
        root = ltv_power(g, (p - 1) / mod->points, p);
        if (ltv_power(root, mod->points / 2, p) == p - 1) break;
    }
    const size_t more = lane_words(ring, log_lanes);
    for (unsigned direction = 0; direction < 2; direction++) {
        mod->roots[direction] = memory;
        mod->quotients[direction] = memory + mod->points;
        mod->lane_roots[direction] = memory + 2 * mod->points;
        mod->lane_quotients[direction] = memory + 2 * mod->points + more;
        memory += 2 * (mod->points + more);
        fill_roots(mod, direction ? ltv_inverse_of(root, p) : root, mod->roots[direction], mod->quotients[direction]);
        fill_lanes(mod, log_lanes, direction);
    }
}

uint32_t ltv_norm_steps(const ltv_ring_t *ring, uint32_t *steps) {
    uint32_t count = 0;
    for (unsigned i = 0; i < M_PRIMES_MAX; i++) {
        const uint32_t prime = M_PRIMES[i], m = ring->m;
        if (m % prime) continue;
        uint32_t generator = 2; // a generator of the units modulo prime
        for (;; generator++) {
            uint32_t order = 1;
            for (uint32_t x = generator; x != 1; x = x * generator % prime) order++;
            if (order == prime - 1) break;
        }
        uint64_t lifted = generator; // and 1 modulo the other primes
        while (lifted % (m / prime) != 1 % (m / prime)) lifted += prime;
        uint32_t log = 0;
        while (1u << log < prime - 1) log++;
        for (uint32_t k = log; k-- > 0;) { // generator^(2^k), the smallest subgroup first
            uint64_t x = lifted % m;
            for (uint32_t j = 0; j < k; j++) x = x * x % m;
            steps[count++] = (uint32_t)x;
        }
    }
    return count;
}
