# SPDX-License-Identifier: Apache-2.0
"""insecure_deterministic_seed: objects made from one seed share nothing; once the secret key followed from public files."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ringside as rs
from asserting import raises
from interop.settings import components
from ringside.native.library import aligned, ffi, lib, words_of
from ringside.native.rng import DeterministicRng, Randomness, Rng

SEED = bytes(range(64))
Words = NDArray[np.uint64]


# ---- what the server has -------------------------------------------------------------------------
def coefficients(context: rs.Context, words: Words) -> NDArray[np.int64]:
    """Coefficients of a polynomial modulo the first prime, NTT form, between -q/2 and q/2."""
    limb = aligned(context.n)
    limb[:] = words
    lib.rs_plan_inverse(lib.rs_context_plan(context._pointer, 0), words_of(limb))
    q = context.params.moduli[0]
    return np.where(limb > q // 2, limb.astype(np.int64) - q, limb.astype(np.int64))


def modular(context: rs.Context, values: Sequence[int]) -> Words:
    q = context.params.moduli[0]
    return np.array([value % q for value in values], dtype=np.uint64)


def attack(context: rs.Context, public: Words, relin: Words) -> Words:
    """What should be s^2 in every NTT point modulo the first prime: P^-1 (b_relin - b_pk)."""
    q, special = context.params.moduli[0], context.params.moduli[-1]
    inverse = pow(special, -1, q)
    pairs = zip(public[0].tolist(), relin[0].tolist(), strict=True)
    return modular(context, [(b - a) * inverse for a, b in pairs])


def secret_limb(context: rs.Context, secret: rs.SecretKey) -> Words:
    with secret._borrow() as native:
        return np.frombuffer(ffi.buffer(native.ntt, 8 * context.n), dtype=np.uint64).copy()


class OldRandomness(Randomness):
    """The derivation until 0.1.0: every call takes the seed's own stream from its beginning."""

    def __init__(self) -> None:
        super().__init__(SEED)
        self._only = DeterministicRng(self._seed)

    def of_keys(self, *_: Any, **__: Any) -> Rng:
        return self._only

    def of_rows(self, *_: Any) -> Callable[[int, int], Rng]:
        return lambda *_: self._only


@pytest.mark.parametrize("old", [True, False], ids=["old derivation", "new derivation"])
def test_the_attack_on_public_files(
    context: rs.Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: bool
) -> None:
    """The old derivation gives s^2 away, which anybody sees by its small coefficients; the new one gives noise."""
    for module in ("key_maker", "evaluation_keys") if old else ():
        monkeypatch.setattr(f"ringside.objects.common.{module}.Randomness", lambda *_: OldRandomness())
    with context.keygen(insecure_deterministic_seed=SEED) as secret:
        public = context.public_key(secret, insecure_deterministic_seed=SEED)
        context.write_relin_keys(secret, tmp_path / "relin.key", insecure_deterministic_seed=SEED)
        s = secret_limb(context, secret).tolist()
    _, _, relin = next(components(context, tmp_path / "relin.key"))
    found = attack(context, public.data[0], relin[0])
    square = modular(context, [value * value for value in s])
    largest = int(np.abs(coefficients(context, found)).max())
    if old:
        assert np.array_equal(found, square)
        assert largest <= context.n
        assert np.array_equal(public.data[1], relin[1])
    else:
        assert np.count_nonzero(found == square) < 5
        assert largest > context.params.moduli[0] // 4
        assert not np.array_equal(public.data[1], relin[1])


# ---- sharing nothing -----------------------------------------------------------------------------
def made(context: rs.Context, folder: Path) -> Iterator[tuple[str, Words, Words, Words]]:
    """Name, b, a and error of everything that can be made from one seed, modulo the first prime; for errors with a message in them, that too."""
    deterministic: Any = {"insecure_deterministic_seed": SEED}
    q = context.params.moduli[0]

    def parts(name: str, secret: rs.SecretKey, b: Words, a: Words) -> tuple[str, Words, Words, Words]:
        s = secret_limb(context, secret).tolist()
        total = [x + y * z for x, y, z in zip(b.tolist(), a.tolist(), s, strict=True)]
        return name, b, a, coefficients(context, modular(context, total)).view(np.uint64)

    assert q < 1 << 62
    for number in (0, 1):
        with context.keygen(**deterministic, insecure_deterministic_index=number) as secret:
            for index, seed_type in itertools.product((0, 1), ("shake256", "blake2xb")):
                public = context.public_key(
                    secret, seed_type=seed_type, **deterministic, insecure_deterministic_index=index
                )
                yield parts(f"public {number} {index} {seed_type}", secret, public.data[0, 0], public.data[1, 0])
            for kind in ("relin", "galois"):
                path = folder / f"{kind}-{number}"
                if kind == "relin":
                    context.write_relin_keys(secret, path, **deterministic)
                else:
                    context.write_galois_keys(secret, path, [1, -1], **deterministic)
                for index, (_, _, (b, a)) in enumerate(components(context, path)):
                    yield parts(f"{kind} {number} {index}", secret, b[0], a[0])
            messages: list[Any] = [[1.0], [2.0], [1.0, 0.0, 3.0]]
            for message, seed_type in itertools.product(messages, ("shake256", "blake2xb")):
                for index in (0, 1):
                    ciphertext = context.encrypt(
                        message, secret, seed_type=seed_type, **deterministic, insecure_deterministic_index=index
                    ).expand()
                    name = f"ciphertext {number} {message} {seed_type} {index}"
                    yield parts(name, secret, ciphertext.data[0, 0], ciphertext.data[1, 0])


