// SPDX-License-Identifier: Apache-2.0
// rs_slice_spans: which words of its groups an instruction reads and writes, in units of the smallest slice, and whether there can be such.
// Model:   docs/core.md, Slices; lib/tests/model_core.c
// Params:  LogNMax; LogSizeMin: log2 of the smallest slice; Slices: of one operand, at most (a power of two up to 64)
// Bounds:  log_n_i in LogSizeMin .. LogNMax, that of the program; a span means something if neither torn_o nor beyond_o
// Timing:  combinational
module rs_slice_spans
  import rs_isa_pkg::*;
#(
    parameter  int unsigned LogNMax    = 10,
    parameter  int unsigned LogSizeMin = 7,
    parameter  int unsigned Slices     = 8,
    localparam int unsigned UnitBits   = LogNMax - LogSizeMin + 1
) (
    input  instr_t                     instr_i,
    input  form_t                      form_i,
    input  slice_form_t                slices_i,   // slices_of(instr_i.op), or field_slices_of
    input  logic        [         4:0] log_n_i,
    input  logic        [         4:0] polys_i,    // polynomials, of what has no slices: 1
    output logic                       torn_o,     // its fields are no slices
    output logic                       beyond_o,   // there are no such slices here
    output logic                       partial_o,  // it is not for a whole group
    output logic        [         4:0] size_o,     // log2 of a polynomial of it
    output logic        [UnitBits-1:0] first_o,    // unit of dst that is written or read
    output logic        [UnitBits-1:0] dst_o,      // the one behind the last one, of each operand
    output logic        [UnitBits-1:0] a_o,
    output logic        [UnitBits-1:0] b_o
);

  // numbers of slices behind the first one are at most 64, a place below 128 slices: 7 bits, and units of all in 2^LogNMax words
  localparam int unsigned EndBits = 8;
  localparam int unsigned AllBits = EndBits + 16 - LogSizeMin;

  logic [3:0] size;
  logic [EndBits-1:0] count, dst_first, a_first, b_first, b_count, dst_end, a_end, b_end;
  logic sliced, pairs, uses_b, uses_dst;
  logic [3:0] shift;
  logic [AllBits-1:0] all;
  logic above;

  assign sliced = slices_i.log_size && instr_i.log_size != '0;
  assign size = instr_i.log_size;
  assign size_o = sliced ? 5'(size) : log_n_i;
  assign shift = size - 4'(LogSizeMin);
  assign uses_b = slices_i.slices && form_i.b_group;
  assign pairs = slices_i.slices && instr_i.a_xor;

  assign count = slices_i.slices ? EndBits'(instr_i.slices) + EndBits'(1) : EndBits'(polys_i);
  assign dst_first = EndBits'(instr_i.slice_dst);
  // LOAD and STORE have one place for the group, dst or a
  assign a_first = slices_i.slices ? EndBits'(instr_i.slice_a) : EndBits'(instr_i.slice_dst);
  assign b_first = EndBits'(instr_i.slice_b);
  always_comb begin
    unique case (instr_i.b_map)
      2'(B_MAP_ONE): b_count = EndBits'(1);
      2'(B_MAP_PAIR): b_count = EndBits'(2);
      default: b_count = count;
    endcase
  end

  // ---- the word alone -------------------------------------------------------------------------------------------------
  logic fields, same_a, same_b, same_ab;
  assign fields = (slices_i.slice_dst && instr_i.slice_dst != '0) ||  // a place
      (slices_i.slices && (instr_i.slices != '0 || instr_i.slice_a != '0 ||
      instr_i.slice_b != '0 || instr_i.a_xor || instr_i.b_map != '0));
  assign uses_dst = form_i.dst_group && slices_i.slices;
  assign same_a = uses_dst && form_i.a_group && instr_i.dst == instr_i.a && (instr_i.slice_dst != instr_i.slice_a || instr_i.a_xor);
  assign same_b = uses_dst && uses_b && instr_i.dst == instr_i.b && (instr_i.slice_dst != instr_i.slice_b || instr_i.b_map != '0);
  assign same_ab = form_i.a_group && uses_b && instr_i.a == instr_i.b &&
      (instr_i.slice_a != instr_i.slice_b || instr_i.a_xor || instr_i.b_map != '0);
  assign torn_o = (slices_i.log_size && !sliced && (fields || polys_i != 5'd1)) ||
      (sliced && (instr_i.b_map == '1 && slices_i.slices)) ||
      (sliced && pairs && !instr_i.slices[0]) || (sliced && (same_a || same_b || same_ab)) ||
      (sliced && form_i.twiddles && instr_i.options[3:2] != '0);

  // ---- in the group of this program ------------------------------------------------------------------------------------
  assign dst_end = dst_first + count;
  assign a_end = a_first + count;
  assign b_end = b_first + b_count;
  assign all = AllBits'(1) << (log_n_i - 5'(LogSizeMin));

  function automatic logic outside(input logic [EndBits-1:0] ends, input logic [3:0] by, input logic [AllBits-1:0] of_all);
    return AllBits'(ends) << by > of_all;
  endfunction

  assign above = 5'(size) > log_n_i;
  assign beyond_o = sliced && (32'(size) < LogSizeMin || above || 32'(instr_i.slices & {6{slices_i.slices}}) >= Slices ||
      (slices_i.slice_dst && form_i.dst_group && outside(
      dst_end, shift, all
  )) || (slices_i.slice_dst && form_i.a_group && outside(
      a_end, shift, all
  )) || (uses_b && outside(
      b_end, shift, all
  )));

  function automatic logic [UnitBits-1:0] in_units(input logic [EndBits-1:0] ends, input logic [3:0] by);
    return UnitBits'(AllBits'(ends) << by);
  endfunction

  assign partial_o = sliced && slices_i.slice_dst;
  always_comb begin
    first_o = '0;
    dst_o   = UnitBits'(all);
    a_o     = UnitBits'(all);
    b_o     = UnitBits'(all);
    if (partial_o) begin
      first_o = in_units(dst_first, shift);
      dst_o   = in_units(dst_end, shift);
      a_o     = in_units(a_end, shift);
      b_o     = in_units(b_end, shift);
    end
  end

  logic unused;
  assign unused = ^{instr_i, form_i, slices_i};
endmodule
