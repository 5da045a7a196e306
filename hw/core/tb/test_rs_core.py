# SPDX-License-Identifier: Apache-2.0
"""rs_core: random programs compared with the model (every unit, memories with waits), faults, reset, zeroise, constant time."""

import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from core_model import BASE, FORMATS, Modulus, Software, lines_of, numbers, primes, roots_image
from rs_cocotb import ROOT

from open_core import OpenCore
from ringside.designs import Design
from ringside.sim.asm import assemble, disassemble, instruction
from ringside.sim.core import Memory, model
from ringside.sim.verilate import build_model

SIZE = 1 << 21
FRAMES = 8  # frames of a core with encode


def design(lanes, width=32, twiddles="on_the_fly", groups=4, slots=2, bus_bits=64, contexts=2, **more):
    values = {
        "name": "test",
        "source": "test",
        "lanes": lanes,
        "word_bits": width,
        "log_n_min": max(9, lanes.bit_length() + 3),
        "log_n_max": max(11, lanes.bit_length() + 5),
        "bank_groups": groups,
        "contexts": contexts,
        "twiddles": twiddles,
        "slots": slots,
        "sample_lanes": min(4 * lanes, bus_bits // (32 if width <= 32 else 64), 4),
        "keccak_cores": 2,
        "ternary_bytes": 1,
        "expand": True,
        "expand_words": 1,
        "keccak": "separate",
        "keccak_slices": 64,
        "bus_bits": bus_bits,
        "outstanding": 4,
        "program_depth": 128,
    }
    return Design(**(values | more))


DESIGNS = {
    "P1": design(1, keccak="shared", keccak_slices=32, keccak_cores=1, stream_factor=True, bus_bits=64),
    "P4-reduce": design(4, 32, "stored", groups=5, slots=3, bus_bits=128, keccak="shared", expand_words=2, reducers=2),
    "P2-W64": design(2, 64, "on_the_fly", bus_bits=128, keccak="shared", keccak_slices=16, keccak_cores=1, reducers=1),
    "P8-W64": design(8, 64, "on_the_fly", bus_bits=512, slots=1, keccak="shared", expand_words=2),
    "P4-small": design(4, expand=False, log_n_min=8),
    "P4-short": design(4, slots=0, bus_bits=128, burst_lines=4, short=True, expand=False, log_n_min=8, outstanding=8),
    "P16": design(16, 32, "on_the_fly", bus_bits=256, expand_words=4),
    "P32": design(32, 32, "stored", groups=3, bus_bits=512, contexts=1),
    # two residues per beat: its lanes take the halves of operands in turns; EXPAND has no multipliers
    "P4-encode": design(
        4, 32, "stored", groups=5, bus_bits=64, keccak="shared", encode=True, expand_steps=6, program_depth=256
    ),
    "P1-encode": design(1, 54, "stored", bus_bits=128, keccak="shared", encode=True),
    "P8-encode": design(8, 64, "stored", groups=4, slots=2, contexts=2, bus_bits=256, encode=True),
}
# RTL of other targets than the default: other products, of standard cells also other memories and buffers of hashes
TARGETS = {"cells": ["RS_MUL_CELLS"], "tiles": ["RS_MUL_TILE_B=18"]}
DESIGNS |= {
    "P1-cells": replace(DESIGNS["P1"], name="cells", keccak_slices=16),
    "P1-encode-cells": replace(DESIGNS["P1-encode"], name="cells"),
    "P4-encode-cells": replace(DESIGNS["P4-encode"], name="cells"),
    "P4-reduce-cells": replace(DESIGNS["P4-reduce"], name="cells"),
    "P4-encode-tiles": replace(DESIGNS["P4-encode"], name="tiles"),
}
FAST = ("P1", "P4-encode", "P1-cells")
every_design = pytest.mark.parametrize(
    "name", [name if name in FAST else pytest.param(name, marks=pytest.mark.soak) for name in DESIGNS]
)


@cache
def registers():
    text = (ROOT / "lib" / "include" / "ringside" / "regs.h").read_text(encoding="utf-8")
    return {name: int(value, 0) for name, value in re.findall(r"RS_REG_(\w+) =\s+(\w+)", text)}


def not_zero(dut, paths):
    """Bytes of secrets below these instances that are not wiped."""
    found = 0
    for path in paths:
        count, wrong = dut.core.look(path)
        assert count > 0, f"nothing to look at in {path}"
        found += wrong
    return found


@cache
def faults():
    text = (ROOT / "lib" / "include" / "ringside" / "isa.h").read_text(encoding="utf-8")
    return {int(value): name for name, value in re.findall(r"RS_FAULT_(\w+) =\s+(\d+)", text)}


def library(wanted):
    """The model, whose memories can be looked at."""
    plain, own = model(wanted, checked=True), Path(__file__).with_name("memories.vlt")
    return build_model(replace(plain, sources=[own, *plain.sources], macros=TARGETS.get(wanted.name, ())))


class Dut:
    """A core, one of DESIGNS or another, the expected contents of its memory, and room for polynomials and contexts."""

    core_library = staticmethod(library)

    def __init__(self, wanted, log_n=10, **memory):
        self.design = wanted if isinstance(wanted, Design) else DESIGNS[wanted]
        self.log_n = log_n
        settings = {"size": SIZE, "address": BASE, "latency": 5, "wait_cycles": 1 << 22} | memory
        self.core = OpenCore(self.core_library(self.design), Memory(**settings))
        self.memory = bytearray(settings["size"])
        self.next = 0
        self.wait_wiped()

    def close(self):
        assert not self.core.message
        self.core.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def wait_wiped(self):
        while self.unalarmed() >> registers()["STATUS_ZEROIZING_SHIFT"] & 1:
            pass

    def unalarmed(self):
        """STATUS, without an alert: nobody has flipped anything."""
        word = self.core.read(registers()["STATUS"])
        assert word >> registers()["STATUS_ALERT_SHIFT"] & 3 == 0
        return word

    def place(self, data):
        """Its address, from the start of memory."""
        address = self.next
        self.memory[address : address + len(data)] = data
        self.next += -(-len(data) // 64) * 64
        assert self.next <= len(self.memory)
        return address

    def start(self, words, log_n=None, pointers=(BASE, 0), seed=bytes(64), public_seed=bytes(64), frames=()):
        """frames: (number, its private and public seed, its pointer 7)."""
        r, core = registers(), self.core
        core.memory[:] = np.frombuffer(bytes(self.memory), np.uint8)
        self.write_program(words)
        core.write(r["LOG_N"], self.log_n if log_n is None else log_n)
        for i, pointer in enumerate(pointers):
            core.write(r["POINTER"] + 8 * i, pointer & 0xFFFFFFFF)
            core.write(r["POINTER"] + 8 * i + 4, pointer >> 32)
        for frame, private, public, pointer in [*frames, (0, seed, public_seed, None)]:
            core.write(r["FRAME"], frame)
            for i in range(16):
                core.write(r["SEED"] + 4 * i, int.from_bytes(private[4 * i : 4 * i + 4], "little"))
                core.write(r["PUBLIC_SEED"] + 4 * i, int.from_bytes(public[4 * i : 4 * i + 4], "little"))
            for half in range(2 * (pointer is not None)):
                core.write(r["POINTER"] + 56 + 4 * half, pointer >> 32 * half & 0xFFFFFFFF)
        self.doorbell()

    def write_program(self, words):
        r, core = registers(), self.core
        core.write(r["PROGRAM_INDEX"], 0)
        for word in words:
            core.write(r["PROGRAM_LO"], word & 0xFFFFFFFF)
            core.write(r["PROGRAM_HI"], word >> 32)

    def doorbell(self):
        r = registers()
        for command in ("CLEAR_IRQ", "START"):
            self.core.write(r["CONTROL"], 1 << r[f"CONTROL_{command}_SHIFT"] | 1 << r["CONTROL_IRQ_ENABLE_SHIFT"])

    def status(self):
        """(cause, pc) of the last program."""
        word = self.unalarmed()
        return faults()[word >> registers()["STATUS_CAUSE_SHIFT"] & 15], word >> registers()["STATUS_PC_SHIFT"]

    def run(self, words, **given):
        self.start(words, **given)
        job = self.core.wait()
        return (*self.status(), job)


class Twin(Dut):
    """The model beside a core, with the same memory before each program."""

    def __init__(self, port, dut):
        self.design, self.log_n, self.memory = dut.design, dut.log_n, dut.memory
        self.core = Software(port, dut.design, len(dut.memory), dut.core.memory_address)

    def close(self):
        self.core.close()


class Alone(Twin):
    """The model without a core."""

    def __init__(self, port, wanted, log_n):
        self.design, self.log_n, self.memory = wanted, log_n, bytearray(SIZE)
        self.core = Software(port, wanted, SIZE)


# ---- random programs -------------------------------------------------------------------------------------------------
class Writer:
    """A random program without a fault, as text."""

    def __init__(self, dut, twin, rng, bits):
        self.dut, self.twin, self.rng = dut, twin, rng
        d = dut.design
        self.moduli = [Modulus(dut.log_n, q, rng.randrange(q), rng.randrange(q)) for q in primes(dut.log_n, bits, 3)]
        self.wide_only = d.word_bits > 32
        self.lines, self.contexts = [], {}
        self.stored = {}  # lines, by where their results are
        self.pointers = [BASE, 0]
        self.frame, self.free_frames = 0, list(range(1, FRAMES if d.encode else 1))  # whose pointers are free
        self.seeds = {frame: (rng.randbytes(64), rng.randbytes(64)) for frame in (0, *self.free_frames)}
        self.messages = {}  # pointers 7 of frames

    def emit(self, name, **operands):
        self.lines.append((name, operands))

    @property
    def given(self):
        """What is written to registers before a start."""
        (seed, public_seed), *others = self.seeds.values()
        frames = [(f, *seeds, BASE + self.messages.get(f, 0)) for f, seeds in enumerate(others, 1)]
        return {"seed": seed, "public_seed": public_seed, "pointers": self.pointers, "frames": frames}

    def bits(self, group):
        """Of the largest word in fixed point that is there."""
        assert self.twin.run([*map(self.word, self.lines)], **self.given)[0] == "PROGRAM"
        spare = 64 - self.dut.design.word_bits
        words = (self.twin.core.group(group, 1 << self.dut.log_n) << np.uint64(spare)).view(np.int64) >> spare
        return max(int(words.max()), -int(words.min())).bit_length()

    def polynomial(self, q, wide):
        values = [self.rng.choice((0, q - 1, self.rng.randrange(q))) for _ in range(1 << self.dut.log_n)]
        return self.dut.place(np.array(values, np.uint64).astype("<u8" if wide else "<u4").tobytes())

    def words(self):
        """A message: signed words of 64 bits."""
        bits = [self.rng.choice((1, 30, 62, 64)) for _ in range(1 << self.dut.log_n)]
        values = [self.rng.getrandbits(b) - (1 << b - 1) for b in bits]
        return self.dut.place(np.array(values, np.int64).tobytes())

    def load(self, dst, ctx, secret=False):
        wide = self.wide_only or self.rng.random() < 0.3
        short = {name: self.rng.random() < 0.5 for name in ("half", "narrow")} if self.dut.design.short else {}
        q = min(1 << 16, self.contexts[ctx].q) if short.get("narrow") else self.contexts[ctx].q
        address = self.words_of_memory(q, wide, short) if short else self.polynomial(q, wide)
        self.emit("LOAD", dst=dst, ctx=ctx, address=address, wide=wide, secret=secret, ntt=self.ntt, **short)

    def words_of_memory(self, q, wide, short):
        """The words of half a polynomial, or of one in 16 bits."""
        values = [self.rng.randrange(q) for _ in range(1 << self.dut.log_n >> short["half"])]
        kind = "<u2" if short["narrow"] else "<u8" if wide else "<u4"
        return self.dut.place(np.array(values, np.uint64).astype(kind).tobytes())

    def store(self, a):
        wide = self.wide_only or self.rng.random() < 0.3
        address = self.dut.place(bytes((8 if wide else 4) << self.dut.log_n))
        half = {"half": self.rng.random() < 0.5} if self.dut.design.short else {}
        self.emit("STORE", a=a, address=address, wide=wide, ntt=self.ntt, **half)
        self.stored[address] = self.lines[-1]

    def context(self, ctx):
        """Another modulus, at an offset above all before: errors may be lifted to it once. What the groups hold are no residues of it."""
        self.contexts[ctx] = self.rng.choice(self.moduli)
        address = self.dut.place(self.contexts[ctx].bytes(self.dut.design))
        self.left[ctx] = {2, 3}
        self.emit("CONTEXT", dst=ctx, address=address, odd=self.frame % 2 == 1)
        for group in range(self.dut.design.bank_groups):
            self.load(group, ctx)

    def pieces(self, ctx):
        """Products with constants alone; with encode, an INTT in three parts, whose twiddles come to two contexts in turns."""
        rng, d = self.rng, self.dut.design
        modulus = rng.choice(self.moduli)
        image = modulus.bytes(d)
        address = self.dut.place(image)
        x, y = rng.sample(range(d.bank_groups), 2)
        others = [c for c in range(d.contexts) if c != ctx and d.encode]
        for c in [ctx, *others]:
            self.emit("CONSTANTS", dst=c, address=address)
            self.contexts[c] = modulus
        self.ntt = True
        self.load(x, ctx)
        self.load(y, ctx)
        self.emit("MAC", dst=x, a=y, b=x, ctx=ctx)
        if others:
            quarter = (len(image) - 64) // 4
            places = {1: 64 + 2 * quarter, 2: 64 + quarter, 3: 64}
            for part in (1, 2, 3):
                other = (others[0], ctx)[part % 2]
                self.emit("TWIDDLES", dst=other, address=address + places[part], part=part)
                self.emit("INTT", dst=x, ctx=other, part=part)
            self.ntt = False
            self.store(x)
            self.emit("TWIDDLES", dst=others[0], address=address + 64)
            self.emit("NTT", dst=x, ctx=others[0])
            self.ntt = True
        self.store(x)
        self.ntt = False
        for c in [ctx, *others]:
            self.context(c)

    def sample(self, slot):
        """An error, or a ternary one in every second slot."""
        ternary = slot % 2 == 1
        self.kinds[slot] = 1 if ternary else self.rng.choice((2, 3))
        self.emit("SAMPLE", dst=slot, domain=self.kinds[slot], frame=self.frame, ternary=ternary)

    def next_frame(self):
        """Other seeds: with the first sample the moduli begin anew."""
        self.frame += self.rng.randint(1, 2)
        self.kinds.clear()
        for slot in range(self.dut.design.slots):
            self.sample(slot)
        for ctx in range(self.dut.design.contexts):
            self.context(ctx)

    def lift(self, dst, slot, ctx):
        """A slot to dst, made public: times a public polynomial if it is ternary, and masked. What else this takes is loaded anew."""
        groups, rng = self.dut.design.bank_groups, self.rng
        other, factor = (dst + 1) % groups, (dst + 2) % groups
        masks = [s for s, domain in self.kinds.items() if domain in self.left[ctx]]
        if self.kinds[slot] == 1:
            if not masks:
                return
            self.emit("LIFT", dst=other, a=slot, ctx=ctx, factor=rng.random() < 0.7)
            slot = rng.choice(masks)
        elif slot in masks:
            self.load(other, ctx, secret=True)
        else:
            return
        self.left[ctx].discard(self.kinds[slot])
        if self.dut.design.stream_factor and rng.random() < 0.5:
            self.emit("LIFT", dst=dst, a=slot, ctx=ctx)
            self.emit("NTT", dst=dst, ctx=ctx)
            self.ntt = True
            self.load(other, ctx)
            self.times_stream(dst, other, ctx)
            self.store(dst)
            self.ntt = False
            self.emit("INTT", dst=dst, ctx=ctx)
            self.load(other, ctx)
            return
        self.emit("MUL", dst=other, a=other, b=factor, ctx=ctx)
        add = rng.random() < 0.5
        if add:
            if self.dut.design.reducers and rng.random() < 0.7:
                self.emit("STREAM", ctx=ctx, address=self.words(), wide=True, signed=True)
            else:
                wide = self.wide_only or rng.random() < 0.3
                address = self.polynomial(self.contexts[ctx].q, wide)
                self.emit("STREAM", ctx=ctx, address=address, wide=wide)
        if groups > 2 and rng.random() < 0.5:
            self.emit("LIFTON", dst=dst, a=slot, b=other, ctx=ctx, add=add)
        else:
            self.emit("LIFT", dst=dst, a=slot, ctx=ctx, add=add)
            self.emit("ADD", dst=dst, a=other, ctx=ctx)
        self.load(other, ctx)

    def times_stream(self, dst, a, ctx):
        """MSUBS; operands are in NTT form."""
        wide = self.wide_only or self.rng.random() < 0.3
        address = self.polynomial(self.contexts[ctx].q, wide)
        self.emit("STREAM", ctx=ctx, address=address, wide=wide, secret=True)
        self.emit("MSUBS", dst=dst, a=a, ctx=ctx)

    def pointer(self, address):
        """Where it is, as the pointer and the frame of an instruction: in a register of its own, or in pointer 7 of a frame."""
        if self.free_frames and self.rng.random() < 0.5:
            frame = self.free_frames.pop(self.rng.randrange(len(self.free_frames)))
            self.messages[frame] = address
            return self.rng.randrange(16), frame
        number = len(self.pointers)
        self.pointers.append(BASE + address)
        return number, 0

    def load_slots(self, dst):
        """Numbers of any format and size, so that slots stay in the unit disc."""
        rng, d = self.rng, self.dut.design
        kind, parts = rng.randrange(len(FORMATS)), rng.randint(1, 2)
        limits, count = np.iinfo(FORMATS[kind]), rng.randint(1, 1 << self.dut.log_n - 1)
        values = np.random.default_rng(rng.getrandbits(32)).integers(
            limits.min, limits.max, count * parts, endpoint=True, dtype=limits.dtype
        )
        shift = d.word_bits - 2 - limits.bits - rng.randint(0, 3)
        address = self.dut.place(values.astype(FORMATS[kind]).tobytes())
        pointer, frame = self.pointer(address)
        self.emit("LOADS", dst=dst, pointer=pointer, numbers=numbers(kind, shift, count, parts), frame=frame)

    def store_slots(self, a):
        """In a format that holds them."""
        rng = self.rng
        kind, parts, count = rng.choice((0, 2, 4, 5)), rng.randint(1, 2), rng.randint(1, 1 << self.dut.log_n - 1)
        shift = np.iinfo(FORMATS[kind]).bits - 2 - self.bits(a) - rng.randint(0, 3)
        field = numbers(kind, shift, count, parts)
        address = self.dut.place(b"\xff" * lines_of(field))
        pointer, frame = self.pointer(address)
        self.emit("STORES", a=a, pointer=pointer, numbers=field, frame=frame)
        self.stored[address] = self.lines[-1]

    def encode(self, ctx, roots):
        """Residues to words, their transforms there and back, and words to residues; a context holds roots meanwhile."""
        rng, d = self.rng, self.dut.design
        q = self.contexts[ctx].q
        shift = d.word_bits - q.bit_length() - rng.randint(12, 20)  # so that a transform's sums fit
        a, b, c, other = rng.sample(range(d.bank_groups), 4)
        self.context(ctx)
        factor, added = rng.getrandbits(d.word_bits), rng.getrandbits(d.word_bits)
        self.emit("ROOTS", dst=roots, address=self.dut.place(roots_image(d, self.dut.log_n, factor, added)))
        self.sample(0)
        whole = (
            {"whole": True} if rng.random() < 0.5 else {}
        )  # the mean is not 0 then, and there is one word N times as large
        self.emit("CENTRE", dst=b, a=a, ctx=ctx, shift=shift - 8 * len(whole) & 255, **whole)
        words = b
        if rng.random() < 0.5:
            b, c = (b, c) if rng.random() < 0.5 else (c, b)
            self.emit("SCALEW", dst=b, a=words, ctx=roots)
        if rng.random() < 0.5:
            self.emit("MACW", dst=b, a=words, ctx=roots)
        self.emit("FFT", dst=b, ctx=roots)
        self.store_slots(b)
        if rng.random() < 0.5:  # else what is public is lifted
            self.load_slots(b)
        self.emit("IFFT", dst=b, ctx=roots)
        if rng.random() < 0.5:
            self.emit("SCALEW", dst=b, a=b, ctx=roots)
        shift = q.bit_length() - 1 - self.bits(b) - rng.randint(0, 9)
        self.emit("LIFTW", dst=c, a=0, b=b, ctx=ctx, shift=shift & 255)
        self.load(a, ctx, secret=True)
        self.emit("MUL", dst=a, a=a, b=other, ctx=ctx)
        self.emit("ADD", dst=c, a=a, ctx=ctx)
        self.store(c)
        for context in range(d.contexts):
            self.context(context)

    def program(self, steps):
        """Groups hold coefficient form or NTT form throughout, as the flags of LOAD, STORE and LIFT say. Both orders are tried."""
        rng, d = self.rng, self.dut.design
        self.ntt = False
        self.left, self.kinds = {}, {}
        for ctx in range(d.contexts):
            self.context(ctx)
        ctx = d.contexts - 1
        if d.stream_factor:
            self.ntt = True
            self.load(0, ctx)
            self.load(1, ctx)
            self.times_stream(0, 1, ctx)
            self.times_stream(1, 1, ctx)
            self.store(0)
            self.store(1)
            self.ntt = False
            self.load(0, ctx)
            self.load(1, ctx)
        if d.encode:
            if rng.random() < 0.5:
                self.next_frame()
            self.encode(ctx, 0)
        for slot in range(d.slots):
            self.sample(slot)
        expanded = pieced = False
        for _ in range(steps):
            name = rng.choice(
                [
                    "NTT+INTT", "MUL", "MAC", "MSUB", "ADD", "SUB", "SCALE", "MSUBC", "LIFT", "EXPAND", "LOAD", "STORE",
                    "PIECES", "CTX",
                ]
            )  # fmt: skip
            dst, a, b = (rng.randrange(d.bank_groups) for _ in range(3))
            if name == "NTT+INTT":
                self.emit("NTT", dst=dst, ctx=ctx)
                if rng.random() < 0.5:
                    self.ntt = True
                    self.store(dst)
                    self.ntt = False
                self.emit("INTT", dst=dst, ctx=ctx)
            elif name == "LIFT" and d.slots:
                self.lift(dst, rng.randrange(d.slots), ctx)
            elif name == "EXPAND" and not expanded and d.expand:
                frame = rng.choice([*self.seeds])
                self.emit("EXPAND", dst=dst, ctx=ctx, limbs=2, frame=frame, first=True)
                self.emit("EXPAND", dst=a, ctx=ctx, limbs=2, frame=frame)
                # its order is that of NTT form
                self.ntt = True
                self.store(dst)
                self.ntt = False
                for group in {dst, a}:
                    self.load(group, ctx)
                expanded = True
            elif name == "LOAD":
                self.load(dst, ctx)
            elif name == "STORE":
                self.store(a)
            elif name == "PIECES" and not pieced and len(self.lines) < 70:
                self.pieces(ctx)
                pieced = True
            elif name == "CTX" and d.encode and self.frame + 2 < FRAMES and len(self.lines) < 80:
                self.next_frame()
            elif name == "CTX":
                ctx = rng.randrange(d.contexts)
                self.context(ctx)
            elif name in ("MUL", "MAC", "MSUB"):
                self.emit(name, dst=dst, a=a, b=b, ctx=ctx)
            elif name in ("ADD", "SUB", "SCALE", "MSUBC"):
                self.emit(name, dst=dst, a=a, ctx=ctx)
        if d.slots:
            # an error rounded with a product, the product's multiple subtracted, a product added
            self.context(ctx)
            third = min(2, d.bank_groups - 1)  # there may be two
            for slot in range(d.slots):
                self.lift(third, slot, ctx)
            self.context(ctx)
            self.kinds.clear()
            self.sample(0)
            self.load(0, ctx, secret=True)
            self.emit("MUL", dst=0, a=0, b=third, ctx=ctx)
            self.emit("ROUND", dst=0, a=0, ctx=ctx)
            self.emit("LIFT", dst=1, a=0, ctx=ctx)
            self.emit("MSUBC", dst=1, a=0, ctx=ctx)
            self.emit("ADD", dst=1, a=0, ctx=ctx)
        self.store(1)
        return [*map(self.word, self.lines), *assemble("END")]

    @staticmethod
    def word(line):
        name, operands = line
        fields = {key: int(value) for key, value in operands.items() if key != "address"}
        return instruction(name, **fields, offset=operands.get("address", 0) // 64)


MEMORIES = (
    {"latency": 1, "slave": "data_first"},
    {"latency": 30, "stall": 100, "slave": "any"},
    {"latency": 7, "bandwidth": 4, "outstanding": 2, "slave": "together"},
)


def same(writer, words, cause, pc):
    """The model ends like that too, and with the memory of the core."""
    dut, twin = writer.dut, writer.twin
    assert cause == "NONE", f"{cause} at {pc}: {disassemble(words[pc])}"
    assert twin.run(words, **writer.given)[:2] == (cause, pc)
    assert not twin.core.misuse
    wrong = np.flatnonzero(twin.core.memory != dut.core.memory)
    if len(wrong):
        last = writer.stored[max(place for place in writer.stored if place <= wrong[0])]
        pytest.fail(f"byte {wrong[0]:#x} is wrong, from {disassemble(writer.word(last))}")


@every_design
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(4, 9))])
def test_random_programs(name, seed, port):
    rng = random.Random(seed)
    log_n = rng.randint(DESIGNS[name].log_n_min, 11)
    with Dut(name, log_n, **MEMORIES[seed % 3], seed=seed + 1) as dut, Twin(port, dut) as twin:
        bits = rng.choice({32: (30, 24), 54: (54, 40), 64: (60, 40)}[dut.design.word_bits])
        writer = Writer(dut, twin, rng, bits)
        words = writer.program(14)
        same(writer, words, *dut.run(words, **writer.given)[:2])


