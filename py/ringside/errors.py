# SPDX-License-Identifier: Apache-2.0
"""Exceptions. Each has a `code` (the library's status name), a one-sentence `message` and, where there is one, a `hint`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar


class RingsideError(Exception):
    """Base of every error that this package raises.

    code: name of the status, such as ``RS_ERR_OVERFLOW``; errors found in Python have names of their own (``FILE_EXISTS``).
    message: what is wrong, one sentence. hint: what to do about it, or an empty string.
    exit_code: what the command line returns for it. frame: which one of a batch is at fault, else None.
    """

    exit_code: ClassVar[int] = 1
    frame: int | None = None

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message if not hint else f"{message} {hint}")
        self.code = code
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        """Exceptions come back from worker processes pickled; the usual way calls the class with the whole sentence alone."""
        return type(self), (self.code, self.message, self.hint), {"frame": self.frame}


class ParameterError(RingsideError, ValueError):
    """A parameter set that does not exist, is malformed or too weak."""

    exit_code = 3


class InputError(RingsideError, ValueError):
    """Values, scale, level or rotation outside of what the parameters can hold."""

    exit_code = 3


class DeviceError(RingsideError, ValueError):
    """A device that does not exist here, cannot do what is asked, or failed."""

    exit_code = 3


class FileError(RingsideError):
    """A file that is missing, in the way, unreadable or cannot be written."""

    exit_code = 4


class WireError(RingsideError, ValueError):
    """Data that are not a well-formed object of the wanted kind: of SEAL, of TenSEAL, or a file of a key, ciphertext or signature."""

    exit_code = 4


class MismatchError(RingsideError, ValueError):
    """Objects of different parameters, levels, scales or forms used together."""

    exit_code = 5


class SecretKeyError(RingsideError, ValueError):
    """A secret key that is damaged, closed, or not the one that belongs to the ciphertext or public key."""

    exit_code = 5


class UsageError(RingsideError, ValueError):
    """Options or arguments that contradict each other."""

    exit_code = 2


class ArgumentError(InputError, TypeError):
    """An argument of a kind that the function does not take."""

    exit_code = 2


class InternalError(RingsideError):
    """A fault of the machine or of Ringside itself: no memory, no randomness, a failed self-test."""


# ---- errors of one frame of a batch --------------------------------------------------------------------------------
def of_frame(index: int, error: RingsideError) -> RingsideError:
    """The same error, with the frame's index in front."""
    return _renamed(error, f"Frame {index}", error.message, index)


def _renamed(error: RingsideError, name: str, message: str, index: int) -> RingsideError:
    renamed = type(error)(error.code, f"{name}: {message}", error.hint)
    renamed.frame = index
    return renamed


def _bare(error: RingsideError) -> str:
    """The message without the frame."""
    return error.message.removeprefix(f"Frame {error.frame}: ")


@contextmanager
def in_frame(index: int) -> Iterator[None]:
    """Errors get the frame's index in front (of_frame)."""
    try:
        yield
    except RingsideError as error:
        raise of_frame(index, error) from error


@contextmanager
def without_frame() -> Iterator[None]:
    """Errors of a batch of one name no frame."""
    try:
        yield
    except RingsideError as error:
        if error.frame is None:
            raise
        raise type(error)(error.code, _bare(error), error.hint) from error


@contextmanager
def frames_from(first: int) -> Iterator[None]:
    """Errors count frames from the first of a part; messages count them in the whole."""
    try:
        yield
    except RingsideError as error:
        if error.frame is None or first == 0:
            raise
        index = first + error.frame
        raise _renamed(error, f"Frame {index}", _bare(error), index) from error


@contextmanager
def frames_called(names: Sequence[object]) -> Iterator[None]:
    """Errors that name a frame by its index name it so instead."""
    try:
        yield
    except RingsideError as error:
        if error.frame is None:
            raise
        raise _renamed(error, str(names[error.frame]), _bare(error), error.frame) from error


