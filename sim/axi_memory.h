// SPDX-License-Identifier: Apache-2.0
// Memory at the AXI4 ports of rs_core: one array, at each port in-order answers, rules of the protocol checked.
// A cycle: drive() sets the inputs, the model settles, sample() takes what is transferred, the clock rises.
// How it takes the address and the data of a write is an option (rs_core_slave): AXI4 allows all of these, and a master must get along
// with each, because its valid must not wait for a ready (IHI 0022, dependencies between the channels).
#ifndef RINGSIDE_SIM_AXI_MEMORY_H
#define RINGSIDE_SIM_AXI_MEMORY_H

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

#include "core.h"
#include "model.h"

namespace rs {

// Bits of the model's ports. Those of m_axi have all AXI ports side by side; AxLEN has eight bits.
namespace port_bits {
#define PORT(name, bits, is_output) constexpr uint32_t name = bits;
#include "model.inc"
#undef PORT
} // namespace port_bits

constexpr uint32_t PORTS = port_bits::m_axi_arlen / 8;
constexpr uint32_t BUS_BYTES = port_bits::m_axi_rdata / 8 / PORTS;
constexpr uint32_t CHANNELS = 5; // AR, R, AW, W, B
constexpr uint32_t PAGE_BYTES = 4096, INCR = 1;
enum Response : uint32_t { OKAY = 0, SLVERR = 2, DECERR = 3 };

// What belongs to one AXI port of a field that has all of them: Bits of it.
template <uint32_t Bits, class Field> class Signal {
  public:
    Signal(Field &field, uint32_t port) : field(field), port(port) {}

    operator uint64_t() const {
        if constexpr (PORTS == 1) {
            return field;
        } else if constexpr (Bits % 8 == 0) {
            uint64_t value = 0;
            std::memcpy(&value, place(), Bits / 8);
            return value;
        } else { // a few bits of each port
            return static_cast<uint64_t>(field) >> Bits * port & MASK;
        }
    }

    uint64_t operator=(uint64_t value) {
        if constexpr (PORTS == 1) {
            field = static_cast<Field>(value);
        } else if constexpr (Bits % 8 == 0) {
            std::memcpy(place(), &value, Bits / 8);
        } else {
            field = static_cast<Field>((field & ~(MASK << Bits * port)) | (value & MASK) << Bits * port);
        }
        return value;
    }

    uint8_t *place() const { // the place of whole bytes
        return reinterpret_cast<uint8_t *>(&field) + Bits / 8 * port;
    }

  private:
    static constexpr uint64_t MASK = (uint64_t{1} << Bits % 64) - 1;
    Field &field;
    uint32_t port;
};

// What the ports share.
struct AxiBytes {
    std::vector<uint8_t> bytes;
    uint64_t read_beats = 0, write_beats = 0;
    rs_core_options_t options;
};

#define AXI(name) \
    Signal<port_bits::m_axi_##name / PORTS, std::remove_reference_t<decltype(top.m_axi_##name)>>(top.m_axi_##name, port)

class AxiPort {
  public:
    AxiPort(Model &model, AxiBytes &memory, uint32_t port)
        : model(model), top(*model.top), memory(memory), options(memory.options), port(port),
          random((memory.options.seed ^ port * PORT_SEED) | 1) {}

    // After so many more handshakes on a channel nothing is taken or answered any more, on any channel.
    void kill(uint32_t channel, uint64_t handshakes) {
        dead = handshakes == 0;
        dying = !dead;
        last_channel = channel;
        handshakes_left = handshakes;
    }

    // It goes on where it stopped.
    void revive() { dead = dying = false; }

    bool is_dead() const { return dead; }

    // The interconnect's reset, from `on` to not: it forgets all that is under way, and does not look at the core.
    void hold_in_reset(bool on) {
        reset();
        in_reset = on;
    }

    void reset() {
        reads.clear();
        writes.clear();
        answers.clear();
        beats.clear();
        whole = 0;
        middle = dead = dying = false;
        ar_held = aw_held = w_held = r_held = b_held = false;
        AXI(arready) = AXI(awready) = AXI(wready) = AXI(rvalid) = AXI(bvalid) = 0;
    }

    void drive() {
        read_credit = grow(read_credit);
        write_credit = grow(write_credit);
        AXI(arready) = reads.size() < options.outstanding && !pause();
        drive_write();
        if (!r_held && !dead && !reads.empty() && reads.front().ready_at <= model.cycles && read_credit >= BEAT && !pause()) {
            read_credit -= cost(reads.front().first);
            reads.front().first = false;
            r_held = true;
            offer(reads.front());
        }
        if (!b_held && !dead && !answers.empty() && answers.front().ready_at <= model.cycles && !pause()) {
            b_held = true;
            AXI(bresp) = answers.front().response;
            AXI(bid) = answers.front().id;
        }
        AXI(rvalid) = r_held;
        AXI(bvalid) = b_held;
        if (dead || in_reset) AXI(arready) = AXI(awready) = AXI(wready) = 0;
    }

