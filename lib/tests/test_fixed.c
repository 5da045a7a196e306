// SPDX-License-Identifier: Apache-2.0
// Fixed point: single butterflies make the stages, stages the transforms, for every word width; tables at any place in memory. That the
// words are right: tests/oracle/test_fixed.py.
#include <math.h>

#include <ringside/golden.h>

#include "rs_test.h"

enum { LOG_N = 6, POINTS = 1 << (LOG_N - 1), BYTES = 4096 };

static uint64_t state = 1;

static int64_t word(uint32_t word_bits, uint32_t spare) { return (int64_t)rs_test_random(&state) >> (64 - word_bits + spare); }

RS_TEST(tables_need_no_more_than_eight_bytes_of_alignment) {
    static uint64_t memory[2][BYTES / 8 + 4];
    for (uint32_t log_n = RS_FIXED_LOG_N_MIN; log_n <= 9; log_n++) {
        const rs_fixed_t *tables[2];
        const size_t bytes = rs_fixed_size(log_n);
        REQUIRE(bytes <= BYTES);
        for (unsigned k = 0; k < 2; k++) {
            uint64_t *start = memory[k] + ((uintptr_t)memory[k] / 8 + k) % 2; // one of the two is not at a multiple of 16
            start[bytes / 8] = 77;
            REQUIRE_OK(rs_fixed_init(&tables[k], start, bytes, log_n, 54));
            CHECK_EQ_U64(start[bytes / 8], 77);
        }
        CHECK_EQ_MEM(rs_fixed_roots(tables[0]), rs_fixed_roots(tables[1]), sizeof(uint64_t) << (log_n - 1));
    }
}

// pair ((1 << stage) + block) / 2 of the table is zeta^(N/4h (4 brv(block) + 1)), h = 1 << stage, block even
RS_TEST(roots_are_cosines_and_sines) {
    enum { BITS = 40, LOG_ROOTS = 9 };
    static uint64_t memory[BYTES / 8];
    const rs_fixed_t *fixed;
    REQUIRE_OK(rs_fixed_init(&fixed, memory, sizeof memory, LOG_ROOTS, BITS));
    for (uint32_t stage = 0; stage + 2 <= LOG_ROOTS; stage++) {
        for (uint32_t block = 0; block < 1U << stage; block += 2) {
            uint32_t reversed = 0;
            for (uint32_t bit = 0; bit < stage; bit++) reversed |= (block >> bit & 1) << (stage - 1 - bit);
            const double angle = acos(-1) * (4 * reversed + 1) / (4U << stage);
            const uint64_t *pair = rs_fixed_roots(fixed) + 2 * (((1U << stage) + block) / 2);
            CHECK(fabs((double)pair[0] - ldexp(cos(angle), BITS)) < 1);
            CHECK(fabs((double)pair[1] - ldexp(sin(angle), BITS)) < 1);
        }
    }
}

static void by_butterflies(const rs_fixed_t *fixed, uint32_t stage, int is_inverse, int64_t *re, int64_t *im) {
    const uint32_t gap = POINTS >> (stage + 1);
    for (uint32_t block = 0; block < (uint32_t)1 << stage; block++) {
        const rs_fixed_root_t root = rs_fixed_root(fixed, stage, block);
        for (uint32_t j = 2 * gap * block; j < 2 * gap * block + gap; j++) {
            rs_fixed_point_t x = {re[j], im[j]}, y = {re[j + gap], im[j + gap]};
            const uint32_t bits = rs_fixed_word_bits(fixed);
            const uint32_t over =
                is_inverse ? rs_fixed_butterfly_inverse(bits, &x, &y, root) : rs_fixed_butterfly_forward(bits, &x, &y, root);
            CHECK_EQ_U64(over, 0);
            re[j] = x.re;
            im[j] = x.im;
            re[j + gap] = y.re;
            im[j + gap] = y.im;
        }
    }
}

RS_TEST(steps_make_the_transforms) {
    static uint64_t memory[BYTES / 8];
    for (uint32_t bits = RS_FIXED_BITS_MIN; bits <= RS_FIXED_BITS_MAX; bits++) {
        const rs_fixed_t *fixed;
        REQUIRE_OK(rs_fixed_init(&fixed, memory, sizeof memory, LOG_N, bits));
        CHECK_EQ_U64(rs_fixed_n(fixed), 2 * POINTS);
        for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
            int64_t re[3][POINTS], im[3][POINTS]; // errors of butterflies, stages, the transform
            for (unsigned i = 0; i < POINTS; i++) {
                re[0][i] = re[1][i] = re[2][i] = word(bits, is_inverse ? 1 : LOG_N + 1);
                im[0][i] = im[1][i] = im[2][i] = word(bits, is_inverse ? 1 : LOG_N + 1);
            }
            for (uint32_t k = 0; k + 1 < LOG_N; k++) {
                const uint32_t stage = is_inverse ? LOG_N - 2 - k : k;
                by_butterflies(fixed, stage, is_inverse, re[0], im[0]);
                CHECK_EQ_U64(is_inverse ? rs_fixed_stage_inverse(fixed, stage, re[1], im[1])
                                        : rs_fixed_stage_forward(fixed, stage, re[1], im[1]),
                             0);
                CHECK_EQ_MEM(re[0], re[1], sizeof re[0]);
                CHECK_EQ_MEM(im[0], im[1], sizeof im[0]);
            }
            CHECK_OK(is_inverse ? rs_fixed_inverse(fixed, re[2], im[2]) : rs_fixed_forward(fixed, re[2], im[2]));
            CHECK_EQ_MEM(re[0], re[2], sizeof re[0]);
            CHECK_EQ_MEM(im[0], im[2], sizeof im[0]);
        }
    }
}
