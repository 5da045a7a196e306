# SPDX-License-Identifier: Apache-2.0
"""ML-KEM, ML-DSA and NewHope on a simulated core: NIST's answers (ACVP), errors as on the processor, and a time that depends on the set alone."""

import multiprocessing
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from typing import Any, Literal

import pytest

import ringside as rs
from asserting import flipped, raises
from pqc.test_standards import data, kem_keys_are_nists, kem_secrets_are_nists, signature_keys_are_nists
from pqc.vectors import DSA, Case, acvp
from ringside import pqc
from ringside.cycles import schemes
from ringside.designs.units import UNITS
from ringside.devices.calls import SchemeCall, SchemeText
from ringside.devices.simulated import SimulatedDevice, open_simulated
from ringside.native.library import ffi, lib, view_of
from ringside.sim.core import ProgramRun
from ringside.sim.options import parse_simulated

DEVICE = "sim:pqc-4"


def programs(scheme: pqc.MLKEM | pqc.MLDSA) -> list[ProgramRun]:
    """Those that run from now on."""
    found: list[ProgramRun] = []
    assert isinstance(scheme._device, SimulatedDevice)
    scheme._device.finished = found.append
    return found


def test_acvp_keys_and_secrets(kems: dict[str, pqc.MLKEM], signers: dict[str, pqc.MLDSA]) -> None:
    kem_keys_are_nists(kems.__getitem__)
    kem_secrets_are_nists(kems.__getitem__)
    signature_keys_are_nists(signers.__getitem__)


def internal_text(case: Case) -> SchemeText:
    """Bytes that are signed as they are."""
    return SchemeText(int(lib.RS_MLDSA_INTERNAL), data(case, "message"))


def test_acvp_verification(signers: dict[str, pqc.MLDSA]) -> None:
    for case in acvp(DSA / "ML-DSA-sigVer-FIPS204"):
        scheme, given = signers[case["parameterSet"]], {name: view_of(data(case, name)) for name in ("pk", "signature")}
        call = SchemeCall(scheme._scheme, "verify", {**given, "message": internal_text(case)}, {})
        found = outcome(scheme._device.run, call)
        assert found is (None if case["testPassed"] else rs.InputError), case["tcId"]


def test_acvp_signing(signers: dict[str, pqc.MLDSA]) -> None:
    """The first deterministic and the first hedged case of each set."""
    seen = set()
    for case in acvp(DSA / "ML-DSA-sigGen-FIPS204"):
        key = case["parameterSet"], case["deterministic"]
        if key in seen:
            continue
        seen.add(key)
        scheme = signers[case["parameterSet"]]
        rnd = bytes(32) if case["deterministic"] else data(case, "rnd")
        signature = ffi.new("uint8_t[]", scheme.signature_bytes)
        given = {"sk": view_of(data(case, "sk")), "rnd": view_of(rnd), "message": internal_text(case)}
        scheme._device.run(SchemeCall(scheme._scheme, "sign", given, {"signature": signature}))
        assert bytes(ffi.buffer(signature)) == data(case, "signature"), case["tcId"]
    assert len(seen) == 6


def test_cycles_do_not_depend_on_what_a_ciphertext_is(kems: dict[str, pqc.MLKEM]) -> None:
    """Valid, damaged, random: decapsulations with one key take equally long, in cycles of the core."""
    kem, rng = kems["ML-KEM-768"], random.Random(1)
    ek, dk = kem.keygen(rng.randbytes(64))
    ciphertexts = [kem.encaps(ek, rng.randbytes(32))[1] for _ in range(3)]
    damaged = [flipped(ct, 0) for ct in ciphertexts]
    ran = programs(kem)
    for ct in (*ciphertexts, *damaged, rng.randbytes(kem.ct_bytes)):
        kem.decaps(dk, ct)
    assert len(ran) == 7
    assert len({program.cycles for program in ran}) == 1


