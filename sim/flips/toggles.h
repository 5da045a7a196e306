// SPDX-License-Identifier: Apache-2.0
// How many bits of a model's flip-flops change from one cycle to the next: what its power is taken to be.
#ifndef RINGSIDE_SIM_TOGGLES_H
#define RINGSIDE_SIM_TOGGLES_H

#include <cstring>

#include "flips.h"

namespace rs {

constexpr uint32_t UNCOUNTED = ~uint32_t(0); // in place of a channel

struct Toggles {
    std::vector<Register> all;
    std::vector<uint8_t> last; // all registers, one behind the other

    void open(Model &model) {
        all = registers(model);
        last.clear();
        for (const auto &one : all) last.insert(last.end(), one.data, one.data + one.bytes());
    }

    // From now on.
    void begin() {
        uint8_t *was = last.data();
        for (const auto &one : all) {
            std::memcpy(was, one.data, one.bytes());
            was += one.bytes();
        }
    }

    // Adds to each channel what has toggled since the last call. channel: of each register.
    void count(const uint32_t *channel, uint32_t *counts) {
        uint8_t *was = last.data();
        for (size_t i = 0; i < all.size(); was += all[i].bytes(), i++) {
            const size_t bytes = all[i].bytes();
            if (channel[i] == UNCOUNTED || !std::memcmp(was, all[i].data, bytes)) continue;
            for (size_t k = 0; k < bytes; k++) counts[channel[i]] += __builtin_popcount(was[k] ^ all[i].data[k]);
            std::memcpy(was, all[i].data, bytes);
        }
    }
};

} // namespace rs

#endif
