# SPDX-License-Identifier: Apache-2.0
"""Products and relinearisation of either kind with the polynomial products on a core, and the rest on the host: the words of the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ringside.designs import Design
from ringside.progress import Progress
from ringside.sim.core import ProgramRun
from ringside.sim.options import Simulated

from ..hardware.engine import MIB, Engine, Residues, radix
from ..hardware.programs import Program, product, relinearisation, sums, sums_that_fit, transforms
from ..scheme import Scheme, Words
from .boxes import Forms
from .host import WINDOW_BITS, dropped, lifted, reduced, windows

ROOM = 8 * MIB  # for images beside those that are counted


def _log_points(scheme: Scheme) -> int:
    return scheme.info.points.bit_length() - 1


def check_design(design: Design, scheme: Scheme, batch: int) -> None:
    """DeviceError: it has not the groups, sizes and instructions for these programs."""
    sums(design, _log_points(scheme), [[(0, 0)]])
    relinearisation(design, _log_points(scheme), 1, 1, batch, narrow=True)


class CoreServer:
    """The scheme's products on a simulated core, of ciphertexts up to a level. `jobs`: how each program went. Use it in a `with`."""

    def __init__(self, wanted: Simulated, scheme: Scheme, level: int, batch: int, progress: Progress | None = None):
        """progress: of building the core's model."""
        self.scheme, self.batch, self.design = scheme, batch, wanted.design.name
        self.told: Callable[[int], None] = lambda count: None  # how many relinearisations are done now
        self.log_points = _log_points(scheme)
        check_design(wanted.design, scheme, batch)
        self.jobs: list[ProgramRun] = []
        self._keys: list[NDArray[np.uint32]] = []
        self._images: dict[tuple[int, int], bytes] = {}
        rows, digits = level + scheme.parameters.special, self._digits(level)
        polys = rows * (digits + 4) + batch * max(rows, digits) + 4 * batch * rows
        self._engine = Engine(wanted, self.log_points, 2 * polys * (4 << self.log_points) + ROOM, progress)

    def __enter__(self) -> CoreServer:
        return self

    def __exit__(self, *exc: object) -> None:
        self._engine.__exit__(None, None, None)

    @property
    def cycles(self) -> int:
        """Cycles of all programs so far."""
        return sum(job.cycles for job in self.jobs)

    def load_keys(self, keys: Sequence[Words]) -> None:
        """Digits of the evaluation key, [rows][n] each, as Scheme.make_evaluation gives them."""
        self._keys = [key.copy() for key in keys]

    def _primes(self, level: int) -> list[int]:
        return [self.scheme.prime(index) for index in range(level)]

    def _digits(self, level: int) -> int:
        """How many digits a relinearisation has."""
        if special := self.scheme.parameters.special:
            return -(-level // special)
        return -(-self.scheme.parameters.prime_bits * level // WINDOW_BITS)

    def _contexts(self, program: Program, primes: Sequence[int]) -> int:
        place = self._engine.room(program.primes * program.shape.context)
        for number in range(program.primes):
            self._engine.put(place + number * program.shape.context, self._engine.context(primes[number]))
        return place

    def _reduced(self, polys: Residues, q: int, factor: int = 1) -> Residues:
        return reduced(polys * np.uint64(factor) % np.uint64(q), self.scheme.parameters.m, q)

    def _put_half(self, place: int, words: NDArray[np.uint32] | Residues, half: int) -> None:
        self._engine.put(place, words.astype("<u4").tobytes().ljust(half, b"\0"))

    def _radix(self, q: int) -> int:
        return radix(self._engine.design.word_bits) % q

    # ---- a product ---------------------------------------------------------------------------------------------------------
    def multiply(self, a: Words, b: Words) -> Words:
        """[level][count][n], one ciphertext after the other."""
        out = np.empty_like(a)
        for index in range(a.shape[1]):
            first = 0
            while first < len(a):
                first += self._multiply_some(a[:, index], b[:, index], out[:, index], first)
        return out

    def _multiply_some(self, a: Words, b: Words, out: Words, first: int) -> int:
        """Modulo as many primes as a program takes: how many."""
        engine, primes = self._engine, self._primes(len(a))
        program = product(engine.design, self.log_points, len(a) - first)
        shape, count = program.shape, program.primes
        with engine.scratch():
            places = [self._contexts(program, primes[first:])]
            for operand in (a, b):
                places.append(engine.room(count * shape.half))
                for number in range(count):
                    self._put_half(places[-1] + number * shape.half, operand[first + number], shape.half)
            places.append(engine.room(count * shape.whole))
            self.jobs.append(engine.run(program, places))
            for number in range(count):
                q = primes[first + number]
                poly = engine.words(places[3] + number * shape.whole, shape.points)
                out[first + number] = self._reduced(poly, q, self._radix(q))
        return count

    # ---- sums of products ------------------------------------------------------------------------------------------------------
    def bilinear(self, forms: Forms, left: Words, right: Words) -> Words:
        """Forms of [level][boxes][left][n] and [level][boxes][right][n]: [level][boxes count][n], under the square of the key."""
        level, boxes, _, n = left.shape
        out: Words = np.empty((level, boxes * forms.count, n), np.uint32)
        for row, q in enumerate(self._primes(level)):
            images = self._transformed(q, left[row].reshape(-1, n)), self._transformed(q, right[row].reshape(-1, n))
            some = min(boxes, sums_that_fit(self._engine.design, len(forms.pairs), forms.count))
            for first in range(0, boxes, some):
                parts = (image.reshape(boxes, -1, image.shape[-1])[first : first + some] for image in images)
                found = self._summed(q, forms, *parts)
                out[row, first * forms.count : (first + some) * forms.count] = found
        return out

    def _transformed(self, q: int, polys: Words) -> Residues:
        """Images in NTT form of polynomials [count][n]."""
        engine, found, first = self._engine, list[Residues](), 0
        while first < len(polys):
            program = transforms(engine.design, self.log_points, len(polys) - first)
            shape = program.shape
            count = (len(program.words) - 2) // 3
            with engine.scratch():
                places = [self._contexts(program, [q]), engine.room(count * shape.half), 0]
                places.append(engine.room(count * shape.whole))
                for number in range(count):
                    self._put_half(places[1] + number * shape.half, polys[first + number], shape.half)
                self.jobs.append(engine.run(program, places))
                found.append(engine.words(places[3], count * shape.points).reshape(count, -1))
            first += count
        return np.concatenate(found)

    def _summed(self, q: int, forms: Forms, left: Residues, right: Residues) -> Residues:
        """Sums of some boxes' images [boxes][left][points] and [boxes][right][points]. The host adds what one factor is multiplied by."""
        engine, boxes, pairs = self._engine, len(left), forms.pairs
        terms: list[list[tuple[int, int]]] = [[] for _ in range(boxes * forms.count)]
        for box in range(boxes):
            for number, (k, i, _) in enumerate(pairs):
                terms[box * forms.count + k].append((box * forms.left + i, box * len(pairs) + number))
        program = sums(engine.design, self.log_points, terms)
        shape = program.shape
        added = np.zeros((boxes, len(pairs), shape.points), np.uint64)
        for number, (_, _, mask) in enumerate(pairs):
            for j in range(forms.right):
                if mask >> j & 1:
                    added[:, number] += right[:, j]
        with engine.scratch():
            places = [self._contexts(program, [q])]
            for images in (left, added % np.uint64(q)):
                places.append(engine.room(images.size * 4))
                engine.put(places[-1], images.astype("<u4").tobytes())
            places.append(engine.room(len(terms) * shape.whole))
            self.jobs.append(engine.run(program, places))
            found = engine.words(places[3], len(terms) * shape.points).reshape(len(terms), -1)
        return self._reduced(found, q, self._radix(q))

    # ---- relinearisation ---------------------------------------------------------------------------------------------------------
    def relinearise(self, products: Words) -> None:
        """In place, a batch after the other; the last one may be smaller."""
        for first in range(0, products.shape[1], self.batch):
            some = products[:, first : first + self.batch]
            if self.scheme.parameters.special:
                self._relinearise_hybrid(some)
            else:
                self._relinearise_windows(some)
            self.told(some.shape[1])

    def _key(self, index: int, digit: int, q: int) -> bytes:
        """The image of a row of the evaluation key, which stands there for all programs."""
        place = index, digit
        if place not in self._images:
            self._images[place] = self._engine.key(q, self._keys[digit][index].astype(np.uint64))
        return self._images[place]

    def _put_keys(self, place: int, primes: Sequence[tuple[int, int]], digits: int, whole: int) -> None:
        """primes: number of the row in the key, and modulus."""
        for number, (index, q) in enumerate(primes):
            for t in range(digits):
                self._engine.put(place + (number * digits + t) * whole, self._key(index, t, q))

    def _put_digits(self, place: int, digits: Residues, size: int, *, narrow: bool) -> None:
        for number, words in enumerate(digits.reshape(-1, digits.shape[-1])):
            data = words.astype("<u2" if narrow else "<u4").tobytes().ljust(size, b"\0")
            self._engine.put(place + number * size, data)

    def _sums(self, primes: Sequence[tuple[int, int]], given: Residues) -> Residues:
        """Digits times keys: [primes][batch][n]. given: [primes][batch][digits][n], or [1] for all primes: windows."""
        engine, (rows, batch, digits, n), first = self._engine, given.shape, 0
        narrow = rows < len(primes)
        out = np.empty((len(primes), batch, n), np.uint64)
        while first < len(primes):
            program = relinearisation(engine.design, self.log_points, len(primes) - first, digits, batch, narrow=narrow)
            shape, some = program.shape, list(primes[first : first + program.primes])
            here = given if narrow else given[first : first + len(some)]
            with engine.scratch():
                places = [self._contexts(program, [q for _, q in some])]
                places.append(engine.room(len(some) * digits * shape.whole))
                self._put_keys(places[1], some, digits, shape.whole)
                places.append(engine.room(here.shape[0] * batch * digits * shape.digit))
                self._put_digits(places[2], here, shape.digit, narrow=narrow)
                places.append(engine.room(len(some) * batch * shape.whole))
                self.jobs.append(engine.run(program, places))
                for number, (_, q) in enumerate(some):
                    place = places[3] + number * batch * shape.whole
                    polys = engine.words(place, batch * shape.points).reshape(batch, -1)
                    out[first + number] = self._reduced(polys, q)
            first += len(some)
        return out

    def _relinearise_windows(self, products: Words) -> None:
        level, batch = products.shape[:2]
        primes = self._primes(level)
        digits = np.array([windows(products[:, one], primes, self._digits(level)) for one in range(batch)])
        products[:] = self._sums(list(enumerate(primes)), digits[None].astype(np.uint64)).astype(np.uint32)

    def _relinearise_hybrid(self, products: Words) -> None:
        level, batch = products.shape[:2]
        primes, special = self._primes(level), self.scheme.parameters.special
        first = self.scheme.parameters.primes  # the first one of the special primes
        rows = [*enumerate(primes), *((first + k, self.scheme.prime(first + k)) for k in range(special))]
        moduli = [q for _, q in rows]
        given = np.array(
            [
                [lifted(products[:, one], primes, row, q, special) for one in range(batch)]
                for row, q in enumerate(moduli)
            ]
        )
        found = self._sums(rows, given)
        for one in range(batch):
            products[:, one] = dropped(found[:, one], moduli, special).astype(np.uint32)
