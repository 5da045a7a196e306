// SPDX-License-Identifier: Apache-2.0
// A model of the accelerator core behind rs_bus_t: runs programs as docs/core.md says, on plain integers with the library's NTT and
// samplers. It computes values and faults, not time. What hardware could not notice but would compute wrongly is counted as misuse:
// forms that do not match, residues that are not reduced, constants or twiddles that are not those of the modulus.
#ifndef RS_MODEL_CORE_H
#define RS_MODEL_CORE_H

#include <ringside/golden.h>
#include <stdio.h>

#include "model_tags.h"
#include "schemes/on_core/on_core.h"

enum {
    MODEL_GROUPS = 16,
    MODEL_SLOTS = 6,
    MODEL_CONTEXTS = 4,
    MODEL_MODULI = 64,
    MODEL_REGIONS = 14,
    MODEL_UNITS = 1024, // units of 2^RS_LOG_SIZE_MIN words in a group
    MODEL_INSTRUCTION_CYCLES = 100,
    MODEL_NEVER = -1,
    MODEL_GONE = -2
};

// What the words of a group are: hardware cannot tell.
typedef enum model_form {
    MODEL_COEFFICIENTS, // residues
    MODEL_VALUES, // in NTT form
    MODEL_WORDS, // words of coefficients, in fixed point
    MODEL_POINTS // N/2 real parts, then as many imaginary ones, in fixed point
} model_form_t;

// The library's plan for one modulus, N and root, kept from one CONTEXT to the next.
typedef struct model_modulus {
    uint64_t q;
    uint32_t log_n;
    uint64_t psi; // 0: the smallest one
    void *memory;
    const rs_plan_t *plan;
} model_modulus_t;

typedef struct model_context {
    int loaded;
    const rs_plan_t *plan; // for a transform of this size; NULL: a core with slices has no twiddles here
    uint32_t log_n;
    uint64_t q;
    uint64_t factor;
    uint64_t constant;
    uint64_t radix_inverse; // R^-1
    int roots; // it has those of fixed point
    unsigned twiddles; // bit p - 1: it has those of part p of an INTT
    int is_newest; // it is the newest of the moduli that get errors
    unsigned odd; // which get those of odd frames, or of even ones
    unsigned errors; // bit e: error e may still be lifted to it
} model_context_t;

// Polynomials in the library's order: coefficients natural, NTT form and points bit-reversed. Words in fixed point: the lowest W bits.
typedef struct model_group {
    model_tag_t tag;
    unsigned error; // the error of a MASK, ROUNDED: which, plus 2 in an odd frame, and the context of its modulus
    uint32_t ctx;
    model_form_t form;
    uint32_t part; // last part of an INTT, and its modulus; words change with the last part
    uint64_t q;
    uint64_t *words;
    size_t fill; // words that this program has written, from the first position on
    int sliced; // forms are those of parts of it, else form is that of all
    uint8_t forms[MODEL_UNITS];
} model_group_t;

// Memory that the core reaches. shadow: what it sees of it, if that is not the host's memory itself.
typedef struct model_region {
    uint8_t *host;
    uint8_t *shadow;
    size_t bytes;
    uint64_t address;
} model_region_t;

