// SPDX-License-Identifier: Apache-2.0
// rs_sample_small: a private polynomial of small coefficients, from a stream of bytes.
// Model:   FIPS 203, algorithm 8; FIPS 204, algorithms 31 and 34; NewHope's noise (rs_field_pkg::small_e)
// Params:  BeatLanes: lanes of 64 bits per beat; Words V: coefficients per row, a power of two; Psi16: SMALL_PSI16 is there; CoefBits
// Bounds:  coefs_i is a positive multiple of V. kind_i is held from start_i to done_o. data_sec_o[0] is the first one of a row; in
//          [-eta, eta], or [1 - gamma1, gamma1]
// Timing:  a row per cycle as far as beats come, five cycles after the beat that completes it. Centred binomial and masks: nothing depends on
//          data. Nibbles (SMALL_ETA2, SMALL_ETA4): 2 V per cycle, at most V coefficients: when rows come depends on which nibbles are
//          rejected, as that of the loop in algorithm 31 does. It is independent of the values that are kept: nothing here depends on those

module rs_sample_small #(
    parameter  int unsigned BeatLanes = 1,
    parameter  int unsigned Words     = 4,
    parameter  bit          Psi16     = 1'b1,
    parameter  int unsigned CoefBits  = 11,
    localparam int unsigned SmallBits = rs_field_pkg::SmallBits
) (
    input  logic                                                clk_i,
    input  logic                                                rst_ni,
    input  logic                                                clear_i,     // wipes and stops
    input  logic                                                start_i,     // what was under way is lost
    input  rs_field_pkg::small_e                                kind_i,
    input  logic                 [ CoefBits-1:0]                coefs_i,     // read with start_i
    // beats (rs_sponge)
    input  logic                                                valid_i,
    output logic                                                ready_o,
    input  logic                                                half_i,      // the high lane is none
    input  logic                 [BeatLanes-1:0][         63:0] data_sec_i,
    output logic                                                valid_o,     // a row, for one cycle: nothing holds it up
    output logic signed          [    Words-1:0][SmallBits-1:0] data_sec_o,
    output logic                                                done_o       // the cycle after the last row
);
  import rs_field_pkg::*;

  localparam int unsigned FieldMax = Psi16 ? 32 : 20;
  localparam int unsigned GroupBits = FieldMax * Words;
  localparam int unsigned GrainBits = 2 * Words;
  localparam int unsigned BeatBits = 64 * BeatLanes;
  localparam int unsigned InGrains = BeatBits / GrainBits;
  localparam int unsigned GiveBits = $clog2(InGrains + 1);
  localparam int unsigned TakeBits = $clog2(FieldMax / 2 + 1);
  // 2, 3, 4, 9, 10 and that of SMALL_PSI16
  localparam logic [FieldMax/2:0] Takes = (FieldMax / 2 + 1)'(17'h1_061c);
  localparam int unsigned Nibbles = 2 * Words;
  localparam int unsigned NibbleBits = 4;  // bits of a coefficient in [-4, 4]
  localparam int unsigned CountBits = 6;

  if (Words == 0 || 64 % GrainBits != 0) begin : gen_illegal
    $fatal(1, "%m: Words must be a power of two up to 32");
  end

  typedef logic signed [SmallBits-1:0] small_t;

  logic run_q, done_q, stop, rejects;
  logic [CoefBits-1:0] left_q;  // coefficients that are to come
  logic group_valid, group_ready, row_valid;
  logic [GroupBits-1:0] group_sec;
  logic [ TakeBits-1:0] take;  // grains of a group: half of a field's bits

  assign stop    = clear_i || start_i || done_q;
  assign rejects = kind_i == SMALL_ETA2 || kind_i == SMALL_ETA4;

  always_comb begin
    unique case (kind_i)
      SMALL_CBD2:   take = TakeBits'(2);
      SMALL_CBD3:   take = TakeBits'(3);
      SMALL_MASK18: take = TakeBits'(9);
      SMALL_MASK20: take = TakeBits'(10);
      SMALL_PSI16:  take = TakeBits'(FieldMax / 2);
      default:      take = TakeBits'(4);
    endcase
  end

  rs_field_gear #(
      .InBits   (BeatBits),
      .OutBits  (GroupBits),
      .GrainBits(GrainBits),
      .Takes    (Takes)
  ) u_gear (
      .clk_i,
      .rst_ni,
      .clear_i   (stop),
      .give_i    (half_i ? GiveBits'(InGrains / 2) : GiveBits'(InGrains)),
      .take_i    (take),
      .valid_i   (valid_i && run_q),
      .ready_o,
      .data_sec_i,
      .valid_o   (group_valid),
      .ready_i   (group_ready),
      .data_sec_o(group_sec)
  );

  // ---- binomial: ones of the first half less ones of the second; masks: gamma1 - x ----------------------------------------------------
  logic fields_valid_q, values_valid_q, fixed_valid_q;
  logic [Words-1:0][15:0] plus_sec_q, minus_sec_q;
  logic [Words-1:0][19:0] mask_sec_q;
  logic [Words-1:0][CountBits-1:0] difference_sec_q;
  small_t [Words-1:0] mask_value_sec_q, fixed_sec_q;
  logic is_mask;

  assign is_mask = kind_i == SMALL_MASK18 || kind_i == SMALL_MASK20;

  function automatic logic [CountBits-1:0] ones(input logic [15:0] bits);
    ones = '0;
    for (int i = 0; i < 16; i++) ones += CountBits'(bits[i]);
  endfunction

  for (genvar i = 0; i < Words; i++) begin : gen_fixed
    logic [15:0] plus_sec, minus_sec;
    logic [31:0] psi_sec;
    if (Psi16) begin : gen_psi16
      assign psi_sec = group_sec[32*i+:32];
    end else begin : gen_no_psi16
      assign psi_sec = '0;
    end
    always_comb begin
      unique case (kind_i)
        SMALL_CBD2: {minus_sec, plus_sec} = {14'd0, group_sec[4*i+2+:2], 14'd0, group_sec[4*i+:2]};
        SMALL_CBD3: {minus_sec, plus_sec} = {13'd0, group_sec[6*i+3+:3], 13'd0, group_sec[6*i+:3]};
        default:    {minus_sec, plus_sec} = psi_sec;
      endcase
    end
    always_ff @(posedge clk_i) begin
      if (stop) begin
        plus_sec_q[i]       <= '0;
        minus_sec_q[i]      <= '0;
        mask_sec_q[i]       <= '0;
        difference_sec_q[i] <= '0;
        mask_value_sec_q[i] <= '0;
        fixed_sec_q[i]      <= '0;
      end else begin
        plus_sec_q[i] <= plus_sec;
        minus_sec_q[i] <= minus_sec;
        mask_sec_q[i] <= kind_i == SMALL_MASK18 ? 20'(group_sec[18*i+:18]) : group_sec[20*i+:20];
        difference_sec_q[i] <= ones(plus_sec_q[i]) - ones(minus_sec_q[i]);
        mask_value_sec_q[i] <= (kind_i == SMALL_MASK18 ? small_t'(1 << 17) : small_t'(1 << 19)) - small_t'({1'b0, mask_sec_q[i]});
        fixed_sec_q[i] <= is_mask ? mask_value_sec_q[i] : small_t'($signed(difference_sec_q[i]));
      end
    end
  end

  // ---- nibbles ------------------------------------------------------------------------------------------------------------------------
  logic nibbles_valid_q, judged_valid_q, ready, step, kept_valid;
  logic [Nibbles-1:0][3:0] nibble_sec_q;
  logic [Nibbles-1:0] accept_q;  // what was rejected is no secret
  logic [Nibbles-1:0][NibbleBits-1:0] judged_sec_q;
  logic [Words-1:0][NibbleBits-1:0] kept_sec;

  // all wait together
  assign step = ready || !judged_valid_q;
  assign group_ready = !rejects || step;

  // z mod 5, z < 15
  function automatic logic [3:0] mod5(input logic [3:0] z);
    if (z >= 4'd10) return z - 4'd10;
    return z >= 4'd5 ? z - 4'd5 : z;
  endfunction

  for (genvar i = 0; i < Nibbles; i++) begin : gen_nibble
    always_ff @(posedge clk_i) begin
      if (stop) begin
        nibble_sec_q[i] <= '0;
        judged_sec_q[i] <= '0;
      end else if (step) begin
        nibble_sec_q[i] <= rejects ? group_sec[4*i+:4] : '0;
        judged_sec_q[i] <= kind_i == SMALL_ETA2 ? 4'd2 - mod5(nibble_sec_q[i]) : 4'd4 - nibble_sec_q[i];
      end
      if (step) accept_q[i] <= kind_i == SMALL_ETA2 ? nibble_sec_q[i] != 4'd15 : nibble_sec_q[i] < 4'd9;
    end
  end

  rs_field_compact #(
      .Bits(NibbleBits),
      .In  (Nibbles),
      .Out (Words)
  ) u_compact (
      .clk_i,
      .rst_ni,
      .clear_i   (stop),
      .valid_i   (judged_valid_q),
      .ready_o   (ready),
      .accept_i  (accept_q),
      .data_sec_i(judged_sec_q),
      .valid_o   (kept_valid),
      .data_sec_o(kept_sec)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || start_i) begin
      run_q  <= rst_ni && !clear_i;
      done_q <= 1'b0;
      left_q <= coefs_i;
    end else begin
      if (valid_o) left_q <= left_q - CoefBits'(Words);
      done_q <= valid_o && left_q == CoefBits'(Words);
      if (valid_o && left_q == CoefBits'(Words)) run_q <= 1'b0;
    end
    if (!rst_ni || stop) begin
      fields_valid_q  <= 1'b0;
      values_valid_q  <= 1'b0;
      fixed_valid_q   <= 1'b0;
      nibbles_valid_q <= 1'b0;
      judged_valid_q  <= 1'b0;
    end else begin
      fields_valid_q <= group_valid && !rejects;
      values_valid_q <= fields_valid_q;
      fixed_valid_q  <= values_valid_q;
      if (step) begin
        nibbles_valid_q <= group_valid && rejects;
        judged_valid_q  <= nibbles_valid_q;
      end
    end
  end

  assign row_valid = rejects ? kept_valid : fixed_valid_q;
  assign valid_o   = row_valid && run_q;
  assign done_o    = done_q;
  for (genvar i = 0; i < Words; i++) begin : gen_row
    assign data_sec_o[i] = rejects ? small_t'($signed(kept_sec[i])) : fixed_sec_q[i];
  end
endmodule
