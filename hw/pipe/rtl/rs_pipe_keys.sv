// SPDX-License-Identifier: Apache-2.0
// rs_pipe_keys: a ring of contexts for rs_stream_unit: constants and tables of the limbs of a key image, loaded ahead of their use.
// Model:   README.md, "Key image"; docs/core.md, "Context in memory"
// Params:  W, WordBits; LogNMax; Contexts: places of the ring; AddrBits
// Bounds:  log_n_i, base_i and limbs_i are stable while run_i, but for the cycles from a change of them until restart_i
// Timing:  one limb at a time, its lines as fast as rs_stream_table_load takes them. Nothing depends on words but bad_o
//
// Limbs come in the order 0, 1 .. limbs_i, 0, 1 .. : the next frame has the same key, as a rule. If not, restart_i drops what is ahead.
module rs_pipe_keys #(
    parameter  int unsigned W         = 64,
    parameter  int unsigned WordBits  = rs_pkg::WlmWordBits,
    parameter  int unsigned LogNMax   = 16,
    parameter  int unsigned Contexts  = 4,
    parameter  int unsigned AddrBits  = 64,
    parameter  int unsigned LinesBits = 14,
    localparam int unsigned CtxBits   = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  logic                        clear_i,
    input  logic [          4:0]        log_n_i,
    input  logic                        run_i,         // another limb may be asked for
    input  logic                        restart_i,     // from limb 0 of base_i on
    input  logic [ AddrBits-1:0]        base_i,
    input  logic [         11:0]        limbs_i,       // less one
    output logic                        busy_o,        // a limb is being loaded
    output logic                        bad_o,         // pulse: a modulus that the multipliers cannot use
    // the next limb
    output logic                        valid_o,
    input  logic                        take_i,
    output logic [  CtxBits-1:0]        place_o,
    output logic [ AddrBits-1:0]        words_addr_o,  // behind its tables: of pk_0
    // memory
    output logic                        job_valid_o,
    input  logic                        job_ready_i,
    output logic [ AddrBits-1:0]        job_addr_o,
    output logic [LinesBits-1:0]        job_lines_o,
    input  logic                        line_valid_i,
    output logic                        line_ready_o,
    input  logic [        511:0]        line_i,
    // tables: rs_stream_unit
    output logic                        load_start_o,
    output logic [  CtxBits-1:0]        load_ctx_o,
    output logic                        load_valid_o,
    input  logic                        load_ready_i,
    output logic [          7:0][W-1:0] load_o,
    input  logic                        load_done_i,
    input  logic [ Contexts-1:0]        busy_i,        // places in use
    // constants
    output logic [ Contexts-1:0][W-1:0] q_o,
    output logic [ Contexts-1:0][W-1:0] factor_o,
    output logic [ Contexts-1:0][W-1:0] constant_o
);
  localparam int unsigned LogLow = LogNMax / 2;
  localparam int unsigned AheadBits = $clog2(Contexts + 1);

  typedef enum logic [1:0] {
    IDLE,
    ASK,
    HEADER,
    TABLES
  } state_e;

  if (LogLow < 3 || (1 << CtxBits) != Contexts) begin : gen_illegal
    $fatal(1, "%m: LogNMax %0d is below 6, or Contexts %0d no power of two above 1", LogNMax, Contexts);
  end

  state_e state_q;
  logic restart_q, begins, ends, free;
  logic [CtxBits-1:0] put_q, take_q, load_q;  // places: the next one to load, the next one to use, the one that is being loaded
  logic [AheadBits-1:0] ahead_q;  // loaded, and not taken
  logic [11:0] limb_q;  // that is loaded, or is the next one
  logic [AddrBits-1:0] addr_q, image_bytes_q;
  logic [LinesBits-1:0] lines_q;
  logic [Contexts-1:0][AddrBits-1:0] words_addr_q;

  // ---- sizes: one line of constants, tables of 2^h + N / 2^h words, and two polynomials
  logic [LinesBits-1:0] high_lines;
  assign high_lines = LinesBits'(log_n_i >= 5'(LogLow + 3) ? 32'd1 << (log_n_i - 5'(LogLow + 3)) : 32'd1);
  always_ff @(posedge clk_i) begin
    lines_q <= LinesBits'(1 + (1 << (LogLow - 3))) + high_lines;
    image_bytes_q <= (AddrBits'(lines_q) << 6) + (AddrBits'(16) << log_n_i);
  end

  // ---- one limb after the other
  assign free = ahead_q != AheadBits'(Contexts) && !busy_i[put_q];
  assign begins = state_q == IDLE && run_i && !restart_i && !restart_q && free;
  assign ends = state_q == TABLES && load_done_i;
  assign busy_o = state_q != IDLE;
  assign valid_o = ahead_q != '0 && !restart_i && !restart_q;
  assign place_o = take_q;
  assign words_addr_o = words_addr_q[take_q];

  assign job_valid_o = state_q == ASK;
  assign job_addr_o = addr_q;
  assign job_lines_o = lines_q;
  assign line_ready_o = state_q == HEADER || (state_q == TABLES && load_ready_i);
  assign load_start_o = state_q == HEADER && line_valid_i;
  assign load_ctx_o = load_q;
  assign load_valid_o = state_q == TABLES && line_valid_i;
  always_comb begin
    for (int unsigned w = 0; w < 8; w++) load_o[w] = line_i[64*w+:W];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q   <= IDLE;
      restart_q <= 1'b0;
      put_q     <= '0;
      take_q    <= '0;
      ahead_q   <= '0;
    end else begin
      case (state_q)
        IDLE: if (begins) state_q <= ASK;
        ASK: if (job_ready_i) state_q <= HEADER;
        HEADER: if (line_valid_i) state_q <= TABLES;
        default: if (load_done_i) state_q <= IDLE;
      endcase
      // what is being loaded is loaded to its end, but counts no more
      restart_q <= (restart_i || restart_q) && state_q != IDLE && !ends;
      if (restart_i || restart_q) begin
        ahead_q <= '0;
        put_q   <= take_q;
      end else begin
        ahead_q <= ahead_q + AheadBits'(ends) - AheadBits'(take_i);
        put_q   <= put_q + CtxBits'(ends);
        take_q  <= take_q + CtxBits'(take_i);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == IDLE && (restart_i || restart_q)) begin
      limb_q <= '0;
      addr_q <= base_i;
    end else if (ends) begin
      limb_q <= restart_i || restart_q || limb_q == limbs_i ? '0 : limb_q + 1'b1;
      addr_q <= restart_i || restart_q || limb_q == limbs_i ? base_i : addr_q + image_bytes_q;
    end
    if (begins) begin
      load_q <= put_q;
      words_addr_q[put_q] <= addr_q + (AddrBits'(lines_q) << 6);
    end
  end

  // ---- constants
  logic [63:0] q;
  assign q = line_i[63:0];
  always_ff @(posedge clk_i) begin
    // even (0 as well), 1, too wide, or not 1 mod 2^WordBits
    bad_o <= rst_ni && !clear_i && load_start_o && (!q[0] || q[63:1] == '0 || 128'(q) >> W != '0 || q[WordBits-1:1] != '0);
    if (load_start_o) begin
      q_o[load_q]        <= q[W-1:0];
      factor_o[load_q]   <= line_i[384+:W];
      constant_o[load_q] <= line_i[448+:W];
    end
  end

  logic unused;
  assign unused = ^line_i;

endmodule
