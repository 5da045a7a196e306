// SPDX-License-Identifier: Apache-2.0
// rs_tap: a word that goes along with a pipeline's data, without reset: data_i that belongs to the data of a cycle is data_o Cycles later.
// Params:  Width, Cycles > 0; Held: the word stays the same for many cycles. Then it takes one register, which loads when the first data with a
//          new word come by, instead of a register or shift register of every cycle
// Bounds:  Held: data_i does not change within Cycles cycles from load_i on
// Timing:  load_i with the first data that have a new word, load_o Cycles later; without Held load_o only follows load_i
module rs_tap #(
    parameter int unsigned Width  = 32,
    parameter int unsigned Cycles = 1,
    parameter bit          Held   = 1'b1
) (
    input  logic             clk_i,
    input  logic             load_i,
    input  logic [Width-1:0] data_i,
    output logic             load_o,
    output logic [Width-1:0] data_o
);

  if (Width == 0 || Cycles == 0) begin : gen_illegal
    $fatal(1, "%m: Width %0d and Cycles %0d have to be positive", Width, Cycles);
  end

  logic load;
  rs_delay #(
      .Width (1),
      .Cycles(Cycles - 1)
  ) u_load (
      .clk_i,
      .data_i(load_i),
      .data_o(load)
  );
  always_ff @(posedge clk_i) load_o <= load;

  if (Held) begin : gen_held
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i) if (load) data_q <= data_i;
    assign data_o = data_q;
  end else begin : gen_delay
    rs_delay #(
        .Width (Width),
        .Cycles(Cycles)
    ) u_data (
        .clk_i,
        .data_i,
        .data_o
    );
  end

endmodule
