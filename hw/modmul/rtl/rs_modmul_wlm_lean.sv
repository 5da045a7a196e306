// SPDX-License-Identifier: Apache-2.0
// rs_modmul_wlm_lean: rs_modmul_wlm of hard multipliers with adders, for words of 49 to 54 bits: three multipliers fewer.
// Model:   as rs_modmul_wlm; with q = 1 it is floor((a b + R / 2) / R), so what fixed_i asks for if R is 2^(W+1)
// Params:  W, WordBits < W, TileA <= TileB (rs_pkg's for the FPGA; smaller in proofs), SoftBits, AdderBits; 2 TileB and TileA + TileB + 1 <= W <= 2 TileA + TileB
// Bounds:  q = 1 mod 2^WordBits, a b < q R. R, of rs_modmul_wlm, has RBits = Steps TileA + Rest bits, Rest 2 or 4, and is at least 2^(W+1).
//          After the steps -q < x < 2^(2W - Steps TileA). The last step subtracts m q with -2^(Rest-1) <= m < 2^(Rest-1) and divides
//          by 2^Rest, so that -q < x / 2^Rest - q / 2 < y <= x / 2^Rest + q / 2 <= a b / R + q / 2 < q.
//          With q = 1 that m is what rounds: y = floor((x + 2^(Rest-1)) / 2^Rest).
// Timing:  rs_pkg::modmul_latency(W, WordBits); q is held while its data are in flight
//
// The product is four pieces of High x TileB bits around the middle, High = W - TileB, each a chain of two tiles:
//
//       b  0       TileB  High     W          the pieces at 0 and W are one number; those at TileB and High are
//   a 0    +----------+-----------+            added to each other, then to that. The middle, of High - TileB bits
//          |    0     |           |            each way, comes in through the adder of a tile
//   TileB  |          |   TileB   |
//   High   +-------+--+           |
//          |       |--+-----------+
//          | High  |       W      |
//   W      +-------+--------------+
//
// The last step has one row of LUTs for two bits of m: a digit of Booth's.
module rs_modmul_wlm_lean #(
    parameter int unsigned W         = 54,
    parameter int unsigned WordBits  = rs_pkg::WlmWordBits,
    parameter int unsigned TileA     = rs_pkg::MulTileA,
    parameter int unsigned TileB     = rs_pkg::MulTileB,
    parameter int unsigned SoftBits  = rs_pkg::MulSoftBits,
    parameter int unsigned AdderBits = rs_pkg::MulAdderBits
) (
    input  logic         clk_i,
    input  logic [W-1:0] q_i,
    input  logic [W-1:0] a_i,
    input  logic [W-1:0] b_i,
    output logic [W-1:0] p_o
);
  import rs_pkg::*;

  localparam int unsigned RBits = WordBits * ceil_div(W, WordBits);
  localparam int unsigned Steps = (RBits - 2) / TileA;
  localparam int unsigned Rest = RBits - Steps * TileA;
  localparam int unsigned Rows = Rest / 2;
  localparam int unsigned High = W - TileB;
  // in cycles: the product, its low bits ahead of it, what the steps and the last one take
  localparam int unsigned Product = 6;
  localparam int unsigned Start = 4;
  localparam int unsigned Late = ceil_div(W - WordBits, TileB) - 1;
  localparam int unsigned Latency = Start + Steps * WlmStepLatency + Late + Rows + 1;
  localparam int unsigned Whole = modmul_latency(W, WordBits);

  if (RBits <= W || Rest > WordBits || (Rest != 2 && Rest != 4) ||
      W < 2 * TileB || High <= TileA || High > 2 * TileA) begin : gen_illegal
    $fatal(1, "%m: W %0d, WordBits %0d, TileA %0d, TileB %0d: R has %0d bits", W, WordBits, TileA, TileB, RBits);
  end

  // ---- product ---------------------------------------------------------------------------------------------------------
  localparam int unsigned Middle = High - TileB;
  localparam int unsigned Pieces = 4;
  logic [Pieces-1:0][High-1:0] long_in;
  logic [Pieces-1:0][TileB-1:0] wide_in;
  logic [Pieces-1:0][W-1:0] piece;  // after four cycles
  logic [TileA-1:0] low;  // low bits of the product, after three
  logic [W-1:0] upper_q, lower_q;
  logic [W+Middle:0] between_q;  // at TileB
  logic [2*W-1:0] product_q;
  localparam int unsigned MiddleBits = Middle > 0 ? 2 * Middle : 1;
  logic [MiddleBits-1:0] middle;

  assign long_in = {a_i[W-1:TileB], b_i[W-1:TileB], b_i[High-1:0], a_i[High-1:0]};
  assign wide_in = {b_i[W-1:High], a_i[TileB-1:0], a_i[W-1:High], b_i[TileB-1:0]};

  if (Middle > 0) begin : gen_middle
    logic [Middle-1:0] a_q, b_q;
    logic [2*Middle-1:0] sum, sum_q;
    always_comb begin
      sum = '0;
      for (int i = 0; i < int'(Middle); i++) sum = sum + (a_q[i] ? (2 * Middle)'(b_q) << i : '0);
    end
    always_ff @(posedge clk_i) begin
      a_q   <= a_i[TileB+:Middle];
      b_q   <= b_i[TileB+:Middle];
      sum_q <= sum;
    end
    assign middle = sum_q;
  end else begin : gen_no_middle
    assign middle = '0;
  end

  for (genvar i = 0; i < Pieces; i++) begin : gen_pieces
    localparam int unsigned First = TileA;
    localparam int unsigned Second = High - First;
    localparam int unsigned Sum = First + TileB + 1;
    logic [Sum-1:0] addend, first;
    logic [First-1:0] first_q;
    logic [Second-1:0] a_q;
    logic [TileB-1:0] b_q;
    logic [Second+TileB-1:0] second;

    // piece 1 begins at High, the middle at 2 TileB. Their sum is below 2^W: (2^High - 1)(2^TileB - 1) + 2^High
    if (i == 1 && Middle > 0) begin : gen_add_middle
      assign addend = Sum'(middle) << TileB - Middle;
      if (TileB + Middle > First + TileB) begin : gen_illegal_middle
        $fatal(1, "%m: the middle is not in one tile");
      end
    end else begin : gen_add_none
      assign addend = '0;
    end

    rs_mul_add_tile #(
        .WidthA  (First),
        .WidthB  (TileB),
        .WidthP  (Sum),
        .SoftBits(SoftBits),
        .Chained (i == 1)
    ) u_first (
        .clk_i,
        .a_i(long_in[i][First-1:0]),
        .b_i(wide_in[i]),
        .c_i(addend),
        .p_o(first)
    );
    if (i == 0) begin : gen_low
      assign low = TileA'(first);
    end

    always_ff @(posedge clk_i) begin
      first_q <= first[First-1:0];
      a_q     <= long_in[i][High-1:First];
      b_q     <= wide_in[i];
    end
    rs_mul_add_tile #(
        .WidthA  (Second),
        .WidthB  (TileB),
        .WidthP  (Second + TileB),
        .SoftBits(SoftBits)
    ) u_second (
        .clk_i,
        .a_i(a_q),
        .b_i(b_q),
        .c_i((Second + TileB)'(first[Sum-1:First])),
        .p_o(second)
    );
    assign piece[i] = {second, first_q};
  end

  always_ff @(posedge clk_i) begin
    upper_q   <= piece[3];
    lower_q   <= piece[0];
    between_q <= (W + Middle + 1)'(piece[2]) + ((W + Middle + 1)'(piece[1]) << Middle);
    product_q <= {upper_q, lower_q} + ((2 * W)'(between_q) << TileB);
  end

  // ---- steps -----------------------------------------------------------------------------------------------------------
  logic signed [2*W:0] x[Steps+1];
  logic [2*W:0] ahead[Steps+1];  // its low bits
  logic [TileA-1:0] low_late;

  rs_delay #(
      .Width (TileA),
      .Cycles(Start - 3)
  ) u_low (
      .clk_i,
      .data_i(low),
      .data_o(low_late)
  );
  assign x[0] = (2 * W + 1)'(product_q);
  assign ahead[0] = (2 * W + 1)'(low_late);

  for (genvar s = 0; s < Steps; s++) begin : gen_steps
    localparam int unsigned Done = s * TileA;
    localparam int unsigned Word = TileA < WordBits ? TileA : WordBits;
    localparam int unsigned WidthIn = 1 + (2 * W - Done > W ? 2 * W - Done : W);
    localparam int unsigned WidthOut = 1 + (2 * W - Done - TileA > W ? 2 * W - Done - TileA : W);
    localparam int unsigned First = WidthOut < TileB - (TileA - Word) ? WidthOut : TileB - (TileA - Word);
    logic [First-1:0] low_y;
    logic signed [WidthOut-1:0] y;
    if (s + 1 < Steps && First < TileA) begin : gen_illegal_tile
      $fatal(1, "%m: TileB %0d is too short for the next step", TileB);
    end
    rs_modmul_wlm_step #(
        .W        (W),
        .WordBits (Word),
        .Bits     (TileA),
        .WidthIn  (WidthIn),
        .WidthOut (WidthOut),
        .Wait     (s == 0 ? Product - Start : Late),
        .TileB    (TileB),
        .Style    (MUL_CHAIN),
        .SoftBits (SoftBits),
        .AdderBits(AdderBits)
    ) u_step (
        .clk_i,
        .qh_i (q_i[W-1:Word]),
        .low_i(ahead[s][TileA-1:0]),
        .x_i  (x[s][WidthIn-1:0]),
        .low_o(low_y),
        .y_o  (y)
    );
    assign x[s+1] = (2 * W + 1)'(y);
    assign ahead[s+1] = (2 * W + 1)'(low_y);
  end

  // ---- the last step: digits -2 ... 2 of m, the lowest Rest bits of x with a sign; (x - m) / 2^Rest is x without them, and one more if m < 0 -------
  typedef logic [W+1:0] sum_t;  // signed: more of x is not left
  sum_t sum_q[Rows];
  logic [W-1:0] p_q;

  for (genvar r = 0; r < Rows; r++) begin : gen_rows
    localparam int unsigned Lsb = WordBits - Rest + 2 * r;  // lowest bit of the row
    logic one, two, minus;
    sum_t left, row;
    logic [Rest:0] digits;  // the low bits of x, with a zero below
    logic [Rest:0] digits_q;

    if (r == 0) begin : gen_begin
      assign digits = {x[Steps][Rest-1:0], 1'b0};
      assign left   = x[Steps][Rest+:W+2];
    end else begin : gen_go_on
      assign digits = gen_rows[r-1].digits_q;
      assign left   = sum_q[r-1];
    end
    assign one   = digits[2*r+1] ^ digits[2*r];
    assign two   = !one && (digits[2*r+2] ^ digits[2*r+1]);
    assign minus = !digits[2*r+2];  // the digit is not negative, so its multiple is subtracted
    always_comb begin
      row = '0;
      row[Lsb+:W-WordBits+1] = one ? {1'b0, q_i[W-1:WordBits]} : two ? {q_i[W-1:WordBits], 1'b0} : '0;
      row = row ^ {W + 2{minus}};
    end
    // the last row without a minus has the sign of m: its carry is that of m < 0
    always_ff @(posedge clk_i) begin
      digits_q <= digits;
      sum_q[r] <= left + row + sum_t'(minus || r == Rows - 1);
    end
    logic unused_digits;
    assign unused_digits = ^{digits, digits_q};
  end

  // -q < y < q
  always_ff @(posedge clk_i) p_q <= sum_q[Rows-1][W-1:0] + (sum_q[Rows-1][W] ? q_i : '0);

  rs_delay #(
      .Width (W),
      .Cycles(Whole > Latency ? Whole - Latency : 0)
  ) u_wait (
      .clk_i,
      .data_i(p_q),
      .data_o(p_o)
  );

  logic unused;
  assign unused = ^{x[Steps], ahead[Steps], low_late, sum_q[Rows-1]};

endmodule
