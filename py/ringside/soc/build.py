# SPDX-License-Identifier: Apache-2.0
"""A design's SoC as a program, and its firmware; both are kept in the cache by the content of what they are made from."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
from dataclasses import dataclass
from pathlib import Path

from ..designs import Design
from ..native.files import staged_file
from ..processors import usable_processors
from ..progress import Progress
from ..sim.sources import Harness, of_core
from ..sim.verilate import (
    LIBRARIES,
    Model,
    SimulationError,
    build_model,
    cache_directory,
    compiler,
    content_hash,
    locked,
    run_tool,
    tree_for,
)
from . import rocket
from .top import accelerator

HARNESS = Harness(("soc.cpp", "model.cpp"), ("model.h", "print.h", "core.h", "axi_memory.h"))
WITH_WAVES = Harness(("soc_waves.cpp", "model.cpp"), (*HARNESS.headers, "soc.cpp"))
WITH_GATES = Harness(("soc_gates.cpp", "model.cpp"), (*HARNESS.headers, "soc.cpp", "gates.cpp"))
MAIN = 'extern "C" int rs_soc_main(int, char **);\nint main(int count, char **words) { return rs_soc_main(count, words); }\n'
COMPILER, OBJCOPY = "riscv64-unknown-elf-gcc", "riscv64-unknown-elf-objcopy"
# links of the firmware: frames of CKKS; where its processor has 64 bits, calls of schemes, and these with counters of kernels
FRAMES, SCHEMES, PROFILE = "firmware.elf", "schemes.elf", "profile.elf"


@dataclass(frozen=True)
class SocCpu:
    """A processor: soc/cpu/NAME/rs_soc_cpu.sv. toolchain: of its firmware; emulator: QEMU that prepares the memory."""

    name: str
    toolchain: str
    emulator: str


ROCKET = SocCpu("rocket", "rv64gc.cmake", "qemu-system-riscv64")
PICORV32 = SocCpu("picorv32", "rv32im.cmake", "qemu-system-riscv32")


class _Traced(Model):
    """A model that can write waves. It takes longer to build, and runs more slowly."""

    @property
    def options(self) -> list[str]:
        return [*super().options, "--trace-vcd"]


def source_tree() -> Path:
    """Where soc/ and lib/ are. An installed package has neither."""
    return tree_for("the SoC", "soc/firmware/firmware.c")


def hardware_sources(tree: Path, cpu: SocCpu = ROCKET) -> list[Path]:
    """The SoC's RTL without the processor itself and the core; the top comes last."""
    own = tree / "soc" / "cpu" / cpu.name / "rs_soc_cpu.sv"
    rtl = sorted((tree / "soc" / "rtl").glob("*.sv"), key=lambda path: (not path.stem.endswith("_pkg"), path.stem))
    return [*rtl, own, tree / "soc" / "top" / "rs_soc.sv"]


def _picorv32() -> Path:
    spec = importlib.util.find_spec("pythondata_cpu_picorv32")
    if spec is None or spec.origin is None:
        raise SimulationError("the package pythondata-cpu-picorv32 is missing: run `make hardware` in the source tree")
    return Path(spec.origin).parent / "verilog" / "picorv32.v"


def firmware_sources(tree: Path) -> list[Path]:
    return sorted(path for name in ("soc/firmware", "lib", "CMakeLists.txt") for path in _files(tree / name))


def program(
    design: Design | None,
    progress: Progress | None = None,
    cpu: SocCpu = ROCKET,
    *,
    waves: bool = False,
    probes: Path | None = None,
) -> Path:
    """The simulator of the SoC with this design; None: the processor alone. waves: one that can write them. probes: SystemVerilog that binds
    them to Rocket's modules; then it simulates gates beside it (sim/soc_gates.cpp).

    SimulationError: something is missing or does not compile.
    """
    tree = source_tree()
    archive = rocket.build(progress, [probes] if probes else []) if cpu == ROCKET else None
    processor = archive.module if archive else _picorv32()
    text = accelerator(design, tree)
    place = cache_directory() / f"rs_soc-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    generated = place / "rs_soc_accelerator.sv"
    with locked(place):
        if not generated.exists() or generated.read_text(encoding="utf-8") != text:
            generated.write_text(text, encoding="utf-8")
    core = of_core(tree) if design else []
    *own, top = hardware_sources(tree, cpu)
    sources = [*core, *own, processor, generated, top]
    kind, harness = (_Traced, WITH_WAVES) if waves else (Model, WITH_GATES if probes else HARNESS)
    model = build_model(kind("rs_soc", sources, harness=harness, assertions=False), progress=progress)
    # which probes Rocket has does not show in the model
    made = model.with_name(f"soc-{archive.library.parent.name}" if archive and probes else "soc")
    with locked(model.parent):
        if not made.exists():
            _link(made, model, archive.library if archive else None)
    return made


def _link(made: Path, model: Path, library: Path | None) -> None:
    main = made.with_name(f"{made.name}.main.cpp")
    main.write_text(MAIN, encoding="utf-8")
    whole: list[str | Path] = ["-Wl,--whole-archive", library, "-Wl,--no-whole-archive"] if library else []
    with staged_file(made) as new:
        run_tool(
            [
                compiler(),
                "-rdynamic",
                "-o",
                new,
                main,
                *whole,
                f"-L{model.parent}",
                f"-l:{model.name}",
                "-Wl,-rpath,$ORIGIN",  # a cache may be moved
                *LIBRARIES,
            ]
        )


def firmware_place(cpu: SocCpu = ROCKET) -> Path:
    """Where the links of these sources are, or will be."""
    tree = source_tree()
    return cache_directory() / f"firmware-{content_hash([str(tree), cpu.name], firmware_sources(tree))}"


def firmware(cpu: SocCpu = ROCKET, link: str = FRAMES) -> Path:
    """A link of it. SimulationError: the compiler is missing, or it does not compile."""
    for tool in (COMPILER, cpu.emulator, "cmake"):
        if shutil.which(tool) is None:
            raise SimulationError(f"{tool} is missing: {rocket.REMEDY}")
    tree = source_tree()
    place = firmware_place(cpu)
    with locked(place):
        if not (place / FRAMES).exists():
            build = place / "build"
            toolchain = tree / "soc" / "firmware" / cpu.toolchain
            run_tool(["cmake", "-S", tree / "soc" / "firmware", "-B", build, "--toolchain", toolchain])
            run_tool(["cmake", "--build", build, "--parallel", str(usable_processors())])
            for made in filter(Path.exists, (build / PROFILE, build / SCHEMES, build / FRAMES)):
                made.replace(place / made.name)
            shutil.rmtree(build)
    return place / link


def _files(place: Path) -> list[Path]:
    kinds = {".c", ".h", ".S", ".ld", ".inc", ".txt", ".cmake"}
    if place.is_file():
        return [place]
    return [path for path in place.rglob("*") if path.suffix in kinds and "tests" not in path.parts]
