# SPDX-License-Identifier: Apache-2.0
"""rs_stream_unit: limbs of encryptions, several moduli and frames back to back, compared with the library's; with and without pauses everywhere."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from rs_cocotb import Model
from stream_design import Design, sources

from ringside.native.library import ffi, lib
from ringside.sim import Simulator, build
from ringside.sim.verilate import pack, unpack


def tokens_in(design, polys):
    """[stream][N] -> [token, stream, lane]: lane i has the coefficients from i N/P on."""
    data = np.asarray(polys)
    return data.reshape(len(data), design.lanes, -1).transpose(2, 0, 1)


def tokens_out(design, polys):
    """[stream][N] -> [token, stream, lane]: P words of the array."""
    data = np.asarray(polys)
    return data.reshape(len(data), -1, design.lanes).transpose(1, 0, 2)


class Bench:
    def __init__(self, design):
        self.design = design
        self.sim = Simulator(build("rs_stream_unit", sources(), design.parameters))
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.sim.step(1)

    def prepare(self, model, kind):
        """Starts for this N; tables and constants of all data limbs."""
        design, sim = self.design, self.sim
        drop = len(design.bits) - 1
        moduli = model.moduli[:drop]
        factors = 0
        for limb, q in enumerate(moduli):
            factor = int(lib.rs_drop_inverse(model.pointer, drop, limb)) if kind == "pk" else 1
            factors |= factor * design.radix(q) % q << design.width * limb
        sim.set(log_n_i=model.log_n, seeded_i=kind == "sk", factor_i=factors, constant_i=factors)
        sim.set(**design.constants(moduli), start_i=1)
        sim.step()
        sim.set(start_i=0)
        for limb in range(drop):
            design.load(sim, limb, model, limb)

    def run(self, limbs, pauses, rng, far=False):
        """The results of the limbs, and when tokens came and went. pauses: shares of cycles in which tokens, factors and the receiver are absent.

        far: limbs are announced far from each other, and pushed out in between.
        """
        design, sim = self.design, self.sim
        width = design.width
        given, factors, contexts = [], [], []
        for limb in limbs:
            small = [int.from_bytes(row.tobytes(), "little") for row in pack_small(tokens_in(design, limb.small))]
            words = pack(tokens_in(design, limb.words).reshape(len(small), -1), width)
            given += zip(small, (int.from_bytes(row.tobytes(), "little") for row in words), strict=True)
            words = pack(tokens_out(design, limb.factors).reshape(len(small), -1), width)
            factors += [int.from_bytes(row.tobytes(), "little") for row in words]
            contexts.append(limb.context)
        count, tokens = len(given), len(given) // len(limbs)
        entered, used, out, announced, cycle = [], 0, [], 0, 0
        left = []
        limit = 20 * count + 20000
        while len(out) < count and cycle < limit:
            offer = announced < len(limbs) and (not far or rng.random() < 1 / 400)
            put = len(entered) < count and rng.random() >= pauses[0]
            factor = used < count and rng.random() >= pauses[1]
            take = rng.random() >= pauses[2]
            sim.set(
                limb_valid_i=offer,
                limb_ctx_i=contexts[announced] if offer else 0,
                in_valid_i=put,
                factor_valid_i=factor,
                out_ready_i=take,
                flush_i=far or len(entered) == count,
            )
            if put:
                sim.set(small_sec_i=given[len(entered)][0], words_sec_i=given[len(entered)][1])
            if factor:
                sim.set(factors_sec_i=factors[used])
            announced += offer and sim.get("limb_ready_o")
            if factor and sim.get("factor_ready_o"):
                used += 1
            if sim.get("out_valid_o") and take:
                out.append(sim.get("words_o"))
                left.append(cycle)
            if put and sim.get("in_ready_o"):
                entered.append(cycle)
            sim.step()
            cycle += 1
        assert len(out) == count, f"{len(out)} of {count} tokens came out"
        sim.set(limb_valid_i=0, in_valid_i=0, factor_valid_i=0, out_ready_i=1, flush_i=0)
        assert sim.get("idle_o")
        sim.step(4)
        assert sim.get("busy_o") == 0
        assert not sim.get("out_valid_o")
        bits = 3 * design.lanes * width
        rows = np.frombuffer(b"".join(x.to_bytes(-(-bits // 32) * 4, "little") for x in out), np.uint32).reshape(
            count, -1
        )
        words = unpack(rows, width, 3 * design.lanes).reshape(len(limbs), tokens, 3, design.lanes)
        return words.transpose(0, 2, 1, 3).reshape(len(limbs), 3, -1), entered, left


def pack_small(values):
    """[token, stream, lane] -> rows of 6-bit numbers in two's complement."""
    return pack(np.asarray(values).reshape(len(values), -1).astype(np.int64).astype(np.uint64) & np.uint64(63), 6)


@cache
def bench(design):
    return Bench(design)


@cache
def model_of(design, log_n):
    return Model(1 << log_n, design.bits)


@dataclass
class Limb:
    context: int
    small: list
    words: list
    factors: list
    want: list


# ---- encryptions, by the library -------------------------------------------------------------------------------------
def at(kind, array):
    return ffi.from_buffer(f"{kind}[]", array)


