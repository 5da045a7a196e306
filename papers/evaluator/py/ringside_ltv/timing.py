# SPDX-License-Identifier: Apache-2.0
"""Times on one core: single operations, and AES with every slot compared."""

import os
import resource
import time

import numpy as np

from ringside.errors import InternalError
from ringside.progress import Progress

from . import client, server
from .demonstration import CIPHER, KEY, PLAIN, make_all_keys
from .scheme import LtvParameters, RoundRecord, Scheme, Words

# figures and their units; the library's times are in seconds
OPERATIONS = {
    "transform": ("FORWARD", 1e6, 60),
    "reduction": ("REDUCE", 1e3, 60),
    "product": ("PRODUCT", 1e3, 6),
    "windows": ("DIGITS", 1e3, 6),
    "switching": ("SWITCH", 1e3, 12),
    "relinearisation": ("RELINEARISE", 1e3, 3),
}
UNITS = {"transform": "us", "aes": "s", "memory": "GB", "load": "processes", "aes_load": "processes", "right": "blocks"}
UNITS |= dict.fromkeys(("relinearisations", "products", "switches"), "operations")
UNITS |= dict.fromkeys(("reduction", "product", "windows", "switching", "relinearisation", "aes_block"), "ms")
SEED = bytes(32)


def measure(
    parameters: LtvParameters, backend: str, threads: int, progress: Progress, *, with_aes: bool
) -> dict[str, float]:
    """Single operations are timed on one thread."""
    load = os.getloadavg()[0]
    with Scheme(parameters, backend=backend, threads=1) as scheme:
        make_all_keys(scheme, SEED)
        found = {name: unit * scheme.seconds_of(what, times) for name, (what, unit, times) in OPERATIONS.items()}
    found["reduction"] *= parameters.primes  # the time of all primes, as the paper has it
    if with_aes:
        with Scheme(parameters, backend=backend, threads=threads) as scheme:
            make_all_keys(scheme, SEED)
            found |= _aes(scheme, progress)
    return found | {"load": load}


def _aes(scheme: Scheme, progress: Progress) -> dict[str, float]:
    """FIPS-197, appendix C.1, in every slot. Time of the processor without the client's encryptions."""
    load = os.getloadavg()[0]
    sent = client.prepare(scheme.info.slots, KEY, None, PLAIN)
    spent = 0.0
    before = time.process_time()

    def round_key(number: int) -> Words:
        nonlocal spent
        start = time.process_time()
        key = scheme.encrypt_round_key(SEED, number, KEY)
        spent += time.process_time() - start
        return key

    records: list[RoundRecord] = []

    def first() -> tuple[int, Words]:
        return server.begin(scheme, round_key, sent.blocks)

    ended = server.evaluate(scheme, first, round_key, progress=progress, done=lambda record, _: records.append(record))
    took = time.process_time() - before - spent
    blocks, _ = scheme.decrypt_state(ended.state)
    right = int(np.all(blocks == np.frombuffer(CIPHER, np.uint8), axis=1).sum())
    if right != scheme.info.slots:
        raise InternalError("INTERNAL", f"only {right} of {scheme.info.slots} blocks are right.")
    return {
        "aes": took,
        "aes_block": 1e3 * took / scheme.info.slots,
        "relinearisations": sum(record.relinearisations for record in records),
        "products": 160 * scheme.products_of_box,
        "switches": sum(record.switches for record in records),
        "right": right,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9,
        "aes_load": load,
    }
