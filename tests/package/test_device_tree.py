# SPDX-License-Identifier: Apache-2.0
"""The device-tree binding by dtschema, and its example as Debian's dtc compiles it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.peers.base import PLACE, AbsentError, built, run, tool
from interop import judges

ROOT = Path(__file__).resolve().parents[2]
BINDINGS = ROOT / "packaging" / "devicetree"
BINDING = BINDINGS / "crypto" / "ringside,rs-core.yaml"
PINS = ROOT / "requirements" / "devicetree.txt"
DEBIAN = "/usr/lib/python3/dist-packages"  # python3-libfdt

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def dtc() -> str:
    """Debian's compiler; dtschema in a folder of its own, installed once."""
    try:
        compiler = tool("dtc", hint="Debian's is in device-tree-compiler")
        with built("dtschema", "the checker of bindings", [PINS]) as place:
            if place:
                options: list[str | Path] = ["--quiet", "--no-deps", "--only-binary", ":all:", "--target", place]
                run("dtschema", [sys.executable, "-m", "pip", "install", *options, "-r", PINS])
    except AbsentError as error:
        judges.skip_without("dtschema", error)
    return str(compiler)


def schema(command: str, *arguments: object) -> str:
    """What a tool of dtschema prints: its complaints, or the example."""
    code = f"import sys; from dtschema.{command} import main; sys.exit(main())"
    env = {"PYTHONPATH": f"{PLACE / 'dtschema'}:{DEBIAN}", "PATH": "/usr/bin:/bin"}
    words = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(words, env=env, capture_output=True, text=True)
    return done.stdout + (done.stderr if command != "extract_example" else "")


def complaints(dtc: str, source: str, place: Path) -> str:
    """About a tree that is made of this source."""
    (place / "tree.dts").write_text(source, encoding="utf-8")
    command = [dtc, "-q", "-O", "dtb", "-o", str(place / "tree.dtb"), str(place / "tree.dts")]
    subprocess.run(command, check=True, capture_output=True)
    return schema("dtb_validate", "-s", BINDINGS, place / "tree.dtb")


def test_the_binding_is_one(dtc: str, tmp_path: Path) -> None:
    assert schema("doc_validate", BINDING) == ""
    wrong = tmp_path / "crypto" / BINDING.name
    wrong.parent.mkdir()
    wrong.write_text(BINDING.read_text(encoding="utf-8").replace("additionalProperties: false\n", ""), encoding="utf-8")
    assert "'additionalProperties' is a required property" in schema("doc_validate", wrong)


def test_the_example_is_valid_and_what_lacks_something_is_not(dtc: str, tmp_path: Path) -> None:
    example = schema("extract_example", BINDING)
    assert complaints(dtc, example, tmp_path) == ""
    for line, told in (
        ("interrupts = <5>;", "interrupts"),
        ("reg = <0x40000000 0x1000>;", "reg"),
        ("memory-region = <&accelerator_memory>;", "memory-region"),
    ):
        assert line in example
        assert f"'{told}' is a required property" in complaints(dtc, example.replace(line, ""), tmp_path)
    assert "dma-cohrent" in complaints(dtc, example.replace("dma-coherent;", "dma-cohrent;"), tmp_path)


def test_the_registers_fit() -> None:
    """The example's window is that of the core's registers."""
    rtl = (ROOT / "hw" / "core" / "rtl" / "rs_core.sv").read_text(encoding="utf-8")
    bits = re.search(r"CsrAddrBits *= (\d+)", rtl)
    window = re.search(r"reg = <0x40000000 (\w+)>", BINDING.read_text(encoding="utf-8"))
    assert bits
    assert window
    assert int(window[1], 0) == 1 << int(bits[1])
