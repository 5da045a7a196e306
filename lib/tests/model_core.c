// SPDX-License-Identifier: Apache-2.0
#include "model_core.h"

#include <stdlib.h>
#include <string.h>

#include "arith/modarith.h"
#include "base/bytes.h"
#include "encoding/fixed.h"
#include "machine/design.h"
#include "machine/instruction.h"
#include "model_parts.h"
#include "reference128.h"

#define BIT(field) (1u << RS_REG_##field##_SHIFT)
// model_core_t.streaming: who has to take the STREAM that is under way
enum { FOR_LIFT = 1, FOR_MSUBS = 2 };
// b_map
enum { MAP_ONE = 1, MAP_PAIR = 2 };
enum { LOG_SIZE_MIN = 7 }; // log2 of the least size of a slice

#define MISUSE(core, condition) ((core)->misuse += (condition) ? 1 : 0)

static uint32_t *reg(model_core_t *c, uint32_t offset) { return &c->registers[offset / 4]; }

// Registers of a frame: its seeds and its pointer 7.
static uint32_t *frame_reg(model_core_t *c, uint32_t frame, uint32_t offset) {
    return frame ? &c->frame_registers[frame][offset / 4] : reg(c, offset);
}

static uint32_t frame_of(uint64_t word) { return rs_op_info(word)->uses & RS_USES_FRAME ? RS_GET_FIELD(FRAME, word) : 0; }

static size_t size_n(model_core_t *c) { return (size_t)1 << *reg(c, RS_REG_LOG_N); }

// log2 of the words of an instruction's polynomial: a slice, or N.
static uint32_t log_size(model_core_t *c, uint64_t word) {
    const uint32_t given = rs_op_info(word)->uses & RS_USES_LOG_SIZE ? RS_GET_FIELD(LOG_SIZE, word) : 0;
    return given ? given : *reg(c, RS_REG_LOG_N);
}

static size_t words_of(model_core_t *c, uint64_t word) { return (size_t)1 << log_size(c, word); }

static uint64_t mul(uint64_t a, uint64_t b, uint64_t q) { return (uint64_t)((test_u128)a * b % q); }

static uint64_t residue_of(int64_t x, uint64_t q) {
    const uint64_t r = rs_fixed_magnitude(x) % q;
    return x < 0 && r ? q - r : r;
}

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t q) {
    uint64_t result = 1 % q;
    for (; exponent; exponent >>= 1, base = mul(base, base, q)) {
        if (exponent & 1) result = mul(result, base, q);
    }
    return result;
}

static uint32_t reverse(uint32_t x, uint32_t bits) {
    uint32_t r = 0;
    for (uint32_t i = 0; i < bits; i++) r |= (x >> i & 1) << (bits - 1 - i);
    return r;
}

static uint32_t log2_of(uint32_t x) {
    uint32_t bits = 0;
    for (; x > 1; x >>= 1) bits++;
    return bits;
}

// ---- what a design says ------------------------------------------------------------------------------------------------
// Frames of a program, at most.
static uint32_t frames_of(const rs_design_t *design) {
    if (design->features & RS_FEATURE_PIPE) return RS_FRAMES_MAX;
    return rs_design_encodes(design) ? RS_FRAMES_ENCODE : 1;
}

// log2 of the smallest slice: 128 words, 8 of each lane, 16 of each stream of a chunk (rs_core_pkg::log_size_min).
static uint32_t log_size_min(const rs_design_t *design) {
    const uint32_t per_beat = design->bus_bits / (design->word_bits > 32 ? 64 : 32), row = 4 * design->lanes;
    const uint32_t streams = 16 * (per_beat < row ? per_beat : row), words = 2 * row > streams ? 2 * row : streams;
    uint32_t least = LOG_SIZE_MIN;
    while ((uint32_t)1 << least < words) least++;
    return least;
}

// 8 bits of two's complement.
static int32_t shift_of(uint32_t bits) { return (int32_t)((bits & 255) ^ 128) - 128; }

// ---- memory ------------------------------------------------------------------------------------------------------------
static uint8_t *bytes_at(model_core_t *c, uint64_t address, size_t bytes) {
    if (model_is_sealed(c) && address >> 63) return model_vault(c, address << 1 >> 1, bytes);
    for (unsigned i = 0; i < MODEL_REGIONS; i++) {
        const model_region_t *r = &c->regions[i];
        const uint64_t offset = address - r->address;
        if (r->host && offset <= r->bytes && bytes <= r->bytes - offset) return (r->shadow ? r->shadow : r->host) + offset;
    }
    return NULL;
}

// pointer + offset.
static uint64_t address_of(model_core_t *c, uint64_t word) {
    return model_pointer(c, RS_GET_FIELD(POINTER, word)) + (uint64_t)RS_GET_FIELD(OFFSET, word) * RS_ISA_LINE_BYTES;
}

// Bytes there, or NULL: no memory there.
static uint8_t *memory_at(model_core_t *c, uint64_t word, size_t bytes) { return bytes_at(c, address_of(c, word), bytes); }

// The pointer of LOADS and STORES: in frames above 0 it is their pointer 7, whatever `pointer` says. That of PIPE always.
static uint32_t numbers_base(uint64_t word) {
    const int own = frame_of(word) || rs_op_info(word)->unit == RS_UNIT_PIPE;
    return own ? (uint32_t)RS_POINTER_MESSAGE : RS_GET_FIELD(POINTER, word);
}

static uint64_t numbers_pointer(model_core_t *c, uint64_t word) {
    const uint32_t frame = frame_of(word), base = RS_REG_POINTER + 8 * numbers_base(word);
    return (uint64_t)*frame_reg(c, frame, base + 4) << 32 | *frame_reg(c, frame, base);
}

// Whether an instruction may use it: both halves were written, and it is a multiple of 64.
static int is_pointer(model_core_t *c, uint32_t frame, uint32_t base) {
    const uint32_t built = frames_of(&c->design) > 1 ? 16 : 8;
    return base < built && (c->pointers_set[frame] >> 2 * base & 3) == 3 &&
           *frame_reg(c, frame, RS_REG_POINTER + 8 * base) % 64 == 0;
}

static uint64_t word_at(const uint8_t *image, size_t index, int wide) {
    if (wide) return rs_load64(image + 8 * index);
    return rs_load32(image + 4 * index);
}

static int is_wide(uint64_t word) { return (int)RS_GET_FIELD(WIDE, word); }

// A core that moves halves of polynomials and words of 2 bytes: FEATURES.stream_lanes has 64 (docs/core.md).
static int is_short(const model_core_t *c) {
    return !(c->design.features & RS_FEATURE_FIELDS) && rs_design_stream_lanes(&c->design) >> 6;
}

// Numbers behind a pointer, and what the field of LOADS and STORES says about them; numbers fill whole lines.
typedef struct numbers {
    uint8_t *image;
    size_t size;  // bytes of a number
    size_t count; // how many numbers
    size_t bytes; // how many bytes of lines
    rs_fixed_layout_t layout;
} numbers_t;

static rs_fixed_layout_t layout_of(uint64_t word) {
    const uint32_t bits = RS_GET_FIELD(NUMBERS, word);
    return (rs_fixed_layout_t){
        .format = bits & ((1u << RS_NUMBERS_FORMAT_BITS) - 1),
        .is_complex = bits >> RS_NUMBERS_COMPLEX_SHIFT & 1,
        .count = (bits >> RS_NUMBERS_COUNT_SHIFT & 0xffff) + 1,
        .exponent = shift_of(bits >> RS_NUMBERS_SHIFT_SHIFT),
    };
}

static numbers_t numbers_at(model_core_t *c, uint64_t word) {
    numbers_t numbers = {.layout = layout_of(word)};
    numbers.size = rs_fixed_format_bytes(numbers.layout.format);
    numbers.count = (size_t)numbers.layout.count << numbers.layout.is_complex;
    numbers.bytes = (numbers.size * numbers.count + 63) / 64 * 64;
    numbers.image = bytes_at(c, numbers_pointer(c, word), numbers.bytes);
    return numbers;
}

// From little-endian memory to the machine's order, or back.
static void copy_numbers(uint8_t *to, const uint8_t *from, size_t count, size_t size) {
    for (size_t i = 0; i < count * size; i++) to[i] = from[RS_LITTLE_ENDIAN ? i : i / size * size + (size - 1 - i % size)];
}

// Words of a LOAD or STORE, and bytes of each; LOAD fills a half up with zeros.
static size_t moved_words(model_core_t *c, uint64_t word) { return words_of(c, word) >> RS_GET_FIELD(HALF, word); }

static size_t moved_bytes(uint64_t word) { return RS_GET_FIELD(NARROW, word) ? 2 : is_wide(word) ? 8 : 4; }

// Whether the residues are below q is told of public ones alone: not of a secret, nor of an error.
static rs_fault_t read_poly(model_core_t *c, uint64_t word, uint64_t *out, uint64_t q) {
    const size_t n = moved_words(c, word), bytes = moved_bytes(word);
    const int hidden = (int)RS_GET_FIELD(SECRET, word) || (RS_GET_FIELD(OP, word) == RS_OP_LOAD && RS_GET_FIELD(ERROR, word));
    const uint8_t *image = memory_at(c, word, n * bytes);
    rs_fault_t fault = RS_FAULT_NONE;
    if (!image) return RS_FAULT_BUS_READ;
    memset(out, 0, words_of(c, word) * sizeof *out);
    for (size_t k = 0; k < n; k++) {
        const uint64_t x = bytes == 2 ? (uint64_t)(image[2 * k] | image[2 * k + 1] << 8) : word_at(image, k, is_wide(word));
        if (x >= q && !hidden) fault = RS_FAULT_RESIDUE;
        out[k] = x;
    }
    return fault;
}

// Signed words of 64 bits, modulo q.
static rs_fault_t read_words(model_core_t *c, uint64_t word, uint64_t *out, uint64_t q) {
    const size_t n = size_n(c);
    const uint8_t *image = memory_at(c, word, 8 * n);
    MISUSE(c, !is_wide(word));
    if (!image) return RS_FAULT_BUS_READ;
    for (uint32_t k = 0; k < n; k++) out[k] = residue_of((int64_t)rs_load64(image + 8 * k), q);
    return RS_FAULT_NONE;
}

static rs_fault_t write_poly(model_core_t *c, uint64_t word, const uint64_t *poly) {
    const size_t n = moved_words(c, word);
    uint8_t *image = memory_at(c, word, n * moved_bytes(word));
    if (!image) return RS_FAULT_BUS_WRITE;
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t x = poly[k];
        if (is_wide(word)) {
            rs_store64(image + 8 * k, x);
        } else {
            rs_store32(image + 4 * k, (uint32_t)x);
        }
    }
    return RS_FAULT_NONE;
}

// ---- contexts ----------------------------------------------------------------------------------------------------------
// psi: the root of the image, in a core with slices, whose q need not be prime; 0: the smallest one.
static const rs_plan_t *plan_of(model_core_t *c, uint64_t q, uint32_t log_n, uint64_t psi) {
    model_modulus_t *m = c->moduli;
    while (m < c->moduli + MODEL_MODULI && m->memory && (m->q != q || m->log_n != log_n || m->psi != psi)) m++;
    if (m == c->moduli + MODEL_MODULI) abort();
    if (!m->memory) {
        const size_t bytes = rs_plan_size(log_n);
        void *memory = malloc(bytes);
        if (!memory) abort();
        if (rs_plan_init(&m->plan, (rs_memory_t){memory, bytes}, log_n, q, psi) != RS_OK) {
            m->plan = NULL;
            free(memory);
            return NULL;
        }
        m->memory = memory;
        m->q = q;
        m->log_n = log_n;
        m->psi = psi;
    }
    return m->plan;
}

