// SPDX-License-Identifier: Apache-2.0
// rs_delay_en: a word, Cycles enabled cycles later: rs_delay that stands still, and is not clocked, where nothing needs it.
// Params:  Width, Cycles (0: a wire)
module rs_delay_en #(
    parameter int unsigned Width  = 32,
    parameter int unsigned Cycles = 4
) (
    input  logic             clk_i,
    input  logic             en_i,
    input  logic [Width-1:0] data_i,
    output logic [Width-1:0] data_o
);

  if (Width == 0) begin : gen_illegal
    $fatal(1, "%m: Width has to be positive");
  end

  if (Cycles == 0) begin : gen_wire
    logic unused;
    assign unused = clk_i ^ en_i;
    assign data_o = data_i;
  end else begin : gen_stages
    logic [Width-1:0] data_q[Cycles];
    always_ff @(posedge clk_i) begin
      if (en_i) begin
        data_q[0] <= data_i;
        for (int i = 1; i < Cycles; i++) data_q[i] <= data_q[i-1];
      end
    end
    assign data_o = data_q[Cycles-1];
  end

endmodule
