// SPDX-License-Identifier: Apache-2.0
// rs_checked: a register with its parity, inverted, beside it: one flip-flop that flips is told in the same cycle, two are not.
// Params:  Width; Checked: 0, nothing is told
// Bounds:  clear_i before error_o is looked at
// Timing:  error_o follows the flip-flops, through two levels of logic for up to 35 bits; it does not depend on data_i
module rs_checked #(
    parameter int unsigned Width   = 1,
    parameter bit          Checked = 1'b1
) (
    input  logic             clk_i,
    input  logic             clear_i,  // zero
    input  logic             en_i,
    input  logic [Width-1:0] data_i,
    output logic [Width-1:0] data_o,
    output logic             error_o
);

  if (Width == 0) begin : gen_illegal
    $fatal(1, "%m: Width has to be positive");
  end

  logic [Width-1:0] data_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) data_q <= '0;
    else if (en_i) data_q <= data_i;
  end
  assign data_o = data_q;

  if (Checked) begin : gen_checked
    (* keep, dont_touch = "true" *) logic even_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) even_q <= 1'b1;
      else if (en_i) even_q <= ~^data_i;
    end
    assign error_o = ^data_q == even_q;
  end else begin : gen_plain
    assign error_o = 1'b0;
  end

endmodule
