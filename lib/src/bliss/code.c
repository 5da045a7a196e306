// SPDX-License-Identifier: Apache-2.0
// Keys and signatures as bytes.
#include "base/bytes.h"
#include "bliss/bliss.h"

enum { N = RS_BLISS_N, Q = RS_BLISS_Q, PUBLIC_BITS = 14, DIGIT_BITS = 2, Z1_BITS = 13, Z2_BITS = 3, PLACE_BITS = 9 };

void rs_put_bits(rs_bit_writer_t *writer, uint32_t value, unsigned bits) {
    writer->held |= (uint64_t)value << writer->count;
    for (writer->count += bits; writer->count >= 8; writer->count -= 8) {
        *writer->out++ = (uint8_t)writer->held;
        writer->held >>= 8;
    }
}

uint32_t rs_get_bits(rs_bit_reader_t *reader, unsigned bits) {
    for (; reader->count < bits; reader->count += 8) reader->held |= (uint64_t)*reader->in++ << reader->count;
    const uint32_t value = (uint32_t)reader->held & (((uint32_t)1 << bits) - 1);
    reader->held >>= bits;
    reader->count -= bits;
    return value;
}

void rs_bliss_pack_public(uint8_t *out, const uint64_t *ntt) {
    rs_bit_writer_t writer = {.out = out};
    for (size_t i = 0, reversed = 0; i < N; reversed = rs_next_reversed(reversed, i++, N)) {
        rs_put_bits(&writer, (uint32_t)ntt[reversed], PUBLIC_BITS);
    }
}

rs_status_t rs_bliss_unpack_public(uint64_t *ntt, const uint8_t *in) {
    rs_bit_reader_t reader = {.in = in};
    uint32_t beyond = 0;
    for (size_t i = 0, reversed = 0; i < N; reversed = rs_next_reversed(reversed, i++, N)) {
        const uint32_t word = rs_get_bits(&reader, PUBLIC_BITS);
        beyond |= (Q - 1 - word) >> 31;
        ntt[reversed] = word;
    }
    RS_DECLASSIFY(&beyond, sizeof beyond); // of a public key
    return beyond ? RS_ERR_RESIDUE : RS_OK;
}

// 0, 1, -1 are the digits 0, 1, 2.
void rs_bliss_pack_ternary(uint8_t *out, const int8_t *ternary) {
    rs_bit_writer_t writer = {.out = out};
    for (size_t i = 0; i < N; i++) {
        const uint32_t value = (uint32_t)(int32_t)ternary[i];
        rs_put_bits(&writer, (value & 1) + (value >> 31), DIGIT_BITS);
    }
}

rs_status_t rs_bliss_unpack_ternary(int8_t *ternary, const uint8_t *in) {
    rs_bit_reader_t reader = {.in = in};
    uint32_t bad = 0, weight = 0;
    for (size_t i = 0; i < N; i++) {
        const uint32_t digit = rs_get_bits(&reader, DIGIT_BITS), low = digit & 1, high = digit >> 1;
        bad |= low & high;
        weight += low ^ high;
        ternary[i] = (int8_t)(uint8_t)(low - high);
    }
    bad |= weight ^ RS_BLISS_WEIGHT;
    RS_DECLASSIFY(&bad, sizeof bad); // damaged or not
    return bad ? RS_ERR_SECRET_KEY : RS_OK;
}

void rs_bliss_pack_signature(uint8_t *out, const rs_bliss_signature_t *signature) {
    rs_bit_writer_t writer = {.out = out};
    for (size_t i = 0; i < N; i++) rs_put_bits(&writer, (uint32_t)(signature->z1[i] + RS_BLISS_Z_MAX), Z1_BITS);
    for (size_t i = 0; i < N; i++) rs_put_bits(&writer, (uint32_t)(signature->z2[i] + RS_BLISS_Z2_MAX), Z2_BITS);
    for (size_t i = 0; i < RS_BLISS_KAPPA; i++) rs_put_bits(&writer, signature->places[i], PLACE_BITS);
    rs_put_bits(&writer, 0, 1);
}

rs_status_t rs_bliss_unpack_signature(rs_bliss_signature_t *signature, const uint8_t *in) {
    rs_bit_reader_t reader = {.in = in};
    for (size_t i = 0; i < N; i++) {
        const uint32_t word = rs_get_bits(&reader, Z1_BITS);
        if (word > 2 * RS_BLISS_Z_MAX) return RS_ERR_SIGNATURE;
        signature->z1[i] = (int16_t)((int32_t)word - RS_BLISS_Z_MAX);
    }
    for (size_t i = 0; i < N; i++) {
        const uint32_t word = rs_get_bits(&reader, Z2_BITS);
        if (word > 2 * RS_BLISS_Z2_MAX) return RS_ERR_SIGNATURE;
        signature->z2[i] = (int16_t)((int32_t)word - RS_BLISS_Z2_MAX);
    }
    for (size_t i = 0; i < RS_BLISS_KAPPA; i++) signature->places[i] = (uint16_t)rs_get_bits(&reader, PLACE_BITS);
    return rs_get_bits(&reader, 1) ? RS_ERR_SIGNATURE : RS_OK;
}
