# SPDX-License-Identifier: Apache-2.0
"""A web page: two visitors encrypt in their browsers' engine, a server of stock SEAL multiplies and turns, the page decrypts, and nobody reads another's answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import ringside as rs
from interop.peers import SealNative
from journeys.client import readings, served
from wasm.packed import node

SET = "lee-14"


def test_two_visitors(seal: SealNative, tmp_path: Path) -> None:
    truths = []
    for number in range(2):
        place = tmp_path / str(number)
        place.mkdir()
        sent = readings(number, 8192)
        node("client", {"place": str(place), "set": SET, "values": sent.tolist(), "simd": True})
        seal.use(place / "params.seal")
        one, by, answer, relin, galois = (place / f"{name}.seal" for name in ("pk", "sk", "answer", "relin", "galois"))
        served(seal, one, answer, relin, galois, by=by)
        (values,) = node("decrypt", {"place": str(place), "files": ["answer.seal"]}).values()
        truths.append(np.roll(sent * sent, -1))
        found = rs.measured_precision(values, truths[-1])
        assert found >= rs.Parameters.named(SET).after(1, 1, kind="public-key").precision_bits - 1
    (tmp_path / "1" / "theirs.seal").write_bytes((tmp_path / "0" / "answer.seal").read_bytes())
    assert node("refused", {"place": str(tmp_path / "1"), "file": "theirs.seal"})["code"] == "RS_JS_WRONG_KEY"
