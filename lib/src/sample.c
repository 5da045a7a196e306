// SPDX-License-Identifier: Apache-2.0
// Samplers, seeds and the private stream.
#include <ringside/sample.h>
#include <string.h>

#include "backend.h"
#include "bytes.h"
#include "expand.h"
#include "modarith.h"

enum { BLOCK = RS_SHAKE256_RATE_BYTES };

// ---- private stream ----------------------------------------------------------------------------------------------------
static void private_blocks(uint8_t *out, size_t count, const rs_seed_t *seed, rs_domain_t domain, uint64_t block) {
    rs_shake256_counter(out, BLOCK, count, seed, ((uint64_t)domain << 56) + block);
}

void rs_private_stream(uint8_t *out, size_t bytes, const rs_seed_t *seed, rs_domain_t domain, uint64_t offset) {
    uint8_t block[BLOCK];
    while (bytes) {
        const size_t skip = (size_t)(offset % BLOCK);
        size_t take = bytes < BLOCK - skip ? bytes : BLOCK - skip;
        if (take == BLOCK) {
            take = bytes - bytes % BLOCK; // all whole blocks go where they belong
            private_blocks(out, take / BLOCK, seed, domain, offset / BLOCK);
        } else {
            private_blocks(block, 1, seed, domain, offset / BLOCK);
            memcpy(out, block + skip, take);
        }
        out += take;
        bytes -= take;
        offset += take;
    }
    rs_zeroize(block, sizeof block);
}

// ---- centred binomial --------------------------------------------------------------------------------------------------
// Hamming weights of the low 21 bits of both halves of x, side by side.
static uint64_t weigh_halves(uint64_t x) {
    x = x - ((x >> 1) & 0x5555555555555555);
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    x = x + (x >> 8);
    x = x + (x >> 16);
    return x & 0x0000003f0000003f;
}

void rs_sample_cbd21(int8_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain) {
    // three blocks hold 68 whole coefficients
    enum { BYTES = 6, BLOCKS = 3 * RS_WAYS_MAX, GROUP = BLOCKS * BLOCK / BYTES };
    uint8_t bytes[BLOCKS * BLOCK + 2];
    size_t index = 0;
    memset(bytes, 0, sizeof bytes);
    for (size_t done = 0; done < n; done += GROUP) {
        const size_t take = n - done < GROUP ? n - done : GROUP;
        private_blocks(bytes, (take * BYTES + BLOCK - 1) / BLOCK, seed, domain, done / GROUP * BLOCKS);
        for (size_t i = 0; i < take; i++) {
            const uint64_t x = rs_load64(bytes + BYTES * i);
            const uint64_t halves = (x & 0x1fffff) | ((x & 0x1fffff000000) << 8);
            const uint64_t weights = weigh_halves(halves);
            out[index] = (int8_t)((int)(weights & 63) - (int)(weights >> 32));
            index = rs_next_reversed(index, done + i, n);
        }
    }
    rs_zeroize(bytes, sizeof bytes);
}

// ---- ternary -----------------------------------------------------------------------------------------------------------
enum { TRITS = 5, ACCEPT = 243 };

// ceil(n/5) accepted bytes are needed and 13 in 256 are dropped. n/60 + 96 more, rounded up to whole blocks, leave a failure
// probability below 2^-128 for every N from 2^10 to 2^17 (checked exactly in tests/oracle).
size_t rs_sample_ternary_bytes(size_t n) {
    const size_t needed = (n + TRITS - 1) / TRITS;
    return (needed + needed / 12 + 96 + BLOCK - 1) / BLOCK * BLOCK;
}

void rs_sample_ternary(int8_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain) {
    const size_t blocks = rs_sample_ternary_bytes(n) / BLOCK;
    uint8_t bytes[RS_WAYS_MAX * BLOCK];
    int8_t values[BLOCK * TRITS];
    size_t done = 0;
    size_t index = 0;
    size_t first = 0, end = 0; // bytes hold blocks first to end - 1
    for (size_t b = 0; b < blocks || done < n; b++) {
        size_t count = 0;
        if (b == end) {
            first = b;
            end = b < blocks && blocks - b < RS_WAYS_MAX ? blocks : b + RS_WAYS_MAX;
            private_blocks(bytes, end - first, seed, domain, first);
        }
        for (unsigned i = 0; i < BLOCK; i++) {
            unsigned digits = bytes[(b - first) * BLOCK + i];
            // Which bytes are dropped is independent of the values of those kept, so positions may be public.
            unsigned accepted = (digits - ACCEPT) >> 31;
            RS_DECLASSIFY(&accepted, sizeof accepted);
            for (unsigned k = 0; k < TRITS; k++) {
                const unsigned third = (digits * 171) >> 9; // floor(digits / 3), digits < 512
                values[count + k] = (int8_t)((int)(digits - 3 * third) - 1);
                digits = third;
            }
            count += accepted * TRITS; // a dropped byte's digits are overwritten by the next
        }
        for (size_t i = 0; i < count && done < n; i++) {
            out[index] = values[i];
            index = rs_next_reversed(index, done++, n);
        }
    }
    rs_zeroize(bytes, sizeof bytes);
    rs_zeroize(values, sizeof values);
}