def test_all_units_are_traced(kems: dict[str, pqc.MLKEM]) -> None:
    """SPONGE and PACK, too: the core itself counts the others; a cycle is idle if no instruction runs in it."""
    kem = kems["ML-KEM-768"]
    ek, _ = kem.keygen(bytes(64))
    ran = programs(kem)
    kem.encaps(ek, bytes(32))
    (job,) = ran
    assert isinstance(kem._device, SimulatedDevice)
    counted = list(lib.rs_device_report(kem._device._device).unit_cycles)
    assert [job.busy[unit] for unit in UNITS[:6]] == counted[:6]
    assert min(job.busy["SPONGE"], job.busy["PACK"]) > 0
    busy = set().union(*(range(event.start, event.end + 1) for event in job.events))
    assert len(busy) + job.idle == job.cycles


def test_errors_are_those_of_the_processor(kems: dict[str, pqc.MLKEM], signers: dict[str, pqc.MLDSA]) -> None:
    kem, dsa = kems["ML-KEM-512"], signers["ML-DSA-44"]
    ek, dk = kem.keygen()
    ss, ct = kem.encaps(ek)
    assert pqc.MLKEM("ML-KEM-512").decaps(dk, ct) == ss
    raises(rs.InputError, "public key", kem.encaps, b"\xff\xff\xff" + ek[3:])
    raises(rs.SecretKeyError, None, kem.decaps, flipped(dk, -33), ct)
    assert kem.decaps(dk, ct) == ss  # the core goes on
    pk, sk = dsa.keygen()
    signature = dsa.sign(sk, b"message", b"context", prehash="SHA2-512")
    assert pqc.MLDSA("ML-DSA-44").verify(pk, b"message", signature, b"context", prehash="SHA2-512")
    assert dsa.verify(pk, b"message", signature, b"context", prehash="SHA2-512")
    assert not dsa.verify(pk, b"message", signature, b"other", prehash="SHA2-512")
    raises(rs.SecretKeyError, None, dsa.sign, sk[:128] + b"\xff" + sk[129:], b"message")


def outcome(call: Callable[..., object], *arguments: object) -> object:
    """What a call gives, or the kind of its error."""
    try:
        return call(*arguments)
    except rs.RingsideError as error:
        return type(error)


def alike(core: object, plain: object, call: str, *given: Any) -> type:
    """What a core's call gives, which is what the processor's gives: bytes, or a kind of error."""
    want = outcome(getattr(plain, call), *given)
    assert outcome(getattr(core, call), *given) == want
    return want if isinstance(want, type) else bytes


def damaged(good: bytes, rng: random.Random) -> bytes:
    """One bit, a byte at one of its ends, a stretch of random bytes, or another length."""
    bad, at = bytearray(good), rng.randrange(len(good))
    match rng.randrange(5):
        case 0:
            bad[at] ^= 1 << rng.randrange(8)
        case 1:
            bad[at] = rng.choice((0, 0xFF))
        case 2:
            bad[at : at + 40] = rng.randbytes(len(bad[at : at + 40]))
        case 3:
            bad[-1 - rng.randrange(60)] ^= 1 << rng.randrange(8)  # bits of a signature: hints
        case _:
            return bytes(bad[:at])
    return bytes(bad)


@pytest.mark.soak
@pytest.mark.parametrize("name", pqc.KEM_SETS)
def test_damaged_keys_and_ciphertexts(kems: dict[str, pqc.MLKEM], name: str) -> None:
    """Whatever is wrong with them, core and processor say the same."""
    kem, plain, rng = kems[name], pqc.MLKEM(name), random.Random(5)
    ek, dk = plain.keygen(rng.randbytes(64))
    m = rng.randbytes(32)
    _, ct = plain.encaps(ek, m)
    seen = set()
    for _ in range(25):
        other_ek, other_dk, other_ct = damaged(ek, rng), damaged(dk, rng), damaged(ct, rng)
        for call, *given in (("encaps", other_ek, m), ("decaps", other_dk, ct), ("decaps", dk, other_ct)):
            seen.add(alike(kem, plain, call, *given))
    assert len(seen) >= 3  # secrets, errors of length and of keys
    assert kem.decaps(dk, ct) == plain.decaps(dk, ct)


