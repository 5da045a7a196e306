// SPDX-License-Identifier: Apache-2.0
// rs_contexts: the constants of the moduli, as they come from memory, and for each unit those of the context that its instruction names.
// Model:   docs/core.md, "Context in memory"
// Params:  W, Contexts
// Bounds:  a context is written while no unit uses it
// Timing:  a unit's constants from the second cycle after header_valid_i on, and from the cycle after a change of its ctx_i
module rs_contexts
  import rs_isa_pkg::*;
#(
    parameter  int unsigned W          = 32,
    parameter  int unsigned Contexts   = 2,
    localparam int unsigned ShiftWidth = $clog2(W - 1)
) (
    input  logic                               clk_i,
    input  logic                               header_valid_i,
    input  logic [CtxBits-1:0]                 header_ctx_i,
    input  logic [      511:0]                 header_i,
    input  logic [  Units-1:0][   CtxBits-1:0] ctx_i,
    output logic [  Units-1:0][         W-1:0] q_o,
    output logic [  Units-1:0][         W+1:0] mu_o,
    output logic [  Units-1:0][ShiftWidth-1:0] shift_o,
    output logic [  Units-1:0][          63:0] ratio64_o,
    output logic [  Units-1:0][          63:0] max_multiple_o,
    output logic [  Units-1:0][         W-1:0] factor_o,
    output logic [  Units-1:0][         W-1:0] constant_o
);
  if (Contexts == 0 || Contexts > 1 << CtxBits) begin : gen_illegal
    $fatal(1, "%m: Contexts %0d is not 1 to %0d", Contexts, 1 << CtxBits);
  end

  localparam int unsigned Bits = 4 * W + 2 + ShiftWidth + 128;

  logic [7:0][63:0] word;
  logic [Bits-1:0] header;
  logic [Contexts-1:0][Bits-1:0] context_q;
  logic unused;

  assign word = header_i;
  assign header = {
    word[7][W-1:0], word[6][W-1:0], word[5], word[4], word[3][ShiftWidth-1:0], (W + 2)'({word[2], word[1]}), word[0][W-1:0]
  };

  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    always_ff @(posedge clk_i) begin
      if (header_valid_i && header_ctx_i == CtxBits'(c)) context_q[c] <= header;
    end
  end

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    always_ff @(posedge clk_i) begin
      {constant_o[u], factor_o[u], max_multiple_o[u], ratio64_o[u], shift_o[u], mu_o[u], q_o[u]} <= context_q[ctx_i[u]];
    end
  end

  assign unused = ^header_i;

endmodule
