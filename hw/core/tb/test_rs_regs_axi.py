# SPDX-License-Identifier: Apache-2.0
"""Registers through AXI4-Lite: the access of every field, the effect of commands, and writes that must not disturb a running program."""

import random
import re

import pytest
from rs_channels import Bundled
from rs_cocotb import ROOT, whole

from ringside.sim.verilate import build

OKAY, SLVERR = 0, 2
BUILT = {
    "Lanes": 8, "W": 54, "LogNMin": 10, "LogNMax": 14, "Groups": 5, "Contexts": 3, "Slots": 4, "BusBits": 256,
    "HasExpand": 1, "OnTheFly": 1, "ProgramDepth": 320, "KeccakCores": 6,
}  # fmt: skip
HEADER = (ROOT / "lib" / "include" / "ringside" / "regs.h").read_text(encoding="utf-8")
REG = {name: int(value, 0) for name, value in re.findall(r"RS_REG_(\w+) =\s+(\w+),", HEADER)}
RING = {name for name in REG if name.startswith("RING_")}  # registers of rs_ring, which stands beside these
START, ABORT, ZEROIZE, CLEAR_IRQ, IRQ_ENABLE = 1, 2, 4, 8, 1 << 8
BUS_RESET = 16
BUSY, DONE, ZEROIZING, IRQ, ERROR, BUS_HUNG = 1, 2, 4, 8, 16, 32
PULSES = ("start_o", "abort_o", "zeroize_o", "bus_reset_o", "prog_we_o")
NON_SECURE = 2  # a bit of AWPROT


