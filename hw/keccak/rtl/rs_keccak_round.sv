// SPDX-License-Identifier: Apache-2.0
// rs_keccak_round: one round of Keccak-f[1600], iota(chi(pi(rho(theta(state))))).
// Model:   lib/src/hash/shake.c keccak_round (bit-exact); FIPS 202, section 3.2
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

  logic [63:0] a[25], b[25], c[5], d[5];

  always_comb begin
    for (int unsigned i = 0; i < 25; i++) a[i] = state_i[64*i+:64];

    // theta; what is added to column x, then a itself
    for (int unsigned x = 0; x < 5; x++) c[x] = a[x] ^ a[x+5] ^ a[x+10] ^ a[x+15] ^ a[x+20];
    for (int unsigned x = 0; x < 5; x++) d[x] = c[(x+4)%5] ^ {c[(x+1)%5][62:0], c[(x+1)%5][63]};
    for (int unsigned i = 0; i < 25; i++) a[i] = a[i] ^ d[i%5];

    // rho and pi: lane (x, y) goes to (y, 2 x + 3 y)
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) begin
        b[y+5*((2*x+3*y)%5)] = (a[x+5*y] << Rho[x+5*y]) | (a[x+5*y] >> (7'd64 - 7'(Rho[x+5*y])));
      end
    end

    // chi and iota
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) begin
        state_o[64*(x+5*y)+:64] = b[x+5*y] ^ (~b[(x+1)%5+5*y] & b[(x+2)%5+5*y]);
      end
    end
    state_o[63:0] = state_o[63:0] ^ iota_i;
  end
endmodule
