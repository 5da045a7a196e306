# SPDX-License-Identifier: Apache-2.0
"""The tests: C with sanitizers, C as released, then pytest against the installed package.

    test.py [--quick] [--lint] [arguments for pytest]
    test.py --record        writes tests/durations.json, by which files are ordered, from the last run's build/logs/tests.json

With --lint, `make lint` runs beside pytest on what the tests leave idle; its output stands before pytest's summary. A stage that fails does not stop the next one, but the exit code tells. pytest is last, so that
its summary (the slowest tests and the table of stages just above it) closes the output. The C stages
run beside the set-up. Every stage takes all cores; arguments such as `-n 0` come after the ones below and win.
"""

import json
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Thread

from common import (
    BUILD,
    LOGS,
    PYTHON,
    ROOT,
    StopError,
    compile_alike,
    environment,
    finish,
    help_wanted,
    replace_file,
    run_quiet,
    say,
    usable_processors,
)
from setup import install_packages, setup

# leaks count, and the first finding ends the test
SANITIZER_ENV = {
    "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


@dataclass(frozen=True)
class CStage:
    name: str
    build_type: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    stage: str
    passed: bool
    seconds: float
    note: str = ""
    output: str = ""  # ctest's


# A worker that has run out of tests takes over some of another's, from the end: neighbours, which
# often share fixtures, stay together.
PYTEST = ("-n", "auto", "--dist", "worksteal", "--durations=25", "--durations-min=2")
QUICK = ("-m", "not slow")
RECORDED = 4  # seconds

SANITIZED = CStage("asan", "Debug", ("-DRS_SANITIZE=ON",))
RELEASE = CStage("release", "Release")


def run_c_stage(stage: CStage) -> Outcome:
    """Configure, build and ctest one build of the library. It prints nothing: the set-up does so meanwhile."""
    start = time.monotonic()
    build = BUILD / stage.name
    configure = ["-G", "Ninja", f"-DCMAKE_BUILD_TYPE={stage.build_type}", "-DRS_BUILD_TESTS=ON", "-DRS_WERROR=ON"]
    jobs = str(usable_processors())
    note = output = ""
    try:
        run_quiet(["cmake", "-S", ROOT, "-B", build, *configure, *stage.options], stage.name)
        run_quiet(["cmake", "--build", build], stage.name)
        command = ["ctest", "--test-dir", str(build), "--output-on-failure", "--no-tests=error"]
        env = environment() | SANITIZER_ENV
        done = subprocess.run([*command, "-j", jobs], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output = done.stdout.decode(errors="replace")
        passed = done.returncode == 0
        if not passed:
            note = f"again: {' '.join(command[:2])} {build.relative_to(ROOT)}"
    except StopError as stop:
        passed, note, output = False, "did not build", str(stop)
    return Outcome(stage.name, passed, time.monotonic() - start, note, output)


def run_c_stages(quick: bool) -> list[Outcome]:
    """The set-up, which uses one core for most of its time, and beside it the C stages: they need Debian packages alone."""
    install_packages("test")
    outcomes = []
    with ThreadPoolExecutor(1) as pool:
        stages = [RELEASE] if quick else [SANITIZED, RELEASE]
        running = [pool.submit(run_c_stage, stage) for stage in stages]
        setup("test")
        for stage, future in zip(stages, running, strict=True):
            say(f"\n=== {stage.name}: {stage.build_type} build and ctest")
            outcomes.append(future.result())
            say(outcomes[-1].output)
    return outcomes


def run_lint() -> Outcome:
    """All static checks but the longest, with the least priority: the tests are what is waited for."""
    start = time.monotonic()
    command = ["nice", "-n", "19", sys.executable, str(ROOT / "scripts" / "lint.py"), "--ci"]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode(errors="replace")
    LOGS.mkdir(parents=True, exist_ok=True)
    (LOGS / "lint.txt").write_text(output, encoding="utf-8")
    passed = done.returncode == 0
    return Outcome("lint", passed, time.monotonic() - start, "" if passed else "again: make lint", output)


@contextmanager
def beside(is_wanted: bool) -> Iterator[tuple[int, ...]]:
    """Lint in a thread. Gives the end of a pipe from which pytest's plugin reads its outcome, as JSON; nothing if it died."""
    if not is_wanted:
        yield ()
        return
    reader, writer = os.pipe()

    def lint() -> None:
        with os.fdopen(writer, "w", encoding="utf-8") as pipe:
            pipe.write(json.dumps(asdict(run_lint())))

    thread = Thread(target=lint, daemon=True)
    thread.start()
    try:
        yield (reader,)
    finally:
        os.close(reader)


def run_pytest(arguments: Sequence[str], earlier: Sequence[Outcome], later: Sequence[int] = ()) -> int:
    """pytest in the venv; the plugin prints the table of the earlier stages, and of the `later` ones that still run, in its summary."""
    say("\n=== pytest")
    env = environment()
    env["PYTHONPATH"] = str(Path(__file__).resolve().parent / "plugins")
    env.pop("CFLAGS", None)
    env["RINGSIDE_STAGES"] = json.dumps([asdict(outcome) | {"output": ""} for outcome in earlier])
    env["RINGSIDE_LATER"] = json.dumps(later)
    command = [PYTHON, "-m", "pytest", "-p", "ringside_stages", *arguments]
    return subprocess.run(list(map(str, command)), cwd=ROOT, env=env, pass_fds=later).returncode


def record() -> int:
    """Files whose longest test takes some seconds."""
    longest: dict[str, int] = {}
    for test, seconds in json.loads((LOGS / "tests.json").read_text(encoding="utf-8")).items():
        file = Path(test.partition("::")[0]).name
        longest[file] = max(longest.get(file, 0), round(seconds))
    kept = {file: seconds for file, seconds in sorted(longest.items()) if seconds >= RECORDED}
    replace_file(ROOT / "tests" / "durations.json", textwrap.fill(json.dumps(kept), 120) + "\n")
    return 0


def main() -> int:
    if help_wanted(__doc__):
        return 0
    if sys.argv[1:] == ["--record"]:
        return record()
    arguments = sys.argv[1:]
    quick, lint = "--quick" in arguments, "--lint" in arguments
    arguments = [argument for argument in arguments if argument not in ("--quick", "--lint")]
    compile_alike()
    outcomes = run_c_stages(quick)
    if lint:
        setup("lint")  # before the tests begin: both use one virtual environment
    with beside(lint) as later:
        code = run_pytest([*PYTEST, *(QUICK if quick else ()), *arguments], outcomes, later)
    return code or int(not all(outcome.passed for outcome in outcomes))


if __name__ == "__main__":
    finish(main)
