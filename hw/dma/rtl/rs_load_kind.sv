// SPDX-License-Identifier: Apache-2.0
// rs_load_kind: what an instruction of LOAD is, and how many lines it reads.
// Model:   docs/core.md: instructions, formats in memory
// Params:  see rs_dma_load
// Bounds:  instr_i is held from start_i on, log_n_i and twiddle_words_i from the cycle before it. A context or what of it is alone
// Timing:  kind_o, roots_o and part_o with start_i, the others from the cycle after it on
module rs_load_kind #(
    parameter int unsigned W = 32,
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Reducers = 0,
    parameter bit Encode = 1'b0,
    parameter bit Sliced = 1'b0,
    localparam int unsigned LinesBits = LogNMax - 2
) (
    input logic clk_i,
    input logic start_i,
    input logic [63:0] instr_i,
    input logic [4:0] log_n_i,  // Sliced: of the instruction's polynomial, from the start on, as twiddle_words_i
    input logic [LogNMax:0] twiddle_words_i,  // words of a whole context
    output rs_load_pkg::kind_t kind_o,
    output logic bare_o,  // it brings constants alone
    output logic fills_o,  // it brings twiddles alone
    output logic wide_o,
    output logic [LogNMax-1:0] below_n_o,  // N - 1
    // lines less one: of N words, of numbers, and of a header and twiddles or one of them, whose last word, before the last chunk, is -1 for none
    output logic [LinesBits-1:0] poly_lines_o,
    output logic [LinesBits-1:0] slot_lines_o,
    output logic [LinesBits-1:0] twiddle_lines_o,
    output logic [LogNMax:0] last_words_o,
    // the last one that brought a part of a context
    output logic [1:0] context_o,  // from the cycle after its start
    output logic roots_o,
    output logic [1:0] part_o
);
  localparam int unsigned LogLine = W > 32 ? 3 : 4;  // words of a line, where they are as short as they can be

  rs_isa_pkg::instr_t instr;
  rs_isa_pkg::op_e op;
  rs_dma_pkg::numbers_t numbers;
  logic is_context, roots, bare, fills;
  logic roots_q, bare_q, fills_q, bare_d, fills_d, wide_q;
  logic [1:0] part_q, context_q;
  logic [LogNMax-1:0] below_n_q;
  logic [  LogNMax:0] last_words_q;
  logic [LinesBits-1:0] twiddle_lines_q, slot_lines_q;

  assign instr = rs_isa_pkg::instr_t'(instr_i);
  assign op = rs_isa_pkg::op_e'(instr.op);
  assign numbers = rs_dma_pkg::numbers_t'(instr_i[rs_isa_pkg::NumbersLsb+:28]);
  assign roots = Encode && op == rs_isa_pkg::OP_ROOTS;
  assign bare = op == rs_isa_pkg::OP_CONSTANTS;
  assign fills = Encode && op == rs_isa_pkg::OP_TWIDDLES;
  assign is_context = op == rs_isa_pkg::OP_CONTEXT || roots || bare || fills;
  assign kind_o = '{
          load: op == rs_isa_pkg::OP_LOAD,
          stream: op == rs_isa_pkg::OP_STREAM,
          is_context: is_context,
          headed: is_context && !fills,
          message: Reducers != 0 && op == rs_isa_pkg::OP_STREAM && instr_i[rs_isa_pkg::SignedLsb],
          slots: Encode && op == rs_isa_pkg::OP_LOADS,
          ntt: instr_i[rs_isa_pkg::NttLsb],
          secret: instr_i[rs_isa_pkg::SecretLsb],
          hidden: instr_i[rs_isa_pkg::SecretLsb] || (op == rs_isa_pkg::OP_LOAD && instr_i[rs_isa_pkg::ErrorLsb]),
          dst: instr.dst,
          ctx: instr.ctx[1:0]
      };
  assign {bare_o, fills_o} = {bare, fills};

  assign roots_o = Encode && (start_i && is_context ? roots : roots_q);
  assign part_o = !Encode ? '0 : start_i && is_context ? instr_i[rs_isa_pkg::PartLsb+:2] : part_q;
  assign bare_d = start_i && is_context ? bare : bare_q;
  assign fills_d = Encode && (start_i && is_context ? fills : fills_q);

  always_ff @(posedge clk_i) begin
    // twiddles are as short as they can be
    wide_q <= W > 32 || (instr_i[rs_isa_pkg::WideLsb] && !is_context);
    below_n_q <= ~({LogNMax{1'b1}} << log_n_i);
    slot_lines_q <= LinesBits'(rs_dma_pkg::number_lines(numbers.last, numbers.pairs, numbers.format));
    {roots_q, bare_q, fills_q, part_q} <= {roots_o, bare_d, fills_d, part_o};
    if (start_i && is_context) context_q <= instr.dst[1:0];
  end

  // sizes of twiddles: lines, with the header's, less one, and the last word. No adder is behind the instruction: with Encode an
  // image or a piece of it has a power of two of words
  if (Encode) begin : gen_pieces
    logic [LogNMax:0] words_q, below_words_q;
    logic [1:0] halved;  // a half or a quarter of all
    assign halved = part_o != '0 ? {part_o != 2'd1, part_o == 2'd1} : {1'b0, roots_o};
    if (Sliced) begin : gen_at_once
      assign words_q = twiddle_words_i;
      assign below_words_q = twiddle_words_i - 1'b1;
    end else begin : gen_early
      always_ff @(posedge clk_i) begin
        words_q       <= twiddle_words_i;
        below_words_q <= twiddle_words_i - 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      last_words_q    <= below_words_q >> halved;
      twiddle_lines_q <= bare_d ? '0 : LinesBits'((fills_d ? below_words_q : words_q) >> halved >> LogLine);
    end
  end else begin : gen_whole
    always_ff @(posedge clk_i) begin
      last_words_q <= twiddle_words_i - 1'b1;
      twiddle_lines_q <= bare_d ? '0 : LinesBits'(((LogNMax + 2)'(twiddle_words_i) + (LogNMax + 2)'(2 ** LogLine - 1)) >> LogLine);
    end
  end

  assign wide_o = wide_q;
  assign below_n_o = below_n_q;
  assign poly_lines_o = wide_q ? LinesBits'(below_n_q[LogNMax-1:3]) : LinesBits'(below_n_q[LogNMax-1:4]);
  assign slot_lines_o = slot_lines_q;
  assign twiddle_lines_o = twiddle_lines_q;
  assign last_words_o = last_words_q;
  assign context_o = context_q;

  logic unused_bits;
  assign unused_bits = ^{instr, numbers, below_n_q[2:0]};
endmodule
