# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown of what the library takes on bare machines (after `make test`, which installs compilers and QEMU).

python3 scripts/bare_tables.py footprint      memory and code of a seeded secret-key encryption (lib/bare/footprint.c)
python3 scripts/bare_tables.py encode_cost    instructions of encode and decode, with doubles and in fixed point (lib/bare/encode_cost.c)
python3 scripts/bare_tables.py mlkem_cost     instructions and memory of ML-KEM (lib/bare/mlkem_cost.c), compiled for speed and for size
python3 scripts/bare_tables.py mldsa_cost     instructions and memory of ML-DSA (lib/bare/mldsa_cost.c), compiled for speed and for size
python3 scripts/bare_tables.py classic_cost   instructions of NewHope and BLISS, and the shares of kernels in them (lib/bare/classic_cost.c)
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from common import BUILD, ROOT, StopError, finish, help_wanted, run_quiet, say

sys.path.insert(0, str(ROOT / "tests"))

from bare.machines import BARE, TARGETS, Target

SOURCE = ROOT / "lib" / "bare"
PARTS = ("context", "key", "plaintext", "ciphertext", "workspace", "stack")
KINDS = {"double": "doubles", "32": "W = 32", "54": "W = 54"}


def build(name: str, target: Target, program: str, kind: str = "") -> Path:
    """kind: Release, where it is not to be for size."""
    for tool in (f"{target.prefix}gcc", target.qemu[0]):
        if not shutil.which(tool):
            raise StopError(f"{tool} is missing; `python3 scripts/setup.py test` installs it")
    place = BUILD / "bare" / (f"{name}-{kind.lower()}" if kind else name)
    options = [*target.options(name), *([f"-DCMAKE_BUILD_TYPE={kind}"] if kind else [])]
    run_quiet(["cmake", "-S", SOURCE, "-B", place, *options], program)
    run_quiet(["cmake", "--build", place, "--target", program], program)
    return place / f"{program}.elf"


def numbers(image: Path, target: Target, *options: str) -> dict[str, int]:
    """The numbers that a program prints."""
    done = subprocess.run([*target.qemu, image, *options], capture_output=True, text=True, timeout=3600)
    if done.returncode:
        raise StopError(f"{image.parent.name}: {done.stdout}{done.stderr}")
    return {name: int(number) for name, number in re.findall(r"^([\w-]+) (\d+)$", done.stdout, re.MULTILINE)}


def footprint(name: str, target: Target) -> Iterator[list[str]]:
    image = build(name, target, "footprint")
    sizes = numbers(image, target)
    table = subprocess.run([f"{target.prefix}size", image], capture_output=True, text=True, check=True).stdout
    code = int(table.splitlines()[1].split()[0])
    parts = [sizes[part] for part in PARTS]
    yield [f"{size / 1024:.0f}" for size in (code, sum(parts), *parts)]


def encode_cost(name: str, target: Target) -> Iterator[list[str]]:
    """Counted by QEMU; on the Cortex-M4 by its timer, to 40 instructions."""
    counts = numbers(build(name, target, "encode_cost"), target, "-icount", "shift=0")
    for kind, title in KINDS.items():
        row = [counts[f"{what}-{kind}"] for what in ("encode-coefficients", "lift", "decode")]
        yield [title, *(f"{(count + 500) // 1000:,}" for count in [*row, counts["ntt"]])]


def mlkem_cost(name: str, target: Target) -> Iterator[list[str]]:
    """Counted as those of encode_cost. The stack is that of all sets, the program's own included."""
    for kind, option in (("Release", "-O3"), ("", "-Os")):
        counts = numbers(build(name, target, "mlkem_cost", kind), target, "-icount", "shift=0")
        for number in (512, 768, 1024):
            row = [f"{(counts[f'{what}-{number}'] + 500) // 1000:,}" for what in ("keygen", "encaps", "decaps")]
            yield [option, str(number), *row, f"{counts[f'workspace-{number}']:,}", f"{counts['stack']:,}"]


def mldsa_cost(name: str, target: Target) -> Iterator[list[str]]:
    """As those of ML-KEM. Signatures: of one round, and the mean of twenty; the same with the matrix kept from round to round."""
    columns = ("keygen", "sign", "sign-mean", "sign-fast", "sign-fast-mean", "verify")
    memory = ("workspace", "fast-workspace", "verify-workspace")
    for kind, option in (("Release", "-O3"), ("", "-Os")):
        counts = numbers(build(name, target, "mldsa_cost", kind), target, "-icount", "shift=0")
        for number in (44, 65, 87):
            row = [f"{(counts[f'{what}-{number}'] + 500) // 1000:,}" for what in columns]
            yield [
                option,
                str(number),
                *row,
                *(f"{counts[f'{what}-{number}']:,}" for what in memory),
                f"{counts['stack']:,}",
            ]


def classic_cost(name: str, target: Target) -> Iterator[list[str]]:
    """Thousands, and percent. Samplers of NewHope are counted with the streams that they draw; here they are without."""
    counts = numbers(build(name, target, "classic_cost"), target, "-icount", "shift=0")
    for operation in ("server", "client", "keypair", "sign", "verify"):
        whole, *parts = (
            counts.get(f"{operation}-{part}", 0) for part in ("whole", "ntt", "keccak", "chacha", "samplers")
        )
        if operation in ("server", "client"):
            parts[3] -= parts[1] + parts[2]
        shares = [*parts, whole - sum(parts)]
        yield [operation, f"{(whole + 500) // 1000:,}", *(f"{100 * share / whole:.1f}" for share in shares)]


TABLES: dict[str, tuple[tuple[str, ...], Callable[[str, Target], Iterator[list[str]]]]] = {
    "footprint": (("code", "RAM in all", *PARTS), footprint),
    "encode_cost": (
        ("encoder", "slots to coefficients", "to three limbs", "one limb to slots", "one NTT"),
        encode_cost,
    ),
    "mlkem_cost": (("compiled", "set", "keygen", "encaps", "decaps", "workspace, bytes", "stack, bytes"), mlkem_cost),
    "mldsa_cost": (
        (
            "compiled", "set", "keygen", "sign, one round", "mean", "A kept: one round", "mean", "verify",
            "workspace, bytes", "A kept, bytes", "to verify, bytes", "stack, bytes",
        ),
        mldsa_cost,
    ),
    "classic_cost": (
        ("operation", "thousand", "NTT, %", "Keccak, %", "ChaCha, %", "samplers, %", "rest, %"),
        classic_cost,
    ),
}  # fmt: skip


def main() -> int:
    if help_wanted(__doc__):
        return 0
    if len(sys.argv) != 2 or sys.argv[1] not in TABLES:
        raise StopError(f"usage: bare_tables.py {'|'.join(TABLES)}")
    columns, rows = TABLES[sys.argv[1]]
    say(f"| target | {' | '.join(columns)} |")
    say("|---" * (1 + len(columns)) + "|")
    for name in BARE:
        for row in rows(name, TARGETS[name]):
            say(f"| {TARGETS[name].title} | {' | '.join(row)} |")
    return 0


if __name__ == "__main__":
    finish(main)
