// SPDX-License-Identifier: Apache-2.0
// rs_dma_store_proof: for ever, by induction: there is room for every chunk that is on its way, whatever the memory does.
module rs_dma_store_proof #(
    parameter int unsigned W = 16,
    parameter int unsigned BusBits = 64,
    parameter int unsigned LogNMax = 6,
    parameter int unsigned BurstLines = 1,
    parameter bit Short = 1'b0,
    localparam int unsigned V = rs_dma_pkg::chunk_words(W, 1, BusBits)
) (
    input logic                clk_i,
    input logic                rst_ni,
    input logic                start_i,
    input logic                clear_i,
    input logic                wide_i,
    input logic                half_i,
    input logic [  4:0]        log_n_i,
    input logic [V-1:0][W-1:0] chunk_data_i,
    input logic                awready_i,
    input logic                wready_i,
    input logic                bvalid_i
);
  rs_dma_store #(
      .W         (W),
      .LogNMax   (LogNMax),
      .Lanes     (1),
      .BusBits   (BusBits),
      .BurstLines(BurstLines),
      .Short     (Short)
  ) u_dut (
      .*,
      .instr_i(64'(wide_i) << rs_isa_pkg::WideLsb | 64'(Short && half_i) << rs_isa_pkg::HalfLsb),
      .addr_i(64'd0),
      .done_o(),
      .fault_o(),
      .chunk_req_o(),
      .chunk_pos_o(),
      .write_o(),
      .write_i('{aw_ready: awready_i, w_ready: wready_i, b_valid: bvalid_i, b_id: '0, b_resp: '0}),
      .wdata_o()
  );

  logic reset_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    assume (32'(log_n_i) >= 4 + $clog2(BurstLines) && 32'(log_n_i) <= LogNMax);
    if (start_i) assume (!u_dut.u_write.busy_o);
    if (bvalid_i)
      assume (5'(u_dut.u_write.u_address.free_q) + 5'(u_dut.u_write.u_address.valid_q) + 5'(u_dut.u_write.answer_q) < 5'd8);
  end

  // places of rs_transpose: rs_dma_store counts in them, or has a queue in front of them
  localparam int unsigned Places = 16 * BurstLines;
  localparam int unsigned Under = 4;
  logic [7:0] promised, held;
  assign promised = 8'(u_dut.room_q) + 8'(u_dut.coming_q[0]) + 8'(u_dut.coming_q[1]);

  if (Places - Places / V + 1 + Under <= Places) begin : gen_direct
    assign held = 8'(u_dut.u_transpose.gen_banks.count_q);
    always_ff @(posedge clk_i) begin
      if (reset_q) begin
        assert (u_dut.drop || promised + 8'(u_dut.gen_direct.there_q) + held == 8'(Places));
        assert (!u_dut.drop || clear_i ||
                (32'(u_dut.room_q) == Places && 32'(promised) == Places && !u_dut.gen_direct.there_q && held == '0));
        assert (!u_dut.u_write.drop_q || !u_dut.more_q);
        assert (32'(u_dut.room_q) <= Places && 32'(held) <= Places);
        assert (u_dut.u_transpose.gen_banks.full_q == (32'(held) == Places));
        assert (u_dut.drop || !u_dut.gen_direct.there_q || u_dut.column_ready);
      end
    end
  end else begin : gen_queue
    assign held = 8'(u_dut.gen_queue.fill_q);
    always_ff @(posedge clk_i) begin
      if (reset_q)
        assert (promised + held == 8'(u_dut.Depth)
                && 32'(u_dut.room_q) <= u_dut.Depth && 32'(u_dut.gen_queue.fill_q) <= u_dut.Depth
                && u_dut.gen_queue.tail_q == 2'(u_dut.gen_queue.head_q + u_dut.gen_queue.fill_q[1:0]));
    end
  end
endmodule
