# SPDX-License-Identifier: Apache-2.0
"""What docs/benchmarks.md may say of a benchmark: steady figures only, with instruction set and peer named exactly."""

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from asserting import raises, written
from bench.peers import PEERS
from bench.plan import OURS, OURS_AVX2, ROUNDS_MIN, SEAL, SEAL_AVX2, SPREAD_MAX

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import readme
from common import StopError


def entry(milliseconds: float, **changed: Any) -> dict[str, Any]:
    nanoseconds = milliseconds * 1e6
    steady = {"rounds": 7, "cpu_ns_median": nanoseconds, "cpu_ns_min": nanoseconds / 1.03, "cpu_spread": 0.01}
    return steady | changed


@pytest.fixture
def bench() -> dict[str, Any]:
    """Ours takes 1 ms and SEAL 5 ms, with AVX2 2 ms and 6 ms."""
    operations = {op for row in readme.ROWS for op in row[:2]}
    rows = {op: {OURS: entry(1), SEAL: entry(5), OURS_AVX2: entry(2), SEAL_AVX2: entry(6)} for op in operations}
    one = {"n": 4096, "modulus_bits": [30, 20, 20, 30], "operations": rows, "memory_bytes": {OURS: 2**20, SEAL: 2**23}}
    ours, seal = {"version": "Ringside 0.1.0"}, {"version": "SEAL 4.0.0, Intel HEXL 1.2.3"}
    peers = {
        OURS: ours | {"backend": "avx512ifma"},
        SEAL: seal | {"hexl": "compiled in, AVX512-DQ", "origin": PEERS[SEAL].origin},
        OURS_AVX2: ours | {"backend": "avx2"},
        SEAL_AVX2: seal | {"origin": PEERS[SEAL_AVX2].origin},
    }
    ntt = {"n": 4096, "modulus_bits": [30], "operations": {}, "memory_bytes": {}}
    return {"machine": {"processor": "A processor"}, "peers": peers, "sets": {"lee-12": one, "ntt-12": ntt}}


def pair(bench: dict[str, Any], op: str) -> dict[str, Any]:
    bench["sets"]["lee-12"]["operations"][op] = copy.deepcopy(bench["sets"]["lee-12"]["operations"][op])
    found: dict[str, Any] = bench["sets"]["lee-12"]["operations"][op]
    return found


def test_a_steady_table(bench: dict[str, Any]) -> None:
    text = readme.table(bench)
    assert "| encode + encrypt, public key | 1.00 / 5.00 = **5.0×** |" in text
    assert "| peak memory, MiB | 1.0 / 8.0 |" in text
    assert "ntt-12" not in text


def test_tables_show_what_the_report_shows(bench: dict[str, Any]) -> None:
    """One statistic for one quantity: the table once had minima where `ringside report` and docs/benchmarks.md have medians."""
    ours = entry(1, cpu_ns_median=1.1e6, cpu_spread=0.042)
    pair(bench, "keygen").update({OURS: ours, SEAL: entry(5, cpu_ns_median=5.5e6)})
    text = readme.table(bench)
    assert "| secret and public key | 1.10 / 5.50 = **5.0×** |" in text
    assert "medians, spread at most ±4.2 %" in text
    assert "minim" not in text


def test_instruction_set_and_peer_are_named(bench: dict[str, Any]) -> None:
    """The table once said "SEAL 4.0.0" of a changed tree, and nothing of AVX-512."""
    text = readme.table(bench)
    assert "back end avx512ifma (AVX-512 with IFMA)" in text
    assert "seal_fhe 0.8.1" in text
    assert "not Microsoft's" in text


def test_rows_of_avx2(bench: dict[str, Any]) -> None:
    text = readme.table(bench)
    assert "| encode + encrypt, public key | 2.00 / 6.00 = **3.0×** |" in text[text.index("AVX2 only") :]
    del bench["peers"][SEAL_AVX2]["version"]
    assert "AVX2 only" not in readme.table(bench)


@pytest.mark.parametrize("peer", [OURS, SEAL, OURS_AVX2])
@pytest.mark.parametrize(
    ("changed", "words"),
    [({"cpu_spread": SPREAD_MAX + 0.01}, "spread 11 %"), ({"rounds": ROUNDS_MIN - 1}, "2 rounds only")],
)
def test_unsteady_figures_are_refused(bench: dict[str, Any], peer: str, changed: dict[str, Any], words: str) -> None:
    pair(bench, "encode_encrypt_pk")[peer] |= changed
    caught = raises(StopError, None, readme.table, bench)
    assert f"lee-12, encode_encrypt_pk, {peer}: {words}" in str(caught)
    assert "make bench" in str(caught)


