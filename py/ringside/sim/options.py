# SPDX-License-Identifier: Apache-2.0
"""Which simulation is wanted: `rise-4`, `rise-4,latency=100,checked`, `mine.toml`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from .. import designs
from ..designs import Design
from ..errors import DeviceError, ParameterError

# option -> (smallest, largest); the numbers of sim.core.Memory
NUMBERS = {
    "latency": (1, 1_000_000),
    "bandwidth": (0, 1024),
    "overhead": (0, 1024),
    "outstanding": (1, 4096),
    "stall": (0, 255),
    "memory": (1, 4096),
}
DECIMALS = {"bandwidth": 3}
CHIP_NUMBERS = {"latency": NUMBERS["latency"], "stall": NUMBERS["stall"], "limit": (1, 1 << 40)}
CHECKED = "checked"


@dataclass(frozen=True)
class Simulated:
    """A simulation of a design. latency, bandwidth, overhead, outstanding, stall: of its memory, where not the default; memory: MiB.

    checked: with the RTL's assertions, slower.
    """

    design: Design
    numbers: dict[str, float] = field(default_factory=dict)
    checked: bool = False


ALONE = "none"  # in place of a design: a SoC without a core
CHIP_LATENCY_CYCLES = 20  # the latency of its RAM, if nothing is said


@dataclass(frozen=True)
class Chip:
    """A simulation of a SoC. design None: the processor alone. latency, stall: of its memory, where not the default. limit: of cycles, where not
    what such a job takes, with a margin."""

    design: Design | None
    numbers: dict[str, int] = field(default_factory=dict)


def _design(name: str) -> Design:
    try:
        return designs.load(name)
    except ParameterError as error:
        raise DeviceError("DEVICE", error.message, error.hint) from error


def _numbers(
    options: list[str],
    known: Mapping[str, tuple[int, int]],
    flags: Collection[str],
    decimals: Mapping[str, int] = MappingProxyType({}),
) -> dict[str, Any]:
    """Numbers of the options, without the flags. known: with smallest and largest; decimals: of those that are not whole. DeviceError: unknown, or out
    of range."""
    numbers: dict[str, Any] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if key in known and equals:
            low, high = known[key]
            whole, _, rest = value.partition(".")
            given = decimals.get(key, 0)
            is_number = whole.isdecimal() and (rest.isdecimal() and len(rest) <= given if "." in value else True)
            if not is_number or not low <= float(value) <= high:
                with_decimals = f", with {given} decimals at most" if given else ""
                raise DeviceError("DEVICE", f"{key} must be {low} to {high}{with_decimals}, got {value!r}.")
            numbers[key] = float(value) if rest else int(value)
        elif option not in flags:
            names = ", ".join([*(f"{key}=…" for key in known), *flags])
            raise DeviceError("DEVICE", f"A simulated device has no option {option!r}.", f"Options: {names}.")
    return numbers


def parse_simulated(text: str) -> Simulated:
    """A design's name or file, with options after commas. DeviceError: an option that is unknown or out of range."""
    name, *options = text.split(",")
    return Simulated(_design(name), _numbers(options, NUMBERS, [CHECKED], DECIMALS), CHECKED in options)


def parse_chip(text: str) -> Chip:
    """A design's name or file, or none, with options after commas. DeviceError: as parse_simulated."""
    name, *options = text.split(",")
    return Chip(None if name == ALONE else _design(name), _numbers(options, CHIP_NUMBERS, []))
