# SPDX-License-Identifier: Apache-2.0
"""Questions about our designs, the library and the processor. Each is a value, and has the command that answers it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from ..errors import ParameterError
from ..sim.options import ALONE, CHIP_LATENCY_CYCLES

ASIC_TARGET = "osu018"  # 180 nm: what a package installs; the papers' designs are in other technologies
BEFORE_LAYOUT = "Before layout: no wires, no clock tree; one typical corner."


class Question:
    """UNITS: of its figures. MODELLED: those that are not measured. CAVEATS: what to know about a figure."""

    UNITS: ClassVar[Mapping[str, str]] = {}
    MODELLED: ClassVar[frozenset[str]] = frozenset()
    CAVEATS: ClassVar[Mapping[str, str]] = {}

    @property
    def command(self) -> str:
        raise NotImplementedError

    @property
    def source(self) -> str:
        """The thing that is simulated, mapped or timed."""
        raise NotImplementedError


@dataclass(frozen=True)
class Simulation(Question):
    """An operation on a design's RTL. compute: cycles from the first start to the last end of the lanes' work; ratio: to the bound of its slowest unit."""

    UNITS: ClassVar = {"cycles": "cycles", "compute": "cycles", "ratio": ""}
    design: str
    op: str
    n: int
    limbs: int = 1
    bits: int = 30

    @property
    def command(self) -> str:
        return f"ringside cycles {self.design} --op {self.op} --n {self.n} --limbs {self.limbs} --bits {self.bits}"

    @property
    def source(self) -> str:
        return f"RTL simulation of {self.design}"


@dataclass(frozen=True)
class Transform(Question):
    """NTT of polynomials of 2^log_size words side by side in a group, modulo the prime of a scheme of that size. busy: cycles of the lanes' work."""

    UNITS: ClassVar = {"cycles": "cycles", "busy": "cycles"}
    design: str
    log_size: int
    slices: int = 1

    @property
    def command(self) -> str:
        slices = f" --slices {self.slices}" * (self.slices != Transform.slices)
        return f"ringside cycles {self.design} --op ntt --log-size {self.log_size}{slices}"

    @property
    def source(self) -> str:
        return f"RTL simulation of {self.design}"


@dataclass(frozen=True)
class SchemeCycles(Question):
    """An operation of ML-KEM or ML-DSA on a design with fields: all of its programs, from doorbell to interrupt; of a signature those of the round that is
    not refused, and the set-up before it apart."""

    UNITS: ClassVar = {"cycles": "cycles", "set_up": "cycles"}
    SCHEMES: ClassVar = ("ml-kem-", "ml-dsa-", "newhope-")
    design: str
    op: str

    @property
    def command(self) -> str:
        return f"ringside cycles {self.design} --op {self.op}"

    @property
    def source(self) -> str:
        return f"RTL simulation of {self.design}"


@dataclass(frozen=True)
class Frames(Simulation):
    """Several frames in one call, with encode or decode: the first one alone, and one more of the call."""

    UNITS: ClassVar = {"first": "cycles", "further": "cycles"}
    COUNT: ClassVar[int] = 4

    @property
    def command(self) -> str:
        return f"{super().command} --frames {self.COUNT}"

    @property
    def source(self) -> str:
        return f"{super().source}, {self.COUNT} frames"


@dataclass(frozen=True)
class Batch(Question):
    """Public-key encryption of many frames by a design with a streaming unit, all limbs of a named set. cycles: of each further frame; first: of one
    alone; batch: of all. The largest sets take hours."""

    UNITS: ClassVar = {
        "cycles": "cycles",
        "first": "cycles",
        "batch": "cycles",
        "utilisation": "",
        "read_bytes": "bytes/cycle",
        "written_bytes": "bytes/cycle",
    }
    OP: ClassVar[str] = "encrypt-pk"
    design: str
    params: str
    frames: int = 16

    @property
    def command(self) -> str:
        return f"ringside cycles {self.design} --op {self.OP} --params {self.params} --frames {self.frames}"

    @property
    def source(self) -> str:
        return f"RTL simulation of {self.design}, {self.frames} frames of {self.params} in a program"


