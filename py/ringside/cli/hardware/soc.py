# SPDX-License-Identifier: Apache-2.0
"""`ringside soc`: a processor and an accelerator together, simulated."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ... import designs
from ...errors import DeviceError, InputError, ParameterError, UsageError
from ...native.files import replace_file
from ...operations import CALLS, NONE, TABLE, USUAL, refuse
from ...sim.options import CHIP_LATENCY_CYCLES
from ..common import options as opt
from ..common.commands import App
from ..common.output import BUILDS, note, print_facts, print_json, print_table, progress_bar
from ..common.places import PICTURES, output
from ..recorded import keep
from .show import exit_if_different, print_stages, result_fact, time_fact, with_time
from .soc_profile import profile
from .soc_scheme import run_scheme
from .synth_asic import BLOCK, block_row

if TYPE_CHECKING:
    from ...cycles.system import System
    from ...report.published import Paper
    from ...soc.run import Waves

app = App(
    help="Simulate a RISC-V processor with an accelerator beside it, and count the cycles of firmware and core.\n\n"
    "Example: ringside soc run rise-1 --op encrypt-pk --n 1024 --limbs 1",
    no_args_is_help=True,
)
CellsOption = Annotated[str, typer.Option("--target", help="Named standard cells: osu018.")]
LibertyOption = Annotated[
    list[Path] | None, typer.Option("--liberty", metavar="FILE", help="Liberty file of other cells; may be repeated.")
]
NodeOption = Annotated[
    int, typer.Option("--node", metavar="NM", min=0, help="Node of --liberty in nm: caches are scaled to it.")
]
WAVES_CYCLES = 10_000

app.command("profile")(profile)


@app.callback()
def _soc() -> None:
    pass


_Design = Annotated[
    str,
    typer.Argument(
        help="Named design (`ringside designs`), a TOML file, or none for software alone.",
        autocompletion=opt.named_designs,
    ),
]
_Frames = Annotated[
    int | None,
    typer.Option(
        "--frames",
        min=1,
        max=64,
        help="Frames, or calls of ml-kem-…, ml-dsa-… and newhope-…; the last one is measured. Default: 1.",
    ),
]
_Overlap = Annotated[
    bool,
    typer.Option(
        "--overlap",
        help="Encode a frame while the core encrypts the one before, and count cycles per frame. With encode-… and decrypt-decode up to eight --frames share a program.",
    ),
]
_CoreDivider = Annotated[
    int | None,
    typer.Option(
        "--core-divider",
        min=1,
        max=1000,
        help="The core's clock is the processor's divided by this, and each of its cycles counts so many times; for ml-kem-…, ml-dsa-… and newhope-…. Default: 1.",
    ),
]
_Limit = Annotated[
    int | None,
    typer.Option(
        "--limit", min=1, help="Cycles after which the simulation ends. Default: a few times those of such a job."
    ),
]
_WavesFrom = Annotated[
    int | None,
    typer.Option("--waves-from", min=0, help="First cycle of --waves. Default: where the core first reads RAM."),
]
_WavesCycles = Annotated[
    int | None, typer.Option("--waves-cycles", min=1, help=f"Number of cycles of --waves. Default: {WAVES_CYCLES:,}.")
]


@app.command("run")
def run(
    design: _Design,
    op: opt.SocOperationOption = "encrypt-pk",
    n: Annotated[int | None, typer.Option("--n", help="Ring degree N. Default: 1024.")] = None,
    limbs: opt.OwnLimbsOption = None,
    bits: opt.OwnBitsOption = None,
    latency: opt.LatencyOption = CHIP_LATENCY_CYCLES,
    frames: _Frames = None,
    overlap: _Overlap = False,
    core_divider: _CoreDivider = None,
    limit: _Limit = None,
    waves: Annotated[Path | None, typer.Option("--waves", help="File for the signals of some cycles, .vcd.")] = None,
    waves_from: _WavesFrom = None,
    waves_cycles: _WavesCycles = None,
    clock: opt.ClockOption = 500,
    json: opt.JsonFlag = False,
) -> None:
    """Run an operation on a simulated SoC, and count the cycles of each stage, from values to ciphertext.

    The SoC is Rocket (RV64GC, 16 KiB of each first-level cache, no second level) with the design's core on its registers and its interrupt;
    memory is coherent. The firmware is the C library with its driver. With `none` the library does everything.
    Keys, context and message are prepared outside; the result is compared with the library's on this machine.

    It needs `make soc`. The first run builds Rocket, a few minutes; each design adds one or two. Then it simulates some 100,000 cycles a second
    on an idle processor: with N = 1024 half a minute.
    Waves need a model of their own, which is built when they are first wanted. GTKWave and Surfer show them.
    ML-KEM, ML-DSA and NewHope take --frames and --core-divider alone: the set says all. A signature is deterministic.
    NewHope is for research alone; newhope-begin and newhope-finish are the two halves of its server.

    Examples: ringside soc run rise-1 --op encrypt-pk --n 1024 --limbs 1

    ringside soc run pqc-4 --op ml-kem-768-encaps --frames 2
    """
    from ...cycles.system import check
    from ...devices.on_chip import build_soc
    from ...sim.options import ALONE
    from ...soc.run import Waves

    takes = TABLE[op].on_chip or NONE
    sizes = {"n": n, "limbs": limbs, "bits": bits, "frames": frames, "core_divider": core_divider}
    given: dict[str, object] = {
        **sizes,
        "overlap": overlap or None,
        "waves": waves,
        "waves_from": waves_from,
        "waves_cycles": waves_cycles,
    }
    refuse(op, (takes,), given)
    n, limbs, bits, frames, divider = (value or USUAL["soc run"][name] for name, value in sizes.items())
    found = None if design == ALONE else designs.load(design)
    if takes == CALLS:
        run_scheme(found, op, frames, latency, limit, divider, clock, json)
        return
    if overlap:
        _check_overlap(op, frames, alone=found is None)
    check(found, op, n, limbs, bits)
    _check_waves(waves, waves_from, waves_cycles, alone=found is None)
    with _waves_file(waves) as file:
        with progress_bar("Building the SoC", BUILDS) as building:
            build_soc(found, building, waves=file is not None)
        window = None if file is None else Waves(file, waves_from, waves_cycles or WAVES_CYCLES)
        sized = {"n": n, "limbs": limbs, "bits": bits}
        case = {"op": op, **sized, "latency": latency, "frames": frames, "overlap": overlap}
        result = _measured(design, case, window, limit)
        if window is not None and result.waves is None:
            message = f"There are no waves: the run ended after {result.simulated:,} cycles, before they begin."
            raise InputError("WAVES", message, "Give a smaller --waves-from.")
    if json:
        print_json(with_time(result, clock, bits=bits))
    else:
        _print(result, clock)
        if result.waves is not None:
            first, last = result.waves
            print_facts([("waves", f"{waves}: cycles {first:,} to {last:,} of {result.simulated:,}")])
    exit_if_different(result.bit_exact)


def _check_overlap(op: str, frames: int, *, alone: bool) -> None:
    """ParameterError: so many frames cannot overlap."""
    from ...soc.limits import FRAMES_OF_A_PROGRAM

    if TABLE[op].fixed:
        if not 2 <= frames <= FRAMES_OF_A_PROGRAM:
            raise ParameterError(
                "OVERLAP",
                f"Two to {FRAMES_OF_A_PROGRAM} frames that a core encodes or decodes share a program, not {frames}.",
                "Give --frames 4.",
            )
    elif alone or frames < 3:
        message = "Only a core and three frames or more can overlap: the first and the last are not counted."
        raise ParameterError("OVERLAP", message, "Give --frames 4 and a design.")


def _check_waves(file: Path | None, first: int | None, cycles: int | None, *, alone: bool) -> None:
    """UsageError: options that contradict each other."""
    if file is None:
        if first is not None or cycles is not None:
            message = "--waves-from and --waves-cycles choose what --waves writes."
            raise UsageError("WAVES", message, "Add --waves run.vcd.")
        return
    if file.suffix != ".vcd":
        message = f"Waves are written in the format VCD, not to {file.name}."
        raise UsageError("WAVES", message, f"Name the file {file.stem}.vcd.")
    if alone and first is None:
        raise UsageError("WAVES", "Without a core nothing says where the waves begin.", "Add --waves-from CYCLE.")


@contextmanager
def _waves_file(path: Path | None) -> Iterator[int | None]:
    """A file that takes its name when the run has ended, also when it has failed: then waves are needed most. FileError: it cannot be written."""
    if path is None:
        yield None
        return
    failure: DeviceError | None = None
    with replace_file(path) as file:
        try:
            yield file
        except DeviceError as error:
            if not os.fstat(file).st_size:
                raise
            failure = error
    if failure is not None:
        raise failure


def _measured(design: str, case: Mapping[str, Any], waves: Waves | None = None, limit: int | None = None) -> System:
    """Runs it, and keeps the figures for `ringside soc report`."""
    from ...cycles.system import measure
    from ...sim.options import ALONE

    loaded = None if design == ALONE else designs.load(design)
    with progress_bar("Simulating", cycles=True) as progress:
        found = measure(loaded, **case, limit=limit, waves=waves, progress=progress)
    if found.bit_exact and waves is None:
        keep("soc run", design, found=asdict(found), **case)
    return found


_Op = Annotated[
    list[str] | None,
    typer.Option(
        "--op",
        help="Operation to show; may be repeated. Default: encrypt-sk, encrypt-pk-direct, decrypt.",
        **opt.operation_among(opt.FIRMWARE),
    ),
]
_ReportDesign = Annotated[
    list[str] | None,
    typer.Option("--design", help="Design to show; may be repeated. Default: none, race and all of RISE."),
]
_N = Annotated[
    list[int] | None, typer.Option("--n", help="Ring degree to show; may be repeated. Default: 1024 to 16384.")
]
_Clock = Annotated[
    list[float] | None,
    typer.Option(
        "--clock",
        metavar="MHz",
        parser=opt.parse_clock,
        help="Clock in MHz for frames per second; may be repeated. Default: 100 and 500.",
    ),
]
_Uplink = Annotated[
    list[float] | None,
    typer.Option(
        "--uplink",
        metavar="MBIT",
        parser=opt.parse_number,
        help="Rate of a link in Mbit/s, for the frames that it carries; may be repeated. Default: 10, 50, 100.",
    ),
]
_Runs = Annotated[
    int, typer.Option("--runs", min=0, help="Number of missing runs to make first, short ones before long ones.")
]
_Markdown = Annotated[bool, typer.Option("--markdown", help="Print the cycles alone, as the tables of docs/soc.md.")]


@app.command("report")
def report(
    op: _Op = None,
    design: _ReportDesign = None,
    n: _N = None,
    latency: opt.LatencyOption = CHIP_LATENCY_CYCLES,
    clock: _Clock = None,
    uplink: _Uplink = None,
    runs: _Runs = 0,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Picture to write: .svg or .png.")] = None,
    markdown: _Markdown = False,
    full: opt.FullFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Show the cycles measured of whole systems (the processor alone, RACE, RISE), stage by stage and as frames per second.

    The rows are those of the ledger (`ringside figures list`) and of every `ringside soc run`, with 30-bit primes: one frame, the second of two, or
    --frames 3 --overlap. A row that is older than its firmware or hardware is marked with *. `--runs` makes those that are missing: with N = 1024 a minute each, with N = 4096 and three limbs several, with N = 16384 hours.
    With --full come frames: pictures with a slot for a pixel, at each clock, beside those that a link carries as SEAL files without compression. Then come the
    instructions of the processor alone beside SEAL-Embedded's, what was not measured, and what RISE prints of the same.

    Example: ringside soc report --runs 2 -o soc.svg
    """
    from ...figures import systems
    from ...figures.command import parse
    from ...figures.ledger import Books
    from ...report import published, system_report
    from ...sim.options import ALONE

    ops = list(dict.fromkeys(map(systems.plain, op or ("encrypt-sk", "encrypt-pk-direct", "decrypt"))))
    names = design or list(system_report.DESIGNS)
    for name in names:
        if name != ALONE:
            designs.load(name)
    sets = [(kind, *one) for kind in ops for one in system_report.sets(kind) if n is None or one[0] in n]
    if not sets:
        known = sorted({one[0] for kind in ops for one in system_report.sets(kind)})
        message = f"No row has N = {' or '.join(map(str, n or ()))}."
        raise UsageError("USAGE", message, f"Rows have N = {', '.join(map(str, known))}.")
    asked = [systems.ShownSystem(name, kind, size, limbs, latency) for kind, size, limbs in sets for name in names]
    with ExitStack() as stack:
        write = stack.enter_context(output(out, force=False, suffixes=PICTURES)) if out is not None else None
        for command in systems.missing(asked, Books.open())[:runs]:
            print(command, file=sys.stderr, flush=True)
            run = parse(command)
            usual = {"n": 0, "limbs": 1, "bits": 30, "latency": CHIP_LATENCY_CYCLES, "frames": 1}
            case = {name: run.number(name, value) for name, value in usual.items()}
            exit_if_different(_measured(run.design, {"op": run.op, "overlap": False, **case}).bit_exact)
        found = systems.find_all(asked, Books.open())
        if write is not None and out is not None:
            drawing = system_report.draw(found, "Cycles of a whole system, from values to ciphertext or back")
            write(drawing.content(out, 2))
    rise = published.load("rise")
    clocks, uplinks = clock or [100.0, 500.0], uplink or list(system_report.UPLINKS)
    shown = system_report.rows(found, clocks, uplinks)
    if json:
        beside = {"seal_embedded": system_report.beside_seal_embedded(shown), "published": _published(rise)}
        print_json({"latency": latency, "rows": shown, "notes": system_report.NOTES, **beside})
    elif markdown:
        print(system_report.markdown(shown))
    else:
        _print_report(shown, full=full)
        if not full:
            print(
                "--full adds frames per second beside links, what is missing one by one, notes, and what RISE prints of the same."
            )
            return
        print()
        for note in system_report.NOTES:
            print(note)
        for what, value in _published(rise).items():
            print(f"{rise.short}: {what}: {value}")


