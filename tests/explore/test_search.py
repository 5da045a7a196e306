# SPDX-License-Identifier: Apache-2.0
"""Fronts, the journal, runs that are killed and go on, workers that die."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import zlib
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asserting import raiser, raises, written
from cli_runner import CommandLine, python
from one_design import cycles_of
from ringside import designs
from ringside.designs import Design
from ringside.errors import DeviceError, FileError, ParameterError
from ringside.explore.model import constants
from ringside.explore.page.serve import make_server
from ringside.explore.search import correct, proof, run, verify
from ringside.explore.search.evaluate import wanted
from ringside.explore.search.exploration import ANSWERED, CORRECTED, Exploration
from ringside.explore.search.front import covered, front, knee, near
from ringside.explore.search.journal import Journal
from ringside.explore.search.verify import Task
from ringside.explore.space import reader
from ringside.explore.space.points import enumerate_all

TINY = Path(__file__).parents[2] / "designs" / "spaces" / "tiny.toml"


@pytest.mark.parametrize("goals", [1, 2, 3])
def test_front(goals: int) -> None:
    values = np.random.default_rng(goals).integers(0, 40, (3000, goals)).astype(float)
    found = front(values)
    brute = {tuple(row) for row in values if not ((values <= row).all(axis=1) & (values < row).any(axis=1)).any()}
    assert {tuple(row) for row in values[found]} == brute
    assert len(found) == len(brute)
    assert set(found) <= set(near(values, found, 0.02).tolist())
    assert knee(values, found) in found


def test_a_torn_line_is_dropped_and_no_answer_doubled(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as book:
        book.put({"key": "a", "cycles": 1})
        book.put({"key": "a", "cycles": 2})
    with path.open("ab") as file:
        file.write(b'{"key": "b", "cyc')
    with Journal(path) as book:
        assert book.rows == {"a": {"key": "a", "cycles": 1}}
        book.put({"key": "b", "cycles": 3})
        raises(FileError, None, Journal, path)
    assert [json.loads(line)["key"] for line in path.read_text(encoding="utf-8").splitlines()] == ["a", "b"]


def test_a_new_journal_takes_nothing_from_a_run_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as book:
        book.put({"key": "a"})
        raises(FileError, "another run", Journal, path, anew=True)
        book.put({"key": "b"})
    with Journal(path) as book:
        assert book.rows.keys() == {"a", "b"}
    with Journal(path, anew=True) as book:
        assert not book.rows
    assert path.read_bytes() == b""


def test_no_resume_leaves_the_journal_of_a_run_that_goes_on(tmp_path: Path, ringside: CommandLine) -> None:
    with Journal(tmp_path / run.JOURNAL) as book:
        book.put({"key": "a"})
        again = ("--output", tmp_path, "--no-resume", "--jobs", 1)
        ringside("explore", "run", TINY, *again).ends(4, "written by another run")
        assert (tmp_path / run.JOURNAL).read_bytes().count(b"\n") == 1


def test_a_full_disk_leaves_no_half_of_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    path = tmp_path / "journal.jsonl"
    with Journal(path) as book:
        book.put({"key": "a"})
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", raiser(OSError(errno.ENOSPC, "full")))
            raises(FileError, "no space is left", book.put, {"key": "b"})
        assert book.rows.keys() == {"a"}
        book.put({"key": "b", "cycles": 1})
    assert [json.loads(line) for line in path.read_text().splitlines()] == [{"key": "a"}, {"key": "b", "cycles": 1}]


def test_a_run_that_fails_does_not_begin_what_was_asked(tmp_path: Path) -> None:
    """It can be hours of simulations."""

    def fail() -> None:
        with run.workers(1) as pool:
            pool.submit(os.getpid).result()
            pool.submit(
                exec, "from ringside import processors; processors._failed.wait(1200)"
            )  # the worker is busy until then
            asked = [pool.submit(Path.touch, tmp_path / str(number)) for number in range(50)]
            while not asked[0].running():  # it is on its way to the worker
                time.sleep(0.001)
            raise FileError("JOURNAL", "The disk is full.")

    raises(FileError, None, fail)
    assert not list(tmp_path.iterdir())


KILLED = """
import sys, time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from ringside.explore.search import verify
from ringside.explore.search.journal import Journal
def job(number):
    if number >= 20 and len(sys.argv) > 3:  # until it is killed, however long that takes
        time.sleep(600)
    with open(sys.argv[2], "a") as file:
        print(number, file=file)
    return {"cycles": number}
