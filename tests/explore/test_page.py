# SPDX-License-Identifier: Apache-2.0
"""The page: what is packed into it, and what a browser makes of it."""

import base64
import gzip
import json
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chromium import chromium, errors_of
from ringside import designs
from ringside.explore.model import constants
from ringside.explore.page import pack
from ringside.explore.search import run
from ringside.explore.search.exploration import Exploration, chosen_of
from ringside.explore.space import reader

TINY = Path(__file__).parents[2] / "designs" / "spaces" / "tiny.toml"
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
    assert np.frombuffer(blob, np.uint8, count, place).tolist() == explored.source.tolist()
    assert place + count == len(blob)


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
    with chromium() as found:
        yield found


def opened(browser: Any, page: Path, width: int = 1440, scheme: str = "light", mark: str = "") -> tuple[Any, list[str]]:
    shown = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
    ).new_page()
    errors = errors_of(shown)
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
    assert shown.inner_text("#theme") == {"light": "Dark colours", "dark": "Light colours"}[scheme]
    box = {name: shown.locator(name).bounding_box() for name in ("#scatter", "#lines", ".legend >> nth=0")}
    assert box["#scatter"]["y"] + box["#scatter"]["height"] <= 900  # on the first screen, above all else that is drawn
    assert box["#scatter"]["y"] < box["#lines"]["y"]
    assert box[".legend >> nth=0"]["height"] < 80


def test_limits_of_names_are_names(browser: Any, page: Path, explored: Exploration) -> None:
    shown, _ = opened(browser, page)
    assert shown.locator('[data-field="core.twiddles:0"] option').all_inner_texts() == ["stored", "on_the_fly"]
    shown.select_option('[data-field="core.twiddles:1"]', label="stored")
    stored = (explored.found.points.column("twiddles") == "stored").sum()
    assert 0 < int(shown.get_attribute("#count", "data-count")) == int(stored) < 216


def test_diamonds_are_what_was_verified(browser: Any, explored: Exploration, tmp_path: Path) -> None:
    """None in a run without simulations, where the legend has none either."""
    green = """() => { const c = document.getElementById('scatter'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        const want = getComputedStyle(document.documentElement).getPropertyValue('--series-2').trim().match(/[0-9a-f]{2}/g).map(h => parseInt(h, 16));
        let found = 0; for (let k = 0; k < d.length; k += 4) if (want.every((v, j) => d[k + j] === v)) found++; return found; }"""
    point = int(explored.front[1])
    answered = np.zeros(len(explored.source), np.uint8)
    answered[point] = 2
    answer = {"rtl": {"cycles": 1}, "residual": {"cycles": 0.0}}
    for source, answers, seen in ((explored.source, {}, False), (answered, {point: answer}, True)):
        told = replace(explored, source=source, answers=answers)
        shown, errors = opened(browser, pack.write_page(told, tmp_path))
        assert errors == []
        assert (shown.evaluate(green) > 20) == seen
        assert shown.is_visible("#verified") == seen


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
    shown.locator("#axes").scroll_into_view_if_needed()
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


# ---- a page of many designs -------------------------------------------------------------------------------------------
MANY, SAMPLE = 200_000, 400
LONGEST_MS, READY_WORK_MS, ANSWER_MS = 100, 5_000, 250
FIELD, COUNT = "document.querySelector('[data-field=\"cycles:1\"]')", "document.getElementById('count').dataset.count"


@pytest.fixture(scope="module")
def many(explored: Exploration) -> Exploration:
    """The space's designs again and again, with costs a little apart."""
    numbers = np.random.default_rng(5)
    found = explored.found.take(numbers.integers(0, len(explored.found.points), MANY))
    costs = {
        name: (column * numbers.uniform(0.7, 1.3, MANY)).astype(np.float32) for name, column in found.costs.items()
    }
    found = replace(found, costs=costs)
    best, chosen = chosen_of(explored.space, found, found.fits)
    nothing = np.zeros(MANY, np.uint8)
    return replace(explored, model=found, found=found, front=best, chosen=chosen, source=nothing, random=np.arange(3))


