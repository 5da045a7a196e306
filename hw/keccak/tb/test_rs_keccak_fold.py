# SPDX-License-Identifier: Apache-2.0
"""rs_keccak_fold compared with rs_keccak_f1600: loads, chains, waiting, restarts, wiping; its latency."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from rs_block import Block
from rs_cocotb import settings

BLOCK = Block("rs_keccak_fold", "Slices")
test_fold = BLOCK.runs(__file__, [8, 16, 32])
test_fold_lint = BLOCK.lints([8, 16, 32])
test_fold_illegal = BLOCK.refuses("Slices must be 8, 16 or 32", 4, 12, 64)


def model(lanes):
    from ringside.native._cdef import ffi
    from ringside.native.library import lib

    words = ffi.new("uint64_t[25]", lanes)
    lib.rs_keccak_f1600(words)
    return list(words)


class Core:
    """Inputs change and outputs are read at falling edges: a cycle is what lies between two of them."""

    def __init__(self, dut):
        self.dut = dut
        self.slices = settings()["parameters"]["Slices"]
        self.steps = 64 // self.slices
        self.lanes = [0] * 25

    def row(self, step):
        """That row of the state that is loaded."""
        mask = (1 << self.slices) - 1
        return sum((lane >> self.slices * step & mask) << self.slices * i for i, lane in enumerate(self.lanes))

    async def cycle(self, **inputs):
        """One cycle with these pulses; the row that came, as (step, lanes)."""
        dut = self.dut
        for name in ("clear", "start", "load", "hold"):
            getattr(dut, f"{name}_i").value = inputs.get(name, 0)
        await Timer(1, "ns")
        step = int(dut.step_o.value)
        loading = int(dut.load_o.value)
        dut.row_i.value = (
            0 if int(dut.wipe_o.value) else self.row(step) if loading else random.getrandbits(25 * self.slices)
        )
        await Timer(1, "ns")
        found = None
        if int(dut.last_o.value):
            word, theta = int(dut.row_o.value), int(dut.theta_o.value)
            fields = [(word >> self.slices * i) ^ (theta >> self.slices * (i % 5)) for i in range(25)]
            found = step, [field & (1 << self.slices) - 1 for field in fields]
            plain = int(dut.plain_o.value)
            assert found[1] == [plain >> self.slices * i & (1 << self.slices) - 1 for i in range(25)]
        self.ready = int(dut.ready_o.value)
        await FallingEdge(dut.clk_i)
        return found

    async def reset(self):
        dut = self.dut
        Clock(dut.clk_i, 10, unit="ns").start()
        for port in (dut.rst_ni, dut.clear_i, dut.start_i, dut.load_i, dut.row_i, dut.hold_i):
            port.value = 0
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 1
        await self.idle()

    async def idle(self):
        """Until a start is taken; the wipe takes Steps cycles."""
        for cycle in range(self.steps + 1):
            await self.cycle()
            if self.ready:
                return cycle
        raise AssertionError("the wipe does not end")

    async def result(self, cycles, hold=lambda cycle: 0, **then):
        """The state after a permutation that has begun: its rows in the last cycles, the next start with the last one."""
        lanes = [0] * 25
        for cycle in range(cycles):
            last = cycle == cycles - 1
            found = await self.cycle(hold=hold(cycle), **(then if last else {}))
            assert self.ready == int(last)
            assert (found is not None) == (cycle >= cycles - self.steps), cycle
            if found:
                assert found[0] == cycle - (cycles - self.steps)
                for i, part in enumerate(found[1]):
                    lanes[i] |= part << self.slices * found[0]
        return lanes


@cocotb.test()
async def chains(dut):
    """Loads and squeezes back to back, each exactly on time."""
    core = Core(dut)
    await core.reset()
    length = 24 * core.steps
    loads = [1, 0, 0, 1, 1, 0, *random.choices([0, 1], k=6)]
    core.lanes = [random.getrandbits(64) for _ in range(25)]
    state = model(core.lanes)
    await core.cycle(start=1, load=1)
    for load, after in zip(loads, [*loads[1:], 0], strict=True):
        assert await core.result(length + load * core.steps, start=1, load=after) == state
        if after:
            core.lanes = [random.getrandbits(64) for _ in range(25)]
        state = model(core.lanes if after else state)
    assert await core.result(length) == state
    for _ in range(10):  # idle, and then on
        assert await core.cycle() is None
        assert core.ready
    await core.cycle(start=1)
    assert await core.result(length) == model(state)


@cocotb.test()
async def waits(dut):
    """hold_i delays the last round only before its first row."""
    core = Core(dut)
    await core.reset()
    length = 24 * core.steps
    core.lanes = [random.getrandbits(64) for _ in range(25)]
    await core.cycle(start=1, load=1)
    wait = 17
    begin = length  # the cycle of the load and 23 rounds
    expected = model(core.lanes)
    assert await core.result(length + core.steps + wait, lambda cycle: int(cycle < begin + wait)) == expected
    await core.cycle(start=1)
    # from the first row on it does not wait any more
    assert await core.result(length, lambda cycle: int(cycle > length - core.steps)) == model(expected)


@cocotb.test()
async def restarts(dut):
    """clear_i in any cycle leaves zeros; what was there before does not matter to the next load."""
    core = Core(dut)
    await core.reset()
    for _ in range(12):
        core.lanes = [random.getrandbits(64) for _ in range(25)]
        await core.cycle(start=1, load=1)
        for _ in range(random.randrange(25 * core.steps)):
            await core.cycle()
        await core.cycle(clear=1)
        assert not core.ready
        assert await core.idle() == core.steps
        if random.random() < 0.5:
            await core.cycle(start=1)
            assert await core.result(24 * core.steps) == model([0] * 25)
        else:
            core.lanes = [random.getrandbits(64) for _ in range(25)]
            await core.cycle(start=1, load=1)
            assert await core.result(25 * core.steps) == model(core.lanes)
