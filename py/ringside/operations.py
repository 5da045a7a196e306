# SPDX-License-Identifier: Apache-2.0
"""What designs compute, by name: a row for each operation. Commands, measurements, exploration, the driver's programs and the SoC's firmware look it up here.

TABLE["ml-kem-768-encaps"].scheme == "ML-KEM-768"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .errors import ParameterError, UsageError
from .hints import did_you_mean

CKKS, RING, KECCAK, NEWHOPE, BLISS = "CKKS", "ring", "Keccak", "NewHope", "BLISS"
EXACT = ("BFV", "BGV")
CLIENT = (CKKS, *EXACT)  # what a context computes
KEMS = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024")
SIGNATURES = ("ML-DSA-44", "ML-DSA-65", "ML-DSA-87")
SWITCH_KEY = "switch-key"
SEALED = "-sealed"  # ends the name of what a core does with a key that it keeps

# options by which an operation says its sizes, of `ringside cycles` and in a workload of exploration
SIZES, SET, SLICES = (
    frozenset(("n", "limbs", "bits", "frames")),
    frozenset(("params", "frames")),
    frozenset(("log_size", "slices")),
)
NONE: frozenset[str] = frozenset()
# and of `ringside soc run`
FRAMES = frozenset(("n", "limbs", "bits", "frames", "overlap", "waves", "waves_from", "waves_cycles"))
CALLS = frozenset(("frames", "core_divider"))


# values of options that are not given
USUAL: Mapping[str, Mapping[str, int]] = {
    "cycles": {"n": 4096, "limbs": 1, "bits": 30, "frames": 1, "slices": 1},
    "soc run": {"n": 1024, "limbs": 1, "bits": 30, "frames": 1, "core_divider": 1},
}


@dataclass(frozen=True)
class OperationRow:
    """scheme: CKKS, one of EXACT, RING, KECCAK, NEWHOPE, BLISS, or a set's name; what: the operation of it. job: its name in the driver, of CLIENT.

    takes: sets of options; what is given fits one of them. Empty: `ringside cycles` cannot. on_chip: options of `ringside soc run`; None: it cannot.
    alone: cycles of the processor that does it alone, about; 0: `ringside soc profile` cannot. averages: how long it takes depends on its seeds.
    """

    name: str
    scheme: str
    what: str = ""
    job: str = ""
    takes: tuple[frozenset[str], ...] = (NONE,)
    on_chip: frozenset[str] | None = None
    alone: int = 0
    averages: bool = False

    @property
    def fixed(self) -> bool:
        """Whether the core encodes or decodes, in fixed point."""
        return self.name.startswith(("encode-", "decrypt-decode"))

    @property
    def limbs_read(self) -> int:
        """Limbs that an operation which decodes reads."""
        return 2 if self.what.startswith("decrypt-decode-two") else 1


def _ckks() -> Iterable[OperationRow]:
    for what in ("ntt", "intt"):
        yield OperationRow(what, CKKS, what, f"RS_JOB_{what.upper()}", (SIZES, SET, SLICES))
    plain = ("encrypt-pk", "encrypt-pk-direct", "encrypt-sk", "decrypt")
    fixed = [*(f"encode-{what}" for what in plain[:3]), "decrypt-decode"]
    # at a scale that is no power of two, such as that of a ciphertext that a server has rescaled
    rescaled = [f"{what}-rescaled" for what in fixed]
    # two limbs, where results do not fit the first modulus
    two = ["decrypt-decode-two", "decrypt-decode-two-rescaled"]
    for name in (*plain, *fixed, *rescaled, *two):
        words = name.removeprefix("encode-").removesuffix("-rescaled")
        job = "decrypt" if words.startswith("decrypt") else words
        on_chip = FRAMES if name in (*plain, *fixed) else None
        yield OperationRow(name, CKKS, name, "RS_JOB_" + job.upper().replace("-", "_"), (SIZES, SET), on_chip)
    # a row of a key for a rotation; frames are one row after another
    yield OperationRow(SWITCH_KEY, CKKS, SWITCH_KEY, "RS_JOB_ENCRYPT_SK", (SIZES, SET), FRAMES)


def _exact() -> Iterable[OperationRow]:
    for scheme in EXACT:
        plain = ("encrypt-pk", "encrypt-pk-direct", "encrypt-sk")
        for what in (*plain, *(f"encode-{one}" for one in plain), "decrypt"):
            job = "RS_JOB_" + what.removeprefix("encode-").upper().replace("-", "_")
            on_chip = None if what.startswith("encode-") else FRAMES  # where the core encodes what it can
            yield OperationRow(f"{scheme.lower()}-{what}", scheme, what, job, (SIZES, SET), on_chip)


def _schemes() -> Iterable[OperationRow]:
    for scheme, names, least in ((KEMS, ("keygen", "encaps", "decaps", "decaps-sealed"), 1200),
                                 (SIGNATURES, ("keygen", "sign", "sign-sealed", "verify"), 60_000)):  # fmt: skip
        for of_set in scheme:
            for what in names:
                sealed = what.endswith(SEALED)
                alone = 0 if sealed else least * int(of_set.rpartition("-")[2])
                name = f"{of_set.lower()}-{what}"
                yield OperationRow(
                    name, of_set, what, on_chip=None if sealed else CALLS, alone=alone, averages=what == "sign"
                )


def _research() -> Iterable[OperationRow]:
    yield OperationRow("keccak", KECCAK)
    # a server makes a message, and finishes with the client's answer
    yield OperationRow("newhope-server", NEWHOPE, "server", alone=2_500_000)
    for what in ("begin", "finish"):
        yield OperationRow(f"newhope-{what}", NEWHOPE, what, on_chip=CALLS)
    yield OperationRow("newhope-client", NEWHOPE, "client", on_chip=CALLS, alone=2_500_000)
    for what in ("sign", "verify"):
        yield OperationRow(f"bliss-{what}", BLISS, what, takes=(), alone=6_000_000, averages=what == "sign")
    # products in the rings of these schemes alone
    for name in ("newhope-server", "newhope-client", "bliss-sign", "bliss-verify"):
        yield OperationRow(f"{name}-ring", RING, name)


TABLE: Mapping[str, OperationRow] = {
    row.name: row for rows in (_ckks(), _exact(), _schemes(), _research()) for row in rows
}


def find(op: str, known: Iterable[str] = TABLE) -> OperationRow:
    """ParameterError: it is not among `known`."""
    if op not in TABLE or op not in known:
        hint = did_you_mean(op, list(known), f"Operations: {', '.join(known)}.")
        raise ParameterError("OP", f"There is no operation {op!r}.", hint)
    return TABLE[op]


def names(*schemes: str) -> tuple[str, ...]:
    """Operations of these schemes."""
    return tuple(name for name, row in TABLE.items() if row.scheme in schemes)


def option(name: str) -> str:
    return "--" + name.replace("_", "-")


def refuse(op: str, takes: tuple[frozenset[str], ...], given: Mapping[str, object]) -> None:
    """UsageError: an option is given (is not None) that the operation does not take, or not beside the others."""
    words = {name for name, value in given.items() if value is not None}
    best = max(takes, key=lambda one: len(one & words), default=NONE)
    for name in (name for name in given if name in words - best):
        beside = ", ".join(option(other) for other in given if other in best & words)
        why = (
            f"{option(name)} does not go with {beside}"
            if beside and any(name in one for one in takes)
            else f"{option(name)} is not for {op}"
        )
        known = [" ".join(option(other) for other in given if other in one) for one in takes if one]
        message = f"{why}."
        raise UsageError(
            "OPTION", message, f"{op} takes {', or '.join(known)}." if known else f"{op} takes no sizes: leave it out."
        )
