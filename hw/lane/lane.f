// SPDX-License-Identifier: Apache-2.0
// lane: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../modmul/modmul.f
rtl/rs_addsub_mod.sv
rtl/rs_half_diff.sv
rtl/rs_lane.sv
