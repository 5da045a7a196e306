// SPDX-License-Identifier: Apache-2.0
// rs_stream_sets: the sets of twiddles of one stage that are there or being made.
// Params:  Width of a set; Depth: rs_stream_pkg::set_depth, with which no set is late (README.md)
// Bounds:  make_i only if room_o; write_i for each make_i, later and in order; take_i only if valid_o
// Timing:  a set that is written shows in the next cycle; one that is taken makes room in the next cycle
module rs_stream_sets #(
    parameter int unsigned Width = 32,
    parameter int unsigned Depth = 4
) (
    input  logic             clk_i,
    input  logic             clear_i,  // also what is under way
    output logic             room_o,
    input  logic             make_i,   // one is under way from now on
    input  logic             write_i,
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    output logic [Width-1:0] data_o,
    input  logic             take_i
);

  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned AddrBits = Depth > 1 ? $clog2(Depth) : 1;

  if (Depth < 2) begin : gen_illegal
    $fatal(1, "%m: Depth %0d is below 2", Depth);
  end

  logic [CountBits-1:0] made_q, there_q;  // there or under way; there
  logic [AddrBits-1:0] write_q, read_q;
  logic room_q, valid_q;

  assign room_o  = room_q;
  assign valid_o = valid_q;

  rs_ram_1r1w #(
      .Width(Width),
      .Depth(Depth)
  ) u_sets (
      .clk_i,
      .we_i   (write_i && !clear_i),
      .waddr_i(write_q),
      .wdata_i(data_i),
      .raddr_i(read_q),
      .rdata_o(data_o)
  );

  // a count, and what it is compared with in the next cycle
  logic [CountBits-1:0] made_d, there_d;
  assign made_d  = made_q + CountBits'(make_i) - CountBits'(take_i);
  assign there_d = there_q + CountBits'(write_i) - CountBits'(take_i);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      made_q  <= '0;
      there_q <= '0;
      write_q <= '0;
      read_q  <= '0;
      room_q  <= 1'b1;
      valid_q <= 1'b0;
    end else begin
      made_q  <= made_d;
      there_q <= there_d;
      room_q  <= made_d != CountBits'(Depth);
      valid_q <= there_d != '0;
      if (write_i) write_q <= write_q == AddrBits'(Depth - 1) ? '0 : write_q + 1'b1;
      if (take_i) read_q <= read_q == AddrBits'(Depth - 1) ? '0 : read_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!clear_i) begin
      assert (!make_i || room_q)
      else $error("%m: no room for a set");
      assert (!write_i || there_q != made_q)
      else $error("%m: a set that nothing has asked for");
      assert (!take_i || valid_q)
      else $error("%m: a set is late");
    end
  end
`endif

endmodule
