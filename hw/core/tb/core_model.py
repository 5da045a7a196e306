# SPDX-License-Identifier: Apache-2.0
"""For benches of the core: lib/tests/model_core.c, its executable specification, and what programs read in memory."""

import ctypes
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from compute_bench import fixed_of, root_image
from rs_cocotb import ROOT
from rs_formal import mutated

from ringside.cycles.slices import context_image
from ringside.designs import Design
from ringside.native import library as native
from ringside.native.library import ffi
from ringside.sim.program import native_design

BASE = 1 << 32  # where memory begins
FORMATS = ("<i1", "<u1", "<i2", "<u2", "<i4", "<i8")  # formats of numbers in memory
COMPLEX, SHIFT, COUNT = 3, 4, 12  # bits of the field that describe them
NAMES = ("model_core_port.c", "model_core.c", "model_fields.c", "model_seal.c", "model_sign.c")


# ---- the model ---------------------------------------------------------------------------------------------------------
def model_library(folder, mutation=None):
    """The model, linked with the library that Python has, which does not tell what instructions are. mutation: a text of it, and its replacement."""
    package = Path(native.__file__).parent
    output = folder / "model_core.so"
    folders = [f"-I{ROOT / 'lib' / name}" for name in ("include", "src", "tests")]
    sources = mutated([ROOT / "lib" / "tests" / name for name in NAMES], mutation, folder)
    sources = [*sources, ROOT / "lib" / "src" / "machine" / "instruction.c", package / "libringside.so"]
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-Wl,-rpath,{package}"]
    subprocess.run(["gcc", *flags, "-DRS_BACKENDS", *folders, *sources, "-o", output], check=True)
    functions = ctypes.CDLL(str(output))
    for name in ("open", "memory", "bus", "group"):
        getattr(functions, f"port_{name}").restype = ctypes.c_void_p
    functions.port_open.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint64]
    return functions


class Software:
    """The model as ringside.sim.core.Core has a core."""

    def __init__(self, port, design, size=1 << 22, address=BASE):
        self.port, self.memory_address = port, address
        given = native_design(design)
        self.state = ctypes.c_void_p(port.port_open(int(ffi.cast("uintptr_t", given)), size, address))
        at = port.port_memory(self.state)
        self.memory = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(at))

    def close(self):
        self.port.port_close(self.state)

    def read(self, offset):
        return self.port.port_read(self.state, offset)

    def write(self, offset, value):
        assert self.port.port_write(self.state, offset, value) == 0, hex(offset)

    def wait(self):
        """It has run at the doorbell."""

    def group(self, number, count):
        """So many words of a group, unsigned."""
        at = self.port.port_group(self.state, number)
        return np.ctypeslib.as_array((ctypes.c_uint64 * count).from_address(at))

    @property
    def bus(self):
        """For the library's driver."""
        return ffi.cast("rs_bus_t *", self.port.port_bus(self.state))

    @property
    def misuse(self):
        """Whether the last program has done what hardware does not notice but computes wrongly."""
        return self.port.port_misuse(self.state) > 0


# ---- memory ------------------------------------------------------------------------------------------------------------
def radix(design: Design) -> int:
    """R of word-level Montgomery (hw/README.md)."""
    return 1 << 11 * -(-design.word_bits // 11)


def primes(log_n: int, bits: int, count: int) -> list[int]:
    """The largest of `bits` bits that are 1 mod 2N and mod 2^11."""
    step, found = max(2 << log_n, 1 << 11), []
    q = (1 << bits) - step + 1 & ~(step - 1) | 1
    while len(found) < count:
        if all(pow(a, q - 1, q) == 1 for a in (2, 3, 5, 7, 11, 13)):
            found.append(q)
        q -= step
    return found


@dataclass
class Modulus:
    """A context. psi: a root of order 2N; 0: the smallest one."""

    log_n: int
    q: int
    factor: int
    constant: int
    psi: int = 0

    def bytes(self, design: Design) -> bytes:
        return context_image(native_design(design), self.log_n, self.q, self.psi, self.constant, self.factor)


def roots_image(design: Design, log_n: int, factor: int = 0, added: int = 0) -> bytes:
    """A context of roots, and of the factors of SCALEW and MACW."""
    words = root_image(log_n, design.lanes, fixed_of(log_n, design.word_bits).roots)
    data = struct.pack("<8Q", 1, *[0] * 5, added, factor)
    data += np.array(words, np.uint64).astype(f"<u{4 if design.word_bits <= 32 else 8}").tobytes()
    return data + bytes(-len(data) % 64)


def numbers(form: int, shift: int, count: int, parts: int = 1) -> int:
    """The field of LOADS and STORES."""
    return form | parts - 1 << COMPLEX | (shift & 255) << SHIFT | count - 1 << COUNT


def lines_of(field: int) -> int:
    """Bytes that such numbers fill, whole lines."""
    return -(-((field >> COUNT) + 1) * (1 + (field >> COMPLEX & 1)) * int(FORMATS[field & 7][2]) // 64) * 64
