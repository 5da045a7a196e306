# SPDX-License-Identifier: Apache-2.0
"""Programs of the accelerator: products modulo several primes, and relinearisation of a batch of ciphertexts.

A program is for a few primes. All programs of an operation are the same but for their pointers, which step over those primes. Polynomials of n
coefficients are half of a transform's points: operands and digits have zeros behind them, which the core adds. What one factor of a product has besides
is R, the radix of word-level Montgomery: keys have it, and of two ciphertexts the host multiplies the result by it, with the reduction modulo Phi_m.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ringside.designs import Design
from ringside.errors import DeviceError
from ringside.sim.asm import instruction

LINE, ALIGNED = 64, 256  # bytes: of a line, of the longest burst
CONTEXTS, LEFT, KEYS = 0, 1, 1  # pointers: constants and roots, first operands, keys
RIGHT, DIGITS, RESULTS = 2, 2, 3  # second operands, digits, results
PRODUCT_GROUPS, FIXED_GROUPS = 4, 4  # groups of two pairs of operands; groups of two digits and two keys
TRANSFORM_GROUPS, SUM_GROUPS = 2, 6  # operands in turns; two sums and two pairs of factors


@dataclass(frozen=True)
class Shape:
    """Sizes in memory, in bytes. digit: of a digit, in words of 16 bits or of 32."""

    design: Design
    log_points: int
    narrow: bool

    @property
    def points(self) -> int:
        return 1 << self.log_points

    @property
    def whole(self) -> int:
        return 4 * self.points

    @property
    def half(self) -> int:
        return self.whole // 2

    @property
    def digit(self) -> int:
        return self.points if self.narrow else self.half

    @property
    def context(self) -> int:
        """Constants and the table of roots, up to where a burst may begin."""
        return -(-(LINE + self.whole) // ALIGNED) * ALIGNED


@dataclass(frozen=True)
class Program:
    """words: END included. primes: it is for. strides: by how much each pointer goes on to the next program."""

    shape: Shape
    words: Sequence[int]
    primes: int
    strides: Sequence[int]


def _check(design: Design, log_points: int, groups: int) -> None:
    problem = ""
    if not design.short:
        problem = "has no LOAD of half a polynomial"
    elif design.word_bits > 32:
        problem = "has words of more than 32 bits"
    elif design.bank_groups < groups or design.contexts < 2:
        problem = f"has fewer than {groups} groups or two contexts"
    elif not design.log_n_min <= log_points <= design.log_n_max:
        problem = f"has no transform of 2^{log_points} points"
    if problem:
        hint = (
            "Choose a smaller batch, or another design."
            if "groups" in problem
            else "doroz2015 computes these programs."
        )
        raise DeviceError("DESIGN", f"{design.name} {problem}.", hint)


class _Writer:
    def __init__(self, shape: Shape) -> None:
        self.shape, self.words = shape, list[int]()

    def emit(self, name: str, *, at: tuple[int, int] | None = None, **fields: int) -> None:
        """at: pointer and offset in bytes."""
        if at is not None:
            fields |= {"pointer": at[0], "offset": at[1] // LINE}
        self.words.append(instruction(name, **fields))

    def context(self, prime: int) -> None:
        self.emit("CONTEXT", dst=prime % 2, at=(CONTEXTS, prime * self.shape.context))

    def operand(self, group: int, prime: int, at: tuple[int, int], narrow: bool = False) -> None:
        self.emit("LOAD", dst=group, ctx=prime % 2, at=at, half=1, narrow=int(narrow))

    def ended(self, primes: int, strides: Sequence[int]) -> Program:
        self.emit("END")
        depth = self.shape.design.program_depth
        if len(self.words) > depth:
            name = self.shape.design.name
            raise DeviceError("DESIGN", f"{name} has room for {depth} instructions, and one prime takes more.")
        return Program(self.shape, self.words, primes, strides)


def _fit(shape: Shape, primes: int, per_prime: int) -> int:
    """As many primes as the program memory has room for, in programs of about the same length."""
    most = max(1, (shape.design.program_depth - 1) // per_prime)
    return -(-primes // -(-primes // most))


def product(design: Design, log_points: int, primes: int) -> Program:
    """The product of two polynomials, modulo as many primes as fit. Operands of the next prime are loaded while one is computed."""
    _check(design, log_points, PRODUCT_GROUPS)
    shape = Shape(design, log_points, narrow=False)
    count = _fit(shape, primes, per_prime=8)
    writer, pairs = _Writer(shape), design.bank_groups // 2

    def load(prime: int, operand: int) -> None:
        if prime < count:
            place = ((LEFT, RIGHT)[operand], prime * shape.half)
            writer.operand(2 * (prime % pairs) + operand, prime, place)

    def context(prime: int) -> None:
        if prime < count:
            writer.context(prime)

    context(0)
    load(0, 0)
    load(0, 1)
    # a LOAD that waits for the addresses of the one before would hold up what stands behind it: so a transform stands between them
    for prime in range(count):
        a, ctx = 2 * (prime % pairs), prime % 2
        context(prime + 1)
        writer.emit("NTT", dst=a, ctx=ctx)
        load(prime + 1, 0)
        writer.emit("NTT", dst=a + 1, ctx=ctx)
        load(prime + 1, 1)
        writer.emit("MUL", dst=a, a=a, b=a + 1, ctx=ctx)
        writer.emit("INTT", dst=a, ctx=ctx)
        writer.emit("STORE", a=a, at=(RESULTS, prime * shape.whole))
    return writer.ended(count, [count * size for size in (shape.context, shape.half, shape.half, shape.whole)])


@dataclass(frozen=True)
class _Step:
    """One digit of one ciphertext modulo one prime; `number` counts them."""

    number: int
    prime: int
    digit: int
    one: int


class _Relinearisation:
    """Groups: sums of the batch, two digits, two keys."""

    def __init__(self, shape: Shape, primes: int, digits: int, batch: int) -> None:
        self.shape, self.primes, self.digits, self.batch, self.writer = shape, primes, digits, batch, _Writer(shape)
        places = [(prime, digit, one) for prime in range(primes) for digit in range(digits) for one in range(batch)]
        self.steps = [_Step(number, *place) for number, place in enumerate(places)]

    def key_group(self, step: _Step) -> int:
        return self.batch + 2 + (step.prime * self.digits + step.digit) % 2

    def load_digit(self, number: int) -> None:
        """Behind a prime's first digit its first key."""
        if number >= len(self.steps):
            return
        step, shape = self.steps[number], self.shape
        row = step.one * self.digits + step.digit
        if not shape.narrow:  # digits of each prime; windows are the same for all
            row += step.prime * self.batch * self.digits
        self.writer.operand(self.batch + number % 2, step.prime, (DIGITS, row * shape.digit), shape.narrow)
        if step.digit == 0 and step.one == 0:
            self.load_key(number)

    def load_key(self, number: int) -> None:
        step = self.steps[number]
        offset = (step.prime * self.digits + step.digit) * self.shape.whole
        self.writer.emit("LOAD", dst=self.key_group(step), ctx=step.prime % 2, at=(KEYS, offset), ntt=1)

    def compute(self, step: _Step) -> None:
        emit, digit, ctx = self.writer.emit, self.batch + step.number % 2, step.prime % 2
        emit("NTT", dst=digit, ctx=ctx)
        emit("MAC" if step.digit else "MUL", dst=step.one, a=digit, b=self.key_group(step), ctx=ctx)
        if step.digit == self.digits - 1:
            emit("INTT", dst=step.one, ctx=ctx)
            row = step.prime * self.batch + step.one
            emit("STORE", a=step.one, at=(RESULTS, row * self.shape.whole))

    def next_context(self, step: _Step) -> None:
        """In the middle of a prime."""
        if step.one == 0 and step.digit == self.digits // 2 and step.prime + 1 < self.primes:
            self.writer.context(step.prime + 1)

    def write(self) -> None:
        """A digit comes a step ahead, the key of the next digit as early as its group is free. The next prime's context comes behind them, but with
        one or two digits before them: the first digit of that prime may be among them."""
        self.writer.context(0)
        self.load_digit(0)
        for step in self.steps:
            if self.digits <= 2:
                self.next_context(step)
            self.load_digit(step.number + 1)
            if step.one == 0 and step.digit + 1 < self.digits:
                self.load_key(step.number + self.batch)
            if self.digits > 2:
                self.next_context(step)
            self.compute(step)


