// SPDX-License-Identifier: Apache-2.0
// soc.cpp with netlists of gates beside a processor that has probes (gates.cpp). py/ringside/synth/asic/processor_energy.py has the other side.
// More options: gates=FILE toggles=FILE [count_from=CYCLE] [count_to=CYCLE].
//
// gates: arrays, each behind its length in bytes (8 bytes): the probes' paths, one a line; their widths; then of each netlist what
// rs_gates_add takes (nets, tables, numbers of inputs, inputs, outputs, delays, next states, states, gates of clocks, enables, held, clocks,
// inputs, outputs). An empty array ends them; then come pairs of taps, for rs_gates_watch.
// toggles: cycles that were counted, mismatches of each netlist, toggles of each netlist's nets, what was watched: words of 8 bytes.
#define RS_GATES
#include "gates.cpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace {

constexpr const char *SHORT = "the file of gates is too short";

[[noreturn]] void give_up(const std::string &why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(2);
}

class GatesFile {
  public:
    explicit GatesFile(const std::string &name) {
        std::ifstream file(name, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(file), {});
    }

    template <class T> std::vector<T> array() {
        uint64_t length = 0;
        take(&length, sizeof length);
        if (length > bytes_.size() - at_ || length % sizeof(T)) give_up(SHORT);
        std::vector<T> found(length / sizeof(T));
        take(found.data(), length);
        return found;
    }

  private:
    void take(void *to, uint64_t length) {
        if (length > bytes_.size() - at_) give_up(SHORT);
        if (length) std::memcpy(to, bytes_.data() + at_, length);
        at_ += length;
    }

    std::vector<char> bytes_;
    size_t at_ = 0;
};

// What soc.cpp calls.
class Beside {
  public:
    Beside(const std::string &gates, const std::string &toggles, uint64_t from, uint64_t to)
        : toggles_(toggles), from_(from), to_(to) {
        GatesFile file(gates);
        const auto text = file.array<char>();
        const auto widths = file.array<int32_t>();
        std::istringstream lines(std::string(text.begin(), text.end()));
        std::string path;
        for (const int32_t width : widths) {
            std::getline(lines, path);
            rs_gates_expect(path.c_str(), width);
        }
        for (auto nets = file.array<int32_t>(); !nets.empty(); nets = file.array<int32_t>()) {
            const auto tables = file.array<uint64_t>();
            std::vector<int32_t>
                of[10]; // inputs by gate, inputs, outputs, delays, next states, states, gates of clocks, enables, held, clocks
            for (auto &array : of) array = file.array<int32_t>();
            const auto ins = file.array<Tap>(), outs = file.array<Tap>();
            rs_gates_add(nets[0], int(tables.size()), tables.data(), of[0].data(), of[1].data(), of[2].data(), of[3].data(),
                         int(of[4].size()), of[4].data(), of[5].data(), of[6].data(), int(of[7].size()), of[7].data(), of[8].data(),
                         of[9].data(), int(ins.size()), ins.data(), int(outs.size()), outs.data());
            nets_.push_back(nets[0]);
        }
        const auto watched = file.array<Tap>();
        for (size_t i = 0; i + 1 < watched.size(); i += 2) rs_gates_watch(watched[i], watched[i + 1]);
        watched_ = int(watched.size() / 2);
    }

    // Before the clock rises.
    void cycle(uint64_t number) {
        if (!looked_) {
            if (const char *path = rs_gates_missing()) give_up(std::string("no probe of that width at ") + path);
            looked_ = true;
        }
        rs_gates_count(number >= from_ && number < to_);
    }

    bool write() const {
        std::vector<uint64_t> words{rs_gates_cycles()};
        for (size_t i = 0; i < nets_.size(); i++) words.push_back(rs_gates_mismatches(int(i)));
        for (size_t i = 0; i < nets_.size(); i++) {
            std::vector<uint64_t> toggles(nets_[i]);
            rs_gates_toggles(int(i), toggles.data());
            words.insert(words.end(), toggles.begin(), toggles.end());
        }
        for (int i = 0; i < watched_; i++) words.push_back(rs_gates_watched(i));
        std::ofstream file(toggles_, std::ios::binary);
        file.write(reinterpret_cast<const char *>(words.data()), std::streamsize(8 * words.size()));
        return bool(file.flush());
    }

  private:
    std::string toggles_;
    uint64_t from_, to_;
    std::vector<int32_t> nets_;
    int watched_ = 0;
    bool looked_ = false;
};

} // namespace

#include "soc.cpp"
