// SPDX-License-Identifier: Apache-2.0
// Programs: instructions in the order of the mathematics, with groups handed out in rotation; order.c then moves them.
#include <ringside/golden/sample.h>
#include <ringside/params.h>

#include "machine/builder.h"
#include "machine/order.h"
#include "schemes/on_core/on_core.h"

enum { DIVIDED_CONTEXTS = 2, WORDS_POLYS = RS_MESSAGE_POLYS, NOTHING = RS_BUILDER_NOTHING };

// What contexts hold: limbs, or with BARE those without twiddles, with TIMES and DIGITS constants behind all contexts, t, once more for the parts of an INTT,
// or roots.
enum {
    TIMES = 64,
    BARE = 128,
    DIGITS = 192,
    PLAIN = 252,
    PARTS = 253,
    ROOTS = 254,
    SWITCHES = 256,
    ROUNDED_LIMBS_MAX = PLAIN - DIGITS
};

// Groups without which a message's words would have to be made again for every limb.
enum { STREAM_SLOTS = 3, STREAM_GROUPS = 5, STREAM_SETS = 2 }; // u and two errors; one polynomial and two sets of two
// Two limbs are decoded where one can wait beside the other one's c_0, c_1 and key.
enum { SHIFT_MIN = -65, SHIFT_MAX = 64, MESSAGE_GROUPS = 4, MESSAGE_ROUNDED_GROUPS = 6, DECODED_LIMBS = 2, DECODED_GROUPS = 4 };

typedef struct builder {
    rs_builder_t m;
    const rs_design_t *design;
    const rs_job_t *job;
    uint32_t product[2];             // V_j of an encryption rounded by the special prime
    uint32_t stored;                 // the group of the last STORE
    uint32_t message;                // slots, RS_MESSAGE_INTEGERS: the group with its words
    uint32_t stream_set;             // RS_MESSAGE_FRAME: the set of slots and groups of the next frame
    uint32_t stream_u;               // and its group for NTT(u), if that is none of the sets'
    uint32_t sums[2]; // a phase's that is rounded: modulo t, and modulo gamma
    uint32_t key_group;              // several frames to be decrypted: where the secret key stays; NOTHING: nowhere
} builder_t;

typedef enum small { SMALL_E0, SMALL_U, SMALL_E1 } small_t; // numbers are rows of INPUT without slots

static uint32_t take(builder_t *b) { return rs_builder_take(&b->m); }

static void release(builder_t *b, uint32_t group) { rs_builder_release(&b->m, group); }

static void emit(builder_t *b, uint64_t word) { rs_builder_emit(&b->m, word); }

// ---- instructions ------------------------------------------------------------------------------------------------------
// Whether frames take turns within each limb, so that its secret key is loaded once for all of them.
static int is_by_limbs(const rs_job_t *job) { return job->kind == RS_JOB_DECRYPT && !job->decodes && job->frames > 1; }

// Whether an encryption with special prime is divided by it at the end, because groups are too few to round the errors first.
static int is_divided(const builder_t *b) { return b->job->kind == RS_JOB_ENCRYPT_PK && !rs_design_rounds(b->design); }

// Whether the core encodes the messages.
static int encodes(const rs_job_t *job) {
    return job->message == RS_MESSAGE_SLOTS || (job->message == RS_MESSAGE_FRAME && job->numbers.count);
}

static int is_rounded(const builder_t *b) { return b->job->kind == RS_JOB_ENCRYPT_PK && rs_design_rounds(b->design); }

// Whether this limb of a switching key's row has the other secret in it.
static int is_target(const builder_t *b, uint32_t limb) { return limb + 1 == b->job->target; }

// The context of a limb, loaded if need be. Moduli that get errors come in ascending order (docs/core.md, Tags).
static uint64_t ctx(builder_t *b, uint32_t limb) {
    const size_t bytes = rs_design_context_bytes(b->design, b->job->log_n);
    const int aside = is_rounded(b) && limb == b->job->limbs; // no error is lifted to the special prime: it comes again and again
    return rs_builder_context(&b->m, limb,
                              OP(CONTEXT) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS) | RS_FIELD(ASIDE, aside) |
                                  RS_FIELD(ODD, b->m.frame & 1) | OFFSET(limb * bytes));
}

// A context with the constants of a limb, loaded without twiddles if need be. Of twiddles on the fly there are so few that it does not pay, and
// a transform needs another context for them.
static uint64_t constants(builder_t *b, uint32_t limb) {
    const rs_job_t *job = b->job;
    const int transforms = job->coefficients || job->phase; // they need twiddles anyway
    const int pays = job->kind == RS_JOB_DECRYPT && !transforms && !(b->design->features & RS_FEATURE_ON_THE_FLY);
    if (!pays || (job->decodes && b->design->contexts < 2) || rs_cache_holds(&b->m.contexts, limb)) return ctx(b, limb);
    const size_t bytes = rs_design_context_bytes(b->design, job->log_n);
    return rs_builder_context(&b->m, BARE | limb, OP(CONSTANTS) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS) | OFFSET(limb * bytes));
}

// The frame that an instruction is for, where it uses its seeds or its message.
static uint64_t frame(const builder_t *b) { return RS_FIELD(FRAME, b->m.frame); }

// The roots of fixed point, likewise.
static uint64_t roots(builder_t *b) { return rs_builder_context(&b->m, ROOTS, OP(ROOTS) | RS_FIELD(POINTER, RS_POINTER_ROOTS)); }

static uint64_t numbers(const builder_t *b) {
    const rs_job_numbers_t *n = &b->job->numbers;
    const uint32_t bits = n->format | n->is_complex << RS_NUMBERS_COMPLEX_SHIFT |
                          ((uint32_t)n->shift & 255) << RS_NUMBERS_SHIFT_SHIFT | (n->count - 1) << RS_NUMBERS_COUNT_SHIFT;
    return RS_FIELD(POINTER, RS_POINTER_MESSAGE) | RS_FIELD(NUMBERS, bits) | frame(b);
}

static uint64_t shift_by(int32_t bits) { return RS_FIELD(SHIFT, (uint32_t)bits & 255); }

static uint64_t shift(const builder_t *b) { return shift_by(b->job->shift); }

static int has_wide(const builder_t *b, rs_pointer_t pointer) {
    if (pointer == RS_POINTER_INPUT && b->job->wide_input) return 1;
    if (pointer == RS_POINTER_OUTPUT && b->job->wide_output) return 1;
    return rs_design_residue_bytes(b->design) == 8;
}

// Polynomial `index` behind a pointer.
static uint64_t at(const builder_t *b, rs_pointer_t pointer, uint32_t index) {
    return rs_builder_at(&b->m, pointer, index, has_wide(b, pointer));
}

static uint64_t input(const builder_t *b, uint32_t row, uint32_t limb) {
    const rs_job_t *job = b->job;
    const uint32_t limbs = job->kind == RS_JOB_DECRYPT ? job->input_limbs : job->limbs + (uint32_t)is_divided(b);
    const uint32_t first =
        job->message >= RS_MESSAGE_WORDS && limbs < WORDS_POLYS ? WORDS_POLYS : limbs; // polynomials before row 1
    const uint32_t before = job->kind == RS_JOB_DECRYPT ? b->m.frame * job->poly_count * limbs : 0;
    return at(b, RS_POINTER_INPUT, before + (row ? first + (row - 1) * limbs + limb : limb));
}

