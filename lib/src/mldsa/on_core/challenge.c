// SPDX-License-Identifier: Apache-2.0
// Challenges in packed fields, for LOADF. They are public, but for those of rounds that are refused, which nobody sees; which bytes of a stream are rejected
// depends on nothing else of it.
#include "base/bytes.h"
#include "mldsa/on_core/on_core.h"

enum { SIGN_BYTES = 8 };

typedef struct stream {
    const uint8_t *bytes;
    size_t at, end;
    const uint8_t *challenge;
    size_t challenge_bytes;
    rs_sponge_t sponge;
    uint8_t block[RS_SHAKE256_RATE_BYTES];
    int own; // the sponge has begun
} stream_t;

// The stream goes on behind what was given.
static __attribute__((noinline)) void refill(stream_t *s) {
    const size_t skipped = s->own ? 0 : s->end;
    if (!s->own) {
        rs_sponge_init(&s->sponge, RS_SPONGE_SHAKE256);
        rs_sponge_absorb(&s->sponge, s->challenge, s->challenge_bytes);
    }
    rs_sponge_squeeze(&s->sponge, s->block, sizeof s->block);
    s->bytes = s->block;
    s->own = 1;
    s->at = skipped;
    s->end = sizeof s->block;
}

static inline unsigned next_byte(stream_t *s) {
    if (s->at == s->end) refill(s);
    return s->bytes[s->at++];
}

// Where bit power of field i is, and what x = 0, 1 and -1 have there: 1, 0 and 2.
static inline uint8_t *field(uint8_t *out, rs_mldsa_fields_t fields, unsigned i, unsigned *shift) {
    const unsigned bit = fields.bits * i + fields.power;
    *shift = bit % 8;
    return out + bit / 8;
}

void rs_mldsa_clear_challenge(uint8_t *out, rs_mldsa_fields_t fields) {
    enum { PERIOD_BITS = 40, WORDS = 5 }; // five words are eight periods
    uint64_t p = 0;
    for (unsigned bit = fields.power; bit < PERIOD_BITS; bit += fields.bits) p |= UINT64_C(1) << bit;
    const uint64_t words[WORDS] = {p | p << 40, p >> 24 | p << 16 | p << 56, p >> 8 | p << 32, p >> 32 | p << 8 | p << 48,
                                   p >> 16 | p << 24};
    const unsigned count = RS_MLDSA_N / 64 * fields.bits;
    for (unsigned i = 0, word = 0; i < count; i++) {
        rs_store64_aligned(out + 8 * (size_t)i, words[word]);
        word = word + 1 == WORDS ? 0 : word + 1;
    }
}

static inline __attribute__((always_inline)) void put(uint8_t *out, rs_mldsa_fields_t fields, unsigned tau, stream_t *s) {
    unsigned shift_i, shift_j;
    uint64_t signs = 0;
    for (unsigned i = 0; i < SIGN_BYTES; i++) signs |= (uint64_t)next_byte(s) << 8 * i;
    for (unsigned i = RS_MLDSA_N - tau; i < RS_MLDSA_N; i++, signs >>= 1) {
        unsigned j;
        do j = next_byte(s);
        while (j > i);
        uint8_t *at_i = field(out, fields, i, &shift_i), *at_j = field(out, fields, j, &shift_j);
        const unsigned old = *at_j >> shift_j & 3, made = signs & 1 ? 2 : 0;
        *at_i = (uint8_t)(*at_i ^ (1 ^ old) << shift_i); // x = 0 was there
        *at_j = (uint8_t)((*at_j & ~(3u << shift_j)) | made << shift_j);
    }
}

void rs_mldsa_put_challenge(uint8_t *out, rs_mldsa_fields_t fields, const rs_mldsa_params_t *p, const uint8_t *challenge,
                            const uint8_t *stream, size_t given) {
    stream_t s; // most of it is the sponge's, for later
    s.bytes = stream;
    s.at = 0;
    s.end = given;
    s.challenge = challenge;
    s.challenge_bytes = p->challenge_bytes;
    s.own = 0;
    if (fields.bits == RS_MLDSA_C_SIGNING.bits) { // its widths are constants then
        put(out, RS_MLDSA_C_SIGNING, p->tau, &s);
    } else {
        put(out, RS_MLDSA_C_VERIFYING, p->tau, &s);
    }
}
