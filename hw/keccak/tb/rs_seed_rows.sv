// SPDX-License-Identifier: Apache-2.0
// rs_seed_rows: for testbenches: seeds as rs_seeds gives them.
module rs_seed_rows #(
    parameter  int unsigned Slices   = 32,
    parameter  bit          Both     = 1'b0,
    localparam int unsigned StepBits = Slices < 64 ? $clog2(64 / Slices) : 1
) (
    input  logic [       511:0] private_sec_i,
    input  logic [       511:0] public_i,
    input  logic                is_public_i,
    input  logic [StepBits-1:0] step_i,
    output logic [8*Slices-1:0] private_row_sec_o,
    output logic [8*Slices-1:0] public_row_o
);
  logic [511:0] seed_sec;
  logic [8*Slices-1:0] row_sec;

  assign seed_sec = is_public_i ? public_i : private_sec_i;
  for (genvar i = 0; i < 8; i++) begin : gen_lane
    assign row_sec[Slices*i+:Slices] = seed_sec[64*i+32'(step_i)*(Slices%64)+:Slices];
  end
  assign private_row_sec_o = Both ? (8 * Slices)'(private_sec_i) : row_sec;
  assign public_row_o      = Both ? (8 * Slices)'(public_i) : row_sec;
endmodule
