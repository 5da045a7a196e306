# SPDX-License-Identifier: Apache-2.0
"""The ledger of our figures: commands, the file, answers that are kept, figures in pages, `ringside figures`."""

import json
import multiprocessing
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from asserting import raiser, raises, some
from cli_runner import CommandLine
from invented import Invented
from ringside.cli import figures as cli_figures
from ringside.cli import recorded
from ringside.cli.recorded import canonical, measured
from ringside.cycles.system import Count, System
from ringside.errors import DeviceError, FileError, InternalError, ParameterError
from ringside.figures import content, ledger, markers, systems, units
from ringside.figures.command import BENCH, RECORDED, asic, cycles, parse, soc_run, synth, value
from ringside.figures.ledger import REFUSED, Books, Ledger, Row, State
from ringside.figures.systems import ShownSystem
from ringside.figures.tables import TABLES, commands
from ringside.sim.verilate import SimulationError, source_tree
from ringside.soc import build

ROOT = Path(__file__).resolve().parents[2]
NTT, AREA, ENERGY = cycles("rise-32", "ntt", 1024), asic("rise-4"), asic("rise-4", energy=True)
LTV = "ringside ltv time --ring 65535 --sbox 3 --key-switching hybrid"
ANSWER: Mapping[str, Any] = {"cycles": 1492, "units": {"COMPUTE": {"busy": 814}}, "ratio": 1.0596}
EXPRESSIONS = (
    *(f"soc {op}" for op in ("encrypt-pk-direct", "encrypt-sk", "encrypt-pk", "decrypt")),
    *("soc-schemes pqc-4", "newhope-gains pqc-4", "asic", "fpga", "fpga-large"),
    *("stream encrypt-pk lee2023", "stream decrypt ringside-stream", "pictures rise-32e"),
)  # tables


def row(command: str = NTT, answer: Mapping[str, Any] = ANSWER, /, **made_from: str) -> Row:
    return Row(command, answer, made_from, "0.9.0", "2026-01-31")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Stands for what answers are made from today; all alike."""
    today = {"rtl": "a", "design": "b"}
    monkeypatch.setattr(content, "of", lambda command: dict(today))
    monkeypatch.setattr(content, "netlist", lambda command: None)
    return today


# ---- commands -------------------------------------------------------------------------------------------------------
def test_every_command_that_is_asked_or_recorded_is_in_its_one_form() -> None:
    """What functions print, what the command line's own parser makes of it, and what the ledger has."""
    asked = cli_figures._report_commands()
    asked += [one for words in EXPRESSIONS for one in commands(markers._table(words))]
    for one in {*asked, *(one.command for one in ledger.shipped())}:
        assert canonical(one) == one
        assert one == BENCH or canonical(f"{one} --json") == one
    assert {parse(one).verb for one in asked} == {*RECORDED, BENCH}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("cycles rise-1", "cycles rise-1 --op ntt --n 4096 --limbs 1 --bits 30"),
        ("cycles rise-1 --bits=36 --n 1024 --frames 1", "cycles rise-1 --op ntt --n 1024 --limbs 1 --bits 36"),
        ("cycles pqc-4 --n 1024 --op ml-kem-768-encaps", "cycles pqc-4 --op ml-kem-768-encaps"),
        ("cycles lee2023 --frames 16 --params lee-13", "cycles lee2023 --op ntt --params lee-13 --frames 16"),
        ("soc run rise-1 --latency 20", "soc run rise-1 --op encrypt-pk --n 1024 --limbs 1 --bits 30"),
        ("soc run none --overlap --n 2048", "soc run none --op encrypt-pk --n 2048 --limbs 1 --bits 30 --overlap"),
        ("soc energy", "soc energy --op encrypt-pk-direct --n 1024 --limbs 1 --bits 30"),
        ("soc area", "soc area --target osu018"),
        ("soc profile bliss-sign --core-divider 1 --on bliss", "soc profile bliss-sign --on bliss"),
        ("synth rise-1", "synth rise-1 --target xc7"),
        ("synth rise-1 --no-energy --target osu018", "synth rise-1 --target osu018 --no-energy"),
        ("ltv time --skip-aes", "ltv time --ring 65535 --sbox 3 --key-switching hybrid --skip-aes"),
        ("ltv cycles doroz2015", "ltv cycles doroz2015 --op product"),
    ],
)
def test_the_form_of_a_command(text: str, form: str) -> None:
    """Sizes always, other options where they are not those of the command line itself."""
    assert canonical(f"ringside {text}") == f"ringside {form}"


REFUSED_WORDS = (
    *("", "make", "ringside", "ringside report", "ringside cycles", "ringside cycles rise-1 rise-2", "ringside cycles 'rise-1"),
    *(f"ringside cycles rise-1 {rest}" for rest in ("--n many", "--n", "--help", "--overlap", "--clock 100", "-o file")),
    *(f"ringside soc run pqc-4 {rest}" for rest in ("--waves run.vcd", "--op ml-kem-768-encaps --core-divider 20")),
    *(f"ringside synth rise-1 --target {rest}" for rest in ("ecp5", "xcup", "xc7 --device xc7vx690t", "xc7 --no-energy")),
    *("ringside synth rise-1 --target osu018 --device xcu250", "ringside soc energy --liberty cells.lib"),
)  # fmt: skip


def test_other_commands_are_refused() -> None:
    for text in REFUSED_WORDS:
        raises(ParameterError, "is not a command whose figures are recorded", canonical, text)


