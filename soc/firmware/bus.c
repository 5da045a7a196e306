// SPDX-License-Identifier: Apache-2.0
// See bus.h. The driver is not changed to be measured: its requests to the bus and to the random generator tell the steps of a
// call apart, and rs_zeroize is wrapped by the linker.
#include "bus.h"

#include <ringside/regs.h>
#include <string.h>

#define REGISTER(offset) (*(volatile uint32_t *)(CORE_ADDRESS + (offset)))
#define BIT(field) (1u << RS_REG_##field##_SHIFT)

enum {
    AT_START,
    AT_PROGRAM,   // the last word of the program is loaded
    AT_SEED,      // the first seed is asked for
    AT_DRAWN,     // the last one is there
    AT_REGISTERS, // the first register of the run
    AT_DOORBELL,
    AT_WAITS, // the driver has nothing else to do
    AT_WAITED,
    AT_ANSWERED, // the last register of the run
    AT_END,
    AT_COUNT
};

static struct {
    volatile int interrupts;
    uint64_t handler_instructions; // when the interrupt's handler began
    uint32_t seen; // bits of the instants below
    volatile instant_t at[AT_COUNT];
    count_t wiped; // since AT_ANSWERED
    uint64_t accesses;
} state;

static int seen(unsigned what) {
    return (int)(state.seen >> what & 1);
}

static inline void note(unsigned what) {
    const instant_t now = machine_now();
    state.at[what].cycles = now.cycles;
    state.at[what].instructions = now.instructions;
    state.seen |= 1u << what;
}

// CONTROL, too: before it loads a program the driver clears what the last one has left of an end. The doorbell is CONTROL's as well, but
// registers of the run come before it.
static int loads_program(uint32_t offset) {
    return offset == RS_REG_CONTROL || offset == RS_REG_PROGRAM_INDEX || offset == RS_REG_PROGRAM_LO || offset == RS_REG_PROGRAM_HI;
}

static void before(uint32_t offset) {
    state.accesses++;
    if (!loads_program(offset) && !seen(AT_REGISTERS)) note(AT_REGISTERS);
}

static void after(uint32_t offset) {
    if (seen(AT_DOORBELL)) {
        state.wiped = (count_t){0};
        note(AT_ANSWERED);
    } else if (loads_program(offset)) {
        note(AT_PROGRAM);
    }
}

static uint32_t design_register(const rs_design_t *design, uint32_t offset) {
    switch (offset) {
    case RS_REG_ID:
        return RS_REG_ID_VALUE;
    case RS_REG_VERSION:
        return RS_REG_VERSION_VALUE;
    case RS_REG_LANES:
        return design->lanes;
    case RS_REG_WORD_BITS:
        return design->word_bits;
    case RS_REG_REDUCTION:
        return RS_REG_REDUCTION_VALUE;
    case RS_REG_LOG_N_MIN:
        return design->log_n_min;
    case RS_REG_LOG_N_MAX:
        return design->log_n_max;
    case RS_REG_GROUPS:
        return design->groups;
    case RS_REG_CONTEXTS:
        return design->contexts;
    case RS_REG_SLOTS:
        return design->slots;
    case RS_REG_BUS_BITS:
        return design->bus_bits;
    case RS_REG_FEATURES:
        return design->features;
    case RS_REG_PROGRAM_DEPTH:
        return design->program_depth;
    case RS_REG_KECCAK_CORES:
        return design->keccak_cores;
    default:
        return 0; // STATUS: neither busy nor hung
    }
}

static rs_status_t bus_read(void *job, uint32_t offset, uint32_t *value) {
    if (machine_is_qemu()) {
        *value = design_register(&((const job_t *)job)->design, offset);
        return RS_OK;
    }
    before(offset);
    *value = REGISTER(offset);
    after(offset);
    return RS_OK;
}

static rs_status_t bus_write(void *job, uint32_t offset, uint32_t value) {
    (void)job;
    if (machine_is_qemu()) return RS_OK;
    before(offset);
    const int doorbell = offset == RS_REG_CONTROL && (value & BIT(CONTROL_START));
    if (doorbell) {
        state.interrupts = 0;
        note(AT_DOORBELL);
    }
    REGISTER(offset) = value;
#if __riscv_xlen == 64
    // The interrupt may come before the driver waits: while it still wipes. The handler comes into the caches while the core works.
    if (doorbell && !state.interrupts) machine_rehearse();
#endif
    if (!doorbell) after(offset);
    return RS_OK;
}

#if __riscv_xlen == 64
// No copy of its own in each caller, nor one for a known number of turns: a first call brings all of it into the cache.
__attribute__((noinline, noclone)) static void await(uint64_t turns) {
    for (; turns && !state.interrupts; turns--) {
    }
    note(AT_WAITED);
}

// It spins: Rocket's cycle counter stands still while a hart sleeps. If the interrupt is lost, the driver finds out by STATUS, after
// four million cycles at most, whatever the job says.
static rs_status_t bus_wait(void *job) {
    enum { TURN_CYCLES = 4, TURNS_MAX = 1 << 20 }; // cycles of a turn of the loop, about
    const uint64_t turns = ((const job_t *)job)->wait_cycles / TURN_CYCLES;
    if (!seen(AT_WAITS)) note(AT_WAITS);
    // the way out, the handler and its frame come back into the caches while the core works: encoding has driven them out
    await(0);
    if (!state.interrupts) machine_rehearse();
    await(turns < TURNS_MAX ? turns : TURNS_MAX);
    if (!state.interrupts) state.handler_instructions = state.at[AT_WAITED].instructions; // there was none
    return RS_OK;
}
#endif