// ---- uniform -----------------------------------------------------------------------------------------------------------
enum { BLOCK_WORDS = RS_SEED_BLOCK_BYTES / 8 };

rs_status_t rs_uniform_init(rs_uniform_t *state, rs_seed_type_t type, const rs_seed_t *seed, uint32_t log_n, uint32_t limb_count) {
    if (!state || !seed) return RS_ERR_NULL;
    if (type != RS_SEED_BLAKE2XB && type != RS_SEED_SHAKE256) return RS_ERR_SEED_TYPE;
    memset(state, 0, sizeof *state);
    state->seed = *seed;
    state->type = type;
    state->log_n = log_n;
    state->limb_count = limb_count;
    state->spare_word = (uint64_t)limb_count << log_n;
    return RS_OK;
}

static uint64_t next_spare(rs_uniform_t *state) {
    const uint64_t block = state->spare_word / BLOCK_WORDS;
    if (!state->spare_valid || state->spare_block != block) {
        uint8_t bytes[RS_SEED_BLOCK_BYTES];
        rs_seed_block(bytes, state->type, &state->seed, block);
        for (unsigned i = 0; i < BLOCK_WORDS; i++) state->spare[i] = rs_load64(bytes + 8 * i);
        state->spare_block = block;
        state->spare_valid = 1;
    }
    return state->spare[state->spare_word++ % BLOCK_WORDS];
}

// N >= 1024 is a multiple of the 512 words of a block, so a limb begins and ends with one.
rs_status_t rs_uniform_next(rs_uniform_t *state, uint64_t q, uint64_t *out) {
    rs_modulus_t m;
    if (!state || !out) return RS_ERR_NULL;
    if (state->limb >= state->limb_count) return RS_ERR_LEVEL;
    rs_modulus_init(&m, q);
    const uint64_t max_multiple = UINT64_MAX - UINT64_MAX % q - 1;
    const uint64_t blocks = ((uint64_t)1 << state->log_n) / BLOCK_WORDS;
    for (uint64_t done = 0; done < blocks;) {
        const uint64_t count = blocks - done < RS_WAYS_MAX ? blocks - done : RS_WAYS_MAX;
        uint8_t *bytes = (uint8_t *)out; // the stream is made in its place and reduced there
        rs_seed_blocks(bytes, count, state->type, &state->seed, state->limb * blocks + done);
        for (size_t i = 0; i < count * BLOCK_WORDS; i++) {
            uint64_t w = rs_load64(bytes + 8 * i);
            while (w >= max_multiple) w = next_spare(state);
            out[i] = rs_reduce(w, &m);
        }
        out += count * BLOCK_WORDS;
        done += count;
    }
    state->limb++;
    return RS_OK;
}

// ---- deterministic seeds -----------------------------------------------------------------------------------------------
static rs_status_t deterministic_fill(void *opaque, uint8_t *out, size_t bytes) {
    rs_rng_deterministic_t *state = opaque;
    rs_private_stream(out, bytes, &state->seed, RS_DOMAIN_RNG, state->offset);
    state->offset += bytes;
    return RS_OK;
}

rs_status_t rs_rng_deterministic(rs_rng_t *rng, rs_rng_deterministic_t *state, const rs_seed_t *seed, const char *consent) {
    if (!rng || !state || !seed) return RS_ERR_NULL;
#ifdef NDEBUG
    if (!consent || !rs_same_text(consent, "insecure-deterministic")) return RS_ERR_DETERMINISTIC;
#else
    (void)consent;
#endif
    state->seed = *seed;
    state->offset = 0;
    *rng = (rs_rng_t){deterministic_fill, state};
    return RS_OK;
}
