# SPDX-License-Identifier: Apache-2.0
"""Command lines whose answers are recorded: how they are written, read, and which figure of an answer a path is.

A question is a command line in its one form (cli/recorded.py makes it of any other), its answer what the command prints with --json.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import ParameterError
from ..operations import CLIENT, names
from ..sim.options import ALONE

BENCH = "make bench"  # no command of ours: its answer is what it wrote last
ASIC_TARGET = "osu018"  # 180 nm: what a package installs; the papers' designs are in other technologies
FRAMES = 4  # a call has so many where frames follow each other
BATCH = 16  # a program has so many where a streaming unit takes them together
# commands, and the options that a recorded one may have; those behind None only where they are not the usual ones
RECORDED: Mapping[str, tuple[str | None, ...]] = {
    "cycles": ("op", "n", "limbs", "bits", None, "params", "frames", "log_size", "slices"),
    "synth": ("target", None, "device", "no_energy"),
    "soc run": ("op", "n", "limbs", "bits", None, "latency", "frames", "overlap"),
    "soc profile": (None, "runs", "on", "core_divider"),
    "soc area": ("target",),
    "soc energy": ("op", "n", "limbs", "bits"),
    "ltv time": ("ring", "sbox", "key_switching", None, "skip_aes"),
    "ltv cycles": ("op", None, "batch", "hybrid"),
}
SIZES = ("n", "limbs", "bits")  # an operation of a scheme beside CKKS has none, nor has a named set


def always_said(verb: str) -> tuple[str, ...]:
    """Options that a recorded command says whatever their values."""
    options = RECORDED.get(verb, ())
    return tuple(name for name in options[: options.index(None) if None in options else None] if name)


@dataclass(frozen=True)
class Asked:
    """A command, read. verb: its words in front of the first argument."""

    command: str
    verb: str
    argument: str
    options: Mapping[str, str]

    @property
    def design(self) -> str:
        """ALONE: it is of none."""
        if self.verb == "soc profile":
            return self.options.get("on", ALONE)
        return self.argument.partition(",")[0] or ALONE

    @property
    def op(self) -> str:
        return self.argument if self.verb == "soc profile" else self.options.get("op", "")

    @property
    def is_scheme(self) -> bool:
        """Whether the operation is one of a scheme without a context."""
        return bool(self.op) and self.op not in names(*CLIENT)

    @property
    def is_asic(self) -> bool:
        return self.options.get("target") == ASIC_TARGET

    @property
    def is_energy(self) -> bool:
        """Whether gates of a design are simulated."""
        return self.verb == "synth" and self.is_asic and "no_energy" not in self.options

    @property
    def is_stream(self) -> bool:
        return "params" in self.options

    def number(self, name: str, usual: int = 0) -> int:
        return int(self.options.get(name, usual))


@cache
def parse(command: str) -> Asked:
    """A command in its one form. ParameterError: its figures are not recorded."""
    if command == BENCH:
        return Asked(command, BENCH, "", {})
    try:
        words = shlex.split(command)
    except ValueError:  # a quotation mark is open
        words = []
    verb = next((one for one in RECORDED if words[1 : 1 + len(one.split())] == one.split()), "")
    rest, options = words[1 + len(verb.split()) :], dict[str, str]()
    argument = rest.pop(0) if rest and not rest[0].startswith("-") else ""
    while rest and rest[0].startswith("--"):
        name = rest.pop(0)[2:].replace("-", "_")
        options[name] = rest.pop(0) if rest and not rest[0].startswith("--") else ""
    asked = Asked(command, verb, argument, options)
    known = verb and words[0] == "ringside" and not rest and options.keys() <= set(RECORDED[verb])
    if not known or (verb == "synth" and not _is_mapped(options)):
        raise ParameterError(
            "FIGURE",
            f"{command!r} is not a command whose figures are recorded.",
            "Recorded are `ringside cycles`, `soc run`, `soc area`, `soc energy`, `soc profile`, `synth`, `ltv time` and `ltv cycles`; `ringside figures list` shows them.",
        )
    return asked


def _is_mapped(options: Mapping[str, str]) -> bool:
    """Of an FPGA cells alone: without place and route, and of the UltraScale+ with the device, whose memories count."""
    known = {"xc7": {"target"}, "xcup": {"target", "device"}, ASIC_TARGET: {"target", "no_energy"}}
    return options.keys() <= known.get(options.get("target", ""), set()) and (
        "device" in options or options["target"] != "xcup"
    )


def line(verb: str, *arguments: str, **options: object) -> str:
    """A command line. Options that are None or False are left out, True is a flag."""
    words = ["ringside", *verb.split(), *arguments]
    for name, value in options.items():
        if value is not None and value is not False:
            words += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return shlex.join(words)


# ---- what report and tables ask -------------------------------------------------------------------------------------
def cycles(design: str, op: str, n: int = 0, limbs: int = 1, bits: int = 30, **more: object) -> str:
    """n 0: the operation has no sizes, or `more` says them (log_size, params)."""
    sizes = {"n": n, "limbs": limbs, "bits": bits} if n else {}
    return line("cycles", design, op=op, **sizes, **more)


def soc_run(design: str, op: str, n: int = 0, limbs: int = 1, bits: int = 30, **more: object) -> str:
    sizes = {"n": n, "limbs": limbs, "bits": bits} if n else {}
    return line("soc run", design, op=op, **sizes, **more)


def soc_profile(op: str, design: str = ALONE, runs: int = 1, divider: int = 1) -> str:
    """design: whose core does kernels."""
    on, slower = (design, divider if divider > 1 else None) if design != ALONE else (None, None)
    return line("soc profile", op, runs=runs if runs > 1 else None, on=on, core_divider=slower)


def synth(design: str, device: str = "") -> str:
    """Cells on an FPGA. device: of the UltraScale+, with its large memories; none: the 7 series."""
    return line("synth", design, target="xcup" if device else "xc7", device=device or None)


def asic(design: str, *, energy: bool = False) -> str:
    return line("synth", design, target=ASIC_TARGET, no_energy=not energy)


# ---- figures of an answer -------------------------------------------------------------------------------------------
def value(answer: Mapping[str, Any], path: str) -> Any:
    """What stands at a path: names with dots between them; of a list of blocks the one of that module. LookupError: nothing; the text says what there is."""
    found: Any = answer
    for name in path.split("."):
        if isinstance(found, list):
            found = {one["module"]: one for one in found if one.get("instances", 1) == 1}
        if not isinstance(found, Mapping) or name not in found:
            raise LookupError(", ".join(found) if isinstance(found, Mapping) else "none")
        found = found[name]
    return found
