# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown of what the library takes on bare machines (after `make test`, which installs compilers and QEMU).

python3 scripts/bare_tables.py sensor         what the lean client takes (lib/bare/sensor.c, docs/microcontrollers.md)
python3 scripts/bare_tables.py footprint      memory and code of a seeded secret-key encryption (lib/bare/footprint.c)
python3 scripts/bare_tables.py encode_cost    instructions of encode and decode, with doubles and in fixed point (lib/bare/encode_cost.c)
python3 scripts/bare_tables.py encrypt_cost   instructions of an encryption with a public key (lib/bare/encrypt_cost.c)
python3 scripts/bare_tables.py keys_cost      memory and instructions of switching keys by the lean client (lib/bare/keys_cost.c)
python3 scripts/bare_tables.py mlkem_cost     instructions and memory of ML-KEM (lib/bare/mlkem_cost.c), compiled for speed and for size
python3 scripts/bare_tables.py mldsa_cost     instructions and memory of ML-DSA (lib/bare/mldsa_cost.c), compiled for speed and for size
python3 scripts/bare_tables.py mldsa_small    memory and instructions of ML-DSA in the least memory
python3 scripts/bare_tables.py classic_cost   instructions of NewHope and BLISS, and the shares of kernels in them (lib/bare/classic_cost.c)
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from common import BUILD, ROOT, StopError, finish, help_wanted, run_quiet, say

sys.path.insert(0, str(ROOT / "tests"))

from bare.machines import BARE, TARGETS, Target

SOURCE = ROOT / "lib" / "bare"
LEAN = ("memory", "key", "parameters", "stack")
PARTS = ("context", "key", "plaintext", "ciphertext", "workspace", "stack")
KINDS = {"double": "doubles", "32": "W = 32", "54": "W = 54"}


def build(name: str, target: Target, program: str, kind: str = "") -> Path:
    """kind: Release, where it is not to be for size."""
    for tool in target.needed:
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


def sizes(image: Path, target: Target) -> tuple[int, int]:
    """Bytes of code with constants, and of data that begin with values."""
    table = subprocess.run([f"{target.prefix}size", image], capture_output=True, text=True, check=True).stdout
    text, data = map(int, table.splitlines()[1].split()[:2])
    return text, data


def instructions(name: str, target: Target, program: str, kind: str = "") -> dict[str, int]:
    """What a program counts: QEMU's instructions, on the Cortex-M4 by its timer, to 40 of them."""
    return numbers(build(name, target, program, kind), target, "-icount", "shift=0")


def thousands(count: int) -> str:
    return f"{(count + 500) // 1000:,}"


def footprint(name: str, target: Target) -> Iterator[list[str]]:
    image = build(name, target, "footprint")
    found = numbers(image, target)
    code, _ = sizes(image, target)
    parts = [found[part] for part in PARTS]
    yield [f"{size / 1024:.0f}" for size in (code, sum(parts), *parts)]


def sensor(name: str, target: Target) -> Iterator[list[str]]:
    """One seeded secret-key encryption, N = 4096, three primes, compiled for speed. RAM, in bytes, without the readings themselves. Flash: code and
    constants of the whole program. Instructions: encode and encrypt, file included."""
    found, flash = (
        instructions(name, target, "sensor", "Release"),
        sum(sizes(build(name, target, "sensor", "Release"), target)),
    )
    parts = [found[part] for part in LEAN]
    yield [f"{count:,}" for count in (sum(parts), *parts, found["readings"], flash, found["encrypt-instructions"])]


def encode_cost(name: str, target: Target) -> Iterator[list[str]]:
    counts = instructions(name, target, "encode_cost")
    for kind, title in KINDS.items():
        row = [counts[f"{what}-{kind}"] for what in ("encode-coefficients", "lift", "decode")]
        yield [title, *map(thousands, [*row, counts["ntt"]])]


def encrypt_cost(name: str, target: Target) -> Iterator[list[str]]:
    """Compiled for speed. Thousands."""
    yield [thousands(instructions(name, target, "encrypt_cost", "Release")["encrypt-pk"])]


