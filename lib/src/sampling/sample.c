// SPDX-License-Identifier: Apache-2.0
// The private stream and the samplers.
#include <string.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "sampling/samplers.h"
#include "sampling/seed.h"

enum { BLOCK = RS_SHAKE256_RATE_BYTES };

// ---- private stream ----------------------------------------------------------------------------------------------------
static void private_blocks(const rs_hash_t *hash, uint8_t *out, size_t count, const rs_seed_t *seed, rs_domain_t domain,
                           uint64_t block) {
    rs_shake256_counter(hash, out, BLOCK, count, seed, ((uint64_t)domain << 56) + block);
}

void rs_draw_stream(const rs_hash_t *hash, uint8_t *out, size_t bytes, const rs_seed_t *seed, rs_domain_t domain, uint64_t offset) {
    uint8_t block[BLOCK];
    while (bytes) {
        const size_t skip = (size_t)(offset % BLOCK);
        size_t take = bytes < BLOCK - skip ? bytes : BLOCK - skip;
        if (take == BLOCK) {
            take = bytes - bytes % BLOCK; // all whole blocks are made in their final place
            private_blocks(hash, out, take / BLOCK, seed, domain, offset / BLOCK);
        } else {
            private_blocks(hash, block, 1, seed, domain, offset / BLOCK);
            memcpy(out, block + skip, take);
        }
        out += take;
        bytes -= take;
        offset += take;
    }
    rs_zeroize(block, sizeof block);
}

// ---- order -------------------------------------------------------------------------------------------------------------
// Exchanges one bit of the number of the row with one bit of the number of the byte: the bit of value `row` with the bit of value bits / 8.
static inline void exchange_bits(uint64_t *rows, unsigned row, unsigned bits, uint64_t mask) {
    for (unsigned i = 0; i < 8; i++) {
        if (i & row) continue;
        const uint64_t change = ((rows[i] >> bits) ^ rows[i + row]) & mask;
        rows[i] ^= change << bits;
        rows[i + row] ^= change;
    }
}

// A tile of 8 x 8 bytes, and the same tile with the six bits of row and byte reversed.
static inline __attribute__((always_inline)) void load_tile(uint64_t *rows, const int8_t *from, size_t stride, int aligned) {
    const uint8_t *bytes = (const uint8_t *)from;
    for (unsigned i = 0; i < 8; i++) rows[i] = aligned ? rs_load64_aligned(bytes + i * stride) : rs_load64(bytes + i * stride);
    exchange_bits(rows, 4, 8, 0x00ff00ff00ff00ff);
    exchange_bits(rows, 2, 16, 0x0000ffff0000ffff);
    exchange_bits(rows, 1, 32, 0x00000000ffffffff);
}

static inline __attribute__((always_inline)) void store_tile(int8_t *to, size_t stride, const uint64_t *rows, int aligned) {
    uint8_t *bytes = (uint8_t *)to;
    for (unsigned i = 0; i < 8; i++) {
        if (aligned) {
            rs_store64_aligned(bytes + i * stride, rows[i]);
        } else {
            rs_store64(bytes + i * stride, rows[i]);
        }
    }
}

// Value k goes to brv(k), in place. An index is (row, tile, byte): three bits, the middle ones, three bits. Reversed, whole tiles change
// places in pairs, so that memory is read and written by words; tiles in small polynomials are single bytes.
static inline __attribute__((always_inline)) void reverse_tiles(int8_t *values, size_t n, int aligned) {
    const size_t tile_bytes = n < 64 ? 1 : 8;
    const size_t stride = n / tile_bytes; // also: bytes of all tiles' first rows
    const size_t tiles = stride / tile_bytes;
    size_t reversed = 0;
    for (size_t tile = 0; tile < tiles; reversed = rs_next_reversed(reversed, tile++, tiles)) {
        if (reversed < tile) continue;
        if (tile_bytes == 1) {
            const int8_t value = values[tile];
            values[tile] = values[reversed];
            values[reversed] = value;
            continue;
        }
        uint64_t rows[8], others[8];
        load_tile(rows, values + 8 * tile, stride, aligned);
        load_tile(others, values + 8 * reversed, stride, aligned);
        store_tile(values + 8 * reversed, stride, rows, aligned);
        store_tile(values + 8 * tile, stride, others, aligned);
    }
}

