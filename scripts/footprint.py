# SPDX-License-Identifier: Apache-2.0
"""What the lean client takes on bare machines (lib/bare/sensor.c, docs/microcontrollers.md), after `make test`, which installs compilers and QEMU.

python3 scripts/footprint.py [--json] [cortex-m4|rv32|rv64 …]

One seeded secret-key encryption, N = 4096, three primes, compiled for speed. RAM: working memory, key, parameters and stack, in bytes; the
readings themselves are counted apart. Flash: code and constants of the whole program. Instructions: encode and encrypt, file included.
"""

import json
import sys

from bare_tables import build, numbers, print_table, sizes
from common import ROOT, StopError, finish, help_wanted, say

sys.path.insert(0, str(ROOT / "tests"))

from bare.machines import BARE, TARGETS

RAM = ("memory", "key", "parameters", "stack")
COLUMNS = ("ram_bytes", *(f"{part}_bytes" for part in RAM), "readings_bytes", "flash_bytes", "instructions")
TITLES = ("RAM", "working memory", "key", "parameters", "stack", "readings", "flash", "instructions")


def footprint(name: str) -> dict[str, int]:
    """Of one machine, by the names of COLUMNS."""
    target = TARGETS[name]
    image = build(name, target, "sensor", "Release")
    printed = numbers(image, target, "-icount", "shift=0")
    text, data = sizes(image, target)
    parts = {f"{part}_bytes": printed[part] for part in RAM}
    return {
        "ram_bytes": sum(parts.values()), **parts, "readings_bytes": printed["readings"], "flash_bytes": text + data,
        "instructions": printed["encrypt-instructions"],
    }  # fmt: skip


def main() -> int:
    if help_wanted(__doc__):
        return 0
    names = [word for word in sys.argv[1:] if word != "--json"]
    unknown = [name for name in names if name not in BARE]
    if unknown:
        raise StopError(f"no bare machine {unknown[0]}; there are {', '.join(BARE)}")
    found = {name: footprint(name) for name in names or BARE}
    if "--json" in sys.argv[1:]:
        say(json.dumps(found, indent=1))
    else:
        print_table(TITLES, ((name, [f"{row[column]:,}" for column in COLUMNS]) for name, row in found.items()))
    return 0


if __name__ == "__main__":
    finish(main)
