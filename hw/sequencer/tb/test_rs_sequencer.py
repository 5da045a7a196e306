# SPDX-License-Identifier: Apache-2.0
"""The sequencer with models of units that only take time: order, conflicts, every fault, latencies, abort, reset."""

import random
import tomllib
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from rs_cocotb import whole
from test_rs_core import Alone, design, registers

from ringside.sim.asm import field_of as field
from ringside.sim.asm import instruction as word
from ringside.sim.verilate import Simulator, build

BUILT = {"W": 32, "LogNMin": 10, "LogNMax": 12, "Groups": 3, "Contexts": 2, "Slots": 2, "ProgramDepth": 32}
BUILT |= {"HasReduce": 1, "HasFactor": 1, "HasEncode": 1}
LOAD, STORE, COMPUTE, SAMPLE, LIFT, EXPAND, PIPE = range(7)
NEVER = 10**9


# ---- instructions ---------------------------------------------------------------------------------------------------
ISA = tomllib.loads((Path(__file__).parent.parent / "isa.toml").read_text(encoding="utf-8"))
UNITS = list(ISA["unit"])
CAUSES = {name: fault["number"] for name, fault in ISA["fault"].items()}
# the fields of this bench's sequencer
HERE_FIELDS = {name for name, entry in ISA["field"].items() if entry.get("part") not in ("slices", "short")}
OPS = {
    op["number"]: (name, op | {"uses": [key for key in op.get("uses", []) if key in HERE_FIELDS]})
    for name, op in ISA["op"].items()
}


def used(bits):
    """What an instruction holds: groups and slots as ("group", i), contexts apart as (read, written)."""
    op = OPS[field(bits, "op")][1]
    named = {(op[name], field(bits, name)) for name in ("dst", "a", "b") if name in op}
    for kind, first in [one for one in named if one[0] == "slots"]:
        named = named - {(kind, first)} | {("slot", first + i) for i in range(3)}
    written = {number for kind, number in named if kind == "context"}
    read = {field(bits, "ctx")} if "ctx" in op.get("uses", []) else set()
    return {(kind, number) for kind, number in named if kind != "context"}, read, written


def conflict(one, other):
    """Whether an instruction may not start while another one runs: docs/core.md, Scoreboard."""
    held, read, written = used(one)
    held_2, read_2, written_2 = used(other)
    if OPS[field(one, "op")][1]["unit"] == OPS[field(other, "op")][1]["unit"]:
        if pair_conflict(one, other):
            return True
        read = set()  # LOAD brings the context first
    return bool(held & held_2 or written & (read_2 | written_2) or read & written_2)


CONTEXTS = {"CONTEXT", "ROOTS", "CONSTANTS", "TWIDDLES"}


def pair_conflict(one, other):
    """Whether two instructions of one unit may not run at once: only LOAD runs several."""
    names = [OPS[field(bits, "op")][0] for bits in (one, other)]
    if OPS[field(one, "op")][1]["unit"] != "LOAD" or {*names} <= CONTEXTS:
        return True
    both = list(zip(names, (one, other), strict=True))
    messages = any(name == "LOADS" or (name == "STREAM" and field(bits, "signed")) for name, bits in both)
    wides = {name not in CONTEXTS and bool(field(bits, "wide")) for name, bits in both}
    return messages or len(wides) == 2


CONTEXT = word("CONTEXT", dst=0)
CONSTANTS = word("CONSTANTS", dst=0)
PARTS = [word("INTT", part=part) for part in (1, 2, 3)]
END = word("END")


# ---- the bench ------------------------------------------------------------------------------------------------------
@cache
def library(**changes):
    return build("rs_sequencer", whole("rs_sequencer"), BUILT | changes)


class Sequencer:
    """The model in simulation, and units that give done after `times(unit, instruction)` cycles with `faults(...)`.

    LOAD takes up to three instructions, which are done in order.
    """

    def __init__(self, times=lambda unit, instr: 3, faults=lambda unit, instr: 0, **changes):
        self.sim = Simulator(library(**changes))
        self.times, self.faults = times, faults
        self.pointers = [0] * 32  # from 16 on those of frames
        self.sim.set(log_n_i=10, watchdog_i=0, load_room_i=1, pipe_idle_i=1)
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        for frame in range(4):
            self.sim.set(frame_i=frame)
            self.pulse("renew_i")
        self.sim.set(frame_i=0)
        self.cycle = 0
        self.running = []  # [unit, cycles until done, instruction, pc]
        self.starts = []  # (cycle, unit, pc, instruction)
        self.ends = []  # (cycle, unit)

    def pulse(self, name):
        self.sim.set(**{name: 1})
        self.sim.step()
        self.sim.set(**{name: 0})

    def write(self, program, at=0):
        for address, bits in enumerate(program, at):
            self.sim.set(prog_we_i=1, prog_addr_i=address, prog_data_i=bits)
            self.sim.step()
        self.sim.set(prog_we_i=0)

    def tick(self):
        """A cycle; whether done_o."""
        sim = self.sim
        busy, start, instr = sim.get("unit_busy_o"), sim.get("unit_start_o"), sim.get("unit_instr_o")
        pcs = [sim.get("unit_pc_o") >> 16 * unit & 0xFFFF for unit in range(7)]
        for unit in range(7):
            if start >> unit & 1:
                bits = instr >> 64 * unit & (1 << 64) - 1
                assert busy >> unit & 1
                for _, _, other, _ in self.running:
                    assert not conflict(bits, other)
                assert UNITS[unit] == OPS[field(bits, "op")][1]["unit"]
                second = any(unit == one[0] for one in self.running)
                assert sum(unit == one[0] for one in self.running) < ISA["loads"]
                # LOAD: the port shows the pc of its first instruction; that of a later one is checked when it is done
                pc = self.starts[-1][2] + 1 if second else pcs[unit]
                self.running.append([unit, max(1, self.times(unit, bits)), bits, pc])
                self.starts.append((self.cycle, unit, pc, bits))
        if sim.get("clear_o"):
            self.running = [[unit, 5, bits, pc] for unit, _, bits, pc in self.running if unit in (LOAD, STORE)]
        if sim.get("pipe_clear_o"):
            self.running = [one for one in self.running if one[0] != PIPE]
        done = fault = 0
        ahead = set()  # in order: a later one waits for the first
        for one in list(self.running):
            unit, left, bits, pc = one
            one[1] = max(left - 1, 0)
            if unit not in ahead and one[1] == 0:
                assert pc == pcs[unit]
                done |= 1 << unit
                fault |= self.faults(unit, bits) << 4 * unit
                self.ends.append((self.cycle, unit))
                self.running.remove(one)
            ahead.add(unit)
        sim.set(unit_done_i=done, unit_fault_i=fault, pointer_i=self.pointers[sim.get("pointer_index_o")])
        finished = sim.get("done_o")
        sim.step()
        self.cycle += 1
        return finished

    def start(self):
        self.starts.clear()
        self.ends.clear()
        self.sim.set(start_i=1)
        assert not self.tick()
        self.sim.set(start_i=0)

    def run(self, limit=2000):
        """Until done: (cause, pc)."""
        for _ in range(limit):
            if self.tick():
                assert not self.running
                assert not self.sim.get("busy_o")
                return self.sim.get("cause_o"), self.sim.get("pc_o")
        raise AssertionError(f"not done after {limit} cycles")

    def program(self, *words):
        self.write(words)
        self.start()
        return self.run()


# the model's name of each parameter
DESIGN_OF = {"W": "word_bits", "Groups": "bank_groups", "Slots": "slots", "HasReduce": "reducers", "HasFactor": "stream_factor",
             "HasExpand": "expand", "HasEncode": "encode", "HasPipe": "stream_lanes"}  # fmt: skip


class Judge(Alone):
    """The model of such a core, whose units compute nothing: docs/core.md, Tags and Faults. All pointers are 0."""

    def __init__(self, port, **changes):
        built = {DESIGN_OF[name]: 2 * value if name == "HasPipe" else value for name, value in changes.items()}
        given = {"groups": 3, "log_n_min": 10, "log_n_max": 12, "reducers": 1, "stream_factor": True, "encode": True}
        super().__init__(port, replace(design(1, twiddles="stored", **given), **built), 10)
        port.port_judge(self.core.state)
        self.core.write(registers()["LOG_N"], 10)
        for pointer in range(32):
            self.point(pointer, 0)

    def point(self, pointer, address):
        """From 16 on those of frames."""
        self.core.write(registers()["FRAME"], max(0, pointer - 16))
        for half in range(2):
            self.core.write(
                registers()["POINTER"] + 8 * (pointer if pointer < 16 else 7) + 4 * half, address * (1 - half)
            )

    def renew(self, frame):
        self.core.write(registers()["FRAME"], frame)
        for i in range(16):
            self.core.write(registers()["SEED"] + 4 * i, 1)

    def program(self, *words):
        """Cause and counter."""
        self.write_program(words)
        self.doorbell()
        return self.status()


