// SPDX-License-Identifier: Apache-2.0
// Keys and signatures as bytes. Eight numbers of b bits are b bytes: the loops go by eight numbers, in two words of four (b <= 14), which takes a
// processor without unaligned loads a third of the instructions of a loop by bytes.
#include "base/bytes.h"
#include "base/declassify.h"
#include "papers/bliss/bliss.h"

enum { N = RS_BLISS_N, Q = RS_BLISS_Q, HIGH_BITS = 5, PUBLIC_BITS = 14, DIGIT_BITS = 2, Z1_BITS = 13, Z2_BITS = 3, PLACE_BITS = 9 };
enum { AT_ONCE = 8, Z2_BYTES = N * Z1_BITS / 8, PLACE_BYTES = Z2_BYTES + N * Z2_BITS / 8 };

static inline void put(uint8_t *out, const uint32_t *numbers, unsigned bits) {
    uint64_t words[2] = {0};
    for (unsigned i = 0; i < AT_ONCE; i++) words[i / 4] |= (uint64_t)numbers[i] << i % 4 * bits;
    const uint64_t high = words[1] >> (64 - 4 * bits);
    words[0] |= words[1] << 4 * bits;
    for (unsigned i = 0; i < bits; i++) out[i] = (uint8_t)(i < 8 ? words[0] >> 8 * i : high >> 8 * (i - 8));
}

static inline void get(uint32_t *numbers, const uint8_t *in, unsigned bits) {
    for (unsigned half = 0; half < 2; half++) {
        const unsigned first = half * 4 * bits, shift = first % 8, bytes = (shift + 4 * bits + 7) / 8; // at most 7
        uint64_t word = 0;
        for (unsigned i = 0; i < bytes; i++) word |= (uint64_t)in[first / 8 + i] << 8 * i;
        for (unsigned i = 0; i < 4; i++)
            numbers[4 * half + i] = (uint32_t)(word >> (shift + i * bits)) & (((uint32_t)1 << bits) - 1);
    }
}

void rs_bliss_pack_high(uint8_t *out, const uint8_t *high) {
    for (size_t i = 0; i < N; i += AT_ONCE, out += HIGH_BITS) {
        uint32_t numbers[AT_ONCE];
        for (size_t k = 0; k < AT_ONCE; k++) numbers[k] = high[i + k];
        put(out, numbers, HIGH_BITS);
    }
}

// brv(i + k) is brv(i) | brv(k) for multiples i of 8 and k < 8.
static const uint16_t REVERSED[AT_ONCE] = {0,     N / 2,         N / 4,         N / 2 + N / 4,
                                           N / 8, N / 2 + N / 8, N / 4 + N / 8, N / 2 + N / 4 + N / 8};

void rs_bliss_pack_public(uint8_t *out, const uint64_t *ntt) {
    for (uint32_t i = 0; i < N; i += AT_ONCE, out += PUBLIC_BITS) {
        const uint64_t *from = ntt + rs_bit_reverse(i, RS_BLISS_LOG_N);
        uint32_t numbers[AT_ONCE];
        for (size_t k = 0; k < AT_ONCE; k++) numbers[k] = (uint32_t)from[REVERSED[k]];
        put(out, numbers, PUBLIC_BITS);
    }
}

rs_status_t rs_bliss_unpack_public(uint64_t *ntt, const uint8_t *in) {
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < N; i += AT_ONCE, in += PUBLIC_BITS) {
        uint64_t *to = ntt + rs_bit_reverse(i, RS_BLISS_LOG_N);
        uint32_t numbers[AT_ONCE];
        get(numbers, in, PUBLIC_BITS);
        for (size_t k = 0; k < AT_ONCE; k++) {
            beyond |= Q - 1 - numbers[k];
            to[REVERSED[k]] = numbers[k];
        }
    }
    beyond >>= 31;
    RS_DECLASSIFY(&beyond, sizeof beyond); // a fact of a public key
    return beyond ? RS_ERR_RESIDUE : RS_OK;
}

