// SPDX-License-Identifier: Apache-2.0
// rs_store_slots: words of fixed point in a group, in the order of slots -> numbers, in beats of memory.
// Model:   lib/tests/model_core.c store_slots, but what does not fit is 0 and the rest is written; docs/core.md, "Fixed point"
// Params:  W, LogNMin, LogNMax, Lanes, BusBits, V: words of a chunk
// Bounds:  numbers_i: count <= N/2, format <= 5, stable from start_i on, log_n_i from two cycles before it; chunk_data_i comes two
//          cycles after chunk_req_o, whatever happens
// Timing:  a number per cycle, the first one's beat 13 cycles after start_i if it fills one. Zeros follow the last number, as many beats as are taken
//
// What was asked for cannot be held up, so no more is asked for than there is room for in a queue; all behind the queue waits for memory.

module rs_store_slots #(
    parameter int unsigned W       = 32,
    parameter int unsigned LogNMin = 10,
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Lanes   = 4,
    parameter int unsigned BusBits = 128,
    parameter int unsigned V       = 4
) (
    input logic clk_i,
    input logic rst_ni,
    input logic start_i,
    input logic clear_i,  // zeros instead of what is not yet a beat; 12 cycles of it leave nothing else in here
    input rs_dma_pkg::numbers_t numbers_i,
    input logic [4:0] log_n_i,
    output logic chunk_req_o,
    output logic [LogNMax-1:0] chunk_pos_o,
    input logic [V-1:0][W-1:0] chunk_data_i,
    output logic beat_valid_o,  // stays, with beat_o, until beat_ready_i
    input logic beat_ready_i,
    output logic [BusBits-1:0] beat_o,
    output logic over_o  // since start_i there was a number that the format does not hold
);
  localparam int unsigned Depth = 4;  // from a request to the room of its word being free again: 4 cycles
  localparam int unsigned Stages = 5;  // stages of rs_slot_number
  localparam int unsigned ByteBits = $clog2(BusBits / 8);
  localparam int unsigned LowBits = V > 1 ? $clog2(V) : 1;

  typedef struct packed {
    logic valid;
    logic last;
  } step_t;

  // ---- words that are asked for --------------------------------------------------------------------------------------------------
  logic more_q, im_q, odd_q;  // there is one, it is an imaginary part, its slot is an odd one
  logic [15:0] left_q;  // slots after it
  logic [ 2:0] room_q;  // not promised
  logic slot_end, last, pop;
  logic [LogNMax-1:0] pos, at;
  // slots that were asked for a cycle ago, and two
  step_t [1:0] asked_q;
  logic [1:0] negate_q;
  logic [1:0][LowBits-1:0] low_q;

  assign chunk_req_o = more_q && room_q != '0;
  assign slot_end = chunk_req_o && (im_q || !numbers_i.pairs);
  assign last = slot_end && left_q == '0;
  assign at = pos | (LogNMax'(im_q) << rs_dma_pkg::im_bit(Lanes));
  assign chunk_pos_o = at & ~LogNMax'(V - 1);

  rs_slot_walk #(
      .LogNMin(LogNMin),
      .LogNMax(LogNMax),
      .Lanes  (Lanes)
  ) u_walk (
      .clk_i,
      .log_n_i,
      .start_i,
      .next_i(slot_end),
      .pos_o (pos),
      .last_o()
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      more_q  <= 1'b0;
      asked_q <= '0;
      room_q  <= 3'(Depth);
    end else begin
      if (start_i) more_q <= 1'b1;
      else if (last) more_q <= 1'b0;
      asked_q <= {asked_q[0], step_t'{valid: chunk_req_o, last: last}};
      room_q  <= room_q - 3'(chunk_req_o) + 3'(pop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      im_q   <= 1'b0;
      odd_q  <= 1'b0;
      left_q <= numbers_i.last;
    end else if (chunk_req_o) begin
      im_q <= numbers_i.pairs && !im_q;
      if (slot_end) begin
        odd_q  <= !odd_q;
        left_q <= left_q - 1'b1;
      end
    end
    negate_q <= {negate_q[0], im_q && odd_q};
    low_q    <= {low_q[0], LowBits'(at & LogNMax'(V - 1))};
  end

  // ---- the queue -----------------------------------------------------------------------------------------------------------------
  logic [2:0] fill_q;
  logic [1:0] head_q, tail_q;
  logic [W-1:0] word;
  logic word_last, word_negate, room;

  rs_ram_1r1w #(
      .Width(W + 2),
      .Depth(Depth)
  ) u_queue (
      .clk_i,
      .we_i   (asked_q[1].valid || clear_i),
      .waddr_i(tail_q),
      .wdata_i(clear_i ? '0 : {asked_q[1].last, negate_q[1], chunk_data_i[low_q[1]]}),
      .raddr_i(head_q),
      .rdata_o({word_last, word_negate, word})
  );

  assign pop = fill_q != '0 && room;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q <= '0;
      head_q <= '0;
      tail_q <= '0;
    end else if (clear_i) begin  // each place in turn
      fill_q <= '0;
      head_q <= tail_q + 1'b1;
      tail_q <= tail_q + 1'b1;
    end else begin
      fill_q <= fill_q + 3'(asked_q[1].valid) - 3'(pop);
      if (asked_q[1].valid) tail_q <= tail_q + 1'b1;
      if (pop) head_q <= head_q + 1'b1;
    end
  end

  // ---- words to numbers ------------------------------------------------------------------------------------------------------------
  logic is_signed, over;
  logic [63:0] beyond, number;
  step_t [Stages-1:0] steps_q;
  step_t now;

  // bits of magnitudes: all of the format but a sign
  assign is_signed = numbers_i.format != 3'd1 && numbers_i.format != 3'd3;
  assign beyond = (is_signed ? {1'b1, 63'd0} : '0) | (~64'd0 << ((7'd8 << rs_dma_pkg::log_bytes(
      numbers_i.format
  )) - 7'(is_signed)));

  rs_slot_number #(
      .In (W),
      .Out(64)
  ) u_number (
      .clk_i,
      .en_i        (room || clear_i),  // zeros wash out what is there, also behind a beat that nobody takes
      .shift_i     (numbers_i.shift),
      .beyond_i    (beyond),
      .signed_i    (is_signed),
      .lowest_i    (is_signed),
      .double_i    (1'b0),
      .number_sec_i(word),
      .negate_i    (word_negate),
      .number_sec_o(number),
      .over_sec_o  (over)
  );

  assign now = steps_q[Stages-1];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) steps_q <= '0;
    else if (room) steps_q <= {steps_q[Stages-2:0], step_t'{valid: pop, last: word_last}};
  end

  // ---- numbers to beats ------------------------------------------------------------------------------------------------------------
  logic valid_q, rest_q, over_q;  // rest: zeros follow the last number
  logic [ByteBits-1:0] at_q, size;  // the place of the next number; bytes of a number, less one
  logic [BusBits/8-1:0][7:0] beat_q;
  logic [7:0][7:0] copies;  // the number, as often as 64 bits hold it

  assign room = !valid_q || beat_ready_i;
  assign size = ByteBits'(rs_dma_pkg::last_byte(numbers_i.format));

  always_comb begin
    case (rs_dma_pkg::log_bytes(
        numbers_i.format
    ))
      2'd0: copies = {8{number[7:0]}};
      2'd1: copies = {4{number[15:0]}};
      2'd2: copies = {2{number[31:0]}};
      default: copies = number;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      valid_q <= 1'b0;
      rest_q  <= 1'b0;
      over_q  <= 1'b0;
    end else begin
      if (room) valid_q <= !clear_i && (rest_q || (now.valid && (now.last || (at_q | size) == '1)));
      if (room && now.valid && now.last) rest_q <= 1'b1;
      if (clear_i) rest_q <= 1'b0;
      if (room && now.valid && over) over_q <= 1'b1;
    end
    if (start_i) at_q <= '0;
    else if (room && now.valid) at_q <= at_q + size + 1'b1;
  end

  // the first number of a beat clears the rest of it
  always_ff @(posedge clk_i) begin
    if (room && (clear_i || rest_q)) beat_q <= '0;
    else if (room && now.valid) begin
      for (int unsigned i = 0; i < BusBits / 8; i++) begin
        if ((ByteBits'(i) & ~size) == at_q) beat_q[i] <= copies[i%8];
        else if (at_q == '0) beat_q[i] <= '0;
      end
    end
  end

  assign beat_valid_o = valid_q;
  assign beat_o = beat_q;
  assign over_o = over_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !clear_i) begin
      assert (!asked_q[1].valid || fill_q != 3'(Depth))
      else $error("%m: no room for a word");
    end
  end

`ifndef FORMAL
  localparam int unsigned Clears = 12;
  logic [3:0] cleared_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !clear_i) cleared_q <= '0;
    else if (32'(cleared_q) != Clears) cleared_q <= cleared_q + 1'b1;
    if (rst_ni && clear_i && 32'(cleared_q) == Clears) begin
      assert (number == '0 && (valid_q || beat_q == '0))
      else $error("%m: something stays");
      for (int unsigned i = 0; i < Depth; i++)
      assert (u_queue.mem_q[i] == '0)
      else $error("%m: a word stays");
    end
  end
`endif
`endif
endmodule
