# SPDX-License-Identifier: Apache-2.0
"""What a process keeps of a secret key: after each operation, all keys closed, its whole memory is searched for the key's words.

lib/tests/test_remains.c does the same for the C library, with all back ends, coefficients and seeds.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

WORDS_AT = 88  # in an uncompressed key: behind the headers of plaintext and array, and the number of words
PAGE_WORDS = 512
KINDS = ("none", "zlib", "zstd")
BAD = "bad"

# Does the operation that a line names, for each line.
PROGRAM = """
import os, sys, numpy, ringside
from pathlib import Path
from ringside.cli import main

folder = Path(sys.argv[1])
context = ringside.Context(ringside.Parameters.from_bits(8192, [60, 60, 60]))

def load(kind="none"):
    return ringside.SecretKey.load(context, folder / kind)

def make(*kinds):
    with context.keygen() as key:
        for kind in kinds:
            key.save(folder / kind, compression=kind)

def save(kind):
    with load() as key:
        key.save(folder / "again", compression=kind, overwrite=True)

def load_and_close(kind):
    load(kind).close()

def convert(kind):
    arguments = [str(folder / "none"), str(folder / "converted"), "--compression", kind, "--force", "--json"]
    assert main(["convert", *arguments]) == 0

def refuse(kind):
    try:
        load(kind)
    except ringside.RingsideError:
        return
    raise AssertionError("a damaged key was loaded")

def public():
    with load() as key:
        context.public_key(key).check(key)

def evaluation():
    with load() as key:
        context.write_relin_keys(key, folder / "relin", overwrite=True)
        context.write_galois_keys(key, folder / "galois", [1], overwrite=True)

def messages():
    with load() as key:
        message = context.encrypt(numpy.arange(10.0), key)
        assert abs(context.decrypt_values(message, key)[9] - 9) < 1e-3
        context.encrypt_batch([numpy.arange(10.0)] * 4, key, threads=2)

def leave():
    global left
    left = os.pread(os.open(folder / "none", os.O_RDONLY), 100, 50_000)

for line in sys.stdin:
    operation, *words = line.split()
    globals()[operation](*words)
    print("\\ndone", flush=True)
"""
OPERATIONS = [
    *(f"{name} {kind}" for name in ("save", "load_and_close", "convert") for kind in KINDS),
    *(f"refuse {BAD}-{kind}" for kind in KINDS),
    "public",
    "evaluation",
    "messages",
]


class Remains:
    """A process with a secret key, and what is to be found of it."""

    def __init__(self, folder: Path) -> None:
        command: list[str | Path] = [sys.executable, "-c", PROGRAM, folder]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.do(f"make {' '.join(KINDS)}")
        for kind in KINDS:
            (folder / f"{BAD}-{kind}").write_bytes((folder / kind).read_bytes()[:-100])
        words = np.frombuffer((folder / "none").read_bytes(), np.uint64, offset=WORDS_AT)
        self._words = set(words[words >> 48 != 0].tolist())

    def do(self, line: str) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        for answer in self._process.stdout:
            if answer == "done\n":
                return
        raise AssertionError(f"{line} failed")

    def _in(self, memory: bytes) -> int:
        pages = np.frombuffer(memory, np.uint64).reshape(-1, PAGE_WORDS)
        data = pages[pages.any(axis=1)].tobytes() + bytes(8)  # most memory was never touched
        found = 0
        for start in range(8):
            count = (len(data) - start) // 8
            words = np.frombuffer(data, np.uint64, count, start)
            tops = np.frombuffer(data, np.uint16, 4 * count, start)[3::4]
            likely = words[(tops > 0) & (tops < 1 << 12)]  # few words are of 49 to 60 bits
            found += sum(word in self._words for word in likely.tolist())
        return found

    def found(self) -> dict[str, int]:
        """How many of the key's words are in which part of the memory."""
        place = Path("/proc") / str(self._process.pid)
        counts = {}
        with (place / "mem").open("rb", buffering=0) as memory:
            for line in (place / "maps").read_text(encoding="utf-8").splitlines():
                region = re.match(r"(\w+)-(\w+) rw", line)
                if region is None:
                    continue
                start, end = (int(part, 16) for part in region.groups())
                memory.seek(start)
                if count := self._in(memory.read(end - start)):
                    counts[line] = count
        return counts

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def remains(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remains]:
    process = Remains(tmp_path_factory.mktemp("keys"))
    yield process
    process.close()


def test_no_operation_leaves_words_of_the_key(remains: Remains) -> None:
    assert remains.found() == {}, "make"
    for operation in OPERATIONS:
        remains.do(operation)
        assert remains.found() == {}, operation


def test_what_is_left_is_found(remains: Remains) -> None:
    remains.do("leave")
    assert sum(remains.found().values()) >= 11
