// SPDX-License-Identifier: Apache-2.0
// The ring in doubles (ring_fma.c), where the hardware has fused multiply-adds of doubles: on RISC-V with the D extension in place of the
// portable one, on x86-64 as a back end of its own, elsewhere if RS_FMA is defined.
#ifndef RINGSIDE_RING_FMA_H
#define RINGSIDE_RING_FMA_H

#include "encoding/lifts.h"

#if defined(__x86_64__) && defined(RS_BACKENDS)
#define RS_RING_FMA
#define RS_FMA_TARGET __attribute__((target("fma")))
#elif defined(__FP_FAST_FMA) && (defined(__riscv) || defined(RS_FMA))
#define RS_RING_FMA
#define RS_FMA_TARGET
#endif

#ifdef RS_RING_FMA
enum { RS_FMA_BITS_NARROW = 31, RS_FMA_BITS = 47 }; // bits of moduli
extern const rs_ring_t RS_RING_FMA_31; // quotients of 32 bits, which it does not use: so twiddles have 32 bits too
extern const rs_ring_t RS_RING_FMA_47;
extern const rs_lifts_t RS_LIFTS_FMA_31;
extern const rs_lifts_t RS_LIFTS_FMA_47;
#ifdef __x86_64__
// Whether this machine has the instructions: 1 or 0.
int rs_fma_available(void);
#endif
#endif

#endif
