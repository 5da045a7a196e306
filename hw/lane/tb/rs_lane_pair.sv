// SPDX-License-Identifier: Apache-2.0
// rs_lane_pair: two lanes as FFT and IFFT use them: lane 0 has re and lane 1 im of a butterfly.
module rs_lane_pair #(
    parameter int unsigned W = 32
) (
    input  logic                            clk_i,
    input  logic             [W-1:0]        q_i,
    input  rs_pkg::lane_op_e                op_i,
    input  logic                            fixed_i,
    input  logic                            second_i,
    input  logic             [  1:0]        minus_i,
    input  logic             [  1:0][W-1:0] x_i,
    input  logic             [  1:0][W-1:0] y_i,
    input  logic             [W-1:0]        w_i,
    output logic             [  1:0][W-1:0] a_o,
    output logic             [  1:0][W-1:0] b_o,
    output logic                            factor_over_o,
    output logic                            sum_over_o
);
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned Latency = rs_pkg::lane_latency(W);  // for testbenches
  /* verilator lint_on UNUSEDPARAM */

  logic [1:0][W:0] factor;
  logic [1:0] factor_over, sum_over;

  for (genvar lane = 0; lane < 2; lane++) begin : gen_lane
    rs_lane #(
        .W     (W),
        .Encode(1'b1)
    ) u_lane (
        .clk_i,
        .q_i,
        .op_i,
        .rinse_i      (1'b0),
        .x_i          (x_i[lane]),
        .y_i          (y_i[lane]),
        .w_i,
        .gs_x_i       (x_i[lane]),
        .gs_y_i       (y_i[lane]),
        .a_o          (a_o[lane]),
        .b_o          (b_o[lane]),
        .fixed_i,
        .second_i,
        .of_im_i      (1'b0),
        .minus_i      (minus_i[lane]),
        .factor_o     (factor[lane]),
        .partner_i    (factor[1-lane]),
        .factor_over_o(factor_over[lane]),
        .sum_over_o   (sum_over[lane])
    );
  end
  assign factor_over_o = factor_over != '0;
  assign sum_over_o = sum_over != '0;
endmodule
