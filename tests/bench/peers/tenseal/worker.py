# SPDX-License-Identifier: Apache-2.0
"""Microsoft SEAL in the build that TenSEAL ships (tenseal.sealapi), with results in objects that are used again.

The binding takes and gives lists of Python floats. What that costs is an operation of its own, which the harness takes off:
  convert_in   an encode with a scale that SEAL refuses before it does anything: the list is converted, nothing else
  convert_out  another vector of doubles of the same length, returned by the same kind of binding (PlainTensorDouble.data)
SEAL's seeded ciphertexts can only be saved, and this binding saves to files: they are left to the native peer.
Protocol: docs/benchmarks.md.
"""

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

import tenseal.sealapi as seal
from _tenseal_cpp import PlainTensorDouble

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workers"))
import python_worker as worker


class Seal(worker.Client):
    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request)
        header = seal.Serialization.SEALHeader()
        version = (
            f"SEAL {header.version_major}.{header.version_minor} of TenSEAL {importlib.metadata.version('tenseal')}"
        )
        overhead = dict.fromkeys(("encode", "encode_encrypt_pk", "encode_encrypt_sk_seeded"), "convert_in")
        overhead |= dict.fromkeys(("decrypt_decode_1limb", "decrypt_decode_full"), "convert_out")
        self.facts = {"version": version, "overhead": overhead}
        self.scale = float(request["scale"])

    def make_context(self) -> tuple[Any, ...]:
        parms = seal.EncryptionParameters(seal.SCHEME_TYPE.CKKS)
        parms.set_poly_modulus_degree(self.set["n"])
        parms.set_coeff_modulus([seal.Modulus(q) for q in self.set["moduli"]])
        context = seal.SEALContext(parms, True, seal.SEC_LEVEL_TYPE.NONE)
        return context, seal.CKKSEncoder(context)

    def make_keys(self) -> tuple[Any, ...]:
        generator = seal.KeyGenerator(self.context)
        public = seal.PublicKey()
        generator.create_public_key(public)
        return generator, generator.secret_key(), public

    def open(self) -> None:
        self.context, self.encoder = self.make_context()
        self.generator, secret, public = self.make_keys()
        self.encryptor = seal.Encryptor(self.context, public, secret)
        self.decryptor = seal.Decryptor(self.context, secret)
        self.plain, self.decrypted = seal.Plaintext(), seal.Plaintext()
        self.fresh, self.low, self.seeded = seal.Ciphertext(), seal.Ciphertext(), seal.Ciphertext()
        self.encrypt(self.fresh)

    def encode(self) -> None:
        self.encoder.encode(self.values, self.scale, self.plain)

    def encrypt(self, out: Any) -> None:
        self.encode()
        self.encryptor.encrypt(self.plain, out)

    def encrypt_secret(self) -> None:
        self.encode()
        self.encryptor.encrypt_symmetric(self.plain)

    def decrypt(self, ciphertext: Any) -> list[float]:
        self.decryptor.decrypt(ciphertext, self.decrypted)
        values: list[float] = self.encoder.decode_double(self.decrypted)
        return values

    def convert_in(self) -> None:
        try:
            self.encoder.encode(self.values, -1.0, self.plain)
        except ValueError:
            return
        raise AssertionError("SEAL took a negative scale")

    def session(self) -> None:
        self.open()
        self.decrypt(self.fresh)

    def make_evaluation_keys(self) -> None:
        self.generator.create_relin_keys()
        self.generator.create_galois_keys()

    def operations(self) -> worker.Operations:
        self.open()
        self.encoder.encode(self.values, self.context.last_parms_id(), self.scale, self.plain)
        self.encryptor.encrypt(self.plain, self.low)
        return {
            "context": self.make_context,
            "keygen": self.make_keys,
            "evaluation_keys": self.make_evaluation_keys,
            "encode": self.encode,
            "encode_encrypt_pk": lambda: self.encrypt(self.fresh),
            "encode_encrypt_sk_seeded": self.encrypt_secret,
            "decrypt_decode_1limb": lambda: self.decrypt(self.low),
            "decrypt_decode_full": lambda: self.decrypt(self.fresh),
            "convert_in": self.convert_in,
            "convert_out": PlainTensorDouble(self.values).data,
            "check": lambda: max(worker.largest_error(self.decrypt(c), self.values) for c in (self.fresh, self.low)),
        }


if __name__ == "__main__":
    worker.serve(Seal)
