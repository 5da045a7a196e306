// SPDX-License-Identifier: Apache-2.0
// ntt: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../modmul/modmul.f
rtl/rs_ntt_pkg.sv
rtl/rs_ntt_twiddle_index.sv
rtl/rs_ntt_walk.sv
rtl/rs_ntt_addr.sv
rtl/rs_swap.sv
rtl/rs_ntt_reorder.sv
rtl/rs_twiddle_load.sv
rtl/rs_twiddle_network.sv
rtl/rs_twiddle_ring.sv
rtl/rs_twiddle_seed_index.sv
rtl/rs_twiddle_seeds.sv
rtl/rs_twiddles.sv
