# SPDX-License-Identifier: Apache-2.0
"""How much of the RTL the hardware tests reach: Verilator's line and toggle coverage, merged over all models of all tests.

    coverage.py [--again] [--more] [--blocks] [--minutes M] [--jobs N] [arguments for pytest, as hw/dma or -k store]

--again: only writes the pages, from what the last run counted. --more: adds to that, instead of beginning anew; of the same RTL. --blocks: without whole
cores, whose models take most of the time. --minutes: no test begins later; the first case of each test function comes first. The page says what ran.
--jobs: tests at a time, else one on each processor.

Of the supported designs (scripts/plugins/planned_models.py) each is also counted by itself, with the plan of functional coverage (functional_plan.py).

It writes docs/coverage.md and build/coverage/index.html, the same with every place that nothing reaches. With arguments, or when a test
fails, it writes the page in build/ alone. Models with counters are others than those of the tests: the first run builds them all.
"""

import argparse
import html
import json
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from common import BUILD, PYTHON, ROOT, StopError, environment, finish, help_wanted, replace_file, say
from setup import setup

sys.path.append(str(Path(__file__).resolve().parent / "plugins"))
import functional_plan
from verilator_counts import Counts, Forms, Point, load, load_forms, take

PLUGINS = ROOT / "scripts" / "plugins"
PLACE = BUILD / "coverage"
RAW = PLACE / "raw"  # a folder per process of pytest, where models write
PAGE = ROOT / "docs" / "coverage.md"
COMMAND = "make coverage"
GENERATED = ("rs_regs",)  # by PeakRDL: its logic is general, the core uses a part of it
# tests that run no model, and blocks in sizes that differ from smaller ones in the number of instances alone
WHOLE_CORES = tuple(f"hw/core/tb/test_rs_core{name}.py" for name in ("", "_bus", "_encode", "_sizes"))
LEFT_OUT = ("lint", "illegal", "refuses", "picorv32", "P32-N16384", "P8-N8192")


# ---- figures --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Share:
    reached: int
    total: int

    def __str__(self) -> str:
        if not self.total:
            return ""
        # not 100 % when one is missing
        return f"{int(1000 * self.reached / self.total) / 10:.1f} %"

    @property
    def missing(self) -> int:
        return self.total - self.reached


def share(points: Iterable[Point], counts: Counts) -> Share:
    hits = [counts[point] > 0 for point in points]
    return Share(sum(hits), len(hits))


def by_module(counts: Counts, blocks: Mapping[str, str]) -> dict[str, list[Point]]:
    """Points of the modules of `blocks` (module -> block), in its order; those of testbenches are left out."""
    found: dict[str, list[Point]] = defaultdict(list)
    for point in counts:
        found[point.module].append(point)
    return {module: found[module] for module in blocks if module in found}


def rtl() -> dict[str, str]:
    """module -> block, by block. Functions of packages are constants of the elaboration."""
    files = [path for path in sorted(ROOT.glob("hw/*/rtl/*.sv")) if not path.stem.endswith("_pkg")]
    return {path.stem: path.parents[1].name for path in files}


def shares(points: Sequence[Point], counts: Counts) -> tuple[Share, Share]:
    """Blocks and branches; toggles."""
    return (
        share([point for point in points if not point.is_toggle], counts),
        share([point for point in points if point.is_toggle], counts),
    )


def table(counts: Counts, blocks: Mapping[str, str]) -> list[list[str]]:
    modules = by_module(counts, blocks)
    rows, all_points = [], []
    for module, points in modules.items():
        code, toggles = shares(points, counts)
        rows.append([blocks[module], f"`{module}`", str(code), str(code.missing), str(toggles), str(toggles.missing)])
        if module not in GENERATED:
            all_points += points
    code, toggles = shares(all_points, counts)
    rows.append(["all", "", str(code), str(code.missing), str(toggles), str(toggles.missing)])
    return rows


COLUMNS = ["block", "module", "code", "not reached", "toggles", "not seen"]
# what stops a simulation: its failing arm runs in no test that passes
STOPS = re.compile(r"\bassert\b|\$(error|fatal)\b")


