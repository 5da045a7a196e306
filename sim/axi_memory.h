// SPDX-License-Identifier: Apache-2.0
// Memory at the AXI4 port of rs_core: one array, in-order answers, rules of the protocol checked.
// A cycle: drive() sets the inputs, the model settles, sample() takes what is transferred, the clock rises.
// How it takes the address and the data of a write is an option (rs_core_slave): AXI4 allows all of these, and a master must get along
// with each, because its valid must not wait for a ready (IHI 0022, dependencies between the channels).
#ifndef RINGSIDE_SIM_AXI_MEMORY_H
#define RINGSIDE_SIM_AXI_MEMORY_H

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "core.h"
#include "model.h"

namespace rs {

constexpr uint32_t BUS_BYTES = sizeof std::declval<Vmodel &>().m_axi_rdata;
constexpr uint32_t PAGE_BYTES = 4096, INCR = 1;
enum Response : uint32_t { OKAY = 0, SLVERR = 2, DECERR = 3 };

class AxiMemory {
  public:
    std::vector<uint8_t> bytes;
    uint64_t read_beats = 0, write_beats = 0;

    AxiMemory(Model &model, const rs_core_options_t &options)
        : bytes(options.memory_bytes), model(model), top(*model.top), options(options), random(options.seed | 1) {
    }

    void set_error(uint64_t address, uint64_t count) {
        options.error_address = address;
        options.error_bytes = count;
    }

    // After so many more handshakes on a channel nothing is taken or answered any more, on any channel.
    void kill(uint32_t channel, uint64_t handshakes) {
        dead = handshakes == 0;
        dying = !dead;
        last_channel = channel;
        handshakes_left = handshakes;
    }

    // It goes on where it stopped.
    void revive() {
        dead = dying = false;
    }

    bool is_dead() const {
        return dead;
    }

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
        top.m_axi_arready = top.m_axi_awready = top.m_axi_wready = top.m_axi_rvalid = top.m_axi_bvalid = 0;
    }

    void drive() {
        read_credit = grow(read_credit);
        write_credit = grow(write_credit);
        top.m_axi_arready = reads.size() < options.outstanding && !pause();
        drive_write();
        if (!r_held && !dead && !reads.empty() && reads.front().ready_at <= model.cycles && read_credit >= BUS_BYTES && !pause()) {
            read_credit -= BUS_BYTES;
            r_held = true;
            offer(reads.front());
        }
        if (!b_held && !dead && !answers.empty() && answers.front().ready_at <= model.cycles && !pause()) {
            b_held = true;
            top.m_axi_bresp = answers.front().response;
            top.m_axi_bid = answers.front().id;
        }
        top.m_axi_rvalid = r_held;
        top.m_axi_bvalid = b_held;
        if (dead || in_reset) top.m_axi_arready = top.m_axi_awready = top.m_axi_wready = 0;
    }

    void sample() {
        if (in_reset) return;
        count_down();
        const Burst ar = {top.m_axi_araddr, top.m_axi_arlen + 1u, top.m_axi_arid, OKAY, model.cycles + latency()};
        if (announced("AR", top.m_axi_arvalid, top.m_axi_arready, top.m_axi_arburst, top.m_axi_arsize, ar, ar_held, ar_before)) {
            reads.push_back(ar);
        }
        if (r_held && top.m_axi_rready) {
            r_held = false;
            read_beats++;
            if (--reads.front().beats == 0) reads.pop_front();
        }
        const Burst aw = {top.m_axi_awaddr, top.m_axi_awlen + 1u, top.m_axi_awid, OKAY, 0};
        const bool new_write =
            announced("AW", top.m_axi_awvalid, top.m_axi_awready, top.m_axi_awburst, top.m_axi_awsize, aw, aw_held, aw_before);
        take_beat();
        if (new_write) writes.push_back(aw);
        for (; !writes.empty() && !beats.empty(); beats.pop_front()) write_beat(beats.front());
        rule(beats.size() <= (aw_held ? aw_before.beats : 0), "W", "data of a burst that is not on offer");
        if (b_held && top.m_axi_bready) {
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
    };

    struct Beat {
        uint8_t data[BUS_BYTES];
        uint64_t strobes;
        bool last;
    };

    Model &model;
    Vmodel &top;
    rs_core_options_t options;
    uint64_t random;
    uint64_t read_credit = 0, write_credit = 0;
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

    uint64_t latency() const {
        return options.latency ? options.latency : 1;
    }

    bool pause() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return (random >> 32) % 256 < options.stall;
    }

