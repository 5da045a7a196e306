# SPDX-License-Identifier: Apache-2.0
"""Proofs about issue, tags and faults for all programs and all times, by induction; each with mutants that must fail."""

import re
import tomllib
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from rs_block import refuted, soak
from rs_cocotb import rtl
from rs_formal import invariant, prove

HERE = Path(__file__).parent
ISSUE = ("rs_isa_pkg", "rs_checked", "rs_slice_spans", "rs_field_decode", "rs_decode", "rs_scoreboard")
ISSUE += ("rs_tags", "rs_seal_sign", "rs_seal", "rs_issue")
SOURCES = {
    "rs_issue_formal": ISSUE,
    "rs_field_order_formal": ISSUE,
    "rs_seal_formal": ("rs_isa_pkg", "rs_checked", "rs_field_decode", "rs_seal_sign", "rs_seal"),
    "rs_sign_formal": ("rs_isa_pkg", "rs_checked", "rs_field_decode", "rs_seal_sign", "rs_seal"),
    "rs_tags_formal": ("rs_isa_pkg", "rs_slice_spans", "rs_tags"),
    "rs_secrets_formal": ("rs_ram_1rw", *ISSUE, "rs_fetch", "rs_sequencer"),
    "rs_fetch_formal": ("rs_ram_1rw", "rs_fetch"),
    "rs_sequencer_formal": ("rs_ram_1rw", *ISSUE, "rs_fetch", "rs_sequencer"),
}


PIPE = {"HasPipe": 1, "Slots": 3}
WORDS = PIPE | {"HasEncode": 1}  # PIPEM too, where a proof builds no encode by itself
SLICES = {"HasSlices": 1, "HasPipe": 0, "Groups": 2, "Slots": 2}
FOREIGN = "foreign);\n    if (is_key)"
LINES_OF_FIELDS = "(EndBits'(half_lines) + EndBits'(1)) >> 1"
KEPT_SECRETS = "assign stays_inside = (stores && vault && private_part) ||"
WIPED = "is_public(tag_q[d]) && (!cleared_i || wiped_q) ? DIGEST_OPEN : DIGEST_LOST;"
# lines behind what is changed, by which it is found
HASHED = ")\n        tag[d] = DIGEST_HASHED;\n      if ((stores"
ENABLED = ",\n      .en_i   (issue_i && writes_secrets)"
REFUSED = "checks.refused = (secret && !kept_in) || unsealed;"
ASKED = "assign secret_o = refuses;"
OF_UNIT = "is_built(u, HasPipe, HasFields) && form_q.unit == unit_t'(u)"
NO_PIPE = {"rs_tags_formal": {"HasPipe": 0, "Slots": 2}}


def holds(top, mutation=None, parameters=None, *, copies=2):
    """copies: of rs_secrets_formal; what refutes a mutant is in the first one."""
    method = invariant(2)
    if top in ("rs_secrets_formal", "rs_field_order_formal"):  # the RTL's own assertions are proved by the others
        method = replace(method, options=("-D", "RS_ONE_COPY") if mutation or copies == 1 else ())
    return prove(method, rtl(*SOURCES[top]), [HERE / f"{top}.sv"], parameters or NO_PIPE.get(top, {}), mutation)


# the one of two copies takes as long as all others
@pytest.mark.alike(3)
@pytest.mark.parametrize("top", [*(top for top in SOURCES if top != "rs_secrets_formal"), *soak("rs_secrets_formal")])
def test_proof(top):
    assert holds(top)


@pytest.mark.parametrize(
    "top", ["rs_sequencer_formal", *soak("rs_tags_formal", "rs_secrets_formal", "rs_issue_formal")]
)
def test_proof_with_pipe(top):
    assert holds(top, parameters=PIPE)


@pytest.mark.parametrize("top", ["rs_sequencer_formal", *soak("rs_issue_formal")])
def test_proof_with_words(top):
    assert holds(top, parameters=WORDS)


