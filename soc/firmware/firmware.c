// SPDX-License-Identifier: Apache-2.0
// A job (job.h) from its beginning to its end. What the host hands over is not trusted: what is wrong ends in a status, and after any failure
// the firmware wipes what is secret in memory.
#include "firmware.h"

#include "stages.h"

void firmware_main(void);

rs_device_t *device;
uint64_t scratch_memory[RS_DEVICE_BYTES_MAX / sizeof(uint64_t)];

// ---- the end -----------------------------------------------------------------------------------------------------------
static int inside(uint64_t address, uint64_t bytes) {
    const job_t *job = JOB;
    return address >= JOB_ADDRESS + sizeof *job && address <= job->end && bytes <= job->end - address;
}

static void wipe(const array_t *arrays, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (arrays[i].secret && inside(arrays[i].address, arrays[i].bytes))
            rs_zeroize((void *)(uintptr_t)arrays[i].address, (size_t)arrays[i].bytes);
    }
}

static int has_frames(void) { return JOB->frame_count <= FRAMES_MAX && inside(JOB->frames, JOB->frame_count * sizeof(frame_t)); }

// Everything secret that the job names, whether it was used yet or not, then the core, whose registers may not answer, and all that
// this phase has taken of the arena: after a reset nobody knows where the workspace was.
static void wipe_secrets(void) {
    const job_t *job = JOB;
    wipe(job->arrays, JOB_ARRAYS);
    for (uint64_t i = 0; has_frames() && i < job->frame_count; i++) {
        rs_zeroize(frame_at(i)->entropy, sizeof frame_at(i)->entropy);
        wipe(frame_at(i)->arrays, FRAME_ARRAYS);
    }
    if (device && rs_device_close(device) != RS_OK) machine_print("the core could not be wiped\n");
    const uint64_t kept = job->prepared <= job->arena.bytes ? job->prepared : 0;
    wipe(&(array_t){job->arena.address + kept, job->arena.bytes - kept, 1}, 1);
}

void require(rs_status_t status, unsigned step) {
    if (status == RS_OK) return;
    JOB->status = (uint64_t)status;
    JOB->step = step;
    machine_print(rs_status_name(status));
    machine_print("\n");
    wipe_secrets();
    machine_end(END_FAILED);
}

void machine_trapped(void) { wipe_secrets(); }

// ---- memory ------------------------------------------------------------------------------------------------------------
void *take(size_t bytes) {
    enum { LINE = 64 };
    job_t *job = JOB;
    const uint64_t at = job->used;
    if (!inside(job->arena.address, job->arena.bytes) || at > job->arena.bytes || bytes > job->arena.bytes - at) {
        require(RS_ERR_TOO_SMALL, STEP_MEMORY);
    }
    job->used = (at + bytes + LINE - 1) / LINE * LINE;
    return (void *)(uintptr_t)(job->arena.address + at);
}

void *given(const array_t *array, uint64_t bytes) {
    if (array->address % sizeof(uint64_t) || bytes > array->bytes || !inside(array->address, array->bytes))
        require(RS_ERR_TOO_SMALL, STEP_MEMORY);
    return (void *)(uintptr_t)array->address;
}

frame_t *frame_at(uint64_t index) { return (frame_t *)(uintptr_t)JOB->frames + index; }

frame_t *work_on(uint64_t index) {
    JOB->current = index;
    return frame_at(index);
}

// ---- the job -----------------------------------------------------------------------------------------------------------
count_t since(instant_t began) {
    const instant_t now = machine_now();
    return (count_t){now.cycles - began.cycles, now.instructions - began.instructions};
}

rs_device_t *opened(void *memory) {
    rs_bus_t bus;
    rs_device_t *made;
    stages_bus(&bus);
    require(rs_device_open(&made, (rs_memory_t){memory, rs_device_size()}, &bus), STEP_OPEN);
    return made;
}

// Processor and core begin anew, but memory still holds what it held.
static void reset_in_the_middle(void) {
    if (JOB->device) {
        rs_bus_t bus;
        stages_bus(&bus);
        if (rs_device_open(&device, (rs_memory_t){scratch_memory, sizeof scratch_memory}, &bus) != RS_OK)
            machine_print("the core could not be wiped\n");
    }
    require(RS_ERR_DEVICE_ABORTED, STEP_RESET);
}

static void run(void) {
    job_t *job = JOB;
    if (!job->frame_count || job->frame_count > FRAMES_MAX) require(RS_ERR_FORM, STEP_JOB);
    if (job->frames % sizeof(uint64_t) || !has_frames()) require(RS_ERR_TOO_SMALL, STEP_MEMORY);
    for (uint64_t i = 0; i < job->frame_count; i++) {
        const frame_t *frame = work_on(i);
        for (unsigned k = 0; k < FRAME_ARRAYS; k++) {
            if (frame->arrays[k].bytes) given(&frame->arrays[k], 0);
        }
    }
    job->current = 0;
    job_run();
}

void firmware_main(void) {
    job_t *job = JOB;
    if (job->magic != JOB_MAGIC || job->bytes != sizeof *job) {
        machine_print("RS_ERR_MAGIC\n");
        job->status = (uint64_t)RS_ERR_MAGIC;
        job->step = STEP_JOB;
        machine_end(END_FAILED);
    }
    if (job->phase == PHASE_PREPARE) {
        job_prepare();
        job->prepared = job->used;
    } else {
        if (job->phase != PHASE_RUN) require(RS_ERR_FORM, STEP_JOB);
        if (machine_resets() > 1) reset_in_the_middle();
        run();
        job->phase = PHASE_DONE;
    }
    machine_end(END_OK);
}
