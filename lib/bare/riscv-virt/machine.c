// SPDX-License-Identifier: Apache-2.0
// QEMU's "virt" machine: 16550 UART for text, SiFive test finisher for the exit code.
#include "../board.h"

enum { FINISH_PASS = 0x5555, FINISH_FAIL = 0x3333 };

#define UART_DATA (*(volatile uint8_t *)0x10000000)
#define UART_STATUS (*(volatile uint8_t *)0x10000005)
#define UART_STATUS_IDLE 0x20
#define FINISHER (*(volatile uint32_t *)0x100000)

void board_print(const char *text) {
    for (; *text; text++) {
        while (!(UART_STATUS & UART_STATUS_IDLE)) {
        }
        UART_DATA = (uint8_t)*text;
    }
}

void board_finish(uint32_t code) {
    FINISHER = code ? code << 16 | FINISH_FAIL : FINISH_PASS;
    for (;;) {
    }
}
