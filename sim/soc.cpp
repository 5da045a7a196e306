// SPDX-License-Identifier: Apache-2.0
// A simulated SoC (soc/top/rs_soc.sv) as a program: a memory image in, the same memory out. py/ringside/soc/run.py is its only caller.
//
//   soc image=FILE out=FILE bytes=N address=A [latency=L] [stall=S] [seed=S] [limit=CYCLES]
//       [faults=BITS] [error=A] [error_bytes=N] [reset=CYCLE] [waves=FILE [waves_from=CYCLE] waves_cycles=N]
//
// faults: what of the core does not work (faults_i of rs_soc). error: RAM answers accesses to these bytes with SLVERR. reset: of everything but
// RAM's content, for as long as at the start. waves, only with soc_waves.cpp: a VCD file of so many cycles, from the one that is given or from
// the core's first read of RAM.
//
// stdout: what the firmware prints. stderr: `cycles N` from time to time, `waves FIRST LAST` when the file is whole, and at last
// `end CODE CYCLES` or `stopped CYCLES`, then what the model printed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "axi_memory.h"
#include "model.h"
#ifdef RS_WAVES
#include "verilated_vcd_c.h"
#endif

namespace {

constexpr int RESET_CYCLES = 64; // Rocket's reset takes some
#ifdef RS_GATES
constexpr uint64_t PROGRESS_CYCLES = 1 << 15;
#else
constexpr uint64_t PROGRESS_CYCLES = 1 << 20;
#endif

using Options = std::map<std::string, std::string>;

uint64_t number(const Options &options, const char *name, uint64_t otherwise) {
    const auto found = options.find(name);
    return found == options.end() ? otherwise : std::strtoull(found->second.c_str(), nullptr, 0);
}

bool read_file(const std::string &name, std::vector<uint8_t> &bytes) {
    std::FILE *file = std::fopen(name.c_str(), "rb");
    if (!file) return false;
    const size_t count = std::fread(bytes.data(), 1, bytes.size(), file);
    const bool whole = count > 0 && std::fgetc(file) == EOF && !std::ferror(file);
    std::fclose(file);
    return whole;
}

bool write_file(const std::string &name, const std::vector<uint8_t> &bytes) {
    std::FILE *file = std::fopen(name.c_str(), "wb");
    if (!file) return false;
    const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    return std::fclose(file) == 0 && whole;
}

#ifdef RS_WAVES
// A window of the run as a VCD file. A cycle is 2 ns: the clock rises in the middle of it.
class Waves {
  public:
    Waves(rs::Model &model, const Options &given)
        : model_(model), name_(given.count("waves") ? given.at("waves") : ""), from_(number(given, "waves_from", UINT64_MAX)),
          count_(number(given, "waves_cycles", 0)), wanted_(!name_.empty()) {
        model_.context->traceEverOn(true);
    }

    // Before the clock rises.
    void low() {
        const auto &top = *model_.top;
        // RAM sees in the last bit of an ID whose access it is (rs_soc_ram)
        const bool core_reads = top.m_axi_arvalid && top.m_axi_arid >> 4;
        if (wanted_ && (from_ == UINT64_MAX ? core_reads : model_.cycles >= from_)) open();
        if (file_.isOpen()) file_.dump(2 * model_.cycles);
    }

    // After it has risen.
    void high() {
        if (!file_.isOpen()) return;
        model_.top->CLOCK = 1; // as it was when the registers changed
        file_.dump(2 * model_.cycles - 1);
        model_.top->CLOCK = 0;
        if (model_.cycles - first_ >= count_) close(); // a reset in the middle takes cycles that are not written
    }

    void close() {
        if (!file_.isOpen()) return;
        file_.close();
        std::fprintf(stderr, "waves %llu %llu\n", static_cast<unsigned long long>(first_),
                     static_cast<unsigned long long>(model_.cycles - 1));
    }

