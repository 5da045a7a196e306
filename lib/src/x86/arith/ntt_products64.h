// SPDX-License-Identifier: Apache-2.0
// Products of twiddles on words of 64 bits, for machines that multiply 32 x 32 bits at most. They are Shoup's products, but the high half
// of a 64 x 64-bit product comes out a little too small, so they are below 4q instead of 2q. It is no ordinary header: kernels include
// it after they have defined
//   mul_even           products of the low halves of words
//   high, high_twice   the upper half of each word: as a word; in both halves
enum { QUOTIENT_BITS = 64, LOG_PRODUCT = 2, LOG_STEP = 2 };

// How often q is taken from wy, any y. With y = (y1, y0), quotient = (p1, p0) in halves, estimate = y1 p1 + high(y1 p0) + high(y0 p1):
// two floors and y0 p0 2^-64 lose less than 3 in all, so y quotient 2^-64 - 3 < estimate <= y quotient 2^-64, and Shoup's wq < 2^64
// loses y 2^-64 < 1 more: wy/q - 4 < estimate <= wy/q.
INLINE vec_t estimate(vec_t y, vec_t quotient, vec_t quotient_high) {
    const vec_t y1 = high_twice(y);
    const vec_t cross = add(high(mul_even(y1, quotient)), high(mul_even(y, quotient_high)));
    return add(mul_even(y1, quotient_high), cross);
}

INLINE vec_t settle(vec_t x) { return x; }
