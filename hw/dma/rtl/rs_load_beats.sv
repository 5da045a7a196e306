// SPDX-License-Identifier: Apache-2.0
// rs_load_beats: the beats of LOAD's instructions, one behind the other: addresses out, and whose beats come.
// Model:   hw/dma/tb/test_rs_dma_load.py
// Params:  see rs_dma_load; Streams: V
// Bounds:  see rs_dma_load. The numbers of lines are those of instructions that are under way: there is one context at most
// Timing:  see rs_axi_read. Beats of an instruction follow those of the one before without a pause
module rs_load_beats #(
    parameter int unsigned BusBits = 128,
    parameter int unsigned Outstanding = 8,
    parameter int unsigned MaxBurstBytes = 1024,
    parameter int unsigned LinesBits = 11,
    parameter int unsigned Streams = 4,
    parameter bit Encode = 1'b0,
    parameter int unsigned BurstLines = 1,
    parameter bit Short = 1'b0,
    localparam int unsigned HeaderBeats = 512 / BusBits,
    localparam int unsigned Loads = rs_load_pkg::Loads
) (
    input logic clk_i,
    input logic rst_ni,
    input logic start_i,
    input logic clear_i,
    input logic [63:0] addr_i,
    input logic open_i,  // an instruction is under way, and not cleared
    input rs_load_pkg::turn_t new_i,  // the next one to start
    input rs_load_pkg::kind_t [Loads-1:0] kind_i,  // from the cycle after the start
    input logic [Loads-1:0] halves_i,  // likewise: half of the words, and words of 16 bits
    input logic [Loads-1:0] narrows_i,
    input logic wide_i,
    input logic [LinesBits-1:0] poly_lines_i,
    input logic [LinesBits-1:0] slot_lines_i,
    input logic [LinesBits-1:0] twiddle_lines_i,
    output logic room_o,  // none waits for the addresses of the one before
    output logic reading_o,
    output logic [Loads-1:0] coming_o,  // which have beats to come
    output logic [Loads-1:0] error_o,  // the instructions with a beat that was not OKAY
    output rs_load_pkg::turn_t last_o,  // the last one that has started
    output logic begun_o,  // in the cycle before
    output rs_load_pkg::turn_t turn_o,  // whose beats come
    output logic beat_valid_o,
    input logic beat_ready_i,  // not for a header
    output logic [BusBits-1:0] beat_o,
    output logic in_header_o,
    output logic [HeaderBeats-1:0] header_write_o,  // a beat or none: the right one comes last
    output logic header_valid_o,
    output rs_axi_pkg::read_req_t read_o,
    input rs_axi_pkg::read_rsp_t read_i,
    input logic [BusBits-1:0] rdata_i
);
  localparam int unsigned LineBeats = 512 / BusBits;
  localparam int unsigned LeftBits = LinesBits + $clog2(LineBeats);
  localparam logic [1:0] LogBurst = 2'($clog2(BurstLines));

  // whose addresses go out; the last one waits for the addresses of the one before
  rs_load_pkg::turn_t last_q, ask_turn_q, beat_turn_q, beats_of;
  logic [LinesBits-1:0] ask_lines, beat_lines;
  logic ask_context, ask_slots, ask_narrow, ask_half;  // kind of the instruction whose addresses go out
  logic begin_q;  // the cycle after start_i
  logic asks, asking, waits_q, beat_error;
  logic take_beat, in_header_q, header_valid_q;
  logic [HeaderBeats-1:0] header_beat_q;
  logic [Loads-1:0] coming_q, error_q;
  // there are beats to come, the next one is the last; those of an instruction begin, now or after the last one; of which
  logic beats_q, last_beat_q, last_beat, begin_first, begin_beats, begin_next;
  logic [LeftBits-1:0] left_q, count;  // beats after the next one

  function automatic logic [LinesBits-1:0] lines_of(input logic of_context, input logic slots);
    if (of_context) return twiddle_lines_i;
    return Encode && slots ? slot_lines_i : poly_lines_i;
  endfunction

  // log2 of the lines of a stream in a turn: what makes 16 BurstLines words
  function automatic logic [1:0] run_of(input logic narrow);
    if (Short && narrow) return LogBurst - 2'd1;
    return LogBurst + 2'(wide_i);
  endfunction

  assign asks = !asking && (start_i || waits_q);
  assign room_o = !waits_q;
  assign ask_context = kind_i[ask_turn_q].is_context;
  assign ask_slots = Encode && kind_i[ask_turn_q].slots;
  // words of 16 bits take a half or a quarter of the lines of whole ones, and half a polynomial takes half of them
  if (Short) begin : gen_short
    function automatic logic [LinesBits-1:0] shortened(input logic [LinesBits-1:0] lines, input logic fixed, input logic narrow,
                                                       input logic half);
      return fixed ? lines : lines >> (!narrow ? 2'd0 : wide_i ? 2'd2 : 2'd1) >> half;
    endfunction
    assign ask_narrow = narrows_i[ask_turn_q];
    assign ask_half = halves_i[ask_turn_q];
    assign ask_lines = shortened(lines_of(ask_context, ask_slots), ask_context || ask_slots, ask_narrow, ask_half);
    assign beat_lines = shortened(
        lines_of(
            kind_i[beats_of].is_context, kind_i[beats_of].slots
        ),
        kind_i[beats_of].is_context || (Encode && kind_i[beats_of].slots),
        narrows_i[beats_of],
        halves_i[beats_of]
    );
  end else begin : gen_long
    assign {ask_narrow, ask_half} = 2'b00;
    assign ask_lines = lines_of(kind_i[ask_turn_q].is_context, kind_i[ask_turn_q].slots);
    assign beat_lines = lines_of(kind_i[beats_of].is_context, kind_i[beats_of].slots);
  end

  rs_axi_read #(
      .BusBits      (BusBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits),
      .Streams      (Streams),
      .BurstLines   (BurstLines),
      .Halves       (Short)
  ) u_read (
      .clk_i,
      .rst_ni,
      .start_i     (asks),
      .clear_i,
      .addr_i,
      .lines_i     (ask_lines),
      .streams_i   (!ask_context && !ask_slots),
      .pairs_i     (wide_i),
      .run_i       (run_of(ask_narrow)),
      .half_i      (ask_half),
      .busy_o      (reading_o),
      .asking_o    (asking),
      .beat_valid_o,
      .beat_ready_i(in_header_q || beat_ready_i),
      .beat_o,
      .beat_error_o(beat_error),
      .read_o,
      .read_i,
      .rdata_i
  );
  assign take_beat = beat_valid_o && (in_header_q || beat_ready_i);

  // how many beats are left: after the last one come those of the next instruction, which may be there already
  assign last_beat = take_beat && last_beat_q;
  // take_beat comes late, from whom the beat is for: it only decides whether, not what
  assign begin_first = begin_q && !beats_q;
  assign begin_next = last_beat_q && coming_q[rs_load_pkg::after(beat_turn_q)];
  assign begin_beats = begin_first || (take_beat && begin_next);
  assign beats_of = begin_first ? beat_turn_q : rs_load_pkg::after(beat_turn_q);
  assign count = ~(~LeftBits'(beat_lines) << $clog2(LineBeats));

  always_ff @(posedge clk_i) begin
    if (begin_first || take_beat) begin
      left_q      <= begin_first || begin_next ? count : left_q - 1'b1;
      last_beat_q <= begin_first || begin_next ? count == '0 : left_q == LeftBits'(1);
    end
    if (!open_i) begin
      beat_turn_q   <= new_i;
      beats_q       <= 1'b0;
      in_header_q   <= 1'b0;
      header_beat_q <= '0;
    end else begin
      if (last_beat) beat_turn_q <= rs_load_pkg::after(beat_turn_q);
      beats_q <= begin_beats || (beats_q && !last_beat);
      if (begin_first || take_beat) begin
        in_header_q   <= begin_first || begin_next ? kind_i[beats_of].headed : in_header_q && !header_beat_q[HeaderBeats-1];
        header_beat_q <= begin_first || begin_next ? HeaderBeats'(kind_i[beats_of].headed) : header_beat_q << 1;
      end
    end
    header_valid_q <= rst_ni && take_beat && header_beat_q[HeaderBeats-1];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      coming_q <= '0;
      begin_q  <= 1'b0;
      waits_q  <= 1'b0;
    end else begin
      begin_q <= start_i;
      waits_q <= !clear_i && (start_i ? asking : waits_q && asking);
      if (!open_i) coming_q <= '0;  // what was dropped
      else if (last_beat) coming_q[beat_turn_q] <= 1'b0;
      if (start_i) coming_q[new_i] <= 1'b1;
    end
    if (take_beat && beat_error) error_q[beat_turn_q] <= 1'b1;
    if (asks) ask_turn_q <= waits_q ? last_q : new_i;
    if (start_i) begin
      last_q         <= new_i;
      error_q[new_i] <= 1'b0;
    end
  end

  assign {coming_o, error_o, last_o, begun_o, turn_o}  = {coming_q, error_q, last_q, begin_q, beat_turn_q};
  assign {in_header_o, header_write_o, header_valid_o} = {in_header_q, header_beat_q, header_valid_q};

  logic unused_short;
  assign unused_short = ^{halves_i, narrows_i};
endmodule
