// SPDX-License-Identifier: Apache-2.0
// A core of which tests can enter scan: core.cpp with the two ports for it.
#include "core.cpp"

extern "C" {

void rs_core_scan(rs_core_t *core, int on) { core->top->scan_mode_i = on != 0; }

int rs_core_scan_ready(rs_core_t *core) {
    core->settle();
    return core->top->scan_ready_o;
}

} // extern "C"
