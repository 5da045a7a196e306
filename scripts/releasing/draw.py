# SPDX-License-Identifier: Apache-2.0
"""The pictures that README and documents show of what the code does, made by today's code: `make pictures`.

    draw.py [--anew] [demo|timeline|layout|bench ...]

A picture whose sources are as they were stays. bench.png is drawn from build/bench.json, which `make bench` measures in some minutes; it is
measured again when the library has changed since. --anew: draw them all again. Drawings of rooms and units are scripts/generate.py's.
demo.png holds a hash of the demo's sources, so that a test sees when it is old.
"""

import argparse
import json
import shlex
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import BUILD, PYTHON, ROOT, VENV, StopError, digest, files_below, finish, replace_file, run_quiet, say
from releasing.pieces import MadePiece, Pieces, chosen
from setup import setup

DOCS = ROOT / "docs"
WORK = BUILD / "pictures"
RINGSIDE = VENV / "bin" / "ringside"
BENCH = BUILD / "bench.json"
TIMELINE = "timeline ringside-32,latency=20 --op encrypt-pk-direct --n 8192 --limbs 3 --force -o"
LAYOUT = "synth race --target ecp5 --quick --layout"
PACKAGE = ROOT / "py" / "ringside"


def _ringside(words: str, *more: str | Path) -> None:
    run_quiet([RINGSIDE, *shlex.split(words), *more], "pictures")


def _replace(content: bytes, name: str) -> list[Path]:
    """Puts a picture into docs/, whole."""
    replace_file(DOCS / name, content)
    return [DOCS / name]


# ---- what a PNG is made from, in itself (PNG specification, 11.3.4.3: tEXt) ----
SIGNATURE_BYTES, HEADER_BYTES = 8, 25  # sizes: the file's signature; its first chunk, which says the size
MADE_FROM = b"tEXtmade-from\0"


def with_source(png: bytes, source: str) -> bytes:
    chunk = MADE_FROM + source.encode("ascii")
    whole = (len(chunk) - 4).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")
    head = SIGNATURE_BYTES + HEADER_BYTES
    return png[:head] + whole + png[head:]


def source_of(png: bytes) -> str:
    """What with_source has put in; empty: nothing."""
    start = SIGNATURE_BYTES + HEADER_BYTES
    size = int.from_bytes(png[start : start + 4], "big")
    chunk = png[start + 4 : start + 8 + size]
    return chunk.removeprefix(MADE_FROM).decode("ascii") if chunk.startswith(MADE_FROM) else ""


def demo_source() -> str:
    """A hash of the demo; the library's bits are the same in all versions, which other tests see to."""
    return digest(files_below(PACKAGE / "demo"))


def _demo() -> list[Path]:
    _ringside("demo --out", WORK / "demo")
    return _replace(with_source((WORK / "demo" / "sheet.png").read_bytes(), demo_source()), "demo.png")


def _drawn(name: str, words: str) -> list[Path]:
    _ringside(words, WORK / name)
    return _replace((WORK / name).read_bytes(), name)


def _bench_sources() -> list[Path]:
    return list(files_below(ROOT / "lib" / "src", ROOT / "lib" / "include", ROOT / "tests" / "bench"))


def _measure() -> list[Path]:
    """The program of `make bench`, with its own set-up."""
    say("    `make bench`: speed beside other libraries, about 5 minutes on an idle machine")
    run_quiet([PYTHON, ROOT / "scripts" / "run.py", "bench"], "pictures-bench")
    return [BENCH]


def _bench() -> list[Path]:
    if not BENCH.is_file():
        raise StopError(f"{BENCH.relative_to(ROOT)} is missing: `make bench` writes it.")
    json.loads(BENCH.read_text(encoding="utf-8"))
    made = WORK / "bench.png"
    run_quiet([PYTHON, ROOT / "tests" / "bench" / "chart.py", BENCH, made], "pictures")
    return _replace(made.read_bytes(), "bench.png")


def pictures() -> list[MadePiece]:
    def of(*places: str) -> list[Path]:
        return list(files_below(*(PACKAGE / place for place in places)))

    core = [ROOT / "hw", ROOT / "designs", ROOT / "lib" / "src"]
    return [
        MadePiece("demo", "docs/demo.png, by ringside demo", _demo, lambda: [*of("demo"), *_bench_sources()]),
        MadePiece(
            "timeline",
            f"docs/timeline.svg, by ringside {TIMELINE} docs/timeline.svg",
            lambda: _drawn("timeline.svg", TIMELINE),
            lambda: [*of("cycles", "drawing.py"), *files_below(*core)],
        ),
        MadePiece(
            "layout",
            f"docs/layout.svg, by ringside {LAYOUT} docs/layout.svg",
            lambda: _drawn("layout.svg", LAYOUT),
            lambda: [
                *of("synth/ecp5.py", "synth/layout.py"),
                *files_below(ROOT / "hw", ROOT / "designs" / "race.toml"),
            ],
        ),
        MadePiece("bench-measured", "build/bench.json, by make bench", _measure, _bench_sources),
        MadePiece("bench", "docs/bench.png, by make bench", _bench, lambda: [ROOT / "tests" / "bench" / "chart.py"]),
    ]


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="pictures to make; default: all")
    parser.add_argument("--anew", action="store_true", help="also those that are as they were")
    options = parser.parse_args(words)
    wanted = chosen(pictures(), options.names)
    setup("pictures")
    WORK.mkdir(parents=True, exist_ok=True)
    made = Pieces(WORK / "made.json").run(wanted, anew=options.anew)
    say("\n".join(str(path.relative_to(ROOT)) for path in made if path.is_relative_to(DOCS)))
    return 0


if __name__ == "__main__":
    finish(main)