@dataclass(frozen=True)
class Decryptions(Batch):
    """Decryption of many frames to residues, by the lanes of such a design."""

    UNITS: ClassVar = {"cycles": "cycles", "first": "cycles", "batch": "cycles"}
    OP: ClassVar[str] = "decrypt"


@dataclass(frozen=True)
class Synthesis(Question):
    """Cells of a design on an FPGA, mapped and not placed. device: an UltraScale+, with its large memories; none: the 7 series.

    part: one module of it alone, with those in it.
    """

    UNITS: ClassVar = {
        "lut": "LUT",
        "ff": "FF",
        "dsp": "DSP",
        "bram36": "BRAM36",
        "bram18": "BRAM18",
        "uram": "URAM",
        "memory_bits": "bits",
    }
    design: str
    device: str = ""
    part: str = ""

    @property
    def command(self) -> str:
        return (
            f"ringside synth {self.design} {f'--target xcup --device {self.device}' if self.device else '--target xc7'}"
        )

    @property
    def source(self) -> str:
        what = f"{self.part} in {self.design}" if self.part else self.design
        return f"synthesis of {what} with Yosys, {f'UltraScale+, {self.device}' if self.device else '7-series'}, mapped"


@dataclass(frozen=True)
class Asic(Question):
    """Area and clock of a design in standard cells. kge, cells_um2, flip_flops: without memories."""

    UNITS: ClassVar = {"kge": "kGE", "cells_um2": "µm²", "memory_um2": "µm²", "fmax_mhz": "MHz", "flip_flops": ""}
    MODELLED: ClassVar = frozenset({"memory_um2"})
    CAVEATS: ClassVar = {
        "kge": BEFORE_LAYOUT,
        "cells_um2": BEFORE_LAYOUT,
        "memory_um2": "CACTI at 45 nm, scaled: macros one can have are 1.3 to 1.7 times as large.",
        "fmax_mhz": BEFORE_LAYOUT,
    }
    design: str

    @property
    def command(self) -> str:
        return f"ringside synth {self.design} --target {ASIC_TARGET} --no-energy"

    @property
    def source(self) -> str:
        return f"{self.design} mapped to {ASIC_TARGET} with Yosys, static timing of OpenSTA"


@dataclass(frozen=True)
class Energy(Question):
    """Energy of a public-key encryption, N = 4096, one limb of 30 bits, by a design in standard cells at its largest clock."""

    UNITS: ClassVar = {"energy_uj": "µJ", "power_mw": "mW", "energy_without_glitches_uj": "µJ"}
    CAVEATS: ClassVar = dict.fromkeys(
        UNITS, "Gates of the netlists simulated beside the RTL; no wires, modelled memories; cells' tables ±15 %."
    )
    design: str

    @property
    def command(self) -> str:
        return f"ringside synth {self.design} --target {ASIC_TARGET}"

    @property
    def source(self) -> str:
        return f"toggles of {self.design}'s gates in {ASIC_TARGET} during an encryption, N = 4096, one limb"


@dataclass(frozen=True)
class SocRun(Question):
    """An operation on a simulated SoC, from the values to the ciphertext or back. design: none is the processor alone.

    The answer is what `ringside soc run --json` prints (cycles.system.System).
    """

    UNITS: ClassVar = {"cycles": "cycles", "core": "cycles"}
    CAVEATS: ClassVar = {"cycles": "Encoding or decoding included; Rocket, RAM after 20 cycles."}
    design: str
    op: str
    n: int
    limbs: int
    bits: int = 30
    latency: int = CHIP_LATENCY_CYCLES
    frames: int = 1
    overlap: bool = False

    @property
    def command(self) -> str:
        words = [f"ringside soc run {self.design} --op {self.op} --n {self.n} --limbs {self.limbs}"]
        words += [f"--bits {self.bits}"] * (self.bits != SocRun.bits)
        words += [f"--latency {self.latency}"] * (self.latency != SocRun.latency)
        words += [f"--frames {self.frames}"] * (self.frames != SocRun.frames)
        return " ".join([*words, *["--overlap"] * self.overlap])

    @property
    def source(self) -> str:
        return "the library on Rocket, simulated" if self.design == ALONE else f"Rocket with {self.design}, simulated"


