// SPDX-License-Identifier: Apache-2.0
// Requests of one item to a device, as tests make them by the dozen. seeded and seed_type are those that the ciphertext has.
#ifndef RS_DEVICE_CALLS_H
#define RS_DEVICE_CALLS_H

#include <ringside/device_ckks.h>

#define LOAD(device, ...) rs_device_load(device, RS_REQUEST(rs_device_load_request_t, __VA_ARGS__))

static inline rs_status_t encrypt_items(rs_device_t *device, rs_encryption_t kind, rs_encrypt_item_t *items, size_t count,
                                        rs_rng_t *rng, rs_memory_t workspace, rs_device_mode_t mode) {
    const rs_ciphertext_t *like = items && count ? items->ciphertext : NULL;
    const int is_secret = like && kind == RS_ENCRYPT_SK;
    return rs_device_encrypt(device,
                             RS_REQUEST(rs_encrypt_request_t, .kind = kind, .seeded = is_secret ? like->seeded : 0,
                                        .seed_type = is_secret ? like->seed_type : 0, .items = items, .count = count, .rng = rng,
                                        .workspace = workspace),
                             mode);
}

static inline rs_status_t decrypt_items(rs_device_t *device, rs_decrypt_item_t *items, size_t count, rs_memory_t workspace,
                                        rs_device_mode_t mode) {
    return rs_device_decrypt(device, RS_REQUEST(rs_decrypt_request_t, .items = items, .count = count, .workspace = workspace),
                             mode);
}

// An item stays where it is until the end of the call: of some calls, because another one may be refused meanwhile.
enum { DEVICE_CALLS = 4 };

static inline rs_status_t encrypt_one(rs_device_t *device, rs_encryption_t kind, const rs_plaintext_t *plaintext,
                                      rs_ciphertext_t *ciphertext, rs_rng_t *rng, rs_memory_t workspace, rs_device_mode_t mode) {
    static rs_encrypt_item_t items[DEVICE_CALLS];
    static unsigned calls;
    rs_encrypt_item_t *item = &items[calls++ % DEVICE_CALLS];
    *item = (rs_encrypt_item_t){.plaintext = plaintext, .ciphertext = ciphertext};
    return encrypt_items(device, kind, item, 1, rng, workspace, mode);
}

static inline rs_status_t decrypt_one(rs_device_t *device, const rs_ciphertext_t *ciphertext, uint32_t limbs,
                                      rs_plaintext_t *plaintext, rs_memory_t workspace, rs_device_mode_t mode) {
    static rs_decrypt_item_t items[DEVICE_CALLS];
    static unsigned calls;
    rs_decrypt_item_t *item = &items[calls++ % DEVICE_CALLS];
    *item = (rs_decrypt_item_t){.ciphertext = ciphertext, .plaintext = plaintext, .limb_count = limbs};
    return decrypt_items(device, item, 1, workspace, mode);
}

static inline rs_layout_t layout_of(const rs_fixed_layout_t *layout) {
    return (rs_layout_t){
        .format = layout->format + 1, .is_complex = layout->is_complex, .exponent = layout->exponent, .bound = layout->bound};
}

static inline rs_encrypt_item_t slots_item(const void *values, const rs_fixed_layout_t *layout, const rs_layout_t *as, double scale,
                                           uint32_t limbs, rs_ciphertext_t *ciphertext) {
    return (rs_encrypt_item_t){
        .values = values, .layout = as, .count = layout->count, .scale = scale, .limb_count = limbs, .ciphertext = ciphertext};
}

static inline rs_status_t encrypt_slots(rs_device_t *device, rs_encryption_t kind, rs_encrypt_item_t item, rs_rng_t *rng,
                                        rs_memory_t workspace, rs_device_mode_t mode) {
    return encrypt_items(device, kind, &item, 1, rng, workspace, mode);
}

// layout NULL: real doubles.
static inline rs_status_t decrypt_slots(rs_device_t *device, const rs_ciphertext_t *ciphertext, uint32_t limbs, void *values,
                                        const rs_fixed_layout_t *layout, rs_memory_t workspace, rs_device_mode_t mode) {
    const rs_layout_t as = layout ? layout_of(layout) : (rs_layout_t){0};
    rs_decrypt_item_t item = {
        .ciphertext = ciphertext, .values = values, .layout = &as, .count = layout ? layout->count : 1, .limb_count = limbs};
    return decrypt_items(device, &item, 1, workspace, mode);
}

#endif
