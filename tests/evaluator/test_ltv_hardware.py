# SPDX-License-Identifier: Apache-2.0
"""The server's products on the accelerator: the library's words on RTL, measured parts beside the model's cycles, the bars of doroz2015 by the model."""

import json
from typing import Any

import numpy as np
import pytest

from asserting import raises
from cli_runner import CommandLine
from ringside import designs
from ringside.designs import Design
from ringside.errors import DeviceError, ParameterError
from ringside.native.library import ffi, lib
from ringside.sim.options import Simulated, parse_simulated
from ringside_ltv.core.check import parse_core
from ringside_ltv.core.host import cyclotomic, windows
from ringside_ltv.core.server import CoreServer
from ringside_ltv.hardware.cycles import BANDWIDTH, LATENCY, POINTS, PRIMES, bus_of, measure, moduli, task_of, time_of
from ringside_ltv.hardware.engine import Engine, radix
from ringside_ltv.hardware.programs import product, relinearisation
from ringside_ltv.scheme import LtvParameters, Scheme

PCIE = {"latency": 250, "bandwidth": 28}
SMALL_BUS = {"latency": 60, "bandwidth": 7.5, "overhead": 8}


@pytest.fixture(autouse=True)
def _quick_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGSIDE_SIM_LEVEL", "1")


def small() -> Design:
    """doroz2015 with two lanes and a narrow bus."""
    return parse_core("sim:doroz-2").design


def server_and_library(parameters: LtvParameters, level: int, count: int, batch: int) -> None:
    """A product and its relinearisation on RTL and by the library: the same words."""
    rng, seeds = np.random.default_rng(1), [bytes([number]) * 32 for number in range(3)]
    with Scheme(parameters, threads=1) as scheme:
        scheme.make_secret(seeds[0])
        scheme.make_public(seeds[0])
        keys = [scheme.make_evaluation(seeds[0], digit) for digit in range(scheme.info.digits)]
        bits = [rng.integers(0, 2, (count, scheme.info.n)).astype(np.uint8) for _ in range(2)]
        a, b = (scheme.encrypt(seed, messages, level) for seed, messages in zip(seeds[1:], bits, strict=True))
        expected = scheme.multiply(a, b)
        with CoreServer(Simulated(small()), scheme, level, batch) as core:
            core.load_keys(keys)
            found = core.multiply(a, b)
            assert np.array_equal(found, expected)
            core.relinearise(found)
        scheme.relinearise(expected)
        assert np.array_equal(found, expected)
        assert not np.array_equal(found, scheme.multiply(a, b))


@pytest.mark.parametrize(("special", "batch"), [(0, 2), (2, 2), (8, 1)], ids=["windows", "hybrid", "one group"])
def test_core_computes_the_librarys_words(special: int, batch: int) -> None:
    """Several batches, the last one smaller. One group: a prime has one digit, and the next prime's constants come before it."""
    parameters = LtvParameters(m=255, primes=5, special=special, sbox_depth=4)
    server_and_library(parameters, level=4 if special else 5, count=3 if batch == 2 else 2, batch=batch)


@pytest.mark.soak
@pytest.mark.parametrize("hybrid", [False, True])
def test_core_computes_the_librarys_words_at_the_first_level(hybrid: bool) -> None:
    parameters = LtvParameters.default(255, 3, hybrid=hybrid)
    server_and_library(parameters, level=parameters.primes, count=2, batch=2)


@pytest.mark.parametrize(
    ("operation", "options"),
    [("product", {}), ("relinearise", {"batch": 2}), ("relinearise", {"batch": 2, "hybrid": True})],
)
@pytest.mark.parametrize("bus", [PCIE, SMALL_BUS], ids=["fast", "slow"])
def test_model_counts_what_rtl_takes(operation: str, options: dict[str, Any], bus: dict[str, float]) -> None:
    """Within 2 %, where the bus limits and where the lanes do; the results are compared with the library's on the way."""
    found = measure(Simulated(small(), dict(bus)), operation, points=512, primes=9, **options)
    assert found.part is not None
    assert abs(found.part.error) < 0.02
    assert found.counted > found.part.measured // 2


