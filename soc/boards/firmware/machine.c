// SPDX-License-Identifier: Apache-2.0
// LiteX's serial port, and its processors' caches.
#include "machine.h"

#include "board.h"
#include "litex.h"

#define UART_DATA (*(volatile uint32_t *)BOARD_UART)
#define UART_FULL (*(volatile uint32_t *)(BOARD_UART + 4))

void board_print(const char *text) {
    for (; *text; text++) {
        while (UART_FULL & 1) {
        }
        UART_DATA = (uint8_t)*text;
    }
}

// It stays here: the BIOS is not asked again before a reset. A simulated board has a register that ends it.
void board_finish(uint32_t code) {
    board_print(code ? "FAIL\n" : "PASS\n");
#ifdef BOARD_END
    *(volatile uint32_t *)BOARD_END = code;
#endif
    for (;;) {
    }
}

// Low word only: it is compared over short stretches.
uint64_t board_instructions(void) {
    size_t x;
    __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, mcycle\n.option pop" : "=r"(x));
    return x;
}

void machine_forget_caches(void) {
#if !BOARD_COHERENT
    // VexRiscv's own instruction: it invalidates the data cache, which writes through
    __asm__ volatile(".word 0x500f" ::: "memory");
#endif
}
