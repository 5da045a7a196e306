// SPDX-License-Identifier: Apache-2.0
// dma: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../sequencer/sequencer.f
-F ../modmul/modmul.f
rtl/rs_dma_pkg.sv
rtl/rs_axi_address.sv
rtl/rs_axi_read.sv
rtl/rs_axi_write.sv
rtl/rs_unpack.sv
rtl/rs_transpose.sv
rtl/rs_reduce_stream.sv
rtl/rs_slot_walk.sv
rtl/rs_slot_number.sv
rtl/rs_load_slots.sv
rtl/rs_dma_load.sv
rtl/rs_pack.sv
rtl/rs_store_slots.sv
rtl/rs_dma_store.sv
rtl/rs_bus_guard.sv
rtl/rs_axi_lines.sv
rtl/rs_axi_share.sv
