// SPDX-License-Identifier: Apache-2.0
// rs_isa_pkg: the instruction set; docs/core.md explains it.
// Made from hw/sequencer/isa.toml by scripts/generate.py: do not edit.
package rs_isa_pkg;

  // nobody uses all of these
  // verilator lint_off UNUSEDPARAM
  parameter int unsigned Units = 9;
  parameter int unsigned Loads = 3;  // instructions that LOAD runs at a time
  parameter int unsigned FramesEncode = 8;  // frames of a core with encode, without PIPE
  parameter int unsigned SlotsMax = 6;
  parameter int unsigned ContextsMax = 4;
  parameter int unsigned Digests = 8;  // digests of 32 bytes
  parameter int unsigned HashPrefix = 8;
  parameter int unsigned HashKey = 13;
  parameter int unsigned HashChoice = 14;
  parameter int unsigned KeySlots = 2;
  parameter int unsigned KeyLanes = 12;
  parameter int unsigned KeyIndex = 32768;
  parameter int unsigned VaultPointer = 15;
  parameter int unsigned VaultLines = 64;
  parameter int unsigned VaultMade = 8;
  parameter int unsigned VaultProgram = 32;
  parameter int unsigned DrawBall = 15;
  parameter int unsigned NormCount = 5;
  parameter int unsigned BallDigests = 4;
  parameter int unsigned SignRounds = 1024;
  parameter int unsigned HintsMax = 80;
  parameter int unsigned VaultChallenge = 1;
  parameter int unsigned VaultRandom = 6;
  parameter int unsigned VaultMu = 7;
  parameter int unsigned VaultHigh = 24;
  parameter int unsigned PackMark = 27;
  parameter int unsigned PackFirst = 8;
  parameter int unsigned DrawMark = 38;
  parameter int unsigned FieldLogMax = 10;  // log2 of a polynomial of SPONGE and PACK, at most
  parameter int unsigned ContextBits = 2;  // bits of a context that is built

  // verilog_format: off
  // Lowest bit and width of every field.
  parameter int unsigned OpLsb = 0, OpBits = 6;
  parameter int unsigned DstLsb = 8, DstBits = 4;
  parameter int unsigned ALsb = 12, ABits = 4;
  parameter int unsigned BLsb = 16, BBits = 4;
  parameter int unsigned PointerLsb = 16, PointerBits = 4;
  parameter int unsigned CtxLsb = 20, CtxBits = 4;
  parameter int unsigned OptionsLsb = 24, OptionsBits = 4;
  parameter int unsigned OffsetLsb = 38, OffsetBits = 26;
  parameter int unsigned FrameLsb = 60, FrameBits = 4;
  parameter int unsigned LogSizeLsb = 28, LogSizeBits = 4;
  parameter int unsigned SliceDstLsb = 32, SliceDstBits = 6;
  parameter int unsigned SliceALsb = 38, SliceABits = 6;
  parameter int unsigned SliceBLsb = 44, SliceBBits = 6;
  parameter int unsigned SlicesLsb = 50, SlicesBits = 6;
  parameter int unsigned AXorLsb = 56, AXorBits = 1;
  parameter int unsigned BMapLsb = 57, BMapBits = 2;
  parameter int unsigned WideLsb = 24, WideBits = 1;
  parameter int unsigned NttLsb = 25, NttBits = 1;
  parameter int unsigned SecretLsb = 26, SecretBits = 1;
  parameter int unsigned ErrorLsb = 27, ErrorBits = 1;
  parameter int unsigned HalfLsb = 6, HalfBits = 1;
  parameter int unsigned NarrowLsb = 7, NarrowBits = 1;
  parameter int unsigned SignedLsb = 27, SignedBits = 1;
  parameter int unsigned OddLsb = 25, OddBits = 1;
  parameter int unsigned AsideLsb = 24, AsideBits = 1;
  parameter int unsigned PartLsb = 26, PartBits = 2;
  parameter int unsigned AddLsb = 24, AddBits = 1;
  parameter int unsigned FactorLsb = 25, FactorBits = 1;
  parameter int unsigned WholeLsb = 25, WholeBits = 1;
  parameter int unsigned TernaryLsb = 24, TernaryBits = 1;
  parameter int unsigned FirstLsb = 24, FirstBits = 1;
  parameter int unsigned DomainLsb = 44, DomainBits = 8;
  parameter int unsigned LimbsLsb = 44, LimbsBits = 8;
  parameter int unsigned LastLimbLsb = 44, LastLimbBits = 12;
  parameter int unsigned ShiftLsb = 56, ShiftBits = 8;
  parameter int unsigned WordsShiftLsb = 32, WordsShiftBits = 8;
  parameter int unsigned NumbersLsb = 32, NumbersBits = 28;
  parameter int unsigned FormLsb = 6, FormBits = 2;
  parameter int unsigned NearLsb = 38, NearBits = 9;
  parameter int unsigned HashLsb = 28, HashBits = 4;
  parameter int unsigned SkipLsb = 24, SkipBits = 1;
  parameter int unsigned AppendLsb = 25, AppendBits = 1;
  parameter int unsigned HalvesLsb = 32, HalvesBits = 4;
  parameter int unsigned BytesLsb = 48, BytesBits = 16;
  parameter int unsigned DrawLsb = 12, DrawBits = 4;
  parameter int unsigned SeedDigestLsb = 16, SeedDigestBits = 4;
  parameter int unsigned LongSeedLsb = 24, LongSeedBits = 1;
  parameter int unsigned NumberBytesLsb = 25, NumberBytesBits = 2;
  parameter int unsigned StepHighLsb = 27, StepHighBits = 1;
  parameter int unsigned DrawsLsb = 44, DrawsBits = 4;
  parameter int unsigned NumberLsb = 48, NumberBits = 16;
  parameter int unsigned FieldWidthLsb = 12, FieldWidthBits = 4;
  parameter int unsigned FieldWidthOutLsb = 8, FieldWidthOutBits = 4;
  parameter int unsigned GrowLsb = 24, GrowBits = 2;
  parameter int unsigned ShrinkLsb = 24, ShrinkBits = 3;
  parameter int unsigned NormLsb = 24, NormBits = 3;
  parameter int unsigned PolysLsb = 47, PolysBits = 4;
  parameter int unsigned PowerLsb = 51, PowerBits = 5;
  parameter int unsigned MarginLsb = 56, MarginBits = 8;
