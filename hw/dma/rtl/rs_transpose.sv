// SPDX-License-Identifier: Apache-2.0
// rs_transpose: a stream of blocks of V x Places words, transposed: rows in and columns out, or columns in and rows out.
// Model:   docs/core.md, "Order of coefficients": an array is V streams of N / V words; a chunk is one word of each
// Params:  W; V: words of a row or column, a power of two up to 16; Columns: columns come in, rows go out; Places: 16, 32 or 64;
//          Halves: rows of blocks of which the upper half of the streams is zero may come alone (not with Columns)
// Bounds:  rows of a block: first all of stream 0 (M = Places / V rows of V consecutive words), then stream 1 ...; columns: word 0 of all
//          streams, word 1 ...; word i of a column belongs to stream brv(i). No order is lost or repeated: formal/
// Timing:  V words per cycle in and out; a block's first word leaves when all that it needs is there, two cycles after the last one
//
// Word (stream s, column j = m V + c) is in bank c ^ s, so a row as well as a column has one word in each of the V banks. A bank has Places
// words, no second block: each write takes the place of what is read, so in the next block places follow each other in the order in
// which this one was read. With numbers x of rows (s, m) and columns (m, c), the x-th to be read is in bank b in the place
// where T_b(x) was written, T_b(x) = swap of the two fields of x, then s (c, for columns) ^ b; and where block n is written, x is in
// T_b^n(x).
//
// Halves: in a block with half_i only the rows of the first V/2 streams come. With the last one of them all others count as written, as soon as
// that many places are free; nothing is written there, and columns have zeros instead of what is read from there.

