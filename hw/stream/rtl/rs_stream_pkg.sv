// SPDX-License-Identifier: Apache-2.0
// rs_stream_pkg: sizes and latencies of the streaming transform (README.md).
// Bounds:  2, 4 or 8 lanes; N from 2^LogNMin to what is built, at most 2^LogNLimit
package rs_stream_pkg;

  /* verilator lint_off UNUSEDPARAM */
  parameter int unsigned LogNMin = 10;
  parameter int unsigned LogNLimit = 17;
  parameter int unsigned LogNBits = 5;  // bits of ports that carry log2 N

  // From a token at a commutator to the token that it pushes out.
  parameter int unsigned CommutatorLatency = 1;
  /* verilator lint_on UNUSEDPARAM */

  // ---- stages. One that is built: 0 .. log_n_max - 1. For a shorter transform the first behind those of the lanes are left out.
  // Which stage of a transform of 2^log_n a built stage does, if it is used.
  function automatic int unsigned stage_of(input int unsigned built, input int unsigned log_n_max, input int unsigned log_n,
                                           input int unsigned log_lanes);
    return built < log_lanes ? built : built + log_n - log_n_max;
  endfunction

  function automatic bit used(input int unsigned built, input int unsigned log_n_max, input int unsigned log_n,
                              input int unsigned log_lanes);
    return built < log_lanes || built + log_n >= log_n_max + log_lanes;
  endfunction

  // log2 of the rows of its commutator, for built >= log_lanes; and of the tokens that a set of its twiddles lasts, whatever log_n is.
  function automatic int unsigned log_rows(input int unsigned built, input int unsigned log_n_max);
    return log_n_max - 1 - built;
  endfunction

  // Whether its twiddles come through a port: those of stages 1 .. log_lanes - 2 are in the set of stage 0.
  function automatic bit has_set(input int unsigned built, input int unsigned log_lanes);
    return built == 0 || built + 1 >= log_lanes;
  endfunction

  // ---- latencies
  function automatic int unsigned butterfly_latency(input int unsigned w, input int unsigned word_bits = rs_pkg::WlmWordBits);
    return rs_pkg::modmul_latency(w, word_bits) + rs_pkg::AddSubLatency;
  endfunction

  // Tokens in all stages without the rows of their commutators: so many may still come out after the last one has entered.
  function automatic int unsigned in_flight(input int unsigned log_n, input int unsigned log_lanes, input int unsigned w,
                                            input int unsigned word_bits = rs_pkg::WlmWordBits);
    return log_n * butterfly_latency(w, word_bits) + (log_n - log_lanes) * CommutatorLatency;
  endfunction

  // From the first token of a transform to its first result, if a token enters in every cycle.
  function automatic int unsigned latency(input int unsigned log_n, input int unsigned log_lanes, input int unsigned w,
                                          input int unsigned word_bits = rs_pkg::WlmWordBits);
    return (1 << (log_n - log_lanes)) - 1 + in_flight(log_n, log_lanes, w, word_bits);
  endfunction

  // So many tokens of zeros overwrite all commutators in a wipe, whose stages that may be the first are entered at once. Rows that were
  // read ahead take two more.
  function automatic int unsigned wipe_tokens(input int unsigned log_n_max, input int unsigned log_lanes);
    return (1 << (log_n_max - log_lanes - (log_n_max > LogNMin ? 1 : 0))) + 2;
  endfunction

  // ---- twiddles
  // rs_stream_twiddles: from a set's turn to its first cycle at the port: row, memory, context, product, queue.
  function automatic int unsigned set_latency(input int unsigned w, input int unsigned word_bits = rs_pkg::WlmWordBits);
    return rs_pkg::modmul_latency(w, word_bits) + 4;
  endfunction

  // Sets, there or being made, of a stage whose sets last 2^log_tokens tokens. With so many none is late (README.md, "Never late").
  function automatic int unsigned set_depth(input int unsigned log_tokens, input int unsigned w,
                                            input int unsigned word_bits = rs_pkg::WlmWordBits);
    return 2 + rs_pkg::ceil_div(set_latency(w, word_bits) - 1, 1 << log_tokens);
  endfunction

endpackage
