// SPDX-License-Identifier: Apache-2.0
// rs_tags: what groups, slots and contexts hold, as far as secrecy goes, and which errors may still mask something.
// Model:   docs/core.md, section Tags; what follows from it is proved in formal/rs_tags_formal.sv
// Params:  Groups, Contexts, Slots, HasEncode, HasPipe, HasSlices: what is built; UnitBits: of a place in a group (rs_slice_spans)
// Bounds:  the next instruction is stable from two cycles before issue_i on, and within what is built if it is issued; clear_i while none is
//          looked at; renew_i (one frame_i), forget_i while no program runs, forget_i for three cycles at least; what is issued then never starts
// Timing:  empty_o, strange_o, secret_o a cycle after instr_i; what is issued has its tag from the next cycle on, although its unit still runs:
//          the scoreboard keeps others away until it is done, and a fault ends the program
//
// An error masks one product per modulus. Errors are told apart by the two domains that they are sampled from, moduli by the offsets
// of their contexts: a modulus counts only if its offset is above all that came before it under this seed, or is the last one again.
//
// In a core with encode there is a seed for each frame, and so are errors. Of the even frames one at a time is under way, and one of the odd
// ones: 0 and 1 when their seeds are written, another one at its first SAMPLE if its seed was written since it was under way last. Then
// nothing that depends on errors of the one before masks any more. A context is for the frames of one parity.
module rs_tags
  import rs_isa_pkg::*;
