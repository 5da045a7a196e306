// SPDX-License-Identifier: Apache-2.0
// rs_axi_write_proof: rs_axi_write behind rs_pack, a chunk a beat, for every transfer of a few short bursts, from reset on: beats
//                     come not before their burst is on offer, in order, as many as AWLEN says, wait unchanged, and are zero, without
//                     a pause, for what was on offer before clear_i. Neither valid waits for a ready: the first address comes three
//                     cycles after start_i, and a beat of a burst on offer comes as soon as it is there, whatever the memory takes.
module rs_axi_write_proof #(
    parameter int unsigned BusBits       = 512,
    parameter int unsigned AddrBits      = 10,
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
  logic busy_o, drop_o, error_o, chunk_ready, beat_valid_i, beat_ready_o, awvalid, wvalid, wlast, bready;
  logic [7:0] awlen;
  logic [BusBits-1:0] beat_i, wdata_o;
  rs_axi_pkg::write_req_t write_o;
  assign {awvalid, awlen, wvalid, wlast, bready} = {
    write_o.aw_valid, write_o.aw.len, write_o.w_valid, write_o.w_last, write_o.b_ready
  };

  // beats are numbered from 1, so that 0 is no beat; their low bits are enough
  logic [7:0] given_q, sent_q, data, data_q;
  assign data = wdata_o[7:0];

  rs_pack #(
      .W      (64),
      .BusBits(BusBits),
      .V      (BusBits / 64)
  ) u_pack (
      .clk_i,
      .rst_ni,
      .clear_i      (drop_o),
      .wide_i       (1'b1),
      .chunk_valid_i(chunk_valid_i),
      .chunk_ready_o(chunk_ready),
      .chunk_i      (BusBits'(given_q + 8'd1)),
      .beat_valid_o (beat_valid_i),
      .beat_ready_i (beat_ready_o),
      .beat_o       (beat_i)
  );

  rs_axi_write #(
      .BusBits      (BusBits),
      .AddrBits     (AddrBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits)
  ) u_dut (
      .*,
      .streams_i(1'b0),
      .pairs_i(1'b0),
      .run_i(2'd0),
      .half_i(1'b0),
      .write_i('{aw_ready: awready_i, w_ready: wready_i, b_valid: bvalid_i, b_id: '0, b_resp: bresp_i})
  );

  logic reset_q = 1'b0;
  logic busy_q, started_q, cleared_q, waiting_q, offered_q, zero_q, wrong_q, last_q;
  logic [7:0] beats_q, announced_q;  // beats asked for, and those of the bursts on offer or taken
  logic [7:0] taken_q, written_q, answered_q;  // bursts: their address, all their beats, their answer
  logic [2:0] age_q;  // cycles since start_i, at most 7
  logic [7:0][7:0] ends_q;  // the last beats of the bursts on offer or taken, the oldest first
  logic [3:0] count_q;  // how many of them

  logic announce, take, send, answer, done;
  assign done = busy_q && !busy_o;
  assign announce = awvalid && !offered_q;
  assign take = awvalid && awready_i;
  assign send = wvalid && wready_i;
  assign answer = bvalid_i && bready;

  // with the burst that goes on offer in this cycle
  logic [7:0][7:0] ends;
  logic [3:0] count;
  logic [7:0] announced;
  always_comb begin
    ends = ends_q;
    count = count_q;
    announced = announced_q;
    if (announce) begin
      announced = announced_q + awlen + 8'd1;
      ends[count_q[2:0]] = announced;
      count = count_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    if (start_i) assume (!busy_q && addr_i[5:0] == '0);
    if (started_q) assume (lines_i < LinesBits'(5));
    // nothing is left of the last transfer, and no beat is more than were asked for
    if (chunk_valid_i) assume (busy_q && !started_q && given_q != beats_q);
    if (bvalid_i) assume (answered_q < taken_q && answered_q < written_q);

    started_q <= rst_ni && start_i;
    waiting_q <= rst_ni && wvalid && !wready_i;
    offered_q <= rst_ni && awvalid && !awready_i;
    data_q <= data;
    last_q <= wlast;
    if (!rst_ni) begin
      busy_q <= 1'b0;
      count_q <= '0;
      {announced_q, taken_q, written_q, answered_q} <= '0;
    end else if (start_i) begin
      busy_q <= 1'b1;
      cleared_q <= clear_i;
      zero_q <= 1'b0;
      wrong_q <= 1'b0;
      age_q <= 3'd1;
      {announced_q, given_q, sent_q, taken_q, written_q, answered_q} <= '0;
    end else begin
      ends_q <= send && wlast ? {8'd0, ends[7:1]} : ends;
      count_q <= count - 4'(send && wlast);
      announced_q <= announced;
      if (started_q) beats_q <= (8'(lines_i) + 8'd1) * 8'(512 / BusBits);
      if (done) busy_q <= 1'b0;
      if (clear_i) cleared_q <= 1'b1;
      if (age_q != '1) age_q <= age_q + 1'b1;
      if (chunk_valid_i && chunk_ready) given_q <= given_q + 8'd1;
      if (send) sent_q <= sent_q + 8'd1;
      if (send && data == '0) zero_q <= 1'b1;
      if (answer && bresp_i != 2'b00) wrong_q <= 1'b1;
      taken_q <= taken_q + 8'(take);
      written_q <= written_q + 8'(send && wlast);
      answered_q <= answered_q + 8'(answer);
    end

    if (reset_q) begin
      if (waiting_q) assert (wvalid && data == data_q && wlast == last_q);
      // no ready decides whether a valid comes
      if (busy_q && age_q == 3'd3 && !cleared_q) assert (awvalid);
      assert (wvalid == (count != '0 && (beat_valid_i || (cleared_q && busy_q))));
      if (bvalid_i) assert (bready);
      if (wvalid) begin
        assert (busy_q);
        assert (sent_q < announced);
        assert (wlast == (sent_q + 8'd1 == ends[0]));
        assert (data == sent_q + 8'd1 ? !zero_q : (data == '0 && cleared_q));
      end
      if (done) begin
        assert (busy_q && !awvalid && !wvalid && count_q == '0 && sent_q == announced_q);
        assert (answered_q == written_q && written_q == taken_q);
        assert (cleared_q || sent_q == beats_q);
        assert (error_o == wrong_q);
      end
    end
  end
endmodule
