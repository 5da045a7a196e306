// SPDX-License-Identifier: Apache-2.0
// Single flips: the flip-flops of a model, which are its public signals (public_flat_rw of a .vlt file), and a flip of one bit of one of them, with all
// that hangs on it settled anew.
#ifndef RINGSIDE_SIM_FLIPS_H
#define RINGSIDE_SIM_FLIPS_H

#include <string>
#include <vector>

#include "../model.h"
#include "Vmodel___024root.h"
#include "verilated_syms.h"

void Vmodel___024root___eval_settle(Vmodel___024root *root);

namespace rs {

struct Register {
    std::string name;
    uint8_t *data;
    uint32_t entries, entry_bytes, entry_bits;

    uint64_t bits() const { return uint64_t(entries) * entry_bits; }
    size_t bytes() const { return size_t(entries) * entry_bytes; }
};

inline std::vector<Register> registers(Model &model) {
    std::vector<Register> found;
    for (const auto &scope : *model.context->scopeNameMap()) {
        if (!scope.second->varsp()) continue;
        for (const auto &[name, var] : *scope.second->varsp()) {
            if (!var.isPublicRW()) continue;
            const uint32_t entry = var.entSize();
            found.push_back({std::string(scope.first) + '.' + name, static_cast<uint8_t *>(var.datap()),
                             uint32_t(var.totalSize() / entry), entry, var.entBits()});
        }
    }
    return found;
}

// Between two rising edges of the clock.
inline void flip(Model &model, const Register &at, uint64_t bit) {
    at.data[bit / at.entry_bits * at.entry_bytes + bit % at.entry_bits / 8] ^= uint8_t(1 << bit % at.entry_bits % 8);
    model.enter();
    Vmodel___024root___eval_settle(model.top->rootp);
}

} // namespace rs

#endif
