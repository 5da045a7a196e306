# SPDX-License-Identifier: Apache-2.0
"""The hierarchy of a module -> its different parts, each with the parts in it as black boxes.

Yosys elaborates every instance as a module of its own. Instances of the modules in CUTS stay, everything else dissolves into the
part around it. Parts of equal text are one part, and that text is what results are cached by: parameters, sources and what
they turn into are all in it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ..native.files import write_bytes
from ..processors import usable_processors
from ..progress import Progress
from . import yosys

# units, and in them what there are many of or what is large
CUTS = (
    "rs_core",  # in a shell around it
    "rs_regs_axi", "rs_sequencer", "rs_contexts", "rs_poly_memory", "rs_bank_group", "rs_ram_1rw", "rs_ram_2rw",
    "rs_compute", "rs_ntt_addr", "rs_ntt_reorder", "rs_twiddles", "rs_twiddle_ring", "rs_lane", "rs_dma_load",
    "rs_reduce_word", "rs_dma_store", "rs_sample_unit", "rs_xof", "rs_keccak", "rs_slots", "rs_lift_unit",
    "rs_lift_lane", "rs_expand_unit", "rs_pipe_unit", "rs_pipe_engine", "rs_pipe_read", "rs_pipe_write",
    "rs_stream_unit", "rs_stream_ntt", "rs_stream_commutator", "rs_stream_butterfly", "rs_stream_twiddles",
    "rs_stream_tables", "rs_stream_modmul", "rs_stream_queue",
)  # fmt: skip
# constants, and outputs that nobody reads, cross one level of the hierarchy at a time; a flat synthesis would use them too
LEVELS = 4
_IRRELEVANT = re.compile(r"^ *attribute \\(?:src|hdlname|top|keep_hierarchy) .*\n", re.MULTILINE)
_MODULE = re.compile(r"^(?:attribute [^\n]*\n)*module \\(\S+)\n(.*?)^end\n", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r'([^\s"]*\$)(\d+)')  # a name may stand in quotes too
_CELL = re.compile(r"^  cell \\(\S+) ", re.MULTILINE)
_INSTANCE = re.compile(r"^  cell \\(\S+) \\?(\S+)$", re.MULTILINE)
_PORT = re.compile(r"^  wire (?:\S+ )*?(?:input|output|inout) .*\n", re.MULTILINE)
_MEMORY = re.compile(r"^  memory width (\d+) size (\d+) ", re.MULTILINE)


@dataclass
class Part:
    """One module with its parameters. text: RTLIL of it and of the shells of its children; inside: how many of each.

    children: by the names of their instances. paths: where instances of the part are, from the top down.
    """

    module: str
    text: str
    memory_bits: int
    inside: Counter[str] = field(default_factory=Counter)  # key of a part -> instances
    children: dict[str, str] = field(default_factory=dict)  # instance -> key of a part
    paths: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:24]


def elaboration_key(
    top: str,
    sources: Sequence[Path],
    parameters: Mapping[str, Any],
    macros: Sequence[str] = (),
    cuts: Sequence[str] = CUTS,
) -> str:
    """Under which a design's parts are kept: of these sources and no other file of the tree."""
    words = [yosys.version(), top, sorted((k, str(v)) for k, v in parameters.items()), *macros, list(cuts)]
    content = hashlib.sha256(json.dumps(words).encode())
    for path in (Path(__file__), *sources):
        content.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()[:24]


def parts_of(
    top: str,
    sources: Sequence[Path],
    parameters: Mapping[str, Any],
    cache: Path,
    macros: Sequence[str] = (),
    cuts: Sequence[str] = CUTS,
) -> tuple[str, dict[str, Part]]:
    """The top's key, and all parts by key; kept, because a large design takes minutes to elaborate."""
    file = cache / f"{elaboration_key(top, sources, parameters, macros, cuts)}.parts.gz"
    with suppress(OSError, ValueError, TypeError, EOFError, zlib.error):
        root, found = json.loads(gzip.decompress(file.read_bytes()))
        return root, {key: Part(**part | {"inside": Counter(part["inside"])}) for key, part in found.items()}
    root, parts = split(elaborate(top, sources, parameters, macros, cuts=cuts), top)
    cache.mkdir(parents=True, exist_ok=True)
    text = json.dumps([root, {key: vars(part) for key, part in parts.items()}])
    write_bytes(file, gzip.compress(text.encode(), 1))
    return root, parts


