// SPDX-License-Identifier: Apache-2.0
// The ring of descriptors: a row of programs that the core fetches itself.
#include <ringside/device_ring.h>

#include "base/bytes.h"
#include "machine/machine.h"

enum {
    COUNT_BITS = 16,
    FIRST_BITS = 6,
    FIRST_PARTS = 3
}; // bits of RING_TAIL and RING_HEAD; bits and parts of an index that stands in the low bits of pointers 1 to 3

_Static_assert((int)RS_DESCRIPTOR_BYTES == (int)RS_MACHINE_LINE_BYTES && (int)RS_DESCRIPTOR_POINTERS == (int)RS_POINTERS,
               "a descriptor is a line");

static uint32_t control_of(const rs_device_t *d, int acknowledge) {
    return RS_REG_BIT(RING_CONTROL_ENABLE) | (d->bus.wait ? RS_REG_BIT(RING_CONTROL_IRQ_ENABLE) : 0) |
           (acknowledge ? RS_REG_BIT(RING_CONTROL_IRQ) : 0);
}

// ---- open and close ------------------------------------------------------------------------------------------------------
// A core without the ring answers its registers with an error. A bus that does not tell has other words there than were written.
static rs_status_t find_ring(const rs_device_t *d, uint32_t log_size) {
    uint32_t value;
    if (rs_machine_get(d, RS_REG_RING_CONTROL, &value) != RS_OK) {
        RS_TRY(rs_machine_get(d, RS_REG_ID, &value)); // the bus itself
        return RS_ERR_DESIGN;
    }
    RS_TRY(rs_machine_set(d, RS_REG_RING_CONTROL, 0));
    for (uint32_t size = 0; size <= 1; size++) { // one of them is another word than what stands there
        RS_TRY(rs_machine_set(d, RS_REG_RING_SIZE, size ? log_size : log_size ^ 1));
        RS_TRY(rs_machine_get(d, RS_REG_RING_SIZE, &value));
        if (value != (size ? log_size : (log_size ^ 1))) return RS_ERR_DESIGN;
    }
    return RS_OK;
}

static rs_status_t enable(const rs_device_t *d, uint64_t base) {
    RS_TRY(rs_machine_set(d, RS_REG_RING_BASE_LO, (uint32_t)base));
    RS_TRY(rs_machine_set(d, RS_REG_RING_BASE_HI, (uint32_t)(base >> 32)));
    return rs_machine_set(d, RS_REG_RING_CONTROL, control_of(d, 1)); // head and tail are 0 from now on
}

rs_status_t rs_device_ring_open(rs_device_ring_t *ring, rs_device_t *device, size_t offset, uint32_t log_size,
                                const uint64_t *words, uint32_t length) {
    if (!ring || !device || !words) return RS_ERR_NULL;
    if (device->under_way) return RS_ERR_DEVICE_BUSY;
    if (length < 1 || length > device->design.program_depth) return RS_ERR_PROGRAM_LENGTH;
    if (log_size > RS_RING_LOG_MAX) return RS_ERR_DESIGN;
    if (offset % RS_DESCRIPTOR_BYTES) return RS_ERR_ALIGNMENT;
    const size_t room = device->bus.memory_bytes - device->used, bytes = (size_t)RS_DESCRIPTOR_BYTES << log_size;
    if (offset > room || room - offset < bytes) return RS_ERR_DEVICE_MEMORY;
    RS_TRY(rs_machine_settle(device));
    RS_TRY(find_ring(device, log_size));
    RS_TRY(rs_machine_write_program(device, words, length));
    device->call = (rs_call_t){.log_n = 0}; // nothing is done about it if the device is closed meanwhile
    RS_TRY(enable(device, device->bus.memory_address + device->used + offset));
    *ring = (rs_device_ring_t){.device = device, .lines = device->bus.memory + device->used + offset, .log_size = log_size};
    device->under_way = 1;
    return RS_OK;
}

rs_status_t rs_device_ring_close(rs_device_ring_t *ring) {
    if (!ring) return RS_ERR_NULL;
    rs_device_t *d = ring->device;
    if (!d) return RS_ERR_DEVICE_NOT_LOADED;
    ring->device = NULL;
    d->under_way = 0;
    // no descriptor is begun after the one that runs, which the wipe aborts
    const rs_status_t status = rs_machine_set(d, RS_REG_RING_CONTROL, RS_REG_BIT(RING_CONTROL_IRQ));
    const rs_status_t wiped = rs_machine_zeroize(d);
    return wiped != RS_OK ? wiped : status;
}

// ---- how far it is -----------------------------------------------------------------------------------------------------------
// The report, and the status of the last program. The ring's interrupt has come already, and programs have none.
static rs_status_t look_at_program(rs_device_t *d) {
    rs_status_t (*const wait)(void *) = d->bus.wait;
    d->bus.wait = NULL;
    const rs_status_t status = rs_machine_wait_for_core(d);
    d->bus.wait = wait;
    return status;
}

// Why it stopped.
static rs_status_t cause_of(rs_device_t *d) {
    uint32_t status;
    RS_TRY(rs_machine_get(d, RS_REG_STATUS, &status));
    if (status & RS_REG_BIT(STATUS_DONE) && RS_REG_PART(STATUS_CAUSE, status)) {
        RS_TRY(look_at_program(d));
    }
    return status & RS_REG_BIT(STATUS_ERROR) ? RS_ERR_DEVICE_BUSY : RS_ERR_DEVICE_BUS;
}

static rs_status_t give_up(rs_device_ring_t *ring, rs_status_t status) {
    const rs_status_t closed = rs_device_ring_close(ring);
    return closed == RS_OK || closed == RS_ERR_DEVICE_STALL ? status : closed;
}

