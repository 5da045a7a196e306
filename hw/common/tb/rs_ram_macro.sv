// SPDX-License-Identifier: Apache-2.0
// rs_ram_macro: what an integrator writes around a compiled memory, for simulation: rs_ram_1rw takes it with RS_RAM_MACRO. A real one chooses a macro
//               by Width and Depth.
// Params:  those of rs_ram_1rw
// Timing:  rdata_o is valid in the cycle after a read, and something else in any other
module rs_ram_macro #(
    parameter  int unsigned Width     = 32,
    parameter  int unsigned Depth     = 512,
    localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
    input  logic                 clk_i,
    input  logic                 req_i,
    input  logic                 we_i,
    input  logic [AddrWidth-1:0] addr_i,
    input  logic [    Width-1:0] wdata_i,
    output logic [    Width-1:0] rdata_o
);
  logic [Width-1:0] mem_q[Depth];
  logic [Width-1:0] word_q;
  logic read_q;

  always_ff @(posedge clk_i) begin
    read_q <= req_i && !we_i;
    if (req_i && we_i) mem_q[addr_i] <= wdata_i;
    if (req_i) word_q <= mem_q[addr_i];
  end
  assign rdata_o = read_q ? word_q : ~word_q;
endmodule
