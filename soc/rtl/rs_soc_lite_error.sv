// SPDX-License-Identifier: Apache-2.0
// rs_soc_lite_error: the AXI4-Lite slave of addresses where nothing is: DECERR, reads give 0.
// Model:   soc/tb/test_rs_soc_lite_split.py
// Params:  none
// Bounds:  one access at a time
// Timing:  the answer one cycle after the access
module rs_soc_lite_error (
    input logic clk_i,
    input logic rst_ni,

    input  rs_soc_pkg::lite_req_t s_i,
    output rs_soc_pkg::lite_rsp_t s_o
);
  logic b_valid_q, r_valid_q;

  assign s_o.aw_ready = s_i.aw_valid && s_i.w_valid && !b_valid_q;
  assign s_o.w_ready = s_o.aw_ready;
  assign s_o.ar_ready = !r_valid_q;
  assign {s_o.b_valid, s_o.b_resp} = {b_valid_q, 2'b11};
  assign {s_o.r_valid, s_o.r_resp, s_o.r_data} = {r_valid_q, 2'b11, 32'd0};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q <= 1'b0;
      r_valid_q <= 1'b0;
    end else begin
      b_valid_q <= b_valid_q ? !s_i.b_ready : s_o.aw_ready;
      r_valid_q <= r_valid_q ? !s_i.r_ready : s_i.ar_valid;
    end
  end

  logic unused_bits;
  assign unused_bits = ^s_i;
endmodule
