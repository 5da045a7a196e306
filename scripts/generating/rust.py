# SPDX-License-Identifier: Apache-2.0
"""Rust's declarations of the C library: functions, structs and constants of the headers that RELEASE.md calls stable."""

import re
import runpy
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cffi

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "lib" / "include"
HEAD = "// SPDX-License-Identifier: Apache-2.0\n// Generated from the C headers. Layouts are asserted for pointers of 64 bits.\n"
# C's types that cffi calls by another name
NUMBERS = {
    "int": "c_int", "double": "f64", "char": "c_char", "void": "c_void", "size_t": "usize",
    **{f"{sign}int{bits}_t": f"{'u' if sign else 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip


def stable_headers() -> list[str]:
    """By RELEASE.md: the table "Stability by header"."""
    rows = (ROOT / "RELEASE.md").read_text(encoding="utf-8").partition("## Stability by header")[2].splitlines()
    names = [name for row in rows if ".h`" in row and "*stable*" in row for name in re.findall(r"`(\w+\.h)`", row)]
    return [name for name in names if name != "ringside.h"]  # which includes all others, settling ones too


class Declarations:
    """What cffi reads in the headers, as Rust."""

    def __init__(self, cc: str = "cc") -> None:
        abi = runpy.run_path(str(ROOT / "scripts" / "checks" / "abi.py"))
        preprocess = runpy.run_path(str(ROOT / "py" / "build_cdef.py"))["preprocess"]
        with tempfile.TemporaryDirectory() as place:
            all_of_them = Path(place) / "stable.h"
            lines = [f'#include "{INCLUDE / "ringside" / name}"\n' for name in stable_headers()]
            all_of_them.write_text("".join(lines), encoding="utf-8")
            text = preprocess(cc, INCLUDE, str(all_of_them))
        self._ffi = cffi.FFI()
        self._ffi.cdef(text)
        self._statements = list(abi["statements"](text))
        self._typedefs = set(self._ffi.list_types()[0])

    def type_of(self, kind: Any) -> str:
        if kind.kind == "pointer":
            return self._pointer(kind)
        if kind.kind == "function":
            return f'Option<unsafe extern "C" fn({", ".join(map(self.type_of, kind.args))}){self._result(kind)}>'
        if kind.kind == "array":
            return f"[{self.type_of(kind.item)}; {kind.length}]"
        name = str(kind.cname)
        return NUMBERS.get(name, name.removeprefix("enum ").removeprefix("struct "))

    def _pointer(self, kind: Any) -> str:
        item = kind.item
        if item.kind == "function":
            return self.type_of(item)
        return f"*mut {self.type_of(item)}"

    def _result(self, kind: Any) -> str:
        return "" if kind.result.cname == "void" else f" -> {self.type_of(kind.result)}"

    def _functions(self) -> Iterator[str]:
        for line in self._statements:
            found = re.fullmatch(r"(?!typedef|enum|struct)([^({]*?)\b(rs_\w+)\((.*)\)", line)
            if not found:
                continue
            result, name, arguments = found[1].strip(), found[2], found[3]
            told = []
            for argument in re.split(r",(?![^(]*\))", arguments) if arguments != "void" else []:
                place = re.fullmatch(r"(.*?)(\w+)(\[\w*\])?", argument.strip())
                assert place, line
                told.append(f"{escaped(place[2])}: {self.spelled(place[1] + ('*' if place[3] else ''))}")
            back = "" if result == "void" else f" -> {self.spelled(result)}"
            yield f"    pub fn {name}({', '.join(told)}){back};"

    def spelled(self, declared: str) -> str:
        """A type as a header spells it: cffi forgets const."""
        words = declared.replace("*", " * ").split()
        stars = words.count("*")
        base = next(word for word in words if word not in ("const", "struct", "enum", "*"))
        told = NUMBERS.get(base, base)
        # const before a name is of what the first pointer leads to; one after a star is of that pointer
        constant = [words.index("*") > 0 and "const" in words[: words.index("*")]] if stars else []
        at = [place for place, word in enumerate(words) if word == "*"]
        constant += [words[place + 1 : place + 2] == ["const"] for place in at[:-1]]
        for is_constant in constant:
            told = f"*{'const' if is_constant else 'mut'} {told}"
        return told

    def _members(self, name: str) -> Iterator[str]:
        """Members with const as declared. A pointer to a function is as cffi has it."""
        (text,) = [line for line in self._statements if re.fullmatch(rf"typedef struct \w+ {{.*}} {name}", line)]
        body = text[text.index("{") + 1 : text.rindex("}")]
        declared: dict[str, str] = {}
        for one in filter(str.strip, body.split(";")):
            if "(" in one:
                continue
            first, *more = one.split(",")
            place = re.fullmatch(r"\s*(.*?)(\w+)\s*(\[.*\])?\s*", first)
            assert place, one
            if not place[3]:
                declared |= {found.strip(): place[1] for found in (place[2], *more)}
        for member, field in self._ffi.typeof(name).fields:
            told = self.spelled(declared[member]) if member in declared else self.type_of(field.type)
            yield f"    pub {escaped(member)}: {told},"

    def _structs(self) -> Iterator[str]:
        for name in sorted(self._typedefs):
            kind = self._ffi.typeof(name)
            if kind.kind == "enum":
                yield f"pub type {name} = u32;"
            elif kind.kind == "struct" and not kind.fields:
                yield f"#[repr(C)]\npub struct {name} {{\n    _private: [u8; 0],\n}}"
            elif kind.kind == "struct":
                members = "\n".join(self._members(name))
                size = self._ffi.sizeof(kind)
                yield f"#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {name} {{\n{members}\n}}"
                yield f'#[cfg(target_pointer_width = "64")]\nconst _: () = assert!(core::mem::size_of::<{name}>() == {size});'

    def _constants(self) -> Iterator[str]:
        values = self._ffi.dlopen(None)  # enumerators are there, whatever is loaded
        for line in self._statements:
            if re.match(r"(typedef )?enum\b", line):
                title = line.split("}")[-1].strip() or "i32"
                for name in re.findall(r"(?:^|,)\s*(\w+)", line[line.index("{") + 1 :]):
                    yield f"pub const {name}: {title} = {getattr(values, name)};"

    def text(self) -> str:
        functions = sorted(self._functions())
        blocks = [*self._structs(), "\n".join(self._constants()), "\n".join(['extern "C" {', *functions, "}"])]
        return f"{HEAD}use core::ffi::{{c_char, c_int, c_void}};\n\n" + "\n".join(blocks) + "\n"


def escaped(name: str) -> str:
    return f"r#{name}" if name in ("type", "fn", "use", "ref", "move", "match", "in", "loop") else name
