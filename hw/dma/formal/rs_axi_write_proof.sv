// SPDX-License-Identifier: Apache-2.0
// rs_axi_write_proof: rs_axi_write behind rs_pack, a chunk a beat, for every transfer of a few short bursts, from reset on: beats
//                     come after their burst is announced, in order, as many as AWLEN says, wait unchanged, and are zero, without
//                     a pause, for what was announced before clear_i.
module rs_axi_write_proof #(
    parameter int unsigned BusBits       = 512,
    parameter int unsigned AddrBits      = 8,
    parameter int unsigned Outstanding   = 4,
    parameter int unsigned MaxBurstBytes = 128,
    parameter int unsigned LinesBits     = 3
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic                 start_i,
    input logic                 clear_i,
    input logic [ AddrBits-1:0] addr_i,
    input logic [LinesBits-1:0] lines_i,
    input logic                 chunk_valid_i,
    input logic                 awready_i,
    input logic                 wready_i,
    input logic                 bvalid_i,
    input logic [          1:0] bresp_i
);
  logic busy, drop, error, chunk_ready, beat_valid, beat_ready, awvalid, wvalid, wlast, bready;
  logic [AddrBits-1:0] awaddr;
  logic [7:0] awlen;
  logic [BusBits-1:0] beat, wdata;
  logic [BusBits/8-1:0] wstrb;

  // beats are numbered from 1, so that 0 is no beat; their low bits are enough
  logic [7:0] given_q, sent_q, data, data_q;
  assign data = wdata[7:0];

  rs_pack #(
      .W      (64),
      .BusBits(BusBits),
      .V      (BusBits / 64)
  ) u_pack (
      .clk_i,
      .rst_ni,
      .clear_i      (drop),
      .wide_i       (1'b1),
      .chunk_valid_i(chunk_valid_i),
      .chunk_ready_o(chunk_ready),
      .chunk_i      (BusBits'(given_q + 8'd1)),
      .beat_valid_o (beat_valid),
      .beat_ready_i (beat_ready),
      .beat_o       (beat)
  );

  rs_axi_write #(
      .BusBits      (BusBits),
      .AddrBits     (AddrBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .addr_i,
      .lines_i,
      .busy_o      (busy),
      .drop_o      (drop),
      .error_o     (error),
      .beat_valid_i(beat_valid),
      .beat_ready_o(beat_ready),
      .beat_i      (beat),
      .awvalid_o   (awvalid),
      .awready_i,
      .awid_o      (),
      .awaddr_o    (awaddr),
      .awlen_o     (awlen),
      .awsize_o    (),
      .awburst_o   (),
      .wvalid_o    (wvalid),
      .wready_i,
      .wdata_o     (wdata),
      .wstrb_o     (wstrb),
      .wlast_o     (wlast),
      .bvalid_i,
      .bready_o    (bready),
      .bresp_i
  );

  logic reset_q = 1'b0;
  logic busy_q, started_q, cleared_q, waiting_q, zero_q, wrong_q, last_q, stuck_q;
  logic [7:0] beats_q, announced_q, full_q;  // beats asked for and announced; bursts written, without their answer
  logic [7:0][7:0] ends_q;  // the last beats of the bursts announced, the oldest first
  logic [3:0] count_q;  // of them

  logic announce, send, answer, done;
  assign done = busy_q && !busy;
  assign announce = awvalid && awready_i;
  assign send = wvalid && wready_i;
  assign answer = bvalid_i && bready;

  logic [7:0][7:0] ends;
  logic [3:0] count;
  always_comb begin
    ends  = ends_q;
    count = count_q;
    if (send && wlast) begin
      ends  = {8'd0, ends[7:1]};
      count = count - 1'b1;
    end
    if (announce) begin
      ends[count[2:0]] = announced_q + awlen + 8'd1;
      count = count + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    if (start_i) assume (!busy_q && addr_i[5:0] == '0);
    if (started_q) assume (lines_i < LinesBits'(5));
    // nothing is left of the last transfer, and no beat is more than were asked for
    if (chunk_valid_i) assume (busy_q && !started_q && given_q != beats_q);
    if (bvalid_i) assume (full_q != '0);

    started_q <= rst_ni && start_i;
    waiting_q <= rst_ni && wvalid && !wready_i;
    data_q <= data;
    last_q <= wlast;
    stuck_q <= rst_ni && cleared_q && count_q != '0 && !wvalid;
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      count_q <= '0;
      full_q  <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      cleared_q <= clear_i;
      zero_q <= 1'b0;
      wrong_q <= 1'b0;
      {announced_q, given_q, sent_q} <= '0;
    end else begin
      ends_q  <= ends;
      count_q <= count;
      if (started_q) beats_q <= (8'(lines_i) + 8'd1) * 8'(512 / BusBits);
      if (done) busy_q <= 1'b0;
      if (clear_i) cleared_q <= 1'b1;
      if (announce) announced_q <= announced_q + awlen + 8'd1;
      if (chunk_valid_i && chunk_ready) given_q <= given_q + 8'd1;
      if (send) sent_q <= sent_q + 8'd1;
      if (send && data == '0) zero_q <= 1'b1;
      if (answer && bresp_i != 2'b00) wrong_q <= 1'b1;
      full_q <= full_q + 8'(send && wlast) - 8'(answer);
    end

    if (reset_q) begin
      if (waiting_q) assert (wvalid && data == data_q && wlast == last_q);
      if (stuck_q) assert (wvalid);
      if (wvalid) begin
        assert (busy_q && wstrb == '1);
        assert (count_q != '0 && sent_q < announced_q);
        assert (wlast == (sent_q + 8'd1 == ends_q[0]));
        assert (data == sent_q + 8'd1 ? !zero_q : (data == '0 && cleared_q));
      end
      if (done) begin
        assert (busy_q && !awvalid && !wvalid && full_q == '0 && count_q == '0 && sent_q == announced_q);
        assert (cleared_q || sent_q == beats_q);
        assert (error == wrong_q);
      end
    end
  end
endmodule
