// SPDX-License-Identifier: Apache-2.0
// rs_chunk_place: from a position in memory order to a row of banks and the words of it.
// Model:   docs/core.md, "Order of coefficients"
// Params:  LogNMax, LogLanes; Words: of a chunk, a power of two up to 4 Lanes
// Bounds:  pos_i a multiple of Words below 2^log_n_i; turn_i = log_n_i mod (log_n_i - 2 - LogLanes)
// Timing:  one register
module rs_chunk_place #(
    parameter  int unsigned LogNMax  = 10,
    parameter  int unsigned LogLanes = 2,
    parameter  int unsigned Words    = 4,
    localparam int unsigned RowWords = 4 << LogLanes,
    localparam int unsigned AddrBits = LogNMax - 2 - LogLanes,
    localparam int unsigned LogNBits = rs_ntt_pkg::LogNBits
) (
    input  logic                clk_i,
    input  logic [LogNBits-1:0] log_n_i,
    input  logic [LogNBits-1:0] turn_i,
    input  logic                ntt_i,    // NTT form: addresses are turned
    input  logic [ LogNMax-1:0] pos_i,
    output logic [AddrBits-1:0] addr_o,
    output logic [RowWords-1:0] mask_o
);
  localparam int unsigned Limit = rs_ntt_pkg::LogNLimit;
  localparam int unsigned Chunks = RowWords / Words;

  if (Words == 0 || Words > RowWords || (Words & (Words - 1)) != 0) begin : gen_illegal
    $fatal(1, "%m: Words %0d is not a power of two up to %0d", Words, RowWords);
  end

  logic [AddrBits-1:0] row;
  logic [Limit-1:0] turned;
  assign row    = pos_i[LogNMax-1-:AddrBits];
  assign turned = rs_ntt_pkg::rotate(Limit'(row), turn_i, log_n_i - LogNBits'(2 + LogLanes));

  always_ff @(posedge clk_i) begin
    addr_o <= ntt_i ? turned[AddrBits-1:0] : row;
    for (int i = 0; i < int'(Chunks); i++) begin
      mask_o[i*int'(Words)+:Words] <= {Words{pos_i[LogLanes+1:0] == (LogLanes + 2)'(i * int'(Words))}};
    end
  end

  logic unused;
  assign unused = ^turned;

endmodule
