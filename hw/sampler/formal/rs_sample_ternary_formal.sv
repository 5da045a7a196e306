// SPDX-License-Identifier: Apache-2.0
// rs_sample_ternary_formal: two samplers whose bytes differ: handshakes are equal for ever, as long as the budget suffices for both; the
// assertions inside (the buffer never overflows and is empty after the flush) are proved with it.
module rs_sample_ternary_formal #(
    parameter int unsigned LanesOut = 4,
    parameter int unsigned BytesIn  = 1
) (
    input logic                       clk_i,
    input logic                       rst_ni,
    input logic                       clear_i,
    input logic                       start_i,
    input logic [17:0]                coefs_i,
    input logic [15:0]                blocks_i,
    input logic                       valid_i,
    input logic [ 1:0][8*BytesIn-1:0] data_i
);
  // state_e
  localparam logic [1:0] Idle = 2'd0;
  localparam logic [1:0] Flush = 2'd2;

  logic [1:0] done, ready, valid;
  logic reset_q = 1'b0;

  for (genvar i = 0; i < 2; i++) begin : gen_twin
    logic unused_keep;
    logic [15:0] limit;
    logic signed [LanesOut-1:0][1:0] unused_data;
    rs_sample_ternary #(
        .LanesOut(LanesOut),
        .BytesIn (BytesIn)
    ) u_dut (
        .clk_i,
        .rst_ni,
        .clear_i,
        .start_i,
        .coefs_i,
        .blocks_i,
        .limit_o(limit),
        .done_o(done[i]),
        .valid_i,
        .ready_o(ready[i]),
        .data_sec_i(data_i[i]),
        .valid_o(valid[i]),
        .keep_o(unused_keep),
        .data_sec_o(unused_data)
    );
    // the budget suffices
    always_ff @(posedge clk_i) begin
      if (u_dut.state_q == Flush && 32'(u_dut.flush_q) == 1) assume (!u_dut.more_d);
    end
  end

  always_ff @(posedge clk_i) begin
    reset_q <= reset_q || !rst_ni;
    if (!reset_q) assume (!rst_ni);
    if (reset_q) begin
      assert (done[0] == done[1] && ready[0] == ready[1] && valid[0] == valid[1]);
      assert (gen_twin[0].limit == gen_twin[1].limit && gen_twin[0].u_dut.state_q == gen_twin[1].u_dut.state_q);
      assert (gen_twin[0].u_dut.halves_valid_q == gen_twin[1].u_dut.halves_valid_q);
      if (gen_twin[0].u_dut.state_q != Idle) begin
        assert (gen_twin[0].u_dut.blocks_q == gen_twin[1].u_dut.blocks_q && gen_twin[0].u_dut.beat_q == gen_twin[1].u_dut.beat_q);
        assert (gen_twin[0].u_dut.credit_q == gen_twin[1].u_dut.credit_q);
        if (gen_twin[0].u_dut.state_q == Flush) assert (gen_twin[0].u_dut.flush_q == gen_twin[1].u_dut.flush_q);
      end
    end
  end
endmodule
