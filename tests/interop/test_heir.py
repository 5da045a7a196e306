# SPDX-License-Identifier: Apache-2.0
"""Programs that HEIR compiles, from MLIR to a number: Ringside is the client, generated code the server, as it is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.peers.base import AbsentError
from bench.peers.openfhe.peer import OPENFHE_ENV, python_with_openfhe
from builds import cmake, output_of
from cli_runner import CommandLine
from interop.heir.compiler import CKKS, EXACT, HERE, Recipe, go_server, translated
from interop.judges import skip_without
from ringside.exchange.heir.program import HeirProgram, Operand
from ringside.exchange.heir.reading import read_program

ROOT = Path(__file__).resolve().parents[2]
CLOSE = 1e-5
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> tuple[Path, dict[str, str]]:
    """The server of all programs, and their texts."""
    try:
        texts = {f"{one.scheme}_{one.name}": one.compiled("lattigo") for one in (*CKKS, *EXACT)}
        programs = {name: (text, read_program(text.encode(), name)) for name, text in texts.items()}
        return go_server(programs, ROOT / "build" / "heir-server"), texts
    except AbsentError as error:
        skip_without("HEIR", error)


def draw(one: Operand, scheme: str, draws: np.random.Generator) -> Any:
    if scheme == "ckks":
        return draws.uniform(-1, 1, one.shape).astype(np.float32)
    return draws.integers(0, 2, one.shape) if one.type == "i1" else draws.integers(-90, 91, one.shape)


def upload(one: Recipe, manifest: Path, keys: Path, files: Path, ringside: CommandLine) -> Any:
    """Draws values, encrypts them into the server's folder; what the program computes of them, a tuple."""
    program, draws = HeirProgram.read(manifest), np.random.default_rng(7)
    values = {operand.name: draw(operand, one.scheme, draws) for operand in program.arguments}
    sources = []
    for operand in program.arguments:
        if operand.ciphertexts:
            sources.append(manifest.parent / f"{operand.name}.npy")
            np.save(sources[-1], values[operand.name])
        else:
            values[operand.name].astype("<f4").tofile(files / operand.name)
    ringside("encrypt", "--program", manifest, "--keys", keys, *sources, files).ends(0)
    wanted = one.truth(*values.values())
    return wanted if isinstance(wanted, tuple) else (wanted,)


def check_answers(one: Recipe, manifest: Path, keys: Path, files: Path, wanted: Any, ringside: CommandLine) -> None:
    program = HeirProgram.read(manifest)
    for number, (result, truth) in enumerate(zip(program.results, wanted, strict=True)):
        answers = [files / f"{result.name}-{index}.{program.library}" for index in range(result.ciphertexts)]
        out = files / f"{result.name}.npy"
        ringside("decrypt", "--program", manifest, "--keys", keys, "--result", number, *answers, out).ends(0)
        found = np.load(out)
        assert found.shape == result.shape == np.shape(truth)
        error = np.abs(found - truth).max()
        print(f"{program.library} {one.scheme} {one.name}: largest error {error:.2g}")
        limit = 0.05 if one.name == "sigmoid" else CLOSE  # HEIR takes a polynomial in its place
        assert error == 0 if one.scheme != "ckks" else error < limit


@pytest.mark.parametrize("one", [*CKKS, *EXACT], ids=lambda one: f"{one.scheme}-{one.name}")
def test_generated_server(
    one: Recipe, server: tuple[Path, dict[str, str]], tmp_path: Path, ringside: CommandLine
) -> None:
    """From the text of heir-opt: manifest, keys, upload, generated Go, answer; the values are numpy's."""
    binary, texts = server
    name = f"{one.scheme}_{one.name}"
    source, client, keys, files = (tmp_path / part for part in ("program.mlir", "client", "keys", "server"))
    manifest = client / "manifest.json"
    source.write_text(texts[name])
    ringside("heir", source, "--out", client).ends(0)
    ringside("keygen", "--program", manifest, "--out", keys).ends(0)
    ringside("convert", keys, files, "--format", "lattigo").ends(0)
    wanted = upload(one, manifest, keys, files, ringside)
    subprocess.run([binary, name, files], check=True, capture_output=True, text=True)
    check_answers(one, manifest, keys, files, wanted, ringside)


