// SPDX-License-Identifier: Apache-2.0
// Ternary polynomials from SHAKE256. A byte below 243 = 3^5 is five digits; others are thrown away, so time depends on the seed: this is a
// research reproduction.
#include <ringside/base.h>
#include <ringside/xof.h>

#include <string.h>

#include "scheme/scheme.h"

enum { DIGITS_PER_BYTE = 5, BYTES_USED = 243 };

void ltv_ternary(const rs_ltv_t *ltv, const uint8_t seed[RS_LTV_SEED_BYTES], ltv_purpose_t purpose, uint64_t index, int8_t *out) {
    static const uint8_t LABEL[16] = "ringside-ltv v1";
    uint8_t tail[9] = {(uint8_t)purpose}, block[RS_SHAKE256_RATE_BYTES];
    for (int i = 0; i < 8; i++) tail[1 + i] = (uint8_t)(index >> 8 * i);
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&sponge, LABEL, sizeof LABEL);
    rs_sponge_absorb(&sponge, ltv->digest, sizeof ltv->digest);
    rs_sponge_absorb(&sponge, seed, RS_LTV_SEED_BYTES);
    rs_sponge_absorb(&sponge, tail, sizeof tail);
    const size_t n = ltv->info.n;
    for (size_t done = 0; done < n;) {
        rs_sponge_squeeze(&sponge, block, sizeof block);
        for (size_t i = 0; i < sizeof block && done < n; i++) {
            unsigned x = block[i];
            if (x >= BYTES_USED) continue;
            for (int k = 0; k < DIGITS_PER_BYTE && done < n; k++, x /= 3) out[done++] = (int8_t)((int)(x % 3) - 1);
        }
    }
    rs_zeroize(&sponge, sizeof sponge);
    rs_zeroize(block, sizeof block);
}