// 0, 1, -1 are the digits 0, 1, 2.
void rs_bliss_pack_ternary(uint8_t *out, const int8_t *ternary) {
    for (size_t i = 0; i < N; i += AT_ONCE, out += DIGIT_BITS) {
        uint32_t digits[AT_ONCE];
        for (size_t k = 0; k < AT_ONCE; k++) {
            const uint32_t value = (uint32_t)(int32_t)ternary[i + k];
            digits[k] = (value & 1) + (value >> 31);
        }
        put(out, digits, DIGIT_BITS);
    }
}

rs_status_t rs_bliss_unpack_ternary(int8_t *ternary, const uint8_t *in) {
    uint32_t bad = 0, weight = 0;
    for (size_t i = 0; i < N; i += AT_ONCE, in += DIGIT_BITS) {
        uint32_t digits[AT_ONCE];
        get(digits, in, DIGIT_BITS);
        for (size_t k = 0; k < AT_ONCE; k++) {
            const uint32_t low = digits[k] & 1, high = digits[k] >> 1;
            bad |= low & high;
            weight += low ^ high;
            ternary[i + k] = (int8_t)(uint8_t)(low - high);
        }
    }
    bad |= weight ^ RS_BLISS_WEIGHT;
    RS_DECLASSIFY(&bad, sizeof bad); // damaged or not
    return bad ? RS_ERR_SECRET_KEY : RS_OK;
}

// Numbers of a signature, and back.
static inline void put_all(uint8_t *out, const int16_t *z, int32_t offset, unsigned bits) {
    for (size_t i = 0; i < N; i += AT_ONCE, out += bits) {
        uint32_t numbers[AT_ONCE];
        for (size_t k = 0; k < AT_ONCE; k++) numbers[k] = (uint32_t)(z[i + k] + offset);
        put(out, numbers, bits);
    }
}

// Its top bit: one is above 2 offset.
static inline uint32_t get_all(int16_t *z, const uint8_t *in, int32_t offset, unsigned bits) {
    uint32_t beyond = 0;
    for (size_t i = 0; i < N; i += AT_ONCE, in += bits) {
        uint32_t numbers[AT_ONCE];
        get(numbers, in, bits);
        for (size_t k = 0; k < AT_ONCE; k++) {
            beyond |= (uint32_t)(2 * offset) - numbers[k];
            z[i + k] = (int16_t)((int32_t)numbers[k] - offset);
        }
    }
    return beyond;
}

void rs_bliss_pack_signature(uint8_t *out, const rs_bliss_signature_t *signature) {
    put_all(out, signature->z1, RS_BLISS_Z_MAX, Z1_BITS);
    put_all(out + Z2_BYTES, signature->z2, RS_BLISS_Z2_MAX, Z2_BITS);
    uint32_t held = 0;
    unsigned count = 0;
    out += PLACE_BYTES;
    for (size_t i = 0; i <= RS_BLISS_KAPPA; i++) { // the last one is the bit 0
        held |= i < RS_BLISS_KAPPA ? (uint32_t)signature->places[i] << count : 0;
        for (count += i < RS_BLISS_KAPPA ? PLACE_BITS : 1; count >= 8; count -= 8, held >>= 8) *out++ = (uint8_t)held;
    }
}

rs_status_t rs_bliss_unpack_signature(rs_bliss_signature_t *signature, const uint8_t *in) {
    const uint32_t beyond = get_all(signature->z1, in, RS_BLISS_Z_MAX, Z1_BITS);
    if ((beyond | get_all(signature->z2, in + Z2_BYTES, RS_BLISS_Z2_MAX, Z2_BITS)) >> 31) return RS_ERR_SIGNATURE;
    uint32_t held = 0;
    unsigned count = 0;
    in += PLACE_BYTES;
    for (size_t i = 0; i < RS_BLISS_KAPPA; i++) {
        for (; count < PLACE_BITS; count += 8) held |= (uint32_t)*in++ << count;
        signature->places[i] = (uint16_t)(held & ((1 << PLACE_BITS) - 1));
        held >>= PLACE_BITS;
        count -= PLACE_BITS;
    }
    return held ? RS_ERR_SIGNATURE : RS_OK; // the last bit
}
