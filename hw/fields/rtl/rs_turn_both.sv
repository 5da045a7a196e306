// SPDX-License-Identifier: Apache-2.0
// rs_turn_both: rows of consecutive coefficients <-> chunks of consecutive positions, one way or the other, through one memory of two halves.
// Model:   docs/core.md, "Order of coefficients": the position of a coefficient is its index with the bits reversed
// Params:  W; LogNMin, LogNMax: sizes of polynomials; Words V: of a row and of a chunk, a power of two from 2 on
// Bounds:  back_i and log_n_i are held from the first row or chunk to the last one that leaves. What comes cannot be held up, so the first of
//          a polynomial comes after the cycle of the second free_o before it; rows one a cycle may follow each other without a pause, if ready_i is 1
// Timing:  a row and a chunk per cycle; the first one leaves two cycles after the last one came. Depends on no data
//
// Coefficient i = {high, middle, low}, with log2 V bits high and low, is in bank low ^ high, at {high, middle}. A row has one high and every
// low, a chunk one low and every high: either way each bank is used once. A half is written or read, so its banks have one port.

module rs_turn_both #(
    parameter  int unsigned W        = 32,
    parameter  int unsigned LogNMin  = 7,
    parameter  int unsigned LogNMax  = 10,
    parameter  int unsigned Words    = 4,
    localparam int unsigned LogWords = $clog2(Words),
    localparam int unsigned RowBits  = LogNMax - LogWords
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      clear_i,      // stops
    input  logic                      back_i,       // chunks to rows
    input  logic [        4:0]        log_n_i,
    input  logic                      valid_i,
    input  logic [  Words-1:0][W-1:0] data_sec_i,   // a row; with back_i a chunk
    output logic                      free_o,       // a polynomial has been read: its half is free from the next cycle on
    output logic                      valid_o,      // stays until ready_i
    input  logic                      ready_i,
    output logic                      last_o,       // the last chunk of a polynomial
    output logic [LogNMax-1:0]        pos_o,        // the position of the first word of a chunk
    output logic [  Words-1:0][W-1:0] chunk_sec_o,
    output logic [  Words-1:0][W-1:0] row_sec_o,    // the same words: the one that back_i asks for
    input  logic                      wipe_i,       // zeros to this row of both halves, when nothing else is under way
    input  logic [RowBits-1:0]        wipe_row_i
);
  if (Words < 2 || (Words & (Words - 1)) != 0) begin : gen_illegal
    $fatal(1, "%m: Words must be a power of two from 2 on");
  end
  if (LogNMin < 2 * LogWords || LogNMin > LogNMax || LogNMax > 16) begin : gen_illegal_size
    $fatal(1, "%m: LogNMin must be at least twice log2 of Words, and at most LogNMax");
  end

  typedef logic [RowBits-1:0] row_t;
  typedef logic [LogWords-1:0] word_t;

  function automatic word_t reversed(input int unsigned word);
    for (int unsigned b = 0; b < LogWords; b++) reversed[b] = 1'((word >> (LogWords - 1 - b)) & 1);
  endfunction

  logic in_half_q, out_half_q, read_half_q;
  logic [1:0] full_q;
  row_t in_q, out_q;  // rows of what comes and of what is read
  logic reads, last_in, last_out;
  logic valid_q, last_q, held_q;
  row_t row, chunk, rows;  // rows: of a polynomial, less one
  word_t high, low, place_q, in_place;
  word_t [Words-1:0] in_chunk;  // the bank's high bits of a chunk
  row_t middle;
  row_t [Words-1:0] chunk_addr, in_addr, out_addr;
  logic [LogNMax-1:0] pos_q;

  // by size: constants, and wires
  assign row   = back_i ? out_q : in_q;
  assign chunk = back_i ? in_q : out_q;
  always_comb begin
    {rows, high, low, middle} = '0;
    for (int unsigned n = LogNMin; n <= LogNMax; n++) begin
      if (32'(log_n_i) == n) begin
        rows |= row_t'((1 << (n - LogWords)) - 1);
        high |= word_t'(row >> (n - 2 * LogWords));
        // a chunk's number is {low, middle} reversed
        for (int unsigned b = 0; b < LogWords; b++) low[b] |= chunk[n-LogWords-1-b];
        for (int unsigned b = 0; b < n - 2 * LogWords; b++) middle[b] |= chunk[n-2*LogWords-1-b];
      end
    end
    for (int unsigned b = 0; b < Words; b++) begin
      in_chunk[b]   = low ^ word_t'(b);
      chunk_addr[b] = middle;
      for (int unsigned n = LogNMin; n <= LogNMax; n++) begin
        if (32'(log_n_i) == n) chunk_addr[b] |= row_t'(in_chunk[b]) << (n - 2 * LogWords);
      end
    end
  end

  assign in_addr  = back_i ? chunk_addr : {Words{row}};
  assign out_addr = back_i ? {Words{row}} : chunk_addr;
  assign in_place = back_i ? low : high;

  assign last_in  = valid_i && in_q == rows;
  assign reads    = full_q[out_half_q] && (!valid_q || ready_i);
  assign last_out = reads && out_q == rows;
  assign free_o   = last_out;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      in_half_q  <= 1'b0;
      out_half_q <= 1'b0;
      full_q     <= '0;
      in_q       <= '0;
      out_q      <= '0;
      valid_q    <= 1'b0;
      held_q     <= 1'b0;
    end else begin
      if (valid_i) in_q <= last_in ? '0 : in_q + 1'b1;
      if (reads) out_q <= last_out ? '0 : out_q + 1'b1;
      if (last_in) in_half_q <= !in_half_q;
      if (last_out) out_half_q <= !out_half_q;
      for (int h = 0; h < 2; h++) begin
        if (last_in && in_half_q == 1'(h)) full_q[h] <= 1'b1;
        else if (last_out && out_half_q == 1'(h)) full_q[h] <= 1'b0;
      end
      valid_q <= reads || (valid_q && !ready_i);
      held_q  <= valid_q && !ready_i;
    end
    if (reads) begin
      read_half_q <= out_half_q;
      place_q     <= back_i ? high : low;
      last_q      <= last_out;
      pos_q       <= LogNMax'(out_q) << LogWords;
    end
  end

  // ---- banks ---------------------------------------------------------------------------------------------------------------------------
  logic [Words-1:0][W-1:0] in_sec, raw_sec, out_sec, held_sec_q;
  logic [1:0][Words-1:0][W-1:0] read_sec;
  logic wiped_q;  // the read after a wipe overwrites what the output registers of memories still hold
  always_ff @(posedge clk_i) wiped_q <= wipe_i;

  for (genvar k = 0; k < Words; k++) begin : gen_word
    assign in_sec[k] = back_i ? data_sec_i[reversed(k)] : data_sec_i[k];
    assign out_sec[k] = valid_q ? raw_sec[word_t'(k)^place_q] : '0;
    assign row_sec_o[k] = out_sec[k];
    assign chunk_sec_o[k] = out_sec[reversed(k)];
  end

  for (genvar h = 0; h < 2; h++) begin : gen_half
    for (genvar b = 0; b < Words; b++) begin : gen_bank
      logic writes, fetches;
      row_t addr;
      assign writes  = valid_i && in_half_q == 1'(h);
      assign fetches = reads && out_half_q == 1'(h);
      always_comb begin
        addr = writes ? in_addr[b] : out_addr[b];
        if (wipe_i) addr = wipe_row_i;
      end
      rs_ram_1rw #(
          .Width(W),
          .Depth(1 << RowBits)
      ) u_bank (
          .clk_i,
          .req_i  (writes || fetches || wipe_i || wiped_q),
          .we_i   (writes || wipe_i),
          .addr_i (addr),
          .wdata_i(wipe_i ? '0 : in_sec[word_t'(b)^in_place]),
          .rdata_o(read_sec[h][b])
      );
    end
  end

  // a bank shows what it read for one cycle
  assign raw_sec = held_q ? held_sec_q : read_sec[read_half_q];
  always_ff @(posedge clk_i) held_sec_q <= valid_q && !ready_i && !clear_i ? raw_sec : '0;

  assign valid_o = valid_q;
  assign last_o  = last_q;
  assign pos_o   = pos_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!(valid_i && full_q[in_half_q]))
      else $error("%m: a polynomial comes and no half is free");
    end
  end
`endif
endmodule
