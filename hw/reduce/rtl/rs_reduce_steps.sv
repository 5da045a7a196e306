// SPDX-License-Identifier: Apache-2.0
// rs_reduce_steps: words of 64 bits modulo q by subtractions, Steps bits of the quotient per pass: no multipliers.
// Model:   lib/src/arith/modarith.h rs_reduce (bit-exact)
// Params:  W: 16 to 64; Steps: 3 to 16
// Bounds:  2^10 < q < 2^W. Let b be its length in bits. A word has a head, which is below 2^b <= 2q, and k Steps bits behind it: k is the
//          smallest of Passes that leaves a head of at most b bits. Division without restoring: the head less q is in [-q, q), and with r
//          there and the next bit d so is 2 r + d - q for r >= 0, 2 r + d + q for r < 0: W + 1 bits, two's complement. The remainder is the
//          last r, or r + q if it is negative
// Timing:  ready two cycles after prepare_i; then a word per k cycles, in the order in which they came, (Steps + 2) k + 2 cycles each
//
//  word -> r0 -> -q -> r1 -> Steps times 2 r + d -+ q -+-> +q? -> residue
//          ^                                           |
//          +-------------------------------------------+   Steps + 2 words are under way, each k times round
//
// Every k would cost a multiplexer of as many words, so there are four of them: for moduli of W bits, for somewhat smaller ones, two others.

