# SPDX-License-Identifier: Apache-2.0
"""rs_pack_unit inside: after an instruction, whole or cleared, no register holds anything of its data; wipe_i empties the memory in it."""

import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block

SHAPE = {"W": 32, "BusBits": 128, "Words": 2, "V": 4, "LogNMax": 8, "LogSizeMax": 8}
test_pack_wipe = Block("rs_pack_unit", **SHAPE).runs(__file__, inside=True)
LOADF, STOREF, NORM = 38, 39, 40
TWELVE, THIRTEEN = 7, 8  # bits of a field, by their place in isa.toml


def found(handle, wanted):
    """All signals below a module whose names satisfy `wanted`."""
    for part in handle:
        if wanted(part._name):
            yield part
        elif type(part).__name__ in ("HierarchyObject", "HierarchyArrayObject"):
            yield from found(part, wanted)


def is_zero(value):
    try:
        return int(value) == 0
    except TypeError:  # the value of an array
        return all(map(is_zero, value))


class Port:
    """A memory of noise that takes and answers at once."""

    def __init__(self, dut):
        self.dut, self.beats, self.answers = dut, [], 0

    def drive(self):
        last = self.beats[0] if self.beats else 0
        self.dut.read_i.value = 1 << 8 | int(bool(self.beats)) << 7 | last
        self.dut.rdata_i.value = random.getrandbits(128)
        self.dut.write_i.value = 1 << 8 | 1 << 7 | int(self.answers > 0) << 6
        self.dut.get_ready_i.value = 1
        self.dut.get_data_sec_i.value = random.getrandbits(128) & int("003fffff" * 4, 16)

    def sample(self):
        read, write = int(self.dut.read_o.value), int(self.dut.write_o.value)
        if self.beats and read & 1:
            self.beats.pop(0)
        if self.answers and write & 1:
            self.answers -= 1
        if read >> 77:
            self.beats += [0] * (read >> 1 & 0xFF) + [1]
        if write >> 1 & 3 == 3:
            self.answers += 1


async def instruction(dut, port, op, cut=None, **fields):
    """Until it is done; clear_i in cycle `cut`."""
    places = {"dst": 8, "a": 12, "kind": 24, "secret": 26, "log_size": 28, "power": 51}
    dut.instr_i.value = op + sum(value << places[name] for name, value in fields.items())
    dut.start_i.value = 1
    for cycle in range(3000):
        dut.clear_i.value = int(cycle == cut)
        port.drive()
        await bench.settle()
        done = int(dut.done_o.value)
        port.sample()
        await FallingEdge(dut.clk_i)
        dut.start_i.value = 0
        if done:
            break
    else:
        raise AssertionError("never done")
    for _ in range(2):
        port.drive()
        await FallingEdge(dut.clk_i)


@bench.test
async def nothing_stays(dut):
    dut.q_i.value = 8380417
    registers = list(found(dut, lambda name: name.endswith("_sec_q")))
    assert len(registers) > 20, [register._name for register in registers]
    memories = [dut.u_turn.gen_half[h].gen_bank[b].u_bank.mem_q for h in range(2) for b in range(2)]
    port = Port(dut)
    cases = [
        (LOADF, {"a": THIRTEEN, "kind": 1, "secret": 1, "power": 12}),
        (LOADF, {"a": TWELVE}),
        (STOREF, {"dst": TWELVE}),
        (STOREF, {"dst": 5, "kind": 2}),
        (NORM, {"kind": 0, "power": 17}),
        (NORM, {"kind": 1}),
    ]
    for op, fields in cases:
        for cut in (None, 30, 75, 150, 170, 190):
            await instruction(dut, port, op, cut, log_size=7, **fields)
            dirty = [register._path for register in registers if not is_zero(register.value)]
            assert not dirty, (op, fields, cut, dirty)
    assert any(int(memory[row].value) for memory in memories for row in range(64))
    dut.wipe_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.wipe_i.value = 0
    cycles = 0
    while int(dut.wiping_o.value):
        cycles += 1
        await FallingEdge(dut.clk_i)
    assert cycles == 128
    assert not any(int(memory[row].value) for memory in memories for row in range(128))
    await instruction(dut, port, STOREF, None, dst=TWELVE, log_size=7)
