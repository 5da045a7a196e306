# SPDX-License-Identifier: Apache-2.0
"""`ringside cache`: what is kept is seen, shrunk by last use, and nothing else is touched."""

import os
import time
from pathlib import Path

import pytest

from asserting import raises
from cli_runner import CommandLine
from ringside.errors import ParameterError
from ringside.sim import cache

DAYS = 24 * 3600


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three models of 1 kB, last used 1, 2 and 3 days ago, a verdict of today, ccache's, and a file of somebody else."""
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path))
    for days in (1, 2, 3):
        keep(tmp_path / "sim" / f"model-{days}" / "model.so", 1000, days + 0.1)
    keep(tmp_path / "proofs" / "one.json", 4, 0)
    keep(tmp_path / "ccache" / "0" / "object", 5000, 9)
    keep(tmp_path / "figures.jsonl", 10, 9)
    return tmp_path


def keep(path: Path, size: int, days: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(size))
    for one in (path, path.parent):
        os.utime(one, (time.time() - days * DAYS,) * 2)


def left(place: Path) -> set[str]:
    return {path.name for path in place.glob("*/*")}


def test_the_least_recently_used_goes_first(place: Path) -> None:
    assert cache.shrink(2100) == 1000
    assert left(place) == {"model-1", "model-2", "one.json", "0"}
    # a hit counts as a use
    cache.used(place / "sim" / "model-2" / "model.so")
    assert cache.shrink(1100) == 1000
    assert left(place) == {"model-2", "one.json", "0"}


def test_what_was_used_today_stays(place: Path) -> None:
    assert cache.shrink(0) == 3000
    assert left(place) == {"one.json", "0"}
    assert cache.shrink(0) == 0


def test_clear_leaves_what_is_not_ours(place: Path) -> None:
    assert cache.clear() == 8004
    assert left(place) == set()
    assert (place / "figures.jsonl").exists()


def test_the_limit_is_kept_once_per_process(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_checked", False)
    monkeypatch.setenv("RINGSIDE_CACHE_LIMIT", "2.1 kB")
    cache.keep_limit()
    assert left(place) == {"model-1", "model-2", "one.json", "0"}
    monkeypatch.setenv("RINGSIDE_CACHE_LIMIT", "0")
    cache.keep_limit()
    assert "model-1" in left(place)


@pytest.mark.parametrize(
    ("text", "size"), [("0", 0), ("500M", 500_000_000), ("2G", 2 * 10**9), ("1.5 GB", 1_500_000_000)]
)
def test_sizes(text: str, size: int) -> None:
    assert cache.parse_size(text) == size


@pytest.mark.parametrize("text", ["", "-1", "2 G B", "lots", "1e3"])
def test_what_is_no_size_is_refused(text: str) -> None:
    raises(ParameterError, "such as 500M or 2G", cache.parse_size, text)


def test_the_command(place: Path, ringside: CommandLine) -> None:
    found = ringside("cache", "--json").json
    assert found["kinds"]["sim"] == {"entries": 3, "bytes": 3000}
    assert (found["bytes"], found["freed_bytes"], found["place"]) == (8004, 0, str(place))
    assert "models and firmware" in ringside("cache", "--limit", "2.1kB").out
    assert "model-3" not in left(place)
    assert "is not a size" in ringside("cache", "--limit", "big").err
    assert left(place) == {"model-1", "model-2", "one.json", "0"}
    assert ringside("cache", "--clear", "--json").json["bytes"] == 0
    assert left(place) == set()


def test_an_empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ringside: CommandLine) -> None:
    monkeypatch.setenv("RINGSIDE_CACHE", str(tmp_path / "nowhere"))
    assert "0 B of" in ringside("cache").out
