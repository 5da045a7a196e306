// SPDX-License-Identifier: Apache-2.0
// rs_store_slots_proof: for ever, by induction: there is room for every word that is on its way, whatever the memory does, and a beat on offer
// stays the same until it is taken.
module rs_store_slots_proof #(
    parameter int unsigned W = 16,
    parameter int unsigned BusBits = 64,
    parameter int unsigned LogNMax = 6
) (
    input logic               clk_i,
    input logic               rst_ni,
    input logic               start_i,
    input logic               clear_i,
    input logic [27:0]        numbers_i,
    input logic [ 4:0]        log_n_i,
    input logic [ 1:0][W-1:0] chunk_data_i,
    input logic               beat_ready_i
);
  logic beat_valid_o;
  logic [BusBits-1:0] beat_o;

  rs_store_slots #(
      .W      (W),
      .LogNMin(LogNMax),
      .LogNMax(LogNMax),
      .Lanes  (1),
      .BusBits(BusBits),
      .V      (2)
  ) u_dut (
      .*,
      .numbers_i(rs_dma_pkg::numbers_t'(numbers_i)),
      .chunk_req_o(),
      .chunk_pos_o(),
      .over_o()
  );

  logic reset_q = 1'b0;
  logic waits_q = 1'b0;
  logic [BusBits-1:0] beat_q;
  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    if (start_i) assume (!beat_valid_o || u_dut.rest_q);  // all that was written before is gone
    waits_q <= reset_q && beat_valid_o && !beat_ready_i && !start_i;
    beat_q  <= beat_o;
  end

  logic [3:0] promised;
  assign promised = 4'(u_dut.room_q) + 4'(u_dut.asked_q[0].valid) + 4'(u_dut.asked_q[1].valid);
  always_ff @(posedge clk_i) begin
    if (reset_q) begin
      assert (promised + 4'(u_dut.fill_q) == 4'(u_dut.Depth));
      assert (32'(u_dut.room_q) <= u_dut.Depth && 32'(u_dut.fill_q) <= u_dut.Depth);
      assert (u_dut.tail_q == 2'(u_dut.head_q + u_dut.fill_q[1:0]));
      assert (!waits_q || (beat_valid_o && beat_o == beat_q));
    end
  end
endmodule
