// SPDX-License-Identifier: Apache-2.0
// Back ends: the same bits, computed with different instructions of the CPU. They are part of the host library; the freestanding core
// is always portable, or rvv.
//
//   portable    C for any machine; on RISC-V with doubles in hardware residues are doubles, on machines of 32 bits they are words if they fit
//   fma         that arithmetic on x86-64, for tests and comparisons; never chosen unless it is named
//   avx2        (and FMA) hashes on four states at once, private samples by vectors of bytes, transforms of encoding, NTT
//   avx512      (F, DQ, VL, BW, and all of avx2) all of these twice as wide, and arithmetic on residues
//   avx512ifma  (and IFMA) the same with a faster NTT for moduli from 31 bits on
//   neon        on AArch64: arithmetic on residues below 2^50 in doubles, with vectors
//   neonsha3    (and FEAT_SHA3) the same, and hashes on two states at once
//   rvv         in place of portable where a compiler for RISC-V may use vectors: residues, and hashes on as many states as fit a register
//
// The library chooses one for the whole process when it first needs one: the one that the environment variable RINGSIDE_BACKEND
// names, or the best that CPU and operating system support. If the variable names one that is unknown or not available,
// rs_context_init and rs_plan_init refuse with RS_ERR_BACKEND, and functions that need neither use portable.
#ifndef RINGSIDE_BACKEND_H
#define RINGSIDE_BACKEND_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// The name of the back end in use. Never NULL.
RS_API const char *rs_backend_name(void);

// Uses the back end of this name from now on; NULL: chooses as at the start. If it is unknown or not available here, it returns
// RS_ERR_BACKEND and changes nothing. Any thread may call it at any time: running calls end on the back end they began with, and
// contexts keep the one they were made with.
RS_API RS_MUST_CHECK rs_status_t rs_backend_select(const char *name);

#ifdef __cplusplus
}
#endif

#endif
