// SPDX-License-Identifier: Apache-2.0
// rs_tags: what groups, slots and contexts hold, as far as secrecy goes.
// Model:   docs/core.md, section Tags
// Params:  Groups, Contexts, Slots: what is built
// Bounds:  the next instruction is stable from two cycles before issue_i on, and within what is built if it is issued
// Timing:  empty_o, secret_o a cycle after instr_i; what is issued has its tag from the next cycle on, although its unit still runs:
//          the scoreboard keeps others away until it is done, and a fault ends the program
module rs_tags
  import rs_isa_pkg::*;
#(
    parameter int unsigned Groups   = 4,
    parameter int unsigned Contexts = 2,
    parameter int unsigned Slots    = 2
) (
    input  logic   clk_i,
    input  logic   clear_i,  // all become empty
    // the next instruction
    input  instr_t instr_i,
    input  form_t  form_i,
    input  logic   issue_i,
    output logic   empty_o,  // it reads what nothing has written
    output logic   secret_o  // it would store what is not public
);

  tag_e [15:0] group_q;
  logic [3:0] slot_q, context_q;
  tag_e dst_q, a_q, b_q, operand, result, result_q;
  logic dst_slot_q, a_slot_q, has_context_q, unused;

  function automatic logic hidden(input tag_e tag);
    return tag == TAG_SECRET || tag == TAG_PRODUCT;
  endfunction

  // ---- look up ----
  always_ff @(posedge clk_i) begin
    dst_q         <= group_q[instr_i.dst];
    a_q           <= group_q[instr_i.a];
    b_q           <= group_q[instr_i.b];
    dst_slot_q    <= slot_q[instr_i.dst[1:0]];
    a_slot_q      <= slot_q[instr_i.a[1:0]];
    has_context_q <= context_q[instr_i.ctx];
    result_q      <= result;
  end

  // ---- judge ----
  // of what is added to dst
  always_comb begin
    operand = a_q;
    if (form_i.b_group) operand = hidden(a_q) || hidden(b_q) ? TAG_PRODUCT : TAG_PUBLIC;
  end

  always_comb begin
    case (form_i.rule)
      RULE_LOADED: result = instr_i.secret ? TAG_SECRET : TAG_PUBLIC;
      RULE_SECRET: result = TAG_SECRET;
      RULE_DST: result = dst_q;
      RULE_A: result = a_q;
      RULE_PRODUCT: result = operand;
      RULE_SUM: begin
        // a product that an error masks, or the sum that decrypts
        if (dst_q == TAG_PRODUCT || operand == TAG_PRODUCT) result = TAG_PUBLIC;
        else if (dst_q == TAG_SECRET || operand == TAG_SECRET) result = TAG_SECRET;
        else result = TAG_PUBLIC;
      end
      RULE_WORST: begin
        if (dst_q == TAG_PRODUCT || a_q == TAG_PRODUCT) result = TAG_PRODUCT;
        else if (dst_q == TAG_SECRET || a_q == TAG_SECRET) result = TAG_SECRET;
        else result = TAG_PUBLIC;
      end
      default: result = TAG_PUBLIC;
    endcase
  end

  assign empty_o = (form_i.dst_group && form_i.reads_dst && dst_q == TAG_EMPTY) ||
      (form_i.a_group && a_q == TAG_EMPTY) ||
      (form_i.b_group && b_q == TAG_EMPTY) ||
      (form_i.dst_slot && form_i.reads_dst && !dst_slot_q) ||
      (form_i.a_slot && !a_slot_q) ||
      (form_i.ctx && !has_context_q);
  assign secret_o = form_i.unit == UNIT_STORE && a_q != TAG_PUBLIC;

  // ---- what is written; nothing that is not built ----
  for (genvar g = 0; g < 16; g++) begin : gen_group
    if (g < Groups) begin : gen_built
      always_ff @(posedge clk_i) begin
        if (clear_i) group_q[g] <= TAG_EMPTY;
        else if (issue_i && form_i.dst_group && instr_i.dst == 4'(g)) group_q[g] <= result_q;
      end
    end else begin : gen_none
      assign group_q[g] = TAG_EMPTY;
    end
  end

  for (genvar i = 0; i < 4; i++) begin : gen_flag
    if (i < Slots) begin : gen_slot
      always_ff @(posedge clk_i) begin
        if (clear_i) slot_q[i] <= 1'b0;
        else if (issue_i && form_i.dst_slot && instr_i.dst[1:0] == 2'(i)) slot_q[i] <= 1'b1;
      end
    end else begin : gen_no_slot
      assign slot_q[i] = 1'b0;
    end
    if (i < Contexts) begin : gen_context
      always_ff @(posedge clk_i) begin
        if (clear_i) context_q[i] <= 1'b0;
        else if (issue_i && form_i.dst_context && instr_i.dst[1:0] == 2'(i)) context_q[i] <= 1'b1;
      end
    end else begin : gen_no_context
      assign context_q[i] = 1'b0;
    end
  end

  assign unused = ^{instr_i, form_i};

endmodule
