# SPDX-License-Identifier: Apache-2.0
"""The benchmark's arithmetic, verdicts, report and line protocol, without any peer."""

import io
import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from asserting import raises, written
from bench import plan, report
from bench.figures import ABSENT, MET, MISSED, Results, Samples, judge, ratio, transform_work
from bench.measure import BATCH_MAX, RUNS_MAX, Program, measure_memory, measure_times, plan_task
from bench.peers.openfhe.peer import python310
from bench.process import AbsentError, Worker, WorkerError

SET = plan.ParameterSet("lee-12", 4096, (1073692673, 1073668097), 2.0**20, special=True, direct=False)
SPEED_BAR = plan.Bar(plan.SPEED, 5, ("lee-12",), op="encode_encrypt_pk")
OWN_WAY_BAR = plan.Bar(
    plan.SPEED, 8, ("lee-12",), op="decrypt_decode_max_abs", peer_op="decrypt_decode_full", beside="decrypt_decode_full"
)
BYTES_BAR = plan.Bar(plan.BYTES, 1.03, ("lee-12",), op="save_load_seeded")
MEMORY_BAR = plan.Bar(plan.MEMORY, 0.25, ("lee-12",))
PEAK_BAR = plan.Bar(plan.PEAK, 4, ("lee-12",), plan.OURS, op="key_file_streamed")


def samples(*rounds: float, size: int = 0) -> Samples:
    """Rounds of three samples each, spread around the median that is given; on the wall everything takes twice as long."""
    cpu = [[0.9 * t, t, 1.2 * t] for t in rounds]
    return Samples(cpu, [[2 * t for t in round_] for round_ in cpu], size)


def results(ours: float, theirs: float) -> Results:
    out = Results()
    out.times["lee-12", "encode_encrypt_pk", plan.OURS] = samples(ours, ours, ours)
    out.times["lee-12", "encode_encrypt_pk", plan.SEAL] = samples(theirs, theirs, theirs)
    out.facts = {plan.OURS: {"version": "R"}, plan.SEAL: {"version": "S"}}
    return out


# ---- arithmetic -----------------------------------------------------------------------------------------------------
def test_summary() -> None:
    got = samples(100, 300, 200, 1000).summary()
    assert got["cpu_ns_median"] == 250
    assert got["cpu_ns_min"] == 90
    assert got["wall_ns_median"] == 500
    assert (got["rounds"], got["samples"]) == (4, 12)
    # quartiles 175 and 475
    assert got["cpu_spread"] == pytest.approx(150 / 250)


def test_one_round_has_no_spread() -> None:
    assert samples(100).spread() == 0


def test_ratio_is_taken_round_by_round() -> None:
    """A neighbour that slows both sides of a round down does not count; rounds that only one has do not either."""
    assert ratio(samples(100, 1000, 100), samples(300, 3000, 300)) == pytest.approx(3)
    assert ratio(samples(100, 1, 1, 1), samples(300)) == pytest.approx(3)


def test_the_cost_of_a_binding_is_taken_off() -> None:
    net = samples(100, 200).less(samples(30, 50))
    assert net.rounds() == [70, 150]
    assert net.rounds("wall") == [140, 300]
    # never to nothing, or below
    assert samples(100).less(samples(200)).rounds() == [pytest.approx(1)]


def test_the_work_of_a_transform() -> None:
    assert transform_work(8) == (12, 256)


@pytest.mark.parametrize("estimate", [0.0, 1e3, 5e4, 1e6, 3e7, 1e9, 1e10])
def test_plan_of_a_task(estimate: float) -> None:
    batch, runs, rounds = plan_task(estimate, 7)
    assert 1 <= batch <= BATCH_MAX
    assert 1 <= runs <= RUNS_MAX
    assert plan.ROUNDS_MIN <= rounds <= 7
    assert (rounds == 7) == (estimate < 2e8)
    assert (batch == 1) == (estimate >= 1e5)


