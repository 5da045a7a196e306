// SPDX-License-Identifier: Apache-2.0
// The back end of RISC-V with vectors (RVV 1.0), in place of the portable one where the compiler may use them: __riscv_v, with registers of
// 128 bits or more. Each file of riscv/ is empty elsewhere.
#ifndef RINGSIDE_RISCV_H
#define RINGSIDE_RISCV_H

#include "encoding/lifts.h"
#include "sampling/samplers.h"

#ifdef __riscv_v
extern const rs_hash_t RS_HASH_RVV;
extern const rs_samplers_t RS_SAMPLERS_RVV;
extern const rs_ring_t RS_RING_RVV; // every modulus
extern const rs_lifts_t RS_LIFTS_RVV;
#endif

#endif
