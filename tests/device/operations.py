# SPDX-License-Identifier: Apache-2.0
"""Operations with random inputs, computed by a simulated device and by the processor: the results must be the same bits."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ringside as rs
from ringside.devices.calls import Transform
from ringside.devices.simulated import SimulatedDevice
from ringside.native.library import lib, words_of

Words = NDArray[np.uint64]
SIGMAS = 16  # that no slot's noise ever reaches
SCALE_BITS_MAX = 50  # beyond, doubles are the limit, not noise


class MismatchError(Exception):
    """The device computed something else than the processor."""


@dataclass(frozen=True)
class Bench:
    """The same parameters and keys on both sides, and the random numbers of a job."""

    processor: rs.Context
    simulated: rs.Context
    accelerator: SimulatedDevice
    secret: rs.SecretKey
    public: rs.PublicKey
    random: np.random.Generator
    notes: list[str]  # what each operation does, written before it runs

    def limbs(self, most: int) -> int:
        return int(self.random.integers(1, most, endpoint=True))

    def residues(self, shape: tuple[int, ...], moduli: tuple[int, ...]) -> Words:
        """[..., limb, N] below the moduli; a third of the polynomials has extreme values only."""
        q = np.array(moduli, np.uint64)[:, None]
        extremes = np.array([0, 1, 2], np.uint64)
        words = self.random.integers(0, q, shape, np.uint64)
        few = (q - self.random.choice(extremes, shape)) % q  # 0, q - 1, q - 2
        return np.where(self.random.random((*shape[:-2], 1, 1)) < 1 / 3, few, words)

    def values(self) -> NDArray[Any]:
        """Real or complex, up to 1; some or all slots."""
        slots = self.processor.slots
        count = slots if self.random.random() < 0.5 else int(self.random.integers(slots))
        values = self.random.uniform(-1, 1, count)
        return values if self.random.random() < 0.5 else values * np.exp(2j * np.pi * self.random.random(count))


def compare(got: NDArray[Any], wanted: NDArray[Any]) -> None:
    if got.shape != wanted.shape:
        raise MismatchError(f"shape {got.shape} instead of {wanted.shape}")
    wrong = np.argwhere(got != wanted)
    if wrong.size:
        place = tuple(map(int, wrong[0]))
        raise MismatchError(
            f"{len(wrong)} of {wanted.size} words differ, the first at {list(place)}: {got[place]} instead of {wanted[place]}"
        )


# ---- the operations -------------------------------------------------------------------------------------------------
def encrypt(bench: Bench, noise: str, options: dict[str, Any]) -> None:
    """Also what the processor decrypts from the device's ciphertext must be the values."""
    cpu, key = bench.processor, bench.secret if noise == "secret-key" else bench.public
    limbs = bench.limbs(cpu.params.data_limbs)
    room = math.floor(math.log2(cpu.params.modulus(limbs - 1))) - 6
    scale = 2.0 ** min(SCALE_BITS_MAX, int(bench.random.integers(max(1, room - 10), room, endpoint=True)))
    values, seed = bench.values(), bench.random.bytes(64)
    plaintext = cpu.encode(values, scale=scale, level=limbs - 1)
    if bench.random.random() < 0.5:  # files hold the NTT form
        plaintext = rs.Plaintext.from_bytes(cpu, plaintext.to_bytes())
    bench.notes.append(f"{limbs} limbs, {values.size} values in {plaintext.form} form, scale 2^{math.log2(scale):.0f}")
    wanted = cpu.encrypt(plaintext, key, insecure_deterministic_seed=seed, **options)
    got = bench.simulated.encrypt(plaintext, key, insecure_deterministic_seed=seed, **options)
    compare(got.data, wanted.data)
    if got.to_bytes(compression="none") != wanted.to_bytes(compression="none"):
        raise MismatchError("the files differ, the residues do not")
    found = cpu.decrypt_values(got, bench.secret, values.size, real=False)
    error = float(np.abs(found - values).max(initial=0))
    limit = SIGMAS * 2.0 ** -cpu.predicted_precision(scale=scale, kind=noise, level=limbs - 1)
    if not error <= limit:
        raise MismatchError(f"the processor decrypts values that are off by {error:.3e}, allowed {limit:.3e}")


