// SPDX-License-Identifier: Apache-2.0
// Packing of coefficients. Eight of d bits are d bytes: each function is one loop over such groups, made for one d.
#include "mlkem/codec.h"

#define INLINE static inline __attribute__((always_inline))

enum { GROUP = 8 };

// d <= 12: with the bits that wait, fewer than 8, it is a word of 32 bits.
INLINE void put_group(uint8_t *out, const uint32_t *values, uint32_t d) {
    uint32_t word = 0, bits = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < GROUP; i++) {
        word |= values[i] << bits;
#pragma GCC unroll 2
        for (bits += d; bits >= 8; bits -= 8) {
            *out++ = (uint8_t)word;
            word >>= 8;
        }
    }
}

INLINE void take_group(uint32_t *values, const uint8_t *in, uint32_t d) {
    uint32_t word = 0, bits = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < GROUP; i++) {
#pragma GCC unroll 2
        for (; bits < d; bits += 8) word |= (uint32_t)*in++ << bits;
        values[i] = word & (((uint32_t)1 << d) - 1);
        word >>= d;
        bits -= d;
    }
}

INLINE void pack(uint8_t *out, const int16_t *f, uint32_t d) {
    for (uint32_t at = 0; at < RS_MLKEM_N; at += GROUP, out += d) {
        uint32_t values[GROUP];
#pragma GCC unroll 8
        for (uint32_t i = 0; i < GROUP; i++) values[i] = rs_mlkem_compress(f[at + i], d);
        put_group(out, values, d);
    }
}

INLINE void unpack(int16_t *f, const uint8_t *in, uint32_t d) {
    for (uint32_t at = 0; at < RS_MLKEM_N; at += GROUP, in += d) {
        uint32_t values[GROUP];
        take_group(values, in, d);
#pragma GCC unroll 8
        for (uint32_t i = 0; i < GROUP; i++) f[at + i] = rs_mlkem_decompress(values[i], d);
    }
}

void rs_mlkem_encode(uint8_t *out, const int16_t *f) {
    for (uint32_t at = 0; at < RS_MLKEM_N; at += 2, out += 3) {
        const uint32_t pair = rs_mlkem_canonical(f[at]) | rs_mlkem_canonical(f[at + 1]) << 12;
        out[0] = (uint8_t)pair;
        out[1] = (uint8_t)(pair >> 8);
        out[2] = (uint8_t)(pair >> 16);
    }
}

INLINE uint32_t pair_at(const uint8_t *in) { return in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16; }

void rs_mlkem_decode(int16_t *f, const uint8_t *in) {
    for (uint32_t at = 0; at < RS_MLKEM_N; at += 2, in += 3) {
        const uint32_t pair = pair_at(in);
        f[at] = (int16_t)(pair & 0xfff);
        f[at + 1] = (int16_t)(pair >> 12);
    }
}

int rs_mlkem_is_canonical(const uint8_t *in) {
    uint32_t wrong = 0; // its sign
    for (uint32_t at = 0; at < RS_MLKEM_N; at += 2, in += 3) {
        const uint32_t pair = pair_at(in);
        wrong |= (RS_MLKEM_Q - 1 - (pair & 0xfff)) | (RS_MLKEM_Q - 1 - (pair >> 12));
    }
    return !(wrong >> 31);
}

void rs_mlkem_pack(uint8_t *out, const int16_t *f, uint32_t d) {
    switch (d) {
    case 4: pack(out, f, 4); break;
    case 5: pack(out, f, 5); break;
    case 10: pack(out, f, 10); break;
    default: pack(out, f, 11); break;
    }
}

void rs_mlkem_unpack(int16_t *f, const uint8_t *in, uint32_t d) {
    switch (d) {
    case 4: unpack(f, in, 4); break;
    case 5: unpack(f, in, 5); break;
    case 10: unpack(f, in, 10); break;
    default: unpack(f, in, 11); break;
    }
}

void rs_mlkem_add_message(int16_t *f, const uint8_t *message) {
    for (uint32_t at = 0; at < RS_MLKEM_N; at += GROUP) {
        const uint32_t byte = *message++;
#pragma GCC unroll 8
        for (uint32_t i = 0; i < GROUP; i++) {
            f[at + i] =
                (int16_t)(f[at + i] + (int32_t)((byte >> i & 1) * RS_MLKEM_HALF)); // no mask: a compiler may make a branch of it
        }
    }
}

void rs_mlkem_to_message(uint8_t *message, const int16_t *f) {
    for (uint32_t at = 0; at < RS_MLKEM_N; at += GROUP) {
        uint32_t byte = 0;
#pragma GCC unroll 8
        for (uint32_t i = 0; i < GROUP; i++) byte |= rs_mlkem_compress(f[at + i], 1) << i;
        *message++ = (uint8_t)byte;
    }
}
