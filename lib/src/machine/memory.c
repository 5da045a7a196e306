// SPDX-License-Identifier: Apache-2.0
// The memory that driver and core share.
#include "base/bytes.h"
#include "machine/machine.h"

void rs_machine_wipe(const rs_device_t *d, size_t offset, size_t bytes) {
    rs_zeroize(d->bus.memory + offset, bytes);
    rs_machine_sync_for_device(d, d->bus.memory + offset, bytes);
}

int rs_machine_reaches(const rs_device_t *d, const void *words, size_t bytes, uint64_t *address) {
    return RS_LITTLE_ENDIAN && d->bus.reach && d->bus.reach(d->bus.state, words, bytes, address) &&
           *address % RS_MACHINE_LINE_BYTES == 0;
}

rs_status_t rs_machine_place(rs_device_t *d, size_t *offset, size_t bytes) {
    if (*offset) return RS_OK;
    if (d->bus.memory_bytes - d->used < bytes) return RS_ERR_DEVICE_MEMORY;
    *offset = d->used;
    d->used += bytes;
    return RS_OK;
}

uint8_t *rs_device_memory(rs_device_t *device, size_t *bytes, uint64_t *address) {
    if (!device || !device->bus.memory) return NULL;
    if (bytes) *bytes = device->bus.memory_bytes - device->used;
    if (address) *address = device->bus.memory_address + device->used;
    return device->bus.memory + device->used;
}
