// SPDX-License-Identifier: Apache-2.0
// The four memory functions of a freestanding environment, by words where all is aligned. Compiled with
// -fno-tree-loop-distribute-patterns, so that GCC does not turn their loops into calls of themselves.
#include <stdint.h>
#include <string.h>

typedef uint64_t __attribute__((may_alias)) word_t;
enum { WORD = sizeof(word_t) };

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    uint8_t *t = to;
    const uint8_t *f = from;
    if (!(((uintptr_t)t | (uintptr_t)f) % WORD)) {
        for (; bytes >= WORD; bytes -= WORD, t += WORD, f += WORD) *(word_t *)(void *)t = *(const word_t *)(const void *)f;
    }
    for (; bytes; bytes--) *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
    uint8_t *t = to;
    const uint8_t *f = from;
    if ((uintptr_t)to < (uintptr_t)from) return memcpy(to, from, bytes); // upwards, so the regions may overlap
    while (bytes-- > 0) t[bytes] = f[bytes];
    return to;
}

void *memset(void *to, int value, size_t bytes) {
    uint8_t *t = to;
    const uint64_t word = 0x0101010101010101ull * (uint8_t)value;
    for (; bytes && (uintptr_t)t % WORD; bytes--) *t++ = (uint8_t)value;
    for (; bytes >= WORD; bytes -= WORD, t += WORD) *(word_t *)(void *)t = word;
    for (; bytes; bytes--) *t++ = (uint8_t)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t bytes) {
    const uint8_t *x = a;
    const uint8_t *y = b;
    for (size_t i = 0; i < bytes; i++) {
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    }
    return 0;
}
