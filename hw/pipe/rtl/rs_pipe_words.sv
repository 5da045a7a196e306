// SPDX-License-Identifier: Apache-2.0
// rs_pipe_words: lines of 64 bytes -> rows of Words words of 64 bits, in order.
// Params:  Words: 1, 2, 4 or 8
// Bounds:  pop_i only if valid_o
// Timing:  a row per cycle: a line is taken with the last row of the one before. Zeros take the place of what has gone, and of all with clear_i
module rs_pipe_words #(
    parameter int unsigned Words = 1
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   clear_i,
    input  logic                   line_valid_i,
    output logic                   line_ready_o,
    input  logic [    511:0]       line_i,
    output logic                   valid_o,
    input  logic                   pop_i,
    output logic [Words-1:0][63:0] words_o
);
  localparam int unsigned Rows = 8 / Words;
  localparam int unsigned RowsBits = $clog2(Rows + 1);

  if (Words != 1 && Words != 2 && Words != 4 && Words != 8) begin : gen_illegal
    $fatal(1, "%m: Words %0d is not 1, 2, 4 or 8", Words);
  end

  logic [RowsBits-1:0] rows_q;  // that are here
  logic [511:0] line_q;

  assign valid_o = rows_q != '0;
  assign line_ready_o = rows_q == '0 || (rows_q == RowsBits'(1) && pop_i);
  assign words_o = line_q[64*Words-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      rows_q <= '0;
      line_q <= '0;
    end else if (line_valid_i && line_ready_o) begin
      rows_q <= RowsBits'(Rows);
      line_q <= line_i;
    end else if (pop_i) begin
      rows_q <= rows_q - 1'b1;
      line_q <= 512'(line_q >> (64 * Words));
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i)
      assert (!pop_i || valid_o)
      else $error("%m: nothing to take");
  end
`endif

endmodule
