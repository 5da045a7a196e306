# SPDX-License-Identifier: Apache-2.0
"""Where the arithmetic runs. Every device computes the same bits."""

from __future__ import annotations

from .errors import DeviceError

DEVICES = {"cpu:": "this machine's processor"}


def check_device(name: str) -> str:
    """The name, if there is such a device; DeviceError otherwise."""
    if name not in DEVICES:
        known = ", ".join(f"{device} ({what})" for device, what in DEVICES.items())
        raise DeviceError("DEVICE", f"There is no device {name!r}.", f"Available: {known}.")
    return name
