// SPDX-License-Identifier: Apache-2.0
// Negacyclic NTT with AVX2, q < 2^60. Signs are tested, so residues stay below 8q < 2^63.
#include "x86/arith/ntt_x86.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#include "x86/avx2.h"

#define TARGET AVX2
#define INLINE AVX2_INLINE
enum { LOG_LANES = 2, SPARE_BITS = 3 };
typedef uint64_t word_t;
typedef __m256i vec_t;

INLINE vec_t load(const word_t *p) { return load256(p); }

INLINE void store(word_t *p, vec_t x) { store256(p, x); }

INLINE vec_t splat(uint64_t x) { return set4(x); }

INLINE vec_t add(vec_t x, vec_t y) { return _mm256_add_epi64(x, y); }

INLINE vec_t sub(vec_t x, vec_t y) { return _mm256_sub_epi64(x, y); }

INLINE vec_t csub(vec_t x, vec_t bound) { return csub4(x, bound); }

INLINE vec_t load_wide(const uint64_t *p) { return load256(p); }

INLINE void store_wide(uint64_t *p, vec_t x) { store256(p, x); }

// In runs of t lanes: the odd runs of v[0] and the even runs of v[1] change places.
INLINE void exchange(vec_t *v, unsigned log_t) {
    const vec_t a = v[0];
    const vec_t b = v[1];
    if (log_t == 1) {
        v[0] = _mm256_permute2x128_si256(a, b, 0x20);
        v[1] = _mm256_permute2x128_si256(a, b, 0x31);
    } else {
        v[0] = _mm256_unpacklo_epi64(a, b);
        v[1] = _mm256_unpackhi_epi64(a, b);
    }
}

// 8 neighbours <-> those at even places and those at odd ones
INLINE void even_odd(vec_t *v) {
    exchange(v, 0);
    v[0] = _mm256_permute4x64_epi64(v[0], 0xd8);
    v[1] = _mm256_permute4x64_epi64(v[1], 0xd8);
}

INLINE void even_odd_undo(vec_t *v) {
    exchange(v, 0);
    exchange(v, 1);
}

// p[l >> log_run] in lane l; p[-(l >> log_run)].
INLINE vec_t load_up(const uint64_t *p, unsigned log_run) {
    return log_run == 0 ? load256(p) : _mm256_permute4x64_epi64(load128(p), 0x50);
}

INLINE vec_t load_down(const uint64_t *p, unsigned log_run) {
    return log_run == 0 ? _mm256_permute4x64_epi64(load256(p - 3), 0x1b) : _mm256_permute4x64_epi64(load128(p - 1), 0x05);
}

INLINE vec_t mul_even(vec_t x, vec_t y) { return _mm256_mul_epu32(x, y); }

INLINE vec_t high(vec_t x) { return _mm256_srli_epi64(x, 32); }

INLINE vec_t high_twice(vec_t x) { return _mm256_shuffle_epi32(x, 0xf5); }

#include "x86/arith/ntt_products64.h"

typedef struct constants {
    vec_t q[SPARE_BITS];
    vec_t q_swapped; // halves of the word
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t value_swapped;
    vec_t quotient;
    vec_t quotient_high; // the upper half in both
} factor_t;

INLINE vec_t swap_halves(vec_t x) { return _mm256_shuffle_epi32(x, 0xb1); }

INLINE constants_t constants(uint64_t q) { return (constants_t){{splat(q), splat(2 * q), splat(4 * q)}, swap_halves(splat(q))}; }

INLINE factor_t factor_of(vec_t value, vec_t quotient) {
    return (factor_t){value, swap_halves(value), quotient, high_twice(quotient)};
}

INLINE factor_t factor_all(uint64_t value, uint64_t quotient) { return factor_of(splat(value), splat(quotient)); }

// AVX2 has no product of 64-bit words. Products of low halves are computed in full. Products of a low and a high half are two 32-bit
// words, whose sum counts 2^32 times.
INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    const vec_t times = estimate(y, f->quotient, f->quotient_high);
    const vec_t low = sub(mul_even(y, f->value), mul_even(times, k->q[0]));
    const vec_t cross = _mm256_sub_epi32(_mm256_mullo_epi32(y, f->value_swapped), _mm256_mullo_epi32(times, k->q_swapped));
    const vec_t cross_sum = _mm256_add_epi32(cross, swap_halves(cross));
    return opaque4(add(low, _mm256_slli_epi64(cross_sum, 32)));
}

#include "x86/arith/ntt_passes.h"

TARGET void rs_ntt_avx2_forward(const rs_limb_t *limb, uint64_t *poly) { forward_all(limb, poly, 0); }

TARGET void rs_ntt_avx2_inverse(const rs_limb_t *limb, uint64_t *poly) { inverse_all(limb, poly, 0); }
#endif
