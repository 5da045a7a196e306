# SPDX-License-Identifier: Apache-2.0
"""The commands, put together. A command's module is loaded when the command is used: the list of them costs none."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import typer
from typer.main import get_command

from .common.commands import App
from .common.output import EXIT_CODES


@dataclass(frozen=True)
class Verb:
    """A command of ours. place: module:object, from this package. about: the first sentence of its help, which a test compares."""

    name: str
    place: str
    about: str


# panels of the help, and sections of the manual page
PANELS: dict[str, tuple[Verb, ...]] = {
    "Parameters and keys": (
        Verb("params", "files.sets:params", "List the named parameter sets, or show one."),
        Verb("advise", "files.sets:advise", "Find parameters for a task, best first."),
        Verb("keygen", "files.keygen:keygen", "Make parameters and keys in a directory."),
        Verb("stream-keys", "files.keygen:stream_keys", "Make a server's keys, or any bytes of their file again."),
        Verb("plan-keys", "files.plans:plan_keys", "Choose the rotation keys for a program on a server of SEAL or Lattigo: few keys whose sums are its rotations."),
    ),
    "Data": (
        Verb("heir", "files.programs:heir", "Read a program that HEIR compiled, and write what its client needs."),
        Verb("encrypt", "files.encrypt:encrypt", "Encrypt the values of a file, or of many."),
        Verb("decrypt", "files.decrypt:decrypt", "Decrypt ciphertexts to a file of values."),
        Verb("inspect", "files.inspect:inspect", "Tell what a file of SEAL, TenSEAL, Lattigo or OpenFHE holds."),
        Verb("convert", "files.inspect:convert", "Copy a SEAL file under another version or compression, or between SEAL and TenSEAL, Lattigo or OpenFHE."),
        Verb("unpack", "files.packed:unpack", "Make a server's keys of packed ones, at a gateway."),
        Verb("shrink", "files.packed:shrink", "Make an answer smaller before it is sent."),
        Verb("table", "files.table:app", "Encrypt tables of Parquet, a ciphertext for each row, in parts: on this machine or on a cluster."),
    ),
    "Post-quantum": (
        Verb("kem", "pqc.kem:app", "Agree on a secret with ML-KEM (FIPS 203): one side makes keys, the other a secret for them."),
        Verb("sign", "pqc.sign:app", "Sign files and verify signatures with ML-DSA (FIPS 204)."),
    ),
    "Hardware": (
        Verb("designs", "hardware.cycles:list_designs", "List the named hardware designs, or the sources of one."),
        Verb("build", "hardware.cycles:build", "Build the model of a design's RTL, and let it test itself."),
        Verb("cycles", "hardware.cycles:cycles", "Measure an operation on a design's RTL in simulation, and compare its result with the library's."),
        Verb("timeline", "hardware.cycles:timeline", "Draw which unit runs which instruction when."),
        Verb("program", "hardware.cycles:program", "Print the program that the library runs on a design."),
        Verb("synth", "hardware.synth:synth", "Estimate a design's cost: LUTs, flip-flops, multipliers and memories on an FPGA; area, clock, power and energy as an ASIC."),
        Verb("leak", "hardware.leak:leak", "Test by Welch's t whether toggles of a simulated core's flip-flops tell a fixed message or key from random ones."),
        Verb("rtl", "hardware.rtl:rtl", "Write everything that a system needs of a design into one directory, which needs nothing else of Ringside."),
        Verb("soc", "hardware.soc:app", "Simulate a RISC-V processor with an accelerator beside it, and count the cycles of firmware and core."),
    ),
    "Research": (
        Verb("report", "report:report", "Set the figures of papers beside ours: one HTML page, with pictures, CSV and JSON."),
        Verb("explore", "hardware.explore:app", "Every design of a space in models of cycles, area and energy; the best ones in RTL; one page of all."),
        Verb("figures", "figures:app", "The recorded figures: README, documents, `ringside report` and `ringside soc report` read them."),
    ),
    "Tools": (
        Verb("demo", "demo:demo", "Encrypt a photograph, let stock Microsoft SEAL sharpen it, decrypt and check every pixel."),
        Verb("doctor", "doctor:doctor", "Tell what is installed, what each extra gives, and which back end runs."),
        Verb("selftest", "check:selftest", "Check this installation: known answers of every primitive, then a round trip."),
        Verb("cache", "cache:cache", "Show or shrink the cache: models of hardware, firmware, mapped blocks, proofs."),
    ),
}  # fmt: skip

app = App(
    name="ringside",
    help="The client side of CKKS: keys, encryption and decryption in Microsoft SEAL's formats, and accelerators for them.",
    epilog=f"`ringside help COMMAND` explains a command, `man ringside` has all of them. The guide and tutorials are in docs/ of the sources. Exit codes: {EXIT_CODES}.",
    no_args_is_help=True,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        print(f"ringside {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
    quiet: Annotated[  # run.py takes it out of the words, wherever it stands
        bool,
        typer.Option("--quiet", "-q", help="Print no notes and no progress, but results, warnings and errors. It may stand behind a command, too."),
    ] = False,
) -> None:  # fmt: skip
    pass


def as_command(name: str, found: Any, panel: str) -> Any:
    """A Typer or a function as a command."""
    if not isinstance(found, typer.Typer):
        function, found = found, App()
        found.command(name)(function)
    found._add_completion = False  # the options that install completions are the whole program's
    command: Any = get_command(found)
    command.name, command.rich_help_panel = name, panel
    return command


class Verbs(Mapping[str, Any]):
    """Commands by their names. What is asked for is loaded; names, panels and sentences about them are known before.

    KeyError: there is none of that name, or it could not be loaded and said why.
    """

    def __init__(self) -> None:
        self._entries: dict[str, tuple[str, str, Callable[[], Any]]] = {}
        self._loaded: dict[str, Any] = {}

    def add(self, name: str, panel: str, about: str, load: Callable[[], Any]) -> None:
        """load: gives a Typer or a function."""
        self._entries[name] = panel, about, load

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            panel, _, load = self._entries[name]
            self._loaded[name] = as_command(name, load(), panel)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def listed(self) -> dict[str, list[tuple[str, str]]]:
        """Names and sentences by panel."""
        found: dict[str, list[tuple[str, str]]] = {}
        for name, (panel, about, _) in self._entries.items():
            found.setdefault(panel, []).append((name, about))
        return found


def _load(verb: Verb) -> Any:
    module, _, attribute = verb.place.partition(":")
    return getattr(importlib.import_module(f".{module}", __package__), attribute)


def command_line() -> Any:
    """The whole command line; its `commands` are Verbs."""
    whole: Any = get_command(app)
    whole.commands = Verbs()
    for panel, verbs in PANELS.items():
        for verb in verbs:
            whole.commands.add(verb.name, panel, verb.about, partial(_load, verb))
    return whole
