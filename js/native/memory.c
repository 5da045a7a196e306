// SPDX-License-Identifier: Apache-2.0
// Blocks that know their size, so that all of a block is wiped when it is given back.
#include <stdlib.h>
#include <string.h>

#include "client.h"

enum { LINE = 64 };

JS_EXPORT(js_alloc) void *js_alloc(size_t bytes) {
    if (bytes > SIZE_MAX - 3 * LINE) return NULL;
    const size_t whole = (bytes + 2 * LINE - 1) / LINE * LINE; // a line in front holds the size
    uint8_t *memory = aligned_alloc(LINE, whole);
    if (!memory) return NULL;
    memset(memory, 0, whole);
    *(size_t *)(void *)memory = whole;
    return memory + LINE;
}

JS_EXPORT(js_free) void js_free(void *block) {
    if (!block) return;
    uint8_t *memory = (uint8_t *)block - LINE;
    rs_zeroize(memory, *(size_t *)(void *)memory);
    free(memory);
}
