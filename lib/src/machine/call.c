// SPDX-License-Identifier: Apache-2.0
// A device from open to close, and a call on it from its first register to its end.
#include <string.h>

#include "base/bytes.h"
#include "machine/machine.h"

enum { ADDRESS_ALIGNMENT = 4096 };

// ---- open and close ----------------------------------------------------------------------------------------------------
void rs_machine_forget(rs_device_t *d) {
    if (d->tenant && d->tenant->forget) d->tenant->forget(d);
    memset(d->state, 0, sizeof d->state);
    d->tenant = NULL;
    d->used = 0;
}

void rs_machine_claim(rs_device_t *d, const rs_tenant_t *tenant) {
    rs_machine_forget(d);
    d->tenant = tenant;
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
        RS_TRY(rs_machine_get(d, registers[i].offset, registers[i].value));
    if (reduction != RS_REG_REDUCTION_VALUE)
        return RS_ERR_DEVICE_DESIGN; // its factors would not be in word-level Montgomery's form
    if (!(d->design.features & RS_FEATURE_SAMPLER)) d->design.slots = 0; // without a sampler nothing fills them
    return rs_design_check(&d->design);
}

size_t rs_device_size(void) { return sizeof(rs_device_t); }

rs_status_t rs_device_open(rs_device_t **device, rs_memory_t memory, const rs_bus_t *bus) {
    uint32_t id;
    uint32_t version;
    if (!device) return RS_ERR_NULL;
    RS_TRY(RS_CHECK_REQUEST(bus));
    if (!bus->read || !bus->write || !bus->memory) return RS_ERR_NULL;
    RS_TRY(rs_check_memory(memory, sizeof(rs_device_t)));
    rs_device_t *d = *device = memory.p;
    memset(d, 0, sizeof *d);
    d->bus = *bus;
    if (bus->memory_address % ADDRESS_ALIGNMENT) return RS_ERR_DEVICE_ADDRESS;
    RS_TRY(rs_machine_get(d, RS_REG_ID, &id));
    if (id != RS_REG_ID_VALUE) return RS_ERR_DEVICE_ABSENT;
    RS_TRY(rs_machine_get(d, RS_REG_VERSION, &version));
    if (version != RS_REG_VERSION_VALUE) return RS_ERR_DEVICE_VERSION;
    RS_TRY(read_design(d));
    return rs_machine_zeroize(d);
}

const rs_design_t *rs_device_design(const rs_device_t *device) { return &device->design; }

const rs_device_report_t *rs_device_report(const rs_device_t *device) { return &device->report; }

const uint64_t *rs_device_program(const rs_device_t *device, size_t *length) {
    if (length) *length = device->report.instructions;
    return device->report.instructions ? device->program + device->program_first : NULL;
}

rs_status_t rs_device_reset_bus(rs_device_t *device) {
    if (!device || !device->bus.write) return RS_ERR_NULL;
    if (device->under_way) return RS_ERR_DEVICE_BUSY;
    RS_TRY(rs_machine_set(device, RS_REG_CONTROL, RS_REG_BIT(CONTROL_BUS_RESET)));
    return rs_machine_zeroize(device);
}

rs_status_t rs_device_close(rs_device_t *device) {
    if (!device || !device->bus.write) return RS_ERR_NULL;
    if (device->under_way)
        rs_ignore(rs_machine_end(device, RS_ERR_DEVICE_ABORTED)); // the status of the wipe below says how it went
    rs_machine_forget(device);
    const rs_status_t status = rs_machine_zeroize(device);
    if (!device->unwiped) memset(device, 0, sizeof *device); // else it can be closed again
    return status;
}

// ---- registers of a call -----------------------------------------------------------------------------------------------
// A write takes a processor some 80 cycles: halves that stand there are left.
static rs_status_t set_pointer(rs_device_t *d, uint32_t pointer, uint64_t address) {
    enum { HALF_BITS = 32 };
    const int known = d->pointers_known >> pointer & 1;
    const uint64_t other = d->pointers[pointer] ^ address;
    d->pointers_known &= ~(1u << pointer);
    if (!known || (uint32_t)other) RS_TRY(rs_machine_set(d, RS_REG_POINTER + 8 * pointer, (uint32_t)address));
    if (!known || other >> HALF_BITS) RS_TRY(rs_machine_set(d, RS_REG_POINTER + 8 * pointer + 4, (uint32_t)(address >> HALF_BITS)));
    d->pointers[pointer] = address;
    d->pointers_known |= 1u << pointer;
    return RS_OK;
}

// Pointer 7 of a frame above 0 is a register of its own.
static rs_status_t set_message(const rs_device_t *d, uint64_t address) {
    RS_TRY(rs_machine_set(d, RS_REG_POINTER + 8 * RS_POINTER_MESSAGE, (uint32_t)address));
    return rs_machine_set(d, RS_REG_POINTER + 8 * RS_POINTER_MESSAGE + 4, (uint32_t)(address >> 32));
}

static rs_status_t set_seed(const rs_device_t *d, uint32_t offset, const rs_seed_t *seed) {
    for (uint32_t i = 0; i < RS_SEED_BYTES; i += 4) RS_TRY(rs_machine_set(d, offset + i, rs_load32(seed->bytes + i)));
    return RS_OK;
}

static rs_status_t set_seeds(const rs_device_t *d, const rs_call_t *call, uint32_t frame) {
    if (call->private_seeds) RS_TRY(set_seed(d, RS_REG_SEED, &call->private_seeds[frame]));
    if (call->public_seeds) RS_TRY(set_seed(d, RS_REG_PUBLIC_SEED, &call->public_seeds[frame]));
    return RS_OK;
}

