# SPDX-License-Identifier: Apache-2.0
"""Set up a group, then become its program: `run.py demo|hardware|soc|bench|bench-quick|embed|docs|soak|release|rebuild [arguments]`."""

import os
import sys

from common import PYTHON, ROOT, VENV, StopError, environment, finish, say
from setup import setup

PROGRAMS = {
    "demo": (VENV / "bin" / "ringside", "demo"),
    "hardware": (VENV / "bin" / "ringside", "designs"),
    "soc": (VENV / "bin" / "ringside", "soc", "run"),
    "bench": (PYTHON, ROOT / "tests" / "bench" / "run.py"),
    "bench-quick": (PYTHON, ROOT / "tests" / "bench" / "run.py", "--quick"),
    "embed": (PYTHON, ROOT / "scripts" / "releasing" / "embed.py"),
    "docs": (PYTHON, ROOT / "scripts" / "pages" / "make.py"),
    "soak": (PYTHON, ROOT / "tests" / "soak" / "run.py"),
    "release": (PYTHON, ROOT / "scripts" / "releasing" / "release.py"),
    "rebuild": (PYTHON, ROOT / "scripts" / "releasing" / "rebuild.py"),
}


def main() -> int:
    name, *arguments = sys.argv[1:] or [""]
    if name not in PROGRAMS:
        raise StopError(f"usage: run.py {'|'.join(PROGRAMS)} [arguments]")
    setup(name)
    if any("sim:" in argument for argument in arguments):
        setup("hardware")
    if name == "hardware":
        say(
            f"`ringside` with everything that its hardware commands need: source {(VENV / 'bin' / 'activate').relative_to(ROOT)}"
        )
    command = [*map(str, PROGRAMS[name]), *arguments]
    os.execve(command[0], command, environment())


if __name__ == "__main__":
    finish(main)
