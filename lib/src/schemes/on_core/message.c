// SPDX-License-Identifier: Apache-2.0
// What an encryption starts from: messages, small polynomials and uniform halves, as the design takes them.
#include <string.h>

#include <ringside/golden/ckks.h>
#include <ringside/golden/sample.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "base/doubles.h"
#include "ckks/checks.h"
#include "ckks/message.h"
#include "machine/image.h"
#include "schemes/on_core/on_core.h"

typedef int64_t __attribute__((may_alias)) word_t;

// A limb of residues, in front of it w of integers, behind it u, e0, e1 for designs without slots.
size_t rs_device_workspace(const rs_context_t *context) {
    return rs_workspace_words(context) * sizeof(uint64_t) + 3 * (size_t)context->n;
}

// The message as words, looked at and written piece by piece, because on a small processor each pass over memory counts.
// 1 if they are words. 0: some are 2^61 and more, as the library's own fast path has it, or there is no room; then nothing is left there.
static int put_words(const rs_device_t *d, size_t offset, const double *message) {
    enum { PIECE = 16 }; // divides every N
    static const double NOTHING[PIECE];
    uint8_t *words = d->bus.memory + offset;
    if (d->bus.memory_bytes - offset < rs_on_core_word_bytes(d)) return 0;
    int wide = 0;
    for (size_t i = 0; i < rs_on_core(d)->context->n; i += PIECE, words += PIECE * sizeof(uint64_t)) {
        wide |= rs_message_is_wide(&RS_ENCODING_PORTABLE, message + i, PIECE);
        const double *piece = wide ? NOTHING : message + i;
        if (RS_LITTLE_ENDIAN && (uintptr_t)words % sizeof(word_t) == 0) { // rs_store64 writes bytes on machines that want alignment
            word_t *to = (word_t *)(void *)words;
            for (unsigned k = 0; k < PIECE; k++) to[k] = (int64_t)piece[k];
        } else {
            for (unsigned k = 0; k < PIECE; k++) rs_store64(words + sizeof(word_t) * k, (uint64_t)(int64_t)piece[k]);
        }
    }
    if (wide) rs_machine_wipe(d, offset, rs_on_core_word_bytes(d));
    return !wide;
}

static const void *words_of(const rs_plaintext_t *plaintext) {
    return plaintext->form == RS_FORM_WORDS ? plaintext->message : NULL;
}

// The caller's words: the core reads them itself if they are all that it has to read (alone) and it reaches them; else a copy.
static int take_words(const rs_device_t *d, rs_on_core_call_t *call, const uint64_t *words, int alone) {
    rs_own_array_t own = {words, rs_on_core_word_bytes(d), 0};
    if (alone && rs_machine_reaches(d, words, own.bytes, &own.address)) {
        call->from = own;
        return 1;
    }
    if (d->bus.memory_bytes - d->used < own.bytes) return 0;
    rs_image_put(d->bus.memory + d->used, words, rs_on_core(d)->context->n, 1);
    return 1;
}

// ceil(log2) of a scale that rs_check_scale takes.
static int32_t ceil_log2(double scale) {
    const uint64_t bits = rs_bits_of(scale);
    return (int32_t)(bits >> RS_MANTISSA_BITS) - RS_EXPONENT_BIAS + (bits << (64 - RS_MANTISSA_BITS) != 0);
}