def ends(port, program, *, pointers=(), locks=(), **changes):
    """Cause and counter of a program with seeds of four frames: the RTL's and the model's. pointers: those that are no multiples of 64."""
    bench = Sequencer(**changes)
    bench.sim.set(**{f"{name}_i": 1 for name in locks})
    with Judge(port, **changes) as judge:
        judge.core.write(
            registers()["KEY_USE"], sum(1 << registers()[f"KEY_USE_{name.upper()}_SHIFT"] for name in locks)
        )
        for pointer in pointers:
            bench.pointers[pointer] = 0x1008
            judge.point(pointer, 0x1008)
        for frame in range(4):
            judge.renew(frame)
        cause, pc = judge.program(*program)
    assert bench.program(*program) == (CAUSES[cause], pc)
    assert len(bench.starts) == pc
    return cause, pc


# ---- faults ---------------------------------------------------------------------------------------------------------
def load(dst, **fields):
    return word("LOAD", dst=dst, **fields)


def each(cause, before, *last, **changes):
    """Programs that end with a fault of their last instruction, or without any."""
    return [(cause, len(before), [*before, instr], changes) for instr in last]


NO_SAMPLER = {"Slots": 0, "HasExpand": 0}
ENCODE = [name for name, op in OPS.values() if op.get("needs", {}).get("any") == "encode"]
STREAMED = [name for name, op in OPS.values() if op.get("unit") == "PIPE"]
LOADED, SLOTTED, PAIRED = [CONTEXT, load(0)], [CONTEXT, word("SAMPLE")], [word("ROOTS"), word("LOADS")]
TURNED = [CONSTANTS, *[word("TWIDDLES", part=part) for part in (3, 1, 2)], load(0)]
FAULTS = [
    *each("NONE", [*LOADED, word("STORE", a=0)], END),
    *each("NONE", [], END),
    *each("ILLEGAL", [], 63, word("END") | 1 << 6, word("SAMPLE", b_map=1), word("LIFT", frame=1)),
    *each("ILLEGAL", [], word("CONTEXT", secret=1), word("SCALEW", slice_dst=1), word("MACW", b=1)),
    *each("ILLEGAL", [], word("LIFTON", dst=1, factor=1), word("LOADS", numbers=7), word("STORES", numbers=7)),
    *each("ILLEGAL", [], word("CONSTANTS", part=1)),
    *each("ILLEGAL", [CONTEXT], word("NTT", dst=0, a=1), word("CENTRE"), word("LIFTW")),
    *each("ILLEGAL", [CONTEXT], word("EXPAND", dst=0), word("EXPAND", dst=3)),
    *each("ILLEGAL", LOADED, word("CENTRE", dst=1, b=1), word("NTT", part=1)),
    # slices are not built
    *[
        fault
        for names, keys in (
            (("NTT", "MUL", "LIFT", "STORE", "LOAD", "SAMPLE", "EXPAND"), ("log_size", "slice_dst")),
            (("MUL", "NTT", "ADD", "SCALEW"), ("slice_a", "slice_b", "slices", "a_xor", "b_map", "frame")),
        )
        for fault in each("ILLEGAL", LOADED, *[word(name, **{key: 1}) for name in names for key in keys])
    ],
    *each("NONE", [CONTEXT, word("EXPAND", dst=0, first=1, limbs=2), word("EXPAND", dst=1)], END),
    *each("RANGE", [], word("STORE", a=15), word("MUL", b=3), load(0, ctx=2), load(0, ctx=15), word("CONTEXT", dst=2)),
    *each("RANGE", [], word("SAMPLE", dst=2), word("LOADS", frame=8)),
    *each("RANGE", [CONTEXT], load(3), word("LIFT", a=2)),
    *each("RANGE", [CONTEXT], word("EXPAND", first=1), word("STREAM"), **NO_SAMPLER),
    *each("RANGE", [CONTEXT], word("STREAM", signed=1), HasReduce=0),
    *each("RANGE", [CONTEXT], word("STREAM", secret=1), HasFactor=0),
    *each("RANGE", LOADED, word("MSUBS", dst=0, a=0), HasFactor=0),
    *each("NONE", [CONTEXT, word("STREAM", secret=1), word("STREAM", secret=1)], END, **NO_SAMPLER),
    *each("ALIGN", [CONTEXT], word("STREAM", pointer=1)),  # pointer 1 is 8 above a multiple of 64
    *each("ALIGN", [], word("CONTEXT", pointer=1, offset=1), word("CONTEXT", pointer=15), word("ROOTS", pointer=1)),
    *each("ALIGN", [], word("LOADS", pointer=1, numbers=56 << 4)),  # that is no offset
    *each("ALIGN", [], word("LOADS", frame=3)),  # pointer 7 of that frame
    *each("NONE", [word("CONTEXT", pointer=2, offset=1)], END),
    *each("EMPTY", [], load(0), word("STORE"), word("STORES"), word("TWIDDLES")),
    *each("EMPTY", [CONTEXT], load(0, ctx=1), word("NTT"), word("LIFT"), word("TWIDDLES", dst=1)),
    *each("EMPTY", LOADED, word("MSUBS", dst=0, a=1), word("MUL", dst=2, a=0, b=1), word("ADD", dst=1, a=0)),
    *each("EMPTY", LOADED, word("ROUND", dst=1, a=0), word("LIFTON", dst=1)),
    *each("EMPTY", SLOTTED, word("LIFTON", b=1), word("LIFTW", b=1)),
    *each("SECRET", [CONTEXT, load(0, secret=1)], word("STORE", a=0)),
    *each("SECRET", [*SLOTTED, word("LIFT", dst=1)], word("STORE", a=1)),
    ("PROGRAM", 2, LOADED, {}),
    ("PROGRAM", 32, [CONTEXT] + 31 * [load(0)], {}),
    *each("WIDE", [CONTEXT], load(0), W=64),
    *each("WIDE", [], word("STORE"), W=64),
    *each("NONE", [CONTEXT, load(0, wide=1)], END, W=64),
    # fixed point
    *each("RANGE", LOADED, *map(word, ENCODE), HasEncode=0),
    *each("NONE", [*PAIRED, word("IFFT"), word("FFT")], END),
    *each("NONE", [*PAIRED, word("SCALEW"), word("SCALEW", dst=1)], END),
    *each("NONE", [*PAIRED, word("SCALEW", dst=1), word("MACW", dst=1), word("MACW")], END),
    *each("NONE", [*LOADED, word("CENTRE", dst=1, whole=1)], END),
    *each("EMPTY", [word("ROOTS")], word("SCALEW"), word("FFT")),
    *each("EMPTY", PAIRED, word("MACW", dst=1), word("MACW", a=1)),
    *each("CONTEXT", [CONTEXT, word("LOADS")], word("SCALEW"), word("MACW"), word("IFFT")),
    # two groups are too few to lift onto one
    *each("RANGE", LOADED, word("LIFTON", dst=1), Groups=2),
    *each("ILLEGAL", [CONTEXT], word("LIFTON"), HasEncode=0),
    *each("ILLEGAL", [CONTEXT], word("LIFTON"), HasEncode=1),
    # frames come with encode: there are eight, and sixteen with PIPE
    *each("RANGE", [], word("SAMPLE", frame=1), word("EXPAND", first=1, frame=1), word("CONTEXT", odd=1), HasEncode=0),
    *each("RANGE", [], word("SAMPLE", frame=8), word("EXPAND", first=1, frame=15)),
    # PIPE is not built, whatever else is in the word
    *each("RANGE", [], *map(word, STREAMED), word("PIPED", a=1)),
    *each("RANGE", LOADED, *[word(name, dst=1, a=3) for name in ("CENTRE", "SCALEW", "MACW")]),
    *each("CONTEXT", PAIRED, word("NTT")),
    *each("CONTEXT", [word("ROOTS")], load(0), word("TWIDDLES")),
    *each("NONE", [word("ROOTS"), *LOADED, word("NTT")], END),
    *each("SECRET", [word("LOADS")], word("STORES"), word("STORE")),
    *each("SECRET", [*PAIRED, word("FFT")], word("STORES")),
    *each("SECRET", [*PAIRED, word("SCALEW", dst=1)], word("STORES", a=1)),
    # contexts in pieces, and an INTT
    *each("NONE", [CONSTANTS, load(0), word("SCALE", dst=1, a=0)], END),
    *each("CONTEXT", [CONSTANTS, load(0)], word("NTT")),
    *each("CONTEXT", [CONSTANTS, load(0)], word("NTT"), HasEncode=0),
    *each("CONTEXT", [CONTEXT, CONSTANTS, load(0)], word("INTT")),
    *each("NONE", [CONSTANTS, *LOADED, word("INTT")], END),
    *each("NONE", [CONSTANTS, word("TWIDDLES"), load(0), word("NTT")], END),
    *[
        ("CONTEXT", 3, [CONSTANTS, word("TWIDDLES", part=part), load(0), word("INTT", part=1 if part > 1 else 0)], {})
        for part in (1, 2, 3)
    ],
    *each("CONTEXT", [CONSTANTS, word("TWIDDLES", part=1), load(0), PARTS[0]], PARTS[1]),
    *each("NONE", [*TURNED, PARTS[0], word("LOAD")], END),
    *each("NONE", [*TURNED, *PARTS, word("NTT")], END),
    *each("RANGE", LOADED, PARTS[0], HasEncode=0),
    *each("EMPTY", LOADED, *PARTS[1:]),
    *[
        fault
        for done in (1, 2)
        for fault in each(
            "EMPTY",
            [*LOADED, load(1), *PARTS[:done]],
            *[part for part in (*PARTS, word("INTT")) if part != PARTS[done]],
            *[
                word("NTT"),
                word("STORE"),
                word("ADD", dst=1, a=0),
                word("ADD", dst=0, a=1),
                word("MUL", dst=1, a=1, b=0),
            ],
        )
    ],
    *each("NONE", [*LOADED, PARTS[0], load(0), word("NTT")], END),
]


