# SPDX-License-Identifier: Apache-2.0
"""Files of Lattigo and OpenFHE without these libraries: the command line, refusals, and damaged files, which end well or with an error of ours."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import flipped, mode, raises, written
from cli_runner import CommandLine
from interop.openfhe_contexts import DEFAULTS, context_file
from ringside.formats import openfhe as openfhe_files
from ringside.formats.rings import generator_root, is_prime, prime_factors, slot_places, smallest_root

EXACT: dict[str, Any] = {"scheme": "bfv", "plain_modulus": 65537}
LIBRARIES: dict[str, Callable[[], rs.Lattigo | rs.OpenFHE]] = {
    "lattigo": lambda: rs.Lattigo(rs.Context(rs.Parameters.from_bits(1024, [36, 30, 30], security=0))),
    "lattigo_bfv": lambda: rs.Lattigo(
        rs.ExactContext(rs.Parameters.from_bits(1024, [36, 30, 30], security=0, **EXACT))
    ),
    "openfhe": lambda: rs.OpenFHE.read(context_file(3), security=0),
    "openfhe_bfv": lambda: rs.OpenFHE.read(context_file("bfv"), security=0),
    "openfhe_bgv": lambda: rs.OpenFHE.read(context_file("bgv"), security=0),
}
CASES = 2000 if os.environ.get("RINGSIDE_SOAK") else 60  # damaged files of each sample


@cache
def library_of(name: str) -> Any:
    return LIBRARIES[name]()


# ---- mathematics --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("q", "n"), [(12289, 512), (1152921504606830593, 1024), (68719403009, 4096)])
def test_roots(q: int, n: int) -> None:
    smallest, other = smallest_root(q, n), generator_root(q, n)
    assert pow(smallest, n, q) == pow(other, n, q) == q - 1
    powers = {pow(smallest, k, q) for k in range(1, 2 * n, 2)}
    assert min(powers) == smallest
    assert other in powers


def test_factors() -> None:
    draw = random.Random(1)
    for _ in range(30):
        number = draw.getrandbits(60) | 1
        factors = prime_factors(number)
        assert all(is_prime(p) and number % p == 0 for p in factors)
        for p in factors:
            while number % p == 0:
                number //= p
        assert number == 1


def test_slots_of_five() -> None:
    n = 512
    places, conjugate = slot_places(n)
    assert sorted(places) == list(range(n // 2))
    for k, (j, minus) in enumerate(zip(places, conjugate, strict=True)):
        power = pow(3, int(j), 2 * n)
        assert pow(5, k, 2 * n) == (2 * n - power if minus else power)


@pytest.mark.parametrize("name", ["lattigo", "lattigo_bfv", "openfhe"])
def test_rotation_keys_turn_the_slots(name: str) -> None:
    """The Galois element of a rotation moves slot k + steps to slot k; SEAL's element of the same steps does not."""
    library = library_of(name)
    context = library.context
    assert context.galois_elements([1, -3, 0], generator=5) == library.galois_elements([1, -3, 0])
    assert context.galois_elements([1]) != library.galois_elements([1])
    assert 1 not in context.galois_elements("pow2", generator=5)
    raises(rs.InputError, "fewer than N/2", library.galois_elements, [context.n // 2])
    raises(rs.InputError, "powers of 7", context.galois_elements, [1], generator=7)


# ---- OpenFHE's special primes -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("bits", "count"), [(56, 1), (57, 2), (60, 2), (116, 2), (117, 3), (120, 3), (176, 3), (177, 4), (180, 4)]
)
def test_special_primes_of_openfhe(bits: int, count: int) -> None:
    """As many as OpenFHE 1.6.1 has for a digit of so many bits; its first modulus has 60 bits by default."""
    found = openfhe_files.special_primes(2048, (2**bits - 1,), 1, 60)
    assert len(found) == count
    assert all(is_prime(p) and p.bit_length() == 60 and p % 2048 == 1 for p in found)


@pytest.mark.parametrize(
    "change", ["a digit less", "a digit of a less", "a digit of b less", "a limb less", "no special primes"]
)
def test_keys_of_openfhe_are_held_against_its_special_primes(change: str, tmp_path: Path) -> None:
    """A key of OpenFHE's defaults has two special primes: with one of them it made OpenFHE read behind the end."""
    library = rs.OpenFHE.read(context_file(DEFAULTS), security=0)
    params = library.parameters
    assert ([q.bit_length() for q in params.q], len(params.p), params.digits) == ([60, 51], 2, 2)
    with library.context.keygen() as key:
        library.make_relin_keys(key, tmp_path / "relin")
    data = (tmp_path / "relin").read_bytes()
    assert library.elements_in(data, galois=False) == [0]
    a, b = openfhe_files.read_evaluation_keys(memoryview(data), params, galois=False)[0][0]
    if change == "a digit less":
        a, b, says = a[:1], b[:1], "1 and 1 digits, not 2"
    elif change == "a digit of a less":
        a, says = a[:1], "1 and 2 digits, not 2"
    elif change == "a digit of b less":
        b, says = b[:1], "2 and 1 digits, not 2"
    else:
        count = 3 if change == "a limb less" else 2
        a, b = ([poly[:count] for poly in polys] for polys in (a, b))
        says = f"a polynomial has {count} limbs, not 4"
    written = openfhe_files.write_evaluation_keys([0], lambda _: (a, b), library.tag, params)
    raises(rs.WireError, says, library.elements_in, b"".join(written), galois=False)


def test_polynomials_of_different_levels_are_refused() -> None:
    openfhe = library_of("openfhe")
    params, tag = openfhe.parameters, openfhe.tag
    with openfhe.context.keygen() as key:
        b, a = openfhe_files.read_public_key(
            memoryview(openfhe.public_key_to_bytes(openfhe.context.public_key(key))), params
        )[0]
    for pair in ((b, a[:2]), (b[:2], a)):
        with pytest.raises(rs.WireError, match="different levels"):
            openfhe.read_ciphertext(b"".join(openfhe_files.write_ciphertext(pair, 2.0**30, tag, params)))
        with pytest.raises(rs.WireError, match="different levels"):
            openfhe.read_public_key(b"".join(openfhe_files.write_public_key(*pair, tag, params)))
    for polys in ((b[:2], a[:2]), (b, a, a)):
        data = b"".join(openfhe_files.write_ciphertext(polys, 2.0**30, tag, params))
        assert openfhe.read_ciphertext(data).poly_count == len(polys)


# ---- the command line -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("digits", [3, 1, DEFAULTS])
def test_openfhe_by_commands(digits: int, ringside: CommandLine, tmp_path: Path) -> None:
    server, keys, values = tmp_path / "cryptocontext.txt", tmp_path / "keys", tmp_path / "values.npy"
    server.write_bytes(context_file(digits))
    np.save(values, np.linspace(-1, 1, 300))
    ringside("keygen", "--params", server, "--security", "none", "--relin", "--galois", "1,-2", "--out", keys).ends(0)
    to_openfhe = ("--format", "openfhe", values)
    for options in ([], ["--public-key"]):
        ringside("encrypt", "--keys", keys, *options, *to_openfhe, tmp_path / "up.openfhe", "--force").ends(0)
        ringside("decrypt", "--keys", keys, tmp_path / "up.openfhe", tmp_path / "out.npy", "--count", 300).ends(0)
        assert np.abs(np.load(tmp_path / "out.npy") - np.load(values)).max() < 1e-4
    ringside("convert", keys, tmp_path / "server", "--format", "openfhe", "--secret-key").ends(0)
    names = {"cryptocontext.txt", "key-public.txt", "key-private.txt", "key-eval-mult.txt", "key-eval-rot.txt"}
    assert {path.name for path in (tmp_path / "server").iterdir()} == names
    assert mode(tmp_path / "server" / "key-private.txt") == 0o600
    ringside("convert", tmp_path / "server", tmp_path / "again", "--format", "seal", "--secret-key").ends(0)
    found = {path.name for path in (tmp_path / "again").iterdir()}
    kept = {"relin.key", "galois.key"} if digits == 3 else set()
    assert found == {"params.seal", "context.openfhe", "public.openfhe", "secret.key"} | kept
    again = tmp_path / "again"
    told = ringside("encrypt", "--keys", again, "--public-key", "--json", values, tmp_path / "a.openfhe").json
    assert told["encryption"] == "public-key-direct"
    for options in (["--public-key"], []):
        ringside("encrypt", "--keys", again, *options, *to_openfhe, tmp_path / "b.openfhe", "--force").ends(0)
        read = (tmp_path / "b.openfhe", tmp_path / "out.npy", "--count", 300, "--force")
        ringside("decrypt", "--keys", keys, *read)
        assert np.abs(np.load(tmp_path / "out.npy") - np.load(values)).max() < 1e-3


@pytest.mark.parametrize("scheme", ["bfv", "bgv"])
def test_integers_for_openfhe_by_commands(scheme: str, ringside: CommandLine, tmp_path: Path) -> None:
    context = written(tmp_path / "c.txt", context_file(scheme))
    keys, values = tmp_path / "keys", tmp_path / "values.npy"
    again, back, out = tmp_path / "again", tmp_path / "back.seal", tmp_path / "up.openfhe"
    np.save(values, np.arange(-512, 512) * 64)
    told = ringside("inspect", context, "--json").json
    assert (told["scheme"], told["plain_modulus"]) == (scheme, 65537)
    ringside("keygen", "--params", context, "--security", "none", "--relin", "--galois", "1,0", "--out", keys).ends(0)
    ringside("convert", keys, tmp_path / "server", "--format", "openfhe", "--secret-key").ends(0)
    assert len(list((tmp_path / "server").iterdir())) == 5
    ringside("convert", tmp_path / "server", again, "--format", "seal", "--secret-key").ends(0)
    assert (again / "relin.key").exists() is (scheme == "bgv")  # BV's keys have no form in SEAL's files
    kinds = []
    for folder, options in ((keys, []), (keys, ["--public-key"]), (again, ["--public-key"])):
        told = ringside("encrypt", "--keys", folder, *options, values, out, "--force", "--json").json
        kinds.append(told["encryption"])
        read = ringside("decrypt", "--keys", keys, out, tmp_path / "o.npy", "--truth", values, "--force", "--json")
        assert (read.json["compared"], read.json["wrong"]) == (1024, 0)
    assert kinds == ["secret-key", "public-key", "public-key" if scheme == "bfv" else "public-key-direct"]
    told = ringside("inspect", "--keys", keys, out, "--budget", "--json").json
    assert told["noise_budget_bits"] > 20
    to_seal = ("convert", "--keys", keys, out, back, "--format", "seal", "--seal-version")
    if scheme == "bgv":
        ringside(*to_seal, "3.6").ends(4, "correction factor")
    ringside(*to_seal, "4.3").ends(0)
    ringside("convert", "--keys", keys, back, tmp_path / "2.openfhe", "--format", "openfhe").ends(0)
    assert (tmp_path / "2.openfhe").read_bytes() == out.read_bytes()
    fresh = tmp_path / "fresh.seal"
    ringside("encrypt", "--keys", keys, values, fresh).ends(0)
    done = ringside("convert", "--keys", keys, fresh, tmp_path / "3.openfhe", "--format", "openfhe")
    done.ends(*((0,) if scheme == "bfv" else (5, "has the correction factor 1; at its level")))
    packed = ("--packing", "coefficients", "--force")
    ringside("encrypt", "--keys", keys, values, out, *packed).ends(3, "packed in slots alone")
    ringside("decrypt", "--keys", keys, out, tmp_path / "o.npy", *packed).ends(3, "packed in slots alone")


def test_integers_for_openfhe_that_are_refused() -> None:
    for name in ("openfhe_bfv", "openfhe_bgv"):
        library = library_of(name)
        with library.context.keygen() as key:
            raises(rs.InputError, r"the values, index \[1\]: 32769", library.encrypt, [1, 32769], key)
            raises(rs.InputError, "integers", library.encrypt, [1.0], key)
            raises(rs.InputError, "1025 values do not fit into 1024", library.encrypt, [1] * 1025, key)
            found = library.encrypt(np.array([65536], dtype=np.uint64), key)
            assert library.decrypt_values(found, key, 1).tolist() == [-1]
            found = library.encrypt([2**70], key, wrap=True, level=1)
            assert library.decrypt_values(found, key, 1, unsigned=True).tolist() == [2**70 % 65537]
            if name == "openfhe_bgv":
                raises(rs.InputError, "last level", library.encrypt, [1], key, level=0)
                assert replace(library.parameters, q=library.parameters.q[:1]).fresh(0) == (1, 0)
    raises(rs.ParameterError, "parameters of BFV", rs.Context.from_openfhe, context_file("bfv"), security=0)
    t = b"\x01\x00\x01" + bytes(5)
    library = rs.OpenFHE.read(context_file("bfv").replace(t, b"\x03\x00\x01" + bytes(5), 1), security=0)
    with library.context.keygen() as key:
        raises(rs.ParameterError, "no slots|batching", library.encrypt, [1], key)
    small, large = (b"".join(n.to_bytes(4, "little") for n in (4, bits)) for bits in (20, 60))  # digits, and bits of P
    for old, new, says in (
        (t, b"\x03\x00\x01" + bytes(5), "errors are multiples of 65537"),
        (large, small, "0 special primes of 20 bits"),
    ):
        other = context_file("bgv").replace(old, new, 1)
        raises(rs.ParameterError, says, rs.OpenFHE.read, other, security=0)


def test_rows_of_integers_turn_by_less_than_their_length() -> None:
    library = library_of("openfhe_bgv")
    context, n = library.context, library.context.n
    raises(rs.InputError, f"rotation by {n // 2}", library.galois_elements, [n // 2])
    raises(rs.InputError, f"rotation by {n // 2}", context.galois_elements, [n // 2], generator=5)
    assert 1 not in context.galois_elements("pow2", generator=5)


@pytest.mark.parametrize(("name", "factor"), [("openfhe_bgv", 0), ("openfhe_bgv", 65537), ("openfhe_bfv", 2)])
def test_factors_of_openfhe_are_below_the_plain_modulus(name: str, factor: int) -> None:
    library = library_of(name)
    with library.context.keygen() as key:
        polys = library._to_library(library.encrypt([1], key))
    data = openfhe_files.write_ciphertext(polys, 1.0, library.tag, library.parameters, factor=factor)
    raises(rs.WireError, f"its factor {factor}", library.read_ciphertext, b"".join(data))


def test_lattigo_by_commands(ringside: CommandLine, tmp_path: Path) -> None:
    keys, values = tmp_path / "keys", tmp_path / "values.npy"
    np.save(values, np.linspace(-1, 1, 300))
    bits = ["--bits", "1024:36,30,36", "--security", "none"]
    ringside("keygen", *bits, "--relin", "--galois", "1,-2", "--format", "lattigo", "--out", keys).ends(0)
    ringside("encrypt", "--keys", keys, values, tmp_path / "up.lattigo").ends(0)
    ringside("decrypt", "--keys", keys, tmp_path / "up.lattigo", tmp_path / "out.npy", "--count", 300).ends(0)
    assert np.abs(np.load(tmp_path / "out.npy") - np.load(values)).max() < 1e-4
    told = ringside("inspect", "--keys", keys, tmp_path / "up.lattigo", "--json").json
    assert (told["kind"], told["level"], told["polynomials"]) == ("ciphertext of Lattigo", 1, 2)
    # the same polynomial as a file of SEAL, and back
    ringside("convert", "--keys", keys, tmp_path / "up.lattigo", tmp_path / "up.seal", "--format", "seal").ends(0)
    ringside("convert", "--keys", keys, tmp_path / "up.seal", tmp_path / "b.lattigo", "--format", "lattigo").ends(0)
    assert (tmp_path / "b.lattigo").read_bytes() == (tmp_path / "up.lattigo").read_bytes()
    ringside("convert", keys, tmp_path / "server", "--format", "lattigo", "--secret-key").ends(0)
    names = {"params.json", "public.bin", "secret.bin", "evaluation.bin"}
    assert {path.name for path in (tmp_path / "server").iterdir()} == names
    again, kinds = tmp_path / "again", ("--format", "seal", "--secret-key", "--compression", "none")
    ringside("convert", tmp_path / "server", again, *kinds).ends(0)
    names = {"params.seal", "params.lattigo", "public.key", "secret.key", "relin.key", "galois.key"}
    assert {path.name for path in again.iterdir()} == names
    read = (tmp_path / "up.lattigo", tmp_path / "out.npy", "--count", 300, "--force")
    ringside("decrypt", "--keys", again, *read).ends(0)
    assert np.abs(np.load(tmp_path / "out.npy") - np.load(values)).max() < 1e-4


@pytest.mark.parametrize("scheme", ["bfv", "bgv"])
def test_integers_of_lattigo_by_commands(scheme: str, ringside: CommandLine, tmp_path: Path) -> None:
    keys, source, out = tmp_path / "keys", written(tmp_path / "in.csv", "1\n-2\n32768\n"), tmp_path / "out.csv"
    words = ("--bits", "1024:36,30,36", "--scheme", scheme, "--plain-modulus", 65537, "--security", "none")
    ringside("keygen", *words, "--relin", "--galois", "1,0", "--format", "lattigo", "--out", keys).ends(0)
    up, seal, again = (tmp_path / name for name in ("up.lattigo", "up.seal", "again.lattigo"))
    for options in ([], ["--public-key"]):
        ringside("encrypt", "--keys", keys, source, up, *options, "--force").ends(0)
        ringside("decrypt", "--keys", keys, up, out, "--truth", source, "--force").ends(0).shows("0 of 3 values wrong")
    told = ringside("inspect", "--keys", keys, up, "--budget", "--json").json
    scale = 1 if scheme == "bgv" else -rs.KeyDirectory(keys).params.modulus(1) % 65537
    assert (told["kind"], told["plain_modulus"], told["correction_factor"]) == ("ciphertext of Lattigo", 65537, scale)
    assert told["noise_budget_bits"] > 20
    back = ringside("convert", up, seal, "--format", "seal", "--keys", keys)
    if scheme == "bfv":
        back.refused(5, "have a scale, for which SEAL's of BFV have no place", "keygen --scheme bgv")
        ringside("encrypt", "--keys", keys, source, seal).ends(0)
    ringside("convert", seal, again, "--format", "lattigo", "--keys", keys).ends(0)
    ringside("decrypt", "--keys", keys, again, out, "--unsigned", "--force").ends(0)
    assert sorted(map(int, out.read_text().split()))[-3:] == [1, 32768, 65535]
    server, kept = tmp_path / "server", {"params.seal", "params.lattigo", "public.key", "secret.key"}
    ringside("convert", keys, server, "--format", "lattigo", "--secret-key").ends(0)
    assert {path.name for path in server.iterdir()} == {"params.json", "public.bin", "secret.bin", "evaluation.bin"}
    ringside("inspect", server / "params.json").ends(0).shows("65537")
    ringside("convert", server, tmp_path / "bgv", "--format", "seal", "--secret-key").ends(0)
    assert {path.name for path in (tmp_path / "bgv").iterdir()} == kept  # its evaluation keys are none of BGV's
    ringside("decrypt", "--keys", tmp_path / "bgv", up, out, "--truth", source, "--margin", 8, "--force").ends(0)
    theirs = ("keygen", "--params", server / "params.json", "--security", "none", "--out", tmp_path / "own")
    ringside(*theirs, "--relin", "--json").ends(0)
    assert rs.KeyDirectory(tmp_path / "own").params.scheme == "bgv"
    ringside("encrypt", "--keys", keys, source, up, "--packing", "coefficients").ends(3, "in slots alone")


# as Lattigo's tutorials have them: LogP 61
LARGE = b'{"LogN":12,"Q":[36028797018972161,35184372121601],"P":[2305843009213554689],"LogDefaultScale":45}'


def test_the_default_scale_is_the_librarys() -> None:
    library = rs.Lattigo.read(LARGE.replace(b'Scale":45', b'Scale":33'), security=0)
    with library.context.keygen() as key:
        assert library.encrypt([1.0], key).scale == library.default_scale == 2**33
        assert library.encrypt([1.0], key, scale=2.0**30).scale == 2**30


def test_a_special_prime_of_61_bits(ringside: CommandLine, tmp_path: Path) -> None:
    """Keys with residues modulo it are made for the server; SEAL's files of the same keys have another special prime."""
    keys, values, params, server = tmp_path / "keys", tmp_path / "v.npy", tmp_path / "params.json", tmp_path / "server"
    np.save(values, np.linspace(-1, 1, 300))
    params.write_bytes(LARGE)
    weak = ringside("keygen", "--params", params, "--out", keys)
    weak.ends(3, "162 modulus bits at N = 4096, 109 are allowed for 128-bit security")
    ringside("keygen", "--params", params, "--security", "none", "--relin", "--galois", "1", "--out", keys).ends(0)
    ringside("encrypt", "--keys", keys, "--format", "lattigo", values, tmp_path / "up.lattigo").ends(0)
    ringside("decrypt", "--keys", keys, tmp_path / "up.lattigo", tmp_path / "out.npy", "--count", 300).ends(0)
    assert np.abs(np.load(tmp_path / "out.npy") - np.load(values)).max() < 1e-6
    ringside("convert", keys, server, "--format", "lattigo", "--secret-key").ends(0)
    assert sorted(path.name for path in server.iterdir()) == ["evaluation.bin", "params.json", "secret.bin"]
    library = rs.Lattigo.read(params, security=0)
    assert library.kinds_in(server / "evaluation.bin") == (True, True)
    with library.read_secret_key(server / "secret.bin") as key, rs.KeyDirectory(keys).secret_key() as own:
        library.save_secret_key(own, tmp_path / "own")
        assert (tmp_path / "own").read_bytes() == (server / "secret.bin").read_bytes()
        public = library.context.public_key(key)
        raises(rs.MismatchError, r"2305843009213554689; Ringside's has not", library.public_key_to_bytes, public)
    for special in (2**61 + 40961, 2305843009213554688, 36028797018972161):  # too large, no prime, one of Q
        one = params.read_bytes().replace(b"2305843009213554689", str(special).encode())
        raises(rs.RingsideError, "modul", rs.Lattigo.read, one, security=0)


def test_refusals_say_what_to_do(ringside: CommandLine, tmp_path: Path) -> None:
    keys, keygen = tmp_path / "keys", ("keygen", "--bits", "1024:36,30,36", "--security", "none", "--out")
    ringside(*keygen, keys).ends(0)
    np.save(tmp_path / "v.npy", np.ones(3))
    done = ringside("encrypt", "--keys", keys, "--format", "openfhe", tmp_path / "v.npy", tmp_path / "up.openfhe")
    done.ends(4, "keygen --params")
    ringside(*keygen, tmp_path / "k", "--format", "openfhe").ends(2, "--params")
    server = written(tmp_path / "cryptocontext.txt", context_file(3))
    ringside("convert", server, tmp_path / "out", "--format", "seal").ends(2, "keygen --params")
    told = ringside("inspect", server, "--json").json
    assert (told["kind"], told["n"], told["q_bits"]) == ("parameters of OpenFHE", 1024, [36, 30, 31])
    ringside("convert", server, tmp_path / "out").ends(2, "--format seal")


# ---- refusals -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"{", "not JSON"),
        (b"[1]", "no object"),
        (b'{"LogN":10,"LogQ":[40,30],"LogP":[40]}', "sizes of primes"),
        (b'{"LogN":10,"Q":[],"P":[]}', "Q is empty"),
        (b'{"LogN":10,"Q":["x"]}', "list of primes"),
        (b'{"LogN":40,"Q":[97]}', "LogN is 40"),
        (b'{"LogN":10,"Q":[97],"RingType":"ConjugateInvariant"}', "ConjugateInvariant"),
        (b'{"LogN":10,"Q":[98]}', "modul"),
        (b'{"LogN":10,"Q":[12289],"PlaintextModulus":0}', "modulus 0 is no prime"),
        (b'{"LogN":10,"Q":[12289],"PlaintextModulus":12289}', "not below the first prime of Q"),
        (b'{"LogN":10,"Q":[12289],"PlaintextModulus":"257"}', "PlaintextModulus is not a whole number"),
        (b'{"LogN":10,"Q":[65537],"PlaintextModulus":12289}', "parameters of BGV.*ExactContext"),
        (b'{"LogN":10,"Q":[18446744073709551557]}',
         r"18446744073709551557 in Q, which is above 2\^60.*at most 59 bits"),
        (b'{"LogN":12,"Q":[1152921504606830593,1152921504606904321]}',
         r"1152921504606904321 in Q, which is above 2\^60"),
    ],
)  # fmt: skip
def test_parameters_of_lattigo_that_are_refused(text: bytes, says: str) -> None:
    raises(rs.ParameterError, says, rs.Context.from_lattigo, text, security=0)


def test_a_special_prime_is_not_the_plain_modulus() -> None:
    """Where Lattigo has no P, one is chosen."""
    q, t = (next(filter(is_prime, range(2**bits - 2047, 2, -2048))) for bits in (36, 19))
    library = rs.Lattigo.read(f'{{"LogN":10,"Q":[{q}],"PlaintextModulus":{t}}}'.encode(), security=0)
    assert library.context.params.special_prime not in (q, t)


def test_other_versions_are_refused() -> None:
    data = bytearray(context_file(3))
    data[9] = 2  # CryptoContextImpl
    with pytest.raises(rs.WireError, match=r"another version: class CryptoContextImpl has the number 2.*OpenFHE 1\.6"):
        rs.Context.from_openfhe(bytes(data), security=0)
    raises(rs.WireError, "BINARY", rs.Context.from_openfhe, b'{"value0": {}}', security=0)


def test_security_is_checked() -> None:
    raises(rs.ParameterError, "128-bit security", rs.Context.from_openfhe, context_file(3))


# ---- damage -----------------------------------------------------------------------------------------------------------------
Reader = Callable[[bytes], object]


def samples(library: rs.Lattigo | rs.OpenFHE, folder: Path) -> dict[str, tuple[bytes, Reader]]:
    context = library.context
    with context.keygen() as key:
        library.save_secret_key(key, folder / "secret")
        context.write_relin_keys(key, folder / "relin.seal")
        context.write_galois_keys(key, folder / "galois.seal", [1], generator=5)
        public = library.public_key_to_bytes(context.public_key(key))
        ciphertext = library.ciphertext_to_bytes(library.encrypt([1, 2], key))
        if isinstance(library, rs.OpenFHE):
            library.make_relin_keys(key, folder / "relin")
            library.make_rotation_keys(key, folder / "rotation", [1])
    found: dict[str, tuple[bytes, Reader]] = {
        "secret": ((folder / "secret").read_bytes(), library.read_secret_key),
        "public": (public, library.read_public_key),
        "ciphertext": (ciphertext, library.read_ciphertext),
    }
    out = folder / "out.seal"
    if isinstance(library, rs.Lattigo):
        library.convert_evaluation_keys(
            folder / "keys", relin_keys=folder / "relin.seal", galois_keys=folder / "galois.seal"
        )
        data = (folder / "keys").read_bytes()
        found["evaluation"] = (data, lambda data: library.read_evaluation_keys(data, relin_keys=out))
        found["parameters"] = (library.parameters_to_bytes(), lambda data: rs.Lattigo.read(data, security=0))
    else:
        converts = library.has_seal_keys
        for kind, read in (("relin", library.read_relin_keys), ("rotation", library.read_rotation_keys)):
            galois = kind == "rotation"
            reader: Reader = partial(read, path=out) if converts else partial(library.elements_in, galois=galois)
            found[kind] = ((folder / kind).read_bytes(), reader)
        own = context_file(library.parameters.scheme)
        found["parameters"] = (own, lambda data: rs.OpenFHE.read(data, security=0))
    return found


def damaged(data: bytes, draw: random.Random) -> bytes:
    """Bits turned, bytes cut out, put in or cut off, mostly where structure is: before the words of the first polynomial."""
    copy = bytearray(data)
    for _ in range(draw.randint(1, 3)):
        place = draw.randrange(min(len(copy), 1200) if draw.random() < 0.8 else len(copy))
        kind = draw.randrange(5)
        if kind == 0:
            copy[place] ^= 1 << draw.randrange(8)
        elif kind == 1:
            copy[place : place + 8] = draw.choice((0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1)).to_bytes(8, "little")
        elif kind == 2:
            del copy[place : place + draw.randint(1, 16)]
        elif kind == 3:
            copy[place:place] = draw.randbytes(draw.randint(1, 16))
        else:
            del copy[place:]
        if not copy:
            break
    return bytes(copy)


@pytest.mark.parametrize("name", LIBRARIES)
def test_damaged_files_end_well_or_with_our_error(name: str, tmp_path: Path) -> None:
    library = library_of(name)
    for kind, (data, read) in samples(library, tmp_path).items():
        read(data)
        draw, refused = random.Random(f"{name} {kind}"), 0
        for _ in range(CASES):
            try:
                read(damaged(data, draw))
            except rs.RingsideError:
                refused += 1
        assert refused > CASES // 2, kind
        for size in (0, 1, 8, len(data) - 1):
            raises(rs.RingsideError, None, read, data[:size])
        if kind != "parameters":
            raises(rs.WireError, r"1 bytes follow|bytes end before|another", read, data + b"\0")


@pytest.mark.parametrize(
    "scale", ["0", "0.5", "1.5", "-1", "65537", "1e9", "1e999999999", "NaN", "sNaN", "Infinity", "x"]
)
def test_scales_of_integers(scale: str) -> None:
    lattigo_bfv: rs.Lattigo = library_of("lattigo_bfv")
    with lattigo_bfv.context.keygen() as key:
        data = lattigo_bfv.ciphertext_to_bytes(lattigo_bfv.encrypt([1], key))
    start, end = data.index(b'"Value":') + 8, data.index(b',"Mod"')

    def written(text: str) -> bytes:
        return data[:start] + f'"{text}"'.encode().ljust(end - start) + data[end:]

    assert lattigo_bfv.read_ciphertext(written("6.5536e4")).correction_factor == 65536
    raises(rs.WireError, "its scale is|its metadata are not", lattigo_bfv.read_ciphertext, written(scale))
    raises(rs.WireError, "with modulus", lattigo_bfv.read_ciphertext, data.replace(b"6.5537", b"6.5539"))
    raises(rs.WireError, r"it has 2\^0 x 2\^9 slots", lattigo_bfv.read_ciphertext, data.replace(b'["0x01"', b'["0x00"'))


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_residue_above_its_modulus_is_refused(name: str, tmp_path: Path) -> None:
    library = library_of(name)
    for kind, (data, read) in samples(library, tmp_path).items():
        if kind == "parameters":
            continue
        changed = bytearray(data)
        words = range(len(data) - 8 * 400, len(data) - 8 * 300)  # all of one limb, wherever a word begins
        changed[words.start : words.stop] = b"\xff" * len(words)
        raises(rs.WireError, "a residue is not below its modulus", read, bytes(changed))


@pytest.mark.parametrize("name", LIBRARIES)
def test_secret_key_must_be_ternary(name: str, tmp_path: Path) -> None:
    library = library_of(name)
    data, read = samples(library, tmp_path)["secret"]
    raises((rs.SecretKeyError, rs.WireError), None, read, flipped(data, -9000))
