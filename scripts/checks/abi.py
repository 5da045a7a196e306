# SPDX-License-Identifier: Apache-2.0
"""The C library's binary interface: lib/tests/abi.txt says what it is, and every compiler of the tree agrees.

abi.py [--write] [--include FOLDER] [--dump FILE]

The dump has a line for each function, enum and struct of ringside.h; of a struct the bytes and offsets with pointers of 64 and of 32
bits. A line that goes or changes is another interface for programs that exist (RELEASE.md): --write makes the dump anew where that is
meant. Golden functions are no part of it, but their structs are checked. ringside.h has at most FUNCTIONS_MAX functions, of at most
ARGUMENTS_MAX arguments each. The offsets are computed here and asserted by the compilers of this machine, of Cortex-M4, RISC-V of 32 and 64 bits and
WebAssembly; those that are not installed are named and left out.
"""

import argparse
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cffi

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "lib" / "include"
DUMP = ROOT / "lib" / "tests" / "abi.txt"
HEADER = "ringside/ringside.h"
GOLDEN = "ringside/golden.h"
FUNCTIONS_MAX, ARGUMENTS_MAX = 200, 6
POINTERS = (8, 4)
# compilers and their options; the first of each line that is installed
COMPILERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "cc": (("cc",), ()),
    "clang": (("clang", "clang-16", "clang-14"), ()),
    "cortex-m4": (("arm-none-eabi-gcc",), ("-mcpu=cortex-m4", "-mthumb", "-fno-short-enums")),
    "cortex-m4 short enums": (("arm-none-eabi-gcc",), ("-mcpu=cortex-m4", "-mthumb", "-fshort-enums")),
    "rv32": (("riscv64-unknown-elf-gcc",), ("-march=rv32imac", "-mabi=ilp32")),
    "rv64": (("riscv64-unknown-elf-gcc",), ("-march=rv64gc", "-mabi=lp64d")),
    "wasm32": (("clang", "clang-16", "clang-14"), ("--target=wasm32",)),
}
WORDS = {"size_t", "ssize_t", "intptr_t", "uintptr_t", "ptrdiff_t", "long", "unsigned long"}  # as wide as a pointer

Layout = tuple[int, int]  # bytes, alignment


