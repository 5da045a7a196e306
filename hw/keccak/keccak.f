// SPDX-License-Identifier: Apache-2.0
// keccak: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
rtl/rs_keccak_chi.sv
rtl/rs_keccak_round.sv
rtl/rs_keccak.sv
rtl/rs_keccak_fold.sv
