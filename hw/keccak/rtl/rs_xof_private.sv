// SPDX-License-Identifier: Apache-2.0
// rs_xof_private: the private stream of (seed, domain) in blocks of 136 bytes, in order; it drives KeccakCores cores side by side (rs_xof).
// Model:   lib/include/ringside/golden/sample.h rs_private_stream (bit-exact): block b is the first 136 bytes of
//          SHAKE256(seed || LE64(domain * 2^56 + b)), one permutation
// Params:  KeccakCores >= 1; BlockBits: width of block numbers, at most 56
// Bounds:  byte i of a block is block_sec_o[8 * i +: 8]
// Timing:  with cores of R rounds per cycle the first block 2 + 24 / R cycles after start_i, then at most KeccakCores blocks per 24 / R
//          cycles and one per cycle; a function of grant_i, room_i and limit_i alone
//
// A block leaves a core while its last rounds are computed, and the core's next message is loaded in that same cycle. What decides
// on it (last rounds, room, turn) is looked at a cycle before, when the cores want to be told.

module rs_xof_private #(
    parameter int unsigned KeccakCores = 1,
    parameter int unsigned BlockBits   = 16
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 clear_i,     // stops; who owns the cores wipes them
    input  logic                 start_i,     // begins with block 0; when no core is at work
    input  logic                 grant_i,     // the cores are there; if not yet, it waits
    input  logic [          7:0] domain_i,    // stable from the cycle after start_i to the last block, and so is the seed
    input  logic [BlockBits-1:0] limit_i,     // blocks below limit_i are made; positive, may grow at any time
    input  logic                 room_i,      // in the next cycle a block is taken if there is one
    output logic                 valid_o,     // block_sec_o is a block, in this cycle only
    output logic [       1087:0] block_sec_o,

    // cores (rs_keccak)
    output logic [KeccakCores-1:0]         core_start_o,     // from the message: seed, core_position_o, padding
    output logic [           63:0]         core_position_o,  // in the cycle after core_start_o
    output logic [KeccakCores-1:0]         core_hold_o,
    input  logic [KeccakCores-1:0]         core_soon_i,
    input  logic [KeccakCores-1:0][1087:0] core_next_i
);
  if (KeccakCores == 0 || BlockBits == 0 || BlockBits > 56) begin : gen_illegal
    $fatal(1, "%m: KeccakCores must be positive, BlockBits 1 to 56");
  end

  typedef logic [KeccakCores-1:0] cores_t;  // one bit per core
  localparam cores_t FirstCore = cores_t'(1);

  logic run_q, more_q;  // more_q: issued_q < limit_i, a cycle ago
  logic [BlockBits-1:0] issued_q, number_q;  // blocks begun; the one that is loaded
  cores_t issue_q, turn_q;  // the core that begins the next block; the one whose block leaves next
  cores_t owned_q;  // the core works on a block
  cores_t load_d, go_d;  // a message is loaded, a block leaves in the next cycle
  logic valid_q;

  function automatic cores_t after(cores_t core);
    return cores_t'({core, core} >> (KeccakCores - 1));
  endfunction

  // a core that is stopped says a cycle too long that it will be ready soon
  assign go_d   = room_i ? turn_q & core_soon_i & owned_q : '0;
  // a core begins its next block in the cycle in which its last one leaves
  assign load_d = more_q && grant_i ? issue_q & (~owned_q | go_d) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      run_q   <= 1'b0;
      more_q  <= 1'b0;
      owned_q <= '0;
      valid_q <= 1'b0;
    end else begin
      run_q   <= run_q || start_i;
      more_q  <= start_i || (run_q && (load_d != '0 ? issued_q + 1'b1 != limit_i : issued_q != limit_i));
      owned_q <= (owned_q & ~go_d) | load_d;
      valid_q <= go_d != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      issued_q <= '0;
      issue_q  <= FirstCore;
      turn_q   <= FirstCore;
    end else begin
      if (load_d != '0) begin
        issued_q <= issued_q + 1'b1;
        issue_q  <= after(issue_q);
      end
      if (go_d != '0) turn_q <= after(turn_q);
    end
    number_q <= issued_q;
  end

  always_comb begin
    core_position_o = 64'(number_q);
    core_position_o[63:56] = domain_i;
  end
  assign core_start_o = load_d;
  assign core_hold_o  = ~go_d;

  if (KeccakCores == 1) begin : gen_one
    assign block_sec_o = core_next_i[0];
  end else if (rs_pkg::MulStyle == rs_pkg::MUL_CELLS) begin : gen_gates
    // nothing behind it toggles but for a block
    cores_t go_q;
    always_ff @(posedge clk_i) go_q <= rst_ni && !clear_i ? go_d : '0;
    always_comb begin
      block_sec_o = '0;
      for (int unsigned i = 0; i < KeccakCores; i++) if (go_q[i]) block_sec_o |= core_next_i[i];
    end
  end else begin : gen_choice
    // a LUT chooses between four words by a number, and between three by a bit for each
    localparam int unsigned CoreBits = $clog2(KeccakCores);
    logic [CoreBits-1:0] core_d, core_q;
    logic [2**CoreBits-1:0][1087:0] blocks;
    always_comb begin
      core_d = '0;
      for (int unsigned i = 0; i < KeccakCores; i++) if (turn_q[i]) core_d |= CoreBits'(i);
    end
    always_ff @(posedge clk_i) core_q <= core_d;
    assign blocks      = (1088 * 2 ** CoreBits)'(core_next_i);
    assign block_sec_o = blocks[core_q];
  end
  assign valid_o = valid_q;
endmodule