static rs_status_t write_inputs(rs_device_t *d, const rs_call_t *call) {
    RS_TRY(rs_machine_set(d, RS_REG_LOG_N, call->log_n));
    for (uint32_t frame = call->frames; frame-- > 1;) {
        RS_TRY(rs_machine_set(d, RS_REG_FRAME, frame));
        RS_TRY(set_message(d, call->messages[frame]));
        RS_TRY(set_seeds(d, call, frame));
    }
    if (call->frames) RS_TRY(rs_machine_set(d, RS_REG_FRAME, 0)); // what is written next is frame 0's
    for (uint32_t i = 0; i < call->pointer_count; i++) RS_TRY(set_pointer(d, i, call->pointers[i]));
    if (call->messages[0]) RS_TRY(set_pointer(d, RS_POINTER_MESSAGE, call->messages[0]));
    return set_seeds(d, call, 0);
}

static rs_status_t wipe_seeds(const rs_device_t *d, const rs_call_t *call) {
    static const rs_seed_t NO_SEED;
    uint32_t frame = call->frames ? call->frames : 1;
    while (frame-- > 0) {
        if (call->frames) RS_TRY(rs_machine_set(d, RS_REG_FRAME, frame));
        RS_TRY(set_seed(d, RS_REG_SEED, &NO_SEED));
    }
    return RS_OK;
}

// After a failure everything secret that the core holds is wiped. The first error is the one that is reported, unless the wipe failed, or
// memory is why: then only the caller can help.
static rs_status_t failed(rs_device_t *d, rs_status_t status) {
    d->program_words = 0;
    RS_TRY(rs_machine_zeroize(d));
    if (rs_design_encodes(&d->design))
        rs_ignore(rs_machine_set(d, RS_REG_FRAME, 0)); // as every call finds it, which writes it first
    return status;
}

// ---- start and end -----------------------------------------------------------------------------------------------------
rs_status_t rs_machine_begin(rs_device_t *d) {
    rs_call_t *call = &d->call;
    rs_status_t status = write_inputs(d, call);
    // what the core reads, and what it writes: nothing of that may leave a cache later
    for (uint32_t i = 0; i < call->buffer_count; i++) rs_machine_sync_for_device(d, call->buffers[i].data, call->buffers[i].bytes);
    d->private_set = call->private_seeds != NULL;
    call->private_seeds = call->public_seeds = NULL; // the callers' own, which end with the start
    d->under_way = 1;
    if (status == RS_OK) status = rs_machine_start_core(d);
    return status == RS_OK ? RS_OK : rs_machine_end(d, status);
}

rs_status_t rs_machine_end(rs_device_t *d, rs_status_t started) {
    const rs_call_t *call = &d->call;
    rs_status_t status = started;
    if (status == RS_OK) status = rs_machine_wait_for_core(d);
    for (uint32_t i = 0; i < call->buffer_count; i++) {
        if (call->buffers[i].written) rs_machine_sync_for_cpu(d, call->buffers[i].data, call->buffers[i].bytes);
    }
    if (status == RS_OK && d->private_set) status = wipe_seeds(d, call);
    d->under_way = 0;
    if (status != RS_OK) status = failed(d, status);
    if (call->secret_bytes) rs_machine_wipe(d, call->secret, call->secret_bytes);
    return call->finish ? call->finish(d, status) : status;
}

rs_status_t rs_device_poll(rs_device_t *device, int *done) {
    uint32_t status;
    if (!device || !done) return RS_ERR_NULL;
    if (!device->under_way) return RS_ERR_DEVICE_NOT_LOADED;
    RS_TRY(rs_machine_get(device, RS_REG_STATUS, &status));
    *done = (status & (RS_REG_BIT(STATUS_DONE) | RS_REG_BIT(STATUS_ERROR))) != 0;
    return RS_OK;
}

rs_status_t rs_device_finish(rs_device_t *device) {
    if (!device) return RS_ERR_NULL;
    return device->under_way ? rs_machine_end(device, RS_OK) : RS_ERR_DEVICE_NOT_LOADED;
}

// ---- programs of the caller --------------------------------------------------------------------------------------------
rs_status_t rs_device_run(rs_device_t *device, const rs_run_t *run) {
    if (!device || !run || !run->words || (!run->pointers && run->pointer_count)) return RS_ERR_NULL;
    if (device->under_way) return RS_ERR_DEVICE_BUSY;
    if (run->length < 1 || run->length > device->design.program_depth) return RS_ERR_PROGRAM_LENGTH;
    if (run->log_n < device->design.log_n_min || run->log_n > device->design.log_n_max) return RS_ERR_DESIGN_DEGREE;
    if (run->pointer_count > RS_POINTERS) return RS_ERR_DESIGN;
    RS_TRY(rs_machine_settle(device));
    rs_call_t *call = &device->call;
    *call = (rs_call_t){.log_n = run->log_n,
                        .pointer_count = run->pointer_count,
                        .private_seeds = run->private_seed,
                        .public_seeds = run->public_seed};
    for (uint32_t i = 0; i < run->pointer_count; i++) call->pointers[i] = run->pointers[i];
    rs_call_reaches(call, device->bus.memory + device->used, device->bus.memory_bytes - device->used, 1);
    RS_TRY(rs_machine_write_program(device, run->words, run->length));
    RS_TRY(rs_machine_begin(device));
    return rs_machine_end(device, RS_OK);
}
