# SPDX-License-Identifier: Apache-2.0
"""BFV and BGV beside two stock SEALs on random parameter sets: keys, values, noise and words are the same on both sides."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from interop.exact_sets import ExactSetting, Message, random_set
from interop.peers import Peer, PeerError, SealNative, SealNewest
from interop.settings import components
from oracle import exact, reference
from oracle.reference import Integers

pytestmark = pytest.mark.alike(3, by="number")

SMALL, LARGE = (1024, 1024, 2048, 4096), (1024, 2048, 4096, 8192, 16384, 32768)
SETS = [
    *(pytest.param(name, number, SMALL) for name in ("4.3", "4.4") for number in range(6)),
    *(pytest.param(name, number, LARGE, marks=pytest.mark.soak) for name in ("4.3", "4.4") for number in range(6, 66)),
]


@pytest.fixture(scope="module")
def seals() -> dict[str, SealNative]:
    found: list[SealNative] = [SealNative(), SealNewest()]
    return {peer.version: peer for peer in found}


@pytest.fixture(scope="module")
def counts() -> Iterator[Counter[str]]:
    """What was compared, printed at the end (pytest -s)."""
    found: Counter[str] = Counter()
    yield found
    print("", *(f"{name}: {count:,}" for name, count in sorted(found.items())), sep="\n")


class Judge(ExactSetting):
    """A setting that counts what it compares."""

    counts: Counter[str]

    def same(self, name: str, got: Integers, want: Integers) -> None:
        assert len(got) == len(want)
        wrong = np.flatnonzero(got != want)
        assert len(wrong) == 0, f"{name}: {len(wrong)} of {len(want)} differ, the first at {wrong[0]}, {self.params!r}"
        self.counts[name] += len(want)
        self.counts["values"] += len(want)

    def budget(self, theirs: Any, ours: rs.Ciphertext | None = None) -> int:
        """Equal on both sides."""
        bits: int = self.peer.noise_budget(theirs, self.their_secret)
        assert self.context.noise_budget(ours or self.ours(theirs), self.secret, consent="owner") == bits, self.params
        self.counts["budgets"] += 1
        return bits

    def read(self, name: str, theirs: Any, message: Message) -> None:
        """A ciphertext of SEAL, decrypted by both, if it can be."""
        ours = self.ours(theirs)
        self.counts["correction factors that are not 1"] += ours.correction_factor != 1
        if self.budget(theirs, ours) >= 1:
            self.same(name, self.values(ours, message), message.data)
            self.same(f"{name}, in SEAL", self.peer_values(theirs), message.data)

    def written(self, name: str, ours: rs.Ciphertext, message: Message) -> Any:
        """A ciphertext of ours, decrypted by both, in SEAL."""
        theirs = self.theirs(ours)
        self.same(f"{name}, here", self.values(ours, message), message.data)
        if ours.form == "ntt" and self.params.scheme == "bfv":
            self.peer.evaluator.transform_from_ntt_inplace(theirs)
        self.same(name, self.peer_values(theirs), message.data)
        self.budget(theirs, ours)
        return theirs


@pytest.fixture
def judge(request: pytest.FixtureRequest, seals: dict[str, SealNative], counts: Counter[str], tmp_path: Path) -> Judge:
    """Of the parameters (SEAL, number, degrees): the number decides everything but what the operating system draws."""
    name, number, degrees = request.param
    draw = random.Random(f"exact {name} {number}")
    params = random_set(draw, degrees)
    peer = seals[name]
    version = draw.choice(("3.6", peer.version))
    found = Judge(peer, params, tmp_path, their_keys=draw.random() < 0.4, version=version)
    found.counts = counts
    counts[f"sets of {params.scheme} in SEAL {name}"] += 1
    return found


def serve(judge: Judge, theirs: Any, message: Message, plain: Message) -> None:
    """A server's answer: the square, three polynomials; relinearised, rotated, plus a plaintext; at every level below."""
    evaluator = judge.peer.evaluator
    message = message.squared()
    evaluator.square_inplace(theirs)
    judge.read("squares of three polynomials", theirs, message)
    evaluator.relinearize_inplace(theirs, judge.relin_keys)
    if judge.params.batching:
        evaluator.rotate_rows_inplace(theirs, 1, judge.galois_keys)
        evaluator.rotate_columns_inplace(theirs, judge.galois_keys)
    else:
        evaluator.apply_galois_inplace(theirs, 3, judge.galois_keys)
        evaluator.apply_galois_inplace(theirs, 2 * judge.params.n - 1, judge.galois_keys)
    evaluator.add_plain_inplace(theirs, judge.peer_plaintext(plain))
    message = message.moved().plus(plain)
    judge.read("answers", theirs, message)
    for _ in range(judge.levels - 1):
        evaluator.mod_switch_to_next_inplace(theirs)
        evaluator.add_plain_inplace(theirs, judge.peer_plaintext(plain))
        message = message.plus(plain)
        judge.read("answers at lower levels", theirs, message)
    judge.counts["answers of a server"] += 1


