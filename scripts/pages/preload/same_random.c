// SPDX-License-Identifier: Apache-2.0
// same_random: getrandom() gives the same bytes in each run, so that a site has the same bits when it is built again.
// notebooks.py loads it ahead of the C library for its processes alone: a notebook's keys are used for nothing else.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A counter through the mixer of SplitMix64 (Steele, Lea, Flood, 2014).
static uint64_t next(void) {
    static uint64_t state;
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

ssize_t getrandom(void *out, size_t length, unsigned flags) {
    (void)flags;
    unsigned char *bytes = out;
    for (size_t i = 0; i < length; i++) bytes[i] = (unsigned char)next();
    return (ssize_t)length;
}
