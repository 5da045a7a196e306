// SPDX-License-Identifier: Apache-2.0
// rs_xof: the Keccak cores of SAMPLE and EXPAND, and the two streams that they make: the private one, and the public one.
// Model:   lib/include/ringside/golden/sample.h rs_private_stream; lib/include/ringside/golden/hash.h rs_seed_block, RS_SEED_SHAKE256 (bit-exact)
// Params:  Slices: 64, whole rounds (rs_keccak), or fewer: one folded core for both streams (rs_xof_fold); HasPrivate, HasPublic; Shared:
//          both streams use the same cores; KeccakCores: cores of the private stream; PublicThrottled: words of whole rounds wait for ready,
//          too; PublicWords: cores of the public stream; widths of block numbers
// Bounds:  with shared cores PublicWords <= KeccakCores; with a folded one both are 1
// Timing:  of each stream as in rs_xof_private, rs_xof_public, rs_xof_fold. Shared cores belong to one stream at a time, from its request
//          to its end; the public one goes first, because what follows it takes longer. Whom they belong to depends on instructions, the
//          public seed and ready inputs alone. What the private stream leaves in a core is wiped before the other one gets it
//
//            private                  public
//  Shared:   rs_xof_private --\   /-- rs_xof_public         else each has cores of its own
//                              |||  rs_keccak x KeccakCores

