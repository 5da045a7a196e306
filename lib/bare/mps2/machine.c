// SPDX-License-Identifier: Apache-2.0
// Arm's MPS2 board as QEMU has it, Cortex-M: vectors, start-up, and semihosting for text and exit code. Nothing is copied: QEMU loads the
// image where it runs.
#include "../board.h"

extern uint32_t bss_start[], bss_end[], stack_bottom[], stack_top[];

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

static uintptr_t semihosting(uint32_t operation, const void *argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void board_print(const char *text) {
    semihosting(SYS_WRITE0, text);
}

void board_finish(uint32_t code) {
    const uint32_t block[2] = {APPLICATION_EXIT, code};
    for (;;) semihosting(SYS_EXIT_EXTENDED, block);
}

// .bss, then the program.
__attribute__((noreturn)) void start(void);
void start(void) {
    for (volatile uint32_t *p = bss_start; p < bss_end; p++) *p = 0;
    board_main();
    board_finish(EXIT_TRAP);
}

__attribute__((naked, noreturn)) void reset(void);
void reset(void) {
    __asm__ volatile("ldr r0, =stack_bottom\n"
                     "ldr r1, =stack_top\n"
                     "ldr r2, =0xa5a5a5a5\n"
                     "1: cmp r0, r1\n"
                     "bhs 2f\n"
                     "str r2, [r0], #4\n"
                     "b 1b\n"
                     "2: mov sp, r1\n"
                     "b start\n");
}

static void fault(void) {
    const uintptr_t status = *(volatile uint32_t *)0xe000ed28; // CFSR: why
    board_trap(status, *(volatile uint32_t *)0xe000ed38); // BFAR: where, if the status says so
}

typedef void (*vector_t)(void);
enum { VECTORS = 16 };
__attribute__((section(".vectors"), used)) static const vector_t VECTOR[VECTORS] = {
    (vector_t)(uintptr_t)stack_top, reset, fault, fault, fault, fault, fault, fault,
    fault,                          fault, fault, fault, fault, fault, fault, fault,
};
