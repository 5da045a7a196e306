// SPDX-License-Identifier: Apache-2.0
// What the programs that measure time share: memory that is there, and calls that succeed, or the end of the program.
#ifndef RS_TIME_COMMON_H
#define RS_TIME_COMMON_H

#include <ringside/status.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    if (!p) exit(1);
    memset(p, 0, bytes);
    return p;
}

static void require(rs_status_t status) {
    if (status == RS_OK) return;
    fprintf(stderr, "%s\n", rs_status_message(status));
    exit(1);
}

#endif
