// SPDX-License-Identifier: Apache-2.0
// See model.h.
#include "model.h"

#include <cstdarg>
#include <cstdio>

namespace {

constexpr size_t MESSAGE_BYTES = 1 << 16;
thread_local rs::Verdict *evaluated;

} // namespace

void rs::Verdict::enter() { evaluated = this; }

void rs::Verdict::leave() { evaluated = nullptr; }

void rs::Verdict::fail(const std::string &text) {
    stopped = true;
    if (message.size() < MESSAGE_BYTES) message += text + "\n";
}

extern "C" int rs_sim_print(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (evaluated && evaluated->message.size() < MESSAGE_BYTES) evaluated->message += text;
    return length;
}

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