test_wrong_seals_are_not_proved = refuted(
    partial(holds, "rs_seal_formal"),
    # a message out, a key without a choice, a choice without a comparison, or by another one
    ("return is_public(digest) || digest == DIGEST_SHARED;", "return digest != DIGEST_ROOT && digest != DIGEST_LOST;"),
    ("return is_public(digest) || digest == DIGEST_SHARED;", "return is_public(digest) || digest == DIGEST_KEY;"),
    ("tag_q[made] != DIGEST_MADE ||", ""),
    ("tag_q[a] != DIGEST_GIVEN ||", ""),
    # an old comparison: the message is another one; or nothing was made again since
    ("if (message && tag_q[d] inside {DIGEST_KEY, DIGEST_MADE})", "if (message && tag_q[d] inside {DIGEST_KEY})"),
    ("else if (message && step_q != STEP_NONE) step = STEP_DECODED;", ""),
    # the ciphertext may change between decoding and comparison; or be none
    ("&& part == 2'd2) step = STEP_GIVEN;", "&& part == 2'd2 && step_q == STEP_NONE) step = STEP_GIVEN;"),
    (f"tag_q[d] inside {{DIGEST_KEY, DIGEST_REFUSAL, DIGEST_MADE}}{HASHED}", f"0{HASHED}"),
    # coins mask: what is made of a secret seed counts as public, or what comes back from the vault
    ("assign hides_seed = draws && hidden_seed;", "assign hides_seed = 1'b0;"),
    ("told = told || (private_part && !word[SecretLsb]);", ""),
    # a secret group leaves; or goes where things are public
    (KEPT_SECRETS, "assign stays_inside = (stores && vault) ||"),
    (KEPT_SECRETS, "assign stays_inside = (stores && private_part) ||"),
    # digests of another program, or of one that was stopped; behind the first one of a challenge
    (WIPED, "DIGEST_OPEN;"),
    ("&& (!cleared_i || wiped_q) ? DIGEST_OPEN", "? DIGEST_OPEN"),
    ("(word[DrawLsb+:4] == 4'(DrawBall) && DigestBits'(d) - seed < DigestBits'(BallDigests))", "1'b0"),
    # what is bound to a key changes under it; beyond a part
    ("(part == 2'd0 && !keyed_q)", "part == 2'd0"),
    ("last > EndBits'(VaultLines)", "last > EndBits'(VaultLines + 1)"),
    (LINES_OF_FIELDS, "EndBits'(1)"),
    alike=30,
    mark="slow",
)

test_what_another_program_left_is_not_its_own = refuted(
    partial(holds, "rs_seal_formal"),
    # what another program has left in the vault: by any program with a key, once it has one, behind its own first line, or beside half a line
    (FOREIGN, "!keyed_q);\n    if (is_key)"),
    (f".clear_i(clear_i || forget_i){ENABLED}", f".clear_i(forget_i){ENABLED}"),
    ("assign foreign = (touched & ~written_q) != '0;", "assign foreign = !written_q[line];"),
    (LINES_OF_FIELDS, "(EndBits'(half_lines) + EndBits'(2)) >> 1"),
    ("EndBits'((bytes + (BytesBits + 1)'(63)) >> 6)", "EndBits'(bytes >> 6)"),
    ("(is_hash || loads_digests || loads);", "(is_hash || loads_digests);"),
    # keys of both slots in one program
    ("if (is_key) told = keyed_q;", ""),
    # an operation that nobody has thought of
    ("beyond = 1'b1;\n    lines", "beyond = 1'b0;\n    lines"),
    alike=30,
    mark="slow",
)

test_wrong_signatures_are_not_proved = refuted(
    partial(holds, "rs_sign_formal"),
    # parts leave before all checks; y leaves, or z before its own
    ("passed_q == '1 && clean_q", "clean_q"),
    ("(sign_q[a] == SIGN_HELD_OK ||", "(sign_q[a] == SIGN_MASK ||"),
    ("(sign_q[a] == SIGN_HELD_OK ||", "(sign_q[a] == SIGN_HELD_OK || sign_q[a] == SIGN_HELD ||"),
    ("== SIGN_REST_OK || sign_q[a] == SIGN_SUM) && shrink == STORE_HIGH", "== SIGN_REST_OK || sign_q[a] == SIGN_SUM)"),
    # any bound is one; of fewer polynomials, or of those of the other gamma2
    ("assign wide_enough = 9'(word[MarginLsb+:MarginBits]) >= beta;", "assign wide_enough = 1'b1;"),
    ("whole_fields && fields == count_q[a]", "whole_fields"),
    ("norm == (short_q ? NORM_LOW_32 : NORM_LOW_88)", "norm == NORM_LOW_32"),
    ("assign beta = eta4_q ?", "assign beta = 1'b0 ?"),
    # a mask masks twice; is drawn twice of one round, or of numbers that overlap
    (
        "] == SIGN_MASK && sign_q[a] == SIGN_PRODUCT_C)",
        "] inside {SIGN_MASK, SIGN_HELD} && sign_q[a] == SIGN_PRODUCT_C)",
    ),
    ("whole_draw &&\n      step_q == STEP_SEEDED;", "whole_draw;"),
    ("blocks_o = of_mask && 32'(word[NumberLsb+:NumberBits]) >= SignRounds;", "blocks_o = 1'b0;"),
    # something of outside decides over the challenge: constants, a matrix, fields of another program; mu or w1 that change
    ("OP_LOAD, OP_CONTEXT: clean = clean_q && vault;", "OP_LOAD: clean = clean_q && vault;"),
    ("OP_DRAW: clean = clean_q &&", "OP_DRAW: clean = clean_q; 6'd63: clean ="),
    ("((vault && part == 2'd0) || loaded != SIGN_NONE)", "vault"),
    ("step_q <= STEP_GIVEN && public_i[front]", "public_i[front]"),
    ("step_q >= STEP_COMMITTED && line < LineBits'(VaultHigh)", "1'b0"),
    ("line == '0 ? step_q != STEP_BEGUN :", "line == '0 ? 1'b0 :"),
    ("mark_q[front] == MARK_CHALLENGE && mark_q[front+1'b1] == MARK_CHALLENGE", "mark_q[front] == MARK_CHALLENGE"),
    # the challenge leaves before the parts, or does not wait for them
    ("else allows_o = released_q;", "else allows_o = 1'b1;"),
    ("assign waits_for_pack = stores_digests && !vault && allows;", "assign waits_for_pack = 1'b0;"),
    # a challenge, or a key, of another scale
    ("if (sign_q[dst] == SIGN_SMALL_R) made = SIGN_SMALL_T;", "if (sign_q[dst] == SIGN_SMALL) made = SIGN_SMALL_T;"),
    # w, or t, of something else
    ("sign_q[a] == SIGN_W && fields == count_q[a] &&", ""),
    ("whole_fields && sign_q[a] == SIGN_T && fields == count_q[a];", "whole_fields;"),
    ("== SIGN_W_T && sign_q[b] == SIGN_MASK_T) made = SIGN_W_T;", "== SIGN_W_T) made = SIGN_W_T;"),
    # an answer that is told, one that is not kept
    ("assign keeps_o = checked != SIGN_NONE;", "assign keeps_o = 1'b0;"),
    ("assign marks_unit = keeps || releases;", "assign marks_unit = keeps;"),
    alike=30,
    mark="slow",
)

