// SPDX-License-Identifier: Apache-2.0
// The core's instruction set; docs/core.md explains it.
// Made from hw/sequencer/isa.toml by scripts/generate.py: do not edit.
#ifndef RINGSIDE_ISA_H
#define RINGSIDE_ISA_H

#ifdef __cplusplus
extern "C" {
#endif

// Operations; docs/instructions.md says which fields they use.
typedef enum rs_op {
    RS_OP_END = 0, // waits for all units, then ends the program
    RS_OP_LOAD = 1, // dst = memory[base + imm]; each residue must be below q of ctx, which is checked of public ones alone
    RS_OP_STORE = 2, // memory[base + imm] = a
    RS_OP_CONTEXT = 3, // context dst = memory[base + imm]
    RS_OP_STREAM =
        4, // memory[base + imm] -> the LIFT that adds, or with secret the MSUBS; each residue must be below q of ctx, or with alt (and wide) be any signed 64-bit word
    RS_OP_NTT = 5, // dst = NTT(dst)
    RS_OP_INTT = 6, // dst = INTT(dst), or one of its three parts, in turn
    RS_OP_MUL = 7, // dst = a b
    RS_OP_MAC = 8, // dst = dst + a b
    RS_OP_MSUB = 9, // dst = dst - a b
    RS_OP_ADD = 10, // dst = dst + a
    RS_OP_SUB = 11, // dst = dst - a
    RS_OP_SCALE = 12, // dst = a constant; a may be any W-bit word
    RS_OP_MSUBC = 13, // dst = dst - a constant; a may be any W-bit word
    RS_OP_SAMPLE = 14, // slot dst = CBD or ternary of (private seed, domain)
    RS_OP_LIFT = 15, // dst = slot a [times factor] [+ STREAM]
    RS_OP_ROUND = 16, // slot dst = 1 where a + slot dst + floor(q/2) >= q, else 0
    RS_OP_EXPAND = 17, // dst = next limb of the uniform polynomial of the public seed, NTT form
    RS_OP_MSUBS = 18, // dst = dst - a STREAM, all in NTT form; the STREAM counts as secret
    RS_OP_IFFT = 19, // points in dst -> words of coefficients: rs_fixed_inverse
    RS_OP_FFT = 20, // words of coefficients in dst -> points: rs_fixed_forward
    RS_OP_CENTRE =
        21, // words dst = centred residues a, or with alt residues as they are, times 2^imm: rs_fixed_scale without a factor; dst is not a
    RS_OP_LIFTW = 22, // dst = slot a + words b times 2^imm: rs_lift_fixed; their magnitudes are below q; dst is not b
    RS_OP_LOADS = 23, // points dst = slots in memory[base]: rs_fixed_load
    RS_OP_STORES = 24, // slots in memory[base] = points a: rs_fixed_store
    RS_OP_ROOTS = 25, // context dst = the roots of fixed point in memory[base + imm]
    RS_OP_PIPEKEY = 26, // the key image of the following PIPE and PIPED is at memory[base + imm]
    RS_OP_PIPE =
        27, // ciphertext behind memory[pointer 7 of the frame] = the message there, encrypted with slots dst (u), dst + 1, dst + 2 (bits of ROUND) and groups a, b (ROUND's) for all limbs of the key image
    RS_OP_PIPED = 28, // as PIPE, without special prime: slots dst + 1 and dst + 2 are the errors
    RS_OP_DRAIN = 29, // waits until all results of PIPE and PIPED are in memory
    RS_OP_CONSTANTS = 30, // constants of context dst = 64 bytes of memory[base + imm]: no twiddles; no error is lifted to it
    RS_OP_TWIDDLES =
        31, // twiddles of context dst, which has constants, = memory[base + imm]: all, or those of a part of INTT; no error is lifted to it
    RS_OP_SCALEW = 32, // words dst = words a times the constant of ctx and 2^-W: rs_fixed_times
    RS_OP_MACW = 33, // words dst = dst + words a times the factor of ctx and 2^-W: rs_fixed_times and a sum
    RS_OP_COUNT = 34,
} rs_op_t;

// Units, in the order of the registers BUSY.
typedef enum rs_unit {
    RS_UNIT_LOAD = 0,
    RS_UNIT_STORE = 1,
    RS_UNIT_COMPUTE = 2,
    RS_UNIT_SAMPLE = 3,
    RS_UNIT_LIFT = 4,
    RS_UNIT_EXPAND = 5,
    RS_UNIT_PIPE = 6,
    RS_UNIT_COUNT = 7,
} rs_unit_t;

// Why a program ended: STATUS.cause.
typedef enum rs_fault {
    RS_FAULT_NONE = 0, // the program ended at END
    RS_FAULT_ILLEGAL =
        1, // unknown operation, an unused bit or field is set, EXPAND before one with alt, dst is the group of words that LIFTW or CENTRE reads, numbers that there cannot be, or END after PIPE or PIPED without DRAIN
    RS_FAULT_RANGE = 2, // group, slot, context or unit that is not built
    RS_FAULT_ALIGN = 3, // pointer or offset not a multiple of 64, or pointer not set since reset
    RS_FAULT_LOG_N = 4, // LOG_N outside the range that is built
    RS_FAULT_EMPTY = 5, // reads a group, slot or context that nothing has written, or a group between the parts of an INTT
    RS_FAULT_SECRET =
        6, // STORE of anything but public (a secret that no fresh error masks, or what KEY_USE forbids), or an operation that tells whether words fit, of anything but public words and messages
    RS_FAULT_BUS_READ = 7, // memory answered a read with an error
    RS_FAULT_BUS_WRITE = 8, // memory answered a write with an error
    RS_FAULT_RESIDUE = 9, // loaded residue not below q; not told of secrets and errors
    RS_FAULT_CONTEXT =
        10, // modulus that the multipliers cannot use; ROOTS: not 1; a context that is not of the kind that the operation needs, or has not its twiddles
    RS_FAULT_WATCHDOG = 11, // more cycles than register WATCHDOG allows
    RS_FAULT_PROGRAM = 12, // ran without END past the end of program memory, or of the part that was written
    RS_FAULT_ABORTED = 13, // ended by CONTROL.abort
    RS_FAULT_WIDE = 14, // wide is missing where W > 32
    RS_FAULT_VALUE =
        15, // a number that a fixed-point word, the modulus or the format in memory does not hold; told of public words and messages alone
    RS_FAULT_COUNT = 16,
} rs_fault_t;

// Frames of a program, at most; bits 31:28 of imm.
typedef enum rs_isa_frame {
    RS_FRAMES_MAX = 16, // of a core with the unit PIPE
    RS_FRAMES_ENCODE = 8, // of another one that encodes
    RS_FRAME_SHIFT = 28, // in imm
} rs_isa_frame_t;

// Slots of a core, at most.
typedef enum rs_isa_slot {
    RS_SLOTS_MAX = 6,
} rs_isa_slot_t;

// Fields of a 64-bit word: lowest bit and width. All other bits are zero.
typedef enum rs_isa {
    RS_ISA_OP_SHIFT = 0, // operation
    RS_ISA_OP_BITS = 6,
    RS_ISA_DST_SHIFT = 8, // group, slot or context that is written; PIPE, PIPED: first of three slots that are read
    RS_ISA_DST_BITS = 4,
    RS_ISA_A_SHIFT = 12, // operand: group, or slot for LIFT
    RS_ISA_A_BITS = 4,
    RS_ISA_B_SHIFT = 16, // operand: group
    RS_ISA_B_BITS = 4,
    RS_ISA_CTX_SHIFT = 20, // context: the modulus
    RS_ISA_CTX_BITS = 2,
    RS_ISA_PART_SHIFT =
        22, // INTT: only its first stage (1), second stage (2), all others (3); TWIDDLES: only those of these stages; 0: all
    RS_ISA_PART_BITS = 2,
    RS_ISA_BASE_SHIFT = 24, // memory: number of the pointer register
    RS_ISA_BASE_BITS = 3,
    RS_ISA_WIDE_SHIFT = 27, // memory: 8 bytes per residue
    RS_ISA_WIDE_BITS = 1,
    RS_ISA_NTT_SHIFT = 28, // memory: NTT form
    RS_ISA_NTT_BITS = 1,
    RS_ISA_SECRET_SHIFT = 29, // LOAD: the loaded data are secret; STREAM: for the MSUBS, which takes it for a secret
    RS_ISA_SECRET_BITS = 1,
    RS_ISA_ADD_SHIFT =
        30, // LIFT: add the residues of a STREAM; CONTEXT: errors of odd frames are lifted to it, not those of even ones
    RS_ISA_ADD_BITS = 1,
    RS_ISA_ALT_SHIFT =
        31, // SAMPLE: ternary instead of CBD; STREAM: signed words; LIFT: times the context's factor; CENTRE: residues stay as they are; EXPAND: first limb; CONTEXT: no error is lifted to it; LOAD: an error (core without slots)
    RS_ISA_ALT_BITS = 1,
    RS_ISA_IMM_SHIFT =
        32, // memory: byte offset; SAMPLE: domain; EXPAND: number of limbs of the expansion; LIFTW, CENTRE: shift; LOADS, STORES: the numbers; PIPE, PIPED: number of limbs - 1; SAMPLE, EXPAND, LOADS, STORES, PIPE, PIPED: the frame, in bits 31:28
    RS_ISA_IMM_BITS = 32,
} rs_isa_t;

#ifdef __cplusplus
}
#endif

#endif
