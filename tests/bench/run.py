# SPDX-License-Identifier: Apache-2.0
"""Speed and memory of Ringside beside other libraries, all measured in one run, with bars that Ringside has to reach.

    make bench                                          everything: all sets, all peers: about 5 minutes, and as long to build the peers once
    make bench-quick                                    lee-12 and lee-14 against TenSEAL's SEAL, half a minute
    make bench ARGS="--sets lee-14,ntt-14 --peers seal-hexl"
    make bench ARGS=--tables                            tables alone, beside the C library, two minutes
    make bench ARGS="--ops encode_encrypt_pk --rounds 15 --json"

Each peer is a process of its own that this one asks in turn, round by round, all of them on one processor and in one process group.
The tables go to standard output, all numbers to build/bench.json; `make readme` writes docs/benchmarks.md and docs/bench.png from it. The ratios are
added to figures/bench.jsonl and to the history in docs/benchmarks.md, unless --no-history or --quick says otherwise.
What is timed and how: docs/benchmarks.md. Exit code 1 if a bar was missed. A peer that cannot be had is reported as absent.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from rich.console import Console  # noqa: E402
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: E402

from bench import history, report, schemes  # noqa: E402
from bench.figures import Results, judge  # noqa: E402
from bench.measure import Program, measure_memory, measure_stream, measure_times  # noqa: E402
from bench.peers import PEERS  # noqa: E402
from bench.plan import CLIENT, EXACT, NTT, OPERATION, OPERATIONS, OURS, ROUNDS_MIN, TENSEAL, Bar, parameter_set  # noqa: E402
from bench.process import AbsentError  # noqa: E402

RESULT = ROOT / "build" / "bench.json"
SETS = (*CLIENT, *EXACT, *NTT)
ROUNDS = 7

QUICK_SETS = ("lee-12", "lee-14")
QUICK_PEERS = (OURS, "ringside-py", TENSEAL)
QUICK_ROUNDS = 5


def names(kind: str, text: str | None, known: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    """A comma-separated list, each name checked; in the order of `known`."""
    if text is None:
        return list(known)
    wanted = [name for name in text.split(",") if name]
    for name in wanted:
        if name not in known:
            parser.error(f"no {kind} {name!r}; there are {', '.join(known)}")
    if not wanted:
        parser.error(f"--{kind}s names nothing; there are {', '.join(known)}")
    return [name for name in known if name in wanted]


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout, prog="make bench ARGS=…")
    parser.add_argument("--sets", help=f"separated by commas, of: {', '.join(SETS)}")
    parser.add_argument("--peers", help=f"besides {OURS}, of: {', '.join(name for name in PEERS if name != OURS)}")
    parser.add_argument("--ops", help=f"of: {', '.join(OPERATION)}")
    parser.add_argument(
        "--rounds", type=int, help=f"default {ROUNDS}; slow operations take fewer, {ROUNDS_MIN} at least"
    )
    parser.add_argument(
        "--quick", action="store_true", help=f"{' and '.join(QUICK_SETS)}, TenSEAL only, {QUICK_ROUNDS} rounds"
    )
    parser.add_argument(
        "--tables", action="store_true", help="tables alone, beside the C library (tests/bench/tables.py)"
    )
    parser.add_argument("--no-history", action="store_true", help="leave the recorded ratios as they are")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON, tables to standard error")
    options = parser.parse_args(arguments)
    options.all_sets = options.sets is None and options.peers is None and options.ops is None and not options.quick
    options.sets = names("set", options.sets or (",".join(QUICK_SETS) if options.quick else None), SETS, parser)
    options.peers = names(
        "peer", options.peers or (",".join(QUICK_PEERS) if options.quick else None), list(PEERS), parser
    )
    options.all_operations = options.ops is None
    options.ops = names("op", options.ops, list(OPERATION), parser)
    options.rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    if not 1 <= options.rounds <= 1000:
        parser.error(f"--rounds {options.rounds} is not between 1 and 1000")
    if OURS not in options.peers:
        options.peers.insert(0, OURS)
    return options


def concerns(bar: Bar, options: argparse.Namespace) -> bool:
    """Whether a bar is about what was asked for: its peer and its operation, memory with all operations."""
    return {bar.ours, bar.peer} <= set(options.peers) and (bar.op in options.ops if bar.op else options.all_operations)


def prepare(wanted: Sequence[str], results: Results, console: Console) -> dict[str, Program]:
    programs = {}
    for name in wanted:
        try:
            programs[name] = PEERS[name].program()
        except AbsentError as absent:
            results.peers_absent[name] = str(absent)
            console.print(f"{name}: absent: {absent}", highlight=False, markup=False)
    return programs


def main() -> int:
    options = parse(sys.argv[1:])
    console = Console(stderr=options.json, width=None if sys.stdout.isatty() else 200)
    processors = sorted(os.sched_getaffinity(0))
    results = Results()
    programs = prepare(options.peers, results, console)
    if OURS not in programs:
        console.print("Without Ringside there is nothing to compare.")
        return 2
    if options.tables:
        from bench import tables  # needs Arrow and Dask, which `make bench-quick` does not have

        found = tables.measure(programs[OURS])
        tables.show(found, console)
        return int(not all(one["passed"] for one in found["bars"]))
    sets = [parameter_set(name) for name in options.sets]
    operations = [operation for operation in OPERATIONS if operation.name in options.ops]
    os.sched_setaffinity(0, {processors[-1]})  # and with it all peers
    columns = (BarColumn(20), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=len(sets))

        def tell(text: str) -> None:
            progress.update(bar, description=text)

        for set_ in sets:
            if not console.is_terminal:
                console.print(f"measuring {set_.name} ({set_.title})", highlight=False)
            there = [program for name, program in programs.items() if set_.name in PEERS[name].sets]
            measure_times(set_, operations, there, options.rounds, results, processors, tell)
            if options.all_operations:
                measure_memory(set_, there, results, tell)
            if "key_file_streamed" in options.ops:
                measure_stream(set_, there, results, tell)
            progress.advance(bar)
    verdicts = [verdict for verdict in judge(results, options.sets) if concerns(verdict.bar, options)]
    titles = {name: PEERS[name].title for name in options.peers}
    origins = {name: PEERS[name].origin for name in options.peers}
    numbers = report.as_json(results, sets, titles, verdicts, options.rounds, origins)
    if options.all_sets:
        if not console.is_terminal:
            console.print("measuring ML-KEM and ML-DSA", highlight=False)
        numbers["schemes"] = schemes.measure()
        numbers["passed"] = numbers["passed"] and all(one["passed"] for one in numbers["schemes"]["bars"])
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
    report.show(numbers, console)
    if "schemes" in numbers:
        schemes.show(numbers["schemes"], console)
    console.print(f"all numbers: {RESULT.relative_to(ROOT)}")
    if not (options.quick or options.no_history):
        added = history.record(ROOT, numbers)
        console.print(f"history: {len(added)} lines added to {history.PLACE}, shown in {history.PAGE}")
    if options.json:
        print(json.dumps(numbers, indent=1))
    return int(not numbers["passed"])


if __name__ == "__main__":
    try:
        code = main()
    except KeyboardInterrupt:
        print("\ninterrupted: build/bench.json is still the last whole run's", file=sys.stderr)
        code = 130
    sys.exit(code)