// verilog_format: on

  // verilog_format: off
  // Values of fields.
  parameter logic [1:0] B_MAP_SAME = 2'd0, B_MAP_ONE = 2'd1, B_MAP_PAIR = 2'd2;
  parameter logic [3:0] HASH_SHAKE128 = 4'd0, HASH_SHAKE256 = 4'd1, HASH_SHA3_256 = 4'd2, HASH_SHA3_384 = 4'd3,
      HASH_SHA3_512 = 4'd4;
  parameter logic [3:0] DRAW_PARSE_12 = 4'd0, DRAW_PARSE_23 = 4'd1, DRAW_PARSE_14 = 4'd2, DRAW_PARSE_16 = 4'd3,
      DRAW_PARSE_16_BIG = 4'd4, DRAW_CBD2 = 4'd8, DRAW_CBD3 = 4'd9, DRAW_PSI16 = 4'd10, DRAW_ETA2 = 4'd11, DRAW_ETA4 = 4'd12,
      DRAW_MASK18 = 4'd13, DRAW_MASK20 = 4'd14;
  parameter logic [1:0] LOAD_PLAIN = 2'd0, LOAD_MINUS = 2'd1, LOAD_GROW = 2'd2;
  parameter logic [2:0] STORE_PLAIN = 3'd0, STORE_MINUS = 3'd1, STORE_SHRINK = 3'd2, STORE_UPPER = 3'd3, STORE_LOWER = 3'd4,
      STORE_HIGH = 3'd5;
  parameter logic [2:0] NORM_CENTRED = 3'd0, NORM_LOW_88 = 3'd1, NORM_LOW_32 = 3'd2, NORM_CENTRED_88 = 3'd3,
      NORM_CENTRED_32 = 3'd4;
  // Bits of a field of LOADF and STOREF by their place, and the places.
  parameter int unsigned FieldWidths = 12;
  parameter logic [FieldWidths-1:0][4:0] FieldWidth = {5'd20, 5'd18, 5'd14, 5'd13, 5'd12, 5'd11, 5'd10, 5'd6, 5'd5, 5'd4,
      5'd3, 5'd1};
  parameter logic [3:0] WIDTH_1 = 4'd0, WIDTH_3 = 4'd1, WIDTH_4 = 4'd2, WIDTH_5 = 4'd3, WIDTH_6 = 4'd4, WIDTH_10 = 4'd5,
      WIDTH_11 = 4'd6, WIDTH_12 = 4'd7, WIDTH_13 = 4'd8, WIDTH_14 = 4'd9, WIDTH_18 = 4'd10, WIDTH_20 = 4'd11;
