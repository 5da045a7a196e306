// SPDX-License-Identifier: Apache-2.0
// rs_decode: what an instruction uses, and the faults that can be seen in its word alone.
// Model:   docs/core.md
// Params:  W, Groups, Contexts, Slots, HasExpand, HasReduce, HasFactor, HasEncode, HasPipe: what is built
// Bounds:  form_i is form_built(instr_i.op, HasPipe); the masks have no bits of what is not built
// Timing:  combinational
module rs_decode
  import rs_isa_pkg::*;
#(
    parameter int unsigned W         = 32,
    parameter int unsigned Groups    = 4,
    parameter int unsigned Contexts  = 2,
    parameter int unsigned Slots     = 2,
    parameter bit          HasExpand = 1'b1,
    parameter bit          HasReduce = 1'b0,
    parameter bit          HasFactor = 1'b0,
    parameter bit          HasEncode = 1'b0,
    parameter bit          HasPipe   = 1'b0
) (
    input  instr_t                instr_i,
    input  form_t                 form_i,
    output fault_e                fault_o,     // NONE, ILLEGAL, RANGE or WIDE
    output logic   [        15:0] groups_o,    // read or written
    output logic   [SlotsMax-1:0] slots_o,     // likewise
    output logic   [         3:0] ctx_read_o,
    output logic   [         3:0] ctx_write_o
);

  if (Groups < 1 || Groups > 16 || Contexts < 1 || Contexts > 4 || Slots > SlotsMax) begin : gen_illegal
    $fatal(1, "%m: Groups %0d, Contexts %0d, Slots %0d", Groups, Contexts, Slots);
  end

  localparam logic [15:0] GroupsBuilt = 16'((17'd1 << Groups) - 17'd1);
  localparam logic [15:0] SlotsBuilt = 16'((17'd1 << Slots) - 17'd1);
  localparam int unsigned Frames = frames_of(HasEncode, HasPipe);
  localparam logic [15:0] ContextsBuilt = 16'((17'd1 << Contexts) - 17'd1);

  logic [15:0] dst, a, b, ctx, groups, slots, ctx_read, ctx_write;
  logic illegal, outside, untaken, narrow, same, impossible, unframed, parted, unused;

  assign dst = 16'd1 << instr_i.dst;
  assign a = 16'd1 << instr_i.a;
  assign b = 16'd1 << instr_i.b;
  assign ctx = 16'd1 << instr_i.ctx;
  assign groups = ({16{form_i.dst_group}} & dst) | ({16{form_i.a_group}} & a) | ({16{form_i.b_group}} & b);
  assign slots = ({16{form_i.dst_slot}} & dst) | ({16{form_i.a_slot}} & a) |
      ({16{HasPipe && form_i.dst_slots}} & (dst | {dst[14:0], 1'b0} | {dst[13:0], 2'b0}));
  assign ctx_read = {16{form_i.ctx}} & ctx;
  assign ctx_write = {16{form_i.dst_context}} & dst;

  // words cannot be read and written in one group: their order is another one afterwards
  assign same = (instr_i.op == OP_CENTRE && instr_i.dst == instr_i.a) || (instr_i.op == OP_LIFTW && instr_i.dst == instr_i.b);
  assign impossible = form_i.numbers && instr_i.imm[2:0] > 3'd5;
  assign illegal = !form_i.known || (64'(instr_i) & ~form_i.bits) != '0 || (HasEncode && (same || impossible));
  // what STREAM delivers needs who takes it: MSUBS, or the LIFT unit, which comes with the slots
  assign untaken = instr_i.secret ? !HasFactor : Slots == 0;
  assign outside = (groups & ~GroupsBuilt) != '0 || (slots & ~SlotsBuilt) != '0 ||
      ((ctx_read | ctx_write) & ~ContextsBuilt) != '0 || (form_i.unit == UNIT_EXPAND && !HasExpand) ||
      (instr_i.op == OP_STREAM && (untaken || (instr_i.alt && !HasReduce))) || (instr_i.op == OP_MSUBS && !HasFactor) ||
      (!HasEncode && (form_i.encode || parted)) || (!HasPipe && form_i.unit == UNIT_PIPE) || unframed;
  // frames come with encode, more of them with PIPE
  assign unframed = (form_i.frame && 32'(instr_i.imm[FrameLsb+:FrameBits]) >= Frames) ||
      (Frames == 1 && form_i.dst_context && instr_i.add);
  assign parted = instr_i.op == OP_INTT && instr_i.part != '0;
  assign narrow = form_i.wide && !instr_i.wide && W > 32;

  always_comb begin
    fault_o = FAULT_NONE;
    if (illegal) fault_o = FAULT_ILLEGAL;
    else if (outside) fault_o = FAULT_RANGE;
    else if (narrow) fault_o = FAULT_WIDE;
  end

  assign groups_o = groups & GroupsBuilt;
  assign slots_o = slots[SlotsMax-1:0] & SlotsBuilt[SlotsMax-1:0];
  assign ctx_read_o = ctx_read[3:0] & ContextsBuilt[3:0];
  assign ctx_write_o = ctx_write[3:0] & ContextsBuilt[3:0];
  assign unused = ^form_i;

endmodule
