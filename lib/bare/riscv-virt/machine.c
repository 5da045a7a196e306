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

// Which G contains, and clang 16 has no option for.
#if __riscv_xlen == 32
#define WITH_CSR ".option push\n.option arch, +zicsr\n"
#else
#define WITH_CSR ".option push\n"
#endif

static size_t counter_low(void) {
    size_t x;
    __asm__ volatile(WITH_CSR "csrr %0, minstret\n.option pop" : "=r"(x));
    return x;
}

#if __riscv_xlen == 32
static size_t counter_high(void) {
    size_t x;
    __asm__ volatile(WITH_CSR "csrr %0, minstreth\n.option pop" : "=r"(x));
    return x;
}

uint64_t board_instructions(void) {
    size_t high, low;
    do {
        high = counter_high();
        low = counter_low();
    } while (high != counter_high());
    return (uint64_t)high << 32 | low;
}
#else
uint64_t board_instructions(void) { return counter_low(); }
#endif

void board_finish(uint32_t code) {
    FINISHER = code ? code << 16 | FINISH_FAIL : FINISH_PASS;
    for (;;) {
    }
}
