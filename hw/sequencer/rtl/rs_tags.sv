// SPDX-License-Identifier: Apache-2.0
// rs_tags: what groups, slots and contexts hold, as far as secrecy goes.
// Model:   docs/core.md, section Tags
// Timing:  empty_o, secret_o combinational; what is issued has its tag from the next cycle on, although its unit still runs: the
//          scoreboard keeps others away until it is done, and a fault ends the program
module rs_tags
  import rs_isa_pkg::*;
(
    input  logic   clk_i,
    input  logic   clear_i,  // all become empty
    // the next instruction, within what is built
    input  instr_t instr_i,
    input  form_t  form_i,
    input  logic   issue_i,
    output logic   empty_o,  // it reads what nothing has written
    output logic   secret_o  // it would store what is not public
);

  tag_e [15:0] group_q;
  logic [3:0] slot_q, context_q;
  tag_e dst, a, b, operand, result;
  logic unused;

  function automatic logic hidden(input tag_e tag);
    return tag == TAG_SECRET || tag == TAG_PRODUCT;
  endfunction

  assign dst = group_q[instr_i.dst];
  assign a   = group_q[instr_i.a];
  assign b   = group_q[instr_i.b];

  // of what is added to dst
  always_comb begin
    operand = a;
    if (form_i.b_group) operand = hidden(a) || hidden(b) ? TAG_PRODUCT : TAG_PUBLIC;
  end

  always_comb begin
    case (form_i.rule)
      RULE_LOADED: result = instr_i.secret ? TAG_SECRET : TAG_PUBLIC;
      RULE_SECRET: result = TAG_SECRET;
      RULE_DST: result = dst;
      RULE_A: result = a;
      RULE_PRODUCT: result = operand;
      RULE_SUM: begin
        // a product that an error masks, or the sum that decrypts
        if (dst == TAG_PRODUCT || operand == TAG_PRODUCT) result = TAG_PUBLIC;
        else if (dst == TAG_SECRET || operand == TAG_SECRET) result = TAG_SECRET;
        else result = TAG_PUBLIC;
      end
      RULE_WORST: begin
        if (dst == TAG_PRODUCT || a == TAG_PRODUCT) result = TAG_PRODUCT;
        else if (dst == TAG_SECRET || a == TAG_SECRET) result = TAG_SECRET;
        else result = TAG_PUBLIC;
      end
      default: result = TAG_PUBLIC;
    endcase
  end

  assign empty_o = (form_i.dst_group && form_i.reads_dst && dst == TAG_EMPTY) ||
      (form_i.a_group && a == TAG_EMPTY) ||
      (form_i.b_group && b == TAG_EMPTY) ||
      (form_i.dst_slot && form_i.reads_dst && !slot_q[instr_i.dst[1:0]]) ||
      (form_i.a_slot && !slot_q[instr_i.a[1:0]]) ||
      (form_i.ctx && !context_q[instr_i.ctx]);
  assign secret_o = form_i.unit == UNIT_STORE && a != TAG_PUBLIC;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      for (int g = 0; g < 16; g++) group_q[g] <= TAG_EMPTY;
      slot_q <= '0;
      context_q <= '0;
    end else if (issue_i) begin
      if (form_i.dst_group) group_q[instr_i.dst] <= result;
      if (form_i.dst_slot) slot_q[instr_i.dst[1:0]] <= 1'b1;
      if (form_i.dst_context) context_q[instr_i.dst[1:0]] <= 1'b1;
    end
  end

  assign unused = ^{instr_i, form_i};

endmodule
