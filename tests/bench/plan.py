# SPDX-License-Identifier: Apache-2.0
"""What is measured: parameter sets, operations, and the bars that Ringside has to reach.

To add an operation: name it here and give it to the workers (peers/); one that a worker does not know is reported as absent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

OURS = "ringside"  # the peer that bars are about: the C library
SEAL = "seal-hexl"
TFHE = "tfhe-ntt"
TENSEAL = "tenseal"
SEAL_44 = "seal-4.4"
# the same two as they are on a processor that has AVX2 and no AVX-512
OURS_AVX2 = "ringside-avx2"
SEAL_AVX2 = "seal-hexl-avx2"
# the library's plain C, beside the latter
OURS_PORTABLE = "ringside-portable"
# in WebAssembly
OURS_WASM = "ringside-wasm"
NODE_SEAL = "node-seal"
# what the back ends of the library use
INSTRUCTIONS = {
    "avx512ifma": "AVX-512 with IFMA", "avx512": "AVX-512 without IFMA", "avx2": "AVX2", "neon": "NEON",
    "neonsha3": "NEON with SHA-3", "portable": "no vector instructions", "fma": "arithmetic in doubles",
    "wasm": "WebAssembly", "wasm-simd": "WebAssembly, ours with relaxed SIMD",
}  # fmt: skip

LEE = tuple(f"lee-{log_n}" for log_n in range(12, 17))
EMBEDDED = tuple(f"seal-embedded-{1 << log_n}" for log_n in range(10, 15))
NTT = tuple(f"ntt-{log_n}" for log_n in range(12, 17))
# SEAL's own sets for integers, with a prime of 20 bits for slots
BFV, BGV = (tuple(f"{scheme}-{log_n}" for log_n in range(12, 16)) for scheme in ("bfv", "bgv"))
EXACT = (*BFV, *BGV)
NTT_BITS = (30, 50, 60)
EXACT_AVX2 = ("bfv-12", "bfv-14", "bgv-12", "bgv-14")
AVX2 = ("lee-12", "lee-14", "lee-15", *EXACT_AVX2)
PORTABLE = ("lee-12", "lee-14")
WASM_EXACT = (*BFV[:2], *BGV[:2])
WASM_SETS = (*LEE[:3], *WASM_EXACT)  # those of node-seal

# What docs/benchmarks.md may show. Of each figure: rounds; its spread, half the distance of the quartiles of the rounds' medians, as a part of
# their median; and how far the ratio of medians may be from the ratio of minima, by a factor: other work on the machine only adds time,
# so where both agree the machine was quiet for both sides.
ROUNDS_MIN, SPREAD_MAX, MINIMA_FACTOR_MAX = 3, 0.10, 1.25


@dataclass(frozen=True)
class ParameterSet:
    """special: the last modulus is the special prime. direct: encrypt without it, where the peer can.

    scheme: SEAL's number, 1 of BFV, 2 of CKKS, 3 of BGV; plain_modulus: of BFV and BGV.
    """

    name: str
    n: int
    moduli: tuple[int, ...]
    scale: float
    special: bool
    direct: bool
    scheme: int = 2
    plain_modulus: int = 0

    def request(self) -> dict[str, object]:
        return {
            "op": "start", "set": self.name, "n": self.n, "moduli": list(self.moduli), "scale": self.scale,
            "special": int(self.special), "direct": int(self.direct), "scheme": self.scheme, "plain_modulus": self.plain_modulus,
        }  # fmt: skip

    @property
    def title(self) -> str:
        if self.name in NTT:
            return f"N = {self.n:,}, one limb"
        limbs = f"{len(self.moduli)} primes" if len(self.moduli) > 1 else "1 prime"
        scheme = {1: "BFV, ", 2: "", 3: "BGV, "}[self.scheme]
        return f"{scheme}N = {self.n:,}, {limbs}"


def parameter_set(name: str) -> ParameterSet:
    """Raises ringside's ParameterError if there is no such set."""
    import ringside as rs

    if name in NTT:
        n = 1 << int(name.removeprefix("ntt-"))
        moduli = tuple(rs.Parameters.from_bits(n, [bits], security=0).moduli[0] for bits in NTT_BITS)
        return ParameterSet(name, n, moduli, 1.0, special=False, direct=False)
    if name in EXACT:
        exact = rs.Parameters.named(name, plain_modulus="batching:20", security=0)
        t, scheme = exact.plain_modulus or 0, 1 if name in BFV else 3
        return ParameterSet(
            name, exact.n, tuple(exact.moduli), 1.0, special=True, direct=False, scheme=scheme, plain_modulus=t
        )
    params = rs.Parameters.named(name, security=0)
    moduli = tuple(params.moduli)
    if name in EMBEDDED and len(moduli) == 2:
        # SEAL encrypts without a special prime only where there is a single prime: the first one alone is that set
        moduli = moduli[:1]
    return ParameterSet(name, params.n, moduli, params.default_scale, special=len(moduli) > 1, direct=name in EMBEDDED)


