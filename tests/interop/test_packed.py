# SPDX-License-Identifier: Apache-2.0
"""Packed keys and smaller answers: what a gateway makes of them is what stock SEAL takes; damaged files are refused."""

from __future__ import annotations

import hashlib
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import contents, raises
from cli_runner import CommandLine
from interop.openfhe_contexts import context_file
from ringside.exchange.packed import from_packed, pack_words, to_packed, unpack_words
from ringside.exchange.packed_keys import pack_keys, unpack_keys

seal = pytest.importorskip("tenseal.sealapi")

PARAMS = rs.Parameters.from_bits(4096, [40, 30, 30, 50], security=0)
SCALE, STEP = 2.0**30, 5
HEAD, TAG = 64, 32


def server(params: rs.Parameters) -> Any:
    native = seal.EncryptionParameters(seal.SCHEME_TYPE.CKKS)
    native.set_poly_modulus_degree(params.n)
    native.set_coeff_modulus([seal.Modulus(q) for q in params.moduli])
    return seal.SEALContext(native, True, seal.SEC_LEVEL_TYPE.NONE)


@pytest.mark.parametrize("bits", [1, 13, 30, 31, 32, 33, 60, 61, 64])
def test_words_of_so_many_bits(bits: int) -> None:
    words = np.random.default_rng(bits).integers(0, 1 << bits, 512, dtype=np.uint64)
    packed = pack_words(words, bits)
    assert int.from_bytes(packed, "little") == sum(int(word) << bits * at for at, word in enumerate(words))
    assert np.array_equal(unpack_words(memoryview(packed), bits), words)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A client's directory, uncompressed, with generator 5 for Lattigo's sake in `five`."""
    folder = tmp_path_factory.mktemp("client")
    for name, generator in (("keys", 3), ("five", 5)):
        spec = rs.KeySpec(True, [STEP, -1], generator, compression="none")
        rs.make_keys(PARAMS, folder / name, spec)
    return folder / "keys"


@pytest.fixture(scope="module")
def gateway(keys: Path) -> Path:
    """Parameters alone."""
    place = keys.parent / "gateway"
    place.mkdir()
    (place / "params.seal").write_bytes((keys / "params.seal").read_bytes())
    return place


def test_seal_takes_unpacked_keys(keys: Path, gateway: Path, ringside: CommandLine, tmp_path: Path) -> None:
    directory, values = rs.KeyDirectory(keys), np.linspace(-1, 1, PARAMS.slots)
    for name in ("relin", "galois"):
        packed, again, whole = tmp_path / f"{name}.rkp", tmp_path / name, keys / f"{name}.key"
        ringside("convert", whole, packed, "--format", "packed", "--keys", keys).ends(0)
        share = packed.stat().st_size / whole.stat().st_size
        assert share < 1.02 * sum(q.bit_length() for q in PARAMS.moduli) / 64 / PARAMS.limb_count
        assert ringside("inspect", packed).code != 0
        ringside("unpack", packed, again, "--keys", gateway).ends(0).shows("keys")
        assert again.read_bytes() == whole.read_bytes()
    context = server(PARAMS)
    evaluator, relin, galois, ciphertext = (
        seal.Evaluator(context), seal.RelinKeys(), seal.GaloisKeys(), seal.Ciphertext(),
    )  # fmt: skip
    relin.load(context, str(tmp_path / "relin"))
    galois.load(context, str(tmp_path / "galois"))
    with directory.secret_key() as key:
        own = directory.ckks_context()
        own.encrypt(values, key, scale=SCALE).save(tmp_path / "upload", compression="none")
        ciphertext.load(context, str(tmp_path / "upload"))
        evaluator.square_inplace(ciphertext)
        evaluator.relinearize_inplace(ciphertext, relin)
        evaluator.rescale_to_next_inplace(ciphertext)
        evaluator.rotate_vector_inplace(ciphertext, STEP, galois)
        ciphertext.save(str(tmp_path / "answer"))
        found = own.decrypt_values(rs.Ciphertext.load(own, tmp_path / "answer"), key)
    assert np.abs(found - np.roll(values * values, -STEP)).max() < 1e-2


def test_lattigo_takes_unpacked_keys(keys: Path, ringside: CommandLine, tmp_path: Path) -> None:
    """The files that `convert` makes of the client's directory, but for its public key."""
    five = keys.parent / "five"
    names = []
    for name in ("relin", "galois"):
        names.append(tmp_path / f"{name}.rkp")
        ringside("convert", five / f"{name}.key", names[-1], "--format", "packed", "--keys", five).ends(0)
    place = tmp_path / "gateway"
    place.mkdir()
    (place / "params.seal").write_bytes((five / "params.seal").read_bytes())
    ringside("convert", five, tmp_path / "direct", "--format", "lattigo").ends(0)
    ringside("unpack", *names, tmp_path / "unpacked", "--keys", place, "--format", "lattigo").ends(0)
    direct, unpacked = contents(tmp_path / "direct"), contents(tmp_path / "unpacked")
    assert unpacked.keys() == direct.keys() - {"public.bin"}
    assert all(direct[name] == data for name, data in unpacked.items())
    twice = "unpack", names[0], names[0], tmp_path / "twice", "--keys", place, "--format", "lattigo"
    ringside(*twice).refused(2, "one of each")
    ringside("unpack", *names, tmp_path / "seal", "--keys", place).refused(2, "one at a time")


