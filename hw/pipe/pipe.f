// SPDX-License-Identifier: Apache-2.0
// pipe: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../sequencer/sequencer.f
-F ../axi/axi.f
-F ../stream/stream.f
rtl/rs_pipe_queue.sv
rtl/rs_pipe_turns.sv
rtl/rs_pipe_read.sv
rtl/rs_pipe_write.sv
rtl/rs_pipe_words.sv
rtl/rs_pipe_pack.sv
rtl/rs_pipe_tokens.sv
rtl/rs_pipe_keys.sv
rtl/rs_pipe_engine.sv
rtl/rs_pipe_unit.sv
