// SPDX-License-Identifier: Apache-2.0
// rs_wipe: overwrites everything that can hold a secret, after reset and on command: a row of all memories per cycle.
// Params:  RowBits: of the longest memory
// Bounds:  busy_i while anything may still write a memory
// Timing:  2^RowBits cycles in which busy_i is 0; wiping_o from the cycle after the command to the last of them
module rs_wipe #(
    parameter int unsigned RowBits = 8
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               command_i,  // begins, or begins anew
    input  logic               busy_i,     // a program runs: it waits
    output logic               wiping_o,
    output logic               wipe_o,     // in this cycle row_o becomes zero
    output logic [RowBits-1:0] row_o
);

  logic wiping_q;
  logic [RowBits-1:0] row_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || command_i) begin
      wiping_q <= 1'b1;
      row_q    <= '0;
    end else if (wipe_o) begin
      wiping_q <= row_q != '1;
      row_q    <= row_q + 1'b1;
    end
  end

  assign wiping_o = wiping_q;
  assign wipe_o = wiping_q && !busy_i;
  assign row_o = row_q;

endmodule
