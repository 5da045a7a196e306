// SPDX-License-Identifier: Apache-2.0
// rs_stream_queue: rows that come whenever they like, and go when they are taken, in a memory with one port: two rows in each of its words.
// Params:  Width; Rows, even
// Bounds:  at most Rows rows are in it (asserted). A row shows when the one after it has come, too: rows come in even numbers
// Timing:  a row in and a row out per cycle; valid_o four cycles after the second row of a pair or later
module rs_stream_queue #(
    parameter int unsigned Width = 64,
    parameter int unsigned Rows  = 64
) (
    input  logic             clk_i,
    input  logic             clear_i,
    input  logic             push_i,
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    output logic [Width-1:0] data_o,
    input  logic             pop_i
);

  localparam int unsigned Pairs = Rows / 2;
  localparam int unsigned AddrBits = Pairs > 1 ? $clog2(Pairs) : 1;
  localparam int unsigned CountBits = $clog2(Pairs + 1);

  if (Rows < 4 || Rows % 2 != 0) begin : gen_illegal
    $fatal(1, "%m: Rows %0d is odd or below 4", Rows);
  end

  // A pair is written in every second cycle at most, and read in another one. Two pairs wait in registers.
  logic half_q, write, read, read_q, odd_q;
  logic [Width-1:0] first_q;
  logic [AddrBits-1:0] write_q, next_q;
  logic [CountBits-1:0] pairs_q;  // in memory
  logic [1:0] ahead_q;  // read or being read, and not taken
  logic [1:0] ready_q;  // in registers
  logic [1:0][1:0][Width-1:0] pair_q;
  logic put_q, take_q;  // which register
  logic [2*Width-1:0] got;
  logic taken;

  assign write = push_i && half_q;
  assign taken = pop_i && odd_q;
  assign read = !write && pairs_q != '0 && (ahead_q != 2'd2 || taken);
  assign valid_o = ready_q != '0;
  assign data_o = pair_q[take_q][odd_q];

  rs_ram_1rw #(
      .Width(2 * Width),
      .Depth(Pairs)
  ) u_pairs (
      .clk_i,
      .req_i  ((write || read) && !clear_i),
      .we_i   (write),
      .addr_i (write ? write_q : next_q),
      .wdata_i({data_i, first_q}),
      .rdata_o(got)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      half_q  <= 1'b0;
      write_q <= '0;
      next_q  <= '0;
      pairs_q <= '0;
      read_q  <= 1'b0;
      ahead_q <= '0;
      ready_q <= '0;
      put_q   <= 1'b0;
      take_q  <= 1'b0;
      odd_q   <= 1'b0;
    end else begin
      half_q  <= half_q ^ push_i;
      read_q  <= read;
      pairs_q <= pairs_q + CountBits'(write) - CountBits'(read);
      ahead_q <= ahead_q + 2'(read) - 2'(taken);
      ready_q <= ready_q + 2'(read_q) - 2'(taken);
      put_q   <= put_q ^ read_q;
      take_q  <= take_q ^ taken;
      odd_q   <= odd_q ^ pop_i;
      if (write) write_q <= write_q == AddrBits'(Pairs - 1) ? '0 : write_q + 1'b1;
      if (read) next_q <= next_q == AddrBits'(Pairs - 1) ? '0 : next_q + 1'b1;
    end
    if (push_i) first_q <= data_i;
    if (read_q) pair_q[put_q] <= got;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!clear_i) begin
      assert (!write || read || pairs_q != CountBits'(Pairs))
      else $error("%m: a row too many");
      assert (!pop_i || valid_o)
      else $error("%m: nothing to take");
    end
  end
`endif

endmodule