def traced(browser: Any, shown: Any, act: Any) -> list[float]:
    """Processor time of the tasks of the page's main thread meanwhile, in ms: what else the machine does is not in it."""
    session = browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    ended: list[bool] = []
    session.on("Tracing.dataCollected", lambda told: events.extend(told["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    session.send("Tracing.start", {"traceConfig": {"includedCategories": ["toplevel", "__metadata"]}, "transferMode": "ReportEvents"})  # fmt: skip
    act()
    session.send("Tracing.end")
    while not ended:
        shown.wait_for_timeout(50)
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    tasks: dict[Any, list[float]] = {key: [0.0] for key, name in names.items() if name == "CrRendererMain"}
    for event in events:
        key = event["pid"], event["tid"]
        if "tdur" in event and key in tasks and "RunTask" in event["name"]:
            tasks[key].append(event["tdur"] / 1000)
    return max(tasks.values(), key=sum)  # the browser's own first tab has a thread too


@pytest.mark.soak  # three seconds of processor time
def test_a_page_of_its_usual_size_is_small(many: Exploration, tmp_path: Path) -> None:
    """With costs that are all different; those of real spaces, whose designs share many, take half of it."""
    size = pack.write_page(many, tmp_path, 55_000).stat().st_size
    print(f"{size:,} bytes")
    assert 500_000 < size <= PAGE_MAX


@pytest.mark.soak  # half a minute
def test_two_hundred_thousand_designs(browser: Any, many: Exploration, tmp_path: Path) -> None:
    """No long task, soon ready, and a brush is answered at once, with NumPy's count."""
    path = pack.write_page(many, tmp_path, MANY)
    shown = browser.new_page(viewport={"width": 1440, "height": 900})
    errors = errors_of(shown)

    asked = shown.context.new_cdp_session(
        shown
    )  # without Playwright's own scripts in the page, which take a long task themselves

    def of_page(expression: str) -> Any:
        return asked.send("Runtime.evaluate", {"expression": expression, "returnByValue": True})["result"].get("value")

    def until_ready() -> None:
        for _ in range(2400):
            if of_page("document.body ? document.body.dataset.ready || '' : ''"):
                return
            time.sleep(0.05)
        pytest.fail("the page is not ready after two minutes")

    def come() -> None:
        asked.send("Page.navigate", {"url": f"file://{path}"})
        until_ready()

    def brush() -> None:
        of_page(
            f"{FIELD}.value = {high!r}; delete document.body.dataset.ready; {FIELD}.dispatchEvent(new Event('change'))"
        )
        until_ready()

    values = pack.unpacked(*pack.packed(many.found.costs["cycles"]))
    different = np.unique(values)
    high = float(np.sqrt(different[len(different) // 2] * different[len(different) // 2 + 1]))  # between two of them
    tasks = traced(browser, shown, come)
    assert int(of_page(COUNT)) == MANY
    answer = traced(browser, shown, brush)
    assert int(of_page(COUNT)) == int((values <= high).sum())
    took = of_page(
        f"(() => {{ const at = performance.now(); {FIELD}.dispatchEvent(new Event('change')); return performance.now() - at; }})()"
    )
    print(
        f"ready: {sum(tasks):.0f} ms of work, longest task {max(tasks):.0f} ms; brush: {sum(answer):.0f} ms, longest {max(answer):.0f} ms, its count after {took:.0f} ms"
    )
    assert errors == []
    assert max(tasks) <= LONGEST_MS
    assert max(answer) <= LONGEST_MS
    assert sum(tasks) <= READY_WORK_MS
    assert took <= ANSWER_MS


# ---- colours ----------------------------------------------------------------------------------------------------------
TEXT, GRAPHICS = 4.5, 3.0  # WCAG 2.2, 1.4.3 and 1.4.11
ON = ("back", "panel")
TEXTS, SHAPES = ("ink", "soft", "good", "bad", "link"), ("series-0", "series-1", "series-2", "soft")


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(browser: Any, page: Path, scheme: str) -> None:
    """Of the colours that the page really has in that scheme, chosen by the system and by its own button."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    for button in (False, True):
        shown, _ = opened(browser, page, scheme="dark" if (scheme == "light") == button else "light")
        if button:
            shown.click("#theme")
        read = "name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()"
        colours = {name: shown.evaluate(read, name) for name in {*ON, *TEXTS, *SHAPES}}
        assert (luminance(colours["back"]) > 0.5) == (scheme == "light")
        for names, least in ((TEXTS, TEXT), (SHAPES, GRAPHICS)):
            for name in names:
                for ground in ON:
                    assert contrast(colours[name], colours[ground]) >= least, (scheme, name, ground)


def test_print_shows_all_and_no_tools(browser: Any, page: Path) -> None:
    shown, _ = opened(browser, page, scheme="dark")
    shown.emulate_media(media="print")
    assert not shown.is_visible("#fields")
    assert not shown.is_visible("#clear")
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.evaluate("getComputedStyle(document.getElementById('rows')).maxHeight") == "none"
    assert len(shown.pdf(format="A4", landscape=True)) > 10_000


def test_keyboard_alone_sets_a_limit(browser: Any, page: Path) -> None:
    shown, _ = opened(browser, page)
    shown.focus('[data-field="cycles:1"]')
    shown.keyboard.press("ControlOrMeta+a")
    shown.keyboard.type("7000")
    shown.keyboard.press("Tab")
    assert int(shown.get_attribute("#count", "data-count")) < 216
    shown.focus("#clear")
    shown.keyboard.press("Enter")
    assert shown.get_attribute("#count", "data-count") == "216"


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