static rs_status_t check_slots(rs_device_t *d, rs_on_core_call_t *call) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_encrypt_item_t *item = call->encrypts;
    const rs_layout_t *layout = item->layout;
    const uint32_t limbs = item->limb_count ? item->limb_count : context->data_limbs;
    const int32_t word_bits = (int32_t)d->design.word_bits;
    if (limbs > context->data_limbs) return RS_ERR_LEVEL;
    RS_TRY(rs_on_core_set_numbers(d, call, layout, item->count, layout ? word_bits - 1 - layout->bound + layout->exponent : 0));
    rs_fixed_scale_t how;
    RS_TRY(rs_check_scale(context, item->scale, limbs));
    RS_TRY(rs_encode_fixed_scale(d->design.word_bits, item->scale, layout->bound, &how));
    const int32_t largest = ceil_log2(item->scale) + layout->bound; // the magnitude of a coefficient
    if (largest > (int32_t)context->total_bits[limbs] - 2) return RS_ERR_OVERFLOW;
    for (uint32_t i = 0; i < limbs; i++) {
        if (largest > (int32_t)context->limbs[i].modulus.bits - 1) return RS_ERR_DESIGN;
    }
    call->job.scales = how.factor != 0;
    if (how.factor) rs_on_core_set_factors(d, how.factor, rs_on_core(d)->added_factor);
    call->job.shift = rs_on_core_limited(how.shift);
    call->job.limbs = limbs;
    return RS_OK;
}

void rs_on_core_put_numbers(uint8_t *to, const void *values, const rs_job_numbers_t *numbers) {
    memset(to, 0, rs_machine_line_bytes(rs_on_core_array_bytes(numbers)));
    rs_on_core_copy_numbers(to, values, numbers);
}

int rs_on_core_put_slots(const rs_device_t *d, rs_on_core_call_t *call) {
    const size_t room = d->bus.memory_bytes - d->used;
    if (!call->job.frames) {
        rs_on_core_aim_message(d, call, call->encrypts->values);
        if (call->message.slots.own.data) return 1;
        if (room < rs_on_core_word_bytes(d)) return 0;
        rs_on_core_put_numbers(d->bus.memory + d->used, call->encrypts->values, &call->job.numbers);
        return 1;
    }
    call->secret_bytes = rs_on_core_aim_frames(d, call, d->used);
    if (room < call->secret_bytes) return 0;
    for (uint32_t i = 0; i < call->job.frames; i++) {
        const uint64_t at = call->message.slots.at[i];
        if (rs_machine_is_own(d, at))
            rs_on_core_put_numbers(d->bus.memory + (at - d->bus.memory_address), call->encrypts[i].values, &call->job.numbers);
    }
    return 1;
}

// Both rows of an encryption that is divided by P, limb `drop`, at the end: P message + floor(P/2), and floor(P/2). words: the message's;
// NULL: they are at the input's beginning. 0: some products do not fit into words, or there is no room; then nothing is left there. Only that
// is public.
static int make_dividends(const rs_device_t *d, uint32_t drop, const uint64_t *words) {
    const rs_modulus_t *m = &rs_on_core(d)->context->limbs[drop].modulus;
    const unsigned bits = 62 - m->bits; // bits of a message that fits: P message is below 2^62, floor(P/2) below 2^60
    uint8_t *row0 = d->bus.memory + d->used;
    uint8_t *row1 = row0 + rs_on_core_word_bytes(d);
    const uint8_t *from = words ? (const uint8_t *)words : row0;
    const int room = d->bus.memory_bytes - d->used >= 2 * rs_on_core_word_bytes(d);
    const int aligned = rs_is_aligned(row0) && rs_is_aligned(from);
    uint64_t wide = 0;
    for (size_t at = 0; room && at < rs_on_core_word_bytes(d); at += sizeof(word_t)) {
        const uint64_t word = aligned ? rs_load64_aligned(from + at) : rs_load64(from + at);
        const uint64_t product = word * m->q + (m->q >> 1);
        wide |= (word + (UINT64_C(1) << bits)) >> (bits + 1);
        if (aligned) {
            rs_store64_aligned(row0 + at, product);
            rs_store64_aligned(row1 + at, m->q >> 1);
        } else {
            rs_store64(row0 + at, product);
            rs_store64(row1 + at, m->q >> 1);
        }
    }
    RS_DECLASSIFY(&wide, sizeof wide);
    if (room && !wide) return 1;
    if (room || !words) rs_machine_wipe(d, d->used, rs_on_core_word_bytes(d));
    return 0;
}

