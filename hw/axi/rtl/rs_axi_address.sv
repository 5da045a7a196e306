// SPDX-License-Identifier: Apache-2.0
// rs_axi_address: the address channel of a transfer, AR or AW alike: splits it into bursts and counts those without an answer.
// Params:  BusBits, AddrBits; Outstanding: bursts without an answer; MaxBurstBytes: a power of two, 128 ... 4096; LinesBits;
//          Streams: a power of two; BurstLines: 1, or 2 or 4 lines of a burst of a stream; Halves: of half of the streams
// Bounds:  a burst stays between two multiples of MaxBurstBytes, so never crosses 4 KiB, and has at most 256 beats;
//          all this is proved in formal/
// Timing:  the first address three cycles after start_i; then one per cycle; all outputs are flip-flops
//
// A burst that is offered stays on offer and stays the same, whatever happens: what it is made of changes only when it is taken.
// The lengths of the next burst are known before this one is taken: that of the last one, or the greatest.
//
// Streams: the piece of memory is as many parts of equal length, 2^n lines each. Bursts are single lines: one of each part (or two, that
// follow each other), then the next ones of each part.
// With BurstLines above 1 it is 2^run_i lines of each part, in bursts of up to BurstLines of them if addr_i is a multiple of so many lines, or else in
// single lines: so they are aligned, too. With half_i there are half as many parts.