// Exponent of psi of word `index` of the image, as hw/ntt/README.md has it; -1: the word is 0.
static int64_t twiddle_exponent(const rs_design_t *d, uint32_t log_n, size_t index) {
    const int64_t n = (int64_t)1 << log_n;
    const int64_t lanes = d->lanes;
    if (!(d->features & RS_FEATURE_ON_THE_FLY)) {
        const uint32_t a = log_n - 2 - log2_of(d->lanes);
        const size_t row = index / d->lanes;
        return 4 * lanes * reverse((uint32_t)(row & ((1u << a) - 1)), a) + 4 * (int64_t)(index % d->lanes) +
               reverse((uint32_t)(row >> a), 2);
    }
    const size_t scalars = (48 + d->lanes - 1) / d->lanes * d->lanes;
    const size_t half = scalars + 3 * d->lanes;
    const int64_t sign = index < half ? 1 : -1;
    const int64_t m = (int64_t)(index % half);
    int64_t exponent;
    if (m < 32) {
        exponent = (sign < 0 ? n : 0) + sign * (4 * lanes * (m / 2) + 2 * (m % 2));
    } else if (m < 48) {
        exponent = sign * (n >> (m - 32));
    } else if ((size_t)m < scalars) {
        return -1;
    } else {
        const size_t k = (size_t)m - scalars;
        exponent = sign * (4 * (int64_t)(k % d->lanes) + reverse((uint32_t)(k / d->lanes), 2));
    }
    return (exponent % (2 * n) + 2 * n) % (2 * n);
}

// words: from `first` on, `count` of them, 0: all.
static void check_twiddles(model_core_t *c, const model_context_t *context, const uint8_t *image, uint64_t radix, size_t first,
                           size_t count) {
    const rs_design_t *d = &c->design;
    const uint32_t log_n = context->log_n;
    const size_t n = (size_t)1 << log_n;
    const size_t rows = (48 + d->lanes - 1) / d->lanes + 3;
    if (!count) count = d->features & RS_FEATURE_ON_THE_FLY ? 2 * rows * d->lanes : n;
    const uint64_t psi = rs_plan_root(context->plan);
    uint64_t *powers = malloc(2 * n * sizeof *powers);
    if (!powers) abort();
    powers[0] = radix;
    for (size_t i = 1; i < 2 * n; i++) powers[i] = mul(powers[i - 1], psi, context->q);
    for (size_t i = 0; i < count; i++) {
        const int64_t exponent = twiddle_exponent(d, log_n, first + i);
        MISUSE(c, word_at(image, i, d->word_bits > 32) != (exponent < 0 ? 0 : powers[exponent]));
    }
    free(powers);
}

// The constants of a context, or of a limb of a key image. radix: what constant factors are multiplied by.
static rs_fault_t load_constants(model_core_t *c, const uint8_t *image, model_context_t *context, uint64_t *radix) {
    const rs_design_t *d = &c->design;
    uint64_t header[8];
    for (unsigned i = 0; i < 8; i++) header[i] = rs_load64(image + 8 * i);
    const uint64_t q = header[0];
    if (q < 3 || !(q & 1) || (d->word_bits < 64 && q >> d->word_bits)) return RS_FAULT_CONTEXT;
    if (q % 2048 != 1) return RS_FAULT_CONTEXT;
    const int sliced = rs_design_slices(d) > 1;
    context->plan = sliced ? NULL : plan_of(c, q, *reg(c, RS_REG_LOG_N), 0);
    context->q = q;
    context->factor = header[6];
    context->constant = header[7];
    const uint32_t bits = 11 * ((d->word_bits + 10) / 11);
    *radix = power(2, bits, q);
    context->radix_inverse = power((q + 1) / 2, bits, q);
    MISUSE(c, header[1] || header[2] || header[3]);
    MISUSE(c, header[4] != (uint64_t)(((test_u128)1 << 64) / q) || header[5] != UINT64_MAX - UINT64_MAX % q - 1);
    MISUSE(c, context->factor >= q || context->constant >= q);
    return RS_FAULT_NONE;
}

static rs_fault_t load_context(model_core_t *c, uint64_t word, model_context_t *context) {
    const uint32_t log_n = log_size(c, word);
    const uint8_t *image = memory_at(c, word, rs_design_context_bytes(&c->design, log_n));
    uint64_t radix;
    if (!image) return RS_FAULT_BUS_READ;
    const rs_fault_t fault = load_constants(c, image, context, &radix);
    const int sliced = rs_design_slices(&c->design) > 1;
    MISUSE(c, fault == RS_FAULT_NONE && !context->plan && !sliced);
    if (fault == RS_FAULT_NONE && !context->plan && !sliced) return RS_FAULT_CONTEXT;
    if (fault == RS_FAULT_NONE && sliced) {
        // the word of psi itself stands at the beginning of the third quarter of the table
        const uint64_t times_r = word_at(image + 64, (size_t)1 << (log_n - 1), c->design.word_bits > 32);
        context->plan = plan_of(c, context->q, log_n, mul(times_r % context->q, context->radix_inverse, context->q));
        MISUSE(c, !context->plan);
        if (!context->plan) return RS_FAULT_NONE; // hardware computes something
    }
    if (fault == RS_FAULT_NONE) check_twiddles(c, context, image + 64, radix, 0, 0);
    return fault;
}

// The constants alone.
static rs_fault_t load_header(model_core_t *c, uint64_t word, model_context_t *context) {
    const uint8_t *image = memory_at(c, word, RS_CONTEXT_HEADER_BYTES);
    uint64_t radix;
    if (!image) return RS_FAULT_BUS_READ;
    return load_constants(c, image, context, &radix);
}

// Twiddles alone, from a place of the image on that says for which stages they are; stored ones.
static rs_fault_t load_twiddles(model_core_t *c, uint64_t word, model_context_t *context) {
    const uint32_t log_n = *reg(c, RS_REG_LOG_N), part = RS_GET_FIELD(PART, word);
    const size_t bytes = rs_design_part_bytes(&c->design, log_n, part), size = rs_design_residue_bytes(&c->design);
    const uint8_t *image = memory_at(c, word, bytes);
    if (!image) return RS_FAULT_BUS_READ;
    const uint64_t radix = power(2, 11 * ((c->design.word_bits + 10) / 11), context->q); // as encode has WLM
    check_twiddles(c, context, image, radix, rs_design_part_offset(&c->design, log_n, part) / size, bytes / size);
    return RS_FAULT_NONE;
}

// The library's tables for this N.
static const rs_fixed_t *fixed_of(model_core_t *c) {
    const uint32_t log_n = *reg(c, RS_REG_LOG_N);
    if (c->fixed && rs_fixed_n(c->fixed) == size_n(c)) return c->fixed;
    const size_t bytes = rs_fixed_size(log_n);
    free(c->fixed_memory);
    c->fixed_memory = malloc(bytes);
    if (!c->fixed_memory || rs_fixed_init(&c->fixed, c->fixed_memory, bytes, log_n, c->design.word_bits) != RS_OK) abort();
    return c->fixed;
}

// Where word `index` of the image is in rs_fixed_roots, as docs/ntt_schedule.md has it.
static size_t root_index(const rs_design_t *d, uint32_t log_n, uint32_t index) {
    if (d->lanes < 4) return index;
    const uint32_t p = log2_of(d->lanes), a = log_n - 2 - p;
    const uint32_t bank = index % d->lanes, row = index / d->lanes;
    const uint32_t x = row >> (a - 1), y = row & ((1u << (a - 1)) - 1);
    const uint32_t t = x << (log_n - 4) | reverse(bank, p - 1) << (a - 1) | y;
    return 2 * t + (bank >> (p - 1));
}

static rs_fault_t load_roots(model_core_t *c, uint64_t word, model_context_t *context) {
    const uint8_t *image = memory_at(c, word, rs_design_roots_bytes(&c->design, *reg(c, RS_REG_LOG_N)));
    if (!image) return RS_FAULT_BUS_READ;
    if (rs_load64(image) != 1) return RS_FAULT_CONTEXT;
    for (uint32_t i = 0; i < size_n(c) / 2; i++) {
        const size_t at = root_index(&c->design, *reg(c, RS_REG_LOG_N), i);
        MISUSE(c, word_at(image + 64, i, c->design.word_bits > 32) != rs_fixed_roots(fixed_of(c))[at]);
    }
    context->q = 1;
    context->factor = rs_load64(image + 48);
    context->constant = rs_load64(image + 56);
    MISUSE(c, (context->constant | context->factor) > UINT64_MAX >> (64 - c->design.word_bits));
    return RS_FAULT_NONE;
}

static unsigned parts_of(uint32_t part) { return part == RS_PART_ALL ? 7 : 1u << (part - 1); }

// What a context has from now on, as decode asks: without what stands in memory.
static void hold_context(model_core_t *c, uint64_t word, model_context_t *context) {
    const uint32_t op = RS_GET_FIELD(OP, word), log_n = log_size(c, word);
    if (op == RS_OP_TWIDDLES) {
        context->twiddles = (context->log_n == log_n ? context->twiddles : 0) | parts_of(RS_GET_FIELD(PART, word));
        context->log_n = log_n;
        context->errors = context->is_newest = context->odd = 0;
    } else {
        *context = (model_context_t){
            .loaded = 1, .log_n = log_n, .roots = op == RS_OP_ROOTS, .twiddles = op == RS_OP_CONTEXT ? parts_of(RS_PART_ALL) : 0};
    }
}

// ---- instructions ------------------------------------------------------------------------------------------------------
static int in_range(const model_core_t *c, rs_operand_t kind, uint32_t number) {
    switch (kind) {
    case RS_OPERAND_GROUP: return number < c->design.groups;
    case RS_OPERAND_SLOT: return number < c->design.slots;
    case RS_OPERAND_SLOTS: return number + RS_OPERAND_SLOTS_COUNT <= c->design.slots;
    case RS_OPERAND_CONTEXT: return number < c->design.contexts;
    case RS_OPERAND_DIGEST: // model_check_fields
    case RS_OPERAND_NONE: break;
    }
    return 1;
}

// ---- slices: docs/core.md, Slices -----------------------------------------------------------------------------------------
// Which slices an operand has.
typedef struct span {
    uint32_t size; // log2 of one
    uint32_t first;
    uint32_t count;
} span_t;

typedef enum role { DST, A, B } role_t;

// Whether the instruction is for a part of a group.
static int is_partial(uint64_t word) {
    const rs_op_info_t *info = rs_op_info(word);
    return info->bits >> RS_ISA_SLICE_DST_SHIFT & 1 && info->uses & RS_USES_LOG_SIZE && RS_GET_FIELD(LOG_SIZE, word) &&
           (info->uses & RS_USES_SLICES || info->dst != RS_OPERAND_CONTEXT);
}

static span_t span_of(model_core_t *c, uint64_t word, role_t role) {
    const int several = !!(rs_op_info(word)->uses & RS_USES_SLICES);
    span_t span = {log_size(c, word), 0, 1};
    if (!is_partial(word)) return span;
    span.first = RS_GET_FIELD(SLICE_DST, word);
    if (rs_op_info(word)->uses & RS_USES_FIELDS) span.count = model_field_polys(word);
    if (!several) return span;
    span.count = RS_GET_FIELD(SLICES, word) + 1;
    if (role == A) span.first = RS_GET_FIELD(SLICE_A, word);
    if (role == B) {
        const uint32_t map = RS_GET_FIELD(B_MAP, word);
        span.first = RS_GET_FIELD(SLICE_B, word);
        if (map) span.count = map;
    }
    return span;
}

static size_t end_of(span_t span) { return (size_t)(span.first + span.count) << span.size; }

// Word j of a slice is word j 2^r + brv_r(slice) of the group's array, r = log2 N - log2 size: consecutive positions.
static size_t word_of(model_core_t *c, uint32_t size, uint32_t slice, size_t j) {
    const uint32_t r = *reg(c, RS_REG_LOG_N) - size;
    return j << r | reverse(slice, r);
}

static void get_slice(model_core_t *c, const model_group_t *g, uint32_t size, uint32_t slice, uint64_t *out) {
    for (size_t j = 0; j < (size_t)1 << size; j++) out[j] = g->words[word_of(c, size, slice, j)];
}

static void put_slice(model_core_t *c, model_group_t *g, uint32_t size, uint32_t slice, const uint64_t *in) {
    for (size_t j = 0; j < (size_t)1 << size; j++) g->words[word_of(c, size, slice, j)] = in[j];
}

// A form, and of NTT form the size: its rows are turned by that.
static uint8_t shape(model_form_t form, uint32_t size) {
    return (uint8_t)((unsigned)form + (form == MODEL_VALUES ? 16 * size : 0));
}

static uint8_t shape_of(model_core_t *c, const model_group_t *g, uint32_t size, uint32_t slice) {
    if (!g->sliced) return shape(g->form, *reg(c, RS_REG_LOG_N));
    return g->forms[(size_t)slice << (size - LOG_SIZE_MIN)];
}

