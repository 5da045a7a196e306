// SPDX-License-Identifier: Apache-2.0
// Requests of schemes on a core with fields: what a device keeps of a scheme, what is checked and drawn before a call,
// and the call itself.
#ifndef RINGSIDE_MACHINE_FIELDS_CALL_H
#define RINGSIDE_MACHINE_FIELDS_CALL_H

#include "machine/fields/fields.h"

typedef struct rs_field_scheme {
    rs_tenant_t tenant;
    rs_builds_t builds;
    uint32_t programs; // word 0 of the keys of its programs; word 1 is the set, word 2 the operation
    uint32_t operations; // 0 … operations - 1 are made when a set is prepared
    uint32_t log_n;
    uint32_t pointer_count;
    rs_status_t (*finish)(rs_device_t *d, rs_status_t status); // as of rs_call_t
} rs_field_scheme_t;

// The first member of what each of these schemes keeps in a device.
typedef struct rs_field_state {
    uint32_t set; // that is prepared
    uint32_t operation; // that is under way
    size_t room, room_bytes; // offset in memory of what calls use, and read and write
    uint64_t pointers[RS_POINTERS]; // registers of a call
} rs_field_state_t;

// ---- set-up ------------------------------------------------------------------------------------------------------------
// Makes the device this scheme's. Constants, which the caller then writes, stand in front of the room of calls, and `bytes` is all of it.
// RS_ERR_DEVICE_BUSY, RS_ERR_DEVICE_MEMORY, RS_ERR_ALIGNMENT.
RS_MUST_CHECK rs_status_t rs_fields_claim(rs_device_t *d, const rs_field_scheme_t *scheme, uint32_t set, size_t constants,
                                          size_t room_bytes, size_t bytes);
// The end of a set-up: an empty room, and all programs. constants: whether those could be written. After an error
// nothing is prepared.
RS_MUST_CHECK rs_status_t rs_fields_make_programs(rs_device_t *d, rs_status_t constants);
// Wipes the room: forget of each scheme.
void rs_fields_forget(rs_device_t *d);

// Places in the room.
static inline uint8_t *rs_fields_room(rs_device_t *d, size_t at) {
    return d->bus.memory + ((rs_field_state_t *)(void *)d->state)->room + at;
}

static inline void rs_fields_wipe(rs_device_t *d, size_t at, size_t bytes) {
    rs_machine_wipe(d, ((rs_field_state_t *)(void *)d->state)->room + at, bytes);
}

// ---- requests ----------------------------------------------------------------------------------------------------------
// A request begins with its size and its set, 0: the one that is prepared. RS_ERR_NULL, RS_ERR_STRUCT, RS_ERR_DEVICE_BUSY, RS_ERR_DEVICE_NOT_LOADED
// (the scheme is not prepared), RS_ERR_MISMATCH (another set is), RS_ERR_OPTION (the mode).
#define RS_FIELDS_READY(device, scheme, request, mode) rs_fields_ready(device, scheme, request, sizeof *(request), mode)
RS_MUST_CHECK rs_status_t rs_fields_ready(const rs_device_t *d, const rs_field_scheme_t *scheme, const void *request, size_t bytes,
                                          rs_device_mode_t mode);

// ---- calls -------------------------------------------------------------------------------------------------------------
RS_MUST_CHECK rs_status_t rs_fields_load(rs_device_t *d, uint32_t operation);
// d->call of the program that is loaded.
void rs_fields_fill_call(rs_device_t *d);
// Loads and starts it, and waits for its end unless the mode is RS_DEVICE_START. key: memory of the caller's that the
// core reaches, or no bytes.
RS_MUST_CHECK rs_status_t rs_fields_call(rs_device_t *d, uint32_t operation, rs_buffer_t key, rs_device_mode_t mode);
// Whether a program that uses a key of a sealed core found none, or one of somebody else's.
int rs_fields_has_no_key(const rs_device_t *d, rs_status_t status);

#endif
