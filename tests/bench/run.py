# SPDX-License-Identifier: Apache-2.0
"""Speed and memory against stock Microsoft SEAL, in the build that TenSEAL ships (tenseal.sealapi).

    make bench ARGS="--sets lee-12,lee-14 --rounds 9 --json"

What is timed
  One process, one thread, pinned to one processor, garbage collection off. In every round each operation runs on both sides in
  turn; a round's time is the median of its runs, the result is the best round.
  ringside   the Python package: Context.encrypt and so on, with a new object for every result
  core       the C functions below it, with results in memory that is used again
  SEAL       the binding's methods, with results in objects that are used again (SEAL's memory pool stays warm)
  The binding takes and gives lists of Python floats. What that costs is measured by itself, and taken off SEAL's time:
    encode   the same call with a scale that SEAL refuses before it does anything: the list is converted, nothing else
    decode   another vector of doubles of the same length, returned by the same kind of binding (PlainTensorDouble.data)
  "net" is SEAL's time without the conversion. Ratios are net / ringside, so above 1 Ringside is faster; bars are judged by them.
  Ringside's arrays need no conversion: NumPy in, NumPy out.
  SEAL's encode ends in NTT form. Ringside's stops at the coefficients, from which it encrypts; both ends are shown.
  Files: one full ciphertext. Ringside's save is atomic and waits for the disk (fsync), SEAL's does not; "memory" is to_bytes.

Memory
  A process of its own for each side and set: set-up, secret and public key, encode and encrypt, decrypt and decode, once. Counted is
  by how much the peak of resident memory grows over what was resident after imports, with the input values in place; the list
  of decoded floats is taken off SEAL's side.

The table goes to standard output, all numbers to build/bench.json. Exit code 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
RESULT = ROOT / "build" / "bench.json"

SPEED_BAR = 1.5  # net SEAL time over Ringside's, on the two operations a client does all day
SPEED_OPERATIONS = ("encode+encrypt, public key", "decrypt+decode, all limbs")
MEMORY_BAR = 0.5  # Ringside's growth over SEAL's
ROUND_SECONDS = 0.04  # per operation, side and round
RUNS_MIN, RUNS_MAX = 3, 200

Call = Callable[[], Any]


# ---- timing ---------------------------------------------------------------------------------------------------------
def time_once(call: Call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def time_round(call: Call, runs: int) -> float:
    return statistics.median(time_once(call) for _ in range(runs))


def measure(calls: dict[str, Call], rounds: int) -> dict[str, float]:
    """Milliseconds of each call: best of the rounds' medians, rounds interleaved."""
    runs = {}
    for name, call in calls.items():
        call()  # warm
        estimate = min(time_once(call) for _ in range(3))
        runs[name] = max(RUNS_MIN, min(RUNS_MAX, int(ROUND_SECONDS / max(estimate, 1e-7))))
    best = dict.fromkeys(calls, float("inf"))
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, call in calls.items():
                best[name] = min(best[name], time_round(call, runs[name]))
    finally:
        gc.enable()
    return {name: 1000 * seconds for name, seconds in best.items()}


# ---- the two sides --------------------------------------------------------------------------------------------------
def input_values(slots: int) -> np.ndarray:
    return np.random.default_rng(1).uniform(-1, 1, slots)


