// SPDX-License-Identifier: Apache-2.0
// The hash to 23 places.
#include "base/bytes.h"
#include "bliss/bliss.h"

enum { N = RS_BLISS_N, HIGH_BITS = 5, HIGH_BYTES = N * HIGH_BITS / 8 };

void rs_bliss_challenge(uint16_t *places, const uint8_t *high, const uint8_t *digest) {
    uint8_t packed[HIGH_BYTES], block[RS_SHAKE256_RATE_BYTES], taken[N] = {0};
    rs_bit_writer_t writer = {.out = packed};
    rs_sponge_t sponge;
    for (size_t i = 0; i < N; i++) rs_put_bits(&writer, high[i], HIGH_BITS);
    rs_sponge_init(&sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&sponge, packed, sizeof packed);
    rs_sponge_absorb(&sponge, digest, RS_BLISS_DIGEST_BYTES);
    for (size_t count = 0, at = sizeof block; count < RS_BLISS_KAPPA; at += 2) {
        if (at == sizeof block) {
            rs_sponge_squeeze(&sponge, block, sizeof block);
            // The places are public: a signature holds them. So are those of attempts that are rejected: an attempt is accepted with the
            // probability 1 / M whatever the places and the key are, because that is the mean over y.
            RS_DECLASSIFY(block, sizeof block);
            at = 0;
        }
        const unsigned place = (block[at] | (unsigned)block[at + 1] << 8) % N;
        if (taken[place]) continue;
        taken[place] = 1;
        places[count++] = (uint16_t)place;
    }
    rs_zeroize(packed, sizeof packed);
    rs_zeroize(&sponge, sizeof sponge);
}