// The form of ciphertexts.
static uint64_t form_of(const builder_t *b) { return b->job->coefficients ? 0 : FLAG(NTT); }

// Polynomial j of what is to be divided, t_j for limb `limbs`.
static uint64_t scratch(const builder_t *b, uint32_t j, uint32_t limb) {
    const uint32_t limbs = b->job->limbs;
    return at(b, RS_POINTER_SCRATCH, limb == limbs ? 2 * limbs + j : j * limbs + limb) | (limb == limbs ? 0 : form_of(b));
}

static uint32_t load_in(builder_t *b, uint64_t context, uint64_t address_and_flags) {
    const uint32_t group = take(b);
    emit(b, OP(LOAD) | DST(group) | context | address_and_flags);
    return group;
}

static uint32_t load(builder_t *b, uint32_t limb, uint64_t address_and_flags) {
    return load_in(b, constants(b, limb), address_and_flags);
}

// Polynomial j of the public key, or the secret key.
static uint32_t load_key(builder_t *b, uint32_t j, uint32_t limb) {
    const int secret = b->job->kind == RS_JOB_ENCRYPT_SK || b->job->kind == RS_JOB_DECRYPT;
    const uint64_t address = at(b, RS_POINTER_KEY, j * b->job->key_limbs + limb);
    return load(b, limb, address | FLAG(NTT) | (secret ? FLAG(SECRET) : 0));
}

// The group is free afterwards.
static void store_at(builder_t *b, uint32_t group, uint64_t address_and_flags) {
    emit(b, OP(STORE) | A(group) | address_and_flags);
    release(b, group);
    b->stored = group;
}

// Where that is in OUTPUT: rows of an encryption with the secret key are one, or two. A decrypted frame is where its c_0 is in INPUT.
static uint32_t place_of(const builder_t *b, uint32_t row, uint32_t limb) {
    if (b->job->kind == RS_JOB_DECRYPT) return b->m.frame * b->job->poly_count * b->job->input_limbs + limb;
    const uint32_t rows = b->job->kind == RS_JOB_ENCRYPT_SK ? 1 + b->job->store_expanded : 2;
    return (b->m.frame * rows + row) * b->job->limbs + limb;
}

static void store(builder_t *b, uint32_t group, uint32_t row, uint32_t limb) {
    const uint64_t form = b->job->kind == RS_JOB_INTT || b->job->phase ? 0 : form_of(b);
    store_at(b, group, at(b, RS_POINTER_OUTPUT, place_of(b, row, limb)) | form);
}

static rs_behind_t behind_of(const builder_t *b) { return rs_on_core_behind(b->design, b->job->log_n, b->job->key_limbs); }

// A polynomial behind the contexts.
static uint64_t behind_at(const builder_t *b, size_t offset) {
    const uint64_t wide = rs_design_residue_bytes(b->design) == 8 ? FLAG(WIDE) : 0;
    return RS_FIELD(POINTER, RS_POINTER_CONTEXTS) | OFFSET(offset) | wide;
}

// Constants without twiddles, behind the contexts.
static uint64_t header(builder_t *b, uint32_t what, size_t offset) {
    return rs_builder_context(&b->m, what, OP(CONSTANTS) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS) | OFFSET(offset));
}

// The context of t. No error is lifted to it.
static uint64_t plain_context(builder_t *b) {
    return rs_builder_context(&b->m, PLAIN,
                              OP(CONTEXT) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS) | FLAG(ASIDE) | OFFSET(behind_of(b).plain));
}

// Polynomials of constants that sums begin with.
static uint32_t begin_sum(builder_t *b, size_t offset, uint64_t context) { return load_in(b, context, behind_at(b, offset)); }

// What digits of a limb are multiplied by modulo t, modulo gamma.
static uint64_t modulo_t(builder_t *b, uint32_t limb) {
    return header(b, DIGITS | limb, behind_of(b).digits + 2 * limb * (size_t)RS_CONTEXT_HEADER_BYTES);
}

static uint64_t modulo_gamma(builder_t *b, uint32_t limb) {
    return header(b, TIMES | limb, behind_of(b).digits + (2 * limb + 1) * (size_t)RS_CONTEXT_HEADER_BYTES);
}

static uint64_t switching(builder_t *b, uint32_t limb, uint32_t j, uint32_t share) {
    const rs_behind_t behind = behind_of(b);
    return header(b, SWITCHES + 4 * limb + 2 * j + share, rs_switch_at(&behind, limb, j, share));
}

// A ciphertext's polynomial leaves, times the constant if there is one. Where MSUBC needs that of the context, which is divided by the special prime, it is
// among those behind all contexts.
static void leave(builder_t *b, uint32_t group, uint32_t row, uint32_t limb) {
    if (b->job->times) {
        const uint64_t context = is_rounded(b) || b->job->message == RS_MESSAGE_INTEGERS || is_target(b, limb)
                                     ? header(b, TIMES | limb, behind_of(b).times + limb * (size_t)RS_CONTEXT_HEADER_BYTES)
                                     : ctx(b, limb);
        emit(b, OP(SCALE) | DST(group) | A(group) | context);
    }
    store(b, group, row, limb);
}

static void transform(builder_t *b, uint32_t limb, uint32_t group) {
    const uint64_t context = ctx(b, limb);
    emit(b, OP(NTT) | DST(group) | context);
}

// The slot with a small polynomial; instead of the errors of a rounded encryption, with k_j = [V_j + e_j + floor(P/2) >= P].
static uint32_t slot_of(builder_t *b, small_t small) {
    static const rs_domain_t DOMAIN[] = {RS_DOMAIN_E0, RS_DOMAIN_U, RS_DOMAIN_E1};
    int missing;
    const uint32_t slot = rs_cache_use(&b->m.slots, small, &missing);
    if (missing) {
        const uint64_t late = b->job->coefficients && b->job->expansion ? RS_ORDER_LATE : 0;
        emit(b, OP(SAMPLE) | DST(slot) | RS_FIELD(DOMAIN, DOMAIN[small]) | RS_FIELD(TERNARY, small == SMALL_U) | frame(b) | late);
        if (is_rounded(b) && small != SMALL_U) {
            const uint64_t context = ctx(b, b->job->limbs);
            emit(b, OP(ROUND) | DST(slot) | A(b->product[small == SMALL_E1]) | context);
        }
    }
    return slot;
}

