// SPDX-License-Identifier: Apache-2.0
// rs_issue: takes instructions in order, checks them, and starts each when its unit and all it uses are free.
// Model:   docs/core.md, sections Scoreboard, Tags, Faults
// Params:  W, Groups, Contexts, Slots, HasExpand: what is built
// Bounds:  clear_i only with hold_i and while nothing runs; fault_o and end_o stay until clear_i
// Timing:  two cycles from word_valid_i to unit_start_o if all is free, and two from unit_done_i if something was waited for
module rs_issue
  import rs_isa_pkg::*;
#(
    parameter int unsigned W         = 32,
    parameter int unsigned Groups    = 4,
    parameter int unsigned Contexts  = 2,
    parameter int unsigned Slots     = 2,
    parameter bit          HasExpand = 1'b1
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     clear_i,         // a program begins: all is empty
    input  logic                     hold_i,          // start nothing in this cycle
    input  logic   [      7:0][63:0] pointer_i,
    // from rs_fetch
    input  logic                     word_valid_i,
    output logic                     word_ready_o,
    input  logic   [     63:0]       word_i,
    input  logic   [     15:0]       word_pc_i,
    input  logic                     word_past_i,     // there is none: the program ran past its end
    // units
    output logic   [Units-1:0]       unit_start_o,
    output logic   [Units-1:0][63:0] unit_instr_o,    // from start to done, as are pc and addr
    output logic   [Units-1:0][15:0] unit_pc_o,
    output logic   [      1:0][63:0] unit_addr_o,     // of LOAD and STORE
    output logic   [Units-1:0]       unit_busy_o,
    input  logic   [Units-1:0]       unit_release_i,  // done or dropped
    // what the next instruction says instead of starting
    output fault_e                   fault_o,
    output logic                     end_o,
    output logic   [     15:0]       pc_o             // of the next instruction, or the last one if there is none
);

  // ---- decode ----
  logic take;
  instr_t word;
  form_t form;
  fault_e fault;
  logic [15:0] groups;
  logic [3:0] slots, ctx_read, ctx_write;

  assign word = instr_t'(word_i);

  rs_decode #(
      .W(W),
      .Groups(Groups),
      .Contexts(Contexts),
      .Slots(Slots),
      .HasExpand(HasExpand)
  ) u_decode (
      .instr_i    (word_i),
      .form_o     (form),
      .fault_o    (fault),
      .groups_o   (groups),
      .slots_o    (slots),
      .ctx_read_o (ctx_read),
      .ctx_write_o(ctx_write)
  );

  logic valid_q, past_q, expanding_q;
  instr_t instr_q;
  form_t  form_q;
  fault_e fault_q;
  logic [15:0] groups_q, pc_q;
  logic [3:0] slots_q, ctx_read_q, ctx_write_q;
  logic [63:0] addr_q;

  logic issue;
  assign take = word_valid_i && (!valid_q || issue);
  assign word_ready_o = !valid_q || issue;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) valid_q <= 1'b0;
    else if (take) valid_q <= 1'b1;
    else if (issue) valid_q <= 1'b0;
    if (take) begin
      instr_q     <= word;
      form_q      <= form;
      fault_q     <= fault;
      groups_q    <= groups;
      slots_q     <= slots;
      ctx_read_q  <= ctx_read;
      ctx_write_q <= ctx_write;
      past_q      <= word_past_i;
      addr_q      <= pointer_i[word.base] + 64'(word.imm);
    end
    if (clear_i) pc_q <= '0;
    else if (take) pc_q <= word_pc_i;
  end

  // ---- check and start ----
  logic [Units-1:0] unit;
  logic free, empty, secret, unordered, is_end;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    assign unit[u] = form_q.unit == unit_e'(u);
  end
  assign unordered = form_q.unit == UNIT_EXPAND && !instr_q.alt && !expanding_q;
  assign is_end = form_q.unit == UNIT_NONE;

  always_comb begin
    fault_o = FAULT_NONE;
    if (valid_q) begin
      if (past_q) fault_o = FAULT_PROGRAM;
      else if (unordered) fault_o = FAULT_ILLEGAL;
      else if (fault_q != FAULT_NONE) fault_o = fault_q;
      else if (form_q.memory && addr_q[5:0] != '0) fault_o = FAULT_ALIGN;
      else if (empty) fault_o = FAULT_EMPTY;
      else if (secret) fault_o = FAULT_SECRET;
    end
  end
  assign end_o = valid_q && fault_o == FAULT_NONE && is_end;
  assign issue = valid_q && fault_o == FAULT_NONE && !is_end && free && !hold_i;
  assign pc_o  = pc_q;

  rs_scoreboard u_scoreboard (
      .clk_i,
      .rst_ni,
      .unit_i     (unit),
      .groups_i   (groups_q),
      .slots_i    (slots_q),
      .ctx_read_i (ctx_read_q),
      .ctx_write_i(ctx_write_q),
      .free_o     (free),
      .issue_i    (issue),
      .release_i  (unit_release_i),
      .busy_o     (unit_busy_o)
  );

  rs_tags u_tags (
      .clk_i,
      .clear_i (clear_i || !rst_ni),
      .instr_i (instr_q),
      .form_i  (form_q),
      .issue_i (issue),
      .empty_o (empty),
      .secret_o(secret)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) expanding_q <= 1'b0;
    else if (issue && form_q.unit == UNIT_EXPAND) expanding_q <= 1'b1;
    if (!rst_ni || clear_i) unit_start_o <= '0;
    else unit_start_o <= unit & {Units{issue}};
    for (int u = 0; u < Units; u++) begin
      if (issue && unit[u]) begin
        unit_instr_o[u] <= 64'(instr_q);
        unit_pc_o[u]    <= pc_q;
      end
    end
    for (int u = 0; u < 2; u++) begin
      if (issue && unit[u]) unit_addr_o[u] <= addr_q;
    end
  end

endmodule