@pytest.mark.soak
@pytest.mark.parametrize("name", pqc.SIGNATURE_SETS)
def test_damaged_signatures(signers: dict[str, pqc.MLDSA], name: str) -> None:
    dsa, plain, rng = signers[name], pqc.MLDSA(name), random.Random(6)
    pk, sk = plain.keygen(rng.randbytes(32))
    message = rng.randbytes(50)
    signature = plain.sign(sk, message, deterministic=True)
    for _ in range(25):
        other_pk, other_sk, other = damaged(pk, rng), damaged(sk, rng), damaged(signature, rng)
        alike(dsa, plain, "verify", other_pk, message, signature)
        alike(dsa, plain, "verify", pk, message, other)
        if len(other_sk) != len(sk):
            alike(dsa, plain, "sign", other_sk, message)
    assert dsa.verify(pk, message, signature)


def test_cycles_of_operations() -> None:
    """`ringside cycles` compares results itself; here its figures: bounds that a doubled pass would break."""
    wanted = parse_simulated("pqc-4")
    encaps = schemes.measure(wanted, "ml-kem-768-encaps")
    assert 4000 < encaps.cycles < 5800
    assert 0 < encaps.busy("COMPUTE") < encaps.cycles
    sign = schemes.measure(wanted, "ml-dsa-44-sign")
    assert len(sign.programs) == 1 + 2 * sign.rounds
    assert sign.rounds > 1
    assert sign.cycles < 14000
    assert schemes.measure(wanted, "keccak").cycles in (12, 24)
    raises(rs.DeviceError, "cannot compute", schemes.measure, parse_simulated("bliss"), "newhope-client-ring")
    raises(rs.DeviceError, r"\[fields\]", schemes.measure, parse_simulated("newhope"), "ml-kem-512-keygen")
    raises(rs.DeviceError, "soc profile bliss-sign", schemes.measure, wanted, "bliss-sign")


def test_designs_that_cannot() -> None:
    raises(rs.DeviceError, r"\[fields\]", pqc.MLKEM, "ML-KEM-512", device="sim:newhope")


def test_schemes_take_turns_on_one_device() -> None:
    """Whose call it is says itself: a set is prepared again where another one was in between."""
    with closing(open_simulated(parse_simulated("pqc-4"))) as device:
        kems = [(pqc.MLKEM._on(name, device), pqc.MLKEM(name)) for name in ("ML-KEM-512", "ML-KEM-768")]
        dsa, hope = pqc.MLDSA._on("ML-DSA-44", device), pqc.NewHope._on(device)
        ran: list[ProgramRun] = []
        device.finished = ran.append
        for _ in range(2):
            for kem, plain in kems:
                assert kem.keygen(bytes(64)) == plain.keygen(bytes(64))
            assert dsa.keygen(bytes(32)) == pqc.MLDSA("ML-DSA-44").keygen(bytes(32))
            message, secret = hope.server()
            answer, shared = pqc.NewHope(research=True).client(message)
            assert hope.shared(secret, answer) == shared
        assert [run.op for run in device.runs] == [
            "mlkem-keygen", "mlkem-keygen", "mldsa-keygen", "newhope-server", "newhope-shared"
        ] * 2  # fmt: skip
        assert sum(run.cycles for run in device.runs) == sum(program.cycles for program in ran)
        raises(rs.DeviceError, "sim:pqc-4 keeps no keys", kems[0][0].seal)


def _secret_of(dk: bytes, ct: bytes) -> bytes:
    with closing(pqc.MLKEM("ML-KEM-512", device=DEVICE)) as kem:
        return kem.decaps(dk, ct)


def test_two_processes_have_a_core_each() -> None:
    plain = pqc.MLKEM("ML-KEM-512")
    pairs = [plain.keygen(bytes([number]) * 64) for number in range(2)]
    sent = [plain.encaps(ek) for ek, _ in pairs]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        found = pool.map(_secret_of, [dk for _, dk in pairs], [ct for _, ct in sent])
        assert list(found) == [shared for shared, _ in sent]


