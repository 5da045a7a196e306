// SPDX-License-Identifier: Apache-2.0
// rs_turn_words: chunks of fixed-point coefficients into chunks of coefficients in the order of residues, or back.
// Model:   docs/core.md, "Order of coefficients": a coefficient with position k is in fixed point at k with its low bits rotated right
//          by one, so that bit 0 of k tells re from im
// Params:  W; V: words of a chunk, a power of two from 2 to 4 Lanes; Lanes; Gap: cycles from a chunk to the next one, at least
// Bounds:  chunks come in pairs: in fixed point re, then im, of the same points; as residues two that follow each other. V = 4 Lanes: there
//          are no pairs
// Timing:  the first chunk of a pair leaves in the cycle in which the second one comes, that one Gap cycles later, when the next pair may begin. V = 4
//          Lanes: in the same cycle. Zeros wash out what was there

module rs_turn_words #(
    parameter int unsigned W     = 32,
    parameter int unsigned V     = 4,
    parameter int unsigned Lanes = 4,
    parameter int unsigned Gap   = 1
) (
    input  logic                clk_i,
    input  logic                en_i,         // otherwise no words are clocked; at least up to a cycle after the last one has left
    input  logic                back_i,       // residues' order comes in; changes with clear_i alone
    input  logic                clear_i,      // a first chunk comes next
    input  logic                in_valid_i,
    input  logic [V-1:0][W-1:0] in_sec_i,     // zero without in_valid_i
    output logic                out_valid_o,
    output logic [V-1:0][W-1:0] out_sec_o
);
  localparam int unsigned Half = V / 2;

  if (V < 2 || (V & (V - 1)) != 0 || V > 4 * Lanes) begin : gen_illegal
    $fatal(1, "%m: V %0d is not a power of two from 2 to %0d", V, 4 * Lanes);
  end

  if (V == 4 * Lanes && Lanes > 1) begin : gen_wires
    // re in the lower half, im in the upper one
    for (genvar i = 0; i < V; i++) begin : gen_word
      localparam int unsigned Point = (i % 2) * Half + i / 2;
      localparam int unsigned Order = i < Half ? 2 * i : 2 * (i - Half) + 1;  // the word whose Point is i
      assign out_sec_o[i] = back_i ? in_sec_i[Order] : in_sec_i[Point];
    end
    assign out_valid_o = in_valid_i;
    logic unused;
    assign unused = ^{clk_i, en_i, clear_i};
  end else begin : gen_pairs
    logic second_q;  // the second one of a pair is next
    logic [Gap:1] rest_q;  // bit i: it came i cycles ago, and is to be sent
    logic rest;
    logic [V-1:0][W-1:0] held_sec_q;  // the first one; then what makes the second one to leave
    logic [V-1:0][W-1:0] first_sec, later_sec;

    // residues: even words are re, odd ones im
    for (genvar i = 0; i < V; i++) begin : gen_word
      localparam int unsigned Point = i % Half;
      localparam int unsigned Word = i / 2;
      logic [W-1:0] back_sec, back_later_sec;
      assign back_sec       = i < Half ? held_sec_q[2*Point] : in_sec_i[2*Point];
      assign back_later_sec = i < Half ? held_sec_q[2*Point+1] : in_sec_i[2*Point+1];
      assign first_sec[i]   = back_i ? back_sec : i % 2 == 0 ? held_sec_q[Word] : in_sec_i[Word];
      assign later_sec[i]   = back_i ? back_later_sec : i % 2 == 0 ? held_sec_q[Half+Word] : in_sec_i[Half+Word];
    end

    assign rest = rest_q[Gap];
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        second_q <= 1'b0;
        rest_q   <= '0;
      end else begin
        second_q <= second_q ^ in_valid_i;
        rest_q   <= Gap'({rest_q, second_q && in_valid_i});
      end
      if (en_i && in_valid_i) held_sec_q <= second_q ? later_sec : in_sec_i;
      else if (en_i && ((!second_q && (rest || rest_q == '0)) || clear_i)) held_sec_q <= '0;
    end

    assign out_valid_o = rest || (second_q && in_valid_i);
    assign out_sec_o   = rest ? held_sec_q : second_q && in_valid_i ? first_sec : '0;
  end
endmodule
