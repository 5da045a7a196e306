# SPDX-License-Identifier: Apache-2.0
"""Static checks, all of them or those that are named, then a table of which failed. `--fix` formats instead. `--ci` leaves the longest one to `make lint` and `make nightly`.

What passed is kept by its content in the user's cache (`ringside cache`) and not checked again; `--anew` checks all.
"""

import argparse
import re
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from checks import c_rooms, comments, devices, functions, links, rooms
from common import (
    BUILD,
    PYTHON,
    ROOT,
    VENV,
    StopError,
    digest,
    environment,
    files_below,
    finish,
    run_quiet,
    say,
    tracked,
    usable_processors,
)
from setup import setup

BIN = VENV / "bin"
EVALUATOR = ROOT / "papers" / "evaluator" / "py" / "ringside_ltv"
PYTHON_PLACES = [
    name
    for name in ("py", "scripts", "tests", "lib", "hw", "soc", "papers", "docs", "conftest.py")
    if (ROOT / name).exists()
]
# Generated or personal addresses have no place in the tree: hosts that serve packages (they are
# the installer's configuration, not ours), and paths of somebody's machine. Written so that this
# file does not find itself.
FORBIDDEN = {
    "package-registry host": re.compile(
        r"\b(?:test[.])?pypi[.]org|pythonhosted[.]org|npmjs[.](?:org|com)|yarnpkg[.]com"
        r"|crates[.]io|proxy[.]golang[.]org|(?:deb|security|ftp)[.]debian[.]org"
        r"|(?:docker|ghcr|quay|gcr)[.]io\b|anaconda[.]org",
        re.IGNORECASE,
    ),
    "absolute path of a machine": re.compile(r"(?<![\w.~\-])/(?:home|root|Users|work|farm)/"),
    "download address in a lock file": re.compile(r'"resolved"\s*:'),
}
RTL_NAME = re.compile(r"\brs_\w+")
COMMENT = re.compile(r"//.*")
PIN = re.compile(r"([a-z0-9-]+)==[0-9][0-9a-z.]*")


def c_files() -> list[Path]:
    """C, and C++ of models."""
    return [path for path in tracked() if path.suffix in {".c", ".h", ".cpp"}]


def texts() -> Iterator[tuple[Path, str]]:
    """Every tracked text file with its content."""
    for path in tracked():
        content = path.read_bytes()
        if b"\0" not in content:
            yield path, content.decode("utf-8", errors="replace")


def report(findings: list[str]) -> bool:
    for finding in findings:
        say(f"  {finding}")
    return not findings


def run(*command: str | Path, **variables: str) -> bool:
    return subprocess.run(list(map(str, command)), cwd=ROOT, env=environment() | variables).returncode == 0


# ---- what passed before ---------------------------------------------------------------------------------------------
TOOLS = (Path(__file__), *sorted((ROOT / "requirements").glob("*.txt")))  # a tool's version is its pin
anew = False  # --anew: all of it is checked


def passes(check: str, parts: Mapping[str, Iterable[Path]], run_on: Callable[[list[str]], bool]) -> bool:
    """Whether a check passes on all parts, each with the files that its verdict depends on: it runs on those that have not passed yet as they are."""
    folder = Path(environment()["RINGSIDE_CACHE"]) / "lint"
    folder.mkdir(parents=True, exist_ok=True)
    tools = digest(TOOLS)
    kept = {part: folder / f"{check}-{digest(files, tools, part)[:32]}" for part, files in parts.items()}
    new = [part for part, place in kept.items() if anew or not place.exists()]
    passed = not new or run_on(new)
    for part in new if passed else ():
        kept[part].touch()
    return passed


def each(files: Iterable[Path], *more: Path) -> dict[str, list[Path]]:
    """Files that are checked one by one. more: what each verdict depends on too."""
    return {str(path.relative_to(ROOT)): [path, *more] for path in files}


# ---- C --------------------------------------------------------------------------------------------------------------
def check_clang_format() -> bool:
    parts = each(c_files(), ROOT / ".clang-format")
    return passes("clang-format", parts, lambda names: run(BIN / "clang-format", "--dry-run", "-Werror", *names))


def cppcheck(name: str, sources: list[Path]) -> bool:
    """It looks at all of them together, and by its own cache again at those that changed."""
    seen = [path for path in tracked() if path.suffix in {".c", ".h", ".inc"}]
    return passes(name, {name: seen}, lambda names: run_cppcheck(sources))


