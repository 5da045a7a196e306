# SPDX-License-Identifier: Apache-2.0
"""`ringside encrypt` and `decrypt` with keys of BFV or BGV: integers modulo the plain modulus t."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...devices.cpu import CPU
from ...errors import UsageError, frames_called, in_frame, without_frame
from ...exchange.directory import library_of, library_of_file
from ...exchange.library import ForeignLibrary
from ...native.encoding import centred
from ...objects.common.ciphertext import Ciphertext
from ...objects.common.integers import Integers
from ...objects.common.keys import SecretKey
from ...objects.common.params import CKKS, Parameters
from ...objects.exact.context import ExactContext
from ...objects.exact.options import SLOTS
from ...objects.keydir import KeyDirectory
from ...tenseal import TensealVector
from ...tenseal.context import check_scheme
from ...tenseal.files import is_tenseal
from ..common.output import counted, progress_bar, warn
from ..common.places import STANDARD, read_standard_input
from .answers import WantedCount, read_ciphertext
from .uploads import batches, secret_key_of


def is_exact(directory: KeyDirectory, options: Mapping[str, object]) -> bool:
    """Whether the keys are BFV's or BGV's. UsageError: they are CKKS's, and one of these options is given, which CKKS does not have."""
    if directory.params.scheme != CKKS:
        return True
    refuse_options(directory, options)
    return False


def refuse_options(directory: KeyDirectory, options: Mapping[str, object]) -> None:
    """UsageError for the first option that is given: the scheme of the keys does not have it."""
    scheme = directory.params.scheme
    for name, value in options.items():
        if value is not None and value is not False:
            other = "BFV and BGV" if scheme == CKKS else "CKKS"
            hint = f"Leave it out, or name keys of {other.replace('and', 'or')} by --keys."
            message = f"{name} is for {other}, and {directory.path} has keys of {scheme.upper()}."
            raise UsageError("USAGE", message, hint)


def context_of(directory: KeyDirectory) -> ExactContext:
    context = directory.context
    assert isinstance(context, ExactContext)
    return context


# ---- encrypt ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Whole:
    """Integers modulo t, in the place of encrypt.Reals."""

    t: int
    packing: str
    unsigned: bool
    wrap: bool
    form: str | None

    @classmethod
    def of(
        cls, params: Parameters, format_: str, packing: str | None, unsigned: bool, wrap: bool, form: str | None
    ) -> Whole:
        """UsageError: vectors of TenSEAL have no such packing or form. ParameterError: nor the scheme."""
        others = {"--form": form is not None, f"--packing {packing}": packing not in (None, SLOTS)}
        for name in [name for name, is_given in others.items() if is_given and format_ == "tenseal"]:
            raise UsageError("USAGE", f"{name} is not for vectors of TenSEAL.", "Leave it out.")
        if format_ == "tenseal":
            check_scheme(params)
        return cls(params.plain_modulus or 0, packing or SLOTS, unsigned, wrap, form)

    @property
    def options(self) -> dict[str, Any]:
        return {"packing": self.packing, "wrap": self.wrap, "form": self.form}

    @property
    def integers(self) -> Integers:
        span = (0, self.t - 1) if self.unsigned else centred(self.t)
        hint = f"--wrap takes values modulo {self.t}; `ringside keygen --plain-modulus` makes room for larger ones."
        if not self.unsigned:
            hint = f"--unsigned takes values from 0 to {self.t - 1}, {hint}"
        return Integers(None if self.wrap else span, hint)

    def row(self, values: NDArray[Any]) -> NDArray[Any]:
        return values.astype(np.uint64) if self.unsigned and not self.wrap else values

    def facts(self, method: Any, written: Any) -> dict[str, Any]:
        scheme, form = written.first.context.params.scheme, written.first.form
        return {"scheme": scheme, "plain_modulus": self.t, "packing": self.packing, "form": form}

    def words(self, facts: dict[str, Any]) -> tuple[str, str]:
        return f" of {facts['scheme'].upper()}", f"integers modulo {self.t} in {self.packing}"


