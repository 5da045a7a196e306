// SPDX-License-Identifier: Apache-2.0
// The passes in plain C: vectors of one word.
#include "kernels/kernels.h"

#define INLINE static inline
#define TARGET
#define UNROLL
#define LOG_LANES 0
typedef uint32_t vec_t;
typedef uint64_t sum_t;
typedef uint64_t wide_t;
typedef int window_t;

INLINE vec_t v_set(uint32_t x) { return x; }
INLINE vec_t v_load(const uint32_t *p) { return *p; }
INLINE vec_t v_load16(const uint16_t *p) { return *p; }
INLINE void v_store(uint32_t *p, vec_t x) { *p = x; }
INLINE void v_store16(uint16_t *p, vec_t x) { *p = (uint16_t)x; }
INLINE vec_t v_add(vec_t a, vec_t b) { return a + b; }
INLINE vec_t v_sub(vec_t a, vec_t b) { return a - b; }
INLINE vec_t v_and(vec_t a, vec_t b) { return a & b; }
INLINE vec_t v_min(vec_t a, vec_t b) { return a < b ? a : b; }
INLINE vec_t v_mullo(vec_t a, vec_t b) { return a * b; }
INLINE vec_t v_odd(vec_t a) { return a; }
INLINE vec_t v_mulhi(vec_t a, vec_t b, vec_t b_odd) {
    (void)b_odd;
    return (uint32_t)((uint64_t)a * b >> 32);
}
// the vectors are words, and so is the step: always the newer one
INLINE window_t v_window_of(size_t k) { return (window_t)k; }
INLINE vec_t v_window(vec_t older, vec_t newer, window_t window) { return window ? newer : older; }
INLINE wide_t s_set(uint64_t x) { return x; }
INLINE sum_t s_zero(void) { return 0; }
INLINE sum_t s_load(const uint64_t *p) { return *p; }
INLINE void s_store(uint64_t *p, sum_t x) { *p = x; }
INLINE sum_t s_mul(vec_t a, vec_t b) { return (uint64_t)a * b; }
INLINE sum_t s_mul_all(vec_t a, vec_t b) { return (uint64_t)a * b; }
INLINE sum_t s_add(sum_t a, sum_t b) { return a + b; }
INLINE sum_t s_sub(sum_t a, sum_t b) { return a - b; }
INLINE sum_t s_add_all(sum_t a, wide_t b) { return a + b; }
INLINE sum_t s_sub_all(sum_t a, wide_t b) { return a - b; }
INLINE sum_t s_shift(sum_t a, int bits) { return a >> bits; }
INLINE vec_t s_low(sum_t a) { return (uint32_t)a; }
INLINE sum_t s_fold(sum_t a, wide_t limit) { return a < limit ? a : a - limit; }
// a 2^-32 mod p for a < 2^32 p
INLINE vec_t s_redc(sum_t a, vec_t inverse32, vec_t p) {
    const uint32_t high = (uint32_t)(a >> 32), q = (uint32_t)((uint64_t)((uint32_t)a * inverse32) * p >> 32);
    return high < q ? high - q + p : high - q;
}

#include "kernels/passes.h"

const ltv_kernels_t LTV_KERNELS_PORTABLE = TABLE("portable", NULL);