@app.command("area")
def area(
    target: CellsOption = "osu018", liberty: LibertyOption = None, node: NodeOption = 0, json: opt.JsonFlag = False
) -> None:
    """Estimate Rocket's own area in standard cells, by the flow of `ringside synth`: core, floating point and both caches (memories of its model).

    The first run takes minutes, later ones seconds. The clock of the whole is not known: see docs/soc.md. `ringside soc energy` has the energy.

    Example: ringside soc area --target osu018
    """
    from ...synth.asic import processor, technology

    cells = technology.find("" if liberty else target, liberty or [], (), node)
    with progress_bar("Rocket") as progress:
        found = processor.synthesise(cells, progress, stage=note)
    if not liberty:
        keep("soc area", target=target, found=asdict(found))
    if json:
        print_json(asdict(found))
        return
    rows = [block_row(block) for block in found.blocks]
    print_table(BLOCK, rows, f"{found.processor}: {found.library}; {found.left_out}")
    print_facts(
        [
            ("logic", f"{found.kge:,.1f} kGE: {found.area_um2 / 1e6:.3f} mm²"),
            ("caches", f"{found.memory_bits:,} bits: {found.memory_um2 / 1e6:.3f} mm²"),
            ("clock", f"{found.slowest_mhz:.1f} MHz of the slowest part alone: {found.slowest}"),
        ]
    )


