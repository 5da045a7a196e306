# SPDX-License-Identifier: Apache-2.0
"""The Rust crates and the Go module, as `make embed` writes them: their own tests, and peers that decrypt and compute what they encrypt."""

import ast
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.peers.base import PLACE, AbsentError, built, tool, version_of
from bench.peers.lattigo.peer import new_go
from builds import ROOT, cmake, output_of
from exclusive import exclusive
from interop.judges import skip_without
from interop.peers import SealNative
from package.libraries import KINDS, build_of
from tree_scripts import script

pytestmark = pytest.mark.slow
embed = script("releasing.embed")
CLIENT = ROOT / "tests" / "interop" / "lattigo"
FROM = [
    ROOT / name
    for name in ("lib/include", "lib/src", "pyproject.toml", "scripts/releasing/embed.py", "scripts/generating/rust.py")
]


@pytest.fixture(scope="module")
def library() -> dict[str, str]:
    """Where pkg-config finds it: in a place that stays, or else all would be compiled again in each run."""
    source, options = KINDS["static"]
    place = build_of("for-bindings")
    with exclusive(place):
        made = cmake(source, build_of("static"), *options)
        output_of("cmake", "--install", made, "--component", "library", "--prefix", place)
    return {"PKG_CONFIG_PATH": str(place / "lib" / "pkgconfig")}


class Commands:
    """Those of one language, with the library on its path."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        self.folder, self.env = folder, os.environ | env

    def run(self, *words: str | Path) -> str:
        done = subprocess.run(list(map(str, words)), cwd=self.folder, env=self.env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


# ---- Rust -----------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def cargo(library: dict[str, str]) -> Commands:
    try:
        program = tool("cargo", hint="1.64 or newer; Debian 12's is in cargo-web and rustc-web")
        with built(
            "ringside-rust", "crates", [ROOT / "bindings" / "rust", *FROM], version_of(program, "--version")
        ) as place:
            if place:
                embed.make("rust", place / "source")
    except AbsentError as error:
        skip_without("Rust's crates", error)
    place = PLACE / "ringside-rust"
    return Commands(
        place / "source", library | {"CARGO_TARGET_DIR": str(place / "target"), "CARGO_NET_OFFLINE": "true"}
    )


def test_rust_refuses_bad_input_and_wipes_keys(cargo: Commands) -> None:
    if shutil.which("rustfmt"):
        assert cargo.run("cargo", "fmt", "--all", "--check") == ""
    text = cargo.run("cargo", "test", "-j2", "--workspace")
    assert sum(map(int, re.findall(r"test result: ok\. (\d+) passed", text))) >= 5, text


def test_rust_without_std_needs_the_core_alone(cargo: Commands) -> None:
    """The crate without `std` is no_std, and of the library it takes what the freestanding core has."""
    cargo.run("cargo", "build", "-j2", "-p", "ringside", "--no-default-features", "--release")
    archives = [*(Path(cargo.env["CARGO_TARGET_DIR"]) / "release").glob("libringside.rlib")]
    names = cargo.run("nm", "-u", *archives)
    wanted = set(re.findall(r"\bU (rs_\w+)", names))
    core = (ROOT / "lib" / "include" / "ringside").glob("*.h")
    host = {"host.h", "batch.h", "pool.h", "backend.h"}
    declared = {
        name for path in core if path.name not in host for name in re.findall(r"\b(rs_\w+)\(", path.read_text("utf-8"))
    }
    assert {"rs_keygen_secret", "rs_wire_write_secret_key", "rs_zeroize"} <= wanted <= declared


def seal_values(server: SealNative, upload: Any, key: Any, is_exact: bool) -> list[float]:
    plain = server.decrypt(upload, key)
    if not is_exact:
        return list(server.decode(plain)[:4])
    return [int(value) for value in server.encoder.decode_int64(plain)[:4]]


@pytest.mark.parametrize(("name", "truth"), [("lee-14", [21.5, -3.25, 0, 0]), ("bfv-13", [7, -3, 100, 0])])
def test_seal_decrypts_and_computes_what_rust_encrypts(
    name: str, truth: list[float], cargo: Commands, tmp_path: Path
) -> None:
    is_exact = name.startswith("bfv")
    first, other = tmp_path / "first", tmp_path / "other"

    def example(*words: str | Path) -> str:
        command = ("cargo", "run", "-q", "-j2", "-p", "ringside", "--example", "first_ciphertext", "--", name)
        return cargo.run(*command, *words)

    for folder in (first, other):
        folder.mkdir()
        assert "encrypted" in example(folder)
    server = SealNative()
    server.use(first / "parameters.seal")
    upload, key = server.load("ciphertext", first / "message.seal"), server.load("secret_key", first / "secret.key")
    assert np.allclose(seal_values(server, upload, key, is_exact), truth, atol=0 if is_exact else 1e-6)
    assert not np.allclose(
        seal_values(server, upload, server.load("secret_key", other / "secret.key"), is_exact), truth, atol=1
    )
    server.save(server.multiply(upload, upload), first / "answer.seal")
    found = ast.literal_eval(example(first, "answer"))
    assert np.allclose(found, np.square(truth)[: len(found)], atol=0 if is_exact else 1e-4)


# ---- Go -------------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def go(library: dict[str, str]) -> Commands:
    try:
        new_go()
    except AbsentError as error:
        skip_without("Go's module", error)
    return Commands(ROOT / "bindings" / "go", library | {"GOTOOLCHAIN": "local", "GOFLAGS": "-buildvcs=false"})


def test_go_refuses_bad_input_and_wipes_keys(go: Commands) -> None:
    assert go.run("gofmt", "-l", ".") == ""
    go.run("go", "vet", "./...")
    assert "ok" in go.run("go", "test", "-count=1", "./...")


def test_lattigo_decrypts_and_squares_what_go_encrypts(go: Commands) -> None:
    """In one process."""
    with built("ringside-go", "Lattigo beside the Go module", [ROOT / "bindings" / "go", CLIENT, *FROM]) as place:
        if place:
            Commands(CLIENT, go.env).run("go", "build", "-p", "2", "-o", place / "client", "./client")
    found = json.loads(go.run(PLACE / "ringside-go" / "client"))
    assert 0 < found["fresh"] < 1e-6
    assert 0 < found["square"] < 1e-5
    assert found["other"] > 1e3
