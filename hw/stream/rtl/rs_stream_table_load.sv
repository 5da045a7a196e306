// SPDX-License-Identifier: Apache-2.0
// rs_stream_table_load: an image of twiddle tables, in chunks, to rows of low and words of high; the first two rows of low are told apart.
// Model:   lib/src/machine/image.c rs_image_stream; README.md, "Twiddle image"
// Params:  W, LogNMax, LogLanes 1..3, ChunkWords: a power of two, P/2 .. 2^LogLow
// Bounds:  log_n_i is stable from start_i to done_o, and at least LogLow
// Timing:  P/2 words of low or one word of high per cycle; done_o with the last one. Words behind the image are dropped
module rs_stream_table_load #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned LogNMax    = 12,
    parameter  int unsigned LogLanes   = 1,
    parameter  int unsigned ChunkWords = 4,
    localparam int unsigned Pairs      = 1 << (LogLanes - 1),
    localparam int unsigned LogLow     = LogNMax / 2,
    localparam int unsigned LowBits    = LogLow - LogLanes + 1,
    localparam int unsigned HighBits   = LogNMax - LogLow
) (
    input  logic                                      clk_i,
    input  logic                                      rst_ni,
    input  logic [rs_stream_pkg::LogNBits-1:0]        log_n_i,
    input  logic                                      start_i,       // also in the middle of another load
    input  logic                                      valid_i,
    output logic                                      ready_o,
    input  logic [             ChunkWords-1:0][W-1:0] chunk_i,
    output logic                                      done_o,
    output logic                                      write_o,
    output logic                                      write_high_o,
    output logic [               HighBits-1:0]        addr_o,
    output logic [                  Pairs-1:0][W-1:0] words_o
);

  localparam int unsigned PlaceBits = ChunkWords > 1 ? $clog2(ChunkWords) : 1;

  if (ChunkWords < Pairs || ChunkWords > (1 << LogLow) || (ChunkWords & (ChunkWords - 1)) != 0) begin : gen_illegal
    $fatal(1, "%m: ChunkWords %0d is no power of two in %0d..%0d", ChunkWords, Pairs, 1 << LogLow);
  end

  logic loading_q, high_q;
  logic [HighBits-1:0] addr_q, last_high;
  logic [PlaceBits-1:0] place_q, step;
  logic last_piece, last_row;

  assign last_high = HighBits'((32'd1 << (log_n_i - rs_stream_pkg::LogNBits'(LogLow))) - 1);
  assign last_row = addr_q == (high_q ? last_high : HighBits'((1 << LowBits) - 1));
  assign step = high_q ? PlaceBits'(1) : PlaceBits'(Pairs);
  assign last_piece = ChunkWords == (high_q ? 1 : Pairs) || place_q == PlaceBits'(ChunkWords) - step;

  assign write_o = loading_q && valid_i;
  assign write_high_o = high_q;
  assign addr_o = addr_q;
  assign done_o = write_o && high_q && last_row;
  assign ready_o = loading_q && (last_piece || (high_q && last_row));

  always_comb begin
    for (int unsigned i = 0; i < Pairs; i++) words_o[i] = chunk_i[ChunkWords==1?'0 : place_q+PlaceBits'(i)];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      loading_q <= 1'b0;
    end else if (start_i) begin
      loading_q <= 1'b1;
    end else if (done_o) begin
      loading_q <= 1'b0;
    end
    if (start_i) begin
      high_q  <= 1'b0;
      addr_q  <= '0;
      place_q <= '0;
    end else if (write_o) begin
      addr_q  <= last_row ? '0 : addr_q + 1'b1;
      high_q  <= high_q || last_row;
      place_q <= last_piece ? '0 : place_q + step;
    end
  end

endmodule
