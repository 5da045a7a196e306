# SPDX-License-Identifier: Apache-2.0
"""Other implementations of ML-KEM and ML-DSA behind one interface: pure Python, OpenSSL by `cryptography`, JavaScript, and Go where it is new enough."""

import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa, mlkem
from dilithium_py import ml_dsa
from kyber_py import ml_kem

from line_process import LineProcess

HERE = Path(__file__).resolve().parent
NODE = HERE.parent / "interop" / "node"
GO_VERSION = (1, 24)  # the least version with crypto/mlkem


Hash = str | None  # the function of a message that is hashed before
Signed = tuple[bytes, bool]  # a signature, and whether it is the deterministic one


class Peer:
    """KEM: `sets` of parameters; `keys` gives (ek, dk) of d || z, None for a dk that it does not show; `encaps` gives shared secret, ciphertext,
    and whether m was used, else it drew its own; `decaps` takes the seed and dk, which are the same key. DSA: `hashes`; `keys` gives (pk, sk) of xi.
    """

    sets: tuple[str, ...] = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024")
    hashes: tuple[str, ...] = ()
    process: LineProcess | None = None

    def close(self) -> None:
        """Ends its process, if it has one."""
        if self.process is not None:
            self.process.close()


# ---- pure Python -----------------------------------------------------------------------------------------------------
class KyberPy(Peer):
    def _kem(self, name: str) -> Any:
        return getattr(ml_kem, name.replace("-", "_"))

    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        ek, dk = self._kem(name).key_derive(seed)
        return ek, dk

    def encaps(self, name: str, ek: bytes, m: bytes) -> tuple[bytes, bytes, bool]:
        shared, ct = self._kem(name)._encaps_internal(ek, m)
        return shared, ct, True

    def decaps(self, name: str, seed: bytes, dk: bytes, ct: bytes) -> bytes:
        return bytes(self._kem(name).decaps(dk, ct))


class DilithiumPy(Peer):
    hashes = ("SHA2-256", "SHA2-512", "SHAKE128")

    def _dsa(self, name: str) -> Any:
        return getattr(ml_dsa, name.replace("-", "_"))

    def _hash_dsa(self, name: str, prehash: str) -> tuple[Any, str]:
        """The object that signs digests, and its name of the hash function."""
        words = {"SHA2-256": "SHA256", "SHA2-512": "SHA512", "SHAKE128": "SHAKE128"}
        return getattr(ml_dsa, f"HASH_{name.replace('-', '_')}_WITH_SHA512"), words[prehash]

    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        pk, sk = self._dsa(name).key_derive(seed)
        return pk, sk

    def sign(self, name: str, seed: bytes, sk: bytes, message: bytes, context: bytes, prehash: Hash = None) -> Signed:
        if prehash is None:
            return self._dsa(name).sign(sk, message, ctx=context, deterministic=True), True
        dsa, word = self._hash_dsa(name, prehash)
        return dsa._sign_with_pre_hash(sk, message, word, ctx=context, deterministic=True), True

    def verify(self, name: str, pk: bytes, message: bytes, signed: bytes, context: bytes, prehash: Hash = None) -> bool:
        if prehash is None:
            return bool(self._dsa(name).verify(pk, message, signed, ctx=context))
        dsa, word = self._hash_dsa(name, prehash)
        return bool(dsa._verify_with_pre_hash(pk, message, signed, word, ctx=context))


# ---- OpenSSL ---------------------------------------------------------------------------------------------------------
class Openssl(Peer):
    module: ModuleType

    def _class(self, name: str, half: str) -> Any:
        return getattr(self.module, f"{name.replace('-', '')}{half}Key")

    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        return self._class(name, "Private").from_seed_bytes(seed).public_key().public_bytes_raw(), None


class OpensslKem(Openssl):
    module = mlkem
    sets = ("ML-KEM-768", "ML-KEM-1024")

    def encaps(self, name: str, ek: bytes, m: bytes) -> tuple[bytes, bytes, bool]:
        shared, ct = self._class(name, "Public").from_public_bytes(ek).encapsulate()
        return shared, ct, False

    def decaps(self, name: str, seed: bytes, dk: bytes, ct: bytes) -> bytes:
        return bytes(self._class(name, "Private").from_seed_bytes(seed).decapsulate(ct))


class OpensslDsa(Openssl):
    module = mldsa

    def sign(self, name: str, seed: bytes, sk: bytes, message: bytes, context: bytes, prehash: Hash = None) -> Signed:
        return self._class(name, "Private").from_seed_bytes(seed).sign(message, context), False

    def verify(self, name: str, pk: bytes, message: bytes, signed: bytes, context: bytes, prehash: Hash = None) -> bool:
        try:
            self._class(name, "Public").from_public_bytes(pk).verify(signed, message, context)
        except InvalidSignature:
            return False
        return True


# ---- Node.js and Go -------------------------------------------------------------------------------------------------
def noble() -> LineProcess:
    return LineProcess(["node", NODE / "noble.mjs"])


class Noble(Peer):
    def __init__(self) -> None:
        self.process = self._noble = noble()

    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        public, secret = self._noble.ask("keygen", set=name, seed=seed)
        return bytes.fromhex(public), bytes.fromhex(secret)


class NobleKem(Noble):
    def encaps(self, name: str, ek: bytes, m: bytes) -> tuple[bytes, bytes, bool]:
        shared, ct = self._noble.ask("encaps", set=name, public=ek, random=m)
        return bytes.fromhex(shared), bytes.fromhex(ct), True

    def decaps(self, name: str, seed: bytes, dk: bytes, ct: bytes) -> bytes:
        return bytes.fromhex(self._noble.ask("decaps", set=name, secret=dk, ciphertext=ct))


class NobleDsa(Noble):
    hashes = ("SHA2-512", "SHA3-512", "SHAKE256")

    def sign(self, name: str, seed: bytes, sk: bytes, message: bytes, context: bytes, prehash: Hash = None) -> Signed:
        asked = self._noble.ask("sign", set=name, secret=sk, message=message, context=context, hash=prehash)
        return bytes.fromhex(asked), True

    def verify(self, name: str, pk: bytes, message: bytes, signed: bytes, context: bytes, prehash: Hash = None) -> bool:
        words = {"message": message, "signature": signed, "context": context, "hash": prehash}
        return bool(self._noble.ask("verify", set=name, public=pk, **words))


def new_go() -> str | None:
    """A Go that has crypto/mlkem, which Debian 12's has not."""
    go = shutil.which("go")
    found = go and re.search(r"go(\d+)\.(\d+)", subprocess.run([go, "version"], capture_output=True, text=True).stdout)
    return go if found and tuple(map(int, found.groups())) >= GO_VERSION else None


class GoKem(Peer):
    """Go's standard library."""

    sets = ("ML-KEM-768", "ML-KEM-1024")

    def __init__(self, program: Path) -> None:
        self.process = self._go = LineProcess([program])

    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        return bytes.fromhex(self._go.ask("keygen", set=name, seed=seed)[0]), None

    def encaps(self, name: str, ek: bytes, m: bytes) -> tuple[bytes, bytes, bool]:
        shared, ct = self._go.ask("encaps", set=name, public=ek)
        return bytes.fromhex(shared), bytes.fromhex(ct), False

    def decaps(self, name: str, seed: bytes, dk: bytes, ct: bytes) -> bytes:
        return bytes.fromhex(self._go.ask("decaps", set=name, seed=seed, ciphertext=ct)[0])


KemPeer = KyberPy | OpensslKem | NobleKem | GoKem
DsaPeer = DilithiumPy | OpensslDsa | NobleDsa