@pytest.mark.parametrize(("cause", "pc", "program", "changes"), FAULTS)
def test_cause_and_pc(cause, pc, program, changes, port):
    assert ends(port, program, pointers=(1, 15, 16 + 3), **changes) == (cause, pc)


@pytest.mark.parametrize("log_n", [0, 9, 13, 31])
def test_log_n_outside_of_what_is_built(log_n):
    bench = Sequencer()
    bench.sim.set(log_n_i=log_n)
    assert bench.program(CONTEXT, END) == (CAUSES["LOG_N"], 0)
    assert not bench.starts
    bench.sim.set(log_n_i=12)
    bench.start()
    assert bench.run() == (CAUSES["NONE"], 1)


@pytest.mark.parametrize("cause", ["BUS_READ", "BUS_WRITE", "RESIDUE", "CONTEXT"])
def test_fault_of_a_unit_ends_the_program_when_the_others_are_done(cause):
    """LOAD at 2 fails while the transform of 3 runs, and 4 waits for that."""
    bench = Sequencer(
        times=lambda unit, instr: 40 if unit == COMPUTE else 20,
        faults=lambda unit, instr: CAUSES[cause] if field(instr, "offset") == 1 else 0,
    )
    program = [CONTEXT, load(0), load(1, offset=1), word("NTT", dst=0), word("INTT", dst=0), END]
    assert bench.program(*program) == (CAUSES[cause], 2)
    assert [pc for _, _, pc, _ in bench.starts] == [0, 1, 2, 3]
    assert bench.ends[-1][1] == COMPUTE


def test_first_of_two_faults_counts():
    bench = Sequencer(
        times=lambda unit, instr: 40 if unit == COMPUTE else 20,
        faults=lambda unit, instr: (
            {COMPUTE: CAUSES["RESIDUE"], LOAD: CAUSES["BUS_READ"]}[unit] if field(instr, "offset") or unit else 0
        ),
    )
    program = [CONTEXT, load(0), word("NTT", dst=0), load(1, offset=1), word("STORE", a=2)]
    assert bench.program(*program) == (CAUSES["EMPTY"], 4)


# ---- what the tags allow --------------------------------------------------------------------------------------------
def sample(slot, domain, frame=0, **fields):
    return word("SAMPLE", dst=slot, domain=domain, frame=frame, **fields)


def lift(dst, slot, **fields):
    return word("LIFT", dst=dst, a=slot, **fields)


def context(number, offset, **fields):
    return word("CONTEXT", dst=number, offset=offset, **fields)


PREPARE = [CONTEXT, load(0), load(1, secret=1), load(2)]  # public, secret, public
PRODUCT = word("MUL", dst=1, a=1, b=0)
ERROR = [sample(0, 2), lift(2, 0)]  # a mask in group 2


def onto(b, slot=0, **fields):
    return word("LIFTON", dst=2, a=slot, b=b, **fields)


def framed(frame, *between):
    """A mask in group 2 of a frame."""
    return [sample(0, 2, frame), *between, lift(2, 0)]


TERNARY = [sample(1, 1, ternary=1), lift(0, 1)]
ADD_PRODUCT = word("ADD", dst=2, a=1)
MASKED = [PRODUCT, *ERROR, ADD_PRODUCT]
# V in group 1, the error rounded with it, minus V, plus a product
ROUNDED = [PRODUCT, sample(0, 3), word("ROUND", dst=0, a=1), lift(2, 0)]
STEP = word("MSUBC", dst=2, a=1)
# words of a message in group 0
LOADED = [word("LOADS", dst=0), word("ROOTS", dst=1), word("IFFT", dst=0, ctx=1)]
SCALED = word("SCALEW", dst=0, a=0, ctx=1)
COPY, COPY_1 = (word("SCALE", dst=2, a=group) for group in (0, 1))