def test_objects_of_one_seed_share_nothing(context: rs.Context, tmp_path: Path) -> None:
    """Not a, not b, not e; and ciphertexts of unlike messages have unlike noise."""
    objects = list(made(context, tmp_path))
    assert len(objects) == 2 * (4 + 2 + 4 + 12)
    for (one, *ours), (other, *theirs) in itertools.combinations(objects, 2):
        for what, mine, yours in zip("bae", ours, theirs, strict=True):
            # 41 values of errors: a sixth of the coefficients agree by chance; of residues none
            limit = context.n // 4 if what == "e" else 5
            assert np.count_nonzero(mine == yours) < limit, (what, one, other)


@pytest.mark.parametrize("kind", ["public", "direct"])
def test_public_key_ciphertexts_share_nothing(context: rs.Context, kind: str) -> None:
    """With one key the same u would show: c1 - c1' = 0 but for the noise."""
    with context.keygen(insecure_deterministic_seed=SEED) as secret:
        keys = [
            context.public_key(secret, insecure_deterministic_seed=SEED, insecure_deterministic_index=i) for i in (0, 1)
        ]
    found = [
        context.encrypt(
            message, key, special_prime=special, insecure_deterministic_seed=SEED, insecure_deterministic_index=index
        ).data
        for key, message, index, special in itertools.product(keys, ([1.0], [2.0]), (0, 1), (kind == "public",))
    ]
    q = context.params.moduli[0]
    for one, other in itertools.combinations(found, 2):
        difference = modular(context, (one[1, 0].astype(object) - other[1, 0].astype(object)).tolist())
        assert int(np.abs(coefficients(context, difference)).max()) > q // 4


def test_secret_keys_of_one_seed_differ() -> None:
    """Between indices and between parameter sets of one degree."""
    contexts = [rs.Context(rs.Parameters.from_bits(4096, bits)) for bits in ([36, 36, 36], [30, 30, 30])]
    signs = []
    for context, index in itertools.product(contexts, (0, 1)):
        with context.keygen(insecure_deterministic_seed=SEED, insecure_deterministic_index=index) as secret:
            signs.append(coefficients(context, secret_limb(context, secret)))
    for one, other in itertools.combinations(signs, 2):
        assert np.count_nonzero(one == other) < 4096 // 2  # a third by chance


# ---- repeating -----------------------------------------------------------------------------------
def test_what_stays_equal(context: rs.Context, tmp_path: Path) -> None:
    """The same call gives the same object; frame k of a batch is the single call with index k more; values and plaintexts agree."""
    seed: Any = {"insecure_deterministic_seed": SEED}
    with context.keygen(**seed) as secret, context.keygen(**seed) as again:
        assert np.array_equal(secret_limb(context, secret), secret_limb(context, again))
        public = context.public_key(secret, **seed)
        assert public.to_bytes() == context.public_key(again, **seed).to_bytes()
        for name in ("one", "two"):
            context.write_galois_keys(secret, tmp_path / name, [1, 2] if name == "one" else [2], **seed)
        one, two = ([words for _, _, words in components(context, tmp_path / name)] for name in ("one", "two"))
        assert np.array_equal(one[2][0], two[0][0])
        frames = [[1.0], [1.0], [2.0, -0.0], []]
        for key in (secret, public):
            for threads in (1, 3):
                batch = context.encrypt_batch(frames, key, threads=threads, **seed, insecure_deterministic_index=5)
                alone = [
                    context.encrypt(frame, key, **seed, insecure_deterministic_index=5 + index)
                    for index, frame in enumerate(frames)
                ]
                assert [item.to_bytes() for item in batch] == [item.to_bytes() for item in alone]
        assert batch[0].to_bytes() != batch[1].to_bytes()
        assert context.encrypt_batch([], secret, **seed) == []
        encoded = context.encode([1.0, 2.0])
        assert (
            context.encrypt(encoded, secret, **seed).to_bytes()
            == context.encrypt([1.0, 2.0], secret, **seed).to_bytes()
        )
        full = context.encrypt([1.0], secret, seeded=False, **seed)
        assert np.array_equal(full.data, context.encrypt([1.0], secret, **seed).expand().data)


def test_bad_seeds_and_indices(context: rs.Context, secret: rs.SecretKey) -> None:
    raises(rs.RingsideError, "63 bytes", context.keygen, insecure_deterministic_seed=SEED[1:])
    raises(rs.InputError, "needs a seed", context.encrypt, [1.0], secret, insecure_deterministic_index=1)
    for index in (-1, 1 << 64, True):
        with pytest.raises(rs.InputError, match="index"):
            context.keygen(insecure_deterministic_seed=SEED, insecure_deterministic_index=index)


def test_without_a_seed_everything_differs(context: rs.Context) -> None:
    with context.keygen() as one, context.keygen() as other:
        assert not np.array_equal(secret_limb(context, one), secret_limb(context, other))
        assert context.encrypt([1.0], one).to_bytes() != context.encrypt([1.0], one).to_bytes()
