# SPDX-License-Identifier: Apache-2.0
"""What the workers of SEAL's Python bindings share: set-up, keys, and encodings, with results in objects that are used again."""

from typing import Any

import python_worker as worker


class SealBinding(worker.Client):
    """`binding` is the module with SEAL's classes; `message` what it takes as values."""

    binding: Any
    message: Any

    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__(request)
        self.message = self.values
        self.scale = float(request["scale"])

    def kinds(self) -> tuple[Any, Any]:
        """CKKS, and no check of security, as the binding names them."""
        raise NotImplementedError

    def make_context(self) -> tuple[Any, ...]:
        seal = self.binding
        ckks, unchecked = self.kinds()
        parms = seal.EncryptionParameters(ckks)
        parms.set_poly_modulus_degree(self.set["n"])
        parms.set_coeff_modulus([seal.Modulus(q) for q in self.set["moduli"]])
        context = seal.SEALContext(parms, True, unchecked)
        return context, seal.CKKSEncoder(context)

    def make_keys(self) -> tuple[Any, ...]:
        generator = self.binding.KeyGenerator(self.context)
        public = self.binding.PublicKey()
        generator.create_public_key(public)
        return generator, generator.secret_key(), public

    def open(self) -> None:
        seal = self.binding
        self.context, self.encoder = self.make_context()
        self.generator, secret, public = self.make_keys()
        self.encryptor = seal.Encryptor(self.context, public, secret)
        self.decryptor = seal.Decryptor(self.context, secret)
        self.plain, self.decrypted = seal.Plaintext(), seal.Plaintext()
        self.fresh, self.low = seal.Ciphertext(), seal.Ciphertext()
        self.encrypt()

    def encode(self) -> None:
        self.encoder.encode(self.message, self.scale, self.plain)

    def encrypt(self) -> None:
        self.encode()
        self.encryptor.encrypt(self.plain, self.fresh)

    def decoded(self, plaintext: Any) -> Any:
        raise NotImplementedError

    def decrypt(self, ciphertext: Any) -> Any:
        self.decryptor.decrypt(ciphertext, self.decrypted)
        return self.decoded(self.decrypted)

    def convert_in(self) -> None:
        """An encode with a scale that SEAL refuses before it does anything: the values are converted, nothing else."""
        try:
            self.encoder.encode(self.message, -1.0, self.plain)
        except ValueError:
            return
        raise AssertionError("SEAL took a negative scale")

    def session(self) -> None:
        self.open()
        self.decrypt(self.fresh)

    def lower(self) -> None:
        """Makes `low`, a ciphertext with one limb."""
        raise NotImplementedError

    def operations(self) -> worker.Operations:
        self.open()
        self.lower()
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
