# SPDX-License-Identifier: Apache-2.0
"""The order of positions in memories: position k of an array holds its item brv(k), k with its bits reversed."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def reverse(value: int, bits: int) -> int:
    return int(f"{value:0{bits}b}"[::-1], 2) if bits else 0


def orders(count: int) -> list[int]:
    """brv of all below a power of two."""
    return [reverse(k, count.bit_length() - 1) for k in range(count)]


def by_position(items: Sequence[T]) -> list[T]:
    return [items[k] for k in orders(len(items))]
