// SPDX-License-Identifier: Apache-2.0
// rs_lift_formal: rs_lift_small, rs_lift_lane with rs_lift_onto and rs_round_bit against integers, for every modulus of W bits and all values.
// Params:  W: at least 7
module rs_lift_formal #(
    parameter int unsigned W = 8
) (
    input logic                clk_i,
    input logic        [W-1:0] q_i,
    input logic        [W-1:0] factor_i,
    input logic                scale_i,
    input logic                valid_i,
    input logic                below_i,
    input logic signed [  5:0] value_i,
    input logic signed [  5:0] error_i,
    input logic        [W-1:0] addend_i,
    input logic        [W-1:0] residue_i
);
  logic [W-1:0] least;
  rs_lift_small #(
      .W(W)
  ) u_small (
      .q_i,
      .factor_i,
      .scale_i,
      .value_sec_i  (value_i),
      .residue_sec_o(least)
  );

  logic [W-1:0] lifted;
  rs_lift_lane #(
      .W(W)
  ) u_lane (
      .clk_i,
      .en_i         (1'b1),
      .q_i,
      .factor_i,
      .scale_i,
      .valid_i,
      .value_sec_i  (value_i),
      .addend_sec_i (addend_i),
      .below_i,
      .residue_sec_o(lifted)
  );

  logic [W-1:0] both;
  rs_lift_onto #(
      .W(W)
  ) u_onto (
      .clk_i,
      .en_i   (1'b1),
      .q_i,
      .below_i,
      .a_sec_i(lifted),
      .b_sec_i(residue_i),
      .r_sec_o(both)
  );

  logic wrap;
  rs_round_bit #(
      .W(W)
  ) u_round (
      .clk_i,
      .en_i       (1'b1),
      .q_i,
      .error_sec_i(error_i),
      .value_sec_i(residue_i),
      .wrap_sec_o (wrap)
  );

  int q, value, sum, both_sum, half_sum;
  assign q = int'(q_i);
  assign value = int'(value_i) * (scale_i ? int'(factor_i) : 1);
  assign sum = value + int'(addend_i);
  assign both_sum = sum + int'(residue_i);
  assign half_sum = int'(residue_i) + int'(error_i) + q / 2;

  always_comb begin
    assume (q > 64 && q_i[0] && addend_i < q_i && residue_i < q_i && factor_i != '0 && factor_i < q_i);
    if (scale_i) assume (value_i >= -6'sd1 && value_i <= 6'sd1);
    assert (least < q_i && (int'(least) == value || int'(least) == value + q));
    // the only number below q that differs from the sum by so many times q: a value is above -q and below q
    if (valid_i && !below_i) begin
      assert (lifted < q_i && (int'(lifted) == sum || int'(lifted) == sum + q || int'(lifted) == sum - q));
    end
    if (valid_i && below_i) begin
      assert (both < q_i && (int'(both) == both_sum || int'(both) == both_sum + q || int'(both) == both_sum - q ||
                             int'(both) == both_sum - 2 * q));
    end
    // zeros leave nothing
    if (!valid_i && !below_i && addend_i == '0) assert (lifted == '0);
    assert (half_sum >= 0 && half_sum < 2 * q && wrap == (half_sum >= q));
  end
endmodule