@pytest.mark.parametrize("name", ["dot", "levels", "paddot", "rotate"])
def test_calls_of_generated_code_for_openfhe(name: str, tmp_path: Path, ringside: CommandLine) -> None:
    """Its context, and the calls of its C++ one by one."""
    one = next(one for one in CKKS if one.name == name)
    source, code, client, keys, files = (
        tmp_path / part for part in ("program.mlir", "code.cpp", "client", "keys", "server")
    )
    manifest = client / "manifest.json"
    try:
        python = python_with_openfhe()
        source.write_text(one.compiled("openfhe"))
        code.write_text(translated(source.read_text(), "--emit-openfhe-pke"))
    except AbsentError as error:
        skip_without("HEIR with OpenFHE", error)

    def serve(action: str, folder: Path) -> None:
        command: list[str | Path] = [python, HERE / "openfhe_server.py", code, name, action, folder]
        subprocess.run(command, check=True, env=os.environ | OPENFHE_ENV)

    serve("context", tmp_path)
    ringside("heir", source, "--out", client).ends(0)
    ringside("keygen", "--program", manifest, "--out", keys).refused(2, "its server's context")
    ringside("keygen", "--program", manifest, "--params", tmp_path / "cryptocontext.txt", "--out", keys).ends(0)
    ringside("convert", keys, files, "--format", "openfhe").ends(0)
    wanted = upload(one, manifest, keys, files, ringside)
    serve("run", files)
    check_answers(one, manifest, keys, files, wanted, ringside)


def test_device_of_150_kb(server: tuple[Path, dict[str, str]], tmp_path: Path, ringside: CommandLine) -> None:
    """A program in C with the stub and the library's core, whose files a gateway turns into Lattigo's and back."""
    binary, texts = server
    source, client, keys, files = (tmp_path / part for part in ("program.mlir", "client", "keys", "server"))
    source.write_text(texts["ckks_dot"])
    ringside("heir", source, "--out", client).ends(0)
    plain = ("--compression", "none")
    ringside("keygen", "--program", client / "manifest.json", "--out", keys, *plain).ends(0)
    ringside("convert", keys, files, "--format", "lattigo").ends(0)
    options = ["-DRS_CORE_ONLY=ON", "-DRS_BUILD_TESTS=OFF", "-DRS_EVALUATOR=OFF", "-DCMAKE_BUILD_TYPE=MinSizeRel"]
    core = cmake(
        ROOT, ROOT / "build" / "package" / "core-small", *options, "-DCMAKE_C_FLAGS=-ffunction-sections -fdata-sections"
    )
    program, warnings = tmp_path / "device", ["-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror"]
    places = [f"-I{client}", f"-I{ROOT / 'lib' / 'include'}", "-DRS_CORE_ONLY", "-Os", "-Wl,--gc-sections", "-s"]
    output_of("cc", *warnings, *places, HERE / "device.c", core / "lib" / "libringside.a", "-o", program)
    print(f"device: {program.stat().st_size} bytes")
    assert program.stat().st_size <= 150_000
    subprocess.run([program], cwd=keys, check=True)
    for name in ("arg0", "arg1"):
        ringside(
            "convert", keys / f"{name}.seal", files / f"{name}-0.lattigo", "--keys", keys, "--format", "lattigo"
        ).ends(0)
    subprocess.run([binary, "ckks_dot", files], check=True)
    ringside(
        "convert", files / "result0-0.lattigo", keys / "answer.seal", "--keys", keys, "--format", "seal", *plain
    ).ends(0)
    done = subprocess.run([program, "answer"], cwd=keys, check=True, capture_output=True, text=True)
    assert abs(float(done.stdout) - (-0.25 + 0.1)) < CLOSE
