// SPDX-License-Identifier: Apache-2.0
// rs_axi_streams_proof: for ever, by induction: a transfer in streams is single lines, one (or two) of each stream in turns, from the
//                       first to the last one of each; on offer until they are taken; as many as there are. Another one may
//                       begin before this one is answered.
module rs_axi_streams_proof #(
    parameter int unsigned BusBits     = 128,
    parameter int unsigned AddrBits    = 16,
    parameter int unsigned Outstanding = 4,
    parameter int unsigned LinesBits   = 6,
    parameter int unsigned Streams     = 4
) (
    input logic                clk_i,
    input logic                rst_ni,
    input logic                start_i,
    input logic                clear_i,
    input logic [AddrBits-1:0] addr_i,
    input logic [         2:0] size_i,    // lines of a stream: 2^size_i
    input logic                pairs_i,
    input logic                answer_i,
    input logic                ready_i
);
  localparam int unsigned LogStreams = $clog2(Streams);
  logic busy, asking, valid;
  logic [AddrBits-1:0] addr;
  logic [7:0] len;
  logic [LinesBits-1:0] lines;

  assign lines = LinesBits'((32'd1 << (32'(size_i) + LogStreams)) - 32'd1);

  rs_axi_address #(
      .BusBits    (BusBits),
      .AddrBits   (AddrBits),
      .Outstanding(Outstanding),
      .LinesBits  (LinesBits),
      .Streams    (Streams)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .addr_i,
      .lines_i  (lines),
      .streams_i(1'b1),
      .pairs_i,
      .run_i    (2'd0),
      .half_i   (1'b0),
      .answer_i,
      .busy_o   (busy),
      .asking_o (asking),
      .offer_o  (),
      .valid_o  (valid),
      .ready_i,
      .addr_o   (addr),
      .len_o    (len),
      .log_o    ()
  );

  // what the memory has seen of this transfer, and where its next line is
  logic [AddrBits-1:0] base_q, expected;
  logic [LinesBits:0] count_q;  // lines announced
  logic [AddrBits-7:0] base, next_line, after_next;
  logic [AddrBits-7-LinesBits:0] first_high;
  logic [LinesBits:0] passed;  // how far the jumps are
  logic [31:0] without_answer_q;
  logic cleared_q, started_q, at_hand;
  logic [2:0] size_q;
  logic pairs_q, reset_q;
  logic [31:0] lines_q, total;  // lines of the transfer, the last one when idle
  initial reset_q = 1'b0;

  // the k-th line, from the first one on; its stream and whether it is the second of a pair
  function automatic logic [AddrBits-7:0] line(input logic [LinesBits:0] k, input logic [2:0] size, input logic pairs);
    logic [31:0] turn;
    turn = pairs ? 32'(k >> 1) : 32'(k);
    return (AddrBits - 6)'(((turn % Streams) << size) + (turn / Streams) * (pairs ? 32'd2 : 32'd1) + 32'(pairs && k[0]));
  endfunction

  assign base = base_q[AddrBits-1:6];
  assign expected = {base + line(count_q, size_i, pairs_i), 6'd0};
  assign next_line = base + line(count_q + 1'b1, size_i, pairs_i);
  assign after_next = base + line(count_q + (LinesBits + 1)'(2), size_i, pairs_i);
  assign first_high = base_q[AddrBits-1:6+LinesBits];
  assign passed = at_hand ? count_q + (LinesBits + 1)'(2) : u_dut.cut_q ? (LinesBits + 1)'(1) : '0;
  assign total = busy ? 32'(lines) + 32'd1 : lines_q;
  assign at_hand = u_dut.wait_q || u_dut.valid_q;

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
      .waiting_o       ()
  );

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    assume (32'(size_i) + LogStreams <= LinesBits && (!pairs_i || size_i != '0));
    size_q  <= size_i;
    lines_q <= total;
    pairs_q <= pairs_i;
    // the instruction stays to the end
    if (reset_q && busy) assume (size_i == size_q && pairs_i == pairs_q);

    if (rst_ni) begin
      if (start_i) begin
        count_q <= '0;
        base_q  <= addr_i;
      end else if (valid && ready_i) begin
        count_q <= count_q + 1'b1;
      end
    end

    if (reset_q) begin
      if (valid) assert (addr == expected && 32'(len) + 32'd1 == 512 / BusBits);
      if (!asking) assert (!valid && (cleared_q || 32'(count_q) == total));

      // what makes the above inductive
      if (u_dut.count_q || u_dut.cut_q) assert (count_q == '0);
      if (u_dut.count_q || u_dut.cut_q || at_hand) begin
        assert ({u_dut.line_q, 6'd0} == expected && base_q[5:0] == '0);
        assert (u_dut.gen_streams.stream_q == LogStreams'(pairs_i ? passed >> 1 : passed));
        assert (u_dut.gen_streams.second_q == (pairs_i && passed[0]));
      end
      if (u_dut.count_q || u_dut.cut_q) assert ({u_dut.flip_q, u_dut.low_q} == {1'b0, base[LinesBits-1:0]});
      if (u_dut.cut_q) assert (u_dut.jump_q + 1'b1 == (LinesBits + 1)'(next_line - base));
      if (u_dut.cut_q || at_hand) assert (u_dut.differ_q == (first_high ^ (first_high + 1'b1)));
      if (at_hand) begin
        assert ({u_dut.high ^ (u_dut.flip_q ? u_dut.differ_q : '0), u_dut.low_q} == next_line);
        assert (u_dut.jump_q + 1'b1 == (LinesBits + 1)'(after_next - next_line));
      end
      if (cleared_q)
        assert (!u_dut.count_q && !u_dut.cut_q && !u_dut.wait_q && !u_dut.more_q);
        else if (u_dut.cut_q || at_hand)
          assert (32'(u_dut.after_q) + 32'(count_q) + 32'd1 == total);
          else if (!u_dut.count_q) assert (32'(count_q) == total);
      if (u_dut.cut_q || at_hand) assert (u_dut.end_q == '0 || cleared_q);
      if (at_hand) begin
        assert (u_dut.len_q == '0);
        if (!cleared_q) assert (u_dut.more_q == (u_dut.after_q != '0) && u_dut.final_q == (32'(u_dut.after_q) == 32'd1));
      end
    end
  end
endmodule
