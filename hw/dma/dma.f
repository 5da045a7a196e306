// SPDX-License-Identifier: Apache-2.0
// dma: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../sequencer/sequencer.f
-F ../axi/axi.f
-F ../reduce/reduce.f
rtl/rs_dma_pkg.sv
rtl/rs_load_pkg.sv
rtl/rs_transpose.sv
rtl/rs_slot_walk.sv
rtl/rs_slot_number.sv
rtl/rs_load_slots.sv
rtl/rs_load_kind.sv
rtl/rs_load_beats.sv
rtl/rs_dma_load.sv
rtl/rs_store_slots.sv
rtl/rs_dma_store.sv
