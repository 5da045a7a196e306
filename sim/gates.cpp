// SPDX-License-Identifier: Apache-2.0
// Netlists of gates, simulated beside the RTL that they were made from: their inputs are the ports of the RTL, cycle by cycle;
// toggles of nets are counted, outputs compared. py/ringside/synth/asic/activity.py has the other side, rs_probe in it calls put().
//
// A gate that something changed for is evaluated after its delay, with the inputs that it sees then: pulses shorter than the delay
// disappear, longer ones are counted as glitches. Without delays gates are evaluated once per cycle, in topological order.
//
// Flip-flops behind a clock gate take part in an edge if the enable was set when everything had settled before it: that is what the
// gate's latch holds. So a gated clock has whole pulses only.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int WHEEL = 64; // delays are below this

struct Tap {
    int32_t probe, bit, net;
};

struct Gate {
    uint64_t table;
    int32_t inputs, count, output, delay;
};

struct ClockGate {
    int32_t enable, held, clock; // nets; held: the enable behind the latch
};

struct Netlist {
    std::vector<Gate> gates; // in topological order
    std::vector<int32_t> inputs, flop_d, flop_q, flop_gate; // flop_gate: -1: none
    std::vector<ClockGate> clock_gates;
    std::vector<int32_t> fanout, fanout_of; // gates that read net n: fanout[fanout_of[n] .. fanout_of[n + 1]]
    std::vector<Tap> ins, outs;
    std::vector<uint8_t> value, state, pending;
    std::vector<uint64_t> dirty, toggles;
    std::vector<int32_t> wheel[WHEEL];
    uint64_t mismatches = 0;
    bool timed = false, started = false;
    int now = 0, waiting = 0;
};

struct Probe {
    std::string path;
    int32_t width;
    std::vector<uint32_t> data;
    bool opened;
};

struct Watch {
    Tap when, and_also; // net: the wanted value
    uint64_t count;
};

std::vector<Probe> probes;
std::vector<Netlist *> netlists;
std::vector<Watch> watches;
size_t expected; // these come first, and may not be open yet
uint64_t cycles, reported;
bool counting;

int add_probe(const std::string &path, int width, bool opened) {
    probes.push_back({path, width, std::vector<uint32_t>((width + 31) / 32), opened});
    return int(probes.size()) - 1;
}

bool read(const Tap &tap) { return probes[tap.probe].data[tap.bit >> 5] >> (tap.bit & 31) & 1; }

bool evaluate(const Netlist &n, const Gate &gate) {
    uint32_t index = 0;
    for (int32_t i = 0; i < gate.count; i++) index |= uint32_t(n.value[n.inputs[gate.inputs + i]]) << i;
    return gate.table >> index & 1;
}

void change(Netlist &n, int32_t net) {
    n.value[net] ^= 1;
    n.toggles[net] += counting;
    for (int32_t i = n.fanout_of[net]; i < n.fanout_of[net + 1]; i++) {
        const int32_t gate = n.fanout[i];
        if (!n.timed) {
            n.dirty[gate >> 6] |= uint64_t(1) << (gate & 63);
        } else if (!n.pending[gate]) {
            n.pending[gate] = 1;
            n.waiting++;
            n.wheel[(n.now + n.gates[gate].delay) % WHEEL].push_back(gate);
        }
    }
}

void settle(Netlist &n) {
    if (n.timed) {
        for (; n.waiting; n.now = (n.now + 1) % WHEEL) {
            auto &slot = n.wheel[n.now];
            for (size_t i = 0; i < slot.size(); i++) {
                const Gate &gate = n.gates[slot[i]];
                n.pending[slot[i]] = 0;
                n.waiting--;
                if (evaluate(n, gate) != n.value[gate.output]) change(n, gate.output);
            }
            slot.clear();
        }
        return;
    }
    for (size_t word = 0; word < n.dirty.size(); word++) {
        while (n.dirty[word]) {
            const int bit = __builtin_ctzll(n.dirty[word]);
            n.dirty[word] &= n.dirty[word] - 1;
            const Gate &gate = n.gates[64 * word + bit];
            if (evaluate(n, gate) != n.value[gate.output]) change(n, gate.output);
        }
    }
}

void step(Netlist &n) {
    if (!n.started) { // everything once, in order
        n.started = true;
        const bool was = n.timed;
        n.timed = false;
        for (size_t i = 0; i < n.gates.size(); i++) n.dirty[i >> 6] |= uint64_t(1) << (i & 63);
        settle(n);
        n.timed = was;
    }
    for (size_t i = 0; i < n.flop_q.size(); i++)
        if (n.state[i] != n.value[n.flop_q[i]]) change(n, n.flop_q[i]);
    for (const Tap &tap : n.ins)
        if (read(tap) != n.value[tap.net]) change(n, tap.net);
    settle(n);
    if (counting)
        for (const Tap &tap : n.outs) n.mismatches += read(tap) != n.value[tap.net];
    for (const ClockGate &gate : n.clock_gates) {
        const bool enabled = n.value[gate.enable];
        n.toggles[gate.held] += counting && enabled != n.value[gate.held];
        n.value[gate.held] = enabled;
        n.toggles[gate.clock] += counting && enabled ? 2 : 0;
    }
    for (size_t i = 0; i < n.flop_d.size(); i++)
        if (n.flop_gate[i] < 0 || n.value[n.clock_gates[n.flop_gate[i]].held]) n.state[i] = n.value[n.flop_d[i]];
}

} // namespace

