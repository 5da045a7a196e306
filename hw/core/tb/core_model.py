# SPDX-License-Identifier: Apache-2.0
"""lib/tests/model_core.c, the executable specification of the core, for its benches."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
from rs_cocotb import ROOT
from rs_formal import mutated

from ringside.native import library as native
from ringside.native.library import ffi
from ringside.sim.program import native_design

BASE = 1 << 32  # of memory
NAMES = ("model_core_port.c", "model_core.c", "model_fields.c", "model_seal.c", "model_sign.c")


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
