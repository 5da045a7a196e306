// SPDX-License-Identifier: Apache-2.0
// stream: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../lift/lift.f
-F ../lane/lane.f
rtl/rs_stream_pkg.sv
rtl/rs_stream_delay.sv
rtl/rs_stream_commutator.sv
rtl/rs_stream_butterfly.sv
rtl/rs_stream_ntt.sv
rtl/rs_stream_modmul.sv
rtl/rs_stream_tables.sv
rtl/rs_stream_table_load.sv
rtl/rs_stream_sets.sv
rtl/rs_stream_twiddles.sv
rtl/rs_stream_queue.sv
rtl/rs_stream_sum.sv
rtl/rs_stream_unit.sv
