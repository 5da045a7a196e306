// SPDX-License-Identifier: Apache-2.0
// The rings in doubles with scalar FMAs (fma/real_passes.h): one number at a time, four of them side by side.
#include "x86/x86.h"

#ifdef RS_X86
#include "fma/ring_fma.h"
#include "x86/reals/mode.h"

#define TARGET RS_FMA_TARGET
#define INLINE TARGET static inline __attribute__((always_inline))
#define NAME(table, bits) table##_REAL_##bits
typedef struct vec {
    double x[4];
} vec_t;

INLINE vec_t load(const double *p) { return (vec_t){{p[0], p[1], p[2], p[3]}}; }

INLINE void store(double *p, vec_t x) {
    p[0] = x.x[0];
    p[1] = x.x[1];
    p[2] = x.x[2];
    p[3] = x.x[3];
}

INLINE vec_t splat(double x) { return (vec_t){{x, x, x, x}}; }

INLINE vec_t add(vec_t x, vec_t y) { return (vec_t){{x.x[0] + y.x[0], x.x[1] + y.x[1], x.x[2] + y.x[2], x.x[3] + y.x[3]}}; }

INLINE vec_t sub(vec_t x, vec_t y) { return (vec_t){{x.x[0] - y.x[0], x.x[1] - y.x[1], x.x[2] - y.x[2], x.x[3] - y.x[3]}}; }

INLINE vec_t mul(vec_t x, vec_t y) { return (vec_t){{x.x[0] * y.x[0], x.x[1] * y.x[1], x.x[2] * y.x[2], x.x[3] * y.x[3]}}; }

INLINE vec_t fma_add(vec_t x, vec_t y, vec_t z) {
    return (vec_t){{__builtin_fma(x.x[0], y.x[0], z.x[0]), __builtin_fma(x.x[1], y.x[1], z.x[1]),
                    __builtin_fma(x.x[2], y.x[2], z.x[2]), __builtin_fma(x.x[3], y.x[3], z.x[3])}};
}

INLINE vec_t fma_from(vec_t x, vec_t y, vec_t z) { return fma_add((vec_t){{-x.x[0], -x.x[1], -x.x[2], -x.x[3]}}, y, z); }

INLINE vec_t nearest_quotient(vec_t x, vec_t inverse) { return sub(fma_add(x, inverse, splat(0x1.8p52)), splat(0x1.8p52)); }

INLINE vec_t from_words(const uint64_t *p) {
    return (vec_t){{(double)(int64_t)p[0], (double)(int64_t)p[1], (double)(int64_t)p[2], (double)(int64_t)p[3]}};
}

INLINE vec_t from_small(const int8_t *p) { return (vec_t){{p[0], p[1], p[2], p[3]}}; }

INLINE vec_t from_low(const int64_t *p) {
    return (vec_t){
        {(double)(p[0] & UINT32_MAX), (double)(p[1] & UINT32_MAX), (double)(p[2] & UINT32_MAX), (double)(p[3] & UINT32_MAX)}};
}

INLINE vec_t from_high(const int64_t *p) {
    const int64_t upper = ~(int64_t)UINT32_MAX;
    return (vec_t){{(double)(p[0] & upper), (double)(p[1] & upper), (double)(p[2] & upper), (double)(p[3] & upper)}};
}

INLINE uint64_t residue(double x, double q) {
    const uint64_t word = (uint64_t)(int64_t)x;
    return word + ((uint64_t)(int64_t)q & (0 - (word >> 63)));
}

INLINE void store_residues(uint64_t *out, vec_t x, vec_t q) {
    out[0] = residue(x.x[0], q.x[0]);
    out[1] = residue(x.x[1], q.x[1]);
    out[2] = residue(x.x[2], q.x[2]);
    out[3] = residue(x.x[3], q.x[3]);
}

INLINE void store_signed(int64_t *out, vec_t x) {
    out[0] = (int64_t)x.x[0];
    out[1] = (int64_t)x.x[1];
    out[2] = (int64_t)x.x[2];
    out[3] = (int64_t)x.x[3];
}

INLINE vec_t column(const vec_t *v, unsigned i) { return (vec_t){{v[0].x[i], v[1].x[i], v[2].x[i], v[3].x[i]}}; }

INLINE void transpose(vec_t *v) {
    const vec_t a = column(v, 0);
    const vec_t b = column(v, 1);
    const vec_t c = column(v, 2);
    const vec_t d = column(v, 3);
    v[0] = a;
    v[1] = b;
    v[2] = c;
    v[3] = d;
}

INLINE vec_t reverse(vec_t x) { return (vec_t){{x.x[3], x.x[2], x.x[1], x.x[0]}}; }

#include "fma/real_passes.h"

RING(48, 0)
RING(50, 1)
#endif