// A group with the residues of a small polynomial: u (times P^-1 below a special prime, times R, because products are divided
// by R), e0 + message, e1; of an encryption that is divided at the end u, e0 + row 0, e1 + row 1. product: what is added to an error, or NOTHING.
static uint32_t lift_onto(builder_t *b, small_t small, uint32_t limb, uint32_t product) {
    if (!b->m.slots.size) return load(b, limb, input(b, small, limb) | FLAG(SECRET) | RS_FIELD(ERROR, small != SMALL_U));
    const uint32_t slot = slot_of(b, small);
    const uint64_t context = ctx(b, limb);
    const uint32_t group = take(b);
    const int add = is_divided(b) ? small != SMALL_U : small == SMALL_E0 && b->job->message != RS_MESSAGE_NONE;
    if (small == SMALL_E0 && b->job->message == RS_MESSAGE_SLOTS) {
        emit(b, OP(LIFTW) | DST(group) | A(slot) | B(b->message) | context | shift(b));
        if (limb + 1 == b->job->limbs) release(b, b->message);
        return group;
    }
    if (add && b->job->message == RS_MESSAGE_INTEGERS) {
        const size_t offset = behind_of(b).offsets + limb * rs_design_poly_bytes(b->design, b->job->log_n);
        emit(b, OP(STREAM) | context | behind_at(b, offset));
    } else if (add && b->job->message == RS_MESSAGE_WORDS) {
        const size_t row = small == SMALL_E1 ? (size_t)8 << b->job->log_n : 0; // an error e1 gets words only if it is divided
        emit(b, OP(STREAM) | context | RS_FIELD(POINTER, RS_POINTER_INPUT) | FLAG(WIDE) | FLAG(SIGNED) | OFFSET(row));
    } else if (add) {
        emit(b, OP(STREAM) | context | input(b, small == SMALL_E1, limb));
    }
    const uint64_t op = product == NOTHING ? OP(LIFT) | RS_FIELD(FACTOR, small == SMALL_U) : OP(LIFTON) | B(product);
    emit(b, op | DST(group) | A(slot) | context | RS_FIELD(ADD, add));
    return group;
}

static uint32_t lift(builder_t *b, small_t small, uint32_t limb) { return lift_onto(b, small, limb, NOTHING); }

// ---- jobs --------------------------------------------------------------------------------------------------------------
static void transforms(builder_t *b) {
    const int forward = b->job->kind == RS_JOB_NTT;
    for (uint32_t limb = 0; limb < b->job->limbs; limb++) {
        const uint32_t x = load(b, limb, input(b, 0, limb) | (forward ? 0 : FLAG(NTT)));
        const uint64_t context = ctx(b, limb);
        emit(b, (forward ? OP(NTT) : OP(INTT)) | DST(x) | context);
        store(b, x, 0, limb);
    }
}

// Slots modulo t become coefficients; each limb takes off a multiple of these words, and of what was added to them before.
static void batch(builder_t *b) {
    const uint64_t plain = plain_context(b);
    const uint32_t slots = take(b);
    emit(b, OP(LOAD) | DST(slots) | plain | at(b, RS_POINTER_INPUT, 0) | FLAG(NTT));
    emit(b, OP(INTT) | DST(slots) | plain);
    b->message = begin_sum(b, behind_of(b).halves[0], plain);
    emit(b, OP(MSUBC) | DST(b->message) | A(slots) | plain);
    release(b, slots);
}

// x gets its share of the message; NOTHING: that share is a group of its own, which is what is returned. A mask has the one context that it was lifted to:
// where the constants of that divide by the special prime, those of messages are others.
static uint32_t add_message(builder_t *b, uint32_t x, small_t error, uint32_t limb) {
    if (error != SMALL_E0 || b->job->message != RS_MESSAGE_INTEGERS) return x;
    const size_t offset = behind_of(b).factors + limb * (size_t)RS_CONTEXT_HEADER_BYTES;
    const uint64_t context = is_rounded(b) ? header(b, DIGITS | limb, offset) : ctx(b, limb);
    const uint32_t sum = x == NOTHING ? take(b) : x;
    emit(b, (x == NOTHING ? OP(SCALE) : OP(MSUBC)) | DST(sum) | A(b->message) | context);
    if (limb + 1 == b->job->limbs) release(b, b->message);
    return sum;
}

// An error, with its message in NTT form, and in a rounded encryption its part of V_j.
static uint32_t masked(builder_t *b, small_t error, uint32_t limb) {
    const uint32_t share = is_rounded(b) && !b->job->coefficients ? add_message(b, NOTHING, error, limb) : NOTHING;
    const uint32_t x = lift(b, error, limb);
    if (is_rounded(b)) emit(b, OP(MSUBC) | DST(x) | A(b->product[error == SMALL_E1]) | ctx(b, limb));
    if (share != NOTHING) {
        emit(b, OP(ADD) | DST(x) | A(share) | ctx(b, limb));
        release(b, share);
    } else if (!b->job->coefficients) {
        add_message(b, x, error, limb);
    }
    return x;
}

// The words of a message's coefficients, which every limb is lifted from.
static void encode(builder_t *b) {
    if (b->job->message == RS_MESSAGE_INTEGERS) batch(b);
    if (!encodes(b->job)) return;
    b->message = take(b);
    emit(b, OP(LOADS) | DST(b->message) | numbers(b));
    emit(b, OP(IFFT) | DST(b->message) | roots(b));
    if (b->job->scales) emit(b, OP(SCALEW) | DST(b->message) | A(b->message) | roots(b));
}

// Polynomial j of a ciphertext, or c1 that the core makes. Its units put it where NTT form stands; for coefficients it goes by memory, and comes back into the
// group that it has to leave first.
static uint32_t load_part(builder_t *b, uint32_t j, uint32_t limb) {
    if (j != 1 || !b->job->expansion) return load(b, limb, input(b, j, limb) | form_of(b));
    const uint64_t context = constants(b, limb);
    const uint32_t group = take(b);
    const uint64_t beside = b->job->target && limb == 0 ? RS_ORDER_LATE : 0;
    emit(b,
         OP(EXPAND) | DST(group) | context | RS_FIELD(FIRST, limb == 0) | RS_FIELD(LIMBS, b->job->expansion) | frame(b) | beside);
    const uint64_t address =
        b->job->store_expanded ? at(b, RS_POINTER_OUTPUT, place_of(b, 1, limb)) : at(b, RS_POINTER_SCRATCH, b->job->limbs + limb);
    if (b->job->coefficients || b->job->store_expanded) emit(b, OP(STORE) | A(group) | address | FLAG(NTT));
    if (b->job->coefficients) emit(b, OP(LOAD) | DST(group) | context | address);
    return group;
}

// a becomes its product with polynomial j of the key.
static void multiply_key(builder_t *b, uint32_t a, uint32_t j, uint32_t limb) {
    const uint32_t key = load_key(b, j, limb);
    emit(b, OP(MUL) | DST(a) | A(a) | B(key) | ctx(b, limb));
    release(b, key);
}

// In coefficient form: INTT(a), a a product, plus an error; or minus the one of a secret key's, whose image is - s. onto: the lanes do not add it.
static uint32_t mask_product(builder_t *b, uint32_t a, small_t error, uint32_t limb, int onto) {
    emit(b, OP(INTT) | DST(a) | ctx(b, limb));
    add_message(b, a, error, limb); // while the lanes have it
    const uint32_t x = onto ? lift_onto(b, error, limb, a) : masked(b, error, limb);
    if (!onto) emit(b, (b->job->kind == RS_JOB_ENCRYPT_SK ? OP(SUB) : OP(ADD)) | DST(a) | A(x) | ctx(b, limb));
    release(b, onto ? a : x);
    return onto ? x : a;
}

// In a switching key's row a becomes a s - P s'. The lanes divide P by the factor that images of secrets have (RS_POINTER_SCRATCH).
static void multiply_target(builder_t *b, uint32_t a, uint32_t limb) {
    uint32_t other = load_key(b, 0, limb);
    emit(b, OP(MUL) | DST(a) | A(a) | B(other) | ctx(b, limb));
    if (b->job->squared) {
        emit(b, OP(MUL) | DST(other) | A(other) | B(other) | ctx(b, limb));
    } else {
        release(b, other);
        other = load(b, limb, at(b, RS_POINTER_SCRATCH, 0) | FLAG(NTT) | FLAG(SECRET));
    }
    emit(b, OP(MSUBC) | DST(a) | A(other) | ctx(b, limb));
    release(b, other);
}

