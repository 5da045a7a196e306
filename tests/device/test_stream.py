# SPDX-License-Identifier: Apache-2.0
"""Batches of frames through the streaming unit of simulated cores: the bits of as many single encryptions by the processor."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from ringside import designs
from ringside.cycles.operation import record
from ringside.cycles.streaming import figures
from ringside.devices.simulated import SimulatedDevice, open_simulated
from ringside.native.library import lib
from ringside.objects.keydir import context_for
from ringside.sim.options import Simulated
from ringside.sim.program import native_design
from ringside.sim.timing import program_time, row_of

SEED = bytes(64)
# cycles of a frame, and by how much they may be exceeded
SETS = {"lee-12": (8192, 0.1), "lee-13": (24576, 0.03), "lee-14": (57344, 0.03)}


def frames_of(context: rs.Context, count: int) -> list[np.ndarray]:
    return [np.random.default_rng(frame).normal(size=context.slots) for frame in range(count)]


def reads_what_is_foreseen(device: SimulatedDevice, name: str) -> None:
    """The model's beats are those of the bus, but that contexts of limbs that may follow are read ahead."""
    design, log_n, contexts = designs.load(name), 10, 4
    foreseen = program_time(row_of(design, log_n), device.program)
    context_bytes = int(lib.rs_design_stream_key_bytes(native_design(design), log_n)) - (16 << log_n)
    run = device.runs[-1]
    assert run.read_beats is not None
    assert 0 <= run.read_beats - foreseen.read_beats <= contexts * context_bytes * 8 // design.bus_bits
    assert run.write_beats == foreseen.write_beats


@contextmanager
def streaming(bits: list[int], name: str = "stream-12") -> Iterator[tuple[rs.Context, SimulatedDevice, rs.SecretKey]]:
    """A context on the processor, a core, and a key."""
    params = rs.Parameters.from_bits(1024, bits, security=0)
    wanted = Simulated(designs.load(name), {"latency": 60, "stall": 20}, checked=True)
    context = rs.Context(params)
    with closing(open_simulated(wanted, params._native)) as device, context.keygen() as secret:
        yield context, device, secret


@pytest.mark.slow  # builds a simulator
@pytest.mark.alike(3, of="streams")
def test_a_batch_has_the_bits_of_single_encryptions() -> None:
    with streaming([30, 27, 30]) as (processor, device, secret):
        key = processor.public_key(secret, insecure_deterministic_seed=SEED)
        simulated = processor.on(device)
        frames = frames_of(processor, 3)
        for case in ({}, {"special_prime": False}, {"level": 0}):
            options: dict[str, Any] = {**case, "insecure_deterministic_seed": SEED, "scale": 2.0**20}
            wanted = processor.encrypt_batch(frames, key, **options)
            found = simulated.encrypt_batch(frames, key, **options)
            for got, want in zip(found, wanted, strict=True):
                assert np.array_equal(got.data, want.data)
            assert device.runs[-1].busy["PIPE"] > 0
            reads_what_is_foreseen(device, "stream-12")
        assert len(device.runs) == 3  # a program each
        assert not device.core.message


@pytest.mark.slow  # builds a simulator
@pytest.mark.alike(3, of="streams")
def test_slots_stream_and_come_back() -> None:
    """The lanes encode what streams, of whole and half lines, at scales that are powers of two or not; frames without slots of the same core as well."""
    with streaming([30, 27, 30], "stream-12e") as (processor, device, secret):
        key = processor.public_key(secret, insecure_deterministic_seed=SEED)
        simulated = processor.on(device)
        meaning: dict[str, Any] = {"exponent": -15, "bound": 1, "word_bits": 32}
        rng = np.random.default_rng(1)
        for count, scale, level in ((512, 2.0**22, 1), (37, 1.2345 * 2.0**21, 0)):
            slots = list(rng.integers(-1 << 14, 1 << 14, (5, count), np.int16))
            given: dict[str, Any] = {**meaning, "scale": scale, "level": level, "insecure_deterministic_seed": SEED}
            given["special_prime"] = False
            before = len(device.runs)
            found = simulated.encrypt_fixed_batch(slots, key, **given)
            for got, want in zip(found, processor.encrypt_fixed_batch(slots, key, **given), strict=True):
                assert np.array_equal(got.data, want.data)
            assert len(device.runs) == before + 1
            assert device.runs[-1].busy["PIPE"] > 0
            reads_what_is_foreseen(device, "stream-12e")
            back: dict[str, Any] = {**meaning, "exponent": -26, "bound": 3, "dtype": np.int32}
            words = np.array(simulated.decrypt_fixed_batch(found, secret, count, **back))
            assert np.array_equal(words, processor.decrypt_fixed_batch(found, secret, count, **back))
            # a slot's noise: some 118 sqrt(N) / scale in root mean square
            assert np.abs(words * 2.0**-26 - np.array(slots) * 2.0**-15).max() < 8 * 118 * 32 / scale
        assert not device.core.message
        numbers = frames_of(processor, 2)
        plain: dict[str, Any] = {"insecure_deterministic_seed": SEED, "scale": 2.0**20}
        for got, want in zip(
            simulated.encrypt_batch(numbers, key, **plain), processor.encrypt_batch(numbers, key, **plain), strict=True
        ):
            assert np.array_equal(got.data, want.data)
        outside = [slots[0], np.full(37, -1 << 15, np.int16)]
        with pytest.raises(rs.RingsideError):
            simulated.encrypt_fixed_batch(outside, key, **given | {"exponent": -14})


