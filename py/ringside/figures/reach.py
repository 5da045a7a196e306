# SPDX-License-Identifier: Apache-2.0
"""Which code of Python packages a function runs: its own, and that of what it names, in whatever module that stands.

A unit is a function, an assignment or a member of a class. Whatever is named is reached: a global by its module and the imports there, a member of a class
by its name alone, if anything of that class is reached. So more is found than runs, and nothing less, but for names that are put together as texts.
What only an annotation, an error or a docstring names is not reached.
"""

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

Named = tuple[str, str]  # a module, and a name at its top level
Units = dict[tuple[str, str, str], list[ast.stmt]]  # module, name, member of a class or "" -> statements
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_NAMING = (ast.Name, ast.Attribute, ast.keyword, ast.MatchClass, ast.Constant, *_IMPORTS)


class _Computing(ast.NodeTransformer):
    """Leaves out docstrings, types, what an error says and how notebooks show an object: no figure depends on them."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        if node.name == "_repr_html_":
            return None
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        return None if isinstance(node.value, ast.Constant) else node

    def visit_Raise(self, node: ast.Raise) -> ast.Raise:
        return ast.Raise()


def computing(text: str) -> ast.Module:
    """A source's tree without what computes nothing."""
    tree: ast.Module = _Computing().visit(ast.parse(text))
    return tree


@cache
def _naming(node: ast.AST) -> tuple[ast.AST, ...]:
    """What of a statement names something: several walks come by."""
    return tuple(one for one in ast.walk(node) if isinstance(one, _NAMING))


@cache
def text_of(node: ast.stmt) -> str:
    """outline, made once for all walks."""
    return outline(node)


def outline(node: object) -> str:
    """A text as of ast.dump without imports, but the same in all versions of Python: newer ones have more fields, which are empty in older sources."""
    if isinstance(node, list):
        return f"[{','.join(map(outline, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [(name, _computed(value)) for name, value in ast.iter_fields(node)]
    texts = [f"{name}={outline(value)}" for name, value in fields if value is not None and value != []]
    return f"{type(node).__name__}({','.join(texts)})"


def _computed(value: object) -> object:
    """A list without imports."""
    return [one for one in value if not isinstance(one, _IMPORTS)] if isinstance(value, list) else value


@dataclass
class _Module:
    """A module's units and imports by name."""

    name: str
    tree: ast.Module
    is_package: bool
    units: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, Named] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.imports = dict(self._imported(self.tree.body))
        for node in self._top(self.tree.body):
            for name in _names(node):
                self.units.setdefault(name, []).append(node)

    def _top(self, body: list[ast.stmt]) -> Iterator[ast.stmt]:
        """Statements at the top level, those of conditions and trials included."""
        for node in body:
            if isinstance(node, (ast.If, ast.Try, ast.With)):
                inner = [one for one in ast.iter_child_nodes(node) if isinstance(one, (ast.stmt, ast.ExceptHandler))]
                for one in inner:
                    yield from self._top(one.body if isinstance(one, ast.ExceptHandler) else [one])
            elif not isinstance(node, _IMPORTS):
                yield node

    def _imported(self, body: list[ast.stmt]) -> Iterator[tuple[str, Named]]:
        for node in body:
            yield from self.imported(node)

    def imported(self, node: ast.AST) -> Iterator[tuple[str, Named]]:
        """The imports anywhere in it: the name here, and what it is. A module itself has no second name."""
        for one in _naming(node):
            if isinstance(one, ast.Import):
                for alias in one.names:
                    yield (
                        alias.asname or alias.name.partition(".")[0],
                        (alias.name if alias.asname else alias.name.partition(".")[0], ""),
                    )
            elif isinstance(one, ast.ImportFrom):
                above = self.name.split(".")
                above = above[: len(above) - one.level + self.is_package] if one.level else []
                base = ".".join([*above, *([one.module] if one.module else [])])
                for alias in one.names:
                    yield alias.asname or alias.name, (base, alias.name)


