# SPDX-License-Identifier: Apache-2.0
"""One command line, from its words to the exit code."""

from __future__ import annotations

from collections.abc import Sequence

from .. import interrupt
from . import plugins
from .common.output import be_quiet, report_error

QUIET = {"-q", "--quiet"}
BROKEN_PIPE = 141  # exit code if the reader of our output has gone, as a shell counts: 128 + SIGPIPE


def _understood(arguments: Sequence[str]) -> tuple[list[str], bool]:
    """The words without -q, which may stand anywhere in front of --, and whether it was there; `help X` is `X --help`."""
    words = list(arguments)
    end = words.index("--") if "--" in words else len(words)
    kept = [word for word in words[:end] if word not in QUIET] + words[end:]
    if kept[:1] == ["help"]:
        kept = [*kept[1:], "--help"]
    return kept, len(kept) < len(words) and not QUIET.isdisjoint(words[:end])


def run(arguments: Sequence[str]) -> int:
    """The exit code. Errors of any kind are printed, as JSON too if --json is among the words."""
    arguments, quiet = _understood(arguments)
    be_quiet(quiet)
    try:
        command = plugins.command_of(arguments)
        # not standalone: errors in the words themselves are raised, and reported like all others
        result = command(args=list(arguments), prog_name="ringside", standalone_mode=False)
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):
            return BROKEN_PIPE
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except Exception as error:
        if type(error).__name__ == "Abort":  # older versions of typer turn Ctrl-C into this
            raise KeyboardInterrupt from error
        return report_error(error, as_json="--json" in arguments)
    if result == interrupt.EXIT_CODE:  # and newer ones into this
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0
