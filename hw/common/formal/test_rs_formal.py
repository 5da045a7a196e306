# SPDX-License-Identifier: Apache-2.0
"""Every method of proof separates true claims from false ones, and raises an exception if it can decide neither."""

import pytest
import rs_formal
import z3
from rs_formal import COMBINATIONAL, PIPELINE, UndecidedError, bounded, implied, induction, invariant, prove, verdict
from rs_yosys import YosysError

METHODS = [COMBINATIONAL, PIPELINE, bounded(2), induction(2), invariant(2)]

PRODUCT = """
module product #(parameter W = 3) (input [W-1:0] a_i, b_i, output [W-1:0] p_o);
  assign p_o = a_i * b_i;
endmodule
"""
PRODUCT_PROOF = """
module product_proof #(parameter W = 3) (input [W-1:0] a_i, b_i);
  wire [W-1:0] first, next;
  product #(.W(W)) u_first (.a_i(a_i), .b_i(b_i), .p_o(first));
  product #(.W(W)) u_next (.a_i(a_i), .b_i(b_i + W'(1)), .p_o(next));
  always_comb assert (next == first + a_i);
endmodule
"""
HARD = {"W": 24}  # too wide for a proof in a second

DELAY = """
module delay (input clk_i, input on_i, input [3:0] a_i, output logic [3:0] y_o);
  always_ff @(posedge clk_i) y_o <= a_i;
endmodule
"""
DELAY_PROOF = """
module delay_proof (input clk_i, input on_i, input [3:0] a_i);
  wire [3:0] y;
  delay u_dut (.clk_i(clk_i), .on_i(on_i), .a_i(a_i), .y_o(y));
  always_comb assert (y == a_i);
endmodule
"""

COUNTER = """
module counter (input clk_i, input on_i, output logic [3:0] count_o = 0);
  always_ff @(posedge clk_i) if (on_i) count_o <= count_o == 9 ? 0 : count_o + 1;
endmodule
"""
COUNTER_PROOF = """
module counter_proof (input clk_i, input on_i);
  wire [3:0] count;
  counter u_dut (.clk_i(clk_i), .on_i(on_i), .count_o(count));
  always_comb assert (count <= 9);
endmodule
"""
TOO_FAR = ("== 9", "== 10")


@pytest.fixture
def files(tmp_path):
    """Writes a design and the assertions about it. Returns the lists of files that `prove` takes."""

    def write(*texts):
        paths = [tmp_path / f"{text.split()[1]}.sv" for text in texts]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        return paths[:1], paths[1:]

    return write


# ---- Yosys ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", METHODS)
def test_what_holds_is_proved_and_what_does_not_is_refuted(method, files):
    assert prove(method, *files(PRODUCT, PRODUCT_PROOF))
    assert not prove(method, *files(PRODUCT, PRODUCT_PROOF), mutation=("a_i * b_i", "a_i * b_i + b_i"))


@pytest.mark.parametrize("method", [COMBINATIONAL, bounded(2), invariant(2)])
def test_running_out_of_time_is_neither(method, files):
    with pytest.raises(UndecidedError, match="TIMEOUT"):
        prove(method, *files(PRODUCT, PRODUCT_PROOF), HARD, time_limit=1)


def test_only_a_pipeline_is_its_function(files):
    assert prove(PIPELINE, *files(DELAY, DELAY_PROOF))
    assert not prove(bounded(2), *files(DELAY, DELAY_PROOF))
    with pytest.raises(YosysError, match="cell"):
        prove(COMBINATIONAL, *files(DELAY, DELAY_PROOF))


@pytest.mark.parametrize(
    "storage", ["always_ff @(posedge clk_i or posedge on_i) if (on_i) y_o <= 0; else", "always_latch if (on_i)"]
)
def test_what_is_no_plain_register_stops_a_pipeline(storage, files):
    with pytest.raises(YosysError, match="ERROR"):
        prove(PIPELINE, *files(DELAY, DELAY_PROOF), mutation=("always_ff @(posedge clk_i)", storage))


def test_a_pipeline_is_taken_for_enabled(files):
    enabled = DELAY.replace("(posedge clk_i)", "(posedge clk_i) if (on_i)")
    assert prove(PIPELINE, *files(enabled, DELAY_PROOF))
    assert not prove(PIPELINE, *files(enabled, DELAY_PROOF), mutation=("y_o <= a_i", "y_o <= a_i + 1"))


