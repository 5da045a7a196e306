// SPDX-License-Identifier: Apache-2.0
// Opening a core; contexts, keys and roots into its memory.
#include <string.h>

#include "ckks/checks.h"
#include "device/image.h"
#include "driver/driver.h"

enum { ADDRESS_ALIGNMENT = 4096 };

static void wipe_secret_key(rs_device_t *d) {
    if (d->secret_key) rs_driver_wipe(d, d->secret_key, rs_driver_key_limbs(d) * rs_driver_poly_bytes(d));
    d->secret_key = 0;
}

void rs_device_forget(rs_device_t *d) {
    wipe_secret_key(d);
    d->context = NULL;
    d->public_key = 0;
    d->stream_key = 0;
    d->secret_place = 0;
    d->roots = 0;
    d->factor = d->added_factor = 0;
    d->used = 0;
}

static rs_status_t read_design(rs_device_t *d) {
    uint32_t reduction;
    const struct {
        uint32_t offset;
        uint32_t *value;
    } registers[] = {
        {RS_REG_LANES, &d->design.lanes},
        {RS_REG_WORD_BITS, &d->design.word_bits},
        {RS_REG_REDUCTION, &reduction},
        {RS_REG_LOG_N_MIN, &d->design.log_n_min},
        {RS_REG_LOG_N_MAX, &d->design.log_n_max},
        {RS_REG_GROUPS, &d->design.groups},
        {RS_REG_CONTEXTS, &d->design.contexts},
        {RS_REG_SLOTS, &d->design.slots},
        {RS_REG_BUS_BITS, &d->design.bus_bits},
        {RS_REG_FEATURES, &d->design.features},
        {RS_REG_PROGRAM_DEPTH, &d->design.program_depth},
        {RS_REG_KECCAK_CORES, &d->design.keccak_cores},
    };
    for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++)
        RS_TRY(rs_driver_get(d, registers[i].offset, registers[i].value));
    d->design.reduction = (rs_reduction_t)reduction;
    if (!(d->design.features & RS_FEATURE_SAMPLER)) d->design.slots = 0; // without a sampler nothing fills them
    return rs_design_check(&d->design);
}

rs_status_t rs_device_open(rs_device_t *device, const rs_bus_t *bus) {
    uint32_t id;
    uint32_t version;
    if (!device || !bus || !bus->read || !bus->write || !bus->memory) return RS_ERR_NULL;
    memset(device, 0, sizeof *device);
    device->bus = *bus;
    if (bus->memory_address % ADDRESS_ALIGNMENT) return RS_ERR_DEVICE_ADDRESS;
    RS_TRY(rs_driver_get(device, RS_REG_ID, &id));
    if (id != RS_REG_ID_VALUE) return RS_ERR_DEVICE_ABSENT;
    RS_TRY(rs_driver_get(device, RS_REG_VERSION, &version));
    if (version != RS_REG_VERSION_VALUE) return RS_ERR_DEVICE_VERSION;
    RS_TRY(read_design(device));
    return rs_driver_zeroize(device);
}

rs_status_t rs_device_reset_bus(rs_device_t *device) {
    if (!device || !device->bus.write) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    RS_TRY(rs_driver_set(device, RS_REG_CONTROL, RS_REG_BIT(CONTROL_BUS_RESET)));
    return rs_driver_zeroize(device);
}

rs_status_t rs_device_close(rs_device_t *device) {
    if (!device || !device->bus.write) return RS_ERR_NULL;
    if (device->call.under_way)
        rs_ignore(rs_driver_end(device, RS_ERR_DEVICE_ABORTED)); // the status of the wipe below says how it went
    rs_device_forget(device);
    const rs_status_t status = rs_driver_zeroize(device);
    if (!device->unwiped) memset(device, 0, sizeof *device); // else it can be closed again
    return status;
}

