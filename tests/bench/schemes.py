# SPDX-License-Identifier: Apache-2.0
"""ML-KEM and ML-DSA beside other libraries, as Python programs call each of them: a table of its own after that of `make bench`.

Peers come from packages: OpenSSL in `cryptography`, and the crates of RustCrypto in `pqcrypto`. Keys and messages are the same for all; signatures are
hedged, so their rounds differ, and a figure is of many of them. Outputs are checked before anything is timed: each library takes what Ringside made.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from types import ModuleType
from typing import Any

from rich.console import Console
from rich.table import Table

import ringside as rs
from ringside import pqc
from ringside.native.library import ffi, lib

OURS, OPENSSL, RUST = "ringside", "openssl", "rustcrypto"
SETS = (*pqc.KEM_SETS, *pqc.SIGNATURE_SETS)
SEED, MESSAGE = bytes(range(64)), bytes(range(100))
ROUNDS, SAMPLE_NS = 5, 12_000_000

Operations = Mapping[str, Callable[[], Any]]
Sizes = Mapping[str, Any]


@dataclass(frozen=True)
class Bar:
    """Our time is at most `value` of the peer's."""

    peer: str
    op: str
    value: float


# Bars of all sets that the peer has. OpenSSL's objects keep a key's matrix and do not expand it for encapsulation,
# decapsulation: no bar there.
BARS = (
    *(Bar(OPENSSL, op, 1.0) for op in ("keygen", "sign", "verify")),
    *(Bar(RUST, op, 1.0) for op in ("keygen", "encaps", "decaps", "sign", "verify")),
)


def _expect(held: object, what: str) -> None:
    if not held:
        raise rs.InternalError("BENCH", f"{what}: the answer is not Ringside's.")


# ---- peers -----------------------------------------------------------------------------------------------------------
def _ours(name: str) -> Operations:
    if name in pqc.KEM_SETS:
        kem = pqc.MLKEM(name)
        ek, dk = kem.keygen(SEED)
        _, ct = kem.encaps(ek)
        return {"keygen": kem.keygen, "encaps": lambda: kem.encaps(ek), "decaps": lambda: kem.decaps(dk, ct)}
    dsa = pqc.MLDSA(name)
    pk, sk = dsa.keygen(SEED[:32])
    signature = dsa.sign(sk, MESSAGE)
    return {
        "keygen": dsa.keygen,
        "sign": lambda: dsa.sign(sk, MESSAGE),
        "verify": lambda: dsa.verify(pk, MESSAGE, signature),
    }


def _openssl(name: str) -> Operations | None:
    from cryptography.hazmat.primitives.asymmetric import mldsa, mlkem

    module: ModuleType = mlkem if name in pqc.KEM_SETS else mldsa
    key = getattr(module, name.replace("-", "") + "PrivateKey", None)
    if key is None:
        return None
    if name in pqc.KEM_SETS:
        kem = pqc.MLKEM(name)
        private = key.from_seed_bytes(SEED)
        ek, _ = kem.keygen(SEED)
        shared, ct = kem.encaps(ek)
        _expect(private.decapsulate(ct) == shared, f"decapsulation of {name} by OpenSSL")
        public = private.public_key()
        return {"keygen": key.generate, "encaps": public.encapsulate, "decaps": lambda: private.decapsulate(ct)}
    dsa = pqc.MLDSA(name)
    private = key.from_seed_bytes(SEED[:32])
    signature = dsa.sign(dsa.keygen(SEED[:32])[1], MESSAGE)
    public = private.public_key()
    public.verify(signature, MESSAGE)  # else InvalidSignature
    return {
        "keygen": key.generate,
        "sign": lambda: private.sign(MESSAGE),
        "verify": lambda: public.verify(signature, MESSAGE),
    }


def _rust(name: str) -> Operations | None:
    import pqcrypto

    module = getattr(pqcrypto, name.lower().replace("-", "_"))
    if name in pqc.KEM_SETS:
        ek, dk = module.keygen()
        shared, ct = pqc.MLKEM(name).encaps(bytes(ek))
        _expect(bytes(module.decaps(dk, ct)) == shared, f"decapsulation of {name} by RustCrypto")
        return {"keygen": module.keygen, "encaps": lambda: module.encaps(ek), "decaps": lambda: module.decaps(dk, ct)}
    pk, sk = module.keygen()
    signature = bytes(module.sign(sk, MESSAGE))
    _expect(pqc.MLDSA(name).verify(bytes(pk), MESSAGE, signature), f"a signature of {name} by RustCrypto")
    return {
        "keygen": module.keygen,
        "sign": lambda: module.sign(sk, MESSAGE),
        "verify": lambda: module.verify(pk, MESSAGE, signature),
    }


