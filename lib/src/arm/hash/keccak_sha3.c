// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] on two states at once, by the instructions of FEAT_SHA3.
#include "arm/arm.h"

#ifdef RS_ARM
#include <arm_neon.h>

#ifdef __clang__
#define TARGET __attribute__((target("sha3")))
#else
#define TARGET __attribute__((target("arch=armv8.2-a+sha3")))
#endif
#define ADD(a, b) vaddq_u64(a, b)
#define XOR3(a, b, c) veor3q_u64(a, b, c)
#define CHI(i, a, b, c) vbcaxq_u64(a, c, b)
#define KEPT(i, x) (x)
#define ROTATE_XOR(x, y, n) vxarq_u64(x, y, (64 - (n)) % 64)
#define XOR_ROTATE1(x, y) vrax1q_u64(x, y)
#define CONSTANT(word) vdupq_n_u64(word)
#define COUNT vcombine_u64(vcreate_u64(0), vcreate_u64(1))
#define LANE(x, i) vgetq_lane_u64(x, i)
#define HASH RS_HASH_SHA3
#define SAMPLERS RS_SAMPLERS_SHA3
typedef uint64x2_t lane_t;
#include "sampling/keccak_pair.h"
#endif