// c0 = NTT(e + m) - c1 s, or + where s is the opposite and e's sign counts. Where two groups hold c1 and the sum, s passes by as a STREAM, so that c1 can be made while the lanes
// transform; the error comes first, because SAMPLE and EXPAND may share a Keccak core.
static void encrypt_secret(builder_t *b) {
    const rs_job_t *job = b->job;
    const int keep = b->design->groups > 2;
    const int adds = job->target && job->times;
    const int streams = !keep && !adds && (b->design->features & RS_FEATURE_STREAM_FACTOR);
    if ((streams && b->m.slots.size) || b->m.frame) slot_of(b, SMALL_E0);
    encode(b);
    for (uint32_t limb = 0; limb < job->limbs; limb++) {
        if (job->coefficients) {
            const uint32_t c1 = load_part(b, 1, limb);
            transform(b, limb, c1);
            multiply_key(b, c1, 0, limb);
            leave(b, mask_product(b, c1, SMALL_E0, limb, 0), 0, limb);
            continue;
        }
        // A message's words have a group for themselves. Of those that are left the lanes wait for the error's most, so it comes first.
        const uint32_t error = keep && job->message == RS_MESSAGE_SLOTS ? lift(b, SMALL_E0, limb) : NOTHING;
        const uint32_t c1 = load_part(b, 1, limb);
        if (keep) {
            const uint32_t x = error != NOTHING ? error : masked(b, SMALL_E0, limb);
            transform(b, limb, x);
            if (is_target(b, limb)) {
                multiply_target(b, c1, limb);
                emit(b, (adds ? OP(ADD) : OP(SUB)) | DST(x) | A(c1) | ctx(b, limb));
                release(b, c1);
            } else {
                const uint32_t s = load_key(b, 0, limb);
                emit(b, (adds ? OP(MAC) : OP(MSUB)) | DST(x) | A(c1) | B(s) | ctx(b, limb));
                release(b, c1);
                release(b, s);
            }
            leave(b, x, 0, limb);
        } else if (streams && !is_target(b, limb)) {
            const uint32_t x = lift(b, SMALL_E0, limb);
            transform(b, limb, x);
            const uint64_t context = ctx(b, limb);
            emit(b, OP(STREAM) | context | at(b, RS_POINTER_KEY, limb) | FLAG(SECRET));
            emit(b, OP(MSUBS) | DST(x) | A(c1) | context);
            release(b, c1);
            leave(b, x, 0, limb);
        } else {
            if (is_target(b, limb)) {
                multiply_target(b, c1, limb);
            } else {
                multiply_key(b, c1, 0, limb);
            }
            const uint32_t x = lift(b, SMALL_E0, limb);
            transform(b, limb, x);
            emit(b, (adds ? OP(ADD) : OP(SUB)) | DST(x) | A(c1) | ctx(b, limb));
            release(b, c1);
            leave(b, x, 0, limb);
        }
    }
}

// V_j = INTT(pk_j NTT(u)) modulo the special prime, limb `limbs`.
static void products(builder_t *b) {
    const uint32_t drop = b->job->limbs;
    const uint32_t u = lift(b, SMALL_U, drop);
    transform(b, drop, u);
    for (uint32_t j = 0; j < 2; j++) {
        const uint32_t pk = load_key(b, j, drop);
        const uint32_t v = take(b);
        emit(b, OP(MUL) | DST(v) | A(u) | B(pk) | ctx(b, drop));
        release(b, pk);
        emit(b, OP(INTT) | DST(v) | ctx(b, drop));
        b->product[j] = v;
    }
    release(b, u);
}

// Sets of slots, and of groups, that frames of the streaming unit take in turns: while one streams, the lanes fill another.
static uint32_t stream_sets(const builder_t *b) {
    const uint32_t slots = b->design->slots, groups = b->design->groups;
    uint32_t sets = 0;
    while (STREAM_SLOTS * (sets + 1) <= slots && (!is_rounded(b) || 2 * (sets + 1) < groups)) sets++;
    return sets;
}

// A frame of the streaming unit: c_j = NTT(k_j + m_j - P^-1 V_j) + pk_j NTT(P^-1 u), or NTT(e_j + m_j) + pk_j NTT(u), limb after limb. The
// lanes make V_j and k_j, or of slots the words of m_0, in a group that goes round. Groups have fixed places: 2 s + j for V_j of set s, then those for NTT(u), which is needed until there is V_1.
static void stream(builder_t *b) {
    static const rs_domain_t DOMAIN[STREAM_SLOTS] = {RS_DOMAIN_U, RS_DOMAIN_E0, RS_DOMAIN_E1};
    const uint32_t drop = b->job->limbs, sets = stream_sets(b), set = b->stream_set;
    const uint32_t slot = STREAM_SLOTS * set, v = 2 * set, u = b->stream_u < 2 * sets ? 2 * sets : b->stream_u;
    const uint64_t limbs = RS_FIELD(LAST_LIMB, b->job->limbs - 1) | frame(b);
    b->stream_set = set + 1 < sets ? set + 1 : 0;
    b->stream_u = u + 1 < b->design->groups ? u + 1 : 0;
    if (b->m.frame == 0) emit(b, OP(PIPEKEY) | RS_FIELD(POINTER, RS_POINTER_INPUT));
    encode(b);
    for (uint32_t i = 0; i < STREAM_SLOTS; i++) {
        emit(b, OP(SAMPLE) | DST(slot + i) | RS_FIELD(DOMAIN, DOMAIN[i]) | RS_FIELD(TERNARY, i == 0) | frame(b));
        if (i == 0 && is_rounded(b)) {
            const uint64_t context = ctx(b, drop);
            emit(b, OP(LIFT) | DST(u) | A(slot) | context | FLAG(FACTOR));
            emit(b, OP(NTT) | DST(u) | context);
        }
    }
    if (encodes(b->job)) {
        emit(b, OP(PIPEM) | DST(slot) | A(b->message) | RS_FIELD(WORDS_SHIFT, (uint32_t)b->job->shift & 255) | limbs);
        release(b, b->message);
        return;
    }
    if (!is_rounded(b)) {
        emit(b, OP(PIPED) | DST(slot) | limbs);
        return;
    }
    for (uint32_t j = 0; j < 2; j++) {
        const uint64_t context = ctx(b, drop);
        // integers' row 0 is times t, as the image has it
        const int own = b->job->times && j == 0;
        const size_t streamed = own ? rs_on_core_streamed_key(b->design, b->job->log_n, drop) : 0;
        const uint64_t pk = own ? RS_FIELD(POINTER, RS_POINTER_INPUT) | FLAG(WIDE) | OFFSET(streamed)
                                : at(b, RS_POINTER_KEY, j * b->job->key_limbs + drop);
        emit(b, OP(LOAD) | DST(v + j) | context | pk | FLAG(NTT));
        emit(b, OP(MUL) | DST(v + j) | A(v + j) | B(u) | context);
        emit(b, OP(INTT) | DST(v + j) | context);
        emit(b, OP(ROUND) | DST(slot + 1 + j) | A(v + j) | context);
    }
    emit(b, OP(PIPE) | DST(slot) | A(v) | B(v + 1) | limbs);
}