# ---- errors of the library -----------------------------------------------------------------------------------------
_CLASSES: dict[type[RingsideError], str] = {
    ParameterError: "DEGREE LIMB_COUNT MODULUS_RANGE MODULUS_PRIME MODULUS_NTT MODULUS_TWICE PRIMES SET SECURITY_LEVEL INSECURE NO_SPECIAL "
    "SEED_TYPE SCHEME CONSENT OPTION PLAIN_MODULUS BATCHING",
    InputError: "LEVEL SCALE VALUE_COUNT NOT_FINITE OVERFLOW VALUE_RANGE GALOIS THREADS PUBLISH WORD_BITS LAYOUT BYTES PUBLIC_KEY CONTEXT_STRING "
    "PREHASH SIGNATURE NOISE",
    FileError: "IO DISK_FULL",
    WireError: "TRUNCATED TRAILING MAGIC VERSION COMPRESSION CODEC LENGTH KIND RESIDUE NOT_NTT CORRECTION",
    MismatchError: "MISMATCH FORM SEEDED POLY_COUNT",
    SecretKeyError: "SECRET_KEY KEY_PAIR ROUNDS",
    DeviceError: "BACKEND DESIGN DESIGN_DEGREE DESIGN_MODULUS PROGRAM_LENGTH TIME DEVICE_ABSENT DEVICE_VERSION DEVICE_DESIGN DEVICE_ADDRESS "
    "DEVICE_MEMORY DEVICE_NOT_LOADED DEVICE_BUSY DEVICE_STALL DEVICE_BUS DEVICE_RESIDUE DEVICE_WATCHDOG DEVICE_ABORTED DEVICE_ALERT "
    "DEVICE_PROGRAM DEVICE_KEY_USE DEVICE_UNWIPED",
}

CLASS_OF_CODE: dict[str, type[RingsideError]] = {
    f"RS_ERR_{name}": cls for cls, names in _CLASSES.items() for name in names.split()
}

