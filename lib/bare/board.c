// SPDX-License-Identifier: Apache-2.0
// What every bare machine does in the same way. The linker script brings stack_bottom and stack_top; start-up code has filled what lies
// between with the byte 0xa5.
#include "board.h"

extern uint8_t stack_bottom[], stack_top[];

static void print_hex(uintptr_t x) {
    for (int shift = (int)(8 * sizeof x) - 4; shift >= 0; shift -= 4) {
        const char digit[2] = {"0123456789abcdef"[x >> shift & 15], 0};
        board_print(digit);
    }
}

void board_print_number(const char *name, size_t number) {
    char digits[24];
    char *first = digits + sizeof digits - 1;
    *first = 0;
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    board_print(name);
    board_print(" ");
    board_print(first);
    board_print("\n");
}

void board_trap(uintptr_t cause, uintptr_t address) {
    board_print("trap ");
    print_hex(cause);
    board_print(" at ");
    print_hex(address);
    board_print("\n");
    board_finish(EXIT_TRAP);
}

size_t board_stack_used(void) {
    uintptr_t at = (uintptr_t)stack_bottom;
    while (at < (uintptr_t)stack_top && *(const volatile uint8_t *)at == 0xa5) at++;
    return (uintptr_t)stack_top - at;
}

void board_stack_forget(void) {
    const uint8_t here = 0;
    const uintptr_t end = (uintptr_t)&here - 64; // more than this function has below
    for (uintptr_t at = (uintptr_t)stack_bottom; at < end; at++) *(volatile uint8_t *)at = 0xa5;
}