static void set_shape(model_core_t *c, model_group_t *g, uint32_t size, uint32_t slice, uint8_t found) {
    const size_t units = (size_t)1 << (size - LOG_SIZE_MIN);
    if (!g->sliced) memset(g->forms, shape(g->form, *reg(c, RS_REG_LOG_N)), sizeof g->forms);
    g->sliced = 1;
    for (size_t u = 0; u < units; u++) g->forms[slice * units + u] = found;
}

// A whole group is read whose slices have been written one by one.
static void settle(model_core_t *c, model_group_t *g) {
    if (!g->sliced) return;
    g->sliced = 0;
    g->form = (model_form_t)(g->forms[0] % 16);
    for (size_t u = 0; u < size_n(c) >> LOG_SIZE_MIN; u++) MISUSE(c, g->forms[u] != shape(g->form, *reg(c, RS_REG_LOG_N)));
}

// Fields that are no slices, or are not in the group.
static rs_fault_t check_slices(model_core_t *c, uint64_t word) {
    const rs_op_info_t *info = rs_op_info(word);
    if (!(info->uses & RS_USES_LOG_SIZE)) return RS_FAULT_NONE;
    const uint32_t size = RS_GET_FIELD(LOG_SIZE, word), map = RS_GET_FIELD(B_MAP, word), slices = RS_GET_FIELD(SLICES, word);
    const uint32_t first[3] = {RS_GET_FIELD(SLICE_DST, word), RS_GET_FIELD(SLICE_A, word), RS_GET_FIELD(SLICE_B, word)};
    const int several = !!(info->uses & RS_USES_SLICES), one = info->bits >> RS_ISA_SLICE_DST_SHIFT & 1;
    const int fields = (one && first[0]) || (several && (first[1] || first[2] || slices || RS_GET_FIELD(A_XOR, word) || map));
    if (rs_design_slices(&c->design) == 1) return fields || size ? RS_FAULT_ILLEGAL : RS_FAULT_NONE;
    if (!size) return fields ? RS_FAULT_ILLEGAL : RS_FAULT_NONE;
    const uint32_t dst = RS_GET_FIELD(DST, word), a = RS_GET_FIELD(A, word), b = RS_GET_FIELD(B, word);
    const int has_a = info->a == RS_OPERAND_GROUP, has_b = info->b == RS_OPERAND_GROUP, flips = (int)RS_GET_FIELD(A_XOR, word);
    if (several) {
        if (map == 3 || (flips && !(slices & 1))) return RS_FAULT_ILLEGAL;
        if (info->uses & RS_USES_PART && RS_GET_FIELD(PART, word)) return RS_FAULT_ILLEGAL;
        if (has_a && dst == a && (first[0] != first[1] || flips)) return RS_FAULT_ILLEGAL;
        if (has_b && dst == b && (first[0] != first[2] || map)) return RS_FAULT_ILLEGAL;
        if (has_b && a == b && (first[1] != first[2] || flips || map)) return RS_FAULT_ILLEGAL;
    }
    const size_t n = size_n(c);
    if (size < log_size_min(&c->design) || size > *reg(c, RS_REG_LOG_N)) return RS_FAULT_RANGE;
    if (several && slices >= rs_design_slices(&c->design)) return RS_FAULT_RANGE;
    if (one && end_of(span_of(c, word, DST)) > n) return RS_FAULT_RANGE;
    if (several && has_a && end_of(span_of(c, word, A)) > n) return RS_FAULT_RANGE;
    return several && has_b && end_of(span_of(c, word, B)) > n ? RS_FAULT_RANGE : RS_FAULT_NONE;
}

// Whether this program has written what the instruction reads, and all in front of what it writes.
static int is_filled(model_core_t *c, uint64_t word) {
    const rs_op_info_t *info = rs_op_info(word);
    const model_group_t *dst = &c->groups[RS_GET_FIELD(DST, word)], *a = &c->groups[RS_GET_FIELD(A, word)];
    const model_group_t *b = &c->groups[RS_GET_FIELD(B, word)];
    const span_t span = span_of(c, word, DST);
    int filled = 1;
    if (info->dst == RS_OPERAND_GROUP) {
        filled &= (size_t)span.first << span.size <= dst->fill && !(is_partial(word) && dst->part);
        if (info->reads_dst) filled &= end_of(span) <= dst->fill;
    }
    if (info->a == RS_OPERAND_GROUP) filled &= end_of(span_of(c, word, A)) <= a->fill;
    if (info->b == RS_OPERAND_GROUP) filled &= end_of(span_of(c, word, B)) <= b->fill;
    return filled;
}

// part: of an INTT that comes
static int is_full(const model_core_t *c, rs_operand_t kind, uint32_t number, uint32_t part) {
    if (kind == RS_OPERAND_SLOTS) {
        int full = 1;
        for (unsigned i = 0; i < RS_OPERAND_SLOTS_COUNT; i++) full &= c->slot_tags[number + i] != MODEL_EMPTY;
        return full;
    }
    if (kind == RS_OPERAND_GROUP) return c->groups[number].tag != MODEL_EMPTY && c->groups[number].part == (part ? part - 1 : 0);
    return kind == RS_OPERAND_SLOT ? c->slot_tags[number] != MODEL_EMPTY : 1;
}

// ---- tags: docs/instructions.md -----------------------------------------------------------------------------------------
static model_tag_t slot_tag(const model_core_t *c, uint32_t slot) { return slot < MODEL_SLOTS ? c->slot_tags[slot] : MODEL_EMPTY; }

static unsigned slot_error(const model_core_t *c, uint32_t slot) { return slot < MODEL_SLOTS ? c->slot_errors[slot] : 0; }

static int is_under_way(const model_core_t *c, uint32_t frame) { return c->fresh >> frame & 1 || c->current[frame & 1] == frame; }

// What the rules ask for beside the tags.
static model_facts_t facts_of(model_core_t *c, uint64_t word) {
    const int a = (int)RS_GET_FIELD(A, word), b = (int)RS_GET_FIELD(B, word);
    const uint32_t dst = RS_GET_FIELD(DST, word), ctx = RS_GET_FIELD(CTX, word), use = *reg(c, RS_REG_KEY_USE);
    const uint32_t domain = RS_GET_FIELD(DOMAIN, word);
    const unsigned lifted = slot_error(c, (uint32_t)a), first = slot_error(c, dst + 1), second = slot_error(c, dst + 2);
    const model_tag_t tag = slot_tag(c, (uint32_t)a);
    const model_context_t *context = &c->contexts[ctx < MODEL_CONTEXTS ? ctx : 0];
    const int with = c->rounded_with[slot_error(c, dst)];
    return (model_facts_t){
        .encode = !!(c->design.features & RS_FEATURE_ENCODE),
        .slots = c->design.slots > 0,
        .here = c->groups[dst].ctx == ctx,
        .here_a = c->groups[a].ctx == ctx,
        .encrypts = !(use & BIT(KEY_USE_NO_ENCRYPT)) && !model_is_sealed(c),
        .decrypts = !(use & BIT(KEY_USE_NO_DECRYPT)) && !c->sampled && !model_is_sealed(c),
        .linked = c->rounded_with[c->groups[dst].error] == a,
        .unlinked = with == MODEL_NEVER || with == a,
        .lifts = (tag == MODEL_MASK || tag == MODEL_ROUNDED) && !RS_GET_FIELD(FACTOR, word) &&
                 context->errors >> (lifted & 1) & 1 && context->odd == lifted >> 1,
        .secret = (int)RS_GET_FIELD(SECRET, word),
        .error = (int)RS_GET_FIELD(ERROR, word),
        .ternary = (int)RS_GET_FIELD(TERNARY, word),
        .errors = domain == RS_DOMAIN_E0 || domain == RS_DOMAIN_E1,
        .under_way = is_under_way(c, frame_of(word)),
        .paired = !(first & 1) && second == first + 1,
        .both_linked = c->rounded_with[first] == a && c->rounded_with[second] == b,
        .unlifted = c->newest[first >> 1] == MODEL_NEVER,
    };
}

// The tag that dst will have.
static model_tag_t tag_after(model_core_t *c, uint64_t word) {
    const uint32_t op = RS_GET_FIELD(OP, word), number = RS_GET_FIELD(DST, word), a = RS_GET_FIELD(A, word);
    const model_facts_t facts = facts_of(c, word);
    if (model_seal_hidden(c, word)) return MODEL_SECRET;
    const model_tag_t dst = rs_op_info(word)->dst == RS_OPERAND_SLOT ? slot_tag(c, number) : c->groups[number].tag;
    const model_tag_t term = model_term(op, c->groups[a].tag, c->groups[RS_GET_FIELD(B, word)].tag);
    return model_tag_after(op, dst, slot_tag(c, a), term, &facts);
}

static int is_refused(model_core_t *c, uint64_t word) {
    const uint32_t dst = RS_GET_FIELD(DST, word);
    const model_facts_t facts = facts_of(c, word);
    return model_refuses(RS_GET_FIELD(OP, word), c->groups[dst].tag, c->groups[RS_GET_FIELD(A, word)].tag,
                         c->groups[RS_GET_FIELD(B, word)].tag, slot_tag(c, dst), slot_tag(c, dst + 1), slot_tag(c, dst + 2),
                         &facts);
}

static rs_fault_t decode(model_core_t *c, uint64_t word) {
    const rs_op_info_t *info = rs_op_info(word);
    const uint32_t op = RS_GET_FIELD(OP, word), dst = RS_GET_FIELD(DST, word), a = RS_GET_FIELD(A, word), b = RS_GET_FIELD(B, word),
                   ctx = RS_GET_FIELD(CTX, word);
    if (info && info->unit == RS_UNIT_PIPE && !(c->design.features & RS_FEATURE_PIPE)) return RS_FAULT_RANGE;
    if (!info || word & ~info->bits) return RS_FAULT_ILLEGAL;
    // two bits that operations of fields have too
    if (!(info->uses & RS_USES_FIELDS) && !is_short(c) && word & (RS_FIELD(HALF, 1) | RS_FIELD(NARROW, 1))) return RS_FAULT_ILLEGAL;
    const int fields = (info->uses & RS_USES_FIELDS) != 0;
    if (fields && !(c->design.features & RS_FEATURE_FIELDS)) return RS_FAULT_ILLEGAL; // SPONGE and PACK are not built
    const rs_fault_t impossible = fields ? model_check_fields(c, word) : RS_FAULT_NONE;
    if (impossible == RS_FAULT_ILLEGAL) return impossible;
    const rs_fault_t sliced = check_slices(c, word);
    if (sliced == RS_FAULT_ILLEGAL) return sliced;
    if (op == RS_OP_EXPAND && !RS_GET_FIELD(FIRST, word) && !c->expanding) return RS_FAULT_ILLEGAL;
    if (info->uses & RS_USES_ENCODE && !(c->design.features & RS_FEATURE_ENCODE)) return RS_FAULT_RANGE;
    const uint32_t frames = frames_of(&c->design);
    if (info->uses & RS_USES_FRAME && frame_of(word) >= frames) return RS_FAULT_RANGE;
    if (op == RS_OP_CONTEXT && RS_GET_FIELD(ODD, word) && frames == 1) return RS_FAULT_RANGE;
    const uint32_t part = info->uses & RS_USES_PART ? RS_GET_FIELD(PART, word) : 0;
    if (part && !(c->design.features & RS_FEATURE_ENCODE)) return RS_FAULT_RANGE;
    if ((op == RS_OP_CENTRE && dst == a) || ((op == RS_OP_LIFTW || op == RS_OP_LIFTON) && dst == b)) return RS_FAULT_ILLEGAL;
    if (op == RS_OP_LIFTON && c->design.groups < 3) return RS_FAULT_RANGE;
    if (info->uses & RS_USES_NUMBERS) {
        const rs_fixed_layout_t layout = layout_of(word);
        if (layout.format > (op == RS_OP_LOADS ? RS_FIXED_BINARY64 : RS_FIXED_INT64)) return RS_FAULT_ILLEGAL;
    }
    if (!in_range(c, info->dst, dst) || !in_range(c, info->a, a) || !in_range(c, info->b, b)) return RS_FAULT_RANGE;
    if (info->uses & RS_USES_CTX && ctx >= c->design.contexts) return RS_FAULT_RANGE;
    if (sliced != RS_FAULT_NONE) return sliced;
    if (impossible != RS_FAULT_NONE) return impossible;
    const int factor = op == RS_OP_MSUBS || (op == RS_OP_STREAM && RS_GET_FIELD(SECRET, word));
    if (factor && !(c->design.features & RS_FEATURE_STREAM_FACTOR)) return RS_FAULT_RANGE;
    const int sampled = info->unit == RS_UNIT_SAMPLE || info->unit == RS_UNIT_LIFT || (op == RS_OP_STREAM && !factor);
    if (sampled && !(c->design.features & RS_FEATURE_SAMPLER)) return RS_FAULT_RANGE;
    const int reduced = op == RS_OP_STREAM && RS_GET_FIELD(SIGNED, word);
    if (reduced && !(c->design.features & RS_FEATURE_REDUCE)) return RS_FAULT_RANGE;
    if (info->unit == RS_UNIT_EXPAND && !(c->design.features & RS_FEATURE_EXPAND)) return RS_FAULT_RANGE;
    if (info->uses & RS_USES_WIDE && c->design.word_bits > 32 && !is_wide(word)) return RS_FAULT_WIDE;
    const int inside = model_is_inside(c, word) || model_is_keyed_op(c, word);
    if (info->uses & (RS_USES_MEMORY | RS_USES_NEAR) && !inside && !is_pointer(c, 0, RS_GET_FIELD(POINTER, word)))
        return RS_FAULT_ALIGN;
    if (info->uses & (RS_USES_NUMBERS | RS_USES_LIMBS) && !is_pointer(c, frame_of(word), numbers_base(word))) return RS_FAULT_ALIGN;
    if (info->uses & RS_USES_CTX && !c->contexts[ctx].loaded) return RS_FAULT_EMPTY;
    const model_context_t *used = &c->contexts[op == RS_OP_TWIDDLES ? dst : ctx];
    if (op == RS_OP_TWIDDLES && !used->loaded) return RS_FAULT_EMPTY;
    if ((info->reads_dst || info->dst == RS_OPERAND_SLOTS) && !is_full(c, info->dst, dst, part)) return RS_FAULT_EMPTY;
    if (!is_full(c, info->a, a, 0) || !is_full(c, info->b, b, 0) || !is_filled(c, word)) return RS_FAULT_EMPTY;
    if (model_seal_lost(c, word)) return RS_FAULT_EMPTY;
    if (op == RS_OP_TWIDDLES && used->roots) return RS_FAULT_CONTEXT;
    if (info->uses & RS_USES_TWIDDLES && (parts_of(part) & ~used->twiddles || used->log_n != log_size(c, word)))
        return RS_FAULT_CONTEXT;
    if (info->uses & RS_USES_CTX && c->contexts[ctx].roots != !!(info->uses & RS_USES_ROOTS)) return RS_FAULT_CONTEXT;
    if (model_seal_told(c, word)) return RS_FAULT_SECRET;
    const int passes = model_seal_keeps(c, word) || model_sign_keeps(c, word, NULL) || model_sign_releases(c, word);
    return is_refused(c, word) && !passes ? RS_FAULT_SECRET : RS_FAULT_NONE;
}

