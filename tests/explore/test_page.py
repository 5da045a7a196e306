# SPDX-License-Identifier: Apache-2.0
"""The page: what is packed into it, and what a browser makes of it."""

import base64
import gzip
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ringside import designs
from ringside.explore.model import constants
from ringside.explore.page import pack
from ringside.explore.search import run
from ringside.explore.search.exploration import Exploration
from ringside.explore.space import reader

TINY = Path(__file__).parents[2] / "designs" / "spaces" / "tiny.toml"
BROWSER = os.environ.get("RINGSIDE_CHROMIUM") or shutil.which("chromium") or ""
READY_MS, PAGE_MAX = 20_000, 1_600_000


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Exploration:
    return run.explore(reader.load(TINY), constants.load(), tmp_path_factory.mktemp("tiny"), 1, lambda *_: None)


@pytest.fixture(scope="module")
def page(explored: Exploration, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack.write_page(explored, tmp_path_factory.mktemp("page"))


def test_columns_come_back(explored: Exploration) -> None:
    told = pack.data(explored)
    blob = gzip.decompress(base64.b64decode(told["blob"]))
    count = told["count"]
    place = 0
    for axis in told["axes"]:
        codes = np.frombuffer(blob, np.uint8, count, place)
        assert [axis["values"][code] for code in codes] == explored.found.points.column(axis["field"]).tolist()
        place += count
    for cost in told["costs"]:
        low, high = np.frombuffer(blob, np.uint8, 2 * count, place).reshape(2, -1).astype(np.uint16)
        values = pack.unpacked((low | high << 8).astype(np.uint16), cost["low"], cost["high"])
        assert values == pytest.approx(explored.found.costs[cost["name"]], rel=1e-3)
        place += 2 * count
    assert place == len(blob)


def test_unknown_values_stay_unknown() -> None:
    steps, low, high = pack.packed(np.array([1, np.nan, 100], np.float32))
    found = pack.unpacked(steps, low, high)
    assert found[[0, 2]] == pytest.approx([1, 100])
    assert np.isnan(found[1])


def test_a_sample_has_the_front(explored: Exploration) -> None:
    some = pack.chosen(explored, 60)
    assert len(some) == 60
    assert set(explored.front) <= set(some.tolist())


def test_page_is_alone(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(text) < PAGE_MAX
    assert not re.search(r"""(?:src|href)=["'](?!#)""", text)
    assert "https://" not in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


# ---- in a browser -----------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def browser() -> Any:
    playwright = pytest.importorskip("playwright.sync_api")
    if not BROWSER:
        pytest.skip("there is no chromium")
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


def opened(browser: Any, page: Path, width: int = 1440, scheme: str = "light", mark: str = "") -> tuple[Any, list[str]]:
    shown = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
    ).new_page()
    errors: list[str] = []
    shown.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    shown.on("pageerror", lambda error: errors.append(str(error)))
    shown.goto(f"file://{page}{mark}")
    shown.wait_for_function("document.body.dataset.ready", timeout=READY_MS)
    return shown, errors


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (768, "dark"), (390, "light")])
def test_it_shows_without_errors(browser: Any, page: Path, width: int, scheme: str) -> None:
    shown, errors = opened(browser, page, width, scheme)
    assert errors == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert "216 of 216" in shown.inner_text("#count")
    painted = "c => [...document.getElementById(c).getContext('2d').getImageData(0, 0, 600, 300).data].some(v => v)"
    assert shown.evaluate(painted, "lines")
    assert shown.evaluate(painted, "scatter")


def test_limits_count_as_numpy_does(browser: Any, page: Path, explored: Exploration) -> None:
    shown, errors = opened(browser, page)
    cycles, lanes = explored.found.costs["cycles"], explored.found.points.column("lanes")
    for high in (7000, 12000, 25000):
        shown.fill('[data-field="cycles:1"]', str(high))
        shown.dispatch_event('[data-field="cycles:1"]', "change")
        assert int(shown.get_attribute("#count", "data-count")) == int((cycles <= high).sum())
    shown.fill('[data-field="core.lanes:0"]', "4")
    shown.dispatch_event('[data-field="core.lanes:0"]', "change")
    assert int(shown.get_attribute("#count", "data-count")) == int(((cycles <= 25000) & (lanes >= 4)).sum())
    again, _ = opened(browser, page, mark="#" + shown.url.partition("#")[2])
    assert again.get_attribute("#count", "data-count") == shown.get_attribute("#count", "data-count")
    assert errors == []


def test_a_drag_is_a_limit(browser: Any, page: Path) -> None:
    shown, _ = opened(browser, page)
    box = shown.locator('[data-axis="lut"]').bounding_box()
    x = box["x"] + box["width"] / 2
    shown.mouse.move(x, box["y"] + box["height"] * 0.6)
    shown.mouse.down()
    shown.mouse.move(x, box["y"] + box["height"] * 0.95, steps=4)
    shown.mouse.up()
    shown.wait_for_function("+document.getElementById('count').dataset.count < 216")
    limits = shown.evaluate("window.explored.state.limits.lut")
    inside = "([low, high]) => { const c = window.explored.columns.find(c => c.name === 'lut'); return [...Array(216).keys()].filter(i => c.get(i) >= low && c.get(i) <= high).length; }"
    assert int(shown.get_attribute("#count", "data-count")) == shown.evaluate(inside, limits)


def test_exported_design_loads(browser: Any, page: Path, explored: Exploration, tmp_path: Path) -> None:
    shown, _ = opened(browser, page)
    number = shown.evaluate("window.explored.state.chosen")
    with shown.expect_download() as waiting:
        shown.click("#toml")
    path = tmp_path / "found.toml"
    waiting.value.save_as(path)
    found, expected = designs.load(str(path)), explored.found.points.design(number)
    assert found.parameters == expected.parameters
    with shown.expect_download() as waiting:
        shown.click("#csv")
    waiting.value.save_as(tmp_path / "all.csv")
    assert len((tmp_path / "all.csv").read_text(encoding="utf-8").splitlines()) == 217


def test_keys_walk_along_the_front(browser: Any, page: Path) -> None:
    shown, _ = opened(browser, page)
    before = shown.evaluate("window.explored.state.chosen")
    shown.focus("#scatter")
    shown.keyboard.press("ArrowRight")
    assert shown.evaluate("window.explored.state.chosen") != before
    assert json.loads(shown.evaluate("JSON.stringify(window.explored.state)"))["chosen"] != before
