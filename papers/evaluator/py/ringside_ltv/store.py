# SPDX-License-Identifier: Apache-2.0
"""Folders of keys and of encrypted jobs, and checkpoints."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ringside.errors import FileError, MismatchError, WireError
from ringside.native.files import make_directories

from . import files
from .scheme import BLOCK, ROUNDS, STATE, Bytes, LtvParameters, Scheme, Words

SECRET, PUBLIC, EVALUATION = "secret.ltv", "public.ltv", "evaluation-{:02d}.ltv"
ROUND_KEY, BLOCKS, DATA = "round-key-{:02d}.ltv", "blocks.ltv", "data.ltv"
CHECKPOINT = "checkpoint.ltv"

Step = Callable[[int, int], None]


def parameters_of(folder: Path) -> LtvParameters:
    """Parameters of the keys in a folder."""
    return files.peek(folder / PUBLIC).parameters


def check_place(folder: Path) -> None:
    """FileError: another secret key is there."""
    if (folder / SECRET).exists():
        message = (
            f"{folder / SECRET} holds a secret key: without it nothing that was encrypted for it can be read again."
        )
        raise FileError("FILE_EXISTS", message, "Choose another folder, or pass --force to replace it.")


def check_result(path: Path) -> None:
    """FileError: a key is where a result is to go."""
    try:
        kind = files.peek(path).kind
    except (FileError, WireError):  # nothing, or nothing of ours
        return
    if kind.endswith("key"):
        message = f"{path} holds a {kind}: it would be lost."
        raise FileError("FILE_EXISTS", message, "Give --out another name.")


def make_keys(scheme: Scheme, folder: Path, seed: bytes, step: Step) -> None:
    """Secret, public and evaluation keys. step: called with the digits."""
    make_directories(folder)
    secret = scheme.make_secret(seed)
    public = scheme.make_public(seed)
    owner = files.sum_of(public)[:16]
    files.write(folder / SECRET, "secret key", scheme, secret, private=True, keys=owner)
    files.write(folder / PUBLIC, "public key", scheme, public, keys=owner)
    for digit in range(scheme.info.digits):
        key = scheme.make_evaluation(seed, digit)
        files.write(folder / EVALUATION.format(digit), "evaluation key", scheme, key, keys=owner, digit=digit)
        step(digit + 1, scheme.info.digits)


def _read(scheme: Scheme, path: Path, kind: str, owner: str, *shape: int) -> files.Stored:
    """An object of these keys, of this shape."""
    stored = files.read(path, kind, scheme)
    files.expect_shape(path, stored, *shape)
    of_owner(path, stored, owner)
    return stored


def load_public(scheme: Scheme, folder: Path) -> str:
    """Loads the public key; gives the name of the keys that belong together."""
    path = folder / PUBLIC
    stored = files.read(path, "public key", scheme)
    files.expect_shape(path, stored, scheme.info.all_primes, scheme.info.n)
    scheme.load_public(stored.data)
    return files.fact(path, stored.facts, "keys", str)


def of_owner(path: Path, stored: files.Stored, owner: str) -> None:
    if stored.facts.get("keys") != owner:
        raise MismatchError("LTV_KEYS", f"{path} belongs to other keys.", "Use files of one `ringside ltv keygen`.")


def load_secret(scheme: Scheme, folder: Path, owner: str) -> None:
    scheme.load_secret(_read(scheme, folder / SECRET, "secret key", owner, scheme.info.n).data)


def evaluation_keys(scheme: Scheme, folder: Path, owner: str) -> Iterator[Words]:
    """Digit by digit."""
    for digit in range(scheme.info.digits):
        path = folder / EVALUATION.format(digit)
        stored = _read(scheme, path, "evaluation key", owner, scheme.info.key_rows, scheme.info.n)
        if stored.facts.get("digit") != digit:
            raise MismatchError("LTV_KEYS", f"{path} holds digit {stored.facts.get('digit')}.", "Restore its name.")
        yield stored.data


def load_evaluation(scheme: Scheme, folder: Path, owner: str, step: Step) -> None:
    for digit, key in enumerate(evaluation_keys(scheme, folder, owner)):
        scheme.load_evaluation(digit, key)
        step(digit + 1, scheme.info.digits)


# ---- jobs: what a client sends ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Job:
    """blocks: what AES is computed of, public. data: what is XORed to the result, or None; length: its bytes."""

    folder: Path
    owner: str
    blocks: Bytes
    data: Bytes | None
    length: int
    name: str  # the name of the job, by all that was sent: a checkpoint belongs to one


def write_job(
    scheme: Scheme,
    folder: Path,
    owner: str,
    key: bytes,
    seed: bytes,
    blocks: Bytes,
    data: Bytes | None,
    length: int,
    step: Step,
) -> None:
    """Encrypted round keys, blocks, and data as AES-CTR bytes. The blocks are written last: without them there is no job."""
    make_directories(folder)
    (folder / BLOCKS).unlink(missing_ok=True)  # an older job's, which would be computed with some of the new keys
    parts = []
    for number in range(ROUNDS + 1):
        state = scheme.encrypt_round_key(seed, number, key)
        path = folder / ROUND_KEY.format(number)
        parts.append(files.write(path, "round key", scheme, state, keys=owner, round=number))
        step(number + 1, ROUNDS + 1)
    if data is not None:
        parts.append(files.write(folder / DATA, "data", scheme, data, keys=owner, bytes=length))
    files.write(folder / BLOCKS, "blocks", scheme, blocks, keys=owner, has_data=data is not None, parts=_name(parts))


def _name(sums: Iterable[str]) -> str:
    """One name for data that belong together."""
    return hashlib.sha3_256("".join(sums).encode()).hexdigest()[:32]


def read_job(scheme: Scheme, folder: Path, owner: str) -> Job:
    path = folder / BLOCKS
    stored = _read(scheme, path, "blocks", owner, scheme.info.slots, BLOCK)
    data, length = None, 0
    sums = [stored.sum]
    for number in range(ROUNDS + 1):
        place = folder / ROUND_KEY.format(number)
        found = files.peek(place)
        _of_round(place, found.facts, number)
        sums.append(found.sum)
    if files.fact(path, stored.facts, "has_data", bool):
        path = folder / DATA
        hidden = _read(scheme, path, "data", owner, scheme.info.slots, BLOCK)
        data, length = hidden.data, files.fact(path, hidden.facts, "bytes", int)
        sums.append(hidden.sum)
    if stored.facts.get("parts") != _name(sums[1:]):
        message = f"{folder / BLOCKS} belongs to other round keys or other data than those beside it."
        raise MismatchError("LTV_JOB", message, "Copy the whole job again, or run `ringside ltv encrypt` again.")
    return Job(folder, owner, stored.data, data, length, f"{owner}-{_name(sums)}")


def _of_round(path: Path, facts: Mapping[str, object], after: int) -> None:
    if facts.get("round") != after:
        raise MismatchError("LTV_ROUND", f"{path} is of round {facts.get('round')}, not {after}.", "Check the names.")


def read_state(scheme: Scheme, path: Path, kind: str, owner: str, after: int) -> Words:
    """A state after a round, or the round key that becomes one."""
    stored = files.read(path, kind, scheme)
    of_owner(path, stored, owner)
    _of_round(path, stored.facts, after)
    files.expect_shape(path, stored, scheme.level(after), STATE, scheme.info.n)
    scheme.check_state(stored.data)
    return stored.data


def round_key(scheme: Scheme, job: Job, number: int) -> Words:
    return read_state(scheme, job.folder / ROUND_KEY.format(number), "round key", job.owner, number)


# ---- checkpoints: the state after a round ---------------------------------------------------------------------------------
def save_checkpoint(scheme: Scheme, folder: Path, job: Job, number: int, state: Words) -> None:
    make_directories(folder)
    files.write(folder / CHECKPOINT, "checkpoint", scheme, state, keys=job.owner, round=number, job=job.name)


def load_checkpoint(scheme: Scheme, folder: Path, job: Job) -> tuple[int, Words]:
    """The round that is done, and its state."""
    path = folder / CHECKPOINT
    facts = files.peek(path).facts
    if facts.get("job") != job.name:
        message = f"{path} is of another job."
        raise MismatchError("LTV_JOB", message, "Name its folder, or begin again without --resume.")
    number = files.fact(path, facts, "round", int)
    if not 0 <= number <= ROUNDS:
        raise MismatchError("LTV_ROUND", f"{path} is of round {number}, and there are {ROUNDS}.", "Begin again.")
    return number, read_state(scheme, path, "checkpoint", job.owner, number)


def pad_blocks(data: bytes, slots: int) -> Bytes:
    """Bytes as blocks [slots][16], zeros behind them."""
    out = np.zeros(slots * BLOCK, dtype=np.uint8)
    out[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    return out.reshape(slots, BLOCK)


def counters(nonce: bytes, slots: int) -> Bytes:
    """Counter blocks: 12 bytes of nonce, then the number of the block, big-endian (NIST SP 800-38A's CTR)."""
    numbers = np.arange(slots, dtype=">u4").view(np.uint8).reshape(slots, 4)
    start = np.broadcast_to(np.frombuffer(nonce, dtype=np.uint8), (slots, len(nonce)))
    return np.ascontiguousarray(np.concatenate([start, numbers], axis=1))