    void sample() {
        if (in_reset) return;
        count_down();
        const Burst ar = burst(AXI(araddr), AXI(arlen), AXI(arid), model.cycles + latency());
        if (announced("AR", AXI(arvalid), AXI(arready), AXI(arburst), AXI(arsize), ar, ar_held, ar_before)) {
            reads.push_back(ar);
        }
        if (r_held && AXI(rready)) {
            r_held = false;
            memory.read_beats++;
            if (--reads.front().beats == 0) reads.pop_front();
        }
        const Burst aw = burst(AXI(awaddr), AXI(awlen), AXI(awid), 0);
        const bool new_write = announced("AW", AXI(awvalid), AXI(awready), AXI(awburst), AXI(awsize), aw, aw_held, aw_before);
        take_beat();
        if (new_write) writes.push_back(aw);
        for (; !writes.empty() && !beats.empty(); beats.pop_front()) write_beat(beats.front());
        rule(beats.size() <= (aw_held ? aw_before.beats : 0), "W", "data of a burst that is not on offer");
        if (b_held && AXI(bready)) {
            b_held = false;
            answers.pop_front();
        }
    }

  private:
    struct Burst {
        uint64_t address;
        uint32_t beats; // that are left
        uint32_t id;
        uint32_t response;
        uint64_t ready_at;
        bool first; // none of its beats has been offered
    };

    struct Beat {
        uint8_t data[BUS_BYTES];
        uint64_t strobes;
        bool last;
    };

    static constexpr int64_t MILLI = 1000, BEAT = MILLI * BUS_BYTES;
    static constexpr uint64_t PORT_SEED = 0x9e3779b97f4a7c15; // ports pause at different times

    Model &model;
    Vmodel &top;
    AxiBytes &memory;
    const rs_core_options_t &options;
    const uint32_t port;
    uint64_t random;
    int64_t read_credit = 0, write_credit = 0;
    std::deque<Burst> reads, writes, answers;
    std::deque<Beat> beats; // taken before the address of their burst
    size_t whole = 0; // bursts of which all beats were taken, but not the address
    bool middle = false; // the last beat that was taken is not the last of its burst
    bool dead = false, dying = false, in_reset = false;
    uint32_t last_channel = 0;
    uint64_t handshakes_left = 0;
    // offered by the core (AR, AW, W) or by us (R, B) and not taken yet: stays as it is
    bool ar_held = false, aw_held = false, w_held = false, r_held = false, b_held = false;
    Burst ar_before{}, aw_before{};
    uint8_t w_before[BUS_BYTES] = {};
    bool w_last_before = false;

    static Burst burst(uint64_t address, uint64_t length, uint64_t id, uint64_t ready_at) {
        return {address, static_cast<uint32_t>(length) + 1, static_cast<uint32_t>(id), OKAY, ready_at, true};
    }

    uint64_t latency() const { return options.latency ? options.latency : 1; }

    bool pause() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return (random >> 32) % 256 < options.stall;
    }

    // Thousandths of bytes that a beat takes; what a burst takes besides is a debt that its later beats wait for.
    int64_t cost(bool first) const { return BEAT + (first ? MILLI * static_cast<int64_t>(options.overhead) : 0); }

    // Thousandths of bytes that may pass by now: a beat and what a cycle brings at most, so that no rest is lost.
    int64_t grow(int64_t credit) const {
        const int64_t rate = options.bandwidth ? options.bandwidth : BEAT;
        return std::min(credit + rate, rate + BEAT - 1);
    }

    Response look(uint64_t address) const {
        if (address < options.memory_address || address - options.memory_address + BUS_BYTES > memory.bytes.size()) return DECERR;
        return address + BUS_BYTES > options.error_address && address < options.error_address + options.error_bytes ? SLVERR : OKAY;
    }

    void offer(Burst &burst) {
        const Response response = look(burst.address);
        if (response == OKAY) {
            std::memcpy(AXI(rdata).place(), &memory.bytes[burst.address - options.memory_address], BUS_BYTES);
        } else {
            std::memset(AXI(rdata).place(), 0xa5, BUS_BYTES);
        }
        burst.address += BUS_BYTES;
        AXI(rresp) = response;
        AXI(rid) = burst.id;
        AXI(rlast) = burst.beats == 1;
    }

    void rule(bool kept, const std::string &channel, const char *text) {
        if (!kept) model.fail("AXI " + channel + ": " + text);
    }