def run_cppcheck(sources: list[Path]) -> bool:
    cache = BUILD / "cache" / "cppcheck"
    cache.mkdir(parents=True, exist_ok=True)
    options = ["--quiet", "--std=c11", "--inline-suppr", "--error-exitcode=1", f"--cppcheck-build-dir={cache}"]
    options += [f"-j{usable_processors()}", "--enable=warning,performance,portability"]
    options += ["-U__clang__"]  # it does not know attributes behind `enum`
    # by places: programs of ours may die when memory runs out, and take macros with an empty statement
    no_memory, arithmetic = "nullPointerOutOfMemory", "nullPointerArithmeticOutOfMemory"
    suppressed = ["missingIncludeSystem", "normalCheckLevelMaxBranches"]
    suppressed += [f"{no_memory}:*/{place}/*" for place in ("lib/tests", "evaluator/tests", "lib/fuzz", "lib/bare")]
    suppressed += [f"{what}:*/lib/tests/*" for what in (arithmetic, "constStatement")]
    places = ("lib/include", "lib/src", "papers/evaluator/include", "papers/evaluator/src")
    includes = [f"-I{ROOT / place}" for place in places]
    return run(BIN / "cppcheck", *options, *(f"--suppress={what}" for what in suppressed), *includes, *sources)


def c_sources(of_tests: bool) -> list[Path]:
    tests = ROOT / "lib" / "tests"
    more = ROOT / "papers" / "evaluator" / "tests"
    return [
        path
        for path in c_files()
        if path.suffix == ".c" and (path.is_relative_to(tests) or path.is_relative_to(more)) == of_tests
    ]


def check_warnings() -> bool:
    """The library and its tests compile without a warning."""
    build = BUILD / "lint"
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DRS_WERROR=ON"]
    try:
        run_quiet(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *options], "lint")
        run_quiet(["cmake", "--build", build], "lint")
    except StopError as stop:
        say(str(stop))
        return False
    return True


# ---- Python ---------------------------------------------------------------------------------------------------------
def check_mypy() -> bool:
    package = ROOT / "py" / "ringside"
    if not any(package.glob("*.py")):
        return report(["py/ringside has no modules"])
    seen = [path for path in tracked() if path.suffix in {".py", ".pyi"}]
    command = (BIN / "mypy", package, EVALUATOR, "scripts", "tests", "conftest.py")
    return passes("mypy", {"all": [*seen, ROOT / "pyproject.toml"]}, lambda names: run(*command))


# ---- SystemVerilog --------------------------------------------------------------------------------------------------
def hw_files() -> list[Path]:
    return [path for path in tracked() if path.suffix == ".sv"]


def verible_format(files: Iterable[str | Path], *options: str) -> bool:
    layout = ["--column_limit=132", "--failsafe_success=false", *options]
    # it takes one file at a time, and with --verify prints the formatted text
    results = []
    for path in files:
        command = [BIN / "verible-verilog-format", *layout, path]
        done = subprocess.run(list(map(str, command)), cwd=ROOT, stdout=subprocess.DEVNULL)
        results.append(done.returncode == 0)
    return all(results)


def check_verible() -> bool:
    files = hw_files()
    rules = ROOT / "hw" / "verible.rules"
    return not files or run(BIN / "verible-verilog-lint", "--rules_config", rules, *files)


def rtl() -> tuple[list[Path], list[Path]]:
    """Packages, rs_pkg first, and modules of hw/ and soc/rtl."""
    sources = sorted([*ROOT.glob("hw/*/rtl/*.sv"), *ROOT.glob("soc/rtl/*.sv")])
    packages = [path for path in sources if path.stem.endswith("_pkg")]
    # a package behind those that it takes from
    uses = {path: len(set(re.findall(r"\w+_pkg::", path.read_text(encoding="utf-8")))) for path in packages}
    packages.sort(key=lambda path: (path.stem != "rs_pkg", uses[path]))
    return packages, [path for path in sources if path not in packages]


def modules(*more: Path) -> dict[str, list[Path]]:
    """Each module with the packages, and what it and its parts name: a file has the name of its module. more: what their verdicts depend on too."""
    packages, sources = rtl()
    found = {path.stem: path for path in sources}
    words = {name: RTL_NAME.findall(COMMENT.sub("", path.read_text(encoding="utf-8"))) for name, path in found.items()}
    parts = {}
    for top in found:
        seen: set[str] = set()
        names = [top]
        while names:
            if (name := names.pop()) in found and name not in seen:
                seen.add(name)
                names += words[name]
        parts[top] = [*packages, *(found[name] for name in sorted(seen)), *more]
    return parts


