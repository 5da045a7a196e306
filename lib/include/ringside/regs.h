// SPDX-License-Identifier: Apache-2.0
// The core's registers, 32 bits each; docs/registers.md.
// Made from hw/core/regs.rdl by scripts/generate.py: do not edit.
#ifndef RINGSIDE_REGS_H
#define RINGSIDE_REGS_H

#ifdef __cplusplus
extern "C" {
#endif

// Byte offsets; of arrays that of the first word.
typedef enum rs_reg {
    RS_REG_ID = 0x000, // Magic number, "RSRC".
    RS_REG_VERSION = 0x004, // Version of registers and instructions.
    RS_REG_LANES = 0x008, // Lanes: butterflies per cycle.
    RS_REG_WORD_BITS = 0x00c, // W, the bits of a residue.
    RS_REG_REDUCTION = 0x010, // How products are reduced: 1, by word-level Montgomery; there is no other way.
    RS_REG_LOG_N_MIN = 0x014, // Smallest log2 N.
    RS_REG_LOG_N_MAX = 0x018, // Largest log2 N.
    RS_REG_GROUPS = 0x01c, // Groups: polynomials on chip.
    RS_REG_CONTEXTS = 0x020, // Contexts: moduli on chip.
    RS_REG_SLOTS = 0x024, // Slots: small polynomials on chip.
    RS_REG_BUS_BITS = 0x028, // Bits of the memory bus.
    RS_REG_FEATURES = 0x02c, // Optional parts that are built.
    RS_REG_PROGRAM_DEPTH = 0x030, // Largest number of instructions of a program.
    RS_REG_KECCAK_CORES = 0x034, // Keccak cores of the sampler.
    RS_REG_BUSY_PIPE = 0x038, // As BUSY, of PIPE; 0 if it is not built.
    RS_REG_CONTROL =
        0x040, // Commands are bits that act when 1 is written, and read as 0. irq_enable is kept, so every write says what it is to be: whoever writes a command beside another who changes irq_enable has to take turns with him.
    RS_REG_STATUS = 0x044, // The state of the core, and how the last program ended.
    RS_REG_LOG_N = 0x048, // log2 N of the program.
    RS_REG_WATCHDOG = 0x04c, // Cycles after which a program ends with cause WATCHDOG; 0 means 2^32 - 1.
    RS_REG_CYCLES = 0x050, // Cycles of the running program, or of the last one.
    RS_REG_PROGRAM_INDEX =
        0x054, // Index at which the next instruction is written; from 32768 on a lane of a key, of a sealed core.
    RS_REG_PROGRAM_LO =
        0x058, // Low half of the next instruction. Of a sealed core it reads as 0 while PROGRAM_INDEX is that of a lane; it is cleared when a lane is stored, when that index is written anew, and by zeroize. With SecureWrites it reads as 0 for a non-secure read.
    RS_REG_PROGRAM_HI =
        0x05c, // High half; a write stores the instruction at PROGRAM_INDEX and increments that index; while busy it is ignored, of a sealed core also while zeroizing or bus_hung. Reads, and is cleared, as PROGRAM_LO.
    RS_REG_BUSY = 0x060, // Cycles in which each unit ran an instruction, in the order of rs_unit_t; that of PIPE is BUSY_PIPE.
    RS_REG_BUSY_COUNT = 6, // words
    RS_REG_KEY_USE = 0x078, // What may be done with keys. A bit that is set stays set until reset; also while busy.
    RS_REG_FRAME = 0x07c, // The frame whose SEED, PUBLIC_SEED and pointer 7 are written; 0 where neither encode nor PIPE is built.
    RS_REG_POINTER = 0x080, // Pointer i: low half in word 2 i, high half in word 2 i + 1; a multiple of 64. If unset: ALIGN.
    RS_REG_POINTER_COUNT = 32, // words
    RS_REG_SEED =
        0x100, // Private seed, little-endian; held also while zeroizing or bus_hung. All sixteen words, written in order, let its errors mask anew; a word out of order, of another frame or after zeroize begins that order anew.
    RS_REG_SEED_COUNT = 16, // words
    RS_REG_PUBLIC_SEED = 0x140, // Public seed, little-endian; held also while zeroizing or bus_hung.
    RS_REG_PUBLIC_SEED_COUNT = 16, // words
    RS_REG_RING_BASE_LO = 0x400, // Low half of the address of descriptor 0, a multiple of 64.
    RS_REG_RING_BASE_HI = 0x404, // High half.
    RS_REG_RING_SIZE = 0x408, // log2 of the descriptors in the ring, at most 15.
    RS_REG_RING_TAIL =
        0x40c, // Descriptors that were written so far, modulo 2^16: a write makes the core run those that it has not run.
    RS_REG_RING_HEAD = 0x410, // Descriptors that were run so far, modulo 2^16.
    RS_REG_RING_CONTROL = 0x414, // State of the ring.
} rs_reg_t;

// Fields: lowest bit and width.
typedef enum rs_reg_field {
    RS_REG_FEATURES_SAMPLER_SHIFT = 0, // SAMPLE, LIFT and ROUND
    RS_REG_FEATURES_SAMPLER_BITS = 1,
    RS_REG_FEATURES_EXPAND_SHIFT = 1, // EXPAND
    RS_REG_FEATURES_EXPAND_BITS = 1,
    RS_REG_FEATURES_ON_THE_FLY_SHIFT = 2, // twiddles are computed from seeds, not stored
    RS_REG_FEATURES_ON_THE_FLY_BITS = 1,
    RS_REG_FEATURES_REDUCE_SHIFT = 3, // STREAM reduces signed words
    RS_REG_FEATURES_REDUCE_BITS = 1,
    RS_REG_FEATURES_STREAM_FACTOR_SHIFT = 4, // MSUBS: a STREAM can be a factor
    RS_REG_FEATURES_STREAM_FACTOR_BITS = 1,
    RS_REG_FEATURES_FIXED_POINT_SHIFT = 5, // encode and decode in fixed point
    RS_REG_FEATURES_FIXED_POINT_BITS = 1,
    RS_REG_FEATURES_PIPE_SHIFT = 6, // the unit PIPE
    RS_REG_FEATURES_PIPE_BITS = 1,
    RS_REG_FEATURES_STREAM_LANES_SHIFT =
        8, // PIPE: words per cycle of each polynomial; 0: not built; 128: instead of PIPE the units SPONGE and PACK are built, hashes and packed fields; else 64 is added: LOAD and STORE of half a polynomial, LOAD of words of 16 bits, and 32: a ring of descriptors
    RS_REG_FEATURES_STREAM_LANES_BITS = 8,
    RS_REG_FEATURES_LOG_SLICES_SHIFT = 16, // log2 of the slices that an operand has at most; 0: there are none
    RS_REG_FEATURES_LOG_SLICES_BITS = 3,
    RS_REG_CONTROL_START_SHIFT = 0, // run the program; while busy, zeroizing or bus_hung it is ignored and sets STATUS.error
    RS_REG_CONTROL_START_BITS = 1,
    RS_REG_CONTROL_ABORT_SHIFT = 1, // end the program with cause ABORTED; nothing if none runs
    RS_REG_CONTROL_ABORT_BITS = 1,
    RS_REG_CONTROL_ZEROIZE_SHIFT =
        2, // wipe SEED, PUBLIC_SEED, all memories that can hold secrets, and registers of data; this aborts a program and disables the ring
    RS_REG_CONTROL_ZEROIZE_BITS = 1,
    RS_REG_CONTROL_CLEAR_IRQ_SHIFT = 3, // clear STATUS.irq and STATUS.error
    RS_REG_CONTROL_CLEAR_IRQ_BITS = 1,
    RS_REG_CONTROL_BUS_RESET_SHIFT = 4, // while bus_hung: forget the transfers, only with a reset of the interconnect; else nothing
    RS_REG_CONTROL_BUS_RESET_BITS = 1,
    RS_REG_CONTROL_IRQ_ENABLE_SHIFT = 8, // interrupt when a program ends
    RS_REG_CONTROL_IRQ_ENABLE_BITS = 1,
    RS_REG_STATUS_BUSY_SHIFT = 0, // a program runs
    RS_REG_STATUS_BUSY_BITS = 1,
    RS_REG_STATUS_DONE_SHIFT = 1, // the last program that was started has ended
    RS_REG_STATUS_DONE_BITS = 1,
    RS_REG_STATUS_ZEROIZING_SHIFT = 2, // memories and registers are being wiped, for which a program has to end first
    RS_REG_STATUS_ZEROIZING_BITS = 1,
    RS_REG_STATUS_IRQ_SHIFT = 3, // a program has ended since the last clear_irq
    RS_REG_STATUS_IRQ_BITS = 1,
    RS_REG_STATUS_ERROR_SHIFT = 4, // a start, or a write of the program or of a held register, was ignored
    RS_REG_STATUS_ERROR_BITS = 1,
    RS_REG_STATUS_BUS_HUNG_SHIFT = 5, // a transfer of a program that was ended waits for memory; all secrets are wiped
    RS_REG_STATUS_BUS_HUNG_BITS = 1,
    RS_REG_STATUS_ALERT_SHIFT =
        6, // a flip-flop has flipped: bit 0, the program was ended with cause ABORTED; bit 1, of a sealed core, everything is wiped too, and zeroizing stays 1, so nothing starts. Until reset; port alert_o
    RS_REG_STATUS_ALERT_BITS = 2,
    RS_REG_STATUS_CAUSE_SHIFT = 8, // why the program ended: rs_fault_t
    RS_REG_STATUS_CAUSE_BITS = 4,
    RS_REG_STATUS_PC_SHIFT = 16, // index of the instruction at which it ended
    RS_REG_STATUS_PC_BITS = 16,
    RS_REG_KEY_USE_NO_ENCRYPT_SHIFT = 0, // decrypt only: a product with a secret is not made public by an error
    RS_REG_KEY_USE_NO_ENCRYPT_BITS = 1,
    RS_REG_KEY_USE_NO_DECRYPT_SHIFT = 1, // encrypt only: a product with a loaded secret is not made public by adding what is public
    RS_REG_KEY_USE_NO_DECRYPT_BITS = 1,
    RS_REG_RING_CONTROL_ENABLE_SHIFT =
        0, // descriptors are taken; when it is set, head and tail become 0; when it is cleared, the program that runs is the last one
    RS_REG_RING_CONTROL_ENABLE_BITS = 1,
    RS_REG_RING_CONTROL_IRQ_ENABLE_SHIFT =
        1, // an interrupt when head reaches tail, or at an error, in place of one after each program
    RS_REG_RING_CONTROL_IRQ_ENABLE_BITS = 1,
    RS_REG_RING_CONTROL_IRQ_SHIFT = 2, // head has reached tail, or an error
    RS_REG_RING_CONTROL_IRQ_BITS = 1,
    RS_REG_RING_CONTROL_ERROR_SHIFT =
        3, // a program did not end at END (STATUS.cause), a descriptor could not be read or has reserved bits, a wipe was commanded while one was under way, or the core took no start: nothing is taken until enable is cleared
    RS_REG_RING_CONTROL_ERROR_BITS = 1,
    RS_REG_RING_CONTROL_BUSY_SHIFT = 4, // a descriptor is being read or its program runs
    RS_REG_RING_CONTROL_BUSY_BITS = 1,
} rs_reg_field_t;

// Constants.
typedef enum rs_reg_value {
    RS_REG_ID_VALUE = 0x52535243, // what ID reads
    RS_REG_VERSION_VALUE = 2, // what VERSION reads
    RS_REG_REDUCTION_VALUE = 1, // what REDUCTION reads
} rs_reg_value_t;

#ifdef __cplusplus
}
#endif

#endif
