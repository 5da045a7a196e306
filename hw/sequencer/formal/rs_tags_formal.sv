// SPDX-License-Identifier: Apache-2.0
// rs_tags_formal: what the tags promise, for all programs. Beside rs_tags runs a second account of what each group and slot depends
// on, from the effects of the instructions. What depends on a secret becomes public in two ways only ("release"):
//   masked     a product with secrets, which depends on no error, plus or minus an error as it was, or is, lifted to this modulus, or one that
//              was rounded with a product of which a multiple was subtracted since. The same error and modulus: once under a seed.
//   streamed   by PIPE: the products of both parts of a ciphertext, for every modulus, plus both errors of a frame, which have been lifted
//              to none; or rounded ones, of which multiples of the products that they were rounded with are subtracted. Once under a seed.
//   decrypted  a product with loaded secrets, plus or minus what is public, by a program that has sampled nothing.
// A message that LOADS brought is hidden too: it becomes public in the first way only, as what an error that was lifted had added to it.
// The register KEY_USE forbids either. What is stored depends on nothing else that is secret, nor does what a fault VALUE tells: an operation that
// says whether words fit has operands that depend on no secret but a message. Error and modulus are any: error_i of the seed of frame_i, offset_i.
// Sealed: a core with fields whose products are public in neither way, and polynomials of secret seeds (rs_seal says which): nothing is released.
// With slices the account of a group is that of all its words together, and beside it one of a place that is any: unit_i. No instruction reads a
// place that this program has not written, and what depends on something there is in the account of the group.
module rs_tags_formal
  import rs_isa_pkg::*;
