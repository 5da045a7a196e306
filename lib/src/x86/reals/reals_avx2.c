// SPDX-License-Identifier: Apache-2.0
// The rings in doubles with AVX2 and FMA (fma/real_passes.h), and the ring of AVX2 below 2^30: its transforms take words of 32 bits, all else
// is in doubles.
#include "x86/arith/ntt_x86.h"

#ifdef RS_X86
#include "x86/avx2.h"
#include "x86/reals/mode.h"

#define TARGET AVX2_FMA
#define INLINE AVX2_FMA_INLINE
#define NAME(table, bits) table##_AVX2_##bits
typedef __m256d vec_t;

INLINE vec_t load(const double *p) { return _mm256_loadu_pd(p); }

INLINE void store(double *p, vec_t x) { _mm256_storeu_pd(p, x); }

INLINE vec_t splat(double x) { return _mm256_set1_pd(x); }

INLINE vec_t add(vec_t x, vec_t y) { return _mm256_add_pd(x, y); }

INLINE vec_t sub(vec_t x, vec_t y) { return _mm256_sub_pd(x, y); }

INLINE vec_t mul(vec_t x, vec_t y) { return _mm256_mul_pd(x, y); }

INLINE vec_t fma_from(vec_t x, vec_t y, vec_t z) { return _mm256_fnmadd_pd(x, y, z); }

// Adding 1.5 2^52 makes integers of numbers below 2^51 in magnitude.
INLINE vec_t magic(void) { return splat(0x1.8p52); }

INLINE vec_t nearest_quotient(vec_t x, vec_t inverse) { return sub(_mm256_fmadd_pd(x, inverse, magic()), magic()); }

INLINE __m256i bits_of(vec_t x) { return _mm256_castpd_si256(x); }

INLINE vec_t of_bits(__m256i x) { return _mm256_castsi256_pd(x); }

// Put into a mantissa, a word counts from 2^52 on.
INLINE vec_t from_words(const uint64_t *p) {
    return sub(of_bits(_mm256_or_si256(load256(p), bits_of(splat(0x1p52)))), splat(0x1p52));
}

INLINE vec_t from_small(const int8_t *p) { return _mm256_cvtepi32_pd(_mm_cvtepi8_epi32(_mm_loadu_si32(p))); }

INLINE vec_t from_low(const int64_t *p) {
    return sub(of_bits(_mm256_blend_epi32(load256(p), bits_of(splat(0x1p52)), 0xaa)), splat(0x1p52));
}

// In a mantissa of exponent 84 a bit counts 2^32; the sign's bit is turned into an offset of 2^63.
INLINE vec_t from_high(const int64_t *p) {
    const __m256i upper = _mm256_xor_si256(_mm256_srli_epi64(load256(p), 32), set4((uint64_t)1 << 31));
    return sub(of_bits(_mm256_or_si256(upper, bits_of(splat(0x1p84)))), splat(0x1p84 + 0x1p63));
}

INLINE void store_residues(uint64_t *out, vec_t x, vec_t q) {
    const vec_t negative = _mm256_cmp_pd(x, _mm256_setzero_pd(), _CMP_LT_OQ);
    const vec_t residue = add(x, _mm256_and_pd(q, negative));
    store256(out, _mm256_xor_si256(bits_of(add(residue, splat(0x1p52))), bits_of(splat(0x1p52))));
}

INLINE void store_signed(int64_t *out, vec_t x) { store256(out, _mm256_sub_epi64(bits_of(add(x, magic())), bits_of(magic()))); }

INLINE void transpose(vec_t *v) {
    const vec_t a = _mm256_unpacklo_pd(v[0], v[1]);
    const vec_t b = _mm256_unpackhi_pd(v[0], v[1]);
    const vec_t c = _mm256_unpacklo_pd(v[2], v[3]);
    const vec_t d = _mm256_unpackhi_pd(v[2], v[3]);
    v[0] = _mm256_permute2f128_pd(a, c, 0x20);
    v[1] = _mm256_permute2f128_pd(b, d, 0x20);
    v[2] = _mm256_permute2f128_pd(a, c, 0x31);
    v[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

INLINE vec_t reverse(vec_t x) { return _mm256_permute4x64_pd(x, 0x1b); }

#include "fma/real_passes.h"

RING(48, 0)
RING(50, 1)

const rs_ring_t RS_RING_AVX2_30 = {
    .quotient_bits = 32,
    .forward = rs_ntt_avx2_32_forward,
    .inverse = rs_ntt_avx2_32_inverse,
    POINTWISE,
};
const rs_lifts_t RS_LIFTS_AVX2_30 = {LIFTS};
#endif
