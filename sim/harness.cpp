// SPDX-License-Identifier: Apache-2.0
// See harness.h.
#include "harness.h"

#include <cstring>

#include "model.h"

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
    uint32_t bytes; // bytes of the C++ type, which may be shorter than a 32-bit word
};

uint32_t words_of(uint32_t port) { return (PORTS[port].bits + 31) / 32; }

} // namespace

struct rs_sim : rs::Model {
    Place places[PORT_COUNT];

    using Model::Model;

    void write(uint32_t port, const uint32_t *words) { std::memcpy(places[port].data, words, places[port].bytes); }

    void read(uint32_t port, uint32_t *words) const {
        words[words_of(port) - 1] = 0;
        std::memcpy(words, places[port].data, places[port].bytes);
    }
};

extern "C" {

rs_sim_t *rs_sim_open(uint32_t seed) {
    auto *sim = new rs_sim(seed);
    uint32_t i = 0;
#define PORT(name, bits, is_output) sim->places[i++] = {&sim->top->name, sizeof sim->top->name};
#include "model.inc"
#undef PORT
    for (i = 0; i < PORT_COUNT; i++) {
        if (!PORTS[i].is_output) std::memset(sim->places[i].data, 0, sim->places[i].bytes);
    }
    sim->settle();
    return sim;
}

void rs_sim_close(rs_sim_t *sim) { delete sim; }

uint32_t rs_sim_port_count(void) { return PORT_COUNT; }

const char *rs_sim_port_name(uint32_t port) { return PORTS[port].name; }

uint32_t rs_sim_port_bits(uint32_t port) { return PORTS[port].bits; }

uint32_t rs_sim_port_is_output(uint32_t port) { return PORTS[port].is_output; }

void rs_sim_set(rs_sim_t *sim, uint32_t port, const uint32_t *words) { sim->write(port, words); }

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

uint64_t rs_sim_cycles(const rs_sim_t *sim) { return sim->cycles; }

const char *rs_sim_message(const rs_sim_t *sim) { return sim->message.c_str(); }

int rs_sim_stopped(const rs_sim_t *sim) { return sim->stopped; }

} // extern "C"
