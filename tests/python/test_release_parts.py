# SPDX-License-Identifier: Apache-2.0
"""Parts of `make release` and `make pictures`: pieces that resume, what they read, archives, bills, pages, recipe."""

import gzip
import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from asserting import raises, written
from tree_scripts import script

ROOT = Path(__file__).resolve().parents[2]
common, pieces, materials, release, draw, reads, notes, package_page = map(
    script,
    (
        "common", "releasing.pieces", "releasing.materials", "releasing.release", "releasing.draw", "releasing.reads",
        "releasing.notes", "releasing.package_page",
    ),
)  # fmt: skip

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
    assert [piece.name for piece in pieces.chosen(every, ["wheels"])] == ["wheels"]  # and no other wheel
    assert len(pieces.chosen(every, ["wheel"])) == 4
    assert len(pieces.chosen(every, ["kits"])) == len(release.KITS)
    raises(common.StopError, "no piece kitts", pieces.chosen, every, ["kitts"])


def test_what_pieces_name_is_there() -> None:
    for name in release.KITS:
        assert (ROOT / "designs" / f"{name}.toml").is_file()
    for name in release.SPACES:
        assert (ROOT / "designs" / "spaces" / f"{name}.toml").is_file()
    for piece in draw.pictures():
        assert piece.sources(), piece.name


# ---- what a command reads --------------------------------------------------------------------------
LOG = f"""
7 execve("{ROOT}/py/a", ["a"], 0x1 /* 9 vars */) = 0
7 openat(AT_FDCWD<{ROOT}/lib>, "../hw/b.sv", O_RDONLY) = 3<{ROOT}/hw/b.sv>
7 newfstatat(5<{ROOT}/sim>, "c.h", {{st_mode=S_IFREG|0644}}, 0) = 0
8 statx(AT_FDCWD<{ROOT}>, "none", AT_STATX_SYNC_AS_STAT, STATX_MODE, 0x7) = -1 ENOENT (No such file or directory)
8 openat(AT_FDCWD<{ROOT}>, "late", O_RDONLY <unfinished ...>
8 access("docs/d.md", R_OK) = 0
8 getdents64(3<{ROOT}/designs>, 0x5 /* 7 entries */, 32768) = 216
8 newfstatat(3<{ROOT}/hw/b.sv>, "", {{st_mode=S_IFREG|0644}}, AT_EMPTY_PATH) = 0
"""


def test_a_log_of_strace_is_read() -> None:
    names = ["py/a", "hw/b.sv", "sim/c.h", "none", "late", "docs/d.md", "designs/"]
    assert list(reads.seen(LOG.splitlines())) == [f"{ROOT}/{name}" for name in names]


def test_only_what_the_tree_has_or_lacks_counts(tmp_path: Path) -> None:
    def counts(name: str) -> bool:
        return bool(reads.counts(f"{ROOT}/{name}", tmp_path))

    assert all(
        map(
            counts,
            ("README.md", "designs/", "lib/no_such.c", "./", "build/venv/lib/python3/site-packages/ringside/x.py"),
        )
    )
    left_out = (
        "lib",
        ".git/HEAD",
        "build/logs/x.log",
        "build/venv/lib/python3/site-packages/numpy/x.py",
        "py/__pycache__/a.pyc",
    )
    assert not any(map(counts, left_out))
    assert not reads.counts("/etc/passwd", tmp_path)
    other = written(tmp_path / "source.tar.gz", b"made by another piece")
    assert not reads.counts(str(other), tmp_path), "it is not below the tree"


PROGRAM = """
import os, subprocess
open("designs/rise-4.toml").read()
subprocess.run(["cat", "LICENSE"], stdout=subprocess.DEVNULL)
os.stat("py/ringside/py.typed"), os.listdir("sim"), os.path.exists("hw/no_such.sv")
"""


def test_a_command_is_watched(tmp_path: Path) -> None:
    """With the programs that it starts: contents, names in a folder that was listed, what is not there."""
    assert reads.is_possible()
    found = reads.run([sys.executable, "-I", "-c", PROGRAM], tmp_path / "log", tmp_path)
    expected = {"designs/rise-4.toml", "LICENSE", "py/ringside/py.typed", "sim/", "hw/no_such.sv"}
    pins = {f"requirements/{path.name}" for path in (ROOT / "requirements").glob("*.txt")}
    assert {name for name in found if name not in pins and "venv" not in name} == expected
    assert reads.fingerprint("LICENSE") == pieces.file_hash(ROOT / "LICENSE")
    assert reads.fingerprint("hw/no_such.sv") == "absent"
    assert "core.cpp" in reads.fingerprint("sim/").split()
    raises(common.StopError, "code 3", reads.run, [sys.executable, "-c", "exit(3)"], tmp_path / "log", tmp_path)


