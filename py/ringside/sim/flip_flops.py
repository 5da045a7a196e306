# SPDX-License-Identifier: Apache-2.0
"""Flip-flops by the RTL's text, and how a model makes them public: benches that flip them or count what toggles look at all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_COMMENT = re.compile(r"//[^\n]*")
_INDEX = re.compile(r"\[[^\[\]]*\]")
# from a clocked process to what cannot stand in one
_END = r"\b(?:always|always_ff|always_comb|assign|endmodule|localparam|function|genvar)\b"
_PROCESS = re.compile(rf"\balways(?:_ff)?\s*@(.*?)(?={_END})", re.DOTALL)
_ASSIGNED = re.compile(r"(?:[;):]|\bbegin\b|\bend(?:case)?\b|\belse\b)\s*(\w+)(?:\.\w+)*\s*<=")
_JOINED = re.compile(r"\{([\w\s,.]*)\}\s*<=")
_LOOP = re.compile(r"\b(?:int|int unsigned)\s+(\w+)\b")
_MEMORY = re.compile(r"ram_style[^;]*?\b(\w+)\s*;")  # what an attribute makes a memory


def flip_flops(source: Path) -> set[str]:
    """What is assigned at a clock's edge in a module's source, but for memories: its flip-flops, if they are built."""
    text = _COMMENT.sub("", source.read_text(encoding="utf-8"))
    while (plain := _INDEX.sub("", text)) != text:
        text = plain
    names: set[str] = set()
    for process in _PROCESS.findall(text):
        names |= set(_ASSIGNED.findall(process))
        names |= {name for group in _JOINED.findall(process) for name in re.findall(r"(?<!\.)\b\w+", group)}
    return names - set(_MEMORY.findall(text)) - set(_LOOP.findall(text))


def public(sources: Iterable[Path]) -> str:
    """A file for Verilator that makes all flip-flops of these modules public, each in a file of its name."""
    lines = [
        f'public_flat_rw -module "{path.stem}" -var "{name}"' for path in sources for name in sorted(flip_flops(path))
    ]
    return "\n".join(["`verilator_config", *lines, ""])