typedef struct model_core {
    rs_design_t design;
    uint8_t *memory;
    size_t memory_bytes;
    uint64_t memory_address;
    // ---- for tests to set
    FILE *trace; // a line per instruction with a hash of its result
    int inject_pc; // instruction that fails with inject_fault, or MODEL_NEVER
    rs_fault_t inject_fault;
    int corrupt_pc; // instruction whose result gets one wrong bit, or MODEL_NEVER
    int bus_error_after; // register accesses until the bus fails, or MODEL_NEVER
    int judges; // units compute nothing and succeed: faults of decode, and tags, alone
    int incoherent; // before model_core_bus(): the core sees only what the driver hands over
    int reaches; // before model_core_bus(): the core reaches the arrays of callers
    int turned; // transforms the other way round: coefficients are multiplied, INTT is what makes them (papers/newhope/on_core/program.c)
    uint64_t reach_offset; // distance of such an array from a multiple of 64
    int wakes; // calls of wait() that return before the program has run
    int bus_dead; // memory does not answer: programs end by the watchdog, and the bus hangs until it is reset
    int never_done; // programs run for ever, until they are aborted
    int never_idle; // nothing ends them
    uint32_t alert; // STATUS.alert: 2 or 3 is fatal
    int foreign; // accesses of registers during which a program of somebody else runs
    // ---- for tests to read
    unsigned misuse;
    unsigned programs; // run so far
    unsigned starts; // that were asked for
    unsigned reads; // reads of STATUS
    unsigned zeroizes;
    unsigned corrupted; // results that got a wrong bit
    unsigned words_written; // words of program memory
    unsigned reached; // arrays of callers
    // ---- the core
    uint32_t registers[0x200 / 4];
    uint32_t pointers_set[RS_FRAMES_MAX]; // bit i: word i of POINTER was written, of that frame
    uint64_t *program;
    size_t program_words; // written since word 0
    int started;
    model_group_t groups[MODEL_GROUPS];
    model_region_t regions[MODEL_REGIONS]; // memory, then the callers' arrays
    uint8_t digests[8][32]; // digests of SPONGE; they stay from program to program
    struct model_seal { // state of a sealed core
        struct model_sign {
            int is_clean; // all is made of the key, of what is bound with it, and of what the mask depends on
            int step;
            int marks[8]; // marks of digests
            int tags[MODEL_GROUPS];
            uint32_t counts[MODEL_GROUPS]; // polynomials of such, less one
            uint32_t tau, high_bits, high_count, t0_count;
            int has_eta4, has_mask20, has_t0, has_high;
            unsigned passed; // checks that were made: bits
            int released; // a part has left
            int refused; // one of the checks said no
        } sign;
        uint8_t vault[4 * RS_VAULT_LINES * RS_ISA_LINE_BYTES];
        uint64_t keys[RS_KEY_SLOTS][RS_KEY_LANES];
        uint32_t key_next[RS_KEY_SLOTS]; // lane that has to come
        int key_valid[RS_KEY_SLOTS];
        int tags[8]; // tags of digests
        int step; // the step of a choice
        int keyed; // this program has a key
        uint8_t written[RS_VAULT_LINES]; // lines of secrets: this program has written them
        int cleared; // units were cleared in the last program, and nothing was wiped since
    } seal;
    int8_t *slots[MODEL_SLOTS];
    model_tag_t slot_tags[MODEL_SLOTS];
    unsigned slot_errors[MODEL_SLOTS];
    model_context_t contexts[MODEL_CONTEXTS];
    uint64_t *stream;
    int64_t *signed_words; // N of them
    void *fixed_memory;
    const rs_fixed_t *fixed; // for the last N that ROOTS were loaded for
    int streaming; // a STREAM waits for its LIFT
    rs_uniform_t expansion;
    int expanding;
    int streamed; // a PIPE without a DRAIN after it
    int has_key; // a PIPEKEY of this program has said where the key image is
    uint64_t key_image;
    uint32_t expanding_frame;
    int sampled; // by this program
    int rounded_with[4]; // the group with which each error was rounded; MODEL_NEVER, or MODEL_GONE: another one is there now
    // the even frames' and the odd ones':
    int64_t newest[2]; // offset of the newest modulus that got errors; MODEL_NEVER: none yet
    unsigned newest_errors[2]; // that may still be lifted to it
    unsigned current[2]; // the frame that is under way
    unsigned fresh; // bit f: the seed of frame f was written, and no program has used it
    uint32_t seed_word; // the next word of SEED, if words are written in order
    uint32_t frame_registers[RS_FRAMES_MAX][0x200 / 4]; // operands of frames above 0, at their offsets
    model_modulus_t moduli[MODEL_MODULI];
} model_core_t;

void model_core_init(model_core_t *core, const rs_design_t *design, size_t memory_bytes);
void model_core_free(model_core_t *core);
void model_core_bus(model_core_t *core, rs_bus_t *bus);
rs_status_t model_new_seed(model_core_t *core, uint32_t value); // all words of SEED are written, with this one

// A device inside a test's own struct.
// The time of a program on a core of this design whose sampler is as fast as its bus, or zeros. spans: NULL, or one for each word.
static inline rs_timed_t model_time(const rs_design_t *design, uint32_t log_n, const uint64_t *words, size_t length,
                                    rs_span_t *spans) {
    const uint16_t per_beat = (uint16_t)(design->bus_bits / 64);
    const rs_build_t build = {.outstanding = 8 * per_beat,
                              .ports = 1,
                              .reducers = per_beat,
                              .sample_lanes = 2 * per_beat,
                              .ternary_bytes = 8,
                              .keccak_slices = 64,
                              .keccak_shared = 1,
                              .expand_words = 1};
    const rs_timing_t timing = {*design, build, {.latency = 40}, log_n, design->word_bits};
    rs_timed_t timed;
    return rs_program_time(&timing, words, length, &timed, spans) ? (rs_timed_t){0} : timed;
}

static inline rs_status_t open_device(rs_device_t *device, const rs_bus_t *bus) {
    rs_device_t *opened;
    return rs_device_open(&opened, (rs_memory_t){device, sizeof *device}, bus);
}

// A device on the model's own bus.
static inline rs_status_t open_core(model_core_t *core, rs_device_t *device) {
    rs_bus_t bus;
    model_core_bus(core, &bus);
    return open_device(device, &bus);
}

// The end of a test (rs_test.h).
#define close_core(core, device)           \
    do {                                   \
        CHECK_EQ_U64((core)->misuse, 0);   \
        CHECK_OK(rs_device_close(device)); \
        model_core_free(core);             \
    } while (0)

#endif
