# SPDX-License-Identifier: Apache-2.0
"""Where operations draw their seeds: from the operating system, or for tests from a seed that the caller gives.

Two objects made from one test seed share nothing, unless they are equal in everything that they are made from: each draws from a sub-seed
(rs_seed_derive) of its operation, label, index, and of the parameters, keys and message that go into it. Without that a public key and a
relinearisation key would have a and e in common, and their difference would be s^2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ParameterError
from .handles import KeyHandle, PublicHandle
from .library import (
    PARMS_ID_BYTES,
    SEED_BYTES,
    CData,
    aligned,
    check,
    ffi,
    get_bytes,
    lib,
    request,
    secret_bytes,
    words_of,
    work_in,
)

_CONSENT = b"insecure-deterministic"
_DIGEST_BYTES = 64
_INDEX_END = 1 << 64
SEEDS_DRAWN = {lib.RS_ENCRYPT_SK: 2, lib.RS_ENCRYPT_PK: 1, lib.RS_ENCRYPT_PK_DIRECT: 1}  # by an encryption, see batch.c


class Rng:
    """rs_rng_t, by default the operating system's. Used by one call only."""

    def __init__(self) -> None:
        self.pointer: CData = ffi.new("rs_rng_t *")
        lib.rs_rng_os(self.pointer)


def drawn(size: int) -> CData:
    """Bytes of the operating system's generator, from which the library draws too; wiped when nobody has them any more. InternalError: it gives none."""
    rng, out = Rng().pointer, secret_bytes(size)
    check(rng.fill(rng.state, out, size))
    return out


def keygen(context: CData, secret: CData, key: CData, rng: Rng, **members: int) -> None:
    """A public key, or what `members` of rs_keygen_request_t say, into a descriptor with memory for its polynomials."""
    wanted = request("rs_keygen_request_t", context=context, secret_key=secret, key=key, rng=rng.pointer, **members)
    _memory = work_in(wanted, lib.rs_keygen_workspace(wanted))
    check(lib.rs_keygen(wanted))


def keygen_row(
    plans: Sequence[CData], to: CData, source: tuple[int, CData, Sequence[int]], rng: Rng, **members: int
) -> NDArray[np.uint64]:
    """A row of a key over these rings, rs_keygen_row: [b or a, ring, N]. source: the first ring that carries the secret the key leads from, its residues
    from there on, and their factors.
    """
    n, (first, held, factors) = int(lib.rs_plan_n(plans[0])), source
    words, array = aligned((2, len(plans), n)), ffi.new("rs_plan_t const *[]", plans)
    b, a = (ffi.cast("uint64_t *", words_of(poly)) for poly in words)
    carried = {"first": first, "count": len(factors), "factors": ffi.new("uint64_t[]", factors), "from": held}
    wanted = request(
        "rs_keygen_row_request_t",
        rings=array,
        ring_count=len(plans),
        to=to,
        b=b,
        a=a,
        rng=rng.pointer,
        **carried,
        **members,
    )
    _memory = work_in(wanted, 9 * n)
    check(lib.rs_keygen_row(wanted))
    return words


class DeterministicRng(Rng):
    """The stream of one sub-seed."""

    def __init__(self, seed: CData) -> None:
        """seed: rs_seed_t *."""
        self.pointer = ffi.new("rs_rng_t *")
        self._state: CData = ffi.new("rs_rng_deterministic_t *")
        check(lib.rs_rng_deterministic(self.pointer, self._state, seed, _CONSENT))

    def draw(self) -> bytes:
        """The next seed."""
        out = ffi.new("uint8_t[]", SEED_BYTES)
        check(self.pointer.fill(self.pointer.state, out, SEED_BYTES))
        return get_bytes(out, SEED_BYTES)


class RngInTurn(Rng):
    """Each of several streams in turn, for an operation on frames: `each` seeds from the first, then `each` from the next."""

    def __init__(self, streams: Sequence[DeterministicRng], each: int) -> None:
        seeds = (stream.draw() for stream in streams for _ in range(each))

        def fill(_state: CData, out: CData, size: int) -> int:
            seed = next(seeds, b"")
            if len(seed) != size:
                return int(lib.RS_ERR_RNG)
            ffi.memmove(out, seed, size)
            return 0

        self._fill: CData = ffi.callback("rs_status_t(void *, uint8_t *, size_t)", fill, error=lib.RS_ERR_RNG)
        self.pointer = ffi.new("rs_rng_t *", {"fill": self._fill})


