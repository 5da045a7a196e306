// SPDX-License-Identifier: Apache-2.0
// rs_pipe_queue: the lines of one stream that are here, the oldest first.
// Model:   hw/pipe/tb/test_rs_pipe_dma.py, in rs_pipe_read and rs_pipe_write
// Params:  Depth: lines, at least 2; Width
// Bounds:  put_i not while count_o == Depth; take_i only while count_o != 0
// Timing:  a line in and a line out per cycle; a line shows in the cycle after put_i
//
// Rows keep lines that were taken until others come. wipe_i writes zeros over all of them, a row per cycle, while it is empty.
module rs_pipe_queue #(
    parameter  int unsigned Width     = 512,
    parameter  int unsigned Depth     = 4,
    localparam int unsigned CountBits = $clog2(Depth + 1)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 clear_i,  // empty from the next cycle on
    input  logic                 wipe_i,   // for Depth cycles at least
    input  logic                 put_i,
    input  logic [    Width-1:0] line_i,
    input  logic                 take_i,
    output logic [CountBits-1:0] count_o,
    output logic [    Width-1:0] line_o    // the oldest one
);
  localparam int unsigned PlaceBits = $clog2(Depth);

  if (Depth < 2) begin : gen_illegal
    $fatal(1, "%m: Depth %0d is below 2", Depth);
  end

  logic [CountBits-1:0] count_q;
  logic [PlaceBits-1:0] put_q, take_q, put_next, take_next;

  function automatic logic [PlaceBits-1:0] after(input logic [PlaceBits-1:0] place);
    return place == PlaceBits'(Depth - 1) ? '0 : place + 1'b1;
  endfunction
  assign put_next  = after(put_q);
  assign take_next = after(take_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) count_q <= '0;
    else count_q <= count_q + CountBits'(put_i) - CountBits'(take_i);
    // a wipe goes once round with both, which are equal while it is empty
    if (!rst_ni || (clear_i && !wipe_i)) begin
      put_q  <= '0;
      take_q <= '0;
    end else begin
      if (put_i || wipe_i) put_q <= put_next;
      if (take_i || wipe_i) take_q <= take_next;
    end
  end
  assign count_o = count_q;

  rs_ram_1r1w #(
      .Width(Width),
      .Depth(Depth)
  ) u_lines (
      .clk_i,
      .we_i   (put_i || wipe_i),
      .waddr_i(put_q),
      .wdata_i(wipe_i ? '0 : line_i),
      .raddr_i(take_q),
      .rdata_o(line_o)
  );
endmodule
