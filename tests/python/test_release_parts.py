# SPDX-License-Identifier: Apache-2.0
"""Parts of `make release` and `make pictures`: pieces that resume, archives, the bill of materials, sums, the conda recipe."""

import gzip
import hashlib
import json
import re
import subprocess
import tarfile
import tomllib
import uuid
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from asserting import raises, written
from tree_scripts import script

ROOT = Path(__file__).resolve().parents[2]
common, pieces, materials, release, draw = map(
    script, ("common", "releasing.pieces", "releasing.materials", "releasing.release", "releasing.draw")
)

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECIPE = ROOT / "packaging" / "conda" / "recipe.yaml"


# ---- pieces ----------------------------------------------------------------------------------------
class Maker:
    """Pieces that write a file each, and how often they did."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.place, self.count = place, dict.fromkeys("abc", 0)
        self.broken = ""
        monkeypatch.setattr(common, "ROOT", place)
        for name in self.count:
            (place / f"{name}.in").write_text(name)

    def make(self, name: str) -> list[Path]:
        if name == self.broken:
            raise common.StopError("out of order")
        self.count[name] += 1
        return [written(self.place / f"{name}.out", f"{name} {(self.place / f'{name}.in').read_text()}")]

    def run(self, **how: bool) -> list[Path]:
        wanted = [
            pieces.MadePiece(name, "a file", lambda name=name: self.make(name), lambda name=name: [self.place / f"{name}.in"])
            for name in self.count
        ]  # fmt: skip
        found: list[Path] = pieces.Pieces(self.place / "book.json").run(wanted, **how)
        return found


@pytest.fixture
def making(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    return Maker(tmp_path, monkeypatch)


def test_what_is_as_it_was_is_not_made_again(making: Maker, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = making.run()
    assert [path.name for path in outputs] == ["a.out", "b.out", "c.out"]
    assert making.run() == outputs
    assert making.count == {"a": 1, "b": 1, "c": 1}
    assert "kept as it is: a, b, c" in capsys.readouterr().out
    (making.place / "b.in").write_text("changed")
    (making.place / "c.out").write_text("damaged")
    making.run()
    assert making.count == {"a": 1, "b": 2, "c": 2}
    told = capsys.readouterr().out
    assert "[1/2] b: a file, about " in told
    assert " left in all" in told
    making.run(anew=True)
    assert making.count == {"a": 2, "b": 3, "c": 3}


def test_a_run_that_failed_goes_on_where_it_was(making: Maker) -> None:
    making.broken = "b"
    raises(common.StopError, "b: out of order", making.run)
    assert making.count == {"a": 1, "b": 0, "c": 0}
    making.broken = ""
    making.run()
    assert making.count == {"a": 1, "b": 1, "c": 1}


def test_pieces_are_chosen_by_the_beginning_of_their_names() -> None:
    every = release.pieces()
    assert len({piece.name for piece in every}) == len(every)
    assert [piece.name for piece in pieces.chosen(every, ["kits:rise-4"])] == ["kits:rise-4"]
    assert len(pieces.chosen(every, ["kits"])) == len(release.KITS)
    raises(common.StopError, "no piece kitts", pieces.chosen, every, ["kitts"])


def test_what_pieces_name_is_there() -> None:
    for name in release.KITS:
        assert (ROOT / "designs" / f"{name}.toml").is_file()
    for name in release.SPACES:
        assert (ROOT / "designs" / "spaces" / f"{name}.toml").is_file()
    for piece in [*release.pieces(), *draw.pictures()]:
        assert piece.sources(), piece.name


READ = [
    # a file, and pieces that are made again when it is another
    ("sim/core.cpp", ["wheels", "wheels-arm64", "source", "kits:rise-4", "report", "pages:tiny", "site", "conda"]),
    ("lib/CMakeLists.txt", ["wheels", "wheels-ltv", "wheels-arm64", "source", "npm", "kits:rise-4", "conda"]),
    ("LICENSE", ["wheels", "wheels-ltv", "wheels-arm64", "source", "npm"]),
    ("designs/rise-4.toml", ["wheels", "report", "pages:tiny", "site", "source"]),
    ("py/ringside/figures/tables.py", ["report", "wheels"]),
    ("py/ringside/drawing.py", ["report", "wheels"]),
    ("hw/core/rtl/rs_core.sv", ["pages:tiny", "kits:rise-4", "wheels"]),
    ("lib/src/machine/call.c", ["pages:tiny", "kits:rise-4", "wheels"]),
    ("py/ringside/designs/rules.py", ["pages:tiny", "kits:rise-4"]),
    ("py/ringside/sim/program.py", ["kits:rise-4", "wheels"]),
    ("scripts/pages/everything.py", ["site", "source"]),
    ("papers/evaluator/CMakeLists.txt", ["site", "source", "wheels-ltv", "wheels-ltv-arm64"]),
    ("CHANGELOG.md", ["site", "source"]),
    ("js/package.json", ["npm", "site"]),
]


def test_a_piece_is_made_again_when_what_it_reads_is_another() -> None:
    """And not for a test or a line of another room's."""
    reads = {piece.name: set(piece.sources()) for piece in release.pieces()}
    for file, names in READ:
        assert (ROOT / file).is_file(), file
        assert {name for name in names if ROOT / file not in reads[name]} == set(), file
    for name, file in (("wheels", "docs/index.md"), ("npm", "hw/core/rtl/rs_core.sv"), ("wheels-ltv", "sim/core.cpp"), ("wheels", "papers/evaluator/CMakeLists.txt")):  # fmt: skip
        assert ROOT / file not in reads[name]


