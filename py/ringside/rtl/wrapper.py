# SPDX-License-Identifier: Apache-2.0
"""Two modules around the engine's top: a SystemVerilog shell without enumerations, and a Verilog-2005 wrapper for block designs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .module import INTERFACES, Interface, Parameter, Port, Top

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"
AXIMM = "xilinx.com:interface:aximm:1.0"
PROTOCOLS = {"axi4": "AXI4", "axi4-lite": "AXI4LITE"}
# ports of no bus: the type of their interface, the signal's name in it, its properties
SIGNALS = {
    "clk_i": ("xilinx.com:signal:clock:1.0", "CLK", "ASSOCIATED_BUSIF {buses}, ASSOCIATED_RESET rst_ni"),
    "rst_ni": ("xilinx.com:signal:reset:1.0", "RST", "POLARITY ACTIVE_LOW"),
    "irq_o": ("xilinx.com:signal:interrupt:1.0", "INTERRUPT", "SENSITIVITY LEVEL_HIGH"),
}


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Words in columns, as the formatter of the tree sets them; the last one is not padded."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        padded = [word.ljust(width) for word, width in zip(row, widths, strict=False) if width]
        lines.append(" ".join([*padded, row[-1]]).rstrip())
    return lines


def _ports(ports: Sequence[Port], kind: str) -> list[str]:
    width = max(len(str(port.bits - 1)) for port in ports)
    ranges = [f"[{port.bits - 1:>{width}}:0]" if port.bits > 1 else "" for port in ports]
    return _columns(
        [
            ("output" if port.is_output else "input", kind, range_, port.name)
            for port, range_ in zip(ports, ranges, strict=True)
        ]
    )


def _list(lines: Iterable[str], indent: str) -> str:
    return ",\n".join(indent + line for line in lines)


def _parameters(parameters: Sequence[Parameter], declare: str) -> str:
    return f" #(\n{declare}\n)" if parameters else ""


def _connections(pairs: Sequence[tuple[str, str]], indent: str) -> str:
    width = max(len(name) for name, _ in pairs)
    return ",\n".join(f"{indent}.{name:<{width}}({value})" for name, value in pairs)


def shell(top: Top, name: str, made: str) -> str:
    """SystemVerilog: the engine with the design's parameters; those that it leaves open as plain integers."""
    free = (
        _columns([("parameter", one.plain, one.name, f"= {one.text(one.value)}") for one in top.free])
        if top.free
        else []
    )
    given = [
        (one.name, one.literal if one.fixed else f"{one.kind}'({one.name})" if one.enum else one.name)
        for one in top.parameters
    ]
    traces = [port for port in top.ports if port not in top.outside]
    pins = [(port.name, port.name) for port in top.outside] + [(port.name, "") for port in traces]
    head = f"{LICENCE}// {name}: {top.name} with the parameters of a design, as plain integers; ports for a trace are left open.\n// {made}\n"
    return (
        f"{head}module {name}{_parameters(top.free, _list(free, '    '))} (\n"
        f"{_list(_ports(top.outside, 'logic'), '    ')}\n);\n\n"
        f"  {top.name} #(\n{_connections(given, '      ')}\n  ) u_core (\n{_connections(pins, '      ')}\n  );\n\nendmodule\n"
    )


def wrapper(top: Top, name: str, inner: str, made: str) -> str:
    """Verilog-2005: the shell with the attributes by which Vivado's block designs know interfaces, clock, reset and interrupt."""
    free = [
        f"parameter {'integer' if one.plain.startswith('int') else f'[{one.bits - 1}:0]'} {one.name} = {one.text(one.value)}"
        for one in top.free
    ]
    declared = []
    for port, line in zip(top.outside, _ports(top.outside, "wire"), strict=True):
        attributes = _attributes(top, port)
        declared.append("\n    ".join([*attributes, line]))
    head = (
        f"{LICENCE}// {name}: the accelerator for block designs and other tools that read Verilog-2005 only. It adds nothing.\n"
        f"// {made}\n`default_nettype none\n\n"
    )
    given = f" #(\n{_connections([(one.name, one.name) for one in top.free], '      ')}\n  )" if free else ""
    pins = _connections([(port.name, port.name) for port in top.outside], "      ")
    return (
        f"{head}module {name}{_parameters(top.free, _list(free, '    '))} (\n{_list(declared, '    ')}\n);\n\n"
        f"  {inner}{given} u_shell (\n{pins}\n  );\n\nendmodule\n\n`default_nettype wire\n"
    )


def _attributes(top: Top, port: Port) -> list[str]:
    if port.name in SIGNALS:
        kind, signal, properties = SIGNALS[port.name]
        buses = ":".join(interface.prefix for interface in INTERFACES)
        return [
            f'(* X_INTERFACE_INFO = "{kind} {port.name} {signal}" *)',
            f'(* X_INTERFACE_PARAMETER = "{properties.format(buses=buses)}" *)',
        ]
    for interface in INTERFACES:
        members = top.members(interface)
        if port in members:
            lines = [f'(* X_INTERFACE_INFO = "{AXIMM} {interface.prefix} {interface.signal(port)}" *)']
            if port is members[0]:
                lines.append(f'(* X_INTERFACE_PARAMETER = "{properties_of(top, interface)}" *)')
            return lines
    return []


def properties_of(top: Top, interface: Interface) -> str:
    """Properties of a bus, as Vivado names them."""
    found = {
        "XIL_INTERFACENAME": interface.prefix,
        "PROTOCOL": PROTOCOLS[interface.kind],
        "DATA_WIDTH": top.bits(interface, "rdata"),
        "ADDR_WIDTH": top.bits(interface, "araddr"),
        "READ_WRITE_MODE": "READ_WRITE",
    }
    signals = {interface.signal(port) for port in top.members(interface)}
    if interface.kind == "axi4":
        found |= {"ID_WIDTH": top.bits(interface, "arid"), "SUPPORTS_NARROW_BURST": 0, "HAS_BURST": 1}
        for have, wires in (
            ("HAS_LOCK", ("AWLOCK",)),
            ("HAS_CACHE", ("AWCACHE", "ARCACHE")),
            ("HAS_PROT", ("AWPROT", "ARPROT")),
            ("HAS_QOS", ("AWQOS",)),
            ("HAS_REGION", ("AWREGION",)),
        ):
            found[have] = int(bool(signals & set(wires)))
        for name in ("AWUSER", "ARUSER", "WUSER", "RUSER", "BUSER"):
            found[f"{name}_WIDTH"] = top.bits(interface, name) if name in signals else 0
    return ", ".join(f"{name} {value}" for name, value in found.items())