static uint64_t bus_now(void *job) {
    (void)job;
    return machine_now().cycles;
}

// The port is coherent and sees all of RAM.
static int bus_reach(void *job, const void *data, size_t bytes, uint64_t *address) {
    const uint64_t at = (uintptr_t)data;
    const uint64_t end = ((const job_t *)job)->end;
    if (at < RAM_ADDRESS || at > end || bytes > end - at) return 0;
    *address = at;
    return 1;
}

AT_INTERRUPT void machine_interrupt(int comes) {
    if (!comes) return;
    REGISTER(RS_REG_CONTROL) = BIT(CONTROL_CLEAR_IRQ);
#if __riscv_xlen == 64
    __asm__ volatile("csrr %0, minstret" : "=r"(state.handler_instructions));
#endif
    state.interrupts = 1;
}

void __real_rs_zeroize(void *memory, size_t bytes);
void __wrap_rs_zeroize(void *memory, size_t bytes);
void __wrap_rs_zeroize(void *memory, size_t bytes) {
    if (!seen(AT_ANSWERED)) {
        __real_rs_zeroize(memory, bytes);
        return;
    }
    const instant_t from = machine_now();
    __real_rs_zeroize(memory, bytes);
    const instant_t to = machine_now();
    state.wiped.cycles += to.cycles - from.cycles;
    state.wiped.instructions += to.instructions - from.instructions;
}

void bus_open(rs_bus_t *bus, const job_t *job) {
    memset(&state, 0, sizeof state);
    *bus = (rs_bus_t){
        .size = sizeof *bus,
        .state = (void *)(uintptr_t)job,
        .read = bus_read,
        .write = bus_write,
#if __riscv_xlen == 64 // else there are no interrupts: the driver polls
        .wait = bus_wait,
#endif
        .now = bus_now,
        .time_limit = job->time_limit,
        .memory = (uint8_t *)(uintptr_t)job->shared,
        .memory_address = job->shared,
        .memory_bytes = (size_t)job->shared_bytes,
        .reach = bus_reach,
    };
    if (!machine_is_qemu()) machine_enable_interrupt();
}

void bus_begin(void) {
    memset(&state, 0, sizeof state);
    note(AT_START);
}

void bus_seed_begin(void) {
    if (!seen(AT_SEED)) note(AT_SEED);
}

void bus_seed_end(void) {
    note(AT_DRAWN);
}

static void add(count_t *stage, unsigned from, unsigned to) {
    stage->cycles += state.at[to].cycles - state.at[from].cycles;
    stage->instructions += state.at[to].instructions - state.at[from].instructions;
}

void bus_end(job_t *job, const rs_device_t *device) {
    note(AT_END);
    const rs_device_report_t *report = rs_device_report(device);
    job->core_cycles = report->cycles;
    count_t *stages = job->stages;
    const unsigned loaded = seen(AT_SEED) ? AT_SEED : seen(AT_PROGRAM) ? AT_PROGRAM : AT_START;
    const unsigned prepared = seen(AT_SEED) ? AT_DRAWN : loaded;
    for (unsigned i = STAGE_PROGRAM; i <= STAGE_OUT; i++) stages[i] = (count_t){0};
    add(&stages[STAGE_PROGRAM], AT_START, loaded);
    add(&stages[STAGE_SEED], loaded, prepared);
    add(&stages[STAGE_IN], prepared, AT_REGISTERS);
    add(&stages[STAGE_REGISTERS], AT_REGISTERS, AT_DOORBELL);
    add(&stages[STAGE_REGISTERS], AT_WAITED, AT_ANSWERED);
    // The driver wipes the workspace while the core works. If the core is faster, the rest of that is no part of the interrupt's way.
    const uint64_t core = report->cycles;
    const uint64_t busy = seen(AT_WAITS) ? state.at[AT_WAITS].cycles - state.at[AT_DOORBELL].cycles : 0;
    const uint64_t handler = state.handler_instructions;
    const uint64_t waits = state.at[AT_WAITS].instructions;
    const count_t late = {busy > core ? busy - core : 0, busy > core && waits > handler ? waits - handler : 0};
    stages[STAGE_CORE].cycles = core;
    stages[STAGE_INTERRUPT].cycles = state.at[AT_WAITED].cycles - state.at[AT_DOORBELL].cycles - core - late.cycles;
    stages[STAGE_INTERRUPT].instructions = state.at[AT_WAITED].instructions - handler - late.instructions;
    stages[STAGE_WIPE] = state.wiped;
    stages[STAGE_WIPE].cycles += late.cycles;
    stages[STAGE_WIPE].instructions += late.instructions;
    add(&stages[STAGE_OUT], AT_ANSWERED, AT_END);
    stages[STAGE_OUT].cycles -= state.wiped.cycles;
    stages[STAGE_OUT].instructions -= state.wiped.instructions;
    for (unsigned i = 0; i < RS_UNIT_COUNT; i++) job->unit_cycles[i] = report->unit_cycles[i];
    job->program_words = report->instructions;
    job->accesses = state.accesses;
}
