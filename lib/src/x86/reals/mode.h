// SPDX-License-Identifier: Apache-2.0
// The rounding mode of x86-64, as fma/real_passes.h wants it, for every kernel that estimates quotients in doubles.
#ifndef RINGSIDE_X86_MODE_H
#define RINGSIDE_X86_MODE_H

#include <immintrin.h>

typedef unsigned rounding_t;

enum { MODE_FLAGS = 0x3f, MODE_USUAL = 0x1f80 };

static inline int mode_is_usual(rounding_t mode) { return (mode & ~(rounding_t)MODE_FLAGS) == MODE_USUAL; }

// To nearest, no traps, subnormals as they are: what a process begins with. The flags stay as they are.
static inline rounding_t mode_nearest(void) {
    const rounding_t mode = _mm_getcsr();
    if (!mode_is_usual(mode)) _mm_setcsr(MODE_USUAL | (mode & MODE_FLAGS));
    return mode;
}

static inline void mode_restore(rounding_t mode) {
    if (!mode_is_usual(mode)) _mm_setcsr(mode | (_mm_getcsr() & MODE_FLAGS));
}

// A call of a kernel that is not inlined: no compiler moves its arithmetic across the change.
#define GUARDED(call)                           \
    do {                                        \
        const rounding_t mode = mode_nearest(); \
        call;                                   \
        mode_restore(mode);                     \
    } while (0)

#endif
