# SPDX-License-Identifier: Apache-2.0
"""Ringside for other programs and devices, in build/embed: `make embed`.

    embed.py [--out FOLDER] [PART ...]

ringside   the lean client in one folder: for Arduino, PlatformIO, ESP-IDF, Zephyr, CMSIS-Pack, Meson, CMake
rust       the crates ringside-sys and ringside
go         the Go module ringside
packages   recipes of Conan and vcpkg, with the library's sources; a wrap for Meson, with the client's archive

Nothing is copied by hand: sources come from lib/, declarations from its headers, the version from pyproject.toml.
"""

import argparse
import hashlib
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import BUILD, ROOT, StopError, finish, say
from releasing.archives import packed

LIBRARY = ROOT / "lib"
PAGE = ROOT / "docs" / "microcontrollers.md"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = str(PROJECT["version"])
INCLUDED = re.compile(r'^\s*#\s*include\s+([<"])([\w./]+)[>"]', re.MULTILINE)
Files = dict[str, Path]  # places in a folder, and what comes there


def lean_sources() -> list[str]:
    """What the lean client is compiled from, below lib/src: the list of docs/microcontrollers.md."""
    block = PAGE.read_text(encoding="utf-8").partition("## The files it needs")[2]
    lines = block.partition("```text\n")[2].partition("```")[0].splitlines()
    return [f"{folder}{name}" for folder, *names in map(str.split, lines) for name in names]


def with_headers(sources: Iterable[Path]) -> Files:
    """Sources, and the headers that any of them includes, as they lie below src/: public ones are in src/ringside."""
    found: Files = {}
    left = list(sources)
    while left:
        path = left.pop()
        place = next(path.relative_to(root) for root in (LIBRARY / "src", LIBRARY / "include") if root in path.parents)
        if str(place) in found:
            continue
        found[str(place)] = path
        for kind, name in INCLUDED.findall(path.read_text(encoding="utf-8")):
            beside = [path.parent / name] if kind == '"' else []
            places = [*beside, LIBRARY / "src" / name, LIBRARY / "include" / name]
            left += [at for at in places if at.is_file()][:1]
    return found


def filled(text: str, **more: str) -> str:
    """Marks like @VERSION@ of a template."""
    values = {
        "VERSION": VERSION,
        "URL": next(iter(PROJECT.get("urls", {}).values()), "https://ringside.example/ringside"),
        **more,
    }
    return re.sub(r"@([A-Z_]+)@", lambda found: values[found[1]], text)


def gather(out: Path, files: Files, **more: str) -> None:
    for name, path in files.items():
        place = out / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.is_relative_to(LIBRARY) or (path.suffix == ".toml" and path.name == "pyproject.toml"):
            shutil.copyfile(path, place)
        else:
            place.write_text(filled(path.read_text(encoding="utf-8"), **more), encoding="utf-8")


def below(folder: str) -> Files:
    root = ROOT / folder
    return {str(path.relative_to(root)): path for path in sorted(root.rglob("*")) if path.is_file()}


def client(out: Path) -> None:
    sources = lean_sources()
    library = {f"src/{name}": path for name, path in with_headers(LIBRARY / "src" / name for name in sources).items()}
    meson = "\n".join(f"  'src/{name}'," for name in sources)
    pdsc = "\n".join(f'        <file category="sourceC" name="src/{name}"/>' for name in sources)
    files = {**library, **below("packaging/client"), "LICENSE": ROOT / "LICENSE"}
    gather(out, files, SOURCES_MESON=meson, SOURCES_PDSC=pdsc)


def rust(out: Path) -> None:
    from generating.rust import Declarations

    crates = {f"{crate}/LICENSE": ROOT / "LICENSE" for crate in ("ringside-sys", "ringside")}
    gather(out, {**below("bindings/rust"), **crates})
    (out / "ringside-sys" / "src" / "bindings.rs").write_text(Declarations().text(), encoding="utf-8")


def go(out: Path) -> None:
    gather(out, {**below("bindings/go"), "LICENSE": ROOT / "LICENSE"})


def packages(out: Path) -> None:
    tree = {
        f"lib/{name}": path
        for name, path in below("lib").items()
        if name.partition("/")[0] in ("cmake", "include", "src")
    }
    tree |= {
        name: ROOT / name
        for name in ("CMakeLists.txt", "pyproject.toml", "LICENSE", "lib/CMakeLists.txt", "lib/sources.cmake")
    }
    recipes = {
        f"packaging/{name}": path for name, path in below("packaging").items() if name.startswith(("conan/", "vcpkg/"))
    }
    gather(out, {**tree, **recipes})
    staged = out / "meson" / "client"
    client(staged)
    data = packed(staged, f"ringside-lean-{VERSION}")
    shutil.rmtree(staged)
    (out / "meson" / "packagefiles").mkdir()
    (out / "meson" / "packagefiles" / f"ringside-lean-{VERSION}.tar.gz").write_bytes(data)
    gather(out / "meson", below("packaging/meson"), HASH=hashlib.sha256(data).hexdigest())


PARTS: dict[str, Callable[[Path], None]] = {"ringside": client, "rust": rust, "go": go, "packages": packages}


def make(part: str, place: Path) -> Path:
    """A part's folder, whole or not at all."""
    staged = place.with_name(f".{place.name}.new")
    shutil.rmtree(staged, ignore_errors=True)
    staged.mkdir(parents=True)
    PARTS[part](staged)
    shutil.rmtree(place, ignore_errors=True)
    staged.rename(place)
    return place


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="default: all")
    parser.add_argument("--out", type=Path, default=BUILD / "embed", help="default: build/embed")
    options = parser.parse_args()
    if not set(options.parts) <= set(PARTS):
        raise StopError(f"There is no part {' '.join(set(options.parts) - set(PARTS))}; there are {' '.join(PARTS)}.")
    for part in options.parts or PARTS:
        place = make(part, options.out.resolve() / part)
        say(f"{place}: {sum(path.is_file() for path in place.rglob('*'))} files")
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    finish(main)
