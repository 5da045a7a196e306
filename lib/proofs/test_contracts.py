# SPDX-License-Identifier: Apache-2.0
"""The bounds that modarith.h and ntt.c state in comments, proved for all operands of 64 bits and every modulus below 2^60.

clang compiles contracts.c, which includes the real files; ir_integers.py turns the straight-line code into statements about integers, wrapping
included; z3 shows that the contract follows. Each proof is repeated on a broken copy of the code, which must be refuted.
"""

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import ir_integers
import pytest
import z3
from ir_integers import Run
from rs_formal import implied

ROOT = Path(__file__).resolve().parents[2]
HARNESS = Path(__file__).parent / "contracts.c"
WORD = 2**64
COMPILER = "clang-14"
OPTIONS = ["-O1", "-fno-vectorize", "-fno-slp-vectorize", "-fno-discard-value-names", "-S", "-emit-llvm", "-o", "-"]

Fact = z3.BoolRef
Number = z3.ArithRef


@cache
def compiled(first: Path = ROOT / "lib" / "src") -> str:
    """`first` is searched for headers before the sources."""
    if not shutil.which(COMPILER):
        pytest.fail(f"{COMPILER} is missing; `make test` installs it")
    places = [f"-I{place}" for place in (first, ROOT / "lib" / "src", ROOT / "lib" / "include")]
    done = subprocess.run([COMPILER, *OPTIONS, *places, HARNESS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def broken(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """The code with one change in a file of arith/."""
    file, old, new = request.param
    text = (ROOT / "lib" / "src" / "arith" / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    (tmp_path / "arith").mkdir()
    for path in (ROOT / "lib" / "src" / "arith").iterdir():
        shutil.copy(path, tmp_path / "arith")
    (tmp_path / "arith" / file).write_text(text.replace(old, new), encoding="utf-8")
    return compiled(tmp_path)


def satisfiable(facts: Sequence[Fact]) -> bool:
    return not implied([z3.BoolVal(False)], *facts)


# ---- products of inequalities, which z3 does not find by itself -----------------------------------------------------
def within(a: Number, most: int | Number, b: Number, facts: Sequence[Fact]) -> list[Fact]:
    """0 <= a b <= most b, from 0 <= a <= most and b >= 0, which must follow from the facts."""
    assert implied([a >= 0, a <= most, b >= 0], *facts)
    return [a * b >= 0, a * b <= most * b]


def factors_of(term: z3.ExprRef) -> list[z3.ExprRef]:
    return [factor for part in term.children() for factor in factors_of(part)] if z3.is_mul(term) else [term]


def linear(facts: Sequence[Fact]) -> list[Fact]:
    """With an unknown in place of each product of unknowns: what follows then follows for the products, too."""
    products: dict[tuple[int, ...], tuple[z3.ExprRef, list[z3.ExprRef]]] = {}

    def replaced(term: z3.ExprRef) -> z3.ExprRef:
        """Of a sum of monomials, or of a formula of them."""
        if z3.is_mul(term):
            factors = factors_of(term)
            numbers = [part for part in factors if z3.is_int_value(part)]
            others = [part for part in factors if not z3.is_int_value(part)]
            if len(others) > 1:
                key = tuple(sorted(part.get_id() for part in others))
                unknown, _ = products.setdefault(key, (z3.Int(f"product.{len(products)}"), others))
                return z3.Product(*numbers, unknown)
        if not term.children():
            return term
        # relations as they are: simplified ones may speak of signs instead of products
        parts = [
            z3.simplify(part, som=True) if z3.is_int(part) and z3.is_bool(term) else part for part in term.children()
        ]
        return term.decl()(*map(replaced, parts))

    return [replaced(fact) for fact in facts]


def times(left: Number, right: Number, factor: Number, facts: Sequence[Fact]) -> list[Fact]:
    """left factor = right factor, from left = right, which must follow from the facts."""
    assert not satisfiable(linear([*facts, left != right]))
    return [left * factor == right * factor]


# ---- contracts: claims, and what they assume ------------------------------------------------------------------------
Claims = tuple[list[Fact], list[Fact]]


def modulus(q: Number) -> list[Fact]:
    return [q >= 2, q < 2**60]


def of(code: str, function: str) -> tuple[Run, list[Number], Number]:
    r = ir_integers.run(code, function, {})
    assert r.result is not None
    return r, list(r.values.values())[: len(r.parameters)], r.result


def csub(code: str) -> Claims:
    r, (x, bound), y = of(code, "csub")
    return [y == z3.If(x >= bound, x - bound, x)], [*r.facts, bound < 2**63, x < 2 * bound]


def add_mod(code: str) -> Claims:
    r, (a, b, q), y = of(code, "add_mod")
    return [y == z3.If(a + b >= q, a + b - q, a + b)], [*r.facts, *modulus(q), a < q, b < q]


def sub_mod(code: str) -> Claims:
    r, (a, b, q), y = of(code, "sub_mod")
    return [y == z3.If(a < b, a - b + q, a - b)], [*r.facts, *modulus(q), a < q, b < q]


def neg_mod(code: str) -> Claims:
    r, (a, q), y = of(code, "neg_mod")
    return [y == z3.If(a > 0, q - a, 0)], [*r.facts, *modulus(q), a < q]


def barrett(code: str, function: str, bound: int) -> Claims:
    """A word x becomes x - h q in [0, bound q), given ratio64 = floor(2^64 / q)."""
    r, (x, q, ratio), y = of(code, function)
    e = z3.Int("e")  # 2^64 mod q
    facts = [*r.facts, *modulus(q), ratio * q + e == WORD, e >= 0, e < q]
    _, h, low = r.halves[0]
    facts += times(x * ratio, h * WORD + low, q, facts) + times(ratio * q + e, z3.IntVal(WORD), x, facts)
    facts += within(x, WORD, e, facts) + within(low, WORD - 1, q, facts)
    exact = x - h * q
    same = y == exact if bound == 2 else z3.Or(y == exact, y == exact - q)
    return [exact >= 0, exact < 2 * q, same, y >= 0, y < bound * q], facts


def shoup(code: str, function: str, bound: int) -> Claims:
    """factor x - h q in [0, bound q) for any word x, given the factor's quotient floor(factor 2^64 / q), factor < q."""
    r, (x, factor, quotient, q), y = of(code, function)
    e = z3.Int("e")
    facts = [*r.facts, *modulus(q), factor < q, quotient * q + e == factor * WORD, e >= 0, e < q]
    _, h, low = r.halves[0]
    facts += times(x * quotient, h * WORD + low, q, facts) + times(quotient * q + e, factor * WORD, x, facts)
    facts += within(x, WORD, e, facts) + within(low, WORD - 1, q, facts)
    exact = factor * x - h * q
    same = y == exact if bound == 2 else z3.Or(y == exact, y == exact - q)
    return [exact >= 0, exact < 2 * q, same, y >= 0, y < bound * q], facts


# ---- butterflies: products and reductions by their contracts --------------------------------------------------------
class Steps:
    """Calls in the order of the code. Each gives some number below 2q; what it was given is kept for the claims."""

    def __init__(self) -> None:
        self.given: list[Number] = []
        self.result: list[Number] = []

    def call(self, r: Run, arguments: list[Number]) -> Number:
        self.given.append(arguments[0])
        self.result.append(r.word("step"))
        return self.result[-1]

    def lazy(self, q: Number) -> list[Fact]:
        return [y < 2 * q for y in self.result]


def butterfly(code: str, function: str) -> tuple[Run, list[Number], list[Number], Steps]:
    steps = Steps()
    r = ir_integers.run(code, function, {"contract_mul_lazy": steps.call, "contract_reduce_lazy": steps.call})
    array = r.parameters[0]
    return r, [r.first[array, i] for i in range(4)], [r.memory[array, i] for i in range(4)], steps


def forward(code: str, bound: int) -> Claims:
    """Residues below bound q become residues below (bound + 4) q, and nothing wraps."""
    r, (a, b, x2, x3), out, steps = butterfly(code, "forward")
    q = r.first[r.parameters[-1], 0]
    c, d, u, v = steps.result
    claims = [g == w for g, w in zip(steps.given, (x2, x3, b + d, b - d + 2 * q), strict=True)]
    claims += [
        y == w for y, w in zip(out, (a + c + u, a + c - u + 2 * q, a - c + 2 * q + v, a - c - v + 4 * q), strict=True)
    ]
    claims += [y < (bound + 4) * q for y in out]
    return claims, [*r.facts, *modulus(q), *steps.lazy(q), *(x < bound * q for x in (a, b, x2, x3))]


def forward_reduced(code: str) -> Claims:
    """Any words become residues below 6q."""
    r, (x0, x1, x2, x3), out, steps = butterfly(code, "forward_reduced")
    q = r.first[r.parameters[-1], 0]
    a, b, c, d, u, v = steps.result
    claims = [g == w for g, w in zip(steps.given, (x0, x1, x2, x3, b + d, b - d + 2 * q), strict=True)]
    claims += [
        y == w for y, w in zip(out, (a + c + u, a + c - u + 2 * q, a - c + 2 * q + v, a - c - v + 4 * q), strict=True)
    ]
    claims += [y < 6 * q for y in out]
    return claims, [*r.facts, *modulus(q), *steps.lazy(q)]


def inverse(code: str) -> Claims:
    """Residues below 4q stay below 4q: sums up to 16q inside, differences made positive."""
    r, (a, b, c, d), out, steps = butterfly(code, "inverse")
    q = r.values[r.parameters[1]]
    t, v, y2, y3 = steps.result
    s, u = a + b, c + d
    claims = [
        g == w for g, w in zip(steps.given, (b - a + 4 * q, d - c + 4 * q, u - s + 8 * q, v - t + 2 * q), strict=True)
    ]
    claims += [z3.Or([out[0] == s + u - k * q for k in (0, 4, 8, 12)]), out[1] == t + v, out[2] == y2, out[3] == y3]
    claims += [y < 4 * q for y in out]
    return claims, [*r.facts, *modulus(q), *steps.lazy(q), *(x < 4 * q for x in (a, b, c, d))]


CONTRACTS = {
    "csub": csub,
    "add_mod": add_mod,
    "sub_mod": sub_mod,
    "neg_mod": neg_mod,
    "reduce_lazy": lambda code: barrett(code, "reduce_lazy", 2),
    "reduce": lambda code: barrett(code, "reduce", 1),
    "mul_lazy": lambda code: shoup(code, "mul_lazy", 2),
    "mul_factor": lambda code: shoup(code, "mul_factor", 1),
    "forward_reduced": forward_reduced,
    "inverse": inverse,
} | {f"forward_{bound}q": (lambda code, bound=bound: forward(code, bound)) for bound in range(1, 13)}


@pytest.mark.parametrize("name", CONTRACTS)
@pytest.mark.alike(4)
def test_contract(name: str) -> None:
    claims, facts = CONTRACTS[name](compiled())
    for claim in claims:
        assert not satisfiable(linear([*facts, z3.Not(claim)]))
        facts.append(claim)


# ---- controls: broken code, at operands where the fault shows -------------------------------------------------------
def at(values: dict[str, int], facts: Sequence[Fact]) -> list[Fact]:
    """The facts with numbers for some parameters."""
    return [*facts, *(z3.Int(name) == number for name, number in values.items())]


Q = 0xFFFFFFFFFFC0001  # a prime of 60 bits
R64, E64 = divmod(WORD, Q)
LAST = {"%x.0": WORD - 1, "%q.1": Q, "%ratio64.2": R64, "e": E64}
SHOUP = {"%x.0": WORD - 1, "%value.1": Q - 1, "%quotient.2": (Q - 1) * WORD // Q, "%q.3": Q, "e": (Q - 1) * WORD % Q}
# contract, (file, text, what replaces it), operands
BROKEN = [
    ("csub", ("modarith.h", "const uint64_t y = x - bound;", "const uint64_t y = x - bound / 2;"), {}),
    ("add_mod", ("modarith.h", "return rs_csub(a + b, q);", "return a + b;"), {}),
    ("sub_mod", ("modarith.h", "const uint64_t y = a - b;", "const uint64_t y = b - a;"), {}),
    ("neg_mod", ("modarith.h", "return rs_sub_mod(0, a, q);", "return q - a;"), {}),
    (
        "reduce_lazy",
        (
            "modarith.h",
            "return x - rs_mulhi(x, m->ratio64) * m->q;",
            "return x - rs_mulhi(x, m->ratio64) * m->q + m->q;",
        ),
        LAST,
    ),
    (
        "reduce",
        ("modarith.h", "return rs_csub(rs_reduce_lazy(x, m), m->q);", "return rs_reduce_lazy(x, m);"),
        LAST | {"%x.0": Q},
    ),
    (
        "mul_lazy",
        (
            "modarith.h",
            "return f.value * x - rs_mulhi(f.quotient, x) * q;",
            "return f.value * x - rs_mulhi(f.quotient, x) * q - q;",
        ),
        SHOUP,
    ),
    (
        "mul_factor",
        ("modarith.h", "return rs_csub(rs_mul_lazy(x, f, q), q);", "return rs_mul_lazy(x, f, q);"),
        SHOUP | {"%x.0": 2175216119781798972},
    ),
    ("forward_1q", ("ntt.c", "x[j + quarter] = s - u + two_q;", "x[j + quarter] = s - u + q;"), {}),
    ("forward_12q", ("ntt.c", "const uint64_t t = a - c + two_q;", "const uint64_t t = a - c;"), {}),
    ("forward_reduced", ("ntt.c", "a = rs_reduce_lazy(a, m);", ""), {}),
    ("inverse", ("ntt.c", "rs_mul_lazy(u - s + 8 * q, w1, q)", "rs_mul_lazy(u - s + 4 * q, w1, q)"), {}),
    ("inverse", ("ntt.c", "rs_csub(rs_csub(s + u, 8 * q), 4 * q)", "rs_csub(s + u, 4 * q)"), {}),
]


@pytest.mark.parametrize(("name", "broken", "operands"), BROKEN, indirect=["broken"])
@pytest.mark.alike(4)
def test_broken_code_is_refuted(name: str, broken: str, operands: dict[str, int]) -> None:
    try:
        claims, facts = CONTRACTS[name](broken)
    except ValueError:  # another number of calls than the contract speaks of
        assert name == "forward_reduced"
        return
    facts = at(operands, facts)
    assert satisfiable(facts)
    assert satisfiable([*facts, z3.Not(z3.And(claims))])


def test_the_limit_of_lazy_residues_is_tight() -> None:
    """ntt.c reduces before residues exceed 16q; one pass more could wrap."""
    claims, facts = forward(compiled(), 13)
    assert satisfiable([*facts, z3.Not(z3.And(claims))])
