// SPDX-License-Identifier: Apache-2.0
// SHAKE256 as BLISS uses it: the bytes of candidates, and the hash of the rounded commitment.
#include <string.h>

#include "backend/backend.h"
#include "base/bytes.h"
#include "base/checks.h"
#include "hash/sponges.h"
#include "papers/bliss/bliss.h"

enum {
    BLOCK = RS_SHAKE256_RATE_BYTES,
    WHOLE_BLOCKS = RS_BLISS_DRAW_BYTES / BLOCK,
    LAST = RS_BLISS_DRAW_BYTES % BLOCK,
    NUMBER_BYTES = 2
};

void rs_bliss_draw(uint8_t *out, const uint8_t *seed, unsigned first, unsigned count) {
    const rs_hash_t *hash = rs_backend_current()->samplers->hash;
    _Alignas(8) uint8_t last[RS_WAYS_MAX * BLOCK];
    rs_sponges_t sponges;
    for (unsigned taken; count; first += taken, count -= taken) {
        taken = count < hash->ways ? count : hash->ways;
        uint8_t numbers[RS_WAYS_MAX][NUMBER_BYTES] = {{0}};
        for (unsigned i = 0; i < taken; i++) {
            numbers[i][0] = (uint8_t)(first + i);
            numbers[i][1] = (uint8_t)((first + i) >> 8);
        }
        rs_sponges_start(&sponges, hash, RS_SPONGE_SHAKE256, seed, RS_BLISS_DRAW_SEED_BYTES, numbers[0], NUMBER_BYTES, taken);
        for (size_t k = 0; k < WHOLE_BLOCKS; k++) rs_sponges_squeeze(&sponges, out + k * BLOCK, RS_BLISS_DRAW_BYTES);
        rs_sponges_squeeze(&sponges, last, BLOCK);
        for (unsigned i = 0; i < taken; i++, out += RS_BLISS_DRAW_BYTES) memcpy(out + WHOLE_BLOCKS * BLOCK, last + i * BLOCK, LAST);
    }
    rs_zeroize(last, sizeof last);
    rs_zeroize(&sponges, sizeof sponges);
}

void rs_bliss_hash(uint8_t *out, const uint8_t *text, size_t part) {
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&sponge, text, RS_BLISS_TEXT_BYTES);
    for (size_t k = 0; k <= part; k++) rs_sponge_squeeze(&sponge, out, RS_BLISS_HASH_BYTES);
    rs_zeroize(&sponge, sizeof sponge);
}
