# SPDX-License-Identifier: Apache-2.0
"""Proofs about the RTL by Yosys' SAT solver, and about integers by z3.

A proof ends in one of three ways. True: it holds. False: there is a counterexample. An exception: neither was found, for
example because the solver ran out of time or steps. So a control (the proof of a broken design, which has to be refuted) cannot
pass just because the solver found nothing.

A verdict is kept by the content of all that it depends on: RTL, assertions, passes, tools. `make formal` and `make nightly` prove anew.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import z3
from rs_yosys import HW, read, run, version

from ringside.native.files import staged_file
from ringside.sim.cache import root as cache_root

TIME_LIMIT = 3600  # seconds of processor time, of one call of the solver
WORK_LIMIT = 200_000_000  # z3's count of steps, the same on a busy machine: about a minute; no proof needs 3 million
LOG_LINES = 30
ANEW = bool(os.environ.get("RINGSIDE_FORMAL"))  # `make formal` takes nothing from the cache

Mutation = tuple[str, str]


class UndecidedError(Exception):
    """Neither proved nor refuted; the end of the solver's log."""


# ---- methods --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Method:
    """A way to prove assertions. sat: options of the pass; proved, refuted: the lines of its log that are verdicts.

    passes: what makes of a design that was read one module that `sat` understands. options: of `read`.
    """

    sat: str
    proved: str
    refuted: tuple[str, ...]
    passes: tuple[str, ...] = ("prep -flatten", "memory_map", "async2sync", "dffunmap")
    options: tuple[str, ...] = ("--no-synthesis-define",)  # with the RTL's own assertions


PROVED = "SAT proof finished - no model found: SUCCESS!"
REFUTED = ("SAT proof finished - model found: FAIL!",)
STEP_PROVED = "Induction step proven: SUCCESS!"
START_REFUTED = "SAT temporal induction proof finished - model found for base case: FAIL!"
STEPS_REFUTED = "Reached maximum number of time steps -> proof failed."

# a function of the inputs: a register stops the proof
COMBINATIONAL = Method("", PROVED, REFUTED)

# Registers become wires, so what is proved is the function of the pipeline; that all paths have the latency of rs_pkg is
# what simulation at full throughput shows, and so is that a register is enabled when its data come. A register with a reset stops the proof.
PIPELINE = Method(
    "-show-public",
    PROVED,
    REFUTED,
    passes=(
        "hierarchy -check",
        "proc",
        "flatten",
        "opt_clean",
        "opt_dff -nosdff",
        f"techmap -map {HW / 'common' / 'formal' / 'rs_ff_to_wire.v'}",
        "select -assert-none t:$*ff* t:$mem*",
    ),
    options=(),
)


def bounded(steps: int) -> Method:
    """The first `steps` cycles after the first one."""
    proved = f"Reached maximum number of time steps -> proved base case for {steps} steps: SUCCESS!"
    return Method(f"-seq 1 -tempinduct-baseonly -maxsteps {steps}", proved, (START_REFUTED,))


def induction(steps: int) -> Method:
    """All cycles after the first, by induction from `steps` earlier ones. Only a run from the start refutes it."""
    return Method(f"-tempinduct -seq 1 -maxsteps {steps}", STEP_PROVED, (START_REFUTED,))


def invariant(steps: int) -> Method:
    """All cycles. `steps` cycles from a state that may be unreachable refute it too: then the assertions are no invariant."""
    return Method(f"-tempinduct -maxsteps {steps}", STEP_PROVED, (START_REFUTED, STEPS_REFUTED))


# ---- proofs ---------------------------------------------------------------------------------------------------------
def prove(
    method: Method,
    rtl: Sequence[Path],
    checks: Sequence[Path],
    parameters: Mapping[str, Any] | None = None,
    mutation: Mutation | None = None,
    time_limit: int = TIME_LIMIT,
) -> bool:
    """Whether all assertions hold wherever the assumptions hold.

    checks: the files around the RTL; the last one has the name of the top. mutation: a text that occurs exactly once
    in the RTL, and its replacement.
    """
    top = checks[-1].stem
    with tempfile.TemporaryDirectory() as place:
        sources = [*mutated(rtl, mutation, Path(place)), *checks]
        passes = [
            read(top, sources, parameters, *method.options, "-D", "FORMAL"),
            *method.passes,
            "select -assert-none t:$*latch*",
            "chformal -lower",
            "opt -full",
            "check -assert",
            "select -assert-any t:$assert",
            f"sat -timeout {time_limit} -prove-asserts -set-assumes -show-inputs {method.sat}",
        ]
        kept = kept_verdict(method, passes, sources, Path(place), expected=mutation is None)
        if kept.is_file() and not ANEW:
            return bool(json.loads(kept.read_text(encoding="utf-8")))
        log = run(passes)
    proved = verdict(method, log)
    if proved == (mutation is None):  # what goes wrong is proved again the next time, so that there is a log
        with staged_file(kept) as new:
            new.write_text(json.dumps(proved), encoding="utf-8")
    if not proved:  # pytest shows it where that was not expected
        print(log.rpartition("Executing SAT pass")[2])
    return proved


def kept_verdict(method: Method, passes: Sequence[str], sources: Sequence[Path], place: Path, expected: bool) -> Path:
    """The file of a verdict: by the content of all that it depends on, wherever the files lie. Only expected verdicts are kept."""
    texts = [text.replace(str(place), "").replace(str(HW.parent), "") for text in passes]
    files = [*sources, *sorted((HW / "common" / "formal").glob("*.v")), Path(__file__)]
    total = hashlib.sha256(json.dumps([version(), repr(method), expected, texts]).encode())
    for path in files:
        total.update(hashlib.sha256(path.read_bytes()).digest())
    folder = cache_root() / "proofs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{sources[-1].stem}-{total.hexdigest()[:32]}.json"


def mutated(rtl: Sequence[Path], mutation: Mutation | None, place: Path) -> Sequence[Path]:
    """The sources, or copies of them in `place` with the mutation."""
    if mutation is None:
        return rtl
    old, new = mutation
    texts = {path: path.read_text(encoding="utf-8") for path in rtl}
    found = sum(text.count(old) for text in texts.values())
    assert found == 1, f"the RTL has {found} times: {old}"
    for path, text in texts.items():
        (place / path.name).write_text(text.replace(old, new), encoding="utf-8")
    return [place / path.name for path in rtl]


def verdict(method: Method, log: str) -> bool:
    """The verdict of a log. Whole lines are compared."""
    lines = log.splitlines()
    proved, refuted = method.proved in lines, any(line in lines for line in method.refuted)
    if proved == refuted:
        raise UndecidedError("\n".join(lines[-LOG_LINES:]))
    return proved


def implied(claims: Sequence[z3.BoolRef], *assumptions: z3.BoolRef, work_limit: int = WORK_LIMIT) -> bool:
    """Whether all claims hold, for all integers that meet the assumptions."""
    solver = z3.Solver()
    solver.set("rlimit", work_limit)
    solver.add(*assumptions, z3.Not(z3.And(claims)))
    answer = solver.check()
    if answer == z3.unknown:
        raise UndecidedError(solver.reason_unknown())
    return answer == z3.unsat
