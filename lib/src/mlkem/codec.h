// SPDX-License-Identifier: Apache-2.0
// Polynomials as bytes (FIPS 203, section 4.2.1): d bits a coefficient, the lowest first, 32 d bytes in all.
#ifndef RINGSIDE_MLKEM_CODEC_H
#define RINGSIDE_MLKEM_CODEC_H

#include "mlkem/zq.h"

// ByteEncode_12 of the canonical residues; |f| <= 32767.
void rs_mlkem_encode(uint8_t *out, const int16_t *f);
// ByteDecode_12 without its reduction: 0 to 4095.
void rs_mlkem_decode(int16_t *f, const uint8_t *in);
// Whether all coefficients are below q: 1 or 0. The bytes are public.
int rs_mlkem_is_canonical(const uint8_t *in);

// ByteEncode_d(Compress_d(f)), d = 4, 5, 10 or 11; |f| <= 3953.
void rs_mlkem_pack(uint8_t *out, const int16_t *f, uint32_t d);
// Decompress_d(ByteDecode_d(in)).
void rs_mlkem_unpack(int16_t *f, const uint8_t *in, uint32_t d);

// f + Decompress_1(ByteDecode_1(message)), message 32 bytes.
void rs_mlkem_add_message(int16_t *f, const uint8_t *message);
// ByteEncode_1(Compress_1(f)).
void rs_mlkem_to_message(uint8_t *message, const int16_t *f);

#endif
