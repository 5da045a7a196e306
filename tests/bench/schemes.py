# SPDX-License-Identifier: Apache-2.0
"""ML-KEM and ML-DSA beside other libraries: two tables of their own after that of `make bench`.

The first is of Python programs' calls. Its peers come from packages: OpenSSL in `cryptography`, and the crates of RustCrypto in `pqcrypto`. Keys and
messages are the same for all; signatures are hedged, so their rounds differ, and a figure is of many of them. Outputs are checked before anything is
timed: each library takes what Ringside made. The second is of a C program's calls (peers/native): mlkem-native, mldsa-native, and Dilithium's own code.
"""

import json
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.console import Console
from rich.table import Table

import ringside as rs
from bench.peers.native import peer as native
from bench.process import AbsentError
from ringside import pqc
from ringside.native.library import ffi, lib

OURS, OPENSSL, RUST = "ringside", "openssl", "rustcrypto"
C, C_AVX2 = "ringside-c", "ringside-c-avx2"  # as the native worker names them
SETS = (*pqc.KEM_SETS, *pqc.SIGNATURE_SETS)
SEED, MESSAGE = bytes(range(64)), bytes(range(100))
ROUNDS, SAMPLE_NS = 5, 12_000_000
NATIVE_ROUNDS = 200

Operations = Mapping[str, Callable[[], Any]]
Sizes = Mapping[str, Any]


@dataclass(frozen=True)
class Bar:
    """Our time is at most `value` of that of the fastest of the peers, in all sets that they have or in one."""

    peers: tuple[str, ...]
    op: str
    value: float
    ours: str = OURS
    set_: str = ""
    figure: str = "cpu_ns_median"


def native_bars(set_: str, **bounds: tuple[float, float]) -> tuple[Bar, ...]:
    """The peer's time over ours is at least this, on the best back end and on AVX2: by minima, as all sides run in turns in one process."""
    return tuple(
        Bar((*native.TITLES,), op, round(1 / bound, 3), ours, set_, "cpu_ns_min")
        for op, both in bounds.items()
        for ours, bound in zip((C, C_AVX2), both, strict=True)
    )


# Bars of all sets that the peer has. OpenSSL's objects keep a key's matrix and do not expand it for encapsulation,
# decapsulation: no bar there.
BARS = (
    *(Bar((OPENSSL,), op, 1.0) for op in ("keygen", "sign", "verify")),
    *(Bar((RUST,), op, 1.0) for op in ("keygen", "encaps", "decaps", "sign", "verify")),
    *native_bars("ML-KEM-768", keygen=(1.0, 0.85), encaps=(1.0, 0.85), decaps=(1.0, 0.85)),
    *native_bars("ML-DSA-65", keygen=(1.15, 0.85), sign=(1.4, 1.0), verify=(1.15, 0.95)),
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


def _figures(samples: Mapping[str, Sequence[float]]) -> dict[str, dict[str, float]]:
    return {
        peer: {"cpu_ns_median": statistics.median(found), "cpu_ns_min": min(found)} for peer, found in samples.items()
    }


def _natively(rounds: int, prepare: Callable[[], Path], peers: dict[str, dict[str, str]], sets: dict[str, Any]) -> None:
    """Adds what the C program measures, or why it is absent."""
    try:
        command = [str(prepare()), str(rounds)]
    except AbsentError as absent:
        peers.update({name: {"absent": str(absent)} for name in native.TITLES})
        return
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    for row in map(json.loads, done.stdout.splitlines()):
        sets.setdefault(row["set"], {"operations": {}})["operations"].setdefault(row["op"], {}).update(
            _figures(row["times"])
        )
    peers[C] = {"version": "the C library of this tree, best back end"}
    peers[C_AVX2] = {"version": "its back end avx2"}
    peers.update({name: {"version": title} for name, title in native.TITLES.items()})


def measure(
    rounds: int = ROUNDS,
    sample_ns: int = SAMPLE_NS,
    sets: Sequence[str] = SETS,
    prepare: Callable[[], Path] = native.prepare,
) -> dict[str, Any]:
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
            results[name]["operations"][op] = _figures(samples)
    _natively(NATIVE_ROUNDS, prepare, peers, results)
    return {"peers": peers, "sets": results, "bars": verdicts(results)}


def verdicts(results: Sizes) -> list[dict[str, Any]]:
    """Each bar for each set that was measured: the ratio of times, ours over the fastest peer's, and whether it holds."""
    found = []
    for bar in BARS:
        for name, of_set in results.items():
            times = of_set["operations"].get(bar.op, {})
            rivals = {times[peer][bar.figure]: peer for peer in bar.peers if peer in times}
            if rivals and bar.set_ in ("", name):
                ratio = times[bar.ours][bar.figure] / min(rivals)
                row = {"set": name, "op": bar.op, "ours": bar.ours, "peer": rivals[min(rivals)], "bar": bar.value}
                found.append({**row, "ratio": ratio, "passed": ratio <= bar.value})
    return found


def _table(numbers: Mapping[str, Any], title: str, ours: Sequence[str], others: Sequence[str], figure: str) -> Table:
    table = Table(title=title, title_justify="left")
    for column in ("set", "operation", *ours, *others):
        table.add_column(column, justify="left" if column in ("set", "operation") else "right")
    for name, of_set in numbers["sets"].items():
        for op, times in of_set["operations"].items():
            own = [times[side][figure] for side in ours]
            cells = [f"{time / 1000:,.1f}" for time in own]
            for peer in others:
                taken = times.get(peer, {}).get(figure)
                ratios = "" if taken is None else " / ".join(f"{taken / time:.2f}×" for time in own)
                cells.append("" if taken is None else f"{taken / 1000:,.1f} = {ratios}")
            table.add_row(name, op, *cells)
    return table


def show(numbers: Mapping[str, Any], console: Console) -> None:
    """Microseconds of a call, and how many times as long the peer takes."""
    there = [peer for peer, what in numbers["peers"].items() if "version" in what]
    title = "ML-KEM and ML-DSA, called from {}: microseconds{}, and how many times ours"
    others = [peer for peer in there if peer in (OPENSSL, RUST)]
    console.print(_table(numbers, title.format("Python", ""), [OURS], others, "cpu_ns_median"))
    if C in there:
        console.print(_table(numbers, title.format("C", ", least"), [C, C_AVX2], [*native.TITLES], "cpu_ns_min"))
    for peer, what in numbers["peers"].items():
        console.print(f"{peer}: {what.get('version') or 'absent: ' + what['absent']}", highlight=False, markup=False)
    missed = [one for one in numbers["bars"] if not one["passed"]]
    for one in missed:
        text = (
            f"missed: {one['op']} of {one['set']} by {one['ours']} takes {one['ratio']:.2f} of {one['peer']}'s time, "
            f"bar {one['bar']:g}"
        )
        console.print(text, highlight=False, markup=False)
    console.print(f"bars of the schemes: {len(numbers['bars']) - len(missed)} of {len(numbers['bars'])} reached")