@pytest.mark.parametrize("judge", [pytest.param(p.values, marks=p.marks) for p in SETS], indirect=True)
def test_random_set(judge: Judge, request: pytest.FixtureRequest) -> None:
    params, peer, context = judge.params, judge.peer, judge.context
    draw = random.Random(repr(params))
    ids = [params.parms_id(), *(params.parms_id(level) for level in range(params.max_level, -1, -1))]
    ids = ids[1:] if params.limb_count == 1 else ids
    seals_ids = peer.parms_ids()
    assert len(seals_ids) == judge.levels + (params.limb_count > 1)
    assert seals_ids == ids[: len(seals_ids)]
    message, plain = Message.drawn(params, draw), Message.drawn(params, draw)

    # plaintexts both ways
    plaintext, path = judge.peer_plaintext(message), judge.folder / "plain"
    with context.encode(message.signed, packing=message.packing) as encoded:
        judge.same("plaintexts", judge.peer_words(plaintext), reference.integers(encoded.data))
        encoded.save(path, **judge.files)
        assert path.stat().st_mode & 0o777 == 0o600
        judge.same("plaintexts, ours", judge.peer_words(peer.load("plaintext", path)), judge.peer_words(plaintext))
    peer.save(plaintext, path)
    with rs.Plaintext.load(context, path) as read:
        for _ in range(2):
            found = context.decode(read, packing=message.packing)
            judge.same("plaintexts, SEAL's", reference.integers(found) % message.t, message.data)

    # theirs here
    public = peer.encrypt(plaintext, judge.their_public)
    judge.read("SEAL's, public key", public, message)
    symmetric = peer.encrypt_symmetric(plaintext, judge.their_secret, False)
    judge.read("SEAL's, secret key", symmetric, message)
    if "ciphertext" in peer.seeded_kinds:
        ours = judge.ours(peer.encrypt_symmetric(plaintext, judge.their_secret, True))
        assert ours.seeded
        judge.same("SEAL's, seeded", judge.values(ours, message), message.data)

    # ours there
    options: dict[str, Any] = {"packing": message.packing}
    written = {
        "pk": context.encrypt(message.signed, judge.public, **options),
        "pk direct": context.encrypt(message.signed, judge.public, special_prime=False, **options),
        "sk shake256": context.encrypt(message.signed, judge.secret, **options),
        "sk blake2xb": context.encrypt(message.signed, judge.secret, seed_type="blake2xb", **options),
        "sk without seed": context.encrypt(message.signed, judge.secret, seeded=False, **options),
    }
    if params.scheme == "bfv":
        for seeded in (True, False):
            name = f"sk in NTT form{', seeded' * seeded}"
            written[name] = context.encrypt(message.signed, judge.secret, seeded=seeded, form="ntt", **options)
        written["pk in NTT form"] = context.encrypt(message.signed, judge.public, form="ntt", **options)
    loaded = {name: judge.written(f"ours, {name}", ours, message) for name, ours in written.items()}
    judge.same("encoded", judge.peer_words(peer.decrypt(loaded["pk"], judge.their_secret)), judge.peer_words(plaintext))
    if params.limb_count > 1:
        serve(judge, loaded["sk shake256"], message, plain)


