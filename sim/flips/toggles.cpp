// SPDX-License-Identifier: Apache-2.0
// harness.cpp, and how many bits of the model's flip-flops change in each cycle: what its power is taken to be, for
// tests of masking.
#include "../harness.cpp"

#include "toggles.h"

namespace {

rs::Toggles toggles; // those of the model that asked last

} // namespace

extern "C" {

uint32_t rs_sim_registers(rs_sim_t *sim) {
    toggles.open(*sim);
    return uint32_t(toggles.all.size());
}

const char *rs_sim_register_name(uint32_t number) { return toggles.all[number].name.c_str(); }

uint64_t rs_sim_register_bits(uint32_t number) { return toggles.all[number].bits(); }

// rs_sim_play, whose inputs come in sets of in_words. counts: for each cycle how many bits toggle at its end in each
// channel; channel: of each register.
uint64_t rs_sim_toggles(rs_sim_t *sim, uint64_t cycles, uint32_t in_count, const uint32_t *in_ports, const uint32_t *in,
                        uint32_t in_words, const uint32_t *channel, uint32_t channels, uint32_t *counts) {
    toggles.begin();
    uint64_t done = 0;
    for (; done < cycles && rs_sim_play(sim, 1, in_count, in_ports, in, 0, nullptr, nullptr); done++) {
        toggles.count(channel, counts);
        in += in_words;
        counts += channels;
    }
    return done;
}

} // extern "C"