# Verilator counts an arm behind its statements, so never one that returns.
RETURNS = re.compile(r"\breturn\b")
FUNCTION = re.compile(r"^\s*function\b.*?(?<!\$)\b(\w+)\(")
Functions = Mapping[str, Mapping[str, range]]  # module -> name -> lines


def _text(module: str, block: str) -> list[str]:
    return _source(module, block).read_text(encoding="utf-8").splitlines()


def _functions(module: str, block: str) -> dict[str, range]:
    """Name -> lines."""
    found, name, first = {}, "", 0
    for number, line in enumerate(_text(module, block), 1):
        if head := FUNCTION.match(line):
            name, first = head[1], number
        elif name and line.strip() == "endfunction":
            found[name] = range(first, number)
            name = ""
    return found


def constants(counts: Counts, blocks: Mapping[str, str]) -> Functions:
    """Modules of which nothing ran in models that have them: none calls them, elaboration does."""
    found: dict[str, dict[str, range]] = {}
    for module, points in by_module(counts, blocks).items():
        code = [point for point in points if not point.is_toggle]
        for name, lines in _functions(module, blocks[module]).items():
            inside = [counts[point] for point in code if point.line in lines]
            if inside and not any(inside):
                found.setdefault(module, {})[name] = lines
    return found


def of_hardware(counts: Counts, blocks: Mapping[str, str], constant: Functions) -> Counts:
    """Without what hardware has not, the arms of assertions and functions for constants, and without what is not counted."""
    left_out = {
        (module, line) for module, functions in constant.items() for lines in functions.values() for line in lines
    }
    returns = set()
    for module, block in blocks.items():
        for number, line in enumerate(_text(module, block), 1):
            if STOPS.search(line):
                left_out.add((module, number))
            if RETURNS.search(line):
                returns.add((module, number))

    def counted(point: Point) -> bool:
        place = (point.module, point.line)
        return place not in left_out and (
            counts[point] > 0 or point.kind != "branch" or not (point.lines and place in returns)
        )

    return {point: count for point, count in counts.items() if point.is_toggle or counted(point)}


def _source(module: str, block: str) -> Path:
    return ROOT / "hw" / block / "rtl" / f"{module}.sv"


def summary(counts: Counts, blocks: Mapping[str, str]) -> list[list[str]]:
    """A row per block, without what is generated: also of blocks of which no test ran."""
    modules = by_module(counts, blocks)
    rows = []
    for block in dict.fromkeys(blocks.values()):
        every = [module for module in blocks if blocks[module] == block and module not in GENERATED]
        found = [module for module in every if module in modules]
        code, toggles = shares([point for module in found for point in modules[module]], counts)
        rows.append([block, f"{len(found)} of {len(every)}", str(code), str(toggles)])
    return rows


def _rows(head: str, sides: str, rows: Iterable[Sequence[str]]) -> str:
    """A table. sides: l or r of each column."""
    align = sides.replace("l", "---").replace("r", "---:").replace("|", " | ")
    return "\n".join(f"| {row} |" for row in [head, align, *map(" | ".join, rows)])


def markdown(
    counts: Counts, blocks: Mapping[str, str], ran: Sequence[str] = (), constant: Functions | None = None,
    designs: Sequence["Supported"] = (),
) -> str:  # fmt: skip
    """ran: which tests, and how long. constant: the functions that are not counted."""
    named = "; ".join(f"`{module}`: {', '.join(names)}" for module, names in (constant or {}).items())
    absent = [module for module in blocks if module not in by_module(counts, blocks)]
    without = f"No test that ran builds {', '.join(f'`{one}`' for one in absent)}.\n\n" if absent else ""
    told = f"{' '.join(ran)}\n\n" if ran else ""
    head = f"""<!-- Written by `{COMMAND}`: do not edit. -->
# Coverage of the hardware tests

`make coverage` says which parts of the RTL run in simulation: it runs the tests of
`hw/` in Verilator with counters and writes it, and `build/coverage/index.html`: all modules, each place that is not reached, each signal with bits
that do not change, and why.

Counted on {time.strftime("%-d %B %Y", time.gmtime())}: modules that came later are not on it.

{told}* *code*: blocks of statements and arms of branches that ran, without failing arms of assertions.
* *toggles*: edges of bits, rising and falling, in all widths that tests build; signals of more than 256 bits are left out.
* The generated register file is in no total. An arm that is one `return` does not count, nor do functions that only elaboration calls. Of these nothing
  ran in any model: {named or "there are none"}.

{of_designs(designs, blocks) if designs else ""}## All tests, by block
{_rows("block | modules that ran | code | toggles", "l|r|r|r", summary(counts, blocks))}

Whole cores of every size run in soak, without counters. That results are right, [comparisons and proofs](SOUNDNESS.md) say.

{without}"""
    return head.rstrip() + "\n"