static rs_status_t look(rs_device_ring_t *ring) {
    const rs_device_t *d = ring->device;
    uint32_t control, head;
    // in this order: what is done before it stops is counted
    RS_TRY(rs_machine_get(d, RS_REG_RING_CONTROL, &control));
    RS_TRY(rs_machine_get(d, RS_REG_RING_HEAD, &head));
    ring->done += (head - ring->done) & ((1u << COUNT_BITS) - 1);
    return control & RS_REG_BIT(RING_CONTROL_ERROR) ? cause_of(ring->device) : RS_OK;
}

rs_status_t rs_device_ring_poll(rs_device_ring_t *ring, uint32_t *done) {
    if (!ring) return RS_ERR_NULL;
    if (!ring->device) return RS_ERR_DEVICE_NOT_LOADED;
    const rs_status_t status = look(ring);
    if (done) *done = ring->done;
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // results are read after this
    return status == RS_OK ? RS_OK : give_up(ring, status);
}

// For a program: the caller's limit, or as many reads as the watchdog has cycles; a read takes the core at least three (hw/core/rtl/rs_regs_axi.sv).
static rs_status_t begin_wait(rs_device_t *d) {
    uint32_t watchdog;
    rs_patience_t p = {.ticks = d->bus.now ? d->bus.time_limit : 0, .reads = d->bus.time_limit};
    if (p.ticks) p.start = d->bus.now(d->bus.state);
    if (!p.reads) {
        RS_TRY(rs_machine_get(d, RS_REG_WATCHDOG, &watchdog));
        p.reads = watchdog ? watchdog : UINT64_C(1) << 32;
    }
    d->patience = p;
    return RS_OK;
}

static int waits_on(const rs_device_t *d, rs_patience_t *p) {
    return p->ticks ? d->bus.now(d->bus.state) - p->start < p->ticks : --p->reads > 0;
}

static rs_status_t wait_for_ring(rs_device_ring_t *ring) {
    rs_device_t *d = ring->device;
    RS_TRY(begin_wait(d));
    for (uint32_t before = ring->done;; before = ring->done) {
        if (d->bus.wait) {
            RS_TRY(d->bus.wait(d->bus.state));
            // before the look: what comes after it raises the interrupt again
            RS_TRY(rs_machine_set(d, RS_REG_RING_CONTROL, control_of(d, 1)));
        }
        RS_TRY(look(ring));
        if (ring->done == ring->posted) return look_at_program(d);
        if (ring->done != before) {
            RS_TRY(begin_wait(d));
        } else if (!waits_on(d, &d->patience)) {
            return RS_ERR_DEVICE_BUSY;
        }
    }
}

rs_status_t rs_device_ring_wait(rs_device_ring_t *ring) {
    RS_TRY(rs_device_ring_poll(ring, NULL));
    if (ring->done == ring->posted && !ring->posted) return RS_OK;
    const rs_status_t status = ring->done == ring->posted ? look_at_program(ring->device) : wait_for_ring(ring);
    return status == RS_OK ? RS_OK : give_up(ring, status);
}

// ---- descriptors -----------------------------------------------------------------------------------------------------------
static rs_status_t check(const rs_design_t *design, const rs_descriptor_t *descriptor) {
    uint64_t low = 0;
    if (descriptor->log_n < design->log_n_min || descriptor->log_n > design->log_n_max) return RS_ERR_DESIGN_DEGREE;
    if (descriptor->first >= design->program_depth) return RS_ERR_PROGRAM_LENGTH;
    for (uint32_t i = 0; i < RS_DESCRIPTOR_POINTERS; i++) low |= descriptor->pointers[i];
    return low % RS_DESCRIPTOR_BYTES ? RS_ERR_ALIGNMENT : RS_OK;
}

static void write_line(uint8_t *line, const rs_descriptor_t *descriptor) {
    for (uint32_t i = 0; i < RS_DESCRIPTOR_POINTERS; i++) {
        uint64_t low = i ? 0 : descriptor->log_n;
        if (i >= 1 && i <= FIRST_PARTS) low = descriptor->first >> (i - 1) * FIRST_BITS & ((1u << FIRST_BITS) - 1);
        rs_store64(line + sizeof(uint64_t) * i, descriptor->pointers[i] | low);
    }
}

rs_status_t rs_device_ring_post(rs_device_ring_t *ring, const rs_descriptor_t *descriptors, uint32_t count, uint32_t *posted) {
    if (!ring || !posted || (!descriptors && count)) return RS_ERR_NULL;
    *posted = 0;
    if (!ring->device) return RS_ERR_DEVICE_NOT_LOADED;
    for (uint32_t i = 0; i < count; i++) RS_TRY(check(&ring->device->design, &descriptors[i]));
    RS_TRY(rs_device_ring_poll(ring, NULL));
    const rs_device_t *d = ring->device;
    const uint32_t size = 1u << ring->log_size, free = size - (ring->posted - ring->done), some = count < free ? count : free;
    for (uint32_t i = 0; i < some; i++) {
        uint8_t *line = ring->lines + (size_t)RS_DESCRIPTOR_BYTES * ((ring->posted + i) % size);
        write_line(line, &descriptors[i]);
        rs_machine_sync_for_device(d, line, RS_DESCRIPTOR_BYTES);
    }
    if (!some) return RS_OK;
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // what this side wrote to memory must arrive before the core is told
    const rs_status_t status = rs_machine_set(d, RS_REG_RING_TAIL, (ring->posted + some) & ((1u << COUNT_BITS) - 1));
    if (status != RS_OK) return give_up(ring, status);
    ring->posted += some;
    *posted = some;
    return RS_OK;
}
