// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm: p = a b R^-1 mod q with R = 2^(WordBits Steps), word-level Montgomery (Mert et al. 2019).
// Model:   lib/src/modarith.h rs_mul_mod, with one factor multiplied by R
// Params:  W 4..64, WordBits < W; Steps = ceil(W / WordBits)
// Bounds:  q = 1 mod 2^WordBits, a b < q R. After all steps x = (a b + M q) / R with M < R, so x < 2q.
//          After s of them x < 2^(2W - s WordBits) + q.
// Timing:  rs_pkg::wlm_latency(W, WordBits); q is held while its data are in flight
module rs_modmul_wlm #(
    parameter int unsigned W        = 32,
    parameter int unsigned WordBits = rs_pkg::WlmWordBits
) (
    input  logic         clk_i,
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] a_i,
    input  logic [W-1:0] b_i,
    output logic [W-1:0] p_o
);

  localparam int unsigned Steps = rs_pkg::ceil_div(W, WordBits);

  if (W < 4 || W > 64 || WordBits < 1 || WordBits >= W) begin : gen_illegal
    $fatal(1, "%m: W %0d is not in 4..64, or WordBits %0d not in 1..W-1", W, WordBits);
  end

  logic [2*W-1:0] x[Steps+1];
  logic [W-1:0] p_d, p_q;

  rs_mul #(
      .WidthA(W),
      .WidthB(W)
  ) u_product (
      .clk_i,
      .a_i,
      .b_i,
      .p_o(x[0])
  );

  for (genvar s = 0; s < Steps; s++) begin : gen_steps
    localparam int unsigned Left = 2 * W - s * WordBits;
    localparam int unsigned WidthIn = s == 0 ? 2 * W : Left + 1;
    localparam int unsigned WidthOut = (Left - WordBits > W && s < Steps - 1 ? Left - WordBits : W) + 1;
    logic [WidthOut-1:0] y;
    rs_modmul_wlm_step #(
        .W       (W),
        .WordBits(WordBits),
        .WidthIn (WidthIn),
        .WidthOut(WidthOut)
    ) u_step (
        .clk_i,
        .qh_i(q_i[W-1:WordBits]),
        .x_i (x[s][WidthIn-1:0]),
        .y_o (y)
    );
    assign x[s+1] = (2 * W)'(y);
  end

  rs_csub #(
      .W(W)
  ) u_csub (
      .x_i(x[Steps][W:0]),
      .q_i,
      .r_o(p_d)
  );

  always_ff @(posedge clk_i) p_q <= p_d;
  assign p_o = p_q;

endmodule
