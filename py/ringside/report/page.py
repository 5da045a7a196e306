# SPDX-License-Identifier: Apache-2.0
"""The report as one HTML page that needs no other file and no network: style, script and charts are inside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from . import charts
from .layout import Grid, Item, Page, Pareto, Section
from .measurement import Kind, Measurement, Status
from .published import Cell

STYLE = """
:root { color-scheme: light; --back: #f6f7fa; --panel: #fff; --line: #dfe3eb; --ink: #171b26; --soft: #5a6478;
  --measured: #13795b; --modelled: #8a5a00; --published: #1f5fa8; --failed: #c22f2f; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 36px 24px 64px; }
h1 { font-size: 32px; letter-spacing: -0.02em; margin: 0 0 8px; }
h2 { font-size: 24px; letter-spacing: -0.01em; margin: 56px 0 2px; }
h3 { font-size: 18px; margin: 34px 0 4px; } h4 { font-size: 15px; margin: 0 0 8px; }
p { margin: 0 0 8px; max-width: 88ch; } .soft, .note, th, summary { color: var(--soft); }
.note { font-size: 13px; margin: 8px 0 0; }
nav { position: sticky; top: 0; background: var(--back); padding: 10px 0; border-bottom: 1px solid var(--line); z-index: 2;
  display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: center; }
nav a { color: var(--published); text-decoration: none; font-weight: 600; } nav label { font-size: 14px; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px; margin-top: 12px;
  overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; min-width: 60%; }
th { text-align: right; font-weight: 500; font-size: 13px; padding: 0 0 6px 18px; vertical-align: bottom; max-width: 15ch; }
td { text-align: right; padding: 5px 0 5px 18px; border-top: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; max-width: none; }
td.measured { color: var(--measured); font-weight: 600; } td.modelled { color: var(--modelled); }
td.published { color: var(--published); } td.missing { color: var(--soft); font-style: italic; font-size: 13px; }
td.failed { color: var(--failed); font-style: italic; white-space: normal; min-width: 22ch; }
td[data-command] { cursor: help; }
td sup { color: var(--soft); line-height: 0; }
i.key { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 5px; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 18px 0; }
.tile { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 10px 16px; }
.tile b { display: block; font-size: 22px; } .tile span { font-size: 13px; color: var(--soft); }
svg { display: block; width: 100%; min-width: 720px; height: auto; }
svg [data-series] { transition: opacity .15s; } svg .legend, svg .legend + text { cursor: pointer; }
svg .off { opacity: .06; } svg .legend.off, svg .legend.off + text { opacity: .35; }
body.no-measured td.measured, body.no-modelled td.modelled, body.no-published td.published { opacity: .12; }
#tip { position: fixed; display: none; max-width: 520px; background: var(--ink); color: #fff; padding: 8px 12px; border-radius: 8px;
  font-size: 13px; white-space: pre-wrap; z-index: 9; pointer-events: none; }
