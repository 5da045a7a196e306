// SPDX-License-Identifier: Apache-2.0
// core.cpp, and how many bits of its flip-flops toggle in each cycle in which a program runs. One core at a time.
#define rs_core_wait rs_core_wait_unwatched
#define rs_core_write rs_core_write_unwatched
#include "../core.cpp"
#undef rs_core_wait
#undef rs_core_write

#include "../../lib/include/ringside/isa.h"
#include "toggles.h"

namespace {

struct {
    rs::Toggles toggles;
    const uint32_t *channel = nullptr; // none: nothing is counted
    uint32_t channels = 0, *counts = nullptr;
    uint64_t capacity = 0, cycles = 0;
    uint32_t index = 0; // the next word of a program, or a key's lane
    std::map<uint32_t, uint64_t> lanes;
} bench;

} // namespace

extern "C" {

uint64_t rs_core_flip_flops(rs_core_t *core) {
    bench.channel = nullptr;
    bench.toggles.open(*core);
    return bench.toggles.all.size();
}

const char *rs_core_flip_flop(uint64_t number) { return bench.toggles.all[number].name.c_str(); }

uint64_t rs_core_flip_flop_bits(uint64_t number) { return bench.toggles.all[number].bits(); }

// From the next wait on. channel: of each flip-flop; counts: `capacity` rows of `channels`, to which it adds; later cycles are not counted.
void rs_core_record(const uint32_t *channel, uint32_t channels, uint32_t *counts, uint64_t capacity) {
    bench.channel = channel;
    bench.channels = channels;
    bench.counts = counts;
    bench.capacity = capacity;
    bench.cycles = 0;
}

// Cycles since then in which a program ran.
uint64_t rs_core_recorded(void) { return bench.cycles; }

// What was written last as this lane of a slot.
uint64_t rs_core_lane(uint32_t index) { return bench.lanes[index]; }

int rs_core_write(void *state, uint32_t offset, uint32_t value) {
    if (offset == RS_REG_PROGRAM_INDEX) bench.index = value;
    if (bench.index >= RS_KEY_INDEX && offset == RS_REG_PROGRAM_LO) bench.lanes[bench.index] = value;
    if (bench.index >= RS_KEY_INDEX && offset == RS_REG_PROGRAM_HI) bench.lanes[bench.index++] |= uint64_t(value) << 32;
    return rs_core_write_unwatched(state, offset, value);
}

int rs_core_wait(void *state) {
    auto &core = *static_cast<rs_core *>(state);
    bench.toggles.begin();
    for (uint64_t i = 0; i < core.options.wait_cycles && !core.stopped; i++) {
        core.begin();
        const bool interrupt = core.top->irq_o;
        core.end();
        if (bench.channel && bench.cycles < bench.capacity)
            bench.toggles.count(bench.channel, bench.counts + bench.cycles * bench.channels);
        bench.cycles++;
        if (!interrupt) continue;
        core.end_job();
        return core.stopped ? core.options.failed_status : 0;
    }
    return core.stopped ? core.options.failed_status : core.options.timeout_status;
}

} // extern "C"
