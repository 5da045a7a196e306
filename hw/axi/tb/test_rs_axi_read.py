# SPDX-License-Identifier: Apache-2.0
"""Answers of a memory that breaks AXI4's rules: another ID, RLAST too early, too late. The transfer ends as it should, and its unit gets an error."""

import pytest
from rs_channels import Bundled
from rs_cocotb import whole

from ringside.sim import verilate

BUS_BITS, LINES, BURST = 128, 48, 1024
BEATS, BURST_BEATS = LINES * 512 // BUS_BITS, BURST * 8 // BUS_BITS
IDLE = {"rst_ni": 1, "start_i": 0, "clear_i": 0, "streams_i": 0, "pairs_i": 0, "run_i": 0, "half_i": 0}


def opened(module: str) -> Bundled:
    sim = Bundled(verilate.build(module, whole(module), {"BusBits": BUS_BITS, "MaxBurstBytes": BURST}))
    sim.set(**IDLE | {"rst_ni": 0})
    sim.step(2)
    sim.set(**IDLE, addr_i=0, lines_i=LINES - 1)
    sim.set(start_i=1)
    sim.step()
    sim.set(start_i=0)
    return sim


@pytest.mark.parametrize("lie", [{}, {"rid_i": 4}, {"rlast_i": 1}, {"rlast_i": 0}], ids=str)
def test_wrong_answers_to_a_read(lie: dict[str, int]) -> None:
    sim = opened("rs_axi_read")
    wrong = BURST_BEATS - 1 if lie == {"rlast_i": 0} else 6
    bursts, beats, errors = [], 0, []
    sim.set(beat_ready_i=1, rvalid_i=0, rid_i=0, rresp_i=0, arready_i=1)
    for _ in range(4 * BEATS):
        if sim.get("arvalid_o"):
            bursts.append(sim.get("arlen_o") + 1)
        due = sum(bursts[:-1]) if sim.get("arvalid_o") else sum(bursts)
        ends = [sum(bursts[: k + 1]) - 1 for k in range(len(bursts))]
        answer = {"rvalid_i": int(beats < due), "rid_i": 0, "rlast_i": int(beats in ends)}
        sim.set(**answer | (lie if beats == wrong else {}))
        if sim.get("beat_valid_o"):
            errors += [beats] * sim.get("beat_error_o")
            beats += 1
        sim.step()
    assert beats == BEATS
    assert errors == ([wrong] if lie else [])
    assert not sim.get("busy_o")


@pytest.mark.parametrize("name", [0, 8])
def test_wrong_answers_to_a_write(name: int) -> None:
    sim = opened("rs_axi_write")
    sim.set(beat_valid_i=1, beat_i=0, awready_i=1, wready_i=1, bvalid_i=0, bresp_i=0)
    due = answers = 0
    for _ in range(4 * BEATS):
        sim.set(bvalid_i=int(due > 0), bid_i=name * (answers == 1))
        answers, due = answers + (due > 0), due - (due > 0) + (sim.get("wvalid_o") and sim.get("wlast_o"))
        sim.step()
    assert answers == BEATS / BURST_BEATS
    assert not sim.get("busy_o")
    assert sim.get("error_o") == (name != 0)
