# SPDX-License-Identifier: Apache-2.0
"""PEM (RFC 7468): DER in base64 between two lines that name what it is."""

from __future__ import annotations

import base64
import binascii
import re

from .der import key_file_error

PUBLIC = "PUBLIC KEY"
PRIVATE = "PRIVATE KEY"

_LINE = 64
_MARK = re.compile(rb"^-----(BEGIN|END) ([A-Z0-9 ]+)-----[ \t]*\r?$", re.MULTILINE)
_HINTS = {
    "ENCRYPTED PRIVATE KEY": "Remove the password first, for example with `openssl pkcs8`: encrypted keys are not read.",
    "CERTIFICATE": "Extract its key, for example with `openssl x509 -pubkey -noout`.",
    PUBLIC: "Name the file of the private key.",
    PRIVATE: "Name the file of the public key.",
}


def is_pem(data: bytes | memoryview) -> bool:
    """Whether there is a line that begins a PEM block."""
    found = _MARK.search(data)
    return found is not None and found[1] == b"BEGIN"


def encode(label: str, content: bytes) -> bytes:
    """One block, in lines of 64 characters."""
    text = base64.b64encode(content).decode("ascii")
    lines = [text[at : at + _LINE] for at in range(0, len(text), _LINE)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""]).encode("ascii")


def decode(label: str, data: bytes | memoryview) -> bytes:
    """The content of the one block in a file, which must have this label. Text before it is passed over, as RFC 7468 asks.

    WireError: no block or several, another label, something behind it, or base64 that is not what `encode` makes but for its lines.
    """
    marks = list(_MARK.finditer(data))
    if not marks or marks[0][1] != b"BEGIN":
        raise key_file_error("There is no line that begins a PEM block.", f"It reads -----BEGIN {label}-----.")
    found = marks[0][2].decode("ascii")
    if found != label:
        raise key_file_error(f"The PEM block is labelled {found}, and {label} was expected.", _HINTS.get(found, ""))
    if len(marks) < 2 or marks[1][1] != b"END" or marks[1][2] != marks[0][2]:
        raise key_file_error(f"The PEM block has no line -----END {label}----- at its end.", "The file is incomplete.")
    if bytes(data[marks[1].end() :]).strip():
        raise key_file_error("Something follows the PEM block.", "Give a file with one key.")
    text = b"".join(bytes(data[marks[0].end() : marks[1].start()]).split())
    try:
        content = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise key_file_error(f"The PEM block is not base64: {error}.", "The file is damaged.") from error
    if base64.b64encode(content) != text:  # bits that no byte has
        raise key_file_error("The base64 of the PEM block ends in bits that mean nothing.", "The file is damaged.")
    return content
