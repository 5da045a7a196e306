// SPDX-License-Identifier: Apache-2.0
// rs_seed_fields: polynomials of a seed, one after the other: numbers behind the seed, SHAKE, rs_parse_uniform or rs_sample_small.
// Model:   FIPS 203, algorithms 13 (SampleNTT, PRF); FIPS 204, algorithms 32 to 34 (ExpandA, ExpandS, ExpandMask)
// Params:  RoundsPerCycle, BeatLanes (rs_sponge); Candidates, Words, Psi16, CoefBits (rs_parse_uniform, rs_sample_small)
// Bounds:  with hash_i the sponge is its user's, as rs_sponge says of it: held, from before hash_start_i until clear_i, and no start_i meanwhile;
//          all that describes the polynomials is held from start_i to done_o. Polynomial k is that of seed || number_i + k step_i, the low
//          number_bytes_i bytes of it, low byte first. count_i, coefs_i positive
// Timing:  a polynomial after the other without a gap: while the last block of one is read, the permutation of the next one runs. It counts on
//          the usual number of blocks (rs_field_pkg); a polynomial that needs more is made anew (again_o). So the time depends on the streams
//          as that of the parts does: of public kinds on the stream, of nibbles on what is rejected, else on nothing

module rs_seed_fields #(
    parameter  int unsigned RoundsPerCycle = 1,
    parameter  int unsigned BeatLanes      = 1,
    parameter  int unsigned Candidates     = 4,
    parameter  int unsigned Words          = 4,
    parameter  bit          Psi16          = 1'b1,
    parameter  int unsigned CoefBits       = 11,
    localparam int unsigned DataBits       = rs_field_pkg::ParseBits,
    localparam int unsigned BeatBytes      = 8 * BeatLanes,
    localparam int unsigned ByteBits       = $clog2(BeatBytes + 1)
) (
    input  logic                                               clk_i,
    input  logic                                               rst_ni,
    input  logic                                               clear_i,          // wipes and stops
    input  logic                                               start_i,
    input  logic                                               is_private_i,
    input  logic               [            2:0]               kind_i,           // rs_field_pkg::small_e or parse_e
    input  logic               [          511:0]               seed_sec_i,
    input  logic                                               long_seed_i,      // 64 bytes of it, else 32
    input  logic               [            1:0]               number_bytes_i,   // 0 to 2
    input  logic               [           15:0]               number_i,
    input  logic               [           15:0]               step_i,
    input  logic               [            4:0]               count_i,          // polynomials, at most 16
    input  logic               [   CoefBits-1:0]               coefs_i,
    output logic                                               valid_o,          // a row, for one cycle: nothing holds it up
    output logic               [            3:0]               poly_o,           // the number of polynomial k
    output logic               [      Words-1:0][DataBits-1:0] data_sec_o,       // residues, or small coefficients with their signs
    output logic                                               again_o,          // this polynomial begins again
    output logic                                               done_o,           // two cycles after the last row
    // the sponge alone, for a message: rs_sponge
    input  logic                                               hash_i,
    input  logic                                               hash_start_i,
    input  rs_hash_pkg::rate_e                                 hash_rate_i,
    input  logic                                               hash_sha3_i,
    input  logic                                               hash_valid_i,
    output logic                                               hash_ready_o,
    input  logic               [8*BeatBytes-1:0]               hash_data_sec_i,
    input  logic                                               hash_last_i,
    input  logic               [   ByteBits-1:0]               hash_bytes_i,
    output logic                                               hash_valid_o,
    input  logic                                               hash_ready_i,
    output logic               [8*BeatBytes-1:0]               hash_data_sec_o,
    output logic                                               hash_half_o
);
  import rs_field_pkg::*;

  localparam int unsigned SeedLanes = 9;
  // from the last beat to the row that it completes: all that a gear holds, at least 4 bits a coefficient, and the registers behind it
  localparam int unsigned Flight = (64 * BeatLanes + 32 * Words) / (4 * Words) + 8;
  localparam int unsigned WaitBits = $clog2(Flight + 1);

  typedef enum logic [1:0] {
    Idle,
    Run,
    Drain  // what is left of the blocks is dropped
  } state_e;

  state_e state_q;
  logic begin_q, redo_q, ended_q, more, done_q;  // redo_q: blocks without an end
  logic [3:0] poly_q;  // that is made
  logic [4:0] asked_q;  // whose seed is due
  logic [15:0] number_q, asked_number_q;
  logic [WaitBits-1:0] wait_q;
  logic sponge_start, sample_start, sample_done, row_valid;
  logic parse_ready, small_ready, parse_valid, small_valid, parse_done, small_done;
  logic beat_valid, beat_ready, half, last, taken, pop;
  logic [BeatLanes-1:0][63:0] beat_sec;
  logic [Words-1:0][ParseBits-1:0] parsed;
  logic signed [Words-1:0][SmallBits-1:0] sampled_sec;
  parse_e parse_kind;
  small_e small_kind;
  rs_hash_pkg::rate_e rate;
  logic next, short, over, ends;

  assign parse_kind = parse_e'(kind_i);
  assign small_kind = small_e'(kind_i);
  assign rate = is_private_i || parse_kind == PARSE_16_BIG ? rs_hash_pkg::RATE_136 : rs_hash_pkg::RATE_168;

  // ---- seed, number, suffix ----------------------------------------------------------------------------------------------------------
  logic [8*SeedLanes-1:0][7:0] message_sec;
  logic [3:0][7:0] tail;

  always_comb begin
    unique case (number_bytes_i)
      2'd0: tail = {24'd0, 8'h1f};
      2'd1: tail = {16'd0, 8'h1f, asked_number_q[7:0]};
      default: tail = {8'd0, 8'h1f, asked_number_q};
    endcase
    message_sec = '0;
    message_sec[63:0] = seed_sec_i;
    if (long_seed_i) message_sec[67:64] = tail;
    else message_sec[63:32] = 256'(tail);
  end

  // ---- control -----------------------------------------------------------------------------------------------------------------------
  assign more  = 5'(poly_q) + 5'd1 != count_i;
  assign next  = !redo_q && asked_q != count_i;
  assign pop   = beat_valid && beat_ready;
  // all beats went and the polynomial is not whole
  assign short = state_q == Run && ended_q && wait_q == '0 && !sample_done;
  assign over  = sample_done && !more;

  always_comb begin
    unique case (state_q)
      Run:     beat_ready = !ended_q && (is_private_i ? small_ready : parse_ready);
      Drain:   beat_ready = 1'b1;
      default: beat_ready = 1'b0;
    endcase
  end

  // a seed at the beginning, for a polynomial anew, and after that
  assign sponge_start = begin_q;
  assign ends         = pop && last;
  assign sample_start = begin_q || (state_q == Drain && ends) || (state_q == Run && sample_done && more && (ended_q || ends));

  always_ff @(posedge clk_i) begin
    begin_q <= rst_ni && !clear_i && (start_i || short || (state_q == Run && sample_done && redo_q && more));
    done_q  <= rst_ni && !clear_i && !start_i && state_q == Run && over;
    if (!rst_ni || clear_i) begin
      state_q <= Idle;
    end else if (start_i) begin
      state_q <= Idle;
    end else if (begin_q) begin
      state_q <= Run;
    end else if (state_q == Run && short) begin
      state_q <= Idle;
    end else if (state_q == Run && sample_done) begin
      if (!more || redo_q) state_q <= Idle;
      else if (!ended_q && !ends) state_q <= Drain;
    end else if (state_q == Drain && ends) begin
      state_q <= Run;
    end

    if (start_i) begin
      poly_q         <= '0;
      number_q       <= number_i;
      asked_q        <= '0;
      asked_number_q <= number_i;
      redo_q         <= 1'b0;
    end else begin
      if (taken) begin
        asked_q        <= asked_q + 5'd1;
        asked_number_q <= asked_number_q + step_i;
      end
      if (state_q == Run && sample_done && more) begin
        poly_q   <= poly_q + 4'd1;
        number_q <= number_q + step_i;
        redo_q   <= 1'b0;
        if (redo_q) begin
          asked_q        <= 5'(poly_q) + 5'd1;
          asked_number_q <= number_q + step_i;
        end
      end
      if (short) begin
        asked_number_q <= number_q;
        redo_q         <= 1'b1;
      end
    end

    if (sample_start || start_i) ended_q <= 1'b0;
    else if (state_q == Run && ends) ended_q <= 1'b1;
    if (!ended_q) wait_q <= WaitBits'(Flight);
    else if (wait_q != '0) wait_q <= wait_q - 1'b1;
  end

  // ---- parts ---------------------------------------------------------------------------------------------------------------------------
  rs_sponge #(
      .RoundsPerCycle(RoundsPerCycle),
      .BeatLanes     (BeatLanes),
      .SeedLanes     (SeedLanes)
  ) u_sponge (
      .clk_i,
      .rst_ni,
      .clear_i     (clear_i || done_q),
      .start_i     (sponge_start || hash_start_i),
      .rate_i      (hash_i ? hash_rate_i : rate),
      .sha3_i      (hash_i && hash_sha3_i),
      .valid_i     (hash_i && hash_valid_i),
      .ready_o     (hash_ready_o),
      .data_sec_i  (hash_data_sec_i),
      .last_i      (hash_last_i),
      .bytes_i     (hash_bytes_i),
      .valid_o     (beat_valid),
      .ready_i     (hash_i ? hash_ready_i : beat_ready),
      .data_sec_o  (beat_sec),
      .half_o      (half),
      .drop_i      (state_q == Drain),
      .last_o      (last),
      .seed_i      (!hash_i),
      .next_i      (next),
      .blocks_i    (is_private_i ? small_blocks(small_kind) : parse_blocks(parse_kind)),
      .seed_sec_i  (message_sec),
      .seed_taken_o(taken)
  );

  rs_parse_uniform #(
      .BeatLanes (BeatLanes),
      .Candidates(Candidates),
      .Words     (Words),
      .CoefBits  (CoefBits)
  ) u_parse (
      .clk_i,
      .rst_ni,
      .clear_i(clear_i),
      .start_i(sample_start && !is_private_i),
      .kind_i(parse_kind),
      .coefs_i,
      .valid_i(beat_valid && state_q == Run && !ended_q && !is_private_i),
      .ready_o(parse_ready),
      .half_i(half),
      .data_i(is_private_i ? '0 : beat_sec),  // nothing private in here
      .valid_o(parse_valid),
      .data_o(parsed),
      .done_o(parse_done)
  );

  rs_sample_small #(
      .BeatLanes(BeatLanes),
      .Words    (Words),
      .Psi16    (Psi16),
      .CoefBits (CoefBits)
  ) u_small (
      .clk_i,
      .rst_ni,
      .clear_i   (clear_i),
      .start_i   (sample_start && is_private_i),
      .kind_i    (small_kind),
      .coefs_i,
      .valid_i   (beat_valid && state_q == Run && !ended_q && is_private_i),
      .ready_o   (small_ready),
      .half_i    (half),
      .data_sec_i(beat_sec),
      .valid_o   (small_valid),
      .data_sec_o(sampled_sec),
      .done_o    (small_done)
  );

  assign sample_done = is_private_i ? small_done : parse_done;
  assign row_valid   = is_private_i ? small_valid : parse_valid;
  for (genvar i = 0; i < Words; i++) begin : gen_word
    assign data_sec_o[i] = is_private_i ? DataBits'($signed(sampled_sec[i])) : parsed[i];
  end
  assign hash_valid_o    = beat_valid && hash_i;
  assign hash_data_sec_o = beat_sec;
  assign hash_half_o     = half;
  assign valid_o         = row_valid;
  assign poly_o          = poly_q;
  assign again_o         = short;
  assign done_o          = done_q;
endmodule