// What is to be divided goes to SCRATCH, for the special prime as coefficients: they are residues of other moduli then.
static void store_public(builder_t *b, uint32_t group, uint32_t j, uint32_t limb) {
    if (!is_divided(b)) {
        leave(b, group, j, limb);
        return;
    }
    if (limb == b->job->limbs && !b->job->coefficients) emit(b, OP(INTT) | DST(group) | ctx(b, limb));
    store_at(b, group, scratch(b, j, limb));
}

// Whether two contexts have, besides the moduli, the constants that ciphertexts leave with. Slots for both errors: the special prime does not come back.
static int turns(const builder_t *b) { return is_rounded(b) && b->job->times && b->design->contexts == 2 && b->m.slots.size > 2; }

// The next modulus is there in time if it takes the place of the limb's first constants, and the last ones, which are short, take that of the limb.
static void take_turns(builder_t *b, uint32_t limb) {
    if (!turns(b) || limb + 1 >= b->job->limbs) return;
    ctx(b, limb);
    ctx(b, limb + 1);
}

// c_j = pk_j NTT(u) + NTT(e_j + m), or, rounded, pk_j NTT(P^-1 u) + NTT(k_j + m - P^-1 V_j): the same as rs_pk_limb, because
// e_j - d_j = k_j P - V_j. To be divided: c'_j = pk_j NTT(u) + NTT(e_j + row j) for P too.
// Two groups cannot keep NTT(u): it is made twice.
static void encrypt_public(builder_t *b) {
    const int keep = b->design->groups > 2;
    // but for the last error, which is lifted beside the INTT: the lanes add faster than LIFT
    const int onto = b->job->kind == RS_JOB_ENCRYPT_PK_DIRECT && rs_design_lifts_onto(b->design);
    encode(b);
    if (is_rounded(b)) products(b);
    if (turns(b)) { // while the special prime is there
        slot_of(b, SMALL_E0);
        slot_of(b, SMALL_E1);
    }
    for (uint32_t limb = 0; limb < b->job->limbs + (uint32_t)is_divided(b); limb++) {
        uint32_t u = 0;
        for (uint32_t i = 0; i < 2; i++) {
            // With too few slots every second limb begins with the error that is still there.
            const uint32_t j = i ^ (b->m.slots.size < 3 ? limb & 1 : 0);
            const small_t error = j == 0 ? SMALL_E0 : SMALL_E1;
            if (i == 0 || !keep) {
                u = lift(b, SMALL_U, limb);
                transform(b, limb, u);
            }
            if (b->job->coefficients) {
                uint32_t product = u;
                if (keep) {
                    product = load_key(b, j, limb);
                    emit(b, OP(MUL) | DST(product) | A(product) | B(u) | ctx(b, limb));
                } else {
                    multiply_key(b, u, j, limb);
                }
                store_public(b, mask_product(b, product, error, limb, onto && (i == 0 || limb + 1 < b->job->limbs)), j, limb);
            } else if (keep) {
                if (i == 1) take_turns(b, limb);
                const uint32_t x = masked(b, error, limb);
                transform(b, limb, x);
                const uint32_t pk = load_key(b, j, limb);
                emit(b, OP(MAC) | DST(x) | A(u) | B(pk) | ctx(b, limb));
                release(b, pk);
                if (i == 1) take_turns(b, limb);
                store_public(b, x, j, limb);
            } else {
                multiply_key(b, u, j, limb);
                const uint32_t x = lift(b, error, limb);
                transform(b, limb, x);
                emit(b, OP(ADD) | DST(u) | A(x) | ctx(b, limb));
                release(b, x);
                store_public(b, u, j, limb);
            }
        }
        if (keep) release(b, u);
    }
    for (uint32_t j = 0; j < 2 && is_rounded(b); j++) release(b, b->product[j]);
}

// c_j = P^-1 c'_j - NTT(P^-1 t_j), t_j = c'_j modulo P: with P m + floor(P/2) in row 0 and floor(P/2) in row 1 the same as
// rs_pk_limb, because t_j = d_j + floor(P/2).
// c'_j is a ciphertext too, modulo P as well: memory may see it. But no LOAD may overtake the STORE of what it loads. The first one
// goes into the group that the last STORE to SCRATCH has to leave first, and instructions start in order: all is written by then.
static void divide(builder_t *b) {
    const uint32_t drop = b->job->limbs;
    while (b->m.free_groups[0] != b->stored) release(b, take(b));
    for (uint32_t limb = 0; limb < drop; limb++) {
        for (uint32_t j = 0; j < 2; j++) {
            const uint32_t t = load(b, drop, scratch(b, j, drop));
            emit(b, OP(SCALE) | DST(t) | A(t) | ctx(b, limb));
            if (!b->job->coefficients) transform(b, limb, t);
            const uint32_t c = load(b, limb, scratch(b, j, limb));
            emit(b, OP(SCALE) | DST(c) | A(c) | ctx(b, limb));
            emit(b, OP(SUB) | DST(c) | A(t) | ctx(b, limb));
            release(b, t);
            store(b, c, j, limb);
        }
    }
}

// Where three groups or more are there, the bus decides how long this takes. So the next limb's context comes before the last polynomial:
// what follows that needs it at once. With two groups the lanes wait for that polynomial.
static void context_ahead(builder_t *b, uint32_t limb) {
    // A decoding's first limb has its twiddles in the other context meanwhile.
    if (b->m.contexts.size > 1 && limb + 1 < b->job->limbs && !b->job->decodes) constants(b, limb + 1);
}

// A single frame has nothing to do while its twiddles come, after all else. So it begins its INTT with those of the first stages, which are most of
// them. Each part costs the memory's latency and a pipeline's, so they have to be long.
enum { PART_BEATS = 256 };

static int in_parts(const builder_t *b, uint32_t limb) {
    const rs_design_t *design = b->design;
    const size_t bytes = rs_design_part_bytes(design, b->job->log_n, RS_PART_REST);
    const int last = b->job->decodes && b->job->frames <= 1 && limb + 1 == b->job->limbs; // else a limb's loads run beside it
    return last && design->contexts >= 2 && bytes * 8 >= (size_t)PART_BEATS * design->bus_bits;
}

// One context is loaded while the other is in use, so both have the limb's constants.
static void constants_again(builder_t *b, uint32_t limb) {
    int missing;
    const uint32_t place = rs_cache_use(&b->m.contexts, PARTS, &missing);
    const size_t at = limb * rs_design_context_bytes(b->design, b->job->log_n);
    if (missing) emit(b, OP(CONSTANTS) | DST(place) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS) | OFFSET(at));
}

// INTT modulo a limb; its context.
static uint64_t inverse(builder_t *b, uint32_t limb, uint32_t residues) {
    if (!in_parts(b, limb)) {
        const uint64_t context = ctx(b, limb);
        emit(b, OP(INTT) | DST(residues) | context);
        return context;
    }
    uint64_t context = 0;
    constants_again(b, limb);
    for (uint32_t part = RS_PART_FIRST; part <= RS_PART_REST; part++) {
        int missing; // both are there, and take turns
        const uint32_t place = rs_cache_use(&b->m.contexts, part == RS_PART_SECOND ? BARE | limb : PARTS, &missing);
        const size_t offset = limb * rs_design_context_bytes(b->design, b->job->log_n) + RS_CONTEXT_HEADER_BYTES +
                              rs_design_part_offset(b->design, b->job->log_n, part);
        context = RS_FIELD(CTX, place);
        emit(b, OP(TWIDDLES) | DST(place) | RS_FIELD(PART, part) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS) | OFFSET(offset));
        emit(b, OP(INTT) | DST(residues) | RS_FIELD(PART, part) | context);
    }
    return context;
}

