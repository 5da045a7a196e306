// SPDX-License-Identifier: Apache-2.0
// rs_keccak: the permutation Keccak-f[1600], RoundsPerCycle rounds per clock cycle.
// Model:   lib/include/ringside/xof.h rs_keccak_f1600 (bit-exact)
// Params:  RoundsPerCycle in {1, 2, 3, 4, 6, 8, 12, 24}
// Bounds:  lane (x, y) is state[64 * (x + 5 * y) +: 64]
// Timing:  start_i in cycle t: done_o and state_o in cycle t + 24 / RoundsPerCycle, whatever the state. The first rounds are computed
//          in cycle t itself, and start_i may come again together with done_o, so permutations follow without a gap.

module rs_keccak #(
    parameter int unsigned RoundsPerCycle = 1
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          clear_i,  // wipes the state and stops
    input  logic          start_i,  // begins; a permutation still running is lost
    input  logic          load_i,   // with start_i: begin from state_i, else from the state the core holds
    input  logic [1599:0] state_i,
    output logic          busy_o,   // from the cycle after start_i to the cycle before done_o
    output logic          done_o,   // one cycle
    output logic [1599:0] state_o   // valid from done_o to the next start_i
);
  localparam int unsigned Rounds = 24;
  localparam int unsigned Cycles = Rounds / RoundsPerCycle;
  localparam int unsigned CountBits = Cycles > 1 ? $clog2(Cycles) : 1;
  localparam logic [CountBits-1:0] LastCycle = CountBits'(Cycles - 1);

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

  logic [CountBits-1:0] cycle, cycle_q;
  logic busy_q, done_q;
  logic [1599:0] state_q;

  assign cycle = start_i ? '0 : cycle_q;

  for (genvar k = 0; k < RoundsPerCycle; k++) begin : gen_round
    logic [1599:0] state_in, state_out;
    logic [63:0] iota;
    if (k == 0) begin : gen_first
      assign state_in = start_i && load_i ? state_i : state_q;
    end else begin : gen_next
      assign state_in = gen_round[k-1].state_out;
    end
    assign iota = Iota[5'(32'(cycle)*RoundsPerCycle+k)];
    rs_keccak_round u_round (
        .state_i(state_in),
        .iota_i (iota),
        .state_o(state_out)
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      busy_q  <= 1'b0;
      done_q  <= 1'b0;
      cycle_q <= '0;
    end else begin
      busy_q <= (start_i || busy_q) && cycle != LastCycle;
      done_q <= (start_i || busy_q) && cycle == LastCycle;
      if (start_i || busy_q) cycle_q <= cycle == LastCycle ? '0 : cycle + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) state_q <= '0;
    else if (start_i || busy_q) state_q <= gen_round[RoundsPerCycle-1].state_out;
  end

  assign busy_o  = busy_q;
  assign done_o  = done_q;
  assign state_o = state_q;
endmodule