test_wrong_order_of_fields_is_not_proved = refuted(
    partial(holds, "rs_field_order_formal"),
    # a hash does not wait for PACK, PACK not for a line of digests, or for the one before
    ("assign taken = unit_i[u] || hears_i;", "assign taken = unit_i[u];"),
    ("assign taken = unit_i[u] || (moves_i && stores_q);", "assign taken = unit_i[u];"),
    ("if (issue[u]) stores_q <= stores_i;", "if (start[u]) stores_q <= moves_i;"),
    ("(instr_q.op == OP_HASH || instr_q.op == OP_LOADD)", "instr_q.op == OP_HASH"),
    alike=30,
    mark="slow",
)


SEALED = {"Sealed": 1, "HasPipe": 0, "Groups": 2, "Slots": 2}


@pytest.mark.soak
def test_tags_of_a_sealed_core():
    assert holds("rs_tags_formal", parameters=SEALED)


test_wrong_tags_of_a_sealed_core_are_not_proved = refuted(
    partial(holds, "rs_tags_formal", parameters=SEALED),
    # coins mask, by being public; a decryption, or a product that something masks, is public
    ("assign made = hidden_i ? TAG_SECRET : tag_of_group", "assign made = tag_of_group"),
    ("is.decrypts = !no_decrypt_i && !sampled_q;", "is.decrypts = !sampled_q;"),
    ("is.encrypts = !no_encrypt_i;", "is.encrypts = 1'b1;"),
    alike=30,
    mark="slow",
)


KEYS = {"Sealed": 1, "Stops": 1, "Mixed": 1, "Groups": 2, "Contexts": 1, "Slots": 0}


@pytest.mark.soak
def test_what_a_sealed_core_tells():
    assert holds("rs_secrets_formal", parameters=KEYS)


test_what_tells_of_a_key_is_not_proved = refuted(
    partial(holds, "rs_secrets_formal", parameters=KEYS),
    # a fault of NORM or of STOREF tells: of any group, of polynomials of a key, of what comes back from the vault
    (REFUSED, "checks.refused = unsealed;"),
    (REFUSED, "checks.refused = (secret && !kept_in && instr_q.op != OP_NORM) || unsealed;"),
    ("assign made = hidden_i ? TAG_SECRET : tag_of_group", "assign made = tag_of_group"),
    ("assign hides_seed = draws && hidden_seed;", "assign hides_seed = draws && tag_q[seed] == DIGEST_ROOT;"),
    ("(word[LongSeedLsb] && DigestBits'(d) == seed + 1'b1)", "1'b0"),
    ("told = told || (private_part && !word[SecretLsb]);", ""),
    # PACK tells the answer of a check at once
    ("assign marks_unit = keeps || releases;", "assign marks_unit = releases;"),
    # what is made of a secret counts as public: a hash, a digest of another program
    ("hashed = hides ? DIGEST_HASHED : DIGEST_OPEN;", "hashed = DIGEST_OPEN;"),
    ("((prefix || append) && !is_public(tag_q[a]))", "(append && !is_public(tag_q[a]))"),
    ("memory && private_part ? DIGEST_RAW : DIGEST_OPEN;", "DIGEST_OPEN;"),
    (WIPED, "cleared_i && !wiped_q ? DIGEST_LOST : DIGEST_OPEN;"),
    (KEPT_SECRETS, "assign stays_inside = (stores && vault) ||"),
    # the old digest, where a program was stopped before there was a new one; digests of a challenge behind the first one
    ("&& (!cleared_i || wiped_q) ? DIGEST_OPEN", "? DIGEST_OPEN"),
    ("(word[DrawLsb+:4] == 4'(DrawBall) && DigestBits'(d) - seed < DigestBits'(BallDigests))", "1'b0"),
    (".issue_i (commit_q && !hold_i),", ".issue_i (commit_q),"),
    # constants and words from the vault's secrets
    ("beyond = word[OffsetLsb+LineBits+:OffsetBits-LineBits] != '0 ||", "beyond ="),
    # not in the way of a start
    (REFUSED, "checks.refused = secret && !kept_in;"),
    mark="soak",
)