def relinearisation(design: Design, log_points: int, primes: int, digits: int, batch: int, *, narrow: bool) -> Program:
    """sum over digits of digit times key, of `batch` ciphertexts that share the keys. narrow: digits of 16 bits, the same for all primes."""
    _check(design, log_points, batch + FIXED_GROUPS)
    shape = Shape(design, log_points, narrow)
    per_prime = 1 + digits * (1 + 3 * batch) + 2 * batch
    count = _fit(shape, primes, per_prime)
    task = _Relinearisation(shape, count, digits, batch)
    task.write()
    digit_stride = 0 if narrow else count * batch * digits * shape.digit
    strides = [count * shape.context, count * digits * shape.whole, digit_stride, count * batch * shape.whole]
    return task.writer.ended(count, strides)


def transforms(design: Design, log_points: int, polys: int) -> Program:
    """Transforms of operands modulo one prime, in NTT form to memory: as many as fit."""
    _check(design, log_points, TRANSFORM_GROUPS)
    shape = Shape(design, log_points, narrow=False)
    count = _fit(shape, polys, per_prime=3)
    writer = _Writer(shape)
    writer.context(0)
    for number in range(count):
        group = number % design.bank_groups
        writer.operand(group, 0, (LEFT, number * shape.half))
        writer.emit("NTT", dst=group, ctx=0)
        writer.emit("STORE", a=group, at=(RESULTS, number * shape.whole), ntt=1)
    return writer.ended(1, [0, count * shape.half, 0, count * shape.whole])


def sums_that_fit(design: Design, pairs: int, sums: int) -> int:
    """How many times so many sums of so many products in all, each with its INTT and STORE, fit one program."""
    return max(1, (design.program_depth - 2) // (3 * pairs + 2 * sums))


def sums(design: Design, log_points: int, terms: Sequence[Sequence[tuple[int, int]]]) -> Program:
    """Sums of products modulo one prime. terms: of each sum, which images in NTT form at LEFT and RIGHT it multiplies."""
    _check(design, log_points, SUM_GROUPS)
    shape = Shape(design, log_points, narrow=False)
    writer, number = _Writer(shape), 0
    writer.context(0)
    for row, pairs in enumerate(terms):
        total = row % 2
        for index, (left, right) in enumerate(pairs):
            a, b = (2 + 2 * (number % 2) + operand for operand in range(2))
            writer.emit("LOAD", dst=a, ctx=0, at=(LEFT, left * shape.whole), ntt=1)
            writer.emit("LOAD", dst=b, ctx=0, at=(RIGHT, right * shape.whole), ntt=1)
            writer.emit("MAC" if index else "MUL", dst=total, a=a, b=b, ctx=0)
            number += 1
        writer.emit("INTT", dst=total, ctx=0)
        writer.emit("STORE", a=total, at=(RESULTS, row * shape.whole))
    return writer.ended(1, [0, 0, 0, 0])
