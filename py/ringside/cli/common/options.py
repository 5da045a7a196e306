# SPDX-License-Identifier: Apache-2.0
"""Option types that several commands share."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ...operations import CKKS, CLIENT, EXACT, FRAMES, KECCAK, NEWHOPE, RING, TABLE, names

Compression = Literal["none", "zlib", "zstd"]
SeedType = Literal["shake256", "blake2xb"]
SealVersion = Literal["3.6", "3.7", "4.0", "4.1", "4.2", "4.3", "4.4"]
Security = Literal["128", "192", "256", "none"]
Format = Literal["npy", "csv", "png"]  # formats of values
ObjectFormat = Literal["seal", "tenseal", "lattigo", "openfhe"]  # formats of ciphertexts and keys
Separator = Literal["comma", "semicolon", "tab", "blank"]


class AnyFormat(StrEnum):
    """Format of values or of ciphertexts, for a command that has both."""

    npy = "npy"
    csv = "csv"
    png = "png"
    seal = "seal"
    tenseal = "tenseal"
    lattigo = "lattigo"
    openfhe = "openfhe"
    packed = "packed"


def security_bits(given: str) -> int:
    return 0 if given == "none" else int(given)


def parse_number(text: str) -> float:
    """`2^40`, `2**40`, `1e12` or a plain number; positive and finite."""
    base, power, exponent = text.replace("**", "^").partition("^")
    try:
        value = float(base) ** float(exponent) if power else float(base)
    except (ValueError, OverflowError, ZeroDivisionError):
        value = math.nan
    if isinstance(value, complex) or not (math.isfinite(value) and value > 0):
        raise typer.BadParameter(f"{text!r} is not a positive number such as 2^40 or 1e12")
    return value


def parse_clock(text: str) -> float:
    """MHz: a finite number of at least 1."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 1):
        raise typer.BadParameter(f"{text!r} is not a clock in MHz: a number of 1 or more, such as 500")
    return value


def parse_shape(text: str) -> tuple[int, ...]:
    """`28x28` -> (28, 28)."""
    try:
        shape = tuple(int(part) for part in text.lower().split("x"))
    except ValueError:
        shape = ()
    if not shape or min(shape) < 1:
        raise typer.BadParameter(f"{text!r} is not a shape such as 28x28")
    return shape


def parse_bits(text: str) -> tuple[int, list[int]]:
    """`8192:60,40,40,60` or `8192:60,40x2,60` -> (8192, [60, 40, 40, 60])."""
    degree, colon, sizes = text.partition(":")
    try:
        if not colon:
            raise ValueError
        groups = [size.partition("x") for size in sizes.split(",")]
        counts = [int(count) if x else 1 for _, x, count in groups]
        if not 0 < sum(counts) <= 256 or min(counts) < 1:
            raise ValueError
        return int(degree), [
            int(size) for (size, _, _), count in zip(groups, counts, strict=True) for _ in range(count)
        ]
    except ValueError:
        message = f"{text!r} is not of the form N:BITS,BITS,…, for example 8192:60,40,40,60"
        raise typer.BadParameter(message) from None


def parse_plain_modulus(text: str) -> int | str:
    """`65537` or `batching:20`."""
    if text.startswith("batching:") and text.removeprefix("batching:").isdecimal():
        return text
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is neither a number nor of the form batching:BITS, such as batching:20"
        ) from None


def parse_rotations(text: str) -> list[int] | str:
    """`pow2` or `1,-1,8`."""
    if text == "pow2":
        return text
    try:
        return [int(step) for step in text.split(",")]
    except ValueError:
        message = f"{text!r} is neither pow2 nor a list of steps such as 1,-1,8"
        raise typer.BadParameter(message) from None


def parse_columns(text: str) -> list[str]:
    """`price,volume` or `1,3-5` -> names or numbers, ranges written out."""
    found: list[str] = []
    for item in next(csv.reader([text], skipinitialspace=True), []):
        first, dash, last = item.strip().partition("-")
        if dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last) < 1 << 20:
            found += map(str, range(int(first), int(last) + 1))
        else:
            found.append(item.strip())
    if not all(found) or not found:
        raise typer.BadParameter(f"{text!r} is not a list of columns such as price,volume or 1,3-5")
    return found


