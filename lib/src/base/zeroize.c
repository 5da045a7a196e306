// SPDX-License-Identifier: Apache-2.0
#include <ringside/status.h>
#include <string.h>

void rs_zeroize(void *memory, size_t bytes) {
    if (!memory || !bytes) return;
    memset(memory, 0, bytes);
    __asm__ volatile("" : : "r"(memory) : "memory"); // the stores are observable from here
}
