# SPDX-License-Identifier: Apache-2.0
"""The parameters and ports of an engine's top module, as its SystemVerilog says (slang)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import DeviceError
from ..hints import install

REMEDY = f"Run {install('rtl')}."
PROBE = "rs_kit_probe"
# What a user may define for his technology (docs/synthesis.md, docs/integration.md): the units of each are needed
TECHNOLOGIES = ("", "RS_MUL_CELLS", "RS_MUL_WIDE", "RS_MUL_TILE_B=18", "RS_ULTRA_RAM")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a module. kind: how its type is written; enum: whether only an enumeration's own names may be given to it.

    value: what it is in the design; fixed: the design says so, it is not the module's default. about: the comment above it.
    """

    name: str
    kind: str
    bits: int
    enum: bool
    value: int
    fixed: bool
    about: str = ""

    @property
    def plain(self) -> str:
        """The type in a shell that knows no enumerations."""
        if self.enum:
            return "int unsigned"
        return self.kind

    @property
    def literal(self) -> str:
        """The value in SystemVerilog, of the module's own type."""
        return f"{self.kind}'({self.value})" if self.enum else self.text(self.value)

    def text(self, value: int) -> str:
        return str(value) if self.plain.startswith("int") else f"{self.bits}'h{value:x}"


@dataclass(frozen=True)
class Port:
    name: str
    bits: int
    is_output: bool

    @property
    def range(self) -> str:
        return f"[{self.bits - 1}:0]" if self.bits > 1 else ""


@dataclass(frozen=True)
class Interface:
    """Ports that belong together. prefix: that of their names. kind: axi4, axi4-lite."""

    prefix: str
    kind: str
    is_manager: bool

    def signal(self, port: Port) -> str:
        """The name of a port in the protocol: AWADDR."""
        return port.name.removeprefix(f"{self.prefix}_").upper()


INTERFACES = (Interface("s_axil", "axi4-lite", False), Interface("m_axi", "axi4", True))
TRACE = "trace_"  # outputs for a simulation


@dataclass(frozen=True)
class Top:
    """A module with a design's parameters."""

    name: str
    parameters: Sequence[Parameter]
    ports: Sequence[Port]
    sources: Sequence[Path]  # that the design needs, in order

    @cached_property
    def outside(self) -> list[Port]:
        """Those that a system connects: all but the trace's."""
        return [port for port in self.ports if not port.name.startswith(TRACE)]

    @property
    def free(self) -> list[Parameter]:
        """Parameters that the design leaves to the integrator."""
        return [parameter for parameter in self.parameters if not parameter.fixed]

    def port(self, name: str) -> Port:
        return next(port for port in self.ports if port.name == name)

    def members(self, interface: Interface) -> list[Port]:
        return [port for port in self.outside if port.name.startswith(f"{interface.prefix}_")]

    @cached_property
    def single(self) -> list[Port]:
        """Ports of no bus."""
        of_buses = {port.name for interface in INTERFACES for port in self.members(interface)}
        return [port for port in self.outside if port.name not in of_buses]

    def bits(self, interface: Interface, signal: str) -> int:
        return self.port(f"{interface.prefix}_{signal.lower()}").bits


def _slang() -> tuple[Any, Any, Any, Any]:
    try:
        from pyslang import ast, parsing, pyslang, syntax
    except ImportError as error:
        raise DeviceError("SOURCES", "pyslang, which reads SystemVerilog, is not installed.", REMEDY) from error
    return ast, pyslang, syntax, parsing


def elaborate(top: str, sources: Sequence[Path], text: str = "", macro: str = "") -> tuple[Any, Any]:
    """The body of the module `top`, and what owns it and must be kept as long. text: more source. macro: NAME or NAME=VALUE, defined.

    DeviceError: there are errors.
    """
    ast, base, syntax, parsing = _slang()
    options = ast.CompilationOptions()
    options.topModules = {top}
    defined = parsing.PreprocessorOptions()
    defined.predefines = [macro] if macro else []
    bag = base.Bag([options, defined])
    compilation = ast.Compilation(bag)
    files = base.SourceManager()  # the common one never reads a file again
    trees = [syntax.SyntaxTree.fromFile(str(path), files, bag) for path in sources]
    for tree in [*trees, *([syntax.SyntaxTree.fromText(text, files, options=bag)] if text else [])]:
        compilation.addSyntaxTree(tree)
    found = [one for one in compilation.getRoot().topInstances if one.name == top]
    errors = [
        f"{str(one.code)[9:-1]} {' '.join(map(str, one.args))} in {Path(str(files.getFileName(one.location))).name}, "
        f"line {files.getLineNumber(one.location)}"
        for one in compilation.getAllDiagnostics()
        if one.isError()
    ]
    if not found or errors:
        raise DeviceError("SOURCES", f"slang cannot elaborate {top}: {', '.join(errors) or 'there is no such module'}.")
    return found[0].body, compilation