@pytest.mark.parametrize(
    ("program", "public"),
    [
        ([word("MUL", dst=2, a=0, b=0)], True),
        ([word("MUL", dst=2, a=0, b=1)], False),
        ([word("MUL", dst=2, a=0, b=1), word("NTT", dst=2)], False),
        ([word("MUL", dst=2, a=0, b=1), word("SCALE", dst=2, a=2)], False),
        ([word("ADD", dst=2, a=1)], False),
        ([word("ADD", dst=2, a=0)], True),
        ([word("MUL", dst=2, a=0, b=1), word("MUL", dst=2, a=2, b=0)], False),
        ([word("SCALE", dst=2, a=1)], False),
        ([word("MSUBC", dst=2, a=0)], True),
        ([word("MSUBC", dst=2, a=1)], False),
        ([word("MUL", dst=2, a=0, b=1), word("MSUBC", dst=2, a=1)], False),
        ([word("MUL", dst=2, a=0, b=1), word("ADD", dst=2, a=1)], False),  # a secret is no mask
        ([word("EXPAND", dst=2, first=1, limbs=1)], True),
        ([load(2, secret=1)], False),
        ([load(2, error=1)], False),
        ([PRODUCT, load(2, error=1), ADD_PRODUCT], False),
        ([word("MAC", dst=1, a=0, b=0), COPY_1], False),  # secret + public
        ([word("MAC", dst=1, a=0, b=1), COPY_1], False),  # secret + product: no mask
        # decryption: a loaded secret, and nothing is sampled
        ([word("MAC", dst=2, a=0, b=1)], True),
        ([word("MSUB", dst=2, a=1, b=1)], True),
        ([sample(0, 2), word("MSUB", dst=2, a=1, b=1)], False),
        ([word("MUL", dst=2, a=0, b=1), word("ADD", dst=2, a=0)], True),
        ([sample(0, 2), word("MAC", dst=2, a=0, b=1)], False),
        ([*TERNARY, word("MAC", dst=2, a=0, b=0)], False),  # u times 1 plus 0
        # what samples are
        ([sample(0, 2), lift(2, 0)], False),
        ([sample(0, 1, ternary=1), lift(2, 0)], False),
        # masked products
        (MASKED, True),
        ([PRODUCT, *ERROR, word("SUB", dst=2, a=1)], True),
        ([PRODUCT, *ERROR, word("ADD", dst=1, a=2), word("SCALE", dst=2, a=1)], True),  # from the other side
        ([*ERROR, word("NTT", dst=2), word("MSUB", dst=2, a=0, b=1)], True),
        ([*ERROR, word("STREAM", secret=1), word("MSUBS", dst=2, a=0)], True),
        ([*ERROR, word("STREAM", secret=1), word("MSUBS", dst=2, a=2)], False),
        ([*TERNARY, *ERROR, load(1), word("MAC", dst=2, a=0, b=1)], True),
        ([*ERROR, word("ADD", dst=2, a=0), word("MAC", dst=2, a=0, b=1)], True),  # a message
        ([PRODUCT, sample(0, 2), word("STREAM"), lift(2, 0, add=1), ADD_PRODUCT], True),
        ([PRODUCT, sample(0, 2), *LOADED, word("LIFTW", dst=2, a=0, b=0), ADD_PRODUCT], True),
        ([PRODUCT, sample(0, 2), *LOADED, SCALED, word("LIFTW", dst=2, a=0, b=0), ADD_PRODUCT], True),
        (
            [
                PRODUCT,
                sample(0, 2),
                word("CENTRE", dst=2, a=0),
                word("LIFTW", dst=0, b=2),
                word("ADD", dst=0, a=1),
                COPY,
            ],
            True,
        ),
        # a message
        ([*LOADED, COPY], False),
        ([*LOADED, word("MUL", dst=2, a=0, b=2)], False),
        ([*LOADED, word("ADD", dst=2, a=0)], False),
        ([*LOADED, PRODUCT, word("ADD", dst=0, a=1), COPY], False),
        ([*LOADED, word("CENTRE", dst=2, a=0)], False),
        ([*LOADED, word("SCALEW", dst=2, a=0, ctx=1)], False),
        ([*LOADED, word("MACW", dst=2, a=0, ctx=1)], False),
        ([*LOADED, word("MACW", dst=0, a=2, ctx=1), COPY], False),
        ([PRODUCT, sample(0, 1, ternary=1), *LOADED, word("LIFTW", dst=2, a=0, b=0), ADD_PRODUCT], False),  # no mask
        ([PRODUCT, sample(0, 1), *LOADED, word("LIFTW", dst=2, a=0, b=0), ADD_PRODUCT], False),
        ([sample(0, 2), *LOADED, word("LIFTW", dst=2, a=0, b=0)], False),
        ([PRODUCT, sample(0, 2), *LOADED, *2 * [word("LIFTW", dst=2, b=0), ADD_PRODUCT]], False),  # twice
        ([PRODUCT, sample(0, 2), *LOADED, *2 * [SCALED, word("LIFTW", dst=2, b=0), ADD_PRODUCT]], False),
        # words of what is public, and their sums
        ([word("CENTRE", dst=2, a=0)], True),
        ([word("CENTRE", dst=2, a=0, whole=1)], True),
        ([word("ROOTS", dst=1), word("SCALEW", dst=2, a=0, ctx=1)], True),
        ([word("ROOTS", dst=1), word("MACW", dst=2, a=0, ctx=1)], True),
        # masked sums of a message and of what is public
        (
            [
                PRODUCT,
                sample(0, 2),
                *LOADED,
                word("MACW", dst=0, a=2, ctx=1),
                word("LIFTW", dst=2, a=0, b=0),
                ADD_PRODUCT,
            ],
            True,
        ),
        # the same at once: but not a secret that is no product, twice, without the first time for the modulus, of what is no error, onto a mask, of
        # a rounded error, a message
        ([PRODUCT, sample(0, 2), onto(1)], True),
        ([PRODUCT, sample(0, 2), word("STREAM"), onto(1, add=1)], True),
        ([PRODUCT, sample(0, 2), onto(0), ADD_PRODUCT], True),
        ([PRODUCT, sample(0, 2), onto(0)], False),
        ([sample(0, 2), onto(1)], False),
        ([PRODUCT, sample(0, 2), *2 * [onto(1)]], False),
        ([PRODUCT, sample(0, 2), lift(0, 0), onto(1)], False),
        ([PRODUCT, sample(0, 2), onto(0), onto(1)], False),
        *[
            ([PRODUCT, sample(0, domain, ternary=ternary), onto(1)], False)
            for domain, ternary in ((1, 0), (2, 1), (1, 1))
        ],
        ([PRODUCT, sample(0, 1, ternary=1), onto(0)], False),
        ([sample(0, 2), sample(1, 3), lift(0, 0), onto(0, 1), word("MUL", dst=1, a=1, b=1), ADD_PRODUCT], False),
        ([PRODUCT, sample(0, 3), word("ROUND", dst=0, a=1), onto(1)], False),
        ([PRODUCT, sample(0, 2), *LOADED, onto(0), ADD_PRODUCT], False),
        # what is no mask
        ([*ERROR, ADD_PRODUCT], False),  # a secret that is no product
        ([PRODUCT, sample(0, 1), lift(2, 0), ADD_PRODUCT], False),  # another domain
        ([PRODUCT, sample(0, 2, ternary=1), lift(2, 0), ADD_PRODUCT], False),  # ternary
        ([PRODUCT, sample(0, 1, ternary=1), lift(2, 0), ADD_PRODUCT], False),
        ([PRODUCT, sample(0, 2), lift(2, 0, factor=1), ADD_PRODUCT], False),
        ([PRODUCT, *ERROR, word("SCALE", dst=2, a=2), ADD_PRODUCT], False),
        ([PRODUCT, *ERROR, word("MUL", dst=2, a=2, b=0), ADD_PRODUCT], False),
        ([PRODUCT, *ERROR, word("ADD", dst=0, a=2), word("ADD", dst=0, a=1), word("SCALE", dst=2, a=0)], False),
        ([*ERROR, word("MAC", dst=2, a=2, b=0)], False),  # e + e k
        ([*ERROR, load(1, secret=1), word("MAC", dst=1, a=2, b=0), word("SCALE", dst=2, a=1)], False),
        # once
        ([*MASKED, lift(2, 0), ADD_PRODUCT], False),
        ([*MASKED, sample(1, 2), lift(2, 1), ADD_PRODUCT], False),  # the same error again
        ([*MASKED, sample(1, 3), lift(2, 1), ADD_PRODUCT], True),  # the other one
        ([*MASKED, PRODUCT, word("ADD", dst=1, a=2), word("SCALE", dst=2, a=1)], False),
        ([PRODUCT, *ERROR, word("ADD", dst=1, a=2), load(1, secret=1), PRODUCT, ADD_PRODUCT], False),  # added once
        # moduli
        ([*MASKED, CONTEXT, lift(2, 0), ADD_PRODUCT], False),
        ([*MASKED, context(1, 0), lift(2, 0, ctx=1), word("ADD", dst=2, a=1, ctx=1)], False),
        ([*MASKED, context(1, 1), lift(2, 0, ctx=1), word("ADD", dst=2, a=1, ctx=1)], True),
        ([*MASKED, context(0, 1), lift(2, 0), ADD_PRODUCT], True),
        ([*MASKED, context(0, 1), CONTEXT, lift(2, 0), ADD_PRODUCT], False),
        ([PRODUCT, context(0, 1), CONTEXT, *ERROR, ADD_PRODUCT], False),  # an older one
        ([PRODUCT, context(1, 1, aside=1), *ERROR, ADD_PRODUCT], True),
        ([PRODUCT, context(0, 1, aside=1), *ERROR, ADD_PRODUCT], False),
        ([PRODUCT, context(0, 1, pointer=1), *ERROR, ADD_PRODUCT], False),
        ([PRODUCT, context(0, 1, aside=1), CONTEXT, *ERROR, ADD_PRODUCT], True),  # the newest one again
        ([*MASKED, context(0, 1, aside=1), CONTEXT, *ERROR, ADD_PRODUCT], False),
        ([PRODUCT, *ERROR, CONTEXT, ADD_PRODUCT], False),  # its modulus is gone
        ([PRODUCT, sample(0, 2), lift(2, 0), ADD_PRODUCT], True),
        ([PRODUCT, sample(0, 2), CONSTANTS, lift(2, 0), ADD_PRODUCT], False),  # a modulus beside the frames
        ([PRODUCT, sample(0, 2), word("TWIDDLES", part=1), lift(2, 0), ADD_PRODUCT], False),
        ([PRODUCT, *ERROR, context(1, 1), word("ADD", dst=2, a=1, ctx=1)], False),
        ([PRODUCT, *ERROR, context(1, 1), word("NTT", dst=2, ctx=1), ADD_PRODUCT], False),
        ([PRODUCT, *ERROR, context(1, 1), word("ADD", dst=1, a=2, ctx=1), COPY_1], False),
        ([PRODUCT, context(1, 0), *ERROR, ADD_PRODUCT], False),  # only the last one to have a modulus
        # frames: 0 to 3 have seeds
        ([PRODUCT, *framed(1), ADD_PRODUCT], False),  # the context is for even ones
        ([PRODUCT, context(0, 0, odd=1), *framed(1), ADD_PRODUCT], True),
        ([PRODUCT, context(0, 0, odd=1), *framed(0), ADD_PRODUCT], False),
        ([PRODUCT, *framed(2), ADD_PRODUCT], False),  # the context came before the frame
        ([PRODUCT, *framed(2, CONTEXT), ADD_PRODUCT], True),
        ([PRODUCT, *framed(2, CONTEXT), ADD_PRODUCT, lift(2, 0), ADD_PRODUCT], False),  # once
        ([PRODUCT, *framed(2, CONTEXT), *framed(0, CONTEXT), ADD_PRODUCT], False),  # 0 is over
        ([PRODUCT, *framed(4, CONTEXT), ADD_PRODUCT], False),  # no seed
        ([*MASKED, *framed(2, CONTEXT), ADD_PRODUCT], True),
        ([PRODUCT, *ERROR, sample(1, 2, 2), ADD_PRODUCT], False),  # a mask of the frame before
        ([PRODUCT, *ERROR, sample(1, 2, 3), ADD_PRODUCT], True),  # a mask of another frame
        ([*MASKED, sample(1, 2, 2)], True),  # what is public stays so
        ([PRODUCT, sample(0, 2), *LOADED, word("LIFTW", dst=2, b=0), sample(1, 2, 2), ADD_PRODUCT], False),
        ([PRODUCT, sample(0, 2), sample(1, 2, 2), CONTEXT, lift(2, 0), ADD_PRODUCT], False),
        ([*ROUNDED, sample(1, 3, 2), STEP, ADD_PRODUCT], False),
        # rounding
        ([*ROUNDED, STEP, ADD_PRODUCT], True),
        ([*ROUNDED, ADD_PRODUCT], False),
        ([*ROUNDED, STEP], False),
        ([*ROUNDED, STEP, STEP], False),
        ([*ROUNDED, word("MSUBC", dst=2, a=0), ADD_PRODUCT], False),
        ([*ROUNDED, PRODUCT, STEP, ADD_PRODUCT], False),  # another V
        ([*ROUNDED, STEP, ADD_PRODUCT, lift(2, 0), STEP, ADD_PRODUCT], False),
        ([sample(0, 3), word("ROUND", dst=0, a=0), lift(2, 0), PRODUCT, STEP, ADD_PRODUCT], False),  # V is public
        ([sample(0, 3), word("ROUND", dst=0, a=1), lift(2, 0), PRODUCT, STEP, ADD_PRODUCT], False),
        ([PRODUCT, sample(0, 1, ternary=1), word("ROUND", dst=0, a=1), lift(2, 0), STEP, ADD_PRODUCT], False),
        (
            [
                PRODUCT,
                sample(0, 3),
                word("ROUND", dst=0, a=1),
                word("ROUND", dst=0, a=1),
                lift(2, 0),
                STEP,
                ADD_PRODUCT,
            ],
            False,
        ),
        ([*ROUNDED, sample(1, 3), word("ROUND", dst=1, a=1), context(0, 1), lift(2, 1), STEP, ADD_PRODUCT], True),
        (
            [*ROUNDED, PRODUCT, sample(1, 3), word("ROUND", dst=1, a=1), context(0, 1), lift(2, 1), STEP, ADD_PRODUCT],
            False,
        ),
    ],
)
def test_store_of_what_is_not_public(program, public, port):
    pc = len(PREPARE) + len(program)
    wanted = ("NONE", pc + 1) if public else ("SECRET", pc)
    assert ends(port, [*PREPARE, *program, word("STORE", a=2), END]) == wanted