HINT_OF_CODE: dict[str, str] = {
    "RS_ERR_DEGREE": "Use N = 512, 1024, 2048, … 131072.",
    "RS_ERR_MODULUS_NTT": "Let Parameters.from_bits choose the primes.",
    "RS_ERR_PRIMES": "Use a larger bit size: few small primes are 1 mod 2N.",
    "RS_ERR_SET": "`ringside params` lists the sets of CKKS, BFV and BGV. ML-KEM has 512, 768 and 1024, ML-DSA 44, 65 and 87, FN-DSA 512 and 1024.",
    "RS_ERR_SECURITY_LEVEL": "Use 128, 192, 256, or 0 for no check.",
    "RS_ERR_INSECURE": "Use a larger N or fewer modulus bits; security 0 (command line: none) skips the check.",
    "RS_ERR_LEVEL": "A level is the number of limbs minus one: 0 is the lowest.",
    "RS_ERR_SCALE": "The scale is a positive number such as 2^40, well below the modulus of the level.",
    "RS_ERR_OVERFLOW": "Use a smaller scale, smaller values or a higher level.",
    "RS_ERR_VALUE_RANGE": "Decrypt from more limbs, or use another scale; in fixed point a larger bound, or numbers of more bits.",
    "RS_ERR_VALUE_COUNT": "Encode at most N/2 values at a time.",
    "RS_ERR_NOT_FINITE": "Replace NaN and infinity, for example by np.nan_to_num.",
    "RS_ERR_WORD_BITS": "Use 54, the default, or the width of the device's words.",
    "RS_ERR_LAYOUT": "Use a smaller exponent or bound.",
    "RS_ERR_LIMB_COUNT": "Give one modulus or more, and 64 at most.",
    "RS_ERR_MODULUS_RANGE": "Give sizes of at most 60 bits, such as 36: Parameters.from_bits (--bits) chooses the primes.",
    "RS_ERR_MODULUS_PRIME": "Let Parameters.from_bits choose the primes.",
    "RS_ERR_MODULUS_TWICE": "Give each modulus once.",
    "RS_ERR_MAGIC": "Name a file that SEAL, TenSEAL or Ringside wrote; `ringside inspect FILE` tells what one holds.",
    "RS_ERR_KIND": "`ringside inspect FILE --keys DIR` tells what a file holds.",
    "RS_ERR_RESIDUE": "Use the parameters that the object was made with; if they are, it is damaged: copy or download it again.",
    "RS_ERR_POLY_COUNT": "Have the server relinearise the result.",
    "RS_ERR_GALOIS": "Rotation steps lie strictly between -N/2 and N/2; 0 is complex conjugation.",
    "RS_ERR_KEY_PAIR": "Make the public key again. If it was made just now, the machine computed wrongly: test its memory.",
    "RS_ERR_MISMATCH": "Use the parameters and keys that the object was made with.",
    "RS_ERR_NO_SPECIAL": "Relinearisation and Galois keys need a set with at least two limbs.",
    "RS_ERR_VERSION": "Versions 3.6, 3.7 and 4.0 to 4.4 can be written, of BGV with a correction factor only 4.0 to 4.4; files of 3.4 and later can be read.",
    "RS_ERR_TRUNCATED": "The file is incomplete: copy or download it again.",
    "RS_ERR_CODEC": "The file is damaged: copy or download it again.",
    "RS_ERR_TRAILING": "Name a file with one object, from its first byte to its last: copy or download it again.",
    "RS_ERR_LENGTH": "The file is damaged: copy or download it again.",
    "RS_ERR_COMPRESSION": "Write the file again, without compression or by zlib or zstd.",
    "RS_ERR_SCHEME": "CKKS has numbers and a scale, BFV and BGV integers modulo the plain modulus: use what belongs to the parameters' scheme.",
    "RS_ERR_PLAIN_MODULUS": '65537 is right for N up to 32768; "batching:20" finds a prime of 20 bits for slots.',
    "RS_ERR_BATCHING": 'Take a plain modulus such as 65537 or "batching:20", or coefficients: packing="coefficients", --packing coefficients.',
    "RS_ERR_CORRECTION": "The object is damaged, or made under another plain modulus: ask for it again.",
    "RS_ERR_NOISE": "Have the server compute less, or take a larger set. Change the key: who sees this refusal learns about its noise.",
    "RS_ERR_NOT_NTT": "Have the server transform the object to NTT form, as its evaluator leaves it.",
    "RS_ERR_SECRET_KEY": "Use a copy of the key, or make a new pair: this one is damaged.",
    "RS_ERR_CONSENT": "Deterministic seeds are for tests only, research schemes for experiments only.",
    "RS_ERR_BACKEND": "Unset RINGSIDE_BACKEND, or name one that this machine has: `ringside doctor` lists them.",
    "RS_ERR_THREADS": "Use 1 to 256 threads, or leave their number out: as many as the process may use.",
    "RS_ERR_DESIGN": "Use another design or kind of encryption (--no-special-prime); `ringside designs` shows what each has.",
    "RS_ERR_DESIGN_DEGREE": "Use a design with a larger log_n_max, or another parameter set; `ringside designs` lists them.",
    "RS_ERR_DESIGN_MODULUS": "Use parameters with smaller primes, for words of 32 bits such as the sets lee-12 and lee-13 "
    "or --bits 8192:30,30,30, or a design with wider words.",
    "RS_ERR_PROGRAM_LENGTH": "Use a lower level, or a design with a larger program_depth.",
    "RS_ERR_BYTES": "Use a key, ciphertext or signature of the same set.",
    "RS_ERR_PUBLIC_KEY": "Ask for the key again: it did not come as it was made.",
    "RS_ERR_ROUNDS": "Use a copy of the key, or make a new pair.",
    "RS_ERR_CONTEXT_STRING": "Use a context of 0 to 255 bytes.",
    "RS_ERR_PREHASH": "Use a function of FIPS 204, and its whole digest.",
    "RS_ERR_DEVICE_MEMORY": "Give the simulated device more: sim:DESIGN,memory=MiB.",
}