@pytest.mark.soak  # it builds the model of one more design
def test_one_design_does_ckks_and_kem() -> None:
    """ringside-pqc: the same core, one scheme after the other."""
    device = open_simulated(parse_simulated("ringside-pqc"))
    device.self_test()  # CKKS, with encode and decode
    kem, plain, rng = pqc.MLKEM._on("ML-KEM-768", device), pqc.MLKEM("ML-KEM-768"), random.Random(3)
    seed, m = rng.randbytes(64), rng.randbytes(32)
    ek, dk = kem.keygen(seed)
    assert (ek, dk) == plain.keygen(seed)
    shared, ct = kem.encaps(ek, m)
    assert (shared, ct) == plain.encaps(ek, m)
    assert kem.decaps(dk, ct) == shared
    other = flipped(ct, 0)
    assert kem.decaps(dk, other) == plain.decaps(dk, other) != shared
    device.self_test()
    context = rs.Context(rs.Parameters.from_bits(1024, [30, 30], security=0))
    with context.keygen() as key:
        for _ in range(2):
            ciphertext = context.on(device).encrypt([1.5], key, scale=2**20)
            assert abs(context.on(device).decrypt_values(ciphertext, key, 1)[0] - 1.5) < 1e-3
            assert kem.decaps(dk, ct) == shared
    device.close()


# ---- NewHope ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("parse", ["usenix", "5q"])
def test_newhope(parse: Literal["usenix", "5q"]) -> None:
    """The library's bytes with its stream, and either side with a reference's noise."""
    core = pqc.NewHope(research=True, parse=parse, device=DEVICE)
    plain = pqc.NewHope(research=True, parse=parse, noise="shake256")
    reference, rng = pqc.NewHope(research=True, parse=parse), random.Random(8)
    seeds, noise = (rng.randbytes(32), rng.randbytes(32)), rng.randbytes(32)
    message, secret = core.server(seeds)
    assert (message, secret) == plain.server(seeds)
    answer, shared = core.client(message, noise)
    assert (answer, shared) == plain.client(message, noise)
    assert core.shared(secret, answer) == shared
    assert reference.shared(secret, answer) == shared
    theirs, their_secret = reference.server()
    answer, shared = core.client(theirs)
    assert reference.shared(their_secret, answer) == shared
    message, secret = core.server()
    answer, shared = reference.client(message)
    assert core.shared(secret, answer) == shared
    for bad in (b"\xff\xff" + message[2:], message[:1790] + b"\xff\xff" + message[1792:]):
        raises(rs.WireError, "residue", core.client, bad)
    raises(rs.WireError, "residue", core.shared, b"\xff\xff" + secret[2:], answer)
    raises(rs.InputError, None, core.client, message[:-1])
    assert core.shared(secret, answer) == shared  # the core goes on
    core.close()


def test_cycles_of_newhope() -> None:
    """Bounds that one more transform would break; a product is the scheme's part on cores without fields alone."""
    found = schemes.measure(parse_simulated("pqc-4"), "newhope-client")
    assert found.cycles < 7700
    assert found.busy("COMPUTE") < 6000
    halves = [schemes.measure(parse_simulated("pqc-4"), f"newhope-{half}").cycles for half in ("begin", "finish")]
    server = schemes.measure(parse_simulated("pqc-4"), "newhope-server")
    assert [program.cycles for program in server.programs] == halves
    raises(rs.DeviceError, "newhope-server-ring", schemes.measure, parse_simulated("newhope"), "newhope-server")


def test_a_core_has_no_chacha20() -> None:
    raises(rs.ParameterError, "ChaCha20", pqc.NewHope, research=True, device=DEVICE, noise="chacha20")


@pytest.mark.soak
def test_damaged_messages_of_newhope() -> None:
    """Whatever is wrong with them, core and processor say the same; any words below q make a key."""
    core, plain = pqc.NewHope(research=True, device=DEVICE), pqc.NewHope(research=True, noise="shake256")
    rng = random.Random(9)
    message, secret = plain.server((rng.randbytes(32), rng.randbytes(32)))
    answer, _ = plain.client(message, bytes(32))
    seen = set()
    for _ in range(40):
        for of, given in (
            ("client", (damaged(message, rng), bytes(32))),
            ("shared", (secret, damaged(answer, rng))),
            ("shared", (damaged(secret, rng), answer)),
        ):
            seen.add(alike(core, plain, of, *given))
    assert len(seen) >= 3  # keys, errors of length and of words
    core.close()


@pytest.mark.soak
def test_cycles_of_rings() -> None:
    """The models of two more designs are built for it."""
    assert len(schemes.measure(parse_simulated("newhope"), "newhope-server-ring").programs) == 2
    assert schemes.measure(parse_simulated("bliss"), "bliss-verify-ring").cycles < 3000
