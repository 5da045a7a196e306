# SPDX-License-Identifier: Apache-2.0
# Start-up on one RISC-V core in machine mode, 32 or 64 bits: floating point on if there is any, .bss cleared, stack filled and set, then
# board_main. Any trap ends the run through board_trap. Nothing is copied: the image is loaded where it runs.

#if __riscv_xlen == 32 // G contains it
    .option arch, +zicsr
#endif
    .section .text.start, "ax"
    .globl _start
_start:
    csrr t0, mhartid
    bnez t0, park                 # one core is enough
    la t0, trap
    csrw mtvec, t0
#ifdef __riscv_flen
    li t0, 0x2000                 # mstatus.FS = initial
    csrs mstatus, t0
    fscsr zero                    # round to nearest even, no flags
#endif
#ifdef __riscv_vector
    li t0, 0x200                  # mstatus.VS = initial
    csrs mstatus, t0
#endif
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la t0, bss_start              # .bss and stack are multiples of 4 bytes
    la t1, bss_end
1:  bgeu t0, t1, 2f
    sw zero, 0(t0)
    addi t0, t0, 4
    j 1b
2:  la t0, stack_bottom
    la sp, stack_top
    li t1, 0xa5a5a5a5
3:  bgeu t0, sp, 4f
    sw t1, 0(t0)
    addi t0, t0, 4
    j 3b
4:  call board_main
park:
    wfi
    j park

    .balign 4
trap:
    la sp, stack_top
    csrr a0, mcause
    csrr a1, mepc
    call board_trap
    j park
