// SPDX-License-Identifier: Apache-2.0
// The rings in doubles with NEON (fma/real_passes.h): four numbers in two registers.
#include "arm/arm.h"

#ifdef RS_ARM
#include <arm_neon.h>

#define TARGET
#define INLINE static inline __attribute__((always_inline))
#define NAME(table, bits) table##_NEON_##bits
typedef struct vec {
    float64x2_t a;
    float64x2_t b;
} vec_t;

// FPCR: to nearest, subnormals as they are, no traps, no alternative NaN and rounding behaviour.
typedef uint64_t rounding_t;

static inline rounding_t mode_nearest(void) {
    rounding_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    if (mode) __asm__ volatile("msr fpcr, %0" : : "r"((rounding_t)0));
    return mode;
}

static inline void mode_restore(rounding_t mode) {
    if (mode) __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}

INLINE vec_t load(const double *p) { return (vec_t){vld1q_f64(p), vld1q_f64(p + 2)}; }

INLINE void store(double *p, vec_t x) {
    vst1q_f64(p, x.a);
    vst1q_f64(p + 2, x.b);
}

INLINE vec_t splat(double x) {
    const float64x2_t both = vdupq_n_f64(x);
    return (vec_t){both, both};
}

INLINE vec_t add(vec_t x, vec_t y) { return (vec_t){vaddq_f64(x.a, y.a), vaddq_f64(x.b, y.b)}; }

INLINE vec_t sub(vec_t x, vec_t y) { return (vec_t){vsubq_f64(x.a, y.a), vsubq_f64(x.b, y.b)}; }

INLINE vec_t mul(vec_t x, vec_t y) { return (vec_t){vmulq_f64(x.a, y.a), vmulq_f64(x.b, y.b)}; }

INLINE vec_t fma_from(vec_t x, vec_t y, vec_t z) { return (vec_t){vfmsq_f64(z.a, x.a, y.a), vfmsq_f64(z.b, x.b, y.b)}; }

INLINE vec_t nearest_quotient(vec_t x, vec_t inverse) {
    return (vec_t){vrndnq_f64(vmulq_f64(x.a, inverse.a)), vrndnq_f64(vmulq_f64(x.b, inverse.b))};
}

INLINE vec_t from_words(const uint64_t *p) { return (vec_t){vcvtq_f64_u64(vld1q_u64(p)), vcvtq_f64_u64(vld1q_u64(p + 2))}; }

INLINE vec_t from_small(const int8_t *p) {
    const int16x4_t halves = {p[0], p[1], p[2], p[3]};
    const int32x4_t words = vmovl_s16(halves);
    return (vec_t){vcvtq_f64_s64(vmovl_s32(vget_low_s32(words))), vcvtq_f64_s64(vmovl_s32(vget_high_s32(words)))};
}

INLINE vec_t from_low(const int64_t *p) {
    const uint64x2_t low = vdupq_n_u64(UINT32_MAX);
    return (vec_t){vcvtq_f64_u64(vandq_u64(vreinterpretq_u64_s64(vld1q_s64(p)), low)),
                   vcvtq_f64_u64(vandq_u64(vreinterpretq_u64_s64(vld1q_s64(p + 2)), low))};
}

INLINE vec_t from_high(const int64_t *p) {
    const int64x2_t high = vdupq_n_s64(~(int64_t)UINT32_MAX);
    return (vec_t){vcvtq_f64_s64(vandq_s64(vld1q_s64(p), high)), vcvtq_f64_s64(vandq_s64(vld1q_s64(p + 2), high))};
}

INLINE void store_residue(uint64_t *out, float64x2_t x, float64x2_t q) {
    const uint64x2_t more = vandq_u64(vcltzq_f64(x), vreinterpretq_u64_f64(q));
    vst1q_u64(out, vcvtq_u64_f64(vaddq_f64(x, vreinterpretq_f64_u64(more))));
}

INLINE void store_residues(uint64_t *out, vec_t x, vec_t q) {
    store_residue(out, x.a, q.a);
    store_residue(out + 2, x.b, q.b);
}

INLINE void store_signed(int64_t *out, vec_t x) {
    vst1q_s64(out, vcvtq_s64_f64(x.a));
    vst1q_s64(out + 2, vcvtq_s64_f64(x.b));
}

INLINE void transpose(vec_t *v) {
    const vec_t r0 = v[0];
    const vec_t r1 = v[1];
    const vec_t r2 = v[2];
    const vec_t r3 = v[3];
    v[0] = (vec_t){vzip1q_f64(r0.a, r1.a), vzip1q_f64(r2.a, r3.a)};
    v[1] = (vec_t){vzip2q_f64(r0.a, r1.a), vzip2q_f64(r2.a, r3.a)};
    v[2] = (vec_t){vzip1q_f64(r0.b, r1.b), vzip1q_f64(r2.b, r3.b)};
    v[3] = (vec_t){vzip2q_f64(r0.b, r1.b), vzip2q_f64(r2.b, r3.b)};
}

INLINE vec_t reverse(vec_t x) { return (vec_t){vextq_f64(x.b, x.b, 1), vextq_f64(x.a, x.a, 1)}; }

#include "fma/real_passes.h"

RING(48, 0)
RING(50, 1)
#endif
