// SPDX-License-Identifier: Apache-2.0
// Times of the units, by the formulas of their READMEs; table.h has the numbers.
#include "machine/timing/cost.h"

#include <ringside/golden/sample.h>

#include "machine/design.h"

// A multiplier is of tiles of 17 times 24 bits (rs_pkg).
enum { TILE_A = 17, TILE_B = 24 };
// The slowest memory; beyond it, times might not fit 64 bits.
enum { LATENCY_MAX = 1 << 24, OVERHEAD_MAX = 1 << 16, BANDWIDTH_MIN = 1000 };
enum { LINE_BYTES = RS_ISA_LINE_BYTES, LONG_BURST_BYTES = 1024 };
enum { STATE_BITS = 1600, RATE_BITS = 1536 };
// Bits of a quotient at a time, where EXPAND shares a folded core and divides without multipliers of its own.
enum { SERIAL_BITS = 17 };
// PIPE: a line of a key lasts so many words.
enum { PIPE_LINE_WORDS = 8 };
enum { DIGEST_LANES = 4, LANE_BYTES = 8, DRAW_ROW_WORDS = 4, DRAW_WORDS = 256 };

typedef struct fraction {
    int64_t above;
    int64_t below;
} fraction_t;

static int64_t at_least_1(int64_t a) { return rs_max(a, 1); }

static fraction_t larger(fraction_t a, fraction_t b) { return a.above * b.below > b.above * a.below ? a : b; }

static uint32_t log2_up(int64_t a) {
    uint32_t log = 0;
    while ((int64_t)1 << log < a) log++;
    return log;
}

// ---- lanes (docs/ntt_schedule.md, hw/reduce/README.md) -----------------------------------------------------------------
// Registers of a product of a times b bits: one in front, one behind each row of tiles, a tree of adders.
static int64_t product_latency(int64_t a, int64_t b) { return 2 + rs_up(b, TILE_B) + log2_up(rs_up(a, TILE_A)); }

static int64_t multiplier_latency(const rs_design_t *design) {
    const int64_t w = design->word_bits;
    const uint32_t halves = log2_up(rs_up(w, TILE_A));
    const int64_t split = w > 2 * TILE_A ? (int64_t)TILE_A << (halves - 1) : w;
    const int64_t made = product_latency(split, w) + (split < w);
    const int64_t steps = rs_up(RS_WLM_WORD_BITS * rs_up(w, RS_WLM_WORD_BITS), TILE_A);
    return (made < 5 ? 3 : made - 2) + 3 * steps + rs_up(w - RS_WLM_WORD_BITS, TILE_B);
}

// Cycles between a word's read and its write, of a butterfly.
static int64_t butterfly_lag(const rs_pace_t *p) { return (3 + p->lane + (p->lanes > 1 && p->lane + 8 <= 33 ? 5 : 3)) | 1; }

// A stage takes its polynomials one after the other. part: of an INTT.
static int64_t transform(const rs_pace_t *p, int64_t slices, uint32_t part) {
    const int64_t lag = butterfly_lag(p), half = p->n / (2 * p->lanes);
    const int64_t distance = slices * half - p->n / (4 * p->lanes);
    const int64_t pause = lag <= distance + 1 ? 0 : rs_up(lag - distance - 1, 4) * 4;
    const int on_the_fly = (p->timing->design.features & RS_FEATURE_ON_THE_FLY) != 0;
    const int64_t twiddle = 1 + (p->log_lanes + 2) / 3 + (on_the_fly ? 4 + p->multiplier : 0);
    const int64_t whole = p->log_n * slices * half + (p->log_n - 1) * pause + lag + 3 + rs_max(0, twiddle - 3);
    const int64_t left_out = part == RS_PART_ALL ? 0 : part == RS_PART_REST ? 2 : p->log_n - 1;
    return whole - left_out * (half + pause);
}