def test_pictures_are_those_of_the_documents() -> None:
    shown = "".join(
        (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/asic.md", "docs/gallery.md")
    )
    for piece in draw.pictures():
        for name in re.findall(r"docs/(\S+\.(?:png|svg))", piece.about)[:1]:
            assert name in shown
            assert (ROOT / "docs" / name).is_file()
    assert f"ringside {draw.TIMELINE.replace(' --force', '')} docs/timeline.svg" in shown
    assert f"ringside {draw.LAYOUT} docs/layout.svg" in shown


def test_the_picture_of_the_demo_is_of_the_demo_as_it_is() -> None:
    """`make pictures ARGS=demo` draws it again."""
    png = (ROOT / "docs" / "demo.png").read_bytes()
    assert draw.source_of(png) == draw.demo_source(), (
        "docs/demo.png is of an earlier demo: run `make pictures ARGS=demo`"
    )
    assert draw.source_of(draw.with_source(png, "other")) == "other"
    assert draw.source_of(png[: draw.SIGNATURE_BYTES + draw.HEADER_BYTES]) == ""


# ---- files -----------------------------------------------------------------------------------------
def test_archives_are_the_same_for_the_same_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "PLACE", tmp_path / "release")
    hashes = []
    for name in ("one", "other"):
        folder = tmp_path / name
        (folder / "below").mkdir(parents=True)
        (folder / "run.sh").write_text("true\n")
        (folder / "run.sh").chmod(0o755)
        (folder / "below" / "text").write_text("text")
        path = release.archive(folder, "kit")
        hashes.append(pieces.file_hash(path))
    assert hashes[0] == hashes[1]
    assert path.name == "kit.tar.gz"
    assert path.read_bytes()[4:8] == bytes(4)  # no time
    assert gzip.decompress(path.read_bytes())[:4] == b"kit/"
    with tarfile.open(path) as tar:
        found = {entry.name: (entry.mode, entry.mtime, entry.uid) for entry in tar}
    assert found == {"kit/below/text": (0o644, 0, 0), "kit/run.sh": (0o755, 0, 0)}


