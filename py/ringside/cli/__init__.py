# SPDX-License-Identifier: Apache-2.0
"""The command line, `ringside`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from .. import interrupt


def _open_streams() -> None:
    """Streams that the shell has closed lead nowhere: no file that is opened later gets their numbers, and nothing is printed into it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line (default: the process's own) and returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_streams()
    try:
        from .run import run

        return run(arguments)
    except KeyboardInterrupt:
        return interrupt.tell(arguments)
