# SPDX-License-Identifier: Apache-2.0
"""All proofs about the hardware, also those that are too long for the tests.

formal.py [arguments for pytest]
"""

import subprocess
import sys

from common import PYTHON, ROOT, environment, finish
from setup import setup


def main() -> int:
    setup("formal")
    places = sorted(ROOT.glob("hw/*/formal"))
    env = environment() | {"RINGSIDE_FORMAL": "1"}
    command = [PYTHON, "-m", "pytest", "--durations=10", *places, *sys.argv[1:]]
    return subprocess.run(list(map(str, command)), cwd=ROOT, env=env).returncode


if __name__ == "__main__":
    finish(main)