#(
    parameter int unsigned Groups    = 4,
    parameter int unsigned Contexts  = 2,
    parameter int unsigned Slots     = 2,
    parameter bit          HasEncode = 1'b0,
    parameter bit          HasPipe   = 1'b0,
    parameter bit          HasSlices = 1'b0,
    parameter int unsigned UnitBits  = 1
) (
    input logic clk_i,
    input logic clear_i,  // a program begins: all become empty
    input logic forget_i,  // there is no seed: no error masks anything
    input logic renew_i,  // there is a new one, of frame frame_i: its errors may
    input logic [FrameBits-1:0] frame_i,
    input logic no_encrypt_i,  // masked products are not public
    input logic no_decrypt_i,  // sums with a loaded secret are not
    input logic hidden_i,  // it makes a polynomial of a secret seed (rs_seal)
    // the next instruction
    input instr_t instr_i,
    input form_t form_i,
    // with HasSlices, a cycle after it: it is for a part of dst, or of groups that are read; where that begins in dst, and ends in each operand
    input logic partial_i,
    input logic [4:0] size_i,  // log2 of a polynomial of it
    input logic [UnitBits-1:0] first_i,
    input logic [UnitBits-1:0] dst_end_i,
    input logic [UnitBits-1:0] a_end_i,
    input logic [UnitBits-1:0] b_end_i,
    input logic issue_i,
    output logic empty_o,  // it reads what nothing has written, or a group between parts of an INTT
    output logic strange_o,  // its context has roots where it needs a modulus, or the other way round, or lacks twiddles
    output logic secret_o  // it would store what is not public, stream it to memory, or tell whether its words fit
);

  localparam int unsigned Parts = 2 ** PartBits - 1;

  localparam int unsigned Frames = frames_of(HasEncode, HasPipe);
  localparam bit HasFrames = Frames > 1;
  localparam int unsigned Parities = HasFrames ? 2 : 1;
  localparam int unsigned SlotBits = Slots > 4 ? 3 : 2;
  localparam int unsigned Small = 2 ** SlotBits;  // entries of a table of slots

  // What a group or slot holds: of a MASK or ROUNDED the domain of its error too, whether its frame is odd, and in a group the context of
  // its modulus.
  typedef struct packed {
    tag_e tag;
    logic odd;
    logic error;
  } slot_t;
  typedef struct packed {
    tag_e tag;
    logic odd;
    logic error;
    logic [ContextBits-1:0] ctx;
    logic [PartBits-1:0] part;  // last part of an INTT: 3 is yet to come, or 2 and 3
  } group_t;

  group_t [15:0] group_q;
  slot_t [Small-1:0] slot_q;
  logic [3:0] context_q, roots_q;  // loaded; with roots
  logic [3:0][Parts-1:0] twiddles_q;  // with twiddles of the parts of an INTT
  logic sampled_q;  // by this program
  // the group that an error of a frame was rounded with: once per program, and while nothing is written there
  logic [Parities-1:0][1:0] linked_q, broken_q;
  logic [Parities-1:0][1:0][3:0] link_q;
  // errors that may still be lifted: to the modulus of a context, to the newest one of its frames; where that is, and which contexts have it
  logic [3:0][1:0] may_q;
  logic [Parities-1:0][1:0] newest_may_q;
  logic [Parities-1:0][OffsetBits-1:0] newest_q;
  logic [Parities-1:0] none_q;  // there is no newest one yet
  logic [3:0] is_newest_q, odd_q;  // properties of a context
  // frames that are under way, and those whose seeds are new
  logic [Parities-1:0][FrameBits-1:0] current_q;
  logic [2**FrameBits-1:0] fresh_q;

  // ---- look up ----
  group_t dst_q, a_q, b_q;
  slot_t dst_slot_q, a_slot_q;
  logic has_context_q, has_roots_q, above_q, same_q, ctx_odd_q, unused;
  logic [1:0] ctx_may_q;
  logic [Parities-1:0][1:0] linked_a_q;
  logic parity;  // the parity of the frames of a CONTEXT, if it is one
  logic [OffsetBits-1:0] offset;
  logic [63:0] word;
  logic [ContextBits-1:0] ctx, looked;  // the context that the instruction uses, and that is looked up
  logic [Parts-1:0] has_twiddles_q, parts;  // there; that the instruction needs, or brings
  logic [PartBits-1:0] part;  // the part of an INTT or TWIDDLES, if it is one

  assign word   = 64'(instr_i);
  assign offset = word[OffsetLsb+:OffsetBits];
  assign parity = HasFrames && word[OddLsb];
  assign ctx    = instr_i.ctx[ContextBits-1:0];
  assign looked = HasEncode && form_i.fills ? instr_i.dst[ContextBits-1:0] : ctx;
  assign part   = HasEncode ? word[PartLsb+:PartBits] : '0;
  assign parts  = part == '0 ? '1 : Parts'(1) << (part - 1'b1);

  always_ff @(posedge clk_i) begin
    dst_q          <= group_q[instr_i.dst];
    a_q            <= group_q[instr_i.a];
    b_q            <= group_q[instr_i.b];
    dst_slot_q     <= slot_q[instr_i.dst[SlotBits-1:0]];
    a_slot_q       <= slot_q[instr_i.a[SlotBits-1:0]];
    has_context_q  <= context_q[looked];
    has_roots_q    <= roots_q[looked];
    has_twiddles_q <= twiddles_q[looked];
    ctx_may_q      <= may_q[ctx];
    ctx_odd_q      <= odd_q[ctx];
    above_q        <= offset > newest_q[parity];
    same_q         <= offset == newest_q[parity];
    for (int p = 0; p < int'(Parities); p++) begin
      for (int e = 0; e < 2; e++) linked_a_q[p][e] <= linked_q[p][e] && !broken_q[p][e] && link_q[p][e] == instr_i.a;
    end
  end

  // ---- judge ----
  tag_e term, made, result, result_q;
  facts_t is;
  logic
      here, lifting, lifts, takes_a, refuses, newer, again, error, error_q, lifts_q, takes_a_q, newer_q, again_q, odd, odd_lifted_q;
  slot_t filled, filled_q;
  logic [FrameBits-1:0] frame;  // the frame of a SAMPLE
  logic next, next_q, under_way;
  logic paired, both_linked, pipes, pipes_q, pipe_odd_q, pipe_empty;  // conditions of PIPE
  slot_t first_q, second_q;
  logic [1:0] linked_b_q;

  // a mask is one for its own modulus only
  assign here = dst_q.ctx == ctx;
  assign lifting = form_i.rule == RULE_LIFTED || form_i.rule == RULE_ONTO || (HasEncode && form_i.rule == RULE_LIFTED_WORDS);
  assign lifts = lifting && !word[FactorLsb] && ctx_may_q[a_slot_q.error] && ctx_odd_q == a_slot_q.odd &&
      (a_slot_q.tag == TAG_MASK || a_slot_q.tag == TAG_ROUNDED);

  always_comb begin
    is = '0;
    is.encode = HasEncode;
    is.slots = Slots > 0;
    is.here = here;
    is.here_a = a_q.ctx == ctx;
    is.encrypts = !no_encrypt_i;
    is.decrypts = !no_decrypt_i && !sampled_q;
    is.linked = linked_a_q[dst_q.odd][dst_q.error];
    is.unlinked = !linked_q[dst_slot_q.odd][dst_slot_q.error] || linked_a_q[dst_slot_q.odd][dst_slot_q.error];
    is.lifts = lifts;
    is.secret = word[SecretLsb];
    is.error = word[ErrorLsb];
    // errors are CBD samples of domains 2 and 3 (rs_domain_t: e0, e1); a ternary one of these would not be independent of them
    is.ternary = word[TernaryLsb];
    is.errors = word[DomainLsb+1+:DomainBits-1] == 7'd1;
    is.under_way = under_way;
    is.paired = paired;
    is.both_linked = both_linked;
    is.unlifted = none_q[first_q.odd];
  end
  assign term = term_of(form_i.term, a_q.tag, b_q.tag, is);
  assign made = hidden_i ? TAG_SECRET : tag_of_group(form_i.rule, dst_q.tag, a_slot_q.tag, term, is);
  assign error = lifting ? a_slot_q.error : dst_q.error;
  assign odd = HasFrames && (lifting ? a_slot_q.odd : dst_q.odd);

  // a mask that is added is gone
  assign takes_a = form_i.takes_a && a_q.tag == TAG_MASK;

  // a SAMPLE of a frame that begins
  assign frame = instr_i.frame & FrameBits'(Frames - 1);  // others are faults
  assign next = HasFrames && form_i.unit == unit_t'(UNIT_SAMPLE) && fresh_q[frame];
  assign under_way = !HasFrames || next || current_q[HasFrames&&frame[0]] == frame;

  // what is in a slot afterwards: its error is told by the domain
  always_comb begin
    filled = '{
        tag: tag_of_slot(form_i.rule, dst_slot_q.tag, a_q.tag, is),
        odd: HasFrames && dst_slot_q.odd,
        error: dst_slot_q.error
    };
    if (form_i.unit == unit_t'(UNIT_SAMPLE)) begin
      filled.odd   = HasFrames && frame[0];
      filled.error = word[DomainLsb];
    end
  end

  // PIPE masks the products with both errors of a frame for all moduli: nothing else may have. Their contexts and tags are as if each had been
  // lifted to every modulus, the product that it was rounded with subtracted and one with u added
  if (HasPipe) begin : gen_pipe
    always_ff @(posedge clk_i) begin
      first_q  <= slot_q[SlotBits'(instr_i.dst+4'd1)];
      second_q <= slot_q[SlotBits'(instr_i.dst+4'd2)];
      for (int p = 0; p < 2; p++) linked_b_q[p] <= linked_q[p][1] && !broken_q[p][1] && link_q[p][1] == instr_i.b;
    end
    assign paired = !first_q.error && second_q.error && first_q.odd == second_q.odd;
    assign both_linked = linked_a_q[first_q.odd][0] && linked_b_q[first_q.odd];
    assign pipes = form_i.dst_slots && !refuses;
    assign pipe_empty = form_i.dst_slots && (dst_slot_q.tag == TAG_EMPTY || first_q.tag == TAG_EMPTY || second_q.tag == TAG_EMPTY);
    always_ff @(posedge clk_i) begin
      pipes_q    <= pipes;
      pipe_odd_q <= first_q.odd;
    end
  end else begin : gen_no_pipe
    logic unused_pipe;
    assign {paired, both_linked, pipes, pipes_q, pipe_odd_q, pipe_empty, first_q, second_q, linked_b_q} = '0;
    assign unused_pipe = ^{first_q, second_q, linked_b_q};
  end

  // a context whose modulus gets errors; roots have none, nor has one that came in pieces
  logic counts;
  assign counts = form_i.dst_context && !word[AsideLsb] && word[PointerLsb+:PointerBits] == '0 &&
      !(HasEncode && form_i.encode) && !form_i.bare;
  assign newer = counts && (none_q[parity] || above_q);
  assign again = counts && !none_q[parity] && same_q;

  // ---- slices: a group is filled from its first word on, as far as fill says, and has one tag for all of that. What is written over all of it
  // says the tag; beside what stays the tags are mixed. Behind it nothing is read, as there may be what another program has left.
  logic gap;  // it reads or leaves out what nothing has written
  logic resized;  // the context has twiddles of another size
  if (HasSlices) begin : gen_slices
    logic [Groups-1:0][UnitBits-1:0] fill_q;
    logic [UnitBits-1:0] dst_fill_q, a_fill_q, b_fill_q, filled_end, filled_end_q;
    logic covers;
    always_ff @(posedge clk_i) begin
      {dst_fill_q, a_fill_q, b_fill_q} <= '0;
      for (int g = 0; g < int'(Groups); g++) begin
        if (instr_i.dst == 4'(g)) dst_fill_q <= fill_q[g];
        if (instr_i.a == 4'(g)) a_fill_q <= fill_q[g];
        if (instr_i.b == 4'(g)) b_fill_q <= fill_q[g];
        if (clear_i) fill_q[g] <= '0;
        else if (issue_i && form_i.dst_group && instr_i.dst == 4'(g)) fill_q[g] <= filled_end_q;
      end
      filled_end_q <= filled_end;
    end
    assign covers = first_i == '0 && dst_end_i >= dst_fill_q;
    assign filled_end = dst_end_i > dst_fill_q ? dst_end_i : dst_fill_q;
    assign result = covers ? made : tag_mixed(dst_q.tag, made, is);
    logic [3:0][4:0] size_q;  // sizes of twiddles of a context
    logic [4:0] ctx_size_q;
    always_ff @(posedge clk_i) begin
      ctx_size_q <= size_q[looked];
      if (issue_i && form_i.dst_context) size_q[instr_i.dst[ContextBits-1:0]] <= size_i;
    end
    assign resized = size_i != ctx_size_q;
    assign gap = (form_i.dst_group && (first_i > dst_fill_q || (form_i.reads_dst && dst_end_i > dst_fill_q) ||
                                       (partial_i && dst_q.tag != TAG_EMPTY && dst_q.part != '0))) ||
        (form_i.a_group && a_end_i > a_fill_q) || (form_i.b_group && b_end_i > b_fill_q);
  end else begin : gen_whole
    logic unused_slices;
    assign unused_slices = ^{partial_i, size_i, first_i, dst_end_i, a_end_i, b_end_i};
    assign result = made;
    assign {gap, resized} = '0;
  end

  // an INTT in parts has them in turn, and nothing else has the group before the last one
  logic unfinished;
  assign unfinished = HasEncode && ((form_i.dst_group && form_i.reads_dst && dst_q.part != part - PartBits'(part != '0)) ||
      (form_i.a_group && a_q.part != '0) || (form_i.b_group && b_q.part != '0));

  assign empty_o = unfinished || gap || (form_i.dst_group && form_i.reads_dst && dst_q.tag == TAG_EMPTY) ||
      (form_i.a_group && a_q.tag == TAG_EMPTY) ||
      (form_i.b_group && b_q.tag == TAG_EMPTY) ||
      (form_i.dst_slot && form_i.reads_dst && dst_slot_q.tag == TAG_EMPTY) ||
      (form_i.a_slot && a_slot_q.tag == TAG_EMPTY) || pipe_empty ||
      ((form_i.ctx || (HasEncode && form_i.fills)) && !has_context_q);
  assign strange_o = (HasEncode && ((form_i.ctx && has_roots_q != form_i.roots) || (form_i.fills && has_roots_q))) ||
      (form_i.twiddles && ((parts & ~has_twiddles_q) != '0 || resized));
  // what STORE and PIPE send to memory, and words of which a unit tells whether they fit (fault VALUE)
  assign refuses = refused(form_i.allow, dst_q.tag, a_q.tag, b_q.tag, dst_slot_q.tag, first_q.tag, second_q.tag, is);
  assign secret_o = refuses;

  always_ff @(posedge clk_i) begin
    result_q  <= result;
    error_q   <= error;
    lifts_q   <= lifts;
    takes_a_q <= takes_a;
    filled_q  <= filled;
    newer_q   <= newer;
    again_q   <= again;
    odd_lifted_q <= odd;
    next_q    <= next;
  end

  logic [1:0] lifted_error;
  assign lifted_error = {error_q, !error_q};

  // another frame begins: what depends on errors of the one before is spent
  function automatic logic ends(input tag_e tag, input logic tag_odd);
    return HasFrames && next_q && erroneous(tag) && tag_odd == frame[0];
  endfunction

  logic [PartBits-1:0] left;  // the part of an INTT after which there are others
  assign left = form_i.twiddles && part != '1 ? part : '0;

  // ---- what is written; nothing that is not built ----
  for (genvar g = 0; g < 16; g++) begin : gen_group
    if (g < Groups) begin : gen_built
      always_ff @(posedge clk_i) begin
        if (clear_i) group_q[g].tag <= TAG_EMPTY;
        else if (issue_i) begin
          if (form_i.dst_group && instr_i.dst == 4'(g))
            group_q[g] <= '{tag: result_q, odd: odd_lifted_q, error: error_q, ctx: ctx, part: left};
          else if (ends(group_q[g].tag, group_q[g].odd)) group_q[g].tag <= TAG_SPENT;
          else if (takes_a_q && instr_i.a == 4'(g)) group_q[g].tag <= TAG_SPENT;
          // the modulus is gone
          else if (form_i.dst_context && erroneous(group_q[g].tag) && group_q[g].ctx == instr_i.dst[ContextBits-1:0]) begin
            group_q[g].tag <= TAG_SPENT;
          end
        end
      end
    end else begin : gen_none
      assign group_q[g] = '0;
    end
  end

  for (genvar i = 0; i < Small; i++) begin : gen_slots
    if (i < Slots) begin : gen_slot
      logic piped;  // an error that PIPE streams
      assign piped = pipes_q && (4'(i) == instr_i.dst + 4'd1 || 4'(i) == instr_i.dst + 4'd2);
      always_ff @(posedge clk_i) begin
        if (clear_i) slot_q[i].tag <= TAG_EMPTY;
        else if (issue_i && form_i.dst_slot && instr_i.dst[SlotBits-1:0] == SlotBits'(i)) slot_q[i] <= filled_q;
        else if (issue_i && (ends(slot_q[i].tag, slot_q[i].odd) || piped)) slot_q[i].tag <= TAG_SPENT;
      end
    end else begin : gen_no_slot
      assign slot_q[i] = '0;
    end
  end

  for (genvar i = 0; i < 4; i++) begin : gen_small
    if (i < Contexts) begin : gen_context
      always_ff @(posedge clk_i) begin
        if (clear_i) context_q[i] <= 1'b0;
        else if (issue_i && form_i.dst_context && instr_i.dst[1:0] == 2'(i)) context_q[i] <= 1'b1;
        if (issue_i && form_i.dst_context && instr_i.dst[1:0] == 2'(i)) begin
          if (form_i.bare) twiddles_q[i] <= '0;
          else twiddles_q[i] <= HasEncode && form_i.fills ? (resized ? '0 : has_twiddles_q) | parts : '1;
        end
      end
    end else begin : gen_no_context
      assign context_q[i]  = 1'b0;
      assign twiddles_q[i] = '0;
    end
    if (i < Contexts && HasEncode) begin : gen_roots
      always_ff @(posedge clk_i) begin
        if (issue_i && form_i.dst_context && instr_i.dst[1:0] == 2'(i)) roots_q[i] <= form_i.encode && !form_i.fills;
      end
    end else begin : gen_no_roots
      assign roots_q[i] = 1'b0;
    end
    if (i < Contexts && Slots > 0) begin : gen_may
      always_ff @(posedge clk_i) begin
        if (clear_i || forget_i || renew_i) begin
          may_q[i] <= '0;
          is_newest_q[i] <= 1'b0;
        end else if (issue_i) begin
          if (form_i.dst_context && instr_i.dst[1:0] == 2'(i)) begin
            may_q[i] <= newer_q ? 2'b11 : again_q ? newest_may_q[parity] : 2'b00;
            is_newest_q[i] <= newer_q || again_q;
            odd_q[i] <= parity;
          end else if (form_i.dst_context && newer_q) begin
            if (odd_q[i] == parity) is_newest_q[i] <= 1'b0;
          end else if (form_i.dst_context && again_q) begin
            // one context at a time has the newest modulus
            if (is_newest_q[i] && odd_q[i] == parity) begin
              may_q[i] <= '0;
              is_newest_q[i] <= 1'b0;
            end
          end else if (HasFrames && next_q) begin
            if (odd_q[i] == frame[0]) begin
              may_q[i] <= '0;
              is_newest_q[i] <= 1'b0;
            end
          end else if (pipes_q) begin
            if (odd_q[i] == pipe_odd_q) begin
              may_q[i] <= '0;
              is_newest_q[i] <= 1'b0;
            end
          end else if (lifts_q && ctx == 2'(i)) begin
            may_q[i] <= may_q[i] & ~lifted_error;
          end
        end
      end
    end else begin : gen_may_not
      assign may_q[i] = '0;
      assign is_newest_q[i] = 1'b0;
      assign odd_q[i] = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      sampled_q <= 1'b0;
      linked_q  <= '0;
      broken_q  <= '0;
    end else if (issue_i) begin
      sampled_q <= sampled_q || form_i.unit == unit_t'(UNIT_SAMPLE);
      for (int p = 0; p < int'(Parities); p++) begin
        for (int e = 0; e < 2; e++) begin
          if (form_i.dst_slot && filled_q.tag == TAG_ROUNDED && filled_q.odd == 1'(p) && filled_q.error == 1'(e)) begin
            linked_q[p][e] <= 1'b1;
            link_q[p][e]   <= instr_i.a;
          end
          if (form_i.dst_group && instr_i.dst == link_q[p][e]) broken_q[p][e] <= linked_q[p][e];
          if (HasFrames && next_q && frame[0] == 1'(p)) begin
            linked_q[p][e] <= 1'b0;
            broken_q[p][e] <= 1'b0;
          end
        end
      end
    end
  end

  // these outlive a program: the errors of a seed do
  if (Slots > 0) begin : gen_newest
    for (genvar p = 0; p < Parities; p++) begin : gen_parity
      always_ff @(posedge clk_i) begin
        if (forget_i) begin
          none_q[p]       <= 1'b0;
          newest_q[p]     <= '1;
          newest_may_q[p] <= '0;
          current_q[p]    <= FrameBits'(p);
        end else if (renew_i && (!HasFrames || frame_i == FrameBits'(p))) begin
          none_q[p]    <= 1'b1;
          current_q[p] <= FrameBits'(p);
        end else if (issue_i && next_q && (!HasFrames || frame[0] == 1'(p))) begin
          none_q[p]    <= 1'b1;
          current_q[p] <= frame;
        end else if (issue_i && pipes_q && pipe_odd_q == 1'(p)) begin
          // both errors have masked everything
          none_q[p]       <= 1'b0;
          newest_q[p]     <= '1;
          newest_may_q[p] <= '0;
        end else if (issue_i && newer_q && parity == 1'(p)) begin
          none_q[p]       <= 1'b0;
          newest_q[p]     <= offset;
          newest_may_q[p] <= 2'b11;
        end else if (issue_i && lifts_q && ctx_odd_q == 1'(p) && is_newest_q[ctx]) begin
          newest_may_q[p] <= newest_may_q[p] & ~lifted_error;
        end
      end
    end
    for (genvar f = 0; f < 2 ** FrameBits; f++) begin : gen_fresh
      if (HasFrames && f >= Parities && f < Frames) begin : gen_built
        always_ff @(posedge clk_i) begin
          if (forget_i) fresh_q[f] <= 1'b0;
          else if (renew_i && frame_i == FrameBits'(f)) fresh_q[f] <= 1'b1;
          else if (issue_i && next_q && frame == FrameBits'(f)) fresh_q[f] <= 1'b0;
        end
      end else begin : gen_none
        assign fresh_q[f] = 1'b0;
      end
    end
  end else begin : gen_no_newest
    assign none_q = '0;
    assign current_q = '0;
    assign fresh_q = '0;
    assign newest_q = '1;
    assign newest_may_q = '0;
  end

  assign unused = ^{word, is, pipes, form_i, renew_i, frame_i, forget_i, a_q, b_q, current_q};

endmodule
