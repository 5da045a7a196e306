# SPDX-License-Identifier: Apache-2.0
"""The C core for the oracle tests: contexts and calls on numpy arrays. No mathematics here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ringside.native._cdef import ffi
from ringside.native.library import lib, request, span

Words = NDArray[np.uint64]

BLAKE2XB, SHAKE256 = 1, 2
DOMAIN_U, DOMAIN_E0, DOMAIN_E1, DOMAIN_S, DOMAIN_RNG, DOMAIN_SPARSE = 1, 2, 3, 4, 5, 9
ENCRYPT_SK, ENCRYPT_PK, ENCRYPT_PK_DIRECT = 0, 1, 2


# ---- arrays and status codes ----------------------------------------------------------------------------------------
def words_at(array: Words) -> Any:
    return ffi.from_buffer("uint64_t[]", array)


def doubles_at(array: NDArray[np.float64]) -> Any:
    return ffi.from_buffer("double[]", array)


def pairs_or_reals(is_complex: bool) -> Any:
    return ffi.new("rs_layout_t *", {"is_complex": is_complex})


def small_at(array: NDArray[np.int8]) -> Any:
    return ffi.from_buffer("int8_t[]", array)


def status_name(status: int) -> str:
    return str(ffi.string(lib.rs_status_name(status)).decode())


def ok(status: int) -> None:
    assert status == 0, status_name(status)


# ---- parameters and contexts ----------------------------------------------------------------------------------------
def params_status(
    params: Any, *, n: int, bits: Sequence[int] = (), moduli: Sequence[int] = (),
    security: int = lib.RS_SECURITY_UNCHECKED, **scheme: Any,
) -> int:  # fmt: skip
    """Of rs_params_init. scheme: `scheme` and `plain_modulus`, default CKKS."""
    given = {"bits": ffi.new("uint32_t[]", list(bits))} if bits else {"moduli": ffi.new("uint64_t[]", list(moduli))}
    count = len(bits) or len(moduli)
    wanted = request("rs_params_request_t", n=n, limb_count=count, security=security, **given, **scheme)
    return int(lib.rs_params_init(params, wanted))


def params_from_bits(n: int, bits: Sequence[int], security: int = lib.RS_SECURITY_UNCHECKED, **scheme: Any) -> Any:
    params = ffi.new("rs_params_t *")
    ok(params_status(params, n=n, bits=bits, security=security, **scheme))
    return params


def params_named(name: str) -> Any:
    params = ffi.new("rs_params_t *")
    ok(lib.rs_params_init(params, request("rs_params_request_t", name=ffi.new("char[]", name.encode()))))
    return params


def set_names() -> Iterator[str]:
    info = ffi.new("rs_set_info_t *")
    index = -1
    while lib.rs_params_set_info(index := index + 1, info) == lib.RS_OK:
        yield ffi.string(info.name).decode()


class Context:
    """A C context with its memory, and the operations of ckks.h and golden/ckks.h on arrays."""

    def __init__(self, params: Any) -> None:
        self.params = params
        self.log_n = int(params.log_n)
        self.n = 1 << self.log_n
        self.moduli = [int(q) for q in params.moduli[0 : params.limb_count]]
        self.limbs = len(self.moduli)
        self.data_limbs = int(lib.rs_params_data_limbs(params))
        self.memory = np.zeros(-(-lib.rs_context_size(params) // 8), np.uint64)
        made = ffi.new("rs_context_t const **")
        given = {"params": params, "security": lib.RS_SECURITY_UNCHECKED, "memory": words_at(self.memory)}
        ok(lib.rs_context_init(made, request("rs_context_request_t", **given)))
        self.pointer = made[0]
        largest = request("rs_encrypt_request_t", context=self.pointer, kind=ENCRYPT_PK)
        self.workspace = np.zeros(-(-lib.rs_encrypt_workspace(largest) // 8), np.uint64)

    # ---- kernels
    def root(self, limb: int) -> int:
        return int(lib.rs_plan_root(lib.rs_context_plan(self.pointer, limb)))

    def ntt(self, limb: int, coef: Words) -> Words:
        out = np.array(coef, np.uint64)
        lib.rs_plan_forward(lib.rs_context_plan(self.pointer, limb), words_at(out))
        return out

    def intt(self, limb: int, values: Words) -> Words:
        out = np.array(values, np.uint64)
        lib.rs_plan_inverse(lib.rs_context_plan(self.pointer, limb), words_at(out))
        return out

    def galois(self, values: Words, element: int) -> Words:
        out = np.empty_like(values)
        lib.rs_plan_galois(lib.rs_context_plan(self.pointer, 0), words_at(out), words_at(values), element)
        return out

    def lift_message(self, limb: int, message: NDArray[np.float64], error: NDArray[np.int8] | None = None) -> Words:
        out = np.empty(self.n, np.uint64)
        small = ffi.NULL if error is None else small_at(error)
        lib.rs_lift_message(self.pointer, limb, words_at(out), doubles_at(message), small)
        return out

    # ---- encode and decode
    def encode(self, values: NDArray[Any], scale: float, limbs: int = 0) -> Plain:
        plain = Plain(self, limbs or self.data_limbs)
        is_complex = np.iscomplexobj(values)
        flat = np.ascontiguousarray(values, np.complex128 if is_complex else np.float64)
        ok(self.encode_status(plain, flat.view(np.float64), len(values), scale, is_complex=is_complex))
        return plain

    def encode_status(
        self, plain: Plain, flat: NDArray[np.float64], count: int, scale: float, *, is_complex: bool = False
    ) -> int:
        given = {"context": self.pointer, "plaintext": plain.pointer, "values": doubles_at(flat), "count": count}
        how = {"layout": pairs_or_reals(is_complex), "scale": scale, "limb_count": plain.limbs}
        return int(lib.rs_encode(request("rs_encode_request_t", **given, **how)))

    def decode(self, plain: Plain, count: int = 0, status: int = 0) -> NDArray[np.complex128]:
        values = np.zeros(count or self.n // 2, np.complex128)
        given = {"context": self.pointer, "plaintext": plain.pointer, "values": doubles_at(values.view(np.float64))}
        how = {"layout": pairs_or_reals(True), "count": len(values), "workspace": words_at(self.workspace)}
        got = lib.rs_decode(request("rs_decode_request_t", **given, **how))
        assert got == status, status_name(got)
        return values

    # ---- keys
    def secret_key(self, rng: Rng) -> SecretKey:
        key = SecretKey(self)
        ok(lib.rs_keygen_secret(self.pointer, key.pointer, rng.pointer))
        return key

    def public_key(self, secret: SecretKey, rng: Rng, seeded: int = 0, seed: int = 2) -> Cipher:
        key = Cipher(self, self.limbs, seeded, seed)
        ok(self.keygen_status(secret, key, rng, seeded=seeded, seed_type=seed))
        return key

    def switch_key(self, secret: SecretKey, element: int, index: int, rng: Rng, seeded: int = 0) -> Cipher:
        key = Cipher(self, self.limbs, seeded)
        ok(self.keygen_status(secret, key, rng, kind=lib.RS_KEY_SWITCH, element=element, index=index, seeded=seeded))
        return key

    def keygen_status(self, secret: SecretKey, key: Cipher, rng: Rng, **members: int) -> int:
        where = {"context": self.pointer, "secret_key": secret.pointer, "key": key.pointer, "rng": rng.pointer}
        return int(
            lib.rs_keygen(request("rs_keygen_request_t", workspace=words_at(self.workspace), **where, **members))
        )

    def secret_key_status(self, secret: SecretKey) -> int:
        return int(lib.rs_key_check(self.pointer, secret.pointer, ffi.NULL, span(words_at(self.workspace))))

    # ---- encrypt and decrypt
    def _encrypt(self, plain: Plain, rng: Rng, **members: Any) -> Cipher:
        cipher = Cipher(self, plain.limbs, members.get("seeded", 0))
        item = ffi.new("rs_encrypt_item_t *", {"plaintext": plain.pointer, "ciphertext": cipher.pointer})
        given = {"context": self.pointer, "items": item, "count": 1, "rng": rng.pointer}
        ok(lib.rs_encrypt(request("rs_encrypt_request_t", workspace=words_at(self.workspace), **given, **members)))
        return cipher

    def encrypt_public(self, key: Cipher, plain: Plain, rng: Rng, kind: int = ENCRYPT_PK, ntt: int = 0) -> Cipher:
        return self._encrypt(plain, rng, kind=kind, public_key=key.pointer, ntt=ntt)

    def encrypt_secret(
        self, key: SecretKey, plain: Plain, rng: Rng, seeded: int = 1, seed: int = 2, ntt: int = 0
    ) -> Cipher:
        return self._encrypt(plain, rng, secret_key=key.pointer, seeded=seeded, seed_type=seed, ntt=ntt)

    def decrypt(self, key: SecretKey, cipher: Cipher, limbs: int = 0) -> Plain:
        plain = Plain(self, limbs or cipher.limbs, ntt=True)
        members = {"ciphertext": cipher.pointer, "plaintext": plain.pointer, "limb_count": plain.limbs}
        item = ffi.new("rs_decrypt_item_t *", members)
        given = {"context": self.pointer, "secret_key": key.pointer, "items": item, "count": 1}
        ok(lib.rs_decrypt(request("rs_decrypt_request_t", workspace=words_at(self.workspace), **given)))
        return plain


# ---- objects --------------------------------------------------------------------------------------------------------
class Plain:
    def __init__(self, context: Context, limbs: int, ntt: bool = False) -> None:
        self.limbs = limbs
        self.pointer = ffi.new("rs_plaintext_t *")
        self.coef = np.zeros(0 if ntt else context.n)
        self.ntt = np.zeros((limbs if ntt else 0, context.n), np.uint64)
        self.pointer.message = doubles_at(self.coef)
        self.pointer.form = lib.RS_FORM_NTT if ntt else lib.RS_FORM_COEF
        self.pointer.ntt = words_at(self.ntt)


class SecretKey:
    def __init__(self, context: Context) -> None:
        self.ntt = np.zeros((context.limbs, context.n), np.uint64)
        self.pointer = ffi.new("rs_secret_key_t *")
        self.pointer.ntt = words_at(self.ntt)


class Cipher:
    """A ciphertext or key of two polynomials; always with room for both."""

    def __init__(self, context: Context, limbs: int, seeded: int = 0, seed: int = SHAKE256) -> None:
        self.limbs = limbs
        self.data = np.zeros((2, limbs, context.n), np.uint64)
        self.pointer = ffi.new("rs_ciphertext_t *")
        self.pointer.data = words_at(self.data)
        self.pointer.seeded = seeded
        self.pointer.seed_type = seed

    @property
    def seed(self) -> bytes:
        return bytes(ffi.buffer(self.pointer.seed.bytes))


def plain_from_integers(context: Context, residues_ntt: Words, scale: float, limbs: int) -> Plain:
    """A plaintext in NTT form from its residues: one row per limb."""
    plain = Plain(context, limbs, ntt=True)
    plain.ntt[:] = residues_ntt
    plain.pointer.form = lib.RS_FORM_NTT
    plain.pointer.limb_count = limbs
    plain.pointer.scale = scale
    ffi.memmove(plain.pointer.parms_id, lib.rs_context_parms_id(context.pointer, limbs), 32)
    return plain


def plain_from_message(context: Context, message: Sequence[int], scale: float, limbs: int) -> Plain:
    rows = np.zeros((limbs, context.n), np.uint64)
    for limb, q in enumerate(context.moduli[:limbs]):
        rows[limb] = context.ntt(limb, np.array([m % q for m in message], np.uint64))
    return plain_from_integers(context, rows, scale, limbs)


class Rng:
    """Deterministic seeds."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.pointer = ffi.new("rs_rng_t *")
        self._state = ffi.new("rs_rng_deterministic_t *")
        arguments = (self._state, make_seed(seed), b"insecure-deterministic")
        ok(lib.rs_rng_deterministic(self.pointer, *arguments))