// Transforms of encode and decode: stages of two lanes each, with four cycles more between read and write.
static int64_t fixed_transform(const rs_pace_t *p) {
    const int64_t lag = butterfly_lag(p) + 4;
    const int64_t address = (int64_t)p->log_n - 2 - p->log_lanes - (p->lanes == 1);
    const int64_t slack = ((int64_t)2 << rs_max(address, 0)) + (p->lanes == 2 ? 1 : 3);
    const int64_t block = p->lanes == 1 ? 16 : 8;
    const int64_t wait = lag > slack ? rs_up(lag - slack, block) * block / 2 : 0;
    return (p->n / p->lanes + wait) * (p->log_n - 1) + lag;
}

// Words become residues, or back: what a chunk takes, and how long the second one of a pair waits. Where chunks are as wide as all lanes, there are no
// pairs.
static void lift_words(const rs_pace_t *p, rs_cost_t *cost) {
    const int64_t words = p->timing->build.fixed_words, parts = words ? p->chunk / words : 1;
    cost->work *= parts;
    cost->tail += (p->chunk == 4 * p->lanes && p->lanes > 1 ? 0 : parts) - 1;
}

// ---- memory (hw/dma/README.md) -----------------------------------------------------------------------------------------
// Thousandths of a cycle that a burst takes.
static int64_t burst_millicycles(const rs_pace_t *p, int64_t bytes) {
    const rs_timing_memory_t *memory = &p->timing->memory;
    const int64_t by_bus = bytes * 1000 / p->bus;
    return memory->bandwidth ? rs_max(by_bus, rs_up((bytes + memory->overhead) * 1000000, memory->bandwidth)) : by_bus;
}

// The time of an array, if no more bursts may be under way than the design keeps account of: a round of them per round trip.
// bytes: of a burst: some lines, or long ones where an array is one stream (hw/axi/README.md).
static void set_bursts(const rs_pace_t *p, int64_t bytes, int64_t trip_more, rs_cost_t *cost) {
    const int64_t outstanding = at_least_1(p->timing->build.outstanding), burst = burst_millicycles(p, bytes);
    const int64_t bursts = rs_up(cost->beats * p->bus, bytes), rounds = (bursts - 1) / outstanding;
    const int64_t trip = (p->latency + trip_more) * 1000 + burst;
    if (p->timing->memory.bandwidth) cost->work = rs_max(cost->work, rs_up(cost->beats * p->bus * burst, bytes * 1000));
    cost->far = cost->work;
    cost->rest = (bursts - 1) % outstanding;
    cost->bursts = bursts;
    cost->ahead = (bursts < outstanding ? bursts : outstanding) * burst / 1000 + p->latency;
    if (outstanding * burst >= trip || !trip_more) return;
    const int64_t bound = rounds * trip + (bursts - rounds * outstanding) * burst;
    cost->work = rs_max(cost->work, rs_up(bound, 1000));
    cost->far = rs_max(cost->far, rs_up(bound + trip - outstanding * burst, 1000));
}

static void load(const rs_pace_t *p, const rs_op_time_t *time, uint64_t word, rs_cost_t *cost) {
    const int is_stream = RS_GET_FIELD(OP, word) == RS_OP_STREAM, is_signed = is_stream && RS_GET_FIELD(SIGNED, word);
    const int is_narrow = !is_stream && RS_GET_FIELD(NARROW, word);
    const int64_t bytes = is_narrow ? 2 : RS_GET_FIELD(WIDE, word) ? 8 : p->word_bytes;
    cost->beats = rs_up((p->n >> (is_stream ? 0 : RS_GET_FIELD(HALF, word))) * bytes, p->bus);
    cost->lead = p->latency + p->has_fields + (is_signed ? RS_TIME_SIGNED : time->more);
    cost->work = rs_max(cost->beats, is_signed ? p->n / at_least_1(p->timing->build.reducers) : p->chunks);
    cost->tail = p->tail;
    set_bursts(p, is_narrow ? p->burst_bytes / 2 : p->burst_bytes, RS_TIME_READ_TRIP, cost);
}

static int64_t twiddle_words(const rs_pace_t *p, uint64_t word) {
    const uint32_t op = RS_GET_FIELD(OP, word), part = RS_GET_FIELD(PART, word);
    if (op == RS_OP_CONSTANTS) return 0;
    if (op == RS_OP_ROOTS) return p->n / 2;
    if (op == RS_OP_TWIDDLES) return p->n >> (part < 2 ? part : 2);
    // all of a table, or rows of seeds for each lane
    const int on_the_fly = (p->timing->design.features & RS_FEATURE_ON_THE_FLY) != 0;
    return on_the_fly ? 2 * p->lanes * (rs_up(RS_TWIDDLE_SCALARS, p->lanes) + 3) : p->n;
}