@dataclass(frozen=True)
class Operation:
    """twin: what the other peers do in its place, where the operation is Ringside's own."""

    name: str
    title: str
    sets: Sequence[str]
    twin: str = ""


CLIENT = (*LEE, *EMBEDDED)
OPERATIONS = (
    Operation("context", "context", CLIENT),
    Operation("keygen", "secret and public key", CLIENT),
    Operation("evaluation_keys", "relinearisation and Galois keys", LEE[:4]),
    Operation("key_file", "file of Galois keys", LEE, twin="evaluation_keys"),
    Operation("key_file_streamed", "file of Galois keys, streamed", LEE, twin="evaluation_keys"),
    Operation("encode", "encode", CLIENT),
    Operation("encode_encrypt_pk", "encode + encrypt, public key", (*CLIENT, *EXACT)),
    Operation("encode_encrypt_sk_seeded", "encode + encrypt, secret key, seeded", (*CLIENT, *EXACT)),
    Operation("decrypt_decode", "decrypt + decode", EXACT),
    Operation("decrypt_decode_few", "decrypt + decode, the noise is known", BGV, twin="decrypt_decode"),
    Operation("decrypt_decode_1limb", "decrypt + decode, last level", CLIENT),
    Operation("decrypt_decode_flooded", "decrypt + decode, last level, noise of 2^40 added", ("lee-14",)),
    Operation("decrypt_decode_full", "decrypt + decode, all limbs", CLIENT),
    Operation("decrypt_decode_max_abs", "decrypt + decode, values at most 1", CLIENT, twin="decrypt_decode_full"),
    Operation("save_load_seeded", "save + load, seeded", CLIENT),
    Operation("batch16_threads1", "16 frames, one thread", ("lee-14",)),
    Operation("batch16_threads2", "16 frames, two threads", ("lee-14",)),
    *(
        Operation(f"ntt_{direction}_{bits}", f"{word} NTT, {bits} bits", NTT)
        for bits in NTT_BITS
        for direction, word in (("forward", "forward"), ("inverse", "inverse"))
    ),
)
OPERATION = {operation.name: operation for operation in OPERATIONS}
MULTITHREADED = {"batch16_threads2"}  # may run on all processors of the harness

# Kinds of a bar: how many times faster, how much of the memory, how much of the bytes; how many MiB of memory.
SPEED, MEMORY, BYTES, PEAK = "speed", "memory", "bytes", "peak"


@dataclass(frozen=True)
class Bar:
    """speed: the peer's time over ours is at least `value`. memory, bytes: ours over the peer's is at most `value`. peak: the MiB by which memory
    grows in `op` are at most `value`; there is no peer.

    op: Ringside's operation. peer_op: the peer's. beside: another way of Ringside's that is shown next to it, not judged. ours: Ringside as the
    bar means it; the peer has to have the same instructions, or more.
    """

    kind: str
    value: float
    sets: Sequence[str]
    peer: str = SEAL
    op: str = ""
    peer_op: str = ""
    beside: str = ""
    ours: str = OURS

    @property
    def other_op(self) -> str:
        return self.peer_op or self.op


def transform_bars(bits: int, value: float, peer: str) -> tuple[Bar, ...]:
    return tuple(Bar(SPEED, value, NTT, peer, op=f"ntt_{direction}_{bits}") for direction in ("forward", "inverse"))


