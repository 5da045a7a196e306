// SPDX-License-Identifier: Apache-2.0
// compute: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../sequencer/sequencer.f
-F ../lane/lane.f
-F ../ntt/ntt.f
rtl/rs_vector_walk.sv
rtl/rs_compute.sv