@app.command("energy")
def energy(
    op: opt.FirmwareOperationOption = "encrypt-pk-direct",
    n: opt.DegreeOption = 1024,
    limbs: opt.LimbsOption = 1,
    bits: opt.BitsOption = 30,
    target: CellsOption = "osu018",
    liberty: LibertyOption = None,
    node: NodeOption = 0,
    clock: Annotated[float | None, opt.other_clock("Clock for power. Default: that of the slowest part alone.")] = None,
    json: opt.JsonFlag = False,
) -> None:
    """Estimate the energy of one frame that Rocket encrypts or decrypts alone, encoding included: its gates are simulated in every cycle.

    Core, floating point and both caches, in the standard cells of `ringside soc area`. It takes a quarter of an hour with N = 1024, and an hour
    and a half with N = 4096 and three limbs; the result is kept in the cache.

    Example: ringside soc energy --op encrypt-pk-direct --n 1024
    """
    from ...cycles.operation import parameters
    from ...synth.asic import processor, processor_energy, technology
    from ...synth.asic.figures import EnergyRun

    parameters(op, n, limbs, bits)  # what cannot be is an error before the work
    cells = technology.find("" if liberty else target, liberty or [], (), node)
    with progress_bar("Rocket") as progress:
        processor.synthesise(cells, progress, stage=note)
    asked = EnergyRun(op, n, limbs, bits)
    with progress_bar("Simulating", cycles=True) as progress:
        found = processor_energy.measured(cells, asked, clock, progress, stage=note)
    if not liberty and clock is None:
        keep("soc energy", op=op, n=n, limbs=limbs, bits=bits, found=asdict(found))
    if json:
        print_json(asdict(found))
        return
    spent = found.energy
    rows = [
        ["  " * block.depth + block.module, f"{block.own_kge * block.instances:,.1f}", f"{block.energy_uj:,.2f}"]
        for block in found.blocks
    ]
    title = f"{found.processor}: {op}, N = {n}, {limbs} limb{'s' * (limbs > 1)}"
    print_table(["block, without those in it", "kGE", "dynamic energy, µJ"], rows, title)
    print_facts(
        [
            ("energy", f"{spent.energy_uj:,.1f} µJ; {spent.energy_without_glitches_uj:,.1f} without glitches"),
            ("cycles", f"{spent.cycles:,} of the frame; {found.simulated:,} simulated"),
            ("each cycle", f"{1e3 * spent.energy_uj / spent.cycles:,.3f} nJ"),
            ("power", f"{spent.power_mw:,.1f} mW at {spent.clock_mhz:,.1f} MHz"),
            (
                "of it",
                f"clock pins {spent.clock_uj:,.1f}, nets {spent.switching_uj:,.1f}, cells {spent.internal_uj:,.1f}, caches {spent.memory_uj:,.1f} µJ",
            ),
            ("bits that differ", f"{sum(spent.mismatches.values()):,} of {spent.compared:,}"),
        ]
    )