def test_what_was_read_decides(making: Maker, tmp_path: Path) -> None:
    stands = {"a": "1", "b": "2"}
    read: list[str] = []

    def make() -> list[Path]:
        making.count["a"] += 1
        read[:] = ["a"]
        return [written(tmp_path / "made", "made")]

    book = pieces.Pieces(tmp_path / "book.json")
    piece = pieces.MadePiece("one", "a file", make, reads=read, fingerprint=stands.__getitem__)
    for change, count in (({}, 1), ({"b": "3"}, 1), ({"a": "4"}, 2), ({}, 2)):
        stands |= change
        book.run([piece])
        assert making.count["a"] == count


def test_where_nothing_can_be_watched_the_whole_tree_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads.shutil, "which", lambda name: None)
    found = reads.run([sys.executable, "-c", ""], tmp_path / "log", tmp_path)
    assert {"README.md", "hw/core/rtl/rs_core.sv", "tests/python/test_release_parts.py"} < set(found)


@pytest.mark.slow
def test_a_piece_reads_what_it_is_made_of(tmp_path: Path) -> None:
    """The source archive: it is made again for a source, and not for what it leaves out."""
    (piece,) = pieces.chosen(release.pieces(), ["source"])
    watched = release.watched(piece)
    (made,) = watched.make()
    with tarfile.open(made) as tar:
        inside = {name.partition("/")[2] for name in tar.getnames()} - {"PKG-INFO"}
    assert inside <= set(watched.reads)
    assert {"README.md", "scripts/checks/links.py", "lib/src/"} < set(watched.reads)
    assert not {name for name in watched.reads if name.startswith((".ci/run", "build/release"))}


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


@pytest.fixture
def packages(tmp_path: Path) -> list[Path]:
    version = PROJECT["version"]
    kinds = (
        f"ringside_he-{version}-py3-none-any.whl",
        f"ringside_he-{version}.tar.gz",
        f"ringside-{version}-npm.tgz",
        f"ringside-{version}-kit-rise-4.tar.gz",
        f"ringside_ltv-{version}-py3-none-any.whl",
        f"ringside-lean-{version}.tar.gz",
        f"ringside-{version}-rust.tar.gz",
    )
    return [written(tmp_path / name, name) for name in kinds]


def _bills(file: Path) -> tuple[str, str]:
    found = materials.contents(file, ROOT)
    spdx = materials.spdx(file, *found, PROJECT, "2026-01-31")
    return json.dumps(materials.cyclonedx(file, *found)), json.dumps(spdx)


def test_bills_of_materials_pass_the_tools_of_their_formats(packages: list[Path]) -> None:
    for file in packages:
        for kind, text in zip(("cdx", "spdx"), _bills(file), strict=True):
            materials.validate(text, kind)
        assert _bills(file) == _bills(file)
        assert hashlib.sha256(file.name.encode()).hexdigest() in _bills(file)[0]
    assert materials.contents(Path("ringside-0.1.0-report.tar.gz"), ROOT) is None


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("cdx", '"library"', '"book"'),
        ("cdx", '"scope"', '"skope"'),
        ("spdx", "DEPENDS_ON", "LIKES"),
        ("spdx", "SPDX-2.3", "SPDX-9"),
        ("spdx", "SPDXRef-1", "1"),
    ],
)
def test_a_bill_that_is_wrong_is_found(packages: list[Path], kind: str, right: str, wrong: str) -> None:
    text = _bills(packages[0])[kind == "spdx"]
    assert right in text
    raises(ValueError, None, materials.validate, text.replace(right, wrong), kind)


def test_bills_name_what_the_package_needs(packages: list[Path]) -> None:
    parts = {file.name: {part.name: part for part in materials.contents(file, ROOT)[1]} for file in packages}
    wheel, source, npm, kit, evaluator, lean, rust = parts.values()
    needed = {Requirement(line).name for line in PROJECT["dependencies"]}
    assert {name for name, part in wheel.items() if part.use == "required"} == needed
    assert {name for name, part in wheel.items() if part.use == "linked"} == {"zlib", "zstd"}
    assert all(re.fullmatch(r"\d+(\.\d+)+", wheel[name].version) for name in ("zlib", "zstd"))
    assert {name for name, part in source.items() if part.use == "build"} == {
        "zlib",
        "zstd",
        "scikit-build-core",
        "cffi",
    }
    assert {(part.name, part.use) for part in npm.values()} == {("wasi-libc", "linked")}
    assert "ringside-he" in evaluator
    assert "zlib" not in evaluator
    assert kit == lean == rust == {}