rs_status_t rs_device_load_context(rs_device_t *device, const rs_context_t *context) {
    if (!device || !context) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    RS_TRY(rs_design_fits(&device->design, &context->params));
    const size_t bytes = rs_design_context_bytes(&device->design, context->params.log_n);
    const uint32_t limbs = context->params.limb_count;
    if (device->bus.memory_bytes / bytes < limbs) return RS_ERR_DEVICE_MEMORY;
    rs_device_forget(device);
    device->context = context;
    device->drop = limbs;
    device->used = limbs * bytes;
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_device_image_context(&device->design, context, limb, limbs, device->bus.memory + limb * bytes);
    }
    rs_driver_sync_for_device(device, device->bus.memory, limbs * bytes);
    return RS_OK;
}

// The image for the streaming unit. Without room for it the lanes encrypt.
static void load_stream_key(rs_device_t *d, const rs_ciphertext_t *key) {
    const uint32_t limbs = d->context->params.limb_count;
    const size_t bytes = rs_design_stream_key_bytes(&d->design, d->context->params.log_n), n = d->context->n;
    if (rs_driver_place(d, &d->stream_key, rs_driver_polys_for(d, limbs * bytes)) != RS_OK) return;
    uint8_t *image = d->bus.memory + d->stream_key;
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_device_image_stream_key(&d->design, d->context, limb, d->drop, image + limb * bytes, key->data + limb * n,
                                   key->data + (limbs + limb) * n);
    }
    rs_driver_sync_for_device(d, image, limbs * bytes);
}

rs_status_t rs_device_load_public_key(rs_device_t *device, const rs_ciphertext_t *key) {
    if (!device || !key || !key->data) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->context) return RS_ERR_DEVICE_EMPTY;
    RS_TRY(rs_check_public_key(device->context, key));
    const size_t limbs = rs_driver_key_limbs(device);
    RS_TRY(rs_driver_place(device, &device->public_key, 2 * limbs));
    for (size_t i = 0; i < 2 * limbs; i++) {
        rs_device_image_write(&device->design, device->context, (uint32_t)(i % limbs),
                              rs_driver_poly_at(device, device->public_key, i), key->data + i * device->context->n, 0);
    }
    rs_driver_sync_for_device(device, rs_driver_poly_at(device, device->public_key, 0), 2 * limbs * rs_driver_poly_bytes(device));
    if (rs_design_streams(&device->design)) load_stream_key(device, key);
    return RS_OK;
}

rs_status_t rs_device_load_secret_key(rs_device_t *device, const rs_secret_key_t *key) {
    if (!device || !key || !key->ntt) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->context) return RS_ERR_DEVICE_EMPTY;
    const uint32_t limbs = device->context->params.limb_count;
    RS_TRY(rs_check_id(device->context, key->parms_id, limbs));
    RS_TRY(rs_driver_place(device, &device->secret_place, limbs));
    device->secret_key = device->secret_place;
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_device_image_write(&device->design, device->context, limb, rs_driver_poly_at(device, device->secret_key, limb),
                              key->ntt + (size_t)limb * device->context->n, 1);
    }
    rs_driver_sync_for_device(device, rs_driver_poly_at(device, device->secret_key, 0), limbs * rs_driver_poly_bytes(device));
    return RS_OK;
}

rs_status_t rs_device_forget_secret_key(rs_device_t *device) {
    if (!device || !device->bus.write) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->secret_key && !device->unwiped) return RS_OK;
    wipe_secret_key(device);
    device->program_words = 0;
    return rs_driver_zeroize(device);
}

rs_status_t rs_device_load_roots(rs_device_t *device, const rs_fixed_t *fixed) {
    if (!device || !fixed) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->context) return RS_ERR_DEVICE_EMPTY;
    if (!rs_design_encodes(&device->design)) return RS_ERR_DESIGN;
    if (rs_fixed_n(fixed) != device->context->n || rs_fixed_word_bits(fixed) != device->design.word_bits) return RS_ERR_MISMATCH;
    RS_TRY(rs_driver_place(device, &device->roots, 1)); // half of its words, and 64 bytes
    rs_device_image_roots(&device->design, fixed, device->bus.memory + device->roots);
    device->factor = device->added_factor = 0;
    rs_driver_sync_for_device(device, device->bus.memory + device->roots, rs_driver_poly_bytes(device));
    return RS_OK;
}
