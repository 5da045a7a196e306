// SPDX-License-Identifier: Apache-2.0
// fields: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../common/common.f
-F ../hash/hash.f
-F ../axi/axi.f
-F ../sequencer/sequencer.f
rtl/rs_field_pkg.sv
rtl/rs_field_gear.sv
rtl/rs_field_compact.sv
rtl/rs_parse_uniform.sv
rtl/rs_sample_small.sv
rtl/rs_seed_fields.sv
rtl/rs_turn_rows.sv
rtl/rs_signed_residue.sv
rtl/rs_load_fields.sv
rtl/rs_store_fields.sv
rtl/rs_sample_ball.sv
rtl/rs_key_slots.sv
rtl/rs_sponge_unit.sv
rtl/rs_turn_both.sv
rtl/rs_pack_unit.sv
