# SPDX-License-Identifier: Apache-2.0
"""`ringside decrypt`."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from ...devices.names import parse
from ...errors import InputError, frames_called
from ...exchange.directory import library_named, library_of, library_of_file
from ...exchange.library import ForeignLibrary
from ...exchange.packed import is_packed, values_in
from ...native.batch import usable_threads
from ...objects.ckks.context import Context
from ...objects.ckks.precision import measured_precision
from ...objects.common.ciphertext import Ciphertext
from ...objects.common.evaluation import scale_trouble
from ...objects.common.params import Parameters
from ...objects.common.values import format_values
from ...objects.exact.options import SLOTS
from ...objects.keydir import KeyDirectory
from ...tenseal import TensealVector
from ...tenseal.files import is_tenseal
from ..common import options as opt
from ..common.device import device_facts, prepare, print_device, watched
from ..common.output import counted, print_json, progress_bar, warn
from ..common.places import STANDARD, messages_beside, output, read_standard_input, value_format
from ..common.security import note_exact
from . import exact, programs
from .answers import Answers, WantedCount, check_arguments, read_ciphertext
from .uploads import BATCH, batches, secret_key_of

_MARGIN_BITS = 4  # by which rounding should be coarser than the noise of a fresh ciphertext


@dataclass(frozen=True)
class Loaded:
    """The ciphertexts of a file, and how many values each holds."""

    ciphertexts: Sequence[Ciphertext]
    sizes: Sequence[int]
    library: ForeignLibrary | None = None  # in whose slots the values are
    trouble: str = ""  # the trouble of a vector of TenSEAL

    def troubles(self, params: Parameters) -> set[str]:
        """Sentences on scales that have left their range."""
        found = {scale_trouble(params, item.scale, item.level) for item in self.ciphertexts}
        return (found | {self.trouble}) - {""}


def _load(directory: KeyDirectory, context: Context, source: Path) -> Loaded:
    given = read_standard_input("a ciphertext") if source == STANDARD else source
    if is_tenseal(given):
        vector = TensealVector.read(context, given)
        return Loaded(vector.ciphertexts, vector.sizes, trouble=vector.trouble)
    name = library_of_file(given)
    if name is not None:
        library = library_of(directory, name)
        return Loaded([library.read_ciphertext(given)], [context.slots], library)
    if is_packed(given):
        name, packing = values_in(given)
        if packing != SLOTS:
            hint = "It is for a server, which brings the values to slots."
            raise InputError("PACKING", f"{source} has a value in each coefficient.", hint)
    slots_of = None if name is None else library_of(directory, name)
    return Loaded([read_ciphertext(context, given)], [context.slots], slots_of)


@dataclass
class Publishing:
    """The options for publishing, and how precise they leave the ciphertexts that were seen."""

    bits: int | None
    flood_bits: int | None
    left: float = math.inf  # bits after the point, at the smallest scale
    fresh: float = math.inf  # the noise of a fresh ciphertext of that kind, exact

    def saw(self, context: Context, ciphertexts: list[Ciphertext]) -> None:
        """Called for ciphertexts that were decrypted."""
        for item in ciphertexts if self.bits is not None else []:
            assert self.bits is not None
            self.left = min(self.left, context.published_precision(self.bits, self.flood_bits, scale=item.scale))
            if item.level <= context.max_level:
                self.fresh = min(self.fresh, context.predicted_precision(scale=item.scale, level=item.level))

    def as_dict(self) -> dict[str, Any] | None:
        """For JSON; None if the values are exact."""
        if self.bits is None:
            return None
        return {
            "bits": self.bits,
            "flood_bits": self.flood_bits,
            "predicted_precision_bits": self.left,
            "fresh_precision_bits": self.fresh,
        }

    def tell(self, keys: Path, count: int) -> None:
        """One line on what was published, or why exact values stay private. count: of values that were written."""
        if self.bits is None:
            note_exact(keys, count)
            return
        flooded = "" if self.flood_bits is None else f"noise of {self.flood_bits} bits added, "
        print(
            f"published: {flooded}rounded to multiples of 2^{-self.bits}, about {self.left:.1f} bits of precision left"
        )
        if self.flood_bits is None and self.bits > self.fresh - _MARGIN_BITS:
            warn(
                f"even a fresh ciphertext is precise to {self.fresh:.1f} bits only: rounding to {self.bits} bits leaves its noise "
                "visible. Publish fewer bits, or add --flood-bits."
            )


@dataclass(frozen=True)
class RealOpening:
    """What of a decryption is the scheme's. Here real or complex numbers, of CKKS; exact.Opening has the same of integers."""

    complex: bool | None
    max_abs: Any
    publishing: Publishing
    integers = None

    def decrypt(
        self, directory: KeyDirectory, sources: Sequence[Path], wanted: WantedCount, threads: int
    ) -> NDArray[Any]:
        """The values of all, as many as are wanted."""
        context, publishing = directory.ckks_context(), self.publishing
        if STANDARD not in sources and not any(is_tenseal(source) for source in sources):
            wanted.check(len(sources), context.slots * len(sources))  # a message says itself how much it holds
        parts: list[NDArray[Any]] = []
        told: set[str] = set()
        with (
            secret_key_of(directory) as secret,
            ThreadPoolExecutor(threads) as pool,
            progress_bar("Decrypting") as progress,
        ):
            for index, some in enumerate(batches(sources)):
                loaded = list(pool.map(lambda source: _load(directory, context, source), some))
                ciphertexts = [ciphertext for item in loaded for ciphertext in item.ciphertexts]
                for text in sorted(set().union(*(item.troubles(context.params) for item in loaded)) - told):
                    warn(text)
                    told.add(text)
                names = [source for source, item in zip(some, loaded, strict=True) for _ in item.ciphertexts]
                first, these = BATCH * index, len(some)
                with frames_called(names):
                    rows = context.decrypt_batch(
                        ciphertexts,
                        secret,
                        threads=threads,
                        progress=lambda done, all_: progress(first + these * done // all_, len(sources)),  # noqa: B023
                        real=None if self.complex is None else not self.complex,
                        max_abs=self.max_abs,
                        publish_bits=publishing.bits,
                        flood_bits=publishing.flood_bits,
                    )
                publishing.saw(context, ciphertexts)
                sizes = [(size, item.library) for item in loaded for size in item.sizes]
                parts.extend(_in_order(row, *size) for row, size in zip(rows, sizes, strict=True))
        values = np.concatenate(parts)
        wanted.check(len(sources), values.size)
        return values[: wanted.number]

    def facts(self, params: Parameters) -> dict[str, Any]:
        """For --json, after a decryption."""
        return {"complex": bool(self.complex), "publish": self.publishing.as_dict()}

    def compared(self, values: NDArray[Any], expected: NDArray[Any]) -> dict[str, Any]:
        """How values differ from those of --truth, one beside the other."""
        return {"measured_precision_bits": measured_precision(values, expected)}

    def tell(self, result: dict[str, Any], keys: Path) -> None:
        print(f"{result['file']}: {counted(result['values'], 'complex value' if self.complex else 'real value')}")
        self.publishing.tell(keys, result["values"])

    def comparison(self, result: dict[str, Any]) -> str:
        """What `compared` has found."""
        return f"measured precision {result['measured_precision_bits']:.1f} bits over {result['compared']} values"


def _in_order(row: NDArray[Any], size: int, library: ForeignLibrary | None) -> NDArray[Any]:
    return row[:size] if library is None else library.from_seal_slots(row, size)


_Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="IN.seal… OUT",
        help="Ciphertexts in order, then the file of values (.npy, .csv, .png). - is standard input or output.",
    ),
]
_Complex = Annotated[
    bool | None,
    typer.Option(
        "--complex/--real",
        help="Write complex values, or drop the imaginary parts. Default: real, and an error if imaginary parts are more than noise.",
    ),
]
_MaxAbs = Annotated[
    Any,
    typer.Option(
        "--max-abs",
        metavar="X",
        parser=opt.parse_number,
        help="Bound on the values: only as many limbs as it needs are decrypted.",
    ),
]
_Shape = Annotated[
    Any, typer.Option("--shape", metavar="ROWSxCOLUMNS", parser=opt.parse_shape, help="Shape of the output.")
]
_Unsigned = Annotated[
    bool, opt.integer_option("--unsigned", help="Write values from 0 to t - 1. Default: from -t/2 to t/2.")
]
Margin = Annotated[
    int | None,
    opt.integer_option(
        "--margin",
        metavar="BITS",
        min=2,
        max=48,
        help="Refuse a ciphertext whose noise is within 2^-BITS of its limit, and so a wrong key: 2 to 48, such as 8.",
    ),
]
_Truth = Annotated[
    Path | None,
    typer.Option(
        "--truth",
        metavar="FILE",
        help="File of expected values: the measured precision is printed, or how many integers are wrong.",
    ),
]
PublishBits = Annotated[
    int | None,
    typer.Option(
        "--publish-bits",
        metavar="B",
        help="Round to multiples of 2^-B, for values that others will see. Default: exact, for your eyes only.",
    ),
]
FloodBits = Annotated[
    int | None,
    typer.Option(
        "--flood-bits",
        metavar="F",
        help="Add Gaussian noise of deviation 2^F to each coefficient before --publish-bits rounds (docs/threat-model.md).",
    ),
]


