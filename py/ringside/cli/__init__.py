# SPDX-License-Identifier: Apache-2.0
"""The command line, `ringside`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from .. import interrupt


def _open_streams() -> None:
    """Streams that the shell has closed lead nowhere: no file that is opened later gets their numbers, and nothing is printed into it."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line (default: the process's own) and returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_streams()
    try:
        from .run import run

        return run(arguments)
    except KeyboardInterrupt:
        return interrupt.tell(arguments)
