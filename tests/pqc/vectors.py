# SPDX-License-Identifier: Apache-2.0
"""The vectors that scripts/setup.py keeps in build/vectors: NIST's ACVP and Project Wycheproof, in the Go module that vectors.toml names."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "build" / "vectors"
KEM = PLACE / "kem" / "mlkem" / "testdata"
DSA = PLACE / "sign" / "mldsa" / "testdata"
WYCHEPROOF = PLACE / "sign" / "schemes" / "testdata" / "wycheproof"

Case = dict[str, Any]


def _load(path: Path) -> Any:
    if not path.is_file():
        raise FileNotFoundError(
            f"{path.relative_to(ROOT)} is missing, and these tests are nothing without it; `make test` fetches it"
        )
    return json.loads(gzip.decompress(path.read_bytes()))


def acvp(folder: Path) -> Iterator[Case]:
    """Each case with the fields of its group and its answer: what NIST's server asks, and what it expects."""
    asked, answers = _load(folder / "prompt.json.gz"), _load(folder / "expectedResults.json.gz")
    for group, answered in zip(asked["testGroups"], answers["testGroups"], strict=True):
        assert group["tgId"] == answered["tgId"]
        shared = {key: value for key, value in group.items() if key != "tests"}
        for case, answer in zip(group["tests"], answered["tests"], strict=True):
            assert case["tcId"] == answer["tcId"]
            yield shared | case | answer


def wycheproof(name: str) -> Iterator[Case]:
    """Each case of a file with the fields of its group."""
    for group in _load(WYCHEPROOF / name)["testGroups"]:
        shared = {key: value for key, value in group.items() if key != "tests"}
        yield from (shared | case for case in group["tests"])