// ---- errors and moduli: docs/core.md ------------------------------------------------------------------------------------
// A LIFT, LIFTON or LIFTW, of an error that it may lift: an error masks once per modulus.
static void use_error(model_core_t *c, uint64_t word) {
    const unsigned bit = 1u << (c->slot_errors[RS_GET_FIELD(A, word)] & 1);
    model_context_t *context = &c->contexts[RS_GET_FIELD(CTX, word)];
    if (!facts_of(c, word).lifts) return;
    if (context->is_newest) c->newest_errors[context->odd] &= ~bit;
    context->errors &= ~bit;
}

// Another modulus is in a context.
static void forget_modulus(model_core_t *c, uint32_t number) {
    for (unsigned i = 0; i < MODEL_GROUPS; i++) {
        if (model_is_erroneous(c->groups[i].tag) && c->groups[i].ctx == number) c->groups[i].tag = MODEL_SPENT;
    }
}

// A context was loaded. Its modulus gets errors if it is a new one under this seed, or the newest one again: then no other context has it.
static void admit_modulus(model_core_t *c, uint64_t word) {
    const uint32_t number = RS_GET_FIELD(DST, word);
    const unsigned odd = RS_GET_FIELD(ODD, word);
    const int64_t offset = RS_GET_FIELD(OFFSET, word);
    model_context_t *context = &c->contexts[number];
    context->odd = odd;
    forget_modulus(c, number);
    if (RS_GET_FIELD(ASIDE, word) || RS_GET_FIELD(POINTER, word) != RS_POINTER_CONTEXTS || offset < c->newest[odd]) return;
    for (unsigned i = 0; i < MODEL_CONTEXTS; i++) {
        model_context_t *other = &c->contexts[i];
        if (other->odd != odd || !other->is_newest) continue;
        other->is_newest = 0;
        if (offset == c->newest[odd]) other->errors = 0;
    }
    if (offset > c->newest[odd]) c->newest_errors[odd] = 3;
    c->newest[odd] = offset;
    context->is_newest = 1;
    context->errors = c->newest_errors[odd];
}

// Without a seed no error masks anything.
static void forget_errors(model_core_t *c) {
    for (unsigned odd = 0; odd < 2; odd++) {
        c->newest[odd] = INT64_MAX;
        c->newest_errors[odd] = 0;
        c->current[odd] = odd;
    }
    c->fresh = 0;
}

// The seed of a frame was written: its errors are new ones. From 2 on they are when the frame begins.
static void renew_errors(model_core_t *c, uint32_t frame) {
    if (frame > 1) {
        c->fresh |= 1u << frame;
    } else {
        c->current[frame] = frame;
        c->newest[frame] = MODEL_NEVER;
    }
}

// A word of SEED. The errors are new ones when all words have come, in order.
static void seed_written(model_core_t *c, uint32_t frame, uint32_t word) {
    const uint32_t words = RS_SEED_BYTES / 4;
    if (word == words - 1 && c->seed_word == word) renew_errors(c, frame);
    c->seed_word = !word || word == c->seed_word ? (word + 1) % words : 0;
}

// A SAMPLE: perhaps a frame begins. Then what is there of errors of the one before masks no more.
static void begin_frame(model_core_t *c, uint32_t frame) {
    const unsigned odd = frame & 1;
    if (!(c->fresh >> frame & 1)) return;
    c->fresh &= ~(1u << frame);
    c->current[odd] = frame;
    c->newest[odd] = MODEL_NEVER;
    c->rounded_with[2 * odd] = c->rounded_with[2 * odd + 1] = MODEL_NEVER;
    for (unsigned i = 0; i < MODEL_CONTEXTS; i++) {
        if (c->contexts[i].odd != odd) continue;
        c->contexts[i].is_newest = 0;
        c->contexts[i].errors = 0;
    }
    for (unsigned i = 0; i < MODEL_GROUPS; i++) {
        if (model_is_erroneous(c->groups[i].tag) && c->groups[i].error >> 1 == odd) c->groups[i].tag = MODEL_SPENT;
    }
    for (unsigned i = 0; i < MODEL_SLOTS; i++) {
        if (model_is_erroneous(c->slot_tags[i]) && c->slot_errors[i] >> 1 == odd) c->slot_tags[i] = MODEL_SPENT;
    }
}

static void tag_sample(model_core_t *c, uint64_t word) {
    const uint32_t slot = RS_GET_FIELD(DST, word), frame = frame_of(word);
    const model_tag_t tag = tag_after(c, word);
    begin_frame(c, frame);
    c->slot_tags[slot] = tag;
    c->slot_errors[slot] = 2 * (frame & 1) + (RS_GET_FIELD(DOMAIN, word) & 1);
    c->sampled = 1;
}

static void tag_rounded(model_core_t *c, uint64_t word) {
    const uint32_t slot = RS_GET_FIELD(DST, word);
    c->slot_tags[slot] = tag_after(c, word);
    if (c->slot_tags[slot] == MODEL_ROUNDED) c->rounded_with[c->slot_errors[slot]] = (int)RS_GET_FIELD(A, word);
}

// Something new is in a group; of errors whose it is.
static void tag_group(model_core_t *c, uint64_t word, unsigned error) {
    model_group_t *group = &c->groups[RS_GET_FIELD(DST, word)];
    const span_t span = span_of(c, word, DST);
    const model_tag_t tag = tag_after(c, word);
    // what is written over all that there was says the tag
    group->tag = !span.first && end_of(span) >= group->fill ? tag : model_mixed(group->tag, tag);
    if (end_of(span) > group->fill) group->fill = end_of(span);
    if (!is_partial(word)) group->sliced = 0;
    group->error = error;
    group->ctx = RS_GET_FIELD(CTX, word);
    group->part = 0;
    for (unsigned e = 0; e < 4; e++) {
        if (c->rounded_with[e] == (int)RS_GET_FIELD(DST, word)) c->rounded_with[e] = MODEL_GONE;
    }
}

// A modulus, roots or twiddles have come.
static void tag_context(model_core_t *c, uint64_t word) {
    if (RS_GET_FIELD(OP, word) == RS_OP_CONTEXT) {
        admit_modulus(c, word);
    } else {
        forget_modulus(c, RS_GET_FIELD(DST, word));
    }
}

// The errors of a frame are in a ciphertext: until the next frame of its parity begins they mask nothing more.
static void tag_streamed(model_core_t *c, uint64_t word) {
    const uint32_t slot = RS_GET_FIELD(DST, word);
    const unsigned odd = c->slot_errors[slot + 1] >> 1;
    c->slot_tags[slot + 1] = c->slot_tags[slot + 2] = MODEL_SPENT;
    c->newest[odd] = INT64_MAX;
    c->newest_errors[odd] = 0;
    for (unsigned i = 0; i < MODEL_CONTEXTS; i++) {
        if (c->contexts[i].odd != odd) continue;
        c->contexts[i].is_newest = 0;
        c->contexts[i].errors = 0;
    }
}

// What is known of all that an instruction has written, whatever stands there.
static void tag_result(model_core_t *c, uint64_t word) {
    const rs_op_info_t *info = rs_op_info(word);
    const uint32_t op = RS_GET_FIELD(OP, word);
    model_group_t *dst = &c->groups[RS_GET_FIELD(DST, word)], *a = &c->groups[RS_GET_FIELD(A, word)];
    const int taken = (op == RS_OP_ADD || op == RS_OP_SUB) && a->tag == MODEL_MASK && a != dst;
    const int lifted = info->a == RS_OPERAND_SLOT && info->dst == RS_OPERAND_GROUP;
    if (op == RS_OP_SAMPLE) tag_sample(c, word);
    if (op == RS_OP_ROUND) tag_rounded(c, word);
    if (info->dst == RS_OPERAND_SLOTS) tag_streamed(c, word);
    if (info->dst == RS_OPERAND_GROUP)
        tag_group(c, word, lifted ? slot_error(c, RS_GET_FIELD(A, word)) : info->reads_dst ? dst->error : 0);
    if (info->uses & RS_USES_PART && info->dst == RS_OPERAND_GROUP) dst->part = RS_GET_FIELD(PART, word) % RS_PART_REST;
    if (lifted) use_error(c, word);
    if (taken) a->tag = MODEL_SPENT; // a mask is added once
    if (op == RS_OP_EXPAND) c->expanding = 1;
    if (info->dst == RS_OPERAND_SLOTS || op == RS_OP_DRAIN) c->streamed = op != RS_OP_DRAIN;
}

// ---- for model_fields.c: model_parts.h --------------------------------------------------------------------------------------
uint8_t *model_bytes_at(model_core_t *c, uint64_t address, size_t bytes) { return bytes_at(c, address, bytes); }

uint64_t model_pointer(model_core_t *c, uint32_t pointer) {
    const uint64_t given = (uint64_t)*reg(c, RS_REG_POINTER + 8 * pointer + 4) << 32 | *reg(c, RS_REG_POINTER + 8 * pointer);
    if (!model_is_sealed(c)) return given;
    return pointer == RS_VAULT_POINTER ? UINT64_C(1) << 63 : given << 2 >> 2;
}

uint32_t model_log_size(model_core_t *c, uint64_t word) { return log_size(c, word); }

void model_get_slice(model_core_t *c, const model_group_t *g, uint32_t size, uint32_t slice, uint64_t *out) {
    get_slice(c, g, size, slice, out);
}

