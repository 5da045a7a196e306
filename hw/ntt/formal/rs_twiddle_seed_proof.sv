// SPDX-License-Identifier: Apache-2.0
// rs_twiddle_seed_proof: twiddles on the fly as powers of psi, for one step of one stage and one lane, all of them free, for every
//                        log2 N up to LogNMax. The first round of the ring is right, and if a round is, so is the next. Combinational.
module rs_twiddle_seed_proof #(
    parameter  int unsigned LogNMax    = 17,
    parameter  int unsigned LogLanes   = 2,
    parameter  int unsigned LogRing    = 4,
    localparam int unsigned AddrBits   = LogNMax - 2 - LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned RowBits    = $clog2(rs_ntt_pkg::twiddle_rows(LogLanes)),
    localparam int unsigned WordBits   = $clog2(rs_ntt_pkg::TwiddleSeeds + rs_ntt_pkg::TwiddleSteps),
    localparam int unsigned Limit      = rs_ntt_pkg::LogNLimit
) (
    input logic [           4:0] log_n_i,
    input logic [           4:0] stage_i,
    input logic [    AddrBits:0] step_i,   // {block, l, g}
    input logic [SelectBits-1:0] lane_i
);

  // The layout as it is defined: which element is in bank {g, h, lane} at this address before a stage.
  //   b_0 is the index's most significant bit;  h = b_s,  g = b_(s+1),  lane_i = b_(s+2+i),  address bit (s+k) mod a = b_(s+2+p+k)
  function automatic logic [Limit-1:0] element(input logic [4:0] stage, input logic [4:0] turn, input logic h, input logic g,
                                               input logic [SelectBits-1:0] lane, input logic [Limit-1:0] addr,
                                               input logic [4:0] log_n);
    logic [5:0] k, j, a;
    logic [Limit-1:0] bit_of;
    element = '0;
    a = 6'(log_n) - 6'(2 + LogLanes);
    for (int unsigned r = 0; r < LogNMax; r++) begin
      if (6'(r) < 6'(log_n)) begin
        k = 6'(stage) + 6'(r);
        if (k >= 6'(log_n)) k = k - 6'(log_n);
        if (r == 0) bit_of = Limit'(h);
        else if (r == 1) bit_of = Limit'(g);
        else if (r < 2 + LogLanes) bit_of = Limit'(lane[(r-2)%SelectBits]);
        else begin
          j = 6'(turn) + 6'(r - 2 - LogLanes);
          if (j >= a) j = j - a;
          bit_of = (addr >> j) & Limit'(1);
        end
        element = element | (bit_of << (6'(log_n) - 6'd1 - k));
      end
    end
  endfunction

  // The image (hw/ntt/README.md), forward: exponents of psi. The half for the inverse has them negative, and N more in the seeds.
  function automatic logic [Limit:0] scalar(input logic [WordBits-1:0] word, input logic [4:0] log_n);
    return word < 32 ? ((Limit + 1)'(word) >> 1 << (LogLanes + 2)) + ((Limit + 1)'(word[0]) << 1) :
                       ((Limit + 1)'(1) << log_n) >> (word - 32);
  endfunction

  logic [4:0] addr_bits, turn;
  logic [AddrBits:0] before_step;
  assign addr_bits   = log_n_i - 5'(2 + LogLanes);
  assign turn        = stage_i % addr_bits;
  assign before_step = step_i - (AddrBits + 1)'(1 << LogRing);

  // ---- what the hardware does --------------------------------------------------------------------------------------------
  logic constant_scalar, last_stage, first, change;
  logic [AddrBits:0] held;
  logic [WordBits-1:0] factor_word, constant_word, seed_word;
  logic [SelectBits-1:0] fixed, bank, lane_bank;
  logic [RowBits-1:0] row, lane_row;

  rs_twiddle_seed_index #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .LogRing (LogRing)
  ) u_index (
      .log_n_i,
      .stage_i,
      .factor_word_o    (factor_word),
      .constant_scalar_o(constant_scalar),
      .constant_word_o  (constant_word),
      .constant_row_o   (row),
      .constant_fixed_o (fixed),
      .constant_bank_o  (bank),
      .step_stage_i     (stage_i),
      .last_stage_o     (last_stage),
      .held_o           (held),
      .step_i,
      .held_i           (held),
      .first_o          (first),
      .seed_word_o      (seed_word),
      .change_o         (change)
  );

  // rs_twiddle_network
  assign lane_bank = LogLanes == 0 ? '0 : (fixed & bank) | (~fixed & lane_i);
  assign lane_row  = row - RowBits'(rs_ntt_pkg::twiddle_scalar_rows(LogLanes));

  logic [Limit:0] constant, seed, factor;
  assign constant = constant_scalar ? scalar(
      constant_word, log_n_i
  ) : ((Limit + 1)'(lane_bank) << 2) + (Limit + 1)'(rs_ntt_pkg::reverse(
      Limit'(lane_row), 5'd2
  ));
  assign seed = scalar(seed_word, log_n_i);
  assign factor = scalar(factor_word, log_n_i);

  // ---- what it should: w[j] = psi^brv(j), for the block of the lane's element ---------------------------------------------
  function automatic logic [Limit-1:0] block(input logic [AddrBits:0] step, input logic [SelectBits-1:0] lane,
                                             input logic [4:0] stage, input logic [4:0] stage_turn, input logic [4:0] log_n);
    logic [Limit-1:0] addr;
    addr = rs_ntt_pkg::rotate(Limit'(step[AddrBits:1]), stage_turn, log_n - 5'(2 + LogLanes));
    return element(stage, stage_turn, 1'b0, step[0], lane, addr, log_n) >> (log_n - stage);
  endfunction

  logic [Limit-1:0] here, round_ago;
  logic [Limit:0] exponent, exponent_ago, inverse, mask;
  assign here         = block(step_i, lane_i, stage_i, turn, log_n_i);
  assign round_ago    = block(before_step, lane_i, stage_i, turn, log_n_i);
  assign exponent     = (Limit + 1)'(rs_ntt_pkg::reverse((Limit'(1) << stage_i) + here, log_n_i));
  assign exponent_ago = (Limit + 1)'(rs_ntt_pkg::reverse((Limit'(1) << stage_i) + round_ago, log_n_i));
  assign inverse      = (Limit + 1)'(rs_ntt_pkg::reverse((Limit'(2) << stage_i) - 1'b1 - here, log_n_i));
  assign mask         = ~({(Limit + 1) {1'b1}} << (log_n_i + 5'd1));

  always_comb begin
    assume (32'(log_n_i) >= LogLanes + 4 && 32'(log_n_i) <= LogNMax && stage_i < log_n_i);
    assume ((step_i >> addr_bits) <= 1);
    assert (first == (32'(step_i) < 1 << LogRing));
    if (first)
      assert (((constant + seed) & mask) == exponent);
      else assert (((exponent_ago + (change ? factor : '0)) & mask) == exponent);
    // a seed that two steps share is read in the first of them
    assert (last_stage || !seed_word[0]);
    // INTT: the other sign of everything, times psi^N
    assert (exponent + inverse == (Limit + 1)'(1) << log_n_i);
  end

endmodule
