// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] on eight states at once, AVX-512F.
#include "../backend.h"

#ifdef RS_X86
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f")))
// any function of three bits is one instruction, given its truth table
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define CHI(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xd2)
#define ROTATE(x, n) _mm512_rol_epi64(x, n)
#define CONSTANT(word) _mm512_set1_epi64((long long)(word))
typedef __m512i lane_t;
#include "../keccak_rounds.h"

TARGET void rs_keccak_avx512(uint64_t *states) {
    keccak_rounds((lane_t *)(void *)states);
}
#endif
