// SPDX-License-Identifier: Apache-2.0
// rs_vector_walk_proof: rs_vector_walk from rest, started once, for any legal log2 N: that it never reads and writes in one cycle,
//                       its own assertion, and that what it writes it has read before, by induction over time.
module rs_vector_walk_proof #(
    parameter int unsigned LogNMax  = 17,
    parameter int unsigned LogLanes = 2,
    parameter int unsigned WriteLag = 23
) (
    input logic clk_i,
    input logic [rs_ntt_pkg::LogNBits-1:0] log_n_i
);
  localparam int unsigned AddrBits = LogNMax - 2 - LogLanes;

  // the start is in the second cycle, which no induction step can repeat
  logic reset_done_q, started_q, read, write, half;
  logic [AddrBits-1:0] addr;
  logic [rs_ntt_pkg::LogNBits-1:0] log_n_q;
  logic [AddrBits+1:0] reads_q, writes_q;

  initial reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
    started_q    <= reset_done_q;
    log_n_q      <= log_n_i;
    reads_q      <= !reset_done_q ? '0 : reads_q + (AddrBits + 2)'(read);
    writes_q     <= !reset_done_q ? '0 : writes_q + (AddrBits + 2)'(write);
    assume (log_n_i == log_n_q);
    assume (32'(log_n_i) >= LogLanes + 4 && 32'(log_n_i) <= LogNMax);
    if (reset_done_q && started_q && write) assert ({addr, half} == writes_q[AddrBits:0]);
    if (reset_done_q && started_q && read) assert ({addr, half} == reads_q[AddrBits:0]);
  end

  rs_vector_walk #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .WriteLag(WriteLag)
  ) u_walk (
      .clk_i,
      .rst_ni (reset_done_q),
      .start_i(reset_done_q && !started_q),
      .log_n_i,
      .read_o (read),
      .write_o(write),
      .half_o (half),
      .addr_o (addr),
      .done_o ()
  );

endmodule