ROOTS = word("ROOTS", dst=1)


@pytest.mark.parametrize(
    "kind",
    [
        [],
        [word("SCALE", dst=1, a=1)],
        [PRODUCT],
        [sample(0, 1, ternary=1), lift(1, 0)],
        [sample(0, 2), lift(1, 0)],
        [sample(0, 2), lift(1, 0), word("ADD", dst=1, a=0)],  # an error of which a public number is subtracted
        [PRODUCT, sample(0, 3), word("ROUND", dst=0, a=1), lift(1, 0)],
        [sample(0, 2), lift(1, 0, factor=1)],  # spent
        [word("LOADS", dst=2), word("MUL", dst=1, a=2, b=0)],  # a message that was multiplied
    ],
    ids=["loaded", "scaled", "product", "ternary", "error", "sum", "rounded", "spent", "message"],
)
@pytest.mark.parametrize(
    "tells",
    [
        [ROOTS, word("IFFT", dst=1, ctx=1)],
        [ROOTS, word("FFT", dst=1, ctx=1)],
        [word("CENTRE", dst=2, a=1)],
        [word("CENTRE", dst=2, a=1, whole=1)],
        [ROOTS, word("SCALEW", dst=2, a=1, ctx=1)],
        [ROOTS, word("MACW", dst=0, a=1, ctx=1)],
        [ROOTS, word("MACW", dst=1, a=0, ctx=1)],
        [sample(1, 2), word("LIFTW", dst=2, a=1, b=1)],
    ],
    ids=["IFFT", "FFT", "CENTRE", "CENTRE whole", "SCALEW", "MACW a", "MACW dst", "LIFTW"],
)
def test_nothing_is_told_of_what_is_not_public(kind, tells, port):
    """What says whether words fit does not start on words that depend on a secret: its answer would."""
    program = [*PREPARE, *kind, *tells]
    assert ends(port, [*program, END]) == ("SECRET", len(program) - 1)


# PIPE: u in slot 0, the errors behind it, what they are rounded with in groups 0 and 1
WITH_PIPE = {"HasPipe": 1, "Slots": 4}
P_CONTEXT = context(0, 0, aside=1)  # nothing is lifted to the special prime


def noise(frame=0, first=0):
    return [sample(first, 1, frame, ternary=1)] + [sample(first + 1 + e, 2 + e, frame) for e in range(2)]


FACTORS = [P_CONTEXT, load(0), load(1), load(2, secret=1), *[word("MUL", dst=g, a=g, b=2) for g in range(2)]]
ROUNDS = [word("ROUND", dst=1 + e, a=e) for e in range(2)]
PIPE_0, PIPED_0 = word("PIPE", dst=0, a=0, b=1, last_limb=11), word("PIPED", dst=0, last_limb=11)
PIPED_1 = word("PIPED", dst=1)
PIPEM_0 = word("PIPEM", dst=0, a=0, last_limb=11, words_shift=250)
WORDS = [word("ROOTS", dst=1), word("LOADS", dst=0), word("IFFT", dst=0, ctx=1)]  # a message's
DRAIN = word("DRAIN")
ONCE = [*FACTORS, *noise(), *ROUNDS, PIPE_0]
MASKS = [sample(1, 2), CONTEXT, lift(2, 1), word("ADD", dst=2, a=0), word("STORE", a=2)]


@pytest.mark.parametrize(
    ("program", "legal"),
    [
        (ONCE, True),
        ([*noise(), PIPED_0], True),
        ([*noise(first=1), PIPED_1], True),
        ([*ONCE[:-1], PIPED_0], False),  # rounded ones
        ([*FACTORS, *noise(), PIPE_0], False),  # not rounded
        ([*FACTORS, *noise(), ROUNDS[0], PIPE_0], False),
        ([*ONCE, PIPE_0], False),  # once
        ([*noise(), PIPED_0, *noise(), PIPED_0], False),
        ([*ONCE, *noise(2), PIPED_0], True),  # another frame
        ([*ONCE, *noise(2), *FACTORS, *ROUNDS, PIPE_0], True),
        ([*ONCE, *noise(9), *FACTORS, *ROUNDS, PIPE_0], False),  # one without seed: 0 to 3 have one
        ([*ONCE, sample(1, 2), P_CONTEXT, lift(2, 1), context(1, 1), lift(2, 1, ctx=1)], True),
        ([*noise(), CONTEXT, PIPED_0], False),  # a modulus that an error may have been lifted to
        ([*noise(), context(0, 0, odd=1), PIPED_0], True),  # a modulus of odd frames
        ([*noise(3), CONTEXT, PIPED_0], True),
        ([*noise(3), context(0, 0, odd=1), PIPED_0], False),
        ([sample(0, 1), *noise()[1:], PIPED_0], False),  # u is an error
        ([sample(0, 2, ternary=1), *noise()[1:], PIPED_0], False),
        ([*noise()[:2], sample(2, 2), PIPED_0], False),  # the same error
        ([*noise()[:1], sample(1, 3), sample(2, 2), PIPED_0], False),
        ([*noise()[:2], noise(1)[2], PIPED_0], False),  # errors of two frames
        ([*FACTORS, *noise(), *ROUNDS, word("PIPE", dst=0, a=1, b=0)], False),  # the other product
        ([*FACTORS, *noise(), *ROUNDS, word("PIPE", dst=0, a=0, b=0)], False),
        ([*FACTORS, *noise(), *ROUNDS, word("MUL", dst=1, a=1, b=2), PIPE_0], False),  # it is another one now
        ([*noise(), *FACTORS, *ROUNDS, load(0), PIPE_0], False),
        ([*noise(), *WORDS, PIPEM_0], True),
        ([*noise(), *WORDS, word("SCALEW", dst=1, a=0, ctx=1), PIPEM_0 | 1 << 12, *noise(1), PIPEM_0], True),
        ([*noise(), P_CONTEXT, load(0), PIPEM_0], True),  # public words
        ([*noise(), P_CONTEXT, load(0, secret=1), PIPEM_0], False),
        ([*FACTORS, *noise(), PIPEM_0], False),  # a product
        ([*noise(), sample(3, 2, 1), context(0, 1, odd=1), lift(0, 3), PIPEM_0], False),  # another frame's mask
        ([*noise(), *WORDS, P_CONTEXT, word("MUL", dst=0, a=0, b=0), PIPEM_0], False),  # words of a message no more
        ([*WORDS, *noise(), PIPEM_0, PIPEM_0], False),  # once
        ([*WORDS, *noise(), CONTEXT, PIPEM_0], False),
        ([*WORDS, *noise()[:2], sample(2, 2), PIPEM_0], False),
        ([*FACTORS, *noise(), *ROUNDS, *WORDS, PIPEM_0], False),  # rounded errors
        ([*FACTORS, *noise(), *MASKS], True),
        ([*ONCE, *MASKS], False),  # no error of the frame masks anything any more
    ],
)
def test_tags_of_pipe(program, legal, port):
    wanted = ("NONE", len(program) + 1) if legal else ("SECRET", len(program) - 1)
    assert ends(port, [*program, DRAIN, END], **WITH_PIPE) == wanted


