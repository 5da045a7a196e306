// SPDX-License-Identifier: Apache-2.0
// sequencer: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../common/common.f
rtl/rs_isa_pkg.sv
rtl/rs_slice_spans.sv
rtl/rs_field_decode.sv
rtl/rs_decode.sv
rtl/rs_fetch.sv
rtl/rs_scoreboard.sv
rtl/rs_tags.sv
rtl/rs_seal_sign.sv
rtl/rs_seal.sv
rtl/rs_issue.sv
rtl/rs_sequencer.sv
