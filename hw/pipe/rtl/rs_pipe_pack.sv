// SPDX-License-Identifier: Apache-2.0
// rs_pipe_pack: rows of Words words -> lines of 64 bytes, 8 bytes for each word.
// Params:  W: of a word, up to 64; Words: 2, 4 or 8
// Bounds:  as many rows come as fill lines
// Timing:  a row per cycle, as long as lines are taken: the next line is filled while one waits
module rs_pipe_pack #(
    parameter int unsigned W     = 64,
    parameter int unsigned Words = 2
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    clear_i,
    input  logic                    valid_i,
    output logic                    ready_o,
    input  logic [Words-1:0][W-1:0] words_i,
    output logic                    line_valid_o,
    input  logic                    line_ready_i,
    output logic [    511:0]        line_o,
    output logic                    busy_o         // there is something in here
);
  localparam int unsigned Rows = 8 / Words;
  localparam int unsigned RowsBits = Rows > 1 ? $clog2(Rows) : 1;

  if (Words != 2 && Words != 4 && Words != 8) begin : gen_illegal
    $fatal(1, "%m: Words %0d is not 2, 4 or 8", Words);
  end

  logic [RowsBits-1:0] row_q;  // the row of the line that comes next
  logic last, valid_q;
  logic [511:0] fill_d, fill_q, line_q;

  assign last = row_q == RowsBits'(Rows - 1);
  assign ready_o = !last || !valid_q || line_ready_i;
  assign line_valid_o = valid_q;
  assign line_o = line_q;
  assign busy_o = valid_q || row_q != '0;

  always_comb begin
    // rows come from above and move down
    fill_d = fill_q >> (64 * Words);
    for (int unsigned i = 0; i < Words; i++) fill_d[64*(8-Words+i)+:64] = 64'(words_i[i]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      row_q   <= '0;
      valid_q <= 1'b0;
      fill_q  <= '0;
      line_q  <= '0;
    end else begin
      if (valid_i && ready_o) begin
        row_q  <= last ? '0 : row_q + 1'b1;
        fill_q <= fill_d;
      end
      if (valid_i && ready_o && last) begin
        valid_q <= 1'b1;
        line_q  <= fill_d;
      end else if (line_ready_i) valid_q <= 1'b0;
    end
  end

endmodule
