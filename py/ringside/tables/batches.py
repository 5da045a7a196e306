# SPDX-License-Identifier: Apache-2.0
"""Streams of record batches: a column of numbers becomes one of ciphertexts, in SEAL's file format, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import checks_arguments
from ..devices.calls import Encryption, Rows
from ..devices.cpu import Cpu
from ..errors import ArgumentError, InputError, MismatchError, ParameterError, frames_called, in_frame
from ..native.encoding import centred
from ..native.rng import Rng
from ..native.streams import Files, WireOptions
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.keys import PublicKey, SecretKey, encryption_kind
from ..objects.common.params import CKKS, Parameters
from ..objects.exact.context import packing_of
from ..objects.exact.options import SLOTS
from ..objects.keydir import AnyContext
from .arrow import arrow, check_binary, check_column, check_numbers, is_list

COUNT = "_count"  # behind the name of the column: how many values a row has
ROWS_AT_ONCE = 32  # ciphertexts in memory
PACKS_AT_ONCE = 8  # the same of packed rows, beside which all columns that are kept wait
_REQUIRED: Any = ["C", "A"]  # contiguous, and aligned


@checks_arguments
@dataclass(frozen=True)
class TableMethod:
    """How rows are encrypted, and written: as for encrypt of a context and Ciphertext.to_bytes. Fresh randomness for each row, whatever is run again.

    scale: of CKKS; packing: of BFV and BGV.
    """

    scale: float | None = None
    level: int | None = None
    special_prime: bool = True
    compression: str = "zstd"
    version: str = "3.6"
    threads: int | None = None
    packing: str | None = None

    def of(self, params: Parameters) -> dict[str, Any]:
        """What a scheme has of scale and packing. ParameterError: the other one is given."""
        own, other = ("scale", "packing") if params.scheme == CKKS else ("packing", "scale")
        if getattr(self, other) is not None:
            raise ParameterError("RS_ERR_SCHEME", f"{params.scheme.upper()} has no {other}.", "Leave it out.")
        default: Any = params.default_scale if params.scheme == CKKS else SLOTS
        value = getattr(self, own)
        return {own: default if value is None else value}


DEFAULT = TableMethod()


def check_kept(schema: Any, keep: Sequence[str], column: str, what: str) -> None:
    """InputError: a column to keep is missing, or is the one to encrypt, or has a name that the result needs."""
    for name in keep:
        check_column(schema, name, what)
        if name == column:
            message = f"Column {column!r} is to be encrypted, and to be kept as it is for all to read."
            raise InputError("COLUMN", message, "Leave it out of the columns to keep.")
        if name == column + COUNT:
            message = f"Column {name!r} cannot be kept: the result has the number of values of a row there."
            raise InputError("COLUMN", message, "Rename it.")


def encrypt_batches(
    reader: Iterable[Any],
    key: PublicKey,
    context: AnyContext,
    *,
    column: str = "values",
    keep: Sequence[str] = (),
    method: TableMethod = DEFAULT,
    first_row: int = 0,
    pack: bool = False,
) -> Iterator[Any]:
    """Record batches with the columns `keep` as they are, which anybody can read, `column` as binary ciphertexts, and how many values each has.

    reader: record batches, such as a RecordBatchReader. A row of `column` is a list of up to N/2 finite numbers, or one number; of BFV and BGV up to N integers
    from -floor(t/2) to floor((t-1)/2), and packs below are of N rows.
    Each ciphertext is a whole file of SEAL's format. A batch that is given is taken in pieces, so memory is bounded by the given batches.
    key, context: a public key, and the context that it is of.
    pack: a ciphertext for N/2 rows, which must have one number each; a column that is kept has a list of so many values beside it then.
    UsageError: pyarrow is missing. InputError: a column is missing or of another type; a row is null or empty, longer than N/2, or not finite: it
    names the row, counted from first_row through all batches.
    """
    pa = arrow()
    taken = _Taken.by(context.params)
    row = first_row
    for piece in _packs(reader, context.slots, column, keep, taken) if pack else _pieces(reader, column, keep, taken):
        if pack:
            values = _packed(piece, column, row, context.slots, taken)
            ends = [min(place + context.slots, piece.num_rows) for place in range(0, piece.num_rows, context.slots)]
            kept = [pa.ListArray.from_arrays(pa.array([0, *ends], pa.int32()), piece.column(name)) for name in keep]
            names = [f"Rows from {row + start}" for start in (0, *ends[:-1])]
        else:
            values = _rows(piece, column, row, context.slots, taken)
            kept = [piece.column(name) for name in keep]
            names = [f"Row {row + index} of column {column!r}" for index in range(len(values))]
        fields = [
            pa.field(name, array.type) if pack else piece.schema.field(name)
            for name, array in zip(keep, kept, strict=True)
        ]
        fields += [pa.field(column, pa.large_binary(), False), pa.field(column + COUNT, pa.int32(), False)]
        counts = pa.array([value.size for value in values], pa.int32())
        # nobody here has the batch before while the next one is made: its memory serves again
        yield pa.record_batch([*kept, _cells(values, names, key, context, method), counts], schema=pa.schema(fields))
        row += piece.num_rows


def _cells(
    values: Sequence[NDArray[Any]], names: Sequence[str], key: PublicKey, context: AnyContext, method: TableMethod
) -> Any:
    """The files of their ciphertexts, as an array of Arrow."""
    pa, how = arrow(), method.of(context.params)
    options: Any = {"threads": method.threads, "level": method.level, "special_prime": method.special_prime}
    limbs, written = context.params.limbs_at(method.level), WireOptions(method.compression, method.version)
    files = Files(context._pointer, limbs, len(values), written)
    with frames_called(names):
        if isinstance(context._device, Cpu):
            context._check_key(key, None)
            kind = encryption_kind(key, method.special_prime)
            messages = Rows(values, how.get("scale", 0.0), packing_of(how.get("packing", SLOTS)))
            job = Encryption(context._handle, key._handle, messages, [], kind, limbs, Rng(), method.threads)
            context._device.encrypt_to(files, job, messages)
        else:
            for one in context.encrypt_batch(values, key, **options, **how):
                files.add(one._native)
    buffers = [None, pa.py_buffer(np.array(files.ends, np.int64)), pa.py_buffer(files.memory[: files.ends[-1]])]
    return pa.Array.from_buffers(pa.large_binary(), len(values), buffers)


@dataclass(frozen=True)
class _Taken:
    """The numbers that a scheme takes. span: the integers of BFV and BGV."""

    span: tuple[int, int] | None

    @classmethod
    def by(cls, params: Parameters) -> _Taken:
        t = params.plain_modulus
        return cls(None if t is None else centred(t))

    def check(self, schema: Any, column: str, *, packed: bool = False) -> None:
        kind = check_column(schema, column, "The table")
        check_numbers(kind, column, packed=packed, integers=self.span is not None)

    def checked(self, array: Any, name: Callable[[int], str], *, packed: bool) -> NDArray[Any]:
        """As the scheme has them, where they lie if they are that. InputError names the first number that cannot be encrypted."""
        numbers = array.to_numpy(zero_copy_only=False)
        if self.span is not None:
            values, bad = numbers, (numbers < self.span[0]) | (numbers > self.span[1])
            trouble = f"not from {self.span[0]} to {self.span[1]}"
            code, hint = "RS_ERR_VALUE_RANGE", "`ringside keygen --plain-modulus` makes room for larger ones."
        else:
            values = np.require(numbers, np.float64, _REQUIRED)
            bad = ~np.isfinite(values) if packed else np.zeros(0, bool)  # the library tells of the others
            code, trouble, hint = "RS_ERR_NOT_FINITE", "not finite", "Fill it, or leave the row out."
        if bad.any():
            index = int(np.argmax(bad))
            raise InputError(code, f"{name(index)} is {values[index]}, which is {trouble}.", hint)
        return np.require(values, np.float64 if self.span is None else np.int64, _REQUIRED)


def _pieces(reader: Iterable[Any], column: str, keep: Sequence[str], taken: _Taken) -> Iterator[Any]:
    """A few rows at a time, each with a list of numbers or one."""
    for batch in _batches(reader):
        taken.check(batch.schema, column)
        check_kept(batch.schema, keep, column, "The table")
        for start in range(0, batch.num_rows, ROWS_AT_ONCE):
            yield batch.slice(start, ROWS_AT_ONCE)


def _packs(reader: Iterable[Any], slots: int, column: str, keep: Sequence[str], taken: _Taken) -> Iterator[Any]:
    """Rows for a few ciphertexts at a time, each with one number; all ciphertexts but the last are full."""
    rows, waiting, count = PACKS_AT_ONCE * slots, list[Any](), 0
    for batch in _batches(reader):
        taken.check(batch.schema, column, packed=True)
        check_kept(batch.schema, keep, column, "The table")
        rest = batch.select([*keep, column])
        while rest.num_rows:
            waiting.append(rest.slice(0, rows - count))
            rest, count = rest.slice(rows - count), count + waiting[-1].num_rows
            if count == rows:
                yield _joined(waiting)
                waiting, count = [], 0
    if waiting:
        yield _joined(waiting)


def _joined(batches: Sequence[Any]) -> Any:
    pa = arrow()
    try:
        arrays = [
            pa.concat_arrays([batch.column(index) for batch in batches]) for index in range(len(batches[0].schema))
        ]
    except pa.ArrowException as error:  # values of other types, or more text than an array of Arrow can hold
        message = f"The rows of a ciphertext do not fit together: {error}."
        raise InputError("COLUMN", message, "Split the table.") from error
    return pa.record_batch(arrays, schema=batches[0].schema)


def _packed(piece: Any, column: str, first: int, slots: int, taken: _Taken) -> list[NDArray[Any]]:
    """The numbers of each ciphertext."""
    array = piece.column(column)
    if array.null_count:
        raise _null(first + array.is_null().index(True).as_py(), column)
    values = taken.checked(array, lambda index: f"Row {first + index} of column {column!r}", packed=True)
    return [values[start : start + slots] for start in range(0, len(values), slots)]


def _null(row: int, column: str) -> InputError:
    message = f"Row {row} of column {column!r} is null, or has a null."
    return InputError("COLUMN", message, "Fill it, or leave the row out: 0 is a value.")


def _batches(reader: Iterable[Any]) -> Iterator[Any]:
    """ArgumentError: something else than record batches comes."""
    hint = "Pass record batches: a RecordBatchReader, or the to_batches() of a table."
    if not isinstance(reader, Iterable):
        raise ArgumentError("ARGUMENT", f"`reader` cannot be a {type(reader).__name__}.", hint)
    for batch in reader:
        if not isinstance(batch, arrow().RecordBatch):
            raise ArgumentError("ARGUMENT", f"`reader` gives a {type(batch).__name__}.", hint)
        yield batch


def _rows(piece: Any, column: str, first: int, slots: int, taken: _Taken) -> list[NDArray[Any]]:
    """The numbers of each row, where Arrow has them."""
    array = piece.column(column)
    flat, sizes = array, np.ones(len(array), int)
    if is_list(array.type):
        flat = array.flatten()
        sizes = np.diff(array.offsets) if hasattr(array, "offsets") else sizes * array.type.list_size
    if array.null_count or flat.null_count or sizes.min() < 1 or sizes.max() > slots:
        raise _refusal(array, column, first, slots)
    ends = np.cumsum(sizes)

    def name(index: int) -> str:
        row = int(np.searchsorted(ends, index, "right"))
        return f"Row {first + row} of column {column!r}, number {index - ends[row] + sizes[row]},"

    numbers = taken.checked(flat, name, packed=False)
    return [numbers[end - size : end] for size, end in zip(sizes.tolist(), ends.tolist(), strict=True)]


def _refusal(array: Any, column: str, first: int, slots: int) -> InputError:
    """What is wrong with the first row that cannot be encrypted."""
    for row, value in enumerate(array.to_pylist(), first):
        numbers = value if isinstance(value, list) else [value]
        if None in numbers:
            return _null(row, column)
        if not 0 < len(numbers) <= slots:
            message = f"Row {row} of column {column!r} has {len(numbers)} values; a ciphertext has 1 to {slots}."
            hint = "Take parameters with a larger N, or split the rows." if numbers else "Leave empty rows out."
            return InputError("RS_ERR_VALUE_COUNT", message, hint)
    raise AssertionError("each row can be encrypted")


# ---- decrypting -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Cells:
    """What a table says of its ciphertexts; None: nothing. packed: each has a number of many rows. packing: of BFV and BGV."""

    scale: float | None = None
    parms_id: str | None = None
    packed: bool = False
    packing: str = SLOTS


ANY = Cells()


def kind_of(scheme: str, packed: bool) -> Any:
    """The type of a column of results."""
    pa = arrow()
    item = pa.float64() if scheme == CKKS else pa.int64()
    return item if packed else pa.list_(item)


def _loaded(context: AnyContext, cell: Any, index: int, wanted: Cells) -> Ciphertext:
    with in_frame(index):
        if not cell.is_valid:
            raise InputError("COLUMN", "There is no ciphertext.", "A column of ciphertexts has no nulls.")
        found = Ciphertext.from_bytes(context, memoryview(cell.as_buffer()))
        for name, said, has in (("scale", wanted.scale, found.scale), ("parms_id", wanted.parms_id, found.parms_id)):
            if said is not None and said != has:
                hint = "It is damaged; or a server computed it, and has to write what it is into the manifest."
                raise MismatchError("TABLE", f"The ciphertext has the {name} {has}, and the table says {said}.", hint)
        return found


def _counts(piece: Any, column: str, slots: int) -> list[int]:
    """How many values each ciphertext has. InputError: no ciphertext can have so many."""
    if column + COUNT not in piece.schema.names:
        return [slots] * piece.num_rows
    counts: list[int] = piece.column(column + COUNT).to_pylist()
    for index, count in enumerate(counts):
        with in_frame(index):
            if type(count) is not int or not 0 < count <= slots:
                raise InputError("COLUMN", f"It has {count} values; a ciphertext has 1 to {slots}.", "It is damaged.")
    return counts


def _unpacked(piece: Any, name: str, counts: Sequence[int]) -> Any:
    """A column that was kept beside packed rows. InputError: it has not the values of as many rows."""
    column = piece.column(name)
    lengths = [len(one) if one.is_valid else None for one in column] if hasattr(column, "flatten") else None
    if lengths != list(counts):
        message = f"Column {name!r} has lists of {lengths} values beside ciphertexts of {list(counts)}."
        raise InputError("COLUMN", message, "The table is damaged, or it was not packed.")
    return column.flatten()


def decrypt_batches(
    reader: Iterable[Any],
    key: SecretKey,
    context: AnyContext,
    *,
    column: str = "values",
    threads: int | None = None,
    cells: Cells = ANY,
    **options: int | None,
) -> Iterator[Any]:
    """The reverse: `column` becomes a list of doubles, as many as its count says, or all slots where there is no count. Other columns stay.

    Of BFV and BGV it is one of int64. cells: what each ciphertext has to be; packed: the rows come back, with one number each.
    options: publish_bits and flood_bits, as for Context.decrypt: for values that others will see; margin_bits, as for ExactContext. InputError: a column is missing or no
    ciphertexts; MismatchError and others of Ciphertext.from_bytes, with the row.
    """
    pa = arrow()
    row = 0
    kind = kind_of(context.params.scheme, cells.packed)
    how: Any = {name: value for name, value in options.items() if value is not None}
    if context.params.scheme != CKKS:
        how["packing"] = cells.packing
    for batch in _batches(reader):
        check_binary(check_column(batch.schema, column, "The table"), column)
        kept = [name for name in batch.schema.names if name not in (column, column + COUNT)]
        for start in range(0, batch.num_rows, ROWS_AT_ONCE):
            piece = batch.slice(start, ROWS_AT_ONCE)
            what = "Ciphertext" if cells.packed else "Row"
            with frames_called([f"{what} {row + start + index}" for index in range(piece.num_rows)]):
                loaded = [_loaded(context, one, index, cells) for index, one in enumerate(piece.column(column))]
                counts = _counts(piece, column, context.slots)
                found: Any = context.decrypt_batch(loaded, key, threads=threads, **how)
            lists = [np.asarray(values)[:count] for values, count in zip(found, counts, strict=True)]
            if cells.packed:
                arrays = [*(_unpacked(piece, name, counts) for name in kept), pa.array(np.concatenate(lists), kind)]
                fields = [pa.field(name, array.type) for name, array in zip(kept, arrays, strict=False)]
            else:
                arrays = [*(piece.column(name) for name in kept), pa.array(lists, kind)]
                fields = [batch.schema.field(name) for name in kept]
            yield pa.record_batch(arrays, schema=pa.schema([*fields, pa.field(column, kind)]))
        row += batch.num_rows
