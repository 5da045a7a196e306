// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] on eight states at once, AVX-512F.
#include "x86/hash/hash_x86.h"

#ifdef RS_X86
#include "x86/avx512.h"
#include "x86/hash/transpose.h"

#define TARGET AVX512
#define ADD(a, b) _mm512_add_epi64(a, b)
// any function of three bits is one instruction, given its truth table
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define CHI(i, a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xd2)
#define KEPT(i, x) (x)
#define ROTATE(x, n) ((n) ? _mm512_rol_epi64(x, n) : (lane_t)(x))
#define CONSTANT(word) set8(word)
#define COUNT _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0)
typedef __m512i lane_t;
#include "hash/keccak_rounds.h"

TARGET void rs_keccak_avx512(uint64_t *states) { keccak_rounds((lane_t *)(void *)states); }

TARGET void rs_keccak_start_avx512(uint64_t *states, const uint8_t *seed, uint64_t counter) {
    keccak_start((lane_t *)(void *)states, seed, counter);
}

TARGET void rs_keccak_squeeze_avx512(uint8_t *out, size_t stride, const uint64_t *states) {
    enum { WAYS = 8, LAST = RATE_LANES - 1 };
    const lane_t *lanes = (const lane_t *)(const void *)states;
    lane_t low[WAYS], high[WAYS];
    transpose8(low, lanes);
    transpose8(high, lanes + 8);
    for (unsigned way = 0; way < WAYS; way++, out += stride) {
        _mm512_storeu_si512(out, low[way]);
        _mm512_storeu_si512(out + 64, high[way]);
        rs_store64(out + 8 * LAST, states[LAST * WAYS + way]);
    }
}
#endif