# groups of options, where a command has many
FILES, CSV, OPERATION, COMPUTING, INTEGERS = "Files", "CSV files", "Operation", "Computing", "BFV and BGV"
file_option, csv_option, operation_option, computing_option, integer_option = (
    partial(typer.Option, rich_help_panel=panel) for panel in (FILES, CSV, OPERATION, COMPUTING, INTEGERS)
)

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else.")]
FullFlag = Annotated[bool, typer.Option("--full", help="Print every row. Default: a summary where there are many.")]
LevelOption = Annotated[
    int | None,
    typer.Option("--level", metavar="LEVEL", help="Level of the ciphertexts: limbs minus one. Default: the highest."),
]
ScaleOption = Annotated[
    Any,
    typer.Option(
        "--scale",
        metavar="SCALE",
        parser=parse_number,
        help="Factor that values are multiplied by, such as 2^40. Default: the set's own.",
    ),
]
KeysOption = Annotated[Path, typer.Option("--keys", metavar="DIR", help="Directory made by `ringside keygen`.")]
CompressionOption = Annotated[
    Compression, file_option("--compression", help="Compression of the files that are written.")
]
SeedTypeOption = Annotated[SeedType, file_option("--seed-type", help="Hash that expands seeds; every SEAL reads both.")]
VersionOption = Annotated[
    SealVersion, file_option("--seal-version", help="SEAL version in the file's header; SEAL 3.6 and newer read 3.6.")
]
DeviceOption = Annotated[
    str,
    computing_option(
        "--device",
        metavar="DEVICE",
        help="Device that computes: cpu:, sim:DESIGN (a hardware design in simulation) or soc:DESIGN (a RISC-V processor beside it).",
    ),
]
ClockOption = Annotated[
    float,
    computing_option(
        "--clock", metavar="MHz", parser=parse_clock, help="Clock of the simulated hardware, to turn cycles into time."
    ),
]


def other_clock(about: str) -> Any:
    """--clock where there is none by itself."""
    return typer.Option("--clock", metavar="MHz", parser=parse_clock, help=about)


LatencyOption = Annotated[int, typer.Option("--latency", min=1, max=1000, help="Latency of RAM, in cycles.")]
ThreadsOption = Annotated[
    int | None,
    computing_option(
        "--threads", min=1, max=256, help="Threads to compute with. Default: as many as this process may use."
    ),
]


def named_designs(incomplete: str) -> list[str]:
    """For completion: named designs."""
    from ...designs import names

    return [name for name in names() if name.startswith(incomplete)]


def named_parameters(incomplete: str) -> list[str]:
    """For completion: named parameter sets."""
    from ...objects.common.params import named_sets

    return [one.name for one in named_sets(None) if one.name.startswith(incomplete)]


PlainDesignArgument = Annotated[
    str, typer.Argument(help="A named design (`ringside designs`) or a TOML file.", autocompletion=named_designs)
]
DesignArgument = Annotated[
    str,
    typer.Argument(
        help="A named design (`ringside designs`) or a TOML file; options of its memory: rise-4,latency=100.",
        autocompletion=named_designs,
    ),
]
CheckedFlag = Annotated[
    bool, computing_option("--checked", help="Check the RTL's assertions; the simulation is slower.")
]
DegreeOption = Annotated[int, operation_option("--n", help="Ring degree N.")]
LimbsOption = Annotated[int, operation_option("--limbs", min=1, help="Number of moduli of the ciphertext.")]
BitsOption = Annotated[int, operation_option("--bits", help="Bits of each modulus.")]


# where what is usual depends on the operation
OwnLimbsOption = Annotated[
    int | None, operation_option("--limbs", min=1, help="Number of moduli of the ciphertext. Default: 1.")
]
OwnBitsOption = Annotated[int | None, operation_option("--bits", help="Bits of each modulus. Default: 30.")]


def operation_among(known: Iterable[str]) -> dict[str, Any]:
    """Of an option: one of these operations, completed, and with a hint where it is none."""
    allowed = tuple(known)

    def parsed(text: str) -> str:
        if text not in allowed:
            raise typer.BadParameter(f"{text!r} is not one of {', '.join(allowed)}.")
        return text

    parsed.choices = allowed  # type: ignore[attr-defined]  # as a type of Click's has them

    def completed(begin: str) -> list[str]:
        return [name for name in allowed if name.startswith(begin)]

    return {"parser": parsed, "autocompletion": completed, "metavar": "OPERATION", "rich_help_panel": OPERATION}


