# SPDX-License-Identifier: Apache-2.0
"""BFV and BGV, word for word against their definitions in Python integers (exact.py), which tests/interop/test_exact.py compares with SEAL's words.

Randomness is derived from the same seeds, as in test_encrypt.py.
"""

from __future__ import annotations

import hashlib
import math
import os
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import ringside as rs
from oracle import core, exact, reference
from oracle.reference import RNG_SEED, Integers, drawn_seed
from ringside.native._cdef import ffi
from ringside.native.library import lib, request, span
from ringside.objects.exact.noise import Noise

WIDE_PRIME = next(t for t in range(2**58 + 1, 2**59, 1024) if reference.is_prime(t))  # with slots at N = 512
SETS = {
    "slots": (1024, [30, 30, 31], 12289),
    "fermat": (2048, [36, 36, 37], 65537),
    "one limb": (512, [50], 65537),
    "wide prime": (512, [60, 60, 60, 26, 59], WIDE_PRIME),
    "wide even": (512, [58, 60, 59, 60], 2**59 + 2),
    "power": (1024, [60, 26, 40, 60], 2**18),
    "two": (512, [26, 26], 2),
    "three": (512, [27, 60, 30], 3),
}


def cbd(n: int, domain: int) -> Integers:
    return reference.integers(reference.cbd21(n, drawn_seed(0), domain))


