# SPDX-License-Identifier: Apache-2.0
"""Microsoft SEAL in the build of the module `seal-python`, with results in objects that are used again.

The binding copies arrays of NumPy. What a copy into SEAL costs is an operation of its own, which the harness takes off: an encode with a scale
that SEAL refuses before it does anything. A decoded array is one copy of 8 bytes a slot, which stays in the times.
The binding gives ciphertexts and evaluation keys whole, none with a seed: those operations are left to the other peers.
Protocol: docs/benchmarks.md.
"""

import importlib.metadata
import sys
from pathlib import Path
from typing import Any

import numpy as np
import seal

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workers"))
import python_worker as worker


class Seal(worker.Client):
    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request)
        self.array = np.array(self.values)
        self.scale = float(request["scale"])
        overhead = dict.fromkeys(("encode", "encode_encrypt_pk"), "convert_in")
        self.facts = {"version": f"SEAL {importlib.metadata.version('seal-python')}", "overhead": overhead}

    def make_context(self) -> tuple[Any, ...]:
        parms = seal.EncryptionParameters(seal.scheme_type.ckks)
        parms.set_poly_modulus_degree(self.set["n"])
        parms.set_coeff_modulus([seal.Modulus(q) for q in self.set["moduli"]])
        context = seal.SEALContext(parms, True, seal.sec_level_type.none)
        return context, seal.CKKSEncoder(context)

    def make_keys(self) -> tuple[Any, ...]:
        generator = seal.KeyGenerator(self.context)
        public = seal.PublicKey()
        generator.create_public_key(public)
        return generator, generator.secret_key(), public

    def open(self) -> None:
        self.context, self.encoder = self.make_context()
        _, secret, public = self.make_keys()
        self.encryptor = seal.Encryptor(self.context, public, secret)
        self.decryptor = seal.Decryptor(self.context, secret)
        self.plain, self.decrypted = seal.Plaintext(), seal.Plaintext()
        self.fresh, self.low = seal.Ciphertext(), seal.Ciphertext()
        self.encrypt()

    def encode(self) -> None:
        self.encoder.encode(self.array, self.scale, self.plain)

    def encrypt(self) -> None:
        self.encode()
        self.encryptor.encrypt(self.plain, self.fresh)

    def decrypt(self, ciphertext: Any) -> Any:
        self.decryptor.decrypt(ciphertext, self.decrypted)
        return self.encoder.decode(self.decrypted)

    def convert_in(self) -> None:
        try:
            self.encoder.encode(self.array, -1.0, self.plain)
        except ValueError:
            return
        raise AssertionError("SEAL took a negative scale")

    def session(self) -> None:
        self.open()
        self.decrypt(self.fresh)

    def operations(self) -> worker.Operations:
        self.open()
        evaluator = seal.Evaluator(self.context)
        self.low = evaluator.mod_switch_to(self.fresh, self.context.last_parms_id())
        return {
            "context": self.make_context,
            "keygen": self.make_keys,
            "encode": self.encode,
            "encode_encrypt_pk": self.encrypt,
            "decrypt_decode_1limb": lambda: self.decrypt(self.low),
            "decrypt_decode_full": lambda: self.decrypt(self.fresh),
            "convert_in": self.convert_in,
            "check": lambda: max(worker.largest_error(self.decrypt(c), self.values) for c in (self.fresh, self.low)),
        }


if __name__ == "__main__":
    worker.serve(Seal)
