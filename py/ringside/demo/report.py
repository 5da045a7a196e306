# SPDX-License-Identifier: Apache-2.0
"""The run as one HTML page that needs no other file: style, charts and pictures are inside it."""

import re
from html import escape

import numpy as np

from .frame import Image2d
from .outcome import CAMERA, CLOUD, Outcome, Size, Stage, readable_bytes, readable_time
from .pictures import Picture, data_uri, heat_css
from .summary import device_rows

STYLE = """
:root {
  color-scheme: light dark;
  --back: #f6f7fa; --panel: #ffffff; --line: #dfe3eb; --ink: #171b26; --soft: #5a6478;
  --camera: #0b7285; --cloud: #b35309; --good: #13795b; --bad: #c22f2f; --track: #eceff5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #10131b; --panel: #191e2a; --line: #2b3344; --ink: #eceff5; --soft: #9ea8ba;
    --camera: #4cc3d9; --cloud: #f2a14b; --good: #5ed6a0; --bad: #ff786e; --track: #242b3a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 48px 24px 64px; }
h1 { font-size: clamp(28px, 4vw, 40px); line-height: 1.15; text-wrap: balance; letter-spacing: -0.02em; margin: 0 0 12px; }
h2 { font-size: 22px; letter-spacing: -0.01em; margin: 56px 0 6px; }
p { margin: 0 0 12px; max-width: 72ch; }
.soft, figcaption, th, .note { color: var(--soft); }
.lead { font-size: 18px; color: var(--soft); }
.tiles { display: grid; gap: 14px; margin: 28px 0 0;
  grid-template-columns: repeat(auto-fit, minmax(180px, 1fr)); }
.tile, .panel { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; }
.tile { padding: 16px 18px; }
.tile b { display: block; font-size: 25px; line-height: 1.25; letter-spacing: -0.02em;
  font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: 14px; }
.panel { padding: 20px 22px; margin-top: 14px; overflow-x: auto; }
.good { color: var(--good); } .bad { color: var(--bad); }
.pictures { display: grid; gap: 22px 18px; margin-top: 18px; grid-template-columns: repeat(3, 1fr); }
figure { margin: 0; }
figure .chart { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
figure .chart svg { min-width: 0; }
figure img { width: 100%; max-height: 640px; object-fit: contain; display: block; border-radius: 8px; border: 1px solid var(--line);
  image-rendering: pixelated; }
figure b { display: block; margin-top: 8px; }
figcaption { font-size: 14px; line-height: 1.4; }
.scale { display: flex; align-items: center; gap: 8px; margin-top: 8px; font-size: 13px;
  color: var(--soft); }
.scale i { flex: 1; height: 10px; border-radius: 5px; }
.flow { display: grid; gap: 14px; margin-top: 14px; grid-template-columns: repeat(3, 1fr); }
.flow .panel { margin: 0; border-top: 4px solid var(--camera); }
.flow .panel.cloud { border-top-color: var(--cloud); }
.flow h3 { margin: 0 0 6px; font-size: 16px; } .flow p { font-size: 15px; margin: 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 15px; }
th { text-align: left; font-weight: 500; font-size: 13px; padding: 0 12px 8px 0; }
td { padding: 7px 12px 7px 0; border-top: 1px solid var(--line); vertical-align: middle; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.bar { width: 34%; min-width: 120px; padding-right: 0; }
.bar i { display: block; height: 12px; border-radius: 0 4px 4px 0; background: var(--soft);
  opacity: 0.45; min-width: 1px; }
tr.sent .bar i { background: var(--camera); opacity: 1; }
.down tr.sent .bar i { background: var(--cloud); }
.sent-mark { font-size: 12px; border: 1px solid currentColor; border-radius: 9px; padding: 0 7px;
  margin-left: 8px; white-space: nowrap; }
.note { font-size: 14px; }
.legend { display: flex; gap: 20px; font-size: 14px; color: var(--soft); margin-bottom: 8px; }
.legend i { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 7px; }
svg { display: block; width: 100%; height: auto; min-width: 640px; }
svg text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); } svg .camera { fill: var(--camera); } svg .cloud { fill: var(--cloud); }
svg .grid { stroke: var(--line); }
code { font: 14px ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { margin: 0; overflow-x: auto; }
sup { line-height: 0; font-size: 0.7em; }
@media (max-width: 760px) { .pictures, .flow { grid-template-columns: 1fr; } }
"""


