// SPDX-License-Identifier: Apache-2.0
// rs_ram_1rw1w: memory with a port that reads or writes and another one that writes, as block RAMs of FPGAs have them. For standard
//               cells nothing uses it: there all memories are rs_ram_1rw.
// Params:  Width, Depth (need not be a power of two)
// Bounds:  addr_i < Depth whenever req_i, waddr_i < Depth whenever write_i, and the two differ if both are there (asserted)
// Timing:  rdata_o is valid in the cycle after a read, and in the one behind that if the first port is not used in the meantime
module rs_ram_1rw1w #(
    parameter  int unsigned Width     = 32,
    parameter  int unsigned Depth     = 512,
    localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
    input  logic                 clk_i,
    input  logic                 req_i,    // access in this cycle
    input  logic                 we_i,     // which is a write
    input  logic [AddrWidth-1:0] addr_i,
    input  logic [    Width-1:0] wdata_i,
    output logic [    Width-1:0] rdata_o,
    input  logic                 write_i,  // the other port
    input  logic [AddrWidth-1:0] waddr_i,
    input  logic [    Width-1:0] data_i
);

  if (Width == 0 || Depth == 0) begin : gen_illegal
    $fatal(1, "%m: Width %0d and Depth %0d have to be positive", Width, Depth);
  end

  // no_rw_check: what is read at an address that the other port writes does not matter, and not all FPGAs say what that is
  (* ram_style = Depth >= rs_pkg::UltraRows ? "ultra" : "block", no_rw_check *)
  logic [Width-1:0] mem_q[Depth];

`ifndef SYNTHESIS
  logic held_q;  // rdata_o was read in the cycle before
`endif

  // Two processes, and none comes first: in one process the later write would win, and synthesis would add gates for that.
  always @(posedge clk_i) begin
    if (req_i) begin
      if (we_i) mem_q[addr_i] <= wdata_i;
      else rdata_o <= mem_q[addr_i];
    end
`ifndef SYNTHESIS
    held_q <= req_i && !we_i;
    if (req_i ? we_i : !held_q) rdata_o <= {Width{1'b1}} ^ rdata_o;
`endif
  end

  always @(posedge clk_i) begin
    if (write_i) mem_q[waddr_i] <= data_i;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (req_i)
      assert (32'(addr_i) < Depth)
      else $error("%m: address %0d of %0d", addr_i, Depth);
    if (write_i)
      assert (32'(waddr_i) < Depth)
      else $error("%m: address %0d of %0d", waddr_i, Depth);
    assert (!(req_i && write_i && addr_i == waddr_i))
    else $error("%m: both ports at address %0d", addr_i);
  end
`endif

endmodule
