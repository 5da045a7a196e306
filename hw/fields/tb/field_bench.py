# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of fields: streams of hashlib as beats, polynomials of the standards in plain Python, a run of a sampler.

Inputs change at falling edges; a cycle is what lies between two of them. Coroutines import this file when they run.
"""

import hashlib
import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge

RATES = {"shake_128": 168, "shake_256": 136}


def bits_of(data, width):
    """Fields of `width` bits, the lowest bits first (FIPS 203, algorithm 6): eight of them are `width` bytes."""
    found = []
    for at in range(0, len(data), width):
        eight = data[at : at + width]
        word = int.from_bytes(eight, "little")
        found += [word >> bit & (1 << width) - 1 for bit in range(0, 8 * len(eight) - width + 1, width)]
    return found


def needed(loop, data, count):
    """How many bytes of the stream give so many coefficients."""
    low, high = 0, len(data)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if len(loop(data[:middle])) >= count else (middle + 1, high)
    return low


def beats_of(data, rate, lanes):
    """(beat, half) of each block: the last one of a block has an odd lane."""
    for at in range(0, len(data), rate):
        block = data[at : at + rate]
        for first in range(0, rate, 8 * lanes):
            piece = block[first : first + 8 * lanes]
            yield int.from_bytes(piece, "little"), int(len(piece) < 8 * lanes)


def stream(name, seed, blocks):
    return getattr(hashlib, name)(seed).digest(blocks * RATES[name])


async def sample(dut, kind, coefs, data, rate, lanes, field, bits, offer):
    """Coefficients of the rows, cycles from start_i to done_o, and per cycle what happened at both ends."""
    dut.kind_i.value = kind
    dut.coefs_i.value = coefs
    await bench.pulse(dut, "start_i")
    port, wide = getattr(dut, field), getattr(dut, field.replace("_i", "_o"))
    beats, got, trace, offered = list(beats_of(data, rate, lanes)), [], [], False
    width = len(wide) // (len(wide) // bits)
    while not int(dut.done_o.value):
        offered = bool(beats) and (offered or offer())
        dut.valid_i.value = int(offered)
        value, half = beats[0] if offered else (random.getrandbits(64 * lanes), random.getrandbits(1))
        port.value, dut.half_i.value = value, half
        if int(dut.valid_o.value):
            got += [int(wide.value) >> at & (1 << width) - 1 for at in range(0, len(wide), width)]
        await bench.settle()
        taken = offered and int(dut.ready_o.value)
        trace.append((int(dut.valid_o.value), int(dut.ready_o.value)))
        assert len(trace) < 20_000
        if taken:
            beats.pop(0)
            offered = False
        await FallingEdge(dut.clk_i)
    dut.valid_i.value = 0
    assert not int(dut.valid_o.value)
    return got, len(trace) + 1, trace
