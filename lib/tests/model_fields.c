// SPDX-License-Identifier: Apache-2.0
// The units SPONGE and PACK of the model core (docs/core.md, Fields), by the definitions of FIPS 202, 203 and 204; hashes are the library's.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "machine/fields/fields.h"
#include "model_parts.h"

enum { Q_KEM = 3329, Q_DSA = 8380417, Q_HOPE = 12289, CORE_Q_KEM = 2560001 };
enum { GAMMA2_88 = (Q_DSA - 1) / 88, GAMMA2_32 = (Q_DSA - 1) / 32, SMALL = 8 };

static const uint32_t WIDTH[] = {1, 3, 4, 5, 6, 10, 11, 12, 13, 14, 18, 20};
enum { WIDTHS = sizeof WIDTH / sizeof *WIDTH };

uint32_t model_field_polys(uint64_t word) {
    const uint32_t op = RS_GET_FIELD(OP, word);
    if (op == RS_OP_DRAW) return RS_GET_FIELD(DRAWS, word) + 1;
    return op == RS_OP_LOADF || op == RS_OP_STOREF || op == RS_OP_NORM ? RS_GET_FIELD(POLYS, word) + 1 : 1;
}

uint32_t model_field_width(uint64_t word) {
    return WIDTH[RS_GET_FIELD(OP, word) == RS_OP_LOADF ? RS_GET_FIELD(FIELD_WIDTH, word) : RS_GET_FIELD(FIELD_WIDTH_OUT, word)];
}

static int draws_ball(uint64_t word) { return RS_GET_FIELD(DRAW, word) == RS_DRAW_BALL; }

// ---- what there is ---------------------------------------------------------------------------------------------------------
static rs_fault_t check_digests(const model_core_t *c, uint64_t word) {
    const uint32_t dst = RS_GET_FIELD(DST, word), a = RS_GET_FIELD(A, word), kind = RS_GET_FIELD(HASH, word);
    const uint32_t made = RS_GET_FIELD(POINTER, word), halves = RS_GET_FIELD(HALVES, word);
    switch (RS_GET_FIELD(OP, word)) {
    case RS_OP_HASH:
        if (model_is_sealed(c) && kind == RS_HASH_KEY)
            return dst >= RS_DIGESTS || a >= RS_KEY_SLOTS ? RS_FAULT_RANGE : RS_FAULT_NONE;
        if (model_is_sealed(c) && kind == RS_HASH_CHOICE)
            return dst >= RS_DIGESTS || a >= RS_DIGESTS || made >= RS_DIGESTS || halves >= RS_DIGESTS ? RS_FAULT_RANGE
                                                                                                      : RS_FAULT_NONE;
        if ((RS_GET_FIELD(APPEND, word) || kind >= RS_HASH_PREFIX) && a >= RS_DIGESTS) return RS_FAULT_RANGE;
        return dst + halves >= RS_DIGESTS ? RS_FAULT_RANGE : RS_FAULT_NONE;
    case RS_OP_LOADD: return dst >= RS_DIGESTS ? RS_FAULT_RANGE : RS_FAULT_NONE;
    case RS_OP_STORED: return a >= RS_DIGESTS ? RS_FAULT_RANGE : RS_FAULT_NONE;
    case RS_OP_DRAW:
        if (draws_ball(word))
            return RS_GET_FIELD(SEED_DIGEST, word) + RS_BALL_DIGESTS > RS_DIGESTS ? RS_FAULT_RANGE : RS_FAULT_NONE;
        return RS_GET_FIELD(SEED_DIGEST, word) + RS_GET_FIELD(LONG_SEED, word) >= RS_DIGESTS ? RS_FAULT_RANGE : RS_FAULT_NONE;
    default: return RS_FAULT_NONE;
    }
}