BARS = (
    Bar(SPEED, 10, LEE, op="context"),
    Bar(SPEED, 4, LEE, op="keygen"),
    Bar(SPEED, 4, ("lee-14",), op="evaluation_keys"),
    Bar(SPEED, 4.5, ("lee-12",), TENSEAL, op="evaluation_keys"),
    Bar(SPEED, 5.5, LEE[1:4], TENSEAL, op="evaluation_keys"),
    # keys in the memory of few moduli: 1.3 times the time of keys in memory
    Bar(SPEED, 1 / 1.3, LEE, OURS, op="key_file_streamed", peer_op="key_file"),
    Bar(PEAK, 4, LEE[:4], OURS, op="key_file_streamed"),
    Bar(PEAK, 8, ("lee-16",), OURS, op="key_file_streamed"),
    Bar(SPEED, 5, LEE, op="encode_encrypt_pk"),
    Bar(SPEED, 6, LEE, op="encode_encrypt_sk_seeded"),
    Bar(SPEED, 3, LEE, op="decrypt_decode_1limb"),
    # the caller knows a bound of his values, which says how many limbs are needed
    Bar(SPEED, 8, LEE, op="decrypt_decode_max_abs", peer_op="decrypt_decode_full", beside="decrypt_decode_full"),
    Bar(SPEED, 5, LEE, op="save_load_seeded"),
    Bar(BYTES, 1.03, LEE, op="save_load_seeded"),
    # integers
    Bar(SPEED, 5, ("bfv-12", "bgv-12"), op="encode_encrypt_pk"),
    Bar(SPEED, 4.5, (*BFV[1:], *BGV[1:]), op="encode_encrypt_pk"),
    Bar(SPEED, 6, EXACT, op="encode_encrypt_sk_seeded"),
    Bar(SPEED, 3, BFV[:2], op="decrypt_decode"),
    Bar(SPEED, 6, ("bfv-14",), op="decrypt_decode"),
    Bar(SPEED, 10, ("bfv-15",), op="decrypt_decode"),
    Bar(SPEED, 2.8, BGV, op="decrypt_decode"),
    Bar(SPEED, 8, ("bgv-14",), op="decrypt_decode_few", peer_op="decrypt_decode"),
    Bar(SPEED, 4, EXACT_AVX2, SEAL_AVX2, op="encode_encrypt_pk", ours=OURS_AVX2),
    Bar(SPEED, 3.5, EXACT_AVX2, SEAL_AVX2, op="encode_encrypt_sk_seeded", ours=OURS_AVX2),
    Bar(SPEED, 3, EXACT_AVX2, SEAL_AVX2, op="decrypt_decode", ours=OURS_AVX2),
    # both sides without AVX-512
    *(
        Bar(SPEED, value, (name,), SEAL_AVX2, op="encode_encrypt_pk", ours=OURS_AVX2)
        for name, value in (("lee-12", 7.5), ("lee-14", 5.2), ("lee-15", 4.5))
    ),
    Bar(SPEED, 4, ("lee-12", "lee-14"), SEAL_AVX2, op="encode_encrypt_sk_seeded", ours=OURS_AVX2),
    Bar(SPEED, 3.5, AVX2[:3], SEAL_AVX2, op="decrypt_decode_1limb", ours=OURS_AVX2),
    Bar(SPEED, 5, AVX2[:3], SEAL_AVX2, op="decrypt_decode_full", ours=OURS_AVX2),
    Bar(SPEED, 2.0, PORTABLE, SEAL_AVX2, op="encode_encrypt_pk", ours=OURS_PORTABLE),
    Bar(SPEED, 1.8, ("lee-14",), peer=OURS, op="batch16_threads2", peer_op="batch16_threads1"),
    Bar(MEMORY, 0.25, ("lee-15",)),
    *transform_bars(30, 1.0, TFHE),
    *transform_bars(50, 1.1, SEAL),
    *transform_bars(60, 1.1, SEAL),
    # SEAL without HEXL, which every installation has: also judged by `make bench-quick`
    Bar(SPEED, 1.5, LEE, TENSEAL, op="encode_encrypt_pk"),
    Bar(SPEED, 1.5, LEE, TENSEAL, op="decrypt_decode_full"),
    Bar(MEMORY, 0.5, LEE, TENSEAL),
    Bar(SPEED, 2.5, WASM_SETS, NODE_SEAL, op="encode_encrypt_pk", ours=OURS_WASM),
    Bar(SPEED, 2.0, LEE[:3], NODE_SEAL, op="encode_encrypt_sk_seeded", ours=OURS_WASM),
    Bar(SPEED, 2.5, LEE[:3], NODE_SEAL, op="decrypt_decode_full", ours=OURS_WASM),
    Bar(SPEED, 2.5, WASM_EXACT, NODE_SEAL, op="encode_encrypt_sk_seeded", ours=OURS_WASM),
)
