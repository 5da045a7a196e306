// SPDX-License-Identifier: Apache-2.0
// common: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
rtl/rs_pkg.sv
rtl/rs_delay.sv
rtl/rs_delay_en.sv
rtl/rs_checked.sv
rtl/rs_tap.sv
rtl/rs_ram_1rw.sv
rtl/rs_ram_2rw.sv
rtl/rs_ram_1r1w.sv
rtl/rs_next_reversed.sv
rtl/rs_shift_round.sv
