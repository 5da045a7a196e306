# SPDX-License-Identifier: Apache-2.0
"""Streams of the library's SEAL reader and writer."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MismatchError, WireError
from .files import StrPath, named_to_read, read_error, replace_file, write_error
from .library import (
    CData,
    aligned,
    check,
    error_of,
    fd_stream,
    ffi,
    get_bytes,
    lib,
    request,
    secret_bytes,
    secret_words,
    workspace,
)

COMPRESSIONS = {"none": 0, "zlib": 1, "zstd": 2}
COMPRESSION_NAMES = {number: name for name, number in COMPRESSIONS.items()}
VERSIONS = ("3.6", "3.7", "4.0", "4.1", "4.2", "4.3", "4.4")
DEFAULT_COMPRESSION = "zstd"
DEFAULT_VERSION = "3.6"

# How messages call what a file holds (rs_wire_kind_t)
KIND_NAMES = {
    lib.RS_WIRE_PARAMS: "parameters",
    lib.RS_WIRE_PLAINTEXT: "a plaintext",
    lib.RS_WIRE_SECRET_KEY: "a secret key",
    lib.RS_WIRE_CIPHERTEXT: "a ciphertext",
    lib.RS_WIRE_PUBLIC_KEY: "a public key",
    lib.RS_WIRE_RELIN_KEYS: "relinearisation keys",
    lib.RS_WIRE_GALOIS_KEYS: "Galois keys",
}
_TWINS = ({lib.RS_WIRE_PLAINTEXT, lib.RS_WIRE_SECRET_KEY}, {lib.RS_WIRE_CIPHERTEXT, lib.RS_WIRE_PUBLIC_KEY})
_SLACK_BYTES = 1 << 16  # what a codec may add to data that do not compress, besides 1/128 of them


@dataclass(frozen=True)
class WireOptions:
    """How an object is written. compression: none, zlib or zstd; version: of SEAL's format, 3.6 is read by every SEAL since."""

    compression: str = DEFAULT_COMPRESSION
    version: str = DEFAULT_VERSION

    def __post_init__(self) -> None:
        if self.compression not in COMPRESSIONS:
            known = ", ".join(COMPRESSIONS)
            raise WireError("RS_ERR_COMPRESSION", f"Unknown compression {self.compression!r}.", f"Use one of: {known}.")
        if self.version not in VERSIONS:
            known = ", ".join(VERSIONS)
            raise WireError("RS_ERR_VERSION", f"Unknown SEAL version {self.version!r}.", f"Use one of: {known}.")

    def native(self) -> CData:
        """rs_wire_format_t *"""
        major, minor = self.version.split(".")
        number = int(major) << 8 | int(minor)
        compression, codec = COMPRESSIONS[self.compression], lib.rs_host_codec()
        return ffi.new("rs_wire_format_t *", {"version": number, "compression": compression, "codec": codec})


WireObject = Mapping[str, Any]  # what is written: kind, context and the object, members of rs_wire_write_request_t


def _request(what: WireObject, options: WireOptions, sink: CData) -> CData:
    return request("rs_wire_write_request_t", sink=sink, format=options.native()[0], **what)


def _write(wanted: CData) -> int:
    secret = wanted.kind == lib.RS_WIRE_SECRET_KEY
    return int(lib.rs_wire_write_secret_key(wanted) if secret else lib.rs_wire_write(wanted))


def file_bytes(what: WireObject, options: WireOptions) -> int:
    """Bytes of the object without compression."""
    return int(lib.rs_wire_bytes(_request(what, options, ffi.NULL)))


class FileSink:
    """A sink on an open descriptor. `check` turns a status into an exception that names the path and the system's reason."""

    def __init__(self, path: StrPath, fd: int) -> None:
        self._path = path
        self._state: CData = fd_stream()
        self.pointer: CData = ffi.new("rs_sink_t *")
        self.check(lib.rs_sink_to_fd(self.pointer, self._state, fd))

    def check(self, status: int) -> None:
        if status in (lib.RS_ERR_IO, lib.RS_ERR_DISK_FULL) and self._state.last_errno:
            raise write_error(self._path, self._state.last_errno)
        check(status)

    def flush(self) -> None:
        self.check(lib.rs_fd_sink_flush(self._state))


def write_file(
    path: StrPath, what: WireObject, options: WireOptions, *, private: bool = False, overwrite: bool | None = None
) -> int:
    """Writes one object to a file, whole or not at all. Returns its bytes."""
    with replace_file(path, private=private, overwrite=overwrite) as fd:
        sink = FileSink(path, fd)
        sink.check(_write(_request(what, options, sink.pointer)))
        sink.flush()
        return os.fstat(fd).st_size


# An entry of key-switching keys: the number of its components, and these (rs_ciphertext_t *)
KeyEntry = tuple[int, Iterable[CData]]


