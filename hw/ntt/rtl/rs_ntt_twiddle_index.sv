// SPDX-License-Identifier: Apache-2.0
// rs_ntt_twiddle_index: where the twiddles of one step are, combinational.
// Model:   lib/src/arith/ntt.c: stage s of the transform wants w[2^s + i], of the inverse w[2^(s+1) - 1 - i], i being the s most
//          significant bits of the element. With fft_i: lib/src/encoding/fixed.c, rs_fixed_root; docs/ntt_schedule.md, "Roots"
// Params:  LogNMax, LogLanes; Encode: fft_i is there
// Bounds:  proved for every size against the layout (formal/rs_ntt_map_proof.sv)
module rs_ntt_twiddle_index #(
    parameter  int unsigned LogNMax    = 13,
    parameter  int unsigned LogLanes   = 2,
    parameter  bit          Encode     = 1'b0,
    localparam int unsigned AddrBits   = LogNMax - 2 - LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned LogNBits   = rs_ntt_pkg::LogNBits
) (
    input  logic                  inverse_i,
    input  logic [  LogNBits-1:0] log_n_i,
    input  logic [  LogNBits-1:0] stage_i,
    input  logic [    AddrBits:0] step_i,     // {block, l, g}; with fft_i that of one lane is {block, l, g, c}
    output logic [  AddrBits+1:0] addr_o,     // in every bank of rs_twiddles
    output logic [SelectBits-1:0] fixed_o,    // lane bits that do not choose the bank
    output logic [SelectBits-1:0] bank_o,     // the bank in those bits
    // encode and decode: inverse_i is 0
    input  logic                  fft_i,
    input  logic                  second_i,   // the second of a slot's products
    output logic                  odd_o       // the real part of the root is negative
);

  localparam int unsigned Limit = rs_ntt_pkg::LogNLimit;

  if (!rs_ntt_pkg::supported(LogNMax, LogLanes)) begin : gen_illegal
    $fatal(1, "%m: LogNMax %0d with LogLanes %0d is out of range", LogNMax, LogLanes);
  end

  // {block, l}, reversed, has the bits of i that sit in the address, in order. Those in lanes and group are above it.
  logic [LogNBits-1:0] addr_bits, stages_left;
  logic [Limit-1:0] position, below_stage, below_addr, low;
  logic [AddrBits-1:0] number;
  logic fft, solo, group, component;
  assign fft         = Encode && fft_i;
  assign solo        = fft && LogLanes == 0;
  assign addr_bits   = log_n_i - LogNBits'(2 + LogLanes) - LogNBits'(solo);
  assign stages_left = log_n_i - stage_i - LogNBits'(fft);
  assign number      = solo ? step_i[AddrBits:1] >> 1 : step_i[AddrBits:1];
  assign group       = solo ? step_i[1] : step_i[0];
  assign position    = rs_ntt_pkg::reverse(Limit'(number), addr_bits) ^ {Limit{inverse_i}};
  assign below_stage = ~({Limit{1'b1}} << stage_i);
  assign below_addr  = ~({Limit{1'b1}} << addr_bits);
  // 2^s + i, as far as it is below 2^addr_bits
  assign low         = ((position & below_stage) | (below_stage + 1'b1)) & below_addr;

  // The lane has the next bits, if the stage is late enough; below its last one sits the 1 of 2^s, and zeros.
  // A root's magnitudes re and im serve two blocks: in the odd one, i times it, they change places.
  assign odd_o       = fft && low[0] && stage_i != '0;
  assign component   = second_i ^ odd_o ^ (solo && step_i[0]);

  always_comb begin
    for (int j = 0; j < int'(SelectBits); j++) begin
      fixed_o[j] = stages_left > LogNBits'(j + 2);
      bank_o[j]  = stages_left == LogNBits'(j + 3);
    end
    if (fft) begin
      fixed_o[SelectBits-1] = 1'b1;
      bank_o[SelectBits-1]  = component;
    end
  end

  // The two bits above the lane's: of 2^s, and the group in the last stage.
  always_comb begin
    addr_o = {2'b00, low[AddrBits-1:0]};
    if (fft) addr_o[AddrBits-1:0] = low[AddrBits:1];
    if (solo) addr_o[AddrBits-1:0] = {low[AddrBits-1:1], component};
    if (stages_left == LogNBits'(2)) addr_o[AddrBits+:2] = 2'b01;
    if (stages_left == LogNBits'(1)) addr_o[AddrBits+:2] = {1'b1, group ^ inverse_i};
  end

  logic unused;
  assign unused = ^{low, second_i};

endmodule