def test_a_command_of_a_package_that_is_not_here_is_taken_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages print figures of the evaluator, which is a package of its own."""
    monkeypatch.setattr("ringside.cli.plugins.entry_points", lambda group: [])
    canonical.cache_clear()
    assert canonical(LTV) == LTV
    canonical.cache_clear()


def test_a_figure_at_a_path() -> None:
    blocks = [{"module": "top", "instances": 1, "total": {"lut": 5}}, {"module": "lane", "instances": 2}]
    assert value({"blocks": blocks}, "blocks.top.total.lut") == 5
    absent = (("blocks.lane.total", "top"), ("blocks.top.total.ff", "lut"), ("blocks.top.total.lut.x", "none"))
    for path, there in absent:
        raises(LookupError, there, value, {"blocks": blocks}, path)


def test_what_a_figure_is() -> None:
    """By the last name of its path; two commands may call two things alike."""
    sliced, system = cycles("bliss", "ntt", log_size=9), soc_run("none", "decrypt", 1024)
    assert [units.unit(one, "transform") for one in (LTV, sliced)] == ["µs", "cycles"]
    assert units.unit(synth("rise-1"), "lut.value") == units.unit(synth("rise-1"), "blocks.rs_lane.total.lut") == "LUT"
    raises(InternalError, "design of", units.unit, NTT, "design")
    assert units.is_modelled(asic("rise-1"), "memory_um2")
    assert not units.is_modelled(asic("rise-1"), "area_um2")
    assert units.caveat(system, "cycles").startswith("Encoding")
    assert units.caveat(system, "stages.core.cycles") == units.caveat(NTT, "cycles") == ""
    assert units.caveat(soc_run("none", "ml-kem-768-encaps"), "cycles").startswith("Rocket")
    assert "rs_pipe in rise-1" in units.source(synth("rise-1", "xcu250"), "blocks.rs_pipe.total.lut")
    assert units.source(BENCH, "lee-12.encode.seal.rate") == "SEAL with HEXL on one core, lee-12"


# ---- the file --------------------------------------------------------------------------------------------------------
@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "figures" / ledger.NAME)


def test_put_find_drop(book: Ledger) -> None:
    assert (list(book), book.find(NTT), book.path.exists()) == ([], None, False)
    other = cycles("rise-32", "ntt", 2048)
    rows = [row(one, {"cycles": number}) for number, one in enumerate((NTT, AREA, ENERGY))]
    for one in reversed(rows):
        book.put(one)
    for known in (book, Ledger(book.path)):
        assert [known.find(one.command) for one in rows] == rows
        assert known.find(other) is None
    newer = row(NTT, {"cycles": 1400})
    book.put(newer, rows[1])
    assert Ledger(book.path).find(NTT) == newer
    book.drop(NTT, other)
    assert [one.command for one in Ledger(book.path)] == [ENERGY, AREA]


def test_lines_are_sorted_whoever_comes_first(book: Ledger) -> None:
    """By command; numbers as numbers. A changed answer is one changed line."""
    sizes = [row(cycles(name, "ntt", n)) for name in ("rise-2", "rise-16") for n in (512, 1024, 16384)]
    wanted = [*sizes, row(soc_run("none", "decrypt", 1024)), row(asic("rise-4"))]
    book.put(*wanted[::-2])
    book.put(*wanted)
    lines = book.path.read_text(encoding="utf-8").splitlines()
    assert lines == [one.line for one in wanted]
    assert list(Ledger(book.path)) == wanted
    assert list(json.loads(lines[0])) == ["command", "answer", "made_from", "version", "date"]
    book.put(row(sizes[2].command, {"cycles": 1}))
    new = book.path.read_text(encoding="utf-8").splitlines()
    assert [index for index, line in enumerate(new) if line != lines[index]] == [2]


GOOD = row().line
DAMAGED = (
    *("", "{", "{}", "[]", "3", "null", "\udcff", GOOD[:-1], GOOD.replace(json.dumps(NTT), "5")),
    *(GOOD.replace('"made_from": {}', '"made_from": "hash"'), GOOD.replace('"date"', '"day"')),
    GOOD.replace('"answer": {', '"answer": [{').replace('}, "made_from', '}], "made_from'),
)


def test_a_damaged_line_is_named(book: Ledger) -> None:
    book.path.parent.mkdir()
    for line in DAMAGED:
        text = f"{row(AREA).line}\n{line}\n{GOOD}\n".encode("utf-8", "surrogateescape")
        book.path.write_bytes(text)
        for change in (lambda: Ledger(book.path), lambda: book.put(row()), lambda: book.drop(NTT)):
            assert "ringside figures refresh" in raises(FileError, rf"{ledger.NAME}, line 2: ", change).hint
        assert book.path.read_bytes() == text


def test_strange_letters_stay_in_a_line(book: Ledger) -> None:
    texts = ["µs", "a\nb", "a\u2028b", "a\x85b", '"']
    book.put(*(row(cycles("rise-1", text, 1024), {REFUSED: text}) for text in texts))
    assert {one.answer[REFUSED] for one in Ledger(book.path)} == set(texts)


def _put_many(path: Path, design: str, count: int) -> None:
    for n in range(count):
        Ledger(path).put(row(cycles(design, "ntt", n + 1)))


def test_two_processes_lose_nothing(book: Ledger) -> None:
    count = 40
    context = multiprocessing.get_context("fork")
    both = [context.Process(target=_put_many, args=(book.path, name, count)) for name in ("rise-1", "rise-2")]
    for one in both:
        one.start()
    while any(one.is_alive() for one in both):  # who reads meanwhile sees whole lines
        assert len(list(Ledger(book.path))) <= 2 * count
        time.sleep(0.005)
    for one in both:
        one.join()
        assert one.exitcode == 0
    assert len(list(Ledger(book.path))) == 2 * count


def test_a_disk_that_is_full_leaves_the_old_file(book: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    book.put(row())
    before = book.path.read_bytes()
    monkeypatch.setattr(ledger, "write_bytes", raiser(FileError("FILE_WRITE", "There is no space left.")))
    raises(FileError, "no space", book.put, row(AREA))
    assert book.path.read_bytes() == before
    monkeypatch.undo()
    # what was not written is not there later either
    book.put(row(ENERGY))
    assert [one.command for one in Ledger(book.path)] == [NTT, ENERGY]


def test_state_of_a_row(told: dict[str, str]) -> None:
    one = row(NTT, rtl="a", design="b")
    assert (one.state(), one.changed()) == (State.fresh, [])
    told["rtl"] = "c"
    assert (one.state(), one.changed()) == (State.old, ["rtl"])
    told.update(rtl="a", cells="new")  # today something more decides
    assert (one.state(), one.changed()) == (State.old, ["cells"])
    del told["cells"], told["design"]
    assert one.changed() == ["design"]
    assert one.recorded == "0.9.0, 2026-01-31"


def test_an_answer_outlives_words_that_make_the_same_netlist_and_program(
    told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """RTL and design by the netlist, the driver by the program; nothing by another one, and nothing else by them."""
    now = {"netlist": "n", "program": "p"}
    monkeypatch.setattr(content, "netlist", lambda command: now["netlist"])
    monkeypatch.setattr(content, "program", lambda command: now["program"])
    told["driver"] = "a"
    today = dict(told)
    bare = row(NTT, **today)
    one = bare.with_results()
    assert one.made_from == today | now
    assert one.with_results() is one
    for parts, by in (({"rtl": "c", "design": "d"}, "netlist"), ({"driver": "c"}, "program")):
        told.update(today | parts)
        assert one.state() is State.old  # until it is looked at
        assert bare.carried_over() is None
        assert bare.with_results() is bare  # an old one does not get today's
        kept = one.carried_over()
        assert kept == row(NTT, **told, **now)
        assert kept.state() is State.fresh
        now[by] = "other"
        assert one.carried_over() is None
        now[by] = one.made_from[by]
    told.update(rtl="c", driver="c")  # both
    assert one.carried_over() is not None
    told["simulator"] = "new"
    assert one.carried_over() is None


def test_an_answer_agrees_with_one_that_says_more() -> None:
    new = row(NTT, {**ANSWER, "seconds": 1, "units": {"COMPUTE": {"busy": 814, "bound": 1}, "LOAD": {"busy": 2}}})
    assert row().agrees(new)
    assert not new.agrees(row())
    for other in ({"cycles": 1493}, {"units": {"COMPUTE": {"busy": 815}}}, {"units": 5}):
        assert not row().agrees(row(NTT, {**ANSWER, **other}))


def test_the_users_fresh_row_comes_first(tmp_path: Path, told: dict[str, str]) -> None:
    books = Books(Ledger(tmp_path / "shipped.jsonl"), Ledger(tmp_path / "own.jsonl"))
    assert books.find(NTT) is None
    theirs, mine = row(NTT, {"cycles": 1}, rtl="a", design="b"), row(NTT, {"cycles": 2}, rtl="a", design="b")
    books.own.put(mine)
    assert books.find(NTT) == mine
    books.shipped.put(theirs)
    assert books.find(NTT) == mine
    told["rtl"] = "c"  # both are old
    assert books.find(NTT) == theirs
    books.shipped.drop(NTT)
    assert books.find(NTT) == mine


def test_where_the_files_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    assert ledger.shipped().path == ROOT / "figures" / "ours.jsonl"
    assert ledger.own().path == tmp_path / "figures" / "answers.jsonl"
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    assert ledger.shipped().path == Path(ledger.__file__).with_name("ours.jsonl")
    assert ledger.SHIPPED.is_file()  # it came with the package


def test_the_ledger_of_the_tree_can_be_read() -> None:
    """Each line is in its place."""
    book = ledger.shipped()
    assert book.path.read_text(encoding="utf-8") == "".join(f"{one.line}\n" for one in book)
    assert all(one.version and one.answer for one in book)


# ---- measuring -------------------------------------------------------------------------------------------------------
def test_an_answer_is_what_the_command_prints(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    """Of a run on the SoC all of it; of a wrong result nothing."""
    calls: list[tuple[Any, dict[str, Any]]] = []
    stages = {"encode": Count(1000, 700), "core": Count(29_000, 140)}
    result = System(
        design="rise-4", op="decrypt", n=1024, limbs=1, moduli=[17], latency=20, frames=2, overlap=False, cycles=30_000,
        instructions=840, stages=stages, setup=Count(5, 4), units={}, program_instructions=0, register_accesses=0,
        simulated=300_000, bit_exact=True,
    )  # fmt: skip

    def run(design: Any, **values: Any) -> System:
        calls.append((design and design.name, {name: values[name] for name in ("op", "n", "latency", "frames")}))
        return result

    monkeypatch.setattr("ringside.cycles.system.measure", run)
    monkeypatch.setattr("ringside.devices.on_chip.build_soc", lambda *_, **__: None)
    monkeypatch.setattr("ringside.cli.hardware.soc.keep", lambda *_, **__: None)
    asked = soc_run("rise-4", "decrypt", 1024, frames=2)
    found = measured(asked)
    assert systems.system(dict(found.answer)) == result
    assert calls == [("rise-4", {"op": "decrypt", "n": 1024, "latency": 20, "frames": 2})]
    today = {"rtl": "a", "design": "b"}
    assert (found.command, found.made_from, found.version) == (asked, today, version("ringside-he"))
    assert len(found.date.split("-")) == 3
    result = System(**{**vars(result), "bit_exact": False})
    raises(DeviceError, "not the library's", measured, asked)


def test_a_failure_is_no_answer(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    error = DeviceError("SIMULATION", "It computes another ntt than the library.")

    def broken(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("ringside.cycles.operation.record", broken)
    raises(DeviceError, "another ntt", measured, NTT)
    # what a design cannot do is one
    error = DeviceError("RS_ERR_DESIGN_DEGREE", "Too large.")
    assert measured(NTT).answer == {REFUSED: "Too large."}


def test_cells_that_do_not_fit_are_counted(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    def printing(**said: Any) -> Callable[..., Any]:
        def run(args: list[str], **_: Any) -> int:
            print(json.dumps({"lut": {"value": 5}, "error": {"message": "No.", **said}}))
            return 3

        return lambda words: run

    monkeypatch.setattr("ringside.cli.plugins.command_of", printing(code="DOES_NOT_FIT"))
    assert measured(synth("rise-1")).answer["lut"]["value"] == 5
    monkeypatch.setattr("ringside.cli.plugins.command_of", printing(code="SYNTHESIS"))
    raises(DeviceError, r"No\.", measured, synth("rise-1"))


def test_the_speed_of_a_processor_is_that_of_the_last_bench(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: dict[str, str]
) -> None:
    monkeypatch.setattr("ringside.sim.verilate.source_tree", lambda: tmp_path)
    raises(DeviceError, "make bench", measured, BENCH)
    (tmp_path / "build").mkdir()
    operations = {"decrypt": {"seal-hexl": {"cpu_ns_median": 250000}, "note": "text"}}
    timed = {"sets": {"lee-12": {"operations": operations}}, "machine": {"processor": "Some CPU"}}
    (tmp_path / "build" / "bench.json").write_text(json.dumps(timed))
    found = measured(BENCH)
    assert found.answer == {"lee-12": {"decrypt": {"seal-hexl": {"rate": 4000}}}, "processor": "Some CPU"}
    assert found.recorded.endswith(", Some CPU")


def test_without_the_source_tree_one_can_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an installed package: its answer is kept, and nobody can say whether it is old. Where there is a tree, it is."""
    monkeypatch.setattr(recorded, "answer", lambda command: {"cycles": 3})
    books = Books(Ledger(tmp_path / "shipped.jsonl"), Ledger(tmp_path / "own.jsonl"))
    with monkeypatch.context() as patch:
        patch.setenv("RINGSIDE_TREE", str(tmp_path))
        books.own.put(measured(NTT))
        found = some(books.find(NTT))
        assert (found.made_from, found.state()) == ({}, State.unknown)
        books.shipped.put(row())
        assert books.find(NTT) == row()
    assert found.state() is State.old