// Words of coefficients become slots.
static void decode_words(builder_t *b, uint32_t words) {
    emit(b, OP(FFT) | DST(words) | roots(b));
    emit(b, OP(STORES) | A(words) | numbers(b));
    release(b, words);
}

// The first limb's residues become slots.
static void decode(builder_t *b, uint32_t residues) {
    const uint64_t context = inverse(b, 0, residues);
    const uint32_t words = take(b);
    emit(b, OP(CENTRE) | DST(words) | A(residues) | context | shift(b));
    release(b, residues);
    if (b->job->scales) emit(b, OP(SCALEW) | DST(words) | A(words) | roots(b));
    decode_words(b, words);
}

// A limb of a frame: the group of c_0 + s (c_1 + s (c_2 + …))
static uint32_t decrypt_limb(builder_t *b, uint32_t limb) {
    const int keep = b->design->groups > 2;
    const int coefficients = b->job->coefficients != 0;
    uint32_t sum = load_part(b, b->job->poly_count - 1, limb);
    if (coefficients) transform(b, limb, sum);
    if (keep && b->key_group == NOTHING) b->key_group = load_key(b, 0, limb);
    uint32_t s = b->key_group;
    for (uint32_t j = b->job->poly_count - 1; j-- > 0;) {
        if (coefficients && (j == 0 || !keep)) {
            if (keep) {
                emit(b, OP(MUL) | DST(sum) | A(sum) | B(s) | ctx(b, limb));
            } else {
                multiply_key(b, sum, 0, limb);
            }
            if (j == 0) context_ahead(b, limb);
            if (j == 0) emit(b, OP(INTT) | DST(sum) | ctx(b, limb));
            const uint32_t c = load_part(b, j, limb);
            if (j > 0) transform(b, limb, c);
            emit(b, OP(ADD) | DST(sum) | A(c) | ctx(b, limb));
            release(b, c);
        } else if (keep) {
            if (j == 0 && !b->job->phase) context_ahead(b, limb);
            if (j == 0 && in_parts(b, limb)) constants_again(b, limb);
            const uint32_t c = load_part(b, j, limb);
            if (coefficients) transform(b, limb, c);
            emit(b, OP(MAC) | DST(c) | A(sum) | B(s) | constants(b, limb));
            release(b, sum);
            sum = c;
        } else {
            s = load_key(b, 0, limb);
            emit(b, OP(MUL) | DST(sum) | A(sum) | B(s) | constants(b, limb));
            release(b, s);
            const uint32_t c = load_part(b, j, limb);
            emit(b, OP(ADD) | DST(sum) | A(c) | constants(b, limb));
            release(b, c);
        }
    }
    if (b->job->phase && !coefficients) {
        emit(b, OP(INTT) | DST(sum) | ctx(b, limb));
        context_ahead(b, limb);
    }
    const int next = b->m.frame + 1 < b->job->frames && (is_by_limbs(b->job) || b->job->limbs == 1); // the next frame needs the key
    if (keep && !next) {
        release(b, s);
        b->key_group = NOTHING;
    }
    return sum;
}

// r_0 + q_0 d_1, the first from 0 to q_0 - 1, d_1 = (r_1 - r_0) / q_0 modulo q_1, centred: the constant of the second limb is the inverse of q_0.
static void decode_two(builder_t *b) {
    const uint32_t lower = decrypt_limb(b, 0);
    inverse(b, 0, lower);
    const uint32_t upper = decrypt_limb(b, 1);
    const uint32_t words = take(b);
    emit(b, OP(CENTRE) | DST(words) | A(lower) | constants(b, 1) | FLAG(WHOLE) | shift(b)); // words of whatever modulus
    const uint64_t context = inverse(b, 1, upper);
    emit(b, OP(SCALE) | DST(upper) | A(upper) | context);
    emit(b, OP(MSUBC) | DST(upper) | A(lower) | context);
    release(b, lower);
    const uint32_t digits = take(b);
    emit(b, OP(CENTRE) | DST(digits) | A(upper) | context | shift_by(b->job->upper_shift));
    release(b, upper);
    if (b->job->scales) emit(b, OP(SCALEW) | DST(words) | A(words) | roots(b));
    emit(b, OP(MACW) | DST(words) | A(digits) | roots(b));
    release(b, digits);
    decode_words(b, words);
}

// A phase x becomes the message: of each limb y = x times its constant, and multiples of y are added up modulo t and modulo gamma. The second sum is the
// integer nearest to their share of all, plus gamma / 2, so that it needs no sign: a multiple of it makes the first one whole (docs/core.md, Integers).
// While limbs are transformed, they need all groups, so that y goes to memory. The last two stay; the first of them is stored all the same, as a STORE begins
// when those before it have ended: what comes back is there.
static void add_limbs(builder_t *b) {
    enum { KEPT = 2, PLACES = 4 };
    const uint32_t limbs = b->job->limbs, kept = limbs < KEPT ? limbs : KEPT;
    const rs_behind_t behind = behind_of(b);
    uint32_t y[PLACES];
    for (uint32_t limb = 0; limb < limbs; limb++) {
        const uint32_t x = decrypt_limb(b, limb), later = limbs - limb;
        emit(b, OP(SCALE) | DST(x) | A(x) | ctx(b, limb));
        if (later > 1 && limbs > KEPT) emit(b, OP(STORE) | A(x) | at(b, RS_POINTER_SCRATCH, limb));
        if (later > KEPT) {
            release(b, x);
        } else {
            y[kept - later] = x;
        }
    }
    for (uint32_t step = 0; step < limbs; step++) {
        const uint32_t limb = step < kept ? limbs - kept + step : step - kept, next = limbs > KEPT ? step : limbs;
        // what is loaded is below gamma; beside it the lanes need these constants alone
        if (step) modulo_t(b, limb);
        for (uint32_t k = 0; k < 2 && step == 0; k++) b->sums[k] = begin_sum(b, behind.halves[k], modulo_gamma(b, limb));
        if (next + KEPT < limbs) y[(step + KEPT) % PLACES] = load_in(b, modulo_gamma(b, limb), at(b, RS_POINTER_SCRATCH, next));
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t to = step ? k : 1 - k;
            emit(b, OP(MSUBC) | DST(b->sums[to]) | A(y[step % PLACES]) | (to ? modulo_gamma(b, limb) : modulo_t(b, limb)));
        }
        release(b, y[step % PLACES]);
    }
}

