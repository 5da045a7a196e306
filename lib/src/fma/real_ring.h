// SPDX-License-Identifier: Apache-2.0
// What the instances of real_passes.h have in common. The moduli of their rings are below 2^48 or 2^50.
#ifndef RINGSIDE_REAL_RING_H
#define RINGSIDE_REAL_RING_H

#include <float.h>

#include "arith/ring.h"
#include "encoding/lifts.h"

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "exact arithmetic in doubles: build for registers of doubles, -mfpmath=sse"
#endif

enum { RS_REAL_BITS = 48, RS_REAL_BITS_WIDE = 50 };

#endif
