// SPDX-License-Identifier: Apache-2.0
// See clock.h. The driver is not changed to be measured: the registers that it reads and writes tell the steps of a call apart.
#include "clock.h"

#include <ringside/regs.h>

#include "machine.h"

#define REGISTER(offset) (*(volatile uint32_t *)(CORE_ADDRESS + (offset)))
#define BIT(field) (1u << RS_REG_##field##_SHIFT)

typedef enum driver {
    DRIVER_CALLED, // no register yet
    DRIVER_PREPARES, // program, registers
    DRIVER_WAITS,
    DRIVER_ASKS, // how it went
    DRIVER_WIPES,
} driver_t;

static struct {
    instant_t since; // the last access ended, or the call began
    driver_t driver;
    int asked; // CYCLES was read
    count_t parts[PART_COUNT];
    uint64_t programs, core_cycles, accesses;
} state;

static inline void account(unsigned part) {
    const instant_t now = machine_now();
    state.parts[part].cycles += now.cycles - state.since.cycles;
    state.parts[part].instructions += now.instructions - state.since.instructions;
    state.since = now;
}

static inline int is_program(uint32_t offset) {
    return offset == RS_REG_PROGRAM_INDEX || offset == RS_REG_PROGRAM_LO || offset == RS_REG_PROGRAM_HI;
}

static inline int is_report(uint32_t offset) {
    return offset == RS_REG_CYCLES || offset == RS_REG_BUSY_PIPE ||
           (offset >= RS_REG_BUSY && offset < RS_REG_BUSY + 4 * RS_REG_BUSY_COUNT);
}

static driver_t driver_at(uint32_t offset, uint32_t control) {
    if (control & BIT(CONTROL_ZEROIZE)) return DRIVER_WIPES;
    switch (state.driver) {
    case DRIVER_WAITS:
        return DRIVER_WAITS;
    case DRIVER_ASKS: // CONTROL before CYCLES takes the end back
        return is_report(offset) || !state.asked ? DRIVER_ASKS : DRIVER_PREPARES;
    case DRIVER_WIPES:
        return offset == RS_REG_STATUS ? DRIVER_WIPES : DRIVER_PREPARES;
    default:
        return DRIVER_PREPARES;
    }
}

static unsigned part_of(uint32_t offset) {
    if (state.driver == DRIVER_WAITS) return PART_POLL;
    if (state.driver == DRIVER_WIPES) return PART_WIPE;
    return is_program(offset) ? PART_PROGRAM : PART_REGISTERS;
}

// What came before an access that is of `now`'s.
static unsigned gap_before(driver_t now, unsigned part) {
    if (state.driver == DRIVER_CALLED) return PART_IN;
    if (state.driver == now) return part;
    return now == DRIVER_WIPES ? PART_OUT : state.driver == DRIVER_ASKS ? PART_BETWEEN : part;
}

static inline unsigned begin(uint32_t offset, uint32_t control) {
    const driver_t before = state.driver, now = driver_at(offset, control);
    state.driver = now;
    const unsigned part = part_of(offset);
    state.driver = before;
    const unsigned gap = gap_before(now, part);
    if (gap != part) account(gap); // else it is counted with the access
    state.driver = now;
    state.accesses++;
    return part;
}

static rs_status_t read_register(void *nothing, uint32_t offset, uint32_t *value) {
    (void)nothing;
    const unsigned part = begin(offset, 0);
    *value = REGISTER(offset);
    account(part);
    if (state.driver == DRIVER_WAITS && (*value & (BIT(STATUS_DONE) | BIT(STATUS_ERROR)))) {
        state.driver = DRIVER_ASKS;
        state.asked = 0;
    }
    if (state.driver == DRIVER_ASKS && offset == RS_REG_CYCLES) {
        state.asked = 1;
        state.core_cycles += *value;
        state.programs++;
    }
    return RS_OK;
}

static rs_status_t write_register(void *nothing, uint32_t offset, uint32_t value) {
    (void)nothing;
    const uint32_t control = offset == RS_REG_CONTROL ? value : 0;
    const unsigned part = begin(offset, control);
    REGISTER(offset) = value;
    if (control & BIT(CONTROL_START)) {
        state.driver = DRIVER_WAITS;
        account(PART_POLL);
    } else {
        account(part);
    }
    return RS_OK;
}

// The port is coherent and sees all of RAM.
static int reach(void *nothing, const void *data, size_t bytes, uint64_t *address) {
    (void)nothing;
    (void)bytes;
    *address = (uintptr_t)data;
    return 1;
}

rs_bus_t clock_bus(uint8_t *memory, size_t bytes, uint64_t reads_max) {
    return (rs_bus_t){
        .size = sizeof(rs_bus_t),
        .read = read_register,
        .write = write_register,
        .time_limit = reads_max,
        .memory = memory,
        .memory_address = (uintptr_t)memory,
        .memory_bytes = bytes,
        .reach = reach,
    };
}

void clock_begin(void) {
    for (unsigned i = 0; i < PART_COUNT; i++) state.parts[i] = (count_t){0};
    state.programs = state.core_cycles = state.accesses = 0;
    state.driver = DRIVER_CALLED;
    state.since = machine_now();
}

void clock_end(schemes_t *job) {
    account(job->device ? PART_OUT : PART_SOFTWARE);
    // polls wait: their instructions are not the call's
    state.parts[PART_CORE].cycles = state.core_cycles;
    state.parts[PART_POLL].cycles -= state.core_cycles;
    state.parts[PART_POLL].instructions = 0;
    job->total = (count_t){0};
    for (unsigned i = 0; i < PART_COUNT; i++) {
        job->parts[i] = state.parts[i];
        job->total.cycles += state.parts[i].cycles;
        job->total.instructions += state.parts[i].instructions;
    }
    job->programs = state.programs;
    job->core_cycles = state.core_cycles;
    job->accesses = state.accesses;
}