def write_keys(
    path: StrPath, what: WireObject, options: WireOptions, entries: Iterable[KeyEntry], *, overwrite: bool | None = None
) -> int:
    """The same for key-switching keys, which are made while they are written. One component is in use at a time."""
    writer = ffi.new("rs_wire_writer_t *")
    with replace_file(path, overwrite=overwrite) as fd:
        sink = FileSink(path, fd)
        try:
            sink.check(lib.rs_wire_writer_open(writer, _request(what, options, sink.pointer)))
            for count, components in entries:
                sink.check(lib.rs_wire_writer_entry(writer, count))
                for component in components:
                    sink.check(lib.rs_wire_writer_component(writer, component))
        finally:
            status = lib.rs_wire_writer_close(writer, ffi.NULL)
        sink.check(status)
        sink.flush()
        return os.fstat(fd).st_size


def _stream_keys(sink: CData, options: WireOptions, room: int, members: Mapping[str, Any]) -> int:
    """rs_keys_stream; its status. room: memory, of which no more is taken than is of use, and no less than is needed."""
    least, each = int(lib.RS_KEYS_STREAM_N_BYTES), int(lib.RS_KEYS_STREAM_LIMB_N_BYTES)
    params, more = members["params"], int(lib.RS_KEYS_STREAM_MORE_BYTES)
    least, most = (count << params.log_n for count in (least, least + each * params.limb_count))
    memory = secret_bytes(max(least, min(most, room)) + more)
    format_ = options.native()[0]
    wanted = request("rs_keys_stream_request_t", sink=sink, format=format_, memory=memory, **members)
    return int(lib.rs_keys_stream(wanted))


def stream_keys(fd: int, name: StrPath, options: WireOptions, room: int, **members: Any) -> None:
    """The range of bytes of keys that members of rs_keys_stream_request_t ask for, to a descriptor. name: what errors call it."""
    sink = FileSink(name, fd)
    sink.check(_stream_keys(sink.pointer, options, room, members))
    sink.flush()


def streamed_bytes(options: WireOptions, room: int, **members: Any) -> bytes:
    """The same in memory, of a range whose length is said."""
    memory = workspace(members["bytes"])
    state, sink = ffi.new("rs_memory_sink_t *"), ffi.new("rs_sink_t *")
    lib.rs_sink_to_memory(sink, state, ffi.cast("uint8_t *", memory), members["bytes"])
    check(_stream_keys(sink, options, room, members))
    return get_bytes(memory, members["bytes"])


def _write_to(memory: CData, capacity: int, what: WireObject, options: WireOptions) -> int:
    """One object into memory; its bytes."""
    state, sink = ffi.new("rs_memory_sink_t *"), ffi.new("rs_sink_t *")
    lib.rs_sink_to_memory(sink, state, ffi.cast("uint8_t *", memory), capacity)
    check(_write(_request(what, options, sink)))
    return int(state.bytes)


def room_of(what: WireObject, options: WireOptions) -> int:
    """Bytes that the object has at most, compressed or not."""
    size = file_bytes(what, options)
    return size + size // 128 + _SLACK_BYTES


def write_memory(what: WireObject, options: WireOptions) -> bytes:
    """One object as bytes."""
    capacity = room_of(what, options)
    memory = workspace(capacity)
    return get_bytes(memory, _write_to(memory, capacity, what, options))


class Files:
    """Files of ciphertexts of two polynomials, one behind the other in one memory. ends: of each, behind a 0. limbs: of each."""

    def __init__(self, context: CData, limbs: int, count: int, options: WireOptions) -> None:
        """count: how many there will be, at most."""
        self._state, sink = ffi.new("rs_memory_sink_t *"), ffi.new("rs_sink_t *")
        like = ffi.new("rs_ciphertext_t *", {"poly_count": 2, "limb_count": limbs, "correction_factor": 1})
        what = {"kind": lib.RS_WIRE_CIPHERTEXT, "context": context, "ciphertext": like}
        self._request, self._room = _request(what, options, sink), room_of(what, options)
        self.memory: NDArray[np.uint8] = aligned(self._room * count, np.uint8)
        self._place: CData = ffi.from_buffer("uint8_t[]", self.memory)
        self.ends, self.limbs = [0], limbs

    def add(self, ciphertext: CData) -> None:
        lib.rs_sink_to_memory(self._request.sink, self._state, self._place + self.ends[-1], self._room)
        self._request.ciphertext = ciphertext
        check(lib.rs_wire_write(self._request))
        self.ends.append(self.ends[-1] + int(self._state.bytes))


