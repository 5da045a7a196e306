// SPDX-License-Identifier: Apache-2.0
// The back ends that there are, and a loop over those of this machine.
#ifndef RS_BACK_ENDS_H
#define RS_BACK_ENDS_H

#include <ringside/backend.h>

#include "rs_test.h"

enum { BACK_ENDS = 7 };
// The last one that a machine has is its best; `fma` is never chosen where nobody asks for it.
static const char *const BACK_END[BACK_ENDS] = {"fma", "portable", "neon", "neonsha3", "avx2", "avx512", "avx512ifma"};

// The first from k on that this machine has, selected; behind the last one the machine's own choice is in use again.
static inline unsigned back_end_from(unsigned k) {
    for (; k < BACK_ENDS && rs_backend_select(BACK_END[k]) != RS_OK; k++) printf("(this machine has no %s) ", BACK_END[k]);
    CHECK(k < BACK_ENDS ? strcmp(rs_backend_name(), BACK_END[k]) == 0 : rs_backend_select(NULL) == RS_OK);
    return k;
}

#define EACH(k) for (unsigned k = back_end_from(0); k < BACK_ENDS; k = back_end_from(k + 1))

#endif