@dataclass(frozen=True)
class SocScheme(Question):
    """An operation of ML-KEM or ML-DSA on a simulated SoC, from its arguments to its results. design: none is the processor alone. calls: the last one is measured.

    The answer is what `ringside soc run --json` prints (cycles.scheme_system.SchemeSystem).
    """

    UNITS: ClassVar = {"cycles": "cycles", "core_cycles": "cycles"}
    CAVEATS: ClassVar = {"cycles": "Rocket, RAM after 20 cycles; programs are made before."}
    SCHEMES: ClassVar = SchemeCycles.SCHEMES
    design: str
    op: str
    calls: int = 1
    latency: int = CHIP_LATENCY_CYCLES

    @property
    def command(self) -> str:
        words = [f"ringside soc run {self.design} --op {self.op}"]
        words += [f"--frames {self.calls}"] * (self.calls != SocScheme.calls)
        return " ".join([*words, *[f"--latency {self.latency}"] * (self.latency != SocScheme.latency)])

    @property
    def source(self) -> str:
        return "the library on Rocket, simulated" if self.design == ALONE else f"Rocket with {self.design}, simulated"


@dataclass(frozen=True)
class Processor(Question):
    """Area of the SoC's processor in standard cells, with its caches."""

    UNITS: ClassVar = {"kge": "kGE", "cells_um2": "µm²", "memory_um2": "µm²"}
    MODELLED: ClassVar = frozenset({"memory_um2"})
    CAVEATS: ClassVar = {figure: Asic.CAVEATS[figure] for figure in UNITS}

    @property
    def command(self) -> str:
        return f"ringside soc area --target {ASIC_TARGET}"

    @property
    def source(self) -> str:
        return f"Rocket's tile mapped to {ASIC_TARGET} with Yosys"


@dataclass(frozen=True)
class ProcessorPower(Question):
    """Power of the SoC's processor while it encodes and encrypts, or decrypts and decodes, alone, with its caches."""

    SIZE: ClassVar = {"n": 1024, "limbs": 1, "bits": 30}
    UNITS: ClassVar = {"power_mw": "mW", "clock_mhz": "MHz", "energy_uj": "µJ", "cycles": "cycles"}
    CAVEATS: ClassVar = {
        "power_mw": f"{Energy.CAVEATS['power_mw']} N = 1024, one limb; every size is taken to need as much in a cycle."
    }

    op: str

    @property
    def command(self) -> str:
        size = " ".join(f"--{name} {value}" for name, value in self.SIZE.items())
        return f"ringside soc energy --op {self.op} {size}"

    @property
    def source(self) -> str:
        return f"toggles of the gates of Rocket's tile in {ASIC_TARGET}, {self.op} and encoding or decoding"


@dataclass(frozen=True)
class SchemeProfile(Question):
    """An operation of a scheme on the simulated processor, and cycles of its kernels. design: its core does the transforms, and BLISS's hashes if it can;
    none: all is software. divider: of how many of the processor's cycles one of the core's is.

    core_cycles: those of the core's programs, at its own clock. Kernels that an operation does not have are 0.
    """

    UNITS: ClassVar = {
        "cycles": "cycles",
        "instructions": "instructions",
        **dict.fromkeys(
            ("transform", "product", "keccak", "chacha20", "sampler", "gaussian", "coding", "rest"), "cycles"
        ),
        "transforms": "",
        "permutations": "",
        "core_cycles": "cycles",
    }
    design: str
    op: str
    runs: int = 1
    divider: int = 1

    @property
    def command(self) -> str:
        runs = f" --runs {self.runs}" * (self.runs != SchemeProfile.runs)
        divider = f" --core-divider {self.divider}" * (self.divider != SchemeProfile.divider)
        return f"ringside soc profile {self.op}{runs}" + f" --on {self.design}{divider}" * (self.design != ALONE)

    @property
    def source(self) -> str:
        clock = f", its clock 1/{self.divider}" * (self.divider > 1)
        return f"{self.op} on Rocket, simulated" + f", kernels on {self.design}{clock}" * (self.design != ALONE)