// verilog_format: on

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
    OP_MACW = 6'd33,
    OP_HASH = 6'd34,
    OP_LOADD = 6'd35,
    OP_STORED = 6'd36,
    OP_DRAW = 6'd37,
    OP_LOADF = 6'd38,
    OP_STOREF = 6'd39,
    OP_NORM = 6'd40,
    OP_LIFTON = 6'd41,
    OP_PIPEM = 6'd42
  } op_e;

  // Units: places in the hardware's vectors; there is room for sixteen, one of which is none.
  parameter int unsigned UNIT_LOAD = 0;
  parameter int unsigned UNIT_STORE = 1;
  parameter int unsigned UNIT_COMPUTE = 2;
  parameter int unsigned UNIT_SAMPLE = 3;
  parameter int unsigned UNIT_LIFT = 4;
  parameter int unsigned UNIT_EXPAND = 5;
  parameter int unsigned UNIT_PIPE = 6;
  parameter int unsigned UNIT_SPONGE = 7;
  parameter int unsigned UNIT_PACK = 8;
  parameter int unsigned UNIT_NONE = 15;
  typedef logic [3:0] unit_t;

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

  // How the tag of what is written follows, from what, and which tags operands must have.
  typedef enum logic [3:0] {
    RULE_PUBLIC = 4'd0,
    RULE_MESSAGE = 4'd1,
    RULE_LOADED = 4'd2,
    RULE_SAMPLED = 4'd3,
    RULE_ROUNDED = 4'd4,
    RULE_LIFTED = 4'd5,
    RULE_LIFTED_WORDS = 4'd6,
    RULE_KEPT = 4'd7,
    RULE_MADE = 4'd8,
    RULE_SCALED = 4'd9,
    RULE_SUM = 4'd10,
    RULE_STEP = 4'd11,
    RULE_WORDED = 4'd12,
    RULE_TURNED = 4'd13,
    RULE_WORDS = 4'd14,
    RULE_ONTO = 4'd15
  } rule_e;

  typedef enum logic [1:0] {
    TERM_A = 2'd0,
    TERM_PRODUCT = 2'd1,
    TERM_B = 2'd2,
    TERM_STREAMED = 2'd3
  } term_e;

  typedef enum logic [3:0] {
    ALLOW_NONE = 4'd0,
    ALLOW_STORED = 4'd1,
    ALLOW_TOLD_DST = 4'd2,
    ALLOW_TOLD_A = 4'd3,
    ALLOW_TOLD_B = 4'd4,
    ALLOW_TOLD_SUM = 4'd5,
    ALLOW_STREAMED = 4'd6,
    ALLOW_STREAMED_WORDS = 4'd7,
    ALLOW_STREAMED_PLAIN = 4'd8
  } allow_e;

  // A word of what computes. All words have its fields up to slice_dst, but that b is a pointer where there is an address.
  typedef struct packed {
    logic [3:0] frame;
    logic [0:0] zero_59;
    logic [1:0] b_map;
    logic a_xor;
    logic [5:0] slices;
    logic [5:0] slice_b;
    logic [5:0] slice_a;
    logic [5:0] slice_dst;
    logic [3:0] log_size;
    logic [3:0] options;
    logic [3:0] ctx;
    logic [3:0] b;
    logic [3:0] a;
    logic [3:0] dst;
    logic [1:0] zero_6;
    logic [5:0] op;
  } instr_t;

  // What an operation does: its unit, what its fields name, whether it reads dst, a context's modulus and
  // memory, has the flag wide, describes numbers or counts limbs, has a frame, its context
  // has roots, has to have twiddles, what is written is a context without twiddles, is twiddles alone, a mask that it adds is spent,
  // it needs encode, and which bits it uses.
  typedef struct packed {
    logic known;
    unit_t unit;
    rule_e rule;
    term_e term;
    allow_e allow;
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
    logic takes_a;
    logic encode;
    logic [63:0] bits;
  } form_t;

  // verilog_format: off
  function automatic form_t form_of(input logic [OpBits-1:0] op);
    form_t f;
    f = form_t'('0);
    f.known = 1'b1;
    f.unit = unit_t'(UNIT_NONE);
    case (op)
      OP_END: begin f.bits = 64'h3f; end
      OP_LOAD: begin f.unit = unit_t'(UNIT_LOAD); f.rule = RULE_LOADED;
        {f.dst_group, f.ctx, f.memory, f.wide} = '1; f.bits = 64'hffffffc00fff0f3f; end
      OP_STORE: begin f.unit = unit_t'(UNIT_STORE); f.allow = ALLOW_STORED;
        {f.a_group, f.memory, f.wide} = '1; f.bits = 64'hffffffc0030ff03f; end
      OP_CONTEXT: begin f.unit = unit_t'(UNIT_LOAD);
        {f.dst_context, f.memory} = '1; f.bits = 64'hffffffc0030f0f3f; end
      OP_STREAM: begin f.unit = unit_t'(UNIT_LOAD);
        {f.ctx, f.memory, f.wide} = '1; f.bits = 64'hffffffc00dff003f; end
      OP_NTT: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_KEPT;
        {f.dst_group, f.reads_dst, f.ctx, f.twiddles} = '1; f.bits = 64'hf00f3f; end
      OP_INTT: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_KEPT;
        {f.dst_group, f.reads_dst, f.ctx, f.twiddles} = '1; f.bits = 64'hcf00f3f; end
      OP_MUL: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_MADE; f.term = TERM_PRODUCT;
        {f.dst_group, f.a_group, f.b_group, f.ctx} = '1; f.bits = 64'hffff3f; end
      OP_MAC: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_SUM; f.term = TERM_PRODUCT;
        {f.dst_group, f.a_group, f.b_group, f.reads_dst, f.ctx} = '1; f.bits = 64'hffff3f; end
      OP_MSUB: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_SUM; f.term = TERM_PRODUCT;
        {f.dst_group, f.a_group, f.b_group, f.reads_dst, f.ctx} = '1; f.bits = 64'hffff3f; end
      OP_ADD: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_SUM; f.term = TERM_A;
        {f.dst_group, f.a_group, f.reads_dst, f.ctx, f.takes_a} = '1; f.bits = 64'hf0ff3f; end
      OP_SUB: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_SUM; f.term = TERM_A;
        {f.dst_group, f.a_group, f.reads_dst, f.ctx, f.takes_a} = '1; f.bits = 64'hf0ff3f; end
      OP_SCALE: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_SCALED; f.term = TERM_A;
        {f.dst_group, f.a_group, f.ctx} = '1; f.bits = 64'hf0ff3f; end
      OP_MSUBC: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_STEP; f.term = TERM_A;
        {f.dst_group, f.a_group, f.reads_dst, f.ctx} = '1; f.bits = 64'hf0ff3f; end
      OP_SAMPLE: begin f.unit = unit_t'(UNIT_SAMPLE); f.rule = RULE_SAMPLED;
        {f.dst_slot, f.frame} = '1; f.bits = 64'hf00ff00001000f3f; end
      OP_LIFT: begin f.unit = unit_t'(UNIT_LIFT); f.rule = RULE_LIFTED;
        {f.dst_group, f.a_slot, f.ctx} = '1; f.bits = 64'h3f0ff3f; end
      OP_ROUND: begin f.unit = unit_t'(UNIT_LIFT); f.rule = RULE_ROUNDED; f.term = TERM_A;
        {f.dst_slot, f.a_group, f.reads_dst, f.ctx} = '1; f.bits = 64'hf0ff3f; end
      OP_EXPAND: begin f.unit = unit_t'(UNIT_EXPAND); f.rule = RULE_PUBLIC;
        {f.dst_group, f.ctx, f.frame} = '1; f.bits = 64'hf00ff00001f00f3f; end
      OP_MSUBS: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_SUM; f.term = TERM_STREAMED;
        {f.dst_group, f.a_group, f.reads_dst, f.ctx} = '1; f.bits = 64'hf0ff3f; end
      OP_IFFT: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_TURNED; f.allow = ALLOW_TOLD_DST;
        {f.dst_group, f.reads_dst, f.ctx, f.roots, f.encode} = '1; f.bits = 64'hf00f3f; end
      OP_FFT: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_TURNED; f.allow = ALLOW_TOLD_DST;
        {f.dst_group, f.reads_dst, f.ctx, f.roots, f.encode} = '1; f.bits = 64'hf00f3f; end
      OP_CENTRE: begin f.unit = unit_t'(UNIT_LIFT); f.rule = RULE_WORDED; f.term = TERM_A; f.allow = ALLOW_TOLD_A;
        {f.dst_group, f.a_group, f.ctx, f.encode} = '1; f.bits = 64'hff00000002f0ff3f; end
      OP_LIFTW: begin f.unit = unit_t'(UNIT_LIFT); f.rule = RULE_LIFTED_WORDS; f.allow = ALLOW_TOLD_B;
        {f.dst_group, f.a_slot, f.b_group, f.ctx, f.encode} = '1; f.bits = 64'hff00000000ffff3f; end
      OP_LOADS: begin f.unit = unit_t'(UNIT_LOAD); f.rule = RULE_MESSAGE;
        {f.dst_group, f.memory, f.numbers, f.frame, f.encode} = '1; f.bits = 64'hffffffff000f0f3f; end
      OP_STORES: begin f.unit = unit_t'(UNIT_STORE); f.allow = ALLOW_STORED;
        {f.a_group, f.memory, f.numbers, f.frame, f.encode} = '1; f.bits = 64'hffffffff000ff03f; end
      OP_ROOTS: begin f.unit = unit_t'(UNIT_LOAD);
        {f.dst_context, f.memory, f.encode} = '1; f.bits = 64'hffffffc0000f0f3f; end
      OP_PIPEKEY: begin f.unit = unit_t'(UNIT_PIPE);
        {f.memory} = '1; f.bits = 64'hffffffc0000f003f; end
      OP_PIPE: begin f.unit = unit_t'(UNIT_PIPE); f.allow = ALLOW_STREAMED;
        {f.dst_slots, f.a_group, f.b_group, f.memory, f.limbs, f.frame} = '1; f.bits = 64'hf0fff000000fff3f; end
      OP_PIPED: begin f.unit = unit_t'(UNIT_PIPE); f.allow = ALLOW_STREAMED_PLAIN;
        {f.dst_slots, f.memory, f.limbs, f.frame} = '1; f.bits = 64'hf0fff00000000f3f; end
      OP_DRAIN: begin f.unit = unit_t'(UNIT_PIPE); f.bits = 64'h3f; end
      OP_CONSTANTS: begin f.unit = unit_t'(UNIT_LOAD);
        {f.dst_context, f.memory, f.bare} = '1; f.bits = 64'hffffffc0000f0f3f; end
      OP_TWIDDLES: begin f.unit = unit_t'(UNIT_LOAD);
        {f.dst_context, f.memory, f.fills, f.encode} = '1; f.bits = 64'hffffffc00c0f0f3f; end
      OP_SCALEW: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_WORDED; f.term = TERM_A; f.allow = ALLOW_TOLD_A;
        {f.dst_group, f.a_group, f.ctx, f.roots, f.encode} = '1; f.bits = 64'hf0ff3f; end
      OP_MACW: begin f.unit = unit_t'(UNIT_COMPUTE); f.rule = RULE_WORDS; f.term = TERM_A; f.allow = ALLOW_TOLD_SUM;
        {f.dst_group, f.a_group, f.reads_dst, f.ctx, f.roots, f.encode} = '1; f.bits = 64'hf0ff3f; end
      OP_LIFTON: begin f.unit = unit_t'(UNIT_LIFT); f.rule = RULE_ONTO; f.term = TERM_B;
        {f.dst_group, f.a_slot, f.b_group, f.ctx} = '1; f.bits = 64'h1ffff3f; end
      OP_PIPEM: begin f.unit = unit_t'(UNIT_PIPE); f.allow = ALLOW_STREAMED_WORDS;
        {f.dst_slots, f.a_group, f.memory, f.limbs, f.frame, f.encode} = '1; f.bits = 64'hf0fff0ff0000ff3f; end
      default: f.known = 1'b0;
    endcase
    return f;
  endfunction

  // What operations of a core with fields use.
  function automatic form_t field_form_of(input logic [OpBits-1:0] op);
    form_t f;
    f = form_t'('0);
    f.known = 1'b1;
    f.unit = unit_t'(UNIT_NONE);
    case (op)
      OP_HASH: begin f.unit = unit_t'(UNIT_SPONGE);
        {f.memory} = '1; f.bits = 64'hffff7fcff30fff3f; end
      OP_LOADD: begin f.unit = unit_t'(UNIT_SPONGE);
        {f.memory} = '1; f.bits = 64'h7fc0000f0f3f; end
      OP_STORED: begin f.unit = unit_t'(UNIT_SPONGE);
        {f.memory} = '1; f.bits = 64'h7fc0000ff03f; end
      OP_DRAW: begin f.unit = unit_t'(UNIT_SPONGE); f.rule = RULE_PUBLIC;
        {f.dst_group, f.ctx} = '1; f.bits = 64'hfffff0000fffffff; end
      OP_LOADF: begin f.unit = unit_t'(UNIT_PACK); f.rule = RULE_LOADED;
        {f.dst_group, f.ctx, f.memory} = '1; f.bits = 64'hffffffc007ffffff; end
      OP_STOREF: begin f.unit = unit_t'(UNIT_PACK); f.allow = ALLOW_STORED;
        {f.a_group, f.ctx, f.memory} = '1; f.bits = 64'hffffc007ffffff; end
      OP_NORM: begin f.unit = unit_t'(UNIT_PACK); f.allow = ALLOW_STORED;
        {f.a_group, f.ctx} = '1; f.bits = 64'hffff800007f0f03f; end
      default: f.known = 1'b0;
    endcase
    return f;
  endfunction

  // What an operation does in a core with slices: it has a size of its own, a slice of one group, slices of several operands, and uses these
  // bits, too.
  typedef struct packed {
    logic log_size;
    logic slice_dst;
    logic slices;
    logic [63:0] bits;
  } slice_form_t;

  function automatic slice_form_t slices_of(input logic [OpBits-1:0] op);
    slice_form_t f;
    f = slice_form_t'('0);
    case (op)
      OP_LOAD: begin {f.log_size, f.slice_dst} = '1; f.bits = 64'h3ff0000000; end
      OP_STORE: begin {f.log_size, f.slice_dst} = '1; f.bits = 64'h3ff0000000; end
      OP_CONTEXT: begin {f.log_size} = '1; f.bits = 64'hf0000000; end
      OP_NTT: begin {f.log_size, f.slice_dst, f.slices} = '1; f.bits = 64'hfc003ff0000000; end
      OP_INTT: begin {f.log_size, f.slice_dst, f.slices} = '1; f.bits = 64'hfc003ff0000000; end
      OP_MUL: begin {f.log_size, f.slice_dst, f.slices} = '1; f.bits = 64'h7fffffff0000000; end
      OP_MAC: begin {f.log_size, f.slice_dst, f.slices} = '1; f.bits = 64'h7fffffff0000000; end
      OP_MSUB: begin {f.log_size, f.slice_dst, f.slices} = '1; f.bits = 64'h7fffffff0000000; end
      OP_ADD: begin {f.log_size, f.slice_dst, f.slices} = '1; f.bits = 64'h1fc0ffff0000000; end
      OP_SUB: begin {f.log_size, f.slice_dst, f.slices} = '1; f.bits = 64'h1fc0ffff0000000; end
      OP_SCALE: begin {f.log_size, f.slice_dst, f.slices} = '1; f.bits = 64'h1fc0ffff0000000; end
      default: f = slice_form_t'('0);
    endcase
    return f;
  endfunction

  function automatic slice_form_t field_slices_of(input logic [OpBits-1:0] op);
    slice_form_t f;
    f = slice_form_t'('0);
    case (op)
      OP_DRAW: begin {f.log_size, f.slice_dst} = '1; f.bits = 64'h3ff0000000; end
      OP_LOADF: begin {f.log_size, f.slice_dst} = '1; f.bits = 64'h3ff0000000; end
      OP_STOREF: begin {f.log_size, f.slice_dst} = '1; f.bits = 64'h3ff0000000; end
      OP_NORM: begin {f.log_size, f.slice_dst} = '1; f.bits = 64'h3ff0000000; end
      default: f = slice_form_t'('0);
    endcase
    return f;
  endfunction