OTHER = KEYS | {"Other": 1}


@pytest.mark.parametrize("copies", [pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.soak)])
def test_what_a_program_without_the_key_gets(copies):
    assert holds("rs_secrets_formal", parameters=OTHER, copies=copies)


test_what_it_would_get_is_not_proved = refuted(
    partial(holds, "rs_secrets_formal", parameters=OTHER),
    # lines of another program: of any with a key, of the program before, behind its own first line, by one of three ways
    (FOREIGN, "!keyed_q);\n    if (is_key)"),
    (f".clear_i(clear_i || forget_i){ENABLED}", f".clear_i(forget_i){ENABLED}"),
    ("assign foreign = (touched & ~written_q) != '0;", "assign foreign = !written_q[line];"),
    ("(is_hash || loads_digests || loads);", "(is_hash || loads);"),
    # digests and groups that it has left
    (WIPED, "is_public(tag_q[d]) && (!cleared_i || wiped_q) ? DIGEST_OPEN : tag_q[d];"),
    ("&& (!cleared_i || wiped_q) ? DIGEST_OPEN", "? DIGEST_OPEN"),
    ("if (clear_i) group_q[g].tag <= TAG_EMPTY;", "if (0) group_q[g].tag <= TAG_EMPTY;"),
    ("first_i > dst_fill_q ||", "0 ||"),
    mark="soak",
)


def test_tags_of_slices():
    assert holds("rs_tags_formal", parameters=SLICES)


test_wrong_tags_of_slices_are_not_proved = refuted(
    partial(holds, "rs_tags_formal", parameters=SLICES),
    # what is written over a part says the tag of all; or what was there
    ("assign covers = first_i == '0 && dst_end_i >= dst_fill_q;", "assign covers = dst_end_i >= dst_fill_q;"),
    ("assign covers = first_i == '0 && dst_end_i >= dst_fill_q;", "assign covers = first_i == '0;"),
    ("covers ? made : tag_mixed(dst_q.tag, made, is)", "covers ? made : dst_q.tag"),
    ("if (dst == TAG_PUBLIC && term == TAG_PUBLIC) tag = TAG_PUBLIC;", "if (term == TAG_PUBLIC) tag = TAG_PUBLIC;"),
    # what another program has left: behind a gap, behind what was written, after this program's beginning
    ("first_i > dst_fill_q ||", ""),
    ("(form_i.reads_dst && dst_end_i > dst_fill_q)", "1'b0"),
    ("(form_i.a_group && a_end_i > a_fill_q)", "1'b0"),
    ("(form_i.b_group && b_end_i > b_fill_q)", "1'b0"),
    ("dst_end_i > dst_fill_q ? dst_end_i : dst_fill_q", "'1"),
    ("if (clear_i) fill_q[g] <= '0;", "if (0) fill_q[g] <= '0;"),
    # slices off by one, or of another size
    ("EndBits'(instr_i.slices) + EndBits'(1)", "EndBits'(instr_i.slices)"),
    ("shift = size - 4'(LogSizeMin)", "shift = size - 4'(LogSizeMin + 1)"),
    ("2'(B_MAP_PAIR): b_count = EndBits'(2);", "2'(B_MAP_PAIR): b_count = EndBits'(1);"),
    alike=30,
    mark="slow",
)

