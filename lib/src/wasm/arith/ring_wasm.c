// SPDX-License-Identifier: Apache-2.0
// The rings in doubles (fma/real_passes.h) by WebAssembly's relaxed SIMD: four numbers in two vectors.
#include "wasm/wasm.h"

#ifdef RS_WASM_SIMD
#include <wasm_simd128.h>

#define TARGET
#define INLINE static inline __attribute__((always_inline))
#define NAME(table, bits) table##_WASM_##bits
typedef struct vec {
    v128_t a;
    v128_t b;
} vec_t;

typedef double __attribute__((vector_size(16))) doubles_t; // what the compiler's own functions take: old headers lack these two
INLINE v128_t madd(v128_t x, v128_t y, v128_t z) {
    return (v128_t)__builtin_wasm_relaxed_madd_f64x2((doubles_t)x, (doubles_t)y, (doubles_t)z);
}

INLINE v128_t nmadd(v128_t x, v128_t y, v128_t z) {
    return (v128_t)__builtin_wasm_relaxed_nmadd_f64x2((doubles_t)x, (doubles_t)y, (doubles_t)z);
}

INLINE vec_t load(const double *p) { return (vec_t){wasm_v128_load(p), wasm_v128_load(p + 2)}; }

INLINE void store(double *p, vec_t x) {
    wasm_v128_store(p, x.a);
    wasm_v128_store(p + 2, x.b);
}

INLINE vec_t splat(double x) { return (vec_t){wasm_f64x2_splat(x), wasm_f64x2_splat(x)}; }

INLINE vec_t add(vec_t x, vec_t y) { return (vec_t){wasm_f64x2_add(x.a, y.a), wasm_f64x2_add(x.b, y.b)}; }

INLINE vec_t sub(vec_t x, vec_t y) { return (vec_t){wasm_f64x2_sub(x.a, y.a), wasm_f64x2_sub(x.b, y.b)}; }

INLINE vec_t mul(vec_t x, vec_t y) { return (vec_t){wasm_f64x2_mul(x.a, y.a), wasm_f64x2_mul(x.b, y.b)}; }

INLINE vec_t fma_from(vec_t x, vec_t y, vec_t z) { return (vec_t){nmadd(x.a, y.a, z.a), nmadd(x.b, y.b, z.b)}; }

// Adding 1.5 2^52 makes integers of numbers below 2^51 in magnitude.
INLINE vec_t nearest_quotient(vec_t x, vec_t inverse) {
    const v128_t magic = wasm_f64x2_const_splat(0x1.8p52);
    return sub((vec_t){madd(x.a, inverse.a, magic), madd(x.b, inverse.b, magic)}, (vec_t){magic, magic});
}

// Put into a mantissa, a word counts from 2^52 on.
INLINE vec_t from_mantissas(v128_t a, v128_t b) {
    const v128_t from = wasm_f64x2_const_splat(0x1p52);
    return sub((vec_t){wasm_v128_or(a, from), wasm_v128_or(b, from)}, (vec_t){from, from});
}

INLINE vec_t from_words(const uint64_t *p) { return from_mantissas(wasm_v128_load(p), wasm_v128_load(p + 2)); }

INLINE vec_t from_small(const int8_t *p) {
    const v128_t x = wasm_i32x4_extend_low_i16x8(wasm_i16x8_extend_low_i8x16(wasm_v128_load32_zero(p)));
    return (vec_t){wasm_f64x2_convert_low_i32x4(x), wasm_f64x2_convert_low_i32x4(wasm_i64x2_shuffle(x, x, 1, 0))};
}

INLINE vec_t from_low(const int64_t *p) {
    const v128_t low = wasm_i64x2_const_splat(UINT32_MAX);
    return from_mantissas(wasm_v128_and(wasm_v128_load(p), low), wasm_v128_and(wasm_v128_load(p + 2), low));
}

// In a mantissa of exponent 84 a bit counts 2^32; the sign's bit is turned into an offset of 2^63.
INLINE v128_t high(v128_t x) {
    const v128_t upper = wasm_v128_xor(wasm_u64x2_shr(x, 32), wasm_i64x2_const_splat(0x80000000));
    return wasm_f64x2_sub(wasm_v128_or(upper, wasm_f64x2_const_splat(0x1p84)), wasm_f64x2_const_splat(0x1p84 + 0x1p63));
}

INLINE vec_t from_high(const int64_t *p) { return (vec_t){high(wasm_v128_load(p)), high(wasm_v128_load(p + 2))}; }

INLINE v128_t residues(v128_t x, v128_t q) {
    const v128_t from = wasm_f64x2_const_splat(0x1p52);
    const v128_t reduced = wasm_f64x2_add(x, wasm_v128_and(q, wasm_f64x2_lt(x, wasm_f64x2_const_splat(0))));
    return wasm_v128_xor(wasm_f64x2_add(reduced, from), from);
}

INLINE void store_residues(uint64_t *out, vec_t x, vec_t q) {
    wasm_v128_store(out, residues(x.a, q.a));
    wasm_v128_store(out + 2, residues(x.b, q.b));
}

INLINE v128_t integers(v128_t x) {
    const v128_t magic = wasm_f64x2_const_splat(0x1.8p52);
    return wasm_i64x2_sub(wasm_f64x2_add(x, magic), magic);
}

INLINE void store_signed(int64_t *out, vec_t x) {
    wasm_v128_store(out, integers(x.a));
    wasm_v128_store(out + 2, integers(x.b));
}

INLINE vec_t even(v128_t a, v128_t b, v128_t c, v128_t d) {
    return (vec_t){wasm_i64x2_shuffle(a, b, 0, 2), wasm_i64x2_shuffle(c, d, 0, 2)};
}

INLINE vec_t odd(v128_t a, v128_t b, v128_t c, v128_t d) {
    return (vec_t){wasm_i64x2_shuffle(a, b, 1, 3), wasm_i64x2_shuffle(c, d, 1, 3)};
}

INLINE void transpose(vec_t *v) {
    const vec_t x[4] = {v[0], v[1], v[2], v[3]};
    v[0] = even(x[0].a, x[1].a, x[2].a, x[3].a);
    v[1] = odd(x[0].a, x[1].a, x[2].a, x[3].a);
    v[2] = even(x[0].b, x[1].b, x[2].b, x[3].b);
    v[3] = odd(x[0].b, x[1].b, x[2].b, x[3].b);
}

INLINE vec_t reverse(vec_t x) { return (vec_t){wasm_i64x2_shuffle(x.b, x.b, 1, 0), wasm_i64x2_shuffle(x.a, x.a, 1, 0)}; }

// WebAssembly rounds to nearest, always.
typedef int rounding_t;
INLINE rounding_t mode_nearest(void) { return 0; }

INLINE void mode_restore(rounding_t mode) { (void)mode; }

#include "fma/real_passes.h"

RING(48, 0)
RING(50, 1)

// (1 + 2^-30)(1 - 2^-30) - 1 = -2^-60 in one rounding, and 0 in two. The operands come from memory that the compiler cannot see through.
int rs_wasm_fused(void) {
    volatile double above = 1 + 0x1p-30;
    volatile double below = 1 - 0x1p-30;
    const v128_t sum = madd(wasm_f64x2_splat(above), wasm_f64x2_splat(below), wasm_f64x2_const_splat(-1));
    const v128_t difference = nmadd(wasm_f64x2_splat(above), wasm_f64x2_splat(below), wasm_f64x2_const_splat(1));
    return wasm_f64x2_extract_lane(sum, 0) == -0x1p-60 && wasm_f64x2_extract_lane(difference, 0) == 0x1p-60;
}
#endif
