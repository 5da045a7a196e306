// SPDX-License-Identifier: Apache-2.0
// See stages.h. The driver is not changed to be measured: its requests to the bus and to the random generator tell the steps of a
// call apart, and rs_zeroize is wrapped by the linker where frames are measured.
#include "stages.h"

#include <ringside/regs.h>
#include <string.h>

#include "firmware.h"

#define REGISTER(offset) (*(volatile uint32_t *)(CORE_ADDRESS + (offset)))
#define BIT(field) (1u << RS_REG_##field##_SHIFT)

enum {
    AT_START,     // the call begins, or what follows an earlier program
    AT_FIRST,     // the first register of a scheme's call, which puts what the core reads before the program
    AT_PROGRAM,   // the last word of the program is loaded
    AT_SEED,      // the first seed is asked for
    AT_DRAWN,     // the last one is there
    AT_REGISTERS, // the first register of the run
    AT_DOORBELL,
    AT_WAITS, // the driver has nothing else to do
    AT_WAITED,
    AT_ANSWERED, // the last register of the run
    AT_WIPED,    // the core
    AT_END,
    AT_COUNT,
    IS_CALL = AT_COUNT, // a scheme's, no register yet
    IS_REPORTED,        // the program's cycles are read
    IS_WIPING,          // the core
    IS_COUNT
};

// What comes next is of a kind, and takes little counting: words of a program, registers of a run.
typedef enum series { SERIES_NONE, SERIES_PROGRAM, SERIES_REGISTERS } series_t;

static struct {
    volatile int interrupts;
    series_t series;
    uint64_t accesses;
    uint64_t handler_instructions; // when the interrupt's handler began
    uint32_t seen; // bits of the instants below, and IS_…
    volatile instant_t at[AT_COUNT];
    count_t wiped; // since AT_ANSWERED
    uint64_t cycles; // the program's, as the core counts
    uint64_t core_cycles, programs;
} state;

static int seen(unsigned what) { return (int)(state.seen >> what & 1); }

static inline void note_at(unsigned what, instant_t now) {
    state.at[what].cycles = now.cycles;
    state.at[what].instructions = now.instructions;
    state.seen |= 1u << what;
}

static inline void note(unsigned what) { note_at(what, machine_now()); }

__attribute__((noinline, noclone)) static void add(unsigned stage, unsigned from, unsigned to) {
    JOB->stages[stage].cycles += state.at[to].cycles - state.at[from].cycles;
    JOB->stages[stage].instructions += state.at[to].instructions - state.at[from].instructions;
}

// ---- programs of a call ------------------------------------------------------------------------------------------------
static void end_program(void) {
    count_t *stages = JOB->stages;
    const unsigned begun = seen(AT_FIRST) ? AT_FIRST : AT_START;
    const unsigned loaded = seen(AT_SEED) ? AT_SEED : seen(AT_PROGRAM) ? AT_PROGRAM : begun;
    const unsigned prepared = seen(AT_SEED) ? AT_DRAWN : loaded;
    add(STAGE_IN, AT_START, begun);
    add(STAGE_PROGRAM, begun, loaded);
    add(STAGE_SEED, loaded, prepared);
    add(STAGE_IN, prepared, AT_REGISTERS);
    add(STAGE_REGISTERS, AT_REGISTERS, AT_DOORBELL);
    add(STAGE_REGISTERS, AT_WAITED, AT_ANSWERED);
    // The driver wipes the workspace while the core works. If the core is faster, the rest of that is no part of the interrupt's way.
    const uint64_t core = state.cycles;
    const uint64_t busy = seen(AT_WAITS) ? state.at[AT_WAITS].cycles - state.at[AT_DOORBELL].cycles : 0;
    const uint64_t handler = state.handler_instructions;
    const uint64_t waits = state.at[AT_WAITS].instructions;
    const count_t late = {busy > core ? busy - core : 0, busy > core && waits > handler ? waits - handler : 0};
    stages[STAGE_CORE].cycles += core;
    stages[STAGE_WAIT].cycles += state.at[AT_WAITED].cycles - state.at[AT_DOORBELL].cycles - core - late.cycles;
    stages[STAGE_WAIT].instructions += state.at[AT_WAITED].instructions - handler - late.instructions;
    stages[STAGE_WIPE].cycles += state.wiped.cycles + late.cycles;
    stages[STAGE_WIPE].instructions += state.wiped.instructions + late.instructions;
    state.core_cycles += core;
    state.programs++;
}