# ---- supported designs ---------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Supported:
    """A design. points: module -> those of each of its forms. expected, seen: crosses of the functional plan."""

    name: str
    points: Mapping[str, Sequence[Counts]]
    expected: set[functional_plan.Cross]
    seen: set[functional_plan.Cross]

    def shares(self, module: str = "") -> tuple[Share, Share]:
        """Code and toggles, of all modules or of one."""
        forms = [counts for name, forms in self.points.items() for counts in forms if module in ("", name)]
        hits = [(point.is_toggle, count > 0) for counts in forms for point, count in counts.items()]
        code, toggles = ([hit for is_toggle, hit in hits if is_toggle is kind] for kind in (False, True))
        return Share(sum(code), len(code)), Share(sum(toggles), len(toggles))

    def planned(self, group: str = "") -> Share:
        wanted = {cross for cross in self.expected if group in ("", cross[0])}
        return Share(len(wanted & self.seen), len(wanted))

    @property
    def missed(self) -> list[functional_plan.Cross]:
        return sorted(self.expected - self.seen)


ASKED = re.compile(r"\bif \(|\?")  # a condition of a line
ALONE = re.compile(r"\bif \(!?(\w+)\)|(?:=|return) !?(\w+) \?")  # one that is a signal by itself


def steered(text: str, bits: Collection[str]) -> bool:
    """Whether a line has one condition, a signal that is constant."""
    if len(ASKED.findall(text)) != 1 or not (found := ALONE.search(text)):
        return False
    signal = found[1] or found[2]
    return any(bit == signal or bit.endswith(f".{signal}") for bit in bits)


OPERATIONS = re.compile(r"^\s*OP_\w+(, OP_\w+)*:")  # an arm


def refused(text: str, built: Collection[str]) -> bool:
    """Whether a line is an arm of operations that all are not built: the sequencer refuses them."""
    found = OPERATIONS.match(text)
    return found is not None and not set(re.findall(r"OP_(\w+)", found[0])) & set(built)


def possible(
    counts: Counts, dead: Iterable[Sequence[object]], constant: Collection[str], text: Sequence[str] = (),
    built: Collection[str] = frozenset(functional_plan.ISA["op"]),
) -> Counts:  # fmt: skip
    """Of a form, without arms that no value reaches and without edges of constant bits. text: of its module, by line. built: operations."""
    arms = {tuple(place) for place in dead}
    lines = {number for number, line in enumerate(text, 1) if steered(line, constant) or refused(line, built)}
    bits = set(constant)

    def is_possible(point: Point) -> bool:
        if point.is_toggle:
            return point.what.rpartition(":")[0] not in bits
        never = (point.line, point.column, point.kind, point.what) in arms
        return not never and (counts[point] > 0 or point.line not in lines or point.what == "block")

    return {point: count for point, count in counts.items() if is_possible(point)}


