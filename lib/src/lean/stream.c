// SPDX-License-Identifier: Apache-2.0
// The samples and the uniform words of the library (sampling/), made piece by piece and used at once.
#include "lean/lean.h"
#include "sampling/samplers.h"

enum { RATE = RS_SHAKE256_RATE_BYTES, BLOCK_WORDS = RS_SEED_BLOCK_BYTES / 8 };

// Adds them times the factor to words, or they become the bytes.
static void draw_cbd21(rs_lean_t *lean, int32_t *words, int8_t *small, const rs_seed_t *seed, uint64_t block, int32_t factor) {
    enum { BLOCKS = 3, VALUES = BLOCKS * RATE / 6 }; // three blocks hold 68 whole values of 6 bytes
    _Alignas(8) uint8_t bytes[BLOCKS * RATE + RS_CBD_SLACK];
    int8_t values[VALUES];
    const uint32_t n = rs_lean_n(lean);
    memset(bytes + BLOCKS * RATE, 0, RS_CBD_SLACK);
    for (uint32_t done = 0; done < n; done += VALUES) {
        const uint32_t take = n - done < VALUES ? n - done : VALUES;
        for (uint32_t at = 0; at < 6 * take; at += RATE) {
            lean->hash->keccak_start(lean->keccak, seed->bytes, block++);
            lean->hash->keccak(lean->keccak);
            lean->hash->keccak_squeeze(bytes + at, RATE, lean->keccak);
        }
        rs_cbd21(values, bytes, take);
        for (uint32_t i = 0; i < take; i++) {
            const uint32_t at = rs_bit_reverse(done + i, lean->log_n);
            if (small) {
                small[at] = values[i];
            } else {
                words[at] += factor * values[i];
            }
        }
    }
    rs_zeroize(bytes, sizeof bytes);
    rs_zeroize(values, sizeof values);
}

void rs_lean_add_cbd21(rs_lean_t *lean, int32_t *to, const rs_seed_t *seed, rs_domain_t domain, int32_t factor) {
    draw_cbd21(lean, to, NULL, seed, (uint64_t)domain << 56, factor);
}

void rs_lean_cbd21(rs_lean_t *lean, int8_t *to, const rs_seed_t *seed, rs_domain_t domain) {
    draw_cbd21(lean, NULL, to, seed, (uint64_t)domain << 56, 1);
}

void rs_lean_ternary(const rs_lean_t *lean, uint32_t *x, const rs_seed_t *seed, rs_domain_t domain, uint32_t q) {
    const uint32_t n = rs_lean_n(lean);
    const int8_t *values =
        (const int8_t *)(x + n) - n; // the last quarter: word i overwrites values before i alone, and the last one itself
    rs_draw_ternary(&RS_SAMPLERS_PORTABLE, (int8_t *)(x + n) - n, n, seed, domain);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t value = (uint32_t)(int32_t)values[i];
        x[i] = value + (q & (0 - (value >> 31)));
    }
}

uint64_t rs_lean_limit(uint32_t q) { return UINT64_MAX - UINT64_MAX % q - 1; }

void rs_lean_uniform_start(const rs_lean_t *lean, rs_lean_uniform_t *u, const rs_seed_t *seed, uint32_t limb_count) {
    memset(u, 0, sizeof *u);
    u->seed = seed;
    u->spare = (uint64_t)limb_count << lean->log_n;
}

// Once in 2^34 words: the words that follow those of all limbs.
static uint64_t replacement(const rs_lean_t *lean, rs_lean_uniform_t *u) {
    uint64_t state[25];
    _Alignas(8) uint8_t bytes[RATE];
    uint64_t word;
    do {
        const uint32_t at = (uint32_t)(u->spare % BLOCK_WORDS);
        lean->hash->keccak_start(state, u->seed->bytes, u->spare / BLOCK_WORDS);
        for (uint32_t i = 0; i <= at; i += RATE / 8) lean->hash->keccak(state);
        lean->hash->keccak_squeeze(bytes, RATE, state);
        word = rs_load64_aligned(bytes + 8 * (at % (RATE / 8)));
        u->spare++;
    } while (word >= u->limit);
    return word;
}

void rs_lean_uniform_next(rs_lean_t *lean, rs_lean_uniform_t *u) {
    if (!u->left) {
        lean->hash->keccak_start(lean->keccak, u->seed->bytes, u->block++);
        u->left = BLOCK_WORDS;
    }
    lean->hash->keccak(lean->keccak);
    lean->hash->keccak_squeeze(u->piece, RATE, lean->keccak);
    u->count = u->left < RATE / 8 ? u->left : RATE / 8;
    u->left -= u->count;
    for (uint32_t i = 0; i < u->count; i++) {
        if (rs_load64_aligned(u->piece + 8 * i) >= u->limit) rs_store64_aligned(u->piece + 8 * i, replacement(lean, u));
    }
}