_OPERATION = (
    "encrypt-pk rounds by the special prime. encode and decode need a design with `encode`. -rescaled uses a scale that is no power of two, such as "
    "a server's rescaling leaves. decrypt-decode decodes the first limb, decrypt-decode-two the first two. "
)
_EXACT = f"Integers: {', '.join(names(*EXACT))}; plain modulus 65537. "
_KEMS = "ml-kem-512-… (768, 1024) with keygen, encaps, decaps, decaps-sealed; ml-dsa-44-… (65, 87) with keygen, sign, sign-sealed, verify"
OperationOption = Annotated[
    str,
    typer.Option(
        "--op",
        help=f"Operation: {', '.join(names(CKKS))}. {_OPERATION}{_EXACT}".strip(),
        **operation_among(names(*CLIENT)),
    ),
]
AnyOperationOption = Annotated[
    str,
    typer.Option(
        "--op",
        help=f"Operation: {', '.join(names(CKKS))}. {_OPERATION}{_EXACT}For a design with `fields`, such as pqc-4: {_KEMS}; "
        f"{', '.join(names(NEWHOPE, KECCAK))}. Products in their rings alone: {', '.join(names(RING))}.",
        **operation_among(name for name, row in TABLE.items() if row.takes),
    ),
]
SocOperationOption = Annotated[
    str,
    typer.Option(
        "--op",
        help="Operation. encrypt-pk rounds by the special prime; encrypt-sk is seeded. encode-… and decrypt-decode need a design with `encode`: the core "
        f"encodes and decodes. For a design with `fields`, such as pqc-4: {_KEMS}, but for -sealed; newhope-begin, newhope-finish, newhope-client.",
        **operation_among(name for name, row in TABLE.items() if row.on_chip is not None),
    ),
]
FIRMWARE = tuple(name for name, row in TABLE.items() if row.on_chip == FRAMES)
FirmwareOperationOption = Annotated[
    str, typer.Option("--op", help="Operation, done by software: encrypt-… or decrypt.", **operation_among(FIRMWARE))
]
SchemeDeviceOption = Annotated[
    str,
    computing_option(
        "--device",
        metavar="DEVICE",
        help="Device that computes: cpu:; sim:DESIGN, a hardware design with `fields` in simulation, such as sim:pqc-4; or soc:DESIGN, a RISC-V processor with it. "
        "The bytes are the same.",
    ),
]
SecurityOption = Annotated[Security, typer.Option("--security", help="Refuse parameters below this many bits.")]
ForceFlag = Annotated[bool, file_option("--force", help="Replace secret keys and other files of a key directory, too.")]
FormatOption = Annotated[
    Format | None, file_option("--format", help="Format of the values. Default: from the file name; required with -.")
]
AnyFormatOption = Annotated[
    list[AnyFormat] | None,
    file_option(
        "--format",
        help="Input format (npy, csv, png) or output format (seal, tenseal, lattigo, openfhe, packed); repeat for both. Default: from the file names; "
        "required with -.",
    ),
]
PackedFormatOption = Annotated[
    Literal["seal", "tenseal", "lattigo", "openfhe", "packed"] | None,
    file_option(
        "--format",
        help="Output format: seal, tenseal for a message that TenSEAL reads, lattigo or openfhe for files of these libraries, packed for as many bits "
        "to a word as its modulus has. Default: the input's.",
    ),
]
HeaderOption = Annotated[
    bool | None,
    csv_option(
        "--header/--no-header",
        help="Treat the first row of a CSV file as column names, or as values. Default: its cells decide.",
    ),
]
ColumnsOption = Annotated[
    Any,
    csv_option(
        "--columns",
        metavar="LIST",
        parser=parse_columns,
        help="Columns of a CSV file: names, or numbers such as 1,3-5.",
    ),
]
SeparatorOption = Annotated[
    Separator | None,
    csv_option(
        "--separator", help="Separator of a CSV file's columns. Default: the one that makes numbers of the cells."
    ),
]
PackingOption = Annotated[
    Literal["slots", "coefficients"] | None,
    integer_option(
        "--packing",
        help="Where integers are: in slots, or in coefficients, where products are those of polynomials; with --for-bootstrapping lattigo where real numbers "
        "are. Default: slots.",
    ),
]
VerboseFlag = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print a line for each file, also where there are many.")
]
