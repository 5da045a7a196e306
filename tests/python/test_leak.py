# SPDX-License-Identifier: Apache-2.0
"""`ringside leak`: its statistics on data that are known, a planted leak, and a sealed core."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kyber_py import ml_kem

from cli_runner import CommandLine
from ringside.errors import ParameterError
from ringside.leak.count import REGISTERS
from ringside.leak.measure import ALL, BAR, Channel, Course, LeakRun, Tally, classes, measure
from ringside.leak.operations import MESSAGE, with_message
from ringside.leak.picture import csv, draw
from ringside.leak.toggles import FlipFlops
from ringside.leak.welch import FIXED, RANDOM, Sums
from ringside.pqc import MLKEM
from ringside.sim.flip_flops import flip_flops, public
from ringside.sim.options import parse_simulated

CHANNELS = [ALL, "data", "control"]


def test_t_is_welchs() -> None:
    """As from all values at once, whatever the order in which they come."""
    rng = np.random.default_rng(1)
    classes_of = [rng.normal(5, 1, (40, 3, 2)), rng.normal(5.5, 3, (25, 3, 2))]
    sums = Sums((3, 2))
    sums.add(RANDOM, classes_of[RANDOM][:10])
    sums.add(FIXED, classes_of[FIXED])
    for row in classes_of[RANDOM][10:]:
        sums.add(RANDOM, row[None])
    one, other = classes_of
    error = one.var(axis=0, ddof=1) / len(one) + other.var(axis=0, ddof=1) / len(other)
    np.testing.assert_allclose(sums.t(), (one.mean(axis=0) - other.mean(axis=0)) / np.sqrt(error), rtol=1e-9)
    assert sums.traces == 65


def test_t_where_nothing_varies() -> None:
    sums = Sums((2,))
    for of_class in (FIXED, RANDOM):
        sums.add(of_class, np.array([[7, 3 + of_class]] * 5))
    assert list(sums.t()) == [0, -np.inf]


def planted(traces: int, share: float) -> Tally:
    """32 flip-flops of data and 8 of control in 50 cycles; in cycle 17 the toggles of data depend on the class."""
    rng = np.random.default_rng(2)
    tally = Tally(50, 2)
    for of_class in classes(traces, rng):
        counts = np.stack([rng.binomial(32, 0.5, 50), np.arange(50) % 8], axis=1).astype(np.uint32)
        if of_class == FIXED:
            counts[17, 0] = rng.binomial(32, 0.5 + share)
        tally.add(of_class, counts)
    return tally


def test_a_planted_leak_is_found() -> None:
    tally = planted(600, 0.1)
    t = np.abs(tally.look())
    assert t[:, 1].argmax() == t[:, 0].argmax() == 17
    assert t[17, 1] > 10
    assert t[np.arange(50) != 17].max() < BAR
    assert tally.passed[1] is not None
    assert tally.passed[1] < 200


def test_a_channel_without_data_is_not() -> None:
    tally = planted(600, 0.1)
    assert tally.look()[:, 2].max() == 0
    assert tally.passed[2] is None
    assert list(tally.varies()) == [50, 50, 0]


def test_no_leak_no_alarm() -> None:
    tally = planted(600, 0)
    assert np.abs(tally.look()).max() < BAR
    assert tally.passed == [None] * 3


def test_classes_come_in_random_order() -> None:
    order = classes(1000, np.random.default_rng(3))
    assert 400 < sum(order) < 600
    assert order != sorted(order)
    for seed in range(20):
        assert sorted(classes(4, np.random.default_rng(seed))) == [FIXED, FIXED, RANDOM, RANDOM]


# ---- inputs ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "peer"), [("ML-KEM-768", ml_kem.ML_KEM_768), ("ML-KEM-1024", ml_kem.ML_KEM_1024)])
def test_ciphertexts_are_of_their_message_and_refused(name: str, peer: Any) -> None:
    """By K-PKE.Decrypt of another implementation."""
    rng = np.random.default_rng(4)
    kem = MLKEM(name)
    ek, dk = kem.keygen(bytes(64))
    secret = dk[: len(dk) - len(ek) - 64]
    ct = with_message(kem, ek, MESSAGE, rng)
    assert ct != with_message(kem, ek, MESSAGE, rng)
    assert peer._k_pke_decrypt(secret, ct) == MESSAGE
    shared, own = kem.encaps(ek, MESSAGE)
    assert peer._k_pke_decrypt(secret, own) == MESSAGE
    assert kem.decaps(dk, ct) != shared == kem.decaps(dk, own)


# ---- flip-flops ------------------------------------------------------------------------------------------------------
def test_flip_flops_of_a_source(tmp_path: Path) -> None:
    source = tmp_path / "rs_some.sv"
    source.write_text(
        """module rs_some;
  (* ram_style = "block" *)
  logic [W-1:0] mem_q[Depth];
  logic [1:0] a_q[3], b_q; // c_q <= 1
  always_ff @(posedge clk_i) begin
    mem_q[at[0]] <= data_i;
    a_q[0] <= data_i;
    {b_q, done_o} <= more_i;
    d_q.word <= 1;
    for (int i = 0; i <= 2; i++) e_q[i] <= data_i;
  end