@contextmanager
def secret_image(what: WireObject, options: WireOptions) -> Iterator[memoryview]:
    """The same in memory that is wiped at the end of the block."""
    capacity = room_of(what, options)
    pointer, words = secret_words((capacity + 7) // 8)
    try:
        yield words.data.cast("B")[: _write_to(pointer, capacity, what, options)]
    finally:
        lib.rs_zeroize(pointer, words.nbytes)


def version_of(info: CData) -> str:
    return f"{info.version >> 8}.{info.version & 0xFF}"


_DESCRIPTORS = {lib.RS_WIRE_PLAINTEXT: "plaintext", lib.RS_WIRE_SECRET_KEY: "secret_key"}  # others: "ciphertext"


class Reader:
    """One SEAL object being read from a file or from memory."""

    def __init__(self, name: str, source: CData, keep_alive: Any) -> None:
        self.name = name
        self._keep_alive = (source, keep_alive)
        self.pointer: CData = ffi.new("rs_wire_reader_t *")
        self._open = True
        status = lib.rs_wire_open(self.pointer, source, lib.rs_host_codec())
        if status != 0:
            lib.rs_wire_close(self.pointer, 0)
            self.check(status)

    def check(self, status: int) -> None:
        """Raises with the file's name in the sentence."""
        if status != 0:
            raise error_of(status, self.name)

    def begin(self, context: CData, kind: int, native: CData) -> CData:
        """Begins an object of a kind, or a component of keys; fills in its descriptor, whose words come next. The target of `words`."""
        target = request("rs_wire_target_t", kind=kind, **{_DESCRIPTORS.get(kind, "ciphertext"): native})
        self._begun(context, kind, lib.rs_wire_read_begin(self.pointer, context, target))
        return target

    def words(self, target: CData) -> None:
        """Reads the words to where the descriptor points."""
        self.check(lib.rs_wire_read_words(self.pointer, target))

    def entries(self, context: CData, kind: int) -> Iterator[tuple[int, int]]:
        """Index and number of components of each entry of key-switching keys. The components are to be read before the next one."""
        entries, components = ffi.new("uint64_t *"), ffi.new("uint64_t *")
        self._begun(context, kind, lib.rs_wire_read_entries(self.pointer, context, kind, entries))
        for index in range(int(entries[0])):
            self.check(lib.rs_wire_read_entry(self.pointer, components))
            yield index, int(components[0])

    def _begun(self, context: CData, kind: int, status: int) -> None:
        """As check, but the error names what the file holds, if that is another kind."""
        found = ffi.new("rs_wire_info_t *")
        refused = status in (lib.RS_ERR_KIND, lib.RS_ERR_LEVEL, lib.RS_ERR_MISMATCH)
        known = refused and lib.rs_wire_info(self.pointer, context, found) == 0 and found.kind in KIND_NAMES
        # an object of other parameters cannot be told from its twin, a key or data
        twins = status == lib.RS_ERR_MISMATCH and {int(found.kind), kind} in _TWINS
        if known and found.kind != kind and not twins:
            message = f"{self.name} holds {KIND_NAMES[found.kind]}, not {KIND_NAMES[kind]}."
            hint = "`ringside inspect FILE --keys DIR` tells what a file holds."
            if status == lib.RS_ERR_MISMATCH:
                raise MismatchError("RS_ERR_MISMATCH", message, hint)
            raise WireError("RS_ERR_KIND", message, hint)
        self.check(status)

    def info(self, context: CData | None = None) -> CData:
        info = ffi.new("rs_wire_info_t *")
        self.check(lib.rs_wire_info(self.pointer, context if context is not None else ffi.NULL, info))
        return info

    def close(self, check_end: bool) -> None:
        """Releases the codec, once; check_end: raises unless object and source end here."""
        if self._open:
            self._open = False
            status = lib.rs_wire_close(self.pointer, 1 if check_end else 0)
            if check_end:
                self.check(status)


@contextmanager
def _closing(reader: Reader, check_end: bool) -> Iterator[Reader]:
    try:
        yield reader
    except BaseException:
        reader.close(False)
        raise
    reader.close(check_end)


@contextmanager
def open_file(path: StrPath, *, check_end: bool = True) -> Iterator[Reader]:
    """Opens a file's object; at the end of the block the object and the file must have ended too (unless check_end is False)."""
    try:
        fd = os.open(named_to_read(path), os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise read_error(path, error) from error
    try:
        if stat.S_ISDIR(os.fstat(fd).st_mode):
            raise read_error(path, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
        with open_descriptor(fd, os.fspath(path), check_end=check_end) as reader:
            yield reader
    finally:
        os.close(fd)


@contextmanager
def open_descriptor(fd: int, name: str, *, check_end: bool = True) -> Iterator[Reader]:
    """The same from an open descriptor. name: what errors call it."""
    state, source = fd_stream(), ffi.new("rs_source_t *")
    lib.rs_source_from_fd(source, state, fd)
    with _closing(Reader(name, source, state), check_end) as reader:
        yield reader


@contextmanager
def open_memory(data: bytes | memoryview, *, check_end: bool = True) -> Iterator[Reader]:
    """Opens the object that `data` (bytes or any contiguous buffer) hold; check_end as for open_file."""
    memory: CData = ffi.from_buffer("uint8_t[]", data)
    state, source = ffi.new("rs_memory_source_t *"), ffi.new("rs_source_t *")
    lib.rs_source_from_memory(source, state, memory, len(memory))
    with _closing(Reader("the data given", source, (state, memory)), check_end) as reader:
        yield reader
