// SPDX-License-Identifier: Apache-2.0
// rs_sample_cbd_formal: two samplers whose bytes differ: their beats come at the same time for ever.
module rs_sample_cbd_formal #(
    parameter int unsigned LanesOut = 2
) (
    input logic                            clk_i,
    input logic                            rst_ni,
    input logic                            clear_i,
    input logic                            start_i,
    input logic [17:0]                     coefs_i,
    input logic                            valid_i,
    input logic [ 1:0][LanesOut-1:0][47:0] data_i
);
  logic [1:0] done, valid;
  for (genvar i = 0; i < 2; i++) begin : gen_twin
    logic signed [LanesOut-1:0][5:0] unused_data;
    rs_sample_cbd #(
        .LanesOut(LanesOut)
    ) u_dut (
        .clk_i,
        .rst_ni,
        .clear_i,
        .start_i,
        .coefs_i,
        .done_o(done[i]),
        .valid_i,
        .data_sec_i(data_i[i]),
        .valid_o(valid[i]),
        .data_sec_o(unused_data)
    );
  end

  logic reset_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_q <= reset_q || !rst_ni;
    if (!reset_q) assume (!rst_ni);
    if (reset_q) begin
      assert (done[0] == done[1] && valid[0] == valid[1]);
      assert (gen_twin[0].u_dut.left_q == gen_twin[1].u_dut.left_q && gen_twin[0].u_dut.more_q == gen_twin[1].u_dut.more_q);
      assert (gen_twin[0].u_dut.parts_valid_q == gen_twin[1].u_dut.parts_valid_q);
    end
  end
endmodule
