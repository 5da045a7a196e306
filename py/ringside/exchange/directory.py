# SPDX-License-Identifier: Apache-2.0
"""Key directories of Ringside beside directories with the files of a server that runs Lattigo or OpenFHE."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import FileError
from ..formats.lattigo import LattigoParameters, looks_like_ciphertext, looks_like_parameters
from ..formats.lattigo_bootstrapping import client_parameters, is_bootstrapping
from ..formats.openfhe import OpenFheParameters, looks_like_context, looks_like_openfhe, read_context
from ..native.files import StrPath, read_file
from ..native.streams import WireOptions
from ..objects.common.keys import PublicKey
from ..objects.common.params import BFV, BGV, Parameters, chain_of
from ..objects.keydir import (
    GALOIS,
    LATTIGO_PARAMS,
    OPENFHE_CONTEXT,
    OPENFHE_PUBLIC,
    PARAMS,
    PUBLIC,
    RELIN,
    SECRET,
    KeyDirectory,
    KeyFiles,
    context_for,
)
from .lattigo import Lattigo
from .library import ForeignLibrary, LibraryName
from .openfhe import OpenFHE
from .switching import entries_of

HEAD_BYTES = 1 << 13  # the head of a file, enough to tell what it is
SEAL_MAGIC = b"\x5e\xa1"

# The files of a server's directory. OpenFHE's are named as in its examples.
LATTIGO_FILES = {
    "params": "params.json",
    "public": "public.bin",
    "secret": "secret.bin",
    "evaluation": "evaluation.bin",
    "upper params": "tops.json",  # parameters of keys from which the server derives those for its rotations
    "upper": "tops.bin",
    "bootstrapping": "bootstrapping.bin",
}
OPENFHE_FILES = {
    "params": "cryptocontext.txt",
    "public": "key-public.txt",
    "secret": "key-private.txt",
    "relin": "key-eval-mult.txt",
    "galois": "key-eval-rot.txt",
    "bootstrapping": "key-eval-bootstrapping.txt",
}


def files_of(name: LibraryName | None) -> KeyFiles:
    """The files of a directory of keys for a library; None: Ringside's own."""
    if name is None:
        return KeyFiles()
    names = LATTIGO_FILES if name == "lattigo" else OPENFHE_FILES
    return KeyFiles(tuple(names.values()), names["secret"])


def library_in(path: Path) -> LibraryName | None:
    """Whose directory this is, by the file of its parameters; None: neither's."""
    if (path / OPENFHE_FILES["params"]).is_file():
        return "openfhe"
    return "lattigo" if (path / LATTIGO_FILES["params"]).is_file() else None


def library_of_file(source: bytes | StrPath) -> LibraryName | None:
    """Whose file this is: parameters or ciphertexts of Lattigo, anything of OpenFHE. None: another's, or one that cannot be read."""
    try:
        head = source[:HEAD_BYTES] if isinstance(source, bytes) else _head(source)
    except OSError:
        return None
    if looks_like_openfhe(head):
        return "openfhe"
    return "lattigo" if looks_like_ciphertext(head) or looks_like_parameters(head) else None


def is_parameters(source: bytes | StrPath) -> bool:
    """Whether a file holds the parameters of one of the libraries."""
    try:
        head = source[:HEAD_BYTES] if isinstance(source, bytes) else _head(source)
    except OSError:
        return False
    return looks_like_parameters(head) or looks_like_context(head)


def _head(source: StrPath) -> bytes:
    """The first bytes. Of a file of SEAL its magic number alone: what follows may be a secret key."""
    with open(source, "rb", buffering=0) as file:
        magic = file.read(len(SEAL_MAGIC))
        return magic if magic == SEAL_MAGIC else magic + file.read(HEAD_BYTES - len(magic))