    // Bytes that may pass by now: a beat and what a cycle brings at most, so that no rest is lost.
    uint64_t grow(uint64_t credit) const {
        const uint64_t rate = options.bandwidth ? options.bandwidth : BUS_BYTES;
        return std::min(credit + rate, rate + BUS_BYTES - 1);
    }

    Response look(uint64_t address) const {
        if (address < options.memory_address || address - options.memory_address + BUS_BYTES > bytes.size()) return DECERR;
        return address + BUS_BYTES > options.error_address && address < options.error_address + options.error_bytes ? SLVERR : OKAY;
    }

    void offer(Burst &burst) {
        const Response response = look(burst.address);
        if (response == OKAY) {
            std::memcpy(&top.m_axi_rdata, &bytes[burst.address - options.memory_address], BUS_BYTES);
        } else {
            std::memset(&top.m_axi_rdata, 0xa5, BUS_BYTES);
        }
        burst.address += BUS_BYTES;
        top.m_axi_rresp = response;
        top.m_axi_rid = burst.id;
        top.m_axi_rlast = burst.beats == 1;
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
            top.m_axi_arvalid && top.m_axi_arready, r_held && top.m_axi_rready, top.m_axi_awvalid && top.m_axi_awready,
            top.m_axi_wvalid && top.m_axi_wready,   b_held && top.m_axi_bready,
        };
        if (!dying || !taken[last_channel] || --handshakes_left) return;
        dying = false;
        dead = true;
    }

    // AWREADY and WREADY. The core's valids do not depend on them, so a slave may look at the valids first.
    void drive_write() {
        const bool address = writes.size() + answers.size() < options.outstanding && !pause();
        const bool data = write_credit >= BUS_BYTES && !pause();
        switch (options.slave) {
        case RS_CORE_ADDRESS_FIRST:
            top.m_axi_awready = address;
            top.m_axi_wready = data && !writes.empty();
            break;
        case RS_CORE_ANY:
            top.m_axi_awready = address;
            top.m_axi_wready = data;
            break;
        case RS_CORE_TOGETHER:
            top.m_axi_wready = data && (middle || (address && top.m_axi_awvalid && top.m_axi_wvalid));
            top.m_axi_awready = top.m_axi_wready && !middle;
            break;
        default: // RS_CORE_DATA_FIRST
            top.m_axi_awready = address && whole > 0;
            top.m_axi_wready = data && whole == 0;
        }
    }

    void take_beat() {
        rule(!w_held || top.m_axi_wvalid, "W", "valid fell before ready came");
        if (!top.m_axi_wvalid) return;
        rule(!w_held || (std::memcmp(w_before, &top.m_axi_wdata, BUS_BYTES) == 0 && w_last_before == top.m_axi_wlast), "W",
             "a beat changed before it was accepted");
        std::memcpy(w_before, &top.m_axi_wdata, BUS_BYTES);
        w_last_before = top.m_axi_wlast;
        w_held = !top.m_axi_wready;
        if (w_held) return;
        beats.push_back({{}, static_cast<uint64_t>(top.m_axi_wstrb), w_last_before});
        std::memcpy(beats.back().data, w_before, BUS_BYTES);
        middle = !w_last_before;
        whole += w_last_before;
        write_beats++;
        write_credit -= BUS_BYTES;
    }

    // The next beat of the first burst that is announced.
    void write_beat(const Beat &beat) {
        Burst &burst = writes.front();
        rule((burst.beats == 1) == beat.last, "W", "last is not at the end of the burst");
        const Response response = look(burst.address);
        for (uint32_t i = 0; response == OKAY && i < BUS_BYTES; i++) {
            if (beat.strobes >> i & 1) bytes[burst.address - options.memory_address + i] = beat.data[i];
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

} // namespace rs

#endif