// c_1, switched to the first modulus, times - gamma t: digits of the others, times their shares, are added, and so is their count times its own. *c0: what the
// other part begins with.
static uint32_t switch_c1(builder_t *b, uint32_t *c0) {
    const uint32_t count = begin_sum(b, behind_of(b).halves[1], modulo_gamma(b, 1));
    switching(b, 0, 1, 1); // the lanes begin with it, while c_1 comes
    uint32_t y = load_in(b, modulo_gamma(b, 1), input(b, 1, 1));
    const uint32_t sum = take(b);
    emit(b, OP(SCALE) | DST(sum) | A(count) | switching(b, 0, 1, 1));
    *c0 = take(b);
    emit(b, OP(SCALE) | DST(*c0) | A(count) | switching(b, 0, 0, 1));
    for (uint32_t limb = 1; limb < b->job->limbs; limb++) {
        emit(b, OP(SCALE) | DST(y) | A(y) | switching(b, limb, 1, 0));
        switching(b, limb, 1, 1);
        // beside the lanes, which need these two only
        const uint32_t next = load_in(b, modulo_gamma(b, limb), input(b, 1, limb + 1 < b->job->limbs ? limb + 1 : 0));
        emit(b, OP(MSUBC) | DST(sum) | A(y) | switching(b, limb, 1, 1));
        emit(b, OP(MSUBC) | DST(count) | A(y) | modulo_gamma(b, limb));
        release(b, y);
        y = next;
    }
    emit(b, OP(MSUBC) | DST(sum) | A(count) | switching(b, 0, 1, 1));
    release(b, count);
    emit(b, OP(MSUBC) | DST(sum) | A(y) | ctx(b, 0));
    release(b, y);
    return sum;
}

// Both parts in coefficient form, switched to the first modulus, become its y, and that the message. Digits of c_0 come while the lanes transform c_1.
static void add_switched(builder_t *b) {
    enum { AHEAD = 3 };
    const uint32_t limbs = b->job->limbs;
    uint32_t digits[AHEAD + 1], y;
    const uint32_t x = switch_c1(b, &y);
    transform(b, 0, x);
    const uint32_t key = load_key(b, 0, 0);
    for (uint32_t limb = 0; limb < 2; limb++) digits[limb] = load_in(b, modulo_gamma(b, 1), input(b, 0, limb));
    ctx(b, 0); // it stays, here and below: the lanes transform
    emit(b, OP(SCALE) | DST(digits[1]) | A(digits[1]) | switching(b, 1, 0, 0));
    emit(b, OP(MSUBC) | DST(y) | A(digits[0]) | ctx(b, 0));
    emit(b, OP(MSUBC) | DST(y) | A(digits[1]) | switching(b, 1, 0, 1));
    release(b, digits[0]);
    release(b, digits[1]);
    emit(b, OP(MUL) | DST(x) | A(x) | B(key) | ctx(b, 0));
    release(b, key);
    emit(b, OP(INTT) | DST(x) | ctx(b, 0));
    for (uint32_t limb = 2; limb < limbs && limb < 2 + AHEAD; limb++)
        digits[limb % (AHEAD + 1)] = load_in(b, modulo_gamma(b, 1), input(b, 0, limb));
    emit(b, OP(ADD) | DST(y) | A(x) | ctx(b, 0));
    release(b, x);
    for (uint32_t limb = 2; limb < limbs; limb++) {
        const uint32_t next = limb + AHEAD;
        switching(b, limb, 0, 0);
        if (next < limbs) digits[next % (AHEAD + 1)] = load_in(b, modulo_gamma(b, 1), input(b, 0, next));
        const uint32_t digit = digits[limb % (AHEAD + 1)];
        emit(b, OP(SCALE) | DST(digit) | A(digit) | switching(b, limb, 0, 0));
        emit(b, OP(MSUBC) | DST(y) | A(digit) | switching(b, limb, 0, 1));
        release(b, digit);
    }
    for (uint32_t k = 0; k < 2; k++) {
        b->sums[k] = take(b);
        emit(b, OP(SCALE) | DST(b->sums[k]) | A(y) | (k ? modulo_gamma(b, 0) : modulo_t(b, 0)));
    }
    release(b, y);
}

static void decrypt_rounded(builder_t *b) {
    const rs_job_t *job = b->job;
    if (job->phase & RS_PHASE_SWITCHED) {
        add_switched(b);
    } else {
        add_limbs(b);
    }
    const uint64_t plain = plain_context(b);
    emit(b, OP(MSUBC) | DST(b->sums[0]) | A(b->sums[1]) | plain);
    release(b, b->sums[1]);
    if (job->phase & RS_PHASE_SLOTS) emit(b, OP(NTT) | DST(b->sums[0]) | plain);
    store_at(b, b->sums[0], at(b, RS_POINTER_OUTPUT, 0) | (job->phase & RS_PHASE_SLOTS ? FLAG(NTT) : 0));
}

static void decrypt(builder_t *b) {
    if (b->job->phase & RS_PHASE_ROUNDED) {
        decrypt_rounded(b);
    } else if (b->job->decodes && b->job->limbs == DECODED_LIMBS) {
        decode_two(b);
    } else if (b->job->decodes) {
        decode(b, decrypt_limb(b, 0));
    } else {
        for (uint32_t limb = 0; limb < b->job->limbs; limb++) store(b, decrypt_limb(b, limb), 0, limb);
    }
}

// The limbs of all frames.
static void decrypt_by_limbs(builder_t *b) {
    for (uint32_t limb = 0; limb < b->job->limbs; limb++) {
        for (b->m.frame = 0; b->m.frame < b->job->frames; b->m.frame++) store(b, decrypt_limb(b, limb), 0, limb);
    }
}

// ---- checks ------------------------------------------------------------------------------------------------------------
static rs_status_t check_numbers(const rs_design_t *design, const rs_job_t *job) {
    const rs_job_numbers_t *n = &job->numbers;
    const uint32_t rounded = job->kind == RS_JOB_ENCRYPT_PK ? MESSAGE_ROUNDED_GROUPS : MESSAGE_GROUPS;
    const uint32_t groups = job->message == RS_MESSAGE_FRAME ? STREAM_SETS : rounded; // what streams has its errors in slots alone
    if (!rs_design_encodes(design) || (!job->decodes && design->groups < groups)) return RS_ERR_DESIGN;
    if (n->format > (job->decodes ? RS_FIXED_INT64 : RS_FIXED_BINARY64) || n->is_complex > 1) return RS_ERR_LAYOUT;
    if (n->shift < SHIFT_MIN || n->shift > SHIFT_MAX || job->shift < SHIFT_MIN || job->shift > SHIFT_MAX) return RS_ERR_LAYOUT;
    if (n->count < 1 || n->count > (uint32_t)1 << (job->log_n - 1)) return RS_ERR_VALUE_COUNT;
    if (job->decodes && (job->kind != RS_JOB_DECRYPT || job->limbs > DECODED_LIMBS)) return RS_ERR_FORM;
    if (job->decodes && job->limbs == DECODED_LIMBS) {
        if (job->upper_shift < SHIFT_MIN || job->upper_shift > SHIFT_MAX) return RS_ERR_LAYOUT;
        if (design->groups < DECODED_GROUPS) return RS_ERR_DESIGN;
    }
    return RS_OK;
}

// What frames share is one expansion, or none, and the secret key that they are decrypted with, which needs a group.
static rs_status_t check_frames(const rs_design_t *design, const rs_job_t *job) {
    if (job->message == RS_MESSAGE_FRAME) return job->frames <= RS_FRAMES_MAX ? RS_OK : RS_ERR_DESIGN;
    if (is_by_limbs(job)) return job->frames <= RS_FRAMES_MAX && design->groups > 2 && !job->expansion ? RS_OK : RS_ERR_DESIGN;
    const int encrypts = job->message == RS_MESSAGE_SLOTS && (job->kind != RS_JOB_ENCRYPT_SK || job->expansion);
    const int divides = job->kind == RS_JOB_ENCRYPT_PK && !rs_design_rounds(design);
    if (job->frames > RS_FRAMES_ENCODE || divides || !(encrypts || job->decodes)) return RS_ERR_DESIGN;
    return design->groups >= MESSAGE_GROUPS ? RS_OK : RS_ERR_DESIGN;
}

