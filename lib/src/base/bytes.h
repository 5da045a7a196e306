// SPDX-License-Identifier: Apache-2.0
// Little-endian words in byte arrays, and bit reversal.
#ifndef RINGSIDE_BYTES_H
#define RINGSIDE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RS_LITTLE_ENDIAN = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };

// A word whose bytes in memory are in this order.
static inline uint64_t rs_little_endian(uint64_t x) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

static inline uint64_t rs_load64(const uint8_t *p) {
    uint64_t x;
    __builtin_memcpy(&x, p, sizeof x);
    return rs_little_endian(x);
}

static inline void rs_store64(uint8_t *p, uint64_t x) {
    x = rs_little_endian(x);
    __builtin_memcpy(p, &x, sizeof x);
}

// The same at multiples of 8. On machines that do not take words from anywhere (RISC-V, as its compilers see it) those above go byte by byte.
// The builtin is one instruction even where -ffreestanding makes a call of memcpy.
static inline int rs_is_aligned(const void *p) { return ((uintptr_t)p & 7) == 0; }

static inline uint64_t rs_load64_aligned(const uint8_t *p) {
    uint64_t x;
    __builtin_memcpy(&x, __builtin_assume_aligned(p, 8), sizeof x);
    return rs_little_endian(x);
}

static inline void rs_store64_aligned(uint8_t *p, uint64_t x) {
    x = rs_little_endian(x);
    __builtin_memcpy(__builtin_assume_aligned(p, 8), &x, sizeof x);
}

static inline uint32_t rs_load32(const uint8_t *p) {
    uint32_t x;
    __builtin_memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap32(x);
#endif
    return x;
}

static inline void rs_store32(uint8_t *p, uint32_t x) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap32(x);
#endif
    __builtin_memcpy(p, &x, sizeof x);
}

// The freestanding core has memcpy, memmove, memset and memcmp (all that GCC asks of a bare-metal environment), but no strcmp.
static inline int rs_same_text(const char *a, const char *b) {
    for (; *a && *a == *b; a++) b++;
    return *a == *b;
}

// The low `bits` bits of x in reverse order, 1 <= bits <= 32.
static inline uint32_t rs_bit_reverse(uint32_t x, uint32_t bits) {
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = __builtin_bswap32(x);
    return x >> (32 - bits);
}

// Word j of a's NTT form holds a(psi^(2 brv(j) + 1)): a(X^element) has this word of a in its place.
static inline uint32_t rs_galois_word(uint32_t j, uint32_t element, uint32_t log_n) {
    const uint32_t exponent = element * (2 * rs_bit_reverse(j, log_n) + 1) & ((2u << log_n) - 1);
    return rs_bit_reverse(exponent >> 1, log_n);
}

// brv(k + 1) from brv(k), n = 2^bits. From k to k + 1 the lowest bits flip, up to the first 0; so in brv(k) the highest bits flip.
static inline size_t rs_next_reversed(size_t reversed, size_t k, size_t n) {
    return reversed ^ (n - (n >> (__builtin_ctzll(k + 1) + 1)));
}

// Hides from the compiler how a mask was computed from secrets. If clang recognises that a mask comes from a comparison, it turns the
// selection by that mask into a branch (test_constant_time.c).
static inline uint64_t rs_opaque(uint64_t mask) {
    __asm__("" : "+r"(mask));
    return mask;
}

// The length of a text. Without the barrier GCC makes a call of strlen of the loop, and the core has no strlen.
static inline size_t rs_text_length(const char *text) {
    size_t length = 0;
    while (text[length]) length = (size_t)rs_opaque(length + 1);
    return length;
}

#endif