def power(bits: float) -> str:
    return f"2<sup>−{bits:.1f}</sup>"


def tile(value: str, name: str, kind: str = "") -> str:
    return f'<div class="tile"><b class="{kind}">{value}</b><span>{name}</span></div>'


def key_figures(outcome: Outcome) -> str:
    error = outcome.error
    verdict = (
        f"largest error of any pixel; allowed 2<sup>−{error.bound_bits}</sup>"
        if error.passed
        else f"largest error: more than the allowed 2<sup>−{error.bound_bits}</sup>"
    )
    return "".join(
        [
            tile(power(error.max_bits), verdict, "good" if error.passed else "bad"),
            tile(f"{outcome.parameters.security} bit", "security of the parameters"),
            tile(readable_bytes(outcome.sent(outcome.upload)), "up, per frame"),
            tile(readable_bytes(outcome.sent(outcome.download)), "down, per frame"),
            tile(readable_time(outcome.total_seconds), "the whole run, both processes"),
        ]
    )


def typeset(text: str) -> str:
    """HTML of a plain caption: 2^-16.5 with a raised exponent, 160x120 with a times sign."""
    text = re.sub(r"2\^-([0-9.]*[0-9])", r"2<sup>−\1</sup>", escape(text))
    return re.sub(r"\b([0-9]+)x([0-9]+)\b", r"\1×\2", text)


def figure(title: str, caption: str, inside: str) -> str:
    return f"<figure>{inside}<b>{escape(title)}</b><figcaption>{typeset(caption)}</figcaption></figure>"


def histogram(difference: Image2d, width: int, height: int) -> str:
    """How many pixels have which error, in half bits, the largest right; shaped as the pictures."""
    bits = -np.log2(np.maximum(difference, 2.0**-52)).ravel()
    last = np.floor(2 * np.quantile(bits, 0.999)) / 2
    first = np.floor(2 * bits.min()) / 2
    edges = np.arange(first, last + 1, 0.5)
    counts, _ = np.histogram(np.minimum(bits, last), edges)
    wide, left, bottom = 400, 22, 34
    high = max(220, round(wide * height / width))
    pitch, top = (wide - 2 * left) / len(counts), 16
    parts = []
    for place, count in enumerate(counts):
        bar = (high - bottom - top) * count / counts.max()
        x = wide - left - (place + 1) * pitch
        parts.append(
            f'<rect class="camera" x="{x + 0.5:.2f}" y="{high - bottom - bar:.2f}" rx="1" '
            f'width="{pitch - 1:.2f}" height="{bar:.2f}"/>'
        )
    base = high - bottom
    parts.append(f'<line class="grid" x1="{left}" x2="{wide - left}" y1="{base}" y2="{base}"/>')
    every = max(1, round((last - first) / 5))
    for tick in np.arange(np.ceil(first), last + 0.1, every):
        x = wide - left - 2 * pitch * (tick - first)
        parts.append(
            f'<text class="soft" x="{x:.1f}" y="{base + 20}" text-anchor="middle">2'
            f'<tspan dy="-5" font-size="10">−{tick:.0f}</tspan></text>'
        )
    return (
        f'<div class="chart"><svg viewBox="0 0 {wide} {high}" role="img" '
        f'aria-label="histogram of the errors">{"".join(parts)}</svg></div>'
    )


