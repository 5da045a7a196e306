// SPDX-License-Identifier: Apache-2.0
// lift: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../sequencer/sequencer.f
rtl/rs_lift_small.sv
rtl/rs_lift_lane.sv
rtl/rs_lift_onto.sv
rtl/rs_fixed_word.sv
rtl/rs_turn_words.sv
rtl/rs_round_bit.sv
rtl/rs_lift_unit.sv
