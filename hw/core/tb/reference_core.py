# SPDX-License-Identifier: Apache-2.0
"""docs/core.md in Python, independent of the library (integers and hashlib) but for the transforms of fixed point, whose golden model it is:
the memory contents after a program.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from compute_bench import fixed_of, point_places, root_image
from numpy.typing import NDArray
from twiddle_image import image, reverse

from ringside.designs import Design

Polynomial = NDArray[Any]  # Python integers, by position in the core


def radix(design: Design) -> int:
    """R of word-level Montgomery; stored factors are multiplied by it (hw/README.md)."""
    return 1 << 11 * -(-design.word_bits // 11)


def primes(log_n: int, bits: int, count: int) -> list[int]:
    """The largest of `bits` bits that are 1 mod 2N and mod 2^11."""
    step, found = max(2 << log_n, 1 << 11), []
    q = (1 << bits) - step + 1 & ~(step - 1) | 1
    while len(found) < count:
        if all(pow(a, q - 1, q) == 1 for a in (2, 3, 5, 7, 11, 13)):
            found.append(q)
        q -= step
    return found


@dataclass
class Modulus:
    """A context: q, and the other contents of its image."""

    log_n: int
    q: int
    factor: int
    constant: int

    def __post_init__(self) -> None:
        n, q = 1 << self.log_n, self.q
        roots = (pow(g, (q - 1) // (2 * n), q) for g in range(2, q))
        self.psi = next(root for root in roots if pow(root, n, q) == q - 1)
        self.natural = np.array([reverse(k, self.log_n) for k in range(n)])
        powers = [1]
        for _ in range(n - 1):
            powers.append(powers[-1] * self.psi % q)
        self.powers = np.array(powers, object)

    def bytes(self, design: Design) -> bytes:
        q, width = self.q, design.word_bits
        largest = (1 << 64) - 1
        header = [q, 0, 0, 0, (1 << 64) // q, largest - largest % q - 1]
        header += [self.factor, self.constant * radix(design) % q]
        words = image(self.log_n, design.lanes, q, self.psi, radix(design), design.twiddles == "on_the_fly")
        data = (
            struct.pack("<8Q", *header) + np.array(words, np.uint64).astype("<u4" if width <= 32 else "<u8").tobytes()
        )
        return data + bytes(-len(data) % 64)

    def _dft(self, values: Polynomial, root: int) -> Polynomial:
        """sum over i of values[i] root^(i k), both in natural order."""
        if len(values) == 1:
            return values
        even, odd = (self._dft(values[i::2], root * root % self.q) for i in (0, 1))
        power, twiddles = 1, []
        for _ in range(len(odd)):
            twiddles.append(power)
            power = power * root % self.q
        turned = odd * np.array(twiddles, object) % self.q
        return np.concatenate([even + turned, even - turned]) % self.q

    def ntt(self, values: Polynomial) -> Polynomial:
        """Coefficient brv(k) at position k -> value at psi^(2 k + 1) at position k."""
        coefficients = values[self.natural] * self.powers % self.q
        return self._dft(coefficients, self.psi * self.psi % self.q)

    def intt(self, values: Polynomial) -> Polynomial:
        n = 1 << self.log_n
        inverse = pow(self.psi, -1, self.q)
        coefficients = self._dft(values, inverse * inverse % self.q) * pow(n, -1, self.q) % self.q
        scaled = coefficients * np.array([pow(inverse, i, self.q) for i in range(n)], object) % self.q
        return scaled[self.natural]


# ---- samples --------------------------------------------------------------------------------------------------------
def _private(seed: bytes, domain: int, size: int) -> bytes:
    blocks = range(-(-size // 136))
    return b"".join(hashlib.shake_256(seed + struct.pack("<Q", (domain << 56) + b)).digest(136) for b in blocks)


def cbd(seed: bytes, domain: int, n: int) -> Polynomial:
    data = _private(seed, domain, 6 * n)
    mask = (0xFF, 0xFF, 0x1F)

    def weight(octets: bytes) -> int:
        return sum((octet & m).bit_count() for octet, m in zip(octets, mask, strict=True))

    return np.array([weight(data[6 * k : 6 * k + 3]) - weight(data[6 * k + 3 : 6 * k + 6]) for k in range(n)], object)


def ternary(seed: bytes, domain: int, n: int) -> Polynomial:
    values: list[int] = []
    for octet in _private(seed, domain, n // 3):
        if octet < 243:
            values += [octet // 3**i % 3 - 1 for i in range(5)]
    return np.array(values[:n], object)


class Uniform:
    """SEAL's expansion of a seed: bulk words of all limbs, then replacements."""

    def __init__(self, seed: bytes, log_n: int, limbs: int) -> None:
        self.seed, self.n = seed, 1 << log_n
        self.place, self.spare = 0, limbs << log_n

    def _word(self, index: int) -> int:
        block = hashlib.shake_256(self.seed + struct.pack("<Q", index // 512)).digest(4096)
        return int.from_bytes(block[8 * (index % 512) : 8 * (index % 512) + 8], "little")

    def limb(self, q: int) -> list[int]:
        largest = (1 << 64) - 1
        limit = largest - largest % q - 1
        blocks = [
            hashlib.shake_256(self.seed + struct.pack("<Q", b)).digest(4096)
            for b in range(self.place // 512, (self.place + self.n) // 512)
        ]
        words = np.frombuffer(b"".join(blocks), "<u8").tolist()
        self.place += self.n
        for i, word in enumerate(words):
            while word >= limit:
                word = self._word(self.spare)
                self.spare += 1
            words[i] = word % q
        return words


# ---- fixed point ----------------------------------------------------------------------------------------------------
def roots_image(design: Design, log_n: int, factor: int = 0, added: int = 0) -> bytes:
    """A context of roots, and of the factors of SCALEW and MACW."""
    words = root_image(log_n, design.lanes, fixed_of(log_n, design.word_bits).roots)
    data = (
        struct.pack("<8Q", 1, *[0] * 5, added, factor)
        + np.array(words, np.uint64).astype(f"<u{4 if design.word_bits <= 32 else 8}").tobytes()
    )
    return data + bytes(-len(data) % 64)


def shifted(x: int, shift: int) -> int:
    """x 2^shift, halves away from zero."""
    if shift >= 0:
        return x << shift
    magnitude = (abs(x) + (1 << -shift - 1)) >> -shift
    return -magnitude if x < 0 else magnitude


def signed(byte: int) -> int:
    """A shift in imm."""
    return (byte + 128) % 256 - 128


FORMATS = ("<i1", "<u1", "<i2", "<u2", "<i4", "<i8")  # formats of numbers in memory
COMPLEX, SHIFT, COUNT = 3, 4, 12  # bits of the field that describe them


MESSAGE = 16  # a key of Reference.pointers: pointer 7 of frame 0, if that is another one than 7; those of others follow


@dataclass
class Numbers:
    """The field of LOADS and STORES."""

    imm: int

    def __post_init__(self) -> None:
        self.format = FORMATS[self.imm & 7]
        self.parts = 1 + (self.imm >> COMPLEX & 1)
        self.shift = signed(self.imm >> SHIFT & 255)
        self.count = (self.imm >> COUNT & 0xFFFF) + 1
        self.bytes = self.count * self.parts * int(self.format[2])


class OutOfRangeError(Exception):
    """A result that has no word: the core's fault is VALUE."""


# ---- programs -------------------------------------------------------------------------------------------------------
@dataclass
class Reference:
    design: Design
    log_n: int
    memory: bytearray
    seed: bytes = bytes(64)
    public_seed: bytes = bytes(64)
    seeds: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)  # private and public ones of frames above 0
    moduli: dict[int, Modulus] = field(default_factory=dict)  # by address of the context
    groups: dict[int, Polynomial] = field(default_factory=dict)
    slots: dict[int, Polynomial] = field(default_factory=dict)
    pointers: dict[int, int] = field(default_factory=dict)  # pointers of LOADS and STORES; from 8 on those of frames
    contexts: dict[int, Modulus] = field(default_factory=dict)
    factors: dict[int, tuple[int, int]] = field(default_factory=dict)  # SCALEW's and MACW's, of contexts with roots
    stream: Polynomial | None = None
    uniform: Uniform | None = None

    @property
    def natural(self) -> NDArray[np.intp]:
        """Word brv(k) of an array is at position k."""
        return np.array([reverse(k, self.log_n) for k in range(1 << self.log_n)])

    def read(self, address: int, wide: bool, half: bool = False, narrow: bool = False) -> Polynomial:
        octets = 2 if narrow else 8 if wide else 4
        data = self.memory[address : address + (octets << self.log_n >> half)]
        words = np.zeros(1 << self.log_n, object)
        words[: 1 << self.log_n >> half] = np.frombuffer(bytes(data), f"<u{octets}").astype(object)
        return words[self.natural]

    def write(self, address: int, values: Polynomial, wide: bool, half: bool = False) -> None:
        data = values[self.natural][: 1 << self.log_n >> half].astype("<u8" if wide else "<u4").tobytes()
        self.memory[address : address + len(data)] = data

    # ---- slots in memory
    @property
    def slot_points(self) -> NDArray[np.intp]:
        """Where the points of slots 0, 1 … are in the arrays of the transforms."""
        half, r, found = 1 << self.log_n - 1, 0, []
        for _ in range(half):
            found.append(reverse(r, self.log_n - 1))
            r = ~(3 * r) % half
        return np.array(found)

    def load_slots(self, dst: int, address: int, imm: int) -> None:
        numbers = Numbers(imm)
        data = np.frombuffer(bytes(self.memory[address : address + numbers.bytes]), numbers.format)
        values = np.zeros((numbers.count, 2), object)
        values[:, : numbers.parts] = data.reshape(numbers.count, numbers.parts)
        words = np.array([[shifted(x, numbers.shift) for x in slot] for slot in values], object)
        words[1::2, 1] *= -1
        points = np.zeros((2, 1 << self.log_n - 1), object)
        points[:, self.slot_points[: numbers.count]] = words.T
        self.put_words(dst, points, slots=True)

    def store_slots(self, a: int, address: int, imm: int) -> None:
        numbers = Numbers(imm)
        words = self.words(a, slots=True)[:, self.slot_points[: numbers.count]].T
        words[1::2, 1] *= -1
        found = [shifted(x, numbers.shift) for x in words[:, : numbers.parts].ravel()]
        limits = np.iinfo(numbers.format)
        if any(not limits.min <= x <= limits.max for x in found):
            raise OutOfRangeError
        data = np.array(found).astype(numbers.format).tobytes()
        self.memory[address : address + -(-len(data) // 64) * 64] = data + bytes(-len(data) % 64)

    # ---- fixed point: a group's words are where they would be in coefficient form
    def words(self, group: int, slots: bool) -> Polynomial:
        """Two rows, those of re and im."""
        row, word = point_places(self.log_n, self.design.lanes, slots)
        values, half = self.groups[group][4 * self.design.lanes * row + word], 1 << self.design.word_bits - 1
        return (values.astype(object) + half) % (2 * half) - half

    def put_words(self, group: int, values: Polynomial, slots: bool) -> None:
        row, word = point_places(self.log_n, self.design.lanes, slots)
        group_words = np.zeros(1 << self.log_n, object)
        half = 1 << self.design.word_bits - 1
        if any(not -half <= x < half for x in values.ravel()):
            raise OutOfRangeError
        group_words[4 * self.design.lanes * row + word] = values % (2 * half)
        self.groups[group] = group_words

    def transform_words(self, group: int, inverse: bool) -> None:
        fixed = fixed_of(self.log_n, self.design.word_bits)
        points, over = fixed.transform(self.words(group, inverse).astype(np.int64), inverse)
        if over:
            raise OutOfRangeError
        self.put_words(group, points.astype(object), not inverse)

    def centre(self, dst: int, a: int, q: int, shift: int, whole: bool) -> None:
        residues = self.groups[a][self.natural]
        words = np.array([shifted(x if whole or x <= q // 2 else x - q, shift) for x in residues], object)
        self.put_words(dst, words.reshape(2, -1), slots=False)

    def scale_words(self, dst: int, a: int, factor: int, adds: bool) -> None:
        half = 1 << self.design.word_bits - 1
        words, old = ((self.groups[g].astype(object) + half) % (2 * half) - half for g in (a, dst if adds else a))
        if any(words == -half):
            raise OutOfRangeError
        magnitudes = (abs(words) * factor + half) // (2 * half)
        sums = np.where(words < 0, -magnitudes, magnitudes) + (old if adds else 0)
        if any(not -half <= x < half for x in sums):
            raise OutOfRangeError
        self.groups[dst] = sums % (2 * half)

    def lift_words(self, dst: int, a: int, b: int, q: int, shift: int) -> None:
        words = np.array([shifted(x, shift) for x in self.words(b, slots=False).reshape(-1)], object)
        if any(abs(x) >= q for x in words):
            raise OutOfRangeError
        self.groups[dst] = (self.slots[a] + words[self.natural]) % q

    def run(
        self,
        name: str,
        dst: int = 0,
        a: int = 0,
        b: int = 0,
        ctx: int = 0,
        address: int = 0,
        frame: int = 0,
        **fields: int,
    ) -> None:
        """One instruction; addresses are from the start of memory."""
        n, groups, slots = 1 << self.log_n, self.groups, self.slots
        wide, add, factor, half, narrow = (bool(fields.get(f)) for f in ("wide", "add", "factor", "half", "narrow"))
        m = self.contexts.get(ctx)
        q = m.q if m else 1
        inverse = pow(radix(self.design), -1, q) if m else 1
        seed, public_seed = self.seeds.get(frame, (self.seed, self.public_seed))
        if name == "LOAD":
            groups[dst] = self.read(address, wide, half, narrow)
        elif name == "STORE":
            self.write(address, groups[a], wide, half)
        elif name == "TWIDDLES" or (name == "INTT" and fields.get("part", 0) in (1, 2)):
            pass  # the last part is all
        elif name in ("CONTEXT", "CONSTANTS"):
            self.contexts[dst] = self.moduli[address]
        elif name == "STREAM":
            self.stream = self.read(address, wide)
            if fields.get("signed"):
                self.stream = np.array([(x if x < 1 << 63 else x - (1 << 64)) % q for x in self.stream], object)
        elif name == "SAMPLE":
            slots[dst] = (ternary if fields.get("ternary") else cbd)(seed, fields["domain"], n)
        elif name == "LOADS":
            self.load_slots(dst, self.pointers[MESSAGE + frame if frame else fields["pointer"]], fields["numbers"])
        elif name == "STORES":
            self.store_slots(a, self.pointers[MESSAGE + frame if frame else fields["pointer"]], fields["numbers"])
        elif name == "ROOTS":
            self.contexts.pop(dst, None)
            self.factors[dst] = struct.unpack("<2Q", bytes(self.memory[address + 48 : address + 64]))[::-1]
        elif name in ("SCALEW", "MACW"):
            self.scale_words(dst, a, self.factors[ctx][name == "MACW"], name == "MACW")
        elif name in ("IFFT", "FFT"):
            self.transform_words(dst, name == "IFFT")
        elif name == "EXPAND":
            if fields.get("first"):
                self.uniform = Uniform(public_seed, self.log_n, fields["limbs"])
            assert self.uniform is not None
            words = self.uniform.limb(q)
            groups[dst] = np.array(words, object)[self.natural]
        else:
            assert m is not None
            if name == "LIFT":
                assert self.stream is not None or not add
                groups[dst] = (slots[a] * (m.factor if factor else 1) + (self.stream if add else 0)) % q
            elif name == "CENTRE":
                self.centre(dst, a, q, signed(fields["shift"]), bool(fields.get("whole")))
            elif name == "LIFTW":
                self.lift_words(dst, a, b, q, signed(fields["shift"]))
            elif name == "ROUND":
                slots[dst] = ((groups[a] + slots[dst] + q // 2) >= q).astype(object) + 0
            elif name == "NTT":
                groups[dst] = m.ntt(groups[dst])
            elif name == "INTT":
                groups[dst] = m.intt(groups[dst])
            elif name == "MUL":
                groups[dst] = groups[a] * groups[b] * inverse % q
            elif name == "MAC":
                groups[dst] = (groups[dst] + groups[a] * groups[b] * inverse) % q
            elif name == "MSUB":
                groups[dst] = (groups[dst] - groups[a] * groups[b] * inverse) % q
            elif name == "MSUBS":
                assert self.stream is not None
                groups[dst] = (groups[dst] - groups[a] * self.stream * inverse) % q
            elif name == "ADD":
                groups[dst] = (groups[dst] + groups[a]) % q
            elif name == "SUB":
                groups[dst] = (groups[dst] - groups[a]) % q
            elif name == "SCALE":
                groups[dst] = groups[a] * m.constant % q
            elif name == "MSUBC":
                groups[dst] = (groups[dst] - groups[a] * m.constant) % q
            else:
                raise ValueError(name)
