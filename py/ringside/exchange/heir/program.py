# SPDX-License-Identifier: Apache-2.0
"""A compiled program as its client sees it: arguments and results with their slots, parameters, keys. A manifest holds it as JSON."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...arguments import checks_arguments
from ...errors import InputError, MismatchError
from ...formats.lattigo import LattigoParameters, parameters_from
from ...formats.openfhe import OpenFheParameters
from ...native.files import StrPath, read_file
from ...objects.common.keys import PublicKey, SecretKey
from ...objects.common.params import CKKS
from ...tenseal.source import Source
from ..library import ForeignLibrary
from .layouts import POINTS_MAX, SlotRun, spread

_KIND = "ringside heir program 1"
LATTIGO, OPENFHE = "lattigo", "openfhe"


@dataclass(frozen=True)
class Operand:
    """An argument or a result. type: as MLIR has it. ciphertexts: 0 of an argument that the server gets in the clear. level, log_scale: to encrypt at;
    None: the highest, the scheme's. runs: of an argument all slots that have a value, and a value may have none; of a result one slot of each."""

    name: str
    type: str
    shape: tuple[int, ...]
    ciphertexts: int
    level: int | None
    log_scale: int | None
    relation: str
    runs: tuple[SlotRun, ...]

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def fits(self, slots: int, *, complete: bool) -> bool:
        """Whether all places are within the shape and the slots. complete: each value has to have one."""
        if not self.ciphertexts:
            return not self.runs
        if not 0 < self.ciphertexts * slots <= POINTS_MAX or not 0 < self.size <= POINTS_MAX:
            return False
        if any(run[2] < 1 or run[2] > POINTS_MAX for run in self.runs) or len(self.runs) > POINTS_MAX:
            return False
        if sum(run[2] for run in self.runs) > POINTS_MAX:
            return False
        values, places = spread(self.runs)
        good = ((values >= 0) & (values < self.size)).all() and (
            (places >= 0) & (places < self.ciphertexts * slots)
        ).all()
        count = len(np.unique(values)) if complete else self.size
        return bool(good) and len(np.unique(places)) == len(places) and count == self.size