void model_put_slice(model_core_t *c, model_group_t *g, uint32_t size, uint32_t slice, const uint64_t *in) {
    put_slice(c, g, size, slice, in);
}

void model_set_form(model_core_t *c, model_group_t *g, uint32_t size, uint32_t slice, model_form_t form) {
    set_shape(c, g, size, slice, shape(form, size));
}

int model_has_form(const model_group_t *g, uint32_t size, uint32_t slice, model_form_t form) {
    const size_t units = (size_t)1 << (size - LOG_SIZE_MIN);
    int has = 1;
    for (size_t u = 0; u < units; u++) has &= !g->sliced || g->forms[slice * units + u] == shape(form, size);
    return has && (g->sliced || g->form == form);
}

void model_tag_group(model_core_t *c, uint64_t word) { tag_group(c, word, 0); }

// ---- effects -----------------------------------------------------------------------------------------------------------
static void check_reduced(model_core_t *c, const model_group_t *g, uint64_t q) {
    MISUSE(c, g->form != MODEL_COEFFICIENTS && g->form != MODEL_VALUES);
    for (size_t i = 0; i < size_n(c); i++) MISUSE(c, g->words[i] >= q);
}

// The elementwise operations.
static void elementwise(model_core_t *c, uint64_t word, const model_context_t *ctx) {
    const uint32_t op = RS_GET_FIELD(OP, word);
    model_group_t *dst = &c->groups[RS_GET_FIELD(DST, word)];
    const model_group_t *a = &c->groups[RS_GET_FIELD(A, word)];
    const model_group_t *b = &c->groups[RS_GET_FIELD(B, word)];
    const int by_constant = op == RS_OP_SCALE || op == RS_OP_MSUBC;
    const int streamed = op == RS_OP_MSUBS;
    const int products = op == RS_OP_MUL || op == RS_OP_MAC || op == RS_OP_MSUB;
    const int adds = op != RS_OP_MUL && op != RS_OP_SCALE;
    const uint64_t q = ctx->q;
    if (adds) check_reduced(c, dst, q);
    if (!by_constant) check_reduced(c, a, q);
    if (products) check_reduced(c, b, q);
    MISUSE(c, (adds && dst->form != a->form) || (products && (a->form != b->form || (a->form != MODEL_VALUES && !c->turned))));
    MISUSE(c, streamed && (c->streaming != FOR_MSUBS || a->form != MODEL_VALUES));
    MISUSE(c, a->form != MODEL_COEFFICIENTS && a->form != MODEL_VALUES);
    for (size_t i = 0; i < size_n(c); i++) {
        uint64_t x = a->words[i] % q;
        if (products) x = mul(mul(x, b->words[i], q), ctx->radix_inverse, q);
        if (streamed) x = mul(mul(x, c->stream[i], q), ctx->radix_inverse, q);
        if (by_constant) x = mul(mul(x, ctx->constant, q), ctx->radix_inverse, q);
        const uint64_t y = adds ? dst->words[i] : 0;
        const int minus = op == RS_OP_SUB || op == RS_OP_MSUB || op == RS_OP_MSUBC || streamed;
        dst->words[i] = (y + (minus ? q - x : x)) % q;
    }
    dst->form = a->form;
    if (streamed) c->streaming = 0;
}

// The same, and transforms, of slices.
static void transform_slices(model_core_t *c, uint64_t word, const model_context_t *ctx, model_group_t *dst) {
    const int forward = RS_GET_FIELD(OP, word) == RS_OP_NTT;
    const span_t span = span_of(c, word, DST);
    uint64_t *slice = malloc(words_of(c, word) * sizeof *slice);
    if (!slice) abort();
    MISUSE(c, !ctx->plan);
    for (uint32_t i = span.first; i < span.first + span.count && ctx->plan; i++) {
        get_slice(c, dst, span.size, i, slice);
        MISUSE(c, shape_of(c, dst, span.size, i) != shape(forward ? MODEL_COEFFICIENTS : MODEL_VALUES, span.size));
        for (size_t j = 0; j < words_of(c, word); j++) MISUSE(c, slice[j] >= ctx->q);
        (forward ? rs_plan_forward : rs_plan_inverse)(ctx->plan, slice);
        put_slice(c, dst, span.size, i, slice);
        set_shape(c, dst, span.size, i, shape(forward ? MODEL_VALUES : MODEL_COEFFICIENTS, span.size));
    }
    free(slice);
}

static void elementwise_slices(model_core_t *c, uint64_t word, const model_context_t *ctx) {
    const uint32_t op = RS_GET_FIELD(OP, word), map = RS_GET_FIELD(B_MAP, word), flip = RS_GET_FIELD(A_XOR, word);
    model_group_t *dst = &c->groups[RS_GET_FIELD(DST, word)], *from = &c->groups[RS_GET_FIELD(A, word)];
    const model_group_t *factor = &c->groups[RS_GET_FIELD(B, word)];
    const span_t to = span_of(c, word, DST), a = span_of(c, word, A), b = span_of(c, word, B);
    const int products = op == RS_OP_MUL || op == RS_OP_MAC || op == RS_OP_MSUB, adds = op != RS_OP_MUL && op != RS_OP_SCALE;
    const size_t n = words_of(c, word);
    const uint64_t q = ctx->q;
    uint64_t *x = malloc(3 * n * sizeof *x), *y = x + n, *z = x + 2 * n;
    if (!x) abort();
    for (uint32_t i = 0; i < to.count; i++) {
        const uint32_t other = a.first + (i ^ flip), third = b.first + (map == MAP_ONE ? 0 : map == MAP_PAIR ? i & 1 : i);
        const uint8_t found = shape_of(c, from, a.size, other), form = found % 16;
        get_slice(c, dst, to.size, to.first + i, z);
        get_slice(c, from, a.size, other, x);
        if (products) get_slice(c, factor, b.size, third, y);
        MISUSE(c, form != MODEL_COEFFICIENTS && form != MODEL_VALUES);
        MISUSE(c, adds && shape_of(c, dst, to.size, to.first + i) != found);
        MISUSE(c, products && (form != MODEL_VALUES || shape_of(c, factor, b.size, third) != found));
        for (size_t j = 0; j < n; j++) {
            MISUSE(c, (adds && z[j] >= q) || (op != RS_OP_SCALE && x[j] >= q) || (products && y[j] >= q));
            uint64_t term = x[j] % q;
            if (products) term = mul(mul(term, y[j], q), ctx->radix_inverse, q);
            if (op == RS_OP_SCALE) term = mul(mul(term, ctx->constant, q), ctx->radix_inverse, q);
            const int minus = op == RS_OP_SUB || op == RS_OP_MSUB;
            z[j] = ((adds ? z[j] : 0) + (minus ? q - term : term)) % q;
        }
        put_slice(c, dst, to.size, to.first + i, z);
        set_shape(c, dst, to.size, to.first + i, found);
    }
    free(x);
}

static void lift(model_core_t *c, uint64_t word, const model_context_t *ctx, model_group_t *dst) {
    const int8_t *slot = c->slots[RS_GET_FIELD(A, word)];
    const int add = (int)RS_GET_FIELD(ADD, word);
    const model_group_t *b = RS_GET_FIELD(OP, word) == RS_OP_LIFTON ? &c->groups[RS_GET_FIELD(B, word)] : NULL;
    MISUSE(c, add && c->streaming != FOR_LIFT);
    if (b) check_reduced(c, b, ctx->q);
    MISUSE(c, b && b->form != MODEL_COEFFICIENTS);
    for (size_t i = 0; i < size_n(c); i++) {
        uint64_t x = residue_of(slot[i], ctx->q);
        if (RS_GET_FIELD(FACTOR, word)) x = mul(x, ctx->factor, ctx->q);
        dst->words[i] = (x + (add ? c->stream[i] : 0) + (b ? b->words[i] : 0)) % ctx->q;
    }
    if (add) c->streaming = 0;
    dst->form = MODEL_COEFFICIENTS;
}

// ---- fixed point -------------------------------------------------------------------------------------------------------
// The words of a group as the library has them, and back.
static int64_t *get_words(model_core_t *c, const model_group_t *g, model_form_t form) {
    MISUSE(c, g->form != form);
    for (size_t i = 0; i < size_n(c); i++) c->signed_words[i] = rs_fixed_wrap(g->words[i], c->design.word_bits);
    return c->signed_words;
}

static void put_words(model_core_t *c, uint64_t word, model_form_t form) {
    model_group_t *dst = &c->groups[RS_GET_FIELD(DST, word)];
    for (size_t i = 0; i < size_n(c); i++) dst->words[i] = (uint64_t)c->signed_words[i] & UINT64_MAX >> (64 - c->design.word_bits);
    dst->form = form;
}

// A small value plus a word times 2^shift, which has to be below q.
static rs_fault_t lift_words(model_core_t *c, uint64_t word, const model_context_t *ctx, model_group_t *dst) {
    const int8_t *slot = c->slots[RS_GET_FIELD(A, word)];
    const model_group_t *b = &c->groups[RS_GET_FIELD(B, word)];
    const int32_t shift = shift_of(RS_GET_FIELD(SHIFT, word));
    const int64_t *message = get_words(c, b, MODEL_WORDS);
    uint64_t over = 0;
    for (size_t i = 0; i < size_n(c); i++) {
        const int64_t x = rs_fixed_shift(message[i], shift, &over);
        over |= rs_fixed_magnitude(x) >= ctx->q;
        dst->words[i] = over ? 0 : residue_of(residue_of(x, ctx->q) + residue_of(slot[i], ctx->q), ctx->q);
    }
    dst->form = MODEL_COEFFICIENTS;
    return over ? RS_FAULT_VALUE : RS_FAULT_NONE;
}

static rs_fault_t fault_of(model_core_t *c, rs_status_t status) {
    MISUSE(c, status != RS_OK && status != RS_ERR_VALUE_RANGE);
    return status == RS_OK ? RS_FAULT_NONE : RS_FAULT_VALUE;
}

static rs_fault_t transform_words(model_core_t *c, uint64_t word, const model_group_t *dst) {
    const int inverse = RS_GET_FIELD(OP, word) == RS_OP_IFFT;
    int64_t *re = get_words(c, dst, inverse ? MODEL_POINTS : MODEL_WORDS);
    const rs_status_t status = (inverse ? rs_fixed_inverse : rs_fixed_forward)(fixed_of(c), re, re + size_n(c) / 2);
    put_words(c, word, inverse ? MODEL_WORDS : MODEL_POINTS);
    return fault_of(c, status);
}

static rs_fault_t centre(model_core_t *c, uint64_t word, const model_context_t *ctx, const model_group_t *a) {
    const rs_fixed_scale_t scale = {0, shift_of(RS_GET_FIELD(SHIFT, word))};
    const int whole = (int)RS_GET_FIELD(WHOLE, word); // residues are taken of whatever modulus they are
    uint32_t over = 0;
    if (!whole) check_reduced(c, a, ctx->q);
    MISUSE(c, a->form != MODEL_COEFFICIENTS);
    for (size_t i = 0; i < size_n(c); i++) {
        const uint64_t x = a->words[i];
        MISUSE(c, x >> 63); // the digit below would have another sign
        const int64_t digit = !whole && x > ctx->q / 2 ? -(int64_t)(ctx->q - x) : (int64_t)x;
        c->signed_words[i] = rs_fixed_scale(c->design.word_bits, digit, scale, &over);
    }
    put_words(c, word, MODEL_WORDS);
    return over ? RS_FAULT_VALUE : RS_FAULT_NONE;
}

// Words or points, which stay what they are.
static rs_fault_t scale_words(model_core_t *c, uint64_t word, const model_context_t *ctx, const model_group_t *a) {
    uint32_t over = 0;
    MISUSE(c, a->form != MODEL_POINTS && a->form != MODEL_WORDS);
    int64_t *words = get_words(c, a, a->form);
    for (size_t i = 0; i < size_n(c); i++) words[i] = rs_fixed_times(c->design.word_bits, words[i], ctx->constant, &over);
    put_words(c, word, a->form);
    return over ? RS_FAULT_VALUE : RS_FAULT_NONE;
}

