// SPDX-License-Identifier: Apache-2.0
// rs_axi_address_proof: for ever, by induction: bursts are legal, follow one another, add up to what was asked, stay on offer until
//                       they are taken, and never too many are without their answer. No burst waits for ready_i: the next one is
//                       on offer in the cycle after the one ahead of it was taken, unless too many are without their answer. A transfer
//                       may begin before the one ahead of it is answered.
module rs_axi_address_proof #(
    parameter  int unsigned BusBits       = 64,
    parameter  int unsigned AddrBits      = 20,
    parameter  int unsigned Outstanding   = 5,
    parameter  int unsigned MaxBurstBytes = 1024,
    parameter  int unsigned LinesBits     = 10,
    localparam int unsigned BurstLines    = (MaxBurstBytes < 32 * BusBits ? MaxBurstBytes : 32 * BusBits) / 64,
    localparam int unsigned LowBits       = LinesBits > $clog2(BurstLines) ? LinesBits : $clog2(BurstLines)
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic                 start_i,
    input logic                 clear_i,
    input logic [ AddrBits-1:0] addr_i,
    input logic [LinesBits-1:0] lines_i,
    input logic                 answer_i,
    input logic                 ready_i
);
  logic busy_o, asking_o, valid_o, offer_o;
  logic [AddrBits-1:0] addr_o;
  logic [7:0] len_o;

  rs_axi_address #(
      .BusBits      (BusBits),
      .AddrBits     (AddrBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits)
  ) u_dut (
      .*,
      .streams_i(1'b0),
      .pairs_i  (1'b0),
      .run_i    (2'd0),
      .half_i   (1'b0),
      .log_o    ()
  );

  rs_axi_channel_check #(
      .AddrBits   (AddrBits),
      .Outstanding(Outstanding),
      .LowBits    (LowBits)
  ) u_check (
      .*
  );

  // what the memory has seen of this transfer
  logic [31:0] size;
  logic [31:0] asked_q, announced_q;  // lines
  logic [AddrBits-1:0] next_q;
  logic offer_q, many_q, counted_q, cleared, at_hand;

  assign size = (32'(len_o) + 32'd1) * (BusBits / 8);
  assign cleared = u_check.cleared_q;
  assign at_hand = u_check.at_hand;

  // what the registers say is left
  logic [31:0] place, left;
  logic [AddrBits-7:0] after_this;  // where the next burst is to be
  assign place = 32'(u_dut.line_q[$clog2(BurstLines)-1:0]);
  assign after_this = (u_dut.line_q | (AddrBits - 6)'(BurstLines - 1)) + 1'b1;
  assign left = 32'(u_dut.after_q) * BurstLines + 32'(u_dut.end_q) + 32'd1 - place;

  always_ff @(posedge clk_i) begin
    counted_q <= rst_ni && u_check.started_q;
    offer_q <= rst_ni && offer_o;
    many_q <= u_check.without_answer_q + 32'(valid_o && ready_i) == Outstanding;
    if (rst_ni) begin
      if (start_i) begin
        announced_q <= '0;
        next_q <= addr_i;
      end else if (valid_o && ready_i) begin
        announced_q <= announced_q + size / 64;
        next_q <= next_q + AddrBits'(size);
      end
      if (u_check.started_q) asked_q <= 32'(lines_i) + 32'd1;
    end

    if (u_check.reset_q) begin
      assert (offer_q == (valid_o && !u_check.waiting_q));
      // on offer, unless there is nothing to offer, it is not known yet (two cycles), or too many wait for their answers
      if (!valid_o) assert (cleared || u_check.started_q || u_check.begins || many_q || announced_q == asked_q);
      assert (!u_dut.cut_q || counted_q);
      if (valid_o) begin
        assert (addr_o == next_q);
        assert (32'(addr_o[11:0]) + size <= 32'd4096);
        assert (size <= MaxBurstBytes && size[5:0] == '0);
        if (cleared) assert (u_check.waiting_q);
      end
      if (!asking_o) assert (!valid_o && (cleared || announced_q == asked_q));

      // what makes the above inductive
      if (u_check.begins) assert (announced_q == '0);
      if (u_check.begins || at_hand)
        assert ({u_dut.line_q, 6'd0} == next_q && next_q == u_check.base_q + AddrBits'(64 * announced_q));
      if (at_hand && u_dut.more_q && !cleared)
        assert ({u_dut.high ^ (u_dut.flip_q ? u_dut.differ_q : '0), u_dut.low_q} == after_this);
      if (!cleared && (u_dut.cut_q || at_hand))
        assert (announced_q + left == asked_q && announced_q < asked_q);
        else if (!cleared && !u_dut.count_q) assert (announced_q == asked_q);
      if (u_dut.cut_q || at_hand) assert (asked_q >= 32'd1 && asked_q <= 32'd1 << LinesBits);
      if (at_hand) assert (place + 32'(u_dut.len_q) < BurstLines);
      if (at_hand && !cleared) assert (place + 32'(u_dut.len_q) == (u_dut.more_q ? BurstLines - 32'd1 : 32'(u_dut.end_q)));
    end
  end
endmodule
