// SPDX-License-Identifier: Apache-2.0
// What WebAssembly has beyond the portable back end: rings in doubles, by relaxed SIMD (arith/ring_wasm.c). Defined where the compiler
// may use these instructions; whether the engine fuses their products is asked at run time (rs_wasm_fused).
#ifndef RINGSIDE_WASM_H
#define RINGSIDE_WASM_H

#include "encoding/lifts.h"

#if defined(__wasm_relaxed_simd__) && defined(__wasm_simd128__)
#define RS_WASM_SIMD

enum { RS_WASM_BITS_NARROW = 48, RS_WASM_BITS = 50 }; // of moduli
extern const rs_ring_t RS_RING_WASM_48;
extern const rs_ring_t RS_RING_WASM_50;
extern const rs_lifts_t RS_LIFTS_WASM_48;
extern const rs_lifts_t RS_LIFTS_WASM_50;

// 1 if relaxed_madd and relaxed_nmadd round once, as the rings need; 0 if they round the product too. The standard allows both and
// demands that an engine does always the same.
int rs_wasm_fused(void);
#endif

#endif