class Registers:
    """A bus master with random delays, and the signals on the other side of the registers."""

    def __init__(self, seed=1, **parameters):
        sources = whole("rs_regs_axi")
        self.slices = parameters.get("SeedSlices", 64)
        self.sim = Bundled(build("rs_regs_axi", sources, BUILT | parameters))
        self.random = random.Random(seed)
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.pulses = []  # (name, program address and word)

    def tick(self):
        for name in PULSES:
            if self.sim.get(name):
                word = (self.sim.get("prog_addr_o"), self.sim.get("prog_data_o")) if name == "prog_we_o" else None
                self.pulses.append((name, word))
        self.sim.step()

    def _wait(self, answer, values):
        """Waits for a channel's answer and takes it some time later. It must not change meanwhile."""
        seen = None
        for _ in range(50):
            ready = seen is not None and self.random.random() < 0.5
            self.sim.set(**{f"s_axil_{answer}ready": int(ready)})
            valid = self.sim.get(f"s_axil_{answer}valid")
            now = [self.sim.get(f"s_axil_{name}") for name in values]
            assert seen is None or (valid and now == seen)
            self.tick()
            if ready:
                self.sim.set(**{f"s_axil_{answer}ready": 0})
                return now
            if valid:
                seen = now
        raise AssertionError("no answer")

    def write(self, offset, value, strobe=15):
        delay = {"aw": self.random.randrange(3), "w": self.random.randrange(3)}
        self.sim.set(s_axil_awaddr=offset, s_axil_wdata=value, s_axil_wstrb=strobe)
        for cycle in range(20):
            valid = {channel: int(0 <= delay[channel] <= cycle) for channel in delay}
            self.sim.set(s_axil_awvalid=valid["aw"], s_axil_wvalid=valid["w"])
            taken = [channel for channel in delay if valid[channel] and self.sim.get(f"s_axil_{channel}ready")]
            self.tick()
            delay |= dict.fromkeys(taken, -1)
            if set(delay.values()) == {-1}:
                break
        self.sim.set(s_axil_awvalid=0, s_axil_wvalid=0)
        (response,) = self._wait("b", ["bresp"])
        return response

    def read(self, offset):
        self.sim.set(s_axil_araddr=offset, s_axil_arvalid=1)
        while not self.sim.get("s_axil_arready"):
            self.tick()
        self.tick()
        self.sim.set(s_axil_arvalid=0)
        data, response = self._wait("r", ["rdata", "rresp"])
        assert response == OKAY
        return data

    def status(self):
        return self.read(REG["STATUS"])

    def operand(self, name):
        """All that is written to the registers of an operand, as the core sees it."""
        if name == "WATCHDOG":
            return self.sim.get("watchdog_o")
        whole = 0
        if name == "POINTER":
            for i in range(8):
                self.sim.set(pointer_index_i=i)
                whole |= self.sim.get("pointer_o") << 64 * i
            return whole
        self.sim.set(seed_public_i=int(name == "PUBLIC_SEED"))
        for step in range(64 // self.slices):
            self.sim.set(seed_step_i=step)
            row = self.sim.get("public_row_o" if name == "PUBLIC_SEED" else "private_row_sec_o")
            for lane in range(8):
                part = row >> self.slices * lane & (1 << self.slices) - 1
                whole |= part << 64 * lane + self.slices * step
        return whole

    def held_registers(self):
        """Offset -> value of the registers that a program reads; a write sets some of their bits."""
        found = {REG["LOG_N"]: self.sim.get("log_n_o"), REG["WATCHDOG"]: self.sim.get("watchdog_o")}
        for name in ("POINTER", "PUBLIC_SEED"):
            whole = self.operand(name)
            found |= {REG[name] + 4 * i: whole >> 32 * i & 0xFFFFFFFF for i in range(16)}
        return found


def test_configuration_and_reset_values():
    bench = Registers()
    want = {
        "ID": 0x52535243, "VERSION": REG["VERSION_VALUE"], "LANES": 8, "WORD_BITS": 54, "REDUCTION": 1, "LOG_N_MIN": 10,
        "LOG_N_MAX": 14, "GROUPS": 5, "CONTEXTS": 3, "SLOTS": 4, "BUS_BITS": 256, "FEATURES": 7, "PROGRAM_DEPTH": 320,
        "KECCAK_CORES": 6, "BUSY_PIPE": 0, "CONTROL": 0, "STATUS": 0, "LOG_N": 0, "WATCHDOG": 1 << 28, "CYCLES": 0,
        "PROGRAM_INDEX": 0, "PROGRAM_LO": 0, "PROGRAM_HI": 0, "KEY_USE": 0, "FRAME": 0,
    }  # fmt: skip
    arrays = dict.fromkeys(("BUSY", "POINTER", "SEED", "PUBLIC_SEED"), 0)
    names = {name for name in REG if not re.search(r"_(SHIFT|BITS|COUNT|VALUE)$", name)} | {"WORD_BITS", "BUS_BITS"}
    assert set(want | arrays) == names - RING  # all of them
    for name, value in want.items():
        assert bench.read(REG[name]) == value
        if name not in ("CONTROL", "LOG_N", "WATCHDOG", "KEY_USE", "FRAME") and not name.startswith("PROGRAM_"):
            assert bench.write(REG[name], 0xFFFFFFFF) == OKAY  # read-only
            assert bench.read(REG[name]) == value
    for name in arrays:
        for i in range(REG[f"{name}_COUNT"]):
            assert bench.read(REG[name] + 4 * i) == 0
    assert not bench.pulses


def test_addresses_without_a_register_answer_an_error():
    bench = Registers()
    assert bench.write(REG["PROGRAM_DEPTH"] + 12, 1) == SLVERR
    assert bench.write(0x180, 1) == SLVERR
    assert bench.write(0xFFC, 1) == SLVERR
    with pytest.raises(AssertionError):
        bench.read(0x180)
    assert bench.read(REG["ID"]) == REG["ID_VALUE"]


def test_registers_that_hold_values():
    bench = Registers()
    values = {offset: bench.random.getrandbits(32) for offset in bench.held_registers()}
    for offset in range(REG["POINTER"], REG["POINTER"] + 64, 8):
        values[offset] &= ~63  # whether they are zero is all that is kept of the low six bits
    for offset, value in values.items():
        assert bench.write(offset, value) == OKAY
    values[REG["LOG_N"]] &= 31
    assert bench.held_registers() == values
    readable = (REG["LOG_N"], REG["WATCHDOG"])
    assert {offset: bench.read(offset) for offset in values} == {
        offset: value if offset in readable else 0 for offset, value in values.items()
    }
    bench.sim.set(busy_i=1)
    for offset in values:
        assert bench.write(offset, ~values[offset] & 0xFFFFFFFF) == OKAY
    bench.sim.set(busy_i=0)
    assert bench.held_registers() == values


BUSY_ONLY, ALWAYS = ("busy_i",), ("busy_i", "zeroizing_i", "bus_hung_i")


@pytest.mark.parametrize(
    ("name", "words", "holders"),
    [
        ("LOG_N", 1, BUSY_ONLY),
        ("WATCHDOG", 1, BUSY_ONLY),
        ("FRAME", 1, BUSY_ONLY),
        ("PROGRAM_HI", 1, BUSY_ONLY),
        ("POINTER", 32, BUSY_ONLY),
        ("SEED", 16, ALWAYS),
        ("PUBLIC_SEED", 16, ALWAYS),
        # these take it at any time
        ("PROGRAM_INDEX", 1, ()),
        ("PROGRAM_LO", 1, ()),
        ("KEY_USE", 1, ()),
        ("CONTROL", 1, ()),
    ],
)
def test_a_write_that_is_ignored_is_an_error(name, words, holders):
    """Each register that is held says so in STATUS.error, each word of it; a write of no byte ignores nothing, and one of some bytes answers SLVERR."""
    bench = Registers(HasEncode=1)
    value = IRQ_ENABLE if name == "CONTROL" else 0x40
    for port in ALWAYS:
        for word in range(words):
            offset = REG[name] + 4 * word
            bench.write(REG["CONTROL"], CLEAR_IRQ)
            assert bench.write(offset, value) == OKAY  # nothing holds it
            assert not bench.status() & ERROR
            bench.sim.set(**{port: 1})
            assert bench.write(offset, value, strobe=0) == OKAY
            if words > 1:
                assert bench.write(offset, value, strobe=3) == SLVERR
            assert not bench.status() & ERROR
            assert bench.write(offset, value) == OKAY
            assert bool(bench.status() & ERROR) == (port in holders)
            bench.sim.set(**{port: 0})
            bench.tick()


@pytest.mark.parametrize(("shape", "frames"), [({}, 1), ({"HasEncode": 1}, 8), ({"StreamLanes": 1}, 16)], ids=str)
def test_a_pointer_is_aligned_only_when_both_halves_have_been_written(shape, frames):
    """Since reset, not by what its memory holds; so no instruction uses it before (hw/sequencer/rtl/rs_issue.sv)."""
    bench = Registers(**shape)
    indices = [*range(16 if frames > 1 else 8), *(16 + frame for frame in range(1, frames))]

    def low(index):
        bench.sim.set(pointer_index_i=index)
        return bench.sim.get("pointer_o") & 63

    def write(index, half, value):
        assert bench.write(REG["FRAME"], max(index - 16, 0)) == OKAY
        assert bench.write(REG["POINTER"] + 8 * (7 if index > 16 else index) + 4 * half, value) == OKAY

    for index in [] if frames > 1 else range(8, 16):  # not built: it stays unset
        for half in range(2):
            assert bench.write(REG["POINTER"] + 8 * index + 4 * half, 64) == OKAY
        assert low(index) == 1
    for again in range(2):
        for step, index in enumerate(indices):
            first = (step + again) % 2
            assert [low(one) for one in indices] == step * [0] + (len(indices) - step) * [1]
            write(index, first, 64)
            assert low(index) == 1
            write(index, 1 - first, 128)
            assert low(index) == 0
        write(3, 0, 8)
        assert low(3) == 1
        write(3, 0, 0xFFFFFFC0)
        bench.write(REG["CONTROL"], ZEROIZE)
        assert [low(one) for one in indices] == len(indices) * [0]  # no secret
        bench.sim.set(rst_ni=0)
        bench.sim.step(2)
        bench.sim.set(rst_ni=1)


@pytest.mark.parametrize("name", ["WATCHDOG", "POINTER", "SEED", "PUBLIC_SEED"])
@pytest.mark.parametrize("strobe", [0b0110, 0b0001, 0b1000, 0])
def test_byte_strobes(name, strobe):
    bench = Registers(SeedSlices=16)
    mask = sum(255 << 8 * i for i in range(4) if strobe >> i & 1)
    if name != "WATCHDOG":
        bench.write(REG[name] + 4, 0)  # a pointer shows when it is whole
    refused = name != "WATCHDOG" and strobe != 0  # words of memories
    bench.write(REG[name], 0x11223340)
    assert bench.write(REG[name], 0xAABBCC80, strobe=strobe) == (SLVERR if refused else OKAY)
    mask = 0 if refused else mask
    assert bench.operand(name) & 0xFFFFFFFF == 0x11223340 & ~mask | 0xAABBCC80 & mask


def test_reads_and_writes_at_once_take_turns():
    bench = Registers()
    answers = []
    bench.sim.set(
        s_axil_awaddr=REG["POINTER"], s_axil_wstrb=15, s_axil_araddr=REG["ID"], s_axil_bready=1, s_axil_rready=1
    )
    bench.sim.set(s_axil_awvalid=1, s_axil_wvalid=1, s_axil_arvalid=1)
    for _ in range(60):
        answers += [channel for channel in "br" if bench.sim.get(f"s_axil_{channel}valid")]
        bench.tick()
    assert len(answers) == 20  # three cycles each
    assert answers == 10 * answers[:2]
    assert answers[0] != answers[1]


@pytest.mark.parametrize("shape", [{}, {"BothSeeds": 1}, *({"SeedSlices": slices} for slices in (8, 16, 32))], ids=str)
@pytest.mark.alike(3)
def test_seeds_are_not_read_and_are_wiped(shape):
    """As memories of any width, and as flip-flops."""
    bench = Registers(**shape)
    rows = 2 * 64 // bench.slices
    seed = [bench.random.getrandbits(32) | 1 for _ in range(16)]
    whole = sum(value << 32 * i for i, value in enumerate(seed))

    def write(values):
        for i, value in enumerate(values):
            assert bench.write(REG["SEED"] + 4 * i, value) == OKAY

    write(seed)
    assert bench.operand("SEED") == whole
    assert [bench.read(REG["SEED"] + 4 * i) for i in range(16)] == 16 * [0]
    bench.sim.set(busy_i=1)
    write(16 * [0x55555555])
    assert bench.operand("SEED") == whole
    bench.sim.set(busy_i=0)
    for i, value in enumerate(reversed(seed)):
        assert bench.write(REG["PUBLIC_SEED"] + 4 * i, value) == OKAY
    bench.sim.step(1)  # the last word is on its way; no register is written before it is there
    assert bench.operand("PUBLIC_SEED") == sum(value << 32 * i for i, value in enumerate(reversed(seed)))
    assert bench.operand("SEED") == whole
    bench.write(REG["CONTROL"], ZEROIZE)
    bench.sim.set(zeroizing_i=1)
    bench.sim.step(1 + rows)
    assert bench.operand("SEED") == 0
    assert bench.operand("PUBLIC_SEED") == 0
    write(seed)
    assert bench.operand("SEED") == 0
    bench.sim.set(zeroizing_i=0)
    write(seed)
    assert bench.operand("SEED") == whole


EIGHT, NONE, SIXTEEN = (1, 8), (0, 1), (1, 16)  # parameters of a core with encode, without both, with PIPE
FRAMED = [({}, [EIGHT, NONE]), ({"BothSeeds": 1}, [SIXTEEN]), ({"SeedSlices": 16}, [EIGHT])]
MORE_FRAMED = [({}, [SIXTEEN]), ({"BothSeeds": 1}, [EIGHT, NONE]), ({"SeedSlices": 16}, [NONE, SIXTEEN])]


@pytest.mark.parametrize(
    ("shape", "kinds"), [*FRAMED, *(pytest.param(*case, marks=pytest.mark.soak) for case in MORE_FRAMED)], ids=str
)
def test_frames_have_seeds_and_a_pointer_each(shape, kinds):
    """Without encode and PIPE, FRAME chooses nothing. A wipe takes all seeds."""
    for encode, frames in kinds:
        bench = Registers(HasEncode=encode, StreamLanes=frames // 16, **shape)
        seeds = {}
        for frame in (3, frames - 1, frames // 2, 0) if encode else (3,):
            assert bench.write(REG["FRAME"], frame) == OKAY
            seeds[frame] = [[bench.random.getrandbits(32) | 1 for _ in range(16)] for _ in range(2)]
            for i in range(16):
                for name, values in zip(("SEED", "PUBLIC_SEED"), seeds[frame], strict=True):
                    assert bench.write(REG[name] + 4 * i, values[i]) == OKAY
                if i > 1:
                    bench.write(REG["POINTER"] + 4 * i, (frame << 8 | i) << 6)
            assert bench.sim.get("new_frame_o") == encode * frame
        bench.sim.step(4)

        def seen(frame, bench=bench):
            bench.sim.set(private_frame_i=frame, public_frame_i=frame)
            return [bench.operand(name) for name in ("SEED", "PUBLIC_SEED")]

        for frame, values in seeds.items():
            assert seen(encode * frame) == [sum(value << 32 * i for i, value in enumerate(one)) for one in values]
            bench.sim.set(pointer_index_i=16 + frame if encode and frame else 7)
            assert bench.sim.get("pointer_o") == (frame << 8 | 15) << 38 | (frame << 8 | 14) << 6
        bench.sim.set(pointer_index_i=6)  # a pointer that all frames share
        assert (
            bench.sim.get("pointer_o") == ((0 if encode else 3) << 8 | 13) << 38 | ((0 if encode else 3) << 8 | 12) << 6
        )
        bench.write(REG["CONTROL"], ZEROIZE)
        bench.sim.set(zeroizing_i=1)
        bench.sim.step(1 + 2 * frames * 64 // bench.slices)
        assert all(seen(frame) == [0, 0] for frame in range(frames))


def test_a_bus_that_hangs_keeps_no_private_seed():
    bench = Registers()
    bench.write(REG["SEED"], 0x1234)
    bench.sim.set(bus_hung_i=1)
    bench.sim.step(3)
    assert bench.operand("SEED") == 0
    bench.write(REG["SEED"], 0x1234)
    assert bench.operand("SEED") == 0
    bench.sim.set(bus_hung_i=0)
    bench.write(REG["SEED"], 0x1234)
    assert bench.operand("SEED") == 0x1234


@pytest.mark.parametrize("checked", [0, 1])
def test_only_secure_writes(checked):
    """SecureWrites: what AWPROT calls non-secure does nothing. Anyone may read, but not what may be half of a key."""
    bench = Registers(SecureWrites=checked)
    bench.write(REG["PROGRAM_LO"], 0x1234)
    bench.write(REG["POINTER"] + 4, 0)
    for prot in range(8):
        bench.sim.set(s_axil_awprot=prot, s_axil_arprot=prot)
        refused = checked and prot & NON_SECURE
        before = bench.operand("POINTER") & 0xFFFFFFFF
        bench.pulses.clear()
        for register, value in (("POINTER", 64 * prot + 64), ("CONTROL", START), ("PROGRAM_HI", 0)):
            assert bench.write(REG[register], value) == (SLVERR if refused else OKAY)
        assert bench.operand("POINTER") & 0xFFFFFFFF == (before if refused else 64 * prot + 64)
        assert [name for name, _ in bench.pulses] == ([] if refused else ["start_o", "prog_we_o"])
        assert bench.read(REG["ID"]) == REG["ID_VALUE"]
        assert bench.read(REG["PROGRAM_LO"]) == (0 if refused else 0x1234)


LANE = 0x8000 + 16 + 3  # a lane of a key


def test_lanes_of_keys_are_not_read():
    """Neither while they come nor later: whatever index is written between the halves, and after a wipe."""
    bench = Registers(Sealed=1)

    def shown():
        return bench.read(REG["PROGRAM_LO"]), bench.read(REG["PROGRAM_HI"])

    bench.write(REG["PROGRAM_LO"], 1)
    bench.write(REG["PROGRAM_HI"], 2)
    assert shown() == (1, 2)
    bench.write(REG["PROGRAM_INDEX"], LANE)
    bench.write(REG["PROGRAM_LO"], 0x5EC)
    assert shown() == (0, 0)
    bench.write(REG["PROGRAM_HI"], 0x2E7)
    assert bench.pulses[-1] == ("prog_we_o", (LANE, 0x2E7_0000_05EC))
    assert shown() == (0, 0)
    assert bench.read(REG["PROGRAM_INDEX"]) == LANE + 1
    for index in (LANE, 0):  # the lane that was stored, and one of which half has come
        bench.write(REG["PROGRAM_INDEX"], 0)
        assert shown() == (0, 0)
        bench.write(REG["PROGRAM_INDEX"], index | LANE & 0x8000)
        bench.write(REG["PROGRAM_LO"], 0x5EC)
    bench.write(REG["CONTROL"], ZEROIZE)
    bench.write(REG["PROGRAM_HI"], 7)
    assert bench.pulses[-1] == ("prog_we_o", (0x8000, 7 << 32))


@pytest.mark.parametrize(("port", "refused"), [("busy_i", (1, 1)), ("zeroizing_i", (0, 1)), ("bus_hung_i", (0, 1))])
def test_a_vault_takes_no_program_while_it_is_wiped(port, refused):
    """It has a copy of the program. A core without one takes words then."""
    for sealed in range(2):
        bench = Registers(Sealed=sealed)
        bench.sim.set(**{port: 1})
        bench.tick()
        bench.write(REG["PROGRAM_HI"], 5)
        assert bool(bench.pulses) == (not refused[sealed])
        bench.sim.set(**{port: 0})
        assert bool(bench.status() & ERROR) == refused[sealed]
        assert bench.read(REG["PROGRAM_INDEX"]) == (not refused[sealed])


def test_program():
    bench = Registers()
    words = [bench.random.getrandbits(64) for _ in range(5)]
    bench.write(REG["PROGRAM_INDEX"], 300)
    for word in words:
        bench.write(REG["PROGRAM_LO"], word & 0xFFFFFFFF)
        bench.write(REG["PROGRAM_HI"], word >> 32)
    assert bench.pulses == [("prog_we_o", (300 + i, word)) for i, word in enumerate(words)]
    assert bench.read(REG["PROGRAM_INDEX"]) == 305
    assert not bench.status() & ERROR
    bench.sim.set(busy_i=1)
    bench.write(REG["PROGRAM_HI"], 0)
    assert len(bench.pulses) == 5
    assert bench.status() & ERROR
    assert bench.read(REG["PROGRAM_INDEX"]) == 305
    bench.write(REG["CONTROL"], CLEAR_IRQ)
    assert not bench.status() & ERROR


@pytest.mark.parametrize(
    ("bits", "pulses"),
    [
        (START, ["start_o"]),
        (ABORT, ["abort_o"]),
        (ZEROIZE, ["abort_o", "zeroize_o"]),
        (CLEAR_IRQ, []),
        (BUS_RESET, ["bus_reset_o"]),
        (IRQ_ENABLE, []),
        (START | ABORT, ["abort_o"]),
    ],
)
def test_commands_are_pulses_of_one_cycle(bits, pulses):
    bench = Registers()
    bench.write(REG["CONTROL"], bits)
    for _ in range(5):
        bench.tick()
    assert [name for name, _ in bench.pulses] == pulses
    assert bench.read(REG["CONTROL"]) == bits & IRQ_ENABLE


@pytest.mark.parametrize(("port", "shown"), [("busy_i", BUSY), ("zeroizing_i", ZEROIZING), ("bus_hung_i", BUS_HUNG)])
def test_start_that_cannot_be_is_an_error(port, shown):
    bench = Registers()
    bench.sim.set(**{port: 1})
    bench.write(REG["CONTROL"], START)
    assert not bench.pulses
    assert bench.status() == shown | ERROR
    bench.write(REG["CONTROL"], CLEAR_IRQ)
    bench.sim.set(**{port: 0})
    assert bench.status() == 0
    bench.write(REG["CONTROL"], START)
    assert [name for name, _ in bench.pulses] == ["start_o"]


def test_end_of_a_program():
    bench = Registers()
    bench.sim.set(busy_i=1, cycles_i=0x89ABCDEF, unit_cycles_i=sum((i + 7) << 32 * i for i in range(7)))
    assert bench.status() == BUSY
    bench.sim.set(done_i=1, busy_i=0, cause_i=11, pc_i=0xBEEF)
    bench.tick()
    bench.sim.set(done_i=0)
    assert bench.status() == DONE | IRQ | 11 << 8 | 0xBEEF << 16
    assert bench.read(REG["CYCLES"]) == 0x89ABCDEF
    assert [bench.read(REG["BUSY"] + 4 * i) for i in range(6)] == list(range(7, 13))
    assert bench.read(REG["BUSY_PIPE"]) == 13
    assert not bench.sim.get("irq_o")
    bench.write(REG["CONTROL"], IRQ_ENABLE)
    assert bench.sim.get("irq_o")
    bench.write(REG["CONTROL"], IRQ_ENABLE | CLEAR_IRQ)
    assert not bench.sim.get("irq_o")
    assert bench.status() & 31 == DONE
    bench.write(REG["CONTROL"], IRQ_ENABLE | START)
    assert bench.status() & 31 == 0


def test_locks_stay_until_reset():
    bench = Registers()
    locks = ("no_encrypt_o", "no_decrypt_o")
    encrypt_only, decrypt_only = (1 << REG[f"KEY_USE_{name}_SHIFT"] for name in ("NO_DECRYPT", "NO_ENCRYPT"))
    assert bench.write(REG["KEY_USE"], encrypt_only) == OKAY
    assert [bench.sim.get(name) for name in locks] == [0, 1]
    bench.write(REG["KEY_USE"], 0)
    bench.write(REG["CONTROL"], ZEROIZE)
    assert bench.read(REG["KEY_USE"]) == encrypt_only
    bench.sim.set(busy_i=1)
    bench.write(REG["KEY_USE"], decrypt_only)
    assert [bench.sim.get(name) for name in locks] == [1, 1]
    bench.sim.set(rst_ni=0)
    bench.sim.step(2)
    bench.sim.set(rst_ni=1, busy_i=0)
    assert bench.read(REG["KEY_USE"]) == 0
    assert [bench.sim.get(name) for name in locks] == [0, 0]


def test_a_new_seed_is_told():
    """Errors may mask anew when all of its words have come, in order; not when a write was ignored, nor when one of them came twice, or was left out."""
    bench = Registers(StreamLanes=1)
    told, tick = [], bench.tick
    bench.tick = lambda: (told.append(bench.sim.get("new_seed_o")), tick())

    def renews(words, between=None):
        told.clear()
        for count, word in enumerate(words):
            bench.write(REG["SEED"] + 4 * word, 5)
            bench.write(REG["PUBLIC_SEED"] + 4 * word, 5)
            if between and count == 7:
                between()
        return sum(told)

    def held(port):
        bench.sim.set(**{port: 1})
        bench.tick()
        bench.write(REG["SEED"] + 32, 5)
        bench.sim.set(**{port: 0})

    whole = list(range(16))
    assert renews(whole) == 1
    assert renews(whole + whole) == 2
    for words in ([15], whole[1:], whole[:15], [*whole[:7], 6, *whole[7:]], [*whole[:7], *whole[8:]], whole[::-1]):
        assert renews(words) == 0, words
    assert renews([4, 5, *whole]) == 1
    assert renews([*whole[:9], *whole]) == 1
    assert renews(whole, lambda: bench.write(REG["SEED"] + 32, 5, strobe=3)) == 1  # refused: nothing has changed
    assert renews(whole, lambda: bench.write(REG["FRAME"], 1)) == 0
    assert renews(whole, lambda: bench.write(REG["CONTROL"], ZEROIZE)) == 0
    assert renews(whole, lambda: held("busy_i")) == 1
    for port in ("zeroizing_i", "bus_hung_i"):  # words are lost
        assert renews(whole, lambda port=port: held(port)) == 0, port
