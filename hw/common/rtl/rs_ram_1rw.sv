// SPDX-License-Identifier: Apache-2.0
// rs_ram_1rw: single-port memory, the only one that blocks may use. With RS_RAM_MACRO it is the integrator's module rs_ram_macro, which has
//             these parameters and ports and the timing below (docs/integration.md).
// Params:  Width, Depth (need not be a power of two)
// Bounds:  addr_i < Depth whenever req_i
// Timing:  rdata_o is valid in the cycle after a read, and only there: no block may rely on its being held, or on
//          its value after a write. In simulation it is scrambled in both cases.
module rs_ram_1rw #(
    parameter  int unsigned Width     = 32,
    parameter  int unsigned Depth     = 512,
    localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
    input  logic                 clk_i,
    input  logic                 req_i,    // access in this cycle
    input  logic                 we_i,     // which is a write
    input  logic [AddrWidth-1:0] addr_i,
    input  logic [    Width-1:0] wdata_i,
    output logic [    Width-1:0] rdata_o
);

  if (Width == 0 || Depth == 0) begin : gen_illegal
    $fatal(1, "%m: Width %0d and Depth %0d have to be positive", Width, Depth);
  end

  (* ram_style = Depth >= rs_pkg::UltraRows ? "ultra" : "block" *)
  logic [Width-1:0] mem_q[Depth];

  if (rs_pkg::RamMacro) begin : gen_macro
    rs_ram_macro #(
        .Width(Width),
        .Depth(Depth)
    ) u_macro (
        .clk_i,
        .req_i,
        .we_i,
        .addr_i,
        .wdata_i,
        .rdata_o
    );
  end else begin : gen_cells
    always_ff @(posedge clk_i) begin
      if (req_i) begin
        if (we_i) mem_q[addr_i] <= wdata_i;
        else rdata_o <= mem_q[addr_i];
      end
`ifndef SYNTHESIS
      if (!req_i || we_i) rdata_o <= {Width{1'b1}} ^ rdata_o;
`endif
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (req_i)
      assert (32'(addr_i) < Depth)
      else $error("%m: address %0d of %0d", addr_i, Depth);
  end
`endif

endmodule
