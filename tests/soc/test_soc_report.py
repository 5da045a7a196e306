# SPDX-License-Identifier: Apache-2.0
"""`ringside soc report`: what is kept of runs, and what is said of it. The figures here are made up."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from asserting import raises
from cli_runner import CommandLine
from ringside.cli.hardware import soc as command
from ringside.cycles.system import Count, System
from ringside.errors import FileError
from ringside.figures import content, ledger, systems
from ringside.figures.command import soc_run, value
from ringside.figures.ledger import OWN, REFUSED, Books, Ledger, Row, State
from ringside.figures.systems import ShownSystem
from ringside.report import provider, system_report
from ringside.report.provider import NotBuiltError, NotMeasuredError
from ringside.sim.verilate import SimulationError


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


ASKED = ShownSystem("rise-1", "encrypt-sk", 1024, 1)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ShownSystem:
    """Nothing is recorded yet, and the firmware is compiled."""
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    monkeypatch.setattr(ledger, "shipped", lambda: Ledger(tmp_path / "shipped.jsonl"))
    monkeypatch.setattr(content, "firmware", lambda *_: "0123")
    return ASKED


def run(asked: ShownSystem = ASKED, bits: int = 30, **more: Any) -> str:
    return soc_run(asked.design, asked.op, asked.n, asked.limbs, bits, **more)


def store(command: str, found: System) -> None:
    """As `ringside soc run` does."""
    ledger.own().put(ledger.make_row(command, dataclasses.asdict(found)))


def ship(command: str, found: System) -> None:
    """With a release whose sources were others."""
    made_from = content.of(command) | {"firmware": "4567"}
    ledger.shipped().put(Row(command, dataclasses.asdict(found), made_from, "0.9.0", "2026-01-31"))


def load(command: str) -> tuple[System, State] | None:
    found = systems.find(command, Books.open())
    return None if found is None else (found.system, found.state)


def cycles_of(page: provider.Recorded, asked: ShownSystem, path: str = "cycles") -> int:
    return int(value(page.answer(systems.best(asked)), path))


def test_a_run_is_kept_until_sources_or_command_change(asked: ShownSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(run()) is None
    found = made_up("rise-1", 5000)
    store(run(), found)
    assert load(run()) == (found, State.fresh)
    others = [run(latency=60), run(frames=2), run(bits=28), run(overlap=True)]
    others += [
        run(asked._replace(op="decrypt")),
        run(asked._replace(design="none")),
        run(asked._replace(design="rise-2")),
    ]
    assert [load(one) for one in others] == [None] * len(others)
    for part in ("firmware", "system", "rtl", "_design"):
        with monkeypatch.context() as patch:
            patch.setattr(content, part, lambda *_, **__: "other")
            assert load(run()) == (found, State.old)
    assert load(run()) == (found, State.fresh)


def test_a_run_is_not_judged_without_its_firmware(
    asked: ShownSystem, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is shown, and has no star."""
    found = made_up("rise-1", 5000)
    store(run(), found)

    def missing() -> str:
        raise SimulationError("the firmware is not compiled")

    monkeypatch.setattr(content, "firmware", missing)
    assert load(run()) == (found, State.unknown)
    text = ringside("soc", "report", "--op", "encrypt-sk", "--n", "1024").out
    assert "5,000" in text
    assert "rise-1*" not in text


def test_what_cannot_be_read_is_refused(asked: ShownSystem, ringside: CommandLine) -> None:
    """File and line are said; the run that follows does not replace it."""
    store(run(), made_up("rise-1", 5000))
    place = ledger.own().path
    line = place.read_text(encoding="utf-8")
    for text in ("{}", '{"stages": 3}', line[:40]):
        damaged = f"{line}{text}\n"
        place.write_text(damaged, encoding="utf-8")
        with pytest.raises(FileError, match=f"{OWN}, line 2"):
            store(run(), made_up("rise-1", 5000))
        ringside("soc", "report", "--n", "1024").ends(4, f"{OWN}, line 2")
        assert place.read_text(encoding="utf-8") == damaged


