// SPDX-License-Identifier: Apache-2.0
// rs_decode: what an instruction uses, and the faults that can be seen in its word alone.
// Model:   docs/core.md
// Params:  W, Groups, Contexts, Slots, HasExpand, HasReduce, HasFactor, HasEncode, HasPipe, HasFields, HasShort, Sealed: what is built; LogNMax, LogSizeMin, Slices
//          (rs_slice_spans): with Slices of 1 there are none
// Bounds:  form_i is that of rs_issue; the masks have no bits of what is not built
// Timing:  combinational
module rs_decode
  import rs_isa_pkg::*;
#(
    parameter  int unsigned W          = 32,
    parameter  int unsigned Groups     = 4,
    parameter  int unsigned Contexts   = 2,
    parameter  int unsigned Slots      = 2,
    parameter  bit          HasExpand  = 1'b1,
    parameter  bit          HasReduce  = 1'b0,
    parameter  bit          HasFactor  = 1'b0,
    parameter  bit          HasEncode  = 1'b0,
    parameter  bit          HasPipe    = 1'b0,
    parameter  bit          HasFields  = 1'b0,
    parameter  bit          Sealed     = 1'b0,
    parameter  bit          HasShort   = 1'b0,
    parameter  int unsigned LogNMax    = 10,
    parameter  int unsigned LogSizeMin = 7,
    parameter  int unsigned Slices     = 1,
    localparam int unsigned UnitBits   = Slices > 1 ? LogNMax - LogSizeMin + 1 : 1
) (
    input  instr_t                     instr_i,
    input  form_t                      form_i,
    input  slice_form_t                slices_i,     // likewise, nothing without slices
    input  logic        [         4:0] log_n_i,
    output checks_t                    checks_o,     // unused, same, torn, impossible, outside, narrow
    output logic        [        15:0] groups_o,     // read or written
    output logic        [SlotsMax-1:0] slots_o,      // likewise
    output logic        [         3:0] ctx_read_o,
    output logic        [         3:0] ctx_write_o,
    output logic                       partial_o,    // rs_slice_spans
    output logic        [         4:0] size_o,
    output logic        [UnitBits-1:0] first_o,
    output logic        [UnitBits-1:0] dst_end_o,
    output logic        [UnitBits-1:0] a_end_o,
    output logic        [UnitBits-1:0] b_end_o
);

  if (Groups < 1 || Groups > 16 || Contexts < 1 || Contexts > ContextsMax || Slots > SlotsMax) begin : gen_illegal
    $fatal(1, "%m: Groups %0d, Contexts %0d, Slots %0d", Groups, Contexts, Slots);
  end

  localparam logic [15:0] GroupsBuilt = 16'((17'd1 << Groups) - 17'd1);
  localparam logic [15:0] SlotsBuilt = 16'((17'd1 << Slots) - 17'd1);
  localparam int unsigned Frames = frames_of(HasEncode, HasPipe);
  localparam logic [15:0] ContextsBuilt = 16'((17'd1 << Contexts) - 17'd1);

  logic [15:0] dst, a, b, ctx, groups, slots, ctx_read, ctx_write;
  logic unframed, unbuilt, torn, beyond, unused;
  // findings on fields
  logic field_impossible, field_beyond, sized;
  logic [4:0] polys;
  logic [63:0] word, short_used;
  logic [NumbersBits-1:0] numbers;

  assign word = 64'(instr_i);
  assign short_used = HasShort ? short_bits(instr_i.op) : '0;
  assign numbers = word[NumbersLsb+:NumbersBits];

  assign dst = 16'd1 << instr_i.dst;
  assign a = 16'd1 << instr_i.a;
  assign b = 16'd1 << instr_i.b;
  assign ctx = 16'd1 << instr_i.ctx;
  assign groups = ({16{form_i.dst_group}} & dst) | ({16{form_i.a_group}} & a) | ({16{form_i.b_group}} & b);
  assign slots = ({16{form_i.dst_slot}} & dst) | ({16{form_i.a_slot}} & a) |
      ({16{HasPipe && form_i.dst_slots}} & (dst | {dst[14:0], 1'b0} | {dst[13:0], 2'b0}));
  assign ctx_read = {16{form_i.ctx}} & ctx;
  assign ctx_write = {16{form_i.dst_context}} & dst;

  // what the operation, or one of its flags, needs; a frame that is there
  assign unbuilt = lacks(
      64'(instr_i),
      '{
          frames: Frames > 1,
          factor: HasFactor,
          slots: Slots > 0,
          reduce: HasReduce,
          encode: HasEncode,
          expand: HasExpand,
          pipe: HasPipe,
          onto: Slots > 0 && Groups > 2
      }
  );
  assign unframed = form_i.frame && 32'(instr_i.frame) >= Frames;

  if (Slices > 1) begin : gen_slices
    rs_slice_spans #(
        .LogNMax   (LogNMax),
        .LogSizeMin(LogSizeMin),
        .Slices    (Slices)
    ) u_spans (
        .instr_i,
        .form_i,
        .slices_i,
        .log_n_i,
        .polys_i (polys),
        .torn_o  (torn),
        .beyond_o(beyond),
        .partial_o,
        .size_o,
        .first_o,
        .dst_o   (dst_end_o),
        .a_o     (a_end_o),
        .b_o     (b_end_o)
    );
  end else begin : gen_whole
    logic unused_log_n;
    assign unused_log_n = ^{slices_i, log_n_i, 6'(LogNMax), 6'(LogSizeMin)};
    assign {torn, beyond, partial_o, size_o, first_o, dst_end_o, a_end_o, b_end_o} = '0;
  end

  if (HasFields) begin : gen_fields
    logic field_wrong, digest_beyond;
    rs_field_decode #(
        .Sealed(Sealed)
    ) u_fields (
        .word_i      (word),
        .impossible_o(field_wrong),
        .beyond_o    (digest_beyond),
        .sized_o     (sized),
        .polys_o     (polys)
    );
    assign field_impossible = field_wrong || (sized && word[FormLsb+:FormBits] == '1);
    assign field_beyond = digest_beyond || (sized && size_o > 5'(FieldLogMax));
  end else begin : gen_no_fields
    assign {field_impossible, field_beyond, sized, polys} = {3'b000, 5'd1};
  end

  always_comb begin
    checks_o = '0;
    checks_o.unused = !form_i.known || (64'(instr_i) & ~form_i.bits & ~slices_i.bits & ~short_used) != '0;
    // words that are read and written have another order afterwards; what LIFTON reads and writes are banks with one port
    checks_o.same = (HasEncode || instr_i.op == OP_LIFTON) && is_same(instr_i);
    checks_o.torn = torn;
    // doubles are loaded, not stored
    checks_o.impossible = (HasEncode && form_i.numbers && numbers[2:0] > (instr_i.op == OP_LOADS ? 3'd6 : 3'd5)) ||
        field_impossible;
    checks_o.outside = (groups & ~GroupsBuilt) != '0 || (slots & ~SlotsBuilt) != '0 ||
        ((ctx_read | ctx_write) & ~ContextsBuilt) != '0 || unbuilt || unframed || beyond || field_beyond;
    checks_o.narrow = form_i.wide && !word[WideLsb] && W > 32;
  end

  assign groups_o = groups & GroupsBuilt;
  assign slots_o = slots[SlotsMax-1:0] & SlotsBuilt[SlotsMax-1:0];
  assign ctx_read_o = ctx_read[3:0] & ContextsBuilt[3:0];
  assign ctx_write_o = ctx_write[3:0] & ContextsBuilt[3:0];
  assign unused = ^{form_i, numbers, sized, polys};

endmodule
