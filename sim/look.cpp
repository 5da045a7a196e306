// SPDX-License-Identifier: Apache-2.0
// harness.cpp, and a look at the model's public signals (Verilator's public_flat_rd): for tests of what a wipe leaves.
#include "harness.cpp"

#include "verilated_syms.h"

extern "C" uint64_t rs_sim_look(const rs_sim_t *sim, const char *path, uint64_t *not_zero) {
    uint64_t bytes = 0;
    *not_zero = 0;
    for (const auto &scope : *sim->context->scopeNameMap()) {
        if (!std::strstr(scope.first, path) || !scope.second->varsp()) continue;
        for (const auto &signal : *scope.second->varsp()) {
            const auto *data = static_cast<const uint8_t *>(signal.second.datap());
            const size_t size = signal.second.totalSize();
            for (size_t i = 0; i < size; i++) *not_zero += data[i] != 0;
            bytes += size;
        }
    }
    return bytes;
}
