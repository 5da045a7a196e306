# SPDX-License-Identifier: Apache-2.0
"""`ringside selftest`."""

from __future__ import annotations

import time

import numpy as np

from .. import __version__
from ..native.selftest import selftest as run_known_answers
from ..objects.ckks.context import Context
from ..objects.ckks.precision import measured_precision
from ..objects.common.params import Parameters
from .common.options import JsonFlag
from .common.output import print_json


def _round_trip(name: str) -> float:
    """Precision in bits of encode, encrypt, write, read, decrypt, decode."""
    context = Context(Parameters.named(name))
    values = np.linspace(-1.0, 1.0, context.slots)
    with context.keygen() as secret:
        ciphertext = context.encrypt(values, secret)
        copy = type(ciphertext).from_bytes(context, ciphertext.to_bytes())
        return measured_precision(context.decrypt_values(copy, secret), values)


def selftest(json: JsonFlag = False) -> None:
    """Check this installation: known answers of every primitive, then a round trip.

    Example: ringside selftest
    """
    start = time.perf_counter()
    run_known_answers()
    name = "lee-12"
    bits = _round_trip(name)
    seconds = time.perf_counter() - start
    if json:
        print_json(
            {
                "passed": True,
                "version": __version__,
                "round_trip_set": name,
                "round_trip_precision_bits": bits,
                "seconds": seconds,
            }
        )
        return
    print(f"ringside {__version__}: known answers right, round trip at {name} {bits:.1f} bits")