tasks = [verify.Task(str(i), "rtl", i, (i, 40, {"weight": 1})) for i in range(40)]
with Journal(Path(sys.argv[1])) as book, ThreadPoolExecutor(2) as pool:
    verify.run(tasks, book, pool, jobs={"rtl": lambda number, latency, workload: job(number)})
"""


def test_killed_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    first = subprocess.Popen([sys.executable, "-c", KILLED, str(path), str(tmp_path / "ran"), "waits"])
    while not path.exists() or path.read_bytes().count(b"\n") < 20:
        assert first.poll() is None
        time.sleep(0.01)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert path.read_bytes().count(b"\n") == 20
    python(KILLED, path, tmp_path / "ran", check=True)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert sorted(row["cycles"] for row in rows) == list(range(40))
    assert len({row["key"] for row in rows}) == 40
    ran = (tmp_path / "ran").read_text(encoding="utf-8").splitlines()
    assert len(ran) == 40  # the two jobs that were under way are done again, and no more


WORKING = """
import os, sys, time
from ringside.explore.search import run
if __name__ == "__main__":
    with run.workers(1) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        pool.submit(time.sleep, 60).result()
"""


def test_workers_end_with_a_killed_run(tmp_path: Path) -> None:
    """Else one would build simulators whose answers nobody hears, beside those of the run that goes on."""
    script = written(tmp_path / "working.py", WORKING)
    first = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    worker = Path("/proc") / first.stdout.readline().strip()
    assert worker.exists()
    first.kill()
    first.wait()
    first.stdout.close()
    for _ in range(400):
        if not worker.exists() or "State:\tZ" in (worker / "status").read_text(encoding="utf-8"):
            return
        time.sleep(0.05)
    os.kill(int(worker.name), signal.SIGKILL)
    pytest.fail("the worker is alive twenty seconds after its run was killed")


CLOSING = f"import sys; sys.path.append({str(Path(__file__).parents[1])!r})"
CLOSING += """
import json, time, zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from ringside.designs import Design
from ringside.explore.model import constants
from one_design import cycles_of
from ringside.explore.search import proof, run
from ringside.explore.search.journal import Journal
from ringside.explore.search.verify import _workload
from ringside.explore.space import reader
space, folder = reader.load(Path(sys.argv[1])), Path(sys.argv[2])
models = constants.load()
def other(value, *about):  # than the model says, by up to 4 %
    if len(sys.argv) > 3 and (folder / run.JOURNAL).read_bytes().count(b"\\n") >= int(sys.argv[3]):
        time.sleep(600)  # until it is killed, however long that takes
    return round(float(value) * (0.96 + 0.08 * (zlib.crc32(repr(about).encode()) % 1000) / 1000))
def rtl(fields, latency, workload):
    return {"cycles": other(cycles_of(Design(**fields), latency, _workload(workload)), sorted(fields.items()), latency)}
def synth(fields):
    found = models.area.of(fields)
    found = {"lut": other(found["lut"], "lut", sorted(fields.items())), "ff": 1000, "dsp": float(found["dsp"]), "bram36": float(found["bram18"]) / 2}
    return found
explored = run.explore(space, models, folder, 1, lambda *_: None)
with Journal(folder / run.JOURNAL) as book, ThreadPoolExecutor(2) as pool:
    proof.close(explored, book, pool, lambda *_: None, jobs={"rtl": rtl, "synth": synth})