static int is_impossible_hash(const model_core_t *c, uint64_t word) {
    const uint32_t kind = RS_GET_FIELD(HASH, word);
    const int append = (int)RS_GET_FIELD(APPEND, word);
    const int others = append || RS_GET_FIELD(SKIP, word) || RS_GET_FIELD(NEAR, word) || RS_GET_FIELD(BYTES, word);
    if (model_is_sealed(c) && kind == RS_HASH_KEY)
        return others || RS_GET_FIELD(DST, word) & 1 || RS_GET_FIELD(POINTER, word) || RS_GET_FIELD(HALVES, word);
    if (model_is_sealed(c) && kind == RS_HASH_CHOICE) return others;
    if (model_is_sealed(c) && kind >= RS_HASH_PREFIX) return append || kind > RS_HASH_PREFIX + RS_HASH_SHA3_512;
    return kind > RS_HASH_SHA3_512 || (append ? RS_GET_FIELD(BYTES, word) % RS_DIGEST_BYTES : RS_GET_FIELD(A, word)) != 0;
}

// Bits of a field that a kind can have.
static int has_width(uint32_t kind, uint32_t width) {
    switch (kind) {
    case RS_STORE_SHRINK: return width == 1 || width == 4 || width == 5 || width == 10 || width == 11;
    case RS_STORE_UPPER: return width == 10;
    case RS_STORE_LOWER: return width == 13;
    case RS_STORE_HIGH: return width == 6 || width == 4;
    default: return 1;
    }
}

// One polynomial of 256 coefficients, as they are; at most 60 of them are not zero.
static int is_impossible_ball(uint64_t word) {
    enum { TAU_MAX = 60 };
    return RS_GET_FIELD(LONG_SEED, word) || RS_GET_FIELD(NUMBER_BYTES, word) || RS_GET_FIELD(STEP_HIGH, word) ||
           RS_GET_FIELD(DRAWS, word) || RS_GET_FIELD(FORM, word) || RS_GET_FIELD(LOG_SIZE, word) != 8 ||
           RS_GET_FIELD(NUMBER, word) > TAU_MAX;
}

static int is_impossible(const model_core_t *c, uint64_t word) {
    enum { OFFSET_POWER_MAX = 19, BOUND_POWER_MAX = 23, GROW_WIDTH_MAX = 11 };
    const uint32_t draw = RS_GET_FIELD(DRAW, word), power = RS_GET_FIELD(POWER, word), grow = RS_GET_FIELD(GROW, word);
    const uint32_t in = RS_GET_FIELD(FIELD_WIDTH, word), out = RS_GET_FIELD(FIELD_WIDTH_OUT, word);
    const uint32_t shrink = RS_GET_FIELD(SHRINK, word), norm = RS_GET_FIELD(NORM, word);
    if (RS_GET_FIELD(FORM, word) > RS_POLYS_HALVES) return 1;
    switch (RS_GET_FIELD(OP, word)) {
    case RS_OP_HASH: return is_impossible_hash(c, word);
    case RS_OP_LOADD: return RS_GET_FIELD(DST, word) & 1;
    case RS_OP_STORED: return RS_GET_FIELD(A, word) & 1;
    case RS_OP_DRAW:
        if (draws_ball(word)) return !model_is_sealed(c) || is_impossible_ball(word);
        return (draw > RS_DRAW_PARSE_16_BIG && draw < RS_DRAW_CBD2) || RS_GET_FIELD(NUMBER_BYTES, word) == 3;
    case RS_OP_LOADF:
        return in >= WIDTHS || grow > RS_LOAD_GROW || (grow == RS_LOAD_GROW && WIDTH[in] > GROW_WIDTH_MAX) ||
               (grow == RS_LOAD_MINUS && power > OFFSET_POWER_MAX);
    case RS_OP_STOREF:
        return out >= WIDTHS || shrink > RS_STORE_HIGH || !has_width(shrink, WIDTH[out]) ||
               (shrink == RS_STORE_MINUS && power > OFFSET_POWER_MAX);
    default:
        return norm > (model_is_sealed(c) ? RS_NORM_COUNT : RS_NORM_CENTRED_32) ||
               (norm == RS_NORM_CENTRED && power > BOUND_POWER_MAX);
    }
}