def test_what_a_design_cannot_do_is_an_answer() -> None:
    """It is kept until the design or the hardware changes. Nothing is built for it."""
    small, none = (measured(cycles(*asked)) for asked in (("rise-32", "ntt", 256), ("rise-3", "ntt", 1024)))
    assert "N = 256" in small.answer[REFUSED]
    assert none.answer == {REFUSED: "there is no design rise-3"}
    assert none.made_from["design"] == content.ABSENT
    assert [one.state() for one in (small, none)] == [State.fresh] * 2


def test_a_run_that_a_design_cannot_do_is_not_shown(tmp_path: Path, told: dict[str, str]) -> None:
    books = Books(Ledger(tmp_path / "shipped.jsonl"), Ledger(tmp_path / "own.jsonl"))
    wanted = ShownSystem("rise-1", "decrypt", 1024, 1)
    books.shipped.put(row(systems.best(wanted), {REFUSED: "Too large."}))
    assert systems.find_all([wanted], books) == [(wanted, None)]


# ---- figures in pages --------------------------------------------------------------------------------------------------
RUN, OTHER = soc_run("rise-4", "encrypt-sk", 4096, 3, frames=2), cycles("rise-1", "ntt", 1024)
KNOWN: dict[str, Mapping[str, Any]] = {
    NTT: {"cycles": 1492, "compute": 814.0, "ratio": 1.0596, "what": "text"},
    OTHER: {"cycles": 20_888},
    RUN: {"cycles": 1_234_567, "stages": {"core": {"cycles": 43_210, "instructions": 0}}},
}
ONE, TWO = NTT, "ringside cycles rise-1 --n 1024"


