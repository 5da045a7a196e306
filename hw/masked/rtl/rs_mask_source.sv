// SPDX-License-Identifier: Apache-2.0
// rs_mask_source: Width fresh bits per cycle from Triviums of 64 bits, which five words of entropy seed; it asks for
//                 new ones by itself.
// Params:  Width; LogLife: log2 of the cycles after which it asks
// Bounds:  entropy_i has full entropy. The test finds a source that is stuck, no other fault: two equal words one after
//          the other are an alert
// Timing:  valid_o 20 cycles after the fifth word. It falls for as long at each new seed, at times that are public
//
// One key, and IVs that differ in the number of the Trivium. An alert stays until the reset; meanwhile valid_o is
// zero.
module rs_mask_source #(
    parameter int unsigned Width   = 832,
    parameter int unsigned LogLife = 20
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic [     31:0] entropy_i,
    input  logic             entropy_valid_i,
    output logic             entropy_ready_o,
    input  logic             reseed_i,
    input  logic             enable_i,         // rand_o has been taken
    output logic             valid_o,
    output logic [Width-1:0] rand_o,
    output logic             alert_o
);
  if (Width == 0 || LogLife < 5) begin : gen_illegal
    $fatal(1, "%m: Width has to be positive, LogLife at least 5");
  end
  localparam int unsigned Cores = (Width + 63) / 64;
  localparam int unsigned Words = 5;
  logic [Words-1:0][31:0] seed_q;
  logic [159:0] seed;
  logic [2:0] count_q;
  logic [LogLife-1:0] life_q;
  logic asks_q, seeded_q, alert_q, take, full;
  logic [Cores-1:0] valid;
  logic [64*Cores-1:0] stream;

  assign seed            = seed_q;
  assign full            = count_q == 3'(Words);
  assign entropy_ready_o = asks_q && !full && !alert_q;
  assign take            = entropy_valid_i && entropy_ready_o;

  always_ff @(posedge clk_i) begin
    if (take) seed_q <= {entropy_i, seed_q[Words-1:1]};
    life_q <= life_q + 1'b1;
    if (take) count_q <= count_q + 1'b1;
    if (take && count_q != '0 && entropy_i == seed_q[Words-1]) alert_q <= 1'b1;
    if (reseed_i || life_q == '1) asks_q <= 1'b1;
    if (full) begin  // the seed is in the Triviums and nowhere else
      seed_q   <= '0;
      count_q  <= '0;
      life_q   <= '0;
      asks_q   <= 1'b0;
      seeded_q <= !alert_q;
    end
    if (!rst_ni) begin
      seed_q   <= '0;
      count_q  <= '0;
      life_q   <= '0;
      asks_q   <= 1'b1;
      seeded_q <= 1'b0;
      alert_q  <= 1'b0;
    end
  end

  for (genvar k = 0; k < Cores; k++) begin : gen_core
    rs_trivium u_trivium (
        .clk_i,
        .rst_ni,
        .seed_i  (full),
        .key_i   (seed[79:0]),
        .iv_i    (seed[159:80] ^ 80'(k)),
        .enable_i,
        .valid_o (valid[k]),
        .stream_o(stream[64*k+:64])
    );
  end
  assign valid_o = seeded_q && !alert_q && (&valid);
  assign rand_o  = stream[Width-1:0];  // known to all without valid_o
  assign alert_o = alert_q;
  if (64 * Cores > Width) begin : gen_rest
    logic [64*Cores-1:Width] unused;
    assign unused = stream[64*Cores-1:Width];
  end
endmodule