def supported(blocks: Mapping[str, str]) -> list[Supported]:
    """A module counts in the forms that the design builds, wherever a test has built these. Functions that only elaboration calls have no statement."""
    counted: Forms = load_forms(sorted(RAW.glob("*.forms")))
    lines = (RAW / "plan").read_text(encoding="utf-8").splitlines() if (RAW / "plan").exists() else []
    found = []
    for path in sorted(RAW.glob("*.design")):
        dead, bits, parameters = (
            json.loads(path.with_suffix(f".{kind}").read_text(encoding="utf-8"))
            for kind in ("dead", "constants", "parameters")
        )
        points: dict[str, list[Counts]] = {}
        built = functional_plan.built(parameters)
        for form, every in sorted(load_forms([path]).items()):
            module = form.partition(":")[0]
            if module in blocks and module not in GENERATED:
                here = counted.get(form, {})
                kept = of_hardware({point: here.get(point, 0) for point in every}, {module: blocks[module]}, {})
                points.setdefault(module, []).append(
                    possible(kept, dead.get(form, ()), bits.get(form, ()), _text(module, blocks[module]), built)
                )
        seen = functional_plan.seen(parameters, lines)
        found.append(Supported(path.stem, points, functional_plan.expected(parameters), seen))
    return found


def _bare(share: Share) -> str:
    return f"{share}, {share.reached} of {share.total}" if share.total else ""


def of_designs(designs: Sequence[Supported], blocks: Mapping[str, str]) -> str:
    """Their part of the page."""
    names = [one.name for one in designs]
    totals = [[f"`{one.name}`", *map(_bare, one.shares()), _bare(one.planned())] for one in designs]
    groups = [[what, *(_bare(one.planned(group)) for one in designs)] for group, what in functional_plan.GROUPS.items()]
    missed: dict[str, list[str]] = defaultdict(list)
    for one in designs:
        for cross in one.missed:
            missed[" · ".join(cross[1:])].append(one.name)
    reasons = reasons_of("crosses")
    why_missed = [[what, ", ".join(where), why(reasons, what)] for what, where in missed.items()]
    head = "Missed; where no reason stands, a test is missing:"
    seen = f"{head}\n\n{_rows('cross | designs | why', 'l|l|l', why_missed)}" if missed else "All were seen."
    return f"""## Supported designs
{_rows("design | code | toggles | functional plan", "l|r|r|r", totals)}

A module counts in the forms that these designs build: the statements, arms and widths that parameters leave. A test of a block, or of another core, counts for the same
form. No points are:

* arms whose condition is constant in this design: Verilator leaves no statement in the model that would count them, or the condition is one signal, which is constant;
* arms of operations that this design has not: the sequencer refuses them before a unit sees them;
* bits that Yosys finds constant in the whole design, flattened: what hangs on a parameter, what a unit does not use, alignment of addresses;
* what is not for synthesis, the failing arms of assertions, and functions that only elaboration calls.

## Functional plan
A cross is an event that has to happen on the design itself. `hw/core/tb/plan/rs_plan_*.sv`, bound into its model, report events; `scripts/plugins/functional_plan.py` lists
the crosses that can happen by `hw/sequencer/isa.toml` and the design's parameters.

{_rows(" | ".join(["crosses", *names]), "l" + len(names) * "|r", groups)}

{seen}

## Code that a supported design does not reach
`build/coverage/index.html` has the text of the lines. Where no reason stands, a test is missing.

{_rows("module | lines | designs | why", "l|l|l|l", unreached(designs, blocks))}

"""


REASONS = PLUGINS / "coverage_reasons.toml"


def reasons_of(kind: str) -> list[tuple[re.Pattern[str], str]]:
    """Why something is not reached: patterns of `module: text`, the first that fits counts."""
    return [
        (re.compile(one["what"]), one["why"])
        for one in tomllib.loads(REASONS.read_text(encoding="utf-8")).get(kind, [])
    ]


def why(reasons: Sequence[tuple[re.Pattern[str], str]], what: str) -> str:
    """Empty: a test is missing."""
    return next((text for pattern, text in reasons if pattern.search(what)), "")


def never(designs: Sequence[Supported], toggles: bool) -> Iterator[tuple[str, str, Point]]:
    """Design, module and point of what nothing reaches: toggles, or code."""
    for one in designs:
        for module, forms in one.points.items():
            for counts in forms:
                for point, count in counts.items():
                    if point.is_toggle == toggles and not count:
                        yield one.name, module, point