# ---- hashes and samplers --------------------------------------------------------------------------------------------
def make_seed(seed: bytes) -> Any:
    assert len(seed) == 64
    return ffi.new("rs_seed_t *", {"bytes": seed})


def filled(size: int, write: Callable[[Any], object]) -> bytes:
    out = ffi.new("uint8_t[]", size)
    write(out)
    return bytes(ffi.buffer(out))


def shake256(size: int, data: bytes) -> bytes:
    return filled(size, lambda out: lib.rs_shake256(out, size, data, len(data)))


def sponge_hash(kind: str, size: int, data: bytes) -> bytes:
    return filled(size, lambda out: lib.rs_sponge_hash(getattr(lib, f"RS_SPONGE_{kind}"), out, size, data, len(data)))


def sponge(kind: str, size: int, data: bytes, piece: int) -> bytes:
    """Absorbed and squeezed `piece` bytes at a time."""
    state = ffi.new("rs_sponge_t *")
    lib.rs_sponge_init(state, getattr(lib, f"RS_SPONGE_{kind}"))
    for at in range(0, len(data), piece):
        part = data[at : at + piece]
        lib.rs_sponge_absorb(state, part, len(part))
    out = ffi.new("uint8_t[]", size)
    for at in range(0, size, piece):
        lib.rs_sponge_squeeze(state, out + at, min(piece, size - at))
    return bytes(ffi.buffer(out))


