# SPDX-License-Identifier: Apache-2.0
"""The C library: parameters, and one instance of the scheme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ringside.errors import InputError, InternalError, MismatchError, ParameterError, RingsideError, WireError
from ringside.native.library import aligned

try:
    from ._cdef import ffi as ffi
except ImportError as error:  # a source tree that was never built
    raise ImportError(
        "ringside_ltv is not built: install it with `pip install ./papers/evaluator` in the source tree"
    ) from error

RINGS = (255, 4369, 21845, 65535)
BLOCK, STATE, ROUNDS, SEED_BYTES = 16, 128, 10, 32
ROUND_KEYS = 176  # bytes of all round keys of a block

Words = NDArray[np.uint32]
Bytes = NDArray[np.uint8]


def _load() -> Any:
    path = Path(__file__).with_name("libringside_ltv.so")
    try:
        return ffi.dlopen(str(path))
    except OSError as error:
        raise ImportError(f"cannot load {path}: {error}") from error


lib: Any = _load()

_CLASSES: dict[str, type[RingsideError]] = {
    "RING": ParameterError, "PRIMES": ParameterError, "DEPTH": ParameterError, "BACKEND": ParameterError,
    "THREADS": InputError, "LEVEL": InputError, "RESIDUE": WireError, "SECRET": WireError, "SLOTS": MismatchError,
    "KEY": MismatchError,
}  # fmt: skip


def check(status: int) -> None:
    """Raises unless the status is RS_LTV_OK."""
    if status == lib.RS_LTV_OK:
        return
    if status == lib.RS_LTV_ERR_STOPPED:
        raise KeyboardInterrupt
    message = ffi.string(lib.rs_ltv_message(status)).decode()
    for name, kind in _CLASSES.items():
        if status == getattr(lib, f"RS_LTV_ERR_{name}"):
            raise kind(f"RS_LTV_ERR_{name}", f"{message[:1].upper()}{message[1:]}.")
    if status == lib.RS_LTV_ERR_MEMORY:
        raise MemoryError
    raise InternalError("INTERNAL", f"{message}.")


@dataclass(frozen=True)
class LtvParameters:
    """rs_ltv_params_t. special 0: relinearisation by windows of 16 bits."""

    m: int
    primes: int
    special: int
    prime_bits: int = 31
    sbox_depth: int = 3
    key_power: int = 1

    @staticmethod
    def default(m: int, sbox_depth: int = 3, hybrid: bool = True) -> LtvParameters:
        found = lib.rs_ltv_default(m, sbox_depth, int(hybrid))
        fields = ("m", "primes", "special", "prime_bits", "sbox_depth", "key_power")
        return LtvParameters(*(int(getattr(found, name)) for name in fields))

    def pointer(self) -> Any:
        return ffi.new("rs_ltv_params_t *", asdict(self))

    @property
    def switching(self) -> str:
        return "hybrid" if self.special else "windows"

    def describe(self, threads: int = 1) -> LtvInfo:
        info = ffi.new("rs_ltv_info_t *")
        check(lib.rs_ltv_describe(info, self.pointer(), threads))
        return LtvInfo.of(info)


@dataclass(frozen=True)
class LtvInfo:
    """rs_ltv_info_t."""

    n: int
    points: int
    slots: int
    order: int
    all_primes: int
    digits: int
    key_rows: int
    relinearisations: int
    threads: int
    log2_q: float
    memory_bytes: int

    @staticmethod
    def of(info: Any) -> LtvInfo:
        return LtvInfo(*(getattr(info, name) for name in LtvInfo.__dataclass_fields__))

    @property
    def evaluation_bytes(self) -> int:
        return 4 * self.digits * self.key_rows * self.n


@dataclass(frozen=True)
class NoiseStep:
    """log2 of the noise after one step of a round."""

    name: str
    level: int
    rms: float
    max: float
    predicted: float
    bound: float


@dataclass(frozen=True)
class RoundRecord:
    """What a round took, in seconds and operations. steps: empty unless noise was asked for."""

    round: int
    level: int
    products: float
    relinearisation: float
    switching: float
    linear: float
    transforms: int
    relinearisations: int
    switches: int
    steps: Sequence[NoiseStep]

    @property
    def seconds(self) -> float:
        return self.products + self.relinearisation + self.switching + self.linear


def _words(array: Words) -> Any:
    return ffi.from_buffer("uint32_t[]", array)


def _bytes(array: Bytes | bytes) -> Any:
    return ffi.from_buffer("uint8_t[]", array)


def expand_key(key: bytes) -> Bytes:
    """The eleven round keys of AES-128."""
    out = np.empty(ROUND_KEYS, dtype=np.uint8)
    lib.rs_ltv_aes_expand(_bytes(key), _bytes(out))
    return out


def encrypt_plain(key: bytes, blocks: Bytes) -> Bytes:
    """AES-128 of blocks [count][16], not homomorphic: what the results are compared with, and the client's own encryption."""
    keys, out = expand_key(key), blocks.copy()
    for block in out:
        lib.rs_ltv_aes_encrypt_plain(_bytes(keys), ROUNDS, _bytes(block))
    return out


