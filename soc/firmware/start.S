# SPDX-License-Identifier: Apache-2.0
# Start-up of one RV64GC hart in machine mode: floating point on, .bss cleared, stack set, then firmware_main. The memory image is loaded where
# it runs. What has to survive from QEMU to the SoC is in the job (job.h), not here.

    .option arch, +zicsr
    .section .entry, "ax"
    .globl _start
_start:
    csrr t0, mhartid
    bnez t0, park
    la t0, trap_entry
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

# Registers that a C function may change. No floating point in the handler.
    .section .text.interrupt, "ax"
    .balign 64
trap_entry:
    addi sp, sp, -128
    sd ra, 0(sp)
    sd t0, 8(sp)
    sd t1, 16(sp)
    sd t2, 24(sp)
    sd t3, 32(sp)
    sd t4, 40(sp)
    sd t5, 48(sp)
    sd t6, 56(sp)
    sd a0, 64(sp)
    sd a1, 72(sp)
    sd a2, 80(sp)
    sd a3, 88(sp)
    sd a4, 96(sp)
    sd a5, 104(sp)
    sd a6, 112(sp)
    sd a7, 120(sp)
    csrr a0, mcause
    csrr a1, mepc
    call machine_trap
    ld ra, 0(sp)
    ld t0, 8(sp)
    ld t1, 16(sp)
    ld t2, 24(sp)
    ld t3, 32(sp)
    ld t4, 40(sp)
    ld t5, 48(sp)
    ld t6, 56(sp)
    ld a0, 64(sp)
    ld a1, 72(sp)
    ld a2, 80(sp)
    ld a3, 88(sp)
    ld a4, 96(sp)
    ld a5, 104(sp)
    ld a6, 112(sp)
    ld a7, 120(sp)
    addi sp, sp, 128
    mret

    .globl machine_rehearse
    .globl machine_rehearsal
machine_rehearse:
machine_rehearsal:
    ecall
    ret

# Zeros over the stack, this call's frame and those below it. The caller must not return.
    .text
    .globl machine_forget_stack
machine_forget_stack:
    la t0, stack_bottom
    la t1, stack_top
1:  sd zero, 0(t0)
    addi t0, t0, 8
    bltu t0, t1, 1b
    ret