// What was under way ends at AT_END, and is `stage`'s; the next begins.
__attribute__((noinline, noclone)) static void turn(unsigned stage, instant_t now) {
    note_at(AT_END, now);
    if (seen(IS_REPORTED)) {
        end_program();
        add(stage, AT_ANSWERED, AT_END);
        JOB->stages[stage].cycles -= state.wiped.cycles;
        JOB->stages[stage].instructions -= state.wiped.instructions;
    } else if (seen(IS_WIPING)) {
        add(STAGE_WIPE, AT_START, AT_WIPED);
        add(stage, AT_WIPED, AT_END);
    } else {
        add(seen(IS_CALL) ? STAGE_IN : stage, AT_START, AT_END);
    }
    state.wiped = (count_t){0};
    state.seen = 0;
    note_at(AT_START, now);
    state.series = SERIES_NONE;
}

// ---- registers ---------------------------------------------------------------------------------------------------------
// CONTROL, too: before it loads a program the driver clears what the last one has left of an end. The doorbell is CONTROL's as well, but
// registers of the run come before it.
static int loads_program(uint32_t offset) {
    return offset == RS_REG_CONTROL || offset == RS_REG_PROGRAM_INDEX || offset == RS_REG_PROGRAM_LO || offset == RS_REG_PROGRAM_HI;
}

// What a driver reads behind the end of a program, or while it wipes the core; and the seeds that it wipes.
static int belongs(uint32_t offset) {
    return (offset >= RS_REG_BUSY && offset < RS_REG_BUSY + 4 * RS_REG_BUSY_COUNT) || offset == RS_REG_BUSY_PIPE ||
           offset == RS_REG_CYCLES || offset == RS_REG_STATUS || offset == RS_REG_FRAME ||
           (offset >= RS_REG_SEED && offset < RS_REG_SEED + 4 * RS_REG_SEED_COUNT);
}

static void before(uint32_t offset) {
    state.accesses++;
    if (seen(IS_CALL)) {
        note(AT_FIRST);
        state.seen &= ~(1u << IS_CALL);
    } else if (state.seen >> IS_CALL && !belongs(offset)) {
        turn(STAGE_BETWEEN, machine_now());
    }
    if (loads_program(offset) || seen(AT_REGISTERS)) return;
    note(AT_REGISTERS);
    state.series = SERIES_REGISTERS;
}

static void after(uint32_t offset) {
    if (seen(AT_WAITED)) {
        state.wiped = (count_t){0};
        note(AT_ANSWERED);
    } else if (seen(IS_WIPING)) {
        note(AT_WIPED);
    } else if (loads_program(offset)) {
        note(AT_PROGRAM);
        state.series = SERIES_PROGRAM;
    }
}

static uint32_t design_register(uint32_t offset) {
    static const uint16_t OFFSETS[] = {RS_REG_LANES,    RS_REG_WORD_BITS,     RS_REG_LOG_N_MIN,   RS_REG_LOG_N_MAX,
                                       RS_REG_GROUPS,   RS_REG_CONTEXTS,      RS_REG_SLOTS,       RS_REG_BUS_BITS,
                                       RS_REG_FEATURES, RS_REG_PROGRAM_DEPTH, RS_REG_KECCAK_CORES};
    if (offset == RS_REG_ID) return RS_REG_ID_VALUE;
    if (offset == RS_REG_VERSION) return RS_REG_VERSION_VALUE;
    if (offset == RS_REG_REDUCTION) return RS_REG_REDUCTION_VALUE;
    for (unsigned i = 0; i < sizeof OFFSETS / sizeof *OFFSETS; i++) {
        if (offset == OFFSETS[i]) return ((const uint32_t *)&JOB->design)[i];
    }
    return 0; // STATUS: neither busy nor hung
}

static rs_status_t bus_read(void *nothing, uint32_t offset, uint32_t *value) {
    (void)nothing;
    if (seen(IS_REPORTED) && belongs(offset)) {
        state.accesses++;
        *value = REGISTER(offset);
        note(AT_ANSWERED);
        return RS_OK;
    }
    if (IN_QEMU) {
        *value = design_register(offset);
        return RS_OK;
    }
    before(offset);
    *value = REGISTER(offset);
    if (seen(AT_DOORBELL) && !seen(AT_WAITED) && (*value & (BIT(STATUS_DONE) | BIT(STATUS_ERROR)))) { // it polls
        note(AT_WAITED);
        state.handler_instructions = state.at[AT_WAITED].instructions;
    }
    if (offset == RS_REG_CYCLES) {
        state.cycles = *value;
        state.seen |= 1u << IS_REPORTED;
    }
    after(offset);
    return RS_OK;
}