@pytest.mark.parametrize(
    ("cause", "pc", "program"),
    [
        ("NONE", 2, [word("PIPEKEY", pointer=7, offset=1), DRAIN, END]),
        ("NONE", 5, [*noise(), PIPED_0, DRAIN, END]),
        ("ILLEGAL", 4, [*noise(), PIPED_0, END]),  # results may be on their way
        ("ILLEGAL", 5, [*noise(), PIPED_0, word("PIPEKEY"), END]),
        ("ILLEGAL", 7, [*noise(), PIPED_0, DRAIN, word("PIPEKEY"), word("PIPEKEY"), 63]),
        ("PROGRAM", 4, [*noise(), PIPED_0]),
        ("ILLEGAL", 0, [word("DRAIN", dst=1)]),
        ("ILLEGAL", 0, [word("PIPE", a_xor=1)]),
        ("ILLEGAL", 0, [word("PIPED", a=1)]),
        ("RANGE", 0, [word("PIPED", dst=2)]),  # its third slot is not built
        ("RANGE", 0, [word("PIPED", dst=15)]),
        ("RANGE", 0, [word("PIPE", a=3)]),
        ("ALIGN", 0, [word("PIPEKEY", pointer=1, offset=1)]),
        ("ALIGN", 0, [word("PIPED", frame=5)]),  # pointer 7 of frame 5
        ("EMPTY", 2, [*noise()[:2], PIPED_0]),
        ("EMPTY", 2, [*noise()[1:], PIPED_0]),
        ("EMPTY", 3, [*noise(), PIPE_0]),
        ("EMPTY", 3, [*noise(), PIPEM_0]),
        ("ILLEGAL", 0, [word("PIPEM", b=1)]),
        ("RANGE", 0, [word("PIPEM", a=3)]),
        ("ALIGN", 0, [word("PIPEM", frame=5)]),
        ("ILLEGAL", 7, [*noise(), *WORDS, PIPEM_0, END]),
        ("NONE", 1, [sample(0, 2, 15), END]),
    ],
)
def test_cause_and_pc_with_pipe(cause, pc, program, port):
    assert ends(port, program, pointers=(1, 16 + 5), **WITH_PIPE) == (cause, pc)


def test_pipe_is_forbidden_where_encryption_is(port):
    assert ends(port, [*noise(), PIPED_0, DRAIN, END], locks=["no_encrypt"], **WITH_PIPE) == ("SECRET", 3)
    assert ends(port, [*noise(), *WORDS, PIPEM_0, DRAIN, END], locks=["no_encrypt"], **WITH_PIPE) == ("SECRET", 6)


def test_words_are_streamed_where_there_is_encode(port):
    assert ends(port, [word("PIPEM")], HasEncode=0, **WITH_PIPE) == ("RANGE", 0)
    assert ends(port, [word("PIPED", dst=1)], HasEncode=0, **WITH_PIPE) == ("EMPTY", 0)


def test_pipe_reads_slots_and_groups_of_its_own_and_pointer_7_of_its_frame():
    seen = []

    def times(unit, instr):
        seen.append((OPS[field(instr, "op")][0], bench.sim.get("unit_addr_o") >> 128 & (1 << 64) - 1))
        return 60 if unit == PIPE else 3

    bench = Sequencer(times=times, **WITH_PIPE)
    bench.pointers[:] = [64 * i for i in range(32)]
    frames = [(noise(f), word("PIPEM" if f == 1 else "PIPED", dst=0, frame=f, last_limb=2)) for f in (0, 1, 2, 3)]
    program = [
        *WORDS,
        word("PIPEKEY", pointer=3, offset=1 << 14),
        *[one for slots, pipe in frames for one in (*slots, pipe)],
        DRAIN,
        END,
    ]
    assert bench.program(*program)[0] == CAUSES["NONE"]
    addresses = [address for name, address in seen if name.startswith("PIPE")]
    assert addresses == [64 * 3 + (1 << 20), 64 * 7, 64 * 17, 64 * 18, 64 * 19]
    ends = [cycle for cycle, unit in bench.ends if unit == PIPE]
    starts = [cycle for cycle, unit, _, bits in bench.starts if unit == SAMPLE and field(bits, "ternary")]
    assert all(start > end for start, end in zip(starts[1:], ends[1:], strict=False))  # slots are free when it is done


def test_a_program_ends_when_pipe_is_idle():
    """PIPE is cleared when all is done, or at once by a fault, and may drain from then on."""
    for last, cause in ((END, "NONE"), (63, "ILLEGAL")):
        bench = Sequencer(times=lambda unit, instr: 100 if OPS[field(instr, "op")][0] == "PIPED" else 3, **WITH_PIPE)
        bench.write([*noise(), PIPED_0, *[DRAIN] * (last == END), last])
        bench.sim.set(pipe_idle_i=0)
        bench.start()
        cleared = 0
        for _ in range(300):
            cleared += bench.sim.get("pipe_clear_o")
            assert not bench.tick()
            assert not cleared or not bench.sim.get("unit_busy_o")
        assert cleared == 1
        assert (PIPE in [unit for _, unit in bench.ends]) == (last == END)
        bench.sim.set(pipe_idle_i=1)
        assert bench.run(5) == (CAUSES[cause], 5 if last == END else 4)
        # a bus that never answers: the watchdog, then rs_bus_guard
        bench.pulse("renew_i")
        bench.sim.set(pipe_idle_i=0, watchdog_i=50)
        bench.start()
        for _ in range(200):
            assert not bench.tick()
        assert bench.sim.get("busy_o")
        bench.pulse("give_up_i")
        assert bench.run(5)[0] == CAUSES["WATCHDOG" if last == END else cause]


DECRYPTED = [word("MAC", dst=2, a=0, b=1)]


@pytest.mark.parametrize(
    ("program", "locks", "public"),
    [
        (MASKED, ["no_encrypt"], False),
        ([PRODUCT, sample(0, 2), onto(1)], ["no_encrypt"], False),
        (MASKED, ["no_decrypt"], True),
        (DECRYPTED, ["no_encrypt"], True),
        (DECRYPTED, ["no_decrypt"], False),
        ([word("MUL", dst=2, a=0, b=1), word("ADD", dst=2, a=0)], ["no_decrypt"], False),
        ([word("MUL", dst=2, a=0, b=0)], ["no_encrypt", "no_decrypt"], True),
    ],
)
def test_locked_uses_of_keys(program, locks, public, port):
    cause, _ = ends(port, [*PREPARE, *program, word("STORE", a=2), END], locks=locks)
    assert cause == ("NONE" if public else "SECRET")


def test_errors_are_used_once_under_a_seed():
    """Also by several programs; a wiped seed has none."""
    bench = Sequencer()
    program = [*PREPARE, *MASKED, word("STORE", a=2), END]
    next_modulus = [context(0, 1), *program[1:]]
    assert bench.program(*program)[0] == CAUSES["NONE"]
    assert bench.program(*program)[0] == CAUSES["SECRET"]
    assert bench.program(*next_modulus)[0] == CAUSES["NONE"]
    assert bench.program(*program)[0] == CAUSES["SECRET"]
    bench.pulse("renew_i")
    assert bench.program(*program)[0] == CAUSES["NONE"]
    bench.pulse("forget_i")
    for _ in range(2):
        assert bench.program(*program)[0] == CAUSES["SECRET"]
        assert bench.program(*next_modulus)[0] == CAUSES["SECRET"]
        bench.sim.set(rst_ni=0)
        bench.sim.step(2)
        bench.sim.set(rst_ni=1)
        bench.sim.step()
    bench.pulse("renew_i")
    assert bench.program(*program)[0] == CAUSES["NONE"]