    // Checks an address channel; true if a burst was accepted.
    bool announced(const char *channel, bool valid, bool ready, uint32_t kind, uint32_t size, const Burst &burst, bool &held,
                   Burst &before) {
        rule(!held || valid, channel, "valid fell before ready came");
        if (!valid) return false;
        rule(!held || (burst.address == before.address && burst.beats == before.beats && burst.id == before.id), channel,
             "a burst changed before it was accepted");
        rule(kind == INCR && 1u << size == BUS_BYTES, channel, "a burst is not INCR or not of the bus's width");
        rule(burst.address % BUS_BYTES == 0, channel, "an address is not aligned to the bus");
        rule(burst.address % PAGE_BYTES + burst.beats * BUS_BYTES <= PAGE_BYTES, channel, "a burst crosses 4 KiB");
        held = !ready;
        before = burst;
        return ready;
    }

    void count_down() {
        const bool taken[] = {
            AXI(arvalid) && AXI(arready), r_held && AXI(rready), AXI(awvalid) && AXI(awready),
            AXI(wvalid) && AXI(wready),   b_held && AXI(bready),
        };
        if (!dying || !taken[last_channel] || --handshakes_left) return;
        dying = false;
        dead = true;
    }

    // AWREADY and WREADY. The core's valids do not depend on them, so a slave may look at the valids first.
    void drive_write() {
        const bool address = writes.size() + answers.size() < options.outstanding && !pause();
        const bool data = write_credit >= BEAT && !pause();
        switch (options.slave) {
        case RS_CORE_ADDRESS_FIRST:
            AXI(awready) = address;
            AXI(wready) = data && !writes.empty();
            break;
        case RS_CORE_ANY:
            AXI(awready) = address;
            AXI(wready) = data;
            break;
        case RS_CORE_TOGETHER:
            AXI(wready) = data && (middle || (address && AXI(awvalid) && AXI(wvalid)));
            AXI(awready) = AXI(wready) && !middle;
            break;
        default: // RS_CORE_DATA_FIRST
            AXI(awready) = address && whole > 0;
            AXI(wready) = data && whole == 0;
        }
    }

    void take_beat() {
        rule(!w_held || AXI(wvalid), "W", "valid fell before ready came");
        if (!AXI(wvalid)) return;
        rule(!w_held || (std::memcmp(w_before, AXI(wdata).place(), BUS_BYTES) == 0 && w_last_before == AXI(wlast)), "W",
             "a beat changed before it was accepted");
        std::memcpy(w_before, AXI(wdata).place(), BUS_BYTES);
        w_last_before = AXI(wlast);
        w_held = !AXI(wready);
        if (w_held) return;
        beats.push_back({{}, AXI(wstrb), w_last_before});
        std::memcpy(beats.back().data, w_before, BUS_BYTES);
        memory.write_beats++;
        write_credit -= cost(!middle);
        middle = !w_last_before;
        whole += w_last_before;
    }

    // The next beat of the first burst that is announced.
    void write_beat(const Beat &beat) {
        Burst &burst = writes.front();
        rule((burst.beats == 1) == beat.last, "W", "last is not at the end of the burst");
        const Response response = look(burst.address);
        for (uint32_t i = 0; response == OKAY && i < BUS_BYTES; i++) {
            if (beat.strobes >> i & 1) memory.bytes[burst.address - options.memory_address + i] = beat.data[i];
        }
        burst.response = std::max<uint32_t>(burst.response, response);
        burst.address += BUS_BYTES;
        whole -= beat.last;
        if (--burst.beats == 0) {
            burst.ready_at = model.cycles + latency();
            answers.push_back(burst);
            writes.pop_front();
        }
    }
};

#undef AXI

class AxiMemory : public AxiBytes {
  public:
    AxiMemory(Model &model, const rs_core_options_t &given) : AxiBytes{std::vector<uint8_t>(given.memory_bytes), 0, 0, given} {
        for (uint32_t port = 0; port < PORTS; port++) ports.emplace_back(model, *this, port);
    }

    AxiMemory(const AxiMemory &) = delete;

    void set_error(uint64_t address, uint64_t count) {
        options.error_address = address;
        options.error_bytes = count;
    }

    // channel: CHANNELS of port 0, then those of the next port
    void kill(uint32_t channel, uint64_t handshakes) { ports.at(channel / CHANNELS).kill(channel % CHANNELS, handshakes); }

    void revive() {
        for (AxiPort &port : ports) port.revive();
    }

    bool is_dead() const {
        return std::any_of(ports.begin(), ports.end(), [](const AxiPort &port) { return port.is_dead(); });
    }

    void hold_in_reset(bool on) {
        for (AxiPort &port : ports) port.hold_in_reset(on);
    }

    void reset() {
        for (AxiPort &port : ports) port.reset();
    }

    void drive() {
        for (AxiPort &port : ports) port.drive();
    }

    void sample() {
        for (AxiPort &port : ports) port.sample();
    }

  private:
    std::deque<AxiPort> ports;
};

} // namespace rs

#endif
