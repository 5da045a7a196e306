# SPDX-License-Identifier: Apache-2.0
"""Microsoft SEAL in the build that TenSEAL ships (tenseal.sealapi), with results in objects that are used again.

The binding takes and gives lists of Python floats. What that costs is an operation of its own, which the harness takes off:
  convert_in   an encode with a scale that SEAL refuses before it does anything: the list is converted, nothing else
  convert_out  another vector of doubles of the same length, returned by the same kind of binding (PlainTensorDouble.data)
SEAL's seeded ciphertexts can only be saved, and this binding saves to files: they are left to the native peer.
Protocol: tests/bench/peers/__init__.py.
"""

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

import tenseal.sealapi as seal
from _tenseal_cpp import PlainTensorDouble

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workers"))
import python_worker as worker
from seal_binding import SealBinding


class Seal(SealBinding):
    binding = seal

    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request)
        header = seal.Serialization.SEALHeader()
        version = (
            f"SEAL {header.version_major}.{header.version_minor} of TenSEAL {importlib.metadata.version('tenseal')}"
        )
        overhead = dict.fromkeys(("encode", "encode_encrypt_pk", "encode_encrypt_sk_seeded"), "convert_in")
        overhead |= dict.fromkeys(("decrypt_decode_1limb", "decrypt_decode_full"), "convert_out")
        self.facts = {"version": version, "overhead": overhead}

    def kinds(self) -> tuple[Any, Any]:
        return seal.SCHEME_TYPE.CKKS, seal.SEC_LEVEL_TYPE.NONE

    def decoded(self, plaintext: Any) -> Any:
        return self.encoder.decode_double(plaintext)

    def encrypt_secret(self) -> None:
        self.encode()
        self.encryptor.encrypt_symmetric(self.plain)

    def make_evaluation_keys(self) -> None:
        self.generator.create_relin_keys()
        self.generator.create_galois_keys()

    def lower(self) -> None:
        self.encoder.encode(self.values, self.context.last_parms_id(), self.scale, self.plain)
        self.encryptor.encrypt(self.plain, self.low)

    def operations(self) -> worker.Operations:
        return {
            **super().operations(),
            "evaluation_keys": self.make_evaluation_keys,
            "encode_encrypt_sk_seeded": self.encrypt_secret,
            "convert_out": PlainTensorDouble(self.values).data,
        }


if __name__ == "__main__":
    worker.serve(Seal)