# ---- verdicts -------------------------------------------------------------------------------------------------------
def sized(ours: int, theirs: int, memory: bool = False) -> Results:
    """Of a file, or of memory."""
    if memory:
        return Results(memory={("lee-12", plan.OURS): ours, ("lee-12", plan.SEAL): theirs})
    got = Results()
    for peer, size in ((plan.OURS, ours), (plan.SEAL, theirs)):
        got.times["lee-12", "save_load_seeded", peer] = samples(10, size=size)
    return got


@pytest.mark.parametrize(
    ("got", "bar", "outcome", "value", "short"),
    [
        (results(100, 500), SPEED_BAR, MET, 5, 0),
        (results(100, 499), SPEED_BAR, MISSED, 4.99, 0.002),
        (sized(1030, 1000), BYTES_BAR, MET, 1.03, 0),
        (sized(1031, 1000), BYTES_BAR, MISSED, 1.031, 1.031 / 1.03 - 1),
        (sized(250, 1000, memory=True), MEMORY_BAR, MET, 0.25, 0),
        (sized(251, 1000, memory=True), MEMORY_BAR, MISSED, 0.251, 0.004),
        (Results(peaks={("lee-12", "key_file_streamed"): 4 << 20}), PEAK_BAR, MET, 4, 0),
        (Results(peaks={("lee-12", "key_file_streamed"): 5 << 20}), PEAK_BAR, MISSED, 5, 0.25),
    ],
    ids=[f"{kind} {outcome}" for kind in ("speed", "bytes", "memory", "peak") for outcome in (MET, MISSED)],
)
def test_a_bar_is_met_or_missed(got: Results, bar: plan.Bar, outcome: str, value: float, short: float) -> None:
    (verdict,) = judge(got, ["lee-12"], [bar])
    assert verdict.outcome == outcome
    assert [verdict.got, verdict.short] == pytest.approx([value, short])


def test_speed_is_judged_by_processor_time_and_threads_by_the_clock_on_the_wall() -> None:
    got = results(100, 500)
    threads = plan.Bar(plan.SPEED, 1.8, ("lee-12",), peer=plan.OURS, op="two", peer_op="one")
    got.times["lee-12", "one", plan.OURS] = Samples([[100]], [[100]])
    got.times["lee-12", "two", plan.OURS] = Samples([[110]], [[55]])
    (verdict,) = judge(got, ["lee-12"], [threads])
    assert verdict.outcome == MET
    got.times["lee-12", "encode_encrypt_pk", plan.OURS].wall = [[1.0], [1.0], [1.0]]
    assert judge(got, ["lee-12"], [SPEED_BAR])[0].got == 5


def test_an_own_way_is_judged_and_the_plain_one_shown_beside() -> None:
    got = Results()
    got.times["lee-12", "decrypt_decode_max_abs", plan.OURS] = samples(10)
    got.times["lee-12", "decrypt_decode_full", plan.OURS] = samples(50)
    got.times["lee-12", "decrypt_decode_full", plan.SEAL] = samples(100)
    (verdict,) = judge(got, ["lee-12"], [OWN_WAY_BAR])
    assert (verdict.outcome, verdict.got, verdict.beside) == (MET, 10, 2)


@pytest.mark.parametrize("bar", [SPEED_BAR, OWN_WAY_BAR, BYTES_BAR, MEMORY_BAR])
def test_what_was_not_measured_is_neither_met_nor_missed(bar: plan.Bar) -> None:
    got = results(100, 500)
    del got.times["lee-12", "encode_encrypt_pk", plan.SEAL]
    got.memory["lee-12", plan.OURS] = 1
    got.times["lee-12", "save_load_seeded", plan.OURS] = samples(1, size=1)
    got.times["lee-12", "decrypt_decode_max_abs", plan.OURS] = samples(1)
    got.peers_absent[plan.SEAL] = "no cargo on PATH"
    (verdict,) = judge(got, ["lee-12"], [bar])
    assert verdict.outcome == ABSENT
    assert verdict.reason == f"{plan.SEAL}: no cargo on PATH"