run.write_summary(explored, folder)
"""


def closed_by_itself(space: Path, folder: Path) -> dict[str, Any]:
    python(CLOSING, space, folder, check=True)
    found: dict[str, Any] = json.loads((folder / run.SUMMARY).read_text(encoding="utf-8"))
    return found


def test_the_front_is_closed_also_after_a_kill(tmp_path: Path) -> None:
    """RTL that differs from the models moves the front, so the loop takes turns. Killed in the second one, it goes on as if nothing had been."""
    once = closed_by_itself(TINY, tmp_path / "once")
    assert once["closed"]
    assert len(once["turns"]) >= 2
    for row in once["front"]:
        assert row["source"] == "verified"
        assert row["costs"]["cycles"] == row["rtl"]["cycles"]
        assert row["costs"]["lut"] == row["rtl"]["lut"]
        assert row["residual"]["cycles"] == pytest.approx(100 * (row["model"]["cycles"] / row["rtl"]["cycles"] - 1), abs=0.01)  # fmt: skip
    asked = (tmp_path / "once" / run.JOURNAL).read_bytes().count(b"\n")
    path = tmp_path / "killed" / run.JOURNAL
    path.parent.mkdir()
    shutil.copy(tmp_path / "once" / run.MODEL, path.parent)
    enough = asked - 12  # in the second turn
    first = subprocess.Popen([sys.executable, "-c", CLOSING, str(TINY), str(path.parent), str(enough)])
    while not path.exists() or path.read_bytes().count(b"\n") < enough:
        assert first.poll() is None
        time.sleep(0.005)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert enough <= path.read_bytes().count(b"\n") < asked
    again = closed_by_itself(TINY, path.parent)
    keys = [json.loads(line)["key"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(keys) == len(set(keys)) == asked
    assert again == once


def test_ties_are_not_asked(tmp_path: Path) -> None:
    """Where RTL differs from the models by less than `ties`, the front is closed with fewer answers, and nobody else beats it by more."""
    ties = 0.01
    path = tmp_path / "space.toml"
    path.write_text(
        TINY.read_text(encoding="utf-8").replace("near = 0.0", f"near = 0.0\nties = {ties}"), encoding="utf-8"
    )
    space = reader.load(path)

    def rtl(fields: dict[str, Any], latency: int, workload: dict[str, Any]) -> dict[str, Any]:
        noise = zlib.crc32(repr((sorted(fields.items()), latency)).encode()) % 9 - 4
        return {"cycles": round(cycles_of(Design(**fields), latency, space.workloads[0]) * (1 + noise / 1000))}

    asked, points = {}, {}
    for name, one in (("ties", space), ("all", replace(space, ties=0.0))):
        explored = run.explore(one, constants.load(), tmp_path / name, 1, lambda *_: None)
        with Journal(tmp_path / name / "j") as book, ThreadPoolExecutor(2) as pool:
            proof.close(explored, book, pool, lambda *_: None, synth=False, jobs={"rtl": rtl})
        assert explored.closed
        assert set(explored.front.tolist()) <= set(explored.answers)
        asked[name], points[name] = set(explored.answers), wanted(one, explored.found.costs)
        if name == "ties":
            assert covered(points[name], points[name][explored.front], ties).all()
            assert not covered(points[name], points[name][explored.front], 0.0).all()
    assert len(asked["ties"]) < len(asked["all"])


def test_neighbours_of_an_answer_are_corrected(tmp_path: Path) -> None:
    explored = explored_tiny(tmp_path)
    points, model = explored.model.points, explored.model.costs
    answer = {"rtl": {"cycles": 1.1 * float(model["cycles"][0]), "lut": 0.9 * float(model["lut"][0])}}
    found, source = correct.corrected(explored.model, explored.models, {0: answer})
    axes = np.stack([points.codes[name] != points.codes[name][0] for name in points.space.axes])
    for distance, factor in ((1, 1.1), (2, 1.1**0.5)):
        near_it = np.flatnonzero(axes.sum(axis=0) == distance)
        assert found.costs["cycles"][near_it] == pytest.approx(factor * model["cycles"][near_it], rel=1e-5)
        assert (source[near_it] == CORRECTED).all()
    far = np.flatnonzero(axes.sum(axis=0) > 2)
    for name in model:
        assert np.array_equal(found.costs[name][far], model[name][far], equal_nan=True)
    assert found.costs["lut_cycles"][0] == pytest.approx(0.99 * float(model["lut_cycles"][0]), rel=1e-5)
    assert source[0] == ANSWERED


def test_a_failed_point_is_on_no_front(tmp_path: Path) -> None:
    explored = explored_tiny(tmp_path)
    lost = int(explored.front[0])

    def rtl(fields: dict[str, Any], latency: int, workload: dict[str, Any]) -> dict[str, Any]:
        design = Design(**fields)
        if design == explored.model.points.design(lost):
            raise ValueError("broken")
        return {"cycles": cycles_of(design, latency, explored.space.workloads[0])}

    with Journal(tmp_path / "j") as book, ThreadPoolExecutor(1) as pool:
        proof.close(explored, book, pool, lambda *_: None, synth=False, jobs={"rtl": rtl})
    assert explored.closed
    assert lost not in explored.front
    assert explored.answers[lost]["error"] == "broken"


def test_what_is_to_come_is_told_by_what_there_was(tmp_path: Path) -> None:
    """Points of one hardware share its simulator; the journal's own answers say what one takes."""
    explored = explored_tiny(tmp_path)
    asked = [task for number in explored.front for task in proof.tasks_of(explored, int(number), (verify.RTL,))]
    usual = verify.USUAL_SECONDS[verify.RTL]
    with Journal(tmp_path / "journal.jsonl") as book, ThreadPoolExecutor(1) as pool:
        assert verify.seconds_to_come([*asked, *asked], book) == pytest.approx(usual * len(asked))
        other = [replace(task, key=f"{task.key} at another latency") for task in asked]
        assert verify.seconds_to_come([*asked, *other], book) == pytest.approx(usual * len(asked))
        verify.run(asked[:2], book, pool, jobs={verify.RTL: burns})
        took = [row[verify.TOOK] for row in book]
        assert min(took) >= 0.02
        assert verify.seconds_to_come(asked, book) == pytest.approx(sum(took) / 2 * (len(asked) - 2))


