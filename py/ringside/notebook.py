# SPDX-License-Identifier: Apache-2.0
"""How objects look in notebooks: a name, and a small table of facts. Colours are the notebook's own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

CELL = "text-align:left;padding:0.1em 1em 0.1em 0"


def facts_html(title: str, facts: Sequence[tuple[str, object]]) -> str:
    """HTML for _repr_html_. All texts are escaped."""
    rows = "".join(
        f'<tr><th scope="row" style="{CELL}">{escape(name)}</th><td style="{CELL}">{escape(str(value))}</td></tr>'
        for name, value in facts
    )
    return f"<table><caption>{escape(title)}</caption><tbody>{rows}</tbody></table>"


def power_of_two(value: float) -> str:
    """2^40, or 2^40.0013 after a server has rescaled."""
    return f"2^{math.log2(value):.6g}"