rs_job_message_t rs_on_core_message_form(const rs_device_t *d, rs_on_core_call_t *call, const rs_plaintext_t *plaintext,
                                         int divided, int alone) {
    if (!d->design.slots || (plaintext && plaintext->form == RS_FORM_NTT)) return RS_MESSAGE_NONE;
    if (call->integers) return RS_MESSAGE_RESIDUES;
    if (!(d->design.features & RS_FEATURE_REDUCE)) return RS_MESSAGE_RESIDUES;
    const uint64_t *words = words_of(plaintext);
    if (words && divided && RS_LITTLE_ENDIAN)
        return make_dividends(d, plaintext->limb_count, words) ? RS_MESSAGE_WORDS : RS_MESSAGE_RESIDUES;
    int ready = words ? take_words(d, call, words, alone && !divided) : put_words(d, d->used, plaintext->message);
    if (ready && divided) ready = make_dividends(d, plaintext->limb_count, NULL);
    return ready ? RS_MESSAGE_WORDS : RS_MESSAGE_RESIDUES;
}

rs_status_t rs_on_core_drop_message(const rs_device_t *d, const rs_on_core_call_t *call, rs_status_t status) {
    if (status != RS_OK && call->job.frames) rs_machine_wipe(d, d->used, call->secret_bytes);
    if (call->job.frames) return status;
    const int taken = call->from.data || call->message.slots.own.data; // the caller's, not a copy
    if (status != RS_OK && call->job.message >= RS_MESSAGE_WORDS && !taken) rs_machine_wipe(d, d->used, rs_on_core_word_bytes(d));
    return status;
}

int rs_device_reads_words(const rs_device_t *device, rs_encryption_t kind) {
    if (!device || !device->design.slots || !(device->design.features & RS_FEATURE_REDUCE)) return 0;
    const uint32_t narrow = 32; // wider special primes leave no room for the message beside them (make_dividends)
    return kind != RS_ENCRYPT_PK || rs_design_rounds(&device->design) || device->design.word_bits <= narrow;
}

rs_status_t rs_on_core_check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext) {
    if (!plaintext) return RS_ERR_NULL;
    if (context->params.scheme != RS_SCHEME_CKKS) return rs_exact_check_plaintext(context, plaintext);
    rs_plaintext_t seen = *plaintext;
    if (seen.form == RS_FORM_WORDS) seen.form = RS_FORM_COEF;
    return rs_check_plaintext(context, &seen);
}

rs_status_t rs_on_core_check_source(rs_device_t *d, rs_on_core_call_t *call) {
    const rs_plaintext_t *plaintext = call->encrypts->plaintext;
    if (!plaintext) return check_slots(d, call);
    call->job.limbs = plaintext->limb_count;
    return rs_on_core_check_plaintext(rs_on_core(d)->context, plaintext);
}

uint32_t rs_on_core_row_polys(const rs_device_t *d, const rs_on_core_call_t *call) {
    if (call->job.frames) return (uint32_t)rs_on_core_polys_for(d, call->secret_bytes);
    const uint32_t limbs = call->job.limbs;
    return call->job.message >= RS_MESSAGE_WORDS && limbs < RS_MESSAGE_POLYS ? RS_MESSAGE_POLYS : limbs;
}

size_t rs_on_core_secret_bytes(const rs_device_t *d, const rs_on_core_call_t *call, int dividends) {
    if (call->job.frames) return call->secret_bytes;
    if (dividends || (!d->design.slots && call->job.kind != RS_JOB_ENCRYPT_SK)) return call->output - call->input;
    if (!d->design.slots || call->job.message == RS_MESSAGE_RESIDUES) return call->job.limbs * rs_on_core_poly_bytes(d);
    if (call->job.message == RS_MESSAGE_SLOTS)
        return call->message.slots.own.data ? 0 : rs_machine_line_bytes(rs_on_core_array_bytes(&call->job.numbers));
    if (call->job.message == RS_MESSAGE_INTEGERS) return rs_on_core_poly_bytes(d);
    return call->job.message == RS_MESSAGE_WORDS && !call->from.data ? rs_on_core_word_bytes(d) : 0;
}