class Ringside:
    """The package, and the C functions below it on memory of their own."""

    def __init__(self, name: str) -> None:
        import ringside as rs
        from ringside._native import ffi, lib

        self.ffi, self.lib = ffi, lib
        self.params = rs.Parameters.named(name)
        self.context = rs.Context(self.params)
        self.n = self.context.n
        self.scale = self.params.default_scale
        self.limbs = self.context.max_level + 1
        self.secret = self.context.keygen()
        self.public = self.context.public_key(self.secret)

    def prepare_core(self, values: np.ndarray) -> None:
        ffi, lib, pointer = self.ffi, self.lib, self.context._pointer
        self.values = values
        self.decoded = np.zeros_like(values)
        self.keep = [np.zeros(self.n), np.zeros((2, self.limbs, self.n), np.uint64)]
        self.keep.append(np.zeros((self.limbs, self.n), np.uint64))
        self.message, self.decrypted = (ffi.new("rs_plaintext_t *") for _ in range(2))
        self.seeded, self.full = (ffi.new("rs_ciphertext_t *") for _ in range(2))
        self.message.coef = ffi.from_buffer("double[]", self.keep[0])
        self.decrypted.ntt = ffi.from_buffer("uint64_t[]", self.keep[2])
        for ciphertext in (self.seeded, self.full):
            data = np.zeros((2, self.limbs, self.n), np.uint64)
            self.keep.append(data)
            ciphertext.data = ffi.from_buffer("uint64_t[]", data)
            ciphertext.seed_type = lib.RS_SEED_SHAKE256
        self.size = max(lib.rs_encrypt_workspace(pointer, kind) for kind in range(3))
        self.workspace = ffi.new("uint64_t[]", self.size // 8 + 1)
        self.rng = ffi.new("rs_rng_t *")
        lib.rs_rng_os(self.rng)
        self.few = lib.rs_limbs_needed(pointer, self.limbs, self.scale, 1.0, 20)

    def core_encode(self) -> None:
        source = self.ffi.from_buffer("double[]", self.values)
        arguments = (self.message, source, len(self.values), 0, self.scale, self.limbs)
        assert self.lib.rs_encode(self.context._pointer, *arguments) == 0

    def core_encode_to_ntt(self) -> None:
        self.core_encode()
        out = self.ffi.cast("uint64_t *", self.decrypted.ntt)
        for limb in range(self.limbs):
            arguments = (self.message, limb, out + limb * self.n)
            assert self.lib.rs_plaintext_limb(self.context._pointer, *arguments) == 0

    def core_encrypt_public(self) -> None:
        self.core_encode()
        key = self.public._for_encryption()
        arguments = (key, self.message, self.lib.RS_ENCRYPT_PK, self.full, self.rng)
        pointer = self.context._pointer
        assert self.lib.rs_encrypt_public(pointer, *arguments, self.workspace, self.size) == 0

    def core_encrypt_secret(self) -> None:
        self.core_encode()
        self.seeded.seeded = 1
        with self.secret._borrow() as key:
            arguments = (key, self.message, self.seeded, self.rng, self.workspace, self.size)
            assert self.lib.rs_encrypt_secret(self.context._pointer, *arguments) == 0

    def core_decrypt(self, limbs: int) -> None:
        with self.secret._borrow() as key:
            arguments = (key, self.full, limbs, self.decrypted, self.workspace, self.size)
            assert self.lib.rs_decrypt(self.context._pointer, *arguments) == 0
        out = self.ffi.from_buffer("double[]", self.decoded)
        arguments = (self.decrypted, out, len(self.decoded), 0, self.workspace, self.size)
        assert self.lib.rs_decode(self.context._pointer, *arguments) == 0


class Seal:
    """The same parameters in SEAL. Moduli and scale are Ringside's, so both compute in the same rings."""

    def __init__(self, n: int, moduli: list[int], scale: float) -> None:
        import tenseal.sealapi as seal

        parms = seal.EncryptionParameters(seal.SCHEME_TYPE.CKKS)
        parms.set_poly_modulus_degree(n)
        parms.set_coeff_modulus([seal.Modulus(q) for q in moduli])
        self.scale = scale
        self.context = seal.SEALContext(parms, True, seal.SEC_LEVEL_TYPE.NONE)
        self.encoder = seal.CKKSEncoder(self.context)
        generator = seal.KeyGenerator(self.context)
        self.secret = generator.secret_key()
        self.public = seal.PublicKey()
        generator.create_public_key(self.public)
        self.encryptor = seal.Encryptor(self.context, self.public, self.secret)
        self.decryptor = seal.Decryptor(self.context, self.secret)
        self.plain, self.decrypted = seal.Plaintext(), seal.Plaintext()
        self.ciphertext, self.other = seal.Ciphertext(), seal.Ciphertext()

    def encode(self, values: list[float]) -> None:
        self.encoder.encode(values, self.scale, self.plain)

    def encrypt_public(self, values: list[float]) -> None:
        self.encode(values)
        self.encryptor.encrypt(self.plain, self.ciphertext)

    def encrypt_secret(self, values: list[float]) -> None:
        self.encode(values)
        self.encryptor.encrypt_symmetric(self.plain, self.other)

    def decrypt(self) -> list[float]:
        self.decryptor.decrypt(self.ciphertext, self.decrypted)
        return self.encoder.decode_double(self.decrypted)

    # what the binding costs
    def convert_in(self, values: list[float]) -> None:
        """All of the binding's work on an encode; SEAL checks the scale first and refuses."""
        try:
            self.encoder.encode(values, -1.0, self.plain)
        except ValueError:
            return
        raise AssertionError("SEAL took a negative scale")


def convert_out(values: list[float]) -> Call:
    """A list made from a C++ vector of doubles, as decode_double makes it."""
    from _tenseal_cpp import PlainTensorDouble  # type: ignore[import-not-found]

    return PlainTensorDouble(values).data


# ---- speed ----------------------------------------------------------------------------------------------------------
def bench_speed(name: str, rounds: int) -> dict[str, Any]:
    ours = Ringside(name)
    theirs = Seal(ours.n, list(ours.params.moduli), ours.scale)
    values = input_values(ours.n // 2)
    listed = values.tolist()
    ours.prepare_core(values)
    context, secret, public = ours.context, ours.secret, ours.public
    ciphertext = context.encrypt(values, public)

    theirs.encrypt_public(listed)
    ours.core_encrypt_public()
    tolerance = 2.0 ** (16 - np.log2(ours.scale))
    for got in (
        np.array(theirs.decrypt()),
        context.decrypt_values(ciphertext, secret),
        context.decrypt_values(ciphertext, secret, max_abs=1.0),
    ):
        assert np.abs(got - values).max() < tolerance

    operations: dict[str, tuple[Call, Call, Call]] = {
        "encode, to coefficients": (
            lambda: context.encode(values),
            ours.core_encode,
            lambda: theirs.encode(listed),
        ),
        "encode, to NTT form": (
            lambda: context.encode(values)._as_ntt(copy=False),
            ours.core_encode_to_ntt,
            lambda: theirs.encode(listed),
        ),
        "encode+encrypt, public key": (
            lambda: context.encrypt(values, public),
            ours.core_encrypt_public,
            lambda: theirs.encrypt_public(listed),
        ),
        "encode+encrypt, secret key, seeded": (
            lambda: context.encrypt(values, secret),
            ours.core_encrypt_secret,
            lambda: theirs.encrypt_secret(listed),
        ),
        "decrypt+decode, all limbs": (
            lambda: context.decrypt_values(ciphertext, secret),
            lambda: ours.core_decrypt(ours.limbs),
            theirs.decrypt,
        ),
        "decrypt+decode, max_abs 1": (
            lambda: context.decrypt_values(ciphertext, secret, max_abs=1.0),
            lambda: ours.core_decrypt(ours.few),
            theirs.decrypt,
        ),
    }
    calls: dict[str, Call] = {}
    for operation, sides in operations.items():
        for side, call in zip(("ringside", "core", "seal"), sides, strict=True):
            calls[f"{operation}/{side}"] = call
    calls["convert in"] = lambda: theirs.convert_in(listed)
    calls["convert out"] = convert_out(listed)
    times = measure(calls, rounds)
    out: dict[str, Any] = {}
    for operation in operations:
        row = {s: times[f"{operation}/{s}"] for s in ("ringside", "core", "seal")}
        row["conversion"] = times["convert out" if operation.startswith("dec") else "convert in"]
        row["net"] = row["seal"] - row["conversion"]
        row["raw_ratio"] = row["seal"] / row["ringside"]
        row["ratio"] = row["net"] / row["ringside"]
        row["core_ratio"] = row["net"] / row["core"]
        if operation in SPEED_OPERATIONS:
            row["bar"] = SPEED_BAR
            row["passed"] = row["ratio"] >= SPEED_BAR
        out[operation] = row
    return {
        "n": ours.n,
        "limbs": ours.limbs + (ours.params.limb_count > 1),
        "few_limbs": ours.few,
        "operations": out,
        "kernels": bench_kernels(ours, rounds),
        "files": bench_files(ours, theirs, values, rounds),
    }


def bench_kernels(ours: Ringside, rounds: int) -> dict[str, float]:
    """Microseconds for one polynomial of N coefficients, one limb."""
    ffi, lib, pointer, n = ours.ffi, ours.lib, ours.context._pointer, ours.n
    q = ours.params.moduli[0]
    words = np.random.default_rng(2).integers(0, q, n, np.uint64)
    small = np.zeros(n, np.int8)
    poly, bytes_ = ffi.from_buffer("uint64_t[]", words), ffi.from_buffer("int8_t[]", small)
    seed = ffi.new("rs_seed_t *")
    state = ffi.new("rs_uniform_t *")
    log_n = ours.params.log_n

    def uniform(kind: int) -> None:
        lib.rs_uniform_init(state, kind, seed, log_n, 1)
        lib.rs_uniform_next(state, q, poly)

    calls: dict[str, Call] = {
        "ntt": lambda: lib.rs_ntt_forward(pointer, 0, poly),
        "inverse ntt": lambda: lib.rs_ntt_inverse(pointer, 0, poly),
        "centred binomial": lambda: lib.rs_sample_cbd21(bytes_, n, seed, lib.RS_DOMAIN_E0),
        "ternary": lambda: lib.rs_sample_ternary(bytes_, n, seed, lib.RS_DOMAIN_U),
        "uniform, SHAKE256": lambda: uniform(lib.RS_SEED_SHAKE256),
        "uniform, BLAKE2Xb": lambda: uniform(lib.RS_SEED_BLAKE2XB),
    }
    return {name: 1000 * t for name, t in measure(calls, rounds).items()}


def bench_files(ours: Ringside, theirs: Seal, values: np.ndarray, rounds: int) -> dict[str, dict[str, float]]:
    """One ciphertext to a file and back, milliseconds; SEAL with its default compression."""
    from ringside import Ciphertext

    ciphertext = ours.context.encrypt(values, ours.public)
    rounds = max(2, rounds // 3)
    out: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as place:
        for compression in ("none", "zlib", "zstd"):
            path = os.path.join(place, compression)
            calls: dict[str, Call] = {
                "memory": lambda c=compression: ciphertext.to_bytes(compression=c),
                "save": lambda p=path, c=compression: ciphertext.save(p, compression=c),
                "load": lambda p=path: Ciphertext.load(ours.context, p),
            }
            out[compression] = {**measure(calls, rounds), "bytes": os.path.getsize(path)}
        path = os.path.join(place, "seal")
        calls = {
            "save": lambda: theirs.ciphertext.save(path),
            "load": lambda: theirs.other.load(theirs.context, path),
        }
        times = measure(calls, rounds)
        kind = ("none", "zlib", "zstd")[Path(path).read_bytes()[5]]
        out[f"SEAL, {kind}"] = {**times, "bytes": os.path.getsize(path)}
    return out


# ---- memory ---------------------------------------------------------------------------------------------------------
def resident(field: str) -> int:
    """Bytes, from the kernel: VmRSS now, VmHWM at its peak."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{field}:"):
            return 1024 * int(line.split()[1])
    raise RuntimeError(f"the kernel does not tell {field}")


def start_counting() -> int:
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # peak := now
    return resident("VmRSS")


def memory_of_ringside(name: str) -> int:
    import ringside as rs

    params = rs.Parameters.named(name)
    values = input_values(params.slots)
    before = start_counting()
    context = rs.Context(params)
    secret = context.keygen()
    public = context.public_key(secret)
    ciphertext = context.encrypt(values, public)
    decoded = context.decrypt_values(ciphertext, secret)
    growth = resident("VmHWM") - before
    assert np.abs(decoded - values).max() < 0.5
    return growth


def memory_of_seal(name: str) -> int:
    import tenseal.sealapi  # noqa: F401 (before the baseline)

    import ringside as rs

    params = rs.Parameters.named(name)
    values = input_values(params.slots)
    listed = values.tolist()
    before = start_counting()
    seal = Seal(params.n, list(params.moduli), params.default_scale)
    seal.encrypt_public(listed)
    decoded = seal.decrypt()
    growth = resident("VmHWM") - before
    assert np.abs(np.array(decoded) - values).max() < 0.5
    return growth - sys.getsizeof(decoded) - len(decoded) * sys.getsizeof(1.0)


def bench_memory(name: str) -> dict[str, Any]:
    growth = {}
    for side in ("ringside", "seal"):
        command = [sys.executable, __file__, "--memory-of", side, "--sets", name]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        growth[side] = int(done.stdout)
    ratio = growth["ringside"] / growth["seal"]
    return {**growth, "ratio": ratio, "bar": MEMORY_BAR, "passed": ratio <= MEMORY_BAR}


# ---- report ---------------------------------------------------------------------------------------------------------
def verdict(row: dict[str, Any]) -> str:
    return {True: "pass", False: "FAIL", None: ""}[row.get("passed")]


def show(name: str, result: dict[str, Any]) -> None:
    print(f"\n{name}: N = {result['n']}, {result['limbs']} limbs, times in ms")
    print(f"  {'':36}{'ringside':>9}{'core':>9}{'SEAL net':>10}{'(raw)':>9}{'ratio':>7}{'(raw)':>7}")
    for operation, row in result["operations"].items():
        print(
            f"  {operation:36}{row['ringside']:9.3f}{row['core']:9.3f}{row['net']:10.3f}"
            f"{row['seal']:9.3f}{row['ratio']:7.2f}{row['raw_ratio']:7.2f}  {verdict(row)}"
        )
    memory = result["memory"]
    mib = {side: memory[side] / 2**20 for side in ("ringside", "seal")}
    print(
        f"  {'peak memory, MiB':36}{mib['ringside']:9.2f}{'':9}{mib['seal']:10.2f}{'':9}"
        f"{memory['ratio']:7.2f}{'':7}  {verdict(memory)}"
    )
    kernels = (f"{kernel} {t:.1f}" for kernel, t in result["kernels"].items())
    print("  us per limb: " + ", ".join(kernels))
    for compression, row in result["files"].items():
        print(
            f"  file, {compression:12} save {row['save']:8.2f} ms  load {row['load']:8.2f} ms"
            f"  {row['bytes']:>10} bytes" + (f"  memory {row['memory']:8.2f} ms" if "memory" in row else "")
        )


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sets", default="lee-12,lee-14,lee-15", help="names, separated by commas")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON instead")
    parser.add_argument("--memory-of", choices=["ringside", "seal"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = options.sets.split(",")
    if options.memory_of:
        side = {"ringside": memory_of_ringside, "seal": memory_of_seal}[options.memory_of]
        print(side(names[0]))
        return 0

    import tenseal

    import ringside

    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    report: dict[str, Any] = {
        "ringside": ringside.__version__,
        "tenseal": tenseal.__version__,
        "python": platform.python_version(),
        "processor": processor(),
        "rounds": options.rounds,
        "bars": {"speed": SPEED_BAR, "memory": MEMORY_BAR},
        "sets": {},
    }
    if not options.json:
        print(f"{report['processor']}; ringside {report['ringside']}, SEAL of TenSEAL {report['tenseal']}")
        print(f"bars: ratio (net) at least {SPEED_BAR} on {' and '.join(SPEED_OPERATIONS)};")
        print(f"      peak memory at most {MEMORY_BAR} of SEAL's")
    passed = True
    for name in names:
        result = {**bench_speed(name, options.rounds), "memory": bench_memory(name)}
        report["sets"][name] = result
        rows = [*result["operations"].values(), result["memory"]]
        passed = passed and all(row.get("passed", True) for row in rows)
        if not options.json:
            show(name, result)
    report["passed"] = passed
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    if options.json:
        print(json.dumps(report, indent=2))
    else:
        print("\nall bars passed" if passed else "\nA BAR WAS MISSED")
        print(f"all numbers: {RESULT.relative_to(ROOT)}")
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
