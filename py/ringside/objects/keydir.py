# SPDX-License-Identifier: Apache-2.0
"""A directory with parameters and keys, each a SEAL file; beside them, for servers that run TenSEAL, its context."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..arguments import checked, checks_arguments
from ..devices.cpu import CPU
from ..devices.names import parse
from ..errors import FileError, ParameterError
from ..interrupt import tidying
from ..native.files import (
    FileSet,
    StrPath,
    exists_error,
    hidden_name,
    make_directories,
    move_without_clobber,
    read_file,
    remove_directories,
    replace_directory,
    resolved,
    write_bytes,
    write_error,
)
from ..native.leftovers import held, remove_leftovers
from ..native.library import SEED_BYTES, ffi
from ..native.rng import drawn
from ..native.streams import DEFAULT_COMPRESSION, DEFAULT_VERSION
from ..notebook import facts_html
from ..progress import Progress
from .ckks.context import Context
from .common.evaluation_keys import SEAL_GENERATOR
from .common.keys import PublicKey, SecretKey
from .common.params import CKKS, Parameters
from .exact.context import ExactContext

AnyContext = Context | ExactContext

PARAMS = "params.seal"
SECRET = "secret.key"
PUBLIC = "public.key"
RELIN = "relin.key"
GALOIS = "galois.key"
ROTATION_PARAMS = "rotations.seal"  # parameters of galois.key, where a plan has others for it
MASTER = "master.seed"  # 64 secret bytes that streamed keys follow from
TENSEAL = "context.tenseal"  # the public keys as one file of TenSEAL's
LATTIGO_PARAMS = "params.lattigo"  # parameters of a server that runs Lattigo, as it wrote them
OPENFHE_CONTEXT = "context.openfhe"  # the context of a server that runs OpenFHE
OPENFHE_PUBLIC = "public.openfhe"  # a public key of OpenFHE, which SEAL's file cannot hold
NAMES = (
    PARAMS,
    SECRET,
    PUBLIC,
    RELIN,
    GALOIS,
    ROTATION_PARAMS,
    MASTER,
    TENSEAL,
    LATTIGO_PARAMS,
    OPENFHE_CONTEXT,
    OPENFHE_PUBLIC,
)


@dataclass(frozen=True)
class KeyFiles:
    """The files of a kind of key directory. secret: the one that is private."""

    names: tuple[str, ...] = NAMES
    secret: str = SECRET


@checks_arguments
@dataclass(frozen=True)
class KeySpec:
    """Which keys to make. rotations: None for no Galois keys. rotations, generator: see Context.write_galois_keys. ring: of the Galois keys, whose
    file has parameters beside it (ROTATION_PARAMS) where they are others than all moduli's. stream: in the memory of one modulus, uncompressed."""

    relin: bool = False
    rotations: Sequence[int] | Literal["pow2"] | None = None
    generator: int = SEAL_GENERATOR
    ring: Parameters | None = None
    seed_type: str = "shake256"
    compression: str = DEFAULT_COMPRESSION
    version: str = DEFAULT_VERSION
    insecure_deterministic_seed: bytes | None = None
    stream: bool = False


@checks_arguments
@dataclass(frozen=True)
class KeyDirectory:
    """A directory of keys: params.seal, secret.key, public.key, relin.key, galois.key.

    Everything is loaded at first use; encrypting with the public key needs no secret.key.
    """

    path: StrPath
    device: str = "cpu:"

    def _repr_html_(self) -> str:
        """Which files there are: nothing is loaded."""
        found = [(name, "present" if self.file(name).exists() else "absent") for name in NAMES]
        return facts_html(f"Key directory {self.path}", [*found, ("device", self.device)])

    def file(self, name: str) -> Path:
        """The path of one of its files, whether it exists or not."""
        return Path(self.path) / name

    def _existing(self, name: str, hint: str) -> Path:
        path = self.file(name)
        if not path.exists():
            raise FileError("FILE_MISSING", f"{path} does not exist.", hint)
        return path

    @cached_property
    def params(self) -> Parameters:
        """The parameters. The maker of the keys decided on their security."""
        hint = "`ringside keygen --out DIR` makes a directory of keys."
        return Parameters.load(self._existing(PARAMS, hint), security=0)

    @cached_property
    def context(self) -> AnyContext:
        """A context of the parameters' scheme."""
        return context_for(self.params, device=self.device)

    @cached_property
    def rotation_params(self) -> Parameters:
        """The parameters of galois.key."""
        path = self.file(ROTATION_PARAMS)
        return Parameters.load(path, security=0) if path.exists() else self.params

    def ckks_context(self) -> Context:
        """The context of a directory of CKKS. ParameterError: it is of another scheme."""
        context = self.context
        if not isinstance(context, Context):
            message = f"{self.path} has keys of {self.params.scheme.upper()}."
            raise ParameterError("RS_ERR_SCHEME", message, "Its `context` is an ExactContext, for integers.")
        return context

    def secret_key(self) -> SecretKey:
        """Loads secret.key; close it after use."""
        hint = "Decryption needs the secret key; encryption can use --public-key instead."
        return SecretKey.load(self.context, self._existing(SECRET, hint))

    def master_seed(self) -> memoryview:
        """The seed that streamed keys follow from: of master.seed, which is made if it is missing. FileError."""
        path = self.file(MASTER)
        if not path.exists():
            write_bytes(path, master := memoryview(ffi.buffer(drawn(SEED_BYTES))), private=True, overwrite=False)
            return master
        master = memoryview(read_file(path))
        if len(master) != SEED_BYTES:
            message = f"{path} has {len(master)} bytes, and a master seed has {SEED_BYTES}."
            raise FileError("RS_ERR_BYTES", message, "Use a copy of it; or remove it, and make all streamed keys anew.")
        return master

    def public_key(self) -> PublicKey:
        """Loads public.key."""
        hint = "`ringside keygen` makes one."
        return PublicKey.load(self.context, self._existing(PUBLIC, hint))


