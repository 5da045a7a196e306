// SPDX-License-Identifier: Apache-2.0
// rs_sponge_fold: SHA-3 and SHAKE of a message of any number of bytes, on the folded core (rs_keccak_fold).
// Model:   FIPS 202, sections 4, 5.1, 6 (bit-exact), as rs_sponge
// Params:  Slices: per cycle, 8, 16 or 32
// Bounds:  as in rs_sponge, with beats of 64 bits, which stay until they are taken
// Timing:  Steps = 64 / Slices. A beat of the message takes Steps cycles; a block that waits is absorbed every 25 Steps cycles, a block is squeezed
//          every 24 Steps, if its lanes are taken as they come, a lane per Steps cycles. Handshakes depend on lengths and on those of the other
//          side, never on bytes
//
//  beats -> suffix -> block_sec_q (Steps rows of 21 lanes) --xor--> rs_keccak_fold   absorb: a pass of Steps rows
//           lane by lane <- result_sec_q (Steps rows of 25) --^  <--        |        squeeze: the core goes on from what it holds

module rs_sponge_fold #(
    parameter  int unsigned Slices   = 32,
    localparam int unsigned Steps    = 64 / Slices,
    localparam int unsigned StepBits = $clog2(Steps)
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic                           clear_i,     // wipes and stops: Steps cycles from the next one on
    input  logic                           start_i,     // a message begins; what was under way is lost
    input  rs_hash_pkg::rate_e             rate_i,
    input  logic                           sha3_i,      // the suffix of SHA-3, else that of SHAKE
    // message
    input  logic                           valid_i,     // stays, with the beat unchanged, until ready_o
    output logic                           ready_o,
    input  logic               [ 7:0][7:0] data_sec_i,
    input  logic                           last_i,      // the message ends in this beat
    input  logic               [ 3:0]      bytes_i,     // with last_i: bytes of the message in it, 0 to 8
    // digest, without an end
    output logic                           valid_o,     // stays, with the beat unchanged, until ready_i
    input  logic                           ready_i,
    output logic               [63:0]      data_sec_o
);
  import rs_hash_pkg::*;

  localparam int unsigned Lanes = RateLanesMax;

  typedef enum logic [1:0] {
    Idle,
    Absorb,
    Squeeze
  } state_e;
  typedef logic [StepBits-1:0] step_t;
  typedef logic [24:0][Slices-1:0] row_t;

  state_e state_q;
  logic [4:0] rate, at_q;  // the next lane; the lanes of a block that is whole
  logic full_q, final_q, more_q, pad_q, first_q;  // as in rs_sponge
  step_t write_q;  // the step of the beat that is written
  logic writes, ends, beat_end;
  logic start, load, ready, loads, wipes, wiping, last, turn;
  step_t step;
  row_t row, plain, stored_sec;
  logic [7:0] suffix;
  logic [4:0] left_q, lane_q;  // lanes of the result that are to be read; the next one
  step_t read_q;
  logic read, room;

  assign rate   = rate_lanes(rate_i);
  assign suffix = sha3_i ? 8'h06 : 8'h1f;
  assign turn   = step == '1;
  assign wiping = loads && wipes;

  // ---- a beat to a lane of the rows, with the suffix behind the message ------------------------------------------------------------------
  logic [7:0][7:0] beat_sec;
  logic [Steps-1:0][Slices-1:0] parts_sec;

  assign ends     = pad_q || (last_i && bytes_i < 4'd8);
  // not while zeros are written
  assign writes   = !full_q && !wiping && (pad_q || (more_q && valid_i));
  assign beat_end = writes && write_q == '1;
  assign ready_o  = !full_q && !wiping && more_q && write_q == '1;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      if (pad_q) beat_sec[i] = i == 0 ? suffix : '0;
      else if (!last_i || i < 32'(bytes_i)) beat_sec[i] = data_sec_i[i];
      else beat_sec[i] = i == 32'(bytes_i) ? suffix : '0;
    end
  end
  assign parts_sec = beat_sec;

  // lanes that no beat brought are zero: at_q says which
  logic [Lanes-1:0][Slices-1:0] block_row_sec;
  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    (* ram_style = "distributed" *)
    logic [Slices-1:0] block_sec_q[Steps];
    logic write;

    assign write = writes && at_q == 5'(i);
    always_ff @(posedge clk_i) begin
      if (wiping || write) block_sec_q[wiping?step : write_q] <= wiping ? '0 : parts_sec[write_q];
    end
    assign block_row_sec[i] = 5'(i) < at_q ? block_sec_q[step] : '0;
  end

  // ---- the core ------------------------------------------------------------------------------------------------------------------------
  // a message's first block may cut short what is under way
  assign load  = state_q == Absorb && full_q && !loads && (first_q || ready);
  assign start = !clear_i && !start_i && (load || (state_q == Squeeze && last && turn && ready));

  always_comb begin
    row = '0;
    for (int unsigned i = 0; i < Lanes; i++) row[i] = block_row_sec[i];
    for (int unsigned i = 0; i < Lanes; i++) begin
      if (final_q && turn && rate == 5'(i + 1)) row[i][Slices-1] ^= 1'b1;
    end
    if (!first_q) row ^= stored_sec;
    if (wipes) row = '0;
  end

  rs_keccak_fold #(
      .Slices(Slices)
  ) u_keccak (
      .clk_i,
      .rst_ni,
      .clear_i,
      .start_i(start),
      .load_i (load),
      .row_i  (row),
      .hold_i (state_q == Squeeze && left_q != '0),
      .ready_o(ready),
      .load_o (loads),
      .wipe_o (wipes),
      .step_o (step),
      .last_o (last),
      .row_o  (),
      .theta_o(),
      .plain_o(plain)
  );

  // ---- the result, until the next one ------------------------------------------------------------------------------------------------------
  (* ram_style = "distributed" *)
  row_t result_sec_q[Steps];

  always_ff @(posedge clk_i) begin
    if (last || wiping) result_sec_q[step] <= plain;  // zeros in a wipe
  end
  assign stored_sec = result_sec_q[state_q==Squeeze&&!loads?read_q : step];

  // lane by lane, Slices bits at a time
  logic [Steps-1:0][Slices-1:0] word_sec_q;
  logic valid_q;
  assign room = !valid_q || ready_i;
  assign read = left_q != '0 && (room || read_q != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || start_i) begin
      state_q <= !rst_ni || clear_i ? Idle : Absorb;
      more_q  <= rst_ni && !clear_i;
      pad_q   <= 1'b0;
      full_q  <= 1'b0;
      final_q <= 1'b0;
      first_q <= 1'b1;
      at_q    <= '0;
      write_q <= '0;
      left_q  <= '0;
      read_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      if (writes) write_q <= write_q + 1'b1;
      if (beat_end) begin
        at_q <= at_q + 5'd1;
        if (ends || at_q + 5'd1 == rate) full_q <= 1'b1;
        if (ends) final_q <= 1'b1;
        if (pad_q) pad_q <= 1'b0;
        if (!pad_q && last_i) begin
          more_q <= 1'b0;
          pad_q  <= !ends;
        end
      end
      if (loads && !wipes && turn && state_q == Absorb && full_q) begin
        full_q  <= 1'b0;
        at_q    <= '0;
        first_q <= 1'b0;
        if (final_q) state_q <= Squeeze;
      end
      if (state_q == Squeeze && last && turn) begin
        left_q <= rate;
        lane_q <= '0;
      end else if (read && read_q == '1) begin
        left_q <= left_q - 5'd1;
        lane_q <= lane_q + 5'd1;
      end
      if (read) read_q <= read_q + 1'b1;
      valid_q <= (valid_q && !ready_i) || (read && read_q == '1);
    end
    if (clear_i) word_sec_q <= '0;
    else if (read) word_sec_q[read_q] <= stored_sec[lane_q];
  end

  assign valid_o    = valid_q;
  assign data_sec_o = word_sec_q;
endmodule
