# SPDX-License-Identifier: Apache-2.0
"""rs_pipe_unit in a simulator, with its slots and groups, and a memory that can be slow."""

import ctypes
import random
from functools import cache

import numpy as np
from axi_memory import Memory
from rs_channels import Bundled
from rs_cocotb import HW, Model, whole
from rs_orders import orders
from stream_design import Design

from ringside.native.library import ffi, lib
from ringside.sim import build
from ringside.sim.asm import instruction
from ringside.sim.sources import Harness
from ringside.sim.verilate import pack

LOOKING = Harness(("look.cpp", "model.cpp"), ("harness.cpp", "model.h", "print.h", "harness.h"))
PIPEKEY, PIPE, PIPED, DRAIN, PIPEM = 26, 27, 28, 29, 42
NONE, BUS_READ, BUS_WRITE, RESIDUE, CONTEXT, VALUE = 0, 7, 8, 9, 10, 15
V = 8  # values in a row of a slot
LINE = 64
BASE = 0xC_0000_0000
SIZE = 1 << 21
OUTSTANDING = 64
MOVES = ("arvalid_o", "awvalid_o", "wvalid_o", "slot_req_o", "chunk_req_o", "done_o", "idle_o", "active_o")


def pipe_sources():
    return [HW / "stream" / "tb" / "memories.vlt", *whole("rs_pipe_unit")]


def turned(array):
    """Position k of a polynomial holds its coefficient brv(k)."""
    return np.asarray(array)[orders(len(array))]


def integers(rows, width):
    return [int.from_bytes(row.tobytes(), "little") for row in pack(rows, width)]


@cache
def model_of(design, log_n):
    return Model(1 << log_n, design.bits)


