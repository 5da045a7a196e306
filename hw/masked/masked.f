// SPDX-License-Identifier: Apache-2.0
// masked: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../common/common.f
rtl/rs_dom_and.sv
rtl/rs_masked_add.sv
rtl/rs_masked_addmod.sv
rtl/rs_masked_a2b.sv
rtl/rs_masked_b2a.sv
rtl/rs_masked_compress.sv
rtl/rs_b2a_bit.sv
rtl/rs_masked_cbd.sv
rtl/rs_masked_differs.sv
rtl/rs_trivium.sv
rtl/rs_mask_source.sv
