// SPDX-License-Identifier: Apache-2.0
// rs_handshake: asserts that a beat stays, unchanged, until it is taken.
module rs_handshake #(
    parameter int unsigned Width = 1
) (
    input logic             clk_i,
    input logic             stop_i,   // reset, clear or start: may withdraw a beat
    input logic             valid_i,
    input logic             ready_i,
    input logic [Width-1:0] data_i
);
  logic waiting_q = 1'b0;
  logic [Width-1:0] data_q;

  always_ff @(posedge clk_i) begin
    waiting_q <= valid_i && !ready_i && !stop_i;
    data_q <= data_i;
    if (waiting_q) assert (valid_i && data_i == data_q);
  end
endmodule
