# SPDX-License-Identifier: Apache-2.0
"""Stock Lattigo and OpenFHE bootstrap what Ringside encrypts with as few limbs as they take, with keys that Ringside makes: they have no secret."""

from __future__ import annotations

import json
import math
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
from asserting import raises
from cli_runner import CommandLine
from interop.judges import random_values, read_values
from line_process import LineProcess
from ringside.exchange.packed import from_packed, to_packed
from ringside.formats.lattigo_bootstrapping import read_bootstrapping
from ringside.formats.rings import bit_reversal, primes_below

HALF_RANGE = 1 / 16  # largest value in a coefficient: the sine's error grows with their cube
BELOW_60 = {"LogP": [58, 58, 58, 58], "EvalModLogScale": 57}


class Lattice:
    """One set of Lattigo's bootstrapping parameters, and a client of it."""

    def __init__(self, judge: LineProcess, folder: Path, log_n: int, log_circuit: int, bits: int, **how: Any) -> None:
        self.judge, self.folder, self.params = judge, folder, folder / "params.json"
        circuit, scale = how.pop("circuit", BELOW_60), how.pop("scale", 40)
        judge.ask(
            "create bootstrapping", LogN=log_n, LogCircuitN=log_circuit, LogQ=[bits, scale, scale], LogP=[55], LogScale=scale,
            Weight=32, Circuit=circuit, Params=self.params, **how,
        )  # fmt: skip
        self.client = rs.Lattigo.read(self.params, security=0)
        self.key = self.client.context.keygen()

    def make_keys(self) -> Path:
        path = self.folder / "bootstrapping.bin"
        self.client.make_bootstrapping_keys(self.key, self.params, path, security=0, overwrite=True)
        return path

    def bootstrap(self, uploads: list[bytes], **how: Any) -> list[rs.Ciphertext]:
        """Keys: those of make_keys, or Secret."""
        names = [self.folder / f"upload{index}" for index in range(len(uploads))]
        for name, data in zip(names, uploads, strict=True):
            name.write_bytes(data)
        how = {"Evaluation": self.folder / "bootstrapping.bin"} | how
        out = str(self.folder / "result")
        self.judge.ask("bootstrap", Params=self.params, Ciphertexts=[str(name) for name in names], Out=out, **how)
        return [self.client.read_ciphertext(f"{out}{index}") for index in range(2 if how.get("Half") else len(names))]

    def error(self, result: rs.Ciphertext, wanted: NDArray[Any]) -> float:
        return float(np.abs(self.client.decrypt_values(result, self.key, real=False) - wanted).max())


def through_gateway(client: rs.Lattigo, upload: rs.Ciphertext) -> bytes:
    """What a gateway without a key makes of the packed form."""
    return client.ciphertext_to_bytes(from_packed(client.context, to_packed(upload)))


def random_case(number: int) -> dict[str, Any]:
    """Rings of 2^11 to 2^13, q_0 of 40 to 56 bits, slots or coefficients; some clients in smaller rings."""
    draw = random.Random(f"bootstrapping {number}")
    log_circuit = draw.choice((11, 11, 12, 12, 13))
    packing = draw.choice(("slots", "coefficients"))
    log_n = log_circuit - (draw.randint(0, 2) if packing == "slots" else 0)
    bits = 55 if number % 2 == 0 else draw.randint(42, 56)
    return {"log_n": log_n, "log_circuit": log_circuit, "bits": bits, "packing": packing, "draw": draw}


