// SPDX-License-Identifier: Apache-2.0
// Products of twiddles on words of 32 bits, quotients floor(w 2^32 / q), q < 2^30 (Harvey 2014). Not a header of its own: included by the
// kernels after
//   mul_low     the lower halves of products
//   mul_even    whole products of words at even places
//   odd_twice   words at odd places, there and in the even ones before them
//   high        the upper halves of products, given those of words at even and those of words at odd places
//   opaque      see avx2.h
enum { QUOTIENT_BITS = 32, SPARE_BITS = 2, LOG_PRODUCT = 1, LOG_STEP = 1 };

typedef struct constants {
    vec_t q[SPARE_BITS];
} constants_t;

typedef struct factor {
    vec_t value;
    vec_t quotient;
    vec_t quotient_odd; // odd lanes' quotients in even places
} factor_t;

INLINE constants_t constants(uint64_t q) { return (constants_t){{splat(q), splat(2 * q)}}; }

INLINE factor_t factor_of(vec_t value, vec_t quotient) { return (factor_t){value, quotient, odd_twice(quotient)}; }

INLINE factor_t factor_all(uint64_t value, uint64_t quotient) {
    const vec_t quotients = splat(quotient);
    return (factor_t){splat(value), quotients, quotients};
}

// Any y -> wy mod q, below 2q.
INLINE vec_t mul_lazy(vec_t y, const factor_t *f, const constants_t *k) {
    const vec_t even = mul_even(y, f->quotient);
    const vec_t odd = mul_even(odd_twice(y), f->quotient_odd);
    const vec_t times = high(even, odd);
    return opaque(sub(mul_low(y, f->value), mul_low(times, k->q[0])));
}

INLINE vec_t settle(vec_t x) { return x; }