// verilog_format: on
  // What an operation uses besides in a core with words of 16 bits and halves of polynomials.
  function automatic logic [63:0] short_bits(input logic [OpBits-1:0] op);
    case (op)
      OP_LOAD:  return 64'h00000000000000c0;
      OP_STORE: return 64'h0000000000000040;
      default:  return '0;
    endcase
  endfunction

  // The forms of a core without PIPE: its operations are one, with any bits. So nothing is looked up about them, and the fault is RANGE.
  function automatic form_t form_built(input logic [OpBits-1:0] op, input bit pipe);
    form_t form;
    form = form_of(op);
    if (!pipe && form.unit == unit_t'(UNIT_PIPE)) begin
      form = form_t'('0);
      form.known = 1'b1;
      form.unit = unit_t'(UNIT_PIPE);
      form.bits = '1;
    end
    return form;
  endfunction

  // The forms of a core with fields, which has no PIPE. These operations are unknown in one without, which asks for none of them.
  function automatic form_t form_with_fields(input logic [OpBits-1:0] op);
    form_t form;
    form = form_built(op, 1'b0);
    return form.known ? form : field_form_of(op);
  endfunction

  // Whether the core has the unit.
  function automatic bit is_built(input int unsigned unit, input bit pipe, input bit fields);
    return unit < UNIT_PIPE || (unit == UNIT_PIPE ? pipe : fields);
  endfunction

  // Whether it is an operation of a core with fields.
  function automatic logic is_field_op(input logic [OpBits-1:0] op);
    return op inside {OP_HASH, OP_LOADD, OP_STORED, OP_DRAW, OP_LOADF, OP_STOREF, OP_NORM};
  endfunction

  // How many frames a program of such a core can have.
  function automatic int unsigned frames_of(input bit encode, input bit pipe);
    return pipe ? 2 ** FrameBits : encode ? FramesEncode : 1;
  endfunction

  // Where pointer 7 of a frame above 0 is among the pointers: behind all of frame 0.
  function automatic logic [PointerBits:0] pointer_of(input logic [FrameBits-1:0] frame);
    return {1'b1, frame};
  endfunction

  // no function looks at everything
  // verilator lint_off UNUSEDSIGNAL

  // ---- faults before the start ----
  // What a core has.
  typedef struct packed {
    logic frames;
    logic factor;
    logic slots;
    logic reduce;
    logic encode;
    logic expand;
    logic pipe;
    logic onto;
  } built_t;

  function automatic logic lacks(input logic [63:0] word, input built_t built);
    case (word[OpLsb+:OpBits])
      OP_CONTEXT: return (word[25] && !built.frames);
      OP_STREAM: return (word[26] && !built.factor) || (!word[26] && !built.slots) || (word[27] && !built.reduce);
      OP_INTT: return (word[27:26] != '0 && !built.encode);
      OP_EXPAND: return !built.expand;
      OP_MSUBS: return !built.factor;
      OP_IFFT, OP_FFT, OP_CENTRE, OP_LIFTW, OP_LOADS, OP_STORES, OP_ROOTS, OP_TWIDDLES, OP_SCALEW, OP_MACW: return !built.encode;
      OP_PIPEKEY, OP_PIPE, OP_PIPED, OP_DRAIN: return !built.pipe;
      OP_LIFTON: return !built.onto;
      OP_PIPEM: return !built.pipe || !built.encode;
      default: return 1'b0;
    endcase
  endfunction

  // Two operands that must not be one group.
  function automatic logic is_same(input instr_t word);
    return (word.op == OP_CENTRE && word.dst == word.a) ||
        (word.op == OP_LIFTW && word.dst == word.b) ||
        (word.op == OP_LIFTON && word.dst == word.b);
  endfunction

  // What is asked before an instruction starts.
  typedef struct packed {
    logic past;  // there is no instruction
    logic unordered;  // EXPAND before one with first
    logic undrained;  // END after PIPE, PIPED or PIPEM without DRAIN
    logic unused;  // unknown operation, or a bit is set that it does not use
    logic same;  // operands are one group
    // a field of slices without log_size, or a part of an INTT with it; b_map 3; a_xor with an odd number of slices; several polynomials without log_size; other slices of one group as two operands
    logic torn;
    logic impossible;  // there is no such format of numbers, and with fields no such kind, width or number
    // a group, slot, context, digest or frame that is not built, or the unit; slices that are too small or too many, or do not fit in the group
    logic outside;
    logic narrow;  // wide is missing where W > 32
    logic misaligned;  // the pointer is not a multiple of 64, or not set
    logic empty;  // nothing is in what is read, or in front of the slices that are written, or an INTT is between its parts
    logic strange;  // the context has roots where a modulus is needed, or the other way round, or lacks twiddles
    logic refused;  // operands have other tags than the operation allows
  } checks_t;

  function automatic fault_e fault_of(input checks_t checks);
    fault_e fault;
    if (checks.past) fault = FAULT_PROGRAM;
    else if (checks.unordered) fault = FAULT_ILLEGAL;
    else if (checks.undrained) fault = FAULT_ILLEGAL;
    else if (checks.unused) fault = FAULT_ILLEGAL;
    else if (checks.same) fault = FAULT_ILLEGAL;
    else if (checks.torn) fault = FAULT_ILLEGAL;
    else if (checks.impossible) fault = FAULT_ILLEGAL;
    else if (checks.outside) fault = FAULT_RANGE;
    else if (checks.narrow) fault = FAULT_WIDE;
    else if (checks.misaligned) fault = FAULT_ALIGN;
    else if (checks.empty) fault = FAULT_EMPTY;
    else if (checks.strange) fault = FAULT_CONTEXT;
    else if (checks.refused) fault = FAULT_SECRET;
    else fault = FAULT_NONE;
    return fault;
  endfunction

  // ---- tags ----
  // What is known beside the tags.
  typedef struct packed {
    logic encode;  // the core has messages
    logic here;  // the error in dst was lifted to the modulus of ctx
    logic here_a;  // the error in a was
    logic encrypts;  // KEY_USE.no_encrypt is not set
    logic decrypts;  // KEY_USE.no_decrypt is not set, and the program has sampled nothing
    logic linked;  // the error in dst was rounded with a, and a is still this product
    logic unlinked;  // the error in slot dst was rounded with nothing in this program, or with a, still this product
    logic lifts;  // the error in slot a, without factor, the first time for this modulus, whose context is for its frame
    logic secret;  // the flag secret
    logic error;  // the flag error
    logic slots;  // the core has slots
    logic ternary;  // the flag ternary
    logic errors;  // the domain is one of errors: 2 or 3
    logic under_way;  // the frame is under way, or begins
    logic paired;  // both are errors 0 and 1 of one frame
    logic both_linked;  // they were rounded with a and b, which are still these products
    logic unlifted;  // no context for errors of their frame has been loaded
  } facts_t;

  // a secret that depends on no error
  function automatic logic hidden(input tag_e tag);
    return tag == TAG_SECRET || tag == TAG_PRODUCT;
  endfunction

  // what depends on an error
  function automatic logic erroneous(input tag_e tag);
    return tag == TAG_MASK || tag == TAG_ROUNDED || tag == TAG_SPENT;
  endfunction

  // what no product or sum may leave the core with
  function automatic logic unfit(input tag_e tag, input logic encode);
    return tag == TAG_MASK || tag == TAG_ROUNDED || tag == TAG_SPENT || (encode && tag == TAG_MESSAGE);
  endfunction

  // what is public, or the caller's own
  function automatic logic readable(input tag_e tag, input logic encode);
    return tag == TAG_PUBLIC || (encode && tag == TAG_MESSAGE);
  endfunction

  // a sum that makes nothing public
  function automatic tag_e tag_worst(input tag_e dst, input tag_e term, input facts_t is);
    tag_e tag;
    if (unfit(dst, is.encode)) tag = TAG_SPENT;
    else if (unfit(term, is.encode)) tag = TAG_SPENT;
    else if (dst == TAG_PRODUCT) tag = TAG_PRODUCT;
    else if (term == TAG_PRODUCT) tag = TAG_PRODUCT;
    else if (hidden(dst)) tag = TAG_SECRET;
    else if (hidden(term)) tag = TAG_SECRET;
    else tag = TAG_PUBLIC;
    return tag;
  endfunction

  // the tag of a group of which a part is written: what was there, and what comes
  function automatic tag_e tag_mixed(input tag_e dst, input tag_e term, input facts_t is);
    tag_e tag;
    if (unfit(dst, is.encode)) tag = TAG_SPENT;
    else if (unfit(term, is.encode)) tag = TAG_SPENT;
    else if (dst == TAG_PUBLIC && term == TAG_PUBLIC) tag = TAG_PUBLIC;
    else if (dst == TAG_PRODUCT && term == TAG_PRODUCT) tag = TAG_PRODUCT;
    else tag = TAG_SECRET;
    return tag;
  endfunction

  // What the operation adds to dst, or makes.
  function automatic tag_e term_of(input term_e term, input tag_e a, input tag_e b, input facts_t is);
    tag_e tag;
    case (term)
      TERM_PRODUCT:
      if (unfit(a, is.encode)) tag = TAG_SPENT;
      else if (unfit(b, is.encode)) tag = TAG_SPENT;
      else if (hidden(a)) tag = TAG_PRODUCT;
      else if (hidden(b)) tag = TAG_PRODUCT;
      else tag = TAG_PUBLIC;
      TERM_B: tag = b;
      TERM_STREAMED:
      if (unfit(a, is.encode)) tag = TAG_SPENT;
      else tag = TAG_PRODUCT;
      default: tag = a;
    endcase
    return tag;
  endfunction

  // The new tag of a group.
  function automatic tag_e tag_of_group(input rule_e rule, input tag_e dst, input tag_e slot, input tag_e term, input facts_t is);
    tag_e tag;
    case (rule)
      RULE_PUBLIC: tag = TAG_PUBLIC;
      RULE_MESSAGE:
      if (!is.encode) tag = TAG_PUBLIC;
      else tag = TAG_MESSAGE;
      RULE_LOADED:
      if (is.error && !is.slots) tag = TAG_MASK;
      else if (is.error) tag = TAG_SPENT;
      else if (is.secret) tag = TAG_SECRET;
      else tag = TAG_PUBLIC;
      RULE_LIFTED:
      if (slot == TAG_SECRET) tag = TAG_SECRET;
      else if (is.lifts) tag = slot;
      else tag = TAG_SPENT;
      RULE_LIFTED_WORDS:
      if (!is.encode) tag = TAG_PUBLIC;
      else if (is.lifts) tag = slot;
      else tag = TAG_SPENT;
      RULE_KEPT:
      if (!is.here && erroneous(dst)) tag = TAG_SPENT;
      else tag = dst;
      RULE_MADE: tag = term;
      RULE_SCALED:
      if (unfit(term, is.encode)) tag = TAG_SPENT;
      else tag = term;
      RULE_SUM:
      if (is.here && is.encrypts && dst == TAG_MASK && term == TAG_PRODUCT) tag = TAG_PUBLIC;
      else if (is.here_a && is.encrypts && dst == TAG_PRODUCT && term == TAG_MASK) tag = TAG_PUBLIC;
      else if (is.decrypts && dst == TAG_PUBLIC && term == TAG_PRODUCT) tag = TAG_PUBLIC;
      else if (is.decrypts && dst == TAG_PRODUCT && term == TAG_PUBLIC) tag = TAG_PUBLIC;
      else if (is.here && dst == TAG_MASK && term == TAG_PUBLIC) tag = TAG_MASK;
      else tag = tag_worst(dst, term, is);
      RULE_STEP:
      if (is.here && is.linked && dst == TAG_ROUNDED && term == TAG_PRODUCT) tag = TAG_MASK;
      else if (is.here && dst == TAG_MASK && term == TAG_PUBLIC) tag = TAG_MASK;
      else tag = tag_worst(dst, term, is);
      RULE_WORDED:
      if (!is.encode) tag = TAG_PUBLIC;
      else if (readable(term, is.encode)) tag = term;
      else tag = TAG_SPENT;
      RULE_TURNED:
      if (!is.encode) tag = TAG_PUBLIC;
      else if (readable(dst, is.encode)) tag = dst;
      else tag = TAG_SPENT;
      RULE_WORDS:
      if (!is.encode) tag = TAG_PUBLIC;
      else if (readable(dst, is.encode) && term == TAG_PUBLIC) tag = dst;
      else if (readable(dst, is.encode) && term == TAG_MESSAGE) tag = TAG_MESSAGE;
      else tag = TAG_SPENT;
      RULE_ONTO:
      if (is.lifts && is.encrypts && slot == TAG_MASK && term == TAG_PRODUCT) tag = TAG_PUBLIC;
      else if (is.lifts && slot == TAG_MASK && term == TAG_PUBLIC) tag = TAG_MASK;
      else tag = TAG_SPENT;
      default: tag = TAG_PUBLIC;
    endcase
    return tag;
  endfunction

  // The new tag of a slot.
  function automatic tag_e tag_of_slot(input rule_e rule, input tag_e dst, input tag_e term, input facts_t is);
    tag_e tag;
    case (rule)
      RULE_SAMPLED:
      if (is.ternary && !is.errors) tag = TAG_SECRET;
      else if (!is.ternary && is.errors && is.under_way) tag = TAG_MASK;
      else tag = TAG_SPENT;
      RULE_ROUNDED:
      if (is.unlinked && dst == TAG_MASK && term == TAG_PRODUCT) tag = TAG_ROUNDED;
      else tag = TAG_SPENT;
      default: tag = TAG_PUBLIC;
    endcase
    return tag;
  endfunction

  // Whether it must not start on operands with these tags; first, second: of the slots behind slot.
  function automatic logic refused(input allow_e allow, input tag_e dst, input tag_e a, input tag_e b, input tag_e slot,
                                   input tag_e first, input tag_e second, input facts_t is);
    logic may;
    case (allow)
      ALLOW_STORED: may = a == TAG_PUBLIC;
      ALLOW_TOLD_DST: may = !is.encode || (readable(dst, is.encode));
      ALLOW_TOLD_A: may = !is.encode || (readable(a, is.encode));
      ALLOW_TOLD_B: may = !is.encode || (readable(b, is.encode));
      ALLOW_TOLD_SUM: may = !is.encode || (readable(dst, is.encode) && readable(a, is.encode));
      ALLOW_STREAMED:
      may = is.encrypts && is.paired && is.both_linked && is.unlifted && slot == TAG_SECRET && first == TAG_ROUNDED &&
            second == TAG_ROUNDED && a == TAG_PRODUCT && b == TAG_PRODUCT;
      ALLOW_STREAMED_WORDS:
      may = !is.encode || (is.encrypts && is.paired && is.unlifted && readable(a, is.encode) && second == TAG_MASK &&
                           first == TAG_MASK && slot == TAG_SECRET);
      ALLOW_STREAMED_PLAIN:
      may = is.encrypts && is.paired && is.unlifted && slot == TAG_SECRET && first == TAG_MASK && second == TAG_MASK;
      default: may = 1'b1;
    endcase
    return !may;
  endfunction

  // verilator lint_on UNUSEDPARAM
  // verilator lint_on UNUSEDSIGNAL
endpackage
