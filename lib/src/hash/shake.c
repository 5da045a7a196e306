// SPDX-License-Identifier: Apache-2.0
// The sponges of FIPS 202.
#include "base/bytes.h"
#include "hash/hash.h"

// FIPS 202, sections 6.1 and 6.2: the rate is 200 bytes less twice the security level's; the suffix has the domain bits and the first bit of
// pad10*1.
static const struct {
    uint8_t rate_bytes;
    uint8_t suffix;
} SPONGES[] = {
    [RS_SPONGE_SHAKE128] = {168, 0x1f},
    [RS_SPONGE_SHAKE256] = {RS_SHAKE256_RATE_BYTES, 0x1f},
    [RS_SPONGE_SHA3_256] = {136, 0x06},
    [RS_SPONGE_SHA3_512] = {72, 0x06},
};

void rs_sponge_init(rs_sponge_t *sponge, rs_sponge_kind_t kind) {
    *sponge = (rs_sponge_t){.rate_bytes = SPONGES[kind].rate_bytes, .suffix = SPONGES[kind].suffix};
}

static void add_byte(rs_sponge_t *s, uint32_t at, uint8_t byte) { s->state[at / 8] ^= (uint64_t)byte << 8 * (at % 8); }

void rs_sponge_absorb(rs_sponge_t *s, const uint8_t *in, size_t in_bytes) {
    while (in_bytes) {
        if (s->position % 8 == 0 && in_bytes >= 8) {
            s->state[s->position / 8] ^= rs_load64(in);
            s->position += 8;
            in += 8;
            in_bytes -= 8;
        } else {
            add_byte(s, s->position++, *in++);
            in_bytes--;
        }
        if (s->position == s->rate_bytes) {
            rs_keccak_f1600(s->state);
            s->position = 0;
        }
    }
}

void rs_sponge_squeeze(rs_sponge_t *s, uint8_t *out, size_t out_bytes) {
    if (!s->squeezes) {
        add_byte(s, s->position, s->suffix);
        add_byte(s, s->rate_bytes - 1u, 0x80);
        s->squeezes = 1;
        s->position = s->rate_bytes;
    }
    while (out_bytes) {
        if (s->position == s->rate_bytes) {
            rs_keccak_f1600(s->state);
            s->position = 0;
        }
        if (s->position % 8 == 0 && out_bytes >= 8) {
            rs_store64(out, s->state[s->position / 8]);
            s->position += 8;
            out += 8;
            out_bytes -= 8;
        } else {
            *out++ = (uint8_t)(s->state[s->position / 8] >> 8 * (s->position % 8));
            s->position++;
            out_bytes--;
        }
    }
}

void rs_sponge_hash(rs_sponge_kind_t kind, uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes) {
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, kind);
    rs_sponge_absorb(&sponge, in, in_bytes);
    rs_sponge_squeeze(&sponge, out, out_bytes);
    rs_zeroize(&sponge, sizeof sponge);
}

void rs_shake256(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes) {
    rs_sponge_hash(RS_SPONGE_SHAKE256, out, out_bytes, in, in_bytes);
}
