// SPDX-License-Identifier: Apache-2.0
// The core itself: its programs, start, end, report and wipe.
#include "base/bytes.h"
#include "machine/machine.h"

enum {
    WIPE_READS = 1000000, // reads of STATUS until a wipe must be over: it takes the core at most 2^17 cycles
    READ_CYCLES = 2,      // a read of a register takes at least 3 (hw/core/rtl/rs_regs_axi.sv); a division by 2 is a shift
    DRAIN_CYCLES = 4096   // from the watchdog to the end of the program, at most (docs/core.md)
};

static rs_patience_t patience(const rs_device_t *d, uint64_t reads) {
    rs_patience_t p = {0, 0, reads};
    if (d->bus.now && d->bus.time_limit) {
        p.ticks = d->bus.time_limit;
        p.start = d->bus.now(d->bus.state);
    }
    return p;
}

// Whether to go on after one more read.
static int patient(const rs_device_t *d, rs_patience_t *p) {
    if (p->ticks) return d->bus.now(d->bus.state) - p->start < p->ticks;
    return p->reads && --p->reads;
}

// For a program: not before the core's own watchdog, unless the caller says so.
static rs_status_t program_patience(rs_device_t *d) {
    uint64_t reads = d->bus.time_limit;
    if (!reads) {
        uint32_t watchdog;
        RS_TRY(rs_machine_get(d, RS_REG_WATCHDOG, &watchdog));
        reads = ((watchdog ? (uint64_t)watchdog : UINT64_C(1) << 32) + DRAIN_CYCLES) / READ_CYCLES + 1;
    }
    d->patience = patience(d, reads);
    return RS_OK;
}

// The alert of a sealed core: it has wiped everything, and stays as it is until it is reset.
static int fatal_alert(uint32_t status) { return RS_REG_PART(STATUS_ALERT, status) >> 1 != 0; }

static rs_status_t zeroize(const rs_device_t *d) {
    uint32_t status;
    RS_TRY(rs_machine_set(d, RS_REG_CONTROL, RS_REG_BIT(CONTROL_ZEROIZE)));
    rs_patience_t p = patience(d, WIPE_READS);
    do {
        RS_TRY(rs_machine_get(d, RS_REG_STATUS, &status));
        if (fatal_alert(status) && !(status & RS_REG_BIT(STATUS_BUSY))) return RS_ERR_DEVICE_ALERT;
        if (!(status & (RS_REG_BIT(STATUS_BUSY) | RS_REG_BIT(STATUS_ZEROIZING))))
            return status & RS_REG_BIT(STATUS_BUS_HUNG) ? RS_ERR_DEVICE_STALL : RS_OK;
    } while (patient(d, &p));
    return RS_ERR_DEVICE_BUSY;
}

rs_status_t rs_machine_zeroize(rs_device_t *d) {
    const rs_status_t status = zeroize(d);
    d->pointers_known = 0; // the core may have been reset before it
    d->unwiped = status != RS_OK && status != RS_ERR_DEVICE_STALL && status != RS_ERR_DEVICE_ALERT;
    return d->unwiped ? RS_ERR_DEVICE_UNWIPED : status;
}

int rs_machine_same_key(const rs_program_key_t *a, const rs_program_key_t *b) {
    uint32_t other = 0;
    for (size_t i = 0; i < RS_PROGRAM_KEY_WORDS; i++) other |= a->words[i] ^ b->words[i];
    return other == 0;
}

// A program that was built before, or a new one behind those that are kept; if there is no room they all go.
static rs_status_t find_program(rs_device_t *d, const rs_program_key_t *key, rs_builds_t builds, const rs_kept_program_t **found) {
    for (uint32_t i = 0; i < d->kept; i++) {
        *found = &d->programs[i];
        if (rs_machine_same_key(&(*found)->key, key)) return RS_OK;
    }
    if (d->kept == RS_DEVICE_PROGRAMS) d->kept = 0;
    for (;;) {
        const rs_kept_program_t *before = d->kept ? &d->programs[d->kept - 1] : NULL;
        const size_t first = before ? before->first + before->words : 0;
        size_t words;
        const rs_status_t status = builds(&d->design, key, d->program + first, RS_PROGRAM_WORDS_MAX - first, &words);
        if (status == RS_ERR_PROGRAM_LENGTH && d->kept) {
            d->kept = 0; // perhaps it fits alone
            continue;
        }
        RS_TRY(status);
        d->programs[d->kept] = (rs_kept_program_t){*key, (uint32_t)first, (uint32_t)words};
        *found = &d->programs[d->kept++];
        return RS_OK;
    }
}