@pytest.mark.slow
@pytest.mark.alike(10)
@pytest.mark.parametrize("number", range(20))
def test_lattigo_bootstraps_one_limb(number: int, lattigo: LineProcess, tmp_path: Path) -> None:
    case = random_case(number)
    draw, packing = case["draw"], case["packing"]
    one = Lattice(lattigo, tmp_path, case["log_n"], case["log_circuit"], case["bits"], scale=min(40, case["bits"] - 8))
    one.make_keys()
    client, n = one.client, one.client.context.n
    if packing == "slots":
        frames = [random_values(draw, n // 2) for _ in range(2 ** (case["log_circuit"] - case["log_n"]))]
    else:
        frames = [np.random.default_rng(number).uniform(-HALF_RANGE, HALF_RANGE, n)]
    uploads = [client.encrypt_for_bootstrapping(frame, one.key, packing=packing) for frame in frames]
    assert {upload.level for upload in uploads} == {0}
    results = one.bootstrap([through_gateway(client, upload) for upload in uploads], Half=packing == "coefficients")
    noise = 2**16 / uploads[0].scale  # that of the upload, and of the key to the sparse secret
    if packing == "slots":
        assert max(one.error(*pair) for pair in zip(results, frames, strict=True)) < 2**-20 + noise * (
            case["bits"] < 55
        )
    else:
        order = bit_reversal(n // 2)
        wanted = [half[order] for half in np.split(frames[0], 2)]
        assert max(one.error(*pair) for pair in zip(results, wanted, strict=True)) < HALF_RANGE * 2**-17 + noise / 16
    one.key.close()


@pytest.mark.slow
@pytest.mark.parametrize("circuit", [BELOW_60, {}], ids=["below 2^60", "Lattigo's own primes"])
def test_keys_are_as_good_as_lattigos(circuit: dict[str, Any], lattigo: LineProcess, tmp_path: Path) -> None:
    one = Lattice(lattigo, tmp_path, 11, 11, 55, circuit=circuit)
    one.make_keys()
    values = [random_values(random.Random(number), 1024) for number in range(4)]
    uploads = [one.client.ciphertext_to_bytes(one.client.encrypt_for_bootstrapping(row, one.key)) for row in values]
    ours = [one.error(*pair) for pair in zip(one.bootstrap(uploads), values, strict=True)]
    one.client.save_secret_key(one.key, tmp_path / "secret.bin")
    theirs = one.bootstrap(uploads, Secret=tmp_path / "secret.bin")
    assert sum(ours) < 1.2 * sum(one.error(*pair) for pair in zip(theirs, values, strict=True))
    other = one.client.context.keygen()
    with pytest.raises(rs.RingsideError):
        one.client.decrypt_values(one.bootstrap(uploads)[0], other)


@pytest.mark.parametrize("number", range(12))
def test_galois_elements_are_lattigos(number: int, lattigo: LineProcess, tmp_path: Path) -> None:
    draw = random.Random(f"elements {number}")
    log_circuit = draw.randint(9, 13)
    slots = draw.randint(1, log_circuit - 1)

    def factors() -> list[list[int]]:
        found, left = list[list[int]](), draw.randint(1, min(slots, 6))
        while left:
            found.append([30] * min(left, draw.randint(1, 2)))
            left -= len(found[-1])
        return found

    circuit: dict[str, Any] = {"LogSlots": slots} if number % 2 else {}
    names = ("CoeffsToSlotsFactorizationDepthAndLogScales", "SlotsToCoeffsFactorizationDepthAndLogScales")
    circuit |= {name: factors() for name in names if draw.random() < 0.8}
    one = Lattice(lattigo, tmp_path, log_circuit, log_circuit, 50, circuit=circuit)
    wanted = json.loads(Path(f"{one.params}.elements").read_text())
    assert read_bootstrapping(one.params.read_bytes()).elements == wanted


def test_what_lattigo_cannot_bootstrap_is_refused(lattigo: LineProcess, tmp_path: Path) -> None:
    one = Lattice(lattigo, tmp_path, 10, 11, 50)
    literal, path = json.loads(one.params.read_bytes()), tmp_path / "keys"

    def make(security: int = 0, **changes: Any) -> None:
        data = json.dumps(literal | changes).encode()
        one.client.make_bootstrapping_keys(one.key, data, path, security=security)

    raises(rs.ParameterError, "dense", make, EphemeralSecretWeight=0)
    raises(rs.ParameterError, "N = 2048", make, 128)
    circuit = literal["BootstrappingParameters"]
    q, p = circuit["Q"], circuit["P"]
    raises(rs.ParameterError, "twice", make, BootstrappingParameters=circuit | {"P": [q[3], *p[1:]]})
    raises(rs.ParameterError, "1 mod 2N", make, BootstrappingParameters=circuit | {"P": [p[0] + 4, *p[1:]]})
    raises(rs.ParameterError, "extend", make, BootstrappingParameters=circuit | {"Q": q[1:]})
    raises(rs.ParameterError, "SlotsToCoeffs", make, SlotsToCoeffsParameters=None)
    raises(
        rs.ParameterError,
        "factors",
        make,
        CoeffsToSlotsParameters=literal["CoeffsToSlotsParameters"] | {"Levels": [9] * 9},
    )
    other = Lattice(lattigo, tmp_path, 10, 11, 48)
    raises(
        rs.MismatchError,
        "other ciphertexts",
        other.client.make_bootstrapping_keys,
        other.key,
        json.dumps(literal).encode(),
        path,
    )
    assert not path.exists()


@pytest.mark.slow
def test_the_small_ring_is_checked_for_the_key_back(lattigo: LineProcess, tmp_path: Path) -> None:
    """A client of 128 bits, in whose ring q_0 P_0 has fewer; the large ring is secure."""
    one = Lattice(lattigo, tmp_path, 11, 16, 40, scale=30)
    assert one.client.context.params.moduli == read_bootstrapping(one.params.read_bytes()).residual.q[:1]
    assert one.client.context.params.security == 128
    raises(rs.ParameterError, "N = 2048", one.client.make_bootstrapping_keys, one.key, one.params, tmp_path / "keys")


def test_scales_that_bootstrapping_cannot_take() -> None:
    n, prime = 4096, next(primes_below(1 << 42, 8192, ()))
    client = rs.Lattigo(rs.Context(rs.Parameters.from_moduli(n, [prime])))
    with client.context.keygen() as key:
        for scale in (2.0**33, 3.0 * 2**20, 0.0, -1.0, math.inf):
            raises(rs.InputError, "power of two", client.encrypt_for_bootstrapping, [1.0], key, scale=scale)
        raises(rs.InputError, "up to 2", client.encrypt_for_bootstrapping, [5.0], key)
        raises(rs.InputError, "real numbers", client.encrypt_for_bootstrapping, [1j], key, packing="coefficients")
        raises(
            rs.InputError, "4097 values", client.encrypt_for_bootstrapping, [0.0] * 4097, key, packing="coefficients"
        )
        raises(rs.InputError, "not finite", client.encrypt_for_bootstrapping, [math.nan], key, packing="coefficients")
        upload = client.encrypt_for_bootstrapping(np.full(n, 0.5), key, packing="coefficients")
    packed = to_packed(upload)
    assert len(packed) < 5.5 * n
    assert client.ciphertext_to_bytes(from_packed(client.context, packed)) == client.ciphertext_to_bytes(upload)
    for broken in (packed[:-1], packed[:20], b"RSPK", packed[:50] + b"?" + packed[51:], packed + b"\0"):
        raises(rs.WireError, "packed ciphertext", from_packed, client.context, broken)
    far = next(primes_below(int(1.4 * 2**42), 8192, ()))
    raises(
        rs.InputError,
        "close to a power of two",
        rs.Lattigo(rs.Context(rs.Parameters.from_moduli(n, [far]))).bootstrap_upload,
    )


@pytest.mark.slow
def test_command_line(ringside: CommandLine, lattigo: LineProcess, tmp_path: Path) -> None:
    """A client in a smaller ring, a gateway without a key, a server without a secret."""
    one = Lattice(lattigo, tmp_path, 10, 11, 52)
    keys, gateway, server, values = (tmp_path / name for name in ("keys", "gateway", "server", "values.npy"))
    np.save(values, np.random.default_rng(1).uniform(-1, 1, 512))
    ringside("keygen", "--params", one.params, "--security", "none", "--out", keys).ends(0)
    packed, upload = tmp_path / "upload.packed", tmp_path / "upload.lattigo"
    encrypt: Any = ("encrypt", "--keys", keys, "--for-bootstrapping", "lattigo")
    ringside(*encrypt, values, packed).ends(0).shows("level 0, scale 2^4")
    gateway.mkdir()
    for name in ("params.seal", "params.lattigo"):
        shutil.copy(keys / name, gateway)
    ringside("convert", packed, upload, "--format", "lattigo", "--keys", gateway).ends(0)
    ringside("convert", keys, server, "--format", "lattigo").ends(0)
    assert not (server / "secret.bin").exists()
    data = upload.read_bytes()
    one.bootstrap([data, data], Evaluation=server / "bootstrapping.bin")
    for answer in (packed, upload, tmp_path / "result0", tmp_path / "result1"):
        told = ringside(
            "decrypt",
            "--keys",
            keys,
            answer,
            tmp_path / "back.npy",
            "--truth",
            values,
            "--count",
            512,
            "--json",
            "--force",
        )
        assert told.ends(0).json["measured_precision_bits"] > 17
    whole, coefficients = tmp_path / "whole.npy", tmp_path / "coefficients.packed"
    np.save(whole, np.full(1024, 0.01))
    ringside(*encrypt, "--packing", "coefficients", whole, coefficients).ends(0)
    refused: Any = (
        ((*encrypt, values, tmp_path / "out.seal"), "upload.packed"),
        ((*encrypt, "--level", 0, values, packed), "chooses the level"),
        ((*encrypt, "--scale", "2^50", values, packed), "q_0 / 2^9"),
        (("decrypt", "--keys", keys, coefficients, tmp_path / "out.npy"), "each coefficient"),
        (("encrypt", "--keys", keys, "--packing", "coefficients", values, packed), "--packing"),
    )
    for command, words in refused:
        outcome = ringside(*command)
        assert outcome.code
        assert words in outcome.err


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["SPARSE_ENCAPSULATED", "UNIFORM_TERNARY"])
def test_openfhe_bootstraps_two_limbs(kind: str, openfhe: LineProcess, tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("context", "secret", "public")}
    openfhe.ask(
        "create", n=2048, first=57, bits=50, depth=22, digits=3, secret_kind=kind, features=["PKE", "KEYSWITCH", "LEVELEDSHE"],
        **files,
    )  # fmt: skip
    server = rs.OpenFHE.read(files["context"], security=0)
    n, how = server.context.n, {"context": files["context"], "budget": [2, 2]}
    openfhe.ask("elements", out=tmp_path / "elements", **how)
    elements = json.loads((tmp_path / "elements").read_text())
    assert (2 * n - 4 in elements) == (2 * n - 2 in elements) == (kind == "SPARSE_ENCAPSULATED")
    values = np.random.default_rng(3).uniform(-1, 1, n // 2)
    with server.context.keygen() as key:
        server.make_relin_keys(key, tmp_path / "relin")
        server.make_bootstrapping_keys(key, elements, tmp_path / "galois")
        upload = server.encrypt_for_bootstrapping(values, key)
        assert upload.level == 1
        (tmp_path / "upload").write_bytes(server.ciphertext_to_bytes(upload))
        server.save_secret_key(key, tmp_path / "own")
        errors = []
        for keys in ({"relin": tmp_path / "relin", "galois": tmp_path / "galois"}, {"secret": tmp_path / "own"}):
            openfhe.ask("bootstrap", ciphertext=tmp_path / "upload", out=tmp_path / "result", **how, **keys)
            found = tmp_path / "found"
            openfhe.ask(
                "decrypt", ciphertext=tmp_path / "result", secret=tmp_path / "own", count=n // 2, out=found, **how
            )
            errors.append(float(np.sqrt(np.mean(np.square(read_values(found).real - values)))))
        raises(rs.InputError, "two limbs", server.encrypt_for_bootstrapping, values, key, scale=2.0**40)
        raises(rs.InputError, "slots", server.encrypt_for_bootstrapping, values, key, packing="coefficients")
    assert errors[0] < 1.2 * errors[1] + 2**-30
