// SPDX-License-Identifier: Apache-2.0
// What frames (frames.c) and calls of schemes (schemes/) have in common: a link has one of them.
#ifndef RINGSIDE_SOC_FIRMWARE_H
#define RINGSIDE_SOC_FIRMWARE_H

#include "job.h"
#include "machine.h"

// Where something failed; py/ringside/soc/job.py names them.
enum {
    STEP_NONE,
    STEP_JOB,
    STEP_MEMORY,
    STEP_PARAMETERS,
    STEP_CONTEXT,
    STEP_OPEN,
    STEP_KEYS,
    STEP_ENCODE,
    STEP_CALL,
    STEP_DECODE,
    STEP_RESET,
    STEP_ROOTS
};

extern rs_device_t *device; // NULL: not open yet

// Does not return if something failed: what is secret is wiped.
void require(rs_status_t status, unsigned step);
// Fresh bytes of the arena.
void *take(size_t bytes);
// An array of at least so many bytes.
void *given(const array_t *array, uint64_t bytes);
// Opens the core with a state at `memory`, of RS_DEVICE_BYTES_MAX or rs_device_size() bytes.
rs_device_t *opened(void *memory);
// For the driver's state where phase 0 has made none.
extern uint64_t scratch_memory[RS_DEVICE_BYTES_MAX / sizeof(uint64_t)];

count_t since(instant_t began);
frame_t *frame_at(uint64_t index);
// From here on errors are this frame's.
frame_t *work_on(uint64_t index);

// The two phases.
void job_prepare(void);
void job_run(void);

#endif