def test_invariant_of_a_counter(files):
    design = files(COUNTER, COUNTER_PROOF)
    for method in (bounded(12), induction(2), invariant(2)):
        assert prove(method, *design)
    for method in (bounded(12), induction(12), invariant(2)):
        assert not prove(method, *design, mutation=TOO_FAR)


def test_steps_that_do_not_reach_from_start_to_failure(files):
    design = files(COUNTER, COUNTER_PROOF)
    assert prove(bounded(3), *design, mutation=TOO_FAR)
    with pytest.raises(UndecidedError, match="proof failed"):
        prove(induction(3), *design, mutation=TOO_FAR)


def test_what_cannot_be_read_is_neither(files):
    with pytest.raises(YosysError, match=r"syntax error|expected"):
        prove(COMBINATIONAL, *files(PRODUCT, "module product_proof ("))
    with pytest.raises(YosysError, match="selection is empty"):  # nothing is asserted
        prove(COMBINATIONAL, *files(PRODUCT, "module product_proof (input a_i);\nendmodule"))


@pytest.mark.parametrize("text", ["a_i - b_i", "a_i", "module product_proof"])
def test_a_mutation_is_of_a_text_that_the_rtl_has_once(text, files):
    with pytest.raises(AssertionError, match="the RTL has"):
        prove(COMBINATIONAL, *files(PRODUCT, PRODUCT_PROOF), mutation=(text, ""))


@pytest.mark.parametrize("method", METHODS)
def test_logs(method):
    assert verdict(method, f"some\n{method.proved}\nmore")
    for line in method.refuted:
        assert not verdict(method, f"some\n{line}\nmore")
    silent = ["", "some\nmore", f"not {method.proved}", f"{method.refuted[0]}."]
    stopped = "Induction step failed. Incrementing induction length.\n\nInterrupted SAT solver: TIMEOUT!"
    for log in (*silent, stopped, f"{method.proved}\n{method.refuted[0]}"):
        with pytest.raises(UndecidedError):
            verdict(method, log)


# ---- z3 -------------------------------------------------------------------------------------------------------------
def test_integers():
    x, y = z3.Ints("x y")
    assert implied([x + y > 0, x > 0], x > 0, y > 0)
    assert not implied([x + y > 0, x > y], x > 0, y > 0)


def test_integers_out_of_work_are_neither():
    x, y, z = z3.Ints("x y z")
    with pytest.raises(UndecidedError, match=r"resource|canceled"):
        implied([x**3 + y**3 + z**3 != 42], work_limit=100_000)


# ---- kept verdicts --------------------------------------------------------------------------------------------------
@pytest.fixture
def solved(monkeypatch, tmp_path):
    """How often the solver ran, with an empty cache."""
    runs = []

    def counted(passes):
        runs.append(passes)
        return real(passes)

    real = rs_formal.run
    monkeypatch.setattr(rs_formal, "run", counted)
    monkeypatch.setattr(rs_formal, "ANEW", False)
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache"))
    return runs


def test_a_verdict_is_kept_until_what_it_depends_on_changes(files, solved):
    rtl, checks = files(COUNTER, COUNTER_PROOF)
    assert [prove(induction(2), rtl, checks) for _ in range(2)] == [True, True]
    assert len(solved) == 1
    # a control, which is expected to be refuted
    assert [prove(bounded(12), rtl, checks, mutation=TOO_FAR) for _ in range(2)] == [False, False]
    assert len(solved) == 2
    assert prove(induction(3), rtl, checks)  # another method
    assert len(solved) == 3
    rtl[0].write_text(f"{COUNTER}// a comment\n")
    assert prove(induction(2), rtl, checks)
    assert len(solved) == 4
    rtl[0].write_text(COUNTER.replace("== 9", "== 10"))
    for count in (5, 6):  # a proof that fails is made again, so that its log is there
        assert not prove(bounded(12), rtl, checks)
        assert len(solved) == count


def test_formal_proves_anew(files, solved, monkeypatch):
    rtl, checks = files(COUNTER, COUNTER_PROOF)
    monkeypatch.setattr(rs_formal, "ANEW", True)
    assert [prove(induction(2), rtl, checks) for _ in range(2)] == [True, True]
    assert len(solved) == 2
