// SPDX-License-Identifier: Apache-2.0
// rs_pipe_tokens: tokens of coefficients for rs_stream_unit: small numbers from three slots, words of two groups, residues of a message, which
//          comes from memory or, with Encode, as fixed-point words of the first group.
// Model:   docs/core.md, "Order of coefficients"; README.md, "Unit"; lib/src/ckks/encode_fixed.c rs_lift_fixed
// Params:  W; LogNMax; P 2, 4, 8; ChunkWords V: values in a row of a slot, at least P; Encode
// Bounds:  log_n_i, direct_i, worded_i and shift_i are stable while tokens are under way; q_i < 2^W, odd, is that of the limb a cycle ago.
//          Slots answer one cycle after a request, groups two cycles
// Timing:  a token per cycle, valid_o three cycles after its request, with words seven; nothing depends on words. wipe_i for Depth cycles
//          leaves zeros
//
// Token t, lane i is coefficient i N/P + t, which is at position P brv(t) + brv(i): P positions side by side.
module rs_pipe_tokens #(
    parameter  int unsigned W          = 64,
    parameter  int unsigned LogNMax    = 16,
    parameter  int unsigned P          = 2,
    parameter  int unsigned ChunkWords = 8,
    parameter  bit          Encode     = 1'b0,
    localparam int unsigned LogV       = $clog2(ChunkWords),
    localparam int unsigned RowBits    = LogNMax - LogV
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic wipe_i,
    input logic [4:0] log_n_i,
    // a limb
    input logic limb_valid_i,  // its tokens may come
    output logic limb_last_o,  // with the last of them: in the next cycle limb_valid_i is the next one's
    input logic direct_i,  // without special prime: v is zero
    input logic worded_i,  // with Encode and direct_i: the message is the first group's words times 2^shift
    input logic signed [7:0] shift_i,
    input logic [W-1:0] q_i,
    output logic busy_o,  // words are on their way from slots and groups
    output logic value_sec_o,  // pulse: a word of the message is not below q
    // message: lane i has the coefficients from i N/P on
    input logic [P-1:0] message_valid_i,
    output logic message_pop_o,
    input logic [P-1:0][63:0] message_sec_i,
    // slots
    output logic slot_req_o,
    output logic [RowBits-1:0] slot_row_o,
    input logic [2:0][ChunkWords-1:0][5:0] slot_data_sec_i,
    // groups
    output logic chunk_req_o,
    output logic [LogNMax-1:0] chunk_pos_o,
    input logic [1:0][P-1:0][W-1:0] chunk_data_sec_i,
    // tokens
    output logic valid_o,
    input logic ready_i,
    output logic signed [2:0][P-1:0][5:0] small_sec_o,
    output logic [2:0][P-1:0][W-1:0] words_sec_o
);
  localparam int unsigned LogLanes = $clog2(P);
  localparam int unsigned WordLatency = 4;  // rs_fixed_word
  localparam int unsigned Late = Encode ? 2 + WordLatency : 2;  // cycles from a request to the queue, at most
  localparam int unsigned Depth = Encode ? 12 : 8;  // tokens that have been asked for and not been taken
  localparam int unsigned PlaceBits = $clog2(Depth);
  localparam int unsigned CountBits = LogNMax - LogLanes;
  localparam int unsigned TokenBits = 3 * P * (6 + W);

  if (ChunkWords < P) begin : gen_illegal
    $fatal(1, "%m: ChunkWords %0d is below P %0d", ChunkWords, P);
  end

  function automatic int unsigned reversed(input int unsigned lane);
    int unsigned r;
    r = 0;
    for (int unsigned b = 0; b < LogLanes; b++) r |= ((lane >> b) & 1) << (LogLanes - 1 - b);
    return r;
  endfunction

  // ---- which token: brv(t) ------------------------------------------------------------------------------------------------
  logic issue, room_q, last;
  logic worded;
  assign worded = Encode && worded_i;
  logic [CountBits-1:0] ones_q, place_q, place_next;
  assign issue = limb_valid_i && room_q && (worded || message_valid_i == '1);
  assign last = place_q == ones_q;  // all digits are ones
  assign limb_last_o = issue && last;
  assign message_pop_o = issue && !worded;
  assign slot_req_o = issue;
  assign slot_row_o = RowBits'(place_q >> (LogV - LogLanes));
  assign chunk_req_o = issue && (!direct_i || worded);
  assign chunk_pos_o = LogNMax'(place_q) << LogLanes;

  rs_next_reversed #(
      .Width(CountBits)
  ) u_next (
      .ones_i (ones_q),
      .value_i(place_q),
      .next_o (place_next)
  );

  always_ff @(posedge clk_i) begin
    ones_q <= ~(~CountBits'(0) << (log_n_i - 5'(LogLanes)));
    if (!rst_ni || clear_i) place_q <= '0;
    else if (issue) place_q <= place_next;  // 0 after the last one
  end

  // ---- a cycle later slots are there, after two the residues and the groups ---------------------------------------------------
  logic [Late:1] way_q;
  logic enters;  // a token enters the queue
  logic direct_q, direct_late_q;
  logic [P-1:0][63:0] message_q;
  logic [P-1:0][W-1:0] residue_q;
  logic [P-1:0] over;
  logic [2:0][P-1:0][5:0] picked, small_q;
  logic over_q;
  logic [P-1:0][W-1:0] word;
  logic [2:0][P-1:0][5:0] small_late;
  logic word_over;

  if (ChunkWords == P) begin : gen_whole_row
    for (genvar s = 0; s < 3; s++) begin : gen_slots
      for (genvar i = 0; i < P; i++) begin : gen_lanes
        assign picked[s][i] = slot_data_sec_i[s][reversed(i)];
      end
    end
  end else begin : gen_part_of_row
    logic [LogV-LogLanes-1:0] part_q;
    always_ff @(posedge clk_i) part_q <= place_q[LogV-LogLanes-1:0];
    for (genvar s = 0; s < 3; s++) begin : gen_slots
      for (genvar i = 0; i < P; i++) begin : gen_lanes
        assign picked[s][i] = slot_data_sec_i[s][{part_q, LogLanes'(reversed(i))}];
      end
    end
  end

  // |m| < q: m + q - 1 is not negative if m is, m - q is if m is not. q is odd, so that q - 1 is q without its lowest bit
  for (genvar i = 0; i < P; i++) begin : gen_message
    logic negative;
    logic [64:0] even, moved;
    assign negative = message_q[i][63];
    assign even = 65'({q_i[W-1:1], 1'b0});
    assign moved = {negative, message_q[i]} + (negative ? even : ~even);
    assign over[i] = moved[64] == negative;
    always_ff @(posedge clk_i) begin
      message_q[i] <= message_pop_o ? message_sec_i[i] : '0;
      residue_q[i] <= message_q[i][W-1:0] + (negative ? q_i : '0);
    end
    logic unused;
    assign unused = ^moved[63:0];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) way_q <= '0;
    else way_q <= {way_q[Late-1:1], issue};
    direct_q      <= direct_i;
    direct_late_q <= direct_q;
    small_q       <= way_q[1] ? picked : '0;
    over_q        <= way_q[1] && over != '0;
  end
  assign busy_o = way_q != '0;
  assign value_sec_o = over_q || word_over;
  assign enters = worded ? way_q[Late] : way_q[2];

  // ---- words of the first group: residues four cycles after they have come. Limbs follow each other without a gap, so q goes along with the
  // tokens. It is needed where a magnitude has been shifted: in the last of these cycles ----
  if (Encode) begin : gen_words
    logic first_q, moves, unused_load;
    logic [W-1:0] q;
    logic [P-1:0] over_sec;
    assign moves = wipe_i || way_q[Late:2] != '0;
    always_ff @(posedge clk_i) first_q <= issue && place_q == '0;

    rs_tap #(
        .Width (W),
        .Cycles(WordLatency)
    ) u_modulus (
        .clk_i,
        .load_i(first_q),
        .data_i(q_i),
        .load_o(unused_load),
        .data_o(q)
    );
    for (genvar i = 0; i < P; i++) begin : gen_lanes
      rs_fixed_word #(
          .W(W)
      ) u_word (
          .clk_i,
          .en_i      (moves),
          .q_i       (q),
          .centre_i  (1'b0),
          .whole_i   (1'b0),
          .shift_i,
          .word_sec_i(chunk_data_sec_i[0][reversed(i)] & {W{worded && way_q[2]}}),
          .word_sec_o(word[i]),
          .over_sec_o(over_sec[i])
      );
    end
    rs_delay #(
        .Width (3 * P * 6),
        .Cycles(WordLatency)
    ) u_small (
        .clk_i,
        .data_i(small_q & {3 * P * 6{worded}}),
        .data_o(small_late)
    );
    assign word_over = worded && way_q[Late] && over_sec != '0;
  end else begin : gen_no_words
    logic unused_words;
    assign unused_words = ^{worded_i, shift_i};
    assign {word, small_late, word_over} = '0;
  end

  // ---- the queue ------------------------------------------------------------------------------------------------------------
  logic [2:0][P-1:0][W-1:0] words;
  logic [TokenBits-1:0] token, head;
  logic [PlaceBits-1:0] write_q, read_q;
  logic [PlaceBits:0] total_q, total_d, there_q, there_d;
  logic valid_q, take;

  function automatic logic [PlaceBits-1:0] after(input logic [PlaceBits-1:0] place);
    return Depth != 1 << PlaceBits && place == PlaceBits'(Depth - 1) ? '0 : place + 1'b1;
  endfunction

  always_comb begin
    words[0] = worded ? word : residue_q;
    for (int unsigned i = 0; i < P; i++) begin
      words[1][i] = direct_late_q ? '0 : chunk_data_sec_i[0][reversed(i)];
      words[2][i] = direct_late_q ? '0 : chunk_data_sec_i[1][reversed(i)];
    end
  end
  assign token = wipe_i ? '0 : {worded ? small_late : small_q, words};
  assign take = valid_q && ready_i;
  assign total_d = total_q + (PlaceBits + 1)'(issue) - (PlaceBits + 1)'(take);
  assign there_d = there_q + (PlaceBits + 1)'(enters) - (PlaceBits + 1)'(take);
  assign valid_o = valid_q;
  assign {small_sec_o, words_sec_o} = head;

  rs_ram_1r1w #(
      .Width(TokenBits),
      .Depth(Depth)
  ) u_queue (
      .clk_i,
      .we_i   (enters || wipe_i),
      .waddr_i(write_q),
      .wdata_i(token),
      .raddr_i(read_q),
      .rdata_o(head)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      write_q <= '0;
      read_q  <= '0;
      total_q <= '0;
      there_q <= '0;
      room_q  <= 1'b1;
      valid_q <= 1'b0;
    end else begin
      if (enters || wipe_i) write_q <= after(write_q);
      if (wipe_i) read_q <= after(write_q);
      else if (take) read_q <= after(read_q);
      total_q <= total_d;
      there_q <= there_d;
      room_q  <= total_d != (PlaceBits + 1)'(Depth);
      valid_q <= there_d != '0;
    end
  end

endmodule