def verilator(names: list[str]) -> bool:
    """Each module alone, as the top with its default parameters, without a warning."""
    place = next(VENV.glob("lib/python3*/site-packages/verilator"))
    packages, sources = rtl()
    folders = [part for folder in sorted({path.parent for path in sources}) for part in ("-y", folder)]
    # an empty pin says that an output is not wanted
    options = ["--lint-only", "-Wall", "-Wno-PINCONNECTEMPTY", "--assert", "--quiet", *folders]
    results = []
    for path in (path for path in sources if path.stem in names):
        command = [place / "bin" / "verilator_bin", *options, "--top-module", path.stem, *packages, path]
        results.append(run(*command, VERILATOR_ROOT=str(place)))
    return all(results)


def check_yosys() -> bool:
    """Every module of hw/ and soc/rtl alone elaborates for synthesis, without latches and combinational loops."""
    script = ROOT / "hw" / "common" / "tb" / "rs_yosys.py"
    parts = modules(script, ROOT / "py" / "ringside" / "synth" / "yosys.py")
    return passes("yosys", parts, lambda names: run(PYTHON, script, "elaborate", *names))


# ---- all files ------------------------------------------------------------------------------------------------------
def check_licences() -> bool:
    """Each file names licence and copyright as REUSE 3 reads them: in its first lines, or by REUSE.toml."""
    return passes("reuse", {"all": tracked()}, lambda names: run(BIN / "reuse", "lint", "--lines"))


def check_workflows() -> bool:
    """What a host of repositories runs: pinned by hashes, with no more rights than it needs."""
    place = ROOT / ".github" / "workflows"
    parts = {"all": files_below(place)}
    return passes("zizmor", parts, lambda names: run(BIN / "zizmor", "--offline", "--no-progress", "--quiet", place))


def check_addresses() -> bool:
    findings = []
    for path, text in texts():
        for number, line in enumerate(text.splitlines(), 1):
            for what, pattern in FORBIDDEN.items():
                if pattern.search(line):
                    findings.append(f"{path.relative_to(ROOT)}:{number}: {what}")
    return report(findings)


def check_pins() -> bool:
    """Requirements are exact, and each package stands in one file only."""
    findings = []
    seen: dict[str, str] = {}
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            match = PIN.fullmatch(line)
            if not match:
                findings.append(f"{path.name}: `{line}` is not `name==version` in lower case")
            elif match[1] in seen:
                findings.append(f"{path.name}: {match[1]} is already in {seen[match[1]]}")
            else:
                seen[match[1]] = path.name
    return report(findings)


def check_links() -> bool:
    """Targets of links in Markdown pages are there."""
    pages = {path: text for path, text in texts() if path.suffix == ".md"}
    return report(links.findings(ROOT, tracked(), pages))


def check_rooms() -> bool:
    """Imports of the Python package and includes of the C library run one way; a class name means one thing; no folder is crowded."""
    places = [rooms.PACKAGE, *(ROOT / name for name in ("papers", "hw", "scripts", "sim", "soc"))]
    crowds = [finding for place in places for finding in rooms.crowds(place)]
    found = [*rooms.findings(), *rooms.findings(rooms.EVALUATOR, rooms.EVALUATOR_ROOMS)]
    found += [*rooms.classes(), *rooms.classes(rooms.EVALUATOR), *crowds]
    return report([*found, *c_rooms.findings(), *c_rooms.evaluator_findings()])


def check_calls() -> bool:
    """Calls of the C library and of the evaluator run one way: in the objects that the warnings check has just made."""
    lib = BUILD / "lint" / "lib" / "CMakeFiles" / "ringside.dir" / "src"
    evaluator = BUILD / "lint" / "papers" / "evaluator" / "CMakeFiles" / "ringside_ltv.dir" / "src"
    theirs = c_rooms.object_findings(evaluator, c_rooms.EVALUATOR / "src", c_rooms.EVALUATOR_ROOMS, lib)
    return report([*c_rooms.object_findings(lib), *theirs])


