# SPDX-License-Identifier: Apache-2.0
"""Memory and code of a seeded secret-key encryption on bare machines (lib/bare/footprint.c), as a table in Markdown.

python3 scripts/footprint.py      (after `make test`, which installs compilers and QEMU)
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from common import BUILD, ROOT, StopError, finish, run_quiet, say

sys.path.insert(0, str(ROOT / "tests"))

from bare.machines import BARE, TARGETS, Target

SOURCE = ROOT / "lib" / "bare"
PARTS = ("context", "key", "plaintext", "ciphertext", "workspace", "stack")


def build(name: str, target: Target, program: str = "footprint") -> Path:
    compiler = f"{target.prefix}gcc"
    for tool in (compiler, target.qemu[0]):
        if not shutil.which(tool):
            raise StopError(f"{tool} is missing; `python3 scripts/setup.py test` installs it")
    place = BUILD / "bare" / name
    run_quiet(["cmake", "-S", SOURCE, "-B", place, *target.options(name)], "footprint")
    run_quiet(["cmake", "--build", place, "--target", program], "footprint")
    return place / f"{program}.elf"


def measure(target: Target, image: Path) -> dict[str, int]:
    """What the program prints, and the length of its code and constants."""
    done = subprocess.run([*target.qemu, image], capture_output=True, text=True, timeout=3600)
    if done.returncode:
        raise StopError(f"{image.parent.name}: {done.stdout}{done.stderr}")
    sizes = {name: int(number) for name, number in re.findall(r"^(\w+) (\d+)$", done.stdout, re.MULTILINE)}
    table = subprocess.run([f"{target.prefix}size", image], capture_output=True, text=True, check=True).stdout
    sizes["code"] = int(table.splitlines()[1].split()[0])
    return sizes


def kib(number: int) -> str:
    return f"{number / 1024:.0f}"


def main() -> int:
    say("| target | code | RAM in all | " + " | ".join(PARTS) + " |")
    say("|---" * (3 + len(PARTS)) + "|")
    for name in BARE:
        target = TARGETS[name]
        sizes = measure(target, build(name, target))
        row = [sizes["code"], sum(sizes[part] for part in PARTS), *(sizes[part] for part in PARTS)]
        say(f"| {target.title} | " + " | ".join(map(kib, row)) + " |")
    return 0


if __name__ == "__main__":
    finish(main)
