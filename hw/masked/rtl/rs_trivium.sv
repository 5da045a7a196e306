// SPDX-License-Identifier: Apache-2.0
// rs_trivium: the key stream of Trivium, Width bits per cycle.
// Model:   the cipher's specification (De Canniere and Preneel, eSTREAM), whose numbering state_q has: s1 to s288
// Params:  Width: at most 64, divides 1152
// Timing:  with seed_i in cycle t, valid_o from cycle t + 1 + 1152 / Width on. Bit 0 of stream_o is the first one;
//          enable_i goes on
module rs_trivium #(
    parameter int unsigned Width = 64
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             seed_i,
    input  logic [     79:0] key_i,     // bit 0 is K1
    input  logic [     79:0] iv_i,
    input  logic             enable_i,
    output logic             valid_o,
    output logic [Width-1:0] stream_o
);
  if (Width == 0 || Width > 64 || 1152 % Width != 0) begin : gen_illegal
    $fatal(1, "%m: Width has to be at most 64 and to divide 1152");
  end
  localparam int unsigned Warm = 1152 / Width;
  logic [288:1] state_q, state_d;
  logic [$clog2(Warm + 1)-1:0] warm_q;

  // step k of a cycle finds s_j at s_(j-k): no tap is nearer than 66 to where its register begins
  for (genvar k = 0; k < Width; k++) begin : gen_step
    logic t1, t2, t3;
    assign t1 = state_q[66-k] ^ state_q[93-k];
    assign t2 = state_q[162-k] ^ state_q[177-k];
    assign t3 = state_q[243-k] ^ state_q[288-k];
    assign stream_o[k] = t1 ^ t2 ^ t3;
    assign state_d[Width-k] = t3 ^ (state_q[286-k] & state_q[287-k]) ^ state_q[69-k];
    assign state_d[93+Width-k] = t1 ^ (state_q[91-k] & state_q[92-k]) ^ state_q[171-k];
    assign state_d[177+Width-k] = t2 ^ (state_q[175-k] & state_q[176-k]) ^ state_q[264-k];
  end
  assign state_d[93:1+Width] = state_q[93-Width:1];
  assign state_d[177:94+Width] = state_q[177-Width:94];
  assign state_d[288:178+Width] = state_q[288-Width:178];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || seed_i) begin
      state_q <= {3'b111, 112'd0, iv_i, 13'd0, key_i};
      warm_q  <= $bits(warm_q)'(Warm);
    end else if (enable_i || !valid_o) begin
      state_q <= state_d;
      if (!valid_o) warm_q <= warm_q - 1'b1;
    end
  end
  assign valid_o = warm_q == '0;
endmodule
