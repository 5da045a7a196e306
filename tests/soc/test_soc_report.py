# SPDX-License-Identifier: Apache-2.0
"""`ringside soc report`: what is kept of runs, and what is said of it. The figures here are made up."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from cli_runner import CommandLine
from ringside.cycles import records, system_report
from ringside.cycles.records import Asked
from ringside.cycles.system import Count, System
from ringside.engines import designs
from ringside.report import provider
from ringside.soc import build


def made_up(design: str, cycles: int) -> System:
    stages = {
        "encode": Count(1000, 700),
        "core": Count(cycles - 1300, 0),
        "wipe": Count(100, 50),
        "message in": Count(200, 90),
    }
    if design == "none":
        stages = {"encode": Count(1000, 700), "encrypt": Count(cycles - 1000, 140)}
    return System(
        design=design, op="encrypt-sk", n=1024, limbs=1, moduli=[17], latency=20, frames=1, overlap=False, cycles=cycles,
        instructions=840, stages=stages, setup=Count(5, 4), units={"LOAD": 3}, program_instructions=11, register_accesses=9,
        simulated=10 * cycles, bit_exact=True,
    )  # fmt: skip


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Asked:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    monkeypatch.setattr(records, "RECORDED", "docs/no-rows")
    return Asked(designs.load_core("rise-1"), "encrypt-sk", 1024, 1, 30)


def test_a_run_is_kept_until_sources_or_question_change(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    assert records.load(asked) is None
    found = made_up("rise-1", 5000)
    records.store(asked, found)
    assert records.load(asked) == found
    others = [
        {"latency": 60},
        {"op": "decrypt"},
        {"design": None},
        {"frames": 2},
        {"design": designs.load_core("rise-2")},
    ]
    assert [records.load(dataclasses.replace(asked, **change)) for change in others] == [None] * len(others)  # type: ignore[arg-type]
    sources = build.firmware_sources
    monkeypatch.setattr(build, "firmware_sources", lambda tree: sources(tree)[1:])
    assert records.load(asked) is None


def test_what_cannot_be_read_is_not_there(asked: Asked) -> None:
    records.store(asked, made_up("rise-1", 5000))
    for text in ("", "{}", '{"stages": 3}'):
        records._place(asked).write_text(text)
        assert records.load(asked) is None


def test_recorded_rows(asked: Asked, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What `ringside soc run --json` has printed is shown, marked, until a run of today's sources takes its place. Other files are not taken."""
    folder = tmp_path / "rows"
    folder.mkdir()

    def record(name: str, found: System, **other: object) -> None:
        text = json.dumps(dataclasses.asdict(found) | {"bits": 30, "sources": "0123", "clock_mhz": 500} | other)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")

    record("alone", made_up("none", 30_000))
    record("first", made_up("rise-1", 6000))
    record("later", dataclasses.replace(made_up("rise-1", 5000), frames=2))
    together = {"encode": Count(1000, 0), "core": Count(3700, 0)}
    record("overlapped", dataclasses.replace(made_up("rise-1", 3750), frames=3, overlap=True, stages=together))
    record("wider", made_up("rise-2", 4000), bits=28)
    record("wrong", dataclasses.replace(made_up("rise-2", 4000), bit_exact=False))
    (folder / "other.json").write_text('{"design": "rise-2"}')
    (folder / "no.json").write_text("no")
    words: tuple[str, ...] = ("soc", "report", "--op", "encrypt-sk", "--n", "1024", "--rows", str(folder))
    rows = ringside(*words, "--json", "-o", str(tmp_path / "soc.svg")).json["rows"]
    seen = [(row["design"], row["frame"], row["cycles"], row["speed_up"]) for row in rows if row["measured"]]
    assert seen == [
        ("none", "later", 30_000, 1),
        ("rise-1", "first", 6000, 5),
        ("rise-1", "later", 5000, 6),
        ("rise-1", "overlapped", 3750, 8),
    ]
    assert not any(row["today"] for row in rows if row["measured"])
    picture = (tmp_path / "soc.svg").read_text(encoding="utf-8")
    assert "rise-1, later frame, core: 3,700 cycles, 74.0 %" in picture
    assert "3,750" not in picture
    text = ringside(*words).out
    assert "rise-1*" in text
    assert "* recorded" in text
    records.store(dataclasses.replace(asked, frames=2), dataclasses.replace(made_up("rise-1", 4900), frames=2))
    rows = {row["frame"]: row for row in ringside(*words, "--json").json["rows"] if row["design"] == "rise-1"}
    assert (rows["later"]["cycles"], rows["later"]["today"], rows["first"]["today"]) == (4900, True, False)
    # and the page takes them, the later frame
    monkeypatch.setattr(records, "RECORDED", str(folder))
    package = provider.Package(cache=tmp_path / "report")
    assert package.figures(provider.System("none", "encrypt-sk", 1024, 1)) == {
        "cycles": 30_000,
        "core": 0,
    }
    assert package.figures(provider.System("rise-1", "encrypt-sk", 1024, 1)) == {"cycles": 4900, "core": 3600}


