# SPDX-License-Identifier: Apache-2.0
"""rs_slots: both ports at once, compared with lists; the wipe."""

import random

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from rs_block import Block
from rs_cocotb import settings

BLOCK = Block("rs_slots", "LogNMax Slots ChunkWords")
SHAPES = [(6, 3, 4), (4, 1, 1)]
test_slots = BLOCK.runs(__file__, SHAPES, ["same_rows", "wiped"])
test_slots_lint = BLOCK.lints([{}, *SHAPES])
test_slots_illegal = BLOCK.refuses(
    "Slots must be", {"Slots": 0}, "ChunkWords must be", {"ChunkWords": 6}, {"ChunkWords": 1 << 13}
)
INPUTS = ("wipe_i", "wipe_row_i", "sample_we_i", "sample_row_i", "sample_data_sec_i")
LIFT = ("lift_req_i", "lift_we_i", "lift_slot_i", "lift_row_i", "lift_wdata_sec_i")


def test_slots_collision():
    with pytest.raises(AssertionError):
        BLOCK.run(SHAPES[0], __file__, "collision")


async def prepare(dut):
    """Its clock; slots, rows, bits of a row."""
    from cocotb.clock import Clock

    Clock(dut.clk_i, 10, unit="ns").start()
    for name in (*INPUTS, *LIFT):
        getattr(dut, name).value = 0
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    values = settings()["parameters"]
    return values["Slots"], (1 << values["LogNMax"]) // values["ChunkWords"], 6 * values["ChunkWords"]


async def sweep(dut, rows):
    dut.wipe_i.value = 1
    for row in range(rows):
        dut.wipe_row_i.value = row
        await FallingEdge(dut.clk_i)
    dut.wipe_i.value = 0
    await FallingEdge(dut.clk_i)


@cocotb.test()
async def same_rows(dut):
    slots, rows, bits = await prepare(dut)
    await sweep(dut, rows)
    model = [[0] * rows for _ in range(slots)]
    expected = None
    for _ in range(2000):
        sampled, lifted = random.randrange(slots), random.randrange(slots)
        sample, lift, write = (random.getrandbits(1) for _ in range(3))
        lift = lift and not (sample and sampled == lifted)
        row, other_row = random.randrange(rows), random.randrange(rows)
        data, other = random.getrandbits(bits), random.getrandbits(bits)
        dut.sample_we_i.value = sample << sampled
        dut.sample_row_i.value = row
        dut.sample_data_sec_i.value = data
        dut.lift_req_i.value = lift
        dut.lift_we_i.value = write
        dut.lift_slot_i.value = lifted
        dut.lift_row_i.value = other_row
        dut.lift_wdata_sec_i.value = other
        if expected is not None:
            assert int(dut.lift_rdata_sec_o.value) == expected
        expected = model[lifted][other_row] if lift and not write else None
        if sample:
            model[sampled][row] = data
        if lift and write:
            model[lifted][other_row] = other
        await FallingEdge(dut.clk_i)
    assert any(map(any, model))


@cocotb.test()
async def wiped(dut):
    """Every row is wiped, and so is the memory's output register."""
    slots, rows, bits = await prepare(dut)
    pattern = 0b100110 * (((1 << bits) - 1) // 63)
    dut.sample_data_sec_i.value = dut.lift_wdata_sec_i.value = pattern
    for slot in range(slots):
        dut.sample_we_i.value = 1 << slot
        for row in range(rows):
            dut.sample_row_i.value = row
            await FallingEdge(dut.clk_i)
    dut.sample_we_i.value = 0
    dut.lift_slot_i.value = slots - 1
    dut.lift_row_i.value = rows - 1
    dut.lift_req_i.value = 1
    await FallingEdge(dut.clk_i)
    assert int(dut.lift_rdata_sec_o.value) == pattern
    dut.lift_req_i.value = 0
    dut.sample_we_i.value = 1
    await sweep(dut, rows)
    dut.sample_we_i.value = 0
    assert int(dut.lift_rdata_sec_o.value) == 0
    dut.lift_req_i.value = 1
    for slot in range(slots):
        dut.lift_slot_i.value = slot
        for row in range(rows):
            dut.lift_row_i.value = row
            await FallingEdge(dut.clk_i)
            assert int(dut.lift_rdata_sec_o.value) == 0


@cocotb.test()
async def collision(dut):
    """Has to stop at the assertion."""
    await prepare(dut)
    dut.sample_we_i.value = 2
    dut.lift_slot_i.value = 1
    dut.lift_req_i.value = 1
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
