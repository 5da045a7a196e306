// SPDX-License-Identifier: Apache-2.0
// rs_swap: two streams of words; exchanges the bit that tells the streams apart with bit log2(Cycles) of time.
//          In: a = a_0 a_1, b = b_0 b_1 (runs of Cycles words). Out: a = a_0 b_0, b = a_1 b_1.
// Params:  W, Cycles (length of a run)
// Timing:  Cycles of latency, with a combinational path; second_i tells that the words at the input are of the runs a_1, b_1,
//          and held at 0 makes this a delay; words move in cycles with en_i only, which is what Cycles counts
module rs_swap #(
    parameter int unsigned W      = 32,
    parameter int unsigned Cycles = 1
) (
    input  logic         clk_i,
    input  logic         en_i,
    input  logic         second_i,
    input  logic [W-1:0] a_i,
    input  logic [W-1:0] b_i,
    output logic [W-1:0] a_o,
    output logic [W-1:0] b_o
);

  logic [W-1:0] b_late, a_early;

  rs_delay_en #(
      .Width (W),
      .Cycles(Cycles)
  ) u_before (
      .clk_i,
      .en_i,
      .data_i(b_i),
      .data_o(b_late)
  );

  assign a_early = second_i ? b_late : a_i;
  assign b_o     = second_i ? a_i : b_late;

  rs_delay_en #(
      .Width (W),
      .Cycles(Cycles)
  ) u_after (
      .clk_i,
      .en_i,
      .data_i(a_early),
      .data_o(a_o)
  );

endmodule
