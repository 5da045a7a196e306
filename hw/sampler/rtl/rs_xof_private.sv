// SPDX-License-Identifier: Apache-2.0
// rs_xof_private: the private stream of (seed, domain) in blocks of 136 bytes, in order, from KeccakCores cores side by side.
// Model:   lib/include/ringside/sample.h rs_private_stream (bit-exact): block b is the first 136 bytes of
//          SHAKE256(seed || LE64(domain * 2^56 + b)), one permutation
// Params:  KeccakCores >= 1; RoundsPerCycle of each (rs_keccak); BlockBits: width of block numbers, at most 56
// Bounds:  byte i of the seed is seed_sec_i[8 * i +: 8], byte i of a block is block_sec_o[8 * i +: 8]
// Timing:  first block 1 + 24 / RoundsPerCycle cycles after start_i, then at most KeccakCores blocks per 24 / RoundsPerCycle
//          cycles and one per cycle; a function of ready_i and limit_i alone

module rs_xof_private #(
    parameter int unsigned KeccakCores = 1,
    parameter int unsigned RoundsPerCycle = 1,
    parameter int unsigned BlockBits = 16
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 clear_i,     // wipes all cores and stops
    input  logic                 start_i,     // begins with block first_i; what is under way is lost
    input  logic [        511:0] seed_sec_i,  // stable from the cycle after start_i to the last block
    input  logic [          7:0] domain_i,    // likewise
    input  logic [BlockBits-1:0] first_i,
    input  logic [BlockBits-1:0] limit_i,     // blocks below limit_i are made; it may grow at any time
    output logic                 valid_o,     // stays, with block_sec_o unchanged, until ready_i
    input  logic                 ready_i,
    output logic [       1087:0] block_sec_o
);
  localparam int unsigned CoreBits = KeccakCores > 1 ? $clog2(KeccakCores) : 1;
  localparam logic [CoreBits-1:0] LastCore = CoreBits'(KeccakCores - 1);

  if (KeccakCores == 0 || BlockBits == 0 || BlockBits > 56) begin : gen_illegal
    $fatal(1, "%m: KeccakCores must be positive, BlockBits 1 to 56");
  end

  logic run_q;
  logic [BlockBits-1:0] next_q;  // next block to be begun
  logic [CoreBits-1:0] issue_core_q, deliver_core_q;  // block b belongs to core (b - first) mod KeccakCores
  logic [KeccakCores-1:0] owned_q;  // the core works on a block, or holds one not yet delivered
  logic [KeccakCores-1:0] busy;
  logic issue, deliver;
  logic [63:0] position;
  logic [1599:0] message;
  logic [KeccakCores-1:0][1087:0] block;

  assign valid_o = owned_q[deliver_core_q] && !busy[deliver_core_q];
  assign deliver = valid_o && ready_i;
  assign block_sec_o = block[deliver_core_q];
  // a core begins its next block in the cycle in which its last one leaves
  assign issue = run_q && next_q < limit_i && (!owned_q[issue_core_q] || (deliver && deliver_core_q == issue_core_q));

  // 72 bytes of message, SHAKE's domain bits and padding, zeros
  always_comb begin
    position = 64'(next_q);
    position[63:56] = domain_i;
    message = '0;
    message[511:0] = seed_sec_i;
    message[512+:64] = position;
    message[576+:8] = 8'h1f;
    message[1087] = 1'b1;
  end

  for (genvar i = 0; i < KeccakCores; i++) begin : gen_core
    logic [1599:0] state;
    logic unused_done;
    rs_keccak #(
        .RoundsPerCycle(RoundsPerCycle)
    ) u_keccak (
        .clk_i,
        .rst_ni,
        .clear_i,
        .start_i(issue && issue_core_q == CoreBits'(i)),
        .load_i (1'b1),
        .state_i(message),
        .busy_o (busy[i]),
        .done_o (unused_done),
        .state_o(state)
    );
    assign block[i] = state[1087:0];
    logic unused_capacity;
    assign unused_capacity = ^state[1599:1088];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q <= 1'b0;
      next_q <= '0;
      issue_core_q <= '0;
      deliver_core_q <= '0;
      owned_q <= '0;
    end else if (start_i) begin
      run_q <= 1'b1;
      next_q <= first_i;
      issue_core_q <= '0;
      deliver_core_q <= '0;
      owned_q <= '0;
    end else begin
      if (deliver) begin
        owned_q[deliver_core_q] <= 1'b0;
        deliver_core_q <= deliver_core_q == LastCore ? '0 : deliver_core_q + 1'b1;
      end
      if (issue) begin
        owned_q[issue_core_q] <= 1'b1;
        issue_core_q <= issue_core_q == LastCore ? '0 : issue_core_q + 1'b1;
        next_q <= next_q + 1'b1;
      end
    end
  end
endmodule
