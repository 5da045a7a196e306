# SPDX-License-Identifier: Apache-2.0
"""Flip-flops by the RTL's text, and how a model makes them public: benches that flip them or count what toggles look at all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_COMMENT = re.compile(r"//[^\n]*")
_ASSIGNED = re.compile(r"(\w+)(?:\[[^\n<]*\])*(?:\.\w+)*\s*<=")
_JOINED = re.compile(r"\{([^{}]*)\}\s*<=")
_MEMORY = re.compile(r"ram_style[^;]*?\b(\w+)\s*(?:\[[^\]]*\]\s*)*;")  # what an attribute makes a memory
ENDINGS = ("_q", "_o")


def flip_flops(source: Path) -> set[str]:
    """What is assigned at a clock's edge in a module's source, but for memories: its flip-flops, if they are built."""
    text = _COMMENT.sub("", source.read_text(encoding="utf-8"))
    if "always_ff" not in text:  # all stand in modules inside
        return set()
    names = set(_ASSIGNED.findall(text))
    names |= {name for group in _JOINED.findall(text) for name in re.findall(r"\w+", group)}
    return {name for name in names if name.endswith(ENDINGS)} - set(_MEMORY.findall(text))


def public(sources: Iterable[Path]) -> str:
    """A file for Verilator that makes all flip-flops of these modules public, each in a file of its name."""
    lines = [
        f'public_flat_rw -module "{path.stem}" -var "{name}"' for path in sources for name in sorted(flip_flops(path))
    ]
    return "\n".join(["`verilator_config", *lines, ""])