// The end of two limbs: words plus words times a factor.
static rs_fault_t add_words(model_core_t *c, uint64_t word, const model_context_t *ctx, const model_group_t *dst,
                            const model_group_t *a) {
    const uint32_t bits = c->design.word_bits;
    uint32_t over = 0;
    MISUSE(c, a->form != dst->form || (a->form != MODEL_POINTS && a->form != MODEL_WORDS));
    int64_t *words = get_words(c, a, a->form);
    for (size_t i = 0; i < size_n(c); i++) {
        const int64_t product = rs_fixed_times(bits, words[i], ctx->factor, &over);
        words[i] = rs_fixed_sum(bits, rs_fixed_wrap(dst->words[i], bits), product, &over);
    }
    put_words(c, word, a->form);
    return over ? RS_FAULT_VALUE : RS_FAULT_NONE;
}

// Slots: the shift of the instruction is that from a number to a word, or back.
static rs_fault_t load_slots(model_core_t *c, uint64_t word) {
    numbers_t numbers = numbers_at(c, word);
    if (numbers.layout.count > size_n(c) / 2) return RS_FAULT_ILLEGAL;
    if (!numbers.image) return RS_FAULT_BUS_READ;
    rs_fixed_layout_t layout = numbers.layout;
    uint8_t *values = malloc(numbers.count * numbers.size);
    if (!values) abort();
    copy_numbers(values, numbers.image, numbers.count, numbers.size);
    layout.exponent -= (int32_t)c->design.word_bits - 1;
    const rs_status_t status = rs_fixed_load(fixed_of(c), c->signed_words, c->signed_words + size_n(c) / 2, values, &layout);
    free(values);
    put_words(c, word, MODEL_POINTS);
    return fault_of(c, status == RS_ERR_NOT_FINITE ? RS_ERR_VALUE_RANGE : status);
}

static rs_fault_t store_slots(model_core_t *c, uint64_t word, const model_group_t *a) {
    numbers_t numbers = numbers_at(c, word);
    if (numbers.layout.count > size_n(c) / 2) return RS_FAULT_ILLEGAL;
    if (!numbers.image) return RS_FAULT_BUS_WRITE;
    rs_fixed_layout_t layout = numbers.layout;
    uint8_t *values = malloc(numbers.bytes);
    if (!values) abort();
    const int64_t *re = get_words(c, a, MODEL_POINTS);
    layout.exponent = -(layout.exponent + (int32_t)c->design.word_bits - 2);
    const rs_status_t status = rs_fixed_store(fixed_of(c), values, &layout, re, re + size_n(c) / 2);
    memset(numbers.image, 0, numbers.bytes);
    copy_numbers(numbers.image, values, numbers.count, numbers.size);
    free(values);
    return fault_of(c, status);
}

static void round_slot(model_core_t *c, uint64_t word, const model_context_t *ctx) {
    const model_group_t *a = &c->groups[RS_GET_FIELD(A, word)];
    int8_t *slot = c->slots[RS_GET_FIELD(DST, word)];
    check_reduced(c, a, ctx->q);
    MISUSE(c, a->form != MODEL_COEFFICIENTS);
    for (size_t i = 0; i < size_n(c); i++) {
        MISUSE(c, slot[i] < -21 || slot[i] > 21);
        slot[i] = (int64_t)a->words[i] + slot[i] + (int64_t)(ctx->q / 2) >= (int64_t)ctx->q;
    }
}

static void sample(model_core_t *c, uint64_t word) {
    rs_seed_t seed;
    int8_t *slot = c->slots[RS_GET_FIELD(DST, word)];
    const rs_domain_t domain = (rs_domain_t)RS_GET_FIELD(DOMAIN, word);
    for (uint32_t i = 0; i < RS_SEED_BYTES; i += 4) rs_store32(seed.bytes + i, *frame_reg(c, frame_of(word), RS_REG_SEED + i));
    (RS_GET_FIELD(TERNARY, word) ? rs_sample_ternary : rs_sample_cbd21)(slot, size_n(c), &seed, domain);
}

static void expand(model_core_t *c, uint64_t word, const model_context_t *ctx, model_group_t *dst) {
    rs_seed_t seed;
    const uint32_t frame = frame_of(word), limbs = RS_GET_FIELD(LIMBS, word);
    if (RS_GET_FIELD(FIRST, word)) {
        for (uint32_t i = 0; i < RS_SEED_BYTES; i += 4) rs_store32(seed.bytes + i, *frame_reg(c, frame, RS_REG_PUBLIC_SEED + i));
        const rs_status_t status = rs_uniform_init(&c->expansion, RS_SEED_SHAKE256, &seed, *reg(c, RS_REG_LOG_N), limbs);
        c->expanding_frame = frame;
        MISUSE(c, status != RS_OK);
    }
    MISUSE(c, c->expansion.limb_count != limbs || c->expanding_frame != frame);
    MISUSE(c, rs_uniform_next(&c->expansion, ctx->q, dst->words) != RS_OK);
    dst->form = MODEL_VALUES;
}

// ---- streaming ---------------------------------------------------------------------------------------------------------
// The twiddles of bit-reversed exponents below 2^h, then every 2^h-th, h = floor(log_n_max / 2) (hw/stream/README.md). Bytes of them.
static size_t check_stream_tables(model_core_t *c, const model_context_t *context, const uint8_t *image, uint64_t radix) {
    const uint32_t log_n = *reg(c, RS_REG_LOG_N), h = c->design.log_n_max / 2;
    const uint32_t low = 1u << h, high = 1u << (log_n - h);
    const uint64_t psi = rs_plan_root(context->plan);
    for (uint32_t i = 0; i < low + high; i++) {
        const uint32_t j = i < low ? i : (i - low) << h;
        MISUSE(c, rs_load64(image + 8 * (size_t)i) != mul(power(psi, reverse(j, log_n), context->q), radix, context->q));
    }
    return (8 * (size_t)(low + high) + 63) / 64 * 64;
}

// c_j of one limb: NTT(bits_j + m_j - v_j constant) + pk_j NTT(u factor), m_1 = 0. PIPEM: the message is words of group a.
static rs_fault_t stream_limb(model_core_t *c, uint64_t word, const model_context_t *ctx, const uint8_t *message,
                              const uint8_t *const pk[2], uint8_t *const out[2]) {
    const size_t n = size_n(c);
    const uint32_t slot = RS_GET_FIELD(DST, word);
    const int rounded = RS_GET_FIELD(OP, word) == RS_OP_PIPE, worded = RS_GET_FIELD(OP, word) == RS_OP_PIPEM;
    const int64_t *words = worded ? get_words(c, &c->groups[RS_GET_FIELD(A, word)], MODEL_WORDS) : NULL;
    const int32_t shift = shift_of(RS_GET_FIELD(WORDS_SHIFT, word));
    const uint64_t q = ctx->q;
    uint64_t over = 0;
    uint64_t *u = malloc(2 * n * sizeof *u), *x = u + n;
    rs_fault_t fault = RS_FAULT_NONE;
    if (!u) abort();
    for (size_t i = 0; i < n; i++) u[i] = mul(residue_of(c->slots[slot][i], q), ctx->factor, q);
    rs_plan_forward(ctx->plan, u);
    for (unsigned j = 0; j < 2; j++) {
        const uint64_t *v = c->groups[j ? RS_GET_FIELD(B, word) : RS_GET_FIELD(A, word)].words;
        for (size_t i = 0; i < n; i++) {
            const int64_t own = words ? rs_fixed_shift(words[i], shift, &over) : (int64_t)rs_load64(message + 8 * i);
            const int64_t m = j ? 0 : own;
            const uint64_t step = rounded ? mul(mul(v[i] % q, ctx->constant, q), ctx->radix_inverse, q) : 0;
            if (over || rs_fixed_magnitude(m) >= q) fault = RS_FAULT_VALUE;
            x[i] = (residue_of(c->slots[slot + 1 + j][i], q) + q - step + residue_of(m, q)) % q;
        }
        rs_plan_forward(ctx->plan, x);
        for (size_t i = 0; i < n; i++) {
            const uint64_t key = rs_load64(pk[j] + 8 * i);
            if (key >= q) fault = RS_FAULT_RESIDUE;
            rs_store64(out[j] + 8 * i, (x[i] + mul(mul(key % q, u[i], q), ctx->radix_inverse, q)) % q);
        }
    }
    free(u);
    return fault;
}

static rs_fault_t stream_frame(model_core_t *c, uint64_t word) {
    const size_t poly = 8 * size_n(c), limbs = RS_GET_FIELD(LAST_LIMB, word) + 1;
    const size_t image_bytes = rs_design_stream_key_bytes(&c->design, *reg(c, RS_REG_LOG_N));
    const uint64_t frame = numbers_pointer(c, word);
    const uint8_t *message = bytes_at(c, frame, poly);
    uint8_t *out = bytes_at(c, frame + poly, 2 * limbs * poly);
    rs_fault_t fault = RS_FAULT_NONE;
    MISUSE(c, !c->has_key);
    if (!message) return RS_FAULT_BUS_READ;
    if (!out) return RS_FAULT_BUS_WRITE;
    for (size_t limb = 0; limb < limbs && fault == RS_FAULT_NONE; limb++) {
        const uint8_t *image = bytes_at(c, c->key_image + limb * image_bytes, image_bytes);
        model_context_t context = {0};
        uint64_t radix;
        if (!image) return RS_FAULT_BUS_READ;
        fault = load_constants(c, image, &context, &radix);
        if (fault != RS_FAULT_NONE) return fault;
        const uint8_t *key = image + 64 + check_stream_tables(c, &context, image + 64, radix);
        const uint8_t *const pk[2] = {key, key + poly};
        uint8_t *const to[2] = {out + limb * poly, out + (limbs + limb) * poly};
        MISUSE(c, key + 2 * poly != image + image_bytes);
        fault = stream_limb(c, word, &context, message, pk, to);
    }
    return fault;
}

static rs_fault_t execute_slices(model_core_t *c, uint64_t word, const model_context_t *ctx) {
    const uint32_t op = RS_GET_FIELD(OP, word), size = log_size(c, word), slice = RS_GET_FIELD(SLICE_DST, word);
    model_group_t *dst = &c->groups[RS_GET_FIELD(DST, word)], *a = &c->groups[RS_GET_FIELD(A, word)];
    const model_form_t form = RS_GET_FIELD(NTT, word) ? MODEL_VALUES : MODEL_COEFFICIENTS;
    rs_fault_t fault = RS_FAULT_NONE;
    if (op == RS_OP_NTT || op == RS_OP_INTT) {
        transform_slices(c, word, ctx, dst);
    } else if (op == RS_OP_LOAD || op == RS_OP_STORE) {
        uint64_t *words = malloc(words_of(c, word) * sizeof *words);
        if (!words) abort();
        if (op == RS_OP_LOAD) {
            fault = read_poly(c, word, words, ctx->q);
            if (fault != RS_FAULT_BUS_READ) put_slice(c, dst, size, slice, words);
            set_shape(c, dst, size, slice, shape(form, size));
        } else {
            get_slice(c, a, size, slice, words);
            MISUSE(c, shape_of(c, a, size, slice) != shape(form, size));
            fault = write_poly(c, word, words);
        }
        free(words);
    } else {
        elementwise_slices(c, word, ctx);
    }
    return fault;
}