PEERS: Mapping[str, Callable[[str], Operations | None]] = {OURS: _ours, OPENSSL: _openssl, RUST: _rust}


def about() -> dict[str, dict[str, str]]:
    """Titles of the peers that are installed, with versions and instructions; reasons of the others."""
    found = {OURS: {"version": f"Ringside {rs.__version__}, {ffi.string(lib.rs_backend_name()).decode()}"}}
    try:
        from cryptography.hazmat.backends.openssl import backend

        library = " ".join(backend.openssl_version_text().split()[:2])
        text = f"{library} in cryptography {version('cryptography')}, what it finds on the processor"
        found[OPENSSL] = {"version": text}
    except ImportError as error:
        found[OPENSSL] = {"absent": str(error)}
    try:
        import pqcrypto  # noqa: F401 (whether it is there)

        found[RUST] = {"version": f"RustCrypto in pqcrypto {version('pqcrypto')}, baseline x86-64"}
    except ImportError as error:
        found[RUST] = {"absent": str(error)}
    return found


# ---- measuring -------------------------------------------------------------------------------------------------------
def _nanoseconds(call: Callable[[], Any], least: int) -> float:
    """Processor time of a call, as the mean of as many as last that long."""
    calls, taken = 0, 0
    begin = time.process_time_ns()
    while taken < least:
        call()
        calls += 1
        taken = time.process_time_ns() - begin
    return taken / calls


def measure(rounds: int = ROUNDS, sample_ns: int = SAMPLE_NS, sets: Sequence[str] = SETS) -> dict[str, Any]:
    """As build/bench.json has it below "schemes": peers, operations of each set, verdicts."""
    peers = about()
    there = [name for name, what in peers.items() if "version" in what]
    results: dict[str, Any] = {}
    for name in sets:
        offered = {peer: PEERS[peer](name) for peer in there}
        known = {peer: operations for peer, operations in offered.items() if operations is not None}
        results[name] = {"operations": {}}
        for op in known[OURS]:
            samples: dict[str, list[float]] = {peer: [] for peer in known}
            for _ in range(rounds):
                for peer, operations in known.items():
                    samples[peer].append(_nanoseconds(operations[op], sample_ns))
            results[name]["operations"][op] = {
                peer: {"cpu_ns_median": statistics.median(found), "cpu_ns_min": min(found)}
                for peer, found in samples.items()
            }
    return {"peers": peers, "sets": results, "bars": verdicts(results)}


def verdicts(results: Sizes) -> list[dict[str, Any]]:
    """Each bar for each set that was measured: the ratio of medians, ours over the peer's, and whether it holds."""
    found = []
    for bar in BARS:
        for name, of_set in results.items():
            times = of_set["operations"].get(bar.op, {})
            if bar.peer in times:
                ratio = times[OURS]["cpu_ns_median"] / times[bar.peer]["cpu_ns_median"]
                row = {"set": name, "op": bar.op, "peer": bar.peer, "bar": bar.value}
                found.append({**row, "ratio": ratio, "passed": ratio <= bar.value})
    return found


def show(numbers: Mapping[str, Any], console: Console) -> None:
    """Microseconds of a call, and how many times as long the peer takes."""
    table = Table(
        title="ML-KEM and ML-DSA, called from Python: microseconds, and how many times ours", title_justify="left"
    )
    others = [peer for peer, what in numbers["peers"].items() if peer != OURS and "version" in what]
    for column in ("set", "operation", OURS, *others):
        table.add_column(column, justify="left" if column in ("set", "operation") else "right")
    for name, of_set in numbers["sets"].items():
        for op, times in of_set["operations"].items():
            own = times[OURS]["cpu_ns_median"]
            cells = [f"{own / 1000:,.1f}"]
            for peer in others:
                taken = times.get(peer, {}).get("cpu_ns_median")
                cells.append("" if taken is None else f"{taken / 1000:,.1f} = {taken / own:.2f}×")
            table.add_row(name, op, *cells)
    console.print(table)
    for peer, what in numbers["peers"].items():
        console.print(f"{peer}: {what.get('version') or 'absent: ' + what['absent']}", highlight=False, markup=False)
    missed = [one for one in numbers["bars"] if not one["passed"]]
    for one in missed:
        text = (
            f"missed: {one['op']} of {one['set']} takes {one['ratio']:.2f} of {one['peer']}'s time, bar {one['bar']:g}"
        )
        console.print(text, highlight=False, markup=False)
    console.print(f"bars of the schemes: {len(numbers['bars']) - len(missed)} of {len(numbers['bars'])} reached")
