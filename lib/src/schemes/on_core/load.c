// SPDX-License-Identifier: Apache-2.0
// Contexts, keys and roots into a core's memory.
#include "base/bytes.h"
#include "machine/image.h"
#include "rlwe/checks.h"
#include "schemes/on_core/on_core.h"

static size_t secret_polys(const rs_device_t *d) { return rs_on_core_key_limbs(d) * (rs_on_core_is_exact(d) ? 2 : 1); }

static void wipe_secret_key(rs_device_t *d) {
    rs_on_core_t *s = rs_on_core_of(d);
    if (s->secret_key) rs_machine_wipe(d, s->secret_key, secret_polys(d) * rs_on_core_poly_bytes(d));
    s->secret_key = 0;
}

const rs_tenant_t RS_CLIENT_ON_CORE = {wipe_secret_key};

static rs_status_t load_context(rs_device_t *device, const rs_context_t *context) {
    RS_TRY(rs_design_fits(&device->design, &context->params));
    const size_t bytes = rs_design_context_bytes(&device->design, context->params.log_n);
    const size_t header = context->params.scheme == RS_SCHEME_CKKS ? 0 : RS_CONTEXT_HEADER_BYTES;
    const uint32_t limbs = context->params.limb_count;
    if (device->bus.memory_bytes / (bytes + header) < limbs) return RS_ERR_DEVICE_MEMORY;
    rs_machine_claim(device, &RS_CLIENT_ON_CORE);
    rs_on_core_of(device)->context = context;
    rs_on_core_of(device)->constants.drop = limbs;
    device->used = limbs * bytes;
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_device_image_context(&device->design, context, limb, limbs, device->bus.memory + limb * bytes);
    }
    device->used += limbs * header;
    if (header) rs_on_core_put_times(device, 0);
    rs_machine_sync_for_device(device, device->bus.memory, device->used);
    rs_on_core_load_rounding(device);
    return RS_OK;
}

static void scale_stream_key(const rs_device_t *d, uint32_t limb, const uint64_t *key) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_factor_t factor = rs_on_core_streamed_factor(context, limb, 0);
    const size_t n = context->n, row = (size_t)rs_is_bgv(context);
    const uint64_t *from = key + (row * context->params.limb_count + limb) * n;
    uint8_t *to = d->bus.memory + rs_on_core(d)->stream_key + rs_on_core_streamed_key(&d->design, context->params.log_n, limb);
    for (size_t i = 0; i < n; i++)
        rs_store64(to + (row * n + i) * sizeof *from, rs_mul_factor(from[i], factor, context->limbs[limb].modulus.q));
}

// The image for the streaming unit. Without room for it the lanes encrypt.
static void load_stream_key(rs_device_t *d, const rs_ciphertext_t *key) {
    rs_on_core_t *s = rs_on_core_of(d);
    const uint32_t limbs = s->context->params.limb_count;
    const size_t bytes = rs_design_stream_key_bytes(&d->design, s->context->params.log_n), n = s->context->n;
    if (rs_on_core_place(d, &s->stream_key, rs_on_core_polys_for(d, limbs * bytes)) != RS_OK) return;
    uint8_t *image = d->bus.memory + s->stream_key;
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_device_image_stream_key(&d->design, s->context, limb, s->constants.drop, image + limb * bytes, key->data + limb * n,
                                   key->data + (limbs + limb) * n);
        if (rs_on_core_is_exact(d)) scale_stream_key(d, limb, key->data);
    }
    rs_machine_sync_for_device(d, image, limbs * bytes);
}

static uint64_t key_factor(const rs_context_t *context, uint32_t limb, int sign) {
    if (context->params.scheme == RS_SCHEME_BGV) return rs_on_core_plain_inverse(context, limb, sign < 0);
    return sign < 0 ? context->limbs[limb].modulus.q - 1 : 1;
}

