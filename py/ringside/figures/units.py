# SPDX-License-Identifier: Apache-2.0
"""What a figure is: its unit, whether it is measured, what to know about it, and what it comes from, by the command and its path."""

from collections.abc import Mapping

from ..errors import InternalError
from ..sim.options import ALONE
from .command import ASIC_TARGET, Asked, parse

# by the last name of a path; where commands call two things alike, by the command's last word and it
UNITS: Mapping[str, str] = {
    **dict.fromkeys(("cycles", "busy", "cycles_per_frame", "batch_cycles", "core_cycles", "set_up", "transform"), "cycles"),
    **dict.fromkeys(("measured", "modelled", "counted"), "cycles"),
    "ratio": "", "utilisation": "", "lanes_busy": "", "read_bytes": "bytes/cycle", "written_bytes": "bytes/cycle",
    "lut": "LUT", "ff": "FF", "dsp": "DSP", "bram36": "BRAM36", "bram18": "BRAM18", "uram": "URAM", "memory_bits": "bits",
    "kge": "kGE", "area_um2": "µm²", "memory_um2": "µm²", "fmax_mhz": "MHz", "clock_mhz": "MHz", "flip_flops": "",
    "energy_uj": "µJ", "energy_without_glitches_uj": "µJ", "power_mw": "mW",
    "rate": "1/s", "milliseconds": "ms", "time.transform": "µs", "aes": "s",
    **dict.fromkeys(("product", "reduction", "windows", "switching", "relinearisation", "aes_block"), "ms"),
    **dict.fromkeys(("relinearisations", "products", "switches"), "operations"),
    "right": "blocks", "load": "processes", "aes_load": "processes", "instructions": "instructions",
}  # fmt: skip
MODELLED = frozenset({"memory_um2", "modelled", "counted", "milliseconds", "lanes_busy", "products"})
BEFORE_LAYOUT = "Before layout: no wires, no clock tree; one typical corner."
GATES = "Gates of the netlists simulated beside the RTL; no wires, modelled memories; cells' tables ±15 %."
CAVEATS: Mapping[str, str] = {
    **dict.fromkeys(("kge", "area_um2", "fmax_mhz"), BEFORE_LAYOUT),
    "memory_um2": "CACTI at 45 nm, scaled: macros one can have are 1.3 to 1.7 times as large.",
    **dict.fromkeys(("synth.energy_uj", "synth.power_mw", "synth.energy_without_glitches_uj"), GATES),
    "energy.power_mw": f"{GATES} N = 1024, one limb; every size is taken to need as much in a cycle.",
    "run.cycles": "Encoding or decoding included; Rocket, RAM after 20 cycles.",
    "scheme.cycles": "Rocket, RAM after 20 cycles; programs are made before.",
}


def _names(command: str, path: str) -> tuple[str, str]:
    """Keys of the tables, the narrower one first. Of {value, unit} it is the name before."""
    asked, names = parse(command), path.removesuffix(".value").split(".")
    word = "scheme" if asked.verb == "soc run" and asked.is_scheme else asked.verb.split()[-1]
    return f"{word}.{names[-1]}", names[-1]


def unit(command: str, path: str) -> str:
    for name in _names(command, path):
        if name in UNITS:
            return UNITS[name]
    raise InternalError("INTERNAL", f"{path} of `{command}` has no unit in figures/units.py.")


def is_modelled(command: str, path: str) -> bool:
    return _names(command, path)[1] in MODELLED


def caveat(command: str, path: str) -> str:
    if len(path.split(".")) > 1 and parse(command).verb == "soc run":
        return ""  # a part of a run
    return next((CAVEATS[name] for name in _names(command, path) if name in CAVEATS), "")


def source(command: str, path: str) -> str:
    """The thing that is simulated, mapped or timed."""
    asked = parse(command)
    design, options = asked.design, asked.options
    match asked.verb:
        case "cycles":
            frames = options.get("frames", "")
            more = f" of {options['params']} in a program" if asked.is_stream else ""
            return f"RTL simulation of {design}" + f", {frames} frames{more}" * bool(frames)
        case "synth":
            return _mapped(asked, path)
        case "soc run":
            return "the library on Rocket, simulated" if design == ALONE else f"Rocket with {design}, simulated"
        case "soc profile":
            clock = f", its clock 1/{options['core_divider']}" if "core_divider" in options else ""
            return f"{asked.op} on Rocket, simulated" + f", kernels on {design}{clock}" * (design != ALONE)
        case "soc area":
            return f"Rocket's tile mapped to {ASIC_TARGET} with Yosys"
        case "soc energy":
            return f"toggles of the gates of Rocket's tile in {ASIC_TARGET}, {asked.op} and encoding or decoding"
        case "ltv time":
            depth = "4, as in the paper" if options["sbox"] == "paper" else options["sbox"]
            return (
                f"ringside-ltv on one core, ring {options['ring']}, S-box of depth {depth}, {options['key_switching']}"
            )
        case "ltv cycles":
            return f"RTL simulation of {design}, and a model of cycles compared with it"
    params, _, who = path.split(".")[:3]
    named = {"ringside": "Ringside", "openssl": "OpenSSL", "rustcrypto": "RustCrypto"}.get(who, "SEAL with HEXL")
    return f"{named} on one core, {params}"


def _mapped(asked: Asked, path: str) -> str:
    if asked.is_energy:
        return f"toggles of {asked.design}'s gates in {ASIC_TARGET} during an encryption, N = 4096, one limb"
    if asked.is_asic:
        return f"{asked.design} mapped to {ASIC_TARGET} with Yosys, static timing of OpenSTA"
    what = f"{path.split('.')[1]} in {asked.design}" if path.startswith("blocks.") else asked.design
    device = asked.options.get("device")
    return f"synthesis of {what} with Yosys, {f'UltraScale+, {device}' if device else '7-series'}, mapped"
