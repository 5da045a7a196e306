# SPDX-License-Identifier: Apache-2.0
"""Operations of ML-KEM, ML-DSA and NewHope with fixed inputs, and what the library says to them: what a core and a SoC are measured by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..devices.device import AnyDevice
from ..operations import KEMS, NEWHOPE, OperationRow
from ..pqc import MLDSA, MLKEM, NewHope

SEED, MESSAGE = bytes(range(64)), b"a message of some bytes"
HALF = SEED[:32]


@dataclass(frozen=True)
class KnownCall:
    """An operation. name: of the call of a SoC's firmware (soc.schemes.CALLS), with its inputs, and the outputs by the library.

    call: of the scheme on a device; result: what it gives. before: a call that comes first.
    """

    name: str
    inputs: Sequence[bytes]
    outputs: Sequence[bytes]
    call: Callable[[Any], Any]
    result: Any
    before: Callable[[Any], Any] = lambda scheme: None


def _kem(plain: MLKEM) -> dict[str, KnownCall]:
    ek, dk = plain.keygen(SEED)
    shared, ct = plain.encaps(ek, HALF)
    opened = KnownCall("mlkem_decaps", [dk, ct], [shared], lambda kem: kem.decaps(dk, ct), shared)
    return {
        "keygen": KnownCall("mlkem_keygen", [SEED], [ek, dk], lambda kem: kem.keygen(SEED), (ek, dk)),
        "encaps": KnownCall("mlkem_encaps", [ek, HALF], [ct, shared], lambda kem: kem.encaps(ek, HALF), (shared, ct)),
        "decaps": opened,
        "decaps-sealed": replace(opened, call=lambda kem: kem.decaps_sealed(ct), before=lambda kem: kem.seal(SEED)),
    }


def _signature(plain: MLDSA) -> dict[str, KnownCall]:
    pk, sk = plain.keygen(HALF)
    signature = plain.sign(sk, MESSAGE, deterministic=True)
    signed = KnownCall(
        "mldsa_sign",
        [sk, MESSAGE, bytes(32)],
        [signature],
        lambda dsa: dsa.sign(sk, MESSAGE, deterministic=True),
        signature,
    )
    given = [pk, MESSAGE, signature]
    return {
        "keygen": KnownCall("mldsa_keygen", [HALF], [pk, sk], lambda dsa: dsa.keygen(HALF), (pk, sk)),
        "sign": signed,
        "sign-sealed": replace(
            signed,
            call=lambda dsa: dsa.sign_sealed(MESSAGE, deterministic=True),
            before=lambda dsa: dsa.seal(HALF),
        ),
        "verify": KnownCall("mldsa_verify", given, [], lambda dsa: dsa.verify(pk, MESSAGE, signature), True),
    }


def _exchange(plain: NewHope) -> dict[str, KnownCall]:
    """ "server": both halves of it. Its noise is SHAKE256, as on a core."""
    seeds, noise = (HALF, SEED[32:]), SEED[16:48]
    message, secret = plain.server(seeds)
    answer, shared = plain.client(message, noise)
    begun = KnownCall("newhope_server", seeds, [message, secret], lambda hope: hope.server(seeds), (message, secret))
    return {
        "begin": begun,
        "finish": KnownCall(
            "newhope_shared", [answer, secret], [shared], lambda hope: hope.shared(secret, answer), shared
        ),
        "client": KnownCall(
            "newhope_client",
            [message, noise],
            [answer, shared],
            lambda hope: hope.client(message, noise),
            (answer, shared),
        ),
        "server": replace(
            begun,
            call=lambda hope: (hope.server(seeds), hope.shared(secret, answer)),
            result=((message, secret), shared),
        ),
    }


def known(row: OperationRow) -> tuple[KnownCall, int, Callable[[AnyDevice], Any]]:
    """An operation, the number of its set, and its scheme on a device that is open."""
    if row.scheme == NEWHOPE:
        hope = NewHope(research=True, noise="shake256")
        return _exchange(hope)[row.what], hope._scheme.number, NewHope._on
    if row.scheme in KEMS:
        kem = MLKEM(row.scheme)
        return _kem(kem)[row.what], kem._set, partial(MLKEM._on, row.scheme)
    dsa = MLDSA(row.scheme)
    return _signature(dsa)[row.what], dsa._set, partial(MLDSA._on, row.scheme)