test_wrong_pipe_is_not_proved = refuted(
    partial(holds, "rs_tags_formal", parameters=PIPE),
    # u is no ternary sample; an error is none, or the wrong one, or of another frame
    ("is.unlifted && slot == TAG_SECRET && first == TAG_MASK", "is.unlifted && first == TAG_MASK"),
    ("may = is.encrypts && is.paired && is.both_linked", "may = is.paired && is.both_linked"),
    ("first == TAG_ROUNDED &&", "first == TAG_MASK &&"),
    ("first == TAG_MASK && second == TAG_MASK", "first == TAG_MASK && second != TAG_EMPTY"),
    ("!first_q.error && second_q.error &&", "!first_q.error &&"),
    ("&& first_q.odd == second_q.odd;", ";"),
    # another product than the one that was rounded with, or none
    ("is.paired && is.both_linked &&", "is.paired &&"),
    ("linked_a_q[first_q.odd][0] && linked_b_q[first_q.odd];", "linked_a_q[first_q.odd][0];"),
    ("!broken_q[p][1] && link_q[p][1] == instr_i.b", "link_q[p][1] == instr_i.b"),
    # an error that has been lifted; one that is lifted later, or streamed again
    ("is.unlifted = none_q[first_q.odd];", "is.unlifted = 1'b1;"),
    ("else if (issue_i && pipes_q && pipe_odd_q == 1'(p)) begin", "else if (0) begin"),
    ("assign secret_o = refuses;", "assign secret_o = refuses && !(form_i.dst_slots && form_i.a_group);"),
    # words of a message that are none: of a product, of an error
    ("is.unlifted && readable(a, is.encode)", "is.unlifted && (readable(a, is.encode) || a == TAG_PRODUCT)"),
    ("is.unlifted && readable(a, is.encode)", "is.unlifted && (readable(a, is.encode) || a == TAG_MASK)"),
    alike=30,
    mark="slow",
)

test_wrong_issue_of_pipe_is_not_proved = refuted(
    partial(holds, "rs_issue_formal", parameters=PIPE),
    # the third slot is not held
    ("dst | {dst[14:0], 1'b0} | {dst[13:0], 2'b0}", "dst | {dst[14:0], 1'b0}"),
    # the end without DRAIN; behind another instruction of PIPE
    ("checks.undrained = is_end && undrained;", "checks.undrained = 1'b0;"),
    ("form_q.limbs || (undrained_q && instr_q.op != OP_DRAIN)", "form_q.limbs"),
    # the message of another frame
    ("streams ? 5'd7 : 5'(word.b)", "5'(word.b)"),
    ("return {1'b1, frame};", "return {2'b10, frame[FrameBits-2:0]};"),
    mark="soak",  # a minute each
)


@pytest.mark.slow
def test_what_a_core_with_pipe_tells():
    """Of one copy: no unit tells of words that differ."""
    assert holds("rs_secrets_formal", parameters=PIPE, copies=1)


test_wrong_issue_of_words_is_not_proved = refuted(
    partial(holds, "rs_issue_formal", parameters=WORDS),
    # PIPEM: its group, or a slot, is not held; words that are secret; an end without DRAIN; another place
    ("({16{form_i.a_group}} & a)", "({16{form_i.a_group && instr_i.op != OP_PIPEM}} & a)"),
    ("({16{HasPipe && form_i.dst_slots}} &", "({16{HasPipe && form_i.dst_slots && !form_i.encode}} &"),
    (ASKED, "assign secret_o = refuses && instr_i.op != OP_PIPEM;"),
    ("form_q.limbs || (undrained_q &&", "(form_q.limbs && !form_q.encode) || (undrained_q &&"),
    ("(HasEncode && word.op == OP_PIPEM)", "1'b0"),
    mark="soak",
)

test_what_tells_of_streamed_words_is_not_proved = refuted(
    partial(holds, "rs_secrets_formal", parameters=PIPE),
    # VALUE of PIPEM: of all words, of products, of samples and what has been loaded as a secret
    (ASKED, "assign secret_o = refuses && instr_i.op != OP_PIPEM;"),
    ("is.unlifted && readable(a, is.encode)", "is.unlifted && (readable(a, is.encode) || a == TAG_PRODUCT)"),
    ("is.unlifted && readable(a, is.encode)", "is.unlifted && (readable(a, is.encode) || a == TAG_SECRET)"),
    mark="soak",
)