# ---- what must not pass: a cause, and the core takes the next program ---------------------------------------------------
def small(dut, secret=""):
    """A program that uses every unit, into which a fault can be put, and the positions of its parts."""
    q = primes(10, 30, 1)[0]
    context = dut.place(Modulus(10, q, 1, 1).bytes(dut.design))
    data = dut.place(np.arange(1024, dtype="<u4").tobytes())
    out = dut.place(bytes(4096))
    text = f"""CONTEXT ctx0 [p0 + {context:#x}]
        LOAD g0 ctx0 [p0 + {data:#x}] {secret}
        NTT g0 ctx0
        INTT g0 ctx0
        STORE g0 [p0 + {out:#x}]
        END"""
    return assemble(text), context, data, out


def healthy(dut, out):
    """The core still works."""
    words, _, _, out = small(dut)
    cause, _, _ = dut.run(words)
    assert cause == "NONE"
    assert dut.core.memory[out : out + 4096].tobytes() == np.arange(1024, dtype="<u4").tobytes()


def patch(words, pc, text):
    return [*words[:pc], *assemble(text), *words[pc + 1 :]]


FAULTS = {
    "illegal operation": (2, ".word 0x3f", "ILLEGAL"),
    "a field that is not used": (2, disassemble(instruction("NTT", ntt=1)), "ILLEGAL"),
    "a slice": (2, disassemble(instruction("NTT", slices=1)), "ILLEGAL"),
    "group": (2, "NTT g9 ctx0", "RANGE"),
    "context": (2, "NTT g0 ctx3", "RANGE"),
    "slot": (2, "SAMPLE s3 1", "RANGE"),
    "alignment": (1, "LOAD g0 ctx0 [p2 + 0x40]", "ALIGN"),
    "a pointer that is not set": (1, "LOAD g0 ctx0 [p8 + 0x0]", "ALIGN"),
    "one that is not set, for writing": (4, "STORE g0 [p7 + 0x40]", "ALIGN"),
    "an offset does not set it": (1, "LOAD g0 ctx0 [p15 + 0x40]", "ALIGN"),
    "empty group": (2, "MUL g0 g1 g0 ctx0", "EMPTY"),
    "empty context": (1, "LOAD g0 ctx1 [p0 + 0x0]", "EMPTY"),
    "empty slot": (2, "LIFT g0 s1 ctx0", "EMPTY"),
    "secret": (1, "LOAD g0 ctx0 [p0 + {data:#x}] secret", "SECRET"),
    "sampled secret": (3, "SAMPLE s0 1\nLIFT g0 s0 ctx0", "SECRET"),
    "sampled secret times 1 plus 0": (
        3,
        "SAMPLE s0 1 ternary\nLIFT g1 s0 ctx0 factor\nLOAD g2 ctx0 [p0 + {data:#x}]\nMAC g0 g1 g2 ctx0",
        "SECRET",
    ),
    "no bus there": (1, "LOAD g0 ctx0 [p1 + 0x0]", "BUS_READ"),
    "no bus there for writing": (4, "STORE g0 [p1 + 0x0]", "BUS_WRITE"),
    "residues": (1, "LOAD g0 ctx0 [p0 + {context:#x}]", "RESIDUE"),
    "modulus": (0, "CONTEXT ctx0 [p0 + {data:#x}]", "CONTEXT"),
    "no end": (5, "NTT g0 ctx0", "PROGRAM"),
    "nothing to add": (2, "SAMPLE s0 1\nLIFT g0 s0 ctx0 add", "WATCHDOG"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_faults(what):
    pc, text, expected = FAULTS[what]
    with Dut("P1") as dut:
        words, context, data, out = small(dut)
        text = text.format(data=data, context=context)
        dut.core.write(registers()["WATCHDOG"], 1 << 17)
        cause, at, _ = dut.run(patch(words, pc, text), pointers=(BASE, BASE << 1, BASE + 32))
        assert cause == expected
        if expected != "WATCHDOG":
            assert at == (4 + text.count("\n") if expected == "SECRET" else pc + (expected == "PROGRAM"))
        if expected != "PROGRAM":
            assert not dut.core.memory[out : out + 4096].any()
        healthy(dut, out)


@pytest.mark.parametrize("log_n", [0, 8, 12, 31])
def test_degree(log_n):
    with Dut("P1") as dut:
        words, *_, out = small(dut)
        assert dut.run(words, log_n=log_n)[0] == "LOG_N"
        healthy(dut, out)


def test_watchdog_abort_and_reset_in_the_middle():
    r = registers()
    with Dut("P1", latency=200) as dut:
        words, *_, out = small(dut)
        dut.core.write(r["WATCHDOG"], 900)
        assert dut.run(words)[0] == "WATCHDOG"
        dut.core.write(r["WATCHDOG"], 1 << 28)
        healthy(dut, out)
        for reads in (5, 50, 500, 1500):
            dut.start(words)
            for _ in range(reads):
                dut.core.read(r["CYCLES"])
            dut.core.write(r["CONTROL"], 1 << r["CONTROL_ABORT_SHIFT"] | 1 << r["CONTROL_IRQ_ENABLE_SHIFT"])
            dut.core.wait()
            assert dut.status()[0] == "ABORTED"
            healthy(dut, out)
            dut.start(words)
            for _ in range(reads):
                dut.core.read(r["CYCLES"])
            dut.core.reset()
            dut.wait_wiped()
            healthy(dut, out)


def test_cycles_do_not_depend_on_secrets():
    """Seeds, messages and keys: the same instructions in the same cycles."""
    seen = set()
    for seed in range(3):
        rng = random.Random(seed)
        with Dut("P1") as dut:
            q = primes(10, 30, 1)[0]
            places = [dut.place(Modulus(10, q, 1, 1).bytes(dut.design))]
            places += [dut.place(np.array([rng.randrange(q) for _ in range(1024)], "<u4").tobytes()) for _ in range(2)]
            text = """CONTEXT ctx0 [p0 + {0:#x}]
                SAMPLE s0 1 ternary
                SAMPLE s1 2
                LIFT g0 s0 ctx0 factor
                LOAD g1 ctx0 [p0 + {1:#x}] secret
                NTT g0 ctx0
                STREAM ctx0 [p0 + {2:#x}]
                LIFT g2 s1 ctx0 add
                NTT g2 ctx0
                MAC g2 g0 g1 ctx0
                ROUND s1 g2 ctx0
                END"""
            cause, _, job = dut.run(assemble(text.format(*places)), seed=rng.randbytes(64))
            assert cause == "NONE"
            seen.add((job.cycles, tuple((event.pc, event.start, event.end) for event in job.events)))
    assert len(seen) == 1


# ---- what flip-flops and memories hold before the first reset -------------------------------------------------------------
ZEROS, RANDOM = 0, (1, 3)  # values of Memory.seed


def life(port, name, start, seed):
    """What shows of a core that holds other values at first: registers, results, the cycle of everything, also after a reset in mid-program."""
    r, rng, seen = registers(), random.Random(seed), []
    with Dut(name, DESIGNS[name].log_n_min, latency=7, seed=start) as dut, Twin(port, dut) as twin:

        def look():
            names = (
                "ID", "FEATURES", "CONTROL", "STATUS", "LOG_N", "CYCLES", "PROGRAM_INDEX", "KEY_USE", "POINTER", "SEED",
            )  # fmt: skip
            seen.append(
                [dut.core.read(r[register] + 4 * i) for register in names for i in range(1 + 5 * (register == "SEED"))]
            )
            seen.append([dut.core.read(r["BUSY"] + 4 * unit) for unit in range(6)])
            seen.append((dut.core.cycles, bytes(dut.core.memory)))

        look()
        writer = Writer(dut, twin, rng, min(60, dut.design.word_bits - 2))
        words = writer.program(6)
        given = writer.given
        cause, pc, job = dut.run(words, **given)
        same(writer, words, cause, pc)
        seen.append((job.cycles, job.busy, job.active, [(e.unit, e.pc, e.start, e.end) for e in job.events]))
        look()
        dut.start(words, **given)
        for _ in range(rng.randrange(100, 400)):
            dut.core.read(r["CYCLES"])
        dut.core.reset()
        dut.wait_wiped()
        look()
        cause, _, job = dut.run(words, **given)
        seen.append((cause, job.cycles))
        look()
    return seen


@every_design
def test_nothing_depends_on_what_is_there_at_first(name, port):
    """Flip-flops and memories that begin with zeros or with any bits: all is the same in every cycle that can be seen from outside."""
    expected = life(port, name, ZEROS, 1)
    for start in RANDOM:
        assert life(port, name, start, 1) == expected


@pytest.mark.soak
@pytest.mark.parametrize("name", DESIGNS)
def test_nothing_depends_on_what_is_there_at_first_longer(name, port):
    for seed in range(2, 6):
        expected = life(port, name, ZEROS, seed)
        for start in range(1, 20, 2):
            assert life(port, name, start, seed) == expected, f"seed {seed}, start {start}"
