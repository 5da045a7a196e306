# SPDX-License-Identifier: Apache-2.0
"""`ringside soc report`: what is kept of runs, and what is said of it. The figures here are made up."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from cli_runner import CommandLine
from ringside.cycles import records, system_report
from ringside.cycles.records import Asked
from ringside.cycles.system import Count, System
from ringside.engines import designs
from ringside.soc import build


def made_up(design: str, cycles: int) -> System:
    stages = {
        "encode": Count(1000, 700),
        "core": Count(cycles - 1300, 0),
        "wipe": Count(100, 50),
        "message in": Count(200, 90),
    }
    return System(
        design=design, op="encrypt-sk", n=1024, limbs=1, moduli=[17], latency=20, frames=1, overlap=False, cycles=cycles,
        instructions=840, stages=stages, setup=Count(5, 4), units={"LOAD": 3}, program_instructions=11, register_accesses=9,
        simulated=10 * cycles, bit_exact=True,
    )  # fmt: skip


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Asked:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
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


def test_report(asked: Asked, ringside: CommandLine, tmp_path: Path) -> None:
    alone = dataclasses.replace(asked, design=None)
    records.store(asked, made_up("rise-1", 5000))
    records.store(alone, made_up("none", 20_000))
    words = ("soc", "report", "--op", "encrypt-sk", "--n", "1024", "--clock", "100", "--uplink", "8")
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
    assert "rise-1, core: 3,700 cycles, 74.0 %" in picture
    assert picture.count("not measured") == len(system_report.DESIGNS) - 2
    text = ringside(*words).out
    assert "5,000" in text
    assert "6 of 8 are not measured" in text


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
    stages |= {"wipe", "ciphertext out", "plaintext out", "decode"}
    assert {name for names in system_report.PARTS.values() for name in names} == stages
    assert sum(map(len, system_report.PARTS.values())) == len(stages)