def test_bounds_are_inclusive(bench: dict[str, Any]) -> None:
    pair(bench, "context")[SEAL] |= {"cpu_spread": SPREAD_MAX, "rounds": ROUNDS_MIN}
    assert readme.table(bench)


def test_a_median_that_its_minimum_belies_is_refused(bench: dict[str, Any]) -> None:
    """The context row once said 156 times: SEAL's median was 35.9 ms, and 4.8 ms in a quiet run."""
    pair(bench, "context").update({OURS: entry(0.23), SEAL: entry(4.8, cpu_ns_median=35.9e6)})
    raises(StopError, r"lee-12, context: 156\.1 times by medians, 20\.9 times by minima", readme.table, bench)


def test_figures_that_are_not_shown_may_be_unsteady(bench: dict[str, Any]) -> None:
    bench["sets"]["lee-12"]["operations"]["encode"] = {OURS: entry(1, cpu_spread=0.5)}
    other = copy.deepcopy(bench["sets"]["lee-12"])  # no column of the table
    other["operations"]["keygen"][OURS] = entry(1, cpu_spread=0.5)
    bench["sets"]["seal-embedded-4096"] = other
    assert "seal-embedded" not in readme.table(bench)


def test_a_refused_table_leaves_everything_as_it_was(
    bench: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair(bench, "keygen")[SEAL] |= {"cpu_spread": 0.4}
    source, page = tmp_path / "bench.json", tmp_path / "docs" / "benchmarks.md"
    written(source, json.dumps(bench))
    written(page, readme.BEGIN + "old\n" + readme.END)
    monkeypatch.setattr(readme, "SOURCE", source)
    monkeypatch.setattr(readme, "ROOT", tmp_path)
    monkeypatch.setattr(readme, "setup", lambda group: pytest.fail("nothing is set up for a table that is refused"))
    raises(StopError, None, readme.main, [])
    assert "old" in page.read_text(encoding="utf-8")


def test_the_page_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Staged and renamed: where writing fails, the old page is still there, and nothing else."""
    page = written(tmp_path / "README.md", f"head\n{readme.BEGIN}old\n{readme.END}\ntail\n")
    page.chmod(0o640)
    readme.replace_table(page, "new\n")
    assert page.read_text(encoding="utf-8") == f"head\n{readme.BEGIN}new\n{readme.END}\ntail\n"
    assert page.stat().st_mode & 0o777 == 0o640

    def half(path: Path, content: bytes) -> None:
        path.write_text(content[:9].decode())
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_bytes", half)
    raises(OSError, "no space", readme.replace_table, page, "newer\n")
    assert "new\n" in page.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


@pytest.mark.parametrize("mark", [readme.BEGIN, readme.END])
def test_a_page_without_the_marks_is_left_alone(tmp_path: Path, mark: str) -> None:
    page = tmp_path / "README.md"
    text = f"head\n{readme.BEGIN}old\n{readme.END}\ntail\n".replace(mark, "")
    page.write_text(text, encoding="utf-8")
    raises(StopError, "marks of its table", readme.replace_table, page, "new\n")
    assert page.read_text(encoding="utf-8") == text


def test_a_column_is_the_first_steady_one(bench: dict[str, Any]) -> None:
    unsteady, steady = copy.deepcopy(bench), copy.deepcopy(bench)
    pair(unsteady, "keygen")[SEAL] |= {"cpu_spread": 0.4}
    pair(steady, "keygen")[SEAL] = entry(7)
    assert "| secret and public key | 1.00 / 7.00 = **7.0×** |" in readme.table(readme.combined([unsteady, steady]))
    assert readme.combined([bench, steady])["sets"] == bench["sets"]
    raises(StopError, "keygen", readme.table, readme.combined([unsteady, unsteady]))


def test_results_of_different_machines_are_not_mixed(bench: dict[str, Any]) -> None:
    raises(StopError, "different machines", readme.combined, [bench, bench | {"machine": {"processor": "Another"}}])


def test_no_sets_or_no_peer(bench: dict[str, Any]) -> None:
    raises(StopError, "make bench", readme.table, bench | {"sets": {}})
    raises(StopError, "make bench", readme.table, bench | {"peers": {OURS: bench["peers"][OURS]}})
