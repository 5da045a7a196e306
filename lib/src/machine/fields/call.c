// SPDX-License-Identifier: Apache-2.0
#include "machine/fields/call.h"

#include <string.h>

#include "base/bytes.h"

static rs_field_state_t *state_of(rs_device_t *d) { return (rs_field_state_t *)(void *)d->state; }

static const rs_field_scheme_t *scheme_of(const rs_device_t *d) { return (const rs_field_scheme_t *)(const void *)d->tenant; }

// ---- set-up ------------------------------------------------------------------------------------------------------------
rs_status_t rs_fields_claim(rs_device_t *d, const rs_field_scheme_t *scheme, uint32_t set, size_t constants, size_t room_bytes,
                            size_t bytes) {
    if (d->under_way) return RS_ERR_DEVICE_BUSY;
    RS_TRY(rs_machine_settle(d));
    if (d->bus.memory_bytes < bytes) return RS_ERR_DEVICE_MEMORY;
    if ((uintptr_t)d->bus.memory % sizeof(uint64_t)) return RS_ERR_ALIGNMENT;
    rs_machine_claim(d, &scheme->tenant);
    d->used = bytes;
    rs_field_state_t *s = state_of(d);
    *s = (rs_field_state_t){.set = set, .room = constants, .room_bytes = room_bytes};
    s->pointers[RS_POINTER_CONTEXTS] = d->bus.memory_address;
    s->pointers[RS_POINTER_INPUT] = d->bus.memory_address + constants;
    return RS_OK;
}

rs_status_t rs_fields_make_programs(rs_device_t *d, rs_status_t status) {
    rs_fields_forget(d);
    for (uint32_t i = 0; i < scheme_of(d)->operations && status == RS_OK; i++) status = rs_fields_load(d, i);
    if (status != RS_OK) rs_machine_forget(d);
    return status;
}

void rs_fields_forget(rs_device_t *d) { rs_fields_wipe(d, 0, state_of(d)->room_bytes); }

// ---- requests ----------------------------------------------------------------------------------------------------------
rs_status_t rs_fields_ready(const rs_device_t *d, const rs_field_scheme_t *scheme, const void *request, size_t bytes,
                            rs_device_mode_t mode) {
    const uint32_t *head = request; // size, set
    if (!d || !request) return RS_ERR_NULL;
    RS_TRY(rs_check_request(request, head[0], bytes));
    if ((uint32_t)mode > RS_DEVICE_PREPARE) return RS_ERR_OPTION;
    if (d->under_way) return RS_ERR_DEVICE_BUSY;
    if (d->tenant != &scheme->tenant) return RS_ERR_DEVICE_NOT_LOADED;
    return !head[1] || head[1] == ((const rs_field_state_t *)(const void *)d->state)->set ? RS_OK : RS_ERR_MISMATCH;
}

// ---- calls -------------------------------------------------------------------------------------------------------------
rs_status_t rs_fields_load(rs_device_t *d, uint32_t operation) {
    const rs_program_key_t key = {{scheme_of(d)->programs, state_of(d)->set, operation}};
    return rs_machine_load_program(d, &key, scheme_of(d)->builds);
}

void rs_fields_fill_call(rs_device_t *d) {
    const rs_field_scheme_t *scheme = scheme_of(d);
    rs_call_t *call = &d->call;
    *call = (rs_call_t){.log_n = scheme->log_n, .pointer_count = scheme->pointer_count, .finish = scheme->finish};
    memcpy(call->pointers, state_of(d)->pointers, sizeof call->pointers);
    rs_call_reaches(call, rs_fields_room(d, 0), state_of(d)->room_bytes, 1);
}

rs_status_t rs_fields_call(rs_device_t *d, uint32_t operation, rs_buffer_t key, rs_device_mode_t mode) {
    state_of(d)->operation = operation;
    rs_status_t status = rs_machine_settle(d);
    if (status == RS_OK) status = rs_fields_load(d, operation);
    if (status != RS_OK) return scheme_of(d)->finish(d, status);
    rs_fields_fill_call(d);
    rs_call_reaches(&d->call, key.data, key.bytes, key.written);
    RS_TRY(rs_machine_begin(d));
    return mode == RS_DEVICE_START ? RS_OK : rs_device_finish(d);
}

int rs_fields_has_no_key(const rs_device_t *d, rs_status_t status) {
    return (status == RS_ERR_DEVICE_PROGRAM || status == RS_ERR_DEVICE_KEY_USE) && d->report.cause == RS_FAULT_SECRET;
}
