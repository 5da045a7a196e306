# SPDX-License-Identifier: Apache-2.0
"""bootstrapping.Parameters of Lattigo v6 as JSON, which rotations its circuit makes, and the file bootstrapping.EvaluationKeys. Checked against v6.2.0.

evaluation keys     for each of EvkN1ToN2, EvkN2ToN1, EvkRealToCmplx, EvkCmplxToReal, EvkDenseToSparse, EvkSparseToDense: u8 1 and gadget, or u8 0;
                    then u8 1 and the set of evaluation keys (lattigo.py)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .lattigo import Gadget, LattigoParameters, integer_of, object_of, parameters_from, put_gadget, wrong_parameters
from .rings import is_prime, rotation_element

_ENCODE, _DECODE = 0, 1  # dft.Type
_REPACK = 2  # dft.RepackImagAsReal
_DEPTH_MAX = 64
_RATIO_MAX = 16
_BITS_MAX = 62  # Lattigo's largest primes: those of 61 bits in its lists lie on both sides of 2^61


@dataclass(frozen=True)
class DftMatrix:
    """dft.MatrixLiteral, as far as rotations depend on it. depth: factors of the matrix."""

    kind: int
    log_slots: int
    depth: int
    is_repacked: bool
    is_bit_reversed: bool
    log_ratio: int

    def rotations(self, log_n: int) -> set[int]:
        """dft.MatrixLiteral.GaloisElements, as numbers of slots."""
        slots, found = 1 << self.log_slots, set[int]()
        is_sparse = self.is_repacked and self.log_slots < log_n - 1
        if is_sparse and self.kind == _ENCODE:
            found.add(slots)
        for index, diagonals in enumerate(self._diagonals(log_n)):
            if len(diagonals) < 3:
                found |= diagonals
                continue
            inner = _inner_steps(diagonals, 2 * slots if is_sparse else slots, self.log_ratio)
            reach = 2 * slots if is_sparse and self.kind == _DECODE and index == 0 else slots
            found |= {place // inner * inner & (reach - 1) for place in diagonals} - {0}
            found |= {place & (inner - 1) for place in diagonals} - {0}
        return found

    def _diagonals(self, log_n: int) -> Iterator[set[int]]:
        """Of each factor, those that are not zero: MatrixLiteral.computeBootstrappingDFTIndexMap."""
        merged, level = list[int](), self.log_slots
        for index in range(self.depth):
            merged.append(-(-level // (self.depth - index)))
            level -= merged[-1]
        if self.kind == _DECODE:
            merged.reverse()
        level = self.log_slots
        for index, count in enumerate(merged):
            slots, layers = 1 << self.log_slots, range(level, level - count, -1)
            if self.kind == _DECODE and index == 0 and self.is_repacked and self.log_slots < log_n - 1:
                found, slots = {0, slots}, 2 * slots
            else:
                found, layers = {0, self._step(level), slots - self._step(level)}, layers[1:]
            for layer in layers:
                step = self._step(layer) & (slots - 1)
                found = {(place + by) & (slots - 1) for place in found for by in (0, step, -step)}
            yield found
            level -= count

    def _step(self, level: int) -> int:
        return 1 << (level - 1 if (self.kind == _ENCODE) != self.is_bit_reversed else self.log_slots - level)


def _inner_steps(diagonals: set[int], slots: int, log_ratio: int) -> int:
    """lintrans.FindBestBSGSRatio: the baby steps."""
    inner = 1
    while inner < slots:
        outer = len({(place & (slots - 1)) // inner for place in diagonals}) - 1
        rest = len({place & (inner - 1) for place in diagonals}) - 1
        if rest == outer << log_ratio != 0:
            return inner
        if rest > outer << log_ratio:
            return inner // 2
        inner *= 2
    return 1


@dataclass(frozen=True)
class BootstrappingParameters:
    """residual: of ciphertexts. circuit: of the bootstrapping, whose first primes are theirs. weight: of the ephemeral secret."""

    residual: LattigoParameters
    circuit: LattigoParameters
    encode: DftMatrix
    decode: DftMatrix
    weight: int

    @property
    def elements(self) -> list[int]:
        """Galois elements of the circuit: those of the matrices, of the trace to fewer slots, and of the conjugation."""
        n = self.circuit.n
        log_n = n.bit_length() - 1
        steps = self.encode.rotations(log_n) | self.decode.rotations(log_n)
        steps |= {1 << place for place in range(self.decode.log_slots, log_n - 1)}
        return sorted({pow(5, step, 2 * n) for step in steps} | {rotation_element(0, n)})

    @property
    def client(self) -> LattigoParameters:
        """Of a client. In a ring smaller than the circuit's it has the first prime alone: all that its uploads and its answers are modulo."""
        if self.residual.n == self.circuit.n:
            return self.residual
        own = self.residual
        return LattigoParameters(own.n, own.q[:1], (), own.log_default_scale)