static void load_context(const rs_pace_t *p, const rs_op_time_t *time, uint64_t word, rs_cost_t *cost) {
    const int64_t header = RS_GET_FIELD(OP, word) == RS_OP_TWIDDLES ? 0 : LINE_BYTES / p->bus;
    const int64_t words = twiddle_words(p, word);
    cost->beats = rs_up(header * p->bus + words * p->word_bytes, LINE_BYTES) * LINE_BYTES / p->bus;
    cost->lead = p->latency + p->has_fields + time->more;
    cost->tail = RS_TIME_CONTEXT_TAIL;
    cost->work = rs_max(cost->beats, header + rs_up(words, p->chunk < p->lanes ? p->chunk : p->lanes));
    set_bursts(p, p->burst_bytes, 0, cost);
}

rs_slots_cost_t rs_slots_cost(const rs_pace_t *p, uint64_t word) {
    const uint32_t numbers = RS_GET_FIELD(NUMBERS, word), format = numbers & ((1u << RS_NUMBERS_FORMAT_BITS) - 1);
    const int64_t slots = (numbers >> RS_NUMBERS_COUNT_SHIFT & 0xffff) + 1, pairs = numbers >> RS_NUMBERS_COMPLEX_SHIFT & 1;
    const int64_t bytes = (int64_t)rs_fixed_format_bytes(format) * (slots << pairs);
    return (rs_slots_cost_t){rs_up(bytes, LINE_BYTES) * LINE_BYTES / p->bus, slots, pairs ? slots : 0};
}

// Missing slots are written, too.
static void load_numbers(const rs_pace_t *p, const rs_op_time_t *time, uint64_t word, rs_cost_t *cost) {
    const rs_slots_cost_t numbers = rs_slots_cost(p, word);
    const int64_t imaginary = p->lanes == 1 ? p->n / 2 : p->timing->build.slot_words == 2 ? 0 : numbers.imaginary;
    cost->beats = numbers.beats;
    cost->lead = p->latency + p->has_fields + time->more;
    cost->work = rs_max(cost->beats, p->n / 2 + imaginary);
    set_bursts(p, p->burst_bytes, RS_TIME_READ_TRIP, cost);
}

static void store(const rs_pace_t *p, const rs_op_time_t *time, uint64_t word, rs_cost_t *cost) {
    cost->beats = rs_up((p->n >> RS_GET_FIELD(HALF, word)) * (RS_GET_FIELD(WIDE, word) ? 8 : p->word_bytes), p->bus);
    const int64_t work = rs_max(cost->beats, p->chunks);
    cost->work = work;
    set_bursts(p, p->burst_bytes, RS_TIME_WRITE_TRIP, cost);
    cost->tail = cost->work - work + p->latency + p->has_fields + p->tail + time->more;
    cost->work = work;
}

