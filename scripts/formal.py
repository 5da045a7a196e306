# SPDX-License-Identifier: Apache-2.0
"""All proofs about the library and the hardware, also those that are too long for the tests: how far it is, and at the end a table.

formal.py [PLACE ...] [arguments for pytest, as -k ntt or -n auto]

PLACE: a folder of proofs, such as hw/ntt/formal; all of them without one.
"""

import os
import sys
from pathlib import Path
from typing import NoReturn

from common import PYTHON, ROOT, environment, finish, help_wanted
from setup import setup


def prove() -> NoReturn:
    setup("formal")
    named = any(Path(word).exists() for word in sys.argv[1:])
    places = [] if named else [ROOT / "lib" / "proofs", *sorted(ROOT.glob("hw/*/formal"))]
    env = environment() | {"RINGSIDE_FORMAL": "1", "PYTHONPATH": str(Path(__file__).resolve().parent / "plugins")}
    command = [PYTHON, "-m", "pytest", "-q", "-p", "ringside_formal", "--durations=10", *places, *sys.argv[1:]]
    os.chdir(ROOT)
    # in place of this program, so that an interrupted run still gets to its table
    os.execve(PYTHON, list(map(str, command)), env)


def main() -> int:
    if not help_wanted(__doc__):
        prove()
    return 0


if __name__ == "__main__":
    finish(main)
