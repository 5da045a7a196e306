// SPDX-License-Identifier: Apache-2.0
// sampler: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../keccak/keccak.f
-F ../sequencer/sequencer.f
-F ../reduce/reduce.f
rtl/rs_cbd21.sv
rtl/rs_sample_uniform.sv
rtl/rs_expand_unit.sv
rtl/rs_sample_cbd.sv
rtl/rs_trits5.sv
rtl/rs_sample_ternary.sv
rtl/rs_sampler.sv
rtl/rs_sample_unit.sv
rtl/rs_slots.sv