def test_a_wrong_result_and_one_with_waves_are_not_kept(asked: ShownSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    found = made_up("rise-1", 5000)
    case = {
        "op": asked.op, "n": asked.n, "limbs": asked.limbs, "bits": 30, "latency": 20, "frames": 1, "overlap": False,
    }  # fmt: skip
    for result, waves, kept in (
        (dataclasses.replace(found, bit_exact=False), None, False),
        (found, object(), False),
        (found, None, True),
    ):
        monkeypatch.setattr("ringside.cycles.system.measure", lambda *_, result=result, **__: result)
        assert command._measured("rise-1", case, waves) == result  # type: ignore[arg-type]
        assert (load(run()) is not None) == kept


def test_recorded_rows(asked: ShownSystem, ringside: CommandLine, tmp_path: Path) -> None:
    """What came with the package is shown, marked if it is old, until a run of today's sources takes its place. Other runs are not taken."""
    later, alone = run(frames=2), asked._replace(design="none")
    ship(run(alone), made_up("none", 30_000))
    ship(run(), made_up("rise-1", 6000))
    ship(later, dataclasses.replace(made_up("rise-1", 5000), frames=2))
    together = {"encode": Count(1000, 0), "core": Count(3700, 0)}
    overlapped = dataclasses.replace(made_up("rise-1", 3750), frames=3, overlap=True, stages=together)
    ship(run(frames=3, overlap=True), overlapped)
    ship(run(asked._replace(design="rise-2"), 28), made_up("rise-2", 4000))
    refused = run(asked._replace(design="rise-4"), frames=2)
    ledger.shipped().put(Row(refused, {REFUSED: "Too large."}, content.of(refused), "0.9.0", "2026-01-31"))
    words: tuple[str, ...] = ("soc", "report", "--op", "encrypt-sk", "--n", "1024")
    rows = ringside(*words, "--json", "-o", str(tmp_path / "soc.svg")).json["rows"]
    seen = [(row["design"], row["frame"], row["cycles"], row["speed_up"]) for row in rows if row["measured"]]
    assert seen == [
        ("none", "later", 30_000, 1),
        ("rise-1", "first", 6000, 5),
        ("rise-1", "later", 5000, 6),
        ("rise-1", "overlapped", 3750, 8),
    ]
    known = [(row["state"], row["recorded"]) for row in rows if row["measured"]]
    assert known == [("old", "0.9.0, 2026-01-31")] * 4
    picture = (tmp_path / "soc.svg").read_text(encoding="utf-8")
    assert "rise-1, later frame, core: 3,700 cycles, 74.0 %" in picture
    assert "3,750" not in picture
    text = ringside(*words).out
    assert "rise-1*" in text
    assert "* of other sources than today's" in text
    store(later, dataclasses.replace(made_up("rise-1", 4900), frames=2))
    rows = {row["frame"]: row for row in ringside(*words, "--json").json["rows"] if row["design"] == "rise-1"}
    assert (rows["later"]["cycles"], rows["later"]["state"], rows["first"]["state"]) == (4900, "fresh", "old")
    # and the page takes them, the later frame
    page = provider.Recorded(Books.open())
    assert [cycles_of(page, one) for one in (alone, asked)] == [30_000, 4900]
    assert cycles_of(page, asked, "stages.core.cycles") == 3600
    assert page.recorded(systems.best(alone)) == "0.9.0, 2026-01-31 (changed since: firmware)"
    assert "changed" not in page.recorded(systems.best(asked))
    raises(NotBuiltError, "Too large", page.answer, refused)


def test_rows_of_today_have_no_star(asked: ShownSystem, ringside: CommandLine) -> None:
    store(run(), made_up("rise-1", 5000))
    text = ringside("soc", "report", "--op", "encrypt-sk", "--n", "1024").out
    assert "rise-1" in text
    assert "*" not in text


def test_tables_of_the_documentation(asked: ShownSystem, ringside: CommandLine) -> None:
    store(run(asked._replace(design="none")), made_up("none", 30_000))
    store(run(), made_up("rise-1", 5000))
    store(run(frames=2), dataclasses.replace(made_up("rise-1", 12_300), frames=2))
    store(run(asked._replace(n=2048)), dataclasses.replace(made_up("rise-1", 6000), n=2048))
    words: tuple[str, ...] = (
        "soc", "report", "--op", "encrypt-sk", "--n", "1024", "--n", "2048", "--n", "4096", "--markdown",
    )  # fmt: skip
    lines = ringside(*words, "--design", "none", "--design", "rise-1", "--design", "rise-2").out.splitlines()
    assert lines == [
        "| encrypt-sk | 1,024 / 1 | 2,048 / 1 |",
        "| --- | --- | --- |",
        "| none | 30 |  |",
        "| rise-1, first frame | 5.0 (3.7), 6.0 × | 6.0 (4.7) |",
        "| rise-1 | 12 (11), 2.4 × |  |",
    ]


def test_runs_that_are_missing(asked: ShownSystem) -> None:
    """Of a core the second frame is run: it has its program."""
    alone = asked._replace(design="none")

    def missing(*wanted: ShownSystem) -> list[str]:
        return systems.missing(wanted, Books.open())

    assert missing(alone, asked) == [run(alone), run(frames=2)]
    store(run(frames=2), made_up("rise-1", 5000))
    assert missing(asked) == []
    inside = asked._replace(design="rise-4e", op="encode-encrypt-sk")
    assert missing(asked._replace(design="rise-4e")) == [run(inside, frames=2)]


def test_a_core_that_encodes_stands_beside_the_same_operation(ringside: CommandLine, asked: ShownSystem) -> None:
    """Its speed-up is against the processor that encodes and encrypts; decoding likewise."""
    for op, cycles in (("encrypt-sk", 30_000), ("decrypt", 60_000)):
        store(run(asked._replace(design="none", op=op)), dataclasses.replace(made_up("none", cycles), op=op))
        inside = asked._replace(design="rise-4e", op=systems.IN_CORE[op])
        store(run(inside, frames=2), dataclasses.replace(made_up("rise-4e", 5000), op=inside.op, frames=2))
        shared = dataclasses.replace(made_up("rise-4e", 4000), op=inside.op, frames=4, overlap=True)
        store(run(inside, frames=4, overlap=True), shared)
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
    encodes = asked._replace(design="rise-4e")
    store(run(encodes, frames=2), dataclasses.replace(made_up("rise-4e", 9000), frames=2))
    package = provider.Recorded(Books.open())
    assert [cycles_of(package, encodes, path) for path in ("cycles", "stages.core.cycles")] == [5000, 3700]
    with pytest.raises(NotBuiltError, match="rise-4e goes up to N = 8192"):
        package.answer(systems.best(encodes._replace(n=16384, limbs=13)))


def test_report(asked: ShownSystem, ringside: CommandLine, tmp_path: Path) -> None:
    store(run(), made_up("rise-1", 5000))
    store(run(asked._replace(design="none")), made_up("none", 20_000))
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
    text = ringside(*words, "--clock", "400", "--full").out
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


def test_report_beside_seal_embedded(asked: ShownSystem, ringside: CommandLine) -> None:
    """Instructions of the processor alone only, and only of the same set."""
    for design, n, limbs in (("none", 4096, 3), ("none", 1024, 1), ("rise-1", 4096, 3)):
        one = dataclasses.replace(made_up(design, 9_000_000), n=n, limbs=limbs, instructions=4_100_000)
        ship(run(ShownSystem(design, "encrypt-sk", n, limbs)), one)
    words: tuple[str, ...] = ("soc", "report", "--op", "encrypt-sk")
    (found,) = ringside(*words, "--json").json["seal_embedded"]
    assert (found["n"], found["instructions"], found["seal_embedded"]) == (4096, 4_100_000, 16_400_000)
    assert found["share"] == pytest.approx(0.25)
    lines = [re.split(r"  +", line.strip()) for line in ringside(*words).out.splitlines()]
    assert ["encrypt-sk", "4096", "3", "4,100,000", "16,400,000", "0.250"] in lines


def test_a_decryption_of_one_limb_at_4096_is_shown(asked: ShownSystem, ringside: CommandLine) -> None:
    rows = ringside("soc", "report", "--n", "4096", "--design", "none", "--json").json["rows"]
    assert [(row["op"], row["limbs"]) for row in rows] == [
        ("encrypt-sk", 3),
        ("encrypt-pk-direct", 3),
        ("decrypt", 1),
        ("decrypt", 3),
    ]


def test_report_beside_what_rise_prints(asked: ShownSystem, ringside: CommandLine) -> None:
    """Caveats stay with the figures; what the paper's text lacks is said, not left out."""
    words = ("soc", "report", "--n", "1024")
    text = re.sub(r"\s+", " ", ringside(*words, "--full").out)
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


def test_the_page_takes_what_was_kept(asked: ShownSystem) -> None:
    alone = asked._replace(design="none")
    with pytest.raises(NotMeasuredError, match="run `ringside soc run rise-1 --op encrypt-sk --n 1024"):
        cycles_of(provider.Recorded(Books.open()), asked)
    store(run(frames=2), made_up("rise-1", 5000))
    store(run(alone), made_up("none", 20_000))
    package = provider.Recorded(Books.open())
    assert [cycles_of(package, one) for one in (asked, alone)] == [5000, 20_000]
    assert cycles_of(package, asked, "stages.core.cycles") == 3700
    with pytest.raises(NotMeasuredError, match="--limbs 3"):
        cycles_of(package, alone._replace(n=4096, limbs=3))


def test_every_stage_has_a_part() -> None:
    stages = {
        "encode", "encrypt", "decrypt", "program", "seed", "message in", "ciphertext in", "registers", "core",
        "interrupt",
    }  # fmt: skip
    stages |= {"wipe", "ciphertext out", "plaintext out", "values out", "decode"}
    assert {name for names in system_report.PARTS.values() for name in names} == stages
    assert sum(map(len, system_report.PARTS.values())) == len(stages)