def gallery(outcome: Outcome, pictures: list[Picture], difference: Image2d) -> str:
    figures = []
    for picture in pictures:
        title = escape(picture.title)
        inside = f'<img src="{data_uri(picture.pixels)}" alt="{title}">'
        if picture.key == "error":
            inside += (
                f'<div class="scale"><span>0</span><i style="background: {heat_css()}"></i>'
                f"<span>{power(outcome.error.max_bits)}</span></div>"
            )
        figures.append(figure(picture.title, picture.caption, inside))
    frame = outcome.frame
    chart = histogram(difference, frame.width, frame.height)
    caption = f"pixels by size of their error; 2^-{outcome.error.bound_bits} is allowed, 2^-8 is one grey level"
    return "".join([*figures, figure("Errors, counted", caption, chart)])


def size_rows(sizes: list[Size], top: int, sent_word: str) -> str:
    rows = []
    for size in sizes:
        mark = f'<span class="sent-mark">{sent_word}</span>' if size.sent else ""
        width = 100 * size.bytes / top
        kind = ' class="sent"' if size.sent else ""
        rows.append(
            f"<tr{kind}><td>{escape(size.name)}{mark}"
            f'<div class="note">{escape(size.note)}</div></td>'
            f'<td class="number">{size.bytes:,}</td>'
            f'<td class="bar"><i style="width: {width:.2f}%"></i></td></tr>'
        )
    return "".join(rows)


def size_table(title: str, sizes: list[Size], kind: str = "", sent_word: str = "sent") -> str:
    rows = size_rows(sizes, max(size.bytes for size in sizes), sent_word)
    return (
        f'<div class="panel {kind}"><table><tr><th>{escape(title)}</th>'
        f'<th class="number">bytes</th><th></th></tr>{rows}</table></div>'
    )


def grid_step(top: float) -> float:
    """A round step that divides 0 … top into eight or fewer."""
    steps = (digit * 10.0**power for power in range(-4, 3) for digit in (1, 2, 5))
    return next((step for step in steps if top / step <= 8), top)


def time_chart(stages: list[Stage]) -> str:
    """Horizontal bars on one linear axis, in the order of the run."""
    left, right, pitch, wide = 236, 150, 25, 1060
    top = max(stage.seconds for stage in stages)
    span = wide - left - right
    high = pitch * len(stages) + 34
    parts = []
    step = grid_step(top)
    for tick in range(int(top / step) + 1):
        x = left + span * tick * step / top
        label = "0" if tick == 0 else readable_time(tick * step)
        parts.append(
            f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="22" y2="{high - 8}"/>'
            f'<text class="soft" x="{x:.1f}" y="14" text-anchor="middle">{label}</text>'
        )
    for row, stage in enumerate(stages):
        y = 28 + row * pitch
        width = max(span * stage.seconds / top, 1)
        calls = f" · {stage.calls}×" if stage.calls > 1 else ""
        parts.append(
            f'<text x="{left - 10}" y="{y + 13}" text-anchor="end">{escape(stage.name)}</text>'
            f'<rect class="{stage.place}" x="{left}" y="{y + 2}" width="{width:.1f}" height="15" '
            f'rx="3"><title>{escape(stage.name)}: {readable_time(stage.seconds)}</title></rect>'
            f'<text class="soft" x="{left + width + 8:.1f}" y="{y + 13}">'
            f"{readable_time(stage.seconds)}{calls}</text>"
        )
    return f'<svg viewBox="0 0 {wide} {high}" role="img" aria-label="time per stage">{"".join(parts)}</svg>'


def flow(outcome: Outcome) -> str:
    frame, parameters = outcome.frame, outcome.parameters
    cut = (
        f"Cuts the frame into {frame.tiles} tiles of {frame.tile_width}×{frame.tile_height} pixels "
        "with a border of one, "
        if frame.tiles > 1
        else "Puts the frame, with a border of one pixel, into the slots of one ciphertext, "
    )
    return f"""<div class="flow">
<div class="panel"><h3>1 · Camera, Ringside</h3><p>Makes the keys. {cut}encrypts with
{escape(parameters.encryption)}. The secret key stays here.</p></div>
<div class="panel cloud"><h3>2 · Cloud, {escape(outcome.server)}</h3><p>A process of its own that has never loaded
Ringside. Rotates, adds, weighs with plaintexts, multiplies ciphertexts, relinearises, rescales: an unsharp mask, then a
contrast curve of degree three. Answers at the last level.</p></div>
<div class="panel"><h3>3 · Camera, Ringside</h3><p>Decrypts {frame.tiles} small ciphertexts and compares all
{frame.width * frame.height:,} pixels with the same filter in NumPy.</p></div></div>"""