extern "C" {

// ---- from the RTL
int rs_probe_open(const char *path, int width) {
    const std::string name = path;
    for (size_t i = 0; i < expected; i++) {
        const std::string &wanted = probes[i].path;
        if (name.size() < wanted.size() || name.compare(name.size() - wanted.size(), wanted.size(), wanted)) continue;
        probes[i].opened = probes[i].width == width;
        return int(i);
    }
    return add_probe(name, width, true);
}

void rs_probe_put(int id, const uint32_t *data) {
    Probe &probe = probes[id];
    std::memcpy(probe.data.data(), data, 4 * probe.data.size());
    if (++reported < probes.size()) return;
    reported = 0;
    cycles += counting;
    for (Watch &watch : watches)
        watch.count += counting && read(watch.when) == bool(watch.when.net) && read(watch.and_also) == bool(watch.and_also.net);
    for (Netlist *netlist : netlists) step(*netlist);
}

// ---- from Python
void rs_gates_clear() {
    for (Netlist *netlist : netlists) delete netlist;
    netlists.clear();
    probes.clear();
    watches.clear();
    cycles = reported = expected = 0;
    counting = false;
}

// Netlists may be there before the model is: the probe whose path ends so will have the next number. All of these come before any is open.
void rs_gates_expect(const char *path, int width) {
    add_probe(path, width, false);
    expected = probes.size();
}

// The first of them that is not open, or has another width; null: none.
const char *rs_gates_missing() {
    for (size_t i = 0; i < expected; i++)
        if (!probes[i].opened) return probes[i].path.c_str();
    return nullptr;
}

int rs_gates_probe_count() { return int(probes.size()); }

const char *rs_gates_probe_path(int id) { return probes[id].path.c_str(); }

int rs_gates_probe_width(int id) { return probes[id].width; }

int rs_gates_add(int nets, int gates, const uint64_t *tables, const int32_t *counts, const int32_t *inputs, const int32_t *outputs,
                 const int32_t *delays, int flops, const int32_t *flop_d, const int32_t *flop_q, const int32_t *flop_gate,
                 int clock_gates, const int32_t *enable, const int32_t *held, const int32_t *clock, int ins, const Tap *in,
                 int outs, const Tap *out) {
    auto *n = new Netlist;
    int32_t total = 0;
    std::vector<int32_t> readers(nets + 1);
    for (int i = 0; i < gates; i++) {
        n->gates.push_back({tables[i], total, counts[i], outputs[i], delays[i]});
        n->timed |= delays[i] > 0;
        for (int k = 0; k < counts[i]; k++) readers[inputs[total + k] + 1]++;
        total += counts[i];
    }
    n->inputs.assign(inputs, inputs + total);
    for (int i = 0; i < nets; i++) readers[i + 1] += readers[i];
    n->fanout_of = readers;
    n->fanout.resize(total);
    for (int i = 0; i < gates; i++)
        for (int k = 0; k < counts[i]; k++) n->fanout[readers[n->inputs[n->gates[i].inputs + k]]++] = i;
    n->flop_d.assign(flop_d, flop_d + flops);
    n->flop_q.assign(flop_q, flop_q + flops);
    n->flop_gate.assign(flop_gate, flop_gate + flops);
    for (int i = 0; i < clock_gates; i++) n->clock_gates.push_back({enable[i], held[i], clock[i]});
    n->ins.assign(in, in + ins);
    n->outs.assign(out, out + outs);
    n->value.resize(nets);
    n->toggles.resize(nets);
    n->state.resize(flops);
    n->pending.resize(gates);
    n->dirty.resize((gates + 63) / 64);
    netlists.push_back(n);
    return int(netlists.size()) - 1;
}

int rs_gates_watch(Tap when, Tap and_also) {
    watches.push_back({when, and_also, 0});
    return int(watches.size()) - 1;
}

void rs_gates_count(int on) { counting = on; }

uint64_t rs_gates_cycles() { return cycles; }

uint64_t rs_gates_watched(int id) { return watches[id].count; }

uint64_t rs_gates_mismatches(int id) { return netlists[id]->mismatches; }

void rs_gates_toggles(int id, uint64_t *toggles) {
    std::memcpy(toggles, netlists[id]->toggles.data(), 8 * netlists[id]->toggles.size());
}

} // extern "C"