def check_abi() -> bool:
    """The library's functions, values and layouts are those of lib/tests/abi.txt, for every compiler of the tree."""
    seen = [path for path in tracked() if path.is_relative_to(ROOT / "lib" / "include")]
    seen += [ROOT / "lib" / "tests" / "abi.txt", ROOT / "scripts" / "checks" / "abi.py", ROOT / "py" / "build_cdef.py"]
    command = (BIN / "python", ROOT / "scripts" / "checks" / "abi.py")
    return passes("abi", {"all": seen}, lambda names: run(*command))


def check_figures(*options: str) -> bool:
    """Pages print what the ledger has, and no figure that its sources have left behind."""
    return run(BIN / "ringside", "figures", "fill", "--check", *options)


NOT_IN_CI = ("cppcheck", "cppcheck tests")  # minutes of processor time, those of the back ends above all
CHECKS: dict[str, Callable[..., bool]] = {
    "licence headers": check_licences,
    "workflows": check_workflows,
    "addresses": check_addresses,
    "pins": check_pins,
    "rooms": check_rooms,
    "device names": lambda: report(devices.findings(ROOT, tracked())),
    "links": check_links,
    "comments": lambda: report(comments.findings(ROOT, tracked())),
    "functions": lambda: report(functions.findings(ROOT, tracked())),
    "generated files": lambda: run(PYTHON, ROOT / "scripts" / "generate.py", "--check"),
    "clang-format": check_clang_format,
    "ruff format": lambda: run(BIN / "ruff", "format", "--check", "--quiet", *PYTHON_PLACES),
    "ruff check": lambda: run(BIN / "ruff", "check", "--quiet", *PYTHON_PLACES),
    "mypy": check_mypy,
    "compiler warnings": check_warnings,
    "calls": check_calls,
    "abi": check_abi,
    # code that others run: library, firmware, examples, fuzz targets
    "cppcheck": lambda: cppcheck("cppcheck", c_sources(of_tests=False)),
    # the library's test programs: three quarters of cppcheck's time; sanitizers watch them in every run
    "cppcheck tests": lambda: cppcheck("cppcheck-tests", c_sources(of_tests=True)),
    "verible format": lambda: passes(
        "verible-format", each(hw_files()), lambda names: verible_format(names, "--verify")
    ),
    "verible": check_verible,
    "verilator": lambda: passes("verilator", modules(), verilator),
    "yosys": check_yosys,
    "figures": check_figures,
}


def fix() -> int:
    results = [
        run(BIN / "clang-format", "-i", *c_files()),
        verible_format(hw_files(), "--inplace"),
        run(BIN / "ruff", "check", "--fix", "--quiet", *PYTHON_PLACES),
        run(BIN / "ruff", "format", *PYTHON_PLACES),
    ]
    return int(not all(results))


def main() -> int:
    global anew
    parser = argparse.ArgumentParser(description=__doc__, epilog="Checks: " + ", ".join(CHECKS))
    parser.add_argument(
        "--fix", action="store_true", help="write C, Python and SystemVerilog in the house format instead"
    )
    parser.add_argument(
        "--ci",
        action="store_true",
        help=f"all checks but {' and '.join(NOT_IN_CI)}, which take minutes; old figures are counted",
    )
    parser.add_argument("--anew", action="store_true", help="check also what passed before as it is")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help="only these checks; without any, all")
    options = parser.parse_args()
    if unknown := [name for name in options.checks if name not in CHECKS]:
        parser.error(f"no such check: {', '.join(unknown)}; there are {', '.join(CHECKS)}")
    anew = options.anew
    setup("lint")
    if options.fix:
        return fix()
    names = options.checks or [name for name in CHECKS if not (options.ci and name in NOT_IN_CI)]
    checks = {name: CHECKS[name] for name in names}
    if options.ci:  # a change of RTL lands before its figures are measured again, which takes hours (decision 25)
        checks["figures"] = partial(CHECKS["figures"], "--accept-old")
    lines = []
    failed = 0
    for name, check in checks.items():
        start = time.monotonic()
        say(f"=== {name}")
        passed = check()
        failed += not passed
        result = "passed" if passed else "FAILED"
        lines.append(f"{name:<18} {result}  {time.monotonic() - start:6.1f} s")
    say("\n" + "\n".join(lines))
    if failed:
        say(f"\n{failed} of {len(checks)} checks failed; `make format` mends what is only format")
    return int(failed > 0)


if __name__ == "__main__":
    finish(main)