def keys_cost(name: str, target: Target) -> Iterator[list[str]]:
    """Compiled for speed. RAM as of `sensor`; the stack is that of all three degrees. Bytes of the relinearisation key's file. Millions."""
    found = instructions(name, target, "keys_cost", "Release")
    for n in (4096, 8192, 16384):
        parts = [found[f"memory-{n}"], n // 4, found["parameters"], found["stack"]]
        counts = [f"{found[f'{key}-{n}'] / 1e6:.1f}" for key in ("relin", "rotation")]
        yield [f"{n:,}", *(f"{size:,}" for size in (sum(parts), *parts, found[f"bytes-{n}"])), *counts]


def scheme_cost(
    program: str, sets: Sequence[int], columns: Sequence[str], memory: Sequence[str], name: str, target: Target
) -> Iterator[list[str]]:
    """Compiled for speed and for size. The stack is that of all sets, the program's own included."""
    for kind, option in (("Release", "-O3"), ("", "-Os")):
        counts = instructions(name, target, program, kind)
        for number in sets:
            times = [thousands(counts[f"{what}-{number}"]) for what in columns]
            kept = [f"{counts[one]:,}" for one in [*(f"{what}-{number}" for what in memory), "stack"]]
            yield [option, str(number), *times, *kept]


mlkem_cost = partial(scheme_cost, "mlkem_cost", (512, 768, 1024), ("keygen", "encaps", "decaps"), ("workspace",))
# signatures: of one round, and the mean of twenty; the same with the matrix kept from round to round
mldsa_cost = partial(
    scheme_cost, "mldsa_cost", (44, 65, 87), ("keygen", "sign", "sign-mean", "sign-fast", "sign-fast-mean", "verify"),
    ("workspace", "fast-workspace", "verify-workspace"),
)  # fmt: skip


def mldsa_small(name: str, target: Target) -> Iterator[list[str]]:
    """Least memory, compiled for speed. Bytes: RAM is workspace and stack, that of the program that calls included; keys, message and signature are the
    caller's. Thousands of instructions: the mean of twenty signatures, a verification, and times what both take in more memory."""
    found = instructions(name, target, "mldsa_cost", "Release")
    for number in (44, 65, 87):
        rows = {"keygen": "verify-workspace", "sign-small": "small-workspace", "verify-small": "small-verify-workspace"}
        ram = [found[f"{space}-{number}"] + found[f"{what}-stack-{number}"] for what, space in rows.items()]
        pairs = [
            (found[f"{slow}-{number}"], found[f"{fast}-{number}"])
            for slow, fast in (("sign-small-mean", "sign-mean"), ("verify-small", "verify"))
        ]
        counts = [f"{thousands(slow)} ({slow / fast:.2f})" for slow, fast in pairs]
        yield [str(number), *(f"{size:,}" for size in ram), *counts]


def classic_cost(name: str, target: Target) -> Iterator[list[str]]:
    """Thousands, and percent. Samplers of NewHope are counted with the streams that they draw; here they are without."""
    counts = instructions(name, target, "classic_cost")
    for operation in ("server", "client", "keypair", "sign", "verify"):
        whole, *parts = (
            counts.get(f"{operation}-{part}", 0) for part in ("whole", "ntt", "keccak", "chacha", "samplers")
        )
        if operation in ("server", "client"):
            parts[3] -= parts[1] + parts[2]
        shares = [*parts, whole - sum(parts)]
        yield [operation, thousands(whole), *(f"{100 * share / whole:.1f}" for share in shares)]


TABLES: dict[str, tuple[tuple[str, ...], Callable[[str, Target], Iterator[list[str]]]]] = {
    "sensor": (("RAM", "working memory", *LEAN[1:], "readings", "flash", "instructions"), sensor),
    "footprint": (("code", "RAM in all", *PARTS), footprint),
    "encode_cost": (
        ("encoder", "slots to coefficients", "to three limbs", "one limb to slots", "one NTT"),
        encode_cost,
    ),
    "encrypt_cost": (("lee-12, public key",), encrypt_cost),
    "keys_cost": (("N", "RAM", "working memory", *LEAN[1:], "file", "relinearisation", "rotation"), keys_cost),
    "mlkem_cost": (("compiled", "set", "keygen", "encaps", "decaps", "workspace, bytes", "stack, bytes"), mlkem_cost),
    "mldsa_cost": (
        (
            "compiled", "set", "keygen", "sign, one round", "mean", "A kept: one round", "mean", "verify",
            "workspace, bytes", "A kept, bytes", "to verify, bytes", "stack, bytes",
        ),
        mldsa_cost,
    ),
    "mldsa_small": (("set", "keygen, RAM", "sign, RAM", "verify, RAM", "sign", "verify"), mldsa_small),
    "classic_cost": (
        ("operation", "thousand", "NTT, %", "Keccak, %", "ChaCha, %", "samplers, %", "rest, %"),
        classic_cost,
    ),
}  # fmt: skip


def print_table(columns: Sequence[str], rows: Iterable[tuple[str, Iterable[str]]]) -> None:
    """In Markdown; each row with the target that it is of."""
    say(f"| target | {' | '.join(columns)} |")
    say("|---" * (1 + len(columns)) + "|")
    for name, row in rows:
        say(f"| {TARGETS[name].title} | {' | '.join(row)} |")


def main() -> int:
    if help_wanted(__doc__):
        return 0
    table, *names = sys.argv[1:] or [""]
    if table not in TABLES or not set(names) <= set(BARE):
        raise StopError(f"usage: bare_tables.py {'|'.join(TABLES)} [{'|'.join(BARE)} …]")
    columns, rows = TABLES[table]
    print_table(columns, ((name, row) for name in names or BARE for row in rows(name, TARGETS[name])))
    return 0


if __name__ == "__main__":
    finish(main)