def blake2b(size: int, data: bytes, key: bytes = b"") -> bytes:
    return filled(size, lambda out: lib.rs_blake2b(out, size, data, len(data), key, len(key)))


def blake2xb(size: int, data: bytes, key: bytes = b"") -> bytes:
    return filled(size, lambda out: lib.rs_blake2xb(out, size, data, len(data), key, len(key)))


def seed_block(kind: int, seed: bytes, counter: int) -> bytes:
    return filled(4096, lambda out: ok(lib.rs_seed_block(out, kind, make_seed(seed), counter)))


def private_stream(size: int, seed: bytes, domain: int, offset: int = 0) -> bytes:
    return filled(size, lambda out: lib.rs_private_stream(out, size, make_seed(seed), domain, offset))


def cbd21(n: int, seed: bytes, domain: int) -> NDArray[np.int8]:
    out = np.full(n, 99, np.int8)
    lib.rs_sample_cbd21(small_at(out), n, make_seed(seed), domain)
    return out


def ternary(n: int, seed: bytes, domain: int) -> NDArray[np.int8]:
    out = np.full(n, 99, np.int8)
    lib.rs_sample_ternary(small_at(out), n, make_seed(seed), domain)
    return out


def uniform(kind: int, seed: bytes, log_n: int, moduli: Sequence[int]) -> Words:
    """All limbs of one expansion: a row each."""
    state = ffi.new("rs_uniform_t *")
    ok(lib.rs_uniform_init(state, kind, make_seed(seed), log_n, len(moduli)))
    out = np.empty((len(moduli), 1 << log_n), np.uint64)
    for limb, q in enumerate(moduli):
        ok(lib.rs_uniform_next(state, q, words_at(out[limb])))
    return out
