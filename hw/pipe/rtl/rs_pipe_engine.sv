// SPDX-License-Identifier: Apache-2.0
// rs_pipe_engine: the unit PIPE without its transfers: instructions, what memory has to bring and to take, and rs_stream_unit.
// Model:   lib/src/ckks/encrypt.c (bit-exact); README.md, "Frames"
// Params:  W, WordBits; LogNMin, LogNMax; P: StreamLanes; ChunkWords: values in a row of a slot; AddrBits; Contexts; LinesBits:
//          of a job's lines; Encode: PIPEM is there
// Bounds:  addr_i a multiple of 64; log_n_i is the same from the first PIPE to the DRAIN behind it; start_i only if no instruction is under
//          way, and no wipe_i. What memory brings may come at any time, in the order of the jobs of its stream
// Timing:  N / P cycles per limb without pauses if memory and instructions keep up. done_o of PIPE when its last token has left slots and
//          groups. When things happen depends on no word, but that faults of what is public end an instruction at once
//
//   key image --> rs_pipe_keys ----------------------------> rs_stream_unit --> rs_pipe_pack --> lines
//   message   --> rs_pipe_words --> rs_pipe_tokens ---------->     ^
//   slots, groups ------------------------^                        |        PIPEM: no message, but the first group's words
//   pk        --> rs_pipe_words -----------------------------------+
module rs_pipe_engine #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned WordBits   = rs_pkg::WlmWordBits,
    parameter  int unsigned LogNMin    = 10,
    parameter  int unsigned LogNMax    = 12,
    parameter  int unsigned P          = 2,
    parameter  int unsigned ChunkWords = 8,
    parameter  int unsigned AddrBits   = 64,
    parameter  int unsigned Contexts   = 4,
    parameter  int unsigned LinesBits  = 10,
    parameter  bit          Encode     = 1'b0,
    localparam int unsigned Reads      = P + 3,                        // message 0 .. P - 1, pk_0, pk_1, key image
    localparam int unsigned SlotBits   = LogNMax - $clog2(ChunkWords)
) (
    input logic clk_i,
    input logic rst_ni,
    // unit
    input logic start_i,
    input logic [63:0] instr_i,
    input logic clear_i,  // stops and forgets; no done_o follows
    input logic [AddrBits-1:0] addr_i,  // PIPEKEY: of the key image; PIPE, PIPED: of the message; PIPEM: likewise, were it there
    input logic [4:0] log_n_i,
    output logic done_o,
    output logic [3:0] fault_o,  // with done_o
    output logic idle_o,  // nothing is under way; between PIPE and DRAIN something is
    output logic active_o,  // a token goes in or out
    input logic wipe_i,  // for twelve cycles or more: zeros everywhere; the unit is idle
    output logic wiping_o,
    // slots: three side by side
    output logic slot_req_o,
    output logic [SlotBits-1:0] slot_row_o,
    output logic [3:0] slot_first_o,
    input logic [2:0][ChunkWords-1:0][5:0] slot_data_sec_i,
    // groups
    output logic chunk_req_o,
    output logic [LogNMax-1:0] chunk_pos_o,
    input logic [1:0][P-1:0][W-1:0] chunk_data_sec_i,
    // reads
    output logic [Reads-1:0] read_valid_o,
    input logic [Reads-1:0] read_ready_i,
    output logic [Reads-1:0][AddrBits-1:0] read_addr_o,
    output logic [Reads-1:0][LinesBits-1:0] read_lines_o,
    input logic [Reads-1:0] in_valid_i,
    output logic [Reads-1:0] in_ready_o,
    input logic [Reads-1:0][511:0] in_line_i,
    input logic read_error_i,
    input logic read_idle_i,
    // writes: c_0, c_1
    output logic [1:0] write_valid_o,
    input logic [1:0] write_ready_i,
    output logic [1:0][AddrBits-1:0] write_addr_o,
    output logic [1:0][LinesBits-1:0] write_lines_o,
    output logic [1:0] out_valid_o,
    input logic [1:0] out_ready_i,
    output logic [1:0][511:0] out_line_o,
    input logic write_error_i,
    input logic write_idle_i
);
  import rs_isa_pkg::*;

  localparam int unsigned LogLanes = $clog2(P);
  localparam int unsigned PlaceBits = $clog2(Contexts);
  localparam int unsigned CountBits = LogNMax - LogLanes;
  localparam int unsigned LimbBits = 12;
  localparam int unsigned ReadKey = P;  // pk_0, pk_1
  localparam int unsigned ReadImage = P + 2;

  typedef logic [PlaceBits:0] turn_t;  // a turn of limbs: a place of the ring, and whether the ring has turned

  if (LogNMin < rs_stream_pkg::LogNMin) begin : gen_illegal
    $fatal(1, "%m: LogNMin %0d is below %0d", LogNMin, rs_stream_pkg::LogNMin);
  end

  // ---- sizes of a polynomial
  logic [AddrBits-1:0] poly_bytes_q, part_bytes_q;
  logic [LinesBits-1:0] poly_lines_q, part_lines_q;  // a part is what a lane has of a message
  logic [CountBits-1:0] last_token_q;
  always_ff @(posedge clk_i) begin
    poly_bytes_q <= AddrBits'(8) << log_n_i;
    part_bytes_q <= AddrBits'(8 / P) << log_n_i;
    poly_lines_q <= LinesBits'(32'd1 << (log_n_i - 5'd3));
    part_lines_q <= LinesBits'(32'd1 << (log_n_i - 5'(3 + LogLanes)));
    last_token_q <= ~(~CountBits'(0) << (log_n_i - 5'(LogLanes)));
  end

  // ---- instructions ----------------------------------------------------------------------------------------------------------
  logic [5:0] op;
  logic starts_key, starts_pipe, starts_drain;
  logic key_q, pipe_q, drain_q;  // under way
  logic first_q;  // the first cycle of a PIPE
  logic open_q;  // there was a PIPE since the last DRAIN
  logic direct_q, worded_q;
  logic signed [7:0] shift_q;
  logic done, stop;
  logic [3:0] bad_q;
  logic value_q;
  logic [3:0] slot_q;
  logic [LimbBits-1:0] last_limb_q;
  logic [AddrBits-1:0] base_q, message_q;
  logic restart_q, begin_q, drained, entered;
  logic stream_wiping, wipe_begins;

  assign op = instr_i[OpLsb+:6];
  assign starts_key = start_i && op == OP_PIPEKEY;
  assign starts_pipe = start_i && (op == OP_PIPE || op == OP_PIPED || (Encode && op == OP_PIPEM));
  assign starts_drain = start_i && op == OP_DRAIN;
  assign stop = bad_q != FAULT_NONE;
  assign done = key_q || (pipe_q && !first_q && (entered || stop)) || (drain_q && (drained || stop));
  assign slot_first_o = slot_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      key_q     <= 1'b0;
      pipe_q    <= 1'b0;
      drain_q   <= 1'b0;
      first_q   <= 1'b0;
      open_q    <= 1'b0;
      begin_q   <= 1'b0;
      restart_q <= 1'b0;
      done_o    <= 1'b0;
    end else begin
      key_q     <= starts_key;
      pipe_q    <= starts_pipe || (pipe_q && !done);
      drain_q   <= starts_drain || (drain_q && !done);
      first_q   <= starts_pipe;
      open_q    <= starts_pipe || (open_q && !(drain_q && drained));
      // the streaming part begins anew, behind a wipe
      begin_q   <= (starts_pipe && !open_q) || (begin_q && stream_wiping);
      // another order of limbs than what has been loaded ahead
      restart_q <= (starts_pipe && (!open_q || instr_i[LastLimbLsb+:LimbBits] != last_limb_q)) || (starts_key && addr_i != base_q);
      done_o    <= done;
    end
    fault_o <= stop ? bad_q : pipe_q && value_q ? FAULT_VALUE : FAULT_NONE;
    if (!rst_ni) base_q <= '0;
    else if (starts_key) base_q <= addr_i;
    if (starts_pipe) begin
      direct_q    <= op != OP_PIPE;
      worded_q    <= Encode && op == OP_PIPEM;
      shift_q     <= instr_i[WordsShiftLsb+:WordsShiftBits];
      slot_q      <= instr_i[DstLsb+:4];
      last_limb_q <= instr_i[LastLimbLsb+:LimbBits];
      message_q   <= addr_i;
    end
  end

  // ---- contexts of the next limbs ------------------------------------------------------------------------------------------------
  logic keys_valid, keys_busy, keys_bad, announce;
  logic [PlaceBits-1:0] keys_place;
  logic [ AddrBits-1:0] keys_addr;
  logic load_start, load_valid, load_ready, load_done;
  logic [PlaceBits-1:0] load_ctx;
  logic [7:0][W-1:0] load_words;
  logic [Contexts-1:0] busy;
  logic [Contexts-1:0][W-1:0] q, factor, constant;

  rs_pipe_keys #(
      .W        (W),
      .WordBits (WordBits),
      .LogNMax  (LogNMax),
      .Contexts (Contexts),
      .AddrBits (AddrBits),
      .LinesBits(LinesBits)
  ) u_keys (
      .clk_i,
      .rst_ni,
      .clear_i,
      .log_n_i,
      .run_i       (open_q && !begin_q && !drain_q && !stop),
      .restart_i   (restart_q),
      .base_i      (base_q),
      .limbs_i     (last_limb_q),
      .busy_o      (keys_busy),
      .bad_o       (keys_bad),
      .valid_o     (keys_valid),
      .take_i      (announce),
      .place_o     (keys_place),
      .words_addr_o(keys_addr),
      .job_valid_o (read_valid_o[ReadImage]),
      .job_ready_i (read_ready_i[ReadImage]),
      .job_addr_o  (read_addr_o[ReadImage]),
      .job_lines_o (read_lines_o[ReadImage]),
      .line_valid_i(in_valid_i[ReadImage]),
      .line_ready_o(in_ready_o[ReadImage]),
      .line_i      (in_line_i[ReadImage]),
      .load_start_o(load_start),
      .load_ctx_o  (load_ctx),
      .load_valid_o(load_valid),
      .load_ready_i(load_ready),
      .load_o      (load_words),
      .load_done_i (load_done),
      .busy_i      (busy),
      .q_o         (q),
      .factor_o    (factor),
      .constant_o  (constant)
  );

  // ---- limbs: announced as soon as their context is there ----------------------------------------------------------------------
  turn_t limb_q, in_q, read_q, write_q, out_q;  // announced; entered; asked for: pk, places of results; left
  logic [Contexts-1:0][AddrBits-1:0] key_addr_q;
  logic [Contexts-1:0][1:0][AddrBits-1:0] out_addr_q;
  logic more_q;  // limbs of the PIPE are to be announced
  logic [LimbBits-1:0] left_q;  // behind the next one
  logic [1:0][AddrBits-1:0] result_q;  // the result's addresses of the next limb
  logic limb_ready, limb_offer, limb_last, out_last;
  logic read_sent, write_sent;

  assign limb_offer = keys_valid && more_q && !stop && limb_q - read_q != turn_t'(Contexts) &&
      limb_q - write_q != turn_t'(Contexts);
  assign announce = limb_offer && limb_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      limb_q  <= '0;
      in_q    <= '0;
      read_q  <= '0;
      write_q <= '0;
      out_q   <= '0;
      more_q  <= 1'b0;
    end else if (begin_q) begin
      limb_q  <= turn_t'(keys_place);
      in_q    <= turn_t'(keys_place);
      read_q  <= turn_t'(keys_place);
      write_q <= turn_t'(keys_place);
      out_q   <= turn_t'(keys_place);
      more_q  <= 1'b1;
    end else begin
      limb_q  <= limb_q + turn_t'(announce);
      in_q    <= in_q + turn_t'(limb_last);
      read_q  <= read_q + turn_t'(read_sent);
      write_q <= write_q + turn_t'(write_sent);
      out_q   <= out_q + turn_t'(out_last);
      more_q  <= first_q || (more_q && !(announce && left_q == '0));
    end
    if (first_q) begin
      left_q      <= last_limb_q;
      result_q[0] <= message_q + poly_bytes_q;
      result_q[1] <= message_q + poly_bytes_q + ((AddrBits'(last_limb_q) + 1'b1) << (log_n_i + 5'd3));
    end else if (announce) begin
      left_q <= left_q - 1'b1;
      for (int unsigned j = 0; j < 2; j++) result_q[j] <= result_q[j] + poly_bytes_q;
    end
    if (announce) begin
      key_addr_q[keys_place] <= keys_addr;
      out_addr_q[keys_place] <= result_q;
    end
  end

  // ---- jobs: pk and places of results of announced limbs, and the message of each limb of the PIPE -----------------------------------
  logic [1:0] read_done_q, write_done_q;  // jobs of the next limb that have been taken
  logic [P-1:0] message_done_q;
  logic message_more_q, message_sent;
  logic [LimbBits-1:0] message_left_q;
  logic [AddrBits-1:0] key_addr;
  logic [1:0][AddrBits-1:0] out_addr;

  assign key_addr = key_addr_q[read_q[PlaceBits-1:0]];
  assign out_addr = out_addr_q[write_q[PlaceBits-1:0]];

  for (genvar j = 0; j < 2; j++) begin : gen_jobs
    assign read_valid_o[ReadKey+j] = read_q != limb_q && !read_done_q[j] && !stop;
    assign read_addr_o[ReadKey+j]  = j == 0 ? key_addr : key_addr + poly_bytes_q;
    assign read_lines_o[ReadKey+j] = poly_lines_q;
    assign write_valid_o[j]        = write_q != limb_q && !write_done_q[j] && !stop;
    assign write_addr_o[j]         = out_addr[j];
    assign write_lines_o[j]        = poly_lines_q;
  end
  for (genvar i = 0; i < P; i++) begin : gen_message_jobs
    assign read_valid_o[i] = message_more_q && !message_done_q[i] && !stop;
    assign read_addr_o[i]  = message_q + AddrBits'(i) * part_bytes_q;
    assign read_lines_o[i] = part_lines_q;
  end
  assign read_sent = read_q != limb_q && !stop && (read_done_q | read_ready_i[ReadKey+:2]) == '1;
  assign write_sent = write_q != limb_q && !stop && (write_done_q | write_ready_i) == '1;
  assign message_sent = message_more_q && !stop && (message_done_q | read_ready_i[P-1:0]) == '1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      read_done_q    <= '0;
      write_done_q   <= '0;
      message_done_q <= '0;
      message_more_q <= 1'b0;
    end else begin
      read_done_q <= read_sent ? '0 : read_done_q | (read_valid_o[ReadKey+:2] & read_ready_i[ReadKey+:2]);
      write_done_q <= write_sent ? '0 : write_done_q | (write_valid_o & write_ready_i);
      message_done_q <= message_sent ? '0 : message_done_q | (read_valid_o[P-1:0] & read_ready_i[P-1:0]);
      message_more_q <= (first_q && !worded_q) || (message_more_q && !(message_sent && message_left_q == '0));
    end
    if (first_q) message_left_q <= last_limb_q;
    else if (message_sent) message_left_q <= message_left_q - 1'b1;
  end

  // ---- tokens in ----------------------------------------------------------------------------------------------------------------
  logic [P-1:0] message_valid;
  logic [P-1:0][63:0] message_sec;
  logic message_pop, tokens_busy, value_sec, token_valid, token_ready;
  logic [W-1:0] in_modulus_q;
  logic signed [2:0][P-1:0][5:0] small_sec;
  logic [2:0][P-1:0][W-1:0] words_sec;

  for (genvar i = 0; i < P; i++) begin : gen_message
    rs_pipe_words #(
        .Words(1)
    ) u_words (
        .clk_i,
        .rst_ni,
        .clear_i,
        .line_valid_i(in_valid_i[i]),
        .line_ready_o(in_ready_o[i]),
        .line_i      (in_line_i[i]),
        .valid_o     (message_valid[i]),
        .pop_i       (message_pop),
        .words_o     (message_sec[i])
    );
  end

  always_ff @(posedge clk_i) in_modulus_q <= q[in_q[PlaceBits-1:0]];

  rs_pipe_tokens #(
      .W         (W),
      .LogNMax   (LogNMax),
      .P         (P),
      .ChunkWords(ChunkWords),
      .Encode    (Encode)
  ) u_tokens (
      .clk_i,
      .rst_ni,
      .clear_i,
      .wipe_i,
      .log_n_i,
      .limb_valid_i   (in_q != limb_q && !stop),
      .limb_last_o    (limb_last),
      .direct_i       (direct_q),
      .worded_i       (worded_q),
      .shift_i        (shift_q),
      .q_i            (in_modulus_q),
      .busy_o         (tokens_busy),
      .value_sec_o    (value_sec),
      .message_valid_i(message_valid),
      .message_pop_o  (message_pop),
      .message_sec_i  (message_sec),
      .slot_req_o,
      .slot_row_o,
      .slot_data_sec_i,
      .chunk_req_o,
      .chunk_pos_o,
      .chunk_data_sec_i,
      .valid_o        (token_valid),
      .ready_i        (token_ready),
      .small_sec_o    (small_sec),
      .words_sec_o    (words_sec)
  );
  assign entered = !more_q && in_q == limb_q && !tokens_busy;

  // ---- factors: each below its modulus ------------------------------------------------------------------------------------------
  logic [1:0] key_valid;
  logic [1:0][P-1:0][63:0] key;
  logic [1:0][P-1:0][W-1:0] key_words;
  logic factor_ready, factor_pop, checks_q, above;
  logic [CountBits-1:0] out_count_q;
  logic [1:0][P-1:0][63:0] checked_q;
  logic [W-1:0] out_modulus_q;

  assign factor_pop = factor_ready && key_valid == '1;
  assign out_last   = factor_pop && out_count_q == last_token_q;

  for (genvar j = 0; j < 2; j++) begin : gen_key
    rs_pipe_words #(
        .Words(P)
    ) u_words (
        .clk_i,
        .rst_ni,
        .clear_i,
        .line_valid_i(in_valid_i[ReadKey+j]),
        .line_ready_o(in_ready_o[ReadKey+j]),
        .line_i      (in_line_i[ReadKey+j]),
        .valid_o     (key_valid[j]),
        .pop_i       (factor_pop),
        .words_o     (key[j])
    );
    for (genvar i = 0; i < P; i++) begin : gen_lanes
      assign key_words[j][i] = key[j][i][W-1:0];
    end
  end

  always_comb begin
    above = 1'b0;
    for (int unsigned j = 0; j < 2; j++) begin
      for (int unsigned i = 0; i < P; i++) if (checked_q[j][i] >= 64'(out_modulus_q)) above = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || begin_q) out_count_q <= '0;
    else if (factor_pop) out_count_q <= out_last ? '0 : out_count_q + 1'b1;
    checks_q      <= rst_ni && !clear_i && factor_pop;
    checked_q     <= key;
    out_modulus_q <= q[out_q[PlaceBits-1:0]];
  end

  // ---- the streaming unit --------------------------------------------------------------------------------------------------------
  logic stream_idle, stream_late, result_valid, result_ready;
  logic [2:0][P-1:0][W-1:0] result;

  rs_stream_unit #(
      .W         (W),
      .WordBits  (WordBits),
      .P         (P),
      .LogNMax   (LogNMax),
      .Contexts  (Contexts),
      .ChunkWords(8)
  ) u_stream (
      .clk_i,
      .rst_ni,
      .start_i       (begin_q && !stream_wiping),
      .wipe_i        (wipe_begins),
      .wiping_o      (stream_wiping),
      .log_n_i,
      .seeded_i      (1'b0),
      .load_start_i  (load_start),
      .load_ctx_i    (load_ctx),
      .load_valid_i  (load_valid),
      .load_ready_o  (load_ready),
      .load_i        (load_words),
      .load_done_o   (load_done),
      .q_i           (q),
      .factor_i      (factor),
      .constant_i    (constant),
      .limb_valid_i  (limb_offer),
      .limb_ready_o  (limb_ready),
      .limb_ctx_i    (keys_place),
      .busy_o        (busy),
      .flush_i       (drain_q),
      .idle_o        (stream_idle),
      .late_o        (stream_late),
      .in_valid_i    (token_valid),
      .in_ready_o    (token_ready),
      .small_sec_i   (small_sec),
      .words_sec_i   (words_sec),
      .factor_valid_i(key_valid == '1),
      .factor_ready_o(factor_ready),
      .factors_sec_i ({{2 * P * W{1'b0}}, key_words}),
      .out_valid_o   (result_valid),
      .out_ready_i   (result_ready),
      .words_o       (result)
  );

  // What is left in rs_stream_unit after clear_i goes nowhere.
  // ---- results -------------------------------------------------------------------------------------------------------------------
  logic [1:0] pack_ready, pack_busy;
  assign result_ready = pack_ready == '1;

  for (genvar j = 0; j < 2; j++) begin : gen_pack
    rs_pipe_pack #(
        .W    (W),
        .Words(P)
    ) u_pack (
        .clk_i,
        .rst_ni,
        .clear_i     (!open_q),
        .valid_i     (result_valid && result_ready),
        .ready_o     (pack_ready[j]),
        .words_i     (result[1+j]),
        .line_valid_o(out_valid_o[j]),
        .line_ready_i(out_ready_i[j]),
        .line_o      (out_line_o[j]),
        .busy_o      (pack_busy[j])
    );
  end

  // ---- ends ------------------------------------------------------------------------------------------------------------------------
  logic rest;
  logic [1:0] rest_q;  // in the cycles before, too: what one part gives the next is in neither for a cycle
  assign rest = stream_idle && !token_valid && entered && write_q == limb_q && pack_busy == '0 && !keys_busy && !checks_q &&
      read_idle_i && write_idle_i;
  assign drained = !open_q || (rest && rest_q == '1);
  assign idle_o = !key_q && !pipe_q && !drain_q && !open_q && read_idle_i && write_idle_i;
  assign active_o = slot_req_o || (result_valid && result_ready);

  always_ff @(posedge clk_i) begin
    rest_q <= drain_q && rest ? {rest_q[0], 1'b1} : '0;
    if (!rst_ni || clear_i || (drain_q && drained)) begin
      value_q <= 1'b0;
    end else begin
      value_q <= value_q || value_sec;
    end
    // that the core's memory answered an error comes with the words, and these are wrong then
    if (!rst_ni || clear_i) bad_q <= FAULT_NONE;
    else if (!stop) begin
      if (read_error_i) bad_q <= FAULT_BUS_READ;
      else if (write_error_i) bad_q <= FAULT_BUS_WRITE;
      else if (keys_bad) bad_q <= FAULT_CONTEXT;
      else if (checks_q && above) bad_q <= FAULT_RESIDUE;
    end
  end

  // ---- wipe --------------------------------------------------------------------------------------------------------------------
  logic wipe_q;
  always_ff @(posedge clk_i) wipe_q <= wipe_i;
  assign wipe_begins = wipe_i && !wipe_q;
  assign wiping_o = wipe_i || stream_wiping;

  logic unused;
  assign unused = ^{result[0], stream_late, instr_i};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start_i) begin
      assert (!key_q && !pipe_q && !drain_q && !wipe_i)
      else $error("%m: started too early");
      assert (starts_key || starts_pipe || starts_drain)
      else $error("%m: no instruction of this unit");
    end
  end
`endif

endmodule