// What stands in groups, slots and memory, without tags.
static rs_fault_t compute(model_core_t *c, uint64_t word) {
    const uint32_t op = RS_GET_FIELD(OP, word);
    const rs_op_info_t *info = rs_op_info(word);
    const model_context_t *ctx = &c->contexts[RS_GET_FIELD(CTX, word)];
    model_group_t *dst = &c->groups[RS_GET_FIELD(DST, word)];
    model_group_t *a = &c->groups[RS_GET_FIELD(A, word)];
    if (is_partial(word)) return execute_slices(c, word, ctx);
    if (info->dst == RS_OPERAND_GROUP && info->reads_dst) settle(c, dst);
    if (info->a == RS_OPERAND_GROUP) settle(c, a);
    if (info->b == RS_OPERAND_GROUP) settle(c, &c->groups[RS_GET_FIELD(B, word)]);
    switch (op) {
    case RS_OP_LOAD:
        dst->form = RS_GET_FIELD(NTT, word) ? MODEL_VALUES : MODEL_COEFFICIENTS;
        return read_poly(c, word, dst->words, ctx->q);
    case RS_OP_STORE:
        MISUSE(c, a->form != (RS_GET_FIELD(NTT, word) ? MODEL_VALUES : MODEL_COEFFICIENTS));
        return write_poly(c, word, a->words);
    case RS_OP_CONTEXT: return load_context(c, word, &c->contexts[RS_GET_FIELD(DST, word)]);
    case RS_OP_CONSTANTS: return load_header(c, word, &c->contexts[RS_GET_FIELD(DST, word)]);
    case RS_OP_TWIDDLES: return load_twiddles(c, word, &c->contexts[RS_GET_FIELD(DST, word)]);
    case RS_OP_STREAM:
        c->streaming = RS_GET_FIELD(SECRET, word) ? FOR_MSUBS : FOR_LIFT;
        if (RS_GET_FIELD(SIGNED, word)) return read_words(c, word, c->stream, ctx->q);
        return read_poly(c, word, c->stream, ctx->q);
    case RS_OP_NTT:
    case RS_OP_INTT:
        MISUSE(c, dst->form != (op == RS_OP_INTT ? MODEL_VALUES : MODEL_COEFFICIENTS));
        check_reduced(c, dst, ctx->q);
        MISUSE(c, dst->part && dst->q != ctx->q);
        if (RS_GET_FIELD(PART, word) % RS_PART_REST) {
            dst->q = ctx->q;
            break;
        }
        (op == RS_OP_NTT ? rs_plan_forward : rs_plan_inverse)(ctx->plan, dst->words);
        dst->form = op == RS_OP_NTT ? MODEL_VALUES : MODEL_COEFFICIENTS;
        break;
    case RS_OP_SAMPLE: sample(c, word); break;
    case RS_OP_LIFT:
    case RS_OP_LIFTON: lift(c, word, ctx, dst); break;
    case RS_OP_LIFTW: return lift_words(c, word, ctx, dst);
    case RS_OP_IFFT:
    case RS_OP_FFT: return transform_words(c, word, dst);
    case RS_OP_CENTRE: return centre(c, word, ctx, a);
    case RS_OP_SCALEW: return scale_words(c, word, ctx, a);
    case RS_OP_MACW: return add_words(c, word, ctx, dst, a);
    case RS_OP_LOADS: return load_slots(c, word);
    case RS_OP_STORES: return store_slots(c, word, a);
    case RS_OP_ROOTS: return load_roots(c, word, &c->contexts[RS_GET_FIELD(DST, word)]);
    case RS_OP_ROUND: round_slot(c, word, ctx); break;
    case RS_OP_PIPEKEY:
        c->key_image = address_of(c, word);
        c->has_key = 1;
        break;
    case RS_OP_PIPE:
    case RS_OP_PIPED:
    case RS_OP_PIPEM: return stream_frame(c, word);
    case RS_OP_DRAIN: break;
    case RS_OP_EXPAND: expand(c, word, ctx, dst); break;
    default: elementwise(c, word, ctx);
    }
    return RS_FAULT_NONE;
}

static rs_fault_t execute(model_core_t *c, uint64_t word) {
    const rs_op_info_t *info = rs_op_info(word);
    const int fields = (info->uses & RS_USES_FIELDS) != 0, context = info->dst == RS_OPERAND_CONTEXT;
    // the LOAD unit is taken by a STREAM that no LIFT has asked for: the program would hang
    if (info->unit == RS_UNIT_LOAD && c->streaming) return RS_FAULT_WATCHDOG;
    if (!fields) model_sign_after(c, word);
    if (context) hold_context(c, word, &c->contexts[RS_GET_FIELD(DST, word)]);
    const rs_fault_t fault = c->judges ? RS_FAULT_NONE : (fields ? model_run_fields : compute)(c, word);
    if (fields) {
        model_sign_after(c, word);
        model_seal_after(c, word);
    } else if (!context) {
        tag_result(c, word);
    } else if (fault == RS_FAULT_NONE) {
        tag_context(c, word);
    }
    return fault;
}

// ---- traces ------------------------------------------------------------------------------------------------------------
static uint64_t fnv(uint64_t hash, const void *bytes, size_t count) {
    for (const uint8_t *p = bytes; count--; p++) hash = (hash ^ *p) * UINT64_C(0x100000001b3);
    return hash;
}

// FNV-1a of what an instruction wrote (STORE, STREAM: of what passed), in the order of memory positions, 8 bytes each, slots one.
static uint64_t hash_of(model_core_t *c, uint64_t word) {
    const uint32_t op = RS_GET_FIELD(OP, word);
    const rs_op_info_t *info = rs_op_info(word);
    const uint32_t log_n = *reg(c, RS_REG_LOG_N);
    const uint64_t *words = c->groups[RS_GET_FIELD(DST, word)].words;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    if (info->unit == RS_UNIT_STORE) words = c->groups[RS_GET_FIELD(A, word)].words;
    if (op == RS_OP_STREAM) words = c->stream;
    const int context = info->dst == RS_OPERAND_CONTEXT;
    if (info->unit == RS_UNIT_PIPE) return hash;
    if (context) words = &c->contexts[RS_GET_FIELD(DST, word)].q;
    for (uint32_t k = 0; k < (context ? 1 : size_n(c)); k++) {
        uint8_t bytes[8];
        rs_store64(bytes, words[context ? 0 : reverse(k, log_n)]);
        if (info->dst == RS_OPERAND_SLOT) bytes[0] = (uint8_t)c->slots[RS_GET_FIELD(DST, word)][reverse(k, log_n)];
        hash = fnv(hash, bytes, info->dst == RS_OPERAND_SLOT ? 1 : 8);
    }
    return hash;
}

static void corrupt(model_core_t *c, uint64_t word) {
    const rs_op_info_t *info = rs_op_info(word);
    const uint32_t dst = RS_GET_FIELD(DST, word);
    if (info->dst == RS_OPERAND_GROUP) c->groups[dst].words[3] ^= 1;
    if (info->dst == RS_OPERAND_SLOT) c->slots[dst][3] ^= 1;
    if (info->uses & RS_USES_LIMBS) *bytes_at(c, numbers_pointer(c, word) + 8 * size_n(c) + 24, 1) ^= 1;
    c->corrupted += info->dst == RS_OPERAND_GROUP || info->dst == RS_OPERAND_SLOT || info->dst == RS_OPERAND_SLOTS;
}

// ---- programs ----------------------------------------------------------------------------------------------------------
static void end(model_core_t *c, rs_fault_t cause, uint32_t pc) {
    c->seal.cleared = cause == RS_FAULT_WATCHDOG || cause == RS_FAULT_ABORTED;
    *reg(c, RS_REG_STATUS) = (*reg(c, RS_REG_STATUS) & BIT(STATUS_ERROR)) | BIT(STATUS_DONE) | BIT(STATUS_IRQ) |
                             (uint32_t)cause << RS_REG_STATUS_CAUSE_SHIFT | pc << RS_REG_STATUS_PC_SHIFT;
}

static uint32_t *busy_of(model_core_t *c, uint32_t unit) {
    return reg(c, unit == RS_UNIT_PIPE ? RS_REG_BUSY_PIPE : RS_REG_BUSY + 4 * unit);
}

static void zeroize(model_core_t *c) {
    const size_t n = (size_t)1 << c->design.log_n_max;
    memset(reg(c, RS_REG_SEED), 0, RS_SEED_BYTES);
    memset(reg(c, RS_REG_PUBLIC_SEED), 0, RS_SEED_BYTES);
    for (uint32_t frame = 1; frame < RS_FRAMES_MAX; frame++) {
        memset(frame_reg(c, frame, RS_REG_SEED), 0, RS_SEED_BYTES);
        memset(frame_reg(c, frame, RS_REG_PUBLIC_SEED), 0, RS_SEED_BYTES);
    }
    c->seed_word = 0;
    if (model_is_sealed(c)) *reg(c, RS_REG_PROGRAM_LO) = *reg(c, RS_REG_PROGRAM_HI) = 0;
    forget_errors(c);
    for (unsigned i = 0; i < MODEL_GROUPS; i++) memset(c->groups[i].words, 0, n * sizeof(uint64_t));
    for (unsigned i = 0; i < MODEL_SLOTS; i++) memset(c->slots[i], 0, n);
    memset(c->stream, 0, n * sizeof(uint64_t));
    memset(c->signed_words, 0, n * sizeof(int64_t));
    memset(c->digests, 0, sizeof c->digests);
    model_seal_wipe(c);
}

// The memory does not answer: a program that is ended leaves the bus hanging, and the core wipes itself.
static void hang(model_core_t *c, rs_fault_t cause) {
    end(c, cause, 0);
    *reg(c, RS_REG_STATUS) |= BIT(STATUS_BUS_HUNG);
    zeroize(c);
}

static void run(model_core_t *c) {
    if (c->bus_dead) {
        hang(c, RS_FAULT_WATCHDOG);
        return;
    }
    const uint32_t log_n = *reg(c, RS_REG_LOG_N);
    const uint32_t watchdog = *reg(c, RS_REG_WATCHDOG);
    c->programs++;
    c->streaming = 0;
    c->expanding = 0;
    c->streamed = 0;
    c->has_key = 0;
    c->sampled = 0;
    model_seal_begin(c);
    for (unsigned e = 0; e < 4; e++) c->rounded_with[e] = MODEL_NEVER;
    memset(c->slot_tags, 0, sizeof c->slot_tags);
    memset(c->contexts, 0, sizeof c->contexts);
    for (unsigned i = 0; i < MODEL_GROUPS; i++) {
        c->groups[i].tag = MODEL_EMPTY;
        c->groups[i].part = 0;
        c->groups[i].fill = 0;
        c->groups[i].sliced = 0;
    }
    for (uint32_t u = 0; u <= RS_UNIT_PIPE; u++) *busy_of(c, u) = 0;
    *reg(c, RS_REG_CYCLES) = 0;
    if (log_n < c->design.log_n_min || log_n > c->design.log_n_max) {
        end(c, RS_FAULT_LOG_N, 0);
        return;
    }
    for (uint32_t pc = 0;; pc++) {
        rs_fault_t fault = RS_FAULT_NONE;
        if (pc == c->program_words) {
            end(c, RS_FAULT_PROGRAM, pc);
            return;
        }
        const uint64_t word = c->program[pc];
        if ((int)pc == c->inject_pc) fault = c->inject_fault;
        if (fault == RS_FAULT_NONE) fault = decode(c, word);
        if (fault == RS_FAULT_NONE && RS_GET_FIELD(OP, word) == RS_OP_END && c->streamed) fault = RS_FAULT_ILLEGAL;
        if (fault == RS_FAULT_NONE && RS_GET_FIELD(OP, word) == RS_OP_END) {
            end(c, c->streaming ? RS_FAULT_WATCHDOG : RS_FAULT_NONE, pc);
            return;
        }
        if (fault == RS_FAULT_NONE) fault = execute(c, word);
        *reg(c, RS_REG_CYCLES) += MODEL_INSTRUCTION_CYCLES;
        if (fault == RS_FAULT_NONE && watchdog && *reg(c, RS_REG_CYCLES) > watchdog) fault = RS_FAULT_WATCHDOG;
        if (fault != RS_FAULT_NONE) {
            end(c, fault, pc);
            return;
        }
        if (rs_op_info(word)->unit <= RS_UNIT_PIPE) *busy_of(c, rs_op_info(word)->unit) += MODEL_INSTRUCTION_CYCLES;
        if ((int)pc == c->corrupt_pc) corrupt(c, word);
        if (c->trace) {
            char text[96];
            rs_instruction_text(word, text, sizeof text);
            fprintf(c->trace, "%4u %016llx %s\n", (unsigned)pc, (unsigned long long)hash_of(c, word), text);
        }
    }
}

// ---- the bus -----------------------------------------------------------------------------------------------------------
static rs_status_t access_ok(model_core_t *c, uint32_t offset) {
    if (c->bus_error_after >= 0 && c->bus_error_after-- == 0) {
        c->bus_error_after = 0; // and from then on
        return RS_ERR_IO;
    }
    if (c->foreign > 0) {
        if (--c->foreign)
            *reg(c, RS_REG_STATUS) |= BIT(STATUS_BUSY);
        else
            *reg(c, RS_REG_STATUS) &= ~BIT(STATUS_BUSY);
    }
    return offset % 4 || offset >= sizeof c->registers ? RS_ERR_IO : RS_OK;
}