def encrypt_batch(bench: Bench, options: dict[str, Any]) -> None:
    """Several frames in one call, and what the processor makes of each."""
    cpu = bench.processor
    limbs = bench.limbs(cpu.params.data_limbs)
    frames = [bench.values() for _ in range(bench.random.integers(1, 6))]
    room = math.floor(math.log2(cpu.params.modulus(limbs - 1))) - 6
    bench.notes.append(f"{limbs} limbs, {len(frames)} frames, scale 2^{min(SCALE_BITS_MAX, room)}")
    given = {"scale": 2.0 ** min(SCALE_BITS_MAX, room), "level": limbs - 1} | options
    given |= {"insecure_deterministic_seed": bench.random.bytes(64)}
    found = bench.simulated.encrypt_batch(frames, bench.public, **given)
    for got, wanted in zip(found, cpu.encrypt_batch(frames, bench.public, **given), strict=True):
        compare(got.data, wanted.data)


def decrypt(bench: Bench, polys: int, seed_type: str | None) -> None:
    """Decrypts any residues, to some of the ciphertext's limbs."""
    params = bench.processor.params
    have = bench.limbs(params.data_limbs)
    limbs = bench.limbs(have)
    data = bench.residues((polys if seed_type is None else 1, have, params.n), params.moduli[:have])
    bench.notes.append(f"{limbs} of {have} limbs")
    seed: dict[str, Any] = {} if seed_type is None else {"seed": bench.random.bytes(64), "seed_type": seed_type}
    ciphertext = rs.Ciphertext.from_data(bench.processor, data, scale=1, **seed)
    wanted = bench.processor.decrypt(ciphertext, bench.secret, limbs=limbs)
    compare(bench.simulated.decrypt(ciphertext, bench.secret, limbs=limbs).data, wanted.data)


def transform(bench: Bench, inverse: bool) -> None:
    params = bench.processor.params
    limb = bench.limbs(params.limb_count) - 1
    bench.notes.append(f"limb {limb}")
    wanted = bench.residues((1, params.n), (params.moduli[limb],))[0]
    got = wanted.copy()
    bench.accelerator.run(Transform(bench.simulated._handle, limb, words_of(got), inverse))
    native = lib.rs_plan_inverse if inverse else lib.rs_plan_forward
    native(lib.rs_context_plan(bench.processor._pointer, limb), words_of(wanted))
    compare(got, wanted)


def slots(bench: Bench, bound_bits: int) -> tuple[NDArray[Any], dict[str, Any]]:
    """Integers of some format, of all sizes, and what they mean: magnitudes below 2^bound_bits."""
    kinds = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64)
    kind = kinds[bench.random.choice(len(kinds))]
    limits, count = np.iinfo(kind), int(bench.random.integers(1, bench.processor.slots, endpoint=True))
    values = bench.random.integers(limits.min, limits.max, count, kind, endpoint=True)
    return values, {"exponent": bound_bits - 1 - limits.bits, "bound": bound_bits}


def encode_encrypt(bench: Bench, options: dict[str, Any], public: bool = True) -> None:
    """Slots in, ciphertext out, at a power of two or another scale; half of the times several frames at once. The processor does the same in two steps, one frame after the other."""
    cpu, key = bench.processor, bench.public if public else bench.secret
    limbs = bench.limbs(cpu.params.data_limbs)
    bound = int(bench.random.integers(-3, 3, endpoint=True))
    values, meaning = slots(bench, bound)
    smallest = min(q.bit_length() for q in cpu.params.moduli[:limbs])
    scale = 2.0 ** (smallest - 2 - max(1, bound) - int(bench.random.integers(0, 5, endpoint=True)))
    if bench.random.integers(2):
        scale /= 1 + bench.random.random()
    given: dict[str, Any] = meaning | {"word_bits": bench.simulated.fixed_bits, "scale": scale, "level": limbs - 1}
    given |= {"insecure_deterministic_seed": bench.random.bytes(64)} | options
    bench.notes.append(f"{limbs} limbs, {values.size} slots of {values.dtype}, bound 2^{bound}, scale {scale}")
    frames = [values] + [bench.random.permutation(values) for _ in range(bench.random.integers(0, 3))]
    if len(frames) == 1:
        found = [bench.simulated.encrypt_fixed(values, key, **given)]
    else:
        found = bench.simulated.encrypt_fixed_batch(frames, key, **given)
    for index, (frame, got) in enumerate(zip(frames, found, strict=True)):
        bench.notes.append(f"frame {index} of {len(frames)}")
        wanted = cpu.encrypt_fixed(frame, key, insecure_deterministic_index=index, **given)
        compare(got.data, wanted.data)
        if got.to_bytes(compression="none") != wanted.to_bytes(compression="none"):
            raise MismatchError("the files differ, the residues do not")


