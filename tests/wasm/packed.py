# SPDX-License-Identifier: Apache-2.0
"""The npm package of this tree, built once, and what Node.js does with it."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from builds import HANGS, ROOT
from exclusive import exclusive

HERE = Path(__file__).resolve().parent
PACKAGE = ROOT / "build" / "npm" / "ringside"
NODE = Path(sys.prefix) / "bin" / "node"
COMPILER = os.environ.get("RINGSIDE_WASM_CLANG", "clang-16")


@cache
def package() -> Path:
    """Skips where there is no compiler for WebAssembly: it is not among what every developer has."""
    if not shutil.which(COMPILER):
        pytest.skip(f"there is no {COMPILER}: `make test` installs it")
    script = ROOT / "js" / "package.py"
    with exclusive(PACKAGE):
        command = [sys.executable, str(script), "--no-setup", "--no-archive", "--compiler", COMPILER]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 0, done.stdout + done.stderr
    return PACKAGE


def node(what: str, request: dict[str, Any] | None = None, options: tuple[str, ...] = ()) -> Any:
    """A deed of exchange.mjs."""
    command = [str(word) for word in (NODE, *options, HERE / "exchange.mjs", package(), what)]
    done = subprocess.run(command, input=json.dumps(request or {}), capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
