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
    RS_OP_LOAD = 1, // dst = memory[pointer + offset]; each residue must be below q of ctx, which is checked of public ones alone
    RS_OP_STORE = 2, // memory[pointer + offset] = a
    RS_OP_CONTEXT = 3, // context dst = memory[pointer + offset]
    RS_OP_STREAM =
        4, // memory[pointer + offset] -> the LIFT or LIFTON that adds, or with secret the MSUBS; each residue must be below q of ctx, or with signed (and wide) be any signed 64-bit word
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
        21, // words dst = centred residues a, or with whole residues as they are, times 2^shift: rs_fixed_scale without a factor; dst is not a
    RS_OP_LIFTW = 22, // dst = slot a + words b times 2^shift: rs_lift_fixed; their magnitudes are below q; dst is not b
    RS_OP_LOADS = 23, // points dst = slots in memory[pointer]: rs_fixed_load
    RS_OP_STORES = 24, // slots in memory[pointer] = points a: rs_fixed_store
    RS_OP_ROOTS = 25, // context dst = the roots of fixed point in memory[pointer + offset]
    RS_OP_PIPEKEY = 26, // the key image of the following PIPE, PIPED and PIPEM is at memory[pointer + offset]
    RS_OP_PIPE =
        27, // ciphertext behind memory[pointer 7 of the frame] = the message there, encrypted with slots dst (u), dst + 1, dst + 2 (bits of ROUND) and groups a, b (ROUND's) for all limbs of the key image
    RS_OP_PIPED = 28, // as PIPE, without special prime: slots dst + 1 and dst + 2 are the errors
    RS_OP_DRAIN = 29, // waits until all results of PIPE, PIPED and PIPEM are in memory
    RS_OP_CONSTANTS = 30, // constants of context dst = 64 bytes of memory[pointer + offset]: no twiddles; no error is lifted to it
    RS_OP_TWIDDLES =
        31, // twiddles of context dst, which has constants, = memory[pointer + offset]: all, or those of a part of INTT; no error is lifted to it
    RS_OP_SCALEW = 32, // words dst = words a times the constant of ctx and 2^-W: rs_fixed_times
    RS_OP_MACW = 33, // words dst = dst + words a times the factor of ctx and 2^-W: rs_fixed_times and a sum
    RS_OP_HASH = 34, // digests dst to dst + halves = hash of memory[pointer + near], and with append of digest a behind it
    RS_OP_LOADD = 35, // digests dst, dst + 1 = 64 bytes of memory[pointer + near]; dst is even
    RS_OP_STORED = 36, // 64 bytes of memory[pointer + near] = digests a, a + 1; a is even
    RS_OP_DRAW = 37, // polynomials dst = residues or small coefficients of SHAKE of digest seed, then number
    RS_OP_LOADF = 38, // polynomials dst = fields of memory[pointer + near]
    RS_OP_STOREF = 39, // fields of memory[pointer + near] = polynomials a
    RS_OP_NORM = 40, // whether the coefficients of polynomials a are below the bound
    RS_OP_LIFTON = 41, // dst = slot a [+ STREAM] + b; dst is not b
    RS_OP_PIPEM =
        42, // as PIPED, and the message is words a times 2^words_shift: rs_lift_fixed; nothing is read at pointer 7, the ciphertext is where it would be
    RS_OP_COUNT = 43,
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
    RS_UNIT_SPONGE = 7,
    RS_UNIT_PACK = 8,
    RS_UNIT_COUNT = 9,
} rs_unit_t;