@pytest.mark.parametrize(
    ("program", "public"),
    [
        ([PRODUCT, load(2, error=1), ADD_PRODUCT], True),
        ([PRODUCT, load(2, secret=1), ADD_PRODUCT], False),
        ([PRODUCT, load(2, error=1), CONTEXT, ADD_PRODUCT], False),
        ([PRODUCT, load(2, error=1), word("ADD", dst=1, a=2), PRODUCT, ADD_PRODUCT], False),
    ],
)
def test_errors_from_memory_without_a_sampler(program, public, port):
    cause, _ = ends(port, [*PREPARE, *program, word("STORE", a=2), END], **NO_SAMPLER)
    assert cause == ("NONE" if public else "SECRET")


def test_second_program_starts_with_nothing():
    bench = Sequencer()
    assert bench.program(CONTEXT, load(0), word("SAMPLE"), word("LIFT", dst=1), END) == (0, 4)
    assert bench.program(load(0), END) == (CAUSES["EMPTY"], 0)
    assert bench.program(CONTEXT, word("STORE", a=0), END) == (CAUSES["EMPTY"], 1)
    assert bench.program(CONTEXT, word("LIFT", dst=0), END) == (CAUSES["EMPTY"], 1)
    assert bench.program(CONTEXT, word("EXPAND", dst=0, first=1), END) == (0, 2)
    assert bench.program(CONTEXT, word("EXPAND", dst=0), END) == (CAUSES["ILLEGAL"], 1)


# ---- program memory -------------------------------------------------------------------------------------------------
def test_program_ends_where_writing_did():
    bench = Sequencer()
    bench.start()
    assert bench.run() == (CAUSES["PROGRAM"], 0)  # nothing written
    bench.write([CONTEXT, CONTEXT, END])
    bench.write([END], at=5)  # behind a gap
    bench.write([CONTEXT], at=2)  # END replaced
    bench.write([END], at=1 << 15)  # outside of the memory
    bench.start()
    assert bench.run() == (CAUSES["PROGRAM"], 3)
    bench.write([END], at=3)
    bench.start()
    assert bench.run() == (0, 3)
    bench.write([CONTEXT])  # a new program
    bench.start()
    assert bench.run() == (CAUSES["PROGRAM"], 1)


def test_start_and_program_are_ignored_while_busy():
    bench = Sequencer(times=lambda unit, instr: 30)
    bench.write([CONTEXT, load(0), END])
    bench.start()
    for _ in range(10):
        bench.tick()
    bench.sim.set(start_i=1, prog_we_i=1, prog_addr_i=2, prog_data_i=63)
    for _ in range(5):
        bench.tick()
    bench.sim.set(start_i=0, prog_we_i=0)
    assert bench.run() == (0, 2)
    assert [pc for _, _, pc, _ in bench.starts] == [0, 1]
    assert not any(bench.tick() for _ in range(20))  # done once
    bench.start()
    assert bench.run() == (0, 2)


# ---- what hangs -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("hanging", [LOAD, COMPUTE])
@pytest.mark.parametrize("way", ["WATCHDOG", "ABORTED"])
def test_what_hangs_is_cleared(way, hanging):
    bench = Sequencer(times=lambda unit, instr: NEVER if unit == hanging and field(instr, "op") != 3 else 10)
    bench.write([CONTEXT, load(0), load(1), word("NTT", dst=0), word("NTT", dst=0), END])
    bench.sim.set(watchdog_i=100 if way == "WATCHDOG" else 0)
    bench.start()
    if way == "ABORTED":
        for _ in range(70):
            bench.tick()
        bench.sim.set(abort_i=1)
        bench.tick()
        bench.sim.set(abort_i=0)
    cause, _ = bench.run()
    assert cause == CAUSES[way]
    last = 100 if way == "WATCHDOG" else 70
    assert last <= bench.sim.get("cycles_o") <= last + 10
    # nothing starts after it, and the next program is not disturbed
    count = len(bench.starts)
    assert not any(bench.tick() for _ in range(20))
    assert len(bench.starts) == count
    assert bench.program(CONTEXT, END) == (0, 1)


@pytest.mark.parametrize("cycles", [5, 6, 7, 8, 9])
def test_watchdog_counts_exactly(cycles):
    """The program CONTEXT, END takes the cycles that the counter shows; with one less allowed, it is a fault."""
    bench = Sequencer()
    assert bench.program(CONTEXT, END) == (0, 1)
    needed = bench.sim.get("cycles_o")
    for limit, cause in ((needed, "NONE"), (needed - 1, "WATCHDOG")):
        bench.sim.set(watchdog_i=limit)
        bench.start()
        assert bench.run()[0] == CAUSES[cause]
    bench.sim.set(watchdog_i=cycles)
    bench.start()
    assert bench.run()[0] == CAUSES["WATCHDOG" if cycles < needed else "NONE"]


def test_stream_without_who_takes_it_ends_after_a_fault():
    stream, secret = word("STREAM"), word("STREAM", secret=1)
    adds, takes = word("LIFT", dst=0, a=0, add=1), word("MSUBS", dst=1, a=1)
    for waiting in ([stream], [adds], [secret], [takes], [secret, adds], [stream, takes], [adds, takes]):
        bench = Sequencer(
            times=lambda unit, instr: (
                NEVER if field(instr, "op") in (4, 18) or (unit == LIFT and field(instr, "add")) else 3
            )
        )
        program = [CONTEXT, load(1), word("SAMPLE"), *waiting, word("STORE", a=2), END]
        assert bench.program(*program) == (CAUSES["EMPTY"], 3 + len(waiting))


def test_abort_of_an_idle_core_is_nothing():
    bench = Sequencer()
    bench.sim.set(abort_i=1)
    bench.tick()
    bench.sim.set(abort_i=0)
    assert bench.program(CONTEXT, END) == (0, 1)


@pytest.mark.parametrize("after", range(4, 40, 5))
def test_reset_in_the_middle(after):
    bench = Sequencer(times=lambda unit, instr: 9)
    bench.write([CONTEXT, load(0), word("NTT", dst=0), word("STORE", a=0), END])
    bench.start()
    for _ in range(after):
        bench.tick()
    bench.sim.set(rst_ni=0)
    bench.sim.step(2)
    bench.running.clear()
    bench.sim.set(rst_ni=1, unit_done_i=0)
    assert [bench.sim.get(name) for name in ("busy_o", "unit_busy_o", "unit_start_o")] == [0, 0, 0]
    bench.start()
    assert bench.run() == (CAUSES["PROGRAM"], 0)  # the program has to be written again
    assert bench.program(load(0), END) == (CAUSES["EMPTY"], 0)


# ---- time -----------------------------------------------------------------------------------------------------------
def test_latencies():
    """README.md, section Time."""
    bench = Sequencer(times=lambda unit, instr: 20)
    free = [CONTEXT, word("SAMPLE", dst=0), load(0), word("NTT", dst=0), word("EXPAND", dst=1, first=1), END]
    bench.write(free)
    first = bench.cycle
    bench.start()
    assert bench.run() == (0, 5)
    start = {pc: cycle for cycle, _, pc, _ in bench.starts}
    done = {pc: start[pc] + 19 for pc in start}
    assert start[0] - first == 8
    assert start[1] - start[0] == 4
    assert start[2] - start[1] == 4
    assert start[3] - done[2] == 3
    assert start[4] - start[3] == 4
    assert bench.cycle - 1 - done[4] == 2  # done_o
    assert bench.sim.get("cycles_o") == bench.cycle - 2 - first


def test_several_loads():
    """A second instruction of LOAD starts beside the first one, but where docs/core.md says that it does not; and a third one."""
    wide, message = load(1, wide=1), word("STREAM", wide=1, signed=1)
    cases = [
        ([load(0), load(1)], True), ([load(0), load(0)], False), ([load(0), wide], False), ([wide, message], False),
        ([message, wide], False), ([load(0), word("STREAM")], True), ([load(0), context(1, 1)], True),
        ([load(0), context(0, 1)], False), ([context(1, 1), load(0)], True), ([context(1, 1), load(0, ctx=1)], True),
        ([context(0, 1), context(1, 2)], False),
    ]  # fmt: skip
    for pair, beside in cases:
        bench = Sequencer(times=lambda unit, instr: 30)
        # LIFT waits for the context of all
        program = [CONTEXT, word("SAMPLE"), word("LIFT", dst=2), *pair, word("LIFT", dst=2, add=1), END]
        assert bench.program(*program) == (0, 6)
        start = {pc: cycle for cycle, _, pc, _ in bench.starts}
        assert start[4] - start[3] == (4 if beside else 32), pair

    # three, never four; and none while LOAD has no room
    bench = Sequencer(times=lambda unit, instr: 30)
    polynomials = [load(0), load(1), load(2), load(0)]
    assert bench.program(CONTEXT, word("SAMPLE"), word("LIFT", dst=2), *polynomials, END) == (0, 7)
    start = [cycle for cycle, *_ in bench.starts]
    assert [b - a for a, b in pairwise(start[3:])] == [4, start[2] + 32 - start[4], start[3] + 32 - start[5]]
    bench.sim.set(load_room_i=0)
    bench.write([CONTEXT, load(0), END])
    bench.start()
    assert not any(bench.tick() for _ in range(40))
    assert not bench.starts
    bench.sim.set(load_room_i=1)
    assert bench.run() == (0, 2)


