// SPDX-License-Identifier: Apache-2.0
// rs_scoreboard: which units run, and what they hold.
// Model:   docs/core.md: a group or slot has one user, a context any number of readers or one writer
// Bounds:  issue_i only with free_o; unit_i is one-hot
// Timing:  held from the cycle after issue_i to that of release_i
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
    input  logic             issue_i,      // it does
    input  logic [Units-1:0] release_i,
    output logic [Units-1:0] busy_o
);

  logic [Units-1:0] busy_q, conflict;
  logic [Units-1:0][15:0] groups_q;
  logic [Units-1:0][3:0] slots_q, ctx_read_q, ctx_write_q;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    assign conflict[u] = busy_q[u] && (unit_i[u] || (groups_i & groups_q[u]) != '0 || (slots_i & slots_q[u]) != '0 ||
        (ctx_write_i & (ctx_read_q[u] | ctx_write_q[u])) != '0 || (ctx_read_i & ctx_write_q[u]) != '0);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_q[u] <= 1'b0;
      else if (issue_i && unit_i[u]) busy_q[u] <= 1'b1;
      else if (release_i[u]) busy_q[u] <= 1'b0;
      if (issue_i && unit_i[u]) begin
        groups_q[u] <= groups_i;
        slots_q[u] <= slots_i;
        ctx_read_q[u] <= ctx_read_i;
        ctx_write_q[u] <= ctx_write_i;
      end
    end
  end

  assign free_o = conflict == '0;
  assign busy_o = busy_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && issue_i) begin
      assert (free_o && $onehot(unit_i))
      else $error("%m: issued while something is held");
    end
  end
`endif

endmodule