# parts of doroz2015's operations in RTL simulation, as figures/ours.jsonl has them
PARTS = [("product", 1, False, 101_123), ("relinearise", 2, False, 196_829), ("relinearise", 2, True, 300_586)]


@pytest.mark.parametrize(("operation", "batch", "hybrid", "cycles"), PARTS)
def test_model_counts_what_was_measured(operation: str, batch: int, hybrid: bool, cycles: int) -> None:
    wanted = Simulated(designs.load("doroz2015"), {"latency": LATENCY, "bandwidth": BANDWIDTH})
    task = task_of(wanted, operation, POINTS, PRIMES, batch, hybrid, 7)
    found = time_of(wanted.design, POINTS.bit_length() - 1, task.part.words, bus_of(wanted))
    assert found.cycles == pytest.approx(cycles, rel=0.002)


def post_all(ring: Any, descriptors: list[dict[str, Any]]) -> int:
    """In a ring that is smaller: how often it was full."""
    sent, some, full = 0, ffi.new("uint32_t *"), 0
    array = ffi.new("rs_descriptor_t[]", descriptors)
    while sent < len(descriptors):
        assert lib.rs_device_ring_post(ring, array + sent, len(descriptors) - sent, some) == 0
        if not some[0]:
            full += 1
            assert lib.rs_device_ring_wait(ring) == 0
        sent += some[0]
    return full


def test_library_drives_the_ring() -> None:
    """Products modulo ten primes, each a run of one program, in a ring of four; a fault in the second of three."""
    design, qs = small(), moduli(10, 256)
    program = product(design, 8, 1)
    sizes, half = (program.shape.context, program.shape.half, program.shape.half, program.shape.whole), 128
    rng = np.random.default_rng(1)
    operands = [[rng.integers(0, q, half).astype(np.uint64) for _ in range(2)] for q in qs]
    with Engine(Simulated(design), 8, 1 << 20) as engine:
        places = [[engine.room(size) for size in sizes] for _ in qs]
        for place, q, pair in zip(places, qs, operands, strict=True):
            engine.put(place[0], engine.context(q))
            for at, operand in zip(place[1:3], pair, strict=True):
                engine.put(at, operand.astype("<u4").tobytes())
        runs = [{"log_n": 8, "pointers": [engine._address + at for at in place]} for place in places]
        device, ring, words = (
            engine._device._device,
            ffi.new("rs_device_ring_t *"),
            ffi.new("uint64_t[]", program.words),
        )
        opening = (ring, device, engine.room(4 * 64) + engine._skip, 2, words, len(program.words))
        assert lib.rs_device_ring_open(*opening) == 0
        assert post_all(ring, runs) > 0
        assert lib.rs_device_ring_wait(ring) == 0
        assert (ring.posted, ring.done) == (10, 10)
        assert 0 < lib.rs_device_report(device).cycles < 10_000
        factor = np.uint64(radix(32))
        for place, q, (a, b) in zip(places, qs, operands, strict=True):
            found = engine.words(place[3], 256) * (factor % np.uint64(q)) % np.uint64(q)
            assert np.array_equal(found, engine.multiplied(q, [(a, b)]))
        assert lib.rs_device_ring_close(ring) == 0
        assert lib.rs_device_ring_open(*opening) == 0
        runs[1]["pointers"] = [1 << 40] * 4
        post_all(ring, runs[:3])
        assert lib.rs_device_ring_wait(ring) == lib.RS_ERR_DEVICE_BUS
        assert (ring.done, ring.device) == (1, ffi.NULL)
        assert engine.run(program, places[0]).cycles > 0


def test_bars() -> None:
    """Bars for doroz2015 behind PCI Express at 250 MHz; the paper takes 9.51 ms and 526 ms."""
    wanted = Simulated(designs.load("doroz2015"), dict(PCIE))
    assert measure(wanted, "product", simulate=False).milliseconds <= 4.6
    windows_run = measure(wanted, "relinearise", batch=2, simulate=False)
    assert windows_run.milliseconds <= 140
    assert (windows_run.digits, windows_run.programs) == (80, 41)
    assert measure(wanted, "relinearise", batch=2, hybrid=True, simulate=False).milliseconds <= 16