// `count` polynomials of all limbs, one after the other, at `offset`. sign: 1 or -1, times t^-1 in BGV; 0: as they are.
static void put_polys(const rs_device_t *d, size_t offset, const uint64_t *polys, size_t count, int times_radix, int sign) {
    const rs_context_t *context = rs_on_core(d)->context;
    const size_t limbs = context->params.limb_count, n = context->n;
    for (size_t i = 0, j = 0; j < count; j++) {
        for (size_t limb = 0; limb < limbs; limb++, i++)
            rs_image_write_times(&d->design, &context->limbs[limb], rs_on_core_poly_at(d, offset, i), polys + i * n,
                                 sign ? key_factor(context, (uint32_t)limb, sign) : 1, times_radix);
    }
    rs_machine_sync_for_device(d, rs_on_core_poly_at(d, offset, 0), count * limbs * rs_on_core_poly_bytes(d));
}

static rs_status_t load_roots(rs_device_t *d, const rs_fixed_t *fixed) {
    rs_on_core_t *s = rs_on_core_of(d);
    if (rs_on_core_is_exact(d)) return RS_ERR_SCHEME;
    if (!rs_design_encodes(&d->design)) return RS_ERR_DESIGN;
    if (rs_fixed_n(fixed) != s->context->n || rs_fixed_word_bits(fixed) != d->design.word_bits) return RS_ERR_MISMATCH;
    RS_TRY(rs_on_core_place(d, &s->roots, 1)); // half of its words, and 64 bytes
    rs_image_roots(&d->design, fixed, d->bus.memory + s->roots);
    s->factor = s->added_factor = 0;
    rs_machine_sync_for_device(d, d->bus.memory + s->roots, rs_on_core_poly_bytes(d));
    s->loaded[2] = fixed;
    return RS_OK;
}

static rs_status_t load_public_key(rs_device_t *d, const rs_ciphertext_t *key) {
    rs_on_core_t *s = rs_on_core_of(d);
    if (!key->data) return RS_ERR_NULL;
    RS_TRY(rs_check_public_key(s->context, key));
    RS_TRY(rs_on_core_place(d, &s->public_key, 2 * rs_on_core_key_limbs(d)));
    put_polys(d, s->public_key, key->data, 2, 0, 1);
    if (rs_design_streams(&d->design)) load_stream_key(d, key);
    s->loaded[0] = key;
    return RS_OK;
}

static rs_status_t load_secret_key(rs_device_t *d, const rs_secret_key_t *key) {
    rs_on_core_t *s = rs_on_core_of(d);
    if (!key->ntt) return RS_ERR_NULL;
    RS_TRY(rs_check_id(s->context, key->parms_id, s->context->params.limb_count));
    RS_TRY(rs_on_core_place(d, &s->secret_place, secret_polys(d)));
    s->secret_key = s->secret_place;
    put_polys(d, s->secret_key, key->ntt, 1, 1, 0);
    if (rs_on_core_is_exact(d)) put_polys(d, rs_on_core_key_for_c1(d), key->ntt, 1, 1, -1);
    s->loaded[1] = key;
    return RS_OK;
}

rs_status_t rs_device_load(rs_device_t *device, const rs_device_load_request_t *request) {
    if (!device) return RS_ERR_NULL;
    RS_TRY(RS_CHECK_REQUEST(request));
    if (device->under_way) return RS_ERR_DEVICE_BUSY;
    if (request->context) RS_TRY(load_context(device, request->context));
    RS_TRY(rs_on_core_ready(device));
    if (request->fixed) RS_TRY(load_roots(device, request->fixed));
    if (request->public_key) RS_TRY(load_public_key(device, request->public_key));
    return request->secret_key ? load_secret_key(device, request->secret_key) : RS_OK;
}

rs_status_t rs_device_forget(rs_device_t *device) {
    if (!device || !device->bus.write) return RS_ERR_NULL;
    if (device->under_way) return RS_ERR_DEVICE_BUSY;
    const int is_ours = device->tenant == &RS_CLIENT_ON_CORE;
    if (!(is_ours && rs_on_core(device)->secret_key) && !device->unwiped) return RS_OK;
    if (is_ours) wipe_secret_key(device);
    device->program_words = 0;
    return rs_machine_zeroize(device);
}
