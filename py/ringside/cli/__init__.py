# SPDX-License-Identifier: Apache-2.0
"""The command line, `ringside`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line (default: the process's own) and returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    from .output import report_error

    try:
        from .app import app

        app(args=arguments, prog_name="ringside")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except Exception as error:
        return report_error(error, as_json="--json" in arguments)
    return 0
