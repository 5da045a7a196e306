// SPDX-License-Identifier: Apache-2.0
// The two machines that the firmware runs on, one after the other: QEMU's "virt" and the SoC (soc/README.md has the map).
#ifndef RINGSIDE_SOC_MACHINE_H
#define RINGSIDE_SOC_MACHINE_H

#include <stdint.h>

#define CORE_ADDRESS 0x40000000ul
#define RAM_ADDRESS 0x80000000ul

// What runs at an interrupt, side by side: each line of 64 bytes that is not in the cache costs about 55 cycles.
#define AT_INTERRUPT __attribute__((section(".text.interrupt")))

enum { END_OK = 0, END_FAILED = 1, END_TRAP = 2 };

typedef struct instant {
    uint64_t cycles;
    uint64_t instructions;
} instant_t;

// Since power came: 1 is the first.
uint32_t machine_resets(void);
#if __riscv_xlen == 32
instant_t machine_now(void);
#else
static inline instant_t machine_now(void) {
    instant_t now;
    __asm__ volatile("csrr %0, minstret\n\tcsrr %1, mcycle" : "=r"(now.instructions), "=r"(now.cycles)::"memory");
    return now;
}
#endif
void machine_print(const char *text);
// Ends the simulation; if something has failed, the stack is wiped. QEMU has to be stopped from outside: it prints that it is ready.
__attribute__((noreturn)) void machine_end(uint32_t code);
// The core's interrupt from now on: machine_interrupt is called, which has to clear its cause.
void machine_enable_interrupt(void);
// comes: 0 in a rehearsal, which changes nothing.
void machine_interrupt(int comes);
// Goes the interrupt's way without an interrupt, so that its instructions and its frame are in the caches when it comes.
void machine_rehearse(void);
// After a trap that nobody asked for.
void machine_trapped(void);

#endif
