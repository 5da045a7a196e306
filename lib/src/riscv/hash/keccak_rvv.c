// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] on as many states at once as a vector register has words, whatever its length. hash/keccak_rounds.h wants arrays of lanes, and there are
// none of vectors whose length is not known: so lanes have names here. A round of 25 lanes leaves 7 registers.
#include "riscv/riscv.h"

#ifdef __riscv_v
#include <riscv_vector.h>

enum { WAYS = RS_WAYS_MAX };

// The other steps take a lane of all states as one vector.
typedef uint64_t lane_t __attribute__((vector_size(8 * WAYS)));
#define TARGET
#define ADD(a, b) ((a) + (b))
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define CHI(i, a, b, c) ((a) ^ (~(b) & (c)))
#define KEPT(i, x) (x)
#define ROTATE(x, n) ((n) ? (x) << (n) | (x) >> ((64 - (n)) % 64) : (x))
#define CONSTANT(word) ((lane_t){0} + (word))
#define COUNT ((lane_t){0, 1, 2, 3, 4, 5, 6, 7})
#include "hash/keccak_rounds.h"

#define XOR(x, y) __riscv_vxor_vv_u64m1(x, y, vl)
#define LEFT(x, n) __riscv_vor_vv_u64m1(__riscv_vsll_vx_u64m1(x, n, vl), __riscv_vsrl_vx_u64m1(x, 64 - (n), vl), vl)
#define FIVE(F, i0, i1, i2, i3, i4) F(i0) F(i1) F(i2) F(i3) F(i4)
#define EACH_LANE(F)            \
    FIVE(F, 0, 1, 2, 3, 4)      \
    FIVE(F, 5, 6, 7, 8, 9)      \
    FIVE(F, 10, 11, 12, 13, 14) \
    FIVE(F, 15, 16, 17, 18, 19) \
    FIVE(F, 20, 21, 22, 23, 24)
#define LOAD(i) vuint64m1_t a##i = __riscv_vle64_v_u64m1(states + WAYS * i, vl);
#define STORE(i) __riscv_vse64_v_u64m1(states + WAYS * i, a##i, vl);
#define PARITY(x0, x1, x2, x3, x4) XOR(XOR(XOR(a##x0, a##x1), a##x2), XOR(a##x3, a##x4))
#define THETA(d, x0, x1, x2, x3, x4) \
    a##x0 = XOR(a##x0, d);           \
    a##x1 = XOR(a##x1, d);           \
    a##x2 = XOR(a##x2, d);           \
    a##x3 = XOR(a##x3, d);           \
    a##x4 = XOR(a##x4, d)
// rho and pi: what was to be moved goes to lane i, rotated, and the lane that was there is the next
#define MOVE(i, n)         \
    next = a##i;           \
    a##i = LEFT(moved, n); \
    moved = next
#define MOVES(i0, n0, i1, n1, i2, n2, i3, n3, i4, n4, i5, n5) \
    MOVE(i0, n0);                                             \
    MOVE(i1, n1);                                             \
    MOVE(i2, n2);                                             \
    MOVE(i3, n3);                                             \
    MOVE(i4, n4);                                             \
    MOVE(i5, n5)
#define NOT_AND(x, y) __riscv_vand_vv_u64m1(__riscv_vnot_v_u64m1(x, vl), y, vl)
#define CHI_ROW(x0, x1, x2, x3, x4)            \
    first = a##x0;                             \
    second = a##x1;                            \
    a##x0 = XOR(a##x0, NOT_AND(a##x1, a##x2)); \
    a##x1 = XOR(a##x1, NOT_AND(a##x2, a##x3)); \
    a##x2 = XOR(a##x2, NOT_AND(a##x3, a##x4)); \
    a##x3 = XOR(a##x3, NOT_AND(a##x4, first)); \
    a##x4 = XOR(a##x4, NOT_AND(first, second))

static void permute(uint64_t *states, size_t vl) {
    EACH_LANE(LOAD)
    for (unsigned round = 0; round < 24; round++) {
        const vuint64m1_t c0 = PARITY(0, 5, 10, 15, 20);
        const vuint64m1_t c1 = PARITY(1, 6, 11, 16, 21);
        const vuint64m1_t c2 = PARITY(2, 7, 12, 17, 22);
        const vuint64m1_t c3 = PARITY(3, 8, 13, 18, 23);
        const vuint64m1_t c4 = PARITY(4, 9, 14, 19, 24);
        vuint64m1_t moved, next, first, second;
        // in the order in which columns are needed no longer: else ten vectors go through memory
        next = XOR(c0, LEFT(c2, 1));
        THETA(next, 1, 6, 11, 16, 21);
        next = XOR(c2, LEFT(c4, 1));
        THETA(next, 3, 8, 13, 18, 23);
        next = XOR(c4, LEFT(c1, 1));
        THETA(next, 0, 5, 10, 15, 20);
        next = XOR(c1, LEFT(c3, 1));
        THETA(next, 2, 7, 12, 17, 22);
        next = XOR(c3, LEFT(c0, 1));
        THETA(next, 4, 9, 14, 19, 24);
        moved = a1;
        MOVES(10, 1, 7, 3, 11, 6, 17, 10, 18, 15, 3, 21);
        MOVES(5, 28, 16, 36, 8, 45, 21, 55, 24, 2, 4, 14);
        MOVES(15, 27, 23, 41, 19, 56, 13, 8, 12, 25, 2, 43);
        MOVES(20, 62, 14, 18, 22, 39, 9, 61, 6, 20, 1, 44);
        CHI_ROW(0, 1, 2, 3, 4);
        CHI_ROW(5, 6, 7, 8, 9);
        CHI_ROW(10, 11, 12, 13, 14);
        CHI_ROW(15, 16, 17, 18, 19);
        CHI_ROW(20, 21, 22, 23, 24);
        a0 = __riscv_vxor_vx_u64m1(a0, IOTA[round], vl);
    }
    EACH_LANE(STORE)
}

static void keccak(uint64_t *states) {
    for (size_t way = 0, vl; way < WAYS; way += vl) {
        vl = __riscv_vsetvl_e64m1(WAYS - way);
        permute(states + way, vl);
    }
}

static void start(uint64_t *states, const uint8_t *seed, uint64_t counter) {
    keccak_start((lane_t *)(void *)states, seed, counter);
}

static void squeeze(uint8_t *out, size_t stride, const uint64_t *states) {
    const int aligned = rs_is_aligned(out) && stride % 8 == 0;
    for (unsigned i = 0; i < WAYS * RATE_LANES; i++) {
        uint8_t *to = out + stride * (i % WAYS) + 8 * (i / WAYS);
        (aligned ? rs_store64_aligned : rs_store64)(to, states[i]);
    }
}

const rs_hash_t RS_HASH_RVV = {
    .ways = WAYS,
    .keccak = keccak,
    .keccak_start = start,
    .keccak_squeeze = squeeze,
    .blake2_ways = 1,
    .blake2_leaves = rs_blake2_leaves,
};

const rs_samplers_t RS_SAMPLERS_RVV = {
    .hash = &RS_HASH_RVV,
    .cbd21 = rs_cbd21,
    .ternary = rs_ternary,
    .uniform = rs_uniform,
};
#endif
