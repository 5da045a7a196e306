# SPDX-License-Identifier: Apache-2.0
"""The client's work beside keys: what it sends, and what it gets back."""

import math
import secrets
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ringside.errors import InputError
from ringside.native.files import read_file

from . import files, store
from .scheme import BLOCK, STATE, Bytes, Scheme, encrypt_plain

NONCE_BYTES = 12


@dataclass(frozen=True)
class Sent:
    """Blocks whose AES the server computes, all public; data as AES-CTR bytes, or None; length: their bytes."""

    blocks: Bytes
    data: Bytes | None
    length: int


def prepare(slots: int, key: bytes, data: Path | None, block: bytes | None) -> Sent:
    """From a file, or one block for all slots."""
    if block is not None:
        return Sent(np.ascontiguousarray(np.broadcast_to(np.frombuffer(block, np.uint8), (slots, BLOCK))), None, 0)
    return hide(slots, key, read_file(data)) if data else Sent(_counters(slots), None, 0)


def _counters(slots: int) -> Bytes:
    return store.counters(secrets.token_bytes(NONCE_BYTES), slots)


def hide(slots: int, key: bytes, content: bytes) -> Sent:
    """Bytes XOR AES(counters), which is as long as they are."""
    if len(content) > slots * BLOCK:
        message = f"{len(content)} bytes are more than the {slots * BLOCK} that {slots} slots take."
        raise InputError("LTV_LENGTH", message, "Use a larger ring, or send it in parts.")
    blocks = _counters(slots)
    stream = encrypt_plain(key, blocks)
    return Sent(blocks, store.pad_blocks(content, slots) ^ stream, len(content))


def open_result(scheme: Scheme, path: Path, owner: str) -> tuple[bytes, float, float]:
    """The decrypted bytes, log2 of their largest noise, and of the largest that is allowed."""
    stored = files.read(path, "result", scheme)
    store.of_owner(path, stored, owner)
    level = scheme.level(10)
    files.expect_shape(path, stored, level, STATE, scheme.info.n)
    scheme.check_state(stored.data)
    blocks, noise = scheme.decrypt_state(stored.data)
    content = blocks.tobytes()
    if files.fact(path, stored.facts, "has_data", bool):
        content = content[: max(0, files.fact(path, stored.facts, "bytes", int))]
    return content, noise, scheme.parameters.prime_bits - math.log2(2)