size_t rs_on_core_workspace_used(const rs_device_t *d, const rs_on_core_call_t *call) {
    if (!d->design.slots || call->integers) return rs_device_workspace(rs_on_core(d)->context);
    const int expands_here = call->job.kind == RS_JOB_ENCRYPT_SK && !call->job.expansion;
    return call->job.message == RS_MESSAGE_RESIDUES || expands_here ? rs_on_core(d)->context->n * sizeof(uint64_t) : 0;
}

// A limb of the message, in integers, doubles or words, with an error or without.
static void lift(const rs_device_t *d, const rs_on_core_call_t *call, uint32_t limb, uint64_t *residues, const int8_t *error) {
    if (call->integers) {
        rs_on_core_lift_integers(d, call, limb, residues, error);
        return;
    }
    const rs_plaintext_t *plaintext = call->encrypts->plaintext;
    const void *words = words_of(plaintext);
    if (!words) {
        rs_lift_message(rs_on_core(d)->context, limb, residues, plaintext->message, error);
        return;
    }
    const rs_modulus_t *m = &rs_on_core(d)->context->limbs[limb].modulus;
    rs_lift_fixed(rs_on_core(d)->context, limb, residues, words, 0);
    for (uint32_t k = 0; error && k < rs_on_core(d)->context->n; k++) {
        residues[k] = rs_add_mod(residues[k], rs_reduce_signed(error[k], m), m->q);
    }
}

static int has_message(const rs_on_core_call_t *call) {
    const rs_plaintext_t *plaintext = call->encrypts->plaintext;
    return call->integers || (plaintext && plaintext->form != RS_FORM_NTT);
}

void rs_on_core_put_message(const rs_device_t *d, const rs_on_core_call_t *call, const int8_t *error, uint64_t *residues) {
    if (call->job.message == RS_MESSAGE_INTEGERS) { // slots
        rs_image_write(&d->design, &rs_exact(rs_on_core(d)->context)->ring, rs_on_core_poly_at(d, call->input, 0), call->integers,
                       0);
        return;
    }
    if (call->job.message >= RS_MESSAGE_WORDS) return; // they are there
    const int message = has_message(call);
    if (!message && !error) return;
    for (uint32_t limb = 0; limb < call->job.limbs; limb++) {
        if (message) {
            lift(d, call, limb, residues, error);
        } else {
            rs_plan_lift(rs_context_plan(rs_on_core(d)->context, limb), residues, error, 1);
        }
        rs_image_write(&d->design, &rs_on_core(d)->context->limbs[limb], rs_on_core_poly_at(d, call->input, limb), residues, 0);
    }
}

void rs_on_core_put_small(const rs_device_t *d, const rs_on_core_call_t *call, uint32_t row, const int8_t *small, int times_radix,
                          uint64_t *residues) {
    for (uint32_t limb = 0; limb < call->job.limbs; limb++) {
        const uint64_t factor = times_radix ? rs_image_radix(&d->design, &rs_on_core(d)->context->limbs[limb].modulus) : 1;
        rs_plan_lift(rs_context_plan(rs_on_core(d)->context, limb), residues, small, factor);
        rs_image_write(&d->design, &rs_on_core(d)->context->limbs[limb],
                       rs_on_core_poly_at(d, call->input, row * call->job.limbs + limb), residues, 0);
    }
}

void rs_on_core_put_dividends(const rs_device_t *d, const rs_on_core_call_t *call, uint64_t *residues) {
    const uint32_t drop = call->job.limbs;
    const uint64_t p = rs_on_core(d)->context->limbs[drop].modulus.q;
    for (uint32_t i = 0; i < 2 * (drop + 1); i++) {
        const uint32_t limb = i % (drop + 1);
        const rs_modulus_t *m = &rs_on_core(d)->context->limbs[limb].modulus;
        const rs_factor_t factor = rs_factor(rs_reduce(p, m), m->q);
        const uint64_t half = rs_reduce(p / 2, m);
        const int message = i < drop && has_message(call);
        if (message) lift(d, call, limb, residues, NULL);
        for (uint32_t k = 0; k < rs_on_core(d)->context->n; k++) {
            residues[k] = message ? rs_add_mod(rs_mul_factor(residues[k], factor, m->q), half, m->q) : half;
        }
        rs_image_write(&d->design, &rs_on_core(d)->context->limbs[limb], rs_on_core_poly_at(d, call->input, i), residues, 0);
    }
}