code { font: 13px ui-monospace, Menlo, Consolas, monospace; } summary { cursor: pointer; margin-top: 10px; }
"""

SCRIPT = """
const tip = document.getElementById("tip");
function show(event, text) {
  tip.textContent = text;
  tip.style.display = "block";
  tip.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = Math.max(8, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + "px";
}
document.querySelectorAll("svg rect > title, svg circle > title").forEach(title => {
  const text = title.textContent, bar = title.parentNode;
  bar.removeChild(title);
  bar.addEventListener("mousemove", event => show(event, text));
  bar.addEventListener("mouseleave", () => { tip.style.display = "none"; });
});
document.querySelectorAll("td[title]").forEach(cell => {
  const text = cell.title;
  cell.removeAttribute("title");
  cell.addEventListener("mousemove", event => show(event, text));
  cell.addEventListener("mouseleave", () => { tip.style.display = "none"; });
});
document.querySelectorAll("svg .legend").forEach(box => {
  const flip = () => box.closest("svg").querySelectorAll(`[data-series="${box.dataset.series}"]`).forEach(
    part => part.classList.toggle("off"));
  box.addEventListener("click", flip);
  box.nextElementSibling.addEventListener("click", flip);
});
document.querySelectorAll("nav input").forEach(input => input.addEventListener("change",
  () => document.body.classList.toggle("no-" + input.value, !input.checked)));
"""


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return f"<td>{escape(cell)}</td>"
    lines = [
        cell.source,
        cell.command and f"$ {cell.command}" if cell.kind is Kind.measured else cell.command,
        cell.detail,
        cell.caveat,
    ]
    title = escape(
        "\n".join([f"{cell.kind}, {cell.unit}" if cell.unit else str(cell.kind), *filter(None, lines)]), quote=True
    )
    attributes = f'title="{title}" data-command="{escape(cell.command, quote=True)}"'
    if cell.value is None:
        kind = "failed" if cell.status is Status.failed else "missing"
        text = f"{cell.status}: {cell.detail}" if cell.status is Status.failed else str(cell.status)
        return f'<td class="{kind}" {attributes}>{escape(text)}</td>'
    mark = "<sup>*</sup>" if cell.caveat else ""
    return f'<td class="{cell.kind}" {attributes} data-value="{cell.value!r}">{charts.value_text(cell)}{mark}</td>'


def _grid(grid: Grid) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in grid.columns)
    rows = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in grid.rows)
    note = f'<p class="note">{escape(grid.note)}</p>' if grid.note else ""
    table = f"<table><tr>{head}</tr>{rows}</table>{note}"
    title = escape(grid.title)
    if grid.folded:
        return f"<details><summary>{title}</summary><div class='panel'>{table}</div></details>"
    return f'<div class="panel"><h4>{title}</h4>{table}</div>'


def _item(item: Item) -> str:
    if isinstance(item, Grid):
        return _grid(item)
    note = f'<p class="note">{escape(item.note)}</p>' if item.note else ""
    if isinstance(item, Pareto):
        shown = [one for point in item.points for one in (point.x, point.y)]
        empty = not item.front
    else:
        shown = [one for _, column in item.series for one in column]
        empty = all(one.value is None for one in shown)
    if empty:
        reasons = ", ".join(sorted({str(one.status) for one in shown if one.value is None}))
        return f'<div class="panel"><h4>{escape(item.title)}</h4><span class="soft">No chart: {reasons}.</span>{note}</div>'
    # the namespace is for files; inside a page it is known
    picture = charts.svg(item).replace(' xmlns="http://www.w3.org/2000/svg"', "")
    return f'<div class="panel">{picture}{note}</div>'


def _section(section: Section) -> str:
    text = f'<p class="soft">{escape(section.text)}</p>' if section.text else ""
    return f"<h3>{escape(section.title)}</h3>{text}{''.join(map(_item, section.items))}"


def _page(page: Page) -> str:
    return (
        f'<h2 id="{page.key}">{escape(page.short)}</h2><p class="soft">{escape(page.text)}</p>'
        f"{''.join(map(_section, page.sections))}"
    )


def _tiles(numbers: Sequence[Measurement]) -> str:
    counts = {str(kind): sum(one.kind is kind and one.value is not None for one in numbers) for kind in Kind}
    counts |= {
        str(status): sum(one.status is status for one in numbers) for status in Status if status is not Status.present
    }
    return "".join(
        f'<div class="tile"><b>{count:,}</b><span>{escape(name)}</span></div>' for name, count in counts.items()
    )


def render(pages: Sequence[Page], numbers: Sequence[Measurement], command: str, failures: Iterable[Measurement]) -> str:
    links = "".join(f'<a href="#{page.key}">{escape(page.short)}</a>' for page in pages)
    filters = "".join(f'<label><input type="checkbox" value="{kind}" checked> {kind}</label>' for kind in Kind)
    keys = "".join(f'<i class="key" style="background: var(--{kind})"></i>{kind} &nbsp; ' for kind in Kind)
    failed = "".join(f"<li><code>{escape(one.command)}</code>: {escape(one.detail)}</li>" for one in failures)
    trouble = f'<div class="panel"><h4>Failed</h4><ul>{failed}</ul></div>' if failed else ""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ringside beside published accelerators</title>
<style>{STYLE}</style></head><body><main>
<h1>Ringside beside published accelerators</h1>
<p>Figures of papers and ours, at equal N, width and number of multipliers where there is such a design. Point at a number to see where it
comes from and the command that makes it; * marks a caveat. Click a name in a chart's legend to fade it.</p>
<p class="soft">{keys} In charts: full colour measured, paler modelled, palest published. What is absent says why, and is never zero.</p>
<div class="tiles">{_tiles(numbers)}</div>{trouble}
<nav>{links}<span class="soft">show</span>{filters}</nav>
{"".join(map(_page, pages))}
<h2>Again</h2><div class="panel"><code>{escape(command)}</code></div>
</main><div id="tip"></div><script>{SCRIPT}</script></body></html>
"""
