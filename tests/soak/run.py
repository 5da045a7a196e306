# SPDX-License-Identifier: Apache-2.0
"""Soak: the fuzz targets (lib/fuzz) with sanitizers, and random jobs on simulated hardware designs (tests/device).

run.py [--seconds 60] [--jobs 200] [--seed S] [--parallel 2] [--json build/soak.json] [TARGET ...]
run.py --repeat JOB

TARGET: hardware (jobs), programs (random ones on the core, hw/core), distributions (of the samplers, 2^24 samples),
machines (the core under QEMU, and without 128-bit integers), tests (the others that `make test` leaves out), or a fuzz target: params, ciphertext, … (default: all).
--seconds: of each fuzz target, RS_SOAK_SECONDS sets the default. --jobs: hardware jobs; a --seed repeats them all, --repeat one: its
text is printed when it fails. The simulators of all designs take some minutes to build, once. The corpus grows in build/fuzz/corpus
from run to run; inputs that crash, hang or take too much memory are kept in build/fuzz/findings. Ends with 1 if anything was found,
with 2 if the targets could not be built or run.
"""

import argparse
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from device import jobs  # noqa: E402
from ringside.processors import usable_processors  # noqa: E402
from soak import hardware  # noqa: E402

HARDWARE = "hardware"
PROGRAMS = "programs"
DISTRIBUTIONS = "distributions"
SUMMARY = ROOT / "build" / "soak.json"
BUILD = ROOT / "build" / "fuzz"
MACHINES = "machines"
TESTS = "tests"
LONGER = [HARDWARE, PROGRAMS, DISTRIBUTIONS, MACHINES, TESTS]
TARGETS = [
    "params", "plaintext", "secret_key", "ciphertext", "public_key", "kswitch", "convert", "decrypt", "info",
    "bfv", "bgv", "zstd_words", "newhope", "mlkem", "mldsa", "fndsa", "bliss",
]  # fmt: skip
COMPILERS = ["clang-14", "clang"]

INPUT_BYTES_MAX = 65536  # the largest seed that matters is a relinearisation key of 33 kB
UNIT_SECONDS_MAX = 10  # an input that takes longer counts as a hang
MEMORY_MB_MAX = 768
# The loaders allocate nothing; the harness takes 2.5 MB at most, zstd its window of 8 MB and some.
ALLOCATION_MB_MAX = 32
SPARE_SECONDS = 120  # for start-up, reading the corpus and the last unit


class StopError(Exception):
    """The targets could not be built or run."""


@dataclass
class Outcome:
    target: str
    executions: int
    coverage: int
    corpus: int
    findings: list[Path]
    failed: bool
    log: Path

    def as_dict(self) -> dict[str, object]:
        found = [str(path.relative_to(ROOT)) for path in self.findings]
        return asdict(self) | {"findings": found, "log": str(self.log.relative_to(ROOT))}


def run(command: Sequence[str | Path], log: Path) -> None:
    with log.open("a", encoding="utf-8") as out:
        out.write(f"$ {' '.join(map(str, command))}\n")
        out.flush()
        done = subprocess.run(list(map(str, command)), cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        tail = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-30:])
        raise StopError(f"{tail}\nfailed with code {done.returncode}; see {log.relative_to(ROOT)}")


def build() -> None:
    compiler = next((name for name in COMPILERS if shutil.which(name)), None)
    if compiler is None:
        raise StopError(f"libFuzzer needs one of {', '.join(COMPILERS)}")
    BUILD.mkdir(parents=True, exist_ok=True)
    log = BUILD / "build.log"
    log.unlink(missing_ok=True)
    options = [
        "-DRS_FUZZ=ON", "-DRS_BUILD_TESTS=OFF", "-DRS_WERROR=ON", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
        f"-DCMAKE_C_COMPILER={compiler}",
    ]  # fmt: skip
    run(["cmake", "-S", ROOT, "-B", BUILD / "cmake", *options], log)
    run(["cmake", "--build", BUILD / "cmake", "--parallel", str(usable_processors())], log)
    seeds = BUILD / "seeds"
    shutil.rmtree(seeds, ignore_errors=True)
    for scheme in ("ckks", "bfv", "bgv"):
        (seeds / scheme).mkdir(parents=True)
        run([BUILD / "cmake" / "lib" / "fuzz" / f"make_seeds_{scheme}", seeds / scheme], log)


def last_number(pattern: str, text: str) -> int:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def fuzz(target: str, seconds: int) -> Outcome:
    corpus = BUILD / "corpus" / target
    findings = BUILD / "findings" / target
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    before = set(findings.iterdir())
    log = BUILD / f"{target}.log"
    command = [
        BUILD / "cmake" / "lib" / "fuzz" / f"fuzz_{target}", f"-max_total_time={seconds}",
        f"-max_len={INPUT_BYTES_MAX}", f"-timeout={UNIT_SECONDS_MAX}", f"-rss_limit_mb={MEMORY_MB_MAX}",
        f"-malloc_limit_mb={ALLOCATION_MB_MAX}", f"-dict={ROOT / 'lib' / 'fuzz' / 'wire.dict'}",
        f"-artifact_prefix={findings}/", "-print_final_stats=1", corpus, BUILD / "seeds",
    ]  # fmt: skip
    with log.open("w", encoding="utf-8") as out:
        try:
            code = subprocess.run(
                list(map(str, command)), stdout=out, stderr=subprocess.STDOUT, timeout=seconds + SPARE_SECONDS
            ).returncode
        except subprocess.TimeoutExpired:
            code = -1
    text = log.read_text(encoding="utf-8", errors="replace")
    executions = last_number(r"stat::number_of_executed_units:\s+(\d+)", text)
    new = sorted(set(findings.iterdir()) - before)
    return Outcome(
        target=target, executions=executions, coverage=last_number(r"\bcov: (\d+)", text),
        corpus=len(list(corpus.iterdir())), findings=new, failed=code != 0 or bool(new) or executions == 0, log=log,
    )  # fmt: skip


