// SPDX-License-Identifier: Apache-2.0
// See core.h.
#include "core.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "../lib/include/ringside/regs.h"
#include "axi_memory.h"
#include "model.h"
#include "verilated_syms.h"

namespace {

constexpr uint64_t REGISTER_CYCLES = 1000; // a register access that takes longer has failed
constexpr int RESET_CYCLES = 4;

enum class Answer { NONE, OKAY, REFUSED };

} // namespace

struct rs_core : rs::Model {
    rs_core_options_t options;
    rs::AxiMemory memory;
    std::vector<rs_core_job_t> jobs;
    std::vector<rs_core_event_t> events;
    rs_core_job_t job{};                         // the one that is running
    rs_core_event_t running[RS_CORE_UNITS] = {}; // instructions that have begun
    uint32_t busy_before = 0;
    std::string signals; // signals of the last rs_core_state
    bool starts = false; // the register write that is under way starts a program

    explicit rs_core(const rs_core_options_t &options) : Model(options.seed), options(options), memory(*this, options) {
        clear_inputs();
        top->rst_ni = 0;
    }

    void clear_inputs() {
        const auto reset = top->rst_ni;
#define PORT(name, bits, is_output) \
    if (!is_output) std::memset(&top->name, 0, sizeof top->name);
#include "model.inc"
#undef PORT
        top->rst_ni = reset;
    }

    ~rs_core() {
        volatile uint8_t *byte = memory.bytes.data(); // keys and messages: written even though nobody reads it
        for (size_t i = 0; i < memory.bytes.size(); i++) byte[i] = 0;
    }

    // Settled with the clock low: what the outputs are here is what the clock edge sees.
    void begin() {
        memory.drive();
        settle();
    }

    void end() {
        memory.sample();
        watch();
        rise();
    }

    void watch() {
        uint16_t pc[RS_CORE_UNITS] = {};
        std::memcpy(pc, &top->trace_pc_o, std::min(sizeof pc, sizeof top->trace_pc_o));
        const uint32_t busy = top->trace_busy_o;
        for (uint32_t unit = 0; unit < RS_CORE_UNITS; unit++) {
            const bool is = busy >> unit & 1, was = busy_before >> unit & 1;
            if (was && (!is || pc[unit] != running[unit].pc)) events.push_back(running[unit]);
            if (is && (!was || pc[unit] != running[unit].pc)) running[unit] = {cycles, cycles, unit, pc[unit]};
            if (is) running[unit].end = cycles;
            job.busy[unit] += is;
            job.active[unit] += top->trace_active_o >> unit & 1;
        }
        job.idle += busy == 0;
        job.overlap += (busy & (busy - 1)) != 0;
        busy_before = busy;
    }

    // A read that was issued, until it is answered. `ready` stays high if it is not: the answer may come late.
    Answer end_read(uint32_t *value) {
        for (uint64_t i = 0; i < REGISTER_CYCLES && !stopped; i++) {
            begin();
            const bool address_taken = top->s_axil_arready, done = top->s_axil_rvalid, refused = top->s_axil_rresp != rs::OKAY;
            *value = top->s_axil_rdata;
            end();
            if (address_taken) top->s_axil_arvalid = 0;
            if (!done) continue;
            top->s_axil_rready = 0;
            return refused || stopped ? Answer::REFUSED : Answer::OKAY;
        }
        return Answer::NONE;
    }

    Answer end_write() {
        for (uint64_t i = 0; i < REGISTER_CYCLES && !stopped; i++) {
            begin();
            const bool address_taken = top->s_axil_awready, data_taken = top->s_axil_wready;
            const bool done = top->s_axil_bvalid, refused = top->s_axil_bresp != rs::OKAY;
            const bool offered = top->s_axil_awvalid || top->s_axil_wvalid;
            end();
            if (address_taken) top->s_axil_awvalid = 0;
            if (data_taken) top->s_axil_wvalid = 0;
            if (starts && offered && !top->s_axil_awvalid && !top->s_axil_wvalid) begin_job();
            if (!done) continue;
            top->s_axil_bready = 0;
            return refused || stopped ? Answer::REFUSED : Answer::OKAY;
        }
        return Answer::NONE;
    }

    // An access that was given up still has to be answered: valid must not fall, and the next access must not take its answer.
    bool registers_are_free() {
        uint32_t late;
        if (top->s_axil_rready && end_read(&late) == Answer::NONE) return false;
        return !top->s_axil_bready || end_write() != Answer::NONE;
    }

    void begin_job() {
        job = {};
        job.start = cycles;
        job.read_beats = memory.read_beats;
        job.write_beats = memory.write_beats;
        job.first_event = events.size();
    }

    void end_job() {
        job.end = cycles;
        job.read_beats = memory.read_beats - job.read_beats;
        job.write_beats = memory.write_beats - job.write_beats;
        job.event_count = events.size() - job.first_event;
        jobs.push_back(job);
    }
};

