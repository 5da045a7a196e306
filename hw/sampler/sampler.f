// SPDX-License-Identifier: Apache-2.0
// sampler: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../keccak/keccak.f
-F ../sequencer/sequencer.f
-F ../lane/lane.f
rtl/rs_sampler_pkg.sv
rtl/rs_cbd21.sv
rtl/rs_reduce_serial.sv
rtl/rs_reduce_steps.sv
rtl/rs_xof_public.sv
rtl/rs_sample_uniform.sv
rtl/rs_expand_unit.sv
rtl/rs_lift_small.sv
rtl/rs_lift_lane.sv
rtl/rs_fixed_word.sv
rtl/rs_turn_words.sv
rtl/rs_round_bit.sv
rtl/rs_lift_unit.sv
rtl/rs_sample_cbd.sv
rtl/rs_trits5.sv
rtl/rs_sample_ternary.sv
rtl/rs_stream_gear.sv
rtl/rs_piece_gear.sv
rtl/rs_xof_private.sv
rtl/rs_xof_fold.sv
rtl/rs_xof.sv
rtl/rs_sampler.sv
rtl/rs_sample_unit.sv
rtl/rs_slots.sv