@dataclass
class Setting:
    mathematics: exact.Exact
    context: core.Context
    secret: core.SecretKey
    public: core.Cipher

    @classmethod
    def made(cls, params: Any, rng: core.Rng) -> Setting:
        context = core.Context(params)
        secret = context.secret_key(rng)
        mathematics = exact.Exact(params.scheme, context.n, context.moduli, params.plain_modulus)
        return cls(mathematics, context, secret, context.public_key(secret, rng))

    @property
    def slots(self) -> bool:
        return (self.mathematics.t - 1) % (2 * self.context.n) == 0

    @property
    def levels(self) -> list[int]:
        """Limbs of ciphertexts: t is below their product."""
        moduli = self.context.moduli
        return [k for k in range(1, self.context.data_limbs + 1) if math.prod(moduli[:k]) > self.mathematics.t]

    @property
    def forms(self) -> tuple[int, ...]:
        """Of rs_encrypt_request_t.ntt."""
        return (0, 1) if self.mathematics.scheme == exact.BFV else (0,)

    def message(self, limbs: int) -> tuple[core.Plain, Integers]:
        """A plaintext of random values, in slots if there are any, and its coefficients by the oracle."""
        draw, t, n = random.Random(limbs), self.mathematics.t, self.context.n
        values = reference.integers([0, t - 1, t // 2, (t + 1) // 2 % t] + [draw.randrange(t) for _ in range(n - 4)])
        plain, given = core.Plain(self.context, limbs), values.astype(np.uint64)
        layout = ffi.new("rs_layout_t *", {"format": 1, "packing": not self.slots})
        members = {"context": self.context.pointer, "plaintext": plain.pointer, "values": core.words_at(given)}
        core.ok(lib.rs_encode(request("rs_encode_request_t", count=n, limb_count=limbs, layout=layout, **members)))
        coefficients = self.mathematics.encode(values) if self.slots else values
        assert plain.coef.view(np.uint64).tolist() == coefficients.tolist()
        return plain, coefficients

    def decrypted(self, cipher: core.Cipher) -> list[int]:
        """Coefficients modulo t."""
        found = np.zeros(self.context.n, np.uint64)
        layout = ffi.new("rs_layout_t *", {"format": 1, "packing": 1})
        members = {"ciphertext": cipher.pointer, "values": core.words_at(found), "count": len(found), "layout": layout}
        given = {"context": self.context.pointer, "secret_key": self.secret.pointer, "count": 1}
        work = np.zeros(4 * self.context.n, np.uint64)
        item = ffi.new("rs_decrypt_item_t *", members)
        core.ok(lib.rs_decrypt(request("rs_decrypt_request_t", items=item, workspace=core.words_at(work), **given)))
        return list(map(int, found))

    def budget(self, cipher: core.Cipher) -> int:
        bits = ffi.new("uint32_t *")
        size = lib.rs_noise_budget_workspace(self.context.pointer, cipher.pointer.limb_count)
        work = span(core.words_at(np.zeros(-(-size // 8), np.uint64)))
        arguments = self.context.pointer, self.secret.pointer, cipher.pointer, b"owner", bits, work
        core.ok(lib.rs_noise_budget(*arguments))
        return int(bits[0])


@pytest.fixture(scope="module", params=[(name, scheme) for name in SETS for scheme in (exact.BFV, exact.BGV)], ids=str)
def setting(request: pytest.FixtureRequest) -> Setting:
    name, scheme = request.param
    n, bits, t = SETS[name]
    return Setting.made(core.params_from_bits(n, bits, scheme=scheme, plain_modulus=t), core.Rng(RNG_SEED))


# ---- keys -----------------------------------------------------------------------------------------------------------
def test_keys(setting: Setting) -> None:
    """b + a s = error_factor e, and P s' more on the limb of the component's index."""
    context, mathematics = setting.context, setting.mathematics
    n = context.n
    s = reference.integers(reference.ternary(n, drawn_seed(0), core.DOMAIN_S))
    keys = [(context.public_key(setting.secret, core.Rng(RNG_SEED)), -1, np.zeros(n, object))]
    for index in range(context.data_limbs if context.limbs > 1 else 0):
        element = (0, 3, 2 * n - 1)[index % 3]
        target = reference.automorphism(s, element, 2**62) if element else reference.multiply(s, s, 2**62)
        keys.append(
            (
                context.switch_key(setting.secret, element, index, core.Rng(RNG_SEED)),
                index,
                reference.centred(target, 2**62),
            )
        )
    for key, index, target in keys:
        assert (key.data[1] == core.uniform(core.SHAKE256, drawn_seed(1), context.log_n, context.moduli)).all()
        for limb, q in enumerate(context.moduli):
            b, a = (reference.integers(key.data[j, limb]) for j in range(2))
            phase = reference.intt((b + a * reference.integers(setting.secret.ntt[limb])) % q, q)
            want = mathematics.error_factor * cbd(n, core.DOMAIN_E0) + (
                context.moduli[-1] * target if limb == index else 0
            )
            assert phase.tolist() == (want % q).tolist()


# ---- encryption -----------------------------------------------------------------------------------------------------
def test_public_encryption(setting: Setting) -> None:
    """At every level: BFV is SEAL's, BGV is rounded to the nearest multiple of t."""
    n = setting.context.n
    u = reference.integers(reference.ternary(n, drawn_seed(0), core.DOMAIN_U))
    errors = [cbd(n, domain) for domain in (core.DOMAIN_E0, core.DOMAIN_E1)]
    for limbs in setting.levels:
        plain, message = setting.message(limbs)
        for kind in (core.ENCRYPT_PK, core.ENCRYPT_PK_DIRECT):
            direct = kind == core.ENCRYPT_PK_DIRECT
            want = {
                ntt: setting.mathematics.encrypt_public(
                    setting.public.data, message, u, errors, limbs=limbs, direct=direct, ntt=bool(ntt) or None
                )
                for ntt in setting.forms
            }
            for ntt in setting.forms:
                cipher = setting.context.encrypt_public(setting.public, plain, core.Rng(RNG_SEED), kind, ntt)
                assert np.array_equal(cipher.data, want[ntt]), (limbs, kind, ntt)


@pytest.mark.parametrize("seed_kind", [core.SHAKE256, core.BLAKE2XB])
def test_secret_encryption(setting: Setting, seed_kind: int) -> None:
    context = setting.context
    e = cbd(context.n, core.DOMAIN_E0)
    for limbs in setting.levels:
        plain, message = setting.message(limbs)
        a = core.uniform(seed_kind, drawn_seed(1), context.log_n, context.moduli[:limbs])
        for ntt in setting.forms:
            want = setting.mathematics.encrypt_secret(setting.secret.ntt, a, message, e, bool(ntt) or None)
            for seeded in (1, 0):
                cipher = context.encrypt_secret(setting.secret, plain, core.Rng(RNG_SEED), seeded, seed_kind, ntt)
                assert cipher.seed == drawn_seed(1)
                assert np.array_equal(cipher.data[0], want), (limbs, ntt)
                assert not cipher.data[1].any() if seeded else np.array_equal(cipher.data[1], a)
                if setting.budget(cipher) >= 1:
                    assert setting.decrypted(cipher) == message.tolist()
                else:  # t is almost q
                    assert limbs < context.data_limbs


# With the public key, which makes the larger noise. What `advise` counts with is its bound for all coefficients of 2^32 answers.
@pytest.mark.parametrize(
    ("name", "count"),
    [("bfv-12", 200), ("bgv-12", 200)]
    + [
        pytest.param(f"{scheme}-{log_n}", 100_000, marks=pytest.mark.soak)
        for scheme in ("bfv", "bgv")
        for log_n in range(12, 16)
    ],
)
def test_fresh_noise(name: str, count: int) -> None:
    counted, rng = Noise.fresh(rs.Parameters.named(name)), core.Rng(os.urandom(64))
    setting = Setting.made(core.params_named(name), rng)
    limbs = setting.context.data_limbs
    plain, _ = setting.message(limbs)
    fresh = [setting.context.encrypt_public(setting.public, plain, rng) for _ in range(4)]
    noise = [setting.mathematics.noise(*setting.mathematics.phase(setting.secret.ntt, one.data)) for one in fresh]
    deviation = math.sqrt(np.mean([float(x) ** 2 for x in np.concatenate(noise)]))
    assert 0.97 < deviation / counted.deviation < 1.03
    least = min(setting.budget(setting.context.encrypt_public(setting.public, plain, rng)) for _ in range(count))
    assert counted.budget_bits - 1 < least < counted.budget_bits + 3


# ---- decryption -----------------------------------------------------------------------------------------------------
def test_decryption_and_budget_of_any_words(setting: Setting) -> None:
    """Random residues at every level, of two and more polynomials, whatever their noise; a correction factor in BGV."""
    context, mathematics = setting.context, setting.mathematics
    draw, generator = random.Random(5), np.random.default_rng(3)
    for limbs in setting.levels:
        for polys in (2, 3, 5):
            words = np.empty((polys, limbs, context.n), np.uint64)
            for i, q in enumerate(context.moduli[:limbs]):
                words[:, i] = generator.integers(0, q, (polys, context.n), np.uint64)
            factor = 1
            while mathematics.scheme == exact.BGV and (factor == 1 or math.gcd(factor, mathematics.t) != 1):
                factor = draw.randrange(1, mathematics.t) if mathematics.t > 2 else 3
            cipher = core.Cipher(context, limbs)
            cipher.data, cipher.pointer.data = words, core.words_at(words)
            cipher.pointer.poly_count, cipher.pointer.limb_count, cipher.pointer.scale = polys, limbs, 1.0
            cipher.pointer.correction_factor = factor = 1 if mathematics.t == 2 else factor
            ffi.memmove(cipher.pointer.parms_id, lib.rs_context_parms_id(context.pointer, limbs), 32)
            for form in range(2):
                cipher.pointer.form = form
                phase, q = mathematics.phase(setting.secret.ntt, words, ntt=form == 0)
                assert setting.decrypted(cipher) == mathematics.decrypt(phase, q, factor).tolist()
                assert setting.budget(cipher) == mathematics.noise_budget(phase, q)
            # a fresh one's noise is small: c_0 = the phase of one
            words[1:] = 0
            small = reference.integers([draw.randrange(-(2**20), 2**20) for _ in range(context.n)])
            for i, q in enumerate(context.moduli[:limbs]):
                words[0, i] = (small % q).astype(np.uint64)
            phase, q = mathematics.phase(setting.secret.ntt, words, ntt=False)
            assert setting.budget(cipher) == mathematics.noise_budget(phase, q)
            assert setting.decrypted(cipher) == mathematics.decrypt(phase, q, factor).tolist()


def test_decryption_near_a_half(setting: Setting) -> None:
    """c_1 = 0, and c_0 is 2^-2 to 2^-48 of a step away from where another message begins: the rounding is exact."""
    context, mathematics = setting.context, setting.mathematics
    draw, t = random.Random(6), mathematics.t
    for limbs in setting.levels:
        q = math.prod(context.moduli[:limbs])
        steps = t if mathematics.scheme == exact.BFV else 1
        phases = []
        for i in range(context.n):
            distance = max(1, q // steps >> 2 + i // 2 % 47)
            phases.append(((2 * draw.randrange(steps) + 1) * q // (2 * steps) + (distance if i % 2 else -distance)) % q)
        phase = reference.integers(phases)
        cipher = core.Cipher(context, limbs)
        cipher.pointer.poly_count, cipher.pointer.limb_count, cipher.pointer.scale = 2, limbs, 1.0
        cipher.pointer.correction_factor, cipher.pointer.form = (
            1,
            0,
        )  # NTT form: BFV in coefficients switches down first
        ffi.memmove(cipher.pointer.parms_id, lib.rs_context_parms_id(context.pointer, limbs), 32)
        for i, p in enumerate(context.moduli[:limbs]):
            cipher.data[0, i] = (phase % p).astype(np.uint64)
            plan = lib.rs_context_plan(context.pointer, i)
            lib.rs_plan_forward(plan, ffi.cast("uint64_t *", ffi.from_buffer(cipher.data[0, i])))
        assert setting.decrypted(cipher) == mathematics.decrypt(phase, q).tolist()
        assert setting.budget(cipher) == mathematics.noise_budget(phase, q)


# ---- known answers --------------------------------------------------------------------------------------------------
ANSWERS = {
    "bfv-12": "a709e57943528728e0b3aabf39affefc376546b40a94e8bf7f27a3c89b450f71",
    "bgv-12": "6d7309243746561d7a9c03eb6bef13b76cda2121dd875848824881285159eb49",
    "bfv-13-30": "a78c4a2b2eee093ce41628afb8c6bfb5e8fc687bf1680e63c99112a15fdc3ce3",
    "bgv-14": "f49812ae4cfd97e77ab4e22811df41e49e79805c1dc7eedf6b2e1c7ac7bfcde9",
}


def files_of(context: rs.ExactContext) -> list[tuple[str, bytes]]:
    """One file of every kind of encryption, and a public key, from a seed."""
    seed: dict[str, Any] = {"insecure_deterministic_seed": RNG_SEED}
    values = np.arange(context.n) * 12345 % 65537 - 32768
    with context.keygen(**seed) as secret:
        public = context.public_key(secret, **seed)
        found = {
            "public key": public,
            "pk": context.encrypt(values, public, **seed),
            "pk direct": context.encrypt(values, public, special_prime=False, **seed),
            "sk shake256": context.encrypt(values, secret, **seed),
            "sk blake2xb": context.encrypt(values, secret, seed_type="blake2xb", **seed),
            "sk, level 0": context.encrypt(values, secret, level=0, seeded=False, **seed),
            "sk, NTT form": context.encrypt(values, secret, form="ntt", **seed),
        }
        for name, item in found.items():
            if isinstance(item, rs.Ciphertext):
                assert np.array_equal(context.decrypt_values(item, secret), values), name
    return [(name, item.to_bytes(compression="none")) for name, item in found.items()]


@pytest.mark.parametrize("name", ANSWERS)
def test_known_answers(name: str) -> None:
    """The words above were compared with the oracle's; these files were written then, and stay as they are."""
    params = rs.Parameters.named(name)
    digest = hashlib.sha256()
    for _, data in files_of(rs.ExactContext(params)):
        digest.update(data)
    assert digest.hexdigest() == ANSWERS[name]