rs_status_t rs_on_core_put_expansion(const rs_device_t *d, const rs_on_core_call_t *call, uint32_t row_limbs, uint32_t first,
                                     rs_seed_type_t type, const rs_seed_t *seed, uint64_t *copy, uint64_t *residues) {
    rs_uniform_t uniform;
    const size_t n = rs_on_core(d)->context->n;
    RS_TRY(rs_uniform_init(&uniform, type, seed, call->job.log_n, row_limbs));
    for (uint32_t limb = 0; limb < call->job.limbs; limb++) {
        RS_TRY(rs_uniform_next(&uniform, rs_on_core(d)->context->limbs[limb].modulus.q, residues));
        rs_image_write(&d->design, &rs_on_core(d)->context->limbs[limb], rs_on_core_poly_at(d, call->input, first + limb), residues,
                       0);
        if (copy) memcpy(copy + limb * n, residues, n * sizeof *residues);
    }
    return RS_OK;
}

int rs_on_core_expands(const rs_device_t *d, rs_seed_type_t type) {
    return (d->design.features & RS_FEATURE_EXPAND) && type == RS_SEED_SHAKE256;
}

static const rs_ciphertext_t *ciphertext_of(const rs_on_core_call_t *call, uint32_t i) {
    return call->encrypts ? call->encrypts[i].ciphertext : call->decrypts[i].ciphertext;
}

int rs_on_core_in_a_row(const rs_device_t *d, const rs_on_core_call_t *call, size_t polys) {
    const size_t bytes = polys * rs_on_core_word_bytes(d);
    for (uint32_t i = 1; i < rs_on_core_frames_of(call); i++) {
        if ((uintptr_t)ciphertext_of(call, i)->data != (uintptr_t)ciphertext_of(call, 0)->data + i * bytes) return 0;
    }
    return 1;
}

void rs_on_core_aim_input(const rs_device_t *d, rs_on_core_call_t *call, const uint64_t *polys, size_t count) {
    rs_own_array_t own = {polys, count * rs_on_core_word_bytes(d), 0};
    if (!rs_machine_reaches(d, polys, own.bytes, &own.address)) return;
    call->from = own;
    call->job.wide_input = 1;
}

void rs_on_core_aim_output(const rs_device_t *d, rs_on_core_call_t *call, uint64_t *polys, size_t count) {
    rs_own_array_t own = {polys, count * rs_on_core_word_bytes(d), 0};
    if (!rs_machine_reaches(d, polys, own.bytes, &own.address)) return;
    call->to = own;
    call->job.wide_output = 1;
}

int rs_on_core_put_streamed(const rs_device_t *d, size_t offset, const rs_plaintext_t *plaintext, uint64_t bound) {
    uint8_t *words = d->bus.memory + offset;
    uint64_t over = 0;
    if (plaintext->form == RS_FORM_NTT) { // added afterwards
        memset(words, 0, rs_on_core_word_bytes(d));
        return 1;
    }
    if (words_of(plaintext)) {
        rs_image_put(words, words_of(plaintext), rs_on_core(d)->context->n, 1);
    } else if (!put_words(d, offset, plaintext->message)) {
        return 0;
    }
    for (size_t at = 0; at < rs_on_core_word_bytes(d); at += sizeof(word_t)) {
        const uint64_t word = rs_load64(words + at), sign = 0 - (word >> 63);
        over |= bound - 1 - ((word ^ sign) - sign); // magnitudes are at most 2^63, bounds below: negative if too large
    }
    over >>= 63;
    RS_DECLASSIFY(&over, sizeof over);
    return !over;
}