static void abort_program(model_core_t *c) {
    if (!c->started || c->never_idle) return;
    c->started = 0;
    if (c->bus_dead) {
        hang(c, RS_FAULT_ABORTED);
    } else {
        end(c, RS_FAULT_ABORTED, 0);
    }
}

// The program runs at once, unless wait() has to come first.
static void start_if_due(model_core_t *c) {
    if (!c->started || c->wakes > 0 || c->never_done) return;
    c->started = 0;
    run(c);
}

// Whether what PROGRAM_LO and PROGRAM_HI hold is of a key.
static int is_lane(model_core_t *c) { return model_is_sealed(c) && *reg(c, RS_REG_PROGRAM_INDEX) >> 15 & 1; }

static void forget_lane(model_core_t *c) { *reg(c, RS_REG_PROGRAM_LO) = *reg(c, RS_REG_PROGRAM_HI) = 0; }

static rs_status_t bus_read(void *state, uint32_t offset, uint32_t *value) {
    model_core_t *c = state;
    const rs_status_t status = access_ok(c, offset);
    if (status != RS_OK) return status;
    c->reads += offset == RS_REG_STATUS;
    const int lane = (offset == RS_REG_PROGRAM_LO || offset == RS_REG_PROGRAM_HI) && is_lane(c);
    const int hidden = lane || (offset >= RS_REG_POINTER && offset < RS_REG_PUBLIC_SEED + RS_SEED_BYTES); // all operands
    *value = hidden ? 0 : *reg(c, offset);
    if (offset == RS_REG_STATUS) *value |= c->alert << RS_REG_STATUS_ALERT_SHIFT | (c->alert > 1 ? BIT(STATUS_ZEROIZING) : 0);
    return RS_OK;
}

// Whether a write to this register is ignored now.
static int is_held(model_core_t *c, uint32_t offset) {
    const uint32_t status = *reg(c, RS_REG_STATUS);
    const int seeds = offset >= RS_REG_SEED && offset < RS_REG_PUBLIC_SEED + RS_SEED_BYTES;
    const int program = offset == RS_REG_PROGRAM_HI && model_is_sealed(c);
    const int others = offset == RS_REG_LOG_N || offset == RS_REG_WATCHDOG || offset == RS_REG_FRAME ||
                       offset == RS_REG_PROGRAM_HI || (offset >= RS_REG_POINTER && offset < RS_REG_SEED);
    return ((seeds || program) && status & (BIT(STATUS_BUSY) | BIT(STATUS_BUS_HUNG))) || (others && status & BIT(STATUS_BUSY));
}

static rs_status_t bus_write(void *state, uint32_t offset, uint32_t value) {
    model_core_t *c = state;
    const rs_status_t status = access_ok(c, offset);
    if (status != RS_OK) return status;
    if (offset < RS_REG_CONTROL || offset == RS_REG_STATUS || offset == RS_REG_CYCLES) return RS_ERR_IO;
    if (offset == RS_REG_CONTROL) {
        if (value & BIT(CONTROL_CLEAR_IRQ)) *reg(c, RS_REG_STATUS) &= ~(BIT(STATUS_IRQ) | BIT(STATUS_ERROR));
        if (value & BIT(CONTROL_BUS_RESET)) *reg(c, RS_REG_STATUS) &= ~BIT(STATUS_BUS_HUNG);
        if (value & (BIT(CONTROL_ABORT) | BIT(CONTROL_ZEROIZE))) abort_program(c);
        if (value & BIT(CONTROL_ZEROIZE)) {
            c->zeroizes++;
            zeroize(c);
        }
        *reg(c, RS_REG_CONTROL) = value & BIT(CONTROL_IRQ_ENABLE);
        if (!(value & BIT(CONTROL_START))) return RS_OK;
        c->starts++;
        if (*reg(c, RS_REG_STATUS) & (BIT(STATUS_BUSY) | BIT(STATUS_BUS_HUNG))) {
            *reg(c, RS_REG_STATUS) |= BIT(STATUS_ERROR);
        } else {
            *reg(c, RS_REG_STATUS) = BIT(STATUS_BUSY) | (*reg(c, RS_REG_STATUS) & BIT(STATUS_ERROR));
            c->started = 1;
            start_if_due(c);
        }
        return RS_OK;
    }
    if (is_held(c, offset)) {
        *reg(c, RS_REG_STATUS) |= BIT(STATUS_ERROR);
        return RS_OK;
    }
    if (offset == RS_REG_KEY_USE) value |= *reg(c, offset); // until reset
    const uint32_t frame = *reg(c, RS_REG_FRAME) & (frames_of(&c->design) - 1);
    const int seeds = offset >= RS_REG_SEED && offset < RS_REG_PUBLIC_SEED + RS_SEED_BYTES;
    if (offset == RS_REG_FRAME) c->seed_word = 0;
    if (offset >= RS_REG_SEED && offset < RS_REG_SEED + RS_SEED_BYTES) seed_written(c, frame, (offset - RS_REG_SEED) / 4);
    if (offset == RS_REG_PROGRAM_INDEX && is_lane(c)) forget_lane(c);
    const int framed = seeds || (offset & ~7u) == RS_REG_POINTER + 8 * (uint32_t)RS_POINTER_MESSAGE;
    if (offset >= RS_REG_POINTER && offset < RS_REG_SEED)
        c->pointers_set[framed ? frame : 0] |= 1u << (offset - RS_REG_POINTER) / 4;
    if (framed) {
        *frame_reg(c, frame, offset) = value;
    } else {
        *reg(c, offset) = value;
    }
    if (offset == RS_REG_PROGRAM_HI) {
        const uint32_t index = (*reg(c, RS_REG_PROGRAM_INDEX))++;
        model_seal_written(c, index, (uint64_t)value << 32 | *reg(c, RS_REG_PROGRAM_LO));
        if (model_is_sealed(c) && index >= RS_KEY_INDEX) {
            forget_lane(c);
            return RS_OK;
        }
        if (index >= c->design.program_depth) return RS_ERR_IO;
        c->program[index] = (uint64_t)value << 32 | *reg(c, RS_REG_PROGRAM_LO);
        // a program is written from word 0 on; what is behind a gap does not count
        if (!index || index == c->program_words) c->program_words = index + 1;
        c->words_written++;
    }
    return RS_OK;
}

static rs_status_t bus_wait(void *state) {
    model_core_t *c = state;
    if (c->wakes > 0) c->wakes--;
    MISUSE(c, !(*reg(c, RS_REG_CONTROL) & BIT(CONTROL_IRQ_ENABLE)));
    start_if_due(c);
    return RS_OK;
}

// ---- memory that is not coherent: the core has a copy of its own, that the driver's calls bring up to date --------------------------
static const model_region_t *region_of(model_core_t *c, const void *data, size_t bytes) {
    const uint8_t *p = data;
    for (unsigned i = 0; i < MODEL_REGIONS; i++) {
        const model_region_t *r = &c->regions[i];
        if (r->host && p >= r->host && p + bytes <= r->host + r->bytes) return r;
    }
    return NULL;
}

static void sync_for_device(void *state, const void *data, size_t bytes) {
    model_core_t *c = state;
    const model_region_t *r = region_of(c, data, bytes);
    MISUSE(c, !r);
    if (r) memcpy(r->shadow + ((const uint8_t *)data - r->host), data, bytes);
}

static void sync_for_cpu(void *state, const void *data, size_t bytes) {
    model_core_t *c = state;
    const model_region_t *r = region_of(c, data, bytes);
    MISUSE(c, !r);
    if (r) memcpy(r->host + ((const uint8_t *)data - r->host), r->shadow + ((const uint8_t *)data - r->host), bytes);
}

// Where a caller's array is for the core: somewhere else than memory.
static int reach(void *state, const void *data, size_t bytes, uint64_t *address) {
    model_core_t *c = state;
    const uint8_t *p = data;
    for (unsigned i = 1; i < MODEL_REGIONS; i++) { // an array that overlaps is a former one
        model_region_t *old = &c->regions[i];
        if (old->host < p + bytes && p < old->host + old->bytes) old->host = NULL;
    }
    model_region_t *r = &c->regions[1 + c->reached++ % (MODEL_REGIONS - 1)];
    free(r->shadow);
    *r = (model_region_t){(uint8_t *)(uintptr_t)data, NULL, bytes, (UINT64_C(0x77) + c->reached) << 40};
    if (c->incoherent) {
        r->shadow = malloc(bytes);
        if (!r->shadow) abort();
        memset(r->shadow, 0xa5, bytes);
    }
    *address = r->address + c->reach_offset;
    return 1;
}

static void *zeroed(size_t count, size_t size) {
    void *p = calloc(count, size);
    if (!p) abort();
    return p;
}

void model_core_init(model_core_t *c, const rs_design_t *design, size_t memory_bytes) {
    const size_t n = (size_t)1 << design->log_n_max;
    memset(c, 0, sizeof *c);
    c->design = *design;
    c->memory = zeroed(memory_bytes, 1);
    c->memory_bytes = memory_bytes;
    c->memory_address = UINT64_C(0x123456000); // pointers have a high half
    c->regions[0] = (model_region_t){c->memory, NULL, memory_bytes, c->memory_address};
    c->inject_pc = MODEL_NEVER;
    c->corrupt_pc = MODEL_NEVER;
    c->bus_error_after = MODEL_NEVER;
    c->program = zeroed(design->program_depth, sizeof(uint64_t));
    c->stream = zeroed(n, sizeof(uint64_t));
    c->signed_words = zeroed(n, sizeof(int64_t));
    for (unsigned i = 0; i < MODEL_GROUPS; i++) c->groups[i].words = zeroed(n, sizeof(uint64_t));
    for (unsigned i = 0; i < MODEL_SLOTS; i++) c->slots[i] = zeroed(n, 1);
    *reg(c, RS_REG_ID) = RS_REG_ID_VALUE;
    *reg(c, RS_REG_VERSION) = RS_REG_VERSION_VALUE;
    *reg(c, RS_REG_LANES) = design->lanes;
    *reg(c, RS_REG_WORD_BITS) = design->word_bits;
    *reg(c, RS_REG_REDUCTION) = RS_REG_REDUCTION_VALUE;
    *reg(c, RS_REG_LOG_N_MIN) = design->log_n_min;
    *reg(c, RS_REG_LOG_N_MAX) = design->log_n_max;
    *reg(c, RS_REG_GROUPS) = design->groups;
    *reg(c, RS_REG_CONTEXTS) = design->contexts;
    *reg(c, RS_REG_SLOTS) = design->slots;
    *reg(c, RS_REG_BUS_BITS) = design->bus_bits;
    *reg(c, RS_REG_FEATURES) = design->features;
    *reg(c, RS_REG_PROGRAM_DEPTH) = design->program_depth;
    *reg(c, RS_REG_KECCAK_CORES) = design->keccak_cores;
    *reg(c, RS_REG_WATCHDOG) = 1u << 28;
    forget_errors(c);
    model_seal_wipe(c);
}

void model_core_free(model_core_t *c) {
    for (unsigned i = 0; i < MODEL_REGIONS; i++) free(c->regions[i].shadow);
    free(c->memory);
    free(c->program);
    free(c->stream);
    free(c->signed_words);
    free(c->fixed_memory);
    for (unsigned i = 0; i < MODEL_GROUPS; i++) free(c->groups[i].words);
    for (unsigned i = 0; i < MODEL_SLOTS; i++) free(c->slots[i]);
    for (unsigned i = 0; i < MODEL_MODULI; i++) free(c->moduli[i].memory);
}

rs_status_t model_new_seed(model_core_t *c, uint32_t value) {
    for (uint32_t i = 0; i < RS_SEED_BYTES; i += 4) RS_TRY(bus_write(c, RS_REG_SEED + i, value));
    return RS_OK;
}

void model_core_bus(model_core_t *c, rs_bus_t *bus) {
    *bus = (rs_bus_t){.size = sizeof(rs_bus_t), .state = c, .read = bus_read, .write = bus_write, .wait = bus_wait};
    bus->memory = c->memory;
    bus->memory_address = c->memory_address;
    bus->memory_bytes = c->memory_bytes;
    if (c->reaches) bus->reach = reach;
    if (!c->incoherent) return;
    bus->sync_for_device = sync_for_device;
    bus->sync_for_cpu = sync_for_cpu;
    free(c->regions[0].shadow);
    c->regions[0].shadow = zeroed(c->memory_bytes, 1);
}
