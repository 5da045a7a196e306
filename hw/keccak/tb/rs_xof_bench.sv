// SPDX-License-Identifier: Apache-2.0
// rs_xof_bench: rs_xof with whole seeds as inputs.
module rs_xof_bench #(
    parameter  int unsigned Slices        = 64,
    parameter  bit          HasPrivate    = 1'b1,
    parameter  bit          HasPublic     = 1'b1,
    parameter  bit          Shared        = 1'b0,
    parameter  int unsigned KeccakCores   = 1,
    parameter  int unsigned PublicWords   = 1,
    parameter  int unsigned PrivateBits   = 16,
    parameter  int unsigned PublicBits    = 32,
    localparam int unsigned StepBits      = Slices < 64 ? $clog2(64 / Slices) : 1,
    localparam int unsigned PieceBits     = Slices == 64 ? 8 * rs_xof_pkg::BlockBytes : Slices,
    localparam int unsigned LogBlockWords = rs_xof_pkg::LogBlockWords
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [511:0] private_seed_sec_i,
    input logic [511:0] public_seed_i,

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
    input  logic                           public_ready_i,   // used by a folded core only
    output logic                           public_last_o,
    output logic                           public_valid_o,
    output logic [  PublicWords-1:0][63:0] public_word_o
);
  logic seed_public;
  logic [StepBits-1:0] seed_step;
  logic [8*Slices-1:0] private_row_sec, public_row;

  rs_seed_rows #(
      .Slices(Slices),
      .Both  (Slices == 64 && HasPrivate && HasPublic && !Shared)
  ) u_rows (
      .private_sec_i(private_seed_sec_i),
      .public_i(public_seed_i),
      .is_public_i(seed_public),
      .step_i(seed_step),
      .private_row_sec_o(private_row_sec),
      .public_row_o(public_row)
  );

  rs_xof #(
      .Slices(Slices),
      .HasPrivate(HasPrivate),
      .HasPublic(HasPublic),
      .Shared(Shared),
      .KeccakCores(KeccakCores),
      .PublicWords(PublicWords),
      .PrivateBits(PrivateBits),
      .PublicBits(PublicBits)
  ) u_xof (
      .clk_i,
      .rst_ni,
      .private_clear_i,
      .private_start_i,
      .private_domain_i,
      .private_limit_i,
      .private_ready_i,
      .private_valid_o,
      .private_data_sec_o,
      .public_own_i,
      .public_start_i,
      .public_block_i,
      .public_skip_i,
      .public_stride_i,
      .public_go_i,
      .public_ready_i,
      .public_last_o,
      .public_valid_o,
      .public_word_o,
      .seed_public_o(seed_public),
      .seed_step_o(seed_step),
      .private_row_sec_i(private_row_sec),
      .public_row_i(public_row)
  );
endmodule
