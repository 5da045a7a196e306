# SPDX-License-Identifier: Apache-2.0
# Start-up on one RV64GC core in machine mode: floating point on, .bss cleared, stack set, then firmware_main.
# Any trap ends the run through firmware_trap. Nothing is copied: the image is loaded where it runs.

    .section .text.start, "ax"
    .globl _start
_start:
    csrr t0, mhartid
    bnez t0, park                 # one core is enough
    la t0, trap
    csrw mtvec, t0
    li t0, 0x2000                 # mstatus.FS = initial
    csrs mstatus, t0
    fscsr zero                    # round to nearest even, no flags
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, stack_top
    la t0, bss_start
    la t1, bss_end
1:  bgeu t0, t1, 2f
    sd zero, 0(t0)
    addi t0, t0, 8
    j 1b
2:  call firmware_main
park:
    wfi
    j park

    .balign 4
trap:
    la sp, stack_top
    csrr a0, mcause
    csrr a1, mepc
    call firmware_trap
    j park