def unreached(designs: Sequence[Supported], blocks: Mapping[str, str]) -> list[list[str]]:
    """Lines by module, and by the designs and the reason that they share."""
    places: dict[tuple[str, int], set[str]] = defaultdict(set)
    for name, module, point in never(designs, toggles=False):
        places[module, point.line].add(name)
    reasons = reasons_of("code")
    lines: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for (module, line), names in sorted(places.items()):
        text = _text(module, blocks[module])[line - 1].strip()
        lines[module, ", ".join(sorted(names)), why(reasons, f"{module}: {text}")].append(str(line))
    return [[f"`{module}`", ", ".join(every), *rest] for (module, *rest), every in lines.items()]


SHOWN = 4  # signals of a module


def untoggled(designs: Sequence[Supported], blocks: Mapping[str, str]) -> list[list[str]]:
    signals: dict[str, Counter[str]] = defaultdict(Counter)
    for _, module, point in never(designs, toggles=True):
        signals[module][re.sub(r"\[\d+\]", "", point.what.rpartition(":")[0])] += 1
    reasons = reasons_of("toggles")
    rows = []
    for module in [name for name in blocks if name in signals]:
        most = sorted(signals[module].items(), key=lambda item: (-item[1], item[0]))
        shown = ", ".join(f"`{name}` {count}" for name, count in most[:SHOWN])
        more = f", {len(most) - SHOWN} more" if len(most) > SHOWN else ""
        whys = dict.fromkeys(why(reasons, f"{module}: {name}") or "a test is missing" for name, _ in most[:SHOWN])
        rows.append([f"`{module}`", shown + more, "; ".join(whys)])
    return rows


# ---- the page with every place ----------------------------------------------------------------------------------------
STYLE = """body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; color: #171b26; }
table { border-collapse: collapse; } td, th { padding: .1em .8em; text-align: right; } td:first-child, td:nth-child(2) { text-align: left; }
tr { border-top: 1px solid #dfe3eb; } pre { background: #f6f7f9; padding: .6em; overflow-x: auto; } summary { cursor: pointer; }"""


def _missing_code(module: str, points: Sequence[Point], counts: Counts, path: Path) -> str:
    missing = sorted(
        (one for one in points if not one.is_toggle and not counts[one]), key=lambda one: (one.line, one.column)
    )
    lines = path.read_text(encoding="utf-8").splitlines()
    shown = [f"{one.line:4}  {one.what:<10}  {lines[one.line - 1].strip()}" for one in missing]
    return f"<pre>{html.escape(chr(10).join(shown))}</pre>" if shown else ""


def _missing_toggles(points: Sequence[Point], counts: Counts) -> str:
    """Signals, with the number of edges that are not seen."""
    signals: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in points:
        if one.is_toggle:
            name = re.split(r"[\[:]", one.what)[0]
            signals[name][0] += not counts[one]
            signals[name][1] += 1
    shown = [f"{name}: {missing} of {total}" for name, (missing, total) in signals.items() if missing]
    return f"<p>{html.escape(', '.join(shown))}</p>" if shown else ""


def _cells(rows: Iterable[Sequence[str]], kind: str = "td") -> str:
    """Rows of a table."""
    each = ("".join(f"<{kind}>{html.escape(cell.replace('`', ''))}</{kind}>" for cell in row) for row in rows)
    return "\n".join(f"<tr>{row}</tr>" for row in each)


