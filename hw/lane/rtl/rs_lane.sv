// SPDX-License-Identifier: Apache-2.0
// rs_lane: one butterfly, multiply, multiply-add, add or subtract per cycle; the operation may change in every cycle.
// Model:   lib/src/arith/ntt.c (butterflies, the inverse one halved), lib/src/backend/plan.c (bit-exact). w is R times the factor.
//          GS multiplies y - x, not x - y: the inverse transform uses the forward twiddle w' = -w^-1 of the mirrored
//          block, and the sign is in the subtraction (ntt.c).
//          fixed_i: one component of a butterfly of lib/src/encoding/fixed.c in two cycles, or with MUL rs_fixed_times in each, which MAC
//          adds to x (bit-exact, also where something is out of range)
// Params:  W 16..64, WordBits; Encode: fixed_i is there; Solo: re and im follow each other in
//          one lane, and not in the lanes of a pair
// Bounds:  x, y, w < q; MUL, MAC, MSUB: y w < q 2^W is enough. fixed_i: x, y two's complement, w any word, q = 1
// Timing:  rs_pkg::lane_latency(W, WordBits) for every operation, and of a butterfly with fixed_i one cycle more, or of Solo three; constants and fixed_i are held
//          from the cycle of the first data until none are in flight; fixed_i, and op_i with it, from the cycle before
//
// GS needs both halves, and no halving: h = (x - y) / 2 costs what x - y costs (rs_half_diff), x - h is (x + y) / 2, and 0 - h w is
// (y - x) w / 2. The difference has inputs of its own, because x and y of GS come late in a cycle: through rs_ntt_reorder.
//
//   x --+-- x - y --> h     +-- h, y, late -+
//   y --+               \   |               v
//                  h, y --+-- * w --+--> x +- --> a
//   x or 0 -------------- wait -----+--> x -  --> b
//
// Fixed point (docs/ntt_schedule.md, "Encode and decode"): a butterfly's x, y stay for two cycles. LANE_GS (encode): d = x - y; LANE_CT (decode):
// d = 2 y. The first product is |d| w, the second that of the other lane of the pair with the next w; the two output adders add them up:
//   encode   a = x - d / 2, which is (x + y) / 2; half of an odd d away from or towards x, so that a is even       b = 0 + products
//   decode   a = x + products                                                                                      b = x - products
// LANE_MUL: as decode with x = 0, but the sum of each cycle is a result, as there is no second product. LANE_MAC: likewise, with x.
module rs_lane #(
    parameter int unsigned W        = 32,
    parameter int unsigned WordBits = rs_pkg::WlmWordBits,
    parameter bit          Encode   = 1'b0,
    parameter bit          Solo     = 1'b0
) (
    input  logic                     clk_i,
    input  logic             [W-1:0] q_i,            // modulus
    input  rs_pkg::lane_op_e         op_i,
    input  logic                     rinse_i,        // no register waits for its operation: what it has kept goes
    input  logic             [W-1:0] x_i,
    input  logic             [W-1:0] y_i,
    input  logic             [W-1:0] w_i,            // factor
    input  logic             [W-1:0] gs_x_i,         // GS: x and y, for x - y; y_i has no meaning
    input  logic             [W-1:0] gs_y_i,
    output logic             [W-1:0] a_o,
    output logic             [W-1:0] b_o,            // second result of CT and GS, otherwise without meaning
    // fixed point
    input  logic                     fixed_i,
    input  logic                     second_i,       // the second cycle of a butterfly
    input  logic                     of_im_i,        // Solo: x and y are imaginary parts
    input  logic                     minus_i,        // w counts as negative
    output logic             [  W:0] factor_o,       // {d < 0, |d|}, two and three cycles after x and y
    input  logic             [  W:0] partner_i,      // factor_o of the other lane of the pair
    output logic                     factor_over_o,  // with factor_o: W bits do not hold |d|
    output logic                     sum_over_o      // in the cycle before a and b: W bits do not hold one of them
);
  import rs_pkg::*;

  localparam int unsigned Product = modmul_latency(W, WordBits);
  localparam int unsigned Sum = Encode ? W + 2 : W + 1;  // x and two products, with a sign

  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned Latency = lane_latency(W, WordBits);  // for testbenches
  /* verilator lint_on UNUSEDPARAM */

  // A copy of the constants: they come from one register for all lanes, and drive hundreds of gates in each.
  logic [W-1:0] q_q;
  logic fixed_q, fixed, inverse;  // inverse: encode
  always_ff @(posedge clk_i) begin
    q_q     <= q_i;
    fixed_q <= fixed_i;
  end
  assign fixed = Encode && fixed_q;

  // ---- what the operation chooses, decoded a cycle before: it drives a word's multiplexers each
  typedef struct packed {
    logic factor;  // a = x +- h or y, not a product
    logic minus;
  } post_t;
  logic half_q, keep_a_q, keep_b_q, keep_a, keep_b, alone, alone_q;
  post_t post_q, post;

  always_ff @(posedge clk_i) begin
    half_q <= op_i == LANE_GS;
    keep_a_q <= op_i != LANE_MUL;
    keep_b_q <= op_i == LANE_CT;
    alone_q <= op_i == LANE_MUL || op_i == LANE_MAC;
    post_q <= '{
        factor: op_i == LANE_GS || op_i == LANE_ADD || op_i == LANE_SUB,
        minus: op_i == LANE_GS || op_i == LANE_MSUB || op_i == LANE_SUB
    };
  end
  assign inverse = half_q;  // direction of a whole transform
  assign alone   = alone_q;  // with fixed, of a whole operation: products do not add up

  // ---- h or y, a cycle later, and into the multiplier's registers
  logic [W-1:0] x_pre, y_pre, w_pre, half, factor, fixed_factor;
  logic [W:0] from, less, diff;

  assign from = !fixed ? {1'b0, gs_x_i} : inverse ? {gs_x_i[W-1], gs_x_i} : {y_i, 1'b0};
  assign less = {fixed && inverse && gs_y_i[W-1], fixed && !inverse ? '0 : gs_y_i};

  rs_half_diff #(
      .W(W)
  ) u_half (
      .clk_i,
      .en_i(op_i == LANE_GS || fixed || rinse_i),
      .q_i(q_q),
      .a_i(from),
      .b_i(less),
      .diff_o(diff),
      .r_o(half)
  );

  rs_delay #(
      .Width (3 * W),
      .Cycles(LanePreLatency)
  ) u_wait_pre (
      .clk_i,
      .data_i({w_i, y_i, x_i}),
      .data_o({w_pre, y_pre, x_pre})
  );

  // ---- fixed point: magnitudes; what goes along with a product
  typedef struct packed {
    logic second;
    logic sign;  // sign of the product
    logic negative;  // sign of the lane's own d, in the first cycle (Solo: in both)
    logic of_im;  // Solo: the slot is that of im
  } fixed_t;
  fixed_t go;

  if (Encode) begin : gen_magnitude
    logic second_q, minus_q, of_im_q;
    logic [W:0] magnitude;  // 2^W is out of range, and only decode has it
    logic [W:0] own_q;
    logic over_q;

    assign magnitude = {1'b0, diff[W-1:0] ^ {W{diff[W]}}} + (W + 1)'(diff[W]);
    always_ff @(posedge clk_i) begin
      second_q <= second_i;
      of_im_q  <= of_im_i;
      minus_q  <= minus_i;
      own_q    <= {diff[W], magnitude[W-1:0]};
      over_q   <= magnitude[W];
    end
    assign fixed_factor = second_q ? partner_i[W-1:0] : magnitude[W-1:0];
    assign go = '{second: second_q, sign: minus_q ^ (second_q ? partner_i[W] : diff[W]), negative: diff[W], of_im: of_im_q};
    assign factor_o = own_q;
    assign factor_over_o = over_q;
  end else begin : gen_no_magnitude
    assign fixed_factor = '0;
    assign go = '0;
    assign factor_o = '0;
    assign factor_over_o = 1'b0;
    logic unused;
    assign unused = ^{diff, second_i, of_im_i, minus_i, partner_i};
  end

  assign factor = fixed ? fixed_factor : half_q ? half : y_pre;

  // ---- product; x and the factor wait for it
  logic [W-1:0] product, x_late, factor_late, addend_a_q, addend_b_q;

  rs_modmul #(
      .W       (W),
      .WordBits(WordBits),
      .Encode  (Encode)
  ) u_modmul (
      .clk_i,
      .fixed_i(fixed),
      .q_i(q_q),
      .a_i(factor),
      .b_i(w_pre),
      .p_o(product)
  );

  rs_delay #(
      .Width (2),
      .Cycles(Product)
  ) u_wait_post (
      .clk_i,
      .data_i(post_q),
      .data_o(post)
  );

  // most operations do not need it again: among standard cells the clock is a third of the energy, in an FPGA these are shift registers
  logic [Product-1:0] needed_q;
  logic needed;
  always_ff @(posedge clk_i) needed_q <= {needed_q[Product-2:0], post_q.factor};
  assign needed = MulStyle != MUL_CELLS || post_q.factor || needed_q != '0 || rinse_i;

  rs_delay_en #(
      .Width (W),
      .Cycles(Product)
  ) u_wait_factor (
      .clk_i,
      .en_i  (needed),
      .data_i(factor),
      .data_o(factor_late)
  );

  rs_delay #(
      .Width (W + 2),
      .Cycles(Product - 1)
  ) u_wait_x (
      .clk_i,
      .data_i({keep_a_q, keep_b_q, x_pre}),
      .data_o({keep_a, keep_b, x_late})
  );

  // Solo: kept for the two cycles of a slot
  logic take_x;
  always_ff @(posedge clk_i) begin
    if (take_x) begin
      addend_a_q <= keep_a ? x_late : '0;
      addend_b_q <= keep_b ? x_late : '0;
    end
  end

  // ---- x plus or minus something, and x or 0 minus the product
  logic [W-1:0] a_q;
  if (Encode) begin : gen_sums
    logic [Sum-1:0] sum_q, less_q, base_a, base_b, other, other_b;
    logic [W:0] moved;  // the top bit is the carry, or the borrow
    logic [W-1:0] b_q, result;
    logic minus_q, done_q, inverse_q, fixed_sum_q, minus, minus_b, carry, up, keep_sum, take_sum;
    fixed_t come;

    rs_delay #(
        .Width ($bits(fixed_t)),
        .Cycles(Product)
    ) u_wait_fixed (
        .clk_i,
        .data_i(go),
        .data_o(come)
    );

    // encode: half of |d|, and one more if it is odd and x minus or plus that half is odd, too
    assign up = factor_late[0] && (factor_late[1] ^ addend_a_q[0]);

    if (!Solo) begin : gen_pair
      assign take_x = 1'b1;
      // products are added to the sums themselves
      always_comb begin
        minus   = post.minus;
        carry   = post.minus;
        minus_b = 1'b1;
        other   = Sum'(post.factor ? factor_late : product);
        if (fixed) begin
          minus   = inverse_q ? !come.negative : come.sign;
          carry   = inverse_q ? minus ^ up : minus;
          minus_b = come.sign ^ !inverse_q;
          other   = inverse_q ? Sum'(factor_late[W-1:1]) : Sum'(product);
        end
      end
      assign other_b  = Sum'(product);
      assign base_a   = fixed && come.second ? sum_q : {{Sum - W{fixed && addend_a_q[W-1]}}, addend_a_q};
      assign base_b   = fixed && come.second ? less_q : {{Sum - W{fixed && addend_b_q[W-1]}}, addend_b_q};
      assign take_sum = !(fixed && inverse_q && come.second);
      assign result   = sum_q[W-1:0];
      logic unused_of_im;
      assign unused_of_im = come.of_im;
    end else begin : gen_solo
      // products of re and im in turns: the sums of both, and what waits for them. x in decode, a in encode
      logic [W:0] now_q, before_q, both;
      logic [W-1:0] wait_q;
      assign take_x = !fixed || !come.second;

      // from the slot of re come the first products of both; the sum of re is there in the second cycle of the next slot, that of im in that after it
      assign both   = come.of_im ? now_q : before_q;
      always_ff @(posedge clk_i) begin
        now_q    <= (come.of_im ? before_q : '0) + ({1'b0, product} ^ {W + 1{come.sign}}) + (W + 1)'(come.sign);
        before_q <= now_q;
        if (come.second) wait_q <= inverse_q ? sum_q[W-1:0] : addend_a_q;
      end
      always_comb begin
        minus   = post.minus;
        carry   = post.minus;
        minus_b = 1'b1;
        other   = Sum'(post.factor ? factor_late : product);
        other_b = Sum'(product);
        base_a  = Sum'(addend_a_q);
        base_b  = Sum'(addend_b_q);
        if (fixed) begin
          minus   = inverse_q && !come.negative;
          carry   = inverse_q && !come.negative ^ up;
          minus_b = !inverse_q;
          other   = inverse_q ? Sum'(factor_late[W-1:1]) : Sum'(signed'(both));
          other_b = Sum'(signed'(both));
          base_a  = Sum'(signed'(inverse_q ? addend_a_q : wait_q));
          base_b  = inverse_q ? '0 : Sum'(signed'(wait_q));
        end
        if (fixed && alone) begin
          minus  = come.sign;
          carry  = come.sign;
          other  = Sum'(product);
          base_a = Sum'(signed'(addend_a_q));
        end
      end
      assign take_sum = !fixed || come.second || alone;
      assign result   = fixed_sum_q && inverse_q ? wait_q : sum_q[W-1:0];
    end

    // sum - q, or difference + q: a sum is kept if that is negative, a difference if it is not itself
    assign moved    = sum_q[W:0] + {!minus_q, q_q ^ {W{!minus_q}}} + (W + 1)'(!minus_q);
    assign keep_sum = minus_q ? !sum_q[W] : moved[W];

    always_ff @(posedge clk_i) begin
      inverse_q   <= inverse;
      fixed_sum_q <= fixed;
      minus_q     <= post.minus;
      done_q      <= come.second || alone;
      if (take_sum) sum_q <= base_a + (other ^ {Sum{minus}}) + Sum'(carry);
      if (!Solo || take_sum) less_q <= base_b + (other_b ^ {Sum{minus_b}}) + Sum'(minus_b);
      if (!fixed_sum_q || done_q) begin
        a_q <= fixed_sum_q || keep_sum ? result : moved[W-1:0];
        b_q <= less_q[W-1:0] + (less_q[W] && !fixed_sum_q ? q_q : '0);
      end
    end
    assign b_o = b_q;
    assign sum_over_o = (!inverse_q && sum_q[W+1:W-1] != '0 && sum_q[W+1:W-1] != '1) ||
                        (!alone && less_q[W+1:W-1] != '0 && less_q[W+1:W-1] != '1);
  end else begin : gen_sum
    logic [Sum-1:0] sum_q, moved;  // the top bit is the carry, or the borrow
    logic [W-1:0] other, q_or;
    logic minus_q;

    assign other = post.factor ? factor_late : product;
    if (MulStyle == MUL_CELLS) begin : gen_inverted
      // in front of an adder, one bit for a whole word costs a tenth of a cycle
      always_ff @(posedge clk_i) q_or <= q_q ^ {W{!post.minus}};
    end else begin : gen_invert
      assign q_or = q_q ^ {W{!minus_q}};
    end
    // sum - q, or difference + q
    assign moved = sum_q + {!minus_q, q_or} + (W + 1)'(!minus_q);

    always_ff @(posedge clk_i) begin
      minus_q <= post.minus;
      sum_q   <= {1'b0, addend_a_q} + ({1'b0, other} ^ {W + 1{post.minus}}) + (W + 1)'(post.minus);
      // a sum is kept if sum - q is negative, a difference if it is not
      a_q     <= (minus_q ? sum_q[W] : !moved[W]) ? moved[W-1:0] : sum_q[W-1:0];
    end
    assign sum_over_o = 1'b0;
    assign take_x = 1'b1;

    rs_addsub_mod #(
        .W       (W),
        .Subtract(1'b1)
    ) u_diff (
        .clk_i,
        .en_i(1'b1),
        .q_i (q_q),
        .a_i (addend_b_q),
        .b_i (product),
        .r_o (b_o)
    );
    logic unused_go;
    assign unused_go = ^go ^ alone;
  end
  assign a_o = a_q;

endmodule