def test_only_sets_that_were_asked_for_are_judged() -> None:
    assert {verdict.set for verdict in judge(Results(), ["lee-12", "ntt-13"])} == {"lee-12", "ntt-13"}


def test_every_bar_is_about_an_operation_that_is_measured() -> None:
    for bar in plan.BARS:
        if bar.op:
            assert set(bar.sets) <= set(plan.OPERATION[bar.op].sets)
            assert set(bar.sets) <= set(plan.OPERATION[bar.other_op].sets)


# ---- report ---------------------------------------------------------------------------------------------------------
def reported(got: Results, bars: list[plan.Bar], titles: dict[str, str]) -> tuple[dict[str, Any], str]:
    """As JSON, and on a terminal."""
    numbers = json.loads(json.dumps(report.as_json(got, [SET], titles, judge(got, ["lee-12"], bars), 3)))
    text = io.StringIO()
    report.show(numbers, Console(file=text, width=200))
    return numbers, text.getvalue()


def shown(got: Results) -> tuple[dict[str, Any], str]:
    return reported(got, [SPEED_BAR, MEMORY_BAR], {plan.OURS: "Ringside", plan.SEAL: "SEAL", "openfhe": "OpenFHE"})


@pytest.mark.parametrize(
    ("memory", "outcomes", "words"),
    [
        (2**21, [MISSED, MISSED], ("20 % short", "100 % above", "0 bars met, 2 missed")),
        (2**22, [MISSED, MET], ("1 bars met, 1 missed",)),
    ],
    ids=["both", "one is enough"],
)
def test_report_of_missed_bars(memory: int, outcomes: list[str], words: tuple[str, ...]) -> None:
    got = results(100e3, 400e3)
    got.memory = {("lee-12", plan.OURS): 2**20, ("lee-12", plan.SEAL): memory}
    numbers, text = shown(got)
    assert numbers["passed"] is False
    assert [bar["outcome"] for bar in numbers["bars"]] == outcomes
    assert [word for word in words if word not in text] == []


def test_report_of_bars_that_are_met_and_of_an_absent_peer() -> None:
    got = results(100e3, 600e3)
    got.memory = {("lee-12", plan.OURS): 2**18, ("lee-12", plan.SEAL): 2**20}
    got.peers_absent["openfhe"] = "no Python 3.10 on PATH"
    numbers, text = shown(got)
    assert numbers["passed"] is True
    assert numbers["peers"]["openfhe"] == {"title": "OpenFHE", "absent": "no Python 3.10 on PATH"}
    assert "absent: no Python 3.10 on PATH" in text
    assert "2 bars met, 0 missed" in text
    assert "missed  " not in text


def test_report_of_an_absent_operation() -> None:
    got = results(100e3, 600e3)
    del got.times["lee-12", "encode_encrypt_pk", plan.SEAL]
    got.absent["lee-12", "encode_encrypt_pk", plan.SEAL] = "ended with code -9"
    numbers, text = shown(got)
    assert numbers["sets"]["lee-12"]["operations"]["encode_encrypt_pk"][plan.SEAL] == {"absent": "ended with code -9"}
    assert f"{plan.SEAL}: ended with code -9" in text
    assert "0 bars met, 0 missed, 2 not judged" in text


AVX2_BAR = plan.Bar(plan.SPEED, 5, ("lee-12",), plan.SEAL_AVX2, op="encode_encrypt_pk", ours=plan.OURS_AVX2)
PORTABLE_BARS = [bar for bar in plan.BARS if bar.ours == plan.OURS_PORTABLE]