rs_status_t rs_machine_write_program(rs_device_t *d, const uint64_t *words, size_t count) {
    d->program_words = 0;
    // an earlier end or error goes here or at the end of the last call, and not later: what the core ignores from now on has to show at the end
    RS_TRY(rs_machine_set(d, RS_REG_CONTROL, RS_REG_BIT(CONTROL_CLEAR_IRQ)));
    RS_TRY(rs_machine_set(d, RS_REG_PROGRAM_INDEX, 0));
    for (size_t i = 0; i < count; i++) {
        RS_TRY(rs_machine_set(d, RS_REG_PROGRAM_LO, (uint32_t)words[i]));
        RS_TRY(rs_machine_set(d, RS_REG_PROGRAM_HI, (uint32_t)(words[i] >> 32)));
    }
    return RS_OK;
}

rs_status_t rs_machine_load_program(rs_device_t *d, const rs_program_key_t *key, rs_builds_t builds) {
    const rs_kept_program_t *found = NULL;
    if (d->program_words && rs_machine_same_key(&d->key, key)) return RS_OK;
    d->program_words = 0;
    RS_TRY(find_program(d, key, builds, &found));
    RS_TRY(rs_machine_write_program(d, d->program + found->first, found->words));
    d->key = *key;
    d->program_first = found->first;
    d->program_words = found->words;
    return RS_OK;
}

// The status for a program that ended with `cause`.
static rs_status_t fault_status(const rs_device_t *d, uint32_t cause) {
    uint32_t key_use, now;
    switch (cause) {
    case RS_FAULT_NONE: return RS_OK;
    case RS_FAULT_BUS_READ:
    case RS_FAULT_BUS_WRITE: return RS_ERR_DEVICE_BUS;
    case RS_FAULT_RESIDUE: return RS_ERR_DEVICE_RESIDUE;
    case RS_FAULT_WATCHDOG: return RS_ERR_DEVICE_WATCHDOG;
    case RS_FAULT_ABORTED: // by an alert too, which stays until reset
        RS_TRY(rs_machine_get(d, RS_REG_STATUS, &now));
        return RS_REG_PART(STATUS_ALERT, now) ? RS_ERR_DEVICE_ALERT : RS_ERR_DEVICE_ABORTED;
    case RS_FAULT_SECRET: // no program of the library stores secrets where nothing is forbidden
        RS_TRY(rs_machine_get(d, RS_REG_KEY_USE, &key_use));
        return key_use ? RS_ERR_DEVICE_KEY_USE : RS_ERR_DEVICE_PROGRAM;
    case RS_FAULT_VALUE: return RS_ERR_VALUE_RANGE;
    default: // the library makes no program that a core of this version refuses
        return RS_ERR_DEVICE_PROGRAM;
    }
}

static rs_status_t read_report(rs_device_t *d, uint32_t status) {
    uint32_t cycles;
    d->report.cause = RS_REG_PART(STATUS_CAUSE, status);
    d->report.pc = RS_REG_PART(STATUS_PC, status);
    d->report.instructions = (uint32_t)d->program_words;
    d->report.frames = d->call.frames ? d->call.frames : 1;
    RS_TRY(rs_machine_get(d, RS_REG_CYCLES, &cycles));
    d->report.cycles = cycles;
    for (uint32_t u = 0; u < RS_REG_BUSY_COUNT; u++) RS_TRY(rs_machine_get(d, RS_REG_BUSY + 4 * u, &d->report.unit_cycles[u]));
    d->report.unit_cycles[RS_UNIT_PIPE] = 0;
    if (d->design.features & RS_FEATURE_PIPE) RS_TRY(rs_machine_get(d, RS_REG_BUSY_PIPE, &d->report.unit_cycles[RS_UNIT_PIPE]));
    return RS_OK;
}

static uint32_t irq_enable(const rs_device_t *d) { return d->bus.wait ? RS_REG_BIT(CONTROL_IRQ_ENABLE) : 0; }

rs_status_t rs_machine_start_core(rs_device_t *d) {
    RS_TRY(program_patience(d));
    // what this side wrote to memory must arrive before the start
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return rs_machine_set(d, RS_REG_CONTROL, irq_enable(d) | RS_REG_BIT(CONTROL_START));
}

rs_status_t rs_machine_wait_for_core(rs_device_t *d) {
    uint32_t status;
    for (;;) {
        if (d->bus.wait) RS_TRY(d->bus.wait(d->bus.state));
        RS_TRY(rs_machine_get(d, RS_REG_STATUS, &status));
        if (status & RS_REG_BIT(STATUS_ERROR)) return RS_ERR_DEVICE_BUSY;
        if (status & RS_REG_BIT(STATUS_DONE)) break;
        if (!patient(d, &d->patience)) return RS_ERR_DEVICE_BUSY;
    }
    RS_TRY(rs_machine_set(d, RS_REG_CONTROL, RS_REG_BIT(CONTROL_CLEAR_IRQ)));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    RS_TRY(read_report(d, status));
    return fault_status(d, d->report.cause);
}
