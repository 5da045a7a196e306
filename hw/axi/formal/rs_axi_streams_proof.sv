// SPDX-License-Identifier: Apache-2.0
// rs_axi_streams_proof: for ever, by induction: a transfer in streams is bursts of lines, 2^run_i lines of each stream in turns, from the first to the last
//                       one of each; on offer until they are taken; as many as there are. Another one may begin before this one is answered.
//                       With BurstLines of 1 bursts are single lines, and run_i says whether it is pairs; else they have up to BurstLines lines if the
//                       address is a multiple of so many, none crosses a multiple of its length, and it is of all streams, or of half as many.
module rs_axi_streams_proof #(
    parameter  int unsigned BusBits     = 128,
    parameter  int unsigned AddrBits    = 16,
    parameter  int unsigned Outstanding = 4,
    parameter  int unsigned LinesBits   = 6,
    parameter  int unsigned Streams     = 4,
    parameter  int unsigned BurstLines  = 1,
    localparam bit          Runs        = BurstLines > 1,
    localparam int unsigned LogStreams  = $clog2(Streams)
) (
    input logic                clk_i,
    input logic                rst_ni,
    input logic                start_i,
    input logic                clear_i,
    input logic [AddrBits-1:0] addr_i,
    input logic [         2:0] size_i,    // lines of a stream: 2^size_i
    input logic [         1:0] run_i,
    input logic                half_i,
    input logic                answer_i,
    input logic                ready_i
);
  logic busy_o, asking_o, valid_o;
  logic [AddrBits-1:0] addr_o;
  logic [7:0] len_o;
  logic [LinesBits-1:0] lines_i;

  assign lines_i = LinesBits'((32'd1 << (32'(size_i) + LogStreams - 32'(half_i))) - 32'd1);

  rs_axi_address #(
      .BusBits    (BusBits),
      .AddrBits   (AddrBits),
      .Outstanding(Outstanding),
      .LinesBits  (LinesBits),
      .Streams    (Streams),
      .BurstLines (BurstLines),
      .Halves     (Runs)
  ) u_dut (
      .*,
      .streams_i(1'b1),
      .pairs_i  (run_i[0]),
      .offer_o  (),
      .log_o    ()
  );

  rs_axi_channel_check #(
      .AddrBits   (AddrBits),
      .Outstanding(Outstanding),
      .LowBits    (LinesBits)
  ) u_check (
      .*
  );

  // what the memory has seen of this transfer, and where its next line is
  logic [LinesBits:0] count_q;  // bursts announced
  logic [AddrBits-7:0] base, next_line, after_next;
  logic [LinesBits:0] passed;  // how far the jumps are
  logic [2:0] size_q;
  logic [1:0] run_q;
  logic half_q;
  logic [31:0] total_q, total;  // bursts of the transfer, of the last one when idle

  // log2 of the lines of a burst, of the bursts of a run
  logic aligned;
  logic [1:0] log, log_run;
  assign aligned = (u_check.base_q[7:6] & 2'(BurstLines - 1)) == '0;
  assign log = !aligned ? 2'd0 : 32'(run_i) < $clog2(BurstLines) ? run_i : 2'($clog2(BurstLines));
  assign log_run = run_i - log;

  // the first line of the k-th burst, from the first one on
  function automatic logic [AddrBits-7:0] line(input logic [LinesBits:0] k, input logic [2:0] size, input logic [1:0] run,
                                               input logic half, input logic [1:0] burst);
    logic [31:0] turn, rest;
    turn = 32'(k) >> (run - burst);
    rest = 32'(k) & ((32'd1 << (run - burst)) - 32'd1);
    return (AddrBits - 6)'(((turn & ((Streams >> half) - 32'd1)) << size) + ((turn >> (LogStreams - 32'(half))) << run) +
                           (rest << burst));
  endfunction

  assign base = u_check.base_q[AddrBits-1:6];
  assign next_line = base + line(count_q + 1'b1, size_i, run_i, half_i, log);
  assign after_next = base + line(count_q + (LinesBits + 1)'(2), size_i, run_i, half_i, log);
  assign passed = u_check.at_hand ? count_q + (LinesBits + 1)'(2) : u_dut.cut_q ? (LinesBits + 1)'(1) : '0;
  assign total = busy_o ? (32'(lines_i) + 32'd1) >> log : total_q;

  // where the registers say that they are: the stream, and the line of its run
  logic [31:0] stream, place;
  if (Runs) begin : gen_runs
    assign {stream, place} = {32'(u_dut.gen_runs.stream_q), 32'(u_dut.gen_runs.run_q)};
    always_ff @(posedge clk_i)
      if (u_check.reset_q && (u_check.begins || u_check.at_hand))
        assert (u_dut.gen_runs.aligned_q == aligned);
  end else begin : gen_pairs
    assign {stream, place} = {32'(u_dut.gen_streams.stream_q), 32'(u_dut.gen_streams.second_q)};
    always_ff @(posedge clk_i) assume (run_i <= 2'd1 && !half_i);
  end

  always_ff @(posedge clk_i) begin
    assume (32'(size_i) + LogStreams <= LinesBits && 3'(run_i) <= size_i);
    total_q <= total;
    {size_q, run_q, half_q} <= {size_i, run_i, half_i};
    // the instruction stays to the end
    if (u_check.reset_q && busy_o) assume (size_i == size_q && run_i == run_q && half_i == half_q);

    if (rst_ni) begin
      if (start_i) count_q <= '0;
      else if (valid_o && ready_i) count_q <= count_q + 1'b1;
    end

    if (u_check.reset_q) begin
      if (valid_o) begin
        assert (addr_o == {base + line(count_q, size_i, run_i, half_i, log), 6'd0});
        assert (32'(len_o) + 32'd1 == (512 / BusBits) << log && (addr_o[9:6] & ~(4'hf << log)) == '0);
      end
      if (!asking_o) assert (!valid_o && (u_check.cleared_q || 32'(count_q) == total));

      // what makes the above inductive
      if (u_check.begins) assert (count_q == '0);
      if (u_check.begins || u_check.at_hand) begin
        assert (u_dut.line_q == base + line(count_q, size_i, run_i, half_i, log) && u_check.base_q[5:0] == '0);
        assert (stream == ((32'(passed) >> log_run) & ((Streams >> half_i) - 32'd1)));
        assert (place == ((32'(passed) & ((32'd1 << log_run) - 32'd1)) << log));
      end
      if (u_dut.cut_q) assert (u_dut.jump_q + 1'b1 == (LinesBits + 1)'(next_line - base));
      if (u_check.at_hand) begin
        assert ({u_dut.high ^ (u_dut.flip_q ? u_dut.differ_q : '0), u_dut.low_q} == next_line);
        assert (u_dut.jump_q + 1'b1 == (LinesBits + 1)'(after_next - next_line));
        assert (32'(u_dut.len_q) + 32'd1 == 32'd1 << log);
      end
      if (!u_check.cleared_q && (u_dut.cut_q || u_check.at_hand))
        assert (32'(u_dut.after_q) + 32'(count_q) + 32'd1 == total && u_dut.end_q == '0);
        else if (!u_check.cleared_q && !u_dut.count_q) assert (32'(count_q) == total);
    end
  end
endmodule
