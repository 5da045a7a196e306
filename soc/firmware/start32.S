# SPDX-License-Identifier: Apache-2.0
# Start-up of a processor without control registers (PicoRV32): .bss cleared, stack set, then firmware_main.

    .section .entry, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, stack_top
    la t0, bss_start
    la t1, bss_end
1:  bgeu t0, t1, 2f
    sw zero, 0(t0)
    addi t0, t0, 4
    j 1b
2:  call firmware_main
3:  j 3b

# Zeros over the stack, this call's frame and those below it. The caller must not return.
    .text
    .globl machine_forget_stack
machine_forget_stack:
    la t0, stack_bottom
    la t1, stack_top
1:  sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, 1b
    ret
