// SPDX-License-Identifier: Apache-2.0
// The ChaCha20 stream (RFC 8439, section 2.4): pseudo-random bytes of a key, for schemes that expand their noise with it.
//
// No branch and no index depends on key or stream.
#ifndef RINGSIDE_CHACHA20_H
#define RINGSIDE_CHACHA20_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RS_CHACHA20_KEY_BYTES = 32, RS_CHACHA20_NONCE_BYTES = 12, RS_CHACHA20_BLOCK_BYTES = 64 };

// `bytes` bytes of the blocks counter, counter + 1 … (modulo 2^32) of key and nonce, one after the other. key: RS_CHACHA20_KEY_BYTES,
// nonce: RS_CHACHA20_NONCE_BYTES. Bernstein's ChaCha20, with its 64-bit nonce and counter, has the same stream for the nonce
// 00000000 || nonce in its first 2^32 blocks.
RS_API void rs_chacha20_stream(uint8_t *out, size_t bytes, const uint8_t *key, const uint8_t *nonce, uint32_t counter);

#ifdef __cplusplus
}
#endif

#endif
