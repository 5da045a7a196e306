# SPDX-License-Identifier: Apache-2.0
"""Colours of text: on a terminal only, and never against the user's wish."""

from __future__ import annotations

import os
import sys
from typing import Literal, TextIO

Style = Literal["bold", "dim", "red", "green", "yellow", "cyan"]
_CODES: dict[Style, str] = {"bold": "1", "dim": "2", "red": "1;31", "green": "32", "yellow": "33", "cyan": "36"}


def is_coloured(stream: TextIO) -> bool:
    """Whether text for this stream may have colours: NO_COLOR forbids them, FORCE_COLOR demands them (no-color.org), and else a terminal takes them."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def painted(text: str, style: Style, stream: TextIO | None = None) -> str:
    """The text in a style, if the stream (default: standard output) takes colours."""
    if not text or not is_coloured(stream or sys.stdout):
        return text
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m"