def _published(rise: Paper) -> dict[str, str]:
    """The paper's figures of whole systems, with their caveats, and those that its text lacks."""
    from ...report.measurement import Measurement

    def text(found: Measurement) -> str:
        if found.value is None:
            return f"{found.status} ({found.detail})"
        return f"{found.value:g} {found.unit} ({found.source.removeprefix(rise.short + ', ')}). {found.caveat}".strip()

    facts = [fact for key, fact in rise.facts.items() if key.startswith("best_")]
    return {what: text(found) for what, found in [*facts, *rise.lost]}


def _print_report(rows: list[dict[str, Any]], *, full: bool) -> None:
    from ...figures.ledger import State
    from ...report import system_report
    from ...sim.options import ALONE

    table = []
    frames: dict[tuple[str, str, str], list[tuple[str, ...]]] = {}
    for row in rows:
        if not row["measured"]:
            continue
        group = (row["op"], str(row["n"]), str(row["limbs"]))
        table.append(
            (
                *group,
                row["design"] + "*" * (row["state"] is State.old),
                row["frame"],
                f"{row['cycles']:,}",
                *(f"{cycles:,}" if cycles else "" for cycles in row["parts"].values()),
                f"{row['speed_up']:.1f}" if row["speed_up"] else "",
            )
        )
        who = row["design"] + f", {row['frame']}" * (row["design"] != ALONE and row["frame"] != "later")
        rates = [(f"{who}, {clock} MHz", of) for clock, of in row["frames_per_second"].items()]
        links = [(f"link, {rate} Mbit/s", of) for rate, of in row.get("uplink_frames_per_second", {}).items()]
        lines = [(*group, who, *(f"{rate:,.2f}" for rate in of.values())) for who, of in (*rates, *links)]
        known = frames.setdefault(group, [])
        known += [line for line in lines if line not in known]
    if table:
        heads = ["encode", "software", "driver", "core", "decode"]
        print_table(["op", "N", "limbs", "design", "frame", "cycles", *heads, "speed-up"], table)
        if any(row["measured"] and row["state"] is State.old for row in rows):
            print("* of other sources than today's; `ringside figures refresh` makes it again")
    if table and full:
        print()
        lines = [line for group in frames.values() for line in sorted(group, key=lambda one: one[3].startswith("link"))]
        print_table(["op", "N", "limbs", "frames of", "QQVGA/s", "QVGA/s"], lines)
    others = system_report.beside_seal_embedded(rows)
    if others:
        print()
        heads = ["op", "N", "limbs", "instructions, processor alone", "SEAL-Embedded's", "share"]
        print_table(
            heads,
            [
                (
                    one["op"],
                    str(one["n"]),
                    str(one["limbs"]),
                    f"{one['instructions']:,}",
                    f"{one['seal_embedded']:,}",
                    f"{one['share']:.3f}",
                )
                for one in others
            ],
        )
    lost = system_report.not_measured(rows)
    if lost:
        print(f"\n{sum(map(len, lost.values()))} of {len(rows)} are not measured; --runs makes some of them.")
    if lost and full:
        for (op, n, limbs), names in lost.items():
            print(f"{op}, N = {n}, {limbs} limb{'s' * (limbs > 1)}: {', '.join(names)}")


