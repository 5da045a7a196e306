// SPDX-License-Identifier: Apache-2.0
// rs_store_fields: residues -> fields of d bits in memory: as they are, offset - x, compressed, or the parts of FIPS 204; or only their bounds.
// Model:   FIPS 203, algorithm 5 and Compress (4.7); FIPS 204, algorithms 16, 17, 35 to 37
// Params:  W: width of residues, 24 to 64; BusBits: of a beat; Words V: residues per cycle, 1, 2 or 4
// Bounds:  kind_i with width_i as rs_field_pkg says; held, with offset_i, q_i and the bounds, from start_i on. Residues below q_i; with the kinds
//          of FIPS 204 below its q. STORE_SHRINK reduces x < 2^24 modulo 3329, and STORE_PLAIN of 12 bits does if q_i is 3329 * 769: a context
//          of ML-KEM may have that modulus. With norm_i the kind is STORE_MINUS (and offset_i 0) or STORE_HIGH
// Timing:  V residues or 64 bits per cycle as far as beats are taken. After the last row zeros fill its beat, 20 V bits per cycle.
//          Nothing depends on data; over_o says whether a field needed more than d bits, or with norm_i whether one was not below bound_i
//
// x mod 3329: the quotient is about (x / 512) * 315 / 2^11, and x - 3329 times that is in (-3329, 3329) for all x < 2^24.
// norm_i: no beat leaves; STORE_MINUS compares the smaller of x and q - x, STORE_HIGH the absolute value of FIPS 204's LowBits.
// Compress is one product, not a division: floor((2^d x K + 2^(s-1)) / 2^s) modulo 2^d, with K = 315, s = 20 for d <= 5 and K = 2580335,
// s = 33 for d <= 11. It is exact for all x < 3329: the tests enumerate them. 2^d is a power of two, so it only moves the last shift:
// floor((x K + 2^(s-1-d)) / 2^(s-d)). HighBits likewise, of ceil(x / 128): K = 11275, s = 24 or K = 1025, s = 22.

