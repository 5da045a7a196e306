// SPDX-License-Identifier: Apache-2.0
// How many cycles a program takes on a core, without running it: the scoreboard's rules (docs/core.md) and the times of the units. Errors
// are some hundredths of a percent. This header is provisional: RELEASE.md.
#ifndef RINGSIDE_TIMING_H
#define RINGSIDE_TIMING_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a core's registers do not tell. Units that are not built may have zeros.
typedef struct rs_build {
    uint16_t outstanding; // bursts under way
    uint16_t ports;
    uint16_t reducers;
    uint16_t sample_lanes;
    uint16_t ternary_bytes;
    uint16_t keccak_slices;
    uint16_t keccak_shared; // 1: SAMPLE and EXPAND share their cores
    uint16_t expand_words;
    uint16_t expand_steps;
    uint16_t field_rounds;
    uint16_t field_words;
    uint16_t burst_lines; // lines of a burst of LOAD and STORE; 0: 1
    uint16_t fixed_words; // words of LIFTW and CENTRE per cycle; 0: all of a chunk
    uint16_t slot_words; // numbers of LOADS per cycle; 0: 1
} rs_build_t;

typedef struct rs_timing_memory {
    uint32_t latency; // cycles from an address to its first beat, at most 2^24
    uint32_t bandwidth; // thousandths of a byte per cycle in each direction, 1000 at least; 0: what the bus can carry
    uint32_t overhead; // bytes besides its data that a burst takes of the bandwidth, at most 2^16
} rs_timing_memory_t;

typedef struct rs_timing {
    rs_design_t design;
    rs_build_t build;
    rs_timing_memory_t memory;
    uint32_t log_n;
    uint32_t modulus_bits;
} rs_timing_t;

// When an instruction runs: cycles behind the doorbell.
typedef struct rs_span {
    uint32_t start;
    uint32_t end;
} rs_span_t;

typedef struct rs_timed {
    uint64_t cycles; // from the doorbell to the interrupt
    uint64_t active[RS_UNIT_COUNT]; // in which each unit works
    uint64_t least[RS_UNIT_COUNT]; // in which it would have to work, if all of it were busy in each of them
    // The longest chain of instructions that need each other's groups, slots or contexts, in the program's order, at their least; units
    // are not shared in it, so neither of the two bounds includes the other.
    uint64_t chain;
    uint32_t transforms; // N/2 log2 N butterflies each
    uint32_t passes; // N products or sums each
    uint32_t fixed_transforms; // encode or decode: N/2 (log2 N - 1) butterflies of two lanes each
    uint32_t read_beats;
    uint32_t write_beats;
    uint32_t permutations; // Keccak by SAMPLE and EXPAND
    size_t index; // the word that has no time
} rs_timed_t;

// The time of a program: words to END, or all. spans: NULL, or one for each of them. RS_ERR_TIME: nobody has measured an instruction;
// RS_ERR_DEVICE_DESIGN, RS_ERR_DESIGN_DEGREE, RS_ERR_DEVICE_MEMORY: no such core, ring, or memory; RS_ERR_NULL.
RS_API RS_MUST_CHECK rs_status_t rs_program_time(const rs_timing_t *timing, const uint64_t *words, size_t length, rs_timed_t *timed,
                                                 rs_span_t *spans);

#ifndef RS_CORE_ONLY
// The same for `count` designs at once, one cycles[] for each. active: NULL, or count for each unit, unit after unit. After an error nothing of
// them is valid. Statuses as above, and RS_ERR_NO_MEMORY.
RS_API RS_MUST_CHECK rs_status_t rs_program_times(const rs_timing_t *timings, size_t count, const uint64_t *words, size_t length,
                                                  uint64_t *cycles, uint32_t *active);
#endif

#ifdef __cplusplus
}
#endif

#endif
