// SPDX-License-Identifier: Apache-2.0
#include "mldsa/packing.h"

#include "base/bytes.h"

// Eight coefficients are `bits` bytes. With bits known when this is compiled, the loops below become straight code.
enum { GROUP = 8 };
#define INLINE static inline __attribute__((always_inline))

// Values are base + sign c.
INLINE void pack(uint8_t *out, const int32_t *c, int32_t base, int32_t sign, unsigned bits) {
    unsigned i = 0;
#ifdef INSTRUCTIONS
    for (; (RS_MLDSA_N - i) / GROUP * bits >= bytes_of_eight(bits); i += GROUP, out += bits) {
        const __m256i x = load256(c + i), shift = _mm256_set1_epi32(base);
        pack_eight(out, sign < 0 ? _mm256_sub_epi32(shift, x) : x, bits);
    }
#endif
    for (; i < RS_MLDSA_N; i += GROUP) {
        uint64_t held = 0;
        unsigned count = 0;
#pragma GCC unroll 8
        for (unsigned j = 0; j < GROUP; j++) {
            held |= (uint64_t)(uint32_t)(base + sign * c[i + j]) << count;
            count += bits;
#pragma GCC unroll 4
            for (; count >= 8; count -= 8, held >>= 8) *out++ = (uint8_t)held;
        }
    }
}

INLINE void unpack(int32_t *c, const uint8_t *in, int32_t base, int32_t sign, unsigned bits) {
    unsigned i = 0;
#ifdef INSTRUCTIONS
    for (; (RS_MLDSA_N - i) / GROUP * bits >= bytes_of_eight(bits); i += GROUP, in += bits) {
        const __m256i x = unpack_eight(in, bits), shift = _mm256_set1_epi32(base);
        store256(c + i, sign < 0 ? _mm256_sub_epi32(shift, x) : x);
    }
#endif
    for (; i < RS_MLDSA_N; i += GROUP) {
        uint32_t held = 0; // fewer than 8 + 20 bits
        unsigned count = 0;
#pragma GCC unroll 8
        for (unsigned j = 0; j < GROUP; j++) {
#pragma GCC unroll 4
            for (; count < bits; count += 8) held |= (uint32_t)*in++ << count;
            c[i + j] = base + sign * (int32_t)(held & ((1u << bits) - 1));
            held >>= bits;
            count -= bits;
        }
    }
}

void rs_mldsa_pack(uint8_t *out, const rs_mldsa_poly_t *a, unsigned bits) {
    switch (bits) {
    case 4: pack(out, a->c, 0, 1, 4); break;
    case 6: pack(out, a->c, 0, 1, 6); break;
    default: pack(out, a->c, 0, 1, 10); break;
    }
}

void rs_mldsa_unpack(rs_mldsa_poly_t *out, const uint8_t *in, unsigned bits) { unpack(out->c, in, 0, 1, bits); }

void rs_mldsa_pack_below(uint8_t *out, const rs_mldsa_poly_t *a, int32_t top, unsigned bits) {
    switch (bits) {
    case 3: pack(out, a->c, top, -1, 3); break;
    case 4: pack(out, a->c, top, -1, 4); break;
    case 13: pack(out, a->c, top, -1, 13); break;
    case 18: pack(out, a->c, top, -1, 18); break;
    default: pack(out, a->c, top, -1, 20); break;
    }
}

void rs_mldsa_unpack_below(rs_mldsa_poly_t *out, const uint8_t *in, int32_t top, unsigned bits) {
    switch (bits) {
    case 3: unpack(out->c, in, top, -1, 3); break;
    case 4: unpack(out->c, in, top, -1, 4); break;
    case 13: unpack(out->c, in, top, -1, 13); break;
    case 18: unpack(out->c, in, top, -1, 18); break;
    default: unpack(out->c, in, top, -1, 20); break;
    }
}

// ---- hints ---------------------------------------------------------------------------------------------------------------
// The places of all hints, row after row, then zeros up to omega; after them, for each row, how many places there are up to its end.
void rs_mldsa_pack_hints(uint8_t *out, const rs_mldsa_poly_t *hints, const rs_mldsa_params_t *p) {
    unsigned count = 0;
    memset(out, 0, p->omega);
    for (unsigned row = 0; row < p->k; row++) {
        for (unsigned i = 0; i < RS_MLDSA_N; i++) {
            if (hints[row].c[i]) out[count++] = (uint8_t)i;
        }
        out[p->omega + row] = (uint8_t)count;
    }
}

int rs_mldsa_hints_are_canonical(const uint8_t *in, const rs_mldsa_params_t *p) {
    unsigned count = 0;
    for (unsigned row = 0; row < p->k; row++) {
        const unsigned end = in[p->omega + row];
        if (end < count || end > p->omega) return 0;
        for (unsigned i = count + 1; i < end; i++) {
            if (in[i] <= in[i - 1]) return 0;
        }
        count = end;
    }
    for (; count < p->omega; count++) {
        if (in[count]) return 0;
    }
    return 1;
}

void rs_mldsa_unpack_hints(uint8_t hints[RS_MLDSA_N], const uint8_t *in, unsigned row, const rs_mldsa_params_t *p) {
    memset(hints, 0, RS_MLDSA_N);
    for (unsigned i = row ? in[p->omega + row - 1] : 0; i < in[p->omega + row]; i++) hints[in[i]] = 1;
}