#(
    parameter  int unsigned Groups    = 3,
    parameter  int unsigned Contexts  = 2,
    parameter  int unsigned Slots     = 3,
    parameter  bit          HasPipe   = 1'b1,
    parameter  bit          HasSlices = 1'b0,
    parameter  bit          Sealed    = 1'b0,
    localparam int unsigned LogNMax   = 9,
    localparam int unsigned LogUnit   = 7,
    localparam int unsigned UnitBits  = HasSlices ? LogNMax - LogUnit + 1 : 1,
    localparam int unsigned Frames    = frames_of(1'b1, HasPipe),
    localparam int unsigned LogFrames = $clog2(Frames)
) (
    input logic                  clk_i,
    input logic                  begin_i,        // a program
    input logic                  end_i,
    input logic                  forget_i,
    input logic                  renew_i,
    input logic [ LogFrames-1:0] renew_frame_i,
    input logic                  no_encrypt_i,
    input logic                  no_decrypt_i,
    input logic                  take_i,         // the next instruction
    input logic [          63:0] word_i,
    input logic                  go_i,           // it starts
    input logic                  hidden_i,       // a seed that it draws from is secret
    input logic                  error_i,
    input logic [ LogFrames-1:0] frame_i,
    input logic [OffsetBits-1:0] offset_i,
    input logic [           4:0] log_n_i,        // log2 of the programs' N
    input logic [  UnitBits-1:0] unit_i
);

  // ---- as rs_issue does: look up, judge, wait, issue; or a fault, which ends the program. What was on its way then does not start, but its
  // tags may still be written, until the next program: also while the seed is wiped, or there is a new one. A wipe takes three cycles at least.
  logic reset_q = 1'b0;
  logic run_q, look_q, judge_q, held_q, clear_i, takes, issue_i, starts, empty_o, strange_o, secret_o, legal;
  logic other_q;  // no program runs, and there is another seed than when it did, or none
  logic [1:0] wiped_q;  // cycles since then that there is none, three at most
  instr_t word, instr_q;
  form_t form_q;
  logic [OffsetBits-1:0] offset, any_offset_q;
  logic any_error_q, no_encrypt_q, no_decrypt_q, hidden_q, hidden;
  logic [LogFrames-1:0] any_frame_q;
  // slices: where the instruction reads and writes
  slice_form_t slice_form;
  logic partial, partial_q, torn, beyond, torn_q, beyond_q, in_dst, in_a, in_b, covers;
  logic [4:0] size, size_q, log_n_q;
  logic [UnitBits-1:0] first_unit, dst_end, a_end, b_end, first_q, dst_end_q, a_end_q, b_end_q, any_unit_q;

  function automatic form_t formed(input logic [OpBits-1:0] op);
    return Sealed ? form_with_fields(op) : form_of(op);
  endfunction

  assign word = instr_t'(word_i);
  assign takes = run_q && !look_q && !judge_q && !held_q && take_i && !end_i;
  assign clear_i = !reset_q || (begin_i && !run_q);
  assign offset = instr_q[OffsetLsb+:OffsetBits];

  rs_tags #(
      .Groups  (Groups),
      .Contexts(Contexts),
      .Slots   (Slots),
      .HasEncode(1'b1),
      .HasPipe(HasPipe),
      .HasSlices(HasSlices),
      .UnitBits(UnitBits)
  ) u_dut (
      .*,
      .forget_i(!reset_q || (forget_i && !run_q)),
      .renew_i(reset_q && renew_i && !run_q),
      .frame_i(FrameBits'(renew_frame_i)),
      .hidden_i(hidden),
      .instr_i(instr_q),
      .form_i(form_q),
      .partial_i(partial_q),
      .size_i(size_q),
      .first_i(first_q),
      .dst_end_i(dst_end_q),
      .a_end_i(a_end_q),
      .b_end_i(b_end_q)
  );

  // ---- slices, as rs_decode has them; the other one is what the fields say ----
  if (HasSlices) begin : gen_slices
    logic [UnitBits-1:0] slice;
    logic [7:0] last_dst, last_a;
    rs_slice_spans #(
        .LogNMax   (LogNMax),
        .LogSizeMin(LogUnit),
        .Slices    (4)
    ) u_spans (
        .instr_i  (instr_q),
        .form_i   (form_q),
        .slices_i (slice_form),
        .log_n_i,
        .polys_i  (5'd1),
        .torn_o   (torn),
        .beyond_o (beyond),
        .partial_o(partial),
        .size_o   (size),
        .first_o  (first_unit),
        .dst_o    (dst_end),
        .a_o      (a_end),
        .b_o      (b_end)
    );
    assign slice_form = slices_of(instr_q.op);
    assign slice = unit_i >> (instr_q.log_size - 4'(LogUnit));
    assign last_dst = 8'(instr_q.slice_dst) + (slice_form.slices ? 8'(instr_q.slices) : '0);
    assign last_a = 8'(instr_q.slice_a) + 8'(instr_q.slices);
    always_comb begin
      {in_dst, in_a, in_b} = '1;
      if (slice_form.slice_dst && instr_q.log_size != '0) begin
        in_dst = 8'(slice) >= 8'(instr_q.slice_dst) && 8'(slice) <= last_dst;
        in_a   = slice_form.slices ? 8'(slice) >= 8'(instr_q.slice_a) && 8'(slice) <= last_a : in_dst;
        in_b   = 8'(slice) >= 8'(instr_q.slice_b);
        if (instr_q.b_map == 2'd0) in_b = in_b && 8'(slice) <= 8'(instr_q.slice_b) + 8'(instr_q.slices);
        else in_b = in_b && 8'(slice) < 8'(instr_q.slice_b) + 8'(instr_q.b_map);
      end
    end
    assign covers = u_dut.gen_slices.covers;
  end else begin : gen_whole
    assign slice_form = '0;
    assign {torn, beyond, partial, size, first_unit, dst_end, a_end, b_end} = '0;
    assign {in_dst, in_a, in_b, covers} = '1;
  end
  always_ff @(posedge clk_i) begin
    {torn_q, beyond_q, partial_q, size_q} <= {torn, beyond, partial, size};
    {first_q, dst_end_q, a_end_q, b_end_q} <= {first_unit, dst_end, a_end, b_end};
    log_n_q    <= log_n_i;
    any_unit_q <= unit_i;
    if (reset_q) assume (unit_i == any_unit_q);
    if (reset_q && run_q) assume (log_n_i == log_n_q);
    assume (!HasSlices || (32'(log_n_i) >= LogUnit && 32'(log_n_i) <= LogNMax && 32'(unit_i) < 1 << (log_n_i - 5'(LogUnit))));
  end

  always_comb begin
    legal = form_q.known && form_q.unit != unit_t'(UNIT_NONE) && !empty_o && !strange_o && !secret_o;
    if (form_q.dst_group && 32'(instr_q.dst) >= Groups) legal = 1'b0;
    if (form_q.a_group && 32'(instr_q.a) >= Groups) legal = 1'b0;
    if (form_q.b_group && 32'(instr_q.b) >= Groups) legal = 1'b0;
    if (form_q.dst_slot && 32'(instr_q.dst) >= Slots) legal = 1'b0;
    if (form_q.a_slot && 32'(instr_q.a) >= Slots) legal = 1'b0;
    if (form_q.dst_context && 32'(instr_q.dst) >= Contexts) legal = 1'b0;
    if (form_q.ctx && 32'(instr_q.ctx) >= Contexts) legal = 1'b0;
    if (form_q.frame && 32'(instr_q.frame) >= Frames) legal = 1'b0;
    if (form_q.unit == unit_t'(UNIT_PIPE) && !HasPipe) legal = 1'b0;
    if (form_q.dst_slots && 32'(instr_q.dst) + 2 >= Slots) legal = 1'b0;
    if (torn_q || beyond_q) legal = 1'b0;
  end
  assign hidden = Sealed && hidden_q && instr_q.op == OP_DRAW;
  always_ff @(posedge clk_i) assume (!Sealed || (no_encrypt_i && no_decrypt_i));
  assign issue_i = held_q && go_i && legal;
  assign starts  = issue_i && run_q;

  always_ff @(posedge clk_i) begin
    reset_q      <= 1'b1;
    any_error_q  <= error_i;
    any_frame_q  <= frame_i;
    any_offset_q <= offset_i;
    if (reset_q) assume (error_i == any_error_q && frame_i == any_frame_q && offset_i == any_offset_q);
    // a lock that is set in the few cycles of one instruction may count from the next one on
    if (reset_q && run_q && (judge_q || held_q)) assume (no_encrypt_i == no_encrypt_q && no_decrypt_i == no_decrypt_q);
    no_encrypt_q <= no_encrypt_i;
    no_decrypt_q <= no_decrypt_i;
    if (!reset_q) begin
      run_q   <= 1'b0;
      look_q  <= 1'b0;
      judge_q <= 1'b0;
      held_q  <= 1'b0;
    end else begin
      run_q   <= (run_q && !end_i) || (begin_i && !run_q);
      look_q  <= takes;
      judge_q <= look_q && !clear_i;
      held_q  <= (judge_q || (held_q && !go_i)) && !clear_i;
    end
    if (clear_i) begin
      other_q <= 1'b0;
      wiped_q <= '0;
    end else if (!run_q) begin
      other_q <= other_q || forget_i || renew_i;
      if (forget_i && wiped_q != '1) wiped_q <= wiped_q + 1'b1;
      else if (renew_i && !forget_i) wiped_q <= '0;
    end
    if (reset_q && (wiped_q == 2'd1 || wiped_q == 2'd2)) assume (forget_i);
    if (takes) begin
      instr_q  <= word;
      form_q   <= formed(word.op);
      hidden_q <= hidden_i;
    end
  end

  // ---- what everything depends on ----
  typedef struct packed {
    logic loaded;   // secrets from memory
    logic sampled;  // secrets from the sampler that are no errors
    logic error;    // the error error_i
    logic product;  // and something was multiplied by a secret
    logic message;  // what LOADS brought
  } taint_t;
  typedef struct packed {
    logic [LogFrames-1:0] frame;
    logic error;
  } which_t;
  typedef struct packed {
    taint_t taint;
    logic plain;  // an error as it was lifted, plus what is public
    logic rounded;  // a rounded one, plus what is public
    logic reduced;  // a rounded one minus a multiple of what it was rounded with
    which_t which;
    logic [OffsetBits-1:0] offset;  // the offset of the modulus that it was lifted to
  } value_t;
  typedef struct packed {
    taint_t taint;
    logic   plain, rounded;
    which_t which;
  } small_t;

  localparam int unsigned Errors = 2 ** $bits(which_t);
  which_t this_one;
  assign this_one = '{frame: frame_i, error: error_i};

  value_t [Groups-1:0] value_q;
  logic [Groups-1:0] there_q;  // this program has written unit_i
  taint_t [Groups-1:0] own_q;  // what is there depends on
  small_t [Slots-1:0] small_q;
  logic [Contexts-1:0][OffsetBits-1:0] offset_q;
  logic [Contexts-1:0] known_q;  // the context came from where offsets tell moduli apart
  logic [Errors-1:0][3:0] with_q;  // with what an error was rounded
  logic [Errors-1:0] rounds_q, same_q;  // it was; and that is still there
  logic sampled_q;  // by this program
  logic lifted_q;  // error_i to the modulus at offset_i, for masking, under this seed
  logic released_q;  // it has masked something
  logic seedless_q;  // forgotten before this program began

  value_t dst, a, b;
  small_t dst_slot, a_slot, first, second;  // the two behind dst_slot
  logic [OffsetBits-1:0] modulus;
  logic modulus_known, is_sum, is_mac, here, here_a, mine, releases, masks, masks_a, masks_b, decrypts;
  taint_t all, term;
  value_t result;
  tag_e tag;
  logic [LogFrames-1:0] frame;
  logic [DomainBits-1:0] domain;
  logic transforms, lifts;  // told by the operation, not by the table of rules

  always_comb begin
    dst = value_q[0];
    a = value_q[0];
    b = value_q[0];
    dst_slot = small_q[0];
    a_slot = small_q[0];
    first = small_q[0];
    second = small_q[0];
    modulus = offset_q[0];
    modulus_known = known_q[0];
    for (int g = 0; g < int'(Groups); g++) begin
      if (instr_q.dst == 4'(g)) dst = value_q[g];
      if (instr_q.a == 4'(g)) a = value_q[g];
      if (instr_q.b == 4'(g)) b = value_q[g];
    end
    for (int s = 0; s < int'(Slots); s++) begin
      if (instr_q.dst == 4'(s)) dst_slot = small_q[s];
      if (instr_q.a == 4'(s)) a_slot = small_q[s];
      if (instr_q.dst + 4'd1 == 4'(s)) first = small_q[s];
      if (instr_q.dst + 4'd2 == 4'(s)) second = small_q[s];
    end
    for (int c = 0; c < int'(Contexts); c++) begin
      if (instr_q.ctx == CtxBits'(c)) begin
        modulus = offset_q[c];
        modulus_known = known_q[c];
      end
    end
  end

  assign tag = HasSlices ? u_dut.made : u_dut.result_q;  // the tag of what is written
  assign domain = instr_q[DomainLsb+:DomainBits];
  assign transforms = instr_q.op == OP_NTT || instr_q.op == OP_INTT || instr_q.op == OP_IFFT || instr_q.op == OP_FFT;
  assign lifts = instr_q.op == OP_LIFT || instr_q.op == OP_LIFTW || instr_q.op == OP_LIFTON;
  assign frame = instr_q.frame[LogFrames-1:0];
  assign is_mac = instr_q.op == OP_MAC || instr_q.op == OP_MSUB || instr_q.op == OP_MSUBS;
  assign is_sum = is_mac || instr_q.op == OP_ADD || instr_q.op == OP_SUB;
  assign here = modulus_known && dst.offset == modulus;
  assign here_a = modulus_known && a.offset == modulus;
  assign mine = rounds_q[dst.which] && same_q[dst.which] && with_q[dst.which] == instr_q.a;

  always_comb begin
    // what the instruction adds, or makes
    term = a.taint;
    if (form_q.b_group && !form_q.a_slot) begin
      term = a.taint | b.taint;
      term.product = term != '0;
    end
    if (instr_q.op == OP_MSUBS) begin  // the factor may be a secret from memory
      term.loaded  = 1'b1;
      term.product = 1'b1;
    end
    if (Sealed && instr_q.op == OP_DRAW) begin
      term = '0;
      term.loaded = hidden;
    end
    if (instr_q.op == OP_LOAD || (Sealed && instr_q.op == OP_LOADF)) begin
      term = '0;
      term.loaded = instr_q[SecretLsb] || instr_q[ErrorLsb];
    end
    if (instr_q.op == OP_EXPAND) term = '0;
    if (instr_q.op == OP_LIFT) term = a_slot.taint;
    if (instr_q.op == OP_LIFTW || instr_q.op == OP_LIFTON) term = a_slot.taint | b.taint;
    if (instr_q.op == OP_LOADS) begin
      term = '0;
      term.message = 1'b1;
    end
    all = term;
    if (form_q.reads_dst) all = dst.taint | (transforms ? '0 : term);

    result = '0;
    result.taint = all;
    result.which = dst.which;
    result.offset = dst.offset;
    // what keeps an error what it is: transforms, and adding what is public, modulo the same
    if ((instr_q.op == OP_NTT || instr_q.op == OP_INTT) && here) begin
      result.plain   = dst.plain;
      result.rounded = dst.rounded;
      result.reduced = dst.reduced;
    end
    if ((is_sum || instr_q.op == OP_MSUBC) && here && term == '0) begin
      result.plain   = dst.plain;
      result.rounded = dst.rounded;
      result.reduced = dst.reduced;
    end
    if (instr_q.op == OP_MSUBC && here && dst.rounded && mine) result.reduced = 1'b1;
    // and nothing but a message or what is public is added to it as it is lifted
    if ((instr_q.op == OP_LIFT || (instr_q.op == OP_LIFTW && !b.taint.loaded && !b.taint.sampled && !b.taint.error) ||
         (instr_q.op == OP_LIFTON && b.taint == '0)) && !instr_q[FactorLsb] && modulus_known) begin
      result.plain   = a_slot.plain;
      result.rounded = a_slot.rounded;
      result.which   = a_slot.which;
      result.offset  = modulus;
    end
  end

  // a release, and which of the ways it is
  assign releases = starts && form_q.dst_group && tag == TAG_PUBLIC && all != '0;
  assign masks = is_sum && here && (dst.plain || dst.reduced) && term.product && !term.error && !term.message && !no_encrypt_q;
  assign masks_a = is_sum && !is_mac && here_a && (a.plain || a.reduced) && instr_q.a != instr_q.dst && dst.taint.product &&
      !dst.taint.error && !dst.taint.message && !no_encrypt_q;
  // an error that is lifted onto a product
  assign masks_b = instr_q.op == OP_LIFTON && modulus_known && a_slot.plain && b.taint.product && !b.taint.error &&
      !b.taint.message && !no_encrypt_q;
  assign decrypts = is_sum && !no_decrypt_q && !sampled_q && !all.sampled && !all.error && !all.message &&
      ((dst.taint == '0 && term.product) || (dst.taint.product && term == '0));

  logic masks_mine, lifts_mine;  // error_i at offset_i
  assign masks_mine = releases && !decrypts && !masks_b && (masks ? dst.which == this_one && dst.offset == offset_i :
                                                                     a.which == this_one && a.offset == offset_i);
  assign lifts_mine = starts && lifts && (tag == TAG_MASK || tag == TAG_ROUNDED || (releases && masks_b)) &&
      a_slot.which == this_one && modulus == offset_i;

  // what PIPE streams to memory, and for all moduli
  logic streams, both_rounded, both_plain, streams_mine;
  assign streams = starts && form_q.dst_slots;
  assign both_rounded = form_q.b_group && first.rounded && second.rounded &&
      rounds_q[first.which] && same_q[first.which] && with_q[first.which] == instr_q.a &&
      rounds_q[second.which] && same_q[second.which] && with_q[second.which] == instr_q.b &&
      a.taint.product && !a.taint.error && !a.taint.message && b.taint.product && !b.taint.error && !b.taint.message;
  assign both_plain = !form_q.b_group && first.plain && second.plain;
  assign streams_mine = streams && (first.which == this_one || second.which == this_one);

  always_ff @(posedge clk_i) begin
    if (!reset_q || (forget_i && !run_q)) seedless_q <= 1'b1;
    else if (renew_i && !run_q) seedless_q <= 1'b0;
    if (!reset_q || (renew_i && !run_q && !forget_i && renew_frame_i == frame_i)) begin
      lifted_q   <= 1'b0;
      released_q <= 1'b0;
    end else begin
      lifted_q   <= lifted_q || lifts_mine || streams_mine;
      released_q <= released_q || masks_mine || (lifts_mine && releases) || streams_mine;
    end
    if (clear_i) begin
      value_q   <= '0;
      there_q   <= '0;
      own_q     <= '0;
      small_q   <= '0;
      known_q   <= '0;
      rounds_q  <= '0;
      same_q    <= '0;
      sampled_q <= 1'b0;
    end else if (starts) begin
      if (form_q.unit == unit_t'(UNIT_SAMPLE)) sampled_q <= 1'b1;
      for (int g = 0; g < int'(Groups); g++) begin
        if (form_q.dst_group && instr_q.dst == 4'(g)) begin
          value_q[g] <= releases ? '0 : result;
          if (!covers) begin
            value_q[g]       <= '0;
            value_q[g].taint <= value_q[g].taint | (releases ? '0 : all);
          end
          if (in_dst) begin
            there_q[g] <= 1'b1;
            own_q[g]   <= releases ? '0 : all;
          end
        end
      end
      for (int e = 0; e < int'(Errors); e++) if (form_q.dst_group && with_q[e] == instr_q.dst) same_q[e] <= 1'b0;
      for (int s = 0; s < int'(Slots); s++) begin
        if (form_q.dst_slot && instr_q.dst == 4'(s)) begin
          small_q[s] <= '0;
          if (instr_q.op == OP_SAMPLE) begin
            // a ternary sample and a CBD sample of one domain come from the same bytes
            small_q[s].taint.error   <= domain == {7'd1, error_i} && frame == frame_i;
            small_q[s].taint.sampled <= instr_q[TernaryLsb] || domain[7:1] != 7'd1;
            small_q[s].plain         <= !instr_q[TernaryLsb] && domain[7:1] == 7'd1;
            small_q[s].which         <= '{frame: frame, error: domain[0]};
          end else begin
            small_q[s].taint <= dst_slot.taint | a.taint;
            small_q[s].which <= dst_slot.which;
            // an error may be rounded with one product per program
            if (dst_slot.plain && a.taint.product && !a.taint.error &&
                (!rounds_q[dst_slot.which] || (same_q[dst_slot.which] && with_q[dst_slot.which] == instr_q.a))) begin
              small_q[s].rounded       <= u_dut.filled_q.tag == TAG_ROUNDED;
              rounds_q[dst_slot.which] <= rounds_q[dst_slot.which] || u_dut.filled_q.tag == TAG_ROUNDED;
              same_q[dst_slot.which]   <= same_q[dst_slot.which] || u_dut.filled_q.tag == TAG_ROUNDED;
              if (u_dut.filled_q.tag == TAG_ROUNDED) with_q[dst_slot.which] <= instr_q.a;
            end
          end
        end
      end
      for (int c = 0; c < int'(Contexts); c++) begin
        if (form_q.dst_context && instr_q.dst == 4'(c)) begin
          offset_q[c] <= offset;
          known_q[c]  <= instr_q[PointerLsb+:PointerBits] == '0 && instr_q.op == OP_CONTEXT;
        end
      end
    end
  end

  // operands of which a unit tells whether their words fit
  logic   told;
  taint_t told_taint;
  always_comb begin
    told = 1'b1;
    case (instr_q.op)
      OP_IFFT, OP_FFT: told_taint = dst.taint;
      OP_CENTRE, OP_SCALEW, OP_PIPEM: told_taint = a.taint;
      OP_MACW: told_taint = dst.taint | a.taint;
      OP_LIFTW: told_taint = b.taint;
      default: begin
        told_taint = '0;
        told = 1'b0;
      end
    endcase
  end

  // ---- what is promised ----
  always_ff @(posedge clk_i) begin
    if (reset_q) begin
      if (releases) assert (!Sealed && (masks || masks_a || masks_b || decrypts));
      if (Sealed && starts && (instr_q.op == OP_STOREF || instr_q.op == OP_NORM)) assert (a.taint == '0);
      if (masks_mine) assert (lifted_q && !released_q);
      if (lifts_mine) assert (!lifted_q);
      if (starts && form_q.unit == unit_t'(UNIT_STORE)) assert (a.taint == '0);
      if (starts && told) assert (!told_taint.loaded && !told_taint.sampled && !told_taint.error && !told_taint.product);
      if (streams) begin
        assert (both_rounded || both_plain);
        assert (first.which == {second.which.frame, 1'b0} && second.which.error && !no_encrypt_q && !seedless_q);
        assert (dst_slot.taint.sampled && !dst_slot.taint.error && !dst_slot.taint.message && !dst_slot.plain && !dst_slot.rounded);
      end
      if (streams_mine) assert (!lifted_q && !released_q);
      if (starts && lifts && seedless_q) assert (tag != TAG_MASK && tag != TAG_ROUNDED);
    end
  end

  // no place is read that nothing has written
  for (genvar g = 0; g < Groups; g++) begin : gen_there
    always_ff @(posedge clk_i) begin
      if (reset_q && starts) begin
        if (form_q.dst_group && form_q.reads_dst && instr_q.dst == 4'(g) && in_dst) assert (there_q[g]);
        if (form_q.a_group && instr_q.a == 4'(g) && in_a) assert (there_q[g]);
        if (form_q.b_group && instr_q.b == 4'(g) && in_b) assert (there_q[g]);
      end
      if (reset_q && run_q) begin
        if (there_q[g]) assert ((own_q[g] & ~value_q[g].taint) == '0);
        if (u_dut.group_q[g].tag == TAG_EMPTY) assert (!there_q[g] && own_q[g] == '0);
        if (!HasSlices) assert (there_q[g] == (u_dut.group_q[g].tag != TAG_EMPTY));
      end
    end
    if (HasSlices) begin : gen_fill
      always_ff @(posedge clk_i) begin
        if (reset_q && run_q) begin
          assert (there_q[g] == (unit_i < u_dut.gen_slices.fill_q[g]));
          assert ((u_dut.group_q[g].tag == TAG_EMPTY) == (u_dut.gen_slices.fill_q[g] == '0));
        end
      end
    end
  end

  // ---- what induction needs to know ----
  // what a tag says of an error is true: its frame is the one of its parity that is under way
  function automatic logic is_of(input which_t which, input logic odd, input logic error);
    return which == {LogFrames'(u_dut.current_q[odd]), error} && !u_dut.fresh_q[u_dut.current_q[odd]];
  endfunction

  logic mine_current;  // the current one is that of frame_i
  assign mine_current = u_dut.current_q[frame_i[0]] == FrameBits'(frame_i) && !u_dut.fresh_q[frame_i];
  always_ff @(posedge clk_i) begin
    if (reset_q) begin
      assert (!u_dut.current_q[0][0] && u_dut.current_q[1][0]);
      assert (32'(u_dut.current_q[0]) < Frames && 32'(u_dut.current_q[1]) < Frames);
      if (u_dut.fresh_q[frame_i]) assert (!lifted_q);
      if (seedless_q) assert (u_dut.fresh_q == '0);
      for (int f = 0; f < int'(Errors / 2); f++) begin
        if (run_q && u_dut.fresh_q[f]) assert (rounds_q[2*f+:2] == '0);
      end
    end
  end

  logic [Groups-1:0] mine_q;  // groups that carry error_i at offset_i
  for (genvar g = 0; g < Groups; g++) begin : gen_mine
    tag_e its;
    assign its = u_dut.group_q[g].tag;
    assign mine_q[g] = (its == TAG_MASK || its == TAG_ROUNDED) && value_q[g].which == this_one && value_q[g].offset == offset_i;
    always_ff @(posedge clk_i) begin
      if (reset_q && run_q) begin
        if (its == TAG_PUBLIC) assert (value_q[g].taint == '0);
        if (its == TAG_SECRET || its == TAG_PRODUCT) begin
          assert (!value_q[g].taint.error && !value_q[g].taint.message && value_q[g].taint != '0);
        end
        if (its == TAG_MESSAGE) begin
          assert (!value_q[g].taint.error && !value_q[g].taint.loaded && !value_q[g].taint.sampled && !value_q[g].taint.product);
        end
        if (its == TAG_PRODUCT) assert (value_q[g].taint.product);
        if (its == TAG_PUBLIC || its == TAG_SECRET || its == TAG_PRODUCT || its == TAG_MESSAGE) begin
          assert (!value_q[g].plain && !value_q[g].rounded && !value_q[g].reduced);
        end
        if (!sampled_q) assert (!value_q[g].taint.sampled && !value_q[g].taint.error && its != TAG_MASK && its != TAG_ROUNDED);
        if (its == TAG_MASK) assert (value_q[g].plain || value_q[g].reduced);
        if (its == TAG_ROUNDED) assert (value_q[g].rounded);
        if (its == TAG_MASK || its == TAG_ROUNDED) begin
          assert (32'(u_dut.group_q[g].ctx) < Contexts);
          assert (u_dut.odd_q[u_dut.group_q[g].ctx] == u_dut.group_q[g].odd);
          assert (is_of(value_q[g].which, u_dut.group_q[g].odd, u_dut.group_q[g].error));
          for (int c = 0; c < int'(Contexts); c++) begin
            if (u_dut.group_q[g].ctx == ContextBits'(c)) assert (known_q[c] && value_q[g].offset == offset_q[c]);
          end
        end
      end
    end
  end

  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    tag_e its;
    assign its = u_dut.slot_q[s].tag;
    always_ff @(posedge clk_i) begin
      if (reset_q && run_q) begin
        if (its == TAG_MASK) assert (small_q[s].plain);
        if (its == TAG_ROUNDED) assert (small_q[s].rounded);
        if (its == TAG_MASK || its == TAG_ROUNDED) assert (is_of(small_q[s].which, u_dut.slot_q[s].odd, u_dut.slot_q[s].error));
        if (its == TAG_SECRET)
          assert (small_q[s].taint.sampled && !small_q[s].taint.error && !small_q[s].taint.message &&
                  !small_q[s].plain && !small_q[s].rounded);
        if (!sampled_q) assert (its == TAG_EMPTY);
        assert (its != TAG_PUBLIC && its != TAG_PRODUCT && its != TAG_MESSAGE);
      end
    end
  end

  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    logic odd;
    assign odd = u_dut.odd_q[c];
    always_ff @(posedge clk_i) begin
      if (reset_q && run_q) begin
        if (u_dut.none_q[odd]) assert (u_dut.may_q[c] == '0 && !u_dut.is_newest_q[c]);
        if (u_dut.is_newest_q[c]) begin
          assert (known_q[c] && offset_q[c] == u_dut.newest_q[odd] && u_dut.may_q[c] == u_dut.newest_may_q[odd]);
        end
        if (u_dut.may_q[c] != '0) assert (known_q[c] && offset_q[c] <= u_dut.newest_q[odd]);
        if (u_dut.may_q[c] != '0 && !u_dut.is_newest_q[c]) assert (offset_q[c] != u_dut.newest_q[odd]);
        // one context at a time has a modulus that errors of these frames may be lifted to
        for (int d = 0; d < c; d++) begin
          if (u_dut.odd_q[d] == odd && offset_q[d] == offset_q[c]) begin
            assert (!(u_dut.may_q[c] != '0 || u_dut.is_newest_q[c]) || !(u_dut.may_q[d] != '0 || u_dut.is_newest_q[d]));
          end
        end
        if (lifted_q && mine_current && odd == frame_i[0] && known_q[c] && offset_q[c] == offset_i)
          assert (!u_dut.may_q[c][error_i]);
        if (!u_dut.context_q[c]) assert (u_dut.may_q[c] == '0 && !u_dut.is_newest_q[c]);
        if (seedless_q) assert (u_dut.may_q[c] == '0);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (reset_q) begin
      assert (32'(look_q) + 32'(judge_q) + 32'(held_q) <= 1);
      if (look_q || judge_q || held_q) assert (form_q == formed(instr_q.op));
      // without a seed no modulus is newer than all
      assert ((!run_q || !other_q) && (other_q || wiped_q == '0) && (seedless_q || wiped_q == '0));
      if (seedless_q && other_q) begin
        assert (wiped_q != '0);
        if (wiped_q >= 2'd2) assert (!u_dut.above_q && !u_dut.next_q);
        if (wiped_q == 2'd3) assert (!u_dut.newer_q);
      end
      if (seedless_q) assert (u_dut.none_q == '0 && u_dut.newest_may_q == '0 && u_dut.newest_q == '1);
      if (lifted_q && mine_current && !seedless_q) begin
        assert (!u_dut.none_q[frame_i[0]] && offset_i <= u_dut.newest_q[frame_i[0]]);
        if (offset_i == u_dut.newest_q[frame_i[0]]) assert (!u_dut.newest_may_q[frame_i[0]][error_i]);
      end
      if (released_q) assert (lifted_q);
      if (run_q) begin
        assert ((mine_q & (mine_q - 1'b1)) == '0);
        if (mine_q != '0) assert (lifted_q && !released_q);
        assert (u_dut.sampled_q == sampled_q);
        for (int p = 0; p < 2; p++) begin
          for (int e = 0; e < 2; e++) begin
            if (!u_dut.fresh_q[u_dut.current_q[p]]) begin
              assert (u_dut.linked_q[p][e] == rounds_q[{LogFrames'(u_dut.current_q[p]), 1'(e)}]);
              if (u_dut.linked_q[p][e]) begin
                assert (u_dut.link_q[p][e] == with_q[{LogFrames'(u_dut.current_q[p]), 1'(e)}]);
                assert (u_dut.broken_q[p][e] == !same_q[{LogFrames'(u_dut.current_q[p]), 1'(e)}]);
              end
            end
            if (!u_dut.linked_q[p][e]) assert (!u_dut.broken_q[p][e]);
          end
        end
        for (int e = 0; e < int'(Errors); e++) if (!rounds_q[e]) assert (!same_q[e]);
      end
      if ((judge_q || held_q) && !other_q) begin
        assert (u_dut.dst_q == u_dut.group_q[instr_q.dst] && u_dut.a_q == u_dut.group_q[instr_q.a]);
        assert (u_dut.b_q == u_dut.group_q[instr_q.b]);
        assert (u_dut.dst_slot_q == u_dut.slot_q[instr_q.dst[1:0]] && u_dut.a_slot_q == u_dut.slot_q[instr_q.a[1:0]]);
        if (HasPipe) begin
          assert (u_dut.first_q == u_dut.slot_q[2'(instr_q.dst+4'd1)]);
          assert (u_dut.second_q == u_dut.slot_q[2'(instr_q.dst+4'd2)]);
          for (int p = 0; p < 2; p++) begin
            assert (u_dut.linked_b_q[p] == (u_dut.linked_q[p][1] && !u_dut.broken_q[p][1] && u_dut.link_q[p][1] == instr_q.b));
          end
        end
        assert (u_dut.has_roots_q == u_dut.roots_q[u_dut.looked] && u_dut.has_twiddles_q == u_dut.twiddles_q[u_dut.looked]);
        assert (u_dut.has_context_q == u_dut.context_q[u_dut.looked]);
        assert (u_dut.ctx_may_q == u_dut.may_q[instr_q.ctx[ContextBits-1:0]]);
        assert (u_dut.ctx_odd_q == u_dut.odd_q[instr_q.ctx[ContextBits-1:0]]);
        for (int p = 0; p < 2; p++) begin
          for (int e = 0; e < 2; e++) begin
            assert (u_dut.linked_a_q[p][e] == (u_dut.linked_q[p][e] && !u_dut.broken_q[p][e] && u_dut.link_q[p][e] == instr_q.a));
          end
        end
      end
      // also when seeds of frames are new: what a stopped program has left is no news of others
      if ((judge_q || held_q) && wiped_q == '0) begin
        assert (u_dut.above_q == (offset > u_dut.newest_q[u_dut.parity]));
        assert (u_dut.same_q == (offset == u_dut.newest_q[u_dut.parity]));
      end
      if (held_q && wiped_q == '0) begin
        if (u_dut.newer_q) assert (u_dut.counts && (u_dut.none_q[u_dut.parity] || u_dut.above_q));
        if (u_dut.next_q) assert (form_q.unit == unit_t'(UNIT_SAMPLE) && u_dut.fresh_q[frame]);
      end
      if ((judge_q || held_q) && !other_q && run_q) begin
        assert ({torn_q, beyond_q, partial_q, size_q} == {torn, beyond, partial, size});
        assert ({first_q, dst_end_q, a_end_q, b_end_q} == {first_unit, dst_end, a_end, b_end});
      end
      if (held_q && !other_q) begin
        if (run_q) assert (u_dut.result_q == u_dut.result);
        assert (u_dut.lifts_q == u_dut.lifts && u_dut.takes_a_q == u_dut.takes_a && u_dut.error_q == u_dut.error);
        assert (u_dut.filled_q == u_dut.filled && u_dut.newer_q == u_dut.newer && u_dut.again_q == u_dut.again);
        assert (u_dut.odd_lifted_q == u_dut.odd && u_dut.next_q == u_dut.next);
        if (run_q) assert (u_dut.pipes_q == u_dut.pipes);
        if (u_dut.pipes_q) assert (form_q.dst_slots);
        if (HasPipe) assert (u_dut.pipe_odd_q == u_dut.first_q.odd);
      end
    end
  end

  if (HasSlices) begin : gen_looked_up
    function automatic logic [UnitBits-1:0] fill_of(input logic [3:0] group);
      fill_of = '0;
      for (int g = 0; g < int'(Groups); g++) if (group == 4'(g)) fill_of = u_dut.gen_slices.fill_q[g];
    endfunction
    always_ff @(posedge clk_i) begin
      if (reset_q && run_q) begin
        if (judge_q || held_q) begin
          assert (u_dut.gen_slices.dst_fill_q == fill_of(instr_q.dst));
          assert (u_dut.gen_slices.a_fill_q == fill_of(instr_q.a) && u_dut.gen_slices.b_fill_q == fill_of(instr_q.b));
        end
        if (held_q) assert (u_dut.gen_slices.filled_end_q == u_dut.gen_slices.filled_end);
      end
    end
  end

endmodule
