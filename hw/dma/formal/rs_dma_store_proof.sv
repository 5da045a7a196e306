// SPDX-License-Identifier: Apache-2.0
// rs_dma_store_proof: for ever, by induction: there is room for every chunk that is on its way, whatever the memory does.
module rs_dma_store_proof #(
    parameter int unsigned W = 16,
    parameter int unsigned BusBits = 64,
    parameter int unsigned LogNMax = 6
) (
    input logic              clk_i,
    input logic              rst_ni,
    input logic              start_i,
    input logic              clear_i,
    input logic              wide_i,
    input logic [4:0]        log_n_i,
    input logic [1:0][W-1:0] chunk_data_i,
    input logic              awready_i,
    input logic              wready_i,
    input logic              bvalid_i
);
  logic bready;

  rs_dma_store #(
      .W      (W),
      .LogNMax(LogNMax),
      .Lanes  (1),
      .BusBits(BusBits)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .instr_i    (64'(wide_i) << rs_isa_pkg::WideLsb),
      .clear_i,
      .addr_i     (64'd0),
      .log_n_i,
      .done_o     (),
      .fault_o    (),
      .chunk_req_o(),
      .chunk_pos_o(),
      .chunk_data_i,
      .awvalid_o  (),
      .awready_i,
      .awid_o     (),
      .awaddr_o   (),
      .awlen_o    (),
      .awsize_o   (),
      .awburst_o  (),
      .wvalid_o   (),
      .wready_i,
      .wdata_o    (),
      .wstrb_o    (),
      .wlast_o    (),
      .bvalid_i,
      .bready_o   (bready),
      .bresp_i    (2'b00)
  );

  logic reset_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    assume (log_n_i >= 5'd4 && 32'(log_n_i) <= LogNMax);
    if (start_i) assume (!u_dut.u_write.busy_o);
    if (bvalid_i)
      assume (5'(u_dut.u_write.u_address.free_q) + 5'(u_dut.u_write.u_address.valid_q) + 5'(u_dut.u_write.answer_q) < 5'd8);
    if (reset_q)
      assert (3'(u_dut.room_q) + u_dut.fill_q + 3'(u_dut.coming_q[0]) + 3'(u_dut.coming_q[1]) == 3'(u_dut.Depth)
              && 32'(u_dut.room_q) <= u_dut.Depth && 32'(u_dut.fill_q) <= u_dut.Depth
              && u_dut.tail_q == 2'(u_dut.head_q + u_dut.fill_q[1:0]));
  end
endmodule