static void reverse_order(int8_t *values, size_t n) {
    if (rs_is_aligned(values)) {
        reverse_tiles(values, n, 1);
    } else {
        reverse_tiles(values, n, 0);
    }
}

// ---- centred binomial --------------------------------------------------------------------------------------------------
enum { CBD_BYTES = 6 };

// Six bytes are one value: the weight of the low 21 bits of the first three less that of the other three. As 21 less a weight is the
// weight of the complement, it is the weight of 42 bits less 21.
enum { CBD_BITS = 21, CBD_FOUR_WORDS = 3 };

// The weights of the bytes of x.
static inline uint64_t weigh_bytes(uint64_t x) {
    x = x - ((x >> 1) & 0x5555555555555555);
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333);
    return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

// From the weights of six bytes; those above do not matter.
static inline int8_t sum_of_weights(uint64_t x) {
    x += x >> 24;
    x += (x >> 8) + (x >> 16);
    return (int8_t)(uint8_t)(x - CBD_BITS);
}

// Four values are three words: their bits, and those to complement.
static const uint64_t CBD_KEEP[CBD_FOUR_WORDS] = {0xffff1fffff1fffff, 0xff1fffff1fffff1f, 0x1fffff1fffff1fff};
static const uint64_t CBD_FLIP[CBD_FOUR_WORDS] = {0x00001fffff000000, 0xff0000001fffff00, 0x1fffff0000001fff};

void rs_cbd21(int8_t *out, const uint8_t *bytes, size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4, bytes += 4 * CBD_BYTES) {
        const uint64_t a = weigh_bytes((rs_load64_aligned(bytes) & CBD_KEEP[0]) ^ CBD_FLIP[0]);
        const uint64_t b = weigh_bytes((rs_load64_aligned(bytes + 8) & CBD_KEEP[1]) ^ CBD_FLIP[1]);
        const uint64_t c = weigh_bytes((rs_load64_aligned(bytes + 16) & CBD_KEEP[2]) ^ CBD_FLIP[2]);
        out[i] = sum_of_weights(a);
        out[i + 1] = sum_of_weights(a >> 48 | b << 16);
        out[i + 2] = sum_of_weights(b >> 32 | c << 32);
        out[i + 3] = sum_of_weights(c >> 16);
    }
    for (; i < count; i++, bytes += CBD_BYTES) out[i] = sum_of_weights(weigh_bytes((rs_load64(bytes) & CBD_KEEP[0]) ^ CBD_FLIP[0]));
}

void rs_draw_cbd21(const rs_samplers_t *samplers, int8_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain) {
    // three blocks hold 68 whole coefficients
    enum { BLOCKS = 3 * RS_WAYS_MAX, GROUP = BLOCKS * BLOCK / CBD_BYTES };
    _Alignas(8) uint8_t bytes[BLOCKS * BLOCK + RS_CBD_SLACK];
    memset(bytes, 0, sizeof bytes);
    for (size_t done = 0; done < n; done += GROUP) {
        const size_t take = n - done < GROUP ? n - done : GROUP;
        private_blocks(samplers->hash, bytes, (take * CBD_BYTES + BLOCK - 1) / BLOCK, seed, domain, done / GROUP * BLOCKS);
        samplers->cbd21(out + done, bytes, take);
    }
    reverse_order(out, n);
    rs_zeroize(bytes, sizeof bytes);
}

// ---- ternary -----------------------------------------------------------------------------------------------------------
enum { TRITS = 5, ACCEPT = 243 };

// ceil(n/5) accepted bytes are needed and 13 in 256 are dropped. n/60 + 96 more, rounded up to whole blocks, leave a failure
// probability below 2^-128 for every N from 2^9 to 2^17 (checked exactly in tests/oracle).
size_t rs_sample_ternary_bytes(size_t n) {
    const size_t needed = (n + TRITS - 1) / TRITS;
    return (needed + needed / 12 + 96 + BLOCK - 1) / BLOCK * BLOCK;
}

void rs_ternary(int8_t *out, const uint8_t *bytes) {
    for (unsigned i = 0; i < RS_TERNARY_BYTES; i++) {
        unsigned digits = bytes[i];
        for (unsigned k = 0; k < TRITS; k++) {
            const unsigned third = (digits * 171) >> 9; // floor(digits / 3), digits < 512
            out[TRITS * i + k] = (int8_t)((int)(digits - 3 * third) - 1);
            digits = third;
        }
    }
}