def test_tables_of_the_documentation(asked: Asked, ringside: CommandLine) -> None:
    alone = dataclasses.replace(asked, design=None)
    records.store(alone, made_up("none", 30_000))
    records.store(asked, dataclasses.replace(made_up("rise-1", 5000)))
    records.store(dataclasses.replace(asked, frames=2), dataclasses.replace(made_up("rise-1", 12_300), frames=2))
    records.store(dataclasses.replace(asked, n=2048), dataclasses.replace(made_up("rise-1", 6000), n=2048))
    words: tuple[str, ...] = (
        "soc",
        "report",
        "--op",
        "encrypt-sk",
        "--n",
        "1024",
        "--n",
        "2048",
        "--n",
        "4096",
        "--markdown",
    )
    lines = ringside(*words, "--design", "none", "--design", "rise-1", "--design", "rise-2").out.splitlines()
    assert lines == [
        "| encrypt-sk | 1,024 / 1 | 2,048 / 1 |",
        "| --- | --- | --- |",
        "| none | 30 |  |",
        "| rise-1, first frame | 5.0 (3.7), 6.0 × | 6.0 (4.7) |",
        "| rise-1 | 12 (11), 2.4 × |  |",
    ]


def test_runs_that_are_missing(asked: Asked) -> None:
    """Of a core the second frame is run: it has its program."""
    alone = dataclasses.replace(asked, design=None)
    assert [(one.name, one.frames) for one in records.missing([alone, asked], {})] == [("none", 1), ("rise-1", 2)]
    records.store(dataclasses.replace(asked, frames=2), made_up("rise-1", 5000))
    assert records.missing([asked], {}) == []
    encodes = dataclasses.replace(asked, design=designs.load_core("rise-4e"))
    (one,) = records.missing([encodes], {})
    assert (one.name, one.op, one.frames) == ("rise-4e", "encode-encrypt-sk", 2)


