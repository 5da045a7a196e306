// SPDX-License-Identifier: Apache-2.0
// Numbers of 128 bits, for products of words: the compiler's own type, or two words where it has none (32-bit machines), or where
// RS_NO_INT128 asks for that. Both give the same bits (lib/tests/test_wide.c). WebAssembly has no such product: clang has the type there,
// and calls a function for each, which takes twice as long as what is below.
//
// Additions, products and shifts by constants have no branches and no indices: operands may be secret. On a 32-bit machine they are
// made of 32 x 32 -> 64-bit multiplications, whose time must not depend on the operands: so it is on Cortex-M4, M33 and M7, not on
// Cortex-M3.
#ifndef RINGSIDE_WIDE_H
#define RINGSIDE_WIDE_H

#include <stdint.h>

#if defined(__wasm__) && !defined(RS_NO_INT128)
#define RS_NO_INT128
#endif
#if defined(__SIZEOF_INT128__) && !defined(RS_NO_INT128)
__extension__ typedef unsigned __int128 rs_wide_t;

static inline rs_wide_t rs_wide(uint64_t high, uint64_t low) { return (rs_wide_t)high << 64 | low; }

static inline uint64_t rs_wide_high(rs_wide_t x) { return (uint64_t)(x >> 64); }

static inline uint64_t rs_wide_low(rs_wide_t x) { return (uint64_t)x; }

// a b
static inline rs_wide_t rs_wide_mul(uint64_t a, uint64_t b) { return (rs_wide_t)a * b; }

// a b mod 2^128
static inline rs_wide_t rs_wide_mul_word(rs_wide_t a, uint64_t b) { return a * b; }

// a + b mod 2^128
static inline rs_wide_t rs_wide_add(rs_wide_t a, rs_wide_t b) { return a + b; }

// The low word of floor(x / 2^shift), 0 <= shift < 128, public.
static inline uint64_t rs_wide_shift(rs_wide_t x, uint32_t shift) { return (uint64_t)(x >> shift); }

// floor(x / q), q > 0. Set-up only: operands must be public.
static inline rs_wide_t rs_wide_divide(rs_wide_t x, uint64_t q) { return x / q; }
#else
typedef struct rs_wide {
    uint64_t low;
    uint64_t high;
} rs_wide_t;

static inline rs_wide_t rs_wide(uint64_t high, uint64_t low) { return (rs_wide_t){low, high}; }

static inline uint64_t rs_wide_high(rs_wide_t x) { return x.high; }

static inline uint64_t rs_wide_low(rs_wide_t x) { return x.low; }

// With halves a = a1 2^32 + a0, b = b1 2^32 + b0: neither sum in the middle exceeds (2^32 - 1)^2 + 2^32 - 1 < 2^64.
static inline rs_wide_t rs_wide_mul(uint64_t a, uint64_t b) {
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32;
    const uint64_t b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t low = a0 * b0;
    const uint64_t middle = a1 * b0 + (low >> 32);
    const uint64_t other = a0 * b1 + (uint32_t)middle;
    return (rs_wide_t){other << 32 | (uint32_t)low, a1 * b1 + (middle >> 32) + (other >> 32)};
}

static inline rs_wide_t rs_wide_mul_word(rs_wide_t a, uint64_t b) {
    rs_wide_t product = rs_wide_mul(a.low, b);
    product.high += a.high * b;
    return product;
}

// The carry of a + b is the top bit of a b + (a + b)(not sum), bitwise: no comparison that a compiler could make a branch of.
static inline rs_wide_t rs_wide_add(rs_wide_t a, rs_wide_t b) {
    const uint64_t low = a.low + b.low;
    const uint64_t carry = ((a.low & b.low) | ((a.low | b.low) & ~low)) >> 63;
    return (rs_wide_t){low, a.high + b.high + carry};
}

static inline uint64_t rs_wide_shift(rs_wide_t x, uint32_t shift) {
    if (shift >= 64) return x.high >> (shift - 64);
    return shift ? x.high << (64 - shift) | x.low >> shift : x.low;
}

// Bit by bit: as slow as it is rare.
static inline rs_wide_t rs_wide_divide(rs_wide_t x, uint64_t q) {
    rs_wide_t quotient = {0, 0};
    uint64_t rest = 0;
    for (unsigned i = 128; i-- > 0;) {
        const uint64_t carry = rest >> 63;
        rest = rest << 1 | ((i >= 64 ? x.high >> (i - 64) : x.low >> i) & 1);
        const uint64_t take = carry | (rest >= q);
        rest -= q & (0 - take);
        if (i >= 64) {
            quotient.high |= take << (i - 64);
        } else {
            quotient.low |= take << i;
        }
    }
    return quotient;
}
#endif

// Shifts of a word by a secret count from 0 to 63. 32-bit machines have no such instruction, and what compilers make of it can branch
// on the count: there each bit of the count decides, by a mask, on a shift by a power of two.
#if UINTPTR_MAX > UINT32_MAX && !defined(RS_NO_INT128)
static inline uint64_t rs_shift_left(uint64_t x, uint64_t count) { return x << count; }

static inline uint64_t rs_shift_right(uint64_t x, uint64_t count) { return x >> count; }
#else
static inline uint64_t rs_shift_left(uint64_t x, uint64_t count) {
    for (unsigned bit = 0; bit < 6; bit++) x ^= (x ^ x << (1u << bit)) & (0 - (count >> bit & 1));
    return x;
}

static inline uint64_t rs_shift_right(uint64_t x, uint64_t count) {
    for (unsigned bit = 0; bit < 6; bit++) x ^= (x ^ x >> (1u << bit)) & (0 - (count >> bit & 1));
    return x;
}
#endif

#endif