rs_fault_t model_check_fields(const model_core_t *c, uint64_t word) {
    if (is_impossible(c, word)) return RS_FAULT_ILLEGAL;
    if (model_field_polys(word) > 1 && !RS_GET_FIELD(LOG_SIZE, word)) return RS_FAULT_ILLEGAL;
    return check_digests(c, word);
}

// ---- digests ---------------------------------------------------------------------------------------------------------------
static uint8_t *memory_near(model_core_t *c, uint64_t word, size_t skip, size_t bytes) {
    const uint64_t near = (uint64_t)RS_GET_FIELD(NEAR, word) * RS_ISA_LINE_BYTES + skip;
    return model_bytes_at(c, model_pointer(c, RS_GET_FIELD(POINTER, word)) + near, bytes);
}

static void start_hash(rs_sponge_t *sponge, uint32_t kind) {
    static const rs_sponge_kind_t KIND[] = {RS_SPONGE_SHAKE128, RS_SPONGE_SHAKE256, RS_SPONGE_SHA3_256, RS_SPONGE_SHA3_512,
                                            RS_SPONGE_SHA3_512};
    rs_sponge_init(sponge, KIND[kind]);
    if (kind == RS_HASH_SHA3_384) sponge->rate_bytes = 104;
}

static rs_fault_t run_hash(model_core_t *c, uint64_t word) {
    const size_t bytes = RS_GET_FIELD(BYTES, word);
    const uint32_t kind = RS_GET_FIELD(HASH, word);
    const int prefix = kind >= RS_HASH_PREFIX;
    const uint8_t *message = memory_near(c, word, RS_GET_FIELD(SKIP, word) * RS_DIGEST_BYTES, bytes);
    rs_sponge_t sponge;
    uint8_t out[RS_DIGESTS * RS_DIGEST_BYTES];
    const size_t size = (RS_GET_FIELD(HALVES, word) + 1) * RS_DIGEST_BYTES;
    if (!message && bytes) return RS_FAULT_BUS_READ;
    start_hash(&sponge, prefix ? kind - RS_HASH_PREFIX : kind);
    if (prefix) rs_sponge_absorb(&sponge, c->digests[RS_GET_FIELD(A, word)], RS_DIGEST_BYTES);
    rs_sponge_absorb(&sponge, message, bytes);
    if (RS_GET_FIELD(APPEND, word)) rs_sponge_absorb(&sponge, c->digests[RS_GET_FIELD(A, word)], RS_DIGEST_BYTES);
    rs_sponge_squeeze(&sponge, out, size);
    memcpy(c->digests[RS_GET_FIELD(DST, word)], out, size);
    return RS_FAULT_NONE;
}

static rs_fault_t move_digests(model_core_t *c, uint64_t word) {
    const int loads = RS_GET_FIELD(OP, word) == RS_OP_LOADD;
    uint8_t *line = memory_near(c, word, 0, 2 * RS_DIGEST_BYTES);
    if (!line) return loads ? RS_FAULT_BUS_READ : RS_FAULT_BUS_WRITE;
    if (loads) {
        memcpy(c->digests[RS_GET_FIELD(DST, word)], line, 2 * RS_DIGEST_BYTES);
    } else {
        memcpy(line, c->digests[RS_GET_FIELD(A, word)], 2 * RS_DIGEST_BYTES);
    }
    return RS_FAULT_NONE;
}

// ---- polynomials of a seed -------------------------------------------------------------------------------------------------
// Bytes of a stream one by one.
typedef struct stream {
    rs_sponge_t sponge;
    uint64_t bits;
    unsigned have;
} stream_t;

