# SPDX-License-Identifier: Apache-2.0
"""`ringside designs`, `build`, `cycles`, `timeline` and `program`: hardware designs, and how fast they are."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ... import designs
from ...errors import UsageError
from ...operations import CLIENT, KECCAK, RING, TABLE, USUAL, refuse
from ...sim.options import Simulated, parse_simulated
from ..common import options as opt
from ..common.output import BUILDS, print_facts, print_json, print_table, progress_bar
from ..common.places import PICTURES, STANDARD, output
from .show import time_fact, with_time

if TYPE_CHECKING:
    from ...cycles.operation import OperationRun, Recording
    from ...cycles.streaming import StreamFigures
    from ...designs import Design
    from ...sim.core import ProgramRun

LINES_OF_PROGRAM, BEGINNING_OF_PROGRAM = 60, 20  # what is printed whole, and of a longer one


def list_designs(
    design: Annotated[
        str | None,
        typer.Argument(metavar="[DESIGN]", help="Design to list: a name, or a TOML file. Default: all named ones."),
    ] = None,
    rtl: Annotated[
        bool,
        typer.Option("--rtl", help="Print its SystemVerilog files, in the order in which tools have to read them."),
    ] = False,
    json: opt.JsonFlag = False,
) -> None:
    """List the named hardware designs, or the sources of one.

    Example: ringside designs rise-4 --rtl
    """
    if rtl:
        _print_rtl(design, json)
        return
    found = [designs.load(name) for name in ([design] if design else designs.names())]
    if json:
        print_json([one.as_dict() for one in found])
        return
    columns = ["design", "lanes", "words", "largest N", "groups", "small polynomials", "bus, bits", "status", "source"]
    print_table(columns, [_row(one) for one in found], spare=("source",))


def _row(design: Design) -> tuple[str, ...]:
    return (
        design.name,
        str(design.lanes),
        str(design.word_bits),
        str(1 << design.log_n_max),
        str(design.bank_groups),
        f"{design.slots}, {design.keccak_cores} Keccak" if design.slots else "none",
        f"{design.ports} x " * (design.ports > 1) + str(design.bus_bits),
        design.status,
        design.source,
    )


def _print_rtl(design: str | None, json: bool) -> None:
    from ...sim.core import sources
    from ...sim.sources import CORE_TOP
    from ...sim.verilate import reported

    if design is None:
        raise UsageError("USAGE", "--rtl needs a design.", "`ringside designs` lists them.")
    found = designs.load(design)
    with reported(f"The sources of {found.name} are not here", "SOURCES"):
        files = [str(path) for path in sources()]
    if json:
        facts = {"design": found.name, "top": CORE_TOP, "parameters": found.parameters}
        print_json({**facts, "files": files})
        return
    print("\n".join(files))


def _wanted(design: str, checked: bool = False) -> Simulated:
    wanted = parse_simulated(design)
    return replace(wanted, checked=wanted.checked or checked)


def build(design: opt.DesignArgument, checked: opt.CheckedFlag = False, json: opt.JsonFlag = False) -> None:
    """Build the model of a design's RTL, and let it test itself.

    Models are kept in the cache, by the content of the sources; commands that need one build it by themselves. The test
    computes every kind of encryption and decryption that the design can do, with encode and decode if it has them, and compares the
    results with the library's.

    Example: ringside build rise-4
    """
    from ...devices.simulated import open_simulated

    wanted, start = _wanted(design, checked), time.perf_counter()
    built = False
    with progress_bar("Building the model", BUILDS) as bar:

        def progress(done: int, total: int) -> None:
            nonlocal built
            built = True
            bar(done, total)

        device = open_simulated(wanted, progress=progress)
    build_seconds = time.perf_counter() - start
    device.self_test()
    cycles = device.core.cycles
    device.close()
    test_seconds = time.perf_counter() - start - build_seconds
    if json:
        print_json(
            {
                "design": wanted.design.name,
                "checked": wanted.checked,
                "cached": not built,
                "build_seconds": build_seconds,
                "self_test_cycles": cycles,
                "self_test_seconds": test_seconds,
            }
        )
        return
    how = f"built in {build_seconds:.0f} s" if built else "in the cache"
    print(
        f"{wanted.design.name}: {how}; self-test passed, {cycles:,} cycles at {cycles / test_seconds / 1000:,.0f} kHz"
    )


def _record(
    wanted: Simulated, op: str, n: int, limbs: int, bits: int, frames: int = 1, named: str | None = None
) -> Recording:
    from ...cycles.far import expected_cycles, watched
    from ...cycles.operation import parameters, record
    from ...objects.common.params import Parameters

    given = Parameters.named(named) if named else None
    data_limbs = limbs if given is None else 1 if op in ("ntt", "intt") else given.data_limbs
    wait = partial(expected_cycles, wanted.design, op, given or parameters(op, n, limbs, bits), data_limbs, frames)
    with progress_bar(f"Running the model of {wanted.design.name}", BUILDS) as progress:
        return record(wanted, op, n, limbs, bits, progress, frames, given, partial(watched, wait, progress.simulated))


def _streamed(found: OperationRun, design: Design) -> StreamFigures | None:
    """Figures of a streaming unit, if it did the operation."""
    from ...cycles.operation import streams
    from ...cycles.streaming import figures

    if not (found.op.endswith("encrypt-pk") and streams(design, found.op)):
        return None
    return figures(design, found.n.bit_length() - 1, found.limbs, found.cycles_per_frame)


def _facts(
    found: OperationRun, clock: float, beside: StreamFigures | None = None, *, at_once: bool = False
) -> list[tuple[str, str]]:
    """at_once: all frames went in one call."""
    name = f"{found.op}, N = {found.n}, {found.limbs} limb{'s' * (found.limbs > 1)}"
    names = {
        "LOAD": "loads", "STORE": "stores", "COMPUTE": "lanes", "SAMPLE": "sampler", "LIFT": "lifts",
        "EXPAND": "expander", "PIPE": "stream",
    }  # fmt: skip
    busy = [
        f"{names[unit]} {100 * measured.utilisation:.0f} %" for unit, measured in found.units.items() if measured.busy
    ]
    compute = found.units["COMPUTE"]
    alone = []
    if found.op in ("ntt", "intt"):
        ratio = compute.busy / compute.bound
        alone = [
            ("transform", f"{compute.busy:,} cycles from its start to its last write, {ratio:.3f} of the arithmetic")
        ]
    butterflies = f"{found.transforms} transform{'s' * (found.transforms != 1)}"
    fixed = f", {found.fixed_transforms} of fixed point of N (log2 N - 1) / lanes" * (found.fixed_transforms > 0)
    per_frame = []
    if found.frames > 1:
        how = f"{found.frames} frames one after the other, with what the driver writes in between"
        if at_once:
            how = f"{found.frames} frames side by side, {found.batch_cycles:,} in all"
        per_frame = [("each frame", f"{found.cycles_per_frame:,.0f} cycles from the second on: {how}")]
    stream = []
    if beside is not None:
        link = f"{beside.read_words:.1f} words read per cycle, {beside.written_words:.1f} written ({beside.read_bytes:.0f} and {beside.written_bytes:.0f} bytes)"
        stream = [
            ("link", link),
            (
                "multipliers",
                f"{beside.multipliers}, {100 * beside.utilisation:.1f} % of their cycles for {beside.products:,} products of a frame",
            ),
        ]
    return [
        ("design", f"{found.design}, {found.lanes} lane{'s' * (found.lanes > 1)}"),
        ("operation", f"{name}, {found.instructions} instructions"),
        ("cycles", f"{found.cycles:,} from doorbell to interrupt (measured, RTL simulation)"),
        *per_frame,
        *stream,
        time_fact(found.cycles, clock),
        *alone,
        ("bound", f"{found.bound:,} ({found.bound_by}), ratio {found.ratio:.3f}"),
        (
            "arithmetic",
            f"{found.units['COMPUTE'].bound:,}: {butterflies} of N/2 log2 N / lanes, {found.passes} passes of N / lanes{fixed}",
        ),
        (
            "groups",
            f"{found.chain:,}: the longest chain of instructions that need each other's groups, ratio {found.cycles / found.chain:.3f}",
        ),
        ("memory bus", f"{found.read_beats:,} beats read, {found.write_beats:,} written"),
        ("Keccak", f"{found.keccak_permutations:,} permutations"),
        ("busy", f"{', '.join(busy)}; none {found.idle:,} cycles, two or more {found.overlap:,}"),
        ("result", "identical to the library's"),
    ]


def _slices(wanted: Simulated, op: str, log_size: int, slices: int, clock: float, json: bool) -> None:
    from ...cycles.slices import measure

    with progress_bar(f"Running the model of {wanted.design.name}", BUILDS) as progress:
        found = measure(wanted, op, log_size, slices, progress)
    if json:
        print_json(with_time(found, clock))
        return
    polynomials = f"{slices} polynomial{'s' * (slices > 1)} of {1 << log_size} coefficients modulo {found.modulus}"
    print_facts(
        [
            ("design", f"{found.design}, {found.lanes} lane{'s' * (found.lanes > 1)}"),
            ("operation", f"{op} of {polynomials} ({found.ring}), {found.instructions} instructions"),
            ("transform", f"{found.transform:,} cycles from its start to its last write (measured, RTL simulation)"),
            ("arithmetic", f"{found.bound:,}: N/2 log2 N / lanes for each; ratio {found.transform / found.bound:.3f}"),
            ("cycles", f"{found.cycles:,} from doorbell to interrupt, with loads and stores"),
            ("time", f"{found.transform / clock:,.2f} µs at {clock:g} MHz, of the transform"),
            ("result", "identical to the definition of the transform"),
        ]
    )


def _scheme(wanted: Simulated, op: str, clock: float, json: bool) -> None:
    from ...cycles.schemes import DECAPS_SEALED, measure

    with progress_bar(f"Running the model of {wanted.design.name}", BUILDS) as progress:
        found = measure(wanted, op, progress)
    if json:
        print_json(with_time(found, clock))
        return
    scheme = TABLE[op].scheme
    total = f"{found.cycles:,} from doorbell to interrupt, with loads and stores (measured, RTL simulation)"
    if found.rounds:
        total = f"{found.cycles:,} in the round that is not refused, {found.rounds} round{'s' * (found.rounds > 1)}"
        total += f"; {found.set_up:,} before the first one" * (found.set_up > 0)
    if scheme == KECCAK:
        total = f"{found.cycles:,} for a block of {found.set}, its way from memory included"
    elif op.endswith(DECAPS_SEALED):
        total += f"; the first one with this key {found.programs[0].cycles:,}"
    elif len(found.programs) > 1:
        total += f"; programs of {', '.join(f'{one.cycles:,}' for one in found.programs)}"
    what = {RING: f"products in the ring of {found.set}", KECCAK: "SHAKE256 of memory"}.get(scheme, f"of {found.set}")
    busy = {unit: found.busy(unit) for unit in found.programs[0].busy}
    print_facts(
        [
            ("design", f"{found.design}, {wanted.design.lanes} lanes"),
            ("operation", f"{op}: {what}"),
            ("cycles", total),
            time_fact(found.cycles, clock),
            ("busy", ", ".join(f"{unit} {count:,}" for unit, count in busy.items() if count)),
            ("result", f"identical to {'hashlib' if scheme == KECCAK else 'the library'}'s"),
        ]
    )


_N = Annotated[int | None, opt.operation_option("--n", help="Ring degree N. Default: 4096.")]
_Params = Annotated[
    str | None,
    opt.operation_option(
        "--params", metavar="SET", help="Named set with all its limbs, in place of --n, --limbs and --bits."
    ),
]
_Frames = Annotated[
    int | None,
    opt.operation_option(
        "--frames",
        min=1,
        max=64,
        help="Frames one after the other, each with other data. Operations with encode or decode, and those of a design with a streaming unit, run them side by side. Default: 1.",
    ),
]
_LogSize = Annotated[
    int | None,
    opt.operation_option(
        "--log-size",
        min=7,
        max=10,
        help="Transforms of small polynomials, in place of --n, --limbs and --bits: log2 of their coefficients.",
    ),
]
_Slices = Annotated[
    int | None,
    opt.operation_option("--slices", min=1, max=64, help="Polynomials in one group, with --log-size. Default: 1."),
]


def cycles(
    design: opt.DesignArgument,
    op: opt.AnyOperationOption = "ntt",
    n: _N = None,
    limbs: opt.OwnLimbsOption = None,
    bits: opt.OwnBitsOption = None,
    params: _Params = None,
    frames: _Frames = None,
    log_size: _LogSize = None,
    slices: _Slices = None,
    clock: opt.ClockOption = 500,
    checked: opt.CheckedFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Measure an operation on a design's RTL in simulation, and compare its result with the library's.

    The first run of a design builds its model (half a minute to a few minutes), later ones take it from the cache.
    The bound is the time of the unit that has most to do, if it never waited: lanes, memory bus or Keccak. Where there are few
    bank groups, instructions wait for each other: the longest chain of them is the other bound.

    Examples: ringside cycles rise-32 --op encrypt-pk-direct --n 4096 --limbs 3

    ringside cycles newhope --op ntt --log-size 7 --slices 8

    ringside cycles pqc-4 --op ml-kem-768-encaps
    """
    from ...cycles.operation import takes_batches

    row = TABLE[op]
    sizes = {"n": n, "limbs": limbs, "bits": bits, "frames": frames}
    refuse(op, row.takes, {**sizes, "params": params, "log_size": log_size, "slices": slices})
    wanted = _wanted(design, checked)
    if row.scheme not in CLIENT:
        _scheme(wanted, op, clock, json)
        return
    if slices is not None and log_size is None:
        raise UsageError("USAGE", "--slices needs --log-size.", "Add --log-size 8, for example.")
    if log_size is not None:
        _slices(wanted, op, log_size, slices or USUAL["cycles"]["slices"], clock, json)
        return
    n, limbs, bits, frames = (value or USUAL["cycles"][name] for name, value in sizes.items())
    found = _record(wanted, op, n, limbs, bits, frames, params).measurement
    beside = _streamed(found, wanted.design)
    if json:
        streamed = {} if beside is None else {"stream": asdict(beside)}
        print_json(with_time(found, clock, params=params, **streamed))
        return
    print_facts(_facts(found, clock, beside, at_once=takes_batches(wanted.design, found.op)))


