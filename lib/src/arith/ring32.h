// SPDX-License-Identifier: Apache-2.0
// The ring of 32-bit machines for moduli below 2^30 (ring32.c).
#ifndef RINGSIDE_RING32_H
#define RINGSIDE_RING32_H

#include "arith/ring.h"

enum { RS_RING32_BITS = 30 };
extern const rs_ring_t RS_RING_32;

#endif
