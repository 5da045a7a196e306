// SPDX-License-Identifier: Apache-2.0
// rs_axi_address_proof: for ever, by induction: bursts are legal, follow one another, add up to what was asked, stay on offer until
//                       they are taken, and never too many are without their answer. No burst waits for ready_i: the next one is
//                       on offer in the cycle after the one ahead of it was taken, unless too many are without their answer. A transfer
//                       may begin before the one ahead of it is answered.
module rs_axi_address_proof #(
    parameter int unsigned BusBits       = 64,
    parameter int unsigned AddrBits      = 20,
    parameter int unsigned Outstanding   = 5,
    parameter int unsigned MaxBurstBytes = 1024,
    parameter int unsigned LinesBits     = 10
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
  logic busy, asking, valid, offer;
  logic [AddrBits-1:0] addr;
  logic [7:0] len;

  rs_axi_address #(
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
      .streams_i(1'b0),
      .pairs_i(1'b0),
      .run_i(2'd0),
      .half_i(1'b0),
      .answer_i,
      .busy_o(busy),
      .asking_o(asking),
      .offer_o(offer),
      .valid_o(valid),
      .ready_i,
      .addr_o(addr),
      .len_o(len),
      .log_o()
  );

  // what the memory has seen of this transfer
  logic [31:0] size, without_answer_q;
  logic [31:0] asked_q, announced_q;  // lines
  logic [AddrBits-1:0] next_q;
  logic cleared_q, waiting_q, started_q, offer_q, many_q, counted_q;
  logic reset_q = 1'b0;

  assign size = (32'(len) + 32'd1) * (BusBits / 8);

  // what the registers say is left
  localparam int unsigned BurstLines = (MaxBurstBytes < 32 * BusBits ? MaxBurstBytes : 32 * BusBits) / 64;
  localparam int unsigned LowBits = LinesBits > $clog2(BurstLines) ? LinesBits : $clog2(BurstLines);
  logic at_hand;
  logic [31:0] place, left;
  logic [AddrBits-1:0] base_q;
  logic [AddrBits-7:0] after_this;  // where the next burst is to be
  logic [AddrBits-7-LowBits:0] first_high;
  assign at_hand = u_dut.wait_q || u_dut.valid_q;
  assign place   = 32'(u_dut.line_q[$clog2(BurstLines)-1:0]);
  assign after_this = (u_dut.line_q | (AddrBits - 6)'(BurstLines - 1)) + 1'b1;
  assign first_high = base_q[AddrBits-1:6+LowBits];
  assign left    = 32'(u_dut.after_q) * BurstLines + 32'(u_dut.end_q) + 32'd1 - place;

  rs_axi_channel_check #(
      .AddrBits   (AddrBits),
      .Outstanding(Outstanding)
  ) u_check (
      .clk_i,
      .rst_ni,
      .reset_i         (reset_q),
      .start_i,
      .clear_i,
      .low_i           (addr_i[5:0]),
      .answer_i,
      .ready_i,
      .busy_i          (busy),
      .asking_i        (asking),
      .valid_i         (valid),
      .addr_i          (addr),
      .len_i           (len),
      .free_i          (32'(u_dut.free_q)),
      .count_i         (u_dut.count_q),
      .cut_i           (u_dut.cut_q),
      .wait_i          (u_dut.wait_q),
      .without_answer_o(without_answer_q),
      .cleared_o       (cleared_q),
      .started_o       (started_q),
      .waiting_o       (waiting_q)
  );

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    if (!reset_q)
      assume (!rst_ni);
      else assume (rst_ni);

    counted_q <= rst_ni && started_q;
    offer_q <= rst_ni && offer;
    many_q <= without_answer_q + 32'(valid && ready_i) == Outstanding;
    if (rst_ni) begin
      if (start_i) begin
        announced_q <= '0;
        next_q <= addr_i;
        base_q <= addr_i;
      end else if (valid && ready_i) begin
        announced_q <= announced_q + size / 64;
        next_q <= next_q + AddrBits'(size);
      end
      if (started_q) asked_q <= 32'(lines_i) + 32'd1;
    end

    if (reset_q) begin
      assert (offer_q == (valid && !waiting_q));
      // on offer, unless there is nothing to offer, it is not known yet (two cycles), or too many wait for their answers
      if (!valid) assert (cleared_q || started_q || u_dut.count_q || u_dut.cut_q || many_q || announced_q == asked_q);
      assert (!u_dut.cut_q || counted_q);
      if (valid) begin
        assert (addr == next_q);
        assert (32'(addr[11:0]) + size <= 32'd4096);
        assert (size <= MaxBurstBytes && size[5:0] == '0);
        if (cleared_q) assert (waiting_q);
      end
      if (!asking) assert (!valid && (cleared_q || announced_q == asked_q));

      // what makes the above inductive
      if (u_dut.count_q || u_dut.cut_q || at_hand)
        assert ({u_dut.line_q, 6'd0} == next_q && next_q == base_q + AddrBits'(64 * announced_q));
      if (u_dut.count_q || u_dut.cut_q)
        assert (!u_dut.flip_q && u_dut.low_q == u_dut.line_q[LowBits-1:0]);
        else if (at_hand && u_dut.more_q && !cleared_q)
          assert ({u_dut.high ^ (u_dut.flip_q ? u_dut.differ_q : '0), u_dut.low_q} == after_this);
      if (u_dut.cut_q || at_hand) assert (u_dut.differ_q == (first_high ^ (first_high + 1'b1)));
      if (u_dut.count_q || u_dut.cut_q) assert (announced_q == '0);
      if (cleared_q)
        assert (!u_dut.count_q && !u_dut.cut_q && !u_dut.wait_q && !u_dut.more_q);
        else if (u_dut.cut_q || at_hand)
          assert (announced_q + left == asked_q && announced_q < asked_q);
          else if (!u_dut.count_q) assert (announced_q == asked_q);
      if (u_dut.cut_q || at_hand) assert (asked_q >= 32'd1 && asked_q <= 32'd1 << LinesBits);
      if (at_hand) begin
        assert (place + 32'(u_dut.len_q) < BurstLines);
        if (!cleared_q) begin
          assert (u_dut.more_q == (u_dut.after_q != '0) && u_dut.final_q == (32'(u_dut.after_q) == 32'd1));
          assert (place + 32'(u_dut.len_q) == (u_dut.more_q ? BurstLines - 32'd1 : 32'(u_dut.end_q)));
        end
      end
    end
  end
endmodule
