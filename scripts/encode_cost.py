# SPDX-License-Identifier: Apache-2.0
"""Instructions of encode and decode on bare machines, with doubles and in fixed point (lib/bare/encode_cost.c), as a table in Markdown.

python3 scripts/encode_cost.py      (after `make test`, which installs compilers and QEMU)
"""

import re
import subprocess
import sys

from common import ROOT, StopError, finish, say
from footprint import build

sys.path.insert(0, str(ROOT / "tests"))

from bare.machines import BARE, TARGETS, Target

KINDS = {"double": "doubles", "32": "W = 32", "54": "W = 54"}


def measure(name: str, target: Target) -> dict[str, int]:
    """Counted by QEMU; on the Cortex-M4 by its timer, to 40 instructions."""
    image = build(name, target, "encode_cost")
    counting = ["-icount", "shift=0"]
    done = subprocess.run([*target.qemu, image, *counting], capture_output=True, text=True, timeout=3600)
    if done.returncode:
        raise StopError(f"{name}: {done.stdout}{done.stderr}")
    return {what: int(number) for what, number in re.findall(r"^([\w-]+) (\d+)$", done.stdout, re.MULTILINE)}


def thousands(number: int) -> str:
    return f"{(number + 500) // 1000:,}"


def main() -> int:
    say("| target | encoder | slots to coefficients | to three limbs | one limb to slots | one NTT |")
    say("|---" * 6 + "|")
    for name in BARE:
        counts = measure(name, TARGETS[name])
        for kind, title in KINDS.items():
            row = [counts[f"{what}-{kind}"] for what in ("encode-coefficients", "lift", "decode")]
            cells = " | ".join(map(thousands, [*row, counts["ntt"]]))
            say(f"| {TARGETS[name].title} | {title} | {cells} |")
    return 0


if __name__ == "__main__":
    finish(main)
