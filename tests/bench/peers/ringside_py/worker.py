# SPDX-License-Identifier: Apache-2.0
"""Ringside's Python package as its users call it: a new object for every result. Protocol: tests/bench/peers/__init__.py."""

import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import ringside as rs

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workers"))
import python_worker as worker


class Package(worker.Client):
    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request)
        self.facts = {"version": f"Ringside {rs.__version__}, Python package", "python": platform.python_version()}
        self.array = np.array(self.values)
        self.scale = float(request["scale"])
        self.saved = b""

    def open(self) -> None:
        self.params = rs.Parameters.from_moduli(self.set["n"], self.set["moduli"], security=0)
        self.context = rs.Context(self.params)
        self.secret = self.context.keygen()
        self.public = self.context.public_key(self.secret)

    def session(self) -> None:
        self.open()
        ciphertext = self.context.encrypt(self.array, self.public, scale=self.scale)
        self.context.decrypt_values(ciphertext, self.secret)

    def file_bytes(self, op: str) -> int:
        return len(self.saved) if op == "save_load_seeded" else 0

    def operations(self) -> worker.Operations:
        self.open()
        context, array, scale = self.context, self.array, self.scale
        fresh = context.encrypt(array, self.public, scale=scale)
        low = context.encrypt(array, self.public, scale=scale, level=0)
        seeded = context.encrypt(array, self.secret, scale=scale)

        def save_load() -> None:
            self.saved = seeded.to_bytes(compression="zstd")
            rs.Ciphertext.from_bytes(context, self.saved)

        ways: dict[str, Callable[[], Any]] = {
            "decrypt_decode_1limb": lambda: context.decrypt_values(low, self.secret),
            "decrypt_decode_full": lambda: context.decrypt_values(fresh, self.secret),
            "decrypt_decode_max_abs": lambda: context.decrypt_values(fresh, self.secret, max_abs=1.0),
        }
        return {
            "context": lambda: rs.Context(self.params),
            "keygen": lambda: context.public_key(context.keygen()),
            "encode": lambda: context.encode(array, scale=scale)._as_ntt(copy=False),
            "encode_encrypt_pk": lambda: context.encrypt(array, self.public, scale=scale),
            "encode_encrypt_sk_seeded": lambda: context.encrypt(array, self.secret, scale=scale),
            **ways,
            "save_load_seeded": save_load,
            "check": lambda: max(worker.largest_error(way(), self.values) for way in ways.values()),
        }


if __name__ == "__main__":
    worker.serve(Package)
