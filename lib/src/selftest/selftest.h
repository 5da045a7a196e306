// SPDX-License-Identifier: Apache-2.0
// The self-test's results, for the program that prints new known answers (lib/tests/print_selftest.c).
#ifndef RINGSIDE_SELFTEST_H
#define RINGSIDE_SELFTEST_H

#include <ringside/context.h>

enum { RS_SELFTEST_ANSWERS = 13, RS_SELFTEST_ANSWER_BYTES = 32 };

// Names of the answers, in order.
extern const char *const RS_SELFTEST_NAMES[RS_SELFTEST_ANSWERS];

// Runs every primitive and hashes its results. It also fails where a result is wrong in a way that needs no known answer.
rs_status_t rs_selftest_run(void *memory, size_t memory_bytes, uint8_t answers[RS_SELFTEST_ANSWERS][RS_SELFTEST_ANSWER_BYTES]);

#endif
