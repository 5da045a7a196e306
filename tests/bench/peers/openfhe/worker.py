# SPDX-License-Identifier: Apache-2.0
"""OpenFHE by its Python wheel, one thread. It chooses its own primes of the set's sizes, of integers for its depth, and has neither special prime in encryption
nor seeded ciphertexts. Its binding takes and gives lists of Python floats: that is in the times. Protocol: tests/bench/peers/__init__.py.
"""

import importlib.metadata
import os
import platform
import sys
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # read when the library is loaded
import openfhe

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workers"))
import python_worker as worker


class OpenFHE(worker.Client):
    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request)
        self.facts = {
            "version": f"OpenFHE wheel {importlib.metadata.version('openfhe')}",
            "python": platform.python_version(),
        }

    def make_context(self) -> openfhe.CryptoContext:
        if len(self.set["moduli"]) == 1:
            raise ValueError("OpenFHE makes no set of a single prime")
        data = self.set["moduli"][: len(self.set["moduli"]) - self.set["special"]]
        kinds = {1: openfhe.CCParamsBFVRNS, 2: openfhe.CCParamsCKKSRNS, 3: openfhe.CCParamsBGVRNS}
        parameters = kinds[self.set["scheme"]]()
        parameters.SetSecurityLevel(openfhe.SecurityLevel.HEStd_NotSet)
        parameters.SetRingDim(self.set["n"])
        parameters.SetBatchSize(len(self.values))
        parameters.SetMultiplicativeDepth(len(data) - 1)
        if self.t:  # it chooses sizes of primes for this depth
            parameters.SetPlaintextModulus(self.t)
        else:
            parameters.SetScalingTechnique(openfhe.ScalingTechnique.FIXEDMANUAL)
            parameters.SetFirstModSize(data[0].bit_length())
            parameters.SetScalingModSize(data[-1].bit_length())
        context = openfhe.GenCryptoContext(parameters)
        context.Enable(openfhe.PKESchemeFeature.PKE)
        context.Enable(openfhe.PKESchemeFeature.KEYSWITCH)
        context.Enable(openfhe.PKESchemeFeature.LEVELEDSHE)
        return context

    def open(self) -> None:
        self.context = self.make_context()
        self.keys = self.context.KeyGen()

    def encode(self, level: int = 0) -> Any:
        if self.t:
            return self.context.MakePackedPlaintext(self.values, 1, level)
        return self.context.MakeCKKSPackedPlaintext(self.values, 1, level)

    def encrypt(self, level: int = 0) -> Any:
        return self.context.Encrypt(self.keys.publicKey, self.encode(level))

    def decrypt(self, ciphertext: Any) -> list[float]:
        plaintext = self.context.Decrypt(ciphertext, self.keys.secretKey)
        values: list[float] = plaintext.GetPackedValue() if self.t else plaintext.GetRealPackedValue()
        return values

    def session(self) -> None:
        self.open()
        self.decrypt(self.encrypt())

    def operations(self) -> worker.Operations:
        self.open()
        limbs = len(self.set["moduli"]) - self.set["special"]
        if self.t:
            whole = self.encrypt()
            return {
                "encode_encrypt_pk": self.encrypt,
                "decrypt_decode": lambda: self.decrypt(whole),
                "check": lambda: worker.largest_error(self.decrypt(whole), self.values),
            }
        fresh, low = self.encrypt(), self.encrypt(limbs - 1)
        return {
            "context": self.make_context,
            "keygen": self.context.KeyGen,
            "encode": self.encode,
            "encode_encrypt_pk": self.encrypt,
            "decrypt_decode_1limb": lambda: self.decrypt(low),
            "decrypt_decode_full": lambda: self.decrypt(fresh),
            "check": lambda: max(
                worker.largest_error(self.decrypt(c)[: len(self.values)], self.values) for c in (fresh, low)
            ),
        }


if __name__ == "__main__":
    worker.serve(OpenFHE)