def burns(*_: Any) -> dict[str, Any]:
    until = time.process_time() + 0.03
    while time.process_time() < until:
        pass
    return {"cycles": 1}


def test_errors_are_answers(tmp_path: Path) -> None:

    tasks = [Task("a", "synth", 0, ({},))]
    with Journal(tmp_path / "j") as book, ThreadPoolExecutor(1) as pool:
        verify.run(tasks, book, pool, jobs={"synth": raiser(ValueError("broken"))})
        assert book.rows["a"]["error"] == "broken"
        book.forget_errors()
        verify.run(tasks, book, pool, jobs={"synth": lambda _: {"lut": 7}})
        assert book.rows["a"]["lut"] == 7
    with Journal(tmp_path / "j") as book:
        assert book.rows["a"]["lut"] == 7


class KilledWorker(Exception):  # noqa: N818 - its name is what counts
    """As Dask tells it, after its own attempts."""


def test_a_lost_job_is_given_to_another_worker(tmp_path: Path) -> None:
    calls: list[int] = []

    def job(*_: Any) -> dict[str, Any]:
        calls.append(1)
        if len(calls) < verify.TRIES:
            raise KilledWorker("gone")
        return {"lut": 5}

    with Journal(tmp_path / "j") as book, ThreadPoolExecutor(1) as pool:
        verify.run([Task("a", "synth", 0, ({},))], book, pool, jobs={"synth": job})
        assert book.rows["a"]["lut"] == 5


class CancellingPool(ThreadPoolExecutor):
    """Forgets the first job, as a scheduler of Dask does that lost its workers."""

    forgotten = False

    def submit(self, *job: Any) -> Future[Any]:  # type: ignore[override]
        if self.forgotten:
            return super().submit(*job)
        self.forgotten = True
        future: Future[Any] = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future


def test_a_cancelled_job_is_asked_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as book, CancellingPool(1) as pool:
        verify.run([Task("a", "synth", 0, ({},))], book, pool, jobs={"synth": lambda _: {"lut": 6}})
        assert book.rows["a"]["lut"] == 6