extern "C" {

rs_core_t *rs_core_open(const rs_core_options_t *options) { return new rs_core(*options); }

void rs_core_close(rs_core_t *core) { delete core; }

void rs_core_reset(rs_core_t *core) {
    auto &top = *core->top;
    top.rst_ni = 0;
    top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_bready = top.s_axil_arvalid = top.s_axil_rready = 0;
    core->memory.reset();
    core->context->assertOn(false); // before the reset is done, registers hold anything
    for (int i = 0; i < RESET_CYCLES; i++) {
        core->settle();
        core->rise();
    }
    core->context->assertOn(true);
    top.rst_ni = 1;
    core->busy_before = 0;
}

uint8_t *rs_core_memory(rs_core_t *core) { return core->memory.bytes.data(); }

uint32_t rs_core_bus_bytes(void) { return rs::BUS_BYTES; }

uint32_t rs_core_ports(void) { return rs::PORTS; }

void rs_core_set_error(rs_core_t *core, uint64_t address, uint64_t bytes) { core->memory.set_error(address, bytes); }

void rs_core_kill_bus(rs_core_t *core, uint32_t channel, uint64_t handshakes) { core->memory.kill(channel, handshakes); }

void rs_core_revive_bus(rs_core_t *core) { core->memory.revive(); }

void rs_core_reset_bus(rs_core_t *core, int on) { core->memory.hold_in_reset(on); }

int rs_core_bus_is_dead(const rs_core_t *core) { return core->memory.is_dead(); }

uint64_t rs_core_look(rs_core_t *core, const char *path, uint64_t *not_zero) {
    uint64_t bytes = 0;
    *not_zero = 0;
    for (const auto &scope : *core->context->scopeNameMap()) {
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

uint64_t rs_core_state(rs_core_t *core, uint8_t *data, char **names) {
    core->clear_inputs();
    core->settle();
    std::map<std::string, const VerilatedVar *> signals;
    for (const auto &scope : *core->context->scopeNameMap()) {
        if (!scope.second->varsp()) continue;
        for (const auto &signal : *scope.second->varsp()) signals[std::string(scope.first) + "." + signal.first] = &signal.second;
    }
    uint64_t bytes = 0;
    core->signals.clear();
    for (const auto &signal : signals) {
        const size_t size = signal.second->totalSize();
        if (data) std::memcpy(data + bytes, signal.second->datap(), size);
        if (names) core->signals += signal.first + " " + std::to_string(size) + "\n";
        bytes += size;
    }
    if (names) *names = core->signals.data();
    return bytes;
}

int rs_core_read(void *state, uint32_t offset, uint32_t *value) {
    auto &core = *static_cast<rs_core *>(state);
    auto &top = *core.top;
    if (!core.registers_are_free()) return core.options.failed_status;
    top.s_axil_araddr = offset;
    top.s_axil_arvalid = top.s_axil_rready = 1;
    return core.end_read(value) == Answer::OKAY ? 0 : core.options.failed_status;
}

int rs_core_write(void *state, uint32_t offset, uint32_t value) {
    auto &core = *static_cast<rs_core *>(state);
    auto &top = *core.top;
    if (!core.registers_are_free()) return core.options.failed_status;
    top.s_axil_awaddr = offset;
    top.s_axil_wdata = value;
    top.s_axil_wstrb = 0xf;
    top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_bready = 1;
    core.starts = (offset == RS_REG_CONTROL && (value >> RS_REG_CONTROL_START_SHIFT & 1)) || offset == RS_REG_RING_TAIL;
    return core.end_write() == Answer::OKAY ? 0 : core.options.failed_status;
}

int rs_core_wait(void *state) {
    auto &core = *static_cast<rs_core *>(state);
    for (uint64_t i = 0; i < core.options.wait_cycles && !core.stopped; i++) {
        core.begin();
        const bool interrupt = core.top->irq_o;
        core.end();
        if (!interrupt) continue;
        core.end_job();
        return core.stopped ? core.options.failed_status : 0;
    }
    return core.stopped ? core.options.failed_status : core.options.timeout_status;
}

uint64_t rs_core_jobs(const rs_core_t *core, const rs_core_job_t **jobs) {
    *jobs = core->jobs.data();
    return core->jobs.size();
}

uint64_t rs_core_events(const rs_core_t *core, const rs_core_event_t **events) {
    *events = core->events.data();
    return core->events.size();
}

void rs_core_forget(rs_core_t *core) {
    core->jobs.clear();
    core->events.clear();
}

uint64_t rs_core_cycles(const rs_core_t *core) { return core->cycles; }

const char *rs_core_message(const rs_core_t *core) { return core->message.c_str(); }

int rs_core_stopped(const rs_core_t *core) { return core->stopped; }

} // extern "C"
