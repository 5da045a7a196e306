# SPDX-License-Identifier: Apache-2.0
"""A directory with parameters and keys, each a SEAL file."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from ..errors import FileError
from ..executors.names import check_device
from ..native.files import StrPath, exists_error, move_without_clobber, write_error
from ..native.streams import DEFAULT_COMPRESSION, DEFAULT_VERSION
from ..progress import Progress
from .context import Context
from .keys import PublicKey, SecretKey
from .params import Parameters

PARAMS = "params.seal"
SECRET = "secret.key"
PUBLIC = "public.key"
RELIN = "relin.key"
GALOIS = "galois.key"
NAMES = (PARAMS, SECRET, PUBLIC, RELIN, GALOIS)


@dataclass(frozen=True)
class KeySpec:
    """Which keys to make. rotations: None for no Galois keys; see Context.write_galois_keys."""

    relin: bool = False
    rotations: Sequence[int] | Literal["pow2"] | None = None
    seed_type: str = "shake256"
    compression: str = DEFAULT_COMPRESSION
    version: str = DEFAULT_VERSION
    insecure_deterministic_seed: bytes | None = None


@dataclass(frozen=True)
class KeyDirectory:
    """A directory of keys: params.seal, secret.key, public.key, relin.key, galois.key.

    Everything is loaded at first use; encrypting with the public key needs no secret.key.
    """

    path: Path
    device: str = "cpu:"

    def file(self, name: str) -> Path:
        return self.path / name

    def _existing(self, name: str, hint: str) -> Path:
        path = self.file(name)
        if not path.exists():
            raise FileError("FILE_MISSING", f"{path} does not exist.", hint)
        return path

    @cached_property
    def params(self) -> Parameters:
        """The parameters; whoever made the keys decided on their security."""
        hint = "`ringside keygen --out DIR` makes a directory of keys."
        return Parameters.load(self._existing(PARAMS, hint), security=0)

    @cached_property
    def context(self) -> Context:
        return Context(self.params, device=self.device)

    def secret_key(self) -> SecretKey:
        """Loads secret.key; close it after use."""
        hint = "Decryption needs the secret key; encryption can use --public-key instead."
        return SecretKey.load(self.context, self._existing(SECRET, hint))

    def public_key(self) -> PublicKey:
        """Loads public.key."""
        hint = "`ringside keygen` makes one."
        return PublicKey.load(self.context, self._existing(PUBLIC, hint))


@contextlib.contextmanager
def _staging(target: Path) -> Iterator[Path]:
    """A new directory (mode 0700) inside `target`, gone at the end of the block."""
    made_target = not target.exists()
    folder = target / f".keygen-{secrets.token_hex(6)}"
    try:
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise write_error(target, error.errno or 0) from error
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        if made_target:
            with contextlib.suppress(OSError):
                target.rmdir()
        raise
    shutil.rmtree(folder, ignore_errors=True)


def make_keys(
    params: Parameters,
    path: StrPath,
    spec: KeySpec | None = None,
    *,
    device: str = "cpu:",
    overwrite: bool = False,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Makes parameters and keys in a directory (created with mode 0700) and returns name: bytes.

    The files are written to a hidden directory first and moved into place when all are complete:
    an error leaves no new file and no old file changed. FileError if a key file exists, unless
    overwrite is True; then all old ones are replaced or, if no longer made, removed.
    """
    spec = spec or KeySpec()
    target = Path(path)
    if not overwrite:
        for name in NAMES:
            if (target / name).exists():
                raise exists_error(target / name, name == SECRET)
    check_device(device)  # keys are always made by the processor
    context = Context(params)
    seed, compression, version = (
        spec.insecure_deterministic_seed,
        spec.compression,
        spec.version,
    )
    sizes: dict[str, int] = {}
    with (
        _staging(target) as folder,
        context.keygen(insecure_deterministic_seed=seed) as secret,
    ):
        sizes[PARAMS] = params.save(folder / PARAMS, compression=compression, version=version)
        sizes[SECRET] = secret.save(folder / SECRET, compression=compression, version=version)
        public = context.public_key(secret, seed_type=spec.seed_type, insecure_deterministic_seed=seed)
        sizes[PUBLIC] = public.save(folder / PUBLIC, compression=compression, version=version)
        if spec.relin:
            sizes[RELIN] = context.write_relin_keys(
                secret,
                folder / RELIN,
                seed_type=spec.seed_type,
                compression=compression,
                version=version,
                progress=progress,
                insecure_deterministic_seed=seed,
            )
        if spec.rotations is not None:
            sizes[GALOIS] = context.write_galois_keys(
                secret,
                folder / GALOIS,
                spec.rotations,
                seed_type=spec.seed_type,
                compression=compression,
                version=version,
                progress=progress,
                insecure_deterministic_seed=seed,
            )
        _install(folder, target, list(sizes), overwrite)
    return sizes


def _install(folder: Path, target: Path, names: list[str], overwrite: bool) -> None:
    """Moves the new files into place, the secret key first."""
    names.sort(key=lambda name: name != SECRET)
    moved: list[Path] = []
    try:
        if overwrite:
            for name in NAMES:  # keys of an older secret must not stay behind
                if name not in names:
                    (target / name).unlink(missing_ok=True)
        for name in names:
            if overwrite:
                os.replace(folder / name, target / name)
            else:
                move_without_clobber(folder / name, target / name)
                moved.append(target / name)
    except OSError as error:
        for path in moved:
            path.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise exists_error(target / names[len(moved)], len(moved) == 0) from error
        raise write_error(target, error.errno or 0) from error