def elaborate(
    top: str,
    sources: Sequence[Path],
    parameters: Mapping[str, Any],
    macros: Sequence[str] = (),
    *,
    cuts: Sequence[str] = CUTS,
    options: Sequence[str] = (),
) -> str:
    """RTLIL of the top and of every instance of a module in `cuts`. options: of the reader."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "design.il"
        yosys.run(
            [
                yosys.read(top, sources, parameters, *yosys.defined(*macros), "--keep-hierarchy", *options),
                f"setattr -mod -set keep_hierarchy 1 {' '.join(f'{name}$*' for name in cuts)}",
                "flatten -noscopeinfo",
                "opt_clean",
                *["opt_hier", "opt_clean"] * LEVELS,
                f"write_rtlil {file}",
            ]
        )
        return file.read_text(encoding="utf-8")


def split(rtlil: str, top: str) -> tuple[str, dict[str, Part]]:
    """The top's key, and all parts by key."""
    bodies = {match[1]: match[2] for match in _MODULE.finditer(_IRRELEVANT.sub("", rtlil))}
    # what stands around a part is the same for all its instances: the module's name and ports
    shells = {name: _shell(name, body) for name, body in bodies.items()}
    parts: dict[str, Part] = {}
    keys: dict[str, str] = {}

    def visit(name: str) -> str:
        if name not in keys:
            children = _CELL.findall(bodies[name])
            part = _part(name, bodies[name], {child: shells[child] for child in children})
            part.children = {instance: visit(child) for child, instance in _INSTANCE.findall(bodies[name])}
            part.inside = Counter(part.children.values())
            # glue around different parts with equal ports is synthesised once, and is a part for each
            inside = ",".join(f"{key}*{count}" for key, count in sorted(part.inside.items()))
            keys[name] = hashlib.sha256(f"{part.key} {inside}".encode()).hexdigest()[:24]
            parts.setdefault(keys[name], part).paths.append(name.partition("$")[2] or name)
        return keys[name]

    return visit(top), parts


def _shell(name: str, body: str) -> tuple[str, str]:
    """Name and text of the black box with the ports of this module."""
    ports = "".join(_PORT.findall(body))
    module = f"{name.partition('$')[0]}${hashlib.sha256(ports.encode()).hexdigest()[:8]}"
    return module, f"attribute \\blackbox 1\nmodule \\{module}\n{ports}end\n"


def _part(name: str, body: str, shells: Mapping[str, tuple[str, str]]) -> Part:
    # the numbers of nameless wires and cells differ between instances
    numbers: dict[str, str] = {}
    body = _NUMBER.sub(lambda match: match[1] + numbers.setdefault(match[0], str(len(numbers))), body)
    body = _CELL.sub(lambda match: f"  cell \\{shells[match[1]][0]} ", body)
    module = name.partition("$")[0]
    boxes = "".join(text for _, text in sorted(set(shells.values())))
    bits = sum(int(width) * int(size) for width, size in _MEMORY.findall(body))
    return Part(module, f"{boxes}module \\{module}\n{body}end\n", bits)


Made = TypeVar("Made")


def each_once(
    parts: Iterable[Part], kept: Callable[[Part], Made | None], make: Callable[[Part], Made], progress: Progress | None
) -> tuple[dict[str, Made], int]:
    """What was kept or is made of each part, by its key, several side by side; and how many had to be made."""
    different = {part.key: part for part in parts}
    done = {key: found for key, part in different.items() if (found := kept(part)) is not None}
    # the largest first, so that none is left alone at the end
    missing = sorted((key for key in different if key not in done), key=lambda key: -len(different[key].text))
    if progress is not None:
        progress(0, len(missing))
    pool = ThreadPoolExecutor(usable_processors())
    try:
        running = {pool.submit(make, different[key]): key for key in missing}
        for number, future in enumerate(as_completed(running), 1):
            done[running[future]] = future.result()
            if progress is not None:
                progress(number, len(missing))
    finally:
        pool.shutdown(cancel_futures=True)
    return done, len(missing)