def library_of(directory: KeyDirectory, name: LibraryName) -> ForeignLibrary:
    """The library with the parameters of a key directory. ParameterError: it does not take them."""
    if name == "lattigo":
        path = directory.file(LATTIGO_PARAMS)
        return Lattigo(directory.context, client_parameters(read_file(path)) if path.exists() else None)
    path = directory.file(OPENFHE_CONTEXT)
    if not path.exists():
        hint = "Make the keys for OpenFHE's context: `ringside keygen --params cryptocontext.txt`."
        raise FileError("FILE_MISSING", f"{path} does not exist, and OpenFHE's files need its context.", hint)
    library = OpenFHE.read(path, security=0)
    return OpenFHE(library.context, library.parameters, _tag(directory, library))


def library_named(directory: KeyDirectory, name: str) -> ForeignLibrary | None:
    """The same by any name of a format; None if it is not one of these libraries'."""
    known: dict[str, LibraryName] = {"lattigo": "lattigo", "openfhe": "openfhe"}
    return library_of(directory, known[name]) if name in known else None


def _tag(directory: KeyDirectory, library: OpenFHE) -> str | None:
    if directory.file(OPENFHE_PUBLIC).exists():
        return library.tag_in(directory.file(OPENFHE_PUBLIC))
    return OpenFHE.tag_of(directory.public_key()) if directory.file(PUBLIC).exists() else None


def _has_their_key(directory: KeyDirectory) -> bool:
    return directory.file(OPENFHE_PUBLIC).exists() and not directory.file(PUBLIC).exists()


def lacks_special_prime(directory: KeyDirectory, library: ForeignLibrary | None) -> bool:
    """Whether the public key that public_key_of gives is OpenFHE's, over Q alone."""
    return isinstance(library, OpenFHE) and _has_their_key(directory) and not library.parameters.extra


def public_key_of(directory: KeyDirectory, library: ForeignLibrary | None) -> PublicKey:
    """public.key, or the public key of OpenFHE."""
    if isinstance(library, OpenFHE) and _has_their_key(directory):
        return library.read_public_key(directory.file(OPENFHE_PUBLIC))
    return directory.public_key()


def keep_parameters(source: Path, folder: Path) -> dict[str, int]:
    """Copies a library's parameters into a key directory; name and bytes."""
    data = read_file(source)
    name = OPENFHE_CONTEXT if looks_like_openfhe(data) else LATTIGO_PARAMS
    (folder / name).write_bytes(data)
    return {name: len(data)}


def params_of(source: StrPath, *, security: int = 128) -> Parameters:
    """For parameters of Lattigo or a context of OpenFHE."""
    return chain_of(read_parameters_of(read_file(source)), security)


def read_parameters_of(data: bytes) -> LattigoParameters | OpenFheParameters:
    """The same as numbers."""
    return read_context(memoryview(data)) if looks_like_openfhe(data) else client_parameters(data)


# ---- a key directory for a server ---------------------------------------------------------------------------------------
def export_keys(
    directory: KeyDirectory,
    name: LibraryName,
    folder: Path,
    *,
    secret_key: bool,
    bootstrapping: Sequence[int] | None = None,
) -> list[str]:
    """Writes the keys of a directory as the library's files, as far as they are there; their names. secret_key: that one too. bootstrapping: elements of
    OpenFHE.make_bootstrapping_keys."""
    library = library_of(directory, name)
    if isinstance(library, Lattigo):
        return _export_lattigo(directory, library, folder, secret_key)
    assert isinstance(library, OpenFHE)
    written = _export_openfhe(directory, library, folder, secret_key)
    if bootstrapping is None:
        return written
    with directory.secret_key() as key:
        library.make_bootstrapping_keys(key, bootstrapping, folder / OPENFHE_FILES["bootstrapping"])
    return [*written, OPENFHE_FILES["bootstrapping"]]


def _evaluation(directory: KeyDirectory) -> tuple[Path | None, Path | None]:
    relin, galois = (directory.file(name) if directory.file(name).exists() else None for name in (RELIN, GALOIS))
    return relin, galois


