// SPDX-License-Identifier: Apache-2.0
// rs_scoreboard: which units run, and what they hold.
// Model:   docs/core.md: a group or slot has one user, a context any number of readers or one writer
// Bounds:  the next instruction is stable from the cycle before free_o is asked until issue_i; issue_i one-hot, in the cycle after
//          free_o; start_i is issue_i or nothing, and after nothing no more is issued until all units are done
// Timing:  free_o follows release_i by a cycle; held from the cycle after start_i to that of release_i
module rs_scoreboard
  import rs_isa_pkg::*;
(
    input  logic             clk_i,
    input  logic             rst_ni,
    // the next instruction
    input  logic [Units-1:0] unit_i,
    input  logic [     15:0] groups_i,
    input  logic [      3:0] slots_i,
    input  logic [      3:0] ctx_read_i,
    input  logic [      3:0] ctx_write_i,
    output logic             free_o,       // it can start
    input  logic [Units-1:0] issue_i,      // its unit takes it
    input  logic [Units-1:0] start_i,      // and runs it
    input  logic [Units-1:0] release_i,
    output logic [Units-1:0] busy_o
);

  logic [Units-1:0] busy_q, conflict_q;
  logic [Units-1:0][15:0] groups_q;
  logic [Units-1:0][3:0] slots_q, ctx_read_q, ctx_write_q;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_q[u] <= 1'b0;
      else if (start_i[u]) busy_q[u] <= 1'b1;
      else if (release_i[u]) busy_q[u] <= 1'b0;
      // what the unit holds does not change while the next instruction waits: only whether it runs
      conflict_q[u] <= unit_i[u] || (groups_i & groups_q[u]) != '0 || (slots_i & slots_q[u]) != '0 ||
          (ctx_write_i & (ctx_read_q[u] | ctx_write_q[u])) != '0 || (ctx_read_i & ctx_write_q[u]) != '0;
      if (issue_i[u]) begin
        groups_q[u] <= groups_i;
        slots_q[u] <= slots_i;
        ctx_read_q[u] <= ctx_read_i;
        ctx_write_q[u] <= ctx_write_i;
      end
    end
  end

  assign free_o = (conflict_q & busy_q) == '0;
  assign busy_o = busy_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && issue_i != '0) begin
      assert (issue_i == unit_i && $onehot(unit_i) && (issue_i & busy_q) == '0)
      else $error("%m: issued to a unit that runs");
    end
  end
`endif

endmodule