// ---- Keccak (hw/sampler/README.md) -------------------------------------------------------------------------------------
// Blocks come as fast as Keccak makes them and as the sampler takes them.
static int64_t sample(const rs_pace_t *p, uint64_t word) {
    const rs_build_t *build = &p->timing->build;
    const int64_t slices = at_least_1(build->keccak_slices), lanes = at_least_1(build->sample_lanes);
    const int is_folded = slices != RS_KECCAK_SLICES;
    const int64_t permutation = RS_KECCAK_ROUNDS * RS_KECCAK_SLICES / slices;
    const fraction_t made = {is_folded ? STATE_BITS / slices : permutation, at_least_1(p->timing->design.keccak_cores)};
    if (RS_GET_FIELD(TERNARY, word)) {
        const int64_t blocks = rs_up((int64_t)rs_sample_ternary_bytes((size_t)p->n), RS_SHAKE256_RATE_BYTES);
        const int64_t beat =
            is_folded ? at_least_1(slices / 8) : 1; // bytes of a folded core, whose values leave before the next ones come
        const fraction_t values = {RS_SHAKE256_RATE_BYTES * (is_folded ? rs_up(5 * beat, lanes) : 5), is_folded ? beat : lanes};
        const fraction_t bytes = {RS_SHAKE256_RATE_BYTES, at_least_1(build->ternary_bytes)};
        const fraction_t each = larger(made, larger(values, bytes));
        return rs_up(blocks * each.above, each.below) + permutation + RS_TIME_TERNARY;
    }
    const int64_t blocks = rs_up(RS_CBD_BYTES * p->n, RS_SHAKE256_RATE_BYTES), beat = RS_CBD_BYTES * lanes;
    const fraction_t folded = {RS_SHAKE256_RATE_BYTES * (8 * beat + slices), slices * beat};
    const fraction_t whole = {rs_up(RS_SHAKE256_RATE_BYTES, beat), 1};
    const fraction_t each = larger(made, is_folded ? folded : whole);
    const int64_t last =
        rs_up(RS_CBD_BYTES * p->n - (blocks - 1) * RS_SHAKE256_RATE_BYTES, beat); // the last block is not read to its end
    return rs_up((blocks - 1) * each.above, each.below) + permutation + (is_folded ? RS_TIME_FOLDED : RS_TIME_CBD + last);
}

static int64_t expand(const rs_pace_t *p, const rs_op_time_t *time) {
    const rs_build_t *build = &p->timing->build;
    const int64_t at_once = at_least_1(build->expand_words), slices = at_least_1(build->keccak_slices);
    const int64_t blocks = rs_up(p->n, RS_EXPAND_BLOCK * (p->n >= RS_EXPAND_BLOCK * at_once ? at_once : 1));
    const int is_folded = slices != RS_KECCAK_SLICES;
    const int64_t whole = 1 + rs_max(RS_EXPAND_BLOCK - 2 + RS_KECCAK_ROUNDS, RS_EXPAND_PERMUTATIONS * RS_KECCAK_ROUNDS);
    const int64_t fold = rs_max(RS_EXPAND_PERMUTATIONS * (RATE_BITS / slices) + 1, RS_EXPAND_BLOCK + 1);
    const int64_t made = blocks * (is_folded ? fold : whole) + time->more;
    if (!build->expand_steps && !is_folded) return made;
    const int64_t quotient = build->expand_steps ? build->expand_steps : SERIAL_BITS;
    const int64_t divided = p->n * at_least_1(rs_up(64 - (int64_t)p->timing->modulus_bits, quotient));
    return rs_max(made, divided + (is_folded ? 0 : RS_TIME_FIRST_WORDS) + time->more);
}

// ---- the streaming unit (hw/pipe/README.md, rs_stream_pkg) -------------------------------------------------------------
// is_behind: another frame with the same key, whose limbs' contexts are here.
static int64_t stream(const rs_pace_t *p, int64_t limbs, int64_t more, int is_behind) {
    const rs_build_t *build = &p->timing->build;
    const int64_t lanes = at_least_1(rs_design_stream_lanes(&p->timing->design)), outstanding = at_least_1(build->outstanding);
    const int64_t tokens = limbs * p->n / lanes + p->latency + more;
    const int64_t lines = limbs * p->n * PIPE_LINE_WORDS / LINE_BYTES;
    const int64_t trip = p->latency + rs_up(LINE_BYTES, p->bus) + RS_TIME_READ_TRIP;
    // each port keeps account of its own lines: with two ports, one brings a key's half and all parts of the message but every fourth
    const int64_t parts = rs_max(lanes, 4), share = build->ports < 2 ? 3 * parts : 2 * parts - 1;
    const int64_t below = parts * outstanding;
    if (is_behind) return rs_max(tokens, (2 * lines * share * trip + p->latency * below) / (2 * below));
    const int64_t low =
        (int64_t)1 << (p->timing->design.log_n_max + 1) / 2; // words of low twiddles (hw/stream/README.md, Twiddle image)
    const int64_t tables = 2 * low / lanes + p->n / low + RS_TIME_TABLES;
    return rs_max(tokens + tables, (lines * share - RS_TIME_AHEAD * parts) * trip / below);
}