@dataclass(frozen=True)
class Bench(Question):
    """The library or another one on a processor, one core; operation as in build/bench.json, who: a peer's name there, "ringside" or "seal-hexl"; of ML-KEM and ML-DSA also "openssl" or "rustcrypto"."""

    UNITS: ClassVar = {"rate": "1/s"}
    params: str
    operation: str
    who: str

    @property
    def command(self) -> str:
        return "make bench"

    @property
    def source(self) -> str:
        who = {"ringside": "Ringside", "openssl": "OpenSSL", "rustcrypto": "RustCrypto"}.get(self.who, "SEAL with HEXL")
        return f"{who} on one core, {self.params}"


@dataclass(frozen=True)
class Evaluator(Question):
    """An operation of LTV (evaluator/) on one core of a processor. sbox: "paper" or "3", which says how many primes; switching: "windows" or "hybrid".

    Times are the processor's, and the least of several; load: of the machine, which others may use.
    """

    UNITS: ClassVar = {
        "transform": "µs",
        "product": "ms",
        "reduction": "ms",
        "windows": "ms",
        "switching": "ms",
        "relinearisation": "ms",
        "load": "processes",
    }
    MORE: ClassVar[str] = " --skip-aes"
    m: int
    sbox: str
    switching: str

    @property
    def command(self) -> str:
        return f"ringside ltv time --ring {self.m} --sbox {self.sbox} --key-switching {self.switching}{self.MORE}"

    @property
    def source(self) -> str:
        depth = "4, as in the paper" if self.sbox == "paper" else self.sbox
        return f"ringside-ltv on one core, ring {self.m}, S-box of depth {depth}, {self.switching}"

    @property
    def key(self) -> str:
        """In build/ltv.json."""
        return f"{self.m} {self.sbox} {self.switching}"


@dataclass(frozen=True)
class EvaluatorAes(Evaluator):
    """AES-128 on LTV's ciphertexts, every block compared. Times are the processor's."""

    UNITS: ClassVar = {
        "aes": "s",
        "aes_block": "ms",
        "relinearisations": "operations",
        "products": "operations",
        "switches": "operations",
        "right": "blocks",
        "aes_load": "processes",
    }
    MODELLED: ClassVar = frozenset({"products"})
    MORE: ClassVar = ""


@dataclass(frozen=True)
class EvaluatorCore(Question):
    """A product or a relinearisation of LTV at full size on a design. part: of a few primes or windows, in RTL simulation; modelled: the same by the
    model; counted, ms: of the whole, by the model; busy: of the lanes."""

    UNITS: ClassVar = {"part": "cycles", "modelled": "cycles", "counted": "cycles", "ms": "ms", "busy": "%"}
    MODELLED: ClassVar = frozenset({"modelled", "counted", "ms", "busy"})
    design: str
    op: str
    batch: int = 1
    hybrid: bool = False

    @property
    def command(self) -> str:
        batch = f" --batch {self.batch}" if self.batch > 1 else ""
        return f"ringside ltv cycles {self.design} --op {self.op}{batch}{' --hybrid' if self.hybrid else ''}"

    @property
    def source(self) -> str:
        return f"RTL simulation of {self.design}, and a model of cycles compared with it"

    @property
    def key(self) -> str:
        """In build/ltv.json."""
        return f"{self.design} {self.op} {self.batch}{' hybrid' if self.hybrid else ''}"


Query = (
    Simulation
    | Transform
    | SchemeCycles
    | Frames
    | Batch
    | Decryptions
    | Synthesis
    | Asic
    | Energy
    | SocRun
    | SocScheme
    | SchemeProfile
    | Processor
    | ProcessorPower
    | Bench
    | Evaluator
    | EvaluatorAes
    | EvaluatorCore
)
KINDS: Mapping[str, type[Question]] = {kind.__name__: kind for kind in Query.__args__}


# ---- as text --------------------------------------------------------------------------------------------------------
def as_dict(question: Query) -> dict[str, Any]:
    """Kind and fields, for JSON."""
    return {"kind": type(question).__name__, **asdict(question)}


def from_dict(found: Mapping[str, Any]) -> Query:
    """Its reverse. KeyError, TypeError: it is no question."""
    values = dict(found)
    kind: Any = KINDS[values.pop("kind")]
    question: Query = kind(**values)
    return question


