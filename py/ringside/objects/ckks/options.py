# SPDX-License-Identifier: Apache-2.0
"""Options that several methods of a Context share. Each one is annotated with its default, which `checked` fills in (ringside.arguments)."""

from __future__ import annotations

from typing import Annotated, TypedDict

import numpy as np
from numpy.typing import DTypeLike


class EncryptOptions(TypedDict, total=False):
    """How to encrypt: see Context.encrypt."""

    scale: Annotated[float | None, None]
    level: Annotated[int | None, None]
    special_prime: Annotated[bool, True]
    seeded: Annotated[bool | None, None]
    seed_type: Annotated[str, "shake256"]
    insecure_deterministic_seed: Annotated[bytes | None, None]
    insecure_deterministic_index: Annotated[int, 0]


class FixedFormat(TypedDict, total=False):
    """Meaning of numbers in fixed point: see Context.encode_fixed. word_bits: default the device's, 54 where there is none."""

    word_bits: Annotated[int | None, None]
    exponent: Annotated[int, 0]


class EncryptFixedOptions(EncryptOptions, FixedFormat, total=False):
    bound: Annotated[int | None, None]


class Limbs(TypedDict, total=False):
    """Which limbs to decrypt: see Context.decrypt."""

    limbs: Annotated[int | None, None]
    max_abs: Annotated[float | None, None]


class DecryptFixedOptions(FixedFormat, Limbs, total=False):
    bound: Annotated[int, 1]
    dtype: Annotated[DTypeLike, np.float64]


class Publish(TypedDict, total=False):
    """For values that others will see: see Context.decode."""

    publish_bits: Annotated[int | None, None]
    flood_bits: Annotated[int | None, None]


class DecryptOptions(Limbs, Publish, total=False):
    real: Annotated[bool | None, None]
