// SPDX-License-Identifier: Apache-2.0
// The self-test and the trace on bare metal: QEMU's "virt" machine, 16550 UART for text, SiFive test finisher for the exit code.
#include <ringside/ckks.h>

#include "trace.h"

enum { FINISH_PASS = 0x5555, FINISH_FAIL = 0x3333 };

// Exit codes of QEMU: 0, or one of these.
enum { EXIT_SELFTEST = 1, EXIT_TRACE = 2, EXIT_TRAP = 3 };

#define UART_DATA (*(volatile uint8_t *)0x10000000)
#define UART_STATUS (*(volatile uint8_t *)0x10000005)
#define UART_STATUS_IDLE 0x20
#define FINISHER (*(volatile uint32_t *)0x100000)

static uint64_t memory[TRACE_MEMORY_BYTES / sizeof(uint64_t)];

static void print(const char *text) {
    for (; *text; text++) {
        while (!(UART_STATUS & UART_STATUS_IDLE)) {
        }
        UART_DATA = (uint8_t)*text;
    }
}

static void print_hex(uint64_t x) {
    for (int shift = 60; shift >= 0; shift -= 4) {
        const char digit[2] = {"0123456789abcdef"[x >> shift & 15], 0};
        print(digit);
    }
}

__attribute__((noreturn)) static void finish(uint32_t code) {
    FINISHER = code ? code << 16 | FINISH_FAIL : FINISH_PASS;
    for (;;) {
    }
}

void firmware_trap(uint64_t cause, uint64_t address);
void firmware_trap(uint64_t cause, uint64_t address) {
    print("trap ");
    print_hex(cause);
    print(" at ");
    print_hex(address);
    print("\n");
    finish(EXIT_TRAP);
}

static void print_status(const char *what, rs_status_t status) {
    print(what);
    print(" ");
    print(rs_status_name(status));
    print("\n");
}

void firmware_main(void);
void firmware_main(void) {
    rs_status_t status = rs_selftest_size() <= sizeof memory ? rs_selftest(memory, sizeof memory) : RS_ERR_MEMORY;
    print_status("selftest", status);
    if (status != RS_OK) finish(EXIT_SELFTEST);
    status = trace_run(print, memory);
    print_status("trace", status);
    finish(status == RS_OK ? 0 : EXIT_TRACE);
}
