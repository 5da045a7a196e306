# SPDX-License-Identifier: Apache-2.0
"""Operations of ML-KEM, ML-DSA, NewHope and BLISS with their inputs, and what the library says to them: what a core, a SoC and a processor are measured by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..devices.device import AnyDevice
from ..operations import BLISS, KEMS, NEWHOPE, OperationRow
from ..pqc import MLDSA, MLKEM, Bliss, NewHope
from ..soc import job
from ..soc.job import GivenCall

SEED, MESSAGE = bytes(range(64)), b"a message of some bytes"


@dataclass(frozen=True)
class KnownCall:
    """An operation. op: of a SoC's firmware (soc.job), with its inputs, and the outputs by the library.

    call: of the scheme; result: what it gives. before: a call that comes first. set: the library's number.
    """

    op: int
    inputs: Sequence[bytes]
    outputs: Sequence[bytes]
    call: Callable[[Any], Any]
    result: Any
    before: Callable[[Any], Any] = lambda scheme: None
    set: int = 0

    @property
    def given(self) -> GivenCall:
        return GivenCall(self.inputs, [len(one) for one in self.outputs])


def _kem(plain: MLKEM, seed: bytes, m: bytes) -> dict[str, KnownCall]:
    ek, dk = plain.keygen(seed)
    shared, ct = plain.encaps(ek, m)
    opened = KnownCall(job.MLKEM_DECAPS, [dk, ct], [shared], lambda kem: kem.decaps(dk, ct), shared)
    return {
        "keygen": KnownCall(job.MLKEM_KEYGEN, [seed], [ek, dk], lambda kem: kem.keygen(seed), (ek, dk)),
        "encaps": KnownCall(job.MLKEM_ENCAPS, [ek, m], [ct, shared], lambda kem: kem.encaps(ek, m), (shared, ct)),
        "decaps": opened,
        "decaps-sealed": replace(opened, call=lambda kem: kem.decaps_sealed(ct), before=lambda kem: kem.seal(seed)),
    }


def _signature(plain: MLDSA, seed: bytes, text: bytes) -> dict[str, KnownCall]:
    pk, sk = plain.keygen(seed)
    signature = plain.sign(sk, text, deterministic=True)
    inputs = [sk, text, bytes(32)]
    signed = KnownCall(
        job.MLDSA_SIGN, inputs, [signature], lambda dsa: dsa.sign(sk, text, deterministic=True), signature
    )
    given = [pk, text, signature]
    return {
        "keygen": KnownCall(job.MLDSA_KEYGEN, [seed], [pk, sk], lambda dsa: dsa.keygen(seed), (pk, sk)),
        "sign": signed,
        "sign-sealed": replace(
            signed, call=lambda dsa: dsa.sign_sealed(text, deterministic=True), before=lambda dsa: dsa.seal(seed)
        ),
        "verify": KnownCall(job.MLDSA_VERIFY, given, [], lambda dsa: dsa.verify(pk, text, signature), True),
    }


def _bliss(plain: Bliss, seeds: bytes, text: bytes) -> dict[str, KnownCall]:
    pk, sk = plain.keygen(seeds[:64])
    seed = seeds[32:]
    signature, given = plain.sign(sk, text, seed), [sk, text, seed]
    return {
        "sign": KnownCall(job.BLISS_SIGN, given, [signature], lambda bliss: bliss.sign(*given), signature),
        "verify": KnownCall(
            job.BLISS_VERIFY, [pk, text, signature], [], lambda bliss: bliss.verify(pk, text, signature), True
        ),
    }


def _exchange(plain: NewHope, seeds: tuple[bytes, bytes], noise: bytes) -> dict[str, KnownCall]:
    """ "server": both halves of it."""
    message, secret = plain.server(seeds)
    answer, shared = plain.client(message, noise)
    begun = KnownCall(job.NEWHOPE_BEGIN, seeds, [message, secret], lambda hope: hope.server(seeds), (message, secret))
    inputs = [message, noise]
    return {
        "begin": begun,
        "finish": KnownCall(
            job.NEWHOPE_FINISH, [answer, secret], [shared], lambda hope: hope.shared(secret, answer), shared
        ),
        "client": KnownCall(
            job.NEWHOPE_CLIENT, inputs, [answer, shared], lambda hope: hope.client(message, noise), (answer, shared)
        ),
        "server": KnownCall(
            job.NEWHOPE_SERVER,
            [*seeds, answer],
            [message, secret, shared],
            lambda hope: (hope.server(seeds), hope.shared(secret, answer)),
            ((message, secret), shared),
        ),
    }


def known(
    row: OperationRow,
    seeds: bytes = SEED + SEED[:32],
    text: bytes = MESSAGE,
    noise: Literal["chacha20", "shake256"] = "shake256",
) -> KnownCall:
    """seeds: 96 bytes. text: that is signed. noise: of NewHope, SHAKE256 on a core."""
    seed, more = seeds[:64], seeds[64:]
    if row.scheme == BLISS:
        return _bliss(Bliss(research=True), seeds, text)[row.what]
    if row.scheme == NEWHOPE:
        hope = NewHope(research=True, noise=noise)
        call, number = _exchange(hope, (seed[:32], seed[32:]), more)[row.what], hope._scheme.number
    elif row.scheme in KEMS:
        kem = MLKEM(row.scheme)
        call, number = _kem(kem, seed, more)[row.what], kem._set
    else:
        dsa = MLDSA(row.scheme)
        call, number = _signature(dsa, seed[:32], text)[row.what], dsa._set
    return replace(call, set=number)


def scheme_on(row: OperationRow, device: AnyDevice) -> Any:
    """Its scheme on a device that is open."""
    if row.scheme == NEWHOPE:
        return NewHope._on(device)
    return MLKEM._on(row.scheme, device) if row.scheme in KEMS else MLDSA._on(row.scheme, device)
