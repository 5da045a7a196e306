# SPDX-License-Identifier: Apache-2.0
"""Programs of ours for HEIR, compiled by its own tools, and the servers that it generates for Lattigo, as they are."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from bench.peers.base import AbsentError
from bench.peers.lattigo.peer import go_program
from ringside.exchange.heir.program import HeirProgram, Operand

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "programs"


def tool(name: str) -> Path:
    """heir-opt or heir-translate of the package heir-py. AbsentError: it is not installed."""
    spec = find_spec("heir")
    if spec is None or spec.origin is None:
        raise AbsentError("heir-py is not installed")
    return Path(spec.origin).parent / name


@dataclass(frozen=True)
class Recipe:
    """A program, how it is compiled, and what it computes."""

    name: str
    truth: Any
    scheme: str = "ckks"
    options: str = "min-slot-count=2048"
    pipeline: str = "mlir"  # or torch-linalg, for activations and pooling

    def compiled(self, backend: str, *then: str) -> str:
        """heir-opt's text. AssertionError with what it says, where it cannot."""
        target = (
            ["--scheme-to-lattigo"]
            if backend == "lattigo"
            else ["--scheme-to-openfhe=scaling-technique-fixed-manual=true"]
        )
        flags = [
            f"--annotate-module=backend={backend} scheme={self.scheme}",
            f"--{self.pipeline}-to-{self.scheme}={self.options}",
        ]
        run = subprocess.run(
            [tool("heir-opt"), *flags, *target, *then, SOURCES / f"{self.name}.mlir"], capture_output=True, text=True
        )
        assert run.returncode == 0, f"heir-opt cannot compile {self.name} with {flags}: {run.stderr[:400]}"
        return run.stdout


def translated(mlir: str, *flags: str) -> str:
    """Code of heir-translate."""
    return subprocess.run(
        [tool("heir-translate"), *flags], input=mlir, capture_output=True, text=True, check=True
    ).stdout


def _go_argument(one: Operand) -> str:
    return f'given(folder, "{one.name}", {one.ciphertexts})' if one.ciphertexts else f'floats(folder, "{one.name}")'


def _case(name: str, program: HeirProgram) -> str:
    server = (
        "ckksServer(folder)"
        if program.scheme == "ckks"
        else f"bgvServer(folder, {str(program.scheme == 'bfv').lower()})"
    )
    results = ", ".join(f"r{index}" for index in range(len(program.results)))
    call = f"{name}.{program.function.capitalize()}(e, p, c, {', '.join(map(_go_argument, program.arguments))})"
    return f'\tcase "{name}":\n\t\te, p, c := {server}\n\t\t{results} := {call}\n\t\tanswer(folder, {results})\n'


def go_server(programs: dict[str, tuple[str, HeirProgram]], folder: Path) -> Path:
    """One server for all: generated packages, and a main that calls the one that is named, with files of a folder. AbsentError: no Go."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("go.mod", "go.sum"):
        shutil.copy(HERE.parent / "lattigo" / name, folder)
    shutil.copy(HERE / "server.go", folder)
    for name, (mlir, _) in programs.items():
        (folder / name).mkdir()
        code = translated(mlir, "--emit-lattigo", f"--package-name={name}")
        (folder / name / f"{name}.go").write_text(code, encoding="utf-8")
    imports = "".join(f'\t"judge/{name}"\n' for name in programs)
    cases = "".join(_case(name, program) for name, (_, program) in programs.items())
    main = f'package main\n\nimport (\n\t"os"\n{imports})\n\nfunc main() {{\n\tfolder := os.Args[2]\n\tswitch os.Args[1] {{\n{cases}\t}}\n}}\n'
    (folder / "main.go").write_text(main, encoding="utf-8")
    return go_program("heir-server", folder, "server")


# ---- the programs ---------------------------------------------------------------------------------------------------
def _matrix(rows: int, columns: int) -> Any:
    return np.array([[((3 * i + 5 * j) % 7 - 3) / 8 for j in range(columns)] for i in range(rows)])


def _windows(x: Any, filters: Any) -> Any:
    """Correlation of one channel with filters."""
    axes = tuple(range(2, x.ndim))
    views = np.lib.stride_tricks.sliding_window_view(x[0, 0], filters.shape[2:])
    return np.stack([(views * one[0]).sum(axis=tuple(range(-len(axes), 0))) for one in filters])[None]


FILTERS = {
    1: np.array([[[0.5, -0.25]], [[1.0, 0.125]]]),
    2: np.array([[[[0.5, -0.25, 0.125], [0, 1, 0], [0.25, 0.25, 0.25]]], [[[1, 0, -1], [2, 0, -2], [1, 0, -1]]]]),
}
SCALED = np.array([[1.0, 0.5, 0.25, 0.125], [-1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5], [0, 0, 1, -0.5]])
ACTIVATION = "min-slot-count=2048 scaling-mod-bits=45 first-mod-bits=58"
CKKS = (
    Recipe("dot", lambda a, b: a @ b + 0.1),
    Recipe("matvec", lambda x: _matrix(16, 16) @ x + np.arange(16) / 16),
    Recipe("conv1d", lambda x: _windows(x, FILTERS[1])),
    Recipe("conv2d", lambda x: _windows(x, FILTERS[2])),
    Recipe("paddot", lambda a, b: a @ b[2:7]),
    Recipe("longdot", lambda a, b: a @ b),
    Recipe("wide", lambda a, b: a * b + a),
    Recipe("levels", lambda x, y: ((x + y) ** 2 + y) ** 2 + y),
    Recipe("rotate", lambda x: 2 * np.roll(x, -1)),
    Recipe("scaled", lambda x, scale, shift: SCALED @ x * scale + shift),
    Recipe("two", lambda x, k: (x * x, x + x)),
    Recipe("pool", lambda x: x.reshape(1, 2, 6, 2).sum(axis=3), options=ACTIVATION, pipeline="torch-linalg"),
    Recipe("sigmoid", lambda x: 1 / (1 + np.exp(-x)), options=ACTIVATION, pipeline="torch-linalg"),
)
BFV_BITS = "min-slot-count=2048 bfv-mod-bits=55"
EXACT = tuple(
    Recipe(name, truth, scheme, options)
    for scheme, options in (("bgv", "min-slot-count=2048"), ("bfv", BFV_BITS))
    for name, truth in (
        ("int_dot", lambda a, b: a @ b),
        ("int_ops", lambda x, y: (x + y) * (x - y)),
        ("int_select", lambda x, y, c: np.where(c, x, y)),
    )
)
