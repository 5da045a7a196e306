// SPDX-License-Identifier: Apache-2.0
// rs_sample_ternary: exactly uniform ternary polynomial from a byte stream; bytes >= 243 are dropped.
// Model:   lib/include/ringside/golden/sample.h rs_sample_ternary (bit-exact)
// Params:  LanesOut: coefficients per beat; BytesIn: bytes per input beat, a divisor of 136; widths of the counts
// Bounds:  coefs_i is a positive multiple of LanesOut, blocks_i >= 1; coefficient i of a beat is data_sec_o[i] in {-1, 0, 1}
// Timing:  ceil(136 * blocks_i / BytesIn * max(1, 5 * BytesIn / LanesOut)) beats + FlushBeats, whatever is dropped (unless the budget
//          does not suffice, probability < 2^-128 for the library's)
//
// What is dropped must not change the time. So beats leave on a schedule that is fixed in advance, and those for which there are not
// enough coefficients yet, or no more wanted, are marked by keep_o = 0: the handshakes on both sides are a function of coefs_i, blocks_i
// and valid_i alone. The schedule reads BytesIn bytes as often as LanesOut coefficients per beat can carry away even if
// nothing is dropped, so that the buffer never overflows and never holds up the input.

module rs_sample_ternary #(
    parameter int unsigned LanesOut  = 8,
    parameter int unsigned BytesIn   = 2,
    parameter int unsigned CoefBits  = 18,
    parameter int unsigned BlockBits = 16
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             clear_i,     // wipes and stops
    input  logic                             start_i,
    input  logic        [ CoefBits-1:0]      coefs_i,     // read with start_i
    input  logic        [BlockBits-1:0]      blocks_i,    // read with start_i: blocks of 136 bytes that are always processed
    output logic        [BlockBits-1:0]      limit_o,     // blocks needed so far: blocks_i, and more if those do not suffice
    output logic                             done_o,      // the cycle after the last beat
    input  logic                             valid_i,
    output logic                             ready_o,
    input  logic        [  BytesIn-1:0][7:0] data_sec_i,
    output logic                             valid_o,
    output logic                             keep_o,      // the beat carries coefficients
    output logic signed [ LanesOut-1:0][1:0] data_sec_o
);
  localparam int unsigned BlockBytes = 136;
  localparam int unsigned Digits = 5 * BytesIn;  // at most, per input beat
  localparam bit Paced = Digits > LanesOut;
  // Digits in the buffer, those of the beat under way included. Let a beat find fewer than LanesOut there. In the s beats from it on, at
  // most Digits - 1 + s * LanesOut arrive (credit), and (s - 1) * LanesOut leave.
  localparam int unsigned Capacity = Digits + 2 * LanesOut - 2;
  localparam int unsigned FillBits = $clog2(Capacity + 1);
  localparam int unsigned CreditBits = $clog2(Digits + LanesOut);
  localparam int unsigned FlushBeats = Capacity / LanesOut + 1;
  localparam int unsigned FlushBits = $clog2(FlushBeats + 1);
  localparam int unsigned BlockBeats = BlockBytes / BytesIn;
  localparam int unsigned BeatBits = $clog2(BlockBeats);

  if (LanesOut == 0 || BytesIn == 0 || BytesIn >= BlockBytes || BlockBytes % BytesIn != 0) begin : gen_illegal
    $fatal(1, "%m: LanesOut must be positive, BytesIn a divisor of 136 below it");
  end

  typedef enum logic [1:0] {
    Idle,
    Read,   // bytes are read as the credit allows
    Flush,  // beats that empty the buffer
    Drain   // the last beat leaves
  } state_e;

  state_e state_q;
  logic [BlockBits-1:0] limit_q, blocks_q;  // blocks_q: blocks to be read
  logic [ BeatBits-1:0] beat_q;  // input beats read of the block under way
  logic [FlushBits-1:0] flush_q;
  logic [ CoefBits-1:0] left_q;  // coefficients not yet sent
  logic more_q, more_d;  // there are some
  logic [CreditBits-1:0] credit, credit_q;
  logic wants, slot, take, done_q;

  // ---- input: one beat waits, with the first half of its digits -----------------------------------------------------------------
  logic halves_valid_q;
  logic [BytesIn-1:0] accept, accept_q;
  logic [BytesIn-1:0][12:0] half_sec, half_sec_q;
  logic [BytesIn-1:0][9:0] digits;

  for (genvar i = 0; i < BytesIn; i++) begin : gen_byte
    rs_trits5 u_trits5 (
        .byte_sec_i  (data_sec_i[i]),
        .accept_o    (accept[i]),
        .half_sec_o  (half_sec[i]),
        .half_sec_i  (half_sec_q[i]),
        .digits_sec_o(digits[i])
    );
  end

  assign ready_o = !halves_valid_q || wants;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || start_i) halves_valid_q <= 1'b0;
    else if (ready_o) halves_valid_q <= valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      accept_q   <= '0;
      half_sec_q <= '0;
    end else if (valid_i && ready_o) begin
      accept_q   <= accept;
      half_sec_q <= half_sec;
    end
  end

  // ---- schedule: no data in here --------------------------------------------------------------------------------------------
  assign credit = credit_q + CreditBits'(LanesOut);
  assign wants  = state_q == Read && (!Paced || credit >= CreditBits'(Digits));
  assign take   = halves_valid_q && wants;
  assign slot   = (state_q == Read && (!wants || halves_valid_q)) || state_q == Flush;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= Idle;
      done_q  <= 1'b0;
      limit_q <= '0;
    end else if (start_i) begin
      state_q  <= Read;
      done_q   <= 1'b0;
      limit_q  <= blocks_i;
      blocks_q <= blocks_i;
      beat_q   <= '0;
      credit_q <= '0;
    end else begin
      done_q <= state_q == Drain;
      if (slot) begin
        if (!Paced || state_q != Read) credit_q <= '0;
        else credit_q <= wants ? credit - CreditBits'(Digits) : credit;
      end
      unique case (state_q)
        Read: begin
          if (take) begin
            beat_q <= beat_q + 1'b1;
            if (beat_q == BeatBits'(BlockBeats - 1)) begin
              beat_q   <= '0;
              blocks_q <= blocks_q - 1'b1;
              if (blocks_q == BlockBits'(1)) state_q <= Flush;
            end
          end
          flush_q <= FlushBits'(FlushBeats);
        end
        Flush: begin
          flush_q <= flush_q - 1'b1;
          if (flush_q == FlushBits'(1)) begin
            if (!more_d) begin
              state_q <= Drain;
            end else begin  // probability < 2^-128 with the library's budget
              state_q  <= Read;
              limit_q  <= limit_q + 1'b1;
              blocks_q <= BlockBits'(1);
            end
          end
        end
        Drain:   state_q <= Idle;
        default: ;
      endcase
    end
  end

  // ---- digits of the accepted bytes, side by side -------------------------------------------------------------------------
  logic [2*Digits-1:0] packed_sec, packed_sec_q;
  logic [FillBits-1:0] packed_count, packed_count_q;

  always_comb begin
    packed_sec   = '0;
    packed_count = '0;
    for (int i = int'(BytesIn) - 1; i >= 0; i--) begin
      if (accept_q[i]) begin
        packed_sec = (2 * Digits)'({packed_sec, digits[i]});
        packed_count += FillBits'(5);
      end
    end
  end

  // ---- buffer ---------------------------------------------------------------------------------------------------------------
  logic [2*Capacity-1:0] buffer_sec_q, merged_sec;
  logic [FillBits-1:0] fill_q, merged_count;
  logic emit, valid_q, keep_q;
  logic [LanesOut-1:0][1:0] values_sec, data_sec_q;

  assign merged_sec = buffer_sec_q | ((2 * Capacity)'(packed_sec_q) << {fill_q, 1'b0});
  assign merged_count = fill_q + packed_count_q;
  assign emit = merged_count >= FillBits'(LanesOut);
  assign more_d = more_q && !(emit && left_q == CoefBits'(LanesOut));

  for (genvar i = 0; i < LanesOut; i++) begin : gen_value
    assign values_sec[i] = merged_sec[2*i+:2] - 2'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || start_i) begin
      packed_count_q <= '0;
      fill_q <= '0;
      valid_q <= 1'b0;
      keep_q <= 1'b0;
      left_q <= coefs_i;
      more_q <= rst_ni && !clear_i;
    end else begin
      valid_q <= slot;
      if (slot) begin
        packed_count_q <= take ? packed_count : '0;
        fill_q <= emit ? merged_count - FillBits'(LanesOut) : merged_count;
        keep_q <= emit && more_q;
        if (emit && more_q) left_q <= left_q - CoefBits'(LanesOut);
        more_q <= more_d;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || start_i) begin
      packed_sec_q <= '0;
      buffer_sec_q <= '0;
      data_sec_q   <= '0;
    end else if (slot) begin
      packed_sec_q <= take ? packed_sec : '0;
      buffer_sec_q <= emit ? merged_sec >> (2 * LanesOut) : merged_sec;
      data_sec_q   <= values_sec;
    end
  end

  assign limit_o = limit_q;
  assign done_o = done_q;
  assign valid_o = valid_q;
  assign keep_o = keep_q;
  assign data_sec_o = data_sec_q;

`ifndef SYNTHESIS
  // What keeps the buffer from overflowing; inductive (formal/).
  logic [31:0] held;
  assign held = 32'(fill_q) + 32'(packed_count_q);
  always_ff @(posedge clk_i) begin
    if (rst_ni && state_q != Idle) begin
      assert (held + 32'(credit_q) <= Capacity);
      if (Paced)
        assert (32'(credit_q) < Digits);
        else assert (credit_q == '0);
      // the flush empties it
      if (state_q == Flush) begin
        assert (flush_q != '0);
        assert (held < LanesOut || held + FlushBeats * LanesOut <= Capacity + 32'(flush_q) * LanesOut);
      end
    end
  end
`endif
endmodule
