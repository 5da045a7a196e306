// SPDX-License-Identifier: Apache-2.0
// A run through the library whose every result is printed as a hash: two platforms agree bit for bit if their prints do.
#ifndef RINGSIDE_TRACE_H
#define RINGSIDE_TRACE_H

#include <ringside/base.h>

enum { TRACE_MEMORY_BYTES = 8 << 20 };
// How many parameter sets, the small ones first: machines without doubles in hardware take seconds for the large ones.
#ifndef TRACE_SETS
#define TRACE_SETS 6
#endif

typedef struct trace_output {
    void (*print)(const char *text);
    // Takes a SEAL file; NULL: files are hashed and read back, no more.
    rs_status_t (*save)(void *state, const char *set, const char *name, const uint8_t *data, size_t bytes);
    void *state;
} trace_output_t;

// Prints lines "set operation hash" and returns the first error. memory: 8-byte aligned, TRACE_MEMORY_BYTES.
rs_status_t trace_run(const trace_output_t *output, void *memory);

#endif