def _print(found: System, clock: float) -> None:
    last = ("all, of each frame" if found.program_frames else "all", f"{found.cycles:,}", f"{found.instructions:,}", "")
    if found.overlap and not found.program_frames:
        slowest = max(count.cycles for count in found.stages.values())
        last = ("from frame to frame", f"{found.cycles:,}", "", f"{found.cycles / slowest:.3f} x the longest")
    name = f"{found.op}, N = {found.n}, {found.limbs} limb{'s' * (found.limbs > 1)}, design {found.design}, latency of RAM {found.latency}"
    print(name)
    print_stages(found.stages, found.cycles, last)
    units = [f"{unit} {cycles:,}" for unit, cycles in found.units.items() if cycles]
    facts = [time_fact(found.cycles, clock)]
    if found.program_frames:
        together = (
            f"{found.program_frames} frames share a program"
            if found.program_frames > 1
            else "no two frames fit into one program"
        )
        alone = f"a frame alone takes {found.single_cycles:,} cycles, each further one {found.cycles_per_frame:,}"
        facts.append(("overlap", f"{together}; {alone}"))
    if units:
        facts.append(
            (
                "core",
                f"busy: {', '.join(units)}; {found.program_instructions} instructions, {found.register_accesses} register accesses",
            )
        )
        facts.append(
            (
                "set-up",
                f"{found.setup.cycles:,} cycles, {found.setup.instructions:,} instructions: context, keys and the program, once",
            )
        )
    print_facts([*facts, result_fact(found.bit_exact)])
