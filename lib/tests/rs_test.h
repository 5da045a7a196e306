// SPDX-License-Identifier: Apache-2.0
// A test harness in one header: each test program is one C file that includes it once and holds RS_TEST functions.
//
//     RS_TEST(add_wraps) { CHECK_EQ_U64(add(q - 1, 1), 0); }
//
// The program runs all its tests in order of definition, or those named on its command line (--list shows the names), prints
// "name: ok" or where and what failed, and returns non-zero if anything failed, no test ran, or a name is unknown.
// CHECKs report and go on; REQUIRE reports and returns from the (void) function it stands in.
#ifndef RS_TEST_H
#define RS_TEST_H

#include "ringside/base.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rs_test_case {
    const char *name;
    void (*run)(void);
    struct rs_test_case *next;
} rs_test_case_t;

static rs_test_case_t *rs_test_first;
static rs_test_case_t **rs_test_end = &rs_test_first;
static unsigned rs_test_failures; // failures of the running test

enum { RS_TEST_SHOWN_MAX = 20 }; // failures printed per test

#define RS_TEST(test_name)                                                             \
    static void rs_test_run_##test_name(void);                                         \
    __attribute__((constructor)) static void rs_test_add_##test_name(void) {           \
        static rs_test_case_t test_case = {#test_name, rs_test_run_##test_name, NULL}; \
        *rs_test_end = &test_case;                                                     \
        rs_test_end = &test_case.next;                                                 \
    }                                                                                  \
    static void rs_test_run_##test_name(void)

// printf-style report; counts a failure of the running test.
__attribute__((format(printf, 3, 4), unused)) static void rs_test_fail(const char *file, int line, const char *format, ...) {
    if (++rs_test_failures > RS_TEST_SHOWN_MAX) return;
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    printf("%s:%d: ", file, line);
    vprintf(format, arguments);
    printf("\n");
    __builtin_va_end(arguments);
}

__attribute__((unused)) static int rs_test_true(const char *file, int line, const char *expression, int holds) {
    if (!holds) rs_test_fail(file, line, "%s", expression);
    return holds;
}

__attribute__((unused)) static int rs_test_equal_u64(const char *file, int line, const char *expression, uint64_t got,
                                                     uint64_t want) {
    if (got == want) return 1;
    rs_test_fail(file, line, "%s: got %" PRIu64 " (0x%" PRIx64 "), want %" PRIu64 " (0x%" PRIx64 ")", expression, got, got, want,
                 want);
    return 0;
}

__attribute__((unused)) static int rs_test_equal_i64(const char *file, int line, const char *expression, int64_t got,
                                                     int64_t want) {
    if (got == want) return 1;
    rs_test_fail(file, line, "%s: got %" PRId64 ", want %" PRId64, expression, got, want);
    return 0;
}

__attribute__((unused)) static int rs_test_near(const char *file, int line, const char *expression, double got, double want,
                                                double tolerance) {
    if (fabs(got - want) <= tolerance) return 1; // false for NaN
    rs_test_fail(file, line, "%s: got %.17g, want %.17g within %g", expression, got, want, tolerance);
    return 0;
}

__attribute__((unused)) static int rs_test_equal_mem(const char *file, int line, const char *expression, const void *got,
                                                     const void *want, size_t bytes) {
    const unsigned char *a = got, *b = want;
    for (size_t i = 0; i < bytes; i++) {
        if (a[i] != b[i]) {
            rs_test_fail(file, line, "%s: byte %zu of %zu is %02x, want %02x", expression, i, bytes, a[i], b[i]);
            return 0;
        }
    }
    return 1;
}

// With the names of the codes (status.c); define RS_TEST_NO_STATUS_NAMES in a program that does not link it.
__attribute__((unused)) static int rs_test_status(const char *file, int line, const char *expression, rs_status_t got,
                                                  rs_status_t want) {
    if (got == want) return 1;
#ifdef RS_TEST_NO_STATUS_NAMES
    rs_test_fail(file, line, "%s: got status %d, want %d", expression, (int)got, (int)want);
#else
    rs_test_fail(file, line, "%s: got %s, want %s", expression, rs_status_name(got), rs_status_name(want));
#endif
    return 0;
}

