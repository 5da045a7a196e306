# SPDX-License-Identifier: Apache-2.0
"""An IP-XACT component (IEEE 1685-2014): registers by PeakRDL, and around them buses, ports and files."""

from __future__ import annotations

from typing import Any
from xml.dom import minidom

from .lists import Names
from .module import INTERFACES, Interface, Top
from .registers import Registers, element, memory_map

VENDOR, LIBRARY = "ringside", "core"
# Arm's names of the buses and of their signals' abstractions
BUSES = {"axi4": ("AXI4", "AXI4_rtl"), "axi4-lite": ("AXI4-Lite", "AXI4-Lite_rtl")}
COMMON = {"ACLK": "clk_i", "ARESETn": "rst_ni"}
SOURCES = "sources"


def component(registers: Registers, top: Top, names: Names, about: str) -> str:
    document = memory_map(registers, VENDOR, LIBRARY, names.block, names.version)
    root: Any = document.documentElement
    maps: Any = next(node for node in root.childNodes if node.nodeName == "ipxact:memoryMaps")
    map_name = maps.getElementsByTagName("ipxact:name")[0].firstChild.data
    before = document.createDocumentFragment()
    made = _Made(document)
    _buses(made, before, top, map_name)
    _spaces(made, before, top)
    root.insertBefore(before, maps)
    _model(made, root, top, names)
    _files(made, root, names)
    made.add(root, "description", about)
    _strip(root)
    return document.toprettyxml(indent="  ")


class _Made:
    """Elements of one document, in IP-XACT's name space."""

    def __init__(self, document: minidom.Document) -> None:
        self._document = document

    def add(self, parent: Any, tag: str, text: object = None, /, **attributes: str) -> Any:
        return element(self._document, parent, f"ipxact:{tag}", text, **attributes)


def _identifier(name: str) -> dict[str, str]:
    return {"vendor": "amba.com", "library": "AMBA4", "name": name, "version": "r0p0_0"}


def _buses(made: _Made, root: Any, top: Top, map_name: str) -> None:
    buses = made.add(root, "busInterfaces")
    for interface in INTERFACES:
        bus_name, abstraction = BUSES[interface.kind]
        bus = made.add(buses, "busInterface")
        made.add(bus, "name", interface.prefix)
        made.add(bus, "busType", **_identifier(bus_name))
        kind = made.add(made.add(bus, "abstractionTypes"), "abstractionType")
        made.add(kind, "abstractionRef", **_identifier(abstraction))
        ports = made.add(kind, "portMaps")
        for logical, physical in (*COMMON.items(), *_signals(top, interface)):
            pair = made.add(ports, "portMap")
            made.add(made.add(pair, "logicalPort"), "name", logical)
            made.add(made.add(pair, "physicalPort"), "name", physical)
        if interface.is_manager:
            made.add(made.add(bus, "master"), "addressSpaceRef", addressSpaceRef=interface.prefix)
        else:
            made.add(made.add(bus, "slave"), "memoryMapRef", memoryMapRef=map_name)


def _signals(top: Top, interface: Interface) -> list[tuple[str, str]]:
    return [(interface.signal(port), port.name) for port in top.members(interface)]


def _spaces(made: _Made, root: Any, top: Top) -> None:
    spaces = made.add(root, "addressSpaces")
    for interface in INTERFACES:
        if interface.is_manager:
            space = made.add(spaces, "addressSpace")
            made.add(space, "name", interface.prefix)
            made.add(space, "range", f"'h{1 << top.bits(interface, 'araddr'):x}")
            made.add(space, "width", top.bits(interface, "rdata"))


def _model(made: _Made, root: Any, top: Top, names: Names) -> None:
    model = made.add(root, "model")
    view = made.add(made.add(model, "views"), "view")
    made.add(view, "name", "rtl")
    made.add(view, "componentInstantiationRef", names.block)
    instance = made.add(made.add(model, "instantiations"), "componentInstantiation")
    made.add(instance, "name", names.block)
    made.add(instance, "language", "verilog")
    made.add(instance, "moduleName", names.block)
    if top.free:
        parameters = made.add(instance, "moduleParameters")
        for parameter in top.free:
            one = made.add(parameters, "moduleParameter", dataType="integer")
            made.add(one, "name", parameter.name)
            made.add(one, "value", parameter.value)
    made.add(made.add(instance, "fileSetRef"), "localName", SOURCES)
    ports = made.add(model, "ports")
    for port in top.outside:
        one = made.add(ports, "port")
        made.add(one, "name", port.name)
        wire = made.add(one, "wire")
        made.add(wire, "direction", "out" if port.is_output else "in")
        if port.bits > 1:
            vector = made.add(made.add(wire, "vectors"), "vector")
            made.add(vector, "left", port.bits - 1)
            made.add(vector, "right", 0)


def _files(made: _Made, root: Any, names: Names) -> None:
    files = made.add(made.add(root, "fileSets"), "fileSet")
    made.add(files, "name", SOURCES)
    for path in (*names.rtl, names.wrapper):
        file = made.add(files, "file")
        made.add(file, "name", path)
        made.add(file, "fileType", "systemVerilogSource" if path.endswith(".sv") else "verilogSource")


def _strip(node: Any) -> None:
    """Without the white space of the exporter: it is laid out afresh."""
    for child in list(node.childNodes):
        if child.nodeType == child.TEXT_NODE and not child.data.strip():
            node.removeChild(child)
        else:
            _strip(child)
