# SPDX-License-Identifier: Apache-2.0
"""A SoC by LiteX around a kit's module, as Verilog: litex_soc.py KIT MODULE OUT sdram|bus. It has no processor: its host is at the pads."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

from litedram.modules import MT48LC16M16
from litedram.phy.model import SDRAMPHYModel
from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect import wishbone
from migen import ClockDomain, Signal

CLOCK = int(50e6)
MEMORY = 0x4000_0000
TO_SOC = {"adr": 30, "dat_w": 32, "sel": 4, "cyc": 1, "stb": 1, "we": 1}
FROM_SOC = {"dat_r": 32, "ack": 1, "err": 1}
PADS = [(name, 0, Pins(1)) for name in ("clk", "rst", "irq")]
HOST = ("host", 0, *(Subsignal(name, Pins(bits)) for name, bits in (TO_SOC | FROM_SOC).items()))


class Clock(LiteXModule):  # type: ignore[misc]
    def __init__(self, platform: SimPlatform) -> None:
        self.rst = Signal()
        self.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(platform.request("clk")), self.cd_sys.rst.eq(platform.request("rst"))]


class Soc(SoCCore):  # type: ignore[misc]
    def __init__(self, module: ModuleType, memory: str) -> None:
        platform = SimPlatform("SIM", [*PADS, HOST])
        no = {"cpu_type": None, "with_uart": False, "with_timer": False, "integrated_sram_size": 0, "ident": ""}
        super().__init__(platform, CLOCK, ident_version=False, **no)
        self.crg = Clock(platform)
        self.ringside = module.Ringside(platform)
        self.ringside.connect(self)
        if memory == "sdram":
            chip = MT48LC16M16(CLOCK, "1:1")
            self.sdrphy = SDRAMPHYModel(chip, data_width=16, clk_freq=CLOCK)
            self.add_sdram("sdram", phy=self.sdrphy, module=chip, origin=MEMORY, size=1 << 20, l2_cache_size=0)
            self.ringside.connect_sdram(self)
        else:
            self.add_ram("main_ram", MEMORY, 1 << 20)
            self.main_ram.mem.init = None  # no file of initial words in the current folder
            self.ringside.connect_bus(self)
        host, pads = wishbone.Interface(data_width=32, adr_width=30, addressing="word"), platform.request("host")
        self.comb += [getattr(host, name).eq(getattr(pads, name)) for name in TO_SOC]
        self.comb += [getattr(pads, name).eq(getattr(host, name)) for name in FROM_SOC]
        self.bus.add_master("host", host)
        self.comb += platform.request("irq").eq(self.ringside.irq)


def main(kit: str, name: str, out: str, memory: str) -> None:
    sys.path.insert(0, str(Path(kit) / "litex_module"))
    soc = Soc(importlib.import_module(name), memory)
    soc.finalize()
    soc.platform.get_verilog(soc, name="litex_soc").write(str(Path(out) / "litex_soc.v"))


if __name__ == "__main__":
    main(*sys.argv[1:])