def context_for(params: Parameters, *, device: str = CPU.name) -> AnyContext:
    """A context of the parameters' scheme."""
    return (Context if params.scheme == CKKS else ExactContext)(params, device=device)


def refuse_key_files(path: StrPath, *, force: bool) -> None:
    """FileError if `path` leads to an existing file of a key directory, through links too, unless `force` is set.

    A key directory holds secret.key, or params.seal with another key. Its files are those of NAMES.
    """
    target = Path(os.path.realpath(path))
    folder = target.parent
    present = [name for name in NAMES if os.path.lexists(folder / name)]
    if force or not target.is_file() or not (SECRET in present or (PARAMS in present and len(present) > 1)):
        return
    for name in present:
        with contextlib.suppress(OSError):
            if target.samefile(folder / name):
                hint = "Choose another name, or pass --force to replace it."
                raise FileError("FILE_EXISTS", f"{os.fspath(path)} is a file of the key directory {folder}.", hint)


@contextlib.contextmanager
def _staging(target: Path) -> Iterator[Path]:
    """A new hidden directory (mode 0700), gone at the end of the block: beside `target`, or in it where there is no right to write."""
    with tidying():
        yield from _staged(target)


def _staged(target: Path) -> Iterator[Path]:
    made: list[Path] = []
    folder = hidden_name(target, "new")
    try:
        try:
            made = make_directories(target.parent)
            try:
                folder.mkdir(mode=0o700)
            except OSError:
                if not target.is_dir():
                    raise
                folder = target / folder.name
                folder.mkdir(mode=0o700)
        except OSError as error:
            raise write_error(target, error.errno or 0) from error
        with held(folder):
            yield folder
    except BaseException:  # also an interrupt while the directory is made; nobody else has one of this name
        shutil.rmtree(folder, ignore_errors=True)
        raise
    else:
        with contextlib.suppress(OSError):
            folder.rmdir()  # not rmtree: after a swap this is the old directory, and what is still in it is not ours
    finally:
        remove_directories(made)  # those that hold nothing


@checked
def make_keys(
    params: Parameters,
    path: StrPath,
    spec: KeySpec | None = None,
    *,
    device: str = "cpu:",
    overwrite: bool = False,
    progress: Progress | None = None,
    more: Callable[[Path], dict[str, int]] | None = None,
    removed: Callable[[Path], None] | None = None,
) -> dict[str, int]:
    """Makes parameters and keys in a directory (created with mode 0700) and returns name: bytes.

    The files are written to a hidden directory first and take their places when all are complete: an error leaves no new file and
    no old file changed. FileError if a key file exists, unless overwrite is True: then the directory is swapped for a new one that
    holds the new keys and the old one's other files, and old keys are gone, also those that are no longer made.

    more: makes further files of NAMES in the directory that it is given, which holds the keys, and returns their sizes.
    removed: is called with each hidden directory of keys that a killed process has left there; None: none is looked for.
    """
    parse(device)  # keys are always made by the processor

    def write(folder: Path) -> dict[str, int]:
        sizes = _write_keys(params, folder, spec or KeySpec(), progress)
        return sizes if more is None else sizes | more(folder)

    return write_key_files(path, write, overwrite=overwrite, removed=removed)


