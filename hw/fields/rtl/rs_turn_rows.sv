// SPDX-License-Identifier: Apache-2.0
// rs_turn_rows: rows of consecutive coefficients -> chunks of consecutive positions, as the banks of a group take them.
// Model:   docs/core.md, "Order of coefficients": the position of a coefficient is its index with the bits reversed
// Params:  W; LogNMin, LogNMax: sizes of polynomials; Words V: of a row and of a chunk, a power of two from 2 on
// Bounds:  log_n_i is held from the first row of a polynomial to its last chunk; rows of a polynomial come one behind the other, of the next
//          one while chunks of this one leave, but its last row not before the last chunk
// Timing:  a row per cycle; the first chunk two cycles after the last row, then one per cycle. Depends on no data
//
// Coefficient i = {high, middle, low}, with log2 V bits high and low, is in bank low ^ high, at {high, middle}. A row has one high and every
// low, a chunk one low and every high: either way each bank is used once.

module rs_turn_rows #(
    parameter  int unsigned W        = 23,
    parameter  int unsigned LogNMin  = 8,
    parameter  int unsigned LogNMax  = 10,
    parameter  int unsigned Words    = 4,
    localparam int unsigned LogWords = $clog2(Words),
    localparam int unsigned RowBits  = LogNMax - LogWords
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic                      clear_i,      // stops
    input  logic                      again_i,      // the polynomial whose rows come begins again
    input  logic [        4:0]        log_n_i,
    input  logic                      valid_i,
    input  logic [  Words-1:0][W-1:0] row_sec_i,
    output logic                      valid_o,      // for one cycle: nothing holds it up
    output logic [LogNMax-1:0]        pos_o,        // the position of the first word
    output logic [  Words-1:0][W-1:0] chunk_sec_o,
    output logic                      done_o,       // with the last chunk
    input  logic                      wipe_i,       // zeros to this row, when nothing else is under way
    input  logic [  RowBits:0]        wipe_row_i
);
  if (Words < 2 || (Words & (Words - 1)) != 0) begin : gen_illegal
    $fatal(1, "%m: Words must be a power of two from 2 on");
  end
  if (LogNMin < 2 * LogWords || LogNMin > LogNMax || LogNMax > 16) begin : gen_illegal_size
    $fatal(1, "%m: LogNMin must be at least twice log2 of Words, and at most LogNMax");
  end

  typedef logic [RowBits-1:0] row_t;
  typedef logic [LogWords-1:0] word_t;

  logic fill_q, read_q;  // which half is written, read
  logic reads_q, valid_q, done_q;
  row_t write_q, chunk_q, rows;  // rows: of a polynomial, less one
  logic last_row, last_chunk;
  word_t high, low, low_q;
  row_t place;  // {0, middle} of a chunk
  logic [LogNMax-1:0] pos_q;

  // by size: constants, and wires
  always_comb begin
    {rows, high, low, place} = '0;
    for (int unsigned n = LogNMin; n <= LogNMax; n++) begin
      if (32'(log_n_i) == n) begin
        rows |= row_t'((1 << (n - LogWords)) - 1);
        high |= word_t'(write_q >> (n - 2 * LogWords));
        // a chunk's number is {low, middle} reversed
        for (int unsigned b = 0; b < LogWords; b++) low[b] |= chunk_q[n-LogWords-1-b];
        for (int unsigned b = 0; b < n - 2 * LogWords; b++) place[b] |= chunk_q[n-2*LogWords-1-b];
      end
    end
  end

  assign last_row   = valid_i && write_q == rows;
  assign last_chunk = reads_q && chunk_q == rows;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      fill_q  <= 1'b0;
      write_q <= '0;
      reads_q <= 1'b0;
      valid_q <= 1'b0;
      done_q  <= 1'b0;
    end else begin
      if (again_i || last_row) write_q <= '0;
      else if (valid_i) write_q <= write_q + 1'b1;
      if (last_row) fill_q <= !fill_q;
      if (last_row) reads_q <= 1'b1;
      else if (last_chunk) reads_q <= 1'b0;
      valid_q <= reads_q;
      done_q  <= last_chunk;
    end
    if (last_row) begin
      read_q  <= fill_q;
      chunk_q <= '0;
    end else if (reads_q) begin
      chunk_q <= chunk_q + 1'b1;
    end
    low_q <= low;
    pos_q <= LogNMax'(chunk_q) << LogWords;
  end

  function automatic word_t reversed(input int unsigned word);
    for (int unsigned b = 0; b < LogWords; b++) reversed[b] = 1'((word >> (LogWords - 1 - b)) & 1);
  endfunction

  logic [Words-1:0][W-1:0] read_sec_q;
  for (genvar b = 0; b < Words; b++) begin : gen_bank
    logic [W-1:0] rdata;
    row_t raddr;
    word_t read_high;
    assign read_high = low ^ word_t'(b);
    always_comb begin
      raddr = place;
      for (int unsigned n = LogNMin; n <= LogNMax; n++) begin
        if (32'(log_n_i) == n) raddr |= row_t'(read_high) << (n - 2 * LogWords);
      end
    end
    rs_ram_1r1w #(
        .Width(W),
        .Depth(2 << RowBits)
    ) u_bank (
        .clk_i,
        .we_i   (valid_i || wipe_i),
        .waddr_i(wipe_i ? wipe_row_i : {fill_q, write_q}),
        .wdata_i(wipe_i ? '0 : row_sec_i[word_t'(b)^high]),
        .raddr_i({read_q, raddr}),
        .rdata_o(rdata)
    );
    // nothing stays, and nothing of a wipe shows
    always_ff @(posedge clk_i) read_sec_q[b] <= reads_q && !clear_i ? rdata : '0;
  end

  // word j of a chunk has the high bits j reversed
  for (genvar j = 0; j < Words; j++) begin : gen_word
    assign chunk_sec_o[j] = read_sec_q[low_q^reversed(j)];
  end
  assign valid_o = valid_q;
  assign pos_o   = pos_q;
  assign done_o  = done_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!(last_row && reads_q && !last_chunk))
      else $error("%m: a polynomial is whole before the one before has left");
    end
  end
`endif
endmodule
