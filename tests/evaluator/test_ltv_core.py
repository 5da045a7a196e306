# SPDX-License-Identifier: Apache-2.0
"""A round of AES with products on a core: the library's bits, whoever computes the products; by RTL simulation whole in soak."""

from pathlib import Path

import numpy as np
import pytest

from cli_runner import CommandLine
from ringside.errors import DeviceError
from ringside_ltv.core.boxes import Forms
from ringside_ltv.core.check import CoreCheck, parse_core
from ringside_ltv.core.round import Round
from ringside_ltv.core.server import CoreServer
from ringside_ltv.scheme import STATE, LtvParameters, Scheme, Words

SEEDS = [bytes([number]) * 32 for number in range(3)]


@pytest.fixture(autouse=True)
def _quick_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGSIDE_SIM_LEVEL", "1")


class LibraryProducts:
    """The library's products in the place of a core. fault: added to the first word of each relinearised ciphertext."""

    def __init__(self, scheme: Scheme, fault: int = 0) -> None:
        self.scheme, self.fault = scheme, fault

    def bilinear(self, forms: Forms, left: Words, right: Words) -> Words:
        level, boxes, _, n = left.shape
        out = np.zeros((level, boxes, forms.count, n), np.uint32)
        for k, i, mask in forms.pairs:
            for j in (j for j in range(forms.right) if mask >> j & 1):
                found = self.scheme.multiply(np.ascontiguousarray(left[:, :, i]), np.ascontiguousarray(right[:, :, j]))
                for prime in range(level):
                    total = out[prime, :, k].astype(np.uint64) + found[prime]
                    out[prime, :, k] = total % np.uint64(self.scheme.prime(prime))
        return out.reshape(level, -1, n)

    def relinearise(self, products: Words) -> None:
        work = np.ascontiguousarray(products)
        self.scheme.relinearise(work)
        work[0, :, 0] = (work[0, :, 0].astype(np.uint64) + self.fault) % self.scheme.prime(0)
        products[:] = work


def make_keys(scheme: Scheme) -> list[Words]:
    scheme.make_secret(SEEDS[0])
    scheme.make_public(SEEDS[0])
    return [scheme.make_evaluation(SEEDS[0], digit) for digit in range(scheme.info.digits)]


def state_and_key(scheme: Scheme, number: int) -> tuple[Words, Words]:
    """Before round `number`."""
    bits = np.random.default_rng(1).integers(0, 2, (STATE, scheme.info.n)).astype(np.uint8)
    state = scheme.encrypt(SEEDS[1], bits, scheme.level(number - 1))
    return state, scheme.encrypt_round_key(SEEDS[2], number, bytes(range(16)))


@pytest.mark.parametrize("number", [1, 10])
@pytest.mark.parametrize("special", [0, 2])
@pytest.mark.parametrize("depth", [3, 4])
def test_round_is_the_librarys(depth: int, special: int, number: int) -> None:
    """Both S-boxes; round 10 has no MixColumns."""
    parameters = LtvParameters(255, number * depth + 1, special, sbox_depth=depth)
    with Scheme(parameters, threads=1) as scheme:
        make_keys(scheme)
        state, key = state_and_key(scheme, number)
        found, wrong = (Round(scheme, LibraryProducts(scheme, fault)).run(number, state, key) for fault in (0, 1))
        scheme.round(number, state, key)
        assert np.array_equal(found, key)
        assert (wrong != key).any(axis=(0, 2)).all()


def test_core_sums_products() -> None:
    """There are more boxes than a program takes, with bits that no mask has."""
    forms = Forms(3, 2, [[1, 3, 0], [2, 0, 0], [0, 0, 3], *[[3, 3, 3]] * 30])
    with Scheme(LtvParameters(255, 4, 2), threads=1) as scheme:
        make_keys(scheme)
        bits = np.random.default_rng(1).integers(0, 2, (15, scheme.info.n)).astype(np.uint8)
        given = scheme.encrypt(SEEDS[1], bits, 1)
        left, right = given[:, :9].reshape(1, 3, 3, -1), given[:, 9:].reshape(1, 3, 2, -1)
        with CoreServer(parse_core("sim:doroz-2"), scheme, 1, 2) as core:
            found = core.bilinear(forms, left, right)
            assert len(core.jobs) == 2 + 2
        assert np.array_equal(found, LibraryProducts(scheme).bilinear(forms, left, right))


@pytest.mark.soak
@pytest.mark.parametrize("switching", ["hybrid", "windows"])
@pytest.mark.parametrize(("sbox", "number", "count"), [("3", 10, 384), ("paper", 9, 288)])
def test_a_round_on_rtl(
    ringside: CommandLine, tmp_path: Path, sbox: str, number: int, count: int, switching: str
) -> None:
    """Some ten million cycles."""
    keys, job = tmp_path / "keys", tmp_path / "job"
    ringside("ltv", "keygen", "--ring", 255, "--sbox", sbox, "--key-switching", switching, "--out", keys)
    ringside("ltv", "encrypt", "--keys", keys, "--out", job)
    device = ("--device", "sim:doroz-2", "--core-round", number)
    done = ringside("ltv", "aes", job, "--keys", keys, "--out", tmp_path / "result", *device, "--json").ends(0)
    assert (done.json["core"]["relinearisations"], done.json["core"]["round"]) == (count, number)


def test_other_bits_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is compared that the run has not computed."""
    with Scheme(LtvParameters(255, 4, 2), threads=1) as scheme:
        keys = make_keys(scheme)
        check = CoreCheck(parse_core("sim:doroz-2"), scheme, 1)
        state, key = state_and_key(scheme, 1)
        check.before(2, state, key)
        check.after(2, key)
        assert not check.is_ready
        check.before(1, state, key)
        scheme.round(1, state, key)
        key[0, 5, 0] ^= 1
        check.after(1, key)
        with check.opened(keys, lambda done, total: None) as core:
            library = LibraryProducts(scheme)
            monkeypatch.setattr(core, "bilinear", library.bilinear)
            monkeypatch.setattr(core, "relinearise", library.relinearise)
            with pytest.raises(DeviceError, match="1 of 128 ciphertexts of round 1 otherwise"):
                check.compute(core, lambda done, total: None)


@pytest.mark.parametrize(
    ("device", "ring", "text"),
    [
        ("cpu:", 255, "needs sim:DESIGN"),
        ("sim:rise-4", 255, "no LOAD of half"),
        ("sim:doroz2015", 255, "no transform of 2\\^8"),
        ("sim:doroz-2", 4369, "no transform of 2\\^13"),
        ("sim:doroz2015", 21845, "too large"),
        ("sim:nobody", 255, "no design 'nobody'"),
    ],
)
def test_cores_that_cannot(device: str, ring: int, text: str) -> None:
    with Scheme(LtvParameters(ring, 4, 2), threads=1) as scheme, pytest.raises(DeviceError, match=text):
        CoreCheck(parse_core(device), scheme, 1)