endmodule
"""
    )
    assert flip_flops(source) == {"a_q", "b_q", "done_o", "d_q", "e_q"}
    assert 'public_flat_rw -module "rs_some" -var "b_q"' in public([source]).splitlines()
    source.write_text("module rs_some; logic wire_q; assign y_o = wire_q <= 3; endmodule")
    assert flip_flops(source) == set()


def test_channels_are_units() -> None:
    paths = ["u_fields.u_sponge.gen_x.u_keccak.state_q", "u_compute.v_q", "alert_o"]
    assert [FlipFlops(path, 1).channel for path in paths] == ["fields.sponge", "compute", "top"]


def test_registers_are_counted_before_they_are_mapped() -> None:
    assert any("simplemap" in line for line in REGISTERS.passes(""))
    assert not any("xilinx" in line for line in REGISTERS.passes("rs_core"))


# ---- pictures and words ----------------------------------------------------------------------------------------------
def found() -> tuple[LeakRun, Course]:
    tally = planted(100, 0.3)
    t = tally.look()
    channels = [
        Channel(name, 8, float(np.abs(t[:, i]).max()), 17, 1, tally.passed[i], 50) for i, name in enumerate(CHANNELS)
    ]
    return LeakRun("pqc-4s", "op", "message", 1, 100, 50, {50: 100}, 40, 1.0, channels), Course(CHANNELS, t)


def test_csv_and_picture() -> None:
    run, course = found()
    lines = csv(course).splitlines()
    assert lines[0] == "cycle,all,data,control"
    assert len(lines) == 51
    assert float(lines[18].split(",")[2]) == pytest.approx(course.t[17, 1], abs=1e-3)
    picture = draw(run, course).file()
    assert picture.count("<polyline") == len(CHANNELS)
    assert "<title>4.5</title>" in picture


def test_too_few_traces() -> None:
    with pytest.raises(ParameterError, match="needs 4 traces"):
        measure(parse_simulated("pqc-4s"), "ml-kem-768-decaps-sealed", 3)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--op", "ml-kem-768-encaps"], "decaps-sealed"),
        (["--traces", "3"], "--traces has to be"),
        (["--fixed", "seed"], "message"),
        (["--picture", "leak.txt"], ".svg"),
        (["--csv", "leak.svg"], ".csv"),
    ],
)
def test_bad_arguments(ringside: CommandLine, words: list[str], told: str) -> None:
    done = ringside("leak", "pqc-4s", *words)
    done.ends(2)
    assert told in done.err


def test_designs_that_cannot(ringside: CommandLine) -> None:
    done = ringside("leak", "rise-4", "--op", "ml-kem-768-decaps")
    assert done.code != 0
    assert "cannot compute" in done.err


# ---- the core --------------------------------------------------------------------------------------------------------
@pytest.mark.soak  # builds a model of a core, and runs it a hundred times
@pytest.mark.parametrize("fixed", ["message", "key"])
def test_a_core_without_masks_fails(ringside: CommandLine, fixed: str, tmp_path: Path) -> None:
    """Data are found within 50 traces; what has none is not found."""
    table, picture = tmp_path / "t.csv", tmp_path / "t.svg"
    words = ["--op", "ml-kem-768-decaps-sealed", "--traces", "100", "--fixed", fixed]
    done = ringside("leak", "pqc-4s", *words, "--csv", str(table), "--picture", str(picture), "--json")
    run = json.loads(done.ends(0).out)
    channels = {one["channel"]: one for one in run["channels"]}
    assert channels[ALL]["passed"] < 50
    assert channels[ALL]["t"] > 10
    assert set(run["lengths"]) == {str(run["cycles"])}
    assert len(table.read_text().splitlines()) == run["cycles"] + 1
    assert picture.read_text().startswith("<svg")
    assert run["flip_flops"] == sum(one["flip_flops"] for name, one in channels.items() if name != ALL)
    assert {"design", "op", "fixed", "seed", "traces", "seconds", "count"} < set(run)
    assert set(channels[ALL]) == {"channel", "flip_flops", "t", "cycle", "above", "passed", "toggling"}
