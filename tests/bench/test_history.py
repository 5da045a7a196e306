# SPDX-License-Identifier: Apache-2.0
"""The history of ratios: lines are added, the page shows them, and the repository's page is that of its file."""

import json
from pathlib import Path
from typing import Any

import pytest

from asserting import raises, written
from bench import history
from bench.plan import OURS, SEAL

ROOT = Path(__file__).resolve().parents[2]


def result(ours: float, theirs: float, name: str = "lee-12") -> dict[str, Any]:
    def time(median: float, spread: float) -> dict[str, float]:
        return {"cpu_ns_median": median, "cpu_spread": spread}

    operations = {
        "encode_encrypt_pk": {OURS: time(ours, 0.02), SEAL: time(theirs, 0.05)},
        "decrypt_decode_full": {OURS: time(ours, 0.02), SEAL: {"absent": "not there"}},
    }
    peers = {OURS: {"version": "R", "backend": "avx2"}, SEAL: {"version": "SEAL 9"}}
    return {"machine": {"processor": "P"}, "peers": peers, "sets": {name: {"operations": operations}}}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "figures").mkdir()
    written(tmp_path / history.PAGE, f"before\n{history.BEGIN}old\n{history.END}\nafter\n")
    return tmp_path


def test_each_bench_adds_its_ratios(tree: Path) -> None:
    (line,) = history.record(tree, result(100, 450), "c0ffee00", "2026-01-02")
    assert (line["set"], line["peer"], line["commit"], line["back_end"]) == ("lee-12", SEAL, "c0ffee00", "avx2")
    # the ratio of the medians, the larger spread; what one side lacks has none
    assert line["ratios"] == {"encode_encrypt_pk": (4.5, 0.05)}
    history.record(tree, result(100, 500), "c0ffee01", "2026-01-03")
    kept = [json.loads(text) for text in (tree / history.PLACE).read_text(encoding="utf-8").splitlines()]
    assert [line["commit"] for line in kept] == ["c0ffee00", "c0ffee01"]
    page = (tree / history.PAGE).read_text(encoding="utf-8")
    assert page.startswith(f"before\n{history.BEGIN}")
    assert page.endswith(f"{history.END}\nafter\n")
    (newest,) = [row for row in page.splitlines() if "c0ffee0" in row]
    assert "| 2026-01-03 | c0ffee01 | avx2 | seal-hexl: SEAL 9 | 5.0 ±5 % | – |" in newest
    drawn = (tree / history.PICTURE).read_text(encoding="utf-8")
    assert [text in drawn for text in ("2026-01-02 c0ffee00: 4.5", "2026-01-03 c0ffee01: 5.0")] == [True, True]


def test_what_no_table_shows_is_no_line(tree: Path) -> None:
    assert history.record(tree, result(100, 450, "ntt-12"), "c0ffee00", "2026-01-02") == []


def test_a_damaged_file_stays(tree: Path) -> None:
    (tree / history.PLACE).write_text('{"ratios": 3}\n', encoding="utf-8")
    raises(history.HistoryError, r"line 1 .* from Git", history.record, tree, result(1, 2))
    assert (tree / history.PLACE).read_text(encoding="utf-8") == '{"ratios": 3}\n'


def test_a_page_without_marks_is_told(tree: Path) -> None:
    (tree / history.PAGE).write_text("no marks\n", encoding="utf-8")
    raises(history.HistoryError, "put them back", history.record, tree, result(1, 2))


def test_the_commit_says_that_the_library_was_changed(tree: Path) -> None:
    assert history.commit(tree) == ""


def test_the_page_shows_the_recorded_ratios() -> None:
    lines = history.read(ROOT / history.PLACE)
    assert lines
    page = (ROOT / history.PAGE).read_text(encoding="utf-8")
    assert history.BEGIN + history.table(lines) + history.END in page
    assert (ROOT / history.PICTURE).read_text(encoding="utf-8") == history.picture(lines).file()