// The last limb, from its last token to its last line in memory.
static int64_t drain(const rs_pace_t *p, const rs_op_time_t *time) {
    const int64_t lanes = at_least_1(rs_design_stream_lanes(&p->timing->design));
    const int64_t stages = p->log_n * (p->multiplier + RS_TIME_BUTTERFLY) + p->log_n - log2_up(lanes);
    return p->n / lanes - 1 + stages + 2 * p->multiplier + time->more + p->latency;
}

// ---- fields (hw/fields/README.md) --------------------------------------------------------------------------------------
static int64_t hash(const rs_pace_t *p, const rs_op_time_t *time, uint64_t word) {
    static const uint8_t RATES[] = {168, 136, 136, 104, 72}; // bytes of a block, by `hash`
    if (RS_GET_FIELD(HASH, word) >= sizeof RATES) return 0;
    const int64_t rounds = at_least_1(p->timing->build.field_rounds), permutation = RS_KECCAK_ROUNDS / rounds;
    const int64_t rate = RATES[RS_GET_FIELD(HASH, word)], size = RS_GET_FIELD(BYTES, word), beat = LANE_BYTES * rounds;
    const int64_t appended = RS_GET_FIELD(APPEND, word) ? DIGEST_LANES : 0, total = size + LANE_BYTES * appended;
    const int64_t first = total >= rate ? rs_up(rate, beat) : appended ? rs_up(size, beat) + appended + 1 : rs_up(size + 1, beat);
    const int64_t between = rs_max(permutation, rs_up(rate, beat) + 1);
    const int64_t digest = DIGEST_LANES * ((int64_t)RS_GET_FIELD(HALVES, word) + 1);
    const int64_t further = (LANE_BYTES * digest - 1) / rate * at_least_1(permutation - rate / LANE_BYTES);
    const int64_t skipped = RS_GET_FIELD(SKIP, word) ? RS_TIME_SKIP : 0;
    return p->latency + time->more + permutation + first + total / rate * between + digest + further + skipped;
}

static int64_t draw(const rs_pace_t *p, const rs_op_time_t *time, uint64_t word) {
    const uint8_t *row = RS_TIME_DRAWS[RS_GET_FIELD(DRAW, word)];
    if (!row[0]) return 0;
    if (p->timing->build.field_rounds == 2) row += 2;
    const int64_t drawn = p->n * (row[0] + (int64_t)RS_GET_FIELD(DRAWS, word) * row[1]);
    const int64_t long_seed = RS_GET_FIELD(LONG_SEED, word) ? RS_TIME_LONG_SEED : 0;
    return (drawn + DRAW_WORDS / 2) / DRAW_WORDS + p->n / DRAW_ROW_WORDS + time->more + DIGEST_LANES + long_seed;
}

// Bits of a field by its number; 0: there is none.
static int64_t width_of(uint32_t index) { return index < sizeof RS_FIELD_WIDTHS ? RS_FIELD_WIDTHS[index] : 0; }

static int64_t load_fields(const rs_pace_t *p, const rs_op_time_t *time, uint64_t word, rs_cost_t *cost) {
    const int64_t polys = (int64_t)RS_GET_FIELD(POLYS, word) + 1, rows = p->n / at_least_1(p->timing->build.field_words);
    const int64_t bits = width_of(RS_GET_FIELD(FIELD_WIDTH, word));
    cost->lead = p->latency;
    cost->far = time->more + polys * rs_max(rows, p->n * bits / 64);
    return bits ? p->latency + cost->far + rows : 0;
}

static int64_t store_fields(const rs_pace_t *p, const rs_op_time_t *time, uint64_t word) {
    const int64_t polys = (int64_t)RS_GET_FIELD(POLYS, word) + 1, rows = p->n / at_least_1(p->timing->build.field_words);
    const int64_t bits = width_of(RS_GET_FIELD(FIELD_WIDTH_OUT, word)), by_bits = p->n * bits / 64;
    const int64_t more =
        time->more + (by_bits > rows ? RS_TIME_STORE_WIDE : 0) + (polys * p->n * bits / 8 % LINE_BYTES ? RS_TIME_STORE_PART : 0);
    return bits ? p->latency + more + rows + polys * rs_max(rows + 1, by_bits) : 0;
}

