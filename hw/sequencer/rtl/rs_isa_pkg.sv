// SPDX-License-Identifier: Apache-2.0
// rs_isa_pkg: the instruction set; docs/core.md explains it.
// Made from hw/sequencer/isa.toml by scripts/generate.py: do not edit.
package rs_isa_pkg;

  // nobody uses all of these
  // verilator lint_off UNUSEDPARAM
  parameter int unsigned Units = 7;
  parameter int unsigned Loads = 3;  // instructions that LOAD runs at a time
  parameter int unsigned FrameBits = 4;
  parameter int unsigned FramesEncode = 8;  // of a core with encode, without PIPE
  parameter int unsigned SlotsMax = 6;
  parameter int unsigned FrameLsb = 28;  // in imm

  // Lowest bit and width of every field.
  parameter int unsigned OpLsb = 0;
  parameter int unsigned OpBits = 6;
  parameter int unsigned DstLsb = 8;
  parameter int unsigned DstBits = 4;
  parameter int unsigned ALsb = 12;
  parameter int unsigned ABits = 4;
  parameter int unsigned BLsb = 16;
  parameter int unsigned BBits = 4;
  parameter int unsigned CtxLsb = 20;
  parameter int unsigned CtxBits = 2;
  parameter int unsigned PartLsb = 22;
  parameter int unsigned PartBits = 2;
  parameter int unsigned BaseLsb = 24;
  parameter int unsigned BaseBits = 3;
  parameter int unsigned WideLsb = 27;
  parameter int unsigned WideBits = 1;
  parameter int unsigned NttLsb = 28;
  parameter int unsigned NttBits = 1;
  parameter int unsigned SecretLsb = 29;
  parameter int unsigned SecretBits = 1;
  parameter int unsigned AddLsb = 30;
  parameter int unsigned AddBits = 1;
  parameter int unsigned AltLsb = 31;
  parameter int unsigned AltBits = 1;
  parameter int unsigned ImmLsb = 32;
  parameter int unsigned ImmBits = 32;
  // verilator lint_on UNUSEDPARAM

  typedef enum logic [5:0] {
    OP_END = 6'd0,
    OP_LOAD = 6'd1,
    OP_STORE = 6'd2,
    OP_CONTEXT = 6'd3,
    OP_STREAM = 6'd4,
    OP_NTT = 6'd5,
    OP_INTT = 6'd6,
    OP_MUL = 6'd7,
    OP_MAC = 6'd8,
    OP_MSUB = 6'd9,
    OP_ADD = 6'd10,
    OP_SUB = 6'd11,
    OP_SCALE = 6'd12,
    OP_MSUBC = 6'd13,
    OP_SAMPLE = 6'd14,
    OP_LIFT = 6'd15,
    OP_ROUND = 6'd16,
    OP_EXPAND = 6'd17,
    OP_MSUBS = 6'd18,
    OP_IFFT = 6'd19,
    OP_FFT = 6'd20,
    OP_CENTRE = 6'd21,
    OP_LIFTW = 6'd22,
    OP_LOADS = 6'd23,
    OP_STORES = 6'd24,
    OP_ROOTS = 6'd25,
    OP_PIPEKEY = 6'd26,
    OP_PIPE = 6'd27,
    OP_PIPED = 6'd28,
    OP_DRAIN = 6'd29,
    OP_CONSTANTS = 6'd30,
    OP_TWIDDLES = 6'd31,
    OP_SCALEW = 6'd32,
    OP_MACW = 6'd33
  } op_e;

  typedef enum logic [2:0] {
    UNIT_LOAD = 3'd0,
    UNIT_STORE = 3'd1,
    UNIT_COMPUTE = 3'd2,
    UNIT_SAMPLE = 3'd3,
    UNIT_LIFT = 3'd4,
    UNIT_EXPAND = 3'd5,
    UNIT_PIPE = 3'd6,
    UNIT_NONE = 3'd7
  } unit_e;

  typedef enum logic [3:0] {
    FAULT_NONE = 4'd0,
    FAULT_ILLEGAL = 4'd1,
    FAULT_RANGE = 4'd2,
    FAULT_ALIGN = 4'd3,
    FAULT_LOG_N = 4'd4,
    FAULT_EMPTY = 4'd5,
    FAULT_SECRET = 4'd6,
    FAULT_BUS_READ = 4'd7,
    FAULT_BUS_WRITE = 4'd8,
    FAULT_RESIDUE = 4'd9,
    FAULT_CONTEXT = 4'd10,
    FAULT_WATCHDOG = 4'd11,
    FAULT_PROGRAM = 4'd12,
    FAULT_ABORTED = 4'd13,
    FAULT_WIDE = 4'd14,
    FAULT_VALUE = 4'd15
  } fault_e;

  typedef enum logic [2:0] {
    TAG_EMPTY = 3'd0,
    TAG_PUBLIC = 3'd1,
    TAG_SECRET = 3'd2,
    TAG_PRODUCT = 3'd3,
    TAG_MASK = 3'd4,
    TAG_ROUNDED = 3'd5,
    TAG_SPENT = 3'd6,
    TAG_MESSAGE = 3'd7
  } tag_e;

  // What the tag of a written group becomes, see rs_tags.
  typedef enum logic [3:0] {
    RULE_NONE = 4'd0,
    RULE_PUBLIC = 4'd1,
    RULE_LOADED = 4'd2,
    RULE_LIFTED = 4'd3,
    RULE_DST = 4'd4,
    RULE_A = 4'd5,
    RULE_PRODUCT = 4'd6,
    RULE_SUM = 4'd7,
    RULE_STEP = 4'd8,
    RULE_MESSAGE = 4'd9,
    RULE_WORDS = 4'd10
  } rule_e;

  // A word.
  typedef struct packed {
    logic [31:0] imm;
    logic alt;
    logic add;
    logic secret;
    logic ntt;
    logic wide;
    logic [2:0] base;
    logic [1:0] part;
    logic [1:0] ctx;
    logic [3:0] b;
    logic [3:0] a;
    logic [3:0] dst;
    logic [1:0] zero_6;
    logic [5:0] op;
  } instr_t;

  // What an operation does: its unit, what its fields name, whether it reads dst, a context's modulus and
  // memory, whether it has the flag wide, imm describes numbers or counts limbs, imm has a frame, its context
  // has roots, has to have twiddles, what is written is a context without twiddles, is twiddles alone, it needs encode, and which bits
  // it uses.
  typedef struct packed {
    logic known;
    unit_e unit;
    rule_e rule;
    logic dst_group;
    logic dst_slot;
    logic dst_slots;
    logic dst_context;
    logic a_group;
    logic a_slot;
    logic b_group;
    logic reads_dst;
    logic ctx;
    logic memory;
    logic wide;
    logic numbers;
    logic limbs;
    logic frame;
    logic roots;
    logic twiddles;
    logic bare;
    logic fills;
    logic encode;
    logic [63:0] bits;
  } form_t;

  function automatic form_t form_of(input logic [5:0] op);
    form_t form;
    form = form_t'('0);
    form.known = 1'b1;
    form.unit = UNIT_NONE;
    case (op)
      OP_END: begin
        form.bits = 64'h000000000000003f;
      end
      OP_LOAD: begin
        form.dst_group = 1'b1;
        form.ctx = 1'b1;
        form.wide = 1'b1;
        form.memory = 1'b1;
        form.unit = UNIT_LOAD;
        form.rule = RULE_LOADED;
        form.bits = 64'hffffffffbf300f3f;
      end
      OP_STORE: begin
        form.a_group = 1'b1;
        form.wide = 1'b1;
        form.memory = 1'b1;
        form.unit = UNIT_STORE;
        form.bits = 64'hffffffff1f00f03f;
      end
      OP_CONTEXT: begin
        form.dst_context = 1'b1;
        form.memory = 1'b1;
        form.unit = UNIT_LOAD;
        form.bits = 64'hffffffffc7000f3f;
      end
      OP_STREAM: begin
        form.ctx = 1'b1;
        form.wide = 1'b1;
        form.memory = 1'b1;
        form.unit = UNIT_LOAD;
        form.bits = 64'hffffffffaf30003f;
      end
      OP_NTT: begin
        form.dst_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.twiddles = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_DST;
        form.bits = 64'h0000000000300f3f;
      end
      OP_INTT: begin
        form.dst_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.twiddles = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_DST;
        form.bits = 64'h0000000000f00f3f;
      end
      OP_MUL: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.b_group = 1'b1;
        form.ctx = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_PRODUCT;
        form.bits = 64'h00000000003fff3f;
      end
      OP_MAC: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.b_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_SUM;
        form.bits = 64'h00000000003fff3f;
      end
      OP_MSUB: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.b_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_SUM;
        form.bits = 64'h00000000003fff3f;
      end
      OP_ADD: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_SUM;
        form.bits = 64'h000000000030ff3f;
      end
      OP_SUB: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_SUM;
        form.bits = 64'h000000000030ff3f;
      end
      OP_SCALE: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.ctx = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_A;
        form.bits = 64'h000000000030ff3f;
      end
      OP_MSUBC: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_STEP;
        form.bits = 64'h000000000030ff3f;
      end
      OP_SAMPLE: begin
        form.dst_slot = 1'b1;
        form.frame = 1'b1;
        form.unit = UNIT_SAMPLE;
        form.bits = 64'hf00000ff80000f3f;
      end
      OP_LIFT: begin
        form.dst_group = 1'b1;
        form.a_slot = 1'b1;
        form.ctx = 1'b1;
        form.unit = UNIT_LIFT;
        form.rule = RULE_LIFTED;
        form.bits = 64'h00000000c030ff3f;
      end
      OP_ROUND: begin
        form.dst_slot = 1'b1;
        form.a_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.unit = UNIT_LIFT;
        form.bits = 64'h000000000030ff3f;
      end
      OP_EXPAND: begin
        form.dst_group = 1'b1;
        form.ctx = 1'b1;
        form.frame = 1'b1;
        form.unit = UNIT_EXPAND;
        form.rule = RULE_PUBLIC;
        form.bits = 64'hf00000ff80300f3f;
      end
      OP_MSUBS: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_SUM;
        form.bits = 64'h000000000030ff3f;
      end
      OP_IFFT: begin
        form.dst_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.roots = 1'b1;
        form.encode = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_WORDS;
        form.bits = 64'h0000000000300f3f;
      end
      OP_FFT: begin
        form.dst_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.roots = 1'b1;
        form.encode = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_WORDS;
        form.bits = 64'h0000000000300f3f;
      end
      OP_CENTRE: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.ctx = 1'b1;
        form.encode = 1'b1;
        form.unit = UNIT_LIFT;
        form.rule = RULE_WORDS;
        form.bits = 64'h000000ff8030ff3f;
      end
      OP_LIFTW: begin
        form.dst_group = 1'b1;
        form.a_slot = 1'b1;
        form.b_group = 1'b1;
        form.ctx = 1'b1;
        form.encode = 1'b1;
        form.unit = UNIT_LIFT;
        form.rule = RULE_LIFTED;
        form.bits = 64'h000000ff003fff3f;
      end
      OP_LOADS: begin
        form.dst_group = 1'b1;
        form.memory = 1'b1;
        form.numbers = 1'b1;
        form.frame = 1'b1;
        form.encode = 1'b1;
        form.unit = UNIT_LOAD;
        form.rule = RULE_MESSAGE;
        form.bits = 64'hffffffff07000f3f;
      end
      OP_STORES: begin
        form.a_group = 1'b1;
        form.memory = 1'b1;
        form.numbers = 1'b1;
        form.frame = 1'b1;
        form.encode = 1'b1;
        form.unit = UNIT_STORE;
        form.bits = 64'hffffffff0700f03f;
      end
      OP_ROOTS: begin
        form.dst_context = 1'b1;
        form.memory = 1'b1;
        form.encode = 1'b1;
        form.unit = UNIT_LOAD;
        form.bits = 64'hffffffff07000f3f;
      end
      OP_PIPEKEY: begin
        form.memory = 1'b1;
        form.unit   = UNIT_PIPE;
        form.bits   = 64'hffffffff0700003f;
      end
      OP_PIPE: begin
        form.dst_slots = 1'b1;
        form.a_group = 1'b1;
        form.b_group = 1'b1;
        form.memory = 1'b1;
        form.limbs = 1'b1;
        form.frame = 1'b1;
        form.unit = UNIT_PIPE;
        form.bits = 64'hf0000fff000fff3f;
      end
      OP_PIPED: begin
        form.dst_slots = 1'b1;
        form.memory = 1'b1;
        form.limbs = 1'b1;
        form.frame = 1'b1;
        form.unit = UNIT_PIPE;
        form.bits = 64'hf0000fff00000f3f;
      end
      OP_DRAIN: begin
        form.unit = UNIT_PIPE;
        form.bits = 64'h000000000000003f;
      end
      OP_CONSTANTS: begin
        form.dst_context = 1'b1;
        form.memory = 1'b1;
        form.bare = 1'b1;
        form.unit = UNIT_LOAD;
        form.bits = 64'hffffffff07000f3f;
      end
      OP_TWIDDLES: begin
        form.dst_context = 1'b1;
        form.memory = 1'b1;
        form.fills = 1'b1;
        form.encode = 1'b1;
        form.unit = UNIT_LOAD;
        form.bits = 64'hffffffff07c00f3f;
      end
      OP_SCALEW: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.ctx = 1'b1;
        form.roots = 1'b1;
        form.encode = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_WORDS;
        form.bits = 64'h000000000030ff3f;
      end
      OP_MACW: begin
        form.dst_group = 1'b1;
        form.a_group = 1'b1;
        form.reads_dst = 1'b1;
        form.ctx = 1'b1;
        form.roots = 1'b1;
        form.encode = 1'b1;
        form.unit = UNIT_COMPUTE;
        form.rule = RULE_WORDS;
        form.bits = 64'h000000000030ff3f;
      end
      default: form.known = 1'b0;
    endcase
    return form;
  endfunction

  // Of a core without PIPE: its operations are one, with any bits. So nothing is looked up about them, and the fault is RANGE.
  function automatic form_t form_built(input logic [5:0] op, input bit pipe);
    form_t form;
    form = form_of(op);
    if (!pipe && form.unit == UNIT_PIPE) begin
      form = form_t'('0);
      form.known = 1'b1;
      form.unit = UNIT_PIPE;
      form.bits = '1;
    end
    return form;
  endfunction

  // How many frames a program of such a core can have.
  function automatic int unsigned frames_of(input bit encode, input bit pipe);
    return pipe ? 2 ** FrameBits : encode ? FramesEncode : 1;
  endfunction

  // Where pointer 7 of a frame above 0 is among the pointers: 8 + frame.
  function automatic logic [FrameBits:0] pointer_of(input logic [FrameBits-1:0] frame);
    return {frame[FrameBits-1], !frame[FrameBits-1], frame[FrameBits-2:0]};
  endfunction

endpackage
