# SPDX-License-Identifier: Apache-2.0
"""rs_sampler compared with rs_sample_cbd21 and rs_sample_ternary; its cycles do not depend on the seed; the figures of the README.

RINGSIDE_SOAK=1 python -m pytest hw/sampler -k figures -s      prints the rows of the README's table and compares them with it
"""

import json
import random
from pathlib import Path

import pytest
import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings
from stream_sources import BENCH, streams

README = Path(__file__).parents[1] / "README.md"
BLOCK = Block(BENCH, "LanesOut KeccakCores TernaryBytes Slices", streams(), Slices=64)
SHAPES = [(1, 2, 1), *soak((2, 3, 2), (2, 1, 1, 32), (1, 1, 2, 16), (8, 16, 4))]
SHAPES += [pytest.param((32, 8, 8), marks=pytest.mark.slow)]
CASES = ["same_polynomials", "same_time_for_all_seeds", "cleared_in_between"]
test_sampler = BLOCK.runs(__file__, SHAPES, CASES, level=1)
UNIT = Block("rs_sampler", "LanesOut TernaryBytes PieceBytes")
PIECES = [(1, 1, 136), (4, 1, 136), (16, 8, 136), (32, 8, 136), (2, 1, 4), (4, 2, 2)]
test_sampler_lint = UNIT.lints(PIECES)
test_sampler_illegal = UNIT.refuses("LanesOut must be a power of two", 3, 6)
CBD = Block("rs_sample_cbd", "LanesOut")
test_sample_cbd_lint = CBD.lints([4])
test_sample_cbd_illegal = CBD.refuses("must be positive", 0)
test_cbd21_lint = Block("rs_cbd21").lints()


# lanes, cores, bytes per cycle, slices per cycle
FIGURES = [(2, 1, 1, 32), *soak((4, 1, 1), (4, 2, 1), (4, 4, 1), (8, 4, 1), (4, 8, 1), (8, 8, 1)), (8, 8, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES)
def test_figures(figure, tmp_path):
    """A row of the README's table."""
    parameters = BLOCK.parameters(figure)
    lanes, cores, size = parameters["LanesOut"], parameters["KeccakCores"], parameters["TernaryBytes"]
    result = tmp_path / "cycles.json"
    BLOCK.run(figure, __file__, "figures", level=1, result=str(result))
    cycles = json.loads(result.read_text())
    cells = [cores if parameters["Slices"] == 64 else f"1, {parameters['Slices']} slices", lanes, size]
    for kind in ("cbd", "ternary"):
        cells += [cycles[kind][0], cycles[kind][1], f"{cycles[kind][1] / 8:.0f}"]
    row = f"| {' | '.join(map(str, cells))} |"
    print(f"\n{row}")
    assert row in README.read_text(encoding="utf-8"), f"the README lacks\n{row}"


async def begin(dut, kind, log_n, seed, domain):
    dut.ternary_i.value = int(kind == "ternary")
    dut.log_n_i.value = log_n
    dut.domain_i.value = domain
    dut.seed_sec_i.value = int.from_bytes(seed, "little")
    await bench.pulse(dut, "start_i")


async def sample(dut, kind, log_n, seed, domain=1):
    """The polynomial, and what happened at the output in each cycle from the one after start_i to done_o."""
    await begin(dut, kind, log_n, seed, domain)
    lanes = settings()["parameters"]["LanesOut"]
    sink = bench.Sink(dut, ("keep_o", "data_sec_o"), None)
    trace = []
    while not int(dut.done_o.value):
        assert int(dut.busy_o.value)
        trace.append(sink.cycle())
        assert len(trace) < 100000
        await FallingEdge(dut.clk_i)
    trace.append(None)
    await FallingEdge(dut.clk_i)
    assert (int(dut.busy_o.value), int(dut.done_o.value), int(dut.valid_o.value)) == (0, 0, 0)
    assert not int(dut.data_sec_o.value), "wiped"
    got = [value for keep, beat in sink.beats if keep for value in bench.signed_fields(beat, lanes, 6)]
    return got, trace


@bench.test
async def same_polynomials(dut):
    models = {"cbd": bench.cbd21, "ternary": bench.ternary}
    seed = random.randbytes(64)
    for log_n in (5, 10, 13):
        for kind, model in models.items():
            domain = random.randrange(1, 6)
            got, _ = await sample(dut, kind, log_n, seed, domain)
            assert got == model(1 << log_n, seed, domain), (kind, log_n)
        seed = random.randbytes(64)


@bench.test
async def same_time_for_all_seeds(dut):
    seeds = [bytes(64), b"\xff" * 64, *(random.randbytes(64) for _ in range(4))]
    for kind in ("cbd", "ternary"):
        traces = [(await sample(dut, kind, 10, seed, 2))[1] for seed in seeds]
        assert all(trace == traces[0] for trace in traces)


@bench.test
async def cleared_in_between(dut):
    for kind in ("cbd", "ternary", "cbd"):
        await begin(dut, kind, 10, random.randbytes(64), 1)
        for _ in range(random.randrange(1, 120)):
            await FallingEdge(dut.clk_i)
        await bench.pulse(dut, "clear_i")
        for _ in range(40):
            assert (int(dut.busy_o.value), int(dut.valid_o.value), int(dut.data_sec_o.value)) == (0, 0, 0)
            await FallingEdge(dut.clk_i)
        seed = random.randbytes(64)
        assert (await sample(dut, "ternary", 10, seed))[0] == bench.ternary(1024, seed, 1)


@bench.test
async def figures(dut):
    cycles = {kind: [len((await sample(dut, kind, k, bytes(64)))[1]) for k in (10, 13)] for kind in ("cbd", "ternary")}
    Path(settings()["result"]).write_text(json.dumps(cycles))
