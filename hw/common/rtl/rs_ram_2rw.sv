// SPDX-License-Identifier: Apache-2.0
// rs_ram_2rw: memory with two ports, each of which reads or writes, as block RAMs of FPGAs have them. For standard cells nothing uses
//             it: there all memories are rs_ram_1rw.
// Params:  Width, Depth (need not be a power of two)
// Bounds:  addr_i < Depth whenever req_i; a word that one port writes is not that of the other port (asserted)
// Timing:  rdata_o is valid in the cycle after a read, and in the one behind that if its port is not used in the meantime
module rs_ram_2rw #(
    parameter  int unsigned Width     = 32,
    parameter  int unsigned Depth     = 512,
    localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
    input  logic                      clk_i,
    input  logic [1:0]                req_i,    // access in this cycle
    input  logic [1:0]                we_i,     // which is a write
    input  logic [1:0][AddrWidth-1:0] addr_i,
    input  logic [1:0][    Width-1:0] wdata_i,
    output logic [1:0][    Width-1:0] rdata_o
);

  if (Width == 0 || Depth == 0) begin : gen_illegal
    $fatal(1, "%m: Width %0d and Depth %0d have to be positive", Width, Depth);
  end

  // no_rw_check: what is read at an address that the other port writes does not matter, and not all FPGAs say what that is
  (* ram_style = Depth >= rs_pkg::UltraRows ? "ultra" : "block", no_rw_check *)
  logic [Width-1:0] mem_q[Depth];

  // Two processes, and none comes first: in one process the later write would win, and synthesis would add gates for that.
  for (genvar p = 0; p < 2; p++) begin : gen_port
    logic [Width-1:0] rdata_q;
`ifndef SYNTHESIS
    logic held_q;  // rdata_q was read in the cycle before
`endif

    always @(posedge clk_i) begin
      if (req_i[p]) begin
        if (we_i[p]) mem_q[addr_i[p]] <= wdata_i[p];
        else rdata_q <= mem_q[addr_i[p]];
      end
`ifndef SYNTHESIS
      held_q <= req_i[p] && !we_i[p];
      if (req_i[p] ? we_i[p] : !held_q) rdata_q <= {Width{1'b1}} ^ rdata_q;
`endif
    end
    assign rdata_o[p] = rdata_q;

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (req_i[p])
        assert (32'(addr_i[p]) < Depth)
        else $error("%m: address %0d of %0d", addr_i[p], Depth);
    end
`endif
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    assert (req_i != '1 || we_i == '0 || addr_i[0] != addr_i[1])
    else $error("%m: both ports at address %0d", addr_i[0]);
  end
`endif

endmodule
