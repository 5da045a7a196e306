// SPDX-License-Identifier: Apache-2.0
// The back ends of x86-64: RS_X86 says whether this build has them. Each file of x86/ is empty where it has not.
#ifndef RINGSIDE_X86_H
#define RINGSIDE_X86_H

#include "arith/integers.h"
#include "arith/ring.h"
#include "encoding/encoding.h"
#include "encoding/lifts.h"
#include "hash/hash.h"
#include "sampling/samplers.h"

#if defined(RS_BACKENDS) && defined(__x86_64__)
#define RS_X86 1
// Whether this machine can run them: 1 or 0.
int rs_avx2_available(void);
int rs_avx512_available(void);
int rs_avx512ifma_available(void);
// The tables, by the instructions that they need. AVX512: F, DQ, VL and BW, and the instructions of AVX2.
extern const rs_hash_t RS_HASH_AVX2;
extern const rs_hash_t RS_HASH_AVX512;
extern const rs_samplers_t RS_SAMPLERS_AVX2;
extern const rs_samplers_t RS_SAMPLERS_AVX512;
extern const rs_encoding_t RS_ENCODING_AVX2; // and FMA
extern const rs_encoding_t RS_ENCODING_AVX512;
extern const rs_integers_t RS_INTEGERS_AVX2;
extern const rs_integers_t RS_INTEGERS_AVX512;
extern const rs_integers_t RS_INTEGERS_AVX512_IFMA;
// For moduli up to the bits of the name; those of AVX-512 from 18 bits on.
extern const rs_ring_t RS_RING_AVX2_30;
extern const rs_ring_t RS_RING_AVX2_48; // in doubles, and FMA
extern const rs_ring_t RS_RING_AVX2_50; // in doubles, and FMA
extern const rs_ring_t RS_RING_AVX2_60; // its products: any modulus; its lifts: from 51 bits on
extern const rs_lifts_t RS_LIFTS_AVX2_30;
extern const rs_lifts_t RS_LIFTS_AVX2_48;
extern const rs_lifts_t RS_LIFTS_AVX2_50;
extern const rs_lifts_t RS_LIFTS_AVX2_60; // from 51 bits on
// in doubles, FMA alone
extern const rs_ring_t RS_RING_REAL_48;
extern const rs_ring_t RS_RING_REAL_50;
extern const rs_lifts_t RS_LIFTS_REAL_48;
extern const rs_lifts_t RS_LIFTS_REAL_50;
extern const rs_ring_t RS_RING_AVX512_30;
extern const rs_ring_t RS_RING_AVX512_50;
extern const rs_ring_t RS_RING_AVX512_60;
extern const rs_ring_t RS_RING_AVX512_IFMA48;
extern const rs_ring_t RS_RING_AVX512_IFMA49;
extern const rs_ring_t RS_RING_AVX512_IFMA50;
extern const rs_ring_t RS_RING_AVX512_IFMA55;
extern const rs_ring_t RS_RING_AVX512_IFMA60;
extern const rs_lifts_t RS_LIFTS_AVX512_30;
extern const rs_lifts_t RS_LIFTS_AVX512_50;
extern const rs_lifts_t RS_LIFTS_AVX512_60;
extern const rs_lifts_t RS_LIFTS_AVX512_IFMA48;
extern const rs_lifts_t RS_LIFTS_AVX512_IFMA49;
extern const rs_lifts_t RS_LIFTS_AVX512_IFMA50;
extern const rs_lifts_t RS_LIFTS_AVX512_IFMA55;
extern const rs_lifts_t RS_LIFTS_AVX512_IFMA60;
#endif

#endif