def test_a_core_that_encodes_stands_beside_the_same_operation(
    ringside: CommandLine, asked: Asked, tmp_path: Path
) -> None:
    """Its speed-up is against the processor that encodes and encrypts; decoding likewise."""
    encodes = designs.load_core("rise-4e")
    for op, cycles in (("encrypt-sk", 30_000), ("decrypt", 60_000)):
        one = dataclasses.replace(asked, design=None, op=op)
        records.store(one, dataclasses.replace(made_up("none", cycles), op=op))
        inside = dataclasses.replace(one, design=encodes, op=records.IN_CORE[op], frames=2)
        records.store(inside, dataclasses.replace(made_up("rise-4e", 5000), op=inside.op, frames=2))
        shared = dataclasses.replace(inside, frames=4, overlap=True)
        records.store(shared, dataclasses.replace(made_up("rise-4e", 4000), op=inside.op, frames=4, overlap=True))
    words: tuple[str, ...] = ("soc", "report", "--op", "encode-encrypt-sk", "--op", "decrypt", "--n", "1024")
    words += ("--design", "none", "--design", "rise-4e")
    rows = ringside(*words, "--json").json["rows"]
    found = [(row["op"], row["design"], row["frame"], row["speed_up"]) for row in rows]
    assert found == [
        ("encrypt-sk", "none", "later", 1.0),
        ("encrypt-sk", "rise-4e", "in core", 6.0),
        ("encrypt-sk", "rise-4e", "overlapped in core", 7.5),
        ("decrypt", "none", "later", 1.0),
        ("decrypt", "rise-4e", "in core", 12.0),
        ("decrypt", "rise-4e", "overlapped in core", 15.0),
    ]
    assert all("uplink_frames_per_second" in row for row in rows[:3])
    assert not any("uplink_frames_per_second" in row for row in rows[3:])
    table = ringside(*words, "--markdown").out
    assert "| rise-4e, encodes and decodes | 5.0 (3.7), 6.0 × |" in table
    assert "| rise-4e, encodes and decodes, frames overlap | 4.0 (2.7), 7.5 × |" in table
    by_processor = dataclasses.replace(asked, design=encodes, frames=2)
    records.store(by_processor, dataclasses.replace(made_up("rise-4e", 9000), frames=2))
    package = provider.Package(cache=tmp_path / "report")
    assert package.figures(provider.System("rise-4e", "encrypt-sk", 1024, 1)) == {"cycles": 5000, "core": 3700}
    with pytest.raises(provider.NotBuiltError, match="rise-4e goes up to N = 8192"):
        package.figures(provider.System("rise-4e", "encrypt-sk", 16384, 13))


def test_the_rows_of_the_tree_can_be_read() -> None:
    """Each of them is one, and its name says which."""
    files = list((build.source_tree() / records.RECORDED).glob("*.json"))
    found = records.recorded()
    assert len(found) == len(files) > 0
    for design, op, n, limbs, *_ in found:
        assert any(file.name.startswith(f"{design}-{op}-{n}-{limbs}") for file in files)


def test_report(asked: Asked, ringside: CommandLine, tmp_path: Path) -> None:
    alone = dataclasses.replace(asked, design=None)
    records.store(asked, made_up("rise-1", 5000))
    records.store(alone, made_up("none", 20_000))
    words: tuple[str, ...] = ("soc", "report", "--op", "encrypt-sk", "--n", "1024", "--clock", "100", "--uplink", "8")
    found = ringside(*words, "--json", "-o", str(tmp_path / "soc.svg")).json["rows"]
    assert [row["design"] for row in found] == list(system_report.DESIGNS)
    rows = {row["design"]: row for row in found}
    assert not rows["race"]["measured"]
    one = rows["rise-1"]
    assert one["speed_up"] == 4
    assert one["parts"] == {"encode": 1000, "software": 0, "driver": 300, "core": 3700, "decode": 0}
    # 160 x 120 pixels are 37.5 times 512 slots
    assert one["frames_per_second"]["100"]["qqvga"] == pytest.approx(100e6 / (5000 * 38))
    assert one["uplink_frames_per_second"]["8"]["qqvga"] == pytest.approx(8e6 / (8 * 8 * 1024 * 38))
    picture = (tmp_path / "soc.svg").read_text(encoding="utf-8")
    assert "rise-1, first frame, core: 3,700 cycles, 74.0 %" in picture
    assert picture.count("not measured") == len(system_report.DESIGNS) - 2
    text = ringside(*words, "--clock", "400").out
    assert "5,000" in text
    assert "8 of 10 are not measured" in text
    assert "encrypt-sk, N = 1024, 1 limb: race, rise-2, rise-4, rise-8, rise-16, rise-32, rise-4e, rise-32e" in text
    lines = [re.split(r"  +", line.strip()) for line in text.splitlines()]
    who = [line[3] for line in lines if len(line) == 6 and line[0] == "encrypt-sk"]
    assert who == [
        "none, 100 MHz",
        "none, 400 MHz",
        "rise-1, first, 100 MHz",
        "rise-1, first, 400 MHz",
        "link, 8 Mbit/s",
    ]
    assert ["rise-1, first, 400 MHz", "2,105.26", "533.33"] in [line[3:] for line in lines]


