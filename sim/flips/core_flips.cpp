// SPDX-License-Identifier: Apache-2.0
// core.cpp, and a single flip while a program runs. One core at a time.
#define rs_core_wait rs_core_wait_unflipped
#define rs_core_read rs_core_read_unflipped
#include "../core.cpp"
#undef rs_core_wait
#undef rs_core_read

#include "flips.h"

namespace {

constexpr uint64_t NEVER = ~uint64_t(0), LIMIT = 100000; // cycles of a program, after which it hangs
constexpr uint64_t AFTER = 64;                          // cycles behind its end in which an alert still counts

struct {
    std::vector<rs::Register> all;
    uint64_t cycle = NEVER, at = 0, bit = 0; // place of the flip, from the first cycle of the wait on
    uint64_t alert = NEVER, cycles = 0;      // times of the last program: when the alert came, and how long it was
    uint64_t limit = LIMIT;                  // the limit of the next wait
    bool told = false;                       // since the flip was set
    bool silent = false; // registers do not answer after an alert: a driver would wait for the end of the wipe
} flips;

} // namespace

extern "C" {

uint64_t rs_core_flip_flops(rs_core_t *core) {
    flips.all = rs::registers(*core);
    return flips.all.size();
}

const char *rs_core_flip_flop(uint64_t number) { return flips.all[number].name.c_str(); }

uint64_t rs_core_flip_flop_bits(uint64_t number) { return flips.all[number].bits(); }

void rs_core_flip(uint64_t cycle, uint64_t number, uint64_t bit) {
    flips.cycle = cycle;
    flips.at = number;
    flips.bit = bit;
    flips.told = false;
}

void rs_core_limit(uint64_t cycles) { flips.limit = cycles; }

int rs_core_told(void) { return flips.told; }

uint64_t rs_core_alert(void) { return flips.alert; }

uint64_t rs_core_waited(void) { return flips.cycles; }

void rs_core_silence(void) { flips.silent = true; }

int rs_core_read(void *state, uint32_t offset, uint32_t *value) {
    auto &core = *static_cast<rs_core *>(state);
    return flips.silent && core.top->alert_o ? core.options.failed_status : rs_core_read_unflipped(state, offset, value);
}

int rs_core_wait(void *state) {
    auto &core = *static_cast<rs_core *>(state);
    flips.alert = flips.cycles = NEVER;
    for (uint64_t i = 0, left = NEVER; i < flips.limit && !core.stopped && left; i++, left -= left != NEVER) {
        core.begin();
        if (core.top->alert_o && flips.alert == NEVER) flips.alert = i;
        flips.told |= core.top->alert_o != 0;
        const bool interrupt = core.top->irq_o;
        core.end();
        if (i == flips.cycle) rs::flip(core, flips.all[flips.at], flips.bit);
        if (!interrupt || flips.cycles != NEVER) continue;
        flips.cycles = i;
        left = AFTER;
        core.end_job();
    }
    flips.cycle = NEVER;
    flips.limit = LIMIT;
    if (flips.cycles != NEVER && !core.stopped) return 0;
    return core.stopped ? core.options.failed_status : core.options.timeout_status;
}

} // extern "C"
