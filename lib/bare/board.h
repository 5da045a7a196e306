// SPDX-License-Identifier: Apache-2.0
// What a bare machine brings: text and an end. Its start-up code clears .bss, sets the stack and calls board_main.
#ifndef RINGSIDE_BARE_BOARD_H
#define RINGSIDE_BARE_BOARD_H

#include <ringside/base.h>

// Exit codes of QEMU: 0, or one of these.
enum { EXIT_SELFTEST = 1, EXIT_TRACE = 2, EXIT_TRAP = 3 };

void board_print(const char *text);
void board_print_number(const char *name, size_t number);
__attribute__((noreturn)) void board_finish(uint32_t code);
// What start-up code calls when the processor reports a fault.
__attribute__((noreturn)) void board_trap(uintptr_t cause, uintptr_t address);
// Bytes of stack that were in use at most, since the start or since they were forgotten.
size_t board_stack_used(void);
void board_stack_forget(void);

// Instructions since the machine started, or since the first call, if QEMU counts them (-icount shift=0).
uint64_t board_instructions(void);

static inline void check(rs_status_t status) {
    if (status == RS_OK) return;
    board_print(rs_status_name(status));
    board_print("\n");
    board_finish(EXIT_TRACE);
}

// Prints the instructions between both.
static uint64_t board_began;

static inline void begin(void) { board_began = board_instructions(); }

static inline void end(const char *what) { board_print_number(what, (size_t)(board_instructions() - board_began)); }

// The program: firmware.c, footprint.c, encode_cost.c or classic_cost.c.
void board_main(void);

#endif
