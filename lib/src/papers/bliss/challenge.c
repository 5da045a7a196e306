// SPDX-License-Identifier: Apache-2.0
// The hash to 23 places.
#include <string.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "papers/bliss/bliss.h"

enum { N = RS_BLISS_N };

void rs_bliss_challenge(uint16_t *places, const uint8_t *high, const uint8_t *digest) {
    _Alignas(64) uint8_t text[RS_BLISS_TEXT_BYTES]; // aligned for a core, which reads and writes lines
    _Alignas(64) uint8_t block[RS_BLISS_HASH_BYTES];
    uint8_t taken[N] = {0};
    rs_bliss_pack_high(text, high);
    memcpy(text + RS_BLISS_HIGH_BYTES, digest, RS_BLISS_DIGEST_BYTES);
    size_t count = 0;
    for (size_t part = 0; count < RS_BLISS_KAPPA; part++) {
        rs_bliss_hash(block, text, part);
        // The places are public: a signature holds them. So are those of attempts that are rejected: an attempt is accepted with the
        // probability 1 / M whatever the places and the key are, because that is the mean over y.
        RS_DECLASSIFY(block, sizeof block);
        for (size_t at = 0; count < RS_BLISS_KAPPA && at < sizeof block; at += 2) {
            const unsigned place = (block[at] | (unsigned)block[at + 1] << 8) % N;
            if (taken[place]) continue;
            taken[place] = 1;
            places[count++] = (uint16_t)place;
        }
    }
    rs_zeroize(text, sizeof text);
}
