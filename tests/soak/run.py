# SPDX-License-Identifier: Apache-2.0
"""Build the fuzz targets (lib/fuzz) with sanitizers, run each for a while, and say what came of it.

run.py [--seconds 60] [--jobs 2] [TARGET ...]      TARGET: params, ciphertext, … (default: all)

RS_SOAK_SECONDS sets the default time per target. The corpus grows in build/fuzz/corpus from run to run; inputs that crash, hang or
take too much memory are kept in build/fuzz/findings. Ends with 1 if there were any, with 2 if the targets could not be built or run.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "fuzz"
TARGETS = ["params", "plaintext", "secret_key", "ciphertext", "public_key", "kswitch", "convert", "info"]
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
        "-DRS_FUZZ=ON",
        "-DRS_BUILD_TESTS=OFF",
        "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
        f"-DCMAKE_C_COMPILER={compiler}",
    ]
    run(["cmake", "-S", ROOT, "-B", BUILD / "cmake", *options], log)
    run(["cmake", "--build", BUILD / "cmake", "--parallel", str(os.cpu_count() or 1)], log)
    seeds = BUILD / "seeds"
    shutil.rmtree(seeds, ignore_errors=True)
    seeds.mkdir()
    run([BUILD / "cmake" / "lib" / "fuzz" / "make_seeds", seeds], log)


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
        BUILD / "cmake" / "lib" / "fuzz" / f"fuzz_{target}",
        f"-max_total_time={seconds}",
        f"-max_len={INPUT_BYTES_MAX}",
        f"-timeout={UNIT_SECONDS_MAX}",
        f"-rss_limit_mb={MEMORY_MB_MAX}",
        f"-malloc_limit_mb={ALLOCATION_MB_MAX}",
        f"-dict={ROOT / 'lib' / 'fuzz' / 'wire.dict'}",
        f"-artifact_prefix={findings}/",
        "-print_final_stats=1",
        corpus,
        BUILD / "seeds",
    ]
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
        target=target,
        executions=executions,
        coverage=last_number(r"\bcov: (\d+)", text),
        corpus=len(list(corpus.iterdir())),
        findings=new,
        failed=code != 0 or bool(new) or executions == 0,
        log=log,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="run the fuzz targets of the file readers")
    parser.add_argument("--seconds", type=int, default=int(os.environ.get("RS_SOAK_SECONDS", "60")), help="per target")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="targets at a time")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    arguments = parser.parse_args()
    targets = arguments.targets or TARGETS
    unknown = sorted(set(targets) - set(TARGETS))
    if unknown or arguments.seconds < 1 or arguments.jobs < 1:
        parser.error(f"no such target: {', '.join(unknown)}" if unknown else "seconds and jobs must be positive")

    build()
    print(f"{'target':<12}{'executions':>12}{'edges':>8}{'corpus':>8}  findings", flush=True)
    outcomes = []
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for outcome in pool.map(lambda target: fuzz(target, arguments.seconds), targets):
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
    return 1 if any(outcome.failed for outcome in outcomes) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except StopError as stop:
        print(stop, file=sys.stderr)
        sys.exit(2)