@pytest.mark.slow  # builds a simulator
@pytest.mark.alike(3, of="streams")
def test_integers_stream_beside_real_numbers() -> None:
    """CKKS, two keys of BGV, BFV in NTT form and CKKS again on one core: the processor's bits, and one program without special prime."""
    integers: dict[str, Any] = {"plain_modulus": 65537, "security": 0}
    exact_sets = [rs.Parameters.from_bits(1024, [30, 27, 30], scheme=one, **integers) for one in ("bgv", "bgv", "bfv")]
    reals = rs.Parameters.from_bits(1024, [30, 27, 30], security=0)
    wanted = Simulated(designs.load("stream-12"), {"latency": 60, "stall": 20}, checked=True)
    programs = set()
    with ExitStack() as stack:
        device = stack.enter_context(closing(open_simulated(wanted, exact_sets[0]._native)))
        for params in (reals, *exact_sets, reals):
            exact = params.scheme != "ckks"
            processor: Any = context_for(params)
            key = processor.public_key(stack.enter_context(processor.keygen()))
            frames = np.random.default_rng(1).integers(-32768, 32769, (3, 1024 if exact else 512))
            given: dict[str, Any] = {"form": "ntt"} if exact else {"scale": 2.0**5}
            given["insecure_deterministic_seed"] = SEED
            for case in ({"level": 0}, {}, {"special_prime": False}):
                before = len(device.runs)
                found = processor.on(device).encrypt_batch(frames, key, **given, **case)
                for got, want in zip(found, processor.encrypt_batch(frames, key, **given, **case), strict=True):
                    assert np.array_equal(got.data, want.data)
                assert len(device.runs) == before + 1
                assert device.runs[-1].busy["PIPE"] > 0
            programs.add(tuple(device.program))
        assert len(programs) == 1
        assert not device.core.message
        processor = context_for(exact_sets[2])
        key = processor.public_key(stack.enter_context(processor.keygen()))
        processor.on(device).encrypt(frames[0], key)  # in coefficients, by the lanes
        assert not device.runs[-1].busy["PIPE"]
        frames[1, 9] = 40000
        with pytest.raises(rs.InputError, match=r"Frame 1.*value 9 is 40000"):
            processor.on(device).encrypt_batch(frames, key, form="ntt")


@pytest.mark.slow  # builds a simulator
def test_a_batch_is_decrypted_at_once() -> None:
    """By the lanes, with one secret key for each limb; of other levels and with seeds one by one."""
    with streaming([30, 27, 29, 30]) as (processor, device, secret):
        simulated = processor.on(device)
        key = processor.public_key(secret, insecure_deterministic_seed=SEED)
        given = processor.encrypt_batch(frames_of(processor, 18), key, scale=2.0**20)
        lower = processor.encrypt_batch(frames_of(processor, 2), key, scale=2.0**20, level=0)
        seeded = processor.encrypt_batch(frames_of(processor, 1), secret, scale=2.0**20)
        for ciphertexts, programs in ((given, 2), ([*given[:3], *lower], 2), ([*given[:2], *seeded], 1)):
            before = len(device.runs)
            found = simulated.decrypt_batch(ciphertexts, secret, real=False)
            assert np.array_equal(found, processor.decrypt_batch(ciphertexts, secret, real=False))
            assert len(device.runs) - before == programs  # calls; one with a seed among them is several programs
        assert not device.core.message
        broken = given[:3]
        broken[1].data[1, 2, 5] = processor.params.moduli[2]  # no residue
        raises(rs.RingsideError, "Frame 1", simulated.decrypt_batch, broken, secret)


@pytest.mark.slow  # builds a simulator
def test_each_further_decryption_takes_its_two_polynomials() -> None:
    """The bus has 8 words per cycle. What a frame takes besides: a sixteenth of the secret key, and where a limb begins."""
    design = designs.load("stream-12")
    found = record(Simulated(design, checked=True), "decrypt", 4096, 3, 30, frames=16).measurement
    least = 3 * 2 * 4096 * 4 // 64  # words of 4 bytes
    lanes = 3 * 4096 // 4  # MAC, beside the loads of other frames
    assert max(least, lanes) < found.cycles_per_frame < 1.1 * lanes
    assert found.cycles_per_frame < 0.7 * found.cycles


@pytest.mark.soak  # minutes to hours
@pytest.mark.parametrize("name", SETS)
def test_cycles_of_frames(name: str) -> None:
    params = rs.Parameters.named(name)
    design = designs.load("lee2023")
    found = record(Simulated(design), "encrypt-pk", 0, 0, 0, frames=16, given=params).measurement
    cycles, slack = SETS[name]
    assert found.cycles_per_frame <= cycles * (1 + slack)
    stream = figures(design, params.log_n, params.data_limbs, found.cycles_per_frame)
    assert stream.multipliers <= 74
    assert stream.read_bytes + 1e-9 < 64  # what the bus carries


@pytest.mark.soak  # minutes
@pytest.mark.parametrize(("name", "cycles"), [("lee-12", 4000), ("lee-13", 20500), ("lee-14", 49251)])
def test_decryptions_of_a_batch_reach_the_printed_rates(name: str, cycles: int) -> None:
    params = rs.Parameters.named(name)
    found = record(Simulated(designs.load("lee2023")), "decrypt", 0, 0, 0, frames=16, given=params).measurement
    assert found.cycles_per_frame <= cycles
    assert found.batch_cycles / 16 <= cycles  # the first one included
