# SPDX-License-Identifier: Apache-2.0
"""Registers: everything that is made from hw/core/regs.rdl and ring.rdl."""

import tempfile
from pathlib import Path

from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.passthrough import PassthroughCpuif
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, RegNode
from systemrdl.rdltypes.builtin_enums import OnWriteType

from common import ROOT

from .text import c_header, camel, made, module, rendered, systemverilog, table

REGISTERS = ROOT / "hw" / "core" / "regs.rdl"
RING = ROOT / "hw" / "core" / "ring.rdl"
PEAKRDL_VERILATOR = ("GENUNNAMED", "MULTIDRIVEN", "UNUSEDPARAM", "UNUSEDSIGNAL")
PEAKRDL_VERIBLE = (
    "explicit-parameter-storage-type", "generate-label", "line-length", "parameter-name-style",
    "struct-union-name-style", "typedef-structs-unions",
)  # fmt: skip


def read_registers(source: Path = REGISTERS) -> AddrmapNode:
    compiler = RDLCompiler()
    for property_ in ALL_UDPS:
        compiler.register_udp(property_)
    compiler.compile_file(str(source))
    return compiler.elaborate().top


def registers_rtl(top: AddrmapNode) -> dict[Path, str]:
    """PeakRDL's module and package, without the warnings that its style gives."""
    with tempfile.TemporaryDirectory() as place:
        RegblockExporter().export(
            top,
            place,
            cpuif_cls=PassthroughCpuif,
            address_width=12,
            default_reset_activelow=True,
            reuse_hwif_typedefs=False,
            err_if_bad_addr=True,
        )
        files = {}
        for name in ("rs_regs", "rs_regs_pkg"):
            text = (Path(place) / f"{name}.sv").read_text(encoding="utf-8")
            body = [line for line in text.splitlines() if not line.startswith("//")]
            head = [
                "// SPDX-License-Identifier: Apache-2.0",
                f"// {name}: registers, by PeakRDL-regblock; rs_regs_axi.sv uses them.",
                f"// {made(REGISTERS)}",
                "// The generator's style is not ours, and it drives members of one struct from several processes.",
                *(f"// verilator lint_off {warning}" for warning in PEAKRDL_VERILATOR),
                *(f"// verilog_lint: waive-start {rule}" for rule in PEAKRDL_VERIBLE),
            ]
            tail = [f"// verilator lint_on {warning}" for warning in PEAKRDL_VERILATOR]
            files[REGISTERS.parent / "rtl" / f"{name}.sv"] = systemverilog("\n".join([*head, *body, *tail, ""]))
    return files


def meaning(node: RegNode | FieldNode) -> str:
    return node.get_property("desc") or ""


def count_of(register: RegNode) -> int:
    """Of an array of registers."""
    assert register.array_dimensions is not None
    (count,) = register.array_dimensions
    return count


def value_of(top: AddrmapNode, register: str) -> int:
    """The value that the register reads: the reset value of its one field."""
    node = top.find_by_path(f"{register}.value")
    assert isinstance(node, FieldNode)
    value = node.get_property("reset")
    assert isinstance(value, int)
    return value


def ring_package(ring: AddrmapNode) -> str:
    """Offsets and bits; rs_ring.sv keeps the registers."""
    registers = [
        {
            "name": camel(register.inst_name.lower()),
            "offset": register.raw_address_offset,
            "fields": [
                (camel(field.inst_name), field.low) for field in register.fields() if field.inst_name != "value"
            ],
        }
        for register in ring.registers(unroll=False)
    ]
    return module("rs_ring_pkg", RING, registers=registers)


def registers_header(top: AddrmapNode, ring: AddrmapNode) -> str:
    offsets: list[tuple[str, int | str, str]] = []
    fields: list[tuple[str, int | str, str]] = []
    for register in [*top.registers(unroll=False), *ring.registers(unroll=False)]:
        name, about = register.inst_name, meaning(register)
        offsets.append((f"RS_REG_{name}", f"{register.raw_address_offset:#05x}", about))
        if register.is_array:
            offsets.append((f"RS_REG_{name}_COUNT", count_of(register), "words"))
        for field in register.fields():
            if field.inst_name not in ("value", "value_sec"):
                prefix = f"RS_REG_{name}_{field.inst_name.upper()}"
                fields.append((f"{prefix}_SHIFT", field.low, meaning(field)))
                fields.append((f"{prefix}_BITS", field.width, ""))
    values = [
        ("RS_REG_ID_VALUE", f"{value_of(top, 'ID'):#x}", "what ID reads"),
        ("RS_REG_VERSION_VALUE", value_of(top, "VERSION"), "what VERSION reads"),
        ("RS_REG_REDUCTION_VALUE", value_of(top, "REDUCTION"), "what REDUCTION reads"),
    ]
    return c_header("regs", REGISTERS, offsets=offsets, fields=fields, values=values)


def access(field: FieldNode) -> str:
    if field.get_property("singlepulse"):
        return "w1"
    # rs_regs_axi.sv holds those of the last two kinds
    held = field.get_property("swwe") or field.get_property("swmod") or field.parent.external
    sets = "1s" if field.get_property("onwrite") == OnWriteType.woset else ""
    return f"{field.get_property('sw').name}{sets}{', held' if held else ''}"


def registers_page(top: AddrmapNode, ring: AddrmapNode) -> str:
    rows = [["offset", "register", "bits", "access", "reset", "meaning"]]

    def row(offset: str, name: str, field: FieldNode, about: str) -> None:
        bits = f"{field.high}:{field.low}" if field.width > 1 else str(field.low)
        reset = field.get_property("reset")
        rows.append([offset, name, bits, access(field), "" if reset is None else f"{reset:#x}", about])

    measures = [["countermeasure", "register", "what it does"]]

    def defended(name: str, node: RegNode | FieldNode) -> None:
        if text := node.get_property("countermeasure", default=None):
            measure, _, about = text.partition(": ")
            measures.append([measure, name, about])

    for register in [*top.registers(unroll=False), *ring.registers(unroll=False)]:
        defended(register.inst_name, register)
        for field in register.fields():
            defended(f"{register.inst_name}.{field.inst_name}", field)
        name = register.inst_name + (f"[{count_of(register)}]" if register.is_array else "")
        offset, about, fields = f"{register.raw_address_offset:#05x}", meaning(register), register.fields()
        if len(fields) == 1:
            row(offset, name, fields[0], about)
        else:
            rows.append([offset, name, "", "", "", about])
            for field in fields:
                row("", f".{field.inst_name}", field, meaning(field))
    return rendered("registers.md", made=made(REGISTERS, RING), rows=table(*rows), measures=table(*measures))


def from_registers() -> dict[Path, str]:
    top, ring = read_registers(), read_registers(RING)
    return {
        **registers_rtl(top),
        RING.parent / "rtl" / "rs_ring_pkg.sv": ring_package(ring),
        ROOT / "lib" / "include" / "ringside" / "regs.h": registers_header(top, ring),
        ROOT / "docs" / "registers.md": registers_page(top, ring),
    }
