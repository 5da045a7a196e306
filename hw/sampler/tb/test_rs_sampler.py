# SPDX-License-Identifier: Apache-2.0
"""rs_sampler compared with rs_sample_cbd21 and rs_sample_ternary; its cycles do not depend on the seed; the figures of the README.

RINGSIDE_SOAK=1 python -m pytest hw/sampler -k figures -s      prints the rows of the README's table and compares them with it
"""

import json
import random
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import FallingEdge
from rs_cocotb import elaborate, rtl, run, settings, whole
from stream_sources import BENCH, streams

SOURCES = whole("rs_sampler")
README = Path(__file__).parents[1] / "README.md"

# lanes, cores, bytes per cycle, slices per cycle
SHAPES = [(1, 2, 1), (2, 3, 2), (2, 1, 1, 32), (1, 1, 2, 16), (8, 16, 4), (32, 8, 8)]
FIGURES = [(2, 1, 1, 32), (4, 1, 1), (4, 2, 1), (4, 4, 1), (8, 4, 1), (4, 8, 1), (8, 8, 1), (8, 8, 2)]


def shape(lanes, cores, size, slices=64):
    return {"LanesOut": lanes, "KeccakCores": cores, "TernaryBytes": size, "Slices": slices}


@pytest.mark.parametrize(
    "parameters",
    [
        SHAPES[0],
        *(pytest.param(entry, marks=pytest.mark.soak) for entry in SHAPES[1:-1]),
        pytest.param(SHAPES[-1], marks=pytest.mark.slow),
    ],
)
@pytest.mark.alike(2)
def test_sampler(parameters):
    cases = ["same_polynomials", "same_time_for_all_seeds", "cleared_in_between"]
    run(BENCH, streams(), shape(*parameters), __file__, cases, level=1)


@pytest.mark.parametrize(
    ("lanes", "size", "piece"), [(1, 1, 136), (4, 1, 136), (16, 8, 136), (32, 8, 136), (2, 1, 4), (4, 2, 2)]
)
def test_sampler_lint(lanes, size, piece):
    parameters = {"LanesOut": lanes, "TernaryBytes": size, "PieceBytes": piece}
    assert elaborate("rs_sampler", SOURCES, parameters) == ""


@pytest.mark.parametrize("lanes", [3, 6])
def test_sampler_illegal(lanes):
    assert "LanesOut must be a power of two" in elaborate("rs_sampler", SOURCES, {"LanesOut": lanes})


def test_sample_cbd_lint():
    assert elaborate("rs_sample_cbd", rtl("rs_sample_cbd", "rs_cbd21"), {"LanesOut": 4}) == ""
    assert elaborate("rs_cbd21", rtl("rs_cbd21")) == ""
    assert "must be positive" in elaborate("rs_sample_cbd", rtl("rs_sample_cbd", "rs_cbd21"), {"LanesOut": 0})


@pytest.mark.slow
@pytest.mark.parametrize(
    "figure", [FIGURES[0], *(pytest.param(row, marks=pytest.mark.soak) for row in FIGURES[1:-1]), FIGURES[-1]]
)
def test_figures(figure, tmp_path):
    """A row of the README's table."""
    parameters = shape(*figure)
    lanes, cores, size = parameters["LanesOut"], parameters["KeccakCores"], parameters["TernaryBytes"]
    result = tmp_path / "cycles.json"
    run(BENCH, streams(), parameters, __file__, "figures", level=1, result=str(result))
    cycles = json.loads(result.read_text())
    cells = [cores if parameters["Slices"] == 64 else f"1, {parameters['Slices']} slices", lanes, size]
    for kind in ("cbd", "ternary"):
        cells += [cycles[kind][0], cycles[kind][1], f"{cycles[kind][1] / 8:.0f}"]
    row = f"| {' | '.join(map(str, cells))} |"
    print(f"\n{row}")
    assert row in README.read_text(encoding="utf-8"), f"the README lacks\n{row}"


async def prepare(dut):
    import sampler_bench as bench

    await bench.reset(dut)
    return bench


async def begin(dut, kind, log_n, seed, domain):
    import sampler_bench as bench

    dut.ternary_i.value = int(kind == "ternary")
    dut.log_n_i.value = log_n
    dut.domain_i.value = domain
    dut.seed_sec_i.value = int.from_bytes(seed, "little")
    await bench.pulse(dut, "start_i")


async def sample(dut, kind, log_n, seed, domain=1):
    """The polynomial, and what happened at the output in each cycle from the one after start_i to done_o."""
    import sampler_bench as bench

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


@cocotb.test()
async def same_polynomials(dut):
    bench = await prepare(dut)
    models = {"cbd": bench.cbd21, "ternary": bench.ternary}
    seed = random.randbytes(64)
    for log_n in (5, 10, 13):
        for kind, model in models.items():
            domain = random.randrange(1, 6)
            got, _ = await sample(dut, kind, log_n, seed, domain)
            assert got == model(1 << log_n, seed, domain), (kind, log_n)
        seed = random.randbytes(64)


@cocotb.test()
async def same_time_for_all_seeds(dut):
    await prepare(dut)
    seeds = [bytes(64), b"\xff" * 64, *(random.randbytes(64) for _ in range(4))]
    for kind in ("cbd", "ternary"):
        traces = [(await sample(dut, kind, 10, seed, 2))[1] for seed in seeds]
        assert all(trace == traces[0] for trace in traces)


@cocotb.test()
async def cleared_in_between(dut):
    bench = await prepare(dut)
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


@cocotb.test()
async def figures(dut):
    await prepare(dut)
    cycles = {kind: [len((await sample(dut, kind, k, bytes(64)))[1]) for k in (10, 13)] for kind in ("cbd", "ternary")}
    Path(settings()["result"]).write_text(json.dumps(cycles))
