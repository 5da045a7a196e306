// SPDX-License-Identifier: Apache-2.0
// What the harnesses share: an instance of a Verilated model, its clock, and what it printed before it stopped.
// model.inc is written by verilate.py: CLOCK, and a PORT(name, bits, is_output) for every other port.
#ifndef RINGSIDE_SIM_MODEL_H
#define RINGSIDE_SIM_MODEL_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "Vmodel.h"
#include "verilated.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#include "model.inc"

namespace rs {

// Verilator's run time prints and stops without saying which instance: it is the one that was entered last.
struct Verdict {
    std::string message;
    bool stopped = false;

    void enter();
    static void leave();
    void fail(const std::string &text); // as a failed assertion does
};

struct Model : Verdict {
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Vmodel> top;
    uint64_t cycles = 0;

    explicit Model(uint32_t seed) : context(std::make_unique<VerilatedContext>()) {
        context->randReset(seed ? 2 : 0); // random, or zeros
        context->randSeed(static_cast<int>(seed | 1));
        enter();
        top = std::make_unique<Vmodel>(context.get(), "");
        top->CLOCK = 0;
    }

    ~Model() {
        enter();
        top->final();
        leave();
#if VM_COVERAGE
        static unsigned number; // its address tells one model's library from another's
        const char *folder = std::getenv("RINGSIDE_COVERAGE");
        if (folder) {
            char name[64];
            std::snprintf(name, sizeof name, "/%p-%u.dat", static_cast<void *>(&number), number++);
            context->coveragep()->write((folder + std::string(name)).c_str());
        }
#endif
    }

    void settle() {
        enter();
        top->eval();
    }

    void rise() {
        top->CLOCK = 1;
        settle();
        top->CLOCK = 0;
        cycles++;
    }
};

} // namespace rs

#endif
