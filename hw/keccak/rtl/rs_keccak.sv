// SPDX-License-Identifier: Apache-2.0
// rs_keccak: the permutation Keccak-f[1600], RoundsPerCycle rounds per clock cycle.
// Model:   lib/include/ringside/golden/hash.h rs_keccak_f1600 (bit-exact)
// Params:  RoundsPerCycle in {1, 2, 3, 4, 6, 8, 12, 24}
// Bounds:  lane (x, y) is state[64 * (x + 5 * y) +: 64]
// Timing:  the core does a cycle later what start_i, load_i, hold_i and clear_i say. start_i with load_i in cycle t: state_i is taken in t + 1, and
//          done_o and state_o come in t + 2 + 24 / RoundsPerCycle. Without load_i, which needs an idle core: in t + 1 + 24 / RoundsPerCycle, the
//          first rounds are computed in t + 1. Whatever the state.
//
// The load is behind the rounds, not in front of them: bits that are loaded with zero cost nothing. Who takes next_o in the cycle of
// last_o may load the next message in that same cycle, so that permutations follow every 24 / RoundsPerCycle cycles. The commands come a
// cycle ahead, because 1600 flip-flops hang on what becomes of them: that comes from flip-flops too.

module rs_keccak #(
    parameter int unsigned RoundsPerCycle = 1
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          clear_i,  // wipes the state and stops
    input  logic          start_i,  // begins; a permutation still running is lost
    input  logic          load_i,   // with start_i: begin from state_i, else from the state the core holds
    input  logic [1599:0] state_i,  // in the cycle after start_i
    input  logic          hold_i,   // the last rounds wait in the next cycle
    output logic          soon_o,   // last_o in the next cycle, if it is not cleared or started in this one
    output logic          last_o,   // the last rounds are computed, from when they could be until hold_i lets them
    output logic [1599:0] next_o,   // with last_o: the result
    output logic          busy_o,   // from the second cycle after start_i to the cycle before done_o
    output logic          done_o,   // one cycle
    output logic [1599:0] state_o   // the result, from done_o to the cycle after the next start_i
);
  localparam int unsigned Rounds = 24;
  localparam int unsigned Cycles = Rounds / RoundsPerCycle;
  localparam int unsigned CountBits = Cycles > 1 ? $clog2(Cycles) : 1;

  if (RoundsPerCycle == 0 || Rounds % RoundsPerCycle != 0) begin : gen_illegal
    $fatal(1, "%m: RoundsPerCycle must divide 24");
  end

  // iota, FIPS 202 section 3.2.5: round 23 first
  localparam logic [23:0][63:0] Iota = {
    64'h8000000080008008,
    64'h0000000080000001,
    64'h8000000000008080,
    64'h8000000080008081,
    64'h800000008000000a,
    64'h000000000000800a,
    64'h8000000000000080,
    64'h8000000000008002,
    64'h8000000000008003,
    64'h8000000000008089,
    64'h800000000000008b,
    64'h000000008000808b,
    64'h000000008000000a,
    64'h0000000080008009,
    64'h0000000000000088,
    64'h000000000000008a,
    64'h8000000000008009,
    64'h8000000080008081,
    64'h0000000080000001,
    64'h000000000000808b,
    64'h8000000080008000,
    64'h800000000000808a,
    64'h0000000000008082,
    64'h0000000000000001
  };

  logic [CountBits-1:0] cycle_q;  // cycle of the permutation; 0 when idle
  logic busy_d, busy_q, done_q, last_d, last, load, step;
  logic clear_q, start_q, load_q, hold_q;  // what to do in this cycle
  logic zero_q, move_q;  // what state_q takes: a message, or zeros; that, or the rounds
  logic [CountBits-1:0] cycle_d;
  logic [RoundsPerCycle-1:0][63:0] iota_q;  // constants of the rounds of cycle_q: flip-flops, so that the rounds begin early
  logic [1599:0] state_q;

  always_ff @(posedge clk_i) begin
    clear_q <= clear_i;
    start_q <= rst_ni && start_i;
    load_q  <= load_i;
    hold_q  <= hold_i;
    zero_q  <= clear_i || (rst_ni && start_i && load_i);
    move_q  <= clear_i || (rst_ni && start_i) || (busy_d && !(last_d && hold_i));
  end
  assign load = start_q && load_q;
  assign step = (start_q && !load_q) || (busy_q && !(last && hold_q));

  for (genvar k = 0; k < RoundsPerCycle; k++) begin : gen_round
    logic [1599:0] state_in, state_out;
    if (k == 0) begin : gen_first
      assign state_in = state_q;
    end else begin : gen_next
      assign state_in = gen_round[k-1].state_out;
    end
    rs_keccak_round u_round (
        .state_i(state_in),
        .iota_i (iota_q[k]),
        .state_o(state_out)
    );
  end
  assign next_o = gen_round[RoundsPerCycle-1].state_out;

  // last: cycle_q is that of the last rounds. It is decided a cycle before, and what that depends on two cycles before.
  if (Cycles == 1) begin : gen_one
    assign last   = 1'b1;
    assign last_d = 1'b1;
    assign soon_o = load || (busy_q && hold_q);
  end else begin : gen_more
    logic last_q, near_q;  // near_q: the cycle before the last
    assign last   = last_q;
    assign soon_o = last_q ? hold_q : (step && near_q);
    assign last_d = rst_ni && !clear_q && !load && soon_o;
    always_ff @(posedge clk_i) begin
      last_q <= last_d;
      if (!rst_ni || clear_q || load) near_q <= Cycles == 2;
      else if (step) near_q <= cycle_d == CountBits'(Cycles - 2);
    end
  end

  always_comb begin
    busy_d = busy_q;
    if (!rst_ni || clear_q) busy_d = 1'b0;
    else if (load) busy_d = 1'b1;
    else if (step) busy_d = !last;
  end

  always_ff @(posedge clk_i) begin
    busy_q <= busy_d;
    if (!rst_ni || clear_q || load) begin
      done_q  <= 1'b0;
      cycle_q <= '0;
    end else begin
      done_q <= step && last;
      if (step) cycle_q <= cycle_d;
    end
  end

  assign cycle_d = last ? '0 : cycle_q + 1'b1;

  for (genvar k = 0; k < RoundsPerCycle; k++) begin : gen_iota
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_q || load) iota_q[k] <= Iota[k];
      else if (step) iota_q[k] <= Iota[5'(32'(cycle_d)*RoundsPerCycle+k)];
    end
  end

  // a bit that is loaded with zero is a flip-flop with an enable and a reset
  always_ff @(posedge clk_i) begin
    if (move_q) begin
      if (zero_q) state_q <= clear_q ? '0 : state_i;
      else state_q <= next_o;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) assert (zero_q == (clear_q || load) && move_q == (clear_q || load || step));
`endif

  assign last_o  = busy_q && last;
  assign busy_o  = busy_q;
  assign done_o  = done_q;
  assign state_o = state_q;
endmodule