test_wrong_issue_is_not_proved = refuted(
    partial(holds, "rs_issue_formal"),
    ("(slots_i & slots_q[u]) != '0", "1'b0"),
    ("turn_q == 2'(Turn) ||", "1'b0 ||"),  # a fourth instruction of LOAD
    ("ALLOW_STORED: may = a == TAG_PUBLIC;", "ALLOW_STORED: may = a != TAG_SECRET;"),
    (REFUSED, "checks.refused = (secret && form_q.ctx && !kept_in) || unsealed;"),
    # an offset makes up for a pointer that is not set
    ("<= pointer_q[5:0] != '0;", "<= pointer_q[5:0] != '0 && bits[OffsetLsb+:6] == '0;"),
    *soak(
        # rs_decode
        ("({16{form_i.b_group}} & b)", "({16{form_i.b_group}} & a)"),
        ("64'(instr_i) & ~form_i.bits &", "{32'd0, 32'(instr_i)} & ~form_i.bits &"),
        # rs_scoreboard
        ("(ctx_read_q[u] | ctx_write_q[u])", "ctx_write_q[u]"),
        ("assign conflict = taken ||", "assign conflict ="),
        # rules of LOAD: words of another width, a message beside another one, two contexts; the wrong one is released
        ("wide_i != wide_q[Turn] ||", "1'b0 ||"),  # a minute
        ("message_i || message_q[Turn] ||", "message_i ||"),
        ("(ctx_write_i != '0 && ctx_write_q[u] != '0)", "1'b0"),
        ("release_i[UNIT_LOAD] && end_q == 2'(l)", "release_i[UNIT_LOAD] && end_q != 2'(l)"),
        # a unit reads a context that LOAD still brings (a minute); a context comes before what LOAD still compares with it
        ("unit_i[u];\n        assign comes = 1'b0;", "unit_i[u];\n        assign comes = 1'b1;"),
        ("(ctx_write_i & (ctx_read_q[u] | ctx_write_q[u])) != '0", "(!comes && ctx_write_i != '0)"),
        ("release_i[UNIT_LOAD] && busy_o[UNIT_LOAD]", "release_i[UNIT_LOAD]"),
        ("load_stream_q[load_turn] <=", "load_stream_q[load_end] <="),
        # rs_tags
        ("(form_i.b_group && b_q.tag == TAG_EMPTY) ||", ""),
        # rs_issue
        ("ready_q && free", "ready_q"),
        ("issue_q & ~{Units{hold_i}}", "issue_q"),
        ("!look_q && !judge_q && !held_q", "!judge_q && !held_q"),
        ("ready = fault == FAULT_NONE && !is_end", "ready = !is_end"),
        ("form_q.memory && misaligned_q", "form_q.memory && misaligned_q && form_q.wide"),
        ("if (!rst_ni || clear_i) expanding_q <= 1'b0;", "if (!rst_ni) expanding_q <= 1'b0;"),
    ),
    alike=30,
    mark="slow",
)