@checks_arguments
@dataclass(frozen=True)
class HeirProgram:
    """scheme: ckks, bgv or bfv. slots: of a ciphertext as the compiler counts; CKKS repeats them to all. parameters: of Lattigo, JSON's members;
    context: what OpenFHE's context has to be. rotations: steps of rotation keys, 0 for conjugation."""

    function: str
    library: Literal["lattigo", "openfhe"]
    scheme: str
    slots: int
    parameters: dict[str, Any] | None
    context: dict[str, int] | None
    arguments: tuple[Operand, ...]
    results: tuple[Operand, ...]
    relin: bool
    rotations: tuple[int, ...]
    mlir_sha256: str

    def text(self) -> str:
        """As JSON."""
        return json.dumps({"kind": _KIND, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def of_text(cls, text: str | bytes, where: str) -> Self:
        """Reads strictly what `text` wrote. InputError: it is none."""
        try:
            found = json.loads(text)
            for group in ("arguments", "results"):
                found[group] = tuple(
                    Operand(**{**one, "shape": tuple(one["shape"]), "runs": tuple(map(_run, one["runs"]))})
                    for one in found[group]
                )
            found["rotations"] = tuple(found["rotations"])
            if found.pop("kind") == _KIND and (program := cls(**found))._is_whole():
                return program
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
            pass
        message = f"{where} is not the manifest of a program, or was changed since."
        raise InputError(
            "HEIR_MANIFEST", message, "`ringside heir program.mlir --out DIR` writes it as DIR/manifest.json."
        )

    def _is_whole(self) -> bool:
        numbers = [
            self.slots,
            *self.rotations,
            *(size for one in self.operands for size in (*one.shape, one.ciphertexts)),
        ]
        numbers += [number for one in self.operands for number in (one.level, one.log_scale) if number is not None]
        return (
            all(type(number) is int and abs(number) <= POINTS_MAX for number in numbers)
            and self.library in (LATTIGO, OPENFHE)
            and (self.parameters is None) == (self.library == OPENFHE)
            and all(one.fits(self.slots, complete=False) for one in self.arguments)
            and all(one.fits(self.slots, complete=True) for one in self.results)
            and all(name.isidentifier() for name in (self.function, *(one.name for one in self.operands)))
        )

    @property
    def operands(self) -> tuple[Operand, ...]:
        """Arguments, then results."""
        return self.arguments + self.results

    @property
    def encrypted(self) -> list[Operand]:
        """Arguments that the client encrypts."""
        return [one for one in self.arguments if one.ciphertexts]

    @classmethod
    def read(cls, path: StrPath) -> Self:
        """From a manifest. FileError; InputError: it is none."""
        return cls.of_text(bytes(read_file(path)), os.fspath(path))

    def lattigo(self) -> LattigoParameters:
        """The parameters of a program for Lattigo."""
        return parameters_from(self.parameters or {})

    def check(self, library: str | None, parameters: LattigoParameters | OpenFheParameters | None) -> None:
        """MismatchError: keys, or an OpenFHE context, are not for this program."""
        name = {LATTIGO: "Lattigo", OPENFHE: "OpenFHE"}[self.library]
        good = library == self.library and parameters is not None
        if isinstance(parameters, LattigoParameters) and self.parameters is not None:
            good = good and parameters == self.lattigo()
        elif isinstance(parameters, OpenFheParameters) and self.context is not None:
            good = good and len(parameters.q) > self.context["mulDepth"] and self.slots <= parameters.n // 2
        if not good:
            message = f"The program {self.function} is for {name}, and these keys are for other parameters."
            raise MismatchError("HEIR_KEYS", message, "`ringside keygen --program MANIFEST --out DIR` makes its keys.")

    def pack(self, argument: Operand, values: ArrayLike, slots: int) -> list[NDArray[Any]]:
        """The slots of each ciphertext of an argument. slots: of a ciphertext of the library. InputError: not so many values."""
        given = np.asarray(values).reshape(-1)
        if given.size != argument.size:
            message = f"{argument.name} is a {argument.type} with {argument.size} values; {given.size} are given."
            raise InputError(
                "RS_ERR_VALUE_COUNT", message, "Give one file of values for each encrypted argument, in their order."
            )
        packed = np.zeros(argument.ciphertexts * self.slots, given.dtype)
        index, places = spread(argument.runs)
        packed[places] = given[index]
        times = slots // self.slots if self.scheme == CKKS else 1
        return [np.tile(row, times) for row in packed.reshape(argument.ciphertexts, self.slots)]

    def encrypt(self, server: ForeignLibrary, key: SecretKey | PublicKey, *values: ArrayLike) -> list[list[bytes]]:
        """The files of the ciphertexts of each encrypted argument."""
        self.check(server.name.lower(), getattr(server, "parameters", None))
        found = []
        for one, given in zip(self.encrypted, values, strict=True):
            how = {"level": one.level} | ({} if one.log_scale is None else {"scale": 2.0**one.log_scale})
            rows = self.pack(one, given, server.context.slots)
            found.append([server.ciphertext_to_bytes(server.encrypt(row, key, **how)) for row in rows])
        return found

    def decrypt(self, server: ForeignLibrary, key: SecretKey, files: Sequence[Source], result: int = 0) -> NDArray[Any]:
        """The values of a result from the files of its ciphertexts."""
        return self.unpack(
            self.results[result], [server.decrypt_values(server.read_ciphertext(file), key) for file in files]
        )

    def unpack(self, result: Operand, rows: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """The values of a result, in its shape, of the slots of its ciphertexts."""
        if len(rows) != result.ciphertexts:
            message = f"{result.name} is in {result.ciphertexts} ciphertexts; {len(rows)} are given."
            raise InputError("RS_ERR_VALUE_COUNT", message, "Name all of them, in order, then the file of values.")
        index, places = spread(result.runs)
        slots = np.concatenate([row[: self.slots] for row in rows])
        found = np.zeros(result.size, slots.dtype)
        found[index] = slots[places]
        return found.reshape(result.shape)


def _run(numbers: Any) -> SlotRun:
    value, value_step, count, slot, slot_step = numbers
    if not all(type(number) is int and abs(number) <= POINTS_MAX for number in numbers):
        raise ValueError
    return value, value_step, count, slot, slot_step