def test_a_broken_pool_is_no_answer(tmp_path: Path) -> None:
    def job(*_: Any) -> dict[str, Any]:
        raise BrokenProcessPool("killed")

    with Journal(tmp_path / "j") as book, ThreadPoolExecutor(1) as pool:
        raises(DeviceError, "died", verify.run, [Task("a", "synth", 0, ({},))], book, pool, jobs={"synth": job})
        assert not book.rows


def test_keys_are_of_the_hardware() -> None:
    design, workload = designs.load("rise-4"), reader.load(TINY).workloads
    key = [task.key for task in verify.tasks(0, design, 40, workload, ("rtl",))]
    same = [task.key for task in verify.tasks(3, designs.load("rise-4"), 40, workload, ("rtl",))]
    assert key == same != [task.key for task in verify.tasks(0, design, 41, workload, ("rtl",))]


def explored_tiny(folder: Path) -> Exploration:
    return run.explore(reader.load(TINY), constants.load(), folder, 1, lambda *_: None)


@pytest.mark.parametrize("name", ["tiny", "kernels"])
def test_what_closing_a_front_asks_is_told(name: str, tmp_path: Path) -> None:
    """Designs that differ in the system around them are synthesised once."""
    space = reader.load(TINY.with_name(f"{name}.toml"))
    explored = run.explore(space, constants.load(), tmp_path, 1, lambda *_: None)
    told = proof.asks(explored)
    points = {*explored.chosen.tolist(), *explored.random.tolist()}
    keys = {kind: {task.key for i in points for task in proof.tasks_of(explored, i, (kind,))} for kind in ("rtl", "synth")}  # fmt: skip
    assert told == {"points": len(points), "simulations": len(keys["rtl"]), "syntheses": len(keys["synth"])}


def test_a_second_run_takes_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = explored_tiny(tmp_path)
    with monkeypatch.context() as patch:
        patch.delattr(run, "evaluate")
        second = explored_tiny(tmp_path)
    assert (first.front == second.front).all()
    for name, column in first.found.costs.items():
        assert np.array_equal(column, second.found.costs[name], equal_nan=True)


IMPOSSIBLE = [
    # what is another in tiny.toml, and words of the reason
    ('"core.bank_groups" = [2, 3, 4]', '"core.bank_groups" = [2]\n"core.word_bits" = [12]', "[core] word_bits"),
    ("n = 1024", "n = 65536", "65536"),
    ("min(2, dma.bus_bits // 64)", "0 - 4", "[dma] reducers"),
]