@pytest.mark.parametrize("version", ["3.6", "4.1"])
@pytest.mark.parametrize("scheme", ["bfv", "bgv"])
def test_node_seal(peers: dict[str, Peer], counts: Counter[str], tmp_path: Path, scheme: str, version: str) -> None:
    """SEAL 4.1.2 with coefficients, under its own headers and old ones."""
    params = rs.Parameters.from_bits(1024, [50, 40, 40, 51], scheme=scheme, plain_modulus=1000, security=0)
    judge = Judge(peers["node-seal"], params, tmp_path, their_keys=version == "4.1", version=version)
    judge.counts = counts
    peer, message = judge.peer, Message.drawn(params, random.Random(3))
    plaintext = judge.peer_plaintext(message)
    judge.read("node-seal's, public key", peer.encrypt(plaintext, judge.their_public), message)
    judge.read(
        "node-seal's, seeded",
        judge.theirs(judge.ours(peer.encrypt_symmetric(plaintext, judge.their_secret, True))),
        message,
    )
    for key in (judge.public, judge.secret):
        theirs = judge.written(
            "ours, node-seal", judge.context.encrypt(message.signed, key, packing="coefficients"), message
        )
    product = peer.multiply(theirs, theirs)
    judge.read("node-seal's squares", product, message.squared())
    peer.relinearize(product, judge.relin_keys)
    for limbs in (3, 2, 1):
        peer.switch_to(product, limbs)
        judge.read("node-seal's answers", product, message.squared())


# ---- words ----------------------------------------------------------------------------------------------------------
def oracle_of(params: rs.Parameters) -> exact.Exact:
    scheme = exact.BFV if params.scheme == "bfv" else exact.BGV
    return exact.Exact(scheme, params.n, params.moduli, params.plain_modulus or 0)


