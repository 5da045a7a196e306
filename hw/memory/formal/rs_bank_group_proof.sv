// SPDX-License-Identifier: Apache-2.0
// rs_bank_group_proof: rs_bank_group, whose memory may have one port or two, keeps a word: any one. What the lanes, a unit or a wipe wrote there last
//                      is what the lanes and the units read from there, whoever has the group in between, and nothing else changes it.
// Bounds:  one user of a group in a cycle, as rs_poly_memory asserts it; what is not used of the row port is zero
module rs_bank_group_proof #(
    parameter  int unsigned LogNMax    = 4,
    parameter  int unsigned LogLanes   = 0,
    parameter  int unsigned ChunkWords = 4,
    parameter  bit          Pairs      = 1'b0,
    parameter  bit          Dual       = 1'b1,
    localparam int unsigned Lanes      = 1 << LogLanes,
    localparam int unsigned AddrBits   = LogNMax - 2 - LogLanes
) (
    input logic clk_i,
    input logic [1:0] half_req_i,
    input logic [1:0] half_we_i,
    input logic [1:0][AddrBits-1:0] half_addr_i,
    input logic [2*Lanes-1:0] half_data_i,
    input logic row_we_i,
    input logic [AddrBits-1:0] row_addr_i,
    input logic [4*Lanes-1:0] row_mask_i,
    input logic [ChunkWords-1:0] row_data_i,
    input logic row_real_i,
    input logic row_other_i,
    input logic wipe_i,
    input logic rinse_i,
    input logic [AddrBits-1:0] wipe_addr_i,
    // the word: {lane, g, h}, and its row
    input logic [LogLanes+1:0] place_i,
    input logic [AddrBits-1:0] row_i
);
  logic [1:0][2*Lanes-1:0] half_data;
  logic [4*Lanes-1:0] row_data;
  logic [LogLanes+1:0] place_q;
  logic [AddrBits-1:0] row_q;
  logic begun_q, written_q, value_q, lanes_read_q, unit_read_q;
  logic half, in_half, in_row;
  logic [LogLanes:0] word;  // {h, lane}

  assign half    = place_i[1];
  assign word    = (LogLanes + 1)'(place_i[0]) << LogLanes | (LogLanes + 1)'(place_i >> 2);
  assign in_half = half_req_i[half] && half_addr_i[half] == row_i;
  assign in_row  = row_mask_i[place_i] && row_addr_i == row_i;

  initial begun_q = 1'b0;
  always_ff @(posedge clk_i) begin
    begun_q      <= 1'b1;
    place_q      <= place_i;
    row_q        <= row_i;
    lanes_read_q <= begun_q && written_q && in_half && !half_we_i[half];
    unit_read_q  <= begun_q && written_q && in_row && !row_we_i;
    if (!begun_q) written_q <= 1'b0;
    if (in_half && half_we_i[half]) begin
      value_q   <= half_data_i[word];
      written_q <= begun_q;
    end
    if (in_row && row_we_i) begin
      value_q   <= Pairs && row_real_i && 32'(place_i) >= 2 * Lanes ? row_other_i : row_data_i[place_i%ChunkWords];
      written_q <= begun_q;
    end
    if (wipe_i && wipe_addr_i == row_i) begin
      value_q   <= 1'b0;
      written_q <= begun_q;
    end

    if (begun_q) assume (place_i == place_q && row_i == row_q);
    assume (32'(wipe_i) + 32'(rinse_i) + 32'(half_req_i != '0) + 32'(row_mask_i != '0) <= 1);
    assume ((half_we_i & ~half_req_i) == '0);
    if (row_mask_i == '0) assume (!row_we_i && row_addr_i == '0);
    if (!row_we_i) assume (row_data_i == '0 && !row_real_i && !row_other_i);

    if (begun_q && lanes_read_q) assert (half_data[half][word] == value_q);
    if (begun_q && unit_read_q) assert (row_data[place_i] == value_q);
  end

  rs_bank_group #(
      .W         (1),
      .LogNMax   (LogNMax),
      .LogLanes  (LogLanes),
      .ChunkWords(ChunkWords),
      .Pairs     (Pairs),
      .Dual      (Dual)
  ) u_group (
      .clk_i,
      .half_req_i,
      .half_we_i,
      .half_addr_i,
      .half_data_i,
      .half_data_o(half_data),
      .row_we_i,
      .row_addr_i,
      .row_mask_i,
      .row_half_i (1'b0),
      .row_data_i,
      .row_real_i,
      .row_other_i,
      .row_data_o (row_data),
      .wipe_i,
      .rinse_i,
      .wipe_half_i(1'b0),
      .wipe_addr_i
  );

endmodule
