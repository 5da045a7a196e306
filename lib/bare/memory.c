// SPDX-License-Identifier: Apache-2.0
// The four memory functions of a freestanding environment, byte by byte. Compiled with -fno-tree-loop-distribute-patterns, so that
// GCC does not turn their loops into calls of themselves.
#include <stdint.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    uint8_t *t = to;
    const uint8_t *f = from;
    for (size_t i = 0; i < bytes; i++) t[i] = f[i];
    return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
    uint8_t *t = to;
    const uint8_t *f = from;
    if ((uintptr_t)to < (uintptr_t)from) return memcpy(to, from, bytes);
    while (bytes-- > 0) t[bytes] = f[bytes];
    return to;
}

void *memset(void *to, int value, size_t bytes) {
    uint8_t *t = to;
    for (size_t i = 0; i < bytes; i++) t[i] = (uint8_t)value;
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