@pytest.mark.parametrize("name", ["bfv-12", "bgv-12"])
def test_integers(name: str, tmp_path: Path) -> None:
    params = rs.Parameters.named(name)
    context = rs.ExactContext(params)
    with context.keygen() as key:
        context.write_galois_keys(key, tmp_path / "whole", [1, 0], compression="none", seed_type="blake2xb")
    pack_keys(context, tmp_path / "whole", tmp_path / "packed")
    unpack_keys(context, tmp_path / "packed", tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "whole").read_bytes()


def tagged(data: bytearray, start: int, end: int, element: int, index: int) -> bytes:
    """With the tag of one component made again."""
    bound = bytes(data[:HEAD]) + struct.pack("<II", element, index) + bytes(data[start : end - TAG])
    data[end - TAG : end] = hashlib.shake_256(bound).digest(TAG)
    return bytes(data)


def test_packed_keys_that_are_refused(keys: Path, tmp_path: Path) -> None:
    context, packed, out = rs.Context(PARAMS), tmp_path / "packed", tmp_path / "out"
    pack_keys(context, keys / "galois.key", packed)
    good = packed.read_bytes()
    row = PARAMS.n * sum(q.bit_length() for q in PARAMS.moduli) // 8 + 64 + TAG
    entry = 4 + PARAMS.data_limbs * row
    first, second = good[HEAD : HEAD + entry], good[HEAD + entry :]
    wrong = [b"", good[:63], good[:-1], good + b"\0", good[:HEAD] + second + first, good[:HEAD] + first + first]
    for place in (0, 4, 5, 6, 7, 8, 11, 44, 63, HEAD, HEAD + 1, HEAD + 4, HEAD + row // 2, HEAD + row, len(good) - 1):
        wrong.append(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
    one = HEAD + 4
    wrong.append(good[:one] + good[one + row : one + 2 * row] + good[one : one + row] + good[one + 2 * row :])
    element = struct.unpack_from("<I", good, HEAD)[0]
    large = bytearray(good)
    large[one : one + 5] = b"\xff" * 5  # the first word has 40 bits, above its prime
    wrong.append(tagged(large, one, one + row, element, 0))
    for data in wrong:
        packed.write_bytes(data)
        raises((rs.WireError, rs.MismatchError), None, unpack_keys, context, packed, out)
        assert not out.exists()
    raises(rs.WireError, "not below", unpack_keys, context, packed, out)
    packed.write_bytes(good)
    other = rs.Context(rs.Parameters.from_bits(4096, [40, 31, 30, 50], security=0))
    raises(rs.MismatchError, "other parameters", unpack_keys, other, packed, out)
    raises(rs.MismatchError, "no relinearisation", pack_keys, context, keys / "public.key", out)
    unpack_keys(context, packed, out)


# ---- answers --------------------------------------------------------------------------------------------------------------
def answer_of(keys: Path, values: Any, path: Path, level: int, scale: float = SCALE) -> None:
    directory = rs.KeyDirectory(keys)
    with directory.secret_key() as key:
        context = directory.ckks_context()
        context.encrypt(values, key, level=level, scale=scale, seeded=False).save(path)


@pytest.mark.parametrize(("level", "precision"), [(0, None), (2, None), (2, 14), (0, 8)])
def test_smaller_answers(
    level: int, precision: int | None, keys: Path, gateway: Path, ringside: CommandLine, tmp_path: Path
) -> None:
    """Stock SEAL decrypts what a gateway makes of a smaller answer, as precise as was asked for."""
    values = np.linspace(-1, 1, PARAMS.slots)
    answer, small, again = (tmp_path / name for name in ("answer", "small", "again"))
    answer_of(keys, values, answer, level)
    options = ["--max-abs", 1] if level else []
    options += [] if precision is None else ["--precision", precision]
    told = ringside("shrink", answer, small, "--keys", gateway, *options, "--json").json
    bits = 2 * PARAMS.moduli[0].bit_length() - sum(told["dropped_bits"])
    assert small.stat().st_size == told["bytes"] == PARAMS.n * bits // 8 + 60
    ringside("convert", small, again, "--format", "seal", "--keys", gateway).ends(0)
    ringside("decrypt", "--keys", keys, "--real", small, tmp_path / "values.npy").ends(0)
    mine = np.load(tmp_path / "values.npy")

    context, secret, ciphertext, plain = server(PARAMS), seal.SecretKey(), seal.Ciphertext(), seal.Plaintext()
    secret.load(context, str(keys / "secret.key"))
    ciphertext.load(context, str(again))
    seal.Decryptor(context, secret).decrypt(ciphertext, plain)
    theirs = np.array(seal.CKKSEncoder(context).decode_double(plain))
    assert np.abs(mine - theirs).max() < 1e-7
    error = float(np.sqrt(np.mean((theirs - values) ** 2)))
    assert -math.log2(error) > (precision or told["precision_bits"] - 3) - 0.5
    if precision is not None and precision < 10:
        assert -math.log2(error) < precision + 2  # else bits were kept that nobody asked for


def test_answers_that_are_refused(keys: Path, gateway: Path, ringside: CommandLine, tmp_path: Path) -> None:
    values, answer, small = [0.5], tmp_path / "answer", tmp_path / "small"
    directory = rs.KeyDirectory(keys)
    context = directory.ckks_context()
    command = "shrink", answer, small, "--keys", gateway
    answer_of(keys, values, answer, 2)
    ringside(*command).refused(3, "level 2", "--max-abs 1")
    ringside(*command, "--max-abs", 10_000).refused(3, "moduli", "rescale")
    with directory.secret_key() as key:
        context.encrypt(values, key, scale=SCALE).save(answer)
    ringside(*command, "--max-abs", 1).refused(3, "seed", "packed")
    three = np.zeros((3, 1, PARAMS.n), dtype=np.uint64)
    rs.Ciphertext.from_data(context, three, scale=SCALE).save(answer)
    ringside(*command).refused(3, "3 polynomials", "relinearise")
    answer_of(keys, values, answer, 0)
    ciphertext = rs.Ciphertext.load(context, answer)
    good = to_packed(ciphertext, dropped=(3, 2))
    sums = hashlib.blake2b
    for place, value in ((4, 3), (5, 1), (7, 2), (50, 40), (51, 200)):
        data = good[:place] + bytes([value]) + good[place + 1 : -8]
        data += sums(data, digest_size=8).digest()
        raises((rs.WireError, rs.MismatchError), None, from_packed, context, data)
    large = good[:52] + b"\xff" * 5 + good[57:-8]
    raises(rs.WireError, "not below", from_packed, context, large + sums(large, digest_size=8).digest())
    assert not small.exists()


def test_bootstrapping_keys_by_command(ringside: CommandLine, tmp_path: Path) -> None:
    """Keys for the numbers that OpenFHE's GetExistingEvalAutomorphismKeyIndices prints; test_bootstrapping.py bootstraps with such keys."""
    context, numbers, keys, out = (tmp_path / name for name in ("cc", "numbers", "keys", "out"))
    context.write_bytes(context_file(1))
    ringside("keygen", "--params", context, "--security", "none", "--relin", "--out", keys).ends(0)
    command = "convert", keys, out, "--format", "openfhe", "--bootstrapping", numbers
    for wrong in ("", "[]", "5, x", "-5", "5.0", "9999999999"):
        numbers.write_text(wrong, encoding="ascii")
        ringside(*command).refused(3, "GetExistingEvalAutomorphismKeyIndices")
    numbers.write_text("6\n", encoding="ascii")
    assert ringside(*command).code != 0
    assert not out.exists()
    numbers.write_text("[25, 5,\n2047]", encoding="ascii")
    ringside("convert", keys, out, "--format", "lattigo", "--bootstrapping", numbers).refused(2, "OpenFHE")
    ringside(*command).ends(0).shows("key-eval-bootstrapping.txt", "key-eval-mult.txt")
    server = rs.OpenFHE.read(context, security=0)
    assert server.elements_in(out / "key-eval-bootstrapping.txt", galois=True) == [5, 25, 2047]
