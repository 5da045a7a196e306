// SPDX-License-Identifier: Apache-2.0
// A device from the inside: the core's registers, memory that both sides reach, programs that are kept, and the call that is under way. No
// scheme is known here: a scheme fills a call, and says what there is to do when it has ended. Sections are files; each calls those above it.
#ifndef RINGSIDE_MACHINE_H
#define RINGSIDE_MACHINE_H

#include <ringside/device.h>
#include <ringside/regs.h>

#include "base/checks.h"
#include "machine/design.h"

enum { RS_MACHINE_LINE_BYTES = 64, RS_POINTERS = 8, RS_CALL_BUFFERS = RS_FRAMES_MAX + 4 };
enum { RS_PROGRAM_WORDS_MAX = 2048, RS_DEVICE_PROGRAMS = 8, RS_PROGRAM_KEY_WORDS = 26, RS_DEVICE_STATE_WORDS = 256 };

// What a program is made from, scheme and all: programs of equal keys are equal.
typedef struct rs_program_key {
    uint32_t words[RS_PROGRAM_KEY_WORDS];
} rs_program_key_t;

// Makes the program of a key, as rs_program_build does that of a job.
typedef rs_status_t (*rs_builds_t)(const rs_design_t *design, const rs_program_key_t *key, uint64_t *words, size_t capacity,
                                   size_t *length);

// A program that was built, for the next call of its kind.
typedef struct rs_kept_program {
    rs_program_key_t key;
    uint32_t first; // in rs_device_t.program
    uint32_t words;
} rs_kept_program_t;

// A wait that ends, by the clock of the bus if it has one, else by the number of reads.
typedef struct rs_patience {
    uint64_t start; // by the clock
    uint64_t ticks; // ticks of the clock; 0: no limit by the clock
    uint64_t reads; // reads of STATUS that are left; not counted with a limit by the clock
} rs_patience_t;

// Memory that the core reads, or writes too.
typedef struct rs_buffer {
    const void *data;
    size_t bytes;
    int written;
} rs_buffer_t;

// A run of the program that is in the core: what it is given, what it reaches, what of that is secret, and what comes afterwards.
typedef struct rs_call {
    uint32_t log_n;
    uint32_t frames; // 0: one, without register FRAME; else each has seeds and a message
    uint32_t pointer_count; // pointers 0 … count - 1, and MESSAGE
    uint64_t pointers[RS_POINTERS];
    uint64_t messages[RS_FRAMES_MAX]; // pointer MESSAGE of each frame
    const rs_seed_t *private_seeds; // while it starts, of each frame; NULL: not needed
    const rs_seed_t *public_seeds;
    rs_buffer_t buffers[RS_CALL_BUFFERS];
    uint32_t buffer_count;
    size_t secret; // offset in memory of what is wiped afterwards
    size_t secret_bytes;
    rs_status_t (*finish)(rs_device_t *device,
                          rs_status_t status); // takes the results, wipes the rest, answers; NULL: nothing to do
} rs_call_t;

// A scheme that keeps something in a device: its own state, and contexts, keys and tables in memory.
typedef struct rs_tenant {
    void (*forget)(rs_device_t *device); // wipes what is secret of it
} rs_tenant_t;

struct rs_device {
    rs_design_t design;
    rs_device_report_t report;
    rs_bus_t bus;
    size_t used; // bytes of memory that the tenant keeps; calls use what is behind
    uint32_t unwiped; // 1: a wipe failed, and the core may hold secrets; the next call wipes first
    uint32_t under_way;
    uint32_t private_set; // the core's registers hold private seeds
    rs_call_t call;
    uint64_t pointers[RS_POINTERS]; // registers of the core, as they were written last
    uint32_t pointers_known; // bit i: pointer i was written since the core was wiped last
    rs_patience_t patience;
    rs_program_key_t key; // the key of the program in the core's program memory
    size_t program_first; // where it is in `program`
    size_t program_words; // 0: there is no program
    uint32_t kept; // programs that were built
    rs_kept_program_t programs[RS_DEVICE_PROGRAMS];
    const rs_tenant_t *tenant; // whose state this is; NULL: nobody's
    uint64_t state[RS_DEVICE_STATE_WORDS];
    uint64_t program[RS_PROGRAM_WORDS_MAX];
};

_Static_assert(sizeof(struct rs_device) <= RS_DEVICE_BYTES_MAX, "RS_DEVICE_BYTES_MAX is what callers reserve");

