# SPDX-License-Identifier: Apache-2.0
"""A researcher with a paper and a design space of their own: both beside ours, twice in a row, and two spaces that must not meet in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from journeys.client import Client
from recipes import fenced

ROOT = Path(__file__).resolve().parents[2]


def test_a_paper_of_ones_own(client: Callable[[str], Client], monkeypatch: pytest.MonkeyPatch) -> None:
    person = client("researcher")
    monkeypatch.chdir(person.folder)
    tutorial = (ROOT / "docs/tutorials/own-paper.md").read_text("utf-8")
    (page,) = fenced(tutorial, "toml")
    for latency in (3072, 1536):  # a correction in the paper is a correction in the page
        Path("mine.toml").write_text(page.replace("cycles = 3072", f"cycles = {latency}"), encoding="utf-8")
        person.run("report", "--paper", "mine.toml", "--output", "report")
        found = json.dumps(json.loads(Path("report/report.json").read_text("utf-8")))
        assert "A Small NTT Core" in found
        assert f"{latency}" in found
    Path("mine.toml").write_text(page.replace('fact = "lut"', 'fact = "luts"'), encoding="utf-8")
    assert "luts" in person.refused("report", "--paper", "mine.toml", "--output", "report")


def test_a_space_of_ones_own(client: Callable[[str], Client], monkeypatch: pytest.MonkeyPatch) -> None:
    person = client("researcher")
    monkeypatch.chdir(person.folder)
    tiny = (ROOT / "designs/spaces/tiny.toml").read_text("utf-8")
    Path("mine.toml").write_text(tiny.replace('name = "tiny"', 'name = "mine"'), encoding="utf-8")
    fronts = []
    for space in ("tiny", "mine.toml", "mine.toml"):
        told = json.loads(person.run("explore", space, "--verify", "none", "--output", Path(space).stem, "--json"))
        fronts.append(told["front"])
    assert fronts[0] == fronts[1] == fronts[2]
    assert fronts[0]
    assert "tiny" in person.refused("explore", "mine.toml", "--verify", "none", "--output", "tiny")