def test_programs_fit_and_step_over_primes() -> None:
    design = designs.load("doroz2015")
    assert (product(design, 16, 41).primes, relinearisation(design, 16, 41, 80, 2, narrow=True).primes) == (41, 1)
    several = relinearisation(design, 16, 48, 6, 2, narrow=False)
    assert several.primes > 10
    assert len(several.words) <= design.program_depth
    assert several.strides[2] == several.primes * (2 * 6 * (2 << 16))
    assert relinearisation(design, 16, 41, 80, 2, narrow=True).strides[2] == 0  # windows are the same for all primes


@pytest.mark.parametrize(
    ("name", "operation", "options", "text"),
    [
        ("rise-4", "product", {}, "no LOAD of half a polynomial"),
        ("doroz2015", "relinearise", {"batch": 3}, "fewer than 7 groups"),
        ("doroz2015", "product", {"points": 1 << 17}, "no transform of 2\\^17 points"),
    ],
)
def test_designs_that_cannot(name: str, operation: str, options: dict[str, Any], text: str) -> None:
    raises(DeviceError, text, measure, Simulated(designs.load(name)), operation, simulate=False, **options)


def test_points_are_a_power_of_two() -> None:
    with pytest.raises(ParameterError, match="power of two"):
        measure(Simulated(designs.load("doroz2015")), "product", points=1000, simulate=False)


def test_primes_are_the_schemes() -> None:
    with Scheme(LtvParameters.default(255, 4, hybrid=False), threads=1) as scheme:
        assert moduli(41, scheme.info.points) == [scheme.prime(index) for index in range(41)]


def test_host_arithmetic() -> None:
    assert cyclotomic(15) == (1, -1, 0, 1, -1, 1, 0, -1, 1)
    primes = moduli(3, 256)
    integers = [0, 1, 12345678901234567890123, primes[0] * primes[1] * primes[2] - 1]
    digits = windows(np.array([[x % p for x in integers] for p in primes], np.uint32), primes, 6)
    assert [sum(int(row[i]) << 16 * t for t, row in enumerate(digits)) for i in range(4)] == integers


def test_command(ringside: CommandLine) -> None:
    done = ringside("ltv", "cycles", "doroz2015,latency=250,bandwidth=31.5,overhead=24", "--model-only")
    assert "bandwidth" not in done.err
    assert "31.5 bytes per cycle in each direction, 24 bytes more for each burst" in done.out
    found = json.loads(ringside("ltv", "cycles", "doroz2015", "--op", "relinearise", "--model-only", "--json").out)
    assert found["part"] is None
    assert (found["latency"], found["bandwidth"], found["batch"]) == (250, 28, 1)
    assert "lifting" not in found
    assert ringside("ltv", "cycles", "rise-4", "--model-only").code != 0


def test_lifting_is_estimated(ringside: CommandLine) -> None:
    """There are 3 primes in groups of 2 modulo 5 primes: the first group is lifted to three primes by 2 products each, the second to four by one; three scalings."""
    options = ("--op", "relinearise", "--hybrid", "--model-only", "--primes", 3, "--special", 2, "--json")
    found = json.loads(ringside("ltv", "cycles", "doroz2015", *options, "--lift").out)["lifting"]
    assert found["passes"] == 3 * 2 + 4 * 1 + 3
    assert found["cycles"] == found["passes"] * 512
    assert found["loaded"] == 5 * 3 * (32768 * 4)
    assert found["held_blocks"] == -(-3 * 32768 * 32 // 36864)
    assert ringside("ltv", "cycles", "doroz2015", "--lift", "--model-only").code != 0


def test_fractions_of_a_byte() -> None:
    assert parse_simulated("doroz2015,bandwidth=28.5").numbers == {"bandwidth": 28.5}
    for bad in ("28.5555", "1e3", ".5", "28.", "2000"):
        raises(DeviceError, "bandwidth must be", parse_simulated, f"doroz2015,bandwidth={bad}")
