# SPDX-License-Identifier: Apache-2.0
"""Looks at the built site in Chromium, without a network: no page is wider than the window, axe finds nothing serious, and the search finds names."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

WIDTHS = (1440, 390)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
GLOSSARY = "docs/glossary.html"
SEARCHED = {
    "rs_encode": "c/", "WATCHDOG": "registers", "rs_ntt_addr": "rtl/", "decrypt_values": "python/", "scale": GLOSSARY,
    "limb": GLOSSARY,
}  # fmt: skip
AXE_AT = (("light", 1440), ("dark", 390))
CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser")
LISTS = ("genindex.html", "py-modindex.html")  # thousands of links and nothing else
SERIOUS = ("serious", "critical")
# elements that reach beyond the window and stand in no box that scrolls; those for screen readers are put outside on purpose
WIDE = """() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide <= 0) return [];
  const scrolls = e => { for (let p = e.parentElement; p; p = p.parentElement)
    if (["auto", "scroll", "hidden"].includes(getComputedStyle(p).overflowX)) return true; return false; };
  return [...document.querySelectorAll("body *")]
    .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !scrolls(e))
    .slice(0, 3).map(e => `${e.tagName}.${e.className} ${Math.round(e.getBoundingClientRect().right)}`).concat([`page wider by ${wide}`]);
}"""
AXE = """async () => {
  const late = new Promise(done => setTimeout(() => done({violations: [
    {id: "time", impact: "serious", nodes: [{html: "", any: []}], help: "axe takes more than five minutes"}]}), 300000));
  const found = await Promise.race([axe.run(document, {resultTypes: ["violations"]}), late]);
  return found.violations.map(v => [v.id, v.impact, v.nodes.length, v.nodes[0].html.slice(0, 160), (v.nodes[0].any[0] || {}).message || v.help]);
}"""


def alike(pages: Sequence[Path], most: int) -> list[Path]:
    """All pages by hand, and of generated ones, which are much alike, the largest of each folder."""
    kept: dict[Path, list[Path]] = {}
    for page in pages:
        kept.setdefault(page.parent, []).append(page)
    by_size = {folder: sorted(found, key=lambda page: page.stat().st_size) for folder, found in kept.items()}
    return sorted(
        page for folder, found in by_size.items() for page in (found[-most:] if "reference" in folder.parts else found)
    )


def findings(site: Path, say: Callable[[str], None], most: int = 3) -> Iterator[str]:
    """Each page in each width and scheme. axe takes seconds, so of generated pages it sees the `most` largest of each folder."""
    from playwright.sync_api import sync_playwright

    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    pages = [page for page in sorted(site.rglob("*.html")) if page.name not in LISTS and "_static" not in page.parts]
    for_axe = set(alike(pages, most))
    chromium = next((path for path in CHROMIUM if Path(path).exists()), None)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme in SCHEMES:
            for width in WIDTHS:
                size: Any = {"width": width, "height": 900}
                context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce", offline=True)
                start = time.monotonic()
                for page in pages:
                    with closing(context.new_page()) as tab:
                        tab.goto(page.as_uri())
                        where = f"{page.relative_to(site)}, {width} pixels, {scheme}"
                        # colours depend on the scheme and not on the width: axe sees each page once in each scheme
                        with_axe = (scheme, width) in AXE_AT and page in for_axe
                        yield from (f"{where}: {what}" for what in _looked(tab, axe if with_axe else ""))
                say(
                    f"in a browser: {len(pages)} pages at {width} pixels, {scheme}, in {time.monotonic() - start:.0f} s"
                )
                if (scheme, width) == AXE_AT[0]:
                    yield from _searched(context.new_page(), site)
                context.close()
        browser.close()


def _searched(tab: Any, site: Path) -> Iterator[str]:
    """The search knows a function, a register, a module and a method, gives words of the glossary first, and tells what pages are about."""
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    for word, place in SEARCHED.items():
        tab.goto(f"{(site / 'search.html').as_uri()}?q={word}")
        try:
            in_glossary = place == GLOSSARY
            named = "" if in_glossary else f":has-text('{word}')"
            tab.wait_for_selector(f"#search-results li:first-child a[href*='{place}']{named}", timeout=120_000)
            if in_glossary:
                tab.wait_for_selector("#search-results li:first-child p.context", timeout=10_000)
        except Exception as error:
            yield f"search.html: {word} is not the first result: {str(error).splitlines()[0]}"
    yield from (f"search.html: {error}" for error in errors)


def _looked(tab: Any, axe: str) -> Iterator[str]:
    if wide := tab.evaluate(WIDE):
        yield f"overflows: {'; '.join(wide)}"
    if not axe:
        return
    tab.evaluate(axe)
    for rule, impact, count, html, why in tab.evaluate(AXE):
        if impact in SERIOUS:
            yield f"{rule} ({impact}), {count} times: {html} ({why})"