def read(name: str, sources: Sequence[Path], values: Mapping[str, int]) -> Top:
    """The module with these values of its parameters; others keep their defaults. DeviceError: the module has no such parameter, or
    the sources are wrong.
    """
    body, _owner = elaborate(name, sources)
    text = next((path.read_text(encoding="utf-8") for path in sources if path.stem == name), "")
    parameters = []
    for one in body.parameters:
        if one.isLocalParam:
            continue
        fixed = one.name in values
        parameters.append(
            Parameter(
                name=one.name,
                kind=str(one.type),
                bits=int(one.type.bitWidth),
                enum=bool(one.type.isEnum),
                value=int(values[one.name]) if fixed else _integer(one.value),
                fixed=fixed,
                about=_comment(text, one.name),
            )
        )
    unknown = set(values) - {parameter.name for parameter in parameters}
    if unknown:
        raise DeviceError("SOURCES", f"{name} has no parameter {', '.join(sorted(unknown))}.")
    given = ", ".join(f".{one.name}({one.literal})" for one in parameters)
    probe = f"module {PROBE}; {name} #({given}) u_top (); endmodule\n"
    modules: set[str] = set()
    for macro in TECHNOLOGIES:
        body, _owner = elaborate(PROBE, sources, probe, macro)
        modules |= _instantiated(body)
    inside = next(member for member in body if member.name == "u_top").body
    ports = [Port(one.name, int(one.type.bitWidth), "Out" in str(one.direction)) for one in inside.portList]
    return Top(name, parameters, ports, _needed(sources, modules))


def _instantiated(body: Any) -> set[str]:
    """The modules of all instances below. Modules with the same parameters have the same inside, and are looked into once."""
    ast = _slang()[0]
    found: set[str] = set()
    seen: set[tuple[str, ...]] = set()
    scopes = [body]
    while scopes:
        for node in scopes.pop():
            if isinstance(node, ast.InstanceSymbol):
                key = (
                    node.definition.name,
                    *(f"{one.name}={getattr(one, 'value', '')}" for one in node.body.parameters),
                )
                if key not in seen:
                    seen.add(key)
                    scopes.append(node.body)
                    found.add(node.definition.name)
            elif isinstance(node, (ast.GenerateBlockArraySymbol, ast.InstanceArraySymbol)) or (
                isinstance(node, ast.GenerateBlockSymbol) and not node.isUninstantiated
            ):
                scopes.append(node)
    return found


def _needed(sources: Sequence[Path], modules: set[str]) -> list[Path]:
    """The files of these modules, and those without which a tool cannot read them: packages, and modules into which a hierarchical name
    leads, be it in a branch that is not taken.
    """
    places = {path.stem: path for path in sources}
    texts = {name: re.sub(r"//.*", "", path.read_text(encoding="utf-8")) for name, path in places.items()}
    found, new = set(), {name for name in modules if name in places}
    while new:
        found |= new
        named: set[str] = set()
        for name in new:
            named |= set(re.findall(r"\b(\w+_pkg)\s*::", texts[name]))
            inside = set(re.findall(r"(?<![\w.])(?:gen_\w+\.)*(u_\w+)\.\w", texts[name]))
            named |= {kind for kind, instance in _instances(texts[name]) if instance in inside}
        new = (named & places.keys()) - found
    return [path for path in sources if path.stem in found]


def _instances(text: str) -> list[tuple[str, str]]:
    """(module, name of the instance) of all that a module writes down, whether a branch is taken or not."""
    syntax = _slang()[2]
    found: list[tuple[str, str]] = []

    def see(node: Any) -> None:
        if isinstance(node, syntax.HierarchyInstantiationSyntax):
            kind = str(node.type.valueText)
            found.extend((kind, str(one.decl.name.valueText)) for one in node.instances if hasattr(one, "decl"))

    syntax.SyntaxTree.fromText(text).root.visit(see)
    return found


def _comment(text: str, parameter: str) -> str:
    """What stands in the line above a parameter's declaration."""
    found = re.search(rf"^ *// *(.*)\n *parameter\b[^/\n]*\b{parameter} *=", text, re.MULTILINE)
    return found[1].strip() if found else ""


def _integer(value: Any) -> int:
    """The value of slang's constant."""
    return int(value.convertToInt().value)