// Moves the accepted bytes to the front and returns their number. Which bytes are dropped says nothing about the values of those that
// are kept, so positions may be public.
static size_t drop_refused(uint8_t *bytes, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t byte = bytes[i];
        unsigned accepted = ((unsigned)byte - ACCEPT) >> 31;
        RS_DECLASSIFY(&accepted, sizeof accepted);
        bytes[kept] = byte; // a dropped one is overwritten by the next
        kept += accepted;
    }
    return kept;
}

void rs_draw_ternary(const rs_samplers_t *samplers, int8_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain) {
    const size_t blocks = rs_sample_ternary_bytes(n) / BLOCK;
    _Alignas(8) uint8_t bytes[RS_WAYS_MAX * BLOCK + RS_TERNARY_BYTES];
    int8_t values[RS_TERNARY_VALUES];
    size_t done = 0;
    memset(bytes, 0, sizeof bytes);
    for (size_t b = 0; b < blocks || done < n;) {
        const size_t take = b < blocks && blocks - b < RS_WAYS_MAX ? blocks - b : RS_WAYS_MAX;
        private_blocks(samplers->hash, bytes, take, seed, domain, b);
        b += take;
        const size_t kept = drop_refused(bytes, take * BLOCK);
        for (size_t i = 0; i < kept && done < n; i += RS_TERNARY_BYTES) {
            const size_t made = kept - i < RS_TERNARY_BYTES ? TRITS * (kept - i) : RS_TERNARY_VALUES;
            const size_t needed = n - done < made ? n - done : made;
            if (n - done < RS_TERNARY_VALUES) {
                samplers->ternary(values, bytes + i);
                memcpy(out + done, values, needed);
            } else { // made in their final place: values of bytes after the last accepted one are overwritten by the next values
                samplers->ternary(out + done, bytes + i);
            }
            done += needed;
        }
    }
    reverse_order(out, n);
    rs_zeroize(bytes, sizeof bytes);
    rs_zeroize(values, sizeof values);
}

// ---- sparse ------------------------------------------------------------------------------------------------------------
void rs_draw_sparse(const rs_hash_t *hash, int8_t *out, size_t n, uint32_t weight, const rs_seed_t *seed) {
    uint8_t bytes[16];
    memset(out, 0, n);
    for (uint32_t k = 0; k < weight; k++) {
        rs_draw_stream(hash, bytes, sizeof bytes, seed, RS_DOMAIN_SPARSE, sizeof bytes * (uint64_t)k);
        const uint64_t word = rs_load64(bytes), left = n - k;
        uint64_t ahead = ((word >> 32) * left + ((word & 0xffffffff) * left >> 32)) >> 32; // free places before its own
        const int sign = 1 - 2 * (bytes[8] & 1);
        for (size_t i = 0; i < n; i++) {
            const uint64_t is_free = 1 ^ (uint64_t)(out[i] & 1), is_here = 1 ^ ((ahead | (0 - ahead)) >> 63);
            out[i] = (int8_t)(out[i] + (int)(is_free & is_here) * sign);
            ahead -= is_free; // behind its place a number that no ring is as long as
        }
    }
    rs_zeroize(bytes, sizeof bytes);
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

static uint64_t next_spare(const rs_hash_t *hash, rs_uniform_t *state) {
    const uint64_t block = state->spare_word / BLOCK_WORDS;
    if (!state->spare_valid || state->spare_block != block) {
        uint8_t bytes[RS_SEED_BLOCK_BYTES];
        rs_ignore(
            rs_seed_blocks(hash, bytes, 1, state->type, &state->seed, block)); // the type is valid: rs_draw_uniform has used it
        for (unsigned i = 0; i < BLOCK_WORDS; i++) state->spare[i] = rs_load64(bytes + 8 * i);
        state->spare_block = block;
        state->spare_valid = 1;
    }
    return state->spare[state->spare_word++ % BLOCK_WORDS];
}

size_t rs_uniform(uint64_t *words, size_t count, uint64_t limit, const rs_modulus_t *m) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t w = rs_little_endian(words[i]);
        if (w >= limit) return i;
        words[i] = rs_reduce(w, m);
    }
    return count;
}

