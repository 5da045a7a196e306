// SPDX-License-Identifier: Apache-2.0
// rs_seeds: the private and the public seed in small memories: written word by word, read a row of all eight lanes at a time.
// Params:  Frames: pairs of seeds, a power of two; Slices: 64, whole lanes, or what rs_keccak_fold takes of each; Both: both seeds are read at the same time, which takes flip-flops
// Bounds:  byte i of a lane is [8 * i +: 8]; no write while busy_o, none while wipe_i
// Timing:  rows are combinational; a written word is there after max(1, 32 / Slices) cycles. While wipe_i zeros go to the seeds:
//          all in 2 Steps Frames cycles, Steps = 64 / Slices

module rs_seeds #(
    parameter  int unsigned Slices    = 32,
    parameter  bit          Both      = 1'b0,
    parameter  int unsigned Frames    = 1,
    localparam int unsigned Steps     = 64 / Slices,
    localparam int unsigned StepBits  = Steps > 1 ? $clog2(Steps) : 1,
    localparam int unsigned FrameBits = Frames > 1 ? $clog2(Frames) : 1
) (
    input  logic                             clk_i,
    input  logic                             wipe_i,
    input  logic                             private_we_i,
    input  logic                             public_we_i,
    input  logic [FrameBits-1:0]             frame_i,            // whose seed is written, stable as word_i; whose are read
    input  logic [FrameBits-1:0]             private_frame_i,
    input  logic [FrameBits-1:0]             public_frame_i,
    input  logic [          3:0]             word_i,             // which; this and the next one stay until busy_o is 0 again
    input  logic [         31:0]             data_i,
    output logic                             busy_o,
    input  logic                             public_i,           // which seed is read, unless Both are
    input  logic [ StepBits-1:0]             step_i,
    output logic [          7:0][Slices-1:0] private_row_sec_o,
    output logic [          7:0][Slices-1:0] public_row_o
);
  localparam int unsigned Parts = Slices < 32 ? 32 / Slices : 1;  // rows of a word
  localparam int unsigned PartBits = Parts > 1 ? $clog2(Parts) : 1;
  localparam int unsigned Grain = Slices < 32 ? Slices : 32;  // what a cycle writes of a row
  localparam int unsigned Grains = Slices / Grain;
  localparam int unsigned SideBits = Steps * Frames > 1 ? $clog2(Steps * Frames) : 1;
  localparam int unsigned AddrBits = $clog2(2 * Steps * Frames);

  if (Slices != 8 && Slices != 16 && Slices != 32 && Slices != 64) begin : gen_illegal
    $fatal(1, "%m: Slices must be 8, 16, 32 or 64, not %0d", Slices);
  end
  if (Both && Slices != 64) begin : gen_illegal_both
    $fatal(1, "%m: both seeds are read at the same time in whole lanes only");
  end

  // ---- a write: a byte of a row in each cycle that it takes ----------------------------------------------------------------------
  logic busy_q, public_q, we_private, we_public, we;
  logic [PartBits-1:0] part_q;
  logic [StepBits-1:0] step;
  logic [AddrBits-1:0] wipe_addr_q;
  logic [Grain-1:0] data;
  logic [Grains-1:0] half;  // a grain of a whole lane
  logic [7:0] lane;

  assign we_private = private_we_i || (busy_q && !public_q);
  assign we_public = public_we_i || (busy_q && public_q);
  assign we = we_private || we_public;
  assign lane = 8'd1 << word_i[3:1];

  if (Slices < 32) begin : gen_parts
    assign step = StepBits'({word_i[0], part_q});
    assign data = data_i[32'(part_q)*Slices+:Slices];
    assign half = '1;
    always_ff @(posedge clk_i) begin
      if (private_we_i || public_we_i) public_q <= public_we_i;
      part_q <= we ? part_q + 1'b1 : '0;
      busy_q <= we && part_q != '1 && !wipe_i;
    end
  end else begin : gen_whole
    assign step = Slices == 32 ? StepBits'(word_i[0]) : '0;
    assign data = Grain'(data_i);
    assign half = Slices == 32 ? '1 : Grains'({word_i[0], !word_i[0]});
    assign {busy_q, public_q, part_q} = '0;
  end
  logic unused;  // not every width has parts or steps
  assign unused = ^{part_q, step, we, public_i, step_i, frame_i, private_frame_i, public_frame_i};
  assign busy_o = busy_q || ((private_we_i || public_we_i) && Parts > 1);

  always_ff @(posedge clk_i) wipe_addr_q <= wipe_i ? wipe_addr_q + 1'b1 : '0;

  // The number of a seed among its kind, and among all.
  function automatic logic [SideBits-1:0] side(input logic [FrameBits-1:0] frame, input logic [StepBits-1:0] row);
    if (Steps == 1) return SideBits'(frame);
    return Frames > 1 ? SideBits'({frame, row}) : SideBits'(row);
  endfunction

  function automatic logic [AddrBits-1:0] address(input logic is_public, input logic [SideBits-1:0] seed);
    return Steps * Frames > 1 ? AddrBits'({is_public, seed}) : AddrBits'(is_public);
  endfunction

  // ---- lanes ----------------------------------------------------------------------------------------------------------------------
  for (genvar i = 0; i < 8; i++) begin : gen_lane
    if (Both && Frames > 1) begin : gen_frames
      logic [Grains-1:0][Grain-1:0] private_row_sec, public_row;
      for (genvar h = 0; h < Grains; h++) begin : gen_grain
        rs_ram_1r1w #(
            .Width(Grain),
            .Depth(Frames)
        ) u_private_sec (
            .clk_i,
            .we_i   (wipe_i || (we_private && lane[i] && half[h])),
            .waddr_i(wipe_i ? FrameBits'(wipe_addr_q) : frame_i),
            .wdata_i(wipe_i ? '0 : data),
            .raddr_i(private_frame_i),
            .rdata_o(private_row_sec[h])
        );
        rs_ram_1r1w #(
            .Width(Grain),
            .Depth(Frames)
        ) u_public (
            .clk_i,
            .we_i   (wipe_i || (we_public && lane[i] && half[h])),
            .waddr_i(wipe_i ? FrameBits'(wipe_addr_q) : frame_i),
            .wdata_i(wipe_i ? '0 : data),
            .raddr_i(public_frame_i),
            .rdata_o(public_row[h])
        );
      end
      assign private_row_sec_o[i] = private_row_sec;
      assign public_row_o[i] = public_row;
    end else if (Both) begin : gen_both
      logic [Grains-1:0][Grain-1:0] private_sec_q, public_row_q;
      always_ff @(posedge clk_i) begin
        for (int h = 0; h < int'(Grains); h++) begin
          if (wipe_i || (we_private && lane[i] && half[h])) private_sec_q[h] <= wipe_i ? '0 : data;
          if (wipe_i || (we_public && lane[i] && half[h])) public_row_q[h] <= wipe_i ? '0 : data;
        end
      end
      assign private_row_sec_o[i] = private_sec_q;
      assign public_row_o[i] = public_row_q;
    end else begin : gen_one
      logic [Grains-1:0][Grain-1:0] row_sec;
      for (genvar h = 0; h < Grains; h++) begin : gen_grain
        rs_ram_1r1w #(
            .Width(Grain),
            .Depth(2 * Steps * Frames)
        ) u_ram_sec (
            .clk_i,
            .we_i   (wipe_i || (we && lane[i] && half[h])),
            .waddr_i(wipe_i ? wipe_addr_q : address(we_public, side(frame_i, step))),
            .wdata_i(wipe_i ? '0 : data),
            .raddr_i(address(public_i, side(public_i ? public_frame_i : private_frame_i, step_i))),
            .rdata_o(row_sec[h])
        );
      end
      assign private_row_sec_o[i] = row_sec;
      assign public_row_o[i] = row_sec;
    end
  end

endmodule
