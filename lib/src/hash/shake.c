// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] and the sponges on it (FIPS 202).
#include "hash/hash.h"

// Without an instruction for ~b & c, six lanes are kept complemented. Then all but five of the 25 NOTs of a round cancel, and some ANDs
// become ORs (Bertoni et al., "Keccak implementation overview", 2012, section 2.2). Bit i of a constant is lane i. NOT_A, NOT_B, NOT_C:
// that argument has the wrong sign.
#if defined(__aarch64__) || defined(__riscv_zbb) || defined(__BMI__)
enum { COMPLEMENTED = 0 };
#else
enum { COMPLEMENTED = 1 << 1 | 1 << 2 | 1 << 8 | 1 << 12 | 1 << 17 | 1 << 20 };
#endif

static inline __attribute__((always_inline)) uint64_t chi(unsigned i, uint64_t a, uint64_t b, uint64_t c) {
    enum { OR = 0xab25ab, NOT_A = 0x242000, NOT_B = 0x121002, NOT_C = 0x000080 };
    if (!COMPLEMENTED) return a ^ (~b & c);
    if (NOT_A >> i & 1) a = ~a;
    if (NOT_B >> i & 1) b = ~b;
    if (NOT_C >> i & 1) c = ~c;
    return a ^ (OR >> i & 1 ? b | c : b & c);
}

#define TARGET
#define ADD(a, b) ((a) + (b))
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define CHI(i, a, b, c) chi(i, a, b, c)
#define KEPT(i, x) ((COMPLEMENTED >> (i)) & 1 ? ~(x) : (x))
#define ROTATE(x, n) ((n) ? (x) << (n) | (x) >> ((64 - (n)) % 64) : (x))
#define CONSTANT(word) (word)
#define COUNT 0
typedef uint64_t lane_t;
#include "hash/keccak_rounds.h"

void rs_keccak_f1600(uint64_t *state) {
    keccak_rounds(state);
}

void rs_keccak_start(uint64_t *states, const uint8_t *seed, uint64_t counter) {
    keccak_start(states, seed, counter);
}

void rs_keccak_squeeze(uint8_t *out, size_t stride, const uint64_t *states) {
    (void)stride;
    if (rs_is_aligned(out)) {
        for (unsigned i = 0; i < RATE_LANES; i++) rs_store64_aligned(out + 8 * i, states[i]);
    } else {
        for (unsigned i = 0; i < RATE_LANES; i++) rs_store64(out + 8 * i, states[i]);
    }
}

// ---- sponge ------------------------------------------------------------------------------------------------------------
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

static void add_byte(rs_sponge_t *s, uint32_t at, uint8_t byte) {
    s->state[at / 8] ^= (uint64_t)byte << 8 * (at % 8);
}

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
