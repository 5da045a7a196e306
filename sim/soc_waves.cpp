// SPDX-License-Identifier: Apache-2.0
// soc.cpp for a model that Verilator made with --trace-vcd, with what that needs at run time. Only runs whose waves are wanted are slowed down by it.
#define RS_WAVES
#include "soc.cpp"

#include "verilated_vcd_c.cpp"
