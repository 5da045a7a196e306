// SPDX-License-Identifier: Apache-2.0
// Uniform polynomials of a public seed, small ones of a secret one.
#include "mlkem/sample.h"

#include "base/bytes.h"
#include "hash/sponges.h"

#ifndef INSTRUCTIONS // else x86/codes.h has these
#define INLINE static inline __attribute__((always_inline))
#endif

// ---- the matrix ----------------------------------------------------------------------------------------------------------
enum { UNIFORM_BLOCK = 168, CHUNK_BYTES = 24, CHUNK_WORDS = 3, CHUNK_VALUES = 16 }; // 16 candidates of 12 bits are 24 bytes

#ifdef __riscv_v
#include "mlkem/riscv/sample_rvv.h"
#elif !defined(INSTRUCTIONS)
INLINE uint32_t candidate(const uint64_t *words, uint32_t i) {
    const uint32_t word = 12 * i / 64, bit = 12 * i % 64;
    uint64_t x = words[word] >> bit;
    if (bit > 64 - 12) x |= words[word + 1] << (64 - bit);
    return (uint32_t)x & 0xfff;
}

// Appends what a block has of residues to the `have` that there are; returns how many there are, at most 256. Every candidate is written, and
// a refused one is overwritten by the next.
static uint32_t take_uniform(int16_t *f, uint32_t have, const uint8_t *block) {
    for (uint32_t at = 0; at < UNIFORM_BLOCK && have < RS_MLKEM_N; at += CHUNK_BYTES) {
        uint64_t words[CHUNK_WORDS];
        for (uint32_t i = 0; i < CHUNK_WORDS; i++) words[i] = rs_load64_aligned(block + at + 8 * i);
        if (have <= RS_MLKEM_N - CHUNK_VALUES) {
            int16_t *to = f + have;
#pragma GCC unroll 16
            for (uint32_t i = 0; i < CHUNK_VALUES; i++) {
                const uint32_t value = candidate(words, i);
                *to = (int16_t)value;
                to += value < RS_MLKEM_Q;
            }
            have = (uint32_t)(to - f);
        } else {
            for (uint32_t i = 0; i < CHUNK_VALUES && have < RS_MLKEM_N; i++) {
                const uint32_t value = candidate(words, i);
                f[have] = (int16_t)value;
                have += value < RS_MLKEM_Q;
            }
        }
    }
    return have;
}
#endif

void rs_mlkem_sample_rows(int16_t *out, const rs_hash_t *hash, const uint8_t *rho, uint32_t k, uint32_t row, uint32_t rows,
                          int transposed) {
    _Alignas(8) uint8_t blocks[RS_WAYS_MAX * UNIFORM_BLOCK];
    uint8_t numbers[RS_WAYS_MAX][2];
    rs_sponges_t sponges;
    for (uint32_t left = rows * k, column = 0, count; left; left -= count, out += count * RS_MLKEM_N) {
        uint32_t have[RS_WAYS_MAX] = {0};
        count = left < hash->ways ? left : hash->ways;
        for (uint32_t w = 0; w < count; w++) { // A's entry (i, j) is that of rho || j || i
            numbers[w][transposed] = (uint8_t)column;
            numbers[w][!transposed] = (uint8_t)row;
            column = column + 1 < k ? column + 1 : 0;
            row += column == 0;
        }
        rs_sponges_start(&sponges, hash, RS_SPONGE_SHAKE128, rho, RS_MLKEM_HASH_BYTES, numbers[0], sizeof numbers[0], count);
        uint32_t full;
        do {
            rs_sponges_squeeze(&sponges, blocks, UNIFORM_BLOCK);
            full = 1;
            for (uint32_t w = 0; w < count; w++) {
                have[w] = take_uniform(out + w * RS_MLKEM_N, have[w], blocks + w * UNIFORM_BLOCK);
                full &= have[w] == RS_MLKEM_N;
            }
        } while (!full);
    }
}

// ---- noise ---------------------------------------------------------------------------------------------------------------
enum { NOISE_STRIDE = 2 * RS_SHAKE256_RATE_BYTES, ETA_MAX = 3 };

// A coefficient is the weight of eta bits less that of the next eta bits. The weights of all groups of eta bits in a word are computed side
// by side.
#ifndef INSTRUCTIONS
#ifndef __riscv_v
static void binomial2(int16_t *f, const uint8_t *bytes) {
    for (uint32_t at = 0; at < RS_MLKEM_N; at += 16, bytes += 8) {
        const uint64_t x = rs_load64_aligned(bytes);
        const uint64_t weights = (x & 0x5555555555555555) + (x >> 1 & 0x5555555555555555);
        // each four bits: 4 + the difference, 2 to 6
        const uint64_t sums = (weights & 0x3333333333333333) + 0x4444444444444444 - (weights >> 2 & 0x3333333333333333);
#pragma GCC unroll 16
        for (uint32_t i = 0; i < 16; i++) f[at + i] = (int16_t)((int32_t)(sums >> 4 * i & 15) - 4);
    }
}
#endif

// Two bytes behind the 192 are read, and not used.
static void binomial3(int16_t *f, const uint8_t *bytes) {
    for (uint32_t at = 0; at < RS_MLKEM_N; at += 8, bytes += 6) {
        const uint64_t x = rs_load64(bytes);
        const uint64_t weights = (x & 0x249249249249) + (x >> 1 & 0x249249249249) + (x >> 2 & 0x249249249249);
#pragma GCC unroll 8
        for (uint32_t i = 0; i < 8; i++)
            f[at + i] = (int16_t)((int32_t)(weights >> 6 * i & 7) - (int32_t)(weights >> (6 * i + 3) & 7));
    }
}
#endif

void rs_mlkem_sample_noise(int16_t *out, const rs_hash_t *hash, const uint8_t *seed, uint32_t nonce, uint32_t count, uint32_t eta) {
    _Alignas(8) uint8_t blocks[RS_WAYS_MAX * NOISE_STRIDE];
    uint8_t nonces[RS_WAYS_MAX];
    rs_sponges_t sponges;
    for (uint32_t done = 0, taken; done < count; done += taken) {
        taken = count - done < hash->ways ? count - done : hash->ways;
        for (uint32_t w = 0; w < taken; w++) nonces[w] = (uint8_t)(nonce + done + w);
        rs_sponges_start(&sponges, hash, RS_SPONGE_SHAKE256, seed, RS_MLKEM_HASH_BYTES, nonces, 1, taken);
        rs_sponges_squeeze(&sponges, blocks, NOISE_STRIDE); // 128 bytes are needed if eta = 2,
        if (eta == ETA_MAX) rs_sponges_squeeze(&sponges, blocks + RS_SHAKE256_RATE_BYTES, NOISE_STRIDE); // 192 if eta = 3
        for (uint32_t w = 0; w < taken; w++, out += RS_MLKEM_N) {
            if (eta == ETA_MAX) {
                binomial3(out, blocks + w * NOISE_STRIDE);
            } else {
                binomial2(out, blocks + w * NOISE_STRIDE);
            }
        }
    }
    rs_zeroize(blocks, sizeof blocks);
    rs_zeroize(&sponges, sizeof sponges);
}
