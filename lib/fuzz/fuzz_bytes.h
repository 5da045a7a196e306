// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets of ML-KEM and ML-DSA share. An input is added (XOR) to good bytes, so that one of few bytes damages few.
#ifndef RS_FUZZ_BYTES_H
#define RS_FUZZ_BYTES_H

#include <ringside/ringside.h>
#include <stdlib.h>
#include <string.h>

// Memory of exactly this length, so that a sanitizer sees a byte too far.
static inline uint8_t *exact(size_t bytes) {
    uint8_t *memory = malloc(bytes);
    if (!memory) abort();
    return memory;
}

static inline void demand(int holds) {
    if (!holds) abort();
}

static inline void add(uint8_t *to, size_t bytes, const uint8_t **data, size_t *left) {
    const size_t take = bytes < *left ? bytes : *left;
    for (size_t i = 0; i < take; i++) to[i] ^= (*data)[i];
    *data += take;
    *left -= take;
}

static inline void demand_wiped(const uint8_t *workspace, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) demand(workspace[i] == 0);
}

#endif