@pytest.mark.parametrize(("old", "new", "words"), IMPOSSIBLE, ids=[one[2] for one in IMPOSSIBLE])
def test_why_no_design_can_be_computed_is_said(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = TINY.read_text(encoding="utf-8")
    assert old in text
    space = written(tmp_path / "space.toml", text.replace(old, new))
    with pytest.raises(ParameterError, match=re.escape(words)):
        run.explore(reader.load(space), constants.load(), tmp_path / "run", 1, lambda *_: None)
    assert not (tmp_path / "run").exists()


def test_a_constraint_that_nothing_keeps_is_named(tmp_path: Path) -> None:
    text = TINY.read_text(encoding="utf-8")
    bounds = '[constraints]\nlut = "<= 3"\nmhz = ">= 1"\n'
    costs = explored_tiny(tmp_path).found.costs
    least = {name: 1.001 * float(costs[name].min()) for name in ("lut", "cycles")}
    never = "[constraints]\n" + "".join(f'{name} = "<= {value:.2f}"\n' for name, value in least.items())
    for more, words in ((bounds, "lut <= 3: the smallest is "), (never, "all of them by none"), ("", "")):
        (tmp_path / "space.toml").write_text(text.replace("[verify]", f"{more}[verify]"), encoding="utf-8")
        space = reader.load(tmp_path / "space.toml")
        told = run.summary(run.explore(space, constants.load(), tmp_path / "run", 1, lambda *_: None))["unmet"]
        assert len(told) == bool(words)
        assert words in "".join(told)
        assert "mhz" not in "".join(told)


def test_a_folder_is_of_one_space(tmp_path: Path) -> None:
    """Another space's page would take the place of the first one's; somebody else's summary.json makes no run."""
    folder = tmp_path / "run"
    run.write_summary(explored_tiny(folder), folder)
    run.check_place(folder, "tiny")
    raises(FileError, "a run of another space, tiny", run.check_place, folder, "small")
    other = tmp_path / "other"
    other.mkdir()
    for text in ('{"total": 5}', "[1]", "none"):
        (other / run.SUMMARY).write_text(text)
        raises(FileError, "something else than a run", run.check_place, other, "tiny")


@pytest.mark.parametrize("content", [b"PK\x03\x04 and no more", b"", b"no archive"])
def test_a_damaged_model_is_computed_again(tmp_path: Path, content: bytes) -> None:
    (tmp_path / run.MODEL).write_bytes(content)
    assert run._read(tmp_path / run.MODEL, "", enumerate_all(reader.load(TINY))) is None


def test_residuals_are_of_the_answers(tmp_path: Path) -> None:
    explored = explored_tiny(tmp_path)
    jobs: dict[str, Any] = {
        "rtl": lambda *_: {"cycles": 10000},
        "synth": lambda *_: {"lut": 20000, "ff": 1000, "dsp": 30, "bram36": 7},
    }
    asked = [task for i in (0, 1) for task in proof.tasks_of(explored, i, ("rtl", "synth"))]
    with Journal(tmp_path / "j") as book, ThreadPoolExecutor(1) as pool:
        verify.run(asked, book, pool, jobs=jobs)
        found = proof.answers(explored, book, asked)
    model = float(explored.found.costs["cycles"][0])
    assert found[0]["residual"]["cycles"] == pytest.approx(100 * (model / 10000 - 1), abs=0.01)
    assert found[1]["rtl"]["lut"] == 20000


def test_search_of_large_spaces_finds_the_front(tmp_path: Path) -> None:
    """On a space small enough to know it."""
    pytest.importorskip("optuna")
    from ringside.explore.search.large import search

    space = reader.load(TINY)
    everything = explored_tiny(tmp_path)
    found = search(space, constants.load())
    best = {tuple(found.costs[name][i] for name in space.minimise) for i in run._chosen(space, constants.load(), found, "").front}  # fmt: skip
    true = {tuple(everything.found.costs[name][i] for name in space.minimise) for i in everything.front}
    assert best == true


def square(number: int, latency: int, workload: dict[str, Any]) -> dict[str, Any]:
    if number == 3 and not Path(workload["mark"]).exists():
        Path(workload["mark"]).touch()
        os.kill(os.getpid(), signal.SIGKILL)  # the worker, in the middle of a job
    return {"cycles": number * number}


def test_dask_with_a_worker_that_dies(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    mark = str(tmp_path / "died")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, Journal(tmp_path / "j") as book:
        with run.workers(0, cluster.scheduler_address) as executor:
            tasks = [Task(str(i), "rtl", i, (i, 40, {"mark": mark})) for i in range(8)]
            verify.run(tasks, book, executor, jobs={"rtl": square})
        assert Path(mark).exists()
        assert sorted(row["cycles"] for row in book) == [i * i for i in range(8)]


def test_a_run_is_served(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_bytes(b'{"key": "a", "cycles": 1}\n{"dam\xffged"}\n{"torn')
    server = make_server(tmp_path, 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        place = f"http://127.0.0.1:{server.server_port}"
        with urllib.request.urlopen(f"{place}/answers.json") as answer:
            assert json.load(answer)["answers"] == [{"key": "a", "cycles": 1}]
        with urllib.request.urlopen(place) as answer:
            assert b"Computing" in answer.read()
        (tmp_path / "index.html").write_text("<main>page</main>", encoding="utf-8")
        with urllib.request.urlopen(place) as answer:
            assert b"Answers in the journal: 1" in answer.read()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    raises(FileError, None, make_server, tmp_path / "nothing", 0)