module rs_axi_address #(
    parameter int unsigned BusBits       = 128,
    parameter int unsigned AddrBits      = 64,
    parameter int unsigned Outstanding   = 8,
    parameter int unsigned MaxBurstBytes = 1024,
    parameter int unsigned LinesBits     = 18,
    parameter int unsigned Streams       = 1,
    parameter int unsigned BurstLines    = 1,
    parameter bit          Halves        = 1'b0
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 start_i,    // only when not asking_o
    input  logic                 clear_i,    // announce nothing but what is already offered
    input  logic [ AddrBits-1:0] addr_i,     // read with start_i; a multiple of 64
    input  logic [LinesBits-1:0] lines_i,    // from the cycle after start_i on: lines of 64 bytes, less one
    input  logic                 streams_i,  // from the cycle after start_i on: in streams, lines_i + 1 a power of two
    input  logic                 pairs_i,    // then: two lines of each (BurstLines of 1)
    input  logic [          1:0] run_i,      // then: log2 of lines of each (other BurstLines)
    input  logic                 half_i,     // then: half of the streams
    input  logic                 answer_i,   // the memory has answered a burst to its end
    output logic                 busy_o,     // from the cycle after start_i until all is announced and answered
    output logic                 asking_o,   // from the cycle after start_i until all is announced
    output logic                 offer_o,    // a burst goes on offer: valid_o, with it, from the next cycle on
    output logic                 valid_o,
    input  logic                 ready_i,
    output logic [ AddrBits-1:0] addr_o,
    output logic [          7:0] len_o,      // beats less one
    output logic [          1:0] log_o       // log2 of the lines of a burst in streams, from the cycle after start_i on
);
  localparam int unsigned LineBits = 6;
  localparam int unsigned LineBeats = 512 / BusBits;
  localparam int unsigned BurstBytes = MaxBurstBytes < 32 * BusBits ? MaxBurstBytes : 32 * BusBits;
  localparam int unsigned PlaceBits = $clog2(BurstBytes) - LineBits;  // the place of a line in a burst of the greatest length
  localparam int unsigned SumBits = (LinesBits > PlaceBits ? LinesBits : PlaceBits) + 1;
  localparam int unsigned AfterBits = Streams > 1 ? SumBits : SumBits - PlaceBits;
  localparam int unsigned CountBits = $clog2(Outstanding + 1);
  localparam int unsigned LogStreams = $clog2(Streams);
  localparam int unsigned AtBits = AddrBits - LineBits;  // the number of a line in memory
  localparam int unsigned LowBits = SumBits - 1;

  if (BusBits != 64 && BusBits != 128 && BusBits != 256 && BusBits != 512) begin : gen_illegal_bus
    $fatal(1, "%m: BusBits must be 64, 128, 256 or 512");
  end
  if (MaxBurstBytes < 128 || MaxBurstBytes > 4096 || 2 ** $clog2(MaxBurstBytes) != MaxBurstBytes) begin : gen_illegal_burst
    $fatal(1, "%m: MaxBurstBytes must be a power of two, 128 to 4096");
  end
  if (Streams == 0 || 2 ** LogStreams != Streams || LogStreams >= LinesBits) begin : gen_illegal_streams
    $fatal(1, "%m: Streams %0d is not a power of two below the lines of a transfer", Streams);
  end
  if (Outstanding < 4 || AtBits <= LowBits) begin : gen_illegal
    $fatal(1, "%m: Outstanding must be at least 4, and addresses longer than a burst and a transfer");
  end

  if ((BurstLines != 1 && BurstLines != 2 && BurstLines != 4) || 64 * BurstLines > BurstBytes || (BurstLines > 1 && Streams == 1)
      || (Halves && Streams == 1)) begin : gen_illegal_lines
    $fatal(1, "%m: BurstLines %0d is not 1, or 2 or 4 that are no more than a burst of streams", BurstLines);
  end

  // the burst at hand: its first line, its lines less one; bursts after it, the place of the last one's last line
  logic [AtBits-1:0] line_q;
  logic [PlaceBits-1:0] len_q, end_q;
  logic [AfterBits-1:0] after_q;
  logic more_q, final_q;  // there is one after it; and that is the last
  // what is done with it: count all, cut the first; it waits for an answer, or is offered
  logic count_q, cut_q, wait_q, valid_q;
  logic busy_q;
  logic [CountBits-1:0] free_q;  // bursts that may be offered before the next answer
  logic taken, next, offer;
  logic streams;

  assign taken = valid_q && ready_i;
  assign next  = cut_q || wait_q || (taken && more_q);
  assign offer = next && free_q != '0 && !clear_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= 1'b0;
      cut_q   <= 1'b0;
      wait_q  <= 1'b0;
      valid_q <= 1'b0;
      more_q  <= 1'b0;
      busy_q  <= 1'b0;
      free_q  <= CountBits'(Outstanding);
    end else begin
      count_q <= start_i && !clear_i;
      cut_q   <= count_q && !clear_i;
      wait_q  <= next && free_q == '0 && !clear_i;
      valid_q <= offer || (valid_q && !ready_i);
      if (clear_i) more_q <= 1'b0;
      else if (cut_q) more_q <= after_q != '0;
      else if (taken && final_q) more_q <= 1'b0;
      busy_q <= start_i || count_q || cut_q || wait_q || valid_q || free_q + CountBits'(answer_i) != CountBits'(Outstanding);
      free_q <= free_q + CountBits'(answer_i) - CountBits'(offer);
    end
  end

  // ---- where the next burst is, known before this one is taken -------------------------------------------------------------
  // A transfer is at most 2^LowBits lines, so the high bits of a line are those of the first one, or by 1 more: from one to the other
  // is an exclusive or, and no sum is longer than LowBits.
  logic [LowBits-1:0] low_q;  // low bits of the next line
  logic flip_q;  // it has the other high bits
  logic [AtBits-LowBits-1:0] high, differ_q;  // high bits of this line's number; those bits in which the other ones differ
  logic [LowBits:0] jump_q;  // from there to the one after it, less 1, signed
  logic [LowBits:0] low_next;
  logic pass;  // jump_q is used, and what follows takes its place

  assign pass = count_q || cut_q || taken;
  assign high = line_q[AtBits-1:LowBits];
  // after a burst that is not the last one there is a multiple of its greatest length
  assign low_next = {1'b0, low_q | LowBits'(PlaceBits'({PlaceBits{!streams}}))} + jump_q + 1'b1;

  always_ff @(posedge clk_i) begin
    if (start_i) line_q <= addr_i[AddrBits-1:LineBits];
    else if (taken) line_q <= {high ^ (differ_q & {AtBits - LowBits{flip_q}}), low_q};
    if (start_i) {flip_q, low_q} <= {1'b0, addr_i[LineBits+:LowBits]};
    else if (cut_q || taken) {flip_q, low_q} <= low_next;
    if (count_q) differ_q <= high ^ (high + 1'b1);
  end

  // From one stream to the next it is a stride; from the last stream to the first and on by a line it is 1 less all strides but
  // one: as the lines are a power of two, these are the highest ones of lines_i.
  logic [1:0] burst_log;  // log2 of the lines of a stream's burst
  logic [PlaceBits-1:0] stream_len;  // lines of such a burst less one
  // such bursts, less one; a unit without streams may need fewer bits of it
  // verilator lint_off UNUSEDSIGNAL
  logic [LinesBits-1:0] stream_after;
  // verilator lint_on UNUSEDSIGNAL
  if (Streams > 1 && (BurstLines > 1 || Halves)) begin : gen_runs
    localparam logic [1:0] LogBurst = 2'($clog2(BurstLines));
    logic [LogStreams-1:0] stream_q;
    logic [2:0] run_q;  // lines before the next burst's in its stream's run
    logic [2:0] burst, last_of_run;  // lines of a burst, of a run, less one
    logic [1:0] log;
    logic aligned_q, move, last_stream;
    logic [LinesBits-1:0] last_of_part, back;  // a stride less one, a stride less a run

    assign streams = streams_i;
    assign log = !aligned_q ? 2'd0 : run_i < LogBurst ? run_i : LogBurst;
    assign burst = ~(3'b111 << log);
    assign last_of_run = ~(3'b111 << run_i);
    assign move = (run_q | burst) == last_of_run;
    assign last_of_part = lines_i >> (LogStreams - 32'(Halves && half_i));
    assign back = last_of_part & ~LinesBits'(last_of_run);
    assign last_stream = (stream_q | LogStreams'(Halves && half_i) << (LogStreams - 1)) == '1;

    always_ff @(posedge clk_i) begin
      if (start_i) aligned_q <= (addr_i[LineBits+:2] & 2'(BurstLines - 1)) == '0;
      if (start_i) begin
        stream_q <= '0;
        run_q    <= '0;
      end else if (pass) begin
        run_q <= move ? '0 : run_q + burst + 1'b1;
        if (move) stream_q <= last_stream ? '0 : stream_q + 1'b1;
      end
      if (pass) begin
        if (!streams_i) jump_q <= '0;
        else if (!move) jump_q <= (LowBits + 1)'(burst);
        else if (last_stream) jump_q <= ~(LowBits + 1)'(lines_i) | (LowBits + 1)'(last_of_part + 1'b1) | (LowBits + 1)'(burst);
        else jump_q <= (LowBits + 1)'(back) | (LowBits + 1)'(burst);
      end
    end
    assign burst_log = log;
    assign stream_len = PlaceBits'(burst);
    assign stream_after = lines_i >> log;
    logic unused_pairs;
    assign unused_pairs = pairs_i;
  end else if (Streams > 1) begin : gen_streams
    logic [LogStreams-1:0] stream_q;
    logic second_q;  // the second line of a pair
    logic move;  // to another stream
    logic [LinesBits-1:0] last_of_part;  // a stride less one

    assign streams = streams_i;
    assign move = !pairs_i || second_q;
    assign last_of_part = lines_i >> LogStreams;

    always_ff @(posedge clk_i) begin
      if (start_i) begin
        stream_q <= '0;
        second_q <= 1'b0;
      end else if (pass) begin
        second_q <= !move;
        if (move) stream_q <= stream_q + 1'b1;
      end
      if (pass) begin
        if (!streams_i || !move) jump_q <= '0;
        else if (stream_q == '1) jump_q <= ~(LowBits + 1)'(lines_i) | (LowBits + 1)'(last_of_part + 1'b1);
        else jump_q <= (LowBits + 1)'({last_of_part[LinesBits-1:1], last_of_part[0] && !pairs_i});
      end
    end
    assign {burst_log, stream_len} = '0;
    assign stream_after = lines_i;
    logic unused_runs;
    assign unused_runs = ^{run_i, half_i};
  end else begin : gen_plain
    assign streams = 1'b0;
    assign jump_q  = '0;
    logic unused_streams;
    assign unused_streams = ^{streams_i, pairs_i, pass, run_i, half_i};
    assign {burst_log, stream_len} = '0;
    assign stream_after = lines_i;
  end

  always_ff @(posedge clk_i) begin
    if (count_q) begin
      if (streams) {after_q, end_q} <= {AfterBits'(stream_after), PlaceBits'(0)};
      else {after_q, end_q} <= (AfterBits + PlaceBits)'(SumBits'(line_q[PlaceBits-1:0]) + SumBits'(lines_i));
    end else if (taken) after_q <= after_q - 1'b1;
    if (cut_q) begin
      len_q   <= streams ? stream_len : (after_q != '0 ? '1 : end_q) - line_q[PlaceBits-1:0];
      final_q <= 32'(after_q) == 1;
    end else if (taken) begin
      len_q   <= streams ? stream_len : final_q ? end_q : '1;
      final_q <= 32'(after_q) == 2;
    end
  end

  assign busy_o = busy_q;
  assign asking_o = count_q || cut_q || wait_q || valid_q;
  assign offer_o = offer;
  assign valid_o = valid_q;
  assign addr_o = {line_q, LineBits'(0)};
  assign len_o = ~(~8'(len_q) << $clog2(LineBeats));
  assign log_o = burst_log;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start_i) begin
      assert (!asking_o)
      else $error("%m: started before all was announced");
      assert (addr_i[LineBits-1:0] == '0)
      else $error("%m: %h is no multiple of 64", addr_i);
    end
    if (rst_ni && answer_i)
      assert (32'(free_q) + 32'(valid_q) < Outstanding)
      else $error("%m: the memory answers what nobody asked");
  end
`endif

  logic unused_bits;
  assign unused_bits = ^addr_i[LineBits-1:0];
endmodule