def _names(node: ast.stmt) -> list[str]:
    """What a statement of a module or a class makes; "": something else."""
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return [node.name]
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, (ast.AnnAssign, ast.AugAssign))
        else []
    )
    found = [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
    return found or [""]


class Reach:
    """packages: their folders by name. without: modules and packages that make no figure."""

    def __init__(self, packages: Mapping[str, Path], without: frozenset[str] = frozenset()) -> None:
        self._packages = dict(packages)
        self._without = without
        self._modules: dict[str, _Module | None] = {}

    def of(self, *roots: Named) -> Units:
        """What these functions run. LookupError: there is no such function."""
        walk = _Walk(self)
        for module, name in roots:
            if not walk.name(module, name):
                raise LookupError(f"{module} has no {name}")
        return walk.done()

    def usual(self, function: Named, said: Collection[str]) -> Units:
        """The values that a function gives its arguments but those, and what they are made from; what is off counts as not there. LookupError: there is no
        such function."""
        module, name = function
        known = self.module(module)
        if known is None or name not in known.units:
            raise LookupError(f"{module} has no {name}")
        (node,) = known.units[name]
        assert isinstance(node, ast.FunctionDef)
        walk = _Walk(self)
        for argument, default in zip(reversed(node.args.args), reversed(node.args.defaults), strict=False):
            is_off = isinstance(default, ast.Constant) and not default.value
            if argument.arg not in said and not is_off:
                walk.todo.append((known, name, argument.arg, ast.Expr(default)))
        return walk.done()

    def module(self, name: str) -> _Module | None:
        if name not in self._modules:
            self._modules[name] = self._read(name)
        return self._modules[name]

    def _read(self, name: str) -> _Module | None:
        package, _, rest = name.partition(".")
        parts = name.split(".")
        if package not in self._packages or any(
            ".".join(parts[:count]) in self._without for count in range(1, len(parts) + 1)
        ):
            return None
        place = self._packages[package].joinpath(*filter(None, rest.split(".")))
        for file, is_package in ((place.with_name(f"{place.name}.py"), False), (place / "__init__.py", True)):
            if file.is_file():
                return _Module(name, computing(file.read_text(encoding="utf-8")), is_package)
        return None


class _Walk:
    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        self.found: Units = {}
        self.mentioned: set[str] = set()
        self.members: dict[
            str, list[tuple[_Module, str, ast.stmt]]
        ] = {}  # attributes of reached classes, that nothing has mentioned
        self.todo: list[tuple[_Module, str, str, ast.stmt]] = []

    def name(self, module: str, name: str) -> bool:
        """Reaches it. Whether it is something of the packages."""
        if name and self.reach.module(f"{module}.{name}") is not None:
            return True  # what of it is meant, its attributes say
        known = self.reach.module(module)
        if known is None or not name:
            return known is not None
        if name in known.units:
            if (known.name, name, "") not in self.found:
                self.found[known.name, name, ""] = []
                for node in [*known.units[name], *known.units.get("", [])]:
                    self._unit(known, name, node)
            return True
        return name in known.imports and self.name(*known.imports[name])

    def _unit(self, module: _Module, name: str, node: ast.stmt) -> None:
        if not isinstance(node, ast.ClassDef):
            self.todo.append((module, name, "", node))
            return
        head = ast.ClassDef(**{**dict(ast.iter_fields(node)), "body": []})
        self.todo.append((module, name, "", head))
        for one in node.body:
            for member in _names(one):
                hidden = member.startswith("__") and member.endswith("__")
                if hidden or not member or member in self.mentioned:
                    self.todo.append((module, name, member, one))
                else:
                    self.members.setdefault(member, []).append((module, name, one))

    def done(self) -> Units:
        while self.todo:
            module, name, member, node = self.todo.pop()
            known = self.found.setdefault((module.name, name, member), [])
            if not any(one is node for one in known):
                known.append(node)
                self._look(module, node)
        return self.found

    def _look(self, module: _Module, node: ast.stmt) -> None:
        inner = dict(module.imported(node))

        def resolved(name: str) -> Named:
            return inner.get(name) or module.imports.get(name) or (module.name, name)

        for one in _naming(node):
            if isinstance(one, ast.Name):
                self.name(*resolved(one.id))
            elif isinstance(one, ast.Attribute):
                self._mention(one.attr)
                if (place := self._module_of(one.value, resolved)) is not None:
                    self.name(place, one.attr)
            elif isinstance(one, ast.keyword) and one.arg:
                self._mention(one.arg)
            elif isinstance(one, ast.MatchClass):
                for attribute in one.kwd_attrs:
                    self._mention(attribute)
            elif isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value.isidentifier():
                self._mention(one.value)  # getattr, and tables of names

    def _module_of(self, node: ast.expr, resolved: Callable[[str], Named]) -> str | None:
        """The module that an expression is."""
        if isinstance(node, ast.Name):
            base, name = resolved(node.id)
            whole = f"{base}.{name}" if name else base
            return whole if self.reach.module(whole) is not None else None
        if isinstance(node, ast.Attribute) and (above := self._module_of(node.value, resolved)) is not None:
            whole = f"{above}.{node.attr}"
            return whole if self.reach.module(whole) is not None else None
        return None

    def _mention(self, attribute: str) -> None:
        if attribute not in self.mentioned:
            self.mentioned.add(attribute)
            self.todo += [(module, name, attribute, node) for module, name, node in self.members.pop(attribute, [])]
