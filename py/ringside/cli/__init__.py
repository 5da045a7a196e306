# SPDX-License-Identifier: Apache-2.0
"""The command line, `ringside`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .. import interrupt


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line (default: the process's own) and returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        from .run import run

        return run(arguments)
    except KeyboardInterrupt:
        return interrupt.tell(arguments)