@pytest.mark.parametrize(
    ("peer", "time", "bars", "verdict", "instructions"),
    [
        (plan.OURS_PORTABLE, 400e3, PORTABLE_BARS, (2.25, 2.0, MET), "no vector instructions"),
        (plan.OURS_AVX2, 200e3, [AVX2_BAR], (4.5, 5, MISSED), "AVX2"),
    ],
    ids=["portable", "avx2"],
)
def test_a_table_for_each_instruction_set_with_versions(
    peer: str, time: float, bars: list[plan.Bar], verdict: tuple[float, float, str], instructions: str
) -> None:
    got = results(100e3, 600e3)
    backend = {plan.OURS_PORTABLE: "portable", plan.OURS_AVX2: "avx2"}[peer]
    versions = {plan.OURS: {"version": "R 1", "backend": "avx512ifma"}, peer: {"version": "R 1", "backend": backend}}
    got.facts = {**versions, plan.SEAL: {"version": "S 4, H 2"}, plan.SEAL_AVX2: {"version": "S 4, H 2"}}
    got.times["lee-12", "encode_encrypt_pk", peer] = samples(time)
    got.times["lee-12", "encode_encrypt_pk", plan.SEAL_AVX2] = samples(900e3)
    numbers, text = reported(got, bars, dict.fromkeys((plan.OURS, plan.SEAL, peer, plan.SEAL_AVX2), ""))
    (entry,) = numbers["bars"]
    assert (entry["ours"], entry["got"], entry["bar"], entry["outcome"]) == (peer, *verdict)
    heads = [line for line in text.splitlines() if line.startswith("lee-12: ")]
    assert [head.split("; ")[1] for head in heads] == ["AVX-512 with IFMA", instructions]
    first, _, second = text.partition(heads[1])
    assert plan.SEAL_AVX2 not in first.partition(heads[0])[2]
    assert "H 2" in second


# ---- workers --------------------------------------------------------------------------------------------------------
# A peer of a few lines. Arguments: the error of its decryption, the digest of its transforms. It dies of "keygen".
FAKE = """
import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    op = request["op"]
    if op == "start":
        reply = {"version": "fake 1", "overhead": {"encode": "convert_in"}}
    elif op == "check":
        reply = {"value": float(sys.argv[1]), "digest": sys.argv[2]}
    elif op == "keygen":
        os._exit(3)
    elif op in ("encode", "encode_encrypt_pk", "convert_in", "session"):
        time = {"encode": 3e6, "convert_in": 1e6}.get(op, 2e6)
        block = bytearray(40 << 20) if op == "session" else None
        times = [time] * request["runs"]
        reply = {"bytes": 7, "cpu": times, "wall": times}
    elif op == "context":
        reply = {"error": "broken"}
    else:
        reply = {"absent": "not here"}
    print(json.dumps(reply), flush=True)
"""


@pytest.fixture
def fake(tmp_path: Path) -> Program:
    script = written(tmp_path / "fake.py", FAKE)
    return Program("fake", [sys.executable, script, "0.001", "abc"], {}, tmp_path / "log")


def measured(program: Program, *ops: str) -> Results:
    out = Results()
    operations = [operation for operation in plan.OPERATIONS if operation.name in ops]
    measure_times(SET, operations, [program], 3, out, [0], lambda text: None)
    return out


def test_measuring_a_peer(fake: Program) -> None:
    got = measured(fake, "encode", "encode_encrypt_pk", "context", "save_load_seeded")
    assert got.times["lee-12", "encode_encrypt_pk", "fake"].rounds() == [2e6] * 3
    # the binding's share is off, and the raw time is kept
    assert got.times["lee-12", "encode", "fake"].rounds() == [2e6] * 3
    assert got.raw["lee-12", "encode", "fake"].rounds() == [3e6] * 3
    assert ("lee-12", "convert_in", "fake") not in got.times
    assert got.absent["lee-12", "context", "fake"] == "broken"
    assert got.absent["lee-12", "save_load_seeded", "fake"] == "not here"


def test_a_peer_that_dies(fake: Program) -> None:
    got = measured(fake, "keygen", "encode_encrypt_pk")
    assert got.absent["lee-12", "keygen", "fake"] == "ended with code 3"
    assert got.absent["lee-12", "encode_encrypt_pk", "fake"] == "ended with code 3"
    assert not got.times