// 0: nobody has measured it.
static int64_t field_work(const rs_pace_t *p, const rs_op_time_t *time, uint64_t word, rs_cost_t *cost) {
    switch ((rs_rule_t)time->rule) {
    case RS_RULE_HASH: return hash(p, time, word);
    case RS_RULE_LOAD_DIGESTS: return p->latency + time->more;
    case RS_RULE_STORE_DIGESTS: return p->latency + time->more + 2 * (LINE_BYTES / p->bus);
    case RS_RULE_DRAW: return draw(p, time, word);
    case RS_RULE_LOAD_FIELDS: return load_fields(p, time, word, cost);
    case RS_RULE_STORE_FIELDS: return store_fields(p, time, word);
    case RS_RULE_NORM:
        return ((int64_t)RS_GET_FIELD(POLYS, word) + 1) * (p->n / at_least_1(p->timing->build.field_words)) + time->more;
    default: return 0;
    }
}

// ---- what times follow from --------------------------------------------------------------------------------------------
rs_status_t rs_timing_check(const rs_timing_t *timing) {
    const rs_status_t status = rs_design_check(&timing->design);
    const rs_timing_memory_t *memory = &timing->memory;
    if (status) return status;
    if (memory->latency > LATENCY_MAX || memory->overhead > OVERHEAD_MAX) return RS_ERR_DEVICE_MEMORY;
    if (memory->bandwidth && memory->bandwidth < BANDWIDTH_MIN) return RS_ERR_DEVICE_MEMORY;
    return timing->log_n && timing->log_n <= RS_PLAN_LOG_N_MAX ? RS_OK : RS_ERR_DESIGN_DEGREE;
}

static void set_size(rs_pace_t *p, uint32_t log_size) {
    p->log_n = log_size ? log_size : p->timing->log_n;
    p->n = (int64_t)1 << p->log_n;
    p->chunks = rs_up(p->n, p->chunk);
    p->beats = rs_up(p->n * p->word_bytes, p->bus);
}

void rs_pace_init(rs_pace_t *p, const rs_timing_t *timing, uint32_t log_size) {
    const rs_design_t *design = &timing->design;
    const int64_t reducers = at_least_1(timing->build.reducers);
    p->timing = timing;
    p->lanes = design->lanes;
    p->log_lanes = log2_up(p->lanes);
    p->word_bytes = (int64_t)rs_design_residue_bytes(design);
    p->bus = design->bus_bits / 8;
    p->latency = timing->memory.latency;
    p->has_fields = (design->features & RS_FEATURE_FIELDS) != 0;
    p->chunk = p->bus / p->word_bytes < 4 * p->lanes ? p->bus / p->word_bytes : 4 * p->lanes;
    p->log_chunk = log2_up(p->chunk);
    p->multiplier = multiplier_latency(design);
    p->lane = 1 + p->multiplier + 2;
    const int64_t lines = at_least_1(timing->build.burst_lines);
    p->burst_bytes = p->chunk == 1 ? LONG_BURST_BYTES : lines * LINE_BYTES;
    p->tail = RS_TIME_TAILS[p->log_chunk] + RS_TIME_LINE * (lines - 1);
    p->ahead = RS_TIME_HELD[p->log_chunk] / reducers;
    set_size(p, log_size);
}

// Instructions without a size of their own have other bits there.
static uint32_t size_of(const rs_op_time_t *time, uint64_t word) {
    return time->bits & RS_FIELD(LOG_SIZE, 1) ? RS_GET_FIELD(LOG_SIZE, word) : 0;
}

