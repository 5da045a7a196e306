// SPDX-License-Identifier: Apache-2.0
// rs_wipe_proof: rs_wipe with programs, stops and commands at any times, and units that use memories whenever its Bounds let them.
// Assumed: those Bounds: a program starts while nothing is wiped and no command is given; one that a command finds running is stopped within 8 cycles, unless it
//          has been or ends; units use memories from its start to 31 cycles after it was stopped, which may come as it ends, or 8 after it ended by itself. row_i stays: it is any row.
// Proved:  when the wipe is over, row_i is zero, and so it is until the next program; of what was read before no bank keeps a word, and zeros have
//          been read for 128 cycles on end after the last access, in which nothing else used a memory and no program ran or drained; a wipe that is commanded, and that of a reset, is not over before that.
module rs_wipe_proof #(
    parameter int unsigned RowBits = 3
) (
    input logic clk_i,
    input logic rst_ni,
    input logic command_i,
    input logic clear_i,
    input logic start_i,
    input logic end_i,
    input logic access_i,  // a unit writes a secret to row_i, or reads it
    input logic [RowBits-1:0] row_i
);
  localparam logic [4:0] Late = 5'd24;  // 8 cycles before 0
  localparam logic [3:0] Deadline = 4'd8;
  localparam logic [7:0] RinseCycles = 8'd128;

  logic running_q, cleared_q, wiping_o, wipe_o, rinse_o;
  logic [RowBits-1:0] row_o;
  rs_wipe #(
      .RowBits(RowBits)
  ) u_dut (
      .*,
      .busy_i(running_q)
  );

  logic reset_q = 1'b0;
  logic [4:0] use_q;  // counts on while units use memories after their program was stopped or has ended
  logic [3:0] due_q;  // cycles since the command that clear_i has to follow; 0: none
  logic stops, used;
  logic
      zero_q,
      kept_q,
      owed_q;  // row_i is zero; a bank's output register has a secret; a wipe was commanded, and no program has started since
  logic [7:0] rinsed_q;  // cycles of zeros at that register, one behind the other
  logic [RowBits-1:0] same_q;
  assign stops = running_q && !cleared_q;
  assign used  = stops || use_q != '0;

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    same_q  <= row_i;
    assume (rst_ni == reset_q);
    if (reset_q) assume (row_i == same_q);
    if (start_i) assume (!running_q && !wiping_o && !command_i && rst_ni);
    if (clear_i) assume ((stops || use_q == Late) && rst_ni);
    if (end_i) assume (running_q && rst_ni);
    if (due_q == Deadline && stops && !end_i) assume (clear_i);
    if (access_i) assume (used && rst_ni);

    if (!rst_ni) begin
      {running_q, cleared_q, use_q, due_q} <= '0;
      {zero_q, kept_q, owed_q, rinsed_q}   <= {1'b0, 1'b1, 1'b1, 8'd0};
    end else begin
      running_q <= start_i || (running_q && !end_i);
      cleared_q <= !start_i && (cleared_q || clear_i);
      if (clear_i) use_q <= 5'd1;
      else if (start_i) use_q <= '0;
      else if (end_i && !cleared_q) use_q <= Late;
      else if (use_q != '0) use_q <= use_q + 5'd1;
      if (!stops || clear_i || end_i) due_q <= '0;
      else if (due_q != '0) due_q <= due_q + 4'd1;
      else if (command_i) due_q <= 4'd1;
      if (access_i) {zero_q, kept_q} <= 2'b01;
      else if (wipe_o && row_o == row_i) zero_q <= 1'b1;
      else if (rinse_o && row_o == row_i && zero_q) kept_q <= 1'b0;
      owed_q   <= !start_i && (command_i || owed_q);
      rinsed_q <= access_i || !rinse_o ? (wiping_o || access_i ? 8'd0 : rinsed_q) : rinsed_q + 8'd1;
    end

    if (reset_q && rst_ni) begin
      // what is wanted
      if (owed_q && !wiping_o) begin
        assert (zero_q && rinsed_q >= RinseCycles && !used);
        if (row_i == '0) assert (!kept_q);
      end
      if (wipe_o || rinse_o) assert (!used);
      assert (!(wipe_o && rinse_o) && !(rinse_o && running_q));

      // what makes this inductive
      if (owed_q && running_q) assert (wiping_o);
      if (wiping_o) assert (owed_q);
      if (wiping_o && used) assert (u_dut.settle_q != '0 && u_dut.sweeps_q);
      if (use_q != '0 && wiping_o) assert (u_dut.settle_q <= use_q);
      if (due_q != '0) assert (stops && due_q <= Deadline && u_dut.settle_q != '0 && u_dut.settle_q <= 5'(due_q));
      if (stops && wiping_o) assert (due_q != '0);
      if (rinse_o || u_dut.rinsed_q != '0) assert (!running_q);
      if (u_dut.sweeps_q) begin
        if (u_dut.settle_q != '0) assert (u_dut.next_row_q == '0);
        if (u_dut.settle_q != 5'd1) assert (!rinse_o && (rinsed_q == '0 || u_dut.settle_q == 5'd2));
        assert (u_dut.rinses_q && u_dut.rinsed_q == '0);
        if (row_i < u_dut.next_row_q && !(wipe_o && row_o == row_i)) assert (zero_q);
        if (u_dut.next_row_q != '0) assert (wipe_o ? row_o == RowBits'(u_dut.next_row_q - 1'b1) : 1'b1);
      end else if (wiping_o) begin
        assert (zero_q || (wipe_o && row_o == row_i));
        if (wipe_o) assert (row_o == '1 && u_dut.rinses_q);
        assert (!used && u_dut.next_row_q == '0 && u_dut.settle_q == '0);
        if (row_i == '0 && rinsed_q != '0) assert (!kept_q);
        if (u_dut.rinses_q)
          assert (rinsed_q == 8'(u_dut.rinsed_q) - 8'(rinse_o));
          else assert (rinse_o && rinsed_q == RinseCycles - 8'd1);
        if (u_dut.rinses_q) assert (rinse_o == (u_dut.rinsed_q != '0));
      end
      if (rinse_o || wipe_o) assert (wiping_o);
      if (rinse_o) assert (row_o == '0);
    end
  end
endmodule
