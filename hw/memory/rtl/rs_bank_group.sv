// SPDX-License-Identifier: Apache-2.0
// rs_bank_group: one polynomial in 4 Lanes banks, with a port for the lanes and one for everybody else.
// Params:  W, LogNMax, LogLanes, ChunkWords V (a power of two, at most 4 Lanes); Pairs: row_real_i is there;
//          Dual: each bank is a memory with two ports, of which the lanes have one and everything else the other: no data are chosen between in
//          front of it;
//          Stacked: the two banks of a place {h, lane} are one memory with two ports, of which the lanes write through one and everything
//          else goes through the other: one word instead of two behind it, too. V is 1 or 2, and it is not Dual
// Bounds:  one access per bank and cycle: at most one port is active (rs_poly_memory asserts it); a row port that is not carries
//          zeros: without Dual ports are ORed, which is less deep than a choice. Stacked: the lanes may read a half and write the other one
// Timing:  data come in the cycle after a read, and only there (rs_ram_1rw); Stacked: they stay a cycle longer if no port but the one
//          through which the lanes write is used (rs_ram_2rw)
//
// A half is the 2 Lanes banks that share g; words of a half are numbered {h, lane}, words of a row {lane, g, h}: docs/core.md.
module rs_bank_group #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned LogNMax    = 10,
    parameter  int unsigned LogLanes   = 2,
    parameter  int unsigned ChunkWords = 4,
    parameter  bit          Pairs      = 1'b0,
    parameter  bit          Dual       = 1'b0,
    parameter  bit          Stacked    = 1'b0,
    localparam int unsigned Lanes      = 1 << LogLanes,
    localparam int unsigned AddrBits   = LogNMax - 2 - LogLanes
) (
    input logic clk_i,

    // lanes: a half at a time, either half in the same cycle
    input  logic [        1:0]                      half_req_i,
    input  logic [        1:0]                      half_we_i,
    input  logic [        1:0][AddrBits-1:0]        half_addr_i,
    input  logic [2*Lanes-1:0][       W-1:0]        half_data_i,
    output logic [        1:0][ 2*Lanes-1:0][W-1:0] half_data_o,

    // chunks: some words of one row; word i of a row takes word i mod V of the chunk; data are zero but for a write
    input  logic                         row_we_i,
    input  logic [  AddrBits-1:0]        row_addr_i,
    input  logic [   4*Lanes-1:0]        row_mask_i,
    input  logic                         row_half_i,   // Stacked: g of these words; 0 if there is no access
    input  logic [ChunkWords-1:0][W-1:0] row_data_i,
    input  logic                         row_real_i,   // row_other_i instead of data in the upper half of the row: imaginary parts
    input  logic [         W-1:0]        row_other_i,
    output logic [   4*Lanes-1:0][W-1:0] row_data_o,

    // zeros, a row per cycle; Stacked: half a row. And the first one is read
    input logic                wipe_i,
    input logic                rinse_i,
    input logic                wipe_half_i,
    input logic [AddrBits-1:0] wipe_addr_i
);

  if (!rs_ntt_pkg::supported(LogNMax, LogLanes)) begin : gen_illegal_size
    $fatal(1, "%m: LogNMax %0d with LogLanes %0d is out of range", LogNMax, LogLanes);
  end
  if (ChunkWords == 0 || ChunkWords > 4 * Lanes || (ChunkWords & (ChunkWords - 1)) != 0) begin : gen_illegal_chunk
    $fatal(1, "%m: ChunkWords %0d is not a power of two up to %0d", ChunkWords, 4 * Lanes);
  end

  if (Stacked) begin : gen_stacked
    logic [1:0] reads, writes;
    logic [AddrBits:0] addr, write_addr;

    if (ChunkWords > 2 || Dual) begin : gen_illegal_stacked
      $fatal(1, "%m: chunks of %0d words are in both halves, or Dual", ChunkWords);
    end

    assign reads  = half_req_i & ~half_we_i;
    assign writes = half_req_i & half_we_i;
    always_comb begin
      addr = {row_half_i, row_addr_i} | (wipe_i ? {wipe_half_i, wipe_addr_i} : '0);
      for (int g = 0; g < 2; g++) if (reads[g]) addr |= {1'(g), half_addr_i[g]};
      write_addr = {writes[1], writes[1] ? half_addr_i[1] : half_addr_i[0]};
    end

    for (genvar h = 0; h < 2; h++) begin : gen_operand
      for (genvar lane = 0; lane < Lanes; lane++) begin : gen_bank
        localparam int unsigned Word = h * Lanes + lane;
        localparam int unsigned Place = lane * 4 + h;  // and two more for g
        logic [W-1:0] row, data, unused_data;

        assign row = Pairs && Place >= 2 * Lanes && row_real_i ? row_other_i : row_data_i[Place%ChunkWords];
        rs_ram_2rw #(
            .Width(W),
            .Depth(2 << AddrBits)
        ) u_ram (
            .clk_i,
            .req_i  ({writes != '0, wipe_i || rinse_i || reads != '0 || row_mask_i[Place] || row_mask_i[Place+2]}),
            .we_i   ({1'b1, wipe_i || row_we_i}),
            .addr_i ({write_addr, addr}),
            .wdata_i({half_data_i[Word], row}),
            .rdata_o({unused_data, data})
        );
        for (genvar g = 0; g < 2; g++) begin : gen_half
          assign half_data_o[g][Word]  = data;
          assign row_data_o[Place+2*g] = data;
        end
      end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      assert (reads != '1 && writes != '1)
      else $error("%m: the lanes are in both halves");
    end
`endif
  end else begin : gen_banks
    for (genvar g = 0; g < 2; g++) begin : gen_half
      for (genvar h = 0; h < 2; h++) begin : gen_operand
        for (genvar lane = 0; lane < Lanes; lane++) begin : gen_bank
          localparam int unsigned Word = h * Lanes + lane;
          localparam int unsigned Place = lane * 4 + g * 2 + h;
          logic [W-1:0] row;

          assign row = Pairs && Place >= 2 * Lanes && row_real_i ? row_other_i : row_data_i[Place%ChunkWords];

          if (Dual) begin : gen_dual
            rs_ram_2rw #(
                .Width(W),
                .Depth(1 << AddrBits)
            ) u_ram (
                .clk_i,
                .req_i  ({wipe_i || rinse_i || row_mask_i[Place], rinse_i || half_req_i[g]}),
                .we_i   ({wipe_i || row_we_i, half_we_i[g]}),
                .addr_i ({row_addr_i | (wipe_i ? wipe_addr_i : '0), half_addr_i[g]}),
                .wdata_i({row, half_data_i[Word]}),
                .rdata_o({row_data_o[Place], half_data_o[g][Word]})
            );
          end else begin : gen_single
            rs_ram_1rw #(
                .Width(W),
                .Depth(1 << AddrBits)
            ) u_ram (
                .clk_i,
                .req_i  (wipe_i || rinse_i || half_req_i[g] || row_mask_i[Place]),
                .we_i   (wipe_i || half_we_i[g] || row_we_i),
                .addr_i ((half_req_i[g] ? half_addr_i[g] : '0) | row_addr_i | (wipe_i ? wipe_addr_i : '0)),
                .wdata_i((half_we_i[g] ? half_data_i[Word] : '0) | row),
                .rdata_o(half_data_o[g][Word])
            );
            assign row_data_o[Place] = half_data_o[g][Word];
          end
        end
      end
    end

    logic unused_half;
    assign unused_half = row_half_i ^ wipe_half_i;
  end

  if (!Pairs) begin : gen_no_pairs
    logic unused;
    assign unused = ^{row_real_i, row_other_i};
  end

endmodule
