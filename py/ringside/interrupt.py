# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C on the command line: one line on stderr and exit code 130, also while Python is still importing the package.

The package imports this module first. It changes nothing in a program that uses the package as a library.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

EXIT_CODE = 130  # as a shell counts: 128 + SIGINT


def tell(arguments: Sequence[str]) -> int:
    """Says that the command was interrupted; the exit code."""
    if "--json" in arguments:
        print('{"error": {"code": "INTERRUPTED", "message": "Interrupted.", "hint": ""}}')
    print("ringside: Interrupted.", file=sys.stderr)
    return EXIT_CODE


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C does not disturb the tidying up
    raise SystemExit(tell(sys.argv[1:]))


def _is_command_line() -> bool:
    """Whether this process is `ringside …` or `python -m ringside …`, whose name is "-m" as long as it imports."""
    name = sys.argv[0] if sys.argv else ""
    if name == "-m":
        return ("-m", "ringside") in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)
    return name.replace("\\", "/").rpartition("/")[2] in ("ringside", "ringside.exe")


if _is_command_line() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _stop)
