// SPDX-License-Identifier: Apache-2.0
// The self-test and the trace on a bare machine.
#include <ringside/ckks.h>

#include "board.h"
#include "trace.h"

static uint64_t memory[TRACE_MEMORY_BYTES / sizeof(uint64_t)];

static void print_status(const char *what, rs_status_t status) {
    board_print(what);
    board_print(" ");
    board_print(rs_status_name(status));
    board_print("\n");
}

void board_main(void) {
    rs_status_t status = rs_selftest_size() <= sizeof memory ? rs_selftest(memory, sizeof memory) : RS_ERR_TOO_SMALL;
    print_status("selftest", status);
    if (status != RS_OK) board_finish(EXIT_SELFTEST);
    const trace_output_t output = {board_print, NULL, NULL};
    status = trace_run(&output, memory);
    print_status("trace", status);
    board_finish(status == RS_OK ? 0 : EXIT_TRACE);
}
