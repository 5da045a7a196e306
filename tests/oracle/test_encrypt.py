# SPDX-License-Identifier: Apache-2.0
"""Keys, encryption and decryption, bit for bit against SEAL's arithmetic written out with Python integers in the coefficient domain.

Randomness is derived from the same seeds: with a deterministic generator the k-th seed is the k-th 64 bytes of its private stream.
"""

import math
import random
from dataclasses import dataclass

import numpy as np
import pytest

from oracle import core, reference
from oracle.reference import RNG_SEED, Integers, drawn_seed
from ringside.native._cdef import ffi
from ringside.native.library import lib

pytestmark = pytest.mark.alike(3, by="setting")


@dataclass
class Setting:
    context: core.Context
    secret: core.SecretKey
    public: core.Cipher
    s: list[int]

    def coefficients(self, row: np.ndarray, limb: int) -> Integers:
        return reference.intt(reference.integers(row), self.context.moduli[limb])


SETS = {
    "lee-12": lambda: core.params_named("lee-12"),
    "seal-embedded-4096": lambda: core.params_named("seal-embedded-4096"),
    "aloha-8192": lambda: core.params_named("aloha-8192"),
    "lee-13": lambda: core.params_named("lee-13"),
    "smallest": lambda: core.params_from_bits(512, [60, 30, 14, 40, 60]),
    "mixed": lambda: core.params_from_bits(1024, [14, 60, 20, 15, 59, 30, 60]),
    "small-special": lambda: core.params_from_bits(2048, [60, 59, 40, 14]),
}


LARGE = ("aloha-8192", "lee-13")
ALL_SETS = [pytest.param(s, marks=[pytest.mark.slow] * (s in LARGE)) for s in SETS]


@pytest.fixture(scope="module", params=ALL_SETS)
def setting(request: pytest.FixtureRequest) -> Setting:
    context = core.Context(SETS[request.param]())
    rng = core.Rng(RNG_SEED)
    secret = context.secret_key(rng)
    public = context.public_key(secret, rng)
    return Setting(context, secret, public, reference.ternary(context.n, drawn_seed(0), core.DOMAIN_S))