@pytest.mark.parametrize("error", ["0.2", "nan"])
def test_a_peer_that_decrypts_wrongly_is_not_timed(fake: Program, error: str) -> None:
    got = measured(Program("fake", [*fake.command[:-2], error, "abc"], {}, fake.log), "encode_encrypt_pk")
    assert not got.times
    assert "decrypts with an error" in got.absent["lee-12", "encode_encrypt_pk", "fake"]


def test_transforms_have_to_agree(fake: Program) -> None:
    got = Results()
    other = Program("other", [*fake.command[:-1], "abd"], {}, fake.log)
    measure_times(SET, [plan.OPERATION["encode_encrypt_pk"]], [fake, other], 2, got, [0], lambda text: None)
    assert set(got.times) == {("lee-12", "encode_encrypt_pk", "fake")}
    assert got.absent["lee-12", "encode_encrypt_pk", "other"] == "its transforms differ from those of fake"


def test_memory_is_what_a_session_adds(fake: Program) -> None:
    got = Results()
    measure_memory(SET, [fake], got, lambda text: None)
    assert 39 << 20 < got.memory["lee-12", "fake"] < 48 << 20


def test_questions_to_a_worker(fake: Program) -> None:
    worker = fake.start()
    try:
        assert worker.ask({"op": "start"})["version"] == "fake 1"
        raises(AbsentError, "not here", worker.ask, {"op": "nothing"})
        raises(WorkerError, "broken", worker.ask, {"op": "context"})
    finally:
        worker.close()
    assert worker.process.returncode == 0


def test_a_python_310_is_found_wherever_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pyenv has a program of that name on PATH which only says that it was not chosen."""

    def program(folder: Path, text: str) -> Path:
        file = written(folder / "python3.10", f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
        return file

    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    program(tmp_path / "shims", "exit 127")
    program(tmp_path / "other", "echo Python 3.11.2")
    monkeypatch.setenv("PATH", f"{tmp_path / 'shims'}:{tmp_path / 'other'}")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    raises(AbsentError, r"no Python 3\.10", python310)
    right = "echo Python 3.10.13"
    uv = "home/.local/share/uv/python/cpython-3.10.13-linux/bin"
    for folder in (uv, "home/.pyenv/versions/3.10.13/bin", "pyenv/versions/3.10.4/bin"):
        found = program(tmp_path / folder, right)
        assert python310() == found  # each stands before the one above
    monkeypatch.setenv("PATH", f"{tmp_path / 'shims'}:{program(tmp_path / 'path', right).parent}")
    assert python310() == tmp_path / "path" / "python3.10"


def test_a_worker_that_does_not_answer(tmp_path: Path) -> None:
    worker = Worker([sys.executable, "-c", "import time; time.sleep(60)"], {}, tmp_path / "log")
    assert worker.process.stdin is not None
    worker.process.stdin.close()
    worker.process.stdin = (tmp_path / "nowhere").open("wb")
    raises(WorkerError, "no answer within 0 s", worker.ask, {"op": "start"}, seconds=0.2)
    assert worker.process.poll() is not None


# ---- sets -----------------------------------------------------------------------------------------------------------
def test_sets() -> None:
    lee = plan.parameter_set("lee-14")
    assert (lee.n, len(lee.moduli), lee.special, lee.direct) == (16384, 8, True, False)
    # SEAL encrypts without special prime with a single prime only
    assert len(plan.parameter_set("seal-embedded-2048").moduli) == 1
    assert plan.parameter_set("seal-embedded-4096").direct
    ntt = plan.parameter_set("ntt-13")
    assert [q.bit_length() for q in ntt.moduli] == [30, 50, 60]
    assert all(q % (2 * ntt.n) == 1 for q in ntt.moduli)
    assert math.log2(ntt.n) == 13
