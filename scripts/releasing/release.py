# SPDX-License-Identifier: Apache-2.0
"""All that a release of Ringside has, in build/release/VERSION: `make release`.

    release.py [--list] [--anew] [PIECE ...]

wheels       of the package, and of the evaluator, for this kind of processor and for 64-bit Arm
source       the source archive
kits         named designs as folders for other tools (`ringside rtl`), an archive each
report       published accelerators beside ours, from the recorded figures
pages        explorations of designs, one page each
site         documentation (`make docs`)
npm          the client as WebAssembly (`make wasm`)
conda        the recipe; it is built where there is a conda
materials    bill of materials, CycloneDX 1.6
sums         SHA256SUMS of all of them

A piece whose sources are as they were is not made again, so a run that was broken off goes on where it was. What this tree or machine cannot make is said and left out.
"""

import argparse
import json
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import BUILD, PYTHON, ROOT, VENV, StopError, finish, replace_file, run_quiet, say
from lint import tracked
from releasing import materials
from releasing.archives import packed
from releasing.pieces import MadePiece, Pieces, chosen, file_hash
from setup import setup

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = str(PROJECT["version"])
PLACE = BUILD / "release" / VERSION
WORK = BUILD / "release" / "work"
SUMS = "SHA256SUMS"
KITS = ("rise-1", "rise-4", "rise-32", "aloha-he", "ringside-32", "lee2023", "newhope", "pqc-4", "ecp5-2")
SPACES = ("tiny", "rise-task", "aloha-task")  # names in designs/spaces: the others take hours
RECIPE = ROOT / "packaging" / "conda" / "recipe.yaml"


# ---- archives -----------------------------------------------------------------------------------------------------
def archive(folder: Path, name: str) -> Path:
    """A folder as NAME.tar.gz in the release."""
    place = PLACE / f"{name}.tar.gz"
    place.parent.mkdir(parents=True, exist_ok=True)
    replace_file(place, packed(folder, name))
    return place


def _fresh(name: str) -> Path:
    """An empty place for what a command makes."""
    place = WORK / name
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _ringside(log: str, *words: str | Path) -> None:
    run_quiet([VENV / "bin" / "ringside", *words], f"release-{log}")


# ---- pieces -------------------------------------------------------------------------------------------------------
def wheel(*words: str) -> list[Path]:
    out = _fresh(f"wheel{''.join(words)}")
    run_quiet([PYTHON, ROOT / "scripts" / "wheel.py", "--out", out, *words], f"release-wheel{''.join(words)}")
    return _moved(out.glob("*.whl"))


def sdist() -> list[Path]:
    out = _fresh("sdist")
    code = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    run_quiet([PYTHON, "-c", code, out], "release-sdist")
    return _moved(out.glob("*.tar.gz"))


def _moved(files: Iterable[Path]) -> list[Path]:
    PLACE.mkdir(parents=True, exist_ok=True)
    return [Path(shutil.move(path, PLACE / path.name)) for path in sorted(files)]


def kit(design: str) -> list[Path]:
    out = _fresh(f"kit-{design}")
    _ringside(f"kit-{design}", "rtl", design, "--out", out)
    return [archive(out, f"ringside-{VERSION}-kit-{design}")]


def report() -> list[Path]:
    out = _fresh("report")
    _ringside("report", "report", "--output", out)
    return [archive(out, f"ringside-{VERSION}-report")]


def exploration(space: str) -> list[Path]:
    out = _fresh(f"explore-{space}")
    _ringside(f"explore-{space}", "explore", "run", ROOT / "designs" / "spaces" / f"{space}.toml", "--output", out)
    (page,) = out.glob("*.html")
    target = PLACE / f"ringside-{VERSION}-explore-{space}.html"
    PLACE.mkdir(parents=True, exist_ok=True)
    return [Path(shutil.copy(page, target))]