def decrypt(
    files: _Files,
    keys: opt.KeysOption,
    program: programs.ProgramOption = None,
    result_number: programs.ResultOption = 0,
    count: Annotated[int | None, typer.Option("--count", help="Values to write. Default: all slots.")] = None,
    complex_: _Complex = None,
    max_abs: _MaxAbs = None,
    shape: _Shape = None,
    truth: _Truth = None,
    publish_bits: PublishBits = None,
    flood_bits: FloodBits = None,
    format_: opt.FormatOption = None,
    separator: opt.SeparatorOption = None,
    packing: opt.PackingOption = None,
    unsigned: _Unsigned = False,
    margin: Margin = None,
    force: opt.ForceFlag = False,
    device: opt.DeviceOption = "cpu:",
    clock: opt.ClockOption = 500,
    threads: opt.ThreadsOption = None,
    json: opt.JsonFlag = False,
) -> None:
    """Decrypt ciphertexts to a file of values.

    They are files of SEAL, of Lattigo or OpenFHE, whose values come in the order of their slots, or vectors of
    TenSEAL, which say how many values they hold. With --program they are one result of a program that HEIR compiled.

    Examples: ringside decrypt --keys keys result.seal result.npy --count 100;
    ringside decrypt --keys keys photo.seal back.png --truth photo.png;
    ringside decrypt --keys keys --format csv --count 3 - - < result.seal;
    ringside decrypt --keys keys result.seal report.csv --count 100 --publish-bits 12
    """
    *sources, out = check_arguments(files, format_, json)
    kind = value_format(out, format_)
    task = Answers(sources, out, kind, count, shape, truth, separator, force)
    parse(device)  # before files are read
    directory = KeyDirectory(keys, device)
    compiled = None if program is None else programs.load(program)
    operand = None if compiled is None else programs.result_of(compiled, result_number, len(sources))
    if compiled is not None:
        programs.refuse_with_program({"--count": count, "--shape": shape, "--packing": packing})
        programs.check_keys(compiled, library_named(directory, compiled.library))
    answering: RealOpening | exact.Opening = RealOpening(complex_, max_abs, Publishing(publish_bits, flood_bits))
    if exact.is_exact(directory, {"--packing": packing, "--unsigned": unsigned, "--margin": margin}):
        others = {"--real" if complex_ is False else "--complex": complex_ is not None, "--max-abs": max_abs}
        others |= {"--publish-bits": publish_bits, "--flood-bits": flood_bits}
        exact.refuse_options(directory, others | {"a PNG": kind == "png"})
        answering = exact.Opening(packing, unsigned, margin)
    start = time.perf_counter()
    expected = task.expected(answering.integers)
    wanted = task.wanted(expected if operand is None else None)
    if expected is not None and kind == "png" and count is None and shape is None:
        shape = expected.shape
    with output(out, force=force) as write:
        prepare(device)
        context = directory.context
        watched(context._device)
        values = answering.decrypt(directory, sources, wanted, threads or usable_threads())
        if compiled is not None and operand is not None:
            values = compiled.unpack(operand, np.split(values, len(sources)))
            shape = operand.shape
        write(format_values(values, kind, shape))
    result: dict[str, Any] = {"file": str(out), "values": int(values.size), "ciphertexts": len(sources)}
    result |= answering.facts(context.params)
    if expected is not None:
        compared = min(values.size, expected.size)
        found = answering.compared(values[:compared], expected.reshape(-1)[:compared])
        result |= {"compared": compared, **found}
    result["seconds"] = time.perf_counter() - start
    computed = device_facts(context.counting, clock)
    with messages_beside(out):
        if json:
            print_json(result if computed is None else result | {"device": computed})
            return
        answering.tell(result, keys)
        print_device(computed)
        if expected is not None:
            print(answering.comparison(result))