def test_a_speed_names_its_processor() -> None:
    assert markers.figure(f"{LTV} | processor", lambda _: {"load": 1, "processor": "Some CPU"}) == "Some CPU"
    assert "not recorded" in markers.figure(f"{LTV} | processor", lambda _: {"load": 1})


def known(command: str) -> Mapping[str, Any]:
    found = KNOWN.get(canonical(command))
    if found is None:
        raise LookupError(command)
    return found


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (f"{ONE} | cycles", "1,492"),
        (f"{ONE} | ratio", "1"),
        (f"{ONE} | ratio : .2f", "1.06"),
        (f"{TWO} | cycles : k", "21"),
        (f"{TWO} | cycles : .1fk", "20.9"),
        (f"{TWO} | cycles : .3fM", "0.021"),
        (f"{RUN} | cycles : ,.1fk", "1,234.6"),
        (f"{RUN} | stages.core.cycles", "43,210"),
        (f"{TWO} | cycles / {ONE} | cycles : .1f", "14.0"),
        (f"  {TWO}   |   cycles   /   {ONE}   |   compute   :   .2f ", "25.66"),
        (f"{RUN} | cycles / {RUN} | stages.core.cycles : .0f", "29"),
    ],
)
def test_a_figure_has_its_format(expression: str, text: str) -> None:
    assert markers.figure(expression, known) == text
    filled = markers.fill(f"It takes <!-- figure: {expression} -->5<!-- /figure --> cycles.\n", known)
    assert filled == f"It takes <!-- figure: {expression} -->{text}<!-- /figure --> cycles.\n"
    assert markers.fill(filled, known) == filled


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (ONE, "names no figure"),
        (f"{ONE} | cycles | compute", "names no figure"),
        (f"{ONE} | cycles / {ONE} | cycles / {ONE} | cycles", "names no figure"),
        (f"{ONE} | cycle", "no figure 'cycle' here. There are: cycles, compute, ratio, what"),
        (f"{RUN} | stages.core.time", "There are: cycles, instructions"),
        (f"{RUN} | cycles.core", "no figure 'cycles.core'"),
        (f"{RUN} | stages", "it has parts. There are: core"),
        (f"{ONE} | what", "no number"),
        (f"{ONE} | cycles : five", "'five' is no format"),
        ("make | rate", "not a command whose figures are recorded"),
    ],
)
def test_a_comment_that_names_nothing_is_refused(expression: str, message: str) -> None:
    raises(ParameterError, message, markers.fill, f"<!-- figure: {expression} -->5<!-- /figure -->", known)