static uint32_t take_bits(stream_t *s, unsigned bits) {
    while (s->have < bits) {
        uint8_t byte;
        rs_sponge_squeeze(&s->sponge, &byte, 1);
        s->bits |= (uint64_t)byte << s->have;
        s->have += 8;
    }
    const uint32_t value = (uint32_t)(s->bits & ((UINT64_C(1) << bits) - 1));
    s->bits >>= bits;
    s->have -= bits;
    return value;
}

static int32_t ones(uint32_t x) {
    int32_t count = 0;
    for (; x; x &= x - 1) count++;
    return count;
}

static int32_t binomial(stream_t *s, unsigned eta) {
    const int32_t plus = ones(take_bits(s, eta));
    return plus - ones(take_bits(s, eta));
}

// The next coefficient, or -1 of what is none: of public kinds.
static int64_t parse(stream_t *s, uint32_t kind) {
    uint32_t x;
    switch (kind) {
    case RS_DRAW_PARSE_12: x = take_bits(s, 12); return x < Q_KEM ? (int64_t)x : -1;
    case RS_DRAW_PARSE_23: x = take_bits(s, 24) & 0x7fffff; return x < Q_DSA ? (int64_t)x : -1;
    case RS_DRAW_PARSE_14: x = take_bits(s, 16) & 0x3fff; return x < Q_HOPE ? (int64_t)x : -1;
    default:
        x = take_bits(s, 16);
        if (kind == RS_DRAW_PARSE_16_BIG) x = x >> 8 | (x & 0xff) << 8;
        return x < 5 * Q_HOPE ? (int64_t)(x % Q_HOPE) : -1;
    }
}

static int64_t small(stream_t *s, uint32_t kind) {
    uint32_t x;
    switch (kind) {
    case RS_DRAW_CBD2: return binomial(s, 2);
    case RS_DRAW_CBD3: return binomial(s, 3);
    case RS_DRAW_PSI16: return binomial(s, 16);
    case RS_DRAW_ETA2:
        do x = take_bits(s, 4);
        while (x >= 15);
        return 2 - (int64_t)(x % 5);
    case RS_DRAW_ETA4:
        do x = take_bits(s, 4);
        while (x >= 9);
        return 4 - (int64_t)x;
    case RS_DRAW_MASK18: return (1 << 17) - (int64_t)take_bits(s, 18);
    default: return (1 << 19) - (int64_t)take_bits(s, 20);
    }
}

static void start_stream(model_core_t *c, stream_t *s, uint64_t word, uint32_t poly) {
    const uint32_t kind = RS_GET_FIELD(DRAW, word), each = model_sign_rounds(c, word) ? model_field_polys(word) : 1;
    const uint32_t number = RS_GET_FIELD(NUMBER, word) * each + poly * (RS_GET_FIELD(STEP_HIGH, word) ? 256 : 1);
    const uint8_t tail[2] = {(uint8_t)number, (uint8_t)(number >> 8)};
    *s = (stream_t){.bits = 0};
    rs_sponge_init(&s->sponge, kind >= SMALL || kind == RS_DRAW_PARSE_16_BIG ? RS_SPONGE_SHAKE256 : RS_SPONGE_SHAKE128);
    rs_sponge_absorb(&s->sponge, c->digests[RS_GET_FIELD(SEED_DIGEST, word)],
                     (size_t)RS_DIGEST_BYTES << RS_GET_FIELD(LONG_SEED, word));
    rs_sponge_absorb(&s->sponge, tail, RS_GET_FIELD(NUMBER_BYTES, word));
}

// As the field `form` says: coefficients, NTT form, or that of two halves.
static void set_form(model_core_t *c, model_group_t *g, uint32_t size, uint32_t slice, uint32_t form) {
    for (uint32_t half = 0; form == RS_POLYS_HALVES && half < 2; half++)
        model_set_form(c, g, size - 1, 2 * slice + half, MODEL_VALUES);
    if (form != RS_POLYS_HALVES) model_set_form(c, g, size, slice, form == RS_POLYS_NTT ? MODEL_VALUES : MODEL_COEFFICIENTS);
}

