# SPDX-License-Identifier: Apache-2.0
"""The check of the library's binary interface finds what goes, what changes, and where a compiler lays a struct out otherwise."""

import shutil
import sys
from pathlib import Path

import pytest

import ringside.native
from builds import exports
from tree_scripts import script

abi = script("checks.abi")
KIND = "    uint32_t kind; // rs_wire_kind_t: keys"
CAPACITY = "    size_t capacity;"


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        (KIND, f"    uint64_t more;\n{KIND}",
         "has, the headers have not: rs_wire_write_request_t 120/88 size 0/0 kind 4/4"),
        (KIND, f"    uint64_t more;\n{KIND}", "has not: rs_wire_write_request_t 136/96 size 0/0 more 8/8 kind 16/16"),
        ("rs_wire_bytes(const", "rs_wire_length(const", "has, the headers have not: uint64_t rs_wire_bytes(const"),
        (
            "rs_wire_bytes(const",
            "rs_wire_bytes(int a, int b, int c, int d, int e, int f, const",
            "rs_wire_bytes has 7 arguments, more than 6",
        ),
        (
            "rs_wire_bytes(const",
            "".join(f"rs_f{i}(void);\nRS_API uint64_t " for i in range(99)) + "rs_wire_bytes(const",
            "public functions, more than 200",
        ),
        (
            "    uint32_t kind; // rs_wire_kind_t\n    rs_plaintext_t",
            "    enum { RS_A } kind;\n    rs_plaintext_t",
            "cc: rs_wire_target_t kind is not where",
        ),
        ("RS_COMPRESSION_ZSTD = 2", "RS_COMPRESSION_ZSTD = 3", "has not: rs_compression_t RS_COMPRESSION_NONE 0"),
        (CAPACITY, f"{CAPACITY}\n#ifndef RS_CDEF\n    uint32_t odd;\n#endif",
         "cc: rs_memory_sink_t bytes is not where"),
    ],
)  # fmt: skip
@pytest.mark.alike(4)
def test_a_change_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], old: str, new: str,
    finding: str,
) -> None:  # fmt: skip
    include = tmp_path / "include"
    shutil.copytree(abi.INCLUDE, include)
    header = include / "ringside" / "wire.h"
    text = header.read_text(encoding="utf-8")
    assert text.count(old) == 1
    header.write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(abi, "COMPILERS", {"cc": (("cc",), ("-fshort-enums",))})
    monkeypatch.setattr(sys, "argv", ["abi.py", "--include", str(include)])
    assert abi.main() == 1
    assert finding in capsys.readouterr().out


def test_the_package_s_library_exports_golden_functions_too() -> None:
    """Exactly those that the headers name: tests/package has an installation's library, which has none of them."""
    names = abi.functions(abi.lines(*abi.declarations(abi.INCLUDE, abi.GOLDEN)))
    assert set(names) > set(abi.functions(abi.DUMP.read_text(encoding="utf-8").splitlines()))
    assert exports(Path(ringside.native.__path__[0]) / "libringside.so") == set(names)
