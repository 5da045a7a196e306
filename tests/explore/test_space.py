# SPDX-License-Identifier: Apache-2.0
"""Files of spaces: what they say, what is wrong with one, and which designs they hold."""

import itertools
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from asserting import raises, written
from ringside import designs
from ringside.designs.rules import problems
from ringside.errors import ParameterError
from ringside.explore.model.cycles import grouped
from ringside.explore.model.programs import REGISTERS
from ringside.explore.space import links, reader
from ringside.explore.space.points import Points, enumerate_all, from_rows, needs, valid

SPACES = Path(__file__).parents[2] / "designs" / "spaces"
TINY = (SPACES / "tiny.toml").read_text(encoding="utf-8")


def space_of(tmp_path: Path, text: str) -> reader.Space:
    return reader.load(written(tmp_path / "space.toml", text))


@pytest.mark.parametrize("path", sorted(SPACES.glob("*.toml")), ids=lambda path: path.stem)
def test_shipped(path: Path) -> None:
    space = reader.load(path)
    points = enumerate_all(space)
    assert space.name == path.stem
    assert len(points) > 100
    for i in np.random.default_rng(1).integers(0, len(points), 30):
        assert not list(problems(points.design(int(i))))


def test_a_shipped_space_goes_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert reader.load(Path("tiny")).text == TINY
    assert "tiny" in raises(ParameterError, None, reader.load, Path("tinier")).hint
    (tmp_path / "tiny").write_text(TINY.replace('name = "tiny"', 'name = "mine"'))
    assert reader.load(Path("tiny")).name == "mine"


def test_aloha_has_three_hundred_thousand_designs() -> None:
    assert len(enumerate_all(reader.load(SPACES / "aloha-task.toml"))) == 313_920


def test_all_valid_points_and_no_other(tmp_path: Path) -> None:
    """Against every combination, one design at a time."""
    text = """[explore]
name = "small"
base = "rise-4"
[space]
"core.lanes" = [1, 4]
"core.encode" = [false, true]
"core.twiddles" = ["stored", "on_the_fly"]
"sampler.lanes" = [1, 4, 8]
"sampler.keccak_slices" = [16, 64]
"expand.keccak" = ["separate", "shared"]
"dma.bus_bits" = [64, 256]
[link]
"dma.reducers" = "0 if core.lanes == 1 else min(2, dma.bus_bits // 64)"
[[workload]]
op = "ntt"
n = 4096
"""
    space = space_of(tmp_path, text)
    expected = set()
    for values in itertools.product(*space.axes.values()):
        fields = dict(zip(space.axes, values, strict=True))
        reducers = 0 if fields["lanes"] == 1 else min(2, fields["bus_bits"] // 64)
        if not list(problems(replace(space.base, reducers=reducers, **fields))):
            expected.add((*values, reducers))
    points = enumerate_all(space)
    names = [*space.axes, "reducers"]
    assert {tuple(points.column(name)[i].item() for name in names) for i in range(len(points))} == expected
    assert len(points) == len(expected)


def test_a_link_of_too_many_values_is_refused(tmp_path: Path) -> None:
    """A code is a byte: the 257th value would be taken for the first one."""
    axes = '"memory.latency" = { from = 1, to = 32 }\n"clock.mhz" = { from = 100, to = %d }'
    text = f"[explore]\nname = 'many'\nbase = 'rise-4'\n[space]\n{axes}\n[link]\n'dma.outstanding' = 'memory.latency * 64 + clock.mhz - 100'\n"
    text += "[[workload]]\nop = 'ntt'\nn = 4096\n"
    enumerate_all(space_of(tmp_path, text % 107))
    with pytest.raises(ParameterError, match=r"dma\.outstanding takes 288 different values; 256 are the most"):
        enumerate_all(space_of(tmp_path, text % 108))


def test_points_of_many_axes_stay_apart(tmp_path: Path) -> None:
    """The combinations of nineteen axes of 256 values do not fit a word of 64 bits."""
    codes = {name: np.random.default_rng(7).integers(0, 2, 300).astype(np.uint8) for name in REGISTERS}
    codes[REGISTERS[0]] = (np.arange(300) % 200).astype(np.uint8)
    points = Points(space_of(tmp_path, TINY), codes, {name: np.arange(256) for name in REGISTERS})
    first, group = grouped(points)
    rows = np.stack([codes[name] for name in REGISTERS], axis=1)
    assert len(first) == len(np.unique(rows, axis=0)) > 190
    assert (rows[first][group] == rows).all()


def test_rules_know_what_they_read() -> None:
    reads = {rule.name: names for rule, names in needs(designs.load("rise-4"))}
    assert {"lanes", "bus_bits", "word_bits"} <= reads["sample_lanes"]
    assert reads["`encode` needs stored twiddles"] == {"encode", "twiddles"}


def test_points_one_by_one(tmp_path: Path) -> None:
    space = space_of(tmp_path, TINY)
    row = {name: values[0] for name, values in space.axes.items()}
    points = from_rows(space, [row, row | {"lanes": 4, "bus_bits": 256}])
    assert valid(points).all()
    assert points.column("sample_lanes").tolist() == [1, 4]


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (('"core.lanes"', '"core.lames"'), 7, "core.lanes"),
        (("[8, 16]", "[8, 8]"), 12, "twice"),
        (("[8, 16]", "[8, [16]]"), 12, "holds a list"),
        (('step = "x2"', 'step = "x1"'), 7, "step"),
        (('"stored"', "3"), 8, "kind"),
        (('"min(2, dma.bus_bits // 64)"', "\"__import__('os')\""), 16, "not allowed"),
        (('"min(2, dma.bus_bits // 64)"', '"min(2, dma.bux // 64)"'), 16, "dma.bux"),
        (('op = "encrypt-pk-direct"', 'op = "encrypt"'), 19, "encrypt"),
        (("n = 1024", "n = 1000"), 20, "power of two"),
        (("n = 1024", 'n = 1024\n[[workload]]\nop = "ntt"\nn = 1000'), 23, "power of two"),
        (('"lut"]', '"luts"]'), 25, "lut"),
        (('"lut"]', '"lut"]\nmaximise = ["lut"]'), 26, "small already"),
        (('"min(2, dma.bus_bits // 64)"', '"clock.mhz"'), 16, "no axis"),
        (('base = "rise-4"', 'base = "rise-5"'), 4, "rise-5"),
        (("near = 0.0", "near = 2"), 28, "0 to 1"),
        (("near = 0.0", "ties = 0.2"), 28, "0 to 0.1"),
        (("near = 0.0", "ties = 0.01"), 28, "`near`"),
        (("[verify]", "[verity]"), 27, "verity"),
    ],
)
def test_errors_say_where(tmp_path: Path, change: tuple[str, str], line: int, words: str) -> None:
    assert change[0] in TINY
    caught = raises(ParameterError, None, space_of, tmp_path, TINY.replace(*change, 1))
    message = f"{caught.message} {caught.hint}"
    assert f"space.toml:{line}:" in message, message
    assert words in message, message


