// SPDX-License-Identifier: Apache-2.0
// Arm's MPS2 board as QEMU has it: semihosting for text and exit code.
#include "../board.h"

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

uint32_t semihosting(uint32_t operation, const void *argument); // start.S

void board_print(const char *text) { semihosting(SYS_WRITE0, text); }

// Timer 0 of the board counts 32 bits down at 25 MHz; under -icount shift=0 an instruction takes a nanosecond. The processor's own timer has 24
// bits, and QEMU, when the machine under it is busy, loses what runs between its end and its next start.
enum { NANOSECONDS_PER_TICK = 40, TIMER_ON = 1 };

#define TIMER_CONTROL (*(volatile uint32_t *)0x40000000)
#define TIMER_NOW (*(volatile uint32_t *)0x40000004)
#define TIMER_RELOAD (*(volatile uint32_t *)0x40000008)

// Good for 2^32 ticks, which are 171 thousand million instructions.
uint64_t board_instructions(void) {
    if (TIMER_CONTROL != TIMER_ON) {
        TIMER_RELOAD = TIMER_NOW = UINT32_MAX;
        TIMER_CONTROL = TIMER_ON;
    }
    return (uint64_t)(UINT32_MAX - TIMER_NOW) * NANOSECONDS_PER_TICK;
}

void board_finish(uint32_t code) {
    const uint32_t block[2] = {APPLICATION_EXIT, code};
    for (;;) semihosting(SYS_EXIT_EXTENDED, block);
}