def write_key_files(
    path: StrPath,
    write: Callable[[Path], dict[str, int]],
    kind: KeyFiles | None = None,
    *,
    overwrite: bool = False,
    removed: Callable[[Path], None] | None = None,
) -> dict[str, int]:
    """A directory of keys of one kind as make_keys leaves it, whoever makes the files. write: makes them in the directory that it is given; sizes by name."""
    kind = kind or KeyFiles()
    target = resolved(path)
    if removed is not None:
        for place in (target.parent, target):
            for left in remove_leftovers(place, kind.names.__contains__):
                removed(left)
    if target.exists() and not target.is_dir():
        raise FileError("FILE_EXISTS", f"{path} is a file.", "Keys are made in a directory: choose another name.")
    for name in kind.names:
        file = target / name
        if file.is_dir():
            raise FileError("FILE_EXISTS", f"{file} is a directory, where a key belongs.", "Move it away.")
        if not overwrite and os.path.lexists(file):
            raise exists_error(Path(path) / name, name == kind.secret)
    with _staging(target) as folder:
        sizes = write(folder)
        try:
            _install(folder, target, list(sizes), kind, overwrite)
        except FileExistsError as error:
            raise exists_error(error.filename2 or target, True) from error
        except OSError as error:
            raise write_error(target, error.errno or 0) from error
    return sizes


def _write_keys(params: Parameters, folder: Path, spec: KeySpec, progress: Progress | None) -> dict[str, int]:
    context, ring = context_for(params), spec.ring or params
    whole = context
    if further := {*ring.moduli} - {*params.moduli}:  # only plans for CKKS have others
        whole = context_for(Parameters.from_moduli(params.n, [*params.moduli, *further], security=0))
    how: Any = {"compression": spec.compression, "version": spec.version}
    seed: Any = {"insecure_deterministic_seed": spec.insecure_deterministic_seed}
    evaluation: Any = {"seed_type": spec.seed_type, "progress": progress, **how, **seed}
    if spec.stream:  # the seed that all follows from is the master of such files too
        if spec.insecure_deterministic_seed is not None:
            write_bytes(folder / MASTER, spec.insecure_deterministic_seed, private=True)
        evaluation = {
            "seed_type": spec.seed_type,
            "version": spec.version,
            "master": KeyDirectory(folder).master_seed(),
        }
    with whole.keygen(**seed) as source, source._modulo(context) as secret:
        public = context.public_key(secret, seed_type=spec.seed_type, **seed)
        public.check(secret)
        sizes = {
            PARAMS: params.save(folder / PARAMS, **how),
            SECRET: secret.save(folder / SECRET, **how),
            **({MASTER: SEED_BYTES} if spec.stream else {}),
            PUBLIC: public.save(folder / PUBLIC, **how),
        }
        if spec.relin:
            relin = context.stream_keys if spec.stream else context.write_relin_keys
            sizes[RELIN] = relin(secret, folder / RELIN, **evaluation)
        if spec.rotations is not None:
            steps: Any = {"rotations": spec.rotations, "generator": spec.generator}
            other = context if ring == params else context_for(ring)
            galois = other.stream_keys if spec.stream else other.write_galois_keys
            with source._modulo(other) as same:
                sizes[GALOIS] = galois(same, folder / GALOIS, **steps, **evaluation)
            if ring != params:
                sizes[ROTATION_PARAMS] = ring.save(folder / ROTATION_PARAMS, **how)
    return sizes


def _install(folder: Path, target: Path, names: list[str], kind: KeyFiles, overwrite: bool) -> None:
    """The files `names` of the staging directory become those of `target`: all of them, or none."""
    if not target.exists():
        folder.rename(target)
    elif not overwrite:
        _add_files(folder, target, names)
    else:
        with held(target):  # it has the hidden name until its keys are gone
            if folder.parent == target.parent and _swap(folder, target, kind):
                return
        with FileSet(overwrite=True) as files:
            for name in kind.names:  # keys of an older secret must not stay behind
                if name in names:
                    (folder / name).rename(files.add(target / name, private=name == kind.secret))
                elif os.path.lexists(target / name):
                    files.remove(target / name)


def _add_files(folder: Path, target: Path, names: list[str]) -> None:
    """Into a directory that holds no keys yet."""
    moved: list[Path] = []
    try:
        for name in names:
            move_without_clobber(folder / name, target / name)
            moved.append(target / name)
    except BaseException:
        for path in moved:
            path.unlink(missing_ok=True)
        raise


def _swap(folder: Path, target: Path, kind: KeyFiles) -> bool:
    """Swaps directories in one step, the new one with the other files of the old. False: this is not possible here, nothing has changed.

    Files are carried along by hard links. A directory within cannot be, nor can `target` be renamed if it is a mount point.
    """
    others = [item for item in target.iterdir() if item.name not in kind.names]
    if any(item.is_dir() and not item.is_symlink() for item in others):
        return False
    try:
        for item in others:
            os.link(item, folder / item.name, follow_symlinks=False)
        for name in kind.names:
            if name != kind.secret and (folder / name).exists() and (target / name).exists():
                shutil.copymode(target / name, folder / name)
        shutil.copystat(target, folder)
        old = replace_directory(folder, target)
    except OSError:
        for item in others:
            (folder / item.name).unlink(missing_ok=True)
        return False
    for item in [] if old is None else old.iterdir():
        with contextlib.suppress(OSError):
            if item.name in kind.names or (target / item.name).exists():
                item.unlink()
            else:  # it came while the keys were made
                item.rename(target / item.name)
    return True