def test_a_figure_without_an_answer() -> None:
    raises(LookupError, "rise-2", markers.figure, "ringside cycles rise-2 | cycles", known)


@pytest.mark.parametrize(
    "text",
    [
        f"<!-- figure: {ONE} | cycles -->5, text, <!-- figure: {TWO} | cycles -->6<!-- /figure -->",
        f"<!-- figure: {ONE} | cycles -->5",
        "5<!-- /figure -->",
        f"<!-- table: fpga -->\n<!-- figure: {ONE} | cycles -->5<!-- /figure -->\n<!-- /table -->",
        f"<!-- figure: {ONE} | cycles -->5<!-- /table -->",
        "<!-- table: fpga -->\n| |\n<!-- table: asic -->\n<!-- /table -->",
    ],
)
def test_text_between_two_comments_is_not_lost(text: str) -> None:
    for use in (lambda: markers.fill(text, known), lambda: markers.printed(text)):
        raises(ParameterError, r"<!-- /?(figure|table)", use)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("cells", f"no table 'cells'. Tables: {', '.join(TABLES)}"),
        ("soc", "Behind soc stands: op"),
        ("soc ntt", "Behind soc stands: op"),
        ("soc encrypt-sk decrypt", "Behind soc stands: op"),
        ("fpga xc7", "Behind fpga stands: nothing"),
        ("stream encrypt-sk", "Behind stream stands: op, design"),
    ],
)
def test_a_table_that_is_none_is_refused(expression: str, message: str) -> None:
    for use in (lambda text: markers.fill(text, known), markers.printed):
        raises(ParameterError, message, use, f"<!-- table: {expression} -->\n<!-- /table -->\n")


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_table_asks_what_it_says(expression: str) -> None:
    """A page that prints it prints the answers that it needs."""
    text = f"Text.\n\n<!-- table: {expression} -->\nold\n<!-- /table -->\n\nMore.\n"
    asked: set[str] = set()

    def answer(command: str) -> Mapping[str, Any]:
        asked.add(command)
        return Invented(lambda path: 2.0, without=REFUSED)

    filled = markers.fill(text, answer)
    assert asked == set(markers.printed(text)) != set()
    assert markers.fill(filled, answer) == filled
    head, _, rest = filled.partition(" -->\n")
    table, _, end = rest.partition("\n<!-- /table -->")
    assert (head, end) == (f"Text.\n\n<!-- table: {expression}", "\n\nMore.\n")
    assert len({line.count("|") for line in table.splitlines()}) == 1
    assert len(table.splitlines()) >= 3
    raises(ParameterError, "Too large", markers.fill, text, lambda command: {REFUSED: "Too large"})
    raises(ParameterError, "has no", markers.fill, text, lambda command: {})


def test_commands_of_a_page() -> None:
    text = (
        f"<!-- figure: {TWO} | cycles / {ONE} | cycles -->5<!-- /figure --> and "
        f"<!-- figure: {ONE} | ratio : .2f -->5<!-- /figure -->; <!-- a comment -->\n"
    )
    assert markers.printed(text) == [TWO, NTT]
    assert markers.printed("Text.") == []


# ---- the command --------------------------------------------------------------------------------------------------------
@pytest.fixture
def small_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> Path:
    """A source tree with a README and an empty ledger."""
    place = tmp_path / "tree"
    (place / "soc" / "firmware").mkdir(parents=True)
    (place / "soc" / "firmware" / "firmware.c").touch()
    (place / "docs").mkdir()
    (place / "README.md").write_text(f"It takes <!-- figure: {ONE} | cycles -->5<!-- /figure --> cycles.\n")
    monkeypatch.setenv("RINGSIDE_TREE", str(place))
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cli_figures, "_compile_firmware", lambda: None)
    monkeypatch.setattr(cli_figures, "_report_commands", lambda: [AREA])
    monkeypatch.setattr("ringside.explore.model.calibrate.is_old", lambda models: False)
    return place