static int has_form(const model_group_t *g, uint32_t size, uint32_t slice, uint32_t form) {
    if (form != RS_POLYS_HALVES) return model_has_form(g, size, slice, form == RS_POLYS_NTT ? MODEL_VALUES : MODEL_COEFFICIENTS);
    return model_has_form(g, size - 1, 2 * slice, MODEL_VALUES) && model_has_form(g, size - 1, 2 * slice + 1, MODEL_VALUES);
}

// FIPS 204, algorithm 29, of 128 bytes of its stream: VALUE if they are too few, which nobody will see.
static rs_fault_t run_ball(model_core_t *c, uint64_t word) {
    enum { N = 256, SIGN_BYTES = 8 };
    const uint32_t tau = RS_GET_FIELD(NUMBER, word);
    const uint8_t *stream = c->digests[RS_GET_FIELD(SEED_DIGEST, word)];
    const uint64_t q = c->contexts[RS_GET_FIELD(CTX, word)].q;
    uint64_t poly[N] = {0};
    uint32_t next = N - tau;
    for (uint32_t at = SIGN_BYTES; at < RS_BALL_DIGESTS * RS_DIGEST_BYTES; at++) {
        const uint32_t j = stream[at], sign = next + tau - N;
        if (next == N || j > next) continue;
        poly[next++] = poly[j];
        poly[j] = stream[sign / 8] >> sign % 8 & 1 ? q - 1 : 1;
    }
    model_put_slice(c, &c->groups[RS_GET_FIELD(DST, word)], 8, RS_GET_FIELD(SLICE_DST, word), poly);
    set_form(c, &c->groups[RS_GET_FIELD(DST, word)], 8, RS_GET_FIELD(SLICE_DST, word), RS_POLYS_COEFFICIENTS);
    model_tag_group(c, word);
    return next == N ? RS_FAULT_NONE : RS_FAULT_VALUE;
}

static rs_fault_t run_draw(model_core_t *c, uint64_t word) {
    if (draws_ball(word)) return run_ball(c, word);
    const uint32_t kind = RS_GET_FIELD(DRAW, word), size = model_log_size(c, word), first = RS_GET_FIELD(SLICE_DST, word);
    const uint64_t q = c->contexts[RS_GET_FIELD(CTX, word)].q;
    model_group_t *dst = &c->groups[RS_GET_FIELD(DST, word)];
    uint64_t *poly = malloc(sizeof *poly << size);
    stream_t stream;
    if (!poly) abort();
    for (uint32_t k = 0; k < model_field_polys(word); k++) {
        start_stream(c, &stream, word, k);
        for (size_t i = 0; i < (size_t)1 << size;) {
            const int64_t x = kind >= SMALL ? small(&stream, kind) : parse(&stream, kind);
            if (kind < SMALL && x < 0) continue;
            poly[i++] = x < 0 ? q - (uint64_t)-x : (uint64_t)x;
        }
        model_put_slice(c, dst, size, first + k, poly);
        set_form(c, dst, size, first + k, RS_GET_FIELD(FORM, word));
    }
    free(poly);
    model_tag_group(c, word);
    return RS_FAULT_NONE;
}

// ---- fields of memory ------------------------------------------------------------------------------------------------------
static uint64_t get_field(const uint8_t *image, size_t index, uint32_t width) {
    uint64_t x = 0;
    for (uint32_t i = 0; i < width; i++) {
        const size_t bit = index * width + i;
        x |= (uint64_t)(image[bit / 8] >> bit % 8 & 1) << i;
    }
    return x;
}

static void put_field(uint8_t *image, size_t index, uint32_t width, uint64_t x) {
    for (uint32_t i = 0; i < width; i++) {
        const size_t bit = index * width + i;
        image[bit / 8] = (uint8_t)((image[bit / 8] & ~(1u << bit % 8)) | (x >> i & 1) << bit % 8);
    }
}

