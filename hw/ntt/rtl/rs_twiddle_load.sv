// SPDX-License-Identifier: Apache-2.0
// rs_twiddle_load: chunks of a twiddle image to writes of banks: word k is in bank k mod Lanes, row k / Lanes.
// Params:  W; LogLanes, ChunkWords: powers of two, either may be the larger; PartBits, RowBits
// Bounds:  an image has the parts first_part_i to last_part_i of last_row_i + 1 rows; what a chunk has beyond it is dropped
// Timing:  min(ChunkWords, Lanes) words per cycle in which grant_i lets it write; done_o in the cycle after the last
module rs_twiddle_load #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned LogLanes   = 2,
    parameter  int unsigned ChunkWords = 4,
    parameter  int unsigned PartBits   = 2,
    parameter  int unsigned RowBits    = 9,
    localparam int unsigned Lanes      = 1 << LogLanes
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic [  PartBits-1:0]        first_part_i,  // from start_i on
    input  logic [  PartBits-1:0]        last_part_i,
    input  logic [   RowBits-1:0]        last_row_i,
    input  logic                         start_i,       // again, if a load is under way
    input  logic                         valid_i,
    output logic                         ready_o,
    input  logic [ChunkWords-1:0][W-1:0] data_i,
    output logic                         done_o,
    input  logic                         grant_i,
    output logic [     Lanes-1:0]        write_o,
    output logic [  PartBits-1:0]        part_o,
    output logic [   RowBits-1:0]        row_o,
    output logic [     Lanes-1:0][W-1:0] data_o
);

  if (ChunkWords == 0 || (ChunkWords & (ChunkWords - 1)) != 0) begin : gen_illegal
    $fatal(1, "%m: ChunkWords %0d is not a power of two", ChunkWords);
  end

  logic active_q, done_q, write, chunk_end, row_end, part_end, image_end;
  logic [PartBits-1:0] part_q;
  logic [ RowBits-1:0] row_q;

  assign write     = active_q && valid_i && grant_i;
  assign part_end  = row_end && row_q == last_row_i;
  assign image_end = part_end && part_q == last_part_i;
  assign ready_o   = active_q && grant_i && (chunk_end || image_end);
  assign done_o    = done_q;
  assign part_o    = part_q;
  assign row_o     = row_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      done_q   <= 1'b0;
    end else begin
      done_q <= write && image_end && !start_i;
      if (start_i) active_q <= 1'b1;
      else if (write && image_end) active_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      part_q <= first_part_i;
      row_q  <= '0;
    end else if (write && row_end) begin
      row_q <= part_end ? '0 : row_q + 1'b1;
      if (part_end) part_q <= part_q + 1'b1;
    end
  end

  // Pieces of the longer of row and chunk, each as long as the other.
  localparam int unsigned Pieces = ChunkWords > Lanes ? ChunkWords / Lanes : Lanes / ChunkWords;
  localparam int unsigned PieceBits = Pieces > 1 ? $clog2(Pieces) : 1;
  logic [PieceBits-1:0] piece_q;
  logic last_piece;
  assign last_piece = piece_q == PieceBits'(Pieces - 1);

  always_ff @(posedge clk_i) begin
    if (start_i) piece_q <= '0;
    else if (write) piece_q <= last_piece ? '0 : piece_q + 1'b1;
  end

  if (ChunkWords > Lanes) begin : gen_narrow
    assign chunk_end = last_piece;
    assign row_end   = 1'b1;
    assign write_o   = {Lanes{write}};
    assign data_o    = data_i[32'(piece_q)*Lanes+:Lanes];
  end else begin : gen_wide
    assign chunk_end = 1'b1;
    assign row_end   = last_piece;
    for (genvar k = 0; k < Pieces; k++) begin : gen_piece
      assign write_o[k*ChunkWords+:ChunkWords] = {ChunkWords{write && piece_q == PieceBits'(k)}};
      assign data_o[k*ChunkWords+:ChunkWords]  = data_i;
    end
  end

endmodule
