// SPDX-License-Identifier: Apache-2.0
// rs_stream_ntt: the forward negacyclic NTT as a stream of P words per cycle, for Engines polynomials side by side. README.md has the order of the
//          words, the ports and how twiddles come.
// Model:   lib/src/arith/ntt.c rs_ntt_portable_forward (bit-exact)
// Params:  W 16..64, WordBits; P 2, 4, 8; LogNMax: built for 2^rs_stream_pkg::LogNMin <= N <= 2^LogNMax; Engines;
//          LutRows (rs_stream_delay)
// Bounds:  words and twiddles < q. A limb has N/P tokens, live_i is the same for all of them. log_n_i in the range above
// Timing:  rs_stream_pkg::latency from the first token of a limb to its first result, if a token enters in every cycle. All times depend on
//          valid_i, first_i, last_i, live_i alone
module rs_stream_ntt #(
    parameter  int unsigned W        = 64,
    parameter  int unsigned WordBits = rs_pkg::WlmWordBits,
    parameter  int unsigned P        = 2,
    parameter  int unsigned LogNMax  = 16,
    parameter  int unsigned Engines  = 1,
    parameter  int unsigned LutRows  = 64,
    localparam int unsigned Pairs    = P / 2
) (
    input  logic                                                 clk_i,
    input  logic                                                 rst_ni,
    input  logic                                                 start_i,
    input  logic [rs_stream_pkg::LogNBits-1:0]                   log_n_i,          // with start_i
    input  logic                                                 wipe_i,           // with start_i: for a wipe, of any log_n_i
    // tokens
    input  logic                                                 valid_i,
    input  logic                                                 first_i,
    input  logic                                                 last_i,
    input  logic                                                 live_i,
    input  logic [                      W-1:0]                   q_i,              // with a first token, as the next two
    input  logic [                Engines-1:0][    P-1:0][W-1:0] words_i,
    // twiddles
    input  logic [                LogNMax-1:0][Pairs-1:0][W-1:0] twiddle_i,
    input  logic [                LogNMax-1:0]                   twiddle_valid_i,
    output logic [                LogNMax-1:0]                   take_o,
    output logic                                                 late_o,           // pulse: a live token without twiddles
    // results
    output logic                                                 valid_o,
    output logic                                                 first_o,
    output logic [                Engines-1:0][    P-1:0][W-1:0] words_o
);
  import rs_stream_pkg::*;

  localparam int unsigned LogLanes = $clog2(P);
  localparam int unsigned Lanes = Engines * Pairs;
  localparam int unsigned Latency = butterfly_latency(W, WordBits);
  localparam int unsigned Entries = LogNMax - LogNMin + 1;  // stages that may be the first with a commutator

  if (P != 2 && P != 4 && P != 8) begin : gen_illegal_lanes
    $fatal(1, "%m: P %0d is not 2, 4 or 8", P);
  end
  if (LogNMax < LogNMin || LogNMax > LogNLimit) begin : gen_illegal_length
    $fatal(1, "%m: LogNMax %0d is not in %0d..%0d", LogNMax, LogNMin, LogNLimit);
  end
  if (Engines == 0) begin : gen_illegal_engines
    $fatal(1, "%m: Engines %0d has to be positive", Engines);
  end
  // at the first commutator of the shortest transform, half of a limb is there for the next modulus to travel by
  if ((1 << LogNMin) / (2 * P) <= Latency) begin : gen_illegal_latency
    $fatal(1, "%m: a butterfly of %0d cycles is longer than half of a limb", Latency);
  end

  // The first of these stages is entered from the stages before all commutators, and those in front of it get nothing. In a wipe all are
  // entered at once: that takes half the tokens.
  logic [Entries-1:0] enter_q;
  always_ff @(posedge clk_i) begin
    for (int e = 0; e < int'(Entries); e++) begin
      if (!rst_ni) enter_q[e] <= 1'b0;
      else if (start_i) enter_q[e] <= wipe_i || 32'(log_n_i) == LogNMax - 32'(e);
    end
  end

  // ---- stages: what comes out of each, words by engine and lane
  logic [LogNMax:0] token, first, last, live;
  logic [LogNMax:0][Engines-1:0][P-1:0][W-1:0] words;
  logic [LogNMax:0][W-1:0] q;
  logic [LogNMax-1:0] missing;

  assign token[0] = valid_i;
  assign first[0] = first_i;
  assign last[0]  = last_i;
  assign live[0]  = live_i;
  assign words[0] = words_i;

  logic unused_load;
  rs_tap #(
      .Width (W),
      .Cycles(1)
  ) u_modulus (
      .clk_i,
      .load_i(valid_i && first_i),
      .data_i(q_i),
      .load_o(unused_load),
      .data_o(q[0])
  );

  // twiddles of stages 1 .. LogLanes - 2, from the set of stage 0: there is one, of eight lanes
  logic [Pairs-1:0][W-1:0] early;
  if (LogLanes > 2) begin : gen_early
    logic unused_load_early;
    rs_tap #(
        .Width (Pairs * W),
        .Cycles(Latency)
    ) u_early (
        .clk_i,
        .load_i(valid_i && first_i),
        .data_i(twiddle_i[0]),
        .load_o(unused_load_early),
        .data_o(early)
    );
  end else begin : gen_no_early
    assign early = '0;
  end
  logic unused_early;
  assign unused_early = ^early;

  for (genvar b = 0; b < LogNMax; b++) begin : gen_stages
    localparam bit Swaps = b >= LogLanes;
    localparam int unsigned Entry = Swaps ? b - LogLanes : 0;
    localparam bit MayEnter = Swaps && Entry < Entries;

    // ---- where the tokens come from
    logic enter;
    logic token_b, first_b, live_b;
    logic [W-1:0] q_b;
    logic [Engines-1:0][P-1:0][W-1:0] words_b;
    assign enter = MayEnter && enter_q[MayEnter?Entry : 0];
    assign token_b = !MayEnter ? token[b] : enter ? token[LogLanes] : Entry != 0 && token[b];
    assign first_b = enter ? first[LogLanes] : first[b];
    assign live_b = enter ? live[LogLanes] : live[b];
    assign q_b = enter ? q[LogLanes] : q[b];
    assign words_b = enter ? words[LogLanes] : words[b];

    // ---- pairs
    logic token_x, first_x, last_x, live_x;
    logic [Lanes-1:0][W-1:0] upper, lower, x, y, sum, difference;

    for (genvar l = 0; l < Lanes; l++) begin : gen_lanes
      assign upper[l] = words_b[l/Pairs][l%Pairs];
      assign lower[l] = words_b[l/Pairs][l%Pairs+Pairs];
      assign words[b+1][l/Pairs][2*(l%Pairs)] = sum[l];
      assign words[b+1][l/Pairs][2*(l%Pairs)+1] = difference[l];
    end

    if (Swaps) begin : gen_commutator
      rs_stream_commutator #(
          .Half   (Lanes * W),
          .LogRows(log_rows(b, LogNMax)),
          .LutRows(LutRows)
      ) u_commutator (
          .clk_i,
          .rst_ni,
          .start_i,
          .token_i(token_b),
          .first_i(first_b),
          .live_i (live_b),
          .upper_i(upper),
          .lower_i(lower),
          .token_o(token_x),
          .first_o(first_x),
          .live_o (live_x),
          .take_o (take_o[b]),
          .upper_o(x),
          .lower_o(y)
      );
      assign last_x = 1'b0;
    end else begin : gen_wires
      assign token_x = token_b;
      assign first_x = first_b;
      assign last_x = last[b];
      assign live_x = live_b;
      assign take_o[b] = has_set(b, LogLanes) && token_x && last_x && live_x;
      assign x = upper;
      assign y = lower;
    end

    // ---- twiddles: one for all lanes in stage 0, two in stage 1, ... up to one for each
    localparam int unsigned Own = b + 1 < LogLanes ? 1 << b : Pairs;
    logic [Own-1:0][W-1:0] factor;
    if (b + 1 >= LogLanes) begin : gen_own
      assign factor = twiddle_i[b];
    end else if (b == 0) begin : gen_first
      assign factor = twiddle_i[0][1];
    end else begin : gen_early_stage
      assign factor = early[Own+:Own];
    end
    assign missing[b] = has_set(b, LogLanes) && token_x && live_x && !twiddle_valid_i[b];

    rs_stream_butterfly #(
        .W       (W),
        .WordBits(WordBits),
        .Lanes   (Lanes),
        .Factors (Own)
    ) u_butterfly (
        .clk_i,
        .load_i(token_x && first_x),
        .q_i   (q_b),
        .x_i   (x),
        .y_i   (y),
        .w_i   (factor),
        .a_o   (sum),
        .b_o   (difference),
        .q_o   (q[b+1])
    );

    // ---- what goes beside the data
    logic [Latency-1:0] token_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || start_i) token_q <= '0;
      else token_q <= {token_q[Latency-2:0], token_x};
    end
    assign token[b+1] = token_q[Latency-1];

    rs_delay #(
        .Width (3),
        .Cycles(Latency)
    ) u_marks (
        .clk_i,
        .data_i({first_x, last_x, live_x}),
        .data_o({first[b+1], last[b+1], live[b+1]})
    );
  end

  assign valid_o = token[LogNMax] && live[LogNMax];
  assign first_o = first[LogNMax];
  assign words_o = words[LogNMax];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) late_o <= 1'b0;
    else late_o <= missing != '0;
  end

  logic unused;
  assign unused = ^{q[LogNMax], last[LogNMax]};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start_i && !wipe_i)
      assert (32'(log_n_i) >= LogNMin && 32'(log_n_i) <= LogNMax)
      else $error("%m: log2 N %0d is not in %0d..%0d", log_n_i, LogNMin, LogNMax);
  end
`endif

endmodule
