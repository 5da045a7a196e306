// SPDX-License-Identifier: Apache-2.0
// Arm's MPS2 board as QEMU has it: semihosting for text and exit code.
#include "../board.h"

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

uint32_t semihosting(uint32_t operation, const void *argument); // start.S

void board_print(const char *text) { semihosting(SYS_WRITE0, text); }

// The processor's timer counts down at 25 MHz; under -icount shift=0 an instruction takes a nanosecond. To be called at least every 2^24 ticks.
enum { NANOSECONDS_PER_TICK = 40, TIMER_LAST = 0xffffff, TIMER_ON = 5 };

#define TIMER_CONTROL (*(volatile uint32_t *)0xe000e010)
#define TIMER_RELOAD (*(volatile uint32_t *)0xe000e014)
#define TIMER_NOW (*(volatile uint32_t *)0xe000e018)

uint64_t board_instructions(void) {
    static uint64_t ticks;
    static uint32_t before;
    if (TIMER_CONTROL != TIMER_ON) {
        TIMER_RELOAD = TIMER_LAST;
        TIMER_NOW = 0;
        TIMER_CONTROL = TIMER_ON;
        before = TIMER_NOW;
    }
    const uint32_t now = TIMER_NOW;
    ticks += (before - now) & TIMER_LAST;
    before = now;
    return ticks * NANOSECONDS_PER_TICK;
}

void board_finish(uint32_t code) {
    const uint32_t block[2] = {APPLICATION_EXIT, code};
    for (;;) semihosting(SYS_EXIT_EXTENDED, block);
}
