# SPDX-License-Identifier: Apache-2.0
"""The gadgets in one table: what their ports are, what they compute, and when. Simulation, t-test and probing
check take it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tree_scripts import script

Words = NDArray[np.uint64]
Secrets = Mapping[str, Words]
Ports = script("masking.probing").Ports
KYBER, DILITHIUM, CORE = 3329, 8380417, 2560001  # the last one is the core's for ML-KEM


@dataclass(frozen=True)
class Gadget:
    """model: of the secrets, as whole numbers; modulus: of an additive result, 0: Boolean; latency: of it. public:
    values of public inputs."""

    top: str
    ports: Any
    output: str
    latency: int
    model: Callable[[Secrets], Words]
    parameters: Mapping[str, int] = field(default_factory=dict)
    modulus: int = 0
    public: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join(
            [self.top.removeprefix("rs_"), *map(str, self.parameters.values()), *map(str, self.public.values())]
        )


def bits_of(q: int) -> int:
    return (q - 1).bit_length()


def dom_and(width: int) -> Gadget:
    ports = Ports({"a_i": 0, "b_i": 0})
    return Gadget("rs_dom_and", ports, "c_o", 1, lambda s: s["a_i"] & s["b_i"], {"Width": width})


def add(width: int) -> Gadget:
    ports, mask = Ports({"a_i": 0, "b_i": 0}), np.uint64(2**width - 1)
    return Gadget("rs_masked_add", ports, "sum_o", width + 1, lambda s: s["a_i"] + s["b_i"] & mask, {"Width": width})


def a2b(q: int) -> Gadget:
    return Gadget("rs_masked_a2b", Ports(additive={"x_i": q}), "y_o", 2 * bits_of(q) + 4, lambda s: s["x_i"], {"Q": q})


def b2a(q: int, lemma: bool = False) -> Gadget:
    """lemma: y - r modulo Q is uniform, whatever y is."""
    ports = Ports({"y_i": q}, residues={"residue_i": q}, lemma=("x_o", "joined_q") if lemma else ())
    return Gadget("rs_masked_b2a", ports, "x_o", 2 * bits_of(q) + 5, lambda s: s["y_i"], {"Q": q}, q)


def compressed(x: Words, bits: int) -> Words:
    """Round half up, as FIPS 203."""
    return ((x << np.uint64(bits + 1)) + np.uint64(KYBER)) // np.uint64(2 * KYBER) & np.uint64(2**bits - 1)


def compress(bits: int) -> Gadget:
    ports = Ports(additive={"x_i": KYBER})
    return Gadget("rs_masked_compress", ports, "y_o", bits + 16, lambda s: compressed(s["x_i"], bits), {"Bits": bits})


def b2a_bit(q: int, negate: int = 0) -> Gadget:
    def model(s: Secrets) -> Words:
        return np.uint64(q) - s["bit_i"] if negate else s["bit_i"]

    ports = Ports({"bit_i": 0}, fresh=(), residues={"residue_i": q})
    return Gadget("rs_b2a_bit", ports, "x_o", 2, model, {"Q": q}, q, {"negate_i": negate})


def cbd(q: int, eta: int = 2) -> Gadget:
    def model(s: Secrets) -> Words:
        bits = [s["bits_i"] >> np.uint64(k) & np.uint64(1) for k in range(2 * eta)]
        return np.asarray(np.uint64(q) + sum(bits[:eta]) - sum(bits[eta:]), np.uint64)

    ports = Ports({"bits_i": 0}, fresh=(), residues={"residue_i": q})
    return Gadget("rs_masked_cbd", ports, "x_o", 4, model, {"Q": q, "Eta": eta}, q)


def differs(width: int, cleared: int = 0) -> Gadget:
    """cleared: cycles since the last clear_i, for the check; in simulation each word is cleared for itself."""
    ports = Ports({"bits_i": 0}, schedule={"clear_i": lambda age: age >= cleared})
    latency = bits_of(width) + 3  # for what came with clear_i: two cycles before all counts
    return Gadget(
        "rs_masked_differs",
        ports,
        "differs_o",
        latency,
        lambda s: (s["bits_i"] != 0).astype(np.uint64),
        {"Width": width},
    )
