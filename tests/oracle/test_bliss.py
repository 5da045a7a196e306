# SPDX-License-Identifier: Apache-2.0
"""BLISS-BI of the C library against the papers in Python: each verifies the other's signatures; statistics of signatures."""

import hashlib
import math
import random
import re
import runpy
from collections.abc import Iterable
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asserting import some
from oracle import bliss, core
from ringside.native._cdef import ffi
from ringside.native.library import lib, request, span

Small = NDArray[np.int32]

PUBLIC, SECRET, SIGNATURE = 896, 1152, 1050
LIB = Path(__file__).resolve().parents[2] / "lib"
BLISS = LIB / "src" / "papers" / "bliss"


def seed_of(*what: object) -> bytes:
    return hashlib.sha512(repr(what).encode()).digest()


class Scheme:
    def __init__(self) -> None:
        sizes = lib.rs_bliss_sizes()
        self.memory = np.zeros(sizes.memory // 8 + 1, np.uint64)
        self.work = np.zeros(sizes.workspace // 8 + 1, np.uint64)
        made = ffi.new("const rs_bliss_t **")
        core.ok(lib.rs_bliss_init(made, span(self.memory), b"research-only"))
        self.scheme = made[0]

    def request(self, call: str, **members: object) -> Any:
        return request(f"rs_bliss_{call}_request_t", scheme=self.scheme, workspace=self.work, **members)

    def keypair(self, seed: bytes) -> tuple[bytes, bytes]:
        public, secret = bytearray(PUBLIC), bytearray(SECRET)
        core.ok(lib.rs_bliss_keygen(self.request("keygen", public_key=public, secret_key=secret, seed=seed)))
        assert not self.work.any()
        return bytes(public), bytes(secret)

    def sign(self, message: bytes, secret: bytes, seed: bytes) -> bytes:
        out = bytearray(SIGNATURE)
        core.ok(lib.rs_bliss_sign(self.request("sign", secret_key=secret, message=message, signature=out, seed=seed)))
        assert not self.work.any()
        return bytes(out)

    def verify(self, signature: bytes, message: bytes, public: bytes) -> str:
        spans = [span(part) for part in (signature, message, public, self.work)]
        return core.status_name(lib.rs_bliss_verify(self.scheme, *spans))


# ---- tables ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("table", ["gaussian", "power", "exp"])
def test_tables_are_those_of_the_script(table: str) -> None:
    made = runpy.run_path(str(LIB / "scripts" / "gen_bliss_tables.py"))["text"](table)
    assert (BLISS / f"{table}_table.inc").read_text(encoding="utf-8") == made


def implemented() -> dict[int, Decimal]:
    """P'(|z|) of the library's samples, from its tables: integers, as gaussian.c computes them."""

    def rows(table: str) -> list[int]:
        text = (BLISS / f"{table}_table.inc").read_text(encoding="utf-8")
        return [int(line.rstrip(","), 16) for line in text.splitlines() if line.startswith("0x")]

    power, tail = rows("power"), rows("gaussian")
    log = int(re.findall(r"LOG = (0x[0-9a-f]+);", (BLISS / "gaussian.c").read_text(encoding="utf-8"))[0], 16)

    def kept(n: int) -> int:
        product = n * log
        result = power[-1]
        for row in power[-2::-1]:
            result = row - (((product >> 15) % 2**64) * result >> 64)
        return result >> (product >> 79) >> 7

    above = [
        Decimal(1), *(Decimal(row) / 2**63 for row in tail[:12]), *(Decimal(row) / 2**95 for row in tail[12:]),
        Decimal(0),
    ]  # fmt: skip
    weight = {
        128 * x + y: (above[x] - above[x + 1]) * kept(y * (y + 256 * x))
        for x in range(len(above) - 1)
        for y in range(128)
    }
    weight[0] /= 2
    total = sum(weight.values())
    return {z: one / total for z, one in weight.items()}


def test_samples_are_as_near_to_the_gaussian_as_the_library_says() -> None:
    """The Rényi divergence of order 256 that gaussian.c states, and relative errors where samples are."""
    with localcontext() as context:
        context.prec = 60
        exact = {z: (Decimal(-z * z) / (2 * bliss.SIGMA**2)).exp() * (2 if z else 1) for z in range(4000)}
        total = sum(exact.values())
        made = implemented()
        ratio = {z: one / (exact[z] / total) for z, one in made.items()}
        divergence = sum((made[z] * ratio[z] ** 255 for z in made), Decimal(0)).ln() / 255
        assert Decimal(2) ** -86 < divergence < Decimal(2) ** Decimal("-85.7")
        assert max(abs(ratio[z] - 1) for z in range(6 * bliss.SIGMA)) < Decimal(2) ** -37
        assert sum(exact[z] for z in range(max(made) + 1, 4000)) / total < Decimal(2) ** -86


# ---- keys, signatures -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("number", range(3))
def test_keys_are_the_references(number: int) -> None:
    public, secret = Scheme().keypair(seed_of("key", number))
    key = bliss.keygen_from_seed(seed_of("key", number))
    assert secret == key.secret()
    assert public == key.public()
    # A S = q mod 2q, with A = (2a, q - 2)
    s1, s2 = key.s
    both = (bliss.product(2 * key.a, s1) + (bliss.Q - 2) * s2) % (2 * bliss.Q)
    assert both.tolist() == [bliss.Q] + [0] * (bliss.N - 1)


def test_signatures_are_the_references_bit_by_bit() -> None:
    scheme = Scheme()
    _, secret = scheme.keypair(seed_of("key"))
    key = bliss.Key.of_secret(secret)
    counts = []
    for number in range(6):
        message = b"x" * (100 * number)
        attempts = bliss.attempts_from_seed(key, message, seed_of("sign", number))
        assert scheme.sign(message, secret, seed_of("sign", number)) == some(attempts[-1].signature).encoded()
        counts.append(len(attempts))
    assert max(counts) > 1  # some attempt was rejected


def test_the_reference_verifies_ours() -> None:
    scheme = Scheme()
    public, secret = scheme.keypair(seed_of("ours"))
    a = bliss.untransformed(bliss.vector(bliss.unpacked(public, (bliss.N, 14))[0]))
    for number in range(20):
        message = seed_of(number)
        signature = bliss.Signature.decoded(scheme.sign(message, secret, seed_of("seed", number)))
        assert bliss.verify(a, message, signature)
        assert not bliss.verify(a, message + b"x", signature)


def test_ours_verifies_the_references() -> None:
    """Plain BLISS of the first paper, which verifiers cannot tell from BLISS-B, from a key of the reference's own."""
    rng = random.Random(1)
    key = bliss.keygen(rng)
    scheme = Scheme()
    for number in range(5):
        message = seed_of(number)
        signature = bliss.sign(key, message, rng).encoded()
        assert scheme.verify(signature, message, key.public()) == "RS_OK"
        assert scheme.verify(signature, message[1:], key.public()) == "RS_ERR_SIGNATURE"
        assert scheme.sign(message, key.secret(), seed_of(number)) != signature


# ---- distributions --------------------------------------------------------------------------------------------------
def chi_square(values: np.ndarray, classes: int = 200) -> float:
    """Normalised: of values against the discrete Gaussian of deviation sigma, in classes of about equal probability."""
    reach = 10 * bliss.SIGMA
    weight = np.exp(-(np.arange(-reach, reach + 1).astype(float) ** 2) / (2 * bliss.SIGMA**2))
    cumulative = np.cumsum(weight) / weight.sum()
    group = np.minimum((cumulative - 1e-12) * classes, classes - 1).astype(int)
    expected = np.bincount(group, weight / weight.sum(), classes) * values.size
    observed = np.bincount(group[np.clip(values, -reach, reach) + reach], minlength=classes)
    return float((((observed - expected) ** 2 / expected).sum() - (classes - 1)) / math.sqrt(2 * (classes - 1)))


@pytest.mark.parametrize("count", [1000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_signatures_are_gaussian_whatever_the_key_is(count: int) -> None:
    """Moments and chi-square of z1, and its independence of the key's product: seeds are fixed, and limits are of six deviations."""
    scheme = Scheme()
    public, secret = scheme.keypair(seed_of("distribution"))
    long = rotations(bliss.Key.of_secret(secret))
    z = np.empty((count, bliss.N), np.int64)
    inner = np.empty(count)
    for i in range(count):
        signature = scheme.sign(i.to_bytes(4, "little"), secret, seed_of("d", i))
        assert scheme.verify(signature, i.to_bytes(4, "little"), public) == "RS_OK"
        z[i] = numbers(signature[:832], 13) - bliss.Z_MAX
        v, _ = greedy_quickly(long, numbers(signature[1024:], 9)[: bliss.KAPPA])
        inner[i] = (z[i] * v).sum() / (bliss.SIGMA * math.sqrt((v**2).sum()))
    size = z.size
    assert abs(z.mean()) < 6 * bliss.SIGMA / math.sqrt(size)
    assert abs((z.astype(float) ** 2).mean() / bliss.SIGMA**2 - 1) < 6 * math.sqrt(2 / size)
    assert abs(chi_square(z.ravel())) < 6
    assert np.abs(z.mean(0)).max() < 7 * bliss.SIGMA / math.sqrt(count)  # the mean of each place
    # without the cosh its square would be larger by |v|^2 / sigma^2, without the exponential by the choice of short products
    assert abs(inner.mean()) < 6 / math.sqrt(count)
    assert abs((inner**2).mean() - 1) < 6 * math.sqrt(2 / count)


def numbers(data: bytes, bits: int) -> bliss.Vector:
    whole = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    fields = whole[: whole.size // bits * bits].reshape(-1, bits).astype(np.int64)
    return bliss.vector(fields @ (1 << np.arange(bits)))


def rotations(key: bliss.Key) -> Small:
    """(-s1, s1) and (-s2, s2): X^k s are N numbers from N - k on."""
    s = np.array(key.s, np.int32)
    return np.concatenate([-s, s], 1)


def greedy_quickly(long: Small, places: Iterable[int]) -> Small:
    v = np.zeros((2, bliss.N), np.int32)
    for place in places:
        r = long[:, bliss.N - place : 2 * bliss.N - place]
        v -= r if np.vdot(v, r) >= 0 else -r
    return v


def test_greedy_products_are_the_references() -> None:
    key = bliss.keygen(random.Random(2))
    places = random.Random(3).sample(range(bliss.N), bliss.KAPPA)
    quick, slow = greedy_quickly(rotations(key), places), bliss.greedy(key, places)
    assert all(np.array_equal(x, y) for x, y in zip(quick, slow, strict=True))
    plain = [bliss.product(s, bliss.sparse(places)) for s in key.s]
    assert all(np.array_equal(x % 2, y % 2) for x, y in zip(slow, plain, strict=True))
    assert sum(int((x**2).sum()) for x in slow) <= bliss.PRODUCT_NORM_MAX
