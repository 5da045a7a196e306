// SPDX-License-Identifier: Apache-2.0
// All of the C library that the core knows: what GCC itself asks of a freestanding environment.
#ifndef RINGSIDE_BARE_STRING_H
#define RINGSIDE_BARE_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);

#endif
