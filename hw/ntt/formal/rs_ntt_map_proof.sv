// SPDX-License-Identifier: Apache-2.0
// rs_ntt_map_proof: one word of one step of one stage, all of them free, for every log2 N up to LogNMax. Combinational. Encode: of one
//                   slot of FFT and IFFT, and either component of a point. Sliced: of any two slices of 2^log_n_i words, too.
module rs_ntt_map_proof #(
    parameter  int unsigned LogNMax    = 17,
    parameter  int unsigned LogLanes   = 2,
    parameter  bit          Encode     = 1'b0,
    parameter  bit          Sliced     = 1'b0,
    localparam int unsigned PointLanes = Encode && LogLanes > 0 ? LogLanes - 1 : LogLanes,  // lanes of a point: pairs
    localparam int unsigned AddrBits   = LogNMax - 2 - LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned Limit      = rs_ntt_pkg::LogNLimit
) (
    input logic                  inverse_i,
    input logic [           4:0] log_n_i,
    input logic [           4:0] stage_i,
    input logic [    AddrBits:0] step_i,         // {block, l, g}
    input logic [    AddrBits:0] other_i,        // a second step
    input logic [  AddrBits-1:0] slice_i,
    input logic [  AddrBits-1:0] other_slice_i,
    input logic                  h_i,
    input logic [SelectBits-1:0] lane_i,         // lane; for pairs the top bit is the component
    input logic                  of_im_i,        // one lane: the component
    input logic                  second_i        // the second of a slot's products
);

  // The layout as it is defined: which element is in bank {g, h, lane} at this address before a stage.
  //   b_0 is the index's most significant bit;  h = b_s,  g = b_(s+1),  lane_i = b_(s+2+i),  address bit (s+k) mod a = b_(s+2+p+k)
  function automatic logic [Limit-1:0] element(input logic [4:0] stage, input logic [4:0] turn, input logic h, input logic g,
                                               input logic [SelectBits-1:0] lane, input logic [Limit-1:0] addr,
                                               input logic [4:0] log_n);
    logic [5:0] k, j, a;
    logic [Limit-1:0] bit_of;
    element = '0;
    a = 6'(log_n) - 6'(2 + PointLanes);
    for (int unsigned r = 0; r < LogNMax; r++) begin
      if (6'(r) < 6'(log_n)) begin
        k = 6'(stage) + 6'(r);
        if (k >= 6'(log_n)) k = k - 6'(log_n);
        if (r == 0) bit_of = Limit'(h);
        else if (r == 1) bit_of = Limit'(g);
        else if (r < 2 + PointLanes) bit_of = Limit'(lane[(r-2)%SelectBits]);
        else begin
          j = 6'(turn) + 6'(r - 2 - PointLanes);
          if (j >= a) j = j - a;
          bit_of = (addr >> j) & Limit'(1);
        end
        element = element | (bit_of << (6'(log_n) - 6'd1 - k));
      end
    end
  endfunction

  logic [4:0] bits, addr_bits, turn, next_turn;  // bits: of an index
  logic l, g, next_g;
  logic [SelectBits-1:0] next_lane;
  logic [Limit-1:0] block, addr, partner_addr, other_addr, here, partner, next, block_of_stage, index;
  assign bits         = log_n_i - 5'(Encode);
  assign addr_bits    = bits - 5'(2 + PointLanes);
  assign turn         = stage_i % addr_bits;
  assign next_turn    = turn + 1'b1 == addr_bits ? '0 : turn + 1'b1;
  assign g            = step_i[0];
  assign l            = step_i[1];
  assign block        = Limit'(step_i[AddrBits:2]);

  // ---- what the hardware does --------------------------------------------------------------------------------------------
  // the address of a read, and, in the block that is written, of the step l' = h
  assign addr         = rs_ntt_pkg::rotate({block[Limit-2:0], l}, turn, addr_bits);
  assign partner_addr = rs_ntt_pkg::rotate({block[Limit-2:0], h_i}, turn, addr_bits);
  assign other_addr   = rs_ntt_pkg::rotate(Limit'(other_i[AddrBits:1]), turn, addr_bits);

  // with slices, as rs_ntt_walk counts: {slice, block, l, g}
  logic [AddrBits:0] step, other_step;
  logic [Limit-1:0] sliced_addr, other_sliced_addr;
  assign step = Sliced ? step_i | (AddrBits + 1)'(slice_i) << (addr_bits + 5'd1) : step_i;
  assign other_step = other_i | (AddrBits + 1)'(other_slice_i) << (addr_bits + 5'd1);
  assign sliced_addr = rs_ntt_pkg::rotate_low(Limit'(step[AddrBits:1]), turn, addr_bits);
  assign other_sliced_addr = rs_ntt_pkg::rotate_low(Limit'(other_step[AddrBits:1]), turn, addr_bits);

  // rs_ntt_reorder (proved on its own): h' = g, g' = lane_0, lane' = {l, lane_P-1 .. lane_1}
  // FFT: the same for the other bits of the lane
  if (PointLanes == 0) begin : gen_single
    assign next_g = l;
    assign next_lane = lane_i;
  end else begin : gen_many
    assign next_g = lane_i[0];
    assign next_lane = SelectBits'({l, lane_i[PointLanes-1:0]} >> 1);
  end

  logic [AddrBits+1:0] twiddle_addr, place_addr;
  logic [SelectBits-1:0] fixed, bank, lane_bank, place_bank;
  logic odd;

  rs_ntt_twiddle_index #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .Encode  (Encode)
  ) u_index (
      .inverse_i(inverse_i && !Encode),
      .log_n_i,
      .stage_i,
      .step_i  (Encode && LogLanes == 0 ? {step_i[AddrBits-1:0], of_im_i} : step),
      .addr_o (twiddle_addr),
      .fixed_o(fixed),
      .bank_o (bank),
      .fft_i   (Encode),
      .second_i,
      .odd_o   (odd)
  );

  // The stored image (hw/ntt/README.md): word (t 2^a + c) P + bank, in row {t, c} of the bank, is w[{t, brv(bank), c}].
  logic [Limit-1:0] part, between, column;
  // FFT: entry t of the roots (docs/ntt_schedule.md) has the words of two blocks.
  logic [Limit-1:0] entry;
  logic [4:0] entry_bits, column_bits;
  logic is_odd, component;
  assign entry       = Encode ? index >> 1 : index;
  assign entry_bits  = bits - 5'(Encode);
  assign column_bits = addr_bits - 5'(Encode);
  assign is_odd      = Encode && index[0] && stage_i != '0;
  assign component   = second_i ^ (LogLanes == 0 && of_im_i) ^ is_odd;
  assign part        = entry >> (entry_bits - 5'd2);
  assign between     = (entry >> column_bits) & ((Limit'(1) << PointLanes) - 1'b1);
  assign column      = entry & ((Limit'(1) << column_bits) - 1'b1);
  if (!Encode) begin : gen_twiddle
    assign place_bank = SelectBits'(rs_ntt_pkg::reverse(between, 5'(LogLanes)));
    assign place_addr = {part[1:0], column[AddrBits-1:0]};
  end else if (LogLanes == 0) begin : gen_root_of_one
    assign place_bank = '0;
    assign place_addr = {part[1:0], column[AddrBits-2:0], component};
  end else begin : gen_root
    assign place_bank = SelectBits'(rs_ntt_pkg::reverse(between, 5'(PointLanes)) | Limit'(component) << PointLanes);
    assign place_addr = {part[1:0], column[AddrBits-1:0]};
  end

  // rs_twiddle_network
  assign lane_bank = LogLanes == 0 ? '0 : (fixed & bank) | (~fixed & (lane_i ^ {SelectBits{inverse_i && !Encode}}));

  // ---- what it should ------------------------------------------------------------------------------------------------------
  assign here = element(stage_i, turn, h_i, g, lane_i, addr, bits);
  assign partner = element(stage_i, turn, !h_i, g, lane_i, addr, bits);
  assign next = element(stage_i + 1'b1, next_turn, g, next_g, next_lane, partner_addr, bits);
  assign block_of_stage = here >> (bits - stage_i);
  assign index = inverse_i && !Encode ? (Limit'(2) << stage_i) - 1'b1 - block_of_stage : (Limit'(1) << stage_i) + block_of_stage;

  always_comb begin
    assume (32'(log_n_i) >= LogLanes + (Sliced ? 3 : 4) && 32'(log_n_i) <= LogNMax && stage_i < bits);
    assume ((step_i >> addr_bits) <= 1 && (other_i >> addr_bits) <= 1);
    if (Sliced) begin
      assume (32'(slice_i) < 1 << (5'(LogNMax) - log_n_i) && 32'(other_slice_i) < 1 << (5'(LogNMax) - log_n_i));
      // the words of a slice stay in their rows, and a stage reads every one of all slices once
      assert (sliced_addr == (addr | Limit'(slice_i) << addr_bits) && sliced_addr >> AddrBits == '0);
      assert (step[AddrBits:1] == other_step[AddrBits:1] || sliced_addr != other_sliced_addr);
    end
    // the lane's operands are a butterfly's
    assert ((here ^ partner) == Limit'(1) << (bits - 1'b1 - stage_i));
    // a stage writes every word where the next one looks for it; the inverse goes the other way
    assert (here == next);
    // a stage reads every address once, inside the bank's words
    assert (addr >> addr_bits == 0);
    assert (step_i[AddrBits:1] == other_i[AddrBits:1] || addr != other_addr);
    // the lane gets the twiddle of its block
    assert (lane_bank == place_bank && twiddle_addr == place_addr);
    // and whether its real part is negative
    assert (odd == is_odd);
  end

endmodule
