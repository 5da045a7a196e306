// SPDX-License-Identifier: Apache-2.0
// rs_keccak_round: one round of Keccak-f[1600], iota(chi(pi(rho(theta(state))))).
// Model:   lib/src/hash/keccak_rounds.h keccak_round (bit-exact); FIPS 202, section 3.2
// Bounds:  lane (x, y) is state[64 * (x + 5 * y) +: 64], as in the library
// Timing:  combinational

module rs_keccak_round (
    input  logic [1599:0] state_i,
    input  logic [  63:0] iota_i,   // round constant
    output logic [1599:0] state_o
);
  // rho: rotation of lane x + 5 * y (FIPS 202, table 2, modulo 64), lane 24 first
  localparam logic [24:0][5:0] Rho = {
    {6'd14, 6'd56, 6'd61, 6'd2, 6'd18},
    {6'd8, 6'd21, 6'd15, 6'd45, 6'd41},
    {6'd39, 6'd25, 6'd43, 6'd10, 6'd3},
    {6'd20, 6'd55, 6'd6, 6'd44, 6'd36},
    {6'd27, 6'd28, 6'd62, 6'd1, 6'd0}
  };

  logic [24:0][63:0] a, b, added, out;  // added: by theta, moved like b
  logic [4:0][63:0] c, d;

  assign a = state_i;

  // theta: what is added to column x
  for (genvar x = 0; x < 5; x++) begin : gen_theta
    assign c[x] = a[x] ^ a[x+5] ^ a[x+10] ^ a[x+15] ^ a[x+20];
    assign d[x] = c[(x+4)%5] ^ {c[(x+1)%5][62:0], c[(x+1)%5][63]};
  end

  for (genvar y = 0; y < 5; y++) begin : gen_row
    for (genvar x = 0; x < 5; x++) begin : gen_lane
      // rho and pi: lane (x, y) goes to (y, 2 x + 3 y)
      localparam int unsigned By = 32'(Rho[x+5*y]);
      localparam int unsigned To = y + 5 * ((2 * x + 3 * y) % 5);
      localparam int unsigned Next = (x + 1) % 5 + 5 * y;
      localparam int unsigned After = (x + 2) % 5 + 5 * y;
      assign b[To] = (a[x+5*y] << By) | (a[x+5*y] >> (64 - By));
      assign added[To] = (d[x] << By) | (d[x] >> (64 - By));

      rs_keccak_chi u_chi (
          .lane_i ({b[After], b[Next], b[x+5*y]}),
          .theta_i({added[After], added[Next], added[x+5*y]}),
          .lane_o (out[x+5*y])
      );
    end
  end

  // iota
  assign state_o = {out[24:1], out[0] ^ iota_i};
endmodule