def statements(text: str) -> Iterator[str]:
    """Top-level statements of a preprocessed header, each on one line."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and depth == 0:
            yield " ".join(text[start:place].split())
            start = place + 1


class Layouts:
    """Sizes of cffi's types where a pointer has `pointer` bytes; every other type is as large as its alignment (ILP32 and LP64)."""

    def __init__(self, ffi: cffi.FFI, pointer: int) -> None:
        self._ffi, self._pointer = ffi, pointer

    def of(self, kind: Any) -> Layout:
        if kind.kind in ("pointer", "function") or kind.cname in WORDS:
            return self._pointer, self._pointer
        if kind.kind == "array":
            size, alignment = self.of(kind.item)
            return size * int(kind.length), alignment
        if kind.kind in ("struct", "union"):
            ends = [offset + self.of(field.type)[0] for field, offset in self.offsets(kind)]
            alignment = max(self.of(field.type)[1] for _, field in kind.fields)
            return -(-max(ends) // alignment) * alignment, alignment
        size = int(self._ffi.sizeof(kind))
        return size, size

    def offsets(self, kind: Any) -> Iterator[tuple[Any, int]]:
        at = 0
        for _, field in kind.fields:
            size, alignment = self.of(field.type)
            at = 0 if kind.kind == "union" else -(-at // alignment) * alignment
            yield field, at
            at += size


def functions(dump: list[str]) -> dict[str, int]:
    """Arguments of each function of a dump."""
    found = {}
    for line in dump:
        if (match := re.fullmatch(r"(?!typedef)[^({]*?\b(rs_\w+)\((.*)\)", line)) is not None:
            found[match[1]] = 0 if match[2] == "void" else match[2].count(",") + 1
    return found


def promised(dump: list[str]) -> list[str]:
    """Findings on a function that is too long, and on too many of them."""
    found = functions(dump)
    long = [
        f"{name} has {n} arguments, more than {ARGUMENTS_MAX}: take a request"
        for name, n in found.items()
        if n > ARGUMENTS_MAX
    ]
    crowd = f"{len(found)} public functions, more than {FUNCTIONS_MAX}: golden.h has room for what only tests call"
    return [*long, *([crowd] if len(found) > FUNCTIONS_MAX else [])]


def structs(ffi: cffi.FFI) -> dict[str, list[tuple[str, int, int]]]:
    """Per typedef of a struct that is not opaque: ("", bytes) and (member, offset), with pointers of 64 and of 32 bits."""
    found = {}
    for name in sorted(ffi.list_types()[0]):
        kind = ffi.typeof(name)
        if kind.kind not in ("struct", "union") or not kind.fields:
            continue
        members = ["", *(member for member, _ in kind.fields)]
        columns = []
        for pointer in POINTERS:
            layouts = Layouts(ffi, pointer)
            columns.append([layouts.of(kind)[0], *(offset for _, offset in layouts.offsets(kind))])
        found[name] = list(zip(members, *columns, strict=True))
    return found


def lines(text: str, ffi: cffi.FFI) -> list[str]:
    """Functions and pointers to them, then enums with their values, then structs."""
    functions, enums = [], []
    values = ffi.dlopen(None)  # enumerators are there, whatever is loaded
    for line in statements(text):
        if re.match(r"(typedef )?enum\b", line):
            names = re.findall(r"(?:^|,)\s*(\w+)", line[line.index("{") + 1 :])
            title = line.split("}")[-1].strip() or "enum"
            enums.append(" ".join([title, *(f"{name} {getattr(values, name)}" for name in names)]))
        elif not re.match(r"typedef (struct|union)\b", line):
            functions.append(line)
    laid_out = [" ".join(f"{m} {a}/{b}".strip() for m, a, b in rows) for rows in structs(ffi).values()]
    return [*sorted(functions), *sorted(enums), *map(" ".join, zip(structs(ffi), laid_out, strict=True))]


def assertions(ffi: cffi.FFI) -> str:
    out = ["#include <stddef.h>", f"#include <{GOLDEN}>"]
    for name, rows in structs(ffi).items():
        fields = dict(ffi.typeof(name).fields)
        for member, *offsets in rows:
            facts = {f"offsetof({name}, {member})" if member else f"sizeof({name})": offsets}
            if member:  # an enum of one byte may leave everything behind it where it is
                sizes = [Layouts(ffi, pointer).of(fields[member].type)[0] for pointer in POINTERS]
                facts[f"sizeof((({name} *)0)->{member})"] = sizes
            for what, (wide, narrow) in facts.items():
                out.append(f'_Static_assert({what} == (sizeof(void *) == 8 ? {wide} : {narrow}), "{name} {member}");')
    return "\n".join(out) + "\n"


def compiled(code: str, include: Path) -> tuple[list[str], list[str]]:
    """Findings, and the compilers that are not installed."""
    found, absent = [], []
    for title, (names, options) in COMPILERS.items():
        compiler = next((name for name in names if shutil.which(name)), None)
        if compiler is None:
            absent.append(title)
            continue
        command = [compiler, *options, "-std=c11", "-ffreestanding", "-fsyntax-only", "-I", str(include), "-xc", "-"]
        done = subprocess.run(command, input=code, capture_output=True, text=True)
        wrong = re.findall(r'static.assert\w* failed[^"]*"([^"]+)"', done.stderr)
        found += [f"{title}: {one.strip()} is not where the dump has it" for one in dict.fromkeys(wrong)]
        if done.returncode != 0 and not wrong:
            found.append(f"{title}: {done.stderr.strip().splitlines()[0]}")
    return found, absent


def declarations(include: Path, header: str) -> tuple[str, cffi.FFI]:
    # it is no part of the package, whose sources must not be found before what is installed
    preprocess = runpy.run_path(str(ROOT / "py" / "build_cdef.py"))["preprocess"]
    text = preprocess("cc", include, header)
    ffi = cffi.FFI()
    ffi.cdef(text)
    return text, ffi


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the dump")
    parser.add_argument("--include", type=Path, default=INCLUDE, help="the headers' folder")
    parser.add_argument("--dump", type=Path, default=DUMP, help="the dump")
    options = parser.parse_args()
    text, ffi = declarations(options.include, HEADER)
    _, golden = declarations(options.include, GOLDEN)
    now = lines(text, ffi)
    if options.write:
        options.dump.write_text("\n".join(now) + "\n", encoding="utf-8")
    before = options.dump.read_text(encoding="utf-8").splitlines()
    found = [f"{options.dump.name} has, the headers have not: {line}" for line in before if line not in set(now)]
    found += [f"the headers have, {options.dump.name} has not: {line}" for line in now if line not in set(before)]
    wrong, absent = compiled(assertions(golden), options.include)
    broken = promised(now)
    for finding in [*found, *wrong, *broken]:
        print(f"  {finding}")
    if found:
        print("  If this is meant: `build/venv/bin/python scripts/checks/abi.py --write`.")
    if absent:
        print(f"  not installed: {', '.join(absent)}")
    return int(bool(found or wrong or broken))


if __name__ == "__main__":
    sys.exit(main())
