# SPDX-License-Identifier: Apache-2.0
"""Other implementations of ML-KEM and ML-DSA behind one interface: pure Python, OpenSSL by `cryptography`, JavaScript, and Go where it is new enough."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa, mlkem
from dilithium_py import ml_dsa
from kyber_py import ml_kem

HERE = Path(__file__).resolve().parent
NODE = HERE.parent / "interop" / "node"
GO_VERSION = (1, 24)  # the least version with crypto/mlkem


class Process:
    """A program that answers a line of JSON with a line of JSON. Bytes are hexadecimal."""

    def __init__(self, command: Sequence[str | Path], missing: str) -> None:
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except FileNotFoundError as error:
            raise FileNotFoundError(f"{missing}, and these tests are nothing without it") from error

    def ask(self, **request: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        words = {key: value.hex() if isinstance(value, bytes) else value for key, value in request.items()}
        self._process.stdin.write(json.dumps({key: value for key, value in words.items() if value is not None}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"{self._process.args!r} has ended; on a fresh machine `make test` installs what it needs"
        answer = json.loads(line)
        assert "ok" in answer, answer["error"]
        return answer["ok"]

    def close(self) -> None:
        self._process.communicate()


class Peer(ABC):  # noqa: B024 (what it can do is for its heirs to say)
    process: Process | None = None

    def close(self) -> None:
        """Ends its process, if it has one."""
        if self.process is not None:
            self.process.close()


class KemPeer(Peer):
    """An implementation of ML-KEM. Secret keys stay seeds for those that take nothing else."""

    sets: tuple[str, ...] = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024")

    @abstractmethod
    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        """(ek, dk) of d || z; None: it does not show dk."""

    @abstractmethod
    def encaps(self, name: str, ek: bytes, m: bytes) -> tuple[bytes, bytes, bool]:
        """Shared secret, ciphertext, and whether m was used; else it drew its own."""

    @abstractmethod
    def decaps(self, name: str, seed: bytes, dk: bytes, ct: bytes) -> bytes:
        """The shared secret; seed and dk are the same key."""


class DsaPeer(Peer):
    """An implementation of ML-DSA."""

    hashes: tuple[str, ...] = ()  # prehash functions that it has

    @abstractmethod
    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        """(pk, sk) of xi; None: it does not show sk."""

    @abstractmethod
    def sign(
        self, name: str, seed: bytes, sk: bytes, message: bytes, context: bytes, prehash: str | None = None
    ) -> tuple[bytes, bool]:
        """A signature, and whether it is the deterministic one."""

    @abstractmethod
    def verify(
        self, name: str, pk: bytes, message: bytes, signature: bytes, context: bytes, prehash: str | None = None
    ) -> bool:
        """Whether a signature is valid."""


# ---- pure Python -----------------------------------------------------------------------------------------------------
class KyberPy(KemPeer):
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


class DilithiumPy(DsaPeer):
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

    def sign(
        self, name: str, seed: bytes, sk: bytes, message: bytes, context: bytes, prehash: str | None = None
    ) -> tuple[bytes, bool]:
        if prehash is None:
            return self._dsa(name).sign(sk, message, ctx=context, deterministic=True), True
        dsa, word = self._hash_dsa(name, prehash)
        return dsa._sign_with_pre_hash(sk, message, word, ctx=context, deterministic=True), True

    def verify(
        self, name: str, pk: bytes, message: bytes, signature: bytes, context: bytes, prehash: str | None = None
    ) -> bool:
        if prehash is None:
            return bool(self._dsa(name).verify(pk, message, signature, ctx=context))
        dsa, word = self._hash_dsa(name, prehash)
        return bool(dsa._verify_with_pre_hash(pk, message, signature, word, ctx=context))


# ---- OpenSSL ---------------------------------------------------------------------------------------------------------
class OpensslKem(KemPeer):
    sets = ("ML-KEM-768", "ML-KEM-1024")

    def _class(self, name: str, half: str) -> Any:
        return getattr(mlkem, f"MLKEM{name.rpartition('-')[2]}{half}Key")

    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        return self._class(name, "Private").from_seed_bytes(seed).public_key().public_bytes_raw(), None

    def encaps(self, name: str, ek: bytes, m: bytes) -> tuple[bytes, bytes, bool]:
        shared, ct = self._class(name, "Public").from_public_bytes(ek).encapsulate()
        return shared, ct, False

    def decaps(self, name: str, seed: bytes, dk: bytes, ct: bytes) -> bytes:
        return bytes(self._class(name, "Private").from_seed_bytes(seed).decapsulate(ct))


class OpensslDsa(DsaPeer):
    def _class(self, name: str, half: str) -> Any:
        return getattr(mldsa, f"MLDSA{name.rpartition('-')[2]}{half}Key")

    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        return self._class(name, "Private").from_seed_bytes(seed).public_key().public_bytes_raw(), None

    def sign(
        self, name: str, seed: bytes, sk: bytes, message: bytes, context: bytes, prehash: str | None = None
    ) -> tuple[bytes, bool]:
        return self._class(name, "Private").from_seed_bytes(seed).sign(message, context), False

    def verify(
        self, name: str, pk: bytes, message: bytes, signature: bytes, context: bytes, prehash: str | None = None
    ) -> bool:
        try:
            self._class(name, "Public").from_public_bytes(pk).verify(signature, message, context)
        except InvalidSignature:
            return False
        return True


# ---- Node.js and Go -------------------------------------------------------------------------------------------------
def noble() -> Process:
    return Process(["node", NODE / "noble.mjs"], "node is missing; `make test` installs it")


class NobleKem(KemPeer):
    def __init__(self) -> None:
        self.process = self._noble = noble()

    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        ek, dk = self._noble.ask(set=name, do="keygen", seed=seed)
        return bytes.fromhex(ek), bytes.fromhex(dk)

    def encaps(self, name: str, ek: bytes, m: bytes) -> tuple[bytes, bytes, bool]:
        shared, ct = self._noble.ask(set=name, do="encaps", public=ek, random=m)
        return bytes.fromhex(shared), bytes.fromhex(ct), True

    def decaps(self, name: str, seed: bytes, dk: bytes, ct: bytes) -> bytes:
        return bytes.fromhex(self._noble.ask(set=name, do="decaps", secret=dk, ciphertext=ct))


class NobleDsa(DsaPeer):
    hashes = ("SHA2-512", "SHA3-512", "SHAKE256")

    def __init__(self) -> None:
        self.process = self._noble = noble()

    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        pk, sk = self._noble.ask(set=name, do="keygen", seed=seed)
        return bytes.fromhex(pk), bytes.fromhex(sk)

    def sign(
        self, name: str, seed: bytes, sk: bytes, message: bytes, context: bytes, prehash: str | None = None
    ) -> tuple[bytes, bool]:
        asked = self._noble.ask(set=name, do="sign", secret=sk, message=message, context=context, hash=prehash)
        return bytes.fromhex(asked), True

    def verify(
        self, name: str, pk: bytes, message: bytes, signature: bytes, context: bytes, prehash: str | None = None
    ) -> bool:
        return bool(
            self._noble.ask(
                set=name, do="verify", public=pk, message=message, signature=signature, context=context, hash=prehash
            )
        )


def new_go() -> str | None:
    """A Go that has crypto/mlkem, which Debian 12's has not."""
    go = shutil.which("go")
    found = go and re.search(r"go(\d+)\.(\d+)", subprocess.run([go, "version"], capture_output=True, text=True).stdout)
    return go if found and tuple(map(int, found.groups())) >= GO_VERSION else None


class GoKem(KemPeer):
    """Go's standard library."""

    sets = ("ML-KEM-768", "ML-KEM-1024")

    def __init__(self, program: Path) -> None:
        self.process = self._go = Process([program], "The Go program was not built")

    def keys(self, name: str, seed: bytes) -> tuple[bytes, bytes | None]:
        return bytes.fromhex(self._go.ask(set=name, do="keygen", seed=seed)[0]), None

    def encaps(self, name: str, ek: bytes, m: bytes) -> tuple[bytes, bytes, bool]:
        shared, ct = self._go.ask(set=name, do="encaps", public=ek)
        return bytes.fromhex(shared), bytes.fromhex(ct), False

    def decaps(self, name: str, seed: bytes, dk: bytes, ct: bytes) -> bytes:
        return bytes.fromhex(self._go.ask(set=name, do="decaps", seed=seed, ciphertext=ct)[0])
