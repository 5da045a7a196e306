// SPDX-License-Identifier: Apache-2.0
// rs_delay_en: rs_delay that moves in cycles with en_i only.
// Params:  Width, Cycles (at least 1)
module rs_delay_en #(
    parameter int unsigned Width  = 32,
    parameter int unsigned Cycles = 1
) (
    input  logic             clk_i,
    input  logic             en_i,
    input  logic [Width-1:0] data_i,
    output logic [Width-1:0] data_o
);

  if (Width == 0 || Cycles == 0) begin : gen_illegal
    $fatal(1, "%m: Width %0d and Cycles %0d have to be positive", Width, Cycles);
  end

  logic [Width-1:0] data_q[Cycles];
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      data_q[0] <= data_i;
      for (int i = 1; i < Cycles; i++) data_q[i] <= data_q[i-1];
    end
  end
  assign data_o = data_q[Cycles-1];

endmodule
