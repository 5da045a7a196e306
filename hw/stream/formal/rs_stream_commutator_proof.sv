// SPDX-License-Identifier: Apache-2.0
// rs_stream_commutator_proof: of any tokens, with two pauses, one is watched: its words come out where the next butterflies look for them, with the
//                             marks of its limb. Bounded: enough cycles from the reset for every row to be read after both kinds of tokens wrote it.
module rs_stream_commutator_proof #(
    parameter int unsigned LogRows = 2,
    parameter int unsigned LutRows = 64,
    localparam int unsigned Rows = 1 << LogRows,
    localparam int unsigned Bits = LogRows + 3
) (
    input logic            clk_i,
    input logic            token_i,
    input logic            first_i,
    input logic            live_i,
    input logic            upper_i,
    input logic            lower_i,
    input logic [Bits-1:0] watched_i
);

  // ---- limbs of any multiple of 2 D tokens
  logic reset_q, live_q, first, live;
  logic [Bits-1:0] number_q, watched_q;
  assign first = first_i && number_q[LogRows:0] == '0;
  assign live  = first ? live_i : live_q;

  // ---- the watched token
  typedef struct packed {
    logic first;
    logic live;
    logic upper;
    logic lower;
  } token_t;
  token_t kept, kept_q;
  assign kept = number_q == watched_q ? token_t'{first: first, live: live, upper: upper_i, lower: lower_i} : kept_q;

  // ---- a pause, or two, anywhere: one cycle is all that the memory knows of a longer one
  logic [1:0] pauses_q;
  always_ff @(posedge clk_i) begin
    if (!reset_q) pauses_q <= '0;
    else if (!token_i) pauses_q <= pauses_q + 1'b1;
  end
  always_comb if (reset_q) assume (token_i || pauses_q < 2'd2);

  // the token of the cycle before: it has pushed one out
  logic pushed_q;
  logic [Bits-1:0] age_q;  // tokens behind the watched one

  initial reset_q = 1'b0;
  initial pushed_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    if (!reset_q) begin
      number_q  <= '0;
      live_q    <= 1'b0;
      watched_q <= watched_i;
    end else if (token_i) begin
      number_q <= number_q + 1'b1;
      live_q   <= live;
      kept_q   <= kept;
    end
    pushed_q <= reset_q && token_i && number_q >= watched_q;
    age_q    <= number_q - watched_q;
  end

  logic token, first_o, live_o, take, upper, lower;
  rs_stream_commutator #(
      .Half   (1),
      .LogRows(LogRows),
      .LutRows(LutRows)
  ) u_commutator (
      .clk_i,
      .rst_ni (reset_q),
      .start_i(1'b0),
      .token_i,
      .first_i(first),
      .live_i (live),
      .upper_i,
      .lower_i,
      .token_o(token),
      .first_o(first_o),
      .live_o (live_o),
      .take_o (take),
      .upper_o(upper),
      .lower_o(lower)
  );

  // ---- A_0 .. A_D-1 with A_D ..: the upper halves of both, then the lower ones
  logic token_q;
  initial token_q = 1'b0;
  always_ff @(posedge clk_i) token_q <= reset_q && token_i;

  always_comb begin
    if (reset_q) assert (token == token_q);
    if (reset_q && !token_q) assert (!take);
    // what comes out before the first limb
    if (pushed_q && 32'(watched_q) == 0 && 32'(age_q) < Rows) assert (!first_o && !live_o && !take);
    if (pushed_q && 32'(age_q) == Rows) begin
      assert (first_o == kept_q.first);
      assert (live_o == kept_q.live);
      assert (take == (kept_q.live && (32'(watched_q) + 1) % Rows == 0));
    end
    if (pushed_q && !watched_q[LogRows]) begin
      if (32'(age_q) == Rows) assert (upper == kept_q.upper);
      if (32'(age_q) == 2 * Rows) assert (upper == kept_q.lower);
    end
    if (pushed_q && watched_q[LogRows]) begin
      if (32'(age_q) == 0) assert (lower == kept_q.upper);
      if (32'(age_q) == Rows) assert (lower == kept_q.lower);
    end
  end

endmodule
