// SPDX-License-Identifier: Apache-2.0
// rs_scoreboard: which units run, and what they hold.
// Model:   docs/core.md: a group or slot has one user, a context any number of readers or one writer; LOAD runs two instructions
// Bounds:  the next instruction is stable from the cycle before free_o is asked until issue_i; issue_i one-hot, in the cycle after
//          free_o; start_i is issue_i or nothing, and after nothing no more is issued until all units are done; LOAD gives
//          release_i once per instruction, in order
// Timing:  free_o follows release_i by a cycle; held from the cycle after start_i to that of release_i
//
// There is an entry for each unit, and a second one for LOAD (number Units): its instructions take them in turns. Two of them agree in
// `wide`, not both are CONTEXT, and a message is alone (rs_dma_load).
module rs_scoreboard
  import rs_isa_pkg::*;
#(
    localparam int unsigned Entries = Units + 1
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    // the next instruction
    input  logic [Units-1:0] unit_i,
    input  logic [     15:0] groups_i,
    input  logic [      3:0] slots_i,
    input  logic [      3:0] ctx_read_i,
    input  logic [      3:0] ctx_write_i,
    input  logic             wide_i,       // words of 8 bytes
    input  logic             message_i,    // and to be reduced
    output logic             free_o,       // it can start
    input  logic [Units-1:0] issue_i,      // its unit takes it
    input  logic [Units-1:0] start_i,      // and runs it
    input  logic [Units-1:0] release_i,
    input  logic             give_up_i,    // LOAD releases all
    output logic [Units-1:0] busy_o,
    output logic             load_turn_o,  // the entry of LOAD that is next to be issued, and to be released
    output logic             load_end_o
);

  logic [Entries-1:0] busy_q, conflict_q, issue, start, released;
  logic [Entries-1:0][15:0] groups_q;
  logic [Entries-1:0][3:0] slots_q, ctx_read_q, ctx_write_q;
  logic [1:0] wide_q, message_q;  // of LOAD
  logic turn_q, end_q;

  // an entry of LOAD is that of a unit while it is its turn
  always_comb begin
    issue               = Entries'(issue_i);
    start               = Entries'(start_i);
    released            = Entries'(release_i);
    issue[UNIT_LOAD]    = issue_i[UNIT_LOAD] && !turn_q;
    issue[Units]        = issue_i[UNIT_LOAD] && turn_q;
    start[UNIT_LOAD]    = start_i[UNIT_LOAD] && !turn_q;
    start[Units]        = start_i[UNIT_LOAD] && turn_q;
    released[UNIT_LOAD] = (release_i[UNIT_LOAD] && !end_q) || give_up_i;
    released[Units]     = (release_i[UNIT_LOAD] && end_q) || give_up_i;
  end

  for (genvar u = 0; u < Entries; u++) begin : gen_entry
    logic taken;  // by the unit, whatever it uses
    if (u == int'(UNIT_LOAD) || u == Units) begin : gen_load
      localparam bit Second = u == Units;
      assign taken = unit_i[UNIT_LOAD] && (turn_q == Second || wide_i != wide_q[Second] || message_i || message_q[Second] ||
                                           (ctx_write_i != '0 && ctx_write_q[u] != '0));
      always_ff @(posedge clk_i) begin
        if (issue[u]) begin
          wide_q[Second]    <= wide_i;
          message_q[Second] <= message_i;
        end
      end
    end else begin : gen_other
      assign taken = unit_i[u];
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_q[u] <= 1'b0;
      else if (start[u]) busy_q[u] <= 1'b1;
      else if (released[u]) busy_q[u] <= 1'b0;
      // what the unit holds does not change while the next instruction waits: only whether it runs
      conflict_q[u] <= taken || (groups_i & groups_q[u]) != '0 || (slots_i & slots_q[u]) != '0 ||
          (ctx_write_i & (ctx_read_q[u] | ctx_write_q[u])) != '0 || (ctx_read_i & ctx_write_q[u]) != '0;
      if (issue[u]) begin
        groups_q[u] <= groups_i;
        slots_q[u] <= slots_i;
        ctx_read_q[u] <= ctx_read_i;
        ctx_write_q[u] <= ctx_write_i;
      end
    end
  end

  // both entries are free when the turns meet
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q <= 1'b0;
      end_q  <= 1'b0;
    end else begin
      if (start_i[UNIT_LOAD]) turn_q <= !turn_q;
      if (give_up_i) end_q <= turn_q;
      else if (release_i[UNIT_LOAD] && busy_o[UNIT_LOAD]) end_q <= !end_q;
    end
  end

  assign free_o = (conflict_q & busy_q) == '0;
  always_comb begin
    busy_o            = busy_q[Units-1:0];
    busy_o[UNIT_LOAD] = busy_q[UNIT_LOAD] || busy_q[Units];
  end
  assign load_turn_o = turn_q;
  assign load_end_o  = end_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && issue_i != '0) begin
      assert (issue_i == unit_i && $onehot(unit_i) && (issue & busy_q) == '0)
      else $error("%m: issued to a unit that runs");
    end
  end
`endif

endmodule