// Frames of the streaming unit.
static rs_status_t check_stream(const rs_design_t *design, const rs_job_t *job) {
    if (!rs_design_streams(design) || design->slots < STREAM_SLOTS) return RS_ERR_DESIGN;
    if (job->kind == RS_JOB_ENCRYPT_PK) return design->groups >= STREAM_GROUPS && !encodes(job) ? RS_OK : RS_ERR_DESIGN;
    return job->kind == RS_JOB_ENCRYPT_PK_DIRECT ? RS_OK : RS_ERR_FORM;
}

static rs_status_t check_batching(const rs_design_t *design, const rs_job_t *job) {
    const int rounded = job->kind == RS_JOB_ENCRYPT_PK;
    const uint32_t groups = rounded ? RS_BATCHED_ROUNDED_GROUPS : RS_BATCHED_GROUPS;
    if (job->kind < RS_JOB_ENCRYPT_SK || job->kind > RS_JOB_ENCRYPT_PK_DIRECT) return RS_ERR_FORM;
    const int fits = design->slots && design->groups >= groups && job->limbs <= ROUNDED_LIMBS_MAX && job->frames <= 1;
    return fits ? RS_OK : RS_ERR_DESIGN;
}

// What BFV and BGV have besides.
static rs_status_t check_exact(const rs_design_t *design, const rs_job_t *job) {
    const int decrypts = job->kind == RS_JOB_DECRYPT;
    if (job->kind == RS_JOB_NTT || job->kind == RS_JOB_INTT || (decrypts ? job->times : job->phase)) return RS_ERR_FORM;
    const int streams = job->message == RS_MESSAGE_FRAME;
    if (job->message == RS_MESSAGE_SLOTS || job->decodes || (streams && job->coefficients)) return RS_ERR_DESIGN;
    const int switches = job->coefficients && job->poly_count == 2 && job->limbs > 1 && !job->expansion;
    if (job->phase & RS_PHASE_SWITCHED && !(switches && job->phase & RS_PHASE_ROUNDED)) return RS_ERR_FORM;
    if (!(job->phase & RS_PHASE_ROUNDED)) return RS_OK;
    if (design->groups < RS_ROUNDED_GROUPS || job->frames > 1 || job->limbs > ROUNDED_LIMBS_MAX) return RS_ERR_DESIGN;
    return RS_OK;
}

// A row of a switching key is an encryption of zero.
static rs_status_t check_target(const rs_job_t *job) {
    if (job->kind != RS_JOB_ENCRYPT_SK || job->message != RS_MESSAGE_NONE || job->coefficients || job->frames > 1)
        return RS_ERR_FORM;
    return job->target <= job->limbs && job->squared <= 1 ? RS_OK : RS_ERR_LEVEL;
}

static rs_status_t check(const rs_design_t *design, const rs_job_t *job) {
    if (job->log_n < design->log_n_min || job->log_n > design->log_n_max) return RS_ERR_DESIGN_DEGREE;
    if (job->limbs < 1 || job->limbs > RS_LIMBS_MAX) return RS_ERR_LEVEL;
    if (job->expansion && (job->expansion < job->limbs || job->expansion > RS_LIMBS_MAX)) return RS_ERR_LEVEL;
    if (job->expansion && !(design->features & RS_FEATURE_EXPAND)) return RS_ERR_DESIGN;
    const int words = job->message == RS_MESSAGE_WORDS, slots = encodes(job);
    if (job->message > RS_MESSAGE_INTEGERS) return RS_ERR_FORM;
    if (job->message == RS_MESSAGE_INTEGERS) RS_TRY(check_batching(design, job));
    if (job->message == RS_MESSAGE_FRAME) RS_TRY(check_stream(design, job));
    if (words && !(design->features & RS_FEATURE_REDUCE)) return RS_ERR_DESIGN;
    if (slots || job->decodes) RS_TRY(check_numbers(design, job));
    if (job->frames > 1) RS_TRY(check_frames(design, job));
    if (job->target) RS_TRY(check_target(job));
    if (job->coefficients || job->times || job->phase) RS_TRY(check_exact(design, job));
    switch (job->kind) {
    case RS_JOB_NTT:
    case RS_JOB_INTT:
    case RS_JOB_ENCRYPT_SK: return RS_OK;
    case RS_JOB_ENCRYPT_PK:
        if (!design->slots || (!rs_design_rounds(design) && design->contexts < DIVIDED_CONTEXTS)) return RS_ERR_DESIGN;
        return job->key_limbs > job->limbs && job->key_limbs <= RS_LIMBS_MAX ? RS_OK : RS_ERR_LEVEL;
    case RS_JOB_ENCRYPT_PK_DIRECT: return job->key_limbs >= job->limbs && job->key_limbs <= RS_LIMBS_MAX ? RS_OK : RS_ERR_LEVEL;
    case RS_JOB_DECRYPT:
        if (job->poly_count < 2 || job->poly_count > RS_POLYS_MAX) return RS_ERR_POLY_COUNT;
        return job->input_limbs >= job->limbs && job->input_limbs <= RS_LIMBS_MAX ? RS_OK : RS_ERR_LEVEL;
    }
    return RS_ERR_FORM;
}

static void frame_of(builder_t *b) {
    if (b->job->message == RS_MESSAGE_FRAME) {
        stream(b);
        return;
    }
    switch (b->job->kind) {
    case RS_JOB_NTT:
    case RS_JOB_INTT: transforms(b); break;
    case RS_JOB_ENCRYPT_SK: encrypt_secret(b); break;
    case RS_JOB_ENCRYPT_PK:
    case RS_JOB_ENCRYPT_PK_DIRECT:
        encrypt_public(b);
        if (is_divided(b)) divide(b);
        break;
    case RS_JOB_DECRYPT: decrypt(b); break;
    }
}

rs_status_t rs_program_build(const rs_design_t *design, const rs_job_t *job, uint64_t *words, size_t capacity, size_t *length) {
    if (!design || !job || !words || !length) return RS_ERR_NULL;
    RS_TRY(rs_design_check(design));
    RS_TRY(check(design, job));
    builder_t b = {.design = design, .job = job, .key_group = NOTHING};
    rs_builder_init(&b.m, design, job->log_n, words, capacity);
    b.m.frames_mix = is_by_limbs(job);
    if (is_by_limbs(job)) decrypt_by_limbs(&b);
    for (b.m.frame = 0; !is_by_limbs(job) && (b.m.frame == 0 || b.m.frame < job->frames); b.m.frame++) {
        rs_cache_forget(&b.m.slots, NOTHING);
        // each frame's errors need its moduli anew, unless they are for the special prime alone
        if (job->kind != RS_JOB_DECRYPT && job->message != RS_MESSAGE_FRAME) rs_cache_forget(&b.m.contexts, ROOTS);
        frame_of(&b);
    }
    if (job->message == RS_MESSAGE_FRAME) emit(&b, OP(DRAIN)); // end of the last frame: DRAIN, PIPE are not reordered
    return rs_builder_finish(&b.m, length);
}
