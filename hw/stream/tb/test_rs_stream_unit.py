# SPDX-License-Identifier: Apache-2.0
"""rs_stream_unit: limbs of encryptions, several moduli and frames back to back, compared with the library's; with and without pauses everywhere."""

import ctypes
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from rs_cocotb import Model
from rs_formal import mutated
from stream_design import Design, sources
from stream_frames import Limb, at, direct_frame, public_frame

from ringside.native.library import ffi, lib
from ringside.sim import Simulator, build
from ringside.sim.sources import Harness
from ringside.sim.verilate import SimulationError, pack, unpack

HERE = Path(__file__).parent
OFFERS = ("limb_valid_i", "in_valid_i", "factor_valid_i", "out_ready_i")
LOOKING = Harness(("look.cpp", "model.cpp"), ("harness.cpp", "model.h", "print.h", "harness.h"))


def tokens_in(design, polys):
    """[stream][N] -> [token, stream, lane]: lane i has the coefficients from i N/P on."""
    data = np.asarray(polys)
    return data.reshape(len(data), design.lanes, -1).transpose(2, 0, 1)


def tokens_out(design, polys):
    """[stream][N] -> [token, stream, lane]: P words of the array."""
    data = np.asarray(polys)
    return data.reshape(len(data), -1, design.lanes).transpose(1, 0, 2)


class Bench:
    def __init__(self, design, files=None):
        self.design = design
        files = [HERE / "memories.vlt", *(files or sources())]
        self.sim = Simulator(build("rs_stream_unit", files, design.parameters, harness=LOOKING))
        self.reset()

    def reset(self):
        """Begins a wipe: cycles of it."""
        self.sim.set(rst_ni=0, **dict.fromkeys(OFFERS, 0))
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        return self.sim.wait("wiping_o", 0)

    def look(self, path):
        """Bytes of what is in memories.vlt in instances whose path has this text, and how many of them are not zero."""
        not_zero = ctypes.c_uint64()
        look = self.sim._lib.rs_sim_look
        look.restype = ctypes.c_uint64
        return look(self.sim._sim, path.encode(), ctypes.byref(not_zero)), not_zero.value

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


# ---- secret-key encryptions, by the library ---------------------------------------------------------------------------
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
    Design(2, 11, 32, (30, 29, 28, 31)),
    pytest.param(Design(4, 11, 32, (30, 27, 31, 30)), marks=pytest.mark.soak),
    pytest.param(Design(8, 12, 64, (60, 50, 48, 59)), marks=pytest.mark.soak),
    pytest.param(Design(2, 14, 64, (60, 50, 48, 59)), marks=pytest.mark.soak),
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


@pytest.mark.soak
@pytest.mark.parametrize("log_n", [15, 16])
def test_limbs_of_the_largest_n(log_n):
    """As built for the largest N: N/P cycles per limb, limbs of two moduli and two frames without a pause; printed with -s."""
    rng = np.random.default_rng(7)
    design = Design(2, 16, 64, (60, 50, 59))
    dut, model = bench(design), model_of(design, log_n)
    limbs = [limb for _ in range(2) for limb in public_frame(design, model, rng)]
    dut.prepare(model, "pk")
    got, entered, left = dut.run(limbs, (0, 0, 0), rng)
    np.testing.assert_array_equal(got, np.stack([limb.want for limb in limbs]))
    tokens = model.n // design.lanes
    assert entered == list(range(entered[0], entered[0] + len(limbs) * tokens))
    assert left == list(range(left[0], left[0] + len(limbs) * tokens))
    latency = left[0] - entered[0]
    assert latency == design.latency(log_n) + 2 * design.modmul + 10
    print(
        f"N = 2^{log_n}, P = {design.lanes}: {(left[-1] - left[0] + 1) // len(limbs)} cycles per limb, {latency} to the first result"
    )


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


# ---- wipes -----------------------------------------------------------------------------------------------------------
# Where words wait: commutators, queues, what waits for products; not the generator's tables, which are no secret.
PLACES = [".u_commutator.", ".u_queue", ".u_out", ".u_wait_x", ".u_late"]
ANSWERS = ("limb_ready_o", "in_ready_o", "factor_ready_o", "out_valid_o", "idle_o")


