# SPDX-License-Identifier: Apache-2.0
"""The module of `ringside rtl` for LiteX: in a SoC that LiteX makes, with its buses, its memory controller and a model of a memory chip."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from builds import ROOT, board_firmware, output_of
from ringside import designs
from ringside.designs import Design
from ringside.rtl import kit, registers, vectors
from ringside.sim.verilate import Model, Simulator, build_model, verilator_root

MEMORY, REGISTERS = 0x4000_0000, 0xE000_0000
DESIGN = "ecp5-2"


@pytest.fixture(scope="module")
def design() -> Design:
    return designs.load(DESIGN)


@pytest.fixture(scope="module")
def made(design: Design, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kit."""
    place = tmp_path_factory.mktemp("kit") / "kit"
    kit.write(kit.make(design), place)
    return place


def soc(made: Path, out: Path, memory: str) -> list[Path]:
    """The sources of a SoC."""
    name = kit.block_name(DESIGN)
    output_of(sys.executable, ROOT / "tests/soc/litex_soc.py", made, name, out, memory)
    lines = (made / f"{name}.f").read_text(encoding="utf-8").splitlines()
    return [*(made / line for line in lines if not line.startswith("//")), out / "litex_soc.v"]


@pytest.mark.soak  # LiteX's sources, and Verilator's verdict of them
@pytest.mark.parametrize("memory", ["sdram", "bus"])
def test_litex_makes_a_soc_of_the_module(made: Path, tmp_path: Path, memory: str) -> None:
    """Verilator finds nothing wrong at the core's ports: none is missing, too narrow or too wide."""
    sources = soc(made, tmp_path, memory)
    text = sources[-1].read_text(encoding="utf-8")
    instance = re.search(r"ringside_ecp5_2 ringside_ecp5_2 ?\((.*?)\);", text, re.DOTALL)
    assert instance is not None
    lines = range(text[: instance.start()].count("\n") + 1, text[: instance.end()].count("\n") + 2)
    root = verilator_root()
    done = subprocess.run(
        [root / "bin" / "verilator_bin", "--lint-only", "-Wall", "-Wno-fatal", "-Wno-TIMESCALEMOD", "--top-module", "litex_soc", *sources],
        env=os.environ | {"VERILATOR_ROOT": str(root)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = re.findall(r"^%(\S+): \S*litex_soc\.v:(\d+):", done.stderr, re.MULTILINE)
    assert [kind for kind, line in said if int(line) in lines and kind != "Warning-PINCONNECTEMPTY"] == []


class Host:
    """Word accesses over Wishbone, at the SoC's pads."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator
        simulator.set(rst=1, host_sel=15)
        simulator.step(10)
        simulator.set(rst=0)

    def _access(self, address: int, **what: int) -> int:
        self.simulator.set(host_adr=address // 4, host_cyc=1, host_stb=1, **what)
        for _ in range(10_000):
            found = self.simulator.get("host_dat_r") if self.simulator.get("host_ack") else None
            self.simulator.step()
            if found is not None:
                self.simulator.set(host_cyc=0, host_stb=0)
                self.simulator.step()
                return found
        pytest.fail(f"{address:#x} does not answer")

    def read(self, address: int) -> int:
        return self._access(address, host_we=0)

    def write(self, address: int, data: int) -> None:
        self._access(address, host_we=1, host_dat_w=data)


def words(data: bytes) -> list[int]:
    return [int.from_bytes(data[place : place + 4], "little") for place in range(0, len(data), 4)]


def play(host: Host, job: vectors.RecordedJob) -> int:
    """Does what the library's driver did; how many words of the result are wrong."""
    base = vectors.BASE + job.place
    for index, word in enumerate(words(job.image)):
        host.write(base + 4 * index, word)

    def write(step: vectors.Step) -> bool:
        host.write(REGISTERS + step.address, step.data)
        return True

    steps: dict[str, Callable[[vectors.Step], bool]] = {
        vectors.WRITE: write,
        vectors.READ: lambda step: host.read(REGISTERS + step.address) & step.mask == step.data,
        vectors.POLL: lambda step: any(
            host.read(REGISTERS + step.address) & step.mask == step.data for _ in range(10_000)
        ),
        vectors.WAIT: lambda step: host.simulator.wait("irq") > 0,
    }
    for step in job.steps:
        assert steps[step.kind](step), step
    return sum(
        host.read(base + begin + 4 * index) != word
        for begin, data in job.answers
        for index, word in enumerate(words(data))
    )


@pytest.mark.soak  # models of their own
@pytest.mark.parametrize("memory", ["sdram", "bus"])
def test_known_answers_through_litex(
    made: Path, design: Design, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, memory: str
) -> None:
    """Each operation of the kit's self-test: the registers through LiteX's bus, the memory through its controller or bus."""
    monkeypatch.setattr(vectors, "BASE", MEMORY)
    monkeypatch.chdir(tmp_path)  # LiteX's memories have initial values in files
    jobs = vectors.record(design, registers.read(ROOT))
    assert len(jobs) == len(vectors.OPERATIONS)
    model = build_model(Model("litex_soc", soc(made, tmp_path, memory), clock="clk", assertions=False))
    with Simulator(model) as simulator:
        host = Host(simulator)
        assert [play(host, job) for job in jobs] == [0] * len(jobs)


@pytest.mark.soak  # the library twice
@pytest.mark.parametrize(
    ("toolchain", "coherent", "core", "memory"),
    [("rv32im", 0, 0xE000_0000, 0x4000_0000), ("rv64gc", 1, 0x4000_0000, 0x8000_0000)],
)
def test_firmware_of_boards_builds(tmp_path: Path, toolchain: str, coherent: int, core: int, memory: int) -> None:
    """With the memory map of either project. The image begins where the BIOS jumps to."""
    values = {"CORE": core, "UART": 0xF000_2800, "RAM": memory, "RAM_BYTES": 1 << 26, "CLOCK_HZ": 50_000_000}
    build = board_firmware(tmp_path, toolchain, 16, values | {"COHERENT": coherent})
    symbols = output_of("riscv64-unknown-elf-nm", build / "bringup.elf")
    assert re.search(rf"^0*{memory:x} T _start$", symbols, re.MULTILINE)
    code = output_of("riscv64-unknown-elf-objdump", "-d", build / "bringup.elf")
    assert (".word\t0x0000500f" in code or "0000500f" in code) == (not coherent)
    assert (build / "bringup.bin").stat().st_size < 1 << 20


@pytest.mark.soak
@pytest.mark.parametrize(
    ("board", "processor", "name"), [("ulx3s", "vexriscv", DESIGN), ("genesys2", "rocket", "rise-1")]
)
def test_projects_of_boards(tmp_path: Path, board: str, processor: str, name: str) -> None:
    """LiteX elaborates them; the core's memory bus has its own wires, and not zeros. Only where litex-boards is: it has no wheel."""
    for package in ("litex_boards", "liteeth", f"pythondata_cpu_{processor}"):
        pytest.importorskip(package)
    kit.write(kit.make(designs.load(name)), tmp_path / "kit")
    out = tmp_path / "out"
    output_of(
        sys.executable, ROOT / "soc/boards/project.py", board, "--kit", tmp_path / "kit", "-o", out, "--no-software"
    )  # fmt: skip
    (made,) = (out / "gateware").glob("*.v")
    text = made.read_text(encoding="utf-8")
    assert f"{kit.block_name(name)} {kit.block_name(name)}" in text
    if board == "genesys2":
        for channel in ("ar", "aw", "w"):
            wire = re.search(rf"\.l2_frontend_bus_axi4_0_{channel}_valid *\((\w+)\)", text)
            assert wire is not None
            driver = re.search(rf"assign {wire[1]} = (\w+);", text)
            assert driver is not None
            assert re.search(rf"\.m_axi_{channel}valid *\({driver[1]}\)", text)
    assert "#define BOARD_CORE" in (out / "litex.h").read_text(encoding="utf-8")