class Scheme:
    """An open instance. Use it in a `with`: closing wipes the secret key."""

    def __init__(self, parameters: LtvParameters, *, backend: str = "", threads: int = 0) -> None:
        place = ffi.new("rs_ltv_t **")
        check(lib.rs_ltv_open(place, parameters.pointer(), backend.encode() or ffi.NULL, threads))
        self._ltv = place[0]
        self.parameters = parameters
        info = ffi.new("rs_ltv_info_t *")
        lib.rs_ltv_info(self._ltv, info)
        self.info = LtvInfo.of(info)

    def __enter__(self) -> Scheme:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        lib.rs_ltv_close(self._ltv)
        self._ltv = ffi.NULL

    @property
    def backend(self) -> str:
        return str(ffi.string(lib.rs_ltv_backend(self._ltv)).decode())

    @property
    def digest(self) -> str:
        out = np.empty(32, dtype=np.uint8)
        lib.rs_ltv_digest(self._ltv, _bytes(out))
        return out.tobytes().hex()

    def new_state(self, level: int) -> Words:
        """Memory for the ciphertexts of a state."""
        array: Words = aligned((level, STATE, self.info.n), np.uint32)
        return array

    def level(self, after_round: int) -> int:
        return int(lib.rs_ltv_aes_level(self._ltv, after_round))

    # ---- keys ----------------------------------------------------------------------------------------------------------
    def make_secret(self, seed: bytes) -> Bytes:
        f: Bytes = np.empty(self.info.n, dtype=np.uint8)
        check(lib.rs_ltv_secret(self._ltv, _bytes(seed), ffi.from_buffer("int8_t[]", f)))
        return f

    def load_secret(self, f: Bytes) -> None:
        check(lib.rs_ltv_load_secret(self._ltv, ffi.from_buffer("int8_t[]", f)))

    def make_public(self, seed: bytes) -> Words:
        h: Words = aligned((self.info.all_primes, self.info.n), np.uint32)
        check(lib.rs_ltv_public(self._ltv, _bytes(seed), _words(h)))
        return h

    def load_public(self, h: Words) -> None:
        check(lib.rs_ltv_load_public(self._ltv, _words(h)))

    def make_evaluation(self, seed: bytes, digit: int) -> Words:
        key: Words = aligned((self.info.key_rows, self.info.n), np.uint32)
        check(lib.rs_ltv_evaluation(self._ltv, _bytes(seed), digit, _words(key)))
        return key

    def load_evaluation(self, digit: int, key: Words) -> None:
        check(lib.rs_ltv_load_evaluation(self._ltv, digit, _words(key)))

    # ---- ciphertexts [level][count][n] ----------------------------------------------------------------------------------
    def prime(self, index: int) -> int:
        return int(lib.rs_ltv_prime(self._ltv, index))

    def encrypt(self, seed: bytes, messages: Bytes, level: int) -> Words:
        """messages [count][n]: bits."""
        out: Words = aligned((level, len(messages), self.info.n), np.uint32)
        check(lib.rs_ltv_encrypt(self._ltv, _bytes(seed), 0, _bytes(messages), level, len(messages), _words(out)))
        return out

    def multiply(self, a: Words, b: Words) -> Words:
        """Products, under the square of the key."""
        out: Words = aligned(a.shape, np.uint32)
        check(lib.rs_ltv_multiply(self._ltv, _words(a), _words(b), len(a), a.shape[1], _words(out)))
        return out

    def relinearise(self, products: Words) -> None:
        """In place."""
        check(lib.rs_ltv_relinearise(self._ltv, _words(products), len(products), products.shape[1]))

    def switch(self, ciphertexts: Words) -> Words:
        """Ciphertexts of one level less: the last prime is divided out."""
        level, count, n = ciphertexts.shape
        work: Words = aligned((level, count, n), np.uint32)
        work[:] = ciphertexts
        check(lib.rs_ltv_switch(self._ltv, _words(work), level, count))
        return work[: level - 1]

    def decode(self, message: Bytes) -> Bytes:
        """Bits [slots] of coefficients [n]."""
        bits: Bytes = np.empty(self.info.slots, dtype=np.uint8)
        check(lib.rs_ltv_decode(self._ltv, _bytes(message), _bytes(bits)))
        return bits

    # ---- AES ---------------------------------------------------------------------------------------------------------------
    def messages(self, blocks: Bytes, *, is_round_key: bool = False) -> Bytes:
        """Messages [128][n] of a state's ciphertexts, for blocks [slots][16]. A round key of round 1 to 10 takes the S-box's constant along."""
        messages: Bytes = np.empty((STATE, self.info.n), dtype=np.uint8)
        check(lib.rs_ltv_aes_messages(self._ltv, _bytes(blocks), int(is_round_key), _bytes(messages)))
        return messages

    def encrypt_round_key(self, seed: bytes, number: int, key: bytes) -> Words:
        """Round key `number` of an AES key, the same in every slot."""
        one = expand_key(key)[number * BLOCK : (number + 1) * BLOCK]
        blocks: Bytes = np.ascontiguousarray(np.broadcast_to(one, (self.info.slots, BLOCK)))
        messages = self.messages(blocks, is_round_key=number > 0)
        level = self.level(number)
        out = self.new_state(level)
        check(lib.rs_ltv_encrypt(self._ltv, _bytes(seed), number * STATE, _bytes(messages), level, STATE, _words(out)))
        return out

    def add_blocks(self, state: Words, blocks: Bytes) -> None:
        """XORs known blocks [slots][16] to a state."""
        check(lib.rs_ltv_aes_add_blocks(self._ltv, _bytes(blocks), len(state), _words(state)))

    def check_state(self, state: Words) -> None:
        check(lib.rs_ltv_check(self._ltv, _words(state), len(state), STATE))

    def decrypt_state(self, state: Words) -> tuple[Bytes, float]:
        """Blocks [slots][16], and log2 of the largest noise."""
        blocks, noise = np.empty((self.info.slots, BLOCK), dtype=np.uint8), ffi.new("double[2]")
        check(lib.rs_ltv_aes_decrypt(self._ltv, _words(state), len(state), _bytes(blocks), noise))
        return blocks, float(noise[1])

    def round(self, number: int, state: Words, key: Words, *, noise: bool = False) -> RoundRecord:
        """Round `number` of a state; the round key's memory becomes the next state."""
        record = ffi.new("rs_ltv_round_t *")
        check(lib.rs_ltv_aes_round(self._ltv, number, _words(state), _words(key), int(noise), record))
        steps = [
            NoiseStep(ffi.string(one.name).decode(), one.level, one.rms, one.max, one.predicted, one.bound)
            for one in record.steps[0 : record.step_count]
        ]
        times = (record.products, record.relinearisation, record.switching, record.linear)
        return RoundRecord(number, len(key), *times, record.transforms, record.relinearisations, record.switches, steps)

    @property
    def products_of_box(self) -> int:
        """ANDs of an S-box by Karatsuba's method, as the paper counts: three for two in each of the tower's steps."""
        gf4, gf16 = 3, 9
        if self.parameters.sbox_depth == 4:
            return gf16 + gf4 + 2 * gf4 + 2 * gf16
        return gf16 + 2 * gf16 + gf16 + 2 * gf16

    def seconds_of(self, operation: str, times: int) -> float:
        """Processor time of one operation, the least of `times`: FORWARD, INVERSE, REDUCE, PRODUCT, DIGITS, SWITCH, RELINEARISE."""
        return float(lib.rs_ltv_time(self._ltv, getattr(lib, f"RS_LTV_TIME_{operation}"), times))

    def cost(self, number: int) -> int:
        """Transforms of a round's relinearisations: the measure of progress."""
        return int(lib.rs_ltv_aes_cost(self._ltv, number))

    def progress(self) -> tuple[int, int]:
        """Relinearisations since the instance was opened, and their cost; from any thread."""
        cost = ffi.new("uint64_t *")
        return int(lib.rs_ltv_progress(self._ltv, cost)), int(cost[0])

    def stop(self) -> None:
        """What runs ends with KeyboardInterrupt soon; from any thread."""
        lib.rs_ltv_stop(self._ltv)
