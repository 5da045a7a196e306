// SPDX-License-Identifier: Apache-2.0
// See harness.h. model.inc is written by verilate.py: MODEL, CLOCK and a PORT(name, bits, is_output) for every port but the clock.
#include "harness.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "Vmodel.h"
#include "verilated.h"

#include "model.inc"

namespace {

struct Port {
    const char *name;
    uint32_t bits;
    uint32_t is_output;
};

constexpr Port PORTS[] = {
#define PORT(name, bits, is_output) {#name, bits, is_output},
#include "model.inc"
#undef PORT
};
constexpr uint32_t PORT_COUNT = sizeof PORTS / sizeof *PORTS;

struct Place {
    void *data;
    uint32_t bytes; // of the C++ type, which may be shorter than a 32-bit word
};

uint32_t words_of(uint32_t port) {
    return (PORTS[port].bits + 31) / 32;
}

// Models print without saying which instance they are; what they say goes to the one that is being evaluated.
thread_local rs_sim *evaluated;

} // namespace

struct rs_sim {
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Vmodel> model;
    Place places[PORT_COUNT];
    uint64_t cycles;
    std::string message;
    bool stopped;

    void settle() {
        evaluated = this;
        model->eval();
    }

    void write(uint32_t port, const uint32_t *words) {
        std::memcpy(places[port].data, words, places[port].bytes);
    }

    void read(uint32_t port, uint32_t *words) const {
        words[words_of(port) - 1] = 0;
        std::memcpy(words, places[port].data, places[port].bytes);
    }

    void rise() {
        model->CLOCK = 1;
        settle();
        model->CLOCK = 0;
        cycles++;
    }
};

extern "C" {

int rs_sim_print(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (evaluated && evaluated->message.size() < 1 << 16) evaluated->message += text;
    return length;
}

rs_sim_t *rs_sim_open(uint32_t seed) {
    auto *sim = new rs_sim{};
    sim->context = std::make_unique<VerilatedContext>();
    sim->context->randReset(2);
    sim->context->randSeed(static_cast<int>(seed | 1));
    evaluated = sim;
    sim->model = std::make_unique<Vmodel>(sim->context.get(), "");
    uint32_t i = 0;
#define PORT(name, bits, is_output) sim->places[i++] = {&sim->model->name, sizeof sim->model->name};
#include "model.inc"
#undef PORT
    for (i = 0; i < PORT_COUNT; i++) {
        if (!PORTS[i].is_output) std::memset(sim->places[i].data, 0, sim->places[i].bytes);
    }
    sim->model->CLOCK = 0;
    sim->settle();
    return sim;
}

void rs_sim_close(rs_sim_t *sim) {
    evaluated = sim;
    sim->model->final();
    evaluated = nullptr;
    delete sim;
}

uint32_t rs_sim_port_count(void) {
    return PORT_COUNT;
}

const char *rs_sim_port_name(uint32_t port) {
    return PORTS[port].name;
}

uint32_t rs_sim_port_bits(uint32_t port) {
    return PORTS[port].bits;
}

uint32_t rs_sim_port_is_output(uint32_t port) {
    return PORTS[port].is_output;
}

void rs_sim_set(rs_sim_t *sim, uint32_t port, const uint32_t *words) {
    sim->write(port, words);
}

void rs_sim_get(rs_sim_t *sim, uint32_t port, uint32_t *words) {
    sim->settle();
    sim->read(port, words);
}

uint64_t rs_sim_step(rs_sim_t *sim, uint64_t cycles) {
    uint64_t done = 0;
    for (; done < cycles && !sim->stopped; done++) {
        sim->settle();
        sim->rise();
    }
    return done;
}

uint64_t rs_sim_wait(rs_sim_t *sim, uint32_t port, uint32_t value, uint64_t limit) {
    uint32_t first = 0;
    const Place place = sim->places[port];
    const uint32_t bytes = place.bytes < sizeof first ? place.bytes : sizeof first;
    uint64_t done = 0;
    for (; done < limit && !sim->stopped; done++) {
        sim->settle();
        std::memcpy(&first, place.data, bytes);
        sim->rise();
        if (first == value) return done + 1;
    }
    return done;
}

uint64_t rs_sim_play(rs_sim_t *sim, uint64_t cycles, uint32_t in_count, const uint32_t *in_ports, const uint32_t *in,
                     uint32_t out_count, const uint32_t *out_ports, uint32_t *out) {
    uint64_t done = 0;
    for (; done < cycles && !sim->stopped; done++) {
        for (uint32_t i = 0; i < in_count; i++) {
            sim->write(in_ports[i], in);
            in += words_of(in_ports[i]);
        }
        sim->settle();
        for (uint32_t i = 0; i < out_count; i++) {
            sim->read(out_ports[i], out);
            out += words_of(out_ports[i]);
        }
        sim->rise();
    }
    return done;
}

uint64_t rs_sim_cycles(const rs_sim_t *sim) {
    return sim->cycles;
}

const char *rs_sim_message(const rs_sim_t *sim) {
    return sim->message.c_str();
}

int rs_sim_stopped(const rs_sim_t *sim) {
    return sim->stopped;
}

} // extern "C"

// What Verilator's run time calls for $stop, $fatal, failed assertions and $finish: the process goes on, the model does not.
void vl_stop(const char *, int, const char *) VL_MT_UNSAFE {
    if (evaluated) evaluated->stopped = true;
}

void vl_fatal(const char *file, int line, const char *, const char *text) VL_MT_UNSAFE {
    if (evaluated) evaluated->stopped = true;
    rs_sim_print("%s:%d: %s\n", file, line, text);
}

void vl_finish(const char *, int, const char *) VL_MT_UNSAFE {
    if (evaluated) evaluated->stopped = true;
}