// Why a program ended: STATUS.cause.
typedef enum rs_fault {
    RS_FAULT_NONE = 0, // the program ended at END
    RS_FAULT_ILLEGAL =
        1, // unknown operation, an unused bit or field is set, EXPAND before one with first, dst is what LIFTW, CENTRE or LIFTON reads, numbers that there cannot be, or END after PIPE, PIPED or PIPEM without DRAIN
    RS_FAULT_RANGE = 2, // group, slot, context or unit that is not built; slices that are not in the group, or more than are built
    RS_FAULT_ALIGN = 3, // pointer not a multiple of 64, or not set since reset
    RS_FAULT_LOG_N = 4, // LOG_N outside the range that is built
    RS_FAULT_EMPTY =
        5, // reads a group, slice, slot or context that nothing has written, or a group between the parts of an INTT; writes a slice behind one that nothing has written
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

// Frames of a program, at most.
typedef enum rs_isa_frame {
    RS_FRAMES_MAX = 16, // a core with the unit PIPE
    RS_FRAMES_ENCODE = 8, // another one that encodes
} rs_isa_frame_t;

// Slots of a core, at most.
typedef enum rs_isa_slot {
    RS_SLOTS_MAX = 6,
} rs_isa_slot_t;

// Limits of a core with fields: digests, and log2 of its largest polynomials.
typedef enum rs_isa_field {
    RS_DIGESTS = 8, // digests of 32 bytes
    RS_FIELD_LOG_MAX = 10,
} rs_isa_field_t;

// Numbers of a sealed core: docs/core.md, Sealed fields.
typedef enum rs_isa_sealed {
    RS_HASH_PREFIX = 8,
    RS_HASH_KEY = 13,
    RS_HASH_CHOICE = 14,
    RS_KEY_SLOTS = 2,
    RS_KEY_LANES = 12,
    RS_KEY_INDEX = 32768,
    RS_VAULT_POINTER = 15,
    RS_VAULT_LINES = 64,
    RS_VAULT_MADE = 8,
    RS_VAULT_PROGRAM = 32,
    RS_DRAW_BALL = 15,
    RS_NORM_COUNT = 5,
    RS_BALL_DIGESTS = 4,
    RS_SIGN_ROUNDS = 1024,
    RS_HINTS_MAX = 80,
    RS_VAULT_CHALLENGE = 1,
    RS_VAULT_RANDOM = 6,
    RS_VAULT_MU = 7,
    RS_VAULT_HIGH = 24,
    RS_PACK_MARK = 27,
    RS_PACK_FIRST = 8,
    RS_DRAW_MARK = 38,
} rs_isa_sealed_t;

// Bytes of a line of memory: offsets count them.
typedef enum rs_isa_line {
    RS_ISA_LINE_BYTES = 64,
} rs_isa_line_t;

// Fields of a 64-bit word: lowest bit and width. What an operation does not use is zero.
typedef enum rs_isa {
    RS_ISA_OP_SHIFT = 0, // operation; bits 7:6 are zero but for form
    RS_ISA_OP_BITS = 6,
    RS_ISA_DST_SHIFT = 8, // group, slot or context that is written; PIPE, PIPED, PIPEM: first of three slots that are read
    RS_ISA_DST_BITS = 4,
    RS_ISA_A_SHIFT = 12, // operand: group, or slot for LIFT
    RS_ISA_A_BITS = 4,
    RS_ISA_B_SHIFT = 16, // operand: group
    RS_ISA_B_BITS = 4,
    RS_ISA_POINTER_SHIFT = 16, // number of the pointer register
    RS_ISA_POINTER_BITS = 4,
    RS_ISA_CTX_SHIFT = 20, // context: the modulus
    RS_ISA_CTX_BITS = 4,
    RS_ISA_OPTIONS_SHIFT = 24, // flags, each with a name of its own below
    RS_ISA_OPTIONS_BITS = 4,
    RS_ISA_OFFSET_SHIFT = 38, // lines of 64 bytes behind the pointer
    RS_ISA_OFFSET_BITS = 26,
    RS_ISA_FRAME_SHIFT = 60, // SAMPLE, EXPAND, LOADS, STORES, PIPE, PIPED, PIPEM: the frame
    RS_ISA_FRAME_BITS = 4,
    RS_ISA_LOG_SIZE_SHIFT = 28, // log2 size of a slice; 0: the group is one polynomial
    RS_ISA_LOG_SIZE_BITS = 4,
    RS_ISA_SLICE_DST_SHIFT = 32, // first slice of dst; LOAD, STORE, and with fields: the slice of the group
    RS_ISA_SLICE_DST_BITS = 6,
    RS_ISA_SLICE_A_SHIFT = 38, // first slice of a
    RS_ISA_SLICE_A_BITS = 6,
    RS_ISA_SLICE_B_SHIFT = 44, // first slice of b
    RS_ISA_SLICE_B_BITS = 6,
    RS_ISA_SLICES_SHIFT = 50, // number of slices - 1
    RS_ISA_SLICES_BITS = 6,
    RS_ISA_A_XOR_SHIFT = 56, // slices of a in pairs, the other one first
    RS_ISA_A_XOR_BITS = 1,
    RS_ISA_B_MAP_SHIFT = 57, // slice of b for slice i, from the first one on: i (0), the first for all (1), i mod 2 (2)
    RS_ISA_B_MAP_BITS = 2,
    RS_ISA_WIDE_SHIFT = 24, // LOAD, STORE, STREAM: 8 bytes per residue
    RS_ISA_WIDE_BITS = 1,
    RS_ISA_NTT_SHIFT = 25, // LOAD, STORE: NTT form
    RS_ISA_NTT_BITS = 1,
    RS_ISA_SECRET_SHIFT = 26, // LOAD, LOADF: the loaded data are secret; STREAM: for the MSUBS, which takes it for a secret
    RS_ISA_SECRET_BITS = 1,
    RS_ISA_ERROR_SHIFT = 27, // LOAD: an error, in a core without slots
    RS_ISA_ERROR_BITS = 1,
    RS_ISA_HALF_SHIFT =
        6, // LOAD: memory has the lower half of the array alone, zeros stand for the other one; STORE: the lower half is written
    RS_ISA_HALF_BITS = 1,
    RS_ISA_NARROW_SHIFT = 7, // LOAD: 2 bytes per residue
    RS_ISA_NARROW_BITS = 1,
    RS_ISA_SIGNED_SHIFT = 27, // STREAM: signed words of 64 bits, which are reduced
    RS_ISA_SIGNED_BITS = 1,
    RS_ISA_ODD_SHIFT = 25, // CONTEXT: errors of odd frames are lifted to it, not those of even ones
    RS_ISA_ODD_BITS = 1,
    RS_ISA_ASIDE_SHIFT = 24, // CONTEXT: no error is lifted to it
    RS_ISA_ASIDE_BITS = 1,
    RS_ISA_PART_SHIFT =
        26, // INTT: only its first stage (1), second stage (2), all others (3); TWIDDLES: only those of these stages; 0: all
    RS_ISA_PART_BITS = 2,
    RS_ISA_ADD_SHIFT = 24, // LIFT, LIFTON: add the residues of a STREAM
    RS_ISA_ADD_BITS = 1,
    RS_ISA_FACTOR_SHIFT = 25, // LIFT: times the context's factor
    RS_ISA_FACTOR_BITS = 1,
    RS_ISA_WHOLE_SHIFT = 25, // CENTRE: residues stay as they are
    RS_ISA_WHOLE_BITS = 1,
    RS_ISA_TERNARY_SHIFT = 24, // SAMPLE: ternary instead of CBD
    RS_ISA_TERNARY_BITS = 1,
    RS_ISA_FIRST_SHIFT = 24, // EXPAND: first limb of an expansion
    RS_ISA_FIRST_BITS = 1,
    RS_ISA_DOMAIN_SHIFT = 44, // SAMPLE: domain of the seed's stream (rs_domain_t)
    RS_ISA_DOMAIN_BITS = 8,
    RS_ISA_LIMBS_SHIFT = 44, // EXPAND: number of limbs of the expansion
    RS_ISA_LIMBS_BITS = 8,
    RS_ISA_LAST_LIMB_SHIFT = 44, // PIPE, PIPED, PIPEM: number of limbs - 1
    RS_ISA_LAST_LIMB_BITS = 12,
    RS_ISA_SHIFT_SHIFT = 56, // LIFTW, CENTRE: shift, in two's complement
    RS_ISA_SHIFT_BITS = 8,
    RS_ISA_WORDS_SHIFT_SHIFT = 32, // PIPEM: shift, in two's complement
    RS_ISA_WORDS_SHIFT_BITS = 8,
    RS_ISA_NUMBERS_SHIFT = 32, // LOADS, STORES: format, shift and number of the numbers (docs/core.md, Fixed point)
    RS_ISA_NUMBERS_BITS = 28,
    RS_ISA_FORM_SHIFT =
        6, // DRAW, LOADF, STOREF: coefficients (0), NTT form (1), NTT form of two slices of half the size, of the even and the odd elements (2)
    RS_ISA_FORM_BITS = 2,
    RS_ISA_NEAR_SHIFT = 38, // lines of 64 bytes behind the pointer, in fields of 9 bits
    RS_ISA_NEAR_BITS = 9,
    RS_ISA_HASH_SHIFT =
        28, // HASH: 0 SHAKE128, 1 SHAKE256, 2 SHA3-256, 3 SHA3-384, 4 SHA3-512; of a sealed core 8 to 12 these with digest a in front, 13 the key, 14 the choice
    RS_ISA_HASH_BITS = 4,
    RS_ISA_SKIP_SHIFT = 24, // HASH: the message begins at byte 32 of the line
    RS_ISA_SKIP_BITS = 1,
    RS_ISA_APPEND_SHIFT = 25, // HASH: digest a follows what is in memory
    RS_ISA_APPEND_BITS = 1,
    RS_ISA_HALVES_SHIFT = 32, // HASH: halves of the output - 1
    RS_ISA_HALVES_BITS = 4,
    RS_ISA_BYTES_SHIFT = 48, // HASH: length of the part of the message that is in memory
    RS_ISA_BYTES_BITS = 16,
    RS_ISA_DRAW_SHIFT =
        12, // DRAW: residues of 12 bits below 3329 (0), 23 below 8380417 (1), 14 below 12289 (2), 16 modulo that (3), the high byte first (4); small ones: CBD eta 2, 3, 16 (8 to 10), FIPS 204's eta 2, 4, masks of 18 and 20 bits (11 to 14); of a sealed core 15: SampleInBall of four digests, `number` coefficients
    RS_ISA_DRAW_BITS = 4,
    RS_ISA_SEED_DIGEST_SHIFT = 16, // DRAW: digest with the seed
    RS_ISA_SEED_DIGEST_BITS = 4,
    RS_ISA_LONG_SEED_SHIFT = 24, // DRAW: 64 bytes of seed
    RS_ISA_LONG_SEED_BITS = 1,
    RS_ISA_NUMBER_BYTES_SHIFT = 25, // DRAW: bytes of the number behind the seed
    RS_ISA_NUMBER_BYTES_BITS = 2,
    RS_ISA_STEP_HIGH_SHIFT = 27, // DRAW: the number of the next polynomial is 256 above, else 1
    RS_ISA_STEP_HIGH_BITS = 1,
    RS_ISA_DRAWS_SHIFT = 44, // DRAW: number of polynomials - 1
    RS_ISA_DRAWS_BITS = 4,
    RS_ISA_NUMBER_SHIFT =
        48, // DRAW: number behind the seed of the first polynomial; of a mask of a signature (docs/core.md, Sealed fields) the round
    RS_ISA_NUMBER_BITS = 16,
    RS_ISA_FIELD_WIDTH_SHIFT = 12, // LOADF: bits of a field, by their place in `widths`
    RS_ISA_FIELD_WIDTH_BITS = 4,
    RS_ISA_FIELD_WIDTH_OUT_SHIFT = 8, // STOREF: bits of a field, by their place in `widths`
    RS_ISA_FIELD_WIDTH_OUT_BITS = 4,
    RS_ISA_GROW_SHIFT = 24, // LOADF: what a field means: x (0), 2^power - x modulo q (1), FIPS 203's Decompress (2)
    RS_ISA_GROW_BITS = 2,
    RS_ISA_SHRINK_SHIFT =
        24, // STOREF: what a residue becomes: x (0), 2^power - x modulo q (1), FIPS 203's Compress (2), FIPS 204's Power2Round: r1 (3), 2^12 - r0 (4), HighBits (5)
    RS_ISA_SHRINK_BITS = 3,
    RS_ISA_NORM_SHIFT =
        24, // NORM: centred below 2^power - margin (0), (q - 1) / 88 - margin (3), (q - 1) / 32 - margin (4); FIPS 204's LowBits below gamma2 - margin, gamma2 = (q - 1) / 88 (1), (q - 1) / 32 (2); of a sealed core at most `margin` coefficients that are not zero (5); q = 8380417
    RS_ISA_NORM_BITS = 3,
    RS_ISA_POLYS_SHIFT = 47, // LOADF, STOREF, NORM: number of polynomials - 1
    RS_ISA_POLYS_BITS = 4,
    RS_ISA_POWER_SHIFT = 51, // LOADF, STOREF, NORM: offset or bound 2^power
    RS_ISA_POWER_BITS = 5,
    RS_ISA_MARGIN_SHIFT = 56, // LOADF, NORM: what the bound is below 2^power
    RS_ISA_MARGIN_BITS = 8,
} rs_isa_t;

#ifdef __cplusplus
}
#endif

#endif
