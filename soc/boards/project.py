# SPDX-License-Identifier: Apache-2.0
"""A board's project: LiteX with a processor, the board's memory, and the core of a kit (docs/bring-up.md).

    python soc/boards/project.py ulx3s --kit build/ecp5-2 -o build/ulx3s
    python soc/boards/project.py genesys2 --kit build/rise-1 -o build/genesys2

In the output: gateware/ with Verilog, pins and the tool's script; software/ with LiteX's BIOS; litex.h and litex.ld for the firmware beside this file.
It needs litex, litedram and litex-boards, and the processor's package. --no-software leaves the BIOS out: it shows whether the project elaborates.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from litex.soc.cores import cpu
from litex.soc.cores.cpu.rocket import Rocket
from litex.soc.integration.builder import Builder
from litex.soc.interconnect import axi

CLOCK = 50e6
ROM_BYTES = 0x10000
ROCKET_ADDRESS = 0x4000_0000  # the address of the registers: what Rocket does not cache lies below 0x8000_0000
ROCKET_FILE = "freechips.rocketchip.system.LitexFullConfig"
FRONT = "l2_frontend_bus_axi4_0_"


class FullRocket(Rocket):
    """RV64GC as the package has it, under another file name than LiteX's; its coherent port is AXI4, not LiteX's Wishbone."""

    def __init__(self, platform: Any, variant: str = "full") -> None:
        super().__init__(platform, variant)
        del self.dma_bus
        self.coherent = axi.AXIInterface(data_width=64, address_width=32, id_width=4)
        for pin in [name for name in self.cpu_params if name[2:].startswith(FRONT)]:
            channel, _, field = pin[2 + len(FRONT) :].partition("_")
            self.cpu_params[pin] = getattr(getattr(self.coherent, channel), field.removeprefix("bits_"))

    @staticmethod
    def add_sources(platform: Any, variant: str) -> None:
        import pythondata_cpu_rocket

        verilog = Path(pythondata_cpu_rocket.data_location)
        names = [f"{ROCKET_FILE}.v", f"{ROCKET_FILE}.behav_srams.v"]
        platform.add_sources(str(verilog / "generated-src"), *names)
        platform.add_sources(str(verilog / "vsrc"), "plusarg_reader.v", "AsyncResetReg.v", "EICG_wrapper.v")


def ulx3s(kit: ModuleType) -> Any:
    """VexRiscv (RV32IM) on an LFE5U-85F with 64 MiB; the core at a port of the memory controller."""
    from litex_boards.targets.radiona_ulx3s import BaseSoC

    soc = BaseSoC(
        device="LFE5U-85F",
        sys_clk_freq=CLOCK,
        sdram_module_cls="AS4C32M16",
        cpu_type="vexriscv",
        l2_size=0,
        integrated_rom_size=ROM_BYTES,
    )
    soc.ringside = kit.Ringside(soc.platform)
    soc.ringside.connect(soc)
    soc.ringside.connect_sdram(soc)
    return soc


def genesys2(kit: ModuleType) -> Any:
    """Rocket (RV64GC) on a Kintex-7 325T with 1 GiB; the core at the processor's coherent port."""
    from litex_boards.targets.digilent_genesys2 import BaseSoC

    cpu.CPUS["rocket"] = FullRocket
    soc = BaseSoC(sys_clk_freq=CLOCK, cpu_type="rocket", cpu_variant="full", integrated_rom_size=ROM_BYTES)
    soc.ringside = kit.Ringside(soc.platform)
    soc.ringside.connect(soc, address=ROCKET_ADDRESS)
    soc.comb += soc.ringside.memory.connect(soc.cpu.coherent)
    return soc


BOARDS = {"ulx3s": ulx3s, "genesys2": genesys2}


def header(soc: Any) -> str:
    """What the firmware knows of the SoC."""
    memory, uart = soc.bus.regions["main_ram"], soc.csr.regions["uart"]
    values = {
        "CORE": soc.bus.regions["ringside"].origin,
        "UART": uart.origin,
        "RAM": memory.origin,
        "RAM_BYTES": memory.size,
        "CLOCK_HZ": int(soc.sys_clk_freq),
    }
    lines = [f"#define BOARD_{name} {value:#x}u" for name, value in values.items()]
    lines.append(f"#define BOARD_COHERENT {int(hasattr(soc.cpu, 'coherent'))}")
    return "\n".join(["// SPDX-License-Identifier: Apache-2.0", "// Made by soc/boards/project.py.", *lines, ""])


def script(soc: Any) -> str:
    """Where the firmware lies: the beginning of the memory, where the BIOS loads it."""
    return f"/* Made by soc/boards/project.py. */\nMEMORY {{ ram (rwx) : ORIGIN = {soc.bus.regions['main_ram'].origin:#x}, LENGTH = 16M }}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board", choices=BOARDS)
    parser.add_argument(
        "--kit", type=Path, required=True, help="what `ringside rtl` has written, with --base of the same address"
    )
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--no-software", action="store_true", help="leave the BIOS out")
    asked = parser.parse_args()
    folder = asked.kit.resolve() / "litex_module"
    modules = sorted(folder.glob("*.py"))
    if len(modules) != 1:
        sys.exit(f"{asked.kit} is no kit: write one with `ringside rtl DESIGN -o {asked.kit}`")
    sys.path.insert(0, str(folder))
    soc = BOARDS[asked.board](importlib.import_module(modules[0].stem))
    Builder(soc, output_dir=str(asked.out), compile_software=not asked.no_software, compile_gateware=False).build()
    (asked.out / "litex.h").write_text(header(soc), encoding="utf-8")
    (asked.out / "litex.ld").write_text(script(soc), encoding="utf-8")


if __name__ == "__main__":
    main()
