// SPDX-License-Identifier: Apache-2.0
// Arm's MPS2 board as QEMU has it: semihosting for text and exit code.
#include "../board.h"

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

uint32_t semihosting(uint32_t operation, const void *argument); // start.S

void board_print(const char *text) {
    semihosting(SYS_WRITE0, text);
}

void board_finish(uint32_t code) {
    const uint32_t block[2] = {APPLICATION_EXIT, code};
    for (;;) semihosting(SYS_EXIT_EXTENDED, block);
}