def public_frame(design, model, rng, rounds=True):
    """The limbs of a public-key encryption: what the rest of the core makes of the seed, and what must come out. rounds: with special prime."""
    n, drop = model.n, len(design.bits) - 1
    small = rng.integers(-1, 2, n).astype(np.int8)
    errors = rng.integers(-21, 22, (2, n)).astype(np.int8)
    message = rng.integers(-(1 << 20), 1 << 20, n).astype(np.float64)
    prime = model.moduli[drop]
    v, bits, remainders = np.zeros((2, n), np.uint64), errors.copy(), np.zeros((2, n), np.int64)
    for j in range(2 if rounds else 0):
        key, d = model.at(rng.integers(0, prime, n, np.uint64)), at("int64_t", remainders[j])
        small_error = at("int8_t", small), at("int8_t", errors[j])
        lib.rs_pk_remainder(model.pointer, drop, d, key, *small_error, model.at(v[j]))
        # v + e - P b = d
        bits[j] = [(int(x) + int(e) - int(y)) // prime for x, e, y in zip(v[j], errors[j], remainders[j], strict=True)]
        assert set(bits[j]) == {0, 1}
    limbs = []
    for limb in range(drop):
        q = model.moduli[limb]
        keys = rng.integers(0, q, (2, n), np.uint64)
        lifted, u = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
        lib.rs_lift_message(model.pointer, limb, model.at(lifted), at("double", message), ffi.NULL)
        factor = lib.rs_drop_inverse(model.pointer, drop, limb) if rounds else 1
        lib.rs_lift_small(model.pointer, limb, model.at(u), at("int8_t", small), factor)
        lib.rs_ntt_forward(model.pointer, limb, model.at(u))
        want = np.zeros((3, n), np.uint64)
        for j in range(2):
            polys = model.at(want[1 + j]), model.at(keys[j]), model.at(u), at("int8_t", errors[j])
            given = at("double", message) if j == 0 else ffi.NULL
            if rounds:
                lib.rs_pk_limb(model.pointer, drop, limb, *polys, at("int64_t", remainders[j]), given)
            else:
                lib.rs_pk_direct_limb(model.pointer, limb, *polys, given)
        unused = rng.integers(0, 1 << min(62, design.width), (2, n), np.uint64)
        limbs.append(Limb(limb, [small, *bits], [lifted, *v], [*keys, *unused], list(want)))
    return limbs


def direct_frame(design, model, rng):
    return public_frame(design, model, rng, rounds=False)


def secret_frames(design, model, rng):
    """The limbs of three secret-key encryptions side by side."""
    n = model.n
    errors = rng.integers(-21, 22, (3, n)).astype(np.int8)
    messages = rng.integers(-(1 << 20), 1 << 20, (3, n)).astype(np.float64)
    limbs = []
    for limb in range(len(design.bits) - 1):
        q = model.moduli[limb]
        key = rng.integers(0, q, n, np.uint64)
        masks = rng.integers(0, q, (3, n), np.uint64)
        lifted, want = np.zeros((3, n), np.uint64), []
        for e in range(3):
            lib.rs_lift_message(model.pointer, limb, model.at(lifted[e]), at("double", messages[e]), ffi.NULL)
            whole = np.zeros(n, np.uint64)
            lib.rs_lift_message(
                model.pointer, limb, model.at(whole), at("double", messages[e]), at("int8_t", errors[e])
            )
            want.append(model.mul_sub(limb, masks[e], key, model.ntt(limb, whole)))
        factor = np.array([int(x) * design.radix(q) % q for x in key], np.uint64)
        limbs.append(Limb(limb, list(errors), list(lifted), [*masks, factor], want))
    return limbs


# ---- tests -----------------------------------------------------------------------------------------------------------
DESIGNS = [
    Design(2, 11, 32, "wlm", (30, 29, 28, 31)),
    pytest.param(Design(4, 11, 32, "barrett", (30, 27, 31, 30)), marks=pytest.mark.soak),
    pytest.param(Design(8, 12, 64, "wlm", (60, 50, 48, 59)), marks=pytest.mark.soak),
    pytest.param(Design(2, 14, 64, "wlm", (60, 50, 48, 59)), marks=pytest.mark.soak),
]
FRAMES = {"pk": public_frame, "direct": direct_frame, "sk": secret_frames}


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_frames_back_to_back(design, kind):
    """Without pauses: N/P cycles per limb, and so many from the first token to the first result as the README says."""
    rng = np.random.default_rng(3)
    for log_n in range(10, design.log_n_max + 1):
        dut, model = bench(design), model_of(design, log_n)
        limbs = [limb for _ in range(2) for limb in FRAMES[kind](design, model, rng)]
        dut.prepare(model, kind)
        got, entered, left = dut.run(limbs, (0, 0, 0), rng)
        np.testing.assert_array_equal(got, np.stack([limb.want for limb in limbs]))
        tokens = model.n // design.lanes
        assert entered[-1] - entered[0] + 1 == len(limbs) * tokens
        assert left[-1] - left[0] + 1 == len(limbs) * tokens
        assert left[0] - entered[0] == design.latency(log_n) + 2 * design.modmul + 10


@pytest.mark.parametrize("design", DESIGNS, ids=str)
@pytest.mark.parametrize(
    ("kind", "pauses", "far"),
    [("pk", (0.3, 0.1, 0.2), False), ("sk", (0.1, 0.5, 0.1), False), ("pk", (0.1, 0.2, 0.7), True)],
)
def test_pauses_everywhere(design, kind, pauses, far):
    rng = np.random.default_rng(4)
    dut, model = bench(design), model_of(design, 10)
    limbs = FRAMES[kind](design, model, rng)
    dut.prepare(model, kind)
    got, _, _ = dut.run(limbs, pauses, rng, far)
    np.testing.assert_array_equal(got, np.stack([limb.want for limb in limbs]))