@pytest.mark.parametrize(
    ("number", "degrees"),
    [
        *((k, (1024, 2048)) for k in range(6)),
        *(pytest.param(k, LARGE[:4], marks=pytest.mark.soak) for k in range(6, 66)),
    ],
)
def test_words_of_seal(counts: Counter[str], tmp_path: Path, number: int, degrees: tuple[int, ...]) -> None:
    """With randomness of ours SEAL's ciphertexts are the oracle's, which tests/oracle/test_exact.py compares with the library.

    BGV with a public key: by SEAL's own rounding, which Ringside's differs from on purpose.
    """
    draw = random.Random(f"exact words {number}")
    peer = SealNative()
    peer.random_words = [draw.getrandbits(64) for _ in range(8)]
    stream = b"".join(
        reference.seed_block(1, np.array(peer.random_words, "<u8").tobytes(), block)
        for block in range(4 * max(degrees) // 1024)
    )
    setting = ExactSetting(peer, random_set(draw, degrees), tmp_path, their_keys=False, version="3.6")
    params, n = setting.params, setting.params.n
    mathematics = oracle_of(params)
    message = Message.drawn(params, draw)
    coefficients = mathematics.encode(message.data) if params.batching else message.data
    plaintext = setting.peer_plaintext(message)
    assert (setting.peer_words(plaintext) == coefficients).all()

    pieces = stream[: 4 * n], stream[4 * n : 10 * n], stream[10 * n : 16 * n]
    u, *errors = exact.seal_ternary(pieces[0]), exact.seal_cbd21(pieces[1]), exact.seal_cbd21(pieces[2])
    key = setting.public.data
    want = mathematics.encrypt_public(key, coefficients, u, errors, limbs=params.data_limbs, centred=False)
    theirs = peer.encrypt(plaintext, setting.their_public)
    assert np.array_equal(peer.words("ciphertext", theirs), want.ravel())
    assert np.array_equal(setting.ours(theirs).data, want)

    s = peer.words("secret_key", setting.their_secret).reshape(-1, n)
    seeded = setting.ours(peer.encrypt_symmetric(plaintext, setting.their_secret, True))
    assert (seeded.seed, seeded.seeded) == (stream[:64], True)
    a, e = seeded.expand().data[1], exact.seal_cbd21(stream[64 : 64 + 6 * n])
    want_secret = mathematics.encrypt_secret(s, a, coefficients, e)
    assert np.array_equal(seeded.data[0], want_secret)

    phase, q = mathematics.phase(s, want)
    assert (mathematics.decrypt(phase, q) == coefficients).all()
    assert mathematics.noise_budget(phase, q) == peer.noise_budget(theirs, setting.their_secret)
    counts[f"words of {params.scheme}, pk"] += want.size
    counts[f"words of {params.scheme}, sk"] += want_secret.size


@pytest.mark.parametrize("kind", ["relin_keys", "galois_keys"])
@pytest.mark.parametrize(("version", "seeded"), [("4.3", False), ("4.3", True), ("4.4", False)])
@pytest.mark.parametrize("scheme", ["bfv", "bgv"])
def test_evaluation_keys_of_seal(
    seals: dict[str, SealNative], tmp_path: Path, scheme: str, version: str, seeded: bool, kind: str
) -> None:
    """Read here they are what ours are: on every limb b + a s is one error, t times that in BGV, and P s' more on the limb of the index."""
    params = rs.Parameters.from_bits(1024, [40, 41, 42], scheme=scheme, plain_modulus=65537, security=0)
    setting = ExactSetting(seals[version], params, tmp_path, their_keys=True, version=version)
    keys = setting.peer.make_keys(kind, setting.their_secret, seeded, [1, 0])
    setting.peer.save(keys, tmp_path / "keys")
    words = setting.peer.words("secret_key", setting.their_secret).reshape(-1, params.n)
    q, factor = params.moduli[0], oracle_of(params).error_factor
    s = reference.centred(reference.intt(reference.integers(words[0]), q), q)
    seen = 0
    for entry, index, component in components(setting.context, tmp_path / "keys"):
        target = reference.multiply(s, s, q) if kind == "relin_keys" else reference.automorphism(s, 2 * entry + 1, q)
        target = reference.centred(target, q) * params.moduli[-1]
        errors = []
        for limb, p in enumerate(params.moduli):
            b, a, key = (reference.integers(row) for row in (component[0, limb], component[1, limb], words[limb]))
            x = reference.intt((b + a * key) % p, p) - (target if limb == index else 0)
            errors.append(reference.centred(x, p).tolist())
        assert errors[0] == errors[1] == errors[2]
        assert all(abs(e) <= 21 * factor and e % factor == 0 for e in errors[0])
        seen += 1
    assert seen == (2 if kind == "relin_keys" else 4)


# ---- BGV's own ------------------------------------------------------------------------------------------------------
@pytest.fixture
def bgv(request: pytest.FixtureRequest, seals: dict[str, SealNative], counts: Counter[str], tmp_path: Path) -> Judge:
    params = rs.Parameters.from_bits(1024, [40, 40, 40, 41], scheme="bgv", plain_modulus=65537, security=0)
    found = Judge(seals[request.param], params, tmp_path, their_keys=False, version=request.param)
    found.counts = counts
    return found


def again(item: Any) -> Any:
    return pickle.loads(pickle.dumps(item))


@pytest.mark.parametrize("bgv", ["4.3", "4.4"], indirect=True)
def test_correction_factors(bgv: Judge) -> None:
    """A factor that is not 1 goes through files of SEAL 4 both ways, and into none of SEAL 3, which have no place for it."""
    message = Message.drawn(bgv.params, random.Random(1))
    theirs = bgv.theirs(bgv.context.encrypt(message.signed, bgv.secret))
    bgv.peer.evaluator.mod_switch_to_next_inplace(theirs)
    ours = bgv.ours(theirs)
    assert ours.correction_factor == pow(bgv.params.moduli[2], -1, 65537)
    for other in (ours, again(ours)):
        bgv.same("factors", bgv.peer_values(bgv.theirs(other)), message.data)
    raises(rs.WireError, "of BGV with a correction factor", ours.to_bytes)
    old, new = bgv.folder / "old", bgv.folder / "new"
    ours.save(new, version="4.1")
    raises(rs.WireError, "which files before SEAL 4.0 do not have", rs.convert, new, old, version="3.6")
    assert not old.exists()


@pytest.mark.parametrize("seeded", [False, True], ids=["full", "seeded"])
@pytest.mark.parametrize("bgv", ["4.3", "4.4"], indirect=True)
def test_coefficient_form(bgv: Judge, seeded: bool) -> None:
    """SEAL 4.0 wrote BGV in coefficient form, and so said the byte for the form; of the seed's polynomial too."""
    message, moduli = Message.drawn(bgv.params, random.Random(2)), bgv.params.moduli
    original = bgv.context.encrypt(message.signed, bgv.secret, seeded=seeded)
    words = np.array(original.expand().data)
    s = bgv.peer.words("secret_key", bgv.their_secret).reshape(-1, bgv.params.n)
    for limb, q in enumerate(moduli[: words.shape[1]]):
        c0, c1, key = (reference.integers(row) for row in (words[0, limb], words[1, limb], s[limb]))
        if seeded:  # the same words of c_1 are coefficients: c_0 makes up for it
            c0, c1 = (c0 + (c1 - reference.ntt(c1, q)) * key) % q, reference.ntt(c1, q)
        words[:, limb] = np.array([reference.intt(c, q) for c in (c0, c1)], np.uint64)
    options = {"version": bgv.peer.version, "compression": "none"}
    data = bytearray(original.to_bytes(**options))
    data[48] = 0  # behind the header and the parms_id
    data[113 : 113 + original.nbytes] = words[: original.data.shape[0]].tobytes()
    path = bgv.folder / "patched"
    path.write_bytes(data)
    bgv.same("coefficient form, in SEAL", bgv.peer_values(bgv.peer.load("ciphertext", path)), message.data)
    ours = rs.Ciphertext.load(bgv.context, path)
    assert (ours.form, ours.seeded) == ("coef", seeded)
    for other in (ours, again(ours), ours.expand()):
        bgv.same("coefficient form", bgv.values(other, message), message.data)
        for version in ("3.6", bgv.peer.version):
            theirs = bgv.theirs(other, version)
            bgv.same("coefficient form, written", bgv.peer_values(theirs), message.data)
            bgv.budget(theirs, other)
    assert ours.to_bytes(**options) == data


def test_refused_by_seal(seals: dict[str, SealNative], tmp_path: Path) -> None:
    """A key of another scheme, or of another t, is not the peer's either."""
    for peer in seals.values():
        folder = tmp_path / peer.version
        folder.mkdir()
        params = [
            rs.Parameters.from_bits(1024, [40, 41], scheme=scheme, plain_modulus=t, security=0)
            for scheme, t in (("bfv", 65537), ("bgv", 65537), ("bfv", 12289))
        ]
        setting = ExactSetting(peer, params[0], folder, their_keys=False, version="3.6")
        for number, other in enumerate(params[1:]):
            with rs.ExactContext(other).keygen() as secret:
                secret.save(folder / str(number), compression="none")
            raises(PeerError, None, setting.peer.load, "secret_key", folder / str(number))
