# SPDX-License-Identifier: Apache-2.0
"""Options that several methods of an ExactContext share (objects/ckks/options.py says how)."""

from __future__ import annotations

from typing import Annotated, TypedDict

from ...native import encoding

SLOTS, COEFFICIENTS = "slots", "coefficients"
PACKINGS = {SLOTS: encoding.SLOTS, COEFFICIENTS: encoding.COEFFICIENTS}


class Packing(TypedDict, total=False):
    """Where values are: "slots" or "coefficients"."""

    packing: Annotated[str, SLOTS]


class EncryptIntegers(Packing, total=False):
    """How to encrypt: see ExactContext.encrypt."""

    wrap: Annotated[bool, False]
    level: Annotated[int | None, None]
    special_prime: Annotated[bool, True]
    seeded: Annotated[bool | None, None]
    seed_type: Annotated[str, "shake256"]
    form: Annotated[str | None, None]
    insecure_deterministic_seed: Annotated[bytes | None, None]
    insecure_deterministic_index: Annotated[int, 0]


class DecryptIntegers(Packing, total=False):
    """How to decrypt: see ExactContext.decrypt_values."""

    unsigned: Annotated[bool, False]
    margin_bits: Annotated[int | None, None]
    limbs: Annotated[int | None, None]
