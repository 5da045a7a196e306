// SPDX-License-Identifier: Apache-2.0
// Rings for WebAssembly, in place of the portable ones. RS_WASM_SIMD: the compiler may use relaxed SIMD; whether an engine fuses its products
// is asked at run time (rs_wasm_fused).
#ifndef RINGSIDE_WASM_H
#define RINGSIDE_WASM_H

#include "encoding/lifts.h"
#include "sampling/samplers.h"

#ifdef __wasm__
#define RS_WASM
extern const rs_ring_t RS_RING_WASM_60; // every modulus
extern const rs_lifts_t RS_LIFTS_WASM_60;

#ifdef __wasm_relaxed_simd__
#define RS_WASM_SIMD
extern const rs_hash_t RS_HASH_WASM;
extern const rs_samplers_t RS_SAMPLERS_WASM;
// In doubles, for moduli up to the bits of the name (fma/real_passes.h).
extern const rs_ring_t RS_RING_WASM_48;
extern const rs_ring_t RS_RING_WASM_50;
extern const rs_lifts_t RS_LIFTS_WASM_48;
extern const rs_lifts_t RS_LIFTS_WASM_50;
#define RS_WASM_REAL_RINGS \
    {48, &RS_RING_WASM_48, &RS_LIFTS_WASM_48}, { 50, &RS_RING_WASM_50, &RS_LIFTS_WASM_50 }

// 1 if relaxed_madd and relaxed_nmadd round once, as the rings in doubles need; 0 if they round the product too. The standard allows both and
// demands that an engine does always the same.
int rs_wasm_fused(void);
#endif
#endif

#endif
