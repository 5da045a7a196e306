// SPDX-License-Identifier: Apache-2.0
// modmul: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../common/common.f
rtl/rs_csub.sv
rtl/rs_mul_tile.sv
rtl/rs_mul_add_tile.sv
rtl/rs_mul_carry_save.sv
rtl/rs_mul_row.sv
rtl/rs_mul_booth.sv
rtl/rs_mul.sv
rtl/rs_modmul_wlm_step.sv
rtl/rs_modmul_wlm_lean.sv
rtl/rs_modmul_wlm.sv
rtl/rs_modmul.sv
rtl/rs_modmul_taps.sv
