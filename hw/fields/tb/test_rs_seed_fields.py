# SPDX-License-Identifier: Apache-2.0
"""rs_seed_fields: polynomials of seeds as hashlib and the standards' loops make them, and how many cycles that takes.

RINGSIDE_SOAK=1 python -m pytest hw/fields -k figures -s      prints the columns of the README's table and compares them with it
"""

import hashlib
import json
import random
import statistics
from pathlib import Path

import pytest
import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings

BLOCK = Block("rs_seed_fields", "RoundsPerCycle BeatLanes Candidates Words")
README = Path(__file__).parents[1] / "README.md"
# rounds per cycle, lanes of a beat, candidates, words: each has two columns of the README's table
SHAPES = [(1, 1, 4, 4), (2, 2, 8, 8)]
RUN = 8  # polynomials in a row


CASES = ["polynomials", "made_anew", "cleared_at_any_time"]
test_seed_fields = BLOCK.runs(__file__, [(1, 1, 4, 4), *soak((2, 2, 8, 8), (3, 2, 1, 1))], CASES)
test_seed_fields_lint = BLOCK.lints(SHAPES)


@pytest.mark.soak
@pytest.mark.parametrize("index", range(len(SHAPES)))
def test_figures(index, tmp_path):
    result = tmp_path / "cycles.json"
    BLOCK.run(SHAPES[index], __file__, "figures", level=1, result=str(result))
    rows = [line.split("|")[1:-1] for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    told = {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows if len(row) == 2 * len(SHAPES) + 1}
    found = {name: [f"{mean:.0f}" for mean in means] for name, means in json.loads(result.read_text()).items()}
    for name, means in found.items():
        print(f"{name}: {' | '.join(means)}")
    assert found == {name: told.get(name, [])[2 * index : 2 * index + 2] for name in found}


def kinds():
    """For each kind: private or not, code, stream, coefficients, the standard's loop, bytes of the number behind a seed, and of the seed."""
    import test_rs_parse_uniform as public
    import test_rs_sample_small as private

    numbers = {"ML-KEM": 2, "ML-DSA": 2, "NewHope, 14 bits": 0, "NewHope, 16 bits": 0, "Falcon-512": 0, "psi16": 1}
    for name, (code, stream, coefs, loop) in public.KINDS.items():
        yield name, False, code, stream, coefs, loop, numbers[name], 64 if name == "Falcon-512" else 32
    for name, (code, _, coefs, definition) in private.KINDS.items():
        size = 64 if name.startswith("Expand") else 32
        yield name, True, code, "shake_256", coefs, definition, 2 if size == 64 else 1, size


def seeds_of(seed, number, step, count, number_bytes):
    return [seed + (number + k * step & 0xFFFF).to_bytes(2, "little")[:number_bytes] for k in range(count)]


def wanted(kind, seeds):
    _, _, _, stream, coefs, loop, _, _ = kind
    return [loop(getattr(hashlib, stream)(seed).digest(136 * (64 if coefs > 256 else 10)))[:coefs] for seed in seeds]


async def polynomials_of(dut, kind, seed, number, step, count):
    """The polynomials, cycles from start_i to done_o, how often one was begun again, and when rows came."""
    _, is_private, code, _, coefs, _, number_bytes, size = kind
    dut.is_private_i.value = int(is_private)
    dut.kind_i.value = code
    dut.seed_sec_i.value = (
        int.from_bytes(seed, "little") | random.getrandbits(512 - 8 * size) << 8 * size
        if size < 64
        else (int.from_bytes(seed, "little"))
    )
    dut.long_seed_i.value = int(size == 64)
    dut.number_bytes_i.value = number_bytes
    dut.number_i.value = number
    dut.step_i.value = step
    dut.count_i.value = count
    dut.coefs_i.value = coefs
    await bench.pulse(dut, "start_i")
    got, cycles, again, trace = [[] for _ in range(count)], 1, 0, []
    while not int(dut.done_o.value):
        if int(dut.again_o.value):
            got[int(dut.poly_o.value)] = []
            again += 1
        valid = int(dut.valid_o.value)
        if valid:
            row = int(dut.data_sec_o.value)
            words = [row >> at & (1 << 23) - 1 for at in range(0, len(dut.data_sec_o), 23)]
            got[int(dut.poly_o.value)] += [word - (word >> 22 << 23) if is_private else word for word in words]
        trace.append(valid)
        cycles += 1
        assert cycles < 20_000
        await FallingEdge(dut.clk_i)
    return got, cycles, again, trace


@bench.test
async def polynomials(dut):
    for kind in kinds():
        name, _, _, _, coefs, _, number_bytes, size = kind
        count = (1 if coefs > 256 else 4) if number_bytes else 1
        seed, number, step = random.randbytes(size), random.randrange(256), (1, 256)[number_bytes // 2]
        got, _, _, _ = await polynomials_of(dut, kind, seed, number, step, count)
        assert got == wanted(kind, seeds_of(seed, number, step, count, number_bytes)), name


def unlucky(kind, blocks):
    """A seed of which one of the first three polynomials needs more blocks than usual."""
    _, _, _, stream, coefs, loop, number_bytes, size = kind
    rate = 168 if stream == "shake_128" else 136
    while True:
        seed = random.randbytes(size)
        for one in seeds_of(seed, 0, 1, 3, number_bytes):
            if len(loop(getattr(hashlib, stream)(one).digest(blocks * rate))) < coefs:
                return seed


@bench.test
async def made_anew(dut):
    """Those that need more blocks than usual; with private ones the time is that of other values with the same rejections."""
    for kind in kinds():
        blocks = {"ML-KEM": 3, "ExpandS, eta 4": 2, "ExpandS, eta 2": 2}.get(kind[0])
        if blocks is None or kind[0] == "ExpandS, eta 2":
            continue
        for _ in range(2):
            seed = unlucky(kind, blocks)
            got, _, again, _ = await polynomials_of(dut, kind, seed, 0, 1, 4)
            assert again > 0
            assert got == wanted(kind, seeds_of(seed, 0, 1, 4, kind[6]))


@bench.test
async def cleared_at_any_time(dut):
    every = {kind[0]: kind for kind in kinds()}
    for cut in range(3, 200, 23):
        dut.is_private_i.value = cut % 2
        dut.kind_i.value = random.randrange(5)
        dut.count_i.value = 3
        dut.coefs_i.value = 256
        await bench.pulse(dut, "start_i")
        for _ in range(cut):
            await FallingEdge(dut.clk_i)
        await bench.pulse(dut, "clear_i")
        for _ in range(30):
            await FallingEdge(dut.clk_i)
            assert (int(dut.valid_o.value), int(dut.done_o.value)) == (0, 0)
        seed = random.randbytes(32)
        got, _, _, _ = await polynomials_of(dut, every["CBD2"], seed, 7, 1, 2)
        assert got == wanted(every["CBD2"], seeds_of(seed, 7, 1, 2, 1))


@bench.test
async def figures(dut):
    """Means: one polynomial, and each one more of a row."""
    found = {}
    for kind in kinds():
        name, _, _, _, _, _, number_bytes, size = kind
        dice, alone, more = random.Random(1), [], []
        for _ in range(20):
            seed = dice.randbytes(size)
            _, one, _, _ = await polynomials_of(dut, kind, seed, 0, 1, 1)
            alone.append(one)
            if number_bytes:
                _, whole_run, _, _ = await polynomials_of(dut, kind, seed, 0, 1, RUN)
                more.append((whole_run - one) / (RUN - 1))
        found[name] = [statistics.mean(alone), statistics.mean(more or alone)]
    Path(settings()["result"]).write_text(json.dumps(found))