module rs_transpose #(
    parameter int unsigned W       = 32,
    parameter int unsigned V       = 4,
    parameter bit          Columns = 1'b0,
    parameter int unsigned Places  = 16,
    parameter bit          Halves  = 1'b0
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                clear_i,      // drops what is there
    input  logic                wipe_i,       // while nothing is there: in_i is zero and goes to every place
    input  logic                in_valid_i,
    input  logic                half_i,       // with in_valid_i: the block has the lower half of its rows alone
    output logic                in_ready_o,
    input  logic [V-1:0][W-1:0] in_i,
    output logic                out_valid_o,  // stays, with out_o, until out_ready_i
    input  logic                out_ready_i,
    output logic [V-1:0][W-1:0] out_o,
    output logic                leaves_o,     // in this cycle a place becomes free
    output logic                busy_o        // there is something in here
);
  localparam int unsigned LogPlaces = $clog2(Places);  // Places: of a bank; columns of a block
  localparam int unsigned LogV = $clog2(V);

  if (V == 0 || V > Places || 2 ** LogV != V) begin : gen_illegal
    $fatal(1, "%m: V %0d is not a power of two up to %0d", V, Places);
  end
  if ((Places != 16 && Places != 32 && Places != 64) || V > 16 || (Halves && (Columns || V == 1))) begin : gen_illegal_places
    $fatal(1, "%m: Places %0d is not 16, 32 or 64, or halves come in columns or words", Places);
  end

  // how often a number of `bits` bits is turned by `by` until it is itself
  function automatic int unsigned order(input int unsigned bits, input int unsigned by);
    for (int unsigned n = 1; n < bits; n++) if (n * by % bits == 0) return n;
    return bits;
  endfunction

  if (V == 1) begin : gen_wire
    assign in_ready_o  = out_ready_i;
    assign out_valid_o = in_valid_i;
    assign out_o       = in_i;
    assign leaves_o    = in_valid_i && out_ready_i;
    assign busy_o      = 1'b0;
    logic unused;
    assign unused = ^{clk_i, rst_ni, clear_i, wipe_i, half_i};
  end else begin : gen_banks
    localparam int unsigned LogM = LogPlaces - LogV;  // rows of a stream in a block
    localparam int unsigned M = 1 << LogM;
    // T_b^Turns is the identity: a number is turned by LogM (LogV) of LogPlaces bits, and after that changed by one and the same number
    localparam int unsigned Turns = 2 * order(LogPlaces, Columns ? LogV : LogM);
    localparam int unsigned LogTurns = $clog2(Turns);
    localparam int unsigned SlackBits = LogPlaces + 2;

    typedef logic [LogPlaces-1:0] place_t;
    typedef logic [LogTurns-1:0] turn_t;
    typedef logic [V-1:0][W-1:0] words_t;
    typedef logic signed [SlackBits-1:0] slack_t;

    // T_b, `turns` times
    function automatic place_t turned(input place_t x, input int unsigned bank, input int unsigned turns);
      place_t y;
      y = x;
      for (int unsigned i = 0; i < turns; i++) begin
        if (Columns) y = ((y << LogV) | (y >> LogM)) ^ place_t'(bank);
        else y = ((y << LogM) | (y >> LogV)) ^ place_t'(bank << LogM);
      end
      return y;
    endfunction

    // for the word with number i, the one with number i ^ by
    function automatic words_t crossed(input words_t words, input logic [LogV-1:0] by);
      words_t x, y;
      x = words;
      for (int unsigned k = 0; k < LogV; k++) begin
        y = x;
        for (int unsigned i = 0; i < V; i++) if (by[k]) x[i] = y[i^(1<<k)];
      end
      return x;
    endfunction

    function automatic words_t reversed(input words_t words);
      words_t x;
      for (int unsigned i = 0; i < V; i++) begin
        int unsigned j;
        j = 0;
        for (int unsigned k = 0; k < LogV; k++) j |= (i >> k & 1) << (LogV - 1 - k);
        x[i] = words[j];
      end
      return x;
    endfunction

    // How many of this and later blocks have to be there, from the x-th to be read on, so that it can be read: a column has a
    // word of the last stream's row m, a row has words up to column m V + V - 1. Nothing to wait for is 0 or less.
    function automatic int needed(input int unsigned x);
      if (Columns) return int'(((x % M) + 1) * V) - int'(x);
      return int'((V - 1) * M + x / V + 1) - int'(x);
    endfunction

    function automatic turn_t after(input turn_t turn);
      if (2 ** LogTurns == Turns) return turn + 1'b1;
      return turn == turn_t'(Turns - 1) ? '0 : turn + 1'b1;
    endfunction

    // how the slack changes when the x-th has been read and the next one is looked for
    function automatic slack_t change(input place_t x);
      slack_t result;
      result = '0;
      for (int unsigned i = 0; i < Places; i++) begin
        if (x == place_t'(i)) result = slack_t'(needed(i) - needed((i + 1) % Places) - 1);
      end
      return result;
    endfunction

    // next to be written and read; turns of their blocks, that of reads one ahead
    place_t write_q, read_q;
    turn_t write_turn_q, read_turn_q;
    logic [LogPlaces:0] count_q;
    logic full_q, some_q, valid_q;
    slack_t slack_q;  // what is there beyond what the next to be read needs
    logic write, read, room, sweep, jump, masked;
    logic [LogPlaces:0] more;  // rows that are written with this one
    logic swept_q, wipe_q;
    logic [LogV-1:0] cross_q;
    words_t into, out_q;
    logic [LogPlaces:0] count;

    assign room  = !valid_q || out_ready_i;
    assign read  = !slack_q[SlackBits-1] && some_q && room;
    assign write = in_valid_i && in_ready_o;
    assign sweep = wipe_q && !swept_q;
    if (Halves) begin : gen_halves
      // rows that count as written with this one; whether the last real row of a block comes, and there is room for all behind it
      logic ends, free_q;
      logic [1:0] half_q;  // half of the block that is written, and of the one that is read, which may be the same
      logic write_block_q, read_block_q;
      assign ends = half_i && write_q == place_t'(Places / 2 - 1);
      assign in_ready_o = ends ? free_q : !full_q || read;
      assign more = ends && write ? (LogPlaces + 1)'(Places / 2) : '0;
      assign jump = ends;
      assign masked = half_q[read_block_q];
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clear_i) begin
          {write_block_q, read_block_q} <= '0;
          free_q <= 1'b1;
        end else begin
          free_q <= 32'(count) < Places / 2;
          if (write && (ends || write_q == '1)) write_block_q <= !write_block_q;
          if (read && read_q == '1) read_block_q <= !read_block_q;
        end
        if (write) half_q[write_block_q] <= half_i;
      end
    end else begin : gen_all
      assign in_ready_o = !full_q || read;
      assign {more, jump, masked} = '0;
      logic unused_half;
      assign unused_half = half_i ^ masked;
    end
    assign count = count_q + (LogPlaces + 1)'(write) - (LogPlaces + 1)'(read) + more;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        write_q      <= '0;
        read_q       <= '0;
        write_turn_q <= '0;
        read_turn_q  <= turn_t'(1);
        count_q      <= '0;
        full_q       <= 1'b0;
        some_q       <= 1'b0;
        valid_q      <= 1'b0;
        slack_q      <= slack_t'(-needed(0));
        wipe_q       <= 1'b0;
        swept_q      <= 1'b0;
      end else begin
        wipe_q  <= wipe_i;
        swept_q <= wipe_q && (swept_q || write_q == '1);
        if (sweep) begin
          write_q <= wipe_i ? write_q + 1'b1 : '0;
        end else if (write) begin
          write_q <= jump ? '0 : write_q + 1'b1;
          if (write_q == '1 || jump) write_turn_q <= after(write_turn_q);
        end
        if (read) begin
          read_q <= read_q + 1'b1;
          if (read_q == '1) read_turn_q <= after(read_turn_q);
        end
        slack_q <= slack_q + slack_t'({1'b0, write}) + (read ? change(read_q) : '0) + slack_t'(more);
        count_q <= count;
        full_q  <= count == (LogPlaces + 1)'(Places);
        some_q  <= count != '0;
        if (room) valid_q <= read;
      end
    end

    // a row comes in, crossed by its stream, and a column goes out, crossed by its place in a row; or the other way round
    if (Columns) begin : gen_columns_in
      assign into = crossed(reversed(in_i), write_q[LogV-1:0]);
      always_ff @(posedge clk_i) if (read) cross_q <= read_q[LogPlaces-1:LogM];
      assign out_o = crossed(out_q, cross_q);
    end else begin : gen_rows_in
      assign into = crossed(in_i, write_q[LogPlaces-1:LogM]);
      always_ff @(posedge clk_i) if (read) cross_q <= read_q[LogV-1:0];
      if (Halves) begin : gen_zeros
        words_t streams;
        logic   masked_q;
        always_ff @(posedge clk_i) if (read) masked_q <= masked;
        always_comb begin
          streams = crossed(out_q, cross_q);
          for (int unsigned i = V / 2; i < V; i++) if (masked_q) streams[i] = '0;
        end
        assign out_o = reversed(streams);
      end else begin : gen_words
        assign out_o = reversed(crossed(out_q, cross_q));
      end
    end

    for (genvar b = 0; b < V; b++) begin : gen_bank
      logic [Turns-1:0][LogPlaces-1:0] to, from;
      logic [W-1:0] word;
      for (genvar n = 0; n < Turns; n++) begin : gen_turn
        assign to[n]   = turned(write_q, b, n);
        assign from[n] = turned(read_q, b, n);
      end
      rs_ram_1r1w #(
          .Width(W),
          .Depth(Places)
      ) u_ram (
          .clk_i,
          .we_i   (write || sweep),
          .waddr_i(to[write_turn_q]),
          .wdata_i(into[b]),
          .raddr_i(from[read_turn_q]),
          .rdata_o(word)
      );
      // zeros where nothing is on its way, so that nothing stays
      always_ff @(posedge clk_i) if (room) out_q[b] <= read ? word : '0;
    end

    assign out_valid_o = valid_q;
    assign leaves_o = read;
    assign busy_o = some_q || valid_q;

`ifndef SYNTHESIS
    logic [Places-1:0] zero_q;
    always_ff @(posedge clk_i) begin
      if (rst_ni && (wipe_i || wipe_q))
        assert (!in_valid_i && !busy_o)
        else $error("%m: wiped while there is something");
      // every place that was written since the last sweep is zero after this one
      if (write) zero_q <= '0;
      else if (sweep && into == '0) zero_q[write_q] <= 1'b1;
      if (rst_ni && swept_q)
        assert (zero_q == '1)
        else $error("%m: not all is wiped");
    end
`endif
  end
endmodule
