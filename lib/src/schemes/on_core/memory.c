// SPDX-License-Identifier: Apache-2.0
// Room in the memory that driver and core share, and what stays in it for a call.
#include <string.h>

#include "machine/image.h"
#include "schemes/on_core/on_core.h"

size_t rs_on_core_polys_for(const rs_device_t *d, size_t bytes) {
    size_t polys = 0;
    for (size_t at = 0; at < bytes; at += rs_on_core_poly_bytes(d)) polys++;
    return polys;
}

size_t rs_on_core_stream_frame_bytes(uint32_t log_n, uint32_t limbs) { return ((size_t)1 + 2 * limbs) * (size_t)8 << log_n; }

// The key image of all limbs, in whole polynomials.
static size_t stream_image_bytes(const rs_design_t *design, const rs_params_t *params) {
    const size_t poly = rs_design_poly_bytes(design, params->log_n);
    const size_t image = params->limb_count * rs_design_stream_key_bytes(design, params->log_n);
    return (image + poly - 1) & ~(poly - 1); // a power of two
}

rs_status_t rs_design_fits(const rs_design_t *design, const rs_params_t *params) {
    if (!design || !params) return RS_ERR_NULL;
    RS_TRY(rs_design_check(design));
    for (uint32_t i = 0; i < params->limb_count; i++) RS_TRY(rs_design_fits_ring(design, params->log_n, params->moduli[i]));
    return RS_OK;
}

static size_t one_call_bytes(const rs_design_t *design, const rs_params_t *params, uint32_t poly_count) {
    if (rs_design_fits(design, params) != RS_OK) return 0;
    const size_t limbs = params->limb_count;
    const size_t in = poly_count > 3 ? poly_count : 3; // residues made here: of the message, of u, of an error
    // one more for the words of a message, and one for roots; of integers a second secret key, room to round, constants
    const int exact = params->scheme != RS_SCHEME_CKKS;
    const size_t polys = limbs * (2 + 1 + (size_t)exact + in + 2) + 1 + (size_t)rs_design_encodes(design) + (exact ? 6 : 0);
    // bytes, in units of 64, to which a key image is filled up with whole polynomials
    const size_t images = rs_design_streams(design) ? stream_image_bytes(design, params) : 0;
    const rs_behind_t behind = rs_on_core_behind(design, params->log_n, params->limb_count);
    const size_t contexts = exact ? rs_on_core_has_plain(design, params) ? behind.end : behind.digits : behind.times;
    return contexts + polys * rs_design_poly_bytes(design, params->log_n) + images;
}

size_t rs_device_memory_bytes(const rs_design_t *design, const rs_params_t *params, uint32_t poly_count, uint32_t frames) {
    const size_t bytes = one_call_bytes(design, params, poly_count);
    if (!bytes || frames < 2 || !(rs_design_encodes(design) || rs_design_streams(design))) return bytes;
    const size_t streamed =
        rs_design_streams(design) ? RS_FRAMES_MAX * rs_on_core_stream_frame_bytes(params->log_n, params->limb_count) : 0;
    // slots that are no longer than a polynomial of words, and a ciphertext or the first limbs of one
    const size_t poly = rs_design_poly_bytes(design, params->log_n), words = (size_t)8 << params->log_n;
    const size_t decoded = (params->limb_count > 1 ? 2 : 1) * (size_t)poly_count, both = 2 * (size_t)params->limb_count;
    const size_t limbs = both > decoded ? both : decoded;
    const size_t encoded = rs_design_encodes(design) ? RS_FRAMES_ENCODE * (words + limbs * poly) : 0;
    return bytes + (streamed > encoded ? streamed : encoded);
}

rs_status_t rs_on_core_place(rs_device_t *d, size_t *key, size_t polys) {
    return rs_machine_place(d, key, polys * rs_on_core_poly_bytes(d));
}

static rs_status_t build(const rs_design_t *design, const rs_program_key_t *key, uint64_t *words, size_t capacity, size_t *length) {
    rs_job_t job;
    memcpy(&job, key->words + 1, sizeof job);
    return rs_program_build(design, &job, words, capacity, length);
}

