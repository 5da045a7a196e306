// SPDX-License-Identifier: Apache-2.0
// The public polynomial, the noise, and polynomials as bytes.
#include <ringside/golden/hash.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "papers/newhope/newhope.h"

enum { Q = RS_NEWHOPE_Q, N = RS_NEWHOPE_N, SHAKE128_RATE_BYTES = 168, VALUE_BYTES = 4 };

// x below 2q < 2^32 -> [0, q)
static inline uint32_t reduced(uint32_t x) {
    const uint32_t y = x - Q;
    return y + (Q & (0 - (y >> 31)));
}

void rs_newhope_parse(uint64_t *a, const uint8_t *seed, rs_newhope_parse_t parse) {
    const uint32_t mask = parse == RS_NEWHOPE_PARSE_USENIX ? 0x3fff : 0xffff;
    const uint32_t limit = parse == RS_NEWHOPE_PARSE_USENIX ? Q : 5 * Q;
    uint8_t block[SHAKE128_RATE_BYTES];
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, RS_SPONGE_SHAKE128);
    rs_sponge_absorb(&sponge, seed, RS_NEWHOPE_SEED_BYTES);
    for (size_t i = 0, at = sizeof block; i < N;) {
        if (at == sizeof block) {
            rs_sponge_squeeze(&sponge, block, sizeof block);
            at = 0;
        }
        const uint32_t word = (block[at] | (uint32_t)block[at + 1] << 8) & mask;
        at += 2;
        if (word >= limit) continue;
        // floor(5 word / 2^16) is floor(word / q) or one less, because word < 5q and 5q < 2^16
        a[rs_newhope_reversed8(i / 4) + rs_newhope_quarter(i % 4)] = reduced(word - (5 * word >> 16) * Q);
        i++;
    }
}

static void stream(uint8_t *out, size_t bytes, const uint8_t *noise_seed, rs_newhope_noise_t number, uint32_t block) {
    uint8_t nonce[RS_CHACHA20_NONCE_BYTES] = {0};
    nonce[number == RS_NEWHOPE_COINS ? RS_CHACHA20_NONCE_BYTES - 1 : RS_CHACHA20_NONCE_BYTES - 8] = (uint8_t)number;
    rs_chacha20_stream(out, bytes, noise_seed, nonce, block);
}

// The weights of the four bytes of x.
static inline uint32_t weigh_bytes(uint32_t x) {
    x = x - ((x >> 1) & 0x55555555);
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
    return (x + (x >> 4)) & 0x0f0f0f0f;
}

// Values from number `first` on, a multiple of 4: each is the weight of two bytes less that of the next two.
static void put_noise(uint64_t *coef, size_t first, size_t values, const uint8_t *bytes) {
    for (size_t i = first; i < first + values; i += 4) {
        uint64_t *to = coef + rs_newhope_reversed8(i / 4);
        for (size_t k = 0; k < 4; k++, bytes += VALUE_BYTES) {
            const uint32_t weights = weigh_bytes(rs_load32(bytes));
            const uint32_t pairs = weights + (weights >> 8);
            const uint32_t value = (pairs & 0xff) - (pairs >> 16 & 0xff);
            to[rs_newhope_quarter(k)] = value + (Q & (0 - (value >> 31)));
        }
    }
}

void rs_newhope_noise(uint64_t *coef, const uint8_t *noise_seed, rs_newhope_noise_t number) {
    enum { BLOCKS = 4, VALUES = BLOCKS * RS_CHACHA20_BLOCK_BYTES / VALUE_BYTES };
    uint8_t bytes[BLOCKS * RS_CHACHA20_BLOCK_BYTES];
    for (size_t i = 0; i < N; i += VALUES) {
        stream(bytes, sizeof bytes, noise_seed, number, (uint32_t)(i / VALUES * BLOCKS));
        put_noise(coef, i, VALUES, bytes);
    }
    rs_zeroize(bytes, sizeof bytes);
}

