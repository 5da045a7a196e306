// SPDX-License-Identifier: Apache-2.0
// rs_ntt_addr_proof: rs_ntt_addr from any state in which nothing is under way, started once, for any legal log2 N and
//                    direction. Its own assertions and those of rs_ntt_walk are what is proved, by induction over time.
module rs_ntt_addr_proof #(
    parameter int unsigned LogNMax        = 17,
    parameter int unsigned LogLanes       = 2,
    parameter int unsigned WriteLag       = 25,
    parameter int unsigned TwiddleLatency = 2,
    parameter bit          Encode         = 1'b0,  // FFT and IFFT
    parameter bit          Parted         = 1'b0,  // with Encode: INTT, whole or a part of it
    parameter bit          Sliced         = 1'b0   // for any number of slices that fit
) (
    input logic clk_i,
    input logic inverse_i,
    input logic [rs_ntt_pkg::LogNBits-1:0] log_n_i,
    input logic [rs_ntt_pkg::SliceBits-1:0] slices_i,
    input logic [1:0] part_i
);

  // the start is in the second cycle, which no induction step can repeat
  logic reset_done_q, started_q, inverse_q;
  logic [rs_ntt_pkg::LogNBits-1:0] log_n_q;
  logic [1:0] part_q;
  logic [rs_ntt_pkg::SliceBits-1:0] slices_q;

  initial reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
    started_q    <= reset_done_q;
    inverse_q    <= inverse_i;
    log_n_q      <= log_n_i;
    part_q       <= part_i;
    slices_q     <= slices_i;
    assume (slices_i == slices_q && (Sliced ? 32'(slices_i) < 1 << (5'(LogNMax) - log_n_i) : slices_i == '0));
    assume (inverse_i == inverse_q && log_n_i == log_n_q && part_i == part_q);
    assume (Parted ? inverse_i : part_i == '0);
    assume (32'(log_n_i) >= LogLanes + (Sliced ? 3 : 4) && 32'(log_n_i) <= LogNMax);
  end

  rs_ntt_addr #(
      .LogNMax       (LogNMax),
      .LogLanes      (LogLanes),
      .WriteLag      (WriteLag),
      .TwiddleLatency(TwiddleLatency),
      .Encode        (Encode),
      .Sliced        (Sliced)
  ) u_addr (
      .clk_i,
      .rst_ni (reset_done_q),
      .start_i(reset_done_q && !started_q),
      .inverse_i,
      .fft_i  (Encode && !Parted),
      .log_n_i,
      .slices_i,
      .part_i
  );

endmodule