#define RS_REG_BIT(field) (1u << RS_REG_##field##_SHIFT)
#define RS_REG_PART(field, value) ((value) >> RS_REG_##field##_SHIFT & ((1u << RS_REG_##field##_BITS) - 1))

// ---- registers --------------------------------------------------------------------------------------------------------
static inline rs_status_t rs_machine_get(const rs_device_t *d, uint32_t offset, uint32_t *value) {
    return d->bus.read(d->bus.state, offset, value);
}

static inline rs_status_t rs_machine_set(const rs_device_t *d, uint32_t offset, uint32_t value) {
    return d->bus.write(d->bus.state, offset, value);
}

// ---- core.c -----------------------------------------------------------------------------------------------------------
// Wipes the core; a program that runs is aborted. RS_ERR_DEVICE_STALL: it is wiped, but memory does not answer. RS_ERR_DEVICE_UNWIPED: its
// registers do not answer, or it does not become idle; the device remembers that, and the next call tries again. RS_ERR_DEVICE_ALERT: it is wiped,
// and does nothing until it is reset.
RS_MUST_CHECK rs_status_t rs_machine_zeroize(rs_device_t *d);

int rs_machine_same_key(const rs_program_key_t *a, const rs_program_key_t *b);
// The core keeps its program: one of the key of the last one needs no loading, one of a key that is known no building.
RS_MUST_CHECK rs_status_t rs_machine_load_program(rs_device_t *d, const rs_program_key_t *key, rs_builds_t builds);
// Any program, which is not kept.
RS_MUST_CHECK rs_status_t rs_machine_write_program(rs_device_t *d, const uint64_t *words, size_t count);

RS_MUST_CHECK rs_status_t rs_machine_start_core(rs_device_t *d);

// Also if a poll has seen the end: what waits for interrupts shall see each of them.
RS_MUST_CHECK rs_status_t rs_machine_wait_for_core(rs_device_t *d);

// ---- memory.c ---------------------------------------------------------------------------------------------------------
static inline size_t rs_machine_line_bytes(size_t bytes) {
    return (bytes + RS_MACHINE_LINE_BYTES - 1) / RS_MACHINE_LINE_BYTES * RS_MACHINE_LINE_BYTES;
}

// Whether it is in the bus's memory, as the core sees it.
static inline int rs_machine_is_own(const rs_device_t *d, uint64_t address) {
    return address - d->bus.memory_address < d->bus.memory_bytes;
}

static inline void rs_machine_sync_for_device(const rs_device_t *d, const void *data, size_t bytes) {
    if (d->bus.sync_for_device && bytes) d->bus.sync_for_device(d->bus.state, data, bytes);
}

static inline void rs_machine_sync_for_cpu(const rs_device_t *d, const void *data, size_t bytes) {
    if (d->bus.sync_for_cpu && bytes) d->bus.sync_for_cpu(d->bus.state, data, bytes);
}

// Zeros in memory itself, not only in a cache.
void rs_machine_wipe(const rs_device_t *d, size_t offset, size_t bytes);

// Whether the core can reach an array of words itself, which are little-endian for it.
int rs_machine_reaches(const rs_device_t *d, const void *words, size_t bytes, uint64_t *address);

// Room that stays; none is taken if *offset says that it is there. RS_ERR_DEVICE_MEMORY.
RS_MUST_CHECK rs_status_t rs_machine_place(rs_device_t *d, size_t *offset, size_t bytes);

// ---- call.c -----------------------------------------------------------------------------------------------------------
// Makes the device this scheme's: what another one keeps is forgotten, and the state is zeros.
void rs_machine_claim(rs_device_t *d, const rs_tenant_t *tenant);
// Wipes the tenant's secrets and forgets all that was loaded.
void rs_machine_forget(rs_device_t *d);

// Before a call: a wipe that failed is tried again.
static inline rs_status_t rs_machine_settle(rs_device_t *d) { return d->unwiped ? rs_machine_zeroize(d) : RS_OK; }

static inline void rs_call_reaches(rs_call_t *call, const void *data, size_t bytes, int written) {
    if (bytes) call->buffers[call->buffer_count++] = (rs_buffer_t){data, bytes, written};
}

// Starts d->call. If that fails, nothing is under way, and nothing secret is left.
RS_MUST_CHECK rs_status_t rs_machine_begin(rs_device_t *d);
// started: how the start went. Nothing is under way afterwards, and nothing secret is left.
RS_MUST_CHECK rs_status_t rs_machine_end(rs_device_t *d, rs_status_t started);

#endif