def test_the_provenance_names_sources_tools_and_files(packages: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGSIDE_BUILDER", "https://builder.invalid/of-ours")
    text = json.dumps(materials.provenance(packages, ROOT, PROJECT, ["gcc", "no-such-package"]))
    materials.validate_statement(text)
    told = json.loads(text)
    assert {one["name"]: one["digest"]["sha256"] for one in told["subject"]} == {
        path.name: pieces.file_hash(path) for path in packages
    }
    predicate = told["predicate"]
    assert predicate["runDetails"] == {"builder": {"id": "https://builder.invalid/of-ours"}}
    assert {"buildType", "externalParameters", "resolvedDependencies"} < set(predicate["buildDefinition"])
    names = {one.get("name", one.get("uri", "")) for one in predicate["buildDefinition"]["resolvedDependencies"]}
    assert "requirements/build.txt" in names
    assert [name for name in names if name.startswith("pkg:deb/debian/gcc@")]
    assert not [name for name in names if "no-such-package" in name]
    for right, wrong in (("Statement/v1", "Statement/v9"), ('"digest"', '"digits"'), ('"subject"', '"subjects"')):
        raises(Exception, None, materials.validate_statement, text.replace(right, wrong))


# ---- pages -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["README.md", "js/README.md"])
def test_a_readme_stands_alone_on_a_package_page(name: str) -> None:
    """By the renderer of Python's package index."""
    from readme_renderer import markdown

    text = package_page.absolute((ROOT / name).read_text(encoding="utf-8"), str(Path(name).parent), PROJECT)
    page = markdown.render(text)
    assert page is not None
    targets = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert len(targets) > 3
    assert [one for one in targets if not one.startswith(("https://", "#"))] == []
    assert "figure:" not in text
    root = f"{PROJECT['urls']['Repository']}/blob/v{PROJECT['version']}/"
    for target in targets:
        if target.startswith(root):
            assert (ROOT / target.removeprefix(root).partition("#")[0]).exists()


def test_links_are_made_absolute() -> None:
    about = {"version": "1.2.3", "urls": {"Repository": "https://nowhere.invalid/r"}}
    text = "[a](../b.md#c) ![d](e.png) [f](https://g.invalid) [h](#i) `[j](k.md)` <!-- l -->"
    found = package_page.absolute(text, "docs", about)
    base = "https://nowhere.invalid/r"
    assert (
        found
        == f"[a]({base}/blob/v1.2.3/b.md#c) ![d]({base}/raw/v1.2.3/docs/e.png) [f](https://g.invalid) [h](#i) `[j](k.md)` "
    )


def test_the_page_of_a_release_lists_its_files(packages: list[Path]) -> None:
    page = notes.page(PROJECT, {path: f"about {path.name}" for path in packages})
    for path in packages:
        assert f"| `{path.name}` | about {path.name} | `{pieces.file_hash(path)}` |" in page
    assert f"# Ringside {PROJECT['version']}, {release.DATE}" in page
    assert not re.findall(r"\]\((?!https://)[^)]*\)", page)


def test_metadata_follow_the_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    metadata = script("generating.metadata")
    made = {path.name: text for path, text in metadata.from_project().items()}
    about = json.loads(made["codemeta.json"])
    assert (about["version"], about["codeRepository"]) == (PROJECT["version"], PROJECT["urls"]["Repository"])
    cited = yaml.safe_load(made["CITATION.cff"])
    assert (cited["version"], str(cited["date-released"])) == (PROJECT["version"], about["datePublished"])
    assert cited["repository-code"] == PROJECT["urls"]["Repository"]
    assert yaml.safe_load(made["recipe.yaml"])["about"]["repository"] == PROJECT["urls"]["Repository"]
    monkeypatch.setattr(metadata, "CHANGELOG", written(tmp_path / "CHANGELOG.md", "## Unreleased\n"))
    raises(common.StopError, "give the version its date", metadata.from_project)


# ---- the same bits ---------------------------------------------------------------------------------
def rebuild(*names: str) -> str:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "releasing" / "rebuild.py", *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "DIFFERS" not in done.stdout
    return done.stdout


@pytest.mark.slow
def test_another_user_elsewhere_makes_the_same_bits() -> None:
    """Archives of sources; `make rebuild`, which the night runs, has wheels, the npm package, a kit and the site."""
    assert rebuild("source", "embed").count("the same  ") == 1 + len(release.EMBEDDED)


def test_a_difference_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    module = script("releasing.rebuild")
    answers = iter([{"a": "1", "b": "2"}, {"a": "1", "b": "3"}])
    monkeypatch.setattr(module, "build", lambda *how: next(answers))
    monkeypatch.setattr(module, "copied", lambda place: place)
    monkeypatch.setattr(sys, "argv", ["rebuild.py", "source"])
    raises(common.StopError, "1 of 2 files have other bits", module.main)
    assert "DIFFERS  2  b" in capsys.readouterr().out


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
