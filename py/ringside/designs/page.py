# SPDX-License-Identifier: Apache-2.0
"""docs/designs.md, from the table of fields and the rules (scripts/generate.py writes it)."""

from __future__ import annotations

from .design import OTHERS, Design, FieldRow, table, types
from .rules import BETWEEN

_HEAD = """# Fields of a design

This page is the reference for those who write a design file; [designs/README.md](../designs/README.md) shows the named ones. A key without a default must
be given, and a section whose keys all have one may be left out. If a part is not there (`slots` = 0, `present` = false), its other keys need not be given.
The last column is the parameter of `rs_core`.
"""


def allowed(row: FieldRow, kind: type = bool) -> str:
    """The allowed values in words. kind: the field's type."""
    if row.limit is None:
        return "true, false" if kind is bool else "a text"
    return row.limit.manual or row.limit.allowed(None).removeprefix("be ").removeprefix("one of ")


def _default(field: str, row: FieldRow) -> str:
    if row.default:
        return row.default.__doc__ or ""
    value = getattr(Design, field, None)
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def text(made: str) -> str:
    """made: says where the page comes from."""
    lines = [
        f"<!-- {made} -->",
        *_HEAD.splitlines(),
        "",
        "| key | values | default | meaning | RTL |",
        "|---" * 5 + "|",
    ]
    section = ""
    for field, row in table().items():
        if row.table != section:
            section = row.table
            lines.append(f"| **`[{section}]`** | | | | |")
        cells = (
            f"`{row.key}`",
            allowed(row, types()[field]),
            _default(field, row),
            row.about,
            f"`{row.rtl}`" * bool(row.rtl),
        )
        lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |").replace("|  |", "| |"))
    lines += ["", "## Rules between fields", "A file that breaks one of these is refused, with the values:", ""]
    lines += [f"* {rule.name}" for rule in BETWEEN]
    lines += ["", "## Parameters that are no part of a design", "Who integrates the core sets them.", ""]
    lines += ["| RTL | values | default | meaning |", "|---" * 4 + "|"]
    lines += [f"| `{row.rtl}` | {allowed(row)} | {str(row.least).lower()} | {row.about} |" for row in OTHERS]
    return "\n".join([*lines, ""])