def test_expressions() -> None:
    link = links.read("max(core.lanes * 2 - 1, 3) if dma.bus_bits >= 128 else -4 // 2")
    assert link.names == {"core.lanes", "dma.bus_bits"}
    assert link.value({"core.lanes": np.array([1, 8]), "dma.bus_bits": np.array([128, 128])}).tolist() == [3, 15]
    assert link.value({"core.lanes": 1, "dma.bus_bits": 64}) == -2


LINK_ERRORS = [
    ("'abc' * core.lanes", "is a text, where a number stands"),
    ("-'abc'", "is a text"),
    ("max('a', 'b')", "is a text"),
    ("core.twiddles + 1", "core.twiddles is a text"),
    ("1 if core.twiddles else 2", "is a text"),
    ("'a' if core.lanes > 1 else 2", "a text beside a number"),
    ("core.twiddles < 3", "a text beside a number"),
    ("core.twiddles", "is a text, where dma.reducers is none"),
    ("2 // (core.lanes - 1)", "divides by zero"),
    ("2 % 0", "divides by zero"),
    ("1000000000 * 1000000000 * 1000000000 * core.lanes", "2^62"),
    ("0 - 2000000000 * 2000000000 - 2000000000 * 2000000000", "2^62"),
]


@pytest.mark.parametrize(("text", "words"), LINK_ERRORS, ids=[text for text, _ in LINK_ERRORS])
def test_links_without_a_value_are_refused(tmp_path: Path, text: str, words: str) -> None:
    space = space_of(tmp_path, TINY.replace('"min(2, dma.bus_bits // 64)"', f'"{text}"'))
    raises(ParameterError, rf"tiny: \[link\] dma\.reducers: .*{re.escape(words)}", enumerate_all, space)


def test_only_the_branch_that_is_taken_counts(tmp_path: Path) -> None:
    link = links.read("8 // core.lanes if core.lanes else 5")
    assert link.value({"core.lanes": np.array([0, 2, 8])}).tolist() == [5, 4, 1]
    same = links.read("1 if core.twiddles == 'stored' else 2")
    assert same.value({"core.twiddles": np.array(["stored", "on_the_fly"])}).tolist() == [1, 2]


@pytest.mark.parametrize(
    "text", ["__import__('os')", "a.b.c", "[1]", "1.5", "lambda: 1", "a if b", "min(1)", "2 ** 9", "1 << 3", "x" * 9 + "(", "(" * 500]
)  # fmt: skip
def test_no_expressions(text: str) -> None:
    raises(links.LinkError, None, links.read, text)


def test_engine_is_an_axis(tmp_path: Path) -> None:
    """What a point is follows its axis; points of which axis and design differ are none."""
    points = enumerate_all(reader.load(SPACES / "frames.toml"))
    assert {*points.column("engine").tolist()} == {"core", "stream"}
    assert ((points.column("engine") == "stream") == (points.column("stream_lanes") > 0)).all()
    free = (SPACES / "frames.toml").read_text(encoding="utf-8").replace("\"2 if engine == 'stream' else 0\"", '"2"')
    assert set(enumerate_all(space_of(tmp_path, free)).column("engine").tolist()) == {"stream"}
    raises(ParameterError, "lanes8", space_of, tmp_path, free.replace('"core", "stream"', '"core", "lanes8"'))


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        ('op = "ml-kem-768-encaps"\nn = 256', "sizes of its own"),
        ('op = "encrypt-sk"\nn = 1024\nslices = 2', "ntt or intt"),
        ('op = "ml-kem-700-encaps"', "ml-kem-700-encaps"),
        ('op = "ntt"', "missing"),
    ],
)
def test_workloads_of_schemes_and_slices(tmp_path: Path, workload: str, words: str) -> None:
    head, _, tail = (SPACES / "pqc-schemes.toml").read_text(encoding="utf-8").partition("[[workload]]")
    objectives = tail[tail.index("[objectives]") :]
    assert len(space_of(tmp_path, f'{head}[[workload]]\nop = "ntt"\nn = 256\nslices = 4\n{objectives}').workloads) == 1
    caught = raises(ParameterError, None, space_of, tmp_path, f"{head}[[workload]]\n{workload}\n{objectives}")
    assert words in f"{caught.message} {caught.hint}"
