# SPDX-License-Identifier: Apache-2.0
"""A parameter set with Ringside's keys and random values, for the interop tests."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ringside
from interop import oracle
from interop.peers import Peer
from ringside.native.library import aligned, check, ffi, lib, words_of
from ringside.native.streams import open_file

NAMED_SETS = ("lee-12", "lee-13", "lee-14", "aloha-8192", "seal-embedded-4096")
SOAK_SETS = ("lee-15",)
RANDOM_SETS = ("random-0", "random-1", "random-2", "random-3")
SMALLEST_SET = "smallest-512"  # primes for rings of 32 and 64 bits; SEAL has no limit of security for it
SIMULATED_SET = "simulated-4096"  # for words of 32 bits, and secure enough for SEAL


def random_bits(name: str) -> tuple[int, list[int]]:
    """Ring degree and prime sizes of a random set; the same in every run."""
    draw = random.Random(f"ringside interop {name}")
    n = 2 ** draw.randint(10, 14)
    low = 27
    sizes = sorted((draw.randint(low, 60) for _ in range(draw.randint(3, 7))), reverse=True)
    special = sizes.pop(0)  # SEAL asks for nothing here, but noise does: the largest
    draw.shuffle(sizes)
    return n, [*sizes, special]


def make_parameters(name: str) -> ringside.Parameters:
    if name in RANDOM_SETS:
        n, bits = random_bits(name)
        return ringside.Parameters.from_bits(n, bits, security=0)
    if name == SMALLEST_SET:
        return ringside.Parameters.from_bits(512, [60, 30, 40, 60], security=0)
    if name == SIMULATED_SET:
        return ringside.Parameters.from_bits(4096, [30, 30, 32])
    return ringside.Parameters.named(name)


class Setting:
    """Everything that a test needs under one parameter set."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.params = make_parameters(name)
        self.context = ringside.Context(self.params)
        self.secret_key = self.context.keygen()
        self.parms_file = folder / "params.seal"
        self.params.save(self.parms_file)
        self.secret_file = folder / "secret.seal"
        self.secret_key.save(self.secret_file)
        self.random = np.random.default_rng(12345)
        self.secret_words: NDArray[np.uint64] = np.empty((0, 0), dtype=np.uint64)  # secret words of the test that asks

    @cached_property
    def public_key(self) -> ringside.PublicKey:
        return self.context.public_key(self.secret_key)

    @property
    def n(self) -> int:
        return self.params.n

    @property
    def data_limbs(self) -> int:
        return self.params.data_limbs

    @property
    def moduli(self) -> list[int]:
        return list(self.params.moduli)

    @property
    def data_moduli(self) -> list[int]:
        return self.moduli[: self.data_limbs]

    @property
    def special_prime(self) -> int:
        assert self.params.special_prime is not None
        return self.params.special_prime

    def enter(self, peer: Peer) -> None:
        """Makes the peer work under these parameters."""
        if peer.parameters_file != self.parms_file:
            peer.use(self.parms_file, 128 if self.params.security else 0)

    def peer_secret(self, peer: Peer) -> Any:
        """Our secret key inside the peer."""
        return peer.load("secret_key", self.secret_file)

    # ---- values and scales --------------------------------------------------------------------------------------------
    def values(self) -> NDArray[np.float64]:
        return self.random.uniform(-1, 1, self.n // 2)

    def complex_values(self) -> NDArray[np.complex128]:
        radius, angle = self.random.uniform(0, 1, self.n // 2), self.random.uniform(0, 7, self.n // 2)
        return np.asarray(radius * np.exp(1j * angle))

    def scale(self, limb_count: int) -> float:
        """As large as encode takes it, up to 2^50: six bits are left for the coefficients."""
        return 2.0 ** min(50, math.floor(math.log2(math.prod(self.moduli[:limb_count]))) - 6)

    @property
    def product_scale(self) -> float:
        """For factors at the top level: their product fits, and so does the rescaled product below."""
        return 2.0 ** min(50, (math.floor(math.log2(math.prod(self.data_moduli))) - 6) // 2)

    # ---- largest error of a slot that the noise can explain -----------------------------------------------------------
    def encode_limit(self, scale: float) -> float:
        return oracle.GAUSSIAN_SIGMAS * oracle.slot_error(oracle.ROUNDING_VARIANCE, self.n, scale)

    def fresh_limit(self, kind: str, scale: float, limb_count: int | None = None) -> float:
        """The limit of a fresh ciphertext's error; encoding rounds too."""
        limbs = limb_count or self.data_limbs
        next_prime = self.moduli[limbs] if limbs < len(self.moduli) else None
        variance = oracle.fresh_variance(kind, self.n, next_prime) + oracle.ROUNDING_VARIANCE
        with_secret_key = kind == "secret-key"
        sigmas = oracle.GAUSSIAN_SIGMAS if with_secret_key else oracle.PRODUCT_SIGMAS
        return sigmas * oracle.slot_error(variance, self.n, scale)

    def key_switch_limit(self, scale: float) -> NDArray[np.float64]:
        """The limit of what relinearising or rotating adds, slot by slot."""
        error = oracle.key_switch_slot_error(self.n, self.data_moduli, self.special_prime, scale)
        return oracle.PRODUCT_SIGMAS * error

    def product_limit(self, kind: str, scale: float) -> NDArray[np.float64]:
        """The limit of the relinearised, rescaled product of two fresh ciphertexts with values up to 1."""
        fresh = self.fresh_limit(kind, scale)
        rescaled = scale * scale / self.data_moduli[-1]
        rounding = oracle.slot_error(oracle.rounding_variance(self.n), self.n, rescaled)
        total = 2 * fresh + fresh * fresh + oracle.PRODUCT_SIGMAS * rounding
        return self.key_switch_limit(scale * scale) + total


def assert_close(got: NDArray[Any], truth: NDArray[Any], limit: NDArray[np.float64] | float) -> None:
    """Every slot within its limit."""
    limits = np.broadcast_to(limit + oracle.FLOAT_ERROR, got.shape)
    error = np.abs(got - truth)
    worst = int(np.argmax(error / limits))
    detail = f"slot {worst} is off by {error[worst]:.3e}, allowed {limits[worst]:.3e}"
    assert (error <= limits).all(), detail
    # with a tolerance near the values themselves the test would say nothing
    assert np.median(limits) < 0.25, f"tolerance {np.median(limits):.3e}"


def components(
    context: ringside.Context | ringside.ExactContext, path: Path
) -> Iterator[tuple[int, int, NDArray[np.uint64]]]:
    """Entry, index and words [2, limb, N] of each component of a file of key-switching keys."""
    pointer = context._pointer
    with open_file(path) as reader:
        kind = int(reader.info(pointer).kind)
        for entry, count in reader.entries(pointer, kind):
            for index in range(count):
                component, words = ffi.new("rs_ciphertext_t *"), aligned((2, context.params.limb_count, context.n))
                target = reader.begin(pointer, kind, component)
                component.data = ffi.cast("uint64_t *", words_of(words))
                reader.words(target)
                check(lib.rs_expand(pointer, component))
                yield entry, index, words
