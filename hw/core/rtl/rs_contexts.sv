// SPDX-License-Identifier: Apache-2.0
// rs_contexts: the constants of the moduli, as they come from memory, and for each unit those of the context that its instruction names.
// Model:   docs/core.md, "Context in memory"
// Params:  W, Contexts, BusBits; Encode: compute_factor_i is there
// Bounds:  a context is written while no unit uses it: beat i of its header where write_i[i] is set last, then header_valid_i
// Timing:  a unit's constants from the cycle after header_valid_i on, and from the cycle after a change of its ctx_i, or of
//          compute_factor_i. Between these they are not even clocked
module rs_contexts
  import rs_isa_pkg::*;
#(
    parameter  int unsigned W        = 32,
    parameter  int unsigned Contexts = 2,
    parameter  int unsigned BusBits  = 64,
    parameter  bit          Encode   = 1'b0,
    localparam int unsigned Beats    = 512 / BusBits
) (
    input  logic                                    clk_i,
    input  logic [      Beats-1:0]                  write_i,
    input  logic [    BusBits-1:0]                  beat_i,
    input  logic                                    header_valid_i,
    input  logic [ContextBits-1:0]                  header_ctx_i,
    input  logic [      Units-1:0][ContextBits-1:0] ctx_i,
    input  logic                                    compute_factor_i,  // COMPUTE's constant is the factor
    output logic [      Units-1:0][          W-1:0] q_o,
    output logic [      Units-1:0][           63:0] ratio64_o,
    output logic [      Units-1:0][           63:0] max_multiple_o,
    output logic [      Units-1:0][          W-1:0] factor_o,
    output logic [      Units-1:0][          W-1:0] constant_o
);
  if (Contexts == 0 || Contexts > 1 << ContextBits) begin : gen_illegal
    $fatal(1, "%m: Contexts %0d is not 1 to %0d", Contexts, 1 << ContextBits);
  end

  localparam int unsigned Bits = 3 * W + 128;
  localparam int unsigned SelectBits = Contexts > 1 ? $clog2(Contexts) : 1;  // no instruction names what is not built

  logic [Contexts-1:0][Bits-1:0] constants;

  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    logic [7:0][63:0] word_q;
    logic unused;
    always_ff @(posedge clk_i) begin
      for (int unsigned w = 0; w < 8; w++) begin
        if (write_i[64*w/BusBits] && header_ctx_i == ContextBits'(c)) word_q[w] <= beat_i[64*w%BusBits+:64];
      end
    end
    assign constants[c] = {word_q[7][W-1:0], word_q[6][W-1:0], word_q[5], word_q[4], word_q[0][W-1:0]};
    assign unused = ^word_q;
  end

  if (!Encode) begin : gen_constants_alone
    logic unused_factor;
    assign unused_factor = compute_factor_i;
  end

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    // what is compared is what selects: a number with other bits set, as a unit without a context may have, is no other context
    logic [SelectBits-1:0] ctx, ctx_q;
    logic other, other_q;
    logic [W-1:0] constant, factor;
    assign ctx = ctx_i[u][SelectBits-1:0];
    assign other = Encode && u == int'(UNIT_COMPUTE) && compute_factor_i;
    assign {constant, factor} = constants[ctx][Bits-1-:2*W];
    always_ff @(posedge clk_i) begin
      ctx_q   <= ctx;
      other_q <= other;
      if (header_valid_i || ctx != ctx_q || other != other_q) begin
        {max_multiple_o[u], ratio64_o[u], q_o[u]} <= constants[ctx][Bits-1-2*W:0];
        factor_o[u] <= factor;
        constant_o[u] <= other ? factor : constant;
      end
    end
  end

endmodule