test_wrong_tags_are_not_proved = refuted(
    partial(holds, "rs_tags_formal"),
    *soak(("return tag == TAG_SECRET || tag == TAG_PRODUCT;", "return tag == TAG_SECRET;")),
    ("ALLOW_STORED: may = a == TAG_PUBLIC;", "ALLOW_STORED: may = a != TAG_SECRET;"),
    # a sum that is masked
    ("if (is.here && is.encrypts && dst == TAG_MASK", "if (is.encrypts && dst == TAG_MASK"),
    ("is.here_a && is.encrypts", "is.encrypts"),
    ("is.encrypts && dst == TAG_MASK && term == TAG_PRODUCT)", "is.encrypts && dst == TAG_MASK && hidden(term))"),
    ("else if (unfit(b, is.encode)) tag = TAG_SPENT;", ""),
    ("TERM_STREAMED:", "TERM_STREAMED: if (1) tag = a; else"),
    ("TERM_STREAMED:", "TERM_STREAMED: if (1) tag = TAG_PRODUCT; else"),
    ("else if (takes_a_q && instr_i.a == 4'(g))", "else if (0)"),
    ("is.encrypts = !no_encrypt_i;", "is.encrypts = 1'b1;"),
    # a sum that decrypts
    ("!no_decrypt_i && !sampled_q", "!no_decrypt_i"),
    ("!no_decrypt_i && !sampled_q", "!sampled_q"),
    # what keeps a mask
    ("if (!is.here && erroneous(dst)) tag = TAG_SPENT;", "if (0) tag = TAG_SPENT;"),
    ("if (unfit(term, is.encode)) tag = TAG_SPENT;\n      else tag = term;", "tag = term;"),
    ("if (is.error && !is.slots) tag = TAG_MASK;", "if (is.error) tag = TAG_MASK;"),
    ("is.linked = linked_a_q[dst_q.odd][dst_q.error];", "is.linked = 1'b1;"),
    ("is.unlinked && dst == TAG_MASK", "dst == TAG_MASK"),
    ("broken_q[p][e] <= linked_q[p][e]", "broken_q[p][e] <= 1'b0"),
    ("(form_i.dst_context && erroneous(group_q[g].tag)", "(1'b0 && erroneous(group_q[g].tag)"),
    # what is lifted
    ("!word[FactorLsb] && ctx_may_q[a_slot_q.error] &&", "!word[FactorLsb] &&"),
    ("!word[FactorLsb] && ctx_may_q[a_slot_q.error] &&", "ctx_may_q[a_slot_q.error] &&"),
    ("is.errors = word[DomainLsb+1+:DomainBits-1] == 7'd1;", "is.errors = !word[TernaryLsb];"),
    ("lifts_q && ctx == 2'(i)", "1'b0"),
    # onto a product: locked, of another error than a mask, lifted twice; onto something else; onto a product it stays a mask
    ("is.lifts && is.encrypts && slot == TAG_MASK &&", "is.lifts && slot == TAG_MASK &&"),
    ("is.lifts && is.encrypts && slot == TAG_MASK &&", "is.lifts && is.encrypts &&"),
    ("is.lifts && is.encrypts && slot == TAG_MASK &&", "is.encrypts && slot == TAG_MASK &&"),
    ("slot == TAG_MASK && term == TAG_PRODUCT) tag", "slot == TAG_MASK && hidden(term)) tag"),
    ("slot == TAG_MASK && term == TAG_PUBLIC) tag = TAG_MASK;", "slot == TAG_MASK) tag = TAG_MASK;"),
    ("form_i.rule == RULE_ONTO ||", ""),
    # one modulus in two contexts
    ("(form_i.dst_context && again_q) begin", "(1'b0) begin"),
    ("else if (issue_i && lifts_q && ctx_odd_q == 1'(p) && is_newest_q[ctx]) begin", "else if (0) begin"),
    ("newer_q ? 2'b11 : again_q ? newest_may_q[parity] : 2'b00", "newer_q ? 2'b11 : newest_may_q[parity]"),
    # frames: a seed that is not new, an error of the frame before in a slot, in a group; moduli of another frame, of the frame before
    ("form_i.unit == unit_t'(UNIT_SAMPLE) && fresh_q[frame]", "form_i.unit == unit_t'(UNIT_SAMPLE)"),
    ("else if (issue_i && next_q && frame == FrameBits'(f)) fresh_q[f] <= 1'b0;", ""),
    ("is.errors && is.under_way)", "is.errors)"),
    ("(ends(slot_q[i].tag, slot_q[i].odd) || piped)", "piped"),
    ("else if (ends(group_q[g].tag, group_q[g].odd))", "else if (0)"),
    ("&& ctx_odd_q == a_slot_q.odd &&", "&&"),
    ("HasFrames && next_q) begin\n            if (odd_q[i] == frame[0]) begin", "0) begin\n            if (0) begin"),
    ("if (HasFrames && next_q && frame[0] == 1'(p)) begin", "if (0) begin"),
    ("else if (issue_i && newer_q && parity == 1'(p)) begin", "else if (issue_i && newer_q) begin"),
    ("(!HasFrames || frame_i == FrameBits'(p))", "(!HasFrames || frame_i[0] == 1'(p))"),
    ("if (forget_i) fresh_q[f] <= 1'b0;", "if (0) fresh_q[f] <= 1'b0;"),
    ("word[PointerLsb+:PointerBits] == '0 &&", ""),
    ("(none_q[parity] || above_q)", "1'b1"),
    ("offset > newest_q[parity];", "offset >= newest_q[parity];"),
    ("if (forget_i) begin", "if (0) begin"),
    # what a program has left behind when it was stopped
    ("if (forget_i) begin", "if (forget_i && !issue_i) begin"),
    # messages, and words of other things
    ("tag == TAG_SPENT || (encode && tag == TAG_MESSAGE)", "tag == TAG_SPENT"),
    *soak(("f.rule = RULE_LIFTED_WORDS;", "f.rule = RULE_LIFTED;")),
    # sums of words: what is added is a secret, or what it is added to
    ("term == TAG_MESSAGE) tag = TAG_MESSAGE;", "term == TAG_MESSAGE) tag = dst;"),
    ("term == TAG_PUBLIC) tag = dst;", "term == TAG_PUBLIC) tag = TAG_PUBLIC;"),
    *soak((" &&\n      !(HasEncode && form_i.encode)", "")),
    alike=30,
    mark="slow",
)


# what says whether words fit does not start on secrets: but for one operation, or one kind of secret
ISA = tomllib.loads((HERE.parent / "isa.toml").read_text(encoding="utf-8"))
READABLE = "return tag == TAG_PUBLIC || (encode && tag == TAG_MESSAGE);"
TOLD_SUM = "(readable(dst, is.encode) && readable(a, is.encode))"
OPENED = {
    **{
        name: (ASKED, f"assign secret_o = refuses && instr_i.op != OP_{name};")
        for name, op in ISA["op"].items()
        if op.get("allow", "").startswith("told_")
    },
    "LIFTW of a product": (ASKED, "assign secret_o = refuses && !(instr_i.op == OP_LIFTW && b_q.tag == TAG_PRODUCT);"),
    "MACW, a alone": (TOLD_SUM, "readable(a, is.encode)"),
    "MACW, dst alone": (TOLD_SUM, "readable(dst, is.encode)"),
    "errors": (READABLE, f"{READABLE[:-1]} || tag == TAG_MASK;"),
    "samples and loaded secrets": (READABLE, f"{READABLE[:-1]} || tag == TAG_SECRET;"),
    "all": (ASKED, "assign secret_o = refuses && (form_i.unit == unit_t'(UNIT_STORE) || form_i.dst_slots);"),
    "not in the way of a start": (
        REFUSED,
        "checks.refused = (secret && form_q.unit == unit_t'(UNIT_STORE) && !kept_in) || unsealed;",
    ),
}