def fill(dut, design, log_n, rng):
    """Limbs of random words until the unit is full, as nothing takes the results; not all have their factors."""
    sim = dut.sim
    dut.prepare(model_of(design, log_n), "sk")
    sim.set(**dict.fromkeys(OFFERS, 1) | {"out_ready_i": 0}, limb_ctx_i=0)
    for cycle in range(4 << log_n):
        for port in ("small_sec_i", "words_sec_i", "factors_sec_i"):
            sim.set(**{port: int.from_bytes(rng.bytes(sim.bits[port] // 8 + 1), "little") % (1 << sim.bits[port])})
        if cycle > 1 and not sim.get("in_ready_o"):
            break
        sim.step()
    else:
        raise AssertionError("it never gets full")
    sim.step(200)


def left(dut, places=PLACES):
    found = {}
    for place in places:
        count, found[place] = dut.look(place)
        assert count > 0, f"nothing to look at in {place}"
    return found


def check_wipe(dut, design, log_n, rng):
    """Whatever is under way, and whatever the ports say meanwhile."""
    sim = dut.sim
    fill(dut, design, log_n, rng)
    assert all(left(dut).values())
    sim.set(**dict.fromkeys(OFFERS, 1), flush_i=1, wipe_i=1)
    assert sim.get("wiping_o") == 0
    sim.step()
    cycles = 1
    sim.set(wipe_i=0)
    while sim.get("wiping_o"):
        assert not any(sim.get(name) for name in ANSWERS)
        sim.step()
        cycles += 1
    assert not any(left(dut).values())
    assert sim.get("idle_o") == 1
    assert sim.get("busy_o") == 0
    sim.set(**dict.fromkeys(OFFERS, 0), flush_i=0)
    return cycles


@pytest.mark.parametrize(
    "design", [*DESIGNS, pytest.param(Design(2, 10, 32, (30, 29)), marks=pytest.mark.soak)], ids=str
)
def test_a_wipe_leaves_zeros(design):
    rng = np.random.default_rng(5)
    dut = bench(design)
    lengths = {10, design.log_n_max}
    cycles = {check_wipe(dut, design, log_n, rng) for log_n in lengths}
    # rs_stream_unit's WipeCycles, and the cycles of the command and of the end
    tokens = 1 << (design.log_n_max - design.log_lanes - (design.log_n_max > 10))
    way = 2 + design.butterfly + design.in_flight(design.log_n_max)
    assert cycles == {tokens + 2 + way + (way + 17) // 2 * 2 + 2 * design.butterfly + 24 + 2}
    # a reset is a wipe too
    fill(dut, design, 10, rng)
    dut.reset()
    assert not any(left(dut).values())
    # and a command during a wipe begins anew
    dut.sim.set(wipe_i=1)
    dut.sim.step()
    dut.sim.set(wipe_i=0)
    dut.sim.step(40)
    dut.sim.set(wipe_i=1)
    dut.sim.step()
    dut.sim.set(wipe_i=0)
    assert dut.sim.wait("wiping_o", 0) > tokens
    model = model_of(design, 10)
    limbs = FRAMES["pk"](design, model, rng)
    dut.prepare(model, "pk")
    got, _, _ = dut.run(limbs, (0, 0, 0), rng)
    np.testing.assert_array_equal(got, np.stack([limb.want for limb in limbs]))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("wipe_tokens(LogNMax, LogLanes) + Reserved + Rows", "Reserved + Rows", ".u_commutator."),
        ("token_live || token_dead || wiping_q", "token_live || token_dead", ".u_commutator."),
        ("result_valid || wiping_q", "result_valid", ".u_queue"),
        ("Reserved + Rows + 8 + Before", "Reserved + Before", ".u_queue"),
        ("(wiping_q || factor_valid_i)", "factor_valid_i && !wiping", "a row too many"),
        ("wiping_q || out_ready_i", "!wiping && out_ready_i", "a row too many"),
        ("seeded_q <= seeded_i && !wiping", "seeded_q <= seeded_i", ".u_out"),
        ("wipe_i || 32'(log_n_i)", "32'(log_n_i)", ".u_commutator."),
    ],
)
def test_a_broken_wipe_leaves_words(tmp_path, old, new, found):
    """found: where, or what the model says before."""
    design = Design(2, 11, 32, (30, 29, 28, 31))
    files = mutated(sources(), (old, new), tmp_path)
    if not found.startswith("."):
        with pytest.raises(SimulationError, match=found):
            Bench(design, files)
        return
    dut = Bench(design, files)
    fill(dut, design, 10, np.random.default_rng(6))
    dut.sim.set(wipe_i=1, factor_valid_i=1, out_ready_i=0)
    dut.sim.step()
    dut.sim.set(wipe_i=0)
    dut.sim.wait("wiping_o", 0)
    assert left(dut)[found]