def test_report_beside_seal_embedded(asked: Asked, ringside: CommandLine, tmp_path: Path) -> None:
    """Instructions of the processor alone only, and only of the same set."""
    for design, n, limbs in (("none", 4096, 3), ("none", 1024, 1), ("rise-1", 4096, 3)):
        one = dataclasses.replace(made_up(design, 9_000_000), n=n, limbs=limbs, instructions=4_100_000)
        text = json.dumps(dataclasses.asdict(one) | {"bits": 30})
        (tmp_path / f"{design}-{n}.json").write_text(text, encoding="utf-8")
    words: tuple[str, ...] = ("soc", "report", "--op", "encrypt-sk", "--rows", str(tmp_path))
    (found,) = ringside(*words, "--json").json["seal_embedded"]
    assert (found["n"], found["instructions"], found["seal_embedded"]) == (4096, 4_100_000, 16_400_000)
    assert found["share"] == pytest.approx(0.25)
    lines = [re.split(r"  +", line.strip()) for line in ringside(*words).out.splitlines()]
    assert ["encrypt-sk", "4096", "3", "4,100,000", "16,400,000", "0.250"] in lines


def test_a_decryption_of_one_limb_at_4096_is_shown(asked: Asked, ringside: CommandLine) -> None:
    rows = ringside("soc", "report", "--n", "4096", "--design", "none", "--json").json["rows"]
    assert [(row["op"], row["limbs"]) for row in rows] == [
        ("encrypt-sk", 3),
        ("encrypt-pk-direct", 3),
        ("decrypt", 1),
        ("decrypt", 3),
    ]


def test_report_beside_what_rise_prints(asked: Asked, ringside: CommandLine) -> None:
    """Caveats stay with the figures; what the paper's text lacks is said, not left out."""
    words = ("soc", "report", "--n", "1024")
    text = re.sub(r"\s+", " ", ringside(*words).out)
    for word in (
        "RISE: more energy-efficient than the RISC-V processor alone, message to ciphertext, up to: 6191.19 ×",
        "probably one of energy-delay products",
        "what mid-band 5G can carry: not in the text (figure 10",
        "rates of 5G uplinks are assumed",
    ):
        assert word in text
    found = ringside(*words, "--json").json
    assert {row["op"] for row in found["rows"]} == {"encrypt-sk", "encrypt-pk-direct", "decrypt"}
    assert len(found["published"]) == 7
    assert found["notes"]


def test_the_page_takes_what_was_kept(asked: Asked, tmp_path: Path) -> None:
    package = provider.Package(cache=tmp_path / "report")
    with_core, alone = (provider.System(name, "encrypt-sk", 1024, 1) for name in ("rise-1", "none"))
    with pytest.raises(provider.NotMeasuredError, match="run `ringside soc run rise-1 --op encrypt-sk --n 1024"):
        package.figures(with_core)
    records.store(asked, made_up("rise-1", 5000))
    records.store(dataclasses.replace(asked, design=None), made_up("none", 20_000))
    found = [package.figures(query) for query in (with_core, alone)]
    assert found == [{"cycles": 5000, "core": 3700}, {"cycles": 20_000, "core": 0}]
    with pytest.raises(provider.NotMeasuredError, match="--limbs 3"):
        package.figures(provider.System("none", "encrypt-sk", 4096, 3))


def test_every_stage_has_a_part() -> None:
    stages = {
        "encode",
        "encrypt",
        "decrypt",
        "program",
        "seed",
        "message in",
        "ciphertext in",
        "registers",
        "core",
        "interrupt",
    }
    stages |= {"wipe", "ciphertext out", "plaintext out", "values out", "decode"}
    assert {name for names in system_report.PARTS.values() for name in names} == stages
    assert sum(map(len, system_report.PARTS.values())) == len(stages)