static void open_shake(rs_sponge_t *sponge, const uint8_t *noise_seed, rs_newhope_noise_t number) {
    const uint8_t tail = (uint8_t)number;
    rs_sponge_init(sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(sponge, noise_seed, RS_NEWHOPE_SEED_BYTES);
    rs_sponge_absorb(sponge, &tail, 1);
}

void rs_newhope_noise_shake(uint64_t *coef, const uint8_t *noise_seed, rs_newhope_noise_t number) {
    enum { VALUES = 64 };
    uint8_t bytes[VALUES * VALUE_BYTES];
    rs_sponge_t sponge;
    open_shake(&sponge, noise_seed, number);
    for (size_t i = 0; i < N; i += VALUES) {
        rs_sponge_squeeze(&sponge, bytes, sizeof bytes);
        put_noise(coef, i, VALUES, bytes);
    }
    rs_zeroize(&sponge, sizeof sponge);
    rs_zeroize(bytes, sizeof bytes);
}

void rs_newhope_coins(uint8_t *coins, const uint8_t *noise_seed) {
    stream(coins, RS_NEWHOPE_COIN_BYTES, noise_seed, RS_NEWHOPE_COINS, 0);
}

void rs_newhope_coins_shake(uint8_t *coins, const uint8_t *noise_seed) {
    rs_sponge_t sponge;
    open_shake(&sponge, noise_seed, RS_NEWHOPE_COINS);
    rs_sponge_squeeze(&sponge, coins, RS_NEWHOPE_COIN_BYTES);
    rs_zeroize(&sponge, sizeof sponge);
}

// ---- words of 14 bits, four in seven bytes ---------------------------------------------------------------------------------
enum { FOUR_BYTES = 7 };

static inline uint64_t load_four(const uint8_t *in) {
    return rs_load32(in) | (uint64_t)(in[4] | (uint32_t)in[5] << 8 | (uint32_t)in[6] << 16) << 32;
}

// Bit 13 of a word is set if it is q or more. q = 2^13 + 2^12 + 1: the two top bits are set, and one below.
static inline uint64_t beyond_of(uint64_t four) {
    enum { EACH = 14 };
    const uint64_t one = 1 | UINT64_C(1) << EACH | UINT64_C(1) << 2 * EACH | UINT64_C(1) << 3 * EACH;
    const uint64_t low = 0xfff * one, some = (four & low) + low; // bit 12
    return four & four << 1 & some << 1 & one << 13;
}

static rs_status_t told(uint64_t beyond) {
    RS_DECLASSIFY(&beyond, sizeof beyond); // a message is public, and a secret is damaged or not
    return beyond ? RS_ERR_RESIDUE : RS_OK;
}

void rs_newhope_pack(uint8_t *out, const uint64_t *ntt) {
    for (size_t i = 0; i < N / 4; i++, out += FOUR_BYTES) {
        const uint64_t *from = ntt + rs_newhope_reversed8(i);
        uint64_t four = 0;
        for (unsigned k = 0; k < 4; k++) four |= from[rs_newhope_quarter(k)] << 14 * k;
        for (unsigned k = 0; k < FOUR_BYTES; k++) out[k] = (uint8_t)(four >> 8 * k);
    }
}

rs_status_t rs_newhope_unpack(uint64_t *ntt, const uint8_t *in) {
    uint64_t beyond = 0;
    for (size_t i = 0; i < N / 4; i++, in += FOUR_BYTES) {
        uint64_t *to = ntt + rs_newhope_reversed8(i);
        const uint64_t four = load_four(in);
        beyond |= beyond_of(four);
        for (unsigned k = 0; k < 4; k++) to[rs_newhope_quarter(k)] = four >> 14 * k & 0x3fff;
    }
    return told(beyond);
}

// Seven words of eight bytes are eight times four.
rs_status_t rs_newhope_check_packed(const uint8_t *in) {
    uint64_t beyond = 0;
    for (size_t i = 0; i < N / 4; i += 8) {
        uint64_t word = 0;
        for (unsigned k = 0; k < FOUR_BYTES; k++, in += 8) {
            const uint64_t next = rs_load64_aligned(in);
            beyond |= beyond_of(k ? word >> (64 - 8 * k) | next << 8 * k : next);
            word = next;
        }
        beyond |= beyond_of(word >> 8);
    }
    return told(beyond);
}
