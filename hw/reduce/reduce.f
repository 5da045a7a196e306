// SPDX-License-Identifier: Apache-2.0
// reduce: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../axi/axi.f
-F ../modmul/modmul.f
rtl/rs_reduce_word.sv
rtl/rs_reduce_serial.sv
rtl/rs_reduce_steps.sv
rtl/rs_reduce_stream.sv