def _elements(directory: KeyDirectory) -> list[int]:
    """Of the keys in galois.key."""
    galois, context = directory.file(GALOIS), context_for(directory.rotation_params)
    return [element for element, _ in entries_of(context, galois, galois=True)] if galois.exists() else []


def _export_lattigo(directory: KeyDirectory, library: Lattigo, folder: Path, secret_key: bool) -> list[str]:
    names = LATTIGO_FILES
    written = [names["params"]]
    own = directory.file(LATTIGO_PARAMS)
    literal = read_file(own) if own.exists() and is_bootstrapping(read_file(own)) else None
    (folder / names["params"]).write_bytes(library.parameters_to_bytes() if literal is None else literal)
    if directory.file(PUBLIC).exists() and set(library.parameters.p) <= set(library.context.params.moduli):
        (folder / names["public"]).write_bytes(library.public_key_to_bytes(directory.public_key()))
        written.append(names["public"])
    if secret_key:
        with directory.secret_key() as key:
            library.save_secret_key(key, folder / names["secret"], overwrite=True)
        written.append(names["secret"])
    if literal is not None:
        with directory.secret_key() as key:
            security = min(directory.params.security, 128)  # whoever waived it for the key has done so here
            library.make_bootstrapping_keys(key, literal, folder / names["bootstrapping"], security=security)
        written.append(names["bootstrapping"])
    relin, galois = _evaluation(directory)
    ring, level = directory.rotation_params, directory.rotation_params.max_level
    if galois is not None and ring != directory.params.at_level(min(level, directory.params.max_level)):
        upper = Lattigo(context_for(ring))
        (folder / names["upper params"]).write_bytes(upper.parameters_to_bytes())
        upper.convert_evaluation_keys(folder / names["upper"], galois_keys=galois)
        written += [names["upper params"], names["upper"]]
        galois = None
    if relin is None and galois is None:
        return written
    path = folder / names["evaluation"]
    if library.has_seal_keys:
        library.convert_evaluation_keys(
            path, relin_keys=relin, galois_keys=galois, level=None if galois is None else level
        )
    else:  # made anew, for the same rotations
        with directory.secret_key() as key:
            how: Any = {"elements": _elements(directory), "level": level} if galois else {}
            library.make_evaluation_keys(key, path, relin=relin is not None, **how)
    return [*written, names["evaluation"]]


def _export_openfhe(directory: KeyDirectory, library: OpenFHE, folder: Path, secret_key: bool) -> list[str]:
    names = OPENFHE_FILES
    written = [names["params"]]
    (folder / names["params"]).write_bytes(read_file(directory.file(OPENFHE_CONTEXT)))
    if directory.file(PUBLIC).exists() or directory.file(OPENFHE_PUBLIC).exists():
        data = library.public_key_to_bytes(public_key_of(directory, library))
        (folder / names["public"]).write_bytes(data)
        written.append(names["public"])
    if secret_key:
        with directory.secret_key() as key:
            library.save_secret_key(key, folder / names["secret"], overwrite=True)
        written.append(names["secret"])
    for kind, source in zip(("relin", "galois"), _evaluation(directory), strict=True):
        if source is None:
            continue
        path = folder / names[kind]
        if library.has_seal_keys:
            (library.convert_relin_keys if kind == "relin" else library.convert_rotation_keys)(source, path)
        else:  # made anew, for the same rotations
            with directory.secret_key() as key:
                elements = [0] if kind == "relin" else _elements(directory)
                library.make_keys_for(key, elements, path)
        written.append(names[kind])
    return written