def timeline(
    design: opt.DesignArgument,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Picture to write: .svg or .png.")],
    op: opt.OperationOption = "encrypt-pk-direct",
    n: opt.DegreeOption = 4096,
    limbs: opt.LimbsOption = 1,
    bits: opt.BitsOption = 30,
    model: Annotated[
        bool, typer.Option("--model", help="Foresee the run by the model of time; nothing is simulated.")
    ] = False,
    force: opt.ForceFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Draw which unit runs which instruction when.

    Example: ringside timeline rise-4 --op encrypt-pk-direct --limbs 2 -o timeline.svg
    """
    from ...cycles import timeline as pictures

    with output(out, force=force, suffixes=PICTURES) as write:
        wanted = _wanted(design)
        if model:
            job, texts = _foreseen(wanted, op, n, limbs, bits)
        else:
            recording = _record(wanted, op, n, limbs, bits)
            job, texts = recording.job, recording.program
        title = f"{wanted.design.name}: {op}, N = {n}, {limbs} limb{'s' * (limbs > 1)}, {job.cycles:,} cycles"
        write(pictures.draw(job, texts, title).content(out))
    if json:
        events: list[dict[str, Any]] = [{**asdict(event), "instruction": texts[event.pc]} for event in job.events]
        print_json({"file": str(out), "cycles": job.cycles, "events": events})
        return
    print(f"{out}: {len(job.events)} instructions, {job.cycles:,} cycles")


def _foreseen(wanted: Simulated, op: str, n: int, limbs: int, bits: int) -> tuple[ProgramRun, list[str]]:
    from ...cycles.operation import program as words_of
    from ...cycles.timeline import foreseen
    from ...sim.asm import disassemble
    from ...sim.timing import program_time, row_of

    words = words_of(wanted.design, op, n, limbs, bits)
    memory: dict[str, Any] = {name: wanted.numbers[name] for name in ("latency", "bandwidth", "overhead") if name in wanted.numbers}  # fmt: skip
    time = program_time(row_of(wanted.design, n.bit_length() - 1, bits, **memory), words)
    return foreseen(time, words), [disassemble(word) for word in words]


def program(
    design: opt.DesignArgument,
    op: opt.OperationOption = "encrypt-pk-direct",
    n: opt.DegreeOption = 4096,
    limbs: opt.LimbsOption = 1,
    bits: opt.BitsOption = 30,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="File for the whole program; - is standard output."),
    ] = None,
    full: opt.FullFlag = False,
    force: opt.ForceFlag = False,
    json: opt.JsonFlag = False,
) -> None:
    """Print the program that the library runs on a design.

    It is text as `ringside.sim.asm` reads it: an instruction a line, then its address and its word. A long program is told in a few lines, unless --full or --out wants it whole.

    Examples: ringside program rise-4 --op encrypt-sk --limbs 2; ringside program rise-4 --limbs 3 --out encrypt.asm
    """
    from ...cycles.operation import program as of_driver
    from ...sim import asm

    words = of_driver(_wanted(design).design, op, n, limbs, bits)
    text = asm.listing(words)
    if out is not None:
        with output(out, force=force) as write:
            write((text + "\n").encode())
    if json:
        print_json([{"word": f"{word:016x}", "text": asm.disassemble(word)} for word in words])
    elif out is not None:
        if out != STANDARD:
            print(f"{out}: {len(words)} instructions")
    elif full or len(words) <= LINES_OF_PROGRAM:
        print(text)
    else:
        _print_beginning(text.splitlines())


def _print_beginning(lines: list[str]) -> None:
    print("\n".join(lines[:BEGINNING_OF_PROGRAM]))
    print(f"… {len(lines) - BEGINNING_OF_PROGRAM} more; --full prints all, --out FILE writes them")
    counts = Counter(line.split()[0] for line in lines)
    print_facts([("in all", ", ".join(f"{count} {name}" for name, count in counts.most_common()))])