static rs_fault_t run_load(model_core_t *c, uint64_t word) {
    const uint32_t width = model_field_width(word), kind = RS_GET_FIELD(GROW, word), size = model_log_size(c, word);
    const uint64_t q = c->contexts[RS_GET_FIELD(CTX, word)].q;
    const int64_t offset = (int64_t)1 << RS_GET_FIELD(POWER, word), margin = RS_GET_FIELD(MARGIN, word);
    const size_t n = (size_t)1 << size, polys = model_field_polys(word);
    const uint8_t *image = memory_near(c, word, 0, (polys * n * width + 511) / 512 * 64);
    model_group_t *dst = &c->groups[RS_GET_FIELD(DST, word)];
    int over = 0;
    uint64_t *poly = malloc(n * sizeof *poly);
    if (!poly) abort();
    for (uint32_t k = 0; k < polys && image; k++) {
        for (size_t i = 0; i < n; i++) {
            const uint64_t x = get_field(image, k * n + i, width);
            const int64_t less = offset - (int64_t)x;
            if (kind == RS_LOAD_MINUS) over |= (less < 0 ? -less : less) > offset - margin;
            if (kind == RS_LOAD_PLAIN && margin == 1 && width == 12) over |= x >= Q_KEM;
            poly[i] = kind == RS_LOAD_MINUS  ? (less < 0 ? q - (uint64_t)-less : (uint64_t)less)
                      : kind == RS_LOAD_GROW ? (2 * Q_KEM * x + (UINT64_C(1) << width)) >> (width + 1)
                                             : x;
        }
        model_put_slice(c, dst, size, RS_GET_FIELD(SLICE_DST, word) + k, poly);
        set_form(c, dst, size, RS_GET_FIELD(SLICE_DST, word) + k, RS_GET_FIELD(FORM, word));
    }
    free(poly);
    model_tag_group(c, word);
    if (!image) return RS_FAULT_BUS_READ;
    return over && !RS_GET_FIELD(SECRET, word) ? RS_FAULT_VALUE : RS_FAULT_NONE;
}

// FIPS 204, algorithm 36.
static int64_t decompose(int64_t *low, int64_t x, int64_t gamma2) {
    *low = x % (2 * gamma2);
    if (*low > gamma2) *low -= 2 * gamma2;
    if (x - *low != Q_DSA - 1) return (x - *low) / (2 * gamma2);
    *low -= 1;
    return 0;
}

// FIPS 204, algorithm 35.
static int64_t power2round(int64_t *low, int64_t x) {
    *low = x % (1 << 13);
    if (*low > 1 << 12) *low -= 1 << 13;
    return (x - *low) >> 13;
}

static uint64_t made(uint64_t word, uint64_t x, uint64_t q, uint32_t width) {
    const uint32_t kind = RS_GET_FIELD(SHRINK, word);
    const uint64_t offset = UINT64_C(1) << RS_GET_FIELD(POWER, word), y = x % Q_KEM;
    int64_t low, high;
    switch (kind) {
    case RS_STORE_MINUS: return (offset % q + q - x) % q;
    case RS_STORE_SHRINK: return ((2 * y << width) + Q_KEM) / (2 * Q_KEM) % (UINT64_C(1) << width);
    case RS_STORE_UPPER: return (uint64_t)power2round(&low, (int64_t)x);
    case RS_STORE_LOWER: power2round(&low, (int64_t)x); return (uint64_t)((1 << 12) - low);
    case RS_STORE_HIGH: high = decompose(&low, (int64_t)x, width == 4 ? GAMMA2_32 : GAMMA2_88); return (uint64_t)high;
    default: return width == 12 && q == CORE_Q_KEM ? y : x;
    }
}

