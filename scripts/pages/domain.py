# SPDX-License-Identifier: Apache-2.0
"""A Sphinx extension: entries for what has no domain of Sphinx's: RTL modules, registers, instructions, commands.

.. hw:module:: rs_core          an entry with a description; :hw:module:`rs_core` leads to it
{hw-register}`STATUS`           a role that marks the place where a register is described: in a table, say
"""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, cast

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.directives import ObjectDescription
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxRole
from sphinx.util.nodes import make_id, make_refnode

KINDS = {"module": "RTL module", "register": "register", "instruction": "instruction", "verb": "command"}


class Described(ObjectDescription[str]):
    option_spec: ClassVar[Any] = {**ObjectDescription.option_spec, "kind": directives.unchanged}

    def handle_signature(self, sig: str, signode: addnodes.desc_signature) -> str:
        kind = self.options.get("kind", "")
        if kind:
            signode += addnodes.desc_annotation("", f"{kind} ")
        signode += addnodes.desc_name(sig, sig)
        return sig

    def add_target_and_index(self, name: str, sig: str, signode: addnodes.desc_signature) -> None:
        node_id = make_id(self.env, self.state.document, f"hw-{self.objtype}", name)
        signode["ids"].append(node_id)
        _hardware(self.env).note(self.objtype, name, node_id, self.env.docname)
        self.indexnode["entries"].append(("single", f"{name} ({KINDS[self.objtype]})", node_id, "", None))


class Marked(SphinxRole):
    """The place itself is the entry."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        document = self.inliner.document
        node_id = make_id(self.env, document, f"hw-{self.kind}", self.text)
        place = nodes.literal("", self.text, ids=[node_id])
        index = addnodes.index(entries=[("single", f"{self.text} ({KINDS[self.kind]})", node_id, "", None)])
        document.note_explicit_target(place)
        _hardware(self.env).note(self.kind, self.text, node_id, self.env.docname)
        return [index, place], []


def _hardware(env: BuildEnvironment) -> "Hardware":
    return cast("Hardware", env.domains["hw"])


class Hardware(Domain):
    name = "hw"
    label = "Ringside"
    object_types: ClassVar[dict[str, ObjType]] = {kind: ObjType(text, kind) for kind, text in KINDS.items()}
    directives: ClassVar[Any] = dict.fromkeys(KINDS, Described)
    roles: ClassVar[Any] = {kind: XRefRole() for kind in KINDS}
    initial_data: ClassVar[Any] = {"objects": {}}

    @property
    def objects(self) -> dict[tuple[str, str], tuple[str, str]]:
        found: dict[tuple[str, str], tuple[str, str]] = self.data["objects"]
        return found

    def note(self, kind: str, name: str, node_id: str, page: str) -> None:
        self.objects[kind, name] = (page, node_id)

    def clear_doc(self, docname: str) -> None:
        for key in [key for key, (page, _) in self.objects.items() if page == docname]:
            del self.objects[key]

    def merge_domaindata(self, docnames: Iterable[str], otherdata: Any) -> None:
        chosen = set(docnames)
        self.objects.update({key: place for key, place in otherdata["objects"].items() if place[0] in chosen})

    def resolve_xref(
        self, env: Any, fromdocname: str, builder: Any, typ: str, target: str, node: Any, contnode: Any
    ) -> Any:
        if (typ, target) not in self.objects:
            return None
        page, node_id = self.objects[typ, target]
        return make_refnode(builder, fromdocname, page, node_id, contnode, target)

    def resolve_any_xref(self, env: Any, fromdocname: str, builder: Any, target: str, node: Any, contnode: Any) -> Any:
        return []

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        for (kind, name), (page, node_id) in self.objects.items():
            yield name, name, kind, page, node_id, 1


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_domain(Hardware)
    for kind in KINDS:
        app.add_role(f"hw-{kind}", Marked(kind))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