def has_target(name: str) -> bool:
    return re.search(rf"^{name}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE) is not None


def _made_by(target: str) -> bool:
    """Runs `make TARGET`, if there is one."""
    if not has_target(target):
        say(f"    left out: this tree has no `make {target}`")
        return False
    run_quiet(["make", "-C", ROOT, target], f"release-{target}")
    return True


def site() -> list[Path]:
    return [archive(BUILD / "site", f"ringside-{VERSION}-site")] if _made_by("docs") else []


def npm() -> list[Path]:
    if not _made_by("wasm"):
        return []
    found = sorted((BUILD / "dist").glob(f"ringside-{VERSION}.tgz"))
    if not found:
        raise StopError("`make wasm` has left no ringside-*.tgz in build/dist.")
    PLACE.mkdir(parents=True, exist_ok=True)
    return [Path(shutil.copy(found[0], PLACE / f"ringside-{VERSION}-npm.tgz"))]


def conda() -> list[Path]:
    """The recipe with the source archive's hash; the package too, where there is a builder."""
    (source,) = PLACE.glob("ringside_he-*.tar.gz")
    text = RECIPE.read_text(encoding="utf-8")
    place = PLACE / "recipe.yaml"
    place.write_text(
        re.sub(r"(?m)^(\s*)path: .*$", rf"\1url: {source.name}\n\1sha256: {file_hash(source)}", text), encoding="utf-8"
    )
    builder = shutil.which("rattler-build")
    if builder is None:
        say("    the package itself is left out: rattler-build is not here")
        return [place]
    out = _fresh("conda")
    run_quiet([builder, "build", "--recipe", RECIPE.parent, "--output-dir", out], "release-conda")
    return [place, *_moved(out.rglob("*.conda"))]


def bill(files: Sequence[Path]) -> list[Path]:
    place = PLACE / f"ringside-{VERSION}.cdx.json"
    place.write_text(json.dumps(materials.bill(PROJECT, files), indent=1) + "\n", encoding="utf-8")
    return [place]


def sums(files: Sequence[Path]) -> list[Path]:
    place = PLACE / SUMS
    place.write_text("".join(f"{file_hash(path)}  {path.name}\n" for path in sorted(files)), encoding="utf-8")
    return [place]


# What a piece is made from is the tree but for what it cannot read: what nobody thought of makes it anew, and does not leave it stale.
ASIDE = ("tests", "docs", "js", "papers/evaluator")  # folders beside the package and what it makes
HARDWARE = ("hw", "sim", "soc", "designs", "papers/published", "figures")


def pieces() -> list[MadePiece]:
    """All but the bill and the sums, which are of these."""
    every = cache(tracked)

    def but(*folders: str) -> Callable[[], list[Path]]:
        return lambda: [path for path in every() if not any(path.is_relative_to(ROOT / name) for name in folders)]

    package = but(*ASIDE)
    evaluator = but(*ASIDE[:3], *HARDWARE)
    return [
        MadePiece("wheels", "the package for pip, its library in it", wheel, package),
        MadePiece("wheels-ltv", "ringside-ltv, the evaluator, for pip", lambda: wheel("--evaluator"), evaluator),
        MadePiece("wheels-arm64", "the package for 64-bit Arm, for pip", lambda: wheel("--arm64"), package),
        MadePiece("wheels-ltv-arm64", "ringside-ltv for 64-bit Arm, for pip", lambda: wheel("--evaluator", "--arm64"), evaluator),
        MadePiece("source", "the sources of the package, for pip and distributions", sdist, but()),
        *(MadePiece(f"kits:{name}", f"{name} as RTL with FuseSoC, IP-XACT, SVD, constraints and a self-test", partial(kit, name), but(*ASIDE, "papers/published", "figures")) for name in KITS),
        MadePiece("report", "published accelerators beside ours: a page, pictures, CSV, JSON", report, package),
        *(MadePiece(f"pages:{name}", f"all designs of the space {name}, on one page", partial(exploration, name), package) for name in SPACES),
        MadePiece("site", "documentation, to unpack and open", site, but()),
        MadePiece("npm", "the client for browsers and Node.js, in WebAssembly", npm, but("tests", "docs", "papers", *HARDWARE)),
        MadePiece("conda", "the recipe for rattler-build", conda, but()),
    ]  # fmt: skip


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="PIECE", help="pieces to make, by name or its beginning; default: all"
    )
    parser.add_argument("--anew", action="store_true", help="also those that are as they were")
    parser.add_argument("--list", action="store_true", help="list the pieces, and which are made")
    options = parser.parse_args(words)
    every = pieces()
    book = Pieces(PLACE / ".." / f"{VERSION}.json")
    if options.list:
        for piece in every:
            say(f"{'made' if book.is_made(piece) else '    '}  {piece.name:18} {piece.about}")
            for path in filter(Path.is_file, book.outputs(piece.name)):
                say(f"{'':25}{path.name}, {path.stat().st_size / 2**10:,.0f} KiB")
        say("At the end, of all that is made: the bill of materials (CycloneDX, *.cdx.json) and SHA256SUMS.")
        return 0
    wanted = chosen(every, options.names)
    setup("release")
    book.run(wanted, anew=options.anew)
    files = [path for piece in every for path in book.outputs(piece.name) if path.is_file()]
    files += bill(files)
    sums(files)
    say(
        f"{PLACE.relative_to(ROOT)}: {len(files)} files, {sum(path.stat().st_size for path in files) / 2**20:.1f} MiB; check them with `sha256sum -c {SUMS}`"
    )
    return 0


if __name__ == "__main__":
    finish(main)
