// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] (FIPS 202), and the portable table's entries.
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

void rs_keccak_f1600(uint64_t *state) { keccak_rounds(state); }

void rs_keccak_start(uint64_t *states, const uint8_t *seed, uint64_t counter) { keccak_start(states, seed, counter); }

void rs_keccak_squeeze(uint8_t *out, size_t stride, const uint64_t *states) {
    (void)stride;
    if (rs_is_aligned(out)) {
        for (unsigned i = 0; i < RATE_LANES; i++) rs_store64_aligned(out + 8 * i, states[i]);
    } else {
        for (unsigned i = 0; i < RATE_LANES; i++) rs_store64(out + 8 * i, states[i]);
    }
}