  private:
    void open() {
        wanted_ = false;
        first_ = model_.cycles;
        file_.set_time_unit("1ns");
        file_.set_time_resolution("1ns");
        model_.enter();
        model_.top->trace(&file_, 99);
        file_.open(name_.c_str());
    }

    rs::Model &model_;
    VerilatedVcdC file_;
    std::string name_;
    uint64_t from_; // UINT64_MAX: the core's first read
    uint64_t count_;
    uint64_t first_ = 0;
    bool wanted_;
};
#else
struct Waves {
    Waves(rs::Model &, const Options &) {}
    void low() {}
    void high() {}
    void close() {}
};
#endif

#ifndef RS_GATES
struct Beside {
    Beside(const std::string &, const std::string &, uint64_t, uint64_t) {}
    void cycle(uint64_t) {}
    bool write() const { return true; }
};
#endif

} // namespace

extern "C" int rs_soc_main(int count, char **words) {
    Options given;
    for (int i = 1; i < count; i++) {
        const std::string word = words[i];
        const size_t equals = word.find('=');
        given[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
    }
    rs_core_options_t options{};
    options.memory_bytes = number(given, "bytes", 0);
    options.memory_address = number(given, "address", 0);
    options.latency = static_cast<uint32_t>(number(given, "latency", 20));
    options.stall = static_cast<uint32_t>(number(given, "stall", 0));
    options.seed = static_cast<uint32_t>(number(given, "seed", 1));
    options.outstanding = 16;
    options.error_address = number(given, "error", 0);
    options.error_bytes = number(given, "error_bytes", 0);
    const uint64_t again = number(given, "reset", UINT64_MAX);
    const uint64_t limit = number(given, "limit", UINT64_MAX);

    // before the model, whose probes look for it
    Beside beside(given["gates"], given["toggles"], number(given, "count_from", 0), number(given, "count_to", UINT64_MAX));
    rs::Model model(options.seed);
    rs::AxiMemory memory(model, options);
    Waves waves(model, given);
    auto &top = *model.top;
    if (!read_file(given["image"], memory.bytes)) {
        std::fprintf(stderr, "%s cannot be read, or is longer than the memory\n", given["image"].c_str());
        return 2;
    }
    top.faults_i = static_cast<uint8_t>(number(given, "faults", 0));
    const auto reset = [&] {
        memory.reset();
        top.rst_ni = 0;
        for (int i = 0; i < RESET_CYCLES; i++) {
            model.settle();
            model.rise();
        }
        top.rst_ni = 1;
    };
    reset();
    bool reset_left = true;
    bool ended = false;
    uint32_t code = 0;
    while (!ended && !model.stopped && model.cycles < limit) {
        if (reset_left && model.cycles >= again) {
            reset_left = false;
            reset();
        }
        memory.drive();
        model.settle();
        if (top.console_valid_o) {
            std::putchar(top.console_o);
            std::fflush(stdout);
        }
        ended = top.end_valid_o;
        code = top.end_o;
        memory.sample();
        beside.cycle(model.cycles);
        waves.low();
        model.rise();
        waves.high();
        if (model.cycles % PROGRESS_CYCLES == 0)
            std::fprintf(stderr, "cycles %llu\n", static_cast<unsigned long long>(model.cycles));
    }
    waves.close();
    if (ended) {
        std::fprintf(stderr, "end %u %llu\n", code, static_cast<unsigned long long>(model.cycles));
    } else {
        std::fprintf(stderr, "stopped %llu\n%s\n", static_cast<unsigned long long>(model.cycles), model.message.c_str());
    }
    if (!beside.write()) {
        std::fprintf(stderr, "%s cannot be written\n", given["toggles"].c_str());
        return 2;
    }
    if (!write_file(given["out"], memory.bytes)) {
        std::fprintf(stderr, "%s cannot be written\n", given["out"].c_str());
        return 2;
    }
    return 0;
}
