// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] on two states at once, in vectors of 128 bits.
#include "wasm/wasm.h"

#ifdef RS_WASM_SIMD
#include <wasm_simd128.h>

#define TARGET
#define ADD(a, b) wasm_i64x2_add(a, b)
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define CHI(i, a, b, c) ((a) ^ wasm_v128_andnot(c, b))
#define KEPT(i, x) (x)
#define ROTATE(x, n) ((n) ? wasm_i64x2_shl(x, n) | wasm_u64x2_shr(x, (64 - (n)) % 64) : (x))
#define CONSTANT(word) wasm_i64x2_splat((int64_t)(word))
#define COUNT wasm_i64x2_make(0, 1)
#define LANE(x, i) (uint64_t)wasm_i64x2_extract_lane(x, i)
#define HASH RS_HASH_WASM
#define SAMPLERS RS_SAMPLERS_WASM
typedef v128_t lane_t;
#include "sampling/keccak_pair.h"
#endif
