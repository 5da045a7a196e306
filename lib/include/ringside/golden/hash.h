// SPDX-License-Identifier: Apache-2.0
// Golden: Keccak, BLAKE2b (RFC 7693), BLAKE2Xb, SEAL's seeded generator, ChaCha20. No branch and no index depends on data.
#ifndef RINGSIDE_GOLDEN_HASH_H
#define RINGSIDE_GOLDEN_HASH_H

#include "../xof.h"

#ifdef __cplusplus
extern "C" {
#endif

// Keccak-f[1600] on 25 lanes, lane (x, y) at state[x + 5y].
RS_GOLDEN void rs_keccak_f1600(uint64_t *state);
// out_bytes 1..64, key_bytes 0..64.
RS_GOLDEN void rs_blake2b(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes, const uint8_t *key, size_t key_bytes);
// out_bytes 1..2^32-2.
RS_GOLDEN void rs_blake2xb(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes, const uint8_t *key,
                           size_t key_bytes);

// Block `counter` of SEAL's public generator, 4096 bytes:
//   SHAKE256: SHAKE256(seed || LE64(counter));   BLAKE2Xb: BLAKE2Xb(message LE64(counter), key seed).
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_seed_block(uint8_t *out, rs_seed_type_t type, const rs_seed_t *seed, uint64_t counter);

// The ChaCha20 stream (RFC 8439, section 2.4).
enum { RS_CHACHA20_KEY_BYTES = 32, RS_CHACHA20_NONCE_BYTES = 12, RS_CHACHA20_BLOCK_BYTES = 64 };

// `bytes` bytes of the blocks counter, counter + 1 … (modulo 2^32) of key and nonce, one after the other. key: RS_CHACHA20_KEY_BYTES,
// nonce: RS_CHACHA20_NONCE_BYTES. Bernstein's ChaCha20, with its 64-bit nonce and counter, has the same stream for the nonce
// 00000000 || nonce in its first 2^32 blocks.
RS_GOLDEN void rs_chacha20_stream(uint8_t *out, size_t bytes, const uint8_t *key, const uint8_t *nonce, uint32_t counter);

#ifdef __cplusplus
}
#endif

#endif