class Randomness:
    """The source of one call's seeds. seed None: the operating system."""

    def __init__(self, seed: bytes | None, index: int = 0) -> None:
        """index: of the (first) object among those made from the same seed and the same inputs."""
        self._seed = None if seed is None else _checked(seed)
        if not 0 <= index < _INDEX_END:
            message = f"An index is 0 to 2^64 - 1, got {index}."
            raise InputError("RS_ERR_CONSENT", message, "Leave it out, or count from 0.")
        if index and seed is None:
            raise InputError("RS_ERR_CONSENT", "An index needs a seed.", "Pass insecure_deterministic_seed too.")
        self._index = index

    @property
    def is_deterministic(self) -> bool:
        """Whether a seed was given: then what goes into an object has to be given."""
        return self._seed is not None

    def of_keys(self, label: str, parms_id: str, secret: CData | None = None, words: int = 0) -> Rng:
        """For a key. label: which one; parms_id: in hex; secret: the secret key's first limb, of `words` words, if it depends on one."""
        if self._seed is None:
            return Rng()
        inputs = [] if secret is None else [_digest(secret, 8 * words)]
        return self._stream(label, bytes.fromhex(parms_id), inputs)

    def of_rows(
        self, parms_id: str, seed_type: int, context: CData, secret: CData, n: int
    ) -> Callable[[int, int], Rng]:
        """For each row of key-switching keys as SEAL has them, by Galois element (0: of s^2) and index: the rule of rs_switch_seed."""
        if self._seed is None:
            return lambda _element, _index: Rng()
        packed, memory = secret_bytes(n // 4), secret_bytes(8 * n)
        check(lib.rs_lean_pack_key(context, secret, (packed, n // 4), (memory, 8 * n)))
        bound = bytes.fromhex(parms_id) + _digest(packed, n // 4)
        numbers = {"digit_primes": 1, "special_count": 1, "seed_type": seed_type}

        def of_row(element: int, index: int) -> Rng:
            row = ffi.new("rs_switch_row_t *", {"element": element, "index": index, "bound": bound, **numbers})
            seed = ffi.new("rs_seed_t *")
            check(lib.rs_switch_seed(seed, self._seed, self._index, row))
            return DeterministicRng(seed)

        return of_row

    def of_ciphertexts(
        self, kind: int, label: str, key: KeyHandle, context_words: tuple[int, int], plaintexts: Sequence[bytes]
    ) -> Rng:
        """For the encryption of each plaintext in turn (message_digest). label: type and form of the seed. context_words: N, and moduli of the key."""
        if self._seed is None:
            return Rng()
        parms_id, key_digest = _key_digest(key, *context_words)
        streams = [
            self._stream(f"encryption {kind} {label}", parms_id, [key_digest, plaintext], number)
            for number, plaintext in enumerate(plaintexts)
        ]
        return streams[0] if len(streams) == 1 else RngInTurn(streams, SEEDS_DRAWN[kind])

    def _stream(self, label: str, parms_id: bytes, inputs: Sequence[bytes], number: int = 0) -> DeterministicRng:
        bound = b"".join([parms_id, *inputs])
        seed = ffi.new("rs_seed_t *")
        index = (self._index + number) % _INDEX_END
        check(lib.rs_seed_derive(seed, self._seed, label.encode(), index, bound, len(bound)))
        return DeterministicRng(seed)


def _checked(seed: bytes) -> CData:
    if len(seed) != SEED_BYTES:
        message = f"A deterministic seed has {SEED_BYTES} bytes, and this one {len(seed)} bytes."
        raise ParameterError("RS_ERR_CONSENT", message, "Pass bytes(range(64)), for example, in tests only.")
    return ffi.new("rs_seed_t *", {"bytes": seed})


def _digest(memory: CData, size: int) -> bytes:
    out = ffi.new("uint8_t[]", _DIGEST_BYTES)
    lib.rs_shake256(out, _DIGEST_BYTES, ffi.cast("uint8_t *", memory), size)
    return get_bytes(out, _DIGEST_BYTES)


def _key_digest(key: KeyHandle, n: int, limbs: int) -> tuple[bytes, bytes]:
    """parms_id and digest. The first limb identifies a secret key, because it is ternary; the whole first polynomial identifies a public key."""
    if isinstance(key, PublicHandle):
        native = key.expanded()
        return get_bytes(native.parms_id, PARMS_ID_BYTES), _digest(native.data, 8 * n * limbs)
    with key.borrow() as native:
        return get_bytes(native.parms_id, PARMS_ID_BYTES), _digest(native.ntt, 8 * n)


def message_digest(data: NDArray[Any], limbs: int, scale: float) -> bytes:
    """Digest of a plaintext: its coefficients or residues, its level and scale."""
    memory = np.ascontiguousarray(data + 0.0 if data.dtype == np.float64 else data)  # -0.0 is 0.0
    head = f"{limbs} {scale.hex()} {data.dtype.str} ".encode()
    return head.ljust(_DIGEST_BYTES, b"\0") + _digest(ffi.from_buffer(memory), memory.nbytes)
