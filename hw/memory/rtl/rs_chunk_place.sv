// SPDX-License-Identifier: Apache-2.0
// rs_chunk_place: from a position in memory order, or an index in SEAL's array, to a row of banks and the words of it.
// Model:   docs/core.md, "Order of coefficients"
// Params:  LogNMin, LogNMax, LogLanes; Words: of a chunk, a power of two up to 4 Lanes; Reversed: pos_i is an index, position reversed;
//          Pairs: word_i and real_i are there, not with Reversed; Sliced: pos_i is in a group of 2^LogNMax words, of polynomials of 2^log2 N that
//          follow each other; not with Reversed
// Bounds:  pos_i a multiple of Words below 2^log2 N (2^LogNMax) or, reversed, an index below 2^log2 N / Words: that of the chunk's first position;
//          size_i has one bit set. With word_i, any position, for this word alone; with real_i also the one 2 Lanes behind it, in the same
//          row, if there are several lanes
// Timing:  one register
//
// For one N, turning an address and reversing an index are wires: one of them is chosen for every N that can be.
module rs_chunk_place #(
    parameter  int unsigned LogNMin  = 10,
    parameter  int unsigned LogNMax  = 10,
    parameter  int unsigned LogLanes = 2,
    parameter  int unsigned Words    = 4,
    parameter  bit          Reversed = 1'b0,
    parameter  bit          Pairs    = 1'b0,
    parameter  bit          Sliced   = 1'b0,
    localparam int unsigned RowWords = 4 << LogLanes,
    localparam int unsigned AddrBits = LogNMax - 2 - LogLanes
) (
    input  logic                   clk_i,
    input  logic                   en_i,    // there is an access; otherwise nothing is clocked
    input  logic [LogNMax:LogNMin] size_i,  // bit n: log2 N is n
    input  logic                   ntt_i,   // NTT form: addresses are turned
    input  logic                   word_i,
    input  logic                   real_i,
    input  logic [    LogNMax-1:0] pos_i,
    output logic [   AddrBits-1:0] addr_o,
    output logic                   half_o,  // g of the word at pos_i
    output logic [   RowWords-1:0] mask_o
);
  import rs_ntt_pkg::*;

  localparam int unsigned Chunks = RowWords / Words;

  if (Words == 0 || Words > RowWords || (Words & (Words - 1)) != 0) begin : gen_illegal
    $fatal(1, "%m: Words %0d is not a power of two up to %0d", Words, RowWords);
  end
  if (LogNMin < LogLanes + (Sliced ? 3 : 4) || LogNMin > LogNMax) begin : gen_illegal_size
    $fatal(1, "%m: LogNMin %0d is not in %0d ... LogNMax %0d", LogNMin, LogLanes + (Sliced ? 3 : 4), LogNMax);
  end

  logic [AddrBits-1:0] row, turned;
  logic [LogLanes+1:0] word;
  logic [LogNMax:LogNMin][LogNLimit-1:0] pos, moved;

  for (genvar n = LogNMin; n <= LogNMax; n++) begin : gen_size
    localparam int unsigned Bits = n - 2 - LogLanes;
    assign pos[n] = Reversed ? reverse(LogNLimit'(pos_i), LogNBits'(n)) : LogNLimit'(pos_i);
    if (Sliced) begin : gen_slice
      assign moved[n] = rotate_low(pos[n] >> (2 + LogLanes), LogNBits'(n % Bits), LogNBits'(Bits));
    end else begin : gen_whole
      assign moved[n] = rotate(pos[n] >> (2 + LogLanes), LogNBits'(n % Bits), LogNBits'(Bits));
    end
  end

  always_comb begin
    row    = Reversed ? '0 : pos_i[LogNMax-1-:AddrBits];
    word   = Reversed ? '0 : pos_i[LogLanes+1:0];
    turned = '0;
    for (int n = LogNMin; n <= int'(LogNMax); n++) begin
      if (size_i[n]) begin
        turned |= moved[n][AddrBits-1:0];
        if (Reversed) begin
          row |= pos[n][LogNMax-1-:AddrBits];
          word |= pos[n][LogLanes+1:0];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      addr_o <= ntt_i ? turned : row;
      half_o <= word[1];
      for (int i = 0; i < int'(Chunks); i++) begin
        mask_o[i*int'(Words)+:Words] <= {Words{word == (LogLanes + 2)'(i * int'(Words))}};
      end
      if (Pairs && word_i) begin
        for (int i = 0; i < int'(RowWords); i++) begin
          mask_o[i] <= word == (LogLanes + 2)'(i) || (real_i && word == (LogLanes + 2)'(i - int'(RowWords / 2)));
        end
      end
    end
  end

  logic unused;
  assign unused = ^{pos, moved, word_i, real_i};

endmodule
