// SPDX-License-Identifier: Apache-2.0
// rs_stream_commutator_proof: any words in any tokens, with pauses: every word comes out where the next butterflies look for it, with the marks
//                             of its limb. Bounded: enough cycles from the reset for all rows to be read after they were written.
module rs_stream_commutator_proof #(
    parameter int unsigned LogRows = 2,
    parameter int unsigned LutRows = 64,
    localparam int unsigned Rows = 1 << LogRows
) (
    input logic clk_i,
    input logic token_i,
    input logic first_i,
    input logic live_i,
    input logic upper_i,
    input logic lower_i
);

  // ---- limbs of any multiple of 2 D tokens
  logic reset_q, live_q, first, live;
  logic [LogRows:0] count_q;
  assign first = first_i && count_q == '0;
  assign live  = first ? live_i : live_q;

  // ---- tokens: past[k] came k tokens ago, before the reset nothing lived
  typedef struct packed {
    logic first;
    logic live;
    logic upper;
    logic lower;
  } token_t;
  token_t [2*Rows:0] past;
  token_t [2*Rows-1:0] past_q;
  logic [LogRows+1:0] age_q;  // tokens since the reset, up to 2 D
  assign past = {past_q, token_t'{first: first, live: live, upper: upper_i, lower: lower_i}};

  initial reset_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    if (!reset_q) begin
      count_q <= '0;
      live_q  <= 1'b0;
      age_q   <= '0;
      past_q  <= '0;
    end else if (token_i) begin
      count_q <= count_q + 1'b1;
      live_q  <= live;
      if (age_q != (LogRows + 2)'(2 * Rows)) age_q <= age_q + 1'b1;
      past_q <= past[2*Rows-1:0];
    end
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

  // ---- what the token of the cycle before has to push out
  logic pushed_q, crossed_q, last_q;
  logic [LogRows+1:0] old_q;
  token_t now_q, once_q, twice_q;  // now, D tokens ago, 2 D tokens ago
  initial pushed_q = 1'b0;
  always_ff @(posedge clk_i) begin
    pushed_q  <= reset_q && token_i;
    crossed_q <= count_q[LogRows];
    last_q    <= LogRows == 0 || &count_q[(LogRows>0?LogRows-1 : 0):0];
    old_q     <= age_q;
    now_q     <= past[0];
    once_q    <= past[Rows];
    twice_q   <= past[2*Rows];
  end

  always_comb begin
    if (reset_q) assert (token == pushed_q);
    if (reset_q && take) assert (token);
    if (pushed_q) begin
      assert (first_o == once_q.first);
      assert (live_o == once_q.live);
      assert (take == (once_q.live && last_q));
      // A_0 .. A_D-1 with A_D ..: the upper halves of both, then the lower ones
      if (crossed_q)
        assert ({upper, lower} == {once_q.upper, now_q.upper});
        else if (old_q == (LogRows + 2)'(2 * Rows)) assert ({upper, lower} == {twice_q.lower, once_q.lower});
    end
  end

endmodule
