// SPDX-License-Identifier: Apache-2.0
// rs_sequencer_formal: any program, any times and faults of the units, any abort. From the second cycle after a fault nothing starts; the
// end is told once, when no unit runs, with the first cause; what was cleared does not run any more, and what is given up ends.
// PIPE is cleared in every program, when it has failed or all units are done, and nothing of it is left at the end, or it was given up.
module rs_sequencer_formal
  import rs_isa_pkg::*;
#(
    parameter int unsigned Slots     = 2,
    parameter bit          HasEncode = 1'b0,
    parameter bit          HasPipe   = 1'b0
) (
    input logic                       clk_i,
    input logic                       rst_ni,
    input logic                       start_i,
    input logic                       abort_i,
    input logic [          4:0]       log_n_i,
    input logic [         31:0]       watchdog_i,
    input logic                       forget_i,
    input logic                       renew_i,
    input logic [FrameBits-1:0]       frame_i,
    input logic                       no_encrypt_i,
    input logic                       no_decrypt_i,
    input logic [          7:0][63:0] pointer_i,
    input logic                       prog_we_i,
    input logic [         15:0]       prog_addr_i,
    input logic [         63:0]       prog_data_i,
    input logic [    Units-1:0]       unit_done_i,
    input logic [    Units-1:0][ 3:0] unit_fault_i,
    input logic                       pipe_idle_i,
    input logic                       give_up_i,
    input logic                       load_room_i
);

  logic busy_o, done_o, clear_o, pipe_clear_o;
  logic [4:0] pointer_index_o;
  logic [3:0] cause_o;
  logic [15:0] pc_o;
  logic [31:0] cycles_o;
  logic [Units-1:0][31:0] unit_cycles_o;
  logic [Units-1:0] unit_start_o, unit_busy_o;
  logic [Units-1:0][63:0] unit_instr_o;
  logic [Units-1:0][15:0] unit_pc_o;
  logic [4:0][63:0] unit_addr_o;

  rs_sequencer #(
      .Groups(2),
      .Slots(Slots),
      .HasEncode(HasEncode),
      .HasPipe(HasPipe),
      .ProgramDepth(2)
  ) u_dut (
      .*,
      .first_i(16'd0),
      .pointer_i(pointer_i[3'(pointer_index_o)]),
      .prog_take_o(),
      .alert_o()
  );

  localparam logic [1:0] StBegin = 2'd1, StRun = 2'd2;  // state_e

  logic judges;
  assign judges = u_dut.u_issue.judge_q || u_dut.u_issue.held_q;

  // several entries belong to LOAD, which takes them in turns
  localparam int unsigned Entries = Units + Loads - 1;
  logic [Entries-1:0] entry, runs;
  logic [1:0] turn, ending;

  function automatic int unsigned entry_of(input int unsigned number);
    return number == 0 ? int'(UNIT_LOAD) : Units + number - 1;
  endfunction

  assign runs   = u_dut.u_issue.u_scoreboard.busy_q;
  assign turn   = u_dut.u_issue.u_scoreboard.turn_q;
  assign ending = u_dut.u_issue.u_scoreboard.end_q;
  always_comb begin
    entry = Entries'(u_dut.u_issue.unit);
    for (int unsigned l = 0; l < Loads; l++) entry[entry_of(l)] = u_dut.u_issue.unit[UNIT_LOAD] && turn == 2'(l);
  end

  logic failed;  // something from outside that ends the program
  logic reset_q = 1'b0;
  // in this program: pulses of pipe_clear some cycles ago; it was given up. What PIPE says in the cycle before
  logic [2:0] pipe_cleared_q;
  logic given_up_q, pipe_idle_q;
  logic seen_q, over_q, busy_q, clear_q, cleared_q, gave_q, started_q, begun_q;
  logic [ 3:0] cause_q;
  logic [15:0] pc_q;
  logic [31:0] watchdog_q;

  // cycles is a cycle ahead while a program runs
  always_comb begin
    failed = abort_i || (watchdog_i != '0 && cycles_o >= watchdog_i) || cycles_o == '1;
    if (started_q) failed = abort_i;
    for (int u = 0; u < Units; u++) failed |= unit_busy_o[u] && unit_done_i[u] && unit_fault_i[u] != '0;
  end

  always_ff @(posedge clk_i) begin
    reset_q <= reset_q || !rst_ni;
    if (!reset_q) assume (!rst_ni);
    watchdog_q <= watchdog_i;
    if (busy_q && busy_o) assume (watchdog_i == watchdog_q);
    started_q <= rst_ni && start_i && !busy_o;
    begun_q   <= rst_ni && started_q;
    busy_q    <= busy_o && rst_ni;
    clear_q   <= clear_o && rst_ni;
    cleared_q <= rst_ni && busy_o && (clear_o || cleared_q);
    if (give_up_i) assume (busy_o && cleared_q);
    gave_q  <= rst_ni && give_up_i;
    pipe_cleared_q <= rst_ni && busy_o && !started_q ? {pipe_cleared_q[1:0], pipe_cleared_q[0] || pipe_clear_o} : '0;
    given_up_q <= rst_ni && busy_o && !started_q && (given_up_q || give_up_i);
    pipe_idle_q <= pipe_idle_i;
    cause_q <= cause_o;
    pc_q    <= pc_o;
    if (!rst_ni || !busy_o) seen_q <= 1'b0;
    else if (failed) seen_q <= 1'b1;
    over_q <= rst_ni && busy_o && seen_q;
  end

  always_ff @(posedge clk_i) begin
    if (reset_q) begin
      if (over_q || (cause_o != '0 && !started_q) || !busy_o) assert (unit_start_o == '0);
      if (over_q) assert (cause_o != '0);
      if (!busy_o) assert (unit_busy_o == '0);
      assert (done_o == (busy_q && !busy_o));
      // the first cause stays, until the next program
      if (cause_q != '0 && !begun_q && busy_q) assert (cause_o == cause_q && pc_o == pc_q);
      if (started_q) assert (busy_o && unit_start_o == '0 && unit_busy_o == '0 && !seen_q);
      if (begun_q) assert (busy_o && cause_o == '0 && cycles_o == 32'd2 && unit_start_o == '0);
      // only LOAD and STORE go on
      if (clear_q) assert (unit_busy_o >> 2 == '0);
      if (cleared_q && busy_o) begin
        assert (unit_start_o == '0 && unit_busy_o >> 2 == '0 && u_dut.state_q != StRun && u_dut.state_q != StBegin);
      end
      if (gave_q) assert (unit_busy_o == '0);
      // PIPE: not before its time, and then it does not run any more; nothing is left of it
      if (HasPipe) begin
        if (pipe_clear_o) assert (cause_o != '0 || unit_busy_o == '0);
        if (pipe_cleared_q[0] && busy_o && !started_q) assert (!unit_busy_o[UNIT_PIPE]);
        if (done_o) assert (pipe_cleared_q[1] && (pipe_idle_q || given_up_q));
      end

      // what induction needs to know of the inside
      assert (32'(u_dut.u_issue.look_q) + 32'(judges) + 32'(u_dut.u_issue.commit_q) <= 1);
      assert (!u_dut.u_issue.judge_q || !u_dut.u_issue.held_q);
      if (u_dut.u_issue.look_q || judges || u_dut.u_issue.commit_q) begin
        assert (u_dut.u_issue.form_q == form_built(u_dut.u_issue.instr_q.op, HasPipe));
      end
      // what no unit runs is a fault
      if (judges || u_dut.u_issue.commit_q) assert (u_dut.u_issue.word_checks_q == u_dut.u_issue.word_checks);
      if (u_dut.u_issue.ready_q || u_dut.u_issue.commit_q) assert (u_dut.u_issue.word_checks_q == '0);
      if (u_dut.u_issue.ready_q) assert (u_dut.u_issue.held_q && u_dut.u_issue.unit != '0);
      if (u_dut.u_issue.ended_q || u_dut.u_issue.fault_q != '0) assert (u_dut.u_issue.held_q && !u_dut.u_issue.ready_q);
      if (u_dut.u_issue.held_q) assert ((entry & ~u_dut.u_issue.u_scoreboard.conflict_q) == '0);
      assert (u_dut.u_issue.commit_q == (u_dut.u_issue.issue_q != '0));
      if (u_dut.u_issue.commit_q) assert (u_dut.u_issue.issue_q == u_dut.u_issue.unit && (entry & runs) == '0);
      for (int unsigned l = 0; l < Loads; l++) begin
        assert (32'(turn) < Loads && 32'(ending) < Loads);
        if (turn == ending)
          assert (runs[entry_of(l)] == runs[UNIT_LOAD]);
          else assert (runs[entry_of(l)] == ((l + Loads - 32'(ending)) % Loads < (32'(turn) + Loads - 32'(ending)) % Loads));
      end
      if (judges || u_dut.u_issue.commit_q) assert (unit_start_o == '0);
      if (u_dut.state_q != StRun) assert (unit_start_o == '0);
      for (int u = 0; u < Units; u++) if (u_dut.failed_q[u]) assert (u_dut.unit_fault_q[u] != '0);
      if (cause_o != '0 && !started_q) assert (u_dut.state_q != StRun);
      if (clear_o) assert (unit_start_o == '0 && u_dut.state_q != StRun && u_dut.state_q != StBegin);
      assert (started_q == (u_dut.state_q == StBegin) && (!busy_o || busy_q || started_q));
      if (seen_q && busy_o) assert (u_dut.failed_q != '0 || u_dut.late_q || u_dut.abort_q || cause_o != '0);
      if (busy_o && !started_q) assert (u_dut.full_q == (cycles_o == '1));
      assert (u_dut.unlimited_q == (watchdog_q == '0));
    end
  end

  if (HasPipe) begin : gen_pipe
    logic cleared;
    logic [2:0] its_over;
    assign cleared  = u_dut.gen_pipe.clear_pipe_q;
    assign its_over = u_dut.gen_pipe.over_q;
    always_ff @(posedge clk_i) begin
      if (reset_q && busy_o && !started_q) begin
        assert ((its_over & ~{its_over[1:0], 1'b1}) == '0 && cleared == (its_over[1:0] == 2'b01));
        if (u_dut.state_q == StRun) assert (its_over == '0);
        if (its_over[0]) assert (cause_o != '0 || unit_busy_o == '0);
        assert ((its_over[2:1] & ~pipe_cleared_q[1:0]) == '0);
        if (pipe_cleared_q[0]) assert (u_dut.state_q != StRun && unit_start_o == '0);
        assert (u_dut.gen_pipe.gave_up_q == given_up_q);
      end
    end
  end

endmodule