def test_fill_and_check(small_tree: Path, ringside: CommandLine, told: dict[str, str]) -> None:
    readme = small_tree / "README.md"
    text = readme.read_text()
    for words in (("fill",), ("fill", "--check")):
        ringside("figures", *words).ends(4, f"README.md: nothing is recorded of `{ONE}`")
        assert readme.read_text() == text
    ledger.shipped().put(row(NTT, rtl="a", design="b"))
    ringside("figures", "fill", "--check").ends(4, "README.md prints other figures than the ledger")
    assert readme.read_text() == text
    assert ringside("figures", "fill").code == 0
    assert readme.read_text() == text.replace("5", "1,492")
    assert ringside("figures", "fill", "--check").code == 0
    assert ringside("figures", "fill").code == 0
    # a figure that somebody has written by hand
    (small_tree / "docs" / "page.md").write_text(text.replace("5", "1,491"))
    done = ringside("figures", "fill", "--check").ends(4, "docs/page.md prints other figures")
    assert "README.md" not in done.err
    (small_tree / "docs" / "page.md").unlink()
    # an old row: it is said, whether pages are written or not
    told["rtl"] = "c"
    for words in (("fill",), ("fill", "--check")):
        ringside("figures", *words).ends(4, f"README.md: `{ONE}` is old: changed rtl", "refresh")
    # a row that another hash stands in
    told["rtl"] = "a"
    book = ledger.shipped().path
    book.write_text(book.read_text().replace('"design": "b"', '"design": "d"'))
    assert "is old: changed design" in ringside("figures", "fill", "--check").err


