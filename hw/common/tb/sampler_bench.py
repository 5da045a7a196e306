# SPDX-License-Identifier: Apache-2.0
"""Shared by the testbenches of the samplers: the library as the model, reset, and sources and sinks of streams.

Inputs change at falling edges; a cycle is what lies between two of them. Coroutines import this file when they run.
"""

import functools
import random
import re

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from rs_cocotb import settings
from rs_orders import by_position

from ringside.native._cdef import ffi
from ringside.native.library import lib

BLOCK = 136


# ---- model ----------------------------------------------------------------------------------------------------------
def _seed(seed):
    return ffi.new("rs_seed_t *", {"bytes": seed})


def private_stream(size, seed, domain, offset=0):
    out = ffi.new("uint8_t[]", size)
    lib.rs_private_stream(out, size, _seed(seed), domain, offset)
    return bytes(out)


def cbd21(n, seed, domain):
    """The values in the order of the stream."""
    out = ffi.new("int8_t[]", n)
    lib.rs_sample_cbd21(out, n, _seed(seed), domain)
    return by_position(list(out))


def ternary(n, seed, domain):
    """The values in the order of the stream."""
    out = ffi.new("int8_t[]", n)
    lib.rs_sample_ternary(out, n, _seed(seed), domain)
    return by_position(list(out))


def signed_fields(word, count, bits):
    """The `count` signed numbers of `bits` bits side by side in a word, lowest first."""
    half, mask = 1 << (bits - 1), (1 << bits) - 1
    return [((word >> bits * i & mask) ^ half) - half for i in range(count)]


def fields(values, bits):
    """The inverse, of numbers of either sign."""
    return sum((value & (1 << bits) - 1) << bits * i for i, value in enumerate(values))


# ---- cycles ---------------------------------------------------------------------------------------------------------
async def reset(dut):
    """All inputs 0, then out of reset. Returns the parameters of the case."""
    Clock(dut.clk_i, 10, unit="ns").start()
    for port in dut:
        if re.search("_n?i$", port._name) and port._name != "clk_i":
            port.value = 0
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await FallingEdge(dut.clk_i)
    return settings()["parameters"]


def test(coroutine):
    """cocotb.test of a block out of reset."""

    @cocotb.test()
    @functools.wraps(coroutine)
    async def after_reset(dut):
        await reset(dut)
        await coroutine(dut)

    return after_reset


async def settle():
    """Until outputs that depend on this cycle's inputs are there."""
    await Timer(1, "ns")


async def pulse(dut, name):
    getattr(dut, name).value = 1
    await FallingEdge(dut.clk_i)
    getattr(dut, name).value = 0


def always():
    return True


def sometimes(chance, seed):
    """The same sequence of booleans for the same seed."""
    dice = random.Random(seed)
    return lambda: dice.random() < chance


class Sink:
    """Takes beats when `ready` says so, and checks that waiting beats do not change. None: the stream cannot be delayed."""

    def __init__(self, dut, data, ready=always):
        self.dut, self.ready = dut, ready
        self.outputs = [getattr(dut, name) for name in (data if isinstance(data, tuple) else (data,))]
        self.waiting = None
        self.beats = []

    def cycle(self):
        """Once per cycle, before settle(); true if a beat is taken."""
        ready = self.ready is None or self.ready()
        if self.ready is not None:
            self.dut.ready_i.value = int(ready)
        if not int(self.dut.valid_o.value):
            assert self.waiting is None, "a beat was withdrawn"
            return False
        beat = tuple(int(output.value) for output in self.outputs)
        assert self.waiting in (None, beat), "a waiting beat changed"
        self.waiting = None if ready else beat
        if ready:
            self.beats.append(beat if len(beat) > 1 else beat[0])
        return ready


class Source:
    """Offers beats, kept up until they are taken; noise on the data otherwise."""

    def __init__(self, dut, data, beats, offer=always):
        self.dut, self.data, self.beats, self.offer = dut, getattr(dut, data), list(beats), offer
        self.next = 0
        self.offered = False

    def cycle(self):
        """Once per cycle, before settle()."""
        self.offered = self.offered or (self.next < len(self.beats) and self.offer())
        self.dut.valid_i.value = int(self.offered)
        self.data.value = self.beats[self.next] if self.offered else random.getrandbits(len(self.data))

    def settled(self):
        """Once per cycle, after settle(); true if a beat is taken."""
        taken = self.offered and bool(int(self.dut.ready_o.value))
        if taken:
            self.next += 1
            self.offered = False
        return taken