int rs_cost_of(rs_pace_t *p, uint64_t word, rs_cost_t *cost) {
    const rs_op_info_t *info = rs_op_info(word);
    if (!info) return 0;
    const rs_op_time_t *time = &RS_OP_TIMES[RS_GET_FIELD(OP, word)];
    const uint32_t log_size = size_of(time, word);
    if (p->log_n != (log_size ? log_size : p->timing->log_n)) set_size(p, log_size);
    *cost = (rs_cost_t){.tail = time->more};
    const int64_t slices = info->uses & RS_USES_SLICES ? (int64_t)RS_GET_FIELD(SLICES, word) + 1 : 1;
    const int64_t limbs = (int64_t)RS_GET_FIELD(LAST_LIMB, word) + 1;
    switch ((rs_rule_t)time->rule) {
    case RS_RULE_LOAD:
    case RS_RULE_STREAM: load(p, time, word, cost); break;
    case RS_RULE_CONTEXT: load_context(p, time, word, cost); break;
    case RS_RULE_NUMBERS:
        cost->tail = 0;
        load_numbers(p, time, word, cost);
        break;
    case RS_RULE_STORE: store(p, time, word, cost); break;
    case RS_RULE_STORE_NUMBERS:
        cost->work = rs_max(rs_up(p->n / 2 * 4, p->bus), p->n / 2);
        cost->tail = p->latency + time->more;
        break;
    case RS_RULE_TRANSFORM:
        cost->work = transform(p, slices, info->uses & RS_USES_PART ? RS_GET_FIELD(PART, word) : RS_PART_ALL);
        break;
    case RS_RULE_FIXED: cost->work = fixed_transform(p); break;
    case RS_RULE_PASS:
        cost->work = slices * p->n / p->lanes;
        cost->tail = p->lane + time->more + rs_design_encodes(&p->timing->design);
        break;
    case RS_RULE_LIFT:
        cost->work = p->chunks;
        if (info->uses & RS_USES_ENCODE) lift_words(p, cost);
        break;
    case RS_RULE_ROUND: cost->work = 2 * p->chunks; break;
    case RS_RULE_SAMPLE: cost->work = sample(p, word); break;
    case RS_RULE_EXPAND:
        cost->work = expand(p, time);
        cost->tail = 0;
        break;
    case RS_RULE_PIPE:
        cost->work = limbs * p->n / at_least_1(rs_design_stream_lanes(&p->timing->design));
        cost->tail = stream(p, limbs, time->more, 0) - cost->work;
        cost->far = stream(p, limbs, time->more, 1) - cost->work;
        break;
    case RS_RULE_PIPE_KEY: break;
    case RS_RULE_DRAIN: cost->tail = drain(p, time); break;
    default: // SPONGE and PACK
        cost->work = field_work(p, time, word, cost);
        cost->tail = 0;
        return cost->work > 0;
    }
    return 1;
}

// ---- the scoreboard's view ---------------------------------------------------------------------------------------------
static uint32_t held_by(rs_operand_t kind, uint32_t number) {
    if (kind == RS_OPERAND_GROUP) return 1u << number;
    if (kind == RS_OPERAND_SLOT) return 1u << (RS_STEP_SLOTS_AT + (number & 7));
    if (kind != RS_OPERAND_SLOTS) return 0;
    return 7u << (RS_STEP_SLOTS_AT + (number < RS_SLOTS_MAX ? number : RS_SLOTS_MAX - 1));
}

int rs_step_of(uint64_t word, rs_step_t *step) {
    const rs_op_info_t *info = rs_op_info(word);
    if (!info || info->unit == RS_UNIT_COUNT) return 0;
    const uint32_t op = RS_GET_FIELD(OP, word);
    const int loads = info->dst == RS_OPERAND_CONTEXT;
    *step = (rs_step_t){.unit = info->unit, .rule = (rs_rule_t)RS_OP_TIMES[op].rule, .op = op, .loads_context = loads};
    step->held = held_by(info->dst, RS_GET_FIELD(DST, word)) | held_by(info->a, RS_GET_FIELD(A, word)) |
                 held_by(info->b, RS_GET_FIELD(B, word));
    step->has_context = loads || info->uses & RS_USES_CTX;
    step->context = (loads ? RS_GET_FIELD(DST, word) : RS_GET_FIELD(CTX, word)) & (RS_STEP_CONTEXTS - 1);
    step->is_signed = op == RS_OP_STREAM && RS_GET_FIELD(SIGNED, word);
    step->adds = (op == RS_OP_LIFT || op == RS_OP_LIFTON) && RS_GET_FIELD(ADD, word);
    step->reads = info->unit == RS_UNIT_LIFT && (info->a == RS_OPERAND_GROUP || info->b == RS_OPERAND_GROUP);
    return 1;
}