# ---- decrypt ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Opening:
    """How to decrypt, in the place of decrypt.RealOpening."""

    packing: str | None
    unsigned: bool
    margin: int | None
    integers = Integers()

    def decrypt(
        self, directory: KeyDirectory, sources: Sequence[Path], wanted: WantedCount, threads: int
    ) -> NDArray[Any]:
        context = context_of(directory)
        if STANDARD not in sources and not any(map(is_tenseal, sources)):
            wanted.check(len(sources), context.n * len(sources))  # a vector says itself how much it holds
        options: Any = {"packing": self.packing or SLOTS, "unsigned": self.unsigned, "margin_bits": self.margin}
        rows: list[NDArray[Any]] = []
        with (
            secret_key_of(directory) as secret,
            ThreadPoolExecutor(threads if directory.device == CPU.name else 1) as pool,
            progress_bar("Decrypting") as progress,
        ):
            for some in batches(sources):
                with frames_called(some):
                    rows += pool.map(partial(_open, directory, secret, options), some, range(len(some)))
                progress(len(rows), len(sources))
        values = np.concatenate(rows)
        wanted.check(len(sources), values.size)
        return values[: wanted.number]

    def facts(self, params: Parameters) -> dict[str, Any]:
        packing = self.packing or SLOTS
        facts = {"scheme": params.scheme, "plain_modulus": params.plain_modulus, "packing": packing}
        return facts | {"margin_bits": self.margin}

    def compared(self, values: NDArray[Any], expected: NDArray[Any]) -> dict[str, Any]:
        wrong = np.flatnonzero(values.astype(object) != expected.astype(object))
        found: dict[str, Any] = {"wrong": int(wrong.size)}
        if wrong.size:
            at = int(wrong[0])
            found["first_wrong"] = {"index": at, "value": int(values[at]), "expected": int(expected[at])}
        return found

    def tell(self, result: dict[str, Any], keys: Path) -> None:
        print(f"{result['file']}: {counted(result['values'], 'integer')} modulo {result['plain_modulus']}")

    def comparison(self, result: dict[str, Any]) -> str:
        first = result.get("first_wrong")
        at = f", the first at index {first['index']}: {first['value']} instead of {first['expected']}" if first else ""
        return f"{result['wrong']} of {counted(result['compared'], 'value')} wrong{at}"


def _open(
    directory: KeyDirectory, secret: SecretKey, options: dict[str, Any], source: Path, index: int
) -> NDArray[Any]:
    """The values of a file of SEAL, TenSEAL or another library. index: for errors."""
    given = read_standard_input("a ciphertext") if source == STANDARD else source
    if is_tenseal(given):
        vector = TensealVector.read(context_of(directory), given)
        with in_frame(index), without_frame():
            return vector.decrypt_values(secret, threads=1, **options)
    ciphertext, opener = _load(directory, given)
    with in_frame(index):
        values: NDArray[Any] = opener.decrypt_values(ciphertext, secret, **options)
        return values


def _load(directory: KeyDirectory, given: bytes | Path) -> tuple[Ciphertext, ExactContext | ForeignLibrary]:
    """A ciphertext, and what decrypts it."""
    context = context_of(directory)
    if (name := library_of_file(given)) is not None:
        library = library_of(directory, name)
        return library.read_ciphertext(given), library
    return read_ciphertext(context, given), context


# ---- noise --------------------------------------------------------------------------------------------
def noise_budget(directory: KeyDirectory, source: bytes | Path) -> int:
    """The noise budget of a ciphertext in bits, with a warning that it is for the owner of the key."""
    ciphertext, opener = _load(directory, source)
    with secret_key_of(directory) as secret:
        bits = opener.noise_budget(ciphertext, secret, consent="owner")
    warn("the noise budget is for the owner of the key: it tells others about the noise, and so about the key.")
    return bits