def parse(command: str) -> Query:
    """The question that a command answers, with the command's own defaults. ParameterError: none does."""
    given: dict[str, str] = {}
    try:
        question = _question(_words(command, given), given)
    except (KeyError, IndexError, ValueError):
        question = None
    if question is None or given:
        raise ParameterError(
            "FIGURE",
            f"{command!r} is not a command whose figures are recorded.",
            "Recorded are `ringside cycles`, `soc run`, `soc area`, `soc energy`, `synth`, `ltv time` and `ltv cycles`; `ringside figures list` shows them.",
        )
    return question


def _words(command: str, given: dict[str, str]) -> list[str]:
    """Words that are no options; options go to `given`. IndexError: one has no value. ValueError: a quotation mark is open."""
    words, names = shlex.split(command), list[str]()
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            names.append(word)
        elif word != "--json":
            given[word.removeprefix("--")] = (
                "1" if word in ("--overlap", "--no-energy", "--skip-aes", "--hybrid") else words.pop(0)
            )
    return names


def _question(names: list[str], given: dict[str, str]) -> Query | None:
    """Takes from `given` what it uses."""

    def number(name: str, default: int) -> int:
        return int(given.pop(name, default))

    match names:
        case ["ringside", "cycles", design]:
            frames, op = number("frames", 1), given.pop("op", "ntt")
            if "log-size" in given:
                log_size, slices = number("log-size", 0), number("slices", Transform.slices)
                return Transform(design, log_size, slices) if op == "ntt" else None
            if op.startswith(SchemeCycles.SCHEMES):
                return SchemeCycles(design, op)
            if params := given.pop("params", ""):
                kind: type[Batch] = {Batch.OP: Batch, Decryptions.OP: Decryptions}[op]
                return kind(design, params, frames)
            size = number("n", 4096), number("limbs", 1), number("bits", 30)
            if frames == 1:
                return Simulation(design, op, *size)
            return Frames(design, op, *size) if frames == Frames.COUNT else None
        case ["ringside", "soc", "run", design] if given.get("op", "").startswith(SchemeCycles.SCHEMES):
            calls, latency = number("frames", SocScheme.calls), number("latency", SocScheme.latency)
            return SocScheme(design, given.pop("op"), calls, latency)
        case ["ringside", "soc", "run", design]:
            size = number("n", 1024), number("limbs", 1), number("bits", SocRun.bits)
            latency, frames = number("latency", SocRun.latency), number("frames", SocRun.frames)
            return SocRun(design, given.pop("op", "encrypt-pk"), *size, latency, frames, bool(number("overlap", 0)))
        case ["ringside", "soc", "profile", op]:
            runs, divider = number("runs", SchemeProfile.runs), number("core-divider", SchemeProfile.divider)
            return SchemeProfile(given.pop("on", ALONE), op, runs, divider)
        case ["ringside", "synth", design]:
            target, device, area_only = given.pop("target", "xc7"), given.pop("device", ""), number("no-energy", 0)
            if target == ASIC_TARGET and not device:
                return Asic(design) if area_only else Energy(design)
            known = target == ("xcup" if device else "xc7") and not area_only
            return Synthesis(design, device) if known else None
        case ["ringside", "ltv", "time"]:
            skips = number("skip-aes", 0)
            return (Evaluator if skips else EvaluatorAes)(
                number("ring", 65535), given.pop("sbox", "3"), given.pop("key-switching", "hybrid")
            )
        case ["ringside", "ltv", "cycles", design]:
            batch, hybrid = number("batch", 1), bool(number("hybrid", 0))
            return EvaluatorCore(design, given.pop("op", "product"), batch, hybrid)
        case ["ringside", "soc", "area"]:
            return Processor() if given.pop("target", ASIC_TARGET) == ASIC_TARGET else None
        case ["ringside", "soc", "energy"]:
            size_given = {name: number(name, value) for name, value in ProcessorPower.SIZE.items()}
            op = given.pop("op", "encrypt-pk-direct")
            measured = size_given == ProcessorPower.SIZE and given.pop("target", ASIC_TARGET) == ASIC_TARGET
            return ProcessorPower(op) if measured else None
    return None