def test_a_load_beside_its_context():
    """It may compare with a modulus that LOAD brings before it; another unit waits for that, and so does a context for who compares."""
    bench = Sequencer(times=lambda unit, instr: 30)
    program = [CONTEXT, load(0), load(1), context(1, 1), word("NTT", dst=0, ctx=1), load(2, ctx=1), context(1, 2), END]
    assert bench.program(*program) == (0, 7)
    start = {pc: cycle for cycle, _, pc, _ in bench.starts}
    assert [start[1] - start[0], start[2] - start[1], start[3] - start[0]] == [4, 4, 32]
    assert start[4] >= start[3] + 30
    assert start[6] == start[5] + 32


def test_fault_of_the_first_of_two_loads():
    """The second one starts and ends, and the first one is to blame; then the second one."""
    for bad in (2, 3):
        bench = Sequencer(
            times=lambda unit, instr: 30,
            faults=lambda unit, instr, bad=bad: 7 if unit == LOAD and field(instr, "offset") == bad else 0,
        )
        program = [CONTEXT, load(0), load(1, offset=2), load(2, offset=3), END]
        assert bench.program(*program) == (CAUSES["BUS_READ"], bad)
        assert [pc for _, _, pc, _ in bench.starts] == [0, 1, 2, 3]
        assert len(bench.ends) == 4


def test_counters():
    bench = Sequencer(
        times=lambda unit, instr: {LOAD: 10, STORE: 20, COMPUTE: 30, SAMPLE: 40, LIFT: 50, EXPAND: 60}[unit]
    )
    program = [
        CONTEXT, word("SAMPLE"), load(0), word("LIFT", dst=1), word("NTT"), word("EXPAND", dst=2, first=1),
        word("STORE"),
    ]  # fmt: skip
    for _ in range(2):
        assert bench.program(*program, END) == (0, 7)
        counts = [bench.sim.get("unit_cycles_o") >> 32 * unit & 0xFFFFFFFF for unit in range(7)]
        assert counts == [18, 20, 30, 40, 50, 60, 0]  # CONTEXT and LOAD, which starts 8 cycles later, side by side


def test_addresses():
    bench = Sequencer()
    pointers = [(0x1234_5678_9ABC_DE00 << i) % (1 << 64) & ~63 for i in range(32)]
    bench.pointers = pointers
    rng = random.Random(5)
    seen = []
    times = bench.times
    bench.times = lambda unit, instr: seen.append((unit, bench.sim.get("unit_addr_o"))) or times(unit, instr)
    program = [CONTEXT, load(0)]
    program += [word("LOAD" if i % 2 else "STORE", pointer=i, offset=rng.getrandbits(26)) for i in range(16)]
    program += [word("LOADS", dst=1, pointer=15 - i, frame=i, numbers=1 << 4) for i in range(8)]
    bench.program(*program, END)
    for (unit, address), bits in zip(seen, program, strict=True):
        want = (pointers[field(bits, "pointer")] + 64 * field(bits, "offset")) % (1 << 64)
        if OPS[field(bits, "op")][0] == "LOADS":
            frame = field(bits, "frame")
            want = pointers[16 + frame if frame else field(bits, "pointer")]
        assert address >> 64 * unit & (1 << 64) - 1 == want


# ---- any program ----------------------------------------------------------------------------------------------------
CHOICES = {
    "offset": range(4), "domain": (1, 2, 3, 130), "frame": (0, 0, *range(5)), "numbers": range(6), "shift": range(6),
}  # fmt: skip


def random_program(rng):
    """A mostly correct program, so that it does not end at once."""
    program = [context(0, rng.randrange(3)), context(1, rng.randrange(4), odd=rng.randrange(2))]
    program += (
        [sample(0, rng.choice((1, 2, 3))), sample(1, rng.choice((1, 2)), ternary=1)] if rng.random() < 0.8 else []
    )
    program += [load(g, secret=rng.randrange(2)) for g in range(3)]
    while len(program) < 20:
        dst = rng.randrange(3)
        if rng.random() < 0.15:
            secret = (dst + 1) % 3
            slot, domain, masks = rng.randrange(2), rng.choice((2, 2, 3, 1)), rng.random() < 0.7
            program += [load(secret, secret=1), word("MUL", dst=secret, a=secret, b=(dst + 2) % 3)]
            frame, ctx = rng.randrange(5), rng.randrange(2)
            program += [sample(slot, domain, frame)]
            program += [context(ctx, rng.randrange(4), odd=frame & 1)] if rng.random() < 0.5 else []
            program += [] if masks else [word("ROUND", dst=slot, a=secret)]
            program += [lift(dst, slot, ctx=ctx)]
            program += [] if masks else [word("MSUBC", dst=dst, a=secret, ctx=ctx)]
            if rng.random() < 0.3:  # the mask to a product, and once more to another one
                again = [word("ADD", dst=secret, a=dst, ctx=ctx), word("STORE", a=secret)]
                program += [*again, load(secret, secret=1), word("MUL", dst=secret, a=secret, b=(dst + 2) % 3), *again]
            else:
                program += [word("ADD", dst=dst, a=secret, ctx=ctx), word("STORE", a=dst)]
        if rng.random() < 0.05:
            program += [word("TWIDDLES", dst=ctx, part=part) for ctx in range(2) for part in rng.sample((1, 2, 3), 3)]
            program += [word("INTT", dst=dst, ctx=rng.randrange(2), part=part) for part in (1, 2, 3)]
        name, op = OPS[rng.choice([*range(1, 26), *range(30, 34)])]
        values = {}
        for key in [key for key in ("dst", "a", "b") if key in op] + op.get("uses", []):
            if key in CHOICES:
                values[key] = rng.choice(CHOICES[key])
            elif key in ("dst", "a", "b"):
                values[key] = rng.randrange({"group": 3, "slot": 2, "context": 2}[op[key]]) + (rng.random() < 0.01)
            elif key == "part":
                values[key] = rng.choice((0, 0, 0, 1, 2, 3)) if name == "TWIDDLES" else max(0, rng.randrange(40) - 36)
            else:
                values[key] = rng.randrange(2)
        if (op["unit"] == "STORE" or name in ("ROOTS", "IFFT", "FFT", "CONSTANTS")) and rng.random() < 0.8:
            continue
        program.append(word(name, **values))
    return [*program[:31], END]


@pytest.mark.parametrize("seed", range(4))
def test_any_program(seed, port):
    rng = random.Random(seed)
    ends = []
    bench = Sequencer(times=lambda unit, instr: rng.choice([1, 2, 5, 30]))
    with Judge(port) as judge:
        for frame in range(4):
            judge.renew(frame)
        for _ in range(60):
            program = random_program(rng)
            for frame in range(4):
                if rng.random() < 0.7:
                    judge.renew(frame)
                    bench.sim.set(frame_i=frame)
                    bench.pulse("renew_i")
            cause, at = judge.program(*program)
            assert bench.program(*program) == (CAUSES[cause], at)
            check_order(bench, program, cause, at)
            ends.append(cause)
    assert {"NONE", "SECRET"} <= set(ends)


def check_order(bench, program, cause, at):
    """All before the fault have started in order, each once, and have ended."""
    assert [pc for _, _, pc, _ in bench.starts] == list(range(at))
    assert [bits for *_, bits in bench.starts] == program[:at]
    ended, started = (Counter(unit for _, unit, *_ in events) for events in (bench.ends, bench.starts))
    # after a fault a LIFT or an MSUBS that waits for a STREAM is dropped
    dropped = started - ended
    assert not ended - started
    assert dropped <= Counter([LIFT, COMPUTE] if cause != "NONE" else [])
    last = {unit: bits for _, unit, _, bits in bench.starts}
    assert COMPUTE not in dropped or OPS[field(last[COMPUTE], "op")][0] == "MSUBS"