module rs_reduce_steps #(
    parameter int unsigned W     = 54,
    parameter int unsigned Steps = 6
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         run_i,      // from the first give_i to the last valid_o; otherwise no data are clocked
    input  logic         clear_i,    // drops all words
    input  logic         prepare_i,  // q_i is new, and stable from here on; no word is under way
    input  logic [W-1:0] q_i,
    output logic         ready_o,    // a word may come in this cycle
    input  logic         give_i,
    input  logic [ 63:0] word_i,
    input  logic         keep_i,     // two cycles after give_i: the word counts, else it is dropped
    input  logic         last_i,     // with keep_i; goes with the word
    output logic         valid_o,
    output logic         last_o,
    output logic [W-1:0] residue_o
);
  localparam int unsigned Shortest = 11;  // length of the smallest q
  localparam int unsigned Most = (64 - Shortest + Steps - 1) / Steps;
  localparam int unsigned Fewest = W == 64 ? 1 : (64 - W + Steps - 1) / Steps;
  localparam int unsigned Few = Fewest < Most ? Fewest + 1 : Most;
  localparam int unsigned Many = (Few + Most + 1) / 2;
  localparam int unsigned Passes[4] = '{Fewest, Few, Many, Most};
  localparam int unsigned LeftBits = $clog2(Most + 1);
  localparam int unsigned Behind = Most * Steps < 64 ? Most * Steps : 64;  // bits that are not in the head, at most

  if (W < 16 || W > 64) begin : gen_illegal
    $fatal(1, "%m: W must be 16 to 64");
  end
  if (Steps < 3 || Steps > 16) begin : gen_illegal_steps
    $fatal(1, "%m: Steps must be 3 to 16");
  end

  typedef logic [LeftBits-1:0] left_t;

  // the head of k passes has 64 - k Steps bits: may be none
  function automatic logic [W:0] head_of(input logic [63:0] word, input int unsigned passes);
    return (W + 1)'({1'b0, word} >> passes * Steps);
  endfunction

  // ---- how many passes it takes: a modulus with a one at or above the head's top bit ------------------------------------------------------
  logic [1:0] choice, choice_q;
  logic seen_q, ready_q;
  always_comb begin
    choice = 2'd3;
    for (int i = 2; i >= 0; i--) begin
      if (Passes[i] * Steps >= 64 || q_i >> (63 - Passes[i] * Steps) != '0) choice = 2'(i);
    end
  end
  always_ff @(posedge clk_i) begin
    choice_q <= choice;
    seen_q   <= rst_ni && !prepare_i;
    ready_q  <= seen_q && !prepare_i && rst_ni;
  end

  // ---- round the loop ------------------------------------------------------------------------------------------------------------------
  logic loops;  // a word that has passes left comes round: known ahead, since the streams' handshake hangs on it
  logic [W:0] head, r0_q;
  logic [Steps:0][W:0] r_q;  // two's complement; the first one is r1
  logic [Steps-1:0] digit;
  logic [63:0] x0_q, x1_q;
  logic [Behind-1:0] x_back;
  left_t left0_q, left1_q, left_back;
  logic fresh0_q, fresh1_q, there0_q, there1_q, there1;
  logic last0_q, last1_q, last1, last_back;
  logic [Steps-1:0] there_q;  // bit i: in r_q[i + 1]
  logic [LeftBits+Behind:0] rest;

  always_comb begin
    head = '0;
    for (int unsigned i = 0; i < 4; i++) if (choice_q == 2'(i)) head |= head_of(word_i, Passes[i]);
  end
  assign ready_o = ready_q && !loops;

  always_ff @(posedge clk_i) begin
    if (run_i) begin
      r0_q    <= loops ? r_q[Steps] : head;
      x0_q    <= loops ? 64'(x_back) : word_i;
      left0_q <= left_back;
      if (!loops) begin
        for (int unsigned i = 0; i < 4; i++) if (choice_q == 2'(i)) left0_q <= left_t'(Passes[i]);
      end
      last0_q <= last_back;
      r_q[0]  <= r0_q - ({1'b0, q_i} & {W + 1{fresh0_q}});
      x1_q    <= x0_q;
      left1_q <= left0_q;
      last1_q <= last0_q;
    end
    if (!rst_ni || clear_i) begin
      {fresh0_q, fresh1_q, there0_q, there1_q} <= '0;
      there_q <= '0;
    end else begin
      fresh0_q <= !loops && give_i;
      fresh1_q <= fresh0_q;
      there0_q <= loops;
      there1_q <= there0_q;
      there_q  <= {there_q[Steps-2:0], there1};
    end
  end
  assign there1 = fresh1_q ? keep_i : there1_q;
  assign last1  = fresh1_q ? last_i : last1_q;

  // ---- the next bits of the word, one after the other ----------------------------------------------------------------------------------
  always_comb begin
    digit = '0;
    for (int unsigned k = 1; k <= Most; k++) begin
      if (left1_q == left_t'(k)) digit = Steps'({{Steps{1'b0}}, x1_q} >> (k - 1) * Steps);
    end
  end

  for (genvar i = 0; i < Steps; i++) begin : gen_step
    logic [Steps-1-i:0] bits;  // that are still to come
    logic minus;
    if (i == 0) begin : gen_first
      assign bits = digit;
    end else begin : gen_later
      always_ff @(posedge clk_i) if (run_i) bits <= gen_step[i-1].bits[Steps-1-i:0];
    end
    assign minus = !r_q[i][W];
    always_ff @(posedge clk_i) begin
      if (run_i) r_q[i+1] <= {r_q[i][W-1:0], bits[Steps-1-i]} + ({1'b0, q_i} ^ {W + 1{minus}}) + (W + 1)'(minus);
    end
  end

  rs_delay_en #(
      .Width (LeftBits + 1 + Behind),
      .Cycles(Steps - 1)
  ) u_rest (
      .clk_i,
      .en_i  (run_i),
      .data_i({left1_q - 1'b1, last1, x1_q[Behind-1:0]}),
      .data_o(rest)
  );
  always_ff @(posedge clk_i) begin
    if (run_i) {left_back, last_back, x_back} <= rest;
    loops <= rst_ni && !clear_i && there_q[Steps-2] && rest[LeftBits+Behind-:LeftBits] != '0;
  end

  // ---- the end: a word whose bits are used up -------------------------------------------------------------------------------------------
  logic valid_q, last_q;
  logic [W:0] final_q;
  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni && !clear_i && there_q[Steps-1] && left_back == '0;
    if (run_i) begin
      last_q  <= last_back;
      final_q <= r_q[Steps];
    end
  end
  assign residue_o = final_q[W-1:0] + (q_i & {W{final_q[W]}});
  assign valid_o   = valid_q;
  assign last_o    = last_q;

  logic unused_bits;
  assign unused_bits = ^{x1_q, gen_step[Steps-1].bits};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i && give_i) assert (ready_o);
    if (rst_ni && (give_i || valid_o || loops || {fresh0_q, fresh1_q, there0_q, there1_q} != '0 || there_q != '0)) assert (run_i);
    if (rst_ni && give_i) assert (q_i >> (Shortest - 1) != '0);
  end
`endif
endmodule
