// SPDX-License-Identifier: Apache-2.0
// Rocket on the simulated board, and QEMU's "virt" machine: console, end, counters, interrupt.
#include "machine.h"

#include "job.h"

#define WORD(address) (*(volatile uint32_t *)(address))

#define BOARD_CONSOLE WORD(0x10001000ul)
#define BOARD_END WORD(0x10001004ul)
#define BOARD_RESETS WORD(0x10001010ul)
#define VIRT_UART (*(volatile uint8_t *)0x10000000ul)

// PLIC of both: priority of source 1, enable and claim of hart 0 in machine mode
#define PLIC_PRIORITY WORD(0x0c000004ul)
#define PLIC_ENABLE WORD(0x0c002000ul)
#define PLIC_THRESHOLD WORD(0x0c200000ul)
#define PLIC_CLAIM WORD(0x0c200004ul)
#define CAUSE_EXTERNAL (1ull << 63 | 11)
#define CAUSE_CALL 11

void machine_trap(uint64_t cause, uint64_t address);
void machine_rehearsal(void); // start.S: the instruction that machine_rehearse traps with
void machine_forget_stack(void); // start.S

#if __riscv_xlen == 32
static uint32_t cycles_high(void) {
    uint32_t high;
    __asm__ volatile("rdcycleh %0" : "=r"(high)::"memory");
    return high;
}

// Cycles only: nothing is measured on this machine.
instant_t machine_now(void) {
    uint32_t low;
    uint32_t high;
    do {
        high = cycles_high();
        __asm__ volatile("rdcycle %0" : "=r"(low)::"memory");
    } while (high != cycles_high());
    return (instant_t){(uint64_t)high << 32 | low, 0};
}
#endif

uint32_t machine_resets(void) { return BOARD_RESETS; }

void machine_print(const char *text) {
    for (; *text; text++) {
        if (IN_QEMU) {
            VIRT_UART = (uint8_t)*text;
        } else {
            BOARD_CONSOLE = (uint8_t)*text;
        }
    }
}

#if __riscv_xlen == 32
// There is no cache.
static void write_back(void) {}
#else
// The host looks at RAM when the simulation ends, not into the data cache, and Rocket has no instruction that writes the cache back. It has
// 64 sets of 4 lines of 64 bytes and replaces lines at random: after 96 misses in its set a line is still there with probability
// (3/4)^96 < 2^-39. These lines are behind the firmware, in the first 2 MiB.
static void write_back(void) {
    enum { LINE = 64, SETS = 64, MISSES = 96 };
    const volatile uint64_t *spare = (const volatile uint64_t *)0x80100000ul;
    for (unsigned i = 0; i < SETS * MISSES; i++) (void)spare[i * LINE / sizeof *spare];
}
#endif

void machine_end(uint32_t code) {
    static uint32_t why; // not on the stack
    why = code;
    if (why) machine_forget_stack(); // what was broken off has not wiped its own
    if (IN_QEMU) {
        machine_print(why ? "failed\n" : "ready\n");
    } else {
        write_back();
        BOARD_END = why;
    }
    for (;;) {
    }
}

#if __riscv_xlen == 32
// This machine polls, and stops at a trap.
void machine_enable_interrupt(void) {}
#else
void machine_enable_interrupt(void) {
    PLIC_PRIORITY = 1;
    PLIC_ENABLE = 1u << 1;
    PLIC_THRESHOLD = 0;
    __asm__ volatile("csrs mie, %0\n\tcsrsi mstatus, 8" ::"r"(1 << 11) : "memory");
}

static void print_hex(uint64_t value) {
    char text[17] = {0};
    for (int i = 0; i < 16; i++) text[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
    machine_print(text);
}

// Not beside what runs at an interrupt.
__attribute__((noinline, cold)) static void fail(uint64_t cause, uint64_t address) {
    machine_print("trap ");
    print_hex(cause);
    machine_print(" at ");
    print_hex(address);
    machine_print("\n");
    static int again;
    if (!again++) machine_trapped();
    machine_end(END_TRAP);
}

// From start.S. The line is a level: it has to fall before the claim is given back, or the interrupt comes again. The core's register and the
// PLIC are asked at the same time; the fence waits for both. A rehearsal goes on behind its instruction, which has four bytes.
AT_INTERRUPT void machine_trap(uint64_t cause, uint64_t address) {
    const int comes = cause == CAUSE_EXTERNAL;
    if (!comes && (cause != CAUSE_CALL || address != (uintptr_t)machine_rehearsal)) fail(cause, address);
    machine_interrupt(comes);
    if (!comes) {
        __asm__ volatile("csrw mepc, %0" ::"r"(address + 4));
        return;
    }
    const uint32_t source = PLIC_CLAIM;
    __asm__ volatile("fence iorw, iorw" ::: "memory");
    PLIC_CLAIM = source;
}
#endif
