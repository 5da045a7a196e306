// SPDX-License-Identifier: Apache-2.0
// keccak: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../common/common.f
rtl/rs_keccak_chi.sv
rtl/rs_keccak_round.sv
rtl/rs_keccak.sv
rtl/rs_keccak_fold.sv
rtl/rs_xof_pkg.sv
rtl/rs_xof_public.sv
rtl/rs_xof_private.sv
rtl/rs_xof_fold.sv
rtl/rs_xof.sv
rtl/rs_stream_gear.sv
rtl/rs_piece_gear.sv