def page(counts: Counts, blocks: Mapping[str, str], designs: Sequence[Supported] = ()) -> str:
    parts = []
    for module, points in by_module(counts, blocks).items():
        code = _missing_code(module, points, counts, _source(module, blocks[module]))
        inside = code + _missing_toggles(points, counts)
        if inside:
            parts.append(f"<details><summary>{module}</summary>{inside}</details>")
    bits = ("module", "signals, edges not seen in all designs", "why")
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Coverage of the hardware tests</title><style>{STYLE}</style></head>
<body><h1>Coverage of the hardware tests</h1>
<p>docs/coverage.md says what the columns mean. Below: what is not reached, by module.</p>
<table>{_cells([COLUMNS], "th")}
{_cells(table(counts, blocks))}</table>
<h2>Bits that do not toggle in a supported design</h2>
<table>{_cells([bits], "th")}
{_cells(untoggled(designs, blocks))}</table>
<h2>Not reached</h2>
{chr(10).join(parts)}
</body></html>
"""


# ---- main -----------------------------------------------------------------------------------------------------------
def parsed(words: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Our options, and pytest's arguments."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--blocks", action="store_true")
    parser.add_argument("--more", action="store_true")
    parser.add_argument("--jobs", default="auto")
    parser.add_argument("--minutes", type=float)
    return parser.parse_known_args(words)


def models_of_designs() -> None:
    """Those of supported designs, where there is not yet what is known of them."""
    level = "1"  # as of tests of hw/core: conftest.py
    env = environment() | {"RINGSIDE_COVERAGE": str(RAW), "RINGSIDE_SIM_LEVEL": level}
    subprocess.run([PYTHON, PLUGINS / "planned_models.py", RAW], cwd=ROOT, env=env, check=True)


def run_tests(options: argparse.Namespace, arguments: Sequence[str]) -> int:
    named = any(not word.startswith("-") and (ROOT / word).exists() for word in arguments)
    places = [] if named else sorted(ROOT.glob("hw/*/tb"))
    chosen = [] if arguments else ["-k", " and ".join(f"not {name}" for name in LEFT_OUT)]
    chosen += [f"--ignore={ROOT / path}" for path in WHOLE_CORES if options.blocks]
    env = environment() | {"RINGSIDE_COVERAGE": str(RAW), "RINGSIDE_COVERAGE_RAW": str(RAW), "PYTHONPATH": str(PLUGINS)}
    if options.minutes is not None:
        env["RINGSIDE_COVERAGE_UNTIL"] = str(time.time() + 60 * options.minutes)
    command = [
        PYTHON, "-m", "pytest", "-q", "-p", "ringside_coverage", "-n", options.jobs, *chosen, *places, *arguments,
    ]  # fmt: skip
    return subprocess.run(list(map(str, command)), cwd=ROOT, env=env).returncode


def what_ran(options: argparse.Namespace) -> list[str]:
    """Which tests, where not all that `make coverage` chooses, and how long they took."""
    workers = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RAW.glob("*.cases"))]
    chosen, ran = ({case for one in workers for case in one[kind]} for kind in ("chosen", "passed"))
    parts = ["Whole cores did not run, blocks alone."] if options.blocks else []
    if missing := len(chosen - ran):
        parts.append(f"Of {len(chosen)} cases {len(chosen) - missing} ran: the figures are lower bounds.")
    minutes = round(sum(one["seconds"] for one in workers) / 60)
    return [*parts, f"Tests took {minutes} minutes of processor time, with the models that were not in the cache."]


def main() -> int:
    if help_wanted(__doc__):
        return 0
    options, arguments = parsed(sys.argv[1:])
    setup("test")
    if not (options.more or options.again):
        shutil.rmtree(RAW, ignore_errors=True)
    RAW.mkdir(parents=True, exist_ok=True)
    models_of_designs()
    code = 0 if options.again else run_tests(options, arguments)
    for path in RAW.glob("*.error"):
        raise StopError(f"A worker has lost its counters:\n{path.read_text(encoding='utf-8')}")
    counts = load(RAW.rglob("*.json"))
    for folder in [path for path in RAW.rglob("*") if path.is_dir()]:
        take(folder, counts)  # counts of models that lived to the end
    if not counts:
        raise StopError("No model has written its counters.")
    blocks = rtl()
    constant = constants(counts, blocks)
    counts = of_hardware(counts, blocks, constant)
    designs = [] if code or arguments else supported(blocks)
    replace_file(PLACE / "index.html", page(counts, blocks, designs))
    say(f"wrote {(PLACE / 'index.html').relative_to(ROOT)}")
    if code or arguments:
        say(f"{PAGE.relative_to(ROOT)} is left as it was: " + ("a test failed" if code else "not all tests were run"))
        return code
    replace_file(PAGE, markdown(counts, blocks, what_ran(options), constant, designs))
    say(f"wrote {PAGE.relative_to(ROOT)}: {', '.join(table(counts, blocks)[-1][2:])}")
    for one in designs:
        say(f"{one.name}: code, toggles, plan: {', '.join(map(str, (*one.shares(), one.planned())))}")
    return 0


if __name__ == "__main__":
    finish(main)