class Bench:
    def __init__(self, design: Design, files=None, encode=False):
        self.design = design
        parameters = {name: value for name, value in design.parameters.items() if name != "Contexts"}
        parameters |= {"ChunkWords": V, "Outstanding": OUTSTANDING, "Encode": int(encode)}
        self.sim = Bundled(build("rs_pipe_unit", files or pipe_sources(), parameters, harness=LOOKING))
        self.reset()

    def reset(self):
        """And the wipe that follows, with another memory."""
        self.sim.set(rst_ni=0, start_i=0, clear_i=0, wipe_i=0, rvalid_i=0, bvalid_i=0)
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.sim.wait("wiping_o", 0)
        self.memory()

    def memory(self, latency=20, write_latency=10, **options):
        """Another memory, all zeros; counts its cycles anew."""
        common = {"outstanding": OUTSTANDING, "burst_bytes": LINE} | options
        self.reads = Memory(512, BASE, SIZE, latency=latency, **{**common, "slave": "any"})
        self.writes = Memory(512, BASE, SIZE, latency=write_latency, **common)
        self.writes.data = self.reads.data
        self.words = np.frombuffer(self.reads.data, np.uint64)
        self.slots = [np.zeros(1024, np.int64)] * 6
        self.groups = {}
        self.random = random.Random(7)
        self.slot_row, self.chunks = None, [None, None]
        self.time, self.watch, self.moves = 0, False, []
        self.entered, self.faults = [], []

    # ---- a cycle -------------------------------------------------------------------------------------------------------
    def cycle(self, **inputs):
        sim = self.sim
        garbage = self.random.getrandbits
        row, chunk = self.slot_row, self.chunks.pop(0)
        sim.set(
            slot_data_sec_i=garbage(18 * V) if row is None else row,
            chunk_data_sec_i=garbage(2 * self.design.lanes * self.design.width) if chunk is None else chunk,
            **inputs,
        )
        self.reads.drive_read(sim)
        self.writes.drive_write(sim)
        if self.watch:
            self.moves.append(tuple(sim.get(name) for name in MOVES))
        self.slot_row, chunk = None, None
        if sim.get("slot_req_o"):
            self.entered.append(self.time)
            self.slot_row = self.slot_rows[sim.get("slot_first_o")][sim.get("slot_row_o")]
        if sim.get("chunk_req_o"):
            chunk = self.chunk_rows[sim.get("chunk_pos_o") // self.design.lanes]
        self.chunks.append(chunk)
        if sim.get("done_o"):
            self.faults.append(sim.get("fault_o"))
        self.reads.sample_read(sim)
        self.writes.sample_write(sim)
        sim.step()
        self.time += 1

    def cycles(self, count):
        for _ in range(count):
            self.cycle()

    # ---- instructions ----------------------------------------------------------------------------------------------------
    def start(self, op, addr=0, limbs=1, dst=0, groups=None, shift=0):
        """groups: v_0 and v_1, or words of a message and anything, by coefficients."""
        if groups is not None:
            rows = np.stack([turned(v).reshape(-1, self.design.lanes) for v in groups], axis=1)
            self.chunk_rows = integers(rows.reshape(len(rows), -1), self.design.width)
        fields = {"dst": dst, "last_limb": limbs - 1, "words_shift": shift & 255}
        self.cycle(start_i=1, instr_i=instruction(op, **fields), addr_i=addr)
        self.sim.set(start_i=0, instr_i=self.random.getrandbits(64), addr_i=64 * self.random.getrandbits(50))

    def finish(self, limit=20_000):
        """Its fault."""
        self.faults.clear()
        for _ in range(limit):
            self.cycle()
            if self.faults:
                return self.faults.pop()
        raise AssertionError("it is not done")

    def do(self, op, addr=0, **fields):
        self.start(op, addr, **fields)
        return self.finish()

    def put_slots(self, first, small):
        """Three small polynomials to slots from `first` on."""
        rows = np.stack([turned(s).astype(np.int64).astype(np.uint64) & np.uint64(63) for s in small])
        rows = rows.reshape(3, -1, V).transpose(1, 0, 2).reshape(-1, 3 * V)
        self.slot_rows = {**getattr(self, "slot_rows", {}), first: integers(rows, 6)}

    def clear(self):
        self.cycle(clear_i=1)
        self.sim.set(clear_i=0)

    def rest(self, limit=2000):
        """Cycles until it is idle."""
        for cycles in range(limit):
            if self.sim.get("idle_o"):
                self.reads.check_drained()
                self.writes.check_drained()
                return cycles
            self.cycle()
        raise AssertionError("it is not idle")

    def look(self, path=""):
        """Bytes of memories and of registers beside them whose path has this text, and how many are not zero."""
        not_zero = ctypes.c_uint64()
        look = self.sim._lib.rs_sim_look
        look.restype = ctypes.c_uint64
        return look(self.sim._sim, path.encode(), ctypes.byref(not_zero)), not_zero.value

    # ---- memory --------------------------------------------------------------------------------------------------------
    def at(self, address, count):
        first = (address - BASE) // 8
        return self.words[first : first + count]

    def put_key(self, model, address, keys, rounds=True):
        """A key image: its bytes. keys: pk_0 and pk_1 modulo each prime."""
        design, drop = self.design, len(self.design.bits) - 1
        low = 1 << design.log_n_max // 2
        tables = low + model.n // low
        start = address
        for limb, q in enumerate(model.moduli[:drop]):
            image = np.zeros(lib.rs_design_stream_bytes(design.library, model.log_n), np.uint8)
            lib.rs_device_image_stream(design.library, model.pointer, limb, ffi.from_buffer("uint8_t[]", image))
            factor = int(lib.rs_drop_inverse(model.pointer, drop, limb)) if rounds else 1
            factor = factor * design.radix(q) % q
            self.at(address, 8)[:] = np.array([q, 0, 0, 0, 0, 0, factor, factor], np.uint64)
            words = image.view(np.uint64 if design.width > 32 else np.uint32)[:tables]
            address += LINE
            self.at(address, tables)[:] = words
            address += -(-tables // 8) * LINE
            for poly in keys[limb]:
                self.at(address, model.n)[:] = poly
                address += 8 * model.n
        return address - start

    def put_frame(self, model, address, limbs, first):
        """Message and slots of a frame."""
        self.at(address, model.n)[:] = limbs[0].message.view(np.uint64)
        self.put_slots(first, limbs[0].small)

    def results(self, model, address, limbs):
        """c_0 and c_1 of all limbs of a frame."""
        return self.at(address + 8 * model.n, 2 * limbs * model.n).reshape(2, limbs, model.n).copy()


@cache
def bench(design, encode=False):
    return Bench(design, encode=encode)
