// SPDX-License-Identifier: Apache-2.0
// Driver of the accelerator core (docs/core.md): how to reach one, programs of any kind, and what waits for them. device_ckks.h has the
// operations of CKKS.
//
// Only one call at a time per device. If the core ends a program by a fault, the call returns the status for that fault, and the report says
// cause and instruction. The core is then wiped and ready for the next call. Statuses of the bus's functions are passed on. Every wait has a
// time limit (rs_bus_t).
#ifndef RINGSIDE_DEVICE_H
#define RINGSIDE_DEVICE_H

#include "program.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

// How to reach a core: {.size = sizeof(rs_bus_t), ...}.
typedef struct rs_bus {
    uint32_t size; // sizeof(rs_bus_t), as in a request (base.h)
    void *state;
    // Registers, by byte offset.
    rs_status_t (*read)(void *state, uint32_t offset, uint32_t *value);
    rs_status_t (*write)(void *state, uint32_t offset, uint32_t value);
    // Returns when the core has raised its interrupt, or earlier: it must not sleep for ever if the interrupt does not come, because the
    // driver's time limit counts only between its calls. NULL: the driver polls.
    rs_status_t (*wait)(void *state);
    // A clock for the driver's time limit, in ticks of any length, from any start; it may wrap. NULL: the driver counts instead.
    uint64_t (*now)(void *state);
    // How long a program may take by the driver's measure, before it gives up and wipes the core (RS_ERR_DEVICE_BUSY, or RS_ERR_DEVICE_STALL; RS_ERR_DEVICE_UNWIPED if that failed).
    // With `now` in its ticks; without it in reads of STATUS, of which there is one for every return of wait(). 0: as many reads as the
    // core's watchdog has cycles (a read takes the core three), so that the watchdog comes first.
    uint64_t time_limit;
    // Memory that the core reaches too.
    uint8_t *memory;
    uint64_t memory_address; // the address of memory[0] as the core sees it, a multiple of 4096
    size_t memory_bytes;
    // Where the core and this side do not see memory coherently: called with every piece that this side has written before the core
    // reads it, and that the core will write (clean the caches); and that the core has written before this side reads it (invalidate
    // them). NULL: coherent.
    void (*sync_for_device)(void *state, const void *data, size_t bytes);
    void (*sync_for_cpu)(void *state, const void *data, size_t bytes);
    // Whether the core reaches these bytes of the caller's own memory (any array that a call was given) in one piece: returns 1 and their
    // address, or 0. If that is a multiple of 64, the core reads and writes the array itself, in words of 8 bytes. NULL: it never does.
    int (*reach)(void *state, const void *data, size_t bytes, uint64_t *address);
} rs_bus_t;

// How the last program went.
typedef struct rs_device_report {
    uint64_t cycles; // from start to interrupt
    uint32_t unit_cycles[RS_UNIT_COUNT]; // in which each unit ran an instruction
    uint32_t cause; // rs_fault_t
    uint32_t pc; // instruction that it ended at
    uint32_t instructions; // length of the program
    uint32_t frames; // that it was for: each with seeds and a message
} rs_device_report_t;

typedef struct rs_device rs_device_t;
enum { RS_DEVICE_BYTES_MAX = 24576 }; // rs_device_size() is at most that, for memory that is reserved beforehand

