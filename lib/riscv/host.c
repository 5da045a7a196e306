// SPDX-License-Identifier: Apache-2.0
// The firmware's output, from the host: what the firmware has to print.
#include <ringside/ckks.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace.h"

static void print(const char *text) {
    fputs(text, stdout);
}

int main(void) {
    void *memory = malloc(TRACE_MEMORY_BYTES);
    if (!memory || rs_selftest_size() > TRACE_MEMORY_BYTES) return 1;
    const rs_status_t selftest = rs_selftest(memory, TRACE_MEMORY_BYTES);
    printf("selftest %s\n", rs_status_name(selftest));
    const rs_status_t trace = trace_run(print, memory);
    printf("trace %s\n", rs_status_name(trace));
    free(memory);
    return selftest != RS_OK || trace != RS_OK;
}