static rs_fault_t run_store(model_core_t *c, uint64_t word) {
    const uint32_t width = model_field_width(word), size = model_log_size(c, word);
    const uint64_t q = c->contexts[RS_GET_FIELD(CTX, word)].q;
    const size_t n = (size_t)1 << size, polys = model_field_polys(word), bytes = (polys * n * width + 511) / 512 * 64;
    const model_group_t *a = &c->groups[RS_GET_FIELD(A, word)];
    uint8_t *image = memory_near(c, word, 0, bytes);
    if (model_sign_releases(c, word) && c->seal.sign.refused) return RS_FAULT_VALUE;
    uint64_t *poly = malloc(n * sizeof *poly);
    int over = 0;
    if (!poly) abort();
    if (image) memset(image, 0, bytes);
    for (uint32_t k = 0; k < polys && image; k++) {
        const uint32_t slice = RS_GET_FIELD(SLICE_DST, word) + k;
        model_get_slice(c, a, size, slice, poly);
        c->misuse += !has_form(a, size, slice, RS_GET_FIELD(FORM, word));
        for (size_t i = 0; i < n; i++) {
            const uint64_t x = made(word, poly[i], q, width);
            over |= x >> width != 0;
            put_field(image, k * n + i, width, x);
        }
    }
    free(poly);
    if (!image) return RS_FAULT_BUS_WRITE;
    return over && !model_seal_keeps(c, word) ? RS_FAULT_VALUE : RS_FAULT_NONE;
}

static rs_fault_t run_norm(model_core_t *c, uint64_t word) {
    const uint32_t kind = RS_GET_FIELD(NORM, word), size = model_log_size(c, word);
    const uint64_t q = c->contexts[RS_GET_FIELD(CTX, word)].q;
    const int64_t bound[] = {(int64_t)1 << RS_GET_FIELD(POWER, word), GAMMA2_88, GAMMA2_32, GAMMA2_88, GAMMA2_32};
    const size_t n = (size_t)1 << size;
    const model_group_t *a = &c->groups[RS_GET_FIELD(A, word)];
    uint64_t *poly = malloc(n * sizeof *poly);
    int over = 0, first = 0;
    uint32_t others = 0; // than zero
    if (!poly) abort();
    for (uint32_t k = 0; k < model_field_polys(word); k++) {
        const uint32_t slice = RS_GET_FIELD(SLICE_DST, word) + k;
        model_get_slice(c, a, size, slice, poly);
        c->misuse += !has_form(a, size, slice, RS_POLYS_COEFFICIENTS);
        for (size_t i = 0; i < n; i++) {
            others += poly[i] != 0;
            if (kind == RS_NORM_COUNT) continue;
            int64_t x = poly[i] > q / 2 ? -(int64_t)(q - poly[i]) : (int64_t)poly[i];
            if (kind == RS_NORM_LOW_88 || kind == RS_NORM_LOW_32) (void)decompose(&x, (int64_t)poly[i], bound[kind]);
            over |= (x < 0 ? -x : x) >= bound[kind] - (int64_t)RS_GET_FIELD(MARGIN, word);
        }
    }
    free(poly);
    if (kind == RS_NORM_COUNT) over = others > RS_GET_FIELD(MARGIN, word);
    if (!model_sign_keeps(c, word, &first)) return over ? RS_FAULT_VALUE : RS_FAULT_NONE;
    c->seal.sign.refused = over || (c->seal.sign.refused && !first);
    return RS_FAULT_NONE;
}

rs_fault_t model_run_fields(model_core_t *c, uint64_t word) {
    switch (RS_GET_FIELD(OP, word)) {
    case RS_OP_HASH:
        if (model_is_sealed(c) && RS_GET_FIELD(HASH, word) == RS_HASH_KEY) return model_run_key(c, word);
        if (model_is_sealed(c) && RS_GET_FIELD(HASH, word) == RS_HASH_CHOICE) return model_run_choice(c, word);
        return run_hash(c, word);
    case RS_OP_LOADD:
    case RS_OP_STORED: return move_digests(c, word);
    case RS_OP_DRAW: return run_draw(c, word);
    case RS_OP_LOADF: return run_load(c, word);
    case RS_OP_STOREF: return run_store(c, word);
    default: return run_norm(c, word);
    }
}
