// SPDX-License-Identifier: Apache-2.0
// memory: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../ntt/ntt.f
rtl/rs_bank_group.sv
rtl/rs_chunk_place.sv
rtl/rs_poly_memory.sv
