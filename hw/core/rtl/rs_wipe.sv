// SPDX-License-Identifier: Apache-2.0
// rs_wipe: overwrites everything that can hold a secret, after reset and on command: a row of all memories per cycle, and then, by reading the
// zeros for a while, whatever registers have kept of what was read.
// Params:  RowBits: of the longest memory
// Bounds:  a program that a command_i finds running is stopped by clear_i at most 8 cycles later, unless it has been before or ends by itself. No unit
//          uses a memory SettleCycles after clear_i, or 8 cycles after a program that ended by itself, until the next one starts; and none starts with a
//          command_i or while wiping_o. LOAD and STORE may drain for longer, which busy_i tells. From the output register of a bank on, no
//          word is under way for more than RinseCycles
// Timing:  2^RowBits rows from SettleCycles + 2 cycles after the last command_i or clear_i on, or after reset at once; then, when the program has
//          ended, RinseCycles of reading; wiping_o from the cycle after the command to the last of them
module rs_wipe #(
    parameter int unsigned RowBits = 8
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               command_i,  // begins, or begins anew
    input  logic               busy_i,     // a program runs, or drains
    input  logic               clear_i,    // to the units: they stop
    output logic               wiping_o,
    output logic               wipe_o,     // in this cycle row_o becomes zero
    output logic               rinse_o,    // in this cycle row_o, which is the first one, is read
    output logic [RowBits-1:0] row_o
);

  localparam int unsigned SettleBits = 5;  // an access that a unit has begun reaches its memory in less than SettleCycles
  localparam int unsigned RinseBits = 7;  // what was read comes to the end of any path of data in less than RinseCycles
  localparam logic [SettleBits-1:0] SettleCycles = '1;

  logic sweeps_q, rinses_q;  // rows are still to be written; and registers to be rinsed
  logic next, wipe_q, rinse, rinse_q;  // in the next cycle, in this one: it goes to every memory, so it comes from a flip-flop
  logic [SettleBits-1:0] settle_q;  // cycles since the last command or clear_i
  logic [ RinseBits-1:0] rinsed_q;
  logic [RowBits-1:0] next_row_q, row_q;

  assign next  = sweeps_q && settle_q == '0;
  assign rinse = rinses_q && !sweeps_q && !busy_i;

  always_ff @(posedge clk_i) begin
    // a program that is cleared can end at once, but what its units have begun comes all the same
    if (!rst_ni) settle_q <= '0;
    else if (command_i || clear_i) settle_q <= SettleBits'(1);
    else if (settle_q != '0) settle_q <= settle_q == SettleCycles ? '0 : settle_q + 1'b1;
    if (!rst_ni || command_i || clear_i) next_row_q <= '0;
    else if (next) next_row_q <= next_row_q + 1'b1;
    if (!rst_ni || command_i) {sweeps_q, rinses_q} <= '1;
    else begin
      if (next && next_row_q == '1 && !clear_i) sweeps_q <= 1'b0;
      if (rinse && rinsed_q == '1) rinses_q <= 1'b0;
    end
    rinsed_q <= rst_ni && rinse && !command_i ? rinsed_q + 1'b1 : '0;
    wipe_q   <= rst_ni && next;
    rinse_q  <= rst_ni && rinse;
    row_q    <= next ? next_row_q : '0;
  end

  assign wiping_o = sweeps_q || rinses_q || rinse_q;
  assign wipe_o   = wipe_q;
  assign rinse_o  = rinse_q;
  assign row_o    = row_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && clear_i) begin
      assert (!(wiping_o && settle_q == '0))
      else $error("%m: units are stopped while they were taken to be at rest");
    end
  end
`endif
endmodule