def read_bootstrapping(data: bytes | memoryview) -> BootstrappingParameters:
    """From the JSON of bootstrapping.Parameters. ParameterError."""
    members = object_of(data)
    residual, circuit = (_parameters(members, f"{name}Parameters") for name in ("Residual", "Bootstrapping"))
    if circuit.n < residual.n or circuit.q[: len(residual.q)] != residual.q or not circuit.p:
        raise wrong_parameters("those of the bootstrapping do not extend the residual ones, or have no P")
    for q in circuit.moduli:
        if circuit.moduli.count(q) > 1:
            raise wrong_parameters(f"the prime {q} is there twice")
        if q % (2 * circuit.n) != 1 or q.bit_length() > _BITS_MAX or not is_prime(q):
            raise wrong_parameters(f"{q} is no prime of at most {_BITS_MAX} bits that is 1 mod 2N with N = {circuit.n}")
    encode, decode = (_matrix(members, f"{name}Parameters") for name in ("CoeffsToSlots", "SlotsToCoeffs"))
    log_slots = encode.log_slots
    if (encode.kind, decode.kind, decode.log_slots) != (_ENCODE, _DECODE, log_slots) or 2 << log_slots > circuit.n:
        raise wrong_parameters("its two transforms do not belong together")
    weight = integer_of(members, "EphemeralSecretWeight")
    if not 0 <= weight <= circuit.n:
        raise wrong_parameters(f"the ephemeral secret's weight is {weight}")
    return BootstrappingParameters(residual, circuit, encode, decode, weight)


def client_parameters(data: bytes | memoryview) -> LattigoParameters:
    """Of a client, from parameters with or without bootstrapping. ParameterError."""
    return read_bootstrapping(data).client if is_bootstrapping(data) else parameters_from(object_of(data))


def is_bootstrapping(data: bytes | memoryview) -> bool:
    """Whether parameters are of bootstrapping. ParameterError: they are not even JSON."""
    return "BootstrappingParameters" in object_of(data)


def _parameters(members: dict[str, Any], name: str) -> LattigoParameters:
    found = parameters_from(_member(members, name))
    if found.plain_modulus is not None:
        raise wrong_parameters("they are not of CKKS")
    return found


def _member(members: dict[str, Any], name: str) -> dict[str, Any]:
    found = members.get(name)
    if not isinstance(found, dict):
        raise wrong_parameters(f"{name} is missing", "Write them by MarshalBinary of bootstrapping.Parameters.")
    return found


def _matrix(members: dict[str, Any], name: str) -> DftMatrix:
    found = _member(members, name)
    kind, log_slots, format_, ratio = (integer_of(found, key) for key in ("Type", "LogSlots", "Format", "LogBSGSRatio"))
    levels, reversed_ = found.get("Levels"), found.get("BitReversed")
    if not isinstance(levels, list) or not all(isinstance(count, int) and 0 < count <= _DEPTH_MAX for count in levels):
        raise wrong_parameters(f"Levels of {name} are no list of numbers")
    depth = sum(levels)
    if not (
        1 <= log_slots <= 16 and 1 <= depth <= log_slots and 0 <= ratio <= _RATIO_MAX and isinstance(reversed_, bool)
    ):
        raise wrong_parameters(f"{name} has {depth} factors for 2^{log_slots} slots")
    return DftMatrix(kind, log_slots, depth, format_ == _REPACK, reversed_, ratio)


def write_bootstrapping_keys(
    keys: Iterable[tuple[Gadget, int] | None], rest: Iterable[bytes | memoryview]
) -> Iterator[bytes | memoryview]:
    """keys: the six, each with its number of primes of Q; asked for one after the other. rest: the set of evaluation keys."""
    for key in keys:
        yield bytes([key is not None])
        if key is not None:
            yield from put_gadget(*key)
    yield b"\1"
    yield from rest
