# SPDX-License-Identifier: Apache-2.0
"""The files of `ringside decrypt`, whatever the scheme: ciphertexts in, values out."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ...errors import InputError, UsageError
from ...exchange.packed import from_packed, is_packed
from ...objects.common.ciphertext import Ciphertext
from ...objects.common.integers import Integers
from ...objects.common.tables import Tables
from ..common.output import warn
from ..common.places import (
    STANDARD,
    check_standard_output,
    is_text,
    not_an_input,
    only_one_standard_input,
    read_input,
    value_format,
)


def read_ciphertext(context: Tables, source: bytes | Path) -> Ciphertext:
    """SEAL's or a packed one, of a file or of standard input that was read."""
    if is_packed(source):
        return from_packed(context, source)
    return Ciphertext.from_bytes(context, source) if isinstance(source, bytes) else Ciphertext.load(context, source)


@dataclass(frozen=True)
class WantedCount:
    """How many values are wanted, if it is said, and where."""

    number: int | None
    said: str = "--count is {}"

    def check(self, files: int, capacity: int) -> None:
        """InputError unless so many ciphertexts hold as many values."""
        if self.number is None or 0 < self.number <= capacity:
            return
        given = "the ciphertext given holds" if files == 1 else f"the {files} ciphertexts given hold"
        hint = "A message in several ciphertexts needs all of them, in order." if self.number > capacity else ""
        message = f"{self.said.format(self.number)}; {given} 1 to {capacity} values."
        raise InputError("RS_ERR_VALUE_COUNT", message, hint)


@dataclass(frozen=True)
class Answers:
    """Ciphertexts in order, the file of values, and what is wanted in it."""

    sources: Sequence[Path]
    out: Path
    kind: str
    count: int | None
    shape: tuple[int, ...] | None
    truth: Path | None
    separator: str | None
    force: bool

    def expected(self, integers: Integers | None = None) -> NDArray[Any] | None:
        """The values of --truth. integers: what they have to be."""
        if self.truth is None:
            return None
        if self.out.exists() and self.truth.exists() and self.truth.samefile(self.out):
            raise UsageError("USAGE", "--truth and OUT are the same file.", "Choose another name for OUT.")
        values = read_input(self.truth, None, separator=self.separator, integers=integers)
        if values.size == 0:
            raise InputError("RS_ERR_VALUE_COUNT", f"{self.truth} holds no values.")
        return values

    def wanted(self, expected: NDArray[Any] | None) -> WantedCount:
        if self.count is None and self.shape is not None:
            return WantedCount(math.prod(self.shape), "--shape has {} values")
        if self.count is None and expected is not None:
            return WantedCount(expected.size, "--truth has {} values")
        return WantedCount(self.count)


def check_arguments(files: Sequence[Path], format_: str | None, json: bool) -> Sequence[Path]:
    """The files. UsageError: they cannot be these. format_: what --format says of the values."""
    if len(files) < 2:
        raise UsageError("USAGE", "Give at least one ciphertext and the output file.")
    *sources, out = files
    kind = value_format(out, format_)
    only_one_standard_input(sources)
    check_standard_output(out, json, binary=not is_text(kind))
    if out != STANDARD:
        not_an_input(out, sources)
    _warn_of_order(sources)
    return files


def _warn_of_order(sources: Sequence[Path]) -> None:
    """Warns of parts of --split in the order of a shell: x-10 before x-2."""
    found = [re.fullmatch(r"(.*-)(\d+)(\.\w+)", str(source)) for source in sources]
    for one, other in pairwise(found):
        if one and other and one[1] == other[1] and int(one[2]) > int(other[2]):
            warn(f"{one[0]} stands before {other[0]}: values are in the order of the files as they are given.")
            return
