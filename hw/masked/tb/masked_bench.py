# SPDX-License-Identifier: Apache-2.0
"""Gadgets in simulation: what they compute, and Welch's t on the toggles of their flip-flops, fixed against random."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from masked_gadgets import Gadget, Secrets, Words
from numpy.typing import NDArray
from rs_cocotb import whole

from ringside.leak.welch import FIXED, RANDOM, Sums
from ringside.sim.sources import Harness
from ringside.sim.verilate import Model, Simulator, build_model, pack, unpack

TOGGLES = Harness(
    ("flips/toggles.cpp", "model.cpp"),
    ("harness.cpp", "model.h", "print.h", "harness.h", "flips/flips.h", "flips/toggles.h"),
)
BATCH = 1000  # traces at a time


class Bench(Simulator):
    """A gadget, its flip-flops and what comes to its ports."""

    def __init__(self, gadget: Gadget, seed: int = 1) -> None:
        sources = [Path(__file__).with_name("flip_flops.vlt"), *whole(gadget.top)]
        model = Model(gadget.top, sources, gadget.parameters, harness=TOGGLES, assertions=False)
        super().__init__(build_model(model), seed)
        self.gadget, self.rng = gadget, np.random.default_rng(seed)
        self._lib.rs_sim_register_name.restype = ctypes.c_char_p
        self._lib.rs_sim_register_bits.restype = self._lib.rs_sim_toggles.restype = ctypes.c_uint64
        numbers = range(self._lib.rs_sim_registers(self._sim))
        self.registers = [
            (self._lib.rs_sim_register_name(k).decode(), int(self._lib.rs_sim_register_bits(k))) for k in numbers
        ]

    # ---- inputs -----------------------------------------------------------------------------------------------------
    def below(self, limit: int, shape: Any, off: bool = False) -> Words:
        return np.zeros(shape, np.uint64) if off else self.rng.integers(0, limit - 1, shape, np.uint64, endpoint=True)

    def limits(self) -> dict[str, int]:
        """What the secret of each shared port is below."""
        ports = self.gadget.ports
        boolean = {name: below or 2 ** (self.bits[name] // 2) for name, below in ports.shared.items()}
        return boolean | dict(ports.additive)

    def secrets(self, count: int) -> dict[str, Words]:
        return {name: self.below(limit, count) for name, limit in self.limits().items()}

    def shared(self, secrets: Secrets, off: bool = False) -> dict[str, NDArray[np.uint32]]:
        """A cycle for each: secrets in new shares, new fresh bits. off: share 1 and fresh bits are zeros."""
        count, ports, inputs = len(next(iter(secrets.values()))), self.gadget.ports, {}
        for name, secret in secrets.items():
            half, modulus = self.bits[name] // 2, ports.additive.get(name, 0)
            mask = self.below(modulus or 2**half, count, off)
            other = (secret + np.uint64(modulus) - mask) % np.uint64(modulus) if modulus else secret ^ mask
            inputs[name] = pack(np.stack([other, mask], axis=-1), half)
        for name, modulus in ports.residues.items():
            size = (modulus - 1).bit_length()
            inputs[name] = pack(self.below(modulus, (count, self.bits[name] // size), off), size)
        for name in ports.fresh:
            words, last = -(-self.bits[name] // 32), -self.bits[name] % 32
            inputs[name] = self.rng.integers(0, 0 if off else 2**32 - 1, (count, words), np.uint32, endpoint=True)
            inputs[name][:, -1] >>= np.uint32(last)
        return inputs | {name: np.full((count, 1), value, np.uint32) for name, value in self.gadget.public.items()}

    def results(self, words: NDArray[np.uint32]) -> Words:
        """Of both shares."""
        modulus = self.gadget.modulus
        shares = unpack(words, self.bits[self.gadget.output] // 2, 2)
        return shares.sum(axis=1) % np.uint64(modulus) if modulus else shares[:, 0] ^ shares[:, 1]

    def wrong(self, secrets: Secrets, inputs: Mapping[str, NDArray[np.uint32]]) -> int:
        """Results that are not the model's, of words cycle by cycle."""
        latency, modulus = self.gadget.latency, self.gadget.modulus
        got = self.results(self.play(inputs, [self.gadget.output])[self.gadget.output])[latency:]
        want = self.gadget.model(secrets)[: len(got)]
        return int((got != (want % np.uint64(modulus) if modulus else want)).sum())

    # ---- toggles ----------------------------------------------------------------------------------------------------
    def toggles(self, inputs: Mapping[str, NDArray[np.uint32]]) -> NDArray[np.uint32]:
        """For each cycle how many bits toggle in each channel: registers of one name, those of all bits of a word."""
        given = np.ascontiguousarray(np.concatenate(list(inputs.values()), axis=1))
        names = [re.sub(r"\d+", "", name) for name, _ in self.registers]
        kinds = sorted(set(names))
        counts = np.zeros((len(given), len(kinds)), np.uint32)
        ports = (ctypes.c_uint32 * len(inputs))(*(self._port[name] for name in inputs))
        channels = (ctypes.c_uint32 * len(names))(*map(kinds.index, names))
        place, found = ctypes.c_void_p(given.ctypes.data), ctypes.c_void_p(counts.ctypes.data)
        size = ctypes.c_uint64(len(given))
        self._lib.rs_sim_toggles(
            self._sim, size, len(inputs), ports, place, given.shape[1], channels, len(kinds), found
        )
        self._check()
        return counts

    def largest_t(self, traces: int, off: bool = False) -> float:
        """Of all channels, of their sum, and of all cycles. In each trace one word, the largest or random, comes
        among shared zeros."""
        cycles = self.gadget.latency + 4
        fixed = {name: limit - 1 for name, limit in self.limits().items()}
        sums: Sums | None = None
        for start in range(0, traces, BATCH):
            count = min(BATCH, traces - start)
            random = self.rng.integers(0, 2, count).astype(bool)
            words = {name: np.zeros((count, cycles), np.uint64) for name in fixed}
            for name, values in self.secrets(count).items():
                words[name][:, 0] = np.where(random, values, fixed[name])
            inputs = self.shared({name: word.reshape(-1) for name, word in words.items()}, off)
            for name in self.gadget.ports.schedule:  # a word for itself
                inputs[name] = np.tile(np.eye(1, cycles, dtype=np.uint32), count).reshape(-1, 1)
            counts = self.toggles(inputs).reshape(count, cycles, -1).astype(float)
            counts = np.concatenate([counts, counts.sum(axis=2, keepdims=True)], axis=2)
            sums = sums or Sums(counts.shape[1:])
            sums.add(FIXED, counts[~random])
            sums.add(RANDOM, counts[random])
        assert sums
        return float(np.abs(sums.t()).max())