def test_a_calibration_of_other_rtl_is_said(
    small_tree: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.shipped().put(row(NTT, rtl="a", design="b"))
    assert "calibrate" not in ringside("figures", "fill").err
    monkeypatch.setattr("ringside.explore.model.calibrate.is_old", lambda models: True)
    ringside("figures", "fill", "--check").ends(0, "ringside explore calibrate --carry")


def test_old_answers_of_the_report_are_named_while_they_are_few(small_tree: Path, ringside: CommandLine) -> None:
    ledger.shipped().put(row(NTT, rtl="a", design="b"))
    assert ringside("figures", "fill").code == 0
    for count in (cli_figures.FEW, cli_figures.FEW + 1):
        ledger.shipped().put(*(row(cycles("rise-1", "ntt", 2048 << i), rtl="z", design="b") for i in range(count)))
        told = ringside("figures", "fill", "--check").ends(0)
        assert told.err.count("is old: changed rtl") == (count if count == cli_figures.FEW else 0)
    assert f"{count} answers that the report alone shows are old" in told.err
    assert "figures list --full" in told.err
    assert f"stale answers: {count}" in told.out


def test_list(small_tree: Path, ringside: CommandLine) -> None:
    ledger.shipped().put(row(NTT, rtl="a", design="b"), row(AREA, {"kge": 5.0}, rtl="z", design="b"))
    found = ringside("figures", "list", "--json").json
    assert found == [
        {"command": NTT, "answer": dict(ANSWER), "state": "fresh", "recorded": "0.9.0, 2026-01-31"},
        {"command": AREA, "answer": {"kge": 5.0}, "state": "old: rtl", "recorded": "0.9.0, 2026-01-31"},
    ]
    text = ringside("figures", "list", "--only", "cycles", "--only", "nothing").out
    assert "rise-32" in text
    assert "fresh" in text
    assert "rise-4" not in text


class Measuring:
    """Stands for the processes that measure."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.errors: dict[str, Exception] = {}
        self.more: dict[str, str] = {}

    def __call__(self, commands: list[str], book: Ledger, jobs: int) -> dict[str, str]:
        self.asked += commands
        for command in commands:
            if command not in self.errors:
                book.put(row(command, {"cycles": 7}, **{"rtl": "a", "design": "b"} | self.more))
        return {command: str(error) for command, error in self.errors.items()}


@pytest.fixture
def measuring(monkeypatch: pytest.MonkeyPatch) -> Measuring:
    found = Measuring()
    monkeypatch.setattr(cli_figures, "_measure_all", found)
    return found


def test_a_dry_run_says_what_is_missing(small_tree: Path, ringside: CommandLine, measuring: Measuring) -> None:
    """And writes nothing, though the user has measured some of it."""
    dry = ("figures", "refresh", "--dry-run")
    assert set(ringside(*dry).out.splitlines()) == {ONE, AREA}
    assert ringside(*dry, "--printed", "--json").json == [ONE]
    assert ringside(*dry, "--only", "synth").out == f"{AREA}\n"
    assert ringside(*dry, "--only", "nothing").out == ""
    ledger.own().put(row(NTT, rtl="a", design="b"))
    ledger.shipped().put(row(AREA, {"kge": 5.0}, rtl="a", design="b"), row(ENERGY, {"energy_uj": 1}, rtl="z"))
    before = ledger.shipped().path.read_bytes()
    assert ringside(*dry, "--json").json == [ENERGY]
    assert set(ringside(*dry, "--again", "--json").json) == {ONE, AREA, ENERGY}
    assert ledger.shipped().path.read_bytes() == before
    assert measuring.asked == []


def test_refresh(small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]) -> None:
    """What is fresh or unknown is kept, what the user has measured is taken, the rest is measured; what fails is said."""
    ledger.own().put(row(AREA, {"kge": 6.0}, rtl="a", design="b"))
    ledger.shipped().put(row(ENERGY, {"energy_uj": 1}, rtl="z", design="b"))
    measuring.errors[ENERGY] = DeviceError("SYNTHESIS", "Yosys is missing")
    done = ringside("figures", "refresh", "--json").ends(1)
    assert done.json == {"made": 1, "failed": {ENERGY: "Yosys is missing"}}
    assert f"{ENERGY}: Yosys is missing" in done.err
    assert set(measuring.asked) == {NTT, ENERGY}
    book = ledger.shipped()
    found = [book.find(command) for command in (AREA, NTT, ENERGY)]
    assert [one and one.answer for one in found] == [{"kge": 6.0}, {"cycles": 7}, {"energy_uj": 1}]
    measuring.asked.clear()
    measuring.errors.clear()
    assert "1 answers made, 2 kept" in ringside("figures", "refresh").out
    assert measuring.asked == [ENERGY]
    measuring.asked.clear()
    assert "0 answers made, 3 kept" in ringside("figures", "refresh").out
    told["rtl"] = "c"
    assert ringside("figures", "refresh", "--printed").code == 0
    assert measuring.asked == [NTT]


def test_refresh_keeps_answers_of_netlists_that_are_the_same(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    netlists = {"now": "n"}
    monkeypatch.setattr(content, "netlist", lambda command: netlists["now"])
    monkeypatch.setattr(content, "program", lambda command: "p")
    book = ledger.shipped()
    book.put(row(NTT, rtl="a", design="b"))
    assert ringside("figures", "refresh", "--printed").code == 0
    told["rtl"] = "c"
    assert "0 answers made, 1 kept" in ringside("figures", "refresh", "--printed").out
    assert list(Ledger(book.path)) == [row(NTT, rtl="c", design="b", netlist="n", program="p")]
    assert measuring.asked == []
    told["rtl"], netlists["now"] = "d", "m"
    assert ringside("figures", "refresh", "--printed").code == 0
    assert measuring.asked == [NTT]
    assert [one.answer for one in Ledger(book.path)] == [{"cycles": 7}]


RUNS = [cycles(design, "encrypt-sk", n) for n in (1024, 4096) for design in ("race", "rise-1", "rise-2", "rise-4")]


@pytest.fixture
def others(small_tree: Path, told: dict[str, str], measuring: Measuring) -> Ledger:
    """Runs that were 7 cycles on another simulator."""
    book = ledger.shipped()
    book.put(*(row(run, {"cycles": 7}, rtl="a", design="b", simulator="s") for run in RUNS))
    told["simulator"] = measuring.more["simulator"] = "t"
    return book


@pytest.mark.parametrize("found", [7, 8])
def test_witnesses_vouch_for_others(others: Ledger, ringside: CommandLine, measuring: Measuring, found: int) -> None:
    """The smallest answer of each design is made again, as 7 cycles; if one was another, the others are made, too."""
    others.put(row(RUNS[2], {"cycles": found}, rtl="a", design="b", simulator="s"))
    done = ringside("figures", "refresh", "--only", "encrypt-sk").ends(0)
    assert set(measuring.asked[:4]) == set(RUNS[:4])
    assert len(measuring.asked) == (4 if found == 7 else 8)
    assert ("says something else than before" in done.err) == (found != 7)
    rows = Ledger(others.path)
    assert all(one.state() is State.fresh for one in rows)
    marked = [run for run in RUNS if ledger.WITNESSED in rows.rows[ledger.key(run)].made_from]
    assert marked == (RUNS[4:] if found == 7 else [])


@pytest.mark.parametrize("part", ["firmware", "system", "measuring", "rtl"])
def test_nobody_vouches_for_what_has_changed_otherwise(
    others: Ledger, ringside: CommandLine, measuring: Measuring, told: dict[str, str], part: str
) -> None:
    others.put(*(row(run, {"cycles": 7}, **{"rtl": "a", "design": "b", "simulator": "t", part: "old"}) for run in RUNS))
    told[part] = measuring.more[part] = "new"
    assert ringside("figures", "refresh", "--only", "encrypt-sk").code == 0
    assert set(measuring.asked) == set(RUNS)


def test_a_witness_that_fails_does_not_vouch(others: Ledger, ringside: CommandLine, measuring: Measuring) -> None:
    measuring.errors[RUNS[1]] = DeviceError("SIMULATION", "no compiler")
    assert ringside("figures", "refresh", "--only", "encrypt-sk").code == 1
    assert not any(ledger.WITNESSED in found.made_from for found in Ledger(others.path))
    assert set(RUNS[4:]) <= set(measuring.asked)


def test_witnesses_that_have_spoken_are_not_asked_again(
    others: Ledger, ringside: CommandLine, measuring: Measuring
) -> None:
    """A run that was broken off between two of them goes on there."""
    ledger.own().put(*(row(run, {"cycles": 7}, rtl="a", design="b", simulator="t") for run in RUNS[:2]))
    assert ringside("figures", "refresh", "--only", "encrypt-sk").code == 0
    assert set(measuring.asked) == set(RUNS[2:4])
    assert all(found.state() is State.fresh for found in Ledger(others.path))


def test_nobody_vouches_where_nothing_can_be_a_witness(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]
) -> None:
    schemes = [cycles("pqc-4", f"ml-kem-{bits}-encaps") for bits in (512, 768, 1024)]
    ledger.shipped().put(*(row(one, {"cycles": 7}, rtl="a", design="b", simulator="s") for one in schemes))
    told["simulator"] = measuring.more["simulator"] = "t"
    assert ringside("figures", "refresh", "--only", "ml-kem").code == 0
    assert set(measuring.asked) >= set(schemes)


def test_a_stream_vouches_for_itself_alone(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str]
) -> None:
    """The shortest run of each design and operation is made again, whatever has changed."""
    streams = [
        cycles(design, op, params=params, frames=16)
        for op in ("encrypt-pk", "decrypt")
        for design in ("lee2023", "ringside-stream")
        for params in ("lee-12", "lee-14")
    ]
    book = ledger.shipped()
    book.put(*(row(one, {"cycles": 7}, rtl="z", design="b", driver="d") for one in streams))
    told["driver"] = measuring.more["driver"] = "e"
    assert ringside("figures", "refresh", "--only", "lee-").code == 0
    asked = [one for one in measuring.asked if one in streams]
    assert set(asked) == {one for one in streams if "lee-12" in one}
    assert all(one.state() is State.fresh for one in Ledger(book.path) if one.command in streams)


def test_nobody_vouches_for_another_program(told: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    told["driver"] = "e"
    monkeypatch.setattr(content, "program", lambda command: "q")
    parts = [("driver", "d")]
    assert row(NTT, rtl="a", design="b", driver="d", program="q").carried_over(parts) is not None
    assert row(NTT, rtl="a", design="b", driver="d", program="p").carried_over(parts) is None


def test_carrying_makes_nothing(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "netlist", lambda command: "n")
    monkeypatch.setattr(content, "program", lambda command: "p")
    book = ledger.shipped()
    book.put(row(NTT, rtl="z", design="b", netlist="n"), row(AREA, rtl="z", design="b"))
    assert "1 answers kept, 1 are old or missing" in ringside("figures", "refresh", "--carry").out
    assert [one.state() for one in Ledger(book.path)] == [State.fresh, State.old]
    assert measuring.asked == []


def test_what_is_measured_keeps_its_netlist(monkeypatch: pytest.MonkeyPatch, told: dict[str, str]) -> None:
    monkeypatch.setattr(recorded, "answer", lambda command: {"cycles": 3})
    monkeypatch.setattr(content, "netlist", lambda command: "n")
    monkeypatch.setattr(content, "program", lambda command: None)
    assert cli_figures._measured(NTT).made_from == {"rtl": "a", "design": "b", ledger.NETLIST: "n"}
    monkeypatch.setattr(content, "netlist", raiser(SimulationError("Yosys is missing")))
    assert cli_figures._measured(NTT).made_from == {"rtl": "a", "design": "b"}


def test_each_answer_is_written_once_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, str]
) -> None:
    """Whatever happens to one, the others are measured and kept."""
    fork = multiprocessing.get_context("fork")
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: fork)
    error = DeviceError("SIMULATION", "It computes another ntt.", "Ask.")
    errors = {"rise-2": error, "rise-8": ZeroDivisionError("oops")}

    def answer(command: str) -> Mapping[str, Any]:
        if parse(command).design in errors:
            raise errors[parse(command).design]
        return {"cycles": 7}

    monkeypatch.setattr(recorded, "answer", answer)
    book = Ledger(tmp_path / ledger.NAME)
    asked = [cycles(f"rise-{lanes}", "ntt", 1024) for lanes in (1, 2, 8, 16)]
    failures = cli_figures._measure_all(asked, book, 2)
    assert failures == {asked[1]: "It computes another ntt. Ask.", asked[2]: "ZeroDivisionError: oops"}
    assert [one.command for one in Ledger(book.path)] == [asked[0], asked[3]]


def test_an_answer_of_a_process_of_its_own(tmp_path: Path) -> None:
    """Measured as `refresh` does it: started anew, and its command, answer and refusal go through a pipe."""
    book = Ledger(tmp_path / ledger.NAME)
    small = cycles("rise-32", "ntt", 256)
    assert cli_figures._measure_all([small], book, 1) == {}
    assert "N = 256" in some(book.find(small)).answer[REFUSED]


def test_what_is_simulated_is_what_is_hashed(monkeypatch: pytest.MonkeyPatch, ringside: CommandLine) -> None:
    """An installed package has the RTL of when it was installed, and answers stand in the books of the source tree."""
    monkeypatch.setenv("RINGSIDE_TREE", "")
    monkeypatch.delenv("RINGSIDE_TREE")  # as it was comes back at the end
    monkeypatch.setattr(cli_figures, "_compile_firmware", lambda: None)
    assert ringside("figures", "refresh", "--dry-run", "--printed", "--only", "nothing").code == 0
    assert source_tree() == build.source_tree() == ROOT


def test_refresh_needs_the_source_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ringside: CommandLine) -> None:
    monkeypatch.setenv("RINGSIDE_TREE", str(tmp_path))
    monkeypatch.setattr(cli_figures, "_compile_firmware", lambda: None)
    for words in (("refresh", "--dry-run"), ("fill",)):
        ringside("figures", *words).ends(4, "RINGSIDE_TREE")
    assert ringside("figures", "list").code == 0


def test_the_report_asks_what_is_refreshed() -> None:
    """All that it can show, of whole systems the run that stands for them."""
    asked = cli_figures._report_commands()
    runs = [one for one in map(parse, asked) if one.verb == "soc run" and not one.is_scheme]
    assert soc_run("rise-4", "encrypt-pk-direct", 4096, 3, frames=2) in asked
    for run in runs:
        wanted = ShownSystem(run.design, systems.plain(run.op), run.number("n"), run.number("limbs"))
        assert run.command == systems.best(wanted)


def test_what_takes_hours_is_refreshed_by_name_alone(
    small_tree: Path, ringside: CommandLine, measuring: Measuring, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it is recorded, it is made again like all others."""
    large = asic("rise-32")
    monkeypatch.setattr(cli_figures, "_report_commands", lambda: [large])
    dry = ("figures", "refresh", "--dry-run", "--json")
    assert large not in ringside(*dry).json
    assert ringside(*dry, "--only", "synth rise-32").json == [large]
    ledger.shipped().put(row(large, {"kge": 5.0}, rtl="z"))
    assert large in ringside(*dry).json


def test_pages_of_the_tree_name_what_can_be_recorded() -> None:
    """Every comment can be read."""
    assert len(cli_figures._printed_commands()) > 75
