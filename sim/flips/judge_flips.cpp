// SPDX-License-Identifier: Apache-2.0
// rs_issue: every single flip of every flip-flop that is public in the model, behind every instruction of a program and before each question, an
// instruction that may be refused there. What the flip lets through, and whether it is told (alert_o).
#include <cstring>

#include "flips.h"

namespace {

constexpr int RESET_CYCLES = 8, LIMIT = 64;
constexpr uint64_t MARKS = 7; // the last three bits of what rs_seal says

struct Ruling {
    uint32_t fault;
    uint64_t marks; // marks of the unit: an answer of PACK is kept, a part waits for it, a number is a round
    bool alert;
};

} // namespace

extern "C" {

struct rs_judge_counts_t {
    uint64_t flip_flops, states, questions, flips, judged, told, released; // flips with an alert; with a release and none
    uint64_t false_alerts, refused; // without a flip; instructions of the program
};

struct rs_judge : rs::Model {
    std::vector<rs::Register> all, judges;
    std::vector<uint64_t> released; // one per register of `judges`
    std::vector<uint8_t> passing; // one per register of `judges`
    const rs::Register *marks = nullptr;

    rs_judge() : Model(1) {
#define PORT(name, bits, is_output) \
    if (!is_output) std::memset(&top->name, 0, sizeof top->name);
#include "model.inc"
#undef PORT
        all = rs::registers(*this);
        top->load_room_i = 1;
        std::memset(&top->unit_release_i, 0xff, sizeof top->unit_release_i);
        top->pointer_i = 1 << 20;
        top->log_n_i = 11;
        begin();
    }

    // Inputs have settled before it.
    void cycle() {
        rise();
        settle();
    }

    void begin() {
        context->assertOn(false);
        top->rst_ni = 0;
        top->forget_i = top->hold_i = 1;
        for (int i = 0; i < RESET_CYCLES; i++) cycle();
        top->rst_ni = 1;
        top->forget_i = 0;
        top->clear_i = 1;
        cycle();
        top->clear_i = top->hold_i = 0;
        for (int i = 0; i < RESET_CYCLES; i++) cycle();
        context->assertOn(true);
    }

    const uint8_t *base() const { return reinterpret_cast<const uint8_t *>(top->rootp); }

    std::vector<uint8_t> state() const { return {base(), base() + sizeof *top->rootp}; }

    void restore(const std::vector<uint8_t> &from) { std::memcpy(static_cast<void *>(top->rootp), from.data(), from.size()); }

    void take(uint64_t word) {
        top->word_i = word;
        top->word_odd_i = __builtin_parityll(word);
        top->word_valid_i = 1;
        settle();
        cycle();
        top->word_valid_i = 0;
        settle();
    }

    uint64_t value(const rs::Register &of) const {
        uint64_t word = 0;
        std::memcpy(&word, of.data, std::min<size_t>(of.entry_bytes, 8));
        return word;
    }

    // From judge_q on. A told flip needs no verdict.
    Ruling ruling(bool alert) {
        Ruling found{0, value(*marks) & MARKS, alert || top->alert_o};
        if (found.alert) return found;
        cycle();
        found.alert = top->alert_o;
        found.fault = top->fault_o;
        return found;
    }

    static bool releases(const Ruling &before, const Ruling &now) {
        if (now.fault) return false;
        return before.fault || (before.marks & ~now.marks);
    }

    // Whether what the judges look up and say is as in this state.
    bool is_as(const std::vector<uint8_t> &in) const {
        for (size_t r = 0; r < judges.size(); r++) {
            const auto &at = judges[r];
            if (passing[r] && std::memcmp(at.data, in.data() + (at.data - base()), size_t(at.entries) * at.entry_bytes))
                return false;
        }
        return true;
    }

    // Which registers of the judge hold nothing for longer than a cycle.
    void find_passing() {
        const auto here = state();
        passing.assign(judges.size(), 0);
        for (size_t r = 0; r < judges.size(); r++) {
            restore(here);
            cycle();
            const auto before = state();
            restore(here);
            rs::flip(*this, judges[r], 0);
            cycle();
            passing[r] = !std::memcmp(judges[r].data, before.data() + (judges[r].data - base()), 1);
        }
        restore(here);
    }

    void count(size_t r, const Ruling &before, const Ruling &now, rs_judge_counts_t &counts) {
        counts.judged++;
        counts.told += now.alert;
        if (now.alert || !releases(before, now)) return;
        counts.released++;
        released[r]++;
    }

    // One question, in the state that is there. What holds nothing for longer than a cycle flips behind the look-up.
    void ask(uint64_t word, rs_judge_counts_t &counts) {
        take(word);
        const auto asked = state();
        bool alert = top->alert_o;
        cycle();
        const auto looked = state();
        const Ruling before = ruling(alert);
        counts.questions++;
        counts.false_alerts += before.alert;
        if (!before.fault && !before.marks) return; // nothing to let through
        for (size_t r = 0; r < judges.size(); r++) {
            for (uint64_t bit = 0; bit < judges[r].bits(); bit++) {
                restore(passing[r] ? looked : asked);
                rs::flip(*this, judges[r], bit);
                alert = top->alert_o;
                if (!passing[r]) {
                    cycle();
                    if (!alert && !top->alert_o && is_as(looked)) {
                        counts.judged++;
                        continue;
                    }
                }
                count(r, before, ruling(alert), counts);
            }
        }
    }

    bool run(uint64_t word) {
        take(word);
        for (int i = 0; i < LIMIT; i++) {
            if (top->fault_o) return false;
            if (top->word_ready_o) return true;
            cycle();
        }
        return false;
    }
};

rs_judge *rs_judge_open() { return new rs_judge; }

void rs_judge_close(rs_judge *judge) { delete judge; }

uint64_t rs_judge_registers(const rs_judge *judge) { return judge->all.size(); }

const char *rs_judge_register(const rs_judge *judge, uint64_t number) { return judge->all[number].name.c_str(); }

uint64_t rs_judge_register_bits(const rs_judge *judge, uint64_t number) { return judge->all[number].bits(); }

uint64_t rs_judge_released(const rs_judge *judge, uint64_t number) { return judge->released[number]; }

// chosen: numbers of the registers whose bits are flipped, each in each state. marks: of what rs_seal says. Of each state every `step`-th question is
// asked, others each time.
void rs_judge_flips(rs_judge *judge, const uint64_t *chosen, uint64_t count, uint64_t marks, const uint64_t *program,
                    uint64_t length, const uint64_t *questions, uint64_t question_count, uint64_t step, rs_judge_counts_t *counts) {
    judge->judges.clear();
    for (uint64_t i = 0; i < count; i++) judge->judges.push_back(judge->all[chosen[i]]);
    judge->released.assign(count, 0);
    judge->marks = &judge->all[marks];
    *counts = {};
    for (const auto &at : judge->judges) counts->flip_flops += at.bits();
    judge->begin();
    judge->find_passing();
    uint64_t turn = 0;
    for (uint64_t i = 0; i <= length; i++) {
        const auto here = judge->state();
        counts->states++;
        for (uint64_t k = turn++ % step; k < question_count; k += step) {
            judge->restore(here);
            judge->ask(questions[k], *counts);
        }
        judge->restore(here);
        if (i == length || judge->run(program[i])) continue;
        counts->refused++; // what is refused ends a program: here it is left out
        judge->restore(here);
    }
    counts->flips = counts->flip_flops * counts->states;
}

} // extern "C"