__attribute__((noinline)) static rs_status_t write_register(uint32_t offset, uint32_t value) {
    if (IN_QEMU) return RS_OK;
    const uint32_t control = offset == RS_REG_CONTROL ? value : 0;
    const int doorbell = (control & BIT(CONTROL_START)) != 0;
    if (control & BIT(CONTROL_ZEROIZE)) {
        turn(STAGE_OUT, machine_now());
        state.accesses++;
        state.seen |= 1u << IS_WIPING;
    } else {
        before(offset);
    }
    if (doorbell) {
        state.interrupts = 0;
        state.series = SERIES_NONE;
        note(AT_DOORBELL);
    }
    REGISTER(offset) = value;
#if __riscv_xlen == 64
    // The interrupt may come before the driver waits: while it still wipes. The handler comes into the caches while the core works.
    if (doorbell && JOB->wait_cycles && !state.interrupts) machine_rehearse();
#endif
    if (!doorbell) after(offset);
    return RS_OK;
}

static rs_status_t bus_write(void *nothing, uint32_t offset, uint32_t value) {
    (void)nothing;
    if (state.series == SERIES_REGISTERS && offset != RS_REG_CONTROL) {
        state.accesses++;
        REGISTER(offset) = value;
        return RS_OK;
    }
    if (state.series == SERIES_PROGRAM && (offset == RS_REG_PROGRAM_LO || offset == RS_REG_PROGRAM_HI)) {
        state.accesses++;
        REGISTER(offset) = value;
        note(AT_PROGRAM);
        return RS_OK;
    }
    return write_register(offset, value);
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
static rs_status_t bus_wait(void *nothing) {
    (void)nothing;
    enum { TURN_CYCLES = 4, TURNS_MAX = 1 << 20 }; // cycles of a turn of the loop, about
    const uint64_t turns = JOB->wait_cycles / TURN_CYCLES;
    if (!seen(AT_WAITS)) note(AT_WAITS);
    // the way out, the handler and its frame come back into the caches while the core works: encoding has driven them out
    await(0);
    if (!state.interrupts) machine_rehearse();
    await(turns < TURNS_MAX ? turns : TURNS_MAX);
    if (!state.interrupts) state.handler_instructions = state.at[AT_WAITED].instructions; // there was none
    return RS_OK;
}
#endif

static uint64_t bus_now(void *nothing) {
    (void)nothing;
    return machine_now().cycles;
}

// The port is coherent and sees all of RAM.
static int bus_reach(void *nothing, const void *data, size_t bytes, uint64_t *address) {
    (void)nothing;
    const uint64_t at = (uintptr_t)data;
    const uint64_t end = JOB->end;
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

void stages_bus(rs_bus_t *bus) {
    const job_t *job = JOB;
    memset(&state, 0, sizeof state);
    *bus = (rs_bus_t){
        .size = sizeof *bus,
        .read = bus_read,
        .write = bus_write,
#if __riscv_xlen == 64 // else there are no interrupts: the driver polls
        .wait = job->wait_cycles ? bus_wait : NULL,
#endif
        .now = job->wait_cycles ? bus_now : NULL,
        .time_limit = job->time_limit,
        .memory = (uint8_t *)(uintptr_t)job->shared.address,
        .memory_address = job->shared.address,
        .memory_bytes = (size_t)job->shared.bytes,
        .reach = bus_reach,
    };
    if (!IN_QEMU && job->wait_cycles) machine_enable_interrupt();
}

void stages_begin(void) {
    memset(&state, 0, sizeof state);
    memset(&JOB->stages[STAGE_SOFTWARE], 0, (STAGE_DECODE - STAGE_SOFTWARE) * sizeof(count_t));
    if (JOB->op > OP_DECRYPT && JOB->op != OP_KEY_ROW) state.seen = 1u << IS_CALL;
    note(AT_START);
}

void stages_seed_begin(void) {
    if (!seen(AT_SEED)) note(AT_SEED);
}

void stages_seed_end(void) { note(AT_DRAWN); }

void stages_end(instant_t now) {
    job_t *job = JOB;
    state.seen &= ~(1u << IS_CALL);
    turn(job->device ? STAGE_OUT : STAGE_SOFTWARE, now);
    job->core_cycles = state.core_cycles;
    job->programs = state.programs;
    job->accesses = state.accesses;
    if (!device) return;
    const rs_device_report_t *report = rs_device_report(device);
    for (unsigned i = 0; i < RS_UNIT_COUNT; i++) job->unit_cycles[i] = report->unit_cycles[i];
    job->program_words = report->instructions;
}
