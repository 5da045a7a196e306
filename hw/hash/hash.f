// SPDX-License-Identifier: Apache-2.0
// hash: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../keccak/keccak.f
rtl/rs_hash_pkg.sv
rtl/rs_sponge.sv
rtl/rs_sponge_fold.sv
