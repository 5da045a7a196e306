# SPDX-License-Identifier: Apache-2.0
"""The registers, read from their SystemRDL source, and what tools make of them: CMSIS-SVD, and the memory map of IP-XACT."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.dom import minidom

from ..errors import DeviceError
from .module import REMEDY

SOURCE = "hw/core/regs.rdl"
BYTES = 4


@dataclass(frozen=True)
class Field:
    """access: r, w or rw, as software sees it. pulse: acts when 1 is written, and reads as 0."""

    name: str
    low: int
    bits: int
    access: str
    pulse: bool
    reset: int | None
    about: str

    @property
    def mask(self) -> int:
        return ((1 << self.bits) - 1) << self.low


@dataclass(frozen=True)
class Register:
    """count: words that follow each other; 0: it is no array."""

    name: str
    offset: int
    count: int
    about: str
    fields: Sequence[Field]

    @property
    def access(self) -> str:
        return "".join(letter for letter in "rw" if any(letter in field.access for field in self.fields))

    @property
    def reset(self) -> int:
        return sum((field.reset or 0) << field.low for field in self.fields)

    def field(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)


@dataclass(frozen=True)
class Registers:
    all: Sequence[Register]
    node: Any  # systemrdl's, for its exporters

    def __getitem__(self, name: str) -> Register:
        return next(register for register in self.all if register.name == name)

    @property
    def end(self) -> int:
        """The first byte behind the last register."""
        return max(register.offset + BYTES * max(1, register.count) for register in self.all)


def _text(node: Any) -> str:
    return " ".join((node.get_property("desc") or "").split())


def _fields(register: Any) -> Iterator[Field]:
    for field in register.fields():
        reset = field.get_property("reset")
        yield Field(
            name=field.inst_name,
            low=field.low,
            bits=field.width,
            access=field.get_property("sw").name,
            pulse=bool(field.get_property("singlepulse")),
            reset=reset if isinstance(reset, int) else None,
            about=_text(field),
        )


def read(tree: Path) -> Registers:
    """DeviceError: the compiler of SystemRDL is not there, or refuses the source."""
    try:
        from systemrdl.compiler import RDLCompiler
        from systemrdl.messages import RDLCompileError
    except ImportError as error:
        what = "systemrdl-compiler, which reads the registers, is not installed."
        raise DeviceError("SOURCES", what, REMEDY) from error
    compiler = RDLCompiler()
    try:
        compiler.compile_file(str(tree / SOURCE))
        top = compiler.elaborate().top
    except RDLCompileError as error:
        raise DeviceError("SOURCES", f"Cannot read the registers of {SOURCE}: {error}.") from error
    found = []
    for register in top.registers(unroll=False):
        count = (register.array_dimensions or [0])[0]
        found.append(
            Register(register.inst_name, register.raw_address_offset, count, _text(register), tuple(_fields(register)))
        )
    return Registers(tuple(found), top)


# ---- XML ------------------------------------------------------------------------------------------------------------
def element(document: minidom.Document, parent: Any, tag: str, text: object = None, /, **attributes: str) -> Any:
    """A new last child of `parent`."""
    made = document.createElement(tag)
    for key, value in attributes.items():
        made.setAttribute(key, value)
    if text is not None:
        made.appendChild(document.createTextNode(str(text)))
    parent.appendChild(made)
    return made


SVD_ACCESS = {"r": "read-only", "w": "write-only", "rw": "read-write"}


def svd(registers: Registers, name: str, version: str, about: str, base: int) -> str:
    """The registers as CMSIS-SVD 1.3 describes those of a microcontroller: debuggers and svd2rust read it."""
    document = minidom.Document()
    device = element(
        document,
        document,
        "device",
        schemaVersion="1.3",
        **{"xmlns:xs": "http://www.w3.org/2001/XMLSchema-instance", "xs:noNamespaceSchemaLocation": "CMSIS-SVD.xsd"},
    )
    _values(document, device, name=name, version=version, description=about)
    _values(document, device, addressUnitBits=8, width=32, size=32, resetValue=0, resetMask="0x0")
    peripheral = element(document, element(document, device, "peripherals"), "peripheral")
    _values(document, peripheral, name="RINGSIDE", description=about, baseAddress=f"{base:#x}")
    block = element(document, peripheral, "addressBlock")
    _values(document, block, offset="0x0", size=f"{registers.end:#x}", usage="registers")
    listed = element(document, peripheral, "registers")
    for register in registers.all:
        _svd_register(document, listed, register)
    return document.toprettyxml(indent="  ")


def _values(document: minidom.Document, parent: Any, **values: object) -> None:
    for tag, value in values.items():
        element(document, parent, tag, value)


def _svd_register(document: minidom.Document, parent: Any, register: Register) -> None:
    made = element(document, parent, "register")
    if register.count:
        element(document, made, "dim", register.count)
        element(document, made, "dimIncrement", f"{BYTES:#x}")
    element(document, made, "name", register.name + ("%s" if register.count else ""))
    element(document, made, "description", register.about)
    element(document, made, "addressOffset", f"{register.offset:#x}")
    element(document, made, "access", SVD_ACCESS[register.access])
    element(document, made, "resetValue", f"{register.reset:#x}")
    known = sum(field.mask for field in register.fields if field.reset is not None)
    element(document, made, "resetMask", f"{known:#x}")
    fields = element(document, made, "fields")
    for field in register.fields:
        one = element(document, fields, "field")
        element(document, one, "name", field.name)
        if field.about:
            element(document, one, "description", field.about)
        element(document, one, "bitOffset", field.low)
        element(document, one, "bitWidth", field.bits)
        element(document, one, "access", SVD_ACCESS[field.access])
        if field.pulse:
            element(document, one, "modifiedWriteValues", "modify")


def memory_map(registers: Registers, vendor: str, library: str, name: str, version: str) -> minidom.Document:
    """An IP-XACT component (IEEE 1685-2014) that has the registers and nothing else, by PeakRDL. DeviceError: that is not there."""
    try:
        from peakrdl_ipxact import IPXACTExporter
    except ImportError as error:
        raise DeviceError("SOURCES", "peakrdl-ipxact, which writes IP-XACT, is not installed.", REMEDY) from error
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "component.xml"
        IPXACTExporter(vendor=vendor, library=library, version=version).export(
            registers.node, str(path), component_name=name
        )
        return minidom.parse(str(path))
