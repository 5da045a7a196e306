// SPDX-License-Identifier: Apache-2.0
// The rounding mode of x86-64, as fma/real_passes.h wants it, for every kernel that estimates quotients in doubles.
#ifndef RINGSIDE_X86_MODE_H
#define RINGSIDE_X86_MODE_H

#include <immintrin.h>

typedef unsigned rounding_t;

// To nearest, no traps, subnormals as they are: what a process begins with. The flags stay as they are.
static inline rounding_t mode_nearest(void) {
    enum { FLAGS = 0x3f, USUAL = 0x1f80 };
    const rounding_t mode = _mm_getcsr();
    if ((mode & ~(rounding_t)FLAGS) != USUAL) _mm_setcsr(USUAL | (mode & FLAGS));
    return mode;
}

static inline void mode_restore(rounding_t mode) {
    if (mode != _mm_getcsr()) _mm_setcsr(mode | (_mm_getcsr() & 0x3f));
}

// A call of a kernel that is not inlined: no compiler moves its arithmetic across the change.
#define GUARDED(call)                           \
    do {                                        \
        const rounding_t mode = mode_nearest(); \
        call;                                   \
        mode_restore(mode);                     \
    } while (0)

#endif