# operations with public words alone, and so beside the table; and those of a sealed core
STORES = {"STORE", "STORES", "STOREF", "NORM", "DRAW", "LOADF", "CONTEXT", "CONSTANTS", "STORED"}


def test_what_is_opened_is_what_tells():
    """The hand-written statements of the proofs name the same operations as the table: nobody forgot one of either."""
    table = {name for name, op in ISA["op"].items() if op.get("allow", "").startswith(("told_", "streamed_words"))}
    for top in ("rs_tags_formal", "rs_secrets_formal"):
        text = (HERE / f"{top}.sv").read_text(encoding="utf-8")
        cases = re.findall(r"^ *((?:OP_\w+, )*OP_\w+): (?:told_taint|words_differ) =", text, re.MULTILINE)
        assert {name.removeprefix("OP_") for case in cases for name in case.split(", ")} - STORES == table


@pytest.mark.slow
# half a minute each
@pytest.mark.parametrize(
    "name", [name if name == "all" else pytest.param(name, marks=pytest.mark.soak) for name in OPENED]
)
@pytest.mark.soak
def test_what_tells_of_secrets_is_not_proved(name):
    """The two copies differ."""
    assert not holds("rs_secrets_formal", OPENED[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in OPENED if not OPENED[name][0].startswith("checks")])
@pytest.mark.alike(30, of="mutants")
def test_what_tells_of_secrets_is_not_accounted_for(name):
    """But for rs_issue's part, what depends on what is refuted too."""
    assert not holds("rs_tags_formal", OPENED[name])


test_wrong_fetches_are_not_proved = refuted(
    partial(holds, "rs_fetch_formal"),
    # what stands behind a new program, or behind a gap of it, is an older one
    ("if (addr_i == '0) length_q <= 16'd1;\n      else if", "if"),
    (
        "else if (addr_i == length_q) length_q <= length_q + 1'b1;",
        "else if (addr_i >= length_q) length_q <= addr_i + 1'b1;",
    ),
    ("past_q <= next_q >= length_q;", "past_q <= next_q > length_q;"),
)

test_wrong_end_is_not_proved = refuted(
    partial(holds, "rs_sequencer_formal"),
    ("stop = failed_q != '0 ||", "stop ="),
    ("(state_q != StRun || stop)", "(state_q != StRun)"),
    ("state_q == StDrain && unit_busy_o == '0 && pipe_over;", "state_q == StDrain && pipe_over;"),
    *soak(("running && cause_q == FAULT_NONE", "running")),  # a minute
    ("(~Drains & {Units{clear_q}})", "'0"),
    ("(Drains & {Units{give_up_i}})", "'0"),
    ("(release_i[UNIT_LOAD] && end_q == 2'(l)) || give_up_i", "release_i[UNIT_LOAD] && end_q == 2'(l)"),
    ("if (late_q) fault = FAULT_WATCHDOG;", ""),
    ("cycles_q >= watchdog_i", "cycles_q > watchdog_i"),
    alike=30,
)

test_wrong_end_of_pipe_is_not_proved = refuted(
    partial(holds, "rs_sequencer_formal", parameters=PIPE),
    # the end does not wait for what is on the bus, or asks before PIPE was cleared; PIPE is stopped too early, or runs on
    ("over_q[2] && (pipe_idle_i || gave_up_q)", "over_q[2]"),
    ("over_q[2] && (pipe_idle_i || gave_up_q)", "over_q[0] && (pipe_idle_i || gave_up_q)"),
    ("&& !over_q[0] && (cause_q != FAULT_NONE || unit_busy_o == '0);", "&& !over_q[0];"),
    ("(Units'(pipe_clear) << UNIT_PIPE)", "'0"),
    ("gave_up_q    <= gave_up_q || give_up_i;", "gave_up_q    <= give_up_i;"),
    alike=30,
    mark="slow",
)

test_wrong_end_of_words_is_not_proved = refuted(
    partial(holds, "rs_sequencer_formal", parameters=WORDS),
    # PIPEM is of no unit, or of two; it is cleared and runs on
    (OF_UNIT, f"{OF_UNIT} && instr_q.op != OP_PIPEM"),
    (OF_UNIT, f"({OF_UNIT} || (u == 1 && instr_q.op == OP_PIPEM))"),
    ("(Units'(pipe_clear) <<", "(Units'(pipe_clear && unit_instr_o[UNIT_PIPE][OpLsb+:OpBits] != OP_PIPEM) <<"),
    alike=30,
    mark="slow",
)