module rs_xof #(
    parameter  int unsigned Slices          = 64,
    parameter  bit          HasPrivate      = 1'b1,
    parameter  bit          HasPublic       = 1'b1,
    parameter  bit          Shared          = 1'b0,
    parameter  int unsigned KeccakCores     = 1,
    parameter  int unsigned PublicWords     = 1,
    parameter  bit          PublicThrottled = 1'b0,
    parameter  int unsigned PrivateBits     = 16,
    parameter  int unsigned PublicBits      = 32,
    localparam int unsigned StepBits        = Slices < 64 ? $clog2(64 / Slices) : 1,
    localparam int unsigned PieceBits       = Slices == 64 ? 8 * rs_xof_pkg::BlockBytes : Slices,
    localparam int unsigned LogBlockWords   = rs_xof_pkg::LogBlockWords
) (
    input logic clk_i,
    input logic rst_ni,

    // the seeds (rs_seeds): lane i of a row is [Slices * i +: Slices]. If both streams have cores of their own, both rows are read;
    // else they are the same, of one seed
    output logic                seed_public_o,
    output logic [StepBits-1:0] seed_step_o,
    input  logic [8*Slices-1:0] private_row_sec_i,  // each seed is stable from the cycle after its stream's start to the last block
    input  logic [8*Slices-1:0] public_row_i,

    // the private stream (rs_xof_private, or rs_xof_fold)
    input  logic                   private_clear_i,    // wipes and stops
    input  logic                   private_start_i,
    input  logic [            7:0] private_domain_i,
    input  logic [PrivateBits-1:0] private_limit_i,
    input  logic                   private_ready_i,
    output logic                   private_valid_o,
    output logic [  PieceBits-1:0] private_data_sec_o,

    // the public stream (rs_xof_public, or rs_xof_fold)
    input  logic                           public_own_i,     // wants the cores; without it the stream is lost
    input  logic                           public_start_i,
    input  logic [   PublicBits-1:0]       public_block_i,
    input  logic [LogBlockWords-1:0]       public_skip_i,
    input  logic [   PublicBits-1:0]       public_stride_i,
    input  logic                           public_go_i,
    input  logic                           public_ready_i,   // used by a folded core, or PublicThrottled
    output logic                           public_last_o,
    output logic                           public_valid_o,
    output logic [  PublicWords-1:0][63:0] public_word_o
);
  if (Slices != 64 && (KeccakCores != 1 || PublicWords != 1)) begin : gen_illegal_fold
    $fatal(1, "%m: a folded core is one: KeccakCores and PublicWords must be 1");
  end

  if (Slices != 64) begin : gen_fold
    rs_xof_fold #(
        .Slices(Slices),
        .PrivateBits(PrivateBits),
        .PublicBits(PublicBits)
    ) u_fold (
        .clk_i,
        .rst_ni,
        .seed_public_o,
        .seed_step_o,
        .seed_row_sec_i(private_row_sec_i),
        .private_clear_i,
        .private_start_i,
        .private_domain_i,
        .private_limit_i,
        .private_valid_o,
        .private_ready_i,
        .private_piece_sec_o(private_data_sec_o),
        .public_own_i,
        .public_start_i,
        .public_block_i,
        .public_skip_i,
        .public_go_i,
        .public_ready_i,
        .public_last_o,
        .public_valid_o,
        .public_word_o(public_word_o[0])
    );
    logic unused;
    assign unused = ^{public_stride_i, public_row_i};
  end else begin : gen_whole
    localparam bit Common = Shared && HasPrivate && HasPublic;

    // message: seed, position, SHAKE's domain bits and padding, zeros
    function automatic logic [1599:0] message(input logic [511:0] seed, input logic [63:0] position);
      message = '0;
      message[511:0] = seed;
      message[512+:64] = position;
      message[576+:8] = 8'h1f;
      message[1087] = 1'b1;
    endfunction

    logic [KeccakCores-1:0] private_core_start, private_core_hold, private_core_soon;
    logic [63:0] private_position;
    logic [KeccakCores-1:0][1087:0] private_core_next;
    logic public_core_start, public_core_load, public_core_last, public_core_busy, public_core_done;
    logic [PublicWords-1:0][  63:0] public_position;
    logic [PublicWords-1:0][1087:0] public_core_state;

    // ---- whose the cores are -------------------------------------------------------------------------------------------------------
    logic private_grant, public_grant;
    assign seed_public_o = HasPublic && (!HasPrivate || (Common && public_grant));
    assign seed_step_o   = '0;

    if (Common) begin : gen_owner
      typedef enum logic [1:0] {
        Free,
        Private,
        Public
      } owner_e;
      owner_e owner_q;
      logic   private_q;  // the private stream wants them
      logic   begins_q;  // a core begins, and is not yet busy
      always_ff @(posedge clk_i) begin
        begins_q  <= public_core_start;
        private_q <= rst_ni && (private_start_i || (private_q && !private_clear_i));
        if (!rst_ni) owner_q <= Free;
        else if (owner_q == Free) owner_q <= public_own_i ? Public : private_q ? Private : Free;
        else if (owner_q == Private ? !private_q : !public_own_i && !begins_q && !public_core_busy) owner_q <= Free;
      end
      assign private_grant = owner_q == Private;
      assign public_grant  = owner_q == Public;
    end else begin : gen_own
      assign {private_grant, public_grant} = '1;
    end

    // ---- the streams -----------------------------------------------------------------------------------------------------------------
    if (HasPrivate) begin : gen_private
      rs_xof_private #(
          .KeccakCores(KeccakCores),
          .BlockBits  (PrivateBits)
      ) u_private (
          .clk_i,
          .rst_ni,
          .clear_i(private_clear_i),
          .start_i(private_start_i),
          .grant_i(private_grant),
          .domain_i(private_domain_i),
          .limit_i(private_limit_i),
          .room_i(private_ready_i),
          .valid_o(private_valid_o),
          .block_sec_o(private_data_sec_o),
          .core_start_o(private_core_start),
          .core_position_o(private_position),
          .core_hold_o(private_core_hold),
          .core_soon_i(private_core_soon),
          .core_next_i(private_core_next)
      );
    end else begin : gen_no_private
      assign {private_valid_o, private_data_sec_o} = '0;
      assign {private_core_start, private_core_hold, private_position} = '0;
    end

    if (HasPublic) begin : gen_public
      rs_xof_public #(
          .Words(PublicWords),
          .BlockBits(PublicBits),
          .Throttled(PublicThrottled)
      ) u_public (
          .clk_i,
          .rst_ni,
          .grant_i(public_grant && public_own_i),
          .start_i(public_start_i),
          .block_i(public_block_i),
          .skip_i(public_skip_i),
          .stride_i(public_stride_i),
          .go_i(public_go_i && public_own_i),
          .ready_i(public_ready_i && public_own_i),
          .last_o(public_last_o),
          .valid_o(public_valid_o),
          .word_o(public_word_o),
          .core_start_o(public_core_start),
          .core_load_o(public_core_load),
          .core_position_o(public_position),
          .core_last_i(public_core_last),
          .core_busy_i(public_core_busy),
          .core_done_i(public_core_done),
          .core_state_i(public_core_state)
      );
    end else begin : gen_no_public
      assign {public_last_o, public_valid_o, public_word_o} = '0;
      assign {public_core_start, public_core_load, public_position} = '0;
    end

    // ---- cores: of the private stream, or of both ------------------------------------------------------------------------------------
    if (HasPrivate) begin : gen_cores
      if (Common && PublicWords > KeccakCores) begin : gen_illegal
        $fatal(1, "%m: PublicWords must be at most KeccakCores");
      end
      logic [KeccakCores-1:0] soon, last, busy, done;

      for (genvar i = 0; i < KeccakCores; i++) begin : gen_core
        localparam bit Both = Common && i < PublicWords;
        localparam int unsigned Word = i < PublicWords ? i : 0;
        logic [1599:0] next, state;
        logic public_turn;
        assign public_turn = Both && public_grant;
        rs_keccak u_keccak (
            .clk_i,
            .rst_ni,
            .clear_i(private_clear_i),
            .start_i(public_turn ? public_core_start : private_core_start[i]),
            .load_i (public_turn ? public_core_load : 1'b1),
            .state_i(message(private_row_sec_i, public_turn ? public_position[Word] : private_position)),
            .hold_i (!public_turn && private_core_hold[i]),
            .soon_o (soon[i]),
            .last_o (last[i]),
            .next_o (next),
            .busy_o (busy[i]),
            .done_o (done[i]),
            .state_o(state)
        );
        assign private_core_soon[i] = soon[i] && !public_turn;
        assign private_core_next[i] = next[1087:0];
        if (Both) begin : gen_state
          assign public_core_state[i] = state[1087:0];
        end
        logic unused_core;
        assign unused_core = ^{next[1599:1088], state};
      end
      if (Common) begin : gen_both
        assign {public_core_last, public_core_busy, public_core_done} = {last[0], busy[0], done[0]};
      end
      logic unused_cores;
      assign unused_cores = ^{last, busy, done};
    end else begin : gen_no_cores
      assign {private_core_soon, private_core_next} = '0;
    end

    // ---- cores of the public stream --------------------------------------------------------------------------------------------------
    if (HasPublic && !Common) begin : gen_public_cores
      logic [PublicWords-1:0] last, busy, done;
      for (genvar j = 0; j < PublicWords; j++) begin : gen_core
        logic [1599:0] next, state;
        logic soon;
        rs_keccak u_keccak (
            .clk_i,
            .rst_ni,
            .clear_i(1'b0),
            .start_i(public_core_start),
            .load_i (public_core_load),
            .state_i(message(public_row_i, public_position[j])),
            .hold_i (1'b0),
            .soon_o (soon),
            .last_o (last[j]),
            .next_o (next),
            .busy_o (busy[j]),
            .done_o (done[j]),
            .state_o(state)
        );
        assign public_core_state[j] = state[1087:0];
        logic unused_core;
        assign unused_core = ^{soon, next, state[1599:1088]};
      end
      assign {public_core_last, public_core_busy, public_core_done} = {last[0], busy[0], done[0]};
      logic unused_cores;
      assign unused_cores = ^{last, busy, done};
    end else if (!HasPublic) begin : gen_no_public_cores
      assign {public_core_last, public_core_busy, public_core_done, public_core_state} = '0;
    end

    logic unused;
    assign unused = ^{
        public_ready_i, public_own_i, public_row_i, private_start_i,
        private_limit_i, private_domain_i, private_ready_i, private_row_sec_i,
        private_clear_i, private_grant, public_grant, private_core_start,
        private_core_hold, private_position, private_core_soon, private_core_next,
        public_core_start, public_core_load, public_position, public_core_last,
        public_core_busy, public_core_done, public_core_state, public_start_i,
        public_block_i, public_skip_i, public_stride_i, public_go_i
    };
  end
endmodule