def message_of(context: core.Context, limbs: int) -> core.Plain:
    bits = lib.rs_params_total_bits(context.params, limbs)
    z = np.random.default_rng(limbs).uniform(-1, 1, context.n // 2)
    return context.encode(z, 2.0 ** min(bits - 4, 40), limbs)


def in_ntt_form(context: core.Context, plain: core.Plain) -> core.Plain:
    rows = np.zeros((plain.limbs, context.n), np.uint64)
    for limb in range(plain.limbs):
        core.ok(lib.rs_plaintext_limb(context.pointer, plain.pointer, limb, core.words_at(rows[limb])))
    return core.plain_from_integers(context, rows, plain.pointer.scale, plain.limbs)


# ---- keys -----------------------------------------------------------------------------------------------------------
def test_secret_key(setting: Setting) -> None:
    context = setting.context
    assert set(setting.s) == {-1, 0, 1}
    s = reference.integers(setting.s)
    for limb, q in enumerate(context.moduli):
        assert setting.secret.ntt[limb].tolist() == reference.ntt(s % q, q).tolist()
    core.ok(context.secret_key_status(setting.secret))


def test_secret_key_check_finds_any_change(setting: Setting) -> None:
    context = setting.context
    r = random.Random(1)

    def status_of(rows: np.ndarray) -> str:
        key = core.SecretKey(context)
        key.ntt[:] = rows
        ffi.memmove(key.pointer.parms_id, setting.secret.pointer.parms_id, 32)
        return core.status_name(context.secret_key_status(key))

    assert status_of(setting.secret.ntt) == "RS_OK"
    for limb, q in enumerate(context.moduli):
        rows = setting.secret.ntt.copy()
        at = r.randrange(context.n)
        rows[limb, at] = (int(rows[limb, at]) + 1) % q
        assert status_of(rows) == "RS_ERR_SECRET_KEY"
        # a ternary polynomial, but another one than on the other limbs
        other = reference.integers(setting.s)
        other[at] = (other[at] + 2) % 3 - 1
        rows = setting.secret.ntt.copy()
        rows[limb] = reference.ntt(other % q, q).astype(np.uint64)
        assert status_of(rows) == "RS_ERR_SECRET_KEY"
    two = reference.integers(setting.s)
    two[0] = 2  # the same on every limb, but not ternary
    rows = np.array([reference.ntt(two % q, q).tolist() for q in context.moduli], np.uint64)
    assert status_of(rows) == "RS_ERR_SECRET_KEY"


@pytest.mark.parametrize("seed_kind", [core.SHAKE256, core.BLAKE2XB])
def test_public_key(setting: Setting, seed_kind: int) -> None:
    context = setting.context
    for seeded in (0, 1):
        key = context.public_key(setting.secret, core.Rng(RNG_SEED), seeded, seed_kind)
        assert key.pointer.scale == 1.0
        assert key.pointer.seeded == seeded
        assert key.seed == drawn_seed(1)
        e = reference.integers(reference.cbd21(context.n, drawn_seed(0), core.DOMAIN_E0))
        if seeded:
            assert not key.data[1].any()
            core.ok(lib.rs_expand(context.pointer, key.pointer))
            assert key.pointer.seeded == 0
        assert (key.data[1] == core.uniform(seed_kind, drawn_seed(1), context.log_n, context.moduli)).all()
        for limb, q in enumerate(context.moduli):
            a = reference.integers(key.data[1, limb])
            s = reference.integers(setting.secret.ntt[limb])
            assert key.data[0, limb].tolist() == ((reference.ntt(e % q, q) - a * s) % q).tolist()


def test_switching_keys(setting: Setting) -> None:
    """b + a s = e + P s' on the limb of the component's index, = e on all others."""
    context = setting.context
    n, special = context.n, context.moduli[-1]
    s = reference.integers(setting.s)
    elements = [0, 3, 2 * n - 1, random.Random(2).randrange(5, 2 * n, 2)]
    for index in range(context.data_limbs):
        element = elements[index % 4]
        seeded = index & 1
        key = context.switch_key(setting.secret, element, index, core.Rng(RNG_SEED), seeded)
        if seeded:
            core.ok(lib.rs_expand(context.pointer, key.pointer))
        e = reference.integers(reference.cbd21(n, drawn_seed(0), core.DOMAIN_E0))
        for limb, q in enumerate(context.moduli):
            b, a = (setting.coefficients(key.data[j, limb], limb) for j in range(2))
            target = np.zeros(n, object)
            if limb == index:
                target = reference.automorphism(s, element, q) if element else reference.multiply(s, s, q)
            assert ((b + reference.multiply(a, s, q)) % q).tolist() == ((e + special * target) % q).tolist()


def test_switching_keys_refuse(setting: Setting) -> None:
    context = setting.context
    key = core.Cipher(context, context.limbs)
    rng = core.Rng(RNG_SEED)
    for element, index, name in (
        (2, 0, "RS_ERR_GALOIS"),
        (2 * context.n + 1, 0, "RS_ERR_GALOIS"),
        (3, context.data_limbs, "RS_ERR_LEVEL"),
    ):
        row = {"kind": lib.RS_KEY_SWITCH, "element": element, "index": index}
        assert core.status_name(context.keygen_status(setting.secret, key, rng, **row)) == name


# ---- encryption -----------------------------------------------------------------------------------------------------
def seals_public_encryption(setting: Setting, message: Integers, limbs: int) -> list[list[Integers]]:
    """encrypt_zero_asymmetric over one limb more than the plaintext's, divide_and_round_q_last, add the plaintext: coefficients."""
    context = setting.context
    moduli = context.moduli[: limbs + 1]
    u = reference.integers(reference.ternary(context.n, drawn_seed(0), core.DOMAIN_U))
    out = []
    for j, domain in enumerate((core.DOMAIN_E0, core.DOMAIN_E1)):
        e = reference.integers(reference.cbd21(context.n, drawn_seed(0), domain))
        zero = [
            (reference.multiply(setting.coefficients(setting.public.data[j, i], i), u, q) + e) % q
            for i, q in enumerate(moduli)
        ]
        rounded = reference.divide_and_round_last(zero, moduli)
        if j == 0:
            rounded = [(x + message) % q for x, q in zip(rounded, moduli, strict=False)]
        out.append(rounded)
    return out


def test_public_encryption_is_seals_at_every_level(setting: Setting) -> None:
    context = setting.context
    for limbs in range(1, context.data_limbs + 1):
        plain = message_of(context, limbs)
        want = seals_public_encryption(setting, reference.integers(plain.coef), limbs)
        for form in (plain, in_ntt_form(context, plain)):
            cipher = context.encrypt_public(setting.public, form, core.Rng(RNG_SEED))
            assert cipher.pointer.limb_count == limbs
            assert cipher.pointer.scale == plain.pointer.scale
            for j in range(2):
                for i, q in enumerate(context.moduli[:limbs]):
                    assert cipher.data[j, i].tolist() == reference.ntt(want[j][i], q).tolist(), (limbs, j, i)


def test_direct_encryption(setting: Setting) -> None:
    context = setting.context
    u = reference.integers(reference.ternary(context.n, drawn_seed(0), core.DOMAIN_U))
    for limbs in {1, context.data_limbs}:
        plain = message_of(context, limbs)
        for form in (plain, in_ntt_form(context, plain)):
            cipher = context.encrypt_public(setting.public, form, core.Rng(RNG_SEED), core.ENCRYPT_PK_DIRECT)
            for j, domain in enumerate((core.DOMAIN_E0, core.DOMAIN_E1)):
                e = reference.integers(reference.cbd21(context.n, drawn_seed(0), domain))
                m = reference.integers(plain.coef) * (j == 0)
                for i, q in enumerate(context.moduli[:limbs]):
                    pk = setting.coefficients(setting.public.data[j, i], i)
                    want = (reference.multiply(pk, u, q) + e + m) % q
                    assert cipher.data[j, i].tolist() == reference.ntt(want, q).tolist()


def test_single_limb_set_encrypts_directly() -> None:
    context = core.Context(core.params_from_bits(1024, [50]))
    rng = core.Rng(RNG_SEED)
    public = context.public_key(context.secret_key(rng), rng)
    plain = message_of(context, 1)
    kinds = (core.ENCRYPT_PK, core.ENCRYPT_PK_DIRECT)
    one, other = (context.encrypt_public(public, plain, core.Rng(RNG_SEED), k) for k in kinds)
    assert (one.data == other.data).all()


@pytest.mark.parametrize("seed_kind", [core.SHAKE256, core.BLAKE2XB])
def test_secret_encryption(setting: Setting, seed_kind: int) -> None:
    context = setting.context
    e = reference.integers(reference.cbd21(context.n, drawn_seed(0), core.DOMAIN_E0))
    for limbs in {1, context.data_limbs}:
        plain = message_of(context, limbs)
        a = core.uniform(seed_kind, drawn_seed(1), context.log_n, context.moduli[:limbs])
        for form in (plain, in_ntt_form(context, plain)):
            for seeded in (1, 0):
                cipher = context.encrypt_secret(setting.secret, form, core.Rng(RNG_SEED), seeded, seed_kind)
                assert cipher.pointer.seeded == seeded
                assert cipher.seed == drawn_seed(1)
                assert not cipher.data[1].any() if seeded else (cipher.data[1] == a).all()
                for i, q in enumerate(context.moduli[:limbs]):
                    m = reference.integers(plain.coef)
                    s = reference.integers(setting.secret.ntt[i])
                    want = reference.ntt((m + e) % q, q) - reference.integers(a[i]) * s
                    assert cipher.data[0, i].tolist() == (want % q).tolist()


# ---- decryption -----------------------------------------------------------------------------------------------------
def test_decryption_is_evaluation_at_s(setting: Setting) -> None:
    context = setting.context
    limbs = context.data_limbs
    r = np.random.default_rng(3)
    for polys in (2, 3, 5):
        data = np.empty((polys, limbs, context.n), np.uint64)
        for i, q in enumerate(context.moduli[:limbs]):
            data[:, i] = r.integers(0, q, (polys, context.n), np.uint64)
        cipher = core.Cipher(context, limbs)
        cipher.data = data
        cipher.pointer.data = core.words_at(data)
        cipher.pointer.poly_count = polys
        cipher.pointer.limb_count = limbs
        cipher.pointer.scale = 2.0**15
        ffi.memmove(cipher.pointer.parms_id, lib.rs_context_parms_id(context.pointer, limbs), 32)
        for count in {1, limbs}:
            got = context.decrypt(setting.secret, cipher, count)
            for i, q in enumerate(context.moduli[:count]):
                s = reference.integers(setting.secret.ntt[i])
                want, power = np.zeros(context.n, object), np.ones(context.n, object)
                for j in range(polys):
                    want = (want + reference.integers(data[j, i]) * power) % q
                    power = power * s % q
                assert got.ntt[i].tolist() == want.tolist()


def test_seeded_decryption_is_that_of_the_expanded(setting: Setting) -> None:
    context = setting.context
    plain = message_of(context, context.data_limbs)
    cipher = context.encrypt_secret(setting.secret, plain, core.Rng(RNG_SEED), 1)
    for limbs in {1, context.data_limbs}:
        before = context.decrypt(setting.secret, cipher, limbs).ntt
        expanded = context.encrypt_secret(setting.secret, plain, core.Rng(RNG_SEED), 0)
        assert (before == context.decrypt(setting.secret, expanded, limbs).ntt).all()


# ---- noise ----------------------------------------------------------------------------------------------------------
KINDS = [core.ENCRYPT_SK, core.ENCRYPT_PK, core.ENCRYPT_PK_DIRECT]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["lee-12", "small-special", "lee-13"])
def test_noise_variance_is_as_predicted(name: str, kind: int) -> None:
    """Over 64 fresh ciphertexts, keys changing, of integer messages (so without the encoder's rounding, 1/12)."""
    context = core.Context(SETS[name]())
    n, limbs = context.n, context.data_limbs
    q = context.moduli[0]
    rng = core.Rng(RNG_SEED)
    samples = []
    for repeat in range(64):
        if repeat % 8 == 0:
            secret = context.secret_key(rng)
            public = context.public_key(secret, rng)
        plain = message_of(context, limbs)
        if kind == core.ENCRYPT_SK:
            cipher = context.encrypt_secret(secret, plain, rng)
        else:
            cipher = context.encrypt_public(public, plain, rng, kind)
        got = context.intt(0, context.decrypt(secret, cipher, 1).ntt[0]).astype(np.int64)
        noise = (got - np.array([int(c) % q for c in plain.coef], np.int64)) % q
        samples.append(np.where(noise > q // 2, noise - q, noise))
    noise = np.array(samples, np.float64)
    predicted = ffi.new("double *")
    core.ok(lib.rs_params_noise_variance(lib.rs_context_params(context.pointer), kind, limbs, predicted))
    n_terms = 2 * n / 3
    direct = 10.5 * (1 + 2 * n_terms)
    dropped = context.moduli[limbs]
    by_hand = {
        core.ENCRYPT_SK: 10.5,
        core.ENCRYPT_PK: direct / dropped**2 + (1 + n_terms) / 12,
        core.ENCRYPT_PK_DIRECT: direct,
    }[kind]
    assert math.isclose(predicted[0], by_hand + 1 / 12, rel_tol=1e-12)
    # The norms of u and s vary by root(2 N)/3 around 2N/3, squares of a near normal variable have relative deviation root 2; 5 sigmas
    spread = 5 * (math.sqrt(2 / noise.size) + math.sqrt(1 / (2 * n)) / math.sqrt(8))
    assert abs(noise.mean()) < 5 * math.sqrt(by_hand / noise.size)
    assert abs((noise**2).mean() / by_hand - 1) < spread


def test_precision_is_as_predicted() -> None:
    """End to end on slots: predicted bits, measured bits by both the core and numpy."""
    for name, scale in (("lee-12", 2.0**20), ("lee-13", 2.0**20), ("aloha-8192", 2.0**40)):
        context = core.Context(SETS[name]())
        n, limbs = context.n, context.data_limbs
        rng = core.Rng(RNG_SEED)
        secret = context.secret_key(rng)
        public = context.public_key(secret, rng)
        truth = np.random.default_rng(4).uniform(-1, 1, n // 2)
        plain = context.encode(truth, scale)
        variance = ffi.new("double *")
        for kind in KINDS:
            if kind == core.ENCRYPT_SK:
                cipher = context.encrypt_secret(secret, plain, rng)
            else:
                cipher = context.encrypt_public(public, plain, rng, kind)
            few = lib.rs_limbs_needed(context.pointer, limbs, scale, 1.0, 14)
            assert few >= 1
            got = context.decode(context.decrypt(secret, cipher, limbs)).real.copy()
            assert (got == context.decode(context.decrypt(secret, cipher, few)).real).all()
            core.ok(lib.rs_params_noise_variance(lib.rs_context_params(context.pointer), kind, limbs, variance))
            predicted = lib.rs_precision_predicted(context.pointer, variance[0], scale)
            assert math.isclose(predicted, math.log2(scale / math.sqrt(variance[0] * n / 2)), rel_tol=1e-12)
            arguments = (core.doubles_at(got), core.doubles_at(truth), n // 2)
            measured = lib.rs_precision_measured(*arguments)
            assert math.isclose(measured, -math.log2(math.sqrt(((got - truth) ** 2).mean())), rel_tol=1e-9)
            assert abs(measured - predicted) < 0.2