def parameter_rows(outcome: Outcome) -> str:
    parameters, frame = outcome.parameters, outcome.frame
    chain = " · ".join(map(str, parameters.prime_bits))
    rows = [
        ("Set", escape(parameters.name)),
        ("Ring degree N", f"{parameters.n:,} ({parameters.n // 2:,} slots)"),
        ("Primes, bits", f"{chain}, special {parameters.special_bits}"),
        ("All together", f"{parameters.total_bits} bits"),
        ("Security", f"{parameters.security} bit (HomomorphicEncryption.org standard, ternary secret)"),
        ("Scale", f"2<sup>{parameters.scale_bits}</sup>"),
        ("Encryption", escape(parameters.encryption)),
        ("Fresh ciphertext, predicted", f"RMS error {power(parameters.fresh_bits)}"),
        ("Result, measured", f"RMS {power(outcome.error.rms_bits)}, largest {power(outcome.error.max_bits)}"),
        ("Slots used", f"{frame.slots_used:,} of {frame.slots:,} in each of {frame.tiles} ciphertexts"),
    ]
    return "".join(f"<tr><td class='soft'>{name}</td><td>{value}</td></tr>" for name, value in rows)


def device_section(outcome: Outcome) -> str:
    rows = "".join(
        f"<tr><td class='soft'>{escape(name)}</td><td>{escape(value)}</td></tr>"
        for name, value in device_rows(outcome.device)
    )
    return f'<h2>The camera\'s hardware</h2>\n<div class="panel"><table>{rows}</table></div>\n' if rows else ""


def render(outcome: Outcome, pictures: list[Picture], difference: Image2d) -> str:
    frame = outcome.frame
    camera, cloud = (readable_time(outcome.seconds(place)) for place in (CAMERA, CLOUD))
    threads = "one thread" if outcome.threads == 1 else f"up to {outcome.threads} threads"
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ringside demo: a photograph, computed on without being seen</title>
<style>{STYLE}</style></head><body><main>
<h1>A photograph, computed on without being seen</h1>
<p class="lead">{frame.width}×{frame.height} pixels were encrypted by Ringside, sharpened and given more contrast by an
unmodified {escape(outcome.server)} that held only ciphertexts, and decrypted by Ringside again. Every number on this
page was measured in this run.</p>
<div class="tiles">{key_figures(outcome)}</div>
<h2>Pictures</h2>
<div class="pictures">{gallery(outcome, pictures, difference)}</div>
<h2>Who did what</h2>
{flow(outcome)}
<h2>What travelled</h2>
<p class="soft">All variants were written and measured; the coloured ones were sent. “Seeded” files hold half of each
ciphertext and 64 bytes from which SEAL expands the other half.</p>
{size_table("Up, one frame", outcome.upload)}
{size_table("Down, one frame", outcome.download, "down")}
{size_table("Keys, once", outcome.keys)}
<h2>Where the time went</h2>
<p class="soft">Camera {camera}, cloud {cloud}; the camera used {threads}, the cloud one; several calls are added up.</p>
<div class="panel"><div class="legend"><span><i style="background: var(--camera)"></i>camera (Ringside)</span>
<span><i style="background: var(--cloud)"></i>cloud (SEAL)</span></div>{time_chart(outcome.stages)}</div>
{device_section(outcome)}<h2>Parameters</h2>
<div class="panel"><table>{parameter_rows(outcome)}</table></div>
<h2>Again</h2>
<div class="panel"><pre><code>{escape(outcome.command)}</code></pre></div>
</main></body></html>
"""