rs_program_key_t rs_on_core_key(const rs_job_t *job) {
    // a job is words and nothing between them, so all of it counts, what is added to it later too
    enum { FIELD_BYTES = 4, FIELDS = 25 };
    _Static_assert(sizeof *job == (size_t)FIELDS * FIELD_BYTES, "a job has padding, or fields of another size");
    _Static_assert(sizeof *job <= sizeof(rs_program_key_t) - FIELD_BYTES, "a job has its place in a key, behind the scheme");
    rs_program_key_t key = {{RS_SCHEME_CKKS}};
    memcpy(key.words + 1, job, sizeof *job);
    return key;
}

rs_status_t rs_on_core_load_program(rs_device_t *d, const rs_job_t *job) {
    const rs_program_key_t key = rs_on_core_key(job);
    return rs_machine_load_program(d, &key, build);
}

rs_status_t rs_on_core_prepare(rs_device_t *d, rs_on_core_call_t *call, size_t in, size_t out) {
    RS_TRY(rs_machine_settle(d));
    call->job.log_n = rs_on_core(d)->context->params.log_n;
    call->input = d->used;
    call->output = call->input + in * rs_on_core_poly_bytes(d);
    call->end = call->output + out * rs_on_core_poly_bytes(d);
    return call->end <= d->bus.memory_bytes ? RS_OK : RS_ERR_DEVICE_MEMORY;
}

// The constants of a limb's context, or of its key image.
static void put_header(const rs_device_t *d, uint32_t limb, rs_constants_t of, size_t offset) {
    const rs_context_t *context = rs_on_core(d)->context;
    const int is_message = limb < of.batched && of.drop == context->params.limb_count; // it needs no inverse of a special prime
    const int is_target = limb + 1 == of.target;
    if (of.rounded || is_message || is_target) {
        const uint64_t constant = is_target    ? rs_on_core_target_factor(&d->design, context, limb, of.squared != 0)
                                  : is_message ? rs_on_core_message_factor(context, &of, limb)
                                               : rs_on_core_digit_factor(d, &of, limb);
        rs_image_header(&d->design, &context->limbs[limb], constant, 1, d->bus.memory + offset);
    } else {
        rs_on_core_header(&d->design, context, limb, of, d->bus.memory + offset);
    }
    rs_machine_sync_for_device(d, d->bus.memory + offset, RS_CONTEXT_HEADER_BYTES);
}

void rs_on_core_set_constants(rs_device_t *d, rs_constants_t to) {
    rs_on_core_t *s = rs_on_core_of(d);
    const rs_constants_t *c = &s->constants;
    if (c->drop == to.drop && c->negative == to.negative && c->rounded == to.rounded &&
        c->correction_factor == to.correction_factor && c->batched == to.batched && c->switched == to.switched &&
        c->coefficients == to.coefficients && c->target == to.target && c->squared == to.squared)
        return;
    const size_t bytes = rs_design_context_bytes(&d->design, s->context->params.log_n);
    const size_t image = rs_design_stream_key_bytes(&d->design, s->context->params.log_n);
    const uint32_t last = to.rounded ? to.drop - 1 : to.drop ? to.drop : 1;
    for (uint32_t limb = 0; limb <= last && limb < rs_on_core_key_limbs(d); limb++) {
        put_header(d, limb, to, limb * bytes);
        if (s->stream_key) put_header(d, limb, to, s->stream_key + limb * image);
    }
    if (rs_on_core_is_exact(d)) rs_on_core_put_times(d, to.batched && to.negative);
    if (to.rounded) rs_on_core_put_rounding(d, &to);
    if (to.batched) rs_on_core_put_batching(d, &to);
    s->constants = to;
}

void rs_on_core_set_factors(rs_device_t *d, uint64_t factor, uint64_t added) {
    rs_on_core_t *s = rs_on_core_of(d);
    if (s->factor == factor && s->added_factor == added) return;
    rs_image_roots_factors(factor, added, d->bus.memory + s->roots);
    rs_machine_sync_for_device(d, d->bus.memory + s->roots, RS_CONTEXT_HEADER_BYTES);
    s->factor = factor;
    s->added_factor = added;
}
