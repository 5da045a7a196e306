// SPDX-License-Identifier: Apache-2.0
// axi: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../common/common.f
rtl/rs_axi_pkg.sv
rtl/rs_axi_address.sv
rtl/rs_axi_read.sv
rtl/rs_axi_write.sv
rtl/rs_unpack.sv
rtl/rs_pack.sv
rtl/rs_bus_guard.sv
rtl/rs_axi_lines.sv
rtl/rs_axi_share.sv
rtl/rs_axi_vault.sv
rtl/rs_lite_master.sv
rtl/rs_apb_lite.sv
rtl/rs_tlul_lite.sv