def decrypt_decode(bench: Bench) -> None:
    """Decrypts the first limb, or the first two, of encryptions whose scale is a power of two or not."""
    cpu = bench.processor
    limbs = bench.limbs(cpu.params.data_limbs)
    groups = int(bench.accelerator.design.groups)
    decoded = int(bench.random.integers(1, 2 if limbs > 1 and groups > 3 else 1, endpoint=True))
    log_scale = cpu.params.modulus(0).bit_length() + (-4 if decoded == 1 else int(bench.random.integers(-6, 8)))
    values = bench.random.integers(-1 << 15, 1 << 15, cpu.slots, np.int16)
    scale = 2.0**log_scale
    rows = (values, values[::-1], values // 3)[: bench.random.integers(1, 4)]
    if bench.random.integers(2):
        scale /= 1 + bench.random.random()
    ciphertexts = [
        cpu.encrypt_fixed(row, bench.secret, exponent=-15, bound=1, scale=scale, level=limbs - 1).expand()
        for row in rows
    ]
    count = int(bench.random.integers(1, cpu.slots, endpoint=True))
    meaning: dict[str, Any] = {"exponent": -26, "bound": 3, "dtype": np.int32, "limbs": decoded}
    meaning["word_bits"] = bench.simulated.fixed_bits
    bench.notes.append(f"{decoded} of {limbs} limbs, {count} slots, scale {scale}")
    if len(ciphertexts) == 1:
        found = [bench.simulated.decrypt_fixed(ciphertexts[0], bench.secret, count, **meaning)]
    else:
        found = bench.simulated.decrypt_fixed_batch(ciphertexts, bench.secret, count, **meaning)
    for index, (ciphertext, got) in enumerate(zip(ciphertexts, found, strict=True)):
        bench.notes.append(f"frame {index} of {len(ciphertexts)}")
        compare(got, cpu.decrypt_fixed(ciphertext, bench.secret, count, **meaning))


# operations of designs that encode
ENCODING = ("encode-encrypt-pk-direct", "encode-encrypt-pk", "encode-encrypt-sk", "decrypt-decode")
STREAMING = ("encrypt-pk-batch", "encrypt-pk-direct-batch")  # operations of designs that stream
OPERATIONS: dict[str, Callable[[Bench], None]] = {
    "encrypt-pk": partial(encrypt, noise="public-key", options={}),
    "encrypt-pk-direct": partial(encrypt, noise="public-key-direct", options={"special_prime": False}),
    "encrypt-sk-shake256": partial(encrypt, noise="secret-key", options={"seed_type": "shake256"}),
    "encrypt-sk-blake2xb": partial(encrypt, noise="secret-key", options={"seed_type": "blake2xb"}),
    "encrypt-sk-full-shake256": partial(encrypt, noise="secret-key", options={"seeded": False}),
    "encrypt-sk-full-blake2xb": partial(
        encrypt, noise="secret-key", options={"seeded": False, "seed_type": "blake2xb"}
    ),
    "decrypt-2": partial(decrypt, polys=2, seed_type=None),
    "decrypt-3": partial(decrypt, polys=3, seed_type=None),
    "decrypt-shake256": partial(decrypt, polys=2, seed_type="shake256"),
    "decrypt-blake2xb": partial(decrypt, polys=2, seed_type="blake2xb"),
    "encode-encrypt-pk-direct": partial(encode_encrypt, options={"special_prime": False}),
    "encode-encrypt-pk": partial(encode_encrypt, options={}),
    "encode-encrypt-sk": partial(encode_encrypt, options={}, public=False),
    "decrypt-decode": decrypt_decode,
    "ntt": partial(transform, inverse=False),
    "intt": partial(transform, inverse=True),
    "encrypt-pk-batch": partial(encrypt_batch, options={}),
    "encrypt-pk-direct-batch": partial(encrypt_batch, options={"special_prime": False}),
}
