# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C on the command line: one line on stderr and exit code 130, also while Python is still importing the package. Requests to end (SIGTERM,
SIGHUP) do the same while files with secrets are half made, which would stay behind.

The package imports this module first. It changes nothing in a program that uses the package as a library.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import NoReturn

EXIT_CODE = 130  # as a shell counts: 128 + SIGINT
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def tell(arguments: Sequence[str], number: int = signal.SIGINT) -> int:
    """Says that the command was stopped by this signal; the exit code."""
    word = "Interrupted" if number == signal.SIGINT else "Terminated"
    if "--json" in arguments:
        print(f'{{"error": {{"code": "{word.upper()}", "message": "{word}.", "hint": ""}}}}')
    print(f"ringside: {word}.", file=sys.stderr)
    return 128 + number


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    for each in (signal.SIGINT, *_ENDING):
        signal.signal(each, signal.SIG_IGN)  # a second one does not disturb the tidying up
    raise SystemExit(tell(sys.argv[1:], number))


@contextlib.contextmanager
def tidying() -> Iterator[None]:
    """On the command line a request to end raises SystemExit in the block, as Ctrl-C does anywhere: hidden files with secrets go then.

    Elsewhere nothing is tidied up, so a command ends at once, also in the middle of a simulation.
    """
    waits = _is_command_line() and threading.current_thread() is threading.main_thread()
    changed = [each for each in _ENDING if waits and signal.getsignal(each) is signal.SIG_DFL]
    for each in changed:
        signal.signal(each, _stop)
    try:
        yield
    finally:
        for each in changed:
            if signal.getsignal(each) is _stop:
                signal.signal(each, signal.SIG_DFL)


def _is_command_line() -> bool:
    """Whether this process is `ringside …` or `python -m ringside …`, whose name is "-m" as long as it imports."""
    name = sys.argv[0] if sys.argv else ""
    if name == "-m":
        return ("-m", "ringside") in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)
    return name.replace("\\", "/").rpartition("/")[2] in ("ringside", "ringside.exe")


if _is_command_line() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _stop)
