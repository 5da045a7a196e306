// SPDX-License-Identifier: Apache-2.0
// Room in the memory that driver and core share, and what stays in it for a call.
#include "base/bytes.h"
#include "device/image.h"
#include "driver/driver.h"

size_t rs_driver_polys_for(const rs_device_t *d, size_t bytes) {
    size_t polys = 0;
    for (size_t at = 0; at < bytes; at += rs_driver_poly_bytes(d)) polys++;
    return polys;
}

void rs_driver_wipe(const rs_device_t *d, size_t offset, size_t bytes) {
    rs_zeroize(d->bus.memory + offset, bytes);
    rs_driver_sync_for_device(d, d->bus.memory + offset, bytes);
}

int rs_driver_reaches(const rs_device_t *d, const void *words, size_t bytes, uint64_t *address) {
    return RS_LITTLE_ENDIAN && d->bus.reach && d->bus.reach(d->bus.state, words, bytes, address) && *address % RS_LINE_BYTES == 0;
}

size_t rs_driver_stream_frame_bytes(uint32_t log_n, uint32_t limbs) {
    return ((size_t)1 + 2 * limbs) * (size_t)8 << log_n;
}

// The key image of all limbs, in whole polynomials.
static size_t stream_image_bytes(const rs_design_t *design, const rs_params_t *params) {
    const size_t poly = rs_design_poly_bytes(design, params->log_n);
    const size_t image = params->limb_count * rs_design_stream_key_bytes(design, params->log_n);
    return (image + poly - 1) & ~(poly - 1); // a power of two
}

size_t rs_device_memory_bytes(const rs_design_t *design, const rs_params_t *params, uint32_t poly_count) {
    if (rs_design_fits(design, params) != RS_OK) return 0;
    const size_t limbs = params->limb_count;
    const size_t in = poly_count > 3 ? poly_count : 3; // residues made here: of the message, of u, of an error
    // one more for the words of a message, and one for roots
    const size_t polys = limbs * (2 + 1 + in + 2) + 1 + (size_t)rs_design_encodes(design);
    // of 64 bytes, to which a key image is filled up with whole polynomials
    const size_t images = rs_design_streams(design) ? stream_image_bytes(design, params) : 0;
    return limbs * rs_design_context_bytes(design, params->log_n) + polys * rs_design_poly_bytes(design, params->log_n) + images;
}

size_t rs_device_frames_bytes(const rs_design_t *design, const rs_params_t *params, uint32_t poly_count) {
    const size_t bytes = rs_device_memory_bytes(design, params, poly_count);
    if (!bytes || !(rs_design_encodes(design) || rs_design_streams(design))) return bytes;
    const size_t streamed =
        rs_design_streams(design) ? RS_FRAMES_MAX * rs_driver_stream_frame_bytes(params->log_n, params->limb_count) : 0;
    // slots that are no longer than a polynomial of words, and a ciphertext or the first limbs of one
    const size_t poly = rs_design_poly_bytes(design, params->log_n), words = (size_t)8 << params->log_n;
    const size_t decoded = (params->limb_count > 1 ? 2 : 1) * (size_t)poly_count, both = 2 * (size_t)params->limb_count;
    const size_t limbs = both > decoded ? both : decoded;
    const size_t encoded = rs_design_encodes(design) ? RS_FRAMES_ENCODE * (words + limbs * poly) : 0;
    return bytes + (streamed > encoded ? streamed : encoded);
}

rs_status_t rs_driver_place(rs_device_t *d, size_t *key, size_t polys) {
    if (*key) return RS_OK;
    if (d->bus.memory_bytes - d->used < polys * rs_driver_poly_bytes(d)) return RS_ERR_DEVICE_MEMORY;
    *key = d->used;
    d->used += polys * rs_driver_poly_bytes(d);
    return RS_OK;
}

rs_status_t rs_driver_prepare(rs_device_t *d, rs_device_call_t *call, size_t in, size_t out) {
    if (d->unwiped) RS_TRY(rs_driver_zeroize(d));
    call->job.log_n = d->context->params.log_n;
    call->input = d->used;
    call->output = call->input + in * rs_driver_poly_bytes(d);
    call->end = call->output + out * rs_driver_poly_bytes(d);
    return call->end <= d->bus.memory_bytes ? RS_OK : RS_ERR_DEVICE_MEMORY;
}

// The constants of a limb's context, or of its key image.
static void put_header(const rs_device_t *d, uint32_t limb, uint32_t drop, size_t offset) {
    rs_device_image_header(&d->design, d->context, limb, drop, d->bus.memory + offset);
    rs_driver_sync_for_device(d, d->bus.memory + offset, RS_CONTEXT_HEADER_BYTES);
}

void rs_driver_set_drop(rs_device_t *d, uint32_t drop) {
    if (d->drop == drop) return;
    const size_t bytes = rs_design_context_bytes(&d->design, d->context->params.log_n);
    const size_t image = rs_design_stream_key_bytes(&d->design, d->context->params.log_n);
    const uint32_t last = drop ? drop : 1;
    for (uint32_t limb = 0; limb <= last && limb < rs_driver_key_limbs(d); limb++) {
        put_header(d, limb, drop, limb * bytes);
        if (d->stream_key) put_header(d, limb, drop, d->stream_key + limb * image);
    }
    d->drop = drop;
}

void rs_driver_set_factors(rs_device_t *d, uint64_t factor, uint64_t added) {
    if (d->factor == factor && d->added_factor == added) return;
    rs_device_image_roots_factors(factor, added, d->bus.memory + d->roots);
    rs_driver_sync_for_device(d, d->bus.memory + d->roots, RS_CONTEXT_HEADER_BYTES);
    d->factor = factor;
    d->added_factor = added;
}
