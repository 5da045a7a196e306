// SPDX-License-Identifier: Apache-2.0
// rs_wipe: overwrites everything that can hold a secret, after reset and on command: a row of all memories per cycle.
// Params:  RowBits: of the longest memory
// Bounds:  busy_i while anything may still use a memory, or clear_i is less than SettleCycles past: then no unit uses one before the end of
//          the program. LOAD and STORE may drain for longer, so a wipe waits for nothing outside of the core
// Timing:  2^RowBits cycles, from the second cycle after the end of the program, or SettleCycles + 2 cycles after clear_i whether or not that ended it; wiping_o
//          from the cycle after the command to the last of them
module rs_wipe #(
    parameter int unsigned RowBits = 8
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               command_i,  // begins, or begins anew
    input  logic               busy_i,     // a program runs: it waits, at most until the units are at rest
    input  logic               clear_i,    // to the units: they stop
    output logic               wiping_o,
    output logic               wipe_o,     // in this cycle row_o becomes zero
    output logic [RowBits-1:0] row_o
);

  localparam int unsigned SettleBits = 5;  // an access that a unit has begun reaches its memory in less than SettleCycles
  localparam logic [SettleBits-1:0] SettleCycles = '1;

  logic command_q, wiping_q, rest_q;
  logic next, wipe_q;  // a row in the next cycle, in this one: it goes to every memory, so it comes from a flip-flop
  logic [SettleBits-1:0] settle_q;  // cycles since clear_i
  logic [RowBits-1:0] next_row_q, row_q;

  assign next = wiping_q && !command_q && settle_q == '0 && (!busy_i || rest_q);

  always_ff @(posedge clk_i) begin
    // a program that is cleared can end at once, but what its units have begun comes all the same
    if (!rst_ni) settle_q <= '0;
    else if (clear_i || settle_q != '0) settle_q <= settle_q + 1'b1;
    if (!rst_ni || !busy_i) rest_q <= 1'b0;
    else if (settle_q == SettleCycles) rest_q <= 1'b1;
    if (!rst_ni || command_q) begin
      wiping_q   <= 1'b1;
      next_row_q <= '0;
    end else if (next) begin
      wiping_q   <= next_row_q != '1;
      next_row_q <= next_row_q + 1'b1;
    end
    command_q <= rst_ni && command_i;
    wipe_q    <= rst_ni && next;
    row_q     <= next_row_q;
  end

  assign wiping_o = command_q || wiping_q || wipe_q;
  assign wipe_o = wipe_q;
  assign row_o = row_q;

endmodule
