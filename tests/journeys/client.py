# SPDX-License-Identifier: Apache-2.0
"""A person with a folder of keys at a shell, for tests that go all the way of a reader."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cli_runner import CommandLine
from interop.peers import SealNative

Values = NDArray[np.float64]


def readings(seed: int, count: int) -> Values:
    """Values in [-1, 1], others for every seed."""
    return np.random.default_rng(seed).uniform(-1, 1, count)


def served(
    seal: SealNative,
    upload: Path,
    answer: Path,
    relin: Path,
    galois: Path | None = None,
    depth: int = 1,
    by: Path | None = None,
) -> Path:
    """A server's squares of squares of an upload, or its product by another one, turned by one slot."""
    relin_keys, found = seal.load("relin_keys", relin), seal.load("ciphertext", upload)
    for _ in range(depth):
        found = seal.multiply(found, seal.load("ciphertext", by) if by else found)
        seal.relinearize(found, relin_keys)
        seal.rescale(found)
    seal.save(seal.rotate(found, 1, seal.load("galois_keys", galois)) if galois else found, answer)
    return answer


class Client:
    """A person with a folder of keys at a shell."""

    def __init__(self, ringside: CommandLine, folder: Path) -> None:
        self._ringside = ringside
        self.folder = folder
        self.keys = folder / "keys"
        folder.mkdir()

    def run(self, *arguments: object) -> str:
        """A command that has to succeed."""
        done = self._ringside(*arguments)
        assert done.code == 0, f"{arguments}: {done.err}"
        return done.out

    def refused(self, *arguments: object) -> str:
        """What a command says that has to fail."""
        done = self._ringside(*arguments)
        assert done.code != 0, arguments
        return done.err

    def printed(self, command: str) -> str:
        """A command as a page or another command prints it, in this client's folder."""
        name, *words = shlex.split(command)
        assert name == "ringside"
        places = {
            "keys": self.keys,
            "values.npy": self.folder / "values.npy",
            "upload.seal": self.folder / "upload.seal",
        }
        return self.run(*(places.get(word, word) for word in words))

    def save(self, values: Values, name: str) -> Path:
        np.save(self.folder / name, values)
        return self.folder / name

    def encrypt(self, values: Values, name: str, *arguments: object) -> Path:
        self.run("encrypt", "--keys", self.keys, self.save(values, f"{name}.npy"), self.folder / name, *arguments)
        return self.folder / name

    def bits(self, answer: Path, truth: Values) -> float:
        """How many bits after the binary point are right in what `decrypt` makes of an answer, as it says."""
        out, wanted = self.folder / "answer.npy", self.save(truth, "truth.npy")
        told = self.run("decrypt", "--keys", self.keys, answer, out, "--truth", wanted, "--force", "--json")
        return float(json.loads(told)["measured_precision_bits"])
