// SPDX-License-Identifier: Apache-2.0
// A run through the library whose every result is printed as a hash: two platforms agree bit for bit if their prints do.
#ifndef RINGSIDE_TRACE_H
#define RINGSIDE_TRACE_H

#include <ringside/status.h>

enum { TRACE_MEMORY_BYTES = 24 << 20 };

// Prints lines "set operation hash" and returns the first error. memory: 8-byte aligned, TRACE_MEMORY_BYTES.
rs_status_t trace_run(void (*print)(const char *text), void *memory);

#endif
