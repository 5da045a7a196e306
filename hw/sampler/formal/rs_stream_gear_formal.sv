// SPDX-License-Identifier: Apache-2.0
// rs_stream_gear_formal: what waits does not change, what is not there is zero, residues are whole grains; byte positions are tested.
module rs_stream_gear_formal #(
    parameter int unsigned InBytes  = 136,
    parameter int unsigned OutBytes = 24,
    parameter int unsigned AltBytes = 1
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic                 alt_i,
    input logic                 valid_i,
    input logic                 ready_i,
    input logic [8*InBytes-1:0] data_i
);
  logic ready, valid;
  logic [8*OutBytes-1:0] data;
  rs_stream_gear #(
      .InBytes (InBytes),
      .OutBytes(OutBytes),
      .AltBytes(AltBytes)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .clear_i(!rst_ni),
      .alt_i,
      .valid_i,
      .ready_o(ready),
      .data_i,
      .valid_o(valid),
      .ready_i,
      .data_o (data)
  );

  // alt_i changes in the cycle after clear_i
  logic alt_q, rst_q;
  always_ff @(posedge clk_i) begin
    alt_q <= alt_i;
    rst_q <= rst_ni;
    if (rst_q) assume (alt_i == alt_q);
  end

  // with alternative beats only the low AltBytes bytes of data_o are part of the beat
  logic [8*OutBytes-1:0] beat;
  assign beat = alt_i ? data & (8 * OutBytes)'({8 * AltBytes{1'b1}}) : data;

  rs_handshake #(
      .Width(8 * OutBytes)
  ) u_handshake (
      .clk_i,
      .stop_i (!rst_ni),
      .valid_i(valid),
      .ready_i,
      .data_i (beat)
  );

  logic reset_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_q <= reset_q || !rst_ni;
    if (!reset_q) assume (!rst_ni);
    if (reset_q) begin
      assert (32'(u_dut.count_q) <= InBytes + OutBytes);
      assert (u_dut.bytes_q >> {u_dut.count_q, 3'b000} == '0);
      if (alt_i)
        assert (32'(u_dut.count_q) % AltBytes == 0 && 32'(u_dut.count_q) <= InBytes);
        else assert (32'(u_dut.count_q) % u_dut.Grain == 0 && 32'(u_dut.count_q) <= u_dut.Capacity);
    end
  end
endmodule
