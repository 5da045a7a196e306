// SPDX-License-Identifier: Apache-2.0
// rs_vector_walk_proof: rs_vector_walk from rest, started once, for any legal log2 N: that it never reads and writes in one cycle,
//                       its own assertion, that what it writes it has read before, by induction over time, and the order: rows
//                       count up, or with Streamed they are those of a stream's chunks, which come when they like.
module rs_vector_walk_proof #(
    parameter int unsigned LogNMax  = 17,
    parameter int unsigned LogLanes = 2,
    parameter int unsigned WriteLag = 23,
    parameter bit          Streamed = 1'b0
) (
    input logic clk_i,
    input logic [rs_ntt_pkg::LogNBits-1:0] log_n_i,
    input logic stream_valid_i
);
  localparam int unsigned AddrBits = LogNMax - 2 - LogLanes;

  // the start is in the second cycle, which no induction step can repeat
  logic reset_done_q, started_q, read, write, half, ready;
  logic [AddrBits-1:0] addr;
  logic [rs_ntt_pkg::LogNBits-1:0] log_n_q;
  logic [AddrBits+1:0] reads_q, writes_q;

  // in NTT form chunk k is at the positions from 2 brv(k) on: docs/core.md, "Order of coefficients"
  function automatic logic [AddrBits:0] place(input logic [AddrBits:0] k);
    logic [rs_ntt_pkg::LogNLimit-1:0] chunk, row;
    logic [rs_ntt_pkg::LogNBits-1:0] bits;
    bits  = log_n_q - 2;
    chunk = rs_ntt_pkg::LogNLimit'(k) & ~({rs_ntt_pkg::LogNLimit{1'b1}} << (log_n_q - 1'b1));
    chunk = rs_ntt_pkg::reverse(chunk, log_n_q - 1'b1);
    row   = rs_ntt_pkg::rotate(chunk >> 1, 2, bits);
    return Streamed ? {row[AddrBits-1:0], chunk[0]} : k;
  endfunction

  initial reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
    started_q    <= reset_done_q;
    log_n_q      <= log_n_i;
    reads_q      <= !reset_done_q ? '0 : reads_q + (AddrBits + 2)'(read);
    writes_q     <= !reset_done_q ? '0 : writes_q + (AddrBits + 2)'(write);
    assume (log_n_i == log_n_q);
    assume (32'(log_n_i) >= LogLanes + 4 + 32'(Streamed) && 32'(log_n_i) <= LogNMax);
    if (reset_done_q && started_q && write) assert ({addr, half} == place(writes_q[AddrBits:0]));
    if (reset_done_q && started_q && read) assert ({addr, half} == place(reads_q[AddrBits:0]));
    if (Streamed && reset_done_q && started_q && read) assert (ready && stream_valid_i);
    // what induction needs to know: a stream may keep it waiting for ever
    if (Streamed && reset_done_q && started_q) begin
      assert (u_walk.last_q == (AddrBits + 1)'(~({rs_ntt_pkg::LogNLimit{1'b1}} << (log_n_q - 1'b1))));
      assert (u_walk.read_q == place(reads_q[AddrBits:0]) && u_walk.write_q == place(writes_q[AddrBits:0]));
    end
  end

  rs_vector_walk #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .WriteLag(WriteLag),
      .Streamed(Streamed)
  ) u_walk (
      .clk_i,
      .rst_ni(reset_done_q),
      .start_i(reset_done_q && !started_q),
      .log_n_i,
      .stream_i(Streamed),
      .stream_valid_i,
      .stream_ready_o(ready),
      .read_o(read),
      .write_o(write),
      .half_o(half),
      .addr_o(addr),
      .end_o()
  );

endmodule
