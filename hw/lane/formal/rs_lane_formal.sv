// SPDX-License-Identifier: Apache-2.0
// rs_lane_formal: the algebra of all operations, for every modulus and all residues, around any multiplier.
// Params:  W
module rs_lane_formal #(
    parameter int unsigned W = 5
) (
    input logic                     clk_i,
    input logic             [W-1:0] q_i,
    input rs_pkg::lane_op_e         op_i,
    input logic                     rinse_i,
    input logic             [W-1:0] x_i,
    input logic             [W-1:0] y_i,
    input logic             [W-1:0] w_i
);
  import rs_pkg::*;

  logic [W-1:0] a, b;

  rs_lane #(
      .W(W)
  ) u_dut (
      .clk_i,
      .q_i,
      .op_i,
      .rinse_i,
      .x_i,
      .y_i,
      .gs_x_i       (x_i),
      .gs_y_i       (y_i),
      .w_i,
      .a_o          (a),
      .b_o          (b),
      .fixed_i      (1'b0),
      .second_i     (1'b0),
      .of_im_i      (1'b0),
      .minus_i      (1'b0),
      .factor_o     (),
      .partner_i    ('0),
      .factor_over_o(),
      .sum_over_o   ()
  );

  logic [W-1:0] factor, product;
  assign factor = op_i == LANE_GS ? half(sub(x_i, y_i)) : y_i;

  rs_modmul #(
      .W(W)
  ) u_product (
      .clk_i,
      .fixed_i(1'b0),
      .q_i,
      .a_i(factor),
      .b_i(w_i),
      .p_o(product)
  );

  function automatic logic [W-1:0] add(input logic [W-1:0] u, input logic [W-1:0] v);
    logic [W:0] s = {1'b0, u} + {1'b0, v};
    return s >= {1'b0, q_i} ? W'(s - {1'b0, q_i}) : W'(s);
  endfunction

  function automatic logic [W-1:0] sub(input logic [W-1:0] u, input logic [W-1:0] v);
    return u >= v ? u - v : u + (q_i - v);
  endfunction

  function automatic logic [W-1:0] half(input logic [W-1:0] u);
    logic [W:0] s = {1'b0, u} + (u[0] ? {1'b0, q_i} : '0);
    return s[W:1];
  endfunction

  always_comb begin
    assume (q_i[0]);
    assume (x_i < q_i && y_i < q_i && w_i < q_i);
    case (op_i)
      LANE_CT:   assert (a == add(x_i, product) && b == sub(x_i, product));
      LANE_GS:   assert (a == half(add(x_i, y_i)) && b == sub('0, product));
      LANE_MUL:  assert (a == product);
      LANE_MAC:  assert (a == add(x_i, product));
      LANE_MSUB: assert (a == sub(x_i, product));
      LANE_ADD:  assert (a == add(x_i, y_i));
      LANE_SUB:  assert (a == sub(x_i, y_i));
      default:   ;
    endcase
  end

endmodule
