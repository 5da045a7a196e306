# SPDX-License-Identifier: Apache-2.0
"""Microsoft SEAL in the build of the module `seal-python`, with results in objects that are used again.

The binding copies arrays of NumPy. What a copy into SEAL costs is an operation of its own, which the harness takes off: an encode with a scale
that SEAL refuses before it does anything. A decoded array is one copy of 8 bytes a slot, which stays in the times.
The binding gives ciphertexts and evaluation keys whole, none with a seed: those operations are left to the other peers.
Protocol: tests/bench/peers/__init__.py.
"""

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

import numpy as np
import seal

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workers"))
import python_worker as worker
from seal_binding import SealBinding


class Seal(SealBinding):
    binding = seal

    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request)
        self.message = np.array(self.values)
        overhead = dict.fromkeys(("encode", "encode_encrypt_pk"), "convert_in")
        self.facts = {"version": f"SEAL {importlib.metadata.version('seal-python')}", "overhead": overhead}

    def kinds(self) -> tuple[Any, Any]:
        return seal.scheme_type.ckks, seal.sec_level_type.none

    def decoded(self, plaintext: Any) -> Any:
        return self.encoder.decode(plaintext)

    def lower(self) -> None:
        self.low = seal.Evaluator(self.context).mod_switch_to(self.fresh, self.context.last_parms_id())


if __name__ == "__main__":
    worker.serve(Seal)