// ---- the device --------------------------------------------------------------------------------------------------------
// Finds the core, reads its design and wipes it. RS_ERR_DEVICE_ABSENT, RS_ERR_DEVICE_VERSION, RS_ERR_DEVICE_DESIGN,
// RS_ERR_DEVICE_ADDRESS, RS_ERR_DEVICE_UNWIPED, RS_ERR_DEVICE_STALL, RS_ERR_DEVICE_ALERT, RS_ERR_STRUCT (the bus).
// memory: 8-byte aligned, rs_device_size() bytes, for as long as the device is in use: *device is there, also if the core answers with an error.
RS_API size_t rs_device_size(void);
RS_API RS_MUST_CHECK rs_status_t rs_device_open(rs_device_t **device, rs_memory_t memory, const rs_bus_t *bus);
RS_API const rs_design_t *rs_device_design(const rs_device_t *device);
RS_API const rs_device_report_t *rs_device_report(const rs_device_t *device);
// The program that the report is about, END included, until another one is built; NULL: there is none, or rs_device_run was given it.
RS_API const uint64_t *rs_device_program(const rs_device_t *device, size_t *length);
// Wipes the core, and everything secret in the bus's memory. RS_ERR_DEVICE_UNWIPED: not the core; the device stays open, to be closed again
// when the core answers, or has been reset. RS_ERR_DEVICE_ALERT, here and from every call: a flip-flop has flipped (docs/core.md, Alerts); a sealed
// core has wiped itself and does nothing until it is reset, an open one has ended its program.
RS_API RS_MUST_CHECK rs_status_t rs_device_close(rs_device_t *device);
// After RS_ERR_DEVICE_STALL, of rs_device_open too: resets the core's side of the memory bus. Only while the interconnect between core and
// memory is in reset, or has been since the error: what it still owes the core, or the core owes it, is lost. Contexts and keys stay loaded.
// RS_ERR_DEVICE_BUSY, RS_ERR_DEVICE_UNWIPED.
RS_API RS_MUST_CHECK rs_status_t rs_device_reset_bus(rs_device_t *device);
// ---- programs ----------------------------------------------------------------------------------------------------------
// A program of the caller's own (isa.h), and what its registers hold.
typedef struct rs_run {
    const uint64_t *words;
    uint32_t length; // words, END included
    uint32_t log_n;
    const uint64_t *pointers; // 0 … pointer_count - 1: addresses as the core sees them, multiples of 64
    uint32_t pointer_count;
    const rs_seed_t *private_seed; // the seed of SAMPLE; NULL: none. The core's copy is wiped afterwards
    const rs_seed_t *public_seed; // the seed of EXPAND; NULL: none
} rs_run_t;

// Memory that both sides reach and nothing loaded takes; its address is what the core calls it. Each may be NULL.
RS_API uint8_t *rs_device_memory(rs_device_t *device, size_t *bytes, uint64_t *address);
// Runs it to its end. Contexts and polynomials are where the pointers say (program.h, memory formats): the caller has written them, takes the
// results and wipes what is secret in memory. RS_ERR_DESIGN_DEGREE, RS_ERR_PROGRAM_LENGTH, RS_ERR_DESIGN (more pointers than there are),
// RS_ERR_DEVICE_BUSY, and the statuses of faults.
RS_API RS_MUST_CHECK rs_status_t rs_device_run(rs_device_t *device, const rs_run_t *run);

// ---- requests ----------------------------------------------------------------------------------------------------------
// What a scheme's function does with a request (device_ckks.h, device_mlkem.h, device_mldsa.h). If START returns RS_OK, the operation is under way
// until rs_device_finish returns, and the device takes nothing else but rs_device_poll and rs_device_close (RS_ERR_DEVICE_BUSY). The request is
// copied; what it points to and is written stays where it is until then, and so do keys and ciphertexts.
typedef enum rs_device_mode {
    RS_DEVICE_RUN = 0, // all of it
    RS_DEVICE_START = 1, // everything up to the start of the core
    RS_DEVICE_PREPARE = 2, // the program into the core: the request is checked, and nothing is drawn, computed or written
    RS_DEVICE_MODE_MAX = 0x7fffffff
} rs_device_mode_t;

// *done: 1 if rs_device_finish will not wait. RS_ERR_DEVICE_NOT_LOADED: nothing is under way.
RS_API RS_MUST_CHECK rs_status_t rs_device_poll(rs_device_t *device, int *done);
// Waits for the core and completes the operation. In any case nothing is under way afterwards. The statuses of the operation;
// RS_ERR_DEVICE_NOT_LOADED: nothing is under way.
RS_API RS_MUST_CHECK rs_status_t rs_device_finish(rs_device_t *device);

#ifdef __cplusplus
}
#endif

#endif
