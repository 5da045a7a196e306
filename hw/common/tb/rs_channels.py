# SPDX-License-Identifier: Apache-2.0
"""Ports with valid and ready, as a test drives or takes them, cycle by cycle."""

import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from ringside.sim import verilate

OKAY, SLVERR, DECERR = 0, 2, 3
# the bundles of rs_axi_pkg, from the top bit down; those of rs_soc_pkg by their bits, which are all different
BUNDLES = {
    "read_req": {"arvalid": 1, "arid": 4, "araddr": 64, "arlen": 8, "rready": 1},
    "read_rsp": {"arready": 1, "rvalid": 1, "rid": 4, "rresp": 2, "rlast": 1},
    "write_req": {"awvalid": 1, "awid": 4, "awaddr": 64, "awlen": 8, "wvalid": 1, "wlast": 1, "bready": 1},
    "write_rsp": {"awready": 1, "wready": 1, "bvalid": 1, "bid": 4, "bresp": 2},
    "axil_i": (
        {"awvalid": 1, "awaddr": 12, "awprot": 3, "wvalid": 1, "wdata": 32, "wstrb": 4, "bready": 1}
        | {"arvalid": 1, "araddr": 12, "arprot": 3, "rready": 1}
    ),
    "axil_o": {"awready": 1, "wready": 1, "bvalid": 1, "bresp": 2, "arready": 1, "rvalid": 1, "rdata": 32, "rresp": 2},
}
_SOC = (
    {
        "awvalid": 1, "awid": 8, "awaddr": 32, "awlen": 8, "wvalid": 1, "wdata": 64, "wstrb": 8, "wlast": 1,
        "bready": 1, "arvalid": 1, "arid": 8, "araddr": 32, "arlen": 8, "rready": 1,
    },
    {
        "awready": 1, "wready": 1, "bvalid": 1, "bid": 8, "bresp": 2, "arready": 1, "rvalid": 1, "rid": 8, "rdata": 64,
        "rresp": 2, "rlast": 1,
    },
    {
        "awvalid": 1, "awaddr": 31, "wvalid": 1, "wdata": 32, "wstrb": 4, "bready": 1, "arvalid": 1, "araddr": 31,
        "rready": 1,
    },
    {"awready": 1, "wready": 1, "bvalid": 1, "bresp": 2, "arready": 1, "rvalid": 1, "rdata": 32, "rresp": 2},
)  # fmt: skip
SOC_BUNDLES = {sum(fields.values()): fields for fields in _SOC}


class Bundled(verilate.Simulator):
    """Wires of AXI4 by their names, though ports are bundles: `arvalid_o` is in `read_o`, `s_arvalid` in `s_read_i`. Those of several ports side by side."""

    def __init__(self, library: Path, seed: int = 1) -> None:
        super().__init__(library, seed)
        self.driven = dict.fromkeys(self.bits, 0)
        self.wires: dict[str, tuple[str, int, int, int]] = {}  # port, lowest bit, bits; those of a bundle
        for port in self.bits:
            if data := re.fullmatch(r"([sm]_[rw]data)_[io]", port):
                self.wires[data[1]] = port, 0, self.bits[port], self.bits[port]
            found = re.fullmatch(r"([sm]_)?(read|write)_([io])", port)
            if found:
                prefix, kind, way = found.groups()
                fields = BUNDLES[f"{kind}_{'req' if (prefix == 's_') == (way == 'i') else 'rsp'}"]
                self._bundle(port, fields, prefix or "", "" if prefix else f"_{way}")
            elif port in BUNDLES:
                self._bundle(port, BUNDLES[port], "s_axil_", "")
            elif re.fullmatch(r"(\w)_[io]|(\w)pu_\w+_i", port) and self.bits[port] > 40:
                bits = next((bits for bits in SOC_BUNDLES if self.bits[port] % bits == 0), None)
                if bits:  # else a number, such as a modulus of 64 bits
                    self._bundle(port, SOC_BUNDLES[bits], f"{port[0]}_", "")

    def _bundle(self, port: str, fields: dict[str, int], before: str, behind: str) -> None:
        at = whole = sum(fields.values())
        for name, bits in fields.items():
            at -= bits
            self.wires[f"{before}{name}{behind}"] = port, at, bits, whole

    def set(self, **values: int) -> None:
        for name, value in values.items():
            if name not in self.wires:
                super().set(**{name: value})
                continue
            port, at, bits, whole = self.wires[name]
            mask = (1 << bits) - 1
            for item in range(self.bits[port] // whole):
                low = item * whole + at
                self.driven[port] &= ~(mask << low)
                self.driven[port] |= (value >> item * bits & mask) << low
            super().set(**{port: self.driven[port]})

    def get(self, name: str) -> int:
        if name not in self.wires:
            return super().get(name)
        port, at, bits, whole = self.wires[name]
        found = super().get(port)
        items = range(self.bits[port] // whole)
        return sum((found >> item * whole + at & (1 << bits) - 1) << item * bits for item in items)


class Steps:
    """A bench."""

    def cycle(self) -> None:
        raise NotImplementedError

    def run(self, done: Callable[[], bool], limit: int = 20_000) -> int:
        """Cycles until it is done."""
        for cycle in range(limit):
            if done():
                return cycle
            self.cycle()
        raise AssertionError("never done")


class Channel:
    """One direction of a port that the test drives: what was offered stays until it is taken; pauses are random."""

    def __init__(self, prefix: str, pace: float, chance: random.Random) -> None:
        self.prefix, self.pace, self.random = prefix, pace, chance
        self.queue: list[dict[str, int]] = []
        self.offered = False

    def drive(self, sim: verilate.Simulator) -> None:
        if not self.offered and self.queue and self.random.random() < self.pace:
            self.offered = True
            sim.set(**{f"{self.prefix}{name}": value for name, value in self.queue[0].items()})
        sim.set(**{f"{self.prefix}valid": int(self.offered)})

    def sample(self, sim: verilate.Simulator) -> dict[str, int] | None:
        """What was taken in this cycle."""
        if self.offered and sim.get(f"{self.prefix}ready"):
            self.offered = False
            return self.queue.pop(0)
        return None


class Taker:
    """The other direction: what the module offers, which must not change until it is taken."""

    def __init__(self, prefix: str, fields: Iterable[str], pace: float, chance: random.Random) -> None:
        self.prefix, self.fields, self.pace, self.random = prefix, tuple(fields), pace, chance
        self.waiting: dict[str, int] | None = None
        self.ready = False

    def drive(self, sim: verilate.Simulator) -> None:
        self.ready = self.random.random() < self.pace
        sim.set(**{f"{self.prefix}ready": int(self.ready)})

    def sample(self, sim: verilate.Simulator) -> dict[str, int] | None:
        if not sim.get(f"{self.prefix}valid"):
            assert self.waiting is None, f"{self.prefix} was withdrawn"
            return None
        offer = {name: sim.get(f"{self.prefix}{name}") for name in self.fields}
        assert self.waiting in (None, offer), f"{self.prefix} changed while it waited"
        self.waiting = None if self.ready else offer
        return offer if self.ready else None