module rs_store_fields #(
    parameter  int unsigned W         = 32,
    parameter  int unsigned BusBits   = 128,
    parameter  int unsigned Words     = 2,
    parameter  bit          Checked   = 1'b0,
    localparam int unsigned FieldBits = rs_field_pkg::FieldBits,
    localparam int unsigned BoundBits = rs_field_pkg::BoundBits
) (
    input  logic                                        clk_i,
    input  logic                                        rst_ni,
    input  logic                                        clear_i,     // wipes and stops
    input  logic                                        keep_i,      // with clear_i: the beat on offer stays until it is taken
    input  logic                                        start_i,     // what was under way is lost
    input  rs_field_pkg::store_e                        kind_i,
    input  logic                 [          4:0]        width_i,
    input  logic                 [FieldBits-1:0]        offset_i,
    input  logic                 [        W-1:0]        q_i,
    input  logic                                        norm_i,
    input  logic                 [BoundBits-1:0]        bound_i,
    input  logic                                        valid_i,
    output logic                                        ready_o,
    input  logic                                        last_i,      // the last row
    input  logic                 [    Words-1:0][W-1:0] data_sec_i,
    output logic                                        valid_o,     // stays, with the beat unchanged, until ready_i
    input  logic                                        ready_i,
    output logic                 [  BusBits-1:0]        beat_sec_o,
    output logic                                        over_o,      // since start_i a field did not fit
    output logic                                        done_o,      // two cycles after the last beat is taken
    output logic                                        error_o      // Checked: a flip-flop of its control has flipped
);
  import rs_field_pkg::*;

  localparam int unsigned GroupBits = FieldBits * Words;
  localparam int unsigned PieceBits = 64;  // bits of a beat, as in rs_load_fields
  localparam int unsigned Pieces = BusBits / PieceBits;
  localparam int unsigned CountBits = $clog2(Pieces + 1);
  localparam int unsigned PieceGrains = PieceBits / Words;
  localparam int unsigned OutGrains = BusBits / Words;
  localparam int unsigned GiveBits = $clog2(FieldBits + 1);
  localparam int unsigned TakeBits = $clog2(OutGrains + 1);
  localparam int unsigned FactorBits = 22;
  localparam int unsigned Depth = 7;  // registers from a residue to its bound
  localparam int unsigned Made = 4;  // the one of the fields
  localparam int unsigned LongBits = 24;  // bits of what is reduced modulo 3329
  localparam int unsigned ProductBits = 16 + FactorBits;

  if (Words != 1 && Words != 2 && Words != 4) begin : gen_illegal
    $fatal(1, "%m: Words must be 1, 2 or 4");
  end
  if (BusBits % PieceBits != 0) begin : gen_illegal_bus
    $fatal(1, "%m: BusBits must be a multiple of 64");
  end
  if (W < 24) begin : gen_illegal_width
    $fatal(1, "%m: W must be at least 24");
  end

  typedef logic [FieldBits-1:0] field_t;
  typedef logic [ProductBits-1:0] product_t;

  logic run_q, ends_q, done_q, stop, step, over_q;
  logic [Depth-1:0] valid_q, last_q;  // flags of the registers
  logic reduces, gear_step;
  logic gear_valid, gear_ready, beat_valid, padding;
  logic [GiveBits-1:0] give;
  logic [TakeBits-1:0] fill_q, filled, rest;  // grains of the beat under way
  field_t keep;  // the width's bits
  logic [FactorBits-1:0] factor;
  logic [4:0] shift;
  logic upper, is_product;
  field_t [Words-1:0] field_sec_q;
  logic [Words-1:0] over_sec, far_sec;
  logic [GroupBits-1:0] group_sec;
  logic piece_valid, piece_ready;
  logic [PieceBits-1:0] piece_sec;
  logic [CountBits-1:0] pieces_q;  // in the beat
  logic piece_error;
  logic [BusBits-1:0] beat_sec_q;

  assign stop = clear_i || start_i || done_q;
  assign keep = ~(~field_t'(0) << width_i);
  assign upper = kind_i == STORE_HIGH;
  assign is_product = kind_i == STORE_SHRINK || kind_i == STORE_HIGH;
  assign reduces = kind_i == STORE_SHRINK || (kind_i == STORE_PLAIN && width_i == 5'd12 && q_i == W'(3329 * 769));

  always_comb begin
    if (upper) factor = width_i == 5'd4 ? FactorBits'(1025) : FactorBits'(11275);
    else factor = width_i <= 5'd5 ? FactorBits'(315) : FactorBits'(2580335);
    if (upper) shift = width_i == 5'd4 ? 5'd22 : 5'd24;
    else shift = width_i <= 5'd5 ? 5'd20 - width_i : 5'(6'd33 - 6'(width_i));
  end

  // ---- residues to fields --------------------------------------------------------------------------------------------------------------
  // all wait together
  assign gear_step = !gear_valid || gear_ready;
  assign step = norm_i || gear_step;
  assign ready_o = step && run_q;

  for (genvar i = 0; i < Words; i++) begin : gen_word
    logic [W-1:0] x_sec, first_sec_q, second_sec_q, word_sec_q, difference_sec, plain_sec_q;
    logic [W-1:0] reduced_sec;
    logic [LongBits:0] scaled_sec;
    logic [12:0] quotient_sec_q;
    logic [12:0] rest_sec;  // with its sign
    logic [15:0] factor_sec_q;
    product_t product_sec_q, half;
    logic [W:0] less_sec;
    field_t rounded_sec, high_sec, made_sec;

    assign x_sec = valid_i && ready_o ? data_sec_i[i] : '0;

    // 315 = 2^8 + 2^6 - 2^2 - 1, 3329 = 2^11 + 2^10 + 2^8 + 1
    always_comb begin
      scaled_sec = (LongBits + 1)'(x_sec[LongBits-1:9]);
      scaled_sec = (scaled_sec << 8) + (scaled_sec << 6) - (scaled_sec << 2) - scaled_sec + (LongBits + 1)'(512);
      rest_sec = 13'(first_sec_q) - quotient_sec_q - (quotient_sec_q << 8) - (quotient_sec_q << 10) - (quotient_sec_q << 11);
      reduced_sec = second_sec_q;
      if (reduces) reduced_sec[12:0] = second_sec_q[12:0] + (second_sec_q[12] ? 13'd3329 : 13'd0);
    end

    assign less_sec = (W + 1)'(offset_i) - (W + 1)'(word_sec_q);
    rs_signed_residue #(
        .W     (W),
        .InBits(W + 1)
    ) u_residue (
        .q_i,
        .number_sec_i (less_sec),
        .residue_sec_o(difference_sec)
    );

    always_comb begin
      half = product_t'(1) << (shift - 5'd1);
      rounded_sec = field_t'((product_sec_q + half) >> shift);
      high_sec = rounded_sec & keep;
      // the highest part of q - 1 is 0
      if (upper && width_i != 5'd4 && rounded_sec == field_t'(44)) high_sec = '0;
    end

    always_comb begin
      made_sec = field_t'(plain_sec_q) & keep;
      over_sec[i] = (plain_sec_q & ~W'(keep)) != '0;
      if (is_product) begin
        made_sec = high_sec;
        over_sec[i] = 1'b0;
      end
    end

    // ---- bounds: of x or q - x, beside it; of x less its high part
    logic [W-1:0] beside_sec_q;
    logic [  5:0] part_sec_q;
    logic [BoundBits-1:0] carried_sec_q, times_sec, low_sec_q;
    logic [BoundBits:0] sum_sec;
    logic corner_sec_q, below_sec;

    always_comb begin
      // 190464 = 93 * 2^11, 523776 = 1023 * 2^9
      times_sec = BoundBits'(part_sec_q);
      if (width_i == 5'd4) times_sec = ((times_sec << 10) - times_sec) << 9;
      else times_sec = ((times_sec << 6) + (times_sec << 5) - (times_sec << 1) - times_sec) << 11;
      // with the high part of q - 1, which is 0, the low part is less by one
      sum_sec = (BoundBits + 1)'(bound_i) + (BoundBits + 1)'($signed(low_sec_q));
      if (low_sec_q[BoundBits-1] || corner_sec_q) below_sec = !sum_sec[BoundBits] && sum_sec > (BoundBits + 1)'(corner_sec_q);
      else below_sec = low_sec_q < bound_i;
      if (upper) far_sec[i] = !below_sec;
      else far_sec[i] = plain_sec_q >= W'(bound_i) && beside_sec_q >= W'(bound_i);
    end

    always_ff @(posedge clk_i) begin
      if (stop || !norm_i) begin
        beside_sec_q  <= '0;
        part_sec_q    <= '0;
        carried_sec_q <= '0;
        low_sec_q     <= '0;
        corner_sec_q  <= '0;
      end else begin
        beside_sec_q  <= word_sec_q;
        part_sec_q    <= 6'(rounded_sec);
        carried_sec_q <= BoundBits'(plain_sec_q);
        low_sec_q     <= carried_sec_q - times_sec;
        corner_sec_q  <= part_sec_q == (width_i == 5'd4 ? 6'd16 : 6'd44);
      end
    end

    always_ff @(posedge clk_i) begin
      if (stop) begin
        first_sec_q    <= '0;
        quotient_sec_q <= '0;
        second_sec_q   <= '0;
        word_sec_q     <= '0;
        factor_sec_q   <= '0;
        product_sec_q  <= '0;
        plain_sec_q    <= '0;
        field_sec_q[i] <= '0;
      end else if (step) begin
        first_sec_q    <= x_sec;
        quotient_sec_q <= reduces ? 13'(scaled_sec >> 11) : '0;
        second_sec_q   <= first_sec_q;
        if (reduces) second_sec_q[LongBits-1:0] <= LongBits'(rest_sec);
        word_sec_q    <= reduced_sec;
        factor_sec_q  <= upper ? 16'((second_sec_q + W'(127)) >> 7) : 16'(reduced_sec);
        product_sec_q <= product_t'(factor_sec_q) * product_t'(factor);
        unique case (kind_i)
          STORE_MINUS: plain_sec_q <= difference_sec;
          // Power2Round: x + 2^12 - 1 = 2^13 r1 + (r0 + 2^12 - 1)
          STORE_UPPER: plain_sec_q <= (word_sec_q + W'(4095)) >> 13;
          STORE_LOWER: plain_sec_q <= W'({1'b0, ~13'(word_sec_q + W'(4095))});
          default:     plain_sec_q <= word_sec_q;
        endcase
        field_sec_q[i] <= made_sec;
      end
    end
  end

  // ---- fields side by side, in beats ---------------------------------------------------------------------------------------------------
  // after the last row zeros up to the end of the beat
  assign padding = ends_q && fill_q != '0;
  assign gear_valid = (valid_q[Made] && !norm_i) || padding;
  assign rest = TakeBits'(OutGrains) - fill_q;
  always_comb begin
    give = GiveBits'(width_i);
    if (padding) give = rest > TakeBits'(FieldBits) ? GiveBits'(FieldBits) : GiveBits'(rest);
  end
  always_comb begin
    group_sec = '0;
    for (int unsigned k = 0; k < Widths; k++) begin
      if (width_i == Width[k] && !padding) begin
        for (int unsigned i = 0; i < Words; i++) group_sec |= GroupBits'(field_sec_q[i]) << (i * 32'(Width[k]));
      end
    end
  end

  rs_field_gear #(
      .InBits   (GroupBits),
      .OutBits  (PieceBits),
      .GrainBits(Words),
      .Takes    ({1'b1, {PieceGrains{1'b0}}})
  ) u_gear (
      .clk_i,
      .rst_ni,
      .clear_i   (stop),
      .give_i    (give),
      .take_i    ($clog2(PieceGrains + 1)'(PieceGrains)),
      .valid_i   (gear_valid),
      .ready_o   (gear_ready),
      .data_sec_i(group_sec),
      .valid_o   (piece_valid),
      .ready_i   (piece_ready),
      .data_sec_o(piece_sec)
  );

  // ---- pieces, the first one lowest, in a beat -------------------------------------------------------------------------------------------
  assign beat_valid  = 32'(pieces_q) == Pieces;
  assign piece_ready = !beat_valid || ready_i;
  rs_checked #(
      .Width  (CountBits),
      .Checked(Checked)
  ) u_pieces (
      .clk_i,
      .clear_i(!rst_ni || (stop && !keep_i)),
      .en_i   (piece_ready),
      .data_i ((beat_valid ? '0 : pieces_q) + CountBits'(piece_valid)),
      .data_o (pieces_q),
      .error_o(piece_error)
  );
  always_ff @(posedge clk_i) begin
    if (stop && !keep_i) beat_sec_q <= '0;
    else if (piece_valid && piece_ready) beat_sec_q <= BusBits'({piece_sec, beat_sec_q} >> PieceBits);
  end

  assign filled = fill_q + TakeBits'(give);
  logic run, ends, done, over, row_error, over_error, fill_error;
  logic [Depth-1:0] valid, last;
  always_comb begin
    {run, ends, done, valid, last} = {run_q, ends_q, done_q, valid_q, last_q};
    if (stop) begin
      run = start_i && !clear_i;
      {ends, done, valid, last} = '0;
    end else begin
      if (valid_i && ready_o && last_i) run = 1'b0;
      if (step) begin
        valid = {valid_q[Depth-2:0], valid_i && ready_o};
        last  = {last_q[Depth-2:0], valid_i && ready_o && last_i};
        if (norm_i ? last_q[Depth-1] : last_q[Made]) ends = 1'b1;
      end
      if (ends_q && fill_q == '0 && !piece_valid && pieces_q == '0) done = 1'b1;
    end
  end
  assign over = norm_i ? valid_q[upper?5 : 3] && far_sec != '0 : step && valid_q[3] && over_sec != '0;
  rs_checked #(
      .Width  (3 + 2 * Depth),
      .Checked(Checked)
  ) u_rows (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (1'b1),
      .data_i ({run, ends, done, valid, last}),
      .data_o ({run_q, ends_q, done_q, valid_q, last_q}),
      .error_o(row_error)
  );
  rs_checked #(
      .Checked(Checked)
  ) u_over (
      .clk_i,
      .clear_i(!rst_ni || start_i),
      .en_i   (over),
      .data_i (1'b1),
      .data_o (over_q),
      .error_o(over_error)
  );
  rs_checked #(
      .Width  (TakeBits),
      .Checked(Checked)
  ) u_fill (
      .clk_i,
      .clear_i(!rst_ni || stop),
      .en_i   (gear_valid && gear_ready),
      .data_i (filled >= TakeBits'(OutGrains) ? filled - TakeBits'(OutGrains) : filled),
      .data_o (fill_q),
      .error_o(fill_error)
  );
  assign error_o = row_error || over_error || piece_error || fill_error;

  assign valid_o = beat_valid;
  assign beat_sec_o = beat_sec_q;
  assign over_o = over_q;
  assign done_o = done_q;
endmodule