// N >= 512 is a multiple of the 512 words of a block, so a limb begins and ends with one.
rs_status_t rs_draw_uniform(const rs_samplers_t *samplers, rs_uniform_t *state, uint64_t q, uint64_t *out) {
    rs_modulus_t m;
    if (!state || !out) return RS_ERR_NULL;
    if (state->limb >= state->limb_count) return RS_ERR_LEVEL;
    rs_modulus_init(&m, q);
    const uint64_t max_multiple = UINT64_MAX - UINT64_MAX % q - 1;
    const uint64_t blocks = ((uint64_t)1 << state->log_n) / BLOCK_WORDS;
    for (uint64_t done = 0; done < blocks;) {
        const uint64_t count = blocks - done < RS_WAYS_MAX ? blocks - done : RS_WAYS_MAX;
        const size_t words = (size_t)count * BLOCK_WORDS;
        // the stream is made in its final place and reduced there
        const rs_status_t status =
            rs_seed_blocks(samplers->hash, (uint8_t *)out, count, state->type, &state->seed, state->limb * blocks + done);
        if (status != RS_OK) return status;
        for (size_t i = 0; i < words;) {
            i += samplers->uniform(out + i, words - i, max_multiple, &m);
            if (i == words) break;
            uint64_t w;
            do w = next_spare(samplers->hash, state);
            while (w >= max_multiple);
            out[i++] = rs_reduce(w, &m);
        }
        out += words;
        done += count;
    }
    state->limb++;
    return RS_OK;
}

const rs_samplers_t RS_SAMPLERS_PORTABLE = {
    .hash = &RS_HASH_PORTABLE,
    .cbd21 = rs_cbd21,
    .ternary = rs_ternary,
    .uniform = rs_uniform,
};

rs_status_t rs_seed_derive(rs_seed_t *out, const rs_seed_t *seed, const char *label, uint64_t index, const uint8_t *bound,
                           size_t bound_bytes) {
    if (!out || !seed || !label || (!bound && bound_bytes)) return RS_ERR_NULL;
    uint8_t message[3 * RS_SEED_BYTES + 8];
    const size_t label_bytes = rs_text_length(label);
    memcpy(message, seed->bytes, RS_SEED_BYTES);
    rs_store64(message + RS_SEED_BYTES, index);
    rs_shake256(message + RS_SEED_BYTES + 8, RS_SEED_BYTES, (const uint8_t *)label, label_bytes);
    rs_shake256(message + 2 * RS_SEED_BYTES + 8, RS_SEED_BYTES, bound, bound_bytes);
    rs_shake256(out->bytes, sizeof out->bytes, message, sizeof message);
    rs_zeroize(message, sizeof message);
    return RS_OK;
}

rs_status_t rs_switch_seed(rs_seed_t *out, const rs_seed_t *master, uint64_t number, const rs_switch_row_t *row) {
    if (!row) return RS_ERR_NULL;
    const uint32_t numbers[] = {row->form, row->element, row->index, row->digit_primes, row->special_count, row->seed_type};
    uint8_t bound[sizeof numbers + RS_SWITCH_BOUND_BYTES];
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) rs_store32(bound + 4 * i, numbers[i]);
    memcpy(bound + sizeof numbers, row->bound, RS_SWITCH_BOUND_BYTES);
    const rs_status_t status = rs_seed_derive(out, master, "switching key", number, bound, sizeof bound);
    rs_zeroize(bound, sizeof bound);
    return status;
}

rs_status_t rs_switch_seeds(rs_seed_t *private_seed, rs_seed_t *public_seed, const rs_seed_t *master, uint64_t number,
                            const rs_switch_row_t *row) {
    rs_seed_t seed;
    RS_TRY(rs_switch_seed(&seed, master, number, row));
    rs_draw_stream(&RS_HASH_PORTABLE, private_seed->bytes, RS_SEED_BYTES, &seed, RS_DOMAIN_RNG, 0);
    rs_draw_stream(&RS_HASH_PORTABLE, public_seed->bytes, RS_SEED_BYTES, &seed, RS_DOMAIN_RNG, RS_SEED_BYTES);
    rs_zeroize(&seed, sizeof seed);
    RS_DECLASSIFY(public_seed, sizeof *public_seed); // it is in the file
    return RS_OK;
}