def galois_keys_in(folder: Path, parms_id: str) -> tuple[Parameters, dict[int, Parameters]]:
    """The parameters of a directory of keys for SEAL or Lattigo, and those of each Galois key, by its element. parms_id: which are wanted, where
    Lattigo's are BFV's and BGV's at once."""
    if library_in(folder) != "lattigo":
        directory = KeyDirectory(folder)
        return directory.params, dict.fromkeys(_elements(directory), directory.rotation_params)
    names = LATTIGO_FILES
    library = Lattigo.read(folder / names["params"], security=0)
    own = params = library.context.params
    if own.scheme == BGV and own.parms_id() != parms_id:
        exact: Any = {"scheme": BFV, "plain_modulus": own.plain_modulus, "security": 0}
        own = params = Parameters.from_moduli(own.n, own.moduli, **exact)
    kind = "evaluation"
    if (folder / names["upper"]).exists():
        kind, library = "upper", Lattigo.read(folder / names["upper params"], security=0)
        params = library.context.params
    levels = library.levels_in(folder / names[kind]) if (folder / names[kind]).exists() else {}
    return own, {element: params.at_level(level) for element, level in levels.items()}


# ---- a server's directory as a key directory -------------------------------------------------------------------------------
def import_keys(source: Path, name: LibraryName, folder: Path, *, secret_key: bool, how: dict[str, Any]) -> list[str]:
    """The reverse: writes a key directory. how: compression and version of SEAL's files. Keys for key switching that SEAL's files cannot hold
    are left where they are."""
    if name == "lattigo":
        return _import_lattigo(source, folder, secret_key, how)
    return _import_openfhe(source, folder, secret_key, how)


def _import_lattigo(source: Path, folder: Path, secret_key: bool, how: dict[str, Any]) -> list[str]:
    names = LATTIGO_FILES
    library = Lattigo.read(source / names["params"], security=0)
    library.context.params.save(folder / PARAMS, **how)
    (folder / LATTIGO_PARAMS).write_bytes(read_file(source / names["params"]))
    written = [PARAMS, LATTIGO_PARAMS]
    if (source / names["public"]).exists():
        key = library.read_public_key(source / names["public"])
        if not key.data_only:
            key.save(folder / PUBLIC, **how)
            written.append(PUBLIC)
    if secret_key:
        with library.read_secret_key(source / names["secret"]) as secret:
            secret.save(folder / SECRET, overwrite=True, **how)
        written.append(SECRET)
    if (source / names["evaluation"]).exists() and library.has_seal_keys:
        has_relin, has_galois = library.kinds_in(source / names["evaluation"])
        present = {"relin_keys": RELIN} if has_relin else {}
        present |= {"galois_keys": GALOIS} if has_galois else {}
        paths: Any = {kind: folder / name for kind, name in present.items()}
        library.read_evaluation_keys(source / names["evaluation"], options=WireOptions(**how), **paths)
        written += present.values()
    return written


def _import_openfhe(source: Path, folder: Path, secret_key: bool, how: dict[str, Any]) -> list[str]:
    names, options = OPENFHE_FILES, WireOptions(**how)
    library = OpenFHE.read(source / names["params"], security=0)
    library.context.params.save(folder / PARAMS, **how)
    (folder / OPENFHE_CONTEXT).write_bytes(read_file(source / names["params"]))
    written = [PARAMS, OPENFHE_CONTEXT]
    if (source / names["public"]).exists():
        library.read_public_key(source / names["public"])  # checks it
        (folder / OPENFHE_PUBLIC).write_bytes(read_file(source / names["public"]))
        written.append(OPENFHE_PUBLIC)
    if secret_key:
        with library.read_secret_key(source / names["secret"]) as secret:
            secret.save(folder / SECRET, overwrite=True, **how)
        written.append(SECRET)
    for kind, target, read in (
        ("relin", RELIN, library.read_relin_keys),
        ("galois", GALOIS, library.read_rotation_keys),
    ):
        if not (source / names[kind]).exists():
            continue
        if library.has_seal_keys:
            read(source / names[kind], folder / target, options=options)
            written.append(target)
        elif library.parameters.p:  # stays where it is, if it is a key of this context
            library.elements_in(source / names[kind], galois=kind == "galois")
    return written
