// SPDX-License-Identifier: Apache-2.0
// rs_soc_lite_error: the AXI4-Lite slave of addresses where nothing is: DECERR, reads give 0.
// Model:   soc/tb/test_rs_soc_lite_split.py
// Params:  none
// Bounds:  one access at a time
// Timing:  the answer one cycle after the access
module rs_soc_lite_error (
    input logic clk_i,
    input logic rst_ni,

    input  logic        s_awvalid,
    output logic        s_awready,
    input  logic        s_wvalid,
    output logic        s_wready,
    output logic        s_bvalid,
    input  logic        s_bready,
    output logic [ 1:0] s_bresp,
    input  logic        s_arvalid,
    output logic        s_arready,
    output logic        s_rvalid,
    input  logic        s_rready,
    output logic [31:0] s_rdata,
    output logic [ 1:0] s_rresp
);
  logic b_valid_q, r_valid_q;

  assign s_awready = s_awvalid && s_wvalid && !b_valid_q;
  assign s_wready = s_awready;
  assign s_arready = !r_valid_q;
  assign {s_bvalid, s_bresp} = {b_valid_q, 2'b11};
  assign {s_rvalid, s_rresp, s_rdata} = {r_valid_q, 2'b11, 32'd0};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q <= 1'b0;
      r_valid_q <= 1'b0;
    end else begin
      b_valid_q <= b_valid_q ? !s_bready : s_awready;
      r_valid_q <= r_valid_q ? !s_rready : s_arvalid;
    end
  end
endmodule
