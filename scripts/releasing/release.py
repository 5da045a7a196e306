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
embed        the lean client in one folder, Rust crates, the Go module, recipes of Conan, vcpkg and Meson (`make embed`)
conda        the recipe; it is built where there is a conda

At the end, of all that is made: bills of materials (CycloneDX 1.6 and SPDX 2.3 of each package), the provenance,
SHA256SUMS, notes, and beside the folder a draft of the repository's page.

A piece is made again when a file that it has read is another, so a run that was broken off goes on where it was. What
this machine cannot make is said and left out. Times in archives are the release's date, modes and owners the same
everywhere: `make rebuild` compares.
"""

import argparse
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import BUILD, PYTHON, ROOT, VENV, StopError, finish, replace_file, run_quiet, say
from releasing import reads
from releasing.archives import packed
from releasing.package_page import project
from releasing.pieces import MadePiece, Pieces, chosen, file_hash
from setup import GROUPS

PROJECT = project()
VERSION = str(PROJECT["version"])
(DATE,) = re.findall(r"^date-released: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
PLACE = BUILD / "release" / VERSION
WORK = BUILD / "release" / "work"
SUMS = "SHA256SUMS"
KITS = ("rise-1", "rise-4", "rise-32", "aloha-he", "ringside-32", "lee2023", "newhope", "pqc-4", "ecp5-2")
SPACES = ("tiny", "rise-task", "aloha-task")  # names in designs/spaces: the others take hours
RECIPE = ROOT / "packaging" / "conda" / "recipe.yaml"
EMBEDDED = (
    (
        "ringside",
        f"lean-{VERSION}",
        "the lean client for Arduino, PlatformIO, ESP-IDF, Zephyr, CMSIS-Pack, Meson, CMake",
    ),
    ("rust", f"{VERSION}-rust", "the crates ringside-sys and ringside"),
    ("go", f"{VERSION}-go", "the Go module"),
    ("packages", f"{VERSION}-recipes", "recipes of Conan and vcpkg with the library's sources, a wrap for Meson"),
)


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


def site() -> list[Path]:
    run_quiet(["make", "-C", ROOT, "docs"], "release-docs")
    return [archive(BUILD / "site", f"ringside-{VERSION}-site")]


def npm() -> list[Path]:
    run_quiet(["make", "-C", ROOT, "wasm"], "release-wasm")
    PLACE.mkdir(parents=True, exist_ok=True)
    target = PLACE / f"ringside-{VERSION}-npm.tgz"
    return [Path(shutil.copy(BUILD / "dist" / f"ringside-{VERSION}.tgz", target))]


def embedded(part: str, name: str) -> list[Path]:
    from releasing import embed  # a piece is not made again for what others import

    return [archive(embed.make(part, _fresh(f"embed-{part}")), name)]


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


# what is of the pieces imports its modules itself: a piece is not made again for them
def bills(files: Sequence[Path]) -> list[Path]:
    """What each package is made of, as CycloneDX and SPDX, which their own tools have read."""
    from releasing import materials

    name = f"ringside-{VERSION}-sbom"
    out = _fresh(name)
    out.mkdir()
    for file in files:
        if not (found := materials.contents(file, ROOT)):
            continue
        for kind, bill in (
            ("cdx", materials.cyclonedx(file, *found)),
            ("spdx", materials.spdx(file, *found, PROJECT, DATE)),
        ):
            text = json.dumps(bill, indent=1) + "\n"
            materials.validate(text, kind)
            (out / f"{file.name}.{kind}.json").write_text(text, encoding="utf-8")
    return [archive(out, name)]


def provenance(files: Sequence[Path]) -> list[Path]:
    from releasing import materials

    place = PLACE / f"ringside-{VERSION}.intoto.json"
    text = json.dumps(materials.provenance(files, ROOT, PROJECT, GROUPS["release"].apt), indent=1) + "\n"
    materials.validate_statement(text)
    place.write_text(text, encoding="utf-8")
    return [place]


def pages_of(about: Mapping[Path, str]) -> list[Path]:
    """Notes, sums, and the draft of the page. about: files, and what each is. All of them but sums and draft."""
    from releasing import notes

    place = PLACE / "NOTES.md"
    place.write_text(notes.notes(PROJECT), encoding="utf-8")
    told = {**about, place: "these notes"}
    sums(list(told))
    (PLACE.parent / "page.md").write_text(notes.page(PROJECT, told), encoding="utf-8")
    return list(told)


def sums(files: Sequence[Path]) -> list[Path]:
    place = PLACE / SUMS
    place.write_text("".join(f"{file_hash(path)}  {path.name}\n" for path in sorted(files)), encoding="utf-8")
    return [place]


def pieces() -> list[MadePiece]:
    """All but what is of these."""
    made: list[tuple[str, str, Callable[[], Sequence[Path]]]] = [
        ("wheels", "the package for pip, its library in it", wheel),
        ("wheels-ltv", "ringside-ltv, the evaluator, for pip", partial(wheel, "--evaluator")),
        ("wheels-arm64", "the package for 64-bit Arm, for pip", partial(wheel, "--arm64")),
        ("wheels-ltv-arm64", "ringside-ltv for 64-bit Arm, for pip", partial(wheel, "--evaluator", "--arm64")),
        ("source", "the sources of the package, for pip and distributions", sdist),
        *((f"kits:{name}", f"{name} as RTL with FuseSoC, Bender, IP-XACT, SVD, constraints and a self-test", partial(kit, name)) for name in KITS),
        ("report", "published accelerators beside ours: a page, pictures, CSV, JSON", report),
        *((f"pages:{name}", f"all designs of the space {name}, on one page", partial(exploration, name)) for name in SPACES),
        ("site", "documentation, to unpack and open", site),
        ("npm", "the client for browsers and Node.js, in WebAssembly", npm),
        *((f"embed:{part}", about, partial(embedded, part, f"ringside-{name}")) for part, name, about in EMBEDDED),
        ("conda", "the recipe for rattler-build", conda),
    ]  # fmt: skip
    return [MadePiece(name, about, make, fingerprint=reads.fingerprint) for name, about, make in made]


def watched(piece: MadePiece) -> MadePiece:
    """The same, made by a process of its own, whose reads are kept."""

    def make() -> Sequence[Path]:
        told = WORK / f"{piece.name}.outputs"
        told.unlink(missing_ok=True)
        begun = time.time()
        command: list[str | Path] = [PYTHON, Path(__file__), "--outputs", told, piece.name]
        piece.reads[:] = reads.run(command, WORK / f"{piece.name}.strace", PLACE)
        outputs = [Path(line) for line in told.read_text(encoding="utf-8").splitlines()]
        own = {str(path.relative_to(ROOT)) for path in outputs}
        piece.reads[:] = [name for name in piece.reads if name not in own]
        if reads.newest(piece.reads) > begun:
            raise StopError("a source was changed while it was read.")
        return outputs

    return MadePiece(piece.name, piece.about, make, reads=piece.reads, fingerprint=piece.fingerprint)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="PIECE", help="pieces to make, by name or its beginning; default: all"
    )
    parser.add_argument("--anew", action="store_true", help="also those that are as they were")
    parser.add_argument("--list", action="store_true", help="list the pieces, and which are made")
    parser.add_argument(
        "--outputs", type=Path, help=argparse.SUPPRESS
    )  # make the pieces alone, and write down where they are
    options = parser.parse_args(words)
    every = pieces()
    # what compilers and archivers take for now, and the modes of what they write
    os.environ["SOURCE_DATE_EPOCH"] = str(int(datetime.fromisoformat(DATE).replace(tzinfo=UTC).timestamp()))
    os.environ["PYTHONHASHSEED"] = "0"  # sets are listed in the same order
    os.umask(0o022)
    if options.outputs:
        made = [path for piece in every if piece.name in options.names for path in piece.make()]
        options.outputs.parent.mkdir(parents=True, exist_ok=True)
        options.outputs.write_text("".join(f"{path}\n" for path in made), encoding="utf-8")
        return 0
    book = Pieces(PLACE / ".." / f"{VERSION}.json")
    if options.list:
        for piece in every:
            say(f"{'made' if book.is_made(piece) else '    '}  {piece.name:18} {piece.about}")
            for path in filter(Path.is_file, book.outputs(piece.name)):
                say(f"{'':25}{path.name}, {path.stat().st_size / 2**10:,.0f} KiB")
        return 0
    book.run([watched(piece) for piece in chosen(every, options.names)], anew=options.anew)
    about = {path: piece.about for piece in every for path in book.outputs(piece.name) if path.is_file()}
    about |= dict.fromkeys(bills(list(about)), "bills of materials, CycloneDX and SPDX")
    about |= dict.fromkeys(provenance(list(about)), "provenance: sources, tools, hashes")
    files = pages_of(about)
    say(
        f"{PLACE.relative_to(ROOT)}: {len(files)} files, {sum(path.stat().st_size for path in files) / 2**20:.1f} MiB; check them with `sha256sum -c {SUMS}`"
    )
    if ".example/" in PROJECT["urls"]["Repository"]:
        say("The repository's address in pyproject.toml leads nowhere yet: set it before you publish (RELEASE.md).")
    return 0


if __name__ == "__main__":
    finish(main)
