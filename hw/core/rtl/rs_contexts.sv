// SPDX-License-Identifier: Apache-2.0
// rs_contexts: the constants of the moduli, as they come from memory, for the units that ask by context.
// Model:   docs/core.md, "Context in memory"
// Params:  W, Contexts
// Bounds:  a context is written while no unit uses it
// Timing:  constants from the cycle after header_valid_i on
module rs_contexts #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned Contexts   = 2,
    localparam int unsigned ShiftWidth = $clog2(W - 1),
    localparam int unsigned CtxBits    = 2
) (
    input  logic                                clk_i,
    input  logic                                header_valid_i,
    input  logic [ CtxBits-1:0]                 header_ctx_i,
    input  logic [       511:0]                 header_i,
    output logic [Contexts-1:0][         W-1:0] q_o,
    output logic [Contexts-1:0][         W+1:0] mu_o,
    output logic [Contexts-1:0][ShiftWidth-1:0] shift_o,
    output logic [Contexts-1:0][          63:0] ratio64_o,
    output logic [Contexts-1:0][          63:0] max_multiple_o,
    output logic [Contexts-1:0][         W-1:0] factor_o,
    output logic [Contexts-1:0][         W-1:0] constant_o
);
  if (Contexts == 0 || Contexts > 1 << CtxBits) begin : gen_illegal
    $fatal(1, "%m: Contexts %0d is not 1 to %0d", Contexts, 1 << CtxBits);
  end

  logic [7:0][63:0] word;
  assign word = header_i;

  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    always_ff @(posedge clk_i) begin
      if (header_valid_i && header_ctx_i == CtxBits'(c)) begin
        q_o[c]            <= word[0][W-1:0];
        mu_o[c]           <= (W + 2)'({word[2], word[1]});
        shift_o[c]        <= word[3][ShiftWidth-1:0];
        ratio64_o[c]      <= word[4];
        max_multiple_o[c] <= word[5];
        factor_o[c]       <= word[6][W-1:0];
        constant_o[c]     <= word[7][W-1:0];
      end
    end
  end

  logic unused;
  assign unused = ^header_i;

endmodule
