// SPDX-License-Identifier: Apache-2.0
// How many cycles an instruction takes at least: every lane, beat of the bus and Keccak core busy in each of them.
#include "machine/timing/cost.h"

#include <ringside/golden/sample.h>

#include "machine/design.h"

enum { POLYS_OF_A_KEY = 2 };

static int64_t keccak_cycles(const rs_build_t *build, int64_t permutations, int64_t cores) {
    return permutations * (RS_KECCAK_ROUNDS * RS_KECCAK_SLICES / rs_max(build->keccak_slices, 1)) / rs_max(cores, 1);
}

static int64_t least_sample(const rs_pace_t *p, uint64_t word, rs_timed_t *timed) {
    const rs_build_t *build = &p->timing->build;
    const int64_t bytes = RS_GET_FIELD(TERNARY, word) ? (int64_t)rs_sample_ternary_bytes((size_t)p->n) : RS_CBD_BYTES * p->n;
    const int64_t blocks = rs_up(bytes, RS_SHAKE256_RATE_BYTES);
    timed->permutations += (uint32_t)blocks;
    return rs_max(keccak_cycles(build, blocks, p->timing->design.keccak_cores), p->n / rs_max(build->sample_lanes, 1));
}

static int64_t least_expand(const rs_pace_t *p, rs_timed_t *timed) {
    const rs_build_t *build = &p->timing->build;
    const int64_t words = rs_max(build->expand_words, 1);
    const int64_t blocks = rs_up(p->n, RS_EXPAND_BLOCK * (p->n >= RS_EXPAND_BLOCK * words ? words : 1));
    const int64_t made = blocks * rs_max(RS_EXPAND_BLOCK, keccak_cycles(build, RS_EXPAND_PERMUTATIONS, 1));
    timed->permutations += (uint32_t)rs_up(8 * p->n, RS_SHAKE256_RATE_BYTES);
    if (!build->expand_steps) return made;
    return rs_max(made,
                  p->n * rs_up(64 - (int64_t)p->timing->design.word_bits, build->expand_steps)); // a modulus as wide as the words
}

// A slot per cycle.
static int64_t least_numbers(const rs_pace_t *p, uint64_t word, uint32_t *beats) {
    const rs_slots_cost_t numbers = rs_slots_cost(p, word);
    *beats += (uint32_t)numbers.beats;
    return rs_max(numbers.beats, numbers.slots);
}

static int64_t least_stream(const rs_pace_t *p, uint64_t word, rs_timed_t *timed) {
    const rs_design_t *design = &p->timing->design;
    const int64_t limbs = (int64_t)RS_GET_FIELD(LAST_LIMB, word) + 1;
    const int64_t message = RS_GET_FIELD(OP, word) == RS_OP_PIPEM ? 0 : 8 * p->n; // bytes for a limb
    timed->read_beats += (uint32_t)(limbs * (message + (int64_t)rs_design_stream_key_bytes(design, p->log_n)) / p->bus);
    timed->write_beats += (uint32_t)(POLYS_OF_A_KEY * limbs * p->n * 8 / p->bus);
    return limbs * p->n / rs_max(rs_design_stream_lanes(design), 1);
}

int64_t rs_least_of(const rs_pace_t *p, uint64_t word, const rs_cost_t *cost, rs_timed_t *timed) {
    const uint32_t part = RS_GET_FIELD(PART, word);
    switch ((rs_rule_t)RS_OP_TIMES[RS_GET_FIELD(OP, word)].rule) {
    case RS_RULE_TRANSFORM: {
        const int is_part = RS_GET_FIELD(OP, word) == RS_OP_INTT && part != RS_PART_ALL;
        const int64_t stages = !is_part ? p->log_n : part == RS_PART_REST ? (int64_t)p->log_n - 2 : 1;
        timed->transforms += !is_part || part == RS_PART_REST;
        return ((int64_t)RS_GET_FIELD(SLICES, word) + 1) * rs_up(p->log_n * p->n, 2 * p->lanes) * stages / p->log_n;
    }
    case RS_RULE_FIXED: timed->fixed_transforms++; return ((int64_t)p->log_n - 1) * rs_up(p->n, p->lanes);
    case RS_RULE_PASS: timed->passes++; return cost->work;
    case RS_RULE_CONTEXT: timed->read_beats += (uint32_t)cost->beats; return cost->beats;
    case RS_RULE_NUMBERS: return least_numbers(p, word, &timed->read_beats);
    case RS_RULE_STORE_NUMBERS: return least_numbers(p, word, &timed->write_beats);
    case RS_RULE_LOAD: timed->read_beats += (uint32_t)cost->beats; return rs_max(cost->beats, p->chunks);
    case RS_RULE_STREAM: timed->read_beats += (uint32_t)p->beats; return rs_max(p->beats, p->chunks);
    case RS_RULE_STORE: timed->write_beats += (uint32_t)cost->beats; return cost->work;
    case RS_RULE_SAMPLE: return least_sample(p, word, timed);
    case RS_RULE_EXPAND: return least_expand(p, timed);
    case RS_RULE_PIPE: return least_stream(p, word, timed);
    default: // what has no other bound than its work
        return cost->work;
    }
}
