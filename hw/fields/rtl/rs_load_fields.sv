// SPDX-License-Identifier: Apache-2.0
// rs_load_fields: fields of d bits in memory -> residues: as they are, offset - x, or decompressed.
// Model:   FIPS 203, algorithm 6 and Decompress (4.8); FIPS 204, algorithms 18 and 19
// Params:  W: width of residues, 24 to 64; BusBits: of a beat; Words V: fields per cycle, 1, 2 or 4
// Bounds:  width_i is one of rs_field_pkg::Width, with LOAD_GROW at most 11; held, as all of its kind, from start_i to done_o; count_i is a
//          positive multiple of V. Fields lie side by side from bit 0 of the first beat on. LOAD_MINUS: |offset_i - x| < q_i
// Timing:  V fields or 64 bits per cycle as far as beats come; a row leaves four cycles after the 64 bits that complete it. Nothing depends on data; fault_o
//          says whether a field was below least_i or above limit_i: of public fields, or as LOAD says of residues

module rs_load_fields #(
    parameter  int unsigned W         = 32,
    parameter  int unsigned BusBits   = 128,
    parameter  int unsigned Words     = 2,
    parameter  int unsigned CountBits = 14,
    localparam int unsigned FieldBits = rs_field_pkg::FieldBits
) (
    input  logic                                       clk_i,
    input  logic                                       rst_ni,
    input  logic                                       clear_i,     // wipes and stops
    input  logic                                       start_i,     // what was under way is lost
    input  rs_field_pkg::load_e                        kind_i,
    input  logic                [          4:0]        width_i,
    input  logic                [CountBits-1:0]        count_i,     // fields: read with start_i
    input  logic                [FieldBits-1:0]        offset_i,
    input  logic                [FieldBits-1:0]        least_i,     // the smallest field and
    input  logic                [FieldBits-1:0]        limit_i,     // the largest one that is none of the faults
    input  logic                [        W-1:0]        q_i,
    input  logic                                       valid_i,
    output logic                                       ready_o,
    input  logic                [  BusBits-1:0]        beat_sec_i,
    output logic                                       valid_o,     // a row, for one cycle: nothing holds it up
    output logic                [    Words-1:0][W-1:0] data_sec_o,
    output logic                                       fault_o,     // since start_i a field was beyond a limit
    output logic                                       done_o       // the cycle after the last row
);
  import rs_field_pkg::*;

  localparam int unsigned GroupBits = FieldBits * Words;
  localparam int unsigned PieceBits = 64;  // bits of a beat; wider ones cost more than they are worth: a shifter for each bit
  localparam int unsigned Pieces = BusBits / PieceBits;
  localparam int unsigned PlaceBits = Pieces > 1 ? $clog2(Pieces) : 1;
  localparam int unsigned InGrains = PieceBits / Words;
  localparam int unsigned GiveBits = $clog2(InGrains + 1);
  localparam int unsigned TakeBits = $clog2(FieldBits + 1);
  // a product with 3329, or a difference with its sign
  localparam int unsigned MadeBits = 24;

  if (Words != 1 && Words != 2 && Words != 4) begin : gen_illegal
    $fatal(1, "%m: Words must be 1, 2 or 4");
  end
  if (BusBits % PieceBits != 0 || (Pieces & (Pieces - 1)) != 0) begin : gen_illegal_bus
    $fatal(1, "%m: BusBits must be 64 times a power of two");
  end
  if (W < MadeBits) begin : gen_illegal_width
    $fatal(1, "%m: W must be at least %0d", MadeBits);
  end

  function automatic logic [FieldBits:0] widths();
    widths = '0;
    for (int unsigned k = 0; k < Widths; k++) widths[Width[k]] = 1'b1;
  endfunction

  typedef logic [FieldBits-1:0] field_t;
  typedef logic [MadeBits-1:0] made_t;

  logic run_q, done_q, stop, fault_q, group_valid;
  logic [CountBits-1:0] asked_q, left_q;  // fields that are still to be read; to be sent
  logic [2:0] valid_q;  // valid bits of the three registers
  logic [GroupBits-1:0] group_sec;
  logic [Pieces-1:0][PieceBits-1:0] pieces_sec;
  logic [PlaceBits-1:0] piece_q;
  logic piece_ready, piece_last;
  logic [Words-1:0] beyond;
  field_t [Words-1:0] field_sec, field_sec_q;
  made_t [Words-1:0] made_sec_q;
  logic [Words-1:0][W-1:0] data_sec, data_sec_q;

  assign stop = clear_i || start_i || done_q;

  assign pieces_sec = beat_sec_i;
  assign piece_last = 32'(piece_q) == Pieces - 1;
  assign ready_o    = run_q && piece_ready && piece_last;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop) piece_q <= '0;
    else if (valid_i && run_q && piece_ready) piece_q <= piece_last ? '0 : piece_q + 1'b1;
  end

  rs_field_gear #(
      .InBits   (PieceBits),
      .OutBits  (GroupBits),
      .GrainBits(Words),
      .Takes    (widths())
  ) u_gear (
      .clk_i,
      .rst_ni,
      .clear_i   (stop),
      .give_i    (GiveBits'(InGrains)),
      .take_i    (TakeBits'(width_i)),
      .valid_i   (valid_i && run_q),
      .ready_o   (piece_ready),
      .data_sec_i(pieces_sec[piece_q]),
      .valid_o   (group_valid),
      .ready_i   (1'b1),
      .data_sec_o(group_sec)
  );

  for (genvar i = 0; i < Words; i++) begin : gen_word
    made_t times_sec, half, shifted_sec;

    always_comb begin
      field_sec[i] = '0;
      for (int unsigned k = 0; k < Widths; k++) begin
        if (width_i == Width[k]) field_sec[i] = field_t'(group_sec >> (i * 32'(Width[k]))) & ~(~field_t'(0) << Width[k]);
      end
    end
    assign beyond[i] = field_sec_q[i] > limit_i || field_sec_q[i] < least_i;

    // 3329 = 2^11 + 2^10 + 2^8 + 1
    assign times_sec = (made_t'(field_sec_q[i]) << 11) + (made_t'(field_sec_q[i]) << 10) + (made_t'(field_sec_q[i]) << 8) +
        made_t'(field_sec_q[i]);
    assign half = made_t'(1) << (width_i - 5'd1);
    assign shifted_sec = (made_sec_q[i] + half) >> width_i;

    logic [W-1:0] difference_sec;
    rs_signed_residue #(
        .W     (W),
        .InBits(MadeBits)
    ) u_residue (
        .q_i,
        .number_sec_i (made_sec_q[i]),
        .residue_sec_o(difference_sec)
    );

    always_comb begin
      unique case (kind_i)
        LOAD_GROW:  data_sec[i] = W'(shifted_sec);
        LOAD_MINUS: data_sec[i] = difference_sec;
        default:    data_sec[i] = W'(made_sec_q[i]);
      endcase
    end

    always_ff @(posedge clk_i) begin
      if (stop) begin
        field_sec_q[i] <= '0;
        made_sec_q[i]  <= '0;
        data_sec_q[i]  <= '0;
      end else begin
        field_sec_q[i] <= field_sec[i];
        unique case (kind_i)
          LOAD_GROW:  made_sec_q[i] <= times_sec;
          LOAD_MINUS: made_sec_q[i] <= made_t'(offset_i) - made_t'(field_sec_q[i]);
          default:    made_sec_q[i] <= made_t'(field_sec_q[i]);
        endcase
        data_sec_q[i] <= data_sec[i];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || start_i) begin
      run_q   <= rst_ni && !clear_i;
      done_q  <= 1'b0;
      asked_q <= count_i;
      left_q  <= count_i;
      fault_q <= 1'b0;
    end else begin
      if (group_valid && asked_q != '0) asked_q <= asked_q - CountBits'(Words);
      if (valid_o) left_q <= left_q - CountBits'(Words);
      done_q <= valid_o && left_q == CountBits'(Words);
      if (valid_o && left_q == CountBits'(Words)) run_q <= 1'b0;
      if (valid_q[0] && beyond != '0) fault_q <= 1'b1;
    end
    // what lies behind the last field is none
    if (!rst_ni || stop) valid_q <= '0;
    else valid_q <= {valid_q[1:0], group_valid && asked_q != '0};
  end

  assign valid_o    = valid_q[2] && run_q;
  assign data_sec_o = data_sec_q;
  assign fault_o    = fault_q;
  assign done_o     = done_q;
endmodule