// ---- memory --------------------------------------------------------------------------------------------------------------
typedef struct rs_test_block {
    void *memory;
    struct rs_test_block *next;
} rs_test_block_t;

static rs_test_block_t *rs_test_blocks; // blocks of the running test

// Memory that is freed when the running test ends; any of its threads may ask for some. There is no test without memory.
__attribute__((unused)) static void *rs_test_own(void *memory) {
    rs_test_block_t *block = malloc(sizeof *block);
    if (!memory || !block) abort();
    *block = (rs_test_block_t){memory, rs_test_blocks};
    while (!__atomic_compare_exchange_n(&rs_test_blocks, &block->next, block, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) continue;
    return memory;
}

static void rs_test_free(void) {
    while (rs_test_blocks) {
        rs_test_block_t *block = rs_test_blocks;
        rs_test_blocks = block->next;
        free(block->memory);
        free(block);
    }
}

static void (*rs_test_close)(void); // closes what the running test has open; NULL: nothing

static void rs_test_over(void) {
    void (*const close)(void) = rs_test_close;
    rs_test_close = NULL;
    if (close) close();
}

// ---- checks --------------------------------------------------------------------------------------------------------------
// Each is an expression, true if the check held.
#define CHECK(condition) rs_test_true(__FILE__, __LINE__, #condition, (condition) ? 1 : 0)
#define CHECK_EQ_U64(got, want) rs_test_equal_u64(__FILE__, __LINE__, #got, (uint64_t)(got), (uint64_t)(want))
#define CHECK_EQ_I64(got, want) rs_test_equal_i64(__FILE__, __LINE__, #got, (int64_t)(got), (int64_t)(want))
#define CHECK_NEAR(got, want, tolerance) rs_test_near(__FILE__, __LINE__, #got, (got), (want), (tolerance))
#define CHECK_EQ_MEM(got, want, bytes) rs_test_equal_mem(__FILE__, __LINE__, #got, (got), (want), (bytes))
#define CHECK_STATUS(got, want) rs_test_status(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_OK(got) CHECK_STATUS(got, RS_OK)
// For what the rest of the test cannot do without.
#define REQUIRE(condition)             \
    do {                               \
        if (!CHECK(condition)) return; \
    } while (0)
#define REQUIRE_OK(got)             \
    do {                            \
        if (!CHECK_OK(got)) return; \
    } while (0)

static int rs_test_run(rs_test_case_t *test) {
    rs_test_failures = 0;
    test->run();
    rs_test_over();
    rs_test_free();
    if (rs_test_failures == 0) {
        printf("%s: ok\n", test->name);
    } else {
        printf("%s: FAILED (%u checks)\n", test->name, rs_test_failures);
    }
    fflush(stdout);
    return rs_test_failures == 0;
}

// The next word of splitmix64 (Steele et al. 2014); any state is a beginning.
static inline uint64_t rs_test_random(uint64_t *state) {
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// A generator that fails after it has written.
__attribute__((unused)) static rs_status_t rs_test_no_rng(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    memset(out, 1, bytes);
    return RS_ERR_IO;
}

int main(int argc, char **argv) {
    unsigned ran = 0, failed = 0;
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (rs_test_case_t *test = rs_test_first; test; test = test->next) printf("%s\n", test->name);
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        rs_test_case_t *test = rs_test_first;
        while (test && strcmp(test->name, argv[i]) != 0) test = test->next;
        if (!test) {
            printf("%s: no such test\n", argv[i]);
            failed++;
            continue;
        }
        ran++;
        if (!rs_test_run(test)) failed++;
    }
    if (argc == 1) {
        for (rs_test_case_t *test = rs_test_first; test; test = test->next) {
            ran++;
            if (!rs_test_run(test)) failed++;
        }
    }
    printf("%u tests, %u failed\n", ran, failed);
    return failed != 0 || ran == 0;
}

#endif