def test_sums_are_those_that_sha256sum_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "PLACE", tmp_path)
    files = [tmp_path / "b.whl", tmp_path / "a.tar.gz"]
    for path in files:
        path.write_bytes(path.name.encode())
    (made,) = release.sums(files)

    def check() -> int:
        return subprocess.run(["sha256sum", "--strict", "-c", made.name], cwd=tmp_path, capture_output=True).returncode

    assert check() == 0
    files[0].write_bytes(b"other")
    assert check() == 1


def test_the_bill_of_materials(tmp_path: Path) -> None:
    wheel = written(tmp_path / "ringside.whl", b"wheel")
    bill = json.loads(json.dumps(materials.bill(PROJECT, [wheel])))
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert str(uuid.UUID(bill["serialNumber"])) == bill["serialNumber"].removeprefix("urn:uuid:")
    main = bill["metadata"]["component"]
    assert (main["name"], main["version"]) == (PROJECT["name"], PROJECT["version"])
    parts = bill["components"]
    references = [part["bom-ref"] for part in parts]
    assert len(set(references)) == len(references)
    assert {part["type"] for part in parts} == {"library", "file"}
    required = {part["name"] for part in parts if part.get("scope") == "required"}
    assert required == {Requirement(line).name for line in PROJECT["dependencies"]} | {"zlib", "zstd"}
    optional = [line for lines in PROJECT["optional-dependencies"].values() for line in lines]
    assert len([part for part in parts if part.get("scope") == "optional"]) == len(optional)
    linked = {
        part["name"]: part["version"]
        for part in parts
        if part["purl" if "purl" in part else "name"].startswith("pkg:generic")
    }
    assert all(re.fullmatch(r"\d+(\.\d+)+", version) for version in linked.values())
    (file,) = (part for part in parts if part["type"] == "file")
    assert file["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(b"wheel").hexdigest()}]
    (told,) = bill["dependencies"]
    assert set(told["dependsOn"]) <= set(references)
    assert materials.bill(PROJECT, [wheel]) == materials.bill(PROJECT, [wheel])


def test_targets_that_the_tree_has_not_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert release.has_target("release")
    assert not release.has_target("releas")
    monkeypatch.setattr(release, "has_target", lambda name: False)
    assert release.site() == release.npm() == []


# ---- conda -----------------------------------------------------------------------------------------
def _bounds(lines: list[str]) -> dict[str, SpecifierSet]:
    """Names of a recipe with their versions."""
    words = [line.split(maxsplit=1) for line in lines]
    return {name: SpecifierSet(",".join(bounds)) for name, *bounds in words}


def test_the_recipe_is_that_of_the_package() -> None:
    recipe = yaml.safe_load(RECIPE.read_text(encoding="utf-8"))
    assert recipe["context"] == {"name": PROJECT["name"], "version": PROJECT["version"]}
    assert recipe["about"]["license"] == PROJECT["license"]
    needed = {(found := Requirement(line)).name: found.specifier for line in PROJECT["dependencies"]}
    run = _bounds(recipe["requirements"]["run"])
    assert run.pop("python") == SpecifierSet(PROJECT["requires-python"])
    assert run == needed
    lines = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    build = {(found := Requirement(line)).name: found.specifier for line in lines}
    host = _bounds(recipe["requirements"]["host"])
    assert {name: host[name] for name in ("cffi", "scikit-build-core")} == build
    assert {"zlib", "zstd", "pip", "python"} <= set(host)
    [cmake] = re.findall(r"cmake_minimum_required\(VERSION (\S+)\)", (ROOT / "CMakeLists.txt").read_text())
    assert f"cmake >={cmake}" in recipe["requirements"]["build"]


def test_the_recipe_of_a_release_names_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "PLACE", tmp_path)
    monkeypatch.setattr(release.shutil, "which", lambda name: None)
    source = written(tmp_path / f"ringside_he-{PROJECT['version']}.tar.gz", b"source")
    (made,) = release.conda()
    recipe = yaml.safe_load(made.read_text(encoding="utf-8"))
    assert recipe["source"] == {"url": source.name, "sha256": hashlib.sha256(b"source").hexdigest()}