def fuzz_all(targets: Sequence[str], seconds: int, parallel: int) -> list[Outcome]:
    build()
    print(f"{'target':<12}{'executions':>12}{'edges':>8}{'corpus':>8}  findings", flush=True)
    outcomes = []
    with ThreadPoolExecutor(parallel) as pool:
        for outcome in pool.map(lambda target: fuzz(target, seconds), targets):
            told = f"{len(outcome.findings)} new" if outcome.findings else "FAILED" if outcome.failed else "none"
            print(
                f"{outcome.target:<12}{outcome.executions:>12}{outcome.coverage:>8}{outcome.corpus:>8}  {told}",
                flush=True,
            )
            outcomes.append(outcome)
    for outcome in outcomes:
        if outcome.failed:
            print(f"\n{outcome.target}: see {outcome.log.relative_to(ROOT)}")
            for path in outcome.findings:
                print(f"  {path.relative_to(ROOT)}")
    return outcomes


def repeat(text: str) -> int:
    try:
        print(f"{jobs.run(jobs.Job.parse(text))} cycles")
    except (jobs.JobError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be positive, got {text!r}")
    return int(text)


def longer_tests(what: str, *arguments: str | Path) -> bool:
    """Tests that do more, or are only run, with RINGSIDE_SOAK=1."""
    print(f"\n{what}", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, env=os.environ | {"RINGSIDE_SOAK": "1"}).returncode == 0


def random_programs() -> bool:
    """The core against its reference, also in the builds that take too long for the tests."""
    return longer_tests("random programs of all instructions", ROOT / "hw" / "core", "-k", "random_programs")


def distributions() -> bool:
    """Four times the samples of the tests."""
    place = ROOT / "tests" / "oracle" / "test_sample.py"
    return longer_tests("distributions of the samplers", place, "-k", "distribution or fault or sound")


def machines() -> bool:
    """Every parameter set on every machine, and all C tests without 128-bit integers."""
    return longer_tests("the core on other machines", ROOT / "tests" / "bare")


def marked() -> bool:
    """What `make test` leaves to `make soak`, but for what is above."""
    covered = ("--ignore", ROOT / "tests" / "bare", "-k", "not random_programs")
    return longer_tests("tests that `make test` leaves out", "--left-out", "-n", "auto", *covered)


def main() -> int:
    parser = argparse.ArgumentParser(description="fuzz the readers of files, and run random jobs on simulated hardware")
    seconds = os.environ.get("RS_SOAK_SECONDS", "60")
    parser.add_argument("--seconds", type=positive, default=seconds, help="per fuzz target")
    parser.add_argument("--jobs", type=positive, default=200, help="on simulated hardware")
    parser.add_argument(
        "--seed", type=int, default=secrets.randbits(32), help="of the jobs; default: another one every time"
    )
    parser.add_argument(
        "--parallel", type=positive, default=min(2, usable_processors()), help="targets or jobs at a time"
    )
    parser.add_argument("--json", type=Path, default=SUMMARY, help="summary", metavar="FILE")
    parser.add_argument("--repeat", metavar="JOB", help="run this job, nothing else")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join([*LONGER, *TARGETS]))
    arguments = parser.parse_args()
    if arguments.repeat:
        return repeat(arguments.repeat)
    targets = arguments.targets or [*TARGETS, *LONGER]
    unknown = sorted(set(targets) - {*TARGETS, *LONGER})
    if unknown:
        parser.error(f"no such target: {', '.join(unknown)}")

    start = time.monotonic()
    fuzzed = [target for target in targets if target in TARGETS]
    fuzz_outcomes = fuzz_all(fuzzed, arguments.seconds, arguments.parallel) if fuzzed else []
    designs = []
    if HARDWARE in targets:
        say = partial(print, flush=True)
        designs = hardware.soak(arguments.jobs, arguments.seed, arguments.parallel, Path(__file__), say)
    programs = PROGRAMS not in targets or random_programs()
    samplers = DISTRIBUTIONS not in targets or distributions()
    failed = any(outcome.failed for outcome in fuzz_outcomes) or any(outcome.failures for outcome in designs)
    others = MACHINES not in targets or machines()
    others_marked = TESTS not in targets or marked()
    failed = failed or not (programs and samplers and others and others_marked)
    summary = {
        "passed": not failed, "seconds": round(time.monotonic() - start),
        "fuzz": [outcome.as_dict() for outcome in fuzz_outcomes], "seed": arguments.seed,
        "hardware": [outcome.as_dict() for outcome in designs], "programs": programs, "distributions": samplers,
        "machines": others, "tests": others_marked,
    }  # fmt: skip
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except StopError as stop:
        print(stop, file=sys.stderr)
        sys.exit(2)
