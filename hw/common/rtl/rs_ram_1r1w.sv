// SPDX-License-Identifier: Apache-2.0
// rs_ram_1r1w: a few words that are written through one port and read through another in the same cycle: look-up tables of an FPGA
//              used as memory, a register file elsewhere.
// Params:  Width, Depth (need not be a power of two; meant for at most 64)
// Bounds:  waddr_i < Depth whenever we_i
// Timing:  written when the clock rises; rdata_o is combinational and shows what was written in earlier cycles
module rs_ram_1r1w #(
    parameter  int unsigned Width     = 32,
    parameter  int unsigned Depth     = 16,
    localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
    input  logic                 clk_i,
    input  logic                 we_i,
    input  logic [AddrWidth-1:0] waddr_i,
    input  logic [    Width-1:0] wdata_i,
    input  logic [AddrWidth-1:0] raddr_i,
    output logic [    Width-1:0] rdata_o
);

  if (Width == 0 || Depth == 0) begin : gen_illegal
    $fatal(1, "%m: Width %0d and Depth %0d have to be positive", Width, Depth);
  end

  (* ram_style = "distributed" *)
  logic [Width-1:0] mem_q[Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
  end

  assign rdata_o = mem_q[raddr_i];

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (we_i)
      assert (32'(waddr_i) < Depth)
      else $error("%m: address %0d of %0d", waddr_i, Depth);
  end
`endif

endmodule
