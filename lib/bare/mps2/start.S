@ SPDX-License-Identifier: Apache-2.0
@ Start-up on a Cortex-M: vectors; stack filled, .bss cleared, then board_main. Any fault ends the run through board_trap. Nothing is
@ copied: QEMU loads the image where it runs.

    .syntax unified
    .thumb

    .section .vectors, "a"
    .word stack_top
    .word reset
    .rept 14
    .word fault
    .endr

    .text
    .globl reset
    .thumb_func
reset:
    ldr r0, =stack_bottom         @ .bss and stack are multiples of 4 bytes
    ldr r1, =stack_top
    ldr r2, =0xa5a5a5a5
1:  cmp r0, r1
    bhs 2f
    str r2, [r0], #4
    b 1b
2:  ldr r0, =bss_start
    ldr r1, =bss_end
    movs r2, #0
3:  cmp r0, r1
    bhs 4f
    str r2, [r0], #4
    b 3b
4:  bl board_main

    .thumb_func
fault:
    ldr r0, =0xe000ed28           @ CFSR: why
    ldr r1, =0xe000ed38           @ BFAR: where, if CFSR says so
    ldr r0, [r0]
    ldr r1, [r1]
    bl board_trap

@ uint32_t semihosting(uint32_t operation, const void *argument): a request to the debugger, which QEMU is.
    .globl semihosting
    .thumb_func
semihosting:
    bkpt 0xab
    bx lr
